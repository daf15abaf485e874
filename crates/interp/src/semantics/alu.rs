//! Instructions that compute a number per lane.

use genvisa::operand::{DataType, Dst, Exec, Modifier, Pred, Vector};

use crate::context::{Computed, Context, Target};
use crate::fault::{FaultKind, Result};
use crate::number::{Float, Mode, Number, bits_of, low_bits, mixed};
use crate::value::{Lanes, MAX_LANES, first_lanes};

/// The names of the sources of instructions.
const SOURCES: [&str; 4] = ["src0", "src1", "src2", "src3"];

/// The result of an instruction for one lane.
pub(super) type Result1 = std::result::Result<Number, FaultKind>;

/// The meaning of an instruction for one lane: its result for its sources.
pub(super) trait Meaning<const N: usize> {
    /// Returns the result.
    ///
    /// # Errors
    /// There is none, or it is not modelled.
    fn apply(&self, sources: [Number; N], mode: &Mode) -> Result1;
}

impl<const N: usize, F: Fn([Number; N], &Mode) -> Result1> Meaning<N> for F {
    #[inline(always)]
    fn apply(&self, sources: [Number; N], mode: &Mode) -> Result1 {
        self(sources, mode)
    }
}

impl Context<'_> {
    /// Executes an instruction that computes a number from its sources in each lane. Integers are
    /// exact, and floats have the widest of the types of the sources.
    pub(super) fn compute<const N: usize>(
        &mut self,
        exec: Exec,
        pred: Pred,
        dst: &Dst,
        sources: [&Vector; N],
        meaning: impl Meaning<N>,
    ) -> Result<()> {
        let lanes = self.enabled(exec, pred)?;
        self.compute_lanes(lanes, dst, sources, meaning)
    }

    /// Executes such an instruction in these lanes.
    pub(super) fn compute_lanes<const N: usize>(
        &mut self,
        lanes: u32,
        dst: &Dst,
        sources: [&Vector; N],
        meaning: impl Meaning<N>,
    ) -> Result<()> {
        let mut operands = Numbers::default();
        self.read_numbers(lanes, sources, &mut operands)?;
        let mode = self.mode()?;
        let mut results = Lanes::ZERO;
        if operands.compute(lanes, &mode, self.target(dst, "dst")?, &meaning, &mut results) {
            return self.write_values(dst, "dst", lanes, &results);
        }
        self.write_results(dst, "dst", lanes, |lane| match operands.lane(lane)? {
            Some(numbers) => Ok(Computed::Number(meaning.apply(numbers, &mode)?)),
            None => Ok(Computed::Undefined),
        })
    }

    /// Returns the sources of an instruction.
    pub(super) fn numbers<const N: usize>(
        &self,
        lanes: u32,
        sources: [&Vector; N],
    ) -> Result<Numbers<N>> {
        self.numbers_of(lanes, &SOURCES, sources)
    }

    /// Returns operands, which are in these fields of an instruction.
    pub(super) fn numbers_of<const N: usize>(
        &self,
        lanes: u32,
        fields: &[&'static str],
        operands: [&Vector; N],
    ) -> Result<Numbers<N>> {
        let mut numbers = Numbers::default();
        self.read_fields(lanes, fields, operands, &mut numbers)?;
        Ok(numbers)
    }

    /// Reads the sources of an instruction to a place that the caller has: they are large.
    pub(super) fn read_numbers<const N: usize>(
        &self,
        lanes: u32,
        sources: [&Vector; N],
        numbers: &mut Numbers<N>,
    ) -> Result<()> {
        self.read_fields(lanes, &SOURCES, sources, numbers)
    }

    #[inline(always)]
    fn read_fields<const N: usize>(
        &self,
        lanes: u32,
        fields: &[&'static str],
        operands: [&Vector; N],
        numbers: &mut Numbers<N>,
    ) -> Result<()> {
        for index in 0..N {
            let (source, values) = (operands[index], &mut numbers.values[index]);
            numbers.types[index] = self.read_extended(source, fields[index], lanes, values)?;
            numbers.modifiers[index] = source.modifier;
        }
        numbers.float = float_type(&numbers.types)?;
        Ok(())
    }
}

/// The sources of an instruction.
pub(crate) struct Numbers<const N: usize> {
    pub types: [DataType; N],
    /// The values; integers are extended to 64 bits.
    pub values: [Lanes; N],
    pub modifiers: [Modifier; N],
    /// The type that floats are converted to; `None` if all sources are integers.
    float: Option<DataType>,
}

impl<const N: usize> Default for Numbers<N> {
    fn default() -> Numbers<N> {
        Numbers {
            types: [DataType::default(); N],
            values: [const { Lanes::ZERO }; N],
            modifiers: [Modifier::NONE; N],
            float: None,
        }
    }
}

impl<const N: usize> Numbers<N> {
    /// Returns whether all sources are integers.
    pub fn are_integers(&self) -> bool {
        self.float.is_none()
    }

    /// Returns the sources of a lane with their modifiers; `None` if one depends on what nobody wrote.
    pub fn lane(&self, lane: usize) -> std::result::Result<Option<[Number; N]>, FaultKind> {
        let mut numbers = [Number::Integer(0); N];
        for (index, number) in numbers.iter_mut().enumerate() {
            let value = self.values[index].get(lane);
            if !value.is_defined() {
                return Ok(None);
            }
            let mut read = Number::from_bits(value.bits, self.types[index])?;
            if let (Number::Float(float), Some(ty)) = (read, self.float) {
                read = Number::Float(float.convert(ty, &Mode::DEFAULT)?);
            }
            *number = modified(read, self.modifiers[index])?;
        }
        Ok(Some(numbers))
    }

    /// Computes lanes in a loop that is compiled for the numbers of the sources: integers of 64 bits, or floats of
    /// type F or DF that are rounded to nearest. Returns `false` if there is no such loop, or if a lane has no result.
    pub fn compute(
        &self,
        lanes: u32,
        mode: &Mode,
        target: Target,
        meaning: &impl Meaning<N>,
        results: &mut Lanes,
    ) -> bool {
        if target.saturates || !self.values.iter().all(Lanes::are_defined) {
            return false;
        }
        let results = results.bits_mut();
        match self.float {
            None if self.types.contains(&DataType::UQ) => {
                if self.modifiers != [Modifier::NONE; N] || self.has_negative() {
                    return false;
                }
                let unsigned = |bits: u64| Number::Integer(bits.into());
                self.loop_over(lanes, target, unsigned, meaning, results)
            }
            None => {
                let signed = |bits| Number::Integer(i128::from(bits as i64));
                self.loop_over(lanes, target, signed, meaning, results)
            }
            Some(DataType::F)
                if self.types == [DataType::F; N] && mode.is_default_for(DataType::F) =>
            {
                let single = |bits| Number::Float(Float::single(f32::from_bits(bits as u32)));
                self.loop_over(lanes, target, single, meaning, results)
            }
            Some(DataType::DF)
                if self.types == [DataType::DF; N] && mode.is_default_for(DataType::DF) =>
            {
                let double = |bits| Number::Float(Float::double(f64::from_bits(bits)));
                self.loop_over(lanes, target, double, meaning, results)
            }
            _ => false,
        }
    }

    /// Returns whether a value is a negative integer, perhaps of a lane that is not read.
    fn has_negative(&self) -> bool {
        let is_negative = |values: &Lanes| values.bits().iter().any(|bits| (*bits as i64) < 0);
        let mut sources = self.values.iter().zip(self.types);
        sources.any(|(values, ty)| ty.is_signed_integer() && is_negative(values))
    }

    fn loop_over(
        &self,
        lanes: u32,
        target: Target,
        number: impl Fn(u64) -> Number,
        meaning: &impl Meaning<N>,
        results: &mut [u64; MAX_LANES],
    ) -> bool {
        if self.modifiers == [Modifier::NONE; N] {
            let sources = self.values.each_ref().map(Lanes::bits);
            return compute(sources, lanes, target, number, meaning, results);
        }
        let mut sources = self.values.each_ref().map(|values| *values.bits());
        for (index, source) in sources.iter_mut().enumerate() {
            if !apply_modifier(source, self.types[index], self.modifiers[index]) {
                return false;
            }
        }
        compute(sources.each_ref(), lanes, target, number, meaning, results)
    }
}

/// Applies the modifier of a source to a number.
#[inline]
pub(super) fn modified(
    number: Number,
    modifier: Modifier,
) -> std::result::Result<Number, FaultKind> {
    Ok(match modifier {
        Modifier::NONE => number,
        Modifier::ABS => number.absolute(),
        Modifier::NEG => number.negated(),
        Modifier::NEG_ABS => number.absolute().negated(),
        other => return Err(FaultKind::not_modelled(format!("modifier {other} of a number"))),
    })
}

/// Applies a modifier to numbers: the bits of floats, or integers that get 64 bits. Returns `false` for a modifier that
/// may give an integer of more bits, or that is not modelled.
fn apply_modifier(bits: &mut [u64; MAX_LANES], ty: DataType, modifier: Modifier) -> bool {
    let mut change = |function: fn(u64, u64) -> u64, other: u64| {
        bits.iter_mut().for_each(|bits| *bits = function(*bits, other));
    };
    if !ty.is_integer() {
        let sign = 1 << (bits_of(ty) - 1);
        match modifier {
            Modifier::NONE => {}
            Modifier::ABS => change(|bits, sign| bits & !sign, sign),
            Modifier::NEG => change(|bits, sign| bits ^ sign, sign),
            Modifier::NEG_ABS => change(|bits, sign| bits | sign, sign),
            _ => return false,
        }
        return true;
    }
    match modifier {
        Modifier::NONE => {}
        _ if ty.size() == 8 => return false,
        Modifier::ABS => change(|bits, _| (bits as i64).unsigned_abs(), 0),
        Modifier::NEG => change(|bits, _| bits.wrapping_neg(), 0),
        Modifier::NEG_ABS => change(|bits, _| (bits as i64).unsigned_abs().wrapping_neg(), 0),
        _ => return false,
    }
    true
}

/// Computes the bits of the results of lanes, as they are stored. Returns `false` if a lane has none.
#[inline(never)]
fn compute<const N: usize>(
    sources: [&[u64; MAX_LANES]; N],
    lanes: u32,
    target: Target,
    number: impl Fn(u64) -> Number,
    meaning: &impl Meaning<N>,
    results: &mut [u64; MAX_LANES],
) -> bool {
    let is_integer = target.ty.is_integer();
    let width = low_bits(bits_of(target.ty));
    // The usual lanes need no test of each.
    let (count, are_first) = match first_lanes(lanes) {
        Some(count) => (count.min(MAX_LANES), true),
        None => (MAX_LANES, false),
    };
    for lane in 0..count {
        if !are_first && lanes >> lane & 1 == 0 {
            continue;
        }
        let mut numbers = [Number::Integer(0); N];
        for (input, source) in numbers.iter_mut().zip(&sources) {
            *input = number(source[lane]);
        }
        results[lane] = match meaning.apply(numbers, &Mode::DEFAULT) {
            Ok(Number::Integer(value)) if is_integer => value as u64 & width,
            Ok(Number::Float(float)) if float.ty() == target.ty => float.bits(),
            _ => return false,
        };
    }
    true
}

/// Returns the widest of the floating-point types; `None` if all types are integers.
fn float_type(types: &[DataType]) -> std::result::Result<Option<DataType>, FaultKind> {
    if types.contains(&DataType::TF32) {
        return Err(FaultKind::not_modelled("arithmetic of type tf32"));
    }
    if let [first, rest @ ..] = types {
        if rest.iter().all(|ty| ty == first) {
            return Ok((!first.is_integer()).then_some(*first));
        }
    }
    let floats = || types.iter().copied().filter(|ty| !ty.is_integer());
    if floats().count() == 0 {
        return Ok(None);
    }
    if floats().count() < types.len() {
        return Err(mixed());
    }
    // A BF and an HF have the same size, and no common type but F.
    let has = |ty: DataType| floats().any(|other| other == ty);
    if has(DataType::BF) && has(DataType::HF) {
        return Ok(Some(DataType::F));
    }
    Ok(floats().max_by_key(|ty| ty.size()))
}

/// Returns the number of bits of a source of an operation on bits.
pub(super) fn integer_bits(ty: DataType) -> std::result::Result<u32, FaultKind> {
    if !ty.is_integer() {
        return Err(FaultKind::not_modelled(format!("a bitwise operation on type {ty}")));
    }
    Ok(bits_of(ty))
}
