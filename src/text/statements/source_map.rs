//! Spans of the parts of a module in the text.

use alloc::vec::Vec;
use core::ops::Range;

use crate::error::PathSegment;
use crate::format::Format;
use crate::isa::{Id, IdClass};
use crate::text::names::TextNames;

/// The spans of the parts of a module in the text of a [`Document`](crate::text::Document), in
/// bytes.
///
/// Routines have the indices of [`Module::routines`](crate::Module::routines).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    /// The format that the text was parsed in.
    pub(in crate::text) format: Format,
    pub(in crate::text) kernels: Vec<RoutineMap>,
    pub(in crate::text) functions: Vec<RoutineMap>,
}

/// The spans of the parts of a routine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::text) struct RoutineMap {
    header: Range<usize>,
    instructions: Vec<Range<usize>>,
    declarations: [Vec<Range<usize>>; TABLES.len()],
    names: TextNames,
}

/// A table with declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::text) enum Table {
    Variable,
    Address,
    Predicate,
    Sampler,
    Surface,
    Input,
    Attribute,
}

impl Table {
    /// Returns the place of an entry.
    pub(in crate::text) fn entry(self, index: usize) -> Place {
        Place::Declaration(self, index as u32)
    }

    /// Returns the table of a class of ids.
    fn of_class(class: IdClass) -> Option<Table> {
        Some(match class {
            IdClass::Variable => Table::Variable,
            IdClass::Address => Table::Address,
            IdClass::Predicate => Table::Predicate,
            IdClass::Sampler => Table::Sampler,
            IdClass::Surface => Table::Surface,
            IdClass::Label | IdClass::String => return None,
        })
    }

    const ALL: [Table; TABLES.len()] = [
        Table::Variable,
        Table::Address,
        Table::Predicate,
        Table::Sampler,
        Table::Surface,
        Table::Input,
        Table::Attribute,
    ];
}

/// A statement of a routine, or what precedes or follows all of them, in the order of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::text) enum Place {
    /// Before the routine.
    Lead,
    /// The `.version` of the routine.
    Version,
    /// The first line of the routine.
    Header,
    Declaration(Table, u32),
    Instruction(u32),
    /// After the last statement.
    End,
}

/// The names of the tables in errors, in the order of [`Table`].
pub(super) const TABLES: [&str; 7] = [
    IdClass::Variable.name(),
    IdClass::Address.name(),
    IdClass::Predicate.name(),
    IdClass::Sampler.name(),
    IdClass::Surface.name(),
    "input",
    "attribute",
];

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

impl SourceMap {
    /// Returns the names that the text of a routine uses.
    pub(in crate::text) fn names(&self, routine: usize) -> Option<&TextNames> {
        self.get(routine).map(|routine| &routine.names)
    }

    /// Returns the declarations whose names are not those in the text, because several scopes declare
    /// them.
    pub(in crate::text) fn renamed(&self) -> impl Iterator<Item = Range<usize>> {
        self.kernels.iter().chain(&self.functions).flat_map(|routine| {
            let place = |id: &Id| (id.number - id.class.first_declared()) as usize;
            let span = move |id: &Id| {
                let table = Table::of_class(id.class)?;
                routine.declarations[table as usize].get(place(id)).cloned()
            };
            routine.names.renamed().iter().filter_map(span)
        })
    }

    /// Returns the first statement of a routine at or after a position in it.
    pub(in crate::text) fn next_place(&self, routine: usize, at: usize) -> Place {
        let Some(map) = self.get(routine) else { return Place::End };
        if at <= map.header.start {
            return Place::Header;
        }
        let next = map.lists().filter_map(|(place, spans)| {
            let index = spans.partition_point(|span| span.start < at);
            spans.get(index).map(|span| (span.start, place(index as u32)))
        });
        next.min().map_or(Place::End, |(_, place)| place)
    }

    /// Returns the last statement of a routine that starts in a part of the text.
    pub(in crate::text) fn last_place(&self, routine: usize, part: Range<usize>) -> Option<Place> {
        let map = self.get(routine)?;
        let last = map.lists().filter_map(|(place, spans)| {
            let index = spans.partition_point(|span| span.start < part.end).checked_sub(1)?;
            Some((spans[index].start, place(index as u32)))
        });
        let header = (map.header.start, Place::Header);
        let last = last.chain([header]).filter(|(start, _)| part.contains(start)).max();
        last.map(|(_, place)| place)
    }
}

impl RoutineMap {
    /// Returns the spans of the declarations and instructions: each list is in the order of the
    /// text.
    fn lists(&self) -> impl Iterator<Item = (impl Fn(u32) -> Place, &[Range<usize>])> {
        let tables = Table::ALL.into_iter().map(Some).zip(&self.declarations);
        let lists = tables.chain([(None, &self.instructions)]);
        lists.map(|(table, spans)| {
            let place = move |index| match table {
                Some(table) => Place::Declaration(table, index),
                None => Place::Instruction(index),
            };
            (place, &spans[..])
        })
    }

    pub(in crate::text) fn new(header: Range<usize>) -> RoutineMap {
        RoutineMap { header, ..RoutineMap::default() }
    }

    /// Returns the span of the first line of the routine.
    pub(in crate::text) fn header(&self) -> Range<usize> {
        self.header.clone()
    }

    /// Records the span of the declarations that were added by the last statement.
    pub(in crate::text) fn record_declarations(
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
    pub(in crate::text) fn has_code(&self) -> bool {
        !self.instructions.is_empty()
    }

    /// Sets the names that the text uses.
    pub(in crate::text) fn with_names(self, names: TextNames) -> RoutineMap {
        RoutineMap { names, ..self }
    }

    /// Sets the spans of the instructions.
    pub(in crate::text) fn with_code(self, mut instructions: Vec<Range<usize>>) -> RoutineMap {
        instructions.shrink_to_fit();
        RoutineMap { instructions, ..self }
    }
}
