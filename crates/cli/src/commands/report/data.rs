//! The data of a page: what `stats`, `cfg` and `diff` print as JSON, for each routine.
//!
//! - `#data`: the names of the files, errors, and a summary of each routine.
//! - `#routine-N`: `a` and `b`, each the members `cfg` and `stats` or null; `statistics`, a list of
//!   sections, names and the numbers of both; and `diff` without context, or null.

use genvisa::Platform;
use genvisa::analysis::Analysis;
use genvisa::object::Routine;
use genvisa_diff::RoutineDiff;
use serde::Serialize;
use serde_json::{Value, json};

use crate::commands::{cfg, diff, stats};
use crate::input::Input;
use crate::options::RegisterArgs;
use crate::words::printable;

/// A routine of one file.
pub struct Side {
    entry: stats::Entry,
    cfg: Value,
    /// The number of instructions.
    instructions: usize,
}

impl Side {
    pub fn new(
        input: &Input,
        routine: &Routine<'_, '_>,
        platform: Option<Platform>,
        registers: &RegisterArgs,
    ) -> genvisa::Result<Side> {
        let analysis = Analysis::new(routine, registers.size(platform, routine.body))?;
        let instructions = analysis.instructions.len();
        let cfg = cfg::Graph::new(routine, analysis).json(&input.name);
        let entry = stats::Entry::new(&input.name, routine, platform, registers, None)?;
        let entry = entry.with_stated(input);
        Ok(Side { entry, cfg, instructions })
    }

    fn json(&self) -> Value {
        json!({ "cfg": self.cfg, "stats": stats::json::routine(&self.entry) })
    }
}

/// What the list of routines contains.
#[derive(Serialize)]
pub struct Summary {
    kind: String,
    name: String,
    /// The name in B, if it differs.
    name_b: Option<String>,
    a: Option<Totals>,
    b: Option<Totals>,
    /// Whether both are equal except for names and numbers.
    is_equal: bool,
}

#[derive(Serialize)]
struct Totals {
    instructions: usize,
    /// The largest number of live registers.
    registers: u32,
}

impl Summary {
    pub fn new(a: Option<&Side>, b: Option<&Side>, diff: Option<&RoutineDiff>) -> Summary {
        let name = |side: &Side| printable(&side.entry.name);
        let totals = |side: &Side| Totals {
            instructions: side.instructions,
            registers: side
                .entry
                .statistics
                .peak
                .as_ref()
                .map_or(0, |peak| peak.pressure.registers),
        };
        let (name_a, name_b) = (a.map(name), b.map(name));
        let kind = a.or(b).map(|side| side.entry.kind.to_string());
        Summary {
            kind: kind.unwrap_or_default(),
            name_b: name_b.clone().filter(|name| name_a.as_ref().is_some_and(|a| a != name)),
            name: name_a.or(name_b).unwrap_or_default(),
            a: a.map(totals),
            b: b.map(totals),
            is_equal: diff.is_some_and(RoutineDiff::is_empty),
        }
    }
}

/// Returns the data of a routine or of a pair.
pub fn routine(a: Option<&Side>, b: Option<&Side>, diff: Option<&RoutineDiff>) -> Value {
    let of_pair = a.zip(b).zip(diff).map(|((a, b), diff)| {
        let bytes = |side: &Side| side.entry.registers.bytes();
        let files = (&*a.entry.file, &*b.entry.file);
        diff::json::routine(files, diff, 0, &[], &[], (bytes(a), bytes(b)))
    });
    json!({
        "a": a.map(Side::json),
        "b": b.map(Side::json),
        "statistics": statistics(a, b),
        "diff": of_pair,
    })
}

/// Returns each statistic with its section, its name and the numbers of both routines.
fn statistics(a: Option<&Side>, b: Option<&Side>) -> Vec<Value> {
    let metrics = |side: &Side| side.entry.statistics.metrics();
    let stated = |side: Option<&Side>| side.map(|it| it.entry.stated_numbers()).unwrap_or_default();
    let (of_a, of_b) = (stated(a), stated(b));
    let names = if of_a.is_empty() { &of_b } else { &of_a }.iter().map(|(name, _)| *name);
    let stated = names.map(|name| {
        let number = |of: &[(&str, i64)]| of.iter().find(|it| it.0 == name).map(|it| it.1);
        json!(["device binary", name, number(&of_a), number(&of_b)])
    });
    let mut rows = match (a, b) {
        (Some(a), Some(b)) => {
            let changes = a.entry.statistics.changes(&b.entry.statistics);
            let row = |it: &genvisa::analysis::Change| {
                json!([it.section.name(), printable(&it.name), it.before, it.after])
            };
            changes.iter().map(row).collect::<Vec<_>>()
        }
        _ => {
            let row = |it: genvisa::analysis::Metric| {
                let value = |side: Option<&Side>| side.map(|_| it.value);
                json!([it.section.name(), printable(&it.name), value(a), value(b)])
            };
            a.or(b).into_iter().flat_map(metrics).map(row).collect()
        }
    };
    rows.extend(stated);
    rows
}
