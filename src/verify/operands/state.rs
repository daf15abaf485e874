//! Rules for surfaces and samplers.

use crate::operand::{DataType, SamplerId, SurfaceId, VarId};
use crate::verify::context::size_of_variable;
use crate::verify::field::{Field, field};
use crate::verify::rule::rules;
use crate::verify::types::Types;

/// A surface or sampler operand.
pub(super) struct State {
    pub(super) field: Field,
    pub(super) index: u16,
    /// Whether the instruction can have the bindless sampler.
    pub(super) may_be_bindless: bool,
}

rules! { surfaces for State;
    /// Surfaces are predefined or declared.
    fn exists "surface-exists" (Refuses, ANY, "4_visa_header, Surface Variables") |s, c| {
        let Some(body) = c.body() else { return };
        let declared = body.surfaces.len() + usize::from(SurfaceId::FIRST_DECLARED.0);
        if usize::from(s.index) >= declared {
            c.report(s.field, format_args!("surface `T{}` is not declared", s.index));
        }
    }
}

rules! { samplers for State;
    /// Samplers are declared, except S31, the bindless sampler of 3D_SAMPLE and 3D_GATHER4.
    fn exists "sampler-exists" (Refuses, ANY, "4_visa_header, Sampler Variables") |s, c| {
        let Some(body) = c.body() else { return };
        let is_bindless = s.may_be_bindless && s.index == u16::from(SamplerId::BINDLESS.0);
        if usize::from(s.index) >= body.samplers.len() && !is_bindless {
            c.report(s.field, format_args!("sampler `S{}` is not declared", s.index));
        }
    }
}

/// A sampler or surface of a sampler message, INFO or RT_WRITE.
pub(super) struct MessageState {
    pub(super) field: Field,
    /// Whether it is a general variable with the address of the state.
    pub(super) is_address: bool,
}

rules! { modes for MessageState;
    /// With efficient 64-bit addressing, the samplers and surfaces of sampler messages, INFO and
    /// RT_WRITE are general variables with the address of a state.
    fn id "state-address-needed" (Refuses, ANY, "IGC") |s, c| {
        if !s.is_address && c.is_efficient_64bit() {
            let found = if s.field == field!(Sample3d.sampler) { "a sampler" } else { "a surface" };
            c.fail(s.field, found, "a general variable with the address of a state");
        }
    }

    /// Without efficient 64-bit addressing, samplers and surfaces are not general variables.
    fn address "state-address-mode" (Refuses, ANY, "IGC") |s, c| {
        if s.is_address && c.cx.is_without_efficient_64bit() {
            let expected = if s.field == field!(Sample3d.sampler) { "a sampler" } else { "a surface" };
            let found = "a general variable, which requires efficient 64-bit addressing";
            c.fail(s.field, found, expected);
        }
    }
}

/// A sampler or surface that is a general variable with the address of a state.
pub(super) struct AddressOperand {
    pub(super) field: Field,
    pub(super) var: VarId,
}

rules! { addresses for AddressOperand;
    /// The variable with the address of a state is declared or predefined.
    fn exists "state-address-exists" (Refuses, ANY, "IGC") |o, c| {
        let is_declared = o.var >= VarId::FIRST_DECLARED;
        if is_declared && c.body().is_some() && !c.is_declared(o.var) {
            let name = c.name(o.var);
            c.report(o.field, format_args!("variable {name} is not declared"));
        }
    }

    /// The variable with the address of a state has at least 8 bytes.
    fn size "state-address-size" (Miscompiles, ANY, "IGC") |o, c| {
        let Some(size) = c.variable(o.var).map(size_of_variable) else { return };
        if size < 8 {
            let name = c.name(o.var);
            c.fail(o.field, format_args!("{size} in {name}"), "at least 8 bytes");
        }
    }

    /// The variable with the address of a state has type UQ or Q.
    fn ty "state-address-type" (Accepts (Warning in Manual), ANY, "IGC") |o, c| {
        const ADDRESSES: Types = Types::of(&[DataType::UQ, DataType::Q]);
        let Some(variable) = c.variable(o.var) else { return };
        // A smaller variable breaks another rule.
        if !ADDRESSES.contains(variable.ty) && size_of_variable(variable) >= 8 {
            c.fail(o.field, variable.ty, ADDRESSES);
        }
    }
}
