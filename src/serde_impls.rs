//! `Serialize` and `Deserialize` for types whose values are checked (feature `serde`).
//!
//! Human-readable formats, such as JSON, represent a value by its name if it has one, and otherwise
//! by its bits; both are accepted as input. Other formats represent it by its bits. In both cases
//! the constructor of the type checks the bits.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use bitflags::Flags;
use serde::de::{DeserializeOwned, Deserializer, Error, Expected, Unexpected, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// A type with an integer representation. Some integers may be invalid.
pub(crate) trait Bits: Copy {
    /// The integer type of the representation.
    type Repr: Copy + Into<u64> + TryFrom<u64> + Serialize + DeserializeOwned;

    fn to_repr(self) -> Self::Repr;

    /// Returns `None` if the value is invalid.
    fn from_repr(bits: Self::Repr) -> Option<Self>;

    /// Returns the name, if the value has one.
    fn text(self) -> Option<Cow<'static, str>>;

    /// Returns the value with a name.
    fn from_text(text: &str) -> Option<Self>;

    /// Writes which values are valid, for errors.
    fn expecting(f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

pub(crate) fn serialize<B: Bits, S: Serializer>(value: B, s: S) -> Result<S::Ok, S::Error> {
    match value.text() {
        Some(text) if s.is_human_readable() => s.serialize_str(&text),
        _ => value.to_repr().serialize(s),
    }
}

pub(crate) fn deserialize<'de, B: Bits, D: Deserializer<'de>>(d: D) -> Result<B, D::Error> {
    let visitor = NameOrBits(PhantomData);
    if d.is_human_readable() {
        return d.deserialize_any(visitor);
    }
    let bits = B::Repr::deserialize(d)?;
    B::from_repr(bits).ok_or_else(|| invalid_value(Unexpected::Unsigned(bits.into()), &visitor))
}

fn invalid_value<E: Error>(found: Unexpected<'_>, expected: &dyn Expected) -> E {
    E::invalid_value(found, expected)
}

/// Visits a name or bits.
struct NameOrBits<B>(PhantomData<B>);

impl<B: Bits> Visitor<'_> for NameOrBits<B> {
    type Value = B;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        B::expecting(f)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<B, E> {
        B::from_text(text).ok_or_else(|| invalid_value(Unexpected::Str(text), &self))
    }

    fn visit_u64<E: Error>(self, bits: u64) -> Result<B, E> {
        let value = B::Repr::try_from(bits).ok().and_then(B::from_repr);
        value.ok_or_else(|| invalid_value(Unexpected::Unsigned(bits), &self))
    }

    /// Some formats have signed integers only.
    fn visit_i64<E: Error>(self, bits: i64) -> Result<B, E> {
        match bits.try_into() {
            Ok(bits) => self.visit_u64(bits),
            Err(_) => Err(invalid_value(Unexpected::Signed(bits), &self)),
        }
    }
}

/// Returns all valid values of a type of one byte.
fn all<B: Bits<Repr = u8>>() -> impl Iterator<Item = B> {
    (0..=u8::MAX).filter_map(B::from_repr)
}

/// Returns the value of a type of one byte with a name.
pub(crate) fn by_name<B: Bits<Repr = u8>>(text: &str) -> Option<B> {
    all::<B>().find(|value| value.text().is_some_and(|name| name == text))
}

/// Writes all names of a type of one byte.
pub(crate) fn write_names<B: Bits<Repr = u8>>(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (i, name) in all::<B>().filter_map(B::text).enumerate() {
        write!(f, "{}{name}", if i == 0 { "" } else { ", " })?;
    }
    Ok(())
}

/// Returns the names of the flags that are set, as `A | B`; an empty string if none is.
pub(crate) fn flags_text<F: Flags<Bits: bitflags::parser::WriteHex>>(
    flags: &F,
) -> Option<Cow<'static, str>> {
    let mut text = String::new();
    bitflags::parser::to_writer(flags, &mut text).ok()?;
    Some(text.into())
}

/// Writes all names of flags.
pub(crate) fn write_flags<F: Flags>(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("flags out of")?;
    F::FLAGS.iter().try_for_each(|flag| write!(f, " {}", flag.name()))?;
    f.write_str(" separated by |, or their bits")
}

/// Implements `Serialize` and `Deserialize` by means of [`Bits`].
macro_rules! by_bits {
    ($name:ident) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                $crate::serde_impls::serialize(*self, s)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<$name, D::Error> {
                $crate::serde_impls::deserialize(d)
            }
        }
    };
}

/// Implements [`Bits`] for a type with `bits` and `from_bits`, and without names.
macro_rules! as_bits {
    ($name:ident: $repr:ty, $expected:literal) => {
        impl $crate::serde_impls::Bits for $name {
            type Repr = $repr;

            fn to_repr(self) -> $repr {
                self.bits()
            }

            fn from_repr(bits: $repr) -> Option<$name> {
                // `from_bits` returns a value or an `Option`.
                $name::from_bits(bits).into()
            }

            fn text(self) -> Option<alloc::borrow::Cow<'static, str>> {
                None
            }

            fn from_text(_: &str) -> Option<$name> {
                None
            }

            fn expecting(f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str($expected)
            }
        }

        $crate::serde_impls::by_bits!($name);
    };
}

/// Implements [`Bits`] for a type of one byte with `bits`, `from_bits` and names for some values.
macro_rules! as_code {
    ($name:ident: |$code:ident| $text:expr, $otherwise:expr) => {
        impl $crate::serde_impls::Bits for $name {
            type Repr = u8;

            fn to_repr(self) -> u8 {
                self.bits()
            }

            fn from_repr(bits: u8) -> Option<$name> {
                // `from_bits` returns a value or an `Option`.
                $name::from_bits(bits).into()
            }

            fn text(self) -> Option<alloc::borrow::Cow<'static, str>> {
                let $code = self;
                $text.map(alloc::borrow::Cow::from)
            }

            fn from_text(text: &str) -> Option<$name> {
                $crate::serde_impls::by_name(text)
            }

            fn expecting(f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $crate::serde_impls::write_names::<$name>(f)?;
                f.write_str(concat!(" or ", $otherwise))
            }
        }

        $crate::serde_impls::by_bits!($name);
    };
}

/// Implements [`Bits`] for `bitflags`. Unknown bits are invalid.
macro_rules! as_flags {
    ($($name:ident: $repr:ty;)*) => {$(
        impl $crate::serde_impls::Bits for $name {
            type Repr = $repr;

            fn to_repr(self) -> $repr {
                self.bits()
            }

            fn from_repr(bits: $repr) -> Option<$name> {
                $name::from_bits(bits)
            }

            fn text(self) -> Option<alloc::borrow::Cow<'static, str>> {
                $crate::serde_impls::flags_text(&self)
            }

            fn from_text(text: &str) -> Option<$name> {
                bitflags::parser::from_str_strict(text).ok()
            }

            fn expecting(f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $crate::serde_impls::write_flags::<$name>(f)
            }
        }

        $crate::serde_impls::by_bits!($name);
    )*};
}

/// Implements `Serialize` and `Deserialize` for a list whose constructor checks the number of
/// items.
macro_rules! as_list {
    ($name:ident of $item:ident, $expected:literal) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_seq(self.iter())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<$name, D::Error> {
                $crate::serde_impls::deserialize_list::<$item, $name, D>(d, $name::new, &$expected)
            }
        }
    };
}

pub(crate) fn deserialize_list<'de, I: Deserialize<'de>, L, D: Deserializer<'de>>(
    d: D,
    new: impl FnOnce(&[I]) -> Option<L>,
    expected: &dyn Expected,
) -> Result<L, D::Error> {
    let items = Vec::deserialize(d)?;
    new(&items).ok_or_else(|| D::Error::invalid_length(items.len(), expected))
}

pub(crate) use {as_bits, as_code, as_flags, as_list, by_bits};
