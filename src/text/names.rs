//! What a routine's text calls its variables and labels (format-facts 6.3).

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Style;
use super::reserved;
use crate::object::{Body, LabelKind, Routine, SimpleVariable};
use crate::operand::{DataType, LabelId, PredId, VarId};

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
    /// Which strings of the pool stand there for the first time.
    first: Vec<bool>,
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
    pub(super) fn new(routine: &Routine<'b, 'b>, style: Style) -> Names<'b> {
        let body = routine.body;
        let mut seen = BTreeSet::new();
        let first = body.strings.iter().map(|string| seen.insert(string)).collect();
        let mut names = Names {
            variables: Variables(Table::default()),
            addresses: Table::default(),
            predicates: Predicates(Table::default()),
            samplers: Table::default(),
            surfaces: Table::default(),
            labels: Table::default(),
            raw_labels: Table::default(),
            routine: routine.name.as_bytes(),
            body,
            first,
        };
        match style {
            Style::Reference => names.fill_as_reference(),
            Style::Faithful => names.fill(),
        }
        names
    }

    /// A string of the pool, and whether no earlier one is the same.
    pub(super) fn string(&self, index: u32) -> Option<(&'b [u8], bool)> {
        let index = index as usize;
        Some((self.body.strings.get(index)?.as_bytes(), *self.first.get(index)?))
    }

    /// The string that the reference's builder collects first.
    pub(super) fn first_of_builder(&self) -> &'b [u8] {
        if self.routine.is_empty() { b"%null" } else { self.routine }
    }

    fn bytes(&self, index: u32) -> &'b [u8] {
        self.string(index).map_or(b"", |(bytes, _)| bytes)
    }

    pub(super) fn type_of(&self, id: VarId) -> Option<DataType> {
        let index = id.0.checked_sub(VarId::FIRST_DECLARED.0)?;
        Some(self.body.variables.get(index as usize)?.ty)
    }

    pub(super) fn label_kind(&self, id: LabelId) -> Option<LabelKind> {
        Some(self.body.labels.get(usize::from(id.0))?.kind)
    }

    fn fill(&mut self) {
        let body = self.body;
        let mut used = BTreeSet::new();
        for (variable, id) in body.variables.iter().zip(VarId::FIRST_DECLARED.0..) {
            let name = unique(&mut used, self.bytes(variable.name.0), 'V', id);
            self.variables.0.push(&name);
        }
        for (variable, id) in body.addresses.iter().zip(0..) {
            let name = unique(&mut used, self.bytes(variable.name.0), 'A', id);
            self.addresses.push(&name);
        }
        for (variable, id) in body.predicates.iter().zip(PredId::FIRST_DECLARED.0.into()..) {
            let name = unique(&mut used, self.bytes(variable.name.0), 'P', id);
            self.predicates.0.push(&name);
        }
        let v_name = |variable: &SimpleVariable| {
            let bytes = self.bytes(variable.name.0);
            identifier(bytes).unwrap_or_default()
        };
        let samplers: Vec<_> = body.samplers.iter().map(v_name).collect();
        let surfaces: Vec<_> = body.surfaces.iter().map(v_name).collect();
        samplers.into_iter().for_each(|name| self.samplers.push(name));
        surfaces.into_iter().for_each(|name| self.surfaces.push(name));
        let mut used = BTreeSet::new();
        for (label, id) in body.labels.iter().zip(0..) {
            let name = unique(&mut used, self.bytes(label.name.0), 'L', id);
            self.labels.push(&name);
        }
    }

    /// With the quirks `AnonymousByCounter`, `NamesCleaned`, `IndexedNames` and `LabelSuffixes`.
    fn fill_as_reference(&mut self) {
        let body = self.body;
        let mut given = Given::new();
        let mut anonymous = VarId::FIRST_DECLARED.0;
        for variable in &body.variables {
            let name = cleaned(&mut given, self.bytes(variable.name.0), 'V', 4, &mut anonymous);
            self.variables.0.push(&name);
        }
        // Names of addresses and predicates are never printed, but others must avoid them.
        let groups = [
            (&body.addresses, 'A', 2, 0),
            (&body.predicates, 'P', 2, 1),
            (&body.samplers, 'S', 3, 0),
            (&body.surfaces, 'T', 3, 6),
        ];
        for (variables, prefix, width, mut anonymous) in groups {
            for variable in variables {
                let bytes = self.bytes(variable.name.0);
                let name = cleaned(&mut given, bytes, prefix, width, &mut anonymous);
                match prefix {
                    'S' => self.samplers.push(&name),
                    'T' => self.surfaces.push(&name),
                    _ => {}
                }
            }
        }
        for label in &body.labels {
            let index = label.name.0;
            let name = String::from_utf8_lossy(self.bytes(index));
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
    let name = core::str::from_utf8(bytes).ok()?;
    let begins = !name.is_empty() && !name.starts_with(|ch: char| ch.is_ascii_digit());
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    (begins && bytes.iter().all(plain)).then_some(name)
}

/// Whether a string may stand without quotes.
pub(super) fn is_identifier(bytes: &[u8]) -> bool {
    identifier(bytes).is_some()
}

/// Whether a name reads like one that is given to what has none, such as `V33`.
fn is_default(name: &str) -> bool {
    let mut chars = name.chars();
    let digits = matches!(chars.next(), Some('V' | 'A' | 'P' | 'S' | 'T' | 'L'))
        .then(|| chars.as_str())
        .filter(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
    digits.is_some_and(|digits| digits == "0" || !digits.starts_with('0'))
}

/// The name in the pool, if it can be had back from the text; else the default name of the id.
fn unique(used: &mut BTreeSet<String>, bytes: &[u8], prefix: char, id: u32) -> String {
    let default = format!("{prefix}{id}");
    match identifier(bytes) {
        Some(name)
            if (name == default || !is_default(name))
                && !reserved::today(name)
                && !used.contains(name) =>
        {
            used.insert(name.into());
            name.into()
        }
        _ => default,
    }
}

/// The names that the reference has given so far, each with the first number to try as a suffix when
/// it is wanted again.
type Given = BTreeMap<String, u32>;

/// The name that the reference makes of a string.
fn cleaned(
    given: &mut Given,
    bytes: &[u8],
    prefix: char,
    width: usize,
    anonymous: &mut u32,
) -> String {
    let mut name = String::new();
    if bytes.is_empty() {
        name = format!("{prefix}{:0width$}", *anonymous);
        *anonymous += 1;
    }
    if bytes.first().is_some_and(u8::is_ascii_digit) {
        name.push('_');
    }
    let clean = |byte: &u8| if byte.is_ascii_alphanumeric() { char::from(*byte) } else { '_' };
    name.extend(bytes.iter().map(clean));
    while reserved::in_reference(&name) {
        name.push('_');
    }
    if let Some(&next) = given.get(&name) {
        let mut number = next;
        let mut free = format!("{name}_{number}");
        while given.contains_key(&free) {
            number += 1;
            free = format!("{name}_{number}");
        }
        given.insert(name, number + 1);
        name = free;
    }
    given.insert(name.clone(), 0);
    name
}
