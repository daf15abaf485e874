//! The statements that a text of the compiler contains.

use alloc::vec::Vec;
use core::ops::Range;

use memchr::{memchr_iter, memmem};

use super::assumption::Assumption;
use super::constraint;
use super::statement::Statement;
use super::substitutes::Substitutes;
use super::template::expand;

/// The lines that the compiler of OpenCL C and SYCL writes before and after each statement.
const BEFORE: &[u8] = b"/// Inlined ASM\n";
const AFTER: &[u8] = b"/// End Inlined ASM";

/// Returns the bytes of the inline assembly statement that contains an offset of a text which the compiler
/// of OpenCL C and SYCL writes to its dumps (`X.inline.visaasm`), if one does.
pub fn inlined_at(text: &[u8], offset: usize) -> Option<Range<usize>> {
    let start = memmem::rfind(text.get(..offset)?, BEFORE)? + BEFORE.len();
    let end = start + memmem::find(&text[start..], AFTER)?;
    (offset < end).then_some(start..end)
}

impl Statement {
    /// Returns the bytes of the template that each line of a text comes from, or `None` if the compiler cannot
    /// write the text for this statement.
    ///
    /// The text has the names of the compiler's variables in the places of operands. Any name is accepted,
    /// and anything in the places of parts that are not known.
    ///
    /// ```
    /// use genvisa_inline::Statement;
    ///
    /// let statement = Statement::llvm("{\nmov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\n}", "=rw,rw");
    /// let text = b"{\nmov (M1, 16) V0041(0,0)<1> V0039(0,0)<1;1,0>\n}\n";
    /// assert_eq!(statement.lines_of(text), Some(vec![0..1, 2..40, 41..42]));
    /// assert_eq!(statement.lines_of(b"mov (M1, 8) V0041(0,0)<1> V0039(0,0)<1;1,0>"), None);
    /// ```
    pub fn lines_of(&self, text: &[u8]) -> Option<Vec<Range<usize>>> {
        let path = constraint::path(self);
        let substitutes = Substitutes::of(self, &Default::default());
        let statement = self.with_tied_inputs();
        let operands = constraint::resolve(&statement, path, &mut Vec::new());
        let template = expand(&statement, path, &operands, &substitutes, &Assumption::default());
        let (of_text, of_template) = (lines(text), lines(&template.text));
        if of_text.len() != of_template.len() {
            return None;
        }
        let pairs = of_text.into_iter().zip(of_template);
        let origins = pairs.map(|(found, line)| {
            let mut literals = Vec::new();
            let mut start = line.start;
            for one in template.uses_in(&line) {
                literals.push(template.text.get(start..one.span.start)?);
                start = one.span.end;
            }
            literals.push(template.text.get(start..line.end)?);
            contains_in_order(&text[found], &literals).then(|| template.origin(line))
        });
        origins.collect()
    }
}

/// Returns the lines of a text without blanks around them, and without empty lines at the start and the end.
fn lines(text: &[u8]) -> Vec<Range<usize>> {
    let start = text.len() - text.trim_ascii_start().len();
    let end = start + text[start..].trim_ascii_end().len();
    let ends = memchr_iter(b'\n', &text[..end]).filter(|at| *at > start).chain([end]);
    let mut next = start;
    let lines = ends.map(|end| {
        let line = &text[next..end];
        let start = next + (line.len() - line.trim_ascii_start().len());
        next = end + 1;
        start..start + text[start..end].trim_ascii_end().len()
    });
    lines.collect()
}

/// Returns whether a line consists of literal parts with anything between them.
fn contains_in_order(line: &[u8], literals: &[&[u8]]) -> bool {
    let [first, others @ ..] = literals else { return line.is_empty() };
    let Some(mut rest) = line.strip_prefix(*first) else { return false };
    let [between @ .., last] = others else { return rest.is_empty() };
    for literal in between {
        let Some(at) = memmem::find(rest, literal) else { return false };
        rest = &rest[at + literal.len()..];
    }
    rest.ends_with(last)
}
