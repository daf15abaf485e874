//! Tests of visiting and replacing ids: each replacement changes the bytes and can be undone.

use std::cell::Cell;

use genvisa::isa::{Id, IdClass};
use genvisa::operand::{LabelId, Pred, PredId};
use genvisa::strategy::rows;
use genvisa::{Format, Instruction};
use genvisa_test_support::formats;
use genvisa_test_support::random::cases;
use genvisa_test_support::random::runner;
use proptest::test_runner::TestCaseError;

/// Returns another id of the class that fits in the same fields. The first two are unchanged: V0 is
/// null, and P0 means no predicate.
fn other(id: Id) -> u32 {
    if id.number < 2 { id.number } else { id.number ^ 1 }
}

/// Checks the replacement of the ids of an instruction, and returns their number.
fn check(instruction: &Instruction, format: Format) -> Result<usize, TestCaseError> {
    let (mut ids, mut kept) = (Vec::new(), *instruction);
    instruction.visit_ids(|id| ids.push(id));
    kept.replace_ids(|id| id.number).expect("the same ids fit");
    proptest::prop_assert_eq!(&kept, instruction);

    let mut replaced = *instruction;
    replaced.replace_ids(other).expect("ids of the same width");
    let mut new = Vec::new();
    replaced.visit_ids(|id| new.push(id));
    let expected: Vec<Id> = ids.iter().map(|id| Id { number: other(*id), ..*id }).collect();
    proptest::prop_assert_eq!(&new, &expected);
    let bytes = |instruction: &Instruction| instruction.to_bytes(format).expect("encodable");
    proptest::prop_assert_eq!(bytes(&replaced) != bytes(instruction), ids != expected);

    replaced.replace_ids(other).expect("ids of the same width");
    proptest::prop_assert_eq!(&replaced, instruction);
    Ok(ids.len())
}

#[test]
fn replacing_ids_can_be_undone() {
    let count = Cell::new(0);
    for (salt, format) in formats::all().into_iter().enumerate() {
        for (opcode, row) in rows(format) {
            let result = runner(cases(8) as u32, salt).run(&row, |instruction| {
                count.set(count.get() + check(&instruction, format)?);
                Ok(())
            });
            result.unwrap_or_else(|error| panic!("opcode {opcode:#04x} in {format}: {error}"));
        }
    }
    assert!(count.get() > 10_000, "{}", count.get());
}

#[test]
fn replacing_returns_an_id_that_does_not_fit() {
    let pred = Pred::new(PredId(3)).expect("a small id");
    let goto = genvisa::isa::Goto { pred, label: LabelId(7), ..Default::default() };
    let mut instruction = Instruction::from(goto);
    let too_large = |class: IdClass, number| {
        move |id: Id| if id.class == class { number } else { id.number + 1 }
    };
    for (class, number) in [(IdClass::Label, 1 << 16), (IdClass::Predicate, 1 << 12)] {
        let result = instruction.replace_ids(too_large(class, number));
        assert_eq!(result, Err(Id { class, number }));
        assert_eq!(instruction, goto.into());
    }
}
