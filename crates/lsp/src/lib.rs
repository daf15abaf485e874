//! A language server for GEN vISA text and inline assembly.
//!
//! The server parses each document with [`genvisa::text::Recorded`], and inline assembly with
//! [`genvisa_inline::source`]. What it knows about the language is what the recordings contain.
//!
//! [`serve_streams`] answers a client on streams of bytes, and [`serve`] on a connection in memory.

#![forbid(unsafe_code)]

mod document;
mod features;
mod languages;
mod position;
mod program;
mod server;
mod settings;
mod transport;

pub use features::semantic_tokens;
pub use position::{Encoding, Lines};
pub use server::{Server, serve};
pub use settings::Settings;
pub use transport::serve_streams;
