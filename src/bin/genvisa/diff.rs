//! `genvisa diff`: compares files, texts and folders.

mod files;
mod json;
mod text;

use std::io::Write;
use std::path::Path;

use genvisa::Module;
use genvisa::diff::{Differ, ModuleDiff, RoutinePair};
use genvisa::object::Routine;
use serde_json::Value;

use crate::args::Diff;
use crate::asm::{self, Source};
use crate::input::{MAGIC, is_text, read};
use crate::output::Output;
use crate::shown;

use files::Entry;

pub fn run(args: &Diff, out: &mut Output) -> anyhow::Result<()> {
    let mut printer = Printer { args, out, json: Vec::new() };
    printer.run()?;
    if args.json {
        writeln!(printer.out, "{}", serde_json::to_string_pretty(&printer.json)?)?;
    }
    Ok(())
}

/// Prints differences as text, or collects them for JSON.
struct Printer<'p> {
    args: &'p Diff,
    out: &'p mut Output,
    json: Vec<Value>,
}

impl Printer<'_> {
    fn run(&mut self) -> anyhow::Result<()> {
        let (a, b) = (&self.args.a, &self.args.b);
        match self.or_trouble(files::are_folders(a, b))? {
            Some(false) => return self.files(a, b),
            Some(true) => {}
            None => return Ok(()),
        }
        for entry in self.or_trouble(files::pairs(a, b))?.unwrap_or_default() {
            match entry {
                Entry::Both(a, b) => self.files(&a, &b)?,
                Entry::Only(is_a, folder, name) => {
                    self.only_in(is_a, &shown(&folder), &shown(&name))?;
                }
            }
        }
        Ok(())
    }

    /// Compares two files.
    fn files(&mut self, a: &Path, b: &Path) -> anyhow::Result<()> {
        let (a_bytes, b_bytes) = (self.or_trouble(read(a))?, self.or_trouble(read(b))?);
        let (Some(a_bytes), Some(b_bytes)) = (a_bytes, b_bytes) else { return Ok(()) };
        let (a, b) = (shown(a), shown(b));
        let (a_module, b_module) = (self.module(&a, &a_bytes), self.module(&b, &b_bytes));
        let (a_module, b_module) = (self.or_trouble(a_module)?, self.or_trouble(b_module)?);
        if let (Some(Some(a_module)), Some(Some(b_module))) = (a_module, b_module) {
            let differ = Differ::new().ignore_locations(self.args.ignore_locations);
            let diff = differ.modules(&a_module, &b_module);
            self.modules((&a, &a_module), (&b, &b_module), &diff)?;
        }
        Ok(())
    }

    /// Reads a file or text. Reports the errors in a text.
    fn module<'f>(&mut self, name: &str, bytes: &'f [u8]) -> anyhow::Result<Option<Module<'f>>> {
        if bytes.starts_with(MAGIC) || !is_text(bytes) {
            let module = Module::from_bytes(bytes, self.args.dialect.of_files());
            return Ok(Some(module.map_err(|error| anyhow::anyhow!("{name}: {error}"))?));
        }
        let source = Source { name: name.into(), text: bytes.into() };
        let assembled = asm::parse(&source, &self.args.dialect, None, self.out)?;
        if assembled.is_none() {
            self.out.set_unreadable_input();
        }
        Ok(assembled.map(|assembled| assembled.module))
    }

    /// Reports an error in an input.
    fn or_trouble<T>(&mut self, result: anyhow::Result<T>) -> anyhow::Result<Option<T>> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) => {
                self.trouble(format_args!("{error:#}"))?;
                Ok(None)
            }
        }
    }

    fn modules(
        &mut self,
        (a, a_module): (&str, &Module<'_>),
        (b, b_module): (&str, &Module<'_>),
        diff: &ModuleDiff,
    ) -> anyhow::Result<()> {
        let versions = (diff.format_a.version, diff.format_b.version);
        let label = |file: &str, rest: &str, version: genvisa::Version| {
            // A version is not a difference, but may explain one.
            let has_versions = versions.0 != versions.1;
            let version = if has_versions { format!("vISA {version}") } else { String::new() };
            let separator = if has_versions && !rest.is_empty() { ", " } else { "" };
            format!("{file}\t{rest}{separator}{version}").trim_end().to_string()
        };
        if !diff.declarations.is_empty() {
            self.out.set_failed();
            match self.args.json {
                true => self.json.push(json::declarations((a, b), &diff.declarations)),
                false => {
                    let labels = (label(a, "", versions.0), label(b, "", versions.1));
                    text::declarations(self.out, &labels, &diff.declarations)?;
                }
            }
        }
        let a_routines: Vec<Routine<'_, '_>> = a_module.routines().collect();
        let b_routines: Vec<Routine<'_, '_>> = b_module.routines().collect();
        for pair in &diff.routines {
            let RoutinePair { kind, a: of_a, b: of_b, diff: routine, .. } = pair;
            let name = |side: &Option<(usize, genvisa::object::Name)>| {
                side.as_ref().map(|(_, name)| format!("{kind} {name}")).unwrap_or_default()
            };
            match routine {
                None => {
                    let is_a = of_a.is_some();
                    let name = if is_a { name(of_a) } else { name(of_b) };
                    self.only_in(is_a, if is_a { a } else { b }, &name)?;
                }
                Some(Err(error)) => self.trouble_in(a, b, pair, error)?,
                Some(Ok(routine)) if routine.is_empty() => {}
                Some(Ok(routine)) => {
                    self.out.set_failed();
                    if self.args.json {
                        self.json.push(json::routine((a, b), routine, self.args.unified));
                        continue;
                    }
                    let labels =
                        (label(a, &name(of_a), versions.0), label(b, &name(of_b), versions.1));
                    text::routine(self.out, &labels, routine, self.args.unified)?;
                    if let (Some((a, _)), Some((b, _))) = (of_a, of_b) {
                        text::statistics(self.out, &a_routines[*a], &b_routines[*b])?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Reports a file or routine without a counterpart.
    fn only_in(&mut self, is_a: bool, place: &str, what: &str) -> anyhow::Result<()> {
        self.out.set_failed();
        match self.args.json {
            true => self.json.push(json::only_in(is_a, place, what)),
            false => writeln!(self.out, "Only in {place}: {what}")?,
        }
        Ok(())
    }

    /// Reports a routine that cannot be decoded; the others are compared.
    fn trouble_in(
        &mut self,
        a: &str,
        b: &str,
        pair: &RoutinePair,
        error: &genvisa::Error,
    ) -> anyhow::Result<()> {
        let name = pair.a.as_ref().map_or(String::new(), |(_, name)| name.to_string());
        if self.args.json {
            self.json.push(json::error((a, b), &name, error));
        }
        self.trouble(format_args!("{a}, {b}: {error}"))
    }

    fn trouble(&mut self, message: impl std::fmt::Display) -> anyhow::Result<()> {
        self.out.set_unreadable_input();
        Ok(self.out.report_error(message)?)
    }
}
