//! The accesses of the operands of an instruction.

use super::access::{Access, AccessKind, Condition, Lanes};
use super::footprint::Footprint;
use super::storage::{Location, Storage};
use crate::isa::lsc::LscUntyped;
use crate::isa::{Fcall, Id, IdClass, Ifcall, Instruction, Lifetime};
use crate::operand::{
    Aoffimmi, Exec, LifetimeClass, Pred, PredControl, Raw, Region, Slot, Stride, VarId, Vector,
    VectorKind, Visitor,
};

impl Storage {
    /// Calls a function with each access of an instruction to variables, address variables and
    /// predicates. Nothing is allocated.
    ///
    /// Reported are the operands in the order of their bytes, as in
    /// [`Instruction::visit_accesses`], each as units of its root; then the accesses of calls and
    /// returns to `%arg` and `%retval`. Null operands, operands whose variable is not declared, and
    /// surfaces and samplers are not reported. Units may be outside of the root.
    ///
    /// `docs/analysis.md`, 1 defines the accesses.
    #[inline]
    pub fn visit_accesses(&self, instruction: &Instruction, visit: impl FnMut(Access)) {
        let exec = instruction.implicit_exec();
        let mut operands =
            Operands { storage: self, instruction, exec, is_predicated: false, visit };
        instruction.visit(&mut operands);
        match instruction {
            Instruction::Lifetime(lifetime) => operands.lifetime(lifetime),
            Instruction::Fcall(Fcall { arg_size, return_size, .. })
            | Instruction::Ifcall(Ifcall { arg_size, return_size, .. }) => {
                let register = self.registers().bytes();
                operands.implicit(ARG, AccessKind::Read, u32::from(*arg_size) * register);
                operands.implicit(RETVAL, AccessKind::Write, u32::from(*return_size) * register);
            }
            Instruction::Fret(_) => {
                operands.implicit(RETVAL, AccessKind::Read, self.return_bytes());
            }
            _ => {}
        }
    }
}

/// `%arg`, with the arguments of a call.
const ARG: VarId = VarId(8);
/// `%retval`, with the result of a call.
const RETVAL: VarId = VarId(9);

/// Reports the accesses of the operands that it visits.
struct Operands<'s, F> {
    storage: &'s Storage,
    instruction: &'s Instruction,
    /// The execution size and mask; `None` if the instruction has none.
    exec: Option<Exec>,
    is_predicated: bool,
    visit: F,
}

impl<F: FnMut(Access)> Operands<'_, F> {
    #[inline]
    fn lane_count(&self) -> u32 {
        self.exec.map_or(1, |exec| exec.size.lanes() as u32)
    }

    #[inline]
    fn first_lane(&self) -> u8 {
        self.exec.map_or(0, |exec| exec.mask.first_lane() as u8)
    }

    /// Returns the condition of accesses of the lanes of the instruction.
    #[inline]
    fn condition(&self) -> Condition {
        match self.exec {
            _ if self.is_predicated => Condition::Predicated,
            Some(exec) if !exec.mask.is_no_mask() => Condition::ActiveLanes,
            _ => Condition::Always,
        }
    }

    fn report(
        &mut self,
        root: Id,
        kind: AccessKind,
        footprint: Footprint,
        condition: Condition,
        lanes: Option<Lanes>,
    ) {
        (self.visit)(Access { root, kind, footprint, condition, lanes });
    }

    /// Reports an access to the elements of a vector operand.
    fn vector(&mut self, slot: Slot, operand: &Vector, is_written: bool) {
        use AccessKind::{IndirectRead, IndirectWrite, Read, Write};
        let kind = if is_written { Write } else { Read };
        let lanes = if slot.is_scalar { 1 } else { self.lane_count() };
        match operand.kind {
            VectorKind::General { var, row, col, region } => {
                let Some(location) = self.variable(var) else { return };
                let start = u32::from(row) * self.storage.registers().bytes()
                    + u32::from(col) * location.element;
                self.general(slot, location, start, region, lanes, kind);
            }
            VectorKind::Address { addr, offset, .. } => {
                let Some(location) = self.storage.location(addr) else { return };
                let start = u32::from(offset) * location.element;
                let footprint =
                    Footprint::strided(start, location.element, lanes, location.element);
                self.elements(location, footprint, kind, lanes);
            }
            VectorKind::Predicate(pred) => self.predicate(pred, lanes, kind),
            VectorKind::Indirect { addr, addr_offset, region, .. } => {
                let Some(location) = self.storage.location(addr) else { return };
                let start = location.offset + u32::from(addr_offset) * location.element;
                let count = if is_written { 1 } else { address_count(region, lanes) };
                let footprint = Footprint::contiguous(start, count * location.element);
                self.report(location.root, Read, footprint, Condition::Always, None);
                let kind = if is_written { IndirectWrite } else { IndirectRead };
                self.report(location.root, kind, footprint, Condition::Possible, None);
            }
            VectorKind::Immediate(_) | VectorKind::State { .. } => {}
        }
    }

    /// Reports an access to a region of a variable.
    #[inline]
    fn general(
        &mut self,
        slot: Slot,
        location: Location,
        start: u32,
        region: Region,
        lanes: u32,
        kind: AccessKind,
    ) {
        let element = location.element;
        match self.instruction {
            // A scalar that has four elements (LINE.md, PLANE.md).
            Instruction::Line(_) | Instruction::Plane(_) if slot.field == "src0" => {
                let footprint = Footprint::contiguous(location.offset + start, 4 * element);
                self.report(location.root, kind, footprint, Condition::Always, None);
                return;
            }
            Instruction::Dpas(_) | Instruction::Dpasw(_) | Instruction::Bdpas(_) => {
                self.payload(slot, location, start, kind);
                return;
            }
            // A register with the scalars of the message.
            Instruction::LscUntyped(LscUntyped::Block2d(_)) if slot.field == "payload" => {
                self.payload(slot, location, start, kind);
                return;
            }
            _ => {}
        }
        let footprint = match kind {
            AccessKind::Write => {
                let stride = region.horizontal().elements().unwrap_or(1).max(1) as u32;
                Footprint::strided(start, element, lanes, stride * element)
            }
            _ => region_footprint(region, start, element, lanes),
        };
        if slot.is_scalar {
            let start = location.offset.saturating_add(start);
            let footprint = Footprint::contiguous(start, element);
            self.report(location.root, kind, footprint, Condition::Always, None);
            return;
        }
        self.elements(location, footprint, kind, lanes);
        if matches!(self.instruction, Instruction::Madw(_)) && kind == AccessKind::Write {
            // The high halves follow in the next registers (MADW.md).
            let register = self.storage.registers().bytes();
            let high = footprint.start + footprint.span().len() as u32;
            let start = high.next_multiple_of(register).max(footprint.start + register);
            self.elements(location, Footprint { start, ..footprint }, kind, lanes);
        }
    }

    /// Reports an access to elements of a variable, one for each lane.
    #[inline]
    fn elements(&mut self, location: Location, footprint: Footprint, kind: AccessKind, count: u32) {
        let footprint =
            Footprint { start: location.offset.saturating_add(footprint.start), ..footprint };
        let lanes = Lanes {
            first: self.first_lane(),
            count: count as u8,
            pitch: footprint.column_stride as u16,
        };
        let is_linear = footprint.rows == 1 && footprint.column_stride > 0;
        let condition = self.condition();
        self.report(location.root, kind, footprint, condition, is_linear.then_some(lanes));
    }

    /// Reports an access to the bits of a predicate.
    fn predicate(&mut self, pred: Pred, lanes: u32, kind: AccessKind) {
        if pred.is_none() {
            return;
        }
        let Some(location) = self.storage.location(pred.id()) else { return };
        let first = self.first_lane();
        let (start, size) = (u32::from(first), location.size);
        // A move of one lane copies all bits. Bits after the last are those of lanes that the
        // predicate does not have.
        let is_whole = lanes == 1 || pred.control() != PredControl::NONE || start >= size;
        if is_whole && kind == AccessKind::Read {
            let footprint = Footprint::contiguous(0, size);
            self.report(location.root, kind, footprint, Condition::Always, None);
            return;
        }
        let footprint = Footprint::strided(start, 1, lanes.min(size.saturating_sub(start)), 1);
        let lanes = Lanes { first, count: lanes as u8, pitch: 1 };
        let condition = self.condition();
        self.report(location.root, kind, footprint, condition, Some(lanes));
    }

    /// Reports an access to the payload of a message, which starts at an offset of a variable.
    fn payload(&mut self, slot: Slot, location: Location, start: u32, kind: AccessKind) {
        let register = self.storage.registers().bytes();
        let start = location.offset + start;
        let condition = self.condition();
        let Some(payload) = self.instruction.payload(slot, location.element, register) else {
            // Up to the end of the variable.
            let end = location.offset + location.size;
            let footprint = Footprint::contiguous(start, end.saturating_sub(start));
            self.report(location.root, kind, footprint, Condition::Possible, None);
            return;
        };
        let footprint = Footprint {
            start,
            element: payload.chunk,
            columns: 1,
            column_stride: payload.chunk,
            rows: payload.chunks,
            row_stride: payload.pitch,
        };
        let condition = if payload.is_exact { condition } else { Condition::Possible };
        let lanes = Lanes {
            first: self.first_lane(),
            count: self.lane_count() as u8,
            pitch: payload.lane.into(),
        };
        let lanes = (payload.lane > 0).then_some(lanes);
        self.report(location.root, kind, footprint, condition, lanes);
    }

    /// Returns where a variable is stored, unless it is null.
    #[inline]
    fn variable(&self, var: VarId) -> Option<Location> {
        if var == VarId::NULL { None } else { self.storage.location(var) }
    }

    fn lifetime(&mut self, lifetime: &Lifetime) {
        let class = match lifetime.properties.class {
            LifetimeClass::ADDRESS => IdClass::Address,
            LifetimeClass::PREDICATE => IdClass::Predicate,
            _ => IdClass::Variable,
        };
        let id = Id { class, number: lifetime.variable.0 };
        if let Some(location) = self.storage.location(id) {
            let footprint = Footprint::contiguous(location.offset, location.size);
            let kind = AccessKind::Discard;
            self.report(location.root, kind, footprint, Condition::Always, None);
        }
    }

    /// Reports an access to the first bytes of a predefined variable.
    fn implicit(&mut self, var: VarId, kind: AccessKind, bytes: u32) {
        if bytes > 0 {
            let condition = self.condition();
            self.report(var.into(), kind, Footprint::contiguous(0, bytes), condition, None);
        }
    }
}

/// Returns the number of elements of an address variable that an indirect source uses: one, or one
/// for each row of a region without vertical stride.
fn address_count(region: Region, lanes: u32) -> u32 {
    match (region.vertical(), region.width().elements()) {
        (Stride::NULL, Some(width)) if width > 0 => (lanes / width as u32).max(1),
        _ => 1,
    }
}

/// Returns the footprint of a source region.
#[inline]
fn region_footprint(region: Region, start: u32, element: u32, lanes: u32) -> Footprint {
    let elements = |stride: Stride| stride.elements().map(|elements| elements as u32);
    let horizontal = elements(region.horizontal()).unwrap_or(1);
    let width = elements(region.width()).filter(|width| *width > 0).unwrap_or(lanes).min(lanes);
    let vertical = elements(region.vertical()).unwrap_or(width * horizontal);
    if width == lanes || vertical == width * horizontal {
        return Footprint::strided(start, element, lanes, horizontal * element);
    }
    if width == 1 {
        return Footprint::strided(start, element, lanes, vertical * element);
    }
    Footprint {
        start,
        element,
        columns: width,
        column_stride: horizontal * element,
        rows: lanes / width,
        row_stride: vertical * element,
    }
}

impl<F: FnMut(Access)> Visitor for Operands<'_, F> {
    #[inline]
    fn exec(&mut self, _: Slot, exec: Exec) {
        self.exec = Some(exec);
    }

    #[inline]
    fn pred(&mut self, _: Slot, pred: Pred) {
        if pred.is_none() {
            return;
        }
        let lanes = self.lane_count();
        self.predicate(pred, lanes, AccessKind::Read);
        // The predicate of SEL selects a source: all lanes are written.
        self.is_predicated = !matches!(self.instruction, Instruction::Sel(_));
    }

    #[inline]
    fn vector(&mut self, slot: Slot, operand: &Vector) {
        self.vector(slot, operand, false);
    }

    #[inline]
    fn dst(&mut self, slot: Slot, operand: &Vector) {
        self.vector(slot, operand, true);
    }

    #[inline]
    fn cmp_dst(&mut self, slot: Slot, operand: &Vector) {
        self.vector(slot, operand, true);
    }

    fn address_of(&mut self, slot: Slot, operand: &Vector) {
        match operand.kind {
            VectorKind::General { var, .. } => {
                let Some(location) = self.variable(var) else { return };
                let footprint = Footprint::contiguous(location.offset, location.size);
                let kind = AccessKind::AddressTaken;
                self.report(location.root, kind, footprint, Condition::Always, None);
            }
            // The address of an address variable is its value.
            _ => self.vector(slot, operand, false),
        }
    }

    fn raw(&mut self, slot: Slot, operand: Raw) {
        let Some(location) = self.variable(operand.var) else { return };
        let kind = if slot.is_written { AccessKind::Write } else { AccessKind::Read };
        self.payload(slot, location, operand.offset.into(), kind);
    }

    fn aoffimmi(&mut self, slot: Slot, Aoffimmi(operand): Aoffimmi) {
        self.vector(Slot { is_scalar: true, ..slot }, &operand, false);
    }

    fn state_address(&mut self, _: Slot, var: VarId) {
        let Some(location) = self.variable(var) else { return };
        let footprint = Footprint::contiguous(location.offset, location.element);
        let kind = AccessKind::Read;
        self.report(location.root, kind, footprint, Condition::Always, None);
    }
}
