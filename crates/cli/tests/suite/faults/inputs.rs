//! Inputs that are missing, folders, unreadable, too large, or that change while they are read.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{assert_documented, strace};
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

    /// Checks that an error names the file and the reason, and returns it in short.
    #[track_caller]
    fn result(&self, output: &Output, file: &Path, reason: &str) -> Option<String> {
        let errors = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code().expect("an exit code");
        let start = format!("genvisa: cannot read `{}`: {reason}", file.display());
        let is_named = errors.lines().any(|line| line.starts_with(&start));
        assert!(is_named, "{}: {reason}: {:?}: {errors}", self.name, output.status);
        assert!(code == 1 || code == 2, "{}: {code}", self.name);
        Some(code.to_string())
    }
}

fn missing(reader: &Reader, file: &Path) -> Option<String> {
    fs::remove_file(file).expect("a file");
    reader.result(&reader.output(&[], file), file, "No such file or directory")
}

fn unreadable(reader: &Reader, file: &Path) -> Option<String> {
    let options =
        ["-o", "/dev/null", "-P", &*file.to_string_lossy(), "-e", "inject=read:error=EIO"];
    let program = strace::program(&options)?;
    reader.result(&reader.output(&program, file), file, "Input/output error")
}

/// The file has more bytes than there are addresses, but begins like one that is read.
fn too_large(reader: &Reader, file: &Path) -> Option<String> {
    let mut start = fs::read(file).expect("a file");
    start.resize(start.len().max(4096), b'\n');
    fs::write(file, start).expect("a file");
    let sparse = fs::OpenOptions::new().write(true).open(file).expect("a file");
    if sparse.set_len(8 << 40).is_err() {
        eprintln!("skipped: the file system has no sparse files of 8 TiB");
        return None;
    }
    let program = ["sh", "-c", "ulimit -v 8000000; exec \"$@\"", "sh"].map(String::from);
    reader.result(&reader.output(&program, file), file, "out of memory")
}

/// Changes the file after its contents were read, while the tool is stopped.
fn changes(reader: &Reader, file: &Path, change: impl FnOnce(&Path)) -> Option<Output> {
    let log = file.with_extension("log");
    // `run` reads the start of the file first, up to its end.
    let when = if reader.name == "run" { 3 } else { 1 };
    let inject = format!("inject=read:signal=SIGSTOP:when={when}");
    let (path, to) = (file.to_string_lossy(), log.to_string_lossy());
    let options = ["-P", &*path, "-e", "trace=read", "-e", &inject, "-o", &*to];
    let strace = reader.command(&strace::program(&options)?, file).spawn().expect("strace runs");
    let stopped = wait_for(&log, "--- stopped by SIGSTOP ---");
    change(file);
    // Lines begin with the id of the process.
    let tool = stopped.split(' ').next().expect("an id");
    let kill = Command::new("kill").args(["-CONT", tool]).status().expect("kill runs");
    assert!(kill.success());
    let output = strace.wait_with_output().expect("the tool ends");
    // The next program waits for its own.
    fs::remove_file(&log).expect("the log");
    Some(output)
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

fn shrinks(reader: &Reader, file: &Path) -> Option<String> {
    let truncate = |file: &Path| {
        let file = fs::OpenOptions::new().write(true).open(file).expect("a file");
        file.set_len(16).expect("a shorter file");
    };
    let output = changes(reader, file, truncate)?;
    reader.result(&output, file, "it changed while it was read")
}

fn grows(reader: &Reader, file: &Path) -> Option<String> {
    let append = |file: &Path| {
        let mut file = fs::OpenOptions::new().append(true).open(file).expect("a file");
        file.write_all(b"// more\n").expect("a longer file");
    };
    let output = changes(reader, file, append)?;
    reader.result(&output, file, "it changed while it was read")
}

type Cell = fn(&Reader, &Path) -> Option<String>;

/// The faults, each with a function that tries it on a copy of the file and returns the exit code.
const FAULTS: &[(&str, Cell)] = &[
    ("Missing", missing),
    ("Read error", unreadable),
    ("Too large", too_large),
    ("Shrinks", shrinks),
    ("Grows", grows),
];

#[test]
fn all_commands_report_inputs_that_cannot_be_read() {
    let rows = thread::scope(|scope| {
        let row = |reader: &Reader| {
            let folder = tempfile::tempdir().expect("a folder");
            let name = Path::new(reader.file).file_name().expect("a name");
            let file = folder.path().join(name);
            let cells = FAULTS.iter().map(|(_, fault)| {
                fs::copy(crate::repository(reader.file), &file).expect("a copy");
                let usual = reader.output(&[], &file);
                assert!(usual.status.success(), "{}: {usual:?}", reader.name);
                fault(reader, &file)
            });
            cells.collect()
        };
        let readers = readers();
        let rows: Vec<_> = readers
            .into_iter()
            .map(|reader| scope.spawn(move || (format!("`{}`", reader.name), row(&reader))))
            .collect();
        let rows = rows.into_iter().map(|row| row.join().expect("a thread without a panic"));
        rows.collect::<Vec<_>>()
    });
    let head: Vec<&str> = FAULTS.iter().map(|(name, _)| *name).collect();
    assert_documented("Inputs", &head, &rows);
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
