//! The command-line tool, by the transcripts in `tests/cli`.
//!
//! Each file there shows commands and what they print; `TRYCMD=overwrite` rewrites them to what the
//! tool prints now. See `tests/cli/README.md`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use genvisa::object::{Code, Name};
use genvisa::{Dialect, Format, Module, Version};

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

/// Two kernels that are whole.
fn two_kernels() -> Vec<u8> {
    let mut module = tour::module(Format::default()).expect("a module");
    let mut first = module.kernels[0].clone();
    first.name = "first".into();
    module.kernels.insert(0, first);
    module.to_bytes().expect("bytes")
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
    let output = dis(&["--out-dir", made.to_str().expect("UTF-8")], &half_broken());
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
    assert!(genvisa::Module::from_bytes(&written, genvisa::Dialect::Igc2022).is_ok());
}

/// `asm` reads the text of the pages in dialect manual, and `dis` prints it.
#[test]
fn the_text_of_the_manual_is_assembled_and_printed() {
    let head = ".version 3.6\n.kernel \"k\"\n.decl x v_type=G type=ud num_elts=64 align=GRF\n\
                .decl T6 v_type=T num_elts=1\n";
    let manual = ["--dialect", "manual"];
    let (lower, page) = ("resinfo (8) T6 x.0 x.32", "RESINFO (8) T6 x.0 x.32");
    let asm = |line: &str, dialect: &[&str]| {
        let args = [&["asm", "-", "-o", "-"], dialect].concat();
        tool(&args, format!("{head}{line}\n").as_bytes())
    };
    let assembled = asm(lower, &manual);
    assert!(assembled.status.success(), "{}", String::from_utf8_lossy(&assembled.stderr));
    let file = Module::from_bytes(&assembled.stdout, Dialect::Manual).expect("a file");
    assert_eq!(file.kernels[0].body.code.bytes()[..4], [0x70, 0x0a, 0x00, 0x03]);
    let printed = dis(&[&["--no-numbers"], &manual[..]].concat(), &assembled.stdout);
    let printed = String::from_utf8_lossy(&printed.stdout);
    assert_eq!(printed.lines().last().map(str::trim), Some(page), "{printed}");
    let wrong = asm(lower, &[]);
    let wrong = String::from_utf8_lossy(&wrong.stderr);
    assert!(wrong.contains("help: dialect manual writes INFO without channels"), "{wrong}");
    let wrong = asm("resinfo.RGBA (M1, 8) T6 x.0 x.32", &manual);
    let wrong = String::from_utf8_lossy(&wrong.stderr);
    assert!(wrong.contains("dialects igc2022 and igc2026 write INFO with channels"), "{wrong}");
}

/// Runs the tool in a folder and returns its exit code and what it prints on standard error.
fn run_in(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_genvisa"));
    let output = tool.current_dir(folder).args(args).output().expect("the tool runs");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A folder with a text and an object file.
fn folder_with_files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["plain.visaasm", "tour.isa"] {
        let copied = std::fs::copy(format!("tests/data/{name}"), folder.path().join(name));
        copied.expect("it is in the repository");
    }
    folder
}

#[test]
#[cfg(unix)]
fn inputs_are_never_overwritten() {
    let folder = folder_with_files();
    let at = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("plain.visaasm", at("symlink.visaasm")).expect("a link");
    std::fs::hard_link(at("plain.visaasm"), at("hard.visaasm")).expect("a link");
    std::fs::create_dir(at("sub")).expect("a folder");
    std::os::unix::fs::symlink("../tour.isa", at("sub/0-tour.visaasm")).expect("a link");
    std::fs::copy(at("plain.visaasm"), at("text.isa")).expect("a copy");
    std::os::unix::fs::symlink("text.isa", at("text.visaasm")).expect("a link");
    let before = |name: &str| std::fs::read(format!("tests/data/{name}")).expect("a file");
    let kept = || {
        let same = |copy: &str, name: &str| {
            assert_eq!(std::fs::read(at(copy)).expect("it is still there"), before(name), "{copy}");
        };
        same("plain.visaasm", "plain.visaasm");
        same("hard.visaasm", "plain.visaasm");
        same("text.isa", "plain.visaasm");
        same("tour.isa", "tour.isa");
    };
    let cases: [&[&str]; 11] = [
        &["asm", "plain.visaasm", "-o", "plain.visaasm"],
        &["asm", "plain.visaasm", "-o", "sub/../plain.visaasm"],
        &["asm", "plain.visaasm", "-o", "symlink.visaasm"],
        &["asm", "symlink.visaasm", "-o", "plain.visaasm"],
        &["asm", "plain.visaasm", "-o", "hard.visaasm"],
        &["asm", "text.isa"],
        &["asm", "text.visaasm"],
        &["asm", "plain.visaasm", "--gen-binaries-of", "tour.isa", "-o", "./tour.isa"],
        &["dis", "tour.isa", "-o", "tour.isa", "--force"],
        &["dis", "tour.isa", "-o", "sub/0-tour.visaasm", "--force"],
        &["dis", "tour.isa", "--out-dir", "sub", "--force"],
    ];
    for args in cases {
        let (code, said) = run_in(folder.path(), args);
        assert_eq!(code, Some(2), "{args:?}: {said}");
        assert!(said.contains(" input") && said.contains("would be overwritten"), "{said}");
        kept();
    }
    // Redirected standard input and output are files as well.
    let open = |name: &str| std::fs::File::open(at(name)).expect("a readable file");
    let append = |name: &str| {
        std::fs::OpenOptions::new().append(true).open(at(name)).expect("a writable file")
    };
    let mut tools = [(); 3].map(|()| Command::new(env!("CARGO_BIN_EXE_genvisa")));
    tools[0].args(["asm", "-", "-o", "hard.visaasm"]).stdin(open("plain.visaasm"));
    tools[1].args(["dis", "tour.isa"]).stdout(append("tour.isa"));
    tools[2].args(["fmt", "-"]).stdin(open("hard.visaasm")).stdout(append("plain.visaasm"));
    for tool in &mut tools {
        let output = tool.current_dir(folder.path()).output().expect("the tool runs");
        assert_eq!(output.status.code(), Some(2), "{tool:?}");
        kept();
    }
}

/// A command that makes no sense is refused before the file is missed that it names first.
#[test]
fn wrong_commands_are_told_from_wrong_input() {
    const ONCE: &str = "standard input can be read only once";
    const OVER: &str = "nowhere.isa is an input and would be overwritten; choose another output";
    let cases: [(&[&str], &str); 7] = [
        (&["asm", "nowhere.visaasm", "-", "-"], ONCE),
        (&["asm", "nowhere.visaasm", "-", "--gen-binaries-of", "-"], ONCE),
        (&["fmt", "nowhere.visaasm", "-", "-"], ONCE),
        (&["roundtrip", "nowhere.isa", "-", "-"], ONCE),
        (&["verify", "nowhere.isa", "-", "-"], ONCE),
        (&["asm", "nowhere.visaasm", "nowhere.isa"], OVER),
        (&["dis", "nowhere.isa", "-o", "nowhere.isa"], OVER),
    ];
    for (args, why) in cases {
        let output = tool(args, b"");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert_eq!(said.lines().next(), Some(&*format!("error: {why}")), "{args:?}");
        assert!(said.contains(&format!("Usage: genvisa {} ", args[0])), "{said}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    // Once is fine.
    let text = std::fs::read("tests/data/plain.visaasm").expect("it is in the repository");
    assert_eq!(tool(&["asm", "-", "-o", "-"], &text).status.code(), Some(0));
}

/// A routine has one text.
#[test]
fn texts_of_one_file_have_different_names() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (a, b, out) = (path("a.visaasm"), path("b.visaasm"), path("out.isa"));
    for text in [&a, &b] {
        std::fs::write(text, ".version 3.6\n.kernel \"k\"\nret (M1, 1)\n")
            .expect("a writable file");
    }
    let result = tool(&["asm", &a, &b, "-o", &out], b"");
    assert_eq!(result.status.code(), Some(1));
    let message = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(message.contains("that an earlier text has"), "{message}");
    assert!(!std::path::Path::new(&out).exists());
}

/// What text can say and bytes cannot is shown where it is.
#[test]
fn tables_that_do_not_fit_are_shown_in_the_text() {
    let source = ".version 3.6\n.kernel \"k\"\n.decl v v_type=G type=d num_elts=70000\n";
    let result = tool(&["asm", "-", "-o", "-"], source.as_bytes());
    assert_eq!(result.status.code(), Some(1));
    let message = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(message.contains("num_elements: 70000 is more than 65535"), "{message}");
    assert!(message.contains("-:3:1") && message.contains(".decl v v_type=G"), "{message}");
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
    let module = Module::from_bytes(&bytes, Dialect::Igc2022).expect("an object");
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

/// `dis F | asm - -o G --gen-binaries-of F` gives F again, in whatever version it is.
#[test]
fn a_file_comes_back_from_what_dis_prints() {
    let tour = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tour.isa").into();
    for path in std::iter::once(tour).chain(corpus::files()) {
        let bytes = std::fs::read(&path).expect("a readable file");
        let name = path.to_str().expect("UTF-8");
        for numbers in [&[][..], &["--no-numbers"]] {
            let text = dis(numbers, &bytes);
            assert!(text.status.success(), "{name}");
            let file = tool(&["asm", "-", "-o", "-", "--gen-binaries-of", name], &text.stdout);
            let said = String::from_utf8_lossy(&file.stderr);
            assert!(file.status.success() && said.is_empty(), "{name}: {said}");
            assert!(file.stdout == bytes, "{name}");
        }
    }
}

/// The same in every version, `//@` comments included.
#[test]
fn the_version_of_the_text_is_the_version_of_the_file() {
    // The parser takes text of 4.8 for newer than 4.2, which has a paired surface in every sampler
    // message.
    for version in Version::ALL.iter().filter(|version| **version != Version::V4_8) {
        let module = tour::module(Format::igc2022(*version)).expect("a module");
        let bytes = module.to_bytes().expect("bytes");
        let text = dis(&[], &bytes);
        let again = tool(&["asm", "-", "-o", "-"], &text.stdout);
        let said = String::from_utf8_lossy(&again.stderr);
        let read = Module::from_bytes(&again.stdout, Dialect::Igc2022);
        let read = read.unwrap_or_else(|error| panic!("{version}: {error}\n{said}"));
        assert_eq!(read.format.version, *version, "{said}");
        assert!(said.is_empty(), "{version}: {said}");
    }
}

const KERNEL: &str = ".decl d v_type=G type=d num_elts=8 align=GRF\n";

/// A text of a kernel with one instruction.
fn text(version: &str, name: &str, instruction: &str) -> String {
    format!(".version {version}\n.kernel \"{name}\"\n{KERNEL}    {instruction}\n")
}

/// The version that `asm` gives a text, and what it prints on standard error.
fn assembled(text: &str, options: &[&str]) -> (Option<Version>, String) {
    let output = tool(&[&["asm", "-", "-o", "-"], options].concat(), text.as_bytes());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let module = Module::from_bytes(&output.stdout, Dialect::Igc2022).ok();
    (module.map(|module| module.format.version), said)
}

#[test]
fn a_newer_version_is_used_with_a_warning() {
    let plain = "ret (M1, 1)";
    assert_eq!(assembled(&text("3.2", "k", plain), &[]), (Some(Version::V3_2), String::new()));
    assert_eq!(assembled(&text("4.2", "k", plain), &[]), (Some(Version::V3_6), String::new()));
    assert_eq!(
        assembled(&text("3.2", "k", plain), &["--isa-version", "4.0"]),
        (Some(Version::V4_0), String::new())
    );
    // WAIT has an operand since 3.1.
    let wait = text("3.0", "k", "wait 0x1:ud\n    wait 0x2:ud");
    let (version, said) = assembled(&wait, &[]);
    assert_eq!(version, Some(Version::V3_6));
    let title = "version 3.0 cannot express everything in the text: it is assembled as 3.6";
    assert!(said.starts_with(&format!("warning: {title}\n --> -:4:5\n")), "{said}");
    assert!(said.contains("^ mask: this field cannot be expressed"), "{said}");
    assert!(said.contains("1 other place needs it as well"), "{said}");
    assert_eq!(assembled(&wait, &["--isa-version", "3.0"]).0, None);
    let verified = tool(&["verify", "-"], wait.as_bytes());
    assert!(String::from_utf8_lossy(&verified.stderr).contains(title));
    // What is wrong in every version is reported once, for the version with the fewest errors.
    let (version, said) = assembled(&wait.replace("0x2:ud", "0x2:udd"), &[]);
    assert_eq!(version, None);
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
}

#[test]
fn texts_of_different_versions_need_a_choice() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (file, version) in [("a", "3.2"), ("b", "3.6"), ("c", "4.2")] {
        let text = format!("// comment\n{}", text(version, file, "ret (M1, 1)"));
        std::fs::write(folder.path().join(file), text).expect("a writable file");
    }
    let asm = |args: &[&str]| run_in(folder.path(), &[&["asm", "-o", "out.isa"], args].concat());
    let version = || {
        let file = std::fs::read(folder.path().join("out.isa")).expect("it was written");
        Module::from_bytes(&file, Dialect::Igc2022).expect("an object").format.version
    };
    let (code, said) = asm(&["a", "b", "c"]);
    let expected = "genvisa: a file has one version, but a:2 states 3.2 and b:2 states 3.6: choose \
                    one with --isa-version\n";
    assert_eq!((code, &*said), (Some(1), expected));
    assert_eq!(asm(&["a", "b", "c", "--isa-version", "3.4"]), (Some(0), String::new()));
    assert_eq!(version(), Version::V3_4);
    // Text without a binary form adopts the version of the others.
    assert_eq!(asm(&["c", "a"]), (Some(0), String::new()));
    assert_eq!(version(), Version::V3_2);
    // A text of several routines may state several versions.
    let both = [text("3.2", "a", "ret (M1, 1)"), text("3.6", "b", "ret (M1, 1)")].concat();
    let (version, said) = assembled(&both, &[]);
    assert_eq!(version, None);
    assert!(said.contains("-:1 states 3.2 and -:5 states 3.6"), "{said}");
    let output = tool(&["verify", "-"], both.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let output = tool(&["fmt", "--no-numbers", "-"], both.as_bytes());
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let versions: Vec<_> = printed.lines().filter(|line| line.starts_with(".version")).collect();
    assert_eq!(versions, [".version 3.2", ".version 3.6"]);
}

#[test]
fn edited_text_is_not_overwritten() {
    let folder = folder_with_files();
    let at = |name: &str| folder.path().join(name);
    let run = |args: &[&str]| run_in(folder.path(), args);
    let both = two_kernels();
    std::fs::write(at("two.isa"), both).expect("a writable file");
    let read = |name: &str| std::fs::read_to_string(at(name)).expect("a text");
    let fine = (Some(0), String::new());
    assert_eq!(run(&["dis", "two.isa", "-o", "two.visaasm"]), fine);
    assert_eq!(run(&["dis", "two.isa", "--out-dir", "out"]), fine);
    let whole = read("two.visaasm");
    assert_eq!(whole.matches(".kernel \"").count(), 2);
    assert_eq!(whole, [read("out/0-first.visaasm"), read("out/1-tour.visaasm")].join("\n"));
    // The same again changes nothing.
    assert_eq!(run(&["dis", "two.isa", "-o", "two.visaasm"]), fine);
    assert_eq!(run(&["dis", "two.isa", "--out-dir", "out"]), fine);
    // One file is edited and one is missing: neither is written.
    std::fs::write(at("two.visaasm"), "edited").expect("a writable file");
    std::fs::write(at("out/1-tour.visaasm"), "edited").expect("a writable file");
    std::fs::remove_file(at("out/0-first.visaasm")).expect("it is there");
    for (args, name) in
        [(["-o", "two.visaasm"], "two.visaasm"), (["--out-dir", "out"], "out/1-tour.visaasm")]
    {
        let (code, said) = run(&["dis", "two.isa", args[0], args[1]]);
        assert_eq!(code, Some(1));
        let expected = "exists and has other contents: nothing is written; --force overwrites it";
        assert_eq!(said, format!("genvisa: {name} {expected}\n"));
        assert_eq!(read(name), "edited");
    }
    assert_eq!(std::fs::read_dir(at("out")).expect("a folder").count(), 1);
    assert_eq!(run(&["dis", "two.isa", "-o", "two.visaasm", "--force"]), fine);
    assert_eq!(run(&["dis", "two.isa", "--out-dir", "out", "--force"]), fine);
    assert_eq!(whole, read("two.visaasm"));
    assert_eq!(whole, [read("out/0-first.visaasm"), read("out/1-tour.visaasm")].join("\n"));
    let (code, said) = run(&["dis", "two.isa", "-o", "out"]);
    assert_eq!(code, Some(1));
    assert!(said.starts_with("genvisa: out (see --out-dir): "), "{said}");
}

#[test]
fn machine_code_of_changed_kernels_is_reported() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("tour.isa");
    std::fs::copy("tests/data/tour.isa", &file).expect("it is in the repository");
    let file = file.to_str().expect("UTF-8");
    let text = dis(&[], &std::fs::read(file).expect("a file")).stdout;
    let text = String::from_utf8(text).expect("UTF-8");
    let asm = |text: &str, options: &[&str]| {
        let args = [&["asm", "-", "-o", "-", "--gen-binaries-of", file], options].concat();
        let output = tool(&args, text.as_bytes());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let fine = (Some(0), String::new());
    assert_eq!(asm(&text, &[]), fine);
    // The same instructions in another version.
    assert_eq!(asm(&text, &["--isa-version", "4.1"]), fine);
    let (code, said) = asm(&text.replace("0x4:ud", "0x8:ud"), &[]);
    let expected = format!(
        "genvisa: warning: kernel `tour`: the machine code taken from {file} is stale: the kernel's \
         vISA code there is different\n"
    );
    assert_eq!((code, said), (Some(0), expected));
}

/// `genvisa ... >&-`: the runtime opens `/dev/null` in place of a closed standard output.
#[test]
#[cfg(unix)]
fn closed_standard_output_is_an_error() {
    let commands = [
        "dis tests/data/tour.isa",
        "dis --help",
        "--version",
        "info tests/data/tour.isa",
        "info --json tests/data/tour.isa",
        "explain tests/data/tour.isa",
        "explain --hex 59",
        "roundtrip tests/data/tour.isa",
        "fmt tests/data/plain.visaasm",
        "asm tests/data/plain.visaasm -o -",
        "verify --list",
        "verify tests/data/illegal.visaasm",
    ];
    let run = |command: &str, to: &str| {
        let line = format!("{} {command} {to}", env!("CARGO_BIN_EXE_genvisa"));
        let output = Command::new("sh").args(["-c", &line]).output().expect("a shell");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for command in commands {
        let closed = (Some(1), "genvisa: standard output is closed\n".into());
        assert_eq!(run(command, ">&-"), closed, "{command}");
    }
    // Nothing is printed: standard output is not needed.
    assert_eq!(run("verify tests/data/tour.isa", ">&-"), (Some(0), String::new()));
    assert_eq!(run("dis tests/data/tour.isa", "1<>/dev/null"), (Some(0), String::new()));
}

/// Explaining a file prints its fields as they are read. The fields of two kernels and their code are
/// in the order of the routines, with names.
#[test]
fn explain_prints_each_routine_with_its_code() {
    let output = tool(&["explain", "-"], &two_kernels());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let headings: Vec<&str> = (text.lines())
        .filter(|line| !line.starts_with(' ') && !line.starts_with("instruction"))
        .map(|line| line.split(',').next().unwrap_or_default())
        .collect();
    let expected = [
        "header",
        "kernel `first`",
        "kernel `tour`",
        "gen binary 0 of kernel `first`: 16 bytes for platform 5 (SKL)",
        "gen binary 0 of kernel `tour`: 16 bytes for platform 5 (SKL)",
    ];
    assert_eq!(headings, expected, "{text}");
    let (first, second) = text.split_at(text.find("kernel `tour`, at").expect("two kernels"));
    assert_eq!(first.matches("\ninstruction ").count(), 14);
    assert_eq!(second.matches("\ninstruction ").count(), 14);
    let one = tool(&["explain", "-", "--routine", "tour"], &two_kernels());
    let one = String::from_utf8_lossy(&one.stdout).into_owned();
    assert!(second.starts_with(&one), "{one}");
    assert!(one.contains("string 1  \"level\"") || one.contains("\"level\""), "{one}");
}

/// The notes on a file take many times its size: `explain` prints them without collecting them.
#[test]
#[cfg(target_os = "linux")]
fn explain_takes_little_memory() {
    use std::io::Read;
    const SIZE: usize = 512 << 10;
    // A kernel with many empty strings.
    let mut module = Module::new(Format::default());
    module.kernels.push(tour::module(Format::default()).expect("a module").kernels.remove(0));
    module.kernels[0].body.strings.resize(SIZE, Name::default());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("strings.isa");
    std::fs::write(&file, module.to_bytes().expect("bytes")).expect("a writable file");
    let mut explain = Command::new(env!("CARGO_BIN_EXE_genvisa"))
        .arg("explain")
        .arg(&file)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the tool runs");
    // It waits for the rest to be read, with most of the file before it.
    let mut start = [0; 4096];
    explain.stdout.as_mut().expect("it is piped").read_exact(&mut start).expect("it prints");
    let status = std::fs::read_to_string(format!("/proc/{}/status", explain.id()));
    explain.kill().expect("it still runs");
    explain.wait().expect("it ends");
    let status = status.expect("the status of a process");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its memory");
    let peak: usize = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    // Two modules at most, 32 times the size each, and the program itself.
    assert!(peak << 10 < 64 * SIZE + (16 << 20), "{peak} kB");
}
