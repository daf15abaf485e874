//! Annotations: `//@` comments with information that the grammar cannot express. The documentation
//! of [`text`](crate::text) lists them.
//!
//! An annotation is in the line of its subject, so that editing moves and removes both.

mod parse;
mod print;

pub(in crate::text) use parse::Subject;
pub(in crate::text) use print::{
    AnnotationPrinter, address_or_predicate, attribute, called_functions, has_alias, input,
    is_declared, relocs, routine, sampler_or_surface, variable, variable_properties,
};
