//! The struct that a row of the instruction table expands to.
//!
//! ```text
//! 0x5b Wait wait { mask: Scalar [since V3_1] }
//! ```
//!
//! becomes `struct Wait { pub mask: Option<Scalar> }`, its [`Wire`](crate::wire::Wire)
//! implementation (decode, encode and skip, field by field in this order) and its
//! [`FIELDS`](super::FieldSpec). The variant `Instruction::Wait` and the entry of
//! [`SPEC`](super::SPEC) come from the table as a whole, in `rows.rs`.
//!
//! A gate in brackets makes the field an `Option`, `Some` exactly in the formats that have it.
//! Encoding a field that the format lacks, or lacking one that it has, is an error.
//!
//! | gate | the field exists |
//! |---|---|
//! | `[since V3_1]` | in that version and newer ones |
//! | `[igc2026]` | in that dialect |

/// Whether a gate is open in a format.
macro_rules! gate_open {
    ($format:expr, since $version:ident) => {
        $format.since($crate::format::Version::$version)
    };
    ($format:expr, igc2026) => {
        $format.dialect == $crate::format::Dialect::Igc2026
    };
}

/// The type of a field: as written, or an `Option` of it behind a gate.
macro_rules! field_type {
    ($ty:ty) => { $ty };
    ($ty:ty, $($gate:tt)+) => { Option<$ty> };
}

macro_rules! field_gate {
    () => { None };
    ($($gate:tt)+) => { Some(stringify!($($gate)+)) };
}

macro_rules! decode_field {
    ($self:ident, $r:ident, $field:ident, $ty:ty) => {
        $r.field(stringify!($field), &mut $self.$field)?;
    };
    ($self:ident, $r:ident, $field:ident, $ty:ty, $($gate:tt)+) => {
        $self.$field = None;
        if $crate::isa::record::gate_open!($r.format(), $($gate)+) {
            $r.field(stringify!($field), $self.$field.insert(<$ty>::default()))?;
        }
    };
}

macro_rules! encode_field {
    ($self:ident, $w:ident, $field:ident, $ty:ty) => {
        $w.field(stringify!($field), &$self.$field)?;
    };
    ($self:ident, $w:ident, $field:ident, $ty:ty, $($gate:tt)+) => {
        $crate::isa::record::encode_gated(
            $w,
            stringify!($field),
            $crate::isa::record::gate_open!($w.format(), $($gate)+),
            $self.$field.as_ref(),
        )?;
    };
}

macro_rules! skip_field {
    ($r:ident, $ty:ty) => {
        <$ty as $crate::wire::Wire>::skip($r)?;
    };
    ($r:ident, $ty:ty, $($gate:tt)+) => {
        if $crate::isa::record::gate_open!($r.format(), $($gate)+) {
            <$ty as $crate::wire::Wire>::skip($r)?;
        }
    };
}

#[cfg(feature = "proptest")]
macro_rules! field_strategy {
    ($format:ident, $ty:ty) => {
        <$ty as $crate::strategy::Generate>::strategy($format)
    };
    ($format:ident, $ty:ty, $($gate:tt)+) => {
        $crate::strategy::optional::<$ty>(
            $crate::isa::record::gate_open!($format, $($gate)+), $format,
        )
    };
}

macro_rules! field_default {
    () => {
        Default::default()
    };
    ($default:path) => {
        $default
    };
}

/// A struct whose fields lie in the bytes as they are written here. `= DEFAULT` behind a type gives
/// the field another default than the type has.
macro_rules! record {
    (
        $(#[$doc:meta])*
        $name:ident {
            $(
                $(#[$field_doc:meta])*
                $field:ident: $ty:ident $(= $default:path)? $([$($gate:tt)+])?
            ),* $(,)?
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
        pub struct $name {
            $(
                #[doc = concat!("`", stringify!($field), "`", $(" (only ", stringify!($($gate)+), ")",)? ".")]
                $(#[$field_doc])*
                pub $field: $crate::isa::record::field_type!($ty $(, $($gate)+)?),
            )*
        }

        impl Default for $name {
            #[inline]
            fn default() -> Self {
                $name { $($field: $crate::isa::record::field_default!($($default)?)),* }
            }
        }

        impl $name {
            /// The fields in the order of their bytes.
            pub const FIELDS: &'static [$crate::isa::FieldSpec] = &[
                $($crate::isa::FieldSpec {
                    name: stringify!($field),
                    ty: stringify!($ty),
                    length: <$ty as $crate::wire::Wire>::LENGTH,
                    when: $crate::isa::record::field_gate!($($($gate)+)?),
                }),*
            ];
        }

        #[allow(unused_variables)]
        impl $crate::wire::Wire for $name {
            #[inline]
            fn decode_into<T: $crate::wire::Trace>(
                &mut self,
                r: &mut $crate::wire::Reader<'_, T>,
            ) -> $crate::error::Result<()> {
                $($crate::isa::record::decode_field!(self, r, $field, $ty $(, $($gate)+)?);)*
                Ok(())
            }

            #[inline]
            fn encode(&self, w: &mut $crate::wire::Writer) -> $crate::error::Result<()> {
                $($crate::isa::record::encode_field!(self, w, $field, $ty $(, $($gate)+)?);)*
                Ok(())
            }

            #[inline]
            fn skip(r: &mut $crate::wire::Reader<'_>) -> $crate::error::Result<()> {
                $($crate::isa::record::skip_field!(r, $ty $(, $($gate)+)?);)*
                Ok(())
            }
        }

        impl $crate::isa::Operands for $name {
            #[inline]
            fn operands<V: $crate::operand::Visitor + ?Sized>(&self, visitor: &mut V) {
                $($crate::operand::Visit::visit(
                    &self.$field,
                    $crate::operand::slot!($field: $ty),
                    visitor,
                );)*
                let _ = visitor;
            }

            fn operands_mut<V: $crate::operand::VisitorMut + ?Sized>(&mut self, visitor: &mut V) {
                $($crate::operand::Visit::visit_mut(
                    &mut self.$field,
                    $crate::operand::slot!($field: $ty),
                    visitor,
                );)*
                let _ = visitor;
            }
        }

        #[cfg(feature = "proptest")]
        impl $crate::strategy::Generate for $name {
            #[allow(unused_variables)]
            fn strategy(
                format: $crate::format::Format,
            ) -> proptest::strategy::BoxedStrategy<Self> {
                use proptest::strategy::Strategy;
                $crate::strategy::nest!(
                    $($crate::isa::record::field_strategy!(format, $ty $(, $($gate)+)?)),*
                )
                .prop_map(|$crate::strategy::nest_pattern!($($field),*)| $name { $($field),* })
                .boxed()
            }
        }
    };
}

pub(super) use {
    decode_field, encode_field, field_default, field_gate, field_type, record, skip_field,
};

pub(crate) use gate_open;

#[cfg(feature = "proptest")]
pub(super) use field_strategy;

use crate::error::{ErrorKind, Place, Result};
use crate::wire::{Wire, Writer};

/// Encodes a field that exists only if `open`.
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
    Err(error.within(Place::Field(name)))
}
