//! Listeners of a reader: which bytes became which field.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::{Describe, Reference};
use crate::format::Format;

/// A value with a text, for traces.
///
/// The text is that of `Display`. Vector and raw operands have no `Display` without feature `text`; then
/// it is that of `Debug`.
pub trait AsText {
    /// Returns the value as text.
    fn as_text(&self) -> String;
}

impl<T: fmt::Display> AsText for T {
    fn as_text(&self) -> String {
        self.to_string()
    }
}

#[cfg(not(feature = "text"))]
mod debug {
    use alloc::format;
    use alloc::string::String;

    use crate::operand::{AddressOf, Aoffimmi, CmpDst, Dst, Raw, Vector};

    macro_rules! by_debug {
        ($($name:ident),*) => {$(
            impl super::AsText for $name {
                fn as_text(&self) -> String {
                    format!("{self:?}")
                }
            }
        )*};
    }

    by_debug!(Vector, Dst, CmpDst, AddressOf, Raw, Aoffimmi);
}

/// Told by a [`Reader`](super::Reader) which bytes became which field.
///
/// `()` is the trace that nobody reads: with it, all reporting compiles to nothing.
pub trait Trace {
    /// Whether anybody listens.
    const ENABLED: bool;

    /// A field begins; those that follow before its end are inside it.
    fn enter(&mut self, name: &str, offset: usize);

    /// The innermost open field ends, and this is what it holds; a group of fields holds no text.
    fn leave(&mut self, offset: usize, value: &dyn Describe, format: Format);
}

impl Trace for () {
    const ENABLED: bool = false;

    #[inline(always)]
    fn enter(&mut self, _: &str, _: usize) {}

    #[inline(always)]
    fn leave(&mut self, _: usize, _: &dyn Describe, _: Format) {}
}

/// A field as it lies in the bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TracedField {
    /// How many fields it is inside of.
    pub depth: usize,
    /// The name of the field.
    pub name: String,
    /// The absolute offset of its first byte.
    pub offset: usize,
    /// How many bytes it takes; `None` for a field that an error cut short.
    pub len: Option<usize>,
    /// The value as text; empty for a group of fields.
    pub value: String,
    /// What the value says or switches on; may be empty.
    pub meaning: String,
    /// The table entry that the value names.
    pub reference: Option<Reference>,
}

impl TracedField {
    /// The field's bytes, in the bytes that offsets count from.
    pub fn bytes_of<'a>(&self, all: &'a [u8]) -> &'a [u8] {
        let rest = all.get(self.offset..).unwrap_or_default();
        self.len.and_then(|len| rest.get(..len)).unwrap_or_default()
    }
}

/// A [`Trace`] that keeps everything it is told, in the order of the bytes.
///
/// ```
/// use genvisa::wire::{FieldRecorder, Reader, Wire};
/// use genvisa::{Format, Instruction};
///
/// let code = [0x52, 7, 0, 0, 0];
/// let mut notes = FieldRecorder::default();
/// Instruction::decode(&mut Reader::traced(&code, 0, Format::default(), &mut notes))?;
///
/// let [opcode, line] = notes.fields() else { panic!("loc has two fields") };
/// assert_eq!((opcode.value.as_str(), opcode.offset), ("loc", 0));
/// assert_eq!((line.name.as_str(), line.value.as_str()), ("line_number", "7"));
/// assert_eq!(line.bytes_of(&code), [7, 0, 0, 0]);
/// # Ok::<(), genvisa::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FieldRecorder {
    notes: Vec<TracedField>,
    open: Vec<usize>,
}

impl FieldRecorder {
    /// The fields so far. Those still open have no length.
    pub fn fields(&self) -> &[TracedField] {
        &self.notes
    }

    /// Takes the fields so far, leaving none.
    pub fn take(&mut self) -> Vec<TracedField> {
        self.open.clear();
        core::mem::take(&mut self.notes)
    }
}

impl Trace for FieldRecorder {
    const ENABLED: bool = true;

    fn enter(&mut self, name: &str, offset: usize) {
        let depth = self.open.len();
        self.open.push(self.notes.len());
        self.notes.push(TracedField {
            depth,
            name: name.to_string(),
            offset,
            ..TracedField::default()
        });
    }

    fn leave(&mut self, offset: usize, value: &dyn Describe, format: Format) {
        if let Some(note) = self.open.pop().and_then(|i| self.notes.get_mut(i)) {
            note.len = Some(offset - note.offset);
            note.value = value.as_text();
            note.meaning = value.meaning(format);
            note.reference = value.reference();
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
