//! The implicit arguments, from which functions that are called through the stack get ids and sizes.

use super::grid::Grid;
use super::local_ids::LocalIds;

/// The number of bytes of the structure, version 0.
const SIZE: usize = 112;

/// Returns the structure for a grid. The address is the first byte of [`local_id_table`].
pub fn structure(grid: &Grid, lanes: u32, local_ids: u64, printf: u64) -> Vec<u8> {
    let mut bytes = vec![0; SIZE];
    let mut set = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
    set(0, &[SIZE as u8, 0, grid.dimensions as u8, lanes as u8]);
    for dimension in 0..3 {
        set(4 + dimension * 4, &grid.local[dimension].to_le_bytes());
        set(16 + dimension * 8, &u64::from(grid.global[dimension]).to_le_bytes());
        set(48 + dimension * 8, &u64::from(grid.offset[dimension]).to_le_bytes());
        set(80 + dimension * 4, &grid.groups()[dimension].to_le_bytes());
    }
    set(40, &printf.to_le_bytes());
    set(72, &local_ids.to_le_bytes());
    bytes
}

/// Returns the table of local ids: a row for each thread, with the ids of all lanes for each dimension.
pub fn local_id_table(ids: &LocalIds, size: [u32; 3], lanes: u32) -> Vec<u8> {
    let row = lanes.max(16);
    let mut bytes = vec![0; (ids.threads(size) * row * 6) as usize];
    for thread in 0..ids.threads(size) {
        for lane in 0..lanes {
            for (dimension, id) in ids.id(size, thread, lane).into_iter().enumerate() {
                let at = ((thread * 3 + dimension as u32) * row + lane) as usize * 2;
                bytes[at..at + 2].copy_from_slice(&(id as u16).to_le_bytes());
            }
        }
    }
    bytes
}
