//! The `//@` lines behind a routine's last instruction: what the text above does not say.
//!
//! They are the difference between the routine's tables and those that follow from the text: names
//! go into the string pool in the order of the declarations, labels are numbered by their first
//! appearance.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::line::Line;
use super::names::{Names, Spelling, is_default_name};
use super::print::Printer;
use crate::error::Result;
use crate::isa::Instruction;
use crate::object::{
    AliasScope, Attribute, Body, Code, Input, InputClass, Label, LabelKind, Routine,
    SimpleVariable, Variable,
};
use crate::operand::{AddrId, LabelId, PredId, StringId, SurfaceId, VarId};
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
    /// Whether an instruction that is given by its bytes names a label, or a string.
    hides_label: bool,
    hides_string: bool,
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
            hides_label: false,
            hides_string: false,
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

    /// Takes note that an instruction is given by its bytes: the text does not count what it names.
    pub(super) fn hide(&mut self, instruction: &Instruction) {
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

    fn label(&mut self, id: LabelId) {
        self.label_of(id, LabelKind::BLOCK);
    }

    fn label_of(&mut self, id: LabelId, kind: LabelKind) {
        match self.labels.get_mut(usize::from(id.0)) {
            Some(slot @ None) => {
                *slot = Some(Seen { kind, defined: false });
                self.order.push(id);
            }
            Some(Some(seen)) if kind == LabelKind::FC => seen.kind = kind,
            _ => {}
        }
    }

    fn define(&mut self, id: LabelId, kind: LabelKind) -> bool {
        self.label(id);
        match self.labels.get_mut(usize::from(id.0)) {
            Some(Some(seen)) if seen.defined => true,
            Some(Some(seen)) => {
                // A subroutine is told by its definition, a composable function by its calls.
                seen.kind = if kind == LabelKind::SUBROUTINE { kind } else { seen.kind };
                seen.defined = true;
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
        let entries = self.unsaid_entries(unnamed);
        let labels = self.are_labels_said();
        let named = self.names.pool.get(body.name) == Some((self.routine.name.as_bytes(), true));
        // The pool follows from the text only if all names do.
        if !named
            || self.hides_string
            || !entries.is_empty()
            || !labels
            || self.is_pool_unexpected()
        {
            lines.strings(self)?;
        }
        if !named {
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
        for (table, id, entry) in entries {
            lines.entry(table, id, entry)?;
        }
        if labels {
            return Ok(());
        }
        // Told one, told all: their order is told as well.
        body.labels.iter().zip(0..).try_for_each(|(label, id)| lines.label(LabelId(id), label))
    }

    /// The entries that their declarations do not say all of.
    fn unsaid_entries(&self, unnamed: bool) -> Vec<(&'static str, u32, Entry<'r>)> {
        let body = self.body();
        let mut entries = Vec::new();
        for (variable, id) in body.variables.iter().zip(VarId::FIRST_DECLARED.0..) {
            let name = self.names.variable(VarId(id));
            if !(self.says_name(variable.name, name, 'V', id, unnamed)
                && self.says(variable, VarId(id)))
            {
                entries.push(("variable", id, Entry::Variable(variable)));
            }
        }
        for (variable, id) in body.addresses.iter().zip(0..) {
            let name = self.names.address(AddrId(id));
            if !self.says_simple(variable, name, 'A', id.into(), unnamed) {
                entries.push(("address", id.into(), Entry::Simple(variable)));
            }
        }
        for (variable, id) in body.predicates.iter().zip(PredId::FIRST_DECLARED.0..=u16::MAX) {
            let name = self.names.predicate(PredId(id));
            if !self.says_simple(variable, name, 'P', id.into(), unnamed) {
                entries.push(("predicate", id.into(), Entry::Simple(variable)));
            }
        }
        for (variable, id) in body.samplers.iter().zip(0..) {
            if !self.says_state(variable, self.names.sampler(id as usize)) {
                entries.push(("sampler", id, Entry::Simple(variable)));
            }
        }
        for (variable, index) in body.surfaces.iter().zip(0..) {
            if !self.says_state(variable, self.names.surface(index as usize)) {
                let id = index + u32::from(SurfaceId::FIRST_DECLARED.0);
                entries.push(("surface", id, Entry::Simple(variable)));
            }
        }
        for (input, index) in self.routine.inputs.iter().zip(0..) {
            if !is_declared(input, self.names) {
                entries.push(("input", index, Entry::Input(input)));
            }
        }
        for (attribute, index) in body.attributes.iter().zip(0..) {
            if !self.says_attribute(attribute) {
                entries.push(("attribute", index, Entry::Attribute(attribute)));
            }
        }
        entries
    }

    /// Whether labels are numbered by their first appearance, and are what the text makes them.
    fn are_labels_said(&self) -> bool {
        let in_order = self.order.iter().map(|id| id.0).eq(0..self.labels.len() as u16);
        let is_said = |(label, (seen, index)): (&Label, (&Option<Seen>, u16))| {
            let name = self.names.label(LabelId(index));
            // A label that is not defined would be an error of the text, but for functions.
            seen.is_some_and(|seen| {
                seen.kind == label.kind && (seen.defined || seen.kind == LabelKind::FC)
            }) && label.attributes.is_empty()
                && self.is_named(label.name, name)
        };
        in_order
            && !self.hides_label
            && self.body().labels.iter().zip(self.labels.iter().zip(0..)).all(is_said)
    }

    /// Whether a name is that string of the pool, and the first like it.
    fn is_named(&self, string: StringId, name: Option<Spelling>) -> bool {
        name.is_some_and(|name| self.names.pool.is_at(string, name.text))
    }

    fn is_unnamed(&self, name: StringId) -> bool {
        self.names.pool.bytes(name).is_empty()
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
        string: StringId,
        name: Option<Spelling>,
        prefix: char,
        id: u32,
        unnamed: bool,
    ) -> bool {
        let text = |name| core::str::from_utf8(self.names.pool.text(name)).unwrap_or_default();
        if unnamed && name.is_some_and(|name| is_default_name(text(name.text), prefix, id)) {
            return string == StringId(0) && self.is_unnamed(string);
        }
        self.is_named(string, name)
    }

    fn says_simple(
        &self,
        variable: &SimpleVariable,
        name: Option<Spelling>,
        prefix: char,
        id: u32,
        unnamed: bool,
    ) -> bool {
        self.says_name(variable.name, name, prefix, id, unnamed)
            && self.says_attributes(&variable.attributes)
    }

    fn says(&self, variable: &Variable, id: VarId) -> bool {
        (variable.alias == VarId::NULL && variable.alias_offset == 0 || has_alias(variable, id))
            && variable.alias_scope == AliasScope::LOCAL
            && variable.align.name().is_some()
            && self.says_attributes(&variable.attributes)
    }

    fn says_state(&self, variable: &SimpleVariable, v_name: Option<Spelling>) -> bool {
        self.says_v_name(variable.name, v_name) && self.says_attributes(&variable.attributes)
    }

    fn says_v_name(&self, name: StringId, v_name: Option<Spelling>) -> bool {
        match v_name {
            Some(v_name) if !v_name.text.is_empty() => self.is_named(name, Some(v_name)),
            _ => name == StringId(0) && self.is_unnamed(name),
        }
    }

    fn says_attributes(&self, attributes: &[Attribute]) -> bool {
        attributes.iter().all(|attribute| self.says_attribute(attribute))
    }

    /// The value is always there; the name may stand in the pool twice, or not at all.
    fn says_attribute(&self, attribute: &Attribute) -> bool {
        matches!(self.names.pool.get(attribute.name), Some((_, true)))
    }

    /// Whether the pool is anything but the names of the text, each once, in their order.
    fn is_pool_unexpected(&self) -> bool {
        let pool = &self.names.pool;
        // Where all is as expected, the strings before `next` are those of the names so far.
        let (mut next, mut expected) = (1, self.is_unnamed(StringId(0)));
        self.each_name(&mut |name| match pool.first(name) {
            _ if pool.bytes(name).is_empty() => {}
            Some(first) if first == next => next += 1,
            first => expected &= first.is_some_and(|first| first < next),
        });
        !expected || pool.strings.len() != next as usize
    }

    /// The names of the text, in the order that an assembler puts them into the pool.
    fn each_name(&self, see: &mut impl FnMut(StringId)) {
        let body = self.body();
        let mut declared = |name: StringId, attributes: &[Attribute]| {
            see(name);
            attributes.iter().for_each(|attribute| see(attribute.name));
        };
        declared(body.name, &[]);
        body.variables.iter().for_each(|v| declared(v.name, &v.attributes));
        let simple = [&body.addresses, &body.predicates, &body.samplers, &body.surfaces];
        simple.into_iter().flatten().for_each(|v| declared(v.name, &v.attributes));
        body.labels.iter().for_each(|label| declared(label.name, &label.attributes));
        body.attributes.iter().for_each(|attribute| declared(attribute.name, &[]));
        self.strings.iter().for_each(|index| declared(StringId(*index), &[]));
    }
}

/// An entry of a table.
enum Entry<'r> {
    Variable(&'r Variable),
    Simple(&'r SimpleVariable),
    Input(&'r Input),
    Attribute(&'r Attribute),
}

impl Entry<'_> {
    fn encode(&self, w: &mut Writer) -> Result<()> {
        match self {
            Entry::Variable(variable) => variable.encode(w),
            Entry::Simple(variable) => variable.encode(w),
            Entry::Input(input) => input.encode(w),
            Entry::Attribute(attribute) => attribute.encode(w),
        }
    }
}

/// Whether a variable's alias can be said: what comes before it in the text.
pub(super) fn has_alias(variable: &Variable, id: VarId) -> bool {
    let alias = variable.alias;
    let earlier = alias >= VarId::FIRST_DECLARED && alias < id;
    alias != VarId::NULL && (earlier || alias.predefined_name().is_some())
}

/// Whether an input can be said: a variable, sampler or surface that is declared.
pub(super) fn is_declared(input: &Input, names: &Names<'_>) -> bool {
    let body = names.body();
    let index = input.index;
    match input.kind.class() {
        InputClass::GENERAL => {
            let id = VarId(index);
            id.predefined_name().is_some() || names.variable(id).is_some()
        }
        InputClass::SAMPLER => (index as usize) < body.samplers.len(),
        InputClass::SURFACE => {
            let first = u32::from(SurfaceId::FIRST_DECLARED.0);
            index < first + body.surfaces.len() as u32
        }
        _ => false,
    }
}

struct Lines<'p, 'n, W> {
    p: &'p mut Printer<'n>,
    out: &'p mut W,
    writer: Writer,
}

impl<W: Write> Lines<'_, '_, W> {
    fn end(&mut self) -> fmt::Result {
        self.p.line.ch('\n');
        self.p.line.flush_some(self.out)
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
        const START: &str = "//@ strings";
        let mut start = self.p.line.len();
        self.p.line.push(START);
        let pool = &trailer.names.pool;
        let quote = |line: &mut Line, index| match pool.plain(index) {
            Some(text) => {
                line.ch('"');
                pool.print(text, line);
                line.ch('"');
            }
            None => line.quoted(pool.bytes(index)),
        };
        for index in (0..pool.strings.len() as u32).map(StringId) {
            let before = self.p.line.len();
            self.p.line.ch(' ');
            quote(&mut self.p.line, index);
            if self.p.line.len() > start + WIDTH && before > start + START.len() {
                self.p.line.truncate(before);
                self.end()?;
                start = self.p.line.len();
                self.p.line.push(START);
                self.p.line.ch(' ');
                quote(&mut self.p.line, index);
            }
        }
        self.end()
    }

    fn entry(&mut self, table: &str, id: u32, entry: Entry<'_>) -> fmt::Result {
        self.p.line.push("//@ ");
        self.p.line.push(table);
        self.p.line.ch(' ');
        self.p.line.dec(id);
        self.bytes(|w| entry.encode(w))
    }

    fn label(&mut self, id: LabelId, label: &Label) -> fmt::Result {
        self.p.line.push("//@ label ");
        self.p.label(id, super::irregular::Suffix::Never);
        self.p.line.ch(' ');
        self.p.line.dec(id.0);
        self.bytes(|w| label.encode(w))
    }

    fn bytes(&mut self, encode: impl FnOnce(&mut Writer) -> Result<()>) -> fmt::Result {
        self.writer.clear();
        // What was decoded in a format can be encoded in it; what was built may not fit.
        encode(&mut self.writer).map_err(|_| fmt::Error)?;
        self.p.line.push(" =");
        self.p.line.hex_bytes(self.writer.bytes());
        self.end()
    }
}
