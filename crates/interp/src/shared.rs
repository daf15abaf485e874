//! What all threads of a machine share.

use std::collections::BTreeMap;
use std::sync::Mutex;

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
    /// The maximum number of instructions of a thread.
    pub limit: u64,
    /// The maximum number of bytes for the local memory of a group and for the variables of its threads.
    pub memory_limit: u64,
}
