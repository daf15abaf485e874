//! Motion estimation and video analytics.

use super::super::print::{Printer, Token};
use super::super::quirk::Quirk;
use crate::isa::va::{Convolve, MinMax, MinMaxFilter};
use crate::isa::va_skl_plus::{Convolve1dHorizontal, Convolve1dVertical, FloodFill, HdcConvolve};
use crate::isa::*;
use crate::operand::va::{FilterExecMode, MinMaxEnable};
use crate::operand::{Imm, SurfaceId, Vector, VectorKind};

/// The surface of a motion estimation stands between two spaces, and is never called by name.
pub(in super::super) fn vme_surface(p: &mut Printer<'_>, surface: &SurfaceId) {
    p.line.ch(' ');
    p.surface_number(surface.0.into());
    p.line.ch(' ');
}

pub(in super::super) fn vme_idm(p: &mut Printer<'_>, _: &VmeIdm) {
    p.line.push(if p.has(Quirk::IdmAsSic) { "vme_sic" } else { "vme_idm" });
}

/// The sizes of a convolution kernel, as a bit of the properties.
pub(in super::super) const KERNEL_SIZES: [(u8, &str); 2] = [(0, "15x15"), (0x10, "31x31")];

/// The modes of a convolution, as the low bits of the properties.
pub(in super::super) const CONVOLVE_MODES: [(u8, &str); 4] =
    [(0, "VA_CONV_16x4"), (1, "VA_CONV_INVALID"), (2, "VA_CONV_16x1"), (3, "VA_CONV_1x1")];

/// The modes of a minimum-maximum filter.
pub(in super::super) const FILTER_MODES: [(FilterExecMode, &str); 3] = [
    (FilterExecMode::B16X4, "VA_MMF_16x4"),
    (FilterExecMode::B16X1, "VA_MMF_16x1"),
    (FilterExecMode::B1X1, "VA_MMF_1x1"),
];

/// The modes of a 1D convolution.
pub(in super::super) const LINE_MODES: [(FilterExecMode, &str); 3] = [
    (FilterExecMode::B16X4, "4x16"),
    (FilterExecMode::B16X1, "1x16"),
    (FilterExecMode::B1X1, "1x1"),
];

/// The neighbors of a flood fill.
pub(in super::super) const CONNECTIVITIES: [(u8, &str); 2] = [(0, "4_connect"), (1, "8_connect")];

/// Prints a space and the word of a value. Returns whether there is one.
fn word<V: PartialEq>(p: &mut Printer<'_>, value: &V, words: &[(V, &str)]) -> bool {
    let found = words.iter().find(|(other, _)| other == value);
    if let Some((_, word)) = found {
        p.line.ch(' ');
        p.line.push(word);
    }
    found.is_some()
}

fn kernel_size(p: &mut Printer<'_>, big: bool) {
    word(p, &if big { 0x10 } else { 0 }, &KERNEL_SIZES);
}

pub(in super::super) fn convolve(p: &mut Printer<'_>, convolve: &Convolve) {
    let properties = convolve.properties;
    let big = properties & 0x10 != 0;
    word(p, &(properties & 3), &CONVOLVE_MODES);
    kernel_size(p, big && !p.has(Quirk::ConvolveAlwaysSmall));
    p.omit_if(properties & !0x13 != 0);
}

pub(in super::super) fn mmf_mode(p: &mut Printer<'_>, minmax: &MinMax) {
    // An immediate mode is printed by its name, without its type.
    let mode = match minmax.mmf_mode.kind {
        VectorKind::Immediate(imm) => u8::try_from(imm.bits()).ok(),
        _ => None,
    };
    match mode.and_then(MinMaxEnable::from_bits).filter(|mode| mode.name().is_some()) {
        Some(mode) => {
            p.line.ch(' ');
            mode.print(p);
            p.omit_if(minmax.mmf_mode != Vector::imm(Imm::ub(mode.bits())));
        }
        None => minmax.mmf_mode.operand(p),
    }
}

pub(in super::super) fn filter_mode(p: &mut Printer<'_>, filter: &MinMaxFilter) {
    if !word(p, &filter.exec_mode, &FILTER_MODES) {
        p.line.push(" VA_MMF_INVALID");
        p.lossy = true;
    }
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
    let is_said = word(p, mode, &LINE_MODES);
    p.omit_if(!is_said);
}

pub(in super::super) fn connectivity(p: &mut Printer<'_>, fill: &FloodFill) {
    word(p, &(fill.is_8_connect & 1), &CONNECTIVITIES);
    p.omit_if(fill.is_8_connect > 1);
}

pub(in super::super) fn hdc_convolve(p: &mut Printer<'_>, convolve: &HdcConvolve) {
    let properties = convolve.properties;
    p.line.push(if properties & 0xf == 0 { " VA_Y16_FORMAT" } else { " VA_Y8_FORMAT" });
    kernel_size(p, properties & 0x10 != 0);
    p.omit_if(properties & !0x11 != 0);
}
