//! A test that the verdicts of GenX_IR on the cases of `tests/suite/verify` are those of
//! `tests/data/rule-verdicts.txt`. GenX_IR's verifier rejects or accepts a module.

use std::collections::BTreeSet;
use std::env;
use std::fmt::Write;
use std::thread;

use genvisa::Dialect;
use genvisa::Platform;
use genvisa::object::Attribute;
use genvisa_test_support::genx_ir::{self, Verdict};

use super::verdicts;
use crate::verify::{self, Case, Source};

/// Returns the platforms on which a case is tried: that of the case, or the platforms that
/// introduced instructions.
fn platforms(case: &Case) -> Vec<Platform> {
    use Platform::{Arl, Dg2, PvcSdv, PvcXt, Skl, Tgllp, Xe2};
    match case.platform {
        Some(platform) if platform < Xe2 && platform != Arl => vec![platform],
        Some(_) => Vec::new(),
        None => vec![Skl, Tgllp, Dg2, PvcSdv, PvcXt],
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
    Some(genx_ir::verdict(&file, platform.igc_name()))
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

/// The rules whose legal modules the tool rejects, with the reason.
#[rustfmt::skip]
const STRICTER: &[(&str, &[&str])] = &[
    ("It requires one type for both sources of SRND, and so rejects what the page requires.", &[
         "src-class", "srnd-types", "srnd-random-type", "srnd-random-listed", "srnd-no-mask",
     ]),
    ("It allows saturation of DIV for F and HF only; the current reference and the page also allow DF.", &[
         "saturation",
     ]),
];

/// Rows that the table lacks are added if `GENVISA_BLESS` is set.
#[test]
#[ignore = "needs GenX_IR 12504"]
fn genx_ir_repeats_its_verdicts() {
    let cases = verify::all_cases();
    let rows = verdicts::rows();
    let mut errors = String::new();
    let mut stricter = BTreeSet::new();
    let mut asked = 0;
    let mut new_rows = Vec::new();
    let mut report = |what: String| {
        writeln!(errors, "{what}").expect("writing to a string cannot fail");
    };
    for (case, verdicts) in cases.iter().zip(all_verdicts(&cases)) {
        if let Some((Verdict::Findings(findings), _)) = &verdicts {
            if stricter.insert(case.rule) && !is_stricter(case.rule) {
                report(format!("{}: rejects `{}`: {findings:?}", case.rule, case.legal.text));
            }
        }
        // If the tool rejects a legal module, it has no verdict on the other one.
        let verdict = match &verdicts {
            Some((Verdict::Clean, Verdict::Clean)) => "accepted",
            Some((Verdict::Clean, Verdict::Findings(_))) => "refused",
            Some((Verdict::Clean, Verdict::Crash(_))) => "crashed",
            _ => "-",
        };
        asked += usize::from(verdict != "-");
        let question = verdicts::question(case);
        let is_of_case = |row: &&verdicts::Row| row.rule == case.rule && row.question == question;
        let known: BTreeSet<&str> = rows.iter().filter(is_of_case).map(|row| row.in_2022).collect();
        if known.is_empty() && env::var_os("GENVISA_BLESS").is_some() {
            new_rows.extend(verdicts::new_rows(case, verdict).unwrap_or_default());
        } else if !known.contains(verdict) {
            report(format!("{}: {verdict}, not {known:?}: {question}", case.rule));
        }
    }
    for name in STRICTER.iter().flat_map(|(_, rules)| *rules) {
        if !stricter.contains(name) {
            report(format!("{name}: in the list, but legal modules are accepted"));
        }
    }
    if !new_rows.is_empty() {
        verdicts::add_rows(&new_rows);
    }
    eprintln!("{} cases, {asked} verdicts", cases.len());
    assert!(errors.is_empty(), "{errors}");
}

fn is_stricter(rule: &str) -> bool {
    STRICTER.iter().any(|(_, rules)| rules.contains(&rule))
}
