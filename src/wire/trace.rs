//! Traces, which record the fields that a reader decodes.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::{Describe, Reference};
use crate::format::Format;

/// A value with a text, for traces.
///
/// The text is the output of `Display`. Vector and raw operands have no `Display` without feature
/// `text`; then it is the output of `Debug`.
pub trait AsText {
    /// Returns the value as text.
    fn as_text(&self) -> String;
}

impl<T: fmt::Display> AsText for T {
    fn as_text(&self) -> String {
        self.to_string()
    }
}

/// Receives the fields that a [`Reader`](super::Reader) decodes.
///
/// `()` is the trace that ignores them; its calls are removed at compile time.
pub trait Trace {
    /// Whether the trace uses the fields that it receives.
    const ENABLED: bool;

    /// Called at the start of a field. Fields that follow before its end are nested in it.
    fn enter(&mut self, name: &str, offset: usize);

    /// Called at the end of the innermost open field, with its value. The text of a group of fields
    /// is empty.
    fn leave(&mut self, offset: usize, value: &dyn Describe, format: Format);
}

impl Trace for () {
    const ENABLED: bool = false;

    #[inline(always)]
    fn enter(&mut self, _: &str, _: usize) {}

    #[inline(always)]
    fn leave(&mut self, _: usize, _: &dyn Describe, _: Format) {}
}

/// A decoded field, with its position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TracedField {
    /// The number of fields that it is nested in.
    pub depth: usize,
    /// The name of the field.
    pub name: String,
    /// The absolute offset of its first byte.
    pub offset: usize,
    /// The length in bytes; `None` if an error occurred in the field.
    pub len: Option<usize>,
    /// The value as text; empty for a group of fields.
    pub value: String,
    /// An explanation of the value; may be empty.
    pub meaning: String,
    /// The string or label that the value refers to.
    pub reference: Option<Reference>,
}

impl TracedField {
    /// Returns the bytes of the field. `all` are the bytes that offsets count from.
    pub fn bytes_of<'a>(&self, all: &'a [u8]) -> &'a [u8] {
        let rest = all.get(self.offset..).unwrap_or_default();
        self.len.and_then(|len| rest.get(..len)).unwrap_or_default()
    }
}

/// A [`Trace`] that records all fields in the order of their bytes.
///
/// ```
/// use genvisa::wire::{FieldRecorder, Reader, Wire};
/// use genvisa::{Format, Instruction};
///
/// let code = [0x52, 7, 0, 0, 0];
/// let mut recorder = FieldRecorder::default();
/// Instruction::decode(&mut Reader::traced(&code, 0, Format::default(), &mut recorder))?;
///
/// let [opcode, line] = recorder.fields() else { panic!("loc has two fields") };
/// assert_eq!((opcode.value.as_str(), opcode.offset), ("loc", 0));
/// assert_eq!((line.name.as_str(), line.value.as_str()), ("line_number", "7"));
/// assert_eq!(line.bytes_of(&code), [7, 0, 0, 0]);
/// # Ok::<(), genvisa::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FieldRecorder {
    fields: Vec<TracedField>,
    open: Vec<usize>,
}

impl FieldRecorder {
    /// Returns the fields so far. The length of open fields is `None`.
    pub fn fields(&self) -> &[TracedField] {
        &self.fields
    }

    /// Returns the fields so far, and removes them from the recorder.
    pub fn take(&mut self) -> Vec<TracedField> {
        self.open.clear();
        core::mem::take(&mut self.fields)
    }
}

impl Trace for FieldRecorder {
    const ENABLED: bool = true;

    fn enter(&mut self, name: &str, offset: usize) {
        let depth = self.open.len();
        self.open.push(self.fields.len());
        self.fields.push(TracedField {
            depth,
            name: name.to_string(),
            offset,
            ..TracedField::default()
        });
    }

    fn leave(&mut self, offset: usize, value: &dyn Describe, format: Format) {
        if let Some(field) = self.open.pop().and_then(|i| self.fields.get_mut(i)) {
            field.len = Some(offset - field.offset);
            field.value = value.as_text();
            field.meaning = value.meaning(format);
            field.reference = value.reference();
        }
    }
}

impl<T: Trace> Trace for &mut T {
    const ENABLED: bool = T::ENABLED;

    fn enter(&mut self, name: &str, offset: usize) {
        T::enter(self, name, offset);
    }

    fn leave(&mut self, offset: usize, value: &dyn Describe, format: Format) {
        T::leave(self, offset, value, format);
    }
}
