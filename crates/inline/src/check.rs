//! The check of one statement.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use genvisa::analysis::RegisterSize;
use genvisa::error::Severity;
use genvisa::format::Format;
use genvisa::operand::VarId;
use genvisa::text::{Assembly, Diagnostic, Diagnostics, assemble};
use genvisa::verify::{Platform, Rule};

use super::checker::Checker;
use super::constraint::{Kind, Resolved};
use super::outputs::{self, Problem};
use super::report::{Finding, Place, Report, Unknown};
use super::rules;
use super::scan::{self, Scan};
use super::standin::{self, StandIn};
use super::statement::{Form, Lanes, Operand, Path, Statement};
use super::template::{Expansion, UseKind};

/// A statement that is being checked.
pub(super) struct Check<'b> {
    pub(super) checker: &'b Checker,
    pub(super) statement: &'b Statement,
    pub(super) path: Path,
    pub(super) operands: &'b [Resolved],
    pub(super) expansion: &'b Expansion,
    pub(super) scan: &'b Scan,
    /// The operands with variables, in the order of the variable table.
    pub(super) variables: Vec<(usize, StandIn)>,
    /// The variables of the compiler, which follow them in the table.
    pub(super) compiler_variables: Vec<String>,
    pub(super) report: &'b mut Report,
}

impl Check<'_> {
    pub(super) fn check(&mut self) {
        self.check_lanes();
        self.check_braces();
        self.check_names();
        let mut source = self.header().into_bytes();
        let header = source.len();
        source.reserve(self.expansion.text.len() + 1);
        source.extend_from_slice(&self.expansion.text);
        source.push(b'\n');
        for span in self.directives() {
            blank(&mut source, header + span.start..header + span.end);
        }
        // Braces that do not match have been reported.
        for at in self.scan.unclosed.iter().chain(&self.scan.unopened) {
            blank(&mut source, header + at..header + at + 1);
        }
        let assembly = match assemble(&source, Format::V4_2) {
            Ok(assembly) => Some(assembly),
            Err(errors) => {
                self.report_all(&errors, header);
                // Verify the text without these lines.
                for error in &errors {
                    let line = line_of(&source, error.span.start.max(header));
                    blank(&mut source, line);
                }
                assemble(&source, Format::V4_2).ok()
            }
        };
        if let Some(assembly) = assembly {
            self.report_all(&assembly.warnings, header);
            self.verify(&assembly, &source, header);
        }
    }

    /// Returns the text before the template: the declarations of the operands.
    fn header(&mut self) -> String {
        let mut header = String::from(".version 4.2\n.kernel \"inline\"\n");
        if let Some(platform) = self.checker.platform {
            header += &format!("//Platform: {platform}\n");
        }
        let (is_used, is_payload) = self.kinds_of_use();
        let types = standin::types(self.statement, self.operands);
        for (number, resolved) in self.operands.iter().enumerate() {
            let name = standin::name(number);
            if resolved.kind == Kind::Predicate && resolved.tied_to.is_none() {
                header += &format!(".decl {name} v_type=P num_elts=32\n");
            }
            if !standin::has_variable(resolved) {
                continue;
            }
            let Checker { lanes, platform, .. } = *self.checker;
            let stand_in = match is_payload[number] {
                true => StandIn::UNKNOWN,
                false => StandIn::of(types[number], resolved, lanes, platform, self.path),
            };
            if is_used[number] && stand_in.ty.is_none() {
                self.report.unknown.push(Unknown::Type(number));
            } else if is_used[number] && stand_in.num_elements.is_none() {
                self.report.unknown.push(Unknown::Lanes);
            }
            header += &stand_in.declaration(&name);
            self.variables.push((number, stand_in));
        }
        // A number that no operand has is reported; it has a variable too.
        header += &StandIn::UNKNOWN.declaration(&standin::name(self.operands.len()));
        for name in &self.compiler_variables {
            header += &StandIn::UNKNOWN.declaration(name);
        }
        for one in &self.expansion.uses {
            if let UseKind::UnknownConstant(number) = one.kind {
                self.report.unknown.push(Unknown::Value(number));
            }
        }
        header
    }

    /// Returns for each operand whether the template contains it, and whether it is the payload of a
    /// 2D block message, as in `flat[%1+(0,0)]`.
    ///
    /// The type of a payload is not known: a builtin function of the compiler returns payloads as
    /// pointers.
    fn kinds_of_use(&self) -> (Vec<bool>, Vec<bool>) {
        let text = &self.expansion.text;
        let count = self.operands.len();
        let (mut is_used, mut is_payload) = (vec![false; count], vec![false; count]);
        for one in &self.expansion.uses {
            let UseKind::Operand(number) = one.kind else { continue };
            let output = self.operands[number].tied_to.unwrap_or(number);
            is_used[output] = true;
            is_payload[output] |= text[one.span.end..].starts_with(b"+(");
        }
        (is_used, is_payload)
    }

    fn check_lanes(&mut self) {
        let Checker { lanes: Some(lanes), platform, .. } = *self.checker else { return };
        let is_split =
            |resolved: &Resolved| resolved.kind == Kind::Variable && !resolved.is_uniform;
        if self.path == Path::Vc || !standin::is_half(lanes, platform) {
            return;
        }
        if let Some(number) = self.operands.iter().position(is_split) {
            let message = format!(
                "the compiler splits variables for {lanes} lanes, and the template reaches only the \
                 first {}",
                lanes.count() / 2
            );
            let place = Place::Operand(number);
            self.report.findings.push(Finding::new(&rules::HALF_OF_SIMD32, place, message));
        }
    }

    fn check_braces(&mut self) {
        for at in &self.scan.unclosed {
            self.report_at(&rules::BRACE, *at..at + 1, "this brace is not closed", None);
        }
        for at in &self.scan.unopened {
            self.report_at(&rules::BRACE, *at..at + 1, "no brace is open here", None);
        }
    }

    /// Returns the directives that a template cannot contain, and reports them.
    fn directives(&mut self) -> Vec<Range<usize>> {
        let mut illegal = Vec::new();
        let text = &self.expansion.text;
        for statement in &self.scan.statements {
            let Some(name) = scan::directive(text, statement) else { continue };
            let directive = &text[name.clone()];
            if directive == b".decl" || directive.starts_with(b".implicit_") {
                continue;
            }
            let directive = String::from_utf8_lossy(directive);
            let message = format!("a template cannot contain `{directive}`");
            illegal.push((statement.span.clone(), name, message));
        }
        for (_, name, message) in &illegal {
            self.report_at(&rules::DIRECTIVE, name.clone(), message.as_str(), None);
        }
        illegal.into_iter().map(|(span, ..)| span).collect()
    }

    /// Applies the rules about the names in the text.
    fn check_names(&mut self) {
        let text = &self.expansion.text;
        let scan = self.scan;
        let uid = match (self.statement.form, self.path) {
            (_, Path::Vc) | (Form::Basic, _) => None,
            (Form::Gnu, Path::Simt) => Some("%="),
            (Form::Llvm, Path::Simt) => Some("${:uid}"),
        };
        let is_unique =
            |name: &Range<usize>| self.expansion.uses_in(name).any(|one| one.kind == UseKind::Uid);
        let declared: BTreeSet<&[u8]> = (scan.statements.iter())
            .filter_map(|statement| scan::declared_name(text, statement))
            .map(|name| &text[name])
            .collect();
        let mut reported: BTreeSet<&[u8]> = BTreeSet::new();
        let mut found: Vec<(&Rule, Range<usize>, String, Option<String>)> = Vec::new();
        for statement in &scan.statements {
            if let Some(name) = scan::label(text, statement).filter(|name| !is_unique(name)) {
                let label = self.original(name.clone());
                let message = format!(
                    "label `{label}` is defined twice if the compiler repeats the template"
                );
                let help = uid.map(|uid| format!("append a number: `{label}{uid}`"));
                found.push((&rules::LABEL, name, message, help));
            }
            let is_global = statement.depth == 0;
            let name = scan::declared_name(text, statement);
            if let Some(name) = name.filter(|name| is_global && !is_unique(name)) {
                let variable = self.original(name.clone());
                let message =
                    format!("`{variable}` is declared twice if the compiler repeats the template");
                let help = "put the template in braces: `{` and `}`, on lines of their own";
                found.push((&rules::DECL, name, message, Some(help.into())));
            }
            for name in scan::compiler_variables(text, statement) {
                let bytes = &text[name.clone()];
                let variable = String::from_utf8_lossy(bytes).into_owned();
                if declared.contains(bytes) || !reported.insert(bytes) {
                    continue;
                }
                let message = format!("`{variable}` is a variable of the compiler");
                let help = "pass the value as an operand";
                found.push((&rules::COMPILER_VARIABLE, name, message, Some(help.into())));
                self.report.unknown.push(Unknown::Variable(variable.clone()));
                self.compiler_variables.push(variable);
            }
        }
        for (rule, span, message, help) in found {
            self.report_at(rule, span, message, help);
        }
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

    /// Reports the errors or warnings of the parser.
    fn report_all(&mut self, diagnostics: &Diagnostics, header: usize) {
        for diagnostic in diagnostics {
            self.report_diagnostic(diagnostic, header);
        }
    }

    fn report_diagnostic(&mut self, diagnostic: &Diagnostic, header: usize) {
        let Range { start, end } = diagnostic.span;
        let Some(start) = start.checked_sub(header) else { return };
        let end = end.max(header) - header;
        let text = &self.expansion.text;
        // An error after the last line is about the line end.
        let span = start.min(text.len())..end.min(text.len());
        let line = line_of(text, span.start);
        let mut help = diagnostic.help.clone();
        for one in self.expansion.uses_in(&line) {
            match one.kind {
                // The error in the line has been reported.
                UseKind::Illegal => return,
                // What precedes the constant does not depend on it.
                UseKind::UnknownConstant(_)
                    if diagnostic.rule.is_some() || one.span.start <= span.end =>
                {
                    return;
                }
                _ => {}
            }
        }
        let mut rule = diagnostic.rule.unwrap_or("syntax");
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
        let written = self.original(span.clone());
        let number = written.strip_prefix('%').unwrap_or_default();
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && self.statement.form == Form::Llvm {
            help = Some(format!("in LLVM IR, operand {number} is `${number}`"));
        }
        let message = self.with_template_names(&format!("{diagnostic}"));
        let help = help.map(|help| self.with_template_names(&help));
        let place = Place::Template(self.expansion.origin(span));
        self.report.findings.push(Finding {
            severity: diagnostic.severity,
            rule,
            place,
            message,
            help,
        });
    }

    /// Returns an operand as the template refers to it.
    fn written(&self, number: usize) -> String {
        match (self.statement.form, self.statement.operands.get(number)) {
            (Form::Gnu, Some(Operand { name: Some(name), .. })) => format!("`%[{name}]`"),
            (Form::Llvm, _) => format!("`${number}`"),
            _ => format!("`%{number}`"),
        }
    }

    /// Replaces the names of stand-ins in a message with the names in the template.
    fn with_template_names(&self, message: &str) -> String {
        let mut parts = message.split('`');
        let mut result = String::from(parts.next().unwrap_or_default());
        for (index, part) in parts.enumerate() {
            let number = part.strip_prefix(standin::PREFIX).and_then(|n| n.parse::<usize>().ok());
            match number {
                Some(number) if index % 2 == 0 => {
                    result += &self.written(number);
                    // `written` includes both backticks.
                    result.pop();
                }
                _ if index % 2 == 0 => {
                    result.push('`');
                    if self.statement.form == Form::Gnu && part.starts_with('%') {
                        result.push('%');
                    }
                    result += part;
                }
                _ => {
                    result.push('`');
                    result += part;
                }
            }
        }
        result
    }

    /// Verifies the block, and checks how it uses its operands.
    fn verify(&mut self, assembly: &Assembly, source: &[u8], header: usize) {
        let Some(kernel) = assembly.module.kernels.first() else { return };
        let declared = VarId::FIRST_DECLARED.0;
        let mut unknown: Vec<VarId> = Vec::new();
        for (index, (_, stand_in)) in self.variables.iter().enumerate() {
            if stand_in.ty.is_none() {
                unknown.push(VarId(declared + index as u32));
            }
        }
        let others = self.variables.len()..self.variables.len() + 1 + self.compiler_variables.len();
        unknown.extend(others.map(|index| VarId(declared + index as u32)));
        for index in 0..kernel.body.variables.len() {
            let span = assembly.source_map.declaration(0, "variable", index);
            let Some(span) = span.filter(|span| span.start >= header) else { continue };
            let span = span.start - header..span.end - header;
            let is_constant = |kind: UseKind| matches!(kind, UseKind::UnknownConstant(_));
            if self.expansion.uses_in(&span).any(|one| is_constant(one.kind)) {
                unknown.push(VarId(declared + index as u32));
            }
        }
        let mut verifier = self.checker.verifier.clone().with_unknown_variables(unknown);
        if let Some(platform) = self.checker.platform {
            verifier = verifier.with_platform(platform);
        }
        let findings = verifier.check_module(&assembly.module);
        for finding in findings.iter().filter(|finding| finding.routine == Some(0)) {
            // The kernel continues after the block.
            if finding.rule.name == "routine-end" {
                continue;
            }
            let diagnostic = finding.to_diagnostic(&assembly.source_map, source);
            self.report_diagnostic(&diagnostic, header);
        }
        let Some(routine) = assembly.module.routines().next() else { return };
        let code = routine.body.code.instructions(Format::V4_2);
        let instructions: Vec<_> = code.map_while(|item| item.ok()).map(|(_, one)| one).collect();
        let registers = self.checker.platform.map(Platform::grf);
        let registers = registers.and_then(RegisterSize::from_bytes).unwrap_or_default();
        let problems =
            outputs::check(&routine, &instructions, &self.variables, self.operands, registers);
        // Lines with errors may write the rest of an output.
        let has_errors =
            self.report.findings.iter().any(|finding| finding.severity == Severity::Error);
        for (number, index, problem) in problems {
            let Some(span) = assembly.source_map.instruction(0, index) else { continue };
            let Some(start) = span.start.checked_sub(header) else { continue };
            let span = start..span.end - header;
            match problem {
                Problem::InputWritten => self.report_input(number, span),
                Problem::PartialOutput { .. } if has_errors => {}
                Problem::PartialOutput { written, size, lanes } => {
                    self.report_partial(number, span, written, size, lanes);
                }
            }
        }
    }

    fn report_input(&mut self, number: usize, span: Range<usize>) {
        let operand = self.written(number);
        let message = format!("{operand} is written, but is an input");
        let help = format!("make {operand} an output with constraint `+rw`");
        self.report_at(&rules::INPUT_WRITTEN, span, message, Some(help));
    }

    fn report_partial(
        &mut self,
        number: usize,
        span: Range<usize>,
        written: usize,
        size: usize,
        lanes: usize,
    ) {
        let operand = self.written(number);
        let is_short = |all: Lanes| lanes < all.count() as usize && lanes > 1;
        if let Some(all) = self.checker.lanes.filter(|all| is_short(*all) && written > 0) {
            let message = format!("the block writes {operand} for {lanes} of {all} lanes");
            self.report_at(&rules::LANES, span, message, None);
            return;
        }
        let message = match written {
            0 => {
                format!("{operand} is written only where a predicate is set; the rest is undefined")
            }
            _ => format!(
                "{written} of the {size} bytes of {operand} are written; the rest is undefined"
            ),
        };
        let help = "write constraint `+rw` to keep the previous value";
        self.report_at(&rules::PARTIAL_OUTPUT, span, message, Some(help.into()));
    }
}

/// Returns whether an error is about a missing type.
fn is_about_type(diagnostic: &Diagnostic) -> bool {
    diagnostic.expected.as_ref().is_some_and(|expected| expected.contains("type"))
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
