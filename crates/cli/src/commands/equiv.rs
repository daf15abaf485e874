//! `genvisa equiv`: compares what two kernels compute.

pub mod command;
mod inputs;
pub mod json;
mod tolerance;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use genvisa::Platform;
use genvisa_equiv::{Case, Comparison, Difference, Side, Tolerance, Verdict};
use genvisa_interp::dispatch::Parameter;
use serde_json::Value;

use super::CommandLine;
use super::run::arguments::{ArgumentText, Contents, Sizes, slots};
use super::run::device::argument;
use crate::input::walk::is_folder;
use crate::options::platform_parser;
use crate::output::Output;
use crate::output::parallel::{for_each, for_each_part};
use crate::words::{count, printable, shown};
use command::Repetition;
use inputs::Pair;
use tolerance::{OfArgument, by_argument};

/// Compare what two kernels compute, without a GPU
///
/// A and B are device binaries with the texts of their kernels, or two folders with such binaries. B can
/// also be a text: an edit of a kernel of A, with the arguments and data that A states. Two texts need the
/// .zeinfo file of the kernel (--info).
///
/// Kernels are matched by name. Both run with the same arguments, which are generated unless --arg gives
/// them, and what they write to buffers and images is compared. A is the reference: arguments with
/// which it stops are not used. Integers must be equal, floats within --ulp or --relative.
///
/// If they differ, the arguments and sizes are made small, and a command with them is printed. Equal results are no
/// proof; only kernels with the same code are certainly equal, which needs no run.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa equiv crates/interp/tests/data/scale-bmg.bin crates/interp/tests/data/scale-dg2.bin
  genvisa equiv crates/interp/tests/data/scale-bmg.bin \\
      crates/equiv/tests/data/scale-edited.visaasm
  genvisa equiv build-O0/ build-O2/ --ulp 4
  genvisa equiv bmg.bin dg2.bin --kernel saxpy --global 1024 --local 64 --arg n=1024
  genvisa equiv a.visaasm b.visaasm --info program.zeinfo --runs 100
  genvisa equiv a.bin b.bin --json | jq '.[] | select(.verdict == \"differ\")'")]
pub struct Equiv {
    /// A device binary, a folder, or with --info a .visaasm file: the reference
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// The device binary, folder or .visaasm file to compare with
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// Compare only the kernel of this name
    #[arg(long, visible_alias = "kernel", value_name = "NAME")]
    pub routine: Option<String>,
    /// The .zeinfo file of two texts, which states where arguments and ids go
    #[arg(long, value_name = "ZEINFO")]
    pub info: Option<PathBuf>,
    /// The platform, or the name of a device, if neither A nor B states it
    #[arg(long, value_name = "PLATFORM", value_parser = platform_parser(), ignore_case = true)]
    pub platform: Option<Platform>,
    /// The number of work-items of each dimension, such as 1024 or 16,16 [default: several are tried]
    #[arg(long, value_name = "SIZES", requires = "local")]
    pub global: Option<Sizes>,
    /// The number of work-items of a group
    #[arg(long, value_name = "SIZES", requires = "global")]
    pub local: Option<Sizes>,
    /// An argument of the kernels, as for run; the others are generated
    #[arg(long, value_name = "[NAME=]VALUE", allow_hyphen_values = true)]
    pub arg: Vec<ArgumentText>,
    /// The number of runs with different arguments
    #[arg(long, value_name = "N", default_value_t = Comparison::default().runs)]
    pub runs: u32,
    /// The seed of the arguments
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// The distance of floats that are equal, in units in the last place, in all arguments or in one [default: 0]
    #[arg(long, value_name = "[ARG=]N")]
    pub ulp: Vec<OfArgument<u64>>,
    /// Floats are equal if their difference is at most this part of the greater one, such as 1e-5, in all
    /// arguments or in one [default: 0]
    #[arg(long, value_name = "[ARG=]X")]
    pub relative: Vec<OfArgument<f64>>,
    /// Do not use arguments with which the instructions of a thread have more active lanes
    #[arg(long, value_name = "N", default_value_t = Comparison::default().limit)]
    pub limit: u64,
    /// The maximum number of bytes of memory of a kernel
    #[arg(long, value_name = "BYTES", default_value_t = Comparison::default().memory_limit)]
    pub memory_limit: u64,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

/// The result of a kernel.
pub struct Compared {
    pub kernel: String,
    pub verdict: Verdict,
    /// A command with small arguments that repeats a difference, if they need no files.
    pub command: Option<String>,
}

impl super::Run for Equiv {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        run(self, out)
    }

    fn exit_codes() -> &'static [(u8, &'static str)] {
        &[(1, "A kernel differs"), (2, "No kernel could be compared")]
    }

    fn inputs(&self) -> Vec<&Path> {
        let files = self.arg.iter().filter_map(|argument| argument.contents.file());
        let others = [&*self.a, &*self.b].into_iter().chain(self.info.as_deref());
        others.chain(files).collect()
    }

    fn prints_report(&self) -> bool {
        true
    }

    fn check(&self) -> Result<(), String> {
        let given = [("--global", &self.global), ("--local", &self.local)];
        for (option, sizes) in given {
            if sizes.as_ref().is_some_and(|sizes| sizes.0.contains(&0)) {
                return Err(format!("{option} has a size of 0"));
            }
        }
        match self.relative.iter().all(|one| one.value >= 0.0) {
            true => Ok(()),
            false => Err("--relative is not a positive number".into()),
        }
    }
}

fn run(args: &Equiv, out: &mut Output) -> anyhow::Result<()> {
    let pairs = match inputs::pairs(args, out) {
        Ok(pairs) => pairs,
        Err(error) => {
            out.set_unreadable_input();
            return Err(error);
        }
    };
    let mut json = Vec::new();
    let mut counts = Counts::default();
    let has_folders = is_folder(&args.a);
    let work = |pair: &Pair, out: &mut Output| {
        let found = match compare(args, pair, out) {
            Ok(found) => found,
            // The other files are compared.
            Err(error) => {
                out.set_unreadable_input();
                out.report_error(format_args!("{error:#}"))?;
                return Ok(Vec::new());
            }
        };
        for compared in &found {
            if !args.json {
                print(pair, compared, has_folders, out)?;
            }
            if matches!(compared.verdict, Verdict::Differ { .. }) {
                out.set_failed();
            }
        }
        let json = |compared: &Compared| args.json.then(|| json::kernel(pair, compared));
        Ok(found.iter().map(|compared| (compared.verdict.clone(), json(compared))).collect())
    };
    for_each(&pairs, Pair::path, out, work, |found: Vec<(Verdict, Option<Value>)>| {
        for (verdict, object) in found {
            counts.add(&verdict);
            json.extend(object);
        }
    })?;
    if args.json {
        out.write_json(&json)?;
    } else {
        writeln!(out, "{counts}")?;
    }
    if counts.same + counts.equal + counts.different == 0 {
        out.set_unreadable_input();
    }
    Ok(())
}

/// Compares the kernels of two files.
fn compare(args: &Equiv, pair: &Pair, out: &mut Output) -> anyhow::Result<Vec<Compared>> {
    let loaded = pair.load(args)?;
    // A text may not state the platform of the binary that it comes from.
    let [of_a, of_b] = [&loaded.a, &loaded.b].map(|binary| binary.platform().ok());
    let platforms = [of_a.or(of_b), of_b.or(of_a)];
    let compare = |(of_a, of_b): &(&str, &str)| {
        let side = |binary, kernel, at: usize| {
            let side = Side::new(binary, kernel, platforms[at].or(args.platform));
            side.map_err(|error| format!("{}: {error}", ["A", "B"][at]))
        };
        let (a, b) = (side(&loaded.a, of_a, 0)?, side(&loaded.b, of_b, 1)?);
        let arguments = |side: &Side<'_>| Parameter::of_kernel(side.kernel()).len();
        let more = if arguments(&b) > arguments(&a) { &b } else { &a };
        let comparison = comparison(args, more).map_err(|error| format!("{error:#}"))?;
        let verdict = comparison.compare(&a, &b);
        let command = match &verdict {
            Verdict::Differ { case, .. } => repetition(args, pair).command(more.kernel(), case),
            _ => None,
        };
        Ok::<_, String>((verdict, command))
    };
    let kernels = inputs::kernels(args, pair, &loaded, out)?;
    let mut found = Vec::new();
    let work = |kernel: &(&str, &str), _: &mut Output| {
        let compared = compare(kernel);
        let (verdict, command) =
            compared.unwrap_or_else(|problem| (Verdict::NotCompared(problem), None));
        Ok(Compared { kernel: kernel.0.into(), verdict, command })
    };
    for_each_part(true, &kernels, out, work, |compared| found.push(compared))?;
    Ok(found)
}

/// Returns the files and the options that a command repeats.
fn repetition<'r>(args: &Equiv, pair: &'r Pair) -> Repetition<'r> {
    let usual = Comparison::default();
    let options = [
        ("--info", args.info.as_ref().map(|info| shown(info))),
        ("--platform", args.platform.map(|platform| platform.to_string())),
        ("--limit", (args.limit != usual.limit).then(|| args.limit.to_string())),
        (
            "--memory-limit",
            (args.memory_limit != usual.memory_limit).then(|| args.memory_limit.to_string()),
        ),
    ];
    let options = options.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let tolerances = args.ulp.iter().map(|one| ("--ulp", one.to_string()));
    let relative = args.relative.iter().map(|one| ("--relative", one.to_string()));
    let options = tolerances.chain(relative).chain(options).collect();
    Repetition { files: [&pair.a, &pair.b], options }
}

/// Returns the tolerance of all arguments, and those of single ones.
fn tolerances(args: &Equiv, names: &[&str]) -> anyhow::Result<(Tolerance, Vec<Option<Tolerance>>)> {
    let (ulp, of_ulp) = by_argument("--ulp", &args.ulp, names)?;
    let (relative, of_relative) = by_argument("--relative", &args.relative, names)?;
    let all = Tolerance { ulp: ulp.unwrap_or_default(), relative: relative.unwrap_or_default() };
    let own = of_ulp.into_iter().zip(of_relative).map(|pair| match pair {
        (None, None) => None,
        (ulp, relative) => Some(Tolerance {
            ulp: ulp.unwrap_or(all.ulp),
            relative: relative.unwrap_or(all.relative),
        }),
    });
    Ok((all, own.collect()))
}

/// Returns how two kernels are compared. The arguments are those of the one that has more.
fn comparison(args: &Equiv, side: &Side<'_>) -> anyhow::Result<Comparison> {
    let kernel = side.kernel();
    let parameters = Parameter::of_kernel(kernel);
    let names: Vec<&str> =
        (0..parameters.len() as u32).map(|index| kernel.argument_name(index)).collect();
    let given = slots(&args.arg, &names)?.into_iter().zip(parameters).zip(0..);
    let arguments = given.map(|((contents, parameter), index)| {
        let convert = |contents: &Contents| argument(kernel, index, contents, parameter);
        contents.map(convert).transpose()
    });
    let mut comparison = Comparison::new();
    comparison.arguments = arguments.collect::<anyhow::Result<_>>()?;
    comparison.runs = args.runs;
    comparison.seed = args.seed;
    (comparison.tolerance, comparison.tolerances) = tolerances(args, &names)?;
    comparison.limit = args.limit;
    comparison.memory_limit = args.memory_limit;
    if let (Some(global), Some(local)) = (&args.global, &args.local) {
        if global.0.len() != local.0.len() {
            bail!("--global and --local have different numbers of dimensions");
        }
        comparison.sizes = Some((global.0.clone(), local.0.clone()));
    }
    Ok(comparison)
}

#[derive(Default)]
struct Counts {
    same: usize,
    equal: usize,
    different: usize,
    not_compared: usize,
}

impl Counts {
    fn add(&mut self, verdict: &Verdict) {
        *match verdict {
            Verdict::SameCode => &mut self.same,
            Verdict::Equal { .. } => &mut self.equal,
            Verdict::Differ { .. } => &mut self.different,
            _ => &mut self.not_compared,
        } += 1;
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Counts { same, equal, different, not_compared } = self;
        let all = count(same + equal + different + not_compared, "kernel");
        write!(
            f,
            "{all}: {same} with the same code, {equal} equal, {different} different, {not_compared} not compared"
        )
    }
}

fn print(
    pair: &Pair,
    compared: &Compared,
    has_folders: bool,
    out: &mut Output,
) -> anyhow::Result<()> {
    let name = match has_folders {
        true => format!("{}: {}", shown(pair.path()), printable(&compared.kernel)),
        false => printable(&compared.kernel),
    };
    match &compared.verdict {
        Verdict::SameCode => writeln!(out, "{name}: the same code")?,
        Verdict::Equal { runs, ulp: 0 } => {
            writeln!(out, "{name}: equal in {}", count(*runs as usize, "run"))?;
        }
        Verdict::Equal { runs, ulp } => {
            let runs = count(*runs as usize, "run");
            writeln!(out, "{name}: equal in {runs}, floats within {ulp} ULP")?;
        }
        Verdict::Differ { difference, case } => {
            writeln!(out, "{name}: differs with {}\n  {difference}", sizes(case))?;
            if let Some(distance) = distance(difference) {
                writeln!(
                    out,
                    "  =  the floats are {distance} ULP apart; --ulp N accepts a distance"
                )?;
            }
            match &compared.command {
                Some(command) => writeln!(out, "  =  {command}")?,
                None => writeln!(
                    out,
                    "  =  the arguments are too long for a command; the same call repeats it"
                )?,
            }
        }
        Verdict::NotCompared(problem) => writeln!(out, "{name}: not compared: {problem}")?,
        _ => {}
    }
    Ok(())
}

/// Returns the distance of two floats, if it is a small one.
fn distance(difference: &Difference) -> Option<u64> {
    const SMALL: u64 = 1 << 12;
    difference.ulp().filter(|ulp| *ulp <= SMALL)
}

fn sizes(case: &Case) -> String {
    let words = |sizes: &[u32]| {
        let words: Vec<String> = sizes.iter().map(u32::to_string).collect();
        words.join(" x ")
    };
    format!("{} work-items in groups of {}", words(&case.global), words(&case.local))
}
