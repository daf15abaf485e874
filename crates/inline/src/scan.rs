//! The statements, braces and names of vISA text, found without parsing.

use alloc::vec::Vec;
use core::ops::Range;

use genvisa::operand::VarId;
use memchr::{memchr, memchr2, memmem};

/// The result of [`scan`]. Comments are skipped.
#[derive(Clone, Debug, Default)]
pub(super) struct Scan {
    pub(super) statements: Vec<Statement>,
    /// The opening braces that are not closed.
    pub(super) unclosed: Vec<usize>,
    /// The closing braces that nothing opens.
    pub(super) unopened: Vec<usize>,
}

/// A line of vISA, or the part of one between braces.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    /// The bytes of the statement, without blanks around it.
    pub(super) span: Range<usize>,
    /// The number of scopes that contain it.
    pub(super) depth: usize,
}

/// Finds the statements of a text.
pub(super) fn scan(text: &[u8]) -> Scan {
    let mut scan = Scan::default();
    let (mut at, mut start) = (0, 0);
    while let Some(&byte) = text.get(at) {
        let mut end = at + 1;
        match byte {
            b'/' if text.get(end) == Some(&b'/') => {
                scan.end_statement(text, start..at);
                let rest = &text[at..];
                end = at + memchr(b'\n', rest).unwrap_or(rest.len());
                start = end;
            }
            b'/' if text.get(end) == Some(&b'*') => {
                let close = memmem::find(&text[at + 2..], b"*/");
                end = close.map_or(text.len(), |len| at + 2 + len + 2);
                if text[start..at].trim_ascii().is_empty() {
                    start = end;
                }
            }
            b'"' => {
                let rest = text.get(end..).unwrap_or_default();
                let len = memchr2(b'"', b'\n', rest).unwrap_or(rest.len());
                end += len + usize::from(rest.get(len) == Some(&b'"'));
            }
            b'\n' => {
                scan.end_statement(text, start..at);
                start = end;
            }
            b'{' | b'}' => {
                scan.end_statement(text, start..at);
                start = end;
                match byte {
                    b'{' => scan.unclosed.push(at),
                    _ if scan.unclosed.pop().is_none() => scan.unopened.push(at),
                    _ => {}
                }
            }
            _ => {}
        }
        at = end;
    }
    scan.end_statement(text, start..text.len());
    scan
}

impl Scan {
    /// Returns the number of unclosed braces before a statement.
    pub(super) fn unclosed_before(&self, statement: &Statement) -> usize {
        self.unclosed.iter().filter(|at| **at < statement.span.start).count()
    }

    fn end_statement(&mut self, text: &[u8], span: Range<usize>) {
        let Some(line) = text.get(span.clone()) else { return };
        let blanks = line.len() - line.trim_ascii_start().len();
        let start = span.start + blanks;
        let span = start..start + line.trim_ascii().len();
        if !span.is_empty() {
            self.statements.push(Statement { span, depth: self.unclosed.len() });
        }
    }
}

/// Returns the label that a statement defines: a name before a colon.
pub(super) fn label(text: &[u8], statement: &Statement) -> Option<Range<usize>> {
    let name = word(text, statement.span.start);
    let after = text[name.end..statement.span.end].trim_ascii_start();
    (!name.is_empty() && after.first() == Some(&b':')).then_some(name)
}

/// Returns the name that a statement declares by `.decl`.
pub(super) fn declared_name(text: &[u8], statement: &Statement) -> Option<Range<usize>> {
    let line = &text[statement.span.clone()];
    let rest = line
        .strip_prefix(b".decl")
        .filter(|rest| rest.first().is_some_and(u8::is_ascii_whitespace))?;
    let blanks = rest.len() - rest.trim_ascii_start().len();
    Some(word(text, statement.span.end - rest.len() + blanks))
}

/// Returns the directive of a statement, such as `.decl`.
pub(super) fn directive(text: &[u8], statement: &Statement) -> Option<Range<usize>> {
    let start = statement.span.start;
    let is_directive = text.get(start) == Some(&b'.');
    is_directive.then(|| start..word(text, start + 1).end)
}

/// Returns the letters, digits and underscores at an offset.
fn word(text: &[u8], start: usize) -> Range<usize> {
    let rest = text.get(start..).unwrap_or_default();
    let len = rest.iter().take_while(|byte| is_word(**byte)).count();
    start..start + len
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the names in a statement that look like variables of the compiler, such as `V32`. Smaller
/// numbers are predefined variables, which are the same in all kernels.
pub(super) fn compiler_variables<'t>(
    text: &'t [u8],
    statement: &Statement,
) -> impl Iterator<Item = Range<usize>> + use<'t> {
    let line = &text[statement.span.clone()];
    let start = statement.span.start;
    words(line).filter_map(move |name| {
        let digits = line[name.clone()].strip_prefix(b"V")?;
        let number = core::str::from_utf8(digits).ok()?.parse().ok()?;
        let is_declared = VarId(number) >= VarId::FIRST_DECLARED;
        is_declared.then_some(start + name.start..start + name.end)
    })
}

/// Returns the words of a text that can be names.
pub(super) fn words(text: &[u8]) -> impl Iterator<Item = Range<usize>> + use<'_> {
    let mut at = 0;
    core::iter::from_fn(move || {
        while at < text.len() {
            let name = word(text, at);
            at = name.end.max(at + 1);
            let is_predefined = name.start > 0 && text[name.start - 1] == b'%';
            if !name.is_empty() && !is_predefined && !text[name.start].is_ascii_digit() {
                return Some(name);
            }
        }
        None
    })
}
