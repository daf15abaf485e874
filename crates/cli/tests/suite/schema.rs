//! `crates/cli/output.schema.json` describes what `--json` prints.

mod validation;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use genvisa::Format;
use genvisa_test_support::{corpus, tour};
use serde_json::Value;

use self::validation::validate;
use super::commands::commands;
use super::{file_with_broken_kernel, file_with_two_kernels, run, text_of};

fn schema() -> &'static Value {
    static SCHEMA: LazyLock<Value> =
        LazyLock::new(|| serde_json::from_slice(&run(&["schema"], b"").stdout).expect("JSON"));
    &SCHEMA
}

/// Fails unless a value agrees with a definition of the schema.
fn assert_valid(definition: &str, value: &Value, call: &str) {
    let validated = validate(schema(), &schema()["$defs"][definition], value, definition);
    validated.unwrap_or_else(|error| panic!("genvisa {call}: {error}"));
}

/// The commands that print JSON, with the option for it.
const COMMANDS: [(&str, &[&str]); 14] = [
    ("roundtrip", &["--json"]),
    ("info", &["--json"]),
    ("explain", &["--json"]),
    ("isa", &["--json"]),
    ("verify", &["--json", "--deny", "manual"]),
    ("stats", &["--json"]),
    ("run", &["--json"]),
    ("equiv", &["--json"]),
    ("triage", &["--json"]),
    ("cfg", &["--format", "json"]),
    ("check", &["--json"]),
    ("diff", &["--json"]),
    ("extract", &["--list", "--json"]),
    ("pack", &["--json"]),
];

/// Runs a command, and returns its output, which agrees with the definition of the command unless there
/// is none.
fn check(command: &str, args: &[&str], input: &[u8]) -> Option<Value> {
    let options = COMMANDS.iter().find(|(name, _)| *name == command).expect("it is listed").1;
    let output = run(&[&[command], options, args].concat(), input);
    if output.stdout.is_empty() {
        assert_ne!(output.status.code(), Some(0), "{command} {args:?}");
        return None;
    }
    let call = format!("{command} {}", args.join(" "));
    let value: Value = serde_json::from_slice(&output.stdout).expect(&call);
    assert_valid(command, &value, &call);
    Some(value)
}

#[test]
fn all_commands_with_json_are_in_the_schema() {
    let listed: BTreeSet<&str> = COMMANDS.iter().map(|(name, _)| *name).collect();
    let schema = schema();
    for command in commands() {
        let help = String::from_utf8(run(&[&command, "--help"], b"").stdout).expect("UTF-8");
        let has_json = help.contains("\n      --json\n") || help.contains("- json:");
        assert_eq!(listed.contains(&*command), has_json, "{command}");
        assert_eq!(schema["$defs"].get(&command).is_some(), has_json, "{command}");
    }
}

/// Objects have no members that the schema does not name, and those that it names.
#[test]
fn lines_and_machine_code_agree_with_the_schema() {
    let visa = "tests/data/lines/scale.visaasm";
    let stats = check("stats", &["--by-line", "--asm", visa], b"").expect("a list");
    assert!(stats[0]["lines"].is_array() && stats[0]["machine_code"].is_object(), "{stats}");
    let (a, b) = ("tests/data/lines/scale.asm", "--asm=-");
    let shorter = fs::read_to_string(super::repository(a)).expect("a file of the repository");
    let shorter = shorter.replace("        sync.nop", "//      sync.nop");
    let diff = check("diff", &[&format!("--asm={a}"), b, visa, visa], shorter.as_bytes());
    assert_eq!(diff.expect("a list")[0]["machine_code"][0]["b"], 23);
}

#[test]
fn instructions_agree_with_the_schema() {
    for mnemonic in ["sample_3d", "rt_write_3d", "svm_atomic", "func"] {
        let list = check("isa", &[mnemonic], b"").expect("a list");
        assert_eq!(list[0]["mnemonic"], mnemonic);
    }
}

#[test]
fn runs_and_faults_agree_with_the_schema() {
    let kernel = ["crates/interp/tests/data/scale-bmg.bin", "--kernel", "scale", "--local", "32"];
    let arguments = ["--arg", "zero:128", "--arg", "zero:128", "--arg", "1", "--arg", "n=64"];
    let run = |rest: &[&str]| {
        let list = check("run", &[&kernel[..], &arguments, rest].concat(), b"");
        list.expect("a list")[0].clone()
    };
    let file = tempfile::NamedTempFile::new().expect("a file");
    let output = format!("1=@{}", file.path().display());
    let complete = run(&["--global", "32", "--out", &output]);
    assert_eq!(complete["outputs"][0]["bytes"], 128);
    assert!(complete["trace"].is_null());
    let traced = run(&["--global", "32", "--trace"]);
    let count = traced["trace"].as_array().expect("a list").len();
    assert_eq!(Some(count as u64), traced["instructions"].as_u64());
    let changes = run(&["--global", "32", "--trace=V0060"]);
    for change in changes["trace"].as_array().expect("a list") {
        assert!(change["line"].as_str().expect("a text").contains("V0060"), "{change}");
        assert!(!change["values"].as_array().expect("a list").is_empty());
    }
    let stopped = run(&["--global", "64", "--out", &output]);
    assert_eq!(stopped["fault"]["kind"], "outside-memory");
    assert_eq!(stopped["fault"]["place"]["group"], serde_json::json!([1, 0, 0]));
    assert_eq!(stopped["outputs"], serde_json::json!([]));
}

#[test]
fn compared_kernels_agree_with_the_schema() {
    let binary = "crates/interp/tests/data/scale-bmg.bin";
    let compare = |b: &str| check("equiv", &[binary, b], b"").expect("a list");
    let list = compare("crates/equiv/tests/data/scale-edited.visaasm");
    assert_eq!(list[0]["element"]["a"]["value"], "-2");
    let list = compare("crates/interp/tests/data/scale-tgllp.bin");
    assert_eq!((&list[0]["verdict"], &list[1]["runs"]), (&"equal".into(), &96.into()));
    let list = check("triage", &[binary, "crates/interp/tests/data/scale-dg2.bin"], b"");
    assert_eq!(list.expect("a list")[0]["verdict"], "later-or-none");
    let binary = "crates/interp/tests/mistakes/saxpy";
    let (text, info) = (format!("{binary}.visaasm"), format!("{binary}.zeinfo"));
    let list = check("equiv", &[&text, &text, "--info", &info], b"").expect("a list");
    assert_eq!(list[0]["verdict"], "same-code");
}

#[test]
fn objects_of_the_schema_are_closed() {
    fn visit(value: &Value, path: &str) {
        if let Some(properties) = value.get("properties").and_then(Value::as_object) {
            // Kernels of device binaries and their arguments also have the members of `.ze_info`.
            let is_open = properties.contains_key("has_text") || properties.contains_key("payload");
            assert_eq!(value["additionalProperties"], Value::Bool(is_open), "{path}");
            let required = value["required"].as_array().expect("a list");
            let is_optional = |name: &&String| !required.contains(&Value::String((*name).clone()));
            // The place in a file depends on whether it is binary.
            for name in properties.keys().filter(is_optional) {
                assert!(["line", "column", "offset"].contains(&&**name), "{path}: {name}");
            }
        }
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    visit(value, &format!("{path}/{name}"));
                }
            }
            Value::Array(values) => values.iter().for_each(|value| visit(value, path)),
            _ => {}
        }
    }
    let schema = schema();
    visit(schema, "");
    let used = schema.to_string();
    for name in schema["$defs"].as_object().expect("definitions").keys() {
        let is_command = COMMANDS.iter().any(|(command, _)| command == name);
        let is_command = is_command || ["rules", "checkDumps"].contains(&name.as_str());
        assert!(is_command || used.contains(&format!("\"#/$defs/{name}\"")), "{name} is not used");
    }
}

#[test]
fn the_schema_rejects_undocumented_members() {
    let value = check("roundtrip", &["tests/data/tour.isa"], b"").expect("a list");
    let mut wrong = value.clone();
    wrong[0]["colour"] = Value::Null;
    let is_refused = std::panic::catch_unwind(|| assert_valid("roundtrip", &wrong, "")).is_err();
    assert!(is_refused);
}

/// Returns the files of the repository with a suffix in a folder and its subfolders.
fn files(folder: &Path, suffixes: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path, suffixes));
        } else if path.extension().is_some_and(|it| suffixes.iter().any(|suffix| it == *suffix)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn outputs_agree_with_the_schema() {
    let visa = files(&crate::repository("tests/data"), &["isa", "visaasm"]);
    assert!(visa.len() > 10);
    for file in &visa {
        let file = file.to_str().expect("UTF-8");
        for command in ["roundtrip", "info", "explain", "verify", "stats", "cfg", "extract"] {
            check(command, &[file], b"");
        }
        check("diff", &[file, "tests/data/plain.visaasm"], b"");
    }
    for file in files(&crate::repository("tests/data/inline"), &["cl", "ll", "spv", "h", "i"]) {
        let file = file.to_str().expect("UTF-8");
        check("check", &["--platform", "PVC", "--platform", "Xe2", file], b"");
    }
    let changes = run(&["check", "--dumps", "tests/data/dumps", "--json"], b"").stdout;
    let changes = serde_json::from_slice(&changes).expect("JSON");
    assert_valid("checkDumps", &changes, "check --dumps");
    for command in ["verify", "check"] {
        let rules = run(&[command, "--list", "--json"], b"").stdout;
        assert_valid("rules", &serde_json::from_slice(&rules).expect("JSON"), command);
    }
    check("extract", &["tests/data/kernels.c", env!("CARGO_BIN_EXE_genvisa")], b"");
    check(
        "diff",
        &["crates/cli/tests/transcripts/diff/old", "crates/cli/tests/transcripts/diff/new"],
        b"",
    );
    // A text without routines is not compared.
    check("diff", &["-", "tests/data/plain.visaasm"], b".version 3.6\n").expect("an error");
    check("explain", &["--hex", "71 03 01 80 24 00 06 00 00 00 00 00 00 05"], b"");
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("kernels.c");
    let out = out.to_str().expect("UTF-8");
    let text = String::from_utf8(run(&["dis", "tests/data/tour.isa"], b"").stdout).expect("UTF-8");
    let changed = text.replace("0x4:ud", "0x8:ud");
    assert_ne!(text, changed);
    let packed = ["tests/data/kernels.c!tour", "-", "-o", out];
    let packed = check("pack", &packed, changed.as_bytes()).expect("a list");
    let replaced = &packed[0]["replaced"];
    assert_eq!((&replaced[0]["number"], &replaced[0]["name"]), (&2.into(), &"-".into()));
    assert_eq!(packed[0]["size"], fs::read(out).expect("the output").len());
}

/// Wrong files: routines with errors, truncated files and texts.
#[test]
fn outputs_about_wrong_files_agree_with_the_schema() {
    let whole = file_with_two_kernels();
    let text = text_of(&[("kernel", "one", "mov (M1, 16)"), ("kernel", "two", "ret (M1, 1)")]);
    let inputs = [
        file_with_broken_kernel(),
        whole[..whole.len() / 2].to_vec(),
        whole[..9].to_vec(),
        text.clone().into_bytes(),
        b"no vISA".to_vec(),
        Vec::new(),
        tour::module(Format::default()).expect("a module").to_bytes().expect("bytes"),
    ];
    for input in inputs {
        for command in ["roundtrip", "info", "explain", "verify", "stats", "cfg", "extract"] {
            check(command, &["-"], &input);
        }
        check("diff", &["-", "tests/data/plain.visaasm"], &input);
        check("check", &["-", "--as", "c"], &input);
    }
    let explained = check("explain", &["-"], &file_with_broken_kernel()).expect("a list");
    let groups = explained[0]["groups"].as_array().expect("groups");
    let names: Vec<&Value> = groups.iter().map(|group| &group["name"]).collect();
    assert_eq!(names[..3], ["header", "kernel `broken`", "kernel `tour`"]);
    assert_eq!(groups[1]["instructions"].as_array().map(Vec::len), Some(4));
    assert_eq!(groups[1]["instructions"][3]["size"], Value::Null);
    assert_eq!(groups[2]["instructions"].as_array().map(Vec::len), Some(14));
    assert_eq!(explained[0]["errors"].as_array().map(Vec::len), Some(1));
}

#[test]
#[ignore = "needs the corpus"]
fn outputs_about_the_corpus_agree_with_the_schema() {
    if let Some(folder) = corpus::visaasm() {
        let folder = folder.to_str().expect("UTF-8").to_string();
        for command in ["verify", "stats"] {
            let values = check(command, &[&folder], b"").expect("a list");
            assert!(command == "verify" || values.as_array().is_some_and(|list| list.len() > 100));
        }
        for file in files(folder.as_ref(), &["visaasm"]) {
            let file = file.to_str().expect("UTF-8");
            for command in ["info", "cfg"] {
                check(command, &[file], b"");
            }
        }
    }
    let folder = corpus::required();
    let folder = folder.to_str().expect("UTF-8");
    for command in ["roundtrip", "extract"] {
        check(command, &[folder], b"").expect("a list");
    }
}

/// The JSON of a file is written while it is read, so its offsets and sizes cover the file.
#[test]
fn explained_fields_are_a_tree() {
    fn visit(fields: &Value, end: &mut u64) {
        for field in fields.as_array().expect("fields") {
            let (Some(offset), Some(size)) = (field["offset"].as_u64(), field["size"].as_u64())
            else {
                continue;
            };
            assert_eq!(offset, *end, "{field}");
            let mut inner = offset;
            visit(&field["fields"], &mut inner);
            assert!(inner == offset || inner == offset + size, "{field}");
            *end = offset + size;
        }
    }
    let value = check("explain", &["tests/data/tour.isa"], b"").expect("a list");
    for instruction in value[0]["groups"][1]["instructions"].as_array().expect("a list") {
        let mut end = instruction["offset"].as_u64().expect("a number");
        let size = instruction["size"].as_u64().expect("a number");
        let last = end + size;
        visit(&instruction["fields"], &mut end);
        assert_eq!(end, last, "{instruction}");
    }
}
