//! The choice of the format in which a text is parsed.

use alloc::vec;
use alloc::vec::Vec;

use crate::format::{Dialect, Format, Version};
use crate::text::stated::{StatedVersion, format_for, stated_versions};

/// How texts are parsed. By default, the format follows from the version that a text states.
///
/// A [`Format`] is an option, too: texts are parsed in this format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions {
    dialect: Option<Dialect>,
    version: Option<Version>,
    needs_binary_form: bool,
}

impl From<Format> for ParseOptions {
    fn from(format: Format) -> ParseOptions {
        ParseOptions::new().with_dialect(format.dialect).with_version(format.version)
    }
}

impl ParseOptions {
    /// Returns options that choose the format of each text.
    pub fn new() -> ParseOptions {
        ParseOptions::default()
    }

    /// Sets the dialect, if there is one. The default is `Igc2026` for text of version 4.2, and otherwise `Igc2022`.
    #[must_use]
    pub fn with_dialect(self, dialect: impl Into<Option<Dialect>>) -> ParseOptions {
        ParseOptions { dialect: dialect.into(), ..self }
    }

    /// Returns the dialect, if it is set.
    pub fn dialect(self) -> Option<Dialect> {
        self.dialect
    }

    /// Sets the version, if there is one. Versions that texts state then select their grammar only.
    #[must_use]
    pub fn with_version(self, version: impl Into<Option<Version>>) -> ParseOptions {
        ParseOptions { version: version.into(), ..self }
    }

    /// Sets whether the module will be written to a file, so that 4.2 is not chosen. The default is `false`.
    #[must_use]
    pub fn with_binary_form(self, needs_binary_form: bool) -> ParseOptions {
        ParseOptions { needs_binary_form, ..self }
    }

    /// Returns the formats in which texts are parsed that become one module: the first without errors is chosen.
    ///
    /// Without a version, these are the newest version that the texts state, then, if they are newer, 3.6 (the
    /// newest version that all readers agree on) and 4.1 (the newest with a binary form).
    ///
    /// ```
    /// use genvisa::text::ParseOptions;
    /// use genvisa::{Format, Version};
    ///
    /// let formats = |source| ParseOptions::new().formats([source]).all().to_vec();
    /// let igc2022 = Format::igc2022;
    /// assert_eq!(formats(".version 3.8"), [igc2022(Version::V3_8), igc2022(Version::V4_1)]);
    /// assert_eq!(formats(".version 4.2"), [Format::V4_2]);
    /// ```
    pub fn formats<S: AsRef<[u8]>>(self, sources: impl IntoIterator<Item = S>) -> Formats {
        let stated = |source| self.version.map_or_else(|| stated_versions(source), |_| Vec::new());
        self.formats_of_versions(&sources.into_iter().flat_map(stated).collect::<Vec<_>>())
    }

    /// Returns the [`formats`](Self::formats) of texts that state these versions.
    pub fn formats_of_versions(self, stated: &[StatedVersion]) -> Formats {
        if let Some(version) = self.version {
            let dialect = self.dialect.unwrap_or(match version.has_binary_form() {
                true => Dialect::default(),
                false => Dialect::Igc2026,
            });
            return Formats { stated: None, formats: vec![Format::new(dialect, version)] };
        }
        let newest = stated.iter().map(|stated| (stated.major, stated.minor)).max();
        let format = format_for(newest, self.dialect);
        if !format.version.has_binary_form() && !self.needs_binary_form {
            return Formats { stated: None, formats: vec![format] };
        }
        let stated = stated.iter().filter_map(|stated| stated.binary()).max();
        let defaults = [Version::V3_6, Version::V4_1];
        let newer = defaults.into_iter().filter(|version| stated.is_none_or(|it| *version > it));
        let dialect = self.dialect.unwrap_or_default();
        let versions = stated.into_iter().chain(newer);
        Formats { stated, formats: versions.map(|version| Format::new(dialect, version)).collect() }
    }
}

/// The formats in which texts are parsed. There is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formats {
    stated: Option<Version>,
    formats: Vec<Format>,
}

/// The result of [`Formats::choose`].
#[derive(Clone, Debug)]
pub struct Chosen<T> {
    /// The format.
    pub format: Format,
    /// What was parsed in this format.
    pub parsed: T,
    /// The version that the texts state and what was parsed in it, if a newer version is chosen.
    pub stated: Option<(Version, T)>,
}

impl Formats {
    /// Returns the formats in the order in which they are tried.
    pub fn all(&self) -> &[Format] {
        &self.formats
    }

    /// Parses texts in one format after the other, up to the first without errors. If there is none, chooses
    /// the format with the fewest errors: of several, the one that the texts state, or else the newest.
    pub fn choose<T>(
        &self,
        mut parse: impl FnMut(Format) -> T,
        count_errors: impl Fn(&T) -> usize,
    ) -> Chosen<T> {
        let mut first = None;
        let mut best: Option<(usize, Format, T)> = None;
        for format in &self.formats {
            let parsed = parse(*format);
            let count = count_errors(&parsed);
            let is_better = best.as_ref().is_none_or(|(fewest, ..)| {
                count < *fewest || count == *fewest && self.stated.is_none()
            });
            let worse = if is_better {
                best.replace((count, *format, parsed)).map(|(.., parsed)| parsed)
            } else {
                None
            };
            first = first.or(worse);
            if count == 0 {
                break;
            }
        }
        let (_, format, parsed) = best.unwrap_or_else(|| {
            let format = Format::default();
            (0, format, parse(format))
        });
        Chosen { format, parsed, stated: self.stated.zip(first) }
    }
}
