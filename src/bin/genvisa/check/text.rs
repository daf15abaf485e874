//! The text output of `genvisa check`.

use std::io::Write;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use genvisa::verify::Severity;

use super::DEFAULT_PLATFORM;
use super::files::Input;
use super::report::{BlockReport, FileReport, Located, Status, Summary, names};
use crate::args::Check;
use crate::output::Output;
use crate::{count, printable};

/// Prints the result for a file.
pub fn print(
    report: &FileReport,
    input: &Input,
    args: &Check,
    out: &mut Output,
) -> anyhow::Result<()> {
    if report.blocks.is_empty() && report.errors.is_empty() && (input.is_argument || args.verbose) {
        writeln!(out, "{}: no inline assembly found", report.file)?;
    }
    for block in &report.blocks {
        for located in &block.findings {
            writeln!(out, "{}\n", render(located, block))?;
        }
    }
    for block in &report.blocks {
        match &block.status {
            Status::NotRead(reason) => {
                writeln!(out, "{}: not read: {}", block.place, printable(reason))?;
            }
            Status::NotVisa if args.verbose => writeln!(out, "{}: not vISA", block.place)?,
            Status::Partial if args.verbose => {
                let unknown: Vec<String> = block.unknown.iter().map(ToString::to_string).collect();
                writeln!(out, "{}: not known: {}", block.place, unknown.join(", "))?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Prints what is not known, and the last line.
pub fn print_summary(summary: &Summary, args: &Check, out: &mut Output) -> anyhow::Result<()> {
    let blocks = |n| count(n, "block");
    if !args.verbose {
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
    let platforms = match &args.platform[..] {
        [] => format!("{} (default)", DEFAULT_PLATFORM.name()),
        platforms => names(platforms),
    };
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

/// The maximum number of bytes of a line to show.
const MAX_SHOWN: usize = 10_000;

/// Returns a finding with the line that it is about.
fn render(located: &Located, block: &BlockReport) -> String {
    let finding = &located.finding;
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = printable(&located.message());
    let title = level.primary_title(&message).id(finding.rule);
    let path = match (&located.place.line_and_column, &block.function) {
        (Some(_), _) => located.place.file.clone(),
        (None, Some(function)) => {
            format!("{}, {} in `{}`", located.place.file, located.part, printable(function))
        }
        (None, None) => format!("{}, {}", located.place, located.part),
    };
    let text;
    let is_long = located.text.len() > MAX_SHOWN;
    let mut group = if is_long {
        let origin = Origin::path(&path).line(located.line).char_column(located.column);
        title.element(origin)
    } else {
        // Bytes that are not UTF-8 are replaced, which changes the offsets of the mark.
        let part = |range: core::ops::Range<usize>| String::from_utf8_lossy(&located.text[range]);
        let marked = &located.marked;
        let (before, within) = (part(0..marked.start), part(marked.clone()));
        text = format!("{before}{within}{}", part(marked.end..located.text.len()));
        let mark = AnnotationKind::Primary.span(before.len()..before.len() + within.len());
        let snippet = Snippet::source(&text).path(&path).line_start(located.line).annotation(mark);
        title.element(snippet)
    };
    if is_long {
        group = group.element(Level::NOTE.message("the line is too long to show"));
    }
    let expansion = located.expansion.as_ref().map(|place| format!("in the expansion at {place}"));
    if let Some(expansion) = &expansion {
        group = group.element(Level::NOTE.message(expansion));
    }
    let help = finding.help.as_deref().map(printable);
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(help));
    }
    Renderer::styled().render(&[group])
}
