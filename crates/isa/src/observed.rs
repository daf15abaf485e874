//! What the instruction table does not state: lengths, values and bits, observed by decoding instructions that differ in
//! a byte.

use std::collections::BTreeMap;

use genvisa::isa::FieldSpec;
use genvisa::operand::{Imm, Pred, Vector};
use genvisa::wire::{TracedField, Wire, Writer};
use genvisa::{Dialect, Format};
use serde::Serialize;

use crate::row::{Row, When, decode, field, format_name, formats, is_number, rows};

/// A condition about another field.
#[derive(Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(inline))]
pub struct Condition {
    field: &'static str,
    /// The bits of the field that are compared.
    mask: u32,
    /// Their value.
    value: u32,
}

/// The type of a field.
#[derive(Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(inline))]
pub struct Type {
    /// The number of bytes in each format, of an element of a list; null for a vector operand, see `vector_operands`.
    bytes: Option<BTreeMap<String, usize>>,
    /// The values of a byte that are not only numbers.
    values: Vec<Code>,
}

/// A value of a byte.
#[derive(Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(inline))]
pub struct Code {
    /// The byte.
    pub value: u8,
    /// The value as `genvisa explain` prints it.
    pub text: String,
    /// What it means; empty if the name says it.
    pub meaning: String,
}

/// How vector operands are encoded: the low three bits of the first byte are the class.
#[derive(Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(inline))]
pub struct VectorOperands {
    class_mask: u8,
    /// The number of bytes of each class in each format. For immediates, the type is in the second byte.
    classes: BTreeMap<u8, BTreeMap<String, usize>>,
    /// The class of immediates.
    immediate_class: u8,
    /// The number of bytes of an immediate with a type.
    immediates: BTreeMap<u8, usize>,
}

/// Returns the field of an instruction in which some bytes are replaced. Fields that follow may become longer.
fn field_with(
    bytes: &[u8],
    offset: usize,
    replaced: &[u8],
    name: &str,
    format: Format,
) -> Option<TracedField> {
    const LONGER: usize = 64;
    let mut bytes = bytes.to_vec();
    bytes.resize(bytes.len() + LONGER, 0);
    bytes.get_mut(offset..offset + replaced.len())?.copy_from_slice(replaced);
    field(&decode(&bytes, format).ok()?.1, name).cloned()
}

/// Returns the bytes of the instruction of zeros, and a field of it.
fn field_of_zeros(row: &Row, name: &str, format: Format) -> Option<(Vec<u8>, TracedField)> {
    let bytes = row.zeros(format)?;
    let field = field_with(&bytes, 0, &[], name, format)?;
    Some((bytes, field))
}

impl Condition {
    /// Returns the bits of a field for a flag or a value that `explain` prints with a name.
    pub fn observe(row: &Row, name: &'static str, word: &str) -> Option<Condition> {
        let (bytes, zero) = field_of_zeros(row, name, row.format)?;
        let width = zero.len?;
        let has_word = |value: u32| {
            let replaced = &value.to_le_bytes()[..width];
            let field = field_with(&bytes, zero.offset, replaced, name, row.format);
            let texts = field.map(|field| [field.meaning, field.value]).unwrap_or_default();
            let mut words =
                texts.iter().flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric()));
            words.any(|it| it.eq_ignore_ascii_case(word))
        };
        // Flags are in words, values in bytes.
        let (mask, value) = match width {
            1 => (u32::from(u8::MAX), (0..=u32::from(u8::MAX)).find(|value| has_word(*value))?),
            _ => {
                let flag = (0..8 * width).map(|bit| 1 << bit).find(|flag| has_word(*flag))?;
                (flag, flag)
            }
        };
        Some(Condition { field: name, mask, value })
    }
}

impl Type {
    /// Observes the lengths and values of a type in a field that has it.
    pub fn observe(row: &Row, spec: &FieldSpec) -> Type {
        let place = field_of_zeros(row, spec.name, row.format);
        let place = place.as_ref().map(|(bytes, field)| (&**bytes, field));
        if place.is_some_and(|(bytes, field)| is_vector(bytes, field, row.format)) {
            return Type { bytes: None, values: Vec::new() };
        }
        Type { bytes: Some(lengths(row, spec)), values: codes(row, spec) }
    }
}

/// Returns the values of a field of one byte that are not only numbers.
fn codes(row: &Row, spec: &FieldSpec) -> Vec<Code> {
    let Some((bytes, zero)) = field_of_zeros(row, spec.name, row.format) else { return Vec::new() };
    if zero.len != Some(1) {
        return Vec::new();
    }
    let named = (0..=u8::MAX).filter_map(|value| {
        let field = field_with(&bytes, zero.offset, &[value], spec.name, row.format)?;
        // Flags may be in the same byte.
        let stated = spec.values.iter().find(|one| one.name == field.value);
        let meaning = stated.map_or(field.meaning.clone(), |one| summary(one.meaning));
        (!is_number(&field, value)).then_some(Code { value, text: field.value.clone(), meaning })
    });
    named.collect()
}

/// Returns the first paragraph of a documentation in one line.
pub fn summary(doc: &str) -> String {
    // Links to items of the library have no address here.
    let doc = doc.replace("[`", "`").replace("`]", "`");
    let paragraph = doc.trim().split("\n\n").next().unwrap_or_default();
    paragraph.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the number of bytes of a field of zeros in each format that has it. A list has one element.
fn lengths(row: &Row, spec: &FieldSpec) -> BTreeMap<String, usize> {
    let is_list = When::of(spec).times.is_some();
    let length = |format: Format| {
        let bytes = row.with_elements(u8::from(is_list), format)?;
        let (_, traced) = decode(&bytes, format).ok()?;
        let length = match field(&traced, spec.name) {
            Some(field) => field.len?,
            // The elements may have names of their own.
            None if is_list => traced.iter().rfind(|field| field.depth == 0)?.len?,
            None => return None,
        };
        Some((format_name(format), length))
    };
    formats().filter_map(length).collect()
}

/// Returns the class in the first byte of a vector operand.
fn class_of(operand: Vector) -> u8 {
    let mut writer = Writer::new(Format::default());
    // These operands have a binary form.
    let _ = operand.encode(&mut writer);
    writer.bytes().first().copied().unwrap_or_default() & Vector::CLASS
}

/// Returns whether the class in the first byte of a field determines its length.
fn is_vector(bytes: &[u8], zero: &TracedField, format: Format) -> bool {
    let predicate = [class_of(Vector::predicate(Pred::NONE))];
    let changed = field_with(bytes, zero.offset, &predicate, &zero.name, format);
    zero.len != Some(1) && changed.is_some_and(|changed| changed.len != zero.len)
}

impl VectorOperands {
    /// Observes a source: vector operands are encoded the same way in all instructions.
    pub fn observe() -> VectorOperands {
        let rows = rows();
        let name = "src0";
        let has_source = |row: &&Row| row.fields().iter().any(|field| field.name == name);
        let row = rows.iter().find(has_source).unwrap_or(&rows[0]);
        let immediate_class = class_of(Vector::imm(Imm::ud(0)));
        let length = |start: &[u8], format: Format| {
            let (bytes, zero) = field_of_zeros(row, name, format)?;
            field_with(&bytes, zero.offset, start, name, format)?.len
        };
        let igc = || formats().filter(|format| format.dialect != Dialect::Manual);
        let of_class = |class: u8| {
            let lengths = igc().filter_map(|it| Some((format_name(it), length(&[class], it)?)));
            (class, lengths.collect::<BTreeMap<_, _>>())
        };
        let classes = (0..=Vector::CLASS).map(of_class).filter(|(_, lengths)| !lengths.is_empty());
        let immediate = |ty: u8| Some((ty, length(&[immediate_class, ty], row.format)?));
        VectorOperands {
            class_mask: Vector::CLASS,
            classes: classes.collect(),
            immediate_class,
            immediates: (0..=u8::MAX).filter_map(immediate).collect(),
        }
    }
}
