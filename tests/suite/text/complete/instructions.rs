//! Different instructions have different texts.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};

use genvisa::isa::{Addc, AddrAdd, Faddr};
use genvisa::object::{Align, Kernel, LabelKind, Module};
use genvisa::operand::{
    AddrId, AddrWidth, DataType, Dst, ExecSize, Modifier, Pred, Region, ShortStringId, Stride,
    VarId, Vector,
};
use genvisa::strategy::rows;
use genvisa::text::{LineNames, LinePrinter};
use genvisa::{Format, Instruction, Version};
use genvisa_test_support::random::runner;
use proptest::prelude::*;
use proptest::sample::Index;

use super::complete_text::instructions_with_complete_text;
use super::{FORMATS, flipped};
use crate::text::has_bytes;

/// Creates a kernel without code. Operands may refer to its declarations or to undeclared ids.
fn tables(format: Format) -> Module<'static> {
    let mut kernel = Kernel::new("kernel");
    let body = &mut kernel.body;
    let types = [DataType::UD, DataType::UB, DataType::DF, DataType::HF, DataType::UQ];
    for (ty, id) in types.into_iter().cycle().zip(VarId::FIRST_DECLARED.0..56) {
        body.add_variable(&format!("v{id}"), ty, 64, Align::GRF);
    }
    for name in ["block", "", "block"] {
        body.add_label(name, LabelKind::BLOCK).expect("few labels");
    }
    body.add_label("composable", LabelKind::FC).expect("few labels");
    body.add_label("routine", LabelKind::SUBROUTINE).expect("few labels");
    for name in ["x", "", "x", "y"] {
        body.add_predicate(name, 32).expect("few predicates");
        body.add_address(name, 16).expect("few addresses");
        body.add_sampler(name).expect("few samplers");
        body.add_surface(name).expect("few surfaces");
    }
    let mut module = Module::new(format);
    module.kernels.push(kernel);
    module
}

#[test]
fn different_instructions_have_different_texts() {
    let compared = Cell::new(0);
    let mut losses = Vec::new();
    for (salt, format) in FORMATS.into_iter().enumerate() {
        let module = tables(format);
        let names = LineNames::new(&module.kernels[0].body, format);
        let lines = RefCell::new(LinePrinter::new(&names, format));
        let print = |instruction: &Instruction| lines.borrow_mut().instruction(instruction, format);
        let texts_differ = |(a, bytes, text): &(Instruction, Vec<u8>, String), b: &Instruction| {
            let others = b.to_bytes(format).expect("it was decoded or generated");
            if *bytes == others {
                return Ok(());
            }
            compared.set(compared.get() + 1);
            prop_assert_ne!(text, &print(b), "\n{:?}\n{:?}", a, b);
            Ok(())
        };
        for (opcode, strategy) in rows(format) {
            let bits = proptest::collection::vec(any::<Index>(), 12);
            let result =
                runner(12, salt).run(&(strategy.clone(), strategy, bits), |(a, b, bits)| {
                    let bytes = a.to_bytes(format).expect("it was generated for the format");
                    let text = print(&a);
                    let a = (a, bytes, text);
                    texts_differ(&a, &b)?;
                    for bit in bits {
                        let mutant = flipped(&a.1, bit.index(8 * a.1.len()));
                        if let Ok(mutant) = Instruction::from_bytes(&mutant, format) {
                            texts_differ(&a, &mutant)?;
                        }
                    }
                    Ok(())
                });
            losses.extend(result.err().map(|error| format!("{opcode:#04x} in {format}: {error}")));
        }
    }
    assert!(losses.is_empty(), "{} losses\n{}", losses.len(), losses.join("\n"));
    assert!(compared.get() > 20_000, "only {} pairs: too few to be useful", compared.get());
}

/// Flips bits one after the other, while the text is complete without an annotation.
#[test]
fn text_without_annotations_is_complete() {
    let (mut complete_texts, mut losses) = (0, Vec::new());
    for (salt, format) in FORMATS.into_iter().enumerate() {
        let mut runner = runner(50, salt);
        let steps = runner.config().cases;
        let module = tables(format);
        let names = LineNames::new(&module.kernels[0].body, format);
        let mut lines = LinePrinter::new(&names, format);
        let mut texts: HashMap<String, Vec<u8>> = HashMap::new();
        // Returns whether the text is complete. Then no other instruction may have the same text.
        let mut is_complete = |instruction: &Instruction, bytes: &[u8]| {
            let text = lines.instruction(instruction, format);
            if has_bytes(&text) {
                return false;
            }
            complete_texts += 1;
            let other = texts.entry(text).or_insert_with(|| bytes.to_vec());
            if other != bytes {
                let both = [other, bytes].map(|b| Instruction::from_bytes(b, format));
                losses.push(format!("{format}: {both:#?}"));
            }
            true
        };
        let mut complete_rows = BTreeSet::new();
        for instruction in instructions_with_complete_text(format) {
            let mut bytes = instruction.to_bytes(format).expect("others were filtered out");
            if is_complete(&instruction, &bytes) {
                complete_rows.insert(instruction.opcode());
            }
            for _ in 0..steps {
                let mutant = flipped(&bytes, runner.rng().next_u32() as usize % (8 * bytes.len()));
                let decoded = Instruction::from_bytes(&mutant, format);
                if decoded.is_ok_and(|instruction| is_complete(&instruction, &mutant)) {
                    bytes = mutant;
                }
            }
        }
        let all: BTreeSet<u8> = rows(format).into_iter().map(|(opcode, _)| opcode).collect();
        assert_eq!(complete_rows, all, "{format}: rows with a complete text");
    }
    assert!(losses.is_empty(), "{} losses\n{}", losses.len(), losses.join("\n"));
    assert!(complete_texts > 20_000, "only {complete_texts} texts: too few to be useful");
}

/// Regression test of pairs that had the same text in earlier versions.
#[test]
fn distinguishes_saturation_and_regions() {
    let format = Format::igc2022(Version::V3_6);
    let (exec, pred) = (ExecSize::S8.into(), Pred::NONE);
    let (x, region) = (VarId(32), Region::dst(Stride::S1));
    let [unsaturated, saturated] = [Modifier::NONE, Modifier::SAT]
        .map(|modifier| Dst(Vector::general(x, region).with_modifier(modifier)));
    let src0 = Vector::scalar(x);
    let addc = |dst, carry| Addc { exec, pred, dst, carry, src0, src1: src0 }.into();
    let faddr = |dst| Faddr { func_id: ShortStringId(1), dst }.into();
    // Not declared, so that the offset is not printed in bytes.
    let undeclared = Vector::scalar(VarId(99));
    let address_of = |src: Vector| {
        let dst = Dst(Vector::address(AddrId(0), 0, AddrWidth::W8));
        AddrAdd { exec, dst, src0: src.into(), src1: src0 }.into()
    };
    let row = Vector::general(VarId(99), Region::new(Stride::S8, Stride::S8, Stride::S1));
    let pairs: [[Instruction; 2]; 5] = [
        [addc(unsaturated, unsaturated), addc(unsaturated, saturated)],
        [addc(saturated, unsaturated), addc(saturated, saturated)],
        [faddr(unsaturated), faddr(saturated)],
        [address_of(undeclared), address_of(row)],
        [address_of(undeclared), address_of(undeclared.with_modifier(Modifier::NEG))],
    ];
    let module = tables(format);
    let names = LineNames::new(&module.kernels[0].body, format);
    let mut lines = LinePrinter::new(&names, format);
    for pair in pairs {
        let [a, b] = pair.map(|instruction| lines.instruction(&instruction, format));
        assert_ne!(a, b);
    }
}
