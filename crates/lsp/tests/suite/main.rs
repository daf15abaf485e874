//! Tests of the language server through its protocol.

mod client;
mod completion;
mod diagnostics;
mod edits;
mod formatting;
mod grammars;
mod hover;
mod inline;
mod protocol;
mod renaming;
mod requests;
mod symbols;
mod syntax_trees;
mod tokens;
mod transport;

#[path = "../../../../fuzz/bodies/language_server.rs"]
mod fuzz;
