//! The names that replace the operands and `%=` in the text that is checked.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::context::Context;
use super::operand::Operand;
use super::statement::{Form, Statement};

/// The start of the names of operands, before underscores.
const PREFIX: &str = "OPERAND";
/// The start of the text for `%=` and `${:uid}`, before zeros.
const UID: &str = "_0_";
/// The minimum number of zeros.
const UID_ZEROS: usize = 3;

/// The names in [`Report::text`](crate::Report::text) that the template writes in another way: those of
/// its operands, and the number of the block.
///
/// The template contains none of them: each is longer than what looks like it in the template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Substitutes {
    /// The start of the names of operands.
    prefix: String,
    uid: String,
    /// How the template refers to each operand.
    written: Vec<String>,
    written_uid: &'static str,
}

impl Substitutes {
    /// Returns the names for a statement in a context.
    pub(super) fn of(statement: &Statement, context: &Context) -> Substitutes {
        let declarations = context.declarations.iter().map(|it| it.text.as_bytes());
        let labels = context.labels.iter().map(|label| label.as_bytes());
        let (mut underscores, mut zeros) = (0, UID_ZEROS - 1);
        for text in declarations.chain(labels).chain([&*statement.template]) {
            underscores = underscores.max(longest_run(text, PREFIX.as_bytes(), b'_'));
            zeros = zeros.max(longest_run(text, UID.as_bytes(), b'0'));
        }
        let written = |(number, operand): (usize, &Operand)| match (statement.form, &operand.name) {
            (Form::Gnu, Some(name)) => format!("%[{name}]"),
            (Form::Llvm, _) => format!("${number}"),
            _ => format!("%{number}"),
        };
        Substitutes {
            prefix: format!("{PREFIX}{}", "_".repeat(underscores + 1)),
            uid: format!("{UID}{}", "0".repeat(zeros + 1)),
            written: statement.operands.iter().enumerate().map(written).collect(),
            written_uid: if statement.form == Form::Llvm { "${:uid}" } else { "%=" },
        }
    }

    /// Returns the name of the operand of a number.
    pub fn variable(&self, number: usize) -> String {
        // Without the last underscore, operand 1 and a digit after it would be operand 10.
        format!("{}{number}_", self.prefix)
    }

    /// Returns the text for the number of the block.
    pub(super) fn uid(&self) -> &str {
        &self.uid
    }

    /// Returns the number of operands.
    pub fn operand_count(&self) -> usize {
        self.written.len()
    }

    /// Returns the number of the operand that has a name. Numbers that no operand has have a name, too.
    pub fn operand(&self, name: &str) -> Option<usize> {
        let (number, rest) = self.number(name)?;
        rest.is_empty().then_some(number)
    }

    /// Returns how the template refers to the operand of a number.
    pub fn written(&self, number: usize) -> String {
        let of_form = || match self.written_uid {
            "%=" | "" => format!("%{number}"),
            _ => format!("${number}"),
        };
        self.written.get(number).cloned().unwrap_or_else(of_form)
    }

    /// Replaces the names in a text with how the template writes them.
    pub fn restore(&self, text: &str) -> String {
        if self.prefix.is_empty() {
            return text.to_string();
        }
        let mut result = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(next) = rest.chars().next() {
            if let Some((number, after)) = self.number(rest) {
                result += &self.written(number);
                rest = after;
            } else if let Some(after) = rest.strip_prefix(&*self.uid) {
                result += self.written_uid;
                rest = after;
            } else {
                result.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
        result
    }

    /// Returns the number of the operand whose name begins a text, and the text after the name.
    fn number<'t>(&self, text: &'t str) -> Option<(usize, &'t str)> {
        let rest = text.strip_prefix(&*self.prefix).filter(|_| !self.prefix.is_empty())?;
        let len = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = rest[..len].parse().ok()?;
        Some((number, rest[len..].strip_prefix('_')?))
    }
}

/// Returns the length of the longest run of a byte after a word in a text.
fn longest_run(text: &[u8], word: &[u8], byte: u8) -> usize {
    let run = |at: usize| text[at + word.len()..].iter().take_while(|it| **it == byte).count();
    memchr::memmem::find_iter(text, word).map(run).max().unwrap_or(0)
}
