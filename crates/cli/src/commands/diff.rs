//! `genvisa diff`: compares files, texts and folders.

mod dumps;
pub mod files;
pub mod json;
mod machine;
mod named;
mod objects;
mod text;

use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

use clap::Args;
use genvisa::Platform;
use genvisa::analysis::{Analysis, Section, Statistics};
use genvisa::object::{Body, Routine};
use genvisa::{Instruction, Version};
use genvisa_diff::{Differ, RoutineDiff};
use serde_json::Value;

use super::{CommandLine, Run};
use crate::input::{Input, open};
use crate::modules::load::{Loaded, load};
use crate::modules::omitted::{Omitted, Unmatched, kernels};
use crate::options::{AsmArgs, DialectArg, RegisterArgs};
use crate::output::Output;
use crate::output::parallel;
use crate::words::{printable, shown};
use files::Entry;
use machine::AsmFiles;

/// Compare two .isa or .visaasm files, or two folders of them
///
/// Kernels and functions are matched by name, and their instructions aligned. If both files have
/// one kernel, the two are compared even if their names differ. The names and numbers of
/// variables, surfaces, samplers and labels, the order of declarations, comments and versions do
/// not matter. Prints the differences as a unified diff in the names of A: each instruction is a
/// line, and $n is the number of the first one in the text of dis.
///
/// In folders, files with the suffixes .isa and .visaasm are matched by their path in the folder,
/// and then by this path without the suffix. Others are matched if their routines have the same names:
/// first dumps whose names differ in a hash, then other files of the same folder, in their order.
///
/// With --asm, the numbers of the machine code are compared, too: the registers that a thread has,
/// the spilled bytes, the instructions, and those of them that the finalizer added.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa diff tests/data/dot.visaasm tests/data/dot-unrolled.visaasm
  genvisa diff -U 0 tests/data/collatz.visaasm tests/data/collatz-2.visaasm
  genvisa diff --routine main --with main_fast shader.isa
  genvisa diff dumps-of-2.39/ dumps-of-2.40/ | less -R
  genvisa diff --asm old.visaasm new.visaasm         Compare old.asm with new.asm, too
  genvisa diff --json a.isa b.isa | jq '.[].routine'")]
pub struct Diff {
    /// A .isa or .visaasm file, a folder, or - for standard input
    pub a: PathBuf,
    /// The file or folder to compare with, or - for standard input; with --with, the file A if it
    /// is not given
    #[arg(required_unless_present = "with")]
    pub b: Option<PathBuf>,
    /// The number of unchanged instructions before and after each change
    #[arg(long, short = 'U', value_name = "N", default_value_t = 3)]
    pub unified: usize,
    /// Ignore LOC and FILE, the debug information in the instructions
    #[arg(long)]
    pub ignore_locations: bool,
    /// Print as JSON: a list of the differences, which is empty if there are none
    #[arg(long)]
    pub json: bool,
    /// Compare only the routines of this name
    #[arg(long, visible_alias = "kernel", value_name = "NAME")]
    pub routine: Option<String>,
    /// Compare the routine of --routine with the routine of this name in B
    #[arg(long, value_name = "NAME", requires = "routine")]
    pub with: Option<String>,
    /// Print only the differences of the code, not of the statistics
    #[arg(long)]
    pub no_stats: bool,
    #[command(flatten)]
    pub asm: AsmArgs,
    #[command(flatten)]
    pub registers: RegisterArgs,
    #[command(flatten)]
    pub dialect: DialectArg,
}

impl Run for Diff {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        run(self, out)
    }

    fn exit_codes() -> &'static [(u8, &'static str)] {
        &[(1, "There are differences"), (2, "An input cannot be read")]
    }

    fn inputs(&self) -> Vec<&Path> {
        let files = std::iter::once(&*self.a).chain(self.b.as_deref());
        files.chain(self.asm.files()).collect()
    }

    fn check(&self) -> Result<(), String> {
        self.asm.check(&[&self.a, self.b.as_ref().unwrap_or(&self.a)])
    }

    fn prints_report(&self) -> bool {
        true
    }
}

fn run(args: &Diff, out: &mut Output) -> anyhow::Result<()> {
    let mut json = Vec::new();
    let entries = Printer::new(args, out).entries()?;
    let compare = |entry: &Entry, out: &mut Output| {
        let mut printer = Printer::new(args, out);
        printer.entry(entry)?;
        Ok((printer.json, printer.has_routine))
    };
    let mut has_routine = entries.is_empty();
    parallel::for_each(&entries, Entry::path, out, compare, |(values, is_found)| {
        json.extend(values);
        has_routine |= is_found;
    })?;
    if let Some(name) = args.routine.as_ref().filter(|_| !has_routine) {
        out.set_unreadable_input();
        out.report_error(format_args!("no routine `{}` in the inputs", printable(name)))?;
    }
    if args.json {
        out.write_json(&json)?;
    }
    Ok(())
}

/// Prints differences as text, or collects them for JSON.
struct Printer<'p> {
    args: &'p Diff,
    out: &'p mut Output,
    json: Vec<Value>,
    /// Whether a file has the requested routine.
    has_routine: bool,
}

/// Two files or texts that are compared.
struct Sides<'s> {
    /// The names of the files.
    names: (&'s str, &'s str),
    a: &'s Loaded<'s>,
    b: &'s Loaded<'s>,
    have_one_kernel: bool,
    asm: &'s AsmFiles,
}

/// Two routines to compare, or one without a counterpart.
struct Pair<'s> {
    a: Option<Routine<'s, 's>>,
    b: Option<Routine<'s, 's>>,
    /// The counterpart, if it has errors.
    omitted: Option<&'s Omitted>,
}

impl Sides<'_> {
    /// Returns the names of the files in the first two lines of a unified diff, each with the rest of
    /// its line.
    fn labels(&self, rest_a: &str, rest_b: &str) -> (String, String) {
        let (a, b) = (self.a.module.format.version, self.b.module.format.version);
        let label = |file: &str, rest: &str, version: Version| {
            // A version is not a difference, but may explain one.
            let version = if a != b { format!("vISA {version}") } else { String::new() };
            let separator = if a != b && !rest.is_empty() { ", " } else { "" };
            format!("{file}\t{rest}{separator}{version}").trim_end().to_string()
        };
        (label(self.names.0, rest_a, a), label(self.names.1, rest_b, b))
    }
}

impl<'p> Printer<'p> {
    fn new(args: &'p Diff, out: &'p mut Output) -> Printer<'p> {
        Printer { args, out, json: Vec::new(), has_routine: false }
    }

    /// Returns what to compare. Reports errors.
    fn entries(&mut self) -> anyhow::Result<Vec<Entry>> {
        let a = &self.args.a;
        let b = self.args.b.as_ref().unwrap_or(a);
        match self.or_trouble(files::are_folders(a, b))? {
            Some(false) => Ok(vec![Entry::Both(a.clone(), b.clone())]),
            Some(true) => {
                let pairs = files::pairs(a, b, &self.args.dialect, self.out);
                Ok(self.or_trouble(pairs)?.unwrap_or_default())
            }
            None => Ok(Vec::new()),
        }
    }

    fn entry(&mut self, entry: &Entry) -> anyhow::Result<()> {
        match entry {
            Entry::Both(a, b) => self.files(a, b),
            Entry::Only(is_a, folder, name) => self.only_in(*is_a, &shown(folder), &shown(name)),
        }
    }

    /// Compares two files, or the objects in them.
    fn files(&mut self, a: &Path, b: &Path) -> anyhow::Result<()> {
        let open = |path| open(path, None, &self.args.dialect);
        let (of_a, of_b) = (self.or_trouble(open(a))?, self.or_trouble(open(b))?);
        let (Some(of_a), Some(of_b)) = (of_a, of_b) else { return Ok(()) };
        let asm = AsmFiles::read(self.args, a, b);
        let Some(asm) = self.or_trouble(asm)? else { return Ok(()) };
        for pair in objects::pairs(of_a, of_b) {
            match pair {
                (Some(a), Some(b)) => self.objects(&a, &b, &asm)?,
                (Some(only), None) => self.only_in(true, &shown(a), &only.describe())?,
                (None, Some(only)) => self.only_in(false, &shown(b), &only.describe())?,
                (None, None) => {}
            }
        }
        Ok(())
    }

    /// Compares two `.isa` files or texts.
    fn objects(&mut self, a: &Input, b: &Input, asm: &AsmFiles) -> anyhow::Result<()> {
        let is_whole = self.args.routine.is_none() && !self.args.asm.is_present();
        if a.bytes == b.bytes && is_whole && self.is_readable(a) {
            return Ok(());
        }
        let args = self.args;
        let load = |input, out: &mut Output| Printer::new(args, out).load(input);
        let is_large = a.bytes.len() + b.bytes.len() >= parallel::LARGE;
        let of_b = |out: &mut Output| load(b, out);
        let loaded = parallel::both(is_large, self.out, |out| load(a, out), of_b)?;
        let (a_loaded, b_loaded) = match loaded {
            (Some(a_loaded), Some(b_loaded)) => (a_loaded, b_loaded),
            (of_a, of_b) => {
                let unread = [(&a.name, of_a.is_none()), (&b.name, of_b.is_none())];
                return self.report_unread((&a.name, &b.name), unread);
            }
        };
        let kernels = |loaded: &Loaded<'_>| loaded.module.kernels.len() + kernels(&loaded.omitted);
        let have_one_kernel = kernels(&a_loaded) == 1 && kernels(&b_loaded) == 1;
        let checked = asm.check([(a, &a_loaded), (b, &b_loaded)], self.out);
        self.or_trouble(checked)?;
        let names = (&*a.name, &*b.name);
        let sides = Sides { names, a: &a_loaded, b: &b_loaded, have_one_kernel, asm };
        self.modules(&sides, is_large)
    }

    /// Returns whether a file or text, including all instructions, is read without a message. It is
    /// then equal to itself.
    fn is_readable(&self, input: &Input) -> bool {
        let mut out = Output::recording(self.out.settings());
        let Ok(Some(loaded)) = load(input, &self.args.dialect, &mut out) else { return false };
        let is_valid = |routine: Routine<'_, '_>| {
            let mut decoder = routine.body.code.instructions(routine.format());
            let mut instruction = Instruction::default();
            loop {
                match decoder.next_into(&mut instruction) {
                    Ok(Some(_)) => {}
                    Ok(None) => return true,
                    Err(_) => return false,
                }
            }
        };
        out.into_recording().is_empty()
            && loaded.omitted.is_empty()
            && loaded.module.routines().all(is_valid)
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

    fn modules(&mut self, sides: &Sides<'_>, is_large: bool) -> anyhow::Result<()> {
        let Sides { names: (a, b), a: a_loaded, b: b_loaded, have_one_kernel, .. } = *sides;
        // Registers have one size in both files, as far as addresses are concerned.
        let stated = a_loaded.platform.or(b_loaded.platform);
        let differ = Differ::new()
            .with_register_size(self.args.registers.size(stated, &Body::default()))
            .ignore_locations(self.args.ignore_locations)
            .match_by_name(!have_one_kernel);
        if let (Some(first), Some(second)) = (&self.args.routine, &self.args.with) {
            return self.named(sides, differ, (first, second));
        }
        let modules = differ.match_routines(&a_loaded.module, &b_loaded.module);
        let of_files = modules.compare_declarations();
        let is_partial = |loaded: &Loaded<'_>| loaded.is_unread() || loaded.lacks_functions();
        let is_partial = is_partial(a_loaded) || is_partial(b_loaded);
        let is_partial = is_partial || self.args.routine.is_some();
        if !is_partial && !of_files.declarations.is_empty() {
            self.out.set_failed();
            match self.args.json {
                true => self.json.push(json::declarations((a, b), &of_files.declarations)),
                false => {
                    let (a, b) = sides.labels("", "");
                    let mut changes = String::new();
                    of_files.write_declarations(&mut changes, &a, &b)?;
                    text::unified(self.out, &changes)?;
                }
            }
        }
        let mut a_omitted = Unmatched::new(&a_loaded.omitted, have_one_kernel);
        let mut b_omitted = Unmatched::new(&b_loaded.omitted, have_one_kernel);
        let pairs: Vec<(usize, Pair<'_>)> = (0..modules.len())
            .map(|index| {
                let (a, b) = modules.routines(index);
                let omitted = match (a, b) {
                    (Some(a), None) => b_omitted.take(a.kind, &a.name.to_string_lossy()),
                    (None, Some(b)) => a_omitted.take(b.kind, &b.name.to_string_lossy()),
                    _ => None,
                };
                (index, Pair { a, b, omitted })
            })
            .filter(|(_, pair)| [pair.a, pair.b].iter().flatten().any(|it| self.is_selected(it)))
            .collect();
        self.has_routine |= !pairs.is_empty();
        let args = self.args;
        let compare = |(index, pair): &(usize, Pair<'_>), out: &mut Output| {
            let mut printer = Printer::new(args, out);
            printer.pair(sides, pair, || modules.compare(*index)?.diff)?;
            Ok(printer.json)
        };
        let json = &mut self.json;
        parallel::for_each_part(is_large, &pairs, self.out, compare, |values| json.extend(values))?;
        if self.args.routine.is_some() {
            return Ok(());
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

    /// Returns whether a routine is compared.
    fn is_selected(&self, routine: &Routine<'_, '_>) -> bool {
        self.args.routine.as_ref().is_none_or(|name| *routine.name == **name)
    }

    /// Compares two routines, or reports one without a counterpart.
    fn pair(
        &mut self,
        sides: &Sides<'_>,
        pair: &Pair<'_>,
        compare: impl FnOnce() -> Option<genvisa::Result<RoutineDiff>>,
    ) -> anyhow::Result<()> {
        let (a, b) = sides.names;
        let name = |routine: &Routine<'_, '_>| format!("{} {}", routine.kind, routine.name);
        let (of_a, of_b) = match (pair.a, pair.b, pair.omitted) {
            (Some(a), Some(b), _) => (a, b),
            (Some(_), None, Some(omitted)) => return self.not_compared((a, b), b, omitted),
            (None, Some(_), Some(omitted)) => return self.not_compared((a, b), a, omitted),
            (Some(of_a), None, None) => return self.only_in(true, a, &name(&of_a)),
            (None, Some(of_b), None) => return self.only_in(false, b, &name(&of_b)),
            (None, None, _) => return Ok(()),
        };
        let diff = match compare() {
            Some(Ok(diff)) => diff,
            Some(Err(_)) => {
                for (file, routine) in [(a, &of_a), (b, &of_b)] {
                    if let Some(error) = routine.instructions().find_map(Result::err) {
                        let name = of_a.name.to_string();
                        self.trouble_in((a, b), Some(&name), &format!("{file}: {error}"))?;
                    }
                }
                return Ok(());
            }
            None => return Ok(()),
        };
        let machine_code = self.or_trouble(sides.asm.changes(&of_a, &of_b))?.unwrap_or_default();
        if diff.is_empty() && machine_code.is_empty() {
            return Ok(());
        }
        self.out.set_failed();
        let statistics = || {
            let before = self.statistics(&of_a, sides.a.platform)?;
            let after = self.statistics(&of_b, sides.b.platform)?;
            Some(before.changes(&after))
        };
        let mut changes = statistics().unwrap_or_default();
        changes.retain(|change| change.difference() != 0);
        if changes.iter().any(|change| change.section == Section::Pressure) {
            for (name, loaded) in [(a, sides.a), (b, sides.b)] {
                let (module, platform) = (&loaded.module, loaded.platform);
                self.args.registers.warn_of_assumption(name, module, platform, self.out)?;
            }
        }
        let bytes = |routine: &Routine<'_, '_>, loaded: &Loaded<'_>| {
            self.args.registers.size(loaded.platform, routine.body).bytes()
        };
        let bytes = (bytes(&of_a, sides.a), bytes(&of_b, sides.b));
        if self.args.json {
            self.json.push(json::routine(
                (a, b),
                &diff,
                self.args.unified,
                &changes,
                &machine_code,
                bytes,
            ));
            return Ok(());
        }
        if bytes.0 != bytes.1 && !changes.is_empty() {
            self.out.warn(format_args!(
                "{a}: registers have {} bytes, in {b} {}: do not compare their numbers; use --registers \
                 to count both in one size",
                bytes.0, bytes.1
            ))?;
        }
        let lanes = (of_a.body.simd_size(), of_b.body.simd_size());
        if let (Some(lanes_a), Some(lanes_b)) = lanes {
            if lanes_a != lanes_b {
                self.out.warn(format_args!(
                    "{a}: {} is compiled for {lanes_a} lanes, in {b} for {lanes_b}: most lines differ",
                    name(&of_a)
                ))?;
            }
        }
        let (a, b) = sides.labels(&name(&of_a), &name(&of_b));
        let changes_of_code = match diff.is_empty() {
            // Only the machine code differs.
            true => format!("--- {a}\n+++ {b}\n"),
            false => diff.to_unified(&a, &b, self.args.unified),
        };
        text::unified(self.out, &changes_of_code)?;
        text::statistics(self.out, &changes)?;
        Ok(text::machine_code(self.out, &machine_code)?)
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

    /// Reports two files that are not compared, because at least one cannot be read.
    fn report_unread(
        &mut self,
        files: (&str, &str),
        unread: [(&String, bool); 2],
    ) -> anyhow::Result<()> {
        for (file, is_unread) in unread {
            if is_unread {
                let message = format!("{file}: not compared, because it cannot be read");
                self.trouble_in(files, None, &message)?;
            }
        }
        Ok(())
    }

    /// Reports a routine of a file that is not compared.
    fn not_compared(
        &mut self,
        files: (&str, &str),
        file: &str,
        omitted: &Omitted,
    ) -> anyhow::Result<()> {
        let message = match omitted.has_errors {
            true => format!("{file}: {omitted} has errors and is not compared"),
            false => format!("{file}: {omitted} is not compared; {}", omitted.reason()),
        };
        self.trouble_in(files, Some(&omitted.name), &message)
    }

    /// Reports an error in a routine, which is not compared. Without a routine, the files are not
    /// compared.
    fn trouble_in(
        &mut self,
        files: (&str, &str),
        routine: Option<&str>,
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
