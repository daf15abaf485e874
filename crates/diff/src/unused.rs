//! Matching of entries that no instruction refers to, by the structure of their aliases.
//!
//! Aliases form trees. In a file that is not legal, they may also form cycles, with trees at their
//! entries. Two unused trees match if they are isomorphic.

use super::matching::Matching;
use super::side::{Interner, Side};

/// Pairs unused entries whose trees of aliases are isomorphic.
pub(super) fn pair(matching: &mut Matching, a: &Side<'_, '_>, b: &Side<'_, '_>) {
    let mut signatures: Interner<Vec<u32>> = Interner::default();
    let of_a = Forest::new(a, &matching.a, &mut signatures);
    let of_b = Forest::new(b, &matching.b, &mut signatures);
    let mut groups: Vec<(Vec<u32>, Vec<u32>)> =
        matching.pairs().map(|(x, y)| (of_a.children(x), of_b.children(y))).collect();
    groups.push((of_a.roots.clone(), of_b.roots.clone()));
    for (cycle, other) in pair_sorted(&of_a.cycles, &of_b.cycles) {
        for (x, y) in cycle.iter().zip(other) {
            matching.pair(*x, *y);
            groups.push((of_a.children(*x), of_b.children(*y)));
        }
    }
    while let Some((xs, ys)) = groups.pop() {
        let signed = |forest: &Forest, entries: Vec<u32>| -> Vec<(Option<u32>, u32)> {
            let signature = |entry: u32| (forest.signatures[entry as usize], entry);
            entries
                .into_iter()
                .map(signature)
                .filter(|(signature, _)| signature.is_some())
                .collect()
        };
        for (x, y) in pair_sorted(&signed(&of_a, xs), &signed(&of_b, ys)) {
            if matching.pair(*x, *y) {
                groups.push((of_a.children(*x), of_b.children(*y)));
            }
        }
    }
}

/// Pairs the values of equal keys. Each is used once.
fn pair_sorted<'v, K: Ord, V: Ord>(a: &'v [(K, V)], b: &'v [(K, V)]) -> Vec<(&'v V, &'v V)> {
    let sorted = |list: &'v [(K, V)]| {
        let mut sorted: Vec<&(K, V)> = list.iter().collect();
        sorted.sort();
        sorted.into_iter().peekable()
    };
    let (mut a, mut b, mut pairs) = (sorted(a), sorted(b), Vec::new());
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        match x.0.cmp(&y.0) {
            std::cmp::Ordering::Less => drop(a.next()),
            std::cmp::Ordering::Greater => drop(b.next()),
            std::cmp::Ordering::Equal => {
                pairs.push((&x.1, &y.1));
                a.next();
                b.next();
            }
        }
    }
    pairs
}

/// The entries of a routine with their aliases.
struct Forest {
    /// The entries, grouped by their parent.
    children: Vec<u32>,
    /// For each entry, the start of its children.
    starts: Vec<usize>,
    /// The entries that are not aliases of others.
    roots: Vec<u32>,
    /// For each entry that is unused, as are all of its aliases, the structure of its tree. `None`
    /// in cycles.
    signatures: Vec<Option<u32>>,
    /// The cycles of unused entries, each with its structure.
    cycles: Vec<(Vec<u32>, Vec<u32>)>,
}

impl Forest {
    fn new(
        side: &Side<'_, '_>,
        counterparts: &[Option<u32>],
        interner: &mut Interner<Vec<u32>>,
    ) -> Forest {
        let entries = &side.entries;
        let mut starts = vec![0; entries.len() + 1];
        for parent in entries.iter().filter_map(|entry| entry.parent) {
            starts[parent as usize + 1] += 1;
        }
        for entry in 0..entries.len() {
            starts[entry + 1] += starts[entry];
        }
        let (mut next, mut roots) = (starts.clone(), Vec::new());
        let mut children = vec![0; starts[entries.len()]];
        for (entry, number) in entries.iter().zip(0..) {
            match entry.parent {
                Some(parent) => {
                    children[next[parent as usize]] = number;
                    next[parent as usize] += 1;
                }
                None => roots.push(number),
            }
        }
        let mut forest = Forest {
            children,
            starts,
            roots,
            signatures: vec![None; entries.len()],
            cycles: Vec::new(),
        };
        forest.sign(side, counterparts, interner);
        forest
    }

    fn children(&self, entry: u32) -> Vec<u32> {
        let entry = entry as usize;
        self.children[self.starts[entry]..self.starts[entry + 1]].into()
    }

    /// Computes the signatures, from the leaves to the roots, and then the cycles.
    fn sign(
        &mut self,
        side: &Side<'_, '_>,
        counterparts: &[Option<u32>],
        interner: &mut Interner<Vec<u32>>,
    ) {
        let entries = &side.entries;
        let is_unused =
            |entry: u32| side.uses[entry as usize] == 0 && counterparts[entry as usize].is_none();
        let mut pending: Vec<usize> =
            self.starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mut is_in_tree = vec![false; entries.len()];
        let mut ready: Vec<u32> =
            (0..entries.len() as u32).filter(|entry| pending[*entry as usize] == 0).collect();
        while let Some(entry) = ready.pop() {
            is_in_tree[entry as usize] = true;
            if is_unused(entry) {
                self.signatures[entry as usize] = self.signature(side, entry, None, interner);
            }
            if let Some(parent) = entries[entry as usize].parent {
                pending[parent as usize] -= 1;
                if pending[parent as usize] == 0 {
                    ready.push(parent);
                }
            }
        }
        // All others are in cycles, because each has one parent.
        for first in 0..entries.len() as u32 {
            let (mut cycle, mut entry) = (Vec::new(), first);
            while !std::mem::replace(&mut is_in_tree[entry as usize], true) {
                cycle.push(entry);
                entry = entries[entry as usize].parent.unwrap_or(entry);
            }
            let signatures: Option<Vec<u32>> = (cycle.iter().enumerate())
                .map(|(at, entry)| {
                    let before = cycle[(at + cycle.len() - 1) % cycle.len()];
                    let is_unused = is_unused(*entry);
                    is_unused.then(|| self.signature(side, *entry, Some(before), interner))?
                })
                .collect();
            if let Some(mut signatures) = signatures.filter(|signatures| !signatures.is_empty()) {
                let start = least_rotation(&signatures);
                signatures.rotate_left(start);
                cycle.rotate_left(start);
                self.cycles.push((signatures, cycle));
            }
        }
    }

    /// Returns the signature of an entry whose aliases, except one, have signatures.
    fn signature(
        &self,
        side: &Side<'_, '_>,
        entry: u32,
        except: Option<u32>,
        interner: &mut Interner<Vec<u32>>,
    ) -> Option<u32> {
        let children = self.children(entry).into_iter().filter(|child| Some(*child) != except);
        let signatures: Option<Vec<u32>> =
            children.map(|child| self.signatures[child as usize]).collect();
        let mut key = signatures?;
        key.sort_unstable();
        let declared = &side.entries[entry as usize];
        key.extend([declared.declaration, declared.inputs]);
        Some(interner.number_of(&key))
    }
}

/// Returns the start of the rotation that is first in lexicographic order, in linear time.
fn least_rotation(values: &[u32]) -> usize {
    let (len, at) = (values.len(), |index: usize| values[index % values.len()]);
    // Two candidates, and the length of their common prefix.
    let (mut i, mut j, mut common) = (0, 1, 0);
    while i < len && j < len && common < len {
        match at(i + common).cmp(&at(j + common)) {
            std::cmp::Ordering::Equal => {
                common += 1;
                continue;
            }
            std::cmp::Ordering::Greater => i += common + 1,
            std::cmp::Ordering::Less => j += common + 1,
        }
        j += usize::from(i == j);
        common = 0;
    }
    i.min(j)
}
