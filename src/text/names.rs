//! What a routine's text calls its variables and labels (format-facts 6.3).

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::Style;
use super::line::Line;
use super::reference_names::{Class, ReferenceNames};
use super::reserved;
use super::string_index::{Span, StringIndex};
use crate::object::{Body, LabelKind, SimpleVariable, Variable};
use crate::operand::{AddrId, DataType, LabelId, PredId, StringId, SurfaceId, VarId};

/// The names of a routine, made once before its text is printed.
pub(super) struct Names<'b> {
    /// General variables, counted from the first declared one.
    variables: Vec<Spelling>,
    addresses: Vec<Spelling>,
    /// Predicates, counted from the first declared one.
    predicates: Vec<Spelling>,
    samplers: Vec<Spelling>,
    surfaces: Vec<Spelling>,
    labels: Vec<Spelling>,
    raw_labels: Vec<Spelling>,
    /// The routine's own name, as the file's header has it.
    routine: &'b [u8],
    body: &'b Body<'b>,
    pub(super) pool: StringIndex<'b>,
    /// Whether a variable, address or predicate has no name.
    has_unnamed: bool,
}

impl<'b> Names<'b> {
    /// The names of a routine, whose own name the file's header has.
    pub(super) fn new(body: &'b Body<'b>, routine: &'b [u8], style: Style) -> Names<'b> {
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
            pool: StringIndex::new(&body.strings),
            has_unnamed: false,
        };
        match style {
            Style::Reference => names.fill_as_reference(),
            Style::Faithful => names.fill(),
        }
        names
    }

    pub(super) fn body(&self) -> &'b Body<'b> {
        self.body
    }

    /// The string that the reference's builder collects first.
    pub(super) fn first_of_builder(&self) -> &'b [u8] {
        if self.routine.is_empty() { b"%null" } else { self.routine }
    }

    pub(super) fn has_predicate(&self, id: PredId) -> bool {
        let index = id.0.checked_sub(PredId::FIRST_DECLARED.0).map(usize::from);
        index.is_some_and(|index| index < self.body.predicates.len())
    }

    pub(super) fn type_of(&self, id: VarId) -> Option<DataType> {
        let index = id.0.checked_sub(VarId::FIRST_DECLARED.0)?;
        Some(self.body.variables.get(index as usize)?.ty)
    }

    pub(super) fn label_kind(&self, id: LabelId) -> Option<LabelKind> {
        Some(self.body.labels.get(usize::from(id.0))?.kind)
    }

    #[inline]
    pub(super) fn variable(&self, id: VarId) -> Option<Spelling> {
        let index = id.0.checked_sub(VarId::FIRST_DECLARED.0)?;
        self.variables.get(index as usize).copied()
    }

    pub(super) fn address(&self, id: AddrId) -> Option<Spelling> {
        self.addresses.get(usize::from(id.0)).copied()
    }

    pub(super) fn predicate(&self, id: PredId) -> Option<Spelling> {
        let index = id.0.checked_sub(PredId::FIRST_DECLARED.0)?;
        self.predicates.get(usize::from(index)).copied()
    }

    /// The `v_name` of the sampler of an index, empty for one that has none.
    pub(super) fn sampler(&self, index: usize) -> Option<Spelling> {
        self.samplers.get(index).copied()
    }

    /// The `v_name` of a surface, counted from the first declared one; empty for one that has none.
    pub(super) fn surface(&self, index: usize) -> Option<Spelling> {
        self.surfaces.get(index).copied()
    }

    pub(super) fn label(&self, id: LabelId) -> Option<Spelling> {
        self.labels.get(usize::from(id.0)).copied()
    }

    /// The label as GOTO and SWITCHJMP call it, where that differs.
    pub(super) fn raw_label(&self, id: LabelId) -> Option<Spelling> {
        self.raw_labels.get(usize::from(id.0)).copied()
    }

    /// Whether a variable, address or predicate has no name, so that names such as `V33` mean that.
    pub(super) fn has_unnamed(&self) -> bool {
        self.has_unnamed
    }

    pub(super) fn is_unnamed(&self, name: StringId) -> bool {
        self.pool.bytes(name).is_empty()
    }

    /// Whether a name is that string of the pool, and the first like it.
    pub(super) fn is_first(&self, string: StringId, name: Option<Spelling>) -> bool {
        name.is_some_and(|name| self.pool.is_at(string, name.text))
    }

    /// The names of a routine under the names that a text gives them, in the order of their ids.
    pub(super) fn of_text<'s>(
        body: &'b Body<'b>,
        variables: impl Iterator<Item = &'s str>,
        addresses: impl Iterator<Item = &'s str>,
        predicates: impl Iterator<Item = &'s str>,
        labels: impl Iterator<Item = &'s str>,
    ) -> Names<'b> {
        let mut names = Names::new(body, b"", Style::Faithful);
        let pool = &mut names.pool;
        let mut add = |name: &str| Spelling::from(pool.add(name));
        names.variables = variables.map(&mut add).collect();
        names.addresses = addresses.map(&mut add).collect();
        names.predicates = predicates.map(&mut add).collect();
        names.labels = labels.map(&mut add).collect();
        names
    }

    fn fill(&mut self) {
        let body = self.body;
        let simple = body.addresses.iter().chain(&body.predicates).map(|variable| variable.name);
        let mut unnamed = body.variables.iter().map(|variable| variable.name).chain(simple);
        self.has_unnamed = unnamed.any(|name| self.is_unnamed(name));
        let mut names = Unique::new(&mut self.pool);
        let v = |variable: &Variable| variable.name;
        let simple = |variable: &SimpleVariable| variable.name;
        // All names are taken before any is given to what has none.
        let variables = names.take(body.variables.iter().map(v));
        let addresses = names.take(body.addresses.iter().map(simple));
        let predicates = names.take(body.predicates.iter().map(simple));
        self.variables = names.fill(variables, 'V', VarId::FIRST_DECLARED.0);
        self.addresses = names.fill(addresses, 'A', 0);
        self.predicates = names.fill(predicates, 'P', PredId::FIRST_DECLARED.0.into());
        // Labels have names of their own.
        let mut names = Unique::new(&mut self.pool);
        let labels = names.take(body.labels.iter().map(|label| label.name));
        self.labels = names.fill(labels, 'L', 0);
        let v_name = |variable: &SimpleVariable| {
            self.pool.identifier(variable.name).unwrap_or_default().into()
        };
        self.samplers = body.samplers.iter().map(v_name).collect();
        self.surfaces = body.surfaces.iter().map(v_name).collect();
    }

    /// With the quirks of [`ReferenceNames`] and `LabelSuffixes`.
    fn fill_as_reference(&mut self) {
        let body = self.body;
        let mut names = ReferenceNames::new(&mut self.pool);
        let general = |variable: &Variable| names.name(variable.name, Class::General);
        self.variables = body.variables.iter().map(general).collect();
        let mut simple = |variables: &[SimpleVariable], class| -> Vec<Spelling> {
            variables.iter().map(|variable| names.name(variable.name, class)).collect()
        };
        // Names of addresses and predicates are never printed, but others must avoid them.
        simple(&body.addresses, Class::Address);
        simple(&body.predicates, Class::Predicate);
        self.samplers = simple(&body.samplers, Class::Sampler);
        self.surfaces = simple(&body.surfaces, Class::Surface);
        // By their strings, which many labels may have.
        let mut texts = BTreeMap::new();
        for label in &body.labels {
            let string = label.name;
            let (text, raw) = *texts.entry(string).or_insert_with(|| {
                let name = match string {
                    StringId(0) => "L".into(),
                    _ => String::from_utf8_lossy(self.pool.bytes(string)),
                };
                (self.pool.add(&name.replace(['.', '$'], "_")), self.pool.add(&name))
            });
            let has_suffix = string != StringId(0) && label.kind != LabelKind::FC;
            let suffix = has_suffix.then_some(string.0);
            self.labels.push(Spelling { text, suffix });
            self.raw_labels.push(Spelling { text: raw, suffix });
        }
    }
}

/// A name: a text, and behind some a number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spelling {
    pub(super) text: Span,
    pub(super) suffix: Option<u32>,
}

impl From<Span> for Spelling {
    fn from(text: Span) -> Spelling {
        Spelling { text, suffix: None }
    }
}

/// Whether a name means something else already: a sampler or surface by its number, a predefined
/// variable by its, or a predefined surface.
fn is_taken(name: &[u8]) -> bool {
    match name {
        [b'S' | b'T', digits @ ..] if digits.iter().all(u8::is_ascii_digit) => !digits.is_empty(),
        [b'T', ..] => {
            let mut surfaces = (0..SurfaceId::FIRST_DECLARED.0).map(SurfaceId);
            surfaces.any(|id| id.predefined_name().is_some_and(|word| word.as_bytes() == name))
        }
        [b'V', digits @ ..] if !digits.is_empty() && digits.len() <= 2 => {
            let next =
                |id, byte: &u8| byte.is_ascii_digit().then(|| 10 * id + u32::from(byte - b'0'));
            digits.iter().try_fold(0, next).is_some_and(|id| id < VarId::FIRST_DECLARED.0)
        }
        _ => false,
    }
}

/// The names of the faithful style: those of the pool, where they can be had back from the text.
struct Unique<'p, 'b> {
    pool: &'p mut StringIndex<'b>,
    /// By the index of the first string like it, whether a name is in use.
    used: Vec<bool>,
}

impl<'p, 'b> Unique<'p, 'b> {
    fn new(pool: &'p mut StringIndex<'b>) -> Self {
        let used = vec![false; pool.strings.len()];
        Unique { pool, used }
    }

    /// Takes into use the names that can be used.
    fn take(&mut self, names: impl Iterator<Item = StringId>) -> Vec<Option<Span>> {
        names.map(|name| self.usable(name)).collect()
    }

    fn usable(&mut self, string: StringId) -> Option<Span> {
        let first = self.pool.first(string)?;
        let span = self.pool.identifier(string)?;
        let name = self.pool.text(span);
        let used = self.used.get_mut(first as usize)?;
        // One that cannot be used is in use as well: nobody looks at it twice, however long it is.
        if core::mem::replace(used, true) || is_taken(name) || reserved::is_today(name) {
            return None;
        }
        Some(span)
    }

    fn is_used(&self, name: &[u8]) -> bool {
        let first = self.pool.find(name);
        first.and_then(|first| self.used.get(first as usize)).copied().unwrap_or(false)
    }

    /// The names, and where there is none a prefix and a number.
    fn fill(&mut self, names: Vec<Option<Span>>, prefix: char, first: u32) -> Vec<Spelling> {
        let name = |(name, id): (Option<Span>, u32)| {
            let name = name.unwrap_or_else(|| {
                let mut default = default_name(prefix, id);
                while self.is_used(default.bytes()) {
                    default.ch('_');
                }
                self.pool.add(&default.as_str())
            });
            name.into()
        };
        names.into_iter().zip(first..).map(name).collect()
    }
}

/// The name that is given to what has none.
fn default_name(prefix: char, id: u32) -> Line {
    let mut line = Line::default();
    line.ch(prefix);
    line.dec(id);
    line
}

/// Whether a name is a [`default_name`], of whatever number.
pub(super) fn is_default_name(text: &str, prefix: char) -> bool {
    let digits = text.strip_prefix(prefix).unwrap_or_default();
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'))
}
