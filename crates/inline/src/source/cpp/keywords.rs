//! The keywords of inline assembly.

/// The words that begin a statement.
pub(in crate::source) const KEYWORDS: [&[u8]; 3] = [b"asm", b"__asm", b"__asm__"];

/// Returns whether a word begins a statement.
pub(in crate::source) fn is_keyword(word: &[u8]) -> bool {
    KEYWORDS.contains(&word)
}

/// Returns whether a word may be the longer one of two that `##` makes a keyword of.
pub(in crate::source) fn is_part_of_keyword(word: &[u8]) -> bool {
    let is_part = |keyword: &&[u8]| keyword.starts_with(word) || keyword.ends_with(word);
    word.len() > 1 && KEYWORDS.iter().any(is_part)
}
