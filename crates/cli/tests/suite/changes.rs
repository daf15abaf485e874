//! Tests of `genvisa check --dumps`: what the compiler changed.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::run;

const DUMPS: &str = "tests/data/dumps";

fn check(args: &[&str]) -> Output {
    run(&[&["check", "--json"], args].concat(), b"")
}

fn json(output: &Output) -> Vec<Value> {
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    value.as_array().expect("a list").clone()
}

/// Writes the dumps of the repository, with the instructions of the text that is compiled replaced.
fn dumps(folder: &Path, compiled: &[&str]) {
    let read =
        |name: &str| fs::read_to_string(crate::repository(DUMPS).join(name)).expect("a text");
    let text = read("copy.visaasm");
    let (head, _) = text.split_once("_main_0:\n").expect("the label");
    let parsed = read("copy.inline.visaasm");
    fs::write(folder.join("k.inline.visaasm"), parsed).expect("written");
    let text = format!("{head}_main_0:\n{}\n//Platform: XE2\n", compiled.join("\n"));
    fs::write(folder.join("k.visaasm"), text).expect("written");
}

const CMP: &str = "cmp.lt (M1, 16) P1 V0032(0,0)<1;1,0> 0x0:d";
const LOAD: &str = "lsc_load.ugm.ca.ca.uc (M1, 16)  V0032:d32  flat[V0033]:a64";
const MOV: &str = "mov (M1, 1) V0034(0,0)<1> P1";
const RET: &str = "ret (M1, 1)";

/// Returns for each change the index of the instruction, whether it is there, and what is compiled.
fn changes(compiled: &[&str]) -> (Vec<(u64, bool, Vec<String>)>, Option<i32>) {
    let folder = tempfile::tempdir().expect("a folder");
    dumps(folder.path(), compiled);
    let output = check(&["--dumps", folder.path().to_str().expect("UTF-8")]);
    let change = |value: &Value| {
        let compiled = value["compiled"].as_array().expect("a list").iter();
        let compiled = compiled.map(|line| line.as_str().expect("a text").to_string()).collect();
        let index = value["instruction"].as_u64().expect("an index");
        (index, value["text"].is_string(), compiled)
    };
    (json(&output).iter().map(change).collect(), output.status.code())
}

#[test]
fn equal_texts_have_no_changes() {
    assert_eq!(changes(&[CMP, LOAD, MOV, RET]), (vec![], Some(0)));
}

#[test]
fn removed_added_and_replaced_instructions_are_changes() {
    let line = |line: &str| vec![line.to_string()];
    assert_eq!(changes(&[CMP, LOAD, RET]), (vec![(3, true, vec![])], Some(1)));
    let added = vec![(4, false, line(MOV))];
    assert_eq!(changes(&[CMP, LOAD, MOV, MOV, RET]), (added, Some(1)));
    let load = LOAD.replace(".ca.ca", ".ca");
    let mov = MOV.replace("M1,", "M1_NM,");
    let both = vec![(2, true, line(&load)), (3, true, line(&mov))];
    assert_eq!(changes(&[CMP, &load, &mov, RET]), (both, Some(1)));
    let two = vec![(2, true, vec![load.clone(), load.clone()])];
    let found = changes(&[CMP, &load, &load, MOV, RET]);
    assert_eq!(found, (two, Some(1)));
}

#[test]
fn a_text_without_counterpart_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    dumps(folder.path(), &[CMP, LOAD, MOV, RET]);
    fs::remove_file(folder.path().join("k.visaasm")).expect("removed");
    let output = check(&["--dumps", folder.path().to_str().expect("UTF-8")]);
    assert_eq!((output.status.code(), json(&output)), (Some(2), vec![]));
    assert!(String::from_utf8_lossy(&output.stderr).contains("k.visaasm"));
}

#[test]
fn dumps_are_not_written_over_other_files() {
    let output = check(&["--dumps", DUMPS, "tests/data/inline/scale.cl"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not empty"));
}

/// Compiles a kernel with a statement, and returns the changes.
fn compiled(statement: &str) -> Vec<Value> {
    let ocloc = std::env::var("GENVISA_OCLOC_TODAY").expect("GENVISA_OCLOC_TODAY");
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("k.cl");
    let text = format!(
        "__attribute__((intel_reqd_sub_group_size(16)))\n\
         kernel void k(global int *p) {{\n\
         int x = p[get_global_id(0)], y = 0;\n\
         __asm__ volatile(\"{statement}\" : \"+rw\"(y) : \"rw\"(x), \"rw\"(p + get_global_id(0)));\n\
         p[get_global_id(0)] = y;\n}}\n"
    );
    fs::write(&source, text).expect("written");
    let dumps = folder.path().join("dumps");
    let [source, dumps] = [source, dumps].map(|path| path.to_str().expect("UTF-8").to_string());
    let output = check(&["--ocloc", &ocloc, "--dumps", &dumps, &source]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{statement}");
    json(&output)
}

#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn changes_of_the_compiler_are_found() {
    assert_eq!(compiled("add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0x1:d"), [Value::Null; 0]);
    assert_eq!(compiled("lsc_load.ugm.ca.uc (M1, 16) %0:d32 flat[%2]:a64"), [Value::Null; 0]);
    let changes = compiled("lsc_load.ugm.ca.ca.uc (M1, 16) %0:d32 flat[%2]:a64");
    let rules: Vec<&Value> = changes.iter().map(|change| &change["rule"]).collect();
    assert_eq!(rules, ["lsc-cache-count"]);
}
