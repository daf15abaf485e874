//! Accesses to bytes of global and shared local memory.

use std::sync::PoisonError;

use genvisa::operand::{StateClass, SurfaceId};

use crate::context::Context;
use crate::fault::{FaultKind, Problem, Result};
use crate::value::Value;

/// What the addresses of a message are relative to.
#[derive(Clone, Copy, Debug)]
pub(in crate::message) enum Space {
    /// The shared local memory of the group.
    Local,
    /// All memory.
    Flat,
    /// A surface of bytes.
    Surface { address: u64, size: u64 },
    /// An address to which others are added.
    From(u64),
}

/// An element that a lane writes.
pub(in crate::message) struct Written {
    pub lane: u32,
    pub address: u64,
    pub size: u32,
    pub value: Value,
}

/// The bit that is set in addresses of shared local memory, so that null differs from each.
const LOCAL_BIT: u64 = 1 << 28;

impl Context<'_> {
    /// Returns the memory that a surface of bytes is.
    pub(in crate::message) fn surface_space(&self, index: u64) -> Result<Space> {
        let surface = u32::try_from(index).ok().and_then(|index| self.shared.surfaces.get(index));
        let Some(surface) = surface else {
            return Err(
                FaultKind::NotDefined(format!("surface {index:#x}, which is not set,")).into()
            );
        };
        match surface.as_buffer() {
            Some((address, size)) => Ok(Space::Surface { address, size }),
            None => Err(FaultKind::NotDefined("an access to bytes of an image".into()).into()),
        }
    }

    /// Returns the memory that a surface variable refers to.
    pub(super) fn variable_space(&self, id: SurfaceId) -> Result<Space> {
        match id.predefined_name() {
            Some("%slm") => return Ok(Space::Local),
            // Stateless (4_visa_header.md).
            Some("%scratch") => return Ok(Space::Flat),
            _ => {}
        }
        let state = self.state(StateClass::SURFACE, id.0.into(), 0)?;
        let origin = format!("{} was never set", self.code.name_of(id));
        self.require(state, "the surface", origin)?;
        self.surface_space(state.bits)
    }

    /// Reads an element of at most eight bytes.
    pub(in crate::message) fn load(
        &mut self,
        space: Space,
        address: u64,
        size: u32,
        alignment: u32,
    ) -> Result<Value> {
        let address = place(space, address, size, alignment, "reads")?;
        Ok(match space {
            Space::Local => self.local.load(address, size, self.actor)?,
            _ => {
                let mut memory = self.memory().lock().unwrap_or_else(PoisonError::into_inner);
                memory.load(address, size, self.actor)?
            }
        })
    }

    /// Writes an element of at most eight bytes.
    pub(in crate::message) fn store(
        &mut self,
        space: Space,
        address: u64,
        size: u32,
        alignment: u32,
        value: Value,
    ) -> Result<()> {
        let address = place(space, address, size, alignment, "writes")?;
        match space {
            Space::Local => self.local.store(address, size, value, self.actor)?,
            _ => {
                let mut memory = self.memory().lock().unwrap_or_else(PoisonError::into_inner);
                memory.store(address, size, value, self.actor)?;
            }
        }
        Ok(())
    }

    /// Replaces an element of at most eight bytes, and returns the value before.
    pub(in crate::message) fn replace(
        &mut self,
        space: Space,
        address: u64,
        size: u32,
        replacement: impl FnOnce(Value) -> std::result::Result<Value, FaultKind>,
    ) -> Result<Value> {
        let address = place(space, address, size, size, "reads and writes")?;
        let is_local = matches!(space, Space::Local);
        self.actor.follows_group = true;
        self.actor.follows_all |= !is_local;
        Ok(match space {
            Space::Local => self.local.replace(address, size, replacement)?,
            _ => {
                let mut memory = self.memory().lock().unwrap_or_else(PoisonError::into_inner);
                memory.replace(address, size, replacement)?
            }
        })
    }

    /// Writes the elements of a message. Two lanes may not write different values to the same byte: which
    /// of them remains is not defined.
    pub(in crate::message) fn store_all(
        &mut self,
        space: Space,
        mut written: Vec<Written>,
        alignment: u32,
    ) -> Result<()> {
        written.sort_by_key(|element| element.address);
        for pair in written.windows(2) {
            let [a, b] = pair else { continue };
            if a.lane != b.lane && b.address < a.address.saturating_add(a.size.into()) {
                let same = a.address == b.address && a.size == b.size && a.value == b.value;
                if !same {
                    let kind = FaultKind::ConflictingLanes { address: b.address, other: a.lane };
                    return Err(Problem::from(kind).lane(b.lane));
                }
            }
        }
        for Written { lane, address, size, value } in written {
            self.store(space, address, size, alignment, value)
                .map_err(|problem| problem.lane(lane))?;
        }
        Ok(())
    }
}

/// Returns the address of an element in its memory, after checks of bounds and alignment.
fn place(
    space: Space,
    address: u64,
    size: u32,
    alignment: u32,
    access: &'static str,
) -> std::result::Result<u64, FaultKind> {
    let (address, base) = match space {
        Space::Local => (address & !LOCAL_BIT, 0),
        Space::Flat => (address, 0),
        Space::From(base) => (address, base),
        Space::Surface { address: base, size: bytes } => {
            if bytes.checked_sub(address).is_none_or(|rest| rest < size.into()) {
                let near = format!("outside of its surface, which has {bytes} bytes");
                return Err(FaultKind::OutsideMemory { access, address, size, near });
            }
            (address, base)
        }
    };
    let place = base.wrapping_add(address);
    if place % u64::from(alignment) != 0 {
        return Err(FaultKind::Misaligned { address, alignment });
    }
    Ok(place)
}
