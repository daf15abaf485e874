//! Lowering of a parsed routine to tables and bytes. Strings and labels get their ids.

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
use super::diagnostic::cut;
use super::interner::Interner;
use super::routine::{
    AliasTarget, Annotations, AttributeText, InputText, LabelAnnotations, ParsedRoutine, Spanned,
};
use crate::error::{ErrorKind, PathSegment, Result};
use crate::format::{Dialect, Format, Version};
use crate::isa::Instruction;
use crate::object::{
    AliasScope, Align, Attribute, Body, Code, Function, FunctionDefinition, Input, Kernel,
    LabelInfo, LabelKind, Linkage, Name, RoutineKind, SimpleVariable,
};
use crate::operand::{
    LabelId, ShortStringId, Slot, StringId, SurfaceId, VarId, Visitor, VisitorMut,
};
use crate::text::annotations::{Reference, is_declared, references};
use crate::text::names::{Names, is_default_name};
use crate::wire::{Reader, Wire, Writer};

/// The string pool of a routine.
struct Pool {
    strings: Interner,
    /// Whether the text lists the strings.
    is_given: bool,
}

impl Pool {
    /// Returns the pool that an annotation lists, or one with the empty string only.
    fn new(given: Option<Vec<Name>>) -> Pool {
        let is_given = given.is_some();
        Pool { strings: Interner::new(given.unwrap_or_else(|| [Name::default()].into())), is_given }
    }

    /// Returns the bytes of a string, which are empty if it does not exist.
    fn bytes(&self, index: u32) -> &[u8] {
        self.strings.get(index).map_or(&b""[..], Name::as_bytes)
    }

    /// Returns the warning about an annotation whose index of a string does not match the text.
    fn mismatch(&self, index: u32, expected: &str) -> String {
        match self.strings.get(index) {
            Some(string) if self.is_given => {
                let string = string.to_string_lossy();
                format!(
                    "this index is ignored: string {index} is `{}`, not {expected}",
                    cut(&string)
                )
            }
            Some(_) | None if !self.is_given => {
                "this index is ignored: the text does not list its strings".into()
            }
            _ => format!("this index is ignored: there is no string {index}"),
        }
    }

    fn intern(&mut self, bytes: &[u8]) -> StringId {
        StringId(self.strings.intern(bytes))
    }
}

/// Decodes an entry of a table, which must have all of the bytes.
pub(super) fn entry<E: Wire>(bytes: &[u8], format: Format) -> Result<E> {
    let mut r = Reader::new(bytes, format);
    let entry = E::decode(&mut r)?;
    match r.rest().len() {
        0 => Ok(entry),
        count => Err(r.error(ErrorKind::TrailingBytes { count })),
    }
}

impl<'t> Parser<'t> {
    /// Lowers the current routine, if there is one.
    pub(super) fn end_routine(&mut self) {
        let Some(mut routine) = self.routine.take() else { return };
        if let Some(brace) = self.symbols.last_brace() {
            self.c.report(brace..brace + 1, "this `{` is not closed in the routine");
        }
        if let Some((name, span)) = &routine.function {
            self.expected_label_of(name, span.clone(), "the end of the routine");
        }
        let (kind, name) = (routine.kind, Name::from(&routine.name[..]));
        let places = core::mem::take(&mut routine.source_map);
        let header = places.header();
        let is_new = self.routine_names.insert((kind, routine.name.clone()));
        match (is_new, routine.annotations.is_again) {
            (false, false) => {
                let name = name.to_string_lossy();
                let message = format!("{kind} `{}` is already defined", cut(&name));
                self.c.report(header.clone(), &message);
            }
            (true, true) => {
                let message = format!("`again` is ignored: no earlier {kind} has this name");
                self.warn(&header, message);
            }
            _ => {}
        }
        let of_functions =
            routine.annotations.stack.is_some() || routine.annotations.linkage.is_some();
        if kind == RoutineKind::Kernel && of_functions {
            self.c.report(header, "`stack` and `linkage` are not allowed for kernels");
        }
        let places = places.with_code(core::mem::take(&mut routine.code.spans));
        let has_code = places.has_code();
        let relocs = core::mem::take(&mut routine.relocs);
        let (stack, linkage) =
            (routine.annotations.stack.clone(), routine.annotations.linkage.clone());
        // Errors have already been reported.
        let Ok((body, inputs)) = self.lower(routine, has_code) else { return };
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

    fn lower(
        &mut self,
        mut routine: ParsedRoutine<'t>,
        has_code: bool,
    ) -> Parsed<(Body<'static>, Vec<Input>)> {
        let mut pool = Pool::new(routine.strings.take());
        let unnamed = routine.unnamed;
        let name = match (&routine.annotations.body_name, &routine.annotations.name) {
            (Some(name), _) if pool.is_given => StringId(name.value),
            (_, name) => {
                let name = name.as_ref();
                self.name(&mut pool, Some(&routine.name), name, None, false)
            }
        };
        let efficient_64bit = routine.efficient_64bit && self.format == Format::V4_2;
        let mut body = Body { name, efficient_64bit, ..Body::default() };
        let none = Annotations::default();
        self.lower_variables(&mut routine, &mut pool, &mut body)?;
        macro_rules! table {
            ($field:ident, $prefix:expr) => {
                body.$field.reserve_exact(routine.$field.len());
                for declared in &mut routine.$field {
                    let annotations = declared.annotations.take();
                    let annotations = annotations.as_deref().unwrap_or(&none);
                    let (text, note) =
                        (declared.name.map(str::as_bytes), annotations.name.as_ref());
                    let name = self.name(&mut pool, text, note, $prefix, unnamed);
                    let mut attributes = Vec::new();
                    let texts = &mut declared.attributes;
                    self.lower_attributes(&mut pool, texts, annotations, &mut attributes);
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
        for (mut attribute, annotations) in core::mem::take(&mut routine.attributes) {
            let annotations = annotations.as_deref().unwrap_or(&none);
            let texts = core::slice::from_mut(&mut attribute);
            self.lower_attributes(&mut pool, texts, annotations, &mut body.attributes);
        }
        let strings: Vec<StringId> =
            self.strings.iter().map(|string| pool.intern(string.as_bytes())).collect();
        body.strings = pool.strings.into_strings();
        let bytes = self.lower_code(&strings, &label_ids, &mut routine, &body);
        body.code = match routine.annotations.stripped {
            Some(stripped) if !has_code => {
                let (size, entry) = stripped.value;
                Code::Stripped { size, entry }
            }
            stripped => {
                if let Some(stripped) = stripped {
                    let message = "`stripped` is ignored: the kernel has instructions";
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
        pool: &mut Pool,
        body: &mut Body<'static>,
    ) -> Parsed<()> {
        let first = VarId::FIRST_DECLARED.0;
        let mut ids: Option<BTreeMap<&str, u32>> = None;
        let symbols: Vec<&'t str> = routine.variables.iter().map(|v| v.symbol).collect();
        let mut failed = Ok(());
        body.variables.reserve_exact(routine.variables.len());
        let none = Annotations::default();
        for declared in &mut routine.variables {
            let annotations = declared.annotations.take();
            let annotations = annotations.as_deref().unwrap_or(&none);
            let mut variable = core::mem::take(&mut declared.entry);
            let (text, note) = (declared.name.map(str::as_bytes), annotations.name.as_ref());
            variable.name = self.name(pool, text, note, Some('V'), routine.unnamed);
            let texts = &mut declared.attributes;
            self.lower_attributes(pool, texts, annotations, &mut variable.attributes);
            if let Some(Spanned { value, span }) = &annotations.align {
                if variable.align == Align::BYTE {
                    variable.align = *value;
                } else {
                    self.warn(span, "`align` is ignored: the declaration has an alignment".into());
                }
            }
            let has_alias = variable.alias != VarId::NULL;
            let scope = annotations.scope.as_ref().map_or(AliasScope::LOCAL, |scope| scope.value);
            match (&annotations.alias, &annotations.scope) {
                (Some(Spanned { span, .. }), _) | (_, Some(Spanned { span, .. })) if has_alias => {
                    self.warn(span, "this alias is ignored: the declaration has an alias".into());
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
                                format!("`{}` is not a variable of this routine", cut(name))
                            })
                        }
                        AliasTarget::Name(_) => {
                            Err("expected `#` and an id for an alias in another scope".into())
                        }
                        // The id of no variable must not become that of a variable that was added
                        // later.
                        AliasTarget::Id(id)
                            if scope == AliasScope::LOCAL
                                && (first..first + symbols.len() as u32).contains(&id) =>
                        {
                            Err(format!("variable {id} is declared: use its name"))
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

    /// Returns the string of a name: the one that an annotation states if it matches the name, and
    /// else the first with these bytes.
    fn name(
        &mut self,
        pool: &mut Pool,
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
            let given = pool.bytes(*value);
            let is_for_this = match text {
                // A default name is printed for a string that is not a valid name.
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

    /// Adds attributes to a list, with the strings of their names: those that annotations state if they
    /// match, and else the first with these bytes. Takes the values.
    fn lower_attributes(
        &mut self,
        pool: &mut Pool,
        texts: &mut [AttributeText<'t>],
        annotations: &Annotations<'t>,
        attributes: &mut Vec<Attribute>,
    ) {
        let mut given = Vec::new();
        for Spanned { value, span } in &annotations.attributes {
            let string = pool.bytes(*value);
            let rest = texts.iter().enumerate().skip(given.len());
            match rest.into_iter().find(|(_, attribute)| *attribute.name == *string) {
                Some((index, _)) if pool.is_given => {
                    given.resize(index, None);
                    given.push(Some(StringId(*value)));
                }
                _ => {
                    let message = pool.mismatch(*value, "the name of an attribute here");
                    self.warn(span, message);
                }
            }
        }
        let given = given.into_iter().chain(core::iter::repeat(None));
        if attributes.is_empty() {
            // Most lists get no others.
            attributes.reserve_exact(texts.len());
        }
        attributes.extend(texts.iter_mut().zip(given).map(|(text, given)| Attribute {
            name: given.unwrap_or_else(|| pool.intern(&text.name)),
            value: core::mem::take(&mut text.value),
        }));
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

    /// Assigns the ids of labels: first to those in `//@ labels`, in its order, then to the others
    /// in the order of their first use. Returns the id of each label in the order of first use,
    /// `None` for a label that is not in the table.
    fn lower_labels(
        &mut self,
        routine: &mut ParsedRoutine<'t>,
        pool: &mut Pool,
        body: &mut Body<'static>,
    ) -> Vec<Option<LabelId>> {
        let mut described: BTreeMap<&str, LabelAnnotations<'t>> = BTreeMap::new();
        for label in core::mem::take(&mut routine.labels) {
            if label.annotations.is_undefined {
                // It fails only if there are too many labels, which has been reported.
                let _ = self.symbols.label(label.name, label.span.clone());
            }
            let (name, span) = (label.name, label.span.clone());
            if described.insert(name, label).is_some() {
                self.c.report(span, "this label is annotated more than once");
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
                    self.c.report(span, "this label is listed more than once");
                }
                _ => {
                    self.warn(&span, format!("`{}` is ignored: there is no such label", cut(name)))
                }
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
            let (span, mut annotations) = match described {
                Some(LabelAnnotations { span, annotations, .. }) => (span, annotations),
                None => (label.span.clone(), Annotations::default()),
            };
            if annotations.is_undefined && label.defined {
                self.warn(
                    &span,
                    format!("`undefined` is ignored: the label `{}` is defined", cut(label.name)),
                );
            } else if !(label.defined || annotations.is_undefined || label.kind == LabelKind::FC) {
                let message = format!("label `{}` is used but never defined", cut(label.name));
                self.c.report(label.span.clone(), &message);
            }
            let kind = match &annotations.kind {
                Some(Spanned { value: (from, to), .. }) if *from == label.kind => *to,
                Some(Spanned { span, .. }) => {
                    let name = cut(label.name);
                    let message = format!("`kind` is ignored: the kind of `{name}` has changed");
                    self.warn(span, message);
                    label.kind
                }
                None => label.kind,
            };
            let (text, note) = (Some(label.name.as_bytes()), annotations.name.as_ref());
            let name = self.name(pool, text, note, Some('L'), false);
            let (mut attributes, mut texts) = (Vec::new(), core::mem::take(&mut annotations.attrs));
            self.lower_attributes(pool, &mut texts, &annotations, &mut attributes);
            body.labels.push(LabelInfo { name, kind, attributes });
            routine.label_names.push(label.name);
        }
        for label in described.into_values() {
            let message = format!("`{}` is ignored: there is no such label", cut(label.name));
            self.warn(&label.span, message);
        }
        ids
    }

    /// Encodes the late instructions, and returns the bytes of all.
    fn lower_code(
        &mut self,
        strings: &[StringId],
        labels: &[Option<LabelId>],
        routine: &mut ParsedRoutine<'t>,
        body: &Body<'_>,
    ) -> Vec<u8> {
        let late = core::mem::take(&mut routine.code.late);
        let encoded = core::mem::replace(&mut routine.code.encoded, Writer::new(self.format));
        if late.is_empty() {
            return encoded.into_bytes();
        }
        let mut final_ids = FinalIds { strings, labels, is_full: false, has_unknown: false };
        let tables = RoutineTables::new(body, routine);
        let mut w = Writer::new(self.format);
        let mut copied = 0;
        for late in late {
            w.put(&encoded.bytes()[copied..late.position]);
            copied = late.position;
            let (start, span) = (w.len(), late.span.clone());
            let lowered = if late.annotation.is_some() {
                self.lower_with_bytes(late, &mut final_ids, &tables)
            } else {
                let lowered = final_ids.apply(late.instruction);
                lowered.map_err(|message| self.c.fail(span.clone(), message))
            };
            let Ok(instruction) = lowered else { continue };
            if let Err(error) = instruction.encode(&mut w) {
                w.truncate(start);
                self.not_encodable(&instruction, &error, span);
            }
        }
        w.put(&encoded.bytes()[copied..]);
        w.into_bytes()
    }

    /// Reports an instruction that the format cannot encode.
    pub(super) fn not_encodable(
        &mut self,
        instruction: &Instruction,
        error: &crate::Error,
        span: Range<usize>,
    ) -> Failed {
        let help = first_version(instruction, error, self.format);
        self.c.fail_with_help(span, &without_offset(error), help)
    }
}

/// The tables of a routine, for instructions with their bytes in an annotation.
pub(super) struct RoutineTables<'r, 't> {
    pub(super) body: &'r Body<'r>,
    routine: &'r ParsedRoutine<'t>,
    /// The names of the text, or `None` if several variables may have the same name. Created on
    /// demand.
    names: OnceCell<Option<Names<'r>>>,
}

impl<'r, 't> RoutineTables<'r, 't> {
    fn new(body: &'r Body<'r>, routine: &'r ParsedRoutine<'t>) -> Self {
        RoutineTables { body, routine, names: OnceCell::new() }
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

    /// Returns whether each sampler and surface of an instruction has its id as its name, as it is
    /// printed.
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

    /// Returns the strings of an instruction that has the final ids of strings.
    pub(super) fn strings_of(&self, instruction: &Instruction) -> impl Iterator<Item = &[u8]> {
        let ids = references(instruction).into_iter().filter(|(class, _)| *class == '#');
        ids.map(|(_, id)| self.body.strings.get(id as usize).map_or(&b""[..], Name::as_bytes))
    }
}

/// Returns the message of an error without the offset, which is not final yet.
fn without_offset(error: &crate::Error) -> String {
    let fields: Vec<String> = error.path().map(|place| place.to_string()).collect();
    match fields.is_empty() {
        true => error.kind().to_string(),
        false => format!("{}: {}", fields.join(", "), error.kind()),
    }
}

/// Returns a hint with the first version, or else the dialect, that can encode an instruction.
fn first_version(
    instruction: &Instruction,
    error: &crate::Error,
    format: Format,
) -> Option<String> {
    let can_encode = |format: &Format| instruction.to_bytes(*format).is_ok();
    let versions =
        |dialect| Version::BINARY.iter().map(move |version| Format::new(dialect, *version));
    if let Some(format) = versions(format.dialect).find(can_encode) {
        return Some(format!("version {} can encode it", format.version));
    }
    match versions(Dialect::Igc2026).find(can_encode) {
        Some(Format { dialect, version }) => {
            Some(format!("dialect {dialect} can encode it, from version {version} on"))
        }
        None => (can_encode(&Format::V4_2) || is_only_in_4_2(instruction, error))
            .then(|| "only version 4.2 has it, which exists as text only".into()),
    }
}

/// Returns whether an error is about a field or a value that only 4.2 has. The instruction may lack
/// other fields of 4.2, so that 4.2 cannot encode it either.
fn is_only_in_4_2(instruction: &Instruction, error: &crate::Error) -> bool {
    let (spec, path) = (instruction.spec(), error.path());
    let fields: Vec<&str> = path
        .filter_map(|segment| match segment {
            PathSegment::Field(field) => Some(*field),
            _ => None,
        })
        .collect();
    let layouts = spec.family.iter().flat_map(|layout| layout.fields);
    // Other formats have fields of these types, but only with ids.
    let mut newest = (spec.fields.iter().chain(layouts)).filter(|field| {
        field.when == Some("igc2026 since V4_2") || matches!(field.ty, "Sampler" | "Surface")
    });
    newest.any(|field| fields.contains(&field.name))
}

/// Returns whether an instruction has the id of a string or label, which is not final before the end of
/// its routine.
pub(super) fn has_late_ids(instruction: &Instruction) -> bool {
    struct LateIds(bool);

    impl Visitor for LateIds {
        fn label(&mut self, _: Slot, _: LabelId) {
            self.0 = true;
        }

        fn string(&mut self, _: Slot, _: StringId) {
            self.0 = true;
        }
    }

    let mut ids = LateIds(false);
    instruction.visit(&mut ids);
    ids.0
}

/// The final ids of strings and labels.
pub(super) struct FinalIds<'n> {
    strings: &'n [StringId],
    labels: &'n [Option<LabelId>],
    /// Whether the id of a string does not fit in its field.
    is_full: bool,
    /// Whether a label has no final id.
    has_unknown: bool,
}

impl FinalIds<'_> {
    /// Returns the instruction with the final ids.
    ///
    /// # Errors
    /// The message about an id that does not exist.
    pub(super) fn apply(
        &mut self,
        mut instruction: Instruction,
    ) -> Result<Instruction, &'static str> {
        (self.is_full, self.has_unknown) = (false, false);
        instruction.visit_mut(self);
        match (self.is_full, self.has_unknown) {
            (true, _) => Err("a symbol must be one of the first 65536 strings of the pool"),
            (_, true) => Err("this label is used but never defined"),
            _ => Ok(instruction),
        }
    }

    /// Returns the final id of a label, or `None` if it is not in the table.
    pub(super) fn final_label(&self, id: LabelId) -> Option<LabelId> {
        self.labels.get(usize::from(id.0)).copied().flatten()
    }

    fn final_string(&self, id: u32) -> StringId {
        self.strings.get(id as usize).copied().unwrap_or_default()
    }
}

impl VisitorMut for FinalIds<'_> {
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
