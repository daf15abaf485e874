//! Items of block, scattered and raw messages, RT_WRITE, SVM, DPAS and BFN.

use alloc::format;

use super::{Item, Word, print_word, word};
use crate::isa::record::Packed;
use crate::isa::*;
use crate::operand::{
    Atomic, MediaModifier, Modifier, OwordNum, Precision, Pred, Raw, Region, SendFlags, Stride,
    SvmBlock, Vector, VectorKind,
};
use crate::text::codes;
use crate::text::parse::{Parse, Parsed, Parser};
use crate::text::print::{Print, Printer};
use crate::text::quirk::Quirk;

/// `.mod`
pub(in crate::text) struct Modified;

impl Item<u8> for Modified {
    fn print(p: &mut Printer<'_>, byte: &u8) {
        if p.has(Quirk::ModifiedForgotten) {
            return;
        }
        if byte & 1 != 0 {
            p.line.push(".mod");
        }
        p.omit_if(*byte > 1);
    }

    fn parse(p: &mut Parser<'_>, byte: &mut u8) -> Parsed<()> {
        *byte = p.c.eat(".mod").into();
        Ok(())
    }
}

/// A field that has no text and must be zero.
pub(in crate::text) struct Zero;

impl<N: Copy + Into<u16>> Item<N> for Zero {
    fn print(p: &mut Printer<'_>, field: &N) {
        p.omit_if((*field).into() != 0);
    }

    fn parse(_: &mut Parser<'_>, _: &mut N) -> Parsed<()> {
        Ok(())
    }
}

/// The predicate of GATHER4_TYPED and SCATTER4_TYPED.
pub(in crate::text) struct TypedPred;

impl Item<Pred> for TypedPred {
    fn print(p: &mut Printer<'_>, pred: &Pred) {
        if !p.has(Quirk::TypedPredicateOmitted) {
            p.pred_prefix(pred);
        }
    }

    fn parse(p: &mut Parser<'_>, pred: &mut Pred) -> Parsed<()> {
        *pred = p.take_pred();
        Ok(())
    }
}

/// `.add` or `.add.64`
pub(in crate::text) struct DataPortAtomic;

impl Item<Atomic> for DataPortAtomic {
    fn print(p: &mut Printer<'_>, op: &Atomic) {
        let width = match op.width() {
            64 if p.has(Quirk::AtomicWidthForgotten) => 32,
            width => width,
        };
        p.line.ch('.');
        codes::print_atomic(p, *op, width);
    }

    fn parse(p: &mut Parser<'_>, op: &mut Atomic) -> Parsed<()> {
        p.dot()?;
        op.parse(p)
    }
}

/// `.unaligned (4)`
pub(in crate::text) struct SvmSize;

impl Item<SvmBlock> for SvmSize {
    fn print(p: &mut Printer<'_>, block: &SvmBlock) {
        if block.is_unaligned() && !p.has(Quirk::UnalignedForgotten) {
            p.line.push(".unaligned");
        }
        p.line.push(" (");
        OwordNum::print(&block.size(), p);
        p.line.ch(')');
        p.omit_if(*block != SvmBlock::new(block.size(), block.is_unaligned()));
    }

    fn parse(p: &mut Parser<'_>, block: &mut SvmBlock) -> Parsed<()> {
        let is_unaligned = p.c.eat_here(".unaligned");
        if !is_unaligned {
            p.c.eat_here(".aligned");
        }
        p.c.expect("(")?;
        let mut size = OwordNum::default();
        size.parse(p)?;
        p.c.expect(")")?;
        *block = SvmBlock::new(size, is_unaligned);
        Ok(())
    }
}

/// A 32-bit descriptor in hexadecimal.
pub(in crate::text) struct Descriptor;

impl Item<u32> for Descriptor {
    fn print(p: &mut Printer<'_>, desc: &u32) {
        p.line.ch(' ');
        p.line.hex(*desc);
    }

    fn parse(p: &mut Parser<'_>, desc: &mut u32) -> Parsed<()> {
        *desc = p.c.number("a 32-bit descriptor")?;
        Ok(())
    }
}

/// A 64-bit descriptor in hexadecimal.
pub(in crate::text) struct WideDescriptor;

impl Item<RawSendg> for WideDescriptor {
    fn print(p: &mut Printer<'_>, send: &RawSendg) {
        p.line.push(" 0x");
        let desc = u64::from(send.desc_high) << 32 | u64::from(send.desc_low);
        p.line.hex_digits_upper(desc);
    }

    fn parse(p: &mut Parser<'_>, i: &mut RawSendg) -> Parsed<()> {
        let desc: u64 = p.c.number("a 64-bit descriptor")?;
        (i.desc_low, i.desc_high) = (desc as u32, (desc >> 32) as u32);
        Ok(())
    }
}

const SEND_WORDS: [(SendFlags, &str); 2] =
    [(SendFlags::empty(), "raw_send"), (SendFlags::SENDC, "raw_sendc")];

word!(SendWord: SendFlags = SEND_WORDS, |p, flags| {
    if !print_word(p, flags, &SEND_WORDS) {
        print_word(p, &SendFlags::empty(), &SEND_WORDS);
        p.is_incomplete = true;
    }
});

const SENDS_WORDS: [(SendFlags, &str); 4] = [
    (SendFlags::empty(), "raw_sends"),
    (SendFlags::EOT, "raw_sends_eot"),
    (SendFlags::SENDC, "raw_sendsc"),
    (SendFlags::all(), "raw_sendsc_eot"),
];

word!(
    /// The mnemonic without `_eot`, which is printed after the function id as `.eot`.
    SendsWord: SendFlags = SENDS_WORDS,
    |p, flags| print_word(p, &(*flags & SendFlags::SENDC), &SENDS_WORDS)
);

/// The shared functions that have a word in RAW_SENDG. The compiler cannot parse its other words.
const SHARED_FUNCTIONS: [(u32, &str); 5] =
    [(0, "null"), (2, "smpl"), (13, "tgm"), (14, "ugm"), (15, "slm")];

/// `.0xE` or `.ugm`
pub(in crate::text) struct SendgSfid;

impl Item<u32> for SendgSfid {
    fn print(p: &mut Printer<'_>, sfid: &u32) {
        p.line.push(".0x");
        p.line.hex_digits_upper(u64::from(*sfid));
    }

    fn parse(p: &mut Parser<'_>, sfid: &mut u32) -> Parsed<()> {
        p.dot()?;
        *sfid = match p.c.peek() {
            Some(b'0'..=b'9' | b'(') => p.c.number("a shared function")?,
            _ => p.value_of("a shared function", &SHARED_FUNCTIONS)?,
        };
        Ok(())
    }
}

const SENDG_WORDS: [(SendFlags, &str); 4] = [
    (SendFlags::empty(), "raw_sendg"),
    (SendFlags::EOT, "raw_sendg_eot"),
    (SendFlags::SENDC, "raw_sendgc"),
    (SendFlags::all(), "raw_sendgc_eot"),
];

word!(SendgWord: SendFlags = SENDG_WORDS, |p, flags| print_word(p, flags, &SENDG_WORDS));

/// `.<sfid>[.eot].<src0>.<src1>.<dst>`, without the function id in formats that lack it.
pub(in crate::text) struct SendsLengths;

impl Item<RawSends> for SendsLengths {
    fn print(p: &mut Printer<'_>, send: &RawSends) {
        if p.is_v4_2() {
            // The mnemonic has `_eot`, and RAW_SENDSC has no function id.
            if send.modifiers.contains(SendFlags::EOT) {
                p.line.push("_eot");
            }
            let is_sendsc = send.modifiers.contains(SendFlags::SENDC);
            let sfid = send.sfid.unwrap_or_default();
            if !is_sendsc {
                p.id('.', sfid);
            }
            p.omit_if(is_sendsc && sfid != 0);
        } else {
            match send.sfid {
                Some(sfid) => p.id('.', sfid),
                None if p.has(Quirk::FunctionIdAdded) => p.line.push(".0"),
                None => {}
            }
            if send.modifiers.contains(SendFlags::EOT) {
                p.line.push(".eot");
            }
        }
        for len in [send.num_src0, send.num_src1, send.num_dst] {
            p.id('.', len);
        }
    }

    fn parse(p: &mut Parser<'_>, i: &mut RawSends) -> Parsed<()> {
        let start = p.c.at;
        let mut numbers = [0u8; 4];
        let mut count = 0;
        // How many numbers precede `.eot`.
        let mut eot_after = None;
        while p.c.eat_here(".") {
            let can_be_eot = !i.modifiers.contains(SendFlags::EOT) && !p.is_strict();
            if can_be_eot && p.c.eat_word_here("eot") {
                i.modifiers |= SendFlags::EOT;
                eot_after = Some(count);
                continue;
            }
            let Some(slot) = numbers.get_mut(count) else {
                return Err(p.c.expected("an execution size"));
            };
            *slot = p.c.number("a number")?;
            count += 1;
        }
        let has_sfid = i.sfid.is_some();
        let is_misplaced = eot_after.is_some_and(|before| before + 3 != count);
        (i.sfid, i.num_src0, i.num_src1, i.num_dst) = match (count, numbers) {
            _ if is_misplaced => {
                return Err(p.c.fail(start..p.c.at, "`.eot` must precede the three lengths"));
            }
            (4, _) if p.is_strict() && i.modifiers.contains(SendFlags::SENDC) => {
                let message = "`raw_sendsc` has no function id in version 4.2";
                let help = Some("the function id is 0: write only the three lengths".into());
                return Err(p.c.fail_with_help(start..p.c.at, message, help));
            }
            (3, _) if p.is_strict() && !i.modifiers.contains(SendFlags::SENDC) => {
                let message = "expected 4 numbers (a function id and three lengths), found 3";
                return Err(p.c.fail(start..p.c.at, message));
            }
            // Before 3.6, the reference prints zero for the missing function id.
            (4, [0, a, b, c]) if !has_sfid => (None, a, b, c),
            (4, [sfid, a, b, c]) => (Some(sfid), a, b, c),
            (3, [a, b, c, _]) => (has_sfid.then_some(0), a, b, c),
            _ => {
                let message =
                    format!("expected 4 numbers (a function id and three lengths), found {count}");
                return Err(p.c.fail(start..p.c.at, &message));
            }
        };
        Ok(())
    }
}

/// `.hf`, the precision of a source of DPAS and DPASW. In their text, unlike that of BDPAS, the case
/// of all precisions except `tf32` is ignored.
pub(in crate::text) struct DpasPrecision;

impl Item<Precision> for DpasPrecision {
    fn print(p: &mut Printer<'_>, precision: &Precision) {
        p.line.ch('.');
        precision.print(p);
    }

    fn parse(p: &mut Parser<'_>, precision: &mut Precision) -> Parsed<()> {
        p.dot()?;
        let start = p.c.at;
        let word = p.c.word_here();
        let is_same = |precision: &&Precision| {
            **precision != Precision::TF32
                && precision.name().is_some_and(|name| name.eq_ignore_ascii_case(word))
        };
        match Precision::NAMED.iter().find(is_same) {
            Some(found) => *precision = *found,
            None => {
                p.c.at = start;
                precision.parse(p)?;
            }
        }
        Ok(())
    }
}

/// The third source of DPAS and DPASW, which has no region.
pub(in crate::text) struct DpasSource;

impl DpasSource {
    /// The region that the text implies.
    const REGION: Region = Region::new(Stride::S1, Stride::S1, Stride::S0);
}

impl Item<Vector> for DpasSource {
    fn print(p: &mut Printer<'_>, src2: &Vector) {
        match src2.kind {
            VectorKind::General { var, row, col, region } => {
                p.line.ch(' ');
                p.modifier(src2.modifier);
                p.var(var);
                p.row_and_column(row, col);
                p.omit_if(region != Self::REGION || src2.modifier != Modifier::NONE);
            }
            _ => {
                src2.operand(p);
                p.is_incomplete = true;
            }
        }
    }

    fn parse(p: &mut Parser<'_>, src2: &mut Vector) -> Parsed<()> {
        let (var, _) = p.var()?;
        let (row, col) = p.row_and_column()?;
        *src2 = Vector::general_at(var, row, col, Self::REGION);
        Ok(())
    }
}

/// `.xd8`
pub(in crate::text) struct TruthTable;

impl Item<u8> for TruthTable {
    fn print(p: &mut Printer<'_>, table: &u8) {
        p.line.push(".x");
        p.line.hex_digits((*table).into(), 1);
    }

    fn parse(p: &mut Parser<'_>, table: &mut u8) -> Parsed<()> {
        p.dot()?;
        let start = p.c.at;
        let digits = p.c.word_here().strip_prefix('x');
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(digits) => *table = digits,
            None => {
                p.c.at = start;
                return Err(p.c.expected("a truth table, such as `xd8`"));
            }
        }
        Ok(())
    }
}

/// `.top`
pub(in crate::text) struct MediaModifiers;

impl Item<MediaModifier> for MediaModifiers {
    fn print(p: &mut Printer<'_>, modifier: &MediaModifier) {
        p.line.ch('.');
        modifier.print(p);
    }

    fn parse(p: &mut Parser<'_>, modifier: &mut MediaModifier) -> Parsed<()> {
        p.dot()?;
        let is_number = matches!(p.c.peek(), Some(b'0'..=b'9'));
        modifier.parse(p).map_err(|failed| {
            if !is_number {
                return failed;
            }
            let help =
                "the modifiers are a number in dialect manual, a name such as `top` in others";
            p.with_help(failed, help)
        })
    }
}

/// The plane of a media message. It is 0 if the text omits it.
pub(in crate::text) struct MediaPlane;

impl Item<u8> for MediaPlane {
    fn print(p: &mut Printer<'_>, plane: &u8) {
        plane.operand(p);
    }

    fn parse(p: &mut Parser<'_>, plane: &mut u8) -> Parsed<()> {
        p.c.skip_blanks();
        let start = p.c.at;
        *plane = 0;
        let is_number = |byte| matches!(byte, b'0'..=b'9' | b'-' | b'~' | b'!' | b'(');
        if !p.c.peek().is_some_and(is_number) && !p.c.is_at_builtin() {
            return Ok(());
        }
        *plane = p.c.number("a plane")?;
        if p.c.eat(":") {
            // This was the first offset.
            (*plane, p.c.at) = (0, start);
        }
        Ok(())
    }
}

/// The names of modifiers in MEDIA_LD.md.
const MANUAL_MODIFIERS: [(MediaModifier, &str); 2] =
    [(MediaModifier::TOP, "top_field"), (MediaModifier::BOTTOM, "bottom_field")];

/// `.2`: the bits of the modifiers, in dialect `Manual`. Names are parsed too.
pub(in crate::text) struct MediaModifierBits;

impl Item<MediaModifier> for MediaModifierBits {
    fn print(p: &mut Printer<'_>, modifier: &MediaModifier) {
        p.id('.', modifier.bits());
    }

    fn parse(p: &mut Parser<'_>, modifier: &mut MediaModifier) -> Parsed<()> {
        p.dot()?;
        let start = p.c.at;
        if matches!(p.c.peek(), Some(b'0'..=b'9')) {
            let bits: u8 = p.c.decimal_here("the bits of the modifiers")?;
            return match MediaModifier::from_bits(bits) {
                Some(found) => {
                    *modifier = found;
                    Ok(())
                }
                None => {
                    let message = format!("expected a number from 0 to 7, found `{bits}`");
                    Err(p.c.fail(start..p.c.at, &message))
                }
            };
        }
        let word = p.c.word_here();
        let named = MediaModifier::NAMED.iter().filter_map(|code| Some((*code, code.name()?)));
        let mut names = named.chain(MANUAL_MODIFIERS);
        match names.clone().find(|(_, name)| p.is_same(word, name)) {
            Some((found, _)) => {
                *modifier = found;
                Ok(())
            }
            None => {
                p.c.at = start;
                let what = "the bits of the modifiers, such as `0`";
                Err(p.expected_word(what, names.by_ref().map(|(_, name)| name)))
            }
        }
    }
}

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
