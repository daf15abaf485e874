//! The documents of the repository agree with the code.

mod links;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the first sentence of a module's documentation, without the link syntax of rustdoc.
fn first_line(path: &str) -> String {
    let source = read(path);
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let paragraph: Vec<&str> = lines.map(str::trim).take_while(|line| !line.is_empty()).collect();
    let paragraph = paragraph.join(" ");
    let end = paragraph.find(". ").unwrap_or(paragraph.len());
    let line = paragraph[..end].trim_end_matches('.');
    line.replace("[`", "`").replace("`]", "`")
}

/// The first line of a file says what is in it: rustdoc lists it.
#[test]
fn every_file_begins_with_its_documentation() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let packages =
        ["", "crates/inline", "crates/diff", "crates/interp", "crates/lsp", "crates/cli"];
    let mut folders: Vec<PathBuf> = packages.map(|package| root.join(package).join("src")).into();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let line = first_line(&path.to_string_lossy());
                assert!(!line.is_empty(), "{}", path.display());
            }
        }
    }
}

/// What a contributor reads first is short.
#[test]
fn the_guide_for_contributors_is_at_most_8_kib() {
    assert!(read("CONTRIBUTING.md").len() <= 8 << 10);
}

/// docs.rs builds the documentation from the package. A document that is not in it is for readers of the
/// repository.
#[test]
fn the_package_contains_the_documents_that_it_includes() {
    let documents = |path: &str, before: &str| -> BTreeSet<String> {
        let source = read(path);
        let found = source.split(before).skip(1).filter_map(|rest| rest.split('"').next());
        found.map(String::from).collect()
    };
    let packaged = documents("Cargo.toml", "\"/docs/");
    assert_eq!(packaged, documents("src/docs.rs", "include_str!(\"../docs/"));
    assert!(packaged.contains("format.md"), "{packaged:?}");
}

/// A tag can move to another commit.
#[test]
fn workflows_use_actions_by_commit_and_keep_no_credentials() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/workflows");
    let files = fs::read_dir(folder).expect("the workflows").flatten();
    let mut workflows: Vec<String> =
        files.map(|file| fs::read_to_string(file.path()).expect("a workflow")).collect();
    workflows.push(read("action.yml"));
    let mut count = 0;
    for workflow in &workflows {
        for line in workflow.lines() {
            let Some((_, action)) = line.split_once("uses: ") else { continue };
            let Some((_, version)) = action.split_once('@') else {
                assert!(action.starts_with("./"), "{line}");
                continue;
            };
            let (commit, comment) = version.split_once(" # v").expect("a commit and its version");
            assert!(commit.len() == 40 && commit.chars().all(|c| c.is_ascii_hexdigit()), "{line}");
            assert!(comment.starts_with(|c: char| c.is_ascii_digit()), "{line}");
            count += 1;
        }
        let checkouts = workflow.matches("actions/checkout@").count();
        assert_eq!(workflow.matches("persist-credentials: false").count(), checkouts);
    }
    assert!(count > 15, "{count}");
}

/// Every file begins with a module comment.
#[test]
fn every_file_begins_with_a_description() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let source = fs::read_to_string(&path).expect("UTF-8");
                let is_front_page = path.ends_with("src/lib.rs");
                assert!(is_front_page || source.starts_with("//! "), "{}", path.display());
            }
        }
    }
}
