//! JSON of `genvisa stats`.

use genvisa::analysis::{Counts, Metric, Section, Target};
use genvisa::isa::IdClass;
use serde_json::{Map, Value, json};

use super::Entry;

/// Returns the statistics of a routine. The names of the fields do not change.
pub fn routine(entry: &Entry) -> Value {
    let statistics = &entry.statistics;
    let messages: Vec<Value> = (statistics.messages.iter())
        .map(|(message, count)| {
            let surface = match message.target {
                Target::Surface(surface) => Some(surface.0),
                _ => None,
            };
            json!({
                "operation": message.operation.to_string(),
                "target": message.target.to_string(),
                "surface": surface,
                "name": entry.surface_name(message),
                "count": count,
            })
        })
        .collect();
    let widths: Vec<Value> = (statistics.widths.iter())
        .map(|width| {
            json!({
                "lanes": width.size.lanes(),
                "masked": width.masked,
                "no_mask": width.no_mask,
            })
        })
        .collect();
    let declarations: Vec<Value> = (statistics.declarations.iter())
        .map(|declarations| {
            json!({
                "class": class_name(declarations.class),
                "count": declarations.count,
                "aliases": declarations.aliases,
                "bytes": declarations.bytes,
            })
        })
        .collect();
    let peak = statistics.peak.as_ref().map(|peak| {
        let variables: Vec<Value> = (peak.variables.iter().zip(&entry.live_names))
            .map(|(variable, name)| {
                json!({
                    "name": name,
                    "id": variable.root.number,
                    "bytes": variable.units,
                    "registers": variable.registers,
                })
            })
            .collect();
        json!({
            "instruction": peak.instruction,
            "operation": entry.peak_operation,
            "registers": peak.pressure.registers,
            "bytes": peak.pressure.bytes,
            "address_bytes": peak.pressure.address_bytes,
            "predicate_bits": peak.pressure.predicate_bits,
            "variables": variables,
        })
    });
    json!({
        "file": entry.file,
        "kind": entry.kind.to_string(),
        "routine": entry.name,
        "version": entry.format.version.to_string(),
        "platform": entry.platform.map(|platform| platform.name()),
        "register_bytes": entry.registers.bytes(),
        "totals": section(entry, Section::Totals),
        "operations": counts(&statistics.operations),
        "kinds": counts(&statistics.kinds),
        "messages": messages,
        "scratch": {
            "reads": statistics.scratch.reads,
            "writes": statistics.scratch.writes,
            "spill_offset": statistics.scratch.spill_offset,
            "has_spill_surface": statistics.scratch.has_spill_surface,
        },
        "widths": widths,
        "control_flow": section(entry, Section::ControlFlow),
        "declarations": declarations,
        "peak": peak,
    })
}

fn counts<K: ToString>(counts: &Counts<K>) -> Value {
    let entries = counts.iter().map(|(key, count)| (key.to_string(), json!(count)));
    Value::Object(entries.collect::<Map<_, _>>())
}

/// Returns the numbers of a section, with `_` for spaces in their names.
fn section(entry: &Entry, section: Section) -> Value {
    let metrics = entry.statistics.metrics().into_iter().filter(|metric| metric.section == section);
    let field = |Metric { name, value, .. }: Metric| (name.replace(' ', "_"), json!(value));
    Value::Object(metrics.map(field).collect::<Map<_, _>>())
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
