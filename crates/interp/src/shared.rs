//! What all threads of a machine share.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use crate::coverage::Coverage;
use crate::memory::{Actor, Memory, Order, OrderedAccess};
use crate::program::Program;
use crate::reports::Reports;
use crate::surface::Surfaces;

/// What all threads share.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub program: &'a Program,
    pub memory: &'a Mutex<Memory>,
    pub surfaces: &'a Surfaces,
    /// The addresses of data that FADDR names.
    pub symbols: &'a BTreeMap<String, u64>,
    pub reports: &'a Reports,
    pub order: &'a Mutex<Order>,
    pub coverage: &'a Coverage,
    /// Whether lanes are work-items.
    pub has_work_items: bool,
    /// Whether the address of an element is a multiple of its size.
    pub is_aligned: bool,
    /// The maximum number of lanes of all instructions that a thread executes.
    pub limit: u64,
}

impl<'a> Shared<'a> {
    /// Returns the memory. A panic of another thread of the caller does not make it unusable.
    pub fn memory(&self) -> MutexGuard<'a, Memory> {
        // Instructions hold it for less time than a system call takes.
        const ATTEMPTS: u32 = 200;
        for _ in 0..ATTEMPTS {
            match self.memory.try_lock() {
                Ok(memory) => return memory,
                Err(TryLockError::Poisoned(error)) => return error.into_inner(),
                Err(TryLockError::WouldBlock) => std::hint::spin_loop(),
            }
        }
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether atomic operations and barriers order an access before the next one of an actor.
    pub fn orders(&self, earlier: OrderedAccess, later: &Actor) -> bool {
        let order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        order.orders(earlier, later.thread(), later.epoch)
    }

    /// Records an atomic operation on a place in the local memory of a group, or in that of all groups.
    pub fn record_atomic(&self, actor: &Actor, group: u32, address: u64) {
        let mut order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        order.record(actor.thread(), actor.epoch, actor.events, (group, address));
    }
}
