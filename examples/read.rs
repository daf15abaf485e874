//! Reads a `.isa` file and prints its routines and instructions.
//!
//! `cargo run --example read FILE.isa`

use std::io::{self, Write};

use genvisa::{Dialect, Module};

/// Prints the routines of a file with their instructions and offsets.
pub fn print(file: &[u8], out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let module = Module::from_bytes(file, Dialect::Igc2022)?;
    for routine in module.routines() {
        writeln!(out, "{} {}", routine.kind, routine.name)?;
        for item in routine.instructions() {
            let (offset, instruction) = item?;
            writeln!(out, "{offset:#08x}  {instruction}")?;
        }
    }
    Ok(())
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).unwrap_or("tests/data/tour.isa".into());
    print(&std::fs::read(path)?, &mut io::stdout().lock())
}
