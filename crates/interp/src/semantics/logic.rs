//! Bitwise operations, shifts and bit fields. Undefined bits are followed one by one where a bit of the
//! result depends on few bits of the sources.

use genvisa::operand::{Dst, Exec, Modifier, Pred, Vector, VectorKind};

use super::alu::{Meaning, Numbers, Result1, integer_bits, modified};
use crate::context::{Computed, Context, Target};
use crate::fault::{FaultKind, Result};
use crate::number::{Mode, Number, bits_of, low_bits};
use crate::state::Predicate;
use crate::value::{Lanes, Value};

impl Context<'_> {
    /// Executes an operation on each bit of up to three sources.
    pub(super) fn bitwise<const N: usize>(
        &mut self,
        exec: Exec,
        pred: Pred,
        dst: &Dst,
        sources: [&Vector; N],
        operation: impl Fn([u64; 3]) -> u64,
    ) -> Result<()> {
        let lanes = self.enabled(exec, pred)?;
        if let VectorKind::Predicate(_) = dst.0.kind {
            return self.bitwise_on_predicates(exec, lanes, dst, &sources, operation);
        }
        let mut operands = Numbers::default();
        self.read_numbers(lanes, sources, &mut operands)?;
        operands.types.iter().try_for_each(|ty| integer_bits(*ty).map(drop))?;
        // A modifier of bits is none of numbers.
        if operands.modifiers == [Modifier::NONE; N] {
            let target = self.target(dst, "dst")?;
            let (meaning, mut results) = (Bitwise(&operation), Lanes::ZERO);
            if operands.compute(lanes, &Mode::DEFAULT, target, &meaning, &mut results) {
                return self.write_values(dst, "dst", lanes, &results);
            }
        }
        self.write_results(dst, "dst", lanes, |lane| {
            let mut values = [Value::default(); 3];
            for (index, value) in values.iter_mut().enumerate().take(N) {
                *value = operands.values[index].get(lane);
                match operands.modifiers[index] {
                    Modifier::NONE => {}
                    Modifier::NOT | Modifier::NEG => value.bits = !value.bits,
                    other => {
                        let what = format!("modifier {other} of bits");
                        return Err(FaultKind::not_modelled(what));
                    }
                }
            }
            Ok(Computed::Bits(with_undefined(values, &operation)))
        })
    }

    /// Executes an operation on the elements of predicates.
    fn bitwise_on_predicates(
        &mut self,
        exec: Exec,
        lanes: u32,
        dst: &Dst,
        sources: &[&Vector],
        operation: impl Fn([u64; 3]) -> u64,
    ) -> Result<()> {
        let VectorKind::Predicate(target) = dst.0.kind else {
            return Err(FaultKind::Malformed("the destination is not a predicate".into()).into());
        };
        self.without_modifier(&dst.0, "dst")?;
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
        sources: [&Vector; 2],
        operation: Shift,
    ) -> Result<()> {
        let lanes = self.enabled(exec, pred)?;
        let width = bits_of(self.type_of(&dst.0)?);
        let mut operands = Numbers::default();
        self.read_numbers(lanes, sources, &mut operands)?;
        let [ty, of_count] = operands.types;
        let (source_bits, _) = (integer_bits(ty)?, integer_bits(of_count)?);
        let [modifier, count_modifier] = operands.modifiers;
        let is_negated = match count_modifier {
            Modifier::NONE => false,
            Modifier::NEG => true,
            other => {
                return Err(FaultKind::not_modelled(format!("modifier {other} of a count")).into());
            }
        };
        // The page of SHL: the count is modulo 64 if the destination has 64 bits. Rotations use the size
        // of the source.
        let modulus = match operation {
            Shift::RotateLeft | Shift::RotateRight => source_bits,
            _ if width == 64 || source_bits == 64 => 64,
            _ => 32,
        };
        let target = self.target(dst, "dst")?;
        let (meaning, mut results) = (Shifted { operation, modulus, source_bits }, Lanes::ZERO);
        if operands.compute(lanes, &Mode::DEFAULT, target, &meaning, &mut results) {
            return self.write_values(dst, "dst", lanes, &results);
        }
        let Target { saturates, .. } = target;
        let [bits, counts] = &operands.values;
        self.write_results(dst, "dst", lanes, |lane| {
            let mut count = counts.get(lane);
            if is_negated {
                count.bits = count.bits.wrapping_neg();
            }
            if count.undefined & u64::from(modulus - 1) != 0 {
                return Ok(Computed::Undefined);
            }
            let by = count.bits as u32 & (modulus - 1);
            let value = bits.get(lane);
            let exact = match modifier {
                Modifier::NONE if ty.is_signed_integer() => i128::from(value.bits as i64),
                Modifier::NONE => i128::from(value.bits),
                _ if !value.is_defined() => return Ok(Computed::Undefined),
                modifier => modified(Number::from_bits(value.bits, ty)?, modifier)?.integer()?,
            };
            let result = operation.apply(exact, by, source_bits);
            // The page of SHL: with saturation, a result that does not fit in 33 bits is undefined. For
            // 64 bits, there is one bit more than the type has, too.
            if saturates && operation == Shift::Left && !fits(result, modulus + 1) {
                return Ok(Computed::Undefined);
            }
            // The undefined bits move with the others.
            let undefined = match value.undefined {
                0 => 0,
                undefined => {
                    let mask = match ty.is_signed_integer() {
                        true => i128::from(undefined as i64),
                        false => i128::from(undefined),
                    };
                    operation.apply(mask, by, source_bits) as u64
                }
            };
            Ok(match operation {
                // The pages list no saturation of rotations, whose results are no numbers.
                Shift::RotateLeft | Shift::RotateRight => {
                    Computed::Bits(Value { bits: result as u64, undefined })
                }
                _ => Computed::Integer { value: result, undefined },
            })
        })
    }
}

/// An operation on each bit of sources that are defined.
struct Bitwise<'o, O>(&'o O);

impl<const N: usize, O: Fn([u64; 3]) -> u64> Meaning<N> for Bitwise<'_, O> {
    #[inline(always)]
    fn apply(&self, sources: [Number; N], _: &Mode) -> Result1 {
        let mut bits = [0; 3];
        for index in 0..N {
            bits[index] = sources[index].integer()? as u64;
        }
        Ok(Number::Integer((self.0)(bits).into()))
    }
}

/// An operation on sources that are defined, the second of which is a number of bits.
struct Shifted {
    operation: Shift,
    /// What the number of bits is smaller than.
    modulus: u32,
    /// The number of bits of the first source.
    source_bits: u32,
}

impl Meaning<2> for Shifted {
    #[inline(always)]
    fn apply(&self, [value, count]: [Number; 2], _: &Mode) -> Result1 {
        let by = count.integer()? as u32 & (self.modulus - 1);
        let value = value.integer()?;
        // No type keeps more than 64 bits of a result that is not saturated.
        let result = match self.operation {
            Shift::Left => i128::from((value as u64) << by),
            operation => operation.apply(value, by, self.source_bits),
        };
        Ok(Number::Integer(result))
    }
}

/// Returns whether an integer has at most this many bits, with or without a sign.
fn fits(value: i128, bits: u32) -> bool {
    (-(1i128 << (bits - 1))..1i128 << bits).contains(&value)
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
    /// Moves the bits of an integer of a type with `width` bits. Only the results of left and arithmetic
    /// shifts may be negative, or have more bits than the type.
    #[inline]
    fn apply(self, value: i128, by: u32, width: u32) -> i128 {
        let element = value as u64 & low_bits(width);
        let result = match self {
            Shift::Left => return value << by,
            Shift::ArithmeticRight => return value >> by,
            Shift::Right => element >> by,
            Shift::RotateLeft | Shift::RotateRight if by == 0 => element,
            Shift::RotateLeft => element << by | element >> (width - by),
            Shift::RotateRight => element >> by | element << (width - by),
        };
        result.into()
    }
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
    let row = |index: u8| if table >> index & 1 != 0 { u64::MAX } else { 0 };
    let rows: [u64; 8] = [0, 1, 2, 3, 4, 5, 6, 7].map(row);
    move |[a, b, c]| {
        let select = |bits: u64, [zero, one]: [u64; 2]| zero & !bits | one & bits;
        let of_a = |first: usize| select(a, [rows[first], rows[first + 1]]);
        let of_b = |first: usize| select(b, [of_a(first), of_a(first + 2)]);
        select(c, [of_b(0), of_b(4)])
    }
}

/// BFE: a field of a dword, with `width` bits from `offset` on, which is extended by its highest bit if
/// it is signed.
pub(super) fn bfe(width: u32, offset: u32, value: u32, is_signed: bool) -> i64 {
    let (width, offset) = (width & 31, offset & 31);
    // The bits above the dword are zeros, or copies of its sign.
    let value = if is_signed { i64::from(value as i32) } else { i64::from(value) };
    let field = (value >> offset) as u64 & low_bits(width);
    match width {
        1.. if is_signed => (field << (64 - width)) as i64 >> (64 - width),
        _ => field as i64,
    }
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
