//! Inline assembly in LLVM IR.

use genvisa_inline::source::{Content, Language, Source, find};
use genvisa_inline::{AddressSpace, Element, Form, Lanes, Path, Type};
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any};
use proptest::sample::select;
use proptest::{prop_assert, prop_assert_eq, proptest};

use super::{only_block, statement, template};

fn find_llvm(source: &str) -> Source {
    find(source.as_bytes(), Language::Llvm)
}

/// Returns the source with a function around these lines.
fn in_function(lines: &str) -> String {
    format!("define spir_kernel void @k(i32 %x) {{\n{lines}\n  ret void\n}}\n")
}

/// Returns the types and the values of the operands of a statement.
fn operands(line: &str) -> Vec<(Option<Type>, Option<u64>)> {
    let source = find_llvm(&in_function(line));
    let statement = statement(only_block(&source));
    statement.operands.iter().map(|operand| (operand.ty, operand.value)).collect()
}

fn scalar(element: Element) -> Option<Type> {
    Some(Type { element, components: 1 })
}

fn vector(element: Element, components: u32) -> Option<Type> {
    Some(Type { element, components })
}

#[test]
fn finds_all_forms_of_calls() {
    let lines = [
        r#"%r = call i32 asm "rw", "=rw,rw"(i32 %x)"#,
        r#"%r = call i32 asm sideeffect "rw", "=rw,rw"(i32 %x) #1, !srcloc !5"#,
        r#"%r = tail call spir_func i32 asm alignstack "rw", "=rw,rw"(i32 noundef %x) nounwind"#,
        r#"%r = musttail call i32 asm inteldialect "rw", "=rw,rw"(i32 signext %x)"#,
        r#"%r = call cc 75 i32 asm sideeffect unwind "rw", "=rw,rw"(i32 %x)"#,
        r#"%r = call i32 (i32) asm "rw", "=rw,rw"(i32 %x)"#,
        r#"%r = call noundef range(i32 0, 9) i32 asm "rw", "=rw,rw"(i32 range(i32 0, 9) %x)"#,
        r#"%r = invoke i32 asm unwind "rw", "=rw,rw"(i32 %x) to label %a unwind label %b"#,
        r#"%r = callbr i32 asm "rw", "=rw,rw,!i"(i32 %x) to label %a [label %b]"#,
        "%r = call i32 asm ; \"no\"\n \"rw\" , \"=rw,rw\" ( i32\n %x )",
    ];
    for line in lines {
        let source = find_llvm(&in_function(line));
        let block = only_block(&source);
        let statement = statement(block);
        assert_eq!(template(block), "rw", "{line}");
        assert_eq!(statement.form, Form::Llvm);
        assert_eq!(block.function.as_deref(), Some("k"));
        assert!(!block.is_file_scope);
        let [output, input, ..] = &statement.operands[..] else { panic!("{line}") };
        assert!(output.is_output && !input.is_output);
        assert_eq!((output.ty, input.ty), (scalar(Element::I32), scalar(Element::I32)), "{line}");
        let text = in_function(line);
        let span = &text[block.span.clone()];
        assert!(span.starts_with("asm") && span.ends_with(')'), "{span}");
    }
}

#[test]
fn reads_types_of_arguments() {
    let global = Element::Pointer(AddressSpace::Global);
    let cases = [
        ("i1 %a", scalar(Element::I1)),
        ("i8 %a", scalar(Element::I8)),
        ("i16 zeroext %a", scalar(Element::I16)),
        ("i64 %a", scalar(Element::I64)),
        ("half %a", scalar(Element::Half)),
        ("bfloat %a", scalar(Element::BFloat)),
        ("double %a", scalar(Element::Double)),
        ("<4 x float> %a", vector(Element::Float, 4)),
        ("<3 x i32> <i32 1, i32 2, i32 3>", vector(Element::I32, 3)),
        ("ptr addrspace(1) align 4 %a", scalar(global)),
        ("i32 addrspace(1)* %a", scalar(global)),
        ("%struct.pair addrspace(1)* byval(%struct.pair) %a", scalar(global)),
        ("ptr addrspace(3) %a", scalar(Element::Pointer(AddressSpace::Local))),
        (
            "ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @g, i64 8)",
            scalar(Element::Pointer(AddressSpace::Generic)),
        ),
        ("ptr %a", scalar(Element::Pointer(AddressSpace::Private))),
        ("float** %a", scalar(Element::Pointer(AddressSpace::Private))),
        ("void (i32, i32)* %a", scalar(Element::Pointer(AddressSpace::Private))),
        ("i128 %a", None),
        ("[2 x i32] %a", None),
        ("{ i32, i32 } %a", None),
        ("%struct.pair %a", None),
        ("target(\"spirv.Image\", void, 1) %a", None),
    ];
    for (argument, ty) in cases {
        let line = format!("call void asm \"rw\", \"rw,rw\"({argument}, i32 7)");
        assert_eq!(operands(&line), [(ty, None), (scalar(Element::I32), Some(7))], "{argument}");
    }
}

#[test]
fn reads_values_of_constants() {
    let cases = [
        ("i32 42", Some(42)),
        ("i32 noundef -5", Some(0xffff_fffb)),
        ("i32 4294967295", Some(0xffff_ffff)),
        ("i32 4294967296", None),
        ("i8 -56", Some(200)),
        ("i16 -1", Some(0xffff)),
        ("i64 -3", Some(u64::MAX - 2)),
        ("i64 18446744073709551615", Some(u64::MAX)),
        ("i1 true", Some(1)),
        ("i1 false", Some(0)),
        ("i32 u0x2A", Some(42)),
        ("float 1.500000e+00", Some(0x3fc0_0000)),
        ("float -1.5", Some(0xbfc0_0000)),
        ("float 0x3FF8000000000000", Some(0x3fc0_0000)),
        ("float 0x7FF0000000000000", Some(0x7f80_0000)),
        ("double 0x3FF8000000000000", Some(0x3ff8_0000_0000_0000)),
        ("double 1.5", Some(0x3ff8_0000_0000_0000)),
        ("half 0xH3C00", Some(0x3c00)),
        ("half 1.5", Some(0x3e00)),
        ("half -0.0", Some(0x8000)),
        ("half 65504.0", Some(0x7bff)),
        ("bfloat 0xR3FC0", Some(0x3fc0)),
        ("bfloat 1.5", Some(0x3fc0)),
        ("float zeroinitializer", Some(0)),
        ("i32 undef", None),
        ("i32 poison", None),
        ("i32 %42", None),
        ("i32 ptrtoint (ptr @g to i32)", None),
        ("<2 x i32> zeroinitializer", None),
    ];
    for (argument, value) in cases {
        let line = format!("call void asm \"rw\", \"P,rw\"({argument}, float %f)");
        assert_eq!(operands(&line)[0].1, value, "{argument}");
    }
}

#[test]
fn splits_results() {
    let (i32, float) = (scalar(Element::I32), scalar(Element::Float));
    let two = "\"rw\", \"=rw,=rw,rw,1,~{memory}\"(half %a, i32 5)";
    let rest = [(scalar(Element::Half), None), (i32, Some(5))];
    for result in ["{ float, i32 }", "<{ float, i32 }>", "%pair", "%\"a pair\""] {
        let named = "%pair = type { float, i32 }\n%\"a pair\" = type <{ float, i32 }>\n";
        let source =
            find_llvm(&(named.to_owned() + &in_function(&format!("call {result} asm {two}"))));
        let statement = statement(only_block(&source));
        let found: Vec<_> = statement.operands.iter().map(|one| (one.ty, one.value)).collect();
        assert_eq!(found, [&[(float, None), (i32, None)], &rest[..]].concat(), "{result}");
        assert_eq!(statement.clobbers, ["memory"]);
    }
    // An indirect output is an argument.
    let indirect =
        operands(r#"call i32 asm "rw", "=*rw,=rw,rw"(ptr elementtype(i32) %p, float 1.0)"#);
    let pointer = scalar(Element::Pointer(AddressSpace::Private));
    assert_eq!(indirect, [(pointer, None), (i32, None), (float, Some(0x3f80_0000))]);
    // A result that has too few members.
    let short = operands(r#"call { i32 } asm "rw", "=rw,=rw"()"#);
    assert_eq!(short, [(i32, None), (None, None)]);
}

#[test]
fn maps_template_bytes_to_the_file() {
    let text =
        in_function(r#"call void asm sideeffect "{\0Amov \5C\\ \22 \zz $0\0A}", "rw"(i32 %x)"#);
    let source = find_llvm(&text);
    let block = only_block(&source);
    assert_eq!(template(block), "{\nmov \\\\ \" \\zz $0\n}");
    let written: Vec<&str> = (block.template_map.iter())
        .map(|span| &text[span.start as usize..span.end as usize])
        .collect();
    assert_eq!(written.concat(), r"{\0Amov \5C\\ \22 \zz $0\0A}");
    assert_eq!(written[1], r"\0A");
    assert_eq!(written[6..9], [r"\5C", r"\\", " "]);
}

#[test]
fn finds_constraints_and_clobbers_in_the_file() {
    let line = r#"call i32 asm "", "=rw,{r0},,\72w,~{memory},~{a,b},~cc"(i32 1, i32 2, i32 3)"#;
    let text = in_function(line);
    let source = find_llvm(&text);
    let block = only_block(&source);
    let spans = |spans: &[core::ops::Range<usize>]| -> Vec<String> {
        spans.iter().map(|span| text[span.clone()].to_owned()).collect()
    };
    assert_eq!(spans(&block.constraint_spans), ["=rw", "{r0}", "", r"\72w"]);
    assert_eq!(spans(&block.clobber_spans), ["memory", "a,b", "cc"]);
    let constraints: Vec<&str> =
        statement(block).operands.iter().map(|operand| &operand.constraint[..]).collect();
    assert_eq!(constraints, ["=rw", "{r0}", "", "rw"]);
}

#[test]
fn reads_attributes_of_functions() {
    let source = find_llvm(
        r#"
target triple = "spir64-unknown-unknown"
define spir_kernel void @"a \22b\22"(ptr %p) #0 !dbg !3 !intel_reqd_sub_group_size !5 {
  call void asm "// a", ""()
}
define dso_local { i32, i32 } @b({ i32 } %x) local_unnamed_addr #1 personality ptr @f {
  %s = insertvalue { i32, i32 } undef, i32 1, 0
  call void asm "// b", ""()
}
define void @c() "VCFunction" !intel_reqd_sub_group_size !6 {
  call void asm "// c", ""()
}
define void @d() #2 !intel_reqd_sub_group_size !99 { call void asm "// d", ""() }
attributes #0 = { nounwind "a"="b" }
attributes #1 = { "CMGenxMain" "oclrt"="1" }
!5 = !{i32 16}
!6 = !{i32 1}
"#,
    );
    assert_eq!(source.error, None);
    let found: Vec<_> = (source.blocks.iter())
        .map(|block| (block.function.as_deref().unwrap_or_default(), block.lanes, block.path))
        .collect();
    let expected = [
        ("a \"b\"", Some(Lanes::L16), None),
        ("b", None, Some(Path::Vc)),
        ("c", None, Some(Path::Vc)),
        ("d", None, None),
    ];
    assert_eq!(found, expected);
}

#[test]
fn reads_module_assembly() {
    let text = "target triple = \"spir64\"\nmodule asm \"mov \\22\"\nmodule asm \"b\"\n\
                define void @f() {\n  ret void\n}\n";
    let source = find_llvm(text);
    let block = only_block(&source);
    assert!(block.is_file_scope);
    assert_eq!(block.function, None);
    assert_eq!(template(block), "mov \"\nb");
    assert_eq!(statement(block).form, Form::Basic);
    let span = &block.template_map[6];
    assert_eq!(&text[span.start as usize..span.end as usize], "b");
}

#[test]
fn skips_assembly_of_other_machines() {
    let x86 = in_function(r#"%r = call i32 asm "bswap $0", "=r,0,~{flags}"(i32 %x)"#);
    let source = find_llvm(&x86);
    assert!(matches!(only_block(&source).content, Content::Other(_)));
    let spir = format!("target triple = \"spir64-unknown-unknown\"\n{x86}");
    statement(only_block(&find_llvm(&spir)));
    // Names, strings and comments that contain the word.
    let none = "; asm \"rw\", \"rw\"()\n@asm = constant [2 x i8] c\"asm\"\n\
                define void @f(i32 %asm) {\nasm:\n  br label %asm\n}\n";
    assert_eq!(find_llvm(none), Source::default());
}

#[test]
fn reports_incomplete_files() {
    let whole = in_function(r#"call void asm "rw", "rw"(i32 %x)"#);
    for end in 0..whole.len() {
        let source = find(&whole.as_bytes()[..end], Language::Llvm);
        let begins_function = whole[..end].contains('{');
        assert_eq!(source.error.is_some() || end == whole.len() - 1, begins_function, "{end}");
    }
    let bitcode = find(b"BC\xc0\xde1234", Language::Llvm);
    let error = bitcode.error.expect("an error");
    assert_eq!(error.message, "LLVM bitcode is not supported");
    assert_eq!(error.help, Some("convert it to text with `llvm-dis`"));
    let open = find_llvm("define void @f() {\n  call void asm \"rw");
    let error = open.error.expect("an error");
    assert_eq!((error.offset, &error.message[..]), (35, "string is not closed"));
    let attribute = find_llvm("define void @f() \"VCFunction {\n  ret void\n}\n");
    let error = attribute.error.expect("an error");
    assert_eq!((error.offset, &error.message[..]), (17, "string is not closed"));
}

/// Checks that the spans of all blocks are within the file.
fn check_spans(bytes: &[u8]) -> Result<(), proptest::test_runner::TestCaseError> {
    for block in find(bytes, Language::Llvm).blocks {
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
            prop_assert_eq!(statement.clobbers.len(), block.clobber_spans.len());
        }
    }
    Ok(())
}

const PIECES: &[&str] = &[
    "define void @f(",
    ") #0 {\n",
    "}\n",
    "call ",
    "i32 ",
    "asm ",
    "sideeffect ",
    "\"rw $0\"",
    "\"=rw,rw,~{memory}\"",
    "(",
    ")",
    ", ",
    "{ ",
    "<4 x ",
    ">",
    "%s",
    " = type ",
    "module asm ",
    "attributes #0 = ",
    "!intel_reqd_sub_group_size ",
    "!1 ",
    "= !{i32 16}",
    "*",
    "addrspace(1)",
    "\"",
    "\\",
    ";",
    "\n",
    "42",
    "0xH",
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
        let text = in_function(&format!("call void asm \"{escaped}\", \"rw\"(i32 1)"));
        let source = find_llvm(&text);
        let block = only_block(&source);
        prop_assert_eq!(&statement(block).template, &template);
        let start = text.find('"').expect("a string") as u32 + 1;
        for (index, span) in (0..).zip(&block.template_map) {
            prop_assert_eq!(span, &(start + 3 * index..start + 3 * index + 3));
        }
    }
}

#[test]
fn values_that_differ_between_lanes_are_known() {
    let asm =
        |value: &str| format!("  call void asm sideeffect \"barrier\", \"rw.u\"(i32 {value})");
    let id = "  %id = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #4\n";
    let narrow = "  %narrow = trunc i64 %id to i32\n";
    for (lines, expected) in [
        (format!("{id}{narrow}{}", asm("%narrow")), true),
        (format!("{id}{narrow}  %sum = add nsw i32 %narrow, 4\n{}", asm("noundef %sum")), true),
        ("  %0 = call i32 @_Z22get_sub_group_local_idv()\n".to_owned() + &asm("%0"), true),
        (
            format!(
                "{id}  %p = getelementptr i32, ptr %b, i64 %id\n  %v = load i32, ptr %p\n{}",
                asm("%v")
            ),
            true,
        ),
        // Dimension 1, a group, a difference that may be 0, and a name of another function.
        (format!("{}{narrow}{}", id.replace("i32 noundef 0", "i32 1"), asm("%narrow")), false),
        (
            format!(
                "{}{narrow}{}",
                id.replace("_Z12get_local_idj", "_Z12get_group_idj"),
                asm("%narrow")
            ),
            false,
        ),
        (format!("{id}{narrow}  %d = sub i32 %narrow, %narrow\n{}", asm("%d")), false),
        (format!("{id}{narrow}  %d = mul i32 %narrow, 0\n{}", asm("%d")), false),
        (format!("{id}  ret void\n}}\ndefine void @g(i32 %id) {{\n{}", asm("%id")), false),
    ] {
        let source = find_llvm(&in_function(&lines));
        let [operand] = &statement(only_block(&source)).operands[..] else { panic!("{lines}") };
        assert_eq!(operand.is_varying, expected, "{lines}");
    }
}

/// Only uses that are certain to be absent are reported.
#[test]
fn outputs_that_nothing_uses_are_known() {
    let call = r#"call { i32, i32, float } asm "x", "=rw,=rw,=rw,rw"(i32 %x)"#;
    let extract =
        |member: u32| format!("  %m{member} = extractvalue {{ i32, i32, float }} %r, {member}\n");
    let all = || [0, 1, 2].map(extract).concat();
    let cases = [
        (format!("  %r = {call}\n{}", extract(1)), [true, false, true]),
        (format!("  %r = tail {call}\n{}{}", extract(0), extract(2)), [false, true, false]),
        (format!("  %r = {call}\n{}", all()), [false; 3]),
        (format!("  %r = {call}\n"), [true; 3]),
        (format!("  %i = add i32 %x, 1\n  {call}\n"), [true; 3]),
        // The value is used as a whole, or the value of another name is used.
        (format!("  %r = {call}\n  ret {{ i32, i32, float }} %r\n"), [false; 3]),
        (
            format!("  %r = {call}\n  %s = insertvalue {{ i32, i32, float }} %r, i32 0, 1\n"),
            [false; 3],
        ),
        (format!("  %r = {call}\n  %m = extractvalue %t %q, 1\n"), [true; 3]),
        (format!("  %r = {call}\n  %m = extractvalue %t %r, 1\n"), [true, false, true]),
    ];
    for (lines, expected) in cases {
        // The function after it has other values of the same names.
        let source = format!("{}define void @after() {{\n{}}}\n", in_function(&lines), all());
        let source = find_llvm(&source);
        let outputs = &statement(only_block(&source)).operands[..3];
        let found = outputs.iter().map(|operand| operand.is_unused).collect::<Vec<_>>();
        assert_eq!(found, expected, "{lines}");
    }
    // Uses may follow what can be read.
    for end in ["", "  %s = call i32 @f(i8* \""] {
        let source = format!("define void @k(i32 %x) {{\n  %r = {call}\n{end}");
        let source = find_llvm(&source);
        assert!(source.error.is_some(), "{end}");
        let operands = &statement(&source.blocks[0]).operands;
        assert!(operands.iter().all(|operand| !operand.is_unused), "{end}");
    }
    // The result of a single output is no structure.
    let source = find_llvm(&in_function(r#"%r = call i32 asm "x", "=rw,rw"(i32 %x)"#));
    assert!(statement(only_block(&source)).operands.iter().all(|operand| !operand.is_unused));
}
