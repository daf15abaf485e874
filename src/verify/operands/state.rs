//! Rules for surfaces and samplers.

use crate::operand::{SamplerId, SurfaceId};
use crate::verify::rule::rules;

/// A surface or sampler operand.
pub(super) struct State {
    pub(super) field: &'static str,
    pub(super) index: u16,
}

rules! { surfaces for State;
    /// Surfaces are predefined or declared.
    fn exists "surface-exists" (Error, ANY, "4_visa_header, Surface Variables") |s, c| {
        let Some(body) = c.body() else { return };
        let declared = body.surfaces.len() + usize::from(SurfaceId::FIRST_DECLARED.0);
        if usize::from(s.index) >= declared {
            c.report(s.field, format_args!("surface `T{}` is not declared", s.index));
        }
    }
}

rules! { samplers for State;
    /// Samplers are declared, except S31, the bindless sampler.
    fn exists "sampler-exists" (Error, ANY, "4_visa_header, Sampler Variables") |s, c| {
        let Some(body) = c.body() else { return };
        let is_bindless = s.index == u16::from(SamplerId::BINDLESS.0);
        if usize::from(s.index) >= body.samplers.len() && !is_bindless {
            c.report(s.field, format_args!("sampler `S{}` is not declared", s.index));
        }
    }
}
