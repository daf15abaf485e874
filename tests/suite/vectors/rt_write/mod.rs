//! RT_WRITE, 0x71 (RT_WRITE.md; docs/format.md, 4.3). The page has NumParams, the number of raw
//! operands, which readers do not support; otherwise the layouts differ only in the width of ids.

use genvisa::isa::{RtWrite, RtWriteFlags};
use genvisa::operand::{AddrId, AddrWidth, Imm, Modifier, Region, Vector, VectorKind};

use super::*;

mod options;
mod rejected;

/// The bytes before the mode.
pub(super) const HEAD: Listing = bytes! {
    0x71, // RT_WRITE
    0x03, // exec: 8 lanes, M1
    0x00, 0x00, // no predicate
};

/// The bytes between the mode and the options.
pub(super) const TARGET: Listing = bytes! {
    0x06, // surface T6
    0x00, 0x00, wide[0, 0], 0x00, 0x00, // header: null
};

pub(super) const RGBA: Listing = bytes! {
    0x20, 0x00, wide[0, 0], 0x00, 0x00, // R: V32
    0x21, 0x00, wide[0, 0], 0x00, 0x00, // G: V33
    0x22, 0x00, wide[0, 0], 0x00, 0x00, // B: V34
    0x23, 0x00, wide[0, 0], 0x00, 0x00, // A: V35
};

/// Returns a write of 8 lanes to T6 with a null header, and R, G, B, A in V32 to V35.
pub(super) fn without_options() -> RtWrite {
    RtWrite {
        exec: ExecSize::S8.into(),
        pred: Pred::NONE,
        flags: RtWriteFlags::empty(),
        surface: SurfaceId(6).into(),
        header: Raw::NULL,
        sample_index: None,
        cps_counter: None,
        rt_index: None,
        s0a: None,
        omask: None,
        r: v(32),
        g: v(33),
        b: v(34),
        a: v(35),
        depth: None,
        stencil: None,
    }
}
