//! The columns to the left of instructions: live registers, and the lives of variables.

use std::collections::HashMap;
use std::fmt::Write;

use anyhow::bail;
use genvisa::RegisterSize;
use genvisa::analysis::{Access, AccessKind, Analysis, Location};
use genvisa::isa::{Id, Instruction};
use genvisa::object::{Body, Routine};
use genvisa::text::nearest;

use crate::modules::names;
use crate::words::printable;

/// The columns of a routine.
pub struct Margin {
    /// The comment before the routine that explains the columns.
    pub legend: String,
    /// The number of live registers before each instruction, if it is a column.
    registers: Option<Column>,
    /// A column for each name.
    lives: Vec<Vec<char>>,
}

struct Column {
    numbers: Vec<u32>,
    width: usize,
}

impl Margin {
    /// Returns the columns of a routine: the pressure, and the life of each variable of a list. If the
    /// routine does not declare a name, its column is empty.
    pub fn new(
        has_pressure: bool,
        liveness: &[String],
        instructions: Vec<Instruction>,
        routine: &Routine<'_, '_>,
        registers: RegisterSize,
    ) -> Margin {
        let analysis = Analysis::of_instructions(routine, instructions, registers);
        let mut legend = String::new();
        if has_pressure {
            let size = registers.bytes();
            let (at, peak) = analysis.liveness.peak().unwrap_or_default();
            let peak = peak.registers;
            // Writing to a string never fails.
            let _ =
                write!(legend, "// {size}-byte registers that are live before each instruction");
            let _ = writeln!(legend, "; peak: {peak} before ${at}");
        }
        let mut lives = Vec::new();
        for name in liveness {
            let id = names::find(name, routine.body);
            let place = id.and_then(|id| analysis.storage.location(id));
            let marks = place.map(|place| marks(&analysis, place));
            lives.push(marks.unwrap_or_else(|| vec![' '; analysis.instructions.len()]));
            let (number, name) = (lives.len(), printable(name));
            let what = match (id, place) {
                (Some(id), Some(place)) if place.root != id => {
                    let root = printable(&names::name_of(place.root, routine.body));
                    format!(" (an alias of {root} at offset {})", place.offset)
                }
                (Some(_), Some(_)) => String::new(),
                _ => " (not in this routine)".into(),
            };
            let _ = writeln!(legend, "// mark {number}: {name}{what}");
        }
        if !lives.is_empty() {
            legend +=
                "// : live before the instruction, v read, ^ written, x both, & address taken\n";
        }
        let registers = has_pressure.then(|| {
            let pressure = analysis.liveness.pressure().iter();
            let numbers: Vec<u32> = pressure.map(|pressure| pressure.registers).collect();
            let width = numbers.iter().max().map_or(1, |most| most.to_string().len());
            Column { numbers, width }
        });
        Margin { legend, registers, lives }
    }

    /// Appends the margin of an instruction: a comment.
    pub fn print(&self, instruction: usize, text: &mut String) {
        *text += "/* ";
        if let Some(Column { numbers, width }) = &self.registers {
            let number = numbers.get(instruction).copied().unwrap_or_default();
            let _ = write!(text, "{number:>width$} ");
        }
        for life in &self.lives {
            text.push(life.get(instruction).copied().unwrap_or(' '));
        }
        *text += if self.lives.is_empty() { "*/ " } else { " */ " };
    }
}

/// Checks that a routine declares each name, or another routine does.
pub fn check_names(
    wanted: &[String],
    file: &str,
    routines: &[(usize, Routine<'_, '_>)],
) -> anyhow::Result<()> {
    let bodies = || routines.iter().map(|(_, routine)| routine.body);
    for name in wanted {
        if bodies().any(|body| names::find(name, body).is_some()) {
            continue;
        }
        let all: Vec<String> = bodies().flat_map(declared_names).collect();
        let help = match nearest(name, all.iter().map(String::as_str)) {
            Some(name) => format!("did you mean `{}`?", printable(name)),
            None => "use a name of the text, or an id such as V32, A0 or P1".into(),
        };
        bail!("{file}: no variable `{}`; {help}", printable(name));
    }
    Ok(())
}

fn declared_names<'b>(body: &'b Body<'_>) -> impl Iterator<Item = String> + use<'b> {
    names::ids(body).filter_map(|id| body.name_of(id)).map(|name| name.to_string_lossy())
}

/// Returns the mark of a variable at each instruction.
fn marks(analysis: &Analysis, place: Location) -> Vec<char> {
    let Analysis { instructions, storage, liveness, .. } = analysis;
    let units = place.offset..place.offset.saturating_add(place.size);
    let overlaps = |start: u32, end: u32| start < units.end && units.start < end;
    let is_alias = storage
        .location(place.root)
        .is_some_and(|root| (root.offset, root.size) != (place.offset, place.size));
    let mut marks = vec![' '; instructions.len()];
    for range in liveness.ranges(place.root) {
        for at in range {
            let mut live = liveness.live_units(place.root, at);
            if !is_alias || live.any(|live| overlaps(live.start, live.end)) {
                marks[at] = ':';
            }
        }
    }
    let names = |access: &Access| {
        let span = access.footprint.span();
        access.root == place.root && overlaps(span.start, span.end)
    };
    let mut pointers = Pointers { analysis, root: place.root, found: HashMap::new() };
    for (mark, instruction) in marks.iter_mut().zip(instructions) {
        let uses = Uses::of(instruction, analysis, &mut pointers, &names);
        *mark = match uses {
            Uses { is_read: true, is_written: true, .. } => 'x',
            Uses { is_read: true, .. } => 'v',
            Uses { is_written: true, .. } => '^',
            Uses { is_address_taken: true, .. } => '&',
            _ => *mark,
        };
    }
    marks
}

/// The address variables that may contain the address of a root.
struct Pointers<'a> {
    analysis: &'a Analysis,
    root: Id,
    /// For each address variable that an instruction has used, whether it may.
    found: HashMap<Id, bool>,
}

impl Pointers<'_> {
    fn contains(&mut self, address: Id) -> bool {
        let targets = &self.analysis.targets;
        let root = self.root;
        *self
            .found
            .entry(address)
            .or_insert_with(|| targets.of(address).any(|target| target == root))
    }
}

/// How an instruction uses a variable.
#[derive(Default)]
struct Uses {
    is_read: bool,
    is_written: bool,
    is_address_taken: bool,
}

impl Uses {
    fn of(
        instruction: &Instruction,
        analysis: &Analysis,
        pointers: &mut Pointers<'_>,
        names: &impl Fn(&Access) -> bool,
    ) -> Uses {
        let mut uses = Uses::default();
        analysis.storage.visit_accesses(instruction, |access| match access.kind {
            AccessKind::Read if names(&access) => uses.is_read = true,
            AccessKind::Write if names(&access) => uses.is_written = true,
            AccessKind::AddressTaken if names(&access) => uses.is_address_taken = true,
            AccessKind::IndirectRead | AccessKind::IndirectWrite if names(&access) => {
                uses.is_read = true;
            }
            AccessKind::IndirectRead if pointers.contains(access.root) => uses.is_read = true,
            AccessKind::IndirectWrite if pointers.contains(access.root) => {
                uses.is_written = true;
            }
            _ => {}
        });
        uses
    }
}
