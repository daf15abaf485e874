//! The rules that apply to inline assembly only, and checks without types, values, lanes or a
//! platform.

use std::collections::BTreeSet;
use std::ops::Range;

use genvisa::Platform;
use genvisa::verify::Severity;
use genvisa_inline::{
    AddressSpace, Checker, Element, Form, Lanes, Operand, Path, Place, Report, Statement, Type,
    Unknown, parse_constraints, rules,
};

const INT: Type = Type { element: Element::I32, components: 1 };
const MOVE: &str = "mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>";

/// Writes the output from `t`.
const READ: &str = "mov (M1, 16) %0(0,0)<1> t(0,0)<1;1,0>";
const READ_BY_ADDRESS: &str = "mov (M1, 16) t(0,0)<1> 0x1:d\naddr_add (M1, 1) A(0)<1> &t 0x0:uw\n\
                               mov (M1, 16) %0(0,0)<1> r[A(0),0]<1;1,0>:d";

/// Returns a template with two statements, and those of the variables `t`, `u`, `P` and `A` that they use.
fn scoped(first: &str, second: &str) -> String {
    let code = format!("{first}\n{second}");
    let declarations = [
        ("t(", ".decl t v_type=G type=d num_elts=16\n"),
        ("u:", ".decl u v_type=G type=d num_elts=16\n"),
        ("u(", ".decl u v_type=G type=d num_elts=16\n"),
        ("P ", ".decl P v_type=P num_elts=16\n"),
        ("P)", ".decl P v_type=P num_elts=16\n"),
        ("A(", ".decl A v_type=A num_elts=1\n"),
    ];
    let used = declarations.into_iter().filter(|(name, _)| code.contains(name));
    let mut used: Vec<&str> = used.map(|(_, declaration)| declaration).collect();
    used.dedup();
    format!("{{\n{}{code}\n}}", used.concat())
}

fn gnu(template: &str, operands: &[Operand]) -> Statement {
    let template = template.as_bytes().to_vec();
    Statement { template, form: Form::Gnu, operands: operands.to_vec(), ..Statement::default() }
}

/// Returns a statement with an output and an input of type int.
fn int_statement(template: &str) -> Statement {
    gnu(template, &[Operand::output("=rw").with_type(INT), Operand::input("rw").with_type(INT)])
}

/// Returns a statement in LLVM IR whose operands have type i32.
fn llvm(template: &str, constraints: &str) -> Statement {
    let constraints = parse_constraints(constraints);
    let typed = constraints.operands.into_iter().map(|operand| operand.with_type(INT));
    Statement {
        template: template.as_bytes().to_vec(),
        form: Form::Llvm,
        operands: typed.collect(),
        clobbers: constraints.clobbers,
        ..Statement::default()
    }
}

fn checker() -> Checker {
    Checker::new().with_platform(Platform::Xe2).with_lanes(Lanes::L16)
}

/// Returns the rules of the findings and the text that each is about.
fn found(report: &Report, statement: &Statement) -> Vec<(&'static str, String)> {
    let findings = report.findings.iter();
    let text = |place: &Place| match place {
        Place::Template(span) => {
            String::from_utf8_lossy(&statement.template[span.clone()]).into_owned()
        }
        Place::Operand(number) => format!("operand {number}"),
        Place::Clobber(index) => format!("clobber {index}"),
    };
    findings.map(|finding| (finding.rule, text(&finding.place))).collect()
}

/// A statement that breaks a rule, the text that the finding is about, and a statement that does
/// not break it.
pub struct Case {
    pub rule: &'static str,
    place: &'static str,
    pub violating: Statement,
    pub legal: Statement,
    pub checker: Checker,
}

fn case(
    rule: &'static str,
    place: &'static str,
    violating: impl Into<Statement>,
    legal: impl Into<Statement>,
) -> Case {
    Case { rule, place, violating: violating.into(), legal: legal.into(), checker: checker() }
}

pub fn cases() -> Vec<Case> {
    let legal = || int_statement(MOVE);
    let broadcast = |constraint: &str| {
        let input = Operand::input(constraint).with_type(INT).varying();
        gnu(
            "mov (M1, 16) %0(0,0)<1> %1(0,0)<0;1,0>",
            &[Operand::output("=rw").with_type(INT), input],
        )
    };
    let with = |constraint: &str| {
        let input = Operand::input(constraint).with_type(INT);
        gnu(MOVE, &[Operand::output("=rw").with_type(INT), input])
    };
    let output = |constraint: &str| {
        let input = Operand::input("rw").with_type(INT);
        gnu(MOVE, &[Operand::output(constraint).with_type(INT), input])
    };
    let constant = |template: &str, constraint: &str| {
        let value = Operand::input(constraint).with_type(INT).with_value(7);
        gnu(template, &[Operand::output("=rw").with_type(INT), value])
    };
    let clobbered = |clobber: &str| Statement { clobbers: vec![clobber.into()], ..legal() };
    let llvm_move = |label: &str, template: &str| llvm(&format!("{label}{template}"), "=rw,rw");
    let vc = |case: Case| Case { checker: checker().with_path(Path::Vc), ..case };
    let on_dg2 = |lanes| Checker::new().with_platform(Platform::Dg2).with_lanes(lanes);
    let half = case("half-of-simd32", "operand 0", legal(), with("rw.u"));
    let half = Case { checker: on_dg2(Lanes::L32), legal: int_statement(""), ..half };
    let eight = int_statement(&MOVE.replace("16", "8"));
    let subgroup = case("subgroup-size", "", eight, int_statement(""));
    let on_xe2 = Checker::new().with_platform(Platform::Xe2).with_lanes(Lanes::L8);
    let subgroup = Case { checker: on_xe2, ..subgroup };
    let pair = |second: fn(Operand) -> Operand| {
        let template = "mov (M1, 16) $0(0,0)<1> 0x1:d\nmov (M1, 16) $1(0,0)<1> 0x2:d";
        let mut statement = llvm(template, "=rw,=rw");
        statement.operands[1] = second(statement.operands[1].clone());
        statement
    };
    let unused = case("unused-output", "$1", pair(Operand::unused), pair(|operand| operand));
    let old = checker().with_compiler("2.35".parse().expect("a version"));
    vec![
        subgroup,
        Case { checker: old, ..unused },
        case("dollar-drop", "$", int_statement(&format!("{MOVE} /// $14")), legal()),
        case("dollar-drop", "%c1", int_statement(&MOVE.replace("%1", "%c1")), legal()),
        case("dollar-drop", "%H1", int_statement(&MOVE.replace("%1", "%H1")), legal()),
        case(
            "dollar-drop",
            "$$",
            llvm("mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> // $$", "=rw,rw"),
            llvm("mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> //", "=rw,rw"),
        ),
        case(
            "dollar-drop",
            "${1}",
            llvm("mov (M1, 16) $0(0,0)<1> ${1}(0,0)<1;1,0>", "=rw,rw"),
            llvm("mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw"),
        ),
        case(
            "dollar-drop",
            "$5",
            llvm("mov (M1, 16) $0(0,0)<1> $5(0,0)<1;1,0>", "=rw,rw"),
            llvm("mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw"),
        ),
        case("uniform-input", "operand 1", broadcast("rw.u"), broadcast("rw")),
        case("operand-number", "%2", int_statement(&MOVE.replace("%1", "%2")), legal()),
        case("operand-number", "%10", int_statement(&MOVE.replace("%1", "%10")), legal()),
        case("operand-number", "%[x]", int_statement(&MOVE.replace("%1", "%[x]")), legal()),
        // Comments do not hide operands.
        case("operand-number", "%9", int_statement(&format!("// cost %9\n{MOVE}")), legal()),
        case(
            "percent-escape",
            "%null",
            int_statement("mov (M1, 16) %null(0,0)<1> %1(0,0)<1;1,0>"),
            int_statement(&format!("mov (M1, 16) %%null(0,0)<1> %1(0,0)<1;1,0>\n{MOVE}")),
        ),
        case("constraint", "operand 1", with("r"), legal()),
        case("constraint", "operand 1", with("rw "), legal()),
        case("constraint", "operand 1", with("1"), with("0")),
        case("constraint", "operand 0", output("=&rw"), output("+rw")),
        case("constraint", "operand 0", output("=rw.u"), legal()),
        case("clobber", "clobber 0", clobbered("r0"), clobbered("memory")),
        vc(case(
            "clobber",
            "clobber 0",
            Statement { clobbers: vec!["memory".into()], ..llvm("barrier", "") },
            llvm("barrier", ""),
        )),
        vc(case("constraint", "operand 0", llvm("// $0", "P"), llvm("// $0", "n"))),
        case("directive", ".version", int_statement(&format!(".version 3.6\n{MOVE}")), legal()),
        case("brace", "{", int_statement(&format!("{{\n{MOVE}")), legal()),
        case("brace", "}", int_statement(&format!("{MOVE}\n}}")), legal()),
        case(
            "typed-twice",
            "%1",
            constant("mov (M1, 16) %0(0,0)<1> %1:d", "i"),
            constant("mov (M1, 16) %0(0,0)<1> %1", "i"),
        ),
        case(
            "untyped-p",
            "",
            constant("mov (M1, 16) %0(0,0)<1> %1", "P"),
            constant("mov (M1, 16) %0(0,0)<1> %1:d", "P"),
        ),
        vc(case(
            "vc-region-twice",
            "$0",
            llvm("mov (M1, 1) $0(0,0)<1> $1", "=r,r"),
            llvm("mov (M1, 1) $0 $1", "=r,r"),
        )),
        half,
        case(
            "compiler-variable",
            "V32",
            int_statement("mov (M1, 16) %0(0,0)<1> V32(0,0)<1;1,0>"),
            int_statement(
                "{\n.decl V32 v_type=G type=d num_elts=16\nmov (M1, 16) V32(0,0)<1> 0x1:d\n\
                 mov (M1, 16) %0(0,0)<1> V32(0,0)<1;1,0>\n}",
            ),
        ),
        case(
            "label-without-uid",
            "L",
            int_statement(&format!("L:\n{MOVE}")),
            int_statement(&format!("L%=:\n{MOVE}")),
        ),
        case(
            "label-without-uid",
            "L",
            llvm_move("L:\n", "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"),
            llvm_move("L${:uid}:\n", "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"),
        ),
        case(
            "decl-without-scope",
            "t",
            int_statement(&format!(".decl t v_type=G type=d num_elts=16\n{MOVE}")),
            int_statement(&format!("{{\n.decl t v_type=G type=d num_elts=16\n{MOVE}\n}}")),
        ),
        case(
            "input-written",
            "%1",
            int_statement(&format!("{MOVE}\nmov (M1, 16) %1(0,0)<1> 0x1:d")),
            legal(),
        ),
        case("output-as-input", "operand 1", with("+rw"), legal()),
        case(
            "partial-output",
            "%0",
            int_statement("mov (M1_NM, 1) %0(0,3)<1> %1(0,0)<0;1,0>"),
            gnu(
                "mov (M1_NM, 1) %0(0,3)<1> %1(0,0)<0;1,0>",
                &[Operand::output("+rw").with_type(INT), Operand::input("rw").with_type(INT)],
            ),
        ),
        case(
            "output-read",
            "%0",
            int_statement("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %1(0,0)<1;1,0>"),
            gnu(
                "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %1(0,0)<1;1,0>",
                &[Operand::output("+rw").with_type(INT), Operand::input("rw").with_type(INT)],
            ),
        ),
        case(
            "output-read",
            "%0",
            int_statement(&format!("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d\n{MOVE}")),
            int_statement(&format!("{MOVE}\nadd (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d")),
        ),
        case("output-unwritten", "operand 0", int_statement("barrier"), int_statement(MOVE)),
        case(
            "output-unwritten",
            "operand 0",
            int_statement("again%=:\nmov (M1, 16) %%null(0,0)<1> %1(0,0)<1;1,0>"),
            gnu(
                "barrier",
                &[Operand::output("+rw").with_type(INT), Operand::input("rw").with_type(INT)],
            ),
        ),
        case(
            "variable-undefined",
            "t",
            int_statement(&scoped("add (M1, 16) t(0,0)<1> %1(0,0)<1;1,0> t(0,0)<1;1,0>", READ)),
            int_statement(&scoped("mov (M1, 16) t(0,0)<1> %1(0,0)<1;1,0>", READ)),
        ),
        // An order that is not known.
        case(
            "variable-undefined",
            "t",
            int_statement(&scoped("again%=:", READ)),
            int_statement(&scoped(
                &format!(
                    "again%=:\n{READ}\nmov (M1, 16) t(0,0)<1> 0x1:d\n(P) goto (M1, 16) again%="
                ),
                "cmp.lt (M1, 16) P %1(0,0)<1;1,0> 0x1:d",
            )),
        ),
        case(
            "variable-unread",
            "t",
            int_statement(&scoped("mov (M1, 16) t(0,0)<1> %1(0,0)<1;1,0>", MOVE)),
            int_statement(&scoped("mov (M1, 16) t(0,0)<1> %1(0,0)<1;1,0>", READ)),
        ),
        // The address is taken, and a load has other effects.
        case(
            "variable-unread",
            "u",
            int_statement(&scoped("mov (M1, 16) u(0,0)<1> %1(0,0)<1;1,0>", READ_BY_ADDRESS)),
            int_statement(&scoped("lsc_load.ugm (M1, 16) u:d32 flat[%1]:a32", MOVE)),
        ),
        case(
            "pseudo-input-payload",
            ".implicit_PSEUDO_INPUT C offset=64 size=64",
            int_statement(&format!(
                "{{\n.decl C v_type=G type=ud num_elts=16\n\
                 .implicit_PSEUDO_INPUT C offset=64 size=64\n{MOVE}\n}}"
            )),
            int_statement(&format!(
                "{{\n.decl C v_type=G type=ud num_elts=16\n\
                 .implicit_PSEUDO_INPUT C offset=512 size=64\n{MOVE}\n}}"
            )),
        ),
        case(
            "foreign-assembly",
            "mov.b32 %0, %1",
            int_statement("mov.b32 %0, %1;"),
            int_statement(MOVE),
        ),
        case(
            "lanes-mismatch",
            "%0",
            int_statement("mov (M1, 8) %0(0,0)<1> %1(0,0)<1;1,0>"),
            int_statement(
                "mov (M1, 8) %0(0,0)<1> %1(0,0)<1;1,0>\nmov (M3, 8) %0(0,8)<1> %1(0,8)<1;1,0>",
            ),
        ),
    ]
}

#[test]
fn each_rule_has_its_finding() {
    for case in cases() {
        let report = case.checker.check(&case.violating);
        let text = String::from_utf8_lossy(&case.violating.template).into_owned();
        let expected = vec![(case.rule, String::from(case.place))];
        assert_eq!(found(&report, &case.violating), expected, "{}: {text}", case.rule);
        let report = case.checker.check(&case.legal);
        let text = String::from_utf8_lossy(&case.legal.template).into_owned();
        assert_eq!(found(&report, &case.legal), [], "{}: {text}", case.rule);
    }
}

/// Constraints were not validated before IGC 2.22.
#[test]
fn old_compilers_drop_what_newer_ones_refuse() {
    let messages = |statement: &Statement, version: &str| -> Vec<String> {
        let checker = Checker::new().with_compiler(version.parse().expect("a version"));
        checker.check(statement).findings.into_iter().map(|finding| finding.message).collect()
    };
    let dropped = "; IGC before 2.22.0 drops the block without a message";
    let constraint = gnu("barrier", &[Operand::input("rw ").with_type(INT)]);
    for (statement, message) in [
        (constraint, "the compiler refuses constraint `rw `"),
        (int_statement("mov.b32 %0, %1;"), "this is PTX, not vISA"),
    ] {
        assert_eq!(messages(&statement, "2.22"), [message]);
        assert_eq!(messages(&statement, "2.21.9"), [format!("{message}{dropped}")]);
    }
    let blank = &Checker::new().check(&gnu("barrier", &[Operand::input("r w")])).findings[0];
    assert_eq!(blank.help.as_deref(), Some("a constraint has no blanks: write `rw`"));
}

#[test]
fn every_rule_has_a_case() {
    let tested: BTreeSet<&str> = cases().iter().map(|case| case.rule).collect();
    // The checker does not know where a statement is.
    let of_files = ["file-scope-asm"];
    let all: BTreeSet<&str> = rules().map(|rule| rule.name).collect();
    assert_eq!(tested, all.into_iter().filter(|name| !of_files.contains(name)).collect());
}

/// Variables are declared for outputs without a use since IGC 2.36.
#[test]
fn outputs_without_a_use_compile_since_2_36() {
    let unused = cases().into_iter().find(|case| case.rule == "unused-output").expect("a case");
    let findings = |version: &str| {
        let checker = unused.checker.clone().with_compiler(version.parse().expect("a version"));
        checker.check(&unused.violating).findings
    };
    let message = "nothing uses the value of `$1`, so the compiler writes `null` (enforced by IGC before 2.36.0)";
    assert_eq!(findings("2.35.9")[0].message, message);
    assert_eq!(findings("2.36"), []);
    // The vector compiler is another part of IGC.
    let vc = unused.checker.clone().with_path(Path::Vc);
    assert!(vc.check(&unused.violating).findings.iter().all(|one| one.rule != "unused-output"));
}

#[test]
fn substitutes_operands_as_the_compiler_does() {
    let pointer = Type { element: Element::Pointer(AddressSpace::Global), components: 1 };
    let operands = [
        Operand { name: Some("dst".into()), ..Operand::output("=rw").with_type(INT) },
        Operand::input("i").with_type(INT).with_value(-5_i32 as u32 as u64),
        Operand::input("P").with_type(INT).with_value(-5_i32 as u32 as u64),
        Operand::input("rw.u").with_type(pointer),
        Operand::input("i")
            .with_type(Type { element: Element::Float, components: 1 })
            .with_value(0x3fc0_0000),
    ];
    let statement = gnu("L%=: %[dst] %1 %2 %3 %4 %% %{ %| %}", &operands);
    let report = checker().check(&statement);
    assert_eq!(
        report.text,
        "L_0_000: OPERAND_0_ 0xfffffffb:d 4294967291 OPERAND_3_ 0x3fc00000:f % { | }"
    );

    let vc = checker().with_path(Path::Vc);
    let vector = Type { element: Element::I32, components: 16 };
    let mut statement = llvm("add (M1, 16) $0 $1 $2 $$2 $15", "=r,r,r");
    statement.operands[0].ty = Some(vector);
    statement.operands[1].ty = Some(vector);
    assert_eq!(
        vc.check(&statement).text,
        "add (M1, 16)  OPERAND_0_(0,0)<1>  OPERAND_1_(0,0)<1;1,0>  OPERAND_2_(0,0)<0;1,0>  \
         OPERAND_2_(0,0)<0;1,0>  OPERAND_1_(0,0)<1;1,0>5"
    );
}

#[test]
fn numbers_are_signed_on_the_path_of_vc_only() {
    let mut statement = llvm("mov (M1, 16) $0 $1:w", "=r,n");
    statement.operands[1] = Operand::input("n").with_type(INT).with_value(-5_i32 as u32 as u64);
    let text = checker().with_path(Path::Vc).check(&statement).text;
    assert_eq!(text, "mov (M1, 16)  OPERAND_0_(0,0)<1> -5:w");
}

#[test]
fn a_scope_may_follow_a_comment() {
    let block = gnu(
        "mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> /* a comment */\n{\n\
         .decl T v_type=G type=d num_elts=16 align=GRF\nmov (M1, 16) T(0,0)<1> 0x2:d\n\
         add (M1, 16) %0(0,0)<1> T(0,0)<1;1,0> 0x1:d\n}",
        &[Operand::output("+rw").with_type(INT), Operand::input("rw").with_type(INT)],
    );
    assert_eq!(found(&checker().check(&block), &block), []);
    let unclosed = gnu("barrier /* a comment */\n{\nbarrier", &[]);
    assert_ne!(found(&checker().check(&unclosed), &unclosed), []);
}

/// The compiler accepts this block: code of the kernel follows.
#[test]
fn blocks_may_end_with_a_predicated_branch() {
    let block = gnu(
        "{\n.decl P v_type=P num_elts=16\nagain%=:\n\
         add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0x1:d\n\
         cmp.eq (M1, 16) P %0(0,0)<1;1,0> 0x5:d\n(P) goto (M1, 16) again%=\n}",
        &[Operand::output("+rw").with_type(INT), Operand::input("rw").with_type(INT)],
    );
    assert_eq!(found(&checker().check(&block), &block), []);
}

#[test]
fn derives_the_path_from_constraints() {
    let path = |constraints| checker().check(&llvm("barrier", constraints)).path;
    assert_eq!(path("=rw,rw"), Path::Simt);
    assert_eq!(path("=rw,rw.u,P"), Path::Simt);
    assert_eq!(path("=r,r"), Path::Vc);
    assert_eq!(path("=^rw,n"), Path::Vc);
}

/// Without a type, rules about types and sizes are skipped, and others are not.
#[test]
fn unknown_types_disable_rules_about_types_and_bounds_only() {
    let operands = [Operand::output("=rw"), Operand::input("rw")];
    let legal = gnu("add (M1, 32) %0(0,0)<1> %1(3,0)<2;1,0> 0x1:f", &operands);
    let report = checker().check(&legal);
    assert_eq!(found(&report, &legal), []);
    assert_eq!(report.unknown, [Unknown::Type(0), Unknown::Type(1)]);

    let wrong = gnu("add (M1, 16) %0(0,0)<0> %1(0,0)<1;1,0> 0x1:f", &operands);
    assert_eq!(found(&checker().check(&wrong), &wrong), [("dst-stride", "%0(0,0)<0>".into())]);

    // A variable of the block has a type.
    let wrong = gnu(
        "{\n.decl t v_type=G type=d num_elts=8\nmov (M1, 16) t(0,0)<1> %1(0,0)<1;1,0>\n}",
        &operands,
    );
    assert_eq!(found(&checker().check(&wrong), &wrong), [("operand-bounds", "t(0,0)<1>".into())]);

    // An alias of an operand has a type, and the operand has an unknown size.
    let legal = gnu(
        "{\n.decl t v_type=G type=f num_elts=64 alias=<%0,0>\nmov (M1, 16) t(1,0)<1> 1.0:f\n}",
        &operands,
    );
    assert_eq!(found(&checker().check(&legal), &legal), []);
}

#[test]
fn findings_of_a_wrong_number_of_lanes_are_one() {
    let checker = Checker::new().with_platform(Platform::Dg2).with_lanes(Lanes::L8);
    let statement = int_statement(&scoped("mov (M1, 16) t(0,0)<1> %1(0,0)<1;1,0>", READ));
    let report = checker.check(&statement);
    assert_eq!(found(&report, &statement), [("operand-bounds", "%1(0,0)<1;1,0>".into())]);
    let finding = &report.findings[0];
    assert_eq!(
        finding.message,
        "the template is for 16 lanes, but the kernel has 8, which causes 2 findings"
    );
    let first = "the first is: mov, src0: accesses bytes 0 to 63 of `%1`, which has 32 bytes";
    assert_eq!(finding.help.as_deref(), Some(first));

    // Another number of lanes does not mend this.
    let statement = int_statement("mov (M1, 16) %0(0,8)<2> %1(0,9)<2;1,0>");
    let places: Vec<_> = found(&checker.check(&statement), &statement);
    assert_eq!(places.len(), 2, "{places:?}");
}

#[test]
fn unknown_lanes_disable_bounds_of_operands_with_a_value_per_lane() {
    let checker = Checker::new().with_platform(Platform::Xe2);
    let statement = int_statement("mov (M1, 32) %0(0,0)<1> %1(0,0)<1;1,0>");
    let report = checker.check(&statement);
    assert_eq!(found(&report, &statement), []);
    assert_eq!(report.unknown, [Unknown::Lanes]);

    let uniform =
        gnu(MOVE, &[Operand::output("=rw").with_type(INT), Operand::input("rw.u").with_type(INT)]);
    let report = checker.check(&uniform);
    assert_eq!(found(&report, &uniform), [("operand-bounds", "%1(0,0)<1;1,0>".into())]);
}

#[test]
fn unknown_constants_disable_rules_about_their_lines_and_variables() {
    let operands = [Operand::output("=rw").with_type(INT), Operand::input("P")];
    let statement = gnu(
        "{\n.decl t v_type=G type=d num_elts=%1 align=GRF\n\
         mov (M1, 16) t(0,%1)<1> 0x1:d\nmov (M1, 16) %0(0,0)<1> t(1,0)<1;1,0>\n\
         dpas.hf.hf.8.%1 (M1, 16) t.0 t.0 t.0 t(0,0)\n}",
        &operands,
    );
    let report = checker().check(&statement);
    assert_eq!(found(&report, &statement), []);
    assert_eq!(report.unknown, [Unknown::Value(1)]);
}

/// What precedes a constant in its line does not depend on its value.
#[test]
fn errors_before_an_unknown_constant_are_reported() {
    let operands = [Operand::output("=rw").with_type(INT), Operand::input("P")];
    let wrong = gnu("mov (M1, 16) %0(0,0)<1;1,0> %1:d", &operands);
    assert_eq!(found(&checker().check(&wrong), &wrong), [("syntax", ";".into())]);
}

#[test]
fn errors_that_occur_for_every_value_of_a_constant_are_reported() {
    let operands = [
        Operand::output("=rw"),
        Operand::input("rw.u"),
        Operand::input("P"),
        Operand::input("P"),
        Operand::input("P"),
    ];
    let check = |template: &str| {
        let statement = gnu(template, &operands);
        let report = checker().check(&statement);
        found(&report, &statement)
    };
    assert_eq!(check("lsc_load_block2d.ugm (M1, 1) %0:d%2.%3x%4nn flat[%1+(0,0)]"), []);
    assert_eq!(check("lsc_load_block2d.ugm (M1, 1) %0:d%2.%3x%4tn flat[%1+(0,0)]"), []);
    let place = |place: &str| [("syntax", String::from(place))];
    assert_eq!(check("lsc_load_block2d.ugm (M1, 1) %0:d%2.%3x%4nn flt[%1+(0,0)]"), place("flt"));
    assert_eq!(check("mov (M1_NM, 1) %0(0,%2)<1> X(0,0)<0;1,0>"), place("X"));
    // A rule about another operand.
    let tiny =
        "{\n.decl t v_type=G type=d num_elts=1\nmov (M1_NM, 16) %0(0,%2)<1> t(0,0)<1;1,0>\n}";
    assert_eq!(check(tiny), [("operand-bounds", "t(0,0)<1;1,0>".into())]);
}

fn hole(start: usize, end: usize) -> Range<usize> {
    Range { start, end }
}

#[test]
fn holes_disable_rules_about_the_rest_of_their_lines() {
    let check = |template: &str| {
        let at = template.find('?').expect("a hole");
        let holes = vec![hole(at, at + 1)];
        let statement = Statement { holes, ..int_statement(template) };
        let report = checker().check(&statement);
        assert_eq!(report.unknown, [Unknown::Text]);
        found(&report, &statement)
    };
    assert_eq!(check("lsc_load.ugm.? (M1, 16) %0:d32 flat[%1]:a64"), []);
    assert_eq!(check("? (M1, 16) %0(0,0)<1> X(0,0)<1;1,0>"), []);
    let error = |place: &str| [("syntax", String::from(place))];
    assert_eq!(check("movv (M1, ?) %0(0,0)<1> %1(0,0)<1;1,0>"), error("movv"));
    assert_eq!(check("mov (M1, ?) %0(0,0)<1> %1(0,0)<1;1,0>\nmovv"), error("movv"));
    // Some numbers are legal there, and none makes the rest legal.
    let bounds = check("mov (M1, ?) %0(7,0)<1> %1(0,0)<1;1,0>");
    assert_eq!(bounds, []);
    // Holes that users state wrongly are not trusted.
    for (first, second) in
        [((3, 1), (2, 900)), ((5, 6), (1, 2)), ((900, 901), (0, 2)), ((0, 2), (1, 4))]
    {
        let holes = vec![hole(first.0, first.1), hole(second.0, second.1)];
        let statement = Statement { holes, ..int_statement("mov (M1, 16) %0(0,0)<1> 0x0:d") };
        let _ = checker().check(&statement);
    }
}

/// A variable has at most the size for 32 lanes.
#[test]
fn operands_have_at_most_32_lanes() {
    let statement = int_statement("mov (M1, 16) %0(2,0)<1> %1(1,0)<1;1,0>");
    let report = Checker::new().with_platform(Platform::Xe2).check(&statement);
    assert_eq!(found(&report, &statement), [("operand-bounds", "%0(2,0)<1>".into())]);
}

/// A builtin function of the compiler returns payloads as pointers.
#[test]
fn the_type_of_a_block_payload_is_unknown() {
    let pointer = Type::scalar(Element::Pointer(AddressSpace::Generic));
    let statement = gnu(
        "lsc_load_block2d.ugm (M1, 1) %%null:d16.16x8nn flat[%0+(0,0)]",
        &[Operand::input("rw.u").with_type(pointer)],
    );
    let report = checker().check(&statement);
    assert_eq!(found(&report, &statement), []);
    assert_eq!(report.unknown, [Unknown::Type(0)]);
}

#[test]
fn an_error_does_not_hide_findings_on_other_lines() {
    let statement =
        int_statement("mov (M1, 16) %0(0,0)<1> 3\nmov (M1, 16) %0(1,0)<1> %1(0,0)<1;1,0>");
    let report = checker().check(&statement);
    let rules: Vec<_> = report.findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, ["syntax", "operand-bounds"]);
}

/// The high halves of MADW are in the registers after the low ones.
#[test]
fn both_results_of_madw_are_written() {
    let source = "%1(0,0)<1;1,0>";
    let statement = int_statement(&format!("madw (M1, 8) %0(0,0)<1> {source} {source} {source}"));
    let found_on = |platform| {
        let report = checker().with_platform(platform).check(&statement);
        report.findings.iter().map(|finding| finding.rule).collect::<Vec<_>>()
    };
    assert_eq!(found_on(Platform::Tgllp), [""; 0]);
    // There, the second register is not part of the operand.
    assert_eq!(found_on(Platform::Xe2), ["lanes-mismatch"]);
}

#[test]
fn warnings_have_their_severity() {
    for rule in rules() {
        let is_warning = [
            "unused-output",
            "compiler-variable",
            "label-without-uid",
            "decl-without-scope",
            "input-written",
            "output-as-input",
            "output-read",
            "output-unwritten",
            "variable-undefined",
            "variable-unread",
            "pseudo-input-payload",
            "partial-output",
            "lanes-mismatch",
        ]
        .contains(&rule.name);
        assert_eq!(rule.severity == Severity::Warning, is_warning, "{}", rule.name);
    }
}

#[test]
fn an_empty_template_has_no_findings() {
    let statement = gnu("", &[Operand::input("no such constraint")]);
    assert_eq!(found(&checker().check(&statement), &statement), []);
}

#[test]
fn the_operands_of_another_platform_have_other_sizes() {
    let statement = int_statement("mov (M1, 16) %0(0,0)<1> %1(1,0)<1;1,0>");
    let dg2 = Checker::new().with_platform(Platform::Dg2).with_lanes(Lanes::L16);
    // The second row of 32 bytes is the second half.
    let rules = |checker: &Checker| -> Vec<&str> {
        checker.check(&statement).findings.iter().map(|finding| finding.rule).collect()
    };
    assert_eq!(rules(&dg2), ["operand-bounds"]);
    let eight = int_statement(
        "mov (M1, 8) %0(0,0)<1> %1(1,0)<1;1,0>\nmov (M3, 8) %0(1,0)<1> %1(0,0)<1;1,0>",
    );
    assert_eq!(found(&dg2.check(&eight), &eight), []);
    assert!(checker().check(&eight).findings.iter().any(|f| f.rule == "operand-bounds"));
}

/// The compiler accepts it on ptl and refuses it on pvc.
#[test]
fn inline_assembly_does_not_convert_hf8_on_pvc() {
    let template = "{\n.decl B v_type=G type=b num_elts=16 align=GRF\n\
                    .decl H v_type=G type=hf num_elts=16 align=GRF\n\
                    fcvt (M1_NM, 16) B(0,0)<1> H(0,0)<1;1,0>\n}";
    let rules = |platform| {
        let report = Checker::new().with_platform(platform).check(&Statement::basic(template));
        let errors = report.findings.iter().filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| finding.rule).collect::<Vec<_>>()
    };
    assert_eq!(rules(Platform::PvcXt), ["fcvt-hf8-platform"]);
    assert_eq!(rules(Platform::Xe3), [""; 0]);
}
