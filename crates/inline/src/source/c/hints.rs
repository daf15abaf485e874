//! Hints: comments that state types and lanes, such as `// genvisa: %0=float8, lanes=16`.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::Finder;
use crate::source::Block;
use crate::source::cpp::lexer::HINT;
use crate::statement::{Lanes, Statement};
use crate::ty::Type;

/// The maximum number of bytes between a hint and a line.
const MAX_GAP: usize = 4096;

/// The maximum number of items of a hint.
const MAX_ITEMS: usize = 128;

/// An item of a hint.
#[derive(Clone, Debug)]
enum Item {
    Lanes(Lanes),
    Number(usize, Type),
    Name(String, Type),
}

/// A comment with facts about a statement.
#[derive(Debug)]
pub(super) struct Hint {
    /// The bytes of the comment.
    pub(super) span: Range<usize>,
    items: Vec<(Range<usize>, Item)>,
    /// Whether a statement is next to it.
    pub(super) is_used: bool,
}

/// Bytes of a hint, and the problem with them.
pub(super) type HintError = (Range<usize>, String);

/// Reads a comment.
pub(super) fn parse(source: &[u8], span: Range<usize>, errors: &mut Vec<HintError>) -> Hint {
    let mut hint = Hint { span: span.clone(), items: Vec::new(), is_used: false };
    let comment = &source[span.clone()];
    let first_error = errors.len();
    let Some(mark) = comment.windows(HINT.len()).position(|bytes| bytes == HINT) else {
        return hint;
    };
    let first = mark + HINT.len();
    let is_block = comment.starts_with(b"/*") && comment.ends_with(b"*/");
    let last = if is_block { (comment.len() - 2).max(first) } else { comment.len() };
    let mut start = span.start + first;
    for piece in comment[first..last].split(|&byte| byte == b',' || byte == b'\n') {
        let blanks = piece.iter().take_while(is_blank).count();
        let trimmed = &piece[blanks..];
        let trailing = trimmed.iter().rev().take_while(is_blank).count();
        let trimmed = &trimmed[..trimmed.len() - trailing];
        let place = start + blanks..start + blanks + trimmed.len();
        start += piece.len() + 1;
        if trimmed.is_empty() {
            continue;
        }
        if hint.items.len() == MAX_ITEMS {
            errors.push((place, "too many items".to_owned()));
            break;
        }
        match item(&String::from_utf8_lossy(trimmed)) {
            Ok(item) => hint.items.push((place, item)),
            Err(message) => errors.push((place, message)),
        }
    }
    if hint.items.is_empty() && errors.len() == first_error {
        errors.push((span, "expected an item such as `%0=float8` or `lanes=16`".to_owned()));
    }
    hint
}

fn is_blank(byte: &&u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'*' | b'\\')
}

fn item(text: &str) -> Result<Item, String> {
    let expected = || format!("expected `%0=TYPE`, `%[name]=TYPE` or `lanes=N`, found `{text}`");
    let (key, value) = text.split_once('=').ok_or_else(expected)?;
    let (key, value) = (key.trim(), value.trim());
    if key == "lanes" {
        let lanes = value.parse();
        return lanes
            .map(Item::Lanes)
            .map_err(|_| format!("expected 8, 16 or 32 lanes, found `{value}`"));
    }
    let operand = key.strip_prefix('%').ok_or_else(expected)?;
    let ty = value.parse::<Type>().map_err(|_| match value.contains('=') {
        true => format!("expected a comma between items, found `{value}`"),
        false => format!("unknown type `{value}`"),
    })?;
    match operand.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(name) => Ok(Item::Name(name.trim().to_owned(), ty)),
        None => operand.parse().map(|number| Item::Number(number, ty)).map_err(|_| expected()),
    }
}

impl Hint {
    /// Sets the types and the number of lanes that the hint states.
    pub(super) fn apply(
        &mut self,
        statement: &mut Statement,
        lanes: &mut Option<Lanes>,
        errors: &mut Vec<HintError>,
    ) {
        let is_first = !self.is_used;
        self.is_used = true;
        for (place, item) in &self.items {
            let (operand, ty) = match item {
                Item::Lanes(count) => {
                    *lanes = Some(*count);
                    continue;
                }
                Item::Number(number, ty) => (statement.operands.get_mut(*number), ty),
                Item::Name(name, ty) => {
                    let named =
                        |name: &String, other: &Option<String>| other.as_ref() == Some(name);
                    let mut operands = statement.operands.iter_mut();
                    (operands.find(|operand| named(name, &operand.name)), ty)
                }
            };
            match operand {
                Some(operand) => operand.ty = Some(*ty),
                None if is_first => {
                    errors.push((place.clone(), "the block has no such operand".to_owned()));
                }
                None => {}
            }
        }
    }
}

impl Finder<'_> {
    /// Applies the hints before a block or on its lines.
    pub(super) fn apply_hints(&mut self, block: &mut Block, statement: &mut Statement) {
        if self.hints.is_empty() {
            return;
        }
        for range in [Some(&block.span), block.expansion.as_ref()].into_iter().flatten() {
            let first = self.lines.partition_point(|&line| line <= range.start);
            let first = self.lines[first.saturating_sub(1)];
            let last = self.lines.partition_point(|&line| line < range.end.max(range.start + 1));
            let last = self.lines.get(last).copied().unwrap_or(self.source.len());
            let mut next = self.hints.partition_point(|hint| hint.span.start < first);
            // Several comments may precede the line.
            let mut before = next;
            let mut at = first;
            while let Some(hint) = before.checked_sub(1).and_then(|index| self.hints.get(index)) {
                let gap = self.source.get(hint.span.end..at).unwrap_or_default();
                let line = self.lines.partition_point(|&line| line <= hint.span.start);
                let line = self.lines[line.saturating_sub(1)];
                let lead = self.source.get(line..hint.span.start).unwrap_or_default();
                if !is_blank_text(gap) || !is_blank_text(lead) {
                    break;
                }
                at = hint.span.start;
                before -= 1;
            }
            while next < self.hints.len() && self.hints[next].span.start < last {
                next += 1;
            }
            for hint in &mut self.hints[before..next] {
                // Each statement of a line has all hints of the line.
                if !self.expander.spend(hint.items.len() + 1) {
                    return;
                }
                // A hint is only written for vISA.
                block.is_undecided = false;
                hint.apply(statement, &mut block.lanes, &mut self.hint_errors);
            }
        }
    }
}

/// Returns whether a text consists of blanks, and is short enough to be searched.
fn is_blank_text(text: &[u8]) -> bool {
    text.len() <= MAX_GAP && text.iter().all(u8::is_ascii_whitespace)
}

/// Returns the offsets of the lines of a file.
pub(super) fn line_starts(source: &[u8]) -> Vec<usize> {
    let ends = source.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    core::iter::once(0).chain(ends.map(|(end, _)| end + 1)).collect()
}
