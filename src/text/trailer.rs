//! The `//@` lines behind a routine's last instruction: what the text above does not say.
//!
//! They are the difference between the routine's tables and those that follow from the text: names
//! go into the string pool in the order of the declarations, labels are numbered by their first
//! appearance.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::names::Names;
use super::print::Printer;
use crate::isa::Instruction;
use crate::object::{
    AliasScope, Attribute, Body, Code, Input, InputClass, Label, LabelKind, Routine,
    SimpleVariable, Variable,
};
use crate::operand::{LabelId, PredId, StringId, SurfaceId, VarId};
use crate::wire::{Wire, Writer};

/// Collects, while a routine is printed, what decides its trailer.
pub(super) struct Trailer<'r> {
    routine: &'r Routine<'r, 'r>,
    names: &'r Names<'r>,
    /// For each label, whether it was seen, and what kind the text makes it.
    labels: Vec<Option<Seen>>,
    /// The labels in the order of their first appearance.
    order: Vec<LabelId>,
    /// The strings that instructions name, in the order of their first appearance.
    strings: Vec<u32>,
    seen_strings: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Seen {
    kind: LabelKind,
    defined: bool,
}

impl<'r> Trailer<'r> {
    pub(super) fn new(routine: &'r Routine<'r, 'r>, names: &'r Names<'r>) -> Self {
        Trailer {
            routine,
            names,
            labels: vec![None; routine.body.labels.len()],
            order: Vec::new(),
            strings: Vec::new(),
            seen_strings: vec![false; routine.body.strings.len()],
        }
    }

    /// Takes note of an instruction's labels and strings. Returns whether its text alone would be
    /// misread: it is the second definition of a label.
    pub(super) fn see(&mut self, instruction: &Instruction) -> bool {
        match instruction {
            Instruction::Label(label) => return self.define(label.label, LabelKind::BLOCK),
            Instruction::Subroutine(label) => {
                return self.define(label.label, LabelKind::SUBROUTINE);
            }
            Instruction::Jmp(jmp) => self.label(jmp.label),
            Instruction::Goto(goto) => self.label(goto.label),
            // The only word for a composable function.
            Instruction::Call(call) if self.names.label_kind(call.label) == Some(LabelKind::FC) => {
                self.label_of(call.label, LabelKind::FC);
            }
            Instruction::Call(call) => self.label(call.label),
            Instruction::SwitchJmp(switch) => switch.labels.iter().for_each(|l| self.label(*l)),
            Instruction::File(file) => self.string(file.file_name.0),
            Instruction::Fcall(call) => self.string(call.func_id.0.into()),
            Instruction::Faddr(faddr) => self.string(faddr.func_id.0.into()),
            _ => {}
        }
        false
    }

    fn label(&mut self, id: LabelId) {
        self.label_of(id, LabelKind::BLOCK);
    }

    fn label_of(&mut self, id: LabelId, kind: LabelKind) {
        if let Some(slot @ None) = self.labels.get_mut(usize::from(id.0)) {
            *slot = Some(Seen { kind, defined: false });
            self.order.push(id);
        }
    }

    fn define(&mut self, id: LabelId, kind: LabelKind) -> bool {
        self.label(id);
        match self.labels.get_mut(usize::from(id.0)) {
            Some(Some(seen)) if seen.defined => true,
            Some(Some(seen)) => {
                *seen = Seen { kind, defined: true };
                false
            }
            _ => true,
        }
    }

    fn string(&mut self, index: u32) {
        if let Some(seen @ false) = self.seen_strings.get_mut(index as usize) {
            *seen = true;
            self.strings.push(index);
        }
    }

    fn body(&self) -> &'r Body<'r> {
        self.routine.body
    }

    pub(super) fn print<W: Write>(&self, p: &mut Printer<'_>, out: &mut W) -> fmt::Result {
        let mut lines = Lines { p, out, writer: Writer::new(self.routine.format()) };
        let body = self.body();
        let unnamed = self.has_unnamed();
        if self.is_pool_unexpected(unnamed) {
            lines.strings(self)?;
        }
        if !self.is_named(body.name, Some(self.routine.name.as_bytes())) {
            lines.line("name", |p| p.line.dec(body.name.0))?;
        }
        if unnamed {
            lines.line("unnamed", |_| {})?;
        }
        if let Some((arguments, result)) = self.routine.stack_sizes {
            lines.line("function", |p| {
                p.line.dec(arguments);
                p.line.ch(' ');
                p.line.dec(result);
            })?;
        }
        if let Code::Stripped { size, entry } = body.code {
            lines.line("stripped", |p| {
                p.line.dec(size);
                p.line.ch(' ');
                p.line.dec(entry);
            })?;
        }
        self.declarations(&mut lines, unnamed)?;
        self.label_table(&mut lines)
    }

    fn declarations<W: Write>(&self, lines: &mut Lines<'_, '_, W>, unnamed: bool) -> fmt::Result {
        let body = self.body();
        for (variable, id) in body.variables.iter().zip(VarId::FIRST_DECLARED.0..) {
            let text = self.names.variables.get(VarId(id));
            if !(self.says_name(variable.name, text, 'V', id, unnamed) && self.says(variable)) {
                lines.entry("variable", id, variable)?;
            }
        }
        for (variable, id) in body.addresses.iter().zip(0..) {
            let text = self.names.addresses.get(id as usize);
            if !(self.says_name(variable.name, text, 'A', id, unnamed)
                && self.says_attributes(&variable.attributes))
            {
                lines.entry("address", id, variable)?;
            }
        }
        for (variable, id) in body.predicates.iter().zip(PredId::FIRST_DECLARED.0..) {
            let text = self.names.predicates.get(PredId(id));
            if !(self.says_name(variable.name, text, 'P', id.into(), unnamed)
                && self.says_attributes(&variable.attributes))
            {
                lines.entry("predicate", id.into(), variable)?;
            }
        }
        for (variable, id) in body.samplers.iter().zip(0..) {
            if !self.says_state(variable, self.names.samplers.get(id as usize)) {
                lines.entry("sampler", id, variable)?;
            }
        }
        for (variable, index) in body.surfaces.iter().zip(0..) {
            if !self.says_state(variable, self.names.surfaces.get(index as usize)) {
                lines.entry("surface", index + u32::from(SurfaceId::FIRST_DECLARED.0), variable)?;
            }
        }
        for (input, index) in self.routine.inputs.iter().zip(0..) {
            if !self.says_input(input) {
                lines.entry("input", index, input)?;
            }
        }
        for (attribute, index) in body.attributes.iter().zip(0..) {
            if !self.says_attribute(attribute) {
                lines.entry("attribute", index, attribute)?;
            }
        }
        Ok(())
    }

    /// If one label's entry is not as the text makes it, all are told, and so is their order.
    fn label_table<W: Write>(&self, lines: &mut Lines<'_, '_, W>) -> fmt::Result {
        let in_order = self.order.iter().map(|id| id.0).eq(0..self.labels.len() as u16);
        let is_said = |(label, (seen, index)): (&Label, (&Option<Seen>, usize))| {
            let text = self.names.labels.get(index).map(str::as_bytes);
            seen.is_some_and(|seen| seen.kind == label.kind)
                && label.attributes.is_empty()
                && self.is_named(label.name, text)
        };
        let labels = &self.body().labels;
        if in_order && labels.iter().zip(self.labels.iter().zip(0..)).all(is_said) {
            return Ok(());
        }
        labels.iter().zip(0..).try_for_each(|(label, id)| lines.label(LabelId(id), label))
    }

    /// Whether a string is the pool's first like the text.
    fn is_named(&self, name: StringId, text: Option<&[u8]>) -> bool {
        matches!(
            (self.names.string(name.0), text),
            (Some((bytes, true)), Some(text)) if bytes == text
        )
    }

    fn is_unnamed(&self, name: StringId) -> bool {
        self.names.string(name.0).is_none_or(|(bytes, _)| bytes.is_empty())
    }

    fn has_unnamed(&self) -> bool {
        let body = self.body();
        body.variables.iter().any(|variable| self.is_unnamed(variable.name))
            || (body.addresses.iter().chain(&body.predicates))
                .any(|variable| self.is_unnamed(variable.name))
    }

    /// Whether the name follows from the text.
    fn says_name(
        &self,
        name: StringId,
        text: Option<&str>,
        prefix: char,
        id: u32,
        unnamed: bool,
    ) -> bool {
        let is_default = text.is_some_and(|text| is_default_of(text, prefix, id));
        if unnamed && is_default {
            return name == StringId(0) && self.is_unnamed(name);
        }
        self.is_named(name, text.map(str::as_bytes))
    }

    fn says(&self, variable: &Variable) -> bool {
        let alias_is_there = self.is_variable(variable.alias);
        alias_is_there
            && (variable.alias != VarId::NULL || variable.alias_offset == 0)
            && variable.alias_scope == AliasScope::LOCAL
            && self.says_attributes(&variable.attributes)
    }

    fn is_variable(&self, id: VarId) -> bool {
        id.predefined_name().is_some() || self.names.variables.get(id).is_some()
    }

    fn says_state(&self, variable: &SimpleVariable, v_name: Option<&str>) -> bool {
        self.says_v_name(variable.name, v_name) && self.says_attributes(&variable.attributes)
    }

    fn says_v_name(&self, name: StringId, v_name: Option<&str>) -> bool {
        match v_name {
            Some("") | None => name == StringId(0) && self.is_unnamed(name),
            Some(text) => self.is_named(name, Some(text.as_bytes())),
        }
    }

    fn says_input(&self, input: &Input) -> bool {
        match input.kind.class() {
            InputClass::GENERAL => self.is_variable(VarId(input.index)),
            InputClass::SAMPLER | InputClass::SURFACE => true,
            _ => false,
        }
    }

    fn says_attributes(&self, attributes: &[Attribute]) -> bool {
        attributes.iter().all(|attribute| self.says_attribute(attribute))
    }

    /// The value is always there; the name may stand in the pool twice, or not at all.
    fn says_attribute(&self, attribute: &Attribute) -> bool {
        matches!(self.names.string(attribute.name.0), Some((_, true)))
    }

    /// Whether the pool is anything but the names of the text, each once, in their order.
    fn is_pool_unexpected(&self, unnamed: bool) -> bool {
        let mut seen = BTreeSet::from([&b""[..]]);
        let mut rest = self.body().strings.iter();
        let mut unexpected = rest.next().is_none_or(|first| !first.is_empty());
        let mut expect = |name: &'r [u8], is_said: bool| {
            if !unexpected && seen.insert(name) {
                unexpected = !is_said || rest.next().is_none_or(|string| string.as_bytes() != name);
            }
        };
        self.each_name(unnamed, &mut expect);
        unexpected || rest.next().is_some()
    }

    /// All names in the order of the text, and whether they stand there.
    fn each_name(&self, unnamed: bool, expect: &mut impl FnMut(&'r [u8], bool)) {
        let (body, names) = (self.body(), self.names);
        let bytes = |name: StringId| names.string(name.0).map_or(&b""[..], |(bytes, _)| bytes);
        let mut declared = |name: StringId, is_said: bool, attributes: &'r [Attribute]| {
            expect(bytes(name), is_said);
            attributes.iter().for_each(|attribute| expect(bytes(attribute.name), true));
        };
        declared(body.name, self.is_named(body.name, Some(self.routine.name.as_bytes())), &[]);
        for (v, id) in body.variables.iter().zip(VarId::FIRST_DECLARED.0..) {
            let text = names.variables.get(VarId(id));
            declared(v.name, self.says_name(v.name, text, 'V', id, unnamed), &v.attributes);
        }
        for (v, id) in body.addresses.iter().zip(0..) {
            let text = names.addresses.get(id as usize);
            declared(v.name, self.says_name(v.name, text, 'A', id, unnamed), &v.attributes);
        }
        for (v, id) in body.predicates.iter().zip(PredId::FIRST_DECLARED.0..) {
            let text = names.predicates.get(PredId(id));
            declared(v.name, self.says_name(v.name, text, 'P', id.into(), unnamed), &v.attributes);
        }
        for (v, index) in body.samplers.iter().zip(0..) {
            declared(v.name, self.says_v_name(v.name, names.samplers.get(index)), &v.attributes);
        }
        for (v, index) in body.surfaces.iter().zip(0..) {
            declared(v.name, self.says_v_name(v.name, names.surfaces.get(index)), &v.attributes);
        }
        body.attributes.iter().for_each(|attribute| declared(attribute.name, true, &[]));
        for (label, index) in body.labels.iter().zip(0..) {
            let text = names.labels.get(index).map(str::as_bytes);
            declared(label.name, self.is_named(label.name, text), &[]);
            // Text has no place for them.
            label.attributes.iter().for_each(|attribute| declared(attribute.name, false, &[]));
        }
        self.strings.iter().for_each(|index| declared(StringId(*index), true, &[]));
    }
}

/// Whether a name is the one that is given to what has none.
fn is_default_of(text: &str, prefix: char, id: u32) -> bool {
    let digits = text.strip_prefix(prefix).unwrap_or_default();
    !digits.is_empty()
        && !digits.starts_with('+')
        && digits.parse() == Ok(id)
        && (digits == "0" || !digits.starts_with('0'))
}

struct Lines<'p, 'n, W> {
    p: &'p mut Printer<'n>,
    out: &'p mut W,
    writer: Writer,
}

impl<W: Write> Lines<'_, '_, W> {
    fn end(&mut self) -> fmt::Result {
        self.p.line.ch('\n');
        self.out.write_str(self.p.line.as_str())?;
        self.p.line.clear();
        Ok(())
    }

    fn line(&mut self, key: &str, print: impl FnOnce(&mut Printer<'_>)) -> fmt::Result {
        self.p.line.push("//@ ");
        self.p.line.push(key);
        let len = self.p.line.len();
        self.p.line.ch(' ');
        print(self.p);
        if self.p.line.len() == len + 1 {
            self.p.line.truncate(len);
        }
        self.end()
    }

    /// The pool, as many strings to a line as fit.
    fn strings(&mut self, trailer: &Trailer<'_>) -> fmt::Result {
        const WIDTH: usize = 100;
        self.p.line.push("//@ strings");
        let start = self.p.line.len();
        for string in &trailer.body().strings {
            let before = self.p.line.len();
            self.p.line.ch(' ');
            self.p.line.quoted(string.as_bytes());
            if self.p.line.len() > WIDTH && before > start {
                self.p.line.truncate(before);
                self.end()?;
                self.p.line.push("//@ strings ");
                self.p.line.quoted(string.as_bytes());
            }
        }
        self.end()
    }

    fn entry(&mut self, table: &str, id: u32, entry: &impl Wire) -> fmt::Result {
        self.p.line.push("//@ ");
        self.p.line.push(table);
        self.p.line.ch(' ');
        self.p.line.dec(id);
        self.bytes(entry)
    }

    fn label(&mut self, id: LabelId, label: &Label) -> fmt::Result {
        self.p.line.push("//@ label ");
        self.p.label(id, super::irregular::Suffix::Never);
        self.p.line.ch(' ');
        self.p.line.dec(id.0);
        self.bytes(label)
    }

    fn bytes(&mut self, entry: &impl Wire) -> fmt::Result {
        self.writer.clear();
        // What was decoded in a format can be encoded in it; what was built may not fit.
        entry.encode(&mut self.writer).map_err(|_| fmt::Error)?;
        self.p.line.push(" =");
        self.p.line.bytes(self.writer.bytes());
        self.end()
    }
}
