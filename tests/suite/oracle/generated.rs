//! Instructions of every row of the table that the verifier accepts are accepted by today's compiler.
//!
//! The instructions are random. Most random instructions are illegal, so a local search replaces
//! their fields one by one, as long as the verifier does not report more errors and warnings.

pub mod legal;

use std::collections::BTreeMap;

use genvisa::Format;
use genvisa::isa::Kind;
use genvisa::text::{Listing, parse};
use genvisa_test_support::ocloc::{Ocloc, Verdict};
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::number_from;
use genvisa_test_support::rng::Rng;

use self::legal::{Search, declarations, text_of};
use super::cases_4_2::{Device, device_named};
use super::differential::code::InstructionKind;

/// The devices, without and with efficient 64-bit addressing.
const DEVICES: [&str; 2] = ["bmg", "cri"];

/// The number of instructions for each device.
const COUNT: u64 = 80;

/// The number of instructions that are compiled together.
const BATCH: usize = 8;

/// Disagreements: a part of the instruction's text, a part of the compiler's verdict, and the reason.
const DISAGREEMENTS: &[(&str, &str, &str)] = &[
    (":vf", "refused", "the manual allows packed floats here, the compiler's verifier does not"),
    ("gather", "crashed", "the data port of newer platforms has no such message"),
    ("scatter", "crashed", "the data port of newer platforms has no such message"),
    ("media_", "crashed", "the data port of newer platforms has no such message"),
    ("typed_atomic", "refused", "the data port of newer platforms has no such message"),
    ("urb_write_3d", "crashed", "newer platforms have no such message"),
    ("raw_send", "crashed", "sends that the compiler does not make crash it"),
    ("sample.", "refused", "the sampler of newer platforms has no such message"),
    ("sample_unorm", "refused", "the sampler of newer platforms has no such message"),
    ("info.0000", "refused", "the empty mask has no text that the compiler reads"),
    ("dpas.", "crashed", "the code generator lacks some pairs of precisions"),
    ("(0,0)<0;1,0>[", "refused", "the compiler does not read what it writes for loads"),
    ("line ", "wrong type of src0", "the compiler accepts type F only, the manual more"),
];

/// Returns the reason why instructions of a kind are not compiled.
fn excluded(kind: InstructionKind) -> Option<&'static str> {
    if kind.spec.kind == Kind::Flow {
        return Some("it changes which code is reached");
    }
    match kind.spec.mnemonic {
        "file" | "loc" | "lifetime" => Some("it is not an instruction of the machine"),
        "va" | "va_skl_plus" | "vme_idm" => Some("the compiler's text has no word for it"),
        _ => None,
    }
}

/// An instruction and its text.
struct Generated {
    device: &'static Device,
    text: String,
}

/// Returns a number of legal instructions for a device, of as many kinds as possible. Their text is
/// parsed to the same instructions.
fn generate(device: &'static Device, seed: u64, count: usize) -> Vec<Generated> {
    let mut search = Search::new(device.platform, seed);
    let kinds = InstructionKind::all(Format::V4_2).filter(|kind| excluded(*kind).is_none());
    let mut kinds: Vec<InstructionKind> = kinds.collect();
    // The order of the other kinds does not change if one is added.
    kinds.sort_by_cached_key(|kind| {
        let op = kind.layout.map_or(0, |(_, op)| op);
        Rng::new(seed, u64::from(kind.spec.opcode) << 8 | u64::from(op)).bits()
    });
    let mut missing: BTreeMap<&str, usize> = BTreeMap::new();
    let mut generated = Vec::new();
    for (number, kind) in (0..4).flat_map(|number| kinds.iter().map(move |kind| (number, kind))) {
        if generated.len() == count {
            break;
        }
        match search.legal(*kind, number) {
            Some(instruction) => {
                let module = search.module(&[instruction]);
                let listing = Listing::new(module.routines().next().expect("a kernel"));
                let listing = listing.to_text().expect("legal code");
                assert_eq!(parse(&listing, Format::V4_2).as_ref(), Ok(&module), "{listing}");
                generated.push(Generated { device, text: text_of(&module).1 });
            }
            None => *missing.entry(kind.mnemonic()).or_default() += 1,
        }
    }
    eprintln!("{}: {} instructions; not found: {missing:?}", device.name, generated.len());
    generated
}

/// Asks about several instructions together. If the compiler does not accept them, divides them.
/// Returns the single instructions that are not accepted.
fn ask<'g>(
    compiler: &Ocloc,
    declarations: &str,
    batch: &[&'g Generated],
) -> Vec<(&'g Generated, Verdict)> {
    let code: Vec<&str> = batch.iter().map(|generated| generated.text.as_str()).collect();
    let text = format!("{declarations}\n{}", code.join("\n"));
    match (compiler.ask(&text, batch[0].device.name), batch) {
        (Verdict::Accepted, _) => Vec::new(),
        (verdict, [single]) => vec![(single, verdict)],
        (_, batch) => {
            let (first, second) = batch.split_at(batch.len() / 2);
            let mut wrong = ask(compiler, declarations, first);
            wrong.append(&mut ask(compiler, declarations, second));
            wrong
        }
    }
}

#[test]
fn the_compiler_accepts_legal_instructions() {
    let Some(compiler) = Ocloc::find() else { return };
    let seed = number_from("GENVISA_PROPERTY_SEED", 0x5eed);
    let count = COUNT * number_from("GENVISA_PROPERTY_CASES", 100) / 100;
    let mut generated = Vec::new();
    for device in DEVICES.map(device_named) {
        generated.push(generate(device, seed, count as usize));
    }
    let all: Vec<Vec<&Generated>> = (generated.iter())
        .flat_map(|found| found.chunks(BATCH).map(|batch| batch.iter().collect()))
        .collect();
    let declarations = declarations();
    let wrong = parallel(&all, |batch| ask(&compiler, &declarations, batch));
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let mut groups: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for (Generated { device, text }, verdict) in wrong.iter().flatten() {
        let verdict = verdict.to_string();
        let is_known = |(part, part_of_verdict, _): &&(&str, &str, &str)| {
            text.contains(part) && verdict.contains(part_of_verdict)
        };
        match DISAGREEMENTS.iter().find(is_known) {
            Some((start, ..)) => *known.entry(start).or_default() += 1,
            None => {
                let words = text.split_whitespace().filter(|word| !word.starts_with('('));
                let mnemonic = words.flat_map(|word| word.split('.')).next().unwrap_or_default();
                let group = groups.entry(format!("{} {mnemonic}", device.name));
                let example = format!("{}: {verdict}", text.trim());
                group.or_insert((0, example)).0 += 1;
            }
        }
    }
    eprintln!("known disagreements: {known:?}");
    let groups: Vec<String> = (groups.iter())
        .map(|(name, (count, example))| format!("{count} {name}\n    {example}"))
        .collect();
    assert!(
        groups.is_empty() || !compiler.is_tested,
        "seed {seed}: the compiler does not accept:\n{}",
        groups.join("\n")
    );
}
