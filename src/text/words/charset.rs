//! The classes of bytes in names and strings.

/// The characters of a string, which determine how it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::text) enum Charset {
    /// Letters, digits and `_`, as in names.
    Word,
    /// Characters that need no escape in quotes.
    Plain,
    /// At least one byte needs an escape in quotes.
    Escaped,
}

impl Charset {
    /// Returns the charset of bytes.
    #[inline]
    pub(in crate::text) fn of(bytes: &[u8]) -> Charset {
        Charset::fold(bytes, (), |(), _| ()).0
    }

    /// Returns the charset of bytes, and folds them in the same pass.
    #[inline]
    pub(in crate::text) fn fold<T>(bytes: &[u8], init: T, f: impl Fn(T, &u8) -> T) -> (Charset, T) {
        let step =
            |(class, value), byte: &u8| (class | CLASSES[usize::from(*byte)], f(value, byte));
        let (class, value) = bytes.iter().fold((0, init), step);
        let charset = match class {
            0 => Charset::Word,
            UNESCAPED => Charset::Plain,
            _ => Charset::Escaped,
        };
        (charset, value)
    }
}

/// Returns whether bytes are a valid name.
pub(in crate::text) fn is_identifier(bytes: &[u8]) -> bool {
    Charset::of(bytes) == Charset::Word && begins_identifier(bytes)
}

/// Returns whether bytes are a valid name of a label, which may be in quotes.
pub(in crate::text) fn is_label(bytes: &[u8]) -> bool {
    let is_label = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$@?-".contains(byte);
    begins_identifier(bytes) && bytes[0] != b'-' && bytes.iter().all(is_label)
}

/// Returns whether a word is a name: it is not empty, and does not begin with a digit.
#[inline]
pub(in crate::text) fn begins_identifier(word: &[u8]) -> bool {
    word.first().is_some_and(|first| !first.is_ascii_digit())
}

/// Returns whether a byte needs an escape in quotes.
pub(in crate::text) const fn needs_escape(byte: u8) -> bool {
    !matches!(byte, b' '..=b'~') || matches!(byte, b'\'' | b'"' | b'\\')
}

const UNESCAPED: u8 = 1;
const ESCAPED: u8 = 2 | UNESCAPED;

/// The class of each byte. The class of several bytes is the union of their bits.
static CLASSES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < table.len() {
        let is_word = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        table[byte] = match needs_escape(byte as u8) {
            true => ESCAPED,
            false if is_word => 0,
            false => UNESCAPED,
        };
        byte += 1;
    }
    table
};
