//! The names of variables and labels in the text of a routine (docs/format.md, 6.3).

mod complete;
mod genx_ir;
mod interner;
mod of_text;
mod string_index;
mod symbols;

pub(super) use interner::Interner;
pub(super) use of_text::TextNames;
pub(super) use symbols::{Symbol, Symbols};

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::format::Format;
use crate::isa::{Id, IdClass, Instruction};
use crate::object::{Body, LabelInfo, LabelKind, SimpleVariable, Variable};
use crate::operand::{AddrId, DataType, LabelId, PredId, StringId, SurfaceId, VarId};
use crate::text::line::Line;
use crate::text::words::{Reserved, Style, is_identifier};
use complete::UniqueNames;
use genx_ir::{Class, GenXIrNames};
use string_index::{Span, StringIndex};

/// The names that the text of a routine uses.
pub(in crate::text) struct Names<'b> {
    /// General variables, from the first that can be declared.
    variables: Vec<Spelling>,
    addresses: Vec<Spelling>,
    /// Predicates, from the first that can be declared.
    predicates: Vec<Spelling>,
    samplers: Vec<StateName>,
    surfaces: Vec<StateName>,
    labels: Vec<Spelling>,
    /// In the style of GenX_IR, the labels as GOTO and SWITCHJMP print them.
    raw_labels: Vec<Spelling>,
    /// The name of the routine in the file header.
    routine: &'b [u8],
    body: &'b Body<'b>,
    pub(in crate::text) string_index: StringIndex<'b>,
    pub(in crate::text) reserved: &'static Reserved,
    /// Whether a variable, address or predicate has no name.
    has_unnamed: bool,
    /// Whether the name of a label is not an identifier.
    has_quoted_labels: bool,
    /// The undeclared ids whose names are also declared, and the number of `_` that makes them
    /// different. Sorted by class and id.
    ambiguous_ids: Vec<(Id, usize)>,
}

impl<'b> Names<'b> {
    /// Creates the names of a routine, whose own name comes from the file header.
    pub(in crate::text) fn new(
        body: &'b Body<'b>,
        routine: &'b [u8],
        style: Style,
        format: Format,
        reserved: &'static Reserved,
    ) -> Names<'b> {
        let mut names = Names {
            variables: Vec::new(),
            addresses: Vec::new(),
            predicates: Vec::new(),
            samplers: Vec::new(),
            surfaces: Vec::new(),
            labels: Vec::new(),
            raw_labels: Vec::new(),
            routine,
            body,
            string_index: StringIndex::new(&body.strings),
            reserved,
            has_unnamed: false,
            has_quoted_labels: false,
            ambiguous_ids: Vec::new(),
        };
        match style {
            Style::GenXIr => names.fill_as_genx_ir(),
            Style::Complete => names.fill(format),
        }
        names
    }

    pub(in crate::text) fn body(&self) -> &'b Body<'b> {
        self.body
    }

    /// Returns the first string of GenX_IR's builder.
    pub(in crate::text) fn first_of_builder(&self) -> &'b [u8] {
        if self.routine.is_empty() { b"%null" } else { self.routine }
    }

    pub(in crate::text) fn has_predicate(&self, id: PredId) -> bool {
        let index = id.0.checked_sub(PredId::FIRST_DECLARED.0).map(usize::from);
        index.is_some_and(|index| index < self.body.predicates.len())
    }

    pub(in crate::text) fn type_of(&self, id: VarId) -> Option<DataType> {
        let index = id.0.checked_sub(VarId::FIRST_DECLARED.0)?;
        Some(self.body.variables.get(index as usize)?.ty)
    }

    pub(in crate::text) fn label_kind(&self, id: LabelId) -> Option<LabelKind> {
        Some(self.body.labels.get(usize::from(id.0))?.kind)
    }

    #[inline]
    pub(in crate::text) fn variable(&self, id: VarId) -> Option<Spelling> {
        let index = id.0.checked_sub(VarId::FIRST_DECLARED.0)?;
        self.variables.get(index as usize).copied()
    }

    pub(in crate::text) fn address(&self, id: AddrId) -> Option<Spelling> {
        self.addresses.get(usize::from(id.0)).copied()
    }

    pub(in crate::text) fn predicate(&self, id: PredId) -> Option<Spelling> {
        let index = id.0.checked_sub(PredId::FIRST_DECLARED.0)?;
        self.predicates.get(usize::from(index)).copied()
    }

    /// Returns the names of a sampler.
    pub(in crate::text) fn sampler(&self, id: u16) -> Option<StateName> {
        self.samplers.get(usize::from(id)).copied()
    }

    /// Returns the names of a surface.
    pub(in crate::text) fn surface(&self, id: u16) -> Option<StateName> {
        let index = id.checked_sub(SurfaceId::FIRST_DECLARED.0.into())?;
        self.surfaces.get(usize::from(index)).copied()
    }

    /// Returns for each sampler and each surface whether text calls it by its symbol.
    pub(in crate::text) fn have_symbols(&self) -> [Vec<bool>; 2] {
        [&self.samplers, &self.surfaces]
            .map(|names| names.iter().map(|name| name.symbol.is_some()).collect())
    }

    pub(in crate::text) fn label(&self, id: LabelId) -> Option<Spelling> {
        self.labels.get(usize::from(id.0)).copied()
    }

    /// Returns whether the name of a label must be in quotes, except in its definition.
    pub(in crate::text) fn needs_quotes(&self, label: Spelling) -> bool {
        let name = self.string_index.text(label.text);
        self.has_quoted_labels && (!is_identifier(name) || self.reserved.is_rejected_in_igc(name))
    }

    /// Returns the label as GOTO and SWITCHJMP print it in the style of GenX_IR.
    pub(in crate::text) fn raw_label(&self, id: LabelId) -> Option<Spelling> {
        self.raw_labels.get(usize::from(id.0)).copied()
    }

    /// Returns whether a variable, address or predicate has no name, so that text calls it `V33`.
    pub(in crate::text) fn has_unnamed(&self) -> bool {
        self.has_unnamed
    }

    pub(in crate::text) fn is_unnamed(&self, name: StringId) -> bool {
        self.string_index.bytes(name).is_empty()
    }

    /// Returns whether a name is a certain string of the pool, and no earlier string is equal.
    pub(in crate::text) fn is_first(&self, string: StringId, name: Option<Spelling>) -> bool {
        name.is_some_and(|name| self.string_index.is_at(string, name.text))
    }

    /// Replaces the names by the names in a text.
    pub(in crate::text) fn with_text(mut self, text: &TextNames) -> Names<'b> {
        for (id, name) in text.names() {
            let place = (id.number - id.class.first_declared()) as usize;
            let spelling = Spelling::from(self.string_index.find_or_add(name));
            let names = match id.class {
                IdClass::Variable => &mut self.variables,
                IdClass::Address => &mut self.addresses,
                IdClass::Predicate => &mut self.predicates,
                IdClass::Label => &mut self.labels,
                class => {
                    let is_surface = class == IdClass::Surface;
                    let states = if is_surface { &mut self.surfaces } else { &mut self.samplers };
                    if let Some(state) = states.get_mut(place) {
                        // A number, such as `T6`, is no symbol.
                        let is_number = symbol_number(name.as_bytes()) == Some(id);
                        state.symbol = (!is_number).then_some(spelling);
                    }
                    continue;
                }
            };
            if let Some(name) = names.get_mut(place) {
                *name = spelling;
            }
        }
        self.has_quoted_labels = self.labels.iter().any(|label| {
            let name = self.string_index.text(label.text);
            !is_identifier(name) || self.reserved.is_rejected_in_igc(name)
        });
        self.find_ambiguous_ids();
        self
    }

    /// Returns the number of `_` after an undeclared id, whose name must differ from all declared
    /// names.
    pub(in crate::text) fn underscores(&self, id: Id) -> usize {
        let found = self.ambiguous_ids.binary_search_by_key(&id, |(key, _)| *key);
        found.ok().and_then(|at| self.ambiguous_ids.get(at)).map_or(0, |(_, count)| *count)
    }

    fn find_ambiguous_ids(&mut self) {
        let body = self.body;
        // Labels have a namespace of their own.
        let of = |names: &[Spelling], is_label: bool| {
            let parsed = names.iter().filter_map(|name| {
                id_and_underscores(self.string_index.text(name.text))
                    .filter(|(id, _)| (id.class == IdClass::Label) == is_label)
            });
            parsed.filter(|(id, _)| !body.declares(*id)).collect::<Vec<_>>()
        };
        let mut used = of(&self.labels, true);
        let states = self.samplers.iter().chain(&self.surfaces);
        let states: Vec<Spelling> = states.filter_map(|name| name.symbol).collect();
        for names in [&self.variables, &self.addresses, &self.predicates, &states] {
            used.extend(of(names, false));
        }
        used.sort_unstable();
        // The first count that no declaration has.
        let mut free: Vec<(Id, usize)> = Vec::new();
        for (id, count) in used {
            match free.last_mut().filter(|(last, _)| *last == id) {
                Some((_, next)) if *next == count => *next += 1,
                Some(_) => {}
                None => free.push((id, usize::from(count == 0))),
            }
        }
        free.retain(|(_, count)| *count > 0);
        self.ambiguous_ids = free;
    }

    /// Sets the names of the complete style.
    fn fill(&mut self, format: Format) {
        let body = self.body;
        let simple = body.addresses.iter().chain(&body.predicates).map(|variable| variable.name);
        let mut unnamed = body.variables.iter().map(|variable| variable.name).chain(simple);
        self.has_unnamed = unnamed.any(|name| self.is_unnamed(name));
        let mut names = UniqueNames::new(&mut self.string_index, self.reserved);
        let general = |variable: &Variable| variable.name;
        let simple = |variable: &SimpleVariable| variable.name;
        // Claim the names of all classes before `fill` chooses default names.
        let variables = names.claim(body.variables.iter().map(general));
        let addresses = names.claim(body.addresses.iter().map(simple));
        let predicates = names.claim(body.predicates.iter().map(simple));
        [self.samplers, self.surfaces] = names.states(body);
        self.variables = names.fill(variables, 'V', VarId::FIRST_DECLARED.0);
        self.addresses = names.fill(addresses, 'A', 0);
        self.predicates = names.fill(predicates, 'P', PredId::FIRST_DECLARED.0.into());
        // Labels have a namespace of their own.
        let mut names = UniqueNames::new(&mut self.string_index, self.reserved);
        let claim = |label: &LabelInfo| match names.claim_name(label.name) {
            None if format == Format::V4_2 => {
                let span = names.claim_label(label.name);
                self.has_quoted_labels |= span.is_some();
                span
            }
            span => span,
        };
        let labels = body.labels.iter().map(claim).collect();
        self.labels = names.fill(labels, 'L', 0);
        self.find_ambiguous_ids();
    }

    /// Sets the names of the style of GenX_IR, with the quirks of [`GenXIrNames`] and
    /// `LabelSuffixes`.
    fn fill_as_genx_ir(&mut self) {
        let body = self.body;
        let mut names = GenXIrNames::new(&mut self.string_index, self.reserved);
        let general = |variable: &Variable| names.name(variable.name, Class::General);
        self.variables = body.variables.iter().map(general).collect();
        let mut simple = |variables: &[SimpleVariable], class| -> Vec<Spelling> {
            variables.iter().map(|variable| names.name(variable.name, class)).collect()
        };
        // The names of addresses and predicates are not printed, but other names must differ from
        // them.
        simple(&body.addresses, Class::Address);
        simple(&body.predicates, Class::Predicate);
        let v_name = |v_name| StateName { symbol: None, v_name };
        self.samplers = simple(&body.samplers, Class::Sampler).into_iter().map(v_name).collect();
        self.surfaces = simple(&body.surfaces, Class::Surface).into_iter().map(v_name).collect();
        // Many labels may share a string.
        let mut texts = BTreeMap::new();
        for label in &body.labels {
            let string = label.name;
            let (text, raw) = *texts.entry(string).or_insert_with(|| {
                let name = match string {
                    StringId(0) => "L".into(),
                    _ => String::from_utf8_lossy(self.string_index.bytes(string)),
                };
                let without_dots = name.replace(['.', '$'], "_");
                (self.string_index.add(&without_dots), self.string_index.add(&name))
            });
            let has_suffix = string != StringId(0) && label.kind != LabelKind::FC;
            let suffix = has_suffix.then_some(string.0);
            self.labels.push(Spelling { text, suffix });
            self.raw_labels.push(Spelling { text: raw, suffix });
        }
    }
}

/// A name: a text and possibly a number after it.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::text) struct Spelling {
    pub(in crate::text) text: Span,
    pub(in crate::text) suffix: Option<u32>,
}

impl From<Span> for Spelling {
    fn from(text: Span) -> Spelling {
        Spelling { text, suffix: None }
    }
}

/// The names of a sampler or surface.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::text) struct StateName {
    /// What text calls it, if that is not its number.
    pub(in crate::text) symbol: Option<Spelling>,
    /// The name for the string pool, which is empty if it has none.
    pub(in crate::text) v_name: Spelling,
}

/// Returns the name of a variable or label that has none.
fn default_name(prefix: char, id: u32) -> Line {
    let mut line = Line::default();
    line.ch(prefix);
    line.dec(id);
    line
}

/// Returns the id of a name that is a [`default_name`] with any number of `_` after it, and that number.
fn id_and_underscores(name: &[u8]) -> Option<(Id, usize)> {
    let (letter, rest) = name.split_first()?;
    // Fast path: most names are words, or have leading zeros.
    if !matches!(rest, [b'1'..=b'9', ..] | [b'0'] | [b'0', b'_', ..]) {
        return None;
    }
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, underscores) = rest.split_at(digits);
    let class = IdClass::from_letter(char::from(*letter))?;
    let number = core::str::from_utf8(digits).ok()?.parse().ok()?;
    let is_id = underscores.iter().all(|byte| *byte == b'_');
    is_id.then_some((Id { class, number }, underscores.len()))
}

/// Returns the id if a name is the number of a sampler or surface.
fn symbol_number(name: &[u8]) -> Option<Id> {
    match id_and_underscores(name)? {
        (id @ Id { class: IdClass::Sampler | IdClass::Surface, .. }, 0) => Some(id),
        _ => None,
    }
}

/// Returns the ids of the strings of an instruction.
pub(super) fn string_ids(instruction: &Instruction) -> Vec<StringId> {
    let mut found = Vec::new();
    instruction.visit_ids(|id| {
        if id.class == IdClass::String {
            found.push(StringId(id.number));
        }
    });
    found
}

/// Returns whether a name is the [`default_name`] of any id.
pub(in crate::text) fn is_default_name(text: &str, prefix: char) -> bool {
    let digits = text.strip_prefix(prefix).unwrap_or_default();
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'))
}
