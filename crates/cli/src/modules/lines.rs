//! The texts of instructions.

use std::fmt;

use genvisa::isa::Instruction;
use genvisa::object::Routine;
use genvisa::text::Listing;

use crate::words::printable;

/// Begins the text of an instruction. It is a control character, which names rarely contain.
const MARK: char = '\u{1}';

/// Returns the first line of each instruction as `dis` prints it. If names contain control
/// characters, ids are printed instead of names.
pub fn instructions(routine: Routine<'_, '_>, instructions: &[Instruction]) -> Vec<String> {
    let lines = lines(routine, usize::MAX).filter(|lines| lines.len() == instructions.len());
    let from_ids = || instructions.iter().map(with_ids).collect();
    lines.unwrap_or_else(from_ids)
}

/// Returns the first line of an instruction, with ids for names.
pub fn with_ids(instruction: &Instruction) -> String {
    printable(instruction.to_string().trim_start().lines().next().unwrap_or_default().trim_end())
}

/// Returns the first line of each instruction up to the first error, as `dis` prints it. A line has
/// at most `max` characters, and control characters are escaped. Returns `None` if the lines cannot
/// be told apart, because names contain control characters.
pub fn lines(routine: Routine<'_, '_>, max: usize) -> Option<Vec<String>> {
    let mut count = 0;
    let mut lines = FirstLines { lines: Vec::new(), state: State::Rest, room: 0, max };
    // An error in the code ends the text, and this writer never fails.
    let _ =
        Listing::new(routine).with_numbers(false).write_with_margin_to(&mut lines, |_, margin| {
            count += 1;
            margin.push(MARK);
        });
    let lines = lines.lines;
    (lines.len() == count).then(|| lines.iter().map(|line| printable(line.trim_end())).collect())
}

/// Keeps the beginning of the first line after each mark.
struct FirstLines {
    lines: Vec<String>,
    state: State,
    /// The number of characters that still fit into the last line.
    room: usize,
    max: usize,
}

enum State {
    /// In the whitespace before the line.
    Start,
    Line,
    /// After the line.
    Rest,
}

impl fmt::Write for FirstLines {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            match (c, &self.state) {
                (MARK, _) => {
                    self.lines.push(String::new());
                    (self.state, self.room) = (State::Start, self.max);
                }
                (_, State::Rest) => {}
                ('\n', State::Line) => self.state = State::Rest,
                (c, State::Start) if c.is_whitespace() => {}
                _ => {
                    self.state = State::Line;
                    if let (Some(line), Some(room)) =
                        (self.lines.last_mut(), self.room.checked_sub(1))
                    {
                        line.push(c);
                        self.room = room;
                    }
                }
            }
        }
        Ok(())
    }
}
