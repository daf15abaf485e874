//! `explain`: its order and its memory.

use std::process::Stdio;

use genvisa::object::Name;
use genvisa::{Format, Module};
use genvisa_test_support::tour;

use super::{file_with_two_kernels, run};

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
    for options in [&[][..], &["--json"]] {
        let mut explain = crate::tool()
            .arg("explain")
            .args(options)
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
}
