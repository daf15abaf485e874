//! Which bytes may stand where.

/// What the text has to do with some bytes, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Charset {
    /// Letters, digits and `_`: what names are made of.
    Word,
    /// What can stand within quotes as it is.
    Plain,
    /// What needs an escape there.
    Escaped,
}

impl Charset {
    /// The charset of the worst byte.
    #[inline]
    pub(super) fn of(bytes: &[u8]) -> Charset {
        Charset::fold(bytes, (), |(), _| ()).0
    }

    /// The same, and what else there is to know of the bytes at the same look.
    #[inline]
    pub(super) fn fold<T>(bytes: &[u8], init: T, f: impl Fn(T, &u8) -> T) -> (Charset, T) {
        let look =
            |(class, value), byte: &u8| (class | CLASSES[usize::from(*byte)], f(value, byte));
        let (class, value) = bytes.iter().fold((0, init), look);
        let charset = match class {
            0 => Charset::Word,
            PLAIN => Charset::Plain,
            _ => Charset::Escaped,
        };
        (charset, value)
    }
}

/// Whether bytes are a name of the text's language.
pub(super) fn is_identifier(bytes: &[u8]) -> bool {
    Charset::of(bytes) == Charset::Word && begins_identifier(bytes)
}

/// Whether a word is a name: it is there, and begins with no digit.
#[inline]
pub(super) fn begins_identifier(word: &[u8]) -> bool {
    word.first().is_some_and(|first| !first.is_ascii_digit())
}

/// Whether a byte cannot stand within quotes as it is.
pub(super) const fn needs_escape(byte: u8) -> bool {
    !matches!(byte, b' '..=b'~') || matches!(byte, b'\'' | b'"' | b'\\')
}

const PLAIN: u8 = 1;
const ESCAPED: u8 = 2 | PLAIN;

/// Of each byte, its class. The class of several has the bits of all.
static CLASSES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < table.len() {
        let is_word = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        table[byte] = match needs_escape(byte as u8) {
            true => ESCAPED,
            false if is_word => 0,
            false => PLAIN,
        };
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_byte_decides() {
        assert_eq!(Charset::of(b""), Charset::Word);
        assert_eq!(Charset::of(b"V_32"), Charset::Word);
        assert_eq!(Charset::of(b"V_32 [1]~"), Charset::Plain);
        for escaped in [b'"', b'\'', b'\\', b'\n', 0x7f, 0x80, 0xff] {
            assert_eq!(Charset::of(&[b'V', b' ', escaped, b'V']), Charset::Escaped, "{escaped:#x}");
        }
    }

    #[test]
    fn names_begin_with_no_digit() {
        assert!(is_identifier(b"_1") && is_identifier(b"a"));
        assert!(!is_identifier(b"") && !is_identifier(b"1a") && !is_identifier(b"a.b"));
    }
}
