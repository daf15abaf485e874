//! Surfaces and samplers, which messages name by an index or a handle.

use std::collections::BTreeMap;

/// The surfaces and samplers of a machine.
#[derive(Clone, Debug, Default)]
pub struct Surfaces {
    surfaces: BTreeMap<u32, Surface>,
}

/// What a surface is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Surface {
    /// Bytes of memory.
    Buffer {
        /// The address of the first byte.
        address: u64,
        /// The number of bytes.
        size: u64,
    },
}

impl Surface {
    /// Returns the address and the size of a buffer.
    pub(crate) fn as_buffer(&self) -> Option<(u64, u64)> {
        match self {
            Surface::Buffer { address, size } => Some((*address, *size)),
        }
    }
}

impl Surfaces {
    /// Sets the surface with an index of the binding table, or with a handle.
    pub fn set(&mut self, index: u32, surface: Surface) {
        self.surfaces.insert(index, surface);
    }

    /// Returns a surface.
    pub fn get(&self, index: u32) -> Option<&Surface> {
        self.surfaces.get(&index)
    }
}
