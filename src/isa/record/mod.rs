//! The macro that defines the struct and the codec of a row of the instruction table.
//!
//! ```text
//! 0x5b Wait wait { mask: Scalar [since V3_1] }
//! ```
//!
//! expands to `struct Wait { pub mask: Option<Scalar> }`, its [`Wire`](crate::wire::Wire)
//! implementation (decode and encode, field by field in this order), its operands for
//! visitors, its strategy, the table of fields in its documentation, and its
//! [`FIELDS`](super::Layout::FIELDS). `rows.rs` defines the variant `Instruction::Wait` and the entry of
//! [`SPEC`](super::SPEC).
//!
//! # Conditions
//!
//! A condition in brackets specifies when a field is present:
//!
//! | condition | the field is present |
//! |---|---|
//! | `[since V3_1]`, `[before V3_2]` | in this version and newer ones, in older ones; `Manual` counts as the newest |
//! | `[igc2026]`, `[manual]`, `[not manual]` | in this dialect, in the others |
//! | `[igc2026 since V3_8]` | in this dialect, since this version |
//! | `[if mode has SI]` | if the word `mode` has the flag `SI` |
//! | `[if op is ResInfo]` | if the word `op` is `ResInfo` |
//! | `[times n]` | `n` times, where `n` is a word: the field is a [`List`](super::List) |
//! | `[times n named op]` | as `[times n]`; `op` returns the names of the items |
//!
//! A field with a condition is an `Option`, which is `Some` if and only if the field is present.
//! With one of these additions, it is not an `Option`:
//!
//! | addition | if the field is absent |
//! |---|---|
//! | `[since V3_2, else NONE]` | it has this value, and others cannot be encoded |
//! | `[since V3_2, else as Short]` | a word of the type `Short` contains it |
//!
//! # Words
//!
//! Parentheses instead of a type define a word: bytes that are not a field of the struct.
//!
//! | word | its value is determined by |
//! |---|---|
//! | `mode: (Mode => flags: Flags)` | the field `flags` of the struct (or several), and the conditions on `mode` |
//! | `exec: (Short => exec)` | the field `exec`, whose type is elsewhere in the row |
//! | `op: (InfoOp)` | the conditions on `op` |
//! | `n: (CountOf<Labels>)` | the number of items of the list with the condition `times n` |
//! | `n: (u8 = mode.num_params())` | the words before it; other values are decoding errors |
//!
//! Words cannot be used in `as [..]`. An item of the whole instruction prints and parses them, with
//! [`Packed`].
//!
//! The type of a word has conversions from and to its fields. For `has`, it must be a type of
//! `bitflags`. For `is`, it must have the value as a variant, and its default must be the value for
//! which the field is absent. The type of a word without fields must be [`Closed`], because the
//! struct does not store its value.

mod arithmetic;
mod field;
mod field_doc;

pub(super) use arithmetic::decode_arithmetic;
pub(super) use field::*;
pub(crate) use field::{gate, gate_open};
#[cfg(feature = "text")]
pub(super) use field_doc::part_doc;
pub(super) use field_doc::{default_field_doc, field_doc};

use crate::error::{ErrorKind, Expected, PathSegment, Result};
use crate::wire::{Reader, Trace, Wire, Writer};

/// Defines a struct whose fields are encoded in the order in which they are written here.
/// `= DEFAULT` after a type sets the default of the field, if it differs from the type's default.
macro_rules! record {
    // Without words: the struct has all fields.
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

/// Splits a row into the fields of the struct, the layout of the bytes, and the parts that a
/// strategy generates.
macro_rules! split {
    ($doc:tt $name:ident $fields:tt $layout:tt $generated:tt) => {
        // Not inlined: rows with words are rare, and would make the encoder of all instructions
        // larger.
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
                #[doc = $crate::isa::record::field_doc!($field: $ty [$($text)*])]
                $(#[doc = $text])*
                pub $field: $crate::isa::record::field_type!($ty [$($field_gate)*]),
            )*
        }

        impl Default for $name {
            #[inline]
            fn default() -> Self {
                #[allow(unused_mut)]
                let mut new = $name { $($field: Default::default()),* };
                $($(new.$field = $default;)?)*
                new
            }
        }

        impl $crate::isa::Layout for $name {
            #[allow(unused_variables, unused_mut)]
            fn for_format(format: $crate::format::Format) -> $name {
                let mut new = $name::default();
                $($crate::isa::record::for_format!(format, new.$field: $ty [$($field_gate)*]);)*
                new
            }

            const FIELDS: &'static [$crate::isa::FieldSpec] = &[
                $($crate::isa::FieldSpec {
                    name: stringify!($part),
                    ty: $crate::isa::record::coding_name!($coding),
                    #[cfg(feature = "text")]
                    doc: $crate::isa::record::part_doc!($part: $coding [$($part_text)*]),
                    #[cfg(feature = "text")]
                    values: $crate::isa::record::values!($coding [$($gate)*]),
                    when: $crate::isa::record::condition(stringify!($($gate)*)),
                    length: $crate::isa::record::length!($coding [$($gate)*]),
                    gate: $crate::isa::record::gate!($($gate)*),
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
            fn decode_into<T: $crate::wire::Trace>(
                &mut self,
                r: &mut $crate::wire::Reader<'_, T>,
            ) -> $crate::error::Result<()> {
                $crate::isa::record::decode_fields!(self, r, $($part: $coding [$($gate)*];)*)
            }

            #[$($inline)*]
            fn encode(&self, w: &mut $crate::wire::Writer) -> $crate::error::Result<()> {
                $($crate::isa::record::declare!(self, $part: $coding [$($gate)*]);)*
                $($crate::isa::record::reflect!(self, $part: $coding [$($gate)*]);)*
                $($crate::isa::record::encode!(self, w, $part: $coding [$($gate)*]);)*
                Ok(())
            }
        }
    };
}

/// Decodes the fields of a row. Rows with the usual operands of arithmetic share a function.
macro_rules! decode_fields {
    ($self:ident, $r:ident, exec: Exec []; pred: Pred []; dst: Dst []; $($source:ident: Vector [];)+) => {{
        let (exec, pred, dst) = (&mut $self.exec, &mut $self.pred, &mut $self.dst);
        $crate::isa::record::decode_arithmetic($r, exec, pred, dst, [$(&mut $self.$source),+])
    }};
    ($self:ident, $r:ident, $($part:ident: $coding:tt $gate:tt;)*) => {{
        $($crate::isa::record::decode!($self, $r, $part: $coding $gate);)*
        Ok(())
    }};
}

macro_rules! emit_operands {
    ($name:ident { $($field:ident: $ty:ident $default:tt [$($gate:tt)*] $text:tt;)* }) => {
        impl $crate::isa::Operands for $name {
            #[inline]
            fn operands(&self, visitor: &mut dyn $crate::operand::Visitor) {
                $($crate::isa::record::visit!(self, visit, visitor, $field: $ty [$($gate)*]);)*
                let _ = visitor;
            }

            #[inline]
            fn operands_mut(&mut self, visitor: &mut dyn $crate::operand::VisitorMut) {
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
        impl $crate::generate::Generate for $name {
            #[allow(unused_parens, unused_variables)]
            fn strategy(
                format: $crate::format::Format,
            ) -> proptest::strategy::BoxedStrategy<Self> {
                use proptest::strategy::Strategy;
                $crate::generate::nest!(
                    $($crate::isa::record::strategy!(format, $unit [$($gate)*])),*
                )
                .prop_map(|$crate::generate::nest_pattern!($($bound),*)| {
                    $($crate::isa::record::generated!($bound: $unit);)*
                    $name { $($field),* }
                })
                .boxed()
            }
        }
    };
}

pub(super) use {
    decode_fields, emit, emit_operands, emit_struct, emit_wire, emit_words, fields_doc, record,
    split,
};

#[cfg(feature = "proptest")]
pub(super) use emit_strategy;

/// Returns the condition of a field, unless it is always present.
pub(super) const fn condition(gate: &'static str) -> Option<&'static str> {
    if gate.is_empty() { None } else { Some(gate) }
}

/// A struct that has a word of type `W`.
pub(crate) trait Packed<W> {
    /// Returns the word, which includes the conditions that it controls.
    fn packed(&self) -> W;

    /// Sets the fields that the word contains. Fields with a condition on the word become `Some` or
    /// `None`.
    #[cfg(feature = "text")]
    fn unpack(&mut self, word: W);
}

/// The type of a word without fields. It must reject every value that the conditions on it, or the
/// number of items of a list, do not determine.
pub(crate) trait Closed: Wire {}

/// Returns the default of a word without fields.
pub(super) fn closed_default<W: Closed>() -> W {
    W::default()
}

/// Decodes a number, and checks that it has the expected value.
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

/// Encodes a field that is present if and only if `open`.
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
        (false, Some(_)) => w.inexpressible("this field"),
    };
    Err(error.within(PathSegment::Field(name)))
}
