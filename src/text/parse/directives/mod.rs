//! Parsing of directives, such as `.kernel` and `.decl`.

mod attributes;
mod declarations;
mod inputs;

use alloc::format;

use super::Parser;
use super::annotations::Subject;
use super::cursor::{Failed, Parsed};
use super::diagnostic::{cut, nearest};
use super::routine::ParsedRoutine;
use crate::object::RoutineKind;
use crate::text::directives::{Directive, IMPLICIT, IMPLICIT_KINDS};
use inputs::implicit_kind;

impl<'t> Parser<'t> {
    /// Parses a statement that begins with a dot. Returns the subject of an annotation after it.
    pub(super) fn directive(&mut self) -> Parsed<Subject> {
        let start = self.c.at;
        self.c.at += 1;
        let word = self.c.word_here();
        if let Some(word) = debug_info(word) {
            return self.debug_info(word, start);
        }
        let implicit = word.strip_prefix(IMPLICIT).and_then(implicit_kind);
        let directive = Directive::of(word);
        let is_known = directive.is_some() || implicit.is_some();
        if self.routine.is_none() && is_known && directive.is_none_or(Directive::needs_routine) {
            self.c.at = start;
            let message =
                format!("expected `.kernel` or `.global_function`, found `.{}`", cut(word));
            let failed = self.c.fail(start..start + 1 + word.len(), &message);
            self.c.skip_routine();
            return Err(failed);
        }
        match directive {
            Some(Directive::Version) => self.version(start)?,
            Some(Directive::Kernel) => {
                self.start(RoutineKind::Kernel, start)?;
                return Ok(Subject::Routine);
            }
            Some(Directive::GlobalFunction) => {
                self.start(RoutineKind::Function, start)?;
                return Ok(Subject::Routine);
            }
            Some(Directive::Funcdecl) => {
                let name = self.c.string()?.into_owned();
                self.declared_functions.push(name);
            }
            Some(Directive::Decl) => return self.declaration(),
            Some(Directive::Parameter) if self.is_strict() => {
                let message = "version 4.2 has no `.parameter`";
                let help = Some("write `.input`".into());
                return Err(self.c.fail_with_help(start..self.c.at, message, help));
            }
            Some(Directive::Input | Directive::Parameter) => self.input(0)?,
            Some(Directive::Function) => self.function(start)?,
            Some(Directive::KernelAttr) => {
                let attribute = self.attribute()?;
                self.routine().attributes.push((attribute, None));
                return Ok(Subject::Attribute);
            }
            None => match implicit {
                Some(kind) => self.input(kind)?,
                None => return Err(self.unknown_directive(word, start)),
            },
        }
        Ok(Subject::Nothing)
    }

    /// Parses the rest of `.file` or `.loc`, which are instructions.
    fn debug_info(&mut self, word: &str, start: usize) -> Parsed<Subject> {
        if self.routine.is_none() {
            let message = format!("`{word}` must follow `.kernel` or `.global_function`");
            return Err(self.c.fail(start..self.c.at, &message));
        }
        let instruction = self.by_word(word, start)?;
        self.push(&instruction, start..self.c.at);
        Ok(Subject::Nothing)
    }

    fn unknown_directive(&mut self, word: &str, start: usize) -> Failed {
        let near = match word.strip_prefix(IMPLICIT) {
            Some(kind) => nearest(kind, IMPLICIT_KINDS.map(|(name, _)| name))
                .map(|near| format!("did you mean `.{IMPLICIT}{near}`?")),
            None => nearest(word, Directive::ALL.iter().map(|directive| directive.word()))
                .map(|near| format!("did you mean `.{near}`?")),
        };
        let message = format!("unknown directive `.{}`", cut(word));
        let failed = self.c.fail_with_help(start..self.c.at, &message, near);
        if self.routine.is_none() {
            // Every statement up to the next routine would have the same error.
            self.c.skip_routine();
        }
        failed
    }

    /// Parses the name after `.kernel` or `.global_function`, and starts the routine.
    fn start(&mut self, kind: RoutineKind, start: usize) -> Parsed<()> {
        let section = self.open_version.take().unwrap_or_else(|| {
            self.end_routine(start);
            start
        });
        // Warnings about the `.version` are about the file: other routines may share it.
        self.file_warnings.append(&mut self.warnings.0);
        if self.text_version.is_none() {
            let span = start..self.c.at;
            let help = Some("add a line such as `.version 3.6` before it".into());
            self.c.fail_with_help(span, "the text has no `.version`", help);
            // Do not report this again.
            self.text_version = Some((self.format.version.major(), 0));
            self.is_version_wrong = true;
        }
        self.c.skip_blanks();
        let (name, parsed) = match self.c.string_or_name() {
            Ok(Some(name)) => (Some(name.into_owned()), Ok(())),
            Ok(None) => (None, Err(self.c.expected("a name"))),
            Err(failed) => (None, Err(failed)),
        };
        self.symbols.start_routine();
        self.c.builtins.clear();
        self.strings.clear();
        self.routine = Some(ParsedRoutine::new(kind, name, section, start..self.c.at, self.format));
        parsed
    }

    /// Returns the current routine. Directives that need one are rejected before the first.
    pub(super) fn routine(&mut self) -> &mut ParsedRoutine<'t> {
        let new = || ParsedRoutine::new(RoutineKind::Kernel, None, 0, 0..0, self.format);
        self.routine.get_or_insert_with(new)
    }

    /// Skips `key=` if it comes next. Returns whether it does.
    #[inline(always)] // so that the comparison is with a constant
    fn eat_key(&mut self, key: &str) -> bool {
        let start = self.c.at;
        self.c.skip_blanks();
        if self.c.eat_word_here(key) && self.c.eat("=") {
            return true;
        }
        self.c.at = start;
        false
    }

    #[inline]
    fn expect_key(&mut self, key: &str) -> Parsed<()> {
        if self.eat_key(key) { Ok(()) } else { Err(self.expected_key(key)) }
    }

    #[cold]
    fn expected_key(&mut self, key: &str) -> Failed {
        self.c.expected(&format!("`{key}=`"))
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
