//! Sums over groups of lanes: DP2, DP3, DP4, DPH, SAD2 and SAD2ADD.

use genvisa::operand::{Dst, Exec, Pred, Vector};

use super::alu::{Meaning as _, Numbers};
use super::arithmetic::{Add, Mul};
use crate::context::{Computed, Context};
use crate::fault::{FaultKind, Result};
use crate::number::{Mode, Number};

/// The lanes of a group, which are the channels of a vector.
const CHANNELS: usize = 4;

/// How many channels a dot product multiplies.
#[derive(Clone, Copy)]
pub(super) enum Dot {
    /// The first channels.
    First(usize),
    /// The first three; the fourth of the second source is added.
    Homogeneous,
}

type Outcome = std::result::Result<Computed, FaultKind>;

impl Context<'_> {
    /// DP2, DP3, DP4 and DPH: the dot product of each group of four lanes, in all of them. Each product and each
    /// sum is rounded, in the order of the channels.
    pub(super) fn dot_product(
        &mut self,
        exec: Exec,
        pred: Pred,
        dst: &Dst,
        sources: [&Vector; 2],
        dot: Dot,
    ) -> Result<()> {
        let lanes = self.enabled(exec, pred)?;
        let read = self.groups(exec, lanes, CHANNELS)?;
        let operands = self.numbers(read, sources)?;
        let last = self.numbers_of(read, &["src1"], [sources[1]])?;
        let mode = self.mode()?;
        self.write_results(dst, "dst", lanes, |lane| {
            let first = lane / CHANNELS * CHANNELS;
            match dot {
                Dot::First(count) => products(&operands, first, count, &mode),
                Dot::Homogeneous => {
                    let sum = products(&operands, first, CHANNELS - 1, &mode)?;
                    match (sum, last.lane(first + CHANNELS - 1)?) {
                        (Computed::Number(sum), Some([last])) => {
                            Ok(Computed::Number(Add.apply([sum, last], &mode)?))
                        }
                        _ => Ok(Computed::Undefined),
                    }
                }
            }
        })
    }

    /// SAD2 and SAD2ADD: the sum of the absolute differences of each pair of lanes, plus the third source if there is
    /// one, in the first lane. The second lane is undefined.
    pub(super) fn absolute_differences(
        &mut self,
        exec: Exec,
        pred: Pred,
        dst: &Dst,
        sources: [&Vector; 2],
        summand: Option<&Vector>,
    ) -> Result<()> {
        // The first lane of a pair enables both.
        let lanes = self.enabled(exec, pred)? & 0x5555_5555;
        let read = self.groups(exec, lanes, 2)?;
        let operands = self.numbers(read, sources)?;
        let summands =
            summand.map(|summand| self.numbers_of(lanes, &["src2"], [summand])).transpose()?;
        self.write_results(dst, "dst", read, |lane| {
            if lane % 2 == 1 {
                return Ok(Computed::Undefined);
            }
            let mut sum = match &summands {
                None => 0,
                Some(summands) => match summands.lane(lane)? {
                    Some([summand]) => summand.integer()?,
                    None => return Ok(Computed::Undefined),
                },
            };
            for lane in [lane, lane + 1] {
                let Some([a, b]) = operands.lane(lane)? else { return Ok(Computed::Undefined) };
                sum += (a.integer()? - b.integer()?).abs();
            }
            Ok(Computed::Number(Number::Integer(sum)))
        })
    }

    /// Returns all lanes of the groups that have lanes in a mask.
    fn groups(&self, exec: Exec, lanes: u32, size: usize) -> Result<u32> {
        let count = exec.size.lanes();
        if count % size != 0 {
            let what = format!("groups of {size} in {count} lanes");
            return Err(FaultKind::not_modelled(what).into());
        }
        let group = (1u32 << size) - 1;
        let starts = (0..count).step_by(size).filter(|start| lanes & (group << start) != 0);
        Ok(starts.fold(0, |all, start| all | group << start))
    }
}

/// Returns the sum of the products of lanes.
fn products(operands: &Numbers<2>, first: usize, count: usize, mode: &Mode) -> Outcome {
    let mut sum = None;
    for lane in first..first + count {
        let Some(factors) = operands.lane(lane)? else { return Ok(Computed::Undefined) };
        let product = Mul.apply(factors, mode)?;
        sum = Some(match sum {
            None => product,
            Some(sum) => Add.apply([sum, product], mode)?,
        });
    }
    Ok(sum.map_or(Computed::Undefined, Computed::Number))
}
