//! Parsing of annotations of the file, and the order of its sections.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use super::Parser;
use super::annotations::Subject;
use super::cursor::Parsed;
use super::functions::{Extern, FunctionEntry};
use super::routine::{ReadRoutine, Relocs};
use crate::error::{ErrorKind, Result};
use crate::format::Format;
use crate::object::{FileScopeVar, Linkage, RoutineKind, Section};
use crate::text::annotations::line;
use crate::wire::{Reader, Wire};

/// The annotations of the file.
#[derive(Default)]
pub(super) struct FileFacts {
    pub(super) has_no_routines: bool,
    pub(super) variables: Vec<FileScopeVar>,
    pub(super) externs: Vec<Extern>,
    pub(super) sections: Vec<(Section<'static>, Range<usize>)>,
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

    /// Returns the sections in the order that an annotation states. Nothing if routines are omitted,
    /// because the annotation counts these.
    pub(super) fn order_sections(
        &mut self,
        given: Vec<(Section<'static>, Range<usize>)>,
        functions: &[FunctionEntry],
    ) -> Vec<Section<'static>> {
        let is_kernel = |routine: &&ReadRoutine| routine.kind == Some(RoutineKind::Kernel);
        let kernels = self.routines.iter().filter(is_kernel).count();
        let mut seen = BTreeSet::new();
        let mut sections = Vec::with_capacity(given.len());
        let mut missing = None;
        for (section, span) in given {
            let exists = match &section {
                Section::Kernel(kernel) | Section::GenBinary { kernel, .. } => *kernel < kernels,
                Section::Function(index) => {
                    functions.get(*index).is_some_and(|function| function.routine.is_some())
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
        let is_omitted = |routine: &ReadRoutine| routine.lowered.is_none();
        if self.routines.iter().any(is_omitted) {
            return Vec::new();
        }
        match missing {
            None => sections,
            Some(span) => {
                let message = "`sections` is ignored: there is no such routine";
                self.warn(&span, message.into());
                Vec::new()
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
