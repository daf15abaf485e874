//! A language server for GEN vISA text and inline assembly.
//!
//! The server parses each document with [`genvisa::text::assemble_recorded`], and inline assembly with
//! [`genvisa_inline::source`]. What it knows about the language is what the recordings contain.
//!
//! [`serve`] answers a client until it closes the connection.

#![forbid(unsafe_code)]

mod document;
mod features;
mod languages;
mod position;
mod program;
mod server;
mod settings;

pub use features::semantic_tokens;
pub use position::{Encoding, Lines};
pub use server::{Server, serve};
pub use settings::Settings;
