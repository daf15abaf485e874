//! The constraint strings of LLVM IR and SPIR-V.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::inline::statement::Operand;
use crate::inline::ty::Type;

/// The constraints of a statement.
#[derive(Debug, Default)]
pub(super) struct Constraints {
    /// The constraints of operands, as bytes of the string: outputs, then inputs.
    pub operands: Vec<Range<usize>>,
    /// The clobbers, as bytes of the string, without `~{` and `}`.
    pub clobbers: Vec<Range<usize>>,
}

/// Splits a constraint string such as `=rw,rw,P,~{memory}`.
pub(super) fn split(string: &[u8]) -> Constraints {
    let mut constraints = Constraints::default();
    if string.is_empty() {
        return constraints;
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
                    constraints.clobbers.push(start + 2..at - 1);
                } else if bytes.starts_with(b"~") {
                    constraints.clobbers.push(start + 1..at);
                } else {
                    constraints.operands.push(item);
                }
                start = at + 1;
            }
            Some(_) => {}
        }
    }
    constraints
}

/// Returns bytes as text. Bytes that are not UTF-8 are replaced.
pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the operand of a constraint.
pub(super) fn operand(constraint: &[u8], ty: Option<Type>, value: Option<u64>) -> Operand {
    let is_output = constraint.starts_with(b"=");
    Operand { constraint: text(constraint), is_output, name: None, ty, value }
}

/// How a constraint relates to the result and the arguments of the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A member of the result.
    Result,
    /// An argument.
    Argument,
    /// A destination of a `callbr`, which is neither.
    Label,
}

/// Returns the role of a constraint.
pub(super) fn role(constraint: &[u8]) -> Role {
    match constraint {
        // An indirect output is a pointer in the arguments.
        [b'=', rest @ ..] if !rest.contains(&b'*') => Role::Result,
        [b'!', ..] => Role::Label,
        _ => Role::Argument,
    }
}
