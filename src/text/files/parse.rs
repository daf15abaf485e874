//! Parsing of a text to a module.

use super::document::Document;
use crate::object::Module;
use crate::text::diagnostic::Errors;
use crate::text::options::ParseOptions;

/// Parses text to a module, and encodes its instructions in a format.
///
/// The version in the text selects the grammar, and the format selects the encoding. With
/// [`ParseOptions::new`], the format follows from the text.
///
/// ```
/// use genvisa::{Format, text};
///
/// let source = "\
/// .version 3.6
/// .kernel \"k\"
/// .decl V32 v_type=G type=d num_elts=8 align=GRF
/// .kernel_attr Target=\"cm\"
///     mov (M1, 8) V32(0,0)<1> 0x2a:d
///     ret (M1, 1)
/// ";
/// let module = text::parse(source, Format::default()).expect("correct text");
/// assert_eq!(module.kernels[0].body.code.bytes().len(), 19 + 4);
///
/// let wrong = source.replace("mov", "movv");
/// let diagnostics = text::parse(wrong, Format::default()).unwrap_err();
/// assert_eq!(diagnostics[0].to_string(), "unknown instruction `movv`");
/// assert_eq!(diagnostics[0].help.as_deref(), Some("did you mean `mov`?"));
/// ```
///
/// # Errors
/// Those of [`Document::into_result`]. Warnings are dropped; [`Document`] has them, and the routines without
/// errors.
pub fn parse(
    source: impl AsRef<[u8]>,
    options: impl Into<ParseOptions>,
) -> Result<Module<'static>, Errors> {
    let (document, _) = Document::choose(source.as_ref(), options.into(), None);
    document.into_result().map(|document| document.module)
}
