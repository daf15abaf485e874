//! Rules for raw operands.

use crate::operand::{Raw, VarId};
use crate::verify::context::size_of_variable;
use crate::verify::rule::rules;

/// A raw operand in its place.
pub(super) struct RawOperand {
    pub(super) field: &'static str,
    pub(super) raw: Raw,
}

rules! { raws for RawOperand;
    /// A raw operand names a variable that is declared.
    fn exists "raw-exists" (Error, ANY, "5_operands, Raw Operands") |o, c| {
        let var = o.raw.var;
        if var >= VarId::FIRST_DECLARED && c.body().is_some() && c.variable(var).is_none() {
            c.fail(o.field, var, "a variable that is declared");
        }
    }

    /// A raw operand begins at a register, unless its variable is smaller than one; of an alias,
    /// the variable whose storage it shares counts.
    fn aligned "raw-aligned" (Error, ANY, "5_operands, Raw Operands") |o, c| {
        let Some((root, offset)) = c.root(o.raw.var) else { return };
        let (grf, at) = (c.grf(), offset + i64::from(o.raw.offset));
        if at % grf != 0 && size_of_variable(root) >= grf {
            c.fail(o.field, format_args!("byte {at}"), format_args!("a multiple of {grf}"));
        }
    }

    /// A raw operand begins within its variable.
    fn bounds "raw-bounds" (Error, ANY, "5_operands, Raw Operands") |o, c| {
        let Some(size) = c.variable(o.raw.var).map(size_of_variable) else { return };
        if i64::from(o.raw.offset) >= size {
            let at = o.raw.offset;
            c.fail(o.field, format_args!("byte {at}"), format_args!("one of its {size}"));
        }
    }
}
