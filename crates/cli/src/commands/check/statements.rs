//! The statements of source files that a text of the compiler contains.

use std::ops::Range;
use std::path::PathBuf;

use genvisa_inline::inlined_at;
use genvisa_inline::source::{Block, Content, Language, Search, Source};

use super::files;
use super::position::{Place, Positions};
use crate::output::Output;
use crate::words::shown;

/// The inline assembly of source files.
#[derive(Default)]
pub struct Statements(Vec<SourceFile>);

struct SourceFile {
    name: String,
    bytes: Vec<u8>,
    language: Language,
    found: Source,
}

/// Where the line of an instruction is in the sources.
pub struct Written {
    pub place: Place,
    /// The use of the macro that the statement comes from.
    pub expansion: Option<Place>,
    is_in_routine: bool,
}

impl Statements {
    /// Reads files and folders. Reports errors.
    pub fn read(paths: &[PathBuf], out: &mut Output) -> anyhow::Result<Statements> {
        let (inputs, _) = files::inputs(paths, None, out)?;
        let mut all = Vec::new();
        for input in &inputs {
            match input.read() {
                Ok((language, bytes)) => {
                    let found = Search::new(language).find(&bytes);
                    let file = SourceFile { name: shown(&input.path), found, language, bytes };
                    for error in file.positions().errors(&file.found) {
                        out.report_error(error)?;
                    }
                    if file.found.error.is_some() {
                        out.set_unreadable_input();
                    }
                    all.push(file);
                }
                Err(_) if !input.is_argument => {}
                Err(error) => {
                    out.report_error(format_args!("{error:#}"))?;
                    out.set_unreadable_input();
                }
            }
        }
        Ok(Statements(all))
    }

    /// Returns the places where the line at an offset of a text of the compiler can be written, without those in
    /// other functions if some are in the one that is compiled.
    pub fn places(&self, text: &[u8], offset: usize, routine: &str) -> Vec<Written> {
        let Some(statement) = inlined_at(text, offset) else { return Vec::new() };
        let blank =
            text[statement.clone()].iter().take_while(|it| it.is_ascii_whitespace()).count();
        let before = text.get(statement.start + blank..offset).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count();
        let mut all = Vec::new();
        for file in &self.0 {
            let of_block = |block| line_of(block, &text[statement.clone()], line);
            let found: Vec<_> =
                file.found.blocks.iter().filter_map(|it| Some((it, of_block(it)?))).collect();
            if !found.is_empty() {
                all.extend(file.written(found, routine));
            }
        }
        if all.iter().any(|written| written.is_in_routine) {
            all.retain(|written| written.is_in_routine);
        }
        all
    }
}

/// Returns the bytes of the template that became a line of a text.
fn line_of(block: &Block, text: &[u8], line: usize) -> Option<Range<usize>> {
    let Content::Visa(statement) = &block.content else { return None };
    statement.lines_of(text)?.get(line).cloned()
}

impl SourceFile {
    fn positions(&self) -> Positions<'_> {
        Positions::of(self.language, &self.name, &self.bytes, &self.found)
    }

    fn written(&self, found: Vec<(&Block, Range<usize>)>, routine: &str) -> Vec<Written> {
        let positions = self.positions();
        let written = found.into_iter().map(|(block, line)| {
            let origin = block.template_map.get(line.start);
            let start = origin.map_or(block.span.start, |origin| origin.start as usize);
            Written {
                place: positions.locate(start),
                expansion: block.expansion.as_ref().map(|span| positions.locate(span.start)),
                is_in_routine: block.function.as_deref() == Some(routine),
            }
        });
        written.collect()
    }
}
