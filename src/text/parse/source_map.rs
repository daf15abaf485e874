//! Where the parts of a module stand in the text that it was made of.

use alloc::vec::Vec;
use core::ops::Range;

use super::routine::ParsedRoutine;
use crate::error::PathSegment;

/// Where the parts of a module are in the text that [`assemble`](super::assemble) read, in bytes of
/// the text. Routines are counted as [`Module::routines`](crate::Module::routines)
/// does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    pub(super) kernels: Vec<RoutineMap>,
    pub(super) functions: Vec<RoutineMap>,
}

/// Where the parts of a routine stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RoutineMap {
    header: Range<usize>,
    instructions: Vec<Range<usize>>,
    declarations: [Vec<Range<usize>>; TABLES.len()],
}

/// The tables with declarations, as errors call them.
const TABLES: [&str; 7] =
    ["variable", "address", "predicate", "sampler", "surface", "input", "attribute"];

impl SourceMap {
    fn get(&self, routine: usize) -> Option<&RoutineMap> {
        let functions = routine.checked_sub(self.kernels.len());
        functions.map_or_else(|| self.kernels.get(routine), |index| self.functions.get(index))
    }

    /// The line that begins a routine.
    pub fn routine(&self, routine: usize) -> Option<Range<usize>> {
        self.get(routine).map(|places| places.header.clone())
    }

    /// An instruction of a routine.
    pub fn instruction(&self, routine: usize, index: usize) -> Option<Range<usize>> {
        self.get(routine)?.instructions.get(index).cloned()
    }

    /// The declaration of an entry of a routine's table, such as `variable`.
    pub fn declaration(&self, routine: usize, table: &str, index: usize) -> Option<Range<usize>> {
        let table = TABLES.iter().position(|name| *name == table)?;
        self.get(routine)?.declarations.get(table)?.get(index).cloned()
    }

    /// What a way to a place leads to within a routine: an instruction or a declaration, and else
    /// the routine's first line.
    pub fn of(&self, routine: usize, path: &[PathSegment]) -> Option<Range<usize>> {
        let within = path.iter().find_map(|place| match place {
            PathSegment::Instruction { index, .. } => self.instruction(routine, *index),
            PathSegment::Entry { table, index } => self.declaration(routine, table, *index),
            _ => None,
        });
        within.or_else(|| self.routine(routine))
    }
}

impl RoutineMap {
    pub(super) fn new(header: Range<usize>) -> RoutineMap {
        RoutineMap { header, ..RoutineMap::default() }
    }

    /// The line that begins the routine.
    pub(super) fn header(&self) -> Range<usize> {
        self.header.clone()
    }

    /// Takes note of what the statement declared that was just read.
    pub(super) fn note_declarations(&mut self, counts: [usize; TABLES.len()], span: &Range<usize>) {
        for (places, count) in self.declarations.iter_mut().zip(counts) {
            places.resize(count, span.clone());
        }
    }

    /// The places, with those of the code.
    pub(super) fn with_code(self, instructions: Vec<Range<usize>>) -> RoutineMap {
        RoutineMap { instructions, ..self }
    }
}

impl ParsedRoutine<'_> {
    /// How many entries of each table were declared so far.
    pub(super) fn counts(&self) -> [usize; TABLES.len()] {
        [
            self.variables.len(),
            self.addresses.len(),
            self.predicates.len(),
            self.samplers.len(),
            self.surfaces.len(),
            self.inputs.len(),
            self.attributes.len(),
        ]
    }
}
