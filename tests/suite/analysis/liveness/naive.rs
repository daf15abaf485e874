//! The definitions of liveness and pressure (`docs/analysis.md`, 3 and 4), applied to each unit and
//! each instruction.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use genvisa::Instruction;
use genvisa::analysis::{Access, AccessKind, Analysis, BlockId, Condition, Location, Pressure};
use genvisa::isa::{Id, IdClass};
use genvisa::object::{AliasScope, InputClass, Routine, RoutineKind};
use genvisa::operand::VarId;

/// The largest number of units that are analysed one by one. No test has a larger variable.
const LIMIT: u32 = 16384;

/// The live units of a root before each instruction, in ascending order.
pub struct LiveRoot {
    pub location: Location,
    pub at: Vec<Vec<u32>>,
}

impl LiveRoot {
    /// Returns the number of registers with live bytes; 0 for variables that are packed.
    pub fn registers(&self, instruction: usize, register: u32) -> u32 {
        let is_small = self.location.size < register;
        if is_small || self.location.root.class != IdClass::Variable || self.is_uncounted() {
            return 0;
        }
        let units = &self.at[instruction];
        let is_first = |pair: &&[u32]| pair[0] / register != pair[1] / register;
        u32::from(!units.is_empty()) + units.windows(2).filter(is_first).count() as u32
    }

    /// Returns whether the root is a register of the architecture.
    fn is_uncounted(&self) -> bool {
        let root = self.location.root;
        let names = ["%tsc", "%sr0", "%cr0", "%ce0", "%dbg0", "%msg0"];
        root.class == IdClass::Variable
            && VarId(root.number).predefined_name().is_some_and(|name| names.contains(&name))
    }
}

/// Returns the pressure before an instruction.
pub fn pressure(live: &[LiveRoot], instruction: usize, register: u32) -> Pressure {
    let mut pressure = Pressure::default();
    let mut packed = 0;
    for root in live.iter().filter(|root| !root.is_uncounted()) {
        let units = root.at[instruction].len() as u32;
        match root.location.root.class {
            IdClass::Address => pressure.address_bytes += units,
            IdClass::Predicate => pressure.predicate_bits += units,
            _ => {
                pressure.bytes += units;
                pressure.registers += root.registers(instruction, register);
                packed += if root.location.size < register { units } else { 0 };
            }
        }
    }
    pressure.registers += packed.div_ceil(register);
    pressure
}

/// What an instruction does with a unit.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Events {
    /// It reads the unit in any lane, or in the lane of the unit.
    reads: bool,
    reads_own: bool,
    writes: bool,
    /// It writes the unit in the lane of the unit, if that is active.
    writes_own: bool,
    kills: bool,
    discards: bool,
}

/// The places of a routine: one before each instruction, then one in each empty block.
struct Graph {
    instructions: usize,
    first: Vec<usize>,
    /// The places after each place, along edges.
    edges: Vec<Vec<usize>>,
    /// The same, along edges and resumptions.
    flow: Vec<Vec<usize>>,
    /// The places where the routine ends.
    is_end: Vec<bool>,
    /// The first place of blocks at which lanes wait, and the places that others execute.
    waits: Vec<(usize, BTreeSet<usize>)>,
    is_divergent: Vec<bool>,
}

impl Graph {
    fn new(analysis: &Analysis) -> Graph {
        let blocks = analysis.cfg.blocks();
        let instructions = analysis.instructions.len();
        let (mut first, mut last) = (Vec::new(), Vec::new());
        let mut places = instructions;
        for block in blocks {
            let range = &block.instructions;
            let empty = places;
            places += usize::from(range.is_empty());
            first.push(if range.is_empty() { empty } else { range.start });
            last.push(if range.is_empty() { empty } else { range.end - 1 });
        }
        let mut edges: Vec<Vec<usize>> = vec![Vec::new(); places];
        let mut is_divergent = vec![false; instructions];
        for (index, block) in blocks.iter().enumerate() {
            let id = BlockId(index as u32);
            for at in block.instructions.clone() {
                is_divergent[at] = analysis.divergence.is_divergent(id);
                if at != last[index] {
                    edges[at].push(at + 1);
                }
            }
            let to = analysis.cfg.successors(id).iter().map(|edge| first[edge.to.index()]);
            edges[last[index]].extend(to);
        }
        let is_end = (0..places).map(|at| {
            let in_main = || {
                let block = analysis.cfg.block_of(at).expect("a block for each instruction");
                blocks[block.index()].subroutine == 0
            };
            let ends = match analysis.instructions.get(at) {
                // A return, or a send that ends the thread.
                Some(Instruction::Fret(_)) => true,
                Some(
                    send @ (Instruction::RawSend(_)
                    | Instruction::RawSends(_)
                    | Instruction::RawSendg(_)),
                ) => send.ends_block(),
                Some(Instruction::Ret(_)) => in_main(),
                _ => false,
            };
            ends || edges[at].is_empty()
        });
        let is_end = is_end.collect();
        let mut flow = edges.clone();
        for (from, to) in analysis.divergence.resumptions() {
            flow[last[from.index()]].push(first[to.index()]);
        }
        let places_of = |range: &Range<BlockId>| {
            let blocks = range.start.index()..range.end.index();
            blocks.flat_map(|block| first[block]..=last[block]).collect::<Vec<usize>>()
        };
        let waits = analysis.divergence.waits().iter().map(|wait| {
            let mut others = BTreeSet::from_iter(places_of(&wait.blocks));
            if wait.calls {
                let subroutines = analysis.divergence.divergent_subroutines();
                others.extend(subroutines.iter().flat_map(places_of));
            }
            (first[wait.at.index()], others)
        });
        let waits = waits.collect();
        Graph { instructions, first, edges, flow, is_end, waits, is_divergent }
    }

    /// Returns the instructions before which a unit is live, given its events at each instruction.
    fn live(&self, events: &[Events], at_entry: bool, at_exit: bool) -> BTreeSet<usize> {
        let event = |at: usize| events.get(at).copied().unwrap_or_default();
        let waits = self.waits.iter().filter(|(at, _)| self.is_needed_by_own_lane(event, *at));
        let mut needed: BTreeSet<usize> = waits.flat_map(|(_, others)| others.clone()).collect();
        needed.extend((0..self.edges.len()).filter(|at| {
            self.is_needed_by_own_lane(event, *at)
                || self.is_needed_by_any_lane(event, *at, at_exit)
        }));
        // A value that is not needed at the start of a block is not kept there.
        let mut defined: BTreeSet<usize> = BTreeSet::new();
        let mut stack: Vec<usize> = Vec::new();
        for at in (0..self.instructions).filter(|at| event(*at).writes) {
            stack.extend(&self.flow[at]);
        }
        if at_entry {
            stack.extend(self.first.first());
        }
        while let Some(at) = stack.pop() {
            let is_kept = needed.contains(&at) || !self.first.contains(&at);
            if is_kept && defined.insert(at) && !event(at).discards {
                stack.extend(&self.flow[at]);
            }
        }
        defined.retain(|at| *at < self.instructions && needed.contains(at));
        defined
    }

    /// Case 1.
    fn is_needed_by_any_lane(
        &self,
        event: impl Fn(usize) -> Events,
        at: usize,
        at_exit: bool,
    ) -> bool {
        self.finds(&self.flow, at, |at| {
            let event = event(at);
            if event.reads {
                return Some(true);
            }
            if event.kills {
                return Some(false);
            }
            (at_exit && self.is_end[at]).then_some(true)
        })
    }

    /// Case 2.
    fn is_needed_by_own_lane(&self, event: impl Fn(usize) -> Events, at: usize) -> bool {
        self.finds(&self.edges, at, |at| {
            let event = event(at);
            if event.reads_own {
                return Some(true);
            }
            (event.kills || event.writes_own).then_some(false)
        })
    }

    /// Returns whether a path leads to a place that answers `true`. A place that answers ends a path.
    fn finds(
        &self,
        graph: &[Vec<usize>],
        from: usize,
        answer: impl Fn(usize) -> Option<bool>,
    ) -> bool {
        let mut visited = vec![false; graph.len()];
        let mut stack = vec![from];
        while let Some(at) = stack.pop() {
            if std::mem::replace(&mut visited[at], true) {
                continue;
            }
            match answer(at) {
                Some(true) => return true,
                Some(false) => {}
                None => stack.extend(&graph[at]),
            }
        }
        false
    }
}

/// The distance of lanes, and the unit at which lane 0 begins.
type LaneMap = (u32, i64);

/// Returns the units of a root that an access touches, each with the lanes that it belongs to.
fn units_in(access: &Access, size: u32) -> Vec<(u32, Option<LaneMap>)> {
    let footprint = &access.footprint;
    let mut found = Vec::new();
    for row in 0..footprint.rows {
        let start = footprint.start + row * footprint.row_stride;
        let map = access.lanes.map(|lanes| {
            let pitch = u32::from(lanes.pitch);
            (pitch, i64::from(start) - i64::from(lanes.first) * i64::from(pitch))
        });
        for column in 0..footprint.columns {
            let start = start + column * footprint.column_stride;
            found.extend((start..size.min(start + footprint.element)).map(|unit| (unit, map)));
        }
    }
    found
}

/// Returns the roots, and the units of each that are live before each instruction.
pub fn liveness(routine: &Routine<'_, '_>, analysis: &Analysis) -> Vec<LiveRoot> {
    let graph = Graph::new(analysis);
    let mut accesses: BTreeMap<Id, Vec<(usize, Access)>> = BTreeMap::new();
    for (at, instruction) in analysis.instructions.iter().enumerate() {
        analysis.storage.visit_accesses(instruction, |access| {
            let kind = match access.kind {
                AccessKind::IndirectRead => AccessKind::Read,
                AccessKind::IndirectWrite => AccessKind::Write,
                _ => {
                    accesses.entry(access.root).or_default().push((at, access));
                    return;
                }
            };
            for root in analysis.targets.of(access.root) {
                let size = analysis.storage.location(root).expect("a target").size;
                let mut access = access;
                (access.root, access.kind) = (root, kind);
                access.footprint = genvisa::analysis::Footprint::contiguous(0, size);
                assert_eq!((access.condition, access.lanes), (Condition::Possible, None));
                accesses.entry(root).or_default().push((at, access));
            }
        });
    }
    let (entry, exit) = boundary(routine, analysis);
    let roots = analysis.storage.roots().map(|location| {
        let accesses = accesses.get(&location.root).map_or(&[][..], Vec::as_slice);
        let is_in = |set: &Ranges, unit: u32| {
            let ranges = set.get(&location.root);
            ranges.is_some_and(|ranges| ranges.iter().any(|range| range.contains(&unit)))
        };
        let mut at = vec![Vec::new(); graph.instructions];
        if accesses.is_empty() && !exit.contains_key(&location.root) {
            return LiveRoot { location, at };
        }
        // Most units have the same events as the one before.
        let mut last = (Vec::new(), false, false);
        let mut live = BTreeSet::new();
        for (unit, events) in (0..).zip(events(&graph, location, accesses)) {
            let key = (events, is_in(&entry, unit), is_in(&exit, unit));
            if key != last {
                live = graph.live(&key.0, key.1, key.2);
                last = key;
            }
            for instruction in &live {
                at[*instruction].push(unit);
            }
        }
        LiveRoot { location, at }
    });
    roots.collect()
}

/// Returns the events of each unit of a root at each instruction.
fn events(graph: &Graph, root: Location, accesses: &[(usize, Access)]) -> Vec<Vec<Events>> {
    let size = root.size;
    assert!(size <= LIMIT, "{size} units");
    let mut lanes: BTreeMap<u32, LaneMap> = BTreeMap::new();
    for (at, access) in accesses {
        let is_write = access.kind == AccessKind::Write;
        if is_write && access.condition == Condition::ActiveLanes && graph.is_divergent[*at] {
            for (unit, map) in units_in(access, size) {
                if let Some(map) = map {
                    lanes.entry(unit / 32).or_insert(map);
                }
            }
        }
    }
    let mut result = vec![vec![Events::default(); graph.instructions]; size as usize];
    for (at, access) in accesses {
        let is_divergent = graph.is_divergent[*at];
        let touched = units_in(access, size);
        // An access with other lanes somewhere does not depend on lanes anywhere.
        let is_own = touched
            .iter()
            .all(|(unit, map)| map.is_some() && map.as_ref() == lanes.get(&(unit / 32)));
        for (unit, _) in touched {
            let event = &mut result[unit as usize][*at];
            match access.kind {
                AccessKind::Read => {
                    let is_masked = access.lanes.is_some_and(|lanes| lanes.is_masked);
                    let in_active = is_masked || !is_divergent;
                    let is_own = is_own && in_active;
                    event.reads_own |= is_own;
                    event.reads |= !is_own;
                }
                AccessKind::Write => {
                    event.writes = true;
                    match access.condition {
                        Condition::Always => event.kills = true,
                        Condition::ActiveLanes => {
                            event.kills |= !is_divergent;
                            event.writes_own |= is_own;
                        }
                        _ => {}
                    }
                }
                AccessKind::Discard => (event.kills, event.discards) = (true, true),
                _ => {}
            }
        }
    }
    result
}

type Ranges = BTreeMap<Id, Vec<Range<u32>>>;

/// Returns the units that have a value at the entry, and those that are used after the end.
fn boundary(routine: &Routine<'_, '_>, analysis: &Analysis) -> (Ranges, Ranges) {
    let (mut entry, mut exit) = (Ranges::new(), Ranges::new());
    let add = |set: &mut Ranges, id: Id| {
        let location = analysis.storage.location(id).expect("it is declared");
        let units = location.offset..location.offset + location.size;
        set.entry(location.root).or_default().push(units);
    };
    for number in 0..VarId::FIRST_DECLARED.0 {
        let name = VarId(number).predefined_name();
        let is_undefined = matches!(name, Some("%arg" | "%retval"));
        if routine.kind != RoutineKind::Kernel || !is_undefined {
            add(&mut entry, VarId(number).into());
        }
    }
    for input in routine.inputs.iter().filter(|input| input.kind.class() == InputClass::GENERAL) {
        add(&mut entry, VarId(input.index).into());
    }
    for (index, variable) in routine.body.variables.iter().enumerate() {
        let id = VarId(VarId::FIRST_DECLARED.0 + index as u32).into();
        let names = variable.attributes.iter().map(|attribute| {
            let name = &routine.body.strings[attribute.name.0 as usize];
            String::from_utf8_lossy(name.as_bytes())
        });
        let names: Vec<_> = names.collect();
        let has = |name: &str| names.iter().any(|other| other == name);
        let is_of_file = variable.alias_scope == AliasScope::FILE;
        if is_of_file || has("Input") || has("Input_Output") {
            add(&mut entry, id);
        }
        if is_of_file || has("Output") || has("Input_Output") {
            add(&mut exit, id);
        }
    }
    (entry, exit)
}

/// Returns the roots whose every unit is used after the end.
pub fn outputs(routine: &Routine<'_, '_>, analysis: &Analysis) -> Vec<Id> {
    let (_, exit) = boundary(routine, analysis);
    let is_whole = |id: &Id| {
        analysis
            .storage
            .location(*id)
            .is_some_and(|location| exit[id].contains(&(0..location.size)))
    };
    exit.keys().copied().filter(is_whole).collect()
}
