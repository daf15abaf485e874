//! Statements of a kernel, which share declarations, labels and scopes. The verdicts are those of today's
//! compiler (IGC 2.40.14 for bmg), unless a comment says otherwise.

use genvisa::Platform;
use genvisa::verify::Severity;
use genvisa_inline::source::{Language, find};
use genvisa_inline::{Checker, Unknown};

const KERNEL: &str = "__attribute__((intel_reqd_sub_group_size(16)))\nkernel void k(global int *p) {\n  \
                      int x = p[0];\n";

/// Returns the errors in a kernel, each with the number of its statement, and the unknown facts.
fn check(before: &str, templates: &[&str]) -> (Vec<(usize, String)>, Vec<Unknown>) {
    let mut source = format!("{before}{KERNEL}");
    for template in templates {
        let template = template.replace('\n', "\\n");
        let operands = if template.contains("%0") { ":: \"rw\"(x)" } else { "" };
        source += &format!("  __asm__ volatile(\"{template}\" {operands});\n");
    }
    check_source(&(source + "}\n"))
}

fn check_source(source: &str) -> (Vec<(usize, String)>, Vec<Unknown>) {
    let checker = Checker::new().with_platform(Platform::Xe2);
    let found = find(source.as_bytes(), Language::OpenCl);
    let mut errors = Vec::new();
    let mut unknown = Vec::new();
    for (index, block) in found.blocks.iter().enumerate() {
        let report = block.check(&checker).unwrap_or_else(|| panic!("{block:?}"));
        let findings = report.findings.into_iter().filter(|it| it.severity == Severity::Error);
        errors.extend(findings.map(|finding| (index, finding.message)));
        unknown.extend(report.unknown);
    }
    (errors, unknown)
}

const DECL: &str = ".decl T v_type=G type=d num_elts=16 align=GRF";
const USE: &str = "mov (M1, 16) T(0,0)<1> %0(0,0)<1;1,0>";

#[test]
fn declarations_outside_of_braces_are_shared() {
    assert_eq!(check("", &[DECL, USE]), Default::default());
    // The size of the variable is known.
    let (errors, _) = check("", &[DECL, "mov (M1, 16) T(1,0)<1> 0x1:d"]);
    let expected = "mov, dst: accesses bytes 64 to 127 of `T`, which has 64 bytes";
    assert_eq!(errors, [(1, expected.into())]);
    // So is the variable of an alias.
    let alias = ".decl A v_type=G type=ud num_elts=16 alias=<T, 0>";
    assert_eq!(check("", &[DECL, alias, "mov (M1, 16) A(0,0)<1> 0x1:ud"]), Default::default());
    let (errors, _) = check("", &[USE, DECL]);
    assert_eq!(errors, [(0, "`T` is not declared".into())]);
    let (errors, _) = check("", &[&format!("{{\n{DECL}\n}}"), USE]);
    assert_eq!(errors, [(1, "`T` is not declared".into())]);
}

#[test]
fn names_are_declared_once() {
    let (errors, _) = check("", &[DECL, DECL]);
    assert_eq!(errors, [(1, "`T` is already declared".into())]);
    let (errors, _) = check("", &["L:", "L:"]);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0].0, 1);
    // Which branch is compiled is not known.
    let branches = format!(
        "{KERNEL}  if (x) {{ __asm__(\"{DECL}\"); }} else {{ __asm__(\"{DECL}\"); }}\n}}\n"
    );
    assert_eq!(check_source(&branches), Default::default());
    let branches = format!("{KERNEL}  if (x) __asm__(\"{DECL}\"); else __asm__(\"{DECL}\");\n}}\n");
    assert_eq!(check_source(&branches), Default::default());
    let variants = format!(
        "{KERNEL}#if A\n  __asm__(\"{DECL}\");\n#else\n  __asm__(\"{DECL}\");\n#endif\n}}\n"
    );
    assert_eq!(check_source(&variants), Default::default());
    // Each kernel has its own names.
    let two = format!("{KERNEL}  __asm__(\"{DECL}\");\n}}\n{KERNEL}  __asm__(\"{DECL}\");\n}}\n");
    assert_eq!(check_source(&two), Default::default());
}

#[test]
fn labels_are_shared() {
    let branch = "goto (M1, 16) L";
    assert_eq!(check("", &[branch, "L:"]), Default::default());
    assert_eq!(check("", &["L:", branch]), Default::default());
    let (errors, _) = check("", &[branch]);
    assert_eq!(errors, [(0, "label `L` is used but never defined".into())]);
}

#[test]
fn braces_match_across_statements() {
    let open = format!("{{\n{DECL}");
    assert_eq!(check("", &[&open, USE, "}"]), Default::default());
    let (errors, _) = check("", &[&open, "}", USE]);
    assert_eq!(errors, [(2, "`T` is not declared".into())]);
    let (errors, _) = check("", &[&open, USE]);
    assert_eq!(errors, [(0, "this brace is not closed".into())]);
    let (errors, _) = check("", &[USE, "}"]);
    assert_eq!(errors, [(0, "`T` is not declared".into()), (1, "no brace is open here".into())]);
}

/// The compiler may inline the other function: whether it does is not known.
#[test]
fn names_of_other_functions_are_unknown() {
    let function = format!("void f() {{ __asm__(\"{DECL}\"); }}\n");
    assert_eq!(check(&function, &[USE]), (vec![], vec![Unknown::Variable("T".into())]));
    // No rule about its size applies.
    let (errors, _) = check(&function, &["mov (M1, 16) T(1,0)<1> 0x1:d"]);
    assert_eq!(errors, []);
    let function = "void f() { __asm__(\"L:\"); }\n";
    let report = check(function, &["goto (M1, 16) L"]);
    assert_eq!(report, (vec![], vec![Unknown::Label("L".into())]));
}

/// A name with an operand or `%=` is different in each template.
#[test]
fn unique_names_are_not_shared() {
    let (errors, _) =
        check("", &["L%=:\nmov (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>", "goto (M1, 16) L"]);
    assert_eq!(errors, [(1, "label `L` is used but never defined".into())]);
}

#[test]
fn functions_of_llvm_ir_share_names() {
    let call = |template: &str| format!("  call void asm sideeffect \"{template}\", \"\"()\n");
    let ir = format!(
        "target triple = \"spir64\"\ndefine void @f() {{\n{}{}  ret void\n}}\ndefine void @g() {{\n{}  ret void\n}}\n",
        call(DECL),
        call("mov (M1, 16) T(0,0)<1> 0x1:d"),
        call("mov (M1, 16) T(0,0)<1> 0x1:d"),
    );
    let found = find(ir.as_bytes(), Language::Llvm);
    let checker = Checker::new().with_platform(Platform::Xe2);
    let unknown = |index: usize| {
        let report = found.blocks[index].check(&checker).expect("vISA");
        let findings = report.findings.iter().filter(|it| it.rule != "decl-without-scope");
        assert_eq!(findings.count(), 0, "{index}");
        report.unknown
    };
    assert_eq!([unknown(0), unknown(1)], [[], []]);
    assert_eq!(unknown(2), [Unknown::Variable("T".into())]);
}
