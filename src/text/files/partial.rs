//! Parsing of texts in which some routines have errors.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use super::functions::FunctionEntry;
use super::parse::FileParser;
use super::routines::ReadRoutine;
use crate::format::Format;
use crate::object::{Function, FunctionDefinition, Kernel, Module, Name, RoutineKind};
use crate::text::diagnostic::{Collector, Diagnostic, Diagnostics, Errors};
use crate::text::recorder::Recorder;
use crate::text::routines::LoweredRoutine;
use crate::text::statements::SourceMap;

/// The result of [`assemble_partial`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PartialAssembly {
    /// The module that the text describes, without the omitted routines. It declares the omitted
    /// functions as if another file defined them, so that functions keep their indices in the whole
    /// text.
    pub module: Module<'static>,
    /// The spans of the parts of the module in the text.
    pub source_map: SourceMap,
    /// The routines that the module lacks, in the order of the text.
    pub omitted: Vec<OmittedRoutine>,
    /// The errors, in the order of the text: at most a hundred of each routine, and only the first
    /// of each routine after ten thousand. Each is in the span of an omitted routine.
    pub errors: Diagnostics,
    /// Warnings about routines that have the kind and the name of an earlier one, without the
    /// annotation `again`. For [`parse`](fn@crate::text::parse) and [`assemble`](crate::text::assemble), these are
    /// errors.
    pub duplicates: Diagnostics,
    /// Other warnings, in the order of the text, as in [`Assembly`](crate::text::Assembly), but without
    /// warnings about omitted routines.
    pub warnings: Diagnostics,
}

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

/// Parses text like [`assemble`](crate::text::assemble), and omits the routines that have errors: an error
/// in one routine does not affect the others.
///
/// The text is parsed once. Several routines may have the same name, with a
/// [warning](PartialAssembly::duplicates).
///
/// ```
/// use genvisa::{Format, text};
///
/// let source = "\
/// .version 3.6
/// .kernel \"wrong\"
///     movv (M1, 8) V32(0,0)<1> 0x2a:d
///     ret (M1, 1)
/// .version 3.6
/// .kernel \"correct\"
///     ret (M1, 1)
/// ";
/// let partial = text::assemble_partial(source, Format::default()).expect("readable text");
/// assert_eq!(partial.module.kernels.len(), 1);
/// assert_eq!(partial.module.kernels[0].name, *"correct");
/// assert_eq!(partial.errors[0].to_string(), "unknown instruction `movv`");
///
/// let omitted = &partial.omitted[0];
/// assert_eq!(*omitted.name.as_ref().unwrap(), *"wrong");
/// assert!(source[omitted.span.clone()].ends_with(" ret (M1, 1)\n"));
/// ```
///
/// # Errors
/// All errors, if some are in no routine: before the first one, in annotations about the file, or
/// because the text has no routines.
pub fn assemble_partial(
    source: impl AsRef<[u8]>,
    format: Format,
) -> Result<PartialAssembly, Errors> {
    let source = source.as_ref();
    read(source, format)?.into_assembly(source)
}

impl ParsedFile {
    /// Returns the result of [`assemble_partial`].
    pub(super) fn into_assembly(self, source: &[u8]) -> Result<PartialAssembly, Errors> {
        if self.is_unreadable {
            return Err(Diagnostics::new(self.errors, source));
        }
        Ok(PartialAssembly {
            module: self.module,
            source_map: self.source_map,
            omitted: self.omitted,
            errors: Diagnostics::new(self.errors, source),
            duplicates: Diagnostics::new(self.duplicates, source),
            warnings: Diagnostics::new(self.warnings, source),
        })
    }
}

/// A text that has been parsed. The diagnostics have no excerpts yet.
pub(in crate::text) struct ParsedFile {
    pub(in crate::text) module: Module<'static>,
    pub(in crate::text) source_map: SourceMap,
    omitted: Vec<OmittedRoutine>,
    pub(in crate::text) errors: Vec<Diagnostic>,
    /// Whether some errors are in no routine.
    is_unreadable: bool,
    pub(in crate::text) duplicates: Vec<Diagnostic>,
    pub(in crate::text) warnings: Vec<Diagnostic>,
    /// The recording, if one was requested.
    pub(super) recorder: Option<Box<Recorder>>,
}

/// Parses a text.
///
/// # Errors
/// The source is not a text.
pub(in crate::text) fn read(source: &[u8], format: Format) -> Result<ParsedFile, Errors> {
    read_recorded(source, format, None)
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
