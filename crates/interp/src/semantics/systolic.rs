//! DPAS: the product of two matrices, added to a third (DPAS.md).

use genvisa::isa::Dpas;
use genvisa::operand::{DataType, Precision, Raw, Vector, VectorKind};

use crate::context::Context;
use crate::fault::{FaultKind, Result};
use crate::number::{Float, Mode, bits_of, low_bits};
use crate::value::Value;

/// How the elements of a matrix are stored.
#[derive(Clone, Copy)]
enum Format {
    Integer {
        bits: u32,
        is_signed: bool,
    },
    /// The low bits of an element may be ignored.
    Float {
        ty: DataType,
        bits: u32,
        ignored: u32,
    },
}

/// TF32 is a float with 8 bits of exponent and 10 of mantissa (DPAS.md) in the high bits of a dword.
const TF32_IGNORED: u32 = 13;

impl Format {
    fn of(precision: Precision) -> Result<Format> {
        let integer = |bits, is_signed| Format::Integer { bits, is_signed };
        let float = |ty| Format::Float { ty, bits: bits_of(ty), ignored: 0 };
        Ok(match precision {
            Precision::U8 => integer(8, false),
            Precision::S8 => integer(8, true),
            Precision::U4 => integer(4, false),
            Precision::S4 => integer(4, true),
            Precision::U2 => integer(2, false),
            Precision::S2 => integer(2, true),
            Precision::BF16 => float(DataType::BF),
            Precision::FP16 => float(DataType::HF),
            Precision::TF32 => Format::Float { ty: DataType::F, bits: 32, ignored: TF32_IGNORED },
            Precision::BF8 => float(DataType::BF8),
            Precision::HF8 => float(DataType::HF8),
            other => return Err(FaultKind::not_modelled(format!("precision {other}")).into()),
        })
    }

    fn bits(self) -> u32 {
        match self {
            Format::Integer { bits, .. } | Format::Float { bits, .. } => bits,
        }
    }

    fn ignored(self) -> u32 {
        match self {
            Format::Integer { .. } => 0,
            Format::Float { ignored, .. } => ignored,
        }
    }

    /// Returns how a matrix of sums of these elements is stored in a variable of a type (DPAS.md, the
    /// table of legal combinations).
    fn accumulator(self, ty: DataType) -> Result<DataType> {
        let of = match self {
            Format::Integer { .. } => None,
            Format::Float { ty, .. } => Some(ty),
        };
        match (of, ty) {
            (None, DataType::UD | DataType::D) | (Some(_), DataType::F) => Ok(ty),
            (Some(DataType::BF), DataType::BF) | (Some(DataType::HF), DataType::HF) => Ok(ty),
            // Texts of compilers declare BF as words.
            (Some(DataType::BF), DataType::UW | DataType::W) => Ok(DataType::BF),
            _ => Err(FaultKind::not_modelled(format!("a systolic product of type {ty}")).into()),
        }
    }
}

impl Context<'_> {
    /// DPAS: for each row of the result, the rows of `src1` weighted by the elements of a row of `src2`.
    ///
    /// Floats are summed in double precision for each step of the systolic depth, and rounded after it;
    /// the order of the hardware within a step is not documented.
    pub(super) fn dpas(&mut self, dpas: &Dpas) -> Result<()> {
        let register = self.register_bytes();
        let lanes = dpas.exec.size.lanes() as u32;
        if self.enabled(dpas.exec, dpas.pred.unwrap_or_default())? != low_bits(lanes) as u32 {
            return Err(
                FaultKind::NotDefined("a systolic product in some lanes only".into()).into()
            );
        }
        let (w, a) = (Format::of(dpas.w)?, Format::of(dpas.a)?);
        let per_dword = match w.bits().max(a.bits()) {
            bits @ 8..=32 => 32 / bits,
            _ => 8,
        };
        let src2 = self.start_of(&dpas.src2)?;
        let dst_ty = w.accumulator(self.code.variable(dpas.dst.var)?.ty)?;
        let src0_ty = match dpas.src0.is_null() {
            true => dst_ty,
            false => w.accumulator(self.code.variable(dpas.src0.var)?.ty)?,
        };
        let depth = u32::from(dpas.systolic_depth);
        // All rows are computed before one is written: the result may be one of the sources.
        let mut result = Vec::new();
        for row in 0..u32::from(dpas.repeat_count) {
            for lane in 0..lanes {
                // The elements of accumulators are packed.
                let at = |ty: DataType| (row * lanes + lane) * ty.size() as u32;
                let size = src0_ty.size() as u32;
                let start = match dpas.src0.is_null() {
                    true => Value::default(),
                    false => self.read_raw(dpas.src0, at(src0_ty), size, "src0")?,
                };
                let mut sum = Sum::new(start, src0_ty)?;
                for step in 0..depth {
                    let first = step * per_dword;
                    let element = |index: u32| (row * depth * per_dword + first + index) * a.bits();
                    let weight = |index: u32| (first + index) * w.bits();
                    for index in 0..per_dword {
                        // A column of weights is in the dwords of a lane in consecutive registers.
                        let (dword, bit) = (weight(index) / 32, weight(index) % 32);
                        let value =
                            self.read_raw(dpas.src1, dword * register + lane * 4, 4, "src1")?;
                        let weight = part(value, bit, w);
                        let (byte, bit) = (element(index) / 32 * 4, element(index) % 32);
                        let value = self.read_raw(src2, byte, 4, "src2")?;
                        sum.add(weight, w, part(value, bit, a), a)?;
                    }
                    sum.end_step();
                }
                result.push((at(dst_ty), sum.value(dst_ty)?));
            }
        }
        for (at, value) in result {
            self.write_raw(dpas.dst, at, dst_ty.size() as u32, value, "dst")?;
        }
        Ok(())
    }

    /// Returns the first element of a general operand as a raw operand.
    fn start_of(&self, operand: &Vector) -> Result<Raw> {
        self.without_modifier(operand, "src2")?;
        let VectorKind::General { var, row, col, .. } = operand.kind else {
            return Err(FaultKind::not_modelled("an operand that is not in a variable").into());
        };
        let element = self.code.variable(var)?.ty.size() as u32;
        let offset = u32::from(row) * self.register_bytes() + u32::from(col) * element;
        let offset = u16::try_from(offset)
            .map_err(|_| FaultKind::Malformed("the operand is too far in its variable".into()))?;
        Ok(Raw::new(var, offset))
    }
}

/// Returns an element of a dword.
fn part(value: Value, bit: u32, format: Format) -> Value {
    let mask = low_bits(format.bits()) & !low_bits(format.ignored());
    Value { bits: value.bits >> bit & mask, undefined: value.undefined >> bit & mask }
}

/// A sum of products.
struct Sum {
    integer: i64,
    float: f64,
    is_defined: bool,
}

impl Sum {
    fn new(start: Value, ty: DataType) -> Result<Sum> {
        let (integer, float) = match ty.is_integer() {
            true => (start.bits as u32 as i32 as i64, 0.0),
            false => (0, Float::from_bits(start.bits, ty)?.to_f64()),
        };
        Ok(Sum { integer, float, is_defined: start.is_defined() })
    }

    fn add(&mut self, weight: Value, w: Format, element: Value, a: Format) -> Result<()> {
        self.is_defined &= weight.is_defined() && element.is_defined();
        match (w, a) {
            (Format::Integer { .. }, Format::Integer { .. }) => {
                let product = integer(weight.bits, w) * integer(element.bits, a);
                self.integer = self.integer.wrapping_add(product);
            }
            (Format::Float { ty: w, .. }, Format::Float { ty: a, .. }) => {
                let float = |bits, ty| -> Result<f64> { Ok(Float::from_bits(bits, ty)?.to_f64()) };
                self.float += float(weight.bits, w)? * float(element.bits, a)?;
            }
            _ => return Err(FaultKind::Malformed("a product of integers and floats".into()).into()),
        }
        Ok(())
    }

    fn end_step(&mut self) {
        self.float = f64::from(self.float as f32);
    }

    fn value(&self, ty: DataType) -> Result<Value> {
        if !self.is_defined {
            return Ok(Value { bits: 0, undefined: low_bits(bits_of(ty)) });
        }
        Ok(Value::defined(match ty.is_integer() {
            true => u64::from(self.integer as u32),
            false => Float::nearest(self.float, DataType::F)?.convert(ty, &Mode::DEFAULT)?.bits(),
        }))
    }
}

fn integer(bits: u64, format: Format) -> i64 {
    match format {
        Format::Integer { bits: width, is_signed: true } => {
            let unused = 64 - width;
            (bits << unused) as i64 >> unused
        }
        _ => bits as i64,
    }
}
