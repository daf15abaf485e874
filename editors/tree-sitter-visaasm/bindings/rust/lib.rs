//! The text of GEN vISA, `.visaasm`, for [tree-sitter](https://tree-sitter.github.io).

use tree_sitter_language::LanguageFn;

/// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

unsafe extern "C" {
    fn tree_sitter_visaasm() -> *const ();
}

/// The language.
// SAFETY: tree-sitter has generated the function.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_visaasm) };

/// The kinds of nodes with their fields and children, as JSON.
pub const NODE_TYPES: &str = include_str!("../../src/node-types.json");

/// The query for highlighting.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");

/// The query for the scopes of names.
pub const LOCALS_QUERY: &str = include_str!("../../queries/locals.scm");
