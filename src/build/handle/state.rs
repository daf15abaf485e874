//! Operands of surfaces and samplers.

use super::{Operand, SamplerHandle, SurfaceHandle, VarHandle};
use crate::operand::{
    AddressOf, Dst, Sampler, SamplerId, StateAddress, Surface, SurfaceId, VarId, Vector,
};

impl From<SurfaceId> for Operand<SurfaceId> {
    /// Accepts predefined surfaces, such as the stateless one.
    fn from(id: SurfaceId) -> Self {
        Operand::predefined(id, id < SurfaceId::FIRST_DECLARED)
    }
}

impl From<SamplerId> for Operand<SamplerId> {
    /// Accepts [`SamplerId::BINDLESS`].
    fn from(id: SamplerId) -> Self {
        Operand::predefined(id, id == SamplerId::BINDLESS)
    }
}

macro_rules! message_states {
    ($($state:ident $id:ident $handle:ident;)*) => {$(
        impl From<$id> for Operand<$state> {
            fn from(id: $id) -> Self {
                Operand::<$id>::from(id).map($state::from)
            }
        }

        impl From<$handle> for Operand<$state> {
            fn from(handle: $handle) -> Self {
                Operand::<$id>::from(handle).map($state::from)
            }
        }

        impl From<VarHandle> for Operand<$state> {
            /// Uses the state at the address in the variable.
            fn from(handle: VarHandle) -> Self {
                handle.state(0).into()
            }
        }

        impl From<Operand<StateAddress>> for Operand<$state> {
            fn from(address: Operand<StateAddress>) -> Self {
                address.map($state::from)
            }
        }
    )*};
}

message_states! {
    Surface SurfaceId SurfaceHandle;
    Sampler SamplerId SamplerHandle;
}

impl VarHandle {
    /// Returns the sampler or surface state in memory with an index. The first element of the
    /// variable is the address of the states. Only messages of 4.2 support this, with [efficient
    /// 64-bit addressing](crate::build::Builder::set_efficient_64bit).
    pub fn state(self, index: u16) -> Operand<StateAddress> {
        Operand::<VarId>::from(self).map(|var| StateAddress { var, index })
    }
}

macro_rules! states {
    ($($name:ident $make:ident),*) => {$(
        impl From<$name> for Operand<Vector> {
            fn from(state: $name) -> Self {
                Operand::owned(state.owner, Vector::$make(state.id, 0))
            }
        }

        impl From<$name> for Operand<AddressOf> {
            fn from(state: $name) -> Self {
                Operand::<Vector>::from(state).map(AddressOf)
            }
        }

        impl From<$name> for Operand<Dst> {
            fn from(state: $name) -> Self {
                Operand::<Vector>::from(state).map(Dst)
            }
        }
    )*};
}

states!(SurfaceHandle surface, SamplerHandle sampler);
