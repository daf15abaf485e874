//! Ids of entries of the tables of a routine (docs/format.md, 1.1 and 2.6).

use core::fmt;

use crate::error::Result;
use crate::wire::{Describe, Length, Reader, Reference, Trace, Wire, Writer};

macro_rules! ids {
    ($(
        $(#[$doc:meta])*
        $name:ident($ty:ident) $prefix:literal, $read:ident / $write:ident
            $(, names $reference:ident)?;
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name(pub $ty);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", $prefix, self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }

        impl Describe for $name {
            $(
                fn reference(&self) -> Option<Reference> {
                    Some(Reference::$reference(self.0.into()))
                }
            )?
        }

        impl Wire for $name {
            const LENGTH: Length = ids!(@length $read);

            #[inline(always)]
            fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
                self.0 = r.$read()?;
                Ok(())
            }

            #[inline(always)]
            fn encode(&self, w: &mut Writer) -> Result<()> {
                ids!(@write $write, w, self.0)
            }
        }
    )*};
    (@length vid) => { Length::ByIds { narrow: 2, wide: 4 } };
    (@length $ty:ident) => { Length::Fixed(size_of::<$ty>() as u8) };
    (@write vid, $w:ident, $value:expr) => { $w.vid($value) };
    (@write $write:ident, $w:ident, $value:expr) => {{
        $w.$write($value);
        Ok(())
    }};
}

ids! {
    /// The id of a general variable. 0 to 31 are predefined, and the first declared one is 32. Two
    /// bytes before 3.4, four since.
    VarId(u32) "V", vid / vid;
    /// The id of a string of the string pool. 0 is the empty string. Two bytes before 3.4, four
    /// since.
    StringId(u32) "string ", vid / vid, names String;
    /// The id of a string of the string pool in a field of two bytes in every version: the callee
    /// of FCALL and FADDR.
    ShortStringId(u16) "string ", u16 / u16, names String;
    /// The id of an address variable. The first declared one is 0.
    AddrId(u16) "A", u16 / u16;
    /// The id of a predicate variable. 0 means no predicate, and the first declared one is 1.
    /// Operands have 12 bits for it.
    PredId(u16) "P", u16 / u16;
    /// The id of a label. The first declared one is 0.
    LabelId(u16) "label ", u16 / u16, names Label;
    /// The id of a surface. 0 to 5 are predefined, and the first declared one is 6.
    SurfaceId(u8) "T", u8 / u8;
    /// The id of a sampler. The first declared one is 0; 31 is the bindless sampler, which is not
    /// declared.
    SamplerId(u8) "S", u8 / u8;
}

impl VarId {
    /// The null variable, `%null`.
    pub const NULL: VarId = VarId(0);
    /// The id of the first variable that a routine declares. Lower ids are predefined.
    pub const FIRST_DECLARED: VarId = VarId(32);
}

impl PredId {
    /// The id of the first predicate that a routine declares.
    pub const FIRST_DECLARED: PredId = PredId(1);
}

impl SurfaceId {
    /// The id of the first surface that a routine declares. Lower ids are predefined.
    pub const FIRST_DECLARED: SurfaceId = SurfaceId(6);
}

impl SamplerId {
    /// The bindless sampler.
    pub const BINDLESS: SamplerId = SamplerId(31);
}
