//! `SPEC` is true: decoding traces the fields that it lists, in its order, under its names.

use std::collections::BTreeSet;

use genvisa::isa::{FieldSpec, RtWriteMode, SPEC, SampleOp, Spec};
use genvisa::strategy::rows;
use genvisa::wire::{FieldRecorder, Reader, TracedField, Wire};
use genvisa::{Dialect, ErrorKind, Format, Instruction, Version};
use proptest::test_runner::TestCaseError;

use super::cases;
use crate::codec::runner;
use crate::formats;

/// Returns whether a condition that depends on the format alone holds; `None` for other conditions.
fn holds(condition: &str, format: Format) -> Option<bool> {
    let is = |dialect| format.dialect == dialect;
    let since = |version: &str| {
        let version: Version = version.trim_start_matches('V').replace('_', ".").parse().ok()?;
        Some(format.since(version))
    };
    // What follows the comma says what the field is where it is absent.
    let (condition, _) = condition.split_once(',').unwrap_or((condition, ""));
    match condition.split(' ').collect::<Vec<_>>()[..] {
        ["manual"] => Some(is(Dialect::Manual)),
        ["not", "manual"] => Some(!is(Dialect::Manual)),
        ["igc2026"] => Some(is(Dialect::Igc2026)),
        ["since", version] => since(version),
        ["before", version] => since(version).map(|since| !since),
        ["igc2026", "since", version] => Some(is(Dialect::Igc2026) && since(version)?),
        _ => None,
    }
}

/// The fields of an instruction that have been traced, and its bytes.
struct Traced<'b> {
    bytes: &'b [u8],
    notes: Vec<TracedField>,
}

impl Traced<'_> {
    fn field(&self, name: &str) -> &TracedField {
        let field = self.notes.iter().find(|note| note.name == name);
        field.unwrap_or_else(|| panic!("a condition names {name}, which is no field"))
    }

    fn number(&self, name: &str) -> usize {
        let bytes = self.field(name).bytes_of(self.bytes);
        bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
    }

    /// Returns how often a field is there.
    fn count(&self, field: &FieldSpec, format: Format) -> usize {
        let Some(condition) = field.when else { return 1 };
        if let Some(holds) = holds(condition, format) {
            return holds.into();
        }
        match condition.split(' ').collect::<Vec<_>>()[..] {
            ["times", name] | ["times", name, "named", "op"] => self.number(name),
            ["if", name, "is", value] => {
                usize::from(self.field(name).value == value.to_lowercase())
            }
            ["if", name, "has", flag] => {
                let flag = RtWriteMode::from_name(flag).expect("a flag of RT_WRITE");
                usize::from(self.number(name) & usize::from(flag.bits()) != 0)
            }
            _ => panic!("an unknown condition: {condition}"),
        }
    }

    /// Returns the names that the trace gives to the instances of a field.
    fn names(&self, field: &FieldSpec, format: Format) -> Vec<&'static str> {
        // The items of the list `params` are called `param`.
        let is_list = field.when.is_some_and(|condition| condition.starts_with("times"));
        let name = if is_list { &field.name[..field.name.len() - 1] } else { field.name };
        let mut names = vec![name; self.count(field, format)];
        if field.when.is_some_and(|condition| condition.ends_with("named op")) {
            let wide = !format.is_manual() && format.version >= Version::V4_0;
            let bits = self.number("op") as u8 & if wide { 0xff } else { 0x1f };
            let op = SampleOp::from_bits(bits).expect("any code is an operation");
            for (name, param) in names.iter_mut().zip(op.params()) {
                *name = param.name();
            }
        }
        names
    }
}

/// How many bytes a type takes, if always as many.
fn size(ty: &str) -> Option<usize> {
    match ty {
        "u8" | "Exec" | "SurfaceId" | "SamplerId" | "ChannelMask" | "Inverted" | "ExecOf8" => {
            Some(1)
        }
        "u16" | "Pred" | "LabelId" | "ShortStringId" | "RtWriteMode" => Some(2),
        "u32" | "i32" => Some(4),
        _ => None,
    }
}

/// Returns the layout of an instruction: its name and its fields, and how many fields before them
/// select it.
fn layout(
    spec: &'static Spec,
    bytes: &[u8],
    format: Format,
) -> Result<(&'static str, &'static [FieldSpec], usize), TestCaseError> {
    if spec.family.is_empty() {
        return Ok((spec.name, spec.fields, 1));
    }
    let newest = format.dialect == Dialect::Igc2026;
    let mut layouts = spec.family.iter().filter(|layout| {
        layout.sub_opcodes.contains(&bytes[1])
            || newest && layout.newer_sub_opcodes.contains(&bytes[1])
    });
    let (Some(layout), None) = (layouts.next(), layouts.next()) else {
        let error = format!("not one layout of {} has the sub-opcode {}", spec.name, bytes[1]);
        return Err(TestCaseError::fail(error));
    };
    // The sub-opcode of LSC is a field of the layouts, `op`.
    let is_field = layout.fields.first().is_some_and(|field| field.ty == "LscOp");
    Ok((layout.name, layout.fields, if is_field { 1 } else { 2 }))
}

/// What has been seen: fields with a condition, there or not, and sub-opcodes.
#[derive(Default)]
struct Seen {
    instructions: usize,
    fields: BTreeSet<(u8, &'static str, usize, bool)>,
    sub_opcodes: BTreeSet<(u8, u8)>,
}

impl Seen {
    /// Compares the trace of an instruction with its row.
    fn check(&mut self, instruction: &Instruction, format: Format) -> Result<(), TestCaseError> {
        let bytes = instruction.to_bytes(format).expect("generated for this format");
        let mut notes = FieldRecorder::default();
        let mut r = Reader::traced(&bytes, 0, format, &mut notes);
        Instruction::decode(&mut r).expect("it was encoded");
        let mut notes = notes.take();
        notes.retain(|note| note.depth == 0);
        let spec = instruction.spec();
        let (name, fields, head) = layout(spec, &bytes, format)?;
        let shown = format!("{instruction:?}");
        let is_named =
            shown.contains(&format!("({name} {{")) || shown.ends_with(&format!("({name})"));
        let traced = Traced { bytes: &bytes, notes };
        let mut expected = vec!["opcode", "sub_opcode"];
        expected.truncate(head);
        for (index, field) in fields.iter().enumerate() {
            let names = traced.names(field, format);
            if field.when.is_some() {
                self.fields.insert((spec.opcode, name, index, !names.is_empty()));
            }
            for position in expected.len()..expected.len() + names.len() {
                let found = traced.notes.get(position).and_then(|note| note.len);
                if size(field.ty).is_some_and(|size| found != Some(size)) {
                    let error = format!("{name}, {}: {found:?} bytes", field.name);
                    return Err(TestCaseError::fail(error));
                }
            }
            expected.extend(names);
        }
        let found: Vec<&str> = traced.notes.iter().map(|note| note.name.as_str()).collect();
        if found != expected || !is_named {
            let error = format!("{shown}\n   trace: {found:?}\n    SPEC: {name} {expected:?}");
            return Err(TestCaseError::fail(error));
        }
        let mut end = 0;
        for note in &traced.notes {
            if note.offset != end {
                return Err(TestCaseError::fail(format!("{shown}: a gap before {}", note.name)));
            }
            end += note.len.unwrap_or_default();
        }
        if end != bytes.len() {
            return Err(TestCaseError::fail(format!("{shown}: bytes without a field")));
        }
        self.sub_opcodes.extend((!spec.family.is_empty()).then(|| (spec.opcode, bytes[1])));
        self.instructions += 1;
        Ok(())
    }

    /// Returns what no instruction showed: sub-opcodes, and fields with a condition, which must have
    /// been both there and missing.
    fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        for spec in SPEC {
            let whole = spec.family.is_empty().then_some((spec.name, spec.fields));
            let layouts = spec.family.iter().map(|layout| (layout.name, layout.fields));
            for (name, fields) in whole.into_iter().chain(layouts) {
                for (index, field) in fields.iter().enumerate() {
                    let Some(condition) = field.when else { continue };
                    let states = match condition {
                        // The row exists in one dialect, or the count is never 0.
                        "times num_labels" => &[true][..],
                        _ => &[true, false],
                    };
                    for state in states {
                        if !self.fields.contains(&(spec.opcode, name, index, *state)) {
                            missing.push(format!("{name}.{}: there: {state}", field.name));
                        }
                    }
                }
            }
            for layout in spec.family {
                for op in layout.sub_opcodes.iter().chain(layout.newer_sub_opcodes) {
                    if !self.sub_opcodes.contains(&(spec.opcode, *op)) {
                        missing.push(format!("{}: sub-opcode {op:#x}", layout.name));
                    }
                }
            }
        }
        missing
    }
}

#[test]
fn decoding_traces_the_fields_that_spec_lists() {
    let seen = std::cell::RefCell::new(Seen::default());
    for (salt, format) in formats::all().into_iter().enumerate() {
        for (opcode, row) in rows(format) {
            let spec = Instruction::spec_of(opcode).expect("it has a strategy");
            // Families have many layouts, and sampler messages many operations.
            let count =
                if spec.family.is_empty() { 12 } else { 12 + 12 * spec.family.len() as u64 };
            let result = runner(cases(count) as u32, salt)
                .run(&row, |instruction| seen.borrow_mut().check(&instruction, format));
            result.unwrap_or_else(|error| panic!("opcode {opcode:#04x} in {format}: {error}"));
        }
    }
    let seen = seen.into_inner();
    eprintln!("{} instructions, {} sub-opcodes", seen.instructions, seen.sub_opcodes.len());
    let missing = seen.missing();
    assert!(missing.is_empty(), "never seen:\n{}", missing.join("\n"));
}

/// Bytes that select a layout which a format lacks do not decode there.
#[test]
fn formats_have_the_rows_and_layouts_that_spec_gives_them() {
    for format in formats::all() {
        for spec in SPEC {
            let decode = |head: &[u8]| {
                let mut bytes = head.to_vec();
                bytes.resize(256, 0);
                Instruction::decode(&mut Reader::new(&bytes, format)).err()
            };
            let exists = spec.dialects.includes(format);
            let refused = decode(&[spec.opcode])
                .is_some_and(|error| matches!(error.kind(), ErrorKind::NotInFormat { .. }));
            assert_eq!(refused, !exists, "{} in {format}", spec.name);
            if spec.family.is_empty() || !exists {
                continue;
            }
            let newest = format.dialect == Dialect::Igc2026;
            for op in 0..=u8::MAX {
                let is_listed = spec.family.iter().any(|layout| {
                    layout.sub_opcodes.contains(&op)
                        || newest && layout.newer_sub_opcodes.contains(&op)
                });
                let unknown = decode(&[spec.opcode, op]).is_some_and(|error| {
                    matches!(error.kind(), ErrorKind::UnknownSubOpcode { .. })
                });
                assert_eq!(unknown, !is_listed, "{} {op:#x} in {format}", spec.name);
            }
        }
    }
}
