//! The output of `printf`.

use std::fs;

use genvisa_interp::binary::{DataSection, DeviceBinary};
use genvisa_interp::dispatch::{Argument, Grid, Launch, Options, Printed};
use genvisa_interp::{Machine, Program};
use genvisa_test_support::repository;

/// Returns the kernel of `printf.cl`.
fn binary() -> DeviceBinary {
    let path = repository("crates/interp/tests/data/printf-bmg.bin");
    DeviceBinary::from_bytes(&fs::read(path).expect("a fixture")).expect("a device binary")
}

/// Runs the kernel with a number of work-items, one group for each four of them.
fn run(binary: &DeviceBinary, items: u32) -> Printed {
    let platform = binary.platform().expect("a platform");
    let program = Program::of_kernel(binary, "print", platform).expect("the text");
    let mut machine = Machine::new(&program).with_limit(u64::MAX);
    let grid = Grid::new(&[items], &[items.min(32)]).expect("a grid");
    let arguments = vec![Argument::Value(1.75f32.to_le_bytes().to_vec())];
    let options = Options { platform, workers: 1 };
    let launch =
        Launch::new(&mut machine, binary, "print", options, grid, arguments).expect("a launch");
    launch.run(&machine, 1).expect("no fault");
    launch.printed(&mut machine)
}

/// Returns the section with the formats.
fn strings(binary: &mut DeviceBinary) -> &mut DataSection {
    binary.data.iter_mut().find(|data| data.name == ".data.const.string").expect("the strings")
}

/// Replaces a part of the formats.
fn replace(binary: &mut DeviceBinary, old: &str, new: &str) {
    assert_eq!(old.len(), new.len());
    let bytes = &mut strings(binary).bytes;
    let at = bytes.windows(old.len()).position(|part| part == old.as_bytes()).expect("the text");
    bytes[at..at + new.len()].copy_from_slice(new.as_bytes());
}

#[test]
fn printf_prints_what_pocl_prints() {
    let printed = run(&binary(), 4);
    assert_eq!(printed.problem, None);
    let text = String::from_utf8(printed.text).expect("ASCII");
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    let path = repository("crates/interp/tests/data/printf.txt");
    let expected = fs::read_to_string(path).expect("the output of pocl");
    assert_eq!(lines, expected.lines().collect::<Vec<_>>());
}

#[test]
fn each_lane_prints_its_calls_in_order() {
    let text = String::from_utf8(run(&binary(), 32).text).expect("ASCII");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6 * 32);
    let of_lane = |lane: &str| {
        let first = lines.iter().position(|line| line.starts_with(&format!("{lane}|")));
        let fourth = lines.iter().position(|line| line.starts_with(&format!("{lane},1,-2,3|")));
        (first.expect("the first call"), fourth.expect("the fourth call"))
    };
    for lane in 0..32 {
        let (first, fourth) = of_lane(&lane.to_string());
        assert!(first < fourth);
    }
}

#[test]
fn more_output_than_the_buffer_has_room_for_is_told() {
    // A work-item takes more than 400 bytes.
    let printed = run(&binary(), 16384);
    assert_eq!(
        printed.problem.as_deref(),
        Some("the kernel printed more than 4194304 bytes of records")
    );
    assert!(printed.text.len() > 1 << 20, "{}", printed.text.len());
}

#[test]
fn calls_that_cannot_be_printed_have_an_error() {
    for (old, new, expected) in [
        ("%+5d", "%+5q", "printf has the conversion `%+5q`, which is not known"),
        ("%8.2f", "%8.2d", "the argument of `%d` of printf has another type"),
        ("%c|%s", "%s|%s", "the argument of `%s` of printf has another type"),
        (
            "%-8.3e|",
            "%99999e",
            "printf has a width or precision of 99999; at most 4096 is possible",
        ),
        (
            "no argument",
            "no %5000ldt",
            "printf has a width or precision of 5000; at most 4096 is possible",
        ),
    ] {
        let mut binary = binary();
        replace(&mut binary, old, new);
        let printed = run(&binary, 1);
        assert_eq!(printed.problem.as_deref(), Some(expected));
    }
    let mut binary = binary();
    strings(&mut binary).bytes.truncate(8);
    let problem = run(&binary, 1).problem.expect("an error");
    assert!(problem.starts_with("printf refers to a string at 0x"), "{problem}");
}

/// The compiler writes no value for such a conversion.
#[test]
fn a_conversion_without_a_value_is_told() {
    let mut binary = binary();
    replace(&mut binary, "no argument\n", "no argume%d\n");
    let problem = run(&binary, 1).problem;
    assert_eq!(problem.as_deref(), Some("a record of printf ends early"));
}
