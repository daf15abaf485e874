//! Limits of memory: a command succeeds, or fails with a message and without temporary files.

use std::collections::BTreeMap;

use super::outputs::{Attempt, Writer};
use super::{end_of, tries_all};

/// Limits in KiB, from less than the program needs at its start to more than all commands need.
fn limits() -> impl Iterator<Item = usize> {
    let step = if tries_all() { 128 } else { 512 };
    (1024..6144).step_by(step).chain([64 << 10])
}

pub fn memory(writer: &Writer, expected: &BTreeMap<String, Vec<u8>>) -> Option<String> {
    let ends = limits().map(|limit| {
        let attempt = Attempt::new(expected);
        let script = format!("ulimit -d {limit}; exec \"$@\"");
        let output = attempt.run(&["sh", "-c", &script, "sh"], writer);
        let context = format!("{}: ulimit -d {limit}", writer.name);
        let errors = String::from_utf8_lossy(&output.stderr);
        let (end, state) = (end_of(output.status), attempt.state(&context));
        let is_clear = match &*end {
            "0" => state == "new",
            "1" => state == "old" && errors.ends_with(": out of memory\n"),
            "SIGABRT" => state == "old" && errors.contains("memory allocation of"),
            // The system cannot start the program.
            "127" | "SIGSEGV" => state == "old" && !errors.contains("genvisa:"),
            _ => false,
        };
        assert!(is_clear, "{context}: {end}, {state}: {errors}");
        end
    });
    let ends: Vec<String> = ends.collect();
    assert_eq!(ends.last().map(String::as_str), Some("0"), "{}", writer.name);
    assert!(ends.iter().any(|end| end != "0"), "{}: no limit was reached", writer.name);
    Some("0, new; 1 or SIGABRT, old".into())
}
