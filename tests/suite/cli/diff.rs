//! `diff`: folders, and files with errors.

use std::process::Command;

use super::{file_with_broken_kernel, run};

#[test]
fn diff_reports_every_file_that_only_one_folder_has() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for path in ["a", "b"] {
        std::fs::create_dir(folder.path().join(path)).expect("a folder");
    }
    let path = |name: &str| folder.path().join(name).display().to_string();
    let diff = || run(&["diff", &path("a"), &path("b")], b"");
    let output = diff();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("contain no .isa or .visaasm files"));
    for (from, to) in [("plain.visaasm", "b/k.visaasm"), ("tour.isa", "b/k.isa")] {
        let copied = std::fs::copy(format!("tests/data/{from}"), folder.path().join(to));
        copied.expect("a file of the repository");
    }
    let output = diff();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    let names: Vec<&str> = text.lines().filter_map(|line| line.rsplit(' ').next()).collect();
    assert_eq!(names, ["k.isa", "k.visaasm"]);
}

#[test]
fn diff_compares_the_other_kernels_of_a_file_with_a_broken_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("broken.isa");
    std::fs::write(&path, file_with_broken_kernel()).expect("a writable folder");
    let tour = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tour.isa");
    let output = Command::new(env!("CARGO_BIN_EXE_genvisa"))
        .args(["diff", "-U0"])
        .args([&path, &path])
        .output()
        .expect("the tool runs");
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(errors.matches("retired").count(), 1, "{errors}");
    assert!(output.stdout.is_empty(), "the other kernel is equal");
    // A kernel that only one file has is not decoded.
    let output = Command::new(env!("CARGO_BIN_EXE_genvisa"))
        .args(["diff", tour])
        .arg(&path)
        .output()
        .expect("the tool runs");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("Only in") && text.ends_with(": kernel broken\n"), "{text}");
}
