//! Spans of the parts of a module in the text.

use alloc::vec::Vec;
use core::ops::Range;

use super::routine::ParsedRoutine;
use crate::error::PathSegment;

/// The spans of the parts of a module in the text that [`assemble`](super::assemble) parsed, in
/// bytes.
///
/// Routines have the indices of [`Module::routines`](crate::Module::routines).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    pub(super) kernels: Vec<RoutineMap>,
    pub(super) functions: Vec<RoutineMap>,
}

/// The spans of the parts of a routine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RoutineMap {
    header: Range<usize>,
    instructions: Vec<Range<usize>>,
    declarations: [Vec<Range<usize>>; TABLES.len()],
}

/// The names of the tables with declarations, as in errors.
const TABLES: [&str; 7] =
    ["variable", "address", "predicate", "sampler", "surface", "input", "attribute"];

impl SourceMap {
    fn get(&self, routine: usize) -> Option<&RoutineMap> {
        let functions = routine.checked_sub(self.kernels.len());
        functions.map_or_else(|| self.kernels.get(routine), |index| self.functions.get(index))
    }

    /// Returns the span of the first line of a routine.
    pub fn routine(&self, routine: usize) -> Option<Range<usize>> {
        self.get(routine).map(|routine| routine.header.clone())
    }

    /// Returns the span of an instruction of a routine.
    pub fn instruction(&self, routine: usize, index: usize) -> Option<Range<usize>> {
        self.get(routine)?.instructions.get(index).cloned()
    }

    /// Returns the span of the declaration of an entry of a table, such as `variable`.
    pub fn declaration(&self, routine: usize, table: &str, index: usize) -> Option<Range<usize>> {
        let table = TABLES.iter().position(|name| *name == table)?;
        self.get(routine)?.declarations.get(table)?.get(index).cloned()
    }

    /// Returns the span of the instruction or declaration in the path of an error within a routine,
    /// or else of the first line of the routine.
    pub fn span_of(&self, routine: usize, path: &[PathSegment]) -> Option<Range<usize>> {
        let within = path.iter().find_map(|segment| match segment {
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

    /// Returns the span of the first line of the routine.
    pub(super) fn header(&self) -> Range<usize> {
        self.header.clone()
    }

    /// Records the span of the declarations that were added by the last statement.
    pub(super) fn record_declarations(
        &mut self,
        counts: [usize; TABLES.len()],
        span: &Range<usize>,
    ) {
        for (spans, count) in self.declarations.iter_mut().zip(counts) {
            // Fast path: a statement adds to one table at most.
            if spans.len() < count {
                spans.resize(count, span.clone());
            }
        }
    }

    /// Returns whether the routine has instructions.
    pub(super) fn has_code(&self) -> bool {
        !self.instructions.is_empty()
    }

    /// Sets the spans of the instructions.
    pub(super) fn with_code(self, mut instructions: Vec<Range<usize>>) -> RoutineMap {
        instructions.shrink_to_fit();
        RoutineMap { instructions, ..self }
    }
}

impl ParsedRoutine<'_> {
    /// Returns the number of entries of each table.
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
