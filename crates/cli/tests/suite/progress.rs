//! The progress on a terminal.

use std::fs;
use std::process::{Command, Stdio};

use super::file_with_two_kernels;

/// Runs a shell command with standard error on a terminal, and returns what it prints there.
fn on_terminal(command: &str) -> String {
    let output = Command::new("script")
        .args(["--quiet", "--return", "--command", command, "/dev/null"])
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .output()
        .expect("it is installed");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
#[ignore = "needs script"]
fn progress_is_shown_only_on_a_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["a.isa", "b.isa"] {
        fs::write(folder.path().join(name), file_with_two_kernels()).expect("a file");
    }
    let (tool, folder) = (env!("CARGO_BIN_EXE_genvisa"), folder.path().display());
    for command in ["roundtrip", "verify", "stats", "extract --list"] {
        let command = format!("{tool} {command} {folder}");
        let shown = on_terminal(&format!("{command} >/dev/null"));
        assert!(shown.contains("/2 ") && shown.contains("b.isa"), "{command}: {shown:?}");
        assert_eq!(on_terminal(&format!("{command} -q >/dev/null")), "", "{command}");
        assert_eq!(on_terminal(&format!("{command} >/dev/null 2>&1")), "", "{command}");
        // A report on the same terminal is not disturbed.
        let report = on_terminal(&format!("{command} 2>/dev/null"));
        let both = on_terminal(&command);
        for line in report.lines() {
            assert!(both.contains(line), "{command}: {both:?}");
        }
    }
}

#[test]
#[ignore = "needs script"]
fn the_time_of_a_large_file_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let tool = env!("CARGO_BIN_EXE_genvisa");
    let text = |lines: usize| {
        let line = "mov (M1, 1) x(0,0)<1> 0x1:d\n";
        let head = ".version 3.6\n.kernel \"k\"\n.decl x v_type=G type=d num_elts=1\n";
        format!("{head}{}ret (M1, 1)\n", line.repeat(lines))
    };
    for (lines, is_shown) in [(10, false), (40_000, true)] {
        let file = folder.path().join(format!("{lines}.visaasm"));
        fs::write(&file, text(lines)).expect("a file");
        let shown = on_terminal(&format!("{tool} verify {} >/dev/null", file.display()));
        assert_eq!(shown.contains("0s "), is_shown, "{shown:?}");
    }
}
