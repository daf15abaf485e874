//! Substitution of the operands in a template.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use genvisa::operand::DataType;
use memchr::{memchr, memchr2, memrchr};

use super::assumption::{Assumption, Part};
use super::constraint::{Kind, Resolved};
use super::finding::{Finding, Place};
use super::rules::{DOLLAR, OPERAND_NUMBER, PERCENT, REGION_TWICE, TYPED_TWICE};
use super::standin;
use super::statement::{Form, Path, Statement};
use super::substitutes::Substitutes;

/// The text of a template after substitution, and the origins of its bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Expansion {
    pub(super) text: Vec<u8>,
    /// For each byte of the text, the bytes of the template that it comes from.
    origins: Vec<Range<u32>>,
    /// The operands in the text, in its order.
    pub(super) uses: Vec<Use>,
    pub(super) findings: Vec<Finding>,
}

/// A place where an operand is substituted.
#[derive(Clone, Debug)]
pub(super) struct Use {
    /// The kind of text that is substituted.
    pub(super) kind: UseKind,
    /// Its bytes in the text.
    pub(super) span: Range<usize>,
}

/// The kind of text that is substituted for an operand or an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UseKind {
    /// The operand of a number.
    Operand(usize),
    /// A constant operand with constraint `i` whose value or type is not known.
    UnknownLiteral(usize),
    /// An unknown part, with an assumed value.
    Unknown(Part),
    /// The number of the block.
    Uid,
    /// Something illegal, about which there is a finding.
    Illegal,
}

impl Expansion {
    /// Returns the bytes of the template that bytes of the text come from.
    pub(super) fn origin(&self, span: Range<usize>) -> Range<usize> {
        let start_of = |at: usize| self.origins.get(at).map(|origin| origin.start as usize);
        let end_of = |at: usize| self.origins.get(at).map(|origin| origin.end as usize);
        let last = self.origins.last().map_or(0, |origin| origin.end as usize);
        let start = start_of(span.start).unwrap_or(last);
        if span.is_empty() {
            // After an operand, not before it.
            let after = span.start.checked_sub(1).and_then(end_of).unwrap_or(start);
            return after.min(start)..after.min(start);
        }
        let end = end_of(span.end - 1).unwrap_or(last);
        start..end.max(start)
    }

    /// Returns the bytes of the template that each byte of the text comes from.
    pub(super) fn origins(&self) -> &[Range<u32>] {
        &self.origins
    }

    /// Returns the uses that overlap or touch bytes of the text.
    pub(super) fn uses_in(&self, span: &Range<usize>) -> impl Iterator<Item = &Use> {
        let first = self.uses.partition_point(|one| one.span.end < span.start);
        let end = span.end;
        self.uses[first..].iter().take_while(move |one| one.span.start <= end)
    }

    /// Adds bytes of the template as they are.
    fn push_literal(&mut self, template: &[u8], span: Range<usize>) {
        self.text.extend_from_slice(&template[span.clone()]);
        self.origins.extend(span.map(|at| at as u32..at as u32 + 1));
    }

    fn push(&mut self, text: &[u8], origin: Range<usize>) {
        self.text.extend_from_slice(text);
        let origin = origin.start as u32..origin.end as u32;
        self.origins.resize(self.text.len(), origin);
    }

    fn push_use(&mut self, text: &str, kind: UseKind, origin: Range<usize>) {
        let start = self.text.len();
        self.push(text.as_bytes(), origin);
        self.uses.push(Use { kind, span: start..self.text.len() });
    }

    fn report(&mut self, finding: Finding, origin: Range<usize>) {
        self.findings.push(finding);
        // Other errors in the line may be consequences of this one.
        self.push_use("", UseKind::Illegal, origin);
    }
}

/// The substitution of one template.
struct Expander<'s> {
    statement: &'s Statement,
    path: Path,
    operands: &'s [Resolved],
    substitutes: &'s Substitutes,
    /// The number of the first operand of each name.
    names: BTreeMap<&'s str, usize>,
    /// The offset after the last closing bracket of the template.
    brackets_end: usize,
    comments: Comments,
    /// The number of holes before the current offset.
    holes: usize,
    assumption: &'s Assumption,
    out: Expansion,
}

/// Finds whether the end of the part of a template that was read is in a `//` comment.
#[derive(Default)]
struct Comments {
    end: usize,
    is_comment: bool,
}

impl Comments {
    /// Extends the part of the template, and returns whether its end is in a comment.
    fn is_comment_at(&mut self, template: &[u8], end: usize) -> bool {
        for at in self.end..end {
            match template[at] {
                b'\n' => self.is_comment = false,
                b'/' if at > 0 && template[at - 1] == b'/' => self.is_comment = true,
                _ => {}
            }
        }
        self.end = end;
        self.is_comment
    }
}

/// Substitutes the operands in a template.
pub(super) fn expand(
    statement: &Statement,
    path: Path,
    operands: &[Resolved],
    substitutes: &Substitutes,
    assumption: &Assumption,
) -> Expansion {
    let brackets_end = memrchr(b']', &statement.template).map_or(0, |last| last + 1);
    let comments = Comments::default();
    let names = statement.names();
    let out = Expansion::default();
    let mut expander = Expander {
        statement,
        path,
        operands,
        substitutes,
        names,
        brackets_end,
        comments,
        holes: 0,
        assumption,
        out,
    };
    expander.expand();
    expander.out
}

impl Expander<'_> {
    fn expand(&mut self) {
        let text: &[u8] = &self.statement.template;
        self.out.text.reserve(text.len());
        self.out.origins.reserve(text.len());
        let mut at = 0;
        loop {
            let hole = self.statement.holes.get(self.holes);
            if let Some(hole) = hole.filter(|hole| hole.start <= at) {
                at = self.hole(hole.start.max(at)..hole.end.clamp(at, text.len()));
                continue;
            }
            let end = hole.map_or(text.len(), |hole| hole.start.min(text.len()));
            let rest = text.get(at..end).unwrap_or_default();
            let len = memchr2(b'%', b'$', rest).unwrap_or(rest.len());
            self.out.push_literal(text, at..at + len);
            at += len;
            if at == end && end < text.len() {
                continue;
            }
            at = match (text.get(at), self.statement.form) {
                (None, _) => return,
                (Some(b'%'), Form::Gnu) => self.percent(at),
                (Some(b'$'), Form::Llvm) => self.dollar(at),
                (Some(b'$'), _) => self.literal_dollar(at),
                _ => {
                    self.out.push_literal(text, at..at + 1);
                    at + 1
                }
            };
        }
    }

    /// Substitutes a value for a hole, and returns its end.
    fn hole(&mut self, origin: Range<usize>) -> usize {
        let end = origin.end;
        self.assume(Part::Hole(self.holes), origin);
        self.holes += 1;
        end
    }

    /// Substitutes the assumed value of an unknown part.
    fn assume(&mut self, part: Part, origin: Range<usize>) {
        let value = self.assumption.value(part);
        self.out.push_use(&value.to_string(), UseKind::Unknown(part), origin);
    }

    /// Returns the end of the decimal number at an offset, and the number.
    fn number(&self, at: usize) -> (usize, usize) {
        let rest = self.statement.template.get(at..).unwrap_or_default();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let digit = |number: usize, byte: &u8| {
            number.saturating_mul(10).saturating_add(usize::from(byte - b'0'))
        };
        (at + digits, rest[..digits].iter().fold(0, digit))
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.statement.template.get(at).copied()
    }

    /// Substitutes the operand or escape at a percent sign of C, and returns its end.
    fn percent(&mut self, at: usize) -> usize {
        let next = self.byte(at + 1);
        match next {
            Some(byte @ (b'%' | b'{' | b'}' | b'|')) => {
                self.out.push(&[byte], at..at + 2);
                at + 2
            }
            Some(b'=') => {
                self.out.push_use(self.substitutes.uid(), UseKind::Uid, at..at + 2);
                at + 2
            }
            Some(b'0'..=b'9') => {
                let (end, number) = self.number(at + 1);
                self.operand(number, at..end);
                end
            }
            Some(b'[') => self.named(at, at + 1),
            Some(letter) if letter.is_ascii_alphabetic() => self.modified(at),
            _ => self.illegal_percent(at),
        }
    }

    /// Substitutes an operand with a modifier, such as `%c1`.
    fn modified(&mut self, at: usize) -> usize {
        if self.path == Path::Vc {
            return self.illegal_percent(at);
        }
        let end = match self.byte(at + 2) {
            Some(b'0'..=b'9') => self.number(at + 2).0,
            Some(b'[') => match self.name(at + 2) {
                Some((_, end)) => end,
                None => return self.illegal_percent(at),
            },
            _ => return self.illegal_percent(at),
        };
        let written = self.shown(at..end);
        let message = format!(
            "the compiler drops the whole block without a message: `{written}` has a modifier"
        );
        let finding = Finding::new(&DOLLAR, Place::Template(at..end), message);
        self.out.report(finding.with_help("remove the letter after the percent sign"), at..end);
        self.out.push(b"0", at..end);
        end
    }

    /// Reports a percent sign that begins neither an operand nor an escape, and returns its end.
    fn illegal_percent(&mut self, at: usize) -> usize {
        let rest = &self.statement.template[at + 1..];
        let letters =
            rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let end = at + 1 + letters;
        let written = self.shown(at..end);
        let message = format!("`{written}` is not an operand");
        let finding = Finding::new(&PERCENT, Place::Template(at..end), message);
        let help = format!("in C, write `%{written}` for `{written}` in vISA");
        self.out.report(finding.with_help(help), at..end);
        self.out.push(b"%", at..at + 1);
        at + 1
    }

    /// Returns the name in brackets at an offset, and its end.
    fn name(&self, at: usize) -> Option<(String, usize)> {
        let rest = self.statement.template.get(at + 1..self.brackets_end)?;
        let len = memchr(b']', rest)?;
        let name = String::from_utf8_lossy(&rest[..len]).into_owned();
        Some((name, at + 1 + len + 1))
    }

    /// Substitutes an operand with a name, whose bracket is at an offset.
    fn named(&mut self, at: usize, bracket: usize) -> usize {
        let Some((name, end)) = self.name(bracket) else { return self.illegal_percent(at) };
        match self.names.get(&*name) {
            Some(number) => self.operand(*number, at..end),
            None => {
                let message = format!("there is no operand `[{name}]`");
                let finding = Finding::new(&OPERAND_NUMBER, Place::Template(at..end), message);
                self.out.report(finding, at..end);
                self.out.push(b"0", at..end);
            }
        }
        end
    }

    /// Substitutes the operand or escape at a dollar sign of LLVM IR, and returns its end.
    fn dollar(&mut self, at: usize) -> usize {
        let text: &[u8] = &self.statement.template;
        const UID_IN_LLVM: &[u8] = b"${:uid}";
        let next = self.byte(at + 1);
        if self.path == Path::Vc {
            // The vector compiler reads `$$1` as `$1`, and does not replace other dollar signs.
            let digits = if next == Some(b'$') { at + 2 } else { at + 1 };
            if self.byte(digits).is_some_and(|byte| byte.is_ascii_digit()) {
                let (mut end, mut number) = self.number(digits);
                // `$15` is operand 1 and the digit 5 if there are only two operands.
                while number >= self.operands.len() && end > digits + 1 {
                    end -= 1;
                    number /= 10;
                }
                self.operand(number, at..end);
                return end;
            }
            self.out.push(b"$", at..at + 1);
            return at + 1;
        }
        match next {
            Some(b'0'..=b'9') => {
                let (end, number) = self.number(at + 1);
                self.operand(number, at..end);
                end
            }
            _ if text[at..].starts_with(UID_IN_LLVM) => {
                let end = at + UID_IN_LLVM.len();
                self.out.push_use(self.substitutes.uid(), UseKind::Uid, at..end);
                end
            }
            _ => self.literal_dollar(at),
        }
    }

    /// Reports a dollar sign that does not begin an operand, and returns its end.
    fn literal_dollar(&mut self, at: usize) -> usize {
        if self.path == Path::Vc {
            self.out.push(b"$", at..at + 1);
            return at + 1;
        }
        let text: &[u8] = &self.statement.template;
        let closing = text[at..].iter().take_while(|byte| !byte.is_ascii_whitespace());
        let end = match self.byte(at + 1) {
            Some(b'$') => at + 2,
            Some(b'{') => at + closing.take_while(|byte| **byte != b'}').count() + 1,
            _ => at + 1,
        };
        let end = end.min(text.len()).max(at + 1);
        let written = self.shown(at..end);
        let message = format!(
            "the compiler drops the whole block without a message: `{written}` is not an operand"
        );
        let help = match self.comments.is_comment_at(text, at) {
            true => "remove the comment",
            false => "remove the dollar sign",
        };
        let finding = Finding::new(&DOLLAR, Place::Template(at..end), message).with_help(help);
        self.out.report(finding, at..end);
        self.out.push(b" ", at..end);
        end
    }

    /// Returns bytes of the template for a message.
    fn shown(&self, span: Range<usize>) -> String {
        const MAX_SHOWN: usize = 40;
        let bytes = &self.statement.template[span];
        let mut text = String::from_utf8_lossy(bytes).into_owned();
        if let Some((end, _)) = text.char_indices().nth(MAX_SHOWN) {
            text.truncate(end);
            text.push('\u{2026}');
        }
        text
    }

    /// Substitutes the operand of a number.
    fn operand(&mut self, number: usize, origin: Range<usize>) {
        let Some(resolved) = self.operands.get(number) else {
            self.report_number(number, origin);
            return;
        };
        let kind = match resolved.tied_to {
            Some(_) if self.path == Path::Simt => Kind::Variable,
            _ => resolved.kind,
        };
        let name = self.substitutes.variable(resolved.tied_to.unwrap_or(number));
        let operand = UseKind::Operand(number);
        match kind {
            Kind::Variable | Kind::Predicate | Kind::Unknown => {
                self.out.push_use(&name, operand, origin);
            }
            Kind::Region => self.region(number, &name, origin),
            Kind::Literal => self.literal(number, origin),
            Kind::Number | Kind::SignedNumber => {
                match self.bits(number) {
                    Some(bits) if kind == Kind::Number => {
                        // The compiler cuts a number to the type after it.
                        let bits = bits & self.mask_of_type(origin.end);
                        self.out.push_use(&bits.to_string(), operand, origin);
                    }
                    Some(bits) => {
                        let signed = sign_extended(bits, self.width(number));
                        self.out.push_use(&signed.to_string(), operand, origin);
                    }
                    None => self.assume(Part::Operand(number), origin),
                };
            }
        }
    }

    /// Returns the bits that a type such as `:uw` at an offset has.
    fn mask_of_type(&self, at: usize) -> u64 {
        let rest = self.statement.template.get(at..).unwrap_or_default();
        let word = rest.strip_prefix(b":").unwrap_or_default();
        let len = word.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let name = core::str::from_utf8(&word[..len]).unwrap_or_default();
        let ty = DataType::NAMED
            .iter()
            .find(|ty| ty.name().is_some_and(|of_type| of_type.eq_ignore_ascii_case(name)));
        match ty.map(|ty| ty.size()) {
            Some(size @ 1..8) => u64::MAX >> (64 - 8 * size),
            _ => u64::MAX,
        }
    }

    fn report_number(&mut self, number: usize, origin: Range<usize>) {
        let (written, count) = (self.shown(origin.clone()), self.operands.len());
        let has = match count {
            0 => "no operands".to_string(),
            1 => "one operand".to_string(),
            _ => format!("{count} operands"),
        };
        let is_dropped = self.statement.form == Form::Llvm && self.path == Path::Simt;
        let effect =
            if is_dropped { "the compiler drops the whole block without a message: " } else { "" };
        let message = format!("{effect}`{written}` does not exist; the block has {has}");
        let rule = if is_dropped { &DOLLAR } else { &OPERAND_NUMBER };
        let place = Place::Template(origin.clone());
        self.out.report(Finding::new(rule, place, message), origin.clone());
        let name = self.substitutes.variable(number.min(self.operands.len()));
        self.out.push_use(&name, UseKind::Illegal, origin);
    }

    /// Substitutes an operand of the vector compiler with its region.
    fn region(&mut self, number: usize, name: &str, origin: Range<usize>) {
        let operand = UseKind::Operand(number);
        if self.byte(origin.end) == Some(b'(') {
            let written = self.shown(origin.clone());
            let message = format!("the vector compiler writes `{written}` with its region");
            let help = "remove the region, or write constraint `^rw` for the name only; \
                        if this is not code for the vector compiler, write `rw`";
            let finding = Finding::new(&REGION_TWICE, Place::Template(origin.clone()), message);
            self.out.findings.push(finding.with_help(help));
            self.out.push_use(name, operand, origin);
            return;
        }
        let (resolved, ty) = (&self.operands[number], self.statement.operands[number].ty);
        let region = match (resolved.is_written, ty) {
            (true, _) => "<1>",
            (false, Some(ty)) if ty.components == 1 => "<0;1,0>",
            (false, _) => "<1;1,0>",
        };
        self.out.push_use(&format!(" {name}(0,0){region}"), operand, origin);
    }

    /// Substitutes a constant with its type.
    fn literal(&mut self, number: usize, origin: Range<usize>) {
        let written = self.shown(origin.clone());
        if self.byte(origin.end) == Some(b':') {
            let message = format!("the compiler writes `{written}` with its type");
            let help = format!("remove the type after `{written}`, or write constraint `P`");
            let finding = Finding::new(&TYPED_TWICE, Place::Template(origin.clone()), message);
            self.out.report(finding.with_help(help), origin.clone());
        }
        let element = self.statement.operands[number].ty.map(|ty| ty.element);
        let ty = element.and_then(standin::constant_type);
        let (Some(bits), Some(ty)) = (self.bits(number), ty) else {
            self.out.push_use("0x1:d", UseKind::UnknownLiteral(number), origin);
            return;
        };
        self.out.push_use(&format!("{bits:#x}:{ty}"), UseKind::Operand(number), origin);
    }

    /// Returns the number of bits of a constant operand.
    fn width(&self, number: usize) -> u32 {
        self.statement.operands[number].ty.map_or(64, |ty| 8 * ty.element.size())
    }

    /// Returns the bits of a constant operand, if its value is known.
    fn bits(&self, number: usize) -> Option<u64> {
        let bits = self.statement.operands[number].value?;
        Some(bits & (u64::MAX >> (64 - self.width(number))))
    }
}

/// Returns the value of a two's complement number of 1 to 64 bits.
fn sign_extended(bits: u64, width: u32) -> i64 {
    let unused = 64 - width;
    (bits << unused) as i64 >> unused
}
