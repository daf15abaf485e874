//! Instructions that compute a number per lane.

use genvisa::operand::{DataType, Dst, Exec, Modifier, Pred, Vector};

use crate::context::{Computed, Context, Source};
use crate::fault::{FaultKind, Result};
use crate::number::{Mode, Number, bits_of, mixed};
use crate::value::{Lanes, MAX_LANES, Value};

/// The names of the sources of instructions.
const SOURCES: [&str; 4] = ["src0", "src1", "src2", "src3"];

/// The meaning of an instruction for one lane: the result for its sources.
pub(super) type Result1 = std::result::Result<Number, FaultKind>;

impl Context<'_> {
    /// Executes an instruction that computes a number from its sources in each lane. Integers are
    /// exact, and floats have the widest of the types of the sources.
    pub(super) fn compute<const N: usize>(
        &mut self,
        exec: Exec,
        pred: Pred,
        dst: &Dst,
        sources: [&Vector; N],
        meaning: impl Fn([Number; N], &Mode) -> Result1,
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
        meaning: impl Fn([Number; N], &Mode) -> Result1,
    ) -> Result<()> {
        let operands = self.numbers(lanes, sources)?;
        let mode = self.mode()?;
        self.write_results(dst, "dst", lanes, |lane| match operands.lane(lane)? {
            Some(numbers) => Ok(Computed::Number(meaning(numbers, &mode)?)),
            None => Ok(Computed::Undefined),
        })
    }

    /// Reads the sources of an instruction.
    pub(super) fn numbers<const N: usize>(
        &self,
        lanes: u32,
        sources: [&Vector; N],
    ) -> Result<Numbers<N>> {
        let mut types = [DataType::default(); N];
        let mut values = [[Value::default(); MAX_LANES]; N];
        let mut modifiers = [Modifier::NONE; N];
        for index in 0..N {
            let (source, modifier) =
                self.read_with_modifier(sources[index], SOURCES[index], lanes)?;
            (types[index], values[index], modifiers[index]) = (source.ty, source.values, modifier);
        }
        let float = float_type(&types)?;
        Ok(Numbers { types, values, modifiers, float })
    }
}

/// The sources of an instruction.
pub(super) struct Numbers<const N: usize> {
    pub types: [DataType; N],
    values: [Lanes; N],
    modifiers: [Modifier; N],
    /// The type that floats are converted to; `None` if all sources are integers.
    float: Option<DataType>,
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
            let value = self.values[index][lane];
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

/// Returns the widest of the floating-point types; `None` if all types are integers.
fn float_type(types: &[DataType]) -> std::result::Result<Option<DataType>, FaultKind> {
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

/// Checks that a source has bits, for instructions that have no other sources.
pub(super) fn integer_bits(source: &Source) -> std::result::Result<u32, FaultKind> {
    if !source.ty.is_integer() {
        return Err(FaultKind::not_modelled(format!("a bitwise operation on type {}", source.ty)));
    }
    Ok(bits_of(source.ty))
}
