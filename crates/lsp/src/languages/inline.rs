//! Inline assembly in source files.

use std::collections::BTreeMap;
use std::ops::Range;

use genvisa::Format;
use genvisa::error::Severity;
use genvisa_inline::source::{self, Block, Content, Language};
use genvisa_inline::{Finding, Place as FindingPlace, Report, Statement};

use super::{Parsed, Problem, TemplateOperand};
use crate::program::{Place, Program};
use crate::settings::Settings;

/// Finds and checks the inline assembly of a source file.
pub(super) fn parse(text: &str, language: Language, settings: &Settings) -> Parsed {
    let found = source::find(text.as_bytes(), language);
    let checker = settings.checker();
    let mut parsed = Parsed::default();
    let mut problems = Vec::new();
    for (span, message) in &found.hint_errors {
        problems.push(error(span.clone(), message.clone(), None));
    }
    if let Some(problem) = found.error {
        let span = problem.offset..problem.offset;
        problems.push(error(span, problem.message, problem.help.map(String::from)));
    }
    for block in &found.blocks {
        let Content::Visa(statement) = &block.content else { continue };
        let Some(report) = block.check(&checker) else { continue };
        problems.extend(report.findings.iter().map(|finding| problem(finding, block)));
        let Some(program) = program(block, &report, settings) else { continue };
        parsed.operands.extend(operands(statement, block, &report, &program));
        parsed.programs.push(program);
    }
    problems.sort_by_key(|problem| problem.span.start);
    parsed.problems = problems.into();
    parsed
}

fn error(span: Range<usize>, message: String, help: Option<String>) -> Problem {
    let severity = Some(Severity::Error);
    Problem { span, severity, rule: None, message, help, fixes: Vec::new() }
}

/// Returns the bytes of the document that bytes of a template are written as.
fn span_in(block: &Block, span: &Range<usize>) -> Option<Range<usize>> {
    let map = &block.template_map;
    let start = map.get(span.start).map(|origin| origin.start as usize);
    let start = start.or_else(|| map.last().map(|origin| origin.end as usize))?;
    match span.end.checked_sub(1).filter(|_| !span.is_empty()).and_then(|last| map.get(last)) {
        // The parts of a template from several macros are in no order.
        Some(last) if last.end as usize >= start => Some(start..last.end as usize),
        _ => Some(start..start),
    }
}

fn problem(finding: &Finding, block: &Block) -> Problem {
    let span = match &finding.place {
        FindingPlace::Template(span) => span_in(block, span),
        FindingPlace::Operand(number) => block.constraint_spans.get(*number).cloned(),
        FindingPlace::Clobber(index) => block.clobber_spans.get(*index).cloned(),
    };
    Problem {
        span: span.unwrap_or_else(|| block.span.clone()),
        severity: Some(finding.severity),
        rule: Some(finding.rule.into()),
        message: finding.message.clone(),
        help: finding.help.clone(),
        fixes: Vec::new(),
    }
}

/// Returns the text that was checked, with its place in the document.
fn program(block: &Block, report: &Report, settings: &Settings) -> Option<Program> {
    if report.header.is_empty() || report.origins.len() != report.text.len() {
        return None;
    }
    let of_origin =
        |origin: &Range<u32>| span_in(block, &(origin.start as usize..origin.end as usize));
    let origins: Vec<Range<usize>> = report.origins.iter().map(of_origin).collect::<Option<_>>()?;
    // Offsets are searched for.
    if !origins.is_sorted_by_key(|origin| origin.start) {
        return None;
    }
    let span = origins.first()?.start..origins.last()?.end;
    let text = format!("{}{}", report.header, report.text);
    let substitutes = report.substitutes.clone();
    let place = Place::Template { span, header: report.header.len(), origins, substitutes };
    Some(Program::new(&text, Format::V4_2.into(), Some(settings.inline_platform()), place))
}

/// Returns the operands of a statement, with their uses.
fn operands(
    statement: &Statement,
    block: &Block,
    report: &Report,
    program: &Program,
) -> Vec<TemplateOperand> {
    let mut uses: BTreeMap<&str, Vec<Range<usize>>> = BTreeMap::new();
    for token in &program.recorded.tokens {
        if token.referent().is_some() {
            if let Some(span) = program.to_document(&token.span) {
                uses.entry(program.name(token)).or_default().push(span);
            }
        }
    }
    let template = match &program.place {
        Place::Template { span, .. } => span.clone(),
        Place::Document => 0..0,
    };
    let operands = statement.operands.iter().zip(&block.constraint_spans).enumerate();
    let operands = operands.map(|(number, (operand, constraint))| {
        let ty = operand.ty.map(|ty| format!(", type {ty}")).unwrap_or_default();
        let direction = if operand.is_output { "output" } else { "input" };
        let name = operand.name.as_ref().map(|name| format!(" `{name}`")).unwrap_or_default();
        TemplateOperand {
            constraint: constraint.clone(),
            description: format!(
                "{direction} operand {number}{name}, constraint `{}`{ty}",
                operand.constraint
            ),
            name: operand.name.clone(),
            template: template.clone(),
            uses: uses.remove(&*report.substitutes.variable(number)).unwrap_or_default(),
        }
    });
    operands.collect()
}
