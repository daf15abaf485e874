//! Findings from the diagnostics of the parser and the verifier.

use alloc::format;
use alloc::string::String;
use core::ops::Range;

use genvisa::text::{Diagnostic, Diagnostics, nearest};

use super::{Check, line_of};
use crate::constraint::Kind;
use crate::finding::{Finding, Place};
use crate::rules;
use crate::statement::Form;
use crate::template::UseKind;

/// The rule about accesses beyond the end of a variable.
const OPERAND_BOUNDS: &str = "operand-bounds";

impl Check<'_> {
    /// Reports the errors or warnings of the parser.
    pub(super) fn report_all(&mut self, diagnostics: &Diagnostics, header: usize) {
        for diagnostic in diagnostics {
            self.report_diagnostic(diagnostic, header);
        }
    }

    pub(super) fn report_diagnostic(&mut self, diagnostic: &Diagnostic, header: usize) {
        let Range { start, end } = diagnostic.span;
        let Some(start) = start.checked_sub(header) else { return };
        let end = end.max(header) - header;
        let text = &self.expansion.text;
        // What follows the template is not part of it.
        if start > text.len() {
            return;
        }
        // An error after the last line is about the line end.
        let span = start..end.min(text.len()).max(start);
        let line = line_of(text, span.start);
        let number = self.line_number(line.start);
        if self.line.is_some_and(|only| only != number) {
            return;
        }
        let written = self.original(span.clone());
        let mut help = match &diagnostic.replacement {
            // The name that replaces an operand is not similar to what the template writes.
            Some(name) if self.report.substitutes.operand(name).is_some() => {
                self.similar_operand(&written, true)
            }
            _ => {
                let help = diagnostic.help.as_deref().map(|help| self.with_template_names(help));
                help.or_else(|| self.similar_operand(&written, false))
            }
        };
        for one in self.expansion.uses_in(&line) {
            match one.kind {
                // The error in the line has been reported.
                UseKind::Illegal => return,
                // What precedes the constant does not depend on it.
                UseKind::UnknownLiteral(_)
                    if diagnostic.rule.is_some() || one.span.start <= span.end =>
                {
                    return;
                }
                UseKind::Unknown(_) if self.line.is_none() => {
                    self.doubtful.insert(number);
                    return;
                }
                _ => {}
            }
        }
        let mut rule = diagnostic.rule.unwrap_or(rules::SYNTAX);
        if diagnostic.rule.is_none() {
            // The token at fault, or the one before it.
            let constant = self.expansion.uses_in(&span).find_map(|one| match one.kind {
                UseKind::Operand(number) => Some((number, self.operands.get(number)?.kind)),
                _ => None,
            });
            match constant {
                Some((number, Kind::Literal)) => {
                    let operand = self.written(number);
                    help = Some(format!(
                        "constraint `i` writes {operand} with its type; `P` writes the number only"
                    ));
                }
                Some((number, Kind::Number)) if is_about_type(diagnostic) => {
                    rule = rules::UNTYPED_P.name;
                    let operand = self.written(number);
                    help = Some(format!(
                        "constraint `P` writes {operand} as a number: append a type such as `:d`, \
                         or write constraint `i`"
                    ));
                }
                _ => {}
            }
        }
        if diagnostic.rule == Some(OPERAND_BOUNDS) {
            help = self.region_of_uniform(&span).or(help);
        }
        let number = written.strip_prefix('%').unwrap_or_default();
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && self.statement.form == Form::Llvm {
            help = Some(format!("in LLVM IR, operand {number} is `${number}`"));
        }
        let message = self.with_template_names(&format!("{diagnostic}"));
        let place = Place::Template(self.expansion.origin(span));
        self.report.findings.push(Finding {
            severity: diagnostic.severity,
            rule,
            place,
            message,
            help,
        });
    }

    /// Suggests an operand for a name that is not declared.
    fn similar_operand(&self, word: &str, is_similar: bool) -> Option<String> {
        let names = || self.statement.operands.iter().filter_map(|operand| operand.name.as_deref());
        let same = names().find(|name| *name == word);
        let name = same.or_else(|| nearest(word, names()).filter(|_| is_similar))?;
        Some(format!("did you mean `%[{name}]`?"))
    }

    /// Returns a help if a source with one value for all lanes is read with the region of a vector.
    fn region_of_uniform(&self, span: &Range<usize>) -> Option<String> {
        let operand = self.expansion.uses_in(span).find_map(|one| match one.kind {
            UseKind::Operand(number) => Some(number),
            _ => None,
        })?;
        self.operands.get(operand).filter(|resolved| resolved.is_uniform)?;
        let written = self.written(operand);
        Some(format!("{written} has one value for all lanes (`rw.u`): its region is `<0;1,0>`"))
    }

    /// Returns an operand as the template refers to it, in backticks.
    pub(super) fn written(&self, number: usize) -> String {
        format!("`{}`", self.report.substitutes.written(number))
    }

    /// Replaces the names in a message with the names in the template.
    fn with_template_names(&self, message: &str) -> String {
        let mut result = String::new();
        for (index, part) in message.split('`').enumerate() {
            if index > 0 {
                result.push('`');
            }
            // In C, `%null` is written `%%null`.
            if index % 2 == 1 && self.statement.form == Form::Gnu && part.starts_with('%') {
                result.push('%');
            }
            result += &self.report.substitutes.restore(part);
        }
        result
    }
}

/// Returns whether an error is about a missing type.
fn is_about_type(diagnostic: &Diagnostic) -> bool {
    diagnostic.expected.as_ref().is_some_and(|expected| expected.contains("type"))
}
