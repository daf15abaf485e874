//! Tests of the command-line tool that a transcript (`tests/transcripts.rs`) cannot express.
//!
//! The tool runs in the root of the repository.

mod asm;
#[cfg(target_os = "linux")]
mod bombs;
mod cfg;
mod changes;
mod colors;
mod commands;
mod device_binaries;
mod diff;
mod dis;
mod dumps;
mod editors;
mod equiv;
mod evidence;
mod explain;
mod explain_html;
mod explanations;
mod extract;
#[cfg(target_os = "linux")]
mod faults;
mod file_kinds;
mod files;
mod fmt;
mod format_doc;
mod inline;
mod isa;
mod machine_code;
mod man_pages;
mod memory;
mod odd_names;
mod overrides;
mod parallel;
#[cfg(target_os = "linux")]
mod progress;
mod registers;
mod report;
mod run_bugs;
mod run_kernels;
mod run_pictures;
mod schema;
mod source_lines;
mod stats;
mod triage;
mod versions;

#[path = "../../../../fuzz/bodies/containers.rs"]
mod fuzz;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use genvisa::Format;
use genvisa::object::Code;
use genvisa_test_support::{corpus, repository, tour};

#[test]
fn tour_file_matches_the_example() {
    let built = tour::module(Format::default()).expect("a module").to_bytes();
    let path = "tests/data/tour.isa";
    assert_eq!(built, Ok(std::fs::read(repository(path)).expect("a file of the repository")));
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_round_trips() {
    let files = corpus::required_files();
    let output = crate::tool().arg("roundtrip").args(&files).output().expect("the tool runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let summary = text.lines().last().expect("a summary");
    assert!(summary.starts_with(&format!("{} file", files.len())), "{summary}");
    assert!(summary.ends_with(", 0 mismatches"), "{text}");
    assert!(output.status.success());
    eprintln!("{summary}");
}

/// Returns a file with two kernels. The fourth instruction of the first has a retired opcode.
fn file_with_broken_kernel() -> Vec<u8> {
    let mut module = tour::module(Format::default()).expect("a module");
    let mut broken = module.kernels[0].clone();
    broken.name = "broken".into();
    let mut code = broken.body.code.bytes().to_vec();
    let fourth = broken
        .body
        .code
        .boundaries(module.format)
        .nth(3)
        .expect("many")
        .expect("a valid instruction");
    code[fourth.offset] = 0x3b;
    broken.body.code = Code::Present { bytes: code.into(), offset: 0 };
    module.kernels.insert(0, broken);
    module.to_bytes().expect("an encodable module")
}

/// Returns a text of version 4.2 with these routines: the directive, the name and an instruction.
fn text_of(routines: &[(&str, &str, &str)]) -> String {
    let routine = |(directive, name, instruction): &(&str, &str, &str)| {
        format!(".version 4.2\n.{directive} \"{name}\"\n    {instruction}\n")
    };
    routines.iter().map(routine).collect()
}

/// Returns a file with two correct kernels.
fn file_with_two_kernels() -> Vec<u8> {
    let mut module = tour::module(Format::default()).expect("a module");
    let mut first = module.kernels[0].clone();
    first.name = "first".into();
    module.kernels.insert(0, first);
    module.to_bytes().expect("bytes")
}

fn dis(args: &[&str], file: &[u8]) -> Output {
    run(&[&["dis", "-"], args].concat(), file)
}

/// Returns the tool, which runs in the root of the repository.
fn tool() -> Command {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_genvisa"));
    tool.current_dir(repository(""));
    tool
}

/// Runs the tool with these bytes as standard input.
fn run(args: &[&str], input: &[u8]) -> Output {
    let mut child = crate::tool()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool runs");
    child.stdin.take().expect("it is piped").write_all(input).expect("it reads all");
    child.wait_with_output().expect("the tool ends")
}

/// Runs the tool in a folder and returns its exit code and its standard error.
fn run_in(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut tool = crate::tool();
    let output = tool.current_dir(folder).args(args).output().expect("the tool runs");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Creates a folder with a text and a `.isa` file.
fn folder_with_files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["plain.visaasm", "tour.isa"] {
        let copied = std::fs::copy(
            crate::repository(&format!("tests/data/{name}")),
            folder.path().join(name),
        );
        copied.expect("a file of the repository");
    }
    folder
}

/// A name in a finding can contain text that looks like the offset at its end.
#[test]
fn verify_prints_names_that_contain_offset() {
    let text = b".version 3.6
.kernel \"k (offset 1\"
.decl x v_type=G type=d num_elts=32 align=GRF
.decl T6 v_type=T num_elts=1 v_name=texture
.input x offset=33 size=128
sampleinfo.RGBA (M1, 8) T6 x.0
ret (M1, 1)
";
    let object = run(&["asm", "-", "-o", "-"], text).stdout;
    let output = run(&["verify", "--deny", "manual", "-"], &object);
    assert_eq!(output.status.code(), Some(1));
    let stdout = String::from_utf8_lossy(&output.stdout);
    let expected = [
        "-: error[input-aligned]: kernel `k (offset 1`, input 0 `x`, offset: ",
        "-: error[info-dst-type]: kernel `k (offset 1`, instruction 0 info_3d, dst: ",
        "1 file, 1 routine: 2 errors, 0 warnings",
    ];
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{stdout}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.starts_with(expected), "{line}");
    }
}
