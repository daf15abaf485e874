//! `genvisa triage`: which builds of a kernel agree.

mod builds;
mod cpu;
mod verdict;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use genvisa_equiv::{Comparison, Tolerance};
use serde::Serialize;
use serde_json::{Value, json};

use super::equiv::command::Repetition;
use super::{CommandLine, Run};
use crate::output::Output;
use crate::output::definitions::RoutineName;
use crate::output::parallel::for_each_part;
use crate::words::{count, printable};
use builds::Builds;
use cpu::Cpu;
use verdict::{Agreement, Found, Verdict};

/// Find out whether the source, the compiler or something after it is wrong
///
/// Compiles a source with ocloc for two devices, with and without optimization, and runs the kernels of each
/// build with the same arguments, as equiv does. Says which builds agree, where others differ first, and what that
/// means. Verifies the texts, and compares those with inline assembly with what the compiler made of it.
///
/// If Python has pyopencl, and there is an OpenCL device that is a CPU, such as PoCL, the source runs there too: it is
/// `cpu` among the builds.
///
/// A SPIR-V module tells less than a source: IGC runs some optimizations of it in any case.
///
/// Several files are builds that exist: device binaries with the texts of their kernels.
///
/// It cannot tell whether the finalizer, the driver or the hardware is wrong: the interpreter runs the texts
/// before them. If all builds agree, and the device computes something else, it is one of these.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa triage crates/interp/tests/data/scale-bmg.bin crates/interp/tests/data/scale-dg2.bin
  genvisa triage crates/interp/tests/data/scale-bmg.bin crates/interp/tests/data/scale-pvc.bin \\
      --kernel scale --ulp 4
  genvisa triage kernel.cl
  genvisa triage kernel.cl --device bmg --device dg2 --options='-cl-std=CL3.0 -DN=16' -o builds/
  genvisa triage built-in-may.bin built-today.bin --ulp 4")]
pub struct Triage {
    /// A source in OpenCL C or a SPIR-V module (.spv), or device binaries
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The devices to compile for [default: bmg and dg2]
    #[arg(long, value_name = "DEVICE")]
    pub device: Vec<String>,
    /// The options of the source, such as -cl-std=CL3.0
    #[arg(long, value_name = "OPTIONS", default_value = "", allow_hyphen_values = true)]
    pub options: String,
    /// The compiler [default: ocloc]
    #[arg(long, value_name = "PATH")]
    pub ocloc: Option<PathBuf>,
    /// The Python with pyopencl that runs the source on the CPU [default: python3, if it has pyopencl]
    #[arg(long, value_name = "PATH")]
    pub python: Option<PathBuf>,
    /// Keep the builds and the dumps of the compiler in this folder, which is created
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Compare only the kernel of this name
    #[arg(long, visible_alias = "kernel", value_name = "NAME")]
    pub routine: Option<String>,
    /// The number of runs with different arguments
    #[arg(long, value_name = "N", default_value_t = Comparison::default().runs)]
    pub runs: u32,
    /// The seed of the arguments
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// The distance of floats that are equal, in units in the last place
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub ulp: u64,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

impl Run for Triage {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        let builds = Builds::new(self, out)?;
        let mut comparison = Comparison::new();
        comparison.runs = self.runs;
        comparison.seed = self.seed;
        comparison.tolerance = Tolerance { ulp: self.ulp, relative: 0.0 };
        let mut json = Vec::new();
        let kernels = builds.kernels(self.routine.as_deref(), out)?;
        let work =
            |kernel: &String, _: &mut Output| Ok(Agreement::new(&comparison, &builds, kernel));
        let mut agreements = Vec::new();
        for_each_part(true, &kernels, out, work, |agreement| agreements.push(agreement))?;
        if agreements.iter().all(|agreement| agreement.is_alone()) {
            out.set_unreadable_input();
        }
        for agreement in agreements {
            let verdict = Verdict::new(&builds, &agreement);
            if agreement.difference.is_some() {
                out.set_failed();
            }
            match self.json {
                true => json.push(object(&builds, &agreement, &verdict)),
                false => self.print(&builds, &agreement, &verdict, out)?,
            }
        }
        if self.json {
            return out.write_json(&json);
        }
        for build in &builds.all {
            write!(out, "{}: {} in the texts", build.name, count(build.errors, "error"))?;
            match build.changes {
                0 => writeln!(out)?,
                changes => writeln!(out, ", {} by the compiler", count(changes, "change"))?,
            }
        }
        match &builds.cpu {
            Some(Ok(cpu)) => writeln!(out, "{}: {}", Cpu::NAME, printable(cpu.device()))?,
            Some(Err(error)) => {
                writeln!(out, "{}: {}", Cpu::NAME, printable(&error.to_string()))?;
            }
            None => {}
        }
        Ok(())
    }

    fn exit_codes() -> &'static [(u8, &'static str)] {
        &[(1, "Builds of a kernel differ"), (2, "No kernel could be compared")]
    }

    fn inputs(&self) -> Vec<&Path> {
        self.files.iter().map(PathBuf::as_path).collect()
    }

    fn check(&self) -> Result<(), String> {
        let is_compiled = self.files.len() == 1;
        let of_sources = [
            ("--device", !self.device.is_empty()),
            ("--options", !self.options.is_empty()),
            ("--output", self.output.is_some()),
            ("--ocloc", self.ocloc.is_some()),
            ("--python", self.python.is_some()),
        ];
        match of_sources.into_iter().find(|(_, is_given)| *is_given && !is_compiled) {
            Some((option, _)) => Err(format!("{option} is for one source that is compiled")),
            None => Ok(()),
        }
    }

    fn prints_report(&self) -> bool {
        true
    }
}

impl Triage {
    fn print(
        &self,
        builds: &Builds,
        agreement: &Agreement,
        verdict: &Verdict,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        writeln!(out, "{}", printable(&agreement.kernel))?;
        for class in &agreement.classes {
            writeln!(out, "  agree: {}", names(builds, class))?;
        }
        for (build, reason) in &agreement.not_compared {
            writeln!(out, "  not compared: {}: {reason}", builds.name(*build))?;
        }
        if let Some(Found { builds: [a, b], difference, case }) = &agreement.difference {
            let [name_a, name_b] = [a, b].map(|at| builds.name(*at));
            writeln!(out, "  {name_a} is A and {name_b} is B: {difference}")?;
            let files = builds.all.get(*a).zip(builds.all.get(*b));
            if let Some((a, b)) = files.filter(|_| builds.are_kept()) {
                let kernel = a.binary.kernel(&agreement.kernel);
                let options = vec![("--ulp", self.ulp.to_string())];
                let repetition = Repetition { files: [&a.path, &b.path], options };
                if let Some(command) = kernel.and_then(|it| repetition.command(it, case)) {
                    writeln!(out, "  =  {command}")?;
                }
            }
        }
        writeln!(out, "  =  {verdict}\n")?;
        Ok(())
    }
}

fn names(builds: &Builds, class: &[usize]) -> String {
    let names: Vec<&str> = class.iter().map(|at| builds.name(*at)).collect();
    names.join(", ")
}

/// What the builds of a kernel compute.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct TriagedKernel {
    kernel: RoutineName,
    /// The builds that agree: lists of their names.
    agree: Vec<Vec<String>>,
    /// The builds that could not be compared.
    not_compared: Vec<String>,
    /// The first difference as text; null if there is none.
    difference: Option<String>,
    /// Where the problem is, as a word.
    #[cfg_attr(test, schemars(extend("enum" = [
        "later-or-none", "optimizer", "one-build", "source-or-device", "cpu", "unknown"
    ])))]
    verdict: &'static str,
    /// The same as a sentence.
    text: String,
}

fn object(builds: &Builds, agreement: &Agreement, verdict: &Verdict) -> Value {
    let name = |at: &usize| builds.name(*at).to_owned();
    let difference = agreement.difference.as_ref().map(|found| found.difference.to_string());
    json!(TriagedKernel {
        kernel: RoutineName(agreement.kernel.clone()),
        agree: agreement.classes.iter().map(|class| class.iter().map(name).collect()).collect(),
        not_compared: agreement.not_compared.iter().map(|(at, _)| name(at)).collect(),
        difference,
        verdict: verdict.word(),
        text: verdict.to_string(),
    })
}
