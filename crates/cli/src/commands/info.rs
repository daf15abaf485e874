//! `genvisa info`: prints what files state about their kernels.

mod binary;
pub mod json;
mod module;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use genvisa_container::device::{BinaryError, KernelOverview, Overview};
use genvisa_container::{EmbeddedBinary, FileKind};
use serde_json::Value;

use super::{CommandLine, Run};
use crate::input::choice::split_choice;
use crate::input::kind::WrongKind;
use crate::input::walk::{self, File, Wanted};
use crate::input::{one_of, read_kind};
use crate::modules::routines::no_routine;
use crate::options::DialectArg;
use crate::output::Output;
use crate::output::parallel::for_each;
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
  genvisa info kernel.bin
  genvisa info before.bin after.bin                  Print the differences
  genvisa info ~/.triton/cache --deny spills         Fail if a kernel spills registers
  genvisa info --deny 'registers>128' program
  genvisa info --json kernel.bin | jq '.[].kernels[] | {name, grf_count, spill_size}'
  genvisa info shader.isa
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
    /// Print as JSON. Kernels of device binaries have the members of .ze_info
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub dialect: DialectArg,
}

/// A condition about a number of a kernel.
#[derive(Clone, Debug)]
pub struct Condition {
    measure: String,
    is_less: bool,
    limit: i64,
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Condition, String> {
        let (measure, limit) = text.split_once(['<', '>']).unwrap_or((text, "0"));
        if !KernelOverview::is_measure(measure) {
            let short: Vec<&str> = KernelOverview::MEASURES.iter().map(|it| it.name).collect();
            let names = short.join(", ");
            return Err(format!(
                "`{measure}` is no number of a kernel; these are: {names}, or those of .ze_info"
            ));
        }
        let limit = limit.parse().map_err(|_| format!("expected a number, found `{limit}`"))?;
        Ok(Condition { measure: measure.into(), is_less: text.contains('<'), limit })
    }
}

impl Condition {
    /// Returns the number if it is as the condition says.
    fn applies(&self, kernel: &KernelOverview) -> Option<i64> {
        let number = kernel.measure(&self.measure)?;
        let applies = if self.is_less { number < self.limit } else { number > self.limit };
        applies.then_some(number)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_less { '<' } else { '>' };
        write!(f, "{}{sign}{}", self.measure, self.limit)
    }
}

/// A device binary.
struct Binary {
    file: String,
    /// The offset in the file, and the number of bytes.
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
        let binaries = binaries(&path, &bytes);
        if !binaries.is_empty() {
            return Ok(Answer::Binaries(binaries));
        }
    }
    // Folders contain files of all kinds.
    if file.is_in_folder && !matches!(kind, FileKind::Object | FileKind::Visa) {
        return Ok(Answer::Nothing);
    }
    let input = one_of(&file.path, bytes.into(), args.routine.as_ref(), &args.dialect)?;
    Ok(Answer::Module(module::info(args, &input, out)?))
}

fn binaries(path: &Path, bytes: &[u8]) -> Vec<Binary> {
    let embedded = EmbeddedBinary::all(bytes).into_iter();
    let binary = |EmbeddedBinary { range, path: members, .. }| Binary {
        file: shown(path),
        offset: range.start,
        size: range.len(),
        path: members,
        overview: Overview::from_bytes(&bytes[range]),
    };
    embedded.map(binary).collect()
}

fn print(
    args: &Info,
    answers: Vec<Answer>,
    has_folder: bool,
    out: &mut Output,
) -> anyhow::Result<()> {
    let mut values = Vec::new();
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
            out.report_error(format_args!("`{}`: {error}", binary.name()))?;
        }
    }
    if args.json {
        values.extend(binaries().map(json::binary));
        out.write_json(&values)?;
    } else {
        match &files[..] {
            [] => {}
            [one] if args.files.len() == 1 && !has_folder => binary::print(one, out)?,
            [before, after] if args.files.len() == 2 && !has_folder => {
                binary::compare(before, after, out)?;
            }
            _ => binary::table(binaries(), out)?,
        }
    }
    for binary in binaries() {
        for (kernel, condition) in
            binary.kernels().iter().flat_map(|kernel| args.deny.iter().map(move |it| (kernel, it)))
        {
            if let Some(number) = condition.applies(kernel) {
                let (file, name) = (binary.name(), printable(&kernel.name));
                let measure = &condition.measure;
                out.report_error(format_args!(
                    "{file}: kernel `{name}`: {measure} is {number}, denied by {condition}"
                ))?;
            }
        }
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
