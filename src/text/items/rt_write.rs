//! Items of RT_WRITE.

use alloc::format;

use super::{Item, print_word};
use crate::isa::record::Packed;
use crate::isa::{RtWrite, RtWriteMode};
use crate::operand::Raw;
use crate::text::parse::{Parse, Parsed, Parser};
use crate::text::print::{Print, Printer};

/// The names of RT_WRITE's modes.
const RT_WRITE_MODES: [(RtWriteMode, &str); 11] = [
    (RtWriteMode::RTI, "RTI"),
    (RtWriteMode::S0A, "A"),
    (RtWriteMode::OMASK, "O"),
    (RtWriteMode::Z, "Z"),
    (RtWriteMode::STENCIL, "ST"),
    (RtWriteMode::LRTW, "LRTW"),
    (RtWriteMode::CPS, "CPS"),
    (RtWriteMode::PS, "PS"),
    (RtWriteMode::CM, "CM"),
    (RtWriteMode::SI, "SI"),
    (RtWriteMode::NULL_RT, "NULLRT"),
];

/// `.<RTI><A>`. The modes determine which optional operands are present.
pub(in crate::text) struct RtWriteModes;

impl RtWriteModes {
    fn print_in_order(
        p: &mut Printer<'_>,
        mode: RtWriteMode,
        order: impl IntoIterator<Item = RtWriteMode>,
    ) {
        if !mode.is_empty() {
            p.line.ch('.');
            for bit in order.into_iter().filter(|bit| mode.contains(*bit)) {
                p.line.ch('<');
                print_word(p, &bit, &RT_WRITE_MODES);
                p.line.ch('>');
            }
        }
    }
}

impl Item<RtWrite> for RtWriteModes {
    fn print(p: &mut Printer<'_>, write: &RtWrite) {
        Self::print_in_order(p, write.mode(), RT_WRITE_MODES.map(|(bit, _)| bit));
    }

    fn parse(p: &mut Parser<'_>, write: &mut RtWrite) -> Parsed<()> {
        let mut mode = RtWriteMode::empty();
        if !p.c.eat_here(".") {
            return Ok(());
        }
        if p.c.peek() != Some(b'<') {
            return Err(p.c.expected("a mode of RT_WRITE, such as `<RTI>`"));
        }
        while p.c.eat_here("<") {
            let start = p.c.at;
            let word = p.c.word_here();
            let mut names = RT_WRITE_MODES.iter();
            let Some((bit, _)) = names.find(|(_, name)| p.is_same(word, name)) else {
                p.c.at = start;
                let names = RT_WRITE_MODES.iter().map(|(_, name)| *name);
                return Err(p.expected_word("a mode of RT_WRITE", names));
            };
            if mode.contains(*bit) {
                let message = format!("`{word}` is specified more than once");
                return Err(p.c.fail(start..p.c.at, &message));
            }
            mode |= *bit;
            p.c.expect(">")?;
        }
        write.unpack(mode);
        Ok(())
    }
}

/// RT_WRITE's modes in the order of RT_WRITE.md.
const MANUAL_RT_WRITE_ORDER: [RtWriteMode; 11] = [
    RtWriteMode::S0A,
    RtWriteMode::OMASK,
    RtWriteMode::CPS,
    RtWriteMode::PS,
    RtWriteMode::CM,
    RtWriteMode::SI,
    RtWriteMode::STENCIL,
    RtWriteMode::LRTW,
    RtWriteMode::RTI,
    RtWriteMode::Z,
    RtWriteMode::NULL_RT,
];

/// `.<A><RTI>`: the modes in the order of RT_WRITE.md, in dialect `Manual`. Any order is parsed.
pub(in crate::text) struct ManualRtWriteModes;

impl Item<RtWrite> for ManualRtWriteModes {
    fn print(p: &mut Printer<'_>, write: &RtWrite) {
        RtWriteModes::print_in_order(p, write.mode(), MANUAL_RT_WRITE_ORDER);
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
        if p.count_raw_operands() > expected { write.header.parse(p) } else { Ok(()) }
    }
}
