//! What the printer adds in `//@` comments: the difference between a routine's tables and those that
//! follow from its text.
//!
//! Names go into the string pool in the order of the declarations, and labels are numbered by their
//! first appearance; whatever differs from this is stated.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::{each_hidden, is_in_tables, item, line};
use crate::isa::{self, Instruction};
use crate::object::{
    AliasScope, Attribute, Body, Code, Input, InputClass, LabelInfo, LabelKind, Linkage, Module,
    Reloc, Routine, SimpleVariable, Variable,
};
use crate::operand::{LabelId, StringId, SurfaceId, VarId};
use crate::text::items::Suffix;
use crate::text::line::Line;
use crate::text::names::{Names, Spelling, is_default_name};
use crate::text::print::{Printer, Token};

/// The comment at the end of a line: nothing until the first item is added.
pub(in crate::text) struct Comment<'p, 'n> {
    p: &'p mut Printer<'n>,
    is_open: bool,
}

impl<'p, 'n> Comment<'p, 'n> {
    pub(in crate::text) fn new(p: &'p mut Printer<'n>) -> Self {
        Comment { p, is_open: false }
    }

    /// The items of a comment that is a line of its own, and has begun.
    fn open(p: &'p mut Printer<'n>) -> Self {
        Comment { p, is_open: true }
    }

    fn key(&mut self, key: &str) -> &mut Line {
        if !self.is_open {
            self.p.line.push(" //@");
            self.is_open = true;
        }
        self.p.line.ch(' ');
        self.p.line.push(key);
        &mut self.p.line
    }

    fn number(&mut self, key: &str, number: impl Into<u64>) {
        self.key(key).push("=");
        self.p.line.dec(number);
    }

    /// An index of the string pool, which must be printed then.
    fn index(&mut self, key: &str, index: StringId) {
        self.number(key, index.0);
        self.p.needs_pool = true;
    }

    fn pair(&mut self, key: &str, first: impl Into<u64>, second: impl Into<u64>) {
        self.number(key, first);
        self.p.line.ch(':');
        self.p.line.dec(second);
    }

    /// The name of a variable, unless it follows from what the line calls it.
    fn name(&mut self, names: &Names<'_>, string: StringId, shown: Option<Spelling>, prefix: char) {
        let text =
            |shown: Spelling| core::str::from_utf8(names.pool.text(shown.text)).unwrap_or_default();
        let is_default =
            names.has_unnamed() && shown.is_some_and(|shown| is_default_name(text(shown), prefix));
        let follows = if is_default {
            string == StringId(0) && names.is_unnamed(string)
        } else {
            names.is_first(string, shown)
        };
        if !follows {
            self.index(item::NAME, string);
        }
    }

    /// Attributes, if the name of one is not the first such string of the pool.
    fn attributes(&mut self, names: &Names<'_>, attributes: &[Attribute]) {
        let is_first =
            |attribute: &Attribute| matches!(names.pool.get(attribute.name), Some((_, true)));
        // All of them if one differs: two may have the same name.
        if !attributes.iter().all(is_first) {
            attributes.iter().for_each(|attribute| self.index(item::ATTRIBUTE, attribute.name));
        }
    }
}

/// What the line that begins a routine does not say.
pub(in crate::text) fn routine(p: &mut Printer<'_>, routine: &Routine<'_, '_>, is_again: bool) {
    let Some(names) = p.names else { return };
    let (body, name) = (routine.body, routine.name.as_bytes());
    let mut comment = Comment::new(p);
    if is_again {
        comment.key(item::AGAIN);
    }
    if names.pool.get(body.name) != Some((name, true)) {
        let is_same = names.pool.bytes(body.name) == name;
        comment.index(if is_same { item::NAME } else { item::BODY_NAME }, body.name);
    }
    if let Some((arguments, result)) = routine.stack_sizes.filter(|sizes| *sizes != (0, 0)) {
        comment.pair(item::STACK, arguments, result);
    }
    if let Some(linkage) = routine.linkage.filter(|linkage| *linkage != Linkage::GLOBAL) {
        comment.number(item::LINKAGE, linkage.bits());
    }
    if let Code::Stripped { size, entry } = body.code {
        comment.pair(item::STRIPPED, size, entry);
    }
}

/// What the declaration of a general variable does not say.
pub(in crate::text) fn variable(p: &mut Printer<'_>, id: VarId, variable: &Variable) {
    let Some(names) = p.names else { return };
    let mut comment = Comment::new(p);
    comment.name(names, variable.name, names.variable(id), 'V');
    if variable.align.name().is_none() {
        comment.number(item::ALIGN, variable.align.bits());
    }
    let has_none = variable.alias == VarId::NULL && variable.alias_offset == 0;
    if !has_none && !has_alias(variable, id) {
        comment.key(item::ALIAS).push("=<");
        let is_local = variable.alias_scope == AliasScope::LOCAL;
        match names.variable(variable.alias).filter(|_| is_local) {
            Some(name) => comment.p.name(name),
            None => comment.p.id('#', variable.alias.0),
        }
        comment.p.line.push(", ");
        comment.p.line.dec(variable.alias_offset);
        comment.p.line.ch('>');
    }
    if variable.alias_scope != AliasScope::LOCAL {
        comment.number(item::SCOPE, variable.alias_scope.bits());
    }
    comment.attributes(names, &variable.attributes);
}

/// Whether the text can say a variable's alias: that of a variable which is declared before it.
pub(in crate::text) fn has_alias(variable: &Variable, id: VarId) -> bool {
    let alias = variable.alias;
    let earlier = alias >= VarId::FIRST_DECLARED && alias < id;
    variable.alias_scope == AliasScope::LOCAL
        && alias != VarId::NULL
        && (earlier || alias.predefined_name().is_some())
}

/// What the declaration of an address variable or a predicate does not say.
pub(in crate::text) fn simple(
    p: &mut Printer<'_>,
    variable: &SimpleVariable,
    shown: Option<Spelling>,
    prefix: char,
) {
    let Some(names) = p.names else { return };
    let mut comment = Comment::new(p);
    comment.name(names, variable.name, shown, prefix);
    comment.attributes(names, &variable.attributes);
}

/// What the declaration of a sampler or surface does not say.
pub(in crate::text) fn state(
    p: &mut Printer<'_>,
    variable: &SimpleVariable,
    v_name: Option<Spelling>,
) {
    let Some(names) = p.names else { return };
    let mut comment = Comment::new(p);
    let follows = match v_name.filter(|v_name| !v_name.text.is_empty()) {
        Some(v_name) => names.is_first(variable.name, Some(v_name)),
        None => variable.name == StringId(0) && names.is_unnamed(variable.name),
    };
    if !follows {
        comment.index(item::NAME, variable.name);
    }
    comment.attributes(names, &variable.attributes);
}

/// What the line of a routine's attribute does not say.
pub(in crate::text) fn attribute(p: &mut Printer<'_>, attribute: &Attribute) {
    let Some(names) = p.names else { return };
    Comment::new(p).attributes(names, core::slice::from_ref(attribute));
}

/// An input whose variable is not declared.
pub(in crate::text) fn input(p: &mut Printer<'_>, input: &Input) {
    p.line.push("//@ ");
    p.line.push(line::INPUT);
    p.line.push(" kind=");
    p.line.dec(input.kind.bits());
    p.line.push(" index=");
    p.line.dec(input.index);
    p.line.push(" offset=");
    p.line.signed(input.offset);
    p.line.push(" size=");
    p.line.dec(input.size);
}

/// Whether an input can be said: a variable, sampler or surface that is declared.
pub(in crate::text) fn is_declared(input: &Input, body: &Body<'_>) -> bool {
    let index = input.index;
    let variables = VarId::FIRST_DECLARED.0 as usize..;
    match input.kind.class() {
        InputClass::GENERAL => {
            let id = VarId(index);
            let declared = variables.start..variables.start + body.variables.len();
            id.predefined_name().is_some() || declared.contains(&(index as usize))
        }
        InputClass::SAMPLER => (index as usize) < body.samplers.len(),
        InputClass::SURFACE => {
            let first = u32::from(SurfaceId::FIRST_DECLARED.0);
            index < first + body.surfaces.len() as u32
        }
        _ => false,
    }
}

/// The references of a function or kernel to variables and to functions of the file.
pub(in crate::text) fn relocs<W: Write>(
    text: &mut Line,
    module: &Module<'_>,
    [variables, functions]: [&[Reloc]; 2],
    out: &mut W,
) -> fmt::Result {
    const A_LINE: usize = 12;
    for (to, relocs, is_named) in [("variable", variables, false), ("function", functions, true)] {
        for relocs in relocs.chunks(A_LINE) {
            text.push("//@ ");
            text.push(line::RELOCS);
            text.ch(' ');
            text.push(to);
            for reloc in relocs {
                text.ch(' ');
                text.dec(reloc.symbolic_index);
                text.ch(':');
                text.dec(reloc.resolved_index);
                let function = module.functions.get(usize::from(reloc.resolved_index));
                // By name, as the text may put other functions before it.
                if let Some(function) = function.filter(|_| is_named) {
                    text.ch('=');
                    text.quoted(function.name.as_bytes());
                }
            }
            text.ch('\n');
            text.flush_some(out)?;
        }
    }
    Ok(())
}

/// Collects, while a routine is printed, what its last lines depend on.
pub(in crate::text) struct RoutineAnnotations<'r> {
    body: &'r Body<'r>,
    names: &'r Names<'r>,
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

/// What the text says of a label.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Seen {
    kind: LabelKind,
    is_defined: bool,
}

impl<'r> RoutineAnnotations<'r> {
    pub(in crate::text) fn new(body: &'r Body<'r>, names: &'r Names<'r>) -> Self {
        RoutineAnnotations {
            body,
            names,
            labels: vec![None; body.labels.len()],
            order: Vec::new(),
            strings: Vec::new(),
            seen_strings: vec![false; body.strings.len()],
            hides_label: false,
            hides_string: false,
        }
    }

    /// Whether an instruction defines a label that the text has defined already.
    pub(in crate::text) fn defines_again(&self, instruction: &Instruction) -> bool {
        let (Instruction::Label(isa::Label { label })
        | Instruction::Subroutine(isa::Subroutine { label })) = instruction
        else {
            return false;
        };
        match self.labels.get(usize::from(label.0)) {
            Some(seen) => seen.is_some_and(|seen| seen.is_defined),
            None => true,
        }
    }

    /// Takes note of the labels and strings of an instruction that its text names.
    pub(in crate::text) fn see(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Label(label) => self.define(label.label, LabelKind::BLOCK),
            Instruction::Subroutine(label) => self.define(label.label, LabelKind::SUBROUTINE),
            Instruction::Jmp(jmp) => self.label(jmp.label, LabelKind::BLOCK),
            Instruction::Goto(goto) => self.label(goto.label, LabelKind::BLOCK),
            Instruction::Call(call) => {
                // The mnemonic `fccall` is printed for this kind, and makes it.
                let is_fc = self.names.label_kind(call.label) == Some(LabelKind::FC);
                self.label(call.label, if is_fc { LabelKind::FC } else { LabelKind::BLOCK });
            }
            Instruction::SwitchJmp(switch) => {
                switch.labels.iter().for_each(|label| self.label(*label, LabelKind::BLOCK));
            }
            Instruction::File(file) => self.string(file.file_name.0),
            Instruction::Fcall(call) => self.string(call.func_id.0.into()),
            Instruction::Faddr(faddr) => self.string(faddr.func_id.0.into()),
            _ => {}
        }
    }

    /// Takes note of an instruction that is given by its bytes: its text defines nothing.
    pub(in crate::text) fn hide(&mut self, instruction: &Instruction) {
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

    fn label(&mut self, id: LabelId, kind: LabelKind) {
        match self.labels.get_mut(usize::from(id.0)) {
            Some(slot @ None) => {
                *slot = Some(Seen { kind, is_defined: false });
                self.order.push(id);
            }
            Some(Some(seen)) if kind != LabelKind::BLOCK => seen.kind = kind,
            _ => {}
        }
    }

    fn define(&mut self, id: LabelId, kind: LabelKind) {
        self.label(id, kind);
        if let Some(Some(seen)) = self.labels.get_mut(usize::from(id.0)) {
            seen.is_defined = true;
        }
    }

    fn string(&mut self, index: u32) {
        if let Some(seen @ false) = self.seen_strings.get_mut(index as usize) {
            *seen = true;
            self.strings.push(index);
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
            self.label_line(p, LabelId(id), label);
            p.line.flush_some(out)?;
        }
        if !self.is_order_implied() {
            let labels = (0..self.labels.len() as u16).map(LabelId);
            wrapped(p, line::LABELS, labels, out, |p, label| {
                p.label(label, Suffix::Never);
            })?;
        }
        if p.needs_pool || self.hides_string || self.is_pool_unexpected() {
            let pool = &self.names.pool;
            let strings = (0..pool.strings.len() as u32).map(StringId);
            wrapped(p, line::STRINGS, strings, out, |p, string| match pool.plain(string) {
                Some(text) => {
                    p.line.ch('"');
                    pool.print(text, &mut p.line);
                    p.line.ch('"');
                }
                None => p.line.quoted(pool.bytes(string)),
            })?;
        }
        Ok(())
    }

    /// Whether the labels are numbered by their first appearance in the text.
    fn is_order_implied(&self) -> bool {
        !self.hides_label && self.order.iter().map(|id| id.0).eq(0..self.labels.len() as u16)
    }

    /// The line of a label that the text does not say all of.
    fn label_line(&self, p: &mut Printer<'_>, id: LabelId, label: &LabelInfo) {
        let start = p.line.len();
        p.line.push("//@ ");
        p.line.push(line::LABEL);
        p.line.ch(' ');
        p.label(id, Suffix::Never);
        let len = p.line.len();
        let seen = self.labels[usize::from(id.0)];
        let kind = seen.map_or(LabelKind::BLOCK, |seen| seen.kind);
        let is_known = seen.is_some_and(|seen| seen.is_defined || kind == LabelKind::FC);
        let mut comment = Comment::open(p);
        if !is_known {
            comment.key(item::UNDEFINED);
        }
        if kind != label.kind {
            comment.pair(item::KIND, kind.bits(), label.kind.bits());
        }
        if !self.names.is_first(label.name, self.names.label(id)) {
            comment.index(item::NAME, label.name);
        }
        if !label.attributes.is_empty() {
            comment.key(item::ATTRS).push("={");
            for (i, attribute) in label.attributes.iter().enumerate() {
                comment.p.line.push(if i == 0 { "" } else { ", " });
                comment.p.attribute(attribute);
            }
            comment.p.line.ch('}');
            comment.attributes(self.names, &label.attributes);
        }
        if p.line.len() == len {
            p.line.truncate(start);
        } else {
            p.line.ch('\n');
        }
    }

    /// Whether the pool is anything but the names of the text, each once, in their order.
    fn is_pool_unexpected(&self) -> bool {
        let pool = &self.names.pool;
        // Where all is as expected, the strings before `next` are those of the names so far.
        let (mut next, mut expected) = (1, self.names.is_unnamed(StringId(0)));
        self.each_name(&mut |name| match pool.first(name) {
            _ if pool.bytes(name).is_empty() => {}
            Some(first) if first == next => next += 1,
            first => expected &= first.is_some_and(|first| first < next),
        });
        !expected || pool.strings.len() != next as usize
    }

    /// The names of the text, in the order that an assembler puts them into the pool.
    fn each_name(&self, see: &mut impl FnMut(StringId)) {
        let body = self.body;
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

/// Prints a list as comments, as many items to a line as fit.
fn wrapped<'n, I, W: Write>(
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
            p.line.flush_some(out)?;
            start = None;
        }
    }
    p.line.ch('\n');
    p.line.flush_some(out)
}

/// The bytes of an instruction whose text does not say all of it, and the names of what only they
/// refer to.
pub(in crate::text) fn bytes(p: &mut Printer<'_>, instruction: &Instruction, bytes: &[u8]) {
    p.line.push(" //@");
    p.line.hex_bytes(bytes);
    let Some(names) = p.names else { return };
    // The text with ids shows what the bytes alone refer to. It is made in the line, which has room.
    const MOST: usize = 32;
    let (mut hidden, mut count) = ([('V', 0); MOST], 0);
    let (start, needs_pool) = (p.line.len(), p.needs_pool);
    p.names = None;
    instruction.print(p);
    let text = core::str::from_utf8(&p.line.bytes()[start..]).unwrap_or_default();
    each_hidden(instruction, text, |reference| {
        let is_new = !hidden[..count].contains(&reference);
        if is_new && count < MOST && is_in_tables(reference, names.body()) {
            hidden[count] = reference;
            count += 1;
        }
    });
    p.line.truncate(start);
    (p.names, p.needs_pool, p.lossy) = (Some(names), needs_pool, true);
    for (i, (class, id)) in hidden.into_iter().take(count).enumerate() {
        p.line.push(if i == 0 { "; " } else { " " });
        p.id(class, id);
        p.line.ch('=');
        p.reference(class, id);
    }
}
