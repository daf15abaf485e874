//! Files for several targets: macros, conditionals, and assembly for other machines.

use genvisa_inline::source::{Content, Language, Search};
use genvisa_inline::{Checker, Operand, Statement};

use super::only_block;

/// A statement of vISA and one of PTX, with a number.
fn visa(number: u32) -> String {
    format!("asm(\"mov (M1, 16) %0(0,0)<1> {number}:d\" : \"=rw\"(x));\n")
}

fn ptx(number: u32) -> String {
    format!("asm(\"mov.b32 %0, {number};\" : \"=r\"(x));\n")
}

/// Returns the numbers of the statements that a search finds in a function with these lines.
fn numbers(search: &Search, lines: &str) -> Vec<u32> {
    let source = format!("void f(int x) {{\n{lines}}}\n");
    let found = search.find(source.as_bytes());
    assert_eq!(found.error, None);
    let number = |text: &str| text.chars().rfind(char::is_ascii_digit).and_then(|c| c.to_digit(10));
    let text = |span: &std::ops::Range<usize>| {
        let statement = &source[span.clone()];
        statement[..statement.find(" :").expect("a colon")].trim_end_matches(":d\"").to_owned()
    };
    found.blocks.iter().map(|block| number(&text(&block.span)).expect("a number")).collect()
}

#[test]
fn macros_choose_branches() {
    let search = || Search::new(Language::C);
    let lines = |condition: &str| format!("#{condition}\n{}#else\n{}#endif\n", visa(1), visa(2));
    // (condition, the branches with `-D A -D N=3 -U B`)
    let cases: [(&str, &[u32]); 24] = [
        ("ifdef A", &[1]),
        ("ifndef A", &[2]),
        ("if defined(A) && !defined B", &[1]),
        ("if defined(B) || defined(A)", &[1]),
        ("ifdef B", &[2]),
        ("if B", &[2]),
        ("if A", &[1]),
        ("if N", &[1]),
        ("if N == 3 && (N + 1) * 2 > 7", &[1]),
        ("if N - 0x3 != 0", &[2]),
        ("if N >= 4 || N < 03", &[2]),
        ("if !(N <= 3)", &[2]),
        ("if N == 3u", &[1]),
        ("if -N < ~N + 1", &[2]),
        // Nothing is known of these.
        ("ifdef UNKNOWN", &[1, 2]),
        ("if UNKNOWN > 2", &[1, 2]),
        ("if defined(UNKNOWN) && defined(A)", &[1, 2]),
        ("if defined(UNKNOWN) && defined(B)", &[2]),
        ("if defined(UNKNOWN) || defined(A)", &[1]),
        ("if __has_include(<a.h>)", &[1, 2]),
        ("if N ? 1 : 0", &[1, 2]),
        ("if N(1)", &[1, 2]),
        ("if", &[1, 2]),
        ("if (((((((((((((((((((((1)))))))))))))))))))))", &[1, 2]),
    ];
    for (condition, expected) in cases {
        let lines = lines(condition);
        assert_eq!(numbers(&search(), &lines), [1, 2], "{condition}");
        let chosen = search().define("A", "").define("N", "3").undefine("B");
        // The body of `A` is empty.
        let chosen = if condition == "if A" { chosen.define("A", "1") } else { chosen };
        assert_eq!(numbers(&chosen, &lines), expected, "{condition}");
    }
}

#[test]
fn definitions_of_the_file_count_where_they_are_certain() {
    let search = Search::new(Language::C).define("INTEL", "1");
    let derived = |use_of: &str| {
        format!(
            "#if defined(INTEL)\n#define ENABLED\n#define LEVEL 2\n#elif defined(OTHER)\n{}#endif\n\
             #ifdef UNKNOWN\n#define MAYBE\n#endif\n{use_of}",
            visa(9)
        )
    };
    let lines =
        |condition: &str| derived(&format!("#{condition}\n{}#else\n{}#endif\n", visa(1), visa(2)));
    assert_eq!(numbers(&search, &lines("ifdef ENABLED")), [1]);
    assert_eq!(numbers(&search, &lines("if LEVEL > 2")), [2]);
    assert_eq!(numbers(&search, &lines("ifdef MAYBE")), [1, 2]);
    assert_eq!(numbers(&search, &lines("undef ENABLED\n#ifdef ENABLED")), [2]);
    let chain = format!(
        "#if defined(NVIDIA)\n{}#elif defined(INTEL)\n{}#elif defined(INTEL)\n{}#else\n{}#endif\n",
        ptx(1),
        visa(2),
        visa(3),
        visa(4)
    );
    assert_eq!(numbers(&search, &chain), [1, 2]);
    let excluded = search.clone().undefine("NVIDIA");
    assert_eq!(numbers(&excluded, &chain), [2]);
    let nested =
        format!("#ifndef INTEL\n#ifdef A\n{}#else\n{}#endif\n#endif\n{}", ptx(1), ptx(2), visa(3));
    assert_eq!(numbers(&search, &nested), [3]);
}

#[test]
fn places_do_not_depend_on_macros() {
    let source =
        "\u{feff}# 7 \"a.cl\"\nvoid f(float x) {\n  asm(\"mvo (M1, 16)\" OP : \"=rw\"(x));\n}\n";
    let search = Search::new(Language::C).define("OP", "\" %0\"").define("LONG(x)", "x");
    let found = search.find(source.as_bytes());
    let block = only_block(&found);
    assert_eq!(&source[block.constraint_spans[0].clone()], "=rw");
    let map = &block.template_map;
    assert_eq!(&source[map[0].start as usize..map[2].end as usize], "mvo");
    assert_eq!(&source[block.span.clone()], "asm(\"mvo (M1, 16)\" OP : \"=rw\"(x))");
    assert_eq!((found.markers[0].line, &source[found.markers[0].offset..][..4]), (7, "void"));
    // A name with a line end is one directive.
    let search = Search::new(Language::C).define("A", "1\n#error").undefine("B\nint x;");
    assert_eq!(search.find(source.as_bytes()).blocks.len(), 1);
}

/// Declarations and macros of a header are known, and its own statements are not reported.
#[test]
fn includes_headers() {
    let header = b"// genvisa: lanes=16
        #define MOVE(x) asm(\"mvo (M1, 16) %0(0,0)<1> 1:d\" : \"=rw\"(x))
        namespace ns { struct P { float x; }; template <class T> using Box = T; }
        void other(int y) { asm(\"mvo\" : \"=rw\"(y)); }
        const char *program = \"asm(\\\"mvo (M1\\\");\";";
    let source =
        "void f(ns::P p, ns::Box<int> b) { MOVE(b); asm(\"barrier\" :: \"rw\"(p.x), \"rw\"(b)); }";
    let found = Search::new(Language::C).include(header).find(source.as_bytes());
    assert_eq!((found.error, found.hint_errors), (None, vec![]));
    let [of_macro, own] = &found.blocks[..] else { panic!("{:?}", found.blocks) };
    // What the macro contains is at its use.
    assert_eq!(&source[of_macro.span.clone()], "MOVE(b)");
    assert_eq!(of_macro.expansion, None);
    let text = |span: &std::ops::Range<u32>| &source[span.start as usize..span.end as usize];
    assert!(of_macro.template_map.iter().all(|span| text(span) == "MOVE(b)"));
    assert_eq!(&source[of_macro.constraint_spans[0].clone()], "MOVE(b)");
    let Content::Visa(statement) = &own.content else { panic!("{:?}", own.content) };
    let types: Vec<_> =
        statement.operands.iter().map(|it| it.ty.expect("a type").to_string()).collect();
    assert_eq!(types, ["float", "i32"]);
}

#[test]
fn requires_visa() {
    let search = || Search::new(Language::C).require_visa();
    let rules = |search: &Search, source: &str| -> Vec<&'static str> {
        let found = search.find(source.as_bytes());
        let reports = found.blocks.iter().filter_map(|block| block.check(&Checker::new()));
        reports.flat_map(|report| report.findings).map(|finding| finding.rule).collect()
    };
    let function = format!("void f(int x) {{ {} }}", ptx(1));
    assert_eq!(rules(&Search::new(Language::C), &function), [""; 0]);
    assert_eq!(rules(&search(), &function), ["foreign-assembly"]);
    // The branches of other targets are not compiled.
    let both = format!(
        "void f(int x) {{\n#if defined(__NVPTX__)\n{}#elif defined(__SYCL_DEVICE_ONLY__)\n{}#else\n{}#endif\n}}",
        ptx(1),
        visa(2),
        ptx(3)
    );
    assert_eq!(rules(&search(), &both), [""; 0]);
    assert_eq!(rules(&search().define("__NVPTX__", "1"), &both), ["foreign-assembly"]);
    // The names of functions.
    assert_eq!(rules(&search(), "int f(void) asm(\"_f\");"), [""; 0]);
}

#[test]
fn attributes_of_kernels_require_visa() {
    let content = |head: &str, lines: &str| {
        let source = format!("{head} {{\n{lines}}}\n");
        let found = Search::new(Language::C).find(source.as_bytes());
        matches!(only_block(&found).content, Content::Visa(_))
    };
    let cases = [
        ("__attribute__((intel_reqd_sub_group_size(32))) kernel void k(int x)", true),
        ("[[sycl::reqd_sub_group_size(16)]] void k(int x)", true),
        ("[[sycl::reqd_sub_group_size(8)]] void k(int x)", true),
        // Other GPUs have 32 lanes, too.
        ("[[sycl::reqd_sub_group_size(32)]] void k(int x)", false),
        ("kernel void k(int x)", false),
    ];
    for (head, expected) in cases {
        assert_eq!(content(head, &ptx(1)), expected, "{head}");
        // A branch may be for another target.
        let branch = format!("#ifdef A\n{}#endif\n", ptx(1));
        assert!(!content(head, &branch), "{head}");
    }
}

#[test]
fn shows_the_form_of_visa() {
    let help = |template: &str, inputs: usize| {
        let mut operands = vec![Operand::output("=r")];
        operands.extend((0..inputs).map(|_| Operand::input("r")));
        let report = Checker::new().check(&Statement::gnu(template, operands));
        let [finding] = &report.findings[..] else { panic!("{:?}", report.findings) };
        (finding.message.clone(), finding.help.clone().unwrap_or_default())
    };
    let ptx = "this is PTX, not vISA";
    assert_eq!(
        help("{ add.s32 %0, %1, %2; }", 2),
        (
            ptx.into(),
            "vISA is written `add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0>`, \
             for operands with constraints `=rw`, `rw`, `rw`"
                .into()
        )
    );
    let a_move = "vISA is written `mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>`, \
                  for operands with constraints `=rw`, `rw`";
    assert_eq!(help("@p cvt.rn.f32.s32 %0, %1;", 1), (ptx.into(), a_move.into()));
    assert_eq!(help(".reg .b32 t;\nmov.u32 %0, %clock;", 0), (ptx.into(), a_move.into()));
    let gcn = "this is AMD GCN assembly, not vISA";
    assert_eq!(help("v_mov_b32 %0, %1", 1), (gcn.into(), a_move.into()));
}

/// No text of vISA looks like assembly for another machine.
#[test]
fn recognizes_visa() {
    let texts = [
        "dpas.u8.s8.8.8 (M1, 16) %0.0 %0.0 %1.0 %2(0,0)",
        "lsc_load.ugm.d32 (M1, 16) %0:d32 flat[%1]:a64",
        "barrier",
        "lifetime.start %0",
        "fence_global.E.SLM",
        "{\n.decl s_tmp v_type=G type=d num_elts=16\nmov (M1, 16) s_tmp(0,0)<1> 1:d\n}",
        "// mov.u32 %0, 1;\nmov (M1, 16) %0(0,0)<1> 1:d",
    ];
    for text in texts {
        let statement = Statement::gnu(text, [Operand::output("=rw")]);
        let report = Checker::new().check(&statement);
        assert!(report.findings.iter().all(|it| it.rule != "foreign-assembly"), "{text}");
    }
}
