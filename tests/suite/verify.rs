//! The verifier: for each rule a case that breaks it and nothing else, and one that just keeps it.
//!
//! A case is text behind the [`PROLOGUE`]: declarations where a line begins with a dot, and
//! instructions. What text cannot say is changed in the module that is made of it.

mod arithmetic;
mod conformance;
mod five;
mod messages;
mod operands;
mod real;
mod tables;

use std::collections::BTreeSet;
use std::fmt::Write;

use genvisa::object::{Attribute, Code, Kernel};
use genvisa::text::parse;
use genvisa::verify::{Platform, Verifier, rules};
use genvisa::{Format, Instruction, Module, Version};

/// One rule, broken and kept.
pub struct Case {
    pub rule: &'static str,
    pub platform: Option<Platform>,
    pub format: Format,
    /// Whether the module is converted to dialect `Manual` after assembly and changes.
    pub as_manual: bool,
    pub breaks: Piece,
    pub keeps: Piece,
}

/// What is verified: text, and what is changed in the module.
#[derive(Clone)]
pub struct Piece {
    pub text: String,
    change: fn(&mut Module<'static>),
}

impl From<&str> for Piece {
    fn from(text: &str) -> Piece {
        Piece { text: text.into(), change: |_| {} }
    }
}

/// A piece whose module is changed after assembly.
impl From<(&str, fn(&mut Module<'static>))> for Piece {
    fn from((text, change): (&str, fn(&mut Module<'static>))) -> Piece {
        Piece { text: text.into(), change }
    }
}

/// A case that `breaks` a rule, and one that `keeps` it; the platform is not known.
pub fn case(rule: &'static str, breaks: impl Into<Piece>, keeps: impl Into<Piece>) -> Case {
    let format = Format::igc2022(Version::V3_6);
    let (breaks, keeps) = (breaks.into(), keeps.into());
    Case { rule, platform: None, format, as_manual: false, breaks, keeps }
}

impl Case {
    /// The same on a platform.
    pub fn on(self, platform: Platform) -> Case {
        Case { platform: Some(platform), ..self }
    }

    /// The same in another format than Igc2022 3.6.
    pub fn format(self, format: Format) -> Case {
        Case { format, ..self }
    }

    /// The same in dialect `Manual`. The text is that of Igc2022.
    pub fn in_manual(self) -> Case {
        Case { as_manual: true, ..self }
    }
}

/// What every case can use: variables `ud_8` (type, number of elements), all aligned to registers,
/// predicates, address variables, samplers S0 and S1, surfaces T6 and T7.
fn prologue() -> String {
    let mut text = String::from(".version 3.6\n.kernel \"k\"\n");
    for ty in ["ub", "b", "uw", "w", "ud", "d", "uq", "q", "hf", "f", "df", "bf"] {
        for elements in [1, 4, 7, 8, 15, 16, 32, 64, 128] {
            let name = format!("{ty}_{elements}");
            writeln!(text, ".decl {name} v_type=G type={ty} num_elts={elements} align=GRF")
                .expect("a string takes any text");
        }
    }
    for elements in [1, 8, 16, 32] {
        writeln!(text, ".decl flag_{elements} v_type=P num_elts={elements}")
            .expect("a string takes any text");
    }
    for elements in [1, 8, 16] {
        writeln!(text, ".decl addr_{elements} v_type=A num_elts={elements}")
            .expect("a string takes any text");
    }
    text.push_str(
        ".decl S0 v_type=S num_elts=1 v_name=smp0\n.decl S1 v_type=S num_elts=1 v_name=smp1\n",
    );
    text.push_str(
        ".decl T6 v_type=T num_elts=1 v_name=srf0\n.decl T7 v_type=T num_elts=1 v_name=srf1\n",
    );
    text
}

/// The module that a piece of a case says.
pub fn module(case: &Case, piece: &Piece) -> Module<'static> {
    let (declarations, code): (Vec<&str>, Vec<&str>) =
        piece.text.lines().map(str::trim).partition(|line| line.starts_with('.'));
    let text = format!("{}{}\n{}\n", prologue(), declarations.join("\n"), code.join("\n"));
    let mut module = parse(&text, case.format)
        .unwrap_or_else(|wrong| panic!("{}: {}\n{}", case.rule, wrong[0], piece.text));
    (piece.change)(&mut module);
    if case.as_manual {
        convert_to_manual(&mut module);
    }
    module
}

/// Encodes the instructions of a module of one kernel in dialect `Manual`.
fn convert_to_manual(module: &mut Module<'static>) {
    let code = &mut module.kernels[0].body.code;
    let instructions: Result<Vec<_>, _> = code.instructions(module.format).collect();
    let instructions = instructions.expect("it was assembled").into_iter().map(|item| item.1);
    let instructions: Vec<Instruction> = instructions.collect();
    module.format = Format::MANUAL;
    *code = Code::from_instructions(&instructions, module.format).expect("one of the five");
}

/// The verifier for a case.
pub fn verifier(case: &Case) -> Verifier {
    match case.platform {
        Some(platform) => Verifier::new().with_platform(platform),
        None => Verifier::new(),
    }
}

/// The names of the rules that a piece breaks.
fn broken(case: &Case, piece: &Piece) -> BTreeSet<&'static str> {
    verifier(case)
        .check_module(&module(case, piece))
        .iter()
        .map(|finding| finding.rule.name)
        .collect()
}

pub fn all_cases() -> Vec<Case> {
    [five::cases(), operands::cases(), tables::cases(), arithmetic::cases(), messages::cases()]
        .into_iter()
        .flatten()
        .collect()
}

fn check(cases: &[Case]) {
    let mut wrong = Vec::new();
    for case in cases {
        let found = broken(case, &case.breaks);
        if found != BTreeSet::from([case.rule]) {
            wrong.push(format!("{} broken by `{}`: {found:?}", case.rule, case.breaks.text));
        }
        let found = broken(case, &case.keeps);
        if !found.is_empty() {
            wrong.push(format!("{} kept by `{}`: {found:?}", case.rule, case.keeps.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_five() {
    check(&five::cases());
}

#[test]
fn operands_of_any_instruction() {
    check(&operands::cases());
}

#[test]
fn tables_and_labels() {
    check(&tables::cases());
}

#[test]
fn arithmetic_logic_and_moves() {
    check(&arithmetic::cases());
}

#[test]
fn messages_and_control_flow() {
    check(&messages::cases());
}

#[test]
fn every_rule_has_a_case() {
    let cases = all_cases();
    let tried: BTreeSet<&str> = cases.iter().map(|case| case.rule).collect();
    let all: BTreeSet<&str> = rules().map(|rule| rule.name).collect();
    assert_eq!(tried, all);
}

/// A name as long as the file, in as many findings as there are instructions.
#[test]
fn findings_hold_no_more_than_the_beginning_of_a_name() {
    let name = "\u{e9}".repeat(3000);
    let mut module = Module::new(Format::igc2022(Version::V3_6));
    let mut kernel = Kernel::new(&name);
    let attribute = kernel.body.intern(&name);
    kernel.body.attributes.push(Attribute::flag(attribute));
    module.kernels.push(kernel);
    let findings = Verifier::new().check_module(&module);
    assert!(findings.iter().any(|finding| finding.rule.name == "attr-known"), "{findings:?}");
    for finding in findings {
        assert!(finding.to_string().len() < 600, "{finding}");
        assert!(finding.to_string().contains('\u{2026}'), "{finding}");
    }
}

/// The string pool of the second kernel is wrong, not an instruction of the first.
#[test]
fn findings_about_tables_name_no_instruction_of_the_routine_before() {
    let format = Format::igc2022(Version::V3_6);
    let mut module = parse(".version 3.6\n.kernel \"a\"\nLOC 1\n", format).expect("legal text");
    let mut second = Kernel::new("b");
    second.body.strings.clear();
    module.kernels.push(second);
    let findings = Verifier::new().check_module(&module);
    let counts: Vec<_> = findings.iter().filter(|f| f.rule.name == "string-count").collect();
    let [finding] = counts[..] else { panic!("{findings:?}") };
    assert_eq!((finding.routine, finding.instruction, finding.offset), (Some(1), None, None));
}

#[test]
fn names_are_unique_and_statements_are_sentences() {
    let mut names = BTreeSet::new();
    for rule in rules() {
        assert!(names.insert(rule.name), "{} is there twice", rule.name);
        let is_kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(rule.name.chars().all(is_kebab), "{}", rule.name);
        assert!(rule.statement.ends_with('.'), "{}: {}", rule.name, rule.statement);
        assert!(!rule.source.is_empty(), "{}", rule.name);
    }
}
