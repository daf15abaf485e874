//! The kernels of darktable: OpenCL C that was not written for this test.
//!
//! `GENVISA_DARKTABLE` is the folder of the kernels, `usr/share/darktable/kernels` in the package of Debian. A
//! part of the files runs by default; `GENVISA_KERNELS=all` runs all, and with `GENVISA_BLESS` writes the
//! page.

mod arguments;
mod unset;

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use genvisa_interp::binary::DeviceBinary;
use genvisa_test_support::ocloc::Ocloc;
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::repository;

use super::device::run_and_compare;
use super::manifest::Run;
use super::reference::Pocl;
use arguments::Table;
use unset::initialize_vectors;

const DEVICES: [&str; 2] = ["bmg", "dg2"];
const PATH: &str = "docs/evidence/run-darktable.md";

/// What became of a kernel.
#[derive(Clone, PartialEq)]
enum Outcome {
    Agrees,
    /// It agrees where its source determines the result.
    Undefined,
    /// It runs, and pocl does not run it.
    Alone,
    Differs(String),
    Stopped(String),
}

#[test]
#[ignore = "needs ocloc of IGC 2.40.14, pocl and darktable"]
fn kernels_of_darktable_compute_what_pocl_does() {
    let folder = PathBuf::from(env::var_os("GENVISA_DARKTABLE").expect("GENVISA_DARKTABLE"));
    let initialized = tempfile::tempdir().expect("a temporary folder");
    initialize_vectors(&folder, initialized.path());
    let (ocloc, pocl) = (Ocloc::required(), Pocl::required());
    let choice = env::var("GENVISA_KERNELS").unwrap_or_default();
    let entries = fs::read_dir(&folder).expect("the folder of kernels").flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "cl"));
    files.sort();
    assert!(files.len() > 30, "{} files", files.len());
    let is_selected = |(index, file): &(usize, &PathBuf)| match &*choice {
        "all" => true,
        "" => index % 6 == 0,
        names => names.split(',').any(|name| file.file_stem().is_some_and(|stem| stem == name)),
    };
    let files: Vec<&PathBuf> =
        files.iter().enumerate().filter(is_selected).map(|(_, file)| file).collect();
    let context = Context { ocloc, pocl, table: Table::read(), folder, initialized };
    let found = parallel(&files, |file| run_file(&context, file));
    let found: BTreeMap<String, [Outcome; 2]> = found.into_iter().flatten().collect();

    let mut failures = Vec::new();
    for (kernel, outcomes) in &found {
        for (device, outcome) in DEVICES.iter().zip(outcomes) {
            if let Outcome::Differs(what) | Outcome::Stopped(what) = outcome {
                failures.push(format!("{kernel} ({device}): {what}"));
            }
        }
    }
    let page = page(&found);
    eprintln!("{page}");
    if choice == "all" && env::var_os("GENVISA_BLESS").is_some() {
        fs::write(repository(PATH), page).expect("writing the page");
    }
    assert!(failures.is_empty(), "{}\n{} failures", failures.join("\n"), failures.len());
}

/// What a file is compiled with and compared to.
struct Context {
    ocloc: Ocloc,
    pocl: Pocl,
    table: Table,
    folder: PathBuf,
    /// The sources with initialized vectors.
    initialized: tempfile::TempDir,
}

/// Runs the kernels of a file on both devices.
fn run_file(context: &Context, file: &Path) -> Vec<(String, [Outcome; 2])> {
    let Context { ocloc, pocl, folder, .. } = context;
    let text = fs::read_to_string(file).expect("a file");
    let stem = file.file_stem().expect("a name").to_string_lossy().into_owned();
    let options = format!("-I{}", folder.display());
    let binaries = DEVICES.map(|device| {
        // On a busy machine, a compilation may take too long.
        let compile = || ocloc.binary(&text, device, &options);
        let bytes = compile().or_else(|_| compile())?;
        DeviceBinary::from_bytes(&bytes).map_err(|error| error.to_string())
    });
    let described = binaries.iter().flatten().next();
    let Some(described) = described else {
        let problem = |binary: &Result<_, String>| binary.as_ref().err().cloned();
        let stopped =
            binaries.each_ref().map(|it| Outcome::Stopped(problem(it).unwrap_or_default()));
        return vec![(stem, stopped)];
    };
    let all = with_included(folder, &text);
    let runs: Vec<Run> =
        described.kernels.iter().map(|kernel| context.table.run(&stem, kernel, &all)).collect();
    let pocl_options = format!("-cl-std=CL1.2 -w {options}");
    // If a kernel stops pocl, the others of the file run without it.
    let together = pocl.try_results(&text, &pocl_options, &runs).ok();
    let outcome = |(index, run): (usize, &Run)| {
        let one = || pocl.try_results(&text, &pocl_options, std::slice::from_ref(run));
        let expected = match &together {
            Some(results) => Some(results[index].clone()),
            None => one().ok().and_then(|mut results| results.pop()),
        };
        let outcomes = binaries.each_ref().map(|binary| match binary {
            Ok(binary) => judge(context, file, binary, run, expected.as_deref()),
            Err(problem) => Outcome::Stopped(problem.clone()),
        });
        (format!("{stem}/{}", run.kernel), outcomes)
    };
    runs.iter().enumerate().map(outcome).collect()
}

/// Returns a text with the files that it includes.
fn with_included(folder: &Path, text: &str) -> String {
    let names = text.lines().filter_map(|line| line.strip_prefix("#include \"")?.split('"').next());
    let included = names.map(|name| fs::read_to_string(folder.join(name)).unwrap_or_default());
    text.to_owned() + &included.collect::<String>()
}

fn judge(
    context: &Context,
    file: &Path,
    binary: &DeviceBinary,
    run: &Run,
    expected: Option<&[Vec<u8>]>,
) -> Outcome {
    let buffers = run.arguments.iter().filter_map(|(_, argument)| argument.buffer());
    let inputs: Vec<Vec<u8>> = buffers.map(|buffer| buffer.bytes.clone()).collect();
    if expected.is_some_and(|expected| expected == inputs) {
        return Outcome::Differs("with its arguments, the kernel changes nothing".into());
    }
    let compared = expected.unwrap_or(&inputs);
    match (run_and_compare(binary, run, compared, &[]), expected) {
        (Ok((_, Some(_))), Some(_)) => Outcome::Undefined,
        (Ok(_), Some(_)) => Outcome::Agrees,
        (Ok(_), None) => Outcome::Alone,
        // A difference names an element; everything else stops a kernel.
        (Err(problem), None) if problem.contains("elements differ") => Outcome::Alone,
        (Err(problem), _) if problem.contains("elements differ") => {
            match differs_where_determined(context, file, binary, run) {
                Some(problem) => Outcome::Differs(problem),
                None => Outcome::Undefined,
            }
        }
        (Err(problem), _) => Outcome::Stopped(problem),
    }
}

/// Compares a kernel only where its source determines the result.
fn differs_where_determined(
    context: &Context,
    file: &Path,
    binary: &DeviceBinary,
    run: &Run,
) -> Option<String> {
    let copies = context.initialized.path();
    let text = fs::read_to_string(copies.join(file.file_name()?)).expect("a copy");
    let result = |value: &str| {
        let options = format!("-cl-std=CL1.2 -w -DUNSET={value} -I{}", copies.display());
        let results = context.pocl.try_results(&text, &options, std::slice::from_ref(run))?;
        Ok(results.into_iter().next().expect("the results of a run"))
    };
    // Products with zero differ for NaN only.
    let results: Result<Vec<Vec<Vec<u8>>>, String> =
        ["0.25f", "0.75f", "NAN"].into_iter().map(result).collect();
    match results {
        Ok(results) => run_and_compare(binary, run, &results[0], &results[1..]).err(),
        Err(problem) => Some(problem),
    }
}

fn page(found: &BTreeMap<String, [Outcome; 2]>) -> String {
    let mut page = String::from("\
# The kernels of darktable

The kernels of darktable 4.2.1, compiled by ocloc 26.27 (IGC 2.40.14), with images of 16 x 16 texels, buffers of random
numbers, sizes of 16, and 1 or 0.5 for other numbers. `crates/interp/tests/data/darktable.txt` states the arguments of kernels
that need others, such as matrices and patterns of sensors. Floats may differ by 2^13 ULP or 0.001, because kernels use
native functions.

\"Undefined\" are kernels that agree where their source determines the result. Many leave a channel of a color unset. Elements
are not compared if the interpreter knows that nobody wrote them, or if pocl computes other values after the unset vectors
of the source are initialized with other numbers. \"Only here\" are kernels that run, but that pocl does not run.

`GENVISA_KERNELS=all GENVISA_BLESS=1 GENVISA_DARKTABLE=FOLDER cargo test -p genvisa-interp --test suite -- --ignored
darktable` writes this page.

| Device | Kernels | Run | Agree | Undefined | Only here | Differ | Stopped |
|---|---|---|---|---|---|---|---|
");
    for (index, device) in DEVICES.iter().enumerate() {
        let count = |is: fn(&Outcome) -> bool| found.values().filter(|it| is(&it[index])).count();
        let agree = count(|it| matches!(it, Outcome::Agrees));
        let undefined = count(|it| matches!(it, Outcome::Undefined));
        let alone = count(|it| matches!(it, Outcome::Alone));
        let differ = count(|it| matches!(it, Outcome::Differs(_)));
        let stopped = count(|it| matches!(it, Outcome::Stopped(_)));
        let (all, run) = (found.len(), agree + undefined + alone + differ);
        // Writing to a string never fails.
        let _ = writeln!(
            page,
            "| {device} | {all} | {run} | {agree} | {undefined} | {alone} | {differ} | {stopped} |"
        );
    }
    let is_undefined = |outcomes: &[Outcome; 2]| outcomes.contains(&Outcome::Undefined);
    let undefined = found.iter().filter(|(_, outcomes)| is_undefined(outcomes));
    let names: Vec<String> = undefined.map(|(kernel, _)| format!("- `{kernel}`\n")).collect();
    page + "\nKernels of which elements are undefined:\n\n" + &names.concat()
}
