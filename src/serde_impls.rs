//! What `serde`'s derives cannot do (feature `serde`): fields whose values are checked.
//!
//! People's formats, such as JSON, show a value by its name where it has one and by its bits where
//! not, and take both. Other formats hold the bits. Either way the bits pass the type's own check.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use bitflags::Flags;
use serde::de::{DeserializeOwned, Deserializer, Error, Expected, Unexpected, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// A value that is bits, of which not all are legal.
pub(crate) trait Bits: Copy {
    /// The integer that holds the bits.
    type Repr: Copy + Into<u64> + TryFrom<u64> + Serialize + DeserializeOwned;

    fn to_repr(self) -> Self::Repr;

    /// `None` where a bit is set that must not be.
    fn from_repr(bits: Self::Repr) -> Option<Self>;

    /// The name, for values that have one.
    fn text(self) -> Option<Cow<'static, str>>;

    /// The value of a name.
    fn from_text(text: &str) -> Option<Self>;

    /// What is legal, for errors.
    fn expecting(f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

pub(crate) fn serialize<B: Bits, S: Serializer>(value: B, s: S) -> Result<S::Ok, S::Error> {
    match value.text() {
        Some(text) if s.is_human_readable() => s.serialize_str(&text),
        _ => value.to_repr().serialize(s),
    }
}

pub(crate) fn deserialize<'de, B: Bits, D: Deserializer<'de>>(d: D) -> Result<B, D::Error> {
    let either = Either(PhantomData);
    if d.is_human_readable() {
        return d.deserialize_any(either);
    }
    let bits = B::Repr::deserialize(d)?;
    B::from_repr(bits).ok_or_else(|| wrong(Unexpected::Unsigned(bits.into()), &either))
}

fn wrong<E: Error>(found: Unexpected<'_>, expected: &dyn Expected) -> E {
    E::invalid_value(found, expected)
}

/// A name or bits.
struct Either<B>(PhantomData<B>);

impl<B: Bits> Visitor<'_> for Either<B> {
    type Value = B;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        B::expecting(f)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<B, E> {
        B::from_text(text).ok_or_else(|| wrong(Unexpected::Str(text), &self))
    }

    fn visit_u64<E: Error>(self, bits: u64) -> Result<B, E> {
        let value = B::Repr::try_from(bits).ok().and_then(B::from_repr);
        value.ok_or_else(|| wrong(Unexpected::Unsigned(bits), &self))
    }

    /// Some formats know signed integers only.
    fn visit_i64<E: Error>(self, bits: i64) -> Result<B, E> {
        match bits.try_into() {
            Ok(bits) => self.visit_u64(bits),
            Err(_) => Err(wrong(Unexpected::Signed(bits), &self)),
        }
    }
}

/// All legal values of a byte.
fn all<B: Bits<Repr = u8>>() -> impl Iterator<Item = B> {
    (0..=u8::MAX).filter_map(B::from_repr)
}

/// The value of a byte by its name.
pub(crate) fn by_name<B: Bits<Repr = u8>>(text: &str) -> Option<B> {
    all::<B>().find(|value| value.text().is_some_and(|name| name == text))
}

/// Writes the names that a byte can have.
pub(crate) fn write_names<B: Bits<Repr = u8>>(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (i, name) in all::<B>().filter_map(B::text).enumerate() {
        write!(f, "{}{name}", if i == 0 { "" } else { ", " })?;
    }
    Ok(())
}

/// The names of the flags that are set, as `A | B`; nothing for none.
pub(crate) fn flags_text<F: Flags<Bits: bitflags::parser::WriteHex>>(
    flags: &F,
) -> Option<Cow<'static, str>> {
    let mut text = String::new();
    bitflags::parser::to_writer(flags, &mut text).ok()?;
    Some(text.into())
}

/// Writes the names that flags can have.
pub(crate) fn write_flags<F: Flags>(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("flags out of")?;
    F::FLAGS.iter().try_for_each(|flag| write!(f, " {}", flag.name()))?;
    f.write_str(" with | between them, or their bits")
}

/// `Serialize` and `Deserialize` by [`Bits`].
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

/// A type that has `bits` and `from_bits`, and no names.
macro_rules! as_bits {
    ($name:ident: $repr:ty, $expected:literal) => {
        impl $crate::serde_impls::Bits for $name {
            type Repr = $repr;

            fn to_repr(self) -> $repr {
                self.bits()
            }

            fn from_repr(bits: $repr) -> Option<$name> {
                // Some types take any bits, and return no option.
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

/// A type that has `bits` and `from_bits` of a byte, and a name for some of them.
macro_rules! as_code {
    ($name:ident: |$code:ident| $text:expr, $otherwise:expr) => {
        impl $crate::serde_impls::Bits for $name {
            type Repr = u8;

            fn to_repr(self) -> u8 {
                self.bits()
            }

            fn from_repr(bits: u8) -> Option<$name> {
                // Some types take any bits, and return no option.
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

/// `bitflags`, without those that `from_bits_retain` lets in.
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

/// A list in place, of items that [`Deref`](core::ops::Deref) shows and `new` counts.
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
