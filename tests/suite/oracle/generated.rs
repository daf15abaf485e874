//! Instructions and kernels of `strategy::legal`, which the verifier accepts, are accepted by IGC.

use std::collections::BTreeMap;

use genvisa::isa::Kind;
use genvisa::strategy::{Legal, legal};
use genvisa::{Format, Instruction, Module};
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::legal_lines::{divide, legal_line, module, text_of};
use genvisa_test_support::ocloc::{Ocloc, Verdict};
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::{cases, runner, seed};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::cases_4_2::{Device, device_named, first_error};
use super::seeded::classes::LINES;

/// The devices whose kernels GenX_IR compiles.
const DEVICES: [&str; 5] = ["tgllp", "dg2", "mtl", "pvc", "bmg"];

/// The number of kernels for each device.
const KERNELS: u64 = 3;

/// The devices for ocloc, without and with efficient 64-bit addressing.
const DEVICES_OF_OCLOC: [&str; 2] = ["ptl", "cri"];

/// The number of instructions for each device.
const INSTRUCTIONS: u64 = 80;

/// The number of instructions that ocloc compiles together.
const BATCH: usize = 8;

/// Disagreements in addition to [`LINES`]: a part of the instruction's text, a part of the compiler's verdict, and the reason.
const DISAGREEMENTS: &[(&str, &str, &str)] = &[
    (":vf", "refused", "the manual allows packed floats here, the compiler's verifier does not"),
    ("gather", "crashed", "the data port of newer platforms has no such message"),
    ("scatter", "crashed", "the data port of newer platforms has no such message"),
    ("media_", "crashed", "the data port of newer platforms has no such message"),
    ("typed_atomic.", "crashed", "typed messages to shared memory crash it"),
    ("typed_atomic", "refused", "the data port of newer platforms has no such message"),
    ("urb_write_3d", "crashed", "newer platforms have no such message"),
    ("sample.", "refused", "the sampler of newer platforms has no such message"),
    ("sample_unorm", "refused", "the sampler of newer platforms has no such message"),
    ("info.0000", "refused", "the empty mask has no text that the compiler reads"),
    ("dpas.", "crashed", "the code generator lacks some pairs of precisions"),
    ("(0,0)<0;1,0>[", "refused", "the compiler does not read what it writes for loads"),
    ("srnd ", "refused", "the compiler refuses some pairs of types"),
    ("call (", "signal: ", "several calls of a subroutine, or a call and a branch, crash GenX_IR"),
];

/// Returns the reason of a known disagreement.
fn known(text: &str, verdict: &str) -> Option<&'static str> {
    let mut all = DISAGREEMENTS.iter();
    let is_known = |(part, of_verdict, _): &&(&str, &str, &str)| {
        text.contains(part) && verdict.contains(of_verdict)
    };
    let mut classes = LINES.compiler_rejects.iter();
    let class = || classes.find(|(part, _)| verdict.contains(part)).map(|(_, reason)| *reason);
    all.find(is_known).map(|(_, _, reason)| *reason).or_else(class)
}

/// An instruction or a kernel that the compiler does not accept.
struct Disagreement {
    device: &'static str,
    mnemonic: &'static str,
    text: String,
    verdict: String,
}

/// Prints the known disagreements, and returns the others, one for each mnemonic.
fn unknown(all: impl IntoIterator<Item = Disagreement>) -> String {
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let mut groups: BTreeMap<(&str, &str), (usize, String)> = BTreeMap::new();
    for Disagreement { device, mnemonic, text, verdict } in all {
        match self::known(&text, &verdict) {
            Some(reason) => *known.entry(reason).or_default() += 1,
            None => {
                let example = format!("{}: {verdict}", text.trim());
                groups.entry((device, mnemonic)).or_insert((0, example)).0 += 1;
            }
        }
    }
    eprintln!("known disagreements: {known:#?}");
    let groups = (groups.iter()).map(|((device, mnemonic), (count, example))| {
        format!("{count} {device} {mnemonic}\n    {example}")
    });
    groups.collect::<Vec<_>>().join("\n")
}

/// Returns a number of legal instructions for a device, of as many opcodes as possible.
fn instructions(legal: &Legal, runner: &mut TestRunner, count: usize) -> Vec<Instruction> {
    let rows = legal.rows();
    let first = seed() as usize % rows.len();
    // Neighbours in the table are similar.
    let order = (0..).map(|number| (first + number * 7) % rows.len());
    let all = order.map(|index| rows[index].1.new_tree(runner).expect("an instruction").current());
    all.filter(|one| legal_line(legal.declarations(), one).is_some()).take(count).collect()
}

/// Asks about several instructions together. If the compiler does not accept them, divides them.
/// Returns the single instructions that are not accepted.
fn ask(
    compile: &impl Fn(&[Instruction]) -> Result<(), String>,
    batch: &[Instruction],
) -> Vec<(Instruction, String)> {
    match (compile(batch), batch) {
        (Ok(()), _) => Vec::new(),
        (Err(verdict), [single]) => vec![(*single, verdict)],
        (Err(_), batch) => {
            let (first, second) = batch.split_at(batch.len() / 2);
            let mut wrong = ask(compile, first);
            wrong.append(&mut ask(compile, second));
            wrong
        }
    }
}

#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn the_compiler_accepts_legal_instructions() {
    let compiler = Ocloc::required();
    let mut batches = Vec::new();
    for device in DEVICES_OF_OCLOC.map(device_named) {
        let legal = legal(Format::V4_2, device.platform);
        let count = cases(INSTRUCTIONS) as usize;
        let all = instructions(&legal, &mut runner(256, seed() as usize), count);
        let body = legal.declarations().clone();
        batches.extend(all.chunks(BATCH).map(|batch| (device, body.clone(), batch.to_vec())));
    }
    let wrong = parallel(&batches, |(device, body, batch)| {
        let compile = |code: &[Instruction]| {
            let (declarations, text) = divide(&text_of(&module(body, code)));
            match compiler.ask(&format!("{declarations}\n{text}"), device.name) {
                Verdict::Accepted => Ok(()),
                verdict => Err(verdict.to_string()),
            }
        };
        let wrong = ask(&compile, batch).into_iter().map(|(one, verdict)| Disagreement {
            device: device.name,
            mnemonic: one.mnemonic(),
            text: divide(&text_of(&module(body, &[one]))).1,
            verdict,
        });
        wrong.collect::<Vec<_>>()
    });
    let unknown = unknown(wrong.into_iter().flatten());
    assert!(
        unknown.is_empty() || !compiler.is_tested,
        "seed {}: the compiler does not accept:\n{unknown}",
        seed()
    );
}

/// Returns the text of a kernel for a device.
fn with_comments(text: &str, device: &Device) -> String {
    format!("{text}{}", device.comments())
}

/// Returns the parts of a kernel that the compiler does not accept: single instructions, or the kernel.
fn disagreements(
    compiler: &Compiler,
    device: &'static Device,
    module: &Module<'static>,
) -> Vec<Disagreement> {
    let name = device.platform.igc_name();
    let compile = |text: &str| compiler.compile(&with_comments(text, device), name).map(|_| ());
    let text = text_of(module);
    let Err(verdict) = compile(&text) else { return Vec::new() };
    let routine = module.routines().next().expect("a kernel");
    let code = routine.instructions().map(|one| one.expect("legal code").1);
    let code: Vec<Instruction> = code.filter(|one| one.kind() != Kind::Flow).collect();
    let with = |code: &[Instruction]| {
        let mut part = module.clone();
        let mut editor = part.edit(0).expect("legal code");
        let ret = editor.instructions.iter().find(|one| one.mnemonic() == "ret").copied();
        editor.instructions = code.iter().copied().chain(ret).collect();
        editor.body_mut().labels.clear();
        editor.finish().expect("legal code");
        text_of(&part)
    };
    let wrong = ask(&|code: &[Instruction]| compile(&with(code)), &code);
    if wrong.is_empty() {
        return vec![Disagreement { device: device.name, mnemonic: "(kernel)", text, verdict }];
    }
    let wrong = wrong.into_iter().map(|(one, verdict)| Disagreement {
        device: device.name,
        mnemonic: one.mnemonic(),
        text: divide(&with(&[one])).1,
        verdict,
    });
    wrong.collect()
}

#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14"]
fn the_compiler_accepts_legal_kernels() {
    let compiler = Compiler::required();
    let mut kernels = Vec::new();
    for device in DEVICES.map(device_named) {
        let modules = legal(Format::V4_2, device.platform).modules();
        let mut runner = runner(256, seed() as usize);
        for _ in 0..cases(KERNELS) {
            let mut module = modules.new_tree(&mut runner).expect("a module").current();
            module.kernels.truncate(1);
            let mut editor = module.edit(0).expect("legal code");
            let code = std::mem::take(&mut editor.instructions);
            let kept = code
                .into_iter()
                .filter(|one| one.kind() == Kind::Flow || legal_line(editor.body(), one).is_some());
            editor.instructions = kept.collect();
            editor.finish().expect("legal code");
            let text = with_comments(&text_of(&module), device);
            assert_eq!(first_error(&text, device), None, "{text}");
            kernels.push((device, module));
        }
    }
    let wrong = parallel(&kernels, |(device, module)| disagreements(&compiler, device, module));
    let unknown = unknown(wrong.into_iter().flatten());
    assert!(
        unknown.is_empty() || !compiler.is_tested,
        "seed {}: the compiler does not accept:\n{unknown}",
        seed()
    );
}
