//! Instructions of every row of the table that the verifier accepts are accepted by today's compiler.
//!
//! The instructions are random. Most random instructions are illegal, so a local search replaces
//! their fields one by one, as long as the verifier does not report more errors.

mod legal;

use std::collections::BTreeMap;

use genvisa::isa::Kind;
use genvisa::text::{Listing, parse};
use genvisa::{Format, Instruction, Module};

use self::legal::{Search, declarations};
use super::cases_4_2::{Device, device_named};
use super::differential::code::InstructionKind;
use super::differential::{number_from, rng::Rng};
use super::ocloc::{Ocloc, Verdict};
use super::today::parallel;

/// The devices, without and with efficient 64-bit addressing.
const DEVICES: [&str; 2] = ["bmg", "cri"];

/// The number of instructions for each device.
const COUNT: u64 = 80;

/// The number of instructions that are compiled together.
const BATCH: usize = 8;

/// Disagreements with reasons: the start of the instruction's text after the predicate, a part of
/// the compiler's verdict, and the reason.
const DISAGREEMENTS: [(&str, &str, &str); 0] = [];

/// Returns the reason why instructions of a kind are not compiled.
fn excluded(kind: InstructionKind) -> Option<&'static str> {
    if kind.spec.kind == Kind::Flow {
        return Some("it changes which code is reached");
    }
    match kind.spec.mnemonic {
        "file" | "loc" | "lifetime" => Some("it is not an instruction of the machine"),
        _ => None,
    }
}

/// An instruction and its text.
struct Generated {
    device: &'static Device,
    text: String,
}

/// Returns the declarations and the instructions of a module as text.
fn text_of(module: &Module<'_>) -> (String, String) {
    let routine = module.routines().next().expect("a kernel");
    let text = Listing::new(routine).with_numbers(false).to_text().expect("legal code");
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("//"));
    let (statements, code): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with('.'));
    let declarations = statements.into_iter().filter(|line| line.starts_with(".decl"));
    (declarations.collect::<Vec<_>>().join("\n"), code.join("\n"))
}

/// Returns legal instructions of as many kinds for a device.
fn generate(device: &'static Device, rng: &mut Rng, count: usize) -> Vec<Generated> {
    let mut search = Search::new(device.platform, rng.fork());
    let kinds = InstructionKind::all(Format::V4_2).filter(|kind| excluded(*kind).is_none());
    let mut kinds: Vec<InstructionKind> = kinds.collect();
    rng.shuffle(&mut kinds);
    let mut missing: BTreeMap<&str, usize> = BTreeMap::new();
    let mut generated = Vec::new();
    for kind in kinds.iter().cycle().take(4 * kinds.len()) {
        if generated.len() == count {
            break;
        }
        match search.legal(*kind) {
            Some(instruction) => {
                let (_, text) = text_of(&search.module(&[instruction]));
                generated.push(Generated { device, text });
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
    let mut rng = Rng::new(seed, 5);
    let mut generated = Vec::new();
    for device in DEVICES.map(device_named) {
        generated.push(generate(device, &mut rng, count as usize));
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
        let bare = text.trim();
        let bare =
            bare.split_once(") ").filter(|_| bare.starts_with('(')).map_or(bare, |(_, rest)| rest);
        let is_known = |(start, part, _): &&(&str, &str, &str)| {
            bare.starts_with(start) && verdict.contains(part)
        };
        match DISAGREEMENTS.iter().find(is_known) {
            Some((start, ..)) => *known.entry(start).or_default() += 1,
            None => {
                let mnemonic = bare.split([' ', '.']).next().unwrap_or_default();
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

/// Text of generated instructions is parsed to the same instructions.
#[test]
fn legal_instructions_survive_text() {
    let mut rng = Rng::new(number_from("GENVISA_PROPERTY_SEED", 0x5eed), 6);
    for device in DEVICES.map(device_named) {
        let mut search = Search::new(device.platform, rng.fork());
        for kind in InstructionKind::all(Format::V4_2).filter(|kind| excluded(*kind).is_none()) {
            let Some(instruction) = search.legal(kind) else { continue };
            let module = search.module(&[instruction]);
            let text = Listing::new(module.routines().next().expect("a kernel")).to_text();
            let text = text.expect("legal code");
            let again = parse(&text, Format::V4_2);
            assert_eq!(again.as_ref(), Ok(&module), "{text}");
        }
    }
}
