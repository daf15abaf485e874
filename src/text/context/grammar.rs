//! What the version of a text decides about its grammar.

use alloc::format;
use core::mem;
use core::ops::Range;

use super::parser::Parser;
use crate::format::{Dialect, Format, Version};
use crate::text::diagnostic::Diagnostic;

impl Parser<'_> {
    /// Returns whether this sampler message has a paired surface for certain.
    pub(in crate::text) fn has_paired_surface(&self) -> bool {
        let is_in_igc = |version| version >= (4, 2) && version != (4, 8);
        self.state.is_paired
            || self.symbols.is_trial
            || self.format.dialect == Dialect::Igc2026
            || self.text_version.is_none_or(is_in_igc)
    }

    /// Returns whether the text can be from IGC although it is not of version 4.2.
    pub(in crate::text) fn may_be_of_igc(&self) -> bool {
        self.text_version == Some((4, 1))
    }

    /// Warns about the first operand after the destination of a sampler message, once per routine.
    pub(in crate::text) fn warn_about_pair(&mut self, operand: Range<usize>, is_paired: bool) {
        if mem::replace(&mut self.is_pair_reported, true) {
            return;
        }
        let (word, shown) = (self.word(), self.shown(operand.clone()));
        let (igc, genx_ir) = ("IGC 2.40.14", "GenX_IR 1.0.12504.6");
        let message = match is_paired {
            true => format!(
                "`{shown}` is read as the paired surface of `{word}`, as by {igc}; {genx_ir} \
                 reads it as the first parameter"
            ),
            false => format!(
                "`{shown}` is read as the first parameter of `{word}`, as by {genx_ir}; {igc} \
                 reads it as the paired surface"
            ),
        };
        let help =
            "write the paired surface, such as `%null.0`, and `//@ paired` at the end of the line";
        let mut warning = Diagnostic::warning(operand, message);
        warning.help = Some(help.into());
        self.warnings.push(warning);
    }

    /// Returns whether SVM blocks without a word are aligned, as in GenX_IR 1.0.12504.6 and the
    /// compilers before it, and whether the text could be from another compiler. Compilers of
    /// version 4.1 differ, those since February 2023 read such blocks as unaligned.
    pub(in crate::text) fn has_aligned_svm_blocks(&self) -> (bool, bool) {
        let format = self.format.version;
        let version = self.text_version.unwrap_or((format.major(), format.minor()));
        if version >= (4, 2) && version != (4, 8) || self.format.dialect == Dialect::Igc2026 {
            return (false, false);
        }
        (version != (4, 1), true)
    }

    /// Returns the format of the bytes in annotations: the dialect of the module and the version of
    /// the text.
    pub(in crate::text) fn text_format(&self) -> Format {
        let version = self.text_version.or(self.first_version);
        let version = version.and_then(|(major, minor)| Version::new(major, minor));
        Format { version: version.unwrap_or(self.format.version), ..self.format }
    }
}
