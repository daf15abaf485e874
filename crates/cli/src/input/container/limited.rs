//! Lists that a hostile file could make very long.

/// The first items of a list, and the number of the others.
pub struct Limited<T> {
    first: Vec<T>,
    others: usize,
}

impl<T> Limited<T> {
    /// The most items that are kept.
    pub const MOST: usize = 100;

    pub fn push(&mut self, item: T) {
        match self.first.len() < Self::MOST {
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
    pub fn len(&self) -> usize {
        self.first.len() + self.others
    }
}

impl<T> Default for Limited<T> {
    fn default() -> Limited<T> {
        Limited { first: Vec::new(), others: 0 }
    }
}
