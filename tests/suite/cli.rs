//! The command-line tool, by the transcripts in `tests/cli`.
//!
//! Each file there shows commands and what they print; `TRYCMD=overwrite` rewrites them to what the
//! tool prints now. See `tests/cli/README.md`.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use genvisa::object::Code;
use genvisa::{Dialect, Format, Module};

use crate::{corpus, tour};

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/cli/*.trycmd").case("README.md");
}

#[test]
fn the_tour_is_what_the_example_builds() {
    let built = tour::module(Format::default()).expect("a module").to_bytes();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tour.isa");
    assert_eq!(built, Ok(std::fs::read(path).expect("it is in the repository")));
}

#[test]
fn standard_input_is_a_file_like_any_other() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tour.isa");
    let file = std::fs::File::open(path).expect("it is in the repository");
    let output = Command::new(env!("CARGO_BIN_EXE_genvisa"))
        .args(["roundtrip", "-"])
        .stdin(Stdio::from(file))
        .output()
        .expect("the tool runs");
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.lines().last(), Some("1 files, 1 routines, 14 instructions, 0 mismatches"));
}

#[test]
fn the_corpus_makes_the_round_trip() {
    let files = corpus::files();
    if files.is_empty() {
        return;
    }
    let output = Command::new(env!("CARGO_BIN_EXE_genvisa"))
        .arg("roundtrip")
        .args(&files)
        .output()
        .expect("the tool runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let summary = text.lines().last().expect("a summary");
    assert!(summary.starts_with(&format!("{} files, ", files.len())), "{summary}");
    assert!(summary.ends_with(", 0 mismatches"), "{text}");
    assert!(output.status.success());
    eprintln!("{summary}");
}

/// Two kernels, the first of which has a retired opcode for its fourth instruction.
fn half_broken() -> Vec<u8> {
    let mut module = tour::module(Format::default()).expect("a module");
    let mut broken = module.kernels[0].clone();
    broken.name = "broken".into();
    let mut code = broken.body.code.bytes().to_vec();
    let third = broken.body.code.boundaries(module.format).nth(3).expect("many").expect("legal");
    code[third.offset] = 0x3b;
    broken.body.code = Code::Present { bytes: code.into(), offset: 0 };
    module.kernels.insert(0, broken);
    module.to_bytes().expect("bytes, whatever they mean")
}

fn dis(args: &[&str], file: &[u8]) -> Output {
    tool(&[&["dis", "-"], args].concat(), file)
}

/// The tool with these bytes for its standard input.
fn tool(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_genvisa"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool runs");
    child.stdin.take().expect("it is piped").write_all(input).expect("it reads all");
    child.wait_with_output().expect("the tool ends")
}

#[test]
fn a_kernel_that_breaks_off_is_printed_so_far_and_the_others_whole() {
    let output = dis(&[], &half_broken());
    let (text, said) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("kernel `broken`, instruction 3: opcode 0x3b"), "{said}");
    let (broken, whole) = text.split_at(text.rfind(".version").expect("two kernels"));
    assert!(broken.contains("/// $2") && !broken.contains("/// $3"), "{broken}");
    assert!(whole.contains(".kernel \"tour\"") && whole.contains("/// $13"), "{whole}");
}

#[test]
fn a_folder_gets_a_file_for_each_routine_that_is_whole() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let made = folder.path().join("made/on demand");
    let output = dis(&["-o", made.to_str().expect("UTF-8")], &half_broken());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("0-broken.visaasm is not written"), "{said}");
    assert!(output.stdout.is_empty());
    let files: Vec<_> = made.read_dir().expect("it was made").flatten().collect();
    let names: Vec<_> = files.iter().map(|file| file.file_name()).collect();
    assert_eq!(names, ["1-tour.visaasm"]);
    let text = std::fs::read_to_string(files[0].path()).expect("a readable file");
    assert!(text.starts_with(".version 3.6\n.kernel \"tour\"\n"), "{text}");
}

/// Bytes go through as they are, though nobody's terminal reads them.
#[test]
fn assembled_bytes_are_the_same_on_standard_output() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("plain.isa");
    let asm = |output: &std::path::Path| {
        Command::new(env!("CARGO_BIN_EXE_genvisa"))
            .args(["asm", "tests/data/plain.visaasm", "-o"])
            .arg(output)
            .output()
            .expect("the tool runs")
    };
    assert!(asm(&file).status.success());
    let written = std::fs::read(&file).expect("it was written");
    assert_eq!(asm("-".as_ref()).stdout, written);
    assert!(genvisa::Module::parse(&written, genvisa::Dialect::Igc2022).is_ok());
}

#[test]
fn a_text_is_not_overwritten_by_its_own_bytes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("text.isa");
    std::fs::copy("tests/data/plain.visaasm", &file).expect("it is in the repository");
    // The second text is the same file as the first one's bytes would go to, in other words.
    let texts = [
        vec![file.clone()],
        vec![file.with_extension("visaasm"), folder.path().join("./text.isa")],
    ];
    std::fs::copy(&file, &texts[1][0]).expect("room for a file");
    for texts in texts {
        let output = Command::new(env!("CARGO_BIN_EXE_genvisa"))
            .arg("asm")
            .args(&texts)
            .output()
            .expect("the tool runs");
        assert_eq!(output.status.code(), Some(2), "{texts:?}");
        let kept = std::fs::read("tests/data/plain.visaasm").expect("it is in the repository");
        assert_eq!(std::fs::read(&file).expect("it is still there"), kept);
    }
}

/// A command that makes no sense is refused before the file is missed that it names first.
#[test]
fn wrong_commands_are_told_from_wrong_input() {
    const ONCE: &str = "standard input can be read only once";
    const OVER: &str = "nowhere.isa: the text would be overwritten; say where to with --output";
    let cases: [(&[&str], &str); 6] = [
        (&["asm", "nowhere.visaasm", "-", "-"], ONCE),
        (&["asm", "nowhere.visaasm", "-", "--gen-binaries-of", "-"], ONCE),
        (&["fmt", "nowhere.visaasm", "-", "-"], ONCE),
        (&["roundtrip", "nowhere.isa", "-", "-"], ONCE),
        (&["verify", "nowhere.isa", "-", "-"], ONCE),
        (&["asm", "nowhere.visaasm", "nowhere.isa"], OVER),
    ];
    for (args, why) in cases {
        let output = tool(args, b"");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert_eq!(said.lines().next(), Some(&*format!("error: {why}")), "{args:?}");
        assert!(said.contains(&format!("Usage: genvisa {} ", args[0])), "{said}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    // Once is fine, and so is a text that is to be overwritten.
    let text = std::fs::read("tests/data/plain.visaasm").expect("it is in the repository");
    assert_eq!(tool(&["asm", "-", "-o", "-"], &text).status.code(), Some(0));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("text.isa");
    std::fs::write(&file, &text).expect("a writable file");
    let file = file.to_str().expect("UTF-8");
    assert_eq!(tool(&["asm", file, "-o", file], b"").status.code(), Some(0));
}

/// The order of a file's sections and its padding are not those of a file of several texts.
#[test]
fn a_text_that_lays_out_its_file_is_not_joined_to_others() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (text, file) = (folder.path().join("laid-out.visaasm"), folder.path().join("both.isa"));
    let asm = |sections: &str, texts: &[&str]| {
        let kernels = ["a", "b"]
            .map(|name| format!(".version 3.6\n.kernel \"{name}\"\nret (M1, 1)\n"))
            .concat();
        let source = format!("//@ sections {sections}\n{kernels}");
        std::fs::write(&text, source).expect("a writable file");
        let mut tool = Command::new(env!("CARGO_BIN_EXE_genvisa"));
        let output = tool.arg("asm").arg(&text).args(texts).arg("-o").arg(&file).output();
        let output = output.expect("the tool runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for sections in ["kernel 0 kernel 1 padding = 01 02", "kernel 1 kernel 0"] {
        let (code, said) = asm(sections, &["tests/data/plain.visaasm"]);
        assert_eq!(code, Some(1));
        let why = "this text says how the sections of the file lie: it cannot be joined to others";
        assert!(said.ends_with(&format!("laid-out.visaasm: {why}\n")), "{said}");
        assert!(!file.exists());
    }
    assert_eq!(asm("kernel 1 kernel 0", &[]), (Some(0), String::new()));
    let usual = asm("kernel 0 kernel 1", &["tests/data/plain.visaasm"]);
    assert_eq!(usual, (Some(0), String::new()));
    let bytes = std::fs::read(&file).expect("it was written");
    let module = Module::parse(&bytes, Dialect::Igc2022).expect("an object");
    assert_eq!(module.kernels.len(), 3);
}

/// A finding in a text has no offset, but names may hold the word.
#[test]
fn a_name_with_an_offset_in_it_is_printed_whole() {
    let text = b".version 3.6
.kernel \"k (offset 1\"
.decl x v_type=G type=d num_elts=32 align=GRF
.decl T6 v_type=T num_elts=1 v_name=texture
.input x offset=33 size=128
sampleinfo.RGBA (M1, 8) T6 x.0
ret (M1, 1)
";
    let output = tool(&["verify", "-"], text);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stdout);
    let expected = [
        "-:5:1: error[input-aligned]: kernel `k (offset 1`, input 0, offset: 33, not a multiple of 32",
        "-:6:1: error[info-dst-type]: kernel `k (offset 1`, instruction 0 info_3d, dst: d, not ud",
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
}

/// `genvisa ... | head -1`: no complaint, and no other exit code than otherwise.
#[test]
fn output_that_nobody_reads_is_no_failure() {
    let tour = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tour.isa");
    let cases: [(&[&str], bool); 6] = [
        (&["dis", tour], true),
        (&["explain", tour], true),
        (&["info", "--json", tour], true),
        (&["info", tour], true),
        (&["roundtrip", tour], true),
        (&["roundtrip", "nowhere.isa"], false),
    ];
    for (args, fine) in cases {
        // What nobody reads: the input of a program that has ended.
        let mut ended = Command::new(env!("CARGO_BIN_EXE_genvisa"))
            .arg("--version")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the tool runs");
        let unread = ended.stdin.take().expect("its input");
        ended.wait().expect("it ends");
        let output = Command::new(env!("CARGO_BIN_EXE_genvisa"))
            .args(args)
            .stdout(unread)
            .stderr(Stdio::piped())
            .output()
            .expect("the tool runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.success(), fine, "{args:?}: {said}");
        assert_eq!(said.is_empty(), fine, "{args:?}: {said}");
    }
}

/// What `dis` prints of a file, `asm` makes that file of, given its machine code.
#[test]
fn a_file_comes_back_from_what_dis_prints() {
    let tour = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tour.isa").into();
    let folder = tempfile::tempdir().expect("a folder");
    let (text, file) = (folder.path().join("text.visaasm"), folder.path().join("text.isa"));
    for path in std::iter::once(tour).chain(corpus::files()) {
        let run = |command: &mut Command| {
            let output = command.output().expect("the tool runs");
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {stderr}", path.display());
            output.stdout
        };
        let bytes = std::fs::read(&path).expect("a readable file");
        let format = Module::parse(&bytes, Dialect::Igc2022).expect("an object").format;
        let version = format.version.to_string();
        let tool = || Command::new(env!("CARGO_BIN_EXE_genvisa"));
        std::fs::write(&text, run(tool().arg("dis").arg(&path))).expect("a writable file");
        let asm = ["asm", "--isa-version", &version, "--gen-binaries-of"];
        run(tool().args(asm).arg(&path).arg(&text));
        let same = std::fs::read(&file).is_ok_and(|file| file == bytes);
        assert!(same, "{}", path.display());
    }
}
