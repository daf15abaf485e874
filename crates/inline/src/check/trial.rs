//! Lines with unknown parts: the findings that do not depend on the values of these parts.
//!
//! Several values are tried. If the parser accepts some of them, the findings that all of these have in
//! common are reported. If it accepts none, the error that occurs last in the line is reported.

use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use super::{Check, blank, line_of};
use crate::assumption::{Assumption, Part};
use crate::finding::{Finding, Place};
use crate::report::Report;
use crate::scan::{self, Scan, scan};
use crate::statement::Statement;
use crate::template::{UseKind, expand};

/// The maximum number of lines of a template for which values are tried.
const MAX_LINES: usize = 16;

/// The maximum number of bytes of text that are read for a line.
const MAX_BYTES: usize = 1 << 20;

/// The number of trials after which an error that all of them have in common is reported. An error that
/// is not about an unknown part rarely depends on its value.
const ENOUGH: usize = 4;

/// The result of a trial.
enum Outcome {
    Accepted(Vec<Finding>),
    Rejected(Finding),
}

impl Check<'_> {
    /// Reports the findings about doubtful lines that do not depend on the values of unknown parts.
    pub(super) fn try_values(&mut self) {
        for line in mem::take(&mut self.doubtful).into_iter().take(MAX_LINES) {
            let findings = self.findings_for_all_values(line);
            self.report.findings.extend(findings);
        }
    }

    fn findings_for_all_values(&self, line: usize) -> Vec<Finding> {
        let parts = self.parts_of(line);
        let statement = self.statement_of(line);
        let mut common: Option<Vec<Finding>> = None;
        let mut last: Option<Finding> = None;
        let mut same_errors = 0;
        let most = MAX_BYTES / (self.expansion.text.len() + 1);
        for (trials, assumption) in Assumption::all(&parts).take(most).enumerate() {
            match self.try_line(&statement, line, &assumption) {
                Outcome::Accepted(findings) => {
                    let all = common.take().unwrap_or_else(|| findings.clone());
                    let both: Vec<_> =
                        all.into_iter().filter(|one| findings.contains(one)).collect();
                    if both.is_empty() {
                        return both;
                    }
                    common = Some(both);
                }
                Outcome::Rejected(error) => {
                    same_errors += usize::from(last.as_ref().is_none_or(|last| *last == error));
                    if last.as_ref().is_none_or(|last| start(last) < start(&error)) {
                        last = Some(error);
                    }
                }
            }
            let is_enough = trials + 1 == ENOUGH && same_errors == ENOUGH;
            if is_enough && last.as_ref().is_some_and(|error| self.is_certain(error, &parts)) {
                break;
            }
        }
        match (common, last) {
            (Some(findings), _) => findings,
            (None, Some(error)) if self.is_certain(&error, &parts) => [error].into(),
            _ => Vec::new(),
        }
    }

    /// Returns the unknown parts in a line.
    fn parts_of(&self, line: usize) -> Vec<Part> {
        let mut parts = Vec::new();
        let first =
            self.expansion.uses.partition_point(|one| self.line_number(one.span.start) < line);
        for one in &self.expansion.uses[first..] {
            if self.line_number(one.span.start) != line {
                break;
            }
            if let UseKind::Unknown(part) = one.kind {
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
        parts
    }

    /// Returns the statement without the instructions of other lines: its substitution is faster.
    fn statement_of(&self, line: usize) -> Statement {
        let mut statement = self.statement.clone();
        for span in instructions_elsewhere(&self.expansion.text, self.scan, line) {
            blank(&mut statement.template, self.expansion.origin(span));
        }
        statement
    }

    /// Checks a line with assumed values.
    fn try_line(&self, statement: &Statement, line: usize, assumption: &Assumption) -> Outcome {
        let expansion =
            expand(statement, self.path, self.operands, &self.report.substitutes, assumption);
        let scan = scan(&expansion.text);
        let mut report = Report::new(self.path, self.report.substitutes.clone());
        let mut check = Check::new(
            self.checker,
            statement,
            self.context,
            self.operands,
            &expansion,
            &scan,
            &mut report,
        );
        check.line = Some(line);
        check.compiler_variables.clone_from(&self.compiler_variables);
        check.uses_surface = self.uses_surface;
        let mut source = check.source();
        for span in instructions_elsewhere(&expansion.text, &scan, line) {
            source.blank(span);
        }
        let is_accepted = check.assemble(source);
        match report.findings.pop() {
            Some(error) if !is_accepted => Outcome::Rejected(error),
            last => {
                report.findings.extend(last);
                Outcome::Accepted(report.findings)
            }
        }
    }

    /// Returns whether an error does not depend on unknown parts: it is not about one, and no hole,
    /// which may contain anything, precedes it.
    fn is_certain(&self, error: &Finding, parts: &[Part]) -> bool {
        let Place::Template(span) = &error.place else { return true };
        let is_near = |kind: UseKind, at: usize, end: usize| match kind {
            UseKind::Unknown(Part::Operand(_)) => at <= span.end && span.start <= end,
            UseKind::Unknown(part @ Part::Hole(_)) => at <= span.end && parts.contains(&part),
            _ => false,
        };
        !self.expansion.uses.iter().any(|one| {
            let origin = self.expansion.origin(one.span.clone());
            is_near(one.kind, origin.start, origin.end)
        })
    }
}

/// Returns the instructions in other lines than this one.
fn instructions_elsewhere<'t>(
    text: &'t [u8],
    scan: &'t Scan,
    line: usize,
) -> impl Iterator<Item = Range<usize>> + 't {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let start = lines.take(line).map(<[u8]>::len).sum();
    let line = line_of(text, start);
    let is_instruction = |statement: &&scan::Statement| {
        scan::label(text, statement).is_none() && scan::directive(text, statement).is_none()
    };
    let spans = scan.statements.iter().filter(is_instruction).map(|one| one.span.clone());
    spans.filter(move |span| !line.contains(&span.start))
}

/// Returns the offset of a finding in the template.
fn start(finding: &Finding) -> usize {
    match &finding.place {
        Place::Template(span) => span.start,
        _ => 0,
    }
}
