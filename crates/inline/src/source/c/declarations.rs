//! Types and declarations of C.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::source::cpp::lexer::Token;
use crate::ty::{AddressSpace, Element, Type};

/// A type of C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CType {
    Value(Type),
    /// A pointer, and the type that it points to if that is known.
    Pointer(AddressSpace, Option<Box<CType>>),
    Array(Box<CType>),
    /// An object of a class with a subscript, and the type of its elements.
    Elements(Box<CType>),
    /// A structure or class with template arguments.
    Record(Arc<Record>, Vec<Vec<Token>>),
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
            CType::Array(_) | CType::Elements(_) | CType::Record(..) => None,
        }
    }

    /// Returns the type of an element of a pointer or an array.
    pub(super) fn pointee(self) -> Option<CType> {
        match self {
            CType::Pointer(_, pointee) => pointee.map(|pointee| *pointee),
            CType::Array(element) | CType::Elements(element) => Some(*element),
            CType::Value(_) | CType::Record(..) => None,
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

/// What is known of the variables of a function: whether the last value that was assigned differs between
/// lanes. `None` if the name is declared several times.
#[derive(Clone, Debug, Default)]
pub(super) struct Varying(BTreeMap<Vec<u8>, Option<bool>>);

impl Varying {
    /// Adds the declaration of a variable.
    pub(super) fn declare(&mut self, name: &[u8]) {
        self.0.entry(name.to_vec()).and_modify(|known| *known = None).or_insert(Some(false));
    }

    /// Records an assignment.
    pub(super) fn assign(&mut self, name: &[u8], is_varying: bool) {
        if let Some(Some(known)) = self.0.get_mut(name) {
            *known = is_varying;
        }
    }

    /// Returns whether a variable certainly differs between lanes; `None` if it is not declared here.
    pub(super) fn get(&self, name: &[u8]) -> Option<bool> {
        self.0.get(name).map(|known| *known == Some(true))
    }
}

/// The variables of a function or lambda.
#[derive(Default)]
pub(super) struct Variables {
    pub(super) types: Names<CType>,
    pub(super) varying: Varying,
    /// Whether it is a kernel of OpenCL C that does not state the size of its groups.
    pub(super) has_any_group_size: bool,
}

impl Variables {
    pub(super) fn add(&mut self, name: &[u8], ty: Option<CType>) {
        self.types.add(name, ty);
        self.varying.declare(name);
    }
}

/// The declarations at a place of the file.
#[derive(Default)]
pub(super) struct Declarations {
    pub(super) typedefs: Names<CType>,
    /// Alias templates. One that is declared twice is `None`.
    pub(super) aliases: BTreeMap<Vec<u8>, Option<Alias>>,
    /// Templates of structures and classes. One that is declared twice is `None`.
    pub(super) templates: BTreeMap<Vec<u8>, Option<Arc<Record>>>,
    /// The classes around the current token, the outer ones first, with the names before their braces.
    pub(super) records: Vec<(RecordName, Record)>,
    /// Constants of enumerations.
    pub(super) constants: Names<i64>,
    /// The variables of each enclosing function or lambda, the outer ones first.
    pub(super) functions: Vec<Variables>,
    /// Whether a declaration was skipped, so that no type is certain.
    pub(super) is_incomplete: bool,
}

impl Declarations {
    /// Returns the constant of an enumeration, unless a variable has the name.
    pub(super) fn constant(&self, name: &[u8]) -> Option<i64> {
        let constant = self.constants.get(name).flatten().filter(|_| !self.is_variable(name));
        constant.copied()
    }

    /// Returns whether a function declares a name.
    pub(super) fn is_variable(&self, name: &[u8]) -> bool {
        self.functions.iter().any(|of| of.types.get(name).is_some())
    }

    /// Returns the type of a variable of a function.
    pub(super) fn variable(&self, name: &[u8]) -> Option<CType> {
        if self.is_incomplete {
            return None;
        }
        let mut found = self.functions.iter().filter_map(|of| of.types.get(name));
        let first = found.next()??;
        found.all(|other| other == Some(first)).then(|| first.clone())
    }

    /// Returns whether the value of a variable certainly differs between lanes.
    pub(super) fn is_varying(&self, name: &[u8]) -> bool {
        let mut found = self.functions.iter().filter_map(|of| of.varying.get(name));
        !self.is_incomplete && found.next() == Some(true) && found.next().is_none()
    }

    /// Records an assignment to a variable.
    pub(super) fn assign(&mut self, name: &[u8], is_varying: bool) {
        self.functions.iter_mut().for_each(|of| of.varying.assign(name, is_varying));
    }
}

/// The maximum number of declarations of a structure that are read.
const MAX_MEMBERS: usize = 256;

/// A structure or a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// The names of the template parameters.
    pub(super) parameters: Vec<Vec<u8>>,
    /// The tokens of the declarations of members.
    pub(super) members: Vec<Vec<Token>>,
    /// The structures in it that are defined together with a member. Without a name, their members are
    /// members of this structure.
    pub(super) nested: Vec<(Vec<u8>, Arc<Record>)>,
}

impl Record {
    /// Returns a structure of which no member is known.
    pub(super) fn new(parameters: Vec<Vec<u8>>) -> Record {
        Record { parameters, ..Record::default() }
    }

    /// Adds the declaration of a member.
    pub(super) fn add(&mut self, declaration: &[Token]) {
        if self.members.len() < MAX_MEMBERS {
            self.members.push(declaration.to_vec());
        }
    }
}

/// The name of a class, as its head states it.
#[derive(Debug, Default)]
pub(super) struct RecordName {
    /// It is empty if the class has none.
    pub(super) name: Vec<u8>,
    /// Whether it is a specialization of a template.
    pub(super) is_specialization: bool,
    pub(super) is_typedef: bool,
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
