//! The variables, surfaces and samplers that an instruction reads and writes.

use super::Instruction;
use super::ids::{Id, IdClass};
use crate::operand::{
    Aoffimmi, Pred, Raw, SamplerId, Slot, StateClass, SurfaceId, VarId, Vector, VectorKind, Visitor,
};

/// An entry of a routine's tables that an instruction uses, and how it uses it.
///
/// [`Instruction::visit_accesses`] reports these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Access {
    /// The variable, surface or sampler.
    pub id: Id,
    /// How the instruction uses it.
    pub kind: AccessKind,
}

/// How an instruction uses a variable, surface or sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AccessKind {
    /// The instruction reads it.
    Read,
    /// The instruction writes it, or a part of it: lanes that do not run and elements that the
    /// region skips keep their values.
    Write,
    /// The instruction takes its address, and neither reads nor writes it. Indirect operands may
    /// access it later.
    AddressTaken,
}

impl Instruction {
    /// Calls a function with each access to a variable, surface or sampler, in the order of the
    /// bytes.
    ///
    /// | operand | access |
    /// |---|---|
    /// | sources, scalars and raw sources | [`Read`](AccessKind::Read) |
    /// | destinations, also in comparisons and messages | [`Write`](AccessKind::Write) |
    /// | the predicate in front of an instruction | `Read` |
    /// | the address variable of an indirect operand, source or destination | `Read` |
    /// | the surface and the sampler of a message, also of one that writes memory, and the variable with its address | `Read` |
    /// | the first source of ADDR_ADD, unless it is an address variable | [`AddressTaken`](AccessKind::AddressTaken) |
    /// | the variable of LIFETIME | `Write` at the start of its life, `Read` at the end |
    ///
    /// A variable that several operands name has an access for each of them. Null operands are V0,
    /// as in [`visit_ids`](Self::visit_ids). Not reported are the variables that indirect operands
    /// access through an address, and those that a call or return uses without naming them, such as
    /// the predefined variables for arguments.
    ///
    /// ```
    /// use genvisa::Instruction;
    /// use genvisa::isa::{AccessKind, Id, IdClass, Mov};
    /// use genvisa::operand::{Dst, ExecSize, Pred, PredId, Region, Stride, VarId, Vector};
    ///
    /// // (P1) mov (M1, 8) V33 V32
    /// let mov = Instruction::from(Mov {
    ///     exec: ExecSize::S8.into(),
    ///     pred: Pred::new(PredId(1)).expect("a small id"),
    ///     dst: Dst::new(VarId(33)),
    ///     src0: Vector::general(VarId(32), Region::new(Stride::S8, Stride::S8, Stride::S1)),
    /// });
    /// let mut accesses = Vec::new();
    /// mov.visit_accesses(|access| accesses.push((access.id, access.kind)));
    /// let id = |class, number| Id { class, number };
    /// assert_eq!(accesses, [
    ///     (id(IdClass::Predicate, 1), AccessKind::Read),
    ///     (id(IdClass::Variable, 33), AccessKind::Write),
    ///     (id(IdClass::Variable, 32), AccessKind::Read),
    /// ]);
    /// ```
    pub fn visit_accesses(&self, mut visit: impl FnMut(Access)) {
        // Not generic: otherwise each caller would instantiate the visitors of all layouts.
        self.visit_each_access(&mut visit);
    }

    fn visit_each_access(&self, visit: &mut dyn FnMut(Access)) {
        let mut accesses = Accesses { visit };
        // The variable of LIFETIME is not an operand.
        if let Instruction::Lifetime(lifetime) = self {
            let kind = if lifetime.properties.end { AccessKind::Read } else { AccessKind::Write };
            let Id { class, number } = lifetime.id();
            accesses.report(class, number, kind);
        }
        self.visit(&mut accesses);
    }

    /// Returns whether the instruction reads a variable, surface or sampler, in the sense of
    /// [`visit_accesses`](Self::visit_accesses).
    ///
    /// ```
    /// use genvisa::Instruction;
    /// use genvisa::isa::{Id, IdClass, Mov};
    /// use genvisa::operand::{VarId, Vector};
    ///
    /// let mov = Instruction::from(Mov { src0: Vector::scalar(VarId(32)), ..Mov::default() });
    /// let v32 = Id { class: IdClass::Variable, number: 32 };
    /// assert!(mov.reads(v32) && !mov.writes(v32));
    /// ```
    pub fn reads(&self, id: Id) -> bool {
        self.has_access(id, AccessKind::Read)
    }

    /// Returns whether the instruction writes a variable, surface or sampler, in the sense of
    /// [`visit_accesses`](Self::visit_accesses).
    pub fn writes(&self, id: Id) -> bool {
        self.has_access(id, AccessKind::Write)
    }

    fn has_access(&self, id: Id, kind: AccessKind) -> bool {
        let mut found = false;
        self.visit_accesses(|access| found |= access == Access { id, kind });
        found
    }
}

/// Reports the accesses of the operands that it visits.
struct Accesses<'f> {
    visit: &'f mut dyn FnMut(Access),
}

impl Accesses<'_> {
    fn report(&mut self, class: IdClass, number: u32, kind: AccessKind) {
        (self.visit)(Access { id: Id { class, number }, kind });
    }

    fn report_operand(&mut self, operand: &Vector, kind: AccessKind) {
        match operand.kind {
            VectorKind::General { var, .. } => self.report(IdClass::Variable, var.0, kind),
            VectorKind::Address { addr, .. } => {
                // The address of an address variable is its value.
                let is_taken = kind == AccessKind::AddressTaken;
                let kind = if is_taken { AccessKind::Read } else { kind };
                self.report(IdClass::Address, addr.0.into(), kind);
            }
            VectorKind::Indirect { addr, .. } => {
                self.report(IdClass::Address, addr.0.into(), AccessKind::Read);
            }
            VectorKind::Predicate(pred) => self.report_predicate(pred, kind),
            VectorKind::Immediate(_) => {}
            VectorKind::State { class, index, .. } => match class {
                StateClass::SURFACE => self.report(IdClass::Surface, index.into(), kind),
                StateClass::SAMPLER => self.report(IdClass::Sampler, index.into(), kind),
                _ => {}
            },
        }
    }

    fn report_predicate(&mut self, pred: Pred, kind: AccessKind) {
        if !pred.is_none() {
            self.report(IdClass::Predicate, pred.id().0.into(), kind);
        }
    }
}

impl Visitor for Accesses<'_> {
    fn pred(&mut self, _: Slot, pred: Pred) {
        self.report_predicate(pred, AccessKind::Read);
    }

    fn vector(&mut self, _: Slot, operand: &Vector) {
        self.report_operand(operand, AccessKind::Read);
    }

    fn dst(&mut self, _: Slot, operand: &Vector) {
        self.report_operand(operand, AccessKind::Write);
    }

    fn cmp_dst(&mut self, _: Slot, operand: &Vector) {
        self.report_operand(operand, AccessKind::Write);
    }

    fn address_of(&mut self, _: Slot, operand: &Vector) {
        self.report_operand(operand, AccessKind::AddressTaken);
    }

    fn raw(&mut self, slot: Slot, operand: Raw) {
        let kind = if slot.is_written { AccessKind::Write } else { AccessKind::Read };
        self.report(IdClass::Variable, operand.var.0, kind);
    }

    fn aoffimmi(&mut self, _: Slot, Aoffimmi(operand): Aoffimmi) {
        self.report_operand(&operand, AccessKind::Read);
    }

    fn surface(&mut self, _: Slot, surface: SurfaceId) {
        self.report(IdClass::Surface, surface.0.into(), AccessKind::Read);
    }

    fn sampler(&mut self, _: Slot, sampler: SamplerId) {
        self.report(IdClass::Sampler, sampler.0.into(), AccessKind::Read);
    }

    fn state_address(&mut self, _: Slot, var: VarId) {
        self.report(IdClass::Variable, var.0, AccessKind::Read);
    }
}
