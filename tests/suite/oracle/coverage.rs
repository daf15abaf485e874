//! A test that the topics contain every row of the instruction table.

use std::collections::BTreeSet;

use genvisa::isa::{Dialects, SPEC};
use genvisa::{Format, Instruction, Version};

const NO_OPERANDS: &str = "GenX_IR prints it without its operands";

/// Rows that no topic has: the mnemonic, the sub-opcodes of a family, and the reason.
///
/// Rows of dialect `Igc2026` and of 4.2 are not listed: GenX_IR does not support them.
const EXCLUDED: [(&str, &[u8], &str); 2] = [
    // CCS_UPDATE
    ("lsc_untyped", &[0x1d], NO_OPERANDS),
    ("lsc_typed", &[0x1d], NO_OPERANDS),
];

/// The mnemonic of a row, and in a family a sub-opcode.
type Key = (&'static str, Option<u8>);

fn keys(mnemonic: &'static str, sub_opcodes: &[u8]) -> Vec<Key> {
    match sub_opcodes {
        [] => vec![(mnemonic, None)],
        ops => ops.iter().map(|op| (mnemonic, Some(*op))).collect(),
    }
}

fn key(instruction: &Instruction) -> Key {
    let spec = instruction.spec();
    let bytes = instruction.to_bytes(Format::igc2022(Version::V3_6)).expect("encodable rows");
    let sub_opcode = (!spec.family.is_empty()).then(|| bytes[1]);
    (spec.mnemonic, sub_opcode)
}

#[test]
fn topics_contain_every_row() {
    let rows = super::all_rows(Version::V3_6);
    let tested: BTreeSet<Key> = rows.iter().map(|row| key(&row.instruction)).collect();
    let mut untested = BTreeSet::new();
    let is_supported = |dialects| matches!(dialects, Dialects::Everywhere | Dialects::Igc);
    for spec in SPEC.iter().filter(|spec| is_supported(spec.dialects)) {
        let sub_opcodes: Vec<u8> =
            spec.family.iter().flat_map(|layout| layout.sub_opcodes).copied().collect();
        untested.extend(keys(spec.mnemonic, &sub_opcodes));
    }
    untested.retain(|key| !tested.contains(key));
    for (mnemonic, sub_opcodes, reason) in EXCLUDED {
        for key in keys(mnemonic, sub_opcodes) {
            assert!(
                untested.remove(&key),
                "{key:?} is excluded ({reason}), but is tested or does not exist"
            );
        }
    }
    assert!(untested.is_empty(), "neither tested nor excluded: {untested:?}");
}
