//! Numbers on the command line as bytes.

/// A type of numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Integer(usize),
    Half,
    Float,
    Double,
}

impl Type {
    fn size(self) -> usize {
        match self {
            Type::Integer(size) => size,
            Type::Half => 2,
            Type::Float => 4,
            Type::Double => 8,
        }
    }

    /// Returns the type of a name in OpenCL C or Rust's suffixes, and the number of elements of a vector.
    fn from_name(name: &str) -> Option<(Type, usize)> {
        let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let count = match &name[base.len()..] {
            "" => 1,
            count => count.parse().ok()?,
        };
        let ty = match base {
            "char" | "uchar" | "bool" => Type::Integer(1),
            "short" | "ushort" => Type::Integer(2),
            "int" | "uint" => Type::Integer(4),
            "long" | "ulong" => Type::Integer(8),
            "half" => Type::Half,
            "float" => Type::Float,
            "double" => Type::Double,
            _ => return None,
        };
        Some((ty, count))
    }

    fn from_suffix(suffix: &str) -> Option<Type> {
        Some(match suffix {
            "c" | "uc" => Type::Integer(1),
            "s" | "us" => Type::Integer(2),
            "u" => Type::Integer(4),
            "l" | "ul" => Type::Integer(8),
            "h" => Type::Half,
            "f" => Type::Float,
            "d" => Type::Double,
            _ => return None,
        })
    }
}

/// Returns the bytes of numbers that are separated by commas. They have `size` bytes in total, if it is
/// known, and the elements of the type that the source declares, if it is one of numbers.
pub fn bytes_of(text: &str, size: Option<usize>, declared: &str) -> Result<Vec<u8>, String> {
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    let declared = Type::from_name(declared);
    let usual = match (declared, size) {
        (Some((ty, _)), _) => Some(ty),
        // A number alone is as large as the value.
        (None, Some(size @ (1 | 2 | 4 | 8))) if words.len() == 1 => Some(Type::Integer(size)),
        _ => None,
    };
    let mut bytes = Vec::new();
    for word in words {
        bytes.extend(number(word, usual)?);
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

fn number(word: &str, usual: Option<Type>) -> Result<Vec<u8>, String> {
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
        ("", None) if has_fraction => Type::Float,
        ("", None) => Type::Integer(4),
        (suffix, _) => Type::from_suffix(suffix).ok_or_else(error)?,
    };
    let Type::Integer(size) = ty else {
        let value: f64 = match is_hexadecimal {
            true => return Err(format!("`{word}` is not a decimal number")),
            false => digits.parse().map_err(|_| error())?,
        };
        return Ok(match ty {
            Type::Half => {
                let bits = genvisa_interp::nearest(genvisa::operand::DataType::HF, value)
                    .unwrap_or_default();
                (bits as u16).to_le_bytes().to_vec()
            }
            Type::Float => digits.parse::<f32>().map_err(|_| error())?.to_le_bytes().to_vec(),
            _ => value.to_le_bytes().to_vec(),
        });
    };
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
