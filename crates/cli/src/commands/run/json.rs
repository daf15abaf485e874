//! JSON of `genvisa run`.

use std::path::Path;

use genvisa_interp::{Executed, Fault};
use serde::Serialize;
use serde_json::{Value, json};

use super::Summary;
use super::outputs::Written;
use super::trace::Traced;
use crate::output::definitions::{File, InstructionIndex, Platform, RoutineName, Size};
use crate::words::shown;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct RunKernel<'r> {
    file: File<'r>,
    kernel: RoutineName,
    /// The platform, if the user or the text states it.
    platform: Option<Platform>,
    groups: u32,
    threads: u64,
    /// The number of executed instructions; null if the run stopped.
    instructions: Option<u64>,
    /// The number of lanes that were active, of all instructions; null if the run stopped.
    lanes: Option<u64>,
    outputs: Vec<OutputFile>,
    /// What `printf` printed.
    printed: String,
    /// The stores of values that were never written: the first of each instruction that does it.
    undefined_stores: Vec<RunFault<'r>>,
    /// The races of work-items that run in one thread: the first of each instruction.
    races_of_lanes: Vec<RunFault<'r>>,
    /// How often each instruction was executed in all threads; null without --coverage.
    coverage: Option<Vec<ExecutedInstruction<'r>>>,
    /// The instructions that were executed, or those that changed the variable, in their order; null without --trace.
    trace: Option<Vec<TracedInstruction<'r>>>,
    /// What stopped the run; null if nothing did.
    fault: Option<RunFault<'r>>,
}

/// An instruction of a trace.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct TracedInstruction<'r> {
    #[serde(flatten)]
    site: Site<'r>,
    group: [u32; 3],
    thread: usize,
    /// The lanes that execute it, as bits.
    lanes: u32,
    /// The elements of the variable after it as text, and null for those that were never written; null if the trace is
    /// about no variable.
    values: Option<Vec<Option<&'r str>>>,
}

/// How often an instruction was executed.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct ExecutedInstruction<'r> {
    #[serde(flatten)]
    site: Site<'r>,
    times: u64,
}

/// A file that was written.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct OutputFile {
    /// The argument or input, as the user states it.
    argument: String,
    path: String,
    bytes: Size,
    /// The first byte that depends on a value that was never written; null if there is none.
    first_undefined: Option<usize>,
}

/// What stopped the run.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct RunFault<'r> {
    /// The kind, such as `outside-memory`.
    kind: &'r str,
    message: String,
    /// The instruction; null if the fault is about the start of a group.
    place: Option<Place<'r>>,
    /// The earlier instruction of a race; null for other faults.
    earlier: Option<Site<'r>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct Site<'r> {
    routine: RoutineName,
    instruction: InstructionIndex,
    /// The instruction as text.
    line: &'r str,
    /// The source line that FILE and LOC state; null if there is none.
    source: Option<Source<'r>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Source<'r> {
    /// The name of the file; empty if there is no FILE.
    file: &'r str,
    line: u32,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Place<'r> {
    #[serde(flatten)]
    site: Site<'r>,
    group: [u32; 3],
    thread: u32,
    /// The lane of the thread; null if the fault is not about one.
    lane: Option<u32>,
    /// The field of the operand; null if the fault is not about one.
    operand: Option<&'r str>,
}

/// Returns the object of a run.
pub fn summary<'r>(file: &Path, summary: &'r Summary, written: &[Written]) -> Value {
    let file = shown(file);
    let counts = summary.result.as_ref().ok();
    let outputs = written.iter().map(|output| OutputFile {
        argument: output.name.clone(),
        path: shown(&output.path),
        bytes: Size(output.size as u64),
        first_undefined: output.first_undefined,
    });
    json!(RunKernel {
        file: File(&file),
        kernel: RoutineName(summary.kernel.clone()),
        platform: summary.platform.map(|platform| Platform(platform.name())),
        groups: summary.groups,
        threads: summary.threads,
        instructions: counts.map(|counts| counts.instructions),
        lanes: counts.map(|counts| counts.lanes),
        outputs: outputs.collect(),
        printed: String::from_utf8_lossy(&summary.printed.text).into_owned(),
        undefined_stores: summary.undefined_stores.iter().map(fault).collect(),
        races_of_lanes: summary.races_of_lanes.iter().map(fault).collect(),
        coverage: summary.coverage.as_ref().map(|all| {
            let one =
                |one: &'r Executed| ExecutedInstruction { site: site(&one.site), times: one.times };
            all.iter().map(one).collect()
        }),
        trace: summary.traced.as_ref().map(|all| all.iter().map(traced).collect()),
        fault: summary.result.as_ref().err().map(fault),
    })
}

/// Returns the object of a fault.
pub fn fault(fault: &Fault) -> RunFault<'_> {
    let place = fault.place.as_ref().map(|place| Place {
        site: site(&place.site),
        group: place.group,
        thread: place.thread,
        lane: place.lane,
        operand: place.operand,
    });
    let earlier = fault.earlier.as_deref().map(site);
    RunFault { kind: fault.kind.name(), message: fault.kind.to_string(), place, earlier }
}

/// Returns the object of an instruction.
pub fn site(site: &genvisa_interp::Site) -> Site<'_> {
    let source = site.source.as_ref();
    Site {
        routine: RoutineName(site.routine.clone()),
        instruction: InstructionIndex(site.instruction),
        line: &site.line,
        source: source.map(|source| Source { file: &source.file, line: source.line }),
    }
}

fn traced(traced: &Traced) -> TracedInstruction<'_> {
    let Traced { group, thread, site: instruction, lanes, values } = traced;
    TracedInstruction {
        site: site(instruction),
        group: *group,
        thread: *thread,
        lanes: *lanes,
        values: values.as_ref().map(|values| values.iter().map(Option::as_deref).collect()),
    }
}
