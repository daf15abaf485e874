//! The page that `genvisa report` writes: its data, and what hostile files can do to it.
//! `crates/cli/tests/browser` tests the page in a browser.

use std::fs;
use std::path::Path;
use std::process::Output;

use genvisa_test_support::corpus;
use serde_json::Value;

const COLLATZ: &str = "tests/data/collatz.visaasm";
const CHANGED: &str = "tests/data/collatz-2.visaasm";

fn run(args: &[&str]) -> Output {
    crate::tool().args(args).output().expect("the tool runs")
}

fn stdout(args: &[&str]) -> String {
    String::from_utf8(run(args).stdout).expect("UTF-8")
}

fn page(files: &[&str]) -> String {
    stdout(&[&["report", "-q", "-o", "-"], files].concat())
}

/// Returns the JSON in an element of a page.
fn json(page: &str, id: &str) -> Value {
    let start = format!("<script type=\"application/json\" id=\"{id}\">");
    let text = &page[page.find(&start).expect("the element") + start.len()..];
    serde_json::from_str(&text[..text.find("</script>").expect("an end")]).expect("JSON")
}

fn printed(args: &[&str]) -> Vec<Value> {
    serde_json::from_str(&stdout(args)).expect("JSON")
}

/// The page contains what the commands print.
#[test]
fn pages_have_the_data_of_the_commands() {
    let mut files = vec![COLLATZ.to_owned(), "tests/data/tour.isa".into()];
    let of_corpus = corpus::files()
        .into_iter()
        .filter(|path| path.metadata().is_ok_and(|it| it.len() < 40_000));
    files.extend(of_corpus.take(5).map(|path| path.to_str().expect("UTF-8").to_owned()));
    for file in &files {
        let page = page(&[file]);
        let (stats, cfg) =
            (printed(&["stats", "--json", file]), printed(&["cfg", "--format", "json", file]));
        let routines = json(&page, "data")["routines"].as_array().expect("a list").len();
        assert_eq!((routines, routines), (stats.len(), cfg.len()), "{file}");
        for (index, (stats, cfg)) in stats.iter().zip(&cfg).enumerate() {
            let routine = json(&page, &format!("routine-{index}"));
            assert_eq!(routine["a"]["stats"], *stats, "{file}");
            assert_eq!(routine["a"]["cfg"], *cfg, "{file}");
            assert_eq!((&routine["b"], &routine["diff"]), (&Value::Null, &Value::Null), "{file}");
            let total = |row: &&Value| row[0] == "totals" && row[1] == "instructions";
            let row = routine["statistics"].as_array().expect("rows").iter().find(total);
            assert_eq!(row.expect("a row")[2], stats["totals"]["instructions"], "{file}");
        }
    }
}

#[test]
fn pages_of_two_files_have_the_differences() {
    let page = page(&[COLLATZ, CHANGED]);
    let routine = json(&page, "routine-0");
    let mut diff = printed(&["diff", "--json", "-U", "0", COLLATZ, CHANGED]).remove(0);
    let changed = diff["statistics"].take();
    diff["statistics"] = Value::Array(Vec::new());
    assert_eq!(routine["diff"], diff);
    let rows = routine["statistics"].as_array().expect("rows");
    let differs = |row: &&Value| row[2] != row[3];
    let list = |it: &Value| serde_json::json!([it["section"], it["name"], it["a"], it["b"]]);
    let expected: Vec<Value> = changed.as_array().expect("changes").iter().map(list).collect();
    assert_eq!(rows.iter().filter(differs).cloned().collect::<Vec<_>>(), expected);
    for (side, file) in [("a", COLLATZ), ("b", CHANGED)] {
        assert_eq!(routine[side]["cfg"], printed(&["cfg", "--format", "json", file])[0]);
    }
    assert_eq!(json(&page, "data")["routines"][0]["is_equal"], false);
    assert_eq!(json(&self::page(&[COLLATZ, COLLATZ]), "data")["routines"][0]["is_equal"], true);
}

/// Names of routines, labels, variables and files cannot end the element that contains the data.
#[test]
fn names_cannot_add_elements() {
    const NAME: &str = "</script><script>alert(1)</script><!--'&{{data}}{{script}}\u{2028}";
    let folder = tempfile::tempdir().expect("a folder");
    let text = fs::read_to_string(crate::repository(COLLATZ)).expect("a file");
    let write = |file: &str, name: &str, replacement: &str| {
        let path = folder.path().join(file);
        fs::write(&path, text.replace(name, replacement)).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    };
    let hostile =
        write("<!--<script>{{data}}&'\u{2028}.visaasm", "\"collatz\"", &format!("\"{NAME}\""));
    let plain = write("plain.visaasm", "\"collatz\"", "\"plain\"");
    for (hostile, plain) in
        [(vec![&*hostile], vec![&*plain]), (vec![&hostile, &plain], vec![&plain, &plain])]
    {
        let (hostile, plain) = (page(&hostile), page(&plain));
        for markup in ["<", ">", "<script", "</script", "<!--", "</title"] {
            assert_eq!(hostile.matches(markup).count(), plain.matches(markup).count(), "{markup}");
        }
        // The script contains a control character in a string.
        let (data, _) = hostile.split_once("<script>'use strict'").expect("the script");
        assert!(!data.contains(|c: char| c.is_control() && c != '\n'));
        assert!(
            !hostile[hostile.find("id=\"data\"").expect("data")..]
                .contains(['\u{2028}', '\u{2029}'])
        );
        let name = &json(&hostile, "data")["routines"][0]["name"];
        assert!(name.as_str().expect("a name").starts_with("</script><script>"), "{name}");
    }
}

#[test]
fn policy_allows_nothing_from_elsewhere() {
    let page = page(&[COLLATZ, CHANGED]);
    let policy = page.split("Content-Security-Policy\" content=\"").nth(1).expect("a policy");
    let policy = &policy[..policy.find('"').expect("an end")];
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
    // The name space of SVG is not loaded, and the arrow is part of the page.
    let page = page.replace("http://www.w3.org/2000/svg", "").replace("url(#arrow)", "");
    for reference in ["http:", "https:", "src=", "@import", "url(", "sourceMappingURL"] {
        assert!(!page.contains(reference), "{reference}");
    }
    // The licence of the layout requires it.
    assert!(page.contains("Copyright (c) 2012-2014 Chris Pettitt"));
}

#[test]
fn routines_with_errors_are_on_the_page() {
    let output = run(&["report", "tests/data/wrong/one-of-three.visaasm", "-o", "-"]);
    assert_eq!(output.status.code(), Some(1));
    let data = json(&String::from_utf8(output.stdout).expect("UTF-8"), "data");
    let errors = data["errors"].as_array().expect("a list");
    assert!(
        errors[0].as_str().expect("a message").ends_with("kernel broken: it has errors"),
        "{errors:?}"
    );
    assert_eq!(errors.len(), 2);
    let routines = data["routines"].as_array().expect("a list");
    assert_eq!(routines.iter().map(|it| &it["name"]).collect::<Vec<_>>(), ["good"]);
}

#[test]
fn pages_are_written_to_files_but_not_to_inputs() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let text = fs::read(crate::repository(COLLATZ)).expect("a file");
    for name in ["a", "b"] {
        fs::write(path(name), &text).expect("a file");
        let output = run(&["report", &path("a"), &path("b"), "-o", &path(name)]);
        assert_eq!(output.status.code(), Some(2));
    }
    assert_eq!(
        [fs::read(path("a")).expect("A"), fs::read(path("b")).expect("B")],
        [&*text, &*text]
    );
    assert_eq!(run(&["report", &path("a"), "-o", &path("")]).status.code(), Some(1));
    for args in [
        &["report", "nowhere.isa", "-o"][..],
        &["report", COLLATZ, "nowhere.isa", "-o"],
        &["report", COLLATZ, "--routine", "x", "-o"],
    ] {
        let output = run(&[args, &[&path("page")]].concat());
        assert_eq!(output.status.code(), Some(1));
        assert!(!Path::new(&path("page")).exists(), "{args:?}");
    }
    assert!(run(&["report", &path("a"), "-o", &path("page")]).status.success());
    let written = fs::read_to_string(path("page")).expect("a page");
    assert!(written == page(&[&path("a")]) && written.ends_with("</html>\n"));
}
