//! Rules for what vector operands name.

use super::{Operand, Role};
use crate::format::Dialect;
use crate::isa::Kind;
use crate::operand::{DataType, VarId, VectorKind};
use crate::verify::rule::rules;

/// A variable that an operand names.
pub(super) struct VariableUse {
    pub(super) field: &'static str,
    pub(super) var: VarId,
}

/// The first variable that has no meaning in the dialects that know the fewest.
pub(in crate::verify) const FIRST_RESERVED: VarId = VarId(VarId::PREDEFINED_IN_2022);

/// What a class is called.
fn class(kind: VectorKind) -> &'static str {
    match kind {
        VectorKind::General { .. } => "a general operand",
        VectorKind::Address { .. } => "an address",
        VectorKind::Predicate(_) => "a predicate",
        VectorKind::Indirect { .. } => "an indirect operand",
        VectorKind::Immediate(_) => "an immediate",
        VectorKind::State { .. } => "a state",
    }
}

/// Whether a byte of a predefined variable may be written.
fn is_writable(var: VarId, row: u8, col: u8) -> bool {
    let size = var.predefined_type().map_or(4, DataType::size);
    let byte = usize::from(row) * 32 + usize::from(col) * size;
    match var.0 {
        0 | 8..=11 | 14 | 16 | 18 | 19 => true,
        6 => byte == 16,
        // 8 and 12 to the reference of 2022, 4 and 8 to today's.
        13 => matches!(byte, 4 | 8 | 12),
        _ => false,
    }
}

rules! { names for VariableUse;
    /// Variables that are reserved are not used: V21 to V31, and V22 to V31 for today's readers.
    fn reserved "reserved-variable" (Error, ANY, "4_visa_header, General Variables") |n, c| {
        let is_known = n.var < FIRST_RESERVED
            || n.var == FIRST_RESERVED && c.format().dialect == Dialect::Igc2026;
        if n.var < VarId::FIRST_DECLARED && !is_known {
            c.fail(n.field, n.var, "a variable with a meaning");
        }
    }
}

rules! { classes for Operand<'_>;
    /// A general operand names a variable that is declared.
    fn exists "operand-exists" (Error, ANY, "5_operands, General Operands") |o, c| {
        let VectorKind::General { var, .. } = o.operand.kind else { return };
        if var >= VarId::FIRST_DECLARED && c.body().is_some() && c.variable(var).is_none() {
            c.fail(o.field, var, "a variable that is declared");
        }
    }

    /// A scalar is a general operand, an indirect one or an immediate. LSC has rules of its own.
    fn scalar "scalar-operand" (Error, ANY, "5_operands, Scalar Operands") |o, c| {
        use VectorKind::{General, Immediate, Indirect};
        let kind = o.operand.kind;
        let is_scalar = o.is_scalar && o.kind != Kind::Lsc;
        if is_scalar && !matches!(kind, General { .. } | Indirect { .. } | Immediate(_)) {
            c.fail(o.field, class(kind), "a general or indirect operand or an immediate");
        }
    }

    // The reference does not look at the operands of RT_WRITE, the only message that has any.
    /// In dialect Manual, a vector operand of a message is a general operand, an indirect one or an
    /// immediate: addresses, predicates and states are for other instructions.
    fn of_message "message-operand" (Error, ANY, "5_operands, Vector Operands") |o, c| {
        use VectorKind::{General, Immediate, Indirect};
        let kind = o.operand.kind;
        let is_checked = c.format().is_manual() && !o.is_scalar && !o.kind.is_arithmetic();
        if is_checked && !matches!(kind, General { .. } | Indirect { .. } | Immediate(_)) {
            c.fail(o.field, class(kind), "a general or indirect operand or an immediate");
        }
    }

    /// Immediates have any type but BOOL.
    fn imm_type "imm-type" (Error, ANY, "5_operands, Immediate Operands") |o, c| {
        if let VectorKind::Immediate(imm) = o.operand.kind {
            if imm.ty() == DataType::BOOL {
                c.fail(o.field, "an immediate of type bool", "of any other type");
            }
        }
    }

    /// A destination is no immediate.
    fn imm_dst "imm-dst" (Error, ANY, "5_operands, State Operands") |o, c| {
        if o.role == Role::Dst && matches!(o.operand.kind, VectorKind::Immediate(_)) {
            c.fail(o.field, "an immediate", "something that can be written");
        }
    }

    /// Of the predefined variables only those that the table calls writable are written, of %tsc
    /// the pause counter, of %sr0 the second to the fourth element.
    fn read_only "dst-read-only" (Error, ANY, "4_visa_header, General Variables") |o, c| {
        let VectorKind::General { var, row, col, .. } = o.operand.kind else { return };
        let writes = o.role == Role::Dst && o.kind != Kind::Flow;
        if writes && var < FIRST_RESERVED && !is_writable(var, row, col) {
            let name = var.predefined_name().unwrap_or_default();
            c.fail(o.field, name, "a variable that can be written there");
        }
    }
}
