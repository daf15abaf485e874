//! The check of one statement.

mod diagnostics;
mod header;
mod lanes;
mod names;
mod trial;
mod uses;

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use genvisa::format::Format;
use genvisa::operand::VarId;
use genvisa::text::Document;
use genvisa::verify::{self, Rule};
use memchr::{memchr_iter, memmem};

use super::assumption::Assumption;
use super::checker::Checker;
use super::constraint::{self, Resolved};
use super::context::Context;
use super::finding::{Finding, Place};
use super::report::Report;
use super::scan::{Scan, scan};
use super::standin::StandIn;
use super::statement::{Path, Statement};
use super::substitutes::Substitutes;
use super::template::{Expansion, UseKind, expand};

impl Checker {
    /// Checks a statement.
    ///
    /// A report without findings does not mean that the compiler accepts the statement: see the
    /// [module](super#unknown-facts).
    pub fn check(&self, statement: &Statement) -> Report {
        self.check_in(statement, &Context::default())
    }

    /// Checks a statement in the context of other statements of its kernel.
    pub(super) fn check_in(&self, statement: &Statement, context: &Context) -> Report {
        let mut report = self.check_once(statement, context);
        self.merge_findings_of_lanes(statement, context, &mut report);
        report
    }

    fn check_once(&self, statement: &Statement, context: &Context) -> Report {
        let path = self.path.unwrap_or_else(|| constraint::path(statement));
        let substitutes = Substitutes::of(statement, context);
        let mut report = Report::new(path, substitutes.clone());
        // The compiler does not look at the operands of an empty template.
        if statement.template.is_empty() {
            return report;
        }
        if let Some(finding) = self.foreign(statement) {
            report.findings.push(finding);
            return report;
        }
        let with_tied_inputs = statement.with_tied_inputs();
        let statement: &Statement = &with_tied_inputs;
        let operands = constraint::resolve(statement, path, &mut report.findings);
        let mut expansion =
            expand(statement, path, &operands, &substitutes, &Assumption::default());
        report.findings.append(&mut expansion.findings);
        report.text = String::from_utf8_lossy(&expansion.text).into_owned();
        report.origins = expansion.origins().to_vec();
        let scan = scan(&expansion.text);
        Check::new(self, statement, context, &operands, &expansion, &scan, &mut report).check();
        report.findings =
            report.findings.into_iter().filter_map(|one| self.with_severity(one)).collect();
        report.finish();
        report
    }
}

/// A statement that is being checked.
pub(super) struct Check<'b> {
    pub(super) checker: &'b Checker,
    pub(super) statement: &'b Statement,
    pub(super) context: &'b Context,
    pub(super) path: Path,
    pub(super) operands: &'b [Resolved],
    pub(super) expansion: &'b Expansion,
    pub(super) scan: &'b Scan,
    pub(super) report: &'b mut Report,
    /// The operands with variables, in the order of the variable table.
    variables: Vec<(usize, StandIn)>,
    /// The variables of the compiler that the template uses.
    compiler_variables: Vec<String>,
    /// Whether the template uses the surface that every kernel has.
    uses_surface: bool,
    /// The offsets of line ends in the text.
    line_ends: Vec<usize>,
    /// The only line that is checked, if it is checked on its own.
    line: Option<usize>,
    /// The lines whose findings may depend on the value of an unknown part.
    doubtful: BTreeSet<usize>,
}

/// The text that is assembled: a header, the template after substitution, and labels.
struct Source {
    text: Vec<u8>,
    /// The length of the header.
    header: usize,
    /// The declarations in the header whose types and sizes are not known.
    unknown: Vec<Range<usize>>,
}

impl<'b> Check<'b> {
    pub(super) fn new(
        checker: &'b Checker,
        statement: &'b Statement,
        context: &'b Context,
        operands: &'b [Resolved],
        expansion: &'b Expansion,
        scan: &'b Scan,
        report: &'b mut Report,
    ) -> Check<'b> {
        Check {
            checker,
            statement,
            context,
            path: report.path,
            operands,
            expansion,
            scan,
            report,
            variables: Vec::new(),
            compiler_variables: Vec::new(),
            uses_surface: false,
            line_ends: memchr_iter(b'\n', &expansion.text).collect(),
            line: None,
            doubtful: BTreeSet::new(),
        }
    }

    /// Checks the whole template.
    pub(super) fn check(&mut self) {
        self.check_lanes();
        self.check_braces();
        self.check_names();
        self.check_unused_outputs();
        self.check_directives();
        let source = self.source();
        self.assemble(source);
        self.try_values();
    }

    /// Assembles and verifies the text. Returns whether the parser accepts it.
    fn assemble(&mut self, mut source: Source) -> bool {
        // Braces that do not match have been reported.
        for at in self.scan.unclosed.iter().chain(&self.scan.unopened) {
            source.blank(*at..at + 1);
        }
        let mut is_accepted = true;
        let parse = |text: &[u8]| Document::parse(text, Format::V4_2).into_result();
        let document = match parse(&source.text) {
            Ok(document) => Some(document),
            Err(errors) => {
                self.report_all(&errors, source.header);
                is_accepted = self.report.findings.is_empty();
                // Verify the text without these lines.
                for error in &errors {
                    let line = line_of(&source.text, error.span.start.max(source.header));
                    blank(&mut source.text, line);
                }
                parse(&source.text).ok()
            }
        };
        if let Some(document) = document {
            self.report_all(&document.warnings, source.header);
            self.verify(&document, &source);
            self.check_uses(&document, &source);
        }
        is_accepted
    }

    /// Applies the rules of the verifier.
    fn verify(&mut self, document: &Document, source: &Source) {
        let Some(kernel) = document.module.kernels.first() else { return };
        let mut unknown: Vec<VarId> = Vec::new();
        for (index, variable) in kernel.body.variables.iter().enumerate() {
            let span = document.source_map.declaration(0, "variable", index);
            // An empty variable is reported at its declaration.
            let is_empty = variable.num_elements == 0;
            if is_empty || span.is_some_and(|span| self.is_unknown(&span, source)) {
                unknown.push(VarId(VarId::FIRST_DECLARED.0 + index as u32));
            }
        }
        let verifier = self.checker.verifier.clone().with_unknown_variables(unknown);
        let verifier = verifier.or_platform(self.checker.platform);
        let mut findings = verifier.check_module(&document.module);
        // The kernel continues after the block.
        findings.retain(|one| one.routine == Some(0) && one.rule.name != "routine-end");
        let diagnostics = verify::diagnostics(&findings, &document.source_map, &source.text);
        self.report_all(&diagnostics, source.header);
    }

    /// Returns whether the type or the size of a declared variable is not known.
    fn is_unknown(&self, declaration: &Range<usize>, source: &Source) -> bool {
        let Some(span) = source.in_template(declaration.clone()) else {
            return source.unknown.iter().any(|unknown| unknown.contains(&declaration.start));
        };
        let is_unknown = |kind| matches!(kind, UseKind::Unknown(_) | UseKind::UnknownLiteral(_));
        self.expansion.uses_in(&span).any(|one| is_unknown(one.kind))
    }

    /// Returns the number of the line at an offset of the text.
    fn line_number(&self, at: usize) -> usize {
        self.line_ends.partition_point(|end| *end < at)
    }

    /// Returns the text of the template that bytes come from.
    fn original(&self, span: Range<usize>) -> String {
        let bytes = self.statement.template.get(self.expansion.origin(span)).unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    }

    fn report_at(
        &mut self,
        rule: &Rule,
        span: Range<usize>,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        let place = Place::Template(self.expansion.origin(span));
        let mut finding = Finding::new(rule, place, message);
        finding.help = help;
        self.report.findings.push(finding);
    }
}

impl Source {
    /// Returns the bytes of the template that bytes of the text are, or `None` for bytes of the header.
    fn in_template(&self, span: Range<usize>) -> Option<Range<usize>> {
        Some(span.start.checked_sub(self.header)?..span.end - self.header)
    }

    /// Makes the parser ignore the directive of a statement.
    fn ignore(&mut self, statement: Range<usize>, directive: Range<usize>) {
        const DECL: &[u8] = b".decl";
        let text = &self.text[self.header + statement.start..self.header + statement.end];
        if directive.len() < DECL.len() || memmem::find(text, b"v_type=").is_none() {
            self.blank(statement);
            return;
        }
        // A misspelt declaration declares its name: otherwise, there would be errors about its uses.
        let start = self.header + directive.start;
        self.blank(directive);
        self.text[start..start + DECL.len()].copy_from_slice(DECL);
    }

    /// Replaces bytes of the template with blanks.
    fn blank(&mut self, span: Range<usize>) {
        blank(&mut self.text, self.header + span.start..self.header + span.end);
    }
}

/// Replaces bytes of a text with blanks.
fn blank(text: &mut [u8], span: Range<usize>) {
    if let Some(bytes) = text.get_mut(span) {
        bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
}

/// Returns the bytes of the line at an offset, without its end.
fn line_of(text: &[u8], at: usize) -> Range<usize> {
    let at = at.min(text.len());
    let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let len = text[at..].iter().position(|byte| *byte == b'\n');
    start..len.map_or(text.len(), |len| at + len)
}
