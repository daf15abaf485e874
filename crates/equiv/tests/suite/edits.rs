//! Kernels and their edits.

use genvisa_equiv::interp::FaultKind;
use genvisa_equiv::interp::binary::DeviceBinary;
use genvisa_equiv::interp::dispatch::Argument;
use genvisa_equiv::{Case, Comparison, Difference, Side, Tolerance, Verdict};
use genvisa_test_support::repository;

pub fn binary(device: &str) -> DeviceBinary {
    let path = repository(&format!("crates/interp/tests/data/scale-{device}.bin"));
    let bytes = std::fs::read(path).expect("a file of the repository");
    DeviceBinary::from_bytes(&bytes).expect("a device binary")
}

/// Returns a binary in which a part of the text of a kernel is replaced.
pub fn edited(binary: &DeviceBinary, kernel: &str, old: &str, new: &str) -> DeviceBinary {
    let text = String::from_utf8_lossy(binary.text(kernel).expect("a text")).into_owned();
    assert_eq!(text.matches(old).count(), 1, "{old}");
    let others = binary.texts.iter().filter(|other| **other != text.as_bytes()).cloned();
    let texts = [text.replace(old, new).into_bytes()].into_iter().chain(others).collect();
    DeviceBinary { texts, ..binary.clone() }
}

pub fn compare(a: &DeviceBinary, b: &DeviceBinary, kernel: &str) -> Verdict {
    let [a, b] = [a, b].map(|binary| Side::new(binary, kernel, None).expect("a kernel"));
    Comparison::new().compare(&a, &b)
}

#[track_caller]
pub fn difference(verdict: Verdict) -> (Difference, Case) {
    match verdict {
        Verdict::Differ { difference, case } => (*difference, *case),
        other => panic!("{other:?}"),
    }
}

#[test]
fn builds_for_other_devices_are_equal() {
    let bmg = binary("bmg");
    for device in ["dg2", "pvc", "tgllp"] {
        let equal = Verdict::Equal { runs: 96, ulp: 0 };
        assert_eq!(compare(&bmg, &binary(device), "scale"), equal, "{device}");
    }
    assert_eq!(compare(&bmg, &binary("tgllp"), "rotate"), Verdict::Equal { runs: 96, ulp: 0 });
}

#[test]
fn names_and_declarations_do_not_matter() {
    let a = binary("bmg");
    let text = String::from_utf8_lossy(a.text("scale").expect("a text")).into_owned();
    let b = DeviceBinary { texts: vec![text.replace("V0054", "i").into()], ..a.clone() };
    assert_eq!(compare(&a, &b, "scale"), Verdict::SameCode);
    // The data of the program is a part of it: the offsets that the kernel adds.
    let mut b = a.clone();
    b.data[0].bytes[4] = 5;
    let (difference, _) = difference(compare(&a, &b, "scale"));
    assert!(difference.to_string().contains("element 1 is -2 in A and -251 in B"), "{difference}");
}

/// An edit that changes what is stored, the element, and the arguments that show it.
#[test]
fn a_difference_is_reduced_and_names_what_wrote_it() {
    let a = binary("bmg");
    let b = edited(
        &a,
        "scale",
        "and (M1, 32) V0062(0,0)<1> V0061(0,0)<1;1,0> 0xc:d",
        "and (M1, 32) V0062(0,0)<1> V0061(0,0)<1;1,0> 0x8:d",
    );
    let (difference, case) = difference(compare(&a, &b, "scale"));
    let Difference::Element { argument: 0, name, index: 1, values, count: 1, .. } = &difference
    else {
        panic!("{difference:?}")
    };
    assert_eq!(name, "y");
    let bits = values.each_ref().map(|written| f32::from_bits(written.bits as u32));
    assert_eq!(bits, [-2.0, 1.0]);
    for written in values.iter() {
        let by = written.store().expect("a store");
        assert!(by.site.line.starts_with("lsc_store.ugm (M1, 32)"), "{}", by.site.line);
        assert_eq!((by.group, by.thread, by.lane), (0, 0, Some(1)));
    }
    assert_eq!((case.global, case.local), (vec![2], vec![2]));
    let value = |bytes: [u8; 4]| Argument::Value(bytes.to_vec());
    let zeros = || Argument::Buffer(vec![0; 8]);
    let expected = [zeros(), zeros(), value(1f32.to_le_bytes()), value(2u32.to_le_bytes())];
    assert_eq!(case.arguments, expected);
}

/// Images that are read have random texels, and those that are written are compared.
#[test]
fn images_are_given_and_compared() {
    let path = repository("crates/equiv/tests/data/invert-bmg.bin");
    let bytes = std::fs::read(path).expect("a file of the repository");
    let a = DeviceBinary::from_bytes(&bytes).expect("a device binary");
    let red = "add (M1, 32) V0070(0,0)<1> 0x3f800000:f (-)V0071(0,0)<1;1,0>";
    let b = edited(&a, "invert", red, &format!("{red}\n    {red}"));
    assert_eq!(compare(&a, &b, "invert"), Verdict::Equal { runs: 96, ulp: 0 });
    let b = edited(&a, "invert", red, &red.replace("0x3f800000", "0x3f000000"));
    let (difference, case) = difference(compare(&a, &b, "invert"));
    assert!(matches!(difference, Difference::Element { argument: 1, .. }), "{difference:?}");
    for argument in &case.arguments {
        assert!(matches!(argument, Argument::Image { .. }), "{argument:?}");
    }
}

#[test]
fn a_fault_of_the_second_kernel_is_a_difference() {
    let a = binary("bmg");
    // The lanes after the end are not masked.
    let b = edited(&a, "scale", "(!P1) goto (M1, 32) _0_004 ", "mov (M1, 1) %null(0,0)<1> 0x0:d ");
    let [a, b] = [&a, &b].map(|binary| Side::new(binary, "scale", None).expect("a kernel"));
    let mut comparison = Comparison::new();
    comparison.sizes = Some((vec![5], vec![5]));
    let buffer = || Some(Argument::Buffer(vec![0; 16]));
    let count = Argument::Value(4u32.to_le_bytes().to_vec());
    comparison.arguments = vec![buffer(), buffer(), None, Some(count)];
    let (found, _) = difference(comparison.compare(&a, &b));
    let Difference::Stops(fault) = &found else { panic!("{found:?}") };
    assert!(matches!(fault.kind, FaultKind::OutsideMemory { .. }), "{fault}");
    // The reference stops with these arguments, so they say nothing.
    assert!(matches!(comparison.compare(&b, &a), Verdict::NotCompared(_)));
}

#[test]
fn values_that_nobody_wrote_are_equal_to_nothing() {
    let a = binary("bmg");
    let old = "mad (M1, 32) V0070(0,0)<1> V0036(0,0)<0;1,0> V0060(0,0)<1;1,0> V0069(0,0)<1;1,0>";
    let undefined = edited(&a, "scale", old, "mov (M1, 1) %null(0,0)<1> 0x0:d");
    let (found, _) = difference(compare(&a, &undefined, "scale"));
    assert!(found.to_string().contains("in A and a value that was never written in B"), "{found}");
    let (found, _) = difference(compare(&undefined, &a, "scale"));
    assert!(found.to_string().contains("is a value that was never written in A and"), "{found}");
    // Both are undefined.
    let other = edited(&a, "scale", old, "mov (M1, 1) %null(0,0)<1> 0x1:d");
    let nothing = "A changes none of its arguments in 96 runs".to_owned();
    assert_eq!(compare(&undefined, &other, "scale"), Verdict::NotCompared(nothing));
}

/// Equal results mean nothing if there are none.
#[test]
fn kernels_without_results_are_not_compared() {
    let without = |by: &str| {
        let store = "lsc_store.ugm (M1, 32)  flat[V0073]:a64  V0070:d32";
        edited(&binary("bmg"), "scale", store, &format!("mov (M1, 1) %null(0,0)<1> {by}:d"))
    };
    let nothing = "A changes none of its arguments in 96 runs".to_owned();
    let verdict = compare(&without("0x0"), &without("0x1"), "scale");
    assert_eq!(verdict, Verdict::NotCompared(nothing));
}

/// Floats are equal if their bits are, unless a tolerance is given; infinities are near to nothing.
#[test]
fn zeros_and_infinities_are_different_floats() {
    let storing = |bits: &str| {
        let old =
            "mad (M1, 32) V0070(0,0)<1> V0036(0,0)<0;1,0> V0060(0,0)<1;1,0> V0069(0,0)<1;1,0>";
        edited(&binary("bmg"), "scale", old, &format!("mov (M1, 32) V0070(0,0)<1> {bits}:f"))
    };
    let differs = |a: &str, b: &str, tolerance| {
        let binaries = [storing(a), storing(b)];
        let [a, b] = binaries.each_ref().map(|it| Side::new(it, "scale", None).expect("a kernel"));
        let mut comparison = Comparison::new();
        comparison.tolerance = tolerance;
        matches!(comparison.compare(&a, &b), Verdict::Differ { .. })
    };
    let exact = Tolerance::default();
    assert!(differs("0x0", "0x80000000", exact));
    assert!(!differs("0x0", "0x80000000", Tolerance { ulp: 1, ..exact }));
    assert!(!differs("0x7fc00000", "0x7fc00001", exact));
    let near = Tolerance { relative: 0.5, ..exact };
    assert!(!differs("0x3f800000", "0x3f900000", near));
    assert!(differs("0x3f800000", "0x7f800000", near));
    assert!(differs("0xff800000", "0x7f800000", near));
    assert!(differs("0x3f800000", "0x7fc00000", near));
}
