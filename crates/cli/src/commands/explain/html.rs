//! Explanations as a page: one HTML file that shows bytes and fields side by side.
//!
//! The page contains its data as JSON, in elements that its script decodes:
//!
//! - `#data`: the file as a whole. `bytes` is a list of offsets and bytes in base64, and `groups` are
//!   the parts of the file.
//! - `#strings`: the distinct strings.
//! - `#facts`: six numbers for each distinct field: the indices of its name, value and meaning, the
//!   number of fields that it is nested in, 1 more than its length (0 if an error ended it), and its
//!   gap.
//! - `#group-N`: group N. `fields` and `code` are lists of indices of facts, in the order of their
//!   offsets; in `code`, those that are not nested are instructions, with the lines `texts`.
//!
//! The offset of a field is the end of the field before it, plus its gap; a field with nested fields
//! ends at its start in this respect. So there is one small number for each field, and a group is
//! decoded when it is opened.

mod document;

use std::collections::HashMap;
use std::fmt::Display;
use std::path::Path;

use genvisa::Format;
use genvisa::object::Routine;
use genvisa::wire::TracedField;

use super::sink::{Decoded, Sink};
use crate::modules::lines::{lines, with_ids};
use crate::output::Output;
use crate::words::{count, printable, shortened};

/// The largest number of characters of a line of an instruction.
const MAX_LINE: usize = 400;

/// A page that explains bytes.
pub struct Page<'f> {
    name: String,
    file: &'f [u8],
    /// Whether all bytes are explained, and not only one routine.
    is_whole: bool,
    format: Option<Format>,
    strings: Strings,
    facts: Facts,
    groups: Vec<Group>,
    /// The lines of the following instructions, if the routine has names.
    lines: Option<std::vec::IntoIter<String>>,
    errors: Vec<String>,
}

/// The indices of interned strings.
#[derive(Default)]
struct Strings(HashMap<String, u32>);

impl Strings {
    fn index(&mut self, text: &str) -> u32 {
        // Fast path: most texts repeat. One with control characters is never a key, because keys are
        // escaped.
        if let Some(index) = self.0.get(text) {
            return *index;
        }
        let next = self.0.len() as u32;
        let text = printable(text);
        *self.0.entry(text).or_insert(next)
    }
}

/// The indices of distinct fields.
type Facts = HashMap<Fact, u32>;

/// What `#facts` contains about a field. The numbers fit: files have less than 4 GB.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Fact {
    name: u32,
    value: u32,
    meaning: u32,
    depth: u32,
    /// `None` if an error ended it.
    len: Option<u32>,
    gap: i64,
}

/// What a part of the file is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Header,
    Routine,
    /// Bare instructions.
    Code,
    /// A GEN binary or padding.
    Opaque,
    /// Bytes after an error.
    Unread,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Header => "header",
            Kind::Routine => "routine",
            Kind::Code => "code",
            Kind::Opaque => "opaque",
            Kind::Unread => "unread",
        }
    }
}

/// A part of the file.
struct Group {
    title: String,
    kind: Kind,
    offset: usize,
    end: usize,
    /// The offset of the next field if its gap is 0.
    position: usize,
    fields: Vec<u32>,
    code: Vec<u32>,
    texts: Vec<String>,
}

impl Group {
    fn new(title: &str, kind: Kind, offset: usize, end: usize) -> Group {
        Group {
            title: printable(title),
            kind,
            offset,
            end,
            position: offset,
            fields: Vec::new(),
            code: Vec::new(),
            texts: Vec::new(),
        }
    }
}

impl<'f> Page<'f> {
    pub fn new(name: &str, file: &'f [u8], is_whole: bool) -> Page<'f> {
        Page {
            name: printable(name),
            file,
            is_whole,
            format: None,
            strings: Strings::default(),
            facts: Facts::default(),
            groups: Vec::new(),
            lines: None,
            errors: Vec::new(),
        }
    }

    pub fn set_format(&mut self, format: Format) {
        self.format = Some(format);
    }

    /// Writes the page to a file, or to standard output for `-`. Reports the errors of the
    /// explanation.
    pub fn write(mut self, path: &Path, out: &mut Output) -> anyhow::Result<()> {
        self.add_unread();
        self.groups.sort_by_key(|group| group.offset);
        let page = document::print(&self);
        crate::page::write(&page, path, out)?;
        for error in &self.errors {
            out.report_error(error)?;
        }
        Ok(())
    }

    /// Adds groups for the bytes that follow an error.
    fn add_unread(&mut self) {
        if !self.is_whole {
            return;
        }
        let mut ranges: Vec<(usize, usize)> =
            self.groups.iter().map(|group| (group.offset, group.end)).collect();
        ranges.push((self.file.len(), self.file.len()));
        ranges.sort_unstable();
        let mut at = 0;
        for (start, end) in ranges {
            if at < start {
                let title = format!("not decoded: {}", count(start - at, "byte"));
                self.groups.push(Group::new(&title, Kind::Unread, at, start));
            }
            at = at.max(end);
        }
    }

    /// Returns the ranges of the bytes in the page.
    fn ranges(&self) -> Vec<(usize, usize)> {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        // Sorted by their offsets.
        for group in self.groups.iter().filter(|group| group.offset < group.end) {
            match ranges.last_mut() {
                Some((_, end)) if group.offset <= *end => *end = group.end.max(*end),
                _ => ranges.push((group.offset, group.end)),
            }
        }
        ranges
    }

    /// Adds fields to the last group, and to its code for an instruction with these fields.
    fn add(&mut self, instruction: Option<TracedField>, fields: &[TracedField]) {
        let Some(group) = self.groups.last_mut() else { return };
        let depth = usize::from(instruction.is_some());
        let mut list = Vec::with_capacity(fields.len() + depth);
        let mut add = |field: &TracedField, depth: usize, has_parts: bool| {
            let fact = Fact {
                name: self.strings.index(&field.name),
                value: self.strings.index(&field.value),
                meaning: self.strings.index(&field.meaning),
                depth: depth as u32,
                len: field.len.map(|len| len as u32),
                gap: field.offset as i64 - group.position as i64,
            };
            let next = self.facts.len() as u32;
            list.push(*self.facts.entry(fact).or_insert(next));
            let end = field.offset + field.len.unwrap_or_default();
            group.position = if has_parts { field.offset } else { end };
            group.end = group.end.max(end);
        };
        if let Some(instruction) = &instruction {
            add(instruction, 0, !fields.is_empty());
        }
        for (i, field) in fields.iter().enumerate() {
            let has_parts = fields.get(i + 1).is_some_and(|next| next.depth > field.depth);
            add(field, field.depth + depth, has_parts);
        }
        match instruction {
            Some(_) => group.code.append(&mut list),
            None => group.fields.append(&mut list),
        }
    }
}

impl Sink for Page<'_> {
    fn heading(&mut self, name: &str, offset: usize) -> anyhow::Result<()> {
        // Names of routines begin with their kind.
        let kind = match name {
            "header" => Kind::Header,
            "instructions" => Kind::Code,
            _ => Kind::Routine,
        };
        self.groups.push(Group::new(name, kind, offset, offset));
        Ok(())
    }

    fn fields(&mut self, fields: &[TracedField]) -> anyhow::Result<()> {
        self.add(None, fields);
        Ok(())
    }

    fn code(&mut self, routine: &Routine<'_, '_>) {
        self.lines = lines(*routine, MAX_LINE).map(Vec::into_iter);
    }

    fn instruction(&mut self, decoded: &Decoded<'_>) -> anyhow::Result<()> {
        let Decoded { mnemonic, offset, len, fields, instruction, .. } = *decoded;
        let name = if mnemonic.is_empty() { "unknown" } else { mnemonic };
        let mut row = TracedField::default();
        (row.name, row.offset, row.len) = (name.into(), offset, len);
        self.add(Some(row), fields);
        let text = match (&mut self.lines, len) {
            (Some(lines), Some(_)) => lines.next(),
            (None, Some(_)) => Some(shortened(&with_ids(instruction), MAX_LINE)),
            (_, None) => None,
        };
        if let Some(group) = self.groups.last_mut() {
            group.texts.push(text.unwrap_or_else(|| name.into()));
        }
        Ok(())
    }

    fn remark(&mut self, text: &str) -> anyhow::Result<()> {
        let mut row = TracedField::default();
        let position = self.groups.last().map_or(0, |group| group.position);
        (row.name, row.offset, row.len) = (text.into(), position, Some(0));
        self.add(None, &[row]);
        Ok(())
    }

    fn opaque(&mut self, text: &str, bytes: &[u8]) -> anyhow::Result<()> {
        if let Some(offset) = offset_in(self.file, bytes) {
            self.groups.push(Group::new(text, Kind::Opaque, offset, offset + bytes.len()));
        }
        Ok(())
    }

    fn error(&mut self, message: &dyn Display) -> anyhow::Result<()> {
        self.errors.push(message.to_string());
        Ok(())
    }
}

/// Returns the offset of a part of a file. The part must be a slice of it; empty parts have none.
pub fn offset_in(file: &[u8], part: &[u8]) -> Option<usize> {
    let offset = part.as_ptr().addr().checked_sub(file.as_ptr().addr())?;
    let is_inside = !part.is_empty() && offset.checked_add(part.len())? <= file.len();
    is_inside.then_some(offset)
}
