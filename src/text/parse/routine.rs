//! A routine as the text says it, before its strings and labels have their numbers.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use super::diagnostic::Diagnostic;
use super::source_map::RoutineMap;
use crate::isa::Instruction;
use crate::object::{
    AliasScope, Align, Input, LabelKind, Linkage, Name, Reloc, RoutineKind, SimpleVariable,
    Variable,
};
use crate::text::annotations::Reference;

/// An attribute, whose name is not yet a number.
#[derive(Clone)]
pub(super) struct AttributeText {
    pub(super) name: Vec<u8>,
    pub(super) value: Vec<u8>,
}

/// A declaration, whose name is not yet a number.
pub(super) struct Declared<'t, E> {
    /// The name for the pool: of samplers and surfaces, `v_name`.
    pub(super) name: Option<&'t str>,
    /// What the text calls it.
    pub(super) symbol: &'t str,
    pub(super) entry: E,
    pub(super) attributes: Vec<AttributeText>,
    pub(super) notes: Option<Box<Annotations<'t>>>,
}

/// An instruction and where it is.
pub(super) struct Statement {
    /// What the text says; of an instruction that is given by its bytes, what these say.
    pub(super) instruction: Instruction,
    pub(super) span: Range<usize>,
    pub(super) exact: Option<Box<ExactText>>,
}

/// An instruction that is given by its bytes.
pub(super) struct ExactText {
    /// What the text without the bytes says, if it can be assembled, and else why not.
    pub(super) text: Result<Instruction, Option<Diagnostic>>,
    /// The ids of what the bytes refer to and the text does not show.
    pub(super) hidden: BTreeMap<Reference, u32>,
}

/// A value and where it is in the text.
#[derive(Clone)]
pub(super) struct Spanned<T> {
    pub(super) value: T,
    pub(super) span: Range<usize>,
}

/// What a variable is an alias of.
#[derive(Clone, Copy)]
pub(super) enum AliasTarget<'t> {
    Name(&'t str),
    Id(u32),
}

/// The items of a `//@` comment.
#[derive(Default)]
pub(super) struct Annotations<'t> {
    pub(super) name: Option<Spanned<u32>>,
    pub(super) body_name: Option<Spanned<u32>>,
    pub(super) attributes: Vec<Spanned<u32>>,
    pub(super) alias: Option<Spanned<(AliasTarget<'t>, u16)>>,
    pub(super) scope: Option<Spanned<AliasScope>>,
    pub(super) align: Option<Spanned<Align>>,
    pub(super) stack: Option<Spanned<(u8, u8)>>,
    pub(super) linkage: Option<Spanned<Linkage>>,
    pub(super) stripped: Option<Spanned<(u32, u32)>>,
    pub(super) is_again: bool,
    pub(super) kind: Option<Spanned<(LabelKind, LabelKind)>>,
    pub(super) is_undefined: bool,
    pub(super) attrs: Vec<AttributeText>,
    pub(super) at: Option<Spanned<u16>>,
}

/// A label that a `//@` line describes.
pub(super) struct LabelAnnotations<'t> {
    pub(super) name: &'t str,
    pub(super) span: Range<usize>,
    pub(super) notes: Annotations<'t>,
}

/// An input, and the `//@` line that gives it if its variable is not declared.
pub(super) struct InputText {
    pub(super) input: Input,
    pub(super) undeclared: Option<Range<usize>>,
}

/// A list of relocations: where it is, and the name of each function that it refers to.
#[derive(Default)]
pub(super) struct Relocs {
    pub(super) variables: Vec<Reloc>,
    pub(super) functions: Vec<(Reloc, Option<Vec<u8>>, Range<usize>)>,
}

/// A kernel or function under way.
pub(super) struct ParsedRoutine<'t> {
    pub(super) kind: RoutineKind,
    pub(super) name: Vec<u8>,
    pub(super) source_map: RoutineMap,
    pub(super) variables: Vec<Declared<'t, Variable>>,
    pub(super) addresses: Vec<Declared<'t, SimpleVariable>>,
    pub(super) predicates: Vec<Declared<'t, SimpleVariable>>,
    pub(super) samplers: Vec<Declared<'t, SimpleVariable>>,
    pub(super) surfaces: Vec<Declared<'t, SimpleVariable>>,
    pub(super) inputs: Vec<InputText>,
    pub(super) attributes: Vec<(AttributeText, Option<Box<Annotations<'t>>>)>,
    pub(super) code: Vec<Statement>,
    /// The subroutine that `.function` announced.
    pub(super) function: Option<(&'t str, Range<usize>)>,
    /// Whether a scope was opened, so that a name may mean several variables.
    pub(super) has_scopes: bool,
    // What `//@` comments say.
    pub(super) notes: Annotations<'t>,
    pub(super) strings: Option<Vec<Name>>,
    pub(super) unnamed: bool,
    pub(super) labels: Vec<LabelAnnotations<'t>>,
    /// The labels in the order of their ids.
    pub(super) label_order: Vec<(&'t str, Range<usize>)>,
    pub(super) relocs: Relocs,
    /// The names of the labels in the order of their ids, once they have them.
    pub(super) label_names: Vec<&'t str>,
}

impl ParsedRoutine<'_> {
    pub(super) fn new(kind: RoutineKind, name: Vec<u8>, header: Range<usize>) -> Self {
        ParsedRoutine {
            kind,
            name,
            source_map: RoutineMap::new(header),
            variables: Vec::new(),
            addresses: Vec::new(),
            predicates: Vec::new(),
            samplers: Vec::new(),
            surfaces: Vec::new(),
            inputs: Vec::new(),
            attributes: Vec::new(),
            code: Vec::new(),
            function: None,
            has_scopes: false,
            notes: Annotations::default(),
            strings: None,
            unnamed: false,
            labels: Vec::new(),
            label_order: Vec::new(),
            relocs: Relocs::default(),
            label_names: Vec::new(),
        }
    }
}
