//! A parsed routine, before strings and labels have ids.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use super::diagnostic::Diagnostic;
use super::source_map::RoutineMap;
use crate::format::Format;
use crate::isa::Instruction;
use crate::object::{
    AliasScope, Align, Body, Input, LabelKind, Linkage, Name, Reloc, RoutineKind, SimpleVariable,
    Variable,
};
use crate::text::annotations::Reference;
use crate::wire::Writer;

/// An attribute, whose name has no id yet.
#[derive(Clone)]
pub(super) struct AttributeText<'t> {
    pub(super) name: Cow<'t, [u8]>,
    pub(super) value: Vec<u8>,
}

/// A declaration, whose name has no id yet.
pub(super) struct Declared<'t, E> {
    /// The name for the string pool: of samplers and surfaces, `v_name`.
    pub(super) name: Option<&'t str>,
    /// The name that the text uses.
    pub(super) symbol: &'t str,
    pub(super) entry: E,
    pub(super) attributes: Vec<AttributeText<'t>>,
    pub(super) annotations: Option<Box<Annotations<'t>>>,
}

/// The instructions of a routine.
pub(super) struct ParsedCode {
    pub(super) spans: Vec<Range<usize>>,
    /// The bytes of all instructions except the late ones.
    pub(super) encoded: Writer,
    pub(super) late: Vec<LateInstruction>,
}

/// An instruction that is encoded at the end of its routine: it has the id of a string or label, or
/// its bytes are in an annotation.
pub(super) struct LateInstruction {
    /// The instruction of the text, or of the bytes in its annotation.
    pub(super) instruction: Instruction,
    pub(super) span: Range<usize>,
    /// The position in the bytes of the other instructions.
    pub(super) position: usize,
    pub(super) annotation: Option<Box<BytesAnnotation>>,
}

/// The text of an instruction with its bytes in an annotation.
pub(super) struct BytesAnnotation {
    /// The instruction of the text without the bytes, or the first error in it.
    pub(super) text: Result<Instruction, Option<Diagnostic>>,
    /// The current ids of the references that are in the bytes, but not in the text.
    pub(super) hidden: BTreeMap<Reference, u32>,
}

/// A value and its span.
#[derive(Clone)]
pub(super) struct Spanned<T> {
    pub(super) value: T,
    pub(super) span: Range<usize>,
}

/// The variable that another one is an alias of.
#[derive(Clone, Copy)]
pub(super) enum AliasTarget<'t> {
    Name(&'t str),
    Id(u32),
}

/// The items of an annotation.
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
    pub(super) attrs: Vec<AttributeText<'t>>,
    pub(super) at: Option<Spanned<u16>>,
}

/// An annotation of a label.
pub(super) struct LabelAnnotations<'t> {
    pub(super) name: &'t str,
    pub(super) span: Range<usize>,
    pub(super) annotations: Annotations<'t>,
}

/// An input, and the span of its annotation if its variable is not declared.
pub(super) struct InputText {
    pub(super) input: Input,
    pub(super) undeclared: Option<Range<usize>>,
}

/// Relocations to variables and functions.
#[derive(Default)]
pub(super) struct Relocs {
    pub(super) variables: Vec<Reloc>,
    pub(super) functions: Vec<FunctionReloc>,
}

/// A relocation to a function, and the name of the function.
pub(super) struct FunctionReloc {
    pub(super) reloc: Reloc,
    pub(super) name: Option<Vec<u8>>,
    pub(super) span: Range<usize>,
}

impl Relocs {
    /// Returns the relocations to variables and to functions.
    pub(super) fn into_lists(self) -> (Vec<Reloc>, Vec<Reloc>) {
        (self.variables, self.functions.into_iter().map(|function| function.reloc).collect())
    }
}

/// A kernel or function.
pub(super) struct ParsedRoutine<'t> {
    pub(super) kind: RoutineKind,
    /// `None` if it has an error.
    pub(super) name: Option<Vec<u8>>,
    /// The start of its `.version`, or of its first line if it has none.
    pub(super) start: usize,
    pub(super) source_map: RoutineMap,
    pub(super) variables: Vec<Declared<'t, Variable>>,
    pub(super) addresses: Vec<Declared<'t, SimpleVariable>>,
    pub(super) predicates: Vec<Declared<'t, SimpleVariable>>,
    pub(super) samplers: Vec<Declared<'t, SimpleVariable>>,
    pub(super) surfaces: Vec<Declared<'t, SimpleVariable>>,
    pub(super) inputs: Vec<InputText>,
    pub(super) attributes: Vec<(AttributeText<'t>, Option<Box<Annotations<'t>>>)>,
    pub(super) code: ParsedCode,
    /// The name in the last `.function`, until its label is parsed.
    pub(super) function: Option<(&'t str, Range<usize>)>,
    /// Whether it has scopes, so that several variables may have the same name.
    pub(super) has_scopes: bool,
    pub(super) efficient_64bit: bool,
    // The rest is from annotations.
    pub(super) annotations: Annotations<'t>,
    pub(super) strings: Option<Vec<Name>>,
    pub(super) unnamed: bool,
    pub(super) labels: Vec<LabelAnnotations<'t>>,
    /// The labels in the order of their ids.
    pub(super) label_order: Vec<(&'t str, Range<usize>)>,
    pub(super) relocs: Relocs,
    /// The names of the labels in the order of their final ids.
    pub(super) label_names: Vec<&'t str>,
}

/// A part of the text: a routine with its `.version`, or what the text has in place of one after a
/// `.version`.
pub(super) struct ReadRoutine {
    /// `None` if neither `.kernel` nor `.global_function` follows the `.version`.
    pub(super) kind: Option<RoutineKind>,
    /// `None` if it is unknown, because it has an error.
    pub(super) name: Option<Name>,
    pub(super) span: Range<usize>,
    pub(super) has_errors: bool,
    /// `None` for a routine that is omitted.
    pub(super) lowered: Option<Box<LoweredRoutine>>,
}

/// A kernel or function, before the indices of functions are final.
pub(super) struct LoweredRoutine {
    pub(super) body: Body<'static>,
    pub(super) inputs: Vec<Input>,
    pub(super) stack: (u8, u8),
    pub(super) linkage: Linkage,
    pub(super) relocs: Relocs,
    pub(super) places: RoutineMap,
    pub(super) warnings: Vec<Diagnostic>,
}

impl ParsedRoutine<'_> {
    pub(super) fn new(
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
            code: ParsedCode { spans: Vec::new(), encoded: Writer::new(format), late: Vec::new() },
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
}
