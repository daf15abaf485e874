//! Commands that write files: after a fault, each file has its old contents or all of the new.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;

use super::strace::{self, Injected};
use super::{assert_documented, end_of, limits, tries_all};

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

    /// Returns whether the files are `old` or `new`, or `old and new` if only some are. Fails if a file has
    /// other contents, or if a temporary file remains.
    #[track_caller]
    pub fn state(&self, context: &str) -> String {
        let (state, temporary) = self.state_of("out", context);
        assert_eq!(temporary, 0, "{context}: a temporary file remains");
        state
    }

    /// Returns the state of the files, and the number of temporary files.
    #[track_caller]
    pub fn state_of(&self, folder: &str, context: &str) -> (String, usize) {
        let (mut old, mut new, mut temporary) = (0, 0, 0);
        for (name, bytes) in files(&self.folder.path().join(folder)) {
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
        (state.into(), temporary)
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

type Cell = fn(&Writer, &BTreeMap<String, Vec<u8>>) -> Option<String>;

/// The faults, each with a function that tries it and returns the result.
const FAULTS: &[(&str, Cell)] = &[
    ("Disk full", |writer, expected| in_mount(writer, expected, FILL, "No space left on device")),
    ("Folder read-only", |writer, expected| {
        in_mount(writer, expected, READ_ONLY, "Read-only file system")
    }),
    ("`ulimit -f 0`", file_size_limit),
    ("Last file is `/dev/full`", full_device),
    ("Little memory", limits::memory),
    ("First rename fails", |writer, expected| rename_fails(writer, expected, 1)),
    ("Last rename fails", |writer, expected| rename_fails(writer, expected, expected.len())),
    ("Signal at each step", |writer, expected| {
        signals(writer, expected, &["HUP", "INT", "QUIT", "TERM"])
    }),
    ("`kill -9` at each step", killed),
];

#[test]
fn output_files_are_old_or_new_after_each_fault() {
    let rows = thread::scope(|scope| {
        let row = |writer: &'static Writer| {
            let expected = expected(writer);
            FAULTS.iter().map(|(_, fault)| fault(writer, &expected)).collect()
        };
        let rows: Vec<_> = WRITERS.iter().map(|writer| scope.spawn(move || row(writer))).collect();
        let rows = WRITERS.iter().zip(rows).map(|(writer, row)| {
            (format!("`{}`", writer.name), row.join().expect("a thread without a panic"))
        });
        rows.collect::<Vec<_>>()
    });
    let head: Vec<&str> = FAULTS.iter().map(|(name, _)| *name).collect();
    assert_documented("Output files", &head, &rows);
}

const FILL: &str = "cat /dev/zero > out/fill 2>&-";
const READ_ONLY: &str = "mount -o remount,ro out";

/// Runs the command with a small file system as the folder `out`, after a command that prepares it.
fn in_mount(
    writer: &Writer,
    expected: &BTreeMap<String, Vec<u8>>,
    prepare: &str,
    reason: &str,
) -> Option<String> {
    let can_mount =
        Command::new("unshare").args(["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).output();
    if !can_mount.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: `unshare -rm` cannot mount a file system");
        return None;
    }
    let attempt = Attempt::new(expected);
    let script = format!(
        "cp -a out before && mount -t tmpfs -o size=256k none out && cp before/* out || exit 99
         {prepare}
         \"$@\"; code=$?
         rm -f out/fill 2>&-; cp -a out after; exit $code"
    );
    let output = attempt.run(&["unshare", "-rm", "sh", "-c", &script, "sh"], writer);
    let context = format!("{}: {reason}", writer.name);
    assert_reported(&output, reason, &context);
    let (state, temporary) = attempt.state_of("after", &context);
    assert_eq!((&*state, temporary), ("old", 0), "{context}");
    Some(format!("1, {state}"))
}

fn file_size_limit(writer: &Writer, expected: &BTreeMap<String, Vec<u8>>) -> Option<String> {
    let attempt = Attempt::new(expected);
    let output = attempt.run(&["sh", "-c", "ulimit -f 0; exec \"$@\"", "sh"], writer);
    let context = format!("{}: ulimit -f", writer.name);
    assert_reported(&output, "File too large", &context);
    let state = attempt.state(&context);
    assert_eq!(state, "old", "{context}");
    Some(format!("1, {state}"))
}

fn full_device(writer: &Writer, expected: &BTreeMap<String, Vec<u8>>) -> Option<String> {
    let mut regular = expected.clone();
    let (last, _) = regular.pop_last().expect("a file");
    let attempt = Attempt::new(&regular);
    symlink("/dev/full", attempt.folder.path().join("out").join(last)).expect("a link");
    let output = attempt.run(NOTHING, writer);
    let context = format!("{}: /dev/full", writer.name);
    assert_reported(&output, "No space left on device", &context);
    let (others, temporary) = attempt.state_of("out", &context);
    assert_eq!(temporary, 0, "{context}");
    Some(if regular.is_empty() { "1".into() } else { format!("1, others {}", others) })
}

fn rename_fails(
    writer: &Writer,
    expected: &BTreeMap<String, Vec<u8>>,
    number: usize,
) -> Option<String> {
    let attempt = Attempt::new(expected);
    let fault = Injected { calls: strace::RENAME, fault: "error=EIO", when: number };
    let output = attempt.run(&fault.program()?, writer);
    let context = format!("{}: rename {number}", writer.name);
    assert_reported(&output, "Input/output error", &context);
    Some(format!("1, {}", attempt.state(&context)))
}

/// Sends signals at the steps that use files: at each, or at a sample.
fn at_each_step(
    writer: &Writer,
    expected: &BTreeMap<String, Vec<u8>>,
    signals: &[&str],
    mut check: impl FnMut(&Attempt, &str),
) -> Option<()> {
    let steps = strace::steps(&Attempt::new(expected), writer)?;
    // The first steps only read.
    let first = if tries_all() { 0 } else { steps.len().saturating_sub(10) };
    // Usually, every step of one signal, and a sample of the others.
    let is_focus = ["asm -o", "extract", "pack"].contains(&writer.name);
    let is_tried = |step: usize, index: usize| {
        tries_all() || is_focus && index == 0 || (step + index) % 4 == 0
    };
    for (index, signal) in signals.iter().enumerate() {
        for (step, (calls, when)) in steps.iter().enumerate().skip(first) {
            if !is_tried(step, index) {
                continue;
            }
            let attempt = Attempt::new(expected);
            let fault = format!("signal=SIG{signal}");
            let fault = Injected { calls, fault: &fault, when: *when };
            let output = attempt.run(&fault.program()?, writer);
            let context = format!("{}: SIG{signal} at {calls} {when}", writer.name);
            assert_eq!(end_of(output.status), format!("SIG{signal}"), "{context}");
            check(&attempt, &context);
        }
    }
    Some(())
}

fn signals(
    writer: &Writer,
    expected: &BTreeMap<String, Vec<u8>>,
    names: &[&str],
) -> Option<String> {
    at_each_step(writer, expected, names, |attempt, context| {
        // All files together.
        assert_ne!(attempt.state(context), "old and new", "{context}");
    })?;
    Some("the signal, old or new".into())
}

fn killed(writer: &Writer, expected: &BTreeMap<String, Vec<u8>>) -> Option<String> {
    at_each_step(writer, expected, &["KILL"], |attempt, context| {
        // Every file is old or new, and only temporary files remain.
        let (state, _) = attempt.state_of("out", context);
        assert!(state != "old and new" || expected.len() > 1, "{context}");
    })?;
    let each = if expected.len() > 1 { "each " } else { "" };
    Some(format!("{each}old or new, `.genvisa-*`"))
}
