//! The fast way: one look at each operand that shows that no rule at all can be against an
//! instruction. What it holds back is shown to the rules.

use super::operation::Operation;
use super::set::{BOOL, GENERAL, IMMEDIATE, NONE, ODD, PREDICATE, Set};
use crate::operand::{DataType, Exec, Modifier, VarId, Vector, VectorKind};
use crate::verify::context::Cx;
use crate::verify::operands::{
    is_legal_control, is_legal_exec, is_legal_operand, last_of_dst, last_of_source,
};

/// Whether no rule can be against an instruction.
#[inline(always)]
pub(super) fn is_fine(o: &Operation<'_>, cx: &Cx<'_>) -> bool {
    let dst = dst(o.dst, o.exec, cx);
    let src = o.sources().fold(Set::EMPTY, |all, operand| all.or(source(operand, o.exec, cx)));
    o.takes(dst, src)
        && is_legal_exec(o.exec)
        && (o.pred.is_none() || is_legal_control(o.pred, o.exec, cx))
}

/// What a source is; [`ODD`] unless its place and the class are beyond doubt.
#[inline(always)]
fn source(operand: &Vector, exec: Exec, cx: &Cx<'_>) -> Set {
    match operand.kind {
        VectorKind::General { var, row, col, region } => {
            let Some(last) = last_of_source(region, exec.size) else { return ODD };
            general(var, row, col, last, operand.modifier, cx)
        }
        VectorKind::Immediate(imm)
            if operand.modifier == Modifier::NONE && imm.ty() != DataType::BOOL =>
        {
            IMMEDIATE.or(NONE).or(Set::ty(imm.ty()))
        }
        _ => ODD,
    }
}

/// The same for a destination.
#[inline(always)]
fn dst(operand: &Vector, exec: Exec, cx: &Cx<'_>) -> Set {
    match operand.kind {
        VectorKind::General { var, row, col, region } => {
            let is_writable = var >= VarId::FIRST_DECLARED || var == VarId::NULL;
            match last_of_dst(region, exec.size) {
                Some(last) if is_writable => general(var, row, col, last, operand.modifier, cx),
                _ => ODD,
            }
        }
        VectorKind::Predicate(pred)
            if operand.modifier == Modifier::NONE && is_legal_operand(pred, cx) =>
        {
            PREDICATE.or(NONE).or(BOOL)
        }
        _ => ODD,
    }
}

#[inline(always)]
fn general(var: VarId, row: u8, col: u8, last: u32, modifier: Modifier, cx: &Cx<'_>) -> Set {
    match cx.storage.get(var.0 as usize) {
        Some(storage) if storage.holds(row, col, last, cx.grf) => {
            GENERAL.or(Set::ty(storage.ty())).or(Set::modifier(modifier))
        }
        _ => ODD,
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::super::super::{Verifier, check_closely, is_fine};
    use crate::format::Format;
    use crate::isa::*;
    use crate::object::{Align, Body};
    use crate::operand::{
        CmpDst, DataType, Dst, ExecSize, Imm, Modifier, Pred, Region, Stride, VarId, Vector,
    };
    use crate::verify::platform::Platform;
    use crate::verify::storage::Storage;

    /// Operands of every type, class and modifier, in and out of bounds.
    fn operands(body: &Body<'_>) -> Vec<Vector> {
        let row = Region::new(Stride::S8, Stride::S8, Stride::S1);
        let mut plain = Vec::new();
        for index in 0..body.variables.len() as u32 {
            let var = VarId(VarId::FIRST_DECLARED.0 + index);
            plain.extend([Vector::general(var, row), Vector::general_at(var, 1, 3, row)]);
        }
        plain.extend([0, 6, 7, 13, 20, 31, 99].map(|var| Vector::scalar(VarId(var))));
        for bits in 0..16 {
            let ty = DataType::from_bits(bits).expect("four bits");
            plain.push(Imm::new(ty, 1).expect("it is small").into());
        }
        plain.extend(
            [0, 1, 2, 0x2001, 0x6001, 0x8001]
                .map(|bits| Vector::predicate(Pred::from_bits(bits).expect("no reserved bit"))),
        );
        let mut all = plain.clone();
        for modifier in [Modifier::ABS, Modifier::NEG, Modifier::SAT, Modifier::NOT] {
            all.extend(plain.iter().map(|operand| operand.with_modifier(modifier)));
        }
        all
    }

    /// One of each kind of profile, with these operands.
    #[allow(clippy::needless_update)] // not all have a field left
    fn instructions(dst: Vector, src0: Vector, src1: Vector, pred: Pred) -> Vec<Instruction> {
        let exec = ExecSize::S8.into();
        let (dst, cmp_dst, src2) = (Dst(dst), CmpDst(dst), src1);
        macro_rules! all {
            ($($name:ident { $($field:ident),* })*) => {
                [$($name { exec, $($field,)* ..Default::default() }.into()),*]
            };
        }
        let mut all: Vec<Instruction> = all! {
            Mov { pred, dst, src0 }
            Add { pred, dst, src0, src1 }
            Mul { pred, dst, src0, src1 }
            Div { pred, dst, src0, src1 }
            Mad { pred, dst, src0, src1, src2 }
            Mulh { pred, dst, src0, src1 }
            Avg { pred, dst, src0, src1 }
            Addc { pred, dst, src0, src1 }
            Frc { pred, dst, src0 }
            Sqrt { pred, dst, src0 }
            Pow { pred, dst, src0, src1 }
            Lzd { pred, dst, src0 }
            Lrp { pred, dst, src0, src1, src2 }
            Dp4a { pred, dst, src0, src1, src2 }
            Madw { pred, dst, src0, src1, src2 }
            And { pred, dst, src0, src1 }
            Not { pred, dst, src0 }
            Shl { pred, dst, src0, src1 }
            Shr { pred, dst, src0, src1 }
            Asr { pred, dst, src0, src1 }
            Rol { pred, dst, src0, src1 }
            Cbit { pred, dst, src0 }
            Fbh { pred, dst, src0 }
            Bfe { pred, dst, src0, src1, src2 }
            Bfn { pred, dst, src0, src1, src2 }
            Sel { pred, dst, src0, src1 }
            Fminmax { dst, src0, src1 }
            Setp { dst, src0 }
            Movs { dst, src0 }
            Fcvt { dst, src0 }
            Srnd { dst, src0, src1 }
        }
        .into();
        all.push(Cmp { exec, dst: cmp_dst, src0, src1, ..Cmp::default() }.into());
        all
    }

    #[test]
    fn no_instruction_is_let_pass_that_a_rule_is_against() {
        let mut body = Body::new("k");
        for bits in 0..16 {
            let ty = DataType::from_bits(bits).expect("four bits");
            body.variable("v", ty, 16, Align::GRF);
        }
        body.predicate("p", 8).expect("there is room");
        body.predicate("narrow", 4).expect("there is room");
        let operands = operands(&body);
        let (mut passed, mut seed) = (0, 1u64);
        let mut pick = || {
            // Knuth's generator: which operands meet is to be arbitrary, but the same each time.
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            operands[(seed >> 33) as usize % operands.len()]
        };
        for platform in [None, Some(Platform::Skl), Some(Platform::Xe2)] {
            let mut verifier = Verifier::new();
            verifier.platform = platform;
            let mut cx = verifier.context(Format::default());
            cx.body = Some(&body);
            cx.storage.extend(body.variables.iter().map(Storage::of));
            for round in 0..20_000u16 {
                let (dst, src0, src1) = (pick(), pick(), pick());
                let src1 = if round % 2 == 0 { src0 } else { src1 };
                let dst = if round % 4 < 2 { src0 } else { dst };
                let pred = Pred::from_bits(round % 3).expect("no reserved bit");
                for instruction in instructions(dst, src0, src1, pred) {
                    if is_fine(&instruction, &cx) {
                        passed += 1;
                        check_closely(&instruction, &mut cx);
                        assert_eq!(cx.findings.first(), None, "{instruction:?}");
                    }
                }
            }
        }
        assert!(passed > 10_000, "{passed}");
    }
}
