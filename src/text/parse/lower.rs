//! Lowers a parsed routine to tables and bytes, and assigns string and label ids.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::cell::OnceCell;
use core::ops::Range;

use super::Parser;
use super::cursor::{Failed, Parsed};
use super::diagnostic::{Diagnostic, cut};
use super::routine::{
    AliasTarget, Annotations, AttributeText, InputText, LabelAnnotations, ParsedRoutine, Spanned,
    Statement,
};
use crate::error::Severity;
use crate::error::{ErrorKind, Result};
use crate::format::{Dialect, Format, Version};
use crate::isa::Instruction;
use crate::object::{
    AliasScope, Align, Attribute, Body, Code, Function, FunctionDefinition, Input, Kernel,
    LabelInfo, LabelKind, Linkage, Name, RoutineKind, SimpleVariable,
};
use crate::operand::{LabelId, ShortStringId, Slot, StringId, SurfaceId, VarId, VisitorMut};
use crate::text::annotations::{Reference, is_declared, references};
use crate::text::names::{Names, is_default_name};
use crate::wire::{Reader, Wire, Writer};

/// The string pool under way.
struct Interner {
    strings: Vec<Name>,
    /// The first string of these bytes.
    first: BTreeMap<Vec<u8>, u32>,
    /// Whether the text lists the strings.
    is_given: bool,
}

impl Interner {
    /// From the pool that the text gives, or from none.
    fn new(given: Option<Vec<Name>>) -> Interner {
        let is_given = given.is_some();
        let strings = given.unwrap_or_else(|| [Name::default()].into());
        let mut first = BTreeMap::new();
        for (string, index) in strings.iter().zip(0..) {
            first.entry(string.as_bytes().to_vec()).or_insert(index);
        }
        Interner { strings, first, is_given }
    }

    /// Why an annotation does not apply that gives a string of the pool.
    fn mismatch(&self, index: u32, expected: &str) -> String {
        match self.strings.get(index as usize) {
            Some(string) if self.is_given => {
                let string = string.to_string_lossy();
                format!("the string {index} is `{}`, not {expected}: it is ignored", cut(&string))
            }
            Some(_) | None if !self.is_given => {
                "the text does not list its strings: their numbers are ignored".into()
            }
            _ => format!("there is no string {index}: it is ignored"),
        }
    }

    fn intern(&mut self, bytes: &[u8]) -> StringId {
        if let Some(index) = self.first.get(bytes) {
            return StringId(*index);
        }
        let index = self.strings.len() as u32;
        self.strings.push(bytes.into());
        self.first.insert(bytes.into(), index);
        StringId(index)
    }
}

/// An entry of a table by its bytes, all of them.
pub(super) fn entry<E: Wire>(bytes: &[u8], format: Format) -> Result<E> {
    let mut r = Reader::new(bytes, format);
    let entry = E::decode(&mut r)?;
    match r.rest().len() {
        0 => Ok(entry),
        count => Err(r.error(ErrorKind::TrailingBytes { count })),
    }
}

impl<'t> Parser<'t> {
    /// Lowers the routine that has been read, if there is one.
    pub(super) fn end_routine(&mut self) {
        let Some(mut routine) = self.routine.take() else { return };
        if self.symbols.depth() > 0 {
            let end = self.c.at.min(self.c.text.len());
            self.c.complain(end..end, "a scope is not closed");
        }
        if let Some((_, span)) = &routine.function {
            self.c.complain(span.clone(), "no label follows");
        }
        let (kind, name) = (routine.kind, Name::from(&routine.name[..]));
        let places = core::mem::take(&mut routine.source_map);
        let header = places.header();
        let is_new = self.routine_names.insert((kind, routine.name.clone()));
        match (is_new, routine.notes.is_again) {
            (false, false) => {
                let message = format!("there is a {} of this name already", kind);
                self.c.complain(header.clone(), &message);
            }
            (true, true) => {
                let message = format!("no earlier {} has this name: `again` is ignored", kind);
                self.warn(&header, message);
            }
            _ => {}
        }
        let of_functions = routine.notes.stack.is_some() || routine.notes.linkage.is_some();
        if kind == RoutineKind::Kernel && of_functions {
            self.c.complain(header, "a kernel has neither `stack` nor `linkage`");
        }
        let code = routine.code.iter().map(|statement| statement.span.clone()).collect();
        let places = places.with_code(code);
        let relocs = core::mem::take(&mut routine.relocs);
        let (stack, linkage) = (routine.notes.stack.clone(), routine.notes.linkage.clone());
        // Errors have already been reported.
        let Ok((body, inputs)) = self.lower(routine) else { return };
        match kind {
            RoutineKind::Kernel => {
                self.file.relocs_of_kernels.push(relocs);
                self.source_map.kernels.push(places);
                self.module.kernels.push(Kernel { name, inputs, body, ..Kernel::default() });
            }
            RoutineKind::Function => {
                let (input_size, return_value_size) = stack.map_or((0, 0), |stack| stack.value);
                self.file.relocs_of_functions.push(relocs);
                self.source_map.functions.push(places);
                self.module.functions.push(Function {
                    linkage: linkage.map_or(Linkage::GLOBAL, |linkage| linkage.value),
                    name,
                    definition: Some(Box::new(FunctionDefinition {
                        input_size,
                        return_value_size,
                        body,
                    })),
                    ..Function::default()
                })
            }
        }
    }

    pub(super) fn warn(&mut self, span: &Range<usize>, message: String) {
        let mut warning = Diagnostic::new(span.clone(), message);
        warning.severity = Severity::Warning;
        self.warnings.push(warning);
    }

    fn lower(&mut self, mut routine: ParsedRoutine<'t>) -> Parsed<(Body<'static>, Vec<Input>)> {
        let mut pool = Interner::new(routine.strings.take());
        let unnamed = routine.unnamed;
        let name = match (&routine.notes.body_name, &routine.notes.name) {
            (Some(name), _) if pool.is_given => StringId(name.value),
            (_, name) => {
                let name = name.as_ref();
                self.name(&mut pool, Some(&routine.name), name, None, false)
            }
        };
        let mut body = Body { name, ..Body::default() };
        self.lower_variables(&mut routine, &mut pool, &mut body)?;
        // Each table of the other classes.
        macro_rules! table {
            ($field:ident, $prefix:expr) => {
                for declared in &mut routine.$field {
                    let notes = declared.notes.take().unwrap_or_default();
                    let (text, note) = (declared.name.map(str::as_bytes), notes.name.as_ref());
                    let name = self.name(&mut pool, text, note, $prefix, unnamed);
                    let attributes = core::mem::take(&mut declared.attributes);
                    let attributes = self.attribute_ids(&mut pool, attributes, &notes.attributes);
                    let entry = core::mem::take(&mut declared.entry);
                    body.$field.push(SimpleVariable { name, attributes, ..entry });
                }
            };
        }
        table!(addresses, Some('A'));
        table!(predicates, Some('P'));
        table!(samplers, None);
        table!(surfaces, None);
        let inputs = self.lower_inputs(core::mem::take(&mut routine.inputs), &body)?;
        let label_ids = self.lower_labels(&mut routine, &mut pool, &mut body);
        for (attribute, notes) in core::mem::take(&mut routine.attributes) {
            let notes = notes.unwrap_or_default();
            let attribute = self.attribute_ids(&mut pool, [attribute].into(), &notes.attributes);
            body.attributes.extend(attribute);
        }
        let strings: Vec<StringId> =
            self.strings.iter().map(|string| pool.intern(string)).collect();
        body.strings = pool.strings;
        let code = core::mem::take(&mut routine.code);
        let has_code = !code.is_empty();
        let bytes = self.lower_code(code, &strings, &label_ids, &routine, &body);
        body.code = match routine.notes.stripped {
            Some(stripped) if !has_code => {
                let (size, entry) = stripped.value;
                Code::Stripped { size, entry }
            }
            stripped => {
                if let Some(stripped) = stripped {
                    let message = "the kernel has instructions: `stripped` is ignored";
                    self.warn(&stripped.span, message.into());
                }
                Code::Present { bytes: bytes.into(), offset: 0 }
            }
        };
        Ok((body, inputs))
    }

    fn lower_variables(
        &mut self,
        routine: &mut ParsedRoutine<'t>,
        pool: &mut Interner,
        body: &mut Body<'static>,
    ) -> Parsed<()> {
        let first = VarId::FIRST_DECLARED.0;
        let mut ids: Option<BTreeMap<&str, u32>> = None;
        let symbols: Vec<&'t str> = routine.variables.iter().map(|v| v.symbol).collect();
        let mut failed = Ok(());
        for declared in &mut routine.variables {
            let notes = declared.notes.take().unwrap_or_default();
            let mut variable = core::mem::take(&mut declared.entry);
            let (text, note) = (declared.name.map(str::as_bytes), notes.name.as_ref());
            variable.name = self.name(pool, text, note, Some('V'), routine.unnamed);
            let attributes = core::mem::take(&mut declared.attributes);
            variable.attributes = self.attribute_ids(pool, attributes, &notes.attributes);
            if let Some(Spanned { value, span }) = &notes.align {
                if variable.align == Align::BYTE {
                    variable.align = *value;
                } else {
                    self.warn(span, "the declaration has an alignment: this one is ignored".into());
                }
            }
            let has_alias = variable.alias != VarId::NULL;
            let scope = notes.scope.as_ref().map_or(AliasScope::LOCAL, |scope| scope.value);
            match (&notes.alias, &notes.scope) {
                (Some(Spanned { span, .. }), _) | (_, Some(Spanned { span, .. })) if has_alias => {
                    self.warn(span, "the declaration has an alias: this one is ignored".into());
                }
                (Some(Spanned { value: (target, offset), span }), _) => {
                    variable.alias_scope = scope;
                    variable.alias_offset = *offset;
                    let id = match *target {
                        AliasTarget::Name(name) if scope == AliasScope::LOCAL => {
                            let ids = ids.get_or_insert_with(|| {
                                symbols.iter().copied().zip(first..).collect()
                            });
                            ids.get(name).copied().ok_or_else(|| {
                                format!(
                                    "the alias `{}` is not a variable of this routine",
                                    cut(name)
                                )
                            })
                        }
                        AliasTarget::Name(_) => {
                            Err("an alias in another scope is `#` and an id".into())
                        }
                        // An id that was not declared must not name what has been added since.
                        AliasTarget::Id(id)
                            if scope == AliasScope::LOCAL
                                && (first..first + symbols.len() as u32).contains(&id) =>
                        {
                            Err(format!("the variable {id} is declared: name it as the alias"))
                        }
                        AliasTarget::Id(id) => Ok(id),
                    };
                    match id {
                        Ok(id) => variable.alias = VarId(id),
                        Err(message) => failed = Err(self.c.fail(span.clone(), &message)),
                    }
                }
                (None, Some(_)) => variable.alias_scope = scope,
                (None, None) => {}
            }
            body.variables.push(variable);
        }
        failed
    }

    /// The name's string: the one that the text implies, or that a comment gives if it was made for
    /// this name.
    fn name(
        &mut self,
        pool: &mut Interner,
        text: Option<&[u8]>,
        note: Option<&Spanned<u32>>,
        prefix: Option<char>,
        unnamed: bool,
    ) -> StringId {
        let default_of = |prefix: Option<char>, text: &[u8]| {
            let text = core::str::from_utf8(text).unwrap_or_default();
            prefix.is_some_and(|prefix| is_default_name(text, prefix))
        };
        if let Some(Spanned { value, span }) = note {
            let given = pool.strings.get(*value as usize).map_or(&b""[..], Name::as_bytes);
            let is_for_this = match text {
                // A default name is shown for a string that cannot be.
                Some(text) => {
                    let end = text.iter().rposition(|byte| *byte != b'_').map_or(0, |at| at + 1);
                    given == text || default_of(prefix, &text[..end])
                }
                None => true,
            };
            if is_for_this && pool.is_given {
                return StringId(*value);
            }
            let message = pool.mismatch(*value, "this name");
            self.warn(span, message);
        }
        match text {
            None => StringId(0),
            Some(text) if unnamed && default_of(prefix, text) => StringId(0),
            Some(text) => pool.intern(text),
        }
    }

    /// Attributes with the strings of their names: those that the text implies, or those that a comment
    /// gives.
    fn attribute_ids(
        &mut self,
        pool: &mut Interner,
        attributes: Vec<AttributeText>,
        notes: &[Spanned<u32>],
    ) -> Vec<Attribute> {
        let mut given = vec![None; attributes.len()];
        let mut next = 0;
        for Spanned { value, span } in notes {
            let string = pool.strings.get(*value as usize).map_or(&b""[..], Name::as_bytes);
            let rest = attributes.iter().skip(next);
            match rest.zip(next..).find(|(attribute, _)| attribute.name == string) {
                Some((_, index)) if pool.is_given => {
                    given[index] = Some(StringId(*value));
                    next = index + 1;
                }
                _ => {
                    let message = pool.mismatch(*value, "the name of an attribute here");
                    self.warn(span, message);
                }
            }
        }
        let attribute = |(AttributeText { name, value }, given): (_, Option<StringId>)| Attribute {
            name: given.unwrap_or_else(|| pool.intern(&name)),
            value,
        };
        attributes.into_iter().zip(given).map(attribute).collect()
    }

    fn lower_inputs(&mut self, inputs: Vec<InputText>, body: &Body<'_>) -> Parsed<Vec<Input>> {
        let mut failed = Ok(());
        for InputText { input, undeclared } in &inputs {
            if let Some(span) = undeclared.as_ref().filter(|_| is_declared(input, body)) {
                let message = "the variable of this input is declared: use `.input` and its name";
                failed = Err(self.c.fail(span.clone(), message));
            }
        }
        failed.map(|()| inputs.into_iter().map(|text| text.input).collect())
    }

    /// Numbers the labels: those that `//@ labels` lists come first, in its order, then the others as
    /// they appear. Returns the final id of each label by its first appearance; none for a label that
    /// the table does not have.
    fn lower_labels(
        &mut self,
        routine: &mut ParsedRoutine<'t>,
        pool: &mut Interner,
        body: &mut Body<'static>,
    ) -> Vec<Option<LabelId>> {
        let mut described: BTreeMap<&str, LabelAnnotations<'t>> = BTreeMap::new();
        for label in core::mem::take(&mut routine.labels) {
            if label.notes.is_undefined {
                // Errors are those of the table's size, which the text would have had as well.
                let _ = self.symbols.label(label.name, label.span.clone());
            }
            let (name, span) = (label.name, label.span.clone());
            if described.insert(name, label).is_some() {
                self.c.complain(span, "this label is described twice");
            }
        }
        let labels = core::mem::take(&mut self.symbols.labels);
        let by_name: BTreeMap<&str, usize> =
            labels.iter().zip(0..).map(|(label, index)| (label.name, index)).collect();
        let mut ids: Vec<Option<LabelId>> = vec![None; labels.len()];
        let mut order: Vec<usize> = Vec::with_capacity(labels.len());
        for (name, span) in core::mem::take(&mut routine.label_order) {
            match by_name.get(name) {
                Some(index) if ids[*index].is_none() && !labels[*index].is_tentative => {
                    ids[*index] = Some(LabelId(order.len() as u16));
                    order.push(*index);
                }
                Some(index) if ids[*index].is_some() => {
                    self.c.complain(span, "this label is listed twice");
                }
                _ => self.warn(&span, format!("there is no label `{}` any more", cut(name))),
            }
        }
        let is_new = |(index, id): &(usize, &mut Option<LabelId>)| {
            id.is_none() && !labels[*index].is_tentative
        };
        for (index, id) in ids.iter_mut().enumerate().filter(is_new) {
            *id = Some(LabelId(order.len() as u16));
            order.push(index);
        }
        for index in order {
            let label = &labels[index];
            let described = described.remove(label.name);
            let (span, mut notes) = match described {
                Some(LabelAnnotations { span, notes, .. }) => (span, notes),
                None => (label.span.clone(), Annotations::default()),
            };
            if notes.is_undefined && label.defined {
                self.warn(&span, format!("the label `{}` is defined", cut(label.name)));
            } else if !(label.defined || notes.is_undefined || label.kind == LabelKind::FC) {
                let message = format!("the label `{}` is not defined", cut(label.name));
                self.c.complain(label.span.clone(), &message);
            }
            let kind = match &notes.kind {
                Some(Spanned { value: (from, to), .. }) if *from == label.kind => *to,
                Some(Spanned { span, .. }) => {
                    let name = cut(label.name);
                    let message = format!("the kind of `{name}` has changed: it is ignored");
                    self.warn(span, message);
                    label.kind
                }
                None => label.kind,
            };
            let (text, note) = (Some(label.name.as_bytes()), notes.name.as_ref());
            let name = self.name(pool, text, note, Some('L'), false);
            let attrs = core::mem::take(&mut notes.attrs);
            let attributes = self.attribute_ids(pool, attrs, &notes.attributes);
            body.labels.push(LabelInfo { name, kind, attributes });
            routine.label_names.push(label.name);
        }
        for label in described.into_values() {
            let message = format!("there is no label `{}` any more", cut(label.name));
            self.warn(&label.span, message);
        }
        ids
    }

    /// Encodes the instructions.
    fn lower_code(
        &mut self,
        code: Vec<Statement>,
        strings: &[StringId],
        labels: &[Option<LabelId>],
        routine: &ParsedRoutine<'t>,
        body: &Body<'_>,
    ) -> Vec<u8> {
        let format = self.format;
        let mut numbers = Numbers { strings, labels, is_full: false, has_unknown: false };
        let tables = Tables::new(body, routine);
        let mut w = Writer::new(format);
        for statement in code {
            let (start, span) = (w.len(), statement.span.clone());
            let numbered = if statement.exact.is_some() {
                self.lower_exact(statement, &mut numbers, &tables)
            } else {
                let numbered = numbers.apply(statement.instruction);
                numbered.map_err(|message| self.c.fail(span.clone(), message))
            };
            let Ok(instruction) = numbered else { continue };
            if let Err(error) = instruction.encode(&mut w) {
                w.truncate(start);
                self.not_encodable(&instruction, &error, span);
            }
        }
        w.into_bytes()
    }

    /// Reports an instruction that the format cannot encode.
    pub(super) fn not_encodable(
        &mut self,
        instruction: &Instruction,
        error: &crate::Error,
        span: Range<usize>,
    ) -> Failed {
        let help = first_version(instruction, self.format);
        self.c.fail_with_help(span, &without_offset(error), help)
    }
}

/// What instructions that are given by their bytes refer to.
pub(super) struct Tables<'r, 't> {
    pub(super) body: &'r Body<'r>,
    routine: &'r ParsedRoutine<'t>,
    /// The names of the text, made when they are needed; none if a name may mean several variables.
    names: OnceCell<Option<Names<'r>>>,
}

impl<'r, 't> Tables<'r, 't> {
    fn new(body: &'r Body<'r>, routine: &'r ParsedRoutine<'t>) -> Self {
        Tables { body, routine, names: OnceCell::new() }
    }

    pub(super) fn names(&self) -> Option<&Names<'r>> {
        let names = self.names.get_or_init(|| {
            let ParsedRoutine { variables, addresses, predicates, label_names, .. } = self.routine;
            let names = || {
                Names::of_text(
                    self.body,
                    variables.iter().map(|variable| variable.symbol),
                    addresses.iter().map(|variable| variable.symbol),
                    predicates.iter().map(|variable| variable.symbol),
                    label_names.iter().copied(),
                )
            };
            (!self.routine.has_scopes).then(names)
        });
        names.as_ref()
    }

    /// Whether the samplers and surfaces of an instruction have the names that it prints them with.
    pub(super) fn are_states_called_by_id(&self, references: &[Reference]) -> bool {
        let first = u32::from(SurfaceId::FIRST_DECLARED.0);
        references.iter().all(|(class, id)| {
            let declared = match class {
                'S' => self.routine.samplers.get(*id as usize),
                'T' => id.checked_sub(first).and_then(|i| self.routine.surfaces.get(i as usize)),
                _ => None,
            };
            declared.is_none_or(|declared| declared.symbol == format!("{class}{id}"))
        })
    }

    /// The strings of an instruction whose ids are those of the pool.
    pub(super) fn strings_of(&self, instruction: &Instruction) -> impl Iterator<Item = &[u8]> {
        let ids = references(instruction).into_iter().filter(|(class, _)| *class == '#');
        ids.map(|(_, id)| self.body.strings.get(id as usize).map_or(&b""[..], Name::as_bytes))
    }
}

/// An error about bytes that have no place yet.
fn without_offset(error: &crate::Error) -> String {
    let fields: Vec<String> = error.path().map(|place| place.to_string()).collect();
    match fields.is_empty() {
        true => error.kind().to_string(),
        false => format!("{}: {}", fields.join(", "), error.kind()),
    }
}

/// Which version, or else which dialect, could say what the format cannot.
fn first_version(instruction: &Instruction, format: Format) -> Option<String> {
    let can = |format: &Format| instruction.to_bytes(*format).is_ok();
    let versions = |dialect| Version::ALL.iter().map(move |version| Format::new(dialect, *version));
    if let Some(format) = versions(format.dialect).find(can) {
        return Some(format!("version {} can say it", format.version));
    }
    let newer = versions(Dialect::Igc2026).find(can)?;
    Some(format!("dialect {} can say it, from version {} on", newer.dialect, newer.version))
}

/// The final numbers of strings and labels.
pub(super) struct Numbers<'n> {
    strings: &'n [StringId],
    labels: &'n [Option<LabelId>],
    /// Whether a string's number does not fit its field.
    is_full: bool,
    /// Whether a label is not in the table.
    has_unknown: bool,
}

impl Numbers<'_> {
    /// The instruction with the final numbers.
    ///
    /// # Errors
    /// What the instruction names and the tables have no room for.
    pub(super) fn apply(
        &mut self,
        mut instruction: Instruction,
    ) -> Result<Instruction, &'static str> {
        (self.is_full, self.has_unknown) = (false, false);
        instruction.visit_mut(self);
        match (self.is_full, self.has_unknown) {
            (true, _) => Err("the symbol's string is not among the pool's first 65536"),
            (_, true) => Err("the label is not defined"),
            _ => Ok(instruction),
        }
    }

    /// The final id of a label; none if the table does not have it.
    pub(super) fn final_label(&self, id: LabelId) -> Option<LabelId> {
        self.labels.get(usize::from(id.0)).copied().flatten()
    }

    fn final_string(&self, id: u32) -> StringId {
        self.strings.get(id as usize).copied().unwrap_or_default()
    }
}

impl VisitorMut for Numbers<'_> {
    fn label(&mut self, _: Slot, label: &mut LabelId) {
        match self.final_label(*label) {
            Some(id) => *label = id,
            None => self.has_unknown = true,
        }
    }

    fn string(&mut self, _: Slot, string: &mut StringId) {
        *string = self.final_string(string.0);
    }

    fn short_string(&mut self, _: Slot, string: &mut ShortStringId) {
        let StringId(id) = self.final_string(string.0.into());
        match u16::try_from(id) {
            Ok(id) => string.0 = id,
            Err(_) => self.is_full = true,
        }
    }
}
