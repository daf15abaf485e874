//! The reference's verifier as oracle: where it complains of a kernel, this crate's does, and where it
//! does not, this crate's does not either, but for the rules in [`SIDES`].
//!
//! The kernels are the cases of `tests/suite/verify`: each rule broken, and kept at its boundary.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use genvisa::object::Attribute;
use genvisa::verify::{Platform, Severity, rule};
use genvisa::{Dialect, Module};

use super::genx_ir::{self, Verdict};
use super::sides::{SIDES, Side};
use crate::verify::{self, Case, Piece};

/// The name that the tool's option `-platform` has for a platform, if it knows it.
fn name_of(platform: Platform) -> Option<&'static str> {
    (platform < Platform::Xe2 && platform != Platform::Arl).then(|| platform.name())
}

/// What the tool says of a piece; `None` where it has no bytes that the tool reads.
fn asked(case: &Case, piece: &Piece) -> Option<(Module<'static>, Verdict)> {
    let platform = name_of(case.platform.unwrap_or(Platform::Skl))?;
    let mut module = verify::module(case, piece);
    let body = &mut module.kernels.first_mut()?.body;
    let asm_name = body.string("AsmName");
    body.attributes.push(Attribute::string(asm_name, genx_ir::ASM_NAME));
    let readable = module.format.dialect == Dialect::Igc2022;
    let file = module.to_bytes().ok().filter(|_| readable)?;
    let verdict = genx_ir::verdict(&file, platform);
    Some((module, verdict))
}

/// How often the tool complained of what breaks a rule, and how often not.
#[derive(Debug, Default)]
struct Tally {
    complains: usize,
    is_silent: usize,
}

#[test]
fn the_reference_agrees_but_for_the_sides_taken() {
    if !genx_ir::is_installed() {
        return;
    }
    let cases = verify::all_cases();
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut wrong = String::new();
    let (mut agreed, mut not_asked) = (0, 0);
    for case in &cases {
        let is_error = rule(case.rule).is_some_and(|rule| rule.severity == Severity::Error);
        match asked(case, &case.breaks) {
            Some((_, verdict)) => {
                let tally = tallies.entry(case.rule).or_default();
                match verdict {
                    Verdict::Clean => tally.is_silent += 1,
                    _ => tally.complains += 1,
                }
                agreed += usize::from(is_error == (verdict != Verdict::Clean));
            }
            None => not_asked += 1,
        }
        match asked(case, &case.keeps) {
            Some((_, Verdict::Findings(findings))) if !is_known(case.rule, Side::Stricter) => {
                writeln!(wrong, "{}: kept by `{}`: {findings:?}", case.rule, case.keeps.text)
                    .expect("a string takes any text");
            }
            Some(_) => agreed += 1,
            None => not_asked += 1,
        }
    }
    let mut used = BTreeSet::new();
    for (name, tally) in &tallies {
        let severity = rule(name).expect("a rule").severity;
        let expected = match severity {
            Severity::Error => tally.is_silent == 0,
            Severity::Warning => tally.complains == 0,
        };
        if expected {
            continue;
        }
        used.insert(*name);
        let side = if severity == Severity::Error { Side::Manual } else { Side::Field };
        if !is_known(name, side) {
            writeln!(wrong, "{name} ({severity}): {tally:?}").expect("a string takes any text");
        }
    }
    for (name, side, _) in SIDES {
        if *side != Side::Stricter && !used.contains(name) {
            writeln!(wrong, "{name}: in the list, but both agree")
                .expect("a string takes any text");
        }
    }
    eprintln!(
        "{} cases: {agreed} verdicts agree, {} rules on a side, {not_asked} not asked",
        cases.len(),
        used.len()
    );
    assert!(wrong.is_empty(), "{wrong}");
}

fn is_known(rule: &str, side: Side) -> bool {
    SIDES.iter().any(|(name, known, _)| *name == rule && *known == side)
}
