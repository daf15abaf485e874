//! Sets of types, and checks of the types and sizes of message operands.

use core::fmt;

use super::context::{RuleContext, size_of_variable};
use crate::isa::payload::{Payload, Payloads, Sizes};
use crate::operand::{DataType, Raw, SurfaceId, Vector, VectorKind};
use crate::verify::field::Field;

/// A set of types.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Types(u32);

impl Types {
    pub(super) const UB: Types = Types::of(&[DataType::UB]);
    pub(super) const UW: Types = Types::of(&[DataType::UW]);
    pub(super) const UD: Types = Types::of(&[DataType::UD]);
    pub(super) const UQ: Types = Types::of(&[DataType::UQ]);
    pub(super) const D: Types = Types::of(&[DataType::D]);
    pub(super) const F: Types = Types::of(&[DataType::F]);
    /// 32-bit integers.
    pub(super) const INT32: Types = Types::of(&[DataType::UD, DataType::D]);
    /// All 32-bit types of data.
    pub(super) const ANY32: Types = Types::of(&[DataType::UD, DataType::D, DataType::F]);
    /// All 64-bit types of data.
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

/// Prints a list such as "ud, d or f".
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

/// The types of colors and of sampler parameters.
pub(super) const F_OR_HF: Types = Types::of(&[DataType::F, DataType::HF]);

/// The surfaces of a message that accesses neither shared local memory nor stateless memory.
pub(super) const IN_MEMORY: &str = "T1 to T4 or a declared surface";

/// T0, the shared local memory.
pub(super) const SLM: SurfaceId = SurfaceId(0);
/// T5, stateless memory.
pub(super) const STATELESS: SurfaceId = SurfaceId(5);

impl RuleContext<'_, '_> {
    /// Requires that a raw operand's variable has one of these types, if the routine declares it.
    #[inline(always)]
    pub(super) fn require_type(&mut self, field: Field, raw: Raw, types: Types) {
        if let Some(ty) = self.raw_ty(raw).filter(|ty| !types.contains(*ty)) {
            self.fail(field, ty, types);
        }
    }

    /// Requires that an optional raw operand has this type, if it is present.
    #[inline(always)]
    pub(super) fn require_type_if_present(&mut self, field: Field, raw: Option<Raw>, ty: DataType) {
        self.require_type(field, raw.unwrap_or(Raw::NULL), Types::of(&[ty]));
    }

    /// Requires that a scalar has one of these types. Operands that are not scalars break another
    /// rule.
    #[inline(always)]
    pub(super) fn require_scalar_type(&mut self, field: Field, operand: &Vector, types: Types) {
        use VectorKind::{General, Immediate, Indirect};
        if let General { .. } | Indirect { .. } | Immediate(_) = operand.kind {
            if let Some(ty) = self.ty(operand).filter(|ty| !types.contains(*ty)) {
                self.fail(field, ty, types);
            }
        }
    }

    /// Requires that a raw operand's variable has this number of bytes from the operand's offset
    /// on, if the routine declares it. An offset past the end breaks another rule.
    #[inline(always)]
    pub(super) fn require_bytes(&mut self, field: Field, raw: Raw, bytes: i64) {
        if self.bytes_left(raw).is_some_and(|left| (1..bytes).contains(&left)) {
            self.fail_size(field, raw, bytes);
        }
    }

    /// Requires that a raw operand's variable has the bytes that the message transfers. An offset
    /// past the end breaks another rule.
    #[inline(always)]
    pub(super) fn require_payload(&mut self, i: &impl Payloads, field: Field, raw: Raw) {
        self.require_bytes(field, raw, self.payload_bytes(i, field, raw));
    }

    /// Returns the number of bytes from a raw operand's offset on that a message transfers; 0 if it
    /// is unknown.
    #[inline(always)]
    pub(super) fn payload_bytes(&self, i: &impl Payloads, field: Field, raw: Raw) -> i64 {
        self.payload(i, field, raw).map_or(0, |payload| payload.bytes())
    }

    /// Returns what a message transfers from a raw operand's offset on; `None` if it is unknown.
    #[inline(always)]
    pub(super) fn payload(&self, i: &impl Payloads, field: Field, raw: Raw) -> Option<Payload> {
        let element = self.raw_ty(raw).map_or(0, DataType::size) as u32;
        i.payload(field.name(), Sizes { element, register: self.cx.registers.bytes() })
    }

    /// Like [`payload_bytes`](Self::payload_bytes), but 0 if the message transfers only a part.
    pub(super) fn exact_payload_bytes(&self, i: &impl Payloads, field: Field, raw: Raw) -> i64 {
        let payload = self.payload(i, field, raw).filter(|payload| payload.is_exact);
        payload.map_or(0, |payload| payload.bytes())
    }

    /// Requires that a number of bytes from a raw operand's offset on is within the variable whose
    /// storage its variable shares, if the routine declares it. An offset past the end breaks
    /// another rule.
    pub(super) fn require_bytes_of_root(&mut self, field: Field, raw: Raw, bytes: i64) {
        let Some(((root, offset), (id, _))) = self.root(raw.var).zip(self.root_id(raw.var)) else {
            return;
        };
        let left = size_of_variable(root) - offset - i64::from(raw.offset);
        if (1..bytes).contains(&left) {
            let name = self.name(id);
            self.fail(
                field,
                format_args!("{left} in {name}"),
                format_args!("at least {bytes} bytes"),
            );
        }
    }

    /// Returns the start of a general operand as a raw operand, if the routine declares its
    /// variable.
    pub(super) fn start_of(&self, operand: &Vector) -> Option<Raw> {
        let VectorKind::General { var, row, col, .. } = operand.kind else { return None };
        let size = self.variable(var)?.ty.size() as i64;
        let offset = i64::from(row) * self.grf() + i64::from(col) * size;
        Some(Raw::new(var, u16::try_from(offset).ok()?))
    }

    /// Reports that a raw operand's variable has too few bytes from the operand's offset on.
    #[cold]
    #[inline(never)]
    pub(super) fn fail_size(&mut self, field: Field, raw: Raw, bytes: i64) {
        let left = self.bytes_left(raw).unwrap_or_default().max(0);
        let (name, expected) = (self.name(raw.var), alloc::format!("at least {bytes} bytes"));
        match raw.offset {
            0 => self.fail(field, format_args!("{left} in {name}"), expected),
            offset => {
                self.fail(field, format_args!("{left} in {name} from byte {offset} on"), expected);
            }
        }
    }

    /// Requires that the raw operands of type F or HF all have the same type.
    #[inline(always)]
    pub(super) fn require_same_type(&mut self, raws: impl Iterator<Item = (Field, Raw)>) {
        let mut first = None;
        for (field, raw) in raws {
            let Some(ty) = self.raw_ty(raw).filter(|ty| F_OR_HF.contains(*ty)) else { continue };
            let first = *first.get_or_insert(ty);
            if first != ty {
                return self.fail(field, ty, format_args!("{first}, as in the operands before it"));
            }
        }
    }
}

/// Returns the value of a constant scalar.
#[inline]
pub(super) fn constant(scalar: &Vector) -> Option<i64> {
    scalar.as_imm().and_then(|imm| imm.as_integer())
}
