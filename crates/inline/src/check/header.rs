//! The text that is assembled, with the declarations of the operands.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::{Check, Source};
use crate::assumption::Part;
use crate::checker::Checker;
use crate::constraint::Kind;
use crate::finding::Unknown;
use crate::standin::{self, StandIn};
use crate::template::UseKind;
use crate::ty::{Element, Type};

impl Check<'_> {
    /// Returns the text to assemble, and records the facts that are unknown.
    pub(super) fn source(&mut self) -> Source {
        let mut header = String::from(".version 4.2\n.kernel \"inline\"\n");
        let mut unknown = Vec::new();
        if let Some(platform) = self.checker.platform {
            header += &format!("//Platform: {platform}\n");
        }
        let mut declare = |declaration: &str, is_unknown: bool| {
            let start = header.len();
            header += declaration;
            if is_unknown {
                unknown.push(start..header.len());
            }
        };
        let (is_used, is_payload) = self.kinds_of_use();
        let types = standin::types(self.statement, self.operands);
        for (number, resolved) in self.operands.iter().enumerate() {
            let name = self.report.substitutes.variable(number);
            if resolved.kind == Kind::Predicate && resolved.tied_to.is_none() {
                declare(&format!(".decl {name} v_type=P num_elts=32\n"), false);
            }
            if !standin::has_variable(resolved) {
                continue;
            }
            let Checker { lanes, platform, .. } = *self.checker;
            let is_pointer =
                |ty: Option<Type>| ty.is_some_and(|ty| matches!(ty.element, Element::Pointer(_)));
            let stand_in = match is_payload[number] && is_pointer(types[number]) {
                true => StandIn::UNKNOWN,
                false => StandIn::of(types[number], resolved, lanes, platform, self.path),
            };
            if is_used[number] && stand_in.ty.is_none() {
                self.report.unknown.push(Unknown::Type(number));
            } else if is_used[number] && stand_in.num_elements.is_none() {
                self.report.unknown.push(Unknown::Lanes);
            }
            declare(&stand_in.declaration(&name), stand_in.ty.is_none());
            self.variables.push((number, stand_in));
        }
        // A number that no operand has is reported; it has a variable too.
        let number = self.report.substitutes.variable(self.operands.len());
        declare(&StandIn::UNKNOWN.declaration(&number), true);
        for name in &self.compiler_variables {
            declare(&StandIn::UNKNOWN.declaration(name), true);
        }
        if self.uses_surface {
            declare(&format!(".decl {} v_type=T num_elts=1\n", standin::surface()), false);
        }
        for declaration in &self.context.declarations {
            declare(&declaration.text, declaration.is_unknown);
        }
        for one in &self.expansion.uses {
            match one.kind {
                UseKind::UnknownLiteral(number) | UseKind::Unknown(Part::Operand(number)) => {
                    self.report.unknown.push(Unknown::Value(number));
                }
                UseKind::Unknown(Part::Hole(_)) => self.report.unknown.push(Unknown::Text),
                _ => {}
            }
        }
        self.report.unknown.extend(self.context.unknown.iter().cloned());
        self.report.header.clone_from(&header);
        let mut text = header.into_bytes();
        let header = text.len();
        text.extend_from_slice(&self.expansion.text);
        text.push(b'\n');
        for label in &self.context.labels {
            text.extend_from_slice(format!("{label}:\n").as_bytes());
        }
        let mut source = Source { text, header, unknown };
        for (statement, directive) in self.illegal_directives() {
            source.ignore(statement, directive);
        }
        source
    }

    /// Returns for each operand whether the template contains it, and whether it is the payload of a
    /// 2D block message, as in `flat[%1+(0,0)]`.
    ///
    /// The size of a payload that is a pointer is not known: a builtin function of the compiler returns
    /// payloads as pointers.
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
}
