//! `genvisa report`: writes a page about the routines of a file, or about the changes between two.

mod data;

use std::path::Path;
use std::path::PathBuf;

use clap::Args;
use genvisa::object::{Body, Routine};
use genvisa_diff::Differ;
use serde_json::json;

use super::{CommandLine, Run};
use crate::input::{Input, open_one};
use crate::modules::load::{Loaded, load};
use crate::modules::omitted::kernels;
use crate::modules::routines::routines;
use crate::options::{DialectArg, RegisterArgs};
use crate::output::{Output, parallel};
use crate::page::{self, Data, Template};
use crate::words::printable;
use data::Side;

/// Write a page about the routines of a file, or about the changes between two files
///
/// The page is one HTML file, which loads nothing else. For each routine, it has the statistics of
/// stats, a plot of the live registers, the graph of cfg and the text. With B, the routines are
/// matched as diff does, and the page has the statistics and registers of both, and the two texts
/// side by side, in the names of A. A click on a block or on the plot shows the lines, and the
/// address of the page contains what is selected.
///
/// If a routine has an error, it is reported, and the page has the other routines.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa report tests/data/collatz.visaasm -o collatz.html
  genvisa report tests/data/dot.visaasm tests/data/dot-unrolled.visaasm -o changes.html
  genvisa report shader.isa --routine main -o main.html")]
pub struct Report {
    /// A .isa or .visaasm file, or - for standard input
    pub a: PathBuf,
    /// The file to compare with, or - for standard input
    pub b: Option<PathBuf>,
    /// Write the page to this file, or to standard output with -
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,
    /// Only the routines of this name
    #[arg(long, visible_alias = "kernel", value_name = "NAME")]
    pub routine: Option<String>,
    #[command(flatten)]
    pub registers: RegisterArgs,
    #[command(flatten)]
    pub dialect: DialectArg,
}

const TEMPLATE: Template = Template {
    command: "report",
    html: include_str!("report/page/page.html"),
    style: include_str!("report/page/page.css"),
    scripts: &[
        "/*! dagre 3.1.3\n",
        include_str!("report/page/dagre/LICENSE"),
        "*/\n",
        include_str!("report/page/dagre/dagre.min.js"),
        page::LIST,
        include_str!("report/page/model.js"),
        include_str!("report/page/text.js"),
        include_str!("report/page/plot.js"),
        include_str!("report/page/graph.js"),
        include_str!("report/page/statistics.js"),
        include_str!("report/page/page.js"),
    ],
    hashes: [
        "qkQXiKbG4vVSY6eMCPSb2eik089CFPUotB0Cwl55GWg=",
        "1p8rBcVf8swNq1iUhhF7Tv4o9tTeWJPVISgiKQdZCZc=",
    ],
};

#[test]
fn the_hashes_are_those_of_the_style_and_the_script() {
    TEMPLATE.check_hashes();
}

impl Run for Report {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        run(self, out)
    }

    fn inputs(&self) -> Vec<&Path> {
        std::iter::once(&*self.a).chain(self.b.as_deref()).collect()
    }

    fn output(&self) -> Option<PathBuf> {
        Some(self.output.clone())
    }
}

fn run(args: &Report, out: &mut Output) -> anyhow::Result<()> {
    let open = |path: &Path| open_one(path, None, &args.dialect);
    let input_a = open(&args.a)?;
    let input_b = args.b.as_deref().map(open).transpose()?;
    let Some(a) = load(&input_a, &args.dialect, out)? else { return Ok(()) };
    let b = match &input_b {
        Some(input) => match load(input, &args.dialect, out)? {
            Some(loaded) => Some(loaded),
            None => return Ok(()),
        },
        None => None,
    };
    let mut report =
        Builder { args, errors: Vec::new(), summaries: Vec::new(), data: Data::default() };
    report.add_omitted(&input_a, &a, out)?;
    if let (Some(input_b), Some(b)) = (&input_b, &b) {
        report.add_omitted(input_b, b, out)?;
        report.add_pairs((&input_a, &a), (input_b, b), out)?;
    } else {
        for (_, routine) in routines(&a.module, &a.omitted, &input_a.name, args.routine.as_ref())? {
            let side = side(args, &input_a, &a, &routine, out)?;
            if let Some(side) = report.keep(Some(side)) {
                report.add(Some(side), None, None);
            }
        }
    }
    let names: Vec<String> = [Some(&input_a), input_b.as_ref()]
        .into_iter()
        .flatten()
        .map(|it| printable(&it.name))
        .collect();
    report.write(&names, out)
}

/// The data of a page while routines are added.
struct Builder<'r> {
    args: &'r Report,
    errors: Vec<String>,
    /// What the list of routines contains.
    summaries: Vec<data::Summary>,
    data: Data,
}

impl Builder<'_> {
    /// Adds the routines of a text that have errors, which have been reported.
    fn add_omitted(
        &mut self,
        input: &Input,
        loaded: &Loaded<'_>,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        let (name, registers) = (&input.name, &self.args.registers);
        registers.warn_of_assumption(name, &loaded.module, loaded.platform, out)?;
        for omitted in &loaded.omitted {
            self.errors.push(printable(&format!("{name}: {omitted}: {}", omitted.reason())));
        }
        Ok(())
    }

    /// Adds the routines of two files, matched as `diff` does.
    fn add_pairs(
        &mut self,
        (input_a, a): (&Input, &Loaded<'_>),
        (input_b, b): (&Input, &Loaded<'_>),
        out: &mut Output,
    ) -> anyhow::Result<()> {
        let kernels = |loaded: &Loaded<'_>| loaded.module.kernels.len() + kernels(&loaded.omitted);
        let have_one_kernel = kernels(a) == 1 && kernels(b) == 1;
        let registers = self.args.registers.size(a.platform.or(b.platform), &Body::default());
        let differ = Differ::new().with_register_size(registers).match_by_name(!have_one_kernel);
        let modules = differ.match_routines(&a.module, &b.module);
        let name = self.args.routine.as_ref();
        let is_selected = |it: &Routine<'_, '_>| name.is_none_or(|name| *it.name == **name);
        let pair = |index| modules.routines(index);
        let selected: Vec<usize> = (0..modules.len())
            .filter(|index| [pair(*index).0, pair(*index).1].iter().flatten().any(is_selected))
            .collect();
        if selected.is_empty() && name.is_some() {
            // Neither file has it: the error lists the routines of the first.
            routines(&a.module, &a.omitted, &input_a.name, name)?;
        }
        let args = self.args;
        let is_large = input_a.bytes.len() + input_b.bytes.len() >= parallel::LARGE;
        let work = |index: &usize, out: &mut Output| {
            let (of_a, of_b) = pair(*index);
            let side = |(input, loaded), routine: Option<_>, out: &mut Output| {
                routine.map(|routine| side(args, input, loaded, &routine, out)).transpose()
            };
            let (of_a, of_b) = parallel::both(
                is_large,
                out,
                |out| side((input_a, a), of_a, out),
                |out| side((input_b, b), of_b, out),
            )?;
            // An error of the code has been reported.
            let diff = modules.compare(*index).and_then(|pair| pair.diff).and_then(Result::ok);
            Ok((of_a, of_b, diff))
        };
        parallel::for_each_part(is_large, &selected, out, work, |(of_a, of_b, diff)| {
            let [side_a, side_b] = [of_a, of_b].map(|side| self.keep(side));
            if side_a.is_some() || side_b.is_some() {
                self.add(side_a, side_b, diff.as_ref());
            }
        })
    }

    /// Returns the data of a routine, or else records its error.
    fn keep(&mut self, side: Option<Result<Side, String>>) -> Option<Side> {
        side?.map_err(|error| self.errors.push(error)).ok()
    }

    fn add(&mut self, a: Option<Side>, b: Option<Side>, diff: Option<&genvisa_diff::RoutineDiff>) {
        let id = format!("routine-{}", self.summaries.len());
        self.summaries.push(data::Summary::new(a.as_ref(), b.as_ref(), diff));
        self.data.push(&id, &data::routine(a.as_ref(), b.as_ref(), diff).to_string());
    }

    fn write(mut self, files: &[String], out: &mut Output) -> anyhow::Result<()> {
        let data = json!({ "files": files, "errors": self.errors, "routines": self.summaries });
        self.data.push("data", &data.to_string());
        let page = TEMPLATE.print(&files.join(" and "), &self.data);
        page::write(&page, &self.args.output, out)
    }
}

/// Returns the data of a routine, or its error, which is reported.
fn side(
    args: &Report,
    input: &Input,
    loaded: &Loaded<'_>,
    routine: &Routine<'_, '_>,
    out: &mut Output,
) -> anyhow::Result<Result<Side, String>> {
    match Side::new(input, routine, loaded.platform, &args.registers) {
        Ok(side) => Ok(Ok(side)),
        Err(error) => {
            let message = format!("{}: {error}", input.name);
            let recorded = printable(&message);
            out.report_error(message)?;
            Ok(Err(recorded))
        }
    }
}
