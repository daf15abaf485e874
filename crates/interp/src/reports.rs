//! What is reported without stopping a run: stores of values that nobody wrote, and races of lanes.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crate::fault::{Fault, FaultKind};
use crate::program::Code;

/// The reports of a run: one of a kind for each instruction.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    /// Whether a store of a value that nobody wrote stops the run.
    pub denies_undefined: bool,
    /// Whether a race of lanes stops the run.
    pub denies_races: bool,
    state: Mutex<State>,
}

/// What a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Subject {
    UndefinedStore,
    RaceOfLanes,
}

impl Subject {
    fn of(fault: &Fault) -> Subject {
        match fault.kind {
            FaultKind::Race { .. } => Subject::RaceOfLanes,
            _ => Subject::UndefinedStore,
        }
    }
}

#[derive(Debug, Default)]
struct State {
    /// The instructions that were reported: the address of the routine, and an index.
    seen: BTreeSet<(usize, u32, Subject)>,
    reports: Vec<Fault>,
}

impl Reports {
    /// Returns whether an instruction was not reported yet.
    pub fn is_new(&self, code: &Code, instruction: u32, subject: Subject) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        !state.seen.contains(&(address(code), instruction, subject))
    }

    /// Adds the report of an instruction, unless another thread was faster.
    pub fn add(&self, code: &Code, instruction: u32, report: Fault) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.seen.insert((address(code), instruction, Subject::of(&report))) {
            state.reports.push(report);
        }
    }

    /// Returns the reports about a subject in the order of the instructions.
    pub fn about(&self, subject: Subject) -> Vec<Fault> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_about = |report: &&Fault| Subject::of(report) == subject;
        let mut reports: Vec<Fault> = state.reports.iter().filter(is_about).cloned().collect();
        let key = |fault: &Fault| {
            fault.place.as_ref().map(|place| (place.site.routine.clone(), place.site.instruction))
        };
        reports.sort_by_key(key);
        reports
    }
}

/// The routines of a program stay where they are while it runs.
fn address(code: &Code) -> usize {
    std::ptr::from_ref(code) as usize
}
