//! Handles of declarations, and operands that are made of them.

mod lanes;
mod state;
mod vector;

pub use lanes::Lanes;

use core::sync::atomic::{AtomicUsize, Ordering};

use crate::isa::IdClass;
use crate::object::{Body, InputClass};
use crate::operand::{AddrId, DataType, LabelId, Pred, PredId, SamplerId, SurfaceId, VarId};

/// The builder that a handle belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuilderId(usize);

impl BuilderId {
    pub(super) fn new() -> BuilderId {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        BuilderId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// An operand. `T` is the type of the field.
///
/// Handles, constants and predefined ids convert to it. If a method or a conversion fails, the
/// instruction that the operand is passed to has an error.
#[derive(Clone, Copy, Debug)]
pub struct Operand<T> {
    pub(super) value: T,
    pub(super) owner: Option<BuilderId>,
    pub(super) fault: Option<&'static str>,
}

impl<T> Operand<T> {
    /// Returns an operand that is made of a handle.
    fn owned(owner: BuilderId, value: T) -> Operand<T> {
        Operand { value, owner: Some(owner), fault: None }
    }

    /// Returns an operand without a handle.
    pub(in crate::build) fn unowned(value: T) -> Operand<T> {
        Operand { value, owner: None, fault: None }
    }

    /// Returns an operand with an id, which must be predefined: others have handles.
    fn predefined(value: T, is_predefined: bool) -> Operand<T> {
        let fault = "the id is not predefined; use its handle";
        Operand { value, owner: None, fault: (!is_predefined).then_some(fault) }
    }

    fn map<U>(self, f: impl FnOnce(T) -> U) -> Operand<U> {
        Operand { value: f(self.value), owner: self.owner, fault: self.fault }
    }

    pub(in crate::build) fn check(mut self, is_valid: bool, fault: &'static str) -> Operand<T> {
        if !is_valid {
            self.fault.get_or_insert(fault);
        }
        self
    }
}

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident($id:ident $(, $more:ident: $ty:ident)*))*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            pub(super) id: $id,
            pub(super) owner: BuilderId,
            $(pub(super) $more: $ty,)*
        }

        impl $name {
            /// Returns the id, as in operands.
            pub fn id(self) -> $id {
                self.id
            }
        }

        impl From<$name> for Operand<$id> {
            fn from(handle: $name) -> Self {
                Operand::owned(handle.owner, handle.id)
            }
        }
    )*};
}

handles! {
    /// A handle of a general variable.
    ///
    /// [`scalar`](Self::scalar) and [`region`](Self::region) return a source. As a destination, the
    /// handle is consecutive elements from the first on; as a raw operand, the whole variable.
    VarHandle(VarId, ty: DataType, size: u32)
    /// A handle of an address variable.
    AddressHandle(AddrId)
    /// A handle of a predicate.
    ///
    /// As the predicate of an instruction, lanes run if their bit is set. `!predicate` inverts
    /// this.
    PredicateHandle(PredId)
    /// A handle of a surface.
    SurfaceHandle(SurfaceId)
    /// A handle of a sampler.
    SamplerHandle(SamplerId)
    /// A handle of a label.
    LabelHandle(LabelId)
}

/// An id that [`Builder::handle`](super::Builder::handle) returns a handle of.
pub trait HandleId: sealed::Id<Self::Handle> {
    /// The type of the handle.
    type Handle;
}

macro_rules! handle_ids {
    ($($id:ident $class:ident => $handle:ident;)*) => {$(
        impl HandleId for $id {
            type Handle = $handle;
        }

        impl sealed::Id<$handle> for $id {
            const CLASS: IdClass = IdClass::$class;

            fn new(number: u32) -> Option<$id> {
                number.try_into().ok().map($id)
            }

            fn handle(self, body: &Body<'_>, owner: BuilderId) -> Option<$handle> {
                body.declares(self).then(|| $handle::new(self, body, owner))?
            }
        }
    )*};
}

handle_ids! {
    VarId Variable => VarHandle;
    AddrId Address => AddressHandle;
    PredId Predicate => PredicateHandle;
    SurfaceId Surface => SurfaceHandle;
    SamplerId Sampler => SamplerHandle;
    LabelId Label => LabelHandle;
}

impl VarHandle {
    /// Returns the handle of a declared variable.
    fn new(id: VarId, body: &Body<'_>, owner: BuilderId) -> Option<VarHandle> {
        let place = id.0.checked_sub(VarId::FIRST_DECLARED.0)? as usize;
        let variable = body.variables.get(place)?;
        let size = variable.num_elements.saturating_mul(variable.ty.size() as u32);
        Some(VarHandle { id, owner, ty: variable.ty, size })
    }
}

impl PredicateHandle {
    /// Returns the handle of a declared predicate; `None` if operands cannot refer to it.
    fn new(id: PredId, _: &Body<'_>, owner: BuilderId) -> Option<PredicateHandle> {
        Pred::new(id).map(|_| PredicateHandle { id, owner })
    }
}

macro_rules! handles_of_ids {
    ($($handle:ident $id:ident;)*) => {$(
        impl $handle {
            fn new(id: $id, _: &Body<'_>, owner: BuilderId) -> Option<$handle> {
                Some($handle { id, owner })
            }
        }
    )*};
}

handles_of_ids! {
    AddressHandle AddrId;
    SurfaceHandle SurfaceId;
    SamplerHandle SamplerId;
    LabelHandle LabelId;
}

/// A handle that [`Builder::add_input`](super::Builder::add_input) accepts: [`VarHandle`],
/// [`SurfaceHandle`] or [`SamplerHandle`].
pub trait InputHandle: sealed::Input {}

mod sealed {
    use super::{Body, BuilderId, IdClass};

    /// The methods of [`HandleId`](super::HandleId), which only this crate implements.
    pub trait Id<H>: Copy {
        /// The table.
        const CLASS: IdClass;

        /// Returns the id with a number.
        fn new(number: u32) -> Option<Self>;

        /// Returns the handle; `None` if the entry is not declared.
        fn handle(self, body: &Body<'_>, owner: BuilderId) -> Option<H>;
    }

    /// The methods of [`InputHandle`](super::InputHandle), which only this crate implements.
    pub trait Input: Copy {
        /// Returns the entry of the input table, without its offset.
        fn input(self) -> super::InputSpec;
    }
}

/// An entry of the input table, without its offset.
#[derive(Clone, Copy, Debug)]
pub struct InputSpec {
    pub(super) class: InputClass,
    pub(super) index: u32,
    /// The size in bytes.
    pub(super) size: u32,
    pub(super) owner: BuilderId,
}

macro_rules! inputs {
    ($($name:ident $class:ident, $handle:ident => $size:expr;)*) => {$(
        impl InputHandle for $name {}

        impl sealed::Input for $name {
            fn input(self) -> InputSpec {
                let $handle = self;
                InputSpec {
                    class: InputClass::$class,
                    index: self.id.0.into(),
                    size: $size,
                    owner: self.owner,
                }
            }
        }
    )*};
}

/// The size in bytes of a surface or sampler in the payload.
const STATE_SIZE: u32 = 4;

inputs! {
    VarHandle GENERAL, var => var.size;
    SurfaceHandle SURFACE, _state => STATE_SIZE;
    SamplerHandle SAMPLER, _state => STATE_SIZE;
}
