//! Items of labels, jumps, calls, synchronization and debug information.

use alloc::format;

use super::{Item, Word, names, print_word, value_of_word, word, words};
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
            None => {
                self.id('L', id.0);
                self.omit_if(names.is_some());
            }
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

/// `.eq`, the relation of a CMP.
pub(in crate::text) struct CmpRelation;

impl CmpRelation {
    /// The code of a CMP without a relation.
    const UNDEFINED: RelOp = RelOp::from_low_bits(6);
}

impl Item<Relation> for CmpRelation {
    fn print(p: &mut Printer<'_>, relation: &Relation) {
        if p.is_v4_2() && *relation == Self::UNDEFINED.into() {
            return;
        }
        p.line.ch('.');
        relation.print(p);
    }

    fn parse(p: &mut Parser<'_>, relation: &mut Relation) -> Parsed<()> {
        if p.c.eat_here(".") {
            return relation.parse(p);
        }
        *relation = Self::UNDEFINED.into();
        Ok(())
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

/// The execution size of JMP and SWITCHJMP.
pub(in crate::text) struct JumpExec;

impl Item<Exec> for JumpExec {
    fn print(p: &mut Printer<'_>, exec: &Exec) {
        let is_forgotten = p.has(Quirk::JumpExecForgotten);
        let exec = if is_forgotten { ExecSize::S1.into() } else { *exec };
        exec.operand(p);
    }

    fn parse(p: &mut Parser<'_>, exec: &mut Exec) -> Parsed<()> {
        exec.parse(p)
    }
}

/// `.sat` of the first of two destinations.
pub(in crate::text) struct CarrySat;

impl Item<Dst> for CarrySat {
    fn print(p: &mut Printer<'_>, dst: &Dst) {
        if dst.saturates() && !p.has(Quirk::CarrySaturationForgotten) {
            p.line.push(".sat");
            p.has_pending_sat = true;
        }
    }

    fn parse(p: &mut Parser<'_>, _: &mut Dst) -> Parsed<()> {
        p.sat = p.c.eat_here(".sat");
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

/// The operand of WAIT, which older formats lack.
pub(in crate::text) struct WaitMask;

impl Item<Option<Scalar>> for WaitMask {
    fn print(p: &mut Printer<'_>, mask: &Option<Scalar>) {
        match mask {
            Some(mask) => mask.operand(p),
            None if p.has(Quirk::WaitOperandAdded) => Vector::imm(Imm::uw(0)).operand(p),
            None => {}
        }
    }

    fn parse(p: &mut Parser<'_>, to: &mut Option<Scalar>) -> Parsed<()> {
        let is_in_format = to.is_some();
        let mut mask = Vector::imm(Imm::uw(0));
        if p.c.is_at_line_end() {
            *to = is_in_format.then_some(mask);
            return Ok(());
        }
        mask.parse(p)?;
        // In a format without the operand, zero is accepted and ignored.
        let is_implied = !is_in_format && mask == Vector::imm(Imm::uw(0));
        *to = (!is_implied).then_some(mask);
        Ok(())
    }
}

const FENCES: [(FenceFlags, &str); 3] = [
    (FenceFlags::SOFTWARE, "fence_sw"),
    (FenceFlags::LOCAL, "fence_local"),
    (FenceFlags::empty(), "fence_global"),
];

word!(FenceWord: FenceFlags = FENCES, |p, mask| {
    if let Some((_, word)) = FENCES.iter().find(|(flag, _)| mask.contains(*flag)) {
        p.line.push(word);
    }
});

/// The options of a fence, in the order that the grammar requires.
const FENCE_OPTIONS: [(FenceFlags, &str); 6] = [
    (FenceFlags::COMMIT, "E"),
    (FenceFlags::INSTRUCTION, "I"),
    (FenceFlags::SAMPLER, "S"),
    (FenceFlags::CONSTANT, "C"),
    (FenceFlags::READ_WRITE, "R"),
    (FenceFlags::L1, "L1"),
];

/// `.EISCRL1`
pub(in crate::text) struct FenceOptions;

impl Item<FenceFlags> for FenceOptions {
    fn print(p: &mut Printer<'_>, &mask: &FenceFlags) {
        if mask.contains(FenceFlags::SOFTWARE) {
            return p.omit_if(mask != FenceFlags::SOFTWARE);
        }
        let has_options = !(mask - FenceFlags::LOCAL).is_empty();
        if has_options || !mask.is_empty() && p.has(Quirk::EmptyFenceOptions) {
            p.line.ch('.');
        }
        let options = FENCE_OPTIONS.iter().filter(|(flag, _)| mask.contains(*flag));
        options.for_each(|(_, letter)| p.line.push(letter));
        p.omit_if(p.is_v4_2() && mask - FenceFlags::LOCAL == FenceFlags::READ_WRITE);
    }

    fn parse(p: &mut Parser<'_>, mask: &mut FenceFlags) -> Parsed<()> {
        if *mask == FenceFlags::SOFTWARE || !p.c.eat_here(".") {
            return Ok(());
        }
        let start = p.c.at;
        let mut options = p.c.word_here();
        if options == "R" && p.is_strict() {
            let message = "`.R` alone is a channel mask in version 4.2";
            return Err(p.c.fail(start - 1..p.c.at, message));
        }
        // The reference prints a local fence without options as `fence_local.`.
        let is_bare_dot = options.is_empty() && !mask.is_empty() && !p.is_strict();
        for (flag, letter) in FENCE_OPTIONS {
            if let Some(rest) = options.strip_prefix(letter) {
                (*mask, options) = (*mask | flag, rest);
            }
        }
        if p.c.at > start && options.is_empty() || is_bare_dot {
            return Ok(());
        }
        p.c.at = start;
        Err(p.c.expected("fence options in the order `EISCRL1`"))
    }
}

/// `.signal` if the lowest bit is set, otherwise `.wait`.
pub(in crate::text) struct BarrierSuffix;

impl Item<BarrierMode> for BarrierSuffix {
    fn print(p: &mut Printer<'_>, mode: &BarrierMode) {
        p.line.ch('.');
        BarrierMode::from_low_bits(mode.bits() & 1).print(p);
        p.omit_if(mode.name().is_none());
    }

    fn parse(p: &mut Parser<'_>, mode: &mut BarrierMode) -> Parsed<()> {
        p.dot()?;
        mode.parse(p)
    }
}

/// The type of a barrier and the numbers of producers and consumers, or only the number of
/// producers.
pub(in crate::text) struct BarrierThreads;

impl Item<Nbarrier> for BarrierThreads {
    fn print(p: &mut Printer<'_>, barrier: &Nbarrier) {
        if barrier.mode.bits() & 1 != 0 {
            barrier.barrier_type.operand(p);
            barrier.num_producers.operand(p);
            barrier.num_consumers.operand(p);
            return;
        }
        // After `wait`, the text has only the barrier.
        let unused = [barrier.barrier_type, Some(barrier.num_producers), barrier.num_consumers];
        let is_zero = |operand: &Option<Vector>| {
            operand.is_none_or(|operand| operand == Vector::imm(Imm::ud(0)))
        };
        p.omit_if(!unused.iter().all(is_zero));
    }

    fn parse(p: &mut Parser<'_>, i: &mut Nbarrier) -> Parsed<()> {
        let zero = Vector::imm(Imm::ud(0));
        i.num_producers = zero;
        i.barrier_type = i.barrier_type.and(Some(zero));
        i.num_consumers = i.num_consumers.and(Some(zero));
        if i.mode == BarrierMode::WAIT {
            return Ok(());
        }
        let mut first = Vector::default();
        first.parse(p)?;
        if p.c.is_at_line_end() {
            i.num_producers = first;
            return Ok(());
        }
        i.num_producers.parse(p)?;
        i.barrier_type = Some(first);
        i.num_consumers.insert(zero).parse(p)
    }
}

const LIFETIME_ENDS: [(bool, &str); 2] = [(false, "start"), (true, "end")];

/// `.start V33` or `.end V33`
pub(in crate::text) struct LifetimeEnd;

impl Item<Lifetime> for LifetimeEnd {
    fn print(p: &mut Printer<'_>, lifetime: &Lifetime) {
        let id = lifetime.variable.0;
        p.line.ch('.');
        print_word(p, &lifetime.properties.end, &LIFETIME_ENDS);
        p.line.ch(' ');
        match (lifetime.properties.class, u16::try_from(id)) {
            (LifetimeClass::GENERAL, _) => {
                p.var(lifetime.variable);
                p.omit_if(p.is_v4_2() && lifetime.variable.predefined_name().is_some());
            }
            (LifetimeClass::ADDRESS, Ok(id)) => p.addr(AddrId(id)),
            (LifetimeClass::PREDICATE, Ok(id)) => p.pred_name(PredId(id)),
            (LifetimeClass::ADDRESS, _) => p.undeclared('A', id),
            (LifetimeClass::PREDICATE, _) => p.undeclared('P', id),
            _ => p.is_incomplete = true,
        }
    }

    fn parse(p: &mut Parser<'_>, i: &mut Lifetime) -> Parsed<()> {
        p.dot()?;
        let word = p.c.word_here();
        let Some((end, _)) = LIFETIME_ENDS.iter().find(|(_, end)| *end == word) else {
            return Err(p.c.expected("`start` or `end`"));
        };
        let (class, id) = p.lifetime_variable()?;
        i.properties = LifetimeProperties { end: *end, class };
        i.variable = VarId(id);
        Ok(())
    }
}

/// A predicate that has no text.
pub(in crate::text) struct NoPred;

impl Item<Pred> for NoPred {
    fn print(p: &mut Printer<'_>, pred: &Pred) {
        p.omit_if(*pred != Pred::NONE);
    }

    fn parse(_: &mut Parser<'_>, pred: &mut Pred) -> Parsed<()> {
        *pred = Pred::NONE;
        Ok(())
    }
}

/// An execution size of one lane, which has no text.
pub(in crate::text) struct OneLane;

impl Item<Exec> for OneLane {
    fn print(p: &mut Printer<'_>, exec: &Exec) {
        p.omit_if(*exec != Exec::from(ExecSize::S1));
    }

    fn parse(_: &mut Parser<'_>, exec: &mut Exec) -> Parsed<()> {
        *exec = ExecSize::S1.into();
        Ok(())
    }
}

/// `min` or `max`
pub(in crate::text) struct MinMaxWord;

impl Word<MinMaxOp> for MinMaxWord {
    const WORDS: &'static [&'static str] = &names!(MinMaxOp::NAMED);

    fn print(p: &mut Printer<'_>, op: &MinMaxOp) {
        p.code(op.name(), op.bits());
    }

    fn parse(p: &Parser<'_>, op: &mut MinMaxOp) {
        let named = MinMaxOp::NAMED.iter().find(|op| op.name() == Some(p.word()));
        *op = named.copied().unwrap_or_default();
    }
}
