//! Types and declarations of C.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::lexer::Token;
use crate::ty::{AddressSpace, Element, Type};

/// A type of C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CType {
    Value(Type),
    /// A pointer, and the type that it points to if that is known.
    Pointer(AddressSpace, Option<Box<CType>>),
    Array(Box<CType>),
}

impl CType {
    pub(super) fn scalar(element: Element) -> CType {
        CType::Value(Type::scalar(element))
    }

    /// Returns the type of an operand.
    pub(super) fn operand(&self) -> Option<Type> {
        match self {
            CType::Value(ty) => Some(*ty),
            CType::Pointer(space, _) => Some(Type::scalar(Element::Pointer(*space))),
            CType::Array(_) => None,
        }
    }

    /// Returns the type of an element of a pointer or an array.
    pub(super) fn pointee(self) -> Option<CType> {
        match self {
            CType::Pointer(_, pointee) => pointee.map(|pointee| *pointee),
            CType::Array(element) => Some(*element),
            CType::Value(_) => None,
        }
    }

    pub(super) fn with_components(self, attribute: &Attribute) -> Option<CType> {
        let CType::Value(Type { element, components: 1 }) = self else { return None };
        let components = match *attribute {
            Attribute::Components(count) => count,
            Attribute::Bytes(bytes) => bytes / element.size(),
        };
        (components > 0).then_some(CType::Value(Type { element, components }))
    }
}

/// An attribute that makes a type a vector.
pub(super) enum Attribute {
    /// `ext_vector_type(N)`.
    Components(u32),
    /// `vector_size(BYTES)`.
    Bytes(u32),
}

/// Names and their declarations. A name with contradictory declarations is unknown.
#[derive(Clone, Debug)]
pub(super) struct Names<T>(BTreeMap<Vec<u8>, Option<T>>);

impl<T> Default for Names<T> {
    fn default() -> Names<T> {
        Names(BTreeMap::new())
    }
}

impl<T: PartialEq> Names<T> {
    pub(super) fn add(&mut self, name: &[u8], declaration: Option<T>) {
        match self.0.get_mut(name) {
            Some(known) if *known == declaration => {}
            Some(known) => *known = None,
            None => {
                self.0.insert(name.to_vec(), declaration);
            }
        }
    }

    /// Returns the declaration of a name: `Some(None)` if it is unknown, and `None` if there is
    /// none.
    pub(super) fn get(&self, name: &[u8]) -> Option<Option<&T>> {
        self.0.get(name).map(Option::as_ref)
    }
}

/// The declarations at a place of the file.
#[derive(Default)]
pub(super) struct Declarations {
    pub(super) typedefs: Names<CType>,
    /// Alias templates. One that is declared twice is `None`.
    pub(super) aliases: BTreeMap<Vec<u8>, Option<Alias>>,
    /// Constants of enumerations.
    pub(super) constants: Names<i64>,
    /// The variables of each enclosing function or lambda, the outer ones first.
    pub(super) functions: Vec<Names<CType>>,
    /// Whether a declaration was skipped, so that no type is certain.
    pub(super) is_incomplete: bool,
}

impl Declarations {
    /// Returns the constant of an enumeration, unless a variable has the name.
    pub(super) fn constant(&self, name: &[u8]) -> Option<i64> {
        let is_variable = self.functions.iter().any(|names| names.get(name).is_some());
        let constant = self.constants.get(name).flatten().filter(|_| !is_variable);
        constant.copied()
    }

    pub(super) fn variable(&self, name: &[u8]) -> Option<CType> {
        if self.is_incomplete {
            return None;
        }
        let mut found = self.functions.iter().filter_map(|names| names.get(name));
        let first = found.next()??;
        found.all(|other| other == Some(first)).then(|| first.clone())
    }
}

/// An alias template: `template <class T> using NAME = ..`.
#[derive(Clone)]
pub(super) struct Alias {
    pub(super) parameters: Vec<Vec<u8>>,
    /// The type.
    pub(super) tokens: Vec<Token>,
}

/// The names of a declaration and their types.
#[derive(Default)]
pub(super) struct Declared {
    pub(super) names: Vec<(Vec<u8>, Option<CType>)>,
    pub(super) is_typedef: bool,
}
