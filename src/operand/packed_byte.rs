//! The macro that defines a byte of several fields.

/// Defines a byte of several fields. Bits without a meaning are preserved. The names of its values are those of a
/// code in its low bits.
macro_rules! packed_byte {
    ($(#[$doc:meta])* pub struct $name:ident $(($code:ident))?;) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name(u8);

        impl $name {
            /// Returns the field with a byte.
            pub const fn from_bits(bits: u8) -> Self {
                $name(bits)
            }

            /// Returns the byte.
            pub const fn bits(self) -> u8 {
                self.0
            }
        }

        impl $crate::wire::Wire for $name {
            const LENGTH: $crate::wire::Length = $crate::wire::Length::Fixed(1);

            $(
                #[cfg(feature = "text")]
                const VALUES: &'static [$crate::wire::NamedValue] =
                    <$code as $crate::wire::Wire>::VALUES;
            )?

            #[inline(always)]
            fn decode_into<T: $crate::wire::Trace>(
                &mut self,
                r: &mut $crate::wire::Reader<'_, T>,
            ) -> $crate::error::Result<()> {
                self.0 = r.u8()?;
                Ok(())
            }

            #[inline(always)]
            fn encode(&self, w: &mut $crate::wire::Writer) -> $crate::error::Result<()> {
                w.u8(self.0);
                Ok(())
            }
        }
    };
}

pub(super) use packed_byte;
