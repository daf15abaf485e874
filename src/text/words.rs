//! Lists of short words in a layout that is fast to print.

/// A list of words of at most eight bytes, each padded and with its length.
///
/// Copying eight bytes and truncating is faster than copying a variable number of bytes.
pub(super) struct Words<const COUNT: usize>([([u8; 8], u8); COUNT]);

impl<const COUNT: usize> Words<COUNT> {
    /// Creates a list. Longer words are a compile error in a constant.
    pub(super) const fn new(words: [&str; COUNT]) -> Self {
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
    pub(super) fn get(&self, index: usize) -> (&[u8; 8], usize) {
        self.0.get(index).map_or((b"        ", 0), |(word, len)| (word, (*len).into()))
    }
}
