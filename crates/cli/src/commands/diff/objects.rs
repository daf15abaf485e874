//! The objects in two files.

use std::collections::HashMap;

use crate::input::Input;
use crate::words::{count, printable};

impl Input {
    /// Returns its number in the file that contains it, with the name of the first routine.
    pub fn describe(&self) -> String {
        let number = self.name.rsplit_once('!').map_or("", |(_, number)| number);
        match &self.routines[..] {
            [] => format!("object {number}"),
            [name] => format!("object {number} ({})", printable(name)),
            [name, others @ ..] => {
                let others = count(others.len(), "other");
                format!("object {number} ({} and {others})", printable(name))
            }
        }
    }
}

/// Matches the objects of two files: the only ones, those with the same bytes, and then those with the
/// same routines, in their order.
pub fn pairs(of_a: Vec<Input>, of_b: Vec<Input>) -> Vec<(Option<Input>, Option<Input>)> {
    if of_a.len() == 1 && of_b.len() == 1 {
        return of_a.into_iter().map(Some).zip(of_b.into_iter().map(Some)).collect();
    }
    let mut pairs: Vec<_> = of_a.into_iter().map(|a| (Some(a), None)).collect();
    let mut of_b: Vec<_> = of_b.into_iter().map(Some).collect();
    match_by(&mut pairs, &mut of_b, |input| input.bytes.clone());
    match_by(&mut pairs, &mut of_b, |input| input.routines.clone());
    pairs.extend(of_b.into_iter().flatten().map(|b| (None, Some(b))));
    pairs
}

/// Moves objects to those without a counterpart that have the same key.
fn match_by<K: std::hash::Hash + Eq>(
    pairs: &mut [(Option<Input>, Option<Input>)],
    of_b: &mut [Option<Input>],
    key: impl Fn(&Input) -> K,
) {
    let mut indices: HashMap<K, Vec<usize>> = HashMap::new();
    for (index, b) in of_b.iter().enumerate().rev() {
        if let Some(b) = b {
            indices.entry(key(b)).or_default().push(index);
        }
    }
    for (a, b) in pairs.iter_mut().filter(|(_, b)| b.is_none()) {
        let index = a.as_ref().and_then(|a| indices.get_mut(&key(a))?.pop());
        *b = index.and_then(|index| of_b[index].take());
    }
}
