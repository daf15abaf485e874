//! The struct and the codec that a row of the instruction table expands to.
//!
//! ```text
//! 0x5b Wait wait { mask: Scalar [since V3_1] }
//! ```
//!
//! becomes `struct Wait { pub mask: Option<Scalar> }`, its [`Wire`](crate::wire::Wire)
//! implementation (decode, encode and skip, field by field in this order), its operands for
//! visitors, its strategy, the table of fields in its docs and its [`FIELDS`](super::FieldSpec).
//! The variant `Instruction::Wait` and the entry of [`SPEC`](super::SPEC) come from the table as a
//! whole, in `rows.rs`.
//!
//! # Conditions
//!
//! A condition in brackets says when a field is present:
//!
//! | condition | the field is present |
//! |---|---|
//! | `[since V3_1]`, `[before V3_2]` | in that version and newer ones, in older ones; `Manual` counts as the newest |
//! | `[igc2026]`, `[manual]`, `[not manual]` | in that dialect, in the others |
//! | `[igc2026 since V3_8]` | in that dialect, from that version on |
//! | `[if mode has SI]` | where the word `mode` has the flag `SI` |
//! | `[if op is ResInfo]` | where the word `op` is `ResInfo` |
//! | `[times n]` | as often as the word `n` says: the field is a [`List`](super::List) |
//! | `[times n named op]` | the same, and `op` names the items |
//!
//! A field with a condition is an `Option`, which is `Some` exactly where the field is present. Two
//! additions keep the type as it is:
//!
//! | addition | where the field is absent |
//! |---|---|
//! | `[since V3_2, else NONE]` | it has this value, and no other can be encoded |
//! | `[since V3_2, else as Short]` | a word of the type `Short` contains it |
//!
//! # Words
//!
//! Parentheses in place of the type make a word: bytes that are not a field of the struct.
//!
//! | word | its value |
//! |---|---|
//! | `mode: (Mode => flags: Flags)` | of this field of the struct (or of several), and of the conditions on `mode` |
//! | `exec: (Short => exec)` | of a field that has its type elsewhere in the row |
//! | `op: (InfoOp)` | of the conditions on `op` alone |
//! | `n: (CountOf<Labels>)` | the number of items of the list that is there `n` times |
//! | `n: (u8 = mode.num_params())` | a number that follows from the words before it; others do not decode |
//!
//! A word is not a field for `as [..]`: an item of the whole instruction prints it and parses it,
//! with [`Packed`].
//!
//! The type of a word converts from and to its fields. For `has`, it is a type of `bitflags`. For
//! `is`, it has the value as a variant, and its default is the value for which the field is absent.
//! The type of a word without fields is [`Closed`]: nothing else keeps a value that it decodes.

mod field;

pub(crate) use field::gate_open;
pub(super) use field::*;

use crate::error::{ErrorKind, Expected, PathSegment, Result};
use crate::format::Format;
use crate::wire::{Reader, Trace, Wire, Writer};

/// A struct whose fields are encoded in the order in which they are written here. `= DEFAULT` after
/// a type gives the field another default than the type has.
macro_rules! record {
    // Without words the struct has all the fields.
    (
        $(#[$doc:meta])*
        $name:ident {
            $(
                $(#[doc = $text:literal])*
                $field:ident: $ty:ident $(= $default:path)? $([$($gate:tt)+])?
            ),* $(,)?
        }
    ) => {
        $crate::isa::record::emit! {
            [inline] [$(#[$doc])*] $name
            { $($field: $ty [$($default)?] [$($($gate)+)?] [$($text)*];)* }
            { $($field: $ty [$($($gate)+)?] [$($text)*];)* }
            { $($field: $ty [$($($gate)+)?];)* }
        }
    };
    ($(#[$doc:meta])* $name:ident { $($row:tt)* }) => {
        $crate::isa::record::split! { [$(#[$doc])*] $name {} {} {} $($row)* }
    };
}

/// Sorts a row into the fields of the struct, the layout of the bytes, and what is generated for a
/// strategy.
macro_rules! split {
    ($doc:tt $name:ident $fields:tt $layout:tt $generated:tt) => {
        // They are rare, and would make the decoder of all instructions larger.
        $crate::isa::record::emit! { [inline(never)] $doc $name $fields $layout $generated }
    };
    (
        $doc:tt $name:ident { $($fields:tt)* } { $($layout:tt)* } { $($generated:tt)* }
        $(#[doc = $text:literal])*
        $word:ident: ($ty:ty => $($(#[doc = $part_text:literal])* $part:ident: $part_ty:ident),+ $(,)?)
            $([$($gate:tt)+])?
        $(, $($rest:tt)*)?
    ) => {
        $crate::isa::record::split! {
            $doc $name
            { $($fields)* $($part: $part_ty [] [] [$($part_text)*];)+ }
            { $($layout)* $word: ($ty => $($part),+) [$($($gate)+)?] [$($text)* $($($part_text)*)+]; }
            { $($generated)* $word: ($ty => $($part),+) []; }
            $($($rest)*)?
        }
    };
    (
        $doc:tt $name:ident { $($fields:tt)* } { $($layout:tt)* } $generated:tt
        $(#[doc = $text:literal])*
        $word:ident: ($($coding:tt)+) $([$($gate:tt)+])?
        $(, $($rest:tt)*)?
    ) => {
        $crate::isa::record::split! {
            $doc $name
            { $($fields)* }
            { $($layout)* $word: ($($coding)+) [$($($gate)+)?] [$($text)*]; }
            $generated
            $($($rest)*)?
        }
    };
    (
        $doc:tt $name:ident { $($fields:tt)* } { $($layout:tt)* } { $($generated:tt)* }
        $(#[doc = $text:literal])*
        $field:ident: $ty:ident $([$($gate:tt)+])?
        $(, $($rest:tt)*)?
    ) => {
        $crate::isa::record::split! {
            $doc $name
            { $($fields)* $field: $ty [] [$($($gate)+)?] [$($text)*]; }
            { $($layout)* $field: $ty [$($($gate)+)?] [$($text)*]; }
            { $($generated)* $field: $ty [$($($gate)+)?]; }
            $($($rest)*)?
        }
    };
}

macro_rules! fields_doc {
    () => {
        "It has no fields."
    };
    ($($part:ident)+) => {
        "\nIn the order of the bytes:\n\n| Field | Type | Present | |\n|---|---|---|---|"
    };
}

macro_rules! emit {
    ([$($inline:tt)*] $doc:tt $name:ident $fields:tt $layout:tt $generated:tt) => {
        $crate::isa::record::emit_struct! { $doc $name $fields $layout }
        $crate::isa::record::emit_words! { $name $layout $layout }
        $crate::isa::record::emit_wire! { [$($inline)*] $name $layout }
        $crate::isa::record::emit_operands! { $name $fields }
        #[cfg(feature = "proptest")]
        $crate::isa::record::emit_strategy! { $name $fields $generated }
    };
}

macro_rules! emit_struct {
    (
        [$($doc:tt)*] $name:ident
        { $($field:ident: $ty:ident [$($default:path)?] [$($field_gate:tt)*] [$($text:literal)*];)* }
        { $($part:ident: $coding:tt [$($gate:tt)*] [$($part_text:literal)*];)* }
    ) => {
        $($doc)*
        #[doc = $crate::isa::record::fields_doc!($($part)*)]
        $(#[doc = concat!(
            "| `", stringify!($part), "` | ", $crate::isa::record::coding_doc!($coding), " | ",
            $crate::isa::record::when_doc!($($gate)*), " |", $($part_text,)* " |",
        )])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
        pub struct $name {
            $(
                #[doc = concat!("`", stringify!($field), "`.")]
                $(#[doc = $text])*
                pub $field: $crate::isa::record::field_type!($ty [$($field_gate)*]),
            )*
        }

        impl Default for $name {
            #[inline]
            fn default() -> Self {
                $name { $($field: $crate::isa::record::default!($($default)?)),* }
            }
        }

        impl $crate::isa::record::ForFormat for $name {
            fn for_format(format: $crate::format::Format) -> $name {
                $name::for_format(format)
            }
        }

        impl $name {
            /// The default in a format: fields that only some formats have are `Some` where this
            /// one has them.
            #[allow(unused_variables, unused_mut)]
            pub fn for_format(format: $crate::format::Format) -> $name {
                let mut new = $name::default();
                $($crate::isa::record::for_format!(format, new.$field: $ty [$($field_gate)*]);)*
                new
            }

            /// The fields in the order of their bytes.
            pub const FIELDS: &'static [$crate::isa::FieldSpec] = &[
                $($crate::isa::FieldSpec {
                    name: stringify!($part),
                    ty: $crate::isa::record::coding_name!($coding),
                    when: $crate::isa::record::when!($($gate)*),
                    length: $crate::isa::record::length!($coding [$($gate)*]),
                }),*
            ];
        }
    };
}

macro_rules! emit_words {
    ($name:ident $layout:tt {
        $($part:ident: $coding:tt [$($gate:tt)*] $text:tt;)*
    }) => {
        $($crate::isa::record::word! { $name, $part: $coding [$($gate)*] $layout })*
    };
}

macro_rules! emit_wire {
    ([$($inline:tt)*] $name:ident { $($part:ident: $coding:tt [$($gate:tt)*] $text:tt;)* }) => {
        #[allow(non_camel_case_types, unused)]
        impl $crate::wire::Wire for $name {
            #[$($inline)*]
            fn decode_into<T: $crate::wire::Trace>(
                &mut self,
                r: &mut $crate::wire::Reader<'_, T>,
            ) -> $crate::error::Result<()> {
                $($crate::isa::record::decode!(self, r, $part: $coding [$($gate)*]);)*
                Ok(())
            }

            #[$($inline)*]
            fn encode(&self, w: &mut $crate::wire::Writer) -> $crate::error::Result<()> {
                $($crate::isa::record::declare!(self, $part: $coding [$($gate)*]);)*
                $($crate::isa::record::reflect!(self, $part: $coding [$($gate)*]);)*
                $($crate::isa::record::encode!(self, w, $part: $coding [$($gate)*]);)*
                Ok(())
            }

            #[$($inline)*]
            fn skip(r: &mut $crate::wire::Reader<'_>) -> $crate::error::Result<()> {
                $($crate::isa::record::skip!(r, $part: $coding [$($gate)*]);)*
                Ok(())
            }
        }
    };
}

macro_rules! emit_operands {
    ($name:ident { $($field:ident: $ty:ident $default:tt [$($gate:tt)*] $text:tt;)* }) => {
        impl $crate::isa::Operands for $name {
            #[inline]
            fn operands<V: $crate::operand::Visitor + ?Sized>(&self, visitor: &mut V) {
                $($crate::isa::record::visit!(self, visit, visitor, $field: $ty [$($gate)*]);)*
                let _ = visitor;
            }

            fn operands_mut<V: $crate::operand::VisitorMut + ?Sized>(&mut self, visitor: &mut V) {
                $($crate::isa::record::visit!(self, visit_mut, visitor, $field: $ty [$($gate)*]);)*
                let _ = visitor;
            }
        }
    };
}

#[cfg(feature = "proptest")]
macro_rules! emit_strategy {
    (
        $name:ident
        { $($field:ident: $ty:ident [$($default:path)?] $field_gate:tt $text:tt;)* }
        { $($bound:ident: $unit:tt [$($gate:tt)*];)* }
    ) => {
        impl $crate::strategy::Generate for $name {
            #[allow(unused_parens, unused_variables)]
            fn strategy(
                format: $crate::format::Format,
            ) -> proptest::strategy::BoxedStrategy<Self> {
                use proptest::strategy::Strategy;
                $crate::strategy::nest!(
                    $($crate::isa::record::strategy!(format, $unit [$($gate)*])),*
                )
                .prop_map(|$crate::strategy::nest_pattern!($($bound),*)| {
                    $($crate::isa::record::generated!($bound: $unit);)*
                    $name { $($field),* }
                })
                .boxed()
            }
        }
    };
}

pub(super) use {
    emit, emit_operands, emit_struct, emit_wire, emit_words, fields_doc, record, split,
};

#[cfg(feature = "proptest")]
pub(super) use emit_strategy;

/// A row's struct as a default in a format, for those who do not know the row.
pub(crate) trait ForFormat {
    fn for_format(format: Format) -> Self;
}

/// A word of a row: what it says of the struct, and how it changes the struct.
pub(crate) trait Packed<W> {
    /// The word, with the conditions that the fields imply.
    fn packed(&self) -> W;

    /// Takes over the fields in a word. Fields with a condition on it become `Some` or `None`.
    fn unpack(&mut self, word: W);
}

/// The type of a word without fields: it decodes only values that the conditions on it tell apart,
/// or that a list keeps.
pub(crate) trait Closed: Wire {}

/// The default of a word without fields.
pub(super) fn without_fields<W: Closed>() -> W {
    W::default()
}

/// Decodes a number that follows from others.
pub(super) fn decode_count<T: Trace>(
    r: &mut Reader<'_, T>,
    name: &'static str,
    expected: u8,
) -> Result<()> {
    let mut found = 0u8;
    r.field(name, &mut found)?;
    if found == expected {
        return Ok(());
    }
    let expected = Expected::Exactly(expected.into());
    let error = ErrorKind::BadCount { found: found.into(), expected };
    Err(r.error_back(1, error).within(PathSegment::Field(name)))
}

/// Encodes a field that is present only if `open`.
pub(super) fn encode_gated<V: Wire>(
    w: &mut Writer,
    name: &'static str,
    open: bool,
    value: Option<&V>,
) -> Result<()> {
    let error = match (open, value) {
        (true, Some(value)) => return w.field(name, value),
        (false, None) => return Ok(()),
        (true, None) => w.error(ErrorKind::MissingField { format: w.format() }),
        (false, Some(_)) => w.inexpressible("a field of other formats"),
    };
    Err(error.within(PathSegment::Field(name)))
}
