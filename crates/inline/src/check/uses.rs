//! The rules about how a template uses its operands.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::Range;

use genvisa::error::Severity;
use genvisa::format::Format;
use genvisa::isa::Id;
use genvisa::text::Document;

use super::{Check, Source};
use crate::finding::{Finding, Place};
use crate::locals;
use crate::outputs::{self, Problem};
use crate::rules;
use crate::scan;
use crate::statement::{Lanes, Path};
use crate::template::{Use, UseKind};

impl Check<'_> {
    /// Applies the rules about the operands that the instructions read and write.
    pub(super) fn check_uses(&mut self, document: &Document, source: &Source) {
        if self.line.is_some() {
            return;
        }
        self.check_pseudo_inputs(document, source);
        let Some(routine) = document.module.routines().next() else { return };
        let code = routine.body.code.instructions(Format::V4_2);
        let instructions: Vec<_> = code.map_while(|item| item.ok()).map(|(_, one)| one).collect();
        let registers = routine.body.register_size(self.checker.platform);
        let problems =
            outputs::check(&routine, &instructions, &self.variables, self.operands, registers);
        // Lines with errors and lines with unknown parts may write the rest of an output.
        let is_unknown = |kind| matches!(kind, UseKind::Unknown(_));
        let is_partly_known = !self.doubtful.is_empty()
            || self.expansion.uses.iter().any(|one| is_unknown(one.kind))
            || self.report.findings.iter().any(|finding| finding.severity == Severity::Error);
        if !is_partly_known && self.scan.unclosed.is_empty() {
            for (id, index, problem) in locals::check(&routine, &instructions, registers) {
                self.report_local(document, source, (id, index, problem));
            }
        }
        for (number, index, problem) in problems {
            if problem == Problem::OutputUnwritten {
                if !is_partly_known {
                    self.report_unwritten(number);
                }
                continue;
            }
            let Some(span) = document.source_map.instruction(0, index) else { continue };
            let Some(statement) = source.in_template(span) else { continue };
            let span = self.use_of(number, statement.clone());
            match problem {
                Problem::InputWritten => self.report_input(number, span),
                Problem::PartialOutput { .. } | Problem::OutputRead if is_partly_known => {}
                Problem::OutputUnwritten => {}
                Problem::OutputRead => {
                    // The destination precedes the sources.
                    let is_use = |one: &&Use| one.kind == UseKind::Operand(number);
                    let last = self.expansion.uses_in(&statement).filter(is_use).last();
                    self.report_read(number, last.map_or(span, |one| one.span.clone()));
                }
                Problem::PartialOutput { written, size, lanes } => {
                    self.report_partial(number, span, written, size, lanes);
                }
            }
        }
    }

    /// Reports outputs for which older versions of the compiler declare no variable.
    pub(super) fn check_unused_outputs(&mut self) {
        if self.report.path == Path::Vc {
            return;
        }
        let operands = self.statement.operands.iter().enumerate();
        for (number, _) in operands.filter(|(_, operand)| operand.is_unused) {
            let is_use = |one: &&Use| one.kind == UseKind::Operand(number);
            let Some(one) = self.expansion.uses.iter().find(is_use) else { continue };
            let span = one.span.clone();
            let operand = self.written(number);
            let message =
                format!("nothing uses the value of {operand}, so the compiler writes `null`");
            let help = format!("use the value, or a variable of the template instead of {operand}");
            self.report_at(&rules::UNUSED_OUTPUT, span, message, Some(help));
        }
    }

    /// Reports a problem with a variable that the template declares in a scope, if it has a name and is no
    /// pseudo input.
    fn report_local(
        &mut self,
        document: &Document,
        source: &Source,
        (id, index, problem): (Id, usize, locals::Problem),
    ) {
        let Some(routine) = document.module.routines().next() else { return };
        let entry = id.number.checked_sub(id.class.first_declared()).map(|index| index as usize);
        let declaration =
            entry.and_then(|entry| document.source_map.declaration(0, id.class.name(), entry));
        let declaration = declaration.and_then(|span| source.in_template(span));
        let statement = document.source_map.instruction(0, index);
        let statement = statement.and_then(|span| source.in_template(span));
        let (Some(declaration), Some(statement)) = (declaration, statement) else { return };
        let is_input = routine.inputs.iter().any(|input| input.id() == Some(id));
        let is_scoped =
            |one: &scan::Statement| one.depth > 0 && one.span.contains(&declaration.start);
        let Some(name) = routine.body.name_of(id).filter(|_| !is_input) else { return };
        let name = name.to_string();
        let line = &self.expansion.text[statement.clone()];
        let is_name = |word: &Range<usize>| line[word.clone()] == *name.as_bytes();
        let mut uses = scan::words(line).filter(is_name);
        let (rule, use_of, message, help) = match problem {
            // The destination precedes the sources.
            locals::Problem::Undefined => (
                &rules::UNDEFINED,
                uses.last(),
                format!("`{name}` is read before it is written; its value is undefined"),
                "write it first",
            ),
            // Later templates may read variables that are declared outside of braces.
            locals::Problem::Unread if !self.scan.statements.iter().any(is_scoped) => return,
            locals::Problem::Unread => (
                &rules::UNREAD,
                uses.next(),
                format!("`{name}` is written, but never read"),
                "remove it, or use `%null`",
            ),
        };
        let span = use_of.map(|word| statement.start + word.start..statement.start + word.end);
        self.report_at(rule, span.unwrap_or(statement), message, Some(help.into()));
    }

    /// Returns the first use of an operand in bytes of the text, or all of them if there is none.
    fn use_of(&self, number: usize, span: Range<usize>) -> Range<usize> {
        let is_use = |one: &&Use| one.kind == UseKind::Operand(number);
        let first = self.expansion.uses_in(&span).find(is_use).map(|one| one.span.clone());
        first.unwrap_or(span)
    }

    fn report_input(&mut self, number: usize, span: Range<usize>) {
        let operand = self.written(number);
        let message = format!("{operand} is written, but is an input");
        let help = format!("make {operand} an output with constraint `+rw`");
        self.report_at(&rules::INPUT_WRITTEN, span, message, Some(help));
    }

    fn report_unwritten(&mut self, number: usize) {
        let operand = self.written(number);
        let message = format!("no instruction writes {operand}; its value is undefined");
        let help = "make it an input, or write constraint `+rw` to keep the previous value";
        let finding = Finding::new(&rules::OUTPUT_UNWRITTEN, Place::Operand(number), message);
        self.report.findings.push(finding.with_help(help));
    }

    fn report_read(&mut self, number: usize, span: Range<usize>) {
        let operand = self.written(number);
        let message = format!("{operand} is read before it is written; its value is undefined");
        let help = "write constraint `+rw` to keep the previous value";
        self.report_at(&rules::OUTPUT_READ, span, message, Some(help.into()));
    }

    /// Reports pseudo inputs in the first register of the arguments of a kernel.
    fn check_pseudo_inputs(&mut self, document: &Document, source: &Source) {
        let Some(routine) = document.module.routines().next() else { return };
        let grf = routine.body.register_size(self.checker.platform).bytes();
        for (index, input) in routine.inputs.iter().enumerate() {
            let Ok(start) = u32::try_from(input.offset) else { continue };
            let size = u32::from(input.size);
            let is_first = size > 0 && start < 2 * grf && start + size > grf;
            let span = document.source_map.declaration(0, "input", index);
            let span = span.filter(|_| is_first).and_then(|span| source.in_template(span));
            let Some(span) = span else { continue };
            let message = format!(
                "bytes {start} to {} contain r1, where the arguments of the kernel begin",
                start + size - 1
            );
            let help = "use registers after the arguments";
            self.report_at(&rules::PSEUDO_INPUT, span, message, Some(help.into()));
        }
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
