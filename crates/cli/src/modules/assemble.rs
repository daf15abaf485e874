//! Assembling of texts to modules.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::slice;

use annotate_snippets::Renderer;
use anyhow::bail;
use genvisa::error::Severity;
use genvisa::object::Routine;
use genvisa::text::{
    self, Chosen, Diagnostic, Diagnostics, Document, Errors, LineIndex, ParseOptions, SourceMap,
    StatedVersion, newer_version_warning,
};
use genvisa::{Dialect, Format, Module, Version};

use crate::input::read_text;
use crate::options::DialectArg;
use crate::output::snippet::{Source, with_snippet};
use crate::output::{Message, MessageKind, Output};

/// Reads texts.
pub fn sources(files: &[PathBuf], dialect: &DialectArg) -> anyhow::Result<Vec<Source>> {
    files.iter().map(|path| Ok(read_text(path, dialect)?.source())).collect()
}

/// Parses a text that is not written to a file, and prints warnings. Prints errors and returns
/// `None` if the text has any.
pub fn parse(
    source: &Source,
    options: ParseOptions,
    out: &mut Output,
) -> anyhow::Result<Option<Document>> {
    match read(source, options, out)? {
        Ok(document) => Ok(Some(document)),
        Err(errors) => {
            report_errors(slice::from_ref(source), vec![(0, errors)], out)?;
            Ok(None)
        }
    }
}

/// Parses a text that is not written to a file, and prints warnings. Returns the errors if the text has any.
pub fn read(
    source: &Source,
    options: ParseOptions,
    out: &mut Output,
) -> anyhow::Result<Result<Document, Errors>> {
    let document = Document::parse(&source.text, options);
    let newer_version = document.newer_version_warning();
    let result = document.into_result();
    if let Ok(document) = &result {
        print_diagnostics(source, &newer_version.into_iter().collect(), out)?;
        print_diagnostics(source, &document.warnings, out)?;
    }
    Ok(result)
}

/// The module of texts.
pub struct Assembled {
    pub module: Module<'static>,
    /// The spans in the text. Empty if there are several texts.
    pub source_map: SourceMap,
}

/// Assembles texts to one module and prints warnings. Prints errors and returns `None` if the texts
/// have any.
///
/// The version is `requested`, or else follows from the texts: see [`ParseOptions::formats`].
pub fn assemble(
    sources: &[Source],
    dialect: Dialect,
    requested: Option<Version>,
    out: &mut Output,
) -> anyhow::Result<Option<Assembled>> {
    let stated = if requested.is_none() { stated_versions(sources)? } else { Vec::new() };
    let options = ParseOptions::new().with_dialect(dialect).with_version(requested);
    let formats = options.with_binary_form(true).formats_of_versions(&stated);
    let count = |joined: &Result<_, JoinError>| match joined {
        Ok(_) => 0,
        Err(JoinError::Texts(errors)) => error_count(errors),
        // Another version makes no difference.
        Err(JoinError::NotJoinable(..)) => 0,
    };
    let Chosen { format, parsed, stated } = formats.choose(|format| join(sources, format), count);
    match parsed {
        Ok((assembled, warnings)) => {
            if let Some((stated, Err(JoinError::Texts(errors)))) = stated {
                let others = error_count(&errors).saturating_sub(1);
                let first =
                    errors.first().and_then(|(index, errors)| Some((index, errors.first()?)));
                if let Some((index, first)) = first {
                    let warning = newer_version_warning(stated, format.version, first, others);
                    print_diagnostics(&sources[*index], &[warning].into_iter().collect(), out)?;
                }
            }
            for (index, warnings) in warnings {
                print_diagnostics(&sources[index], &warnings, out)?;
            }
            Ok(Some(assembled))
        }
        Err(JoinError::Texts(errors)) => {
            report_errors(sources, errors, out)?;
            Ok(None)
        }
        Err(JoinError::NotJoinable(index, reason)) => {
            bail!("{}: cannot assemble this with other texts: it {reason}", sources[index].name)
        }
    }
}

/// Returns the versions that texts state. Those that have a binary form are the same.
fn stated_versions(sources: &[Source]) -> anyhow::Result<Vec<StatedVersion>> {
    let mut found: BTreeMap<Version, String> = BTreeMap::new();
    let mut all = Vec::new();
    for source in sources {
        let versions = text::stated_versions(&source.text);
        for stated in &versions {
            if let Some(version) = stated.binary() {
                found.entry(version).or_insert_with(|| {
                    let place = text::line_and_column(&source.text, stated.span.start);
                    let (line, _) = source.in_file(place);
                    format!("{version} in {}:{line}", source.name)
                });
            }
        }
        all.extend(versions);
    }
    if found.len() > 1 {
        let locations: Vec<String> = found.into_values().collect();
        bail!(
            "the texts state different versions ({}); choose one with --isa-version",
            locations.join(", ")
        );
    }
    Ok(all)
}

/// The index of a text with its errors or warnings.
pub type SourceErrors = (usize, Diagnostics);

fn error_count(errors: &[SourceErrors]) -> usize {
    errors.iter().map(|(_, diagnostics)| diagnostics.len()).sum()
}

/// An error of [`join`].
enum JoinError {
    /// Texts have errors.
    Texts(Vec<SourceErrors>),
    /// The text of this index cannot be combined with others, for this reason.
    NotJoinable(usize, &'static str),
}

/// Returns why a text cannot be combined with others, if there is a reason.
fn reason_not_joinable(module: &Module<'_>) -> Option<&'static str> {
    if has_file_indices(module) {
        Some("has file-scope variables or relocations")
    } else if module.has_unusual_sections() {
        Some("specifies the order or padding of the sections of its file")
    } else {
        None
    }
}

/// Returns whether the module contains indices of functions or variables, which would change in a
/// larger file.
fn has_file_indices(module: &Module<'_>) -> bool {
    !module.file_scope_vars.is_empty()
        || module
            .kernels
            .iter()
            .any(|k| !k.variable_relocs.is_empty() || !k.function_relocs.is_empty())
        || module
            .functions
            .iter()
            .any(|f| !f.variable_relocs.is_empty() || !f.function_relocs.is_empty())
}

/// Assembles texts to one module in one format, and returns it with the warnings of each text.
fn join(sources: &[Source], format: Format) -> Result<(Assembled, Vec<SourceErrors>), JoinError> {
    let parse = |source: &Source| Document::parse(&source.text, format).into_result();
    if let [source] = sources {
        return match parse(source) {
            Ok(Document { module, source_map, warnings, .. }) => {
                Ok((Assembled { module, source_map }, vec![(0, warnings)]))
            }
            Err(diagnostics) => Err(JoinError::Texts(vec![(0, diagnostics)])),
        };
    }
    let mut all = Module::new(format);
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    let mut names = BTreeSet::new();
    for (index, source) in sources.iter().enumerate() {
        match parse(source) {
            Ok(Document { module, warnings: own, .. }) => {
                if let Some(reason) = reason_not_joinable(&module) {
                    return Err(JoinError::NotJoinable(index, reason));
                }
                let name = |routine: Routine<'_, '_>| (routine.kind, routine.name.clone());
                let is_new = module.routines().map(name).all(|name| names.insert(name));
                if !is_new {
                    let reason = "defines a kernel or function that an earlier text defines";
                    return Err(JoinError::NotJoinable(index, reason));
                }
                all.kernels.extend(module.kernels);
                all.functions.extend(module.functions);
                warnings.push((index, own));
            }
            Err(diagnostics) => errors.push((index, diagnostics)),
        }
    }
    // A function may be declared in one text and defined in another.
    let defined: BTreeSet<_> = (all.functions.iter())
        .filter(|function| function.definition.is_some())
        .map(|function| function.name.clone())
        .collect();
    let mut declared = BTreeSet::new();
    all.functions.retain(|function| {
        function.definition.is_some()
            || !defined.contains(&function.name) && declared.insert(function.name.clone())
    });
    if !errors.is_empty() {
        return Err(JoinError::Texts(errors));
    }
    Ok((Assembled { module: all, source_map: SourceMap::default() }, warnings))
}

/// Prints the errors of texts and sets the exit code.
pub fn report_errors(
    sources: &[Source],
    errors: Vec<SourceErrors>,
    out: &mut Output,
) -> anyhow::Result<()> {
    out.set_failed();
    for (index, diagnostics) in errors {
        print_diagnostics(&sources[index], &diagnostics, out)?;
    }
    Ok(())
}

/// Prints errors and warnings with snippets of the text.
pub fn print_diagnostics(
    source: &Source,
    diagnostics: &Diagnostics,
    out: &mut Output,
) -> anyhow::Result<()> {
    let is_shown =
        |diagnostic: &&Diagnostic| out.has_warnings() || diagnostic.severity == Severity::Error;
    let shown: Vec<&Diagnostic> = diagnostics.iter().filter(is_shown).collect();
    if shown.is_empty() {
        return Ok(());
    }
    let lines = LineIndex::new(&source.text);
    let renderer = Renderer::styled();
    for diagnostic in shown {
        let kind = match diagnostic.severity {
            Severity::Error => MessageKind::Error,
            Severity::Warning => MessageKind::Warning,
        };
        print(kind, &with_snippet(source, diagnostic, &lines, &renderer), out)?;
    }
    Ok(())
}

/// Prints a snippet on standard error, after all output so far.
pub fn print(kind: MessageKind, snippet: &str, out: &mut Output) -> anyhow::Result<()> {
    Ok(out.print_message(Message::snippet(kind, format_args!("{snippet}\n")))?)
}
