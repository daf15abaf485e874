//! Arithmetic on operands of every class, type, modifier and region, in and out of bounds.

use genvisa::Platform;
use genvisa::isa::Mov;
use genvisa::object::{Align, Body, Code, Kernel};
use genvisa::operand::{
    AddrId, DataType, Dst, Exec, ExecSize, Imm, Modifier, Pred, Region, Slot, Stride, TypeByte,
    VarId, Vector, VectorKind, VisitorMut,
};
use genvisa::strategy::rows;
use genvisa::verify::{Group, Verifier};
use genvisa::{Format, Instruction, Module};
use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::rng::Rng;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::Comparison;

/// Compares the findings in instructions with the declarations of a routine: with the rules of group
/// `Igc`, and with all rules. Returns the number of instructions that both accept.
fn legal_instructions(
    body: &Body<'static>,
    code: &[Instruction],
    format: Format,
    platform: Option<Platform>,
) -> usize {
    let mut module = Module::new(format);
    let mut kernel = Kernel::new("k");
    kernel.body =
        Body { code: Code::from_instructions(code, format).expect("encodable"), ..body.clone() };
    module.kernels.push(kernel);
    let mut is_legal = vec![true; code.len()];
    for groups in [&[Group::Igc][..], &Group::ALL] {
        let verifier = Verifier::new().with_groups(groups.iter().copied());
        let verifier = match platform {
            Some(platform) => verifier.with_platform(platform),
            None => verifier,
        };
        let compared = Comparison::default().compare_with(&verifier, &module);
        compared.unwrap_or_else(|why| panic!("{format} on {platform:?}: {why}"));
        for finding in verifier.check_module(&module) {
            if let Some(legal) = finding.instruction.and_then(|index| is_legal.get_mut(index)) {
                *legal = false;
            }
        }
    }
    is_legal.into_iter().filter(|legal| *legal).count()
}

#[test]
fn fast_path_has_the_same_findings_for_regions_and_offsets() {
    let mut body = Body::new("k");
    body.add_variable("a", DataType::UD, 8, Align::GRF);
    body.add_variable("b", DataType::Q, 64, Align::GRF);
    body.add_variable("c", DataType::UW, 5, Align::WORD);
    let mut rng = Rng::new(seed(), 3);
    let mut operand = || match rng.one_in(4) {
        true => {
            let (row, col) = rng.pick(&[(0, 0), (0, 1), (0, 3), (0, 8), (1, 0), (255, 255)]);
            Vector::general_at(VarId(rng.below(40) as u32), row, col, Region::SCALAR)
        }
        false => {
            let positions = [(0, 0, 0), (32, 0, 0), (32, 0, 4), (33, 14, 0), (34, 0, 1)];
            let (var, row, col) = rng.pick(&positions);
            let region = Region::from_bits(rng.below(1 << 12) as u16).expect("twelve bits");
            Vector::general_at(VarId(var), row, col, region)
        }
    };
    let mut legal = 0;
    for platform in [None, Some(Platform::Skl), Some(Platform::PvcSdv)] {
        let code: Vec<Instruction> = (0..cases(3_000))
            .flat_map(|number| {
                let exec = ExecSize::ALL[number as usize % ExecSize::ALL.len()].into();
                let src0 = Imm::ud(1).into();
                let dst = Mov { exec, dst: Dst(operand()), src0, ..Mov::default() };
                let src = Mov { exec, src0: operand(), ..Mov::default() };
                [dst.into(), src.into()]
            })
            .collect();
        legal += legal_instructions(&body, &code, Format::default(), platform);
    }
    assert!(legal > 500, "only {legal} legal instructions");
}

/// Returns operands of several classes with all types, in and out of bounds, without and with
/// modifiers.
fn operands(body: &Body<'_>) -> Vec<Vector> {
    let row = Region::new(Stride::S8, Stride::S8, Stride::S1);
    let mut simple = Vec::new();
    for index in 0..body.variables.len() as u32 {
        let var = VarId(VarId::FIRST_DECLARED.0 + index);
        simple.extend([Vector::general(var, row), Vector::general_at(var, 1, 3, row)]);
    }
    simple.extend([0, 6, 7, 13, 20, 31, 99].map(|var| Vector::scalar(VarId(var))));
    for bits in 0..16 {
        let ty = DataType::from_bits(bits).expect("four bits");
        simple.push(Imm::new(ty, 1).expect("it is small").into());
        let (addr, ty) = (AddrId(0), TypeByte::from_bits(bits));
        let kind =
            VectorKind::Indirect { addr, addr_offset: 0, offset: 0, ty, region: Region::SCALAR };
        simple.push(Vector { modifier: Modifier::NONE, kind });
    }
    simple.extend(
        [0, 1, 2, 0x2001, 0x6001, 0x8001]
            .map(|bits| Vector::predicate(Pred::from_bits(bits).expect("no reserved bit"))),
    );
    let mut all = simple.clone();
    for modifier in [Modifier::ABS, Modifier::NEG, Modifier::SAT, Modifier::NOT] {
        all.extend(simple.iter().map(|operand| operand.with_modifier(modifier)));
    }
    all
}

/// Replaces the operands of an instruction.
struct Fill<'r> {
    rng: &'r mut Rng,
    operands: &'r [Vector],
    /// The last operand. Rules often require equal types, so every other operand repeats it.
    last: Option<Vector>,
}

impl VisitorMut for Fill<'_> {
    fn exec(&mut self, _: Slot, exec: &mut Exec) {
        *exec = ExecSize::S8.into();
    }

    fn pred(&mut self, _: Slot, pred: &mut Pred) {
        *pred = Pred::from_bits(self.rng.below(3) as u16).expect("no reserved bit");
    }

    fn vector(&mut self, _: Slot, operand: &mut Vector) {
        *operand = match self.last {
            Some(last) if self.rng.one_in(2) => last,
            _ => self.rng.pick(self.operands),
        };
        self.last = Some(*operand);
    }

    fn dst(&mut self, slot: Slot, operand: &mut Vector) {
        self.vector(slot, operand);
    }

    fn cmp_dst(&mut self, slot: Slot, operand: &mut Vector) {
        self.vector(slot, operand);
    }
}

#[test]
fn fast_path_has_the_same_findings_for_all_types_of_operands() {
    let mut legal = 0;
    for (salt, (platform, format)) in [
        (None, Format::default()),
        (Some(Platform::Skl), Format::default()),
        (Some(Platform::Xe2), Format::default()),
        (Some(Platform::Xe3p), Format::V4_2),
    ]
    .into_iter()
    .enumerate()
    {
        let mut body = Body::new("k");
        for bits in 0..=DataType::E2M1.bits() {
            let ty = DataType::from_bits(bits).expect("a type");
            body.add_variable("v", ty, 16, Align::GRF);
        }
        body.add_predicate("p", 8).expect("a small table");
        body.add_predicate("narrow", 4).expect("a small table");
        let operands = operands(&body);
        let mut runner = TestRunner::deterministic();
        let instructions: Vec<Instruction> = rows(format)
            .iter()
            .map(|(_, row)| row.new_tree(&mut runner).expect("a value").current())
            .filter(|instruction| instruction.kind().is_arithmetic())
            .collect();
        let mut rng = Rng::new(seed(), 4 + salt as u64);
        let mut code = Vec::new();
        for _ in 0..cases(100) {
            for mut instruction in instructions.iter().copied() {
                let rng = &mut rng;
                instruction.visit_mut(&mut Fill { rng, operands: &operands, last: None });
                // Versions before 4.2 do not have all types.
                code.extend(instruction.to_bytes(format).is_ok().then_some(instruction));
            }
        }
        legal += legal_instructions(&body, &code, format, platform);
    }
    assert!(legal as u64 > cases(100), "only {legal} legal instructions");
}
