//! The exec byte: execution size and mask (docs/format.md, 3.5 and 1.1).

use alloc::format;
use alloc::string::String;
use core::fmt;

use crate::error::{ErrorKind, Result};
use crate::format::{Format, Version};
use crate::wire::{Describe, Length, Reader, Trace, Wire, Writer};

/// The number of lanes of an instruction. Bits 0 to 3 of the exec byte: the binary logarithm, 0 to
/// 5.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ExecSize {
    /// One lane.
    #[default]
    S1 = 0,
    /// Two lanes.
    S2 = 1,
    /// Four lanes.
    S4 = 2,
    /// Eight lanes.
    S8 = 3,
    /// Sixteen lanes.
    S16 = 4,
    /// Thirty-two lanes.
    S32 = 5,
}

impl ExecSize {
    /// Every size in ascending order. The index is the encoding.
    pub const ALL: [ExecSize; 6] =
        [ExecSize::S1, ExecSize::S2, ExecSize::S4, ExecSize::S8, ExecSize::S16, ExecSize::S32];

    /// Returns the number of lanes.
    pub const fn lanes(self) -> usize {
        1 << self as u8
    }

    /// Returns the size that is encoded as `bits`, if there is one.
    pub const fn from_bits(bits: u8) -> Option<ExecSize> {
        if (bits as usize) < Self::ALL.len() { Some(Self::ALL[bits as usize]) } else { None }
    }
}

/// The number of lanes, also in binary formats.
#[cfg(feature = "serde")]
impl crate::serde_impls::Bits for ExecSize {
    type Repr = u8;

    fn to_repr(self) -> u8 {
        self.lanes() as u8
    }

    fn from_repr(lanes: u8) -> Option<ExecSize> {
        Self::ALL.into_iter().find(|size| size.lanes() == usize::from(lanes))
    }

    fn text(self) -> Option<alloc::borrow::Cow<'static, str>> {
        None
    }

    fn from_text(_: &str) -> Option<ExecSize> {
        None
    }

    fn expecting(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("1, 2, 4, 8, 16 or 32 lanes")
    }
}

#[cfg(feature = "serde")]
crate::serde_impls::by_bits!(ExecSize);

/// The first lane of an instruction, and whether inactive lanes run, too (`NM`, no mask).
///
/// Bits 4 to 7 of the exec byte. Since 3.1, 0 to 15 are [`M1`](Self::M1) to [`M8_NM`](Self::M8_NM).
/// In 3.0, 0 to 7 are M1 to M8 and 8 is M1_NM; readers interpret 9 to 15 as M1. These are
/// distinct values, [`legacy`](Self::legacy) masks, so that encoding reproduces them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExecMask(u8);

macro_rules! masks {
    ($($name:ident = $value:literal),*) => {
        impl ExecMask {
            $(
                #[doc = concat!("`", stringify!($name), "`, encoded as ", stringify!($value), ".")]
                pub const $name: ExecMask = ExecMask($value);
            )*

            pub(crate) const NAMES: [&'static str; 16] = [$(stringify!($name)),*];
        }
    };
}

masks!(
    M1 = 0,
    M2 = 1,
    M3 = 2,
    M4 = 3,
    M5 = 4,
    M6 = 5,
    M7 = 6,
    M8 = 7,
    M1_NM = 8,
    M2_NM = 9,
    M3_NM = 10,
    M4_NM = 11,
    M5_NM = 12,
    M6_NM = 13,
    M7_NM = 14,
    M8_NM = 15
);

impl ExecMask {
    /// Legacy masks are represented by this and their nibble.
    const LEGACY: u8 = 16;

    /// Returns the mask that is encoded as `bits`, 0 to 15, since 3.1.
    pub const fn from_bits(bits: u8) -> Option<ExecMask> {
        if bits < Self::LEGACY { Some(ExecMask(bits)) } else { None }
    }

    /// Returns one of the other encodings of M1 in 3.0: `nibble` is 9 (the default mask) to 15.
    pub const fn legacy(nibble: u8) -> Option<ExecMask> {
        if matches!(nibble, 9..=15) { Some(ExecMask(Self::LEGACY + nibble)) } else { None }
    }

    /// Returns the encoding of a legacy mask, 9 to 15; `None` for other masks.
    pub const fn legacy_nibble(self) -> Option<u8> {
        self.0.checked_sub(Self::LEGACY)
    }

    /// Returns a number from 0 to 31: the encoding since 3.1; for a legacy mask, its nibble plus 16.
    pub const fn code(self) -> u8 {
        self.0
    }

    /// Returns the mask with a [`code`](Self::code), or `None` if no mask has it.
    pub const fn from_code(code: u8) -> Option<ExecMask> {
        match code.checked_sub(Self::LEGACY) {
            Some(nibble) => ExecMask::legacy(nibble),
            None => ExecMask::from_bits(code),
        }
    }

    /// Returns M1 for a legacy mask, as readers do, and otherwise the mask itself.
    pub const fn canonical(self) -> ExecMask {
        if self.0 < Self::LEGACY { self } else { ExecMask::M1 }
    }

    /// Returns the name, `M1` to `M8_NM`; `M1` for a legacy mask.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self.index()]
    }

    /// Returns the index of the name in [`NAMES`](Self::NAMES).
    pub(crate) const fn index(self) -> usize {
        self.canonical().0 as usize
    }

    /// Returns the first lane: 0, 4, 8 and so on to 28.
    pub const fn first_lane(self) -> usize {
        (self.canonical().0 & 7) as usize * 4
    }

    /// Returns whether inactive lanes run, too (`_NM`).
    pub const fn is_no_mask(self) -> bool {
        self.canonical().0 >= ExecMask::M1_NM.0
    }

    /// Returns the mask that is encoded as a nibble in a format.
    #[inline(always)]
    pub(crate) fn from_nibble(nibble: u8, format: Format) -> ExecMask {
        if nibble > 8 { Self::from_high_nibble(nibble, format) } else { ExecMask(nibble) }
    }

    #[inline(never)]
    fn from_high_nibble(nibble: u8, format: Format) -> ExecMask {
        ExecMask(if format.old_masks() { Self::LEGACY + nibble } else { nibble })
    }

    /// Returns the encoding of the mask in the format of a writer.
    #[inline(always)]
    pub(crate) fn nibble(self, w: &Writer) -> Result<u8> {
        match self.legacy_nibble() {
            None if self.0 <= 8 || !w.format().old_masks() => Ok(self.0),
            None => Err(w.inexpressible("an execution mask from M2_NM to M8_NM")),
            Some(nibble) if w.format().old_masks() => Ok(nibble),
            Some(_) => Err(w.inexpressible("a legacy execution mask")),
        }
    }
}

impl fmt::Display for ExecMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for ExecMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.legacy_nibble() {
            None => write!(f, "ExecMask({self})"),
            Some(nibble) => write!(f, "ExecMask(legacy {nibble})"),
        }
    }
}

/// The encoding; for a legacy mask, its nibble plus 16.
#[cfg(feature = "serde")]
impl crate::serde_impls::Bits for ExecMask {
    type Repr = u8;

    fn to_repr(self) -> u8 {
        self.0
    }

    fn from_repr(bits: u8) -> Option<ExecMask> {
        match bits.checked_sub(Self::LEGACY) {
            None => Self::from_bits(bits),
            Some(nibble) => Self::legacy(nibble),
        }
    }

    fn text(self) -> Option<alloc::borrow::Cow<'static, str>> {
        // A legacy mask is not M1, although it has its name.
        self.legacy_nibble().is_none().then(|| self.name().into())
    }

    fn from_text(text: &str) -> Option<ExecMask> {
        crate::serde_impls::by_name(text)
    }

    fn expecting(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::serde_impls::write_names::<ExecMask>(f)?;
        f.write_str(" or their numbers, or 25 to 31 for the legacy masks 9 to 15")
    }
}

#[cfg(feature = "serde")]
crate::serde_impls::by_bits!(ExecMask);

/// The exec byte: execution size and mask.
///
/// An instruction runs on [`size`](Self::size) lanes from [`mask`](Self::mask) on. Text has it in
/// parentheses: `(M1, 16)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Exec {
    /// The number of lanes. Bits 0 to 3.
    pub size: ExecSize,
    /// The first lane, and whether inactive lanes run. Bits 4 to 7.
    pub mask: ExecMask,
}

impl Exec {
    /// Returns a size with a mask.
    pub const fn new(size: ExecSize, mask: ExecMask) -> Exec {
        Exec { size, mask }
    }
}

impl From<ExecSize> for Exec {
    /// Returns the size with the mask M1.
    fn from(size: ExecSize) -> Exec {
        Exec::new(size, ExecMask::M1)
    }
}

impl fmt::Display for Exec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.mask, self.size.lanes())
    }
}

impl Describe for Exec {
    fn meaning(&self, format: Format) -> String {
        let first = self.mask.first_lane();
        let lanes = match self.size.lanes() {
            1 => format!("lane {first}"),
            n => format!("lanes {first} to {}", first + n - 1),
        };
        let mut text = lanes;
        if self.mask.is_no_mask() {
            text.push_str(", active or not");
        }
        if format.version == Version::V3_0 && self.mask.legacy_nibble().is_some() {
            text.push_str(" (an old code for M1)");
        }
        text
    }
}

impl Wire for Exec {
    const LENGTH: Length = Length::Fixed(1);

    #[inline(always)]
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let byte = r.u8()?;
        let Some(size) = ExecSize::from_bits(byte & 0xf) else {
            let value = u32::from(byte & 0xf);
            let expected = "an execution size (0 to 5)";
            return Err(r.error_back(1, ErrorKind::InvalidValue { value, expected }));
        };
        *self = Exec { size, mask: ExecMask::from_nibble(byte >> 4, r.format()) };
        Ok(())
    }

    #[inline(always)]
    fn encode(&self, w: &mut Writer) -> Result<()> {
        let mask = self.mask.nibble(w)?;
        w.u8(self.size as u8 | mask << 4);
        Ok(())
    }
}
