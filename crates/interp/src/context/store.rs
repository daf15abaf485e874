//! Stores the results of instructions in their destinations.

use genvisa::operand::{DataType, Dst, Modifier};

use super::{Context, Source};
use crate::fault::{FaultKind, Problem, Result};
use crate::number::{Number, bits_of, low_bits};
use crate::value::{Lanes, Value, set_bits};

/// What an instruction computes for a lane, before it is saturated and converted to the type of the
/// destination.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Computed {
    /// A number.
    Number(Number),
    /// An exact integer, with the bits of it that depend on something that nobody wrote.
    Integer { value: i128, undefined: u64 },
    /// An element of this type, all of whose bits are kept if the destination has the same type.
    Element(Value, DataType),
    /// Bits that are no number, such as the result of a comparison.
    Bits(Value),
    /// Something that depends on what nobody wrote.
    Undefined,
}

/// The result of an instruction for a lane.
pub(crate) type Outcome = std::result::Result<Computed, FaultKind>;

/// The destination of results.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    pub ty: DataType,
    pub saturates: bool,
}

impl Context<'_> {
    /// Stores the results of lanes. Instructions write their destinations so, or with values that
    /// `Numbers::compute` or [`Source::cast`] give, so that none forgets saturation, the type of the
    /// destination, or undefined bits.
    pub fn write_results(
        &mut self,
        dst: &Dst,
        field: &'static str,
        lanes: u32,
        result: impl Fn(usize) -> Outcome,
    ) -> Result<()> {
        let target = self.target(dst, field)?;
        let mut values = Lanes::ZERO;
        for lane in set_bits(lanes) {
            let value = result(lane)
                .map_err(Problem::from)
                .and_then(|computed| self.stored(computed, &target))
                .map_err(|problem| problem.lane(lane as u32))?;
            values.set(lane, value);
        }
        self.write_values(dst, field, lanes, &values)
    }

    /// Stores values of lanes that have the type of the destination, and are saturated if it states so.
    pub fn write_values(
        &mut self,
        dst: &Dst,
        field: &'static str,
        lanes: u32,
        values: &Lanes,
    ) -> Result<()> {
        self.write_vector(&dst.0, lanes, values).map_err(|problem| problem.operand(field))
    }

    /// Returns how a destination stores results.
    pub fn target(&self, dst: &Dst, field: &'static str) -> Result<Target> {
        let saturates = match dst.0.modifier {
            Modifier::NONE => false,
            Modifier::SAT => true,
            other => {
                let kind = FaultKind::not_modelled(format!("modifier {other} of a destination"));
                return Err(Problem::from(kind).operand(field));
            }
        };
        Ok(Target { ty: self.type_of(&dst.0)?, saturates })
    }

    /// Returns the bits of a result in the type of a destination.
    #[inline]
    fn stored(&self, computed: Computed, target: &Target) -> Result<Value> {
        let &Target { ty, saturates } = target;
        let width = low_bits(bits_of(ty));
        let number = match computed {
            Computed::Number(number) => number,
            Computed::Integer { value, undefined } if ty.is_integer() && !saturates => {
                return Ok(Value { bits: value as u64 & width, undefined: undefined & width });
            }
            Computed::Integer { value, undefined: 0 } => Number::Integer(value),
            Computed::Element(value, from) if from == ty && !saturates => return Ok(value),
            Computed::Element(value, from)
                if from.is_integer() && ty.is_integer() && !saturates =>
            {
                let Value { bits, undefined } = extended(value, from);
                return Ok(Value { bits: bits & width, undefined: undefined & width });
            }
            Computed::Element(value, from) if value.is_defined() => {
                Number::from_bits(value.bits, from)?
            }
            Computed::Bits(Value { bits, undefined }) if !saturates => {
                return Ok(Value { bits: bits & width, undefined: undefined & width });
            }
            Computed::Bits(_) => {
                let kind = FaultKind::not_modelled("saturation of a result that is no number");
                return Err(kind.into());
            }
            Computed::Integer { .. } | Computed::Element(..) | Computed::Undefined => {
                return Ok(Value { bits: 0, undefined: width });
            }
        };
        Ok(Value::defined(number.to_bits(ty, saturates, &self.mode()?)?))
    }
}

impl Source {
    /// Returns whether storing the values in a destination only copies, extends or cuts bits.
    pub fn is_cast(&self, target: Target) -> bool {
        let are_integers = self.ty.is_integer() && target.ty.is_integer();
        !target.saturates && (are_integers || self.ty == target.ty)
    }

    /// Extends or cuts integers to the type of a destination.
    pub fn cast(&mut self, target: Target) {
        if self.ty == target.ty {
            return;
        }
        self.values.extend(self.ty);
        self.values.cut(bits_of(target.ty));
        self.ty = target.ty;
    }
}

/// Returns an element of an integer type, extended to 64 bits by its sign or by zeros.
#[inline]
pub(super) fn extended(value: Value, ty: DataType) -> Value {
    if !ty.is_signed_integer() {
        return value;
    }
    let unused = 64 - bits_of(ty);
    let extend = |bits: u64| ((bits << unused) as i64 >> unused) as u64;
    Value { bits: extend(value.bits), undefined: extend(value.undefined) }
}
