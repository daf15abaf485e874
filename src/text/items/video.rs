//! Items of motion estimation and video analytics.

use super::{Item, Word, print_word};
use crate::isa::prefix;
use crate::isa::va_skl_plus::{Convolve1dHorizontal, Convolve1dVertical};
use crate::isa::*;
use crate::operand::va::{FilterExecMode, HdcPixelSize, MinMaxEnable};
use crate::operand::{Imm, Scalar, SurfaceId, Vector, VectorKind};
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::Parsed;
use crate::text::operands::Renamed;
use crate::text::words::Quirk;

/// The surface of a motion estimation, between two spaces.
pub(in crate::text) struct VmeSurface;

impl Item<SurfaceId> for VmeSurface {
    fn print(p: &mut Printer<'_>, surface: &SurfaceId) {
        p.line.ch(' ');
        match p.has(Quirk::VmeSurfaceNumbered) {
            true => p.surface_number(surface.0.into()),
            false => surface.print(p),
        }
        p.line.ch(' ');
    }

    fn parse(p: &mut Parser<'_>, surface: &mut SurfaceId) -> Parsed<()> {
        surface.parse(p)
    }
}

/// `vme_idm`
pub(in crate::text) struct IdmWord;

impl Word<VmeIdm> for IdmWord {
    const WORDS: &'static [&'static str] = &["vme_idm"];

    fn print(p: &mut Printer<'_>, _: &VmeIdm) {
        p.line.push(if p.has(Quirk::IdmAsSic) { "vme_sic" } else { Self::WORDS[0] });
    }

    fn parse(_: &Parser<'_>, _: &mut VmeIdm) {}
}

/// The operation of a 1D convolution.
pub(in crate::text) struct DirectionWord;

impl<T: Copy + Into<VaSklPlus>> Word<T> for DirectionWord {
    const WORDS: &'static [&'static str] = &[];

    fn print(p: &mut Printer<'_>, convolve: &T) {
        let convolve: VaSklPlus = (*convolve).into();
        let swapped = match convolve {
            VaSklPlus::Convolve1dVertical(_) => Convolve1dHorizontal::default().into(),
            _ => Convolve1dVertical::default().into(),
        };
        let printed = if p.has(Quirk::ConvolveDirectionSwapped) { swapped } else { convolve };
        p.line.push(prefix!(VaSklPlus));
        p.line.push(printed.mnemonic());
    }

    fn parse(_: &Parser<'_>, _: &mut T) {}
}

/// The sizes of a convolution kernel, as a bit of the properties.
const KERNEL_SIZES: [(u8, &str); 2] = [(0, "15x15"), (0x10, "31x31")];

fn print_kernel_size(p: &mut Printer<'_>, properties: u8) {
    p.line.ch(' ');
    print_word(p, &(properties & 0x10), &KERNEL_SIZES);
}

fn parse_kernel_size(p: &mut Parser<'_>) -> Parsed<u8> {
    p.value_of("`15x15` or `31x31`", &KERNEL_SIZES)
}

/// The modes of a convolution, as the low bits of the properties.
const CONVOLVE_MODES: [(u8, &str); 4] =
    [(0, "VA_CONV_16x4"), (1, "VA_CONV_INVALID"), (2, "VA_CONV_16x1"), (3, "VA_CONV_1x1")];

/// ` VA_CONV_16x4 15x15`
pub(in crate::text) struct ConvolveProperties;

impl Item<u8> for ConvolveProperties {
    fn print(p: &mut Printer<'_>, &properties: &u8) {
        p.line.ch(' ');
        print_word(p, &(properties & 3), &CONVOLVE_MODES);
        let is_small = p.has(Quirk::ConvolveAlwaysSmall);
        print_kernel_size(p, if is_small { 0 } else { properties });
        p.omit_if(properties & !0x13 != 0);
    }

    fn parse(p: &mut Parser<'_>, properties: &mut u8) -> Parsed<()> {
        *properties = p.value_of("a convolution mode", &CONVOLVE_MODES)?;
        *properties |= parse_kernel_size(p)?;
        Ok(())
    }
}

/// ` VA_Y8_FORMAT 15x15`
pub(in crate::text) struct HdcConvolveProperties;

impl Item<u8> for HdcConvolveProperties {
    fn print(p: &mut Printer<'_>, &properties: &u8) {
        let is_16 = properties & 0xf == 0;
        let pixel_size = if is_16 { HdcPixelSize::Y16 } else { HdcPixelSize::Y8 };
        pixel_size.operand(p);
        print_kernel_size(p, properties);
        p.omit_if(properties & !0x11 != 0);
    }

    fn parse(p: &mut Parser<'_>, properties: &mut u8) -> Parsed<()> {
        let mut pixel_size = HdcPixelSize::default();
        pixel_size.parse(p)?;
        *properties = pixel_size.bits() | parse_kernel_size(p)?;
        Ok(())
    }
}

/// The mode of MINMAX: a name for an immediate, and otherwise an operand.
pub(in crate::text) struct MinMaxMode;

impl Item<Scalar> for MinMaxMode {
    fn print(p: &mut Printer<'_>, operand: &Scalar) {
        let mode = match operand.kind {
            VectorKind::Immediate(imm) => u8::try_from(imm.bits()).ok(),
            _ => None,
        };
        match mode.and_then(MinMaxEnable::from_bits).filter(|mode| mode.name().is_some()) {
            Some(mode) => {
                mode.operand(p);
                p.omit_if(*operand != Vector::imm(Imm::ub(mode.bits())));
            }
            None => operand.operand(p),
        }
    }

    fn parse(p: &mut Parser<'_>, operand: &mut Scalar) -> Parsed<()> {
        p.c.skip_blanks();
        match MinMaxEnable::WORDS.iter().find(|(_, word)| p.c.eat_word_here(word)) {
            Some((mode, _)) => {
                *operand = Imm::ub(mode.bits()).into();
                Ok(())
            }
            None => operand.parse(p),
        }
    }
}

const FILTER_MODES: [(FilterExecMode, &str); 3] = [
    (FilterExecMode::B16X4, "VA_MMF_16x4"),
    (FilterExecMode::B16X1, "VA_MMF_16x1"),
    (FilterExecMode::B1X1, "VA_MMF_1x1"),
];

/// The mode of a minimum-maximum filter.
pub(in crate::text) struct FilterMode;

impl Item<FilterExecMode> for FilterMode {
    fn print(p: &mut Printer<'_>, mode: &FilterExecMode) {
        p.line.ch(' ');
        if !print_word(p, mode, &FILTER_MODES) {
            p.line.push("VA_MMF_INVALID");
            p.is_incomplete = true;
        }
    }

    fn parse(p: &mut Parser<'_>, mode: &mut FilterExecMode) -> Parsed<()> {
        *mode = p.value_of("a filter mode", &FILTER_MODES)?;
        Ok(())
    }
}

const LINE_MODES: [(FilterExecMode, &str); 3] = [
    (FilterExecMode::B16X4, "4x16"),
    (FilterExecMode::B16X1, "1x16"),
    (FilterExecMode::B1X1, "1x1"),
];

/// The mode of a 1D convolution. An unknown mode prints nothing.
pub(in crate::text) struct LineMode;

impl Item<FilterExecMode> for LineMode {
    fn print(p: &mut Printer<'_>, mode: &FilterExecMode) {
        let is_known = LINE_MODES.iter().any(|(other, _)| other == mode);
        if is_known {
            p.line.ch(' ');
            print_word(p, mode, &LINE_MODES);
        }
        p.omit_if(!is_known);
    }

    fn parse(p: &mut Parser<'_>, mode: &mut FilterExecMode) -> Parsed<()> {
        *mode = p.value_of("`4x16`, `1x16` or `1x1`", &LINE_MODES)?;
        Ok(())
    }
}

const CONNECTIVITIES: [(u8, &str); 2] = [(0, "4_connect"), (1, "8_connect")];

/// The neighbors of a flood fill.
pub(in crate::text) struct Connectivity;

impl Item<u8> for Connectivity {
    fn print(p: &mut Printer<'_>, is_8_connect: &u8) {
        p.line.ch(' ');
        print_word(p, &(is_8_connect & 1), &CONNECTIVITIES);
        p.omit_if(*is_8_connect > 1);
    }

    fn parse(p: &mut Parser<'_>, is_8_connect: &mut u8) -> Parsed<()> {
        *is_8_connect = p.value_of("`4_connect` or `8_connect`", &CONNECTIVITIES)?;
        Ok(())
    }
}
