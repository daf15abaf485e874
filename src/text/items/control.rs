//! Items of labels, jumps and calls.

use alloc::format;

use super::{Item, Word, print_word, value_of_word, words};
use crate::isa::*;
use crate::object::LabelKind;
use crate::operand::*;
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::Parsed;
use crate::text::operands::Suffix;
use crate::text::words::{Directive, Quirk};

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
        // GenX_IR adds the original name if it replaced a `.` or `$`.
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

/// The name of a function that is called.
pub(in crate::text) struct FunctionName;

impl Item<ShortStringId> for FunctionName {
    fn print(p: &mut Printer<'_>, name: &ShortStringId) {
        match p.string(name.0.into()).filter(|_| p.has(Quirk::NamesCleaned)) {
            // GenX_IR replaces `.` and `$`, and prints no quotes.
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
