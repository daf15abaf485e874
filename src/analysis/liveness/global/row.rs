//! Sets of atoms of several roots, as rows of words: one row for each block.

use alloc::vec;
use alloc::vec::Vec;

/// The bits of a root in a row. A root of at most 64 atoms is in one word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) word: usize,
    pub(super) shift: u32,
    pub(super) words: usize,
    /// The number of bits.
    pub(super) count: u32,
}

impl Place {
    /// Returns the place of a number of bits after the places that have been allocated.
    pub(super) fn allocate(&mut self, count: u32) -> Place {
        if self.shift + count > 64 && self.shift > 0 {
            (self.word, self.shift) = (self.word + 1, 0);
        }
        let words = (count as usize).div_ceil(64);
        let place = Place { word: self.word, shift: self.shift, words, count };
        self.shift += count;
        if self.shift >= 64 {
            (self.word, self.shift) = (self.word + words, 0);
        }
        place
    }

    /// Returns the number of words up to the end.
    pub(super) fn end(self) -> usize {
        self.word + self.words.max(usize::from(self.shift > 0))
    }

    /// Returns the words of a row that contain bits, and these bits.
    #[inline]
    pub(super) fn masks(self) -> impl Iterator<Item = (usize, u64)> {
        (0..self.words).map(move |index| {
            let left = (self.count - index as u32 * 64).min(64);
            (self.word + index, u64::MAX >> (64 - left) << self.shift)
        })
    }
}

/// A row of words for each block.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    words: usize,
    data: Vec<u64>,
}

impl Rows {
    pub(super) fn new(count: usize, words: usize) -> Rows {
        Rows { words, data: vec![0; count * words] }
    }

    /// Replaces the rows with empty ones.
    pub(super) fn reset(&mut self, count: usize, words: usize) {
        self.words = words;
        self.data.clear();
        self.data.resize(count * words, 0);
    }

    /// Returns the number of words of a row; 0 if there are no rows.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    #[inline]
    pub(super) fn get(&self, block: usize) -> &[u64] {
        &self.data[block * self.words..][..self.words]
    }

    #[inline]
    pub(super) fn get_mut(&mut self, block: usize) -> &mut [u64] {
        &mut self.data[block * self.words..][..self.words]
    }

    /// Adds the row of one block to the row of another.
    pub(super) fn union_within(&mut self, to: usize, from: usize) {
        for word in 0..self.words {
            let other = self.data[from * self.words + word];
            self.data[to * self.words + word] |= other;
        }
    }
}
