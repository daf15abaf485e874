//! The local ids that each thread gets.

use genvisa_container::device::Kernel;

use super::error::DispatchError;

/// Where the local ids of a thread are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalIds {
    lanes: u32,
    /// The bytes of a dimension: whole registers of 16-bit ids.
    row: u32,
    /// The number of dimensions in the payload.
    dimensions: u32,
    /// The dimensions in the order in which they advance.
    order: [usize; 3],
}

impl LocalIds {
    /// Returns the layout in a kernel on a device with registers of so many bytes.
    ///
    /// # Errors
    /// The layout is not one of whole registers, or the order is not a permutation.
    pub fn new(kernel: &Kernel, register: u32) -> Result<LocalIds, DispatchError> {
        let lanes = kernel.execution.simd_size;
        if !(1..=32).contains(&lanes) || register == 0 {
            let what = format!("a kernel of {lanes} lanes with registers of {register} bytes");
            return Err(DispatchError::NotModelled(what));
        }
        let row = (lanes * 2).next_multiple_of(register);
        let size = kernel.per_thread_size;
        if size % row != 0 || size / row > 3 || (lanes == 1 && size != 0) {
            let what = format!("a per-thread payload of {size} bytes in a kernel of {lanes} lanes");
            return Err(DispatchError::NotModelled(what));
        }
        let order = kernel.execution.walk_order.map(usize::from);
        let mut sorted = order;
        sorted.sort_unstable();
        if sorted != [0, 1, 2] {
            return Err(DispatchError::NotModelled(format!("the walk order {order:?}")));
        }
        Ok(LocalIds { lanes, row, dimensions: size / row, order })
    }

    /// Returns the local id of a lane of a thread. Ids after the last of a group continue the sequence.
    pub fn id(&self, size: [u32; 3], thread: u32, lane: u32) -> [u32; 3] {
        let mut rest = self.first(thread) + u64::from(lane);
        let mut id = [0; 3];
        for dimension in self.order {
            let size = u64::from(size[dimension]).max(1);
            id[dimension] = (rest % size) as u32;
            rest /= size;
        }
        id
    }

    /// Returns the number of the first work-item of a thread.
    fn first(&self, thread: u32) -> u64 {
        u64::from(thread) * u64::from(self.lanes)
    }

    /// Returns the number of threads of a group, or the largest number if there are more.
    pub fn threads(&self, size: [u32; 3]) -> u32 {
        u32::try_from(items(size).div_ceil(self.lanes.into())).unwrap_or(u32::MAX)
    }

    /// Returns the lanes of a thread that have work-items.
    pub fn mask(&self, size: [u32; 3], thread: u32) -> u32 {
        let items = items(size).saturating_sub(self.first(thread)).min(self.lanes.into());
        ((1u64 << items) - 1) as u32
    }

    /// Writes the payload of a thread, as much as there is room for. Lanes without a work-item continue the
    /// sequence, as the hardware's driver does.
    pub fn write(&self, size: [u32; 3], thread: u32, payload: &mut [u8]) {
        for lane in 0..self.lanes {
            let id = self.id(size, thread, lane);
            for dimension in 0..self.dimensions {
                let at = (dimension * self.row + lane * 2) as usize;
                if let Some(place) = payload.get_mut(at..at + 2) {
                    place.copy_from_slice(&(id[dimension as usize] as u16).to_le_bytes());
                }
            }
        }
    }
}

/// Returns the number of work-items of a group.
fn items(size: [u32; 3]) -> u64 {
    size.iter().fold(1, |items: u64, size| items.saturating_mul((*size).into()))
}
