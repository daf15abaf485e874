//! Items of RT_WRITE.

use alloc::format;

use super::Item;
use crate::isa::record::Packed;
use crate::isa::{RtWrite, RtWriteMode, field_name};
use crate::operand::{Raw, State, StateAddress, Surface};
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::Parsed;
use crate::text::recorder::CompletionKind;

/// A bit of RT_WRITE's mode, in the order of text.
struct ModeBit {
    bit: RtWriteMode,
    word: &'static str,
    /// The place in the order of RT_WRITE.md.
    place: u8,
}

const fn mode(bit: RtWriteMode, word: &'static str, place: u8) -> ModeBit {
    ModeBit { bit, word, place }
}

const MODE_BITS: [ModeBit; 11] = [
    mode(RtWriteMode::RTI, "RTI", 8),
    mode(RtWriteMode::S0A, "A", 0),
    mode(RtWriteMode::OMASK, "O", 1),
    mode(RtWriteMode::Z, "Z", 9),
    mode(RtWriteMode::STENCIL, "ST", 6),
    mode(RtWriteMode::LRTW, "LRTW", 7),
    mode(RtWriteMode::CPS, "CPS", 2),
    mode(RtWriteMode::PS, "PS", 3),
    mode(RtWriteMode::CM, "CM", 4),
    mode(RtWriteMode::SI, "SI", 5),
    mode(RtWriteMode::NULL_RT, "NULLRT", 10),
];

/// `.<RTI><A>`. The modes determine which optional operands are present.
pub(in crate::text) struct RtWriteModes;

impl RtWriteModes {
    fn print_bits<'b>(
        p: &mut Printer<'_>,
        mode: RtWriteMode,
        bits: impl IntoIterator<Item = &'b ModeBit>,
    ) {
        if !mode.is_empty() {
            p.line.ch('.');
            for bit in bits.into_iter().filter(|bit| mode.contains(bit.bit)) {
                p.line.ch('<');
                p.line.push(bit.word);
                p.line.ch('>');
            }
        }
    }
}

impl Item<RtWrite> for RtWriteModes {
    fn print(p: &mut Printer<'_>, write: &RtWrite) {
        Self::print_bits(p, write.mode(), &MODE_BITS);
    }

    fn parse(p: &mut Parser<'_>, write: &mut RtWrite) -> Parsed<()> {
        let mut mode = RtWriteMode::empty();
        let start = p.c.at;
        let complete = |p: &mut Parser<'_>, before: &str| {
            // What follows `<` is proposed as any word.
            if p.c.is_completing() && p.c.rest().len() < before.len() {
                for ModeBit { word, .. } in MODE_BITS {
                    p.c.complete(CompletionKind::Word, &format!("{before}{word}>"));
                }
            }
        };
        complete(p, ".<");
        if !p.c.eat_dot() {
            return Ok(());
        }
        if p.c.peek() != Some(b'<') {
            return Err(p.c.expected("a mode of RT_WRITE, such as `<RTI>`"));
        }
        while p.c.eat_here("<") {
            let start = p.c.at;
            let word = p.c.word_here();
            let Some(ModeBit { bit, .. }) = MODE_BITS.iter().find(|bit| p.is_same(word, bit.word))
            else {
                p.c.at = start;
                let words = MODE_BITS.iter().map(|bit| bit.word);
                return Err(p.expected_word("a mode of RT_WRITE", words));
            };
            if mode.contains(*bit) {
                let message = format!("`{word}` is specified more than once");
                return Err(p.c.fail(start..p.c.at, &message));
            }
            mode |= *bit;
            p.c.expect(">")?;
            complete(p, "<");
        }
        p.c.record_field(field_name!(RtWrite.flags), start..p.c.at);
        write.unpack(mode);
        Ok(())
    }
}

/// `.<A><RTI>`: the modes in the order of RT_WRITE.md, in dialect `Manual`. Any order is parsed.
pub(in crate::text) struct ManualRtWriteModes;

impl Item<RtWrite> for ManualRtWriteModes {
    fn print(p: &mut Printer<'_>, write: &RtWrite) {
        let mut bits = MODE_BITS;
        bits.sort_unstable_by_key(|bit| bit.place);
        RtWriteModes::print_bits(p, write.mode(), &bits);
    }

    fn parse(p: &mut Parser<'_>, write: &mut RtWrite) -> Parsed<()> {
        RtWriteModes::parse(p, write)
    }
}

/// The header of RT_WRITE in dialect `Manual`, unless it is null. RT_WRITE.md has no text for it.
///
/// It is present if there are more raw operands than the mode requires.
pub(in crate::text) struct RtWriteHeader;

impl Item<RtWrite> for RtWriteHeader {
    fn print(p: &mut Printer<'_>, write: &RtWrite) {
        if write.header != Raw::NULL {
            write.header.operand(p);
        }
    }

    fn parse(p: &mut Parser<'_>, write: &mut RtWrite) -> Parsed<()> {
        let mode = write.mode();
        // These operands are not raw, and precede the raw operands that the mode requires. The
        // count of raw operands ends at the first of them.
        let ends_count = RtWriteMode::SI | RtWriteMode::CPS | RtWriteMode::RTI;
        let expected = if mode.intersects(ends_count) { 0 } else { mode.num_params().into() };
        if p.count_raw_operands() > expected {
            let start = p.c.at;
            write.header.parse(p)?;
            p.c.record_field(field_name!(RtWrite.header), start..p.c.at);
        }
        Ok(())
    }
}

/// The surface of RT_WRITE, whose text has no index of a state.
pub(in crate::text) struct SurfaceName;

impl Item<Surface> for SurfaceName {
    fn print(p: &mut Printer<'_>, surface: &Surface) {
        match *surface {
            State::Address { var, index } if index != 0 => {
                Surface::from(StateAddress { var, index: 0 }).operand(p);
                p.is_incomplete = true;
            }
            _ => surface.operand(p),
        }
    }

    fn parse(p: &mut Parser<'_>, surface: &mut Surface) -> Parsed<()> {
        p.c.skip_blanks();
        if p.c.peek() == Some(b'(') {
            return Err(p.c.expected("a surface, or a variable with its address"));
        }
        surface.parse(p)
    }
}
