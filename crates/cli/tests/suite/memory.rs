//! The memory of the tool is a small multiple of the input.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::Command;

use genvisa::Format;
use genvisa::object::Code;
use genvisa_test_support::tour;

/// The memory for everything but the input.
const CONSTANT: usize = 8 << 20;

/// The memory of a second thread, mostly its stack.
const THREAD: usize = 12 << 20;

/// Returns a `.isa` file of about so many bytes. Its kernels have many instructions.
fn large_object(size: usize, name: &str) -> Vec<u8> {
    let mut module = tour::module(Format::default()).expect("a module");
    let mut kernel = module.kernels.remove(0);
    // All except the first, a label, and the last, which returns.
    let code = kernel.body.code.bytes();
    let bounds = kernel.body.code.boundaries(module.format);
    let offsets: Vec<usize> = bounds.map(|bound| bound.expect("valid code").offset).collect();
    let (start, end) = (offsets[1], offsets[offsets.len() - 6]);
    let repeated = [&code[..start], &code[start..end].repeat(40), &code[end..]].concat();
    for string in &mut kernel.body.strings {
        *string = format!("{string}{name}").as_str().into();
    }
    let count = size / repeated.len();
    kernel.body.code = Code::Present { bytes: repeated.into(), offset: 0 };
    for number in 0..count {
        let mut copy = kernel.clone();
        copy.name = format!("kernel{number}").as_str().into();
        module.kernels.push(copy);
    }
    module.to_bytes().expect("an encodable module")
}

/// Returns a text of about so many bytes.
fn large_text(size: usize, name: &str) -> String {
    let text = fs::read_to_string(crate::repository("tests/data/collatz.visaasm"))
        .expect("a file of the repository");
    let copies = (0..size / text.len()).map(|number| {
        text.replace("\"collatz\"", &format!("\"collatz{number}\"")).replace("value", name)
    });
    copies.collect()
}

/// Runs the tool with a limit of the memory that it allocates.
#[track_caller]
fn run_within(folder: &Path, limit: usize, threads: usize, command: &str) {
    let errors = errors_within(folder, limit, threads, command);
    assert!(errors.is_empty(), "{command}: {errors}");
}

/// Runs the tool with a limit of the memory that it allocates, and returns what it prints on
/// standard error.
#[track_caller]
fn errors_within(folder: &Path, limit: usize, threads: usize, command: &str) -> String {
    let line = format!("ulimit -d {}; exec \"$0\" {command} > /dev/null", limit >> 10);
    let output = Command::new("sh")
        .args(["-c", &line, env!("CARGO_BIN_EXE_genvisa")])
        .current_dir(folder)
        .env("GENVISA_THREADS", threads.to_string())
        .output()
        .expect("a shell");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let is_done = matches!(output.status.code(), Some(0 | 1));
    assert!(is_done, "{command}: {:?}: {errors}", output.status);
    errors
}

#[test]
fn memory_is_a_small_multiple_of_a_large_object() {
    let folder = tempfile::tempdir().expect("a folder");
    let object = large_object(6 << 20, "");
    fs::write(folder.path().join("a.isa"), &object).expect("a file");
    fs::write(folder.path().join("b.isa"), large_object(6 << 20, "_2")).expect("a file");
    for (command, multiple) in [
        ("info a.isa", 1),
        ("extract --list a.isa", 1),
        ("roundtrip a.isa", 5),
        ("verify a.isa", 1),
        ("diff a.isa b.isa", 3),
    ] {
        run_within(folder.path(), CONSTANT + multiple * object.len(), 1, command);
    }
}

#[test]
fn memory_is_a_small_multiple_of_a_large_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = large_text(2 << 20, "value");
    fs::write(folder.path().join("a"), &text).expect("a file");
    fs::write(folder.path().join("b"), large_text(2 << 20, "other")).expect("a file");
    for (command, multiple) in [("fmt a", 6), ("verify a", 5), ("diff a b", 10)] {
        run_within(folder.path(), CONSTANT + multiple * text.len(), 1, command);
    }
}

/// The memory of the commands that know control flow depends on the number of blocks, as the guide states.
#[test]
fn memory_for_each_block_is_as_documented() {
    const BLOCKS: usize = 8000;
    let folder = tempfile::tempdir().expect("a folder");
    let head = ".version 4.1\n.kernel \"k\"\n.decl p v_type=P num_elts=16\n";
    let jumps: String =
        (0..BLOCKS).map(|n| format!("L{n}:\n(p) goto (M1, 16) L{}\n", n * 7919 % BLOCKS)).collect();
    let labels: String = (0..BLOCKS).map(|n| format!("L{n}:\n")).collect();
    let guide = fs::read_to_string(crate::repository("docs/tool.md")).expect("a document");
    let (_, table) =
        guide.split_once("| Command | Bytes for a block |\n|---|---|\n").expect("a table");
    let rows: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 3, "{rows:?}");
    for code in [jumps, labels] {
        let text = format!("{head}{code}ret (M1, 1)\n");
        fs::write(folder.path().join("a"), &text).expect("a file");
        for row in &rows {
            let mut cells = row.split('|').skip(1).map(str::trim);
            let command = cells.next().expect("a command").trim_matches('`');
            let bytes: usize =
                cells.next().expect("a number").replace(',', "").parse().expect("a number");
            let output = if command == "report" { " -o /dev/null" } else { "" };
            let limit = CONSTANT + THREAD + 20 * text.len() + BLOCKS * bytes;
            run_within(folder.path(), limit, 1, &format!("{command}{output} a"));
        }
    }
}

/// Files that have been read are dropped.
#[test]
fn memory_does_not_grow_with_the_number_of_files() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("a")).expect("a folder");
    let object = large_object(1 << 20, "");
    let first = folder.path().join("a/first.isa");
    fs::write(&first, &object).expect("a file");
    for number in 1..24 {
        let path = folder.path().join(format!("a/{number}.isa"));
        fs::hard_link(&first, path).expect("a link");
    }
    for command in ["roundtrip a", "diff a a"] {
        let limit = CONSTANT + 2 * THREAD + 2 * 5 * object.len();
        run_within(folder.path(), limit, 2, command);
    }
}

/// Each kernel declares each function: the output is a hundred times as large as the input.
#[test]
fn formatted_text_is_not_kept_in_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let functions = (0..2000).map(|n| format!(".global_function \"f{n}\"\n    fret (M1, 1)\n"));
    let kernels = (0..300).map(|n| format!(".kernel \"k{n}\"\n    ret (M1, 1)\n"));
    let text = ".version 3.6\n".to_owned() + &functions.chain(kernels).collect::<String>();
    fs::write(folder.path().join("a"), &text).expect("a file");
    run_within(folder.path(), CONSTANT + 4 * (1 << 20), 1, "fmt a");
}

#[test]
fn findings_are_limited() {
    const LINES: usize = 100_000;
    let folder = tempfile::tempdir().expect("a folder");
    let head = ".version 3.6\n.kernel \"k\"\n.decl x v_type=G type=d num_elts=8 align=GRF\n";
    let text = head.to_owned() + &"    mov (M1, 16) x(0,0)<1> 0x1:d\n".repeat(LINES);
    fs::write(folder.path().join("a"), &text).expect("a file");
    for (command, memory) in [("verify a", 12 << 20), ("verify --json a", 40 << 20)] {
        let limit = CONSTANT + 5 * text.len() + memory;
        let errors = errors_within(folder.path(), limit, 1, command);
        let expected = "genvisa: a: 90000 findings more: only the first 10000 are printed\n";
        assert_eq!(errors, expected);
    }
}

/// A large file that begins with nothing known is not read.
#[test]
fn large_unknown_files_are_refused_before_they_are_read() {
    const SIZE: u64 = 3 << 30;
    let folder = tempfile::tempdir().expect("a folder");
    // A sparse file.
    fs::File::create(folder.path().join("zeros"))
        .and_then(|file| file.set_len(SIZE))
        .expect("a file");
    for command in ["info", "verify", "dis", "stats", "extract --list", "run"] {
        let errors = errors_within(folder.path(), CONSTANT, 1, &format!("{command} zeros"));
        let expected =
            format!("with {SIZE} bytes; such files are read up to {} bytes\n", 256 << 20);
        assert!(errors.ends_with(&expected), "{command}: {errors}");
    }
    for command in ["asm", "fmt"] {
        let errors = errors_within(folder.path(), CONSTANT, 1, &format!("{command} /dev/zero"));
        assert!(errors.ends_with("an unknown kind, not text\n"), "{command}: {errors}");
    }
}
