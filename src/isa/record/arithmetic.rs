//! The decoder that most rows of arithmetic share.

use crate::error::{PathSegment, Result};
use crate::operand::{Dst, Exec, Pred, Vector};
use crate::wire::{Describe, Reader, Trace, Wire};

/// Decodes an execution size, a predicate, a destination and up to four sources.
///
/// Most instructions of programs are arithmetic, so that vector operands are decoded without a call here.
#[inline(never)]
pub(in crate::isa) fn decode_arithmetic<T: Trace, const N: usize>(
    r: &mut Reader<'_, T>,
    exec: &mut Exec,
    pred: &mut Pred,
    dst: &mut Dst,
    sources: [&mut Vector; N],
) -> Result<()> {
    r.field("exec", exec)?;
    r.field("pred", pred)?;
    decode_vector(r, "dst", dst, |dst| &mut dst.0)?;
    for (name, source) in ["src0", "src1", "src2", "src3"].into_iter().zip(sources) {
        decode_vector(r, name, source, |source| source)?;
    }
    Ok(())
}

#[inline(always)]
fn decode_vector<V: Wire + Describe, T: Trace>(
    r: &mut Reader<'_, T>,
    name: &'static str,
    operand: &mut V,
    vector: impl FnOnce(&mut V) -> &mut Vector,
) -> Result<()> {
    if T::ENABLED {
        return r.field(name, operand);
    }
    vector(operand).decode_untraced(r).map_err(|error| error.within(PathSegment::Field(name)))
}
