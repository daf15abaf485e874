//! `genvisa stats`: counts of instructions, messages and branches, and the peak of the pressure.

mod compare;
mod folders;
pub mod json;
mod lines;
mod summary;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::path::PathBuf;

use clap::Args;
use genvisa::Format;
use genvisa::Platform;
use genvisa::RegisterSize;
use genvisa::analysis::{Analysis, Message, Operation, Statistics, Target};
use genvisa::object::{Routine, RoutineKind};
use genvisa_container::device::KernelOverview;
use serde_json::Value;

use super::{CommandLine, Run};
use crate::finalizer_asm::{FinalizerAsm, MachineCode};
use crate::input::walk::{self, File};
use crate::input::{Input, open};
use crate::modules::load::load;
use crate::modules::names::name_of;
use crate::modules::omitted::Omitted;
use crate::modules::routines::no_routine;
use crate::modules::routines::routines;
use crate::options::{AsmArgs, DialectArg, RegisterArgs};
use crate::output::{Output, parallel};
use crate::source_files::SourceFiles;
use crate::words::{count, printable, shortened};
use lines::Line;

/// Count instructions, messages and branches, and find where registers are used
///
/// For one file, prints a table for each routine. For two files, prints the routines of the same
/// name side by side, with the differences. For two folders, does so for the files that diff would
/// match, where their numbers differ. For more files and other folders, prints a line for each
/// routine. If a routine has an error, the error is reported and the others are printed.
///
/// Registers are counted before they are allocated: those that the live variables take; see
/// --registers for their size. vISA contains no spills, which the finalizer adds later: scratch
/// reads and writes are those of the compiler, such as accesses to private arrays. The finalizer
/// needs about 10 registers more than are live. Where this estimate is above the number that a
/// thread has, the table says that it is a sign of spills: the attribute NumGRF, or else 128, and
/// 256 where the compiler may choose (since Xe3).
///
/// LOC applies to the instructions after it in the text, whatever branches do; the compiler may
/// have moved instructions between lines.
///
/// With --asm, the numbers of the machine code are added: the registers that a thread has, the
/// spilled bytes, the instructions, and those of them that the finalizer added.
///
/// With --json, the output is a list of objects, one for each routine, with the numbers of the
/// table, and all variables that are live at the peak.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa stats tests/data/collatz.visaasm
  genvisa stats tests/data/dot.visaasm tests/data/dot-unrolled.visaasm    Print the differences
  genvisa stats dumps-of-2.39/ dumps-of-2.40/        Print what differs
  genvisa stats --routine main shader.isa
  genvisa stats dumps/ | sort -k4 -n                 Sort routines by pressure
  genvisa stats --by-line --source-root src/ kernel.visaasm
  genvisa stats --asm kernel.visaasm                 Add the numbers of kernel.asm
  genvisa stats --json dumps/ | jq '.[] | {routine, registers: .peak.registers}'")]
pub struct Stats {
    /// .isa or .visaasm files, folders, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Print only the routines of this name
    #[arg(long, visible_alias = "kernel", value_name = "NAME")]
    pub routine: Option<String>,
    #[command(flatten)]
    pub registers: RegisterArgs,
    /// Print a table of the source lines that LOC and FILE state instead: those with the most
    /// instructions first, then in the order of files and lines. Markers such as labels, for which no
    /// code is generated, are not counted. With --json, the lines are added
    #[arg(long)]
    pub by_line: bool,
    /// Look for source files in this folder: under the end of their names, the longest first, and
    /// then where FILE states, below the current folder or the folder of an input
    #[arg(long, value_name = "DIR", requires = "by_line")]
    pub source_root: Option<PathBuf>,
    #[command(flatten)]
    pub asm: AsmArgs,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub dialect: DialectArg,
}

/// The statistics of a routine of a file.
pub struct Entry {
    pub file: String,
    pub kind: RoutineKind,
    pub name: String,
    pub format: Format,
    /// The platform that the user or the text states.
    pub platform: Option<Platform>,
    pub registers: RegisterSize,
    pub statistics: Statistics,
    /// The names of the surfaces that messages access.
    surfaces: BTreeMap<Target, String>,
    /// The operation before which the peak is.
    pub peak_operation: String,
    /// The names of the variables at the peak.
    pub live_names: Vec<String>,
    /// The source lines, if the user requests them.
    pub lines: Option<Vec<Line>>,
    /// The machine code, if the user requests it and there is some.
    pub machine_code: Option<MachineCode>,
    /// What the device binary states that contains the text of the kernel.
    pub stated: Option<KernelOverview>,
}

impl Entry {
    pub fn new(
        file: &str,
        routine: &Routine<'_, '_>,
        platform: Option<Platform>,
        args: &RegisterArgs,
        sources: Option<&SourceFiles>,
    ) -> genvisa::Result<Entry> {
        let registers = args.size(platform, routine.body);
        let analysis = Analysis::new(routine, registers)?;
        let statistics = Statistics::new(routine, &analysis);
        let mut surfaces = BTreeMap::new();
        for (Message { target, .. }, _) in &statistics.messages {
            if let Target::Surface(surface) = target {
                if let Some(name) = routine.body.name_of(*surface) {
                    surfaces.insert(*target, name.to_string_lossy());
                }
            }
        }
        let peak = statistics.peak.as_ref();
        let peak_instruction = peak.and_then(|peak| analysis.instructions.get(peak.instruction));
        let peak_operation = peak_instruction.map(|it| Operation::of(it).to_string());
        let live = statistics.peak.iter().flat_map(|peak| &peak.variables);
        let live_names = live.map(|variable| name_of(variable.root, routine.body)).collect();
        let lines = sources.map(|sources| lines::of_routine(&analysis, routine.body, sources));
        Ok(Entry {
            file: file.into(),
            kind: routine.kind,
            name: routine.name.to_string_lossy(),
            format: routine.format(),
            platform: args.platform.or(platform),
            registers,
            statistics,
            surfaces,
            peak_operation: peak_operation.unwrap_or_default(),
            live_names,
            lines,
            machine_code: None,
            stated: None,
        })
    }

    /// Returns the largest number of registers that the finalizer may give to a thread.
    pub fn registers_of_thread(&self) -> u32 {
        let may_choose = self.platform.is_some_and(|platform| platform >= Platform::Xe3);
        match self.statistics.num_grf {
            None if !may_choose => 128,
            None | Some(0) => 256,
            Some(count) => count,
        }
    }

    /// Sets what the device binary states that contains the input.
    pub fn with_stated(mut self, input: &Input) -> Entry {
        let binary = input.binary.as_ref().filter(|_| self.kind == RoutineKind::Kernel);
        self.stated = binary.and_then(|binary| binary.kernel(&self.name)).cloned();
        self
    }

    /// Returns the numbers that the device binary states, with their names.
    pub fn stated_numbers(&self) -> Vec<(&'static str, i64)> {
        let numbers = |stated: &KernelOverview| {
            let measures = KernelOverview::MEASURES.iter();
            let code = stated.code_size.and_then(|size| i64::try_from(size).ok());
            measures
                .map(|measure| (measure.name, stated.execution(measure.member)))
                .chain(code.map(|code| ("code", code)))
                .collect()
        };
        self.stated.as_ref().map(numbers).unwrap_or_default()
    }

    /// Returns the name of the surface that a message accesses, if it has one.
    pub fn surface_name(&self, message: &Message) -> Option<&str> {
        self.surfaces.get(&message.target).map(String::as_str)
    }
}

/// A file, and the entries of its routines that have no errors.
pub struct FileEntries {
    name: String,
    entries: Vec<Entry>,
    /// The selected routines that have errors.
    omitted: Vec<Omitted>,
    /// The names of all routines, if the user requests one that the file does not contain.
    others: BTreeSet<String>,
}

impl Run for Stats {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        run(self, out)
    }

    fn inputs(&self) -> Vec<&Path> {
        self.files.iter().map(PathBuf::as_path).chain(self.asm.files()).collect()
    }

    fn check(&self) -> Result<(), String> {
        self.asm.check(&self.files.iter().map(PathBuf::as_path).collect::<Vec<_>>())
    }

    fn prints_report(&self) -> bool {
        true
    }
}

fn run(args: &Stats, out: &mut Output) -> anyhow::Result<()> {
    if let ([a, b], false) = (&args.files[..], args.json || args.by_line) {
        if walk::is_folder(a) && walk::is_folder(b) {
            return folders::compare(args, a, b, out);
        }
    }
    let has_folder = args.files.iter().any(|path| walk::is_folder(path));
    let paths = walk::expand(&args.files, &walk::VISA, out)?.files;
    // With one file, an unknown routine is an error about this file.
    let reader = Reader::new(args, has_folder || paths.len() > 1);
    let mut files = Vec::new();
    let mut is_filter = reader.is_filter;
    let paths: Vec<(usize, File)> = paths.into_iter().enumerate().collect();
    let read = |(index, file): &(usize, File), out: &mut Output| reader.file(*index, file, out);
    parallel::for_each(
        &paths,
        |(_, file)| &file.path,
        out,
        read,
        |of_file| {
            is_filter |= of_file.is_container;
            files.extend(of_file.files);
        },
    )?;
    if let Some(routine) = &args.routine {
        let is_lacking = |file: &FileEntries| file.entries.is_empty() && file.omitted.is_empty();
        if !files.is_empty() && files.iter().all(is_lacking) {
            let others: BTreeSet<String> =
                files.iter().flat_map(|file| file.others.clone()).collect();
            let place = count(files.len(), "file");
            out.report_error(no_routine(&place, routine, others.into_iter()))?;
        }
    }
    let entries = files.iter().flat_map(|file| &file.entries);
    if !args.json {
        warn_of_different_sizes(entries.clone(), out)?;
    }
    match &files[..] {
        _ if args.json => {
            let all: Vec<Value> = entries.map(json::routine).collect();
            out.write_json(&all)
        }
        _ if args.by_line => Ok(lines::print(entries, is_filter, out)?),
        [_] if !is_filter => Ok(table::print(entries, out)?),
        [before, after] if paths.len() == 2 && !has_folder => {
            Ok(compare::print(before, after, out)?)
        }
        _ => Ok(summary::print(entries, out)?),
    }
}

/// Warns if the registers of routines that are printed together have different sizes.
fn warn_of_different_sizes<'e>(
    entries: impl Iterator<Item = &'e Entry>,
    out: &mut Output,
) -> std::io::Result<()> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for entry in entries {
        *counts.entry(entry.registers.bytes()).or_default() += 1;
    }
    if counts.len() < 2 {
        return Ok(());
    }
    let sizes = counts
        .iter()
        .map(|(bytes, routines)| format!("{bytes} bytes in {}", count(*routines, "routine")));
    let sizes = sizes.collect::<Vec<_>>().join(" and ");
    out.warn(format_args!(
        "registers have {sizes}: do not compare their numbers; use --registers to count all in one size"
    ))
}

/// The objects of a file that was read.
#[derive(Default)]
struct ReadFile {
    files: Vec<FileEntries>,
    /// Whether it is a container with several objects.
    is_container: bool,
}

/// Reads the entries of files.
struct Reader<'a> {
    args: &'a Stats,
    sources: SourceFiles,
    /// Whether a routine that the user requests may be in another file.
    is_filter: bool,
}

impl<'a> Reader<'a> {
    fn new(args: &'a Stats, is_filter: bool) -> Reader<'a> {
        let sources = SourceFiles::new(args.source_root.as_ref(), &args.files);
        Reader { args, sources, is_filter }
    }

    /// Returns the entries of the objects in a file. Reports errors.
    fn file(
        &self,
        index: usize,
        File { path, is_in_folder }: &File,
        out: &mut Output,
    ) -> anyhow::Result<ReadFile> {
        let opened = open(path, self.args.routine.as_ref(), &self.args.dialect);
        let opened = opened.and_then(|inputs| {
            Ok((inputs, FinalizerAsm::of_input(&self.args.asm, index, path, *is_in_folder)?))
        });
        let (inputs, asm) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                out.report_error(format_args!("{error:#}"))?;
                return Ok(ReadFile::default());
            }
        };
        let mut read = ReadFile { files: Vec::new(), is_container: inputs.len() > 1 };
        let is_filter = self.is_filter || read.is_container;
        for input in &inputs {
            let (args, sources) = (self.args, &self.sources);
            match entries_of(input, is_filter, args, sources, asm.as_ref(), out) {
                Ok(file) => read.files.extend(file),
                Err(error) => out.report_error(format_args!("{error:#}"))?,
            }
        }
        Ok(read)
    }
}

/// Returns the entries of the routines of a file, and reports the errors of the others. Returns
/// `None` if a text has errors that are not in routines.
fn entries_of(
    input: &Input,
    is_filter: bool,
    args: &Stats,
    sources: &SourceFiles,
    asm: Option<&FinalizerAsm>,
    out: &mut Output,
) -> anyhow::Result<Option<FileEntries>> {
    let name = &*input.name;
    let Some(loaded) = load(input, &args.dialect, out)? else { return Ok(None) };
    args.registers.warn_of_assumption(name, &loaded.module, loaded.platform, out)?;
    if let Some(asm) = asm {
        asm.check(name, &loaded.module, loaded.platform, out)?;
    }
    let is_selected =
        |omitted: &Omitted| args.routine.as_ref().is_none_or(|name| omitted.name == *name);
    let selected = routines(&loaded.module, &loaded.omitted, name, args.routine.as_ref());
    let mut file = FileEntries {
        name: name.into(),
        entries: Vec::new(),
        omitted: loaded.omitted.into_iter().filter(is_selected).collect(),
        others: BTreeSet::new(),
    };
    let sources = args.by_line.then_some(sources);
    let routines = match selected {
        Err(_) if is_filter => {
            let names = loaded.module.routines().map(|routine| routine.name.to_string());
            file.others = names.collect();
            return Ok(Some(file));
        }
        selected => selected?,
    };
    for (_, routine) in routines {
        match Entry::new(name, &routine, loaded.platform, &args.registers, sources) {
            Ok(entry) => {
                let mut entry = entry.with_stated(input);
                let count = entry.statistics.instructions as usize;
                if let Some(asm) = asm {
                    entry.machine_code = asm.machine_code(&routine, count)?;
                }
                if let (Some(lines), Some(code)) = (&mut entry.lines, &entry.machine_code) {
                    lines::add_machine_code(lines, &routine, code);
                }
                file.entries.push(entry);
            }
            Err(error) => {
                let (kind, routine) = (routine.kind, routine.name.to_string_lossy());
                file.omitted.push(Omitted { kind, name: routine, has_errors: true });
                out.report_error(format_args!("{name}: {error}"))?;
            }
        }
    }
    Ok(Some(file))
}

/// Returns a name that fits a column: without control characters, and shortened.
fn cell(name: &str, width: usize) -> String {
    shortened(&printable(name), width)
}

/// Returns a part in percent of the whole.
fn percent(part: u32, whole: u32) -> f64 {
    100.0 * f64::from(part) / f64::from(whole.max(1))
}
