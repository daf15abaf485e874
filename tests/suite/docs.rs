//! The documents of the repository agree with the code.

mod links;

use genvisa_test_support::repository;
use std::collections::BTreeSet;
use std::fs;

fn read(path: &str) -> String {
    let path = repository(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
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
    let mut included = documents("src/docs.rs", "include_str!(\"../docs/");
    included.extend(documents("src/isa/table.rs", "#[page = \"../../docs/"));
    assert_eq!(packaged, included);
    assert!(packaged.contains("format.md"), "{packaged:?}");
}

/// A tag can move to another commit.
#[test]
fn workflows_use_actions_by_commit_and_keep_no_credentials() {
    let folder = repository(".github/workflows");
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

/// The first line of a file says what is in it: rustdoc lists it.
#[test]
fn every_file_begins_with_its_documentation() {
    let root = repository("");
    let packages = fs::read_dir(root.join("crates")).expect("the packages").flatten();
    let folders = packages.map(|package| package.path().join("src"));
    // Other languages have other folders.
    let mut folders: Vec<_> = folders.filter(|folder| folder.exists()).collect();
    folders.push(root.join("src"));
    assert!(folders.len() > 7, "{folders:?}");
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let source = fs::read_to_string(&path).expect("UTF-8");
                assert!(source.starts_with("//! "), "{}", path.display());
            }
        }
    }
}
