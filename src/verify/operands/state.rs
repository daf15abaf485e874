//! Rules for surfaces and samplers.

use crate::operand::{SamplerId, SurfaceId};
use crate::verify::rule::rules;

/// A surface or a sampler that an instruction names.
pub(super) struct State {
    pub(super) field: &'static str,
    pub(super) index: u16,
}

rules! { surfaces for State;
    /// A surface is predefined or declared.
    fn exists "surface-exists" (Error, ANY, "4_visa_header, Surface Variables") |s, c| {
        let Some(body) = c.body() else { return };
        let declared = body.surfaces.len() + usize::from(SurfaceId::FIRST_DECLARED.0);
        if usize::from(s.index) >= declared {
            c.fail(s.field, format_args!("T{}", s.index), "a surface that is declared");
        }
    }
}

rules! { samplers for State;
    /// A sampler is declared, or S31 for the bindless ones.
    fn exists "sampler-exists" (Error, ANY, "4_visa_header, Sampler Variables") |s, c| {
        let Some(body) = c.body() else { return };
        let is_bindless = s.index == u16::from(SamplerId::BINDLESS.0);
        if usize::from(s.index) >= body.samplers.len() && !is_bindless {
            c.fail(s.field, format_args!("S{}", s.index), "a sampler that is declared");
        }
    }
}
