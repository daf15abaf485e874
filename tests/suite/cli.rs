//! Tests of the command-line tool: the transcripts in `tests/cli` (see the README there), and cases
//! that a transcript cannot express.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use genvisa::object::{Code, Name};
use genvisa::{Dialect, Format, Module, Version};

use crate::{corpus, tour};

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/cli/*.trycmd").case("docs/inline.md").case("README.md");
}

#[test]
fn tour_file_matches_the_example() {
    let built = tour::module(Format::default()).expect("a module").to_bytes();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tour.isa");
    assert_eq!(built, Ok(std::fs::read(path).expect("a file of the repository")));
}

#[test]
fn reads_standard_input() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tour.isa");
    let file = std::fs::File::open(path).expect("a file of the repository");
    let output = Command::new(env!("CARGO_BIN_EXE_genvisa"))
        .args(["roundtrip", "-"])
        .stdin(Stdio::from(file))
        .output()
        .expect("the tool runs");
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.lines().last(), Some("1 file, 1 routine, 14 instructions, 0 mismatches"));
}

#[test]
fn corpus_round_trips() {
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

/// Runs the tool with these bytes as standard input.
fn run(args: &[&str], input: &[u8]) -> Output {
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
fn dis_prints_a_broken_kernel_up_to_the_error() {
    let output = dis(&[], &file_with_broken_kernel());
    let (text, stderr) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.contains("kernel `broken`, instruction 3: opcode 0x3b"), "{stderr}");
    let (broken, whole) = text.split_at(text.rfind(".version").expect("two kernels"));
    assert!(broken.contains("/// $2") && !broken.contains("/// $3"), "{broken}");
    assert!(whole.contains(".kernel \"tour\"") && whole.contains("/// $13"), "{whole}");
}

#[test]
fn dis_writes_a_file_for_each_correct_routine() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let made = folder.path().join("new/sub folder");
    let output = dis(&["--out-dir", made.to_str().expect("UTF-8")], &file_with_broken_kernel());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr.contains("0-broken.visaasm` was not written"), "{stderr}");
    assert!(output.stdout.is_empty());
    let files: Vec<_> = made.read_dir().expect("it was made").flatten().collect();
    let names: Vec<_> = files.iter().map(|file| file.file_name()).collect();
    assert_eq!(names, ["1-tour.visaasm"]);
    let text = std::fs::read_to_string(files[0].path()).expect("a readable file");
    assert!(text.starts_with(".version 3.6\n.kernel \"tour\"\n"), "{text}");
}

/// Output that is not a terminal loses control sequences, but not if it is a `.isa` file.
#[test]
fn asm_writes_the_same_bytes_to_standard_output() {
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

/// `asm` reads the text syntax of the manual pages in dialect manual, and `dis` prints it.
#[test]
fn dialect_manual_has_its_own_syntax() {
    let head = ".version 3.6\n.kernel \"k\"\n.decl x v_type=G type=ud num_elts=64 align=GRF\n\
                .decl T6 v_type=T num_elts=1\n";
    let manual = ["--dialect", "manual"];
    let (lower_case, upper_case) = ("resinfo (8) T6 x.0 x.32", "RESINFO (8) T6 x.0 x.32");
    let asm = |line: &str, dialect: &[&str]| {
        let args = [&["asm", "-", "-o", "-"], dialect].concat();
        run(&args, format!("{head}{line}\n").as_bytes())
    };
    let assembled = asm(lower_case, &manual);
    assert!(assembled.status.success(), "{}", String::from_utf8_lossy(&assembled.stderr));
    let file = Module::from_bytes(&assembled.stdout, Dialect::Manual).expect("a file");
    assert_eq!(file.kernels[0].body.code.bytes()[..4], [0x70, 0x0a, 0x00, 0x03]);
    let printed = dis(&[&["--no-numbers"], &manual[..]].concat(), &assembled.stdout);
    let printed = String::from_utf8_lossy(&printed.stdout);
    assert_eq!(printed.lines().last().map(str::trim), Some(upper_case), "{printed}");
    let refused = asm(lower_case, &[]);
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert!(stderr.contains("help: INFO has no channels in dialect manual"), "{stderr}");
    let refused = asm("resinfo.RGBA (M1, 8) T6 x.0 x.32", &manual);
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert!(stderr.contains("INFO has channels in dialects igc2022 and igc2026"), "{stderr}");
}

/// Runs the tool in a folder and returns its exit code and its standard error.
fn run_in(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_genvisa"));
    let output = tool.current_dir(folder).args(args).output().expect("the tool runs");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Creates a folder with a text and a `.isa` file.
fn folder_with_files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["plain.visaasm", "tour.isa"] {
        let copied = std::fs::copy(format!("tests/data/{name}"), folder.path().join(name));
        copied.expect("a file of the repository");
    }
    folder
}

#[test]
fn diff_reports_every_file_that_only_one_folder_has() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for path in ["a", "b"] {
        std::fs::create_dir(folder.path().join(path)).expect("a folder");
    }
    let path = |name: &str| folder.path().join(name).display().to_string();
    let diff = || run(&["diff", &path("a"), &path("b")], b"");
    let output = diff();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("contain no .isa or .visaasm files"));
    for (from, to) in [("plain.visaasm", "b/k.visaasm"), ("tour.isa", "b/k.isa")] {
        let copied = std::fs::copy(format!("tests/data/{from}"), folder.path().join(to));
        copied.expect("a file of the repository");
    }
    let output = diff();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    let names: Vec<&str> = text.lines().filter_map(|line| line.rsplit(' ').next()).collect();
    assert_eq!(names, ["k.isa", "k.visaasm"]);
}

#[test]
fn commands_read_text_with_comments_that_are_not_utf8() {
    let mut text = b"// caf\xe9\n".to_vec();
    text.extend(std::fs::read("tests/data/plain.visaasm").expect("a file of the repository"));
    for command in ["stats", "cfg", "info", "verify"] {
        let output = run(&[command, "-"], &text);
        assert_eq!(output.status.code(), Some(0), "{command}");
    }
}

#[test]
#[cfg(unix)]
fn never_overwrites_inputs() {
    let folder = folder_with_files();
    let path_of = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("plain.visaasm", path_of("symlink.visaasm")).expect("a link");
    std::fs::hard_link(path_of("plain.visaasm"), path_of("hard.visaasm")).expect("a link");
    std::fs::create_dir(path_of("sub")).expect("a folder");
    std::os::unix::fs::symlink("../tour.isa", path_of("sub/0-tour.visaasm")).expect("a link");
    std::fs::copy(path_of("plain.visaasm"), path_of("text.isa")).expect("a copy");
    std::os::unix::fs::symlink("text.isa", path_of("text.visaasm")).expect("a link");
    let before = |name: &str| std::fs::read(format!("tests/data/{name}")).expect("a file");
    let assert_unchanged = || {
        let same = |copy: &str, name: &str| {
            assert_eq!(
                std::fs::read(path_of(copy)).expect("the input still exists"),
                before(name),
                "{copy}"
            );
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
        let (code, stderr) = run_in(folder.path(), args);
        assert_eq!(code, Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains("input") && stderr.contains("; choose another output"), "{stderr}");
        assert_unchanged();
    }
    // Redirected standard input and output are files too.
    let open = |name: &str| std::fs::File::open(path_of(name)).expect("a readable file");
    let append = |name: &str| {
        std::fs::OpenOptions::new().append(true).open(path_of(name)).expect("a writable file")
    };
    let mut tools = [(); 3].map(|()| Command::new(env!("CARGO_BIN_EXE_genvisa")));
    tools[0].args(["asm", "-", "-o", "hard.visaasm"]).stdin(open("plain.visaasm"));
    tools[1].args(["dis", "tour.isa"]).stdout(append("tour.isa"));
    tools[2].args(["fmt", "-"]).stdin(open("hard.visaasm")).stdout(append("plain.visaasm"));
    for tool in &mut tools {
        let output = tool.current_dir(folder.path()).output().expect("the tool runs");
        assert_eq!(output.status.code(), Some(2), "{tool:?}");
        assert_unchanged();
    }
}

/// An error in the command line is reported before the first file is opened, which does not exist.
#[test]
fn command_line_errors_have_exit_code_2() {
    const ONCE: &str = "standard input can be read only once";
    const OVER: &str = "output `nowhere.isa` is also an input; choose another output";
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
        let output = run(args, b"");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert_eq!(stderr.lines().next(), Some(&*format!("error: {why}")), "{args:?}");
        assert!(stderr.contains(&format!("Usage: genvisa {} ", args[0])), "{stderr}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    // Reading it once is allowed.
    let text = std::fs::read("tests/data/plain.visaasm").expect("a file of the repository");
    assert_eq!(run(&["asm", "-", "-o", "-"], &text).status.code(), Some(0));
}

#[test]
fn asm_rejects_the_same_routine_in_two_texts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (a, b, out) = (path("a.visaasm"), path("b.visaasm"), path("out.isa"));
    for text in [&a, &b] {
        std::fs::write(text, ".version 3.6\n.kernel \"k\"\nret (M1, 1)\n")
            .expect("a writable file");
    }
    let result = run(&["asm", &a, &b, "-o", &out], b"");
    assert_eq!(result.status.code(), Some(1));
    let message = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(message.contains("that an earlier text defines"), "{message}");
    assert!(!std::path::Path::new(&out).exists());
}

/// Text can have larger numbers than the tables of a file.
#[test]
fn encoding_errors_have_a_snippet() {
    let source = ".version 3.6\n.kernel \"k\"\n.decl v v_type=G type=d num_elts=70000\n";
    let result = run(&["asm", "-", "-o", "-"], source.as_bytes());
    assert_eq!(result.status.code(), Some(1));
    let message = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(message.contains("num_elements: 70000 is out of range"), "{message}");
    assert!(message.contains("-:3:1") && message.contains(".decl v v_type=G"), "{message}");
}

/// `//@ sections` gives the order and padding of one file, which does not fit other texts.
#[test]
fn asm_rejects_section_order_with_several_texts() {
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
        let (code, stderr) = asm(sections, &["tests/data/plain.visaasm"]);
        assert_eq!(code, Some(1));
        let message = "cannot assemble this with other texts: it specifies the order or padding of the \
                       sections of its file";
        assert!(stderr.ends_with(&format!("laid-out.visaasm: {message}\n")), "{stderr}");
        assert!(!file.exists());
    }
    assert_eq!(asm("kernel 1 kernel 0", &[]), (Some(0), String::new()));
    let usual = asm("kernel 0 kernel 1", &["tests/data/plain.visaasm"]);
    assert_eq!(usual, (Some(0), String::new()));
    let bytes = std::fs::read(&file).expect("it was written");
    let module = Module::from_bytes(&bytes, Dialect::Igc2022).expect("an object");
    assert_eq!(module.kernels.len(), 3);
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
    ];
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{stdout}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.starts_with(expected), "{line}");
    }
}

/// As in `genvisa ... | head -1`.
#[test]
fn a_closed_pipe_is_not_an_error() {
    let tour = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tour.isa");
    // Arguments, and whether they succeed.
    let cases: [(&[&str], bool); 6] = [
        (&["dis", tour], true),
        (&["explain", tour], true),
        (&["info", "--json", tour], true),
        (&["info", tour], true),
        (&["roundtrip", tour], true),
        (&["roundtrip", "nowhere.isa"], false),
    ];
    for (args, succeeds) in cases {
        // A pipe without a reader: the standard input of a program that has ended.
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
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.success(), succeeds, "{args:?}: {stderr}");
        assert_eq!(stderr.is_empty(), succeeds, "{args:?}: {stderr}");
    }
}

/// `dis F | asm - -o G --gen-binaries-of F` makes G equal to F, in every version.
#[test]
fn asm_restores_the_file_from_the_output_of_dis() {
    let tour = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tour.isa").into();
    for path in std::iter::once(tour).chain(corpus::files()) {
        let bytes = std::fs::read(&path).expect("a readable file");
        let name = path.to_str().expect("UTF-8");
        for numbers in [&[][..], &["--no-numbers"]] {
            let text = dis(numbers, &bytes);
            assert!(text.status.success(), "{name}");
            let file = run(&["asm", "-", "-o", "-", "--gen-binaries-of", name], &text.stdout);
            let stderr = String::from_utf8_lossy(&file.stderr);
            assert!(file.status.success() && stderr.is_empty(), "{name}: {stderr}");
            assert!(file.stdout == bytes, "{name}");
        }
    }
}

#[test]
fn asm_uses_the_version_of_the_text() {
    // In text, 4.8 is newer than 4.2, so every sampler message has a paired surface.
    for version in Version::BINARY.iter().filter(|version| **version != Version::V4_8) {
        let module = tour::module(Format::igc2022(*version)).expect("a module");
        let bytes = module.to_bytes().expect("bytes");
        let text = dis(&[], &bytes);
        let again = run(&["asm", "-", "-o", "-"], &text.stdout);
        let stderr = String::from_utf8_lossy(&again.stderr);
        let read = Module::from_bytes(&again.stdout, Dialect::Igc2022);
        let read = read.unwrap_or_else(|error| panic!("{version}: {error}\n{stderr}"));
        assert_eq!(read.format.version, *version, "{stderr}");
        assert!(stderr.is_empty(), "{version}: {stderr}");
    }
}

const KERNEL: &str = ".decl d v_type=G type=d num_elts=8 align=GRF\n";

/// Returns the text of a kernel with one instruction.
fn text(version: &str, name: &str, instruction: &str) -> String {
    format!(".version {version}\n.kernel \"{name}\"\n{KERNEL}    {instruction}\n")
}

/// Returns the version of the file that `asm` makes, and its standard error.
fn assembled(text: &str, options: &[&str]) -> (Option<Version>, String) {
    let output = run(&[&["asm", "-", "-o", "-"], options].concat(), text.as_bytes());
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let module = Module::from_bytes(&output.stdout, Dialect::Igc2022).ok();
    (module.map(|module| module.format.version), stderr)
}

#[test]
fn asm_uses_a_newer_version_with_a_warning() {
    let plain = "ret (M1, 1)";
    assert_eq!(assembled(&text("3.2", "k", plain), &[]), (Some(Version::V3_2), String::new()));
    assert_eq!(assembled(&text("4.2", "k", plain), &[]), (Some(Version::V3_6), String::new()));
    assert_eq!(
        assembled(&text("3.2", "k", plain), &["--isa-version", "4.0"]),
        (Some(Version::V4_0), String::new())
    );
    // WAIT has an operand since 3.1.
    let wait = text("3.0", "k", "wait 0x1:ud\n    wait 0x2:ud");
    let (version, stderr) = assembled(&wait, &[]);
    assert_eq!(version, Some(Version::V3_6));
    let title = "version 3.0 cannot encode this text; it is assembled as version 3.6";
    assert!(stderr.starts_with(&format!("warning: {title}\n --> -:4:5\n")), "{stderr}");
    assert!(stderr.contains("^ mask: this field cannot be expressed"), "{stderr}");
    assert!(stderr.contains("1 other location needs a newer version"), "{stderr}");
    assert_eq!(assembled(&wait, &["--isa-version", "3.0"]).0, None);
    let verified = run(&["verify", "-"], wait.as_bytes());
    assert!(String::from_utf8_lossy(&verified.stderr).contains(title));
    // Errors are reported for the version with the fewest.
    let (version, stderr) = assembled(&wait.replace("0x2:ud", "0x2:udd"), &[]);
    assert_eq!(version, None);
    assert_eq!(stderr.matches("error: ").count(), 1, "{stderr}");
}

#[test]
fn asm_rejects_texts_of_different_versions() {
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
    let (code, stderr) = asm(&["a", "b", "c"]);
    let expected = "genvisa: the texts state different versions (3.2 in a:2, 3.6 in b:2); choose \
                    one with --isa-version\n";
    assert_eq!((code, &*stderr), (Some(1), expected));
    assert_eq!(asm(&["a", "b", "c", "--isa-version", "3.4"]), (Some(0), String::new()));
    assert_eq!(version(), Version::V3_4);
    // A text of a version without a binary form gets the version of the other texts.
    assert_eq!(asm(&["c", "a"]), (Some(0), String::new()));
    assert_eq!(version(), Version::V3_2);
    // A text may state several versions, one for each routine.
    let both = [text("3.2", "a", "ret (M1, 1)"), text("3.6", "b", "ret (M1, 1)")].concat();
    let (version, stderr) = assembled(&both, &[]);
    assert_eq!(version, None);
    assert!(stderr.contains("3.2 in -:1, 3.6 in -:5"), "{stderr}");
    let output = run(&["verify", "-"], both.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let output = run(&["fmt", "--no-numbers", "-"], both.as_bytes());
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let versions: Vec<_> = printed.lines().filter(|line| line.starts_with(".version")).collect();
    assert_eq!(versions, [".version 3.2", ".version 3.6"]);
}

#[test]
fn dis_does_not_overwrite_edited_text() {
    let folder = folder_with_files();
    let path_of = |name: &str| folder.path().join(name);
    let run = |args: &[&str]| run_in(folder.path(), args);
    let both = file_with_two_kernels();
    std::fs::write(path_of("two.isa"), both).expect("a writable file");
    let read = |name: &str| std::fs::read_to_string(path_of(name)).expect("a text");
    let success = (Some(0), String::new());
    assert_eq!(run(&["dis", "two.isa", "-o", "two.visaasm"]), success);
    assert_eq!(run(&["dis", "two.isa", "--out-dir", "out"]), success);
    let whole = read("two.visaasm");
    assert_eq!(whole.matches(".kernel \"").count(), 2);
    assert_eq!(whole, [read("out/0-first.visaasm"), read("out/1-tour.visaasm")].join("\n"));
    // Files with the same contents are not an error.
    assert_eq!(run(&["dis", "two.isa", "-o", "two.visaasm"]), success);
    assert_eq!(run(&["dis", "two.isa", "--out-dir", "out"]), success);
    // One file is edited and one is missing: neither is written.
    std::fs::write(path_of("two.visaasm"), "edited").expect("a writable file");
    std::fs::write(path_of("out/1-tour.visaasm"), "edited").expect("a writable file");
    std::fs::remove_file(path_of("out/0-first.visaasm")).expect("it is there");
    for (args, name) in
        [(["-o", "two.visaasm"], "two.visaasm"), (["--out-dir", "out"], "out/1-tour.visaasm")]
    {
        let (code, stderr) = run(&["dis", "two.isa", args[0], args[1]]);
        assert_eq!(code, Some(1));
        let expected =
            "exists with different contents; nothing was written (--force overwrites it)";
        assert_eq!(stderr, format!("genvisa: `{name}` {expected}\n"));
        assert_eq!(read(name), "edited");
    }
    assert_eq!(std::fs::read_dir(path_of("out")).expect("a folder").count(), 1);
    assert_eq!(run(&["dis", "two.isa", "-o", "two.visaasm", "--force"]), success);
    assert_eq!(run(&["dis", "two.isa", "--out-dir", "out", "--force"]), success);
    assert_eq!(whole, read("two.visaasm"));
    assert_eq!(whole, [read("out/0-first.visaasm"), read("out/1-tour.visaasm")].join("\n"));
    let (code, stderr) = run(&["dis", "two.isa", "-o", "out"]);
    assert_eq!(code, Some(1));
    assert!(stderr.starts_with("genvisa: cannot write `out` (use --out-dir "), "{stderr}");
}

#[test]
fn asm_warns_about_gen_binaries_of_changed_kernels() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("tour.isa");
    std::fs::copy("tests/data/tour.isa", &file).expect("a file of the repository");
    let file = file.to_str().expect("UTF-8");
    let text = dis(&[], &std::fs::read(file).expect("a file")).stdout;
    let text = String::from_utf8(text).expect("UTF-8");
    let asm = |text: &str, options: &[&str]| {
        let args = [&["asm", "-", "-o", "-", "--gen-binaries-of", file], options].concat();
        let output = run(&args, text.as_bytes());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let success = (Some(0), String::new());
    assert_eq!(asm(&text, &[]), success);
    // The same instructions in another version.
    assert_eq!(asm(&text, &["--isa-version", "4.1"]), success);
    let (code, stderr) = asm(&text.replace("0x4:ud", "0x8:ud"), &[]);
    let expected = format!(
        "genvisa: warning: kernel `tour`: the GEN binaries in `{file}` were compiled from different \
         vISA code\n"
    );
    assert_eq!((code, stderr), (Some(0), expected));
}

/// As in `genvisa ... >&-`. The runtime opens `/dev/null` instead.
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
    // A command that prints nothing does not need standard output.
    assert_eq!(run("verify tests/data/tour.isa", ">&-"), (Some(0), String::new()));
    assert_eq!(run("dis tests/data/tour.isa", "1<>/dev/null"), (Some(0), String::new()));
}

/// Fields are printed while they are read, but with names and in the order of the routines.
#[test]
fn explain_prints_each_routine_with_its_code() {
    let output = run(&["explain", "-"], &file_with_two_kernels());
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
    let one = run(&["explain", "-", "--routine", "tour"], &file_with_two_kernels());
    let one = String::from_utf8_lossy(&one.stdout).into_owned();
    assert!(second.starts_with(&one), "{one}");
    assert!(one.contains("string 1  \"level\"") || one.contains("\"level\""), "{one}");
}

/// The fields of a file need many times its memory. `explain` does not collect them.
#[test]
#[cfg(target_os = "linux")]
fn explain_memory_is_bounded() {
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
    // The tool now waits until the rest is read, with most of the file not yet printed.
    let mut start = [0; 4096];
    explain.stdout.as_mut().expect("it is piped").read_exact(&mut start).expect("it prints");
    let status = std::fs::read_to_string(format!("/proc/{}/status", explain.id()));
    explain.kill().expect("it still runs");
    explain.wait().expect("it ends");
    let status = status.expect("the status of a process");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its memory");
    let peak: usize = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    // Two modules of at most 32 times the size each, and the program itself.
    assert!(peak << 10 < 64 * SIZE + (16 << 20), "{peak} kB");
}

#[test]
fn diff_compares_the_other_kernels_of_a_file_with_a_broken_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("broken.isa");
    std::fs::write(&path, file_with_broken_kernel()).expect("a writable folder");
    let tour = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tour.isa");
    let output = Command::new(env!("CARGO_BIN_EXE_genvisa"))
        .args(["diff", "-U0"])
        .args([&path, &path])
        .output()
        .expect("the tool runs");
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(errors.matches("retired").count(), 1, "{errors}");
    assert!(output.stdout.is_empty(), "the other kernel is equal");
    // A kernel that only one file has is not decoded.
    let output = Command::new(env!("CARGO_BIN_EXE_genvisa"))
        .args(["diff", tour])
        .arg(&path)
        .output()
        .expect("the tool runs");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("Only in") && text.ends_with(": kernel broken\n"), "{text}");
}
