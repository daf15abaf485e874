//! A test that the verifiers of the reference and of this crate report errors about the same
//! kernels, except for the rules in [`DISAGREEMENTS`].
//!
//! The kernels are the cases of `tests/suite/verify`: for each rule, one that violates it and one
//! that just satisfies it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::thread;

use genvisa::Dialect;
use genvisa::object::Attribute;
use genvisa::verify::{Platform, Severity, rule};

use super::disagreements::{Cause, DISAGREEMENTS};
use super::genx_ir::{self, Verdict};
use crate::verify::{self, Case, Source};

/// Returns the platforms on which a case is tried: that of the case, or the platforms that
/// introduced instructions.
fn platforms(case: &Case) -> Vec<Platform> {
    use Platform::{Arl, Dg2, Pvc, PvcXt, Skl, Tgllp, Xe2};
    match case.platform {
        Some(platform) if platform < Xe2 && platform != Arl => vec![platform],
        Some(_) => Vec::new(),
        None => vec![Skl, Tgllp, Dg2, Pvc, PvcXt],
    }
}

/// Returns whether the tool reports that the platform lacks an instruction.
fn is_about_platform(verdict: &Verdict) -> bool {
    let Verdict::Findings(findings) = verdict else { return false };
    findings.iter().any(|finding| finding.contains("platform"))
}

/// Returns the verdict of the tool on one module of a case, or `None` if the tool cannot read its
/// bytes.
fn verdict_on(case: &Case, source: &Source, platform: Platform) -> Option<Verdict> {
    let mut module = verify::module(case, source);
    let body = &mut module.kernels.first_mut()?.body;
    let asm_name = body.intern("AsmName");
    body.attributes.push(Attribute::string(asm_name, genx_ir::ASM_NAME));
    let is_readable = module.format.dialect == Dialect::Igc2022;
    let file = module.to_bytes().ok().filter(|_| is_readable)?;
    Some(genx_ir::verdict(&file, platform.name()))
}

/// Returns the verdicts of the tool on the legal and on the violating module, on a platform that it
/// supports and that has the instructions.
fn verdicts(case: &Case) -> Option<(Verdict, Verdict)> {
    let mut last = None;
    for platform in platforms(case) {
        let kept = verdict_on(case, &case.legal, platform)?;
        let is_right = case.platform.is_some() || !is_about_platform(&kept);
        last = Some((kept, platform));
        if is_right {
            break;
        }
    }
    let (kept, platform) = last?;
    Some((kept, verdict_on(case, &case.violating, platform)?))
}

/// Returns the verdicts on all cases. Runs two tools at a time.
fn all_verdicts(cases: &[Case]) -> Vec<Option<(Verdict, Verdict)>> {
    let (first, second) = cases.split_at(cases.len() / 2);
    let verify = |cases: &[Case]| cases.iter().map(verdicts).collect::<Vec<_>>();
    thread::scope(|scope| {
        let first = scope.spawn(move || verify(first));
        let mut second = verify(second);
        let mut all = first.join().expect("the first half");
        all.append(&mut second);
        all
    })
}

/// The numbers of violating modules that the tool rejects and accepts.
#[derive(Debug, Default)]
struct Tally {
    rejected: usize,
    accepted: usize,
}

#[test]
fn the_reference_agrees_except_for_listed_rules() {
    if !genx_ir::is_installed() {
        return;
    }
    let cases = verify::all_cases();
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut errors = String::new();
    let mut used = BTreeSet::new();
    let (mut agreed, mut skipped) = (0, 0);
    let mut report = |what: String| {
        writeln!(errors, "{what}").expect("writing to a string cannot fail");
    };
    for (case, verdicts) in cases.iter().zip(all_verdicts(&cases)) {
        let is_error = rule(case.rule).is_some_and(|rule| rule.severity == Severity::Error);
        // If the tool crashes on a legal kernel, it has no verdict.
        let Some((kept, broken)) = verdicts.filter(|(kept, _)| !matches!(kept, Verdict::Crash(_)))
        else {
            skipped += 1;
            continue;
        };
        let tally = tallies.entry(case.rule).or_default();
        match broken {
            Verdict::Clean => tally.accepted += 1,
            _ => tally.rejected += 1,
        }
        agreed += usize::from(is_error == (broken != Verdict::Clean));
        agreed += usize::from(kept == Verdict::Clean);
        if kept != Verdict::Clean {
            used.insert((case.rule, Cause::Stricter));
            if !is_listed(case.rule, Cause::Stricter) {
                report(format!(
                    "{}: rejected, but legal: `{}`: {kept:?}",
                    case.rule, case.legal.text
                ));
            }
        }
    }
    for (name, tally) in &tallies {
        let severity = rule(name).expect("a rule").severity;
        let (agrees, cause) = match severity {
            Severity::Error => (tally.accepted == 0, Cause::Manual),
            Severity::Warning => (tally.rejected == 0, Cause::Lenient),
        };
        if !agrees {
            used.insert((name, cause));
            if !is_listed(name, cause) {
                report(format!("{name} ({severity}): {tally:?}"));
            }
        }
    }
    for (cause, _, rules) in DISAGREEMENTS {
        for name in rules.iter().filter(|name| !used.contains(&(**name, *cause))) {
            report(format!("{name}: in the list, but both agree"));
        }
    }
    eprintln!(
        "{} cases, {skipped} of them skipped: {agreed} verdicts agree; {} rules disagree",
        cases.len(),
        used.len()
    );
    assert!(errors.is_empty(), "{errors}");
}

fn is_listed(rule: &str, cause: Cause) -> bool {
    DISAGREEMENTS.iter().any(|(known, _, rules)| *known == cause && rules.contains(&rule))
}
