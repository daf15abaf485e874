//! Arithmetic, compared with that of Rust.

use proptest::array::uniform16;
use proptest::prelude::*;

use crate::support::{dwords, of_dwords, result};

/// Computes one statement with dwords in `a`, `b` and `c`, and returns `a`.
fn dwords_of(statement: &str, a: [u32; 16], b: [u32; 16]) -> Vec<u32> {
    let (a, b) = (of_dwords(a), of_dwords(b));
    dwords(&result(statement, &[("a", &a), ("b", &b)], "c"))
}

/// Floats of all kinds: random bits, small numbers, and special values.
fn float() -> impl Strategy<Value = u32> {
    prop_oneof![
        4 => any::<u32>(),
        2 => (-100.0f32..100.0).prop_map(f32::to_bits),
        1 => prop::sample::select(vec![
            0, 1 << 31, 1, 0x007f_ffff, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x7f7f_ffff,
        ]),
    ]
}

/// Returns whether floats are the same, or both are not numbers.
fn same(a: u32, b: f32) -> bool {
    a == b.to_bits() || f32::from_bits(a).is_nan() && b.is_nan()
}

/// Returns the smallest float above one. Rust has this function since 1.86.
fn next_up(value: f32) -> f32 {
    match value.to_bits() {
        0 | 0x8000_0000 => f32::from_bits(1),
        _ if value == f32::INFINITY => value,
        bits if value > 0.0 => f32::from_bits(bits + 1),
        bits => f32::from_bits(bits - 1),
    }
}

const KEEP: &str = "    or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x4c0:ud\n";

fn floats(statement: &str, f: [u32; 16], g: [u32; 16], h: [u32; 16]) -> Vec<u32> {
    let values = [of_dwords(f), of_dwords(g), of_dwords(h)];
    let variables = [("f", &*values[0]), ("g", &*values[1]), ("h", &*values[2])];
    dwords(&result(&format!("{KEEP}{statement}"), &variables, "f"))
}

#[test]
fn sums_are_cut_or_clamped() {
    let text = ".decl x v_type=G type=ub num_elts=16 align=GRF
    mov (M1, 16) x(0,0)<1> 0xf0:uw
    add.sat (M1, 16) a(0,0)<1> x(0,0)<1;1,0> 0x20:uw
    add (M1, 16) x(0,0)<1> x(0,0)<1;1,0> 0x20:uw
    mov (M1, 16) b(0,0)<1> x(0,0)<1;1,0>";
    assert_eq!(dwords(&result(text, &[], "a")), [0x110; 16]);
    assert_eq!(dwords(&result(text, &[], "b")), [0x10; 16]);
}

/// The sum and whether it fits the type of the destination, whatever those of the sources.
#[test]
fn sums_of_three_state_their_overflow() {
    let text = |ty: &str| {
        format!(
            ".decl x v_type=G type={ty} num_elts=16 align=GRF
    (P1) add3.o (M1, 16) x(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0> (-)c(0,0)<1;1,0>
    mov (M1, 16) a(0,0)<1> x(0,0)<1;1,0>
    mov (M1, 16) b(0,0)<1> 0x0:ud
    (P1) mov (M1, 16) b(0,0)<1> 0x1:ud"
        )
    };
    for (ty, [a, b, c], overflows) in [
        ("ud", [u32::MAX, 0, 0], false),
        ("ud", [u32::MAX, 1, 0], true),
        ("ud", [u32::MAX, 1, 1], false),
        ("ud", [0, 0, 1], true),
        ("d", [i32::MAX as u32, 0, 0], false),
        ("d", [i32::MAX as u32, 1, 0], true),
        ("d", [0, 0, 1], false),
        ("uw", [0xffff, 0, 0], false),
        ("uw", [0xffff, 1, 0], true),
    ] {
        let values = [a, b, c].map(|value| of_dwords([value; 16]));
        let variables = [("a", &*values[0]), ("b", &*values[1]), ("c", &*values[2])];
        let found = dwords(&result(&text(ty), &variables, "b"));
        assert_eq!(found, [u32::from(overflows); 16], "{ty}: {a} + {b} - {c}");
        let sum = a.wrapping_add(b).wrapping_sub(c);
        let sum = if ty == "uw" { sum & 0xffff } else { sum };
        assert_eq!(dwords(&result(&text(ty), &variables, "a")), [sum; 16]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn integers_are_those_of_rust(a in uniform16(any::<u32>()), b in uniform16(any::<u32>())) {
        type Operation = fn(u32, u32) -> u32;
        let operations: [(&str, Operation); 13] = [
            ("add (M1, 16) c(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0>", u32::wrapping_add),
            ("add.sat (M1, 16) c(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0>", u32::saturating_add),
            ("add (M1, 16) c(0,0)<1> a(0,0)<1;1,0> (-)b(0,0)<1;1,0>", u32::wrapping_sub),
            ("mul (M1, 16) c(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0>", u32::wrapping_mul),
            ("mulh (M1, 16) c(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0>",
                |a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32),
            ("avg (M1, 16) c(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0>",
                |a, b| (u64::from(a) + u64::from(b)).div_ceil(2) as u32),
            ("shl (M1, 16) c(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0>", u32::wrapping_shl),
            ("shr (M1, 16) c(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0>", u32::wrapping_shr),
            ("rol (M1, 16) c(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0>", |a, b| a.rotate_left(b & 31)),
            ("ror (M1, 16) c(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0>", |a, b| a.rotate_right(b & 31)),
            ("and (M1, 16) c(0,0)<1> a(0,0)<1;1,0> (~)b(0,0)<1;1,0>", |a, b| a & !b),
            ("max (M1, 16) c(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0>", u32::max),
            // 0xd8: b where a is set, and a where it is not.
            ("bfn.xd8 (M1, 16) c(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0> a(0,0)<1;1,0>", |a, b| a & b),
        ];
        for (statement, operation) in operations {
            let expected: Vec<u32> = a.iter().zip(&b).map(|(a, b)| operation(*a, *b)).collect();
            prop_assert_eq!(dwords_of(&format!("    {statement}"), a, b), expected, "{}", statement);
        }
    }

    #[test]
    fn bits_are_counted_as_in_rust(a in uniform16(prop_oneof![any::<u32>(), 0..4u32]),
                                   b in uniform16(any::<u32>())) {
        type Operation = fn(u32) -> u32;
        let operations: [(&str, Operation); 5] = [
            ("cbit", u32::count_ones),
            ("fbl", |a| if a == 0 { u32::MAX } else { a.trailing_zeros() }),
            ("fbh", |a| if a == 0 { u32::MAX } else { a.leading_zeros() }),
            ("lzd", u32::leading_zeros),
            ("bfrev", u32::reverse_bits),
        ];
        for (name, operation) in operations {
            let statement = format!("    {name} (M1, 16) c(0,0)<1> a(0,0)<1;1,0>");
            let expected: Vec<u32> = a.iter().map(|a| operation(*a)).collect();
            prop_assert_eq!(dwords_of(&statement, a, b), expected, "{}", name);
        }
    }

    #[test]
    fn carries_are_those_of_wider_sums(a in uniform16(any::<u32>()), b in uniform16(any::<u32>())) {
        let statements = "    addc (M1, 16) a(0,0)<1> c(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0>";
        let expected: Vec<u32> =
            a.iter().zip(&b).map(|(a, b)| u32::from(a.checked_add(*b).is_none())).collect();
        prop_assert_eq!(dwords_of(statements, a, b), expected);
        let statements = "    subb (M1, 16) a(0,0)<1> c(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0>";
        let expected: Vec<u32> = a.iter().zip(&b).map(|(a, b)| u32::from(a < b)).collect();
        prop_assert_eq!(dwords_of(statements, a, b), expected);
    }

    #[test]
    fn floats_are_those_of_rust(f in uniform16(float()), g in uniform16(float()), h in uniform16(float())) {
        type Operation = fn(f32, f32, f32) -> f32;
        let operations: [(&str, Operation); 8] = [
            ("add (M1, 16) f(0,0)<1> f(0,0)<1;1,0> g(0,0)<1;1,0>", |f, g, _| f + g),
            ("add (M1, 16) f(0,0)<1> f(0,0)<1;1,0> (-)g(0,0)<1;1,0>", |f, g, _| f - g),
            ("mul (M1, 16) f(0,0)<1> f(0,0)<1;1,0> g(0,0)<1;1,0>", |f, g, _| f * g),
            ("mad (M1, 16) f(0,0)<1> f(0,0)<1;1,0> g(0,0)<1;1,0> h(0,0)<1;1,0>", f32::mul_add),
            ("divm (M1, 16) f(0,0)<1> f(0,0)<1;1,0> g(0,0)<1;1,0>", |f, g, _| f / g),
            ("sqrtm (M1, 16) f(0,0)<1> f(0,0)<1;1,0>", |f, _, _| f.sqrt()),
            ("rnde (M1, 16) f(0,0)<1> f(0,0)<1;1,0>", |f, _, _| f.round_ties_even()),
            ("rndz (M1, 16) f(0,0)<1> f(0,0)<1;1,0>", |f, _, _| f.trunc()),
        ];
        for (statement, operation) in operations {
            let found = floats(&format!("    {statement}"), f, g, h);
            for lane in 0..16 {
                let [a, b, c] = [f, g, h].map(|values| f32::from_bits(values[lane]));
                let expected = operation(a, b, c);
                prop_assert!(same(found[lane], expected), "{statement}: {a:e} {b:e} {c:e}: {expected:e}");
            }
        }
    }

    /// Products of floats are exact in double precision, so a bound of each rounding can be checked.
    #[test]
    fn products_are_rounded_as_the_control_register_says(f in uniform16(float()), g in uniform16(float())) {
        for (bits, rounding) in [(0x10, "up"), (0x20, "down"), (0x30, "to zero")] {
            let statements = format!(
                "    or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> {bits:#x}:ud
    mul (M1, 16) f(0,0)<1> f(0,0)<1;1,0> g(0,0)<1;1,0>"
            );
            let found = floats(&statements, f, g, g);
            for lane in 0..16 {
                let exact = f64::from(f32::from_bits(f[lane])) * f64::from(f32::from_bits(g[lane]));
                let found = f32::from_bits(found[lane]);
                if exact.is_nan() {
                    prop_assert!(found.is_nan());
                    continue;
                }
                let up = match rounding {
                    "up" => true,
                    "down" => false,
                    _ => exact < 0.0,
                };
                let (below, above) = (f64::from(-next_up(-found)), f64::from(next_up(found)));
                match up {
                    true => prop_assert!(f64::from(found) >= exact && (below < exact || exact == f64::from(found))),
                    false => prop_assert!(f64::from(found) <= exact && (above > exact || exact == f64::from(found))),
                }
            }
        }
    }

    #[test]
    fn conversions_of_floats_to_integers_clamp(f in uniform16(float())) {
        let found = floats("    mov (M1, 16) a(0,0)<1> f(0,0)<1;1,0>\n    mov (M1, 16) f(0,0)<1> a(0,0)<1;1,0>", f, f, f);
        for lane in 0..16 {
            // `as` truncates, clamps, and converts what is not a number to zero.
            let expected = f32::from_bits(f[lane]) as u32;
            prop_assert_eq!(found[lane], (expected as f32).to_bits());
        }
    }

    #[test]
    fn halves_are_those_of_the_crate_half(f in uniform16(any::<u16>()), g in uniform16(any::<u16>())) {
        let text = format!("{KEEP}.decl x v_type=G type=hf num_elts=16 align=GRF
.decl y v_type=G type=hf num_elts=16 align=GRF
    mul (M1, 16) x(0,0)<1> x(0,0)<1;1,0> y(0,0)<1;1,0>
    mov (M1, 16) f(0,0)<1> x(0,0)<1;1,0>");
        let bytes = |values: [u16; 16]| values.into_iter().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let found = dwords(&result(&text, &[("x", &bytes(f)), ("y", &bytes(g))], "f"));
        for lane in 0..16 {
            let expected = half::f16::from_bits(f[lane]) * half::f16::from_bits(g[lane]);
            prop_assert!(same(found[lane], expected.to_f32()), "{:x} {:x}", f[lane], g[lane]);
        }
    }
}

#[test]
fn minima_prefer_numbers() {
    let nan = f32::NAN.to_bits();
    let (f, g) = ([nan; 16], [1.5f32.to_bits(); 16]);
    let min = "    min (M1, 16) f(0,0)<1> f(0,0)<1;1,0> g(0,0)<1;1,0>";
    assert_eq!(floats(min, f, g, g), g);
    assert_eq!(floats(min, g, f, g), g);
}

#[test]
fn saturated_floats_are_in_the_unit_interval() {
    let values = [f32::NAN, -1.0, -0.0, 0.5, 2.0, f32::INFINITY];
    let f = std::array::from_fn(|lane| values[lane % 6].to_bits());
    let found = floats("    mov.sat (M1, 16) f(0,0)<1> f(0,0)<1;1,0>", f, f, f);
    let expected = [0.0, 0.0, 0.0, 0.5, 1.0, 1.0].map(f32::to_bits);
    assert_eq!(found[..6], expected);
}

#[test]
fn denormals_are_flushed_unless_they_are_kept() {
    let f = [0x8000_0001; 16];
    let statement = "    mul (M1, 16) f(0,0)<1> f(0,0)<1;1,0> 0x3f800000:f";
    assert_eq!(floats(statement, f, f, f), f);
    let flushed = dwords(&result(statement, &[("f", &of_dwords(f))], "f"));
    assert_eq!(flushed, [0x8000_0000; 16]);
}

#[test]
fn products_of_dwords_fill_qwords() {
    let text = "    mov (M1, 16) a(0,0)<1> 0xffffffff:ud
    mul (M1, 16) p(0,0)<1> a(0,0)<1;1,0> a(0,0)<1;1,0>
    mov (M1, 16) b(0,0)<1> p(0,0)<1;1,0>
    shr (M1, 16) p(0,0)<1> p(0,0)<1;1,0> 0x20:uq
    mov (M1, 16) c(0,0)<1> p(0,0)<1;1,0>";
    assert_eq!(dwords(&result(text, &[], "b")), [1; 16]);
    assert_eq!(dwords(&result(text, &[], "c")), [0xffff_fffe; 16]);
}

/// They begin in the register after those of the low dwords, of which 32 lanes have two.
#[test]
fn the_high_dwords_of_a_product_and_sum_follow_the_low_ones() {
    for (lanes, row) in [(16, 1), (32, 2)] {
        let text = format!(
            ".decl d v_type=G type=ud num_elts=64 align=GRF
    mov (M1, 1) a(0,0)<1> 0xffffffff:ud
    madw (M1, {lanes}) d(0,0)<1> a(0,0)<0;1,0> a(0,0)<0;1,0> 0x7:ud
    mov (M1, 16) b(0,0)<1> d(0,0)<1;1,0>
    mov (M1, 16) c(0,0)<1> d({row},0)<1;1,0>"
        );
        assert_eq!(dwords(&result(&text, &[], "b")), [8; 16], "{lanes}");
        assert_eq!(dwords(&result(&text, &[], "c")), [0xffff_fffe; 16], "{lanes}");
    }
}

#[test]
fn packed_constants_give_an_element_to_each_lane() {
    let text = "    mov (M1, 16) a(0,0)<1> 0x76543210:v\n    mov (M1, 16) b(0,0)<1> 0xf:v";
    let lanes: Vec<u32> = (0..16).map(|lane| lane % 8).collect();
    assert_eq!(dwords(&result(text, &[], "a")), lanes);
    assert_eq!(dwords(&result(text, &[], "b"))[0], u32::MAX);
}

#[test]
fn shifts_saturate_to_the_type_of_the_destination() {
    let text = ".decl d v_type=G type=d num_elts=16 align=GRF
    mov (M1, 16) d(0,0)<1> 0x40000000:d
    shl.sat (M1, 16) d(0,0)<1> d(0,0)<1;1,0> 0x1:d
    mov (M1, 16) a(0,0)<1> d(0,0)<1;1,0>";
    assert_eq!(dwords(&result(text, &[], "a")), [0x7fff_ffff; 16]);
}

/// Their first bit is no sign.
#[test]
fn shifts_of_unsigned_qwords_saturate_as_unsigned() {
    let text = "    mov (M1, 16) p(0,0)<1> 0x8000000000000001:uq
    shl.sat (M1, 16) p(0,0)<1> p(0,0)<1;1,0> 0x0:uq
    mov (M1, 16) a(0,0)<1> p(0,0)<1;1,0>
    shr (M1, 16) p(0,0)<1> p(0,0)<1;1,0> 0x20:uq
    mov (M1, 16) b(0,0)<1> p(0,0)<1;1,0>";
    assert_eq!(dwords(&result(text, &[], "a")), [1; 16]);
    assert_eq!(dwords(&result(text, &[], "b")), [0x8000_0000; 16]);
}

#[test]
fn fields_of_type_d_have_a_sign() {
    let text = ".decl d v_type=G type=d num_elts=16 align=GRF
    mov (M1, 16) d(0,0)<1> 0xf0000178:ud
    bfe (M1, 16) a(0,0)<1> 0x7:ud 0x3:ud 0x178:ud
    bfe (M1, 16) d(0,0)<1> 0x6:d 0x3:d d(0,0)<1;1,0>
    mov (M1, 16) b(0,0)<1> d(0,0)<1;1,0>";
    assert_eq!(dwords(&result(text, &[], "a")), [0x2f; 16]);
    assert_eq!(dwords(&result(text, &[], "b")), [0xffff_ffef; 16]);
}

/// Returns one product of two elements in each lane, in the low bytes of `a`.
fn systolic(precision: &str, element: u32, accumulator: &str) -> Vec<u32> {
    let text = format!(
        ".decl A v_type=G type=ud num_elts=16 align=GRF
    .decl B v_type=G type=ud num_elts=128 align=GRF
    .decl D v_type=G type={accumulator} num_elts=32 align=GRF
    .decl E v_type=G type=ud num_elts=16 align=GRF alias=<D,0>
    mov (M1_NM, 16) A(0,0)<1> 0x0:ud
    mov (M1_NM, 1) A(0,0)<1> {element:#x}:ud
    mov (M1_NM, 16) B(0,0)<1> {element:#x}:ud
    {}    dpas.{precision}.{precision}.8.1 (M1, 16) D.0 %null.0 B.0 A(0,0)
    mov (M1, 16) a(0,0)<1> 0x0:ud
    mov (M1, 8) a(0,0)<1> E(0,0)<1;1,0>",
        (1..8).map(|row| format!("mov (M1_NM, 16) B({row},0)<1> 0x0:ud\n    ")).collect::<String>()
    );
    dwords(&result(&text, &[], "a"))[..8].to_vec()
}

#[test]
fn systolic_products_have_the_precision_and_the_type_of_the_accumulator() {
    // The low 13 bits of a dword are no part of TF32.
    assert_eq!(systolic("tf32", 0x3f80_1fff, "f"), [1.0f32.to_bits(); 8]);
    assert_eq!(systolic("tf32", 0x3f80_2000, "f"), [(1.0f32 + 1.0 / 1024.0).powi(2).to_bits(); 8]);
    // 1.5 * 1.5 in two lanes of a dword.
    assert_eq!(systolic("bf", 0x3fc0, "f"), [2.25f32.to_bits(); 8]);
    assert_eq!(systolic("bf", 0x3fc0, "bf"), [0x4010_4010; 8]);
    assert_eq!(systolic("hf", 0x3e00, "hf"), [0x4080_4080; 8]);
    // Rounded once: 1.0078125 squared has more bits than BF.
    assert_eq!(systolic("bf", 0x3f81, "bf"), [0x3f82_3f82; 8]);
}
