//! What a routine's text calls its variables and labels (format-facts 6.3).

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use core::fmt::Write;

use super::Style;
use super::line::Line;
use super::pool::{Pool, Span};
use super::reserved;
use crate::object::{Body, LabelKind, SimpleVariable, Variable};
use crate::operand::{AddrId, DataType, LabelId, PredId, StringId, VarId};

/// The names of a routine, made once before its text is printed.
pub(super) struct Names<'b> {
    /// General variables, counted from the first declared one.
    variables: Vec<Span>,
    addresses: Vec<Span>,
    /// Predicates, counted from the first declared one.
    predicates: Vec<Span>,
    samplers: Vec<Span>,
    surfaces: Vec<Span>,
    labels: Vec<Span>,
    raw_labels: Vec<Span>,
    /// The routine's own name, as the file's header has it.
    routine: &'b [u8],
    body: &'b Body<'b>,
    pub(super) pool: Pool<'b>,
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
            pool: Pool::new(&body.strings),
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
    pub(super) fn variable(&self, id: VarId) -> Option<Span> {
        let index = id.0.checked_sub(VarId::FIRST_DECLARED.0)?;
        self.variables.get(index as usize).copied()
    }

    pub(super) fn address(&self, id: AddrId) -> Option<Span> {
        self.addresses.get(usize::from(id.0)).copied()
    }

    pub(super) fn predicate(&self, id: PredId) -> Option<Span> {
        let index = id.0.checked_sub(PredId::FIRST_DECLARED.0)?;
        self.predicates.get(usize::from(index)).copied()
    }

    /// The `v_name` of the sampler of an index, empty for one that has none.
    pub(super) fn sampler(&self, index: usize) -> Option<Span> {
        self.samplers.get(index).copied()
    }

    /// The `v_name` of a surface, counted from the first declared one; empty for one that has none.
    pub(super) fn surface(&self, index: usize) -> Option<Span> {
        self.surfaces.get(index).copied()
    }

    pub(super) fn label(&self, id: LabelId) -> Option<Span> {
        self.labels.get(usize::from(id.0)).copied()
    }

    /// The label as GOTO and SWITCHJMP call it, where that differs.
    pub(super) fn raw_label(&self, id: LabelId) -> Option<Span> {
        self.raw_labels.get(usize::from(id.0)).copied()
    }

    fn fill(&mut self) {
        let body = self.body;
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
        let v_name =
            |variable: &SimpleVariable| self.pool.identifier(variable.name).unwrap_or_default();
        self.samplers = body.samplers.iter().map(v_name).collect();
        self.surfaces = body.surfaces.iter().map(v_name).collect();
    }

    /// With the quirks `AnonymousByCounter`, `NamesCleaned`, `IndexedNames` and `LabelSuffixes`.
    fn fill_as_reference(&mut self) {
        let body = self.body;
        let mut names = Cleaned::new(&mut self.pool);
        let general = |variable: &Variable| names.name(variable.name, Class::General);
        self.variables = body.variables.iter().map(general).collect();
        let mut simple = |variables: &[SimpleVariable], class| -> Vec<Span> {
            variables.iter().map(|variable| names.name(variable.name, class)).collect()
        };
        // Names of addresses and predicates are never printed, but others must avoid them.
        simple(&body.addresses, Class::Address);
        simple(&body.predicates, Class::Predicate);
        self.samplers = simple(&body.samplers, Class::Sampler);
        self.surfaces = simple(&body.surfaces, Class::Surface);
        for label in &body.labels {
            let index = label.name.0;
            let name = String::from_utf8_lossy(self.pool.bytes(label.name));
            let raw = match (index, label.kind) {
                (0, _) => "L".into(),
                (_, LabelKind::FC) => name.into_owned(),
                _ => format!("{name}_{index}"),
            };
            self.labels.push(self.pool.add(&raw.replace(['.', '$'], "_")));
            self.raw_labels.push(self.pool.add(&raw));
        }
    }
}

/// Whether a name means something else already: a sampler or surface by its number, or a predefined
/// variable by its.
fn is_taken(name: &[u8]) -> bool {
    match name {
        [b'S' | b'T', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
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
    pool: &'p mut Pool<'b>,
    /// By the index of the first string like it, whether a name is in use.
    used: Vec<bool>,
}

impl<'p, 'b> Unique<'p, 'b> {
    fn new(pool: &'p mut Pool<'b>) -> Self {
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
        if *used || is_taken(name) || reserved::is_today(name) {
            return None;
        }
        *used = true;
        Some(span)
    }

    fn is_used(&self, name: &[u8]) -> bool {
        let first = self.pool.find(name);
        first.and_then(|first| self.used.get(first as usize)).copied().unwrap_or(false)
    }

    /// The names, and where there is none a prefix and a number.
    fn fill(&mut self, names: Vec<Option<Span>>, prefix: char, first: u32) -> Vec<Span> {
        let name = |(name, id): (Option<Span>, u32)| {
            name.unwrap_or_else(|| {
                let mut default = default_name(prefix, id);
                while self.is_used(default.bytes()) {
                    default.ch('_');
                }
                self.pool.add(&default.as_str())
            })
        };
        names.into_iter().zip(first..).map(name).collect()
    }
}

fn default_name(prefix: char, id: u32) -> Line {
    let mut line = Line::default();
    line.ch(prefix);
    line.dec(id);
    line
}

/// The kinds of variables, which the reference counts and calls differently where they have no name.
#[derive(Clone, Copy)]
enum Class {
    General,
    Address,
    Predicate,
    Sampler,
    Surface,
}

impl Class {
    /// Letter and number of digits.
    const fn anonymous(self) -> (char, usize) {
        match self {
            Class::General => ('V', 4),
            Class::Address => ('A', 2),
            Class::Predicate => ('P', 2),
            Class::Sampler => ('S', 3),
            Class::Surface => ('T', 3),
        }
    }
}

/// The names that the reference makes of strings.
struct Cleaned<'p, 'b> {
    pool: &'p mut Pool<'b>,
    /// Of each class, the number of the next variable without a name.
    next: [u32; 5],
    /// By the index of the first string like it, whether a name is in use.
    used: Vec<bool>,
    /// Names in use that the pool does not have.
    made: BTreeMap<String, ()>,
    /// Of names that were wanted again, the first number to try as a suffix.
    suffixes: BTreeMap<String, u32>,
    name: String,
}

impl<'p, 'b> Cleaned<'p, 'b> {
    fn new(pool: &'p mut Pool<'b>) -> Self {
        Cleaned {
            next: [VarId::FIRST_DECLARED.0, 0, PredId::FIRST_DECLARED.0.into(), 0, 6],
            used: vec![false; pool.strings.len()],
            pool,
            made: BTreeMap::new(),
            suffixes: BTreeMap::new(),
            name: String::new(),
        }
    }

    fn name(&mut self, string: StringId, class: Class) -> Span {
        self.name.clear();
        let bytes = self.pool.bytes(string);
        if bytes.is_empty() {
            let (prefix, width) = class.anonymous();
            let number = &mut self.next[class as usize];
            // Writing to a string does not fail.
            let _ = write!(self.name, "{prefix}{:0width$}", *number);
            *number += 1;
        }
        if bytes.first().is_some_and(u8::is_ascii_digit) {
            self.name.push('_');
        }
        let clean = |byte: &u8| if byte.is_ascii_alphanumeric() { char::from(*byte) } else { '_' };
        self.name.extend(bytes.iter().map(clean));
        while reserved::is_in_reference(self.name.as_bytes()) {
            self.name.push('_');
        }
        if !self.take(string) {
            self.take_with_suffix();
        }
        self.pool.add(&self.name)
    }

    /// Takes the name into use, unless it is. `hint` is where the pool may have it.
    fn take(&mut self, hint: StringId) -> bool {
        let in_pool = match self.pool.first(hint) {
            Some(first) if self.pool.bytes(hint) == self.name.as_bytes() => Some(first),
            _ => self.pool.find(self.name.as_bytes()),
        };
        match in_pool.and_then(|first| self.used.get_mut(first as usize)) {
            Some(used) => !core::mem::replace(used, true),
            None => self.made.insert(self.name.clone(), ()).is_none(),
        }
    }

    fn take_with_suffix(&mut self) {
        let wanted = core::mem::take(&mut self.name);
        let mut number = self.suffixes.get(&wanted).copied().unwrap_or(0);
        loop {
            self.name.clear();
            let _ = write!(self.name, "{wanted}_{number}");
            number += 1;
            if self.take(StringId(u32::MAX)) {
                break;
            }
        }
        self.suffixes.insert(wanted, number);
    }
}
