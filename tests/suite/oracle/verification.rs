//! The reference's verifier as oracle: where it complains of a kernel, this crate's does, and where it
//! does not, this crate's does not either, but for the rules in [`SIDES`].
//!
//! The kernels are the cases of `tests/suite/verify`: each rule broken, and kept at its boundary.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::thread;

use genvisa::Dialect;
use genvisa::object::Attribute;
use genvisa::verify::{Platform, Severity, rule};

use super::disagreements::{SIDES, Side};
use super::genx_ir::{self, Verdict};
use crate::verify::{self, Case, Piece};

/// The platforms that the tool is asked for: that of the case, or of all that instructions came with,
/// one after the other.
fn platforms(case: &Case) -> Vec<Platform> {
    use Platform::{Arl, Dg2, Pvc, PvcXt, Skl, Tgllp, Xe2};
    match case.platform {
        Some(platform) if platform < Xe2 && platform != Arl => vec![platform],
        Some(_) => Vec::new(),
        None => vec![Skl, Tgllp, Dg2, Pvc, PvcXt],
    }
}

/// Whether the tool complains of the platform.
fn is_of_platform(verdict: &Verdict) -> bool {
    let Verdict::Findings(findings) = verdict else { return false };
    findings.iter().any(|finding| finding.contains("platform"))
}

/// What the tool says of a piece; `None` where it has no bytes that the tool reads.
fn asked(case: &Case, piece: &Piece, platform: Platform) -> Option<Verdict> {
    let mut module = verify::module(case, piece);
    let body = &mut module.kernels.first_mut()?.body;
    let asm_name = body.intern("AsmName");
    body.attributes.push(Attribute::string(asm_name, genx_ir::ASM_NAME));
    let readable = module.format.dialect == Dialect::Igc2022;
    let file = module.to_bytes().ok().filter(|_| readable)?;
    Some(genx_ir::verdict(&file, platform.name()))
}

/// What the tool says of what keeps a rule and of what breaks it, on a platform that it knows and that
/// has the instructions.
fn verdicts(case: &Case) -> Option<(Verdict, Verdict)> {
    let mut last = None;
    for platform in platforms(case) {
        let kept = asked(case, &case.keeps, platform)?;
        let is_right = case.platform.is_some() || !is_of_platform(&kept);
        last = Some((kept, platform));
        if is_right {
            break;
        }
    }
    let (kept, platform) = last?;
    Some((kept, asked(case, &case.breaks, platform)?))
}

/// The verdicts on all cases, by two tools at a time.
fn all_verdicts(cases: &[Case]) -> Vec<Option<(Verdict, Verdict)>> {
    let (first, second) = cases.split_at(cases.len() / 2);
    let ask = |cases: &[Case]| cases.iter().map(verdicts).collect::<Vec<_>>();
    thread::scope(|scope| {
        let first = scope.spawn(move || ask(first));
        let mut second = ask(second);
        let mut all = first.join().expect("the first half");
        all.append(&mut second);
        all
    })
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
    let mut used = BTreeSet::new();
    let (mut agreed, mut not_asked) = (0, 0);
    let mut say = |what: String| writeln!(wrong, "{what}").expect("a string takes any text");
    for (case, verdicts) in cases.iter().zip(all_verdicts(&cases)) {
        let is_error = rule(case.rule).is_some_and(|rule| rule.severity == Severity::Error);
        // Where the tool does not survive a legal kernel it has no verdict.
        let Some((kept, broken)) = verdicts.filter(|(kept, _)| !matches!(kept, Verdict::Crash(_)))
        else {
            not_asked += 1;
            continue;
        };
        let tally = tallies.entry(case.rule).or_default();
        match broken {
            Verdict::Clean => tally.is_silent += 1,
            _ => tally.complains += 1,
        }
        agreed += usize::from(is_error == (broken != Verdict::Clean));
        agreed += usize::from(kept == Verdict::Clean);
        if kept != Verdict::Clean {
            used.insert((case.rule, Side::Stricter));
            if !is_known(case.rule, Side::Stricter) {
                say(format!("{}: kept by `{}`: {kept:?}", case.rule, case.keeps.text));
            }
        }
    }
    for (name, tally) in &tallies {
        let severity = rule(name).expect("a rule").severity;
        let (agrees, side) = match severity {
            Severity::Error => (tally.is_silent == 0, Side::Manual),
            Severity::Warning => (tally.complains == 0, Side::Field),
        };
        if !agrees {
            used.insert((name, side));
            if !is_known(name, side) {
                say(format!("{name} ({severity}): {tally:?}"));
            }
        }
    }
    for (side, _, rules) in SIDES {
        for name in rules.iter().filter(|name| !used.contains(&(**name, *side))) {
            say(format!("{name}: in the list, but both agree"));
        }
    }
    eprintln!(
        "{} cases, {not_asked} of them not asked: {agreed} verdicts agree; {} rules on a side",
        cases.len(),
        used.len()
    );
    assert!(wrong.is_empty(), "{wrong}");
}

fn is_known(rule: &str, side: Side) -> bool {
    SIDES.iter().any(|(known, _, rules)| *known == side && rules.contains(&rule))
}
