//! BF, the 16-bit float with the exponent of F.

use super::operand_set::*;
use super::operation::Operation;
use super::signature::Bf;
use crate::isa::Kind;
use crate::operand::DataType;
use crate::verify::rule::rules;

rules! { bf for Operation<'_>;
    /// BF exists since XeHP_SDV, except on MTL.
    fn platform "bf-platform" (Error, ANY, "6_instructions, {XEHP+}BF; reference") |o, c| {
        let is_without = c.is_on(before(XeHpSdv)) || c.platform() == Some(Mtl);
        if is_without && o.signature.bf != Bf::Own {
            c.fail("", DataType::BF, "a type of the platform");
        }
    }

    /// BF is for MUL, MAD, MOV, ADD, SEL and CMP, where the other operands are F or BF.
    fn instruction "bf-instruction" (Error, ANY, "the pages' Operand type maps; reference") |o, c| {
        let is_new = c.platform().is_none();
        let is_taken = match o.signature.bf {
            // Newer references take moves between BF and anything.
            Bf::Moved if is_new || c.is_on(since(Xe2)) => return,
            Bf::Moved => true,
            Bf::Mixed => true,
            Bf::Newer => is_new,
            Bf::No => false,
            Bf::Own => return,
        };
        if c.is_on(before(XeHpSdv)) || c.platform() == Some(Mtl) {
            return;
        }
        for (field, operand, is_dst) in o.operands() {
            let Some(ty) = c.ty(operand) else { continue };
            if !is_taken && ty == DataType::BF {
                c.fail(field, ty, "a type of this instruction");
                return;
            }
            let is_free = is_dst && o.signature.kind == Kind::Compare;
            if !is_free && !F.or(BF).has(ty) {
                c.fail(field, ty, "f or bf, next to bf");
            }
        }
    }
}
