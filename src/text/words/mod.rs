//! Words and codes of the text: classes of bytes, lists of words, directives, annotations, reserved
//! words, platforms, styles and quirks.

pub(super) mod annotations;
mod charset;
mod directives;
mod keys;
mod lists;
pub(super) mod platforms;
mod quirk;
mod reserved;
mod style;

pub(super) use charset::{Charset, begins_identifier, is_identifier, is_label, needs_escape};
pub(super) use directives::{Directive, IMPLICIT, IMPLICIT_KINDS, UNDEFINED};
pub(super) use keys::Key;
pub(super) use lists::{WordMap, Words, code_map};
pub(super) use platforms::RegisterSizes;
pub use quirk::Quirk;
pub(super) use reserved::Reserved;
pub use style::Style;
