//! Constraint strings of LLVM IR and SPIR-V.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::operand::Operand;

/// The constraints of a statement, in the form of LLVM IR.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constraints {
    /// The operands, without types.
    pub operands: Vec<Operand>,
    /// The clobbers, without `~{` and `}`.
    pub clobbers: Vec<String>,
}

/// Parses the constraints of LLVM IR or SPIR-V, such as `=rw,rw,P,~{memory}`.
///
/// Parsing cannot fail: the checker reports constraints that the compiler refuses.
///
/// ```
/// use genvisa_inline::parse_constraints;
///
/// let constraints = parse_constraints("=rw,rw,P,~{memory}");
/// assert_eq!(constraints.operands.len(), 3);
/// assert!(constraints.operands[0].is_output);
/// assert_eq!(constraints.clobbers, ["memory"]);
/// ```
pub fn parse_constraints(text: &str) -> Constraints {
    let parts = split(text.as_bytes());
    let operand = |span: Range<usize>| {
        let constraint = &text[span];
        match constraint.starts_with('=') {
            true => Operand::output(constraint),
            false => Operand::input(constraint),
        }
    };
    Constraints {
        operands: parts.operands.into_iter().map(operand).collect(),
        clobbers: parts.clobbers.into_iter().map(|span| text[span].to_owned()).collect(),
    }
}

/// The parts of a constraint string.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// The constraints of operands, as bytes of the string: outputs, then inputs.
    pub(super) operands: Vec<Range<usize>>,
    /// The clobbers, as bytes of the string, without `~{` and `}`.
    pub(super) clobbers: Vec<Range<usize>>,
}

/// Splits a constraint string such as `=rw,rw,P,~{memory}`.
pub(super) fn split(string: &[u8]) -> Parts {
    let mut parts = Parts::default();
    if string.is_empty() {
        return parts;
    }
    let last_brace = string.iter().rposition(|byte| *byte == b'}');
    let mut start = 0;
    let mut in_braces = false;
    for at in 0..=string.len() {
        match string.get(at) {
            // A brace that is not closed does not protect commas.
            Some(b'{') => in_braces = last_brace.is_some_and(|last| last > at),
            Some(b'}') => in_braces = false,
            Some(b',') if in_braces => {}
            Some(b',') | None => {
                let item = start..at;
                let bytes = &string[item.clone()];
                if bytes.starts_with(b"~{") && bytes.ends_with(b"}") {
                    parts.clobbers.push(start + 2..at - 1);
                } else if bytes.starts_with(b"~") {
                    parts.clobbers.push(start + 1..at);
                } else {
                    parts.operands.push(item);
                }
                start = at + 1;
            }
            Some(_) => {}
        }
    }
    parts
}
