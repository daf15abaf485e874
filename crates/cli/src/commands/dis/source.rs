//! Comments with the source lines of instructions.

use genvisa::analysis::SourceLine;
use genvisa::isa::Instruction;
use genvisa::object::Routine;

use crate::source_files::{SourceFiles, file_of, place};

/// The comments of a routine.
pub struct SourceComments(Vec<Option<String>>);

impl SourceComments {
    /// Returns a comment for each instruction at which the line changes.
    pub fn new(
        instructions: &[Instruction],
        routine: &Routine<'_, '_>,
        sources: &SourceFiles,
    ) -> SourceComments {
        let mut last = None;
        let lines = SourceLine::of_instructions(instructions);
        let comments = lines.into_iter().zip(instructions).map(|(line, instruction)| {
            // The line changes at the LOC that follows.
            if line == last || matches!(instruction, Instruction::File(_)) {
                return None;
            }
            last = line;
            let Some(line) = line else { return Some("// no line\n".into()) };
            let file = file_of(line, routine.body);
            let text = file.as_ref().and_then(|file| sources.text(file, line.line));
            let text = text.map_or(String::new(), |text| format!(": {text}"));
            // The blank keeps names from being comments with a meaning, such as the platform.
            Some(format!("// {}{text}\n", place(file.as_deref(), line.line)))
        });
        SourceComments(comments.collect())
    }

    /// Appends the comment before an instruction, in a line of its own.
    pub fn print(&self, instruction: usize, text: &mut String) {
        *text += self.0.get(instruction).and_then(Option::as_deref).unwrap_or_default();
    }
}
