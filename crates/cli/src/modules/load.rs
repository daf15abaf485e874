//! Reading of files and texts for the commands that analyse routines.

mod duplicates;

use std::collections::BTreeSet;
use std::ops::Range;

use genvisa::Module;
use genvisa::text;
use genvisa::verify::Platform;

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
    let mut may_have_duplicates = true;
    for _ in 0..PASSES {
        let errors = match assemble::try_parse(&source, dialect, None, out)? {
            Ok(assembled) => return Ok(Some((assembled.module, omitted))),
            Err(errors) => errors,
        };
        if std::mem::take(&mut may_have_duplicates) && annotate_duplicates(&mut source, out)? {
            continue;
        }
        let starts: Vec<usize> = (errors.iter().flat_map(|(_, diagnostics)| diagnostics))
            .map(|diagnostic| diagnostic.span.start)
            .collect();
        assemble::report_errors(std::slice::from_ref(&source), errors, out)?;
        let mut text = Vec::from(std::mem::take(&mut source.text));
        match remove_routines(&mut text, &starts, &mut omitted) {
            Remaining::AllRoutines => return Ok(None),
            // A text without routines cannot be parsed.
            Remaining::NoRoutine => {
                return Ok(Some((Module::new(text::format_of(&text)), omitted)));
            }
            Remaining::SomeRoutines => source.text = text.into(),
        }
    }
    let name = &source.name;
    out.report_error(format_args!("{name}: too many errors; no routine of this text was read"))?;
    Ok(None)
}

/// Allows a text to define routines several times, with a warning. Returns whether it does.
fn annotate_duplicates(source: &mut Source, out: &mut Output) -> anyhow::Result<bool> {
    let text = &source.text;
    let lines: Vec<Range<usize>> = routines(text).iter().map(|it| it.first_line(text)).collect();
    let Some((annotated, names)) = duplicates::annotate(text, &lines) else { return Ok(false) };
    let line_index = text::LineIndex::new(text);
    for ((kind, name), index) in names {
        let (line, _) = line_index.line_and_column(lines[index].start);
        let (file, name) = (&source.name, printable(&name));
        out.warn(format_args!("{file}:{line}: {kind} `{name}` is already defined"))?;
    }
    source.text = annotated.into();
    Ok(true)
}

/// The routines of a text that remain after those with errors are removed.
enum Remaining {
    AllRoutines,
    SomeRoutines,
    NoRoutine,
}

/// Replaces the routines that contain one of these places by spaces, and appends them to `omitted`.
fn remove_routines(text: &mut [u8], places: &[usize], omitted: &mut Vec<Omitted>) -> Remaining {
    let routines = routines(text);
    let is_wrong = |routine: &TextRoutine| places.iter().any(|at| routine.span().contains(at));
    let mut wrong: Vec<bool> = routines.iter().map(is_wrong).collect();
    if !wrong.contains(&true) {
        return Remaining::AllRoutines;
    }
    let mut names: Vec<Omitted> = routines
        .iter()
        .map(|routine| Omitted::from_text(&text[routine.start..routine.end]))
        .collect();
    // Routines of the same name are matched in order. If only some were removed, the others would be
    // matched with the wrong ones.
    let key = |index: usize| (names[index].kind, &*names[index].name);
    let wrong_names: BTreeSet<_> =
        (0..names.len()).filter(|index| wrong[*index]).map(key).collect();
    for (index, is_wrong) in wrong.iter_mut().enumerate() {
        *is_wrong |= !names[index].name.is_empty() && wrong_names.contains(&key(index));
    }
    for (index, routine) in routines.iter().enumerate().filter(|(index, _)| wrong[*index]) {
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
    for (name, routine) in names.iter_mut().zip(&routines) {
        name.has_errors = is_wrong(routine);
    }
    let remaining =
        if wrong.contains(&false) { Remaining::SomeRoutines } else { Remaining::NoRoutine };
    omitted.extend(
        names.into_iter().zip(wrong).filter_map(|(name, is_wrong)| is_wrong.then_some(name)),
    );
    remaining
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

    /// Returns the span of the line with the name, without the line end.
    fn first_line(&self, text: &[u8]) -> Range<usize> {
        let routine = &text[self.start..self.end];
        let line = routine.split(|byte| *byte == b'\n').next().unwrap_or_default();
        self.start..self.start + line.trim_ascii_end().len()
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
