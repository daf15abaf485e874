//! Bitwise operations, shifts and bit fields. Undefined bits are followed one by one where a bit of the
//! result depends on few bits of the sources.

use genvisa::operand::{Dst, Exec, Modifier, Pred, Vector, VectorKind};

use super::alu::integer_bits;
use crate::context::{Context, Source};
use crate::fault::{FaultKind, Result};
use crate::number::{bits_of, is_signed, low_bits};
use crate::state::Predicate;
use crate::value::{MAX_LANES, Value, set_bits};

impl Context<'_> {
    /// Executes an operation on each bit of up to three sources.
    pub(super) fn bitwise(
        &mut self,
        exec: Exec,
        pred: Pred,
        dst: &Dst,
        sources: &[&Vector],
        operation: impl Fn([u64; 3]) -> u64,
    ) -> Result<()> {
        let lanes = self.enabled(exec, pred)?;
        if let VectorKind::Predicate(target) = dst.0.kind {
            return self.bitwise_on_predicates(exec, lanes, target, sources, operation);
        }
        let ty = self.type_of(&dst.0)?;
        let width = low_bits(bits_of(ty));
        let mut read = Vec::with_capacity(sources.len());
        for (source, field) in sources.iter().zip(["src0", "src1", "src2"]) {
            let elements = self.read(source, field, lanes)?;
            integer_bits(&elements)?;
            read.push((elements, source.modifier));
        }
        let mut results = [Value::default(); MAX_LANES];
        for lane in set_bits(lanes) {
            let mut values = [Value::default(); 3];
            for (value, (source, modifier)) in values.iter_mut().zip(&read) {
                *value = extended(source, lane);
                match *modifier {
                    Modifier::NONE => {}
                    Modifier::NOT | Modifier::NEG => value.bits = !value.bits,
                    other => {
                        let what = format!("modifier {other} of bits");
                        return Err(FaultKind::not_modelled(what).into());
                    }
                }
            }
            let result = with_undefined(values, &operation);
            results[lane] =
                Value { bits: result.bits & width, undefined: result.undefined & width };
        }
        self.write(dst, "dst", lanes, |lane| results[lane])
    }

    /// Executes an operation on the elements of predicates.
    fn bitwise_on_predicates(
        &mut self,
        exec: Exec,
        lanes: u32,
        target: Pred,
        sources: &[&Vector],
        operation: impl Fn([u64; 3]) -> u64,
    ) -> Result<()> {
        let mut values = [Value::default(); 3];
        for (value, source) in values.iter_mut().zip(sources) {
            let VectorKind::Predicate(pred) = source.kind else {
                return Err(FaultKind::Malformed("a source is not a predicate".into()).into());
            };
            let predicate = self.registers.predicate(self.code, pred.id())?;
            *value = Value { bits: predicate.bits.into(), undefined: predicate.undefined.into() };
            if source.modifier == Modifier::NOT || pred.is_inverted() {
                value.bits = !value.bits;
            }
        }
        let result = with_undefined(values, &operation);
        let result = Predicate { bits: result.bits as u32, undefined: result.undefined as u32 };
        let mask = lanes << exec.mask.first_lane();
        Ok(self.registers.set_predicate(self.code, target.id(), mask, result)?)
    }

    /// Executes an operation whose second source is a number of bits: shifts and rotations.
    pub(super) fn shift(
        &mut self,
        exec: Exec,
        pred: Pred,
        dst: &Dst,
        [source, count]: [&Vector; 2],
        operation: Shift,
    ) -> Result<()> {
        let lanes = self.enabled(exec, pred)?;
        let ty = self.type_of(&dst.0)?;
        let bits = self.read(source, "src0", lanes)?;
        let counts = self.read(count, "src1", lanes)?;
        let (source_bits, _) = (integer_bits(&bits)?, integer_bits(&counts)?);
        let is_negated = match count.modifier {
            Modifier::NONE => false,
            Modifier::NEG => true,
            other => {
                return Err(FaultKind::not_modelled(format!("modifier {other} of a count")).into());
            }
        };
        let width = bits_of(ty);
        // The page of SHL: the count is modulo 64 if the destination has 64 bits. Rotations use the size
        // of the source.
        let modulus = match operation {
            Shift::RotateLeft | Shift::RotateRight => source_bits,
            _ if width == 64 || source_bits == 64 => 64,
            _ => 32,
        };
        let mut results = [Value::default(); MAX_LANES];
        for lane in set_bits(lanes) {
            let mut count = counts.values[lane];
            if is_negated {
                count.bits = count.bits.wrapping_neg();
            }
            let mut value = match (operation, source.modifier) {
                (Shift::Right, Modifier::NONE) => bits.values[lane],
                _ => extended(&bits, lane),
            };
            if source.modifier != Modifier::NONE {
                value = with_sign(value, source.modifier)?;
            }
            results[lane] = if count.undefined & u64::from(modulus - 1) == 0 {
                let by = count.bits as u32 & (modulus - 1);
                let shift = |bits: u64| operation.apply(bits, by, source_bits) & low_bits(width);
                Value { bits: shift(value.bits), undefined: shift(value.undefined) }
            } else {
                Value { bits: 0, undefined: low_bits(width) }
            };
        }
        self.write(dst, "dst", lanes, |lane| results[lane])
    }
}

/// How bits are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shift {
    Left,
    Right,
    ArithmeticRight,
    RotateLeft,
    RotateRight,
}

impl Shift {
    /// Moves bits of an element with `width` bits, which is extended to 64.
    fn apply(self, bits: u64, by: u32, width: u32) -> u64 {
        let element = bits & low_bits(width);
        match self {
            Shift::Left => bits << by,
            Shift::Right => element >> by,
            Shift::ArithmeticRight => (bits as i64 >> by) as u64,
            Shift::RotateLeft | Shift::RotateRight if by == 0 => element,
            Shift::RotateLeft => element << by | element >> (width - by),
            Shift::RotateRight => element >> by | element << (width - by),
        }
    }
}

/// Applies a modifier to a value that is extended to 64 bits.
fn with_sign(value: Value, modifier: Modifier) -> std::result::Result<Value, FaultKind> {
    if !value.is_defined() {
        return Ok(Value { bits: 0, undefined: u64::MAX });
    }
    let negated = value.bits.wrapping_neg();
    let absolute = (value.bits as i64).unsigned_abs();
    let bits = match modifier {
        Modifier::NEG => negated,
        Modifier::ABS => absolute,
        Modifier::NEG_ABS => absolute.wrapping_neg(),
        other => {
            return Err(FaultKind::not_modelled(format!("modifier {other} of a shifted source")));
        }
    };
    Ok(Value::defined(bits))
}

/// Returns the value of a lane, extended to 64 bits by its sign or by zeros.
fn extended(source: &Source, lane: usize) -> Value {
    let value = source.values[lane];
    if !is_signed(source.ty) {
        return value;
    }
    let unused = 64 - bits_of(source.ty);
    let extend = |bits: u64| ((bits << unused) as i64 >> unused) as u64;
    Value { bits: extend(value.bits), undefined: extend(value.undefined) }
}

/// Applies an operation to bits. A bit of the result is undefined if an undefined bit of a source changes
/// it.
fn with_undefined(values: [Value; 3], operation: &impl Fn([u64; 3]) -> u64) -> Value {
    let bits = operation(values.map(|value| value.bits));
    if values.iter().all(|value| value.is_defined()) {
        return Value::defined(bits);
    }
    let mut undefined = 0;
    for flips in 1..8 {
        let flipped = std::array::from_fn(|index| {
            let value = values[index];
            if flips >> index & 1 != 0 { value.bits ^ value.undefined } else { value.bits }
        });
        undefined |= operation(flipped) ^ bits;
    }
    Value { bits, undefined }
}

/// Returns the function of three bits with a truth table (BFN.md).
pub(super) fn truth_table(table: u8) -> impl Fn([u64; 3]) -> u64 {
    move |[a, b, c]| {
        (0..8u32).filter(|row| table >> row & 1 != 0).fold(0, |result, row| {
            let term = |bits: u64, index: u32| if row >> index & 1 != 0 { bits } else { !bits };
            result | term(a, 0) & term(b, 1) & term(c, 2)
        })
    }
}

/// BFE: a field of a dword, with `width` bits from `offset` on.
pub(super) fn bfe(width: u32, offset: u32, value: u32) -> u32 {
    value >> (offset & 31) & low_bits(width & 31) as u32
}

/// BFI: a dword with a field replaced.
pub(super) fn bfi(width: u32, offset: u32, value: u32, base: u32) -> u32 {
    let offset = offset & 31;
    let mask = (low_bits(width & 31) as u32) << offset;
    (value << offset) & mask | base & !mask
}

/// FBH: the first bit from the high end that differs from the sign, or that is set.
pub(super) fn fbh(value: u32, is_signed: bool) -> u32 {
    let value = if is_signed && (value as i32) < 0 { !value } else { value };
    if value == 0 { u32::MAX } else { value.leading_zeros() }
}

/// FBL: the first bit from the low end that is set.
pub(super) fn fbl(value: u32) -> u32 {
    if value == 0 { u32::MAX } else { value.trailing_zeros() }
}
