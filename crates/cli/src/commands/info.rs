//! `genvisa info`: prints what files state about their kernels.

mod binary;
mod deny;
pub mod json;
mod module;

use std::path::{Path, PathBuf};

use clap::Args;
use genvisa_container::device::{BinaryError, KernelOverview, Overview};
use genvisa_container::{EmbeddedBinaries, FileKind};
use serde_json::Value;

use self::deny::Condition;
use super::{CommandLine, Run};
use crate::input::choice::split_choice;
use crate::input::container::warn_of_damage;
use crate::input::kind::WrongKind;
use crate::input::walk::{self, File, Wanted};
use crate::input::{one_of, read_kind};
use crate::modules::routines::no_routine;
use crate::options::{DialectArg, FormatArgs, ReportFormat};
use crate::output::Output;
use crate::output::parallel::for_each;
use crate::sarif;
use crate::words::{printable, shown};

/// Print what a file states about its kernels, such as registers, spills and arguments
///
/// Device binaries (zebin) of IGC are described by their section .ze_info, wherever they are: in files of
/// ocloc and of caches, in archives, and in programs and libraries with device code. For .isa and
/// .visaasm files, the version, routines, tables and numbers of opcodes are printed.
///
/// Several files or folders are a table with a line for each kernel. Of two device binaries, the
/// differences are printed.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa info crates/interp/tests/data/scale-bmg.bin
  genvisa info before.bin after.bin                  Print the differences
  genvisa info ~/.triton/cache --deny spills         Fail if a kernel spills registers
  genvisa info --deny 'registers>128' program
  genvisa info --deny spills --format sarif build/ > findings.sarif
  genvisa info --json kernel.bin | jq '.[].kernels[] | {name, grf_count, spill_size}'
  genvisa info tests/data/tour.isa
  genvisa info --json shader.isa | jq '.[].routines[].name'")]
pub struct Info {
    /// Files of any kind, folders, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Print only the routines of this name
    #[arg(long, visible_alias = "kernel", value_name = "NAME")]
    pub routine: Option<String>,
    /// Fail if a kernel of a device binary has a number that is not 0, such as spills, or that is greater or
    /// less than another, such as 'registers>128'. The names are those of the table or of .ze_info
    #[arg(long, value_name = "CONDITION")]
    pub deny: Vec<Condition>,
    #[command(flatten)]
    pub format: FormatArgs,
    #[command(flatten)]
    pub dialect: DialectArg,
}

/// A device binary.
struct Binary {
    file: String,
    /// The offset in the file or in its unpacked part, and the number of bytes.
    offset: usize,
    size: usize,
    /// The members and files that contain it.
    path: Vec<String>,
    overview: Result<Overview, BinaryError>,
}

impl Binary {
    /// Returns the name for the user.
    fn name(&self) -> String {
        match &self.path[..] {
            [] => self.file.clone(),
            path => format!("{} ({})", self.file, printable(&path.join(", "))),
        }
    }

    fn kernels(&self) -> &[KernelOverview] {
        self.overview.as_ref().map_or(&[], |overview| &overview.kernels)
    }
}

/// What a file is.
enum Answer {
    /// Device binaries.
    Binaries(Vec<Binary>),
    /// A `.isa` file or text, which was printed, or is an element of the JSON.
    Module(Option<Value>),
    /// Nothing that the command reads.
    Nothing,
}

/// All files in folders, except links.
const ALL: Wanted = Wanted { is_wanted: |path| !path.is_symlink(), what: None };

impl Run for Info {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        run(self, out)
    }

    fn exit_codes() -> &'static [(u8, &'static str)] {
        &[(1, "A kernel has a number that --deny refuses")]
    }

    fn inputs(&self) -> Vec<&Path> {
        self.files.iter().map(PathBuf::as_path).collect()
    }

    fn check(&self) -> Result<(), String> {
        match &self.deny[..] {
            [] => self.format.check_without_findings("info without --deny"),
            _ => Ok(()),
        }
    }
}

fn run(args: &Info, out: &mut Output) -> anyhow::Result<()> {
    let has_folder = args.files.iter().any(|path| walk::is_folder(path));
    let files = walk::expand(&args.files, &ALL, out)?.files;
    if let ([file], false) = (&files[..], has_folder) {
        // Its error is the error of the command.
        let answer = read(args, file, out)?;
        return print(args, vec![answer], has_folder, out);
    }
    let mut answers = Vec::new();
    let work = |file: &File, out: &mut Output| match read(args, file, out) {
        Ok(answer) => Ok(answer),
        Err(error) => {
            out.report_error(format_args!("{error:#}"))?;
            Ok(Answer::Nothing)
        }
    };
    for_each(&files, File::path, out, work, |answer| answers.push(answer))?;
    print(args, answers, has_folder, out)
}

fn read(args: &Info, file: &File, out: &mut Output) -> anyhow::Result<Answer> {
    let (path, choice) = split_choice(&file.path);
    let bytes = match read_kind(&path, FileKind::may_contain_visa, "vISA") {
        Err(error) if file.is_in_folder && error.is::<WrongKind>() => return Ok(Answer::Nothing),
        bytes => bytes?,
    };
    let kind = FileKind::of(&bytes);
    if kind.is_container() && choice.is_none() {
        let binaries = binaries(&path, &bytes, out)?;
        if !binaries.is_empty() {
            return Ok(Answer::Binaries(binaries));
        }
    }
    // Folders contain files of all kinds.
    if file.is_in_folder && !matches!(kind, FileKind::Object | FileKind::Visa) {
        return Ok(Answer::Nothing);
    }
    let input = one_of(&file.path, bytes.into(), args.routine.as_ref(), &args.dialect)?;
    if !args.deny.is_empty() {
        let file = shown(&path);
        out.warn(format_args!("`{file}` has no device binary, whose numbers --deny could refuse"))?;
    }
    Ok(Answer::Module(module::info(args, &input, out)?))
}

fn binaries(path: &Path, bytes: &[u8], out: &mut Output) -> anyhow::Result<Vec<Binary>> {
    let EmbeddedBinaries { binaries, damage, .. } = EmbeddedBinaries::read(bytes);
    let file = shown(path);
    warn_of_damage(&file, &damage, out)?;
    let binaries = binaries.into_iter().map(|binary| Binary {
        file: file.clone(),
        offset: binary.offset,
        size: binary.bytes.len(),
        overview: Overview::from_bytes(&binary.bytes),
        path: binary.path,
    });
    Ok(binaries.collect())
}

fn print(
    args: &Info,
    answers: Vec<Answer>,
    has_folder: bool,
    out: &mut Output,
) -> anyhow::Result<()> {
    let (mut values, mut errors) = (Vec::new(), Vec::new());
    let mut files: Vec<Vec<Binary>> = Vec::new();
    for answer in answers {
        match answer {
            Answer::Binaries(binaries) => files.push(binaries),
            Answer::Module(value) => values.extend(value),
            Answer::Nothing => {}
        }
    }
    if let Some(routine) = &args.routine {
        select(&mut files, routine, out)?;
    }
    let binaries = || files.iter().flatten();
    for binary in binaries() {
        if let Err(error) = &binary.overview {
            let error = format!("`{}`: {error}", binary.name());
            out.report_error(&error)?;
            errors.push(error);
        }
    }
    match args.format.get() {
        ReportFormat::Json => {
            values.extend(binaries().map(json::binary));
            out.write_json(&values)?;
        }
        ReportFormat::Sarif => {}
        ReportFormat::Text => match &files[..] {
            [] => {}
            [one] if args.files.len() == 1 && !has_folder => binary::print(one, out)?,
            [before, after] if args.files.len() == 2 && !has_folder => {
                binary::compare(before, after, out)?;
            }
            _ => binary::table(binaries(), out)?,
        },
    }
    let mut results = Vec::new();
    for binary in binaries() {
        for (kernel, condition) in
            binary.kernels().iter().flat_map(|kernel| args.deny.iter().map(move |it| (kernel, it)))
        {
            if let Some(number) = condition.applies(kernel) {
                let (file, name) = (binary.name(), printable(&kernel.name));
                let message = format!(
                    "kernel `{name}`: {} is {number}, denied by {condition}",
                    condition.measure
                );
                out.report_error(format_args!("{file}: {message}"))?;
                results.push(deny::result(binary, condition, &message));
            }
        }
    }
    if args.format.get() == ReportFormat::Sarif {
        sarif::print(results, deny::describe, errors.iter(), out)?;
    }
    Ok(())
}

/// Removes other kernels than one with a name, and binaries without it. Reports that no file has it.
fn select(files: &mut [Vec<Binary>], name: &str, out: &mut Output) -> anyhow::Result<()> {
    let binaries = files.iter_mut().flatten();
    let (mut others, mut is_found) = (Vec::new(), false);
    for binary in binaries {
        let Ok(overview) = &mut binary.overview else { continue };
        others.extend(overview.kernels.iter().map(|kernel| printable(&kernel.name)));
        overview.kernels.retain(|kernel| kernel.name == name);
        is_found |= !overview.kernels.is_empty();
    }
    let file = files.iter().flatten().next().map(Binary::name).unwrap_or_default();
    for binaries in files.iter_mut() {
        binaries.retain(|binary| binary.overview.is_err() || !binary.kernels().is_empty());
    }
    if !is_found && !others.is_empty() {
        out.report_error(no_routine(&file, name, others.into_iter()))?;
    }
    Ok(())
}
