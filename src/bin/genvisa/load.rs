//! Reading of files and texts for the commands that analyse routines.

use std::ops::Range;

use genvisa::Module;
use genvisa::text;
use genvisa::verify::Platform;

use crate::args::DialectArg;
use crate::asm::{self, Source};
use crate::input::Input;
use crate::omitted::Omitted;
use crate::output::Output;

/// The module of a file or text.
pub struct Loaded<'b> {
    pub module: Module<'b>,
    /// The platform that the text states.
    pub platform: Option<Platform>,
    /// The routines of the text that are not in the module, because they have errors.
    pub omitted: Vec<Omitted>,
}

/// Decodes a `.isa` file, or parses a text.
///
/// Prints the errors of a text, and sets the exit code. Routines with errors are omitted; returns
/// `None` if no other remains.
pub fn load<'b>(
    input: &'b Input,
    dialect: &DialectArg,
    out: &mut Output,
) -> anyhow::Result<Option<Loaded<'b>>> {
    if input.is_object() {
        let module = input.module(dialect.of_files())?;
        return Ok(Some(Loaded { module, platform: None, omitted: Vec::new() }));
    }
    let platform = text::stated_platform(&input.bytes).and_then(|platform| platform.parse().ok());
    let source = Source { name: input.name.clone(), text: input.bytes.clone() };
    let module = parse(source, dialect, out)?;
    Ok(module.map(|(module, omitted)| Loaded { module, platform, omitted }))
}

/// Parses a text, and then again without the routines that have errors, which are also returned.
fn parse(
    mut source: Source,
    dialect: &DialectArg,
    out: &mut Output,
) -> anyhow::Result<Option<(Module<'static>, Vec<Omitted>)>> {
    /// A text is parsed at most this many times. A pass reports at most a hundred errors.
    const PASSES: usize = 8;
    let mut omitted = Vec::new();
    for _ in 0..PASSES {
        let errors = match asm::try_parse(&source, dialect, None, out)? {
            Ok(assembled) => return Ok(Some((assembled.module, omitted))),
            Err(errors) => errors,
        };
        let starts: Vec<usize> = (errors.iter().flat_map(|(_, diagnostics)| diagnostics))
            .map(|diagnostic| diagnostic.span.start)
            .collect();
        asm::report_errors(std::slice::from_ref(&source), errors, out)?;
        let mut text = Vec::from(std::mem::take(&mut source.text));
        if !remove_routines(&mut text, &starts, &mut omitted) {
            return Ok(None);
        }
        source.text = text.into();
    }
    let name = &source.name;
    out.report_error(format_args!("{name}: too many errors; no routine of this text was read"))?;
    Ok(None)
}

/// Replaces the routines that contain one of these places by spaces, and adds them to a list.
/// Returns whether there are such routines, and others.
fn remove_routines(text: &mut [u8], places: &[usize], omitted: &mut Vec<Omitted>) -> bool {
    let routines = routines(text);
    let is_wrong = |routine: &TextRoutine| places.iter().any(|at| routine.span().contains(at));
    let wrong: Vec<bool> = routines.iter().map(is_wrong).collect();
    if !wrong.contains(&true) || !wrong.contains(&false) {
        return false;
    }
    for (index, routine) in routines.iter().enumerate().filter(|(index, _)| wrong[*index]) {
        omitted.push(Omitted::from_text(&text[routine.start..routine.end]));
        // The version is also that of the following routines without one.
        let mut following = routines[index + 1..].iter().zip(&wrong[index + 1..]);
        let is_shared = following
            .by_ref()
            .take_while(|(next, _)| next.version == next.start)
            .any(|(_, is_wrong)| !is_wrong);
        let start = if is_shared { routine.start } else { routine.version };
        for byte in text[start..routine.end].iter_mut().filter(|byte| **byte != b'\n') {
            *byte = b' ';
        }
    }
    true
}

/// The place of a routine in a text.
struct TextRoutine {
    /// The start of its `.version`, or that of its first directive.
    version: usize,
    start: usize,
    end: usize,
}

impl TextRoutine {
    fn span(&self) -> Range<usize> {
        self.version..self.end
    }
}

/// Returns the routines of a text, to judge by the first words of the lines.
fn routines(text: &[u8]) -> Vec<TextRoutine> {
    let mut routines: Vec<TextRoutine> = Vec::new();
    let (mut at, mut version) = (0, None);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let words = line.trim_ascii_start();
        if words.starts_with(b".version") {
            version = Some(at);
        } else if words.starts_with(b".kernel ") || words.starts_with(b".global_function ") {
            let start = version.take().unwrap_or(at);
            if let Some(last) = routines.last_mut() {
                last.end = start;
            }
            routines.push(TextRoutine { version: start, start: at, end: text.len() });
        }
        at += line.len();
    }
    routines
}
