//! The output of `printf`.
//!
//! A kernel appends a record to a buffer for each call: the address of the format, and for each conversion the type
//! and the value. The first four bytes of the buffer are the offset of the next record. The layout is that of the pass
//! `OpenCLPrintfResolution` of IGC.

use std::ops::Range;

use sprintf::{Printf, vsprintf};

use crate::memory::Memory;

/// The number of bytes of the buffer, which the compiler assumes.
pub(super) const SIZE: usize = 4 << 20;

/// The offset of the first record.
const START: usize = 4;

/// The most bytes of a format or a string. Longer ones are cut.
const LONGEST: usize = 1 << 16;

/// The most characters that a width or a precision can request.
const WIDEST: usize = 4096;

/// The most bytes of text of all calls.
const MOST_TEXT: usize = 64 << 20;

/// What the calls of `printf` of a kernel printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Printed {
    /// The text of all calls that could be read. The calls of a lane are in order.
    pub text: Vec<u8>,
    /// Why the rest is missing.
    pub problem: Option<String>,
}

/// Returns the buffer before the kernel runs.
pub(super) fn buffer() -> Vec<u8> {
    let mut bytes = vec![0; SIZE];
    bytes[..START].copy_from_slice(&(START as u32).to_le_bytes());
    bytes
}

/// Reads the records in the buffer at an address.
pub(super) fn read(memory: &Memory, address: u64) -> Printed {
    let mut printed = Printed::default();
    let Some(buffer) = memory.bytes(address) else { return printed };
    let end = buffer.first_chunk().map_or(0, |end| u32::from_le_bytes(*end) as usize);
    let mut records = Records { memory, bytes: &buffer[..end.min(SIZE)], at: START };
    while records.at < records.bytes.len() {
        if let Err(problem) = records.print_next(&mut printed.text) {
            // A call that finds no room writes no record, but advances the offset.
            printed.problem = Some(match end > SIZE {
                true => format!("the kernel printed more than {SIZE} bytes of records"),
                false => problem,
            });
            break;
        }
    }
    printed
}

/// The records that were not read yet.
struct Records<'m> {
    memory: &'m Memory,
    bytes: &'m [u8],
    at: usize,
}

impl Records<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let bytes = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk);
        self.at += N;
        bytes.copied().ok_or_else(|| "a record of printf ends early".into())
    }

    /// Prints the next record.
    fn print_next(&mut self, text: &mut Vec<u8>) -> Result<(), String> {
        let format = self.string()?;
        let mut rest = &format[..];
        while let Some(start) = rest.iter().position(|byte| *byte == b'%') {
            text.extend(&rest[..start]);
            rest = &rest[start..];
            if rest.starts_with(b"%%") {
                text.push(b'%');
                rest = &rest[2..];
                continue;
            }
            let (conversion, len) = Conversion::read(rest)?;
            self.print(&conversion, text)?;
            rest = &rest[len..];
        }
        text.extend(rest);
        Ok(())
    }

    /// Reads the address of a string, and returns the string.
    fn string(&mut self) -> Result<Vec<u8>, String> {
        let address = u64::from_le_bytes(self.array()?);
        let bytes = self.memory.read(address, LONGEST);
        match bytes.iter().position(|byte| *byte == 0) {
            Some(len) => Ok(bytes[..len].to_vec()),
            None if bytes.len() == LONGEST => Ok(bytes.to_vec()),
            None => Err(format!("printf refers to a string at {address:#x}, where there is none")),
        }
    }

    /// Prints an argument.
    fn print(&mut self, conversion: &Conversion, text: &mut Vec<u8>) -> Result<(), String> {
        let code = u32::from_le_bytes(self.array()?);
        let (element, is_vector) = Element::of_code(code)
            .ok_or_else(|| format!("printf has an argument of type {code}, which is not known"))?;
        let count = if is_vector { u32::from_le_bytes(self.array()?) as usize } else { 1 };
        let start = self.at;
        for index in 0..count {
            if text.len() > MOST_TEXT {
                return Err(format!("the kernel printed more than {MOST_TEXT} bytes of text"));
            }
            if index > 0 {
                text.push(b',');
            }
            let value = match element {
                Element::Integer(size) => self.integer(size).map(Argument::Integer)?,
                Element::Float => Argument::Float(f32::from_le_bytes(self.array()?).into()),
                Element::Double => Argument::Float(f64::from_le_bytes(self.array()?)),
                Element::String => Argument::String(self.string()?),
            };
            text.extend(conversion.apply(value)?.as_bytes());
        }
        // Each element takes at least four bytes, after all of them.
        self.at = self.at.max(start + 4 * count);
        Ok(())
    }

    /// Reads an integer of some bytes, with its sign.
    fn integer(&mut self, size: usize) -> Result<i64, String> {
        Ok(match size {
            1 => i8::from_le_bytes(self.array()?).into(),
            2 => i16::from_le_bytes(self.array()?).into(),
            4 => i32::from_le_bytes(self.array()?).into(),
            _ => i64::from_le_bytes(self.array()?),
        })
    }
}

/// The type of an element of an argument.
#[derive(Clone, Copy)]
enum Element {
    /// An integer or a pointer of some bytes.
    Integer(usize),
    Float,
    Double,
    String,
}

impl Element {
    /// Returns the type of a code, and whether the argument is a vector of it.
    fn of_code(code: u32) -> Option<(Element, bool)> {
        let element = match code {
            1 | 9 => Element::Integer(1),
            2 | 10 => Element::Integer(2),
            3 | 11 => Element::Integer(4),
            6 | 7 | 12 => Element::Integer(8),
            4 | 13 => Element::Float,
            8 | 14 => Element::Double,
            5 => Element::String,
            _ => return None,
        };
        Some((element, code >= 9))
    }
}

enum Argument {
    Integer(i64),
    Float(f64),
    String(Vec<u8>),
}

/// A conversion such as `%-8.3v4hlf`.
struct Conversion {
    /// The flags, the width and the precision.
    shape: String,
    precision: Option<usize>,
    /// The number of bytes of integers, if the conversion states it.
    size: Option<usize>,
    letter: u8,
}

impl Conversion {
    /// Reads the conversion that a text begins with, and returns its length.
    fn read(text: &[u8]) -> Result<(Conversion, usize), String> {
        let mut at = 1;
        let skip = |at: &mut usize, is_part: &dyn Fn(u8) -> bool| -> Range<usize> {
            let start = *at;
            *at += text[start..].iter().take_while(|byte| is_part(**byte)).count();
            start..*at
        };
        let is_digit = |byte: u8| byte.is_ascii_digit();
        let number = |digits: Range<usize>| match &*String::from_utf8_lossy(&text[digits]) {
            "" => Ok(0),
            digits => digits.parse().ok().filter(|number| *number <= WIDEST).ok_or_else(|| {
                format!("printf has a width or precision of {digits}; at most {WIDEST} is possible")
            }),
        };
        skip(&mut at, &|byte| b"-+ #0".contains(&byte));
        number(skip(&mut at, &is_digit))?;
        let mut precision = None;
        if text.get(at) == Some(&b'.') {
            at += 1;
            let digits = skip(&mut at, &is_digit);
            precision = Some(number(digits)?);
        }
        let shape = String::from_utf8_lossy(&text[1..at]).into_owned();
        // The record states the number of elements of a vector.
        if text.get(at) == Some(&b'v') {
            at += 1;
            skip(&mut at, &is_digit);
        }
        let length = skip(&mut at, &|byte| b"hl".contains(&byte));
        let size = match &text[length] {
            b"hh" => Some(1),
            b"h" => Some(2),
            b"hl" => Some(4),
            b"l" => Some(8),
            _ => None,
        };
        match text.get(at) {
            Some(&letter) if b"diouxXcspfFeEgGaA".contains(&letter) => {
                Ok((Conversion { shape, precision, size, letter }, at + 1))
            }
            _ => {
                let conversion = String::from_utf8_lossy(&text[..text.len().min(at + 1)]);
                Err(format!("printf has the conversion `{conversion}`, which is not known"))
            }
        }
    }

    /// Returns the text of a value.
    fn apply(&self, value: Argument) -> Result<String, String> {
        let letter = char::from(self.letter);
        match (value, letter) {
            (Argument::Integer(value), 'd' | 'i') => self.print('d', &self.extended(value)),
            (Argument::Integer(value), 'o' | 'u' | 'x' | 'X') => {
                let value = self.truncated(value);
                // `sprintf` writes the prefix of 0, too.
                let shape =
                    if value == 0 { self.shape.replace('#', "") } else { self.shape.clone() };
                Self::format(&format!("%{shape}{letter}"), &value)
            }
            (Argument::Integer(value), 'c') => self.print('c', &char::from(value as u8)),
            (Argument::Integer(value), 'p') => self.print('s', &&*format!("{value:#x}")),
            (Argument::String(bytes), 's') => self.print('s', &&*String::from_utf8_lossy(&bytes)),
            (Argument::Float(value), 'a' | 'A') => {
                let digits = hexadecimal(value, self.precision);
                let shape = self.shape.split('.').next().unwrap_or_default();
                let text = if letter == 'A' { digits.to_uppercase() } else { digits };
                Self::format(&format!("%{}s", shape.replace(['0', '#', '+'], "")), &&*text)
            }
            (Argument::Float(value), 'f' | 'F' | 'e' | 'E' | 'g' | 'G') => {
                self.print(letter, &value)
            }
            _ => Err(format!("the argument of `%{letter}` of printf has another type")),
        }
    }

    /// Returns the value as an integer with a sign of the stated size.
    fn extended(&self, value: i64) -> i64 {
        let unused = 64 - 8 * self.size.unwrap_or(8);
        value << unused >> unused
    }

    /// Returns the value as an integer without a sign of the stated size, which is an `int` if none is stated.
    fn truncated(&self, value: i64) -> u64 {
        let unused = 64 - 8 * self.size.unwrap_or(4);
        (value as u64) << unused >> unused
    }

    fn print(&self, letter: char, value: &dyn Printf) -> Result<String, String> {
        Self::format(&format!("%{}{letter}", self.shape), value)
    }

    fn format(conversion: &str, value: &dyn Printf) -> Result<String, String> {
        vsprintf(conversion, &[value])
            .map_err(|error| format!("printf has the conversion `{conversion}`: {error}"))
    }
}

/// Returns the text of `%a`: a digit, the point, digits and an exponent of two.
fn hexadecimal(value: f64, precision: Option<usize>) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_nan() {
        return format!("{sign}nan");
    }
    if value.is_infinite() {
        return format!("{sign}inf");
    }
    let (field, fraction) = (value.to_bits() >> 52 & 0x7ff, value.to_bits() & ((1 << 52) - 1));
    let (leading, exponent) = match (field, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1, field as i32 - 1023),
    };
    let mut digits = u128::from(leading << 52 | fraction);
    let count = match precision {
        None => 13 - (fraction.trailing_zeros() as usize / 4).min(13),
        Some(count) => count.min(13),
    };
    let removed = 52 - 4 * count;
    if removed > 0 {
        let half = 1 << (removed - 1);
        let odd = digits >> removed & 1;
        digits = (digits + half - 1 + odd) >> removed;
    }
    let whole = digits >> (4 * count);
    let rest = digits & ((1 << (4 * count)) - 1);
    let zeros = precision.map_or(0, |precision| precision - count);
    let point = if count + zeros == 0 { "" } else { "." };
    let rest = if count == 0 { String::new() } else { format!("{rest:0count$x}") };
    format!("{sign}0x{whole}{point}{rest}{}p{exponent:+}", "0".repeat(zeros))
}
