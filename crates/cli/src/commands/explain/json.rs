//! Explanations as JSON.
//!
//! The fields of a file need many times its memory, so the JSON is written while the file is read.

use std::fmt::Display;

use genvisa::Format;
use genvisa::object::Routine;
use genvisa::wire::TracedField;
use serde_json::{Value, json};

use crate::output::Output;
use super::html::offset_in;
use super::sink::{Decoded, Sink};

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
            self.out.write_raw(head.as_bytes())?;
        }
        Ok(self.out.write_raw(text.as_bytes())?)
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
    fn add(&mut self, element: &Value) -> anyhow::Result<()> {
        let separator = if self.has_element { ",\n" } else { "\n" };
        self.has_element = true;
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
        self.add(&json!({
            "index": index,
            "mnemonic": Some(mnemonic).filter(|name| !name.is_empty()),
            "offset": offset,
            "size": len,
            "fields": tree(fields),
        }))
    }

    fn remark(&mut self, text: &str) -> anyhow::Result<()> {
        self.add(&json!({
            "name": text,
            "offset": null,
            "size": null,
            "value": "",
            "meaning": "",
            "fields": [],
        }))
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
fn tree(fields: &[TracedField]) -> Vec<Value> {
    let mut roots: Vec<Value> = Vec::new();
    // The fields that may have more nested fields, the outermost first.
    let mut open: Vec<(usize, Value)> = Vec::new();
    let mut close = |open: &mut Vec<(usize, Value)>| {
        let Some((_, field)) = open.pop() else { return };
        match open.last_mut() {
            Some((_, parent)) => {
                if let Some(Value::Array(fields)) = parent.get_mut("fields") {
                    fields.push(field);
                }
            }
            None => roots.push(field),
        }
    };
    for field in fields {
        while open.last().is_some_and(|(depth, _)| *depth >= field.depth) {
            close(&mut open);
        }
        let value = json!({
            "name": field.name,
            "offset": field.offset,
            "size": field.len,
            "value": field.value,
            "meaning": field.meaning,
            "fields": [],
        });
        open.push((field.depth, value));
    }
    while !open.is_empty() {
        close(&mut open);
    }
    roots
}
