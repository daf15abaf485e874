//! Device binaries: their machine code, and numbers that are denied.

use serde_json::Value;

use super::run;

const BINARY: &str = "crates/container/tests/data/facts-dg2.bin";

/// The disassembler gets the bytes of each kernel in a file that is removed, with the name of the platform.
#[cfg(unix)]
#[test]
fn machine_code_is_given_to_the_disassembler() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("iga64");
    let script = "#!/bin/sh\necho \"$1 $2 $3 $(wc -c <\"$4\")\"\necho \"$4\" >>\"$0.files\"\n";
    std::fs::write(&program, script).expect("a file");
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("permissions");
    let option = format!("--machine-code={}", program.display());
    let output = run(&["dis", &option, BINARY], b"");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    for size in [960, 13248, 3712] {
        assert!(printed.contains(&format!("machine code of DG2, {size} bytes")), "{printed}");
        assert!(printed.contains(&format!("-d -p=12p71 -Xprint-pc {size}\n")), "{printed}");
    }
    let files = std::fs::read_to_string(folder.path().join("iga64.files")).expect("names");
    assert_eq!(files.lines().count(), 3);
    assert!(files.lines().all(|file| !std::path::Path::new(file).exists()), "{files}");

    let one = run(&["dis", &option, "--routine", "sorted", BINARY], b"");
    assert_eq!(String::from_utf8_lossy(&one.stdout).matches("machine code of").count(), 1);
    let none = run(&["dis", &option, "--routine", "sortde", BINARY], b"");
    assert_eq!(none.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&none.stderr).contains("sorted"), "{none:?}");
}

#[test]
fn errors_of_the_disassembler_say_what_to_do() {
    let errors = |args: &[&str]| {
        let output = run(&[&["dis"], args].concat(), b"");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, error) = errors(&["--machine-code=/nowhere/iga64", BINARY]);
    assert_eq!(code, Some(1));
    assert!(error.contains("state its path: --machine-code=PATH"), "{error}");
    let (code, error) = errors(&["--machine-code", "tests/data/collatz.visaasm"]);
    assert_eq!(code, Some(1));
    assert!(error.contains("is vISA text, not a device binary"), "{error}");
    // These options are about texts.
    for option in ["--registers=32", "--force", "--offsets"] {
        assert_eq!(errors(&["--machine-code", option, BINARY]).0, Some(2), "{option}");
    }
}

#[test]
fn denied_numbers_are_results_in_sarif() {
    let args = ["info", "--deny", "spills", "--deny", "registers>127", "--format", "sarif", BINARY];
    let output = run(&args, b"");
    assert_eq!(output.status.code(), Some(1));
    let log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let count = |id: &str| results.iter().filter(|result| result["ruleId"] == id).count();
    assert_eq!((count("spills"), count("registers")), (1, 3));
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], BINARY);
    assert_eq!(place["region"]["byteLength"], 36968);
    assert_eq!(run(&["info", "--format", "sarif", BINARY], b"").status.code(), Some(2));
    let module = "tests/data/tour.isa";
    let output = run(&["info", "--deny", "spills", "--format", "sarif", module], b"");
    let message = format!("`{module}` has no device binary, whose numbers --deny could refuse");
    assert!(String::from_utf8_lossy(&output.stderr).contains(&message), "{output:?}");
}
