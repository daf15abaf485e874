//! The table of the README: the instructions that are modelled.

use std::collections::BTreeSet;
use std::env;
use std::fs;

use genvisa::isa::{Instructions, SPEC, Spec};
use genvisa::object::{Code, Kernel};
use genvisa::{Dialect, Format, Instruction, Module};
use genvisa_interp::{FaultKind, Machine, Program, ThreadStart};
use genvisa_test_support::repository;

use crate::support::XE2;

const FORMAT: Format = Format { dialect: Dialect::Igc2026, version: Format::V4_2.version };

/// Returns instructions with an opcode: those of all sub-opcodes, with zeros or ones after
/// them.
fn instructions(spec: &Spec) -> Vec<Instruction> {
    let decoded = |next: u8, fill: u8| {
        let mut bytes = vec![fill; 512];
        (bytes[0], bytes[1]) = (spec.opcode, next);
        Instructions::new(&bytes, FORMAT).next()?.ok().map(|(_, instruction)| instruction)
    };
    let all = (0..=0xff).filter_map(|next| decoded(next, 0).or_else(|| decoded(next, 1)));
    if spec.family.is_empty() { all.take(1).collect() } else { all.collect() }
}

/// Returns whether the interpreter has a meaning for an instruction. It may refuse operands.
pub fn is_modelled(instruction: &Instruction) -> bool {
    // Version 4.2 has no bytes, but instructions of its own.
    [Format::default(), FORMAT].iter().any(|format| is_modelled_in(instruction, *format))
}

fn is_modelled_in(instruction: &Instruction, format: Format) -> bool {
    let mut kernel = Kernel::new("k");
    kernel.body.code = match Code::from_instructions([instruction], format) {
        Ok(code) => code,
        Err(_) => return false,
    };
    let mut module = Module::new(format);
    module.kernels.push(kernel);
    let Ok(program) = Program::new([&module], XE2) else { return false };
    let machine = Machine::new(&program).with_limit(4);
    let start = ThreadStart { image: vec![0; 64], mask: 1, ..ThreadStart::default() };
    let mut group = machine.group("k", [0; 3], 0, 64, [start]).expect("a kernel");
    let fault = machine.run(&mut group).err();
    !fault.is_some_and(|fault| matches!(fault.kind, FaultKind::InstructionNotModelled(_)))
}

#[test]
fn the_readme_lists_the_instructions_that_are_modelled() {
    let (mut modelled, mut refused) = (Vec::new(), Vec::new());
    for spec in SPEC {
        for instruction in instructions(spec) {
            let name = match &instruction {
                Instruction::LscUntyped(message) => format!("lsc_{}.ugm", message.op()),
                Instruction::LscTyped(message) => format!("lsc_{}.tgm", message.op()),
                other => other.mnemonic().to_owned(),
            };
            let list = if is_modelled(&instruction) { &mut modelled } else { &mut refused };
            if !list.contains(&name) {
                list.push(name);
            }
        }
    }
    refused.retain(|name| !modelled.contains(name));
    let list = |names: &[String]| {
        names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    };
    let table = format!(
        "Modelled ({}): {}.\n\nRefused by name ({}): {}.\n",
        modelled.len(),
        list(&modelled),
        refused.len(),
        list(&refused)
    );
    let path = repository("crates/interp/README.md");
    let readme = fs::read_to_string(&path).expect("a README");
    let (before, rest) = readme.split_once("<!-- modelled -->\n").expect("a mark");
    let (_, after) = rest.split_once("<!-- end -->").expect("a mark");
    let expected = format!("{before}<!-- modelled -->\n{table}<!-- end -->{after}");
    if env::var_os("GENVISA_BLESS").is_some() {
        fs::write(&path, &expected).expect("a writable file");
    } else {
        assert!(readme == expected, "run with GENVISA_BLESS=1 to write {}", path.display());
    }
    assert!(modelled.len() > 80, "{modelled:?}");
    let (_, reasons) = expected.split_once("| Instructions | Reason |").expect("a table");
    let (reasons, _) = reasons.split_once("\n\n").expect("its end");
    let explained = reasons.split('`').skip(1).step_by(2).collect::<Vec<_>>();
    assert_eq!(BTreeSet::from_iter(explained), refused.iter().map(String::as_str).collect());
}
