//! The table of all results in `docs/evidence/run-kernels.md`.

use std::collections::BTreeSet;
use std::env;
use std::fmt::Write;
use std::fs;

use genvisa_test_support::repository;

use super::Outcome;
use super::device::DEVICES;
use super::manifest::Source;

const PATH: &str = "docs/evidence/run-kernels.md";
const HEAD: &str = "\
# Kernels that the interpreter runs as pocl does

Each kernel of `crates/interp/tests/kernels` is compiled by ocloc 26.27 (IGC 2.40.14) for four devices, with and
without `-cl-opt-disable`, for every number of lanes that the device has. The interpreter runs it, and pocl 3.1
runs the same source on the CPU; kernels with sub-groups or DPAS have a plain version for pocl. Results of integers
and of IEEE operations are equal bit for bit, and those of other functions within the ULP of the table, which
OpenCL C permits. NaN is equal to NaN.

A cell is the number of builds that agree. Split barriers of 32 lanes are the exception: on TGLLP and DG2, the
compiler duplicates their instructions, so that each thread signals twice and waits twice. The interpreter reports
that the second wait has no signal.

`GENVISA_KERNELS=all GENVISA_BLESS=1 cargo test -p genvisa-interp --test suite -- kernels_compute` writes this page.

";

/// Writes the table, or compares it with the results.
pub fn check(sources: &[Source], outcomes: &[Outcome]) {
    let page = page(sources, outcomes);
    let path = repository(PATH);
    if env::var_os("GENVISA_BLESS").is_some() {
        fs::write(path, page).expect("writing the table");
        return;
    }
    assert_eq!(fs::read_to_string(path).unwrap_or_default(), page, "{PATH} is not up to date");
}

fn page(sources: &[Source], outcomes: &[Outcome]) -> String {
    let is_failure = |outcome: &&Outcome| outcome.result.is_err();
    let mut page = HEAD.to_owned();
    let builds: BTreeSet<String> =
        outcomes.iter().map(|outcome| outcome.build.to_string()).collect();
    let kernels: usize = sources.iter().map(|source| source.runs.len()).sum();
    let failures = outcomes.iter().filter(is_failure).count();
    // Writing to a string never fails.
    let _ = writeln!(
        page,
        "{kernels} kernels, {} builds of devices, lanes and options, {} runs: {} agree.\n",
        builds.len(),
        outcomes.len(),
        outcomes.len() - failures
    );
    let devices: Vec<&str> = DEVICES.iter().map(|device| device.name).collect();
    let _ = writeln!(page, "| Kernel | Compared | {} |", devices.join(" | "));
    let _ = writeln!(page, "|---|---|{}", "---|".repeat(devices.len()));
    for source in sources {
        for run in &source.runs {
            let name = format!("{}/{}", source.name, run.kernel);
            let tolerance = match (run.tolerance.ulp, run.tolerance.absolute) {
                (0, _) => "bits".into(),
                (ulp, 0.0) => format!("{ulp} ULP"),
                (ulp, absolute) => format!("{ulp} ULP or {absolute:e}"),
            };
            let _ = write!(page, "| {name} | {tolerance} |");
            for device in &DEVICES {
                let of_device = || {
                    outcomes.iter().filter(|outcome| {
                        outcome.kernel == name && outcome.build.device.name == device.name
                    })
                };
                let failed = of_device().filter(is_failure).count();
                let cell = match (of_device().count(), failed) {
                    (0, _) => "-".into(),
                    (all, 0) => format!("{all}"),
                    (all, failed) => format!("{} of {all}", all - failed),
                };
                let _ = write!(page, " {cell} |");
            }
            let _ = writeln!(page);
        }
    }
    page
}
