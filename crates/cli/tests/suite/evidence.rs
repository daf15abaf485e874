//! What each command prints of each kind of file, as a document.

use std::{env, fs};

use super::file_kinds::{Kind, kinds};
use super::{repository, run};

const PATH: &str = "docs/evidence/files.md";

/// Real files, with what they are.
const FILES: &[(&str, &str)] = &[
    ("a .isa file", "tests/data/tour.isa"),
    ("vISA text", "tests/data/collatz.visaasm"),
    ("a device binary of ocloc with texts", "crates/interp/tests/data/scale-bmg.bin"),
    ("a device binary of ocloc without texts", "crates/container/tests/data/facts-dg2.bin"),
    ("a Python wheel with a device binary", "crates/container/tests/compressed/facts.whl"),
    ("a bundle that clang compressed", "crates/container/tests/compressed/facts.ccob"),
    ("a C source with arrays", "tests/data/kernels.c"),
    ("LLVM IR with inline assembly", "tests/data/inline/lanes.ll"),
];

/// The commands that read files of any kind.
const COMMANDS: &[&[&str]] = &[
    &["info"],
    &["dis"],
    &["explain"],
    &["extract", "--list"],
    &["verify"],
    &["check"],
    &["stats"],
    &["cfg", "--format", "tree"],
    &["run"],
    &["roundtrip"],
];

/// Returns the first line of what a command prints of a file, with its exit code.
fn answer(command: &[&str], path: &str, name: &str) -> String {
    const WIDTH: usize = 100;
    let output = run(&[command, &[path]].concat(), b"");
    let code = output.status.code().expect("an exit code");
    let prefers_errors = code != 0 && !output.stderr.is_empty();
    let text =
        if prefers_errors || output.stdout.is_empty() { output.stderr } else { output.stdout };
    let text = String::from_utf8(text).expect("UTF-8").replace(path, name);
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("nothing").trim();
    let short: String = line.chars().take(WIDTH).collect();
    let more = if short.len() < line.len() { " .." } else { "" };
    format!(
        "| {} | {code} | {}{more} |\n",
        command[0],
        short.replace('|', "\\|").replace('<', "\\<")
    )
}

fn section(title: &str, path: &str, name: &str) -> String {
    let rows: String = COMMANDS.iter().map(|command| answer(command, path, name)).collect();
    format!(
        "### {title}\n\n`{name}`:\n\n| Command | Exit code | First line |\n|---|---|---|\n{rows}\n"
    )
}

#[test]
fn the_document_has_what_each_command_prints_of_each_kind_of_file() {
    let mut sections = String::new();
    for (title, file) in FILES {
        let name = file.rsplit('/').next().expect("a name");
        sections += &section(title, &repository(file).display().to_string(), name);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    let mut seen: Vec<&str> = Vec::new();
    for Kind { bytes, name, .. } in kinds() {
        if !seen.contains(&name) {
            seen.push(name);
            fs::write(&path, bytes).expect("a writable file");
            sections += &section(name, path.to_str().expect("UTF-8"), "FILE");
        }
    }
    let document = fs::read_to_string(repository(PATH)).expect(PATH);
    let (before, rest) = document.split_once("<!-- files -->\n").expect("a mark");
    let (_, after) = rest.split_once("<!-- end -->").expect("a mark");
    let expected = format!("{before}<!-- files -->\n{sections}<!-- end -->{after}");
    if env::var_os("GENVISA_BLESS").is_some() {
        fs::write(repository(PATH), &expected).expect("a writable file");
    } else {
        assert!(document == expected, "run with GENVISA_BLESS=1 to write {PATH}");
    }
}
