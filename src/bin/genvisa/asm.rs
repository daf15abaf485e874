//! Assembly, and reading text only to print it again.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use anyhow::{Context, bail};
use genvisa::text::{self, Diagnostic};
use genvisa::{Dialect, Format, Module, Version};

use crate::args::{Asm, Fmt};
use crate::output::{self, Output};
use crate::{is_standard, read, shown};

/// A text and what it is called.
pub struct Source {
    pub name: String,
    pub text: Vec<u8>,
}

/// The formats to try: the newest version that all readers agree on, then the newest of all, unless
/// one is asked for.
pub fn formats(dialect: Dialect, version: Option<Version>) -> Vec<Format> {
    let versions = version.map_or(vec![Version::V3_6, Version::V4_1], |version| vec![version]);
    versions.into_iter().map(|version| Format::new(dialect, version)).collect()
}

fn sources(files: &[PathBuf]) -> anyhow::Result<Vec<Source>> {
    let source = |path: &PathBuf| Ok(Source { name: shown(path), text: read(path)? });
    files.iter().map(source).collect()
}

pub fn run(args: &Asm, out: &mut Output) -> anyhow::Result<()> {
    let sources = sources(&args.files)?;
    let mut result = Err(Failure::Texts(Vec::new()));
    for format in formats(args.dialect.dialect, args.isa_version) {
        result = assemble(&sources, format);
        if result.is_ok() {
            break;
        }
    }
    let module = match result {
        Ok(module) => module,
        Err(Failure::Texts(wrong)) => return complain(&sources, wrong, out),
        Err(Failure::Alone(index, why)) => {
            bail!("{}: this text {why}: it cannot be joined to others", sources[index].name)
        }
    };
    let bytes = match &args.gen_binaries_of {
        Some(path) => with_gen_binaries_of(module, path, args)?,
        None => module.to_bytes()?,
    };
    let path = args.path_to_write();
    if is_standard(&path) {
        return Ok(out.write_raw(&bytes)?);
    }
    output::write_whole(&path, &bytes).with_context(|| shown(&path))
}

/// Why there is no file.
enum Failure {
    /// What is wrong with which text.
    Texts(Vec<(usize, Vec<Diagnostic>)>),
    /// The text that cannot be one of several, and what it does that the others could not follow.
    Alone(usize, &'static str),
}

/// The bytes of the module with the machine code that a file has for each of its kernels.
fn with_gen_binaries_of(module: Module<'_>, path: &Path, args: &Asm) -> anyhow::Result<Vec<u8>> {
    let file = read(path)?;
    let other = Module::parse(&file, args.dialect.dialect).with_context(|| shown(path))?;
    let names: BTreeSet<_> = other.kernels.iter().map(|kernel| &kernel.name).collect();
    if let Some(kernel) = module.kernels.iter().find(|kernel| !names.contains(&kernel.name)) {
        bail!("{}: no kernel `{}`", shown(path), kernel.name);
    }
    Ok(module.with_gen_binaries_of(&other).to_bytes()?)
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

/// All texts as one module, or what is wrong with each.
fn assemble(sources: &[Source], format: Format) -> Result<Module<'static>, Failure> {
    if let [source] = sources {
        return text::parse(&source.text, format)
            .map_err(|diagnostics| Failure::Texts(vec![(0, diagnostics)]));
    }
    let mut all = Module::new(format);
    let mut wrong = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        match text::parse(&source.text, format) {
            Ok(module) => {
                if let Some(why) = why_alone(&module) {
                    return Err(Failure::Alone(index, why));
                }
                all.kernels.extend(module.kernels);
                all.functions.extend(module.functions);
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
    if wrong.is_empty() { Ok(all) } else { Err(Failure::Texts(wrong)) }
}

pub fn fmt(args: &Fmt, out: &mut Output) -> anyhow::Result<()> {
    let sources = sources(&args.files)?;
    for (index, source) in sources.iter().enumerate() {
        match text::reprint(&source.text) {
            Ok(text) => out.write_raw(text.as_bytes())?,
            Err(diagnostics) => complain(&sources, vec![(index, diagnostics)], out)?,
        }
    }
    Ok(())
}

/// Shows what is wrong with which text.
pub fn complain(
    sources: &[Source],
    wrong: Vec<(usize, Vec<Diagnostic>)>,
    out: &mut Output,
) -> anyhow::Result<()> {
    out.found();
    out.flush()?;
    let mut stderr = anstream::stderr().lock();
    for (index, diagnostics) in wrong {
        let source = &sources[index];
        for diagnostic in &diagnostics {
            // Whoever closed standard error does not want to know.
            let _ = writeln!(stderr, "{}\n", rendered(source, diagnostic));
        }
    }
    Ok(())
}

/// The line with what is wrong underlined.
fn rendered(source: &Source, diagnostic: &Diagnostic) -> String {
    let text = &source.text;
    let start = diagnostic.span.start.min(text.len());
    let (line, _) = diagnostic.line_and_column(text);
    let line_start = text[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let line_len = text[line_start..].iter().position(|byte| *byte == b'\n');
    let line_end = line_len.map_or(text.len(), |len| line_start + len);
    // Columns move where bytes are not UTF-8, but nothing else does.
    let (before, behind) = text[line_start..line_end].split_at(start - line_start);
    let within = diagnostic.span.end.clamp(start, line_end) - start;
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (before, marked, behind) =
        (lossy(before), lossy(&behind[..within]), lossy(&behind[within..]));
    let span = before.len()..before.len() + marked.len();
    let shown = before + &marked + &behind;
    let message = diagnostic.to_string();
    let snippet = Snippet::source(&shown)
        .path(&source.name)
        .line_start(line)
        .annotation(AnnotationKind::Primary.span(span));
    let mut group = Level::ERROR.primary_title(&message).element(snippet);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    Renderer::styled().render(&[group])
}
