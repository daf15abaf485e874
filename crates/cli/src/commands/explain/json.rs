//! Explanations as JSON.
//!
//! The fields of a file need many times its memory, so the JSON is written while the file is read.

use std::fmt::Display;
use std::iter::Peekable;
use std::slice;

use genvisa::Format;
use genvisa::object::Routine;
use genvisa::wire::TracedField;
use serde::Serialize;
use serde_json::json;

use super::html::offset_in;
use super::sink::{Decoded, Sink};
use crate::output::Output;
use crate::output::definitions::{InstructionIndex, Offset, Size};

// The file is written piece by piece: only the schema has types for it and its groups.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "it is in the schema")]
pub struct ExplainedFile<'f> {
    /// Null for --hex.
    file: Option<crate::output::definitions::File<'f>>,
    size: Size,
    groups: Vec<Group<'f>>,
    /// Null if the file cannot be read.
    version: Option<crate::output::definitions::Version>,
    dialect: Option<crate::output::definitions::Dialect>,
    errors: Vec<String>,
}

/// The header, a routine, or a part that is not decoded.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "it is in the schema")]
struct Group<'f> {
    name: &'f str,
    offset: Option<Offset>,
    /// The size of a part that is not decoded.
    size: Option<Size>,
    fields: Vec<Field<'f>>,
    instructions: Vec<Instruction<'f>>,
}

// The members are in alphabetical order, as in all JSON that the tool prints.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Instruction<'f> {
    fields: Vec<Field<'f>>,
    index: InstructionIndex,
    /// Null if the opcode is unknown.
    mnemonic: Option<&'static str>,
    offset: Offset,
    /// Null if an error ended the instruction.
    size: Option<Size>,
}

/// A field with the fields that are nested in it.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "field"))]
struct Field<'f> {
    fields: Vec<Field<'f>>,
    meaning: &'f str,
    name: &'f str,
    offset: Option<Offset>,
    /// Null if an error ended the field.
    size: Option<Size>,
    /// Empty for a group of fields.
    value: &'f str,
}

/// Writes an explanation to standard output as a list with one object. Its `groups` are the header, the
/// routines and the parts that are not decoded; each has `fields` and `instructions`.
pub struct Json<'f, 'o> {
    file: &'f [u8],
    out: &'o mut Output,
    /// The start of the JSON, until something follows it. An error may come first.
    head: Option<String>,
    /// The list of the current group that has been begun and not ended.
    list: Option<List>,
    /// Whether the current list, or the list of groups, has an element.
    has_element: bool,
    errors: Vec<String>,
}

/// A list of a group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    Fields,
    Instructions,
}

impl<'f, 'o> Json<'f, 'o> {
    /// Begins the JSON. `name` is the name of the file, if the bytes are from one.
    pub fn new(name: Option<&str>, file: &'f [u8], out: &'o mut Output) -> Self {
        let (name, size) = (json!(name), file.len());
        let head = Some(format!("[{{\"file\":{name},\"size\":{size},\"groups\":["));
        Json { file, out, head, list: None, has_element: false, errors: Vec::new() }
    }

    /// Ends the JSON and reports the errors of the explanation. `format` is the format of the bytes, if
    /// it is known.
    pub fn end(mut self, format: Option<Format>) -> anyhow::Result<()> {
        self.end_group()?;
        let version = format.map(|format| format.version.to_string());
        let dialect = format.map(|format| format.dialect.name());
        let (version, dialect, errors) = (json!(version), json!(dialect), json!(self.errors));
        self.write(&format!(
            "\n],\"version\":{version},\"dialect\":{dialect},\"errors\":{errors}}}]\n"
        ))?;
        for error in &self.errors {
            self.out.report_error(error)?;
        }
        Ok(())
    }

    fn write(&mut self, text: &str) -> anyhow::Result<()> {
        if let Some(head) = self.head.take() {
            self.out.write_inert(&head)?;
        }
        Ok(self.out.write_inert(text)?)
    }

    /// Ends the current group, if there is one.
    fn end_group(&mut self) -> anyhow::Result<()> {
        match self.list.take() {
            None => Ok(()),
            Some(List::Fields) => {
                self.has_element = true;
                self.write("],\"instructions\":[]}")
            }
            Some(List::Instructions) => {
                self.has_element = true;
                self.write("]}")
            }
        }
    }

    fn begin_group(
        &mut self,
        name: &str,
        offset: Option<usize>,
        size: Option<usize>,
    ) -> anyhow::Result<()> {
        self.end_group()?;
        let separator = if self.has_element { "," } else { "" };
        let (name, offset, size) = (json!(name), json!(offset), json!(size));
        self.write(&format!(
            "{separator}\n{{\"name\":{name},\"offset\":{offset},\"size\":{size},\"fields\":["
        ))?;
        self.list = Some(List::Fields);
        self.has_element = false;
        Ok(())
    }

    /// Adds an element to the current list.
    fn add(&mut self, element: &impl Serialize) -> anyhow::Result<()> {
        let separator = if self.has_element { ",\n" } else { "\n" };
        self.has_element = true;
        let element = serde_json::to_string(element)?;
        self.write(&format!("{separator}{element}"))
    }

    /// Begins the list of instructions of the current group.
    fn begin_instructions(&mut self) -> anyhow::Result<()> {
        if self.list == Some(List::Fields) {
            self.list = Some(List::Instructions);
            self.has_element = false;
            self.write("],\"instructions\":[")?;
        }
        Ok(())
    }
}

impl Sink for Json<'_, '_> {
    fn heading(&mut self, name: &str, offset: usize) -> anyhow::Result<()> {
        self.begin_group(name, Some(offset), None)
    }

    fn fields(&mut self, fields: &[TracedField]) -> anyhow::Result<()> {
        tree(fields).iter().try_for_each(|field| self.add(field))
    }

    fn code(&mut self, _: &Routine<'_, '_>) {}

    fn instruction(&mut self, decoded: &Decoded<'_>) -> anyhow::Result<()> {
        self.begin_instructions()?;
        let Decoded { index, mnemonic, offset, len, fields, .. } = *decoded;
        self.add(&Instruction {
            fields: tree(fields),
            index: InstructionIndex(index),
            mnemonic: Some(mnemonic).filter(|name| !name.is_empty()),
            offset: Offset(offset),
            size: len.map(|len| Size(len as u64)),
        })
    }

    fn remark(&mut self, text: &str) -> anyhow::Result<()> {
        self.add(&Field { name: text, ..Field::default() })
    }

    fn opaque(&mut self, text: &str, bytes: &[u8]) -> anyhow::Result<()> {
        self.begin_group(text, offset_in(self.file, bytes), Some(bytes.len()))
    }

    fn error(&mut self, message: &dyn Display) -> anyhow::Result<()> {
        self.errors.push(message.to_string());
        Ok(())
    }
}

/// Returns fields as trees: each has the following fields of a larger depth.
fn tree(fields: &[TracedField]) -> Vec<Field<'_>> {
    nested(&mut fields.iter().peekable(), None)
}

/// Returns the trees of the next fields that are nested in a field of this depth.
fn nested<'f>(
    fields: &mut Peekable<slice::Iter<'f, TracedField>>,
    depth: Option<usize>,
) -> Vec<Field<'f>> {
    let mut trees = Vec::new();
    while let Some(field) = fields.next_if(|field| depth.is_none_or(|depth| field.depth > depth)) {
        trees.push(Field {
            fields: nested(fields, Some(field.depth)),
            meaning: &field.meaning,
            name: &field.name,
            offset: Some(Offset(field.offset)),
            size: field.len.map(|len| Size(len as u64)),
            value: &field.value,
        });
    }
    trees
}
