//! Motion estimation and video analytics.

use super::super::print::{Printer, Token};
use super::super::quirk::Quirk;
use crate::isa::va::{Convolve, MinMax, MinMaxFilter};
use crate::isa::va_skl_plus::{Convolve1dHorizontal, Convolve1dVertical, FloodFill, HdcConvolve};
use crate::isa::*;
use crate::operand::va::{FilterExecMode, MinMaxEnable};
use crate::operand::{SurfaceId, VectorKind};

/// The surface of a motion estimation stands between two spaces, and is never called by name.
pub(in super::super) fn vme_surface(p: &mut Printer<'_>, surface: &SurfaceId) {
    p.line.ch(' ');
    p.surface_number(surface.0.into());
    p.line.ch(' ');
}

pub(in super::super) fn vme_idm(p: &mut Printer<'_>, _: &VmeIdm) {
    p.line.push(if p.has(Quirk::IdmAsSic) { "vme_sic" } else { "vme_idm" });
}

fn kernel_size(p: &mut Printer<'_>, big: bool) {
    p.line.push(if big { " 31x31" } else { " 15x15" });
}

pub(in super::super) fn convolve(p: &mut Printer<'_>, convolve: &Convolve) {
    let properties = convolve.properties;
    let big = properties & 0x10 != 0;
    p.line.push(match properties & 3 {
        0 => " VA_CONV_16x4",
        2 => " VA_CONV_16x1",
        3 => " VA_CONV_1x1",
        _ => " VA_CONV_INVALID",
    });
    kernel_size(p, big && !p.has(Quirk::ConvolveAlwaysSmall));
    p.omit_if(properties & !0x13 != 0);
}

pub(in super::super) fn mmf_mode(p: &mut Printer<'_>, minmax: &MinMax) {
    // Modes have names where they are known: immediates. Text does not tell their type.
    match minmax.mmf_mode.kind {
        VectorKind::Immediate(imm) => {
            p.line.ch(' ');
            match u8::try_from(imm.bits()).ok().and_then(MinMaxEnable::from_bits) {
                Some(mode) if mode.name().is_some() => mode.print(p),
                _ => minmax.mmf_mode.print(p),
            }
            p.lossy = true;
        }
        _ => minmax.mmf_mode.operand(p),
    }
}

pub(in super::super) fn filter_mode(p: &mut Printer<'_>, filter: &MinMaxFilter) {
    p.line.push(match filter.exec_mode {
        FilterExecMode::B16X4 => " VA_MMF_16x4",
        FilterExecMode::B16X1 => " VA_MMF_16x1",
        FilterExecMode::B1X1 => " VA_MMF_1x1",
        _ => " VA_MMF_INVALID",
    });
    p.omit_if(filter.exec_mode.name().is_none());
}

pub(in super::super) fn vertical(p: &mut Printer<'_>, _: &Convolve1dVertical) {
    direction(p, true);
}

pub(in super::super) fn horizontal(p: &mut Printer<'_>, _: &Convolve1dHorizontal) {
    direction(p, false);
}

fn direction(p: &mut Printer<'_>, vertical: bool) {
    let vertical = vertical != p.has(Quirk::ConvolveDirectionSwapped);
    p.line.push(if vertical {
        "va_skl_plus.CONV_1D_VERTICAL"
    } else {
        "va_skl_plus.CONV_1D_HORIZONTAL"
    });
}

pub(in super::super) fn line_mode(p: &mut Printer<'_>, mode: &FilterExecMode) {
    match *mode {
        FilterExecMode::B16X4 => p.line.push(" 4x16"),
        FilterExecMode::B16X1 => p.line.push(" 1x16"),
        FilterExecMode::B1X1 => p.line.push(" 1x1"),
        _ => p.lossy = true,
    }
}

pub(in super::super) fn connectivity(p: &mut Printer<'_>, fill: &FloodFill) {
    p.line.push(if fill.is_8_connect & 1 != 0 { " 8_connect" } else { " 4_connect" });
    p.omit_if(fill.is_8_connect > 1);
}

pub(in super::super) fn hdc_convolve(p: &mut Printer<'_>, convolve: &HdcConvolve) {
    let properties = convolve.properties;
    p.line.push(if properties & 0xf == 0 { " VA_Y16_FORMAT" } else { " VA_Y8_FORMAT" });
    kernel_size(p, properties & 0x10 != 0);
    p.omit_if(properties & !0x11 != 0);
}
