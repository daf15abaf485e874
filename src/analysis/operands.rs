//! The accesses of the operands of an instruction.

use super::access::{Access, AccessKind, Condition, Lanes};
use super::footprint::Footprint;
use super::storage::{Location, Storage};
use crate::isa::lsc::{self, Block2d};
use crate::isa::payload::{Payloads, Sizes};
use crate::isa::{Fcall, Id, Ifcall, Instruction, Kind, Lifetime, Plane, ShflIdx4, field_name};
use crate::operand::{
    AddrWidth, Aoffimmi, Exec, Pred, PredControl, Raw, Region, Slot, Stride, VarId, Vector,
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
    pub fn visit_accesses(&self, instruction: &Instruction, mut visit: impl FnMut(Access)) {
        // Not generic: otherwise each caller would instantiate the visitors of all layouts.
        self.visit_each_access(instruction, &mut visit);
    }

    fn visit_each_access(&self, instruction: &Instruction, visit: &mut dyn FnMut(Access)) {
        let mut operands = Operands {
            storage: self,
            instruction,
            register: self.registers().bytes(),
            lanes: 1,
            first_lane: 0,
            condition: Condition::Always,
            is_no_mask: true,
            is_special: is_special(instruction),
            visit,
        };
        if let Some(exec) = instruction.implicit_exec() {
            operands.set_exec(exec);
        }
        instruction.visit(&mut operands);
        match instruction {
            Instruction::Lifetime(lifetime) => operands.lifetime(lifetime),
            Instruction::Fcall(Fcall { arg_size, return_size, .. })
            | Instruction::Ifcall(Ifcall { arg_size, return_size, .. }) => {
                let register = self.registers().bytes();
                operands.implicit(VarId::ARG, AccessKind::Read, u32::from(*arg_size) * register);
                operands.implicit(
                    VarId::RETVAL,
                    AccessKind::Write,
                    u32::from(*return_size) * register,
                );
            }
            Instruction::Fret(_) => {
                operands.implicit(VarId::RETVAL, AccessKind::Read, self.return_bytes());
            }
            _ => {}
        }
    }
}

/// Reports the accesses of the operands that it visits.
struct Operands<'s> {
    storage: &'s Storage,
    instruction: &'s Instruction,
    /// The number of bytes of a register.
    register: u32,
    /// The number of lanes; 1 if the instruction has no execution size.
    lanes: u32,
    first_lane: u8,
    /// The condition of accesses of the lanes.
    condition: Condition,
    /// Whether inactive lanes take part.
    is_no_mask: bool,
    /// Whether operands of the instruction are not regions with an element for each lane.
    is_special: bool,
    visit: &'s mut dyn FnMut(Access),
}

/// The kind of an access to an operand.
const fn kind<const IS_WRITTEN: bool>() -> AccessKind {
    if IS_WRITTEN { AccessKind::Write } else { AccessKind::Read }
}

impl Operands<'_> {
    #[inline]
    fn set_exec(&mut self, exec: Exec) {
        self.lanes = exec.size.lanes() as u32;
        self.first_lane = exec.mask.first_lane() as u8;
        if !exec.mask.is_no_mask() {
            (self.condition, self.is_no_mask) = (Condition::ActiveLanes, false);
        }
    }

    #[inline]
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
    #[inline]
    fn vector<const IS_WRITTEN: bool>(&mut self, slot: Slot, operand: &Vector) {
        match operand.kind {
            VectorKind::General { var, row, col, region } => {
                let Some(location) = self.variable(var) else { return };
                let start = u32::from(row) * self.register + u32::from(col) * location.element;
                if self.is_special && self.special::<IS_WRITTEN>(slot, location, start, region) {
                    return;
                }
                let start = location.offset + start;
                if slot.is_scalar {
                    let footprint = Footprint::contiguous(start, location.element);
                    self.report(
                        location.root,
                        kind::<IS_WRITTEN>(),
                        footprint,
                        Condition::Always,
                        None,
                    );
                    return;
                }
                let footprint = match IS_WRITTEN {
                    true => dst_footprint(region, start, location.element, self.lanes),
                    false => src_footprint(region, start, location.element, self.lanes),
                };
                self.elements::<IS_WRITTEN>(location.root, footprint);
            }
            VectorKind::Immediate(_) | VectorKind::State { .. } => {}
            _ => self.other::<IS_WRITTEN>(slot, operand),
        }
    }

    /// Reports an access to a vector operand that is not an element of a variable.
    #[inline(never)]
    fn other<const IS_WRITTEN: bool>(&mut self, slot: Slot, operand: &Vector) {
        let lanes = if slot.is_scalar { 1 } else { self.lanes };
        match operand.kind {
            VectorKind::Address { addr, offset, width } => {
                let Some(location) = self.storage.location(addr) else { return };
                let start = u32::from(offset) * location.element;
                let width = if IS_WRITTEN { lanes } else { address_width(width, lanes) };
                let footprint =
                    Footprint::strided(start, location.element, width, location.element);
                if width < lanes {
                    // The other lanes read the same elements.
                    let (root, kind) = (location.root, kind::<IS_WRITTEN>());
                    self.report(root, kind, footprint, self.condition, None);
                    return;
                }
                self.elements::<IS_WRITTEN>(location.root, footprint);
            }
            VectorKind::Predicate(pred) => {
                // A move copies all bits.
                let is_whole = !IS_WRITTEN && matches!(self.instruction, Instruction::Mov(_));
                self.predicate(pred, lanes, kind::<IS_WRITTEN>(), is_whole);
            }
            VectorKind::Indirect { addr, addr_offset, region, .. } => {
                let Some(location) = self.storage.location(addr) else { return };
                let start = location.offset + u32::from(addr_offset) * location.element;
                let count = if IS_WRITTEN { 1 } else { address_count(region, lanes) };
                let footprint = Footprint::contiguous(start, count * location.element);
                let (root, read) = (location.root, AccessKind::Read);
                self.report(root, read, footprint, Condition::Always, None);
                let kind = match IS_WRITTEN {
                    true => AccessKind::IndirectWrite,
                    false => AccessKind::IndirectRead,
                };
                self.report(root, kind, footprint, Condition::Possible, None);
            }
            _ => {}
        }
    }

    /// Reports an access of a special instruction; returns false if it has an element for each lane.
    #[inline(never)]
    fn special<const IS_WRITTEN: bool>(
        &mut self,
        slot: Slot,
        location: Location,
        start: u32,
        region: Region,
    ) -> bool {
        let (root, element) = (location.root, location.element);
        match self.instruction {
            // A scalar that has four elements (LINE.md, PLANE.md).
            Instruction::Line(_) | Instruction::Plane(_)
                if slot.field == field_name!(Plane.src0) =>
            {
                let footprint = Footprint::contiguous(location.offset + start, 4 * element);
                self.report(root, kind::<IS_WRITTEN>(), footprint, Condition::Always, None);
            }
            // Two elements for each lane: the first and the second coordinates of 8 lanes each.
            Instruction::Plane(_) if slot.field == field_name!(Plane.src1) => {
                let footprint =
                    Footprint::contiguous(location.offset + start, 2 * self.lanes * element);
                self.report(root, kind::<IS_WRITTEN>(), footprint, self.condition, None);
            }
            // A lane reads the elements of all lanes of its group.
            Instruction::Dp2(_)
            | Instruction::Dp3(_)
            | Instruction::Dp4(_)
            | Instruction::Dph(_)
            | Instruction::Sad2(_)
            | Instruction::Sad2add(_)
                if !IS_WRITTEN =>
            {
                let footprint = src_footprint(region, location.offset + start, element, self.lanes);
                self.report(root, AccessKind::Read, footprint, self.condition, None);
            }
            // Each lane reads any element of the table.
            Instruction::ShflIdx4(_) if slot.field == field_name!(ShflIdx4.src0) => {
                let footprint = src_footprint(region, location.offset + start, element, self.lanes);
                self.report(root, AccessKind::Read, footprint, self.condition, None);
            }
            // Regions other than scalars are ignored (LRP.md).
            Instruction::Lrp(_) if IS_WRITTEN || region != Region::SCALAR => {
                let start = location.offset + start;
                let footprint = Footprint::strided(start, element, self.lanes, element);
                self.elements::<IS_WRITTEN>(root, footprint);
            }
            Instruction::Dpas(_) | Instruction::Dpasw(_) | Instruction::Bdpas(_) => {
                self.payload(slot, location, start, kind::<IS_WRITTEN>());
            }
            // A register with the scalars of the message.
            Instruction::LscUntyped(lsc::LscUntyped::Block2d(_))
                if slot.field == field_name!(Block2d.payload) =>
            {
                self.payload(slot, location, start, kind::<IS_WRITTEN>());
            }
            // The high halves follow the low ones in the next registers (MADW.md).
            Instruction::Madw(_) if IS_WRITTEN => {
                let low = dst_footprint(region, location.offset + start, element, self.lanes);
                let len = (low.span().end - low.start).next_multiple_of(self.register);
                self.elements::<IS_WRITTEN>(root, low);
                self.elements::<IS_WRITTEN>(root, Footprint { start: low.start + len, ..low });
            }
            _ => return false,
        }
        true
    }

    /// Reports an access to elements, one for each lane.
    #[inline]
    fn elements<const IS_WRITTEN: bool>(&mut self, root: Id, footprint: Footprint) {
        let is_linear = footprint.rows == 1 && footprint.column_stride > 0;
        let lanes = is_linear.then_some(Lanes {
            first: self.first_lane,
            count: self.lanes as u8,
            pitch: footprint.column_stride as u16,
            is_masked: !self.is_no_mask,
        });
        self.report(root, kind::<IS_WRITTEN>(), footprint, self.condition, lanes);
    }

    /// Reports an access to the bits of a predicate.
    fn predicate(&mut self, pred: Pred, lanes: u32, kind: AccessKind, is_whole: bool) {
        if pred.is_none() {
            return;
        }
        let Some(location) = self.storage.location(pred.id()) else { return };
        let first = self.first_lane;
        let (start, size) = (u32::from(first), location.size);
        // Bits after the last belong to lanes that the predicate does not have.
        let is_whole = is_whole || pred.control() != PredControl::NONE || start >= size;
        if is_whole && kind == AccessKind::Read {
            let footprint = Footprint::contiguous(0, size);
            self.report(location.root, kind, footprint, Condition::Always, None);
            return;
        }
        let footprint = Footprint::strided(start, 1, lanes.min(size.saturating_sub(start)), 1);
        let is_masked = !self.is_no_mask;
        let lanes = Lanes { first, count: lanes as u8, pitch: 1, is_masked };
        self.report(location.root, kind, footprint, self.condition, Some(lanes));
    }

    /// Reports an access to the payload of a message, which starts at an offset of a variable.
    fn payload(&mut self, slot: Slot, location: Location, start: u32, kind: AccessKind) {
        let start = location.offset + start;
        let sizes = Sizes { element: location.element, register: self.register };
        let payload = self.instruction.payload(slot.field, sizes);
        let Some(payload) = payload else {
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
        let condition = if payload.is_exact { self.condition } else { Condition::Possible };
        let lanes = Lanes {
            first: self.first_lane,
            count: self.lanes as u8,
            pitch: payload.lane.into(),
            is_masked: !self.is_no_mask,
        };
        let lanes = (payload.lane > 0).then_some(lanes);
        self.report(location.root, kind, footprint, condition, lanes);
    }

    /// Returns where a variable is stored, unless it is null.
    #[inline]
    fn variable(&self, var: VarId) -> Option<Location> {
        self.storage.variable(var).filter(|location| location.root.number != VarId::NULL.0)
    }

    fn lifetime(&mut self, lifetime: &Lifetime) {
        if let Some(location) = self.storage.location(lifetime.id()) {
            let footprint = Footprint::contiguous(location.offset, location.size);
            let kind = AccessKind::Discard;
            self.report(location.root, kind, footprint, Condition::Always, None);
        }
    }

    /// Reports an access to the first bytes of a predefined variable.
    fn implicit(&mut self, var: VarId, kind: AccessKind, bytes: u32) {
        if bytes > 0 {
            let footprint = Footprint::contiguous(0, bytes);
            self.report(var.into(), kind, footprint, self.condition, None);
        }
    }
}

/// Returns whether operands of the instruction are not regions with an element for each lane.
#[inline]
fn is_special(instruction: &Instruction) -> bool {
    use Instruction::*;
    matches!(
        instruction,
        Line(_)
            | Plane(_)
            | Dp2(_)
            | Dp3(_)
            | Dp4(_)
            | Dph(_)
            | Sad2(_)
            | Sad2add(_)
            | Lrp(_)
            | ShflIdx4(_)
            | Dpas(_)
            | Dpasw(_)
            | Bdpas(_)
            | Madw(_)
            | LscUntyped(lsc::LscUntyped::Block2d(_))
    )
}

/// Returns the number of elements of an address variable that an indirect source uses: one, or one
/// for each row of a region without vertical stride.
fn address_count(region: Region, lanes: u32) -> u32 {
    match (region.vertical(), region.width().elements()) {
        (Stride::NULL, Some(width)) if width > 0 => (lanes / width as u32).max(1),
        _ => 1,
    }
}

/// Returns the number of elements that an address operand reads.
fn address_width(width: AddrWidth, lanes: u32) -> u32 {
    1u32.checked_shl(width.bits().into()).map_or(lanes, |width| width.min(lanes))
}

/// The number of elements that each code of a stride means; `NONE` for none.
const ELEMENTS: [u8; 16] = {
    let mut table = [NONE; 16];
    let mut code = 0;
    while code < 16 {
        if let Some(elements) = Stride::from_low_bits(code as u8).elements() {
            table[code] = elements as u8;
        }
        code += 1;
    }
    table
};

const NONE: u8 = u8::MAX;

#[inline]
fn elements(stride: Stride) -> u8 {
    ELEMENTS[usize::from(stride.bits() & 15)]
}

/// Returns the footprint of a destination, whose region has a horizontal stride only.
#[inline]
fn dst_footprint(region: Region, start: u32, element: u32, lanes: u32) -> Footprint {
    let stride = match elements(region.horizontal()) {
        0 | NONE => 1,
        stride => u32::from(stride),
    };
    Footprint::strided(start, element, lanes, stride * element)
}

/// Returns the footprint of a source region.
#[inline]
fn src_footprint(region: Region, start: u32, element: u32, lanes: u32) -> Footprint {
    let horizontal = match elements(region.horizontal()) {
        NONE => 1,
        stride => u32::from(stride),
    };
    let width = match elements(region.width()) {
        0 | NONE => lanes,
        width => u32::from(width).min(lanes),
    };
    let vertical = match elements(region.vertical()) {
        NONE => width * horizontal,
        stride => u32::from(stride),
    };
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

impl Visitor for Operands<'_> {
    #[inline]
    fn exec(&mut self, _: Slot, exec: Exec) {
        self.set_exec(exec);
    }

    #[inline]
    fn pred(&mut self, _: Slot, pred: Pred) {
        if pred.is_none() {
            return;
        }
        if self.lanes == 1 && self.instruction.kind() == Kind::Flow {
            // A scalar branch reads the bit whether the lane is active or not.
            let saved = (self.condition, self.is_no_mask);
            (self.condition, self.is_no_mask) = (Condition::Always, true);
            self.predicate(pred, 1, AccessKind::Read, false);
            (self.condition, self.is_no_mask) = saved;
        } else {
            self.predicate(pred, self.lanes, AccessKind::Read, false);
        }
        // The predicate of SEL selects a source: all lanes are written.
        if !matches!(self.instruction, Instruction::Sel(_)) {
            self.condition = Condition::Predicated;
        }
    }

    #[inline]
    fn vector(&mut self, slot: Slot, operand: &Vector) {
        self.vector::<false>(slot, operand);
    }

    #[inline]
    fn dst(&mut self, slot: Slot, operand: &Vector) {
        self.vector::<true>(slot, operand);
    }

    #[inline]
    fn cmp_dst(&mut self, slot: Slot, operand: &Vector) {
        self.vector::<true>(slot, operand);
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
            _ => self.vector::<false>(slot, operand),
        }
    }

    fn raw(&mut self, slot: Slot, operand: Raw) {
        let Some(location) = self.variable(operand.var) else { return };
        let kind = if slot.is_written { AccessKind::Write } else { AccessKind::Read };
        self.payload(slot, location, operand.offset.into(), kind);
    }

    fn aoffimmi(&mut self, slot: Slot, Aoffimmi(operand): Aoffimmi) {
        self.vector::<false>(Slot { is_scalar: true, ..slot }, &operand);
    }

    fn state_address(&mut self, _: Slot, var: VarId) {
        let Some(location) = self.variable(var) else { return };
        let footprint = Footprint::contiguous(location.offset, location.element);
        let kind = AccessKind::Read;
        self.report(location.root, kind, footprint, Condition::Always, None);
    }
}
