//! Linear functions of coordinates: LINE and PLANE.

use genvisa::isa::{Line, Plane};
use genvisa::operand::{Region, Stride, Vector, VectorKind};

use super::alu::Meaning as _;
use super::arithmetic::Mad;
use crate::context::{Computed, Context};
use crate::fault::{FaultKind, Result};

/// The lanes of which PLANE reads one coordinate before the other.
const LANES: u8 = 8;

/// The elements of a coordinate.
const COORDINATE: Region = Region::new(Stride::S16, Stride::S8, Stride::S1);

impl Context<'_> {
    /// LINE: `p * u + q`, where `p` and `q` are elements 0 and 3 of `src0`. Floats are rounded once.
    pub(super) fn line(&mut self, i: &Line) -> Result<()> {
        let [p, q] = [element(&i.src0, 0)?, element(&i.src0, 3)?];
        let lanes = self.enabled(i.exec, i.pred)?;
        let numbers = self.numbers_of(lanes, &["src0", "src1", "src0"], [&p, &i.src1, &q])?;
        let mode = self.mode()?;
        self.write_results(&i.dst, "dst", lanes, |lane| match numbers.lane(lane)? {
            Some(numbers) => Ok(Computed::Number(Mad.apply(numbers, &mode)?)),
            None => Ok(Computed::Undefined),
        })
    }

    /// PLANE: `p * u + q * v + r`, where `p`, `q` and `r` are elements 0, 1 and 3 of `src0`. `src1` has `u` and then `v`
    /// of eight lanes, and then those of the next eight. Regions do not matter. As in the code of IGC for ICLLP and
    /// later, which has no such instruction, `p * u + r` is rounded, and then the result.
    pub(super) fn plane(&mut self, i: &Plane) -> Result<()> {
        let count = i.exec.size.lanes();
        if ![8, 16].contains(&count) {
            return Err(FaultKind::not_modelled(format!("PLANE of {count} lanes")).into());
        }
        let [p, q, r] = [element(&i.src0, 0)?, element(&i.src0, 1)?, element(&i.src0, 3)?];
        let [u, v] = [0, LANES].map(|first| elements(&i.src1, first, COORDINATE));
        let lanes = self.enabled(i.exec, i.pred)?;
        let fields = ["src0", "src1", "src0", "src0", "src1"];
        let numbers = self.numbers_of(lanes, &fields, [&p, &u?, &r, &q, &v?])?;
        let mode = self.mode()?;
        self.write_results(&i.dst, "dst", lanes, |lane| {
            let Some([p, u, r, q, v]) = numbers.lane(lane)? else { return Ok(Computed::Undefined) };
            let sum = Mad.apply([p, u, r], &mode)?;
            Ok(Computed::Number(Mad.apply([q, v, sum], &mode)?))
        })
    }
}

/// Returns an element after the first one of an operand.
fn element(operand: &Vector, index: u8) -> Result<Vector> {
    elements(operand, index, Region::SCALAR)
}

/// Returns the elements of a region that starts after the first element of an operand.
fn elements(operand: &Vector, index: u8, region: Region) -> Result<Vector> {
    let VectorKind::General { var, row, col, .. } = operand.kind else {
        return Err(FaultKind::not_modelled(
            "coefficients or coordinates that are not in a variable",
        )
        .into());
    };
    let out_of_row = || FaultKind::Malformed(format!("column {col} is not in a row"));
    let col = col.checked_add(index).ok_or_else(out_of_row)?;
    Ok(Vector { kind: VectorKind::General { var, row, col, region }, ..*operand })
}
