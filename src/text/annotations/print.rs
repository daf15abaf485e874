//! Printing of annotations: the differences between the tables of a routine and those that the text
//! implies.
//!
//! The text implies that the names are in the string pool in the order of the declarations, and
//! that labels are numbered by their first appearance.

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
use crate::text::print::{Print, Printer};

/// A printer of the items of an annotation. Without items, nothing is printed.
pub(in crate::text) struct AnnotationPrinter<'p, 'n> {
    p: &'p mut Printer<'n>,
    is_open: bool,
}

impl<'p, 'n> AnnotationPrinter<'p, 'n> {
    pub(in crate::text) fn new(p: &'p mut Printer<'n>) -> Self {
        AnnotationPrinter { p, is_open: false }
    }

    /// Continues an annotation on a line of its own.
    fn open(p: &'p mut Printer<'n>) -> Self {
        AnnotationPrinter { p, is_open: true }
    }

    /// Prints the key of an item, and returns the line.
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

    /// Adds an index of the string pool, which then has to be printed.
    fn index(&mut self, key: &str, index: StringId) {
        self.number(key, index.0);
        self.p.needs_string_pool = true;
    }

    fn pair(&mut self, key: &str, first: impl Into<u64>, second: impl Into<u64>) {
        self.number(key, first);
        self.p.line.ch(':');
        self.p.line.dec(second);
    }

    /// Adds the name of a variable, unless the name that is printed implies it.
    fn name(
        &mut self,
        names: &Names<'_>,
        string: StringId,
        printed: Option<Spelling>,
        prefix: char,
    ) {
        let is_default = |name: Spelling| {
            let text = core::str::from_utf8(names.string_index.text(name.text));
            is_default_name(text.unwrap_or_default(), prefix)
        };
        let is_implied = if names.has_unnamed() && printed.is_some_and(is_default) {
            string == StringId(0) && names.is_unnamed(string)
        } else {
            names.is_first(string, printed)
        };
        if !is_implied {
            self.index(item::NAME, string);
        }
    }

    /// Adds the properties of a general variable that its declaration does not express.
    fn properties(&mut self, names: &Names<'_>, variable: &Variable, has_alias: bool) {
        if variable.align.name().is_none() {
            self.number(item::ALIGN, variable.align.bits());
        }
        let is_alias = variable.alias != VarId::NULL || variable.alias_offset != 0;
        if is_alias && !has_alias {
            self.key(item::ALIAS).push("=<");
            let is_local = variable.alias_scope == AliasScope::LOCAL;
            match names.variable(variable.alias).filter(|_| is_local) {
                Some(name) => self.p.name(name),
                None => self.p.id('#', variable.alias.0),
            }
            self.p.line.push(", ");
            self.p.line.dec(variable.alias_offset);
            self.p.line.ch('>');
        }
        if variable.alias_scope != AliasScope::LOCAL {
            self.number(item::SCOPE, variable.alias_scope.bits());
        }
    }

    /// Adds the names of attributes, unless each is the first of equal strings in the pool.
    fn attributes(&mut self, names: &Names<'_>, attributes: &[Attribute]) {
        let is_first = |attribute: &Attribute| {
            matches!(names.string_index.get(attribute.name), Some((_, true)))
        };
        // If one differs, print all of them: two attributes may have the same name.
        if !attributes.iter().all(is_first) {
            attributes.iter().for_each(|attribute| self.index(item::ATTRIBUTE, attribute.name));
        }
    }
}

/// Prints the annotation of the line that begins a routine.
pub(in crate::text) fn routine(
    p: &mut Printer<'_>,
    routine: &Routine<'_, '_>,
    has_repeated_name: bool,
) {
    let Some(names) = p.names else { return };
    let (body, name) = (routine.body, routine.name.as_bytes());
    let mut annotation = AnnotationPrinter::new(p);
    if has_repeated_name {
        annotation.key(item::AGAIN);
    }
    if names.string_index.get(body.name) != Some((name, true)) {
        let is_same = names.string_index.bytes(body.name) == name;
        annotation.index(if is_same { item::NAME } else { item::BODY_NAME }, body.name);
    }
    if let Some((arguments, result)) = routine.stack_sizes.filter(|sizes| *sizes != (0, 0)) {
        annotation.pair(item::STACK, arguments, result);
    }
    if let Some(linkage) = routine.linkage.filter(|linkage| *linkage != Linkage::GLOBAL) {
        annotation.number(item::LINKAGE, linkage.bits());
    }
    if let Code::Stripped { size, entry } = body.code {
        annotation.pair(item::STRIPPED, size, entry);
    }
}

/// Prints the annotation of the declaration of a general variable.
pub(in crate::text) fn variable(p: &mut Printer<'_>, id: VarId, variable: &Variable) {
    let Some(names) = p.names else { return };
    let mut annotation = AnnotationPrinter::new(p);
    annotation.name(names, variable.name, names.variable(id), 'V');
    annotation.properties(names, variable, has_alias(variable, id));
    annotation.attributes(names, &variable.attributes);
}

/// Prints the annotation of the declaration of a general variable, without names.
#[cfg(feature = "diff")]
pub(in crate::text) fn variable_properties(
    p: &mut Printer<'_>,
    variable: &Variable,
    has_alias: bool,
) {
    let Some(names) = p.names else { return };
    AnnotationPrinter::new(p).properties(names, variable, has_alias);
}

/// Returns whether the declaration can express an alias: the other variable must precede it.
pub(in crate::text) fn has_alias(variable: &Variable, id: VarId) -> bool {
    let alias = variable.alias;
    let is_earlier = alias >= VarId::FIRST_DECLARED && alias < id;
    variable.alias_scope == AliasScope::LOCAL
        && alias != VarId::NULL
        && (is_earlier || alias.predefined_name().is_some())
}

/// Prints the annotation of the declaration of an address variable or a predicate.
pub(in crate::text) fn address_or_predicate(
    p: &mut Printer<'_>,
    variable: &SimpleVariable,
    printed: Option<Spelling>,
    prefix: char,
) {
    let Some(names) = p.names else { return };
    let mut annotation = AnnotationPrinter::new(p);
    annotation.name(names, variable.name, printed, prefix);
    annotation.attributes(names, &variable.attributes);
}

/// Prints the annotation of the declaration of a sampler or surface.
pub(in crate::text) fn sampler_or_surface(
    p: &mut Printer<'_>,
    variable: &SimpleVariable,
    v_name: Option<Spelling>,
) {
    let Some(names) = p.names else { return };
    let mut annotation = AnnotationPrinter::new(p);
    let is_implied = match v_name.filter(|v_name| !v_name.text.is_empty()) {
        Some(v_name) => names.is_first(variable.name, Some(v_name)),
        None => variable.name == StringId(0) && names.is_unnamed(variable.name),
    };
    if !is_implied {
        annotation.index(item::NAME, variable.name);
    }
    annotation.attributes(names, &variable.attributes);
}

/// Prints the annotation of an attribute of a routine.
pub(in crate::text) fn attribute(p: &mut Printer<'_>, attribute: &Attribute) {
    let Some(names) = p.names else { return };
    AnnotationPrinter::new(p).attributes(names, core::slice::from_ref(attribute));
}

/// Prints an input whose variable is not declared.
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

/// Returns whether the variable, sampler or surface of an input is declared.
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

/// Prints the references of a function or kernel to file-scope variables and to functions.
pub(in crate::text) fn relocs<W: Write>(
    text: &mut Line,
    module: &Module<'_>,
    [variables, functions]: [&[Reloc]; 2],
    out: &mut W,
) -> fmt::Result {
    const PER_LINE: usize = 12;
    for (to, relocs, is_named) in [("variable", variables, false), ("function", functions, true)] {
        for relocs in relocs.chunks(PER_LINE) {
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
                // The name, because editing the text may change the index.
                if let Some(function) = function.filter(|_| is_named) {
                    text.ch('=');
                    text.quoted(function.name.as_bytes());
                }
            }
            text.ch('\n');
            text.flush_if_large(out)?;
        }
    }
    Ok(())
}

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
    pub(in crate::text) fn redefines_label(&self, instruction: &Instruction) -> bool {
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
    pub(in crate::text) fn record_as_bytes(&mut self, instruction: &Instruction) {
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

/// Prints the bytes of an instruction whose text is incomplete, and the names of the ids that only
/// the bytes contain.
pub(in crate::text) fn instruction_bytes(
    p: &mut Printer<'_>,
    instruction: &Instruction,
    bytes: &[u8],
) {
    p.line.push(" //@");
    p.line.hex_bytes(bytes);
    let Some(names) = p.names else { return };
    const MAX_HIDDEN: usize = 32;
    let (mut hidden, mut count) = ([('V', 0); MAX_HIDDEN], 0);
    // Find the ids that the text lacks by printing it with ids instead of names. The end of the
    // line is the buffer, so that this does not allocate.

    let (start, needs_string_pool) = (p.line.len(), p.needs_string_pool);
    p.names = None;
    instruction.print(p);
    let text = core::str::from_utf8(&p.line.bytes()[start..]).unwrap_or_default();
    each_hidden(instruction, text, |reference| {
        let is_new = !hidden[..count].contains(&reference);
        if is_new && count < MAX_HIDDEN && is_in_tables(reference, names.body()) {
            hidden[count] = reference;
            count += 1;
        }
    });
    p.line.truncate(start);
    (p.names, p.needs_string_pool, p.is_incomplete) = (Some(names), needs_string_pool, true);
    for (i, (class, id)) in hidden.into_iter().take(count).enumerate() {
        p.line.push(if i == 0 { "; " } else { " " });
        p.id(class, id);
        p.line.ch('=');
        p.reference(class, id);
    }
}
