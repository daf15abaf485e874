//! Motion estimation and video analytics.

use super::super::Parser;
use super::super::cursor::Parsed;
use super::super::operands::Parse;
use super::super::rows::Head;
use crate::isa::va::{Convolve, MinMax, MinMaxFilter};
use crate::isa::va_skl_plus::{Convolve1dHorizontal, Convolve1dVertical, FloodFill, HdcConvolve};
use crate::isa::*;
use crate::operand::va::{FilterExecMode, HdcPixelSize, MinMaxEnable};
use crate::operand::{Imm, SurfaceId};
use crate::text::codes::Renamed;
use crate::text::irregular::{
    CONNECTIVITIES, CONVOLVE_MODES, FILTER_MODES, KERNEL_SIZES, LINE_MODES,
};

pub(in super::super) fn vme_surface(
    p: &mut Parser<'_>,
    surface: &mut SurfaceId,
    _: &mut Head,
) -> Parsed<()> {
    surface.parse(p)
}

pub(in super::super) fn vme_idm(_: &mut Parser<'_>, _: &mut VmeIdm, _: &mut Head) -> Parsed<()> {
    Ok(())
}

pub(in super::super) fn convolve(p: &mut Parser<'_>, i: &mut Convolve, _: &mut Head) -> Parsed<()> {
    i.properties = p.word_of("a convolution mode", &CONVOLVE_MODES)?;
    i.properties |= p.word_of("`15x15` or `31x31`", &KERNEL_SIZES)?;
    Ok(())
}

pub(in super::super) fn mmf_mode(p: &mut Parser<'_>, i: &mut MinMax, _: &mut Head) -> Parsed<()> {
    p.c.skip_blanks();
    match MinMaxEnable::WORDS.iter().find(|(_, word)| p.c.eat_word_here(word)) {
        Some((mode, _)) => {
            i.mmf_mode = Imm::ub(mode.bits()).into();
            Ok(())
        }
        None => i.mmf_mode.parse(p),
    }
}

pub(in super::super) fn filter_mode(
    p: &mut Parser<'_>,
    i: &mut MinMaxFilter,
    _: &mut Head,
) -> Parsed<()> {
    i.exec_mode = p.word_of("a filter mode", &FILTER_MODES)?;
    Ok(())
}

pub(in super::super) fn vertical(
    _: &mut Parser<'_>,
    _: &mut Convolve1dVertical,
    _: &mut Head,
) -> Parsed<()> {
    Ok(())
}

pub(in super::super) fn horizontal(
    _: &mut Parser<'_>,
    _: &mut Convolve1dHorizontal,
    _: &mut Head,
) -> Parsed<()> {
    Ok(())
}

pub(in super::super) fn line_mode(
    p: &mut Parser<'_>,
    mode: &mut FilterExecMode,
    _: &mut Head,
) -> Parsed<()> {
    *mode = p.word_of("a mode: 4x16, 1x16 or 1x1", &LINE_MODES)?;
    Ok(())
}

pub(in super::super) fn connectivity(
    p: &mut Parser<'_>,
    i: &mut FloodFill,
    _: &mut Head,
) -> Parsed<()> {
    i.is_8_connect = p.word_of("`4_connect` or `8_connect`", &CONNECTIVITIES)?;
    Ok(())
}

pub(in super::super) fn hdc_convolve(
    p: &mut Parser<'_>,
    i: &mut HdcConvolve,
    _: &mut Head,
) -> Parsed<()> {
    let mut pixel_size = HdcPixelSize::default();
    pixel_size.parse(p)?;
    i.properties = pixel_size.bits();
    i.properties |= p.word_of("`15x15` or `31x31`", &KERNEL_SIZES)?;
    Ok(())
}
