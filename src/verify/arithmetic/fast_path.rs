//! The fast path: accepts instructions that provably satisfy every rule.
//!
//! It examines each operand once. For an instruction that it does not accept, the rules for an
//! operand are applied unless that operand is provably legal, and the rules for arithmetic unless
//! [`obeys_signature`] proves them. A new rule about operands or arithmetic may require a condition
//! here.

use super::operand_set::{
    BOOL, GENERAL, IMMEDIATE, INDIRECT, NONE, OperandSet, PACKED, PREDICATE, VF,
};
use super::operation::Operation;
use super::signature::Signature;
use crate::operand::{DataType, ExecSize, Modifier, Pred, Vector, VectorKind};
use crate::verify::context::Context;
use crate::verify::operands::{General, Reach, is_legal_control, is_legal_predicate};

/// Returns whether an instruction provably satisfies every rule.
#[inline(always)]
pub(super) fn provably_legal(o: &Operation<'_>, cx: &Context<'_>) -> bool {
    let (signature, size, pred, dst) = (o.signature, o.exec.size, o.pred, o.dst);
    let [src0, src1, src2, _] = o.src;
    !o.needs_rules
        && is_legal_control(o.exec, o.pred, cx)
        && match o.count {
            1 => with_1_source(signature, size, pred, dst, src0, cx),
            2 => with_2_sources(signature, size, pred, dst, src0, src1, cx),
            3 => with_3_sources(signature, size, pred, dst, src0, src1, src2, cx),
            _ => false,
        }
}

// Not inlined, because the match of the caller has an arm for each row. The parameters are single
// fields: a struct of them would be read at once, although decoding has just written its parts.
#[inline(never)]
fn with_1_source(
    signature: &Signature,
    size: ExecSize,
    pred: Pred,
    dst: &Vector,
    src: &Vector,
    cx: &Context<'_>,
) -> bool {
    prove::<true, 1>(signature, size, pred, dst, [src], cx)
}

#[inline(never)]
fn with_2_sources(
    signature: &Signature,
    size: ExecSize,
    pred: Pred,
    dst: &Vector,
    src0: &Vector,
    src1: &Vector,
    cx: &Context<'_>,
) -> bool {
    prove::<true, 2>(signature, size, pred, dst, [src0, src1], cx)
}

#[inline(never)]
#[allow(clippy::too_many_arguments)] // an array would be in memory
fn with_3_sources(
    signature: &Signature,
    size: ExecSize,
    pred: Pred,
    dst: &Vector,
    src0: &Vector,
    src1: &Vector,
    src2: &Vector,
    cx: &Context<'_>,
) -> bool {
    prove::<true, 3>(signature, size, pred, dst, [src0, src1, src2], cx)
}

/// Returns whether an instruction provably satisfies every rule for arithmetic. Its operands may
/// break rules for operands.
pub(super) fn obeys_signature(o: &Operation<'_>, cx: &Context<'_>) -> bool {
    let (signature, size, pred, dst) = (o.signature, o.exec.size, o.pred, o.dst);
    let [src0, src1, src2, _] = o.src;
    !o.needs_rules
        && match o.count {
            1 => prove::<false, 1>(signature, size, pred, dst, [src0], cx),
            2 => prove::<false, 2>(signature, size, pred, dst, [src0, src1], cx),
            3 => prove::<false, 3>(signature, size, pred, dst, [src0, src1, src2], cx),
            _ => false,
        }
}

/// Returns whether operands provably satisfy every rule for arithmetic. If `WHOLE` is set, they
/// also satisfy the rules for operands.
#[inline(always)]
fn prove<const WHOLE: bool, const COUNT: usize>(
    signature: &Signature,
    size: ExecSize,
    pred: Pred,
    dst: &Vector,
    sources: [&Vector; COUNT],
    cx: &Context<'_>,
) -> bool {
    let reach = Reach::of(size);
    // The sources are first, so that only one set is in registers.
    let mut all = OperandSet::EMPTY;
    for operand in sources {
        let Some(source) = source::<WHOLE>(operand, reach, cx) else { return false };
        all = all.or(source);
    }
    let Some(dst) = self::dst::<WHOLE>(dst, reach, cx) else { return false };
    signature.proves(dst, all, pred, cx.has_manual_rules)
}

/// Returns the class, type and modifier of a source, if the fast path knows the class.
#[inline(always)]
fn source<const WHOLE: bool>(
    operand: &Vector,
    reach: Reach,
    cx: &Context<'_>,
) -> Option<OperandSet> {
    match operand.kind {
        VectorKind::General { var, row, col, region } if WHOLE => {
            let general = General { var, row, col, region };
            let ty = general.as_source(reach, cx)?.ty();
            Some(GENERAL.or(OperandSet::ty(ty)).or(OperandSet::modifier(operand.modifier)))
        }
        VectorKind::Immediate(imm) => {
            let is_legal = operand.modifier == Modifier::NONE && imm.ty() != DataType::BOOL;
            is_legal.then_some(IMMEDIATE.or(OperandSet::ty(imm.ty())).or(NONE))
        }
        VectorKind::Predicate(pred) => {
            let is_legal = operand.modifier == Modifier::NONE && is_legal_predicate(pred, cx);
            is_legal.then_some(PREDICATE.or(BOOL).or(NONE))
        }
        _ if WHOLE => None,
        _ => {
            let (class, ty) = variable(operand, cx)?;
            Some(class.or(OperandSet::ty(ty)).or(OperandSet::modifier(operand.modifier)))
        }
    }
}

/// Returns the class, type and modifier of a destination, if the fast path knows the class.
#[inline(always)]
fn dst<const WHOLE: bool>(
    operand: &Vector,
    reach: Reach,
    cx: &Context<'_>,
) -> Option<(OperandSet, DataType, Modifier)> {
    let (class, ty) = match operand.kind {
        VectorKind::General { var, row, col, region } if WHOLE => {
            let general = General { var, row, col, region };
            (GENERAL, general.as_dst(reach, cx)?.ty())
        }
        VectorKind::Predicate(pred) => {
            let is_legal = operand.modifier == Modifier::NONE && is_legal_predicate(pred, cx);
            (PREDICATE, is_legal.then_some(DataType::BOOL)?)
        }
        _ if WHOLE => return None,
        _ => variable(operand, cx)?,
    };
    Some((class, ty, operand.modifier))
}

/// Returns the class and the type of a general or indirect operand.
#[inline(always)]
fn variable(operand: &Vector, cx: &Context<'_>) -> Option<(OperandSet, DataType)> {
    let (class, ty) = match operand.kind {
        VectorKind::General { .. } => (GENERAL, cx.ty(operand)?),
        VectorKind::Indirect { ty, .. } => (INDIRECT, ty.ty()),
        _ => return None,
    };
    // Rules reject these types for variables, and accept them for constants.
    let is_variable = !PACKED.or(VF).or(BOOL).has(ty);
    is_variable.then_some((class, ty))
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::super::super::{Finding, Group, Verifier, apply_rules, provably_legal};
    use crate::format::Format;
    use crate::isa::*;
    use crate::object::{Align, Body};
    use crate::operand::{
        AddrId, CmpDst, DataType, Dst, ExecSize, Imm, Modifier, Pred, Region, Stride, TypeByte,
        VarId, Vector, VectorKind,
    };
    use crate::verify::context::Context;
    use crate::verify::platform::Platform;
    use crate::verify::variable_info::VariableInfo;

    /// Returns operands of several classes with all types, in and out of bounds, without and with
    /// modifiers.
    fn operands(body: &Body<'_>) -> Vec<Vector> {
        let row = Region::new(Stride::S8, Stride::S8, Stride::S1);
        let mut simple = Vec::new();
        for index in 0..body.variables.len() as u32 {
            let var = VarId(VarId::FIRST_DECLARED.0 + index);
            simple.extend([Vector::general(var, row), Vector::general_at(var, 1, 3, row)]);
        }
        simple.extend([0, 6, 7, 13, 20, 31, 99].map(|var| Vector::scalar(VarId(var))));
        for bits in 0..16 {
            let ty = DataType::from_bits(bits).expect("four bits");
            simple.push(Imm::new(ty, 1).expect("it is small").into());
            let (addr, ty) = (AddrId(0), TypeByte::from_bits(bits));
            let kind = VectorKind::Indirect {
                addr,
                addr_offset: 0,
                offset: 0,
                ty,
                region: Region::SCALAR,
            };
            simple.push(Vector { modifier: Modifier::NONE, kind });
        }
        simple.extend(
            [0, 1, 2, 0x2001, 0x6001, 0x8001]
                .map(|bits| Vector::predicate(Pred::from_bits(bits).expect("no reserved bit"))),
        );
        let mut all = simple.clone();
        for modifier in [Modifier::ABS, Modifier::NEG, Modifier::SAT, Modifier::NOT] {
            all.extend(simple.iter().map(|operand| operand.with_modifier(modifier)));
        }
        all
    }

    /// Returns one instruction per opcode for most signatures, with these operands.
    #[allow(clippy::needless_update)] // the operands are all fields of some instructions
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

    /// Returns the findings in an instruction.
    fn findings(instruction: &Instruction, fast_path: bool, cx: &mut Context<'_>) -> Vec<Finding> {
        cx.fast_path = fast_path;
        apply_rules(instruction, cx);
        core::mem::take(&mut cx.findings)
    }

    /// Checks that the rules accept an instruction if it is provably legal, and that those for its
    /// operands and its signature have the same findings with and without the fast path. Returns
    /// whether it is provably legal.
    fn prove(instruction: &Instruction, cx: &mut Context<'_>) -> bool {
        let is_proven = provably_legal(instruction, cx);
        let all = findings(instruction, false, cx);
        assert_eq!(all, findings(instruction, true, cx), "{instruction:?}");
        assert!(!is_proven || all.is_empty(), "{instruction:?}: {all:?}");
        is_proven
    }

    /// Returns a verifier of the rules of group `Igc`, or of all.
    fn verifier(platform: Option<Platform>, has_manual_rules: bool) -> Verifier {
        let groups = if has_manual_rules { &Group::ALL[..] } else { &[Group::Igc] };
        let base = Verifier::new().with_groups(groups.iter().copied());
        Verifier { platform, ..base }
    }

    #[test]
    fn provably_legal_offsets_and_regions_break_no_rule() {
        let mut proven = 0;
        let mut body = Body::new("k");
        body.add_variable("a", DataType::UD, 8, Align::GRF);
        body.add_variable("b", DataType::Q, 64, Align::GRF);
        body.add_variable("c", DataType::UW, 5, Align::WORD);
        for platform in [None, Some(Platform::Skl), Some(Platform::Pvc)] {
            let verifier = verifier(platform, platform.is_some());
            let mut cx = verifier.context(Format::default());
            cx.body = Some(&body);
            let grf = cx.grf;
            cx.variables.extend(body.variables.iter().map(|v| VariableInfo::of(v, grf)));
            let mut check = |operand: Vector, size: ExecSize| {
                let (exec, src0) = (size.into(), Imm::ud(1).into());
                let dst = Mov { exec, dst: Dst(operand), src0, ..Mov::default() };
                let src = Mov { exec, dst: Dst::default(), src0: operand, ..Mov::default() };
                proven += usize::from(prove(&dst.into(), &mut cx));
                proven += usize::from(prove(&src.into(), &mut cx));
            };
            for size in ExecSize::ALL {
                for bits in 0..1 << 12 {
                    let region = Region::from_bits(bits).expect("twelve bits");
                    for (var, row, col) in
                        [(0, 0, 0), (32, 0, 0), (32, 0, 4), (33, 14, 0), (34, 0, 1)]
                    {
                        check(Vector::general_at(VarId(var), row, col, region), size);
                    }
                }
                for var in 0..40 {
                    for (row, col) in [(0, 0), (0, 1), (0, 3), (0, 8), (1, 0), (255, 255)] {
                        check(Vector::general_at(VarId(var), row, col, Region::SCALAR), size);
                    }
                }
            }
        }
        assert!(proven > 10_000, "{proven}");
    }

    #[test]
    fn provably_legal_operands_break_no_rule() {
        let old = Format::default();
        assert!(proven_operands(None, old) + proven_operands(Some(Platform::Skl), old) > 900);
    }

    #[test]
    fn provably_legal_operands_break_no_rule_of_newer_platforms() {
        let of_xe2 = proven_operands(Some(Platform::Xe2), Format::default());
        assert!(of_xe2 + proven_operands(Some(Platform::Xe3p), Format::V4_2) > 900);
    }

    /// Checks instructions with random operands, without and with the rules of group `Manual`. Returns
    /// how many are provably legal.
    fn proven_operands(platform: Option<Platform>, format: Format) -> usize {
        let mut body = Body::new("k");
        for bits in 0..=DataType::E2M1.bits() {
            let ty = DataType::from_bits(bits).expect("a type");
            body.add_variable("v", ty, 16, Align::GRF);
        }
        body.add_predicate("p", 8).expect("a small table");
        body.add_predicate("narrow", 4).expect("a small table");
        let operands = operands(&body);
        let (mut proven, mut seed) = (0, 1u64);
        let mut pick = || {
            // Knuth's linear congruential generator, so that each run tests the same operands.
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            operands[(seed >> 33) as usize % operands.len()]
        };
        for has_manual_rules in [false, true] {
            let verifier = verifier(platform, has_manual_rules);
            let mut cx = verifier.context(format);
            cx.body = Some(&body);
            let grf = cx.grf;
            cx.variables.extend(body.variables.iter().map(|v| VariableInfo::of(v, grf)));
            for round in 0..2_500u16 {
                let (dst, src0, src1) = (pick(), pick(), pick());
                let src1 = if round % 2 == 0 { src0 } else { src1 };
                let dst = if round % 4 < 2 { src0 } else { dst };
                let pred = Pred::from_bits(round % 3).expect("no reserved bit");
                for instruction in instructions(dst, src0, src1, pred) {
                    proven += usize::from(prove(&instruction, &mut cx));
                }
            }
        }
        proven
    }
}
