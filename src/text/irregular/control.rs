//! Labels, jumps, calls, synchronization and debug information.

use super::super::charset::is_identifier;
use super::super::names::Spelling;
use super::super::print::{Printer, Token};
use super::super::quirk::Quirk;
use crate::isa::*;
use crate::object::LabelKind;
use crate::operand::{
    Dst, Exec, ExecSize, FenceFlags, Imm, LabelId, LifetimeClass, Pred, PredId, ShortStringId,
    Vector,
};

/// When the reference adds a label's id to its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Suffix {
    Never,
    Always,
    OfSubroutines,
}

impl Printer<'_> {
    pub(in super::super) fn label(&mut self, id: LabelId, suffix: Suffix) {
        self.label_as(id, suffix, Self::name);
    }

    /// A label whose name is written by a function.
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
        let wanted = match suffix {
            Suffix::Never => false,
            Suffix::Always => true,
            Suffix::OfSubroutines => kind == Some(LabelKind::SUBROUTINE),
        };
        if wanted && self.has(Quirk::LabelSuffixes) {
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

    /// A symbol: bare if it is an identifier, else in quotes.
    fn symbol(&mut self, id: ShortStringId) {
        match self.string(id.0.into()) {
            Some((bytes, is_first)) => {
                match core::str::from_utf8(bytes) {
                    Ok(name) if is_identifier(bytes) => self.line.push(name),
                    _ => self.line.quoted(bytes),
                }
                self.omit_if(!is_first);
            }
            None => {
                self.id('#', id.0);
                self.lossy = true;
            }
        }
    }
}

/// A label's line begins where others are indented, and an empty one stands before it.
pub(in super::super) fn label(p: &mut Printer<'_>, label: &Label) {
    p.label(label.label, Suffix::Never);
    p.line.ch(':');
}

pub(in super::super) fn subroutine(p: &mut Printer<'_>, subroutine: &Subroutine) {
    p.line.push(".function \"");
    p.label_as(subroutine.label, Suffix::Always, Printer::quoted_name);
    p.line.ch('"');
    let names = p.names.filter(|_| p.has(Quirk::LabelSuffixes));
    let raw = names.and_then(|names| {
        let raw = names.raw_label(subroutine.label)?;
        let is_changed = names.pool.text(raw.text).iter().any(|byte| matches!(byte, b'.' | b'$'));
        is_changed.then_some(raw)
    });
    // The reference says so where `.` or `$` in the name had to go.
    if let Some(raw) = raw {
        p.line.push(" /// Original Name: \"");
        p.quoted_name(raw);
        p.id('_', subroutine.label.0);
        p.line.ch('"');
    }
    p.line.push("\n\n");
    p.label(subroutine.label, Suffix::Always);
    p.line.ch(':');
}

fn kind_of(p: &Printer<'_>, label: LabelId) -> Option<LabelKind> {
    p.names.and_then(|names| names.label_kind(label))
}

pub(in super::super) fn call(p: &mut Printer<'_>, call: &Call) {
    let is_fc = kind_of(p, call.label) == Some(LabelKind::FC);
    p.line.push(if is_fc { "fccall" } else { "call" });
}

pub(in super::super) fn callee(p: &mut Printer<'_>, call: &Call) {
    p.line.ch(' ');
    p.label(call.label, Suffix::Always);
}

pub(in super::super) fn raw_label(p: &mut Printer<'_>, goto: &Goto) {
    p.line.ch(' ');
    p.raw_label(goto.label);
}

pub(in super::super) fn switch_labels(p: &mut Printer<'_>, switch: &SwitchJmp) {
    p.line.push(" (");
    for (i, label) in switch.labels.iter().enumerate() {
        if i > 0 {
            p.line.push(", ");
        }
        p.raw_label(*label);
    }
    p.line.ch(')');
}

pub(in super::super) fn jump_exec(p: &mut Printer<'_>, exec: &Exec) {
    let forgotten = p.has(Quirk::JumpExecForgotten);
    let exec = if forgotten { ExecSize::S1.into() } else { *exec };
    exec.operand(p);
}

pub(in super::super) fn carry_sat(p: &mut Printer<'_>, dst: &Dst) {
    if dst.saturates() && !p.has(Quirk::CarrySaturationForgotten) {
        p.line.push(".sat");
        p.sat = true;
    }
}

pub(in super::super) fn ifcall_flags(p: &mut Printer<'_>, call: &Ifcall) {
    let flags = call.modifiers.unwrap_or_default();
    if flags.contains(crate::operand::IfcallFlags::UNIFORM) {
        p.line.push(".uniform");
    }
    if flags.contains(crate::operand::IfcallFlags::NO_RETURN) {
        p.line.push(".noreturn");
    }
}

pub(in super::super) fn callee_string(p: &mut Printer<'_>, call: &Fcall) {
    p.line.ch(' ');
    match p.string(call.func_id.0.into()).filter(|_| p.has(Quirk::NamesCleaned)) {
        // The reference replaces dots and dollars, and never quotes.
        Some((bytes, _)) => p.line.push_cleaned(bytes),
        None => p.symbol(call.func_id),
    }
}

pub(in super::super) fn symbol(p: &mut Printer<'_>, faddr: &Faddr) {
    p.line.ch(' ');
    p.symbol(faddr.func_id);
}

pub(in super::super) fn wait_mask(p: &mut Printer<'_>, wait: &Wait) {
    match &wait.mask {
        Some(mask) => mask.operand(p),
        None if p.has(Quirk::WaitOperandAdded) => Vector::imm(Imm::uw(0)).operand(p),
        None => {}
    }
}

/// The options of a fence, in the order that the grammar requires.
pub(in super::super) const FENCE_OPTIONS: [(FenceFlags, &str); 6] = [
    (FenceFlags::COMMIT, "E"),
    (FenceFlags::INSTRUCTION, "I"),
    (FenceFlags::SAMPLER, "S"),
    (FenceFlags::CONSTANT, "C"),
    (FenceFlags::READ_WRITE, "R"),
    (FenceFlags::L1, "L1"),
];

pub(in super::super) fn fence_mask(p: &mut Printer<'_>, fence: &Fence) {
    let mask = fence.mask;
    if mask.contains(FenceFlags::SOFTWARE) {
        p.line.push("_sw");
        return p.omit_if(mask != FenceFlags::SOFTWARE);
    }
    p.line.push(if mask.contains(FenceFlags::LOCAL) { "_local" } else { "_global" });
    let has_options = !(mask - FenceFlags::LOCAL).is_empty();
    if has_options || !mask.is_empty() && p.has(Quirk::EmptyFenceOptions) {
        p.line.ch('.');
    }
    let options = FENCE_OPTIONS.iter().filter(|(flag, _)| mask.contains(*flag));
    options.for_each(|(_, letter)| p.line.push(letter));
}

pub(in super::super) fn nbarrier(p: &mut Printer<'_>, barrier: &Nbarrier) {
    let signals = barrier.mode.bits() & 1 != 0;
    p.line.push(if signals { "nbarrier.signal" } else { "nbarrier.wait" });
    p.omit_if(barrier.mode.name().is_none());
    barrier.id.operand(p);
    if signals {
        barrier.barrier_type.operand(p);
        barrier.num_producers.operand(p);
        barrier.num_consumers.operand(p);
    } else {
        // WAIT names the barrier alone.
        let unused = [barrier.barrier_type, Some(barrier.num_producers), barrier.num_consumers];
        let is_zero = |operand: &Option<Vector>| {
            operand.is_none_or(|operand| operand == Vector::imm(Imm::ud(0)))
        };
        p.omit_if(!unused.iter().all(is_zero));
    }
}

pub(in super::super) fn lifetime(p: &mut Printer<'_>, lifetime: &Lifetime) {
    let id = lifetime.variable.0;
    p.line.push(if lifetime.properties.end { ".end " } else { ".start " });
    match (lifetime.properties.class, u16::try_from(id)) {
        (LifetimeClass::GENERAL, _) => p.var(lifetime.variable),
        (LifetimeClass::ADDRESS, Ok(id)) => p.addr(crate::operand::AddrId(id)),
        (LifetimeClass::PREDICATE, Ok(id)) => p.pred_name(PredId(id)),
        (LifetimeClass::ADDRESS, _) => p.undeclared('A', id),
        (LifetimeClass::PREDICATE, _) => p.undeclared('P', id),
        _ => p.lossy = true,
    }
}

/// Text has no place for a fence's predicate and exec size.
pub(in super::super) fn fence_pred(p: &mut Printer<'_>, fence: &LscFence) {
    p.omit_if(fence.pred != Pred::NONE || fence.exec != Exec::from(ExecSize::S1));
}
