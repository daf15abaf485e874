//! The parts of an instruction in a text, for findings.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// Returns the mnemonic of an instruction, without suffixes.
pub(super) fn mnemonic(text: &[u8], instruction: &Range<usize>) -> String {
    let parts = parts(text, instruction);
    let part = parts.into_iter().find(|part| text[part.start] != b'(').unwrap_or_default();
    let len = text[part.clone()].iter().take_while(|byte| is_word(**byte)).count();
    String::from_utf8_lossy(&text[part.start..part.start + len]).into_owned()
}

/// Returns the bytes of a field of an instruction, such as `dst`. Returns `None` unless the field
/// is the predicate, the execution size, the destination, a source, or the address of a message.
pub(super) fn operand(
    text: &[u8],
    instruction: &Range<usize>,
    field: &str,
) -> Option<Range<usize>> {
    let parts = parts(text, instruction);
    let starts_with = |part: &Range<usize>, byte| text[part.start] == byte;
    let has_pred = starts_with(parts.first()?, b'(');
    let mnemonic = usize::from(has_pred);
    let exec = mnemonic + 1;
    let has_exec = parts.get(exec).is_some_and(|part| starts_with(part, b'('));
    let first = exec + usize::from(has_exec);
    let index = match field {
        "pred" if has_pred => 0,
        "exec" if has_exec => exec,
        "dst" => first,
        "addrs" | "address" => parts.iter().position(|part| {
            let part = &text[part.clone()];
            part.contains(&b'[') && part.first().is_some_and(|byte| is_word(*byte))
        })?,
        _ => {
            let number = field.strip_prefix("src")?.parse::<usize>().ok()?;
            first + 1 + number
        }
    };
    parts.get(index).cloned()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the parts of an instruction that blanks separate, except within parentheses and
/// brackets. Returns none for an instruction with comments or of several lines.
fn parts(text: &[u8], instruction: &Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let written = text.get(instruction.clone()).unwrap_or_default();
    if written.contains(&b'\n') || written.windows(2).any(|pair| pair == b"/*") {
        return parts;
    }
    let (mut depth, mut start) = (0_usize, instruction.start);
    for at in instruction.clone() {
        match text[at] {
            b'(' | b'[' | b'<' => depth += 1,
            b')' | b']' | b'>' => depth = depth.saturating_sub(1),
            b' ' | b'\t' if depth == 0 => {
                if start < at {
                    parts.push(start..at);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    if start < instruction.end {
        parts.push(start..instruction.end);
    }
    parts
}
