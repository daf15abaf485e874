//! Lists that a hostile file could make very long.

/// The first items of a list, and the number of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limited<T> {
    first: Vec<T>,
    others: usize,
}

impl<T> Limited<T> {
    /// Adds an item, which is kept if it is one of the first 100.
    pub(crate) fn push(&mut self, item: T) {
        match self.first.len() < 100 {
            true => self.first.push(item),
            false => self.others += 1,
        }
    }

    /// Returns the items that are kept.
    pub fn first(&self) -> &[T] {
        &self.first
    }

    /// Returns the number of items that are not kept.
    pub fn others(&self) -> usize {
        self.others
    }

    /// Returns the number of all items.
    #[expect(clippy::len_without_is_empty, reason = "nothing needs it")]
    pub fn len(&self) -> usize {
        self.first.len() + self.others
    }
}

impl<T> Default for Limited<T> {
    fn default() -> Limited<T> {
        Limited { first: Vec::new(), others: 0 }
    }
}
