//! Tests of the names that replace operands: no name in a template refers to one, and messages have the
//! names of the template.

use genvisa::verify::Severity;
use genvisa_inline::{Checker, Element, Form, Lanes, Operand, Report, Statement, Type};
use proptest::prelude::*;

fn operands() -> [Operand; 3] {
    let int = Type::scalar(Element::I32);
    let output = Operand { name: Some("dst".into()), ..Operand::output("=rw") };
    [output, Operand::input("rw"), Operand::input("rw")].map(|operand| operand.with_type(int))
}

fn check(template: &str) -> Report {
    Checker::new().check(&Statement::gnu(template, operands()))
}

/// Names that look like the substitutes for operands and `%=`.
fn name() -> impl Strategy<Value = String> {
    let of_checker = (0..4_usize).prop_map(|number| {
        let report = check("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>");
        report.substitutes.variable(number)
    });
    let stem =
        prop_oneof![Just("OPERAND".to_string()), of_checker, "[A-Za-z]{1,6}".prop_map(|it| it)];
    (stem, "[_0-9]{0,6}").prop_map(|(stem, end)| format!("{stem}{end}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn no_name_in_a_template_refers_to_an_operand(name in name(), is_source in any::<bool>()) {
        // Predefined names have no declaration.
        prop_assume!(!matches!(name.as_bytes(), [b'V' | b'P' | b'A' | b'T' | b'S' | b'F', b'0'..=b'9', ..]));
        let template = match is_source {
            true => format!("add (M1, 16) %[dst](0,0)<1> {name}(0,0)<1;1,0> %1(0,0)<1;1,0>"),
            false => format!("add (M1, 16) {name}(0,0)<1> %0(0,0)<1;1,0> %1(0,0)<1;1,0>"),
        };
        let report = check(&template);
        let has_error = report.findings.iter().any(|it| it.severity == Severity::Error);
        prop_assert!(has_error, "{template}");
    }

    #[test]
    fn messages_have_the_names_of_the_template(name in name(), tail in "[(),<>0-9:;a-z ]{0,12}") {
        let template = format!("add (M1, 16) %[dst]{tail} {name} %1(0,0)<1;1,0> %2(9,0)<1;1,0>\ngoto L%=");
        let report = check(&template);
        for finding in &report.findings {
            for text in [Some(&finding.message), finding.help.as_ref()].into_iter().flatten() {
                prop_assert_eq!(&report.substitutes.restore(text), text);
            }
        }
    }
}

#[test]
fn a_digit_after_an_operand_does_not_make_another_operand() {
    let int = Type::scalar(Element::I32);
    let name = |index: usize| Operand {
        name: Some(format!("x{index}")),
        ..Operand::output("=rw").with_type(int)
    };
    let statement =
        Statement::gnu("mov (M1, 16) %[x1]0(0,0)<1> 1:d", (0..12).map(name).collect::<Vec<_>>());
    let report = Checker::new().check(&statement);
    assert!(
        report.findings.iter().any(|it| it.message == "`%[x1]0` is not declared"),
        "{report:?}"
    );
}

#[test]
fn findings_suggest_operands() {
    let int = Type::scalar(Element::I32);
    let operands = |constraint: &str| {
        let named = |name: &str, operand: Operand| Operand { name: Some(name.into()), ..operand };
        [named("dst", Operand::output("=rw")), named("x", Operand::input(constraint))]
            .map(|operand| operand.with_type(int))
    };
    let helps = |line: &str, constraint: &str| -> Vec<Option<String>> {
        let report = Checker::new()
            .with_lanes(Lanes::L16)
            .check(&Statement::gnu(format!("mov (M1, 16) {line}"), operands(constraint)));
        report.findings.into_iter().map(|finding| finding.help).collect()
    };
    let suggested = |name: &str| [Some(format!("did you mean `%[{name}]`?"))];
    assert_eq!(helps("dst(0,0)<1> %[x](0,0)<1;1,0>", "rw"), suggested("dst"));
    assert_eq!(helps("%[dst](0,0)<1> x(0,0)<1;1,0>", "rw"), suggested("x"));
    // The names of operands are not names of the block.
    assert_eq!(helps("OPERAND_2(0,0)<1> %[x](0,0)<1;1,0>", "rw"), [None]);
    let region = "`%[x]` has one value for all lanes (`rw.u`): its region is `<0;1,0>`";
    assert_eq!(helps("%[dst](0,0)<1> %[x](0,0)<1;1,0>", "rw.u"), [Some(region.to_owned())]);
    assert_eq!(helps("%[dst](0,0)<1> %[x](0,0)<0;1,0>", "rw.u"), []);
}

#[test]
fn outputs_with_a_plus_have_tied_inputs_after_the_inputs() {
    let int = Type::scalar(Element::I32);
    let operands = |outputs: &[&str], inputs: usize| -> Vec<Operand> {
        let outputs = outputs.iter().map(|it| Operand::output(*it).with_type(int));
        outputs.chain((0..inputs).map(|_| Operand::input("rw").with_type(int))).collect()
    };
    for (outputs, inputs, count) in [
        (&["+rw"][..], 1, 3),
        (&["=rw"], 1, 2),
        (&["+rw"], 0, 2),
        (&["=rw", "+rw"], 1, 4),
        (&["+rw", "+rw"], 2, 6),
    ] {
        for number in 0..8 {
            let template = format!("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %{number}(0,0)<1;1,0>");
            let statement = Statement::gnu(&*template, operands(outputs, inputs));
            let report = Checker::new().check(&statement);
            let is_missing = report.findings.iter().any(|it| it.rule == "operand-number");
            assert_eq!(is_missing, number >= count, "{outputs:?} {inputs} {number}");
        }
    }
    // In LLVM IR, tied inputs are listed.
    let statement = Statement::llvm("mov (M1, 16) $0(0,0)<1> $2(0,0)<1;1,0>", "=rw,rw");
    assert_eq!(statement.form, Form::Llvm);
    assert_eq!(Checker::new().check(&statement).findings[0].rule, "dollar-drop");
}

/// As the template would refer to it.
#[test]
fn numbers_without_an_operand_are_written_too() {
    let of_gnu = check("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>").substitutes;
    let statement = Statement::llvm("mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw");
    let of_llvm = Checker::new().check(&statement).substitutes;
    for (substitutes, count, written) in
        [(of_gnu, 3, "%[dst], %1 and %7"), (of_llvm, 2, "$0, $1 and $7")]
    {
        assert_eq!(substitutes.operand_count(), count);
        let names = [0, 1, 7].map(|number| substitutes.variable(number));
        assert_eq!(
            substitutes.restore(&format!("{}, {} and {}", names[0], names[1], names[2])),
            written
        );
        assert_eq!(substitutes.operand(&names[2]), Some(7));
    }
}
