//! Rules for the operands of all instructions (5_operands).

mod address;
mod exec;
mod fast_path;
mod modifier;
mod raw;
mod region;
mod state;
mod vector;

use super::context::Context;
use super::rule::Rule;
use crate::isa::{Instruction, Kind};
use crate::operand::{
    Aoffimmi, Exec, Pred, Raw, SamplerId, Slot, StateClass, StringId, SurfaceId, VarId, Vector,
    VectorKind, Visitor,
};
use crate::verify::field::Field;

pub(super) use fast_path::{General, is_legal_control, is_legal_predicate};
pub(super) use region::Reach;

/// The rules of this module.
pub(super) static RULES: &[&[&Rule]] = &[
    exec::lanes::RULES,
    exec::predicates::RULES,
    vector::classes::RULES,
    vector::names::RULES,
    modifier::modifiers::RULES,
    region::regions::RULES,
    region::places::RULES,
    address::addresses::RULES,
    state::surfaces::RULES,
    state::samplers::RULES,
    state::modes::RULES,
    state::addresses::RULES,
    raw::raws::RULES,
    raw::payloads::RULES,
];

/// The use of a vector operand by its instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Source,
    Dst,
    /// The instruction takes the address of the operand.
    AddressOf,
}

/// A vector operand and its instruction.
struct Operand<'o> {
    field: Field,
    operand: &'o Vector,
    role: Role,
    is_scalar: bool,
    exec: Exec,
    kind: Kind,
    /// Whether the region is checked.
    has_region: bool,
    /// Whether the instruction shifts or rotates: these are logic with arithmetic modifiers.
    is_shift: bool,
}

/// Visits the operands of an instruction and applies the rules to each.
struct OperandVisitor<'c, 'v> {
    cx: &'c mut Context<'v>,
    instruction: &'c Instruction,
    kind: Kind,
    /// The execution size and mask, which precede the operands.
    exec: Exec,
    /// Whether the regions of operands are checked. Dialect `Manual` does not check scalars.
    has_region: bool,
}

/// Applies the rules to the operands of an instruction.
pub(super) fn check(instruction: &Instruction, kind: Kind, cx: &mut Context<'_>) {
    use Instruction::{Bdpas, Dpas, Dpasw};
    let is_dpas = matches!(instruction, Dpas(_) | Dpasw(_) | Bdpas(_));
    // IGC skips the regions of messages to the data port; the manual does not.
    let has_region = cx.format.is_manual() || kind != Kind::DataPort && !is_dpas;
    let exec = Exec::default();
    instruction.visit(&mut OperandVisitor { cx, instruction, kind, exec, has_region });
}

impl OperandVisitor<'_, '_> {
    // Not inlined: the visitor is instantiated for every layout.
    #[inline(never)]
    fn check(&mut self, slot: Slot, operand: &Vector, role: Role) {
        use Instruction::{Asr, Rol, Ror, Shl, Shr};
        let is_legal = || fast_path::is_legal_vector(operand, role, self.exec, self.kind, self.cx);
        if self.cx.fast_path && is_legal() {
            return;
        }
        let is_shift = matches!(self.instruction, Shl(_) | Shr(_) | Asr(_) | Rol(_) | Ror(_));
        let operand = Operand {
            field: slot.into(),
            operand,
            role,
            is_scalar: slot.is_scalar,
            exec: self.exec,
            kind: self.kind,
            has_region: self.has_region && !(slot.is_scalar && self.cx.format.is_manual()),
            is_shift,
        };
        check_vector(&operand, self.cx);
    }
}

impl OperandVisitor<'_, '_> {
    /// Applies the rules for a sampler or surface that may be in memory.
    fn check_state(&mut self, slot: Slot, is_address: bool) {
        use Instruction::{Gather4, Info, Load3d, RtWrite, Sample3d};
        let can_have_address =
            matches!(self.instruction, Sample3d(_) | Load3d(_) | Gather4(_) | Info(_) | RtWrite(_));
        if can_have_address {
            state::modes::check(&state::MessageState { field: slot.into(), is_address }, self.cx);
        }
    }
}

/// Applies every rule for vector operands.
#[inline(never)]
fn check_vector(o: &Operand<'_>, cx: &mut Context<'_>) {
    vector::classes::check(o, cx);
    modifier::modifiers::check(o, cx);
    match o.operand.kind {
        VectorKind::General { var, .. } => {
            vector::names::check(&vector::VariableUse { field: o.field, var }, cx);
            if o.has_region {
                region::regions::check(o, cx);
            }
            region::places::check(o, cx);
        }
        VectorKind::Indirect { .. } => {
            if o.has_region {
                region::regions::check(o, cx);
            }
            address::addresses::check(o, cx);
        }
        VectorKind::Address { .. } => address::addresses::check(o, cx),
        VectorKind::Predicate(pred) => {
            let is_whole = o.kind == Kind::Mov && o.role == Role::Source;
            let exec = (!is_whole).then_some(o.exec);
            let subject = exec::PredicateUse { field: o.field, pred, is_operand: true, exec };
            exec::predicates::check(&subject, cx);
        }
        VectorKind::State { class, index, .. } => {
            let subject = state::State { field: o.field, index, may_be_bindless: true };
            if class == StateClass::SURFACE {
                state::surfaces::check(&subject, cx);
            } else if class == StateClass::SAMPLER {
                state::samplers::check(&subject, cx);
            }
        }
        VectorKind::Immediate(_) => {}
    }
}

impl Visitor for OperandVisitor<'_, '_> {
    #[inline(always)]
    fn exec(&mut self, slot: Slot, exec: Exec) {
        self.exec = exec;
        exec::lanes::check(&exec::ExecLanes { field: slot.into(), exec }, self.cx);
    }

    fn pred(&mut self, slot: Slot, pred: Pred) {
        if !pred.is_none() {
            let exec = Some(self.exec);
            let field = slot.into();
            let subject = exec::PredicateUse { field, pred, is_operand: false, exec };
            exec::predicates::check(&subject, self.cx);
        }
    }

    #[inline(always)]
    fn vector(&mut self, slot: Slot, operand: &Vector) {
        self.check(slot, operand, Role::Source);
    }

    #[inline(always)]
    fn dst(&mut self, slot: Slot, operand: &Vector) {
        self.check(slot, operand, Role::Dst);
    }

    #[inline(always)]
    fn cmp_dst(&mut self, slot: Slot, operand: &Vector) {
        self.check(slot, operand, Role::Dst);
    }

    #[inline(always)]
    fn address_of(&mut self, slot: Slot, operand: &Vector) {
        self.check(slot, operand, Role::AddressOf);
    }

    #[inline(always)]
    fn aoffimmi(&mut self, slot: Slot, offsets: Aoffimmi) {
        self.check(Slot { is_scalar: true, ..slot }, &offsets.0, Role::Source);
    }

    #[inline(never)]
    fn raw(&mut self, slot: Slot, raw: Raw) {
        if !raw.is_null() {
            vector::names::check(
                &vector::VariableUse { field: slot.into(), var: raw.var },
                self.cx,
            );
            raw::raws::check(&raw::RawOperand { field: slot.into(), raw }, self.cx);
            if raw::has_general_size_rule(self.instruction, self.kind) {
                let (field, instruction) = (slot.into(), self.instruction);
                raw::payloads::check(&raw::MessageOperand { field, raw, instruction }, self.cx);
            }
        }
    }

    #[inline(always)]
    fn surface(&mut self, slot: Slot, surface: SurfaceId) {
        let index = surface.0.into();
        let subject = state::State { field: slot.into(), index, may_be_bindless: false };
        state::surfaces::check(&subject, self.cx);
        self.check_state(slot, false);
    }

    #[inline(always)]
    fn sampler(&mut self, slot: Slot, sampler: SamplerId) {
        let index = sampler.0.into();
        let may_be_bindless =
            matches!(self.instruction, Instruction::Sample3d(_) | Instruction::Gather4(_));
        let subject = state::State { field: slot.into(), index, may_be_bindless };
        state::samplers::check(&subject, self.cx);
        self.check_state(slot, false);
    }

    #[inline(always)]
    fn state_address(&mut self, slot: Slot, var: VarId) {
        let field = slot.into();
        vector::names::check(&vector::VariableUse { field, var }, self.cx);
        state::addresses::check(&state::AddressOperand { field, var }, self.cx);
        self.check_state(slot, true);
    }

    #[inline(always)]
    fn string(&mut self, slot: Slot, string: StringId) {
        super::tables::check_string(slot.into(), string, self.cx);
    }
}
