//! Macros with literals, parts of statements and whole statements.

use super::*;

/// A header with macros.
pub const HEADER: &str = r#"// Loads and products.
#pragma once
#ifndef TILE_H
#define TILE_H
#include <cstdint>

#define NL "\n"
#define MASK "(M1, 16)"
#define REGION "(0,0)<1;1,0>"
#define OUT(n) "%" #n "(0,0)<1>"
#define IN(n) "%" #n \
    REGION

#define BINARY(NAME, OP, TYPE) \
  inline TYPE NAME(TYPE a, TYPE b) { \
    TYPE d; \
    __asm__ volatile( \
        #OP " " MASK " " OUT(0) " " \
        IN(1) " " IN(2) " /*@1*/" NL \
        : "=rw"(d) \
        : "rw"(a), "rw"(b)); \
    return d; \
  }

BINARY(add_float, add, float)
BINARY(mul_int, mul, int)
BINARY(max_long,
       max,
       int64_t)

#define STR_(x) #x
#define STR(x) STR_(x)
#define ROWS 8
#define DPAS(D, A, B) \
  asm("{\n" \
      ".decl ACC v_type=G type=" #D " num_elts=128 alias=<%0,0>\n" \
      "dpas." #B "." #A ".8." STR(ROWS) " (M1, 16) ACC.0 ACC.0 /*@2*/\n" \
      "}\n" : "+rw"(d) : "rw"(a), "P"(ROWS * 4))

#ifdef DEVICE
#define DEVICE_FENCE() asm volatile("lsc_fence.ugm.none.group (M1, 1) /*@3*/" ::: "memory")
#else
#define DEVICE_FENCE() do {} while (0)
#endif

inline void product(float8 &d, int8 a) {
  DPAS(f, bf, hf);
  DEVICE_FENCE();
}

#define SEND(desc) \
  __asm__("raw_send.0.1.1 (M1, 16) 0x0:ud " desc " %0.0 %1.0" : "=rw"(d) : "rw"(x))
#define SWAP \
  asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> /*@4*/" : "=rw"(d) : "rw"(x))
#define COUNT(x) \
  asm("mov (M1, 16) %0(0,0)<1> %1 /*@5*/" : "=rw"(x) : "i"(ROWS))

#endif
"#;

#[test]
fn expands_the_macros_of_a_header() {
    let found = find_c(HEADER);
    let blocks = &found.blocks;
    let functions: Vec<Option<&str>> =
        blocks.iter().map(|block| block.function.as_deref()).collect();
    let expected = [
        Some("add_float"),
        Some("mul_int"),
        Some("max_long"),
        Some("product"),
        Some("product"),
        None,
        None,
        None,
    ];
    assert_eq!(functions, expected);
    let text = "add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0> /*@1*/\n";
    for (block, op) in blocks.iter().zip(["add", "mul", "max"]) {
        assert_eq!(template(block), text.replacen("add", op, 1));
        // The literal is in the definition, its argument in the use.
        assert_eq!(place(HEADER, block, "@1"), (19, 29));
        assert_eq!(written(HEADER, block, op).concat(), op);
        assert_eq!(place(HEADER, block, "(M1"), (8, 15));
        assert_eq!(place(HEADER, block, "\n"), (7, 13));
        assert_eq!(&HEADER[block.span.clone()][..16], "__asm__ volatile");
        let last = &HEADER[..block.span.end];
        assert!(last.ends_with("\"rw\"(b))"));
        assert_eq!(&HEADER[block.constraint_spans[0].clone()], "=rw");
    }
    let uses: Vec<&str> = blocks[..5]
        .iter()
        .map(|block| &HEADER[block.expansion.clone().expect("an expansion")])
        .collect();
    let third = "BINARY(max_long,\n       max,\n       int64_t)";
    let expected = [
        "BINARY(add_float, add, float)",
        "BINARY(mul_int, mul, int)",
        third,
        "DPAS(f, bf, hf)",
        "DEVICE_FENCE()",
    ];
    assert_eq!(uses, expected);
    assert_eq!(place(HEADER, &blocks[0], "add"), (25, 19));
    assert_eq!(place(HEADER, &blocks[2], "max"), (28, 8));
    let types: Vec<Option<String>> = blocks[..3]
        .iter()
        .map(|block| statement(block).operands[1].ty.map(|ty| ty.to_string()))
        .collect();
    assert_eq!(types, [Some("float".into()), Some("i32".into()), Some("i64".into())]);

    let dpas = &blocks[3];
    assert!(template(dpas).contains("\ndpas.hf.bf.8.8 (M1, 16)"), "{}", template(dpas));
    assert_eq!(place(HEADER, dpas, "@2"), (37, 66));
    assert_eq!(place(HEADER, dpas, "f num"), (47, 8));
    assert_eq!(written(HEADER, dpas, "hf.bf.8.8"), ["h", "f", ".", "b", "f", ".", "8", ".", "8"]);
    assert_eq!(place(HEADER, dpas, "8 (M1"), (33, 14));
    let operands = &statement(dpas).operands;
    let types: Vec<String> = operands.iter().map(|o| o.ty.expect("known").to_string()).collect();
    assert_eq!(types, ["<8 x float>", "<8 x i32>", "i32"]);
    assert_eq!(operands[2].value, Some(32));
    assert_eq!(place(HEADER, &blocks[4], "@3"), (41, 73));

    assert_eq!(statement(&blocks[5]).holes.len(), 1);
    assert_eq!(place(HEADER, &blocks[6], "@4"), (54, 49));
    assert_eq!(place(HEADER, &blocks[7], "@5"), (56, 37));
    assert_eq!(statement(&blocks[7]).operands[1].value, Some(8));
    assert!(blocks[5..].iter().all(|block| block.expansion.is_none() && !block.is_file_scope));
}

#[test]
fn maps_literals_of_macros_in_a_statement() {
    let source = "#define A \"@1\"\n#define B A \"x\"\nasm(\"(M1\" B \"@2\" : \"=rw\"(x));";
    let found = find_c(source);
    let block = only_block(&found);
    assert_eq!(template(block), "(M1@1x@2");
    assert_eq!(place(source, block, "@1"), (1, 12));
    assert_eq!(place(source, block, "x"), (2, 14));
    assert_eq!(place(source, block, "@2"), (3, 14));
    assert_eq!(&source[block.expansion.clone().expect("an expansion")], "B");
    assert!(source[block.span.clone()].starts_with("asm("));
}

#[test]
fn completes_statements_that_macros_begin() {
    let source = "#define ASM asm volatile\n#define BEGIN ASM(\"(M1 @1\"\n#define END : \"=rw\"(x))\n\
                  void f(int x) { ASM(\"(M1 @0\"); BEGIN \"@2\" END; }";
    let found = find_c(source);
    let [first, second] = &found.blocks[..] else { panic!("{:?}", found.blocks) };
    assert_eq!(template(first), "(M1 @0");
    assert_eq!(&source[first.span.clone()], "ASM(\"(M1 @0\")");
    assert_eq!(template(second), "(M1 @1@2");
    assert_eq!(&source[second.span.clone()], "BEGIN \"@2\" END");
    assert_eq!(place(source, second, "@1"), (2, 24));
    assert_eq!(place(source, second, "@2"), (4, 39));
}

/// Each case is the definitions, the part of the template and the value of that part.
const EXPANSIONS: [(&str, &str, &str); 15] = [
    ("#define S(x) #x", "S( a  +\tb/**/c )", "a + b c"),
    ("#define S(x) #x", r#"S("a\n" 'b' \n)"#, "\"a\\n\" 'b' \n"),
    ("#define S(x) #x\n#define T(x) S(x)\n#define N 4", "S(N) T(N) T( N N )", "N44 4"),
    ("#define C(a, b) a ## b\n#define AB \"c\"", "C(A, B) C(, AB) C(A,B)", "ccc"),
    ("#define L(s) u8 ## s", "L(\"a\")", "a"),
    ("#define V(...) #__VA_ARGS__", "V(a, b ,c) V()", "a, b ,c"),
    (
        "#define V(a, ...) a, ## __VA_ARGS__\n#define S(...) #__VA_ARGS__\n#define T(...) S(__VA_ARGS__)",
        "T(V(1)) T(V(1, 2))",
        "11, 2",
    ),
    ("#define G(a, rest...) #rest", "G(1, 2, 3)", "2, 3"),
    ("#define F(x) x \"f\"", "F(F(\"a\"))", "aff"),
    ("#define X \"1\" Y\n#define Y \"2\"", "X Y", "122"),
    ("#define E\n#define F() \"f\"", "E F() E F ( )", "ff"),
    ("#define A \"1\"\n#undef A\n#define A \"2\"", "A", "2"),
    ("#if X\n#define A \"1\"\n#else\n#define A \"1\"\n#endif", "A", "1"),
    ("#ifndef A\n#define A \"1\"\n#endif", "A", "1"),
    ("#define A \\\n  \"1\" /* c\n */ \"2\" // d", "A", "12"),
];

#[test]
fn expands_macros_as_the_c_standard_does() {
    for (definitions, part, value) in &EXPANSIONS {
        let source = format!("{definitions}\nasm(\"(M1\" {part} : \"=rw\"(x));");
        let found = find_c(&source);
        assert_eq!(template(only_block(&found)), format!("(M1{value}"), "{definitions}\n{part}");
    }
}

#[test]
fn maps_stringized_arguments_to_the_use() {
    let source = "#define S(x) #x\n#define T(x) S(x)\n#define N 4\nasm(\"(M1\" S( a  + \"@1\\n\" ) T(N @2) :);";
    let found = find_c(source);
    let block = only_block(&found);
    assert_eq!(template(block), "(M1a + \"@1\\n\"4 @2");
    assert_eq!(place(source, block, "a +"), (4, 14));
    assert_eq!(written(source, block, " + "), ["  ", "+", " "]);
    assert_eq!(place(source, block, "@1"), (4, 20));
    assert_eq!(place(source, block, "4"), (3, 11));
    assert_eq!(place(source, block, "@2"), (4, 32));
}

#[test]
fn reports_unknown_templates() {
    let cases = [
        (
            "",
            "asm(\"(M1\" OP \"x\" : \"=rw\"(x));",
            "macro `OP` is not defined in this file; preprocess the file first",
        ),
        (
            "",
            "asm(\"(M1\" STR(a) : \"=rw\"(x));",
            "macro `STR` is not defined in this file; preprocess the file first",
        ),
        (
            "",
            "asm(OP : RW(x) : \"rw\"(x));",
            "macro `OP` is not defined in this file; preprocess the file first",
        ),
        (
            "#define A OP",
            "asm(A : \"=rw\"(x));",
            "macro `OP` is not defined in this file; preprocess the file first",
        ),
        (
            "#define OP \"x\"\n#undef OP",
            "asm(OP : \"=rw\"(x));",
            "macro `OP` is not defined in this file; preprocess the file first",
        ),
        (
            "",
            "asm(\"(M1\" 4 : \"=rw\"(x));",
            "`4` is not a string literal; if the template is built at run time, check the final string \
             with `genvisa_inline::Checker::check` or, in Python, `genvisa.check_template`",
        ),
        (
            "#define V(...) __VA_OPT__(\"a\")",
            "asm(V(1) : \"=rw\"(x));",
            "macro `V` uses `__VA_OPT__`; preprocess the file first",
        ),
        (
            "#define F(a, b) a",
            "asm(F(\"a\") : \"=rw\"(x));",
            "the arguments of macro `F` do not match its parameters",
        ),
        (
            "#define M(a, b) asm(a \"(M1\" b)",
            "M(\"x\");",
            "the arguments of macro `M` do not match its parameters",
        ),
        (
            "#define M(a) asm(\"(M1\" OTHER #a)",
            "M(x);",
            "macro `OTHER` is not defined in this file; preprocess the file first",
        ),
        (
            "#define M(a) asm(\"(M1\" : a(x) : \"rw\"(y))",
            "",
            "it depends on the arguments of macro `M`",
        ),
    ];
    for (definitions, text, reason) in cases {
        let found = find_c(&format!("{definitions}\n{text}\n"));
        let block = only_block(&found);
        assert_eq!(unreadable(block), reason, "{definitions} {text}");
        assert!(block.template_map.is_empty());
    }
}

#[test]
fn reads_each_definition_of_a_macro_with_a_statement() {
    let source = "#if A\n#define M() asm(\"(M1 a\")\n#elif B\n#define M() asm(\"(M1 b\")\n#else\n\
                  #define M()\n#endif\nvoid f() { M(); }\n#undef M\nvoid g() { M(); }";
    let found = find_c(source);
    let templates: Vec<&str> = found.blocks.iter().map(template).collect();
    assert_eq!(templates, ["(M1 a", "(M1 b"]);
    assert!(found.blocks.iter().all(|block| block.function.as_deref() == Some("f")));
    // A use in a branch has the definition of the branch.
    let source = "#if A\n#define M() asm(\"(M1 a\")\nM();\n#else\n#define M() asm(\"(M1 b\")\nM();\n#endif\n";
    let found = find_c(source);
    let templates: Vec<&str> = found.blocks.iter().map(template).collect();
    assert_eq!(templates, ["(M1 a", "(M1 b"]);
}

#[test]
fn reads_each_variant_of_the_macros_of_a_statement() {
    let definitions = |condition: &str, values: [&str; 2]| {
        let [first, second] = values;
        format!("#if {condition}\n#define {first}\n#else\n#define {second}\n#endif\n")
    };
    let op = definitions("A", ["OP \"x\"", "OP \"y\""]);
    let found = find_c(&format!("{op}asm(OP : \"=rw\"(x));"));
    let templates: Vec<&str> = found.blocks.iter().map(template).collect();
    assert_eq!(templates, ["x", "y"]);

    // A macro within the expansion of another, whose second definition has no statement.
    let keyword = definitions("A", ["ASM(...) asm(__VA_ARGS__)", "ASM(...)"]);
    let function = "#define OP(name) void name(int a) { ASM(\"mov (M1, 16)\" :: \"rw\"(a)); }\n";
    let found = find_c(&format!("{keyword}{function}OP(f)\nOP(g)\n"));
    let functions: Vec<_> = found.blocks.iter().map(|block| block.function.as_deref()).collect();
    assert_eq!(functions, [Some("f"), Some("g")]);

    // Definitions in different branches of one conditional do not occur together.
    let both = "#if A\n#define X \"x1\"\n#define Y \"y1\"\n#else\n#define X \"x2\"\n#define Y \"y2\"\n#endif\n";
    let found = find_c(&format!("{both}asm(X Y : \"=rw\"(x));"));
    let templates: Vec<&str> = found.blocks.iter().map(template).collect();
    assert_eq!(templates, ["x1y1", "x2y2"]);

    let many: String = (0..4)
        .map(|i| definitions(&format!("A{i}"), [&format!("M{i} \"a\""), &format!("M{i} \"b\"")]))
        .collect();
    let found = find_c(&format!("{many}asm(M0 M1 M2 M3 : \"=rw\"(x));"));
    let is_read = |block: &&Block| matches!(block.content, Content::Visa(_));
    let (read, others): (Vec<_>, Vec<_>) = found.blocks.iter().partition(is_read);
    assert_eq!((read.len(), others.len()), (8, 1));
    assert!(unreadable(others[0]).contains("has several definitions"), "{others:?}");
}

#[test]
fn pasted_keywords_begin_statements() {
    let source = "#define CAT(a, b) a##b\n#define ID(a, b) a##b\n\
                  void f(int x) { int ID(as, d); CAT(as, m)(\"(M1\" : \"=rw\"(x)); }";
    let found = find_c(source);
    let block = only_block(&found);
    assert_eq!((template(block), block.function.as_deref()), ("(M1", Some("f")));
}

#[test]
fn the_parameters_of_unused_macros_are_holes() {
    let source = "#define str(x) #x\n#define M(N, OP) asm(\"(M1, \" str(N) \") \" OP \" x\" #N : \"=rw\"(v))\n";
    let found = find_c(source);
    let block = only_block(&found);
    let Content::Visa(statement) = &block.content else { panic!("{block:?}") };
    assert_eq!(
        (template(block), &statement.holes[..]),
        ("(M1, ?) ? x?", &[5..6, 8..9, 11..12][..])
    );
    // Each hole is at a parameter in the definition.
    let written = |hole: usize| {
        let place = &block.template_map[statement.holes[hole].start];
        &source[place.start as usize..place.end as usize]
    };
    assert_eq!([written(0), written(1), written(2)], ["N", "OP", "N"]);
}

#[test]
fn reports_unused_macros_once() {
    let source = "#define INNER(x) asm(\"(M1 a\" : \"=rw\"(x))\n#define OUTER(x) INNER(x); INNER(y)\n\
                  #define NOT_A_STATEMENT asm volatile\n#define OTHER(x) asm(\"nop;\" #x)\n";
    let found = find_c(source);
    assert_eq!(found.blocks.len(), 3);
    assert_eq!(
        found.blocks.iter().filter(|block| matches!(block.content, Content::Other(_))).count(),
        1
    );
    assert!(found.blocks.iter().all(|block| block.expansion.is_none()));
}

#[test]
fn limits_expansions() {
    let mut doubling = "#define A0 \"(M1\"\n".to_owned();
    for index in 0..40 {
        doubling += &format!("#define A{} A{index} A{index}\n", index + 1);
    }
    let found = find_c(&format!("{doubling}asm(A40 : \"=rw\"(x));"));
    let reason = unreadable(only_block(&found));
    assert!(reason.ends_with("is too long; preprocess the file first"), "{reason}");

    let nested = format!("asm({}\"(M1\"{} : \"=rw\"(x));", "A(".repeat(600), ")".repeat(600));
    let found = find_c(&format!("#define A(x) x\n{nested}"));
    let reason = unreadable(only_block(&found));
    assert!(reason.ends_with("is too long; preprocess the file first"), "{reason}");

    let mut pasting = "#define C(x) x ## x\n#define D(x) C(x)\nasm(\"(M1\" ".to_owned();
    pasting += &"D(".repeat(20);
    pasting += "a";
    pasting += &")".repeat(20);
    let found = find_c(&(pasting + ");"));
    let reason = unreadable(only_block(&found));
    assert!(reason.ends_with("preprocess the file first"), "{reason}");

    let found = find_c(&format!("{doubling}{}", "asm(A40 : \"=rw\"(x));\n".repeat(100)));
    let error = found.error.expect("an error");
    assert_eq!(error.message, "the macros or hints of the file are too complex");

    let recursive =
        "#define F(x) \"f\" G(x)\n#define G(x) \"g\" F(x)\nasm(\"(M1\" F(1) : \"=rw\"(x));";
    let reason = "macro `F` is not defined in this file; preprocess the file first";
    assert_eq!(unreadable(only_block(&find_c(recursive))), reason);
}
