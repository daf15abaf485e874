//! Surfaces and samplers, which messages name by an index or a handle.

mod format;
mod image;
mod sampler;

use std::collections::BTreeMap;

pub(crate) use format::ALPHA;
pub use format::PixelFormat;
pub use image::{Dimensions, Image, Layout, Plane, RenderTargets};
pub use sampler::{AddressMode, Compare, Filter, Sampler};

/// The surfaces and samplers of a machine.
///
/// An index of the binding table and a bindless handle are the same kind of number here: the value of the
/// surface variable, which MOVS sets. A predefined surface variable has its own number as its value until
/// it is set.
#[derive(Clone, Debug, Default)]
pub struct Surfaces {
    surfaces: BTreeMap<u32, Surface>,
    samplers: BTreeMap<u32, Sampler>,
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
    /// Texels with a format.
    Image(Image),
    /// The images that RT_WRITE writes.
    RenderTargets(RenderTargets),
}

impl Surface {
    /// Returns the address and the size of a buffer.
    pub(crate) fn as_buffer(&self) -> Option<(u64, u64)> {
        match self {
            Surface::Buffer { address, size } => Some((*address, *size)),
            _ => None,
        }
    }

    /// Returns what the surface is, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Surface::Buffer { .. } => "a buffer",
            Surface::Image(_) => "an image",
            Surface::RenderTargets(_) => "a set of render targets",
        }
    }
}

impl From<Image> for Surface {
    fn from(image: Image) -> Surface {
        Surface::Image(image)
    }
}

impl From<RenderTargets> for Surface {
    fn from(targets: RenderTargets) -> Surface {
        Surface::RenderTargets(targets)
    }
}

impl Surfaces {
    /// Sets the surface with an index of the binding table, or with a handle.
    pub fn set(&mut self, index: u32, surface: impl Into<Surface>) {
        self.surfaces.insert(index, surface.into());
    }

    /// Returns a surface.
    pub fn get(&self, index: u32) -> Option<&Surface> {
        self.surfaces.get(&index)
    }

    /// Sets the sampler with an index of the sampler table, or with a handle.
    pub fn set_sampler(&mut self, index: u32, sampler: Sampler) {
        self.samplers.insert(index, sampler);
    }

    /// Returns a sampler.
    pub fn sampler(&self, index: u32) -> Option<&Sampler> {
        self.samplers.get(&index)
    }
}
