//! Parsing of annotations of the file, and lowering of the parsed file.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use super::Parser;
use super::annotations::Subject;
use super::cursor::Parsed;
use super::routine::Relocs;
use crate::error::{ErrorKind, Result};
use crate::format::Format;
use crate::object::{FileScopeVar, Function, Linkage, Reloc, Section};
use crate::text::annotations::line;
use crate::wire::{Reader, Wire};

/// The annotations of the file, and the relocations of its routines.
#[derive(Default)]
pub(super) struct FileFacts {
    pub(super) has_no_routines: bool,
    pub(super) relocs_of_kernels: Vec<Relocs>,
    /// Those of the functions that are defined in the text.
    pub(super) relocs_of_functions: Vec<Relocs>,
    variables: Vec<FileScopeVar>,
    externs: Vec<Extern>,
    sections: Vec<(Section<'static>, Range<usize>)>,
}

/// A function that is defined in another file.
struct Extern {
    name: Vec<u8>,
    linkage: Linkage,
    at: Option<usize>,
    relocs: Relocs,
    span: Range<usize>,
}

impl FileFacts {
    pub(super) fn has_extern(&self) -> bool {
        !self.externs.is_empty()
    }

    pub(super) fn last_extern(&mut self) -> Option<&mut Relocs> {
        self.externs.last_mut().map(|function| &mut function.relocs)
    }
}

impl Parser<'_> {
    /// Parses an annotation of the file after its first word.
    pub(super) fn file_annotation(&mut self, word: &str, start: usize) -> Parsed<()> {
        match word {
            line::NO_ROUTINES => {
                self.file.has_no_routines = true;
                Ok(())
            }
            line::EXTERN => self.extern_annotation(start),
            line::FILE_VARIABLE => self.file_variable_annotation(start),
            _ => self.sections_annotation(),
        }
    }

    /// Parses `extern "NAME" [at=INDEX] [linkage=CODE]`.
    fn extern_annotation(&mut self, start: usize) -> Parsed<()> {
        self.c.skip_spaces();
        let name = self.c.string()?.into_owned();
        let annotations = self.annotation_items(Subject::Extern)?;
        self.file.externs.push(Extern {
            name,
            linkage: annotations.linkage.map_or(Linkage::EXTERN, |linkage| linkage.value),
            at: annotations.at.map(|at| at.value.into()),
            relocs: Relocs::default(),
            span: start..self.c.at,
        });
        Ok(())
    }

    /// Parses `file_variable = BYTES`.
    fn file_variable_annotation(&mut self, start: usize) -> Parsed<()> {
        let bytes = self.annotation_bytes()?;
        let span = start..self.c.at;
        match entry(&bytes, self.text_format()) {
            Ok(variable) => {
                self.file.variables.push(variable);
                Ok(())
            }
            Err(error) => {
                let message = format!("invalid variable of the file: {error}");
                Err(self.c.fail(span, &message))
            }
        }
    }

    /// Parses `sections (kernel INDEX | function INDEX | binary KERNEL INDEX)* [padding = BYTES]`.
    fn sections_annotation(&mut self) -> Parsed<()> {
        while !matches!(self.c.skip_spaces(), None | Some(b'\n')) {
            let start = self.c.at;
            let section = match self.c.word_here() {
                "kernel" => Section::Kernel(self.section_index()?),
                "function" => Section::Function(self.section_index()?),
                "binary" => Section::GenBinary {
                    kernel: self.section_index()?,
                    index: self.section_index()?,
                },
                "padding" => Section::Gap(self.annotation_bytes()?.into()),
                _ => {
                    self.c.at = start;
                    return Err(self.c.expected("`kernel`, `function`, `binary` or `padding`"));
                }
            };
            self.file.sections.push((section, start..self.c.at));
        }
        Ok(())
    }

    fn section_index(&mut self) -> Parsed<usize> {
        self.annotation_number::<u16>().map(usize::from)
    }

    /// Adds the annotations of the file to the module after its last routine.
    pub(super) fn end_file(&mut self) {
        let mut facts = core::mem::take(&mut self.file);
        self.module.file_scope_vars = core::mem::take(&mut facts.variables);
        let mut relocs: Vec<Relocs> = facts.relocs_of_kernels;
        let kernels = relocs.len();
        relocs.extend(self.order_functions(facts.externs, facts.relocs_of_functions));
        for (index, of) in relocs.into_iter().enumerate() {
            let function_relocs = self.function_relocs(of.functions);
            let (kernel, function) = match index.checked_sub(kernels) {
                None => (self.module.kernels.get_mut(index), None),
                Some(index) => (None, self.module.functions.get_mut(index)),
            };
            if let Some(kernel) = kernel {
                (kernel.variable_relocs, kernel.function_relocs) = (of.variables, function_relocs);
            } else if let Some(function) = function {
                (function.variable_relocs, function.function_relocs) =
                    (of.variables, function_relocs);
            }
        }
        self.order_sections(facts.sections);
    }

    /// Returns the relocations with the current indices of the functions that they name.
    fn function_relocs(
        &mut self,
        relocs: Vec<(Reloc, Option<Vec<u8>>, Range<usize>)>,
    ) -> Vec<Reloc> {
        if relocs.is_empty() {
            return Vec::new();
        }
        let functions = &self.module.functions;
        let mut first = BTreeMap::new();
        for (function, index) in functions.iter().zip(0u16..) {
            first.entry(function.name.as_bytes()).or_insert(index);
        }
        let mut resolved = Vec::with_capacity(relocs.len());
        for (reloc, name, span) in relocs {
            let function = functions.get(usize::from(reloc.resolved_index));
            let index = match &name {
                Some(name)
                    if function.is_some_and(|function| *function.name.as_bytes() == **name) =>
                {
                    Ok(reloc.resolved_index)
                }
                Some(name) => {
                    first.get(&name[..]).copied().ok_or("there is no function of this name")
                }
                // The index of no function must not become that of a function that was added later.
                None if function.is_some() => Err("a function has this index: add its name"),
                None => Ok(reloc.resolved_index),
            };
            match index {
                Ok(resolved_index) => resolved.push(Reloc { resolved_index, ..reloc }),
                Err(message) => self.c.report(span, message),
            }
        }
        resolved
    }

    /// Sorts the functions: those that are defined precede those that are only declared, except
    /// where an annotation states the index. Returns the relocations in the same order.
    fn order_functions(&mut self, externs: Vec<Extern>, defined: Vec<Relocs>) -> Vec<Relocs> {
        let functions = core::mem::take(&mut self.module.functions);
        let known: BTreeSet<Vec<u8>> =
            functions.iter().map(|function| function.name.as_bytes().to_vec()).collect();
        let defined = functions.into_iter().zip(defined);
        let (mut given, others): (Vec<Extern>, Vec<Extern>) =
            externs.into_iter().partition(|function| function.at.is_some());
        let mut seen = known;
        seen.extend(given.iter().map(|function| function.name.clone()));
        let mut others: BTreeMap<Vec<u8>, Extern> =
            others.into_iter().map(|function| (function.name.clone(), function)).collect();
        let function =
            |name: &[u8], linkage| Function { name: name.into(), linkage, ..Function::default() };
        let mut declared = Vec::new();
        for name in core::mem::take(&mut self.declared_functions) {
            if seen.insert(name.clone()) {
                let (linkage, relocs) = match others.remove(&name) {
                    Some(other) => (other.linkage, other.relocs),
                    None => (Linkage::EXTERN, Relocs::default()),
                };
                declared.push((function(&name, linkage), relocs));
            }
        }
        for other in others.into_values() {
            let message =
                "`extern` is ignored: no kernel declares this function, or the text defines it";
            self.warn(&other.span, message.into());
        }
        given.sort_by_key(|function| function.at);
        let mut given = given.into_iter().peekable();
        let mut unplaced = defined.chain(declared);
        let (mut functions, mut ordered) = (Vec::new(), Vec::new());
        let placed = |given: Extern| (function(&given.name, given.linkage), given.relocs);
        loop {
            let is_next = |given: &Extern| given.at.is_some_and(|at| at <= functions.len());
            let (function, relocs) = if let Some(given) = given.next_if(is_next) {
                placed(given)
            } else if let Some(next) = unplaced.next() {
                next
            } else if let Some(given) = given.next() {
                placed(given)
            } else {
                break;
            };
            functions.push(function);
            ordered.push(relocs);
        }
        self.module.functions = functions;
        ordered
    }

    fn order_sections(&mut self, given: Vec<(Section<'static>, Range<usize>)>) {
        let mut seen = BTreeSet::new();
        let mut sections = Vec::with_capacity(given.len());
        let mut missing = None;
        for (section, span) in given {
            let exists = match &section {
                Section::Kernel(kernel) | Section::GenBinary { kernel, .. } => {
                    *kernel < self.module.kernels.len()
                }
                Section::Function(index) => {
                    let function = self.module.functions.get(*index);
                    function.is_some_and(|function| function.definition.is_some())
                }
                Section::Gap(_) => true,
            };
            if !exists {
                missing = missing.or(Some(span));
            } else if section.key().is_some_and(|key| !seen.insert(key)) {
                self.c.report(span, "this section is specified more than once");
            } else {
                sections.push(section);
            }
        }
        match missing {
            None => self.module.set_sections(sections),
            Some(span) => {
                let message = "`sections` is ignored: there is no such routine";
                self.warn(&span, message.into());
            }
        }
    }
}

/// Decodes an entry of a table, which must have all of the bytes.
fn entry<E: Wire>(bytes: &[u8], format: Format) -> Result<E> {
    let mut r = Reader::new(bytes, format);
    let entry = E::decode(&mut r)?;
    match r.rest().len() {
        0 => Ok(entry),
        count => Err(r.error(ErrorKind::TrailingBytes { count })),
    }
}
