//! A search for instructions about which the verifier reports nothing.
//!
//! Few random instructions are legal. The search replaces fields one by one by fields of other random
//! instructions of the same layout, as long as the verifier does not report more. From an
//! instruction that it found, a walk of replacements between legal instructions leads to others.

extern crate std;

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::operands::{self, Declared};
use super::random::Choices;
use crate::error::PathSegment;
use crate::format::Format;
use crate::isa::{Instruction, Kind, Spec};
use crate::object::{Body, Kernel, Module};
use crate::operand::*;
use crate::platform::Platform;
use crate::strategy::rows;
use crate::verify::{Finding, Group, Instructions, Verifier};
use crate::wire::{FieldRecorder, Reader, Wire};

/// The number of random instructions of each layout, from which the fields are taken.
const SAMPLES: usize = 60;

/// The number of searches for a layout of a family, of replacements before a search gives up, and of
/// instructions that are enough.
const SEARCHES: usize = 16;
const STEPS: usize = 400;
const ENOUGH: usize = 3;

/// The rules about instructions that a platform or its addressing does not have.
const UNAVAILABLE: [&str; 6] = [
    "opcode-platform",
    "opcode-early",
    "opcode-gone",
    "sad-platform",
    "dpasw-platform",
    "sendg-mode",
];

/// The number of replacements that a walk attempts.
const WALK: usize = 12;

/// A field of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Field {
    name: Arc<str>,
    bytes: Vec<u8>,
}

/// The fields of an instruction, from the opcode on.
type Fields = Vec<Field>;

/// Returns the bytes of an instruction.
fn bytes_of(fields: &Fields) -> Vec<u8> {
    fields.iter().flat_map(|field| &field.bytes).copied().collect()
}

/// What the verifier reports about an instruction.
struct Report {
    instruction: Instruction,
    /// The number of findings.
    count: usize,
    /// The names of fields that they are about.
    fields: Vec<&'static str>,
}

/// Random instructions of a layout.
struct Samples {
    instructions: Vec<Fields>,
    /// The indices of the fields that differ: not the opcode and the sub-opcode.
    different: Vec<usize>,
}

/// The instructions of a layout: an opcode, and in a family a sub-opcode.
struct Layout {
    samples: Samples,
    /// Legal instructions.
    legal: Vec<Fields>,
    /// A legal instruction in which as many fields as possible are zero.
    simplest: Instruction,
}

/// The layouts of an opcode that have legal instructions.
pub(super) struct Layouts(Vec<Layout>);

/// What the result of a search depends on: the format, the platform and the opcode.
type Key = (Format, Option<Platform>, u8);

/// The results for all that was asked for in this process: searches are slow, and tests have threads of their own.
static FOUND: LazyLock<Mutex<HashMap<Key, Arc<OnceLock<Layouts>>>>> = LazyLock::new(Mutex::default);

/// The legal instructions of a format on a platform.
pub(super) struct Search {
    pub(super) format: Format,
    platform: Option<Platform>,
    verifier: Verifier,
    /// A module of the declarations.
    module: Module<'static>,
    rows: Vec<(u8, BoxedStrategy<Instruction>)>,
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("format", &self.format).finish_non_exhaustive()
    }
}

/// Returns whether instructions of a row depend on other instructions or routines: labels and calls.
fn depends_on_others(spec: &Spec) -> bool {
    spec.kind == Kind::Flow
}

impl Search {
    pub(super) fn new(format: Format, platform: Option<Platform>) -> Search {
        let verifier = Verifier::new().with_groups(Group::ALL.iter().copied());
        let verifier = match platform {
            Some(platform) => verifier.with_platform(platform),
            None => verifier,
        };
        let mut module = Module::new(format);
        module.kernels.push(Kernel::new("kernel_1"));
        let mut search = Search { format, platform, verifier, module, rows: rows(format) };
        let efficient_64bit =
            format == Format::V4_2 && platform.is_some_and(Platform::has_efficient_64bit);
        let mut body = operands::declarations(|body| {
            let body = Body { efficient_64bit, ..body };
            search.is_legal(&search.with_body(body))
        });
        body.efficient_64bit = efficient_64bit;
        search.module = search.with_body(body);
        search.rows.retain(|(opcode, _)| {
            Instruction::spec_of(*opcode).is_some_and(|spec| !depends_on_others(spec))
        });
        search
    }

    /// Returns the opcodes that may have legal instructions.
    pub(super) fn opcodes(&self) -> impl Iterator<Item = u8> {
        self.rows.iter().map(|(opcode, _)| *opcode)
    }

    /// Returns the tables that the instructions refer to.
    pub(super) fn declarations(&self) -> &Body<'static> {
        &self.module.kernels[0].body
    }

    /// Returns whether the verifier reports neither errors nor warnings about a module.
    pub(super) fn is_legal(&self, module: &Module<'_>) -> bool {
        self.verifier.check_module(module).is_empty()
    }

    fn with_body(&self, body: Body<'static>) -> Module<'static> {
        let mut module = self.module.clone();
        module.kernels[0].body = body;
        module
    }

    /// Calls a function with the layouts of an opcode that have legal instructions.
    pub(super) fn with_layouts<T>(&self, opcode: u8, f: impl FnOnce(&Layouts) -> T) -> T {
        let mut all = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        let found = all.entry((self.format, self.platform, opcode)).or_default().clone();
        drop(all);
        f(found.get_or_init(|| self.find(opcode)))
    }

    fn find(&self, opcode: u8) -> Layouts {
        let random = &mut Choices::new(opcode.into());
        let mut attempt = Attempt::new(self);
        let samples = self.samples(opcode, random);
        let searches = if samples.len() > 1 { SEARCHES } else { SAMPLES };
        let layouts = samples.into_values().filter_map(|instructions| {
            if !instructions.iter().any(|fields| attempt.is_available(fields)) {
                return None;
            }
            let samples = Samples::new(instructions);
            // Start from those that are almost legal.
            let mut starts: Vec<&Fields> = samples.instructions.iter().collect();
            starts.sort_by_cached_key(|fields| attempt.report(fields).map(|found| found.count));
            let starts = starts.into_iter().take(searches);
            let found = starts.filter_map(|start| attempt.find(start, &samples, random));
            let legal: Vec<Fields> = found.take(ENOUGH).collect();
            let simplest = attempt.simplify(legal.first()?.clone(), &samples);
            let simplest = Instruction::from_bytes(&bytes_of(&simplest), self.format).ok()?;
            Some(Layout { samples, legal, simplest })
        });
        Layouts(layouts.collect())
    }

    /// Returns random instructions of an opcode by their sub-opcode, or 0 if it has none.
    fn samples(&self, opcode: u8, random: &mut Choices) -> BTreeMap<u8, Vec<Fields>> {
        let mut samples: BTreeMap<u8, Vec<Fields>> = BTreeMap::new();
        let row = self.rows.iter().find(|(row, _)| *row == opcode);
        let (Some((_, strategy)), Some(spec)) = (row, Instruction::spec_of(opcode)) else {
            return samples;
        };
        let layouts: usize = spec.family.iter().map(|layout| layout.sub_opcodes.len()).sum();
        let of_strategy = TestRng::from_seed(RngAlgorithm::ChaCha, &[!opcode; 32]);
        let mut runner = TestRunner::new_with_rng(Config::default(), of_strategy);
        for _ in 0..SAMPLES * layouts.max(1) {
            let Ok(tree) = strategy.new_tree(&mut runner) else { continue };
            let mut instruction = tree.current();
            instruction.visit_mut(&mut Declared::new(random, self.declarations()));
            let Ok(bytes) = instruction.to_bytes(self.format) else { continue };
            let sub_opcode = if spec.family.is_empty() { 0 } else { bytes[1] };
            samples.entry(sub_opcode).or_default().extend(fields(&bytes, self.format));
        }
        samples
    }

    /// Returns legal instructions of a layout, from the simplest to a random one.
    pub(super) fn walk(&self, layouts: &Layouts, random: &mut Choices) -> Vec<Instruction> {
        let Some(index) = layouts.0.len().checked_sub(1).map(|last| random.below(last + 1)) else {
            return Vec::new();
        };
        let layout = &layouts.0[index];
        let mut attempt = Attempt::new(self);
        let mut fields = layout.legal[random.below(layout.legal.len())].clone();
        let mut steps = Vec::from([layout.simplest]);
        let Some(mut last) = attempt.report(&fields).map(|report| report.instruction) else {
            return steps;
        };
        steps.push(last);
        for _ in 0..WALK {
            let replaced = attempt.replace(&fields, last, &layout.samples, &[], random);
            if let Some(report) = attempt.report(&replaced).filter(|report| report.count == 0) {
                (fields, last) = (replaced, report.instruction);
                steps.push(last);
            }
        }
        steps
    }
}

impl Layouts {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Checks one instruction at a time.
struct Attempt<'s> {
    search: &'s Search,
    checker: Instructions<'s>,
}

impl<'s> Attempt<'s> {
    fn new(search: &'s Search) -> Attempt<'s> {
        let routine = search.module.routines().next().expect("the kernel with the declarations");
        Attempt { search, checker: Instructions::new(&search.verifier, routine) }
    }

    /// Returns what the verifier reports about an instruction, or `None` if it cannot be decoded.
    fn report(&mut self, fields: &Fields) -> Option<Report> {
        let instruction = Instruction::from_bytes(&bytes_of(fields), self.search.format).ok()?;
        let findings = self.checker.check(&instruction);
        let field = |finding: &Finding| {
            finding.path.iter().find_map(|segment| match segment {
                PathSegment::Field(name) => Some(*name),
                _ => None,
            })
        };
        let fields = findings.iter().filter_map(field).collect();
        Some(Report { instruction, count: findings.len(), fields })
    }

    fn is_legal(&mut self, fields: &Fields) -> bool {
        self.report(fields).is_some_and(|report| report.count == 0)
    }

    /// Returns whether the platform has the instruction.
    fn is_available(&mut self, fields: &Fields) -> bool {
        let instruction = Instruction::from_bytes(&bytes_of(fields), self.search.format);
        let findings = instruction.map(|it| self.checker.check(&it)).unwrap_or_default();
        findings.iter().all(|finding| !UNAVAILABLE.contains(&finding.rule.name))
    }

    /// Returns a legal instruction, if the search from an instruction finds one.
    fn find(&mut self, start: &Fields, samples: &Samples, random: &mut Choices) -> Option<Fields> {
        let (mut fields, mut report) = (start.clone(), self.report(start)?);
        for _ in 0..STEPS {
            if report.count == 0 {
                return Some(fields);
            }
            let wrong = if random.one_in(4) { &[][..] } else { &report.fields };
            let mut replaced = self.replace(&fields, report.instruction, samples, wrong, random);
            // Some fields are legal only together.
            while random.one_in(4) {
                replaced = samples.replace(&replaced, &[], random);
            }
            if let Some(new) = self.report(&replaced).filter(|new| new.count <= report.count) {
                (fields, report) = (replaced, new);
            }
        }
        None
    }

    /// Returns an instruction with another field, which is one of `names` if there are any.
    fn replace(
        &self,
        fields: &Fields,
        mut instruction: Instruction,
        samples: &Samples,
        names: &[&str],
        random: &mut Choices,
    ) -> Fields {
        if random.one_in(2) {
            return samples.replace(fields, names, random);
        }
        let field = match names {
            [] => fields[random.below(fields.len())].name.clone(),
            names => random.pick(names).into(),
        };
        let operands = Declared::new(random, self.search.declarations());
        instruction.visit_mut(&mut Redraw { field: &field, operands });
        let format = self.search.format;
        let bytes = instruction.to_bytes(format).ok();
        bytes.and_then(|bytes| self::fields(&bytes, format)).unwrap_or_else(|| fields.clone())
    }

    /// Returns a legal instruction with simpler fields.
    fn simplify(&mut self, mut fields: Fields, samples: &Samples) -> Fields {
        for at in samples.different.iter().copied() {
            let Some(field) = fields.get(at) else { continue };
            let zeros = core::iter::once(alloc::vec![0; field.bytes.len()]);
            let sampled = samples.instructions.iter().filter_map(|sample| sample.get(at));
            let sampled = sampled.map(|field| field.bytes.clone());
            let mut others: Vec<Vec<u8>> = zeros.chain(sampled).collect();
            others.sort_by_cached_key(|bytes| {
                (bytes.iter().filter(|byte| **byte != 0).count(), bytes.len())
            });
            others.dedup();
            for other in others {
                let mut replaced = fields.clone();
                replaced[at].bytes = other;
                if self.is_legal(&replaced) {
                    fields = replaced;
                    break;
                }
            }
        }
        fields
    }
}

impl Samples {
    fn new(instructions: Vec<Fields>) -> Samples {
        let most = instructions.iter().map(Vec::len).max().unwrap_or(0);
        let first = instructions.first().cloned().unwrap_or_default();
        let differs =
            |at: &usize| instructions.iter().any(|other| other.get(*at) != first.get(*at));
        let different = (0..most).filter(differs).collect();
        Samples { instructions, different }
    }

    fn random(&self, random: &mut Choices) -> &Fields {
        &self.instructions[random.below(self.instructions.len())]
    }

    /// Returns an instruction with another field, which is one of `names` if it has one of them.
    fn replace(&self, fields: &Fields, names: &[&str], random: &mut Choices) -> Fields {
        let mut replaced = fields.clone();
        if self.different.is_empty() {
            return replaced;
        }
        let mut at = random.pick(&self.different);
        if !names.is_empty() {
            let name = random.pick(names);
            let index = fields.iter().position(|field| *field.name == *name);
            at = index.filter(|index| self.different.contains(index)).unwrap_or(at);
        }
        // Adjacent codes, such as cache controls, depend on each other.
        let count = if random.one_in(3) { 1 + random.below(3) } else { 1 };
        let is_zero = random.one_in(4);
        for (at, field) in replaced.iter_mut().enumerate().skip(at).take(count) {
            if self.different.contains(&at) {
                self.replace_field(field, at, is_zero, random);
            }
        }
        replaced
    }

    fn replace_field(&self, old: &mut Field, at: usize, is_zero: bool, random: &mut Choices) {
        let Some(field) = self.random(random).get(at) else { return };
        let len = field.bytes.len();
        if is_zero && len <= 4 {
            *old = Field { bytes: alloc::vec![0; len], ..field.clone() };
        } else if len <= 4 && random.one_in(2) {
            let small = random.below(10) as u32;
            let number: u32 = random.pick(&[small, small, small, 16, 32, 64]);
            *old = Field { bytes: number.to_le_bytes()[..len].to_vec(), ..field.clone() };
        } else {
            old.clone_from(field);
        }
    }
}

/// Draws the operands of a field again.
struct Redraw<'a> {
    field: &'a str,
    operands: Declared<'a>,
}

macro_rules! redraw {
    ($($method:ident: $ty:ty;)*) => {
        impl VisitorMut for Redraw<'_> {
            $(fn $method(&mut self, slot: Slot, operand: &mut $ty) {
                if slot.field == self.field {
                    self.operands.$method(slot, operand);
                }
            })*
        }
    };
}

redraw! {
    exec: Exec;
    pred: Pred;
    vector: Vector;
    dst: Vector;
    cmp_dst: Vector;
    address_of: Vector;
    raw: Raw;
    aoffimmi: Aoffimmi;
    surface: SurfaceId;
    sampler: SamplerId;
    state_address: VarId;
}

/// Returns the fields of an instruction.
fn fields(bytes: &[u8], format: Format) -> Option<Fields> {
    let mut recorder = FieldRecorder::default();
    Instruction::decode(&mut Reader::traced(bytes, 0, format, &mut recorder)).ok()?;
    let fields = recorder.take();
    let top = fields.iter().filter(|field| field.depth == 0);
    let fields = top.map(|field| Field {
        name: field.name.as_str().into(),
        bytes: field.bytes_of(bytes).to_vec(),
    });
    Some(fields.collect())
}
