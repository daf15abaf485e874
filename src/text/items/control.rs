//! Items of labels, jumps and calls.

use alloc::format;

use super::{Item, Word, print_word, value_of_word, words};
use crate::isa::*;
use crate::object::LabelKind;
use crate::operand::*;
use crate::text::charset::is_identifier;
use crate::text::directives::Directive;
use crate::text::names::Spelling;
use crate::text::parse::{Parse, Parsed, Parser};
use crate::text::print::{Print, Printer};
use crate::text::quirk::Quirk;
use crate::text::reserved;

/// When the reference adds the id of a label to its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::text) enum Suffix {
    Never,
    Always,
    OfSubroutines,
}

impl Printer<'_> {
    /// Prints a use of a label.
    pub(in crate::text) fn label(&mut self, id: LabelId, suffix: Suffix) {
        self.label_as(id, suffix, |p, name| match p.names {
            Some(names) if names.needs_quotes(name) => {
                p.line.ch('"');
                p.name(name);
                p.line.ch('"');
            }
            _ => p.name(name),
        });
    }

    /// Prints a label, with a function that prints its name.
    fn label_as(&mut self, id: LabelId, suffix: Suffix, print: fn(&mut Self, Spelling)) {
        let names = self.names;
        match names.and_then(|names| names.label(id)) {
            Some(name) => print(self, name),
            None => self.undeclared('L', id.0.into()),
        }
        let kind = names.and_then(|names| names.label_kind(id));
        let has_suffix = match suffix {
            Suffix::Never => false,
            Suffix::Always => true,
            Suffix::OfSubroutines => kind == Some(LabelKind::SUBROUTINE),
        };
        if has_suffix && self.has(Quirk::LabelSuffixes) {
            self.id('_', id.0);
        }
    }

    fn raw_label(&mut self, id: LabelId) {
        let raw = self.names.and_then(|names| names.raw_label(id));
        match raw.filter(|_| self.has(Quirk::RawJumpNames)) {
            Some(name) => self.name(name),
            None => self.label(id, Suffix::Never),
        }
    }
}

/// The definition of a label, in the first column. Only statements are parsed as definitions.
pub(in crate::text) struct LabelLine;

impl Item<LabelId> for LabelLine {
    fn print(p: &mut Printer<'_>, label: &LabelId) {
        p.label_as(*label, Suffix::Never, Printer::name);
        p.line.ch(':');
    }

    fn parse(p: &mut Parser<'_>, _: &mut LabelId) -> Parsed<()> {
        Err(p.c.expected("an instruction"))
    }
}

/// `.function` and the label of a subroutine. Only statements are parsed as definitions.
pub(in crate::text) struct SubroutineLines;

impl Item<LabelId> for SubroutineLines {
    fn print(p: &mut Printer<'_>, label: &LabelId) {
        p.directive(Directive::Function);
        p.line.ch('"');
        p.label_as(*label, Suffix::Always, Printer::quoted_name);
        p.line.ch('"');
        let names = p.names.filter(|_| p.has(Quirk::LabelSuffixes));
        let raw = names.and_then(|names| {
            let raw = names.raw_label(*label)?;
            let name = names.string_index.text(raw.text);
            name.iter().any(|byte| matches!(byte, b'.' | b'$')).then_some(raw)
        });
        // The reference adds the original name if it replaced a `.` or `$`.
        if let Some(raw) = raw {
            p.line.push(" /// Original Name: \"");
            p.quoted_name(raw);
            p.id('_', label.0);
            p.line.ch('"');
        }
        p.line.push("\n\n");
        p.label_as(*label, Suffix::Always, Printer::name);
        p.line.ch(':');
    }

    fn parse(p: &mut Parser<'_>, _: &mut LabelId) -> Parsed<()> {
        Err(p.c.expected("an instruction"))
    }
}

const CALLS: [(bool, &str); 2] = [(false, "call"), (true, "fccall")];

/// `fccall` if the kind of the label is FC.
pub(in crate::text) struct CallWord;

impl Word<LabelId> for CallWord {
    const WORDS: &'static [&'static str] = &words(&CALLS);

    fn print(p: &mut Printer<'_>, label: &LabelId) {
        let kind = p.names.and_then(|names| names.label_kind(*label));
        print_word(p, &(kind == Some(LabelKind::FC)), &CALLS);
    }

    fn parse(_: &Parser<'_>, _: &mut LabelId) {}
}

/// The target of a CALL.
pub(in crate::text) struct Callee;

impl Item<LabelId> for Callee {
    fn print(p: &mut Printer<'_>, label: &LabelId) {
        p.line.ch(' ');
        p.label(*label, Suffix::Always);
    }

    fn parse(p: &mut Parser<'_>, label: &mut LabelId) -> Parsed<()> {
        label.parse(p)?;
        if value_of_word(p, &CALLS) == Some(true) {
            p.symbols.call_composable(*label);
        }
        Ok(())
    }
}

/// The target of a GOTO.
pub(in crate::text) struct RawLabel;

impl Item<LabelId> for RawLabel {
    fn print(p: &mut Printer<'_>, label: &LabelId) {
        p.line.ch(' ');
        p.raw_label(*label);
    }

    fn parse(p: &mut Parser<'_>, label: &mut LabelId) -> Parsed<()> {
        label.parse(p)
    }
}

/// ` (a, b)`
pub(in crate::text) struct SwitchLabels;

impl Item<Labels> for SwitchLabels {
    fn print(p: &mut Printer<'_>, labels: &Labels) {
        p.line.push(" (");
        for (i, label) in labels.iter().enumerate() {
            if i > 0 {
                p.line.push(", ");
            }
            p.raw_label(*label);
        }
        p.line.ch(')');
    }

    fn parse(p: &mut Parser<'_>, to: &mut Labels) -> Parsed<()> {
        p.c.expect("(")?;
        let start = p.c.at;
        let mut labels = [LabelId(0); Labels::MAX];
        let mut count = 0;
        loop {
            // The commas are optional, and may be repeated.
            while p.c.eat(",") {}
            if p.c.eat(")") {
                break;
            }
            let label = p.label_use()?;
            if let Some(slot) = labels.get_mut(count) {
                *slot = label;
            }
            count += 1;
        }
        if count > Labels::MAX {
            let message = format!("expected at most {} labels, found {count}", Labels::MAX);
            return Err(p.c.fail(start..p.c.at, &message));
        }
        match Labels::new(&labels[..count]) {
            Some(labels) => *to = labels,
            None => {
                p.c.at = start;
                return Err(p.c.expected("a label"));
            }
        }
        Ok(())
    }
}

const IFCALL_FLAGS: [(IfcallFlags, &str); 2] =
    [(IfcallFlags::UNIFORM, ".uniform"), (IfcallFlags::NO_RETURN, ".noreturn")];

/// `.uniform.noreturn`
pub(in crate::text) struct IfcallSuffixes;

impl Item<Option<IfcallFlags>> for IfcallSuffixes {
    fn print(p: &mut Printer<'_>, flags: &Option<IfcallFlags>) {
        let flags = flags.unwrap_or_default();
        let set = IFCALL_FLAGS.iter().filter(|(flag, _)| flags.contains(*flag));
        set.for_each(|(_, suffix)| p.line.push(suffix));
    }

    fn parse(p: &mut Parser<'_>, to: &mut Option<IfcallFlags>) -> Parsed<()> {
        let mut flags = IfcallFlags::empty();
        for (flag, suffix) in IFCALL_FLAGS {
            // The grammar allows blanks before a suffix.
            flags.set(flag, p.c.eat(suffix));
        }
        *to = (to.is_some() || !flags.is_empty()).then_some(flags);
        Ok(())
    }
}

/// A symbol, in quotes if it is not an identifier.
impl Print for ShortStringId {
    fn print(&self, p: &mut Printer<'_>) {
        match p.string(self.0.into()) {
            Some((bytes, is_first)) => {
                let is_name = is_identifier(bytes) && !(p.is_v4_2() && reserved::is_today(bytes));
                match core::str::from_utf8(bytes) {
                    Ok(name) if is_name => p.line.push(name),
                    _ => p.line.quoted(bytes),
                }
                p.omit_if(!is_first);
            }
            None => {
                p.id('#', self.0);
                p.is_incomplete = true;
            }
        }
    }
}

impl Parse for ShortStringId {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        *self = p.symbol_string()?;
        Ok(())
    }
}

/// The name of a function that is called.
pub(in crate::text) struct FunctionName;

impl Item<ShortStringId> for FunctionName {
    fn print(p: &mut Printer<'_>, name: &ShortStringId) {
        match p.string(name.0.into()).filter(|_| p.has(Quirk::NamesCleaned)) {
            // The reference replaces `.` and `$`, and prints no quotes.
            Some((bytes, _)) => {
                p.line.ch(' ');
                p.line.push_without_dots(bytes);
            }
            None => {
                let start = p.line.len() + 1;
                name.operand(p);
                p.omit_if(p.is_v4_2() && p.line.bytes().get(start) == Some(&b'"'));
            }
        }
    }

    fn parse(p: &mut Parser<'_>, name: &mut ShortStringId) -> Parsed<()> {
        p.c.skip_blanks();
        if p.c.peek() == Some(b'"') && p.is_strict() {
            return Err(p.c.expected("the name of a function, without quotes"));
        }
        name.parse(p)
    }
}
