//! Integer and character literals: their values, and other values in the same style.

/// The suffixes of integers, in lowercase.
const SUFFIXES: [&[u8]; 11] =
    [b"", b"u", b"l", b"ul", b"lu", b"ll", b"ull", b"llu", b"z", b"uz", b"zu"];

/// The escapes of one character in character literals.
const ESCAPES: [(u8, u8); 12] = [
    (b'\'', b'\''),
    (b'"', b'"'),
    (b'?', b'?'),
    (b'\\', b'\\'),
    (b'a', 7),
    (b'b', 8),
    (b'f', 12),
    (b'n', 10),
    (b'r', 13),
    (b't', 9),
    (b'v', 11),
    (b'0', 0),
];

/// Returns the value of a literal. That of a character is not negative.
pub fn value(text: &[u8]) -> Option<u64> {
    match characters(text) {
        Some((_, contents)) => character(contents).map(u64::from),
        None => Number::parse(text)?.value(),
    }
}

/// Returns another value in the style of a literal: with its radix, suffix, separators and number of
/// digits, if they suffice. `upper` is the case of the digits if the literal has no letters.
pub fn with_value(text: &[u8], value: u64, upper: bool) -> Vec<u8> {
    let hex = Number { prefix: b"0x", digits: b"00", suffix: b"", radix: 16 };
    let number = match (characters(text), u8::try_from(value)) {
        (Some((prefix, contents)), Ok(value)) => {
            return [prefix, b"'", &character_with_value(contents, value, upper), b"'"].concat();
        }
        (Some(_), Err(_)) => hex,
        (None, _) => Number::parse(text).unwrap_or(hex),
    };
    number.with_value(value, upper)
}

/// Returns the case of the digits of a literal, if it has letters as digits: whether it is upper.
pub fn case(text: &[u8]) -> Option<bool> {
    let digits = match characters(text) {
        Some((_, [b'\\', b'x', digits @ ..])) => digits,
        Some(_) => return None,
        None => Number::parse(text).filter(|number| number.radix == 16)?.digits,
    };
    let letter = digits.iter().find(|digit| digit.is_ascii_alphabetic())?;
    Some(letter.is_ascii_uppercase())
}

/// Splits a character literal into its prefix and what is between the quotes.
fn characters(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let contents = text.strip_suffix(b"'")?;
    let quote = contents.iter().position(|byte| *byte == b'\'')?;
    Some((&contents[..quote], &contents[quote + 1..]))
}

/// Returns the value of what is between the quotes. Characters of several bytes and several
/// characters have none.
fn character(contents: &[u8]) -> Option<u8> {
    match contents {
        [byte] => Some(*byte),
        [b'\\', b'x', digits @ ..] => u8::try_from(parse(digits, 16)?).ok(),
        [b'\\', digits @ ..] if digits.len() <= 3 && digits.first()?.is_ascii_digit() => {
            u8::try_from(parse(digits, 8)?).ok()
        }
        [b'\\', escape] => ESCAPES.iter().find(|(name, _)| name == escape).map(|(_, value)| *value),
        _ => None,
    }
}

/// Returns what is between the quotes for another value.
fn character_with_value(old: &[u8], value: u8, upper: bool) -> Vec<u8> {
    match old {
        [b'\\', b'x', digits @ ..] => {
            let number = Number { prefix: b"\\x", digits, suffix: b"", radix: 16 };
            number.with_value(value.into(), upper)
        }
        [b'\\', digits @ ..] if digits.len() == 3 => {
            Number { prefix: b"\\", digits, suffix: b"", radix: 8 }.with_value(value.into(), upper)
        }
        _ => match ESCAPES.iter().find(|(name, escaped)| *escaped == value && *name != b'"') {
            Some((b'?', _)) => b"?".to_vec(),
            Some((name, _)) => vec![b'\\', *name],
            None if matches!(value, b' '..=b'~') => vec![value],
            None => character_with_value(b"\\x00", value, upper),
        },
    }
}

/// Returns the value of digits, which may have separators.
fn parse(digits: &[u8], radix: u32) -> Option<u64> {
    let mut value = None;
    for digit in digits.iter().filter(|digit| **digit != b'\'') {
        let digit = char::from(*digit).to_digit(radix)?;
        let higher = value.unwrap_or(0u64).checked_mul(radix.into())?;
        value = Some(higher.checked_add(digit.into())?);
    }
    value
}

/// The parts of an integer literal.
struct Number<'t> {
    prefix: &'t [u8],
    digits: &'t [u8],
    suffix: &'t [u8],
    radix: u32,
}

impl<'t> Number<'t> {
    fn parse(text: &'t [u8]) -> Option<Number<'t>> {
        let (prefix, radix) = match text {
            [b'0', b'x' | b'X', ..] => (2, 16),
            [b'0', b'b' | b'B', ..] => (2, 2),
            [b'0', b'0'..=b'9' | b'\'', ..] => (1, 8),
            _ => (0, 10),
        };
        let (prefix, rest) = text.split_at(prefix);
        // Octal digits end like decimal ones, so that `08` has an invalid digit, not a suffix.
        let is_digit = |byte: &u8| match radix {
            16 => byte.is_ascii_hexdigit() || *byte == b'\'',
            _ => byte.is_ascii_digit() || *byte == b'\'',
        };
        let end = rest.iter().position(|byte| !is_digit(byte)).unwrap_or(rest.len());
        let (digits, suffix) = rest.split_at(end);
        let is_known = SUFFIXES.iter().any(|known| suffix.eq_ignore_ascii_case(known));
        is_known.then_some(Number { prefix, digits, suffix, radix })
    }

    fn value(&self) -> Option<u64> {
        parse(self.digits, self.radix)
    }

    fn with_value(&self, value: u64, upper: bool) -> Vec<u8> {
        let letter = self.digits.iter().find(|digit| digit.is_ascii_alphabetic());
        let upper = letter.map_or(upper, |letter| letter.is_ascii_uppercase());
        let mut text = Vec::new();
        let mut rest = value;
        let mut old = self.digits.iter().rev();
        // The new digits, the last first. Decimal digits have no leading zeros.
        loop {
            let is_longer = match old.next() {
                Some(b'\'') if self.radix != 10 || rest > 0 => {
                    text.push(b'\'');
                    continue;
                }
                Some(_) => self.radix != 10,
                None => false,
            };
            if rest == 0 && !is_longer && !text.is_empty() {
                break;
            }
            let digit = (rest % u64::from(self.radix)) as u32;
            rest /= u64::from(self.radix);
            let digit = char::from_digit(digit, self.radix).unwrap_or('0') as u8;
            text.push(if upper { digit.to_ascii_uppercase() } else { digit });
        }
        text.reverse();
        [self.prefix, &text, self.suffix].concat()
    }
}
