//! Moves, selections and conversions, and address arithmetic.

use genvisa::isa::{AddrAdd, Faddr, Fcvt, Mov, Movs, Sel, Setp, Srnd};
use genvisa::operand::{
    AddrId, DataType, Modifier, SamplerId, StateClass, StringId, SurfaceId, Vector, VectorKind,
};

use super::alu::modified;
use crate::context::{Computed, Context, Outcome, Source};
use crate::fault::{FaultKind, Problem, Result};
use crate::number::{Float, Mode, Number, Rounding};
use crate::state::{Pointer, Predicate};
use crate::value::{Value, set_bits};

impl Context<'_> {
    /// MOV: copies, or converts to the type of the destination.
    pub(super) fn mov(&mut self, mov: &Mov) -> Result<()> {
        let lanes = self.enabled(mov.exec, mov.pred)?;
        if let VectorKind::Address { addr, offset, .. } = mov.dst.0.kind {
            self.without_modifier(&mov.dst.0, "dst")?;
            return self.clear_addresses(&mov.src0, addr, offset.into(), lanes);
        }
        let (mut source, modifier) = self.read_with_modifier(&mov.src0, "src0", lanes)?;
        let target = self.target(&mov.dst, "dst")?;
        if modifier == Modifier::NONE && source.is_cast(target) {
            source.cast(target);
            return self.write_values(&mov.dst, "dst", lanes, &source.values);
        }
        self.write_results(&mov.dst, "dst", lanes, |lane| element(&source, lane, modifier))
    }

    /// Sets addresses to zero, which is the address of no variable. The compiler does so before it sets the
    /// addresses of the active lanes.
    fn clear_addresses(
        &mut self,
        source: &Vector,
        addr: AddrId,
        offset: usize,
        lanes: u32,
    ) -> Result<()> {
        self.without_modifier(source, "src0")?;
        if !matches!(source.kind, VectorKind::Immediate(imm) if imm.bits() == 0) {
            return Err(FaultKind::not_modelled("an address that is a number").into());
        }
        for lane in set_bits(lanes) {
            self.registers.set_address(self.code, addr, offset + lane, None)?;
        }
        Ok(())
    }

    /// SEL: the first source where the predicate is true, and the second elsewhere.
    pub(super) fn sel(&mut self, sel: &Sel) -> Result<()> {
        let lanes = self.unmasked(sel.exec);
        let selected =
            if sel.pred.is_none() { lanes } else { self.selected(sel.exec, sel.pred, lanes)? };
        let (mut first, modifier) = self.read_with_modifier(&sel.src0, "src0", lanes & selected)?;
        let (mut second, of_second) =
            self.read_with_modifier(&sel.src1, "src1", lanes & !selected)?;
        let target = self.target(&sel.dst, "dst")?;
        let are_casts = first.is_cast(target) && second.is_cast(target);
        if are_casts && (modifier, of_second) == (Modifier::NONE, Modifier::NONE) {
            first.cast(target);
            second.cast(target);
            let rest = set_bits(lanes & !selected);
            rest.for_each(|lane| first.values.set(lane, second.values.get(lane)));
            return self.write_values(&sel.dst, "dst", lanes, &first.values);
        }
        self.write_results(&sel.dst, "dst", lanes, |lane| match selected >> lane & 1 {
            0 => element(&second, lane, of_second),
            _ => element(&first, lane, modifier),
        })
    }

    /// SRND: `src0` in a type with fewer bits, rounded up if the bits that are cut off plus those of `src1` exceed them.
    pub(super) fn srnd(&mut self, i: &Srnd) -> Result<()> {
        let types = [self.type_of(&i.src0)?, self.type_of(&i.dst.0)?];
        let cut = match types {
            [DataType::F, DataType::HF] => 13,
            // BF8 has no type of its own.
            [DataType::HF, DataType::UB] => 8,
            [from, to] => {
                return Err(FaultKind::not_modelled(format!("SRND from {from} to {to}")).into());
            }
        };
        let lanes = self.unmasked(i.exec);
        let source = self.numbers(lanes, [&i.src0])?;
        let random = self.numbers_of(lanes, &["src1"], [&i.src1])?;
        self.write_results(&i.dst, "dst", lanes, |lane| {
            let (Some([source]), Some([random])) = (source.lane(lane)?, random.lane(lane)?) else {
                return Ok(Computed::Undefined);
            };
            let source = source.float()?;
            let random = random.integer()? as u64 & ((1 << cut) - 1);
            let is_finite = source.to_f64().is_finite();
            let bits = source.bits() + if is_finite { random } else { 0 };
            if types[1] == DataType::UB {
                // A payload in the low bits only is still not a number.
                let quiet = u64::from(source.is_nan()) << 1;
                return Ok(Computed::Number(Number::Integer((bits >> cut | quiet).into())));
            }
            // Denormals are kept in any mode.
            let mode = Mode::DEFAULT.with_rounding(Rounding::Zero);
            let rounded = Float::from_bits(bits, types[0])?.convert(types[1], &mode)?;
            Ok(Computed::Element(Value::defined(rounded.bits()), types[1]))
        })
    }

    /// FCVT: converts 8-bit floats and TF32, rounded to nearest; denormals of 8 bits are kept, those of TF32 are
    /// zeros.
    pub(super) fn fcvt(&mut self, fcvt: &Fcvt) -> Result<()> {
        let lanes = self.unmasked(fcvt.exec);
        let (source, modifier) = self.read_with_modifier(&fcvt.src0, "src0", lanes)?;
        let (from, to) = (narrow(source.ty), narrow(self.type_of(&fcvt.dst.0)?));
        self.write_results(&fcvt.dst, "dst", lanes, |lane| {
            let value = source.values.get(lane);
            if !value.is_defined() {
                return Ok(Computed::Undefined);
            }
            let number = modified(Number::from_bits(value.bits, from)?, modifier)?;
            // The destination may be declared as bytes, and the mode of the thread does not matter.
            Ok(Computed::Bits(Value::defined(number.to_bits(to, false, &Mode::DEFAULT)?)))
        })
    }

    /// SETP: the bits of a scalar, or the lowest bit of each element.
    pub(super) fn setp(&mut self, setp: &Setp) -> Result<()> {
        let VectorKind::Predicate(target) = setp.dst.0.kind else {
            return Err(FaultKind::Malformed("the destination is not a predicate".into()).into());
        };
        self.without_modifier(&setp.dst.0, "dst")?;
        let lanes = self.unmasked(setp.exec);
        let source =
            self.read(&setp.src0, "src0", if is_scalar(&setp.src0) { 1 } else { lanes })?;
        let (mut bits, mut undefined) = (0u32, 0u32);
        for lane in set_bits(lanes) {
            let (value, bit) = match is_scalar(&setp.src0) {
                true => (source.values.get(0), lane),
                false => (source.values.get(lane), 0),
            };
            bits |= ((value.bits >> bit & 1) as u32) << lane;
            undefined |= ((value.undefined >> bit & 1) as u32) << lane;
        }
        let first = setp.exec.mask.first_lane();
        let value = Predicate { bits: bits << first, undefined: undefined << first };
        Ok(self.registers.set_predicate(self.code, target.id(), lanes << first, value)?)
    }

    /// MOVS: copies surfaces and samplers, or their indices.
    pub(super) fn movs(&mut self, movs: &Movs) -> Result<()> {
        let lanes = self.unmasked(movs.exec);
        let source = self.read(&movs.src0, "src0", lanes)?;
        let VectorKind::State { class, index, offset } = movs.dst.0.kind else {
            return self.write_results(&movs.dst, "dst", lanes, |lane| {
                Ok(Computed::Bits(source.values.get(lane)))
            });
        };
        self.without_modifier(&movs.dst.0, "dst")?;
        let id = u8::try_from(index)
            .map_err(|_| FaultKind::Malformed(format!("state {index} is not declared")))?;
        for lane in set_bits(lanes) {
            let (value, element) = (source.values.get(lane), usize::from(offset) + lane);
            match class {
                StateClass::SURFACE => {
                    self.registers.set_surface(self.code, SurfaceId(id), element, value)?;
                }
                StateClass::SAMPLER => {
                    self.registers.set_sampler(self.code, SamplerId(id), element, value)?;
                }
                _ => return Err(FaultKind::not_modelled("this class of state").into()),
            }
        }
        Ok(())
    }

    /// ADDR_ADD: the address of a variable, or an address, plus a number of bytes.
    pub(super) fn addr_add(&mut self, add: &AddrAdd) -> Result<()> {
        let VectorKind::Address { addr, offset, .. } = add.dst.0.kind else {
            return Err(FaultKind::Malformed("the destination is not an address".into()).into());
        };
        let lanes = self.unmasked(add.exec);
        let counts = self.read(&add.src1, "src1", lanes)?;
        self.without_modifier(&add.dst.0, "dst")?;
        self.without_modifier(&add.src0.0, "src0")?;
        for lane in set_bits(lanes) {
            let base = match add.src0.0.kind {
                VectorKind::General { var, .. } => {
                    let ty = self.code.variable(var)?.ty;
                    let offset = add.src0.offset(ty, self.code.format(), self.register_size());
                    Pointer { variable: var, offset: offset.unwrap_or_default().into() }
                }
                VectorKind::Address { addr, offset, width } => {
                    let element = match width.bits() {
                        0 => usize::from(offset),
                        _ => usize::from(offset) + lane,
                    };
                    self.registers.address(self.code, addr, element)?
                }
                _ => return Err(FaultKind::not_modelled("the address of a state").into()),
            };
            let count = counts.values.get(lane);
            self.require(count, "an address", || self.origin_of(&add.src1))
                .map_err(|problem| Problem::lane(problem, lane as u32).operand("src1"))?;
            // Addresses have 16 bits: an offset may be negative.
            let bytes = match counts.ty.is_signed_integer() || counts.ty == DataType::UW {
                true => i64::from(count.bits as u16 as i16),
                false => count.bits as i64,
            };
            let pointer = Pointer { offset: base.offset + bytes, ..base };
            let element = usize::from(offset) + lane;
            self.registers.set_address(self.code, addr, element, Some(pointer))?;
        }
        Ok(())
    }
}

impl Context<'_> {
    /// FADDR: the address of a function or of data with this name.
    pub(super) fn faddr(&mut self, faddr: &Faddr) -> Result<()> {
        let name = self.code.name_of(StringId(faddr.func_id.0.into()));
        let program = self.shared.program;
        let function = program.function(&name).map(|function| program.address_of(function));
        let address = function.or_else(|| self.shared.symbols.get(&name).copied());
        let Some(address) = address else {
            return Err(FaultKind::NotGiven(format!("the address of `{name}`")).into());
        };
        self.write_results(&faddr.dst, "dst", 1, |_| Ok(Computed::Bits(Value::defined(address))))
    }
}

/// Returns an element with its modifier.
fn element(source: &Source, lane: usize, modifier: Modifier) -> Outcome {
    let (value, ty) = (source.values.get(lane), source.ty);
    if modifier == Modifier::NONE {
        return Ok(Computed::Element(value, ty));
    }
    if !value.is_defined() {
        return Ok(Computed::Undefined);
    }
    Ok(Computed::Number(match modifier {
        Modifier::NOT => Number::from_bits(!value.bits, ty)?,
        modifier => modified(Number::from_bits(value.bits, ty)?, modifier)?,
    }))
}

/// Returns the type of 8-bit floats, which older texts and bytes call bytes.
fn narrow(ty: DataType) -> DataType {
    match ty {
        DataType::UB => DataType::BF8,
        DataType::B => DataType::HF8,
        DataType::UD => DataType::TF32,
        other => other,
    }
}

/// Returns whether an operand is one element for all lanes.
fn is_scalar(operand: &Vector) -> bool {
    match operand.kind {
        VectorKind::General { region, .. } | VectorKind::Indirect { region, .. } => {
            region == genvisa::operand::Region::SCALAR
        }
        _ => true,
    }
}
