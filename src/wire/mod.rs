//! Reading and writing of bytes.
//!
//! - [`Wire`] is implemented by everything that is encoded: instructions, operands and table
//!   entries. It has methods to decode and encode a value.
//! - [`Reader`] is a cursor over bytes, [`Writer`] a buffer of bytes. Both have a
//!   [`Format`].
//! - [`Trace`] is called for every field that a reader decodes. [`FieldRecorder`] is a trace that
//!   records them, with names, offsets and values.
//!
//! For a single instruction, [`Instruction::from_bytes`](crate::Instruction::from_bytes) and
//! [`to_bytes`](crate::Instruction::to_bytes) are simpler.
//!
//! ```
//! use genvisa::operand::{Raw, VarId};
//! use genvisa::wire::{Reader, Wire, Writer};
//! use genvisa::Format;
//!
//! let mut w = Writer::new(Format::default());
//! Raw::new(VarId(32), 64).encode(&mut w)?;
//! assert_eq!(w.bytes(), [32, 0, 0, 0, 64, 0]);
//!
//! let mut r = Reader::new(w.bytes(), Format::default());
//! assert_eq!(Raw::decode(&mut r)?, Raw::new(VarId(32), 64));
//! assert!(r.is_empty());
//! # Ok::<(), genvisa::Error>(())
//! ```

mod reader;
mod trace;
mod writer;

pub use reader::Reader;
pub(crate) use reader::{u16_at, u32_at, u64_at};
pub use trace::{AsText, FieldRecorder, Trace, TracedField};
pub use writer::Writer;

use crate::error::Result;
use crate::format::Format;
use alloc::string::String;

/// A value that can be decoded from bytes and encoded to bytes.
///
/// Decoding writes into an existing value, because this is about twice as fast as returning large
/// structs in a `Result`. After an error, the value is unspecified but valid.
pub trait Wire: Default {
    /// The length of the value in bytes.
    const LENGTH: Length = Length::Other;

    /// The values that have names.
    #[cfg(feature = "text")]
    const VALUES: &'static [NamedValue] = &[];

    /// Decodes the value at the position of the reader, and advances the reader past it.
    ///
    /// # Errors
    /// Returns an error if the bytes are not valid, with the offset and the path to the field.
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()>;

    /// Appends the bytes of the value to the writer.
    ///
    /// # Errors
    /// Returns an error if the format of the writer cannot express the value.
    fn encode(&self, w: &mut Writer) -> Result<()>;

    /// Decodes a new value at the position of the reader, and advances the reader past it.
    ///
    /// # Errors
    /// Those of [`Wire::decode_into`].
    fn decode<T: Trace>(r: &mut Reader<'_, T>) -> Result<Self> {
        let mut value = Self::default();
        value.decode_into(r)?;
        Ok(value)
    }
}

/// A value of a coded field.
#[cfg(feature = "text")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedValue {
    /// The encoding.
    pub bits: u8,
    /// The name in text.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// The length of a value in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Length {
    /// A number of bytes that is the same in every format.
    Fixed(u8),
    /// A number of bytes that depends on the size of variable and string ids.
    ByIds {
        /// The number of bytes if variable and string ids have two bytes.
        narrow: u8,
        /// The number of bytes if variable and string ids have four bytes.
        wide: u8,
    },
    /// The length of a [`Vector`](crate::operand::Vector), which depends on its class.
    VectorOperand,
    /// A length that depends on the format or on the value.
    Other,
}

/// A value that can be explained: [`AsText`] prints the value, and [`meaning`](Self::meaning)
/// returns an explanation.
pub trait Describe: AsText {
    /// Returns an explanation of the value in a few words; empty if its text needs none.
    fn meaning(&self, format: Format) -> String {
        let _ = format;
        String::new()
    }

    /// Returns the string or label that the value refers to, if it is the id of one.
    fn reference(&self) -> Option<Reference> {
        None
    }
}

/// An entry of a routine's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reference {
    /// A string of the pool.
    String(u32),
    /// A label.
    Label(u16),
}

/// A text without an explanation. A group of fields has an empty text.
impl Describe for &str {}

macro_rules! integers {
    ($($ty:ident),*) => {$(
        impl Wire for $ty {
            const LENGTH: Length = Length::Fixed(size_of::<$ty>() as u8);

            #[inline(always)]
            fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
                *self = $ty::from_le_bytes(*r.array()?);
                Ok(())
            }

            #[inline(always)]
            fn encode(&self, w: &mut Writer) -> Result<()> {
                w.put(&self.to_le_bytes());
                Ok(())
            }
        }

        impl Describe for $ty {}
    )*};
}

integers!(u8, u16, u32, i16, i32);
