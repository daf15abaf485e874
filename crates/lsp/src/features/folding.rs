//! Folding: routines, scopes, and groups of declarations and comments.

use genvisa::text::{Token, TokenKind};
use lsp_types::{FoldingRange, FoldingRangeKind};

use super::Context;

/// Returns the foldable parts of a document.
pub fn folding_ranges(context: Context<'_>) -> Vec<FoldingRange> {
    let document = context.document;
    let mut ranges = Vec::new();
    let mut add = |first: usize, last: usize, kind: Option<FoldingRangeKind>| {
        if first < last {
            ranges.push(FoldingRange {
                start_line: first as u32,
                end_line: last as u32,
                kind,
                ..FoldingRange::default()
            });
        }
    };
    for program in &context.parsed().programs {
        let line_of = |at: usize| {
            let at = program.to_document(&(at..at))?.start;
            Some(document.lines.line_of(at))
        };
        for routine in &program.recorded.routines {
            let text = program.str(&(routine.header.end..routine.span.end)).trim_end();
            let end = routine.header.end + text.len();
            if let (Some(first), Some(last)) = (line_of(routine.header.start), line_of(end)) {
                add(first, last, None);
            }
        }
        // The lines that begin with a comment or a declaration, in groups.
        let mut group: Option<(bool, usize, usize)> = None;
        let mut last_line = usize::MAX;
        for Token { span, kind, .. } in &program.recorded.tokens {
            let Some(line) = line_of(span.start) else { continue };
            if line == last_line {
                continue;
            }
            last_line = line;
            let is_comment = *kind == TokenKind::Comment;
            if !is_comment && *kind != TokenKind::Directive {
                if let Some((is_comment, first, last)) = group.take() {
                    add(first, last, is_comment.then_some(FoldingRangeKind::Comment));
                }
                continue;
            }
            let end = line_of(span.end).unwrap_or(line);
            group = match group {
                Some((other, first, last)) if other == is_comment && last + 1 == line => {
                    Some((other, first, end))
                }
                other => {
                    if let Some((is_comment, first, last)) = other {
                        add(first, last, is_comment.then_some(FoldingRangeKind::Comment));
                    }
                    Some((is_comment, line, end))
                }
            };
        }
        if let Some((is_comment, first, last)) = group {
            add(first, last, is_comment.then_some(FoldingRangeKind::Comment));
        }
    }
    ranges
}
