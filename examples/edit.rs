//! Changes a line in the text of a `.isa` file, and assembles the text to a file again.
//!
//! `cargo run --example edit OUT.isa`

use genvisa::text::{self, FileListing};
use genvisa::{Dialect, Module};

/// Returns the file after replacing `from` with `to` in its text.
///
/// Text does not contain GEN binaries (machine code), so they are copied from the file.
pub fn edit(file: &[u8], from: &str, to: &str) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let module = Module::from_bytes(file, Dialect::Igc2022)?;
    let mut text = String::new();
    FileListing::new(&module).write_to(&mut text)?;
    let edited = text::parse(text.replace(from, to), module.format)?;
    Ok(edited.with_gen_binaries_of(&module).to_bytes()?)
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: edit OUT.isa")?;
    let file = std::fs::read("tests/data/tour.isa")?;
    let from = "mov (M1, 8) level(0,0)<1> 0x0:ud";
    let to = "mov (M1, 8) level(0,0)<1> 0x2:ud";
    Ok(std::fs::write(path, edit(&file, from, to)?)?)
}
