//! Reading of files and texts for the commands that analyse routines.

use std::collections::BTreeSet;

use genvisa::object::RoutineKind;
use genvisa::text::{self, Diagnostic, Diagnostics, Errors, PartialAssembly};
use genvisa::verify::Platform;
use genvisa::{Format, Module};

use crate::input::Input;
use crate::modules::assemble;
use crate::modules::omitted::Omitted;
use crate::options::DialectArg;
use crate::output::Output;
use crate::output::snippet::Source;
use crate::words::printable;

/// The module of a file or text.
pub struct Loaded<'b> {
    pub module: Module<'b>,
    /// The platform that the text states.
    pub platform: Option<Platform>,
    /// The routines of the text that are not in the module, because they have errors.
    pub omitted: Vec<Omitted>,
}

impl Loaded<'_> {
    /// Returns whether nothing of a text was read, because all routines have errors.
    pub fn is_unread(&self) -> bool {
        !self.omitted.is_empty() && self.module.routines().next().is_none()
    }

    /// Returns whether functions are omitted, which the module then declares.
    pub fn lacks_functions(&self) -> bool {
        self.omitted.iter().any(|routine| routine.kind == RoutineKind::Function)
    }
}

/// Decodes a `.isa` file, or parses a text.
///
/// Prints the errors of a text, and sets the exit code. Routines with errors are omitted; if all have
/// errors, the module is empty. Returns `None` if the errors are not in routines.
///
/// Texts may define a routine several times, as files do. This is a warning only.
pub fn load<'b>(
    input: &'b Input,
    dialect: &DialectArg,
    out: &mut Output,
) -> anyhow::Result<Option<Loaded<'b>>> {
    if input.is_object() {
        let module = input.module(dialect.of_files())?;
        return Ok(Some(Loaded { module, platform: None, omitted: Vec::new() }));
    }
    let source = input.source();
    let Some(partial) = parse(&source, dialect, out)? else { return Ok(None) };
    let platform = text::stated_platform(&input.bytes).and_then(|platform| platform.parse().ok());
    let omitted = partial.omitted.into_iter().map(Omitted::from).collect();
    Ok(Some(Loaded { module: partial.module, platform, omitted }))
}

/// Parses a text in the versions that `asm` tries, up to one without errors. Prints the errors and
/// warnings. Returns `None` if the errors are not in routines.
fn parse(
    source: &Source,
    dialect: &DialectArg,
    out: &mut Output,
) -> anyhow::Result<Option<PartialAssembly>> {
    let sources = std::slice::from_ref(source);
    let (dialect, requested) = assemble::dialect_and_version(source, dialect, None);
    let (stated, versions) = assemble::versions(sources, requested)?;
    let mut results = Vec::new();
    for version in &versions {
        let result = text::assemble_partial(&source.text, Format::new(dialect, *version));
        let is_correct = errors_of(&result).is_empty();
        results.push(result);
        if is_correct {
            break;
        }
    }
    // Of versions with equally many errors, prefer the first, which the text may state.
    let fewest = (0..results.len()).min_by_key(|index| errors_of(&results[*index]).len());
    let Some(chosen) = fewest else { return Ok(None) };
    let result = results.remove(chosen);
    if let Ok(partial) = &result {
        warn_of_duplicates(source, &partial.duplicates, out)?;
    }
    if !errors_of(&result).is_empty() {
        out.set_failed();
        assemble::print_diagnostics(source, errors_of(&result), out)?;
    }
    let Ok(partial) = result else { return Ok(None) };
    if let Some(stated) = stated.filter(|_| chosen > 0) {
        let is_read = |error: &&Diagnostic| {
            !partial.omitted.iter().any(|routine| routine.span.contains(&error.span.start))
        };
        let others = errors_of(&results[0]).iter().filter(is_read).cloned().collect();
        assemble::warn_of_newer_version(sources, &[(0, others)], stated, versions[chosen], out)?;
    }
    assemble::print_diagnostics(source, &partial.warnings, out)?;
    Ok(Some(partial))
}

fn errors_of(result: &Result<PartialAssembly, Errors>) -> &Diagnostics {
    match result {
        Ok(partial) => &partial.errors,
        Err(errors) => errors,
    }
}

/// Warns of each name that several routines have.
fn warn_of_duplicates(
    source: &Source,
    duplicates: &Diagnostics,
    out: &mut Output,
) -> anyhow::Result<()> {
    let mut seen = BTreeSet::new();
    for duplicate in duplicates {
        let (message, line) = (duplicate.to_string(), duplicate.line_and_column());
        if seen.insert(message.clone()) {
            let (file, line) = (&source.name, line.map_or(0, |it| source.in_file(it).0));
            out.warn(format_args!("{file}:{line}: {}", printable(&message)))?;
        }
    }
    Ok(())
}
