//! Block messages: contiguous owords, whatever the execution mask (OWORD_LD.md, SVM_BLOCK_LD.md).

use genvisa::isa::{OwordLd, OwordLdUnaligned, OwordSt};
use genvisa::operand::Raw;

use super::access::{Source, Space};
use crate::context::Context;
use crate::fault::Result;

const OWORD: u64 = 16;

/// OWORD_LD: owords from an offset in owords on.
pub(super) fn oword_ld(cx: &mut Context<'_>, i: &OwordLd) -> Result<()> {
    let space = cx.variable_space(i.surface)?;
    let offset = cx.scalar(&i.offset, "offset")?.1.saturating_mul(OWORD);
    load(cx, space, offset, 1 << i.size.bits(), 16, i.dst)
}

/// OWORD_LD_UNALIGNED: owords from an offset in bytes on.
pub(super) fn oword_ld_unaligned(cx: &mut Context<'_>, i: &OwordLdUnaligned) -> Result<()> {
    let space = cx.variable_space(i.surface)?;
    let offset = cx.scalar(&i.offset, "offset")?.1;
    load(cx, space, offset, 1 << i.size.bits(), 4, i.dst)
}

/// OWORD_ST: owords to an offset in owords.
pub(super) fn oword_st(cx: &mut Context<'_>, i: &OwordSt) -> Result<()> {
    let space = cx.variable_space(i.surface)?;
    let offset = cx.scalar(&i.offset, "offset")?.1.saturating_mul(OWORD);
    store(cx, space, offset, 1 << i.size.bits(), 16, i.src)
}

/// Reads owords; the first has an alignment.
pub(super) fn load(
    cx: &mut Context<'_>,
    space: Space,
    address: u64,
    owords: u32,
    alignment: u32,
    dst: Raw,
) -> Result<()> {
    for at in (0..owords * OWORD as u32).step_by(4) {
        let alignment = if at == 0 { alignment } else { 4 };
        let value =
            cx.load_of_block(space, address.wrapping_add(at.into()), 4, alignment, at == 0)?;
        cx.write_raw(dst, at, 4, value, "dst")?;
    }
    Ok(())
}

/// Writes owords; the first has an alignment.
pub(super) fn store(
    cx: &mut Context<'_>,
    space: Space,
    address: u64,
    owords: u32,
    alignment: u32,
    src: Raw,
) -> Result<()> {
    for at in (0..owords * OWORD as u32).step_by(4) {
        let alignment = if at == 0 { alignment } else { 4 };
        let value = cx.read_raw(src, at, 4, "src")?;
        let source = Source { field: "src", operand: src, offset: at, size: 4 };
        cx.store(space, address.wrapping_add(at.into()), 4, alignment, value, source)?;
    }
    Ok(())
}
