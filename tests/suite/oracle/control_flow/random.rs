//! Random kernels of branches, calls and returns.

use std::fmt::Write;
use std::ops::Range;

use genvisa_test_support::rng::Rng;

/// The start of all kernels.
pub const HEAD: &str = "\
.version 4.2
.kernel \"k\"
.decl D v_type=G type=d num_elts=16 align=wordx32
.decl I v_type=G type=ub num_elts=1 align=word
.decl P1 v_type=P num_elts=16
.decl P2 v_type=P num_elts=16
.kernel_attr SimdSize=16
.kernel_attr Target=\"3d\"
";

/// Returns a kernel of a main part and subroutines that call later ones. Each has labels, and branches
/// to its own labels.
pub fn kernel(rng: &mut Rng, has_switchjmp: bool) -> String {
    let mut text = String::from(HEAD);
    let parts = 1 + rng.below(4);
    // Kernels of few kinds of branches have longer paths.
    let kinds = Kinds { is_scalar: rng.one_in(4), returns_early: rng.one_in(2), has_switchjmp };
    for part in 0..parts {
        let units = 2 + rng.below(7);
        writeln!(text, ".function \"f{part}\"\nf{part}:").expect("a string takes any text");
        text += "mov (M1,16) D(0,0)<1> 0x1:d\n";
        for unit in 0..units {
            if rng.below(3) > 0 || unit == 0 {
                writeln!(text, "L{part}_{unit}:").expect("a string takes any text");
            } else {
                writeln!(text, "barrier\nL{part}_{unit}:").expect("a string takes any text");
            }
            text += "add (M1,16) D(0,0)<1> D(0,0)<1;1,0> 0x1:d\n";
            text += &branch(rng, part..parts, unit, units, &kinds);
        }
        text += if part == 0 { "ret (M1,1)\n" } else { "ret (M1,16)\n" };
    }
    text
}

/// The kinds of branches of a kernel.
struct Kinds {
    /// Whether all lanes go the same way, apart from calls.
    is_scalar: bool,
    /// Whether subroutines return elsewhere than at their end.
    returns_early: bool,
    has_switchjmp: bool,
}

/// Returns the end of a unit of the first part, or nothing. `parts` are the part and the later ones.
fn branch(rng: &mut Rng, parts: Range<usize>, unit: usize, units: usize, kinds: &Kinds) -> String {
    let Kinds { is_scalar, returns_early, has_switchjmp } = *kinds;
    let (part, parts) = (parts.start, parts.end);
    // Most branches lead forward.
    let mut target = || {
        let forward = unit + 1..units;
        let to = match rng.below(3) {
            0 => rng.below(units),
            _ if forward.is_empty() => rng.below(units),
            _ => forward.start + rng.below(forward.len()),
        };
        format!("L{part}_{to}")
    };
    let (to, other) = (target(), target());
    let predicate = rng.pick(&["(P1) ", "(!P1) ", "(P2) ", "(P1.any) "]);
    let later = part + 1 + rng.below(parts.saturating_sub(part + 1).max(1));
    match rng.below(12) {
        0 | 1 if !is_scalar => format!("{predicate}goto (M1,16) {to}\n"),
        0..=2 => format!("{predicate}goto (M1,1) {to}\n"),
        3 => format!("goto (M1,{}) {to}\n", rng.pick(&[1, 16])),
        4 => format!("{predicate}jmp (M1,1) {to}\n"),
        5 => format!("jmp (M1,1) {to}\n"),
        6 if has_switchjmp => format!("switchjmp (M1,1) I(0,0)<0;1,0> ({to}, {other})\n"),
        7 | 8 if later < parts => format!("call (M1,16) f{later}\n"),
        9 if later < parts => format!("{predicate}call (M1,16) f{later}\n"),
        10 if returns_early || part == 0 => {
            format!("{predicate}ret (M1,{})\n", if part == 0 { 1 } else { 16 })
        }
        11 if !is_scalar && (returns_early || part == 0) => "ret (M1,16)\n".into(),
        _ => String::new(),
    }
}
