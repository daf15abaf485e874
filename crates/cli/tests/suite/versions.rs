//! The versions and dialects of texts and files.

use genvisa::{Dialect, Format, Module, Version};
use genvisa_test_support::tour;

use super::{dis, run, run_in};

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
    let title = "version 3.0 cannot encode this text; it is read as version 3.6";
    assert!(stderr.starts_with(&format!("warning: {title}\n --> -:4:5\n")), "{stderr}");
    assert!(stderr.contains("help: mask: this field cannot be expressed"), "{stderr}");
    assert!(stderr.contains(", and 1 other place needs a newer version"), "{stderr}");
    assert_eq!(assembled(&wait, &["--isa-version", "3.0"]).0, None);
    // Dialect igc2022 has no version 4.2.
    let options = ["verify", "-", "--isa-version", "4.2", "--dialect", "igc2022"];
    let refused = run(&options, text("4.2", "k", plain).as_bytes());
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert!(stderr.contains("version 4.2 does not exist in dialect igc2022"), "{stderr}");
    assert_eq!(refused.status.code(), Some(1));
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
    // What is not written to a file is read in the newest.
    let output = run(&["verify", "-"], both.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let output = run(&["fmt", "--no-numbers", "-"], both.as_bytes());
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let versions: Vec<_> = printed.lines().filter(|line| line.starts_with(".version")).collect();
    assert_eq!(versions, [".version 3.2", ".version 3.6"]);
}
