//! Items of sampler messages and INFO.

use alloc::format;

use super::{Item, Word, print_word};
use crate::format::Version;
use crate::isa::record::Packed;
use crate::isa::sampler::operations::{
    GATHER_WORDS, LOAD_WORDS, Message, OperationRow, SAMPLE_WORDS, Since,
};
use crate::isa::*;
use crate::operand::{ChannelMask, ChannelsMode, Raw, SampleMode};
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::Parsed;
use crate::text::recorder::CompletionKind;
use crate::text::words::Quirk;

/// Returns the word of an operation in GenX_IR, which uses one list for all sampler messages.
fn word_of_genx_ir(code: u8) -> Option<&'static str> {
    let mut rows = SampleOp::ROWS.iter().chain(SamplerOp::ROWS);
    let row = rows.find(|row| row.code == code && row.since == Since::Always)?;
    Some(row.word)
}

fn print_operation(p: &mut Printer<'_>, word: Option<&str>, code: u8) {
    let is_genx_ir = p.has(Quirk::UnknownSamplerOperation);
    match word.filter(|_| !is_genx_ir).or(word_of_genx_ir(code)) {
        Some(word) => p.line.push(word),
        None if is_genx_ir => p.line.push("sampler_unknown"),
        None => {
            p.line.push("sampler_op_");
            p.line.hex(code);
        }
    }
    // The parser treats the word of another message as that message.
    p.omit_if(word.is_none());
}

/// Defines the [`Word`] of a message, with the words of its operations.
macro_rules! operation_words {
    ($($item:ident: $op:ident $message:ident $words:ident;)*) => {$(
        pub(in crate::text) struct $item;

        impl Word<$op> for $item {
            const WORDS: &'static [&'static str] = $words;

            fn print(p: &mut Printer<'_>, op: &$op) {
                let is_here = op.row().is_some_and(|row| row.message == Message::$message);
                print_operation(p, op.name().filter(|_| is_here), op.bits());
            }

            fn parse(p: &Parser<'_>, op: &mut $op) {
                let found = $op::NAMED.iter().find(|op| op.name() == Some(p.word()));
                *op = found.copied().unwrap_or_default();
            }
        }
    )*};
}

operation_words! {
    SampleWord: SampleOp Sample SAMPLE_WORDS;
    LoadWord: SamplerOp Load LOAD_WORDS;
    GatherWord: SamplerOp Gather GATHER_WORDS;
}

/// The operation of a 3D_SAMPLE in dialect `Manual`, which has no other operations than the page.
pub(in crate::text) struct ManualSampleWord;

/// Returns the number of operations that 3D_SAMPLE.md lists.
const fn count_on_page(rows: &[OperationRow]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < rows.len() {
        count += rows[i].page_word.is_some() as usize;
        i += 1;
    }
    count
}

impl Word<SampleOp> for ManualSampleWord {
    const WORDS: &'static [&'static str] = &{
        let mut words = [""; count_on_page(SampleOp::ROWS)];
        let (mut count, mut i) = (0, 0);
        while i < SampleOp::ROWS.len() {
            if let Some(word) = SampleOp::ROWS[i].page_word {
                words[count] = word;
                count += 1;
            }
            i += 1;
        }
        words
    };

    fn print(p: &mut Printer<'_>, op: &SampleOp) {
        match op.row().and_then(|row| row.page_word) {
            Some(word) => p.line.push(word),
            None => print_operation(p, op.name(), op.bits()),
        }
    }

    fn parse(p: &Parser<'_>, op: &mut SampleOp) {
        let has_word =
            |row: &&OperationRow| row.page_word.is_some_and(|word| p.is_same(p.word(), word));
        let row = SampleOp::ROWS.iter().find(has_word);
        *op = row.map_or_else(SampleOp::default, |row| SampleOp::from_low_bits(row.code));
    }
}

/// The suffixes of a sampler message's flags, in the order that the grammar requires.
const SAMPLER_FLAGS: [(SampleFlags, &str); 3] = [
    (SampleFlags::PIXEL_NULL_MASK, ".pixel_null_mask"),
    (SampleFlags::CPS, ".cps"),
    (SampleFlags::NON_UNIFORM_SAMPLER, ".divS"),
];

/// The suffixes of the flags. GenX_IR prints `.cps` only for 3D_SAMPLE.
pub(in crate::text) struct Flags<const HAS_CPS: bool>;

pub(in crate::text) type SampleSuffixes = Flags<true>;
pub(in crate::text) type LoadSuffixes = Flags<false>;

impl<const HAS_CPS: bool> Item<SampleFlags> for Flags<HAS_CPS> {
    fn print(p: &mut Printer<'_>, flags: &SampleFlags) {
        let mut flags = *flags;
        if p.has(Quirk::SamplerFlagsForgotten) {
            let kept = SampleFlags::PIXEL_NULL_MASK | SampleFlags::CPS;
            flags = if p.format.since(Version::V4_0) { flags & kept } else { SampleFlags::empty() };
            if !HAS_CPS {
                flags -= SampleFlags::CPS;
            }
        }
        // The parser rejects these suffixes in 4.2.
        if !HAS_CPS && p.is_v4_2() {
            p.omit_if(flags.intersects(SampleFlags::CPS | SampleFlags::NON_UNIFORM_SAMPLER));
            flags &= SampleFlags::PIXEL_NULL_MASK;
        }
        let names = SAMPLER_FLAGS.iter().filter(|(flag, _)| flags.contains(*flag));
        names.for_each(|(_, name)| p.line.push(name));
    }

    fn parse(p: &mut Parser<'_>, flags: &mut SampleFlags) -> Parsed<()> {
        let start = p.c.at;
        for (flag, name) in SAMPLER_FLAGS {
            p.c.skip_blanks_before_dot();
            p.c.complete(CompletionKind::Word, name);
            flags.set(flag, p.eat_cased(name));
        }
        // 3D_SAMPLE.md has the last suffix twice.
        if p.format.is_manual()
            && p.is_same(p.word(), "SAMPLE_3d")
            && flags.contains(SampleFlags::NON_UNIFORM_SAMPLER)
        {
            p.eat_cased(".divS");
        }
        if !HAS_CPS && p.is_strict() && !SampleFlags::PIXEL_NULL_MASK.contains(*flags) {
            let message = "only 3D_SAMPLE has `.cps` and `.divS` in version 4.2";
            return Err(p.c.fail(start..p.c.at, message));
        }
        Ok(())
    }
}

/// `.RGBA`, or `.` in the style of GenX_IR if there is no channel.
pub(in crate::text) struct Letters;

impl Item<ChannelMask> for Letters {
    fn print(p: &mut Printer<'_>, channels: &ChannelMask) {
        p.line.ch('.');
        if !(channels.is_empty() && p.has(Quirk::NoChannelNoText)) {
            channels.print(p);
        }
    }

    fn parse(p: &mut Parser<'_>, channels: &mut ChannelMask) -> Parsed<()> {
        p.dot()?;
        if matches!(p.c.rest(), [b' ' | b'.', ..]) {
            *channels = ChannelMask::empty();
            return Ok(());
        }
        channels.parse(p)
    }
}

/// The channels that a 3D_GATHER4 can gather, by code.
const ONE_CHANNEL: [ChannelMask; 4] =
    [ChannelMask::R, ChannelMask::G, ChannelMask::B, ChannelMask::A];

/// `.R`
pub(in crate::text) struct OneChannel;

impl Item<u8> for OneChannel {
    fn print(p: &mut Printer<'_>, channel: &u8) {
        p.line.ch('.');
        match ONE_CHANNEL.get(usize::from(*channel)) {
            Some(channel) => channel.print(p),
            None => {
                p.line.push("illegal");
                p.is_incomplete = true;
            }
        }
    }

    fn parse(p: &mut Parser<'_>, channel: &mut u8) -> Parsed<()> {
        p.dot()?;
        let start = p.c.at;
        let mut channels = ChannelMask::empty();
        channels.parse(p)?;
        match ONE_CHANNEL.iter().position(|one| *one == channels) {
            Some(code) => *channel = code as u8,
            None => {
                p.c.at = start;
                return Err(p.c.expected("the channel `R`, `G`, `B` or `A`"));
            }
        }
        Ok(())
    }
}

/// The surface that is paired with another. The grammar of IGC requires it; GenX_IR
/// 1.0.12504.6 does not accept it.
pub(in crate::text) struct PairedSurface;

impl Item<Option<Raw>> for PairedSurface {
    fn print(p: &mut Printer<'_>, surface: &Option<Raw>) {
        if surface.is_some() || !p.has(Quirk::PairedSurfaceOmitted) {
            surface.unwrap_or(Raw::NULL).operand(p);
            p.has_paired_surface = true;
        }
    }

    fn parse(p: &mut Parser<'_>, paired: &mut Option<Raw>) -> Parsed<()> {
        p.c.skip_blanks();
        if p.c.is_at_line_end() && !p.has_paired_surface() {
            return Ok(());
        }
        let start = p.c.at;
        let mut surface = Raw::NULL;
        surface.parse(p)?;
        let is_paired = p.has_paired_surface() || p.may_be_of_igc() && surface == Raw::NULL;
        if !p.has_paired_surface() {
            p.warn_about_pair(start..p.c.at, is_paired);
        }
        if is_paired {
            // The text may have the operand although the format lacks it: drop it if it is null.
            *paired = (paired.is_some() || surface != Raw::NULL).then_some(surface);
        } else {
            p.c.at = start;
        }
        Ok(())
    }
}

/// All operands up to the end of the line.
pub(in crate::text) struct Parameters;

/// A sampler message, whose operation names its parameters.
trait SamplerMessage {
    fn params(&self) -> &Params;
    fn set_params(&mut self, params: Params);
    fn names(&self) -> &'static [Param];
}

macro_rules! sampler_messages {
    ($($name:ident),*) => {$(
        impl SamplerMessage for $name {
            fn params(&self) -> &Params {
                &self.params
            }

            fn set_params(&mut self, params: Params) {
                self.params = params;
            }

            fn names(&self) -> &'static [Param] {
                self.op.params()
            }
        }
    )*};
}

sampler_messages!(Sample3d, Load3d, Gather4);

impl<M: SamplerMessage> Item<M> for Parameters {
    fn print(p: &mut Printer<'_>, message: &M) {
        message.params().iter().for_each(|param| param.operand(p));
    }

    fn parse(p: &mut Parser<'_>, message: &mut M) -> Parsed<()> {
        p.c.skip_blanks();
        let start = p.c.at;
        let mut params = [Raw::NULL; Params::MAX];
        let mut count = 0;
        let mut unnamed = None;
        let mut end = start;
        while !p.c.is_at_line_end() {
            let param_start = p.c.at;
            let mut param = Raw::NULL;
            param.parse(p)?;
            match message.names().get(count) {
                Some(name) => p.c.record_field(name.name(), param_start..p.c.at),
                None => _ = unnamed.get_or_insert(param_start),
            }
            end = p.c.at;
            if let Some(slot) = params.get_mut(count) {
                *slot = param;
            }
            count += 1;
        }
        if count > Params::MAX {
            let message = format!("expected at most {} parameters, found {count}", Params::MAX);
            return Err(p.c.fail(start..p.c.at, &message));
        }
        if let Some(start) = unnamed {
            p.c.record_field(Params::ITEM, start..end);
        }
        p.c.record_field(field_name!(Sample3d.params), start..end);
        message.set_params(Params::new(&params[..count]).unwrap_or_default());
        Ok(())
    }
}

/// `resinfo` or `sampleinfo`
pub(in crate::text) struct InfoWord;

impl Word<Info> for InfoWord {
    const WORDS: &'static [&'static str] = &[InfoOp::ResInfo.name(), InfoOp::SampleInfo.name()];

    fn print(p: &mut Printer<'_>, info: &Info) {
        p.line.push(info.op().name());
    }

    fn parse(p: &Parser<'_>, info: &mut Info) {
        let op = InfoOp::ALL.into_iter().find(|op| op.name() == p.word());
        info.unpack(op.unwrap_or_default());
    }
}

/// `RESINFO` or `SAMPLEINFO`, of dialect `Manual`.
pub(in crate::text) struct ManualInfoWord;

const MANUAL_INFO_WORDS: [(InfoOp, &str); 2] =
    [(InfoOp::ResInfo, "RESINFO"), (InfoOp::SampleInfo, "SAMPLEINFO")];

impl Word<Info> for ManualInfoWord {
    const WORDS: &'static [&'static str] = &super::words(&MANUAL_INFO_WORDS);

    fn print(p: &mut Printer<'_>, info: &Info) {
        print_word(p, &info.op(), &MANUAL_INFO_WORDS);
    }

    fn parse(p: &Parser<'_>, info: &mut Info) {
        info.unpack(super::value_of_word(p, &MANUAL_INFO_WORDS).unwrap_or_default());
    }
}

/// The channels of INFO, which dialect `Manual` does not have.
pub(in crate::text) struct InfoChannels;

impl Item<ChannelMask> for InfoChannels {
    fn print(p: &mut Printer<'_>, channels: &ChannelMask) {
        p.line.ch('.');
        channels.print(p);
        p.omit_if(channels.is_empty() && p.is_v4_2());
    }

    fn parse(p: &mut Parser<'_>, channels: &mut ChannelMask) -> Parsed<()> {
        if let Err(failed) = p.dot() {
            return Err(p.with_help(failed, "INFO has no channels in dialect manual"));
        }
        channels.parse(p)
    }
}

/// The channels of INFO in dialect `Manual`, which have no text and are always RGBA.
pub(in crate::text) struct NoInfoChannels;

impl Item<ChannelMask> for NoInfoChannels {
    fn print(p: &mut Printer<'_>, channels: &ChannelMask) {
        p.omit_if(*channels != ChannelMask::RGBA);
    }

    fn parse(p: &mut Parser<'_>, _: &mut ChannelMask) -> Parsed<()> {
        if p.c.peek() != Some(b'.') {
            return Ok(());
        }
        let failed = p.c.expected("an execution size, such as `(8)`");
        let help = "INFO has channels in dialects igc2022 and igc2026";
        Err(p.with_help(failed, help))
    }
}

const SIMD_MODES: [(SampleMode, u8); 2] = [(SampleMode::MODE0, 8), (SampleMode::MODE1, 16)];

/// `.RGBA (16)`
pub(in crate::text) struct ChannelsSimd;

impl Item<ChannelsMode> for ChannelsSimd {
    fn print(p: &mut Printer<'_>, &ChannelsMode { channels, mode }: &ChannelsMode) {
        Letters::print(p, &channels);
        // Readers treat every mode except the first as 16 lanes.
        let simd = SIMD_MODES.iter().find(|(other, _)| *other == mode);
        p.line.push(" (");
        p.line.dec(simd.map_or(16, |(_, lanes)| *lanes));
        p.line.ch(')');
        p.omit_if(simd.is_none());
    }

    fn parse(p: &mut Parser<'_>, to: &mut ChannelsMode) -> Parsed<()> {
        Letters::parse(p, &mut to.channels)?;
        p.c.expect("(")?;
        p.c.skip_blanks();
        let start = p.c.at;
        let lanes: u8 = p.c.number("a SIMD mode")?;
        match SIMD_MODES.iter().find(|(_, other)| *other == lanes) {
            Some((mode, _)) => to.mode = *mode,
            None => {
                let message = format!("expected a SIMD mode of 8 or 16, found `{lanes}`");
                return Err(p.c.fail(start..p.c.at, &message));
            }
        }
        p.c.expect(")")
    }
}

/// The output formats of SAMPLE_UNORM.
const OUTPUT_FORMATS: [(SampleMode, &str); 4] = [
    (SampleMode::MODE0, ".16-full"),
    (SampleMode::MODE1, ".16-downsampled"),
    (SampleMode::MODE2, ".8-full"),
    (SampleMode::MODE3, ".8-downsampled"),
];

/// `.RGBA.16-full`
pub(in crate::text) struct ChannelsOutput;

impl Item<ChannelsMode> for ChannelsOutput {
    fn print(p: &mut Printer<'_>, &ChannelsMode { channels, mode }: &ChannelsMode) {
        Letters::print(p, &channels);
        print_word(p, &mode, &OUTPUT_FORMATS);
    }

    fn parse(p: &mut Parser<'_>, to: &mut ChannelsMode) -> Parsed<()> {
        Letters::parse(p, &mut to.channels)?;
        match OUTPUT_FORMATS.iter().find(|(_, text)| p.c.eat_here(text)) {
            Some((mode, _)) => to.mode = *mode,
            None => {
                let what = "`.16-full`, `.16-downsampled`, `.8-full` or `.8-downsampled`";
                return Err(p.c.expected(what));
            }
        }
        Ok(())
    }
}
