//! Source lines: `stats --by-line` and `dis --source`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use genvisa::analysis::SourceLine;
use genvisa::{Format, Instruction, text};
use genvisa_test_support::corpus;
use genvisa_test_support::ocloc::{Ocloc, Verdict};
use serde_json::Value;

use super::run;

fn stdout(args: &[&str]) -> String {
    let output = run(args, b"");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn by_line(path: &str) -> Value {
    serde_json::from_str(&stdout(&["stats", "--by-line", "--json", path])).expect("JSON")
}

/// Each line is a kernel's: a statement that the compiler keeps.
const SOURCE: &str = "\
kernel void k(global float *y, global const float *x, float a, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float v = x[i] * a;
    for (int j = 0; j < 9; j++)
      v = v * v + a;
    y[i] = v * y[i];
  }
}
kernel void two(global int *p) {
  local int t[64];
  t[get_local_id(0)] = p[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = t[get_local_id(0) ^ 1];
}
";

/// The finalizer writes the line of the instructions that follow, with its text, and the number of the
/// vISA instruction in each line of machine code.
#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn lines_are_those_of_the_finalizer() {
    let compiler = Ocloc::required();
    let mut compared = 0;
    for device in ["bmg", "dg2", "pvc"] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let verdict = compiler.compile_with(folder.path(), SOURCE, device, "-g");
        assert_eq!(verdict, Verdict::Accepted);
        for path in corpus::texts_under(folder.path()) {
            let visa = fs::read_to_string(&path).expect("a text");
            let asm = fs::read_to_string(path.with_extension("asm")).expect("a text");
            let module = text::parse(&visa, Format::V4_2).expect("legal text");
            let routine = module.routines().next().expect("a kernel");
            let instructions: Vec<Instruction> =
                routine.instructions().map(|item| item.expect("legal code").1).collect();
            let lines = SourceLine::of_instructions(&instructions);
            let json = by_line(path.to_str().expect("UTF-8"));
            let texts: BTreeMap<u64, &str> = (json[0]["lines"].as_array().expect("a list").iter())
                .filter_map(|line| Some((line["line"].as_u64()?, line["text"].as_str()?)))
                .collect();
            let mut current = None;
            for line in asm.lines() {
                if let Some((number, text)) =
                    line.strip_prefix("// Line ").and_then(|line| line.split_once(':'))
                {
                    let number: u32 = number.parse().expect("a number");
                    current = Some(number);
                    if let Some(found) = texts.get(&number.into()) {
                        assert_eq!(*found, text.trim(), "{device}");
                    }
                }
                let number = line.rsplit_once('$').map(|(_, number)| number.parse::<usize>());
                let (Some(Ok(number)), false) = (number, line.starts_with("//")) else { continue };
                let Some(found) = lines[number] else { continue };
                assert_eq!(Some(found.line), current, "{device}: {line}");
                compared += 1;
            }
        }
    }
    assert!(compared > 150, "{compared}");
}

/// Asserts that the text with source lines means the same as the text without, and returns it.
fn assert_same(path: &Path, options: &[&str]) -> String {
    let path = path.to_str().expect("UTF-8");
    // Columns with registers make `dis` print texts, too.
    let dis = |options: &[&str]| {
        stdout(&[&["dis", path, "--pressure", "--registers", "32"], options].concat())
    };
    let (plain, with_lines) = (dis(&[]), dis(&[&["--source"], options].concat()));
    let format = text::format_of(&plain);
    let parse = |text: &str| text::parse(text, format).expect("legal text").into_owned();
    let is_same = parse(&plain) == parse(&with_lines);
    assert!(is_same, "{path}");
    with_lines
}

#[test]
#[ignore = "needs the corpus"]
fn text_with_source_lines_is_the_same_module() {
    let mut comments = 0;
    for path in corpus::required_files() {
        let text = assert_same(&path, &[]);
        comments +=
            text.lines().filter(|line| line.starts_with("// ") && line.contains(".cpp:")).count();
    }
    assert!(comments == 0 || comments > 1000, "{comments}");
}

/// Names and sources may contain anything.
#[test]
fn sources_do_not_change_the_text() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    let sources = folder.path().join("src");
    fs::create_dir(&sources).expect("a folder");
    fs::write(sources.join("*"), "*/ ret (M1, 1)\n//@ label x\r\n\x07\u{85}\u{2028}mov\x0b\\\n\n")
        .expect("a writable folder");
    fs::write(sources.join("@ Platform: PVC"), b"\xff//\nPlatform: PVC")
        .expect("a writable folder");
    let code = r#".version 4.2
.kernel "k"
.decl x v_type=G type=d num_elts=16 align=GRF
.input x offset=64 size=64
    FILE "a\\..\\*"
    LOC 1
    mov (M1, 16) x(0,0)<1> 0x1:d
    LOC 2
again:
    mov (M1, 16) x(0,0)<1> 0x2:d
    LOC 3
    FILE "/b/@ Platform: PVC"
    mov (M1, 16) x(0,0)<1> 0x3:d
    LOC 1
    LOC 2
    LOC 0
    FILE "\nmov (M1, 16) x(0,0)<1> 0x4:d"
    LOC 4294967295
    ret (M1, 1)

//Platform: DG2
"#;
    fs::write(path("k.visaasm"), code).expect("a writable folder");
    let root = sources.to_str().expect("UTF-8");
    for options in [&["--source-root", root][..], &["--source-root", root, "--liveness", "x"]] {
        let text = assert_same(&path("k.visaasm"), options);
        assert_eq!(text::stated_platform(&text), None);
        let mut comments =
            text.lines().filter(|line| line.starts_with("// ") && line.contains(':'));
        for expected in
            ["*:1: */ ret (M1, 1)", "*:2: //@ label x", "*:3: \\u{7}", "PVC:1: \u{fffd}//"]
        {
            assert!(comments.any(|comment| comment.contains(expected)), "{expected}\n{text}");
        }
        assert!(text.contains("\n// no line\n"), "{text}");
        assert!(text.contains("0x4:d:4294967295\n"), "{text}");
    }
}

/// A file under the root is found by the longest end of its name, and pipes are not read.
#[test]
fn sources_are_found_under_the_root() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("root/inner")).expect("a folder");
    let code = |name: &str| {
        format!(
            ".version 4.2\n.kernel \"k\"\nFILE \"{name}\"\nLOC 2\nret (M1, 1)\n//Platform: DG2\n"
        )
    };
    fs::write(path("named.c"), "one\ntwo, as named").expect("a writable folder");
    fs::write(path("root/k.c"), "one\ntwo of root").expect("a writable folder");
    fs::write(path("root/inner/k.c"), "one\n\ttwo\tof inner \r\n").expect("a writable folder");
    let root = path("root").display().to_string();
    let named = path("named.c").display().to_string();
    let other = tempfile::NamedTempFile::new().expect("a file");
    fs::write(other.path(), "one\ntwo, elsewhere").expect("a writable file");
    let elsewhere = other.path().display().to_string();
    #[cfg(unix)]
    std::os::unix::fs::symlink(other.path(), path("link.c")).expect("a link");
    for (name, has_root, expected) in [
        ("/else/k.c", true, Some("two of root")),
        ("D:\\\\build\\\\inner\\\\k.c", true, Some("two of inner")),
        ("../inner/k.c", true, Some("two of inner")),
        ("/else/k.c", false, None),
        (&named, false, Some("two, as named")),
        (&named, true, Some("two, as named")),
        ("named.c", false, Some("two, as named")),
        ("root/../named.c", false, Some("two, as named")),
        (&elsewhere, false, None),
        (&elsewhere, true, None),
        ("link.c", false, None),
        ("/dev/stdin", false, None),
        ("", true, None),
    ] {
        fs::write(path("k.visaasm"), code(name)).expect("a writable folder");
        let file = path("k.visaasm").display().to_string();
        let options: &[&str] = if has_root { &["--source-root", &root] } else { &[] };
        let output = stdout(&[&["stats", "--by-line", "--json", &file], options].concat());
        let json: Value = serde_json::from_str(&output).expect("JSON");
        assert_eq!(json[0]["lines"][0]["text"].as_str(), expected, "{name}");
    }
}
