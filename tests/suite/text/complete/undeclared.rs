//! The text of an undeclared id is not the name of a declaration.

use genvisa::isa::{Goto, Label, Lifetime, Mov};
use genvisa::object::{Align, Code, Kernel, LabelKind, Module};
use genvisa::operand::{
    AddrId, AddrWidth, DataType, Dst, ExecSize, LabelId, LifetimeClass, LifetimeProperties, Pred,
    PredId, Region, VarId, Vector,
};
use genvisa::text::{Style, parse};
use genvisa::{Format, Instruction, Version};

use crate::text::listing;
use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::rng::Rng;

/// Names that look like ids, with and without a suffix.
const NAMES: [&str; 19] = [
    "V33", "V34", "V35", "V40", "V40_", "V40__", "V41_", "V041", "A0", "A1", "A2", "A2_", "P1",
    "P2", "P3", "L0", "L1", "L2", "L2_",
];

/// Returns a module whose instructions use declared and undeclared ids.
fn module(rng: &mut Rng, format: Format) -> Module<'static> {
    let mut kernel = Kernel::new("k");
    let body = &mut kernel.body;
    let mut names = NAMES;
    rng.shuffle(&mut names);
    let mut names = names.into_iter();
    let mut name = || names.next().expect("enough names");
    for _ in 0..rng.below(5) {
        body.add_variable(name(), DataType::D, 8, Align::GRF);
    }
    for _ in 0..rng.below(3) {
        body.add_address(name(), 8).expect("few addresses");
    }
    for _ in 0..rng.below(3) {
        body.add_predicate(name(), 8).expect("few predicates");
    }
    let labels = rng.below(4);
    for _ in 0..labels {
        body.add_label(name(), LabelKind::BLOCK).expect("few labels");
    }
    let exec = ExecSize::S8.into();
    let mut code: Vec<Instruction> = Vec::new();
    for _ in 0..8 {
        let var = VarId(32 + rng.below(12) as u32);
        let pred = Pred::new(PredId(1 + rng.below(4) as u16)).expect("a small id");
        let source = match rng.below(2) {
            0 => Vector::general(VarId(32 + rng.below(12) as u32), Region::SCALAR),
            _ => Vector::address(AddrId(rng.below(4) as u16), 0, AddrWidth::W1),
        };
        let dst = Dst::new(var);
        code.push(match rng.below(3) {
            0 => Mov { exec, pred, dst, src0: source }.into(),
            1 => Goto { exec, pred, label: LabelId(rng.below(5) as u16) }.into(),
            _ => {
                let class = LifetimeClass::GENERAL;
                Lifetime { properties: LifetimeProperties { end: false, class }, variable: var }
                    .into()
            }
        });
    }
    code.extend((0..labels).map(|id| Instruction::from(Label { label: LabelId(id as u16) })));
    body.code = Code::from_instructions(&code, format).expect("encodable instructions");
    let mut module = Module::new(format);
    module.kernels.push(kernel);
    module
}

#[test]
fn undeclared_ids_are_not_called_like_declarations() {
    let mut rng = Rng::new(seed(), 6);
    for number in 0..cases(2000) {
        let formats =
            [Format::igc2022(Version::V3_6), Format::igc2026(Version::V4_1), Format::V4_2];
        let format = formats[number as usize % 3];
        let module = module(&mut rng, format);
        let text = listing(&module, Style::Complete).expect("legal code");
        match parse(&text, format) {
            Ok(again) => assert_eq!(again, module, "{text}"),
            Err(errors) => panic!("{}\n{text}", errors[0]),
        }
    }
}
