//! The version of a text, which selects its grammar, and the directive `.version`.

use alloc::format;

use super::Parser;
use super::cursor::{Cursor, Parsed};
use crate::format::{Dialect, Format, Version};
use crate::text::directives::Directive;

/// Returns the version of the first `.version` of a text that is not in a comment or a string.
pub(in crate::text) fn stated_version(source: &[u8]) -> Option<(u8, u8)> {
    first_version(Cursor::new(source))
}

/// Returns the version of the first `.version` after a cursor at the start of a text.
pub(super) fn first_version(mut c: Cursor<'_>) -> Option<(u8, u8)> {
    c.eat_here("\u{feff}");
    while !c.is_at_end() {
        if c.is_at_line_end() {
            c.skip_line();
            c.at += 1;
        } else if c.eat_word_here(Directive::Version.text()) {
            let major = c.number("").ok()?;
            return c
                .eat_here(".")
                .then(|| c.number("").ok())
                .flatten()
                .map(|minor| (major, minor));
        } else {
            c.skip_statement();
        }
    }
    None
}

impl Parser<'_> {
    /// Parses `.version 3.6`, which applies to the whole text or to the next routine.
    pub(super) fn version(&mut self, line_start: usize) -> Parsed<()> {
        // After an error, this `.version` may belong to another routine than the last one.
        let is_repeated = self.open_version.is_some() && self.c.diagnostics.is_empty();
        self.end_routine(line_start);
        self.open_version.get_or_insert(line_start);
        self.is_version_wrong = true;
        self.c.skip_blanks();
        let start = self.c.at;
        let major = self.c.number("a version, such as 3.6")?;
        if !self.c.eat_here(".") {
            return Err(self.c.expected("`.` and a minor version"));
        }
        let minor = self.c.number("a minor version")?;
        let span = line_start..self.c.at;
        if is_repeated {
            return Err(self.c.fail(span, "this routine already has a `.version`"));
        }
        self.text_version = Some((major, minor));
        if major < 3 {
            let message = "versions before 3.0 are not supported";
            return Err(self.c.fail(start..self.c.at, message));
        }
        if Version::new(major, minor).is_none() {
            // The compiler accepts every version.
            let read_as = self.format.version;
            let message = format!(
                "version {major}.{minor} is unknown; the text is read as version {read_as}"
            );
            self.warn(&(start..self.c.at), message);
        }
        self.is_version_wrong = false;
        Ok(())
    }

    /// Returns whether sampler messages have a paired surface in this text.
    pub(in crate::text) fn has_paired_surface(&self) -> bool {
        self.text_version.is_some_and(|version| version >= (4, 2) && version != (4, 8))
            || self.format.dialect == Dialect::Igc2026 && self.format.since(Version::V3_8)
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
    pub(super) fn text_format(&self) -> Format {
        let version = self.text_version.or(self.first_version);
        let version = version.and_then(|(major, minor)| Version::new(major, minor));
        Format { version: version.unwrap_or(self.format.version), ..self.format }
    }
}
