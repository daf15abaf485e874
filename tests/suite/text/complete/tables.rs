//! Different tables have different texts.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Debug;

use genvisa::isa::{self, Fcall, File, Goto, Ret, Subroutine};
use genvisa::object::{
    AliasScope, Align, Attribute, Body, Code, Function, Input, InputClass, InputKind, Kernel,
    LabelInfo, LabelKind, Module, SimpleVariable, Variable,
};
use genvisa::operand::{DataType, ExecSize, LabelId, Pred, ShortStringId, StringId, VarId};
use genvisa::text::Style;
use genvisa::{Format, Instruction};
use genvisa_test_support::random::{cases, runner};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::{FORMATS, flipped};
use crate::text::listing;

/// Names that text can contain, and names that it cannot: reserved words, default names of other
/// ids, and names that are not identifiers.
const NAMES: [&str; 16] = [
    "", "a", "b", "a.b", "1x", "add", "V32", "V33", "A0", "P1", "T6", "L0", "Input", "Target",
    "SimdSize", "AsmName",
];

/// An index of a string, rarely out of range.
fn string() -> impl Strategy<Value = StringId> {
    (0..NAMES.len() as u32 + 1).prop_map(StringId)
}

fn attributes() -> impl Strategy<Value = Vec<Attribute>> {
    let value = prop_oneof![
        2 => proptest::collection::vec(any::<u8>(), 0..=5),
        1 => select(vec![&b""[..], b"\0", b"\x01", b"\x01\0", b"\x01\0\0\0", b"cm", b"3d"])
            .prop_map(<[u8]>::to_vec),
    ];
    let attribute = (string(), value).prop_map(|(name, value)| Attribute { name, value });
    proptest::collection::vec(attribute, 0..3)
}

fn variables() -> impl Strategy<Value = Vec<Variable>> {
    let align = (0..=Align::MAX_BITS).prop_filter_map("four bits", Align::from_bits);
    let alias = prop_oneof![Just(VarId::NULL), (0..40u32).prop_map(VarId)];
    let rest = (alias, prop_oneof![Just(0), any::<u16>()], select(AliasScope::NAMED), attributes());
    let types: Vec<DataType> =
        DataType::NAMED.iter().copied().filter(|ty| ty.has_binary_form()).collect();
    let variable = (string(), select(types), align, any::<u16>(), rest).prop_map(
        |(name, ty, align, num_elements, (alias, alias_offset, alias_scope, attributes))| {
            let num_elements = u32::from(num_elements);
            Variable {
                name,
                ty,
                align,
                num_elements,
                alias,
                alias_offset,
                alias_scope,
                is_null: false,
                attributes,
            }
        },
    );
    proptest::collection::vec(variable, 0..4)
}

fn simple() -> impl Strategy<Value = Vec<SimpleVariable>> {
    let variable = (string(), prop_oneof![Just(1), any::<u16>()], attributes()).prop_map(
        |(name, num_elements, attributes)| SimpleVariable {
            name,
            num_elements,
            attributes,
            ..SimpleVariable::default()
        },
    );
    proptest::collection::vec(variable, 0..3)
}

fn labels() -> impl Strategy<Value = Vec<LabelInfo>> {
    let label = (string(), select(LabelKind::NAMED), attributes())
        .prop_map(|(name, kind, attributes)| LabelInfo { name, kind, attributes });
    proptest::collection::vec(label, 0..3)
}

fn inputs() -> impl Strategy<Value = Vec<Input>> {
    let input = (any::<u8>(), 0..40u32, any::<i16>(), any::<u16>()).prop_map(
        |(kind, index, offset, size)| Input {
            kind: InputKind::from_bits(kind),
            index,
            offset,
            size,
        },
    );
    proptest::collection::vec(input, 0..3)
}

/// A body with two labels, a file name and a call, and with random strings.
fn bodies(format: Format) -> impl Strategy<Value = Body<'static>> {
    let (exec, pred) = (ExecSize::S1.into(), Pred::NONE);
    let code: [Instruction; 5] = [
        Subroutine { label: LabelId(0) }.into(),
        isa::Label { label: LabelId(1) }.into(),
        File { file_name: StringId(1) }.into(),
        Fcall { exec, pred, func_id: ShortStringId(2), arg_size: 0, return_size: 0 }.into(),
        Ret { exec, pred }.into(),
    ];
    let code = Code::from_instructions(&code, format).expect("encodable instructions");
    let strings = prop_oneof![
        Just(NAMES.to_vec()),
        proptest::collection::vec(select(&NAMES[..]), 0..NAMES.len()),
    ];
    let states = (simple(), simple(), simple(), simple());
    (strings, string(), variables(), states, labels(), attributes()).prop_map(
        move |(strings, name, variables, states, labels, attributes)| {
            let (addresses, predicates, samplers, surfaces) = states;
            Body {
                strings: strings.into_iter().map(genvisa::object::Name::from).collect(),
                name,
                variables,
                addresses,
                predicates,
                labels,
                samplers,
                surfaces,
                attributes,
                efficient_64bit: false,
                code: code.clone(),
            }
        },
    )
}

fn modules(format: Format) -> impl Strategy<Value = Module<'static>> {
    (bodies(format), inputs(), bodies(format), any::<(u8, u8)>()).prop_map(
        move |(body, inputs, callee, sizes)| {
            let mut module = Module::new(format);
            module.kernels.push(Kernel { body, inputs, ..Kernel::new("kernel") });
            let mut function = Function::new("function");
            if let Some(definition) = &mut function.definition {
                definition.body = callee;
                (definition.input_size, definition.return_value_size) = sizes;
            }
            module.functions.push(function);
            module
        },
    )
}

/// Returns the parts of a module that the text of its routines contains: no machine code,
/// relocations, linkage, file-scope variables and section layout.
fn parts_in_text(module: &Module<'_>) -> impl PartialEq + Debug + use<> {
    let routines = module.routines().map(|routine| {
        let bodies = format!("{:?}", Body { code: Code::default(), ..routine.body.clone() });
        let code = match &routine.body.code {
            Code::Present { bytes, .. } => Ok(bytes.to_vec()),
            Code::Stripped { size, entry } => Err((*size, *entry)),
        };
        let head = (routine.kind, routine.name.clone(), routine.inputs.to_vec());
        (head, routine.stack_sizes, bodies, code)
    });
    let declared: Vec<_> = module.functions.iter().map(|function| function.name.clone()).collect();
    (module.format.version, declared, routines.collect::<Vec<_>>())
}

/// Checks that a module has another text unless it is equal. Returns whether its text differs.
fn text_differs(
    text: &str,
    module: &Module<'_>,
    other: &Module<'_>,
) -> Result<bool, TestCaseError> {
    // Bytes at another offset may not decode.
    let Ok(other_text) = listing(other, Style::Complete) else { return Ok(false) };
    if text != other_text {
        return Ok(true);
    }
    let is_equal = parts_in_text(module) == parts_in_text(other);
    prop_assert!(is_equal, "{}\n{:#?}\n{:#?}", text, module, other);
    Ok(false)
}

#[test]
fn different_tables_have_different_texts() {
    let compared = Cell::new(0);
    for (salt, format) in FORMATS.into_iter().enumerate() {
        let bits = proptest::collection::vec(any::<Index>(), 64);
        let result = runner(cases(50) as u32, salt).run(
            &(modules(format), modules(format), bits),
            |(module, other, bits)| {
                let file = module.to_bytes().expect("small tables");
                let module = Module::from_bytes(&file, format.dialect).expect("just written");
                let text = listing(&module, Style::Complete).expect("legal code");
                text_differs(&text, &module, &other)?;
                for bit in bits {
                    let mutant = flipped(&file, bit.index(8 * file.len()));
                    if let Ok(mutant) = Module::from_bytes(&mutant, format.dialect) {
                        let differs = text_differs(&text, &module, &mutant)?;
                        compared.set(compared.get() + u32::from(differs));
                    }
                }
                Ok(())
            },
        );
        result.unwrap_or_else(|error| panic!("{format}: {error}"));
    }
    assert!(compared.get() > 1000, "only {} pairs: too few to be useful", compared.get());
}

/// Creates tables in the order that the text implies, so that they need few or no annotations.
fn implied_tables(format: Format, [a, b, c, d]: [&str; 4]) -> Module<'static> {
    let mut kernel = Kernel::new("kernel");
    let body = &mut kernel.body;
    let first = body.add_variable(a, DataType::UD, 8, Align::GRF);
    body.add_variable(b, DataType::UW, 4, Align::WORD);
    let input = Attribute::flag(body.intern("Input"));
    if let [.., last] = &mut body.variables[..] {
        (last.alias, last.alias_offset, last.attributes) = (first, 4, vec![input]);
    }
    body.add_variable("e", DataType::F, 1, Align::BYTE);
    body.add_address(c, 16).expect("space for an address");
    body.add_predicate(d, 32).expect("space for a predicate");
    body.add_sampler("s").expect("space for a sampler");
    body.add_surface("").expect("space for a surface");
    let start = body.add_label("start", LabelKind::SUBROUTINE).expect("space for a label");
    let label = body.add_label("end", LabelKind::BLOCK).expect("space for a label");
    if a.is_empty() {
        let marked = Attribute::flag(body.intern("Marked"));
        body.labels[usize::from(label.0)].attributes.push(marked);
    }
    let [target, simd, asm] = ["Target", "SimdSize", "AsmName"].map(|name| body.intern(name));
    body.attributes = vec![
        Attribute::integer(target, 1),
        Attribute::integer(simd, 300),
        Attribute::string(asm, "f.asm"),
    ];
    let file_name = body.intern("dir/f.c");
    let func_id = ShortStringId(body.intern("callee").0 as u16);
    let (exec, pred) = (ExecSize::S1.into(), Pred::NONE);
    let code: [Instruction; 6] = [
        Subroutine { label: start }.into(),
        File { file_name }.into(),
        Goto { exec, pred, label }.into(),
        Fcall { exec, pred, func_id, arg_size: 0, return_size: 0 }.into(),
        isa::Label { label }.into(),
        Ret { exec, pred }.into(),
    ];
    body.code = Code::from_instructions(&code, format).expect("encodable instructions");
    for class in [InputClass::GENERAL, InputClass::SAMPLER, InputClass::SURFACE] {
        let index = if class == InputClass::GENERAL { first.0 } else { 0 };
        kernel.inputs.push(Input { kind: InputKind::explicit(class), index, offset: 32, size: 4 });
    }
    let mut module = Module::new(format);
    module.kernels.push(kernel);
    module
}

/// Flips bits one after the other, while there are few annotations.
#[test]
fn different_implied_tables_have_different_texts() {
    const MAX_ANNOTATIONS: usize = 6;
    let mut count = 0;
    for (salt, format) in FORMATS.into_iter().enumerate() {
        for names in [["a", "b", "c", "d"], ["", "P1", "", "V40"]] {
            let mut runner = runner(cases(2000) as u32, salt);
            let mut texts: HashMap<String, Vec<u8>> = HashMap::new();
            let start = implied_tables(format, names).to_bytes().expect("small tables");
            let mut file = start.clone();
            for step in 0..runner.config().cases {
                // Start again before everything is in annotations.
                if step % 50 == 0 {
                    file.clone_from(&start);
                }
                let bit = runner.rng().next_u32() as usize % (8 * file.len());
                let mutant = flipped(&file, bit);
                let Ok(module) = Module::from_bytes(&mutant, format.dialect) else { continue };
                // Bytes at another offset may not decode.
                let Ok(text) = listing(&module, Style::Complete) else { continue };
                let has_few = text.matches("//@").count() <= MAX_ANNOTATIONS;
                match texts.get(&text) {
                    Some(other) if *other == mutant => {}
                    Some(other) => {
                        let other = Module::from_bytes(other, format.dialect).expect("decoded");
                        assert_eq!(
                            parts_in_text(&other),
                            parts_in_text(&module),
                            "{format}:\n{text}"
                        );
                    }
                    None => {
                        count += 1;
                        texts.insert(text, mutant.clone());
                    }
                }
                if has_few {
                    file = mutant;
                }
            }
        }
    }
    assert!(count > 5000, "only {count} texts: too few to be useful");
}

/// Regression test of pairs that had the same text in earlier versions.
#[test]
fn distinguishes_label_kinds_and_hidden_names() {
    type Change = fn(&mut Body<'static>);
    let changes: [(Change, Change); 4] = [
        // The kind of a label without a CALL.
        (|_| (), |body| body.labels[1].kind = LabelKind::FC),
        // Names that the text does not contain, in the usual order of the string pool.
        (|body| body.strings[1] = "x.y".into(), |body| body.strings[1] = "x.z".into()),
        (|body| body.strings[2] = "x.y".into(), |body| body.strings[2] = "x.z".into()),
        (
            |body| body.labels[1].attributes = vec![Attribute::flag(body.intern("x"))],
            |body| body.labels[1].attributes = vec![Attribute::flag(body.intern("y"))],
        ),
    ];
    for (index, (change, other)) in changes.into_iter().enumerate() {
        let [a, b] = [change, other].map(|change| {
            let mut module = implied_tables(Format::default(), ["a", "b", "c", "d"]);
            let body = &mut module.kernels[0].body;
            // Without instructions that name strings.
            let exec = ExecSize::S1.into();
            let goto = Goto { exec, pred: Pred::NONE, label: LabelId(1) };
            let end = isa::Label { label: LabelId(1) };
            let code = [Subroutine { label: LabelId(0) }.into(), goto.into(), end.into()];
            body.code = Code::from_instructions(&code, Format::default()).expect("legal code");
            let len = body.strings.len();
            body.strings.truncate(len - 2);
            if index == 0 {
                // The text implies everything else.
                assert!(
                    !listing(&module, Style::Complete).expect("legal code").contains("//@ str")
                );
            }
            let body = &mut module.kernels[0].body;
            change(body);
            listing(&module, Style::Complete).expect("legal code")
        });
        assert_ne!(a, b, "pair {index}");
    }
}
