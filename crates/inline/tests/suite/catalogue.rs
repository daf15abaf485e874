//! Typical templates with the verdicts of the compiler and the findings of this crate, in
//! `tests/data/inline-cases.txt`.

use std::fmt::Write;
use std::path::Path;

use genvisa::text::line_and_column;
use genvisa::verify::Severity;
use genvisa_inline::{
    AddressSpace, Checker, Element, Finding, Form, Lanes, Operand, Place, Statement, Type,
};

const FILE: &str = "tests/data/inline-cases.txt";
const CASES: &str = include_str!("../data/inline-cases.txt");

/// A case of the file.
#[derive(Clone)]
pub struct Case {
    pub name: &'static str,
    /// The device, as in option `-device` of ocloc.
    pub device: &'static str,
    pub lanes: Lanes,
    types: &'static str,
    pub operands: &'static str,
    pub template: String,
    pub verdict: &'static str,
    /// The reason why the findings differ from the verdict.
    reason: Option<&'static str>,
    findings: Vec<&'static str>,
}

/// Returns the cases of the file.
pub fn cases() -> Vec<Case> {
    CASES.split("\n== ").skip(1).map(case).collect()
}

fn case(text: &'static str) -> Case {
    let (name, rest) = text.split_once('\n').expect("a name");
    let value =
        |key: &str| rest.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    let template: Vec<String> = rest
        .lines()
        .filter_map(|line| line.strip_prefix('|'))
        .map(|line| line.strip_prefix(' ').unwrap_or(line).replace("\\x01", "\x01"))
        .collect();
    let is_finding = |line: &&str| line.starts_with("error[") || line.starts_with("warning[");
    let lanes = value("lanes").map_or(Ok(16), str::parse).expect("a number of lanes");
    Case {
        name,
        device: value("device").unwrap_or("bmg"),
        lanes: Lanes::from_count(lanes).expect("8, 16 or 32 lanes"),
        types: value("types").expect("types"),
        operands: value("operands").expect("operands"),
        template: template.join("\n"),
        verdict: value("compiler").expect("a verdict"),
        reason: value("reason"),
        findings: rest.lines().filter(is_finding).collect(),
    }
}

impl Case {
    /// Returns the message of the compiler if every finding is about a rule.
    pub fn words(&self, rule: &str) -> Option<&'static str> {
        let rule = format!("[{rule}]");
        let is_about_rule =
            !self.findings.is_empty() && self.findings.iter().all(|it| it.contains(&rule));
        self.verdict.strip_prefix("refused: ").filter(|_| is_about_rule)
    }

    /// Returns the element type of `x` and `y`.
    fn element(&self) -> Element {
        let name = self.types.trim_start_matches("global ").trim_end_matches("* p");
        match name {
            "int" => Element::I32,
            "long" => Element::I64,
            "char" => Element::I8,
            "half" => Element::Half,
            "float" => Element::Float,
            "double" => Element::Double,
            name => panic!("{}: unknown type {name}", self.name),
        }
    }

    fn operand(&self, text: &str, is_output: bool) -> Operand {
        let (constraint, rest) =
            text.trim_start_matches('"').split_once("\"(").expect("a constraint");
        let element = match rest.trim_end_matches(')') {
            "p" => Element::Pointer(AddressSpace::Global),
            _ => self.element(),
        };
        let operand = match is_output {
            true => Operand::output(constraint),
            false => Operand::input(constraint),
        };
        operand.with_type(Type { element, components: 1 })
    }

    pub fn statement(&self) -> Statement {
        let (outputs, inputs) = self.operands.split_once(" : ").unwrap_or((self.operands, ""));
        let operands = |list: &str, is_output| -> Vec<Operand> {
            let texts = list.split(',').filter(|text| !text.trim_matches([' ', ':']).is_empty());
            texts.map(|text| self.operand(text, is_output)).collect()
        };
        let mut all = operands(outputs, true);
        all.extend(operands(inputs, false));
        Statement {
            template: self.template.clone().into_bytes(),
            form: Form::Gnu,
            operands: all,
            ..Statement::default()
        }
    }

    /// Returns the kernel in OpenCL C that contains the template.
    pub fn kernel(&self) -> String {
        let template =
            self.template.replace('"', "\\\"").replace('\n', "\\n").replace('\x01', "\\x01");
        let (before, after) = self.around();
        format!("{before}__asm__ volatile (\"{template}\" : {}){after}", self.operands)
    }

    /// Returns the parts of the kernel before and after the statement.
    pub fn around(&self) -> (String, &'static str) {
        let (parameter, element) = match self.types.strip_suffix("* p") {
            Some(ty) => (self.types, ty.trim_start_matches("global ")),
            None => ("global int* p", "int"),
        };
        let before = format!(
            "__attribute__((intel_reqd_sub_group_size({})))\n\
             kernel void k({parameter}) {{\n\
             {element} x = p[get_global_id(0)]; {element} y = 0;\n",
            self.lanes
        );
        (before, ";\np[get_global_id(0)] = y;\n}\n")
    }

    /// Returns a checker for the device, which assumes no number of lanes.
    pub fn checker(&self) -> Checker {
        Checker::new().with_platform(self.device.parse().expect("a device"))
    }

    pub fn with_template(&self, template: String) -> Case {
        Case { template, ..self.clone() }
    }

    /// Returns whether the compiler accepts the template, and there are no errors.
    pub fn is_legal(&self) -> bool {
        self.verdict.starts_with("accepted")
            && !self.findings.iter().any(|line| line.starts_with("error["))
    }
}

/// Returns a finding as a line of the file.
fn line(finding: &Finding, template: &str) -> String {
    let place = match &finding.place {
        Place::Template(span) => {
            let (line, column) = line_and_column(template.as_bytes(), span.start);
            let text = &template[span.clone()];
            format!("{line}:{column} `{}`", text.replace('\x01', "\\x01"))
        }
        place => format!("{place:?}"),
    };
    let mut line = format!("{}[{}] {place}: {}", finding.severity, finding.rule, finding.message);
    if let Some(help) = &finding.help {
        write!(line, " ({help})").expect("writing to a string");
    }
    line
}

fn findings(case: &Case) -> Vec<Finding> {
    case.checker().with_lanes(case.lanes).check(&case.statement()).findings
}

fn has_errors(case: &Case) -> bool {
    findings(case).iter().any(|finding| finding.severity == Severity::Error)
}

/// The findings are written to the file if `GENVISA_BLESS` is set.
#[test]
fn reports_the_stated_findings() {
    let mut wrong = String::new();
    let mut blessed = String::from(CASES.split_once("\n== ").expect("a case").0);
    for (case, text) in cases().iter().zip(CASES.split("\n== ").skip(1)) {
        let found = findings(case);
        let lines: Vec<String> = found.iter().map(|f| line(f, &case.template)).collect();
        if lines != case.findings {
            let expected = case.findings.join("\n  ");
            writeln!(wrong, "{}:\n  {expected}\nfound:\n  {}", case.name, lines.join("\n  "))
                .expect("writing to a string");
        }
        let is_finding = |line: &&str| line.starts_with("error[") || line.starts_with("warning[");
        let kept: Vec<&str> = text.trim_end().lines().filter(|line| !is_finding(line)).collect();
        write!(blessed, "\n== {}\n", kept.join("\n")).expect("writing to a string");
        for line in lines {
            writeln!(blessed, "{line}").expect("writing to a string");
        }
    }
    if std::env::var_os("GENVISA_BLESS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
        std::fs::write(path, blessed).expect("writing the cases");
        return;
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn errors_match_the_verdicts_unless_a_reason_is_stated() {
    let mut wrong = Vec::new();
    let mut reasons = 0;
    for case in &cases() {
        let has_error = has_errors(case);
        let is_accepted = case.verdict.starts_with("accepted");
        reasons += usize::from(case.reason.is_some());
        if (has_error == is_accepted) != case.reason.is_some() {
            wrong.push(format!("{}: {}, error: {has_error}", case.name, case.verdict));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cases().len() >= 200);
    assert!(reasons < 45, "{reasons}");
}

/// Inserts a word that no instruction has before each word of the templates without errors.
#[test]
fn no_part_of_a_template_is_ignored() {
    let mut count = 0;
    for mut case in cases() {
        let template = case.template.clone();
        if has_errors(&case) || template.contains("//") {
            continue;
        }
        let bytes = template.as_bytes();
        let is_start = |at: &usize| {
            let is_blank = |at: usize| bytes[at].is_ascii_whitespace();
            !is_blank(*at) && (*at == 0 || is_blank(at - 1))
        };
        for at in (0..bytes.len()).filter(is_start) {
            case.template = format!("{}@ {}", &template[..at], &template[at..]);
            assert!(has_errors(&case), "{}", case.template);
            count += 1;
        }
    }
    assert!(count > 400, "{count}");
}
