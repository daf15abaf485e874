//! The grid of a dispatch: the sizes of all dimensions.

use super::error::DispatchError;

/// The work-items of a dispatch, in groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of dimensions, from 1 to 3.
    pub(crate) dimensions: u32,
    /// The number of work-items.
    pub(crate) global: [u32; 3],
    /// The number of work-items of a group. The last group of a dimension may have less.
    pub(crate) local: [u32; 3],
    /// The first global id.
    pub(crate) offset: [u32; 3],
}

/// The maximum number of work-items of a group, which all devices support.
const MAX_GROUP: u64 = 1024;

impl Grid {
    /// Returns the grid of these sizes: as many as there are dimensions.
    ///
    /// # Errors
    /// A size is zero, there are too many, or the numbers of sizes differ.
    pub fn new(global: &[u32], local: &[u32]) -> Result<Grid, DispatchError> {
        let error = |problem: String| Err(DispatchError::Grid(problem));
        if !(1..=3).contains(&global.len()) {
            return error(format!("the grid has {} dimensions, not 1, 2 or 3", global.len()));
        }
        if global.len() != local.len() {
            return error(format!(
                "the grid has {} dimensions, but its groups have {}",
                global.len(),
                local.len()
            ));
        }
        let three =
            |sizes: &[u32]| std::array::from_fn(|index| sizes.get(index).copied().unwrap_or(1));
        let grid = Grid {
            dimensions: global.len() as u32,
            global: three(global),
            local: three(local),
            offset: [0; 3],
        };
        if grid.global.contains(&0) || grid.local.contains(&0) {
            return error("a size is 0".into());
        }
        let items: u64 = grid.local.iter().fold(1, |all, size| all.saturating_mul((*size).into()));
        if items > MAX_GROUP {
            return error(format!("a group has {items} work-items, more than {MAX_GROUP}"));
        }
        let groups =
            grid.groups().iter().fold(1, |all: u64, count| all.saturating_mul((*count).into()));
        if groups >= u32::MAX.into() {
            return error(format!("the grid has {groups} groups, more than 32 bits can count"));
        }
        Ok(grid)
    }

    /// Sets the first global id, which is 0 by default.
    #[must_use]
    pub fn with_offset(self, offset: [u32; 3]) -> Grid {
        Grid { offset, ..self }
    }

    /// Returns the number of groups of each dimension.
    pub fn groups(&self) -> [u32; 3] {
        std::array::from_fn(|index| self.global[index].div_ceil(self.local[index]))
    }

    /// Returns the number of all groups.
    pub fn group_count(&self) -> u32 {
        self.groups().iter().product()
    }

    /// Returns the id of the group with a number; dimension 0 advances first.
    pub fn group_id(&self, number: u32) -> [u32; 3] {
        let [x, y, _] = self.groups();
        [number % x, number / x % y, number / x / y]
    }

    /// Returns the size of a group.
    pub fn group_size(&self, id: [u32; 3]) -> [u32; 3] {
        std::array::from_fn(|index| {
            let before = id[index].saturating_mul(self.local[index]);
            self.global[index].saturating_sub(before).min(self.local[index])
        })
    }

    /// Returns whether all groups have the same size.
    pub fn is_uniform(&self) -> bool {
        self.global.iter().zip(self.local).all(|(global, local)| global % local == 0)
    }
}
