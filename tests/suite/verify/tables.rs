//! Cases for the rules of declarations, labels, inputs, attributes and undecodable code.

use super::{Case, case, case_4_2};
use genvisa::Platform::{Dg2, PvcSdv, Tgllp};
use genvisa::object::{
    AliasScope, Align, Attribute, Code, FileScopeVar, Function, Input, InputKind, LabelKind, Name,
    Reloc, SimpleVariable, Variable,
};
use genvisa::operand::{DataType, LabelId, StringId, VarId};
use genvisa::{Format, Instruction, Module, Version, isa};

/// A change to a module.
type Change = fn(&mut Module<'static>);

fn changed(text: &'static str, change: Change) -> (&'static str, Change) {
    (text, change)
}

macro_rules! variable {
    (|$v:ident| $change:expr) => {
        changed("", |m| {
            let $v = &mut m.kernels[0].body.variables;
            $change
        })
    };
}

macro_rules! inputs {
    ($(($kind:expr, $index:expr, $offset:expr, $size:expr)),*) => {
        changed("", |m| {
            m.kernels[0].inputs = vec![$(Input {
                kind: InputKind::from_bits($kind),
                index: $index,
                offset: $offset,
                size: $size,
            }),*];
        })
    };
}

/// Makes pseudo input `ud_8` share bytes 32 to 63 of input `ud_16`.
fn share(m: &mut Module<'static>) {
    let kind = InputKind::from_bits;
    m.kernels[0].inputs = vec![
        Input { kind: kind(0), index: UD_16, offset: 64, size: 64 },
        Input { kind: kind(128), index: UD_8, offset: 96, size: 32 },
    ];
}

const WRITE_THEN_READ: &str = "mov (M1, 8) ud_8(0,0)<1> 0x1:ud
    mov (M1, 16) d_16(0,0)<1> ud_16(0,0)<8;8,1>";

/// The same inputs, without shared bytes.
fn separate(m: &mut Module<'static>) {
    share(m);
    m.kernels[0].inputs[1].offset = 128;
}

/// The ids of `ub_1`, `ud_1`, `ud_4`, `ud_8` and `ud_16`.
const UB_1: u32 = 32;
const UD_1: u32 = 32 + 4 * 9;
const UD_4: u32 = UD_1 + 1;
const UD_8: u32 = UD_1 + 3;
const UD_16: u32 = UD_1 + 5;

fn named(m: &mut Module<'static>, length: usize) {
    let body = &mut m.kernels[0].body;
    body.variables[0].name = body.intern(&"x".repeat(length));
}

fn alias(v: &mut [Variable], of: u32, alias: u32) {
    v[of as usize - 32].alias = VarId(alias);
}

fn attribute(m: &mut Module<'static>, name: &str, value: &[u8]) {
    let body = &mut m.kernels[0].body;
    let attribute = Attribute { name: body.intern(name), value: value.into() };
    body.attributes.push(attribute);
}

fn function(m: &mut Module<'static>, input: u8, result: u8, attributes: &[&str]) {
    let mut function = Function::new("f");
    let definition = function.definition.as_mut().expect("a new function is defined");
    (definition.input_size, definition.return_value_size) = (input, result);
    for name in attributes {
        let name = definition.body.intern(name);
        definition.body.attributes.push(Attribute { name, value: vec![1] });
    }
    m.functions.push(function);
}

fn file_scope_variables(m: &mut Module<'static>, count: usize) {
    let variable = FileScopeVar { num_elements: 8, ..FileScopeVar::default() };
    m.file_scope_vars = vec![variable; count];
}

const STACK: [&str; 2] = ["ArgSize", "RetValSize"];

/// Changes the instructions.
fn code(m: &mut Module<'static>, change: fn(&mut Vec<Instruction>)) {
    let format = m.format;
    let body = &mut m.kernels[0].body;
    let items: Result<Vec<_>, _> = body.code.instructions(format).collect();
    let items = items.expect("valid code");
    let mut all: Vec<Instruction> = items.into_iter().map(|(_, i)| i).collect();
    change(&mut all);
    body.code = Code::from_instructions(&all, format).expect("encodable");
}

fn bytes(m: &mut Module<'static>, bytes: &[u8]) {
    m.kernels[0].body.code = Code::Present { bytes: bytes.to_vec().into(), offset: 0 };
}

pub fn cases() -> Vec<Case> {
    [variables(), others(), inputs(), attributes(), labels()].into_iter().flatten().collect()
}

fn variables() -> Vec<Case> {
    vec![
        case(
            "var-type",
            variable!(|v| v[0].ty = DataType::V),
            variable!(|v| v[0].ty = DataType::BF),
        ),
        case(
            "var-elements",
            variable!(|v| v[0].num_elements = 8193),
            variable!(|v| v[0].num_elements = 8192),
        ),
        case(
            "var-elements",
            variable!(|v| v[0].num_elements = 16385),
            variable!(|v| v[0].num_elements = 16384),
        )
        .on(PvcSdv),
        case("var-elements", variable!(|v| v[0].num_elements = 0), ""),
        case(
            "var-align",
            variable!(|v| v[0].align = Align::from_bits(10).expect("four bits")),
            variable!(|v| v[0].align = Align::WORDX64),
        ),
        case_4_2(
            "var-align-small",
            ".decl x v_type=G type=d num_elts=7 align=wordx64",
            ".decl x v_type=G type=d num_elts=8 align=wordx64",
        )
        .on(Dg2),
        case(
            "var-alias-offset-zero",
            variable!(|v| v[0].alias_offset = 4),
            variable!(|v| (v[9].alias, v[9].alias_offset) = (VarId(39), 4)),
        ),
        case(
            "var-alias-scope",
            variable!(|v| v[0].alias_scope = AliasScope::from_bits(2).expect("a byte")),
            "",
        ),
        case(
            "var-alias-index",
            variable!(|v| v[0].alias_scope = AliasScope::FILE),
            changed("", |m| {
                file_scope_variables(m, 3);
                let kernel = &mut m.kernels[0];
                kernel.variable_relocs = vec![Reloc { symbolic_index: 40, resolved_index: 2 }];
                for (variable, alias) in kernel.body.variables.iter_mut().zip([0, 1, 40]) {
                    variable.alias_scope = AliasScope::FILE;
                    (variable.alias, variable.alias_offset) = (VarId(alias), 4);
                }
            }),
        ),
        case(
            "var-alias-index",
            changed("", |m| {
                file_scope_variables(m, 2);
                let kernel = &mut m.kernels[0];
                kernel.variable_relocs = vec![Reloc { symbolic_index: 1, resolved_index: 2 }];
                kernel.body.variables[0].alias_scope = AliasScope::FILE;
                kernel.body.variables[0].alias = VarId(1);
            }),
            "",
        ),
        case(
            "var-alias-predefined",
            variable!(|v| alias(v, 32, 3)),
            variable!(|v| alias(v, 32, 7)),
        ),
        case_4_2(
            "var-alias-predefined",
            variable!(|v| alias(v, 32, 12)),
            variable!(|v| alias(v, 32, 10)),
        ),
        case("var-alias-index", variable!(|v| alias(v, 33, 140)), variable!(|v| alias(v, 41, 32))),
        case(
            "var-alias-cycle",
            variable!(|v| (alias(v, 35, 36), alias(v, 36, 35)).0),
            variable!(|v| (alias(v, 49, 40), alias(v, 50, 49)).0),
        ),
        case("var-alias-cycle", variable!(|v| alias(v, 35, 35)), variable!(|v| alias(v, 49, 40))),
        case("var-alias-order", variable!(|v| alias(v, 35, 36)), variable!(|v| alias(v, 49, 40))),
        case(
            "var-alias-bounds",
            ".decl a v_type=G type=ud num_elts=1 align=GRF alias=<ud_8, 32>",
            ".decl a v_type=G type=ud num_elts=1 align=GRF alias=<ud_8, 28>",
        ),
        case(
            "var-alias-bounds",
            ".decl a v_type=G type=ud num_elts=4 align=GRF alias=<ud_8, 16>
            .decl b v_type=G type=ud num_elts=1 align=GRF alias=<a, 16>",
            ".decl a v_type=G type=ud num_elts=4 align=GRF alias=<ud_8, 16>
            .decl b v_type=G type=ud num_elts=1 align=GRF alias=<a, 12>",
        ),
        case(
            "var-alias-end",
            ".decl a v_type=G type=f num_elts=9 align=GRF alias=<ud_8, 0>",
            ".decl a v_type=G type=f num_elts=8 align=GRF alias=<ud_8, 0>",
        ),
        case(
            "var-alias-end",
            ".decl a v_type=G type=ub num_elts=8 align=byte alias=<ud_8, 25>",
            ".decl a v_type=G type=ub num_elts=8 align=byte alias=<ud_8, 24>",
        ),
        case(
            "var-alias-align",
            ".decl a v_type=G type=ub num_elts=8 align=byte
            .decl b v_type=G type=uq num_elts=1 align=byte alias=<a, 0>",
            ".decl a v_type=G type=ub num_elts=8 align=qword
            .decl b v_type=G type=uq num_elts=1 align=byte alias=<a, 0>",
        ),
    ]
}

fn others() -> Vec<Case> {
    vec![
        case(
            "string-index",
            variable!(|v| v[0].name = StringId(1 << 20)),
            variable!(|v| v[0].name = StringId(1)),
        ),
        case(
            "string-index",
            changed("FILE \"a.cpp\"", |m| m.kernels[0].body.strings.truncate(1)),
            "FILE \"a.cpp\"",
        ),
        case("name-length", changed("", |m| named(m, 65)), changed("", |m| named(m, 64))),
        case(
            "string-count",
            changed("", |m| m.kernels[0].body.strings.resize(131_073, Name::default())),
            changed("", |m| m.kernels[0].body.strings.resize(131_072, Name::default())),
        ),
        case(
            "counts",
            changed("", |m| {
                let one = SimpleVariable { num_elements: 1, ..SimpleVariable::default() };
                m.kernels[0].body.samplers.resize(32, one);
            }),
            changed("", |m| {
                let one = SimpleVariable { num_elements: 1, ..SimpleVariable::default() };
                m.kernels[0].body.samplers.resize(31, one);
            }),
        ),
        case(
            "counts",
            changed("LOC 250", |m| {
                let one = SimpleVariable { num_elements: 1, ..SimpleVariable::default() };
                m.kernels[0].body.surfaces.resize(251, one);
            }),
            changed("LOC 250", |m| {
                let one = SimpleVariable { num_elements: 1, ..SimpleVariable::default() };
                m.kernels[0].body.surfaces.resize(250, one);
            }),
        ),
        case(
            "function-sizes",
            changed("", |m| function(m, 33, 12, &STACK)),
            changed("", |m| function(m, 32, 12, &STACK)),
        ),
        case(
            "function-sizes",
            changed("", |m| function(m, 32, 13, &STACK)),
            changed("", |m| function(m, 0, 0, &STACK)),
        ),
        case(
            "attr-function-required",
            changed("", |m| function(m, 1, 1, &STACK[..1])),
            changed("", |m| function(m, 1, 1, &STACK)),
        ),
        case("addr-elements", ".decl a v_type=A num_elts=17", ".decl a v_type=A num_elts=16"),
        case("addr-elements", ".decl a v_type=A num_elts=0", ".decl a v_type=A num_elts=1"),
        case("pred-elements", ".decl a v_type=P num_elts=3", ".decl a v_type=P num_elts=4"),
        case("pred-elements", ".decl a v_type=P num_elts=64", ".decl a v_type=P num_elts=32"),
        case(
            "sampler-elements",
            ".decl S2 v_type=S num_elts=129 v_name=a",
            ".decl S2 v_type=S num_elts=128 v_name=a",
        ),
        case(
            "surface-elements",
            ".decl T8 v_type=T num_elts=129 v_name=a",
            ".decl T8 v_type=T num_elts=128 v_name=a",
        ),
        case(
            "code-decodes",
            changed("", |m| bytes(m, &[0x3b])),
            changed("", |m| bytes(m, &[0x59])),
        ),
        case(
            "code-decodes",
            changed("mov (M1, 1) ud_1(0,0)<1> 0x1:ud", |m| {
                let cut = m.kernels[0].body.code.bytes().to_vec();
                bytes(m, &cut[..cut.len() - 1]);
            }),
            "mov (M1, 1) ud_1(0,0)<1> 0x1:ud",
        ),
    ]
}

fn inputs() -> Vec<Case> {
    vec![
        case("input-class", inputs!((3, UD_8, 32, 32)), inputs!((0, UD_8, 32, 32))),
        case("input-index", inputs!((0, 140, 32, 32)), inputs!((0, 139, 32, 256))),
        case("input-index", inputs!((1, 2, 32, 4)), inputs!((1, 1, 32, 4))),
        case("input-index", inputs!((2, 5, 32, 4)), inputs!((2, 6, 32, 4))),
        case("input-size", inputs!((0, UD_8, 32, 28)), inputs!((0, UD_8, 32, 32))),
        case("input-size", inputs!((2, 6, 32, 8)), inputs!((2, 6, 32, 4))),
        case("input-bounds", inputs!((0, UD_8, 8128, 32)), inputs!((0, UD_8, 8096, 32))),
        case("input-bounds", inputs!((0, UD_8, -32, 32)), inputs!((0, UD_8, 0, 32))),
        case_4_2(
            "input-registers",
            ".input ud_16 offset=4064 size=64",
            ".input ud_16 offset=4032 size=64",
        )
        .on(Dg2),
        case_4_2(
            "input-registers",
            ".input ud_16 offset=4096 size=64",
            ".kernel_attr NumGRF=256\n.input ud_16 offset=8064 size=64",
        )
        .on(Dg2),
        case("input-straddle", inputs!((0, UD_4, 24, 16)), inputs!((0, UD_4, 16, 16))),
        case("input-aligned", inputs!((0, UD_8, 48, 32)), inputs!((0, UD_8, 64, 32))),
        case("input-aligned", inputs!((0, UD_1, 34, 4)), inputs!((0, UD_1, 36, 4))),
        case("input-aligned", inputs!((2, 6, 34, 4)), inputs!((2, 6, 36, 4))),
        case(
            "input-alias",
            changed("", |m| {
                m.kernels[0].body.variables[UD_8 as usize - 32].alias = VarId(8);
                inputs!((0, UD_8, 32, 32)).1(m);
            }),
            inputs!((0, UD_8, 32, 32)),
        ),
        case(
            "input-implicit-order",
            inputs!((8, UD_8, 32, 32), (0, UD_8, 64, 32)),
            inputs!((0, UD_8, 32, 32), (8, UD_8, 64, 32)),
        ),
        case(
            "input-overlap",
            inputs!((0, UD_8, 32, 32), (0, UD_8, 32, 32)),
            inputs!((0, UD_8, 32, 32), (0, UD_8, 64, 32)),
        ),
        case(
            "input-overlap",
            inputs!((0, UD_8, 64, 32), (0, UD_16, 32, 64)),
            inputs!((0, UD_8, 96, 32), (0, UD_16, 32, 64)),
        ),
        case(
            "input-overlap",
            inputs!((0, UD_8, 32, 32), (1, 0, 32, 0)),
            inputs!((0, UD_8, 32, 32), (1, 0, 64, 0), (1, 1, 64, 0)),
        ),
        case("input-count", changed("", |m| samplers(m, 257)), changed("", |m| samplers(m, 256))),
        case(
            "input-overlap",
            inputs!((8, UD_8, 32, 32), (0, UD_8, 32, 32)),
            inputs!((8, UD_8, 32, 32), (0, UD_8, 64, 32)),
        )
        .format(Format::igc2022(Version::V3_2)),
        case_4_2(
            "attr-target",
            changed("", |m| attribute(m, "Target", &3i32.to_le_bytes())),
            changed("", |m| attribute(m, "Target", &1i32.to_le_bytes())),
        ),
        case_4_2(
            "attr-target",
            changed("", |m| attribute(m, "Target", b"")),
            changed("", |m| attribute(m, "Target", &[1])),
        ),
        // Pseudo inputs, whose implicit kind is 16, may be anywhere.
        case_4_2(
            "input-overlap",
            inputs!((0, UD_8, 32, 32), (24, UD_8, 32, 32)),
            inputs!((0, UD_8, 32, 32), (128, UD_8, 64, 32), (128, UD_8, 8160, 32)),
        ),
        case_4_2(
            "input-shared",
            inputs!((0, UD_8, 32, 32), (128, UD_8, 32, 32)),
            inputs!((0, UD_8, 32, 32), (128, UD_8, 64, 32)),
        ),
        case_4_2(
            "input-shared",
            inputs!((0, UB_1, 32, 1), (128, UB_1, 32, 1)),
            inputs!((0, UB_1, 32, 1), (128, UB_1, 33, 1)),
        ),
        case_4_2(
            "input-shared",
            inputs!((128, UD_8, 96, 32), (128, UD_16, 64, 64)),
            inputs!((128, UD_8, 128, 32), (128, UD_16, 64, 64)),
        ),
        case_4_2(
            "input-overwritten",
            changed(WRITE_THEN_READ, share),
            changed(WRITE_THEN_READ, separate),
        ),
    ]
}

fn samplers(m: &mut Module<'static>, count: i16) {
    let kind = InputKind::from_bits(1);
    m.kernels[0].inputs =
        (0..count).map(|i| Input { kind, index: 0, offset: i * 4, size: 4 }).collect();
}

fn attributes() -> Vec<Case> {
    vec![
        case(
            "attr-known",
            changed("", |m| attribute(m, "NumGRFs", &[1])),
            changed("", |m| attribute(m, "NumGRF", &[1])),
        ),
        case_4_2(
            "attr-known-in-text",
            ".decl x v_type=G type=d num_elts=8 align=GRF attrs={Foo=\"x\"}",
            ".decl x v_type=G type=d num_elts=8 align=GRF",
        ),
        case_4_2("attr-num-grf", ".kernel_attr NumGRF=64", ".kernel_attr NumGRF=256").on(Dg2),
        case_4_2("attr-num-grf", ".kernel_attr NumGRF=256", ".kernel_attr NumGRF=128").on(Tgllp),
        case_4_2("attr-callable", ".kernel_attr Callable", ".kernel_attr Callable=0"),
        case(
            "attr-size",
            changed("", |m| attribute(m, "NumGRF", &[128, 0, 0])),
            changed("", |m| attribute(m, "NumGRF", &[128, 0, 0, 0])),
        ),
        case(
            "attr-value",
            changed("", |m| attribute(m, "SimdSize", &[9])),
            changed("", |m| attribute(m, "SimdSize", &[8])),
        ),
        case(
            "attr-value",
            changed("", |m| attribute(m, "SpillMemOffset", &[32, 0])),
            changed("", |m| attribute(m, "SpillMemOffset", &[64, 0])),
        )
        .on(PvcSdv),
        case(
            "attr-once",
            changed("", |m| (attribute(m, "SLMSize", &[4]), attribute(m, "SLMSize", &[4])).0),
            changed("", |m| (attribute(m, "SLMSize", &[4]), attribute(m, "NBarrierCnt", &[4])).0),
        ),
    ]
}

const JUMP: &str = "jmp (M1, 1) here\nhere:\nbarrier";
const TWO: &str = "jmp (M1, 1) second\nfirst:\nsecond:\nbarrier";

fn labels() -> Vec<Case> {
    vec![
        case(
            "label-target",
            changed("here:", |m| {
                code(m, |all| all[0] = isa::Label { label: LabelId(1) }.into());
            }),
            "here:",
        ),
        case(
            "label-undefined",
            changed(JUMP, |m| code(m, |all| all.truncate(1))),
            changed(JUMP, |m| code(m, |all| *all = all.split_off(1))),
        ),
        case("label-redefined", changed(JUMP, |m| code(m, |all| all.push(all[1]))), JUMP),
        case(
            "label-kind",
            changed(JUMP, |m| m.kernels[0].body.labels[0].kind = LabelKind::SUBROUTINE),
            JUMP,
        ),
        case(
            "label-same-subroutine",
            changed(TWO, |m| subroutine(m, 1)),
            changed(TWO, |m| subroutine(m, 0)),
        ),
        case(
            "label-same-subroutine",
            changed(TWO, |m| {
                subroutine(m, 1);
                code(m, |all| all.swap(0, 2));
            }),
            TWO,
        ),
    ]
}

/// Replaces the label `first` by a subroutine that begins before the instruction at an index.
fn subroutine(m: &mut Module<'static>, at: usize) {
    code(m, |all| {
        all.remove(1);
    });
    let body = &mut m.kernels[0].body;
    let label = body.add_label("f", LabelKind::SUBROUTINE).expect("a small table");
    let format = m.format;
    let start = isa::Subroutine { label }.into();
    let items: Result<Vec<_>, _> = m.kernels[0].body.code.instructions(format).collect();
    let items = items.expect("valid code");
    let mut all: Vec<Instruction> = items.into_iter().map(|(_, i)| i).collect();
    all.insert(at, start);
    m.kernels[0].body.code = Code::from_instructions(&all, format).expect("encodable");
}
