//! A session of Nvim with the language server.

use std::path::Path;
use std::process::Command;

use genvisa_test_support::corpus;

use super::repository;

/// Runs a session with a text and a C source, and returns its record.
fn session(dump: &Path, source: &Path) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let record = folder.path().join("record");
    let arguments = [Path::new(env!("CARGO_BIN_EXE_genvisa")), dump, source, &record];
    let arguments: Vec<_> = arguments.iter().map(|path| path.to_string_lossy()).collect();
    let output = Command::new("nvim")
        .args(["--headless", "--clean", "-n", "--cmd"])
        .arg(format!("set runtimepath^={}", repository("editors/nvim").display()))
        .args(["-c", "filetype plugin on", "-c", "syntax on", "-c"])
        .arg(format!("luafile {}", repository("crates/cli/tests/nvim/session.lua").display()))
        .env("GENVISA_SESSION", arguments.join("\n"))
        .env("HOME", folder.path())
        .env_remove("XDG_CONFIG_HOME")
        .output()
        .expect("nvim runs");
    let record = std::fs::read_to_string(record).unwrap_or_default();
    let shown = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && record.ends_with("done\n"), "{record}\n{shown}");
    record
}

#[test]
#[ignore = "needs nvim"]
fn nvim_shows_what_the_server_says() {
    // The client knows headers as C++, and would take `.cl` for Lisp.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("mistakes.h");
    std::fs::copy(repository("tests/data/inline/mistakes.cl"), &source).expect("a copy");
    for text in corpus::some_texts() {
        // The client detects the type of the file by its suffix.
        let folder = tempfile::tempdir().expect("a temporary folder");
        let copy = folder.path().join("text.visaasm");
        let mut text = std::fs::read(&text).expect("a text");
        // Nvim adds an empty line to a text whose last line has no end when it is formatted.
        if !text.ends_with(b"\n") {
            text.push(b'\n');
        }
        std::fs::write(&copy, text).expect("a copy");
        println!("{}", session(&copy, &source));
    }
}
