//! What a routine's text calls its variables and labels (format-facts 6.3).

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use core::fmt::Write;

use super::Style;
use super::line::Line;
use super::pool::Pool;
use super::reserved::Reserved;
use crate::object::{Body, LabelKind, SimpleVariable, Variable};
use crate::operand::{DataType, LabelId, PredId, StringId, VarId};

/// The names of a routine, made once before its text is printed.
pub(super) struct Names<'b> {
    pub(super) variables: Variables,
    pub(super) addresses: Table,
    pub(super) predicates: Predicates,
    /// The `v_name` of samplers and surfaces, empty for those that have none.
    pub(super) samplers: Table,
    pub(super) surfaces: Table,
    pub(super) labels: Table,
    /// The labels as GOTO and SWITCHJMP call them, where that differs.
    pub(super) raw_labels: Table,
    /// The routine's own name, as the file's header has it.
    routine: &'b [u8],
    body: &'b Body<'b>,
    pub(super) pool: Pool<'b>,
}

/// Strings one behind the other, found by index.
#[derive(Debug, Default)]
pub(super) struct Table {
    text: String,
    ends: Vec<usize>,
}

/// General variables, counted from the first declared one.
pub(super) struct Variables(pub(super) Table);

/// Predicates, counted from the first declared one.
pub(super) struct Predicates(pub(super) Table);

impl Table {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.text.get(start..end)
    }
}

impl Variables {
    #[inline]
    pub(super) fn get(&self, id: VarId) -> Option<&str> {
        self.0.get(id.0.checked_sub(VarId::FIRST_DECLARED.0)? as usize)
    }
}

impl Predicates {
    pub(super) fn get(&self, id: PredId) -> Option<&str> {
        self.0.get(id.0.checked_sub(PredId::FIRST_DECLARED.0)?.into())
    }
}

impl<'b> Names<'b> {
    /// The names of a routine, whose own name the file's header has.
    pub(super) fn new(body: &'b Body<'b>, routine: &'b [u8], style: Style) -> Names<'b> {
        let mut names = Names {
            variables: Variables(Table::default()),
            addresses: Table::default(),
            predicates: Predicates(Table::default()),
            samplers: Table::default(),
            surfaces: Table::default(),
            labels: Table::default(),
            raw_labels: Table::default(),
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

    fn fill(&mut self) {
        let (body, pool) = (self.body, &self.pool);
        let mut names = Unique::new(pool);
        let v = |variable: &Variable| variable.name;
        let simple = |variable: &SimpleVariable| variable.name;
        // All names are taken before any is given to what has none.
        let variables = names.take(body.variables.iter().map(v));
        let addresses = names.take(body.addresses.iter().map(simple));
        let predicates = names.take(body.predicates.iter().map(simple));
        names.fill(&mut self.variables.0, &variables, 'V', VarId::FIRST_DECLARED.0);
        names.fill(&mut self.addresses, &addresses, 'A', 0);
        names.fill(&mut self.predicates.0, &predicates, 'P', PredId::FIRST_DECLARED.0.into());
        let v_name =
            |variable: &SimpleVariable| identifier(pool.bytes(variable.name)).unwrap_or_default();
        body.samplers.iter().for_each(|variable| self.samplers.push(v_name(variable)));
        body.surfaces.iter().for_each(|variable| self.surfaces.push(v_name(variable)));
        // Labels have names of their own.
        let mut names = Unique::new(pool);
        let labels = names.take(body.labels.iter().map(|label| label.name));
        names.fill(&mut self.labels, &labels, 'L', 0);
    }

    /// With the quirks `AnonymousByCounter`, `NamesCleaned`, `IndexedNames` and `LabelSuffixes`.
    fn fill_as_reference(&mut self) {
        let (body, pool) = (self.body, &self.pool);
        let mut names = Cleaned::new(pool);
        for variable in &body.variables {
            self.variables.0.push(names.name(variable.name, Class::General));
        }
        // Names of addresses and predicates are never printed, but others must avoid them.
        for variable in &body.addresses {
            names.name(variable.name, Class::Address);
        }
        for variable in &body.predicates {
            names.name(variable.name, Class::Predicate);
        }
        for variable in &body.samplers {
            self.samplers.push(names.name(variable.name, Class::Sampler));
        }
        for variable in &body.surfaces {
            self.surfaces.push(names.name(variable.name, Class::Surface));
        }
        for label in &body.labels {
            let index = label.name.0;
            let name = String::from_utf8_lossy(pool.bytes(label.name));
            let raw = match (index, label.kind) {
                (0, _) => "L".into(),
                (_, LabelKind::FC) => name.into_owned(),
                _ => format!("{name}_{index}"),
            };
            self.labels.push(&raw.replace(['.', '$'], "_"));
            self.raw_labels.push(&raw);
        }
    }
}

/// The bytes as a name of the text's language, if they are one.
fn identifier(bytes: &[u8]) -> Option<&str> {
    let begins = bytes.first().is_some_and(|first| !first.is_ascii_digit());
    let is_plain = begins && bytes.iter().all(|byte| IN_NAMES[usize::from(*byte)]);
    if is_plain { core::str::from_utf8(bytes).ok() } else { None }
}

/// Which bytes names are made of: letters, digits and `_`.
static IN_NAMES: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte == b'_' as usize;
        byte += 1;
    }
    table
};

/// Whether a string may stand without quotes.
pub(super) fn is_identifier(bytes: &[u8]) -> bool {
    identifier(bytes).is_some()
}

/// Whether a name means something else already: a sampler or surface by its number, or a predefined
/// variable by its.
fn is_taken(name: &str) -> bool {
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    match name.split_at_checked(1) {
        Some(("S" | "T", digits)) => is_number(digits),
        Some(("V", digits)) if is_number(digits) => {
            digits.len() <= 2 && digits.parse().is_ok_and(|id: u32| id < VarId::FIRST_DECLARED.0)
        }
        _ => false,
    }
}

/// The names of the faithful style: those of the pool, where they can be had back from the text.
struct Unique<'p> {
    pool: &'p Pool<'p>,
    /// By the index of the first string like it, whether a name is in use.
    used: Vec<bool>,
    reserved: Reserved,
}

impl<'p> Unique<'p> {
    fn new(pool: &'p Pool<'p>) -> Self {
        let used = vec![false; pool.strings.len()];
        Unique { pool, used, reserved: Reserved::today() }
    }

    /// Takes into use the names that can be used.
    fn take(&mut self, names: impl Iterator<Item = StringId>) -> Vec<Option<&'p str>> {
        names.map(|name| self.usable(name)).collect()
    }

    fn usable(&mut self, string: StringId) -> Option<&'p str> {
        let first = self.pool.first(string)?;
        let name = identifier(self.pool.bytes(string))?;
        let used = self.used.get_mut(first as usize)?;
        if *used || is_taken(name) || self.reserved.contains(name) {
            return None;
        }
        *used = true;
        Some(name)
    }

    fn is_used(&self, name: &str) -> bool {
        let first = self.pool.find(name.as_bytes());
        first.and_then(|first| self.used.get(first as usize)).copied().unwrap_or(false)
    }

    /// Adds the names to a table, and for those that have none their prefix and number.
    fn fill(&self, table: &mut Table, names: &[Option<&str>], prefix: char, first: u32) {
        for (name, id) in names.iter().zip(first..) {
            match name {
                Some(name) => table.push(name),
                None => {
                    let mut default = default_name(prefix, id);
                    while self.is_used(default.as_str()) {
                        default.ch('_');
                    }
                    table.push(default.as_str());
                }
            }
        }
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
struct Cleaned<'p> {
    pool: &'p Pool<'p>,
    /// Of each class, the number of the next variable without a name.
    next: [u32; 5],
    /// By the index of the first string like it, whether a name is in use.
    used: Vec<bool>,
    /// Names in use that the pool does not have.
    made: BTreeMap<String, ()>,
    /// Of names that were wanted again, the first number to try as a suffix.
    suffixes: BTreeMap<String, u32>,
    reserved: Reserved,
    name: String,
}

impl<'p> Cleaned<'p> {
    fn new(pool: &'p Pool<'p>) -> Self {
        Cleaned {
            pool,
            next: [VarId::FIRST_DECLARED.0, 0, PredId::FIRST_DECLARED.0.into(), 0, 6],
            used: vec![false; pool.strings.len()],
            made: BTreeMap::new(),
            suffixes: BTreeMap::new(),
            reserved: Reserved::in_reference(),
            name: String::new(),
        }
    }

    fn name(&mut self, string: StringId, class: Class) -> &str {
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
        while self.reserved.contains(&self.name) {
            self.name.push('_');
        }
        if !self.take(string) {
            self.take_with_suffix();
        }
        &self.name
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
