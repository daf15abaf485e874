//! Comparisons.

use std::cmp::Ordering;

use genvisa::isa::Cmp;
use genvisa::operand::{DataType, Dst, Exec, Pred, RelOp, VectorKind};

use super::alu::{Meaning, Numbers, Result1};
use crate::context::{Computed, Context, Target};
use crate::fault::{FaultKind, Problem, Result};
use crate::number::{Mode, Number};
use crate::state::Predicate;
use crate::value::{Lanes, Value, set_bits};

impl Context<'_> {
    /// CMP: the result of each lane as an element of a predicate, or as all bits of an element.
    pub(super) fn cmp(&mut self, cmp: &Cmp) -> Result<()> {
        let lanes = self.unmasked(cmp.exec);
        let mut operands = Numbers::default();
        self.read_numbers(lanes, [&cmp.src0, &cmp.src1], &mut operands)?;
        let mode = self.mode()?;
        let op = cmp.rel_op.op();
        let relation = Relation { orders: orders(op)? };
        // The compiler compares a variable that nobody wrote with itself to get all active lanes.
        let is_reflexive = cmp.src0 == cmp.src1 && operands.are_integers();
        let wide = Target { ty: DataType::UQ, saturates: false };
        let mut results = Lanes::ZERO;
        if !operands.compute(lanes, &mode, wide, &relation, &mut results) {
            for lane in set_bits(lanes) {
                let result = operands.lane(lane).and_then(|numbers| match numbers {
                    Some(numbers) => Ok(Some(relation.apply(numbers, &mode)?)),
                    None if is_reflexive => Ok(Some(relation.result(Some(Ordering::Equal)))),
                    None => Ok(None),
                });
                let result = result.map_err(|kind| Problem::from(kind).lane(lane as u32))?;
                let value = match result {
                    Some(result) => Value::defined(result.integer()? as u64),
                    None => Value { bits: 0, undefined: u64::MAX },
                };
                results.set(lane, value);
            }
        }
        let VectorKind::Predicate(target) = cmp.dst.0.kind else {
            return self.write_results(&Dst(cmp.dst.0), "dst", lanes, |lane| {
                Ok(Computed::Bits(results.get(lane)))
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
            let result = results.get(lane);
            value.bits |= ((result.bits & 1) as u32) << (lane + first);
            value.undefined |= ((result.undefined & 1) as u32) << (lane + first);
        }
        Ok(self.registers.set_predicate(self.code, target.id(), lanes << first, value)?)
    }
}

/// Whether two numbers have one of some orders: all bits of a lane are set if they have.
struct Relation {
    orders: u8,
}

impl Relation {
    #[inline(always)]
    fn result(&self, order: Option<Ordering>) -> Number {
        let holds = self.orders >> code(order) & 1 != 0;
        Number::Integer(if holds { -1 } else { 0 })
    }
}

impl Meaning<2> for Relation {
    #[inline(always)]
    fn apply(&self, [a, b]: [Number; 2], mode: &Mode) -> Result1 {
        let flushed = |number| match number {
            Number::Float(float) => Number::Float(float.flushed(mode)),
            integer => integer,
        };
        Ok(self.result(flushed(a).compare(flushed(b))?))
    }
}

/// Returns the number of an order, or of none: the bit of it in a set of orders.
#[inline]
fn code(order: Option<Ordering>) -> u8 {
    order.map_or(3, |order| (order as i8 + 1) as u8)
}

/// Returns the set of orders for which a relation holds; numbers without an order are only not equal.
fn orders(op: RelOp) -> std::result::Result<u8, FaultKind> {
    const LESS: u8 = 1;
    const EQUAL: u8 = 1 << 1;
    const GREATER: u8 = 1 << 2;
    const NONE: u8 = 1 << 3;
    Ok(match op {
        RelOp::EQ => EQUAL,
        RelOp::NE => LESS | GREATER | NONE,
        RelOp::GT => GREATER,
        RelOp::GE => GREATER | EQUAL,
        RelOp::LT => LESS,
        RelOp::LE => LESS | EQUAL,
        other => return Err(FaultKind::not_modelled(format!("relation {}", other.bits()))),
    })
}
