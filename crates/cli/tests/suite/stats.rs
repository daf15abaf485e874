//! `genvisa stats` and the columns of `genvisa dis`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Output;

use genvisa::object::{Code, Kernel};
use genvisa::{Dialect, Format, Module};
use genvisa_test_support::{corpus, tour};
use serde_json::Value;

/// Runs the tool in the root of the repository.
fn run(args: &[&str]) -> Output {
    let output = crate::tool().args(args).output();
    output.expect("the tool runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the numbers of a JSON value by their paths, such as `control_flow.blocks`. The elements
/// of lists have the value of their first text field as name.
fn numbers(value: &Value, path: &str, found: &mut BTreeMap<String, u64>) {
    let below = |name: &str| if path.is_empty() { name.into() } else { format!("{path}.{name}") };
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| numbers(value, &below(name), found));
        }
        Value::Number(number) => {
            found.insert(path.into(), number.as_u64().expect("a count"));
        }
        _ => {}
    }
}

/// Returns the words of a line of a table.
fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Returns whether a line of a table contains a name and then a number, in any of its two columns.
fn has(table: &str, name: &str, number: u64) -> bool {
    let (name, number) = (words(name), number.to_string());
    table.lines().any(|line| {
        let line = words(line);
        line.windows(name.len() + 1)
            .any(|window| window[..name.len()] == name && window[name.len()] == number)
    })
}

/// Every number of the JSON is in the table beside its name.
#[test]
fn json_has_the_numbers_of_the_table() {
    let mut files = vec!["tests/data/dot.visaasm".to_string(), "tests/data/tour.isa".into()];
    if let Some(folder) = corpus::visaasm() {
        for name in ["dg2/control-branches", "pvc/modern-misc2-3", "dg2/images-sample_array"] {
            files.push(folder.join(name).with_extension("visaasm").display().to_string());
        }
    }
    for file in files {
        let table = stdout(&run(&["stats", &file]));
        let json: Value = serde_json::from_slice(&run(&["stats", "--json", &file]).stdout)
            .expect("the output is JSON");
        let routines = json.as_array().expect("a list");
        assert_eq!(routines.len(), 1, "{file}");
        let routine = &routines[0];
        let check = |name: &str, number: u64| {
            assert!(has(&table, name, number), "{file}: {name} {number} is not in\n{table}");
        };
        let field = |value: &Value, name: &str| value[name].as_u64().expect("a number");

        let mut sections = BTreeMap::new();
        for section in ["totals", "control_flow", "operations", "kinds"] {
            numbers(&routine[section], "", &mut sections);
            for (name, number) in std::mem::take(&mut sections) {
                let is_total = section == "totals" && name == "instructions";
                let name = match (section, name.as_str()) {
                    _ if is_total => "total".into(),
                    ("totals", "messages") => "total".into(),
                    ("operations", _) => name,
                    _ if section == "kinds" => name,
                    _ => name.replace('_', " "),
                };
                check(&name, number);
            }
        }
        for message in routine["messages"].as_array().expect("a list") {
            let text = |name| message[name].as_str().unwrap_or_default();
            let name = format!("{} {} {}", text("operation"), text("target"), text("name"));
            check(&name, field(message, "count"));
        }
        check("scratch reads", field(&routine["scratch"], "reads"));
        check("scratch writes", field(&routine["scratch"], "writes"));
        for mask in ["masked", "no_mask"] {
            let widths = routine["widths"].as_array().expect("a list").iter();
            let row: Vec<String> = widths.map(|width| field(width, mask).to_string()).collect();
            let row = format!("{} {}", mask.replace('_', " "), row.join(" "));
            assert!(table.lines().any(|line| words(line).join(" ") == row), "{row}\n{table}");
        }
        for class in routine["declarations"].as_array().expect("a list") {
            let name = class["class"].as_str().expect("a class");
            let row = [field(class, "count"), field(class, "aliases"), field(class, "bytes")];
            let row = format!("{name} {} {} {}", row[0], row[1], row[2]);
            assert!(table.lines().any(|line| words(line).join(" ") == row), "{row}\n{table}");
        }
        let peak = &routine["peak"];
        for name in ["registers", "bytes", "address_bytes", "predicate_bits"] {
            check(&format!("peak {}", name.replace('_', " ")), field(peak, name));
        }
        let operation = peak["operation"].as_str().expect("an operation");
        let at = format!("before instruction ${} {operation}", field(peak, "instruction"));
        assert!(table.lines().any(|line| words(line).join(" ") == at), "{at}\n{table}");
        let variables = peak["variables"].as_array().expect("a list");
        for variable in variables.iter().take(12) {
            check(variable["name"].as_str().expect("a name"), field(variable, "bytes"));
        }
        // The table summarizes those after the twelfth.
        let rest: u64 = variables.iter().skip(12).map(|variable| field(variable, "bytes")).sum();
        if variables.len() > 12 {
            check(&format!("{} more", variables.len() - 12), rest);
        }
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    }
}

#[test]
#[ignore = "needs the corpus"]
fn tables_fit_in_80_columns() {
    let folder = corpus::required();
    for name in ["mediadriver-hme-downscale-gen9", "mediadriver-gen12-hevc-b-lcu32"] {
        let file = folder.join(name).with_extension("isa").display().to_string();
        let table = stdout(&run(&["stats", &file]));
        let wide = table.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "{file}");
    }
}

/// Writes a file with three kernels. The second has a retired opcode.
fn file_with_broken_kernel(path: &Path) {
    let mut module = tour::module(Format::default()).expect("a module");
    let kernel = |name: &str| Kernel { name: name.into(), ..module.kernels[0].clone() };
    let (first, mut broken, last) = (kernel("first"), kernel("broken"), kernel("last"));
    let mut code = broken.body.code.bytes().to_vec();
    let boundary = broken.body.code.boundaries(module.format).nth(3).expect("many");
    code[boundary.expect("a legal instruction").offset] = 0x3b;
    broken.body.code = Code::Present { bytes: code.into(), offset: 0 };
    module.kernels = vec![first, broken, last];
    let bytes = module.to_bytes().expect("an encodable module");
    assert!(Module::from_bytes(&bytes, Dialect::Igc2022).is_ok());
    std::fs::write(path, bytes).expect("a writable folder");
}

#[test]
fn a_fault_in_one_routine_does_not_stop_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.isa");
    file_with_broken_kernel(&path);
    let file = path.display().to_string();

    let output = run(&["stats", &file]);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("kernel `broken`, instruction 3"), "{error}");
    let table = stdout(&output);
    let heads = table.lines().filter(|line| line.starts_with("kernel "));
    let names: Vec<&str> = heads.filter_map(|line| line.split([' ', ':']).nth(1)).collect();
    assert_eq!(names, ["first", "last"]);

    let output = run(&["stats", "--json", &file]);
    assert_eq!(output.status.code(), Some(1));
    let json: Value = serde_json::from_slice(&output.stdout).expect("the output is JSON");
    assert_eq!(json.as_array().map(Vec::len), Some(2));

    let output = run(&["dis", "--pressure", "--liveness", "depth", &file]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    // The routine with the error is printed up to it, without columns.
    let (before, rest) = text.split_once(".kernel \"broken\"").expect("the second kernel");
    let (broken, after) = rest.split_once(".kernel \"last\"").expect("the third kernel");
    let columns = |text: &str| text.lines().filter(|line| line.starts_with("/* ")).count();
    assert_eq!((columns(before), columns(broken), columns(after)), (14, 0, 14));
    assert!(broken.contains("$2") && !broken.contains("$3"), "{broken}");
}

/// The marks of a variable are at the instructions whose text contains its name.
#[test]
fn marks_are_at_the_uses() {
    let text = stdout(&run(&["dis", "tests/data/dot.visaasm", "--liveness", "sum"]));
    let marked = text.lines().filter(|line| line.starts_with("/* "));
    let mut marks = String::new();
    for line in marked {
        let mark = line.chars().nth(3).expect("a mark");
        let is_used = line.split("*/").nth(1).is_some_and(|code| code.contains("sum"));
        assert_eq!(is_used, matches!(mark, 'v' | '^' | 'x'), "{line}");
        marks.push(mark);
    }
    // It is live from the first MOV, through the loop, to the store.
    assert_eq!(marks, " ^:::x:::::xv ");
}

#[test]
fn a_register_of_64_bytes_takes_half_as_many() {
    let peak = |args: &[&str]| {
        let output = run(&[&["stats", "--json", "tests/data/dot.visaasm"], args].concat());
        let json: Value = serde_json::from_slice(&output.stdout).expect("the output is JSON");
        json[0]["peak"]["registers"].as_u64().expect("a number")
    };
    // The text states DG2. Eight bytes are variables that share a register.
    assert_eq!(peak(&[]), 18 + 1);
    assert_eq!(peak(&["--registers", "64"]), 9 + 1);
    assert_eq!(peak(&["--platform", "PVC"]), 9 + 1);
    assert_eq!(peak(&["--platform", "tgllp"]), 18 + 1);
}

#[test]
fn the_numbers_of_two_folders_are_compared() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = |name: &str, count: usize| {
        format!(
            ".version 4.2\n.kernel \"{name}\"\n.decl x v_type=G type=d num_elts=16 align=GRF\n{}",
            "mov (M1, 16) x(0,0)<1> 0x1:d\n".repeat(count)
        )
    };
    for (path, text) in [
        ("a/OCL_asm00112233445566aa_simd16_entry_0001.visaasm", text("changed", 2)),
        ("a/OCL_asm00112233445566ab_simd16_entry_0001.visaasm", text("same", 2)),
        ("a/removed.visaasm", text("removed", 2)),
        ("b/OCL_asm11112233445566bb_simd16_entry_0001.visaasm", text("same", 2)),
        ("b/OCL_asm22112233445566bb_simd16_entry_0001.visaasm", text("changed", 7)),
    ] {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a writable folder");
    }
    let path = |name: &str| folder.path().join(name).display().to_string();
    let text = stdout(&run(&["stats", "--registers", "32", &path("a"), &path("b")]));
    assert!(text.contains("kernel changed:") && !text.contains("kernel same:"), "{text}");
    assert!(
        text.lines().any(|line| words(line) == ["instructions", "2", "7", "+5", "+250.0", "%"])
    );
    assert!(text.contains(": removed.visaasm\n"), "{text}");
    assert!(text.ends_with("2 files compared; the numbers of 1 differ\n"), "{text}");
}
