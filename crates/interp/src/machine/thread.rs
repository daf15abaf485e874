//! Threads: their activations, and the place of each lane in the code.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use genvisa::isa::{Id, IdClass};
use genvisa::operand::{SamplerId, SurfaceId, VarId};

use super::flow::{self, Flow, Signal};
use crate::context::{Context, first_lane};
use crate::fault::{Fault, FaultKind, Place, Problem};
use crate::memory::{Actor, Memory, WHOLE};
use crate::program::{Code, Program, ProgramId};
use crate::semantics;
use crate::shared::Shared;
use crate::state::{CONTROL, GROUP_ID, R0, Registers, START, THREAD_X, THREAD_Y};
use crate::value::{MAX_LANES, Value, set_bits, word};

/// What a thread starts with.
#[derive(Clone, Debug, Default)]
pub struct ThreadStart {
    /// The registers from `%r0` on, from which the inputs of the kernel are copied.
    pub image: Vec<u8>,
    /// The lanes that run.
    pub mask: u32,
    /// The bytes of other variables, such as `%sr0`, from their start.
    pub variables: Vec<(VarId, Vec<u8>)>,
    /// The elements of surface and sampler variables, from their first: the indices or handles of
    /// [`Surfaces`](crate::Surfaces).
    pub states: Vec<(Id, Vec<u32>)>,
    /// The pixels of the lanes; see [`Thread::set_pixels`].
    pub pixels: Vec<[u32; 2]>,
}

impl ThreadStart {
    /// Returns the start of the thread at a place of a space of threads. `%thread_x` and `%thread_y` contain
    /// the place. The lanes have the pixels of two rows, in subspans of 2 x 2 pixels from left to right, as
    /// RT_WRITE needs them: with 16 lanes, thread (1, 1) has the pixels from (8, 2) to (15, 3). Variables and
    /// pixels that were set before stay as they are.
    #[must_use]
    pub fn in_space(mut self, [x, y]: [u32; 2]) -> ThreadStart {
        for (variable, coordinate) in [(THREAD_X, x), (THREAD_Y, y)] {
            if self.variables.iter().all(|(given, _)| *given != variable) {
                self.variables.push((variable, coordinate.to_le_bytes().to_vec()));
            }
        }
        if self.pixels.is_empty() {
            let lanes = u32::BITS - self.mask.leading_zeros();
            let (left, top) = (x.wrapping_mul(lanes.div_ceil(4) * 2), y.wrapping_mul(2));
            let pixel = |lane: u32| {
                [left.wrapping_add(lane / 4 * 2 + lane % 2), top.wrapping_add(lane / 2 % 2)]
            };
            self.pixels = (0..lanes).map(pixel).collect();
        }
        self
    }
}

/// A hardware thread.
#[derive(Debug)]
pub struct Thread {
    activations: Vec<Activation>,
    lanes: [Lane; MAX_LANES],
    /// The return addresses of each lane in its activation.
    returns: [Vec<u32>; MAX_LANES],
    /// The lanes that execute the next instruction, if they were selected.
    current: Option<Current>,
    barrier: Barrier,
    /// The named barriers that it has signalled, and whether they were completed since.
    signalled: BTreeMap<u8, bool>,
    actor: Actor,
    /// The pixels of the lanes.
    pixels: Vec<[u32; 2]>,
    /// The lanes of all instructions that it has executed.
    work: u64,
    /// The maximum number of bytes of memory for its variables.
    memory_limit: u64,
    program: ProgramId,
}

/// What a thread does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It executes its next instruction.
    Running,
    /// It waits at a barrier.
    Waiting,
    /// It has ended.
    Ended,
}

/// An activation of a routine, with its own variables.
#[derive(Debug)]
pub(super) struct Activation {
    pub routine: usize,
    pub registers: Registers,
    /// The activation that called, and the sizes of arguments and results in registers.
    pub caller: usize,
}

/// The maximum number of functions that call each other.
const MAX_ACTIVATIONS: usize = 1024;

/// The maximum number of subroutines that call each other, of all activations.
const MAX_DEPTH: usize = 1024;

/// Fails if a thread with these activations has no memory for another.
fn check_memory(
    program: &Program,
    activations: &[Activation],
    new: &Code,
    limit: u64,
) -> Result<(), FaultKind> {
    let routines = activations.iter().map(|it| &program.routines()[it.routine]).chain([new]);
    let what = || format!("the thread, with the variables of {} and its callers,", new.name());
    FaultKind::check_memory(what, routines.map(Registers::memory).sum(), limit)
}

/// Where a lane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// It does not take part, or has ended.
    Ended,
    /// It executes this instruction next.
    At {
        /// The activation, from 0 for the kernel.
        activation: u32,
        /// The number of subroutines that it is in.
        depth: u32,
        /// The index of the instruction.
        instruction: u32,
    },
}

#[derive(Clone, Copy, Debug)]
struct Current {
    activation: u32,
    depth: u32,
    instruction: u32,
    lanes: u32,
    /// The first instruction at which other lanes of the activation and depth wait.
    stop: u32,
}

/// Where a thread is with respect to a barrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Barrier {
    #[default]
    None,
    /// It has signalled a split barrier.
    Signalled,
    /// All threads have signalled the split barrier that it has signalled.
    Passed,
    /// It waits.
    Waiting,
    /// It waits for a named barrier.
    Named(u8),
}

/// What a step did.
pub(super) struct Outcome {
    pub lanes: u32,
    /// The named barrier that was signalled.
    pub signal: Option<Signal>,
}

impl Thread {
    /// Returns a thread of the group with a number, from 1, and an id, which starts with a routine.
    pub(super) fn new(
        program: &Program,
        routine: usize,
        start: ThreadStart,
        memory_limit: u64,
        group: (u32, [u32; 3]),
        index: u16,
    ) -> Result<Thread, FaultKind> {
        let code = &program.routines()[routine];
        check_memory(program, &[], code, memory_limit)?;
        let mut registers = Registers::new(code);
        initialize(code, &mut registers, &start, group.1)?;
        let lane = |lane: usize| match start.mask >> lane & 1 {
            0 => Lane::Ended,
            _ => Lane::At { activation: 0, depth: 0, instruction: 0 },
        };
        Ok(Thread {
            activations: vec![Activation { routine, registers, caller: 0 }],
            lanes: std::array::from_fn(lane),
            returns: Default::default(),
            current: None,
            barrier: Barrier::None,
            signalled: BTreeMap::new(),
            actor: Actor { group: group.0, thread: index, ..Actor::default() },
            pixels: start.pixels,
            work: 0,
            memory_limit,
            program: program.id(),
        })
    }

    /// Returns what the thread does next.
    #[inline]
    pub fn state(&self) -> State {
        match self.barrier {
            Barrier::Waiting | Barrier::Named(_) => State::Waiting,
            _ if self.current.is_some() || !self.has_ended() => State::Running,
            _ => State::Ended,
        }
    }

    fn has_ended(&self) -> bool {
        self.lanes.iter().all(|lane| *lane == Lane::Ended)
    }

    /// Returns where a lane is: one that the thread does not have has ended. Lanes that execute together may
    /// be further than what was recorded when they met: [`next`](Self::next) returns where the thread is.
    pub fn lane(&self, lane: usize) -> Lane {
        let Some(recorded) = self.lanes.get(lane) else { return Lane::Ended };
        match (&self.current, *recorded) {
            (Some(current), _) if current.lanes >> lane & 1 != 0 => Lane::At {
                activation: current.activation,
                depth: current.depth,
                instruction: current.instruction,
            },
            (_, lane) => lane,
        }
    }

    /// Returns the next instruction, as an index of a routine and one of its instructions, and the lanes
    /// that execute it. Returns `None` if the thread has ended.
    pub fn next(&self) -> Option<(usize, usize, u32)> {
        let current = self.current.or_else(|| self.select())?;
        let routine = self.activations[current.activation as usize].routine;
        Some((routine, current.instruction as usize, current.lanes))
    }

    /// Returns the bytes of a variable in the activation of the next instruction, and those of its bits
    /// that nobody wrote. Returns `None` if there is no such variable, or the thread is of another program.
    pub fn variable(&self, program: &Program, var: VarId) -> Option<(Vec<u8>, Vec<u8>)> {
        let current = self.current.or_else(|| self.select());
        let index = current.map_or(0, |current| current.activation as usize);
        let activation = self.activations.get(index).filter(|_| self.program == program.id())?;
        let place = program.routines()[activation.routine].variable(var).ok()?;
        let bytes = (place.start..place.start + place.size as usize)
            .map(|at| activation.registers.get(at, 1));
        Some(bytes.map(|byte| (byte.bits as u8, byte.undefined as u8)).unzip())
    }

    /// Sets bytes of a variable in the activation of the next instruction. Returns whether the variable
    /// has them: a thread of another program has none.
    pub fn set_variable(
        &mut self,
        program: &Program,
        var: VarId,
        start: usize,
        bytes: &[u8],
    ) -> bool {
        let current = self.current.or_else(|| self.select());
        let index = current.map_or(0, |current| current.activation as usize);
        let is_of_program = self.program == program.id();
        let Some(activation) = self.activations.get_mut(index).filter(|_| is_of_program) else {
            return false;
        };
        let place = program.routines()[activation.routine].variable(var);
        match place {
            Ok(place) if start.saturating_add(bytes.len()) <= place.size as usize => {
                activation.registers.fill(place.start + start, bytes, START);
                true
            }
            _ => false,
        }
    }

    /// Sets the pixels of the lanes, from lane 0 on: the x and y that RT_WRITE writes to. Without one, a
    /// lane has no pixel.
    pub fn set_pixels(&mut self, pixels: Vec<[u32; 2]>) {
        self.pixels = pixels;
    }

    pub(super) fn has_arrived(&self) -> bool {
        matches!(self.barrier, Barrier::Waiting | Barrier::Signalled)
    }

    pub(super) fn pass_barrier(&mut self, epoch: u32) {
        self.barrier = match self.barrier {
            Barrier::Signalled => Barrier::Passed,
            _ => Barrier::None,
        };
        self.actor.epoch = epoch;
    }

    /// Records that the thread has signalled a named barrier.
    pub(super) fn record_signal(&mut self, id: u8) {
        self.signalled.insert(id, false);
    }

    /// Continues after a named barrier that was completed, if the thread has signalled it.
    pub(super) fn pass_named(&mut self, id: u8, epoch: u32) {
        let Some(is_complete) = self.signalled.get_mut(&id) else { return };
        *is_complete = true;
        self.actor.epoch = epoch;
        if self.barrier == Barrier::Named(id) {
            self.barrier = Barrier::None;
            self.signalled.remove(&id);
        }
    }

    /// Returns the lanes that execute next: of the deepest activation and subroutine, those with the
    /// first instruction.
    fn select(&self) -> Option<Current> {
        let mut selected: Option<Current> = None;
        for (lane, place) in self.lanes.iter().enumerate() {
            let Lane::At { activation, depth, instruction } = *place else { continue };
            let alone =
                Current { activation, depth, instruction, lanes: 1 << lane, stop: u32::MAX };
            match &mut selected {
                Some(found) if (found.activation, found.depth) > (activation, depth) => {}
                Some(found) if (found.activation, found.depth) == (activation, depth) => {
                    match found.instruction.cmp(&instruction) {
                        Ordering::Equal => found.lanes |= 1 << lane,
                        Ordering::Less => found.stop = found.stop.min(instruction),
                        Ordering::Greater => {
                            *found = Current { stop: found.instruction, ..alone };
                        }
                    }
                }
                _ => selected = Some(alone),
            }
        }
        selected
    }

    /// Executes the next instruction.
    pub(super) fn step(
        &mut self,
        shared: &Shared<'_>,
        local: &mut Memory,
        group: [u32; 3],
    ) -> Result<Outcome, Problem> {
        let Some(current) = self.current.or_else(|| self.select()) else {
            return Ok(Outcome { lanes: 0, signal: None });
        };
        self.current = Some(current);
        self.work = self.work.saturating_add(current.lanes.count_ones().into());
        if self.work > shared.limit {
            return Err(FaultKind::TooLong(shared.limit).into());
        }
        let Thread { activations, actor, pixels, .. } = self;
        let activation = &mut activations[current.activation as usize];
        let code = &shared.program.routines()[activation.routine];
        actor.instruction = code.first_instruction() + current.instruction;
        (actor.first_lane, actor.lane) = (WHOLE, WHOLE);
        let Some(instruction) = code.instructions().get(current.instruction as usize) else {
            return Err(
                FaultKind::Malformed("control reaches the end of the routine".into()).into()
            );
        };
        shared.coverage.count(actor.instruction);
        activation.registers.begin(current.instruction);
        let mut context = Context::new(
            code,
            &mut activation.registers,
            current.instruction,
            current.lanes,
            local,
            shared,
            actor,
        )
        .with_pixels(pixels);
        let flow = match flow::flow(&mut context, instruction)? {
            Some(flow) => flow,
            None => {
                semantics::execute(&mut context, instruction)?;
                Flow::Next
            }
        };
        let reported = context.reported.take();
        drop(context);
        if let Some(problem) = reported {
            let report = self.fault(shared.program, group, problem);
            shared.reports.add(code, current.instruction, report);
        }
        let signal = match &flow {
            Flow::NamedSignal(signal) => Some(*signal),
            _ => None,
        };
        match self.follow(current, flow, shared.program) {
            Ok(()) => Ok(Outcome { lanes: current.lanes, signal }),
            Err(problem) => {
                // The fault is about this instruction.
                self.current = Some(current);
                Err(problem)
            }
        }
    }

    /// Moves the lanes that have executed an instruction.
    fn follow(&mut self, current: Current, flow: Flow, program: &Program) -> Result<(), Problem> {
        let next = current.instruction + 1;
        // Usually, all lanes continue at the same instruction, before those that wait.
        let target = match flow {
            Flow::Next | Flow::Jump { lanes: 0, .. } => next,
            Flow::Jump { lanes, target } if lanes == current.lanes => target,
            _ => u32::MAX,
        };
        if target < current.stop {
            self.current = Some(Current { instruction: target, ..current });
            return Ok(());
        }
        self.current = None;
        let place = |instruction: u32, depth: u32| Lane::At {
            activation: current.activation,
            depth,
            instruction,
        };
        for lane in set_bits(current.lanes) {
            self.lanes[lane] = place(next, current.depth);
        }
        match flow {
            Flow::Next | Flow::NamedSignal(_) => {}
            Flow::NamedWait { id } => match self.signalled.remove(&id) {
                Some(true) => {}
                Some(false) => {
                    self.signalled.insert(id, false);
                    self.arrive(current, Barrier::Named(id))?;
                }
                None => {
                    let what = format!("the wait of named barrier {id}, which was not signalled,");
                    return Err(FaultKind::NotDefined(what).into());
                }
            },
            Flow::Jump { lanes, target } => {
                for lane in set_bits(lanes) {
                    self.lanes[lane] = place(target, current.depth);
                }
            }
            Flow::Call { lanes, target } => {
                // An activation has two values in the list of each of its lanes.
                let stack = |lane: usize| self.returns[lane].len();
                let most = set_bits(lanes).map(stack).max().unwrap_or_default();
                if most >= MAX_DEPTH + 2 * (self.activations.len() - 1) {
                    let what = format!("a stack of more than {MAX_DEPTH} subroutines");
                    return Err(FaultKind::not_modelled(what).into());
                }
                for lane in set_bits(lanes) {
                    self.returns[lane].push(next);
                    self.lanes[lane] = place(target, current.depth + 1);
                }
            }
            Flow::Return { lanes } => {
                for lane in set_bits(lanes) {
                    // The return addresses of an activation belong to its subroutines.
                    self.lanes[lane] = match current.depth {
                        0 => Lane::Ended,
                        depth => match self.returns[lane].pop() {
                            Some(instruction) => place(instruction, depth - 1),
                            None => Lane::Ended,
                        },
                    };
                }
            }
            Flow::StackCall { lanes, routine } => self.call(current, lanes, routine, program)?,
            Flow::StackReturn { lanes } => self.leave(current, lanes, program)?,
            Flow::Barrier => self.arrive(current, Barrier::Waiting)?,
            Flow::Signal => self.arrive(current, Barrier::Signalled)?,
            Flow::Wait if self.barrier == Barrier::Passed => self.barrier = Barrier::None,
            Flow::Wait if self.barrier == Barrier::Signalled => self.barrier = Barrier::Waiting,
            Flow::Wait => {
                let what = "the wait of a split barrier that was not signalled";
                return Err(FaultKind::NotDefined(what.into()).into());
            }
        }
        Ok(())
    }

    fn arrive(&mut self, current: Current, barrier: Barrier) -> Result<(), Problem> {
        let is_elsewhere =
            |lane: &usize| self.lanes[*lane] != Lane::Ended && current.lanes >> lane & 1 == 0;
        let elsewhere = (0..MAX_LANES).filter(is_elsewhere).fold(0, |mask, lane| mask | 1 << lane);
        if elsewhere != 0 {
            return Err(FaultKind::DivergentBarrier { elsewhere }.into());
        }
        self.barrier = barrier;
        Ok(())
    }

    /// Starts an activation of a function.
    fn call(
        &mut self,
        current: Current,
        lanes: u32,
        routine: usize,
        program: &Program,
    ) -> Result<(), Problem> {
        if lanes == 0 {
            return Ok(());
        }
        if self.activations.len() == MAX_ACTIVATIONS {
            let what = format!("a stack of more than {MAX_ACTIVATIONS} calls");
            return Err(FaultKind::not_modelled(what).into());
        }
        let callee = &program.routines()[routine];
        check_memory(program, &self.activations, callee, self.memory_limit)?;
        let caller = &self.activations[current.activation as usize];
        let mut registers = Registers::new(callee);
        copy_predefined(program, caller, &mut registers, callee, |_| true)?;
        let activation = self.activations.len() as u32;
        self.activations.push(Activation {
            routine,
            registers,
            caller: current.activation as usize,
        });
        for lane in set_bits(lanes) {
            // The place to return to is that of the lane in the caller.
            let Lane::At { depth, instruction, .. } = self.lanes[lane] else { continue };
            self.returns[lane].extend([instruction, depth]);
            self.lanes[lane] = Lane::At { activation, depth: 0, instruction: 0 };
        }
        Ok(())
    }

    /// Returns lanes from a function, and ends its activation after the last.
    fn leave(&mut self, current: Current, lanes: u32, program: &Program) -> Result<(), Problem> {
        let index = current.activation as usize;
        let caller = self.activations[index].caller;
        if index == 0 || current.depth != 0 {
            return Err(FaultKind::Malformed("a return from no function".into()).into());
        }
        for lane in set_bits(lanes) {
            let (depth, instruction) = (self.returns[lane].pop(), self.returns[lane].pop());
            let (Some(depth), Some(instruction)) = (depth, instruction) else { continue };
            self.lanes[lane] = Lane::At { activation: caller as u32, depth, instruction };
        }
        let remains = self.lanes.iter().any(
            |lane| matches!(lane, Lane::At { activation, .. } if *activation as usize == index),
        );
        if !remains {
            let Some(ended) = self.activations.pop() else { return Ok(()) };
            let Activation { routine, registers, .. } = &mut self.activations[caller];
            let code = &program.routines()[*routine];
            // The caller keeps its arguments.
            copy_predefined(program, &ended, registers, code, |var| {
                var.predefined_name() != Some("%arg")
            })?;
        }
        Ok(())
    }

    /// Returns a problem of the next instruction as a fault.
    pub(super) fn fault(&self, program: &Program, group: [u32; 3], problem: Problem) -> Fault {
        let Some((routine, instruction, _)) = self.next() else {
            return (*problem.kind).into();
        };
        let code = &program.routines()[routine];
        let first = code.instructions().get(instruction).map_or(0, first_lane);
        let place = Place {
            site: code.site(instruction),
            group,
            thread: self.actor.thread.into(),
            lane: problem.lane.map(|lane| lane + first),
            operand: problem.operand,
        };
        let earlier = match *problem.kind {
            FaultKind::Race { instruction, .. } => program.site(instruction).map(Box::new),
            _ => None,
        };
        Fault { kind: *problem.kind, place: Some(Box::new(place)), earlier }
    }
}

/// Sets the inputs and the predefined variables.
fn initialize(
    code: &Code,
    registers: &mut Registers,
    start: &ThreadStart,
    group_id: [u32; 3],
) -> Result<(), FaultKind> {
    let mut set = |var: VarId, bytes: &[u8]| -> Result<(), FaultKind> {
        let place = code.variable(var)?;
        let size = bytes.len().min(place.registers as usize);
        registers.fill(place.start, &bytes[..size], START);
        Ok(())
    };
    // Zero at the start (4_visa_header.md).
    set(CONTROL, &[0; 12])?;
    for (var, id) in GROUP_ID.into_iter().zip(group_id) {
        set(var, &id.to_le_bytes())?;
    }
    let r0 = code.variable(R0)?;
    set(R0, &start.image[..start.image.len().min(r0.storage as usize)])?;
    for (var, bytes) in &start.variables {
        set(*var, bytes)?;
    }
    for input in code.inputs() {
        let (from, size) = (input.offset as u16 as usize, usize::from(input.size));
        let Some(bytes) = start.image.get(from..from + size) else {
            // An input that the caller does not give is never written.
            continue;
        };
        let Some(id) = input.id() else { continue };
        if id.class != IdClass::Variable {
            let elements = bytes.chunks_exact(4).map(|it| word(it) as u32);
            set_state(code, registers, id, elements)?;
            continue;
        }
        let place = code.variable(VarId(input.index))?;
        if size > place.registers as usize {
            return Err(FaultKind::Malformed(format!(
                "input {} is larger than its variable",
                code.name_of(VarId(input.index))
            )));
        }
        registers.fill(place.start, bytes, START);
    }
    for (var, bytes) in &start.variables {
        let place = code.variable(*var)?;
        let size = bytes.len().min(place.registers as usize);
        let is_kept = |at: usize| registers.get(place.start + at, 1).bits == u64::from(bytes[at]);
        if let Some(at) = (0..size).find(|at| !is_kept(*at)) {
            let name = code.name_of(*var);
            let what = format!("byte {at} of {name} has two values: other inputs share it");
            return Err(FaultKind::Malformed(what));
        }
    }
    for (id, elements) in &start.states {
        set_state(code, registers, *id, elements.iter().copied())?;
    }
    Ok(())
}

/// Sets the elements of a surface or sampler variable, from its first.
fn set_state(
    code: &Code,
    registers: &mut Registers,
    id: Id,
    elements: impl Iterator<Item = u32>,
) -> Result<(), FaultKind> {
    let number = u8::try_from(id.number);
    for (element, value) in elements.map(|it| Value::defined(it.into())).enumerate() {
        match (id.class, number) {
            (IdClass::Surface, Ok(number)) => {
                registers.set_surface(code, SurfaceId(number), element, value)?;
            }
            (IdClass::Sampler, Ok(number)) => {
                registers.set_sampler(code, SamplerId(number), element, value)?;
            }
            _ => {
                let what =
                    format!("{}{} is not a surface or a sampler", id.class.letter(), id.number);
                return Err(FaultKind::Malformed(what));
            }
        }
    }
    Ok(())
}

/// Copies the predefined variables of an activation to another.
fn copy_predefined(
    program: &Program,
    from: &Activation,
    to: &mut Registers,
    code: &Code,
    is_copied: impl Fn(VarId) -> bool,
) -> Result<(), FaultKind> {
    let source = &program.routines()[from.routine];
    for var in (1..VarId::FIRST_DECLARED.0).map(VarId).filter(|var| is_copied(*var)) {
        let (a, b) = (source.variable(var)?, code.variable(var)?);
        let size = a.registers.min(b.registers) as usize;
        to.copy_from(b.start, &from.registers, a.start, size);
    }
    Ok(())
}
