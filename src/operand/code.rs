//! The macro that defines coded fields: newtypes of a byte with names for known values.
//!
//! Values without a name are preserved, and printed as numbers. Only bits outside the width of the
//! field are invalid. The expansion of
//!
//! ```text
//! code! {
//!     /// Docs.
//!     pub struct Plane(max 7) { Y = 0 "y" }
//! }
//! ```
//!
//! is a `struct Plane` of one byte with the constant `Plane::Y`, conversions from and to bits,
//! `Display` (the name, or else the number), and [`Wire`](crate::wire::Wire) as a byte that is at
//! most 7.

macro_rules! code {
    (
        $(#[$doc:meta])*
        pub struct $name:ident(max $max:literal) {
            $($(#[doc = $item_doc:literal])* $item:ident = $value:literal $text:literal,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u8);

        impl $name {
            /// The maximum value of the field.
            pub const MAX_BITS: u8 = $max;

            $(
                $(#[doc = $item_doc])*
                #[doc = concat!("`", $text, "`, encoded as ", stringify!($value), ".")]
                pub const $item: $name = $name($value);
            )*

            /// The values with a name.
            pub const NAMED: &'static [$name] = &[$($name::$item),*];

            /// Returns the value that is encoded as `bits`, or `None` if it is more than
            /// [`MAX_BITS`](Self::MAX_BITS).
            pub const fn from_bits(bits: u8) -> Option<$name> {
                if bits | $max == $max { Some($name(bits)) } else { None }
            }

            /// Returns the encoding.
            pub const fn bits(self) -> u8 {
                self.0
            }

            /// Returns the name, if the value has one.
            pub const fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($value => Some($text),)*
                    _ => None,
                }
            }

            /// Returns what the value means, or an empty text.
            #[cfg(feature = "text")]
            pub const fn meaning(self) -> &'static str {
                match self.0 {
                    $($value => concat!("" $(, $item_doc)*),)*
                    _ => "",
                }
            }

            /// Returns the value in the low bits of a byte that contains other fields, too.
            #[allow(dead_code)]
            pub(crate) const fn from_low_bits(bits: u8) -> $name {
                $name(bits & $max)
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self.name() {
                    Some(name) => f.pad(name),
                    None => write!(f, "{:#x}", self.0),
                }
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }

        #[cfg(feature = "serde")]
        $crate::serde_impls::as_code!($name: |code| code.name(), concat!("a number up to ", $max));

        impl $crate::wire::Describe for $name {}

        impl $crate::operand::Visit for $name {}

        impl $crate::wire::Wire for $name {
            const LENGTH: $crate::wire::Length = $crate::wire::Length::Fixed(1);

            #[cfg(feature = "text")]
            const VALUES: &'static [$crate::wire::NamedValue] = &[$(
                $crate::wire::NamedValue {
                    bits: $value,
                    name: $text,
                    meaning: concat!("" $(, $item_doc)*),
                },
            )*];

            #[inline(always)]
            fn decode_into<T: $crate::wire::Trace>(
                &mut self,
                r: &mut $crate::wire::Reader<'_, T>,
            ) -> $crate::error::Result<()> {
                *self = $name(r.byte_without(!$max)?);
                Ok(())
            }

            #[inline(always)]
            fn encode(&self, w: &mut $crate::wire::Writer) -> $crate::error::Result<()> {
                w.u8(self.0);
                Ok(())
            }
        }

        #[cfg(feature = "proptest")]
        impl $crate::generate::Generate for $name {
            fn strategy(_: $crate::format::Format) -> proptest::strategy::BoxedStrategy<Self> {
                use proptest::strategy::Strategy;
                (0u8..=$max).prop_map($name).boxed()
            }
        }
    };
}

pub(crate) use code;
