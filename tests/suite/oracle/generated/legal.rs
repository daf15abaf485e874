//! A search for random instructions about which the verifier reports neither errors nor warnings.

use std::collections::BTreeMap;

use genvisa::object::{Align, Body, Code, Kernel};
use genvisa::operand::*;
use genvisa::strategy::rows;
use genvisa::text::Listing;
use genvisa::verify::{Group, Platform, Verifier};
use genvisa::wire::{FieldRecorder, Reader, Wire};
use genvisa::{Format, Instruction, Module};
use genvisa_test_support::rng::Rng;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::super::differential::code::InstructionKind;

const FORMAT: Format = Format::V4_2;

/// The number of random instructions per kind, from which the fields are taken.
const INSTANCES: usize = 60;

/// The number of replacements before the search gives up, and of the searches.
const STEPS: usize = 400;
const SEARCHES: usize = 4;

/// The size of each variable in bytes.
const SIZE: usize = 1024;

/// Returns the types of the declared variables.
fn types() -> impl Iterator<Item = DataType> {
    use DataType as T;
    let twice = [T::UD, T::F, T::UQ];
    let once = [T::D, T::UW, T::W, T::UB, T::B, T::Q, T::DF, T::HF, T::BF];
    twice.into_iter().chain(twice).chain(once)
}

const ADDRESSES: u16 = 2;
const PREDICATES: u16 = 3;

fn body() -> Body<'static> {
    let mut body = Body::new("k");
    for (index, ty) in types().enumerate() {
        let elements = (SIZE / ty.size()) as u16;
        body.add_variable(&format!("{ty}_{index}"), ty, elements, Align::WORDX32);
    }
    for index in 0..ADDRESSES {
        body.add_address(&format!("address_{index}"), 16).expect("space in the table");
    }
    for index in 0..PREDICATES {
        body.add_predicate(&format!("predicate_{index}"), 32).expect("space in the table");
    }
    body.add_sampler("sampler").expect("space in the table");
    body.add_surface("surface").expect("space in the table");
    body
}

/// Returns the declarations of the operands as text.
pub fn declarations() -> String {
    let mut kernel = Kernel::new("k");
    kernel.body = body();
    let mut module = Module::new(FORMAT);
    module.kernels.push(kernel);
    text_of(&module).0
}

/// Returns the declarations and the instructions of a module as text.
pub fn text_of(module: &Module<'_>) -> (String, String) {
    let routine = module.routines().next().expect("a kernel");
    let text = Listing::new(routine).with_numbers(false).to_text().expect("legal code");
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("//"));
    let (statements, code): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with('.'));
    let declarations = statements.into_iter().filter(|line| line.starts_with(".decl"));
    (declarations.collect::<Vec<_>>().join("\n"), code.join("\n"))
}

/// Replaces random operands with random operands that are more often legal.
struct Declared<'r>(&'r mut Rng);

impl Declared<'_> {
    fn var(&mut self) -> VarId {
        VarId(VarId::FIRST_DECLARED.0 + self.0.below(types().count()) as u32)
    }

    fn region(&mut self) -> Region {
        let common = [(1, 1, 0), (0, 1, 0), (0, 1, 0), (2, 1, 0), (8, 8, 1)];
        let rare = [(4, 1, 0), (0, 16, 1), (16, 8, 2), (0, 4, 1)];
        let is_rare = self.0.one_in(3);
        let (v, w, h) = self.0.pick(if is_rare { &rare[..] } else { &common });
        let stride = |elements| Stride::from_elements(elements).expect("a stride");
        Region::new(stride(v), stride(w), stride(h))
    }

    fn operand(&mut self, operand: &mut Vector, is_scalar: bool) {
        if !self.0.one_in(5) {
            operand.modifier = Modifier::NONE;
        }
        // Most instructions accept general variables and constants only.
        if self.0.one_in(2) {
            let region = self.region();
            operand.kind = VectorKind::General { var: VarId::NULL, row: 0, col: 0, region };
        }
        match &mut operand.kind {
            VectorKind::General { var, row, col, region } => {
                (*var, *row, *col) = (self.var(), 0, 0);
                if self.0.one_in(4) {
                    *col = self.0.below(4) as u8;
                }
                *region = if is_scalar { Region::SCALAR } else { self.region() };
            }
            VectorKind::Address { addr, offset, .. } => {
                *addr = AddrId(self.0.below(ADDRESSES.into()) as u16);
                *offset = 0;
            }
            VectorKind::Predicate(pred) => self.predicate(pred),
            VectorKind::Indirect { addr, addr_offset, offset, region, .. } => {
                *addr = AddrId(self.0.below(ADDRESSES.into()) as u16);
                (*addr_offset, *offset) = (0, 0);
                *region = if is_scalar { Region::SCALAR } else { self.region() };
            }
            VectorKind::Immediate(imm) => {
                let bits = imm.bits() & self.0.pick(&[1, 3, 0xf, 0x1f, u64::MAX]);
                *imm = Imm::new(imm.ty(), bits).unwrap_or(*imm);
            }
            VectorKind::State { index, offset, .. } => (*index, *offset) = (6, 0),
        }
    }

    fn destination(&mut self, operand: &mut Vector) {
        self.operand(operand, false);
        let horizontal = self.0.pick(&[Stride::S1, Stride::S1, Stride::S1, Stride::S2]);
        match &mut operand.kind {
            VectorKind::General { region, .. } | VectorKind::Indirect { region, .. } => {
                *region = Region::dst(horizontal);
            }
            _ => {}
        }
    }

    fn predicate(&mut self, pred: &mut Pred) {
        let id = PredId(1 + self.0.below(PREDICATES.into()) as u16);
        *pred = Pred::new(id).expect("a small id");
    }
}

impl VisitorMut for Declared<'_> {
    fn exec(&mut self, _: Slot, exec: &mut Exec) {
        let size = self.0.pick(&[ExecSize::S1, ExecSize::S16, ExecSize::S16, ExecSize::S32]);
        *exec = Exec::new(size, self.0.pick(&[ExecMask::M1, ExecMask::M1, ExecMask::M1_NM]));
    }

    fn pred(&mut self, _: Slot, pred: &mut Pred) {
        if self.0.one_in(3) { self.predicate(pred) } else { *pred = Pred::NONE }
    }

    fn vector(&mut self, slot: Slot, operand: &mut Vector) {
        let is_scalar = slot.is_scalar || self.0.one_in(4);
        self.operand(operand, is_scalar);
    }

    fn dst(&mut self, _: Slot, operand: &mut Vector) {
        self.destination(operand);
    }

    fn cmp_dst(&mut self, _: Slot, operand: &mut Vector) {
        if self.0.one_in(2) {
            let mut pred = Pred::NONE;
            self.predicate(&mut pred);
            operand.kind = VectorKind::Predicate(pred);
        } else {
            self.destination(operand);
        }
    }

    fn address_of(&mut self, _: Slot, operand: &mut Vector) {
        self.operand(operand, false);
    }

    fn raw(&mut self, _: Slot, raw: &mut Raw) {
        let offset = self.0.pick(&[0, 0, 0, 0, 64, 128]);
        *raw = if self.0.one_in(5) { Raw::NULL } else { Raw::new(self.var(), offset) };
    }

    fn aoffimmi(&mut self, _: Slot, offsets: &mut Aoffimmi) {
        *offsets = Aoffimmi::from_bits(self.0.bits() as u16 & 0xfff);
    }

    fn surface(&mut self, _: Slot, id: &mut SurfaceId) {
        *id = SurfaceId(self.0.pick(&[0, 4, 6, 6]));
    }

    fn sampler(&mut self, _: Slot, id: &mut SamplerId) {
        *id = SamplerId(self.0.pick(&[0, 0, 31]));
    }

    fn state_address(&mut self, _: Slot, var: &mut VarId) {
        *var = self.var();
    }
}

/// Some bytes of instructions of a kind: each inner list is a field.
type Fields = Vec<Vec<u8>>;

/// A search for legal instructions of all kinds.
pub struct Search {
    verifier: Verifier,
    module: Module<'static>,
    seed: u64,
    rng: Rng,
    /// Random instructions by opcode, and in a family by sub-opcode.
    instances: BTreeMap<(u8, u8), Vec<Fields>>,
}

impl Search {
    /// Returns a search whose results for a kind depend on the seed and the kind only.
    pub fn new(platform: Platform, seed: u64) -> Search {
        let mut kernel = Kernel::new("k");
        kernel.body = body();
        kernel.body.efficient_64bit = platform.has_efficient_64bit();
        let mut module = Module::new(FORMAT);
        module.kernels.push(kernel);
        let groups = Group::ALL;
        let verifier = Verifier::new().with_groups(groups).with_platform(platform);
        let mut instances: BTreeMap<_, Vec<Fields>> = BTreeMap::new();
        for (opcode, row) in rows(FORMAT) {
            let mut rng = Rng::new(seed, opcode.into());
            let random: Vec<u8> = (0..4).flat_map(|_| rng.bits().to_le_bytes()).collect();
            let test_rng = TestRng::from_seed(RngAlgorithm::ChaCha, &random);
            let mut runner = TestRunner::new_with_rng(Config::default(), test_rng);
            let spec = Instruction::spec_of(opcode).expect("it has a strategy");
            let layouts: usize = spec.family.iter().map(|layout| layout.sub_opcodes.len()).sum();
            for _ in 0..INSTANCES * layouts.max(1) {
                let mut instruction =
                    row.new_tree(&mut runner).expect("a strategy that generates").current();
                instruction.visit_mut(&mut Declared(&mut rng));
                let Ok(bytes) = instruction.to_bytes(FORMAT) else { continue };
                let sub_opcode = if spec.family.is_empty() { 0 } else { bytes[1] };
                instances.entry((opcode, sub_opcode)).or_default().push(fields(&bytes));
            }
        }
        Search { verifier, module, seed, rng: Rng::new(seed, 0), instances }
    }

    /// Returns a module with all declarations and some instructions.
    pub fn module(&self, code: &[Instruction]) -> Module<'static> {
        let mut module = self.module.clone();
        module.kernels[0].body.code = Code::from_instructions(code, FORMAT).expect("encodable");
        module
    }

    /// Returns the number of errors and warnings about an instruction, or `None` if the bytes are
    /// none.
    fn findings(&mut self, fields: &Fields) -> Option<(usize, Instruction)> {
        let bytes = fields.concat();
        let instruction = Instruction::from_bytes(&bytes, FORMAT).ok()?;
        self.module.kernels[0].body.code = Code::Present { bytes: bytes.into(), offset: 0 };
        Some((self.verifier.check_module(&self.module).len(), instruction))
    }

    /// Returns whether the verifier does not report that the platform lacks the instruction.
    fn is_available(&mut self, fields: &Fields) -> bool {
        self.module.kernels[0].body.code =
            Code::Present { bytes: fields.concat().into(), offset: 0 };
        let findings = self.verifier.check_module(&self.module);
        !findings.iter().any(|finding| finding.message.contains("` is not available on "))
    }

    /// Returns the legal instruction of a kind with a number, if the search finds one.
    pub fn legal(&mut self, kind: InstructionKind, number: u64) -> Option<Instruction> {
        let key = (kind.spec.opcode, kind.layout.map_or(0, |(_, op)| op));
        self.rng = Rng::new(self.seed, number << 16 | u64::from(key.0) << 8 | u64::from(key.1));
        // Messages to the load-store cache have the most fields that depend on each other.
        let searches = if kind.is_lsc() { 4 * SEARCHES } else { SEARCHES };
        let instances = self.instances.get(&key)?.clone();
        if instances.iter().all(|fields| !self.is_available(fields)) {
            return None;
        }
        for _ in 0..searches {
            let mut fields = instances[self.rng.below(instances.len())].clone();
            let Some((mut count, mut instruction)) = self.findings(&fields) else { continue };
            for _ in 0..STEPS {
                // Without names for its codes, an instruction is printed with an annotation.
                if count == 0 && !text_of(&self.module(&[instruction])).1.contains("//@") {
                    return Some(instruction);
                }
                let mut replaced = fields.clone();
                let other = &instances[self.rng.below(instances.len())];
                let at = self.rng.below(fields.len());
                let Some(field) = other.get(at) else { continue };
                let is_number = matches!(field.len(), 1 | 2 | 4);
                let width = field.len();
                replaced[at] = field.clone();
                if is_number && at > 0 && self.rng.one_in(2) {
                    let small = self.rng.below(10) as u32;
                    let number = self.rng.pick(&[small, small, small, 16, 32, 64]);
                    replaced[at] = number.to_le_bytes()[..width].to_vec();
                }
                let found = self.findings(&replaced);
                if let Some((new_count, new)) = found.filter(|(new_count, _)| *new_count <= count) {
                    (count, instruction, fields) = (new_count, new, replaced);
                }
            }
        }
        None
    }
}

/// Returns the bytes of each field of an instruction.
fn fields(bytes: &[u8]) -> Fields {
    let mut recorder = FieldRecorder::default();
    let mut reader = Reader::traced(bytes, 0, FORMAT, &mut recorder);
    Instruction::decode(&mut reader).expect("it was encoded");
    let fields = recorder.take();
    let top = fields.iter().filter(|field| field.depth == 0);
    top.map(|field| field.bytes_of(bytes).to_vec()).collect()
}
