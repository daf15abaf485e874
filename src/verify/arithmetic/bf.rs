//! Rules for operands of type BF, the 16-bit float with the exponent of F.

use super::operand_set::*;
use super::operation::Operation;
use super::signature::Bf;
use crate::format::Format;
use crate::isa::Kind;
use crate::operand::DataType;
use crate::platform::Platform;
use crate::verify::field::Field;
use crate::verify::rule::rules;

rules! { bf for Operation<'_>;
    /// BF exists since XeHP_SDV, except on MTL. In 4.2, MOV is exempt.
    fn platform "bf-platform" (Refuses, ANY, "6_instructions, {XEHP+}BF; IGC") |o, c| {
        let is_without = c.is_on(before(XeHpSdv)) || c.platform() == Some(Mtl);
        let is_exempt = o.signature.bf == Bf::Moved && c.format() == Format::V4_2;
        if is_without && !is_exempt && o.signature.bf != Bf::Own {
            let platform = c.platform().map_or("this platform", Platform::name);
            c.report(Field::WHOLE, format_args!("type bf is not available on {platform}"));
        }
    }

    /// Only MUL, MAD, MOV, ADD, SEL and CMP have operands of type BF; since Xe3P also MIN, MAX and
    /// functions of the math unit. Their other operands are F or BF.
    fn instruction "bf-instruction" (Refuses, ANY, "the pages' Operand type maps; IGC")
    |o, c| {
        let may_be_newer = c.platform().is_none();
        let is_accepted = match o.signature.bf {
            // Newer references accept moves between BF and all types.
            Bf::Moved if may_be_newer || c.is_on(since(Xe2)) => return,
            Bf::Moved if c.format() == Format::V4_2 => return,
            Bf::Moved => true,
            Bf::Mixed => true,
            Bf::Newer => may_be_newer || c.is_on(since(Xe3pCri)),
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

    /// If an operand of a function of the math unit has type BF, all operands have this type.
    fn pure "bf-math" (Refuses, ANY, "IGC") |o, c| {
        // In 4.2, an unknown platform may be Xe3P.
        let may_be_xe3p = c.format() == Format::V4_2 && c.platform().is_none();
        let is_math = o.signature.bf == Bf::Newer && o.signature.kind == Kind::Arith;
        if !is_math || !may_be_xe3p && !c.is_on(since(Xe3pCri)) {
            return;
        }
        for (field, operand, _) in o.operands() {
            // Other types break another rule.
            if c.ty(operand) == Some(DataType::F) {
                c.fail(field, DataType::F, DataType::BF);
            }
        }
    }
}
