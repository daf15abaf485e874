//! INVM and RSQTM, which find results that need no refinement, and SRND.

use genvisa::isa::{Invm, Rsqtm, Srnd};
use genvisa::operand::{DataType, Dst, Exec, Pred, Vector, VectorKind};

use super::alu::Result1;
use crate::context::{Computed, Context};
use crate::fault::{FaultKind, Result};
use crate::number::{Float, Mode, Number, Rounding};
use crate::value::{MAX_LANES, Value, set_bits};

impl Context<'_> {
    /// INVM: an approximation of the quotient, which is exact here, and whether it is 0, infinite or not a number.
    pub(super) fn invm(&mut self, i: &Invm) -> Result<()> {
        let sources = [&i.src0, &i.src1];
        self.approximation(i.exec, i.pred, &i.dst, &i.early_out, sources, |[a, b], mode| {
            Ok(Number::Float(a.float()?.divide(b.float()?, mode)))
        })
    }

    /// RSQTM: the same for the reciprocal square root.
    pub(super) fn rsqtm(&mut self, i: &Rsqtm) -> Result<()> {
        let sources = [&i.src0];
        self.approximation(i.exec, i.pred, &i.dst, &i.early_out, sources, |[a], mode| {
            Ok(Number::Float(a.float()?.approximate(mode, |x| 1.0 / x.sqrt())))
        })
    }

    fn approximation<const N: usize>(
        &mut self,
        exec: Exec,
        pred: Pred,
        dst: &Dst,
        early_out: &Dst,
        sources: [&Vector; N],
        meaning: impl Fn([Number; N], &Mode) -> Result1,
    ) -> Result<()> {
        let VectorKind::Predicate(target) = early_out.0.kind else {
            return Err(FaultKind::Malformed("`early_out` is no predicate".into()).into());
        };
        let lanes = self.enabled(exec, pred)?;
        let operands = self.numbers(lanes, sources)?;
        let mode = self.mode()?;
        let computed = |lane: usize| match operands.lane(lane)? {
            Some(numbers) => meaning(numbers, &mode).map(Some),
            None => Ok(None),
        };
        let mut is_final = [Value::default(); MAX_LANES];
        for lane in set_bits(lanes) {
            is_final[lane] = match computed(lane)? {
                Some(result) => {
                    let value = result.float()?.to_f64();
                    Value::defined((value == 0.0 || !value.is_finite()).into())
                }
                None => Value { bits: 0, undefined: 1 },
            };
        }
        self.write_results(dst, "dst", lanes, |lane| {
            Ok(computed(lane)?.map_or(Computed::Undefined, Computed::Number))
        })?;
        self.write_predicate(target, exec, lanes, &is_final)
    }

    /// SRND: `src0` in a type with fewer bits, rounded up if the bits that are cut off plus those of `src1` exceed them.
    pub(super) fn srnd(&mut self, i: &Srnd) -> Result<()> {
        let types = [self.type_of(&i.src0)?, self.type_of(&i.dst.0)?];
        let cut = match types {
            [DataType::F, DataType::HF] => 13,
            // BF8 has no type of its own.
            [DataType::HF, DataType::UB] => 8,
            [from, to] => {
                return Err(FaultKind::not_modelled(format!("SRND from {from} to {to}")).into());
            }
        };
        let lanes = self.unmasked(i.exec);
        let (source, random) = (self.numbers(lanes, [&i.src0])?, self.numbers(lanes, [&i.src1])?);
        self.write_results(&i.dst, "dst", lanes, |lane| {
            let (Some([source]), Some([random])) = (source.lane(lane)?, random.lane(lane)?) else {
                return Ok(Computed::Undefined);
            };
            let source = source.float()?;
            let random = random.integer()? as u64 & ((1 << cut) - 1);
            let is_finite = source.to_f64().is_finite();
            let bits = source.bits() + if is_finite { random } else { 0 };
            if types[1] == DataType::UB {
                // A payload in the low bits only is still not a number.
                let quiet = u64::from(source.is_nan()) << 1;
                return Ok(Computed::Number(Number::Integer((bits >> cut | quiet).into())));
            }
            // Denormals are kept in any mode.
            let mode = Mode::DEFAULT.with_rounding(Rounding::Zero);
            let rounded = Float::from_bits(bits, types[0])?.convert(types[1], &mode)?;
            Ok(Computed::Element(Value::defined(rounded.bits()), types[1]))
        })
    }
}
