//! The tables of `docs/evidence/conformance.md` and the rules: every rule of the five pages is in a table,
//! and every name in the tables is a rule.

mod pages;

use std::collections::BTreeSet;

use genvisa::verify::rules;
use genvisa_test_support::repository;

const TABLE: &str = include_str!("../../../docs/evidence/conformance.md");
const OTHER_PAGES: &str = include_str!("../../../docs/evidence/manual-coverage.md");
pub const PAGES: [&str; 5] =
    ["INFO.md", "MEDIA_LD.md", "RT_WRITE.md", "GATHER4_TYPED.md", "3D_SAMPLE.md"];

/// Returns the names of rules in a part of the table: words in backticks, with hyphens.
fn names(part: &str) -> impl Iterator<Item = &str> {
    let is_name = |code: &&str| {
        let is_part = |part: &str| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        };
        code.contains('-') && code.split('-').all(is_part)
    };
    part.split('`').skip(1).step_by(2).filter(is_name)
}

#[test]
fn every_name_in_the_tables_is_a_rule() {
    let all: BTreeSet<&str> = rules().map(|rule| rule.name).collect();
    let names = names(TABLE).chain(names(OTHER_PAGES));
    let unknown: BTreeSet<&str> = names.filter(|name| !all.contains(name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

/// The row of a page contains the rules that are taken from it, and the sums are those of the rows.
#[test]
fn the_rows_of_other_pages_contain_their_rules() {
    let (mut sentences, mut without_rule) = (0, 0);
    for row in OTHER_PAGES.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let &[page, count, listed, missing] = &cells[..] else { panic!("{row}") };
        let page = format!("{page}.md");
        let is_of_page = |source: &str| source.split([',', ';', ' ']).any(|part| part == page);
        let listed: BTreeSet<&str> = names(listed).chain(["listed-exec-size"]).collect();
        for rule in rules().filter(|rule| is_of_page(rule.source)) {
            assert!(listed.contains(rule.name), "{page}: {}", rule.name);
        }
        sentences += count.parse::<u32>().expect("a number");
        without_rule += missing.split_once(':').map_or(0, |(n, _)| n.parse().expect("a number"));
    }
    let sums = format!("{sentences} sentences were counted, and {without_rule} have no rule.");
    assert!(OTHER_PAGES.contains(&sums), "{sums}");
}

#[test]
fn every_rule_of_the_five_pages_is_in_the_table() {
    let (tables, _) = TABLE.split_once("\n## Beyond the pages").expect("a section of that name");
    let listed: BTreeSet<&str> = names(tables).collect();
    for rule in rules() {
        let is_of_a_page = PAGES.iter().any(|page| rule.source.starts_with(page));
        assert!(!is_of_a_page || listed.contains(rule.name), "{}", rule.name);
    }
}

#[test]
fn every_row_is_complete_and_marks_warnings() {
    let mut counts = Vec::new();
    for document in TABLE.split("\n## ").skip(1).take(PAGES.len()) {
        let rows = document.lines().filter(|line| line.starts_with("| ")).skip(1);
        counts.push(rows.clone().count());
        for row in rows {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            assert!(cells.len() == 4 && cells.iter().all(|cell| !cell.is_empty()), "{row}");
            for name in names(cells[3]) {
                let Some(rule) = genvisa::verify::rule(name) else { continue };
                let is_warning = rule.severity == genvisa::verify::Severity::Warning;
                let is_marked = cells[3].contains(&format!("`{name}` (warning)"));
                assert_eq!(is_warning, is_marked, "{row}");
            }
        }
    }
    assert_eq!(counts, [22, 29, 50, 34, 72]);
}

/// What the pages say about results is run by tests of the interpreter.
#[test]
fn the_tests_of_results_exist() {
    let mut count = 0;
    for list in TABLE.split("at run time: ").skip(1) {
        let list = list.split([';', '|']).next().unwrap_or_default();
        for test in list.split('`').skip(1).step_by(2) {
            let (module, name) = test.rsplit_once("::").expect("a module and a test");
            let path = format!("crates/interp/tests/suite/{}.rs", module.replace("::", "/"));
            let source = std::fs::read_to_string(repository(&path)).expect("a module");
            assert!(source.contains(&format!("fn {name}(")), "{test}");
            count += 1;
        }
    }
    assert_eq!(count, TABLE.matches("`image::").count());
}
