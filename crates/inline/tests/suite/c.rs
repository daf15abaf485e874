//! Inline assembly in C, C++, OpenCL C and SYCL.

mod hints;
mod macros;
mod nested;
mod places;
mod types;
mod uniformity;

use genvisa::text::line_and_column;
use genvisa_inline::Form;
use genvisa_inline::source::{Block, Content, Language, Source, find};
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any};
use proptest::sample::{Index, select};
use proptest::{prop_assert_eq, proptest};

use super::{only_block, statement, template};

fn find_c(source: &str) -> Source {
    find(source.as_bytes(), Language::C)
}

/// Returns the line and column of the first byte of a part of a template.
fn place(source: &str, block: &Block, part: &str) -> (usize, usize) {
    let start = template(block).find(part).unwrap_or_else(|| panic!("no {part}"));
    line_and_column(source.as_bytes(), block.template_map[start].start as usize)
}

/// Returns the texts of the file that the bytes of a part of a template are written as.
fn written<'s>(source: &'s str, block: &Block, part: &str) -> Vec<&'s str> {
    let start = template(block).find(part).unwrap_or_else(|| panic!("no {part}"));
    let map = &block.template_map[start..start + part.len()];
    map.iter().map(|range| &source[range.start as usize..range.end as usize]).collect()
}

fn unreadable(block: &Block) -> &str {
    match &block.content {
        Content::Unreadable(reason) => reason,
        content => panic!("{content:?}"),
    }
}

#[test]
fn finds_all_forms_of_statements() {
    let statements = [
        r#"asm("rw" : "=rw"(x) : "rw"(y))"#,
        r#"__asm__ volatile ("rw" : "=rw"(x) : "rw"(y) : )"#,
        r#"__asm __volatile__("rw" : "=rw"(x) : "rw"(y) : "memory", "cc")"#,
        r#"asm volatile inline("rw" : "=rw" (x) : "rw" ( y ) :)"#,
        r#"asm goto("rw" : "=rw"(x) : "rw"(y) : : label)"#,
        "asm // a comment :\n(\"r\" /* :: */ \"w\"\n: \"=rw\"(x)\n: \"rw\"(y))",
        r#"asm(u8"r" R"(w)" : "=rw"(x) : "r" "w"(y))"#,
        r#"asm("rw" : [a] "=rw"(std::get<0>(x)) : [b] "rw"(f(y, 1) ? a : b))"#,
        "as\\\nm(\"rw\" : \"=r\\\r\nw\"(x) : \"rw\"(y))",
    ];
    for text in statements {
        let source = format!("void f(int x, int y) {{ if (x) {text}; }}");
        let found = find_c(&source);
        let block = only_block(&found);
        let statement = statement(block);
        assert_eq!(template(block), "rw", "{text}");
        assert_eq!(statement.form, Form::Gnu);
        assert_eq!(&source[block.span.clone()], text);
        assert_eq!(block.function.as_deref(), Some("f"));
        assert!(!block.is_file_scope);
        let constraints: Vec<&str> =
            statement.operands.iter().map(|operand| &*operand.constraint).collect();
        assert_eq!(constraints, ["=rw", "rw"], "{text}");
        assert_eq!(
            statement.operands.iter().map(|o| o.is_output).collect::<Vec<_>>(),
            [true, false]
        );
        assert_eq!(block.expansion, None);
    }
}

#[test]
fn reads_lists_of_operands() {
    let cases: [(&str, &[&str], &[&str]); 7] = [
        (r#"asm("(M1");"#, &[], &[]),
        (r#"asm("(M1" :);"#, &[], &[]),
        (r#"asm("(M1" :: "rw"(a), "P"(3));"#, &["rw", "P"], &[]),
        (r#"asm("(M1" : : "rw"(a) : "memory");"#, &["rw"], &["memory"]),
        (r#"asm("(M1" ::: "memory");"#, &[], &["memory"]),
        (r#"asm("(M1" : "+rw"(a), "=rw"(b));"#, &["+rw", "=rw"], &[]),
        (r#"asm("(M1" : "=rw"(a) :: "cc", "memory" :);"#, &["=rw"], &["cc", "memory"]),
    ];
    for (text, constraints, clobbers) in cases {
        let found = find_c(text);
        let block = only_block(&found);
        let statement = statement(block);
        let operands: Vec<&str> = statement.operands.iter().map(|o| &*o.constraint).collect();
        assert_eq!(operands, constraints, "{text}");
        assert_eq!(statement.clobbers, clobbers, "{text}");
        let form = if text.contains(':') { Form::Gnu } else { Form::Basic };
        assert_eq!(statement.form, form, "{text}");
        for (constraint, span) in constraints.iter().zip(&block.constraint_spans) {
            assert_eq!(&&text[span.clone()], constraint);
        }
        for (clobber, span) in clobbers.iter().zip(&block.clobber_spans) {
            assert_eq!(&&text[span.clone()], clobber);
        }
    }
}

#[test]
fn recognizes_assembly_of_other_machines() {
    let source = "void f() {
        asm(\"cpuid\" : \"=a\"(x) : \"a\"(1));
        __asm { mov eax, 1 }
        __asm mov eax, ebx
        asm volatile(\"mov.u32 %0, %laneid;\" : \"=r\"(x));
        asm(\"nop\" :: NOT_DEFINED);
    }";
    let found = find_c(source);
    let others =
        found.blocks.iter().filter(|block| matches!(block.content, Content::Other(_))).count();
    assert_eq!((others, found.blocks.len()), (5, 5));
    let texts: Vec<&str> = found.blocks.iter().map(|block| &source[block.span.clone()]).collect();
    assert_eq!(texts[1], "__asm { mov eax, 1 }");
    assert_eq!(texts[2], "__asm mov eax, ebx");
}

#[test]
fn skips_labels_of_declarations_and_other_uses_of_the_word() {
    let source = "int f() asm(\"name\"); int x __asm__(\"_\" PREFIX \"x\");
        void g(int) const asm(\"g\"); register int r asm(\"eax\");
        // asm(\"(M1\")
        /* asm(\"(M1\") */ char *s = \"asm\"; int c = 'a', asm_ = my.asm, y = p->asm, z = a > b;
        void h() { if (z > asm_) p -> asm(\"(M1\"); }";
    assert_eq!(find_c(source).blocks, []);
}

#[test]
fn finds_the_function_of_a_statement() {
    let source = r#"
        asm(".decl @0");
        namespace n { extern "C" { asm(".decl @1"); } }
        __kernel void k(global int *p) { if (p) { asm(".decl @2"); } }
        template <typename T, int N = 3> struct S : B<T> {
            void method(T x) const noexcept { asm(".decl @3"); }
            bool operator()(int x) { asm(".decl @4"); }
            static int g() { auto f = [=](int x) mutable { asm(".decl @5"); }; }
        };
        void S<int>::out(int x) try { for (;;) FOR(x) { asm(".decl @6"); } }
        int a[] = { 1, 2 };
        __attribute__((noinline)) [[nodiscard]] void last() { asm(".decl @7"); }
    "#;
    let found = find_c(source);
    let functions: Vec<(Option<&str>, bool)> =
        found.blocks.iter().map(|block| (block.function.as_deref(), block.is_file_scope)).collect();
    let expected = [
        (None, true),
        (None, true),
        (Some("k"), false),
        (Some("method"), false),
        (Some("operator()"), false),
        (Some("g"), false),
        (Some("out"), false),
        (Some("last"), false),
    ];
    assert_eq!(functions, expected);
}

#[test]
fn reads_attributes_of_functions() {
    let cases = [
        ("__attribute__((intel_reqd_sub_group_size(16))) kernel void f()", Some(16)),
        ("kernel __attribute__((intel_reqd_sub_group_size(8))) void f()", Some(8)),
        (
            "#define SG(n) __attribute__((intel_reqd_sub_group_size(n)))\nSG(32) kernel void f()",
            Some(32),
        ),
        (
            "#define N 16\nvoid f() { h.parallel_for(r, [=](sycl::nd_item<1> i) [[sycl::reqd_sub_group_size(16)]]",
            Some(16),
        ),
        ("__attribute__((intel_reqd_sub_group_size(SIZE))) kernel void f()", None),
        (
            "__attribute__((intel_reqd_sub_group_size(16), intel_reqd_sub_group_size(8))) void f()",
            None,
        ),
        ("kernel void f()", None),
    ];
    for (head, lanes) in cases {
        let found = find_c(&format!("{head} {{ asm(\".decl\"); }}"));
        let block = only_block(&found);
        assert_eq!(block.lanes.map(|lanes| lanes.count()), lanes, "{head}");
        assert_eq!(block.function.as_deref(), Some("f"), "{head}");
        assert_eq!(block.path, None);
    }
    let found = find_c("SYCL_ESIMD_FUNCTION void f() { asm(\".decl\"); }");
    assert_eq!(only_block(&found).path, Some(genvisa_inline::Path::Vc));
}

#[test]
fn reads_each_branch_of_a_conditional() {
    let source = "asm(\"(M1 a \"
#ifdef PVC
    \"pvc\"
#elif BMG
    \"bmg\"
#endif
    \" z\" : \"=rw\"(x));";
    let templates = |source: &str| -> Vec<String> {
        find_c(source).blocks.iter().map(|block| template(block).to_owned()).collect()
    };
    assert_eq!(templates(source), ["(M1 a pvc z", "(M1 a bmg z", "(M1 a  z"]);
    // The same question has the same answer.
    let source = "asm(\"(M1 a\"
#if defined(X)
    \"b\"
#else
    \"c\"
#endif
#ifndef X
    \"d\"
#endif
    );";
    assert_eq!(templates(source), ["(M1 ab", "(M1 acd"]);
    // The branches contain the start or the end of the statement.
    let source = "#if X
asm(\"(M1 a\"
#else
asm volatile(\"(M1 b\"
#endif
  : \"=rw\"(x)
#if Y
  : \"rw\"(x));
#else
  );
#endif
asm(\"(M1 c\");";
    assert_eq!(templates(source), ["(M1 a", "(M1 a", "(M1 b", "(M1 b", "(M1 c"]);
    // Code after `#if 0` does not exist.
    let source = "#if 0\nasm(\"(M1 a\");\n#else\nasm(\"(M1 b\"\n#if 1\n\"c\"\n#else\n\"d\"\n#endif\n);\n#endif";
    assert_eq!(templates(source), ["(M1 bc"]);
}

#[test]
fn reports_too_many_variants() {
    let mut source = "asm(\"(M1\"\n".to_owned();
    for index in 0..4 {
        source += &format!("#if A{index}\n\"x\"\n#endif\n");
    }
    let found = find_c(&(source + ");"));
    assert_eq!(found.blocks.len(), 9);
    assert_eq!(unreadable(&found.blocks[8]), "it has too many variants; preprocess the file first");
}

#[test]
fn reads_line_markers() {
    let source =
        "# 12 \"kernel \\\"a\\\".cl\" 2\nint x;\n#line 3\n  #  line 4 \"b\"\r\n#pragma x\n";
    let found = find_c(source);
    let markers: Vec<(usize, usize, Option<&str>)> =
        found.markers.iter().map(|m| (m.offset, m.line, m.file.as_deref())).collect();
    let second = source.find("  #").expect("a marker");
    let third = source.find("#pragma").expect("a pragma");
    let expected = [(25, 12, Some("kernel \"a\".cl")), (second, 3, None), (third, 4, Some("b"))];
    assert_eq!(markers, expected);
}

/// Sources with most constructs.
const SOURCES: [&str; 3] = [
    include_str!("../../../../tests/data/inline/mistakes.cl"),
    macros::HEADER,
    "#define S(x) #x\n#define C(a, b) a ## b\n#if A\n#define M(x, ...) asm(\"(M1\" S(x) __VA_ARGS__ \
     : \"=rw\"(v.s3) : \"P\"(C(1, 2) + 3));\n#else\n#define M(x, ...) asm(R\"q(.decl)q\" : \"=rw\"(x))\
     \n#endif\nkernel void f(global float8 *v) { M(\"\\x41\\u00e9\\\n\", \"b\") // genvisa: %0=int\n}\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in vec(any::<u8>(), 0..200)) {
        find(&bytes, Language::C);
    }

    #[test]
    fn arbitrary_tokens_do_not_panic(words in vec(select(vec![
        "asm", "(", ")", "\"rw\"", "\"(M1\"", ":", ",", "\n#define M(x) ", "\n#define N ", "M", "N", "x", "#", "##",
        "{", "}", "[", "]", ";", "\n", "\n#if 0\n", "\n#if A\n", "\n#else\n", "\n#endif\n", "R\"a(", ")a\"", "\\\n",
        "int", "*", "<", ">", "=", "enum", "typedef", "using", "operator", "template", "__attribute__((", "))",
        "sizeof", "-", "1", "'c'", "__VA_ARGS__", "/*", "*/", "//", "genvisa: %0=int", "reqd_sub_group_size(",
        "static_cast<", "&", "->", ".", "s0", "__asm", "struct", "\"", "'", "vector_size", "const", "float4",
    ]), 0..60)) {
        let source = words.join(" ");
        let found = find(source.as_bytes(), Language::C);
        for block in &found.blocks {
            if let Content::Visa(statement) = &block.content {
                prop_assert_eq!(statement.template.len(), block.template_map.len());
                prop_assert_eq!(statement.operands.len(), block.constraint_spans.len());
                prop_assert_eq!(statement.clobbers.len(), block.clobber_spans.len());
                for range in &block.template_map {
                    prop_assert_eq!(source.as_bytes().get(range.start as usize..range.end as usize).is_some(), true);
                }
            }
        }
    }

    #[test]
    fn mutated_sources_do_not_panic(
        source in select(SOURCES.to_vec()),
        edits in vec((any::<Index>(), any::<Index>(), select(b"()\"\\#,:{}\n/*'; ".to_vec())), 1..8),
    ) {
        let mut bytes = source.as_bytes().to_vec();
        for (from, to, byte) in edits {
            let (from, to) = (from.index(bytes.len()), to.index(bytes.len()));
            match byte {
                b' ' => drop(bytes.drain(from.min(to)..from.max(to).min(from.min(to) + 20))),
                b';' => bytes.swap(from, to),
                _ => bytes[from] = byte,
            }
            if bytes.is_empty() {
                break;
            }
        }
        find(&bytes, Language::C);
    }
}
