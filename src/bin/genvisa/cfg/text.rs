//! The texts of instructions.

use genvisa::isa::Instruction;
use genvisa::object::Routine;
use genvisa::text::Listing;

use crate::printable;

/// Begins the text of an instruction. It is a control character, which names rarely contain.
const MARK: char = '\u{1}';

/// Returns the first line of each instruction as `dis` prints it. If names contain control
/// characters, ids are printed instead of names.
pub fn instructions(routine: Routine<'_, '_>, instructions: &[Instruction]) -> Vec<String> {
    let mut text = String::new();
    let listing = Listing::new(routine).with_numbers(false);
    // All instructions have been decoded, and writing to a string never fails.
    let _ = listing.write_with_margin_to(&mut text, |_, margin| margin.push(MARK));
    let lines: Vec<String> = text.split(MARK).skip(1).map(first_line).collect();
    if lines.len() == instructions.len() {
        return lines;
    }
    instructions.iter().map(|instruction| first_line(&instruction.to_string())).collect()
}

fn first_line(text: &str) -> String {
    printable(text.trim_start().lines().next().unwrap_or_default().trim_end())
}
