//! Layout of explanations in columns.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use genvisa::wire::TracedField;

use crate::count;

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
}

impl<'a> View<'a> {
    /// Creates a layout for fields read from `bytes`, as wide as the terminal.
    pub fn new(bytes: &'a [u8], parts: bool) -> View<'a> {
        let width = terminal_size::terminal_size_of(io::stdout())
            .map_or(100, |(width, _)| usize::from(width.0));
        // A raw operand has 6 bytes, the longest vector operand 10.
        let (row_len, name_width) = if width < 100 { (6, 17) } else { (10, 23) };
        View { bytes, parts, row_len, name_width, width: width.clamp(60, 140) }
    }

    /// Returns the column of the value.
    fn indent(&self) -> usize {
        2 + 8 + 2 + self.row_len * 3 - 1 + 2 + self.name_width + 1
    }

    /// Prints an instruction. `len` is `None` if an error ended it.
    pub fn print_instruction(
        &self,
        index: usize,
        mnemonic: &str,
        start: usize,
        len: Option<usize>,
        fields: &[TracedField],
        out: &mut impl Write,
    ) -> io::Result<()> {
        let mnemonic = if mnemonic.is_empty() { "unknown" } else { mnemonic };
        let len = len.map_or("incomplete".into(), |len| count(len, "byte"));
        writeln!(
            out,
            "{HEADING}instruction {index}: {mnemonic}{HEADING:#}{OFFSET}, \
             {len} at {start:#x}{OFFSET:#}"
        )?;
        self.print_fields(fields, 0, out)
    }

    /// Prints the heading of a group of fields.
    pub fn print_heading(&self, name: &str, offset: usize, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{HEADING}{name}{HEADING:#}{OFFSET}, at {offset:#x}{OFFSET:#}")
    }

    /// Prints a line in the style of a heading.
    pub fn print_remark(&self, text: &str, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{HEADING}{text}{HEADING:#}")
    }

    /// Prints fields, the outermost of which have the depth `depth`.
    pub fn print_fields(
        &self,
        fields: &[TracedField],
        depth: usize,
        out: &mut impl Write,
    ) -> io::Result<()> {
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
            self.print_field(field, field.depth - depth, bytes, out)?;
        }
        Ok(())
    }

    fn print_field(
        &self,
        field: &TracedField,
        depth: usize,
        bytes: &[u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        let mut rows = bytes.chunks(self.row_len).map(hex);
        let first = rows.next().unwrap_or_default();
        let name = format!("{:1$}{2}", "", 2 * depth, field.name);
        let (offset, bytes, column) = (field.offset, self.row_len * 3 - 1, self.name_width);
        write!(out, "  {OFFSET}{offset:#08x}{OFFSET:#}  {first:<bytes$}  ")?;
        if field.len.is_none() {
            writeln!(out, "{NAME}{name:<column$}{NAME:#} {ERROR}<- stops here{ERROR:#}")?;
        } else if field.value.is_empty() {
            writeln!(out, "{NAME}{name}{NAME:#}")?;
        } else {
            write!(out, "{NAME}{name:<column$}{NAME:#} ")?;
            if name.len() > column {
                write!(out, "\n{:1$}", "", self.indent())?;
            }
            self.print_value(field, out)?;
        }
        rows.try_for_each(|row| writeln!(out, "{:12}{row}", ""))
    }

    /// Prints the value, wrapped anywhere, and its meaning, wrapped between words.
    fn print_value(&self, field: &TracedField, out: &mut impl Write) -> io::Result<()> {
        let indent = self.indent();
        let width = self.width.saturating_sub(indent).max(16);
        let value: Vec<char> = field.value.chars().collect();
        let mut used = 0;
        for (i, line) in value.chunks(width).enumerate() {
            if i > 0 {
                write!(out, "\n{:indent$}", "")?;
            }
            used = line.len() + 2;
            let line: String = line.iter().collect();
            write!(out, "{VALUE}{line}{VALUE:#}")?;
        }
        let mut lines = wrap(&field.meaning, width.saturating_sub(used), width).into_iter();
        match lines.next() {
            Some(line) if !line.is_empty() => write!(out, "  {MEANING}{line}{MEANING:#}")?,
            _ => {}
        }
        writeln!(out)?;
        lines.try_for_each(|line| writeln!(out, "{:indent$}{MEANING}{line}{MEANING:#}", ""))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// Wraps a text between words. The first line may have a different width, and is empty if no
/// word fits.
fn wrap(text: &str, first_width: usize, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let max = if lines.len() == 1 { first_width } else { width };
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= max => {
                if !line.is_empty() {
                    line.push(' ');
                }
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
