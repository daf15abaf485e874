//! Rules for RT_WRITE (RT_WRITE.md).

use crate::format::Format;
use crate::isa::RtWrite;
use crate::operand::{DataType, ExecSize, Raw, Vector};
use crate::platform::Platform;
use crate::verify::context::RuleContext;
use crate::verify::field::{Field, field};
use crate::verify::rule::rules;
use crate::verify::types::{F_OR_HF, Types};

/// Returns whether the execution size is 8 or 16, or 32 on Xe2 and later. In 4.2, an unknown
/// platform may be Xe2.
fn is_legal_size(size: ExecSize, c: &RuleContext<'_, '_>) -> bool {
    match size {
        ExecSize::S8 | ExecSize::S16 => true,
        ExecSize::S32 => match c.platform() {
            Some(platform) => platform >= Platform::Xe2 && !c.format().is_manual(),
            None => c.format() == Format::V4_2,
        },
        _ => false,
    }
}

/// Returns the operands that are colors. An absent alpha of source 0 counts as null.
#[inline(always)]
fn colors(w: &RtWrite) -> [(Field, Raw); 5] {
    let s0a = w.s0a.unwrap_or(Raw::NULL);
    [
        (field!(RtWrite.s0a), s0a),
        (field!(RtWrite.r), w.r),
        (field!(RtWrite.g), w.g),
        (field!(RtWrite.b), w.b),
        (field!(RtWrite.a), w.a),
    ]
}

rules! { rules for RtWrite;
    /// The execution size of RT_WRITE is 8 or 16, from Xe2 on also 32.
    fn exec_size "rt-write-exec-size" (Accepts, ANY, "RT_WRITE.md, Exec_size; IGC") |w, c| {
        if !is_legal_size(w.exec.size, c) {
            let expected = match is_legal_size(ExecSize::S32, c) {
                true => "8, 16 or 32 lanes",
                false => "8 or 16 lanes",
            };
            c.fail(field!(RtWrite.exec), w.exec.size.lanes(), expected);
        }
    }

    /// The render target index of RT_WRITE has type UB.
    fn rt_index_type "rt-write-rt-index-type" (Accepts, ANY, "RT_WRITE.md, RTI") |w, c| {
        if let Some(index) = &w.rt_index {
            c.require_scalar_type(field!(RtWrite.rt_index), index, Types::UB);
        }
    }

    // An immediate of type UB has four bytes in the file, and readers use all of them.
    /// The render target index of RT_WRITE is 0 to 7; the upper bytes of an immediate are zero.
    fn rt_index_range "rt-write-rt-index-range" (Miscompiles, ANY, "RT_WRITE.md, RTI") |w, c| {
        let Some(imm) = w.rt_index.and_then(Vector::as_imm) else { return };
        let becomes = || alloc::format!("index {}", imm.bits() & 7);
        match imm.as_integer() {
            Some(value) if !(0..=7).contains(&value) => {
                c.fail_changed(field!(RtWrite.rt_index), value, "0 to 7", becomes());
            }
            Some(_) if imm.bits() > 7 => {
                let found = alloc::format!("{:#x}", imm.bits());
                c.fail_changed(field!(RtWrite.rt_index), found, "0 to 7", becomes());
            }
            _ => {}
        }
    }

    /// In text of version 4.2, RT_WRITE has no sample index.
    fn sample_index "rt-write-sample-index" (Changes, ANY, "IGC") |w, c| {
        if w.sample_index.is_some() && c.format() == Format::V4_2 {
            let becomes = "RT_WRITE without mode SI";
            c.fail_changed(field!(RtWrite.sample_index), "one", "no sample index", becomes);
        }
    }

    /// The colors of RT_WRITE, and the alpha of source 0, have type F or HF.
    fn color_type "rt-write-color-type" (Accepts, ANY, "RT_WRITE.md, Source0Alpha, R, G, B and A")
    |w, c| {
        for (field, raw) in colors(w) {
            c.require_type(field, raw, F_OR_HF);
        }
    }

    /// The colors of RT_WRITE, and the alpha of source 0, have the same type.
    fn same_type "rt-write-same-type" (Crashes, ANY, "RT_WRITE.md, Notes") |w, c| {
        c.require_same_type(colors(w).into_iter());
    }

    /// The oMask of RT_WRITE has type UW.
    fn omask_type "rt-write-omask-type" (Accepts, ANY, "RT_WRITE.md, oMask") |w, c| {
        c.require_type_if_present(field!(RtWrite.omask), w.omask, DataType::UW);
    }

    /// The depth of RT_WRITE has type F.
    fn depth_type "rt-write-depth-type" (Accepts, ANY, "RT_WRITE.md, SourceDepth") |w, c| {
        c.require_type_if_present(field!(RtWrite.depth), w.depth, DataType::F);
    }

    /// The stencil values of RT_WRITE have type UB.
    fn stencil_type "rt-write-stencil-type" (Accepts, ANY, "RT_WRITE.md, Stencil") |w, c| {
        c.require_type_if_present(field!(RtWrite.stencil), w.stencil, DataType::UB);
    }

    /// The sources of RT_WRITE have one element per lane, stencil values one dword per 8 lanes.
    fn source_size "rt-write-source-size" (Miscompiles, ANY, "RT_WRITE.md, Source0Alpha to Stencil")
    |w, c| {
        for (field, raw) in colors(w) {
            if c.raw_ty(raw).is_some_and(|ty| F_OR_HF.contains(ty)) {
                c.require_payload(w, field, raw);
            }
        }
        for (field, raw) in [(field!(RtWrite.omask), w.omask), (field!(RtWrite.depth), w.depth), (field!(RtWrite.stencil), w.stencil)] {
            c.require_payload(w, field, raw.unwrap_or(Raw::NULL));
        }
    }
}
