//! Operations of atomics (docs/format.md, 3.6).

use alloc::format;
use alloc::string::String;
use core::fmt;

use super::code::code;
use super::packed_byte::packed_byte;
use crate::format::Format;
use crate::wire::Describe;

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

packed_byte! {
    /// The operation and width of an atomic. One byte: bits 0 to 4 the [operation](AtomicOp), bits
    /// 5 to 7 the width.
    pub struct Atomic(AtomicOp);
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
