//! Statements of a routine: declarations, inputs, attributes, labels and instructions, with their
//! annotations.

pub(super) mod annotations;
mod attributes;
mod comments;
mod declarations;
pub(super) mod header;
mod inputs;
mod instructions;
mod keys;
mod labels;
mod routine;
mod source_map;

pub(super) use comments::{Comment, CommentList, Comments, Position};
pub(super) use inputs::implicit_kind;
pub(super) use routine::{
    AliasTarget, Annotations, AttributeText, Declared, DeferredInstruction, FunctionReloc,
    InputText, LabelAnnotations, ParsedRoutine, Relocs, Spanned,
};
pub use source_map::SourceMap;
pub(super) use source_map::{Place, RoutineMap};
