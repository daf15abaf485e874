//! How an explanation looks.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use genvisa::wire::TracedField;

use crate::count;

const HEADING: Style = Style::new().bold();
const OFFSET: Style = Style::new().dimmed();
const NAME: Style = AnsiColor::Cyan.on_default();
const VALUE: Style = Style::new().bold();
const MEANING: Style = AnsiColor::Green.on_default();
const BROKEN: Style = AnsiColor::Red.on_default();

/// Where the columns are: offset, bytes, name, then value and meaning to the edge.
pub struct View<'a> {
    bytes: &'a [u8],
    /// Whether the parts of operands are shown.
    parts: bool,
    /// Bytes in a row.
    row: usize,
    name: usize,
    width: usize,
}

impl<'a> View<'a> {
    /// A view of what was read from `bytes`, fit to the terminal.
    pub fn new(bytes: &'a [u8], parts: bool) -> View<'a> {
        let width = terminal_size::terminal_size_of(io::stdout())
            .map_or(100, |(width, _)| usize::from(width.0));
        // A raw operand takes six bytes, the longest vector operand ten.
        let (row, name) = if width < 100 { (6, 17) } else { (10, 23) };
        View { bytes, parts, row, name, width: width.clamp(60, 140) }
    }

    /// The columns before the value.
    fn indent(&self) -> usize {
        2 + 8 + 2 + self.row * 3 - 1 + 2 + self.name + 1
    }

    /// An instruction, of which `len` is not known where an error cut it short.
    pub fn instruction(
        &self,
        index: usize,
        mnemonic: &str,
        start: usize,
        len: Option<usize>,
        notes: &[TracedField],
        out: &mut impl Write,
    ) -> io::Result<()> {
        let mnemonic = if mnemonic.is_empty() { "unknown" } else { mnemonic };
        let len = len.map_or("broken off".into(), |len| count(len, "byte"));
        writeln!(
            out,
            "{HEADING}instruction {index}: {mnemonic}{HEADING:#}{OFFSET}, \
             {len} at {start:#x}{OFFSET:#}"
        )?;
        self.fields(notes, 0, out)
    }

    /// The heading of a group of fields.
    pub fn heading(&self, name: &str, offset: usize, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{HEADING}{name}{HEADING:#}{OFFSET}, at {offset:#x}{OFFSET:#}")
    }

    pub fn remark(&self, text: &str, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{HEADING}{text}{HEADING:#}")
    }

    /// FieldRecorder whose outermost are at `depth`.
    pub fn fields(
        &self,
        notes: &[TracedField],
        depth: usize,
        out: &mut impl Write,
    ) -> io::Result<()> {
        // Of a field with a value the parts are details; of one without, all there is.
        let mut details_below = usize::MAX;
        for (i, note) in notes.iter().enumerate() {
            if note.depth > details_below && !self.parts {
                continue;
            }
            details_below = if note.value.is_empty() { usize::MAX } else { note.depth };
            let has_parts = notes.get(i + 1).is_some_and(|next| next.depth > note.depth);
            let bytes_follow = has_parts && (note.value.is_empty() || self.parts);
            let bytes = if bytes_follow { &[] } else { note.bytes_of(self.bytes) };
            self.field(note, note.depth - depth, bytes, out)?;
        }
        Ok(())
    }

    fn field(
        &self,
        note: &TracedField,
        nested: usize,
        bytes: &[u8],
        out: &mut impl Write,
    ) -> io::Result<()> {
        let mut rows = bytes.chunks(self.row).map(hex);
        let first = rows.next().unwrap_or_default();
        let name = format!("{:1$}{2}", "", 2 * nested, note.name);
        let (offset, bytes, column) = (note.offset, self.row * 3 - 1, self.name);
        write!(out, "  {OFFSET}{offset:#08x}{OFFSET:#}  {first:<bytes$}  ")?;
        if note.len.is_none() {
            writeln!(out, "{NAME}{name:<column$}{NAME:#} {BROKEN}<- stops here{BROKEN:#}")?;
        } else if note.value.is_empty() {
            writeln!(out, "{NAME}{name}{NAME:#}")?;
        } else {
            write!(out, "{NAME}{name:<column$}{NAME:#} ")?;
            if name.len() > column {
                write!(out, "\n{:1$}", "", self.indent())?;
            }
            self.value(note, out)?;
        }
        rows.try_for_each(|row| writeln!(out, "{:12}{row}", ""))
    }

    /// The value, broken at the edge, and its meaning, broken between words.
    fn value(&self, note: &TracedField, out: &mut impl Write) -> io::Result<()> {
        let indent = self.indent();
        let room = self.width.saturating_sub(indent).max(16);
        let value: Vec<char> = note.value.chars().collect();
        let mut used = 0;
        for (i, line) in value.chunks(room).enumerate() {
            if i > 0 {
                write!(out, "\n{:indent$}", "")?;
            }
            used = line.len() + 2;
            let line: String = line.iter().collect();
            write!(out, "{VALUE}{line}{VALUE:#}")?;
        }
        let mut lines = wrap(&note.meaning, room.saturating_sub(used), room).into_iter();
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

/// Breaks a text between words. The first line may be narrower, and empty.
fn wrap(text: &str, first: usize, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let room = if lines.len() == 1 { first } else { width };
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= room => {
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
