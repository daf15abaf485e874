//! JSON of `genvisa equiv`.

use genvisa_equiv::{Difference, Verdict, Written};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Compared, Pair};
use crate::commands::run::json::{RunFault, Site, fault, site};
use crate::output::definitions::{File, RoutineName};
use crate::words::shown;

/// The comparison of a kernel.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct ComparedKernel<'c> {
    file: File<'c>,
    file_b: File<'c>,
    kernel: RoutineName,
    #[cfg_attr(test, schemars(extend("enum" = ["same-code", "equal", "differ", "not-compared"])))]
    verdict: &'static str,
    /// The number of runs of each kernel; null if they differ or were not compared.
    runs: Option<u32>,
    /// Why they were not compared; null otherwise.
    reason: Option<&'c str>,
    /// The first element that differs; null if there is none.
    element: Option<Element<'c>>,
    /// The fault that stops B only; null if there is none.
    fault: Option<RunFault<'c>>,
    /// The number of work-items of each dimension that show the difference.
    global: Option<&'c [u32]>,
    /// The number of work-items of a group.
    local: Option<&'c [u32]>,
    /// A command that repeats the difference; null if there is none, or its arguments need files.
    command: Option<&'c str>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Element<'c> {
    argument: usize,
    /// The name of the argument; empty if it is unknown.
    name: &'c str,
    index: usize,
    /// The number of elements that differ.
    count: usize,
    a: WrittenElement<'c>,
    b: WrittenElement<'c>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct WrittenElement<'c> {
    /// The value as text.
    value: String,
    /// The bits as hexadecimal digits.
    bits: String,
    is_undefined: bool,
    /// The instruction that wrote it last; null if no store did.
    by: Option<Site<'c>>,
    /// The number of the group that wrote it.
    group: Option<u32>,
    /// The index of the thread in the group.
    thread: Option<u32>,
    /// The lane of the thread; null if the instruction wrote it for all lanes.
    lane: Option<u32>,
}

/// Returns the object of a kernel.
pub fn kernel(pair: &Pair, compared: &Compared) -> Value {
    let (a, b) = (shown(&pair.a), shown(&pair.b));
    let mut object = ComparedKernel {
        file: File(&a),
        file_b: File(&b),
        kernel: RoutineName(compared.kernel.clone()),
        verdict: "not-compared",
        runs: None,
        reason: None,
        element: None,
        fault: None,
        global: None,
        local: None,
        command: compared.command.as_deref(),
    };
    match &compared.verdict {
        Verdict::SameCode => (object.verdict, object.runs) = ("same-code", Some(0)),
        Verdict::Equal { runs, .. } => (object.verdict, object.runs) = ("equal", Some(*runs)),
        Verdict::Differ { difference, case } => {
            object.verdict = "differ";
            object.global = Some(&case.global);
            object.local = Some(&case.local);
            match &**difference {
                Difference::Element { argument, name, index, ty, values, count } => {
                    let [a, b] = values.each_ref().map(|written| element(*ty, written));
                    let (argument, index, count) = (*argument, *index, *count);
                    object.element = Some(Element { argument, name, index, count, a, b });
                }
                Difference::Stops(stops) => object.fault = Some(fault(stops)),
                _ => {}
            }
        }
        Verdict::NotCompared(reason) => object.reason = Some(reason),
        _ => {}
    }
    json!(object)
}

fn element(ty: genvisa::operand::DataType, written: &Written) -> WrittenElement<'_> {
    let by = written.store();
    WrittenElement {
        value: written.value(ty),
        bits: format!("{:0width$x}", written.bits, width = 2 * ty.size()),
        is_undefined: written.undefined != 0,
        by: by.map(|write| site(&write.site)),
        group: by.map(|write| write.group),
        thread: by.map(|write| write.thread),
        lane: by.and_then(|write| write.lane),
    }
}
