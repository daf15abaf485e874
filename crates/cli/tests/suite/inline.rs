//! Tests of `genvisa check` that a transcript cannot express.

use std::io::Write;
use std::process::{Output, Stdio};

use genvisa_inline::source::{Content, Language, find};
use serde_json::Value;

const FOLDER: &str = "tests/data/inline";

/// Runs `genvisa check` with these bytes as standard input.
fn check(args: &[&str], input: &[u8]) -> Output {
    let mut child = crate::tool()
        .arg("check")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool runs");
    // The tool may end before it reads everything.
    let _ = child.stdin.take().expect("it is piped").write_all(input);
    child.wait_with_output().expect("the tool ends")
}

fn json(args: &[&str]) -> Value {
    let output = check(args, b"");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn read(name: &str) -> Vec<u8> {
    std::fs::read(crate::repository(FOLDER).join(name)).expect("a file of the repository")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn contents_of_standard_input_select_the_language() {
    for name in ["scale.ll", "scale.mlir", "scale.spv"] {
        let output = check(&["-"], &read(name));
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(stdout(&output).contains("1 file, 2 blocks"), "{name}");
    }
    let output = check(&["-"], &read("scale.cl"));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("state it with --as c"), "{}", stderr(&output));
    let output = check(&["--as", "c", "-"], &read("scale.cl"));
    assert!(stdout(&output).contains("1 file, 2 blocks"));
}

#[test]
fn reports_files_that_cannot_be_read() {
    let bitcode = check(&["-"], b"BC\xc0\xde\x35\x14");
    assert_eq!(bitcode.status.code(), Some(2));
    assert!(stderr(&bitcode).contains("convert it to text with `llvm-dis`"));
    let file = read("scale.spv");
    let cut = check(&["-"], &file[..file.len() - 2]);
    assert_eq!(cut.status.code(), Some(2));
    assert!(stderr(&cut).contains("the file ends inside an instruction"), "{}", stderr(&cut));
    // The blocks before the error are checked.
    assert!(stdout(&cut).contains("2 blocks"), "{}", stdout(&cut));
    let not_spirv = check(&["--as", "spirv", "-"], b"x");
    assert!(stderr(&not_spirv).contains("the file is not SPIR-V"));
    for visa in [&b"CISA"[..], b".version 4.2\n"] {
        let output = check(&["-"], visa);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("`genvisa verify` checks it"), "{}", stderr(&output));
    }
}

/// The statements of one program are the same in C, LLVM IR, MLIR and SPIR-V, except for the form of
/// operands and for facts that only some of the languages state.
#[test]
fn languages_agree() {
    let languages = [
        ("scale.cl", Language::C),
        ("scale.ll", Language::Llvm),
        ("scale.mlir", Language::Mlir),
        ("scale.spv", Language::Spirv),
    ];
    let statements = languages.map(|(name, language)| {
        let source = find(&read(name), language);
        let facts = source.blocks.into_iter().map(|block| {
            let Content::Visa(statement) = block.content else { panic!("{name}") };
            let template = String::from_utf8(statement.template).expect("UTF-8");
            let types: Vec<_> = statement.operands.iter().map(|one| one.ty).collect();
            let constraints: Vec<_> =
                statement.operands.into_iter().map(|one| one.constraint).collect();
            (block.function, block.lanes, template.replace('%', "$"), types, constraints)
        });
        facts.collect::<Vec<_>>()
    });
    assert_eq!(statements[0], statements[1]);
    assert_eq!(statements[1], statements[2]);
    assert_eq!(statements[2], statements[3]);
    let findings = languages.map(|(name, _)| {
        let files = json(&["--json", &format!("{FOLDER}/{name}")]);
        let blocks = files[0]["blocks"].as_array().expect("blocks").iter();
        let findings = blocks.flat_map(|block| block["findings"].as_array().expect("findings"));
        let facts = findings.map(|finding| {
            let message = finding["message"].as_str().expect("a message").replace('%', "$");
            (finding["rule"].clone(), finding["severity"].clone(), message)
        });
        facts.collect::<Vec<_>>()
    });
    assert_eq!(findings[0].len(), 1);
    assert_eq!(findings[0], findings[1]);
    assert_eq!(findings[1], findings[2]);
    assert_eq!(findings[2], findings[3]);
}

/// Options about targets and macros, and Python on standard input.
#[test]
fn checks_code_for_several_targets() {
    let source = b"void f(int x) {
#if defined(INTEL) && LEVEL > 1
  asm(\"mvo (M1, 16) %0(0,0)<1> 1:d\" : \"=rw\"(x));
#else
  asm(\"mov.b32 %0, 1;\" : \"=r\"(x));
#endif
}
";
    let last = |args: &[&str]| {
        let output = check(&[&["--as", "c", "--lanes", "16"], args, &["-"]].concat(), source);
        let text = stdout(&output);
        let line = text.lines().last().expect("a line").to_owned();
        (output.status.code(), line.split(": ").last().expect("counts").to_owned())
    };
    let counts = |visa, other, errors| {
        let plural = if errors == 1 { "" } else { "s" };
        let blocks = format!("{visa} checked, 0 checked in part, {other} not vISA, 0 not read");
        format!("{blocks}; {errors} error{plural}, 0 warnings")
    };
    assert_eq!(last(&[]), (Some(1), counts(1, 1, 1)));
    assert_eq!(last(&["--require-visa"]), (Some(1), counts(2, 0, 2)));
    assert_eq!(last(&["-U", "INTEL"]), (Some(0), counts(0, 1, 0)));
    assert_eq!(last(&["-DINTEL", "-D", "LEVEL=2"]), (Some(1), counts(1, 0, 1)));
    assert_eq!(last(&["-DINTEL", "-DLEVEL=1", "--require-visa"]), (Some(1), counts(1, 0, 1)));

    let header = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(header.path(), "#define OP \"barrier\"\ntypedef float real;").expect("a file");
    let header = header.path().to_str().expect("UTF-8");
    let source = b"void f(real x) { asm(OP :: \"rw\"(x)); }";
    let output = check(&["--as", "c", "--include", header, "-"], source);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(stdout(&output).contains("1 checked"), "{}", stdout(&output));
    let output = check(&["--as", "c", "--include", "no-such-file.h", "-"], source);
    assert_eq!(output.status.code(), Some(2));
    for [option, wrong] in [
        ["-D", "1=2"],
        ["-D", "=2"],
        ["-D", "F(x"],
        ["-D", "F(x)y=2"],
        ["-U", "F(x)"],
        ["-U", "F="],
    ] {
        let output = check(&["--as", "c", option, wrong, "-"], source);
        assert_eq!(output.status.code(), Some(2), "{option} {wrong}");
    }
    for defined in ["A", "A=1", "A(x)=1"] {
        let output = check(&["--as", "c", "-D", defined, "-U", "B", "-U", "A", "-"], source);
        assert_eq!(output.status.code(), Some(2), "{defined}");
        assert!(stderr(&output).contains("macro `A`"), "{}", stderr(&output));
    }
    let source = b"void f(int x) { asm(OP(\"mvo (M1, 16)\") :: \"rw\"(x)); }";
    let output = check(&["--as", "c", "-D", "OP(TEXT)=TEXT", "-"], source);
    assert!(stdout(&output).contains("unknown instruction `mvo`"), "{}", stdout(&output));

    // The options have no effect on other languages.
    for (language, has_effect) in [("c", true), ("python", true), ("llvm", false), ("mlir", false)]
    {
        let output = check(&["--as", language, "-D", "A", "-"], b"");
        assert_eq!(output.status.code(), Some(0));
        let is_silent = stderr(&output).is_empty();
        assert_eq!(is_silent, has_effect, "{language}: {}", stderr(&output));
    }

    let source = b"y = tl.inline_asm_elementwise('mvo (M1, 16)', '=rw', [], tl.int32, True, 1)";
    let output = check(&["--as", "python", "-"], source);
    assert!(stdout(&output).contains("error[syntax]: unknown instruction `mvo`"));
}

/// Files in folders are found by their suffixes, and the others are counted.
#[test]
fn folders_state_what_they_skip() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    let visa = "void f(int x) { int y; asm(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x)); }\n";
    let ptx = "__device__ void g(int x) { int y; asm volatile(\"mov.b32 %0, %1;\" : \"=r\"(y) : \"r\"(x)); \
               asm(\"bar.sync 0;\" ::: \"memory\"); asm volatile(\"barrier.sync 0;\"); }\n";
    write("kernel.clcpp", visa);
    write("both.cu", &format!("#ifdef SYCL\n{visa}#else\n{ptx}#endif\n"));
    write("inner/ptx.cuh", ptx);
    write(
        "inner/kernel.mlir",
        "llvm.func @f(%x: i32) {\nllvm.inline_asm \"barrier\", \"rw\" %x : (i32) -> ()\n}",
    );
    for name in ["a.md", "inner/b.md", "c.txt", "LICENSE", ".hidden.md"] {
        write(name, "text");
    }
    let path = folder.path().to_str().expect("UTF-8");
    let text = stdout(&check(&["--lanes", "16", path], b""));
    assert!(text.contains("4 files skipped: 2 .md, 1 without suffix, 1 .txt\n"), "{text}");
    assert!(text.contains("4 files, 9 blocks"), "{text}");
    assert!(
        text.contains("3 checked, 0 checked in part, 6 not vISA, 0 not read; 0 errors"),
        "{text}"
    );
    let files = json(&["--json", path]);
    let files = files.as_array().expect("a list");
    let last = files.last().expect("the folder");
    assert_eq!(last["file"], path);
    assert_eq!(last["skipped"], serde_json::json!({"": 1, "md": 2, "txt": 1}));
    assert!(files[..4].iter().all(|file| file["skipped"].is_null()));
    // All other suffixes are counted together.
    for number in 0..7 {
        write(&format!("inner/file.x{number}"), "text");
    }
    let text = stdout(&check(&[path], b""));
    assert!(
        text.contains(
            "11 files skipped: 2 .md, 1 without suffix, 1 .txt, 1 .x0, 1 .x1, 5 others\n"
        ),
        "{text}"
    );
    // Nothing is skipped.
    let inner = folder.path().join("inner/kernel.mlir");
    let text = stdout(&check(&[inner.to_str().expect("UTF-8")], b""));
    assert!(!text.contains("skipped"), "{text}");
}

/// Returns a member of an object, which must be present.
fn member<'v>(value: &'v Value, name: &str) -> &'v Value {
    value.get(name).unwrap_or_else(|| panic!("no `{name}` in {value}"))
}

fn text(value: &Value) -> &str {
    value.as_str().filter(|text| !text.is_empty()).unwrap_or_else(|| panic!("{value}"))
}

/// Checks the properties of a location that SARIF 2.1.0 requires (3.28 to 3.30), and those that
/// code scanning services need.
fn check_location(location: &Value) {
    let physical = member(location, "physicalLocation");
    let uri = text(member(member(physical, "artifactLocation"), "uri"));
    assert!(!uri.contains(' ') && !uri.starts_with("./"), "{uri}");
    let region = member(physical, "region");
    let number = |name: &str| member(region, name).as_u64().expect("a number");
    if region.get("byteOffset").is_some() {
        assert_eq!(region.get("startLine"), None);
        number("byteOffset");
        number("byteLength");
        return;
    }
    assert!(number("startLine") >= 1 && number("startColumn") >= 1);
    if region.get("endLine").is_some() {
        let start = (number("startLine"), number("startColumn"));
        assert!((number("endLine"), number("endColumn")) >= start, "{region}");
    }
}

/// Checks the properties of a log that SARIF 2.1.0 requires.
fn check_sarif(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    assert!(text(member(log, "$schema")).contains("sarif-2.1.0"));
    let runs = member(log, "runs").as_array().expect("runs");
    assert_eq!(runs.len(), 1);
    let run = &runs[0];
    let driver = member(member(run, "tool"), "driver");
    assert_eq!(driver["name"], "genvisa");
    text(member(driver, "semanticVersion"));
    let rules = member(driver, "rules").as_array().expect("rules");
    let mut ids: Vec<&str> = rules.iter().map(|rule| text(member(rule, "id"))).collect();
    for rule in rules {
        text(member(member(rule, "shortDescription"), "text"));
    }
    for result in member(run, "results").as_array().expect("results") {
        let index = member(result, "ruleIndex").as_u64().expect("an index") as usize;
        assert_eq!(text(member(result, "ruleId")), ids[index]);
        assert!(matches!(text(member(result, "level")), "error" | "warning" | "note"));
        text(member(member(result, "message"), "text"));
        let locations = member(result, "locations").as_array().expect("locations");
        assert_eq!(locations.len(), 1);
        check_location(&locations[0]);
        for location in result.get("relatedLocations").iter().flat_map(|it| it.as_array()).flatten()
        {
            check_location(location);
        }
    }
    for invocation in member(run, "invocations").as_array().expect("invocations") {
        assert!(member(invocation, "executionSuccessful").is_boolean());
        for notification in invocation["toolExecutionNotifications"].as_array().expect("a list") {
            text(member(member(notification, "message"), "text"));
        }
    }
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn sarif_has_the_required_properties() {
    let log = json(&["--format", "sarif", FOLDER]);
    check_sarif(&log);
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("results");
    let has = |rule: &str| results.iter().any(|result| result["ruleId"] == rule);
    assert!(["operand-bounds", "dollar-drop", "syntax", "not-read"].into_iter().all(has));
    assert!(results.iter().any(|result| result.get("relatedLocations").is_some()));
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    // Nothing to report.
    let empty = json(&["--format", "sarif", &format!("{FOLDER}/none.ll")]);
    check_sarif(&empty);
    assert_eq!(empty["runs"][0]["results"], Value::Array(Vec::new()));
    assert_eq!(empty["runs"][0]["invocations"][0]["executionSuccessful"], true);
}

/// Names with spaces and other characters that URIs do not contain.
#[test]
fn sarif_of_verify_has_the_required_properties() {
    let log = |args: &[&str]| {
        let output = super::run(&[&["verify", "--format", "sarif"], args].concat(), b"");
        let log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        check_sarif(&log);
        log
    };
    let found = log(&["tests/data/dumps/copy.inline.visaasm"]);
    let results = found["runs"][0]["results"].as_array().expect("results");
    let place = |result: &Value| {
        let region = &result["locations"][0]["physicalLocation"]["region"];
        (
            text(&result["ruleId"]).to_string(),
            region["startLine"].clone(),
            region["startColumn"].clone(),
        )
    };
    let places: Vec<_> = results.iter().map(place).collect();
    let source = std::fs::read_to_string(crate::repository("tests/data/dumps/copy.inline.visaasm"));
    let source = source.expect("a text");
    let position = |rule: &str, part: &str, word: &str| {
        let (line, text) =
            source.lines().enumerate().find(|(_, line)| line.contains(part)).expect("a line");
        let column = text.find(part).expect("the part") + part.find(word).expect("the word");
        (rule.to_string(), (line + 1).into(), (column + 1).into())
    };
    let expected = [
        position("lsc-cache-count", ".ca.ca.uc", ".ca.uc"),
        position("flag-mov-mask", "(M1, 1) V", "(M1, 1)"),
    ];
    assert_eq!(places, expected);
    // A file that cannot be read is a problem of the run.
    let missing = log(&["no-such-file.isa"]);
    let invocation = &missing["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert!(
        text(&invocation["toolExecutionNotifications"][0]["message"]["text"])
            .contains("no-such-file")
    );
}

#[test]
fn sarif_escapes_names() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = "a b\u{e9}.ll";
    std::fs::write(folder.path().join(name), read("scale.ll")).expect("a new file");
    let output = crate::tool()
        .current_dir(folder.path())
        .args(["check", "--format", "sarif", "."])
        .output()
        .expect("the tool runs");
    let log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    check_sarif(&log);
    let location = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "a%20b%C3%A9.ll");
}

#[test]
fn checks_folders_recursively() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    for name in ["a/b", ".hidden"] {
        std::fs::create_dir_all(path(name)).expect("a new folder");
    }
    for name in ["a/b/x.ll", "a/y.LL", "z.txt", ".hidden/x.ll"] {
        std::fs::write(path(name), read("scale.ll")).expect("a new file");
    }
    std::fs::write(path("empty.cl"), "").expect("a new file");
    let output = check(&[folder.path().to_str().expect("UTF-8")], b"");
    let text = stdout(&output);
    assert!(text.contains("1 file: no inline assembly found\n"), "{text}");
    assert!(text.contains("3 files, 4 blocks for Xe2 (default): 4 checked"), "{text}");
}

#[test]
fn warns_about_types_of_operands_that_no_block_has() {
    let file = format!("{FOLDER}/scale.cl");
    let output = check(&["--operand", "0=float", "--operand", "9=float", &file], b"");
    assert_eq!(stderr(&output), "genvisa: warning: --operand 9: no block has this operand\n");
}

/// The same finding on several platforms is reported once.
#[test]
fn merges_findings_of_platforms() {
    let file = format!("{FOLDER}/scale.ll");
    let count = |args: &[&str]| {
        let files = json(&[args, &["--json", &file[..]]].concat());
        let findings = files[0]["blocks"][1]["findings"].as_array().expect("findings").clone();
        findings.iter().map(|finding| finding["platforms"].clone()).collect::<Vec<_>>()
    };
    let both = count(&["--platform", "PVC", "--platform", "Xe2"]);
    assert_eq!(both, [serde_json::json!(["PVCXT", "Xe2"])]);
    let repeated = count(&["--platform", "PVC", "--platform", "PVC"]);
    assert_eq!(repeated, [serde_json::json!(["PVCXT"])]);
    let some = count(&["--platform", "PVC", "--platform", "DG2", "--platform", "Xe2"]);
    assert_eq!(some, [serde_json::json!(["PVCXT", "Xe2"]), serde_json::json!(["DG2"])]);
}

#[test]
fn reports_assembly_outside_of_functions() {
    let c = "__asm__(\"mov (M1, 16) V0(0,0)<1> 0x0:d\");\nnamespace n { int x; }\n";
    let ll = "target triple = \"spir64\"\nmodule asm \"mov (M1, 16) V0(0,0)<1> 0x0:d\"\n";
    for (language, text) in [("c", c), ("llvm", ll)] {
        let output = check(&["--as", language, "-"], text.as_bytes());
        assert!(stdout(&output).contains("error[file-scope-asm]"), "{}", stdout(&output));
    }
    let in_functions = "void f() { __asm__(\"mov (M1, 16) V0(0,0)<1> 0x0:d\"); }\n\
                        KERNEL(g) { __asm__(\"mov (M1, 16) V0(0,0)<1> 0x0:d\"); }\n";
    let output = check(&["--as", "c", "-"], in_functions.as_bytes());
    assert!(stdout(&output).contains("2 blocks"), "{}", stdout(&output));
    assert!(!stdout(&output).contains("file-scope-asm"), "{}", stdout(&output));
}

/// OpenCL C is compiled by the SIMT compiler and CM by the vector compiler; the constraints decide
/// for other files.
#[test]
fn suffixes_select_the_compiler() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = "void f(int x) {\n  int y;\n  asm(\"nop\" : \"=r\"(y) : \"r\"(x));\n}\n";
    let path = |name: &str, args: &[&str]| {
        let path = folder.path().join(name);
        std::fs::write(&path, text.replace("nop", "mov (M1, 1) %0 %1")).expect("a new file");
        let path = path.to_str().expect("UTF-8").to_owned();
        json(&[&["--json", &path], args].concat())[0]["blocks"][0]["path"].clone()
    };
    assert_eq!(path("x.cl", &[]), "simt");
    assert_eq!(path("x.cm", &[]), "vc");
    assert_eq!(path("x.cpp", &[]), "vc");
    assert_eq!(path("x.cl", &["--path", "vc"]), "vc");
}

/// Columns are numbers of characters. If the line were read from its start for each finding, this would
/// take minutes.
#[test]
fn columns_of_a_long_line_take_linear_time() {
    const PADDING: usize = 4 << 20;
    const STATEMENT: &str = r#"asm("mov (M1, 1) %5(0,0)<1> %0(0,0)<0;1,0>" :: "rw"(x));"#;
    let source =
        format!("void f(int x) {{ /*{}*/ {}}}", "é".repeat(PADDING), STATEMENT.repeat(300));
    let output = check(&["--as", "c", "--json", "-"], source.as_bytes());
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let blocks = report[0]["blocks"].as_array().expect("a list");
    assert_eq!(blocks.len(), 300);
    for (number, block) in blocks.iter().enumerate() {
        let before = "void f(int x) { /**/ ".len() + PADDING + number * STATEMENT.len();
        assert_eq!((&block["line"], &block["column"]), (&1.into(), &(before + 1).into()));
        let operand = before + STATEMENT.find("%5").expect("the operand");
        assert_eq!(block["findings"][0]["column"], operand + 1);
        assert_eq!(block["findings"][0]["end_column"], operand + 3);
    }
}
