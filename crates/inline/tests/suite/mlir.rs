//! Inline assembly in MLIR.

use genvisa_inline::source::{Block, Content, Language, Source, find};
use genvisa_inline::{AddressSpace, Checker, Element, Form, Lanes, Path, Place, Type};
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any};
use proptest::sample::select;
use proptest::{prop_assert, prop_assert_eq, proptest};

use super::{only_block, statement, template};

/// A file and its generic form, as mlir-opt writes it.
const FORMS: [&str; 2] =
    [include_str!("../data/mlir/kernel.mlir"), include_str!("../data/mlir/generic.mlir")];

/// What mlir-translate writes for it.
const LLVM: &str = include_str!("../data/mlir/kernel.ll");

fn find_mlir(source: &str) -> Source {
    find(source.as_bytes(), Language::Mlir)
}

/// Returns the source with a function around these lines.
fn in_function(lines: &str) -> String {
    format!("llvm.func @k(%x: i32) {{\n{lines}\n  llvm.return\n}}\n")
}

/// Returns the types and the values of the operands of a statement.
fn operands(lines: &str) -> Vec<(Option<Type>, Option<u64>)> {
    let source = find_mlir(&in_function(lines));
    let statement = statement(only_block(&source));
    statement.operands.iter().map(|operand| (operand.ty, operand.value)).collect()
}

fn scalar(element: Element) -> Option<Type> {
    Some(Type::scalar(element))
}

fn vector(element: Element, components: u32) -> Option<Type> {
    Some(Type { element, components })
}

#[test]
fn agrees_with_the_translation_to_llvm_ir() {
    let mut expected = find(LLVM.as_bytes(), Language::Llvm);
    assert_eq!(expected.blocks.len(), 5);
    // Only the reader of LLVM IR looks for uses of results.
    for block in &mut expected.blocks {
        if let Content::Visa(statement) = &mut block.content {
            statement.operands.iter_mut().for_each(|operand| operand.is_unused = false);
        }
    }
    for form in FORMS {
        let source = find_mlir(form);
        assert_eq!(source.error, None);
        assert_eq!(source.blocks.len(), expected.blocks.len());
        for (found, expected) in source.blocks.iter().zip(&expected.blocks) {
            assert_eq!(found.content, expected.content);
            assert_eq!(found.function, expected.function);
            assert_eq!(found.path, expected.path);
            assert_eq!(found.is_file_scope, expected.is_file_scope);
        }
        // This attribute is not translated.
        let lanes: Vec<Option<Lanes>> = source.blocks.iter().map(|block| block.lanes).collect();
        assert_eq!(lanes, [Some(Lanes::L16), Some(Lanes::L16), None, None, None]);
    }
}

#[test]
fn finds_all_forms_of_operations() {
    let lines = [
        r#"%r = llvm.inline_asm "rw", "=rw,rw" %x : (i32) -> i32"#,
        r#"%r = llvm.inline_asm has_side_effects is_align_stack "rw", "=rw,rw" %x : (i32) -> i32"#,
        r#"%r = llvm.inline_asm tail_call_kind = <tail> "rw", "=rw,rw" %x : (i32) -> i32"#,
        r#"%r = llvm.inline_asm asm_dialect = "intel" "rw", "=rw,rw" %x : (i32) -> i32"#,
        r#"%r = llvm.inline_asm asm_dialect = att operand_attrs = [{a = "b"}, {}] "rw", "=rw,rw" %x : (i32) -> i32"#,
        r#"%r = llvm.inline_asm {note = "text", list = ["a"]} "rw", "=rw,rw" %x : (i32) -> (i32)"#,
        "%r = llvm.inline_asm // \"no\"\n \"rw\" , \"=rw,rw\"\n %x\n : ( i32 )\n -> i32",
        r#"%r = "llvm.inline_asm"(%x) <{asm_string = "rw", constraints = "=rw,rw"}> : (i32) -> i32"#,
        r#"%r = "llvm.inline_asm"(%x) {constraints = "=rw,rw", "asm_string" = "rw"} : (i32) -> i32"#,
        r#"%r = "llvm.inline_asm"(%x)[^bb1] <{asm_dialect = 0 : i64, asm_string = "rw", constraints = "=rw,rw"}> {a = "b"} : (i32) -> i32"#,
    ];
    for line in lines {
        let text = in_function(line);
        let source = find_mlir(&text);
        let block = only_block(&source);
        let statement = statement(block);
        assert_eq!(template(block), "rw", "{line}");
        assert_eq!(statement.form, Form::Llvm);
        assert_eq!(block.function.as_deref(), Some("k"));
        let [output, input] = &statement.operands[..] else { panic!("{line}") };
        assert!(output.is_output && !input.is_output);
        assert_eq!((output.ty, input.ty), (scalar(Element::I32), scalar(Element::I32)), "{line}");
        let span = &text[block.span.clone()];
        assert!(span.contains("llvm.inline_asm"), "{span}");
        assert!(span.ends_with("i32") || span.ends_with("(i32)"), "{span}");
    }
}

#[test]
fn reads_types() {
    let cases = [
        ("i8", scalar(Element::I8)),
        ("i16", scalar(Element::I16)),
        ("bf16", scalar(Element::BFloat)),
        ("f64", scalar(Element::Double)),
        ("vector<16xf32>", vector(Element::Float, 16)),
        ("vector<1xi32>", vector(Element::I32, 1)),
        ("vector<2x!llvm.ptr<1>>", vector(Element::Pointer(AddressSpace::Global), 2)),
        ("!llvm.vec<3 x i64>", vector(Element::I64, 3)),
        ("!llvm.ptr", scalar(Element::Pointer(AddressSpace::Private))),
        ("!llvm.ptr<4>", scalar(Element::Pointer(AddressSpace::Generic))),
        ("!llvm.ptr<f32, 3>", scalar(Element::Pointer(AddressSpace::Local))),
        ("!llvm.ptr<struct<(i32, f32)>>", scalar(Element::Pointer(AddressSpace::Private))),
        ("!llvm.ptr<func<void (i32)>>", scalar(Element::Pointer(AddressSpace::Private))),
        ("!float", scalar(Element::Float)),
        ("index", None),
        ("i128", None),
        ("f80", None),
        ("float", None),
        ("vector<4x4xf32>", None),
        ("vector<[4]xf32>", None),
        ("vector<xf32>", None),
        ("!llvm.array<4 x i32>", None),
        ("!llvm.struct<(i32, i32)>", None),
        ("tensor<16x!tt.ptr<f32>, #blocked>", None),
        ("(i32) -> i32", None),
        ("!other", None),
    ];
    for (ty, expected) in cases {
        let line = format!("llvm.inline_asm \"rw\", \"rw,rw\" %x, %y : ({ty}, f16) -> ()");
        let source = find_mlir(&format!("!float = f32\n{}", in_function(&line)));
        let types: Vec<_> =
            statement(only_block(&source)).operands.iter().map(|operand| operand.ty).collect();
        assert_eq!(types, [expected, scalar(Element::Half)], "{ty}");
    }
}

#[test]
fn splits_results() {
    let (i32, float) = (scalar(Element::I32), scalar(Element::Float));
    let results = [
        "!llvm.struct<(f32, i32)>",
        "!llvm.struct<packed (f32, i32)>",
        "!llvm.struct<\"a, (b)\", (f32, i32)>",
        "!llvm.struct<\"a\", packed (f32, i32)>",
        "(!llvm.struct<(f32, i32)>)",
        "!pair",
    ];
    for result in results {
        let line = format!(
            r#"%r = llvm.inline_asm "rw", "=rw,=rw,rw,1,~{{memory}}" %h, %x : (f16, i32) -> {result}"#
        );
        let text = format!("!pair = !llvm.struct<(f32, i32)>\n{}", in_function(&line));
        let source = find_mlir(&text);
        let statement = statement(only_block(&source));
        let types: Vec<_> = statement.operands.iter().map(|operand| operand.ty).collect();
        assert_eq!(types, [float, i32, scalar(Element::Half), i32], "{result}");
        assert_eq!(statement.clobbers, ["memory"]);
    }
    let short = operands(r#"llvm.inline_asm "rw", "=rw,=rw" : () -> !llvm.struct<(i32)>"#);
    assert_eq!(short, [(i32, None), (None, None)]);
    let nested = operands(
        r#"llvm.inline_asm "rw", "=rw,=rw" : () -> !llvm.struct<(struct<(i32, i32)>, ptr<3>)>"#,
    );
    let local = scalar(Element::Pointer(AddressSpace::Local));
    assert_eq!(nested, [(None, None), (local, None)]);
}

#[test]
fn reads_values_of_constants() {
    let cases = [
        ("llvm.mlir.constant(42 : i32) : i32", "i32", Some(42)),
        ("llvm.mlir.constant(42 : i64) : i32", "i32", Some(42)),
        ("llvm.mlir.constant(-1 : i8) : i8", "i8", Some(255)),
        ("llvm.mlir.constant(0x2A : i32) : i32", "i32", Some(42)),
        ("llvm.mlir.constant(true) : i1", "i1", Some(1)),
        ("llvm.mlir.constant(1.500000e+00 : f32) : f32", "f32", Some(0x3fc0_0000)),
        ("llvm.mlir.constant(-2.5E-1 : f64) : f64", "f64", Some(0xbfd0_0000_0000_0000)),
        ("llvm.mlir.constant(0x3FC00000 : f32) : f32", "f32", Some(0x3fc0_0000)),
        ("llvm.mlir.constant(0x123456789 : i32) : i32", "i32", None),
        ("llvm.mlir.constant(dense<1> : vector<2xi32>) : vector<2xi32>", "vector<2xi32>", None),
        ("llvm.mlir.constant(\"text\") : !llvm.array<4 x i8>", "i32", None),
        ("arith.constant 7 : i16", "i16", Some(7)),
        ("arith.constant false", "i1", Some(0)),
        ("arith.constant 7 : i16", "i32", None),
        ("\"llvm.mlir.constant\"() <{value = -3 : i64}> : () -> i64", "i64", Some(u64::MAX - 2)),
        ("\"arith.constant\"() {value = true} : () -> i1", "i1", Some(1)),
        ("llvm.add %x, %x : i32", "i32", None),
    ];
    for (constant, ty, value) in cases {
        let lines =
            format!("%c = {constant}\nllvm.inline_asm \"rw\", \"P,rw\" %c, %x : ({ty}, i32) -> ()");
        assert_eq!(operands(&lines)[0].1, value, "{constant}");
    }
    // The result of another operation, and a constant of another region.
    let other = "%c = arith.constant 7 : i32\nllvm.inline_asm \"rw\", \"P\" %c#1 : (i32) -> ()";
    assert_eq!(operands(other)[0].1, None);
    let regions = "scf.if %b { %c = arith.constant 7 : i32 }\nscf.for %c = %x to %x step %x {\n\
                   llvm.inline_asm \"rw\", \"P\" %c : (i32) -> ()\n}";
    assert_eq!(operands(regions)[0].1, None);
}

#[test]
fn reads_attributes_of_functions_and_modules() {
    let asm = "llvm.inline_asm \"// rw\", \"rw\" %x : (i32) -> ()";
    let text = format!(
        r#"
module attributes {{"ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 32 : i32}} {{
  llvm.func @declared(i32 {{llvm.noundef}}) -> i32 attributes {{a = {{b = 1}}}}
  llvm.func internal spir_kernelcc @"a \22b\22"(%x: i32) attributes {{intel_reqd_sub_group_size = 16 : i32}} {{
    {asm}
  }}
  gpu.module @m [#xevm.target<O = 3, chip = "bmg">] attributes {{a = []}} {{
    gpu.func @b(%x: i32) -> (i32, i32) kernel {{
      scf.if %c {{ {asm} }} else {{ }}
    }}
  }}
  llvm.func @c(%x: i32) attributes {{triton_gen.intel_reqd_sub_group_size = [8 : i32], passthrough = ["nounwind", "CMGenxMain"]}} {{ {asm} }}
  tt.func public @d(%x: i32 {{tt.divisibility = 16 : i32}}) attributes {{intel_reqd_sub_group_size = 1 : i32}} {{ {asm} }}
}}
// -----
func.func private @declared(i32)
func.func @e(%x: i32) {{ {asm} }}
{asm}
"llvm.func"() <{{sym_name = "f"}}> ({{
^bb0(%x: i32):
  {asm}
}}) {{intel_reqd_sub_group_size = 32 : i32}} : () -> ()
"#
    );
    let source = find_mlir(&text);
    assert_eq!(source.error, None);
    let found: Vec<_> = (source.blocks.iter())
        .map(|block| (block.function.as_deref().unwrap_or_default(), block.lanes, block.path))
        .collect();
    let expected = [
        ("a \"b\"", Some(Lanes::L16), None),
        ("b", Some(Lanes::L32), None),
        ("c", Some(Lanes::L8), Some(Path::Vc)),
        ("d", None, None),
        ("e", None, None),
        ("", None, None),
        ("f", Some(Lanes::L32), None),
    ];
    assert_eq!(found, expected);
}

#[test]
fn skips_assembly_of_other_machines() {
    let ptx = r#"%r = llvm.inline_asm "mov.u32 $0, $1;", "=r,r" %x : (i32) -> i32"#;
    let content = |text: &str| only_block(&find_mlir(text)).content.clone();
    assert!(matches!(content(&in_function(ptx)), Content::Other(_)));
    // Everything is vISA on a SPIR-V target.
    let targets = [
        format!("module attributes {{llvm.target_triple = \"spir64\"}} {{ {} }}", in_function(ptx)),
        format!("gpu.module @m [#xevm.target] {{ {} }}", in_function(ptx)),
        in_function(ptx).replace("@k", "spir_kernelcc @k"),
    ];
    for text in targets {
        assert!(matches!(content(&text), Content::Visa(_)), "{text}");
    }
    // The target of the first module is not that of the second one.
    let two = format!(
        "module attributes {{llvm.target_triple = \"spir64\"}} {{ }}\nmodule {{ {} }}",
        in_function(ptx)
    );
    assert!(matches!(content(&two), Content::Other(_)));
    // The name in comments, strings and symbols.
    let none = "// llvm.inline_asm \"rw\", \"rw\"\nllvm.func @llvm.inline_asm() {\n\
                test.op {a = \"llvm.inline_asm\", b = \"llvm.inline_asm \\\"rw\\\", \\\"rw\\\"\"}\n}\n";
    assert_eq!(find_mlir(none), Source::default());
}

#[test]
fn reads_operations_of_triton() {
    let line = r#"%r = tt.elementwise_inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"
        {constraints = "=rw,rw", packed_element = 1 : i32, pure = true} %a : tensor<16xf32> -> tensor<16xf32>"#;
    let generic = r#"%r = "tt.elementwise_inline_asm"(%x) <{asm_string = "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>",
        constraints = "=rw,rw", packed_element = 1 : i32, pure = true}> : (f16) -> f16"#;
    for (text, ty) in [(line, Element::Float), (generic, Element::Half)] {
        let source = find_mlir(&in_function(text));
        let block = only_block(&source);
        assert_eq!(template(block), "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>");
        assert_eq!(operands(text), [(scalar(ty), None), (scalar(ty), None)]);
        assert_eq!(block.constraint_spans.len(), 2);
    }
}

/// The example of `inline_asm_elementwise` in Triton's documentation: four elements of 8 bits are in one
/// operand, and those of 32 bits in four.
#[test]
fn packs_the_elements_of_tensors_as_triton_does() {
    let line = r#"%c:2 = tt.elementwise_inline_asm "" {constraints = "=rw,=rw,=rw,=rw,=rw,=rw,=rw,=rw,rw,rw,rw,rw,rw",
        packed_element = 4 : i32, pure = true} %a, %b : tensor<64xi8, #blocked>, tensor<64xf32, #blocked> -> tensor<64xi32, #blocked>, tensor<64xf32, #blocked>
        "test.op"() : () -> ()"#;
    let [integer, float] = [Element::I32, Element::Float].map(scalar);
    let bytes = vector(Element::I8, 4);
    let expected = [[integer; 4].as_slice(), &[float; 4], &[bytes], &[float; 4]].concat();
    assert_eq!(operands(line).iter().map(|(ty, _)| *ty).collect::<Vec<_>>(), expected);

    // (type, packed elements, operands)
    let cases = [
        ("tensor<2x4xf16>", 2, vec![vector(Element::Half, 2)]),
        ("tensor<16xf8E5M2>", 2, vec![vector(Element::I8, 2)]),
        ("tensor<16xbf16>", 3, vec![vector(Element::BFloat, 2), vector(Element::BFloat, 2)]),
        ("tensor<?x!tt.ptr<f32>>", 1, vec![scalar(Element::Pointer(AddressSpace::Global))]),
        ("tensor<4xindex>", 1, vec![None]),
    ];
    for (ty, packed, expected) in cases {
        let constraints = vec!["rw"; expected.len()].join(",");
        let line = format!(
            "tt.elementwise_inline_asm \"\" {{constraints = \"{constraints}\", packed_element = {packed} : i32}} %a : {ty} -> i32"
        );
        let found: Vec<_> = operands(&line).iter().map(|(ty, _)| *ty).collect();
        assert_eq!(found, expected, "{ty}");
    }
}

#[test]
fn maps_bytes_to_the_file() {
    let line = r#"llvm.inline_asm "{\0Amov \5C\\ \22\"\n\t $0\0a}", "=rw,\72w,~{memory}" %x : (i32) -> i32"#;
    let text = in_function(line);
    let source = find_mlir(&text);
    let block = only_block(&source);
    assert_eq!(template(block), "{\nmov \\\\ \"\"\n\t $0\n}");
    let slice = |span: &core::ops::Range<u32>| &text[span.start as usize..span.end as usize];
    let written: Vec<&str> = block.template_map.iter().map(slice).collect();
    assert_eq!(written.concat(), r#"{\0Amov \5C\\ \22\"\n\t $0\0a}"#);
    assert_eq!(written[6..13], [r"\5C", r"\\", " ", r"\22", r#"\""#, r"\n", r"\t"]);
    let spans = |spans: &[core::ops::Range<usize>]| -> Vec<String> {
        spans.iter().map(|span| text[span.clone()].to_owned()).collect()
    };
    assert_eq!(spans(&block.constraint_spans), ["=rw", r"\72w"]);
    assert_eq!(spans(&block.clobber_spans), ["memory"]);
    assert_eq!(statement(block).operands[1].constraint, "rw");
}

#[test]
fn findings_have_places() {
    let text = "llvm.func @k(%x: i32) attributes {intel_reqd_sub_group_size = 16 : i32} {\n  \
        %0 = llvm.inline_asm \"{\\0Amov (M1, 16) $0(1,0)<1> $1(0,0)<1;1,0>\\n}\", \"=rw,rw\" %x\n    \
        : (i32) -> i32\n  llvm.return\n}\n";
    let source = find_mlir(text);
    let block: &Block = only_block(&source);
    let report = block.check(&Checker::new()).expect("vISA");
    let [finding] = &report.findings[..] else { panic!("{report:?}") };
    assert_eq!(finding.rule, "operand-bounds");
    let Place::Template(span) = &finding.place else { panic!("{finding:?}") };
    let (first, last) = (&block.template_map[span.start], &block.template_map[span.end - 1]);
    assert_eq!(&text[first.start as usize..last.end as usize], "$0(1,0)<1>");
}

#[test]
fn reports_incomplete_files() {
    let whole = in_function(r#"llvm.inline_asm "rw", "rw" %x : (i32) -> ()"#);
    for end in 0..whole.len() {
        let source = find_mlir(&whole[..end]);
        let begins_body = whole[..end].contains('{');
        assert_eq!(source.error.is_some() || end == whole.len() - 1, begins_body, "{end}");
    }
    let message = |text: &str| {
        let error = find_mlir(text).error.expect("an error");
        (error.offset, error.message)
    };
    let open = "llvm.func @f() {\n  llvm.inline_asm \"r\\\"w";
    assert_eq!(message(open), (35, "string is not closed".to_owned()));
    // A string ends on its line.
    let lines = "llvm.inline_asm \"a\nb\", \"rw\" : () -> ()";
    assert_eq!(message(lines), (16, "string is not closed".to_owned()));
    let body = "module { llvm.func @f() {\n  llvm.return\n}";
    assert_eq!(message(body), (body.len(), "the file ends before a brace is closed".to_owned()));
    let inner = "llvm.func @f() { scf.if %c {";
    assert_eq!(message(inner), (inner.len(), "the file ends inside function `f`".to_owned()));
}

#[test]
fn skips_malformed_operations() {
    let good = r#"llvm.inline_asm "rw", "rw" %x : (i32) -> ()"#;
    let malformed = [
        "llvm.inline_asm",
        "llvm.inline_asm \"rw\"",
        "llvm.inline_asm \"rw\" \"rw\"",
        "llvm.inline_asm 7 \"rw\"",
        "llvm.inline_asm asm_dialect =",
        "llvm.inline_asm operand_attrs = [",
        "llvm.inline_asm {a = ",
        "\"llvm.inline_asm\"(%x) : (i32) -> ()",
        "\"llvm.inline_asm\"(%x) <{asm_string = \"rw\"}> : (i32) -> ()",
        "llvm.func @broken(",
    ];
    for line in malformed {
        let source = find_mlir(&in_function(&format!("{line}\n{good}")));
        let last = source.blocks.last().unwrap_or_else(|| panic!("{line}"));
        assert_eq!(template(last), "rw");
        assert_eq!(source.blocks.len(), 1, "{line}");
        assert_eq!(statement(last).operands[0].ty, scalar(Element::I32));
    }
    // The types are missing or cannot be read.
    for types in ["", ":", ": (", ": (i32", ": (i32)", ": (i32) ->", ": (;) -> i32"] {
        let found = operands(&format!("llvm.inline_asm \"rw\", \"=rw,rw\" %x {types}"));
        assert_eq!(found.len(), 2, "{types}");
    }
}

/// Checks that the spans of all blocks are within the file.
fn check_spans(bytes: &[u8]) -> Result<(), proptest::test_runner::TestCaseError> {
    for block in find(bytes, Language::Mlir).blocks {
        prop_assert!(block.span.start <= block.span.end && block.span.end <= bytes.len());
        for span in block.constraint_spans.iter().chain(&block.clobber_spans) {
            prop_assert!(span.start <= span.end && span.end <= bytes.len());
        }
        for span in &block.template_map {
            prop_assert!(span.start <= span.end && span.end as usize <= bytes.len());
        }
        if let Content::Visa(statement) = &block.content {
            prop_assert_eq!(statement.template.len(), block.template_map.len());
            prop_assert_eq!(statement.operands.len(), block.constraint_spans.len());
        }
    }
    Ok(())
}

const PIECES: &[&str] = &[
    "llvm.func @f(",
    "\"llvm.func\"() <{sym_name = \"f\"}> ({",
    "}) {intel_reqd_sub_group_size = 16 : i32} ",
    ") attributes {intel_reqd_sub_group_size = 16 : i32} {\n",
    "module ",
    "{",
    "}",
    "%x",
    "#1",
    " = ",
    "llvm.inline_asm ",
    "\"llvm.inline_asm\"(",
    "asm_string = ",
    "constraints = ",
    "tt.elementwise_inline_asm ",
    "\"rw $0\"",
    "\"=rw,rw,~{memory}\"",
    "llvm.mlir.constant(",
    "arith.constant ",
    "42",
    "0x",
    "1.5e",
    "-",
    "(",
    ")",
    "<",
    ">",
    "[",
    ", ",
    " : ",
    " -> ",
    "i32",
    "vector<4x",
    "!llvm.struct<(",
    "!llvm.ptr<",
    "!t",
    "\"",
    "\\",
    "//",
    "\n",
    "@",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn accepts_any_bytes(bytes in vec(any::<u8>(), 0..200)) {
        check_spans(&bytes)?;
    }

    #[test]
    fn accepts_any_tokens(pieces in vec(select(PIECES), 0..60)) {
        check_spans(pieces.concat().as_bytes())?;
    }

    /// Any text can be written in a string, and is found with its place.
    #[test]
    fn reads_any_template(template in vec(any::<u8>(), 1..100)) {
        let escaped: String = template.iter().map(|byte| format!("\\{byte:02X}")).collect();
        let text = in_function(&format!("llvm.inline_asm \"{escaped}\", \"rw\" %x : (i32) -> ()"));
        let source = find_mlir(&text);
        let block = only_block(&source);
        prop_assert_eq!(&statement(block).template, &template);
        let start = text.find('"').expect("a string") as u32 + 1;
        for (index, span) in (0..).zip(&block.template_map) {
            prop_assert_eq!(span, &(start + 3 * index..start + 3 * index + 3));
        }
    }
}
