//! Strategies for modules.

use alloc::boxed::Box;
use alloc::vec::Vec;

use proptest::arbitrary::any;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::prop_oneof;
use proptest::sample::select;
use proptest::strategy::{BoxedStrategy, Just, Strategy};

use super::Generate;
use crate::format::Format;
use crate::isa::{
    self, Call, Fcall, File, Goto, Instruction, Jmp, Labels, Ret, Subroutine, SwitchJmp,
};
use crate::object::{
    AliasScope, Align, Attribute, Body, Code, FileScopeVar, Function, FunctionDefinition,
    GenBinary, Input, InputClass, InputKind, Kernel, LabelInfo, LabelKind, Linkage, Module, Name,
    Reloc, SimpleVariable, Variable,
};
use crate::operand::{DataType, ExecSize, Imm, LabelId, Pred, ShortStringId, StringId, VarId};

/// Names that are valid in text, and names that are not: keywords, default names of other ids,
/// names of predefined variables, characters that identifiers cannot contain or that end comments
/// or strings.
const NAMES: [&[u8]; 33] = [
    b"",
    b"a",
    b"b",
    b"a",
    b"a.b",
    b"1x",
    b"add",
    b"V32",
    b"V33",
    b"V032",
    b"V33_",
    b"A0",
    b"P1",
    b"T6",
    b"TSS",
    b"T3",
    b"S31",
    b"L0",
    b"L0_",
    b"Input",
    b"Target",
    b"SimdSize",
    b"AsmName",
    b"M1",
    b"null",
    b"%null",
    b"thread_x",
    b"kernel",
    b"//@ x",
    b"/*",
    b"\"\\",
    b"\n\t\x01",
    b"\xff\xc3",
];

fn name() -> impl Strategy<Value = Name> {
    select(&NAMES[..]).prop_map(Name::from)
}

/// Returns a strategy for string ids, which are rarely invalid.
fn string() -> impl Strategy<Value = StringId> {
    (0..NAMES.len() as u32 + 1).prop_map(StringId)
}

fn attributes() -> impl Strategy<Value = Vec<Attribute>> {
    let value = prop_oneof![
        2 => vec(any::<u8>(), 0..=5),
        1 => select(alloc::vec![&b""[..], b"\0", b"\x01", b"\x01\0", b"\x01\0\0\0", b"cm", b"3d"])
            .prop_map(<[u8]>::to_vec),
    ];
    let attribute = (string(), value).prop_map(|(name, value)| Attribute { name, value });
    vec(attribute, 0..3)
}

fn align() -> impl Strategy<Value = Align> {
    (0..=Align::MAX_BITS).prop_filter_map("four bits", Align::from_bits)
}

fn data_type(format: Format) -> impl Strategy<Value = DataType> {
    let is_in_format = |ty: &DataType| ty.has_binary_form() || format == Format::V4_2;
    select(DataType::NAMED.iter().copied().filter(is_in_format).collect::<Vec<_>>())
}

fn variables(format: Format) -> impl Strategy<Value = Vec<Variable>> {
    let alias = prop_oneof![Just(VarId::NULL), (0..44u32).prop_map(VarId)];
    let scope = prop_oneof![
        3 => Just(AliasScope::LOCAL),
        1 => any::<u8>().prop_filter_map("a byte", AliasScope::from_bits),
    ];
    let rest = (alias, prop_oneof![Just(0), any::<u16>()], scope, attributes());
    let variable = (string(), data_type(format), align(), any::<u16>(), rest).prop_map(
        move |(name, ty, align, num_elements, (alias, alias_offset, alias_scope, attributes))| {
            let num_elements = u32::from(num_elements);
            let has_alias = (alias, alias_offset, alias_scope) != Default::default();
            let is_null = format == Format::V4_2 && !has_alias && num_elements % 4 == 0;
            Variable {
                name,
                ty,
                align,
                num_elements,
                alias,
                alias_offset,
                alias_scope,
                is_null,
                attributes,
            }
        },
    );
    vec(variable, 0..10)
}

fn simple_variables() -> impl Strategy<Value = Vec<SimpleVariable>> {
    let variable = (string(), prop_oneof![Just(1), any::<u16>()], attributes()).prop_map(
        |(name, num_elements, attributes)| SimpleVariable {
            name,
            num_elements,
            attributes,
            ..SimpleVariable::default()
        },
    );
    vec(variable, 0..4)
}

fn labels() -> impl Strategy<Value = Vec<LabelInfo>> {
    let kind = prop_oneof![
        4 => select(LabelKind::NAMED),
        1 => any::<u8>().prop_filter_map("a byte", LabelKind::from_bits),
    ];
    let attributes = prop_oneof![4 => Just(Vec::new()), 1 => attributes()];
    let label = (string(), kind, attributes).prop_map(|(name, kind, attributes)| LabelInfo {
        name,
        kind,
        attributes,
    });
    vec(label, 0..5)
}

fn inputs() -> impl Strategy<Value = Vec<Input>> {
    let kind = prop_oneof![
        select(InputClass::NAMED).prop_map(InputKind::explicit),
        any::<u8>().prop_map(InputKind::from_bits),
    ];
    let index = prop_oneof![8 => 0..44u32, 1 => any::<u32>()];
    let input = (kind, index, any::<i16>(), any::<u16>())
        .prop_map(|(kind, index, offset, size)| Input { kind, index, offset, size });
    vec(input, 0..4)
}

/// Returns a strategy for instructions that refer to labels and strings. Most of them exist.
fn instructions_with_references() -> impl Strategy<Value = Instruction> {
    let (exec, pred) = (ExecSize::S1.into(), Pred::NONE);
    let label = || (0..6u16).prop_map(LabelId);
    let (text, short) = (string(), (0..NAMES.len() as u16 + 1).prop_map(ShortStringId));
    prop_oneof![
        3 => label().prop_map(|label| isa::Label { label }.into()),
        1 => label().prop_map(|label| Subroutine { label }.into()),
        1 => label().prop_map(move |label| Jmp { exec, pred, label }.into()),
        1 => label().prop_map(move |label| Goto { exec, pred, label }.into()),
        1 => label().prop_map(move |label| Call { exec, pred, label }.into()),
        1 => vec(label(), 1..4).prop_map(move |labels| {
            let labels = Labels::new(&labels).unwrap_or_default();
            SwitchJmp { exec, index: Imm::ud(0).into(), labels }.into()
        }),
        1 => text.prop_map(|file_name| File { file_name }.into()),
        1 => short.prop_map(move |func_id| {
            Fcall { exec, pred, func_id, arg_size: 0, return_size: 0 }.into()
        }),
        1 => Just(Ret { exec, pred }.into()),
    ]
}

fn code(format: Format) -> impl Strategy<Value = Code<'static>> {
    let with_references = instructions_with_references().boxed();
    let instruction = prop_oneof![with_references, Instruction::strategy(format)];
    let present = vec(instruction, 0..12).prop_map(move |instructions| {
        // Not all of these instructions exist in dialect Manual.
        let encodable = instructions.iter().filter(|i| i.to_bytes(format).is_ok());
        Code::from_instructions(encodable, format).unwrap_or_default()
    });
    let stripped =
        (any::<u32>(), any::<u32>()).prop_map(|(size, entry)| Code::Stripped { size, entry });
    prop_oneof![6 => present, 1 => stripped]
}

fn bodies(format: Format) -> impl Strategy<Value = Body<'static>> {
    let every: Vec<Name> = NAMES.iter().map(|name| Name::from(*name)).collect();
    let pool = prop_oneof![Just(every), vec(name(), 0..NAMES.len())];
    let states = (simple_variables(), simple_variables(), simple_variables(), simple_variables());
    let efficient_64bit = any::<bool>().prop_map(move |is| is && format == Format::V4_2);
    let rest = (labels(), attributes(), efficient_64bit, code(format));
    (pool, string(), variables(format), states, rest).prop_map(
        |(strings, name, variables, states, (labels, attributes, efficient_64bit, code))| {
            let (addresses, predicates, samplers, surfaces) = states;
            Body {
                strings: strings.into(),
                name,
                variables,
                addresses,
                predicates,
                labels,
                samplers,
                surfaces,
                attributes,
                efficient_64bit,
                code,
            }
        },
    )
}

fn relocs() -> impl Strategy<Value = Vec<Reloc>> {
    let reloc = any::<(u16, u16)>()
        .prop_map(|(symbolic_index, resolved_index)| Reloc { symbolic_index, resolved_index });
    prop_oneof![2 => Just(Vec::new()), 1 => vec(reloc, 0..15)]
}

fn kernels(format: Format) -> impl Strategy<Value = Kernel<'static>> {
    let binary = (any::<u8>(), vec(any::<u8>(), 0..4))
        .prop_map(|(platform, bytes)| GenBinary::new(platform, bytes));
    (name(), relocs(), relocs(), vec(binary, 0..3), inputs(), bodies(format)).prop_map(
        |(name, variable_relocs, function_relocs, gen_binaries, inputs, body)| Kernel {
            name,
            variable_relocs,
            function_relocs,
            gen_binaries,
            inputs,
            body,
        },
    )
}

fn linkage() -> impl Strategy<Value = Linkage> {
    prop_oneof![select(Linkage::NAMED), any::<u8>().prop_filter_map("a byte", Linkage::from_bits)]
}

fn functions(format: Format) -> impl Strategy<Value = Function<'static>> {
    let definition = (any::<(u8, u8)>(), bodies(format)).prop_map(|(sizes, body)| {
        Box::new(FunctionDefinition { input_size: sizes.0, return_value_size: sizes.1, body })
    });
    (linkage(), name(), relocs(), relocs(), option::of(definition)).prop_map(
        |(linkage, name, variable_relocs, function_relocs, definition)| Function {
            linkage,
            name,
            variable_relocs,
            function_relocs,
            definition,
        },
    )
}

fn file_scope_vars() -> impl Strategy<Value = FileScopeVar> {
    (linkage(), name(), data_type(Format::default()), align(), any::<u16>(), attributes()).prop_map(
        |(linkage, name, ty, align, num_elements, attributes)| FileScopeVar {
            linkage,
            name,
            ty,
            align,
            num_elements,
            attributes,
        },
    )
}

impl Generate for Module<'static> {
    /// Returns modules of a few routines. Some of their ids and names are invalid.
    fn strategy(format: Format) -> BoxedStrategy<Self> {
        (vec(kernels(format), 0..3), vec(functions(format), 0..4), vec(file_scope_vars(), 0..3))
            .prop_map(move |(kernels, functions, file_scope_vars)| {
                let mut module = Module::new(format);
                module.kernels = kernels;
                module.functions = functions;
                module.file_scope_vars = file_scope_vars;
                module
            })
            .boxed()
    }
}
