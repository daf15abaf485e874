//! Instructions with two results: carries, borrows and products of double width.

use genvisa::isa::{Addc, Madw, Subb};
use genvisa::operand::{Dst, Exec, Modifier, Pred, Vector, VectorKind};

use crate::context::Context;
use crate::fault::{FaultKind, Problem, Result};
use crate::number::{Number, low_bits};
use crate::value::{MAX_LANES, Value, set_bits};

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
            |a, b| {
                let (sum, carry) = a.overflowing_add(b);
                (sum, carry)
            },
        )
    }

    /// SUBB: the difference of dwords, and the borrow.
    pub(super) fn subb(&mut self, sub: &Subb) -> Result<()> {
        let results = [&sub.dst, &sub.borrow];
        let fields = ["dst", "borrow"];
        self.with_carry(
            sub.exec,
            sub.pred,
            results,
            fields,
            [&sub.src0, &sub.src1],
            u32::overflowing_sub,
        )
    }

    fn with_carry(
        &mut self,
        exec: Exec,
        pred: Pred,
        results: [&Dst; 2],
        fields: [&'static str; 2],
        sources: [&Vector; 2],
        operation: impl Fn(u32, u32) -> (u32, bool),
    ) -> Result<()> {
        let lanes = self.enabled(exec, pred)?;
        if results[0].0.modifier == Modifier::SAT {
            return Err(FaultKind::not_modelled("saturation with a carry").into());
        }
        let operands = self.numbers(lanes, sources)?;
        let mut values = [[Value::default(); MAX_LANES]; 2];
        for lane in set_bits(lanes) {
            let numbers =
                operands.lane(lane).map_err(|kind| Problem::from(kind).lane(lane as u32))?;
            let [a, b] = match numbers {
                Some([a, b]) => [a.integer()? as u32, b.integer()? as u32],
                None => {
                    let undefined = Value { bits: 0, undefined: low_bits(32) };
                    values[0][lane] = undefined;
                    values[1][lane] = undefined;
                    continue;
                }
            };
            let (result, carry) = operation(a, b);
            values[0][lane] = Value::defined(result.into());
            values[1][lane] = Value::defined(carry.into());
        }
        for (index, dst) in results.into_iter().enumerate() {
            self.write(dst, fields[index], lanes, |lane| values[index][lane])?;
        }
        Ok(())
    }

    /// MADW: the product of dwords plus a dword in 64 bits: the low dwords, and from the next register
    /// on the high dwords.
    pub(super) fn madw(&mut self, mad: &Madw) -> Result<()> {
        let lanes = self.enabled(mad.exec, mad.pred)?;
        let VectorKind::General { var, row, col, region } = mad.dst.0.kind else {
            return Err(FaultKind::not_modelled("an indirect destination of madw").into());
        };
        if mad.dst.0.modifier == Modifier::SAT {
            return Err(FaultKind::not_modelled("saturation of madw").into());
        }
        let operands = self.numbers(lanes, [&mad.src0, &mad.src1, &mad.src2])?;
        let mut values = [Value::default(); MAX_LANES];
        for lane in set_bits(lanes) {
            let numbers =
                operands.lane(lane).map_err(|kind| Problem::from(kind).lane(lane as u32))?;
            values[lane] = match numbers {
                Some(numbers) => {
                    let [a, b, c] = integers(numbers)?;
                    Value::defined((a * b + c) as u64)
                }
                None => Value { bits: 0, undefined: u64::MAX },
            };
        }
        let bytes = 4 * mad.exec.size.lanes() as u32;
        let rows = bytes.div_ceil(self.register_bytes()) as u8;
        for (half, row) in [row, row.saturating_add(rows)].into_iter().enumerate() {
            let kind = VectorKind::General { var, row, col, region };
            let dst = Dst(Vector { kind, ..mad.dst.0 });
            let part = |bits: u64| bits >> (32 * half) & low_bits(32);
            self.write(&dst, "dst", lanes, |lane| Value {
                bits: part(values[lane].bits),
                undefined: part(values[lane].undefined),
            })?;
        }
        Ok(())
    }
}

fn integers<const N: usize>(numbers: [Number; N]) -> Result<[i128; N]> {
    let mut integers = [0; N];
    for (integer, number) in integers.iter_mut().zip(numbers) {
        *integer = number.integer()?;
    }
    Ok(integers)
}
