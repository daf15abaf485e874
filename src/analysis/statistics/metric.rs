//! Statistics as a list of numbers, and the changes between two routines.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use super::{Statistics, Width};
use crate::isa::IdClass;

/// A number of [`Statistics`], with its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Metric {
    /// The section that the number belongs to.
    pub section: Section,
    /// The name, which is unique in the section.
    pub name: Cow<'static, str>,
    /// The number.
    pub value: u64,
}

/// A section of [`Statistics`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Section {
    /// Totals of instructions.
    Totals,
    /// The number of instructions of each operation.
    Operations,
    /// The number of instructions of each kind.
    Kinds,
    /// The number of messages of each operation and target.
    Messages,
    /// Accesses to scratch memory.
    Scratch,
    /// The number of instructions of each execution size.
    Widths,
    /// Branches, calls and basic blocks.
    ControlFlow,
    /// The declared variables.
    Declarations,
    /// The peak of the register pressure.
    Pressure,
}

impl Section {
    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Section::Totals => "totals",
            Section::Operations => "operations",
            Section::Kinds => "kinds",
            Section::Messages => "messages",
            Section::Scratch => "scratch",
            Section::Widths => "widths",
            Section::ControlFlow => "control flow",
            Section::Declarations => "declarations",
            Section::Pressure => "pressure",
        }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A number of two routines.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Change {
    /// The section that the number belongs to.
    pub section: Section,
    /// The name, which is unique in the section.
    pub name: Cow<'static, str>,
    /// The number of the first routine.
    pub before: u64,
    /// The number of the second routine.
    pub after: u64,
}

impl Change {
    /// Returns the second number minus the first.
    pub fn difference(&self) -> i64 {
        self.after as i64 - self.before as i64
    }

    /// Returns the difference in percent of the first number; `None` if that is 0.
    pub fn percent(&self) -> Option<f64> {
        (self.before > 0).then(|| 100.0 * self.difference() as f64 / self.before as f64)
    }
}

impl Statistics {
    /// Returns all numbers, in the order of the sections. Numbers of [`Counts`](super::Counts) are
    /// present if they are not 0; the others always are.
    pub fn metrics(&self) -> Vec<Metric> {
        let mut metrics = Metrics(Vec::new());
        self.add_instructions(&mut metrics);
        self.add_rest(&mut metrics);
        metrics.0
    }

    fn add_instructions(&self, metrics: &mut Metrics) {
        let totals = [
            ("instructions", self.instructions),
            ("markers", self.markers),
            ("messages", self.messages.total()),
            ("predicated", self.predicated),
            ("saturating", self.saturating),
        ];
        metrics.add_all(Section::Totals, totals);
        for (operation, count) in self.operations.iter() {
            metrics.add(Section::Operations, operation.to_string(), count);
        }
        for (kind, count) in self.kinds.iter() {
            metrics.add(Section::Kinds, kind.name(), count);
        }
        for (message, count) in self.messages.iter() {
            metrics.add(Section::Messages, message.to_string(), count);
        }
        let scratch = &self.scratch;
        metrics.add_all(Section::Scratch, [("reads", scratch.reads), ("writes", scratch.writes)]);
        if let Some(offset) = scratch.spill_offset {
            metrics.add(Section::Scratch, "spill offset", offset);
        }
        for Width { size, masked, no_mask } in self.widths {
            let lanes = size.lanes();
            metrics.add(Section::Widths, alloc::format!("SIMD{lanes}"), masked);
            metrics.add(Section::Widths, alloc::format!("SIMD{lanes} no mask"), no_mask);
        }
    }

    fn add_rest(&self, metrics: &mut Metrics) {
        let flow = &self.control_flow;
        let numbers = [
            ("blocks", flow.blocks),
            ("divergent blocks", flow.divergent_blocks),
            ("unreachable blocks", flow.unreachable_blocks),
            ("loops", flow.loops),
            ("loop depth", flow.loop_depth),
            ("irreducible loops", flow.irreducible_loops),
            ("branches", flow.branches()),
            ("jmp", flow.jumps),
            ("jmp conditional", flow.conditional_jumps),
            ("goto", flow.gotos),
            ("goto conditional", flow.conditional_gotos),
            ("switchjmp", flow.switch_jumps),
            ("calls", flow.calls),
            ("function calls", flow.function_calls),
            ("returns", flow.returns),
        ];
        metrics.add_all(Section::ControlFlow, numbers);
        for declarations in &self.declarations {
            let names = match declarations.class {
                IdClass::Variable => ["variables", "variable aliases", "variable bytes"],
                IdClass::Address => ["addresses", "", "address bytes"],
                IdClass::Predicate => ["predicates", "", "predicate bytes"],
                IdClass::Surface => ["surfaces", "", ""],
                _ => ["samplers", "", ""],
            };
            let values =
                [declarations.count.into(), declarations.aliases.into(), declarations.bytes];
            for (name, value) in names.into_iter().zip(values).filter(|(name, _)| !name.is_empty())
            {
                metrics.add(Section::Declarations, name, value);
            }
        }
        if let Some(peak) = &self.peak {
            let numbers = [
                ("peak registers", peak.pressure.registers),
                ("estimated registers", peak.pressure.estimated_registers()),
                ("peak bytes", peak.pressure.bytes),
                ("peak variables", peak.variables.len() as u32),
                ("peak address bytes", peak.pressure.address_bytes),
                ("peak predicate bits", peak.pressure.predicate_bits),
            ];
            metrics.add_all(Section::Pressure, numbers);
        }
    }

    /// Returns the numbers of this routine and of another one, whether they differ or not.
    ///
    /// They are ordered by section; in a section, as in this routine, and then those that only the
    /// other routine has.
    ///
    /// ```
    /// use genvisa::analysis::{Section, Statistics};
    ///
    /// let (mut before, mut after) = (Statistics::default(), Statistics::default());
    /// (before.predicated, after.predicated) = (4, 7);
    /// let changes = before.changes(&after);
    /// let change = changes.iter().find(|change| change.difference() != 0).expect("one");
    /// assert_eq!((change.section, &*change.name), (Section::Totals, "predicated"));
    /// assert_eq!((change.difference(), change.percent()), (3, Some(75.0)));
    /// ```
    pub fn changes(&self, after: &Statistics) -> Vec<Change> {
        let (before, after) = (self.metrics(), after.metrics());
        let mut numbers: BTreeMap<(Section, &str), u64> =
            after.iter().map(|metric| ((metric.section, &*metric.name), metric.value)).collect();
        let mut changes = Vec::with_capacity(before.len());
        for Metric { section, name, value } in &before {
            let after = numbers.remove(&(*section, &**name)).unwrap_or_default();
            let (section, name) = (*section, name.clone());
            changes.push(Change { section, name, before: *value, after });
        }
        for Metric { section, name, value } in &after {
            if numbers.contains_key(&(*section, &**name)) {
                let (section, name) = (*section, name.clone());
                changes.push(Change { section, name, before: 0, after: *value });
            }
        }
        // Stable: within a section, the order does not change.
        changes.sort_by_key(|change| change.section);
        changes
    }
}

/// A list of metrics.
struct Metrics(Vec<Metric>);

impl Metrics {
    fn add(&mut self, section: Section, name: impl Into<Cow<'static, str>>, value: impl Into<u64>) {
        self.0.push(Metric { section, name: name.into(), value: value.into() });
    }

    fn add_all<const COUNT: usize>(
        &mut self,
        section: Section,
        numbers: [(&'static str, u32); COUNT],
    ) {
        for (name, value) in numbers {
            self.add(section, name, value);
        }
    }
}
