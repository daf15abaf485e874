//! The rules about the names, braces and directives of a template.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use genvisa::verify::Rule;

use super::Check;
use crate::finding::Unknown;
use crate::rules;
use crate::scan;
use crate::standin;
use crate::statement::{Form, Path};
use crate::template::UseKind;

impl Check<'_> {
    pub(super) fn check_braces(&mut self) {
        for at in &self.scan.unclosed {
            if self.is_matched(*at) {
                continue;
            }
            self.report_at(&rules::BRACE, *at..at + 1, "this brace is not closed", None);
        }
        for at in &self.scan.unopened {
            if self.is_matched(*at) {
                continue;
            }
            self.report_at(&rules::BRACE, *at..at + 1, "no brace is open here", None);
        }
    }

    /// Returns whether another template contains the other brace of a pair.
    fn is_matched(&self, at: usize) -> bool {
        let origin = self.expansion.origin(at..at + 1);
        self.context.braces.iter().any(|brace| origin.contains(brace))
    }

    /// Reports the directives that a template cannot contain.
    pub(super) fn check_directives(&mut self) {
        for (_, name) in self.illegal_directives() {
            let directive = self.original(name.clone());
            let message = format!("a template cannot contain `{directive}`");
            self.report_at(&rules::DIRECTIVE, name, message, None);
        }
    }

    /// Returns the statements with directives that a template cannot contain, and these directives.
    pub(super) fn illegal_directives(&self) -> Vec<(Range<usize>, Range<usize>)> {
        let text = &self.expansion.text;
        let mut illegal = Vec::new();
        for statement in &self.scan.statements {
            let Some(name) = scan::directive(text, statement) else { continue };
            let directive = &text[name.clone()];
            let is_legal = matches!(directive, b".decl" | b".loc" | b".file");
            if !is_legal && !directive.starts_with(b".implicit_") {
                illegal.push((statement.span.clone(), name));
            }
        }
        illegal
    }

    /// Applies the rules about the names in the text.
    pub(super) fn check_names(&mut self) {
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
            let surface = standin::surface();
            let mut words = scan::words(&text[statement.span.clone()]);
            let is_surface =
                |word: Range<usize>| text[statement.span.clone()][word] == *surface.as_bytes();
            if !declared.contains(surface.as_bytes()) && words.any(is_surface) {
                self.uses_surface = true;
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
}
