//! Parsing of annotations of the file, and the order of its sections.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::functions::FunctionEntry;
use super::parser::{Extern, FileParser, ReadRoutine};
use crate::error::{ErrorKind, Result};
use crate::format::Format;
use crate::object::{Linkage, RoutineKind, Section};
use crate::text::cursor::Parsed;
use crate::text::diagnostic::nearest;
use crate::text::recorder::{Referent, TokenKind};
use crate::text::statements::Relocs;
use crate::text::statements::annotations::Subject;
use crate::text::words::annotations::line;
use crate::wire::{Reader, Wire};

impl FileParser<'_> {
    /// Parses an annotation that is a line of its own.
    pub(in crate::text) fn annotation(&mut self) -> Parsed<()> {
        let mark = self.p.c.at;
        self.p.c.at += 3;
        self.p.c.record(mark, TokenKind::Annotation);
        self.p.c.skip_spaces();
        let start = self.p.c.at;
        let word = self.p.c.word_here();
        if line::OF_FILES.contains(&word) {
            if self.routine.is_some() {
                let message = format!("`//@ {word}` must precede the first routine");
                return Err(self.p.c.fail(start..self.p.c.at, &message));
            }
            self.file_annotation(word, start)?;
        } else if line::OF_ROUTINES.contains(&word) {
            match (&mut self.routine, self.file.externs.last_mut()) {
                (Some(routine), _) => self.p.routine_annotation(routine, word)?,
                (None, Some(function)) if word == line::RELOCS => {
                    function.relocs.extend(self.p.relocs_annotation()?);
                }
                _ => {
                    let message = format!("`//@ {word}` must follow the start of a routine");
                    return Err(self.p.c.fail(start..self.p.c.at, &message));
                }
            }
        } else {
            self.p.c.at = start;
            let known = line::OF_ROUTINES.into_iter().chain(line::OF_FILES);
            let near = nearest(word, known);
            let failed = self.p.c.expected("an annotation, such as `strings`");
            self.p.c.diagnostics.suggest(near.map(String::from));
            return Err(failed);
        }
        self.p.expect_annotation_end()
    }

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
        self.p.c.skip_spaces();
        let name_start = self.p.c.at;
        let name = self.p.c.string()?.into_owned();
        let function = TokenKind::Reference(Referent::Function);
        self.p.c.classify(&(name_start..self.p.c.at), function);
        let annotations = self.p.annotation_items(Subject::Extern)?;
        self.file.externs.push(Extern {
            name,
            linkage: annotations.linkage.map_or(Linkage::EXTERN, |linkage| linkage.value),
            at: annotations.at.map(|at| at.value.into()),
            relocs: Relocs::default(),
            span: start..self.p.c.at,
        });
        Ok(())
    }

    /// Parses `file_variable = BYTES`.
    fn file_variable_annotation(&mut self, start: usize) -> Parsed<()> {
        let bytes = self.p.annotation_bytes()?;
        let span = start..self.p.c.at;
        match entry(&bytes, self.p.text_format()) {
            Ok(variable) => {
                self.file.variables.push(variable);
                Ok(())
            }
            Err(error) => {
                let message = format!("invalid variable of the file: {error}");
                Err(self.p.c.fail(span, &message))
            }
        }
    }

    /// Parses `sections (kernel INDEX | function INDEX | binary KERNEL INDEX)* [padding = BYTES]`.
    fn sections_annotation(&mut self) -> Parsed<()> {
        while !matches!(self.p.c.skip_spaces(), None | Some(b'\n')) {
            let start = self.p.c.at;
            let section = match self.p.c.word_here() {
                "kernel" => Section::Kernel(self.section_index()?),
                "function" => Section::Function(self.section_index()?),
                "binary" => Section::GenBinary {
                    kernel: self.section_index()?,
                    index: self.section_index()?,
                },
                "padding" => Section::Gap(self.p.annotation_bytes()?.into()),
                _ => {
                    self.p.c.at = start;
                    return Err(self.p.c.expected("`kernel`, `function`, `binary` or `padding`"));
                }
            };
            self.file.sections.push((section, start..self.p.c.at));
        }
        Ok(())
    }

    fn section_index(&mut self) -> Parsed<usize> {
        self.p.annotation_number::<u16>().map(usize::from)
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
                self.p.c.report(span, "this section is specified more than once");
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
                self.p.warn(&span, message.into());
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
