//! Comparisons.

use std::cmp::Ordering;

use genvisa::isa::Cmp;
use genvisa::operand::{Dst, Exec, Pred, RelOp, VectorKind};

use crate::context::{Computed, Context};
use crate::fault::{FaultKind, Problem, Result};
use crate::number::Number;
use crate::state::Predicate;
use crate::value::{Lanes, MAX_LANES, Value, set_bits};

impl Context<'_> {
    /// CMP: the result of each lane as an element of a predicate, or as all bits of an element.
    pub(super) fn cmp(&mut self, cmp: &Cmp) -> Result<()> {
        let lanes = self.unmasked(cmp.exec);
        let operands = self.numbers(lanes, [&cmp.src0, &cmp.src1])?;
        let mode = self.mode()?;
        let op = cmp.rel_op.op();
        // The compiler compares a variable that nobody wrote with itself to get all active lanes.
        let is_reflexive = cmp.src0 == cmp.src1 && operands.are_integers();
        let mut results = [Value::default(); MAX_LANES];
        for lane in set_bits(lanes) {
            let result = operands.lane(lane).and_then(|numbers| match numbers {
                Some([a, b]) => {
                    let flushed = |number| match number {
                        Number::Float(float) => Number::Float(float.flushed(&mode)),
                        integer => integer,
                    };
                    let holds = holds(op, flushed(a).compare(flushed(b))?)?;
                    Ok(Value::defined(if holds { u64::MAX } else { 0 }))
                }
                None if is_reflexive => {
                    let holds = holds(op, Some(Ordering::Equal))?;
                    Ok(Value::defined(if holds { u64::MAX } else { 0 }))
                }
                None => Ok(Value { bits: 0, undefined: u64::MAX }),
            });
            results[lane] = result.map_err(|kind| Problem::from(kind).lane(lane as u32))?;
        }
        let VectorKind::Predicate(target) = cmp.dst.0.kind else {
            return self.write_results(&Dst(cmp.dst.0), "dst", lanes, |lane| {
                Ok(Computed::Bits(results[lane]))
            });
        };
        self.without_modifier(&cmp.dst.0, "dst")?;
        self.write_predicate(target, cmp.exec, lanes, &results)
    }

    /// Writes the lowest bits of lanes to a predicate.
    pub(super) fn write_predicate(
        &mut self,
        target: Pred,
        exec: Exec,
        lanes: u32,
        results: &Lanes,
    ) -> Result<()> {
        let first = exec.mask.first_lane();
        let mut value = Predicate::default();
        for lane in set_bits(lanes) {
            value.bits |= ((results[lane].bits & 1) as u32) << (lane + first);
            value.undefined |= ((results[lane].undefined & 1) as u32) << (lane + first);
        }
        Ok(self.registers.set_predicate(self.code, target.id(), lanes << first, value)?)
    }
}

/// Returns whether a relation holds for an order; numbers without an order are only not equal.
fn holds(op: RelOp, order: Option<Ordering>) -> std::result::Result<bool, FaultKind> {
    Ok(match op {
        RelOp::EQ => order == Some(Ordering::Equal),
        RelOp::NE => order != Some(Ordering::Equal),
        RelOp::GT => order == Some(Ordering::Greater),
        RelOp::GE => order.is_some_and(Ordering::is_ge),
        RelOp::LT => order == Some(Ordering::Less),
        RelOp::LE => order.is_some_and(Ordering::is_le),
        other => return Err(FaultKind::not_modelled(format!("relation {}", other.bits()))),
    })
}
