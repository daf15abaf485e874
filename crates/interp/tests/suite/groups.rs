//! Instructions that combine lanes or elements, conversions and macros with a predicate, compared with Rust.

use proptest::array::uniform16;
use proptest::prelude::*;

use crate::support::{dwords, fault, of_dwords, result};

const KEEP: &str = "    or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x4c0:ud\n";

fn floats(statement: &str, f: [f32; 16], g: [f32; 16], h: [f32; 16]) -> Vec<f32> {
    let [f, g, h] = [f, g, h].map(|values| of_dwords(values.map(f32::to_bits)));
    let text = format!("{KEEP}    {statement}");
    let found = result(&text, &[("f", &f), ("g", &g), ("h", &h)], "f");
    dwords(&found).into_iter().map(f32::from_bits).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn dot_products_are_sums_of_products(f in uniform16(-100.0f32..100.0), g in uniform16(-100.0f32..100.0)) {
        for (name, count) in [("dp2", 2), ("dp3", 3), ("dp4", 4), ("dph", 3)] {
            let found = floats(&format!("{name} (M1, 16) f(0,0)<1> f(0,0)<1;1,0> g(0,0)<1;1,0>"), f, g, f);
            for (group, values) in found.chunks(4).enumerate() {
                let products = (0..count).map(|channel| f[4 * group + channel] * g[4 * group + channel]);
                let mut sum = products.reduce(|sum, product| sum + product).expect("a product");
                if name == "dph" {
                    sum += g[4 * group + 3];
                }
                prop_assert_eq!(values, &[sum; 4], "{}", name);
            }
        }
    }

    #[test]
    fn interpolation_reaches_both_ends(g in uniform16(-100.0f32..100.0), h in uniform16(-100.0f32..100.0)) {
        let statement = "lrp (M1, 16) f(0,0)<1> f(0,0)<1;1,0> g(0,0)<1;1,0> h(0,0)<1;1,0>";
        prop_assert_eq!(floats(statement, [1.0; 16], g, h), g);
        prop_assert_eq!(floats(statement, [0.0; 16], g, h), h);
        let half = floats(statement, [0.5; 16], g, h);
        for lane in 0..16 {
            prop_assert_eq!(half[lane], g[lane] * 0.5 + h[lane] * 0.5);
        }
    }

    #[test]
    fn a_line_has_two_coefficients(f in uniform16(-100.0f32..100.0), g in uniform16(-100.0f32..100.0)) {
        let found = floats("line (M1, 16) f(0,0)<1> f(0,4)<0;4,1> g(0,0)<1;1,0>", f, g, f);
        prop_assert_eq!(found, g.map(|u| f[4].mul_add(u, f[7])));
    }

    #[test]
    fn a_plane_has_three_coefficients(
        coefficients in uniform16(-100.0f32..100.0), first in uniform16(-100.0f32..100.0),
        second in uniform16(-100.0f32..100.0),
    ) {
        let coordinates = of_dwords(first.into_iter().chain(second).map(f32::to_bits));
        let text = |lanes: usize| format!(".decl uv v_type=G type=f num_elts=32 align=GRF
{KEEP}    plane (M1, {lanes}) g(0,0)<1> f(0,0)<0;1,0> uv(0,0)<1;1,0>");
        let f = of_dwords(coefficients.map(f32::to_bits));
        let [p, q, r] = [0, 1, 3].map(|index| coefficients[index]);
        for (lanes, groups) in [(8, vec![first]), (16, vec![first, second])] {
            let variables: [(&str, &[u8]); 3] = [("f", &f), ("uv", &coordinates), ("g", &[0; 64])];
            let found = dwords(&result(&text(lanes), &variables, "g"));
            let expected = groups.iter().flat_map(|group| {
                (0..8).map(|lane| q.mul_add(group[8 + lane], p.mul_add(group[lane], r)).to_bits())
            });
            prop_assert_eq!(&found[..lanes], expected.collect::<Vec<_>>());
        }
    }

    /// TF32 has 10 bits of mantissa.
    #[test]
    fn floats_are_rounded_to_tf32(f in uniform16(any::<u32>())) {
        let text = format!("{KEEP}    fcvt (M1, 16) a(0,0)<1> f(0,0)<1;1,0>
    fcvt (M1, 16) g(0,0)<1> a(0,0)<1;1,0>");
        let variables: [(&str, &[u8]); 1] = [("f", &of_dwords(f))];
        let [tf32, back] = ["a", "g"].map(|name| dwords(&result(&text, &variables, name)));
        prop_assert_eq!(&tf32, &back);
        // MOV has operands of the type.
        let text = format!(".decl t v_type=G type=tf32 num_elts=16 align=GRF
{KEEP}    mov (M1_NM, 16) t(0,0)<1> f(0,0)<1;1,0>
    mov (M1_NM, 16) g(0,0)<1> t(0,0)<1;1,0>");
        prop_assert_eq!(&tf32, &dwords(&result(&text, &variables, "g")));
        let fault = fault(&text.replace("mov (M1_NM, 16) g(0,0)<1> t(0,0)<1;1,0>", "add (M1, 16) g(0,0)<1> t(0,0)<1;1,0> t(0,0)<1;1,0>"));
        prop_assert!(fault.to_string().contains("arithmetic of type tf32 is not modelled"), "{}", fault);
        for (value, rounded) in f.into_iter().zip(tf32) {
            prop_assert_eq!(rounded & 0x1fff, 0);
            let (value, rounded) = (f32::from_bits(value), f32::from_bits(rounded));
            let step = f64::from(f32::from_bits(value.to_bits() & 0xff80_0000)) / 1024.0;
            if value.is_nan() {
                prop_assert!(rounded.is_nan());
            } else if value == 0.0 || value.is_subnormal() {
                prop_assert_eq!(rounded.to_bits(), (0.0f32).copysign(value).to_bits());
            } else if (value.abs() as f64) < f64::from(f32::MAX) - step.abs() {
                let expected = (f64::from(value) / step).round_ties_even() * step;
                prop_assert_eq!(f64::from(rounded), expected);
            }
        }
    }

    #[test]
    fn differences_are_those_of_pairs(a in uniform16(any::<u8>()), b in uniform16(any::<u8>()), c in any::<u8>()) {
        let text = format!(".decl x v_type=G type=ub num_elts=16 align=GRF
.decl y v_type=G type=ub num_elts=16 align=GRF
.decl w v_type=G type=uw num_elts=16 align=GRF
    sad2 (M1, 16) w(0,0)<1> x(0,0)<1;1,0> y(0,0)<1;1,0>
    mov (M1, 8) a(0,0)<1> w(0,0)<2;1,0>
    mov (M1, 16) w(0,0)<1> {c:#x}:uw
    sad2add (M1, 16) w(0,0)<1> x(0,0)<1;1,0> y(0,0)<1;1,0> w(0,0)<1;1,0>
    mov (M1, 8) a(0,8)<1> w(0,0)<2;1,0>");
        let found = dwords(&result(&text, &[("x", &a), ("y", &b)], "a"));
        for pair in 0..8 {
            let differences = [0, 1].map(|lane| u32::from(a[2 * pair + lane].abs_diff(b[2 * pair + lane])));
            let sum = differences[0] + differences[1];
            prop_assert_eq!([found[pair], found[8 + pair]], [sum, sum + u32::from(c)]);
        }
    }

    /// The result is one of both neighbours: the farther one if the bits that are cut off and the random ones carry.
    #[test]
    fn random_bits_round(f in uniform16(0x3880_0000u32..0x477f_0000), g in uniform16(any::<u32>())) {
        let text = ".decl x v_type=G type=hf num_elts=16 align=GRF
.decl y v_type=G type=uw num_elts=16 align=GRF
    mov (M1, 16) y(0,0)<1> a(0,0)<1;1,0>
    srnd (M1_NM, 16) x(0,0)<1> f(0,0)<1;1,0> y(0,0)<1;1,0>
    mov (M1, 16) f(0,0)<1> x(0,0)<1;1,0>";
        let found = dwords(&result(text, &[("f", &of_dwords(f)), ("a", &of_dwords(g))], "f"));
        for lane in 0..16 {
            let (bits, cut) = (f[lane], f[lane] & 0x1fff);
            let carries = cut + (g[lane] & 0x1fff) > 0x1fff;
            let expected = (bits - cut) + if carries { 0x2000 } else { 0 };
            prop_assert_eq!(found[lane], expected);
        }
    }
}

#[test]
fn the_second_lane_of_a_difference_is_undefined() {
    let text = |lane: u32| {
        format!(
            ".decl x v_type=G type=ub num_elts=16 align=GRF
.decl w v_type=G type=uw num_elts=16 align=GRF
    mov (M1, 16) x(0,0)<1> 0x1:uw
    mov (M1, 16) w(0,0)<1> 0x1:uw
    sad2 (M1, 16) w(0,0)<1> x(0,0)<1;1,0> x(0,0)<1;1,0>
    cmp.eq (M1, 16) P1 w(0,{lane})<0;1,0> 0x0:uw
    mov (M1, 16) a(0,0)<1> 0x0:ud
    (P1) mov (M1, 16) a(0,0)<1> 0x1:ud"
        )
    };
    assert_eq!(dwords(&result(&text(0), &[], "a")), [1; 16]);
    assert!(fault(&text(1)).to_string().contains("never written"));
}

#[test]
fn macros_say_which_results_are_final() {
    let numerators = [1.0f32, 0.0, 1.0, f32::NAN, 3.0, f32::INFINITY, 8.0, 1.0];
    let divisors = [4.0f32, 1.0, 0.0, 1.0, f32::INFINITY, 2.0, 2.0, -2.0];
    let repeated = |values: [f32; 8]| std::array::from_fn(|lane| values[lane % 8].to_bits());
    let (f, g): ([u32; 16], [u32; 16]) = (repeated(numerators), repeated(divisors));
    for (statement, is_final, third) in [
        ("invm (M1, 16) f(0,0)<1> P9 f(0,0)<1;1,0> g(0,0)<1;1,0>", 0b0011_1110, 0x4080_0000),
        ("rsqtm (M1, 16) f(0,0)<1> P9 f(0,0)<1;1,0>", 0b0010_1010, 0x3eb5_04f3),
    ] {
        let text = format!(
            "{KEEP}.decl P9 v_type=P num_elts=16
    {statement}
    mov (M1, 16) a(0,0)<1> 0x0:ud
    (P9) mov (M1, 16) a(0,0)<1> 0x1:ud"
        );
        let variables: [(&str, &[u8]); 2] = [("f", &of_dwords(f)), ("g", &of_dwords(g))];
        let found = dwords(&result(&text, &variables, "a"));
        let expected: Vec<u32> = (0..16).map(|lane| is_final >> (lane % 8) & 1).collect();
        assert_eq!(found, expected, "{statement}");
        assert_eq!(dwords(&result(&text, &variables, "f"))[6], third, "{statement}");
    }
}
