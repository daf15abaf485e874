//! Source code in string literals.

use super::*;

#[test]
fn reads_escaped_source_code() {
    let source = r#"const char *program =
  "__attribute__((intel_reqd_sub_group_size(16))) kernel void f(global float *p) {\n"
  "  float x;\n"
  "  __asm__(\"(M1, 16) @1\\n\"\n"
  // between the literals
  "          \"@2\" : \"=rw\"(x) : \"rw\"(p[0])); // genvisa: %1=int\n"
  "}\n"
  "void other() { asm(\"nop;\"); }\n";
"#;
    let found = find_c(source);
    let block = only_block(&found);
    assert_eq!(template(block), "(M1, 16) @1\n@2");
    assert_eq!((block.function.as_deref(), block.lanes.map(|l| l.count())), (Some("f"), Some(16)));
    assert_eq!(place(source, block, "@1"), (4, 25));
    assert_eq!(written(source, block, "\n"), ["\\\\n"]);
    assert_eq!(place(source, block, "@2"), (6, 16));
    assert_eq!(&source[block.constraint_spans[1].clone()], "rw");
    assert_eq!(line_and_column(source.as_bytes(), block.constraint_spans[1].start), (6, 38));
    let types: Vec<String> =
        statement(block).operands.iter().map(|o| o.ty.expect("known").to_string()).collect();
    assert_eq!(types, ["float", "i32"]);
    let text = &source[block.span.clone()];
    assert!(text.starts_with("__asm__(\\\"") && text.ends_with("(p[0]))"), "{text}");
}

#[test]
fn reads_raw_source_code() {
    let source = "auto program = R\"CL(\n#define T \"@1\"\nkernel void g(int a) {\n  \
                  asm(\"(M1\" T : \"=rw\"(a));\n  asm(\"(M1\" OP); // genvisa: lanes=9\n}\n)CL\";\n";
    let found = find_c(source);
    let [first, second] = &found.blocks[..] else { panic!("{:?}", found.blocks) };
    assert_eq!(template(first), "(M1@1");
    assert_eq!(place(source, first, "@1"), (2, 12));
    assert_eq!(&source[first.expansion.clone().expect("an expansion")], "T");
    let reason = "macro `OP` is not defined in this file; preprocess the file first";
    assert_eq!(unreadable(second), reason);
    let [(span, _)] = &found.hint_errors[..] else { panic!("{:?}", found.hint_errors) };
    assert_eq!(&source[span.clone()], "lanes=9");
}

#[test]
fn reads_literals_of_macros_and_one_level_only() {
    let source = r##"#define PROGRAM "void h() { asm(\"(M1\"); }"
#if 0
const char *dead = "asm(\"(M1\");";
#endif
const char *other = "the word asm", *twice = "f(\"asm(\\\"(M1\\\");\");";"##;
    let found = find_c(source);
    let block = only_block(&found);
    assert_eq!((template(block), block.function.as_deref()), ("(M1", Some("h")));
}
