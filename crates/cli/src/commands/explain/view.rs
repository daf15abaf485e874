//! Layout of explanations in columns.

use std::fmt::Write;
use std::io::{self, IsTerminal};

use anstyle::{AnsiColor, Style};
use genvisa::wire::TracedField;

use crate::words::{count, push_hex};

const HEADING: Style = Style::new().bold();
const OFFSET: Style = Style::new().dimmed();
const NAME: Style = AnsiColor::Cyan.on_default();
const VALUE: Style = Style::new().bold();
const MEANING: Style = AnsiColor::Green.on_default();
const ERROR: Style = AnsiColor::Red.on_default();

/// The layout: columns for offset, bytes and name, then value and meaning to the end of the line.
pub struct View<'a> {
    bytes: &'a [u8],
    /// Whether the parts of operands are shown.
    parts: bool,
    /// The number of bytes in a row.
    row_len: usize,
    /// The width of the column of names.
    name_width: usize,
    /// The width of a line.
    width: usize,
    has_color: bool,
}

impl<'a> View<'a> {
    /// Creates a layout for fields read from `bytes`, as wide as the terminal.
    pub fn new(bytes: &'a [u8], parts: bool, has_color: bool) -> View<'a> {
        let size = terminal_size::terminal_size().filter(|_| io::stdout().is_terminal());
        let width = size.map_or(100, |(width, _)| usize::from(width.0));
        // A raw operand has 6 bytes, the longest vector operand 10.
        let (row_len, name_width) = if width < 100 { (6, 17) } else { (10, 23) };
        View { bytes, parts, row_len, name_width, width: width.clamp(60, 140), has_color }
    }

    /// Returns the column of the value.
    fn indent(&self) -> usize {
        2 + 8 + 2 + self.row_len * 3 - 1 + 2 + self.name_width + 1
    }

    /// Adds the control sequence that begins a style, if there are colors.
    fn begin(&self, style: Style, out: &mut String) {
        if self.has_color {
            // Writing to a string never fails.
            let _ = write!(out, "{style}");
        }
    }

    /// Adds the control sequence that ends a style.
    fn end(&self, style: Style, out: &mut String) {
        if self.has_color {
            let _ = write!(out, "{style:#}");
        }
    }

    fn styled(&self, style: Style, text: &str, out: &mut String) {
        self.begin(style, out);
        out.push_str(text);
        self.end(style, out);
    }

    /// Prints an instruction. `len` is `None` if an error ended it.
    pub fn print_instruction(
        &self,
        index: usize,
        mnemonic: &str,
        start: usize,
        len: Option<usize>,
        fields: &[TracedField],
        out: &mut String,
    ) {
        let mnemonic = if mnemonic.is_empty() { "unknown" } else { mnemonic };
        let len = len.map_or("incomplete".into(), |len| count(len, "byte"));
        self.begin(HEADING, out);
        let _ = write!(out, "instruction {index}: {mnemonic}");
        self.end(HEADING, out);
        self.begin(OFFSET, out);
        let _ = write!(out, ", {len} at {start:#x}");
        self.end(OFFSET, out);
        out.push('\n');
        self.print_fields(fields, out);
    }

    /// Prints the heading of a group of fields.
    pub fn print_heading(&self, name: &str, offset: usize, out: &mut String) {
        self.styled(HEADING, name, out);
        self.styled(OFFSET, &format!(", at {offset:#x}"), out);
        out.push('\n');
    }

    /// Prints a line in the style of a heading.
    pub fn print_remark(&self, text: &str, out: &mut String) {
        self.styled(HEADING, text, out);
        out.push('\n');
    }

    /// Prints fields.
    pub fn print_fields(&self, fields: &[TracedField], out: &mut String) {
        // Parts of a field with a value are details. Parts of other fields are always shown.
        let mut details_below = usize::MAX;
        for (i, field) in fields.iter().enumerate() {
            if field.depth > details_below && !self.parts {
                continue;
            }
            details_below = if field.value.is_empty() { usize::MAX } else { field.depth };
            let has_parts = fields.get(i + 1).is_some_and(|next| next.depth > field.depth);
            let bytes_follow = has_parts && (field.value.is_empty() || self.parts);
            let bytes = if bytes_follow { &[] } else { field.bytes_of(self.bytes) };
            self.print_field(field, bytes, out);
        }
    }

    fn print_field(&self, field: &TracedField, bytes: &[u8], out: &mut String) {
        let mut rows = bytes.chunks(self.row_len);
        out.push_str("  ");
        self.begin(OFFSET, out);
        let _ = write!(out, "{:#08x}", field.offset);
        self.end(OFFSET, out);
        out.push_str("  ");
        let start = out.len();
        push_hex(rows.next().unwrap_or_default(), out);
        pad(out.len() - start, self.row_len * 3 - 1 + 2, out);
        let name_len = 2 * field.depth + field.name.chars().count();
        let width = self.name_width;
        self.begin(NAME, out);
        pad(0, 2 * field.depth, out);
        out.push_str(&field.name);
        if field.len.is_some() && field.value.is_empty() {
            self.end(NAME, out);
            out.push('\n');
        } else {
            pad(name_len, width, out);
            self.end(NAME, out);
            out.push(' ');
            if field.len.is_none() {
                self.styled(ERROR, "<- stops here", out);
                out.push('\n');
            } else {
                if name_len > width {
                    out.push('\n');
                    pad(0, self.indent(), out);
                }
                self.print_value(field, out);
            }
        }
        for row in rows {
            pad(0, 12, out);
            push_hex(row, out);
            out.push('\n');
        }
    }

    /// Prints the value, wrapped anywhere, and its meaning, wrapped between words.
    fn print_value(&self, field: &TracedField, out: &mut String) {
        let indent = self.indent();
        let width = self.width.saturating_sub(indent).max(16);
        let mut rest = &*field.value;
        let used = loop {
            let end = match rest.len() <= width {
                true => rest.len(),
                false => rest.char_indices().nth(width).map_or(rest.len(), |(end, _)| end),
            };
            let (line, following) = rest.split_at(end);
            self.styled(VALUE, line, out);
            if following.is_empty() {
                break line.chars().count() + 2;
            }
            rest = following;
            out.push('\n');
            pad(0, indent, out);
        };
        self.print_meaning(&field.meaning, width.saturating_sub(used), width, out);
    }

    /// Prints a text, wrapped between words, and ends the line. The first line may have a different
    /// width, and is empty if no word fits.
    fn print_meaning(&self, text: &str, first_width: usize, width: usize, out: &mut String) {
        let (mut max, mut used) = (first_width, 0);
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            let len = word.chars().count();
            if used + 1 + len > max {
                if used > 0 {
                    self.end(MEANING, out);
                }
                out.push('\n');
                pad(0, self.indent(), out);
                self.begin(MEANING, out);
                (max, used) = (width, 0);
            } else if used == 0 {
                out.push_str("  ");
                self.begin(MEANING, out);
            } else {
                out.push(' ');
                used += 1;
            }
            out.push_str(word);
            used += len;
        }
        if used > 0 {
            self.end(MEANING, out);
        }
        out.push('\n');
    }
}

/// Adds spaces up to a width, after so many characters.
fn pad(used: usize, width: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', width.saturating_sub(used)));
}
