//! `genvisa run`: runs a kernel on the interpreter.

pub mod arguments;
mod coverage;
pub mod device;
mod inputs;
pub mod json;
mod observe;
mod outputs;
mod picture;
mod routine;
mod trace;
pub mod values;

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, ValueEnum};
use genvisa::Platform;
use genvisa_interp::dispatch::Printed;
use genvisa_interp::{Counts, Executed, Fault, Image};

use super::CommandLine;
use crate::input::choice::split_choice;
use crate::input::read;
use crate::input::same_file::{output_is_input, same_as};
use crate::options::{DialectArg, RegisterArgs};
use crate::output::Output;
use crate::source_files::SourceFiles;
use crate::words::count;
use arguments::{ArgumentText, Contents, InputText, Sizes};
use outputs::OutputText;

/// Run a kernel without a GPU, and report what is not defined
///
/// FILE is a device binary of IGC, or a text or .isa file.
///
/// A device binary has the texts of its kernels if ocloc is called with -internal_options
/// "-ze-emit-zebin-visa-sections". It states where arguments and ids go, so that the arguments are
/// those of the source: --arg for each, in their order, or NAME=VALUE. A VALUE is @FILE for a buffer
/// with the contents of a file, zero:BYTES for one of zeros, buffer:1,0*15 for one with these numbers,
/// local:BYTES for shared local memory,
/// null, image:KIND:FORMAT:SIZE:@FILE, sampler:FILTER:MODE:normalized, or numbers separated by commas.
/// Numbers have the type of the argument, or that of a suffix: f, h, d, c, uc, s, us, u, l or ul.
///
/// A dump of the compiler has the same in a file of its own, .zeinfo, which it writes with
/// IGC_DumpZEInfoToFile: give it with --info, and texts of functions with --functions.
///
/// Otherwise, a text or .isa file does not state it. Its kernel runs in one thread, or in those of
/// --thread-space. Its inputs are given by name with --input, or all of them as registers with --payload. An
/// input @FILE or zero:BYTES is the address of a buffer, and lanes:4:@FILE are addresses with a distance of
/// four bytes, one for each lane. One number is for all elements. The input of a surface, by name or as
/// bti:N for index N of the binding table, is an image, a buffer or an index; NAME:rt1, NAME:depth and NAME:stencil
/// are further images that RT_WRITE writes. That of a sampler, by name or as sampler:N, is a sampler or an index.
///
/// The interpreter stops at what hardware hides: accesses outside of buffers, variables and surfaces,
/// values that nobody wrote, races, barriers that not all lanes or threads reach. The error names the
/// instruction, the lane, the operand and the address.
///
/// Copies of values that nobody wrote do not stop the run. A store of such a value to memory that is not
/// private to threads or groups is a warning, which names the variable that was never written and the
/// instruction that read it; with --deny undefined, it stops the run. Two work-items of a device binary that run
/// in one thread do not disturb each other, so that a race of them is a warning, too; with --deny races, it
/// stops the run.
///
/// Output files are written after the whole run, and not at all if it stops.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa run crates/interp/tests/data/scale-bmg.bin --kernel scale --global 32 --local 32 \\
      --arg zero:128 --arg zero:128 --arg 2.5 --arg n=32
  genvisa run tests/data/collatz.visaasm --lanes 4 --input in=lanes:4:zero:64 \\
      --input out=lanes:4:zero:64 --input limit=2 --trace=steps
  genvisa run kernel.bin --kernel saxpy --global 1024 --local 64 --arg @y.bin --arg @x.bin \\
      --arg 2.0f --arg 1024 --out 0=@y.out
  genvisa run kernel.bin --kernel sum --global 256 --local 64 --arg o=zero:16 --arg x=@x.bin \\
      --arg l=local:256 --out o=@sums
  genvisa run kernel.visaasm --info program.zeinfo --global 64 --local 64 --arg zero:256
  genvisa run kernel.visaasm --input V0034=@y.bin --input V0036=7 --out V0034=@y.out
  genvisa run tests/data/mirror.visaasm --lanes 16 --thread-space 32,96 \\
      --input IN=image:2d:r8-unorm:256,192:@tests/data/lake.png \\
      --input LINEAR=sampler:linear:clamp-to-edge:normalized \\
      --input OUT=image:2d:r8-unorm:256,192:zero --out OUT=@out.png
  genvisa run kernel.bin --global 64 --local 64 --arg zero:256 --trace=V0052")]
pub struct Run {
    /// A device binary, .visaasm or .isa file, or - for a text on standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The kernel [default: the only one]
    #[arg(long, visible_alias = "routine", value_name = "NAME")]
    pub kernel: Option<String>,
    /// The .zeinfo file of a text, which states where arguments and ids go
    #[arg(long, value_name = "ZEINFO", conflicts_with_all = ["input", "payload", "lanes", "slm", "thread_space"])]
    pub info: Option<PathBuf>,
    /// A text with functions that the kernel calls
    #[arg(long, value_name = "FILE", requires = "info")]
    pub functions: Vec<PathBuf>,
    /// The number of work-items of each dimension, such as 1024 or 16,16
    #[arg(long, value_name = "SIZES")]
    pub global: Option<Sizes>,
    /// The number of work-items of a group [default: what the source requires]
    #[arg(long, value_name = "SIZES")]
    pub local: Option<Sizes>,
    /// The first global id of each dimension
    #[arg(long, value_name = "SIZES", requires = "global")]
    pub offset: Option<Sizes>,
    /// An argument of the kernel: VALUE or NAME=VALUE
    #[arg(long, value_name = "[NAME=]VALUE", allow_hyphen_values = true)]
    pub arg: Vec<ArgumentText>,
    /// Write the buffer of an argument or input to a file; ARG is the index or name of an argument, or
    /// the name of an input
    #[arg(long, value_name = "ARG=@FILE")]
    pub out: Vec<OutputText>,
    /// The value of an input of a text or .isa file
    #[arg(long, value_name = "NAME=VALUE", conflicts_with_all = ["global", "local", "arg"])]
    pub input: Vec<InputText>,
    /// The registers of a text or .isa file at the start, from %r0 on
    #[arg(long, value_name = "REGISTERS", conflicts_with_all = ["global", "local", "arg"])]
    pub payload: Option<PathBuf>,
    /// The number of lanes that run a text or .isa file [default: what it states, or 32]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=32))]
    #[arg(conflicts_with_all = ["global", "local", "arg"])]
    pub lanes: Option<u32>,
    /// Run a text or .isa file in a thread for each place of a space, such as 8,4, with the place in %thread_x
    /// and %thread_y
    #[arg(long, value_name = "WIDTH,HEIGHT", conflicts_with_all = ["global", "local", "arg"])]
    pub thread_space: Option<Sizes>,
    /// The bytes of shared local memory of a text or .isa file
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(..=1 << 24))]
    #[arg(conflicts_with_all = ["global", "local", "arg"])]
    pub slm: Option<u32>,
    #[command(flatten)]
    pub registers: RegisterArgs,
    /// Look for the source files that FILE names under DIR, to print the lines of what is reported
    #[arg(long, value_name = "DIR")]
    pub source_root: Option<PathBuf>,
    /// Print each instruction before it is executed, or the values of a variable when they change
    #[arg(long, value_name = "VAR", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub trace: Option<String>,
    /// Debug the run: talk to a client by the Debug Adapter Protocol, on standard input and output
    #[arg(long, conflicts_with_all = ["trace", "coverage", "threads", "schedule", "json"])]
    pub debug: bool,
    /// Print how much of the program ran, and the instructions that did not; with --json, how often each ran
    #[arg(long)]
    pub coverage: bool,
    /// Stop at what is a warning otherwise
    #[arg(long, value_name = "WHAT")]
    pub deny: Vec<Denied>,
    /// Stop at an element whose address is not a multiple of its size, as OpenCL C requires; optimized code
    /// may combine smaller elements
    #[arg(long)]
    pub strict_alignment: bool,
    /// The number of groups that run at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=256), conflicts_with = "trace")]
    pub threads: u32,
    /// Run groups and threads in turns, in an order that the seed determines, so that they can wait for each other:
    /// some instructions of one, then some of another
    #[arg(long, value_name = "SEED", conflicts_with_all = ["trace", "threads"])]
    pub schedule: Option<u64>,
    /// Stop a thread when its instructions have had so many active lanes
    #[arg(long, value_name = "N", default_value_t = 1 << 32)]
    pub limit: u64,
    /// The maximum number of bytes of memory for all buffers, with what is recorded about accesses to
    /// them, and for the local memory and the variables of each group that runs
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 30)]
    pub memory_limit: u64,
    /// Print a summary as JSON, with the trace if there is one
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub dialect: DialectArg,
}

/// What stops a run instead of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Denied {
    /// Stores of values that nobody wrote
    Undefined,
    /// Races of work-items that run in one thread
    Races,
}

/// What was run.
pub struct Summary {
    pub kernel: String,
    pub platform: Option<Platform>,
    pub groups: u32,
    pub threads: u64,
    pub result: Result<Counts, Fault>,
    /// What the kernel printed.
    pub printed: Printed,
    /// The stores of values that nobody wrote.
    pub undefined_stores: Vec<Fault>,
    /// The races of two lanes of a thread.
    pub races_of_lanes: Vec<Fault>,
    /// How often each instruction was executed, if it was counted.
    pub coverage: Option<Vec<Executed>>,
    /// The trace, if it is part of the summary.
    pub traced: Option<Vec<trace::Traced>>,
}

/// A buffer that can be written to a file, after the run.
#[derive(Default)]
pub struct Buffer {
    /// The names by which the user can refer to it.
    pub names: Vec<String>,
    pub bytes: Vec<u8>,
    /// The image whose texels it has.
    pub image: Option<Image>,
    /// The first byte that depends on a value that nobody wrote.
    pub first_undefined: Option<usize>,
}

impl Run {
    /// Returns an option for kernels of device binaries.
    fn option_of_device_binaries(&self) -> Option<&'static str> {
        let sizes =
            [("--global", &self.global), ("--local", &self.local), ("--offset", &self.offset)];
        let given = sizes.into_iter().find_map(|(option, sizes)| sizes.as_ref().map(|_| option));
        let others = [
            (!self.arg.is_empty(), "--arg"),
            // The lanes of a text need not be work-items.
            (self.deny.contains(&Denied::Races), "--deny races"),
            (self.schedule.is_some(), "--schedule"),
        ];
        given.or_else(|| {
            others.into_iter().find_map(|(is_given, option)| is_given.then_some(option))
        })
    }

    /// Returns what the arguments or inputs contain.
    fn contents(&self) -> impl Iterator<Item = &Contents> {
        let of_arguments = self.arg.iter().map(|argument| &argument.contents);
        of_arguments.chain(self.input.iter().map(|input| &input.contents))
    }
}

impl super::Run for Run {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        run(self, out)
    }

    fn inputs(&self) -> Vec<&Path> {
        let files = self.contents().filter_map(Contents::file);
        let others = self.payload.iter().chain(&self.info).chain(&self.functions);
        [self.file.as_path()].into_iter().chain(others.map(PathBuf::as_path)).chain(files).collect()
    }

    // There may be several.
    fn output(&self) -> Option<PathBuf> {
        None
    }

    fn prints_report(&self) -> bool {
        true
    }

    fn check(&self) -> Result<(), String> {
        let inputs: Vec<PathBuf> =
            super::Run::inputs(self).into_iter().map(|path| split_choice(path).0).collect();
        let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
        if self.debug && inputs.contains(&Path::new("-")) {
            return Err("with --debug, standard input is for the client of the debugger".into());
        }
        for (index, output) in self.out.iter().enumerate() {
            if let Some(same) = same_as(&output.path, &inputs) {
                return Err(output_is_input(&output.path, same));
            }
            if self.out[..index].iter().any(|other| other.path == output.path) {
                return Err("two outputs are written to the same file".into());
            }
        }
        Ok(())
    }
}

fn run(args: &Run, out: &mut Output) -> anyhow::Result<()> {
    let zeros = args.contents().map(Contents::zeros).fold(0, u64::saturating_add);
    if zeros > args.memory_limit {
        bail!("the buffers of zeros have {zeros} bytes; --memory-limit is {}", args.memory_limit);
    }
    let (file, choice) = split_choice(&args.file);
    let (summary, buffers) = if choice.is_none() && device::is_device_binary(&file)? {
        device::run(args, device::read_binary(args, &read(&file)?)?, out)?
    } else if let Some(info) = &args.info {
        device::run(args, device::read_texts(args, info)?, out)?
    } else {
        routine::run(args, out)?
    };
    let written = match &summary.result {
        Ok(_) => outputs::write(&args.out, &buffers)?,
        Err(_) => Vec::new(),
    };
    if let Some(problem) = &summary.printed.problem {
        out.warn(format_args!("the output of printf is not complete: {problem}"))?;
    }
    if args.json {
        out.write_json(&[json::summary(&args.file, &summary, &written)])?;
        if summary.result.is_err() {
            out.set_failed();
        }
        return Ok(());
    }
    let sources = SourceFiles::new(args.source_root.as_ref(), [&args.file]);
    // With --debug, standard output is for the client of the debugger.
    if !args.debug {
        print_output(&summary.printed, out)?;
    }
    let warnings = [
        (&summary.undefined_stores, "store values that were never written"),
        (&summary.races_of_lanes, "race with other lanes"),
    ];
    for (faults, what) in warnings {
        for fault in faults.iter().take(MAX_WARNINGS) {
            out.warn(with_sources(fault, &sources))?;
        }
        if let Some(more) = faults.len().checked_sub(MAX_WARNINGS + 1) {
            let instructions = count(more + 1, "other instruction");
            out.warn(format_args!("{instructions} also {what}"))?;
        }
    }
    match &summary.result {
        Ok(_) if args.debug => {}
        Ok(counts) => print(&summary, counts, out)?,
        Err(fault) => out.report_error(with_sources(fault, &sources))?,
    }
    match &summary.coverage {
        Some(executed) => coverage::print(executed, &sources, out),
        None => Ok(()),
    }
}

/// Returns a fault with the source lines of its instructions that are found.
fn with_sources(fault: &Fault, sources: &SourceFiles) -> String {
    let mut text = fault.to_string();
    let sites = fault.place.iter().map(|place| &place.site).chain(fault.earlier.as_deref());
    for source in sites.filter_map(|site| site.source.as_ref()) {
        if let Some(line) = sources.text(&source.file, source.line) {
            text += &format!("\n  =  {source}: {line}");
        }
    }
    text
}

/// The number of warnings of a kind that are shown.
const MAX_WARNINGS: usize = 8;

/// Prints what the kernel printed, with escapes for characters that control a terminal.
fn print_output(printed: &Printed, out: &mut Output) -> anyhow::Result<()> {
    use std::io::Write;

    for line in String::from_utf8_lossy(&printed.text).lines() {
        let parts: Vec<String> = line.split('\t').map(crate::words::printable).collect();
        writeln!(out, "{}", parts.join("\t"))?;
    }
    Ok(())
}

fn print(summary: &Summary, counts: &Counts, out: &mut Output) -> anyhow::Result<()> {
    use std::io::Write;

    let Counts { instructions, lanes } = counts;
    let platform = summary.platform.map_or(String::new(), |platform| format!(" on {platform}"));
    let groups = count(summary.groups as usize, "group");
    let threads = count(summary.threads as usize, "thread");
    let instructions = count(*instructions as usize, "instruction");
    writeln!(
        out,
        "{}{platform}: {groups}, {threads}, {instructions}, {lanes} lanes of instructions",
        crate::words::printable(&summary.kernel)
    )?;
    Ok(())
}
