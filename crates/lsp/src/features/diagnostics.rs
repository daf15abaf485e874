//! Diagnostics: the errors of the parser, and the findings of the verifier and of the checker.

use genvisa::error::Severity;
use genvisa::verify::{rule, rule_url};
use lsp_types::{CodeDescription, Diagnostic, DiagnosticSeverity, NumberOrString};

use super::Context;
use crate::languages::Problem;

/// Returns the diagnostics of a document.
pub fn diagnostics(context: Context<'_>) -> Vec<Diagnostic> {
    context.problems().iter().map(|problem| diagnostic(context, problem)).collect()
}

/// Returns a problem as a diagnostic of the protocol.
pub fn diagnostic(context: Context<'_>, problem: &Problem) -> Diagnostic {
    let message = match &problem.help {
        Some(help) => format!("{}\nhelp: {help}", problem.message),
        None => problem.message.clone(),
    };
    let has_page = |name: &&String| rule(name).or_else(|| genvisa_inline::rule(name)).is_some();
    let page = problem.rule.as_ref().filter(has_page).and_then(|name| rule_url(name).parse().ok());
    Diagnostic {
        range: context.range(&problem.span),
        severity: Some(match problem.severity {
            Some(Severity::Error) => DiagnosticSeverity::ERROR,
            Some(Severity::Warning) => DiagnosticSeverity::WARNING,
            None => DiagnosticSeverity::INFORMATION,
        }),
        code: problem.rule.clone().map(NumberOrString::String),
        code_description: page.map(|href| CodeDescription { href }),
        source: Some(crate::settings::SECTION.into()),
        message,
        ..Diagnostic::default()
    }
}
