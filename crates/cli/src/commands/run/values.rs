//! Numbers on the command line as bytes.

use genvisa::operand::DataType;
use genvisa_interp::dispatch::element;
use genvisa_interp::nearest;

/// The types of suffixes.
const SUFFIXES: [(&str, DataType); 11] = [
    ("c", DataType::B),
    ("uc", DataType::UB),
    ("s", DataType::W),
    ("us", DataType::UW),
    ("u", DataType::UD),
    ("l", DataType::Q),
    ("ul", DataType::UQ),
    ("h", DataType::HF),
    ("f", DataType::F),
    ("d", DataType::DF),
    // Integers without a suffix.
    ("", DataType::D),
];

/// Returns the type of a suffix.
fn of_suffix(suffix: &str) -> Option<DataType> {
    SUFFIXES.iter().find(|(it, _)| *it == suffix).map(|(_, ty)| *ty)
}

/// Returns the suffix of a type.
pub fn suffix_of(ty: DataType) -> &'static str {
    SUFFIXES.iter().find(|(_, it)| *it == ty).map_or("", |(suffix, _)| suffix)
}

/// Returns the type of unsigned integers of a size.
pub fn of_size(size: usize) -> Option<DataType> {
    [DataType::UB, DataType::UW, DataType::UD, DataType::UQ]
        .into_iter()
        .find(|ty| ty.size() == size)
}

/// The most numbers that a word such as `0*1024` repeats, and the most bytes of all.
const MAX_COUNT: usize = 1 << 24;
const MAX_BYTES: usize = 1 << 28;

/// Returns the bytes of numbers that are separated by commas; `0*16` is 16 zeros. They have `size` bytes in
/// total, if it is known, and the elements of the type that the source declares, if it is one of numbers.
pub fn bytes_of(text: &str, size: Option<usize>, declared: &str) -> Result<Vec<u8>, String> {
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    let declared = element(declared);
    let usual = match (declared, size) {
        (Some((ty, _)), _) => Some(ty),
        // A number alone is as large as the value.
        (None, Some(size)) if words.len() == 1 => of_size(size),
        _ => None,
    };
    let mut bytes = Vec::new();
    for word in words {
        let (word, count) = match word.split_once('*') {
            Some((word, count)) => {
                let count = count.parse().ok().filter(|count| *count <= MAX_COUNT);
                (word, count.ok_or_else(|| format!("expected a count after `{word}*`"))?)
            }
            None => (word, 1),
        };
        bytes.extend(number(word, usual)?.repeat(count));
        if bytes.len() > MAX_BYTES {
            return Err(format!("the numbers have more than {MAX_BYTES} bytes; use a file"));
        }
    }
    let Some(size) = size else { return Ok(bytes) };
    // Vectors of three elements have the size of four.
    if matches!(declared, Some((ty, 3)) if bytes.len() == ty.size() * 3) {
        bytes.resize(size, 0);
    }
    match bytes.len() == size {
        true => Ok(bytes),
        false => Err(format!("`{text}` has {} bytes, but the value has {size}", bytes.len())),
    }
}

fn number(word: &str, usual: Option<DataType>) -> Result<Vec<u8>, String> {
    let error = || format!("expected a number, found `{word}`");
    let is_hexadecimal = word.trim_start_matches('-').starts_with("0x");
    // In hexadecimal numbers, c, d and f are digits.
    let is_suffix = |c: char| match is_hexadecimal {
        true => matches!(c, 'u' | 'l' | 's' | 'h'),
        false => c.is_ascii_alphabetic(),
    };
    let digits = match word {
        "inf" | "-inf" | "nan" => word,
        _ => word.trim_end_matches(is_suffix),
    };
    let suffix = &word[digits.len()..];
    let has_fraction = !is_hexadecimal && digits.contains(['.', 'e', 'i', 'n']);
    let ty = match (suffix, usual) {
        ("", Some(ty)) => ty,
        ("", None) if has_fraction => DataType::F,
        ("", None) => DataType::D,
        (suffix, _) => of_suffix(suffix).ok_or_else(error)?,
    };
    let size = ty.size();
    if !ty.is_integer() {
        let value: f64 = match is_hexadecimal {
            true => return Err(format!("`{word}` is not a decimal number")),
            false => digits.parse().map_err(|_| error())?,
        };
        let bits = match ty {
            // Rounded once.
            DataType::F => digits.parse::<f32>().map_err(|_| error())?.to_bits().into(),
            _ => nearest(ty, value).unwrap_or_default(),
        };
        return Ok(bits.to_le_bytes()[..size].to_vec());
    }
    let (sign, magnitude) = match digits.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, digits),
    };
    let value = match magnitude.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16),
        None => magnitude.parse::<i128>(),
    };
    let value = value.map_err(|_| error())? * sign;
    let bits = size as u32 * 8;
    if value < -(1 << (bits - 1)) || value >= 1 << bits {
        return Err(format!("`{word}` does not fit {size} bytes"));
    }
    Ok(value.to_le_bytes()[..size].to_vec())
}
