//! Relations of comparisons (docs/format.md, 5.1).

use alloc::string::String;
use core::fmt;

use super::code::code;
use super::packed_byte::packed_byte;
use crate::format::Format;
use crate::wire::Describe;

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

packed_byte! {
    /// The relation of CMP. One byte: bits 0 to 2 the [relation](RelOp); bit 7 is set for CMPN,
    /// which readers ignore.
    pub struct Relation(RelOp);
}

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
