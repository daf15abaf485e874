//! The constraint strings of LLVM IR and SPIR-V.

use alloc::string::String;

use crate::operand::Operand;
use crate::ty::Type;

/// Returns bytes as text. Bytes that are not UTF-8 are replaced.
pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the operand of a constraint.
pub(super) fn operand(constraint: &[u8], ty: Option<Type>, value: Option<u64>) -> Operand {
    let is_output = constraint.starts_with(b"=");
    Operand { constraint: text(constraint), is_output, ty, value, ..Operand::default() }
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
