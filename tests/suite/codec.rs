//! Properties of the codec: all instructions in all formats, and random bytes.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use genvisa::isa::{Gather4Typed, Info, MediaLd, RtWrite, RtWriteMode, SPEC, Sample3d, SampleOp};
use genvisa::operand::{Imm, Slot, Vector, VectorKind, VisitorMut};
use genvisa::strategy::{Generate, rows};
use genvisa::wire::{Reader, Wire};
use genvisa::{Boundaries, ErrorKind, Format, Instruction};
use genvisa_test_support::formats;
use genvisa_test_support::random::runner;
use proptest::prelude::*;
use proptest::sample::{Index, select};

fn skipped_len(bytes: &[u8], format: Format) -> Result<usize, genvisa::Error> {
    Boundaries::new(bytes, format).next().expect("bytes").map(|boundary| boundary.len)
}

fn assert_round_trip(instruction: Instruction, format: Format) -> Result<Vec<u8>, TestCaseError> {
    let bytes = instruction.to_bytes(format).map_err(|e| TestCaseError::fail(e.to_string()))?;
    let decoded = Instruction::from_bytes(&bytes, format);
    prop_assert_eq!(decoded.as_ref(), Ok(&instruction), "{:02x?} in {}", bytes, format);
    prop_assert_eq!(skipped_len(&bytes, format), Ok(bytes.len()));
    // The fast path needs bytes after the instruction.
    let followed = [&bytes[..], &[0xff; 64]].concat();
    prop_assert_eq!(skipped_len(&followed, format), Ok(bytes.len()));
    Ok(bytes)
}

/// Every proper prefix is an error at its end.
fn assert_truncations_fail(bytes: &[u8], format: Format) -> Result<(), TestCaseError> {
    for len in 0..bytes.len() {
        let error = Instruction::from_bytes(&bytes[..len], format).expect_err("truncated");
        prop_assert_eq!(error.offset(), len, "{}", error);
        prop_assert!(matches!(error.kind(), ErrorKind::UnexpectedEof { .. }), "{}", error);
    }
    Ok(())
}

/// Replaces sources by the longest operands.
struct Longest;

impl VisitorMut for Longest {
    fn vector(&mut self, _: Slot, vector: &mut Vector) {
        *vector = Imm::df(1.5).into();
    }
}

#[test]
fn every_row_round_trips_and_rejects_truncations() {
    for (salt, format) in formats::all().into_iter().enumerate() {
        for (opcode, strategy) in rows(format) {
            runner(24, salt)
                .run(&strategy, |instruction| {
                    prop_assert_eq!(instruction.opcode(), opcode);
                    let bytes = assert_round_trip(instruction, format)?;
                    assert_truncations_fail(&bytes, format)?;
                    let mut longest = instruction;
                    longest.visit_mut(&mut Longest);
                    assert_round_trip(longest, format).map(drop)
                })
                .unwrap_or_else(|error| panic!("opcode {opcode:#04x} in {format}: {error}"));
        }
    }
}

/// Checks the strategies that other tests use.
#[test]
fn strategies_generate_every_layout() {
    let missing: BTreeSet<(u8, &str)> = SPEC
        .iter()
        .flat_map(|row| {
            let layouts = row.family.iter().map(|layout| layout.name);
            layouts.chain(row.family.is_empty().then_some(row.name)).map(|name| (row.opcode, name))
        })
        .collect();
    let missing = RefCell::new(missing);
    for format in formats::all() {
        for (opcode, strategy) in rows(format) {
            if !missing.borrow().iter().any(|(op, _)| *op == opcode) {
                continue;
            }
            let result = runner(300, 0).run(&strategy, |instruction| {
                // `Svm(Gather(Gather { .. }))` or `Barrier(Barrier)`
                let text = format!("{instruction:?}");
                let contains = |name: &str| {
                    text.contains(&format!("({name} {{")) || text.ends_with(&format!("({name})"))
                };
                missing.borrow_mut().retain(|(op, name)| *op != opcode || !contains(name));
                Ok(())
            });
            result.expect("nothing is asserted");
        }
        if missing.borrow().is_empty() {
            return;
        }
    }
    panic!("never generated: {:?}", missing.borrow());
}

/// Returns a strategy for bytes that are similar to an instruction: a known opcode and random
/// bytes.
fn instruction_like_bytes() -> impl Strategy<Value = Vec<u8>> {
    let opcode = prop_oneof![9 => select(SPEC).prop_map(|row| row.opcode), 1 => any::<u8>()];
    (opcode, proptest::collection::vec(prop_oneof![0..8u8, any::<u8>()], 0..160)).prop_map(
        |(opcode, mut rest)| {
            rest.insert(0, opcode);
            rest
        },
    )
}

/// If bytes decode, they must encode to the same bytes, and skip to the same length. Returns
/// whether they decode.
fn check_bytes(bytes: &[u8], format: Format) -> Result<bool, TestCaseError> {
    let mut r = Reader::new(bytes, format);
    let Ok(instruction) = Instruction::decode(&mut r) else {
        // Skipping may succeed, but must not panic.
        let _ = skipped_len(bytes, format);
        return Ok(false);
    };
    let used = &bytes[..r.offset()];
    let again = instruction.to_bytes(format).map_err(|e| TestCaseError::fail(e.to_string()))?;
    prop_assert_eq!(&again[..], used, "{:?}", instruction);
    prop_assert_eq!(skipped_len(bytes, format), Ok(used.len()));
    Ok(true)
}

#[test]
fn random_bytes_round_trip_or_fail() {
    let decoded = Cell::new(0);
    let strategy = (instruction_like_bytes(), select(formats::all()));
    runner(60_000, 0)
        .run(&strategy, |(bytes, format)| {
            decoded.set(decoded.get() + u32::from(check_bytes(&bytes, format)?));
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(decoded.get() > 1000, "only {} cases decoded", decoded.get());
}

#[test]
fn mutated_instructions_round_trip_or_fail() {
    let decoded = Cell::new(0);
    for (salt, format) in formats::all().into_iter().enumerate() {
        let change = (any::<Index>(), any::<u8>());
        let changes = proptest::collection::vec(change, 1..4);
        runner(1500, salt)
            .run(&(Instruction::strategy(format), changes), |(instruction, changes)| {
                let mut bytes = assert_round_trip(instruction, format)?;
                for (index, byte) in changes {
                    let at = index.index(bytes.len());
                    bytes[at] = byte;
                }
                decoded.set(decoded.get() + u32::from(check_bytes(&bytes, format)?));
                Ok(())
            })
            .unwrap_or_else(|error| panic!("{format}: {error}"));
    }
    assert!(decoded.get() > 5000, "only {} mutants decoded", decoded.get());
}

/// The features that the strategies of the five documented instructions have generated.
#[derive(Default)]
struct Generated(BTreeSet<String>);

impl Generated {
    fn record(&mut self, feature: impl Into<String>) {
        self.0.insert(feature.into());
    }

    fn record_class(&mut self, of: &str, kind: &VectorKind) {
        let class = format!("{kind:?}");
        let class = class.split([' ', '(', '{']).next().unwrap_or_default();
        self.record(format!("{of} {class}"));
    }

    fn assert_contains<S: Into<String>>(&self, all: impl IntoIterator<Item = S>) {
        let missing: Vec<String> =
            all.into_iter().map(Into::into).filter(|feature| !self.0.contains(feature)).collect();
        assert!(missing.is_empty(), "never generated: {missing:?}");
    }
}

const CLASSES: [&str; 6] = ["General", "Address", "Predicate", "Indirect", "Immediate", "State"];

fn check_round_trips<I: Generate + Into<Instruction> + Copy + std::fmt::Debug>(
    record: impl FnMut(&I, Format),
) {
    let record = RefCell::new(record);
    for (salt, format) in formats::all().into_iter().enumerate() {
        runner(400, salt)
            .run(&I::strategy(format), |instruction| {
                (record.borrow_mut())(&instruction, format);
                let bytes = assert_round_trip(instruction.into(), format)?;
                assert_truncations_fail(&bytes, format)
            })
            .unwrap_or_else(|error| panic!("{format}: {error}"));
    }
}

#[test]
fn info_round_trips_with_every_operation() {
    let mut generated = Generated::default();
    check_round_trips::<Info>(|info, format| {
        let op = info.op().name();
        generated.record(format!("{op} {}", format.dialect));
        generated.record(format!("{}", info.channels));
    });
    for dialect in genvisa::Dialect::ALL {
        generated.assert_contains([format!("resinfo {dialect}"), format!("sampleinfo {dialect}")]);
    }
    generated.assert_contains(["R", "RGBA", "0000", "GA"]);
}

#[test]
fn media_ld_round_trips_with_every_operand_class() {
    let mut generated = Generated::default();
    check_round_trips::<MediaLd>(|media, _| {
        generated.record_class("x", &media.x_offset.kind);
        generated.record_class("y", &media.y_offset.kind);
        generated.record(media.modifiers.to_string());
    });
    generated.assert_contains(CLASSES.map(|class| format!("x {class}")));
    generated.assert_contains(CLASSES.map(|class| format!("y {class}")));
    generated.assert_contains([
        "nomod",
        "modified",
        "top",
        "bottom",
        "top_mod",
        "bottom_mod",
        "0x6",
        "0x7",
    ]);
}

#[test]
fn rt_write_round_trips_with_every_combination_of_operands() {
    let mut generated = Generated::default();
    let mut modes = BTreeSet::new();
    check_round_trips::<RtWrite>(|write, _| {
        modes.insert(write.mode().bits());
        for (name, operand) in
            [("si", write.sample_index), ("cps", write.cps_counter), ("rti", write.rt_index)]
        {
            if let Some(operand) = operand {
                generated.record_class(name, &operand.kind);
            }
        }
    });
    for name in ["si", "cps", "rti"] {
        generated.assert_contains(CLASSES.map(|class| format!("{name} {class}")));
    }
    let operands = RtWriteMode::all().bits() & !RtWriteMode::from_bits_truncate(0x1680).bits();
    let combinations: BTreeSet<u16> = modes.iter().map(|mode| mode & operands).collect();
    assert_eq!(combinations.len(), 128, "all combinations of seven optional operands");
}

#[test]
fn gather4_typed_round_trips_in_both_layouts() {
    let mut generated = Generated::default();
    check_round_trips::<Gather4Typed>(|gather, format| {
        let form = if format.since(genvisa::Version::V3_2) { "long" } else { "short" };
        generated.record(format!("{form} {}", gather.channels));
        generated.record(format!("{form} predicated {}", !gather.pred.is_none()));
        generated.record(format!("{form} lod {}", !gather.lod.is_null()));
    });
    generated.assert_contains(["short 0000", "short RGBA", "long 0000", "long RGBA"]);
    generated.assert_contains(["long predicated true", "long lod true", "short predicated false"]);
}

#[test]
fn sample_3d_round_trips_with_every_operation_and_count() {
    let mut generated = Generated::default();
    check_round_trips::<Sample3d>(|sample, format| {
        generated.record(format!("{} {}", format.dialect, sample.op));
        generated.record(format!("{} {} params", format.dialect, sample.params.len()));
        generated.record_class("aoffimmi", &sample.aoffimmi.0.kind);
        generated.record(format!("{:?}", sample.flags));
        if sample.paired_surface.is_some() {
            generated.record("paired");
        }
    });
    for dialect in genvisa::Dialect::ALL {
        let is_in_dialect =
            |op: &&SampleOp| dialect != genvisa::Dialect::Manual || !op.params().is_empty();
        let ops = SampleOp::NAMED.iter().filter(is_in_dialect);
        generated.assert_contains(ops.map(|op| format!("{dialect} {op}")));
        generated.assert_contains((1..=15).map(|count| format!("{dialect} {count} params")));
    }
    generated.assert_contains(CLASSES.map(|class| format!("aoffimmi {class}")));
    generated.assert_contains(["paired", "igc2022 0 params"]);
}

/// The layout of 3D_SAMPLE in 3.6 is that of dialect `Manual`, where many texel offsets are
/// invalid.
#[test]
fn manual_rejects_reserved_texel_offset_bits() {
    let igc = Format::igc2022(genvisa::Version::V3_6);
    let (accepted, rejected) = (Cell::new(0), Cell::new(0));
    let result = runner(2000, 0).run(&Sample3d::strategy(igc), |sample| {
        let bytes = Instruction::from(sample).to_bytes(igc).expect("generated for the format");
        match Instruction::from_bytes(&bytes, Format::MANUAL) {
            Ok(Instruction::Sample3d(decoded)) => {
                let bits = decoded.aoffimmi.0.as_imm().map_or(0, |imm| imm.bits());
                prop_assert_eq!(bits & 0xf000, 0, "{:02x?}", bytes);
                accepted.set(accepted.get() + 1);
            }
            Ok(other) => prop_assert!(false, "{:?}", other),
            Err(error) => {
                let is_reserved = matches!(error.kind(), ErrorKind::ReservedBits { .. });
                rejected.set(rejected.get() + usize::from(is_reserved));
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    assert!(accepted.get() > 100 && rejected.get() > 100, "{accepted:?} {rejected:?}");
}

/// Users fill large structs with `..Default::default()`.
#[test]
fn defaults_of_all_layouts_can_be_encoded() {
    use genvisa::isa::lsc::{Access, AppendCounter, Block2d, Strided, TypedAccess, TypedBlock2d};
    let format = Format::igc2026(genvisa::Version::V4_1);
    let defaults: [Instruction; 4] = [
        Block2d::default().into(),
        AppendCounter { surface_index: 1, ..AppendCounter::default() }.into(),
        TypedBlock2d::default().into(),
        Instruction::default(),
    ];
    for instruction in defaults {
        assert!(instruction.to_bytes(format).is_ok(), "{instruction:?}");
    }
    let older = Format::default();
    let defaults: [Instruction; 3] =
        [Access::default().into(), Strided::default().into(), TypedAccess::default().into()];
    for instruction in defaults {
        assert!(instruction.to_bytes(older).is_ok(), "{instruction:?}");
    }
}

#[test]
fn instructions_convert_to_the_struct_of_their_row() {
    let info = Instruction::from(Info::default());
    assert_eq!(Info::try_from(info), Ok(Info::default()));
    assert_eq!(MediaLd::try_from(info), Err(info));
}
