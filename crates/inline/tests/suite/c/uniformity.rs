//! Values that certainly differ between lanes.

use genvisa::Platform;
use genvisa_inline::source::{Content, Language, find};
use genvisa_inline::{Checker, Finding};
use genvisa_test_support::ocloc::Ocloc;
use genvisa_test_support::parallel::parallel;

use crate::statement;

/// Declarations of a variable `v`, and whether IGC refuses it as `rw.u`.
const VALUES: [(&str, bool); 39] = [
    ("int v = get_sub_group_local_id();", true),
    ("int v = get_local_id(0);", true),
    ("int v = get_local_id(1);", true),
    ("int v = get_local_id(2);", true),
    ("int v = get_global_id(0);", true),
    ("int v = get_local_id(0) * 4 + 3;", true),
    ("int v = get_local_id(0) << 2;", true),
    ("int v = get_local_id(0) & 4;", true),
    ("int v = get_sub_group_local_id() >> 2;", true),
    ("int v = get_sub_group_local_id() / 3;", true),
    ("int v = -get_local_id(0);", true),
    ("int v = ~(int)get_local_id(0);", true),
    ("float v = convert_float((int)get_local_id(0));", true),
    ("char v = get_local_id(0);", true),
    ("int v = p[get_local_id(0)];", true),
    ("global int *v = p + get_local_id(0);", true),
    ("global int *v = &p[get_local_id(0)];", true),
    ("int i = get_local_id(0); int j = i + 3; int v = j * 2;", true),
    ("int v; v = get_local_id(0);", true),
    ("int v = get_local_id(0); v += 4;", true),
    ("int v = get_local_id(0); v++;", true),
    ("int v = 0; if (p[0]) v = get_local_id(0);", true),
    ("int v = get_group_id(0) * 4;", false),
    ("int v = get_sub_group_id();", false),
    ("int v = get_local_size(0);", false),
    ("int v = p[0];", false),
    ("int v = 7;", false),
    ("int v = sub_group_broadcast((int)get_local_id(0), 0);", false),
    ("int v = get_local_id(0) * 0;", false),
    ("int n = 0; int v = get_local_id(0) * n;", false),
    ("int i = get_local_id(0); int v = i - i;", false),
    ("int v = get_local_id(0); v = 0;", false),
    ("int v = get_local_id(0); v -= get_local_id(0);", false),
    ("int v = get_local_id(0); v *= 0;", false),
    ("int v = get_local_id(0); int *q = &v; *q = 3;", false),
    ("int v = 1; { int v = get_local_id(0); p[3] = v; }", false),
    ("int v = get_local_id(0) > 3 ? 1 : 1;", false),
    ("int v = get_sub_group_local_id() >> 8;", false),
    (
        "int v = get_local_id(0); __asm__ volatile(\"mov (M1, 16) %0(0,0)<1> 0x0:d\" : \"=rw\"(v)); v = 0;",
        false,
    ),
];

fn kernel(declaration: &str) -> String {
    format!(
        "__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p) {{
    {declaration}
    int o;
    __asm__ volatile(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<0;1,0>\" : \"=rw\"(o) : \"rw.u\"(v));
    p[get_global_id(0)] = o;
}}\n"
    )
}

fn findings(source: &str) -> Vec<Finding> {
    let found = find(source.as_bytes(), Language::C);
    let block = found.blocks.last().expect("a statement");
    assert!(matches!(block.content, Content::Visa(_)), "{source}");
    Checker::new().with_platform(Platform::Xe2).check(statement(block)).findings
}

fn is_refused(source: &str) -> bool {
    findings(source).iter().any(|finding| finding.rule == "uniform-input")
}

#[test]
fn values_that_differ_between_lanes_are_not_uniform() {
    for (declaration, expected) in VALUES {
        assert_eq!(is_refused(&kernel(declaration)), expected, "{declaration}");
    }
    // The expression is in the operand, and the other dimensions of a group with a size may have one value.
    let direct = kernel("").replace("(v)", "((int)get_local_id(1))");
    assert!(is_refused(&direct));
    assert!(!is_refused(
        &direct.replace("kernel ", "kernel __attribute__((reqd_work_group_size(16,1,1))) ")
    ));
    assert!(!is_refused(&kernel("int v = get_local_id(0);").replace("rw.u", "rw")));
    // SYCL.
    assert!(is_refused(&kernel("int v = item.get_local_linear_id();")));
    assert!(!is_refused(&kernel("int v = item.get_local_id(0);")));
}

#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn igc_refuses_values_that_differ_between_lanes() {
    let compiler = Ocloc::required();
    let verdicts =
        parallel(&VALUES, |(declaration, _)| compiler.compile(&kernel(declaration), "bmg"));
    for ((declaration, is_refused), verdict) in VALUES.iter().zip(verdicts) {
        let expected = if *is_refused { "refused" } else { "accepted" };
        assert_eq!(verdict.name(), expected, "{declaration}: {verdict}");
    }
}
