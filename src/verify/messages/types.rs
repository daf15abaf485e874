//! Sets of types, and operands that are to be of one of them.

use core::fmt;

use crate::operand::{DataType, Raw, Vector, VectorKind};
use crate::verify::context::At;

/// A set of types, shown as `ud, d or f`.
#[derive(Clone, Copy)]
pub(super) struct Types(u16);

impl Types {
    pub(super) const UB: Types = Types::of(&[DataType::UB]);
    pub(super) const UW: Types = Types::of(&[DataType::UW]);
    pub(super) const UD: Types = Types::of(&[DataType::UD]);
    pub(super) const UQ: Types = Types::of(&[DataType::UQ]);
    pub(super) const D: Types = Types::of(&[DataType::D]);
    pub(super) const F: Types = Types::of(&[DataType::F]);
    /// Integers of four bytes.
    pub(super) const INT32: Types = Types::of(&[DataType::UD, DataType::D]);
    /// What a message moves in four bytes.
    pub(super) const ANY32: Types = Types::of(&[DataType::UD, DataType::D, DataType::F]);
    /// What a message moves in eight bytes.
    pub(super) const ANY64: Types = Types::of(&[DataType::UQ, DataType::Q, DataType::DF]);

    pub(super) const fn of(mut types: &[DataType]) -> Types {
        let mut bits = 0;
        while let Some((ty, rest)) = types.split_first() {
            bits |= 1 << ty.bits();
            types = rest;
        }
        Types(bits)
    }

    pub(super) const fn contains(self, ty: DataType) -> bool {
        (self.0 >> ty.bits()) & 1 != 0
    }
}

impl fmt::Display for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = self.0;
        for ty in (0..=DataType::MAX_BITS).filter_map(DataType::from_bits) {
            if !self.contains(ty) {
                continue;
            }
            if left != self.0 {
                f.write_str(if left.is_power_of_two() { " or " } else { ", " })?;
            }
            left &= !(1 << ty.bits());
            write!(f, "{ty}")?;
        }
        Ok(())
    }
}

/// A raw operand whose variable the routine declares is of one of the types.
#[inline]
pub(super) fn raw_is(c: &mut At<'_, '_>, field: &'static str, raw: Raw, types: Types) {
    if let Some(ty) = c.raw_ty(raw).filter(|ty| !types.contains(*ty)) {
        c.fail(field, ty, types);
    }
}

/// A scalar of a class that scalars may have is of one of the types.
#[inline]
pub(super) fn scalar_is(c: &mut At<'_, '_>, field: &'static str, scalar: &Vector, types: Types) {
    let has_class = matches!(
        scalar.kind,
        VectorKind::General { .. } | VectorKind::Indirect { .. } | VectorKind::Immediate(_)
    );
    if let Some(ty) = c.ty(scalar).filter(|ty| has_class && !types.contains(*ty)) {
        c.fail(field, ty, types);
    }
}

/// A constant scalar's value.
#[inline]
pub(super) fn constant(scalar: &Vector) -> Option<i64> {
    scalar.as_imm().and_then(|imm| imm.as_integer())
}
