//! A routine as the text says it, before its strings and labels have their numbers.

use alloc::vec::Vec;
use core::ops::Range;

use super::places::RoutinePlaces;
use crate::isa::Instruction;
use crate::object::{Input, Name, SimpleVariable, Variable};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Kernel,
    Function,
}

/// An attribute, whose name is not yet a number.
#[derive(Clone)]
pub(super) struct AttributeText {
    pub(super) name: Vec<u8>,
    pub(super) value: Vec<u8>,
}

/// A declaration, whose name is not yet a number.
pub(super) struct Declared<'t, E> {
    pub(super) name: Option<&'t str>,
    pub(super) entry: E,
    pub(super) attributes: Vec<AttributeText>,
}

/// An instruction and where it stands.
pub(super) struct Statement {
    pub(super) instruction: Instruction,
    pub(super) span: Range<usize>,
    /// Whether it was given by its bytes, strings and labels included.
    pub(super) exact: bool,
}

/// What a `//@` line gives by its bytes.
pub(super) struct Override {
    pub(super) table: Table,
    pub(super) id: u32,
    pub(super) bytes: Vec<u8>,
    pub(super) span: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Table {
    Variable,
    Address,
    Predicate,
    Sampler,
    Surface,
    Input,
    Attribute,
}

/// A label that a `//@` line numbers.
pub(super) struct NumberedLabel<'t> {
    pub(super) name: &'t str,
    pub(super) id: u16,
    pub(super) bytes: Vec<u8>,
    pub(super) span: Range<usize>,
}

/// A kernel or function under way.
pub(super) struct Routine<'t> {
    pub(super) kind: Kind,
    pub(super) name: Vec<u8>,
    pub(super) places: RoutinePlaces,
    pub(super) variables: Vec<Declared<'t, Variable>>,
    pub(super) addresses: Vec<Declared<'t, SimpleVariable>>,
    pub(super) predicates: Vec<Declared<'t, SimpleVariable>>,
    pub(super) samplers: Vec<Declared<'t, SimpleVariable>>,
    pub(super) surfaces: Vec<Declared<'t, SimpleVariable>>,
    pub(super) inputs: Vec<Input>,
    pub(super) attributes: Vec<AttributeText>,
    pub(super) code: Vec<Statement>,
    /// The subroutine that `.function` announced.
    pub(super) function: Option<(&'t str, Range<usize>)>,
    // What `//@` lines say.
    pub(super) strings: Option<Vec<Name>>,
    pub(super) name_id: Option<u32>,
    pub(super) unnamed: bool,
    pub(super) stack_sizes: (u8, u8),
    pub(super) stripped: Option<(u32, u32)>,
    pub(super) overrides: Vec<Override>,
    pub(super) labels: Vec<NumberedLabel<'t>>,
}

impl Routine<'_> {
    pub(super) fn new(kind: Kind, name: Vec<u8>, header: Range<usize>) -> Self {
        Routine {
            kind,
            name,
            places: RoutinePlaces::new(header),
            variables: Vec::new(),
            addresses: Vec::new(),
            predicates: Vec::new(),
            samplers: Vec::new(),
            surfaces: Vec::new(),
            inputs: Vec::new(),
            attributes: Vec::new(),
            code: Vec::new(),
            function: None,
            strings: None,
            name_id: None,
            unnamed: false,
            stack_sizes: (0, 0),
            stripped: None,
            overrides: Vec::new(),
            labels: Vec::new(),
        }
    }
}
