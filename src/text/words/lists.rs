//! Lists of words in layouts that are fast to print and to search.

/// A list of words of at most eight bytes, each padded and with its length.
///
/// Copying eight bytes and truncating is faster than copying a variable number of bytes.
pub(in crate::text) struct Words<const COUNT: usize>([([u8; 8], u8); COUNT]);

impl<const COUNT: usize> Words<COUNT> {
    /// Creates a list. Longer words are a compile error in a constant.
    pub(in crate::text) const fn new(words: [&str; COUNT]) -> Self {
        let mut padded = [([b' '; 8], 0); COUNT];
        let mut i = 0;
        while i < COUNT {
            let word = words[i].as_bytes();
            let mut byte = 0;
            while byte < word.len() {
                padded[i].0[byte] = word[byte];
                byte += 1;
            }
            padded[i].1 = word.len() as u8;
            i += 1;
        }
        Words(padded)
    }

    /// Returns the padded word of an index and its length, which is 0 if the index is out of range.
    #[inline]
    pub(in crate::text) fn get(&self, index: usize) -> (&[u8; 8], usize) {
        self.0.get(index).map_or((b"        ", 0), |(word, len)| (word, (*len).into()))
    }
}

/// The values of words, in a hash table that is created at compile time.
pub(in crate::text) struct WordMap<V, const SLOTS: usize>([(&'static str, V); SLOTS]);

impl<V: Copy, const SLOTS: usize> WordMap<V, SLOTS> {
    /// Creates a table. Of entries with the same word, the first is found. A table that is more
    /// than half full, or an empty word, is a compile error in a constant.
    pub(in crate::text) const fn new(entries: &[(&'static str, V)]) -> Self {
        assert!(2 * entries.len() <= SLOTS);
        let mut slots = [("", entries[0].1); SLOTS];
        let mut i = 0;
        while i < entries.len() {
            assert!(!entries[i].0.is_empty());
            let mut slot = Self::slot(entries[i].0);
            while !slots[slot].0.is_empty() {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] = entries[i];
            i += 1;
        }
        WordMap(slots)
    }

    /// Returns the slot where the search for a word starts.
    const fn slot(word: &str) -> usize {
        let word = word.as_bytes();
        let (first, middle, last) = match word {
            [] => (0, 0, 0),
            _ => (word[0], word[word.len() / 2], word[word.len() - 1]),
        };
        (first as usize + 7 * middle as usize + 31 * last as usize + 131 * word.len()) % SLOTS
    }

    /// Returns the value of a word.
    pub(in crate::text) fn get(&self, word: &str) -> Option<V> {
        let mut slot = Self::slot(word);
        loop {
            match self.0.get(slot) {
                Some(("", _)) | None => return None,
                Some((other, value)) if *other == word => return Some(*value),
                Some(_) => slot = (slot + 1) % SLOTS,
            }
        }
    }
}

/// Defines a [`WordMap`] of the names of codes.
macro_rules! code_map {
    ($map:ident: $code:ident, $slots:literal) => {
        static $map: $crate::text::words::WordMap<$code, $slots> = {
            let mut entries = [("", $code::NAMED[0]); $code::NAMED.len()];
            let mut i = 0;
            while i < entries.len() {
                if let Some(name) = $code::NAMED[i].name() {
                    entries[i] = (name, $code::NAMED[i]);
                }
                i += 1;
            }
            $crate::text::words::WordMap::new(&entries)
        };
    };
}

pub(in crate::text) use code_map;
