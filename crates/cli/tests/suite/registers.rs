//! Sizes of registers that are assumed or differ, and barriers in divergent control flow.

use std::path::Path;

use serde_json::Value;

/// Returns the text of a kernel, with the platform if there is one.
fn kernel(code: &str, platform: &str) -> String {
    let platform =
        if platform.is_empty() { String::new() } else { format!("//Platform: {platform}\n") };
    format!(
        ".version 4.2\n.kernel \"k\"\n.decl x v_type=G type=d num_elts=32 align=GRF\n\
         .decl P v_type=P num_elts=16\n{code}\nret (M1, 1)\n{platform}"
    )
}

const ADD: &str = "add (M1, 16) x(0,0)<1> x(0,0)<1;1,0> 0x1:d";

/// Runs the tool in a folder and returns the standard output and the warnings.
fn run(folder: &Path, args: &[&str]) -> (String, String) {
    let output = crate::tool().args(args).current_dir(folder).output().expect("the tool runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn commands_state_the_size_that_they_assume() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let code = format!("mov (M1, 16) x(0,0)<1> 0x1:d\n{ADD}");
    std::fs::write(path.join("a.visaasm"), kernel(&code, "")).expect("writing");
    std::fs::write(path.join("b.visaasm"), kernel("", "")).expect("writing");
    for command in
        ["stats a.visaasm", "cfg a.visaasm", "dis --pressure a.visaasm", "diff a.visaasm b.visaasm"]
    {
        let args: Vec<&str> = command.split(' ').collect();
        let (_, warnings) = run(path, &args);
        let expected = "a.visaasm: no known `//Platform:` and no --platform: registers of 32 bytes are assumed";
        assert!(warnings.contains(expected), "{command}: {warnings}");
        for option in [["--platform", "bmg"], ["--registers", "64"]] {
            let (_, warnings) = run(path, &[&args[..], &option].concat());
            assert_eq!(warnings, "", "{command}");
        }
    }
}

#[test]
fn registers_of_different_sizes_are_not_compared_silently() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    std::fs::create_dir(path.join("both")).expect("a folder");
    let twice = format!("{ADD}\n{ADD}");
    for (name, text) in [
        ("a.visaasm", kernel(&twice, "TGLLP")),
        ("b.visaasm", kernel(ADD, "XE2")),
        ("both/a.visaasm", kernel(ADD, "TGLLP")),
        ("both/b.visaasm", kernel(ADD, "XE2")),
    ] {
        std::fs::write(path.join(name), text).expect("writing");
    }
    for command in ["stats a.visaasm b.visaasm", "stats both", "diff a.visaasm b.visaasm"] {
        let args: Vec<&str> = command.split(' ').collect();
        let (_, warnings) = run(path, &args);
        assert!(warnings.contains("do not compare their numbers"), "{command}: {warnings}");
        let (_, warnings) = run(path, &[&args[..], &["--registers", "32"]].concat());
        assert_eq!(warnings, "", "{command}");
    }
    let (json, warnings) = run(path, &["diff", "--json", "a.visaasm", "b.visaasm"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        (&json[0]["register_bytes"], &json[0]["register_bytes_b"]),
        (&32.into(), &64.into())
    );
    assert_eq!(warnings, "");
}

#[test]
fn barriers_in_divergent_control_flow_are_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let branch = |compare: &str| {
        kernel(&format!("{compare}\n(P) goto (M1, 16) after\nbarrier\nafter:\nbarrier"), "TGLLP")
    };
    let divergent = branch("cmp.lt (M1, 16) P x(0,0)<1;1,0> 0x1:d");
    let uniform = branch("cmp.lt (M1_NM, 16) P x(0,0)<0;1,0> 0x1:d");
    for (name, text) in [("divergent.visaasm", divergent), ("uniform.visaasm", uniform)] {
        std::fs::write(folder.path().join(name), text).expect("writing");
    }
    let verify = |args: &[&str]| run(folder.path(), &[&["verify"], args].concat()).0;
    let findings = verify(&["--group", "igc,manual", "divergent.visaasm"]);
    assert_eq!(findings.matches("[barrier-divergence]").count(), 1, "{findings}");
    assert!(findings.contains("--> divergent.visaasm:7:1"), "{findings}");
    assert!(findings.starts_with("warning"), "{findings}");
    let nothing = "1 file, 1 routine: 0 errors, 0 warnings\n";
    assert_eq!(verify(&["--warn", "barrier-divergence", "uniform.visaasm"]), nothing);
    assert_eq!(verify(&["divergent.visaasm"]), nothing);
    let denied = verify(&["--deny", "barrier-divergence", "divergent.visaasm"]);
    assert!(denied.starts_with("error[barrier-divergence]"), "{denied}");
    assert!(verify(&["--list"]).contains("barrier-divergence"));
}
