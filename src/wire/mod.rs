//! Bytes: a cursor to read them, a buffer to write them, and the trait that joins the two.
//!
//! Everything with a place in the format implements [`Wire`], both directions side by side. A
//! layout is written once: the same code decodes at full speed and, given a [`Trace`], tells which
//! bytes became which field.

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

/// A value with a place in the format.
///
/// Decoding writes into a value that is already there, because that is about twice as fast as
/// returning large structs through `Result`. After an error the value is some legal value.
pub trait Wire: Default {
    /// How many bytes the value takes.
    const LENGTH: Length = Length::Other;

    /// Decodes from the reader's position, which ends up behind the value.
    ///
    /// # Errors
    /// Whatever the bytes do not say legally, with the offset and the fields on the way.
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()>;

    /// Appends the value's bytes.
    ///
    /// # Errors
    /// What the value says and the writer's format cannot.
    fn encode(&self, w: &mut Writer) -> Result<()>;

    /// Moves the reader behind the value, looking only at what decides its length.
    ///
    /// # Errors
    /// When the bytes run out or do not select a layout. Whatever decodes can be skipped; not
    /// everything that can be skipped decodes.
    #[inline(always)]
    fn skip(r: &mut Reader<'_>) -> Result<()> {
        match Self::LENGTH {
            Length::Fixed(bytes) => r.advance(bytes.into()),
            _ => Self::decode(r).map(|_| ()),
        }
    }

    /// Decodes from the reader's position into a new value.
    ///
    /// # Errors
    /// Those of [`Wire::decode_into`].
    fn decode<T: Trace>(r: &mut Reader<'_, T>) -> Result<Self> {
        let mut value = Self::default();
        value.decode_into(r)?;
        Ok(value)
    }
}

/// How many bytes a value takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Length {
    /// The same number in every format.
    Fixed(u8),
    /// As many as a [`Vector`](crate::operand::Vector) has: its class decides.
    VectorOperand,
    /// Any number: the format or the value decides.
    Other,
}

/// A value that a person can be shown: its text, and what that means.
pub trait Describe: AsText {
    /// A few words on what the value says or switches on; empty where the text says it all.
    fn meaning(&self, format: Format) -> String {
        let _ = format;
        String::new()
    }

    /// The table entry that the value names, where it names one that has a name itself.
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

/// Text that stands for itself; empty, a group of fields.
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
