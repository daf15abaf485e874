//! The text output of `genvisa check`.

use std::io::Write;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use genvisa::verify::Severity;

use crate::output::Output;
use crate::words::{count, printable};
use super::files::Input;
use super::report::{BlockReport, FileReport, Located, Status, Summary};

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
    for block in &report.blocks {
        match &block.status {
            Status::NotRead(reason) => {
                writeln!(out, "{}: not read: {}", block.place, printable(reason))?;
            }
            Status::NotVisa if is_verbose => writeln!(out, "{}: not vISA", block.place)?,
            Status::Partial if is_verbose => {
                let unknown: Vec<String> = block.unknown.iter().map(ToString::to_string).collect();
                writeln!(out, "{}: not known: {}", block.place, unknown.join(", "))?;
            }
            _ => {}
        }
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
