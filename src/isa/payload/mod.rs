//! The bytes that messages transfer from and to their raw operands.
//!
//! The sizes are taken from the pages of the instructions. Where these are silent, they are taken
//! from the messages that the finalizer sends.

mod data_port;
pub(crate) mod lsc;
mod media;
mod render;
pub(crate) mod sampler;
mod sends;
mod svm;
pub(crate) mod systolic;
pub(crate) mod video;

use self::systolic::Systolic;
use super::Instruction;
use super::instruction_table;
use super::svm::svm_table;
use super::va::va_table;
use super::va_skl_plus::va_skl_plus_table;
use crate::isa;
use crate::operand::{ChannelMask, Exec, OwordNum};
#[cfg(feature = "analysis")]
use crate::operand::{ExecMask, ExecSize};

/// The part of a variable that a message transfers, from the start of an operand on: chunks of the
/// same size at a constant distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Payload {
    /// The number of bytes of a chunk.
    pub(crate) chunk: u32,
    /// The distance of the chunks in bytes.
    pub(crate) pitch: u32,
    /// The number of chunks.
    pub(crate) chunks: u32,
    /// The number of bytes of a lane, if a chunk contains the elements of consecutive lanes; 0
    /// otherwise.
    #[cfg_attr(not(feature = "analysis"), allow(dead_code))]
    pub(crate) lane: u8,
    /// Whether the message transfers all of these bytes. Otherwise it transfers some of them, or
    /// none.
    pub(crate) is_exact: bool,
}

/// The sizes that a payload depends on and that are not in the instruction, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    /// The size of an element of the operand's variable.
    pub(crate) element: u32,
    /// The size of a register.
    pub(crate) register: u32,
}

/// An instruction with payloads: raw operands, or vector operands that are read like these.
pub(crate) trait Payloads {
    /// Returns the part of a variable that the operand in a field transfers; `None` if its length is
    /// unknown.
    fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload>;
}

/// Implements [`Payloads`] by the column `moves` of a row.
///
/// ```text
/// OwordLd: [_: owords(size)]
/// ```
///
/// implements it for `OwordLd` with `sizes.owords(self.size)` for every field.
macro_rules! impl_payloads {
    ($name:ty: []) => {};
    // The type lists its fields, and what they determine.
    ($name:ty: [($other:ident)]) => {
        impl Payloads for $name {
            fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
                $other::from(self).payload(field, sizes)
            }
        }
    };
    ($name:ty: [[$($field:tt: $shape:ident($($arg:tt),*)),*]]) => {
        $(field_pattern!(check $name, $field);)*

        impl Payloads for $name {
            #[inline]
            fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
                match field {
                    $(field_pattern!($field) => {
                        sizes.$shape($(shape_argument!(self, $arg)),*).into()
                    })*
                }
            }
        }
    };
}

#[rustfmt::skip]
macro_rules! field_pattern {
    (_) => { _ };
    ($field:ident) => { stringify!($field) };
    (check $name:ty, _) => {};
    (check $name:ty, $field:ident) => { const _: usize = core::mem::offset_of!($name, $field); };
}

#[rustfmt::skip]
macro_rules! shape_argument {
    ($i:ident, $number:literal) => { $number };
    ($i:ident, $field:ident) => { $i.$field };
}

/// Returns the payload of an operand of an instruction; `None` if its row has no column `moves`.
#[rustfmt::skip]
macro_rules! payload_of {
    ($i:ident, $field:expr, $sizes:expr, {$($fields:tt)*} []) => {{ let _ = $i; None }};
    ($i:ident, $field:expr, $sizes:expr, $body:tt $moves:tt) => { $i.payload($field, $sizes) };
}

macro_rules! instruction_payloads {
    ($({
        $doc:tt $op:literal $dialects:tt $name:ident $words:tt $body:tt
        $kind:tt $on:tt $moves:tt $text:tt $manual:tt
    })*) => {
        $(impl_payloads! { isa::$name: $moves })*

        impl Payloads for Instruction {
            /// Returns the part of a variable that a raw operand, or the vector operand of a systolic
            /// instruction, transfers; `None` if its length is unknown.
            fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
                match self {
                    $(Instruction::$name(i) => payload_of!(i, field, sizes, $body $moves),)*
                }
            }
        }
    };
}

instruction_table!(instruction_payloads);

macro_rules! family_payloads {
    ($module:ident $doc:tt $family:ident $what:literal $({
        $row_doc:tt $op:tt $name:ident $method:tt $mnemonic:literal $body:tt $moves:tt $text:tt
    })*) => {
        $(impl_payloads! { isa::$module::$name: $moves })*

        impl Payloads for isa::$family {
            fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
                match self {
                    $(isa::$family::$name(i) => payload_of!(i, field, sizes, $body $moves),)*
                }
            }
        }
    };
}

svm_table!(family_payloads);
va_table!(family_payloads);
va_skl_plus_table!(family_payloads);

impl Payload {
    /// Returns consecutive bytes that do not belong to lanes.
    const fn block(bytes: u32) -> Payload {
        Payload { chunk: bytes, pitch: bytes, chunks: 1, lane: 0, is_exact: true }
    }

    /// Returns consecutive elements, one per lane.
    const fn lanes(lanes: u32, element: u32) -> Payload {
        let chunk = lanes * element;
        Payload { chunk, pitch: chunk, chunks: 1, lane: element as u8, is_exact: true }
    }

    /// Returns one element per lane.
    fn of_exec(exec: Exec, element: u32) -> Payload {
        Payload::lanes(lanes(exec), element)
    }

    /// Returns one element per lane for each channel or component, each in its own registers.
    fn channels(count: u32, lanes: u32, element: u32, sizes: Sizes) -> Payload {
        let payload = Payload::lanes(lanes, element);
        Payload { pitch: payload.chunk.next_multiple_of(sizes.register), chunks: count, ..payload }
    }

    /// Returns rows of a size at a distance.
    const fn rows(chunks: u32, chunk: u32, pitch: u32) -> Payload {
        Payload { chunk, pitch, chunks, lane: 0, is_exact: true }
    }

    /// Returns these chunks several times.
    const fn repeated(self, chunks: u32) -> Payload {
        Payload { chunks, ..self }
    }

    /// Returns blocks of one element per lane. Messages have as many lanes as a register has dwords,
    /// or more.
    fn blocks(count: u32, lanes: u32, element: u32, sizes: Sizes) -> Payload {
        let pitch = lanes.max(sizes.register / 4) * element;
        Payload { pitch, chunks: count, ..Payload::lanes(lanes, element) }
    }

    /// Returns the payload as an upper bound.
    const fn at_most(self) -> Payload {
        Payload { is_exact: false, ..self }
    }

    /// Returns the same chunks, each at the next register.
    #[cfg(feature = "verify")]
    pub(crate) fn without_gaps(self, register: u32) -> Payload {
        Payload { pitch: self.chunk.next_multiple_of(register), ..self }
    }

    /// Returns the number of bytes up to the end of the last chunk.
    #[cfg(feature = "verify")]
    pub(crate) fn bytes(&self) -> i64 {
        match self.chunks {
            0 => 0,
            chunks => i64::from(chunks - 1) * i64::from(self.pitch) + i64::from(self.chunk),
        }
    }
}

fn lanes(exec: Exec) -> u32 {
    exec.size.lanes() as u32
}

fn count(channels: ChannelMask) -> u32 {
    channels.bits().count_ones()
}

/// The shapes of payloads that the column `moves` of several kinds of messages names.
impl Sizes {
    /// Returns bytes that do not belong to lanes.
    fn block(self, bytes: u32) -> Payload {
        Payload::block(bytes)
    }

    /// Returns some of these bytes.
    fn part_of(self, bytes: u32) -> Payload {
        Payload::block(bytes).at_most()
    }

    /// Returns elements of the operand's variable.
    fn elements(self, count: u32) -> Payload {
        Payload::block(count * self.element)
    }

    /// Returns a block of owords; `None` for an unknown number.
    fn owords(self, count: OwordNum) -> Option<Payload> {
        (count <= OwordNum::N16).then(|| Payload::block(16 << count.bits()))
    }

    /// Returns a word per lane.
    fn words(self, exec: Exec) -> Payload {
        Payload::of_exec(exec, 2)
    }

    /// Returns a dword per lane.
    fn dwords(self, exec: Exec) -> Payload {
        Payload::of_exec(exec, 4)
    }

    /// Returns a dword per lane; the message transfers only some of the bits.
    fn part_of_dwords(self, exec: Exec) -> Payload {
        self.dwords(exec).at_most()
    }

    /// Returns a qword per lane.
    fn qwords(self, exec: Exec) -> Payload {
        Payload::of_exec(exec, 8)
    }

    /// Returns a dword per lane for each channel. Each channel begins at a register.
    fn channels(self, exec: Exec, channels: ChannelMask) -> Payload {
        Payload::channels(count(channels), lanes(exec), 4, self)
    }
}

#[cfg(feature = "analysis")]
impl Instruction {
    /// Returns the execution size and mask of a message that does not have them in an exec byte.
    #[inline]
    pub(crate) fn implicit_exec(&self) -> Option<Exec> {
        let (lanes, mask) = match self {
            Instruction::Gather(i) => (data_port::elements(i.num_elts), i.num_elts.mask),
            Instruction::Scatter(i) => (data_port::elements(i.num_elts), i.num_elts.mask),
            Instruction::Sample(i) => (sampler::lanes_of(i.channels), ExecMask::M1),
            Instruction::Load(i) => (sampler::lanes_of(i.channels), ExecMask::M1),
            _ => return None,
        };
        Some(Exec { size: ExecSize::from_bits(lanes.trailing_zeros() as u8)?, mask })
    }
}
