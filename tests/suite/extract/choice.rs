//! Commands that read an object in another file.

use std::fs;
use std::path::{Path, PathBuf};

use super::{object, stderr, tool};

/// Writes a file with the objects `a`, `b`, `b` and `c`. The second `b` is the same as the first.
fn library(folder: &Path) -> PathBuf {
    let path = folder.join("lib.so");
    let objects = ["a", "b", "b", "c"].map(object);
    fs::write(&path, [b"\0".as_slice(), &objects.concat()].concat()).expect("a file");
    path
}

fn with(path: &Path, choice: &str) -> PathBuf {
    format!("{}!{choice}", path.display()).into()
}

/// Returns what a command prints about a file.
fn print(args: &[&str], path: &Path) -> String {
    let output = tool(args, path);
    assert!(output.status.success(), "{}", stderr(&output));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn by_number_routine_or_option() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = library(folder.path());
    let kernel = |name: &str| format!(".kernel \"{name}\"");
    for (args, choice, name) in [
        (&["dis"][..], "1", "a"),
        (&["dis"], "c", "c"),
        // The two have the same bytes.
        (&["dis"], "b", "b"),
        (&["dis", "--routine", "a"], "", "a"),
        (&["dis", "--kernel", "c"], "", "c"),
    ] {
        let path = if choice.is_empty() { path.clone() } else { with(&path, choice) };
        let text = print(args, &path);
        assert!(text.contains(&kernel(name)), "{args:?} {choice}: {text}");
        assert_eq!(text.matches(".kernel \"").count(), 1, "{text}");
    }
    assert!(print(&["info"], &with(&path, "4")).contains("kernel c"));
    assert!(print(&["explain", "--routine", "c"], &path).contains("kernel `c`"));
    assert!(print(&["cfg", "--routine", "c"], &path).contains("digraph"));
}

#[test]
fn all_for_commands_with_many_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = library(folder.path());
    assert!(
        print(&["roundtrip"], &path)
            .ends_with("4 files, 4 routines, 56 instructions, 0 mismatches\n")
    );
    let stats = print(&["stats"], &path);
    assert_eq!(stats.lines().count(), 5, "{stats}");
    assert!(stats.contains("lib.so!4: c"), "{stats}");
    assert_eq!(print(&["verify"], &path), "");
    let stats = print(&["stats", "--routine", "c"], &path);
    assert!(stats.contains("kernel c"), "{stats}");
}

#[test]
fn errors_name_the_choices() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = library(folder.path());
    for (args, choice, expected) in [
        (&["dis"][..], "", "contains 4 objects"),
        (&["dis"], "5", "contains no object or routine `5`"),
        (&["dis"], "nope", "contains no object or routine `nope`"),
        (&["dis", "--routine", "nope"], "", "contains no object or routine `nope`"),
    ] {
        let path = if choice.is_empty() { path.clone() } else { with(&path, choice) };
        let output = tool(args, &path);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
    let missing = folder.path().join("missing!1");
    assert!(stderr(&tool(&["dis"], &missing)).contains("cannot read"));
}

/// A file whose name contains `!` is a file.
#[test]
fn names_with_the_separator() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kernel!2");
    fs::write(&path, object("k")).expect("a file");
    assert!(print(&["dis"], &path).contains(".kernel \"k\""));
}

#[test]
fn the_file_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = library(folder.path());
    let before = fs::read(&path).expect("a file");
    let output = tool(&["dis", with(&path, "1").to_str().expect("UTF-8"), "-o"], &path);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(fs::read(&path).expect("a file"), before);
}
