//! A round trip as the body of a fuzz target: what can be decoded is encoded to the same bytes.
//!
//! `cargo run --example roundtrip FILE`

use genvisa::{Dialect, Format, Instruction, Module};

/// Panics if data that can be decoded changes when it is encoded again.
pub fn round_trip(data: &[u8]) {
    let format = Format::default();
    if let Ok(instruction) = Instruction::from_bytes(data, format) {
        assert_eq!(instruction.to_bytes(format).as_deref(), Ok(data));
    }
    if let Ok(module) = Module::from_bytes(data, Dialect::Igc2022) {
        assert_eq!(module.to_bytes().as_deref(), Ok(data));
    }
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).unwrap_or("tests/data/tour.isa".into());
    round_trip(&std::fs::read(path)?);
    Ok(())
}
