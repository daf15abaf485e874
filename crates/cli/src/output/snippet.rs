//! Messages with the line of the text that they refer to.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet, Title};
use genvisa::error::Severity;
use genvisa::text::{Diagnostic, LineIndex};
pub use genvisa_container::Start;

use crate::bytes::Bytes;
use crate::words::printable;

/// A text with the name that messages use for it.
pub struct Source {
    pub name: String,
    pub text: Bytes,
    pub start: Start,
}

impl Source {
    /// Returns the line and the column in the file of a line and a column in the text.
    pub fn in_file(&self, (line, column): (usize, usize)) -> (usize, usize) {
        let before = if line == 1 { self.start.columns } else { 0 };
        (line + self.start.lines, column + before)
    }
}

/// Returns a diagnostic with the line of the text that it refers to. `lines` are the lines of the text.
pub fn with_snippet(
    source: &Source,
    diagnostic: &Diagnostic,
    lines: &LineIndex<'_>,
    renderer: &Renderer,
) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    // Names of tables may contain control characters.
    let message = printable(&diagnostic.to_string());
    let help = diagnostic.help.as_deref().map(|help| (Level::HELP, help));
    let title = level.primary_title(&message);
    let title = match diagnostic.rule {
        Some(rule) => title.id(rule),
        None => title,
    };
    let location = source.in_file(lines.line_and_column(diagnostic.span.start));
    render(source, &diagnostic.span, location, title, None, help, renderer)
}

/// The maximum number of bytes to show of each part of a line: before, in and after the span.
const MAX_SHOWN: usize = 500;

/// Renders a title with the line of a span, which is underlined and may have a label. A long line
/// is cut. The line and the column are those in the file of the start of the span. `notes` follow the line.
pub fn render<'n>(
    source: &Source,
    span: &Range<usize>,
    (line, column): (usize, usize),
    title: Title<'n>,
    label: Option<&'n str>,
    notes: impl IntoIterator<Item = (Level<'n>, &'n str)>,
    renderer: &Renderer,
) -> String {
    let text = &source.text;
    let start = span.start.min(text.len());
    let line_start = text[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let line_len = text[line_start..].iter().position(|byte| *byte == b'\n');
    let line_end = line_len.map_or(text.len(), |len| line_start + len);
    // Bytes that are not UTF-8 are replaced, which only affects columns.
    let (before, rest) = text[line_start..line_end].split_at(start - line_start);
    // Other texts that precede it in its first line are blank.
    let blank = if line_start == 0 { source.start.columns } else { 0 };
    if blank + before.len() > MAX_SHOWN {
        let location = format!("{}:{line}:{column}", source.name);
        let origin = Level::NOTE.message("the line is too long to show");
        let group = title.element(origin);
        return format!("{}\n  --> {location}", renderer.render(&[group]));
    }
    let within = span.end.clamp(start, line_end) - start;
    let (marked, after) = rest.split_at(within);
    let lossy = |bytes: &[u8]| match bytes.get(..MAX_SHOWN) {
        Some(start) => String::from_utf8_lossy(start).into_owned() + "...",
        None => String::from_utf8_lossy(bytes).into_owned(),
    };
    let before = " ".repeat(blank) + &lossy(before);
    let (marked, after) = (lossy(marked), lossy(after));
    let marked_span = before.len()..before.len() + marked.len();
    let shown = before + &marked + &after;
    let annotation = AnnotationKind::Primary.span(marked_span).label(label);
    let snippet =
        Snippet::source(&shown).path(&source.name).line_start(line).annotation(annotation);
    let mut group = title.element(snippet);
    for (level, note) in notes {
        group = group.element(level.message(note));
    }
    renderer.render(&[group])
}
