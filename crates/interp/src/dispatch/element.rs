//! Types of the source language.

use genvisa::operand::DataType;

/// Returns the type of the numbers that a type of OpenCL C consists of, and their number: `float4*` is a
/// pointer to vectors of four floats. Returns `None` for other types, such as structures.
///
/// ```
/// use genvisa::operand::DataType;
/// use genvisa_interp::dispatch::element;
///
/// assert_eq!(element("float4*"), Some((DataType::F, 4)));
/// assert_eq!(element("image2d_t"), None);
/// ```
pub fn element(type_name: &str) -> Option<(DataType, u32)> {
    // An array has brackets after the name, and a pointer a star.
    let name = type_name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let count = match &name[base.len()..] {
        "" => 1,
        count => count.parse().ok()?,
    };
    let ty = match base {
        "char" => DataType::B,
        "uchar" | "bool" => DataType::UB,
        "short" => DataType::W,
        "ushort" => DataType::UW,
        "int" => DataType::D,
        "uint" => DataType::UD,
        "long" => DataType::Q,
        "ulong" => DataType::UQ,
        "half" => DataType::HF,
        "float" => DataType::F,
        "double" => DataType::DF,
        _ => return None,
    };
    Some((ty, count))
}
