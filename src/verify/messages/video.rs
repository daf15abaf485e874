//! Video analytics and motion estimation. The manual has no pages for the former.

use super::sampler::{Declared, Memory, declared, memory};
use crate::isa::{Va, VaSklPlus, VmeFbr, VmeIdm, VmeIme, VmeSic};
use crate::operand::Raw;
use crate::operand::va::{FilterExecMode, HdcPixelSize, LbpMode, MinMaxEnable};
use crate::verify::rule::rules;
use crate::verify::types::{Types, constant};

/// Applies the rules for video analytics.
pub(super) fn check_va(va: &Va, cx: &mut super::Context<'_>) {
    let surface = match va {
        Va::Convolve(i) => i.surface,
        Va::MinMax(i) => i.surface,
        Va::MinMaxFilter(i) => i.surface,
        Va::Erode(i) => i.surface,
        Va::Dilate(i) => i.surface,
        Va::BoolCentroid(i) => i.surface,
        Va::Centroid(i) => i.surface,
    };
    declared::check(&Declared("surface", surface), cx);
}

/// Applies the rules for video analytics since Skylake.
pub(super) fn check_va_skl_plus(va: &VaSklPlus, cx: &mut super::Context<'_>) {
    use VaSklPlus::*;
    match va {
        Convolve1dVertical(i) => {
            declared::check(&Declared("surface", i.surface), cx);
            filter::check(&i.mode, cx);
        }
        Convolve1dHorizontal(i) => {
            declared::check(&Declared("surface", i.surface), cx);
            filter::check(&i.mode, cx);
        }
        Convolve1Pixel(i) => {
            declared::check(&Declared("surface", i.surface), cx);
            filter::check(&i.mode, cx);
        }
        FloodFill(_) => {}
        LbpCreation(i) => {
            declared::check(&Declared("surface", i.surface), cx);
            // The reference looks at two bits here, at all of them in the function to a surface.
            lbp::check(&LbpModeByte(i.mode.bits() & 3), cx);
        }
        LbpCorrelation(i) => declared::check(&Declared("surface", i.surface), cx),
        CorrelationSearch(i) => memory::check(&Memory("surface", i.surface), cx),
        HdcConvolve(i) => {
            hdc(i.surface, i.dst_surface, cx);
            pixels::check(&Pixels("properties", i.properties), cx);
        }
        HdcMinMaxFilter(i) => {
            hdc(i.surface, i.dst_surface, cx);
            pixels::check(&Pixels("pixel_size", i.pixel_size.bits()), cx);
            min_max::check(&i.mode, cx);
        }
        HdcErode(i) => hdc(i.surface, i.dst_surface, cx),
        HdcDilate(i) => hdc(i.surface, i.dst_surface, cx),
        HdcLbpCorrelation(i) => hdc(i.surface, i.dst_surface, cx),
        HdcLbpCreation(i) => {
            hdc(i.surface, i.dst_surface, cx);
            lbp::check(&LbpModeByte(i.mode.bits()), cx);
        }
        HdcConvolve1dHorizontal(i) => {
            hdc(i.surface, i.dst_surface, cx);
            pixels::check(&Pixels("pixel_size", i.pixel_size.bits()), cx);
        }
        HdcConvolve1dVertical(i) => {
            hdc(i.surface, i.dst_surface, cx);
            pixels::check(&Pixels("pixel_size", i.pixel_size.bits()), cx);
        }
        HdcConvolve1Pixel(i) => {
            hdc(i.surface, i.dst_surface, cx);
            pixels::check(&Pixels("pixel_size", i.pixel_size.bits()), cx);
        }
    }
}

/// The surfaces of a function that writes to one.
fn hdc(
    surface: crate::operand::SurfaceId,
    dst_surface: crate::operand::SurfaceId,
    cx: &mut super::Context<'_>,
) {
    memory::check(&Memory("surface", surface), cx);
    memory::check(&Memory("dst_surface", dst_surface), cx);
}

/// The mode of local binary patterns.
pub(in crate::verify) struct LbpModeByte(u8);

/// The byte with a pixel size in its lower half.
pub(in crate::verify) struct Pixels(&'static str, u8);

rules! { filter for FilterExecMode;
    /// The mode of a convolution since Skylake is 0, 2 or 3.
    fn mode "va-mode" (Error, ANY, "reference") |mode, c| {
        if mode.bits() & 3 == 1 {
            c.fail("mode", mode, "0, 2 or 3");
        }
    }
}

rules! { lbp for LbpModeByte;
    /// The mode of local binary patterns is 0, 1 or 2.
    fn mode "va-lbp-mode" (Error, ANY, "reference") |mode, c| {
        if mode.0 > LbpMode::B5X5.bits() {
            c.fail("mode", mode.0, "0, 1 or 2");
        }
    }
}

rules! { min_max for MinMaxEnable;
    /// The mode of a filter that writes to a surface is 0, 1 or 2.
    fn mode "va-min-max-mode" (Error, ANY, "reference") |mode, c| {
        if *mode > MinMaxEnable::MIN {
            c.fail("mode", mode, "0, 1 or 2");
        }
    }
}

rules! { pixels for Pixels;
    /// The pixel size of what is written to a surface is 0 or 1.
    fn size "va-pixel-size" (Error, ANY, "reference") |i, c| {
        if i.1 & 15 > HdcPixelSize::Y8.bits() {
            c.fail(i.0, i.1 & 15, "0 or 1");
        }
    }
}

/// A raw operand of motion estimation: its field, itself, its type and its bytes.
type Payload = (&'static str, Raw, Types, i64);

/// All raw operands of a motion estimation.
pub(in crate::verify) struct Payloads<'i>(&'i [Payload]);

fn check_payloads(payloads: &[Payload], cx: &mut super::Context<'_>) {
    payloads::check(&Payloads(payloads), cx);
}

/// The search control of two references. The page numbers the four from 0 to 3, and readers know them
/// as 0, 1, 3 and 7.
const DUAL_REFERENCE: u8 = 7;

/// Applies the rules for VME_IME.
pub(super) fn check_ime(i: &VmeIme, cx: &mut super::Context<'_>) {
    ime::check(i, cx);
    let (input, output) = match (i.stream_mode, i.search_ctrl) {
        (0, _) => (64, 224),
        (_, DUAL_REFERENCE) => (192, 352),
        _ => (128, 288),
    };
    check_payloads(
        &[
            ("uni_input", i.uni_input, Types::UB, 128),
            ("ime_input", i.ime_input, Types::UB, input),
            ("ref0", i.ref0, Types::UW, 4),
            ("ref1", i.ref1, Types::UW, 4),
            ("cost_center", i.cost_center, Types::UW, 32),
            ("output", i.output, Types::UB, output),
        ],
        cx,
    );
}

/// Applies the rules for VME_SIC.
pub(super) fn check_sic(i: &VmeSic, cx: &mut super::Context<'_>) {
    check_payloads(
        &[
            ("uni_input", i.uni_input, Types::UB, 128),
            ("sic_input", i.sic_input, Types::UB, 128),
            ("output", i.output, Types::UB, 224),
        ],
        cx,
    );
}

/// Applies the rules for VME_FBR.
pub(super) fn check_fbr(i: &VmeFbr, cx: &mut super::Context<'_>) {
    fbr::check(i, cx);
    check_payloads(
        &[
            ("uni_input", i.uni_input, Types::UB, 128),
            ("fbr_input", i.fbr_input, Types::UB, 128),
            ("output", i.output, Types::UB, 224),
        ],
        cx,
    );
}

/// Applies the rules for VME_IDM.
pub(super) fn check_idm(i: &VmeIdm, cx: &mut super::Context<'_>) {
    check_payloads(
        &[
            ("uni_input", i.uni_input, Types::UB, 128),
            ("idm_input", i.idm_input, Types::UB, 32),
            ("output", i.output, Types::UB, 512),
        ],
        cx,
    );
}

rules! { payloads for Payloads<'_>;
    /// The payloads of motion estimation are of type UB, its positions of type UW.
    fn types "vme-type" (Error, ANY, "VME_IME.md, UNIInput") |i, c| {
        for (field, raw, types, _) in i.0 {
            c.wants(field, *raw, *types);
        }
    }

    /// The payloads of motion estimation have the sizes that its mode asks for.
    fn sizes "vme-size" (Error, ANY, "VME_IME.md, IMEInput") |i, c| {
        for (field, raw, _, needed) in i.0 {
            if let Some(room) = c.room(*raw).filter(|room| room < needed) {
                c.fail(field, format_args!("{room} bytes"), format_args!("at least {needed}"));
            }
        }
    }
}

rules! { ime for VmeIme;
    /// The stream mode of VME_IME is 0 to 3.
    fn stream_mode "vme-stream-mode" (Error, ANY, "VME_IME.md, StreamMode") |i, c| {
        if i.stream_mode > 3 {
            c.fail("stream_mode", i.stream_mode, "0 to 3");
        }
    }

    /// The search control of VME_IME is 0, 1, 3 or 7.
    fn search_ctrl "vme-search-control" (Error, ANY, "VME_IME.md, SearchCtrl") |i, c| {
        if !matches!(i.search_ctrl, 0 | 1 | 3 | DUAL_REFERENCE) {
            c.fail("search_ctrl", i.search_ctrl, "0, 1, 3 or 7");
        }
    }
}

rules! { fbr for VmeFbr;
    /// The modes of VME_FBR are of type UD.
    fn types "vme-mode-type" (Error, ANY, "VME_FBR.md, FBRMbMode") |i, c| {
        c.wants_scalar("fbr_mb_mode", &i.fbr_mb_mode, Types::UD);
        c.wants_scalar("fbr_sub_mb_shape", &i.fbr_sub_mb_shape, Types::UD);
        c.wants_scalar("fbr_sub_pred_mode", &i.fbr_sub_pred_mode, Types::UD);
    }

    /// The macroblock mode of VME_FBR is 0 to 3.
    fn mode "vme-mode" (Error, ANY, "VME_FBR.md, FBRMbMode") |i, c| {
        if let Some(mode) = constant(&i.fbr_mb_mode).filter(|mode| !(0..=3).contains(mode)) {
            c.fail("fbr_mb_mode", mode, "0 to 3");
        }
    }
}
