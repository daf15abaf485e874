//! The platforms that have an instruction.

use std::collections::BTreeMap;

use genvisa::Platform;
use genvisa::isa::SPEC;
use genvisa::object::{Code, Kernel};
use genvisa::strategy::rows;
use genvisa::text::parse;
use genvisa::verify::{Group, Verifier};
use genvisa::{Format, Module, Version};
use genvisa_test_support::random::runner;
use proptest::strategy::{Strategy, ValueTree};

/// Instructions, and the rules that they break on ranges of platforms. Source: appendix_instruction_by_platform and
/// the platforms of 6_instructions, and verdicts of GenX_IR.
const EXPECTED: &[&str] = &[
    "add3 bfn: garbled BDW to TGLLP",
    "add3.o: early BDW to TGLLP",
    "dp2 dp3 dp4 dph line: garbled TGLLP to Xe3P",
    "sad2 sad2add: gone ICLLP",
    "lrp: garbled TGLLP to Xe3P, gone ICLLP",
    "plane: gone ICLLP to Xe3P, platform XE3P_CRI to Xe3P",
    "sample_3d load_3d gather4_3d info_3d rt_write_3d urb_write_3d typed_atomic: gone PVC-SDV to PVCXT",
    "avs vme_ime vme_sic vme_fbr: gone TGLLP to Xe3P",
    "vme_idm: gone TGLLP to Xe3P, platform BDW to CHV",
    "fcvt nbarrier: platform BDW to ARL",
    "rol ror: platform BDW to CNL",
    "dp4a: platform BDW to ICLLP",
    "srnd: platform BDW to PVC-SDV",
    "dpasw dpas qw_gather qw_scatter: platform BDW to TGLLP",
    "tanh sigm: platform BDW to Xe3",
    "lsc_untyped lsc_typed lsc_fence: platform BDW to XeHP_SDV",
];

#[test]
fn platforms_have_the_documented_instructions() {
    let format = Format::igc2026(Version::V4_1);
    let mut runner = runner(1, 0);
    let mut found: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (opcode, strategy) in rows(format) {
        let mut module = Module::new(format);
        let mut kernel = Kernel::new("k");
        let instruction = strategy.new_tree(&mut runner).expect("an instruction").current();
        kernel.body.code = Code::from_instructions([&instruction], format).expect("encodable");
        module.kernels.push(kernel);
        let mut platforms: BTreeMap<&str, Vec<Platform>> = BTreeMap::new();
        for &platform in Platform::ALL {
            let verifier = Verifier::new().with_groups(Group::ALL).with_platform(platform);
            for finding in verifier.check_module(&module) {
                if let Some(rule) = finding.rule.name.strip_prefix("opcode-") {
                    platforms.entry(rule).or_default().push(platform);
                }
            }
        }
        if platforms.is_empty() {
            continue;
        }
        let ranges: Vec<String> = platforms
            .iter()
            .map(|(rule, platforms)| {
                let all: Vec<_> =
                    Platform::ALL.iter().skip_while(|it| **it != platforms[0]).collect();
                assert!(platforms.iter().eq(all.into_iter().take(platforms.len())), "a range");
                match &platforms[..] {
                    [platform] => format!("{rule} {platform}"),
                    [first, .., last] => format!("{rule} {first} to {last}"),
                    [] => unreachable!("an entry has a platform"),
                }
            })
            .collect();
        let row = SPEC.iter().find(|row| row.opcode == opcode).expect("a row");
        found.entry(ranges.join(", ")).or_default().push(row.mnemonic);
    }
    let mut lines: Vec<String> =
        found.into_iter().map(|(ranges, names)| format!("{}: {ranges}", names.join(" "))).collect();
    let mut expected = EXPECTED.to_vec();
    lines.sort();
    expected.sort();
    assert_eq!(lines, expected);
}

#[test]
fn ieee_macros_do_not_exist_for_any_destination() {
    let lines = [
        "divm (M1, 8) D(0,0)<1> A(0,0)<1;1,0> A(0,0)<1;1,0>",
        "sqrtm (M1, 8) D(0,0)<1> A(0,0)<1;1,0>",
        "invm (M1, 8) D(0,0)<1> P A(0,0)<1;1,0> A(0,0)<1;1,0>",
        "rsqtm (M1, 8) D(0,0)<1> P A(0,0)<1;1,0>",
    ];
    for (line, ty) in lines.into_iter().flat_map(|line| ["f", "hf", "df"].map(|ty| (line, ty))) {
        let text = format!(
            ".version 4.2\n.kernel \"k\"\n.decl D v_type=G type={ty} num_elts=16 align=GRF\n\
             .decl A v_type=G type=f num_elts=16 align=GRF\n.decl P v_type=P num_elts=8\n\
             {line}\nret (M1, 1)\n"
        );
        let module = parse(&text, Format::V4_2).expect("a text of 4.2");
        for (platform, exists) in [(Platform::Skl, true), (Platform::Tgllp, false)] {
            let findings = Verifier::new().with_platform(platform).check_module(&module);
            let is_reported = findings.iter().any(|it| it.rule.name == "ieee-platform");
            assert_eq!(is_reported, !exists, "{line} of {ty} on {platform}");
        }
    }
}
