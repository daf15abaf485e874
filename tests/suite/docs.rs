//! The documents of the repository agree with the code.

mod links;

use std::fs;
use std::path::Path;

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

/// The module table of CONTRIBUTING equals the first lines of the modules.
#[test]
fn module_map_matches_module_documentation() {
    let contributing = read("CONTRIBUTING.md");
    let rows = contributing.lines().filter_map(|line| {
        let (path, contents) = line.strip_prefix("| `src/")?.split_once("` | ")?;
        Some((format!("src/{path}"), contents.trim_end_matches('|').trim().to_owned()))
    });
    let rows: Vec<(String, String)> = rows.collect();
    assert!(rows.len() > 15, "{rows:?}");
    for (path, contents) in rows {
        assert_eq!(first_line(&path), contents, "{path}");
    }
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
