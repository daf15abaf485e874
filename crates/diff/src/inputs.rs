//! The counterparts of inputs, by their order, type and size.
//!
//! The inputs of a kernel are its arguments and what the hardware provides. Other options of a compiler change
//! how a kernel uses them, but rarely their order.

use std::collections::HashMap;

use super::side::Side;

/// The maximum number of pairs of inputs that are compared.
const MAX_PAIRS: usize = 1 << 16;

/// An entry with its input.
struct Input {
    entry: u32,
    offset: i16,
    /// The shape of the entry, and the number of bytes.
    key: (u32, u16),
}

/// The quality of a chain of pairs: the number of pairs, then their votes, then how many have the same
/// name.
type Score = (u32, u64, u32);

/// Returns the longest chain of pairs of inputs with the same type and size that are in the same order in
/// both routines. Of several, prefers the one with the most votes of instructions, then of names.
pub(super) fn pairs(
    a: &Side<'_, '_>,
    b: &Side<'_, '_>,
    votes: &HashMap<(u32, u32), u32>,
) -> Vec<(u32, u32)> {
    let (of_a, of_b) = (inputs(a), inputs(b));
    if of_a.len().saturating_mul(of_b.len()) > MAX_PAIRS {
        return Vec::new();
    }
    let with_pair = |(count, sum, names): Score, x: &Input, y: &Input| {
        let votes = votes.get(&(x.entry, y.entry)).copied().unwrap_or_default();
        let is_same_name = !a.name(x.entry).is_empty() && a.name(x.entry) == b.name(y.entry);
        (count + 1, sum + u64::from(votes), names + u32::from(is_same_name))
    };
    // For each pair of suffixes, the best score.
    let width = of_b.len() + 1;
    let mut best: Vec<Score> = vec![(0, 0, 0); (of_a.len() + 1) * width];
    for (i, x) in of_a.iter().enumerate().rev() {
        for (j, y) in of_b.iter().enumerate().rev() {
            let at = i * width + j;
            let mut score = best[at + width].max(best[at + 1]);
            if x.key == y.key {
                score = score.max(with_pair(best[at + width + 1], x, y));
            }
            best[at] = score;
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while let (Some(x), Some(y)) = (of_a.get(i), of_b.get(j)) {
        let at = i * width + j;
        let is_pair = x.key == y.key && best[at] == with_pair(best[at + width + 1], x, y);
        if is_pair {
            pairs.push((x.entry, y.entry));
        }
        let skips_a = !is_pair && best[at] == best[at + width];
        i += usize::from(is_pair || skips_a);
        j += usize::from(is_pair || !skips_a);
    }
    pairs
}

/// Returns the entries with one input, in the order of their offsets.
fn inputs(side: &Side<'_, '_>) -> Vec<Input> {
    let mut inputs: Vec<Input> = (0..)
        .zip(&side.entries)
        .filter_map(|(entry, facts)| {
            let (offset, size) = facts.input?;
            Some(Input { entry, offset, key: (facts.shape, size) })
        })
        .collect();
    inputs.sort_by_key(|input| input.offset);
    inputs
}
