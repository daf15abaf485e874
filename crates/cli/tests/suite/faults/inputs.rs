//! Inputs that are missing or unreadable, or that change while they are read.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::strace;
use crate::commands::CASES;

/// A command that reads a file.
struct Reader {
    name: &'static str,
    /// The file of the repository that it reads.
    file: &'static str,
    /// The arguments, with `{}` for the file.
    args: Vec<&'static str>,
}

fn readers() -> Vec<Reader> {
    let readers = CASES.iter().filter_map(|case| {
        let (file, args) = case.inputs.first()?;
        Some(Reader { name: case.command, file, args: [&[case.command], *args].concat() })
    });
    readers.collect()
}

impl Reader {
    /// Returns the tool, which reads this file instead, and the program that runs it.
    fn command(&self, program: &[String], file: &Path) -> Command {
        let tool = env!("CARGO_BIN_EXE_genvisa").to_owned();
        let args = self.args.iter().map(|arg| arg.replace("{}", &file.to_string_lossy()));
        let line: Vec<String> = program.iter().cloned().chain([tool]).chain(args).collect();
        let mut command = Command::new(&line[0]);
        command.args(&line[1..]).current_dir(crate::repository(""));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn output(&self, program: &[String], file: &Path) -> Output {
        self.command(program, file).output().expect("the tool runs")
    }

    /// Checks that an error names the file and the reason.
    #[track_caller]
    fn check(&self, output: &Output, file: &Path, reason: &str) {
        let errors = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code().expect("an exit code");
        let start = format!("genvisa: cannot read `{}`: {reason}", file.display());
        let is_named = errors.lines().any(|line| line.starts_with(&start));
        assert!(is_named, "{}: {reason}: {:?}: {errors}", self.name, output.status);
        let is_two = ["check", "diff", "equiv"].contains(&self.name);
        assert_eq!(code, 1 + i32::from(is_two), "{}", self.name);
    }
}

/// Changes the file after its contents were read, while the tool is stopped.
fn changes(reader: &Reader, file: &Path, change: impl FnOnce(&Path)) -> Output {
    let log = file.with_extension("log");
    // These read the start of the file first, up to its end.
    let when = if ["equiv", "run"].contains(&reader.name) { 3 } else { 1 };
    let inject = format!("inject=read:signal=SIGSTOP:when={when}");
    let (path, to) = (file.to_string_lossy(), log.to_string_lossy());
    let options = ["-P", &*path, "-e", "trace=read", "-e", &inject, "-o", &*to];
    let strace = reader.command(&strace::program(&options), file).spawn().expect("strace runs");
    let stopped = wait_for(&log, "--- stopped by SIGSTOP ---");
    change(file);
    // Lines begin with the id of the process.
    let tool = stopped.split(' ').next().expect("an id");
    let kill = Command::new("kill").args(["-CONT", tool]).status().expect("kill runs");
    assert!(kill.success());
    let output = strace.wait_with_output().expect("the tool ends");
    // The next program waits for its own.
    fs::remove_file(&log).expect("the log");
    output
}

/// Waits until a file contains a line with a text, and returns the line.
fn wait_for(file: &Path, text: &str) -> String {
    let start = Instant::now();
    loop {
        let contents = fs::read_to_string(file).unwrap_or_default();
        if let Some(line) = contents.lines().find(|line| line.contains(text)) {
            return line.into();
        }
        assert!(start.elapsed() < Duration::from_secs(60), "the tool does not read its input");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Calls a function for each reader, with a copy of its file.
fn for_each_reader(check: impl Fn(&Reader, &Path) + Sync) {
    thread::scope(|scope| {
        for reader in readers() {
            let check = &check;
            scope.spawn(move || {
                let folder = tempfile::tempdir().expect("a folder");
                let name = Path::new(reader.file).file_name().expect("a name");
                let file = folder.path().join(name);
                fs::copy(crate::repository(reader.file), &file).expect("a copy");
                let usual = reader.output(&[], &file);
                assert!(usual.status.success(), "{}: {usual:?}", reader.name);
                check(&reader, &file);
            });
        }
    });
}

#[test]
fn all_commands_report_inputs_that_are_missing() {
    for_each_reader(|reader, file| {
        fs::remove_file(file).expect("a file");
        reader.check(&reader.output(&[], file), file, "No such file or directory");
    });
}

#[test]
#[ignore = "needs strace"]
fn all_commands_report_inputs_that_cannot_be_read() {
    for_each_reader(|reader, file| {
        let path = &*file.to_string_lossy();
        let options = ["-o", "/dev/null", "-P", path, "-e", "inject=read:error=EIO"];
        let output = reader.output(&strace::program(&options), file);
        reader.check(&output, file, "Input/output error");
    });
}

#[test]
#[ignore = "needs strace"]
fn all_commands_report_inputs_that_change_while_they_are_read() {
    let open = |file: &Path| fs::OpenOptions::new().append(true).open(file).expect("a file");
    for_each_reader(|reader, file| {
        let output = changes(reader, file, |file| open(file).set_len(16).expect("a shorter file"));
        reader.check(&output, file, "it changed while it was read");
        fs::copy(crate::repository(reader.file), file).expect("a copy");
        let append = |file: &Path| open(file).write_all(b"// more\n").expect("a longer file");
        let output = changes(reader, file, append);
        reader.check(&output, file, "it changed while it was read");
    });
}

/// A kernel runs from a pipe, which can be read only once.
#[test]
fn run_reads_a_pipe_once() {
    let script = "cat \"$1\" | \"$0\" run /dev/stdin --input in=lanes:4:zero:64 \
                  --input out=lanes:4:zero:64 --input limit=9";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_genvisa")])
        .arg(crate::repository("tests/data/collatz.visaasm"))
        .output()
        .expect("a shell");
    assert!(output.status.success(), "{output:?}");
}
