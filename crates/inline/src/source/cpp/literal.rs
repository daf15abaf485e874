//! The values of string literals, and the places of their bytes in the file.

use alloc::vec::Vec;
use core::ops::Range;

use super::lexer::{raw_delimiter, splice};
use crate::source::text::Text;

/// A byte and the bytes of the file that it is written as.
pub(in crate::source) type Mapped = (u8, Range<u32>);

/// Returns the bytes of the file at an offset without line splices. In raw literals there are none.
pub(in crate::source) fn characters(text: &[u8], offset: u32) -> Vec<Mapped> {
    let place = |at: usize| offset + at as u32..offset + at as u32 + 1;
    let is_raw = is_raw(text);
    let mut characters = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match splice(text, at) {
            Some(next) if !is_raw => at = next,
            _ => {
                characters.push((byte, place(at)));
                at += 1;
            }
        }
    }
    characters
}

fn is_raw(text: &[u8]) -> bool {
    let quote = text.iter().position(|&byte| byte == b'"');
    quote.is_some_and(|quote| text[..quote].contains(&b'R'))
}

/// Appends the value of a string literal: its prefix and quotes are removed, its escapes replaced.
pub(in crate::source) fn decode(literal: &[Mapped], text: &mut Text) {
    let Some(quote) = literal.iter().position(|&(byte, _)| byte == b'"') else { return };
    let (prefix, quoted) = literal.split_at(quote);
    if prefix.iter().any(|&(byte, _)| byte == b'R') {
        decode_raw(quoted, text);
        return;
    }
    let end = quoted.len().saturating_sub(1).max(1);
    let mut rest = &quoted[1..end];
    text.bytes.reserve(rest.len());
    text.map.reserve(rest.len());
    loop {
        let run = rest.iter().take_while(|(byte, _)| *byte != b'\\').count();
        let (plain, escaped) = rest.split_at(run);
        for (byte, range) in plain {
            text.push_written(*byte, range.clone());
        }
        let Some(((_, range), after)) = escaped.split_first() else { return };
        let (value, length) = escape(after);
        let last = after[..length].last().map_or(range.end, |(_, range)| range.end);
        for &byte in value.bytes() {
            text.push(byte, range.start..last);
        }
        rest = &after[length..];
    }
}

fn decode_raw(quoted: &[Mapped], text: &mut Text) {
    let start: Vec<u8> = quoted.iter().take(18).map(|&(byte, _)| byte).collect();
    let Some(open) = raw_delimiter(&start) else { return };
    let end = quoted.len().saturating_sub(open + 1).max(open + 1);
    let mut rest = quoted.get(open + 1..end).unwrap_or_default();
    while let Some(((byte, range), after)) = rest.split_first() {
        match after.first() {
            // A line break is one character.
            Some((b'\n', newline)) if *byte == b'\r' => {
                text.push(b'\n', range.start..newline.end);
                rest = &after[1..];
            }
            _ => {
                text.push_written(*byte, range.clone());
                rest = after;
            }
        }
    }
}

/// The value of an escape: one byte, or the UTF-8 of a character.
struct Value {
    bytes: [u8; 4],
    length: usize,
}

impl Value {
    fn byte(byte: u8) -> Value {
        Value { bytes: [byte, 0, 0, 0], length: 1 }
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// Returns the value of the escape after a backslash, and its length.
fn escape(after: &[Mapped]) -> (Value, usize) {
    let Some(&(first, _)) = after.first() else { return (Value::byte(b'\\'), 0) };
    let digits = |start: usize, max: usize, radix: u32| {
        let digits = after.get(start..).unwrap_or_default().iter().take(max);
        let digits = digits.map_while(move |&(byte, _)| char::from(byte).to_digit(radix));
        digits.fold((0_u32, start), |(value, end), digit| {
            (value.wrapping_mul(radix).wrapping_add(digit), end + 1)
        })
    };
    let simple = |byte| (Value::byte(byte), 1);
    match first {
        b'n' => simple(b'\n'),
        b't' => simple(b'\t'),
        b'r' => simple(b'\r'),
        b'a' => simple(0x07),
        b'b' => simple(0x08),
        b'f' => simple(0x0c),
        b'v' => simple(0x0b),
        b'e' | b'E' => simple(0x1b),
        b'0'..=b'7' => {
            let (value, end) = digits(0, 3, 8);
            (Value::byte(value as u8), end)
        }
        b'x' => {
            let (value, end) = digits(1, usize::MAX, 16);
            (Value::byte(if end == 1 { b'x' } else { value as u8 }), end)
        }
        b'u' | b'U' => {
            let length = if first == b'u' { 4 } else { 8 };
            let (value, end) = digits(1, length, 16);
            match char::from_u32(value) {
                Some(character) if end == length + 1 => {
                    let mut bytes = [0; 4];
                    let length = character.encode_utf8(&mut bytes).len();
                    (Value { bytes, length }, end)
                }
                _ => simple(first),
            }
        }
        _ => simple(first),
    }
}
