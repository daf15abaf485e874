//! Parsing of texts in which some routines have errors.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use super::functions::FunctionEntry;
use super::parser::{FileParser, ReadRoutine};
use crate::format::Format;
use crate::object::{Function, FunctionDefinition, Kernel, Module, Name, RoutineKind};
use crate::text::diagnostic::{Collector, Diagnostic, Errors};
use crate::text::recorder::Recorder;
use crate::text::routines::LoweredRoutine;
use crate::text::statements::SourceMap;

/// A routine of a text that is not in the module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OmittedRoutine {
    /// Whether it is a kernel or a function. `None` if the text has a `.version` that neither
    /// `.kernel` nor `.global_function` follows, for example because this is misspelled.
    pub kind: Option<RoutineKind>,
    /// The name, unless it has an error.
    pub name: Option<Name>,
    /// The bytes of the text from its `.version`, if it has its own, up to the next routine.
    pub span: Range<usize>,
    /// Whether it has errors, or the `.version` that applies to it does. If not, another routine of
    /// its kind and name has errors: because routines of the same name are told apart by their
    /// order, all of them are omitted.
    pub has_errors: bool,
}

/// A text that has been parsed. The diagnostics have no excerpts yet.
pub(in crate::text) struct ParsedFile {
    pub(in crate::text) module: Module<'static>,
    pub(in crate::text) source_map: SourceMap,
    pub(super) omitted: Vec<OmittedRoutine>,
    pub(in crate::text) errors: Vec<Diagnostic>,
    /// Whether some errors are in no routine.
    pub(super) is_unreadable: bool,
    pub(in crate::text) duplicates: Vec<Diagnostic>,
    pub(in crate::text) warnings: Vec<Diagnostic>,
    /// The recording, if one was requested.
    pub(super) recorder: Option<Box<Recorder>>,
}

/// Parses a text, and records what the parser reads.
///
/// # Errors
/// The source is not a text.
pub(super) fn read_recorded(
    source: &[u8],
    format: Format,
    recorder: Option<Box<Recorder>>,
) -> Result<ParsedFile, Errors> {
    let mut parser = FileParser::new(source, format)?;
    parser.p.c.recorder = recorder;
    parser.statements();
    parser.end_routine(source.len());
    Ok(parser.end_file())
}

/// After so many errors, only the first of each routine is recorded.
const MAX_ERRORS: usize = 10_000;

impl FileParser<'_> {
    /// Records the errors of a routine.
    pub(super) fn add_errors(&mut self) {
        let Collector(mut errors) = mem::take(&mut self.p.c.diagnostics);
        if self.errors.len() >= MAX_ERRORS {
            errors.truncate(1);
        }
        self.errors.append(&mut errors);
    }

    /// Records errors that are in no routine.
    pub(super) fn add_errors_outside(&mut self) {
        self.is_unreadable |= !self.p.c.diagnostics.is_empty();
        self.add_errors();
    }

    /// Returns the module with the routines that have no errors.
    fn end_file(mut self) -> ParsedFile {
        let facts = mem::take(&mut self.file);
        if self.routines.is_empty() && self.errors.is_empty() && !facts.has_no_routines {
            let end = self.p.c.text.len();
            let message = "expected `.kernel` or `.global_function`, found the end of the text";
            self.p.c.report(end..end, message);
        }
        let mut functions = self.order_functions(facts.externs);
        self.resolve_relocs(&mut functions);
        self.omit_same_names();
        let sections = self.order_sections(facts.sections, &functions);
        self.add_errors_outside();
        let mut file = ParsedFile {
            module: Module::new(self.p.format),
            source_map: SourceMap { format: self.p.format, ..SourceMap::default() },
            omitted: Vec::new(),
            errors: self.errors,
            is_unreadable: self.is_unreadable,
            duplicates: self.duplicates,
            warnings: self.file_warnings,
            recorder: self.p.c.recorder.take(),
        };
        file.warnings.append(&mut self.p.warnings.0);
        file.module.file_scope_vars = facts.variables;
        file.module.set_sections(sections);
        file.add_routines(self.routines, functions);
        file
    }

    /// Omits the routines that have the name of one with errors: routines of the same name are told
    /// apart by their order.
    fn omit_same_names(&mut self) {
        let key = |routine: &ReadRoutine| routine.kind.zip(routine.name.clone());
        let wrong = self.routines.iter().filter(|routine| routine.has_errors);
        let wrong: BTreeSet<_> = wrong.filter_map(key).collect();
        // Fast path: most texts have no errors.
        if wrong.is_empty() {
            return;
        }
        for routine in &mut self.routines {
            if key(routine).is_some_and(|key| wrong.contains(&key)) {
                routine.lowered = None;
            }
        }
    }
}

impl ParsedFile {
    /// Adds routines to the module, and lists those that are omitted.
    fn add_routines(&mut self, mut routines: Vec<ReadRoutine>, functions: Vec<FunctionEntry>) {
        for routine in &mut routines {
            // Functions may have another order.
            let is_kernel = routine.kind == Some(RoutineKind::Kernel);
            match routine.lowered.take_if(|_| is_kernel) {
                Some(lowered) => self.add_kernel(routine.name.take(), *lowered),
                None if routine.lowered.is_none() => self.omitted.push(OmittedRoutine {
                    kind: routine.kind,
                    name: routine.name.take(),
                    span: routine.span.clone(),
                    has_errors: routine.has_errors,
                }),
                None => {}
            }
        }
        for entry in functions {
            let definition = entry.routine.and_then(|index| routines[index].lowered.take());
            self.add_function(entry, definition);
        }
    }

    fn add_kernel(&mut self, name: Option<Name>, mut lowered: LoweredRoutine) {
        self.warnings.append(&mut lowered.warnings);
        self.source_map.kernels.push(lowered.places);
        let (variable_relocs, function_relocs) = lowered.relocs.into_lists();
        self.module.kernels.push(Kernel {
            name: name.unwrap_or_default(),
            variable_relocs,
            function_relocs,
            inputs: lowered.inputs,
            body: lowered.body,
            ..Kernel::default()
        });
    }

    fn add_function(&mut self, entry: FunctionEntry, definition: Option<Box<LoweredRoutine>>) {
        let FunctionEntry { name, mut linkage, mut relocs, .. } = entry;
        let definition = definition.map(|mut lowered| {
            self.warnings.append(&mut lowered.warnings);
            self.source_map.functions.push(lowered.places);
            (linkage, relocs) = (lowered.linkage, lowered.relocs);
            let (input_size, return_value_size) = lowered.stack;
            Box::new(FunctionDefinition { input_size, return_value_size, body: lowered.body })
        });
        let (variable_relocs, function_relocs) = relocs.into_lists();
        let function = Function { linkage, name, variable_relocs, function_relocs, definition };
        self.module.functions.push(function);
    }
}
