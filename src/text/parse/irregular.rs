//! Readers of the items that a row writes in braces, the inverse of `text::irregular`.

mod lsc;
mod memory;
mod sampler;
mod video;

pub(super) use lsc::lsc;
pub(super) use memory::*;
pub(super) use sampler::*;
pub(super) use video::*;

use super::Parser;
use super::cursor::Parsed;
use super::operands::Parse;
use super::rows::Head;
use crate::format::{Dialect, Version};
use crate::isa::*;
use crate::operand::{
    BarrierMode, Dst, Exec, ExecSize, FenceFlags, IfcallFlags, Imm, LabelId, LifetimeClass,
    LifetimeProperties, Pred, VarId, Vector,
};
use crate::text::irregular::FENCE_OPTIONS;

/// Labels and subroutines are statements of their own.
pub(super) fn label(p: &mut Parser<'_>, _: &mut Label, _: &mut Head) -> Parsed<()> {
    Err(p.c.expected("an instruction"))
}

pub(super) fn subroutine(p: &mut Parser<'_>, _: &mut Subroutine, _: &mut Head) -> Parsed<()> {
    Err(p.c.expected("an instruction"))
}

pub(super) fn jump_exec(p: &mut Parser<'_>, exec: &mut Exec, _: &mut Head) -> Parsed<()> {
    exec.parse(p)
}

/// `.sat`, which is set on the destination that follows.
pub(super) fn carry_sat(p: &mut Parser<'_>, _: &mut Dst, head: &mut Head) -> Parsed<()> {
    head.saturates = p.c.eat_here(".sat");
    Ok(())
}

pub(super) fn call(_: &mut Parser<'_>, _: &mut Call, _: &mut Head) -> Parsed<()> {
    Ok(())
}

pub(super) fn callee(p: &mut Parser<'_>, call: &mut Call, _: &mut Head) -> Parsed<()> {
    call.label = p.label_use()?;
    if p.word_is("fccall") {
        p.symbols.call_composable(call.label);
    }
    Ok(())
}

pub(super) fn raw_label(p: &mut Parser<'_>, goto: &mut Goto, _: &mut Head) -> Parsed<()> {
    goto.label.parse(p)
}

pub(super) fn switch_labels(p: &mut Parser<'_>, i: &mut SwitchJmp, _: &mut Head) -> Parsed<()> {
    p.c.expect("(")?;
    let start = p.c.at;
    let mut labels = [LabelId(0); Labels::MAX];
    let mut count = 0;
    while !p.c.eat(")") {
        if count > 0 {
            // The reference's grammar takes labels with or without commas between them.
            p.c.eat(",");
        }
        let label = p.label_use()?;
        let Some(slot) = labels.get_mut(count) else {
            return Err(p.c.fail(start..p.c.at, "a switchjmp has at most 32 labels"));
        };
        *slot = label;
        count += 1;
    }
    match Labels::new(&labels[..count]) {
        Some(labels) => i.labels = labels,
        None => return Err(p.c.fail(start..p.c.at, "a switchjmp has at least one label")),
    }
    Ok(())
}

pub(super) fn ifcall_flags(p: &mut Parser<'_>, i: &mut Ifcall, _: &mut Head) -> Parsed<()> {
    let mut flags = IfcallFlags::empty();
    if p.c.eat(".uniform") {
        flags |= IfcallFlags::UNIFORM;
    }
    if p.c.eat(".noreturn") {
        flags |= IfcallFlags::NO_RETURN;
    }
    let is_there = p.format.dialect == Dialect::Igc2026;
    i.modifiers = (is_there || !flags.is_empty()).then_some(flags);
    Ok(())
}

pub(super) fn callee_string(p: &mut Parser<'_>, i: &mut Fcall, _: &mut Head) -> Parsed<()> {
    i.func_id = p.symbol_string()?;
    Ok(())
}

pub(super) fn symbol(p: &mut Parser<'_>, i: &mut Faddr, _: &mut Head) -> Parsed<()> {
    i.func_id = p.symbol_string()?;
    Ok(())
}

pub(super) fn wait_mask(p: &mut Parser<'_>, i: &mut Wait, _: &mut Head) -> Parsed<()> {
    if p.c.is_at_line_end() {
        let zero = p.format.since(Version::V3_1);
        i.mask = zero.then(|| Imm::uw(0).into());
        return Ok(());
    }
    let mut mask = Vector::default();
    mask.parse(p)?;
    // Where there is no operand, zero is what none means.
    let implied = !p.format.since(Version::V3_1) && mask == Vector::imm(Imm::uw(0));
    i.mask = (!implied).then_some(mask);
    Ok(())
}

pub(super) fn fence_mask(p: &mut Parser<'_>, i: &mut Fence, _: &mut Head) -> Parsed<()> {
    if p.word_is("fence_sw") {
        i.mask = FenceFlags::SOFTWARE;
        return Ok(());
    }
    i.mask = if p.word_is("fence_local") { FenceFlags::LOCAL } else { FenceFlags::empty() };
    if !p.c.eat_here(".") {
        return Ok(());
    }
    let start = p.c.at;
    let mut options = p.c.word_here();
    // The reference prints a local fence without options as `fence_local.`.
    let is_none = options.is_empty() && !i.mask.is_empty();
    for (flag, letter) in FENCE_OPTIONS {
        if let Some(rest) = options.strip_prefix(letter) {
            (i.mask, options) = (i.mask | flag, rest);
        }
    }
    if p.c.at > start && options.is_empty() || is_none {
        return Ok(());
    }
    p.c.at = start;
    Err(p.c.expected("options of a fence, each once and in the order `EISCRL1`"))
}

pub(super) fn nbarrier(p: &mut Parser<'_>, i: &mut Nbarrier, _: &mut Head) -> Parsed<()> {
    p.dot()?;
    i.mode.parse(p)?;
    i.id.parse(p)?;
    let newest = p.format.dialect == Dialect::Igc2026;
    let zero = Vector::imm(Imm::ud(0));
    (i.barrier_type, i.num_producers) = (newest.then_some(zero), zero);
    i.num_consumers = newest.then_some(zero);
    if i.mode == BarrierMode::WAIT {
        return Ok(());
    }
    let (mut first, mut second) = (Vector::default(), Vector::default());
    first.parse(p)?;
    if p.c.is_at_line_end() {
        i.num_producers = first;
        return Ok(());
    }
    second.parse(p)?;
    let mut third = Vector::default();
    third.parse(p)?;
    (i.barrier_type, i.num_producers, i.num_consumers) = (Some(first), second, Some(third));
    Ok(())
}

pub(super) fn lifetime(p: &mut Parser<'_>, i: &mut Lifetime, _: &mut Head) -> Parsed<()> {
    p.dot()?;
    let end = match p.c.word_here() {
        "start" => false,
        "end" => true,
        _ => return Err(p.c.expected("`start` or `end`")),
    };
    let (class, id) = p.lifetime_variable()?;
    i.properties = LifetimeProperties { end, class };
    i.variable = VarId(id);
    Ok(())
}

impl Parser<'_> {
    fn lifetime_variable(&mut self) -> Parsed<(LifetimeClass, u32)> {
        use super::symbols::Symbol;
        let Some((name, span)) = self.c.name() else {
            return Err(self.c.expected("a variable"));
        };
        match self.symbols.find(name) {
            Some(Symbol::Variable(id, _)) => Ok((LifetimeClass::GENERAL, id.0)),
            Some(Symbol::Address(id)) => Ok((LifetimeClass::ADDRESS, id.0.into())),
            Some(Symbol::Predicate(id)) => Ok((LifetimeClass::PREDICATE, id.0.into())),
            Some(Symbol::Unknown) => Err(super::cursor::Failed),
            Some(_) => {
                let message = "only general, address and predicate variables have a life";
                Err(self.c.fail(span, message))
            }
            None => Err(self.undeclared(name, span)),
        }
    }
}

pub(super) fn fence_pred(_: &mut Parser<'_>, i: &mut LscFence, _: &mut Head) -> Parsed<()> {
    (i.pred, i.exec) = (Pred::NONE, Exec::from(ExecSize::S1));
    Ok(())
}
