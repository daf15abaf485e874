//! Standard output and standard error that are full or closed.

use std::process::{Command, Output, Stdio};
use std::thread;

use crate::commands::CASES;

/// Returns a call of each command that prints something.
fn calls() -> Vec<Vec<String>> {
    let of_files = CASES.iter().filter_map(|case| {
        let (file, args) = case.inputs.first()?;
        // It prints differences only.
        let other: &[&str] = &["{}", "tests/data/collatz-2.visaasm"];
        let args = if case.command == "diff" { other } else { args };
        let args = args.iter().map(|arg| arg.replace("{}", file));
        Some([case.command.to_owned()].into_iter().chain(args).collect())
    });
    let others = ["completions bash", "man", "schema", "verify --list", "dis --help", "--version"];
    let others = others.map(|call| call.split(' ').map(String::from).collect());
    of_files.chain(others).collect()
}

/// Runs the tool with redirections of the shell, such as `>&-`.
fn run(call: &[String], redirections: &str) -> Output {
    let script = format!("exec \"$0\" \"$@\" {redirections}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_genvisa")]).args(call);
    shell.current_dir(crate::repository("")).stdin(Stdio::null()).output().expect("a shell")
}

/// Runs the tool with a pipe without a reader as standard output.
fn run_with_closed_pipe(call: &[String]) -> Output {
    // The standard input of a program that has ended.
    let mut ended = Command::new("true").stdin(Stdio::piped()).spawn().expect("a program");
    let writer = ended.stdin.take().expect("its input");
    ended.wait().expect("it ends");
    let mut tool = crate::tool();
    tool.args(call).stdin(Stdio::null()).stdout(writer).stderr(Stdio::piped());
    tool.output().expect("the tool runs")
}

/// Returns the exit code and the errors.
fn result_of(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn all_commands_report_that_their_output_is_lost() {
    let check = |call: Vec<String>| {
        let context = call.join(" ");
        let usual = run(&call, "");
        let code = usual.status.code();
        assert!(!usual.stdout.is_empty() && usual.stderr.is_empty(), "{context}: {usual:?}");
        // `diff` finds differences.
        assert_eq!(code, Some(i32::from(call[0] == "diff")), "{context}");
        for redirection in ["2>&-", "2>/dev/full"] {
            let output = run(&call, redirection);
            assert_eq!((output.status.code(), &output.stdout), (code, &usual.stdout), "{context}");
        }
        // Only the exit code tells.
        let silent = run(&call, ">/dev/full 2>&-");
        assert_eq!(silent.status.code(), Some(1), "{context}");
        let full =
            "genvisa: cannot write to standard output: No space left on device (os error 28)\n";
        assert_eq!(result_of(&run(&call, ">/dev/full")), (Some(1), full.into()), "{context}");
        // As in `genvisa ... | head`.
        let unread = result_of(&run_with_closed_pipe(&call));
        assert_eq!(unread, (code, String::new()), "{context}");
    };
    thread::scope(|scope| {
        for call in calls() {
            scope.spawn(move || check(call));
        }
    });
}

/// A pipe that is an output file must be read to its end.
#[test]
fn a_pipe_as_output_file_is_read_to_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    // `head` reads less than the page of a report.
    let script = "mkfifo pipe; head -c 1 pipe > /dev/null & exec \"$0\" report \"$1\" -o pipe";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_genvisa")])
        .arg(crate::repository("tests/data/collatz.visaasm"))
        .current_dir(folder.path())
        .output()
        .expect("a shell");
    let errors = String::from_utf8_lossy(&output.stderr);
    let expected = "genvisa: cannot write `pipe`: Broken pipe (os error 32)\n";
    assert_eq!((output.status.code(), &*errors), (Some(1), expected));
}

/// The server ends when its client closes the pipe.
#[test]
fn the_language_server_ends_with_its_client() {
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
    let request = format!("Content-Length: {}\r\n\r\n{request}", request.len());
    for (redirection, code) in [("> /dev/full", 1), ("| head -c 1 > /dev/null", 0)] {
        let script = format!("printf '%s' \"$1\" | \"$0\" lsp {redirection}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_genvisa"), &request]);
        let output = shell.output().expect("a shell");
        assert_eq!(output.status.code(), Some(code), "{redirection}: {output:?}");
    }
}
