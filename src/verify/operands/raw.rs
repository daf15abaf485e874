//! Rules for raw operands.

use crate::isa::svm::Svm;
use crate::isa::{Instruction, Kind};
use crate::operand::{OwordNum, Raw, VarId};
use crate::verify::context::size_of_variable;
use crate::verify::field::Field;
use crate::verify::rule::rules;

/// A raw operand and its field.
pub(super) struct RawOperand {
    pub(super) field: Field,
    pub(super) raw: Raw,
}

/// A raw operand of a message that has no rule of its own about the size of the operand.
pub(super) struct MessageOperand<'i> {
    pub(super) field: Field,
    pub(super) raw: Raw,
    pub(super) instruction: &'i Instruction,
}

/// Returns whether the general rule applies to the sizes of a message's operands. Other messages
/// have rules of their own.
pub(super) fn has_general_size_rule(instruction: &Instruction, kind: Kind) -> bool {
    use Instruction as I;
    match instruction {
        I::MediaLd(_) | I::MediaSt(_) | I::Gather4Typed(_) | I::RtWrite(_) => false,
        I::Load3d(_) | I::Gather4(_) | I::Sample(_) | I::Load(_) | I::UrbWrite(_) => true,
        _ => matches!(kind, Kind::DataPort | Kind::Svm),
    }
}

/// Returns whether an instruction stores one oword. IGC stores a frame pointer of 8 bytes so.
fn is_smallest_store(instruction: &Instruction) -> bool {
    match instruction {
        Instruction::OwordSt(i) => i.size == OwordNum::N1,
        Instruction::Svm(Svm::BlockSt(i)) => i.block.size() == OwordNum::N1,
        _ => false,
    }
}

rules! { payloads for MessageOperand<'_>;
    /// A raw operand of a message has the bytes that the message reads or writes, in the variable
    /// whose storage its variable shares. A store of one oword may have fewer, because no block is smaller.
    fn size "message-payload" (Miscompiles, ANY, "6_instructions; 5_operands, Raw Operands")
    |o, c| {
        if is_smallest_store(o.instruction) {
            return;
        }
        let bytes = c.exact_payload_bytes(o.instruction, o.field, o.raw);
        c.require_bytes_of_root(o.field, o.raw, bytes);
    }
}

rules! { raws for RawOperand;
    /// The variables of raw operands are declared.
    fn exists "raw-exists" (Refuses, ANY, "5_operands, Raw Operands") |o, c| {
        let var = o.raw.var;
        if var >= VarId::FIRST_DECLARED && c.body().is_some() && !c.is_declared(var) {
            let name = c.name(var);
            c.report(o.field, format_args!("variable {name} is not declared"));
        }
    }

    /// A raw operand begins at a register boundary, unless its variable is smaller than a register.
    /// For an alias, this is about the variable whose storage it shares.
    fn aligned "raw-aligned" (Refuses, ANY, "5_operands, Raw Operands") |o, c| {
        let Some((root, offset)) = c.root(o.raw.var) else { return };
        let (grf, start) = (c.grf(), offset + i64::from(o.raw.offset));
        if start % grf != 0 && size_of_variable(root) >= grf {
            c.fail(o.field, start, format_args!("an offset that is a multiple of {grf} bytes"));
        }
    }

    /// The offset of a raw operand is within the storage of its variable.
    fn bounds "raw-bounds" (Miscompiles, ANY, "5_operands, Raw Operands") |o, c| {
        let Some(size) = c.storage_size(o.raw.var) else { return };
        if i64::from(o.raw.offset) >= size {
            let name = c.name(o.raw.var);
            c.fail(o.field, o.raw.offset, format_args!("an offset of less than {size} in {name}"));
        }
    }
}
