//! RT_WRITE, 0x71 (RT_WRITE.md; docs/format.md, 4.3). The page has NumParams, the number of raw
//! operands, which readers do not support; otherwise the layouts differ only in the width of ids.

use genvisa::isa::{RtWrite, RtWriteFlags};
use genvisa::operand::{AddrId, AddrWidth, Imm, Modifier, Region, Vector, VectorKind};

use super::*;

mod options;
mod rejected;

/// Returns a write of 8 lanes to T6 with a null header, and R, G, B, A in V32 to V35.
fn without_options() -> RtWrite {
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
