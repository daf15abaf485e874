//! Typed messages of the load-store cache (LSC_TYPED.md).

use genvisa::isa::lsc::TypedAccess;
use genvisa::operand::lsc::{LscAddrType, LscDataOrder, LscDataSize, LscOp};
use genvisa::operand::{Raw, Scalar};

use super::typed;
use crate::context::Context;
use crate::fault::{FaultKind, Result};
use crate::message::memory::atomics::Update;
use crate::surface::Surface;

/// Executes an access to texels; returns `false` for operations that are not modelled.
///
/// LOAD_QUAD and STORE_QUAD transfer channels of the mask, each from a register on. The page does not define
/// accesses outside of the image.
pub(super) fn access(cx: &mut Context<'_>, i: &TypedAccess) -> Result<bool> {
    let update = Update::of_lsc(i.op).filter(|(_, is_bfloat)| !is_bfloat);
    if update.is_none() && !matches!(i.op, LscOp::LOAD_QUAD | LscOp::STORE_QUAD) {
        return Ok(false);
    }
    require_plain(i)?;
    let lanes = cx.enabled(i.exec, i.pred)?;
    let surface = typed_surface(cx, i.addr_type, &i.surface, i.surface_index)?;
    let image = super::texels(surface)?;
    let unknown = || FaultKind::not_modelled("this size of coordinates");
    let bytes = i.addr_size.bytes().ok_or_else(unknown)?;
    let operands = [("u", Some(i.u)), ("v", Some(i.v)), ("r", Some(i.r))];
    let accesses = typed::accesses(cx, image, lanes, operands, i.lod, bytes)?;
    match (i.op, update) {
        // A prefetch.
        (LscOp::LOAD_QUAD, _) if i.dst.is_null() => {}
        (LscOp::LOAD_QUAD, _) => {
            typed::load_channels(cx, &accesses, i.exec, i.channels, i.dst, |access, _| {
                Err(access.outside(image, "reads"))
            })?;
        }
        (LscOp::STORE_QUAD, _) => {
            typed::store_channels(cx, image, &accesses, i.exec, i.channels, (i.src1, "src1"))?;
        }
        (_, Some((update, _))) => {
            typed::require_atomic(image, update, 4)?;
            let sources: [(Raw, &str); 2] = [(i.src1, "src1"), (i.src2, "src2")];
            for access in accesses {
                let old = typed::atomic(cx, image, &access, update, 4, sources)?;
                cx.write_raw(i.dst, access.lane * 4, 4, old, "dst")?;
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Refuses what the page does not define.
fn require_plain(i: &TypedAccess) -> Result<()> {
    let offsets = [i.u_offset, i.v_offset, i.r_offset];
    let what = if i.data_size != LscDataSize::D32 || i.data_order == LscDataOrder::TRANSPOSE {
        "typed data other than d32"
    } else if offsets.iter().flatten().any(|offset| *offset != 0) {
        "an offset of a coordinate"
    } else if i.flags.is_some_and(|flags| !flags.is_empty()) {
        "a flag of a typed message"
    } else {
        return Ok(());
    };
    Err(FaultKind::not_modelled(what).into())
}

/// Returns the surface of a typed message.
pub(super) fn typed_surface<'a>(
    cx: &Context<'a>,
    model: LscAddrType,
    surface: &Scalar,
    index: Option<u32>,
) -> Result<&'a Surface> {
    if index.is_some_and(|index| index != 0) {
        return Err(FaultKind::not_modelled("an index of a surface").into());
    }
    match model {
        LscAddrType::BSS | LscAddrType::SS | LscAddrType::BTI | LscAddrType::SURF => {
            let (_, value) = cx.scalar(surface, "surface")?;
            cx.surface(value)
        }
        other => Err(FaultKind::not_modelled(format!("address model {other} of texels")).into()),
    }
}
