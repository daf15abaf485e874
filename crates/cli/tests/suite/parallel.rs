//! Several threads: the output is the same as with one.

use std::fs;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::{file_with_broken_kernel, text_of};

/// More than a few threads read at a time.
const COPIES: usize = 16;

fn tool(folder: &Path, threads: usize, args: &[&str]) -> Command {
    let mut tool = crate::tool();
    tool.current_dir(folder).args(args).env("GENVISA_THREADS", threads.to_string());
    tool.stdin(Stdio::null());
    tool
}

/// Runs the tool in a folder with a number of threads. Returns the exit code, and standard output and
/// standard error in their order.
fn run(folder: &Path, threads: usize, args: &[&str]) -> (Option<i32>, String) {
    let mut both = tempfile::tempfile().expect("a file");
    let copy = || both.try_clone().expect("a file");
    let mut tool = tool(folder, threads, args);
    let status = tool.stdout(copy()).stderr(copy()).status().expect("the tool runs");
    let mut text = String::new();
    both.rewind().and_then(|()| both.read_to_string(&mut text)).expect("UTF-8");
    (status.code(), text)
}

/// Checks that the tool prints the same with several threads as with one. Returns its output.
#[track_caller]
fn check(folder: &Path, args: &[&str]) -> Output {
    let expected = run(folder, 1, args);
    for threads in [2, 8] {
        assert_eq!(run(folder, threads, args), expected, "{args:?}");
    }
    let output = tool(folder, 8, args).output().expect("the tool runs");
    assert_eq!(output.status.code(), expected.0, "{args:?}");
    output
}

/// Writes files of all kinds to a folder: correct ones, and those with findings and errors. Files
/// differ in size, so that later ones are ready before earlier ones.
fn write_files(folder: &Path, is_changed: bool) {
    fs::create_dir_all(folder).expect("a folder");
    let file = |name: &str| fs::read(crate::repository("tests/data").join(name)).expect("a file");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("a file");
    let mut truncated = file("tour.isa");
    truncated.truncate(300);
    let large = |instruction: &str| {
        let kernels: Vec<String> = (0..60).map(|number| format!("k{number}")).collect();
        let routines: Vec<_> =
            kernels.iter().map(|name| ("kernel", &name[..], instruction)).collect();
        text_of(&routines).into_bytes()
    };
    let instruction = if is_changed { "fret (M1, 1)" } else { "ret (M1, 1)" };
    for copy in 0..COPIES {
        let number = format!("{copy:02}");
        match copy % 8 {
            0 => write(&format!("{number}.visaasm"), &large(instruction)),
            1 => write(&format!("{number}.isa"), &file("tour.isa")),
            2 => write(&format!("{number}.visaasm"), &file("illegal.visaasm")),
            3 => write(&format!("{number}.isa"), &truncated),
            4 => write(&format!("{number}.visaasm"), &file("wrong/one-of-three.visaasm")),
            5 => write(&format!("{number}.isa"), &file_with_broken_kernel()),
            6 if is_changed => write(&format!("{number}.visaasm"), &file("collatz-2.visaasm")),
            6 => write(&format!("{number}.visaasm"), &file("collatz.visaasm")),
            _ if is_changed => write(&format!("{number}-b.isa"), &file("tour.isa")),
            _ => write(&format!("{number}-a.isa"), b"CISA"),
        }
        for name in ["inline/mistakes.cl", "inline/scale.ll", "inline/lanes.ll", "inline/scale.spv"]
        {
            let (_, base) = name.split_once('/').expect("a folder");
            write(&format!("{number}-{base}"), &file(name));
        }
        // Not UTF-8, not complete, and without a known language.
        write(&format!("{number}-broken.spv"), &file("inline/scale.spv")[..100]);
        write(&format!("{number}.unknown"), b"?");
    }
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    write_files(&folder.path().join("a"), false);
    write_files(&folder.path().join("b"), true);
    let with_others = ["nowhere.isa", "a", "nowhere.cl", "b/00.unknown", "b", "a/05.isa!1"];
    for command in [
        &["verify"][..],
        &["verify", "--group", "igc,manual"],
        &["verify", "--json"],
        &["verify", "--format", "sarif"],
        &["verify", "--quiet"],
        &["stats"],
        &["stats", "--json"],
        &["info"],
        &["roundtrip"],
        &["roundtrip", "--json"],
        &["roundtrip", "--quiet"],
        &["check", "--operand", "9=float"],
        &["check", "--verbose", "--operand", "0=float"],
        &["check", "--json"],
        &["check", "--format", "sarif"],
        &["diff"],
        &["diff", "--json"],
        &["diff", "-U0", "--no-stats", "--quiet"],
        &["diff", "--color", "always"],
    ] {
        let inputs = if command[0] == "diff" { &["a", "b"][..] } else { &with_others };
        let args = [command, inputs].concat();
        let output = check(folder.path(), &args);
        let is_quiet = command.contains(&"--quiet");
        assert_eq!(output.stdout.is_empty(), is_quiet, "{args:?} prints nothing");
        assert!(!output.stderr.is_empty(), "{args:?} reports no errors");
    }
}

#[test]
fn the_numbers_of_folders_do_not_depend_on_the_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    write_files(&folder.path().join("a"), false);
    write_files(&folder.path().join("b"), true);
    let output = check(folder.path(), &["stats", "a", "b"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("compared; the numbers of"));
}

/// The routines of large files are compared in several threads, and both files read at once.
#[test]
fn large_files_are_compared_as_with_one_thread() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = |instruction: &str, wrong: usize| {
        let comment = format!("// {}\n", "x".repeat(2000));
        let kernels = (0..400).map(|number| {
            let instruction = match number {
                _ if number == wrong => "mov (M1, 16)",
                _ if number % 3 == 0 => instruction,
                _ => "ret (M1, 1)",
            };
            comment.clone() + &text_of(&[("kernel", &format!("k{number}"), instruction)])
        });
        kernels.collect::<String>()
    };
    fs::write(folder.path().join("a"), text("ret (M1, 1)", 7)).expect("a file");
    fs::write(folder.path().join("b"), text("fret (M1, 1)", 8)).expect("a file");
    for args in [&["diff", "a", "b"][..], &["diff", "--json", "a", "b"], &["diff", "a", "a"]] {
        let output = check(folder.path(), args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains("kernel k7 has errors and is not compared"), "{errors}");
    }
    let page = check(folder.path(), &["report", "a", "b", "-o", "-"]);
    assert!(String::from_utf8_lossy(&page.stdout).contains("k399"));
}

/// Standard input has its place among files. If there are two paths of it, the second is empty.
#[test]
#[cfg(target_os = "linux")]
fn standard_input_is_read_in_order() {
    let tour = "tests/data/tour.isa";
    for args in [&["verify", tour, "-", tour][..], &["verify", "-", tour, "/dev/stdin"]] {
        let outputs = ["1", "8"].map(|threads| {
            let mut tool = Command::new("sh");
            tool.args(["-c", "cat tests/data/illegal.visaasm | \"$@\"", "sh"]);
            tool.arg(env!("CARGO_BIN_EXE_genvisa")).args(args).env("GENVISA_THREADS", threads);
            tool.current_dir(crate::repository(""));
            tool.output().expect("a shell")
        });
        assert_eq!(outputs[0], outputs[1], "{args:?}");
        assert!(!outputs[0].stdout.is_empty(), "{args:?}: {outputs:?}");
    }
}

/// As in `genvisa verify FOLDER | head -1`.
#[test]
fn a_closed_pipe_ends_all_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = fs::read(crate::repository("tests/data/illegal.visaasm"))
        .expect("a file of the repository");
    // Much more output than a pipe takes.
    for number in 0..400 {
        fs::write(folder.path().join(format!("{number}.visaasm")), &text).expect("a file");
    }
    let mut tool = crate::tool();
    tool.arg("verify").arg(folder.path()).env("GENVISA_THREADS", "4");
    let mut child =
        tool.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the tool runs");
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
    stdout.read_line(&mut line).expect("a line");
    drop(stdout);
    let output = child.wait_with_output().expect("the tool ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "a finding is an error: {errors}");
    assert_eq!(errors, "");
}
