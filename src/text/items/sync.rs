//! Items of synchronization and lifetimes.

use alloc::format;

use super::{Item, Word, print_word, word};
use crate::format::Dialect;
use crate::isa::{Id, IdClass, Lifetime, Nbarrier, field_name};
use crate::operand::{
    AddrId, BarrierMode, FenceFlags, Imm, LifetimeClass, LifetimeProperties, PredId, Scalar, VarId,
    Vector,
};
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::{Failed, Parsed};
use crate::text::diagnostic::cut;
use crate::text::names::Symbol;
use crate::text::recorder::{CompletionKind, TokenKind};
use crate::text::words::Quirk;
use crate::text::words::Style;

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
        if *mask == FenceFlags::SOFTWARE || !p.c.eat_dot() {
            return Ok(());
        }
        let start = p.c.at;
        let mut options = p.c.word_here();
        if options == "R" && p.is_strict() {
            let message = "`.R` alone is a channel mask in version 4.2";
            return Err(p.c.fail(start - 1..p.c.at, message));
        }
        // GenX_IR prints a local fence without options as `fence_local.`.
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

/// `.signal` or `.wait`
pub(in crate::text) struct BarrierSuffix;

/// Returns whether an NBARRIER signals. GenX_IR 12504 tests the lowest bit of the mode, IGC 2.40.14
/// tests all bits.
fn signals(p: &Printer<'_>, mode: BarrierMode) -> bool {
    let tested = if p.format.dialect == Dialect::Igc2022 { mode.bits() & 1 } else { mode.bits() };
    tested != 0
}

impl Item<BarrierMode> for BarrierSuffix {
    fn print(p: &mut Printer<'_>, mode: &BarrierMode) {
        p.line.ch('.');
        let shown = if signals(p, *mode) { BarrierMode::SIGNAL } else { BarrierMode::WAIT };
        shown.print(p);
        p.omit_if(mode.name().is_none());
    }

    fn parse(p: &mut Parser<'_>, mode: &mut BarrierMode) -> Parsed<()> {
        p.dot()?;
        mode.parse(p)
    }
}

/// The type of a barrier and the numbers of producers and consumers. A single number means as many
/// producers as consumers, and type 0.
pub(in crate::text) struct BarrierThreads;

/// The type of a barrier whose text has none.
const BARRIER_TYPE: Vector = Vector::imm(Imm::uw(0));

impl Item<Nbarrier> for BarrierThreads {
    fn print(p: &mut Printer<'_>, barrier: &Nbarrier) {
        if signals(p, barrier.mode) {
            // Older compilers, such as GenX_IR 1.0.17791, read the short form only.
            let is_short = barrier.barrier_type == Some(BARRIER_TYPE)
                && barrier.num_consumers == Some(barrier.num_producers);
            barrier.barrier_type.filter(|_| !is_short).operand(p);
            barrier.num_producers.operand(p);
            barrier.num_consumers.filter(|_| !is_short).operand(p);
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
        if i.mode == BarrierMode::WAIT {
            let zero = Vector::imm(Imm::ud(0));
            i.num_producers = zero;
            i.barrier_type = i.barrier_type.and(Some(zero));
            i.num_consumers = i.num_consumers.and(Some(zero));
            return Ok(());
        }
        let start = p.c.at;
        let mut first = Vector::default();
        first.parse(p)?;
        let span = start..p.c.at;
        if p.c.is_at_line_end() {
            p.c.record_field(field_name!(Nbarrier.num_consumers), span.clone());
            p.c.record_field(field_name!(Nbarrier.num_producers), span);
            i.barrier_type = i.barrier_type.and(Some(BARRIER_TYPE));
            i.num_producers = first;
            i.num_consumers = i.num_consumers.and(Some(first));
            return Ok(());
        }
        p.c.record_field(field_name!(Nbarrier.barrier_type), span);
        i.barrier_type = Some(first);
        let start = p.c.at;
        i.num_producers.parse(p)?;
        p.c.record_field(field_name!(Nbarrier.num_producers), start..p.c.at);
        let start = p.c.at;
        i.num_consumers.insert(Vector::default()).parse(p)?;
        p.c.record_field(field_name!(Nbarrier.num_consumers), start..p.c.at);
        Ok(())
    }
}

const LIFETIME_ENDS: [(bool, &str); 2] = [(false, "start"), (true, "end")];

/// `.start V33` or `.end V33`
pub(in crate::text) struct LifetimeEnd;

impl Item<Lifetime> for LifetimeEnd {
    fn print(p: &mut Printer<'_>, lifetime: &Lifetime) {
        let id = lifetime.id();
        p.line.ch('.');
        print_word(p, &lifetime.properties.end, &LIFETIME_ENDS);
        p.line.ch(' ');
        match (lifetime.properties.class, u16::try_from(id.number)) {
            // The compiler reads the ids of predefined variables here, not their names.
            (LifetimeClass::GENERAL, _)
                if p.style == Style::Complete && lifetime.variable.predefined_name().is_some() =>
            {
                p.undeclared(id);
            }
            (LifetimeClass::GENERAL, _) => p.var(lifetime.variable),
            (LifetimeClass::ADDRESS, Ok(number)) => p.addr(AddrId(number)),
            (LifetimeClass::PREDICATE, Ok(number)) => p.pred_name(PredId(number)),
            (LifetimeClass::ADDRESS | LifetimeClass::PREDICATE, Err(_)) => p.undeclared(id),
            _ => p.is_incomplete = true,
        }
    }

    fn parse(p: &mut Parser<'_>, i: &mut Lifetime) -> Parsed<()> {
        p.dot()?;
        let word = p.c.word_here();
        let Some((end, _)) = LIFETIME_ENDS.iter().find(|(_, end)| *end == word) else {
            p.c.complete_words(CompletionKind::Word, LIFETIME_ENDS.map(|(_, word)| word));
            return Err(p.c.expected("`start` or `end`"));
        };
        p.c.record_field(field_name!(Lifetime.properties), p.c.at - word.len()..p.c.at);
        let start = p.c.at;
        let (class, id) = p.lifetime_variable()?;
        p.c.record_field(field_name!(Lifetime.variable), start..p.c.at);
        i.properties = LifetimeProperties { end: *end, class };
        i.variable = VarId(id);
        Ok(())
    }
}

impl Parser<'_> {
    /// Parses the variable of a lifetime instruction.
    fn lifetime_variable(&mut self) -> Parsed<(LifetimeClass, u32)> {
        let Some((name, span)) = self.c.name() else {
            self.complete_names(|symbol| {
                !matches!(symbol, Symbol::Sampler(_) | Symbol::Surface(_))
            });
            return Err(self.c.expected("a variable"));
        };
        if name.starts_with('%') && self.is_strict() {
            let message = format!("`{}` is predefined, so it has no lifetime", cut(name));
            return Err(self.c.fail(span, &message));
        }
        match self.symbols.id(name) {
            Some(Id { class: IdClass::Variable, number }) => {
                return Ok((LifetimeClass::GENERAL, number));
            }
            Some(Id { class: IdClass::Address, number }) => {
                return Ok((LifetimeClass::ADDRESS, number));
            }
            Some(Id { class: IdClass::Predicate, number }) => {
                return Ok((LifetimeClass::PREDICATE, number));
            }
            _ => {}
        }
        if let Some(symbol) = self.symbols.find(name) {
            self.record_symbol(&span, symbol, TokenKind::Reference);
        }
        match self.symbols.find(name) {
            Some(Symbol::Variable(id, _)) => Ok((LifetimeClass::GENERAL, id.0)),
            Some(Symbol::Address(id)) => Ok((LifetimeClass::ADDRESS, id.0.into())),
            Some(Symbol::Predicate(id)) => Ok((LifetimeClass::PREDICATE, id.0.into())),
            Some(Symbol::Unknown) => Err(Failed),
            Some(other) => {
                let what = "a general variable, an address variable or a predicate";
                Err(self.wrong_kind(other, span, what))
            }
            None => Err(self.undeclared(name, span)),
        }
    }
}
