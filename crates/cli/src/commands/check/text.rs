//! The text output of `genvisa check`.

use std::cmp::Reverse;
use std::io::Write;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use genvisa::verify::Severity;

use super::files::Input;
use super::report::{BlockReport, FileReport, Located, Status, Summary};
use crate::input::walk::Suffixes;
use crate::output::Output;
use crate::words::{count, printable};

/// The maximum number of blocks of a file that are not vISA to print, unless the output is verbose.
const MAX_NOT_VISA: usize = 3;

/// Prints the result for a file.
pub fn print(
    report: &FileReport,
    input: &Input,
    is_verbose: bool,
    out: &mut Output,
) -> anyhow::Result<()> {
    if report.blocks.is_empty() && report.errors.is_empty() && (input.is_argument || is_verbose) {
        writeln!(out, "{}: no inline assembly found", report.file)?;
    }
    let renderer = out.renderer();
    for block in &report.blocks {
        for located in &block.findings {
            writeln!(out, "{}\n", render(located, block, &renderer))?;
        }
    }
    let mut not_visa = 0;
    for block in &report.blocks {
        match &block.status {
            Status::NotRead(reason) => {
                writeln!(out, "{}: not read: {}", block.place, printable(reason))?;
            }
            Status::NotVisa(reason) => {
                not_visa += 1;
                if is_verbose || not_visa <= MAX_NOT_VISA {
                    writeln!(out, "{}: not vISA: {reason}", block.place)?;
                }
            }
            Status::Partial if is_verbose => {
                let unknown: Vec<String> = block.unknown.iter().map(ToString::to_string).collect();
                writeln!(out, "{}: not known: {}", block.place, unknown.join(", "))?;
            }
            _ => {}
        }
    }
    let hidden = if is_verbose { 0 } else { not_visa.saturating_sub(MAX_NOT_VISA) };
    if hidden > 0 {
        writeln!(out, "{}: {} not vISA (--verbose)", report.file, count(hidden, "more block"))?;
    }
    Ok(())
}

/// Prints what is not known, and the last line.
pub fn print_summary(
    summary: &Summary,
    platforms: &str,
    is_verbose: bool,
    out: &mut Output,
) -> anyhow::Result<()> {
    let blocks = |n| count(n, "block");
    if !is_verbose {
        if summary.without_lanes > 0 {
            writeln!(
                out,
                "{}: the number of lanes is not known (--lanes 16)",
                blocks(summary.without_lanes)
            )?;
        }
        if summary.without_type > 0 {
            writeln!(
                out,
                "{}: the type of an operand is not known (--operand 0=float, --verbose)",
                blocks(summary.without_type)
            )?;
        }
        if summary.without_value > 0 {
            writeln!(
                out,
                "{}: the value of a constant operand is not known (--verbose)",
                blocks(summary.without_value)
            )?;
        }
        if summary.with_compiler_variables > 0 {
            writeln!(
                out,
                "{}: a variable of the compiler is used (--verbose)",
                blocks(summary.with_compiler_variables)
            )?;
        }
        if summary.empty_files > 0 {
            writeln!(out, "{}: no inline assembly found", count(summary.empty_files, "file"))?;
        }
    }
    if !summary.skipped.is_empty() {
        writeln!(out, "{}", skipped(&summary.skipped))?;
    }
    writeln!(
        out,
        "{}, {} for {platforms}: {} checked, {} checked in part, {} not vISA, {} not read; {}, {}",
        count(summary.files, "file"),
        blocks(summary.blocks()),
        summary.checked,
        summary.partial,
        summary.not_visa,
        summary.not_read,
        count(summary.errors, "error"),
        count(summary.warnings, "warning"),
    )?;
    Ok(())
}

/// The maximum number of suffixes of skipped files to print.
const MAX_SUFFIXES: usize = 5;

/// Returns the numbers of skipped files, the most frequent suffixes first: `12 files skipped: 10 .py,
/// 2 .txt`.
fn skipped(suffixes: &Suffixes) -> String {
    let mut by_number: Vec<(&String, usize)> =
        suffixes.iter().map(|(suffix, number)| (suffix, *number)).collect();
    by_number.sort_by_key(|(_, number)| Reverse(*number));
    let (shown, others) = by_number.split_at(by_number.len().min(MAX_SUFFIXES));
    let mut parts: Vec<String> = shown
        .iter()
        .map(|(suffix, number)| match &***suffix {
            "" => format!("{number} without suffix"),
            suffix => format!("{number} .{}", printable(suffix)),
        })
        .collect();
    if !others.is_empty() {
        parts.push(format!("{} others", others.iter().map(|(_, number)| number).sum::<usize>()));
    }
    format!("{} skipped: {}", count(suffixes.values().sum(), "file"), parts.join(", "))
}

/// Returns a finding with the line that it is about.
fn render(located: &Located, block: &BlockReport, renderer: &Renderer) -> String {
    let finding = &located.finding;
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = printable(&located.message());
    let title = level.primary_title(&message).id(finding.rule);
    let path = match (&located.place.line_and_column, &block.function) {
        (Some(_), _) => located.place.file.to_string(),
        (None, Some(function)) => {
            format!("{}, {} in `{}`", located.place.file, located.part, printable(function))
        }
        (None, None) => format!("{}, {}", located.place, located.part),
    };
    let shown;
    let mut group = match &located.text {
        Some(text) => {
            // Bytes that are not UTF-8 are replaced, which changes the offsets of the mark.
            let (before, rest) = text.split_at(located.marked.start);
            let (within, after) = rest.split_at(located.marked.len());
            let [before, within, after] = [before, within, after].map(String::from_utf8_lossy);
            let mark = before.len()..before.len() + within.len();
            shown = format!("{before}{within}{after}");
            let mark = AnnotationKind::Primary.span(mark);
            let snippet = Snippet::source(&shown).path(&path).line_start(located.line);
            title.element(snippet.annotation(mark))
        }
        None => {
            let origin = Origin::path(&path).line(located.line).char_column(located.column);
            let note = Level::NOTE.message("the line is too long to show");
            title.element(origin).element(note)
        }
    };
    let expansion = located.expansion.as_ref().map(|place| format!("in the expansion at {place}"));
    if let Some(expansion) = &expansion {
        group = group.element(Level::NOTE.message(expansion));
    }
    let help = finding.help.as_deref().map(printable);
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(help));
    }
    renderer.render(&[group])
}
