//! Values that are assumed for the unknown parts of a template: constants with constraint `P` whose
//! values are not known, and holes.

use alloc::collections::BTreeMap;

/// The values of a part, in the order in which they are tried. Most fields of vISA accept one of the
/// first.
const VALUES: [u8; 8] = [8, 16, 1, 32, 0, 2, 4, 64];

/// The maximum number of parts whose values vary. The others have the first value.
const MAX_PARTS: usize = 6;

/// An unknown part of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// The constant operand of this number.
    Operand(usize),
    /// The hole at this index.
    Hole(usize),
}

/// A value for each unknown part.
#[derive(Clone, Debug, Default)]
pub(super) struct Assumption(BTreeMap<Part, u8>);

impl Assumption {
    /// Returns the value of a part.
    pub(super) fn value(&self, part: Part) -> u8 {
        self.0.get(&part).copied().unwrap_or(VALUES[0])
    }

    /// Returns the combinations of values to try for some parts: at most 64.
    pub(super) fn all(parts: &[Part]) -> impl Iterator<Item = Assumption> + '_ {
        let parts = &parts[..parts.len().min(MAX_PARTS)];
        let choices = match parts.len() {
            0..=2 => 8,
            3 => 4,
            _ => 2_usize,
        };
        let count = choices.pow(parts.len() as u32);
        (0..count).map(move |mut number| {
            let mut values = BTreeMap::new();
            // The first combinations have the same value for all parts.
            let first = number % choices;
            let mut index = first;
            for part in parts {
                values.insert(*part, VALUES[index]);
                number /= choices;
                index = (number + first) % choices;
            }
            Assumption(values)
        })
    }
}
