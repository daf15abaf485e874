//! How often instructions are executed.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::fault::Site;

/// How often an instruction was executed.
#[derive(Clone, Debug, PartialEq)]
pub struct Executed {
    /// The instruction.
    pub site: Site,
    /// The number of times, in all threads.
    pub times: u64,
}

/// The counters of the instructions of a program; none if they are not counted.
#[derive(Debug, Default)]
pub(crate) struct Coverage(Vec<AtomicU64>);

impl Coverage {
    /// Returns counters of a number of instructions.
    pub fn new(instructions: usize) -> Coverage {
        Coverage((0..instructions).map(|_| AtomicU64::new(0)).collect())
    }

    /// Counts an execution of an instruction.
    #[inline]
    pub fn count(&self, instruction: u32) {
        if let Some(counter) = self.0.get(instruction as usize) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns how often each instruction was executed.
    pub fn times(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().map(|counter| counter.load(Ordering::Relaxed))
    }
}
