//! Analysis of routines: the storage that instructions access, control flow, liveness and register
//! pressure.
//!
//! - [`Storage`] maps variables to their roots, the variables whose storage aliases share.
//!   [`Storage::visit_accesses`] reports the bytes that an instruction reads and writes.
//! - [`Cfg`] is the control-flow graph of a routine: basic blocks, edges, dominators and loops.
//!   [`Divergence`] are the blocks in which lanes may have diverged.
//! - [`Liveness`] are the bytes whose values may still be read, and the registers that they take.
//! - [`Analysis`] computes all of these for a routine. [`Analysis::chains`] returns the definitions and
//!   uses of values.
//! - [`Statistics`] counts instructions, messages, branches and variables, and describes the peak of
//!   the pressure; [`LineStatistics`] does so for each source line.

mod access;
mod chains;
mod footprint;
mod graph;
mod indirect;
mod liveness;
mod mask;
mod operands;
mod overwrites;
mod statistics;
mod storage;

use crate::platform::RegisterSize;
use alloc::vec::Vec;

pub use access::{Access, AccessKind, Condition, Lanes};
pub use chains::{Chains, Definitions};
pub use footprint::{Footprint, Ranges};
pub use graph::{
    Block, BlockId, Cfg, Divergence, Dominators, Edge, EdgeKind, Loop, LoopId, Loops, Wait,
};
pub use indirect::AddressTargets;
pub use liveness::{Live, Liveness, Pressure};
pub use overwrites::Overwrite;
pub use statistics::{
    Change, ControlFlow, Counts, Declarations, LineStatistics, Message, Metric, Operation, Peak,
    Scratch, Section, SourceLine, Statistics, Target, Width,
};
pub use storage::{Location, Storage};

use crate::error::Result;
use crate::isa::Instruction;
use crate::object::{Name, Routine, RoutineKind};

/// The facts about a routine.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Analysis {
    /// The instructions, decoded.
    pub instructions: Vec<Instruction>,
    /// The storage of the variables.
    pub storage: Storage,
    /// The control-flow graph.
    pub cfg: Cfg,
    /// The blocks in which lanes may have diverged.
    pub divergence: Divergence,
    /// The variables that indirect operands may access.
    pub targets: AddressTargets,
    /// The live units at each instruction.
    pub liveness: Liveness,
}

impl Analysis {
    /// Analyses a routine.
    ///
    /// # Errors
    ///
    /// Returns the error of the first instruction that cannot be decoded.
    pub fn new(routine: &Routine<'_, '_>, registers: RegisterSize) -> Result<Analysis> {
        let instructions = routine
            .instructions()
            .map(|item| item.map(|(_, instruction)| instruction))
            .collect::<Result<Vec<_>>>()?;
        Ok(Analysis::of_instructions(routine, instructions, registers))
    }

    /// Analyses instructions with the tables of a routine, without encoding them: for example, the
    /// instructions of a [`RoutineEditor`](crate::object::RoutineEditor). The code of the routine is
    /// ignored.
    ///
    /// ```
    /// use genvisa::analysis::Analysis;
    /// use genvisa::RegisterSize;
    /// use genvisa::{Dialect, Instruction, Module};
    ///
    /// let file = std::fs::read("tests/data/tour.isa")?;
    /// let mut module = Module::from_bytes(&file, Dialect::Igc2022)?;
    /// let mut editor = module.edit(0)?;
    /// editor.instructions.retain(|one| !matches!(one, Instruction::Loc(_)));
    /// let instructions = editor.instructions.clone();
    /// let analysis =
    ///     Analysis::of_instructions(&editor.routine(), instructions, RegisterSize::default());
    /// assert_eq!(analysis.instructions.len(), editor.instructions.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_instructions(
        routine: &Routine<'_, '_>,
        instructions: Vec<Instruction>,
        registers: RegisterSize,
    ) -> Analysis {
        let storage = Storage::new(routine, registers);
        let cfg = Cfg::new(&instructions);
        let divergence = Divergence::new(&cfg, &instructions, is_entered_by_all_lanes(routine));
        let targets = AddressTargets::new(&instructions, &storage);
        let liveness = Liveness::new(routine, &instructions, &storage, &cfg, &divergence, &targets);
        Analysis { instructions, storage, cfg, divergence, targets, liveness }
    }
}

/// Returns whether all lanes are active when a routine is entered. Functions may be called by some
/// lanes, unless they have an attribute.
fn is_entered_by_all_lanes(routine: &Routine<'_, '_>) -> bool {
    let body = routine.body;
    let is_named = |name: &Name| *name == "AllLaneActive";
    routine.kind == RoutineKind::Kernel
        || body
            .attributes
            .iter()
            .any(|attribute| body.strings.get(attribute.name.0 as usize).is_some_and(is_named))
}
