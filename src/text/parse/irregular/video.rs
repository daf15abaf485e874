//! Motion estimation and video analytics.

use super::super::Parser;
use super::super::cursor::Parsed;
use super::super::operands::Parse;
use super::super::rows::Head;
use crate::isa::va::{Convolve, MinMax, MinMaxFilter};
use crate::isa::va_skl_plus::{Convolve1dHorizontal, Convolve1dVertical, FloodFill, HdcConvolve};
use crate::isa::*;
use crate::operand::va::{FilterExecMode, HdcPixelSize};
use crate::operand::{Imm, SurfaceId};

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

/// One of some words, and what it stands for.
fn one_of<V: Copy>(p: &mut Parser<'_>, what: &str, words: &[(&str, V)]) -> Parsed<V> {
    p.c.skip_blanks();
    match words.iter().find(|(word, _)| p.c.eat_word_here(word)) {
        Some((_, value)) => Ok(*value),
        None => Err(p.expected_word(what, words.iter().map(|(word, _)| *word))),
    }
}

const KERNEL_SIZES: [(&str, u8); 2] = [("15x15", 0), ("31x31", 0x10)];

pub(in super::super) fn convolve(p: &mut Parser<'_>, i: &mut Convolve, _: &mut Head) -> Parsed<()> {
    let modes =
        [("VA_CONV_16x4", 0), ("VA_CONV_INVALID", 1), ("VA_CONV_16x1", 2), ("VA_CONV_1x1", 3)];
    i.properties = one_of(p, "a convolution mode", &modes)?;
    i.properties |= one_of(p, "`15x15` or `31x31`", &KERNEL_SIZES)?;
    Ok(())
}

pub(in super::super) fn mmf_mode(p: &mut Parser<'_>, i: &mut MinMax, _: &mut Head) -> Parsed<()> {
    let modes = [("VA_MINMAX_ENABLE", 0u8), ("VA_MAX_ENABLE", 1), ("VA_MIN_ENABLE", 2)];
    p.c.skip_blanks();
    match modes.iter().find(|(word, _)| p.c.eat_word_here(word)) {
        Some((_, mode)) => {
            i.mmf_mode = Imm::ub(*mode).into();
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
    let modes = [
        ("VA_MMF_16x4", FilterExecMode::B16X4),
        ("VA_MMF_16x1", FilterExecMode::B16X1),
        ("VA_MMF_1x1", FilterExecMode::B1X1),
    ];
    i.exec_mode = one_of(p, "a filter mode", &modes)?;
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
    let modes = [
        ("4x16", FilterExecMode::B16X4),
        ("1x16", FilterExecMode::B16X1),
        ("1x1", FilterExecMode::B1X1),
    ];
    *mode = one_of(p, "a mode: 4x16, 1x16 or 1x1", &modes)?;
    Ok(())
}

pub(in super::super) fn connectivity(
    p: &mut Parser<'_>,
    i: &mut FloodFill,
    _: &mut Head,
) -> Parsed<()> {
    i.is_8_connect =
        one_of(p, "`4_connect` or `8_connect`", &[("4_connect", 0), ("8_connect", 1)])?;
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
    i.properties |= one_of(p, "`15x15` or `31x31`", &KERNEL_SIZES)?;
    Ok(())
}
