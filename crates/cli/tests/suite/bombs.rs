//! The time and the memory of the tool for inputs that repeat one thing many times.
//!
//! The calls are those of the table of commands. Each reads the shapes of its kind of input with N and with 4 N
//! parts. The exponent is the power of the input that the processor time grows with: 1 if it is linear, 2 if it
//! is quadratic. `--nocapture` prints all exponents with the peaks of memory.
//!
//! No clock is read: a child's processor time depends little on other programs. What remains is noise, so only an
//! exponent above 1.5 that three measurements confirm is an error; those above 1.2 are printed. A third of the
//! pairs of call and shape runs by default; `GENVISA_BOMBS=all` runs all.
#![cfg(target_os = "linux")]

mod shapes;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::commands::CASES;
use shapes::{Language, SHAPES, Shape};

/// Exponents above this are measured again and printed.
const NOTABLE: f64 = 1.2;

/// An exponent above this is an error.
const LIMIT: f64 = 1.5;

/// Seconds of processor time below which an exponent is noise.
const SHORT: f64 = 0.06;

/// Runs programs and measures them: the standard library cannot read the resources of one child.
const MEASURE: &str = r#"
import os, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
null = os.open(os.devnull, os.O_RDWR)
for line in sys.stdin:
    stdin, *args = line.rstrip("\n").split("\x1f")
    source = os.open(stdin, os.O_RDONLY)
    files = [(os.POSIX_SPAWN_DUP2, source, 0)]
    files += [(os.POSIX_SPAWN_DUP2, null, number) for number in (1, 2)]
    child = os.posix_spawn(args[0], args, os.environ, file_actions=files)
    os.close(source)
    _, status, usage = os.wait4(child, 0)
    seconds = usage.ru_utime + usage.ru_stime
    print(os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss, flush=True)
"#;

/// The program that measures.
struct Meter {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// All processor time so far.
    total: f64,
}

#[derive(Clone, Copy, Debug)]
struct Measured {
    seconds: f64,
    kilobytes: usize,
}

impl Meter {
    fn new() -> Meter {
        let mut child = Command::new("python3")
            .args(["-c", MEASURE])
            .current_dir(crate::repository(""))
            .env("GENVISA_THREADS", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 runs");
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Meter { child, input, output, total: 0.0 }
    }

    fn run(&mut self, stdin: &Path, args: &[String]) -> Measured {
        let program = env!("CARGO_BIN_EXE_genvisa");
        let stdin = stdin.to_string_lossy();
        let line = [&[&*stdin, program], &*args.iter().map(String::as_str).collect::<Vec<_>>()];
        writeln!(self.input, "{}", line.concat().join("\u{1f}")).expect("the program runs");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("the program runs");
        let mut words = answer.split_whitespace();
        let mut number = || words.next().expect("an answer").parse::<f64>().expect("a number");
        let code = number() as i32;
        assert!((0..=2).contains(&code), "{args:?}: {code}");
        let measured = Measured { seconds: number(), kilobytes: number() as usize };
        self.total += measured.seconds;
        measured
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Inputs of a shape: with N parts and with 4 N.
struct Input {
    name: String,
    language: Language,
    /// The files, each with a session of the language server that opens it.
    files: [(PathBuf, PathBuf); 2],
}

/// Writes both inputs of a shape.
fn input(shape: &Shape, folder: &Path) -> Input {
    let files = [1, 4].map(|factor| {
        let path = folder.join(format!("{}-{factor}", shape.name.replace([' ', '.', ','], "-")));
        let session = path.with_extension("session");
        let bytes = (shape.contents)(shape.count * factor);
        let text = String::from_utf8_lossy(&bytes);
        fs::write(&session, self::session(&text, shape.language)).expect("a file");
        fs::write(&path, &bytes).expect("a file");
        (path, session)
    });
    Input { name: shape.name.into(), language: shape.language, files }
}

/// Returns the inputs of all shapes. Texts that assemble are also inputs as `.isa` files.
fn inputs(folder: &Path, empty: &Path, meter: &mut Meter) -> Vec<Input> {
    let mut inputs: Vec<Input> = SHAPES.iter().map(|shape| input(shape, folder)).collect();
    for index in 0..inputs.len() {
        let Input { name, language: Language::Assembled, files } = &inputs[index] else { continue };
        let files = files.clone().map(|(text, session)| {
            let object = text.with_extension("isa");
            let [from, to] = [&text, &object].map(|path| path.to_string_lossy().into_owned());
            meter.run(empty, &["asm".into(), from, "-o".into(), to]);
            assert!(object.exists(), "{name} does not assemble");
            (object, session)
        });
        inputs.push(Input { name: name.clone(), language: Language::Object, files });
    }
    inputs
}

/// Returns messages to the language server that open a text and ask about all of it.
fn session(text: &str, language: Language) -> Vec<u8> {
    let uri = "file:///bomb";
    let id = if language == Language::Source { "c" } else { "visaasm" };
    let document = json!({"textDocument": {"uri": uri}});
    let mut at = document.clone();
    at["position"] = json!({"line": text.lines().count() / 2, "character": 6});
    at["context"] = json!({"includeDeclaration": true});
    at["newName"] = "renamed".into();
    let mut all = document.clone();
    all["range"] =
        json!({"start": {"line": 0, "character": 0}, "end": {"line": u32::MAX, "character": 0}});
    all["context"] = json!({"diagnostics": []});
    all["options"] = json!({"tabSize": 4, "insertSpaces": true});
    let item = json!({"uri": uri, "languageId": id, "version": 1, "text": text});
    let mut messages = vec![
        json!({"id": 0, "method": "initialize", "params": {"capabilities": {}}}),
        json!({"method": "initialized", "params": {}}),
        json!({"method": "textDocument/didOpen", "params": {"textDocument": item}}),
    ];
    let requests: [(&str, &Value); 11] = [
        ("semanticTokens/full", &document),
        ("documentSymbol", &document),
        ("foldingRange", &document),
        ("inlayHint", &all),
        ("formatting", &all),
        ("codeAction", &all),
        ("hover", &at),
        ("completion", &at),
        ("references", &at),
        ("documentHighlight", &at),
        ("rename", &at),
    ];
    for (number, (method, params)) in requests.into_iter().enumerate() {
        let method = format!("textDocument/{method}");
        messages.push(json!({"id": number + 1, "method": method, "params": params}));
    }
    messages.push(json!({"id": 99, "method": "shutdown"}));
    messages.push(json!({"method": "exit"}));
    let mut bytes = Vec::new();
    for mut message in messages {
        message["jsonrpc"] = "2.0".into();
        let text = message.to_string();
        write!(bytes, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("memory");
    }
    bytes
}

/// What a call reads, by the file that the table of commands has for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Text,
    Object,
    Source,
    Session,
}

impl Kind {
    fn of(file: &str) -> Kind {
        match file.rsplit_once('.').map_or("", |(_, suffix)| suffix) {
            "visaasm" => Kind::Text,
            "isa" => Kind::Object,
            _ => Kind::Source,
        }
    }

    fn reads(self, language: Language) -> bool {
        match self {
            Kind::Text => matches!(language, Language::Text | Language::Assembled),
            Kind::Object => language == Language::Object,
            Kind::Source => language == Language::Source,
            Kind::Session => language != Language::Object,
        }
    }
}

/// Returns the calls of the tool: those of the table of commands, with the same file for all inputs.
fn calls() -> BTreeSet<(Kind, Vec<String>)> {
    let mut calls = BTreeSet::new();
    for case in CASES {
        let command = || [case.command.to_owned()].into_iter();
        for (file, args) in case.inputs {
            let args = args.iter().map(|arg| match arg.split_once('!') {
                Some((path, choice)) if path.starts_with("tests/data/") => format!("{{}}!{choice}"),
                None if arg.starts_with("tests/data/") => "{}".into(),
                _ => (*arg).into(),
            });
            calls.insert((Kind::of(file), command().chain(args).collect()));
        }
        if case.command == "stats" {
            // A text can be a file of machine code, too.
            let args = ["{}", "--asm={}"].map(String::from);
            calls.insert((Kind::Text, command().chain(args).collect()));
        }
        if case.command == "lsp" {
            calls.insert((Kind::Session, command().collect()));
        }
    }
    calls
}

/// Returns the power of the size of the input that the time grows with.
fn exponent([small, large]: [f64; 2], constant: f64) -> f64 {
    let [small, large] = [small, large].map(|seconds| (seconds - constant).max(0.002));
    (large / small).log2() / 2.0
}

#[test]
#[ignore = "needs python3, which measures processor time"]
fn time_is_linear_in_the_size_of_hostile_inputs() {
    let folder = tempfile::tempdir().expect("a folder");
    let empty = folder.path().join("empty");
    fs::write(&empty, "").expect("a file");
    let mut meter = Meter::new();
    let inputs = inputs(folder.path(), &empty, &mut meter);
    let runs_all = env::var("GENVISA_BOMBS").is_ok_and(|value| value == "all");
    let mut constants = BTreeMap::new();
    let mut rows = Vec::new();
    for (number, (kind, call)) in calls().into_iter().enumerate() {
        let of_kind = inputs.iter().filter(|input| kind.reads(input.language));
        for (_, input) in (number..).zip(of_kind).filter(|(index, _)| runs_all || index % 3 == 0) {
            let mut run = |(path, session): &(PathBuf, PathBuf)| {
                let path = path.to_string_lossy();
                let args: Vec<String> = call.iter().map(|arg| arg.replace("{}", &path)).collect();
                meter.run(if kind == Kind::Session { session } else { &empty }, &args)
            };
            let large = run(&input.files[1]);
            if large.seconds < SHORT {
                continue;
            }
            let constant = *constants
                .entry(call.clone())
                .or_insert_with(|| run(&(empty.clone(), empty.clone())).seconds);
            let times = [run(&input.files[0]).seconds, large.seconds];
            let mut power = exponent(times, constant);
            for _ in 0..2 {
                if power > NOTABLE {
                    let times = [0, 1].map(|index| run(&input.files[index]).seconds);
                    power = power.min(exponent(times, constant));
                }
            }
            let kind = if kind == Kind::Object { ".isa" } else { "" };
            rows.push((power, call.join(" "), format!("{} {kind}", input.name), large));
        }
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("| Exponent | Command | Shape | Seconds | Peak MB |\n|---|---|---|---|---|");
    for (power, call, shape, Measured { seconds, kilobytes }) in &rows {
        let megabytes = kilobytes >> 10;
        println!("| {power:.2} | `{call}` | {} | {seconds:.2} | {megabytes} |", shape.trim());
    }
    println!("{:.0} seconds of processor time", meter.total);
    // Optimized programs take long enough for few of the inputs.
    assert!(rows.len() > 5, "few inputs take long enough: {}", rows.len());
    let wrong: Vec<_> = rows.iter().filter(|row| row.0 > LIMIT).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
