//! Documents: texts with what was read of them, and what was assumed.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::partial::{OmittedRoutine, ParsedFile, read_recorded};
use crate::error::Severity;
use crate::format::{Format, Version};
use crate::object::Module;
use crate::platform::{Platform, RegisterSize};
use crate::text::diagnostic::{Collector, Diagnostic, Diagnostics, Errors, nearest};
use crate::text::options::{Chosen, ParseOptions};
use crate::text::recorder::Recorder;
use crate::text::stated::stated_platform;
use crate::text::statements::SourceMap;

/// A text that was parsed: the routines without errors, and the errors in the others.
///
/// ```
/// use genvisa::text::{Document, ParseOptions};
/// use genvisa::{Format, Version};
///
/// let source = "\
/// .version 3.6
/// .kernel \"wrong\"
///     movv (M1, 8) V32(0,0)<1> 0x2a:d
///     ret (M1, 1)
/// .version 3.6
/// .kernel \"correct\"
///     ret (M1, 1)
/// ";
/// let document = Document::parse(source, ParseOptions::new());
/// assert_eq!(document.format, Format::igc2022(Version::V3_6));
/// assert_eq!(document.module.kernels.len(), 1);
/// assert_eq!(document.module.kernels[0].name, *"correct");
/// assert_eq!(document.errors[0].to_string(), "unknown instruction `movv`");
///
/// let omitted = &document.omitted[0];
/// assert_eq!(*omitted.name.as_ref().unwrap(), *"wrong");
/// assert!(source[omitted.span.clone()].ends_with(" ret (M1, 1)\n"));
///
/// // Without errors, nothing is omitted.
/// assert!(document.into_result().is_err());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Document {
    /// The format in which the text was parsed; see [`ParseOptions::formats`].
    pub format: Format,
    /// The version that the text states and the errors in it, if it was parsed in a newer version because of
    /// them.
    pub outdated: Option<(Version, Diagnostics)>,
    /// The [platform that the text states](stated_platform), if it is known.
    pub platform: Option<Platform>,
    /// The module that the text describes, without the omitted routines. It declares the omitted
    /// functions as if another file defined them, so that functions keep their indices in the whole
    /// text.
    pub module: Module<'static>,
    /// The spans of the parts of the module in the text.
    pub source_map: SourceMap,
    /// The routines that the module lacks, in the order of the text.
    pub omitted: Vec<OmittedRoutine>,
    /// The errors, in the order of the text: at most a hundred of each routine, and only the first
    /// of each routine after ten thousand.
    pub errors: Diagnostics,
    /// Whether each error is in the span of an omitted routine. If not, the module is empty: there are errors
    /// before the first routine or in annotations about the file, or the text has no routines.
    pub is_readable: bool,
    /// Warnings about routines that have the kind and the name of an earlier one, without the
    /// annotation `again`. For [`into_result`](Self::into_result), these are errors.
    pub duplicates: Diagnostics,
    /// Other warnings, in the order of the text, but none about omitted routines: about annotations that were
    /// ignored because they do not match the text, truncated numbers, and unknown versions and platforms.
    pub warnings: Diagnostics,
}

impl Document {
    /// Parses a text.
    pub fn parse(source: impl AsRef<[u8]>, options: impl Into<ParseOptions>) -> Document {
        let source = source.as_ref();
        let (mut document, _) = Document::choose(source, options.into(), None);
        document.add_platform(source);
        document
    }

    /// Parses a text in the formats of options, except for its platform. Records what is read, if a recorder is
    /// given.
    pub(super) fn choose(
        source: &[u8],
        options: ParseOptions,
        recorder: Option<&dyn Fn() -> Recorder>,
    ) -> (Document, Recorder) {
        let formats = options.formats([source]);
        let parse = |format| {
            let recorder = recorder.map(|new| Box::new(new()));
            match read_recorded(source, format, recorder) {
                Ok(mut file) => {
                    let recorder = file.recorder.take().map(|recorder| *recorder);
                    (Document::new(file, source), recorder.unwrap_or_default())
                }
                Err(errors) => (Document::unreadable(format, errors), Recorder::default()),
            }
        };
        let Chosen { parsed, stated, .. } =
            formats.choose(parse, |(document, _)| document.errors.len());
        let (mut document, recorder) = parsed;
        document.outdated = stated.map(|(version, (document, _))| (version, document.errors));
        (document, recorder)
    }

    fn new(file: ParsedFile, source: &[u8]) -> Document {
        let errors = Diagnostics::new(file.errors, source);
        let mut document = Document::unreadable(file.module.format, errors);
        document.duplicates = Diagnostics::new(file.duplicates, source);
        if !file.is_unreadable {
            document.module = file.module;
            document.source_map = file.source_map;
            document.omitted = file.omitted;
            document.is_readable = true;
            document.warnings = Diagnostics::new(file.warnings, source);
        }
        document
    }

    fn unreadable(format: Format, errors: Errors) -> Document {
        Document {
            format,
            outdated: None,
            platform: None,
            module: Module::new(format),
            source_map: SourceMap { format, ..SourceMap::default() },
            omitted: Vec::new(),
            errors,
            is_readable: false,
            duplicates: Diagnostics::default(),
            warnings: Diagnostics::default(),
        }
    }

    pub(super) fn add_platform(&mut self, source: &[u8]) {
        let Some(stated) = stated_platform(source) else { return };
        self.platform = stated.platform();
        if self.platform.is_none() {
            let message = format!("unknown platform `{}`", stated.name);
            let mut warning = Diagnostic::warning(stated.span, message);
            let names = Platform::ALL.iter().map(|platform| platform.igc_name());
            if let Some(name) = nearest(stated.name, names) {
                warning.help = Some(format!("did you mean `{name}`?"));
                warning.replacement = Some(name.into());
            }
            let warnings = self.warnings.iter().cloned().chain([warning]).collect();
            self.warnings = Diagnostics::new(warnings, source);
        }
    }

    /// Returns a warning at the first error in the version that the text states, if it was parsed in a newer one.
    /// Errors in omitted routines are no reason.
    pub fn newer_version_warning(&self) -> Option<Diagnostic> {
        let (stated, errors) = self.outdated.as_ref()?;
        let is_omitted = |at: usize| self.omitted.iter().any(|routine| routine.span.contains(&at));
        let mut reasons = errors.iter().filter(|error| !is_omitted(error.span.start));
        let first = reasons.next()?;
        Some(newer_version_warning(*stated, self.format.version, first, reasons.count()))
    }

    /// Returns the document if its text has no errors, and no two routines have the same kind and name.
    ///
    /// # Errors
    /// The errors and [`duplicates`](Self::duplicates) in the order of the text, at most a hundred.
    pub fn into_result(self) -> Result<Document, Errors> {
        if self.errors.is_empty() && self.duplicates.is_empty() {
            return Ok(self);
        }
        let mut errors: Vec<_> = self.errors.into_iter().chain(self.duplicates).collect();
        errors.sort_by_key(|error| error.span.start);
        errors.truncate(Collector::MAX);
        errors.iter_mut().for_each(|error| error.severity = Severity::Error);
        Err(errors.into_iter().collect())
    }

    /// Returns the size of a register that is assumed, unless `platform`, which the caller knows, or the text
    /// determines it; see [`Module::assumed_register_size`].
    pub fn assumed_register_size(&self, platform: Option<Platform>) -> Option<RegisterSize> {
        self.module.assumed_register_size(platform.or(self.platform))
    }
}

/// Returns a warning that texts are read in a newer version than they state, at the first error in that version.
/// `others` is the number of other errors.
pub fn newer_version_warning(
    stated: Version,
    version: Version,
    first: &Diagnostic,
    others: usize,
) -> Diagnostic {
    let mut warning = first.clone();
    warning.severity = Severity::Warning;
    warning.message =
        format!("version {stated} cannot encode this text; it is read as version {version}");
    let more = match others {
        0 => String::new(),
        1 => ", and 1 other place needs a newer version".into(),
        _ => format!(", and {others} other places need a newer version"),
    };
    (warning.expected, warning.replacement) = (None, None);
    warning.help = Some(format!("{first}{more}"));
    warning
}
