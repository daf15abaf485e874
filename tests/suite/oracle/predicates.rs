//! Predicates with fewer elements than the lanes that they are used for: IGC does not keep
//! the values of the other lanes, and the verifier reports each such use.

use std::fmt::Write;

use genvisa::Format;
use genvisa::Platform;
use genvisa::text::parse;
use genvisa::verify::{Severity, Verifier};
use genvisa_test_support::genx_ir_today::Compiler;

/// Instructions that write and use the predicate `p`. Other flags are live between the first and the
/// second.
type Uses = [&'static str; 3];

/// Uses of a predicate of 8 elements.
const OF_16_LANES: [Uses; 4] = [
    ["cmp.gt (M1, 8) p x(0,0)<1;1,0> 0x5:d", "cmp.gt (M3, 8) p x(0,8)<1;1,0> 0x7:d", CONTROL],
    ["cmp.gt (M1, 16) p x(0,0)<1;1,0> 0x5:d", "cmp.gt (M1, 8) p x(0,0)<1;1,0> 0x7:d", CONTROL],
    ["setp (M1, 16) p x(0,0)<1;1,0>", "setp (M1, 8) p y(0,0)<1;1,0>", CONTROL],
    ["cmp.gt (M1, 16) p x(0,0)<1;1,0> 0x5:d", "cmp.gt (M1, 8) p x(0,0)<1;1,0> 0x7:d", SELECTION],
];

/// Uses of a predicate of 16 elements.
const OF_32_LANES: [Uses; 2] = [
    ["cmp.gt (M1, 32) p x(0,0)<1;1,0> 0x5:d", "", "(p) mov (M1, 32) y(0,0)<1> x(0,0)<1;1,0>"],
    ["setp (M1, 32) p x(0,0)<1;1,0>", "", "(p) sel (M1, 32) y(0,0)<1> x(0,0)<1;1,0> 0x1:d"],
];

const CONTROL: &str = "(p) mov (M1, 16) y(0,0)<1> x(0,0)<1;1,0>";
const SELECTION: &str = "(p) sel (M1, 16) y(0,0)<1> x(0,0)<1;1,0> 0x1:d";

/// Returns a text in which `p` has some elements and others are live with it.
fn text(elements: usize, others: usize, [first, second, last]: Uses) -> String {
    let mut text = format!(
        "\
.version 4.2
.kernel \"k\"
.decl x v_type=G type=d num_elts=32 align=GRF
.decl y v_type=G type=d num_elts=32 align=GRF
.decl p v_type=P num_elts={elements}
"
    );
    let mut write = |line: String| writeln!(text, "{line}").expect("a string takes any text");
    (0..others).for_each(|i| write(format!(".decl q{i} v_type=P num_elts=16")));
    write("lsc_load.ugm (M1, 32) x:d32 flat[x]:a32\nmov (M1, 32) y(0,0)<1> 0x0:d".into());
    write(first.into());
    (0..others).for_each(|i| write(format!("cmp.lt (M1, 16) q{i} x(0,0)<1;1,0> 0x{i:x}:d")));
    let add = |i| format!("(q{i}) add (M1, 16) y(0,0)<1> y(0,0)<1;1,0> 0x{i:x}:d");
    (0..others).for_each(|i| write(add(i)));
    write(format!("{second}\n{last}\nlsc_store.ugm (M1, 32) flat[x]:a32 y:d32\nret (M1, 1)"));
    text
}

fn errors(text: &str, platform: Platform) -> Vec<&'static str> {
    let module = parse(text, Format::V4_2).expect("a correct text");
    let findings = Verifier::new().with_platform(platform).check_module(&module);
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| finding.rule.name).collect()
}

/// If more flags are live than there are, the compiler saves some in registers.
#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14"]
fn values_of_lanes_without_elements_are_lost() {
    let compiler = Compiler::required();
    let check = |name,
                 platform,
                 flags,
                 elements,
                 rule,
                 uses: &[Uses],
                 is_lost: fn(&[u8], &[u8]) -> bool| {
        for uses in uses {
            let (small, large) = (text(elements, flags, *uses), text(2 * elements, flags, *uses));
            let code = |text: &str| compiler.compile(text, name).expect("a correct text");
            assert!(
                is_lost(&code(&small), &code(&large)) || !compiler.is_tested,
                "{name}:\n{small}"
            );
            assert_eq!(errors(&small, platform), [rule; 2], "{name}:\n{small}");
            assert_eq!(errors(&large, platform), [""; 0], "{name}:\n{large}");
        }
    };
    // The code is shorter: the flag is not saved, but shared with another predicate.
    let is_shorter = |small: &[u8], large: &[u8]| small.len() < large.len();
    check("DG2", Platform::Dg2, 4, 8, "predicate-lanes", &OF_16_LANES, is_shorter);
    check("XE2", Platform::Xe2, 8, 8, "predicate-lanes", &OF_16_LANES, is_shorter);
    // Only 16 bits of the flag are saved.
    let differs = |small: &[u8], large: &[u8]| small != large;
    check("XE2", Platform::Xe2, 8, 16, "predicate-width", &OF_32_LANES, differs);
}
