//! Which statements are vISA.

use genvisa_inline::source::{Content, Language, find};

/// Returns whether each statement of a function is vISA.
fn are_visa(language: Language, statements: &[&str]) -> Vec<bool> {
    let body: String = statements.iter().map(|it| format!("  asm volatile({it});\n")).collect();
    let source = format!("void f(int x) {{\n{body}}}\n");
    let found = find(source.as_bytes(), language);
    found.blocks.iter().map(|block| matches!(block.content, Content::Visa(_))).collect()
}

const MOV: &str = r#""mov (M1, 16) %0(0,0)<1> 0x0:d" : "=rw"(x)"#;

#[test]
fn statements_of_opencl_are_visa() {
    let statements = [
        r#""sbarrier.signal\n""#,
        r#""nbarrier.wait 0:ub""#,
        r#""L0:""#,
        r#""}""#,
        r#""barrrier""#,
    ];
    assert_eq!(are_visa(Language::OpenCl, &statements), [true; 5]);
    let kernel = format!("kernel void k() {{ asm({}); }}", statements[4]);
    let found = find(kernel.as_bytes(), Language::C);
    assert!(matches!(found.blocks[0].content, Content::Visa(_)));
}

#[test]
fn other_statements_of_the_file_decide() {
    let misspelt = r#""barrrier""#;
    assert_eq!(are_visa(Language::C, &[MOV, misspelt]), [true, true]);
    assert_eq!(are_visa(Language::C, &[misspelt, MOV]), [true, true]);
    let other = r#""add %0, %1;" : "=r"(x)"#;
    assert_eq!(are_visa(Language::C, &[MOV, other, misspelt]), [true, false, false]);
    // Without others, the text decides.
    assert_eq!(are_visa(Language::C, &[r#""sbarrier.wait""#, r#""pause""#]), [true, false]);
}

#[test]
fn statements_of_other_machines_are_recognized() {
    let others = [
        r#""barrier.cluster.arrive.aligned;\n" : :"#,
        r#""barrier.sync %0, %1;" : : "r"(x), "r"(x)"#,
        r#""mfence" ::: "memory", "rax""#,
        r#""" ::: "memory""#,
        r#""rdtsc" : "=a"(x)"#,
    ];
    for language in [Language::C, Language::OpenCl] {
        assert_eq!(are_visa(language, &others), [false; 5], "{language:?}");
    }
    // The same constraints are vISA in a function for the vector compiler.
    let esimd = "SYCL_ESIMD_FUNCTION void f(int x) { asm(\"foo %0\" : \"=r\"(x)); }";
    let found = find(esimd.as_bytes(), Language::C);
    assert!(matches!(found.blocks[0].content, Content::Visa(_)));
}
