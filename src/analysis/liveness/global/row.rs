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

    /// Returns the bits of a word of the root, at their place.
    #[inline]
    pub(super) fn bits(self, index: usize) -> u64 {
        let left = self.count - (index as u32 * 64).min(self.count);
        let ones = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
        ones << self.shift
    }

    /// Returns a word of the bits of a row.
    #[inline]
    pub(super) fn word(self, row: &[u64], index: usize) -> u64 {
        (row[self.word + index] & self.bits(index)) >> self.shift
    }

    /// Replaces a word of the bits of a row.
    #[inline]
    pub(super) fn set_word(self, row: &mut [u64], index: usize, word: u64) {
        let entry = &mut row[self.word + index];
        *entry = *entry & !self.bits(index) | word << self.shift;
    }

    /// Adds all bits of a word to a row.
    pub(super) fn fill_word(self, row: &mut [u64], index: usize) {
        row[self.word + index] |= self.bits(index);
    }

    /// Adds a word of bits to a row.
    #[inline]
    pub(super) fn union_word(self, row: &mut [u64], index: usize, word: u64) {
        row[self.word + index] |= word << self.shift;
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

    /// Adds the row of one block to that of another.
    pub(super) fn union_within(&mut self, to: usize, from: usize) {
        for word in 0..self.words {
            let other = self.data[from * self.words + word];
            self.data[to * self.words + word] |= other;
        }
    }
}
