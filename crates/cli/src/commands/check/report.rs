//! The results of a check.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use genvisa::Platform;
use genvisa::verify::Severity;
use genvisa_inline::source::{Block, Content};
use genvisa_inline::{Finding, Lanes, Path, Unknown};

use super::files::Input;
use super::position::{Place, Positions, characters};
use crate::input::walk::Suffixes;

/// The result for a file.
pub struct FileReport {
    pub file: String,
    pub blocks: Vec<BlockReport>,
    /// Messages about hints that cannot be applied, and the error that ended the search.
    pub errors: Vec<String>,
    /// Whether a part of the file cannot be read.
    pub is_damaged: bool,
}

/// The result for a block.
pub struct BlockReport {
    pub place: Place,
    pub function: Option<Arc<str>>,
    pub path: Option<Path>,
    pub lanes: Option<Lanes>,
    pub status: Status,
    /// The text of the template, if it is vISA.
    pub template: Option<String>,
    pub unknown: Vec<Unknown>,
    pub findings: Vec<Located>,
}

/// The extent to which a block was checked.
pub enum Status {
    Checked,
    /// Some facts about it are unknown.
    Partial,
    /// It is assembly of another machine, for this reason.
    NotVisa(&'static str),
    /// It was not read for this reason.
    NotRead(String),
}

/// A finding with its place in a file.
pub struct Located {
    pub finding: Finding,
    /// The platforms that it applies to.
    pub platforms: Vec<Platform>,
    /// Whether these are all requested platforms.
    pub is_everywhere: bool,
    /// The part of the statement that the line is in, if the file is binary.
    pub part: &'static str,
    /// The place in the file; in a binary file, the place of the statement.
    pub place: Place,
    /// The line and column in the source or, if the file is binary, in the part of the statement.
    pub line: usize,
    pub column: usize,
    /// The end on the same line.
    pub end_column: usize,
    /// The text of the line, unless it is too long to show.
    pub text: Option<Vec<u8>>,
    /// The bytes of the line that the finding is about.
    pub marked: Range<usize>,
    /// The use of the macro that the statement comes from.
    pub expansion: Option<Place>,
}

/// The texts of a block in a binary file.
pub struct Parts {
    template: Vec<u8>,
    /// The constraints and the clobbers, separated by commas.
    constraints: String,
    /// The bytes of each of them.
    spans: Vec<Range<usize>>,
    operand_count: usize,
}

impl Parts {
    pub fn new(block: &Block) -> Parts {
        let Content::Visa(statement) = &block.content else {
            return Parts {
                template: Vec::new(),
                constraints: String::new(),
                spans: Vec::new(),
                operand_count: 0,
            };
        };
        let mut constraints = String::new();
        let mut spans = Vec::new();
        let operands = statement.operands.iter().map(|operand| operand.constraint.clone());
        let clobbers = statement.clobbers.iter().map(|clobber| format!("~{{{clobber}}}"));
        for text in operands.chain(clobbers) {
            if !spans.is_empty() {
                constraints.push(',');
            }
            let start = constraints.len();
            constraints += &text;
            spans.push(start..constraints.len());
        }
        let template = statement.template.clone();
        Parts { template, constraints, spans, operand_count: statement.operands.len() }
    }
}

/// The source of a block: a text file, or the parts of the block in a binary file.
pub enum Lines<'l> {
    File(&'l Positions<'l>),
    Parts { parts: &'l Parts, template: Box<Positions<'l>>, constraints: Box<Positions<'l>> },
}

impl<'l> Lines<'l> {
    pub fn of_parts(parts: &'l Parts) -> Lines<'l> {
        let template = Box::new(Positions::new("", &parts.template, &[]));
        let constraints = Box::new(Positions::new("", parts.constraints.as_bytes(), &[]));
        Lines::Parts { parts, template, constraints }
    }

    /// Returns the text with the place of a finding, its name if it is a part of a statement, and
    /// the bytes of the text.
    fn find(
        &self,
        place: &genvisa_inline::Place,
        block: &Block,
    ) -> (&Positions<'l>, &'static str, Range<usize>) {
        match self {
            Lines::File(positions) => (positions, "", file_span(place, block)),
            Lines::Parts { parts, template, constraints } => {
                let index = match place {
                    genvisa_inline::Place::Template(span) => {
                        return (template, "template", span.clone());
                    }
                    genvisa_inline::Place::Operand(number) => *number,
                    genvisa_inline::Place::Clobber(index) => parts.operand_count + index,
                };
                let span = parts.spans.get(index).cloned().unwrap_or_default();
                (constraints, "constraints", span)
            }
        }
    }
}

/// The maximum length of a line to show.
const MAX_SHOWN: usize = 10_000;

impl Located {
    pub fn new(
        finding: Finding,
        platforms: Vec<Platform>,
        block: &Block,
        positions: &Positions<'_>,
        lines: &Lines<'_>,
    ) -> Located {
        let (lines, part, span) = lines.find(&finding.place, block);
        let place = positions.locate(if part.is_empty() { span.start } else { block.span.start });
        let (line, column) = lines.locate(span.start).line_and_column.unwrap_or_default();
        let (text, marked) = marked_line(lines, &span);
        let end_column = column + characters(&text[marked.clone()]);
        let text = (text.len() <= MAX_SHOWN).then(|| text.to_vec());
        let expansion = block.expansion.as_ref().map(|span| positions.locate(span.start));
        Located {
            finding,
            platforms,
            is_everywhere: true,
            part,
            place,
            line,
            column,
            end_column,
            text,
            marked,
            expansion,
        }
    }

    /// Returns the message, with the platforms unless it applies to all.
    pub fn message(&self) -> String {
        if self.is_everywhere {
            return self.finding.message.clone();
        }
        format!("{} (on {})", self.finding.message, names(&self.platforms))
    }
}

/// Returns the names of platforms.
pub fn names(platforms: &[Platform]) -> String {
    let names: Vec<&str> = platforms.iter().map(|platform| platform.name()).collect();
    names.join(", ")
}

/// Returns the bytes of the file that a finding is about.
fn file_span(place: &genvisa_inline::Place, block: &Block) -> Range<usize> {
    let known = match place {
        genvisa_inline::Place::Operand(number) => block.constraint_spans.get(*number).cloned(),
        genvisa_inline::Place::Clobber(index) => block.clobber_spans.get(*index).cloned(),
        genvisa_inline::Place::Template(span) => template_span(span, &block.template_map),
    };
    known.unwrap_or(block.span.start..block.span.start)
}

/// Returns the bytes of the file for bytes of the template. A template may come from several
/// literals: the span ends where the file does not continue.
fn template_span(span: &Range<usize>, map: &[Range<u32>]) -> Option<Range<usize>> {
    let bytes = |range: &Range<u32>| range.start as usize..range.end as usize;
    let Some(first) = map.get(span.start).map(bytes) else {
        let end = bytes(map.last()?).end;
        return Some(end..end);
    };
    if span.is_empty() {
        return Some(first.start..first.start);
    }
    let mut end = first.end;
    for next in map[span.start..].iter().take(span.len()).skip(1).map(bytes) {
        if next.start < end {
            break;
        }
        end = next.end;
    }
    Some(first.start..end)
}

/// Returns the line at the start of a span, and the part of it to mark.
fn marked_line<'t>(lines: &Positions<'t>, span: &Range<usize>) -> (&'t [u8], Range<usize>) {
    let line = lines.line_of(span.start);
    let start = span.start.min(line.end);
    let end = span.end.clamp(start, line.end);
    (&lines.text[line.clone()], start - line.start..end - line.start)
}

/// The counts in the last line.
#[derive(Default)]
pub struct Summary {
    pub files: usize,
    pub checked: usize,
    pub partial: usize,
    pub not_visa: usize,
    pub not_read: usize,
    pub errors: usize,
    pub warnings: usize,
    /// The blocks for which the number of lanes is not known.
    pub without_lanes: usize,
    /// The blocks that use operands whose type is not known.
    pub without_type: usize,
    /// The blocks that use constant operands whose value is not known.
    pub without_value: usize,
    /// The blocks that use variables of the compiler.
    pub with_compiler_variables: usize,
    /// The files in folders that have no blocks.
    pub empty_files: usize,
    /// The files in folders that were not read.
    pub skipped: Suffixes,
    /// The values of `--operand` that some block has.
    pub used_operands: BTreeSet<usize>,
    /// Whether a file is C or may contain it.
    pub may_contain_c: bool,
}

impl Summary {
    pub fn add(&mut self, other: &Summary) {
        self.files += other.files;
        self.checked += other.checked;
        self.partial += other.partial;
        self.not_visa += other.not_visa;
        self.not_read += other.not_read;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.without_lanes += other.without_lanes;
        self.without_type += other.without_type;
        self.without_value += other.without_value;
        self.with_compiler_variables += other.with_compiler_variables;
        self.empty_files += other.empty_files;
        self.used_operands.extend(&other.used_operands);
        self.may_contain_c |= other.may_contain_c;
    }

    /// Adds the result for a file.
    pub fn add_report(&mut self, report: &FileReport, input: &Input) {
        self.files += 1;
        self.empty_files += usize::from(report.blocks.is_empty() && !input.is_argument);
        for block in &report.blocks {
            match block.status {
                Status::Checked => self.checked += 1,
                Status::Partial => self.partial += 1,
                Status::NotVisa(_) => self.not_visa += 1,
                Status::NotRead(_) => self.not_read += 1,
            }
            let has =
                |unknown: fn(&Unknown) -> bool| usize::from(block.unknown.iter().any(unknown));
            self.without_lanes += has(|it| matches!(it, Unknown::Lanes));
            self.without_type += has(|it| matches!(it, Unknown::Type(_)));
            self.without_value += has(|it| matches!(it, Unknown::Value(_)));
            self.with_compiler_variables += has(|it| matches!(it, Unknown::Variable(_)));
            for located in &block.findings {
                match located.finding.severity {
                    Severity::Error => self.errors += 1,
                    Severity::Warning => self.warnings += 1,
                }
            }
        }
    }

    /// Adds the files of a folder that were not read.
    pub fn add_skipped(&mut self, suffixes: &Suffixes) {
        for (suffix, count) in suffixes {
            *self.skipped.entry(suffix.clone()).or_default() += count;
        }
    }

    pub fn blocks(&self) -> usize {
        self.checked + self.partial + self.not_visa + self.not_read
    }
}
