//! Types of Triton and PyTorch.

use tree_sitter::Node;

use crate::ty::{Element, Type};

/// Returns whether an expression is a list or a tuple.
pub(super) fn is_list(node: Node<'_>) -> bool {
    matches!(node.kind(), "list" | "tuple")
}

/// Returns a type such as `tl.float32`, as Triton converts it for LLVM.
pub(super) fn of(text: &str) -> Option<Type> {
    let name = text.rsplit('.').next().unwrap_or(text).trim_matches(['"', '\'']);
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let (kind, size) = name.split_at(digits);
    let element = match (kind, size) {
        ("int" | "uint", "1") => Element::I1,
        ("int" | "uint", "8") => Element::I8,
        ("int" | "uint", "16") => Element::I16,
        ("int" | "uint", "32") => Element::I32,
        ("int" | "uint", "64") => Element::I64,
        ("float", "16") => Element::Half,
        ("bfloat", "16") => Element::BFloat,
        ("float", "32") => Element::Float,
        ("float", "64") => Element::Double,
        ("float", size) if size.starts_with('8') => Element::I8,
        _ => return None,
    };
    Some(Type::scalar(element))
}
