//! `genvisa diff`: compares files, texts and folders.

mod files;
mod json;
mod objects;
mod text;

use std::io::Write;
use std::path::Path;

use genvisa::analysis::{Analysis, Statistics};
use genvisa::diff::{Differ, ModuleDiff, RoutinePair};
use genvisa::object::Routine;
use genvisa::verify::Platform;
use serde_json::Value;

use crate::args::Diff;
use crate::input::{Input, open};
use crate::load::{Loaded, load};
use crate::omitted::{Omitted, Unmatched, kernels};
use crate::output::Output;
use crate::shown;

use files::Entry;

pub fn run(args: &Diff, out: &mut Output) -> anyhow::Result<()> {
    let mut printer = Printer { args, out, json: Vec::new() };
    printer.run()?;
    if args.json {
        printer.out.write_json(&printer.json)?;
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
        let entries = self.or_trouble(files::pairs(a, b))?.unwrap_or_default();
        self.out.start_progress(entries.len());
        for entry in entries {
            match entry {
                Entry::Both(a, b) => {
                    self.out.next_file(&a);
                    self.files(&a, &b)?;
                }
                Entry::Only(is_a, folder, name) => {
                    self.out.next_file(&name);
                    self.only_in(is_a, &shown(&folder), &shown(&name))?;
                }
            }
        }
        Ok(())
    }

    /// Compares two files, or the objects in them.
    fn files(&mut self, a: &Path, b: &Path) -> anyhow::Result<()> {
        let open = |path| open(path, None, &self.args.dialect);
        let (of_a, of_b) = (self.or_trouble(open(a))?, self.or_trouble(open(b))?);
        let (Some(of_a), Some(of_b)) = (of_a, of_b) else { return Ok(()) };
        for pair in objects::pairs(of_a, of_b) {
            match pair {
                (Some(a), Some(b)) => self.objects(&a, &b)?,
                (Some(only), None) => self.only_in(true, &shown(a), &only.describe())?,
                (None, Some(only)) => self.only_in(false, &shown(b), &only.describe())?,
                (None, None) => {}
            }
        }
        Ok(())
    }

    /// Compares two `.isa` files or texts.
    fn objects(&mut self, a: &Input, b: &Input) -> anyhow::Result<()> {
        let (a_loaded, b_loaded) = (self.load(a)?, self.load(b)?);
        if let (Some(a_loaded), Some(b_loaded)) = (a_loaded, b_loaded) {
            let kernels =
                |loaded: &Loaded<'_>| loaded.module.kernels.len() + kernels(&loaded.omitted);
            let have_one_kernel = kernels(&a_loaded) == 1 && kernels(&b_loaded) == 1;
            let differ = Differ::new()
                .ignore_locations(self.args.ignore_locations)
                .match_by_name(!have_one_kernel);
            let diff = differ.modules(&a_loaded.module, &b_loaded.module);
            self.modules((&a.name, &a_loaded), (&b.name, &b_loaded), &diff, have_one_kernel)?;
        }
        Ok(())
    }

    /// Reads a file or text. Reports errors, and omits the routines of a text that have errors.
    fn load<'f>(&mut self, input: &'f Input) -> anyhow::Result<Option<Loaded<'f>>> {
        let loaded = load(input, &self.args.dialect, self.out);
        let loaded = self.or_trouble(loaded)?.flatten();
        if loaded.as_ref().is_none_or(|loaded| !loaded.omitted.is_empty()) {
            self.out.set_unreadable_input();
        }
        Ok(loaded)
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
        (a, a_loaded): (&str, &Loaded<'_>),
        (b, b_loaded): (&str, &Loaded<'_>),
        diff: &ModuleDiff,
        have_one_kernel: bool,
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
                    let (a, b) = (label(a, "", versions.0), label(b, "", versions.1));
                    let mut changes = String::new();
                    diff.write_declarations(&mut changes, &a, &b)?;
                    text::unified(self.out, &changes)?;
                }
            }
        }
        let a_routines: Vec<Routine<'_, '_>> = a_loaded.module.routines().collect();
        let b_routines: Vec<Routine<'_, '_>> = b_loaded.module.routines().collect();
        let mut a_omitted = Unmatched::new(&a_loaded.omitted, have_one_kernel);
        let mut b_omitted = Unmatched::new(&b_loaded.omitted, have_one_kernel);
        for RoutinePair { kind, a: of_a, b: of_b, diff: routine, .. } in &diff.routines {
            let name = |side: &Option<(usize, genvisa::object::Name)>| {
                side.as_ref().map(|(_, name)| format!("{kind} {name}")).unwrap_or_default()
            };
            match routine {
                None => {
                    let (is_a, side) = (of_a.is_some(), of_a.as_ref().or(of_b.as_ref()));
                    let plain = side.map(|(_, name)| name.to_string_lossy()).unwrap_or_default();
                    let omitted = if is_a { &mut b_omitted } else { &mut a_omitted };
                    match (omitted.take(*kind, &plain), is_a) {
                        (Some(omitted), true) => self.not_compared((a, b), b, omitted)?,
                        (Some(omitted), false) => self.not_compared((a, b), a, omitted)?,
                        (None, true) => self.only_in(true, a, &name(of_a))?,
                        (None, false) => self.only_in(false, b, &name(of_b))?,
                    }
                }
                Some(Err(_)) => {
                    let name = of_a.as_ref().map_or(String::new(), |(_, name)| name.to_string());
                    let of_a = of_a.as_ref().map(|(index, _)| (a, &a_routines[*index]));
                    let of_b = of_b.as_ref().map(|(index, _)| (b, &b_routines[*index]));
                    for (file, routine) in of_a.into_iter().chain(of_b) {
                        if let Some(error) = routine.instructions().find_map(Result::err) {
                            self.trouble_in((a, b), &name, &format!("{file}: {error}"))?;
                        }
                    }
                }
                Some(Ok(routine)) if routine.is_empty() => {}
                Some(Ok(routine)) => {
                    self.out.set_failed();
                    let statistics =
                        of_a.as_ref().zip(of_b.as_ref()).and_then(|((a, _), (b, _))| {
                            let before = self.statistics(&a_routines[*a], a_loaded.platform)?;
                            let after = self.statistics(&b_routines[*b], b_loaded.platform)?;
                            Some(before.changes(&after))
                        });
                    let mut changes = statistics.unwrap_or_default();
                    changes.retain(|change| change.difference() != 0);
                    if self.args.json {
                        let value = json::routine((a, b), routine, self.args.unified, &changes);
                        self.json.push(value);
                        continue;
                    }
                    let a = label(a, &name(of_a), versions.0);
                    let b = label(b, &name(of_b), versions.1);
                    text::unified(self.out, &routine.to_unified(&a, &b, self.args.unified))?;
                    text::statistics(self.out, &changes)?;
                }
            }
        }
        for omitted in a_omitted.rest() {
            match b_omitted.take(omitted.kind, &omitted.name) {
                Some(other) => {
                    self.not_compared((a, b), a, omitted)?;
                    self.not_compared((a, b), b, other)?;
                }
                None => self.only_in(true, a, &omitted.to_string())?,
            }
        }
        for omitted in b_omitted.rest() {
            self.only_in(false, b, &omitted.to_string())?;
        }
        Ok(())
    }

    /// Returns the statistics of a routine, unless they are not printed. Errors in the routine have
    /// been reported.
    fn statistics(
        &self,
        routine: &Routine<'_, '_>,
        platform: Option<Platform>,
    ) -> Option<Statistics> {
        if self.args.no_stats {
            return None;
        }
        let registers = self.args.registers.size(platform, routine.body);
        Some(Statistics::new(routine, &Analysis::new(routine, registers).ok()?))
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

    /// Reports a routine of a file that is not compared, because it has errors.
    fn not_compared(
        &mut self,
        files: (&str, &str),
        file: &str,
        omitted: &Omitted,
    ) -> anyhow::Result<()> {
        let message = format!("{file}: {omitted} has errors and is not compared");
        self.trouble_in(files, &omitted.name, &message)
    }

    /// Reports an error in a routine; the others are compared.
    fn trouble_in(
        &mut self,
        files: (&str, &str),
        routine: &str,
        message: &str,
    ) -> anyhow::Result<()> {
        if self.args.json {
            self.json.push(json::error(files, routine, message));
        }
        self.trouble(message)
    }

    fn trouble(&mut self, message: impl std::fmt::Display) -> anyhow::Result<()> {
        self.out.set_unreadable_input();
        Ok(self.out.report_error(message)?)
    }
}
