//! Properties of all instructions in all formats.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use genvisa::isa::{Gather4Typed, Info, MediaLd, RtWrite, RtWriteMode, SPEC, Sample3d, SampleOp};
use genvisa::operand::VectorKind;
use genvisa::strategy::{Generate, rows};
use genvisa::wire::{Reader, Wire};
use genvisa::{Boundaries, ErrorKind, Format, Instruction};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRng, TestRunner};

use crate::formats;

/// The same cases in every run, others for every salt; `PROPTEST_CASES` asks for more.
pub fn runner(cases: u32, salt: usize) -> TestRunner {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let config =
        Config { cases: asked.unwrap_or(cases), failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(config.rng_algorithm, &[salt as u8; 32]);
    TestRunner::new_with_rng(config, rng)
}

fn skipped_len(bytes: &[u8], format: Format) -> Result<usize, genvisa::Error> {
    Boundaries::new(bytes, format).next().expect("bytes").map(|boundary| boundary.len)
}

fn survives(instruction: Instruction, format: Format) -> Result<Vec<u8>, TestCaseError> {
    let bytes = instruction.to_bytes(format).map_err(|e| TestCaseError::fail(e.to_string()))?;
    let decoded = Instruction::from_bytes(&bytes, format);
    prop_assert_eq!(decoded.as_ref(), Ok(&instruction), "{:02x?} in {}", bytes, format);
    prop_assert_eq!(skipped_len(&bytes, format), Ok(bytes.len()));
    Ok(bytes)
}

/// Every shorter prefix must end in an error right where the bytes end.
fn truncations_are_found(bytes: &[u8], format: Format) -> Result<(), TestCaseError> {
    for len in 0..bytes.len() {
        let error = Instruction::from_bytes(&bytes[..len], format).expect_err("truncated");
        prop_assert_eq!(error.offset(), len, "{}", error);
        prop_assert!(matches!(error.kind(), ErrorKind::UnexpectedEof { .. }), "{}", error);
    }
    Ok(())
}

#[test]
fn every_row_in_every_format_survives_and_its_truncations_are_found() {
    for (salt, format) in formats::all().into_iter().enumerate() {
        for (opcode, strategy) in rows(format) {
            runner(24, salt)
                .run(&strategy, |instruction| {
                    prop_assert_eq!(instruction.opcode(), opcode);
                    let bytes = survives(instruction, format)?;
                    truncations_are_found(&bytes, format)
                })
                .unwrap_or_else(|error| panic!("opcode {opcode:#04x} in {format}: {error}"));
        }
    }
}

/// The strategies above would prove little if a row or a layout were missing from them.
#[test]
fn every_layout_of_the_table_is_generated() {
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
            let result = runner(300, 0).run(&strategy, |instruction| {
                // `Svm(Gather(Gather { .. }))` or `Barrier(Barrier)`
                let text = format!("{instruction:?}");
                let shows = |name: &str| {
                    text.contains(&format!("({name} {{")) || text.ends_with(&format!("({name})"))
                };
                missing.borrow_mut().retain(|(op, name)| *op != opcode || !shows(name));
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

/// Bytes that look like an instruction: a known opcode, then anything.
fn almost_instruction() -> impl Strategy<Value = Vec<u8>> {
    let opcode = prop_oneof![9 => select(SPEC).prop_map(|row| row.opcode), 1 => any::<u8>()];
    (opcode, proptest::collection::vec(prop_oneof![0..8u8, any::<u8>()], 0..160)).prop_map(
        |(opcode, mut rest)| {
            rest.insert(0, opcode);
            rest
        },
    )
}

/// Whatever decodes must encode to the very bytes that it was decoded from, and be skipped alike.
fn exact_or_refused(bytes: &[u8], format: Format) -> Result<bool, TestCaseError> {
    let mut r = Reader::new(bytes, format);
    let Ok(instruction) = Instruction::decode(&mut r) else {
        // Skipping may go further, but not panic.
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
fn arbitrary_bytes_are_exact_or_refused() {
    let decoded = Cell::new(0);
    let strategy = (almost_instruction(), select(formats::all()));
    runner(60_000, 0)
        .run(&strategy, |(bytes, format)| {
            decoded.set(decoded.get() + u32::from(exact_or_refused(&bytes, format)?));
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(decoded.get() > 1000, "only {} cases decoded: a useless strategy", decoded.get());
}

#[test]
fn mutated_instructions_are_exact_or_refused() {
    let decoded = Cell::new(0);
    for (salt, format) in formats::all().into_iter().enumerate() {
        let change = (any::<Index>(), any::<u8>());
        let changes = proptest::collection::vec(change, 1..4);
        runner(1500, salt)
            .run(&(Instruction::strategy(format), changes), |(instruction, changes)| {
                let mut bytes = survives(instruction, format)?;
                for (index, byte) in changes {
                    let at = index.index(bytes.len());
                    bytes[at] = byte;
                }
                decoded.set(decoded.get() + u32::from(exact_or_refused(&bytes, format)?));
                Ok(())
            })
            .unwrap_or_else(|error| panic!("{format}: {error}"));
    }
    assert!(decoded.get() > 5000, "only {} mutants decoded", decoded.get());
}

/// What the strategies of the five documented instructions have produced.
#[derive(Default)]
struct Seen(BTreeSet<String>);

impl Seen {
    fn note(&mut self, what: impl Into<String>) {
        self.0.insert(what.into());
    }

    fn class(&mut self, of: &str, kind: &VectorKind) {
        let class = format!("{kind:?}");
        let class = class.split([' ', '(', '{']).next().unwrap_or_default();
        self.note(format!("{of} {class}"));
    }

    fn must_have<S: Into<String>>(&self, all: impl IntoIterator<Item = S>) {
        let missing: Vec<String> =
            all.into_iter().map(Into::into).filter(|what| !self.0.contains(what)).collect();
        assert!(missing.is_empty(), "never generated: {missing:?}");
    }
}

const CLASSES: [&str; 6] = ["General", "Address", "Predicate", "Indirect", "Immediate", "State"];

fn check<I: Generate + Into<Instruction> + Copy + std::fmt::Debug>(look: impl FnMut(&I, Format)) {
    let look = RefCell::new(look);
    for (salt, format) in formats::all().into_iter().enumerate() {
        runner(400, salt)
            .run(&I::strategy(format), |instruction| {
                (look.borrow_mut())(&instruction, format);
                let bytes = survives(instruction.into(), format)?;
                truncations_are_found(&bytes, format)
            })
            .unwrap_or_else(|error| panic!("{format}: {error}"));
    }
}

#[test]
fn info_survives_with_every_operation() {
    let mut seen = Seen::default();
    check::<Info>(|info, format| {
        let op = info.op().name();
        seen.note(format!("{op} {}", format.dialect));
        seen.note(format!("{}", info.channels));
    });
    for dialect in genvisa::Dialect::ALL {
        seen.must_have([format!("resinfo {dialect}"), format!("sampleinfo {dialect}")]);
    }
    seen.must_have(["R", "RGBA", "0000", "GA"]);
}

#[test]
fn media_ld_survives_with_every_operand_class() {
    let mut seen = Seen::default();
    check::<MediaLd>(|media, _| {
        seen.class("x", &media.x_offset.kind);
        seen.class("y", &media.y_offset.kind);
        seen.note(media.modifiers.to_string());
    });
    seen.must_have(CLASSES.map(|class| format!("x {class}")));
    seen.must_have(CLASSES.map(|class| format!("y {class}")));
    seen.must_have(["nomod", "modified", "top", "bottom", "top_mod", "bottom_mod", "0x6", "0x7"]);
}

#[test]
fn rt_write_survives_with_every_combination_of_operands() {
    let mut seen = Seen::default();
    let mut modes = BTreeSet::new();
    check::<RtWrite>(|write, _| {
        modes.insert(write.mode().bits());
        for (name, operand) in
            [("si", write.sample_index), ("cps", write.cps_counter), ("rti", write.rt_index)]
        {
            if let Some(operand) = operand {
                seen.class(name, &operand.kind);
            }
        }
    });
    for name in ["si", "cps", "rti"] {
        seen.must_have(CLASSES.map(|class| format!("{name} {class}")));
    }
    let operands = RtWriteMode::all().bits() & !RtWriteMode::from_bits_truncate(0x1680).bits();
    let combinations: BTreeSet<u16> = modes.iter().map(|mode| mode & operands).collect();
    assert_eq!(combinations.len(), 128, "seven optional operands, present or not");
}

#[test]
fn gather4_typed_survives_in_both_forms() {
    let mut seen = Seen::default();
    check::<Gather4Typed>(|gather, format| {
        let form = if format.since(genvisa::Version::V3_2) { "long" } else { "short" };
        seen.note(format!("{form} {}", gather.channels));
        seen.note(format!("{form} predicated {}", !gather.pred.is_none()));
        seen.note(format!("{form} lod {}", !gather.lod.is_null()));
    });
    seen.must_have(["short 0000", "short RGBA", "long 0000", "long RGBA"]);
    seen.must_have(["long predicated true", "long lod true", "short predicated false"]);
}

#[test]
fn sample_3d_survives_with_every_operation_and_count() {
    let mut seen = Seen::default();
    check::<Sample3d>(|sample, format| {
        seen.note(format!("{} {}", format.dialect, sample.op));
        seen.note(format!("{} {} params", format.dialect, sample.params.len()));
        seen.class("aoffimmi", &sample.aoffimmi.0.kind);
        seen.note(format!("{:?}", sample.flags));
        if sample.paired_surface.is_some() {
            seen.note("paired");
        }
    });
    for dialect in genvisa::Dialect::ALL {
        seen.must_have(SampleOp::NAMED.iter().map(|op| format!("{dialect} {op}")));
        seen.must_have((1..=15).map(|count| format!("{dialect} {count} params")));
    }
    seen.must_have(CLASSES.map(|class| format!("aoffimmi {class}")));
    seen.must_have(["paired", "igc2022 0 params"]);
}

/// Bytes of 3.6 for 3D_SAMPLE have the layout of the manual; many of them have reserved bits.
#[test]
fn what_decodes_in_manual_has_no_reserved_texel_offset_bits() {
    let igc = Format::igc2022(genvisa::Version::V3_6);
    let (accepted, refused) = (Cell::new(0), Cell::new(0));
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
                refused.set(refused.get() + usize::from(is_reserved));
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    assert!(accepted.get() > 100 && refused.get() > 100, "{accepted:?} {refused:?}");
}

/// `..Default::default()` is how large structs are filled: what it gives must be encodable.
#[test]
fn the_default_of_every_layout_can_be_encoded() {
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
