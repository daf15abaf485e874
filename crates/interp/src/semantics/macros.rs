//! INVM and RSQTM: approximations, and which of them need no refinement.

use genvisa::isa::{Invm, Rsqtm};
use genvisa::operand::{Dst, Exec, Pred, Vector, VectorKind};

use super::alu::Result1;
use crate::context::{Computed, Context};
use crate::fault::{FaultKind, Result};
use crate::number::{Mode, Number};
use crate::value::{Lanes, Value, set_bits};

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
        let mut is_final = Lanes::ZERO;
        for lane in set_bits(lanes) {
            let value = match computed(lane)? {
                Some(result) => {
                    let value = result.float()?.to_f64();
                    Value::defined((value == 0.0 || !value.is_finite()).into())
                }
                None => Value { bits: 0, undefined: 1 },
            };
            is_final.set(lane, value);
        }
        self.write_results(dst, "dst", lanes, |lane| {
            Ok(computed(lane)?.map_or(Computed::Undefined, Computed::Number))
        })?;
        self.write_predicate(target, exec, lanes, &is_final)
    }
}
