//! Reading of files and texts for the commands that analyse routines.

use std::collections::BTreeSet;

use genvisa::Module;
use genvisa::Platform;
use genvisa::object::RoutineKind;
use genvisa::text::{Diagnostics, Document};

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
    let document = Document::parse(&source.text, dialect.of_texts());
    report(&source, &document, out)?;
    let Document { module, platform, omitted, is_readable, .. } = document;
    let omitted = omitted.into_iter().map(Omitted::from).collect();
    Ok(is_readable.then_some(Loaded { module, platform, omitted }))
}

/// Prints the errors and warnings of a text.
fn report(source: &Source, document: &Document, out: &mut Output) -> anyhow::Result<()> {
    warn_of_duplicates(source, &document.duplicates, out)?;
    if !document.errors.is_empty() {
        out.set_failed();
        assemble::print_diagnostics(source, &document.errors, out)?;
    }
    let newer_version = document.newer_version_warning().into_iter().collect();
    assemble::print_diagnostics(source, &newer_version, out)?;
    assemble::print_diagnostics(source, &document.warnings, out)
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
