//! Instructions with two results: carries, borrows and products of double width.

use genvisa::isa::{Add3o, Addc, Madw, Subb};
use genvisa::operand::{Dst, Exec, Pred, Vector, VectorKind};

use crate::context::{Computed, Context};
use crate::fault::{FaultKind, Problem, Result};
use crate::number::{Mode, Number};
use crate::value::{Lanes, Value, set_bits};

impl Context<'_> {
    /// ADDC: the sum of dwords, and the carry.
    pub(super) fn addc(&mut self, add: &Addc) -> Result<()> {
        let results = [&add.dst, &add.carry];
        self.with_carry(
            add.exec,
            add.pred,
            results,
            ["dst", "carry"],
            [&add.src0, &add.src1],
            |a, b| (a + b, a + b > i128::from(u32::MAX)),
        )
    }

    /// SUBB: the difference of dwords, and the borrow.
    pub(super) fn subb(&mut self, sub: &Subb) -> Result<()> {
        let results = [&sub.dst, &sub.borrow];
        let fields = ["dst", "borrow"];
        self.with_carry(sub.exec, sub.pred, results, fields, [&sub.src0, &sub.src1], |a, b| {
            (a - b, a < b)
        })
    }

    /// ADD3O: the sum of three integers, and whether it does not fit the destination.
    pub(super) fn add3o(&mut self, add: &Add3o) -> Result<()> {
        let lanes = self.unmasked(add.exec);
        let operands = self.numbers(lanes, [&add.src0, &add.src1, &add.src2])?;
        let ty = self.type_of(&add.dst.0)?;
        let sum = |lane: usize| match operands.lane(lane)? {
            Some(numbers) => Ok(Some(integers(numbers)?.iter().sum::<i128>())),
            None => Ok(None),
        };
        let mut overflows = Lanes::ZERO;
        for lane in set_bits(lanes) {
            let value = match sum(lane).map_err(|kind| Problem::from(kind).lane(lane as u32))? {
                Some(sum) => {
                    let stored = Number::Integer(sum).to_bits(ty, false, &Mode::DEFAULT)?;
                    Value::defined((Number::from_bits(stored, ty)? != Number::Integer(sum)).into())
                }
                None => Value { bits: 0, undefined: 1 },
            };
            overflows.set(lane, value);
        }
        self.write_results(&add.dst, "dst", lanes, |lane| {
            Ok(sum(lane)?.map_or(Computed::Undefined, integer))
        })?;
        match add.pred.is_none() {
            true => Ok(()),
            false => self.write_predicate(add.pred, add.exec, lanes, &overflows),
        }
    }

    fn with_carry(
        &mut self,
        exec: Exec,
        pred: Pred,
        results: [&Dst; 2],
        fields: [&'static str; 2],
        sources: [&Vector; 2],
        operation: impl Fn(i128, i128) -> (i128, bool),
    ) -> Result<()> {
        let lanes = self.enabled(exec, pred)?;
        let operands = self.numbers(lanes, sources)?;
        let computed = |lane: usize| match operands.lane(lane)? {
            Some(numbers) => {
                // The instruction computes with dwords, whatever the types of its sources.
                let [a, b] = integers(numbers)?.map(|integer| i128::from(integer as u32));
                Ok(Some(operation(a, b)))
            }
            None => Ok(None),
        };
        self.write_results(results[0], fields[0], lanes, |lane| {
            Ok(computed(lane)?.map_or(Computed::Undefined, |(result, _)| integer(result)))
        })?;
        self.write_results(results[1], fields[1], lanes, |lane| {
            Ok(computed(lane)?.map_or(Computed::Undefined, |(_, carry)| integer(carry.into())))
        })
    }

    /// MADW: the product of dwords plus a dword in 64 bits: the low dwords, and from the next register
    /// on the high dwords.
    pub(super) fn madw(&mut self, mad: &Madw) -> Result<()> {
        let lanes = self.enabled(mad.exec, mad.pred)?;
        let VectorKind::General { var, row, col, region } = mad.dst.0.kind else {
            return Err(FaultKind::not_modelled("an indirect destination of madw").into());
        };
        let operands = self.numbers(lanes, [&mad.src0, &mad.src1, &mad.src2])?;
        let bytes = 4 * mad.exec.size.lanes() as u32;
        let rows = bytes.div_ceil(self.register_bytes()) as u8;
        for (half, row) in [row, row.saturating_add(rows)].into_iter().enumerate() {
            let kind = VectorKind::General { var, row, col, region };
            let dst = Dst(Vector { kind, ..mad.dst.0 });
            self.write_results(&dst, "dst", lanes, |lane| match operands.lane(lane)? {
                Some(numbers) => {
                    let [a, b, c] = integers(numbers)?;
                    let product = (a * b + c) as u64;
                    // A half of the product is no number that saturates.
                    Ok(Computed::Bits(Value::defined(product >> (32 * half))))
                }
                None => Ok(Computed::Undefined),
            })?;
        }
        Ok(())
    }
}

fn integer(value: i128) -> Computed {
    Computed::Number(Number::Integer(value))
}

fn integers<const N: usize>(numbers: [Number; N]) -> std::result::Result<[i128; N], FaultKind> {
    let mut integers = [0; N];
    for (integer, number) in integers.iter_mut().zip(numbers) {
        *integer = number.integer()?;
    }
    Ok(integers)
}
