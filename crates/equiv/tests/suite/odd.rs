//! Every public function with odd arguments: a result or an error, but no panic.

use std::sync::LazyLock;

use genvisa_equiv::interp::binary::{DeviceBinary, Kernel};
use genvisa_equiv::interp::dispatch::Argument;
use genvisa_equiv::{Author, Case, Comparison, Runner, Side, Tolerance, Written};
use genvisa_test_support::odd::{self, Call, Draw};
use genvisa_test_support::odd_calls;

use super::edits::binary;

const SOURCES: &str = "crates/equiv/src";

const CALLS: &[Call] = odd_calls! { genvisa_equiv, o =>
    Comparison::compare(&comparison(o), &a, &b) where (a, b) = (side(o), side(o));
    Side::has_same_code(&a, &b) where (a, b) = (side(o), side(o));
    Side::new(&changed, kernel, o.any()) where (changed, kernel) = (changed(o), name(o));
    Comparison::compare_with(&comparison(o), &a, &mut odd_runner(o)) where a = mostly_usual_side(o);
    Written::value(&written(o), o.any());
};

#[test]
fn every_public_function_is_called() {
    odd::check_list(SOURCES, CALLS);
}

#[test]
fn odd_arguments_cause_no_panic() {
    odd::check_calls(SOURCES, CALLS);
}

fn name(o: &mut Draw) -> &'static str {
    if o.rng.one_in(8) { o.any() } else { o.pick(&["scale", "rotate"]) }
}

/// Returns a kernel of a changed binary.
fn side(o: &mut Draw) -> Side<'static> {
    loop {
        // Few enough to be kept.
        let binary: &'static DeviceBinary = Box::leak(Box::new(changed(o)));
        if let Ok(side) = Side::new(binary, name(o), None) {
            return side;
        }
    }
}

/// Returns a kernel that seldom has changes: with a kernel that does not run, many arguments are tried.
fn mostly_usual_side(o: &mut Draw) -> Side<'static> {
    static BINARY: LazyLock<DeviceBinary> = LazyLock::new(|| binary("bmg"));
    match o.rng.one_in(8) {
        true => side(o),
        false => Side::new(&BINARY, "scale", None).expect("a kernel"),
    }
}

fn changed(o: &mut Draw) -> DeviceBinary {
    static BINARIES: LazyLock<[DeviceBinary; 2]> = LazyLock::new(|| ["bmg", "tgllp"].map(binary));
    let mut changed = BINARIES[o.rng.below(2)].clone();
    for text in &mut changed.texts {
        // Digits, so that most texts can be parsed.
        let digits: Vec<usize> =
            text.iter().enumerate().filter(|it| it.1.is_ascii_digit()).map(|it| it.0).collect();
        for _ in 0..o.rng.below(3) {
            text[digits[o.rng.below(digits.len())]] = b'0' + o.rng.below(10) as u8;
        }
    }
    for Kernel { execution, payload, arguments, per_thread_size, .. } in &mut changed.kernels {
        match o.rng.below(8) {
            0 => execution.simd_size = o.any(),
            1 => execution.required_group_size = o.any(),
            2 => *per_thread_size = o.any(),
            3 => execution.private_size = o.any(),
            4 => payload.iter_mut().for_each(|entry| entry.offset = o.any()),
            5 => payload.iter_mut().for_each(|entry| entry.size = o.any()),
            6 => arguments.iter_mut().for_each(|info| info.type_name = o.any()),
            _ => {}
        }
    }
    changed
}

/// Leaves any bytes, or runs nothing, or leaves what there was.
struct Odd(Option<Result<Vec<Option<Vec<u8>>>, String>>);

fn odd_runner(o: &mut Draw) -> Odd {
    Odd(match o.rng.below(32) {
        // After a difference, smaller arguments are searched, and after an error, others: both take a while.
        0 => Some(Ok(o.few(|o| Some(o.any())))),
        1 => Some(Err(o.any())),
        _ => None,
    })
}

impl Runner for Odd {
    fn run(&mut self, case: &Case) -> Result<Vec<Option<Vec<u8>>>, String> {
        let before = || {
            let bytes = |argument: &Argument| match argument {
                Argument::Buffer(bytes) => Some(bytes.clone()),
                _ => None,
            };
            Ok(case.arguments.iter().map(bytes).collect())
        };
        self.0.clone().unwrap_or_else(before)
    }
}

fn written(o: &mut Draw) -> Written {
    let by = if o.any() { Author::Nobody } else { Author::Unknown };
    Written { bits: o.any(), undefined: o.any(), by }
}

fn comparison(o: &mut Draw) -> Comparison {
    let mut comparison = Comparison::new();
    comparison.runs = o.pick(&[0, 1, 2]);
    comparison.seed = o.any();
    comparison.tolerance = Tolerance { ulp: o.any(), relative: o.any() };
    comparison.tolerances = o.few(|_| Some(Tolerance { ulp: 1, relative: 0.0 }));
    comparison.sizes = match o.rng.below(3) {
        0 => None,
        1 => Some((vec![8], vec![8])),
        _ => Some((vec![0, 1], vec![7])),
    };
    let value = |o: &mut Draw| match o.rng.below(4) {
        0 => Some(Argument::Value(o.any())),
        1 => Some(Argument::Buffer(o.any())),
        2 => Some(Argument::Local(o.any())),
        _ => None,
    };
    comparison.arguments = if o.any() { o.few(value) } else { Vec::new() };
    comparison.limit = o.pick(&[0, 1, 1 << 14]);
    comparison.memory_limit = o.pick(&[0, 1 << 20, 1 << 24]);
    comparison
}
