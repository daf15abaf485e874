//! The variables that are declared for the operands.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::mem;

use genvisa::operand::{DataType, SurfaceId};
use genvisa::{Platform, RegisterSize};

use super::constraint::{Kind, Resolved};
use super::statement::{Lanes, Path, Statement};
use super::ty::{AddressSpace, Element, Type};

/// Returns the name of the surface that the compiler declares in every kernel.
pub(super) fn surface() -> String {
    format!("T{}", SurfaceId::FIRST_DECLARED.0)
}

/// The variable for an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StandIn {
    /// The type of the elements, if it is known.
    pub(super) ty: Option<DataType>,
    /// The number of elements, if it is known.
    pub(super) num_elements: Option<u32>,
    /// The number of elements for the largest number of lanes.
    max_elements: Option<u32>,
}

/// More elements than any operand can access.
const MANY: u32 = 1 << 14;

impl StandIn {
    /// A variable whose type and size are unknown.
    pub(super) const UNKNOWN: StandIn =
        StandIn { ty: None, num_elements: None, max_elements: None };

    /// Returns the variable of an operand.
    pub(super) fn of(
        ty: Option<Type>,
        resolved: &Resolved,
        lanes: Option<Lanes>,
        platform: Option<Platform>,
        path: Path,
    ) -> StandIn {
        let Some(Type { element, components }) = ty else { return StandIn::UNKNOWN };
        let Some(data_type) = data_type(element) else { return StandIn::UNKNOWN };
        let is_scalar = resolved.is_uniform || path == Path::Vc;
        let elements = |lanes: Lanes| match is_scalar {
            true => Some(components),
            false => reached(lanes, platform).checked_mul(components),
        };
        let max_elements = elements(Lanes::L32);
        let num_elements = match lanes {
            None if is_scalar => max_elements,
            lanes => lanes.and_then(elements),
        };
        StandIn { ty: Some(data_type), num_elements, max_elements }
    }

    /// Returns the size in bytes, if it is known.
    pub(super) fn size(self) -> Option<usize> {
        let num_elements = self.num_elements.filter(|count| *count <= MANY)?;
        Some(num_elements as usize * self.ty?.size())
    }

    /// Returns the declaration of a variable.
    pub(super) fn declaration(self, name: &str) -> String {
        let ty = self.ty.unwrap_or(DataType::D);
        let num_elements = self.num_elements.or(self.max_elements).unwrap_or(MANY).min(MANY);
        let align = match self.num_elements {
            Some(1) => "",
            _ => " align=GRF",
        };
        format!(".decl {name} v_type=G type={ty} num_elts={num_elements}{align}\n")
    }
}

/// Returns the number of lanes of an operand that a template reaches.
fn reached(lanes: Lanes, platform: Option<Platform>) -> u32 {
    match is_half(lanes, platform) {
        true => lanes.count() / 2,
        false => lanes.count(),
    }
}

/// Returns whether the compiler splits variables, so that a template reaches only the first half.
pub(super) fn is_half(lanes: Lanes, platform: Option<Platform>) -> bool {
    lanes == Lanes::L32
        && platform.is_some_and(|platform| platform.register_size() == RegisterSize::Bytes32)
}

/// Returns the type of the elements of an operand.
fn data_type(element: Element) -> Option<DataType> {
    Some(match element {
        Element::I1 | Element::I8 => DataType::B,
        Element::I16 => DataType::W,
        Element::I32 => DataType::D,
        Element::I64 => DataType::Q,
        Element::Half => DataType::HF,
        Element::Float => DataType::F,
        Element::Double => DataType::DF,
        Element::BFloat => return None,
        Element::Pointer(AddressSpace::Local | AddressSpace::Private) => DataType::UD,
        Element::Pointer(_) => DataType::UQ,
    })
}

/// Returns the type of a constant with constraint `i`.
pub(super) fn constant_type(element: Element) -> Option<DataType> {
    match element {
        Element::Pointer(_) => Some(DataType::Q),
        element => data_type(element),
    }
}

/// Returns whether a variable is declared for an operand. Constants and predicates have none, and
/// a tied input shares the variable of an output.
pub(super) fn has_variable(resolved: &Resolved) -> bool {
    matches!(resolved.kind, Kind::Variable | Kind::Region | Kind::Unknown)
        && resolved.tied_to.is_none()
}

/// Returns each operand's type; an untyped output takes the type of the first operand that
/// shares its variable.
pub(super) fn types(statement: &Statement, operands: &[Resolved]) -> Vec<Option<Type>> {
    let own = || statement.operands.iter().map(|operand| operand.ty);
    let mut types: Vec<Option<Type>> = own().collect();
    let mut is_shared = vec![false; types.len()];
    for (resolved, ty) in operands.iter().zip(own()) {
        let Some(output) = resolved.tied_to else { continue };
        if !mem::replace(&mut is_shared[output], true) {
            types[output] = types[output].or(ty);
        }
    }
    types
}
