//! Assembly, and reading text only to print it again.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet, Title};
use anyhow::{Context, bail};
use genvisa::error::{PathSegment, Severity};
use genvisa::object::{Code, Kernel, Name, Routine};
use genvisa::text::{self, Assembly, Diagnostic, Diagnostics, Reformatter, SourceMap};
use genvisa::{Dialect, Error, Format, Module, Version};

use crate::args::{Asm, Fmt};
use crate::input::{read_object, read_text};
use crate::output::{self, Output};
use crate::{is_standard, shown};

/// A text and what it is called.
pub struct Source {
    pub name: String,
    pub text: Vec<u8>,
}

fn sources(files: &[PathBuf]) -> anyhow::Result<Vec<Source>> {
    let source = |path: &PathBuf| Ok(Source { name: shown(path), text: read_text(path)? });
    files.iter().map(source).collect()
}

pub fn run(args: &Asm, out: &mut Output) -> anyhow::Result<()> {
    let sources = sources(&args.files)?;
    let assembled = assemble(&sources, args.dialect.dialect, args.isa_version, out)?;
    let Some(Assembled { module, source_map }) = assembled else { return Ok(()) };
    let file;
    let module = match &args.gen_binaries_of {
        Some(path) => {
            file = read_object(path)?;
            with_gen_binaries_of(module, &file, path, args, out)?
        }
        None => module,
    };
    let bytes = match module.to_bytes() {
        Ok(bytes) => bytes,
        Err(error) => {
            return match (place_of(&error, &module, &source_map), &sources[..]) {
                (Some(span), [source]) => {
                    out.found();
                    let title = without_place(&error);
                    let shown =
                        rendered(source, &span, Level::ERROR.primary_title(&title), None, None);
                    print(&shown, out)
                }
                _ => Err(error.into()),
            };
        }
    };
    let path = args.path_to_write();
    if is_standard(&path) {
        return Ok(out.write_raw(&bytes)?);
    }
    output::write_whole(&path, &bytes).with_context(|| shown(&path))
}

/// Where in the text an error about tables is.
fn place_of(error: &Error, module: &Module<'_>, places: &SourceMap) -> Option<Range<usize>> {
    let path: Vec<PathSegment> = error.path().cloned().collect();
    let routine = path.iter().find_map(|place| match place {
        PathSegment::Routine { kind, name } => module
            .routines()
            .position(|routine| routine.kind == *kind && routine.name.to_string() == *name),
        _ => None,
    });
    places.of(routine?, &path)
}

/// An error with the fields of its path. Its offset is that of a file, and there is none.
fn without_place(error: &Error) -> String {
    let fields = error.path().filter(|place| matches!(place, PathSegment::Field(_)));
    let fields: Vec<String> = fields.map(ToString::to_string).collect();
    format!("{}: {}", fields.join(", "), error.kind())
}

/// The module with the machine code that a file has for each of its kernels.
fn with_gen_binaries_of<'f>(
    module: Module<'f>,
    file: &'f [u8],
    path: &Path,
    args: &Asm,
    out: &mut Output,
) -> anyhow::Result<Module<'f>> {
    let other = Module::from_bytes(file, args.dialect.dialect).with_context(|| shown(path))?;
    let names: BTreeSet<_> = other.kernels.iter().map(|kernel| &kernel.name).collect();
    if let Some(kernel) = module.kernels.iter().find(|kernel| !names.contains(&kernel.name)) {
        bail!("{}: no kernel `{}`", shown(path), kernel.name);
    }
    for name in kernels_with_stale_binaries(&module, &other) {
        out.warn(format_args!(
            "kernel `{name}`: the machine code taken from {} is stale: the kernel's vISA code there \
             is different",
            shown(path)
        ))?;
    }
    Ok(module.with_gen_binaries_of(&other))
}

/// The names of the kernels whose code is not the code that the machine code of the other module was
/// compiled from.
fn kernels_with_stale_binaries(module: &Module<'_>, other: &Module<'_>) -> Vec<Name> {
    // Kernels of one name are paired in their order, as `Module::with_gen_binaries_of` does.
    let mut by_name: BTreeMap<&Name, VecDeque<&Kernel<'_>>> = BTreeMap::new();
    for kernel in &other.kernels {
        by_name.entry(&kernel.name).or_default().push_back(kernel);
    }
    let is_stale = |kernel: &&Kernel<'_>| {
        let same = by_name.get_mut(&kernel.name).and_then(VecDeque::pop_front);
        same.is_some_and(|same| {
            let (code, other_code) = (&kernel.body.code, &same.body.code);
            !same.gen_binaries.is_empty()
                && !is_same_code((code, module.format), (other_code, other.format))
        })
    };
    module.kernels.iter().filter(is_stale).map(|kernel| kernel.name.clone()).collect()
}

/// Whether two kernels have the same instructions, perhaps in different versions.
fn is_same_code(a: (&Code<'_>, Format), b: (&Code<'_>, Format)) -> bool {
    match (a.0, b.0) {
        (Code::Stripped { size, .. }, Code::Stripped { size: other, .. }) => size == other,
        (Code::Present { bytes, .. }, Code::Present { bytes: other, .. }) if a.1 == b.1 => {
            bytes == other
        }
        (Code::Present { .. }, Code::Present { .. }) => {
            let decoded = |(code, format): (&Code<'_>, Format)| {
                let instructions = code.instructions(format);
                instructions
                    .map(|item| item.map(|(_, instruction)| instruction))
                    .collect::<Vec<_>>()
            };
            decoded(a) == decoded(b)
        }
        _ => false,
    }
}

/// The result of [`assemble`].
pub struct Assembled {
    pub module: Module<'static>,
    /// The places in the text, if there is only one.
    pub source_map: SourceMap,
}

/// Assembles texts to one module and shows all warnings. `None` if errors have been shown.
///
/// The version is the one that is asked for, or else that of the texts; see [`versions`].
pub fn assemble(
    sources: &[Source],
    dialect: Dialect,
    asked: Option<Version>,
    out: &mut Output,
) -> anyhow::Result<Option<Assembled>> {
    let stated = if asked.is_none() { stated_version(sources)? } else { None };
    let versions = asked.map_or_else(|| versions(stated), |version| vec![version]);
    // The errors in the first version, and in the one that has the fewest.
    let mut first: Option<Vec<Wrong>> = None;
    let mut best: Option<Vec<Wrong>> = None;
    for version in versions {
        match join(sources, Format::new(dialect, version)) {
            Ok((assembled, warnings)) => {
                if let (Some(stated), Some(wrong)) = (stated, first) {
                    warn_of_newer_version(sources, &wrong, stated, version, out)?;
                }
                for (index, warnings) in warnings {
                    show(&sources[index], &warnings, out)?;
                }
                return Ok(Some(assembled));
            }
            Err(Failure::Texts(wrong)) => {
                let number =
                    |wrong: &[Wrong]| wrong.iter().map(|(_, all)| all.len()).sum::<usize>();
                // Of versions with as many errors, the one that the text states, or else the newest.
                let is_better = |best: &Vec<Wrong>| match stated {
                    Some(_) => number(&wrong) < number(best),
                    None => number(&wrong) <= number(best),
                };
                if best.as_ref().is_none_or(is_better) {
                    best = Some(wrong.clone());
                }
                first.get_or_insert(wrong);
            }
            Err(Failure::Alone(index, why)) => {
                bail!("{}: this text {why}: it cannot be joined to others", sources[index].name)
            }
        }
    }
    complain(sources, best.unwrap_or_default(), out)?;
    Ok(None)
}

/// The versions to try, in this order. A version that is stated comes first; then, as for text that
/// states none with a binary form, the newest that all readers agree on and the newest of all.
fn versions(stated: Option<Version>) -> Vec<Version> {
    let usual = [Version::V3_6, Version::V4_1];
    let newer = usual.into_iter().filter(|usual| stated.is_none_or(|stated| *usual > stated));
    stated.into_iter().chain(newer).collect()
}

/// The version with a binary form that the texts state, if any does.
fn stated_version(sources: &[Source]) -> anyhow::Result<Option<Version>> {
    let mut found: BTreeMap<Version, String> = BTreeMap::new();
    for source in sources {
        for stated in text::stated_versions(&source.text) {
            if let Some(version) = stated.binary() {
                found.entry(version).or_insert_with(|| {
                    let (line, _) = text::line_and_column(&source.text, stated.span.start);
                    format!("{}:{line} states {version}", source.name)
                });
            }
        }
    }
    if found.len() > 1 {
        let places: Vec<String> = found.into_values().collect();
        bail!(
            "a file has one version, but {}: choose one with --isa-version",
            places.join(" and ")
        );
    }
    Ok(found.into_keys().next())
}

/// Reports that the texts are assembled in a newer version than they state, and what needs it.
fn warn_of_newer_version(
    sources: &[Source],
    wrong: &[Wrong],
    stated: Version,
    version: Version,
    out: &mut Output,
) -> anyhow::Result<()> {
    let Some((index, diagnostics)) = wrong.first() else { return Ok(()) };
    let Some(diagnostic) = diagnostics.first() else { return Ok(()) };
    let others = wrong.iter().map(|(_, all)| all.len()).sum::<usize>() - 1;
    let title = format!(
        "version {stated} cannot express everything in the text: it is assembled as {version}"
    );
    let note = match others {
        0 => None,
        1 => Some("1 other place needs it as well".to_owned()),
        _ => Some(format!("{others} other places need it as well")),
    };
    let label = diagnostic.to_string();
    let shown = rendered(
        &sources[*index],
        &diagnostic.span,
        Level::WARNING.primary_title(&title),
        Some(&label),
        note.as_deref().map(|note| (Level::NOTE, note)),
    );
    print(&shown, out)
}

/// What is wrong with a text, by its index.
type Wrong = (usize, Diagnostics);

/// Why there is no file.
enum Failure {
    /// What is wrong with which text.
    Texts(Vec<Wrong>),
    /// The text that cannot be one of several, and what it does that the others could not follow.
    Alone(usize, &'static str),
}

/// What a text says that is true of a file of its own only, if anything.
fn why_alone(module: &Module<'_>) -> Option<&'static str> {
    if is_numbered(module) {
        Some("numbers what the file holds")
    } else if module.has_unusual_sections() {
        Some("says how the sections of the file lie")
    } else {
        None
    }
}

/// Whether indices in the text are those of its own file.
fn is_numbered(module: &Module<'_>) -> bool {
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

/// Assembles all texts to one module, in one format. The second part of the result are the warnings
/// of each text.
fn join(sources: &[Source], format: Format) -> Result<(Assembled, Vec<Wrong>), Failure> {
    if let [source] = sources {
        return match text::assemble(&source.text, format) {
            Ok(Assembly { module, source_map, warnings, .. }) => {
                Ok((Assembled { module, source_map }, vec![(0, warnings)]))
            }
            Err(diagnostics) => Err(Failure::Texts(vec![(0, diagnostics)])),
        };
    }
    let mut all = Module::new(format);
    let (mut wrong, mut warnings) = (Vec::new(), Vec::new());
    let mut names = BTreeSet::new();
    for (index, source) in sources.iter().enumerate() {
        match text::assemble(&source.text, format) {
            Ok(assembly) => {
                let module = assembly.module;
                if let Some(why) = why_alone(&module) {
                    return Err(Failure::Alone(index, why));
                }
                let name = |routine: Routine<'_, '_>| (routine.kind, routine.name.clone());
                let is_new = module.routines().map(name).all(|name| names.insert(name));
                if !is_new {
                    let why = "has a kernel or function that an earlier text has";
                    return Err(Failure::Alone(index, why));
                }
                all.kernels.extend(module.kernels);
                all.functions.extend(module.functions);
                warnings.push((index, assembly.warnings));
            }
            Err(diagnostics) => wrong.push((index, diagnostics)),
        }
    }
    // A function that one text only declares may be another's.
    let defined: BTreeSet<_> = (all.functions.iter())
        .filter(|function| function.definition.is_some())
        .map(|function| function.name.clone())
        .collect();
    let mut declared = BTreeSet::new();
    all.functions.retain(|function| {
        function.definition.is_some()
            || !defined.contains(&function.name) && declared.insert(function.name.clone())
    });
    if !wrong.is_empty() {
        return Err(Failure::Texts(wrong));
    }
    Ok((Assembled { module: all, source_map: SourceMap::default() }, warnings))
}

pub fn fmt(args: &Fmt, out: &mut Output) -> anyhow::Result<()> {
    let sources = sources(&args.files)?;
    let reformatter = Reformatter::new().with_numbers(!args.no_numbers);
    for (index, source) in sources.iter().enumerate() {
        match reformatter.reformat(&source.text) {
            Ok(reformatted) => {
                out.write_raw(reformatted.text.as_bytes())?;
                show(source, &reformatted.warnings, out)?;
            }
            Err(diagnostics) => complain(&sources, vec![(index, diagnostics)], out)?,
        }
    }
    Ok(())
}

/// Shows what is wrong with which text.
fn complain(sources: &[Source], wrong: Vec<Wrong>, out: &mut Output) -> anyhow::Result<()> {
    out.found();
    for (index, diagnostics) in wrong {
        show(&sources[index], &diagnostics, out)?;
    }
    Ok(())
}

/// Shows errors and warnings about a text.
fn show(source: &Source, diagnostics: &Diagnostics, out: &mut Output) -> anyhow::Result<()> {
    for diagnostic in diagnostics {
        print(&with_snippet(source, diagnostic), out)?;
    }
    Ok(())
}

/// Returns a diagnostic with the line of the text that it refers to.
pub fn with_snippet(source: &Source, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = diagnostic.to_string();
    let help = diagnostic.help.as_deref().map(|help| (Level::HELP, help));
    let title = level.primary_title(&message);
    let title = match diagnostic.rule {
        Some(rule) => title.id(rule),
        None => title,
    };
    rendered(source, &diagnostic.span, title, None, help)
}

/// Prints a snippet on standard error, after all output so far.
fn print(snippet: &str, out: &mut Output) -> anyhow::Result<()> {
    out.flush()?;
    // If standard error is closed, nobody reads the snippet.
    let _ = writeln!(anstream::stderr().lock(), "{snippet}\n");
    Ok(())
}

/// The most bytes of a line that are shown before, in and after a span.
const LONGEST: usize = 500;

/// The line of a span, with the span underlined and perhaps labelled. A long line is cut.
fn rendered(
    source: &Source,
    span: &Range<usize>,
    title: Title<'_>,
    label: Option<&str>,
    help: Option<(Level<'_>, &str)>,
) -> String {
    let text = &source.text;
    let start = span.start.min(text.len());
    let (line, column) = text::line_and_column(text, start);
    let line_start = text[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let line_len = text[line_start..].iter().position(|byte| *byte == b'\n');
    let line_end = line_len.map_or(text.len(), |len| line_start + len);
    // Columns move where bytes are not UTF-8, but nothing else does.
    let (before, rest) = text[line_start..line_end].split_at(start - line_start);
    if before.len() > LONGEST {
        let place = format!("{}:{line}:{column}", source.name);
        let origin = Level::NOTE.message("the line is too long to show");
        let group = title.element(origin);
        return format!("{}\n  --> {place}", Renderer::styled().render(&[group]));
    }
    let within = span.end.clamp(start, line_end) - start;
    let (marked, after) = rest.split_at(within);
    let lossy = |bytes: &[u8]| match bytes.get(..LONGEST) {
        Some(start) => String::from_utf8_lossy(start).into_owned() + "...",
        None => String::from_utf8_lossy(bytes).into_owned(),
    };
    let (before, marked, after) = (lossy(before), lossy(marked), lossy(after));
    let marked_span = before.len()..before.len() + marked.len();
    let shown = before + &marked + &after;
    let annotation = AnnotationKind::Primary.span(marked_span).label(label);
    let snippet =
        Snippet::source(&shown).path(&source.name).line_start(line).annotation(annotation);
    let mut group = title.element(snippet);
    if let Some((level, help)) = help {
        group = group.element(level.message(help));
    }
    Renderer::styled().render(&[group])
}
