//! The command-line tool, by the transcripts in `tests/cli`.
//!
//! Each file there shows commands and what they print; `TRYCMD=overwrite` rewrites them to what the
//! tool prints now. See `tests/cli/README.md`.

use std::process::{Command, Stdio};

use genvisa::Format;

use crate::{corpus, tour};

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/cli/*.trycmd").case("README.md");
}

#[test]
fn the_tour_is_what_the_example_builds() {
    let built = tour::module(Format::default()).and_then(|module| module.to_bytes());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tour.isa");
    assert_eq!(built, Ok(std::fs::read(path).expect("it is in the repository")));
}

#[test]
fn standard_input_is_a_file_like_any_other() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tour.isa");
    let file = std::fs::File::open(path).expect("it is in the repository");
    let output = Command::new(env!("CARGO_BIN_EXE_genvisa"))
        .args(["roundtrip", "-"])
        .stdin(Stdio::from(file))
        .output()
        .expect("the tool runs");
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.lines().last(), Some("1 files, 1 routines, 14 instructions, 0 mismatches"));
}

#[test]
fn the_corpus_makes_the_round_trip() {
    let files = corpus::files();
    if files.is_empty() {
        return;
    }
    let output = Command::new(env!("CARGO_BIN_EXE_genvisa"))
        .arg("roundtrip")
        .args(&files)
        .output()
        .expect("the tool runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let summary = text.lines().last().expect("a summary");
    assert!(summary.starts_with(&format!("{} files, ", files.len())), "{summary}");
    assert!(summary.ends_with(", 0 mismatches"), "{text}");
    assert!(output.status.success());
    eprintln!("{summary}");
}

/// `genvisa ... | head -1`: no complaint, and no other exit code than otherwise.
#[test]
fn output_that_nobody_reads_is_no_failure() {
    let tour = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tour.isa");
    let cases: [(&[&str], bool); 5] = [
        (&["explain", tour], true),
        (&["info", "--json", tour], true),
        (&["info", tour], true),
        (&["roundtrip", tour], true),
        (&["roundtrip", "nowhere.isa"], false),
    ];
    for (args, fine) in cases {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = Command::new(env!("CARGO_BIN_EXE_genvisa"))
            .args(args)
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .expect("the tool runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.success(), fine, "{args:?}: {said}");
        assert_eq!(said.is_empty(), fine, "{args:?}: {said}");
    }
}
