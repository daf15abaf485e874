//! `genvisa fmt`: files that are written, replaced or checked.

use std::fs;
use std::path::Path;

use genvisa_test_support::repository;

use super::{run, run_in};

/// Creates a folder with two texts that are not formatted and one that is.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["dot.visaasm", "plain.visaasm"] {
        fs::copy(repository("tests/data").join(name), folder.path().join(name)).expect("a copy");
    }
    let formatted = run(&["fmt", "tests/data/collatz.visaasm"], b"").stdout;
    fs::write(folder.path().join("collatz.visaasm"), formatted).expect("a file");
    folder
}

fn text(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).expect("a file")
}

/// Prints the formatted text of a file of the repository.
fn formatted(name: &str) -> Vec<u8> {
    run(&["fmt", &format!("tests/data/{name}")], b"").stdout
}

#[test]
fn check_names_the_files_that_in_place_changes() {
    let folder = folder();
    let tool =
        |args: &[&str]| crate::tool().current_dir(&folder).args(args).output().expect("it runs");
    let output = tool(&["fmt", "--check", "."]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "./dot.visaasm\n./plain.visaasm\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "genvisa: 2 files are not formatted\n");
    let before = fs::metadata(folder.path().join("collatz.visaasm")).expect("a file");
    assert_eq!(run_in(folder.path(), &["fmt", "--in-place", "."]), (Some(0), String::new()));
    for name in ["dot.visaasm", "plain.visaasm"] {
        assert_eq!(text(folder.path(), name), formatted(name), "{name}");
    }
    let after = fs::metadata(folder.path().join("collatz.visaasm")).expect("a file");
    assert_eq!(before.modified().ok(), after.modified().ok(), "what is formatted is not written");
    let output = tool(&["fmt", "--check", "."]);
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(0), &b""[..]));
}

#[test]
fn no_file_is_changed_if_a_text_has_errors() {
    let folder = folder();
    fs::write(folder.path().join("wrong.visaasm"), ".version 4.2\n.kernel \"k\"\n    mov\n")
        .expect("a file");
    let before = text(folder.path(), "dot.visaasm");
    let (code, errors) = run_in(folder.path(), &["fmt", "--in-place", "."]);
    assert_eq!(code, Some(1));
    assert!(errors.ends_with("genvisa: no file was changed\n"), "{errors}");
    assert!(errors.contains("wrong.visaasm:3:"), "{errors}");
    assert_eq!(text(folder.path(), "dot.visaasm"), before);
    let left = fs::read_dir(&folder).expect("the folder").count();
    assert_eq!(left, 4, "no temporary file remains");
}

#[test]
fn an_output_file_is_not_overwritten_without_force() {
    let folder = folder();
    let result = |args: &[&str]| run_in(folder.path(), &[&["fmt"], args].concat());
    assert_eq!(result(&["dot.visaasm", "-o", "new"]), (Some(0), String::new()));
    assert_eq!(text(folder.path(), "new"), formatted("dot.visaasm"));
    // The same contents are no change.
    assert_eq!(result(&["dot.visaasm", "-o", "new"]).0, Some(0));
    let (code, errors) = result(&["plain.visaasm", "-o", "new"]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("`new` exists with different contents"), "{errors}");
    assert_eq!(result(&["plain.visaasm", "-o", "new", "--force"]).0, Some(0));
    assert_eq!(text(folder.path(), "new"), formatted("plain.visaasm"));
    for (args, code, expected) in [
        (&["dot.visaasm", "-o", "dot.visaasm"][..], 2, "is also an input"),
        (&["--in-place", "-"], 2, "--in-place needs a file, which `-` is not"),
        (&["--in-place", "dot.visaasm!1"], 2, "--in-place needs a file"),
        (&["--in-place", "--check", "dot.visaasm"], 2, "cannot be used with"),
        (&["--force", "dot.visaasm"], 2, "required"),
        (&["--check", "nowhere.visaasm"], 1, "cannot read `nowhere.visaasm`"),
        (&["."], 1, "is a folder"),
    ] {
        let (found, errors) = result(args);
        assert_eq!(found, Some(code), "{args:?}: {errors}");
        assert!(errors.contains(expected), "{args:?}: {errors}");
    }
}

/// A link stays a link.
#[test]
#[cfg(unix)]
fn in_place_follows_links() {
    let folder = folder();
    let link = folder.path().join("link.visaasm");
    std::os::unix::fs::symlink("dot.visaasm", &link).expect("a link");
    assert_eq!(run_in(folder.path(), &["fmt", "--in-place", "link.visaasm"]).0, Some(0));
    assert!(link.is_symlink());
    assert_eq!(text(folder.path(), "dot.visaasm"), formatted("dot.visaasm"));
}
