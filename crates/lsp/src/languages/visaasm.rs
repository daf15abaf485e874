//! Text of vISA.

use genvisa::Platform;
use genvisa::error::Severity;
use genvisa::text::{Diagnostic, Document};
use genvisa::verify::Finding;

use super::{Fix, Parsed, Problem};
use crate::program::{Place, Program};
use crate::settings::Settings;

/// The largest number of findings of a document. More are of no use in an editor.
const MAX_FINDINGS: usize = 1000;

/// Parses a text.
pub(super) fn parse(text: &str, settings: &Settings) -> Parsed {
    let program = Program::new(text, settings.options, settings.platform, Place::Document);
    Parsed { programs: vec![program], ..Parsed::default() }
}

/// Verifies a text.
pub(super) fn problems(program: &Program, settings: &Settings) -> Vec<Problem> {
    let mut problems = Vec::new();
    let document = &program.recorded.document;
    let as_error = |diagnostic: &Diagnostic| Problem {
        severity: Some(Severity::Error),
        ..Problem::new(diagnostic)
    };
    problems.extend(document.errors.iter().map(as_error));
    problems.extend(document.duplicates.iter().map(as_error));
    problems.extend(document.warnings.iter().map(Problem::new));
    problems.extend(document.newer_version_warning().as_ref().map(Problem::new));
    let findings = findings(document, settings, program.platform).into_iter();
    problems.extend(findings.map(|mut finding| {
        // The offset refers to a file.
        finding.offset = None;
        let text = program.text.as_bytes();
        let mut problem = Problem::new(&finding.to_diagnostic(&program.recorded, text));
        if let Some((span, text)) = finding.alignment_edit(&program.recorded, text) {
            let title = format!("Declare with `{}`", text.trim());
            problem.fixes.push(Fix { title, span, text });
        }
        problem
    }));
    problems.extend(missing_platform(program));
    problems.sort_by_key(|problem| problem.span.start);
    problems
}

/// Returns the findings of the verifier.
fn findings(document: &Document, settings: &Settings, platform: Option<Platform>) -> Vec<Finding> {
    let mut findings = Vec::new();
    settings.verifier(platform).visit_module(&document.module, |finding| {
        if findings.len() < MAX_FINDINGS {
            findings.push(finding);
        }
    });
    findings
}

/// Returns a note if rules are skipped because the platform is not known, with platforms to state.
fn missing_platform(program: &Program) -> Option<Problem> {
    let bytes = program.recorded.document.assumed_register_size(program.platform)?;
    let header = program.recorded.routines.first()?.header.clone();
    let end = program.text.len();
    let line_end = if program.text.ends_with('\n') { "" } else { "\n" };
    let fixes = Platform::ALL.iter().rev().map(|platform| Fix {
        title: format!("State the platform {platform}"),
        span: end..end,
        text: format!("{line_end}\n//Platform: {}\n", platform.igc_name()),
    });
    Some(Problem {
        span: header,
        severity: None,
        rule: None,
        message: format!(
            "no known `//Platform:` and no platform in the settings: registers of {bytes} bytes are \
             assumed, and rules for some platforms only are not applied"
        ),
        help: None,
        fixes: fixes.collect(),
    })
}

impl Problem {
    /// Returns a diagnostic about the text of the document.
    pub(super) fn new(diagnostic: &Diagnostic) -> Problem {
        let fix = diagnostic.replacement.as_ref().map(|text| Fix {
            title: format!("Replace with `{text}`"),
            span: diagnostic.span.clone(),
            text: text.clone(),
        });
        Problem {
            span: diagnostic.span.clone(),
            severity: Some(diagnostic.severity),
            rule: diagnostic.rule.map(Into::into),
            message: diagnostic.to_string(),
            help: diagnostic.help.clone(),
            fixes: fix.into_iter().collect(),
        }
    }
}
