//! Every value that simulated hardware reads is live from its write to the read.
//!
//! The hardware executes the instruction with the lowest position at which a lane is, for all lanes
//! that are there. Predicates are random, so that lanes take all paths.

use std::collections::BTreeMap;

use genvisa::RegisterSize;
use genvisa::analysis::{Access, AccessKind, Analysis};
use genvisa::isa::Id;
use genvisa::operand::{Exec, Pred};
use genvisa::text::parse;
use genvisa::{Format, Instruction};
use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::rng::Rng;

use super::kernels::Generator;

const LANES: usize = 32;

/// Long executions are cut.
const STEPS: usize = 120;

/// The units of a root.
#[derive(Clone)]
struct Root {
    /// Those whose value was written.
    written: Vec<bool>,
    /// Those that have been live since then.
    is_kept: Vec<bool>,
    /// Those that are live before each instruction.
    live: Vec<Vec<bool>>,
}

#[derive(Clone)]
struct Machine<'a> {
    analysis: &'a Analysis,
    rng: Rng,
    roots: BTreeMap<Id, Root>,
    /// For each subroutine that is executed, the positions of the lanes that execute it.
    frames: Vec<[Option<usize>; LANES]>,
    trace: Vec<usize>,
}

impl<'a> Machine<'a> {
    fn new(analysis: &'a Analysis, rng: Rng) -> Machine<'a> {
        let mut roots = BTreeMap::new();
        for location in analysis.storage.roots() {
            let size = location.size as usize;
            let live = (0..analysis.instructions.len()).map(|at| {
                let mut units = vec![false; size];
                for range in analysis.liveness.live_units(location.root, at) {
                    units[range.start as usize..range.end as usize].fill(true);
                }
                units
            });
            let root = Root {
                written: vec![false; size],
                is_kept: vec![false; size],
                live: live.collect(),
            };
            roots.insert(location.root, root);
        }
        Machine { analysis, rng, roots, frames: vec![[Some(0); LANES]], trace: Vec::new() }
    }

    /// Executes the kernel; returns whether it ended.
    fn run(&mut self) -> Result<bool, String> {
        while let Some(frame) = self.frames.last() {
            let Some(at) = frame.iter().flatten().min().copied() else {
                self.frames.pop();
                continue;
            };
            if self.trace.len() == STEPS {
                return Ok(false);
            }
            let active = frame.map(|lane| lane == Some(at));
            self.trace.push(at);
            for root in self.roots.values_mut() {
                for (is_kept, is_live) in root.is_kept.iter_mut().zip(&root.live[at]) {
                    *is_kept &= is_live;
                }
            }
            self.step(at, active)?;
        }
        Ok(true)
    }

    /// Returns the lanes that satisfy a random predicate.
    fn predicate(&mut self, pred: Pred) -> [bool; LANES] {
        let bits = match self.rng.below(4) {
            _ if pred.is_none() => u64::MAX,
            0 => 0,
            1 => u64::MAX,
            _ => self.rng.bits(),
        };
        std::array::from_fn(|lane| bits >> lane & 1 != 0)
    }

    fn step(&mut self, at: usize, active: [bool; LANES]) -> Result<(), String> {
        let instruction = &self.analysis.instructions[at];
        let (exec, pred) = match instruction {
            Instruction::Mov(i) => (i.exec, i.pred),
            Instruction::Add(i) => (i.exec, i.pred),
            Instruction::Sel(i) => (i.exec, i.pred),
            Instruction::Cmp(i) => (i.exec, Pred::NONE),
            Instruction::Setp(i) => (i.exec, Pred::NONE),
            Instruction::And(i) => (i.exec, i.pred),
            Instruction::Goto(i) => (i.exec, i.pred),
            Instruction::Jmp(i) => (i.exec, i.pred),
            Instruction::Call(i) => (i.exec, i.pred),
            Instruction::Ret(i) => (i.exec, i.pred),
            _ => (Exec::default(), Pred::NONE),
        };
        let holds = self.predicate(pred);
        let first = exec.mask.first_lane();
        // SEL selects a source.
        let is_guarded = !matches!(instruction, Instruction::Sel(_));
        // JMP is scalar.
        let is_no_mask = exec.mask.is_no_mask() || matches!(instruction, Instruction::Jmp(_));
        let enabled: [bool; LANES] = std::array::from_fn(|lane| {
            let is_in = (first..first + exec.size.lanes()).contains(&lane);
            is_in && (active[lane] || is_no_mask)
        });
        let guarded: [bool; LANES] =
            std::array::from_fn(|lane| enabled[lane] && (holds[lane] || !is_guarded));
        let mut accesses: Vec<Access> = Vec::new();
        self.analysis.storage.visit_accesses(instruction, |access| accesses.push(access));
        for access in accesses.iter().filter(|access| access.kind == AccessKind::Read) {
            // The predicate of the instruction is read in all lanes.
            let is_own = access.root == pred.id().into() && !pred.is_none();
            let lanes = if is_own { enabled } else { guarded };
            for unit in units(access, first, lanes) {
                self.read(access.root, unit)?;
            }
        }
        for access in &accesses {
            let root = self.roots.get_mut(&access.root).expect("a root");
            match access.kind {
                AccessKind::Write => {
                    for unit in units(access, first, guarded) {
                        if unit < root.written.len() {
                            (root.written[unit], root.is_kept[unit]) = (true, true);
                        }
                    }
                }
                AccessKind::Discard => {
                    for unit in access.footprint.ranges().flatten() {
                        if let Some(written) = root.written.get_mut(unit as usize) {
                            *written = false;
                        }
                    }
                }
                _ => {}
            }
        }
        self.branch(at, active, enabled, holds);
        Ok(())
    }

    fn read(&self, id: Id, unit: usize) -> Result<(), String> {
        let root = &self.roots[&id];
        match root.written.get(unit) {
            Some(true) if !root.is_kept[unit] => {
                Err(format!("unit {unit} of {id:?} is read but was not live: {:?}", self.trace))
            }
            _ => Ok(()),
        }
    }

    /// Moves the active lanes.
    fn branch(
        &mut self,
        at: usize,
        active: [bool; LANES],
        enabled: [bool; LANES],
        holds: [bool; LANES],
    ) {
        let cfg = &self.analysis.cfg;
        let place = |label| {
            let block = cfg.block_of_label(label).expect("a label");
            cfg.blocks()[block.index()].instructions.start
        };
        let frame = self.frames.last_mut().expect("a frame");
        let next = (at + 1 < self.analysis.instructions.len()).then_some(at + 1);
        let mut called = [None; LANES];
        for lane in (0..LANES).filter(|lane| active[*lane]) {
            let branches = enabled[lane] && holds[lane];
            frame[lane] = match &self.analysis.instructions[at] {
                // All active lanes go the same way.
                Instruction::Goto(goto) if goto.exec.size.lanes() == 1 => Some(place(goto.label)),
                Instruction::Jmp(jump) if holds[0] => Some(place(jump.label)),
                Instruction::Goto(goto) if branches => Some(place(goto.label)),
                Instruction::Ret(ret) if branches || ret.exec.size.lanes() == 1 => None,
                Instruction::Call(call) if branches => {
                    called[lane] = Some(place(call.label));
                    next
                }
                _ => next,
            };
        }
        if called.iter().any(Option::is_some) {
            self.frames.push(called);
        }
    }

    /// Checks the variables that are used after the end.
    fn end(&self, outputs: &[Id]) -> Result<(), String> {
        for id in outputs {
            for unit in 0..self.roots[id].written.len() {
                self.read(*id, unit)?;
            }
        }
        Ok(())
    }
}

/// Returns the units that some lanes access.
fn units(access: &Access, first: usize, lanes: [bool; LANES]) -> Vec<usize> {
    let footprint = &access.footprint;
    let mut found = Vec::new();
    for index in 0..footprint.rows * footprint.columns {
        let (row, column) = (index / footprint.columns, index % footprint.columns);
        let start = footprint.start + row * footprint.row_stride + column * footprint.column_stride;
        if lanes[first + index as usize] {
            found.extend((start..start + footprint.element).map(|unit| unit as usize));
        }
    }
    found
}

/// Executes a kernel several times; returns how many of the executions ended.
fn execute(text: &str, times: usize, rng: &mut Rng) -> Result<u64, String> {
    let module = parse(text, Format::V4_2).map_err(|errors| errors[0].to_string())?;
    let routine = module.routines().next().expect("a routine");
    let analysis = Analysis::new(&routine, RegisterSize::Bytes32).expect("legal code");
    let outputs = super::naive::outputs(&routine, &analysis);
    let start = Machine::new(&analysis, rng.fork());
    let mut ended = 0;
    for _ in 0..times {
        let mut machine = Machine { rng: rng.fork(), ..start.clone() };
        if machine.run()? {
            machine.end(&outputs)?;
            ended += 1;
        }
    }
    Ok(ended)
}

#[test]
fn what_simulated_lanes_read_is_live() {
    let seed = seed();
    let cases = cases(500);
    let mut rng = Rng::new(seed, 21);
    let mut ended = 0;
    for case in 0..cases {
        let text = Generator::simple_kernel(&mut rng);
        ended += execute(&text, 3, &mut rng)
            .unwrap_or_else(|error| panic!("{error}\nseed {seed}, case {case}:\n{text}"));
    }
    assert!(ended > cases, "{ended} of {} executions ended", 3 * cases);
}
