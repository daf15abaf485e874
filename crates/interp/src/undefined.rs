//! Stores of values that nobody wrote.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crate::fault::Fault;
use crate::program::Code;

/// The stores of values that nobody wrote: one for each instruction that does it.
#[derive(Debug, Default)]
pub(crate) struct UndefinedStores {
    denied: bool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The instructions that were reported: the address of the routine, and an index.
    seen: BTreeSet<(usize, u32)>,
    reports: Vec<Fault>,
}

impl UndefinedStores {
    /// Returns what stops a run at the first store if `denied` is set.
    pub fn new(denied: bool) -> UndefinedStores {
        UndefinedStores { denied, state: Mutex::default() }
    }

    /// Returns whether such a store stops the run.
    pub fn denies(&self) -> bool {
        self.denied
    }

    /// Returns whether an instruction was not reported yet.
    pub fn is_new(&self, code: &Code, instruction: u32) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        !state.seen.contains(&(address(code), instruction))
    }

    /// Adds the report of an instruction, unless another thread was faster.
    pub fn add(&self, code: &Code, instruction: u32, report: Fault) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.seen.insert((address(code), instruction)) {
            state.reports.push(report);
        }
    }

    /// Returns the reports in the order of the instructions.
    pub fn reports(&self) -> Vec<Fault> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut reports = state.reports.clone();
        let key = |fault: &Fault| {
            fault.place.as_ref().map(|place| (place.routine.clone(), place.instruction))
        };
        reports.sort_by_key(key);
        reports
    }
}

/// The routines of a program stay where they are while it runs.
fn address(code: &Code) -> usize {
    std::ptr::from_ref(code) as usize
}
