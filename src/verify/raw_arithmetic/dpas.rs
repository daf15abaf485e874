//! Rules for DPAS and DPASW (DPAS.md), and for BDPAS.

use crate::format::Format;
use crate::isa::payload::systolic::{Systolic, bits_of};
use crate::isa::{Bdpas, Dpas, Dpasw};
use crate::object::{Align, InputClass};
use crate::operand::{
    DataType, Exec, ExecSize, Modifier, Precision, Pred, Raw, VarId, Vector, VectorKind,
};
use crate::platform::Platform;
use crate::verify::RequiredAlignment;
use crate::verify::context::RuleContext;
use crate::verify::field::{Field, field};
use crate::verify::platforms::since;
use crate::verify::rule::{rules, subject};
use crate::verify::types::Types;

/// The common fields of DPAS and DPASW.
pub(in crate::verify) struct DpasFields<'i> {
    exec: Exec,
    pred: Option<Pred>,
    dst: Raw,
    src0: Raw,
    src1: Raw,
    src2: &'i Vector,
    w: Precision,
    a: Precision,
    depth: u8,
    repeat_count: u8,
    systolic: Systolic,
}

subject! { DpasFields<'i>: Dpas dst, Dpasw dst => |i, _data| DpasFields {
    exec: i.exec,
    pred: i.pred,
    dst: i.dst,
    src0: i.src0,
    src1: i.src1,
    src2: &i.src2,
    w: i.w,
    a: i.a,
    depth: i.systolic_depth,
    repeat_count: i.repeat_count,
    systolic: i.into(),
} }

/// The types of the accumulator and the result from PVC on. In older kernels, words contain BF.
const ACCUMULATOR: Types = Types::of(&[
    DataType::UD,
    DataType::D,
    DataType::F,
    DataType::HF,
    DataType::BF,
    DataType::UW,
    DataType::W,
]);

/// Returns the kind of number of a precision; `None` if the format does not have the precision.
fn kind_of(precision: Precision, format: Format) -> Option<u8> {
    match precision.bits() {
        1..=8 => Some(0),
        bits @ 9..=10 => Some(bits),
        // BF8 and HF8 can be combined.
        11 | 14 if format == Format::V4_2 => Some(11),
        bits @ (12 | 15) if format == Format::V4_2 => Some(bits),
        _ => None,
    }
}

/// Returns whether a platform may multiply BF by HF: Xe3P does, and an unknown platform may.
fn may_mix_bf_and_hf(c: &RuleContext<'_, '_>) -> bool {
    c.format() == Format::V4_2 && (c.platform().is_none() || c.is_on(since(Platform::Xe3pCri)))
}

/// Returns the alignment of source 2 of DPAS in bytes.
fn alignment_of_src2(i: &DpasFields<'_>) -> Option<i64> {
    i.systolic.src2_step().map(i64::from).filter(|align| *align > 0)
}

/// Returns the offset of an input; `None` if the variable is no input.
fn input_offset(var: VarId, c: &RuleContext<'_, '_>) -> Option<i64> {
    let inputs = c.cx.routine.map_or(&[][..], |routine| routine.inputs);
    let is_of_var = |kind, index| kind == InputClass::GENERAL && VarId(index) == var;
    let input = inputs.iter().find(|input| is_of_var(input.kind.class(), input.index));
    input.map(|input| input.offset.into())
}

/// Returns the offset of a general operand from the start of its root variable, or `None` if the
/// variable is not declared.
fn offset_of(operand: &Vector, c: &RuleContext<'_, '_>) -> Option<i64> {
    let VectorKind::General { var, row, col, .. } = operand.kind else { return None };
    let size = c.variable(var)?.ty.size() as i64;
    let (_, offset) = c.root_id(var)?;
    Some(offset + i64::from(row) * c.grf() + i64::from(col) * size)
}

/// Requires that an input whose storage an operand's variable shares begins at a multiple of `align`
/// bytes.
fn require_input_alignment(field: Field, var: VarId, align: i64, c: &mut RuleContext<'_, '_>) {
    let Some((root, _)) = c.root_id(var) else { return };
    if let Some(offset) = input_offset(root, c).filter(|offset| offset % align != 0) {
        let found = alloc::format!("input {} with offset {offset}", c.name(root));
        c.fail(field, found, format_args!("an offset that is a multiple of {align} bytes"));
    }
}

/// Requires that the variable whose storage an operand's variable shares is declared with an
/// alignment of `align` bytes. Of inputs and other variables, those that are not of the kind
/// `is_input` are skipped. The compiler aligns raw operands of systolic instructions.
fn require_declared_alignment(
    field: Field,
    var: VarId,
    align: i64,
    is_input: bool,
    c: &mut RuleContext<'_, '_>,
) {
    let Some(((root, _), (variable, _))) = c.root_id(var).zip(c.root(var)) else { return };
    let declared = variable.align;
    let bytes = declared.bytes(c.cx.registers.bytes()).map_or(align, i64::from);
    let is_checked = input_offset(root, c).is_some() == is_input;
    if bytes % align != 0 && is_checked && !c.is_aligned_by_systolic(root) {
        let found = alloc::format!("{} with align={declared}", c.name(root));
        let expected = alloc::format!("a variable that is aligned to {align} bytes");
        let required = u32::try_from(align)
            .ok()
            .and_then(|bytes| Align::of_bytes(bytes, c.cx.registers.bytes()));
        let required = required.map(|align| RequiredAlignment { variable: root, align });
        c.fail_alignment(field, found, expected, required);
    }
}

/// Requires that a general operand begins at a multiple of `align` bytes.
fn require_alignment(field: Field, operand: &Vector, align: i64, c: &mut RuleContext<'_, '_>) {
    if let Some(offset) = offset_of(operand, c).filter(|offset| offset % align != 0) {
        c.fail(field, offset, format_args!("an offset that is a multiple of {align} bytes"));
    }
}

rules! { common for DpasFields<'_>;
    /// DPAS has no predicate.
    fn pred "dpas-predicate" (Crashes, ANY, "IGC") |i, c| {
        if let Some(pred) = i.pred.filter(|pred| !pred.is_none()) {
            let name = c.name(pred.id());
            c.fail(field!(Dpas.pred), name, "no predicate");
        }
    }

    /// The execution size of DPAS is 16 from PVC on, and 8 before.
    fn exec_size "dpas-exec-size" (Crashes, ANY, "DPAS.md, Exec_size") |i, c| {
        let size = i.exec.size;
        let (legal, expected) = match c.platform() {
            None => (matches!(size, ExecSize::S8 | ExecSize::S16), "8 or 16 lanes"),
            Some(platform) if platform < PvcSdv => (size == ExecSize::S8, "8 lanes"),
            Some(_) => (size == ExecSize::S16, "16 lanes"),
        };
        if !legal {
            c.fail(field!(Dpas.exec), size.lanes(), expected);
        }
    }

    /// The destination and source 0 of DPAS have type UD, D or F, from PVC on also HF, BF, or UW or
    /// W for BF.
    fn accumulated "dpas-type" (Refuses, ANY, "DPAS.md, Dst") |i, c| {
        let types = if c.is_on(before(PvcSdv)) { Types::ANY32 } else { ACCUMULATOR };
        c.require_type(field!(Dpas.dst), i.dst, types);
        c.require_type(field!(Dpas.src0), i.src0, types);
    }

    /// Sources 1 and 2 of DPAS have type UD or D, for all precisions.
    fn factors "dpas-source-type" (Refuses, ANY, "DPAS.md, Src1") |i, c| {
        c.require_type(field!(Dpas.src1), i.src1, Types::INT32);
        c.require_scalar_type(field!(Dpas.src2), i.src2, Types::INT32);
    }

    /// Source 2 of DPAS is a general variable without a modifier.
    fn src2 "dpas-src2" (Refuses, ANY, "DPAS.md, Src2") |i, c| {
        if i.src2.modifier != Modifier::NONE {
            c.fail(field!(Dpas.src2), i.src2.modifier, "no modifier");
        } else if !matches!(i.src2.kind, VectorKind::General { .. }) {
            c.report(field!(Dpas.src2), "the operand is not a general variable");
        }
    }

    /// The systolic depth of DPAS is 1, 2, 4 or 8.
    fn depth "dpas-depth" (Refuses, ANY, "IGC") |i, c| {
        if !matches!(i.depth, 1 | 2 | 4 | 8) {
            c.fail(field!(Dpas.systolic_depth), i.depth, "1, 2, 4 or 8");
        }
    }

    // IGC 2.40 encodes 1, 2 and 4 as they are written.
    /// The systolic depth of DPAS is 8.
    fn depth_8 "dpas-depth-8" (Accepts, ANY, "DPAS.md, SD") |i, c| {
        if matches!(i.depth, 1 | 2 | 4) {
            c.fail(field!(Dpas.systolic_depth), i.depth, "8");
        }
    }

    /// The precisions of DPAS are both integers, or the same kind of float. BF8 and HF8 are the
    /// same kind; in 4.2 and since Xe3P, so are BF and HF. In 4.2, no precision has one bit.
    fn precision "dpas-precision" (Miscompiles, ANY, "DPAS.md, Description; IGC") |i, c| {
        for (field, precision) in [(field!(Dpas.w), i.w), (field!(Dpas.a), i.a)] {
            if c.format() == Format::V4_2 && bits_of(precision) == Some(1) {
                c.fail(field, precision, "a precision of more than one bit");
            }
        }
        let kinds = (kind_of(i.w, c.format()), kind_of(i.a, c.format()));
        if let (Some(w), Some(a)) = kinds {
            let is_half = |kind| matches!(kind, 9 | 10);
            // IGC 2.40 encodes both precisions as they are written, on all platforms.
            let may_mix = c.format() == Format::V4_2 || may_mix_bf_and_hf(c);
            if w != a && !(is_half(w) && is_half(a) && may_mix) {
                c.report(field!(Dpas.a), format_args!("precision {} cannot be combined with {}", i.a, i.w));
            }
        }
    }
}

rules! { operands for DpasFields<'_>;
    /// In 4.2, the repeat count of DPAS is 1 to 8.
    fn repeat_count "dpas-repeat-count" (Refuses, ANY, "IGC") |i, c| {
        if c.format() == Format::V4_2 && !(1..=8).contains(&i.repeat_count) {
            c.fail(field!(Dpas.repeat_count), i.repeat_count, "1 to 8");
        }
    }

    /// In 4.2, the destination and sources 1 and 2 of DPAS are not null.
    fn null "dpas-null" (Crashes, ANY, "IGC") |i, c| {
        if c.format() != Format::V4_2 {
            return;
        }
        let is_null = matches!(i.src2.kind, VectorKind::General { var: VarId::NULL, .. });
        let operands =
            [(field!(Dpas.dst), i.dst.is_null()), (field!(Dpas.src1), i.src1.is_null()), (field!(Dpas.src2), is_null)];
        for (field, _) in operands.into_iter().filter(|(_, is_null)| *is_null) {
            c.fail(field, "null", "a variable");
        }
    }

    // `raw-aligned` is about the other operands.
    /// In 4.2, source 2 of DPAS is aligned to the size of its elements in one systolic step times
    /// the depth.
    fn aligned "dpas-src2-aligned" (Refuses [since(IGC_2_40)], ANY, "IGC") |i, c| {
        if c.format() == Format::V4_2 {
            if let Some(align) = alignment_of_src2(i) {
                require_alignment(field!(Dpas.src2), i.src2, align, c);
            }
        }
    }

    /// In 4.2, the variables whose storage the operands of DPAS share are declared with the
    /// alignment of the operands. The compiler itself aligns variables that are dst, src0 or src1.
    // Only the operand's own declaration is aligned, not the variable that it is an alias of.
    fn declared "dpas-base-aligned" (Refuses [since(IGC_2_40)], ANY, "IGC") |i, c| {
        for (field, var, align) in aligned_operands(i, c) {
            require_declared_alignment(field, var, align, false, c);
        }
    }

    /// In 4.2, inputs whose storage the operands of DPAS share have offsets with the alignment of the
    /// operands.
    fn inputs "dpas-input-aligned" (Refuses [since(IGC_2_40_6)], ANY, "IGC") |i, c| {
        for (field, var, align) in aligned_operands(i, c) {
            require_input_alignment(field, var, align, c);
        }
    }

    /// In 4.2, inputs whose storage the operands of DPAS share are declared with the alignment of the
    /// operands. Only some older compilers check it, instead of the offsets.
    fn declared_inputs "dpas-input-declared"
    (Accepts [between(IGC_2_40, IGC_2_40_6)], ANY, "IGC")
    |i, c| {
        for (field, var, align) in aligned_operands(i, c) {
            require_declared_alignment(field, var, align, true, c);
        }
    }
}

/// Returns the operands of DPAS in 4.2 with their variables and alignments in bytes.
fn aligned_operands(
    i: &DpasFields<'_>,
    c: &RuleContext<'_, '_>,
) -> impl Iterator<Item = (Field, VarId, i64)> + use<> {
    let lanes = i.exec.size.lanes();
    let row = |raw| (lanes * c.raw_ty(raw).map_or(0, DataType::size)) as i64;
    let src2 = variable_of(i.src2).unwrap_or(VarId::NULL);
    let operands = [
        (field!(Dpas.dst), i.dst.var, row(i.dst)),
        (field!(Dpas.src0), i.src0.var, row(i.src0)),
        (field!(Dpas.src1), i.src1.var, c.grf()),
        (field!(Dpas.src2), src2, alignment_of_src2(i).unwrap_or(0)),
    ];
    let is_4_2 = c.format() == Format::V4_2;
    operands.into_iter().filter(move |(.., align)| is_4_2 && *align > 0)
}

/// Returns the types of the accumulator and the result of DPAS with a precision.
fn accumulators(precision: Precision) -> Option<Types> {
    use DataType as T;
    Some(match precision.bits() {
        1..=8 => Types::INT32,
        // Words contain BF.
        9 => Types::of(&[T::F, T::HF, T::BF, T::UW, T::W]),
        10 | 12 => Types::of(&[T::F, T::HF, T::BF]),
        _ => return None,
    })
}

rules! { bounds for DpasFields<'_>;
    /// In 4.2, the destination and source 0 of DPAS have an integer type for integers, and F, HF or BF
    /// for BF, HF and TF32.
    fn accumulated "dpas-accumulator" (Miscompiles, ANY, "IGC") |i, c| {
        let Some((w, a)) = accumulators(i.w).zip(accumulators(i.a)) else { return };
        // `dpas-precision` is about combinations of integers with floats.
        if c.format() != Format::V4_2 || (w == Types::INT32) != (a == Types::INT32) {
            return;
        }
        // Of combinations of BF and HF, only BF has words.
        let types = if w.contains(DataType::UW) { a } else { w };
        for (field, raw) in [(field!(Dpas.dst), i.dst), (field!(Dpas.src0), i.src0)] {
            let ty = c.raw_ty(raw).filter(|ty| ACCUMULATOR.contains(*ty) && !types.contains(*ty));
            if let Some(ty) = ty {
                // What IGC 2.40 encodes instead.
                let instead = if types == Types::INT32 {
                    "with another type, IGC may compute with bf8"
                } else {
                    "with an integer, IGC may compute with u8"
                };
                c.fail(field, ty, format_args!("{types} for precision {} ({instead})", i.w));
            }
        }
    }

    /// The destination and source 0 of DPAS have an element per lane and repetition. Source 1 has
    /// the elements of all lanes and steps, and source 2 the elements of all repetitions and steps.
    fn bounds "dpas-bounds" (Miscompiles, ANY, "5_operands, Raw Operands") |i, c| {
        // Other counts break other rules.
        if i.depth != 8 || i.repeat_count > 8 {
            return;
        }
        let src2 = c.start_of(i.src2).unwrap_or(Raw::NULL);
        let operands = [(field!(Dpas.dst), i.dst), (field!(Dpas.src0), i.src0), (field!(Dpas.src1), i.src1), (field!(Dpas.src2), src2)];
        for (field, raw) in operands {
            c.require_bytes_of_root(field, raw, c.payload_bytes(&i.systolic, field, raw));
        }
    }
}

rules! { dpasw for Dpasw;
    /// DPASW does not exist from PVC on.
    fn platform "dpasw-platform" (Refuses, since(PvcSdv), "DPASW.md") |i, c| {
        let _ = i;
        c.report_unavailable(before(PvcSdv));
    }
}

rules! { dpasw_precision for Dpasw;
    /// The precisions of DPASW are integers, BF or HF.
    fn precision "dpasw-precision" (Refuses, ANY, "IGC") |i, c| {
        for (field, precision) in [(field!(Dpasw.w), i.w), (field!(Dpasw.a), i.a)] {
            if precision.bits() > Precision::FP16.bits() && precision.name().is_some() {
                c.fail(field, precision, "an integer precision, bf or hf");
            }
        }
    }
}

/// Returns whether BDPAS can multiply numbers of these precisions.
fn is_legal_pair(w: Precision, a: Precision) -> bool {
    use Precision as P;
    let is_fp8 = |precision| [P::BF8, P::HF8].contains(&precision);
    w == a && [P::BF16, P::FP16, P::E2M1].contains(&w) || is_fp8(w) && is_fp8(a)
}

rules! { bdpas for Bdpas;
    /// BDPAS has no predicate.
    fn pred "bdpas-predicate" (Crashes, ANY, "IGC") |i, c| {
        if !i.pred.is_none() {
            let name = c.name(i.pred.id());
            c.fail(field!(Bdpas.pred), name, "no predicate");
        }
    }

    /// The execution size of BDPAS is 16.
    fn exec_size "bdpas-exec-size" (Refuses, ANY, "IGC") |i, c| {
        if i.exec.size != ExecSize::S16 {
            c.fail(field!(Bdpas.exec), i.exec.size.lanes(), "16 lanes");
        }
    }

    /// The precisions of BDPAS are both BF, both HF or both E2M1, or BF8 and HF8 in any
    /// combination.
    fn precision "bdpas-precision" (Refuses, ANY, "IGC") |i, c| {
        if !is_legal_pair(i.w, i.a) {
            c.report(field!(Bdpas.a), format_args!("precision {} cannot be combined with {}", i.a, i.w));
        }
    }

    /// The systolic depth and the repeat count of BDPAS are 8.
    fn counts "bdpas-counts" (Refuses, ANY, "IGC") |i, c| {
        for (field, count) in
            [(field!(Bdpas.systolic_depth), i.systolic_depth), (field!(Bdpas.repeat_count), i.repeat_count)]
        {
            if count != 8 {
                c.fail(field, count, "8");
            }
        }
    }

    /// The destination and source 0 of BDPAS have type F, BF or HF, sources 1 and 2 BF, HF or UD,
    /// and the scales UB.
    fn types "bdpas-type" (Refuses, ANY, "IGC") |i, c| {
        const ACCUMULATOR: Types = Types::of(&[DataType::F, DataType::BF, DataType::HF]);
        const FACTORS: Types = Types::of(&[DataType::BF, DataType::HF, DataType::UD]);
        c.require_type(field!(Bdpas.dst), i.dst, ACCUMULATOR);
        c.require_type(field!(Bdpas.src0), i.src0, ACCUMULATOR);
        c.require_type(field!(Bdpas.src1), i.src1, FACTORS);
        c.require_type(field!(Bdpas.src2), i.src2, FACTORS);
        for (field, scales) in [(field!(Bdpas.src3), &i.src3), (field!(Bdpas.src4), &i.src4)] {
            if variable_of(scales).is_some_and(|var| var != VarId::NULL) {
                c.require_scalar_type(field, scales, Types::UB);
            }
        }
    }

    /// The scales of BDPAS are general operands without modifiers, or null.
    fn scales "bdpas-scales" (Refuses, ANY, "IGC") |i, c| {
        for (field, scales) in [(field!(Bdpas.src3), &i.src3), (field!(Bdpas.src4), &i.src4)] {
            if variable_of(scales).is_none() {
                c.report(field, "the operand is not a general variable");
            } else if scales.modifier != Modifier::NONE {
                c.fail(field, scales.modifier, "no modifier");
            }
        }
    }

    /// The destination and sources 1 and 2 of BDPAS are not null.
    fn null "bdpas-null" (Accepts, ANY, "IGC") |i, c| {
        for (field, raw) in [(field!(Bdpas.dst), i.dst), (field!(Bdpas.src1), i.src1), (field!(Bdpas.src2), i.src2)] {
            if raw.is_null() {
                c.fail(field, "null", "a variable");
            }
        }
    }

    // `raw-aligned` is about the other operands.
    /// The scales of BDPAS begin at a multiple of 16 bytes for source 1, and of 8 bytes for source
    /// 2. For E2M1, they are in the first 32 bytes of a register.
    fn aligned "bdpas-scales-aligned" (Refuses [since(IGC_2_40)], ANY, "IGC") |i, c| {
        for (field, scales, align) in [(field!(Bdpas.src3), &i.src3, 16), (field!(Bdpas.src4), &i.src4, 8)] {
            require_alignment(field, scales, align, c);
            let byte = offset_of(scales, c).map(|offset| offset % c.grf());
            let byte = byte.filter(|byte| i.a == Precision::E2M1 && byte % align == 0);
            if let Some(byte) = byte.filter(|byte| *byte >= 32) {
                c.fail(field, byte, "byte 0 to 31 of a register");
            }
        }
    }

    /// The variables whose storage the operands of BDPAS share are declared with the alignment of
    /// the operands: a register for E2M1, otherwise 16 bytes for the scales of source 1 and 8 bytes
    /// for the scales of source 2.
    fn declared "bdpas-base-aligned" (Refuses [since(IGC_2_40)], ANY, "IGC") |i, c| {
        let (grf, is_e2m1) = (c.grf(), i.a == Precision::E2M1);
        let variable = |scales| variable_of(scales).unwrap_or(VarId::NULL);
        for (field, var, align) in [
            (field!(Bdpas.src1), i.src1.var, grf),
            (field!(Bdpas.src2), i.src2.var, grf),
            (field!(Bdpas.src3), variable(&i.src3), if is_e2m1 { grf } else { 16 }),
            (field!(Bdpas.src4), variable(&i.src4), if is_e2m1 { grf } else { 8 }),
        ] {
            require_declared_alignment(field, var, align, false, c);
            require_input_alignment(field, var, align, c);
        }
    }
}

/// Returns the variable of a general operand.
fn variable_of(operand: &Vector) -> Option<VarId> {
    match operand.kind {
        VectorKind::General { var, .. } => Some(var),
        _ => None,
    }
}
