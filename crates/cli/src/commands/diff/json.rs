//! Differences as JSON.

use std::ops::Range;

use genvisa_diff::{DeclarationChange, RoutineDiff};
use serde::Serialize;
use serde_json::{Value, json};

use crate::finalizer_asm::MachineChange;
use crate::output::definitions::{File, InstructionIndex, RoutineKind, RoutineName, Size};

/// The differences of two routines.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct Routine<'d> {
    file: File<'d>,
    file_b: File<'d>,
    kind: RoutineKind,
    routine: RoutineName,
    /// The sizes of a register with which the registers in `statistics` are counted.
    register_bytes: Size,
    register_bytes_b: Size,
    /// Declarations of A and B.
    declarations: Vec<Declaration<'d>>,
    hunks: Vec<Hunk>,
    statistics: Vec<Statistic<'d>>,
    /// The numbers of the machine code that differ; empty without --asm.
    machine_code: Vec<MachineNumber>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Declaration<'d> {
    a: Option<&'d str>,
    b: Option<&'d str>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Hunk {
    a: Instructions,
    b: Instructions,
    index: InstructionIndex,
    label: Option<String>,
    lines: Vec<HunkLine>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Instructions {
    start: InstructionIndex,
    length: usize,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct HunkLine {
    #[cfg_attr(test, schemars(extend("enum" = [" ", "+", "-"])))]
    sign: char,
    text: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Statistic<'d> {
    section: &'static str,
    name: &'d str,
    a: u64,
    b: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct MachineNumber {
    name: &'static str,
    a: u64,
    b: u64,
}

/// The differences of the variables and functions of two files.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct Declarations<'d> {
    file: File<'d>,
    file_b: File<'d>,
    /// Declarations of A and B.
    declarations: Vec<Declaration<'d>>,
}

/// A file, object or routine without a counterpart.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct OnlyIn<'d> {
    /// The file or folder that contains it.
    file: File<'d>,
    #[cfg_attr(test, schemars(extend("enum" = ["a", "b"])))]
    side: &'static str,
    only: &'d str,
}

/// A routine that is not compared, or two files if at least one cannot be read.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct Error<'d> {
    file: File<'d>,
    file_b: File<'d>,
    routine: Option<RoutineName>,
    error: &'d str,
}

/// Returns the differences of two routines.
pub fn routine(
    (a, b): (&str, &str),
    diff: &RoutineDiff,
    context: usize,
    statistics: &[genvisa::analysis::Change],
    machine_code: &[MachineChange],
    register_bytes: (u32, u32),
) -> Value {
    let statistics = statistics.iter().map(|change| Statistic {
        section: change.section.name(),
        name: &change.name,
        a: change.before,
        b: change.after,
    });
    json!(Routine {
        file: File(a),
        file_b: File(b),
        kind: RoutineKind(diff.kind.to_string()),
        routine: RoutineName(diff.name_a.to_string_lossy()),
        register_bytes: Size(register_bytes.0.into()),
        register_bytes_b: Size(register_bytes.1.into()),
        declarations: changes(&diff.declarations),
        hunks: diff.hunks(context).into_iter().map(hunk).collect(),
        statistics: statistics.collect(),
        machine_code: machine_code.iter().map(machine_number).collect(),
    })
}

fn changes<'d>(changes: &'d [DeclarationChange]) -> Vec<Declaration<'d>> {
    let change = |it: &'d DeclarationChange| Declaration { a: it.a.as_deref(), b: it.b.as_deref() };
    changes.iter().map(change).collect()
}

fn machine_number(change: &MachineChange) -> MachineNumber {
    MachineNumber { name: change.name, a: change.before, b: change.after }
}

fn hunk(hunk: genvisa_diff::Hunk) -> Hunk {
    let instructions = |range: Range<usize>| Instructions {
        start: InstructionIndex(range.start),
        length: range.len(),
    };
    let line =
        |line: genvisa_diff::HunkLine| HunkLine { sign: line.change.sign(), text: line.text };
    Hunk {
        a: instructions(hunk.a),
        b: instructions(hunk.b),
        index: InstructionIndex(hunk.index),
        label: hunk.label,
        lines: hunk.lines.into_iter().map(line).collect(),
    }
}

/// Returns the differences of the variables and functions of two files.
pub fn declarations((a, b): (&str, &str), declarations: &[DeclarationChange]) -> Value {
    json!(Declarations { file: File(a), file_b: File(b), declarations: changes(declarations) })
}

/// Returns a file or routine without a counterpart.
pub fn only_in(is_a: bool, place: &str, what: &str) -> Value {
    let side = if is_a { "a" } else { "b" };
    json!(OnlyIn { file: File(place), side, only: what })
}

/// Returns an error in a routine; without a routine, an error in a file.
pub fn error((a, b): (&str, &str), routine: Option<&str>, message: &str) -> Value {
    let routine = routine.map(|name| RoutineName(name.into()));
    json!(Error { file: File(a), file_b: File(b), routine, error: message })
}
