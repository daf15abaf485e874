//! What the device binary that contains a text states about its kernels.

use std::sync::{Arc, OnceLock};

use genvisa_container::device::{KernelOverview, Overview};

use crate::bytes::Bytes;

/// A device binary, which is read when it is needed.
#[derive(Clone)]
pub struct Binary(Arc<(Bytes, OnceLock<Option<Overview>>)>);

impl Binary {
    pub fn new(bytes: Bytes) -> Binary {
        Binary(Arc::new((bytes, OnceLock::new())))
    }

    /// Returns what it states about a kernel; `None` if it cannot be read.
    pub fn kernel(&self, name: &str) -> Option<&KernelOverview> {
        let (bytes, overview) = &*self.0;
        let overview = overview.get_or_init(|| Overview::from_bytes(bytes).ok()).as_ref()?;
        overview.kernels.iter().find(|kernel| kernel.name == name)
    }
}
