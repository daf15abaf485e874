//! The one-to-one map between the entries of two routines.

use std::collections::{HashMap, VecDeque};

use genvisa::isa::IdClass;

use super::side::Side;

/// Pairs of entries of two routines.
pub(super) struct Matching {
    /// For each entry of A, its counterpart.
    pub(super) a: Vec<Option<u32>>,
    /// For each entry of B, its counterpart.
    pub(super) b: Vec<Option<u32>>,
}

impl Matching {
    pub(super) fn new(a: &Side<'_, '_>, b: &Side<'_, '_>) -> Matching {
        Matching { a: vec![None; a.entries.len()], b: vec![None; b.entries.len()] }
    }

    /// Adds a pair, unless one of the entries has another counterpart. Returns whether the two are a
    /// pair.
    pub(super) fn pair(&mut self, x: u32, y: u32) -> bool {
        let (of_x, of_y) = (&mut self.a[x as usize], &mut self.b[y as usize]);
        if of_x.is_none() && of_y.is_none() {
            (*of_x, *of_y) = (Some(y), Some(x));
        }
        *of_x == Some(y)
    }

    pub(super) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..).zip(&self.a).filter_map(|(x, y)| Some((x, (*y)?)))
    }

    /// Pairs entries without counterparts that have the same key, in order.
    pub(super) fn pair_by(
        &mut self,
        a: &Side<'_, '_>,
        b: &Side<'_, '_>,
        key: impl Fn(&Side<'_, '_>, u32) -> Option<(u32, u32)>,
    ) {
        let mut keyed: HashMap<(u32, u32), VecDeque<u32>> = HashMap::new();
        for y in (0..b.entries.len() as u32).filter(|y| self.b[*y as usize].is_none()) {
            if let Some(key) = key(b, y) {
                keyed.entry(key).or_default().push_back(y);
            }
        }
        for x in 0..a.entries.len() as u32 {
            if self.a[x as usize].is_none() {
                let other = key(a, x).and_then(|key| keyed.get_mut(&key)?.pop_front());
                other.map(|y| self.pair(x, y));
            }
        }
    }

    /// Pairs the aliases of two counterparts if each has one that has no counterpart and a certain
    /// declaration.
    pub(super) fn pair_only_aliases(&mut self, a: &Side<'_, '_>, b: &Side<'_, '_>) {
        /// The aliases of an entry of A with a declaration: the only ones, and their number.
        #[derive(Default)]
        struct Aliases {
            last: (u32, u32),
            count: (u32, u32),
        }
        let mut aliases: HashMap<(u32, u32), Aliases> = HashMap::new();
        for (x, entry) in (0..).zip(&a.entries) {
            if let (Some(parent), None) = (entry.parent, self.a[x as usize]) {
                let found = aliases.entry((parent, entry.declaration)).or_default();
                (found.last.0, found.count.0) = (x, found.count.0 + 1);
            }
        }
        for (y, entry) in (0..).zip(&b.entries) {
            let parent = entry.parent.and_then(|parent| self.b[parent as usize]);
            if let (Some(parent), None) = (parent, self.b[y as usize]) {
                let found = aliases.entry((parent, entry.declaration)).or_default();
                (found.last.1, found.count.1) = (y, found.count.1 + 1);
            }
        }
        for Aliases { last: (x, y), count } in aliases.into_values() {
            if count == (1, 1) {
                self.pair(x, y);
            }
        }
    }

    /// Pairs entries of the same name. Auto-generated names say little, so entries that instructions
    /// use must also have the same shape.
    pub(super) fn pair_names(&mut self, a: &Side<'_, '_>, b: &Side<'_, '_>) {
        let mut named: HashMap<(IdClass, &[u8]), u32> = HashMap::new();
        for y in 0..b.entries.len() as u32 {
            if self.b[y as usize].is_none() && !b.name(y).is_empty() {
                named.entry((b.numbering.id(y).class, b.name(y))).or_insert(y);
            }
        }
        for x in 0..a.entries.len() as u32 {
            let Some(y) = named.get(&(a.numbering.id(x).class, a.name(x))) else { continue };
            let is_unused = a.uses[x as usize] == 0 && b.uses[*y as usize] == 0;
            if is_unused || a.entries[x as usize].shape == b.entries[*y as usize].shape {
                self.pair(x, *y);
            }
        }
    }
}
