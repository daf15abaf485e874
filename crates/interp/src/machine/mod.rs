//! The machine: it runs groups of threads.

mod flow;
mod group;
mod thread;
mod turns;

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

pub use group::Group;
pub use thread::{Lane, State, Thread, ThreadStart};

use genvisa::operand::DataType;

use crate::coverage::{Coverage, Executed};
use crate::fault::{Fault, FaultKind, Site};
use crate::memory::{Memory, Order, Writer};
use crate::program::Program;
use crate::reports::{Reports, Subject};
use crate::shared::Shared;
use crate::surface::Surfaces;

/// A machine: a program, and the memory that all groups share.
#[derive(Debug)]
pub struct Machine<'p> {
    program: &'p Program,
    memory: Mutex<Memory>,
    surfaces: Surfaces,
    symbols: BTreeMap<String, u64>,
    reports: Reports,
    order: Mutex<Order>,
    coverage: Coverage,
    has_work_items: bool,
    is_aligned: bool,
    limit: u64,
}

/// The default limit of the lanes that a thread executes.
const LIMIT: u64 = 1 << 32;

/// The default limit of the memory of a group, in bytes.
const MEMORY_LIMIT: u64 = 1 << 30;

impl<'p> Machine<'p> {
    /// Returns a machine with empty memory.
    pub fn new(program: &'p Program) -> Machine<'p> {
        Machine {
            program,
            memory: Mutex::new(Memory::new()),
            surfaces: Surfaces::default(),
            symbols: BTreeMap::new(),
            reports: Reports::default(),
            order: Mutex::default(),
            coverage: Coverage::default(),
            has_work_items: false,
            is_aligned: false,
            limit: LIMIT,
        }
        .with_memory_limit(MEMORY_LIMIT)
    }

    /// Sets the maximum work of a thread, in lanes of all instructions that it executes: 2^32 by default.
    #[must_use]
    pub fn with_limit(self, limit: u64) -> Machine<'p> {
        Machine { limit, ..self }
    }

    /// Sets the maximum number of bytes that the machine takes for its [memory](Self::memory), and that each
    /// running group takes for its local memory and the variables of its threads: 2^30 by default. The threads
    /// of a group have equal shares.
    ///
    /// The machine records who wrote a byte of a variable, which then takes 18 bytes, and which threads
    /// accessed a byte of memory, which takes 2 bytes and, if it is accessed and
    /// [races are checked](Memory::check_races), 80 more. Images, private memory and scratch memory are
    /// buffers of the memory.
    #[must_use]
    pub fn with_memory_limit(mut self, memory_limit: u64) -> Machine<'p> {
        self.memory().set_limit(memory_limit);
        self
    }

    /// Returns the maximum number of bytes of memory; see [`with_memory_limit`](Self::with_memory_limit).
    pub fn memory_limit(&self) -> u64 {
        self.shared().memory().limit()
    }

    /// Sets whether a store of a value that nobody wrote stops the run. By default, it does not, and
    /// [`Machine::undefined_stores`] returns it.
    #[must_use]
    pub fn deny_undefined_stores(mut self, denied: bool) -> Machine<'p> {
        self.reports.denies_undefined = denied;
        self
    }

    /// Sets whether lanes are work-items, as in kernels of OpenCL C and SYCL, so that accesses of different lanes of a
    /// thread can race. By default, they are not: the vector compiler chooses lanes by itself.
    #[must_use]
    pub fn with_work_items(self, has_work_items: bool) -> Machine<'p> {
        Machine { has_work_items, ..self }
    }

    /// Sets whether the address of an element must be a multiple of its size, as in OpenCL C. By default, messages with
    /// one element for each lane take any address: compilers combine smaller elements.
    #[must_use]
    pub fn with_strict_alignment(self, is_aligned: bool) -> Machine<'p> {
        Machine { is_aligned, ..self }
    }

    /// Sets whether a race of two lanes of a thread stops the run. By default, it does not, and
    /// [`Machine::races_of_lanes`] returns it.
    #[must_use]
    pub fn deny_races_of_lanes(mut self, denied: bool) -> Machine<'p> {
        self.reports.denies_races = denied;
        self
    }

    /// Sets whether executions of instructions are counted, which is off by default.
    #[must_use]
    pub fn with_coverage(self, counts: bool) -> Machine<'p> {
        let instructions = if counts { self.program.instruction_count() } else { 0 };
        Machine { coverage: Coverage::new(instructions), ..self }
    }

    /// Returns how often each instruction was executed, in the order of the program. Labels and other markers are not
    /// among them. It is empty unless executions [are counted](Self::with_coverage).
    pub fn coverage(&self) -> Vec<Executed> {
        let counters = self.coverage.times().enumerate();
        let executed = counters.filter_map(|(index, times)| {
            let site = self.program.site(index)?;
            (!self.program.is_marker(index)).then_some(Executed { site, times })
        });
        executed.collect()
    }

    /// Returns the races of two lanes of a thread: accesses of different instructions to the same byte, at least one of
    /// which writes, without a barrier or a fence between them. The results are those of this number of lanes;
    /// with another, they may differ.
    pub fn races_of_lanes(&self) -> Vec<Fault> {
        self.reports.about(Subject::RaceOfLanes)
    }

    /// Returns the stores of values that nobody wrote: the first of each instruction that does it. Copies to
    /// shared local memory and to private memory are none.
    pub fn undefined_stores(&self) -> Vec<Fault> {
        self.reports.about(Subject::UndefinedStore)
    }

    /// Returns what wrote the byte at an address of memory last, while races were checked. Atomic operations are
    /// not recorded.
    pub fn last_write(&self, address: u64) -> Option<Write> {
        let Writer { group, thread, lane, instruction } =
            self.shared().memory().last_write(address)?;
        Some(Write { site: self.program.site(instruction)?, group, thread, lane })
    }

    /// Returns the floating-point type of the data that instructions read from the buffer that starts at an address, or
    /// write to it, as their variables are declared, while races were checked.
    pub fn float_type(&self, address: u64) -> Option<DataType> {
        let instructions = self.shared().memory().instructions(address);
        instructions.into_iter().find_map(|index| self.program.float_type(index))
    }

    /// Returns bytes of memory from an address on, up to the end of the buffer that contains it.
    pub fn read_memory(&self, address: u64, count: usize) -> Vec<u8> {
        self.shared().memory().read(address, count).to_vec()
    }

    /// Returns the program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Returns the memory.
    pub fn memory(&mut self) -> &mut Memory {
        // A panic of another thread of the caller does not make the memory unusable.
        self.memory.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the surfaces and samplers that messages name.
    pub fn surfaces(&mut self) -> &mut Surfaces {
        &mut self.surfaces
    }

    /// Sets the address of data that FADDR names.
    pub fn set_symbol(&mut self, name: &str, address: u64) {
        self.symbols.insert(name.into(), address);
    }

    /// Returns the address of a symbol.
    pub fn symbol(&self, name: &str) -> Option<u64> {
        self.symbols.get(name).copied()
    }

    /// Forgets the contents of a part of memory, and who accessed it. A kernel uses the same private
    /// memory for one group after the other.
    pub fn reset_memory(&self, address: u64, size: u64) {
        self.shared().memory().reset(address, size);
    }

    /// Runs a group from its start to its end, and returns the number of instructions and of lanes that
    /// executed them.
    ///
    /// # Errors
    /// The fault that stops it.
    pub fn run(&self, group: &mut Group) -> Result<Counts, Fault> {
        group.run(&self.shared())
    }

    /// Runs groups with the numbers from 0 on, `workers` of them at a time. The function returns the group of a
    /// number, which the worker of a number runs.
    ///
    /// # Errors
    /// The fault that stops the first group that has one, of those that ran.
    pub fn run_groups(
        &self,
        groups: u32,
        workers: u32,
        group: impl Fn(u32, u32) -> Result<Group, Fault> + Sync,
    ) -> Result<Counts, Fault> {
        let next = AtomicU32::new(0);
        let total = Mutex::new((Counts::default(), None::<(u32, Fault)>));
        let work = |worker: u32| {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= groups {
                    return;
                }
                let result = group(number, worker).and_then(|mut group| self.run(&mut group));
                let Ok(mut total) = total.lock() else { return };
                match result {
                    Ok(counts) => {
                        total.0 += counts;
                    }
                    Err(fault) => {
                        next.store(groups, Ordering::Relaxed);
                        if total.1.as_ref().is_none_or(|(first, _)| number < *first) {
                            total.1 = Some((number, fault));
                        }
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for worker in 1..workers.min(groups) {
                // With fewer threads, each runs more groups.
                if Builder::new().spawn_scoped(scope, move || work(worker)).is_err() {
                    break;
                }
            }
            work(0);
        });
        let (counts, fault) = total.into_inner().unwrap_or_else(PoisonError::into_inner);
        fault.map_or(Ok(counts), |(_, fault)| Err(fault))
    }

    /// Executes the next instruction of a group: of its first thread that can run.
    ///
    /// Returns `false` if all threads have ended.
    ///
    /// # Errors
    /// The fault that stops the group.
    pub fn step(&self, group: &mut Group) -> Result<bool, Fault> {
        group.step(&self.shared())
    }

    /// Runs a group until a condition holds before an instruction, such as a breakpoint: it gets the group
    /// and the index of the thread that executes next. [`Thread::next`] has the instruction.
    ///
    /// Returns `false` if all threads have ended.
    ///
    /// # Errors
    /// The fault that stops the group.
    pub fn run_until(
        &self,
        group: &mut Group,
        mut condition: impl FnMut(&Group, usize) -> bool,
    ) -> Result<bool, Fault> {
        while let Some(thread) = group.runnable(&self.shared())? {
            if condition(group, thread) {
                return Ok(true);
            }
            self.step(group)?;
        }
        Ok(false)
    }

    /// Returns the group of a kernel that starts with these threads.
    ///
    /// # Errors
    /// The program has no such kernel, an input is outside of the image of a thread, the number is the greatest
    /// one of its type, or the buffers or the variables need more memory than
    /// [allowed](Self::with_memory_limit).
    pub fn group(
        &self,
        kernel: &str,
        id: [u32; 3],
        number: u32,
        local_bytes: usize,
        threads: impl IntoIterator<Item = ThreadStart>,
    ) -> Result<Group, Fault> {
        let routine = self.program.kernel(kernel).ok_or_else(|| {
            let what = format!("the program has no kernel `{kernel}`");
            Fault::from(FaultKind::Malformed(what))
        })?;
        let threads = threads.into_iter().collect();
        Group::new(&self.shared(), routine, id, number, local_bytes, threads)
    }

    fn shared(&self) -> Shared<'_> {
        let Machine { program, memory, surfaces, symbols, reports, order, coverage, .. } = self;
        let Machine { has_work_items, is_aligned, limit, .. } = *self;
        Shared {
            program,
            memory,
            surfaces,
            symbols,
            reports,
            order,
            coverage,
            has_work_items,
            is_aligned,
            limit,
        }
    }
}

/// A write to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// The instruction.
    pub site: Site,
    /// The number of the group.
    pub group: u32,
    /// The index of the thread in the group.
    pub thread: u32,
    /// The lane of the thread; `None` if the instruction writes for all lanes, as messages of blocks do.
    pub lane: Option<u32>,
}

/// How much was executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of instructions.
    pub instructions: u64,
    /// The number of lanes that were active, of all instructions.
    pub lanes: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, Counts { instructions, lanes }: Counts) {
        self.instructions += instructions;
        self.lanes += lanes;
    }
}
