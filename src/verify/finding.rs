//! Findings of the verifier.

#[cfg(feature = "text")]
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
#[cfg(feature = "text")]
use core::ops::Range;

use super::rule::Rule;
use crate::error::{PathSegment, Severity};
use crate::object::Align;
use crate::operand::VarId;
#[cfg(feature = "text")]
use crate::text::{Diagnostic, Recorded, Referent, SourceMap, TokenKind};

/// A broken rule and its place in a module.
///
/// `Display` prints one line:
///
/// ```text
/// error[dst-type]: kernel `k`, instruction 3 lzd, dst: expected ud, found d (offset 0x1b4)
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Finding {
    /// The broken rule.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize_rule"))]
    pub rule: &'static Rule,
    /// The rule's severity in the dialect, unless the verifier changes it.
    pub severity: Severity,
    /// The index of the routine in the module; `None` for a single instruction.
    pub routine: Option<usize>,
    /// The place, outermost segment first.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize_path"))]
    pub path: Vec<PathSegment>,
    /// The name of the table entry that the finding is about, such as a variable or a label.
    pub name: Option<String>,
    /// The index of the instruction in its routine, if the finding is about an instruction.
    pub instruction: Option<usize>,
    /// The offset of the instruction in the file, if the finding is about an instruction.
    pub offset: Option<usize>,
    /// The problem: `expected ud, found d`, or a statement such as "`dp4a` is not available on
    /// SKL: it exists since TGLLP".
    pub message: String,
    /// What the rule requires; `None` if the message is a statement.
    pub expected: Option<String>,
    /// What the place contains instead; `None` if the message is a statement.
    pub found: Option<String>,
    /// The declaration that the rule requires, if another alignment of a variable satisfies it.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub alignment: Option<RequiredAlignment>,
}

/// The alignment that a variable must be declared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequiredAlignment {
    /// The variable. It may be another one than the operand's, whose storage that one shares.
    pub variable: VarId,
    /// The alignment.
    pub align: Align,
}

impl Finding {
    /// The maximum length in bytes of a name, of `expected` and of `found`. Longer texts are cut
    /// off and end with an ellipsis.
    pub const LONGEST_TEXT: usize = 200;
}

/// Serializes a rule as its name.
#[cfg(feature = "serde")]
fn serialize_rule<S: serde::Serializer>(rule: &Rule, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str(rule.name)
}

/// Serializes a path as a list of strings.
#[cfg(feature = "serde")]
fn serialize_path<S: serde::Serializer>(path: &[PathSegment], s: S) -> Result<S::Ok, S::Error> {
    s.collect_seq(path.iter().map(alloc::string::ToString::to_string))
}

impl Finding {
    /// Returns the finding as a diagnostic about the text that the module was assembled from, which was
    /// [recorded](Recorded). It refers to the field if the field has a text, and
    /// uses the mnemonic of the text: `lsc_load` instead of `lsc_untyped`.
    ///
    /// Diagnostics are printed with the line that they refer to, so the message omits the routine
    /// and the index of the instruction. The hint is the statement of the rule.
    ///
    /// ```text
    /// lzd, dst: expected ud, found d
    /// ```
    #[cfg(feature = "text")]
    pub fn to_diagnostic(&self, recorded: &Recorded, source: &[u8]) -> Diagnostic {
        self.diagnostic(&recorded.document.source_map, Some(recorded), source)
    }

    /// Returns the finding as a diagnostic. The recording has the instruction of the finding.
    #[cfg(feature = "text")]
    pub(super) fn diagnostic(
        &self,
        source_map: &SourceMap,
        recorded: Option<&Recorded>,
        source: &[u8],
    ) -> Diagnostic {
        let span = self.routine.and_then(|routine| source_map.span_of(routine, &self.path));
        let mut span = span.unwrap_or_default();
        let mut message = self.short_message();
        let instruction = self.instruction_span(source_map).zip(recorded);
        let instruction = instruction
            .and_then(|(span, recorded)| Some((recorded.instruction_in(&span)?, recorded)));
        if let Some((instruction, recorded)) = instruction {
            let written = source.get(instruction.mnemonic.clone()).unwrap_or_default();
            message = self.with_mnemonic(message, &String::from_utf8_lossy(written));
            if let Some(PathSegment::Field(field)) = self.path.last() {
                span = recorded.field(instruction, field).unwrap_or(span);
            }
        }
        let mut diagnostic = Diagnostic::new(span, message);
        diagnostic.severity = self.severity;
        diagnostic.rule = Some(self.rule.name);
        diagnostic.help = Some(self.rule.statement.into());
        diagnostic
    }

    /// Returns the bytes of the instruction that the finding is about.
    #[cfg(feature = "text")]
    pub(super) fn instruction_span(&self, source_map: &SourceMap) -> Option<Range<usize>> {
        source_map.instruction(self.routine?, self.instruction?)
    }

    /// Replaces the mnemonic of the instruction table in a message by the mnemonic of the text.
    #[cfg(feature = "text")]
    fn with_mnemonic(&self, message: String, written: &str) -> String {
        let mnemonic = self.path.iter().find_map(|segment| match segment {
            PathSegment::Instruction { mnemonic, .. } => Some(*mnemonic),
            _ => None,
        });
        let Some(mnemonic) = mnemonic.filter(|one| !one.is_empty() && *one != written) else {
            return message;
        };
        let message = message.replace(&format!("`{mnemonic}`"), &format!("`{written}`"));
        match message.strip_prefix(mnemonic).filter(|rest| rest.starts_with(", ")) {
            Some(rest) => format!("{written}{rest}"),
            None => message,
        }
    }

    /// Returns the edit that gives a variable its required [`alignment`](Self::alignment): the bytes
    /// of the text to replace, and the new text. The text was recorded with the module. Returns `None`
    /// if another alignment does not satisfy the rule, or the text is another one.
    #[cfg(feature = "text")]
    pub fn alignment_edit(
        &self,
        recorded: &Recorded,
        source: &[u8],
    ) -> Option<(Range<usize>, String)> {
        let RequiredAlignment { variable, align } = self.alignment?;
        let align = align.name()?;
        let header = recorded.document.source_map.routine(self.routine?)?;
        let routine = recorded.routines.iter().position(|routine| routine.header == header)?;
        let tokens = &recorded.tokens[recorded.tokens_in(&recorded.routines.get(routine)?.span)];
        let declared = Referent::Declared { routine: routine as u32, id: variable.into() };
        let name = tokens.iter().position(|one| one.kind == TokenKind::Definition(declared))?;
        let rest = source.get(tokens[name].span.start..)?;
        let line_end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let line_end = tokens[name].span.start + line_end.unwrap_or(rest.len());
        let line = tokens[name..].iter().take_while(|token| token.span.start < line_end);
        let is_key = |kind, span: &Range<usize>, key: &[u8]| {
            let text = source.get(span.clone()).unwrap_or_default();
            kind == TokenKind::Key && text.eq_ignore_ascii_case(key)
        };
        let mut line = line.skip_while(|token| !is_key(token.kind, &token.span, b"num_elts"));
        line.find(|token| token.kind == TokenKind::Number)?;
        let Some(next) = line.find(|token| {
            matches!(token.kind, TokenKind::Key | TokenKind::Comment | TokenKind::Annotation)
        }) else {
            let len = source[..line_end].trim_ascii_end().len();
            return Some((len..len, format!(" align={align}")));
        };
        if is_key(next.kind, &next.span, b"align") {
            let span = line.next()?.span.clone();
            // An expression is not a word.
            let before = source.get(..span.start)?.trim_ascii_end();
            let after = source.get(span.end..line_end)?.trim_ascii_start().first();
            let is_word = before.ends_with(b"=")
                && after.is_none_or(|byte| byte.is_ascii_alphabetic() || *byte == b'/');
            return is_word.then(|| (span, align.into()));
        }
        let start = next.span.start;
        Some((start..start, format!("align={align} ")))
    }

    /// Returns the message with the place within its line.
    #[cfg(feature = "text")]
    fn short_message(&self) -> String {
        let mut message = String::new();
        let has_field = matches!(self.path.last(), Some(PathSegment::Field(_)));
        for segment in &self.path {
            let (segment, name) = match segment {
                PathSegment::Entry { table, .. } => (*table, self.name.as_deref()),
                PathSegment::Field(field) => (*field, None),
                // A message about a whole instruction contains the mnemonic where it matters.
                PathSegment::Instruction { mnemonic, .. } if has_field && !mnemonic.is_empty() => {
                    (*mnemonic, None)
                }
                _ => continue,
            };
            if !message.is_empty() {
                message += ", ";
            }
            message += segment;
            if let Some(name) = name {
                message += &format!(" `{name}`");
            }
        }
        if !message.is_empty() {
            message += ": ";
        }
        message + &self.message
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: ", self.severity, self.rule.name)?;
        for (i, segment) in self.path.iter().enumerate() {
            write!(f, "{}{segment}", if i == 0 { "" } else { ", " })?;
            if let (PathSegment::Entry { .. }, Some(name)) = (segment, &self.name) {
                write!(f, " `{name}`")?;
            }
        }
        let separator = if self.path.is_empty() { "" } else { ": " };
        write!(f, "{separator}{}", self.message)?;
        match self.offset {
            Some(offset) => write!(f, " (offset {offset:#x})"),
            None => Ok(()),
        }
    }
}
