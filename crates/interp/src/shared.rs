//! What all threads of a machine share.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::memory::Memory;
use crate::program::Program;
use crate::surface::Surfaces;
use crate::undefined::UndefinedStores;

/// What all threads share.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub program: &'a Program,
    pub memory: &'a Mutex<Memory>,
    pub surfaces: &'a Surfaces,
    /// The addresses of data that FADDR names.
    pub symbols: &'a BTreeMap<String, u64>,
    /// The stores of values that nobody wrote.
    pub undefined: &'a UndefinedStores,
    /// The maximum number of lanes of all instructions that a thread executes.
    pub limit: u64,
}

impl<'a> Shared<'a> {
    /// Returns the memory. A panic of another thread of the caller does not make it unusable.
    pub fn memory(&self) -> MutexGuard<'a, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
