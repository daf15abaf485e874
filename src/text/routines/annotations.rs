//! Printing of the annotations at the end of a routine: its labels and strings, if they differ from
//! those that the text implies.
//!
//! The text implies that the names are in the string pool in the order of the declarations, and
//! that labels are numbered by their first appearance.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use crate::isa::{self, Instruction};
use crate::object::{Attribute, Body, LabelInfo, LabelKind};
use crate::operand::{LabelId, StringId};
use crate::text::context::Printer;
use crate::text::names::Names;
use crate::text::operands::Suffix;
use crate::text::statements::annotations::AnnotationPrinter;
use crate::text::words::annotations::{item, line};

/// Records the labels and strings that the text of a routine contains, and prints the annotations
/// at its end.
pub(in crate::text) struct RoutineAnnotations<'r> {
    body: &'r Body<'r>,
    names: &'r Names<'r>,
    /// For each label, its appearance in the text.
    labels: Vec<Option<LabelText>>,
    /// The labels in the order of their first appearance.
    label_order: Vec<LabelId>,
    /// The strings that instructions name, in the order of their first appearance.
    string_order: Vec<u32>,
    /// For each string, whether it is in `string_order`.
    has_string: Vec<bool>,
    /// Whether an instruction that is given by its bytes names a label.
    hides_label: bool,
    /// Whether an instruction that is given by its bytes names a string.
    hides_string: bool,
}

/// The kind that the text implies for a label, and whether the text defines it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct LabelText {
    kind: LabelKind,
    is_defined: bool,
}

impl<'r> RoutineAnnotations<'r> {
    pub(in crate::text) fn new(body: &'r Body<'r>, names: &'r Names<'r>) -> Self {
        RoutineAnnotations {
            body,
            names,
            labels: vec![None; body.labels.len()],
            label_order: Vec::new(),
            string_order: Vec::new(),
            has_string: vec![false; body.strings.len()],
            hides_label: false,
            hides_string: false,
        }
    }

    /// Returns whether an instruction defines a label that the text has already defined.
    pub(super) fn redefines_label(&self, instruction: &Instruction) -> bool {
        let (Instruction::Label(isa::Label { label })
        | Instruction::Subroutine(isa::Subroutine { label })) = instruction
        else {
            return false;
        };
        match self.labels.get(usize::from(label.0)) {
            Some(label) => label.is_some_and(|label| label.is_defined),
            None => true,
        }
    }

    /// Records the labels and strings that the text of an instruction names.
    pub(in crate::text) fn record(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Label(label) => self.define_label(label.label, LabelKind::BLOCK),
            Instruction::Subroutine(label) => self.define_label(label.label, LabelKind::SUBROUTINE),
            Instruction::Jmp(jmp) => self.use_label(jmp.label, LabelKind::BLOCK),
            Instruction::Goto(goto) => self.use_label(goto.label, LabelKind::BLOCK),
            Instruction::Call(call) => {
                // The text implies this kind by the mnemonic `fccall`.
                let is_fc = self.names.label_kind(call.label) == Some(LabelKind::FC);
                self.use_label(call.label, if is_fc { LabelKind::FC } else { LabelKind::BLOCK });
            }
            Instruction::SwitchJmp(switch) => {
                switch.labels.iter().for_each(|label| self.use_label(*label, LabelKind::BLOCK));
            }
            Instruction::File(file) => self.use_string(file.file_name.0),
            Instruction::Fcall(call) => self.use_string(call.func_id.0.into()),
            Instruction::Faddr(faddr) => self.use_string(faddr.func_id.0.into()),
            _ => {}
        }
    }

    /// Records an instruction that is given by its bytes, so that its text does not imply labels or
    /// strings.
    pub(super) fn record_as_bytes(&mut self, instruction: &Instruction) {
        self.hides_label |= matches!(
            instruction,
            Instruction::Label(_)
                | Instruction::Subroutine(_)
                | Instruction::Jmp(_)
                | Instruction::Goto(_)
                | Instruction::Call(_)
                | Instruction::SwitchJmp(_)
        );
        self.hides_string |= matches!(
            instruction,
            Instruction::File(_) | Instruction::Fcall(_) | Instruction::Faddr(_)
        );
    }

    fn use_label(&mut self, id: LabelId, kind: LabelKind) {
        match self.labels.get_mut(usize::from(id.0)) {
            Some(slot @ None) => {
                *slot = Some(LabelText { kind, is_defined: false });
                self.label_order.push(id);
            }
            Some(Some(label)) if kind != LabelKind::BLOCK => label.kind = kind,
            _ => {}
        }
    }

    fn define_label(&mut self, id: LabelId, kind: LabelKind) {
        self.use_label(id, kind);
        if let Some(Some(label)) = self.labels.get_mut(usize::from(id.0)) {
            label.is_defined = true;
        }
    }

    fn use_string(&mut self, index: u32) {
        if let Some(has_string @ false) = self.has_string.get_mut(index as usize) {
            *has_string = true;
            self.string_order.push(index);
        }
    }

    /// Prints the lines that follow the last instruction.
    pub(in crate::text) fn print<W: Write>(&self, p: &mut Printer<'_>, out: &mut W) -> fmt::Result {
        if self.names.has_unnamed() {
            p.line.push("//@ ");
            p.line.push(line::UNNAMED);
            p.line.ch('\n');
        }
        for (label, id) in self.body.labels.iter().zip(0..) {
            self.print_label(p, LabelId(id), label);
            p.line.flush_if_large(out)?;
        }
        if !self.is_label_order_implied() {
            let labels = (0..self.labels.len() as u16).map(LabelId);
            print_list(p, line::LABELS, labels, out, |p, label| {
                p.label(label, Suffix::Never);
            })?;
        }
        if p.needs_string_pool || self.hides_string || !self.is_string_pool_implied() {
            let index = &self.names.string_index;
            let strings = (0..index.strings.len() as u32).map(StringId);
            print_list(p, line::STRINGS, strings, out, |p, string| {
                match index.unescaped(string) {
                    Some(text) => {
                        p.line.ch('"');
                        index.print(text, &mut p.line);
                        p.line.ch('"');
                    }
                    None => p.line.quoted(index.bytes(string)),
                }
            })?;
        }
        Ok(())
    }

    /// Returns whether the labels are numbered by their first appearance in the text.
    fn is_label_order_implied(&self) -> bool {
        !self.hides_label && self.label_order.iter().map(|id| id.0).eq(0..self.labels.len() as u16)
    }

    /// Prints the properties of a label that the text does not imply, if there are any.
    fn print_label(&self, p: &mut Printer<'_>, id: LabelId, label: &LabelInfo) {
        let start = p.line.len();
        p.line.push("//@ ");
        p.line.push(line::LABEL);
        p.line.ch(' ');
        p.label(id, Suffix::Never);
        let len = p.line.len();
        let appearance = self.labels[usize::from(id.0)];
        let kind = appearance.map_or(LabelKind::BLOCK, |label| label.kind);
        let is_known = appearance.is_some_and(|label| label.is_defined || kind == LabelKind::FC);
        let mut annotation = AnnotationPrinter::open(p);
        if !is_known {
            annotation.key(item::UNDEFINED);
        }
        if kind != label.kind {
            annotation.pair(item::KIND, kind.bits(), label.kind.bits());
        }
        if !self.names.is_first(label.name, self.names.label(id)) {
            annotation.index(item::NAME, label.name);
        }
        if !label.attributes.is_empty() {
            annotation.key(item::ATTRS).push("={");
            for (i, attribute) in label.attributes.iter().enumerate() {
                annotation.p.line.push(if i == 0 { "" } else { ", " });
                annotation.p.attribute(attribute);
            }
            annotation.p.line.ch('}');
            annotation.attributes(self.names, &label.attributes);
        }
        if p.line.len() == len {
            p.line.truncate(start);
        } else {
            p.line.ch('\n');
        }
    }

    /// Returns whether the string pool is the names of the text, each once, in their order.
    fn is_string_pool_implied(&self) -> bool {
        let index = &self.names.string_index;
        // The strings before `next` are the names that have been visited.
        let (mut next, mut is_implied) = (1, self.names.is_unnamed(StringId(0)));
        self.for_each_name(&mut |name| match index.first(name) {
            _ if index.bytes(name).is_empty() => {}
            Some(first) if first == next => next += 1,
            first => is_implied &= first.is_some_and(|first| first < next),
        });
        is_implied && index.strings.len() == next as usize
    }

    /// Visits the names of the text, in the order in which an assembler adds them to the pool.
    fn for_each_name(&self, visit: &mut impl FnMut(StringId)) {
        let body = self.body;
        let mut visit_all = |name: StringId, attributes: &[Attribute]| {
            visit(name);
            attributes.iter().for_each(|attribute| visit(attribute.name));
        };
        visit_all(body.name, &[]);
        body.variables.iter().for_each(|v| visit_all(v.name, &v.attributes));
        let simple = [&body.addresses, &body.predicates, &body.samplers, &body.surfaces];
        simple.into_iter().flatten().for_each(|v| visit_all(v.name, &v.attributes));
        body.labels.iter().for_each(|label| visit_all(label.name, &label.attributes));
        body.attributes.iter().for_each(|attribute| visit_all(attribute.name, &[]));
        self.string_order.iter().for_each(|index| visit_all(StringId(*index), &[]));
    }
}

/// Prints a list as annotations, with as many items per line as fit.
fn print_list<'n, I, W: Write>(
    p: &mut Printer<'n>,
    word: &str,
    items: impl Iterator<Item = I>,
    out: &mut W,
    mut print: impl FnMut(&mut Printer<'n>, I),
) -> fmt::Result {
    const WIDTH: usize = 100;
    let mut start = None;
    let mut items = items.peekable();
    while items.peek().is_some() || start.is_none() {
        let begin = *start.get_or_insert_with(|| {
            let begin = p.line.len();
            p.line.push("//@ ");
            p.line.push(word);
            begin
        });
        let Some(item) = items.next() else { break };
        p.line.ch(' ');
        print(p, item);
        if p.line.len() > begin + WIDTH && items.peek().is_some() {
            p.line.ch('\n');
            p.line.flush_if_large(out)?;
            start = None;
        }
    }
    p.line.ch('\n');
    p.line.flush_if_large(out)
}
