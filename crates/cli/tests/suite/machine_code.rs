//! The `.asm` files of the finalizer: `--asm` of `stats`, `diff` and `dis`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use genvisa::text;
use genvisa_test_support::corpus;
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::ocloc::{Ocloc, Verdict};
use serde_json::Value;

use super::{repository, run, run_in};

const VISA: &str = "tests/data/lines/scale.visaasm";
const ASM: &str = "tests/data/lines/scale.asm";

/// Runs the tool without messages, and returns its output.
fn stdout(args: &[&str]) -> String {
    let output = run(args, b"");
    assert!(output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the machine code of the first routine that `stats` prints.
fn machine_code(args: &[&str]) -> Value {
    let json = stdout(&[&["stats", "--json"], args].concat());
    let json: Value = serde_json::from_str(&json).expect("JSON");
    json[0]["machine_code"].clone()
}

/// Returns the lines of a text that end with `$n`, by `n`.
fn numbered(text: &str) -> BTreeMap<usize, Vec<&str>> {
    let mut lines: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with("//")) {
        let number = line.rsplit_once(" $").and_then(|(_, number)| number.trim().parse().ok());
        if let Some(number) = number {
            lines.entry(number).or_default().push(line);
        }
    }
    lines
}

/// It has FILE, LOC and labels, and a load and a store for the finalizer.
const SOURCE: &str = "\
kernel void k(global float *y, global const float *x, float a, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float v = x[i] * a;
    for (int j = 0; j < n; j++)
      v = v * v + a;
    y[i] = v / y[i];
  }
}
kernel void two(global int *p) {
  local int t[64];
  t[get_local_id(0)] = p[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = t[get_local_id(0) ^ 1];
}
";

/// `$n` of the finalizer is `/// $n` of the compiler's text and of `dis`.
#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn numbers_are_those_of_the_text() {
    let compiler = Ocloc::required();
    let mut messages = 0;
    for device in ["bmg", "pvc", "dg2", "tgllp"] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let verdict = compiler.compile_with(folder.path(), SOURCE, device, "-g");
        assert_eq!(verdict, Verdict::Accepted);
        let texts = corpus::texts_under(folder.path());
        let texts = texts.iter().filter(|path| path.with_extension("asm").exists());
        for path in texts {
            let asm = fs::read_to_string(path.with_extension("asm")).expect("a text");
            let visa = fs::read_to_string(path).expect("a text");
            let (ours, theirs, machine) =
                (stdout(&["dis", "--source", file(path)]), numbered(&visa), numbered(&asm));
            let ours = numbered(&ours);
            assert!(ours.keys().eq(theirs.keys()), "{device}");
            // Labels, FILE and LOC have numbers, but no machine code.
            assert!(machine.keys().all(|number| theirs.contains_key(number)), "{device}");
            for (number, lines) in &machine {
                let of_visa = theirs[number][0];
                for line in lines.iter().filter(|line| !line.contains(" FP[")) {
                    let mnemonic = line.split_whitespace().find(|word| !word.starts_with('('));
                    let expected = match mnemonic.and_then(|word| word.split('.').next()) {
                        Some("load") => "lsc_load",
                        Some("store") => "lsc_store",
                        _ => continue,
                    };
                    assert!(of_visa.contains(expected), "{device}: {line}\n{of_visa}");
                    messages += 1;
                }
            }
            let lines = stdout(&["stats", "--by-line", "--asm", "--json", file(path)]);
            let lines: Value = serde_json::from_str(&lines).expect("JSON");
            let lines = lines[0]["lines"].as_array().expect("a list").iter();
            let counts = lines.map(|line| line["machine_instructions"].as_u64().expect("a number"));
            assert_eq!(counts.sum::<u64>(), machine.values().map(Vec::len).sum::<usize>() as u64);
            // `stats` warns if it does not count as the finalizer.
            let code = machine_code(&["--asm", file(path)]);
            let counts = code["of_instructions"].as_array().expect("a list");
            for (number, count) in counts.iter().enumerate() {
                let lines = machine.get(&number).map_or(0, Vec::len);
                assert_eq!(count.as_u64(), Some(lines as u64), "{device}: ${number}");
            }
        }
    }
    assert!(messages >= 20, "{messages}");
}

/// LIFETIME has a number, as all instructions have.
#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14"]
fn markers_have_numbers() {
    let compiler = Compiler::required();
    let source = "\
.version 4.2
.kernel \"k\"
.decl x v_type=G type=d num_elts=16 align=GRF
.input x offset=64 size=64
.kernel_attr Target=\"cm\"
.function \"main\"
main:
    lifetime.start x
    FILE \"a.c\"
    LOC 3
    add (M1, 16) x(0,0)<1> x(0,0)<1;1,0> 0x1:d
again:
    lifetime.end x
    lsc_store.ugm (M1, 1)  flat[x]:a32  x:d32
    ret (M1, 1)
";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let status = compiler.run(folder.path(), source, "DG2", &["-output"]);
    let path = folder.path().join("t.asm");
    let asm = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{status}: {error}"));
    let numbers: BTreeSet<usize> = numbered(&asm).into_keys().collect();
    if compiler.is_tested {
        assert_eq!(numbers, BTreeSet::from([4, 7, 8]), "{asm}");
    }
    let text =
        stdout(&["dis", "--asm", "--registers", "32", file(&folder.path().join("t.visaasm"))]);
    for line in text.lines().filter(|line| line.contains("/* ")) {
        let has_code = !line.starts_with("/*    ");
        let number = line.rsplit_once("/// $").and_then(|(_, number)| number.parse().ok());
        assert_eq!(has_code, number.is_some_and(|number| numbers.contains(&number)), "{text}");
    }
}

/// A kernel and two functions: the first has no label, the second two.
const FUNCTIONS: &str = "\
.version 4.2
.kernel \"k\"
.funcdecl \"first\"
.funcdecl \"second\"
.decl x v_type=G type=d num_elts=16 align=GRF
.input x offset=64 size=64
.kernel_attr Target=\"3d\"
    LOC 3
    mov (M1, 16) %arg(0,0)<1> x(0,0)<1;1,0>
    fcall (M1, 16) first 1 1
    fcall (M1, 16) second 1 1
    lsc_store.ugm (M1, 1)  flat[x]:a32  x:d32
    ret (M1, 1)

.global_function \"first\"
.decl y v_type=G type=d num_elts=16 align=GRF
.kernel_attr ArgSize=1
.kernel_attr RetValSize=1
.kernel_attr Target=\"3d\"
    LOC 9
    LOC 10
    xor (M1, 16) y(0,0)<1> %arg(0,0)<1;1,0> 0x7:d
    mov (M1, 16) %retval(0,0)<1> y(0,0)<1;1,0>
    fret (M1, 16)

.global_function \"second\"
.decl y v_type=G type=d num_elts=16 align=GRF
.decl P1 v_type=P num_elts=16
.kernel_attr ArgSize=1
.kernel_attr RetValSize=1
.kernel_attr Target=\"3d\"
.function \"second_0\"
second_0:
    mov (M1, 16) y(0,0)<1> %arg(0,0)<1;1,0>
again:
    shl (M1, 16) y(0,0)<1> y(0,0)<1;1,0> 0x3:d
    cmp.lt (M1, 16) P1 y(0,0)<1;1,0> 0x100:d
    (P1) goto (M1, 16) again
    mov (M1, 16) %retval(0,0)<1> y(0,0)<1;1,0>
    fret (M1, 16)

//Platform: XE2
";

/// Functions follow their kernel in its file, and are numbered from 0, too.
#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14"]
fn functions_are_numbered_from_0() {
    let compiler = Compiler::required();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let status = compiler.run(folder.path(), FUNCTIONS, "XE2", &["-output"]);
    let path = folder.path().join("t.asm");
    let asm = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{status}: {error}"));
    let text = stdout(&["dis", "--asm", file(&folder.path().join("t.visaasm"))]);
    let lines: Vec<&str> = asm.lines().collect();
    // One of the machine instructions of each of these has this name.
    for (visa, machine) in [
        ("lsc_store", "store."),
        ("xor", "xor"),
        ("shl", "shl"),
        ("cmp", "cmp"),
        ("(P1) goto", "goto"),
        ("fret", "ret"),
    ] {
        let mut found = text.lines().filter(|line| line.contains(&format!(" {visa}")));
        let line = found.next().expect("an instruction");
        let (column, _) = line.split_once("*/").expect("a column");
        let ranges = column.split_whitespace().skip(2).filter_map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            Some(first.parse::<usize>().ok()? - 1..last.parse().ok()?)
        });
        let is_same = ranges.flatten().any(|at| lines[at].contains(&format!(" {machine}")));
        assert!(is_same || !compiler.is_tested, "{line}\n{text}\n{asm}");
    }
    let json: Value = serde_json::from_str(&stdout(&[
        "stats",
        "--asm",
        "--json",
        file(&folder.path().join("t.visaasm")),
    ]))
    .expect("JSON");
    let routines = json.as_array().expect("a list").iter();
    let all: u64 =
        routines.map(|it| it["machine_code"]["instructions"].as_u64().expect("a number")).sum();
    let stated = lines.iter().find_map(|line| line.strip_prefix("//.instCount "));
    assert_eq!(stated.and_then(|count| count.parse().ok()), Some(all));
}

/// The file of the repository is what the finalizer writes, without declarations.
#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14"]
fn example_is_from_the_finalizer() {
    let compiler = Compiler::required();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let visa = fs::read_to_string(repository(VISA)).expect("a file of the repository");
    compiler.run(folder.path(), &visa, "DG2", &["-output", "-emitLocation"]);
    let asm = fs::read_to_string(folder.path().join("t.asm")).expect("a text");
    let is_kept = |line: &&str| !line.starts_with("//.declare");
    let found: Vec<&str> = asm.lines().filter(is_kept).collect();
    let kept = fs::read_to_string(repository(ASM)).expect("a file of the repository");
    let is_same = found == kept.lines().collect::<Vec<_>>();
    assert!(is_same || !compiler.is_tested, "{asm}");
}

fn file(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// A folder with a copy of the example, whose `.asm` file is changed.
struct Copy(tempfile::TempDir);

impl Copy {
    fn new(change: impl Fn(&str) -> String) -> Copy {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::copy(repository(VISA), folder.path().join("k.visaasm")).expect("a writable folder");
        let asm = fs::read_to_string(repository(ASM)).expect("a file of the repository");
        fs::write(folder.path().join("k.asm"), change(&asm)).expect("a writable folder");
        Copy(folder)
    }

    fn visa(&self) -> PathBuf {
        self.0.path().join("k.visaasm")
    }

    /// Returns the exit code and the messages of each command.
    fn errors(&self) -> Vec<(Option<i32>, String)> {
        let run = |args: &[&str]| run_in(self.0.path(), args);
        let commands = [
            &["stats", "--asm", "k.visaasm"][..],
            &["dis", "--asm=k.asm", "k.visaasm"],
            &["diff", "--asm", "k.visaasm", "k.visaasm"],
        ];
        commands.into_iter().map(run).collect()
    }
}

#[test]
fn facts_are_read() {
    let copy = Copy::new(|asm| {
        asm.replace("numGRF=128, numAcc=4", "numGRF=256, numAcc=8")
            .replace(
                "//.git-hash",
                "//.spill size 64\n//.spill flag store 3\n//.unknown\n//.git-hash",
            )
            .replace("//.kernel scale", "//.unknown\n//.kernel ID 0x12\n//.kernel scale")
            .replace("LOCAL_ROUND_ROBIN_RA", "GRAPH_COLORING_SPILL_RA")
    });
    let code = machine_code(&["--asm", file(&copy.visa())]);
    let numbers = ["thread_registers", "spilled_bytes", "instructions", "added"];
    let numbers = numbers.map(|name| code[name].as_u64());
    assert_eq!(numbers, [256, 64, 25, 6].map(Some));
    assert_eq!(code["allocation"], "GRAPH_COLORING_SPILL_RA");
    // Without the facts, and with line ends of Windows.
    let bare = Copy::new(|asm| {
        let keeps = |line: &&str| !line.starts_with("//.") || line.starts_with("//.kernel");
        asm.lines().filter(keeps).flat_map(|line| [line, "\r\n"]).collect()
    });
    let code = machine_code(&["--asm", file(&bare.visa())]);
    let numbers = ["thread_registers", "spilled_bytes", "instructions", "added"];
    let numbers = numbers.map(|name| code[name].as_u64());
    assert_eq!(numbers, [None, Some(0), Some(25), Some(6)]);
    let diff = run(&["diff", "--asm", file(&bare.visa()), file(&copy.visa())], b"");
    let expected = "@@ machine code @@\n spilled bytes";
    assert!(String::from_utf8_lossy(&diff.stdout).contains(expected), "{diff:?}");
    assert_eq!(diff.status.code(), Some(1));
    assert_eq!(stdout(&["diff", "--asm", file(&copy.visa()), file(&copy.visa())]), "");
}

#[test]
fn wrong_files_are_reported() {
    let other = Copy::new(|asm| asm.replace("//.kernel scale", "//.kernel other"));
    let empty = Copy::new(|_| String::new());
    let visa = Copy::new(|_| fs::read_to_string(repository(VISA)).expect("a text"));
    let longer = Copy::new(|asm| asm.replace("$15", "$16"));
    let missing = Copy::new(str::to_owned);
    fs::remove_file(missing.0.path().join("k.asm")).expect("it was written");
    for (copy, expected) in [
        (other, "`k.asm` is of kernel `other`, which k.visaasm does not contain: it has `scale`"),
        (empty, "`k.asm` is no .asm file of the finalizer: it has no line `//.kernel NAME`"),
        (visa, "`k.asm` is no .asm file of the finalizer: it has no line `//.kernel NAME`"),
        (
            longer,
            "k.asm:72: instruction $16, but kernel `scale` has 16 instructions: the file is of another compilation",
        ),
        (missing, "cannot read `k.asm`"),
    ] {
        for (code, stderr) in copy.errors() {
            assert!(matches!(code, Some(1 | 2)), "{expected}: {code:?}");
            assert!(stderr.starts_with(&format!("genvisa: {expected}")), "{stderr}");
        }
    }
    let half = Copy::new(|asm| asm[..asm.len() * 2 / 3].into());
    let platform = Copy::new(|asm| asm.replace("//.platform DG2", "//.platform XE2"));
    for (copy, expected) in [
        (half, "warning: k.asm: states 25 instructions, but contains "),
        (platform, "warning: k.asm: is for Xe2, but k.visaasm for DG2"),
    ] {
        for (code, stderr) in copy.errors() {
            assert_eq!(code, Some(0));
            assert!(stderr.starts_with(&format!("genvisa: {expected}")), "{stderr}");
        }
    }
}

#[test]
fn machine_code_is_not_overwritten() {
    let copy = Copy::new(str::to_owned);
    let asm = || fs::read_to_string(copy.0.path().join("k.asm")).expect("a text");
    let before = asm();
    for option in ["--asm", "--asm=k.asm"] {
        let args = ["dis", option, "k.visaasm", "-o", "k.asm", "--force"];
        let (code, stderr) = run_in(copy.0.path(), &args);
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains("`k.asm` is also an input"), "{stderr}");
        assert_eq!(asm(), before);
    }
}

/// Functions follow the kernel in its file. In folders, not all texts have a file.
#[test]
fn functions_have_their_own_numbers() {
    let copy = Copy::new(|asm| {
        let function = "\
L_f0_callee:
        mov (1|M0) r1.0<1>:d 1:w // $0
        ret (16|M0) r127.0 {A@1} // $0
";
        asm.replace("\n\n\n//.BankConflicts", &format!("\n{function}\n\n//.BankConflicts"))
            .replace(".instCount 25", ".instCount 27")
    });
    let folder = copy.0.path();
    let callee = "\
.version 4.2
.global_function \"callee\"
.kernel_attr Target=\"3d\"
    fret (M1, 16)
//Platform: DG2
";
    fs::write(folder.join("callee.visaasm"), callee).expect("a writable folder");
    let asm = format!("--asm={}", file(&folder.join("k.asm")));
    let code = machine_code(&[&asm, file(&folder.join("callee.visaasm"))]);
    assert_eq!(code["of_instructions"], serde_json::json!([2]));
    assert_eq!(machine_code(&["--asm", file(&copy.visa())])["instructions"], 25);
    let all = stdout(&["stats", "--asm", "--json", file(folder)]);
    let all: Value = serde_json::from_str(&all).expect("JSON");
    assert!(all[0]["machine_code"].is_null(), "{all}");
    assert_eq!(all[1]["machine_code"]["instructions"], 25);
}

#[test]
fn columns_do_not_change_the_text() {
    let (plain, with_code) = (
        stdout(&["dis", "--source", VISA]),
        stdout(&["dis", "--source", "--pressure", "--asm", VISA]),
    );
    let parse = |text: &str| {
        let module = text::parse(text, text::format_of(text)).expect("legal text");
        module.into_owned()
    };
    assert!(parse(&plain) == parse(&with_code), "{with_code}");
    assert!(with_code.contains("6: 41-46"), "{with_code}");
}
