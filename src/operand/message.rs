//! Coded fields of messages, atomics, comparisons and barriers (docs/format.md, 3.6 and 5).

use alloc::format;
use alloc::string::String;
use core::fmt;

use super::channels::ChannelMask;
use super::code::code;
use super::exec::ExecMask;
use crate::error::Result;
use crate::format::Format;
use crate::wire::{Describe, Length, Reader, Trace, Wire, Writer};

code! {
    /// The modifiers of MEDIA_LD and MEDIA_ST. Bits 0 to 2 of a byte; the others must be zero.
    ///
    /// MEDIA_LD.md lists `nomod`, `top` and `bottom`. Readers also support the other three, and
    /// kernels often use `modified` (docs/format.md, 4.2).
    pub struct MediaModifier(max 7) {
        /// No modifier.
        NOMOD = 0 "nomod",
        /// The surface was modified.
        MODIFIED = 1 "modified",
        /// The top field of an interleaved surface.
        TOP = 2 "top",
        /// The bottom field of an interleaved surface.
        BOTTOM = 3 "bottom",
        /// The top field, modified.
        TOP_MOD = 4 "top_mod",
        /// The bottom field, modified.
        BOTTOM_MOD = 5 "bottom_mod",
    }
}

code! {
    /// The relation that CMP tests.
    pub struct RelOp(max 7) {
        /// Equal.
        EQ = 0 "eq",
        /// Not equal.
        NE = 1 "ne",
        /// Greater.
        GT = 2 "gt",
        /// Greater or equal.
        GE = 3 "ge",
        /// Less.
        LT = 4 "lt",
        /// Less or equal.
        LE = 5 "le",
    }
}

code! {
    /// The operation of FMINMAX.
    pub struct MinMaxOp(max 255) {
        /// Minimum.
        MIN = 0 "min",
        /// Maximum.
        MAX = 1 "max",
    }
}

code! {
    /// The number of owords that a block message transfers. Bits 0 to 2 of a byte; the others must
    /// be zero.
    pub struct OwordNum(max 7) {
        /// 16 bytes.
        N1 = 0 "1",
        /// 32 bytes.
        N2 = 1 "2",
        /// 64 bytes.
        N4 = 2 "4",
        /// 128 bytes.
        N8 = 3 "8",
        /// 256 bytes.
        N16 = 4 "16",
    }
}

code! {
    /// The size of an element of GATHER and SCATTER.
    pub struct ElementSize(max 255) {
        /// 1 byte.
        BYTE = 0 "byte",
        /// 2 bytes.
        WORD = 1 "word",
        /// 4 bytes.
        DWORD = 2 "dword",
    }
}

code! {
    /// The number of blocks per lane of scaled, qword and SVM gathers and scatters.
    pub struct BlockNum(max 255) {
        /// One.
        N1 = 0 "1",
        /// Two.
        N2 = 1 "2",
        /// Four.
        N4 = 2 "4",
        /// Eight.
        N8 = 3 "8",
    }
}

code! {
    /// The size of the blocks of SVM gathers and scatters.
    pub struct BlockType(max 255) {
        /// 1 byte.
        BYTE = 0 "byte",
        /// 4 bytes.
        DWORD = 1 "dword",
        /// 8 bytes.
        QWORD = 2 "qword",
    }
}

code! {
    /// The precision of a source of DPAS and DPASW.
    pub struct Precision(max 255) {
        /// 1-bit unsigned.
        U1 = 1 "u1",
        /// 1-bit signed.
        S1 = 2 "s1",
        /// 2-bit unsigned.
        U2 = 3 "u2",
        /// 2-bit signed.
        S2 = 4 "s2",
        /// 4-bit unsigned.
        U4 = 5 "u4",
        /// 4-bit signed.
        S4 = 6 "s4",
        /// 8-bit unsigned.
        U8 = 7 "u8",
        /// 8-bit signed.
        S8 = 8 "s8",
        /// 16-bit float with the exponent of `f`.
        BF16 = 9 "bf",
        /// 16-bit float.
        FP16 = 10 "hf",
        /// 8-bit float with a 5-bit exponent.
        BF8 = 11 "bf8",
        /// 19-bit float in 32 bits.
        TF32 = 12 "tf32",
        /// 8-bit float with a 4-bit exponent.
        HF8 = 14 "hf8",
        /// 4-bit float with a 2-bit exponent.
        E2M1 = 15 "e2m1",
    }
}

code! {
    /// The operation of LFSR: the number and the width of the sequences in a dword.
    pub struct LfsrOp(max 255) {
        /// One sequence of 32 bits.
        B32 = 0 "b32",
        /// Two sequences of 16 bits.
        B16V2 = 1 "b16v2",
        /// Four sequences of 8 bits.
        B8V4 = 2 "b8v4",
    }
}

code! {
    /// The types that DNSCL converts from and to.
    pub struct DnsclConversion(max 255) {
        /// BF to E2M1.
        BF_TO_E2M1 = 1 "bftoe2m1",
        /// BF to 4-bit integers.
        BF_TO_INT4 = 2 "bftoint4",
        /// HF to E2M1.
        HF_TO_E2M1 = 4 "hftoe2m1",
        /// HF to 4-bit integers.
        HF_TO_INT4 = 5 "hftoint4",
    }
}

code! {
    /// The positions of the results of DNSCL in a dword.
    pub struct DnsclMode(max 255) {
        /// Mode 0.
        MODE0 = 0 "mode0",
        /// Mode 1.
        MODE1 = 1 "mode1",
        /// Mode 2.
        MODE2 = 2 "mode2",
        /// Mode 3.
        MODE3 = 3 "mode3",
    }
}

code! {
    /// The rounding of DNSCL.
    pub struct DnsclRounding(max 255) {
        /// Stochastic.
        SRND = 0 "srnd",
        /// To the nearest, ties to even.
        RNE = 1 "rne",
    }
}

code! {
    /// Whether SBARRIER and NBARRIER wait or signal. Readers interpret other values as a signal, except
    /// that the reader of 2022 tests only the lowest bit for NBARRIER.
    pub struct BarrierMode(max 255) {
        /// Wait.
        WAIT = 0 "wait",
        /// Signal.
        SIGNAL = 1 "signal",
    }
}

code! {
    /// The operation of an atomic. Bits 0 to 4 of [`Atomic`].
    pub struct AtomicOp(max 31) {
        /// Integer addition.
        ADD = 0x00 "add",
        /// Integer subtraction.
        SUB = 0x01 "sub",
        /// Increment.
        INC = 0x02 "inc",
        /// Decrement.
        DEC = 0x03 "dec",
        /// Unsigned minimum.
        MIN = 0x04 "min",
        /// Unsigned maximum.
        MAX = 0x05 "max",
        /// Exchange.
        XCHG = 0x06 "xchg",
        /// Compare and exchange.
        CMPXCHG = 0x07 "cmpxchg",
        /// Bitwise and.
        AND = 0x08 "and",
        /// Bitwise or.
        OR = 0x09 "or",
        /// Bitwise exclusive or.
        XOR = 0x0a "xor",
        /// Signed minimum.
        IMIN = 0x0b "minsint",
        /// Signed maximum.
        IMAX = 0x0c "maxsint",
        /// Decrement before reading.
        PREDEC = 0x0d "predec",
        /// Float maximum.
        FMAX = 0x10 "fmax",
        /// Float minimum.
        FMIN = 0x11 "fmin",
        /// Float compare and write.
        FCMPWR = 0x12 "fcmpwr",
        /// Float addition.
        FADD = 0x13 "fadd",
        /// Float subtraction.
        FSUB = 0x14 "fsub",
    }
}

/// Defines a byte of several fields. Bits without a meaning are preserved.
macro_rules! packed_byte {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
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

        impl Wire for $name {
            const LENGTH: Length = Length::Fixed(1);

            #[inline(always)]
            fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
                self.0 = r.u8()?;
                Ok(())
            }

            #[inline(always)]
            fn encode(&self, w: &mut Writer) -> Result<()> {
                w.u8(self.0);
                Ok(())
            }
        }
    )*};
}

packed_byte! {
    /// The operation and width of an atomic. One byte: bits 0 to 4 the [operation](AtomicOp), bits
    /// 5 to 7 the width.
    Atomic;
    /// The relation of CMP. One byte: bits 0 to 2 the [relation](RelOp); bit 7 is set for CMPN,
    /// which readers ignore.
    Relation;
    /// The size and alignment of SVM_BLOCK_LD and SVM_BLOCK_ST. One byte: bits 0 to 2 the
    /// [size](OwordNum), bit 3 unaligned. The builder of the reference sets bit 7 instead of bit 3
    /// (docs/format.md, 5.5).
    SvmBlock;
}

impl Atomic {
    /// Returns an operation on elements of `width` bits, or `None` if this is not 16, 32 or 64.
    pub const fn new(op: AtomicOp, width: u8) -> Option<Atomic> {
        match width {
            16 => Some(Atomic(op.bits() | 0x20)),
            32 => Some(Atomic(op.bits())),
            64 => Some(Atomic(op.bits() | 0x40)),
            _ => None,
        }
    }

    /// Returns the operation.
    pub const fn op(self) -> AtomicOp {
        AtomicOp::from_low_bits(self.0)
    }

    /// Returns the width of an element in bits, as readers decode it: 16, 32 or 64.
    pub const fn width(self) -> u8 {
        match (self.0 >> 5, self.0 >> 6) {
            (1, _) => 16,
            (_, 1) => 64,
            _ => 32,
        }
    }
}

#[cfg(feature = "serde")]
impl Atomic {
    /// Returns the text, if it represents all bits.
    fn text(self) -> Option<String> {
        let is_usual = Atomic::new(self.op(), self.width()) == Some(self);
        (is_usual && self.op().name().is_some()).then(|| format!("{self}"))
    }
}

impl fmt::Display for Atomic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.width() {
            32 => write!(f, "{}", self.op()),
            width => write!(f, "{}.{width}", self.op()),
        }
    }
}

impl Describe for Atomic {
    fn meaning(&self, _: Format) -> String {
        format!("{}-bit elements", self.width())
    }
}

#[cfg(feature = "serde")]
crate::serde_impls::as_code!(
    Atomic: |atomic| atomic.text(),
    "a byte"
);

impl Relation {
    /// Returns the relation.
    pub const fn op(self) -> RelOp {
        RelOp::from_low_bits(self.0)
    }

    /// Returns whether the bit of the retired CMPN is set.
    pub const fn is_cmpn(self) -> bool {
        self.0 & 0x80 != 0
    }
}

#[cfg(feature = "serde")]
crate::serde_impls::as_code!(
    // A name cannot represent the CMPN bit.
    Relation: |relation| relation.op().name().filter(|_| Relation::from(relation.op()) == relation),
    "a byte"
);

impl From<RelOp> for Relation {
    fn from(op: RelOp) -> Relation {
        Relation(op.bits())
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.op())
    }
}

impl Describe for Relation {
    fn meaning(&self, _: Format) -> String {
        if self.is_cmpn() { "the old cmpn bit".into() } else { String::new() }
    }
}

impl SvmBlock {
    /// Returns a block of a size, at an aligned or unaligned address.
    pub const fn new(size: OwordNum, unaligned: bool) -> SvmBlock {
        SvmBlock(size.bits() | (unaligned as u8) << 3)
    }

    /// Returns the size.
    pub const fn size(self) -> OwordNum {
        OwordNum::from_low_bits(self.0)
    }

    /// Returns whether readers treat the address as unaligned.
    pub const fn is_unaligned(self) -> bool {
        self.0 & 8 != 0
    }
}

#[cfg(feature = "serde")]
crate::serde_impls::as_bits!(SvmBlock: u8, "a byte");

impl fmt::Display for SvmBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unaligned = if self.is_unaligned() { " unaligned" } else { "" };
        write!(f, "{} owords{unaligned}", self.size())
    }
}

impl Describe for SvmBlock {}

/// The number of elements and the mask of GATHER and SCATTER. One byte; bits 2 and 3 must be zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct NumElts {
    /// The number of elements. Bits 0 and 1.
    pub count: NumEltsCount,
    /// The mask, as in the exec byte. Bits 4 to 7.
    pub mask: ExecMask,
}

code! {
    /// The number of elements of GATHER and SCATTER. 3 has no meaning.
    pub struct NumEltsCount(max 3) {
        /// Eight.
        N8 = 0 "8",
        /// Sixteen.
        N16 = 1 "16",
        /// One.
        N1 = 2 "1",
    }
}

impl fmt::Display for NumElts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.mask, self.count)
    }
}

impl Describe for NumElts {}

impl Wire for NumElts {
    const LENGTH: Length = Length::Fixed(1);

    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let byte = r.byte_without(0x0c)?;
        self.count = NumEltsCount::from_low_bits(byte);
        self.mask = ExecMask::from_nibble(byte >> 4, r.format());
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        let mask = self.mask.nibble(w)?;
        w.u8(self.count.bits() | mask << 4);
        Ok(())
    }
}

/// The channels and the mode of SAMPLE, LOAD and SAMPLE_UNORM. One byte; bits 6 and 7 must be zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct ChannelsMode {
    /// The channels. Bits 0 to 3.
    pub channels: ChannelMask,
    /// The mode. Bits 4 and 5.
    pub mode: SampleMode,
}

code! {
    /// The mode of SAMPLE and LOAD (0 is SIMD8, others are SIMD16), and the output format of
    /// SAMPLE_UNORM.
    pub struct SampleMode(max 3) {
        /// SIMD8; 16 bits full.
        MODE0 = 0 "0",
        /// SIMD16; 16 bits, chrominance downsampled.
        MODE1 = 1 "1",
        /// SIMD16; 8 bits full.
        MODE2 = 2 "2",
        /// SIMD16; 8 bits, chrominance downsampled.
        MODE3 = 3 "3",
    }
}

impl fmt::Display for ChannelsMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, mode {}", self.channels, self.mode)
    }
}

impl Describe for ChannelsMode {}

impl Wire for ChannelsMode {
    const LENGTH: Length = Length::Fixed(1);

    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let byte = r.byte_without(0xc0)?;
        self.channels = ChannelMask::from_bits_truncate(byte);
        self.mode = SampleMode::from_low_bits(byte >> 4);
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.u8(self.channels.bits() | self.mode.bits() << 4);
        Ok(())
    }
}

/// The properties of LIFETIME. One byte; bits 1 to 3 must be zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct LifetimeProperties {
    /// Whether the lifetime ends here rather than starts. Bit 0.
    pub end: bool,
    /// The table of the variable. Bits 4 to 7.
    pub class: LifetimeClass,
}

code! {
    /// The table of the variable of LIFETIME.
    pub struct LifetimeClass(max 15) {
        /// General variables.
        GENERAL = 0 "general",
        /// Address variables.
        ADDRESS = 1 "address",
        /// Predicate variables.
        PREDICATE = 2 "predicate",
    }
}

impl fmt::Display for LifetimeProperties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.class, if self.end { "end" } else { "start" })
    }
}

impl Describe for LifetimeProperties {}

impl Wire for LifetimeProperties {
    const LENGTH: Length = Length::Fixed(1);

    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let byte = r.byte_without(0x0e)?;
        self.end = byte & 1 != 0;
        self.class = LifetimeClass::from_low_bits(byte >> 4);
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.u8(u8::from(self.end) | self.class.bits() << 4);
        Ok(())
    }
}
