//! The counterparts of entries: aligned instructions determine them.

use std::collections::HashMap;

use genvisa::isa::IdClass;

use super::align::{Segment, align, align_levels};
use super::matching::Matching;
use super::side::{Entry, Interner, Referent, Side};
use super::{inputs, unused};

/// Matches the entries of two routines, and aligns their instructions: two instructions are equal if
/// they are after the entries of B are replaced with their counterparts.
pub(super) fn align_routines(a: &Side<'_, '_>, b: &Side<'_, '_>) -> (Matching, Vec<Segment>) {
    if let Some(mut matching) = match_equal(a, b) {
        complete(&mut matching, a, b);
        let (a, b) = (0..a.forms.len(), 0..b.forms.len());
        let is_empty = a.is_empty();
        let segments = (!is_empty).then_some(Segment { is_equal: true, a, b });
        return (matching, segments.into_iter().collect());
    }
    let keys = (Keys::new(a), Keys::new(b));
    let (of_a, of_b) = &keys;
    let usual = [
        (&of_a.by_use[..], &of_b.by_use[..]),
        (&of_a.by_shape[..], &of_b.by_shape[..]),
        (&of_a.by_form[..], &of_b.by_form[..]),
        (&of_a.by_opcode[..], &of_b.by_opcode[..]),
    ];
    // The uses find the counterparts in code that was moved or inserted among similar code, but a
    // change of one instruction changes the uses of all variables near it.
    let mut best = match_similar(a, b, &usual[1..]);
    let other = match_similar(a, b, &usual);
    if other.score > best.score {
        best = other;
    }
    // The counterparts make instructions distinguishable that have the same form.
    for _ in 0..REFINEMENTS {
        let tokens = (&best.tokens.0[..], &best.tokens.1[..]);
        let certain = best.certain_tokens(a, b);
        let certain = (&certain.0[..], &certain.1[..]);
        let next = match_similar(a, b, &[tokens, certain, usual[1], usual[2], usual[3]]);
        if next.score <= best.score {
            break;
        }
        best = next;
    }
    (best.matching, best.segments)
}

/// How often matching is repeated. Most routines need one repetition.
const REFINEMENTS: usize = 3;

/// Matches the entries of routines whose instructions are equal except for ids. Returns `None` if
/// they are not.
///
/// The matching is not a guess: each instruction determines the counterparts of its ids.
fn match_equal(a: &Side<'_, '_>, b: &Side<'_, '_>) -> Option<Matching> {
    if a.forms != b.forms {
        return None;
    }
    let mut matching = Matching::new(a, b);
    for index in 0..a.forms.len() {
        let (of_a, of_b) = (a.referents(index), b.referents(index));
        let is_pair = |(x, y): (&Referent, &Referent)| match (*x, *y) {
            (Referent::Entry(x), Referent::Entry(y)) => {
                a.numbering.id(x).class == b.numbering.id(y).class && matching.pair(x, y)
            }
            (x, y) => x == y,
        };
        if of_a.len() != of_b.len() || !of_a.iter().zip(of_b).all(is_pair) {
            return None;
        }
    }
    Some(matching)
}

/// Adds the pairs of entries that instructions do not imply: first the variables that a pair are
/// aliases of, then unused entries, then entries with the same inputs, name or declaration.
fn complete(matching: &mut Matching, a: &Side<'_, '_>, b: &Side<'_, '_>) {
    let mut pairs: Vec<(u32, u32)> = matching.pairs().collect();
    while let Some((x, y)) = pairs.pop() {
        let parents = (a.entries[x as usize].parent, b.entries[y as usize].parent);
        if let (Some(x), Some(y)) = parents {
            let is_new = matching.a[x as usize].is_none();
            if is_new && matching.pair(x, y) {
                pairs.push((x, y));
            }
        }
    }
    unused::pair(matching, a, b);
    let of = |side: &Side<'_, '_>, entry: u32| side.entries[entry as usize];
    // The inputs imply the class.
    matching.pair_by(a, b, |side, entry| {
        let Entry { inputs, shape, has_inputs, .. } = of(side, entry);
        has_inputs.then_some((inputs, shape))
    });
    matching.pair_by(a, b, |side, entry| {
        let Entry { inputs, has_inputs, .. } = of(side, entry);
        has_inputs.then_some((inputs, 0))
    });
    matching.pair_names(a, b);
    matching.pair_by(a, b, |side, entry| {
        let is_unused = side.uses[entry as usize] == 0;
        is_unused.then_some((of(side, entry).declaration, 0))
    });
}

/// A matching with the alignment that follows from it.
struct Candidate {
    matching: Matching,
    segments: Vec<Segment>,
    /// The keys of the instructions after replacement.
    tokens: (Vec<u64>, Vec<u64>),
    /// The number of equal instructions, and the number of pairs.
    score: (usize, usize),
}

impl Candidate {
    /// Returns keys in which only those counterparts matter that equal instructions confirm.
    fn certain_tokens(&self, a: &Side<'_, '_>, b: &Side<'_, '_>) -> (Vec<u64>, Vec<u64>) {
        let mut is_certain = vec![false; a.entries.len()];
        for index in self.segments.iter().filter(|s| s.is_equal).flat_map(|s| s.a.clone()) {
            for referent in a.referents(index) {
                if let Referent::Entry(x) = referent {
                    is_certain[*x as usize] = true;
                }
            }
        }
        let mut interner = Interner::default();
        let a_entry = |x: u32| if is_certain[x as usize] { [0, x] } else { [1, 0] };
        let b_entry = |y: u32| self.matching.b[y as usize].map_or([1, 0], a_entry);
        (side_tokens(a, &mut interner, a_entry), side_tokens(b, &mut interner, b_entry))
    }
}

/// Matches the entries of routines that differ: aligned instructions vote for pairs of their ids.
fn match_similar(a: &Side<'_, '_>, b: &Side<'_, '_>, levels: &[(&[u64], &[u64])]) -> Candidate {
    let mut votes = Votes::default();
    for (i, j, level) in align_levels(levels) {
        votes.add(a, b, (i, j), levels.len().saturating_sub(level) as u32);
    }
    let mut matching = votes.into_matching(a, b);
    complete(&mut matching, a, b);
    let tokens = tokens(a, b, &matching);
    let segments = align(&tokens.0, &tokens.1);
    let equal = segments.iter().filter(|s| s.is_equal).map(|s| s.a.len()).sum();
    let score = (equal, matching.pairs().count());
    Candidate { matching, segments, tokens, score }
}

/// Returns a key for each instruction, which is equal to another if the instructions are equal after
/// the entries of B are replaced with their counterparts.
fn tokens(a: &Side<'_, '_>, b: &Side<'_, '_>, matching: &Matching) -> (Vec<u64>, Vec<u64>) {
    let mut interner: Interner<Vec<u32>> = Interner::default();
    let a_entry = |x| [0, x];
    let b_entry = |y: u32| match matching.b[y as usize] {
        Some(x) => [0, x],
        None => [1, y],
    };
    (side_tokens(a, &mut interner, a_entry), side_tokens(b, &mut interner, b_entry))
}

fn side_tokens(
    side: &Side<'_, '_>,
    interner: &mut Interner<Vec<u32>>,
    entry: impl Fn(u32) -> [u32; 2],
) -> Vec<u64> {
    let mut key = Vec::new();
    let token = |index: usize| {
        key.clear();
        key.push(side.forms[index]);
        for referent in side.referents(index) {
            key.extend(match *referent {
                Referent::Entry(number) => entry(number),
                Referent::Text(text) => [2, text],
                Referent::Fixed(id) => [3 + id.class as u32, id.number],
            });
        }
        u64::from(interner.number_of(&key))
    };
    (0..side.forms.len()).map(token).collect()
}

/// Keys of instructions, which do not depend on ids.
struct Keys {
    /// The form, and where the entries are used in the routine.
    by_use: Vec<u64>,
    /// The form, and the shapes of the entries.
    by_shape: Vec<u64>,
    /// The form.
    by_form: Vec<u64>,
    /// The opcode.
    by_opcode: Vec<u64>,
}

impl Keys {
    fn new(side: &Side<'_, '_>) -> Keys {
        let by_form: Vec<u64> = side.forms.iter().map(|form| u64::from(*form)).collect();
        let mut entry_keys: Vec<u64> = side.entries.iter().map(Entry::key).collect();
        let by_shape = keys_with(side, &entry_keys);
        // Each round distinguishes entries by the instructions that use them, and these by the other
        // entries that they use.
        let mut by_use = by_shape.clone();
        for _ in 0..2 {
            let mut sums = entry_keys.clone();
            for (index, key) in by_use.iter().enumerate() {
                for (position, referent) in (0..).zip(side.referents(index)) {
                    if let Referent::Entry(entry) = referent {
                        let sum = &mut sums[*entry as usize];
                        // The order of the uses does not matter.
                        *sum = sum.wrapping_add(mix(*key, position));
                    }
                }
            }
            entry_keys = sums;
            by_use = keys_with(side, &entry_keys);
        }
        let opcode = |instruction: &genvisa::Instruction| {
            instruction.mnemonic().bytes().fold(0, |key, byte| mix(key, byte.into()))
        };
        let by_opcode = side.instructions.iter().map(opcode).collect();
        Keys { by_use, by_shape, by_form, by_opcode }
    }
}

impl Entry {
    fn key(&self) -> u64 {
        mix(self.shape.into(), 0)
    }
}

/// Returns a key for each instruction from its form and the keys of its entries.
fn keys_with(side: &Side<'_, '_>, entry_keys: &[u64]) -> Vec<u64> {
    let key = |index: usize| {
        let start = mix(side.forms[index].into(), 1);
        side.referents(index).iter().fold(start, |key, referent| {
            let operand = match *referent {
                Referent::Entry(entry) => entry_keys[entry as usize],
                Referent::Text(text) => mix(text.into(), 2),
                Referent::Fixed(id) => mix(id.number.into(), 3 + id.class as u64),
            };
            mix(key, operand)
        })
    };
    (0..side.forms.len()).map(key).collect()
}

/// Combines two numbers to one that depends on all of their bits. Collisions only make the alignment
/// worse.
fn mix(a: u64, b: u64) -> u64 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let x = (a ^ b.rotate_left(32)).wrapping_add(MULTIPLIER).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 29)).wrapping_add(b).wrapping_mul(MULTIPLIER);
    x ^ (x >> 32)
}

/// The votes of aligned instructions for pairs of entries.
#[derive(Default)]
struct Votes {
    weights: HashMap<(u32, u32), u32>,
}

impl Votes {
    /// Adds the votes of a pair of instructions, if they have operands of the same classes.
    fn add(&mut self, a: &Side<'_, '_>, b: &Side<'_, '_>, (i, j): (usize, usize), weight: u32) {
        let (of_a, of_b) = (a.referents(i), b.referents(j));
        let class = |side: &Side<'_, '_>, referent: &Referent| match *referent {
            Referent::Entry(entry) => side.numbering.id(entry).class,
            Referent::Text(_) => IdClass::String,
            Referent::Fixed(id) => id.class,
        };
        let is_same = |(x, y)| class(a, x) == class(b, y);
        if of_a.len() != of_b.len() || !of_a.iter().zip(of_b).all(is_same) {
            return;
        }
        for pair in of_a.iter().zip(of_b) {
            if let (Referent::Entry(x), Referent::Entry(y)) = pair {
                self.vote((*x, *y), weight);
                let parents = (a.entries[*x as usize].parent, b.entries[*y as usize].parent);
                if let (Some(x), Some(y)) = parents {
                    self.vote((x, y), weight);
                }
            }
        }
    }

    fn vote(&mut self, pair: (u32, u32), weight: u32) {
        let sum = self.weights.entry(pair).or_default();
        *sum = sum.saturating_add(weight);
    }

    /// Accepts the pairs of inputs, then those with the most votes. Of equally many, prefers entries of the same shape and
    /// name, and earlier ones.
    ///
    /// Aliases follow the variables whose storage they share: pairs of aliases of different variables
    /// are accepted last.
    fn into_matching(self, a: &Side<'_, '_>, b: &Side<'_, '_>) -> Matching {
        let rank = |((x, y), weight): ((u32, u32), u32)| {
            let is_other_shape = a.entries[x as usize].shape != b.entries[y as usize].shape;
            let is_other_name = a.name(x).is_empty() || a.name(x) != b.name(y);
            (u32::MAX - weight, is_other_shape, is_other_name, x, y)
        };
        let inputs = inputs::pairs(a, b, &self.weights);
        let mut pairs: Vec<_> = self.weights.into_iter().map(rank).collect();
        pairs.sort_unstable();
        let mut matching = Matching::new(a, b);
        for (x, y) in inputs {
            matching.pair(x, y);
        }
        let parents = |x: u32, y: u32| (a.entries[x as usize].parent, b.entries[y as usize].parent);
        let (aliases, roots): (Vec<_>, Vec<_>) =
            pairs.into_iter().partition(|(.., x, y)| parents(*x, *y) != (None, None));
        for (.., x, y) in roots {
            matching.pair(x, y);
        }
        let mut others = Vec::new();
        for (.., x, y) in aliases {
            match parents(x, y) {
                (Some(of_x), Some(of_y)) if matching.a[of_x as usize] == Some(of_y) => {
                    matching.pair(x, y);
                }
                _ => others.push((x, y)),
            }
        }
        matching.pair_only_aliases(a, b);
        for (x, y) in others {
            matching.pair(x, y);
        }
        matching
    }
}
