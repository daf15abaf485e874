//! Tests of `SPEC`: decoding traces the fields that it lists, in the same order and with the same
//! names.

use std::collections::BTreeSet;

use genvisa::isa::{FieldSpec, RtWriteMode, SPEC, SampleOp, SamplerOp, Spec, SubSpec};
use genvisa::strategy::rows;
use genvisa::wire::{FieldRecorder, Reader, TracedField, Wire};
use genvisa::{Dialect, ErrorKind, Format, Instruction, Version};
use genvisa_test_support::formats;
use genvisa_test_support::random::cases;
use genvisa_test_support::random::runner;
use proptest::test_runner::TestCaseError;

/// Returns whether a condition on the format is met, or `None` for other conditions.
fn is_met(condition: &str, format: Format) -> Option<bool> {
    let is = |dialect| format.dialect == dialect;
    let since = |version: &str| {
        let version: Version = version.trim_start_matches('V').replace('_', ".").parse().ok()?;
        Some(format.since(version))
    };
    // The text after the comma is the value of the field if it is absent.
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

/// The bytes and the traced fields of an instruction.
struct Trace<'b> {
    bytes: &'b [u8],
    fields: Vec<TracedField>,
}

impl Trace<'_> {
    fn field(&self, name: &str) -> &TracedField {
        let field = self.fields.iter().find(|field| field.name == name);
        field.unwrap_or_else(|| panic!("unknown field in a condition: {name}"))
    }

    fn number(&self, name: &str) -> usize {
        let bytes = self.field(name).bytes_of(self.bytes);
        bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
    }

    /// Returns the number of instances of a field.
    fn count(&self, field: &FieldSpec, format: Format) -> usize {
        let Some(condition) = field.when else { return 1 };
        if let Some(is_met) = is_met(condition, format) {
            return is_met.into();
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

    /// Returns the names of the instances of a field in the trace.
    fn names(&self, field: &FieldSpec, format: Format) -> Vec<&'static str> {
        // The items of the list `params` are traced as `param`.
        let is_list = field.when.is_some_and(|condition| condition.starts_with("times"));
        let name = if is_list { &field.name[..field.name.len() - 1] } else { field.name };
        let mut names = vec![name; self.count(field, format)];
        if field.when.is_some_and(|condition| condition.ends_with("named op")) {
            let is_wide = !format.is_manual() && format.version >= Version::V4_0;
            let bits = self.number("op") as u8 & if is_wide { 0xff } else { 0x1f };
            // The opcode of 3D_SAMPLE.
            let params = match self.bytes[0] {
                0x6d => SampleOp::from_bits(bits).map(SampleOp::params),
                _ => SamplerOp::from_bits(bits).map(SamplerOp::params),
            };
            let params = params.expect("any code is an operation");
            for (name, param) in names.iter_mut().zip(params) {
                *name = param.name();
            }
        }
        names
    }
}

/// Returns the size of a type in bytes, unless it varies.
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

/// Returns the layouts that a sub-opcode selects.
fn layouts_of(spec: &'static Spec, op: u8, format: Format) -> Vec<&'static SubSpec> {
    let is_newer = format.dialect == Dialect::Igc2026;
    let newest = |layout: &&SubSpec| layout.newest_sub_opcodes.contains(&op);
    if format == Format::V4_2 && spec.family.iter().any(|layout| newest(&layout)) {
        return spec.family.iter().filter(newest).collect();
    }
    let selects = |layout: &&SubSpec| {
        layout.sub_opcodes.contains(&op) || is_newer && layout.newer_sub_opcodes.contains(&op)
    };
    spec.family.iter().filter(selects).collect()
}

/// Returns the layout of an instruction: its name, its fields, and the number of fields before
/// them, which select the layout.
fn layout(
    spec: &'static Spec,
    bytes: &[u8],
    format: Format,
) -> Result<(&'static str, &'static [FieldSpec], usize), TestCaseError> {
    if spec.family.is_empty() {
        return Ok((spec.name, spec.fields, 1));
    }
    let layouts = layouts_of(spec, bytes[1], format);
    let [layout] = layouts[..] else {
        let error = format!("not one layout of {} has the sub-opcode {}", spec.name, bytes[1]);
        return Err(TestCaseError::fail(error));
    };
    // The sub-opcode of LSC is a field of the layouts, `op`.
    let is_field = layout.fields.first().is_some_and(|field| field.ty == "LscOp");
    Ok((layout.name, layout.fields, if is_field { 1 } else { 2 }))
}

/// Returns the name of a field whose parts, if there are any, are not all of its bytes in order. Parts may
/// be bits of the same bytes.
fn field_with_other_parts(fields: &[TracedField]) -> Option<&str> {
    let is_complete = |index: usize| {
        let field = &fields[index];
        let end = field.offset + field.len?;
        let nested = fields[index + 1..].iter().take_while(|nested| nested.depth > field.depth);
        let mut parts = nested.filter(|nested| nested.depth == field.depth + 1).peekable();
        parts.peek()?;
        let (mut start, mut at) = (field.offset, field.offset);
        for part in parts {
            if part.offset != at && part.offset != start {
                return Some(false);
            }
            (start, at) = (part.offset, part.offset + part.len?);
        }
        Some(at == end)
    };
    let index = (0..fields.len()).find(|index| is_complete(*index) == Some(false))?;
    Some(&fields[index].name)
}

/// The layouts and conditional fields of the instructions that have been checked.
#[derive(Default)]
struct Coverage {
    instructions: usize,
    /// Fields with a condition, by opcode, layout and index, and whether they exist.
    fields: BTreeSet<(u8, &'static str, usize, bool)>,
    sub_opcodes: BTreeSet<(u8, u8)>,
}

impl Coverage {
    /// Compares the trace of an instruction with its row.
    fn check(&mut self, instruction: &Instruction, format: Format) -> Result<(), TestCaseError> {
        let bytes = instruction.to_bytes(format).expect("generated for this format");
        let mut recorder = FieldRecorder::default();
        let mut r = Reader::traced(&bytes, 0, format, &mut recorder);
        Instruction::decode(&mut r).expect("it was encoded");
        let all = recorder.take();
        let mut traced_fields = all.clone();
        traced_fields.retain(|field| field.depth == 0);
        let spec = instruction.spec();
        let (name, fields, head) = layout(spec, &bytes, format)?;
        let debug = format!("{instruction:?}");
        let is_named =
            debug.contains(&format!("({name} {{")) || debug.ends_with(&format!("({name})"));
        let trace = Trace { bytes: &bytes, fields: traced_fields };
        let mut expected = vec!["opcode", "sub_opcode"];
        expected.truncate(head);
        for (index, field) in fields.iter().enumerate() {
            let names = trace.names(field, format);
            if field.when.is_some() {
                self.fields.insert((spec.opcode, name, index, !names.is_empty()));
            }
            for position in expected.len()..expected.len() + names.len() {
                let found = trace.fields.get(position).and_then(|field| field.len);
                if size(field.ty).is_some_and(|size| found != Some(size)) {
                    let error = format!("{name}, {}: {found:?} bytes", field.name);
                    return Err(TestCaseError::fail(error));
                }
            }
            expected.extend(names);
        }
        let found: Vec<&str> = trace.fields.iter().map(|field| field.name.as_str()).collect();
        if found != expected || !is_named {
            let error = format!("{debug}\n   trace: {found:?}\n    SPEC: {name} {expected:?}");
            return Err(TestCaseError::fail(error));
        }
        let mut end = 0;
        for field in &trace.fields {
            if field.offset != end {
                return Err(TestCaseError::fail(format!("{debug}: a gap before {}", field.name)));
            }
            end += field.len.unwrap_or_default();
        }
        if end != bytes.len() {
            return Err(TestCaseError::fail(format!("{debug}: bytes without a field")));
        }
        if let Some(name) = field_with_other_parts(&all) {
            return Err(TestCaseError::fail(format!(
                "{debug}: the parts of {name} are not its bytes"
            )));
        }
        self.sub_opcodes.extend((!spec.family.is_empty()).then(|| (spec.opcode, bytes[1])));
        self.instructions += 1;
        Ok(())
    }

    /// Returns the sub-opcodes and fields that no instruction had. A field with a condition must
    /// have been both present and absent.
    fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        for spec in SPEC {
            let single = spec.family.is_empty().then_some((spec.name, spec.fields));
            let layouts = spec.family.iter().map(|layout| (layout.name, layout.fields));
            for (name, fields) in single.into_iter().chain(layouts) {
                for (index, field) in fields.iter().enumerate() {
                    let Some(condition) = field.when else { continue };
                    let states = match condition {
                        // The count is never 0.
                        "times num_labels" => &[true][..],
                        _ => &[true, false],
                    };
                    for state in states {
                        if !self.fields.contains(&(spec.opcode, name, index, *state)) {
                            missing.push(format!("{name}.{}: present: {state}", field.name));
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
    let coverage = std::cell::RefCell::new(Coverage::default());
    for (salt, format) in formats::all().into_iter().enumerate() {
        for (opcode, row) in rows(format) {
            let spec = Instruction::spec_of(opcode).expect("it has a strategy");
            // Families have many layouts, and sampler messages many operations.
            let count =
                if spec.family.is_empty() { 12 } else { 12 + 12 * spec.family.len() as u64 };
            let result = runner(cases(count) as u32, salt)
                .run(&row, |instruction| coverage.borrow_mut().check(&instruction, format));
            result.unwrap_or_else(|error| panic!("opcode {opcode:#04x} in {format}: {error}"));
        }
    }
    let coverage = coverage.into_inner();
    let (instructions, sub_opcodes) = (coverage.instructions, coverage.sub_opcodes.len());
    eprintln!("{instructions} instructions, {sub_opcodes} sub-opcodes");
    let missing = coverage.missing();
    assert!(missing.is_empty(), "not covered:\n{}", missing.join("\n"));
}

/// Bytes of a layout that a format lacks are not decoded in that format.
#[test]
fn formats_have_the_rows_and_layouts_of_spec() {
    for format in formats::all() {
        for spec in SPEC {
            let decode = |head: &[u8]| {
                let mut bytes = head.to_vec();
                bytes.resize(256, 0);
                Instruction::decode(&mut Reader::new(&bytes, format)).err()
            };
            let exists = spec.dialects.includes(format);
            let is_rejected = decode(&[spec.opcode]).is_some_and(|error| {
                matches!(
                    error.kind(),
                    ErrorKind::NotInFormat { .. } | ErrorKind::NoBinaryForm { .. }
                )
            });
            assert_eq!(is_rejected, !exists, "{} in {format}", spec.name);
            if spec.family.is_empty() || !exists {
                continue;
            }
            for op in 0..=u8::MAX {
                let is_listed = !layouts_of(spec, op, format).is_empty();
                let is_unknown = decode(&[spec.opcode, op]).is_some_and(|error| {
                    matches!(error.kind(), ErrorKind::UnknownSubOpcode { .. })
                });
                assert_eq!(is_unknown, !is_listed, "{} {op:#x} in {format}", spec.name);
            }
        }
    }
}
