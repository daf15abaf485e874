//! What an instruction sees while it executes: its lanes, its operands and memory.

mod origin;
mod places;
mod store;

use genvisa::RegisterSize;
use std::array;
use std::cell::OnceCell;
use std::sync::MutexGuard;

use genvisa::Instruction;
use genvisa::operand::{
    DataType, Exec, Modifier, Pred, PredControl, PredId, Raw, Slot, StateClass, VarId, Vector,
    VectorKind, Visitor,
};

use crate::fault::{FaultKind, Problem, Result};
use crate::memory::{Actor, Memory, WHOLE};
use crate::number::{Mode, bits_of, low_bits};
use crate::program::Code;
use crate::shared::Shared;
use crate::state::{Predicate, Registers, Strided, outside};
use crate::value::{Lanes, Value, set_bits};
use origin::Origin;
use places::Places;

use store::extended;
pub(crate) use store::{Computed, Outcome, Target};

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
    /// The memory of the machine, from the first access of the instruction on.
    memory: Option<MutexGuard<'a, Memory>>,
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
        Context {
            code,
            registers,
            index,
            active,
            local,
            shared,
            actor,
            pixels: &[],
            reported: None,
            mode: OnceCell::new(),
            memory: None,
        }
    }

    /// Returns the context of a thread whose lanes have pixels.
    pub fn with_pixels(mut self, pixels: &'a [[u32; 2]]) -> Context<'a> {
        self.pixels = pixels;
        self
    }

    /// Returns the size of a register.
    pub fn register_size(&self) -> RegisterSize {
        self.shared.program.device().registers
    }

    /// Returns the number of bytes of a register.
    pub fn register_bytes(&self) -> u32 {
        self.register_size().bytes()
    }

    /// Returns the memory of the machine. Other threads wait for it until the instruction has ended.
    pub fn memory(&mut self) -> &mut Memory {
        self.memory.get_or_insert_with(|| self.shared.memory())
    }

    /// Returns the rounding and the treatment of denormals.
    pub fn mode(&self) -> Result<Mode> {
        if let Some(mode) = self.mode.get() {
            return Ok(*mode);
        }
        let control = self.registers.control(self.code)?;
        self.require(control, "the floating-point mode", || CONTROL_ORIGIN)?;
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
    /// scalar. Lanes that are not in the mask may get a value, too.
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
        let mut source = Source { ty: DataType::default(), values: Lanes::ZERO };
        source.ty = self
            .elements::<false>(operand, mask, &mut source.values)
            .map_err(|problem| problem.operand(field))?;
        Ok((source, operand.modifier))
    }

    /// Reads the same elements to zeros, and returns their type. Integers are extended to 64 bits.
    pub fn read_extended(
        &self,
        operand: &Vector,
        field: &'static str,
        mask: u32,
        values: &mut Lanes,
    ) -> Result<DataType> {
        self.elements::<true>(operand, mask, values).map_err(|problem| problem.operand(field))
    }

    /// Checks that an operand has no modifier.
    pub fn without_modifier(&self, operand: &Vector, field: &'static str) -> Result<()> {
        if operand.modifier == Modifier::NONE {
            return Ok(());
        }
        let what = format!("modifier {} of this operand", operand.modifier);
        Err(Problem::from(FaultKind::not_modelled(what)).operand(field))
    }

    /// Reads elements to zeros, and returns their type. Integers are extended to 64 bits if the caller wants that.
    fn elements<const EXTEND: bool>(
        &self,
        operand: &Vector,
        mask: u32,
        values: &mut Lanes,
    ) -> Result<DataType> {
        let read = |value: Value, ty| if EXTEND { extended(value, ty) } else { value };
        Ok(match operand.kind {
            VectorKind::Immediate(imm) => {
                let packed =
                    |element: &dyn Fn(usize) -> u64| Lanes::defined(array::from_fn(element));
                match imm.ty() {
                    DataType::V | DataType::UV => {
                        let elements = imm.as_packed_integers().unwrap_or_default();
                        *values = packed(&|lane| elements[lane % 8] as u64 & 0xffff);
                    }
                    DataType::VF => {
                        let elements = imm.as_packed_floats().unwrap_or_default();
                        *values = packed(&|lane| restricted(elements[lane % 4]));
                    }
                    ty => {
                        let value = Value::defined(imm.bits() & low_bits(bits_of(ty)));
                        values.fill(read(value, ty));
                    }
                }
                match imm.ty() {
                    DataType::V => {
                        if EXTEND {
                            values.extend(DataType::W);
                        }
                        DataType::W
                    }
                    DataType::UV => DataType::UW,
                    DataType::VF => DataType::F,
                    ty => ty,
                }
            }
            VectorKind::General { .. } | VectorKind::Indirect { .. } => {
                let (ty, places) = self.places(operand, mask, true)?;
                match places {
                    Places::Strided(elements) => {
                        let signed = EXTEND && ty.is_signed_integer();
                        self.registers.get_lanes(elements, mask, signed, values);
                    }
                    Places::Each { places, lanes } => {
                        for lane in set_bits(lanes) {
                            let value = self.registers.get(places[lane] as usize, ty.size());
                            values.set(lane, read(value, ty));
                        }
                        let undefined = Value { bits: 0, undefined: low_bits(bits_of(ty)) };
                        set_bits(mask & !lanes).for_each(|lane| values.set(lane, undefined));
                    }
                }
                ty
            }
            VectorKind::Predicate(pred) => {
                let predicate = self.registers.predicate(self.code, pred.id())?;
                let value =
                    Value { bits: predicate.bits.into(), undefined: predicate.undefined.into() };
                // Elements that the predicate does not have are zero.
                let size = self.code.predicate_size(pred.id()).unwrap_or(32);
                let elements = low_bits(size.into());
                let (bits, undefined) = (value.bits & elements, value.undefined & elements);
                values.fill(Value { bits, undefined });
                DataType::UD
            }
            VectorKind::Address { .. } => {
                let what = "reading an address variable as a number";
                return Err(FaultKind::not_modelled(what).into());
            }
            VectorKind::State { class, index, offset } => {
                let value = |lane: usize| self.state(class, index, usize::from(offset) + lane);
                for lane in set_bits(mask) {
                    values.set(lane, value(lane)?);
                }
                DataType::UD
            }
        })
    }

    /// Reads the first element of a scalar operand, which must be defined.
    pub fn scalar(&self, operand: &Vector, field: &'static str) -> Result<(DataType, u64)> {
        let source = self.read(operand, field, 1)?;
        let value = source.values.get(0);
        self.require(value, "a scalar operand", || self.origin_of(operand))
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
    fn write_vector(&mut self, operand: &Vector, mask: u32, values: &Lanes) -> Result<()> {
        if let VectorKind::General { var: VarId::NULL, .. } = operand.kind {
            return Ok(());
        }
        if !matches!(operand.kind, VectorKind::General { .. } | VectorKind::Indirect { .. }) {
            return Err(FaultKind::not_modelled("this class of destination").into());
        }
        let (ty, places) = self.places(operand, mask, false)?;
        match places {
            Places::Strided(elements) => {
                self.registers.set_lanes(elements, mask, values, self.index);
            }
            Places::Each { places, lanes } => {
                for lane in set_bits(lanes) {
                    let at = places[lane] as usize;
                    self.registers.set(at, ty.size(), values.get(lane), self.index);
                }
            }
        }
        Ok(())
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

    /// Reads elements of a raw operand for lanes to zeros: at an offset, with a distance, of a size in bytes.
    pub fn read_raw_lanes(
        &self,
        operand: Raw,
        place: [u32; 3],
        lanes: u32,
        field: &'static str,
        values: &mut Lanes,
    ) -> Result<()> {
        if let Some(elements) = self.raw_lanes(operand, place, lanes, field)? {
            self.registers.get_lanes(elements, lanes, false, values);
        }
        Ok(())
    }

    /// Writes elements of a raw operand for lanes, at such places; does nothing for null.
    pub fn write_raw_lanes(
        &mut self,
        operand: Raw,
        place: [u32; 3],
        lanes: u32,
        field: &'static str,
        values: &Lanes,
    ) -> Result<()> {
        if operand.is_null() {
            return Ok(());
        }
        if let Some(elements) = self.raw_lanes(operand, place, lanes, field)? {
            self.registers.set_lanes(elements, lanes, values, self.index);
        }
        Ok(())
    }

    /// Returns where the elements of a raw operand are; `None` if there are no lanes.
    fn raw_lanes(
        &self,
        operand: Raw,
        [offset, stride, size]: [u32; 3],
        lanes: u32,
        field: &'static str,
    ) -> Result<Option<Strided>> {
        let place = |lane: u32| self.raw_place(operand, offset + lane * stride, size);
        let Some(last) = 31u32.checked_sub(lanes.leading_zeros()) else { return Ok(None) };
        let start = match (place(0), place(last)) {
            (Ok(start), Ok(_)) => start,
            _ => {
                for lane in set_bits(lanes).map(|lane| lane as u32) {
                    place(lane).map_err(|problem| match self.actor.first_lane {
                        WHOLE => problem.operand(field),
                        _ => problem.lane(lane).operand(field),
                    })?;
                }
                place(0)?
            }
        };
        Ok(Some(Strided { start, stride: stride as usize, size: size as usize }))
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

    /// Checks that a value is defined. `origin` is called only for an undefined value, because it formats text.
    pub fn require<O: Into<Origin>>(
        &self,
        value: Value,
        use_: &'static str,
        origin: impl FnOnce() -> O,
    ) -> Result<()> {
        if value.is_defined() {
            return Ok(());
        }
        Err(self.undefined(use_, origin()).into())
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
