//! Rules for the variables and the classes of vector operands.

use super::{Operand, Role};
use crate::format::Dialect;
use crate::isa::Kind;
use crate::operand::{DataType, VarId, VectorKind};
use crate::verify::field::Field;
use crate::verify::rule::rules;
use crate::verify::variable_info::FIRST_RESERVED;

/// A variable that an operand refers to.
pub(super) struct VariableUse {
    pub(super) field: Field,
    pub(super) var: VarId,
}

/// Returns the name of a class, with an article.
fn class_name(kind: VectorKind) -> &'static str {
    match kind {
        VectorKind::General { .. } => "a general operand",
        VectorKind::Address { .. } => "an address",
        VectorKind::Predicate(_) => "a predicate",
        VectorKind::Indirect { .. } => "an indirect operand",
        VectorKind::Immediate(_) => "an immediate",
        VectorKind::State { .. } => "a state",
    }
}

/// Returns whether the element at a row and column of a predefined variable is writable.
fn is_writable(var: VarId, row: u8, col: u8) -> bool {
    let size = var.predefined_type().map_or(4, DataType::size);
    let byte = usize::from(row) * 32 + usize::from(col) * size;
    match var.0 {
        0 | 8..=11 | 14 | 16 | 18 | 19 => true,
        6 => byte == 16,
        // 8 and 12 in IGC of 2022, 4 and 8 in IGC 2.40.
        13 => matches!(byte, 4 | 8 | 12),
        _ => false,
    }
}

rules! { names for VariableUse;
    /// Reserved variables are not used: V21 to V31, in dialect Igc2026 V22 to V31.
    fn reserved "reserved-variable" (Refuses, ANY, "4_visa_header, General Variables") |n, c| {
        let is_known = n.var < FIRST_RESERVED
            || n.var == FIRST_RESERVED && c.format().dialect == Dialect::Igc2026;
        if n.var < VarId::FIRST_DECLARED && !is_known {
            c.report(n.field, format_args!("variable `{}` is reserved", n.var));
        }
    }
}

rules! { classes for Operand<'_>;
    /// The variables of general operands are declared.
    fn exists "operand-exists" (Refuses, ANY, "5_operands, General Operands") |o, c| {
        let VectorKind::General { var, .. } = o.operand.kind else { return };
        if var >= VarId::FIRST_DECLARED && c.body().is_some() && !c.is_declared(var) {
            let name = c.name(var);
            c.report(o.field, format_args!("variable {name} is not declared"));
        }
    }

    /// A scalar is a general operand, an indirect operand or an immediate. LSC messages have their
    /// own rules.
    fn scalar "scalar-operand" (Refuses, ANY, "5_operands, Scalar Operands") |o, c| {
        use VectorKind::{General, Immediate, Indirect};
        let kind = o.operand.kind;
        let is_scalar = o.is_scalar && o.kind != Kind::Lsc;
        if is_scalar && !matches!(kind, General { .. } | Indirect { .. } | Immediate(_)) {
            c.fail(o.field, class_name(kind), "a general or indirect operand or an immediate");
        }
    }

    // IGC does not check the operands of RT_WRITE, the only message with vector operands.
    /// In dialect Manual, a vector operand of a message is a general operand, an indirect operand
    /// or an immediate.
    fn of_message "message-operand" (Accepts, ANY, "5_operands, Vector Operands") |o, c| {
        use VectorKind::{General, Immediate, Indirect};
        let kind = o.operand.kind;
        let is_checked = c.format().is_manual() && !o.is_scalar && !o.kind.is_arithmetic();
        if is_checked && !matches!(kind, General { .. } | Indirect { .. } | Immediate(_)) {
            c.fail(o.field, class_name(kind), "a general or indirect operand or an immediate");
        }
    }

    /// Immediates have any type except BOOL.
    fn imm_type "imm-type" (Refuses, ANY, "5_operands, Immediate Operands") |o, c| {
        if let VectorKind::Immediate(imm) = o.operand.kind {
            if imm.ty() == DataType::BOOL {
                c.report(o.field, "an immediate cannot have type bool");
            }
        }
    }

    /// A destination is not an immediate.
    fn imm_dst "imm-dst" (Refuses, ANY, "5_operands, State Operands") |o, c| {
        if o.role == Role::Dst && matches!(o.operand.kind, VectorKind::Immediate(_)) {
            c.report(o.field, "an immediate cannot be written");
        }
    }

    /// Read-only predefined variables are not written. Of %tsc, only the pause counter is writable;
    /// of %sr0, only the second to the fourth element.
    fn read_only "dst-read-only" (Refuses, ANY, "4_visa_header, General Variables") |o, c| {
        let VectorKind::General { var, row, col, .. } = o.operand.kind else { return };
        let writes = o.role == Role::Dst && o.kind != Kind::Flow;
        if writes && var < FIRST_RESERVED && !is_writable(var, row, col) {
            let name = c.name(var);
            let element = if matches!(var.0, 6 | 13) { "this element of " } else { "" };
            c.report(o.field, format_args!("{element}{name} is read-only"));
        }
    }
}
