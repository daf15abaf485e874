//! Legal and nearly legal messages, with all codes and counts: a run ends within its limits.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::LazyLock;

use genvisa::isa::{Jmp, Kind, Movs, Setp};
use genvisa::object::{Align, Code, Kernel, LabelKind};
use genvisa::operand::*;
use genvisa::strategy::legal;
use genvisa::verify::{Group, Verifier};
use genvisa::wire::{FieldRecorder, Reader, Wire};
use genvisa::{Format, Instruction, Module, Platform, isa};
use genvisa_interp::{
    AddressMode, Dimensions, Fault, FaultKind, Filter, Image, Machine, PixelFormat, Program,
    RenderTargets, Sampler, Surface, ThreadStart,
};
use genvisa_test_support::random::runner;
use genvisa_test_support::rng::Rng;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::ValueTree;

use crate::modelled::is_modelled;
use crate::support::XE2;

/// The maximum number of lanes of instructions, and of bytes of memory.
const LIMIT: u64 = 40 * 32;
pub const MEMORY_LIMIT: u64 = 8 << 20;

/// The types and numbers of elements of variables beside those of legal messages: too small or larger.
const VARIABLES: [(DataType, u16); 5] = [
    (DataType::UD, 1),
    (DataType::UD, 8),
    (DataType::UQ, 16),
    (DataType::F, 100),
    (DataType::UQ, 1024),
];

/// The number of surfaces, one of each kind.
const SURFACES: u32 = 10;

const BUFFER: usize = 4096;

/// The number of messages of each layout that changes begin with.
const MESSAGES: usize = 12;

/// The number of messages of a family, in which a layout may be rare.
const DRAWN: usize = 80;

/// The number of changes that are tried until one of them ends.
const ATTEMPTS: u64 = 16;

/// A change of an instruction. The indices select a field or an operand.
#[derive(Clone, Copy, Debug)]
enum Change {
    Field { field: Index, value: u32 },
    Variable { operand: Index, variable: Index, offset: u16 },
    Constant { operand: Index, ty: DataType, bits: u64 },
}

/// A message, and what it runs with.
#[derive(Clone)]
pub struct Case {
    message: Instruction,
    changes: Vec<Change>,
    /// Whether the message is repeated.
    is_loop: bool,
    /// The values of variables, the lanes of predicates, and the surfaces.
    seed: u64,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case { message, changes, is_loop, seed } = self;
        write!(f, "{message}, {changes:?}, loop: {is_loop}, seed: {seed}")
    }
}

/// A generator of messages of a platform.
pub struct Messages {
    module: Module<'static>,
    platform: Platform,
    starts: Vec<Vec<Case>>,
    /// The instructions that are modelled, but have no message that ends.
    pub missing: Vec<&'static str>,
}

/// The messages of a platform that has all of them; a fuzz target uses them, too.
pub static MESSAGES_OF_XE2: LazyLock<Messages> = LazyLock::new(|| Messages::new(Platform::Xe2));

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let value = prop_oneof![
        2 => 0..=3u32,
        4 => 0..=40u32,
        2 => any::<u8>().prop_map(u32::from),
        1 => (0..32).prop_map(|bit| 1u32 << bit),
        1 => any::<u32>(),
    ];
    let field = (any::<Index>(), value).prop_map(|(field, value)| Change::Field { field, value });
    let offset = prop_oneof![4 => Just(0), 1 => select(&[1, 4, 64, 1023, u16::MAX][..])];
    let variable = (any::<Index>(), any::<Index>(), offset)
        .prop_map(|(operand, variable, offset)| Change::Variable { operand, variable, offset });
    let bits = prop_oneof![0..=64u64, any::<u64>(), Just(u64::MAX), Just(1 << 63)];
    let constant = (any::<Index>(), select(DataType::NAMED), bits)
        .prop_map(|(operand, ty, bits)| Change::Constant { operand, ty, bits });
    let change = prop_oneof![6 => field, 2 => variable, 1 => constant];
    prop_oneof![1 => Just(Vec::new()), 6 => vec(change, 1..=3)]
}

impl Messages {
    /// Returns the messages of a platform that the interpreter models.
    pub fn new(platform: Platform) -> Messages {
        let format = Format::default();
        let legal = legal(format, platform);
        let mut module = Module::new(format);
        let mut kernel = Kernel::new("k");
        kernel.body = legal.declarations().clone();
        kernel.body.name = kernel.body.intern("k");
        for (index, (ty, elements)) in VARIABLES.into_iter().enumerate() {
            kernel.body.add_variable(&format!("other_{index}"), ty, elements, Align::WORDX32);
        }
        kernel.body.add_label("again", LabelKind::BLOCK).expect("a label");
        module.kernels.push(kernel);
        let mut messages = Messages { module, platform, starts: Vec::new(), missing: Vec::new() };
        for (opcode, strategy) in legal.rows() {
            messages.add(opcode, &strategy);
        }
        messages.starts.retain(|starts| !starts.is_empty());
        messages
    }

    /// Adds cases of an opcode with which others begin: legal messages, and messages that end, if a few changes
    /// lead to them.
    fn add(&mut self, opcode: u8, strategy: &BoxedStrategy<Instruction>) {
        let spec = Instruction::spec_of(opcode).expect("an opcode of the table");
        if !matches!(spec.kind, Kind::DataPort | Kind::Sampler | Kind::Svm | Kind::Lsc) {
            return;
        }
        let mut runner = runner(1, opcode.into());
        let (mut ends, mut modelled) = (false, false);
        let change = (any::<Index>(), 0..=3u32);
        let first = self.starts.len();
        self.starts.resize(first + spec.family.len().max(1), Vec::new());
        for index in 0..if spec.family.is_empty() { MESSAGES } else { DRAWN } {
            let mut tree = strategy.new_tree(&mut runner).expect("a message");
            // The simplest ones have few fields that are refused.
            while index % 2 == 0 && tree.simplify() {}
            let mut message = tree.current();
            modelled |= is_modelled(&message);
            let sub_opcode = message.to_bytes(self.module.format).expect("legal")[1];
            let is_layout = |layout: &isa::SubSpec| layout.sub_opcodes.contains(&sub_opcode);
            let layout = spec.family.iter().position(is_layout).unwrap_or(0);
            if self.starts[first + layout].len() >= MESSAGES {
                continue;
            }
            let mut case = Case { message, changes: Vec::new(), is_loop: false, seed: 0 };
            let mut starts = vec![case.clone()];
            message.visit_mut(&mut Given { next: index as u32 });
            case.message = message;
            let rank = |case: &Case| match self.check(case) {
                Ok(Outcome::Ended) => 3,
                Ok(Outcome::Stopped("not-modelled" | "malformed")) => 1,
                Ok(Outcome::Stopped(_)) => 2,
                _ => 0,
            };
            let mut best = rank(&case);
            for seed in 0..ATTEMPTS {
                if best == 3 {
                    ends = true;
                    starts.push(case);
                    break;
                }
                let mut other = Case { seed, ..case.clone() };
                let (field, value) = change.new_tree(&mut runner).expect("a change").current();
                other.changes.push(Change::Field { field, value });
                let new = rank(&other);
                if new >= best {
                    (case, best) = (other, new);
                }
            }
            self.starts[first + layout].extend(starts);
        }
        if modelled && !ends {
            self.missing.push(spec.mnemonic);
        }
    }

    /// Returns a strategy for cases.
    pub fn cases(&self) -> impl Strategy<Value = Case> + use<> {
        let seed = prop_oneof![4 => Just(None), 1 => any::<u64>().prop_map(Some)];
        let parts = (
            select(self.starts.clone()).prop_flat_map(select),
            changes(),
            prop::bool::weighted(0.1),
            seed,
        );
        parts.prop_map(|(mut case, changes, is_loop, seed)| {
            case.changes.extend(changes);
            Case { is_loop, seed: seed.unwrap_or(case.seed), ..case }
        })
    }

    /// Runs a case. The verifier does not accept a message whose counts or codes are not defined.
    pub fn check(&self, case: &Case) -> Result<Outcome, TestCaseError> {
        let (module, line) = self.module_of(case);
        let Ok(program) = Program::new([&module], XE2) else { return Ok(Outcome::Rejected) };
        let (result, lanes) = run(&program, &module, Values::Random(case.seed));
        prop_assert!(lanes <= LIMIT, "{lanes} lanes: {line}");
        let Err(fault) = result else { return Ok(Outcome::Ended) };
        prop_assert!(fault.place.is_some(), "no place: {fault}");
        if matches!(fault.kind, FaultKind::NotDefined(_)) {
            let verifier = Verifier::new().with_groups(Group::ALL.iter().copied());
            let findings = verifier.with_platform(self.platform).check_module(&module);
            // Values of variables, constants and surfaces can cause this, too.
            let constant = |change: &Change| matches!(change, Change::Constant { .. });
            let is_plain = !case.changes.iter().any(constant)
                && [0, 7, 63].into_iter().all(|value| {
                    let result = run(&program, &module, Values::Plain(value)).0;
                    matches!(result, Err(Fault { kind: FaultKind::NotDefined(_), .. }))
                });
            prop_assert!(!findings.is_empty() || !is_plain, "the verifier accepts it: {fault}");
        }
        Ok(Outcome::Stopped(fault.kind.name()))
    }

    /// Returns the kernel of a case, and the message as text.
    pub fn module_of(&self, case: &Case) -> (Module<'static>, String) {
        let mut module = self.module.clone();
        let format = module.format;
        let mut rng = Rng::new(case.seed, 0);
        let body = &mut module.kernels[0].body;
        let mut bytes = case.message.to_bytes(format).expect("a legal message");
        for change in &case.changes {
            bytes = changed(&bytes, *change, body.variables.len(), format);
        }
        let line = match Instruction::from_bytes(&bytes, format) {
            Ok(instruction) => instruction.to_string(),
            Err(_) => bytes.escape_ascii().to_string(),
        };
        let one = Exec::new(ExecSize::S1, ExecMask::M1_NM);
        let all = Exec::new(ExecSize::S32, ExecMask::M1_NM);
        let mut start: Vec<Instruction> = Vec::new();
        let declared = (0..body.surfaces.len()).map(|index| {
            let id = SurfaceId(SurfaceId::FIRST_DECLARED.0 + index as u8);
            Vector::surface(id, 0)
        });
        for state in
            declared.chain([SamplerId(0), SamplerId::BINDLESS].map(|id| Vector::sampler(id, 0)))
        {
            let index = rng.below(SURFACES as usize) as u32;
            start.push(Movs { exec: one, dst: Dst(state), src0: Imm::ud(index).into() }.into());
        }
        for index in 0..body.predicates.len() as u16 {
            let pred = Pred::new(PredId(PredId::FIRST_DECLARED.0 + index)).expect("a small id");
            let lanes = rng.pick(&[u32::MAX, 1, 0xffff, rng.clone().bits() as u32]);
            let src0 = Imm::ud(lanes).into();
            start.push(Setp { exec: all, dst: Dst(Vector::predicate(pred)), src0 }.into());
        }
        let label = LabelId(body.labels.len() as u16 - 1);
        let end: Instruction = match case.is_loop {
            true => {
                start.push(isa::Label { label }.into());
                Jmp { exec: one, pred: Pred::NONE, label }.into()
            }
            false => {
                body.labels.clear();
                isa::Ret { exec: one, pred: Pred::NONE }.into()
            }
        };
        let code = |instructions: &[Instruction]| {
            let code = Code::from_instructions(instructions, format).expect("legal instructions");
            code.bytes().to_vec()
        };
        let bytes = [code(&start), bytes, code(&[end])].concat();
        body.code = Code::Present { bytes: bytes.into(), offset: 0 };
        (module, line)
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The code cannot be decoded, or has no meaning.
    Rejected,
    Ended,
    Stopped(&'static str),
}

/// Returns the bytes of an instruction after a change; those that cannot be decoded stay as they are.
fn changed(bytes: &[u8], change: Change, variables: usize, format: Format) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let mut recorder = FieldRecorder::default();
    let decoded = Instruction::decode(&mut Reader::traced(&bytes, 0, format, &mut recorder));
    let Ok(mut instruction) = decoded else { return bytes };
    if let Change::Field { field, value } = change {
        let fields = recorder.take();
        // Not the opcode, and not operands, which consist of fields.
        let is_code = |index: &usize| {
            let next = fields.get(index + 1).map_or(0, |next| next.depth);
            let is_short = fields[*index].len.is_some_and(|len| len <= 4);
            fields[*index].depth == 0 && next == 0 && is_short
        };
        let fields: Vec<_> =
            (1..fields.len()).filter(is_code).map(|index| &fields[index]).collect();
        if !fields.is_empty() {
            let field = fields[field.index(fields.len())];
            let len = field.len.unwrap_or(0);
            // Some bits of most fields are reserved.
            for mask in [u32::MAX, 0x1f, 0xf, 7, 3, 1] {
                let value = (value & mask).to_le_bytes();
                bytes[field.offset..field.offset + len].copy_from_slice(&value[..len]);
                if Instruction::from_bytes(&bytes, format).is_ok() {
                    break;
                }
            }
        }
        return bytes;
    }
    let mut count = Operands { change, variables, at: None, count: 0 };
    instruction.visit_mut(&mut count);
    if count.count > 0 {
        let (Change::Variable { operand, .. } | Change::Constant { operand, .. }) = change else {
            return bytes;
        };
        let at = Some(operand.index(count.count));
        instruction.visit_mut(&mut Operands { change, variables, at, count: 0 });
    }
    instruction.to_bytes(format).unwrap_or(bytes)
}

/// Replaces null sources by variables and constants, and the shared local memory by a surface.
struct Given {
    next: u32,
}

impl VisitorMut for Given {
    fn raw(&mut self, slot: Slot, raw: &mut Raw) {
        if raw.is_null() && !slot.is_written && self.next % 3 != 0 {
            *raw = Raw::new(VarId(VarId::FIRST_DECLARED.0 + self.next % 8), 0);
        }
    }

    fn vector(&mut self, _: Slot, operand: &mut Vector) {
        if matches!(operand.kind, VectorKind::General { var: VarId::NULL, .. }) {
            *operand = Imm::ud(self.next % 2 * 63).into();
        }
        operand.modifier = Modifier::NONE;
    }

    fn surface(&mut self, _: Slot, surface: &mut SurfaceId) {
        if self.next % 4 != 0 {
            *surface = SurfaceId::FIRST_DECLARED;
        }
    }
}

/// Counts the operands that a change applies to, and changes one of them.
struct Operands {
    change: Change,
    variables: usize,
    at: Option<usize>,
    count: usize,
}

impl Operands {
    fn is_next(&mut self) -> bool {
        self.count += 1;
        self.at == Some(self.count - 1)
    }
}

impl VisitorMut for Operands {
    fn raw(&mut self, _: Slot, raw: &mut Raw) {
        let Change::Variable { variable, offset, .. } = self.change else { return };
        if self.is_next() {
            let index = variable.index(self.variables) as u32;
            *raw = Raw::new(VarId(VarId::FIRST_DECLARED.0 + index), offset);
        }
    }

    fn vector(&mut self, _: Slot, operand: &mut Vector) {
        let Change::Constant { ty, bits, .. } = self.change else { return };
        let bits = if ty.is_wide() { bits } else { bits & 0xffff_ffff };
        if let Some(constant) = Imm::new(ty, bits).filter(|_| self.is_next()) {
            *operand = constant.into();
        }
    }
}

/// The values of variables and the surfaces.
#[derive(Clone, Copy)]
enum Values {
    Random(u64),
    /// A number in all variables, and 2D images.
    Plain(u32),
}

/// Runs the kernel in a thread whose variables are defined, with all surfaces and samplers. Returns the
/// number of lanes, too.
fn run(program: &Program, module: &Module<'_>, values: Values) -> (Result<(), Fault>, u64) {
    let mut rng = match values {
        Values::Random(seed) => Rng::new(seed, 1),
        Values::Plain(_) => Rng::new(0, 1),
    };
    let plain = if let Values::Plain(value) = values { Some(value.into()) } else { None };
    let mut machine = Machine::new(program).with_limit(LIMIT).with_memory_limit(MEMORY_LIMIT);
    let memory = machine.memory();
    let low = memory.allocate_low("low", vec![1; BUFFER]).expect("a free address");
    let high = memory.allocate("high", vec![2; BUFFER]);
    let code = || program.routines().iter().flat_map(|code| code.instructions());
    let draws = code().any(|instruction| matches!(instruction, Instruction::RtWrite(_)));
    bind(&mut machine, &mut rng, low, plain.is_some(), draws);
    let start = ThreadStart { image: vec![0; 64], mask: u32::MAX, ..ThreadStart::default() };
    let group = machine.group("k", [0; 3], 0, BUFFER, [start]);
    let mut group = group.unwrap_or_else(|fault| panic!("{fault}"));
    let thread = group.thread_mut(0).expect("a thread");
    thread.set_pixels((0..32).map(|lane| [lane % 4, lane / 4 % 4]).collect());
    let mut used = BTreeSet::new();
    for instruction in code() {
        instruction.visit_ids(|id| {
            used.extend(Some(id.number).filter(|_| id.class == isa::IdClass::Variable));
        });
    }
    for (index, variable) in module.kernels[0].body.variables.iter().enumerate() {
        let size = variable.ty.size() * variable.num_elements as usize;
        let base = rng.pick(&[low, low, high]);
        let step = rng.pick(&[0, 1, 4, 16, 64]);
        let dwords = |value: &dyn Fn(u64) -> u64| -> Vec<u8> {
            (0..size.div_ceil(4) as u64).flat_map(|i| (value(i) as u32).to_le_bytes()).collect()
        };
        let kind = rng.below(8);
        let var = VarId(VarId::FIRST_DECLARED.0 + index as u32);
        if !used.contains(&var.0) {
            continue;
        }
        let mut bytes = match kind {
            _ if plain.is_some() => dwords(&|_| plain.unwrap_or(0)),
            0..=2 => {
                (0..size.div_ceil(8) as u64).flat_map(|i| (base + i * step).to_le_bytes()).collect()
            }
            3 => dwords(&|i| low + i * step),
            4 => dwords(&|i| i * step),
            5 => dwords(&|_| 0),
            6 => dwords(&|i| (i as f32 / 8.0).to_bits().into()),
            _ => dwords(&|_| rng.clone().bits()),
        };
        bytes.truncate(size);
        assert!(thread.set_variable(program, var, 0, &bytes), "{var}");
    }
    let result = machine.run(&mut group).map(drop);
    (result, group.counts().lanes)
}

/// Returns two render targets of a format, with depth and stencil.
fn targets(image: impl Fn(Dimensions, PixelFormat) -> Image, format: PixelFormat) -> Surface {
    let targets = RenderTargets {
        colors: vec![image(Dimensions::D2, format); 2],
        depth: Some(image(Dimensions::D2, PixelFormat::R32Float)),
        stencil: Some(image(Dimensions::D2, PixelFormat::R8Uint)),
    };
    targets.into()
}

/// Sets surfaces of each kind, and samplers.
fn bind(machine: &mut Machine<'_>, rng: &mut Rng, address: u64, is_plain: bool, draws: bool) {
    let surfaces = machine.surfaces();
    let first = rng.below(SURFACES as usize) as u32;
    let is_typed = rng.one_in(3);
    // Every second time, surfaces that the message may have.
    let fits = rng.one_in(2);
    for index in 0..SURFACES {
        let image = |dimensions, format| Image::new(dimensions, format, [4, 4, 6], address);
        let format = rng.pick(PixelFormat::ALL);
        let surface = match (first + index) % SURFACES {
            _ if is_plain => image(Dimensions::D2, PixelFormat::R32Uint).into(),
            _ if fits && draws => targets(image, format),
            0..=2 if fits => image(rng.pick(&Dimensions::ALL), format).into(),
            0..=2 if !is_typed => Surface::Buffer { address, size: BUFFER as u64 },
            3..=6 if is_typed => image(Dimensions::D2, PixelFormat::R32Uint).into(),
            _ if is_typed => image(rng.pick(&Dimensions::ALL), format).into(),
            3 => image(Dimensions::D2, PixelFormat::R32Uint).into(),
            4 => Image::nv12(16, 16, 64, address).into(),
            5 => targets(image, format),
            _ => image(rng.pick(&Dimensions::ALL), format).into(),
        };
        surfaces.set(index, surface);
        let filter = rng.pick(&Filter::ALL);
        let normalized = rng.one_in(2) || is_plain;
        let sampler = Sampler::new(filter, rng.pick(&AddressMode::ALL), normalized);
        surfaces.set_sampler(index, sampler);
    }
}
