//! Rules for operands of type BF, the 16-bit float with the exponent of F.

use super::operand_set::*;
use super::operation::Operation;
use super::signature::Bf;
use crate::isa::Kind;
use crate::operand::DataType;
use crate::verify::Platform;
use crate::verify::rule::rules;

rules! { bf for Operation<'_>;
    /// BF exists since XeHP_SDV, except on MTL.
    fn platform "bf-platform" (Error, ANY, "6_instructions, {XEHP+}BF; reference") |o, c| {
        let is_without = c.is_on(before(XeHpSdv)) || c.platform() == Some(Mtl);
        if is_without && o.signature.bf != Bf::Own {
            let platform = c.platform().map_or("this platform", Platform::name);
            c.report("", format_args!("type bf is not available on {platform}"));
        }
    }

    /// Only MUL, MAD, MOV, ADD, SEL and CMP have operands of type BF. Their other operands are F or
    /// BF.
    fn instruction "bf-instruction" (Error, ANY, "the pages' Operand type maps; reference") |o, c| {
        let may_be_newer = c.platform().is_none();
        let is_accepted = match o.signature.bf {
            // Newer references accept moves between BF and all types.
            Bf::Moved if may_be_newer || c.is_on(since(Xe2)) => return,
            Bf::Moved => true,
            Bf::Mixed => true,
            Bf::Newer => may_be_newer,
            Bf::No => false,
            Bf::Own => return,
        };
        if c.is_on(before(XeHpSdv)) || c.platform() == Some(Mtl) {
            return;
        }
        for (field, operand, is_dst) in o.operands() {
            let Some(ty) = c.ty(operand) else { continue };
            if !is_accepted && ty == DataType::BF {
                c.report(field, format_args!("`{}` does not accept type bf", c.mnemonic()));
                return;
            }
            let is_any = is_dst && o.signature.kind == Kind::Compare;
            if !is_any && !F.or(BF).has(ty) {
                c.report(field, format_args!("type {ty} cannot be combined with bf"));
            }
        }
    }
}
