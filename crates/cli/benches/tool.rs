//! The time and the peak memory of the tool, for folders and for large files.
//!
//! The folders contain copies of the texts in the folder `GENVISA_DUMPS` and of the `.isa` files in the
//! folder `GENVISA_CORPUS`, or of test files if these are not set. The benchmark starts commands, so
//! that the times include the start of a process. It prints tables in Markdown.
//!
//! The memory is the peak of the resident memory in `/proc`, which only Linux has.

#[path = "../../../benches/corpus/mod.rs"]
mod corpus;
#[path = "../../../benches/texts/mod.rs"]
mod texts;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use genvisa::{Dialect, Module};

const TOOL: &str = env!("CARGO_BIN_EXE_genvisa");
const MEGABYTE: usize = 1 << 20;
/// The size of the files of each command.
const SIZE: usize = 100 * MEGABYTE;

/// Returns the texts to copy.
fn texts() -> Vec<Vec<u8>> {
    let dumps = texts::dumps().unwrap_or_default();
    if dumps.is_empty() {
        let text = [&include_bytes!("../../../tests/data/collatz.visaasm")[..], b"\n"].concat();
        return vec![text.repeat(20)];
    }
    dumps.into_iter().map(|(text, _)| text.into_bytes()).collect()
}

/// Writes copies of files to a folder, up to a size.
fn copies(folder: &Path, suffix: &str, size: usize, contents: &[Vec<u8>]) {
    fs::create_dir(folder).expect("a folder");
    let mut written = 0;
    for (number, bytes) in contents.iter().cycle().enumerate() {
        if written >= size {
            return;
        }
        fs::write(folder.join(format!("{number}.{suffix}")), bytes).expect("a file");
        written += bytes.len();
    }
}

/// Returns a text in which all variables have other names.
fn renamed(text: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(text).replace("V0", "W0").into_bytes()
}

/// Returns a text without each 50th of its additions and moves.
fn changed(text: &[u8]) -> Vec<u8> {
    let mut count = 0;
    let is_kept = |line: &&[u8]| {
        let is_counted = line.starts_with(b"    add ") || line.starts_with(b"    mov ");
        count += usize::from(is_counted);
        !is_counted || count % 50 != 0
    };
    text.split_inclusive(|byte| *byte == b'\n').filter(is_kept).flatten().copied().collect()
}

/// What a command costs.
struct Cost {
    milliseconds: f64,
    /// The peak memory in bytes.
    memory: usize,
}

/// Runs the tool with a number of threads, or as many as there are cores.
fn run(threads: Option<usize>, args: &[&str], paths: &[&Path]) -> Cost {
    let mut tool = Command::new(TOOL);
    tool.args(args).args(paths).stdout(Stdio::null()).stderr(Stdio::null());
    if let Some(threads) = threads {
        tool.env("GENVISA_THREADS", threads.to_string());
    }
    let start = Instant::now();
    let mut child = tool.spawn().expect("the tool runs");
    let status = format!("/proc/{}/status", child.id());
    let mut memory = 0;
    loop {
        let status = fs::read_to_string(&status).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse().ok());
        memory = kilobytes.map_or(memory, |kilobytes: usize| kilobytes << 10);
        if child.try_wait().expect("a status").is_some() {
            return Cost { milliseconds: start.elapsed().as_secs_f64() * 1e3, memory };
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Returns the cost of the median of three runs.
fn median(threads: Option<usize>, args: &[&str], paths: &[&Path]) -> Cost {
    let mut costs: Vec<Cost> = (0..3).map(|_| run(threads, args, paths)).collect();
    costs.sort_by(|a, b| a.milliseconds.total_cmp(&b.milliseconds));
    costs.swap_remove(1)
}

/// Returns the median time of a short run of the tool, in milliseconds.
fn start(args: &[&str]) -> f64 {
    let run = |_| {
        let start = Instant::now();
        assert!(Command::new(TOOL).args(args).output().is_ok_and(|run| run.status.success()));
        start.elapsed().as_secs_f64() * 1e3
    };
    let mut times: Vec<f64> = (0..51).map(run).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Returns the time to read the files of folders, in milliseconds.
fn reading(folders: &[&Path]) -> f64 {
    let read = || {
        let start = Instant::now();
        for folder in folders {
            for entry in folder.read_dir().expect("a folder").flatten() {
                assert!(fs::read(entry.path()).is_ok_and(|bytes| !bytes.is_empty()));
            }
        }
        start.elapsed().as_secs_f64() * 1e3
    };
    let mut times = [read(), read(), read()];
    times.sort_by(f64::total_cmp);
    times[1]
}

fn print_folders(folder: &Path) {
    let (texts, half) = (texts(), SIZE / 2);
    let path = |name: &str| folder.join(name);
    copies(&path("a"), "visaasm", half, &texts);
    copies(&path("same"), "visaasm", half, &texts);
    let renamed: Vec<_> = texts.iter().map(|text| renamed(text)).collect();
    copies(&path("renamed"), "visaasm", half, &renamed);
    let changed: Vec<_> = renamed.iter().map(|text| changed(text)).collect();
    copies(&path("changed"), "visaasm", half, &changed);
    copies(&path("text"), "visaasm", SIZE, &texts);
    copies(&path("isa"), "isa", SIZE, &corpus::files());
    let source = include_bytes!("../../../tests/data/inline/scale.cl").repeat(500);
    copies(&path("source"), "cl", SIZE, &[source]);
    println!("\n| Command, 100 MB in all | Reading | One thread | All cores | Memory, all cores |");
    println!("|---|---|---|---|---|");
    for (command, folders) in [
        ("diff", &["a", "same"][..]),
        ("diff", &["a", "renamed"]),
        ("diff", &["a", "changed"]),
        ("verify", &["text"]),
        ("verify", &["isa"]),
        ("roundtrip", &["isa"]),
        ("check", &["source"]),
    ] {
        let paths: Vec<PathBuf> = folders.iter().map(|name| path(name)).collect();
        let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let read = reading(&paths);
        let (one, all) = (median(Some(1), &[command], &paths), median(None, &[command], &paths));
        println!(
            "| `{command} {}` | {read:.0} ms | {:.0} ms | {:.0} ms | {:.1} MB |",
            folders.join(" "),
            one.milliseconds,
            all.milliseconds,
            all.memory as f64 / MEGABYTE as f64,
        );
    }
}

/// Writes a large `.isa` file and a large text, and returns their paths.
fn large_files(folder: &Path, size: usize) -> [PathBuf; 4] {
    let paths = ["isa", "renamed.isa", "visaasm", "renamed.visaasm"]
        .map(|suffix| folder.join(format!("{}.{suffix}", size / MEGABYTE)));
    let files = corpus::files();
    let source = files.iter().filter(|file| file.len() < MEGABYTE).max_by_key(|file| file.len());
    let one = Module::from_bytes(source.expect("a file"), Dialect::Igc2022).expect("an object");
    let mut module = Module::new(one.format);
    let copies = size / source.map_or(1, Vec::len);
    for _ in 0..copies.min(usize::from(u16::MAX) / one.kernels.len()) {
        module.kernels.extend(one.kernels.iter().cloned());
    }
    fs::write(&paths[0], module.to_bytes().expect("an encodable module")).expect("a file");
    for kernel in &mut module.kernels {
        for string in kernel.body.strings.iter_mut() {
            *string = format!("{string}_").as_str().into();
        }
    }
    fs::write(&paths[1], module.to_bytes().expect("an encodable module")).expect("a file");
    let mut text = Vec::new();
    for (number, source) in texts().iter().cycle().enumerate() {
        if text.len() >= size {
            break;
        }
        let mut source = String::from_utf8_lossy(source).into_owned();
        for directive in [".kernel \"", ".global_function \""] {
            source = source.replace(directive, &format!("{directive}{number}-"));
        }
        text.extend(source.bytes());
    }
    fs::write(&paths[2], &text).expect("a file");
    fs::write(&paths[3], renamed(&text)).expect("a file");
    paths
}

fn print_memory(folder: &Path) {
    println!("\n| Memory, as a multiple of the input | 10 MB | 100 MB |");
    println!("|---|---|---|");
    let [small, large] = [10, 100].map(|megabytes| large_files(folder, megabytes * MEGABYTE));
    let out = folder.join("out");
    let html = ["--html", out.to_str().expect("UTF-8")];
    let cases: [(&str, &[&str], &[usize]); 20] = [
        ("info", &[], &[0]),
        ("dis", &[], &[0]),
        ("roundtrip", &[], &[0]),
        ("verify", &[], &[0]),
        ("stats", &[], &[0]),
        ("cfg", &[], &[0]),
        ("explain", &[], &[0]),
        ("explain", &["--json"], &[0]),
        ("explain", &html, &[0]),
        ("extract", &["--list"], &[0]),
        ("diff", &[], &[0, 0]),
        ("diff", &[], &[0, 1]),
        ("info", &[], &[2]),
        ("dis", &["--pressure"], &[2]),
        ("fmt", &[], &[2]),
        ("verify", &[], &[2]),
        ("stats", &[], &[2]),
        ("cfg", &[], &[2]),
        ("diff", &[], &[2, 2]),
        ("diff", &[], &[2, 3]),
    ];
    for (command, args, inputs) in cases {
        let multiple = |files: &[PathBuf; 4]| {
            let paths: Vec<&Path> = inputs.iter().map(|index| files[*index].as_path()).collect();
            let bytes = paths.iter().map(|path| path.metadata().map_or(0, |file| file.len()));
            let cost = run(None, &[&[command], args].concat(), &paths);
            let seconds = cost.milliseconds / 1e3;
            format!("{:.1} ({seconds:.1} s)", cost.memory as f64 / bytes.sum::<u64>() as f64)
        };
        let option = args.first().map_or(String::new(), |option| format!(" {option}"));
        let kinds = ["A.isa", "B.isa", "A.visaasm", "B.visaasm"];
        let names: Vec<&str> = inputs.iter().map(|index| kinds[*index]).collect();
        // Explaining 100 MB prints several GB.
        let large = if command == "explain" { String::new() } else { multiple(&large) };
        let small = multiple(&small);
        println!("| `{command}{option} {}` | {small} | {large} |", names.join(" "));
    }
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let small = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/tour.isa");
    println!("start and end, `--version`: {:.1} ms", start(&["--version"]));
    println!("`info` of a file of 791 bytes: {:.1} ms", start(&["info", small]));
    println!("`verify` of two of these files: {:.1} ms", start(&["verify", small, small]));
    print_folders(folder.path());
    print_memory(folder.path());
}
