//! What an instruction sees while it executes: its lanes, its operands and memory.

mod origin;
mod store;

use genvisa::RegisterSize;
use std::cell::OnceCell;
use std::sync::MutexGuard;

use genvisa::Instruction;
use genvisa::operand::{
    DataType, Exec, Modifier, Pred, PredControl, PredId, Raw, Region, Slot, StateClass, Stride,
    VarId, Vector, VectorKind, Visitor,
};

use crate::fault::{FaultKind, Problem, Result};
use crate::memory::{Actor, Memory};
use crate::number::{Mode, low_bits};
use crate::program::{Code, Variable};
use crate::shared::Shared;
use crate::state::{Predicate, Registers, outside};
use crate::value::{Lanes, MAX_LANES, Value, lanes, set_bits};
use origin::Origin;

pub(crate) use store::{Computed, Outcome, extended};

/// What an instruction sees while it executes.
pub(crate) struct Context<'a> {
    pub code: &'a Code,
    pub registers: &'a mut Registers,
    /// The index of the instruction.
    pub index: u32,
    /// The lanes of the thread that execute the instruction.
    pub active: u32,
    /// The shared local memory of the group.
    pub local: &'a mut Memory,
    pub shared: &'a Shared<'a>,
    pub actor: &'a mut Actor,
    /// The pixels of the lanes of the thread: x and y.
    pub pixels: &'a [[u32; 2]],
    /// A store of a value that nobody wrote, which does not stop the run.
    pub reported: Option<Problem>,
    mode: OnceCell<Mode>,
}

/// The elements of an operand that an instruction reads.
pub(crate) struct Source {
    pub ty: DataType,
    pub values: Lanes,
}

impl<'a> Context<'a> {
    pub fn new(
        code: &'a Code,
        registers: &'a mut Registers,
        index: u32,
        active: u32,
        local: &'a mut Memory,
        shared: &'a Shared<'a>,
        actor: &'a mut Actor,
    ) -> Context<'a> {
        let (pixels, reported, mode) = (&[], None, OnceCell::new());
        Context { code, registers, index, active, local, shared, actor, pixels, reported, mode }
    }

    /// Returns the context of a thread whose lanes have pixels.
    pub fn with_pixels(self, pixels: &'a [[u32; 2]]) -> Context<'a> {
        Context { pixels, ..self }
    }

    /// Returns the size of a register.
    pub fn register_size(&self) -> RegisterSize {
        self.shared.program.device().registers
    }

    /// Returns the number of bytes of a register.
    pub fn register_bytes(&self) -> u32 {
        self.register_size().bytes()
    }

    /// Returns the memory of the machine.
    pub fn memory(&self) -> MutexGuard<'a, Memory> {
        self.shared.memory()
    }

    /// Returns the rounding and the treatment of denormals.
    pub fn mode(&self) -> Result<Mode> {
        if let Some(mode) = self.mode.get() {
            return Ok(*mode);
        }
        let control = self.registers.control(self.code)?;
        self.require(control, "the floating-point mode", CONTROL_ORIGIN)?;
        let mode = Mode::from_control(control.bits as u32)?;
        Ok(*self.mode.get_or_init(|| mode))
    }

    /// Returns the lanes of an instruction that are enabled by the execution mask: bit 0 is its first
    /// lane, whatever the offset of the mask.
    pub fn unmasked(&self, exec: Exec) -> u32 {
        let all = low_bits(exec.size.lanes() as u32) as u32;
        if exec.mask.is_no_mask() {
            return all;
        }
        self.active >> exec.mask.first_lane() & all
    }

    /// Returns the lanes of an instruction that are enabled by the execution mask and the predicate.
    pub fn enabled(&self, exec: Exec, pred: Pred) -> Result<u32> {
        let lanes = self.unmasked(exec);
        if pred.is_none() {
            return Ok(lanes);
        }
        let selected = self.selected(exec, pred, lanes)?;
        Ok(lanes & selected)
    }

    /// Returns the lanes that a predicate selects. Those in `needed` have to be defined.
    pub fn selected(&self, exec: Exec, pred: Pred, needed: u32) -> Result<u32> {
        let count = exec.size.lanes() as u32;
        let all = low_bits(count) as u32;
        let predicate = self.predicate_from(pred.id(), exec.mask.first_lane() as u32)?;
        let bits = predicate.bits & all;
        let (selected, needed) = match pred.control() {
            PredControl::ANY => (if bits != 0 { all } else { 0 }, all),
            PredControl::ALL => (if bits == all { all } else { 0 }, all),
            _ => (bits, needed),
        };
        if let Some(lane) = set_bits(predicate.undefined & needed).next() {
            let name = self.code.name_of(pred.id());
            let origin = format!("element {lane} of {name}");
            let elements = self.code.predicate_size(pred.id()).unwrap_or(32);
            let element = lane + exec.mask.first_lane();
            let fault = match element < elements.into() {
                true => self.undefined("the predicate", origin),
                false => outside(name, element, elements),
            };
            return Err(Problem::from(fault).lane(lane as u32).operand("pred"));
        }
        Ok(if pred.is_inverted() { !selected & all } else { selected })
    }

    /// Returns the elements of a predicate from one on.
    pub fn predicate_from(&self, id: PredId, first: u32) -> Result<Predicate> {
        let predicate = self.registers.predicate(self.code, id)?;
        Ok(Predicate { bits: predicate.bits >> first, undefined: predicate.undefined >> first })
    }

    /// Reads the elements of an operand for lanes of an instruction, and an element for all lanes of a
    /// scalar. Lanes that are not in the mask get zero.
    ///
    /// # Errors
    /// The operand has a modifier, which the instruction would ignore.
    pub fn read(&self, operand: &Vector, field: &'static str, mask: u32) -> Result<Source> {
        self.without_modifier(operand, field)?;
        Ok(self.read_with_modifier(operand, field, mask)?.0)
    }

    /// Reads the elements of an operand as they are in its variable, with the modifier that the
    /// instruction applies to them.
    pub fn read_with_modifier(
        &self,
        operand: &Vector,
        field: &'static str,
        mask: u32,
    ) -> Result<(Source, Modifier)> {
        let source = self.elements(operand, mask).map_err(|problem| problem.operand(field))?;
        Ok((source, operand.modifier))
    }

    /// Checks that an operand has no modifier.
    pub fn without_modifier(&self, operand: &Vector, field: &'static str) -> Result<()> {
        if operand.modifier == Modifier::NONE {
            return Ok(());
        }
        let what = format!("modifier {} of this operand", operand.modifier);
        Err(Problem::from(FaultKind::not_modelled(what)).operand(field))
    }

    fn elements(&self, operand: &Vector, mask: u32) -> Result<Source> {
        let zero = Value::default();
        match operand.kind {
            VectorKind::Immediate(imm) => {
                let value = |lane: usize| match imm.ty() {
                    DataType::V | DataType::UV => {
                        let elements = imm.as_packed_integers().unwrap_or_default();
                        elements[lane % 8] as u64 & 0xffff
                    }
                    DataType::VF => {
                        restricted(imm.as_packed_floats().unwrap_or_default()[lane % 4])
                    }
                    ty => imm.bits() & low_bits(ty.size() as u32 * 8),
                };
                let ty = match imm.ty() {
                    DataType::V => DataType::W,
                    DataType::UV => DataType::UW,
                    DataType::VF => DataType::F,
                    ty => ty,
                };
                Ok(Source { ty, values: lanes(|lane| Value::defined(value(lane))) })
            }
            VectorKind::General { .. } | VectorKind::Indirect { .. } => {
                let (ty, places, found) = self.places(operand, mask, true)?;
                let size = ty.size();
                let mut values = [zero; MAX_LANES];
                for lane in set_bits(mask) {
                    values[lane] = match found >> lane & 1 {
                        0 => Value { bits: 0, undefined: low_bits(size as u32 * 8) },
                        _ => self.registers.get(places[lane] as usize, size),
                    };
                }
                Ok(Source { ty, values })
            }
            VectorKind::Predicate(pred) => {
                let predicate = self.registers.predicate(self.code, pred.id())?;
                let value =
                    Value { bits: predicate.bits.into(), undefined: predicate.undefined.into() };
                // Elements that the predicate does not have are zero.
                let size = self.code.predicate_size(pred.id()).unwrap_or(32);
                let elements = low_bits(size.into());
                let value =
                    Value { bits: value.bits & elements, undefined: value.undefined & elements };
                Ok(Source { ty: DataType::UD, values: [value; MAX_LANES] })
            }
            VectorKind::Address { .. } => {
                Err(FaultKind::not_modelled("reading an address variable as a number").into())
            }
            VectorKind::State { class, index, offset } => {
                let value = |lane: usize| self.state(class, index, usize::from(offset) + lane);
                let mut values = [zero; MAX_LANES];
                for lane in set_bits(mask) {
                    values[lane] = value(lane)?;
                }
                Ok(Source { ty: DataType::UD, values })
            }
        }
    }

    /// Reads the first element of a scalar operand, which must be defined.
    pub fn scalar(&self, operand: &Vector, field: &'static str) -> Result<(DataType, u64)> {
        let source = self.read(operand, field, 1)?;
        let value = source.values[0];
        self.require(value, "a scalar operand", self.origin_of(operand))
            .map_err(|problem| problem.operand(field))?;
        Ok((source.ty, value.bits))
    }

    /// Returns the type of the elements of an operand.
    pub fn type_of(&self, operand: &Vector) -> Result<DataType> {
        Ok(match operand.kind {
            VectorKind::General { var, .. } => self.code.variable(var)?.ty,
            VectorKind::Indirect { ty, .. } => ty.ty(),
            VectorKind::Immediate(imm) => imm.ty(),
            VectorKind::Predicate(_) => DataType::BOOL,
            VectorKind::Address { .. } => DataType::UW,
            VectorKind::State { .. } => DataType::UD,
        })
    }

    /// Writes values of lanes to a destination, whatever its modifier: [`Context::write_results`] applies it.
    fn write_vector(
        &mut self,
        operand: &Vector,
        mask: u32,
        value: impl Fn(usize) -> Value,
    ) -> Result<()> {
        if let VectorKind::General { var: VarId::NULL, .. } = operand.kind {
            return Ok(());
        }
        if !matches!(operand.kind, VectorKind::General { .. } | VectorKind::Indirect { .. }) {
            return Err(FaultKind::not_modelled("this class of destination").into());
        }
        let (ty, places, _) = self.places(operand, mask, false)?;
        for lane in set_bits(mask) {
            self.registers.set(places[lane] as usize, ty.size(), value(lane), self.index);
        }
        Ok(())
    }

    /// Returns the type of a general or indirect operand, and the positions of the elements of lanes in the
    /// bytes of all variables, with the lanes that have one.
    ///
    /// A lane that is not active has none if `reads` is set and its address is wrong: code that ignores the
    /// execution mask looks for the first active lane, and there may be none in its half of the thread.
    fn places(
        &self,
        operand: &Vector,
        mask: u32,
        reads: bool,
    ) -> Result<(DataType, [u32; MAX_LANES], u32)> {
        let mut places = [0; MAX_LANES];
        let mut found = mask;
        match operand.kind {
            VectorKind::General { var, row, col, region } => {
                let variable = self.code.variable(var)?;
                let size = variable.ty.size() as i64;
                let row = i64::from(row) * i64::from(self.register_bytes());
                let start = row + i64::from(col) * size;
                let steps = Steps::new(region, size);
                for lane in set_bits(mask) {
                    let at = start + steps.of(lane);
                    places[lane] = self
                        .place(var, variable, at, variable.size, size)
                        .map_err(|kind| Problem::from(kind).lane(lane as u32))?;
                }
                Ok((variable.ty, places, found))
            }
            VectorKind::Indirect { addr, addr_offset, offset, ty, region } => {
                let (ty, size) = (ty.ty(), ty.ty().size() as i64);
                let steps = Steps::new(region, size);
                // Without a vertical stride, each row has an address.
                let has_rows = region.vertical() == Stride::NULL && region.width() != Stride::NULL;
                for lane in set_bits(mask) {
                    let row = if has_rows { lane / steps.width } else { 0 };
                    let element = usize::from(addr_offset) + row;
                    let place = || {
                        let pointer = self.registers.address(self.code, addr, element)?;
                        let variable = self.code.variable(pointer.variable)?;
                        let at = pointer.offset + i64::from(offset) + steps.of(lane);
                        self.place(pointer.variable, variable, at, variable.storage, size)
                    };
                    match place() {
                        Ok(place) => places[lane] = place,
                        Err(_) if reads && !self.is_active(lane) => found &= !(1 << lane),
                        Err(kind) => return Err(Problem::from(kind).lane(lane as u32)),
                    }
                }
                Ok((ty, places, found))
            }
            _ => Err(FaultKind::Malformed("the operand is not in a variable".into()).into()),
        }
    }

    /// Returns whether a lane of the instruction is active, whatever the instruction does with the mask.
    fn is_active(&self, lane: usize) -> bool {
        let instruction = self.code.instructions().get(self.index as usize);
        let first = instruction.map_or(0, first_lane) as usize;
        self.active.checked_shr((first + lane) as u32).is_some_and(|lanes| lanes & 1 != 0)
    }

    /// Returns the position of an element of a variable, which has to be in its first `bound` bytes.
    #[inline]
    fn place(
        &self,
        id: VarId,
        variable: &Variable,
        at: i64,
        bound: u32,
        size: i64,
    ) -> std::result::Result<u32, FaultKind> {
        if at < 0 || at + size > i64::from(bound) {
            return Err(self.outside(id, at, size as u32, bound));
        }
        Ok((variable.start as i64 + at) as u32)
    }

    fn outside(&self, id: VarId, start: i64, size: u32, variable_size: u32) -> FaultKind {
        FaultKind::OutsideVariable { variable: self.code.name_of(id), start, size, variable_size }
    }

    /// Returns the position of bytes of a raw operand, which may reach to the end of the storage that
    /// the variable shares.
    fn raw_place(&self, operand: Raw, offset: u32, size: u32) -> Result<usize> {
        let variable = self.code.variable(operand.var)?;
        let start = u32::from(operand.offset) + offset;
        // Messages transfer whole registers of variables that are smaller.
        if start + size > variable.registers {
            let kind = self.outside(operand.var, start.into(), size, variable.storage);
            return Err(kind.into());
        }
        Ok(variable.start + start as usize)
    }

    /// Reads an element of a raw operand.
    pub fn read_raw(
        &self,
        operand: Raw,
        offset: u32,
        size: u32,
        field: &'static str,
    ) -> Result<Value> {
        let at = self.raw_place(operand, offset, size).map_err(|problem| problem.operand(field))?;
        Ok(self.registers.get(at, size as usize))
    }

    /// Writes an element of a raw operand; does nothing for null.
    pub fn write_raw(
        &mut self,
        operand: Raw,
        offset: u32,
        size: u32,
        value: Value,
        field: &'static str,
    ) -> Result<()> {
        if operand.is_null() {
            return Ok(());
        }
        let at = self.raw_place(operand, offset, size).map_err(|problem| problem.operand(field))?;
        self.registers.set(at, size as usize, value, self.index);
        Ok(())
    }

    /// Reads an element of a raw operand that must be defined, such as an address.
    pub fn required_raw(
        &self,
        operand: Raw,
        offset: u32,
        size: u32,
        field: &'static str,
        use_: &'static str,
    ) -> Result<u64> {
        let value = self.read_raw(operand, offset, size, field)?;
        if !value.is_defined() {
            let at = self.raw_place(operand, offset, size)?;
            let origin = self.origin_at(at, size as usize);
            let fault = self.undefined(use_, origin);
            return Err(Problem::from(fault).operand(field));
        }
        Ok(value.bits)
    }

    /// Returns a state: an element of a surface or sampler variable.
    pub fn state(&self, class: StateClass, index: u16, element: usize) -> Result<Value> {
        let id = u8::try_from(index)
            .map_err(|_| FaultKind::Malformed(format!("state {index} is not declared")))?;
        Ok(match class {
            StateClass::SURFACE => {
                self.registers.surface(self.code, genvisa::operand::SurfaceId(id), element)?
            }
            StateClass::SAMPLER => {
                self.registers.sampler(self.code, genvisa::operand::SamplerId(id), element)?
            }
            _ => return Err(FaultKind::not_modelled("this class of state").into()),
        })
    }

    /// Checks that a value is defined.
    pub fn require(
        &self,
        value: Value,
        use_: &'static str,
        origin: impl Into<Origin>,
    ) -> Result<()> {
        if value.is_defined() {
            return Ok(());
        }
        Err(self.undefined(use_, origin).into())
    }
}

/// The distances of the elements of a region, in bytes.
struct Steps {
    vertical: i64,
    width: usize,
    horizontal: i64,
}

impl Steps {
    fn new(region: Region, size: i64) -> Steps {
        let horizontal = region.horizontal().elements().unwrap_or(1) as i64;
        let is_dst = region.vertical() == Stride::NULL && region.width() == Stride::NULL;
        // The rows of a destination follow each other.
        let width = if is_dst { MAX_LANES } else { region.width().elements().unwrap_or(1).max(1) };
        let vertical = region.vertical().elements().unwrap_or(0) as i64;
        Steps { vertical: vertical * size, width, horizontal: horizontal * size }
    }

    /// Returns the distance of the element of a lane from the first.
    #[inline]
    fn of(&self, lane: usize) -> i64 {
        // The width is a power of two.
        let row = lane >> self.width.trailing_zeros();
        let column = lane & (self.width - 1);
        row as i64 * self.vertical + column as i64 * self.horizontal
    }
}

const CONTROL_ORIGIN: &str = "%cr0";

/// Returns the bits of type F of a restricted 8-bit float (2_datatypes.md): a sign, an exponent of three
/// bits with bias 3, and four bits of mantissa; there are no denormals.
fn restricted(byte: u8) -> u64 {
    let (sign, exponent, mantissa) = (byte >> 7, byte >> 4 & 7, byte & 0xf);
    if exponent == 0 && mantissa == 0 {
        return u64::from(sign) << 31;
    }
    let exponent = u64::from(exponent) + 127 - 3;
    u64::from(sign) << 31 | exponent << 23 | u64::from(mantissa) << 19
}

/// Returns the lane of the thread that the first lane of an instruction is.
pub(crate) fn first_lane(instruction: &Instruction) -> u32 {
    struct First(u32);

    impl Visitor for First {
        fn exec(&mut self, _: Slot, exec: Exec) {
            self.0 = exec.mask.first_lane() as u32;
        }
    }

    let mut first = First(0);
    instruction.visit(&mut first);
    first.0
}
