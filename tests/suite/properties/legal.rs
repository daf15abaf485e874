//! Instructions and modules of `strategy::legal`: the verifier accepts them, and so does everything else.

use std::collections::BTreeSet;

use genvisa::Platform;
use genvisa::RegisterSize;
use genvisa::analysis::{Analysis, Statistics};
use genvisa::isa::SPEC;
use genvisa::strategy::legal;
use genvisa::text::{FileListing, parse};
use genvisa::verify::{Group, Verifier};
use genvisa::{Format, Module, Version};
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::{cases, runner};
use proptest::strategy::{Strategy, ValueTree};

/// The number of targets without LSC messages, whose search takes most of the time.
const FAST_TARGETS: usize = 3;

/// Formats with platforms whose instructions differ.
const TARGETS: [(Format, Option<Platform>); 8] = [
    (Format::MANUAL, None),
    (Format::igc2022(Version::V3_0), Some(Platform::Bdw)),
    (Format::igc2022(Version::V3_6), Some(Platform::Skl)),
    (Format::igc2022(Version::V3_6), None),
    (Format::igc2026(Version::V4_1), Some(Platform::Dg2)),
    (Format::igc2026(Version::V4_1), Some(Platform::PvcXt)),
    (Format::V4_2, Some(Platform::Xe2)),
    (Format::V4_2, Some(Platform::Xe3p)),
];

fn verifier(platform: Option<Platform>) -> Verifier {
    let verifier = Verifier::new().with_groups(Group::ALL.iter().copied());
    match platform {
        Some(platform) => verifier.with_platform(platform),
        None => verifier,
    }
}

/// Checks that a module is legal, that its bytes and its text are read to the same module, and that
/// it can be analysed.
fn check(module: &Module<'static>, verifier: &Verifier) {
    let format = module.format;
    let text = FileListing::new(module).to_text().expect("legal code");
    assert_eq!(verifier.check_module(module), [], "{text}");
    assert_eq!(parse(&text, format).as_ref(), Ok(module), "{text}");
    if format != Format::V4_2 {
        let bytes = module.to_bytes().expect("a legal module");
        assert_eq!(Module::from_bytes(&bytes, format.dialect).as_ref(), Ok(module), "{text}");
    }
    for routine in module.routines() {
        let analysis = Analysis::new(&routine, RegisterSize::default()).expect("legal code");
        Statistics::new(&routine, &analysis);
    }
}

/// Rows that are in no module, because a module contains one routine only.
const EXCEPTIONS: [&str; 5] = ["ifcall", "faddr", "fcall", "fret", "bdpas"];

/// Checks modules and what they shrink to. Returns the opcodes in them, and those for which there is a
/// strategy.
fn opcodes(salt: usize, format: Format, platform: Option<Platform>) -> BTreeSet<u8> {
    let legal = legal(format, platform);
    let (modules, verifier) = (legal.modules(), verifier(platform));
    let mut runner = runner(256, salt);
    let mut opcodes = BTreeSet::new();
    for case in 0..cases(6) {
        let mut tree = modules.new_tree(&mut runner).expect("a module");
        check(&tree.current(), &verifier);
        for one in tree.current().routines().flat_map(|routine| routine.instructions()) {
            opcodes.insert(one.expect("legal code").1.opcode());
        }
        for step in 0..12 {
            let is_changed = match (case + step) % 3 {
                0 => tree.complicate(),
                _ => tree.simplify(),
            };
            if is_changed {
                check(&tree.current(), &verifier);
            }
        }
    }
    opcodes.extend(legal.rows().into_iter().map(|(opcode, _)| opcode));
    opcodes
}

#[test]
fn modules_and_what_they_shrink_to_are_legal() {
    let is_full = cases(100) > 100;
    let count = if is_full { TARGETS.len() } else { FAST_TARGETS };
    let targets: Vec<_> = TARGETS.into_iter().take(count).enumerate().collect();
    let found = parallel(&targets, |(salt, (format, platform))| opcodes(*salt, *format, *platform));
    for ((_, target), found) in targets.iter().zip(&found) {
        eprintln!("{target:?}: {} opcodes", found.len());
    }
    let found: BTreeSet<u8> = found.into_iter().flatten().collect();
    if !is_full {
        return;
    }
    let missing = SPEC.iter().filter(|spec| !found.contains(&spec.opcode));
    let missing: Vec<&str> = missing.map(|spec| spec.mnemonic).collect();
    assert!(missing.iter().all(|mnemonic| EXCEPTIONS.contains(mnemonic)), "{missing:?}");
}

#[test]
fn a_module_shrinks_to_the_instruction_that_fails() {
    let modules = legal(Format::default(), Platform::Skl).modules();
    let fails = |module: &Module<'_>| {
        let mut all = module.routines().flat_map(|routine| routine.instructions());
        all.any(|one| one.expect("legal code").1.mnemonic() == "sample_3d")
    };
    let mut runner = runner(256, 0);
    let mut tree = loop {
        let tree = modules.new_tree(&mut runner).expect("a module");
        if fails(&tree.current()) {
            break tree;
        }
    };
    while if fails(&tree.current()) { tree.simplify() } else { tree.complicate() } {}
    let module = tree.current();
    let text = FileListing::new(&module).to_text().expect("legal code");
    let count = module.routines().map(|routine| routine.instructions().count()).sum::<usize>();
    assert!(count <= 6 && module.kernels[0].inputs.is_empty(), "{text}");
}
