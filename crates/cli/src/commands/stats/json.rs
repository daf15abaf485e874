//! JSON of `genvisa stats`.

use std::collections::BTreeMap;

use genvisa::analysis::{Counts, Metric, Section, Target};
use genvisa::isa::IdClass;
use genvisa_container::device::{self, KernelOverview};
use serde::Serialize;
use serde_json::{Value, json};

use super::Entry;
use crate::output::definitions::{
    File, Line, Platform, Pressure, RoutineKind, RoutineName, Size, Version,
};

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct Routine<'e> {
    file: File<'e>,
    kind: RoutineKind,
    routine: RoutineName,
    version: Version,
    /// The platform, if the user or the text states it.
    platform: Option<Platform>,
    register_bytes: Size,
    /// Sums.
    totals: BTreeMap<String, u64>,
    /// The number of instructions of each operation. Operations without any are omitted.
    operations: BTreeMap<String, u32>,
    /// The number of instructions of each kind. Kinds without any are omitted.
    kinds: BTreeMap<String, u32>,
    messages: Vec<Message<'e>>,
    scratch: Scratch,
    widths: Vec<Width>,
    /// Numbers of blocks, edges and loops.
    control_flow: BTreeMap<String, u64>,
    declarations: Vec<Declarations>,
    /// The first instruction before which the most registers are live; null if there is no instruction.
    peak: Option<Peak<'e>>,
    /// The source lines, those with the most instructions first; null without --by-line.
    lines: Option<Vec<SourceLine<'e>>>,
    /// The machine code; null without --asm, or if the file does not contain the routine.
    machine_code: Option<MachineCode<'e>>,
    /// The numbers in `execution_env` of the device binary that contains the text; null for others.
    execution_env: Option<BTreeMap<&'e str, i64>>,
}

/// What the `.asm` file of the finalizer states.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct MachineCode<'e> {
    /// The name of the `.asm` file.
    asm: &'e str,
    /// The registers that a thread has; null if the file does not state it.
    thread_registers: Option<u32>,
    /// The spills of the kernel with its functions.
    spilled_bytes: Size,
    /// The allocator that succeeded; null if the file does not state it.
    allocation: Option<&'e str>,
    /// The number of machine instructions of the routine.
    instructions: usize,
    /// Those that the finalizer added, without a vISA instruction.
    added: usize,
    /// The number of machine instructions of each vISA instruction.
    of_instructions: Vec<usize>,
}

/// The instructions of a source line.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct SourceLine<'e> {
    /// The name of the file, as FILE states it; null without FILE.
    source: Option<&'e str>,
    /// Null for the instructions without a line.
    line: Option<Line>,
    /// The text of the line without the blanks around it; null if the file is not found.
    text: Option<&'e str>,
    /// The number of instructions without markers.
    instructions: u32,
    /// The number of machine instructions that came from them; null without `machine_code`.
    machine_instructions: Option<usize>,
    messages: Vec<Message<'e>>,
    /// The first instruction of the line before which the most registers are live.
    peak: Pressure,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Message<'e> {
    operation: String,
    target: String,
    surface: Option<u8>,
    /// The name of the surface.
    name: Option<&'e str>,
    count: u32,
}

/// Accesses to the scratch space.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Scratch {
    reads: u32,
    writes: u32,
    spill_offset: Option<u32>,
    has_spill_surface: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Width {
    lanes: usize,
    masked: u32,
    no_mask: u32,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Declarations {
    class: &'static str,
    count: u32,
    aliases: u32,
    bytes: Size,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Peak<'e> {
    #[serde(flatten)]
    pressure: Pressure,
    estimated_registers: u32,
    operation: &'e str,
    variables: Vec<Variable<'e>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Variable<'e> {
    name: &'e str,
    id: u32,
    bytes: Size,
    registers: u32,
}

/// Returns the statistics of a routine. The names of the fields do not change.
pub fn routine(entry: &Entry) -> Value {
    let statistics = &entry.statistics;
    let lines = entry.lines.as_ref().map(|lines| lines.iter().map(|line| source_line(entry, line)));
    let widths = statistics.widths.iter().map(|width| Width {
        lanes: width.size.lanes(),
        masked: width.masked,
        no_mask: width.no_mask,
    });
    let declarations = statistics.declarations.iter().map(|declarations| Declarations {
        class: class_name(declarations.class),
        count: declarations.count,
        aliases: declarations.aliases,
        bytes: Size(declarations.bytes),
    });
    let peak = statistics.peak.as_ref().map(|peak| {
        let variables = peak.variables.iter().zip(&entry.live_names);
        let variables = variables.map(|(variable, name)| Variable {
            name,
            id: variable.root.number,
            bytes: Size(variable.units.into()),
            registers: variable.registers,
        });
        Peak {
            pressure: Pressure::new(peak.instruction, &peak.pressure),
            estimated_registers: peak.pressure.estimated_registers(),
            operation: &entry.peak_operation,
            variables: variables.collect(),
        }
    });
    json!(Routine {
        file: File(&entry.file),
        kind: RoutineKind(entry.kind.to_string()),
        routine: RoutineName(entry.name.clone()),
        version: Version(entry.format.version.to_string()),
        platform: entry.platform.map(|platform| Platform(platform.name())),
        register_bytes: Size(entry.registers.bytes().into()),
        totals: section(entry, Section::Totals),
        operations: counts(&statistics.operations),
        kinds: counts(&statistics.kinds),
        messages: messages(entry, &statistics.messages),
        scratch: Scratch {
            reads: statistics.scratch.reads,
            writes: statistics.scratch.writes,
            spill_offset: statistics.scratch.spill_offset,
            has_spill_surface: statistics.scratch.has_spill_surface,
        },
        widths: widths.collect(),
        control_flow: section(entry, Section::ControlFlow),
        declarations: declarations.collect(),
        peak,
        lines: lines.map(Iterator::collect),
        machine_code: entry.machine_code.as_ref().map(machine_code),
        execution_env: entry.stated.as_ref().map(numbers),
    })
}

fn messages<'e>(
    entry: &'e Entry,
    messages: &Counts<genvisa::analysis::Message>,
) -> Vec<Message<'e>> {
    let messages = messages.iter().map(|(message, count)| Message {
        operation: message.operation.to_string(),
        target: message.target.to_string(),
        surface: match message.target {
            Target::Surface(surface) => Some(surface.0),
            _ => None,
        },
        name: entry.surface_name(message),
        count,
    });
    messages.collect()
}

fn source_line<'e>(entry: &'e Entry, line: &'e super::Line) -> SourceLine<'e> {
    let statistics = &line.statistics;
    SourceLine {
        source: line.file.as_deref(),
        line: statistics.line.map(|line| Line(line.line as usize)),
        text: line.text.as_deref(),
        instructions: statistics.instructions,
        machine_instructions: line.machine_instructions,
        messages: messages(entry, &statistics.messages),
        peak: Pressure::new(statistics.peak_instruction, &statistics.pressure),
    }
}

fn machine_code(code: &crate::finalizer_asm::MachineCode) -> MachineCode<'_> {
    MachineCode {
        asm: &code.file,
        thread_registers: code.registers,
        spilled_bytes: Size(code.spill_bytes.into()),
        allocation: code.allocation.as_deref(),
        instructions: code.instructions,
        added: code.added,
        of_instructions: code.lines.iter().map(Vec::len).collect(),
    }
}

/// Returns the numbers that a device binary states about a kernel.
fn numbers(stated: &KernelOverview) -> BTreeMap<&str, i64> {
    let number = |(name, entry): (_, &device::Entry)| match entry {
        device::Entry::Integer(number) => Some((name, *number)),
        _ => None,
    };
    stated.execution.iter().map(|(name, entry)| (&**name, entry)).filter_map(number).collect()
}

fn counts<K: ToString>(counts: &Counts<K>) -> BTreeMap<String, u32> {
    counts.iter().map(|(key, count)| (key.to_string(), count)).collect()
}

/// Returns the numbers of a section, with `_` for spaces in their names.
fn section(entry: &Entry, section: Section) -> BTreeMap<String, u64> {
    let metrics = entry.statistics.metrics().into_iter().filter(|metric| metric.section == section);
    metrics.map(|Metric { name, value, .. }| (name.replace(' ', "_"), value)).collect()
}

/// Returns the name of a class of variables.
pub fn class_name(class: IdClass) -> &'static str {
    match class {
        IdClass::Variable => "variable",
        IdClass::Address => "address",
        IdClass::Predicate => "predicate",
        IdClass::Surface => "surface",
        IdClass::Sampler => "sampler",
        _ => "other",
    }
}
