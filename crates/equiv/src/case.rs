//! The arguments and the sizes with which both kernels run.

use genvisa_interp::dispatch::{Argument, DispatchError, Grid};

/// How a kernel is launched.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The number of work-items of each dimension.
    pub global: Vec<u32>,
    /// The number of work-items of a group, for as many dimensions.
    pub local: Vec<u32>,
    /// The arguments, in the order of the source.
    pub arguments: Vec<Argument>,
}

impl Case {
    pub(crate) fn grid(&self) -> Result<Grid, DispatchError> {
        Grid::new(&self.global, &self.local)
    }
}
