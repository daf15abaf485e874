//! Rules for video analytics and motion estimation. The manual has no pages for video analytics.

use super::sampler::older::{DeclaredSurface, MemorySurface, declared, memory};
use crate::isa::payload::video::DUAL_REFERENCE;
use crate::isa::payload::{Payloads, Sizes};
use crate::isa::{Instruction, Va, VaSklPlus, VmeFbr, VmeIdm, VmeIme, VmeSic};
use crate::operand::Raw;
use crate::operand::va::{FilterExecMode, HdcPixelSize, LbpMode, MinMaxEnable};
use crate::verify::context::Context;
use crate::verify::field::{Field, field};
use crate::verify::rule::{Rule, rules};
use crate::verify::types::{Types, constant};

/// Applies the rules for video analytics.
fn check_va(va: &Va, cx: &mut Context<'_>) {
    let surface = match va {
        Va::Convolve(i) => i.surface,
        Va::MinMax(i) => i.surface,
        Va::MinMaxFilter(i) => i.surface,
        Va::Erode(i) => i.surface,
        Va::Dilate(i) => i.surface,
        Va::BoolCentroid(i) => i.surface,
        Va::Centroid(i) => i.surface,
    };
    declared::check(&DeclaredSurface(field!(Avs.surface), surface), cx);
}

/// Applies the rules for video analytics since Skylake.
fn check_va_skl_plus(va: &VaSklPlus, cx: &mut Context<'_>) {
    use VaSklPlus::*;
    match va {
        Convolve1dVertical(i) => {
            declared::check(&DeclaredSurface(field!(Avs.surface), i.surface), cx);
            filter::check(&i.mode, cx);
        }
        Convolve1dHorizontal(i) => {
            declared::check(&DeclaredSurface(field!(Avs.surface), i.surface), cx);
            filter::check(&i.mode, cx);
        }
        Convolve1Pixel(i) => {
            declared::check(&DeclaredSurface(field!(Avs.surface), i.surface), cx);
            filter::check(&i.mode, cx);
        }
        FloodFill(_) => {}
        LbpCreation(i) => {
            declared::check(&DeclaredSurface(field!(Avs.surface), i.surface), cx);
            // IGC checks two bits here, and all bits in HdcLbpCreation.
            lbp::check(&LbpModeByte(i.mode.bits() & 3), cx);
        }
        LbpCorrelation(i) => declared::check(&DeclaredSurface(field!(Avs.surface), i.surface), cx),
        CorrelationSearch(i) => memory::check(&MemorySurface(field!(Avs.surface), i.surface), cx),
        HdcConvolve(i) => {
            check_surfaces(i.surface, i.dst_surface, cx);
            pixels::check(
                &PixelSize(field!(va_skl_plus::HdcConvolve.properties), i.properties),
                cx,
            );
        }
        HdcMinMaxFilter(i) => {
            check_surfaces(i.surface, i.dst_surface, cx);
            pixels::check(
                &PixelSize(
                    field!(va_skl_plus::HdcConvolve1dHorizontal.pixel_size),
                    i.pixel_size.bits(),
                ),
                cx,
            );
            min_max::check(&i.mode, cx);
        }
        HdcErode(i) => check_surfaces(i.surface, i.dst_surface, cx),
        HdcDilate(i) => check_surfaces(i.surface, i.dst_surface, cx),
        HdcLbpCorrelation(i) => check_surfaces(i.surface, i.dst_surface, cx),
        HdcLbpCreation(i) => {
            check_surfaces(i.surface, i.dst_surface, cx);
            lbp::check(&LbpModeByte(i.mode.bits()), cx);
        }
        HdcConvolve1dHorizontal(i) => {
            check_surfaces(i.surface, i.dst_surface, cx);
            pixels::check(
                &PixelSize(
                    field!(va_skl_plus::HdcConvolve1dHorizontal.pixel_size),
                    i.pixel_size.bits(),
                ),
                cx,
            );
        }
        HdcConvolve1dVertical(i) => {
            check_surfaces(i.surface, i.dst_surface, cx);
            pixels::check(
                &PixelSize(
                    field!(va_skl_plus::HdcConvolve1dHorizontal.pixel_size),
                    i.pixel_size.bits(),
                ),
                cx,
            );
        }
        HdcConvolve1Pixel(i) => {
            check_surfaces(i.surface, i.dst_surface, cx);
            pixels::check(
                &PixelSize(
                    field!(va_skl_plus::HdcConvolve1dHorizontal.pixel_size),
                    i.pixel_size.bits(),
                ),
                cx,
            );
        }
    }
}

/// Applies the rules to the surfaces of a function that writes to a surface.
fn check_surfaces(
    surface: crate::operand::SurfaceId,
    dst_surface: crate::operand::SurfaceId,
    cx: &mut Context<'_>,
) {
    memory::check(&MemorySurface(field!(Avs.surface), surface), cx);
    memory::check(
        &MemorySurface(field!(va_skl_plus::HdcConvolve1dHorizontal.dst_surface), dst_surface),
        cx,
    );
}

/// The mode of a function on local binary patterns.
pub(in crate::verify) struct LbpModeByte(u8);

/// The field and the value of a byte with a pixel size in its lower half.
pub(in crate::verify) struct PixelSize(Field, u8);

rules! { filter for FilterExecMode;
    /// The mode of a convolution since Skylake is 0, 2 or 3.
    fn mode "va-mode" (RefusedIn2022, ANY, "IGC") |mode, c| {
        if mode.bits() & 3 == 1 {
            c.fail(field!(va_skl_plus::LbpCreation.mode), mode, "mode 0, 2 or 3");
        }
    }
}

rules! { lbp for LbpModeByte;
    /// The mode of functions on local binary patterns is 0, 1 or 2.
    fn mode "va-lbp-mode" (RefusedIn2022, ANY, "IGC") |mode, c| {
        if mode.0 > LbpMode::B5X5.bits() {
            c.fail(field!(va_skl_plus::LbpCreation.mode), mode.0, "mode 0, 1 or 2");
        }
    }
}

rules! { min_max for MinMaxEnable;
    /// The mode of a min-max filter that writes to a surface is 0, 1 or 2.
    fn mode "va-min-max-mode" (RefusedIn2022, ANY, "IGC") |mode, c| {
        if *mode > MinMaxEnable::MIN {
            c.fail(field!(va_skl_plus::LbpCreation.mode), mode, "mode 0, 1 or 2");
        }
    }
}

rules! { pixels for PixelSize;
    /// The pixel size of a function that writes to a surface is 0 or 1.
    fn size "va-pixel-size" (RefusedIn2022, ANY, "IGC") |i, c| {
        if i.1 & 15 > HdcPixelSize::Y8.bits() {
            c.fail(i.0, i.1 & 15, "pixel size 0 or 1");
        }
    }
}

/// A raw operand of motion estimation: its field, the operand, its types, and its size in bytes.
type Operand = (Field, Raw, Types, i64);

/// The raw operands of a motion estimation.
pub(in crate::verify) struct Operands<'i>(&'i [Operand]);

fn check_operands<const N: usize>(
    i: &impl Payloads,
    operands: [(Field, Raw, Types); N],
    cx: &mut Context<'_>,
) {
    let sizes = Sizes { element: 1, register: cx.registers.bytes() };
    let operands = operands.map(|(field, raw, types)| {
        (field, raw, types, i.payload(field.name(), sizes).map_or(0, |payload| payload.bytes()))
    });
    payloads::check(&Operands(&operands), cx);
}

/// Applies the rules for VME_IME.
fn check_ime(i: &VmeIme, cx: &mut Context<'_>) {
    ime::check(i, cx);
    check_operands(
        i,
        [
            (field!(VmeIme.uni_input), i.uni_input, Types::UB),
            (field!(VmeIme.ime_input), i.ime_input, Types::UB),
            (field!(VmeIme.ref0), i.ref0, Types::UW),
            (field!(VmeIme.ref1), i.ref1, Types::UW),
            (field!(VmeIme.cost_center), i.cost_center, Types::UW),
            (field!(VmeIme.output), i.output, Types::UB),
        ],
        cx,
    );
}

/// Applies the rules for VME_SIC.
fn check_sic(i: &VmeSic, cx: &mut Context<'_>) {
    check_operands(
        i,
        [
            (field!(VmeIme.uni_input), i.uni_input, Types::UB),
            (field!(VmeSic.sic_input), i.sic_input, Types::UB),
            (field!(VmeIme.output), i.output, Types::UB),
        ],
        cx,
    );
}

/// Applies the rules for VME_FBR.
fn check_fbr(i: &VmeFbr, cx: &mut Context<'_>) {
    fbr::check(i, cx);
    check_operands(
        i,
        [
            (field!(VmeIme.uni_input), i.uni_input, Types::UB),
            (field!(VmeFbr.fbr_input), i.fbr_input, Types::UB),
            (field!(VmeIme.output), i.output, Types::UB),
        ],
        cx,
    );
}

/// Applies the rules for VME_IDM.
fn check_idm(i: &VmeIdm, cx: &mut Context<'_>) {
    check_operands(
        i,
        [
            (field!(VmeIme.uni_input), i.uni_input, Types::UB),
            (field!(VmeIdm.idm_input), i.idm_input, Types::UB),
            (field!(VmeIme.output), i.output, Types::UB),
        ],
        cx,
    );
}

rules! { payloads for Operands<'_>;
    /// The payloads of motion estimation have type UB, its references and cost center UW.
    fn types "vme-type" (Accepts, ANY, "VME_IME.md, UNIInput") |i, c| {
        for (field, raw, types, _) in i.0 {
            c.require_type(*field, *raw, *types);
        }
    }

    /// The payloads of motion estimation have the sizes that its mode requires.
    fn sizes "vme-size" (Accepts, ANY, "VME_IME.md, IMEInput") |i, c| {
        for (field, raw, _, needed) in i.0 {
            if c.bytes_left(*raw).is_some_and(|left| left < *needed) {
                c.fail_size(*field, *raw, *needed);
            }
        }
    }
}

rules! { ime for VmeIme;
    /// The stream mode of VME_IME is 0 to 3.
    fn stream_mode "vme-stream-mode" (Refuses, ANY, "VME_IME.md, StreamMode") |i, c| {
        if i.stream_mode > 3 {
            c.fail(field!(VmeIme.stream_mode), i.stream_mode, "0 to 3");
        }
    }

    /// The search control of VME_IME is 0, 1, 3 or 7.
    fn search_ctrl "vme-search-control" (Refuses, ANY, "VME_IME.md, SearchCtrl") |i, c| {
        if !matches!(i.search_ctrl, 0 | 1 | 3 | DUAL_REFERENCE) {
            c.fail(field!(VmeIme.search_ctrl), i.search_ctrl, "0, 1, 3 or 7");
        }
    }
}

rules! { fbr for VmeFbr;
    /// The modes of VME_FBR have type UD.
    fn types "vme-mode-type" (Accepts, ANY, "VME_FBR.md, FBRMbMode") |i, c| {
        c.require_scalar_type(field!(VmeFbr.fbr_mb_mode), &i.fbr_mb_mode, Types::UD);
        c.require_scalar_type(field!(VmeFbr.fbr_sub_mb_shape), &i.fbr_sub_mb_shape, Types::UD);
        c.require_scalar_type(field!(VmeFbr.fbr_sub_pred_mode), &i.fbr_sub_pred_mode, Types::UD);
    }

    /// The macroblock mode of VME_FBR is 0 to 3.
    fn mode "vme-mode" (Accepts, ANY, "VME_FBR.md, FBRMbMode") |i, c| {
        if let Some(mode) = constant(&i.fbr_mb_mode).filter(|mode| !(0..=3).contains(mode)) {
            c.fail(field!(VmeFbr.fbr_mb_mode), mode, "0 to 3");
        }
    }
}

/// The rules of this file.
pub(in crate::verify) static RULES: &[&[&Rule]] = &[
    filter::RULES,
    lbp::RULES,
    min_max::RULES,
    pixels::RULES,
    payloads::RULES,
    ime::RULES,
    fbr::RULES,
];

/// Applies the rules to an instruction.
pub(super) fn check(instruction: &Instruction, cx: &mut Context<'_>) {
    match instruction {
        Instruction::Va(i) => check_va(i, cx),
        Instruction::VaSklPlus(i) => check_va_skl_plus(i, cx),
        Instruction::VmeIme(i) => check_ime(i, cx),
        Instruction::VmeSic(i) => check_sic(i, cx),
        Instruction::VmeFbr(i) => check_fbr(i, cx),
        Instruction::VmeIdm(i) => check_idm(i, cx),
        _ => {}
    }
}
