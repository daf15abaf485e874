//! Mistakes that are inserted into legal statements are found on their lines, in all forms in which
//! sources contain statements.

mod mistakes;
pub mod sources;

use std::collections::BTreeSet;

use genvisa::Platform;
use genvisa::verify::Severity;
use genvisa_inline::source::{Block, find};
use genvisa_inline::{Checker, Finding, Lanes, Place};
use genvisa_test_support::random::{cases as number_of_cases, seed};
use genvisa_test_support::rng::Rng;

use super::catalogue::{Case, cases};
use mistakes::{MISTAKES, Mistake};
use sources::{FORMS, Written};

/// A legal case with a mistake in one line.
pub struct Insertion {
    pub mistake: &'static str,
    pub case: Case,
    pub line: usize,
}

/// Returns the cases into which mistakes are inserted.
pub fn legal_cases() -> Vec<Case> {
    // A mistake after a comment is none, and no row is beyond a large variable.
    let is_robust = |case: &Case| ["//", "5000"].iter().all(|text| !case.template.contains(text));
    let is_usual = |case: &Case| (case.device, case.lanes) == ("bmg", Lanes::L16);
    cases()
        .into_iter()
        .filter(|case| case.is_legal() && is_usual(case) && is_robust(case))
        .collect()
}

/// Returns all insertions of a mistake.
pub fn insertions_of(mistake: &Mistake) -> Vec<Insertion> {
    let mut insertions = Vec::new();
    for case in legal_cases() {
        let lines: Vec<&str> = case.template.lines().collect();
        for (line, text) in lines.iter().enumerate() {
            let Some(edited) = (mistake.edit)(text) else { continue };
            let mut lines = lines.clone();
            lines[line] = &edited;
            let case = case.with_template(lines.join("\n"));
            insertions.push(Insertion { mistake: mistake.name, case, line });
        }
    }
    insertions
}

/// Returns all insertions, in random order.
pub fn insertions(seed: u64) -> Vec<Insertion> {
    let mut all: Vec<Insertion> = MISTAKES.iter().flat_map(insertions_of).collect();
    Rng::new(seed, 1).shuffle(&mut all);
    all
}

/// Returns the errors of a block.
pub fn errors(block: &Block) -> Vec<Finding> {
    let checker = Checker::new().with_platform(Platform::Xe2).with_lanes(Lanes::L16);
    let report = block.check(&checker).unwrap_or_else(|| panic!("{:?}", block.content));
    report.findings.into_iter().filter(|one| one.severity == Severity::Error).collect()
}

/// Returns the offset in the file that a finding is about.
fn offset(finding: &Finding, block: &Block) -> usize {
    match &finding.place {
        Place::Template(span) => match block.template_map.get(span.start) {
            Some(bytes) => bytes.start as usize,
            None => block.template_map.last().expect("a template").end as usize,
        },
        Place::Operand(number) => block.constraint_spans[*number].start,
        Place::Clobber(index) => block.clobber_spans[*index].start,
    }
}

/// Checks that there are errors in a line and not elsewhere.
pub fn check(written: &Written, line: Option<usize>) -> Result<(), String> {
    let found = find(written.text.as_bytes(), written.language);
    if let Some(error) = found.error {
        return Err(error.to_string());
    }
    let mut is_found = line.is_none();
    if found.blocks.is_empty() {
        return Err("no block".into());
    }
    for block in &found.blocks {
        for error in errors(block) {
            let at = offset(&error, block);
            let places = line.map_or(&[][..], |line| &written.places[line]);
            if !places.iter().any(|place| place.start <= at && at <= place.end) {
                let rest = &written.text[at..written.text.len().min(at + 20)];
                return Err(format!("{} at `{rest}`", error.message));
            }
            is_found = true;
        }
    }
    if is_found { Ok(()) } else { Err("nothing found".into()) }
}

#[test]
fn mistakes_are_found_on_their_lines() {
    let mut wrong = Vec::new();
    let mut count = 0;
    let mut rng = Rng::new(seed(), 2);
    for mistake in MISTAKES {
        let insertions = insertions_of(mistake);
        assert!(!insertions.is_empty(), "{}", mistake.name);
        for form in FORMS {
            for _ in 0..number_of_cases(4) {
                let insertion = &insertions[rng.below(insertions.len())];
                let written = (form.write)(&insertion.case, &mut rng);
                count += 1;
                if let Err(message) = check(&written, Some(insertion.line)) {
                    let (line, template) = (insertion.line + 1, &insertion.case.template);
                    let name = mistake.name;
                    wrong.push(format!(
                        "{name} in line {line}, {}: {message}\n{template}\n{}",
                        form.name, written.text
                    ));
                }
            }
        }
    }
    eprintln!("{count} insertions");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// The forms themselves are free of errors.
#[test]
fn legal_statements_have_no_errors_in_all_forms() {
    let mut rng = Rng::new(seed(), 3);
    let mut forms = BTreeSet::new();
    for case in legal_cases() {
        for form in FORMS {
            let written = (form.write)(&case, &mut rng);
            if let Err(message) = check(&written, None) {
                panic!("{}, {}: {message}\n{}", case.name, form.name, written.text);
            }
            forms.insert(form.name);
        }
    }
    assert_eq!(forms.len(), FORMS.len());
}
