//! Formats of texels, and how their channels are converted to and from elements of registers.

use std::fmt;

use genvisa::operand::DataType;

use crate::fault::FaultKind;
use crate::number::{Float, Mode, low_bits};
use crate::value::Value;

/// What the bits of a channel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Fractions of 1.
    Unorm,
    /// Fractions of 1 with a sign; the least two values are -1.
    Snorm,
    /// Integers.
    Uint,
    /// Integers with a sign.
    Sint,
    /// Floating-point numbers.
    Float,
}

macro_rules! formats {
    ($($name:ident $text:literal $order:literal $kind:ident $bits:literal;)*) => {
        /// The format of a texel: its channels in the order of memory, their size in bits, and what they
        /// are.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum PixelFormat {
            $(#[doc = concat!("`", $text, "`.")] $name,)*
        }

        impl PixelFormat {
            /// Every format.
            pub const ALL: &'static [PixelFormat] = &[$(PixelFormat::$name),*];

            /// Returns the name, such as `rgba8-unorm`.
            pub fn name(self) -> &'static str {
                match self {
                    $(PixelFormat::$name => $text,)*
                }
            }

            /// Returns the letters of the channels in the order of memory.
            fn order(self) -> &'static str {
                match self {
                    $(PixelFormat::$name => $order,)*
                }
            }

            fn kind(self) -> Kind {
                match self {
                    $(PixelFormat::$name => Kind::$kind,)*
                }
            }

            /// Returns the number of bits of a channel.
            fn bits(self) -> u32 {
                match self {
                    $(PixelFormat::$name => $bits,)*
                }
            }
        }
    };
}

formats! {
    R8Unorm "r8-unorm" "r" Unorm 8;
    Rg8Unorm "rg8-unorm" "rg" Unorm 8;
    Rgba8Unorm "rgba8-unorm" "rgba" Unorm 8;
    Bgra8Unorm "bgra8-unorm" "bgra" Unorm 8;
    R8Snorm "r8-snorm" "r" Snorm 8;
    Rg8Snorm "rg8-snorm" "rg" Snorm 8;
    Rgba8Snorm "rgba8-snorm" "rgba" Snorm 8;
    R8Uint "r8-uint" "r" Uint 8;
    Rg8Uint "rg8-uint" "rg" Uint 8;
    Rgba8Uint "rgba8-uint" "rgba" Uint 8;
    R8Sint "r8-sint" "r" Sint 8;
    Rg8Sint "rg8-sint" "rg" Sint 8;
    Rgba8Sint "rgba8-sint" "rgba" Sint 8;
    R16Unorm "r16-unorm" "r" Unorm 16;
    Rg16Unorm "rg16-unorm" "rg" Unorm 16;
    Rgba16Unorm "rgba16-unorm" "rgba" Unorm 16;
    R16Snorm "r16-snorm" "r" Snorm 16;
    Rg16Snorm "rg16-snorm" "rg" Snorm 16;
    Rgba16Snorm "rgba16-snorm" "rgba" Snorm 16;
    R16Uint "r16-uint" "r" Uint 16;
    Rg16Uint "rg16-uint" "rg" Uint 16;
    Rgba16Uint "rgba16-uint" "rgba" Uint 16;
    R16Sint "r16-sint" "r" Sint 16;
    Rg16Sint "rg16-sint" "rg" Sint 16;
    Rgba16Sint "rgba16-sint" "rgba" Sint 16;
    R16Float "r16-float" "r" Float 16;
    Rg16Float "rg16-float" "rg" Float 16;
    Rgba16Float "rgba16-float" "rgba" Float 16;
    R32Uint "r32-uint" "r" Uint 32;
    Rg32Uint "rg32-uint" "rg" Uint 32;
    Rgba32Uint "rgba32-uint" "rgba" Uint 32;
    R32Sint "r32-sint" "r" Sint 32;
    Rg32Sint "rg32-sint" "rg" Sint 32;
    Rgba32Sint "rgba32-sint" "rgba" Sint 32;
    R32Float "r32-float" "r" Float 32;
    Rg32Float "rg32-float" "rg" Float 32;
    Rgba32Float "rgba32-float" "rgba" Float 32;
}

impl fmt::Display for PixelFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The alpha channel.
pub(crate) const ALPHA: usize = 3;

impl PixelFormat {
    /// Returns the format with a name.
    pub fn from_name(name: &str) -> Option<PixelFormat> {
        PixelFormat::ALL.iter().copied().find(|format| format.name() == name)
    }

    /// Returns the number of bytes of a texel.
    pub fn bytes(self) -> u32 {
        self.order().len() as u32 * self.channel_bytes()
    }

    /// Returns the number of bytes of a channel in memory.
    pub(crate) fn channel_bytes(self) -> u32 {
        self.bits() / 8
    }

    /// Returns the type of the channels in memory, in which fractions are integers.
    pub fn channel_type(self) -> DataType {
        let is_signed = matches!(self.kind(), Kind::Snorm | Kind::Sint);
        match (self.kind(), self.channel_bytes()) {
            (Kind::Float, 2) => DataType::HF,
            (Kind::Float, _) => DataType::F,
            (_, 1) => {
                if is_signed {
                    DataType::B
                } else {
                    DataType::UB
                }
            }
            (_, 2) => {
                if is_signed {
                    DataType::W
                } else {
                    DataType::UW
                }
            }
            _ => {
                if is_signed {
                    DataType::D
                } else {
                    DataType::UD
                }
            }
        }
    }

    /// Returns the number of channels.
    pub(crate) fn channels(self) -> usize {
        self.order().len()
    }

    /// Returns the offset of a channel, 0 to 3 for R, G, B and A, in the bytes of a texel; `None` if the
    /// format does not have it.
    pub(crate) fn channel_offset(self, channel: usize) -> Option<u32> {
        let letter = "rgba".as_bytes().get(channel)?;
        let position = self.order().bytes().position(|other| other == *letter)?;
        Some(position as u32 * self.channel_bytes())
    }

    /// Returns whether the channels are integers.
    pub(crate) fn is_integer(self) -> bool {
        matches!(self.kind(), Kind::Uint | Kind::Sint)
    }

    /// Returns whether the channels are floating-point numbers in memory.
    pub(crate) fn is_float(self) -> bool {
        self.kind() == Kind::Float
    }

    /// Returns whether the channels are fractions from 0 to 1.
    pub(crate) fn is_unorm(self) -> bool {
        self.kind() == Kind::Unorm
    }

    /// Returns the element that messages return for a number: a float with the size of the element, or the
    /// nearest integer that is not greater in magnitude for formats of integers.
    pub(crate) fn element(self, number: f64, bytes: u32) -> Result<Value, FaultKind> {
        let bits = match self.kind() {
            Kind::Uint => (number as u64).min(low_bits(self.bits())),
            Kind::Sint => {
                let limit = 1i64 << (self.bits() - 1);
                (number as i64).clamp(-limit, limit - 1) as u64
            }
            _ => Float::nearest(number, float_type(bytes)?)?.bits(),
        };
        Ok(Value::defined(bits & low_bits(bytes * 8)))
    }

    /// Returns the element of a channel that the format does not have: 0, and 1 for alpha.
    pub(crate) fn absent(self, channel: usize, bytes: u32) -> Result<Value, FaultKind> {
        self.element(if channel == ALPHA { 1.0 } else { 0.0 }, bytes)
    }

    /// Returns the element of a channel outside of an image: 0, except where the format does not have it.
    pub(crate) fn outside(self, channel: usize, bytes: u32) -> Result<Value, FaultKind> {
        match self.channel_offset(channel) {
            Some(_) => self.element(0.0, bytes),
            None => self.absent(channel, bytes),
        }
    }

    /// Converts a channel in memory to an element of 2 or 4 bytes: integers are extended, and other
    /// formats become floats.
    pub(crate) fn load(self, channel: Value, bytes: u32) -> Result<Value, FaultKind> {
        let width = low_bits(bytes * 8);
        if self.is_integer() && self.channel_bytes() > bytes {
            let what = format!("a result of {bytes} bytes from format {self}");
            return Err(FaultKind::not_modelled(what));
        }
        let extended = |bits: u64| match self.kind() {
            Kind::Sint => sign_extended(bits, self.bits()) as u64 & width,
            _ => bits,
        };
        if self.is_integer() || self.kind() == Kind::Float && self.channel_bytes() == bytes {
            let (bits, undefined) = (extended(channel.bits), extended(channel.undefined));
            return Ok(Value { bits, undefined });
        }
        match self.number(channel)? {
            Some(number) => Ok(Value::defined(Float::nearest(number, float_type(bytes)?)?.bits())),
            None => Ok(Value { bits: 0, undefined: width }),
        }
    }

    /// Returns the number that a channel in memory is; `None` if it is undefined.
    pub(crate) fn number(self, channel: Value) -> Result<Option<f64>, FaultKind> {
        if !channel.is_defined() {
            return Ok(None);
        }
        let bits = channel.bits;
        Ok(Some(match self.kind() {
            Kind::Unorm => bits as f64 / low_bits(self.bits()) as f64,
            Kind::Snorm => {
                let most = low_bits(self.bits() - 1) as f64;
                (sign_extended(bits, self.bits()) as f64 / most).max(-1.0)
            }
            Kind::Uint => bits as f64,
            Kind::Sint => sign_extended(bits, self.bits()) as f64,
            Kind::Float => Float::from_bits(bits, float_type(self.channel_bytes())?)?.to_f64(),
        }))
    }

    /// Converts an element of 2 or 4 bytes to a channel in memory (SCATTER4_TYPED.md, Notes): floats are
    /// rounded to nearest even, and clamped to the range of fixed-point formats; integers are clamped.
    pub(crate) fn store(self, element: Value, bytes: u32) -> Result<Value, FaultKind> {
        let width = low_bits(self.bits());
        if bytes == self.channel_bytes() && (self.is_integer() || self.is_float()) {
            return Ok(element);
        }
        if !element.is_defined() {
            return Ok(Value { bits: 0, undefined: width });
        }
        let bits = match self.kind() {
            Kind::Uint => element.bits.min(width),
            Kind::Sint => {
                let limit = 1i64 << (self.bits() - 1);
                let value = sign_extended(element.bits, bytes * 8);
                value.clamp(-limit, limit - 1) as u64
            }
            kind => {
                let number = Float::from_bits(element.bits, float_type(bytes)?)?;
                match kind {
                    Kind::Float => {
                        let ty = float_type(self.channel_bytes())?;
                        number.convert(ty, &Mode::DEFAULT)?.bits()
                    }
                    kind => fixed_point(number.to_f64(), kind, self.bits()) as u64,
                }
            }
        };
        Ok(Value::defined(bits & width))
    }
}

/// Returns the fixed-point number of some bits that is nearest to a number; 0 for a NaN.
fn fixed_point(number: f64, kind: Kind, bits: u32) -> i64 {
    let (least, most) = match kind {
        Kind::Snorm => (-1.0, low_bits(bits - 1) as f64),
        _ => (0.0, low_bits(bits) as f64),
    };
    // The product is exact: both factors have at most 24 bits.
    (number.clamp(least, 1.0) * most).round_ties_even() as i64
}

fn sign_extended(bits: u64, width: u32) -> i64 {
    let unused = 64 - width;
    (bits << unused) as i64 >> unused
}

/// Returns the type of floats with a size.
fn float_type(bytes: u32) -> Result<DataType, FaultKind> {
    match bytes {
        2 => Ok(DataType::HF),
        4 => Ok(DataType::F),
        bytes => Err(FaultKind::not_modelled(format!("a color of {bytes} bytes"))),
    }
}
