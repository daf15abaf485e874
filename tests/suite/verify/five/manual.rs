//! Cases in dialect `Manual`, where every requirement of the five pages is an error.

use std::collections::BTreeSet;

use genvisa::isa::{Instruction, RtWrite};
use genvisa::operand::{
    AddrId, AddrWidth, Aoffimmi, DataType, Imm, Modifier, Pred, PredId, Region, SamplerId, Stride,
    SurfaceId, VarId, Vector,
};
use genvisa::verify::{Group, Response, Severity, Verifier, rule, rules};
use genvisa::{Dialect, Format, Module};

use super::super::conformance::PAGES;
use super::super::{all_cases, module, verifier};
use super::{Case, Change, case, change, with};
use crate::verify::Source;
use genvisa::Platform::PvcSdv;

const MEDIA: &str = "media_ld.nomod (8,1) T6 0 0x0:ud 0x0:ud ud_64.0";
const SAMPLE: &str = "sample_3d.R (M1, 8) 0x0:uw S0 T6 f_8.0 f_8.0";
const WRITE: &str = "rt_write_3d (M1, 8) T6 %null.0 f_8.0 f_8.0 f_8.0 f_8.0";

/// Ids of variables of the [prologue](super::super::prologue).
const UB_8: u32 = 32 + 3;
const UW_1: u32 = 32 + 9 * 2;
const UW_8: u32 = UW_1 + 3;
const UW_128: u32 = UW_1 + 8;
const UD_7: u32 = 32 + 9 * 4 + 2;
const UD_8: u32 = UD_7 + 1;
const UD_32: u32 = UD_7 + 4;

/// A text whose instruction is changed after assembly.
macro_rules! edited {
    ($text:expr, $variant:ident, |$i:ident| $change:expr) => {{
        let edit: Change = |module| {
            change(module, |instruction| match instruction {
                Instruction::$variant($i) => $change,
                other => panic!("{other:?}"),
            })
        };
        with($text, edit)
    }};
}

/// An RT_WRITE with a sample index.
macro_rules! sample_index {
    ($operand:expr) => {
        edited!(WRITE, RtWrite, |i| i.sample_index = Some($operand))
    };
}

/// A MEDIA_LD with an X offset.
macro_rules! x_offset {
    ($operand:expr) => {
        edited!(MEDIA, MediaLd, |i| i.x_offset = $operand)
    };
}

fn pred() -> Vector {
    Vector::predicate(Pred::new(PredId(2)).expect("a small id"))
}

fn region(var: u32, vertical: Stride, width: Stride, horizontal: Stride) -> Vector {
    Vector::general(VarId(var), Region::new(vertical, width, horizontal))
}

fn indirect(region: Region) -> Vector {
    Vector::indirect(AddrId(1), 0, 0, DataType::UD, region)
}

fn set_rt_index(write: &mut RtWrite, ty: DataType, bits: u64) {
    write.rt_index = Some(Imm::new(ty, bits).expect("four bytes").into());
}

pub fn cases() -> Vec<Case> {
    let mut cases = requirements();
    cases.extend(classes());
    cases.extend(modifiers());
    cases.extend(regions());
    cases.push(rt_index_beyond_its_type());
    cases.push(rt_index_beyond_its_type().in_manual());
    cases
}

/// Rules that are warnings in the Igc dialects.
fn requirements() -> Vec<Case> {
    let gather = |text: &str| format!("gather4_typed{}", text.replace('%', "ud_8.0"));
    let typed =
        |rule, violating, legal| case(rule, &*gather(violating), &*gather(legal)).in_manual();
    let info = |lod| format!("resinfo.RGBA (M1, 8) T6 {lod} ud_32.0");
    let lod =
        |violating, legal| case("info-lod-type", &*info(violating), &*info(legal)).in_manual();
    let signed = "gather4-typed-offset-signed";
    let unlisted = "gather4-typed-channels-unlisted";
    vec![
        lod("f_8.0", "ud_8.0"),
        lod("d_8.0", "%null.0"),
        typed(signed, ".R (M1, 8) T6 d_8.0 % % % %", ".R (M1, 8) T6 % % % % d_8.0"),
        typed(signed, ".R (M1, 8) T6 % % % d_8.0 %", ".R (M1, 8) T6 % % % V0.0 f_8.0"),
        typed(unlisted, ".RGA (M1, 8) T6 % % % % ud_32.0", ".RGB (M1, 8) T6 % % % % ud_32.0"),
        typed(unlisted, ".RBA (M1, 8) T6 % % % % ud_32.0", ".GBA (M1, 8) T6 % % % % ud_32.0"),
        typed(
            "gather4-typed-exec-size-16",
            ".R (M1, 16) T6 ud_16.0 ud_16.0 ud_16.0 ud_16.0 ud_16.0",
            ".R (M1, 8) T6 % % % % %",
        )
        .on(PvcSdv),
    ]
}

fn rt_index_beyond_its_type() -> Case {
    case(
        "rt-write-rt-index-range",
        edited!(WRITE, RtWrite, |i| set_rt_index(i, DataType::UB, 0x107)),
        edited!(WRITE, RtWrite, |i| set_rt_index(i, DataType::UB, 7)),
    )
}

fn classes() -> Vec<Case> {
    const RULE: &str = "message-operand";
    let cases = [
        case(
            RULE,
            sample_index!(Vector::address(AddrId(1), 0, AddrWidth::W1)),
            sample_index!(indirect(Region::SCALAR)),
        ),
        case(RULE, sample_index!(pred()), sample_index!(Vector::scalar(VarId(UD_8)))),
        case(
            RULE,
            sample_index!(Vector::surface(SurfaceId(6), 0)),
            sample_index!(Imm::ud(3).into()),
        ),
        case(
            RULE,
            edited!(WRITE, RtWrite, |i| i.cps_counter = Some(Vector::sampler(SamplerId(0), 0))),
            edited!(WRITE, RtWrite, |i| i.cps_counter = Some(Imm::uw(3).into())),
        ),
        case(
            "scalar-operand",
            x_offset!(Vector::address(AddrId(1), 0, AddrWidth::W1)),
            x_offset!(indirect(Region::SCALAR)),
        ),
        case(
            "scalar-operand",
            edited!(MEDIA, MediaLd, |i| i.y_offset = pred()),
            edited!(MEDIA, MediaLd, |i| i.y_offset = Vector::scalar(VarId(UD_8))),
        ),
        case(
            "scalar-operand",
            edited!(WRITE, RtWrite, |i| i.rt_index = Some(Vector::surface(SurfaceId(6), 0))),
            edited!(WRITE, RtWrite, |i| i.rt_index = Some(Vector::scalar(VarId(UB_8)))),
        ),
        case(
            "scalar-operand",
            edited!(SAMPLE, Sample3d, |i| i.aoffimmi = Aoffimmi(pred())),
            edited!(SAMPLE, Sample3d, |i| i.aoffimmi = Aoffimmi(Vector::scalar(VarId(UW_8)))),
        ),
    ];
    cases.into_iter().map(Case::in_manual).collect()
}

fn modifiers() -> Vec<Case> {
    const RULE: &str = "message-modifier";
    let cases = [
        case(
            RULE,
            x_offset!(Vector::scalar(VarId(UD_8)).with_modifier(Modifier::NEG)),
            x_offset!(Vector::scalar(VarId(UD_8))),
        ),
        case(
            RULE,
            x_offset!(indirect(Region::SCALAR).with_modifier(Modifier::ABS)),
            x_offset!(indirect(Region::SCALAR)),
        ),
        case(
            RULE,
            sample_index!(Vector::scalar(VarId(UD_8)).with_modifier(Modifier::NEG_ABS)),
            sample_index!(Vector::scalar(VarId(UD_8))),
        ),
        case(
            RULE,
            edited!(WRITE, RtWrite, |i| i.rt_index =
                Some(Vector::scalar(VarId(UB_8)).with_modifier(Modifier::SAT))),
            edited!(WRITE, RtWrite, |i| i.rt_index = Some(Vector::scalar(VarId(UB_8)))),
        ),
        case(
            RULE,
            edited!(SAMPLE, Sample3d, |i| i.aoffimmi =
                Aoffimmi(Vector::scalar(VarId(UW_8)).with_modifier(Modifier::NEG))),
            edited!(SAMPLE, Sample3d, |i| i.aoffimmi = Aoffimmi(Vector::scalar(VarId(UW_8)))),
        ),
    ];
    cases.into_iter().map(Case::in_manual).collect()
}

/// The regions of vector operands are checked, the regions of scalars are not.
fn regions() -> Vec<Case> {
    use Stride as S;
    let cases = [
        case(
            "region-zero-width",
            sample_index!(region(UD_32, S::S8, S::S0, S::S1)),
            sample_index!(region(UD_32, S::S8, S::S8, S::S1)),
        ),
        case(
            "region-width",
            sample_index!(region(UD_32, S::S16, S::S16, S::S1)),
            sample_index!(region(UD_32, S::S1, S::S1, S::S0)),
        ),
        case(
            "region-span",
            sample_index!(region(UW_128, S::S16, S::S1, S::S0)),
            sample_index!(region(UW_128, S::S4, S::S1, S::S0)),
        ),
        case(
            "operand-bounds",
            sample_index!(region(UD_7, S::S8, S::S8, S::S1)),
            sample_index!(region(UD_8, S::S8, S::S8, S::S1)),
        ),
        case(
            "operand-bounds",
            edited!(SAMPLE, Sample3d, |i| i.aoffimmi =
                Aoffimmi(Vector::general_at(VarId(UW_8), 0, 8, Region::SCALAR))),
            edited!(SAMPLE, Sample3d, |i| i.aoffimmi = Aoffimmi(region(UW_1, S::S8, S::S8, S::S1))),
        ),
    ];
    cases.into_iter().map(Case::in_manual).collect()
}

#[test]
fn requirements_of_the_pages_are_errors_in_manual() {
    for case in cases().into_iter().filter(|case| case.as_manual) {
        for finding in verifier(&case).check_module(&module(&case, &case.violating)) {
            assert_eq!(finding.severity, Severity::Error, "{finding}");
        }
    }
}

/// The pages only recommend or permit these, or the rule cannot apply in `Manual`.
#[test]
fn few_rules_of_the_pages_are_warnings_in_manual() {
    let warnings = rules().filter(|rule| {
        let is_of_a_page = PAGES.iter().any(|page| rule.source.starts_with(page));
        is_of_a_page && rule.severity_in(Dialect::Manual) == Severity::Warning
    });
    let warnings: BTreeSet<&str> = warnings.map(|rule| rule.name).collect();
    let expected = BTreeSet::from([
        "gather4-typed-null-order",
        "gather4-typed-null-u",
        "sample-3d-lod-channels",
        "sample-3d-param-null",
        // Other rules reject 32 lanes and newer operations in `Manual`.
        "sample-3d-exec-size-32",
        "sample-3d-operation-newer",
    ]);
    assert_eq!(warnings, expected);
}

#[test]
fn severities_depend_on_the_dialect_and_the_group() {
    for case in all_cases() {
        let rule = rule(case.rule).expect("a rule");
        let dialect = match case.as_manual {
            true => Dialect::Manual,
            false => case.format.dialect,
        };
        let is_enabled = rule.group() == Group::Igc || dialect == Dialect::Manual;
        let severity = match rule.group() {
            _ if dialect == Dialect::Manual => rule.severity_in_manual,
            Group::Igc if rule.name != "input-shared" && rule.response != Response::Changes => {
                Severity::Error
            }
            _ => Severity::Warning,
        };
        assert_eq!(rule.severity_in(dialect), severity, "{}", case.rule);
        let module = module(&case, &case.violating);
        let severities = |verifier: Verifier| {
            let verifier = case.platform.map_or(verifier.clone(), |p| verifier.with_platform(p));
            let findings = verifier.check_module(&module);
            findings.iter().map(|finding| finding.severity).collect::<BTreeSet<_>>()
        };
        let default = if is_enabled { BTreeSet::from([severity]) } else { BTreeSet::new() };
        assert_eq!(severities(Verifier::new()), default, "{}", case.rule);
        let all = Verifier::new().with_groups(Group::ALL);
        assert_eq!(severities(all), BTreeSet::from([severity]), "{}", case.rule);
        let denied = Verifier::new().deny(rule.name).expect("a rule");
        assert_eq!(severities(denied), BTreeSet::from([Severity::Error]), "{}", case.rule);
    }
}

#[test]
fn rules_of_message_operands_do_not_apply_in_igc_dialects() {
    for case in cases() {
        if matches!(case.rule, "message-operand" | "message-modifier" | "region-width") {
            let igc = Case { as_manual: false, ..case };
            let findings = verifier(&igc).check_module(&module(&igc, &igc.violating));
            assert!(findings.is_empty(), "{findings:?}");
        }
    }
}

#[test]
fn single_instructions_are_verified_in_the_dialect_of_their_format() {
    let source: Source = x_offset!(pred()).into();
    let igc: Module<'static> =
        module(&case("scalar-operand", source.clone(), source.clone()), &source);
    let code = &igc.kernels[0].body.code;
    let (_, mut instruction) =
        code.instructions(igc.format).next().expect("an instruction").expect("valid code");
    if let Instruction::MediaLd(load) = &mut instruction {
        load.x_offset = Vector::scalar(VarId(UD_8)).with_modifier(Modifier::NEG);
    }
    assert!(Verifier::new().check_instruction(&instruction, igc.format).is_empty());
    let findings = Verifier::new().check_instruction(&instruction, Format::MANUAL);
    assert_eq!(findings[0].rule.name, "message-modifier");
}
