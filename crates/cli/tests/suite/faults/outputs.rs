//! Commands that write files: after a fault, each file has its old contents or all of the new.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;

use super::end_of;
use super::strace::{self, Injected};

/// A command that writes files to the folder `out`.
pub struct Writer {
    pub name: &'static str,
    pub args: &'static [&'static str],
}

pub const WRITERS: &[Writer] = &[
    Writer { name: "asm -o", args: &["asm", "collatz.visaasm", "-o", "out/a.isa"] },
    Writer { name: "dis -o", args: &["dis", "tour.isa", "-o", "out/a.visaasm", "--force"] },
    Writer { name: "dis --out-dir", args: &["dis", "two.isa", "--out-dir", "out", "--force"] },
    Writer { name: "explain --html", args: &["explain", "tour.isa", "--html", "out/a.html"] },
    Writer { name: "cfg -o", args: &["cfg", "collatz.visaasm", "-o", "out/a.dot"] },
    Writer { name: "report -o", args: &["report", "collatz.visaasm", "-o", "out/a.html"] },
    Writer {
        name: "run --out",
        args: &[
            "run",
            "collatz.visaasm",
            "--input",
            "in=lanes:4:zero:64",
            "--input",
            "limit=9",
            "--input",
            "out=lanes:4:zero:64",
            "--out",
            "in=@out/in",
            "--out",
            "out=@out/out",
        ],
    },
    Writer { name: "extract", args: &["extract", "kernels.c", "-o", "out", "--force"] },
    Writer { name: "pack", args: &["pack", "kernels.c!tour", "tour.isa", "-o", "out/a.c"] },
    Writer { name: "man -o", args: &["man", "-o", "out"] },
];

/// No program that runs the command.
const NOTHING: &[&str] = &[];

/// The old contents of each file.
const OLD: &[u8] = b"old\n";

/// The start of the names of temporary files.
const TEMPORARY: &str = ".genvisa-";

/// A folder with the inputs, and the files that the command will replace.
pub struct Attempt {
    pub folder: tempfile::TempDir,
    /// The files that the command writes, with their contents.
    expected: BTreeMap<String, Vec<u8>>,
}

impl Attempt {
    pub fn new(expected: &BTreeMap<String, Vec<u8>>) -> Attempt {
        let folder = super::super::folder_with_files();
        for name in ["collatz.visaasm", "kernels.c"] {
            let file = crate::repository(&format!("tests/data/{name}"));
            fs::copy(file, folder.path().join(name)).expect("a copy");
        }
        let two = super::super::file_with_two_kernels();
        fs::write(folder.path().join("two.isa"), two).expect("a file");
        fs::create_dir(folder.path().join("out")).expect("a folder");
        for name in expected.keys() {
            fs::write(folder.path().join("out").join(name), OLD).expect("a file");
        }
        Attempt { folder, expected: expected.clone() }
    }

    /// Returns whether the files are `old` or `new`, or `old and new` if only some are, and the number of
    /// temporary files. Fails if a file has other contents.
    #[track_caller]
    pub fn state(&self, context: &str) -> (&'static str, usize) {
        let (mut old, mut new, mut temporary) = (0, 0, 0);
        for (name, bytes) in files(&self.folder.path().join("out")) {
            match self.expected.get(&name) {
                _ if name.starts_with(TEMPORARY) => temporary += 1,
                Some(_) if bytes == OLD => old += 1,
                Some(expected) if bytes == *expected => new += 1,
                Some(_) => panic!("{context}: `{name}` is half written"),
                None => panic!("{context}: `{name}` remains"),
            }
        }
        assert_eq!(old + new, self.expected.len(), "{context}: a file is missing");
        let state = match (old, new) {
            (_, 0) => "old",
            (0, _) => "new",
            _ => "old and new",
        };
        (state, temporary)
    }

    /// Runs a command in the folder.
    pub fn run(&self, program: &[impl AsRef<str>], writer: &Writer) -> Output {
        let program = program.iter().map(AsRef::as_ref).chain([env!("CARGO_BIN_EXE_genvisa")]);
        let line: Vec<&str> = program.chain(writer.args.iter().copied()).collect();
        let mut command = Command::new(line[0]);
        command.args(&line[1..]).current_dir(self.folder.path());
        command.env_remove("RUST_BACKTRACE").output().expect("the program runs")
    }
}

/// Returns the regular files of a folder with their contents.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let entries = entries.filter(|entry| entry.file_type().expect("a type").is_file());
    let file = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().expect("UTF-8");
        (name, fs::read(entry.path()).expect("a file"))
    };
    entries.map(file).collect()
}

/// Returns the files that a command writes without a fault.
pub fn expected(writer: &Writer) -> BTreeMap<String, Vec<u8>> {
    let attempt = Attempt::new(&BTreeMap::new());
    let output = attempt.run(NOTHING, writer);
    assert!(output.status.success(), "{}: {output:?}", writer.name);
    let files = files(&attempt.folder.path().join("out"));
    assert!(!files.is_empty(), "{}", writer.name);
    files
}

/// Checks the exit code and the message of an error of a file in `out`.
#[track_caller]
fn assert_reported(output: &Output, reason: &str, context: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{context}: {errors}");
    let is_named = errors.starts_with("genvisa: cannot write `out/")
        || errors.contains(" were written, but not `out/");
    assert!(is_named && errors.contains(&format!("`: {reason}")), "{context}: {errors}");
    assert!(!errors.contains(TEMPORARY) && errors.lines().count() == 1, "{context}: {errors}");
}

#[test]
fn errors_of_output_files_leave_the_old_files() {
    thread::scope(|scope| {
        for writer in WRITERS {
            scope.spawn(move || {
                let expected = expected(writer);
                full_device(writer, &expected);
                // The signal ends the process.
                let attempt = Attempt::new(&expected);
                let output = attempt.run(&["sh", "-c", "ulimit -f 0; exec \"$@\"", "sh"], writer);
                assert_eq!(end_of(output.status), "SIGXFSZ", "{}", writer.name);
                assert_eq!(attempt.state(writer.name).0, "old", "{}", writer.name);
            });
        }
    });
}

/// The last file is a full device, which is written after all others.
fn full_device(writer: &Writer, expected: &BTreeMap<String, Vec<u8>>) {
    let mut regular = expected.clone();
    let (last, _) = regular.pop_last().expect("a file");
    let attempt = Attempt::new(&regular);
    symlink("/dev/full", attempt.folder.path().join("out").join(last)).expect("a link");
    let output = attempt.run(NOTHING, writer);
    let context = format!("{}: /dev/full", writer.name);
    assert_reported(&output, "No space left on device", &context);
    let state = if regular.is_empty() { "old" } else { "new" };
    assert_eq!(attempt.state(&context), (state, 0), "{context}");
}

#[test]
#[ignore = "needs strace"]
fn a_rename_that_fails_is_reported() {
    for writer in WRITERS {
        let expected = expected(writer);
        for number in [1, expected.len()] {
            let attempt = Attempt::new(&expected);
            let fault = Injected { calls: strace::RENAME, fault: "error=EIO", when: number };
            let output = attempt.run(&fault.program(), writer);
            let context = format!("{}: rename {number}", writer.name);
            assert_reported(&output, "Input/output error", &context);
            let state = if number == 1 { "old" } else { "old and new" };
            assert_eq!(attempt.state(&context), (state, 0), "{context}");
        }
    }
}

/// At each call that uses files. Temporary files may remain.
#[test]
#[ignore = "needs strace"]
fn files_are_old_or_new_after_a_signal_at_each_step() {
    let check = |writer: &Writer| {
        let expected = expected(writer);
        for (calls, when) in strace::steps(&Attempt::new(&expected), writer) {
            for signal in ["SIGINT", "SIGKILL"] {
                let attempt = Attempt::new(&expected);
                let fault = format!("signal={signal}");
                let fault = Injected { calls: &calls, fault: &fault, when };
                let output = attempt.run(&fault.program(), writer);
                let context = format!("{}: {signal} at {calls} {when}", writer.name);
                assert_eq!(end_of(output.status), signal, "{context}");
                let (state, _) = attempt.state(&context);
                assert!(state != "old and new" || expected.len() > 1, "{context}");
            }
        }
    };
    thread::scope(|scope| {
        for writer in WRITERS {
            scope.spawn(move || check(writer));
        }
    });
}
