//! `genvisa check --dumps`: what the compiler changed of the kernels in a folder of dumps.
//!
//! With `IGC_ShaderDumpEnable=1`, IGC writes a kernel with inline assembly as two texts: the text that it
//! parses, and the text of the instructions that it compiles.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, iter};

use annotate_snippets::Level;
use anyhow::{Context, bail};
use genvisa::Module;
use genvisa::object::Code;
use genvisa::text::{Document, LineIndex, ParseOptions, as_igc_writes};
use genvisa::verify::{Finding, Verifier};
use genvisa_diff::{Differ, LineChange, RoutineDiff};
use genvisa_inline::Checker;
use serde::Serialize;

use super::Check;
use super::json::{Place, place};
use super::statements::{Statements, Written};
use crate::input::read_text;
use crate::input::walk::{self, File as InputFile, Wanted};
use crate::modules::assemble;
use crate::ocloc::Ocloc;
use crate::options::{DialectArg, ReportFormat};
use crate::output::Output;
use crate::output::definitions::{
    Column, File, InstructionIndex, Line, RoutineName, RuleName, RuleUrl,
};
use crate::output::parallel;
use crate::output::snippet::{Source, render};
use crate::rule_list::url;
use crate::words::{count, printable, shown};

/// The ends of the names of the two texts.
const PARSED: &str = ".inline.visaasm";
const COMPILED: &str = ".visaasm";

/// An instruction of the text that the compiler parses, and what it compiles instead.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct Change<'c> {
    file: File<'c>,
    line: Line,
    column: Column,
    routine: RoutineName,
    instruction: InstructionIndex,
    /// The text of the instruction, as `dis` prints it; null if the compiler added instructions before it.
    text: Option<String>,
    /// What the compiler compiles instead, in the names of the file.
    compiled: Vec<String>,
    /// The rule that explains the change, if there is one.
    rule: Option<RuleName<'static>>,
    url: Option<RuleUrl>,
    /// The message of the rule.
    message: Option<String>,
    /// The places of the line in the sources; several if statements have the same text.
    written: Vec<WrittenAt<'c>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct WrittenAt<'c> {
    #[serde(flatten)]
    place: Place<'c>,
    /// The place of the use of a macro.
    expansion: Option<Place<'c>>,
}

/// The comparison of two texts.
#[derive(Default)]
struct Compared {
    routines: usize,
    changes: usize,
    /// The changes whose lines are found in sources.
    written: usize,
    json: Vec<serde_json::Value>,
}

/// Compiles the files of the command line into the folder of dumps, and compares the texts in it.
pub fn run(args: &Check, folder: &Path, out: &mut Output) -> anyhow::Result<()> {
    if !args.files.is_empty() {
        compile(args, folder, out)?;
    }
    let sources: Vec<PathBuf> = args.files.iter().chain(&args.source).cloned().collect();
    let sources = Statements::read(&sources, out)?;
    let wanted = Wanted { is_wanted, what: Some("*.inline.visaasm files") };
    let found = walk::expand(&[folder.to_path_buf()], &wanted, out)?;
    if found.has_error {
        out.set_unreadable_input();
        return Ok(());
    }
    let mut all = Compared::default();
    let work = |file: &InputFile, out: &mut Output| {
        let is_json = args.format.get() == ReportFormat::Json;
        compare(&file.path, &sources, is_json, out).or_else(|error| {
            out.report_error(format_args!("{error:#}"))?;
            out.set_unreadable_input();
            Ok(Compared::default())
        })
    };
    parallel::for_each(&found.files, InputFile::path, out, work, |compared| {
        all.routines += compared.routines;
        all.changes += compared.changes;
        all.written += compared.written;
        all.json.extend(compared.json);
    })?;
    if all.changes > 0 {
        out.set_failed();
        if all.written == 0 && !args.source.is_empty() {
            out.warn(format_args!("--source: no change is in a statement of these files"))?;
        }
    }
    if args.format.get() == ReportFormat::Json {
        return out.write_json(&all.json);
    }
    let routines = count(all.routines, "routine");
    writeln!(out, "{routines} compared: {} by the compiler", count(all.changes, "change"))?;
    Ok(())
}

/// Returns the number of changes in the dumps of a folder, which may have none.
pub fn count_changes(folder: &Path, out: &mut Output) -> anyhow::Result<usize> {
    let wanted = Wanted { is_wanted, what: None };
    let found = walk::expand(&[folder.to_path_buf()], &wanted, out)?;
    let mut changes = 0;
    for file in &found.files {
        changes += compare(&file.path, &Statements::default(), true, out)?.changes;
    }
    Ok(changes)
}

fn is_wanted(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().ends_with(PARSED.as_bytes()))
}

/// Compiles files with dumps. Reports the files that the compiler refuses.
fn compile(args: &Check, folder: &Path, out: &mut Output) -> anyhow::Result<()> {
    create(folder)?;
    if fs::read_dir(folder)?.next().is_some() {
        bail!("`{}` is not empty: state another folder for the dumps", shown(folder));
    }
    let compiler = Ocloc::new(&args.ocloc)?;
    let default = [Checker::DEFAULT_PLATFORM];
    let platforms = if args.platform.is_empty() { &default[..] } else { &args.platform };
    for platform in platforms {
        let Some(device) = platform.devices().first() else {
            bail!("the compiler has no device of platform {platform}");
        };
        let folder = folder.join(device);
        create(&folder)?;
        for file in &args.files {
            if let Err(refused) = compiler.compile(&folder, file, device, [""; 0])? {
                out.report_error(refused)?;
            }
        }
    }
    Ok(())
}

/// Creates a folder, if it does not exist.
fn create(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create `{}`", shown(folder)))
}

/// Returns the path of the text that the compiler compiles.
fn compiled(parsed: &Path) -> PathBuf {
    let name = parsed.file_name().unwrap_or_default().to_string_lossy();
    parsed.with_file_name(format!("{}{COMPILED}", name.strip_suffix(PARSED).unwrap_or(&name)))
}

/// Reads a text. Prints its errors, and returns `None` if it has any.
fn read(path: &Path, out: &mut Output) -> anyhow::Result<Option<(Source, Document)>> {
    let source = read_text(path, &DialectArg { dialect: None })?.source();
    let document = assemble::parse(&source, ParseOptions::new(), out)?;
    if document.is_none() {
        out.set_unreadable_input();
    }
    Ok(document.map(|document| (source, document)))
}

/// Compares the two texts of a kernel. Prints the changes, or returns them as JSON.
fn compare(
    path: &Path,
    sources: &Statements,
    is_json: bool,
    out: &mut Output,
) -> anyhow::Result<Compared> {
    let mut compared = Compared::default();
    let Some((source, parsed)) = read(path, out)? else { return Ok(compared) };
    let Some((_, compiled)) = read(&compiled(path), out)? else { return Ok(compared) };
    // Only the second text states the platform.
    let verifier = Verifier::new().or_platform(parsed.platform.or(compiled.platform));
    let findings = verifier.check_module(&parsed.module);
    let lines = LineIndex::new(&source.text);
    let [a, b] = [&parsed, &compiled].map(|document| written_by_igc(document.module.clone()));
    for pair in Differ::new().modules(&a?, &b?).routines {
        let (Some((routine, name)), Some(diff)) = (&pair.a, pair.diff) else {
            let name = pair.a.or(pair.b).map(|(_, name)| printable(&name.to_string_lossy()));
            let name = name.unwrap_or_default();
            out.report_error(format_args!(
                "{}: `{name}` is in one of the texts only",
                source.name
            ))?;
            out.set_unreadable_input();
            continue;
        };
        let routine = *routine;
        compared.routines += 1;
        for change in changes(&diff?) {
            compared.changes += 1;
            let span = parsed.source_map.instruction(routine, change.index);
            let span = span.or_else(|| parsed.source_map.routine(routine)).unwrap_or_default();
            let place = source.in_file(lines.line_and_column(span.start));
            let explains = |finding: &&Finding| {
                (finding.routine, finding.instruction) == (Some(routine), Some(change.index))
                    && finding.rule.response.is_silent_change()
            };
            let finding = findings.iter().filter(explains).max_by_key(|it| it.rule.response);
            let routine_name = name.to_string_lossy();
            let written = sources.places(&source.text, span.start, &routine_name);
            compared.written += usize::from(!written.is_empty());
            if is_json {
                let change = change.into_json(&source.name, place, routine_name, finding, &written);
                compared.json.push(serde_json::to_value(change)?);
                continue;
            }
            let message = printable(&change.message());
            let title = Level::ERROR.primary_title(&message);
            let title = match finding {
                Some(finding) => title.id(finding.rule.name),
                None => title,
            };
            let help = finding.map(|finding| {
                let end = if finding.rule.statement.ends_with('.') { "" } else { "." };
                printable(&format!("{}. {}{end}", finding.message, finding.rule.statement))
            });
            let help = help.as_deref().map(|help| (Level::HELP, help));
            let written = (!written.is_empty()).then(|| note(&written));
            let written = written.as_deref().map(|written| (Level::NOTE, written));
            let renderer = out.renderer();
            let text = render(
                &source,
                &span,
                place,
                title,
                None,
                written.into_iter().chain(help),
                &renderer,
            );
            writeln!(out, "{text}\n")?;
        }
    }
    Ok(compared)
}

/// Returns a module without what the second text never contains.
fn written_by_igc(mut module: Module<'_>) -> genvisa::Result<Module<'_>> {
    let format = module.format;
    for body in module.bodies_mut() {
        let instructions = body.code.instructions(format);
        let written = instructions.map(|item| item.map(|(_, one)| as_igc_writes(one)));
        let written = written.collect::<genvisa::Result<Vec<_>>>()?;
        body.code = Code::from_instructions(&written, format)?;
    }
    Ok(module)
}

/// Returns a note about the places where a line can be written.
fn note(written: &[Written]) -> String {
    let shown = |written: &Written| match &written.expansion {
        Some(expansion) => format!("{}, in the expansion at {expansion}", written.place),
        None => written.place.to_string(),
    };
    let places: Vec<String> = written.iter().map(shown).collect();
    format!("written at {}", places.join("; or at "))
}

/// A change of an instruction.
struct Changed {
    /// The index of the instruction; of the next one if instructions are added.
    index: usize,
    text: Option<String>,
    compiled: Vec<String>,
}

/// Returns the changes, in the order of the instructions.
fn changes(diff: &RoutineDiff) -> Vec<Changed> {
    let mut all = Vec::new();
    for hunk in diff.hunks(0) {
        let of = |change| {
            let lines = hunk.lines.iter().filter(move |line| line.change == change);
            lines.map(|line| line.text.trim().to_string()).collect::<Vec<_>>()
        };
        let (removed, added) = (of(LineChange::Removed), of(LineChange::Added));
        if removed.is_empty() {
            all.push(Changed { index: hunk.index, text: None, compiled: added });
            continue;
        }
        // As many instructions are counterparts in their order. Otherwise, the first one has all.
        let compiled: Vec<Vec<String>> = match removed.len() == added.len() {
            true => added.into_iter().map(|line| vec![line]).collect(),
            false => {
                iter::once(added).chain(iter::repeat(Vec::new())).take(removed.len()).collect()
            }
        };
        let pairs = removed.into_iter().zip(compiled).enumerate();
        all.extend(pairs.map(|(at, (text, compiled))| Changed {
            index: hunk.index + at,
            text: Some(text),
            compiled,
        }));
    }
    all
}

impl Changed {
    fn message(&self) -> String {
        let compiled = self.compiled.iter().map(|line| format!("`{line}`"));
        let compiled = compiled.collect::<Vec<_>>().join(" and ");
        match (&self.text, compiled.is_empty()) {
            (None, _) => format!("the compiler adds {compiled} before this instruction"),
            (Some(_), true) => "the compiler does not compile this instruction".into(),
            (Some(_), false) => format!("the compiler compiles {compiled} instead"),
        }
    }

    fn into_json<'c>(
        self,
        file: &'c str,
        (line, column): (usize, usize),
        routine: String,
        finding: Option<&Finding>,
        written: &'c [Written],
    ) -> Change<'c> {
        Change {
            file: File(file),
            line: Line(line),
            column: Column(column),
            routine: RoutineName(routine),
            instruction: InstructionIndex(self.index),
            text: self.text,
            compiled: self.compiled,
            rule: finding.map(|finding| RuleName(finding.rule.name)),
            url: finding.map(|finding| RuleUrl(url(finding.rule.name))),
            message: finding.map(|finding| finding.message.clone()),
            written: written
                .iter()
                .map(|written| WrittenAt {
                    place: place(&written.place),
                    expansion: written.expansion.as_ref().map(place),
                })
                .collect(),
        }
    }
}
