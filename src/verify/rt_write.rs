//! RT_WRITE (RT_WRITE.md).

use super::rule::rules;
use super::types::{F_OR_HF, Types};
use crate::isa::RtWrite;
use crate::operand::{DataType, ExecSize, Raw, Vector};

fn runs(size: ExecSize) -> bool {
    matches!(size, ExecSize::S8 | ExecSize::S16)
}

/// The operands that are colours; one that is not there counts as null.
#[inline(always)]
fn colors(w: &RtWrite) -> [(&'static str, Raw); 5] {
    let s0a = w.s0a.unwrap_or(Raw::NULL);
    [("s0a", s0a), ("r", w.r), ("g", w.g), ("b", w.b), ("a", w.a)]
}

rules! { rt_write for RtWrite;
    /// RT_WRITE runs 8 or 16 lanes.
    fn exec_size "rt-write-exec-size" (Error, ANY, "RT_WRITE.md, Exec_size") |w, c| {
        if !runs(w.exec.size) {
            c.fail("exec", w.exec.size.lanes(), "8 or 16 lanes");
        }
    }

    /// The index of the render target is of type UB.
    fn rt_index_type "rt-write-rt-index-type" (Error, ANY, "RT_WRITE.md, RTI") |w, c| {
        if let Some(index) = &w.rt_index {
            c.wants_scalar("rt_index", index, Types::UB);
        }
    }

    // An immediate of type UB has four bytes in the file, and all of them count.
    /// The index of the render target is 0 to 7; the bytes of an immediate beyond its type are zero.
    fn rt_index_range "rt-write-rt-index-range" (Error, ANY, "RT_WRITE.md, RTI") |w, c| {
        let Some(imm) = w.rt_index.and_then(Vector::as_imm) else { return };
        match imm.as_integer() {
            Some(value) if !(0..=7).contains(&value) => c.fail("rt_index", value, "0 to 7"),
            Some(_) if imm.bits() > 7 => c.fail("rt_index", imm, "0 to 7"),
            _ => {}
        }
    }

    /// The colours of RT_WRITE, and the alpha of source 0, are of type F or HF.
    fn color_type "rt-write-color-type" (Error, ANY, "RT_WRITE.md, Source0Alpha, R, G, B and A")
    |w, c| {
        for (field, raw) in colors(w) {
            c.wants(field, raw, F_OR_HF);
        }
    }

    /// The colours of RT_WRITE, and the alpha of source 0, are all of one type.
    fn same_type "rt-write-same-type" (Error, ANY, "RT_WRITE.md, Notes") |w, c| {
        c.wants_alike(colors(w).into_iter());
    }

    /// The oMask is of type UW.
    fn omask_type "rt-write-omask-type" (Error, ANY, "RT_WRITE.md, oMask") |w, c| {
        c.wants_if_there("omask", w.omask, DataType::UW);
    }

    /// The depth is of type F.
    fn depth_type "rt-write-depth-type" (Error, ANY, "RT_WRITE.md, SourceDepth") |w, c| {
        c.wants_if_there("depth", w.depth, DataType::F);
    }

    /// The stencil values are of type UB.
    fn stencil_type "rt-write-stencil-type" (Error, ANY, "RT_WRITE.md, Stencil") |w, c| {
        c.wants_if_there("stencil", w.stencil, DataType::UB);
    }

    // The page packs the stencil values of 8 lanes into a dword, which holds but four bytes.
    /// The sources of RT_WRITE hold an element a lane, stencil values a dword for 8 lanes.
    fn source_size "rt-write-source-size" (Error, ANY, "RT_WRITE.md, Source0Alpha to Stencil")
    |w, c| {
        if runs(w.exec.size) {
            let lanes = w.exec.size.lanes() as i64;
            for (field, raw) in colors(w) {
                c.needs_lanes(field, raw, F_OR_HF, lanes);
            }
            c.needs("omask", w.omask.unwrap_or(Raw::NULL), lanes * 2);
            c.needs("depth", w.depth.unwrap_or(Raw::NULL), lanes * 4);
            c.needs("stencil", w.stencil.unwrap_or(Raw::NULL), lanes / 2);
        }
    }
}
