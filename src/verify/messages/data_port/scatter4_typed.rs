//! Rules for SCATTER4_TYPED (SCATTER4_TYPED.md).

use super::require_channel;
use crate::isa::Scatter4Typed;
use crate::verify::field::field;
use crate::verify::rule::rules;
use crate::verify::types::{IN_MEMORY, SLM, STATELESS, Types};

rules! { rules for Scatter4Typed;
    /// SCATTER4_TYPED writes at least one channel.
    fn channels "scatter4-typed-channels" (Refuses, ANY, "SCATTER4_TYPED.md, Channels") |i, c| {
        require_channel(i.channels, c);
    }

    /// SCATTER4_TYPED writes neither to T0, the shared local memory, nor to T5, stateless memory.
    fn surface "scatter4-typed-surface" (Refuses, ANY, "SCATTER4_TYPED.md, Surface") |i, c| {
        if i.surface == SLM || i.surface == STATELESS {
            c.fail(field!(Scatter4Typed.surface), i.surface, IN_MEMORY);
        }
    }

    /// The coordinates and the LOD of SCATTER4_TYPED have type UD or D.
    fn offset_type "scatter4-typed-offset-type" (Accepts, ANY, "SCATTER4_TYPED.md, U") |i, c| {
        for (field, raw) in [(field!(Scatter4Typed.u), i.u), (field!(Scatter4Typed.v), i.v), (field!(Scatter4Typed.r), i.r), (field!(Scatter4Typed.lod), i.lod)] {
            c.require_type(field, raw, Types::INT32);
        }
    }

    /// The coordinates and the LOD of SCATTER4_TYPED have type UD.
    // Shipped compilers use coordinates of type D.
    fn offset_sign "scatter4-typed-offset-sign" (Accepts, ANY, "SCATTER4_TYPED.md, U") |i, c| {
        for (field, raw) in [(field!(Scatter4Typed.u), i.u), (field!(Scatter4Typed.v), i.v), (field!(Scatter4Typed.r), i.r), (field!(Scatter4Typed.lod), i.lod)] {
            if let Some(ty) = c.raw_ty(raw).filter(|ty| Types::D.contains(*ty)) {
                c.fail(field, ty, Types::UD);
            }
        }
    }

    /// The data of SCATTER4_TYPED has type UD, D or F.
    fn src_type "scatter4-typed-src-type" (Accepts, ANY, "SCATTER4_TYPED.md, Src") |i, c| {
        c.require_type(field!(Scatter4Typed.src), i.src, Types::ANY32);
    }
}
