//! A model of instructions that applies the pseudocode of the manual to each lane
//! (5_operands.md, 3_execution_model.md and the pages of the instructions).

use genvisa::Instruction;
use genvisa::operand::{
    AddrWidth, Exec, Pred, PredControl, Region, Slot, Stride, Vector, VectorKind, Visitor,
};

/// What an instruction does with a unit: bits of a byte.
pub const READ: u8 = 1;
pub const WRITE: u8 = 2;
pub const INDIRECT_READ: u8 = 4;
pub const INDIRECT_WRITE: u8 = 8;
pub const TAKEN: u8 = 16;

/// The bytes of a general variable without aliases.
pub const ROOT_BYTES: u32 = 4096;
/// The elements of an address variable, of two bytes each.
pub const ADDRESSES: u32 = 64;
/// The bits of a predicate.
pub const BITS: u32 = 32;

/// A variable: the name, the type, its size, and the variable and the offset of an alias.
type Declaration = (&'static str, &'static str, u32, Option<(&'static str, u32)>);

pub const VARIABLES: [Declaration; 9] = [
    ("bytes", "ub", 1, None),
    ("words", "w", 2, None),
    ("dwords", "d", 4, None),
    ("qwords", "uq", 8, None),
    ("root", "ud", 4, None),
    ("part", "uw", 2, Some(("root", 32))),
    ("part_of_part", "b", 1, Some(("part", 6))),
    ("other_part", "q", 8, Some(("root", 64))),
    ("floats", "f", 4, Some(("dwords", 128))),
];
pub const ADDRESS_VARIABLES: u32 = 2;
pub const PREDICATES: u32 = 3;

/// The first id of a variable and of a predicate.
const FIRST_VARIABLE: u32 = 32;
const FIRST_PREDICATE: u32 = 1;

const FIRST_ADDRESS_UNIT: u32 = VARIABLES.len() as u32 * ROOT_BYTES;
const FIRST_BIT: u32 = FIRST_ADDRESS_UNIT + ADDRESS_VARIABLES * ADDRESSES * 2;
pub const UNITS: u32 = FIRST_BIT + PREDICATES * BITS;

/// Returns the number of a byte of a variable. Predefined variables do not occur.
pub fn byte(variable: u32, byte: u32) -> u32 {
    (variable - FIRST_VARIABLE) * ROOT_BYTES + byte
}

pub fn address_byte(variable: u32, byte: u32) -> u32 {
    FIRST_ADDRESS_UNIT + variable * ADDRESSES * 2 + byte
}

pub fn bit(predicate: u32, bit: u32) -> u32 {
    FIRST_BIT + (predicate - FIRST_PREDICATE) * BITS + bit
}

/// Returns the first byte of a variable, and the size of its elements.
fn declaration(variable: u32) -> (u32, u32) {
    let (_, _, size, alias) = VARIABLES[(variable - FIRST_VARIABLE) as usize];
    let Some((name, offset)) = alias else { return (byte(variable, 0), size) };
    let of = VARIABLES.iter().position(|(other, ..)| *other == name).expect("a variable");
    (declaration(of as u32 + FIRST_VARIABLE).0 + offset, size)
}

/// The lanes that are active, and the bits of the predicate of the instruction, by lane.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub active: u32,
    pub predicate: u32,
}

impl State {
    pub const ALL: State = State { active: u32::MAX, predicate: u32::MAX };
}

/// The operands of an instruction.
#[derive(Default)]
pub struct Operands {
    pub exec: Exec,
    pub pred: Pred,
    vectors: Vec<(Slot, Vector)>,
    addresses_taken: Vec<Vector>,
}

impl Operands {
    pub fn of(instruction: &Instruction) -> Operands {
        let mut operands = Operands::default();
        instruction.visit(&mut operands);
        operands
    }
}

impl Visitor for Operands {
    fn exec(&mut self, _: Slot, exec: Exec) {
        self.exec = exec;
    }

    fn pred(&mut self, _: Slot, pred: Pred) {
        self.pred = pred;
    }

    fn vector(&mut self, slot: Slot, operand: &Vector) {
        self.vectors.push((slot, *operand));
    }

    fn dst(&mut self, slot: Slot, operand: &Vector) {
        self.vectors.push((slot, *operand));
    }

    fn cmp_dst(&mut self, slot: Slot, operand: &Vector) {
        self.vectors.push((slot, *operand));
    }

    fn address_of(&mut self, slot: Slot, operand: &Vector) {
        match operand.kind {
            VectorKind::General { .. } => self.addresses_taken.push(*operand),
            _ => self.vectors.push((slot, *operand)),
        }
    }
}

/// An instruction with a state of its lanes.
pub struct Model<'i, F> {
    pub instruction: &'i Instruction,
    pub operands: &'i Operands,
    /// The number of bytes of a register.
    pub register: u32,
    pub state: State,
    /// Called with what the instruction does and the unit.
    pub mark: F,
}

impl<F: FnMut(u8, u32)> Model<'_, F> {
    fn lanes(&self) -> u32 {
        self.operands.exec.size.lanes() as u32
    }

    fn first_lane(&self) -> u32 {
        self.operands.exec.mask.first_lane() as u32
    }

    /// Returns whether a lane of the instruction executes it, whatever the predicate is.
    pub fn is_active(&self, n: u32) -> bool {
        let is_active = self.state.active >> (n + self.first_lane()) & 1 != 0;
        self.operands.exec.mask.is_no_mask() || is_active
    }

    /// `EvaluateChEn` of 5_operands.md, for a lane of the instruction.
    pub fn is_enabled(&self, n: u32) -> bool {
        let pred = self.operands.pred;
        let mut is_enabled = self.is_active(n);
        if !pred.is_none() && !matches!(self.instruction, Instruction::Sel(_)) {
            let bits = self.state.predicate;
            let mut values = (0..self.lanes()).map(|n| bits >> (n + self.first_lane()) & 1 != 0);
            let value = match pred.control() {
                PredControl::ANY => values.any(|value| value),
                PredControl::ALL => values.all(|value| value),
                _ => bits >> (n + self.first_lane()) & 1 != 0,
            };
            is_enabled &= value != pred.is_inverted();
        }
        is_enabled
    }

    /// Executes the instruction.
    pub fn run(&mut self) {
        let pred = self.operands.pred;
        if !pred.is_none() {
            (0..self.lanes()).for_each(|n| self.pred_bits(pred, n));
        }
        for operand in &self.operands.addresses_taken {
            if let VectorKind::General { var, .. } = operand.kind {
                let (first, size) = declaration(var.0);
                let elements = elements_of(var.0);
                (first..first + elements * size).for_each(|unit| (self.mark)(TAKEN, unit));
            }
        }
        for (slot, operand) in &self.operands.vectors {
            self.addresses(*slot, operand);
            for n in 0..self.lanes() {
                if self.is_enabled(n) {
                    self.lane(*slot, operand, n);
                }
            }
        }
    }

    /// Reads the bits of a predicate that determine whether an active lane is enabled. The finalizer
    /// combines all bits for `.any` and `.all`.
    fn pred_bits(&mut self, pred: Pred, n: u32) {
        let (id, first) = (pred.id().0.into(), self.first_lane());
        match pred.control() {
            PredControl::NONE if self.is_active(n) => (self.mark)(READ, bit(id, n + first)),
            PredControl::NONE => {}
            _ => (0..BITS).for_each(|index| (self.mark)(READ, bit(id, index))),
        }
    }

    /// Reads the addresses of an indirect operand. Those of inactive lanes must be valid, too.
    fn addresses(&mut self, slot: Slot, operand: &Vector) {
        let VectorKind::Indirect { addr, addr_offset, region, .. } = operand.kind else { return };
        let mut last = 0;
        if !slot.is_written && region.vertical() == Stride::NULL {
            let width = region.width().elements().expect("a width") as u32;
            last = self.lanes() / width - 1;
        }
        let kind = if slot.is_written { INDIRECT_WRITE } else { INDIRECT_READ };
        for k in 0..=last {
            for i in 0..2 {
                let unit = address_byte(addr.0.into(), (u32::from(addr_offset) + k) * 2 + i);
                (self.mark)(READ | kind, unit);
            }
        }
    }

    /// Reads or writes the elements of a lane.
    fn lane(&mut self, slot: Slot, operand: &Vector, n: u32) {
        use Instruction as I;
        let kind = if slot.is_written { WRITE } else { READ };
        match operand.kind {
            VectorKind::General { var, row, col, region } => {
                let (first, size) = declaration(var.0);
                let origin = u32::from(row) * self.register + u32::from(col) * size;
                let mut element = |index: u32| {
                    let start = first + origin + index * size;
                    (start..start + size).for_each(|unit| (self.mark)(kind, unit));
                };
                let lanes = self.operands.exec.size.lanes() as u32;
                let group = |count: u32| n / count * count..(n / count + 1) * count;
                match self.instruction {
                    // src0[0] * u[i] + src0[1] * v[i] + src0[3]. The element 2 is of the same scalar.
                    I::Plane(_) | I::Line(_) if slot.field == "src0" => {
                        (0..4).for_each(element);
                    }
                    // u and v of 8 lanes each.
                    I::Plane(_) if slot.field == "src1" => {
                        element(n / 8 * 16 + n % 8);
                        element(n / 8 * 16 + 8 + n % 8);
                    }
                    // "Register region is ignored", except scalars.
                    I::Lrp(_) if slot.is_written || region != Region::SCALAR => element(n),
                    _ if slot.is_written => {
                        let stride = region.horizontal().elements().expect("a stride") as u32;
                        element(n * stride);
                        if matches!(self.instruction, I::Madw(_)) {
                            // "The high 32b of results are stored in the high GRFs."
                            let low = ((lanes - 1) * stride + 1) * size;
                            let high = low.div_ceil(self.register) * self.register;
                            let start = first + origin + high + n * stride * size;
                            (start..start + size).for_each(|unit| (self.mark)(kind, unit));
                        }
                    }
                    I::Dp2(_) | I::Dp3(_) | I::Dp4(_) | I::Dph(_) => {
                        group(4).for_each(|n| element(source_index(region, n, lanes)));
                    }
                    // src0[i] and src0[i+1], for even i.
                    I::Sad2(_) | I::Sad2add(_) => {
                        group(2).for_each(|n| element(source_index(region, n, lanes)));
                    }
                    _ => element(source_index(region, n, lanes)),
                }
            }
            VectorKind::Address { addr, offset, width } => {
                let width = 1 << width.bits().min(AddrWidth::W32.bits());
                let index = if slot.is_written { n } else { n % width };
                for i in 0..2 {
                    let unit = address_byte(addr.0.into(), (u32::from(offset) + index) * 2 + i);
                    (self.mark)(kind, unit);
                }
            }
            // "The value of the predicate variable is interpreted as an unsigned integer" (MOV.md).
            VectorKind::Predicate(pred) if matches!(self.instruction, I::Mov(_)) => {
                (0..BITS).for_each(|index| (self.mark)(kind, bit(pred.id().0.into(), index)));
            }
            VectorKind::Predicate(pred) => {
                let first = self.first_lane();
                (self.mark)(kind, bit(pred.id().0.into(), n + first));
            }
            _ => {}
        }
    }
}

/// Returns the number of elements of a variable.
pub fn elements_of(variable: u32) -> u32 {
    let (_, _, size, alias) = VARIABLES[(variable - FIRST_VARIABLE) as usize];
    if alias.is_some() { 64 } else { ROOT_BYTES / size }
}

/// Returns the index of the element of a lane: `SourceDataElements` of 5_operands.md.
fn source_index(region: Region, n: u32, lanes: u32) -> u32 {
    let elements = |stride: Stride| stride.elements().expect("a stride") as u32;
    let (vertical, width) = (elements(region.vertical()), elements(region.width()));
    let (mut count, mut index) = (0, 0);
    for i in 0..lanes / width {
        for j in 0..width {
            if count == n {
                index = i * vertical + j * elements(region.horizontal());
            }
            count += 1;
        }
    }
    index
}
