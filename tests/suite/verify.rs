//! The verifier. For each rule there are cases: a module that violates this rule and no other, and
//! a module that satisfies every rule.
//!
//! The text of a case follows the [`prologue`]. Lines that begin with a dot are declarations,
//! others are instructions. If text cannot express a module, the case changes it after assembly.

mod arithmetic;
mod availability;
mod conformance;
mod execution_sizes;
mod explanations;
mod five;
mod messages;
mod operands;
mod real;
mod tables;

use genvisa::text::Document;
use std::collections::BTreeSet;
use std::fmt::Write;

use genvisa::Platform;
use genvisa::object::{Attribute, Code, Kernel};
use genvisa::text::parse;
use genvisa::verify::{self, Group, Verifier, rules};
use genvisa::{Format, Instruction, Module, Version};

/// A module that violates a rule and a module that satisfies it.
pub struct Case {
    pub rule: &'static str,
    pub platform: Option<Platform>,
    pub format: Format,
    /// Whether the module is converted to dialect `Manual` after assembly and changes.
    pub as_manual: bool,
    pub violating: Source,
    pub legal: Source,
}

/// The text of a module, and a change to the module after assembly.
#[derive(Clone)]
pub struct Source {
    pub text: String,
    change: fn(&mut Module<'static>),
}

impl From<&str> for Source {
    fn from(text: &str) -> Source {
        Source { text: text.into(), change: |_| {} }
    }
}

/// A text whose module is changed after assembly.
impl From<(&str, fn(&mut Module<'static>))> for Source {
    fn from((text, change): (&str, fn(&mut Module<'static>))) -> Source {
        Source { text: text.into(), change }
    }
}

/// Returns a case in Igc2022 3.6 without a platform.
pub fn case(rule: &'static str, violating: impl Into<Source>, legal: impl Into<Source>) -> Case {
    let format = Format::igc2022(Version::V3_6);
    let (violating, legal) = (violating.into(), legal.into());
    Case { rule, platform: None, format, as_manual: false, violating, legal }
}

/// Returns a case in 4.2 without a platform.
pub fn case_4_2(
    rule: &'static str,
    violating: impl Into<Source>,
    legal: impl Into<Source>,
) -> Case {
    case(rule, violating, legal).format(Format::V4_2)
}

impl Case {
    /// Sets the platform.
    pub fn on(self, platform: Platform) -> Case {
        Case { platform: Some(platform), ..self }
    }

    /// Sets the format.
    pub fn format(self, format: Format) -> Case {
        Case { format, ..self }
    }

    /// Converts the modules to dialect `Manual`. The text remains in Igc2022.
    pub fn in_manual(self) -> Case {
        Case { as_manual: true, ..self }
    }
}

/// The declarations of every case: variables such as `ud_8` (type, number of elements), all aligned
/// to registers, predicates, address variables, samplers S0 and S1, surfaces T6 and T7.
pub fn prologue(format: Format) -> String {
    let mut text = String::from(".version 3.6\n.kernel \"k\"\n");
    let mut types = vec!["ub", "b", "uw", "w", "ud", "d", "uq", "q", "hf", "f", "df", "bf"];
    if format == Format::V4_2 {
        text = text.replace("3.6", "4.2");
        types.extend(["tf32", "hf8", "bf8", "e2m1"]);
    }
    for ty in types {
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

/// Returns one of the two modules of a case.
pub fn module(case: &Case, source: &Source) -> Module<'static> {
    let (declarations, code): (Vec<&str>, Vec<&str>) =
        source.text.lines().map(str::trim).partition(|line| line.starts_with('.'));
    let (declarations, code) = (declarations.join("\n"), code.join("\n"));
    let text = format!("{}{declarations}\n{code}\n", prologue(case.format));
    let mut module = parse(&text, case.format)
        .unwrap_or_else(|errors| panic!("{}: {}\n{}", case.rule, errors[0], source.text));
    (source.change)(&mut module);
    if case.as_manual {
        convert_to_manual(&mut module);
    }
    module
}

/// Encodes the instructions of a module of one kernel in dialect `Manual`.
fn convert_to_manual(module: &mut Module<'static>) {
    let code = &mut module.kernels[0].body.code;
    let instructions: Result<Vec<_>, _> = code.instructions(module.format).collect();
    let instructions = instructions.expect("valid code").into_iter().map(|item| item.1);
    let instructions: Vec<Instruction> = instructions.collect();
    module.format = Format::MANUAL;
    *code = Code::from_instructions(&instructions, module.format).expect("one of the five");
}

/// Returns the verifier for a case, which applies the rules of all groups.
pub fn verifier(case: &Case) -> Verifier {
    let verifier = Verifier::new().with_groups(Group::ALL);
    match case.platform {
        Some(platform) => verifier.with_platform(platform),
        None => verifier,
    }
}

/// Returns the names of the rules that a module violates.
fn violated_rules(case: &Case, source: &Source) -> BTreeSet<&'static str> {
    verifier(case)
        .check_module(&module(case, source))
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
        let found = violated_rules(case, &case.violating);
        if found != BTreeSet::from([case.rule]) {
            wrong.push(format!("{}: `{}` violates {found:?}", case.rule, case.violating.text));
        }
        let found = violated_rules(case, &case.legal);
        if !found.is_empty() {
            wrong.push(format!("{}: `{}` violates {found:?}", case.rule, case.legal.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rules_of_the_five_pages() {
    check(&five::cases());
}

#[test]
fn rules_of_operands() {
    check(&operands::cases());
}

#[test]
fn rules_of_tables_and_labels() {
    check(&tables::cases());
}

#[test]
fn rules_of_arithmetic_logic_and_moves() {
    check(&arithmetic::cases());
}

#[test]
fn rules_of_messages_and_control_flow() {
    check(&messages::cases());
}

#[test]
fn every_rule_has_a_case() {
    let cases = all_cases();
    let tested: BTreeSet<&str> = cases.iter().map(|case| case.rule).collect();
    let all: BTreeSet<&str> = rules().map(|rule| rule.name).collect();
    assert_eq!(tested, all);
}

/// Otherwise, findings in a file with a long name could be far larger than the file.
#[test]
fn findings_contain_only_the_beginning_of_a_long_name() {
    let name = "\u{e9}".repeat(3000);
    let mut module = Module::new(Format::igc2022(Version::V3_6));
    let mut kernel = Kernel::new(&name);
    let attribute = kernel.body.intern(&name);
    kernel.body.attributes.push(Attribute::flag(attribute));
    module.kernels.push(kernel);
    let verifier = Verifier::new().with_groups(Group::ALL);
    let findings = verifier.check_module(&module);
    assert!(findings.iter().any(|finding| finding.rule.name == "attr-known"), "{findings:?}");
    for finding in findings {
        assert!(finding.to_string().len() < 600, "{finding}");
        assert!(finding.to_string().contains('\u{2026}'), "{finding}");
    }
}

#[test]
fn findings_about_tables_do_not_refer_to_the_previous_routine() {
    let format = Format::igc2022(Version::V3_6);
    let mut module = parse(".version 3.6\n.kernel \"a\"\nLOC 1\n", format).expect("legal text");
    let mut second = Kernel::new("b");
    second.body.strings.clear();
    module.kernels.push(second);
    let verifier = Verifier::new().warn("string-count").expect("a rule");
    let findings = verifier.check_module(&module);
    let counts: Vec<_> = findings.iter().filter(|f| f.rule.name == "string-count").collect();
    let [finding] = counts[..] else { panic!("{findings:?}") };
    assert_eq!((finding.routine, finding.instruction, finding.offset), (Some(1), None, None));
}

#[test]
fn labels_have_names_of_up_to_1024_bytes() {
    let format = Format::igc2022(Version::V3_6);
    let mut module = parse(".version 3.6\n.kernel \"k\"\nhere:\n", format).expect("legal text");
    for (length, is_legal) in [(1024, true), (1025, false)] {
        let body = &mut module.kernels[0].body;
        body.labels[0].name = body.intern(&"x".repeat(length));
        let verifier = Verifier::new().warn("name-length").expect("a rule");
        let findings = verifier.check_module(&module);
        let is_found = findings.iter().any(|finding| finding.rule.name == "name-length");
        assert_eq!(is_found, !is_legal, "{length}");
    }
}

#[test]
fn messages_use_declared_names() {
    let text = ".version 3.6\n.kernel \"k\"
        .decl x v_type=G type=ud num_elts=8 align=GRF
        .decl wide v_type=P num_elts=64
        jmp (M1, 1) loop
        mov (M1, 16) x(0,0)<1> 0x1:ud
        dp4a (M1, 8) x(0,0)<1> x(0,0)<8;8,1> x(0,0)<8;8,1> x(0,0)<8;8,1>
        loop:\n";
    let mut assembly =
        Document::parse(text, Format::igc2022(Version::V3_6)).into_result().expect("valid text");
    // The assembler rejects an undefined label.
    let format = assembly.module.format;
    let code = &mut assembly.module.kernels[0].body.code;
    let instructions = code.instructions(format).map(|item| item.expect("valid code").1);
    let mut instructions: Vec<Instruction> = instructions.collect();
    instructions.pop();
    *code = Code::from_instructions(&instructions, format).expect("encodable");

    let verifier = Verifier::new().with_platform(Platform::Skl);
    let mut findings = verifier.check_module(&assembly.module);
    findings.iter_mut().for_each(|finding| finding.offset = None);
    let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
    let expected = [
        "error[pred-elements]: kernel `k`, predicate 0 `wide`, num_elements: expected 1, 2, 4, 8, \
         16 or 32, found 64",
        "error[operand-bounds]: kernel `k`, instruction 1 mov, dst: accesses bytes 0 to 63 of `x`, \
         which has 32 bytes",
        "error[opcode-platform]: kernel `k`, instruction 2 dp4a: `dp4a` is not available on SKL: it exists \
         since TGLLP",
        "error[label-undefined]: kernel `k`, label 0 `loop`: used but never defined",
    ];
    assert_eq!(lines, expected);

    let diagnostics = verify::diagnostics(&findings, &assembly.source_map, text);
    let lines: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    let expected = [
        "predicate `wide`, num_elements: expected 1, 2, 4, 8, 16 or 32, found 64",
        "mov, dst: accesses bytes 0 to 63 of `x`, which has 32 bytes",
        "`dp4a` is not available on SKL: it exists since TGLLP",
        "label `loop`: used but never defined",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn newer_compilers_refuse_more() -> Result<(), Box<dyn std::error::Error>> {
    let text = ".version 4.2\n.kernel \"k\"
        .decl a v_type=G type=tf32 num_elts=16 align=GRF
        .decl b v_type=G type=d num_elts=16 align=GRF
        mov (M1, 16) a(0,0)<1> b(0,0)<1;1,0>\n";
    let module = parse(text, Format::V4_2).expect("valid text");
    let findings = |compiler: &str| -> Result<_, Box<dyn std::error::Error>> {
        let verifier = Verifier::new().with_platform(Platform::Xe2);
        let findings = verifier.with_compiler(compiler.parse()?).check_module(&module);
        Ok(findings.iter().map(|f| (f.rule.name, f.severity)).collect::<Vec<_>>())
    };
    assert_eq!(findings("2.40.14")?, []);
    assert_eq!(findings("2.41")?, [("mov-tf32", verify::Severity::Error)]);
    Ok(())
}

/// IGC 2.40.0 to 2.40.5 check the alignment of inputs of DPAS, and newer ones their offsets.
#[test]
fn a_range_of_compilers_enforces_a_rule() -> Result<(), Box<dyn std::error::Error>> {
    let findings =
        |align: &str, offset: u16, compiler: &str| -> Result<_, Box<dyn std::error::Error>> {
            let text = format!(
                ".version 4.2\n.kernel \"k\"
            .decl x v_type=G type=d num_elts=8 align={align}
            .decl f v_type=G type=f num_elts=16 align=GRF
            .decl d v_type=G type=d num_elts=128 align=GRF
            .input x offset={offset} size=32
            dpas.hf.hf.8.1 (M1, 16) f.0 f.0 d.0 x(0,0)\n"
            );
            let module = parse(&text, Format::V4_2).expect("valid text");
            let verifier = Verifier::new().with_platform(Platform::Xe2);
            let findings = verifier.with_compiler(compiler.parse()?).check_module(&module);
            Ok(findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
        };
    for compiler in ["2.39", "2.40.6", "2.40.14"] {
        assert_eq!(findings("oword", 160, compiler)?, "", "{compiler}");
    }
    for compiler in ["2.40.0", "2.40.5"] {
        let findings = findings("oword", 160, compiler)?;
        assert!(findings.starts_with("error[dpas-input-declared]"), "{findings}");
        assert!(findings.contains("IGC 2.40.0 to before 2.40.6"), "{findings}");
    }
    for compiler in ["2.39", "2.40.5"] {
        assert_eq!(findings("GRF", 208, compiler)?, "", "{compiler}");
    }
    for compiler in ["2.40.6", "2.41"] {
        let findings = findings("GRF", 208, compiler)?;
        assert!(findings.starts_with("error[dpas-input-aligned]"), "{findings}");
    }
    Ok(())
}

#[test]
fn names_of_platforms_do_not_depend_on_case() {
    for platform in Platform::ALL {
        for name in [platform.name()].iter().chain(platform.devices()) {
            for name in [name.to_lowercase(), name.to_uppercase()] {
                assert_eq!(name.parse(), Ok(*platform), "{name}");
            }
        }
        for name in [platform.igc_name().to_lowercase(), platform.igc_name().to_uppercase()] {
            assert_eq!(Platform::from_igc_name(&name), Some(*platform), "{name}");
        }
    }
}

#[test]
fn the_last_level_of_a_rule_has_precedence_over_its_group() -> Result<(), verify::UnknownRule> {
    // `same-type` is in group `manual`, `region-width` in group `igc`.
    let text = ".version 3.6\n.kernel \"k\"
        .decl d v_type=G type=d num_elts=16 align=GRF
        .decl u v_type=G type=ud num_elts=16 align=GRF
        mulh (M1, 8) d(0,0)<1> d(0,0)<8;8,1> u(0,0)<8;8,1>
        mov (M1, 8) d(0,0)<1> d(0,0)<16;16,1>\n";
    let module = parse(text, Format::igc2022(Version::V3_6)).expect("valid text");
    let levels = |verifier: Verifier| {
        let findings = verifier.check_module(&module);
        let level = |name| {
            let finding = findings.iter().find(|finding| finding.rule.name == name);
            finding.map_or("none".into(), |finding| finding.severity.to_string())
        };
        [level("same-type"), level("region-width")]
    };
    let new = Verifier::new;
    assert_eq!(levels(new()), ["none", "error"]);
    assert_eq!(levels(new().with_groups([Group::Manual])), ["warning", "none"]);
    assert_eq!(levels(new().with_groups([])), ["none", "none"]);
    assert_eq!(levels(new().with_groups([]).warn("region-width")?), ["none", "warning"]);
    assert_eq!(levels(new().warn("manual")?.warn("igc")?), ["warning", "warning"]);
    assert_eq!(levels(new().deny("same-type")?.allow("manual")?), ["error", "error"]);
    assert_eq!(levels(new().deny("same-type")?.allow("same-type")?), ["none", "error"]);
    assert_eq!(levels(new().allow("igc")?.deny("manual")?), ["error", "none"]);
    assert_eq!(levels(new().deny("warnings")?.warn("same-type")?), ["error", "error"]);
    assert_eq!(levels(new().deny("warnings")?), ["none", "error"]);
    assert!(new().allow("warnings").is_err());
    Ok(())
}

#[test]
fn names_are_unique_and_statements_are_sentences() {
    let mut names = BTreeSet::new();
    for rule in rules() {
        assert!(names.insert(rule.name), "two rules {}", rule.name);
        let is_kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(rule.name.chars().all(is_kebab), "{}", rule.name);
        assert!(rule.statement.ends_with('.'), "{}: {}", rule.name, rule.statement);
        assert!(!rule.source.is_empty(), "{}", rule.name);
    }
}

/// Findings refer to the operand, and name the instruction as the text does.
#[test]
fn diagnostics_refer_to_the_text() {
    let source = "\
.version 4.2
.kernel \"k\"
.decl x v_type=G type=d num_elts=8 align=GRF
.decl a v_type=G type=ud num_elts=8 align=GRF
    add (M1, 16) x(0,0)<1> x(0,0)<8;8,1> 0x1:d
    add (M1, 8) x(0,0)<1> /* 1 */ x(0,0)<16;8,1> 0x1:d // outside
    lsc_load.ugm (M1, 8) x:d32 flat[a]:a32
";
    let assembly = Document::parse(source, Format::V4_2)
        .into_result()
        .unwrap_or_else(|errors| panic!("{errors}"));
    let verifier = Verifier::new().with_platform(Platform::Skl);
    let findings = verifier.check_module(&assembly.module);
    let diagnostics = verify::diagnostics(&findings, &assembly.source_map, source);
    let found: Vec<_> = diagnostics
        .iter()
        .map(|finding| (&source[finding.span.clone()], finding.to_string()))
        .collect();
    let has = |operand: &str, message: &str| {
        let mut texts = found.iter();
        assert!(texts.any(|(at, text)| *at == operand && text.contains(message)), "{found:#?}");
    };
    has("x(0,0)<1>", "add, dst: accesses bytes 0 to 63 of `x`");
    has("lsc_load.ugm (M1, 8) x:d32 flat[a]:a32", "`lsc_load` is not available on SKL");
}

/// A finding about a field refers to what states it, which may be a part of an operand.
#[test]
fn diagnostics_refer_to_parts_of_operands() {
    let source = "\
.version 4.2
.kernel \"k\"
.decl x v_type=G type=d num_elts=64 align=GRF
.decl a v_type=G type=uq num_elts=16 align=GRF
    lsc_load.ugm (M1, 16) x:d8u32x2 flat[a]:a64
";
    let assembly = Document::parse(source, Format::V4_2).into_result().expect("a correct text");
    let findings = Verifier::new().with_platform(Platform::Dg2).check_module(&assembly.module);
    let diagnostics = verify::diagnostics(&findings, &assembly.source_map, source);
    let found: Vec<_> = diagnostics.iter().map(|finding| &source[finding.span.clone()]).collect();
    assert_eq!(found, ["x2"], "{diagnostics}");
}

/// A caller's slip: the findings of one text with another.
#[test]
fn diagnostics_accept_any_source() {
    let body = "    mov (M1, 16) x(0,0)<1> 0x1:d\n".repeat(20);
    let text = format!(
        ".version 3.6\n.kernel \"k\"\n.decl x v_type=G type=d num_elts=8 align=GRF\n{body}"
    );
    let assembly = Document::parse(&text, Format::default()).into_result().expect("a correct text");
    let findings = Verifier::new().check_module(&assembly.module);
    assert_eq!(findings.len(), 20);
    let lines: Vec<&str> = text.lines().rev().collect();
    let others = [
        String::new(),
        "\u{e9}".repeat(400),
        lines.join("\n"),
        text[..200].into(),
        text[7..].into(),
    ];
    for other in others.iter().map(String::as_bytes).chain([&[0xff; 1000][..], &[b'\n'; 1000]]) {
        let diagnostics = verify::diagnostics(&findings, &assembly.source_map, other);
        assert_eq!(diagnostics.len(), 20);
        diagnostics.to_string();
    }
}
