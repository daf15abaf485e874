//! Sizes, arguments and tolerances that the caller gives.

use genvisa::operand::DataType;
use genvisa_equiv::interp::binary::PayloadArgument;
use genvisa_equiv::interp::dispatch::Argument;
use genvisa_equiv::{Comparison, Difference, Side, Tolerance, Verdict};

use super::edits::{binary, difference, edited};

#[test]
fn given_arguments_and_sizes_are_one_run() {
    let a = binary("bmg");
    let b = binary("dg2");
    let [a, b] = [&a, &b].map(|binary| Side::new(binary, "scale", None).expect("a kernel"));
    let mut comparison = Comparison::new();
    let floats = |values: [f32; 4]| values.iter().flat_map(|it| it.to_le_bytes()).collect();
    comparison.sizes = Some((vec![4], vec![4]));
    comparison.arguments = [
        Argument::Buffer(vec![0; 16]),
        Argument::Buffer(floats([1.0, 2.0, 3.0, 4.0])),
        Argument::Value(2f32.to_le_bytes().to_vec()),
        Argument::Value(4u32.to_le_bytes().to_vec()),
    ]
    .map(Some)
    .to_vec();
    assert_eq!(comparison.compare(&a, &b), Verdict::Equal { runs: 1, ulp: 0 });
    // A wrong argument is named.
    comparison.arguments[3] = Some(Argument::Null);
    let expected = "A: argument 3, `n`: expected a value of 4 bytes, found a null pointer";
    assert_eq!(comparison.compare(&a, &b), Verdict::NotCompared(expected.into()));
    // So is one with which the reference stops.
    comparison.arguments[3] = Some(Argument::Value(5u32.to_le_bytes().to_vec()));
    comparison.sizes = Some((vec![5], vec![5]));
    let Verdict::NotCompared(problem) = comparison.compare(&a, &b) else { panic!() };
    assert!(problem.contains("0 bytes after the end of argument 1 (x) (16 bytes)"), "{problem}");
}

#[test]
fn floats_may_differ_by_a_tolerance() {
    let a = binary("bmg");
    // The least float more.
    let b = edited(
        &a,
        "scale",
        "mov (M1, 32) V0069(0,0)<1> V0068(0,0)<1;1,0>",
        "mov (M1, 32) V0069(0,0)<1> V0068(0,0)<1;1,0>\n    add (M1, 32) V0069(0,0)<1> V0069(0,0)<1;1,0> 0x34000000:f",
    );
    let [a, b] = [&a, &b].map(|binary| Side::new(binary, "scale", None).expect("a kernel"));
    let mut comparison = Comparison::new();
    let (found, _) = difference(comparison.compare(&a, &b));
    assert!(matches!(found, Difference::Element { argument: 0, .. }), "{found:?}");
    assert_eq!(found.ulp(), Some(1));
    for tolerance in
        [Tolerance { ulp: 1 << 24, relative: 0.0 }, Tolerance { ulp: 0, relative: 1.0 }]
    {
        comparison.tolerance = tolerance;
        let Verdict::Equal { ulp, .. } = comparison.compare(&a, &b) else { panic!() };
        assert!(ulp >= 1);
    }
    // One of an argument replaces that of all.
    let (exact, any) = (Tolerance::default(), Tolerance { ulp: 1 << 24, relative: 0.0 });
    for (all, of_y, is_equal) in [(exact, any, true), (any, exact, false)] {
        comparison.tolerance = all;
        comparison.tolerances = vec![Some(of_y)];
        let verdict = comparison.compare(&a, &b);
        assert_eq!(matches!(verdict, Verdict::Equal { .. }), is_equal, "{verdict:?}");
    }
}

/// A relative tolerance is a part of the larger number.
#[test]
fn a_relative_tolerance_grows_with_the_numbers() {
    let a = binary("bmg");
    let text = "mov (M1, 32) V0069(0,0)<1> V0068(0,0)<1;1,0>";
    let one_more = "add (M1, 32) V0069(0,0)<1> V0069(0,0)<1;1,0> 0x3f800000:f";
    let b = edited(&a, "scale", text, &format!("{text}\n    {one_more}"));
    let [a, b] = [&a, &b].map(|binary| Side::new(binary, "scale", None).expect("a kernel"));
    let mut comparison = Comparison::new();
    comparison.sizes = Some((vec![1], vec![1]));
    // The results are 1000 and 1001.
    comparison.arguments = [
        Argument::Buffer(vec![0; 4]),
        Argument::Buffer(999f32.to_le_bytes().to_vec()),
        Argument::Value(1f32.to_le_bytes().to_vec()),
        Argument::Value(1u32.to_le_bytes().to_vec()),
    ]
    .map(Some)
    .to_vec();
    for (relative, is_equal) in [(0.0011, true), (0.0009, false)] {
        comparison.tolerance = Tolerance { ulp: 0, relative };
        let verdict = comparison.compare(&a, &b);
        assert_eq!(matches!(verdict, Verdict::Equal { .. }), is_equal, "{relative}: {verdict:?}");
    }
}

/// The variables of the text state the type, if the source does it with a name of its own.
#[test]
fn floats_of_types_that_the_source_defines_are_floats() {
    let mut a = binary("bmg");
    let text = "mov (M1, 32) V0069(0,0)<1> V0068(0,0)<1;1,0>";
    let mut b = edited(
        &a,
        "scale",
        text,
        &format!("{text}\n    add (M1, 32) V0069(0,0)<1> V0069(0,0)<1;1,0> 0x34000000:f"),
    );
    for argument in
        [&mut a, &mut b].into_iter().flat_map(|it| &mut it.kernels).flat_map(|it| &mut it.arguments)
    {
        argument.type_name = argument.type_name.replace("float", "real");
    }
    let [a, b] = [&a, &b].map(|binary| Side::new(binary, "scale", None).expect("a kernel"));
    let mut comparison = Comparison::new();
    let (found, _) = difference(comparison.compare(&a, &b));
    assert!(matches!(found, Difference::Element { ty: DataType::F, .. }), "{found:?}");
    comparison.tolerance = Tolerance { ulp: 1 << 24, relative: 0.0 };
    assert!(matches!(comparison.compare(&a, &b), Verdict::Equal { .. }));
}

/// A kernel of other arguments is not compared.
#[test]
fn the_arguments_of_both_kernels_are_the_same() {
    let binary = binary("bmg");
    let [a, b] =
        ["scale", "rotate"].map(|kernel| Side::new(&binary, kernel, None).expect("a kernel"));
    let reason = "A has 4 arguments, and B has 3: give those that one lacks".to_owned();
    assert_eq!(Comparison::new().compare(&a, &b), Verdict::NotCompared(reason));
}

#[test]
fn an_argument_that_only_one_kernel_has_must_be_given() {
    let (a, mut b) = (binary("bmg"), binary("bmg"));
    let kernel = b.kernels.iter_mut().find(|kernel| kernel.name == "scale").expect("a kernel");
    let first = kernel.payload.iter().find(|entry| entry.argument == Some(0)).expect("a buffer");
    // It has no place in the payload.
    kernel.payload.push(PayloadArgument { argument: Some(4), size: 0, ..first.clone() });
    let [a, b] = [&a, &b].map(|binary| Side::new(binary, "scale", None).expect("a kernel"));
    let mut comparison = Comparison::new();
    let expected = "A has 4 arguments, and B has 5: give those that one lacks";
    assert_eq!(comparison.compare(&a, &b), Verdict::NotCompared(expected.into()));
    comparison.arguments = vec![None, None, None, None, Some(Argument::Buffer(vec![0; 4]))];
    for (a, b) in [(&a, &b), (&b, &a)] {
        let verdict = comparison.compare(a, b);
        assert!(matches!(verdict, Verdict::Equal { runs: 96, .. }), "{verdict:?}");
    }
}
