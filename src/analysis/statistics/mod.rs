//! Statistics of routines.

mod counts;
mod lines;
mod message;
mod metric;

pub use counts::Counts;
pub use lines::{LineStatistics, SourceLine};
pub use message::{Message, Operation, Target};
pub use metric::{Change, Metric, Section};

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::Analysis;
use super::graph::BlockId;
use super::liveness::{Live, Pressure};
use super::storage::Storage;
use crate::isa::lsc::LscTyped;
use crate::isa::{IdClass, Instruction, Kind};
use crate::object::{Attribute, Routine};
use crate::operand::lsc::{LscOp, LscOpClass};
use crate::operand::{
    Exec, ExecSize, Modifier, NumElts, NumEltsCount, Pred, Raw, Slot, VarId, Vector, Visitor,
};

/// Statistics of a routine: counts of its instructions, messages, branches and variables, and the
/// peak of its register pressure.
///
/// ```
/// use genvisa::analysis::{Analysis, Statistics};
/// use genvisa::RegisterSize;
/// use genvisa::{Dialect, Module};
///
/// let file = std::fs::read("tests/data/tour.isa").expect("a file of the repository");
/// let module = Module::from_bytes(&file, Dialect::Igc2022)?;
/// for routine in module.routines() {
///     let analysis = Analysis::new(&routine, RegisterSize::Bytes32)?;
///     let statistics = Statistics::new(&routine, &analysis);
///     assert_eq!((statistics.instructions, statistics.markers), (14, 2));
///     let messages: Vec<String> =
///         statistics.messages.iter().map(|(message, count)| format!("{count} {message}")).collect();
///     assert!(messages.contains(&"2 rt_write_3d T8".to_string()));
/// }
/// # Ok::<(), genvisa::Error>(())
/// ```
///
/// [`metrics`](Self::metrics) returns all numbers as a list, and [`changes`](Self::changes) compares
/// two routines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// The number of instructions, including markers.
    pub instructions: u32,
    /// The number of instructions for which no machine code is generated: LABEL, SUBROUTINE, FILE,
    /// LOC and LIFETIME.
    pub markers: u32,
    /// The number of instructions of each operation.
    pub operations: Counts<Operation>,
    /// The number of instructions of each kind.
    pub kinds: Counts<Kind>,
    /// The number of messages of each operation and target. Barriers and fences are not messages.
    pub messages: Counts<Message>,
    /// Accesses to scratch memory.
    pub scratch: Scratch,
    /// The number of instructions of each execution size, in ascending order.
    pub widths: [Width; 6],
    /// The number of instructions with a predicate, except SEL, whose predicate selects a source.
    pub predicated: u32,
    /// The number of instructions with a destination that saturates.
    pub saturating: u32,
    /// Branches, calls and basic blocks.
    pub control_flow: ControlFlow,
    /// The declared variables: general variables, address variables, predicates, surfaces and
    /// samplers, in this order.
    pub declarations: [Declarations; 5],
    /// The peak of the register pressure; `None` if there are no instructions.
    pub peak: Option<Peak>,
    /// The attribute `NumGRF`: the number of registers of a thread; 0 if the compiler chooses it, and
    /// `None` if the routine does not state it.
    pub num_grf: Option<u32>,
}

/// The number of instructions of an execution size.
///
/// Instructions whose text contains no execution size, such as barriers and typed block messages,
/// are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Width {
    /// The execution size.
    pub size: ExecSize,
    /// The number of instructions that active lanes execute (`M1` to `M8`).
    pub masked: u32,
    /// The number of instructions that all lanes execute (`M1_NM` to `M8_NM`).
    pub no_mask: u32,
}

/// Accesses to scratch memory, and what the attributes of a routine state about spills.
///
/// vISA contains no spills: the finalizer allocates registers, and adds them to the machine code.
/// What is counted here are arrays and other data that the compiler itself keeps in scratch memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Scratch {
    /// The number of messages that read [scratch memory](Target::is_scratch), including atomics.
    pub reads: u32,
    /// The number of messages that write scratch memory and read nothing.
    pub writes: u32,
    /// The attribute `SpillMemOffset`: the number of bytes of scratch memory that the compiler
    /// uses, after which the spills of the finalizer begin; `None` if the routine does not state it.
    pub spill_offset: Option<u32>,
    /// The attribute `SepSpillPvtSS`: the spills of the finalizer have a surface of their own.
    pub has_spill_surface: bool,
}

/// Branches, calls and basic blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ControlFlow {
    /// The number of JMP instructions without a predicate.
    pub jumps: u32,
    /// The number of JMP instructions with a predicate.
    pub conditional_jumps: u32,
    /// The number of GOTO instructions without a predicate.
    pub gotos: u32,
    /// The number of GOTO instructions with a predicate.
    pub conditional_gotos: u32,
    /// The number of SWITCHJMP instructions.
    pub switch_jumps: u32,
    /// The number of calls of subroutines: CALL.
    pub calls: u32,
    /// The number of calls of functions: FCALL and IFCALL.
    pub function_calls: u32,
    /// The number of returns: RET and FRET.
    pub returns: u32,
    /// The number of basic blocks that contain instructions.
    pub blocks: u32,
    /// The number of basic blocks in which lanes may have diverged.
    pub divergent_blocks: u32,
    /// The number of basic blocks that control never enters.
    pub unreachable_blocks: u32,
    /// The number of natural loops.
    pub loops: u32,
    /// The maximum nesting of natural loops: 0 without loops, 1 if no loop contains another.
    pub loop_depth: u32,
    /// The number of sets of blocks that are connected by cycles which control enters at several
    /// blocks.
    pub irreducible_loops: u32,
}

impl ControlFlow {
    /// Returns the number of branches: JMP, GOTO and SWITCHJMP.
    pub const fn branches(&self) -> u32 {
        self.jumps
            + self.conditional_jumps
            + self.gotos
            + self.conditional_gotos
            + self.switch_jumps
    }
}

/// The declared variables of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Declarations {
    /// The class.
    pub class: IdClass,
    /// The number of declarations, including aliases.
    pub count: u32,
    /// The number of aliases, which share the storage of another variable.
    pub aliases: u32,
    /// The storage in bytes, without aliases; 0 for surfaces and samplers. A predicate takes a bit
    /// for each lane, rounded up to bytes.
    pub bytes: u64,
}

/// The peak of the register pressure of a routine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Peak {
    /// The index of the first instruction before which the most registers are live.
    pub instruction: usize,
    /// The live bytes, and the registers that they take.
    pub pressure: Pressure,
    /// The general variables that are live there, those with the most live bytes first. Registers
    /// of the architecture, such as `%sr0`, are omitted: they take no general registers.
    pub variables: Vec<Live>,
}

impl Default for Declarations {
    fn default() -> Declarations {
        Declarations { class: IdClass::Variable, count: 0, aliases: 0, bytes: 0 }
    }
}

impl Statistics {
    /// Returns the statistics of a routine. The time is linear in the size of the routine.
    ///
    /// `analysis` must be computed from the same routine.
    pub fn new(routine: &Routine<'_, '_>, analysis: &Analysis) -> Statistics {
        let mut statistics = Statistics::default();
        for (width, size) in statistics.widths.iter_mut().zip(ExecSize::ALL) {
            width.size = size;
        }
        let (mut operations, mut kinds) = (BTreeMap::new(), BTreeMap::new());
        let mut messages = BTreeMap::new();
        for instruction in &analysis.instructions {
            *operations.entry(Operation::of(instruction)).or_insert(0) += 1;
            *kinds.entry(instruction.kind()).or_insert(0) += 1;
            if let Some(message) = Message::of(instruction) {
                *messages.entry(message).or_insert(0) += 1;
            }
            statistics.add(instruction);
        }
        statistics.operations = Counts::new(operations);
        statistics.kinds = Counts::new(kinds);
        statistics.messages = Counts::new(messages);
        statistics.add_attributes(routine);
        statistics.add_graph(analysis);
        statistics.declarations = declarations(routine, &analysis.storage);
        statistics.peak = peak(analysis);
        statistics
    }

    /// Adds an instruction to the counts that are not maps.
    fn add(&mut self, instruction: &Instruction) {
        self.instructions += 1;
        let facts = Facts::of(instruction);
        if let Some(exec) = facts.exec {
            let width = &mut self.widths[exec.size as usize];
            *(if exec.mask.is_no_mask() { &mut width.no_mask } else { &mut width.masked }) += 1;
        }
        self.predicated += u32::from(facts.is_predicated);
        self.saturating += u32::from(facts.saturates);
        if Target::of(instruction).is_some_and(Target::is_scratch) {
            let count =
                if facts.is_load { &mut self.scratch.reads } else { &mut self.scratch.writes };
            *count += 1;
        }
        let flow = &mut self.control_flow;
        let count = match instruction {
            Instruction::Jmp(jump) if jump.pred.is_none() => &mut flow.jumps,
            Instruction::Jmp(_) => &mut flow.conditional_jumps,
            Instruction::Goto(jump) if jump.pred.is_none() => &mut flow.gotos,
            Instruction::Goto(_) => &mut flow.conditional_gotos,
            Instruction::SwitchJmp(_) => &mut flow.switch_jumps,
            Instruction::Call(_) => &mut flow.calls,
            Instruction::Fcall(_) | Instruction::Ifcall(_) => &mut flow.function_calls,
            Instruction::Ret(_) | Instruction::Fret(_) => &mut flow.returns,
            _ if is_marker(instruction) => &mut self.markers,
            _ => return,
        };
        *count += 1;
    }

    fn add_attributes(&mut self, routine: &Routine<'_, '_>) {
        let named = |name: &str| {
            let is_named = |attribute: &&Attribute| {
                let string = routine.body.strings.get(attribute.name.0 as usize);
                string.is_some_and(|string| *string == *name)
            };
            // Readers use the last of several.
            routine.body.attributes.iter().rfind(is_named)
        };
        let offset = named("SpillMemOffset").and_then(Attribute::as_integer);
        self.scratch.spill_offset = offset.map(|offset| offset as u32);
        let num_grf = named("NumGRF").and_then(Attribute::as_integer);
        self.num_grf = num_grf.map(|count| count as u32);
        self.scratch.has_spill_surface = named("SepSpillPvtSS").is_some();
    }

    fn add_graph(&mut self, analysis: &Analysis) {
        let (flow, cfg) = (&mut self.control_flow, &analysis.cfg);
        for (block, id) in cfg.blocks().iter().zip((0..).map(BlockId)) {
            // The empty block at the end of a subroutine only joins edges.
            if !block.instructions.is_empty() {
                flow.blocks += 1;
                flow.divergent_blocks += u32::from(analysis.divergence.is_divergent(id));
                flow.unreachable_blocks += u32::from(!cfg.is_reachable(id));
            }
        }
        let loops = cfg.loops(&cfg.dominators());
        flow.loops = loops.loops().len() as u32;
        flow.loop_depth = loops.loops().iter().map(|looped| looped.depth).max().unwrap_or(0);
        flow.irreducible_loops = loops.irreducible().count() as u32;
    }
}

/// Returns whether no machine code is generated for an instruction.
fn is_marker(instruction: &Instruction) -> bool {
    matches!(
        instruction,
        Instruction::Label(_)
            | Instruction::Subroutine(_)
            | Instruction::File(_)
            | Instruction::Loc(_)
            | Instruction::Lifetime(_)
    )
}

/// Returns the declared variables of a routine by class.
fn declarations(routine: &Routine<'_, '_>, storage: &Storage) -> [Declarations; 5] {
    let classes = [
        IdClass::Variable,
        IdClass::Address,
        IdClass::Predicate,
        IdClass::Surface,
        IdClass::Sampler,
    ];
    classes.map(|class| {
        let mut declarations = Declarations { class, ..Declarations::default() };
        for id in routine.body.ids(class) {
            declarations.count += 1;
            match storage.location(id) {
                Some(location) if location.root != id => declarations.aliases += 1,
                Some(location) if class == IdClass::Predicate => {
                    declarations.bytes += u64::from(location.size.div_ceil(8));
                }
                Some(location) => declarations.bytes += u64::from(location.size),
                None => {}
            }
        }
        declarations
    })
}

/// Returns the peak of the pressure, and the variables that are live there.
fn peak(analysis: &Analysis) -> Option<Peak> {
    let (instruction, pressure) = analysis.liveness.peak()?;
    let is_general = |live: &Live| {
        live.root.class == IdClass::Variable && !VarId(live.root.number).is_architecture_register()
    };
    let mut variables: Vec<Live> =
        analysis.liveness.live_at(instruction).filter(is_general).collect();
    variables.sort_by_key(|live| (Reverse(live.units), live.root));
    Some(Peak { instruction, pressure, variables })
}

/// What the operands of an instruction show.
#[derive(Default)]
struct Facts {
    exec: Option<Exec>,
    is_predicated: bool,
    saturates: bool,
    is_load: bool,
}

impl Facts {
    fn of(instruction: &Instruction) -> Facts {
        let mut facts = Facts::default();
        instruction.visit(&mut facts);
        match instruction {
            Instruction::Sel(_) => facts.is_predicated = false,
            Instruction::Gather(message) => facts.exec = exec_of(message.num_elts),
            Instruction::Scatter(message) => facts.exec = exec_of(message.num_elts),
            // Their text contains no execution size.
            Instruction::LscFence(_) | Instruction::LscTyped(LscTyped::TypedBlock2d(_)) => {
                facts.exec = None;
            }
            Instruction::LscTyped(message) if message.op() == LscOp::READ_STATE_INFO => {
                facts.exec = None;
            }
            // A prefetch has no destination.
            Instruction::LscUntyped(message) => {
                facts.is_load |= message.op().class() == LscOpClass::Load;
            }
            _ => {}
        }
        facts
    }
}

/// Returns the execution size and mask of GATHER and SCATTER.
fn exec_of(elements: NumElts) -> Option<Exec> {
    let size = match elements.count {
        NumEltsCount::N1 => ExecSize::S1,
        NumEltsCount::N8 => ExecSize::S8,
        NumEltsCount::N16 => ExecSize::S16,
        _ => return None,
    };
    Some(Exec::new(size, elements.mask))
}

impl Visitor for Facts {
    fn exec(&mut self, _: Slot, exec: Exec) {
        self.exec = Some(exec);
    }

    fn pred(&mut self, _: Slot, pred: Pred) {
        self.is_predicated = !pred.is_none();
    }

    fn dst(&mut self, _: Slot, operand: &Vector) {
        self.saturates |= operand.modifier == Modifier::SAT;
    }

    fn raw(&mut self, slot: Slot, operand: Raw) {
        self.is_load |= slot.is_written && operand.var != VarId::NULL;
    }
}
