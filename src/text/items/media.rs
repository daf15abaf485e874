//! Items of media blocks.

use alloc::format;

use super::Item;
use crate::operand::MediaModifier;
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::Parsed;

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

/// The width or the height of a media block.
pub(in crate::text) struct BlockDimension;

impl Item<u8> for BlockDimension {
    fn print(p: &mut Printer<'_>, dimension: &u8) {
        p.line.dec(*dimension);
    }

    fn parse(p: &mut Parser<'_>, dimension: &mut u8) -> Parsed<()> {
        *dimension = p.c.calculated("a number of bytes or rows up to 255")?;
        Ok(())
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
            let digits = p.c.word_here();
            let binary = u8::from_str_radix(digits, 2).ok().filter(|_| digits.len() == 3);
            if let Some(bits) = binary {
                let message =
                    format!("expected the modifiers as a decimal number, found `{digits}`");
                let help = Some(format!("write `.{bits}`"));
                return Err(p.c.fail_with_help(start..p.c.at, &message, help));
            }
            p.c.at = start;
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
