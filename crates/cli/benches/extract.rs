//! The time to search a file of 100 MB for objects, compared with reading it and with `grep`.
//!
//! The file consists of pseudorandom bytes with an object in each megabyte. The benchmark starts
//! commands, so that the times include the start of a process.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const MEGABYTE: usize = 1 << 20;
const SIZE: usize = 100 * MEGABYTE;

/// Returns the contents of the file.
fn contents(object: &[u8]) -> Vec<u8> {
    let mut state = 1u64;
    let mut bytes = Vec::with_capacity(SIZE);
    while bytes.len() < SIZE {
        if bytes.len() % MEGABYTE == 0 {
            bytes.extend_from_slice(object);
            bytes.resize(bytes.len().next_multiple_of(8), 0);
        }
        // The generator of Knuth's MMIX.
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        bytes.extend_from_slice(&(state >> 8).to_le_bytes());
    }
    bytes
}

/// Returns the median time of some runs in milliseconds.
fn median(mut run: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..15)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn run(command: &str, arguments: &[&str], file: &Path) {
    let mut command = Command::new(command);
    // Not to /dev/null: `grep` would stop at the first match.
    let output = command.args(arguments).arg(file).output();
    assert!(output.expect("the command").status.success());
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("library.so");
    fs::write(&file, contents(include_bytes!("../../../tests/data/tour.isa"))).expect("a file");
    let genvisa = env!("CARGO_BIN_EXE_genvisa");
    let start = median(|| run(genvisa, &["--help"], Path::new("--color=never")));
    let read = median(|| assert!(fs::read(&file).is_ok_and(|bytes| bytes.len() >= SIZE)));
    let grep = median(|| run("grep", &["-c", "CISA"], &file));
    let extract = median(|| run(genvisa, &["extract", "--list"], &file));
    println!("a file of 100 MB with 100 objects:");
    for (what, time) in [
        ("start of the tool", start),
        ("read, in this process", read),
        ("grep -c CISA", grep),
        ("genvisa extract --list", extract),
    ] {
        println!("{what:>24} {time:>8.1} ms  {:>5.2} of reading", time / read);
    }
}
