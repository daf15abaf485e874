//! Samplers and surfaces of sampler messages, INFO and RT_WRITE.

use alloc::string::String;
use core::fmt;

use super::ids::{SamplerId, SurfaceId, VarId};
use super::visit::{Slot, Visit, Visitor, VisitorMut};
use crate::error::Result;
use crate::format::Format;
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

/// A sampler or a surface. `I` is [`SamplerId`] or [`SurfaceId`].
///
/// ```
/// use genvisa::operand::{StateAddress, Surface, SurfaceId, VarId};
///
/// let declared = Surface::from(SurfaceId(6));
/// assert_eq!(declared.id(), Some(SurfaceId(6)));
/// let in_memory = Surface::from(StateAddress { var: VarId(32), index: 1 });
/// assert_eq!(in_memory, Surface::Address { var: VarId(32), index: 1 });
/// assert_eq!(in_memory.to_string(), "(V32, 1)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State<I> {
    /// An id of the sampler or surface table. One byte.
    Id(I),
    /// A state in memory. Only with [efficient 64-bit
    /// addressing](crate::object::Body::efficient_64bit), and only in 4.2.
    // Not a `StateAddress`, which would make the enum larger.
    Address {
        /// The general variable whose first element is the 64-bit address of the states.
        var: VarId,
        /// The index of the state.
        index: u16,
    },
}

/// A sampler: a `SamplerId` or an address.
pub type Sampler = State<SamplerId>;

/// A surface: a `SurfaceId` or an address.
pub type Surface = State<SurfaceId>;

/// A sampler or surface state in memory: the fields of [`State::Address`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct StateAddress {
    /// The general variable whose first element is the 64-bit address of the states.
    pub var: VarId,
    /// The index of the state.
    pub index: u16,
}

impl<I> State<I> {
    /// Returns the id, unless the state is in memory.
    pub fn id(self) -> Option<I> {
        match self {
            State::Id(id) => Some(id),
            State::Address { .. } => None,
        }
    }

    /// Returns the address, if the state is in memory.
    pub fn address(self) -> Option<StateAddress> {
        match self {
            State::Id(_) => None,
            State::Address { var, index } => Some(StateAddress { var, index }),
        }
    }
}

impl<I: Default> Default for State<I> {
    fn default() -> Self {
        State::Id(I::default())
    }
}

impl<I> From<I> for State<I> {
    fn from(id: I) -> Self {
        State::Id(id)
    }
}

macro_rules! from_addresses {
    ($($id:ident),*) => {$(
        impl From<StateAddress> for State<$id> {
            fn from(address: StateAddress) -> Self {
                State::Address { var: address.var, index: address.index }
            }
        }
    )*};
}

from_addresses!(SamplerId, SurfaceId);

impl<I: fmt::Display> fmt::Display for State<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            State::Id(id) => id.fmt(f),
            State::Address { var, index } => write!(f, "({var}, {index})"),
        }
    }
}

impl<I: Describe + fmt::Display> Describe for State<I> {
    fn meaning(&self, format: Format) -> String {
        match self {
            State::Id(id) => id.meaning(format),
            State::Address { .. } => String::new(),
        }
    }
}

/// Returns whether a format has states in memory. A byte before each state distinguishes them from
/// ids.
fn has_addresses(format: Format) -> bool {
    format == Format::V4_2
}

impl<I: Wire + Default> Wire for State<I> {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        if has_addresses(r.format()) && r.byte_without(!1)? == 1 {
            *self = State::Address { var: VarId(r.vid()?), index: r.u16()? };
            return Ok(());
        }
        let mut id = I::default();
        id.decode_into(r)?;
        *self = State::Id(id);
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        let has_addresses = has_addresses(w.format());
        match self {
            State::Id(id) => {
                if has_addresses {
                    w.u8(0);
                }
                id.encode(w)
            }
            State::Address { .. } if !has_addresses => {
                Err(w.inexpressible("a general variable as sampler or surface"))
            }
            State::Address { var, index } => {
                w.u8(1);
                w.vid(var.0)?;
                w.u16(*index);
                Ok(())
            }
        }
    }
}

impl<I: Visit> Visit for State<I> {
    #[inline(always)]
    fn visit(&self, slot: Slot, visitor: &mut dyn Visitor) {
        match self {
            State::Id(id) => id.visit(slot, visitor),
            State::Address { var, .. } => visitor.state_address(slot, *var),
        }
    }

    #[inline(always)]
    fn visit_mut(&mut self, slot: Slot, visitor: &mut dyn VisitorMut) {
        match self {
            State::Id(id) => id.visit_mut(slot, visitor),
            State::Address { var, .. } => visitor.state_address(slot, var),
        }
    }
}

/// Serialization: in human-readable formats, the id alone or the fields of the address; in others,
/// an enum.
#[cfg(feature = "serde")]
mod serde_impls {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{State, StateAddress};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Untagged<I> {
        Id(I),
        Address(StateAddress),
    }

    #[derive(Serialize, Deserialize)]
    enum Tagged<I> {
        Id(I),
        Address(StateAddress),
    }

    macro_rules! conversions {
        ($($name:ident),*) => {$(
            impl<I> From<State<I>> for $name<I> {
                fn from(state: State<I>) -> Self {
                    match state {
                        State::Id(id) => $name::Id(id),
                        State::Address { var, index } => {
                            $name::Address(StateAddress { var, index })
                        }
                    }
                }
            }

            impl<I> From<$name<I>> for State<I> {
                fn from(state: $name<I>) -> Self {
                    match state {
                        $name::Id(id) => State::Id(id),
                        $name::Address(StateAddress { var, index }) => {
                            State::Address { var, index }
                        }
                    }
                }
            }
        )*};
    }

    conversions!(Untagged, Tagged);

    impl<I: Copy + Serialize> Serialize for State<I> {
        fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            match s.is_human_readable() {
                true => Untagged::from(*self).serialize(s),
                false => Tagged::from(*self).serialize(s),
            }
        }
    }

    impl<'de, I: Deserialize<'de>> Deserialize<'de> for State<I> {
        fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
            match d.is_human_readable() {
                true => Untagged::deserialize(d).map(State::from),
                false => Tagged::deserialize(d).map(State::from),
            }
        }
    }
}

#[cfg(feature = "proptest")]
impl<I: crate::generate::Generate + fmt::Debug + Clone + 'static> crate::generate::Generate
    for State<I>
{
    fn strategy(format: Format) -> proptest::strategy::BoxedStrategy<Self> {
        use proptest::prelude::{Strategy, any, prop_oneof};
        let id = I::strategy(format).prop_map(State::Id);
        if !has_addresses(format) {
            return id.boxed();
        }
        let address = (VarId::strategy(format), any::<u16>())
            .prop_map(|(var, index)| State::Address { var, index });
        prop_oneof![id, address].boxed()
    }
}
