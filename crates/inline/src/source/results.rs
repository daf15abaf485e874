//! The results of statements with several outputs: which outputs the code after them uses.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use super::constraints::{self, Role};
use crate::statement::Statement;

/// The uses of the results of statements, by the name or id of the result.
#[derive(Debug)]
pub(super) struct Results<K>(BTreeMap<K, Used>);

/// What is used of a result.
#[derive(Debug, Default)]
pub(super) struct Used {
    members: BTreeSet<u32>,
    /// Whether it is used as a whole, or in a way that is not known.
    is_whole: bool,
}

impl<K> Default for Results<K> {
    fn default() -> Results<K> {
        Results(BTreeMap::new())
    }
}

impl<K: Ord> Results<K> {
    /// Records a result. It has no uses yet.
    pub(super) fn define(&mut self, result: K) {
        self.0.insert(result, Used::default());
    }

    /// Records a use of a value: of one member, or of the whole. Other values than results are ignored.
    pub(super) fn add(&mut self, value: &K, member: Option<u32>) {
        if let Some(used) = self.0.get_mut(value) {
            used.members.extend(member);
            used.is_whole |= member.is_none();
        }
    }

    /// Returns what is used of a result.
    pub(super) fn get(&self, result: &K) -> Option<&Used> {
        self.0.get(result)
    }
}

impl Used {
    /// Marks the outputs of a statement that are not used. The result of a single output is not a structure.
    pub(super) fn mark_unused(&self, statement: &mut Statement) {
        let is_result = |constraint: &str| constraints::role(constraint.as_bytes()) == Role::Result;
        let operands = statement.operands.iter_mut();
        let outputs = operands.filter(|operand| is_result(&operand.constraint)).collect::<Vec<_>>();
        if outputs.len() < 2 || self.is_whole {
            return;
        }
        for (member, output) in (0..).zip(outputs) {
            output.is_unused = !self.members.contains(&member);
        }
    }
}
