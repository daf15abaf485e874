//! Lists of short words, laid out so that one of them is printed fast.

/// Words of at most eight bytes, each with its length: to copy eight bytes and take some back is
/// less work than to copy as many as there are.
pub(super) struct Words<const COUNT: usize>([([u8; 8], u8); COUNT]);

impl<const COUNT: usize> Words<COUNT> {
    /// Longer words do not compile, in a constant.
    pub(super) const fn new(words: [&str; COUNT]) -> Self {
        let mut padded = [([b' '; 8], 0); COUNT];
        let mut i = 0;
        while i < COUNT {
            let word = words[i].as_bytes();
            let mut at = 0;
            while at < word.len() {
                padded[i].0[at] = word[at];
                at += 1;
            }
            padded[i].1 = word.len() as u8;
            i += 1;
        }
        Words(padded)
    }

    /// The word of an index and what stands behind it, and how much of that is the word; an empty
    /// one where there is none.
    #[inline]
    pub(super) fn get(&self, index: usize) -> (&[u8; 8], usize) {
        self.0.get(index).map_or((b"        ", 0), |(word, len)| (word, (*len).into()))
    }
}
