//! The names of a routine and what they refer to.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;
use core::ops::Range;

use hashbrown::HashMap;

use super::is_default_name;
use crate::isa::{Id, IdClass};
use crate::object::LabelKind;
use crate::operand::{AddrId, DataType, LabelId, PredId, SamplerId, SurfaceId, VarId};
use crate::text::diagnostic::nearest;
use crate::text::words::WordMap;

/// What the name of a variable, sampler or surface refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::text) enum Symbol {
    /// The type is `None` for an id that is not declared.
    Variable(VarId, Option<DataType>),
    Address(AddrId),
    Predicate(PredId),
    /// The id may not fit in a [`SamplerId`].
    Sampler(u16),
    /// The id may not fit in a [`SurfaceId`].
    Surface(u16),
    /// The name has no declaration; the error has been reported.
    Unknown,
}

impl Symbol {
    /// Returns the id, unless the name has no declaration.
    pub(in crate::text) fn id(self) -> Option<Id> {
        Some(match self {
            Symbol::Variable(id, _) => id.into(),
            Symbol::Address(id) => id.into(),
            Symbol::Predicate(id) => id.into(),
            Symbol::Sampler(id) => Id { class: IdClass::Sampler, number: id.into() },
            Symbol::Surface(id) => Id { class: IdClass::Surface, number: id.into() },
            Symbol::Unknown => return None,
        })
    }

    pub(in crate::text) fn kind(self) -> &'static str {
        match self {
            Symbol::Variable(..) => "general variable",
            Symbol::Address(_) => "address variable",
            Symbol::Predicate(_) => "predicate",
            Symbol::Sampler(_) => "sampler",
            Symbol::Surface(_) => "surface",
            Symbol::Unknown => "undeclared name",
        }
    }
}

/// A label, with the span of its first use.
pub(in crate::text) struct LabelUse<'t> {
    pub(in crate::text) name: &'t str,
    pub(in crate::text) span: Range<usize>,
    pub(in crate::text) kind: LabelKind,
    pub(in crate::text) defined: bool,
    /// Whether only instructions with their bytes in an annotation use it.
    pub(in crate::text) is_tentative: bool,
}

/// The names of a routine.
pub(in crate::text) struct Symbols<'t> {
    /// The names that the routine declares, the innermost scope last.
    scopes: Vec<HashMap<&'t str, Symbol>>,
    /// The positions of the braces that opened the scopes, except the first.
    braces: Vec<usize>,
    labels_by_name: HashMap<&'t str, LabelId>,
    /// Whether names such as `V33` are ids, which need no declaration.
    has_ids: bool,
    /// Whether the text is only tried: its names are neither declared nor used.
    pub(in crate::text) is_trial: bool,
    pub(in crate::text) labels: Vec<LabelUse<'t>>,
    /// The number of names that may be compared with unknown ones.
    comparisons: Cell<usize>,
}

/// The number of names that are compared with the unknown names of a text. Other limits of the parser
/// allow so many of both that comparing all takes minutes.
const MAX_COMPARISONS: usize = 1 << 20;

impl<'t> Symbols<'t> {
    pub(in crate::text) fn new() -> Self {
        Symbols {
            scopes: vec![HashMap::new()],
            braces: Vec::new(),
            labels_by_name: HashMap::new(),
            has_ids: false,
            is_trial: false,
            labels: Vec::new(),
            comparisons: Cell::new(MAX_COMPARISONS),
        }
    }

    /// Forgets the names of the last routine.
    pub(in crate::text) fn start_routine(&mut self) {
        self.scopes.truncate(1);
        if let Some(names) = self.scopes.first_mut() {
            // Keep the memory, unless it takes longer to clear than to allocate.
            if names.capacity() > 8 * names.len() {
                *names = HashMap::new();
            }
            names.clear();
        }
        self.braces.clear();
        self.labels_by_name = HashMap::new();
        self.labels.clear();
    }

    /// Returns the names outside of a routine, as `Display` of an instruction prints them: `V33`,
    /// `A0`, `P1`, `S0`, `T6` and `L3`.
    pub(in crate::text) fn with_ids() -> Self {
        Symbols { has_ids: true, ..Symbols::new() }
    }

    /// Returns whether names are ids, without declarations.
    pub(in crate::text) fn has_ids(&self) -> bool {
        self.has_ids
    }

    /// Returns the id of a name such as `V33`, if names are ids.
    pub(in crate::text) fn id(&self, name: &str) -> Option<Id> {
        let letter = name.chars().next().filter(|_| self.has_ids)?;
        let digits = name.strip_prefix(letter).filter(|_| is_default_name(name, letter))?;
        Some(Id { class: IdClass::from_letter(letter)?, number: digits.parse().ok()? })
    }

    /// Opens a scope whose brace is at a position.
    pub(in crate::text) fn open(&mut self, brace: usize) {
        self.scopes.push(HashMap::new());
        self.braces.push(brace);
    }

    /// Closes a scope. Returns whether one was open.
    pub(in crate::text) fn close(&mut self) -> bool {
        self.braces.pop().is_some() && self.scopes.pop().is_some()
    }

    /// Returns the position of the brace that opened the innermost scope.
    pub(in crate::text) fn last_brace(&self) -> Option<usize> {
        self.braces.last().copied()
    }

    pub(in crate::text) fn depth(&self) -> usize {
        self.scopes.len() - 1
    }

    /// Declares a name in the innermost scope. Returns whether it is new there.
    pub(in crate::text) fn declare(&mut self, name: &'t str, symbol: Symbol) -> bool {
        let is_predefined = self.scopes.len() == 1 && PREDEFINED_BY_NAME.get(name).is_some();
        let scope = self.scopes.last_mut();
        scope.is_some_and(|scope| scope.insert(name, symbol).is_none()) && !is_predefined
    }

    /// Declares an unknown name, so that further uses are not reported.
    pub(in crate::text) fn declare_unknown(&mut self, name: &'t str) {
        if !self.is_trial && self.find(name).is_none() {
            self.declare(name, Symbol::Unknown);
        }
    }

    pub(in crate::text) fn find(&self, name: &str) -> Option<Symbol> {
        let declared = self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied();
        declared.or_else(|| PREDEFINED_BY_NAME.get(name)).or_else(|| self.undeclared(name))
    }

    /// Returns the names that can be used: the declared names in the order of their ids, the innermost
    /// scope first, and the predefined names.
    pub(in crate::text) fn visible(&self) -> impl Iterator<Item = (&'t str, Symbol)> + use<'t> {
        let mut names: Vec<(&'t str, Symbol)> = Vec::new();
        for scope in self.scopes.iter().rev() {
            let start = names.len();
            names.extend(scope.iter().map(|(name, symbol)| (*name, *symbol)));
            names[start..].sort_unstable_by_key(|(name, symbol)| (symbol.id(), *name));
        }
        names.extend(PREDEFINED.iter().copied());
        names.into_iter()
    }

    fn undeclared(&self, name: &str) -> Option<Symbol> {
        let Id { class, number } = self.id(name)?;
        let short = u16::try_from(number).ok();
        match class {
            IdClass::Variable => Some(Symbol::Variable(VarId(number), None)),
            IdClass::Address => Some(Symbol::Address(AddrId(short?))),
            IdClass::Predicate => Some(Symbol::Predicate(PredId(short?))),
            IdClass::Sampler => Some(Symbol::Sampler(short?)),
            IdClass::Surface => Some(Symbol::Surface(short?)),
            IdClass::Label | IdClass::String => None,
        }
    }

    /// Returns the declared name that is most similar to a name. In a text with many names, only the
    /// first unknown ones are compared with them.
    pub(in crate::text) fn similar(&self, name: &str) -> Option<String> {
        let count = self.scopes.iter().map(HashMap::len).sum();
        self.comparisons.set(self.comparisons.get().checked_sub(count)?);
        // `P9` is not a mistyped `V9`.
        let is_numbered = |name: &str| {
            let mut chars = name.chars();
            chars.next().is_some_and(char::is_alphabetic) && chars.all(|c| c.is_ascii_digit())
        };
        let class = name.chars().next().filter(|_| is_numbered(name));
        let is_candidate = |name: &&str| class.is_none_or(|class| name.starts_with(class));
        let candidates = self.scopes.iter().enumerate().flat_map(|(depth, scope)| {
            let predefined = PREDEFINED.iter().map(|(name, _)| *name).filter(|_| depth == 0);
            let names = scope.keys().copied().chain(predefined).filter(is_candidate);
            let mut names: Vec<&str> = names.collect();
            // Of names that are equally similar, the first is suggested.
            names.sort_unstable();
            names
        });
        nearest(name, candidates).map(String::from)
    }

    /// Removes all labels after the first `count`.
    pub(in crate::text) fn forget_labels(&mut self, count: usize) {
        for label in self.labels.drain(count..) {
            self.labels_by_name.remove(label.name);
        }
    }

    /// Records that a label is called as a composable function.
    pub(in crate::text) fn call_composable(&mut self, id: LabelId) {
        let label = self.labels.get_mut(usize::from(id.0)).filter(|_| !self.is_trial);
        if let Some(label) = label {
            label.kind = LabelKind::FC;
        }
    }

    /// Returns the label of a name, and adds it if it is new. Returns `None` if there are too many
    /// labels, or if the name had to be an id.
    pub(in crate::text) fn label(&mut self, name: &'t str, span: Range<usize>) -> Option<LabelId> {
        if self.has_ids {
            let id = self.id(name).filter(|id| id.class == IdClass::Label)?;
            return u16::try_from(id.number).ok().map(LabelId);
        }
        if let Some(id) = self.labels_by_name.get(name) {
            self.labels[usize::from(id.0)].is_tentative &= self.is_trial;
            return Some(*id);
        }
        let id = LabelId(u16::try_from(self.labels.len()).ok().filter(|id| *id < u16::MAX)?);
        let is_tentative = self.is_trial;
        let kind = LabelKind::BLOCK;
        self.labels.push(LabelUse { name, span, kind, defined: false, is_tentative });
        self.labels_by_name.insert(name, id);
        Some(id)
    }
}

/// The names and ids of the predefined variables and surfaces, and the bindless sampler.
const PREDEFINED: [(&str, Symbol); 2 * (VARIABLES.len() + SURFACES.len()) + 1] = {
    let sampler = ("S31", Symbol::Sampler(SamplerId::BINDLESS.0 as u16));
    let mut entries = [sampler; 2 * (VARIABLES.len() + SURFACES.len()) + 1];
    let mut count = 1;
    let mut index = 0;
    while index < VARIABLES.len() {
        let id = VarId(index as u32);
        if let (Some(name), Some(ty)) = (id.predefined_name(), id.predefined_type()) {
            entries[count] = (name, Symbol::Variable(id, Some(ty)));
            entries[count + 1] = (VARIABLES[index], Symbol::Variable(id, Some(ty)));
            count += 2;
        }
        index += 1;
    }
    index = 0;
    while index < SURFACES.len() {
        let symbol = Symbol::Surface(index as u16);
        entries[count] = (SURFACES[index], symbol);
        count += 1;
        if let Some(name) = SurfaceId(index as u8).predefined_name() {
            entries[count] = (name, symbol);
            count += 1;
        }
        index += 1;
    }
    assert!(count == entries.len());
    entries
};

static PREDEFINED_BY_NAME: WordMap<Symbol, 128> = WordMap::new(&PREDEFINED);

const VARIABLES: [&str; 22] = [
    "V0", "V1", "V2", "V3", "V4", "V5", "V6", "V7", "V8", "V9", "V10", "V11", "V12", "V13", "V14",
    "V15", "V16", "V17", "V18", "V19", "V20", "V21",
];

const SURFACES: [&str; 6] = ["T0", "T1", "T2", "T3", "T4", "T5"];
