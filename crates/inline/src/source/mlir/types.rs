//! Types of MLIR and of its LLVM dialect.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::source::call::Argument;
use crate::source::llvm::constant;
use crate::source::tokens::{Kind, Lexer, Syntax};
use crate::ty::{AddressSpace, Element, Type};

/// Skips a type and returns its bytes. Returns `None` if the next token does not begin a type.
pub(super) fn skip(lexer: &mut Lexer<'_>) -> Option<Range<usize>> {
    let start = lexer.peek()?;
    match start.kind {
        Kind::Word | Kind::Exclamation => {
            lexer.next();
            if lexer.is_at(b'<') {
                skip_brackets(lexer);
            }
        }
        Kind::Punctuation(b'(') => {
            skip_brackets(lexer);
            // The type of a function.
            if lexer.skip_kind(Kind::Arrow).is_some() {
                if lexer.is_at(b'(') {
                    skip_brackets(lexer);
                } else if matches!(lexer.peek()?.kind, Kind::Word | Kind::Exclamation) {
                    skip(lexer)?;
                }
            }
        }
        _ => return None,
    }
    Some(start.span.start..lexer.position)
}

/// Skips from an opening bracket to the bracket that closes it.
pub(super) fn skip_brackets(lexer: &mut Lexer<'_>) {
    let mut depth = 0usize;
    while let Some(token) = lexer.peek() {
        match token.kind {
            Kind::Punctuation(b'(' | b'[' | b'{' | b'<') => depth += 1,
            Kind::Punctuation(b')' | b']' | b'}' | b'>') => depth = depth.saturating_sub(1),
            // The brackets are not closed.
            Kind::OpenString | Kind::Value => return,
            Kind::Word if super::is_asm(lexer.bytes(&token)) => return,
            _ => {}
        }
        lexer.next();
        if depth == 0 {
            return;
        }
    }
}

/// The aliases of types of a file: `!pair = !llvm.struct<(i32, f32)>`.
#[derive(Default)]
pub(super) struct Aliases<'s>(BTreeMap<&'s [u8], &'s [u8]>);

impl<'s> Aliases<'s> {
    pub fn insert(&mut self, name: &'s [u8], ty: &'s [u8]) {
        self.0.insert(name, ty);
    }

    fn resolve(&self, ty: &'s [u8]) -> &'s str {
        let ty = self.0.get(ty).copied().unwrap_or(ty);
        let ty = core::str::from_utf8(ty).unwrap_or_default().trim();
        // Types within a type of the LLVM dialect have no prefix.
        ty.strip_prefix("!llvm.").unwrap_or(ty)
    }

    /// Returns the type of an operand. Structures and arrays are unknown.
    pub fn operand(&self, ty: &'s [u8]) -> Option<Type> {
        let ty = self.resolve(ty);
        let vector = ty.strip_prefix("vector<").or_else(|| ty.strip_prefix("vec<"));
        let Some(vector) = vector else { return Type::from_llvm(&llvm_name(ty)?) };
        let (count, element) = vector.strip_suffix('>')?.split_once('x')?;
        let element = llvm_name(self.resolve(element.trim().as_bytes()))?;
        Type::from_llvm(&format!("<{} x {element}>", count.trim()))
    }

    /// Returns the type of the elements of a tensor, as Triton converts it for LLVM, or of a scalar.
    pub fn element(&self, ty: &'s [u8]) -> Option<Type> {
        let resolved = self.resolve(ty);
        let Some(tensor) = resolved.strip_prefix("tensor<") else {
            return self.converted(resolved);
        };
        let mut element = tensor.strip_suffix('>')?;
        let is_dimension =
            |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'?');
        while let Some((_, rest)) = element.split_once('x').filter(|(size, _)| is_dimension(size)) {
            element = rest;
        }
        // The encoding follows.
        let end = element.find([',', '<']).unwrap_or(element.len());
        self.converted(&element[..end])
    }

    fn converted(&self, scalar: &str) -> Option<Type> {
        if scalar.starts_with("f8") {
            return Some(Type::scalar(Element::I8));
        }
        if scalar.starts_with("!tt.ptr") {
            return Some(Type::scalar(Element::Pointer(AddressSpace::Global)));
        }
        Type::from_llvm(&llvm_name(scalar)?)
    }

    /// Returns the types of the outputs of an operation whose result has this type.
    pub fn members(&self, ty: &'s [u8], count: usize) -> Vec<Option<Type>> {
        let structure = self.resolve(ty).strip_prefix("struct<");
        let Some(structure) = structure.filter(|_| count > 1) else {
            return vec![self.operand(ty)];
        };
        let mut lexer = Lexer::new(structure.as_bytes(), Syntax::Mlir);
        // Its name and `packed` precede the members.
        while lexer.peek().is_some_and(|token| token.kind != Kind::Punctuation(b'(')) {
            lexer.next();
        }
        lexer.next();
        let mut types = Vec::new();
        while types.len() < count {
            let Some(span) = skip(&mut lexer) else { break };
            types.push(self.operand(&structure.as_bytes()[span]));
            if !lexer.skip_punctuation(b',') {
                break;
            }
        }
        types
    }

    /// Returns the type and the value of a constant.
    pub fn constant(&self, ty: &'s [u8], literal: &str) -> Argument {
        let ty = self.operand(ty);
        let value = ty.and_then(|ty| match literal.strip_prefix("0x") {
            // Of floating-point numbers, too, these are the bits.
            Some(digits) if ty.components == 1 => constant::hex(digits, 8 * ty.element.size()),
            Some(_) => None,
            None => constant::bits(&ty, literal),
        });
        Argument { ty, value, ..Argument::default() }
    }
}

/// Returns the name of a scalar type in LLVM IR.
fn llvm_name(ty: &str) -> Option<Cow<'_, str>> {
    Some(match ty {
        "f16" => "half".into(),
        "bf16" => "bfloat".into(),
        "f32" => "float".into(),
        "f64" => "double".into(),
        "ptr" => "ptr".into(),
        _ if ty.starts_with('i') => ty.into(),
        _ => {
            // The address space, possibly after the type that it points to.
            let pointer = ty.strip_prefix("ptr<")?.strip_suffix('>')?;
            let space = pointer.rsplit(',').next().unwrap_or_default().trim();
            match space.bytes().all(|byte| byte.is_ascii_digit()) {
                true => format!("ptr addrspace({space})").into(),
                false => "ptr".into(),
            }
        }
    })
}
