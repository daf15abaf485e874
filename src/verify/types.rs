//! Sets of types, and what messages demand of their operands: that they are of a type, or have room.

use core::fmt;

use super::context::RuleContext;
use crate::operand::{DataType, Raw, SurfaceId, Vector, VectorKind};

/// A set of types.
#[derive(Clone, Copy, PartialEq, Eq)]
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
        while let [ty, others @ ..] = types {
            bits |= 1 << ty.bits();
            types = others;
        }
        Types(bits)
    }

    #[inline(always)]
    pub(super) const fn contains(self, ty: DataType) -> bool {
        self.0 >> ty.bits() & 1 != 0
    }
}

/// As in "ud, d or f".
impl fmt::Display for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = self.0.count_ones();
        for ty in DataType::NAMED.iter().filter(|ty| self.contains(**ty)) {
            left -= 1;
            let separator = match left {
                0 => "",
                1 => " or ",
                _ => ", ",
            };
            write!(f, "{ty}{separator}")?;
        }
        Ok(())
    }
}

/// What colours, samples and the parameters of samplers are made of.
pub(super) const F_OR_HF: Types = Types::of(&[DataType::F, DataType::HF]);

/// What a message to memory that is neither shared nor stateless expects instead.
pub(super) const IN_MEMORY: &str = "T1 to T4 or a declared surface";

/// Whether it is T0, shared local memory, or T5, stateless memory.
#[inline(always)]
pub(super) const fn is_slm_or_stateless(surface: SurfaceId) -> bool {
    matches!(surface.0, 0 | 5)
}

impl RuleContext<'_, '_> {
    /// A raw operand's variable is of one of these types, if the routine declares it.
    #[inline(always)]
    pub(super) fn wants(&mut self, field: &'static str, raw: Raw, types: Types) {
        if let Some(ty) = self.raw_ty(raw).filter(|ty| !types.contains(*ty)) {
            self.fail(field, ty, types);
        }
    }

    /// A raw operand that may be missing, the same.
    #[inline(always)]
    pub(super) fn wants_if_there(&mut self, field: &'static str, raw: Option<Raw>, ty: DataType) {
        self.wants(field, raw.unwrap_or(Raw::NULL), Types::of(&[ty]));
    }

    /// A scalar's elements are of one of these types. Operands that are not scalars break another rule.
    #[inline(always)]
    pub(super) fn wants_scalar(&mut self, field: &'static str, operand: &Vector, types: Types) {
        use VectorKind::{General, Immediate, Indirect};
        if let General { .. } | Indirect { .. } | Immediate(_) = operand.kind {
            if let Some(ty) = self.ty(operand).filter(|ty| !types.contains(*ty)) {
                self.fail(field, ty, types);
            }
        }
    }

    /// A raw operand's variable has so many bytes from the operand's offset on, if the routine
    /// declares it. An offset behind its end breaks another rule.
    #[inline(always)]
    pub(super) fn needs(&mut self, field: &'static str, raw: Raw, bytes: i64) {
        if let Some(room) = self.room(raw).filter(|room| (1..bytes).contains(room)) {
            self.fail(field, format_args!("{room} bytes"), format_args!("at least {bytes}"));
        }
    }

    /// A raw operand has room for an element a lane, if its variable is of one of these types.
    /// Other types break another rule.
    #[inline(always)]
    pub(super) fn needs_lanes(&mut self, field: &'static str, raw: Raw, types: Types, lanes: i64) {
        if let Some(ty) = self.raw_ty(raw).filter(|ty| types.contains(*ty)) {
            self.needs(field, raw, lanes * ty.size() as i64);
        }
    }

    /// The raw operands that are [`F_OR_HF`] are all of one type.
    #[inline(always)]
    pub(super) fn wants_alike(&mut self, raws: impl Iterator<Item = (&'static str, Raw)>) {
        let mut first = None;
        for (field, raw) in raws {
            let Some(ty) = self.raw_ty(raw).filter(|ty| F_OR_HF.contains(*ty)) else { continue };
            let first = *first.get_or_insert(ty);
            if first != ty {
                return self.fail(field, ty, format_args!("{first}, like those before it"));
            }
        }
    }
}

/// A constant scalar's value.
#[inline]
pub(super) fn constant(scalar: &Vector) -> Option<i64> {
    scalar.as_imm().and_then(|imm| imm.as_integer())
}
