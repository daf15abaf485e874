//! Groups of threads, which share local memory and barriers.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Counts;
use super::flow::Signal;
use super::thread::{Outcome, State, Thread, ThreadStart};
use crate::fault::{Fault, FaultKind};
use crate::memory::{MAX_THREADS, Memory};
use crate::program::ProgramId;
use crate::shared::Shared;

/// The threads of a group, and what they share.
#[derive(Debug)]
pub struct Group {
    program: ProgramId,
    id: [u32; 3],
    threads: Vec<Thread>,
    local: Memory,
    /// The number of barriers that the group has passed.
    epoch: u32,
    named: BTreeMap<u8, Named>,
    counts: Counts,
    /// The thread that is tried first.
    first: usize,
}

/// The state of a named barrier.
#[derive(Debug, Default)]
struct Named {
    producers: u32,
    consumers: u32,
}

impl Group {
    pub(super) fn new(
        shared: &Shared<'_>,
        routine: usize,
        id: [u32; 3],
        number: u32,
        local_bytes: usize,
        threads: Vec<ThreadStart>,
    ) -> Result<Group, Fault> {
        let fault = Fault::from;
        // A thread races with itself only if its lanes are work-items.
        let checks_races = threads.len() > 1 || shared.has_work_items;
        let local = Memory::of_local(local_bytes, checks_races);
        let limit = shared.memory().limit();
        shared.memory().check_limit("the buffers", 0).map_err(fault)?;
        let what = || String::from("the local memory of the group");
        FaultKind::check_memory(what, local, limit).map_err(fault)?;
        let rest = limit - local;
        let share = rest / threads.len().max(1) as u64;
        let number = number.checked_add(1).ok_or_else(|| {
            fault(FaultKind::not_modelled(format!("a group with number {number}")))
        })?;
        if threads.len() > MAX_THREADS {
            let what = format!("a group with {} threads", threads.len());
            return Err(fault(FaultKind::not_modelled(what)));
        }
        let new = |(start, index)| {
            Thread::new(shared.program, routine, start, share, (number, id), index)
        };
        let threads: Result<Vec<_>, _> = threads.into_iter().zip(0..).map(new).collect();
        let threads = threads.map_err(fault)?;
        let memory = Memory::local(local_bytes, checks_races);
        let too_large = || FaultKind::TooLarge { what: what(), needed: local, limit };
        let local = memory.ok_or_else(|| fault(too_large()))?;
        let named = BTreeMap::new();
        let (program, counts) = (shared.program.id(), Counts::default());
        Ok(Group { program, id, threads, local, epoch: 0, named, counts, first: 0 })
    }

    /// Returns the id of the group.
    pub fn id(&self) -> [u32; 3] {
        self.id
    }

    /// Returns the threads.
    pub fn threads(&self) -> &[Thread] {
        &self.threads
    }

    /// Returns a thread, to change the values of its variables.
    pub fn thread_mut(&mut self, index: usize) -> Option<&mut Thread> {
        self.threads.get_mut(index)
    }

    /// Divides the shared local memory: bytes that are in no part are not accessed.
    pub(crate) fn divide_local_memory(&mut self, parts: &[(String, Range<usize>)]) {
        if !parts.is_empty() {
            self.local.divide(parts);
        }
    }

    /// Returns how much was executed.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Sets the thread that is tried first when the next thread is chosen: 0 by default. Results of threads
    /// that do not race do not depend on it.
    pub fn set_first_thread(&mut self, first: usize) {
        self.first = first;
    }

    /// Returns the thread that executes the next instruction: the first that can run.
    pub fn next_thread(&self) -> Option<usize> {
        let count = self.threads.len();
        let mut order = (0..count).map(|index| (self.first % count + index) % count);
        order.find(|index| self.threads[*index].state() == State::Running)
    }

    pub(super) fn run(&mut self, shared: &Shared<'_>) -> Result<Counts, Fault> {
        while let Some(index) = self.runnable(shared)? {
            while self.threads[index].state() == State::Running {
                self.execute(index, shared)?;
            }
        }
        Ok(self.counts)
    }

    pub(super) fn step(&mut self, shared: &Shared<'_>) -> Result<bool, Fault> {
        let Some(index) = self.runnable(shared)? else { return Ok(false) };
        self.execute(index, shared)?;
        Ok(true)
    }

    /// Returns a thread that can run, after it has ended a barrier that all threads have reached.
    pub(super) fn runnable(&mut self, shared: &Shared<'_>) -> Result<Option<usize>, Fault> {
        if self.program != shared.program.id() {
            let what = "the group is of another program".into();
            return Err(Fault::from(FaultKind::Malformed(what)));
        }
        if let Some(index) = self.next_thread() {
            return Ok(Some(index));
        }
        let waiting = |thread: &Thread| thread.state() == State::Waiting;
        let Some(first) = self.threads.iter().position(waiting) else { return Ok(None) };
        let arrived = self.threads.iter().all(Thread::has_arrived);
        if !arrived {
            let missing = self.threads.iter().zip(0..).filter(|(thread, _)| !thread.has_arrived());
            let others = missing.map(|(_, index)| index).collect();
            let kind = FaultKind::MissedBarrier { others };
            return Err(self.threads[first].fault(shared.program, self.id, kind.into()));
        }
        self.epoch += 1;
        for thread in &mut self.threads {
            thread.pass_barrier(self.epoch);
        }
        Ok(self.next_thread())
    }

    fn execute(&mut self, index: usize, shared: &Shared<'_>) -> Result<(), Fault> {
        let thread = &mut self.threads[index];
        match thread.step(shared, &mut self.local, self.id) {
            Ok(Outcome { lanes, signal }) => {
                self.counts.instructions += 1;
                self.counts.lanes += u64::from(lanes.count_ones());
                if let Some(signal) = signal {
                    self.signal(index, signal);
                }
                Ok(())
            }
            Err(problem) => Err(thread.fault(shared.program, self.id, problem)),
        }
    }

    /// Counts the signal of a named barrier, and wakes the threads that wait if it was the last.
    fn signal(&mut self, thread: usize, signal: Signal) {
        let named = self.named.entry(signal.id).or_default();
        self.threads[thread].record_signal(signal.id);
        named.producers += u32::from(signal.produces);
        named.consumers += u32::from(signal.consumes);
        if named.producers < signal.producers || named.consumers < signal.consumers {
            return;
        }
        *named = Named::default();
        self.epoch += 1;
        for thread in &mut self.threads {
            thread.pass_named(signal.id, self.epoch);
        }
    }
}
