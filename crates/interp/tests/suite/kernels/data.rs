//! Types of elements, and the contents of buffers.

use genvisa_test_support::rng::Rng;

/// The type of the elements of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    pub name: &'static str,
    pub size: usize,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Integer,
    /// A float with so many bits of its fraction.
    Float(u32),
}

const TYPES: [Type; 12] = [
    Type { name: "char", size: 1, kind: Kind::Integer },
    Type { name: "uchar", size: 1, kind: Kind::Integer },
    Type { name: "short", size: 2, kind: Kind::Integer },
    Type { name: "ushort", size: 2, kind: Kind::Integer },
    Type { name: "int", size: 4, kind: Kind::Integer },
    Type { name: "uint", size: 4, kind: Kind::Integer },
    Type { name: "long", size: 8, kind: Kind::Integer },
    Type { name: "ulong", size: 8, kind: Kind::Integer },
    Type { name: "half", size: 2, kind: Kind::Float(10) },
    Type { name: "bf16", size: 2, kind: Kind::Float(7) },
    Type { name: "float", size: 4, kind: Kind::Float(23) },
    Type { name: "double", size: 8, kind: Kind::Float(52) },
];

impl Type {
    pub fn from_name(name: &str) -> Option<Type> {
        TYPES.into_iter().find(|ty| ty.name == name)
    }

    /// Returns the bits of a number, rounded toward zero.
    fn bits(self, value: f64) -> u64 {
        match self.kind {
            Kind::Integer => value as i64 as u64,
            Kind::Float(52) => value.to_bits(),
            Kind::Float(23) => (value as f32).to_bits().into(),
            Kind::Float(7) => ((value as f32).to_bits() >> 16).into(),
            Kind::Float(_) => half_bits(value as f32).into(),
        }
    }

    /// Returns the number of a float.
    pub fn float(self, bits: u64) -> f64 {
        match self.kind {
            Kind::Float(52) => f64::from_bits(bits),
            Kind::Float(23) => f32::from_bits(bits as u32).into(),
            Kind::Float(7) => f32::from_bits((bits as u32) << 16).into(),
            _ => half_value(bits as u16),
        }
    }
}

/// Returns the bits of a half, rounded toward zero. Small numbers become zero.
fn half_bits(value: f32) -> u16 {
    let bits = value.to_bits();
    let (sign, exponent) = ((bits >> 16) as u16 & 0x8000, (bits >> 23 & 0xff) as i32 - 127 + 15);
    match exponent {
        ..=0 => sign,
        31.. => sign | 0x7bff,
        _ => sign | (exponent as u16) << 10 | (bits >> 13) as u16 & 0x3ff,
    }
}

fn half_value(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let fraction = f64::from(bits & 0x3ff);
    match i32::from(bits >> 10 & 31) {
        0 => sign * fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        exponent => sign * (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

/// A buffer.
pub struct Buffer {
    pub ty: Type,
    pub is_output: bool,
    pub bytes: Vec<u8>,
}

impl Buffer {
    /// Returns the buffer that options describe. `name` is the seed.
    pub fn parse(name: &str, ty: Type, count: usize, options: &[&str]) -> Buffer {
        let (mut range, mut step, mut is_output) = (None, None, false);
        let mut repeated: Vec<f64> = Vec::new();
        let (mut is_integral, mut has_any_bits) =
            (ty.kind == Kind::Integer, ty.kind == Kind::Integer);
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let mut options = options.iter();
        while let Some(option) = options.next() {
            match *option {
                "out" => is_output = true,
                "integers" => is_integral = true,
                "bits" => has_any_bits = true,
                "ramp" => step = options.next().map(|step| step.parse::<f64>().expect("a step")),
                "of" => {
                    let numbers = options.next().expect("numbers");
                    repeated = numbers.split(',').map(number).collect();
                }
                option => {
                    let (low, high) = option.split_once("..").expect("a range");
                    range = Some((number(low), number(high)));
                    has_any_bits = false;
                }
            }
        }
        let seed = name.bytes().fold(0, |seed: u64, byte| seed.wrapping_mul(31) + u64::from(byte));
        let mut rng = Rng::new(seed, 1);
        let (low, high) = range.unwrap_or((-1.0, 1.0));
        let mut element = |index: usize| {
            if let Some(step) = step {
                return ty.bits(step * index as f64);
            }
            if !repeated.is_empty() {
                return ty.bits(repeated[index % repeated.len()]);
            }
            if has_any_bits {
                return special(ty, rng.bits(), rng.bits());
            }
            let unit = (rng.bits() >> 11) as f64 / (1u64 << 53) as f64;
            if is_integral {
                return ty.bits((low + unit * (high - low + 1.0)).floor().min(high));
            }
            ty.bits(low + unit * (high - low))
        };
        let elements =
            (0..count).flat_map(|index| element(index).to_le_bytes().into_iter().take(ty.size));
        Buffer { ty, is_output, bytes: elements.collect() }
    }
}

/// Returns random bits, and often a value at the limits of its type.
fn special(ty: Type, bits: u64, choice: u64) -> u64 {
    let limit = 1u64 << (ty.size * 8 - 1);
    let fraction = match ty.kind {
        Kind::Integer => 0,
        Kind::Float(fraction) => fraction,
    };
    let exponent = (limit - 1) & !((1u64 << fraction) - 1);
    match (choice % 16, ty.kind) {
        (0, _) => 0,
        (1, Kind::Integer) => limit,
        (2, Kind::Integer) => limit - 1,
        (3, Kind::Integer) => u64::MAX,
        (1, _) => exponent | bits & limit,
        (2, _) => exponent | 1 << (fraction - 1) | bits & limit,
        // A denormal.
        (3, _) => bits & !exponent,
        (4, _) => limit,
        _ => bits,
    }
}

/// Returns the bytes of values with suffixes, separated by commas.
pub fn value_bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for word in text.split(',') {
        let start = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let number = || start.parse::<i128>().ok();
        match &word[start.len()..] {
            "f" => bytes.extend(start.parse::<f32>().ok()?.to_le_bytes()),
            "d" => bytes.extend(start.parse::<f64>().ok()?.to_le_bytes()),
            "c" | "uc" => bytes.extend(&number()?.to_le_bytes()[..1]),
            "s" | "us" => bytes.extend(&number()?.to_le_bytes()[..2]),
            "" | "u" => bytes.extend(&number()?.to_le_bytes()[..4]),
            "l" | "ul" => bytes.extend(&number()?.to_le_bytes()[..8]),
            _ => return None,
        }
    }
    Some(bytes)
}
