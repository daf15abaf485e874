//! A parsed routine, before strings and labels have ids.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use super::source_map::{RoutineMap, TABLES};
use crate::format::Format;
use crate::isa::{IdClass, Instruction};
use crate::object::{
    AliasScope, Align, Input, LabelKind, Linkage, Name, Reloc, RoutineKind, SimpleVariable,
    Variable,
};
use crate::text::names::TextNames;
use crate::text::rows::BytesAnnotation;
use crate::wire::Writer;

/// An attribute, whose name has no id yet.
#[derive(Clone)]
pub(in crate::text) struct AttributeText<'t> {
    pub(in crate::text) name: Cow<'t, [u8]>,
    pub(in crate::text) value: Vec<u8>,
}

/// A declaration, whose name has no id yet.
pub(in crate::text) struct Declared<'t, E> {
    /// The name for the string pool: of samplers and surfaces, `v_name`.
    pub(in crate::text) name: Option<&'t str>,
    /// The name that the text uses.
    pub(in crate::text) symbol: &'t str,
    pub(in crate::text) entry: E,
    pub(in crate::text) attributes: Vec<AttributeText<'t>>,
    pub(in crate::text) annotations: Option<Box<Annotations<'t>>>,
}

/// The instructions of a routine.
pub(in crate::text) struct ParsedCode {
    pub(in crate::text) spans: Vec<Range<usize>>,
    /// The bytes of all instructions except the deferred ones.
    pub(in crate::text) encoded: Writer,
    pub(in crate::text) deferred: Vec<DeferredInstruction>,
}

/// An instruction that is encoded at the end of its routine: it has the id of a string or label, or
/// its bytes are in an annotation.
pub(in crate::text) struct DeferredInstruction {
    /// The instruction of the text, or of the bytes in its annotation.
    pub(in crate::text) instruction: Instruction,
    pub(in crate::text) span: Range<usize>,
    /// The position in the bytes of the other instructions.
    pub(in crate::text) position: usize,
    pub(in crate::text) annotation: Option<Box<BytesAnnotation>>,
}

/// A value and its span.
#[derive(Clone)]
pub(in crate::text) struct Spanned<T> {
    pub(in crate::text) value: T,
    pub(in crate::text) span: Range<usize>,
}

/// The variable that another one is an alias of.
#[derive(Clone, Copy)]
pub(in crate::text) enum AliasTarget<'t> {
    Name(&'t str),
    Id(u32),
}

/// The items of an annotation.
#[derive(Default)]
pub(in crate::text) struct Annotations<'t> {
    pub(in crate::text) name: Option<Spanned<u32>>,
    pub(in crate::text) body_name: Option<Spanned<u32>>,
    pub(in crate::text) attributes: Vec<Spanned<u32>>,
    pub(in crate::text) alias: Option<Spanned<(AliasTarget<'t>, u16)>>,
    pub(in crate::text) scope: Option<Spanned<AliasScope>>,
    pub(in crate::text) align: Option<Spanned<Align>>,
    pub(in crate::text) stack: Option<Spanned<(u8, u8)>>,
    pub(in crate::text) linkage: Option<Spanned<Linkage>>,
    pub(in crate::text) stripped: Option<Spanned<(u32, u32)>>,
    pub(in crate::text) is_again: bool,
    pub(in crate::text) kind: Option<Spanned<(LabelKind, LabelKind)>>,
    pub(in crate::text) is_undefined: bool,
    pub(in crate::text) attrs: Vec<AttributeText<'t>>,
    pub(in crate::text) at: Option<Spanned<u16>>,
}

/// An annotation of a label.
pub(in crate::text) struct LabelAnnotations<'t> {
    pub(in crate::text) name: &'t str,
    pub(in crate::text) span: Range<usize>,
    pub(in crate::text) annotations: Annotations<'t>,
}

/// An input, and the span of its annotation if its variable is not declared.
pub(in crate::text) struct InputText {
    pub(in crate::text) input: Input,
    pub(in crate::text) undeclared: Option<Range<usize>>,
}

/// Relocations to variables and functions.
#[derive(Default)]
pub(in crate::text) struct Relocs {
    pub(in crate::text) variables: Vec<Reloc>,
    pub(in crate::text) functions: Vec<FunctionReloc>,
}

/// A relocation to a function, and the name of the function.
pub(in crate::text) struct FunctionReloc {
    pub(in crate::text) reloc: Reloc,
    pub(in crate::text) name: Option<Vec<u8>>,
    pub(in crate::text) span: Range<usize>,
}

impl Relocs {
    pub(in crate::text) fn extend(&mut self, other: Relocs) {
        self.variables.extend(other.variables);
        self.functions.extend(other.functions);
    }

    /// Returns the relocations to variables and to functions.
    pub(in crate::text) fn into_lists(self) -> (Vec<Reloc>, Vec<Reloc>) {
        (self.variables, self.functions.into_iter().map(|function| function.reloc).collect())
    }
}

/// A kernel or function.
pub(in crate::text) struct ParsedRoutine<'t> {
    pub(in crate::text) kind: RoutineKind,
    /// `None` if it has an error.
    pub(in crate::text) name: Option<Vec<u8>>,
    /// The start of its `.version`, or of its first line if it has none.
    pub(in crate::text) start: usize,
    pub(in crate::text) source_map: RoutineMap,
    pub(in crate::text) variables: Vec<Declared<'t, Variable>>,
    pub(in crate::text) addresses: Vec<Declared<'t, SimpleVariable>>,
    pub(in crate::text) predicates: Vec<Declared<'t, SimpleVariable>>,
    pub(in crate::text) samplers: Vec<Declared<'t, SimpleVariable>>,
    pub(in crate::text) surfaces: Vec<Declared<'t, SimpleVariable>>,
    pub(in crate::text) inputs: Vec<InputText>,
    pub(in crate::text) attributes: Vec<(AttributeText<'t>, Option<Box<Annotations<'t>>>)>,
    pub(in crate::text) code: ParsedCode,
    /// The name in the last `.function`, until its label or another statement is parsed.
    pub(in crate::text) function: Option<(&'t str, Range<usize>)>,
    /// Whether it has scopes, so that several variables may have the same name.
    pub(in crate::text) has_scopes: bool,
    pub(in crate::text) efficient_64bit: bool,
    // The rest is from annotations.
    pub(in crate::text) annotations: Annotations<'t>,
    pub(in crate::text) strings: Option<Vec<Name>>,
    pub(in crate::text) unnamed: bool,
    pub(in crate::text) labels: Vec<LabelAnnotations<'t>>,
    /// The labels in the order of their ids.
    pub(in crate::text) label_order: Vec<(&'t str, Range<usize>)>,
    pub(in crate::text) relocs: Relocs,
    /// The names of the labels in the order of their final ids.
    pub(in crate::text) label_names: Vec<&'t str>,
}

impl<'t> ParsedRoutine<'t> {
    pub(in crate::text) fn new(
        kind: RoutineKind,
        name: Option<Vec<u8>>,
        start: usize,
        header: Range<usize>,
        format: Format,
    ) -> Self {
        ParsedRoutine {
            kind,
            name,
            start,
            source_map: RoutineMap::new(header),
            variables: Vec::new(),
            addresses: Vec::new(),
            predicates: Vec::new(),
            samplers: Vec::new(),
            surfaces: Vec::new(),
            inputs: Vec::new(),
            attributes: Vec::new(),
            code: ParsedCode {
                spans: Vec::new(),
                encoded: Writer::new(format),
                deferred: Vec::new(),
            },
            function: None,
            has_scopes: false,
            efficient_64bit: false,
            annotations: Annotations::default(),
            strings: None,
            unnamed: false,
            labels: Vec::new(),
            label_order: Vec::new(),
            relocs: Relocs::default(),
            label_names: Vec::new(),
        }
    }

    /// Returns the names that the text uses: of labels, after they are lowered.
    pub(in crate::text) fn names(&self) -> TextNames {
        let simple = |table: &[Declared<'t, _>]| table.iter().map(|entry| entry.symbol).collect();
        let of_class = |class| match class {
            IdClass::Variable => self.variables.iter().map(|entry| entry.symbol).collect(),
            IdClass::Address => simple(&self.addresses),
            IdClass::Predicate => simple(&self.predicates),
            IdClass::Surface => simple(&self.surfaces),
            IdClass::Sampler => simple(&self.samplers),
            IdClass::Label => self.label_names.clone(),
            IdClass::String => Vec::new(),
        };
        TextNames::new(of_class, self.has_scopes)
    }

    /// Returns the number of entries of each table.
    pub(in crate::text) fn counts(&self) -> [usize; TABLES.len()] {
        [
            self.variables.len(),
            self.addresses.len(),
            self.predicates.len(),
            self.samplers.len(),
            self.surfaces.len(),
            self.inputs.len(),
            self.attributes.len(),
        ]
    }
}
