//! Items of raw messages.

use alloc::format;

use super::{Item, Word, print_word, word};
use crate::isa::{RawSendg, RawSends, field_name};
use crate::operand::SendFlags;
use crate::text::context::{Parser, Printer};
use crate::text::cursor::Parsed;
use crate::text::words::Quirk;

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
        let start = p.c.at;
        let desc: u64 = p.c.number("a 64-bit descriptor")?;
        p.c.record_field(field_name!(RawSendg.desc_low), start..p.c.at);
        p.c.record_field(field_name!(RawSendg.desc_high), start..p.c.at);
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
    SendsWord: SendFlags = SENDS_WORDS,
    |p, flags| {
        let forgotten = if p.has(Quirk::EotAfterFunctionId) { SendFlags::EOT } else { SendFlags::empty() };
        print_word(p, &(*flags - forgotten), &SENDS_WORDS)
    }
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

/// `.<sfid>.<src0>.<src1>.<dst>`, without the function id in RAW_SENDSC.
pub(in crate::text) struct SendsLengths;

impl Item<RawSends> for SendsLengths {
    fn print(p: &mut Printer<'_>, send: &RawSends) {
        // Compilers read four numbers in all versions, but three after RAW_SENDSC.
        let sfid = send.sfid.unwrap_or_default();
        if send.modifiers.contains(SendFlags::SENDC) && !p.has(Quirk::FunctionIdAdded) {
            p.omit_if(sfid != 0);
        } else {
            p.id('.', sfid);
        }
        if send.modifiers.contains(SendFlags::EOT) && p.has(Quirk::EotAfterFunctionId) {
            p.line.push(".eot");
        }
        for len in [send.num_src0, send.num_src1, send.num_dst] {
            p.id('.', len);
        }
    }

    fn parse(p: &mut Parser<'_>, i: &mut RawSends) -> Parsed<()> {
        let start = p.c.at;
        let mut numbers = [0u8; 4];
        let mut spans = [const { 0..0 }; 4];
        let mut count = 0;
        // How many numbers precede `.eot`.
        let mut eot_after = None;
        while p.c.eat_dot() {
            let can_be_eot = !i.modifiers.contains(SendFlags::EOT) && !p.is_strict();
            if can_be_eot && p.c.eat_word_here("eot") {
                i.modifiers |= SendFlags::EOT;
                eot_after = Some(count);
                continue;
            }
            let (Some(slot), Some(span)) = (numbers.get_mut(count), spans.get_mut(count)) else {
                return Err(p.c.expected("an execution size"));
            };
            let start = p.c.at;
            *slot = p.c.number("a number")?;
            *span = start..p.c.at;
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
            // Before 3.6, the text has zero for the missing function id.
            (4, [0, a, b, c]) if !has_sfid => (None, a, b, c),
            (4, [sfid, a, b, c]) => (Some(sfid), a, b, c),
            (3, [a, b, c, _]) => (has_sfid.then_some(0), a, b, c),
            _ => {
                let message =
                    format!("expected 4 numbers (a function id and three lengths), found {count}");
                return Err(p.c.fail(start..p.c.at, &message));
            }
        };
        // The function id may be missing.
        let names = [
            field_name!(RawSends.sfid),
            field_name!(RawSends.num_src0),
            field_name!(RawSends.num_src1),
            field_name!(RawSends.num_dst),
        ];
        let spans = spans.into_iter().take(count);
        names.into_iter().skip(4 - count).zip(spans).for_each(|(n, s)| p.c.record_field(n, s));
        Ok(())
    }
}
