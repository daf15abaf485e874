//! Parsing of directives, such as `.kernel` and `.decl`.

use alloc::format;

use super::parser::FileParser;
use crate::format::Version;
use crate::object::RoutineKind;
use crate::text::context::RowState;
use crate::text::cursor::{Failed, Parsed};
use crate::text::diagnostic::{cut, nearest};
use crate::text::recorder::{CompletionKind, Referent, TokenKind};
use crate::text::statements::annotations::Subject;
use crate::text::statements::{ParsedRoutine, implicit_kind};
use crate::text::words::{Directive, IMPLICIT, IMPLICIT_KINDS};

impl<'t> FileParser<'t> {
    /// Parses a statement that begins with a dot. Returns the subject of an annotation after it.
    pub(in crate::text) fn directive(&mut self) -> Parsed<Subject> {
        let start = self.p.c.at;
        self.p.c.at += 1;
        let word = self.p.c.word_here();
        self.p.c.record(start, TokenKind::Directive);
        if let Some(word) = debug_info(word) {
            return self.debug_info(word, start);
        }
        let implicit = word.strip_prefix(IMPLICIT).and_then(implicit_kind);
        let directive = Directive::of(word);
        if let Some(directive) = directive {
            self.p.c.record_meaning(start, || directive.meaning());
        }
        match directive {
            Some(Directive::Version) => {
                self.version(start)?;
                return Ok(Subject::Nothing);
            }
            Some(Directive::Kernel) => {
                self.start(RoutineKind::Kernel, start)?;
                return Ok(Subject::Routine);
            }
            Some(Directive::GlobalFunction) => {
                self.start(RoutineKind::Function, start)?;
                return Ok(Subject::Routine);
            }
            Some(Directive::Funcdecl) => {
                self.p.c.skip_blanks();
                let name_start = self.p.c.at;
                let name = self.p.c.string()?.into_owned();
                let function = TokenKind::Reference(Referent::Function);
                self.p.c.classify(&(name_start..self.p.c.at), function);
                self.declared_functions.push(name);
                return Ok(Subject::Nothing);
            }
            None if implicit.is_none() => return Err(self.unknown_directive(word, start)),
            _ => {}
        }
        let Some(routine) = &mut self.routine else {
            self.p.c.at = start;
            let message =
                format!("expected `.kernel` or `.global_function`, found `.{}`", cut(word));
            let failed = self.p.c.fail(start..start + 1 + word.len(), &message);
            self.p.c.skip_routine();
            return Err(failed);
        };
        match directive {
            Some(Directive::Decl) => return self.p.declaration(routine),
            Some(Directive::Parameter) if self.p.is_strict() => {
                let message = "version 4.2 has no `.parameter`";
                let help = Some("write `.input`".into());
                let failed = self.p.c.fail_with_help(start..self.p.c.at, message, help);
                let input = Directive::Input.text();
                self.p.c.diagnostics.set_last_replacement(input);
                return Err(failed);
            }
            Some(Directive::Function) => self.p.function(routine)?,
            Some(Directive::KernelAttr) => {
                let attribute = self.p.attribute()?;
                routine.attributes.push((attribute, None));
                return Ok(Subject::Attribute);
            }
            _ if routine.kind == RoutineKind::Function => {
                let span = start..self.p.c.at;
                return Err(self.p.c.fail(span, "a function has no inputs"));
            }
            _ => self.p.input(routine, implicit.unwrap_or(0))?,
        }
        Ok(Subject::Nothing)
    }

    /// Parses the rest of `.file` or `.loc`, which are instructions.
    fn debug_info(&mut self, word: &str, start: usize) -> Parsed<Subject> {
        let Some(routine) = &mut self.routine else {
            let message = format!("`{word}` must follow `.kernel` or `.global_function`");
            return Err(self.p.c.fail(start..self.p.c.at, &message));
        };
        self.p.place_function(routine);
        let state = RowState { word: start..start + word.len(), ..RowState::default() };
        let instruction = self.p.by_word(word, state)?;
        self.p.push(routine, &instruction, start..self.p.c.at);
        Ok(Subject::Nothing)
    }

    fn unknown_directive(&mut self, word: &str, start: usize) -> Failed {
        self.complete_directives(start);
        let near = match word.strip_prefix(IMPLICIT) {
            Some(kind) => nearest(kind, IMPLICIT_KINDS.map(|(name, _)| name))
                .map(|near| format!(".{IMPLICIT}{near}")),
            None => nearest(word, Directive::ALL.iter().map(|directive| directive.word()))
                .map(|near| format!(".{near}")),
        };
        let message = format!("unknown directive `.{}`", cut(word));
        let failed = self.p.c.fail(start..self.p.c.at, &message);
        self.p.c.diagnostics.suggest(near);
        if self.routine.is_none() {
            // Every statement up to the next routine would have the same error.
            self.p.c.skip_routine();
        }
        failed
    }

    /// Records the directives as completions of a text that ends with the start of one.
    pub(super) fn complete_directives(&mut self, start: usize) {
        if self.p.c.is_completing() {
            let end = core::mem::replace(&mut self.p.c.at, start);
            let words = Directive::ALL.iter().map(|directive| directive.text());
            self.p.c.complete_words(CompletionKind::Directive, words);
            for (kind, _) in IMPLICIT_KINDS {
                self.p.c.complete(CompletionKind::Directive, &format!(".{IMPLICIT}{kind}"));
            }
            self.p.c.at = end;
        }
    }

    /// Parses the name after `.kernel` or `.global_function`, and starts the routine.
    fn start(&mut self, kind: RoutineKind, start: usize) -> Parsed<()> {
        let section = self.open_version.take().unwrap_or_else(|| {
            self.end_routine(start);
            start
        });
        // Warnings about the `.version` are about the file: other routines may share it.
        self.file_warnings.append(&mut self.p.warnings.0);
        if self.p.text_version.is_none() {
            let span = start..self.p.c.at;
            let help = Some("add a line such as `.version 3.6` before it".into());
            self.p.c.fail_with_help(span, "the text has no `.version`", help);
            // Do not report this again.
            self.p.text_version = Some((self.p.format.version.major(), 0));
            self.is_version_wrong = true;
        }
        self.p.c.skip_blanks();
        let name_start = self.p.c.at;
        let (name, parsed) = match self.p.c.string_or_name() {
            Ok(Some(name)) => (Some(name.into_owned()), Ok(())),
            Ok(None) => (None, Err(self.p.c.expected("a name"))),
            Err(failed) => (None, Err(failed)),
        };
        self.p.start_routine();
        if let Some(recorder) = &mut self.p.c.recorder {
            recorder.start_routine(kind, section, start..self.p.c.at, name_start);
        }
        self.routine =
            Some(ParsedRoutine::new(kind, name, section, start..self.p.c.at, self.p.format));
        parsed
    }

    /// Parses `.version 3.6`, which applies to the whole text or to the next routine.
    pub(in crate::text) fn version(&mut self, line_start: usize) -> Parsed<()> {
        // After an error, this `.version` may belong to another routine than the last one.
        let is_repeated = self.open_version.is_some() && self.p.c.diagnostics.is_empty();
        self.end_routine(line_start);
        self.open_version.get_or_insert(line_start);
        self.is_version_wrong = true;
        self.p.c.skip_blanks();
        let start = self.p.c.at;
        let major = self.p.c.number("a version, such as 3.6")?;
        if !self.p.c.eat_here(".") {
            return Err(self.p.c.expected("`.` and a minor version"));
        }
        let minor = self.p.c.number("a minor version")?;
        let span = line_start..self.p.c.at;
        if is_repeated {
            return Err(self.p.c.fail(span, "this routine already has a `.version`"));
        }
        self.p.text_version = Some((major, minor));
        if major < 3 {
            let message = "versions before 3.0 are not supported";
            return Err(self.p.c.fail(start..self.p.c.at, message));
        }
        if Version::new(major, minor).is_none() {
            // The compiler accepts every version.
            let read_as = self.p.format.version;
            let message = format!(
                "version {major}.{minor} is unknown; the text is read as version {read_as}"
            );
            self.p.warn(&(start..self.p.c.at), message);
        }
        self.is_version_wrong = false;
        Ok(())
    }
}

/// Returns the mnemonic of `.file` and `.loc`, which are instructions.
fn debug_info(directive: &str) -> Option<&'static str> {
    match directive {
        "file" => Some("FILE"),
        "loc" => Some("LOC"),
        _ => None,
    }
}
