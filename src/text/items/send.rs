//! Items of raw messages.

use alloc::format;

use super::{Item, Word, print_word, word};
use crate::isa::{RawSendg, RawSends};
use crate::operand::SendFlags;
use crate::text::parse::{Parsed, Parser};
use crate::text::print::Printer;
use crate::text::quirk::Quirk;

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
