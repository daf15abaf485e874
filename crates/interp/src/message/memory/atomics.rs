//! What atomic operations compute (DWORD_ATOMIC.md, LSC_UNTYPED.md).

use genvisa::operand::lsc::LscOp;
use genvisa::operand::{AtomicOp, DataType};

use crate::fault::FaultKind;
use crate::number::{Float, Mode, low_bits};
use crate::value::Value;

/// The operation of an atomic message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::message) enum Update {
    Load,
    Add,
    Subtract,
    Increment,
    Decrement,
    SignedMin,
    SignedMax,
    UnsignedMin,
    UnsignedMax,
    Exchange,
    CompareExchange,
    And,
    Or,
    Xor,
    FloatAdd,
    FloatSubtract,
    FloatMin,
    FloatMax,
    FloatCompareExchange,
}

impl Update {
    /// Returns the operation of a message to the load-store cache, and the type of its numbers if they
    /// are floats of a size; `None` if it is not an atomic.
    pub fn of_lsc(op: LscOp) -> Option<(Update, bool)> {
        let update = match op {
            LscOp::ATOMIC_LOAD => Update::Load,
            LscOp::ATOMIC_IADD => Update::Add,
            LscOp::ATOMIC_ISUB => Update::Subtract,
            LscOp::ATOMIC_IINC => Update::Increment,
            LscOp::ATOMIC_IDEC => Update::Decrement,
            LscOp::ATOMIC_SMIN => Update::SignedMin,
            LscOp::ATOMIC_SMAX => Update::SignedMax,
            LscOp::ATOMIC_UMIN => Update::UnsignedMin,
            LscOp::ATOMIC_UMAX => Update::UnsignedMax,
            LscOp::ATOMIC_STORE => Update::Exchange,
            LscOp::ATOMIC_ICAS => Update::CompareExchange,
            LscOp::ATOMIC_AND => Update::And,
            LscOp::ATOMIC_OR => Update::Or,
            LscOp::ATOMIC_XOR => Update::Xor,
            LscOp::ATOMIC_FADD | LscOp::ATOMIC_BFADD => Update::FloatAdd,
            LscOp::ATOMIC_FSUB | LscOp::ATOMIC_BFSUB => Update::FloatSubtract,
            LscOp::ATOMIC_FMIN | LscOp::ATOMIC_BFMIN => Update::FloatMin,
            LscOp::ATOMIC_FMAX | LscOp::ATOMIC_BFMAX => Update::FloatMax,
            LscOp::ATOMIC_FCAS | LscOp::ATOMIC_BFCAS => Update::FloatCompareExchange,
            _ => return None,
        };
        let is_bfloat = matches!(
            op,
            LscOp::ATOMIC_BFADD
                | LscOp::ATOMIC_BFSUB
                | LscOp::ATOMIC_BFMIN
                | LscOp::ATOMIC_BFMAX
                | LscOp::ATOMIC_BFCAS
        );
        Some((update, is_bfloat))
    }

    /// Returns the operation of a message to the data port.
    pub fn of_data_port(op: AtomicOp) -> Option<Update> {
        Some(match op {
            AtomicOp::ADD => Update::Add,
            AtomicOp::SUB => Update::Subtract,
            AtomicOp::INC => Update::Increment,
            // The message returns the new value of PREDEC, which is not an operation here.
            AtomicOp::DEC => Update::Decrement,
            AtomicOp::MIN => Update::UnsignedMin,
            AtomicOp::MAX => Update::UnsignedMax,
            AtomicOp::XCHG => Update::Exchange,
            AtomicOp::CMPXCHG => Update::CompareExchange,
            AtomicOp::AND => Update::And,
            AtomicOp::OR => Update::Or,
            AtomicOp::XOR => Update::Xor,
            AtomicOp::IMIN => Update::SignedMin,
            AtomicOp::IMAX => Update::SignedMax,
            AtomicOp::FMAX => Update::FloatMax,
            AtomicOp::FMIN => Update::FloatMin,
            AtomicOp::FCMPWR => Update::FloatCompareExchange,
            AtomicOp::FADD => Update::FloatAdd,
            AtomicOp::FSUB => Update::FloatSubtract,
            _ => return None,
        })
    }

    /// Returns the new value. `first` is the operand, or what the old value is compared with; `second`
    /// is the value that replaces it then.
    pub fn apply(
        self,
        old: Value,
        first: Value,
        second: Value,
        bytes: u32,
        is_bfloat: bool,
    ) -> Result<Value, FaultKind> {
        let width = bytes * 8;
        match self {
            Update::Load => return Ok(old),
            Update::Exchange => return Ok(first),
            _ => {}
        }
        let compares = matches!(self, Update::CompareExchange | Update::FloatCompareExchange);
        let has_operand = !matches!(self, Update::Increment | Update::Decrement);
        let is_defined = old.is_defined()
            && (!has_operand || first.is_defined())
            && (!compares || second.is_defined());
        if !is_defined {
            return Ok(Value { bits: 0, undefined: low_bits(width) });
        }
        let (old, first, second) = (old.bits, first.bits, second.bits);
        let signed = |bits: u64| (bits << (64 - width)) as i64;
        let float = |bits: u64| match (bytes, is_bfloat) {
            (2, true) => Float::from_bits(bits, DataType::BF),
            (2, false) => Float::from_bits(bits, DataType::HF),
            (4, false) => Float::from_bits(bits, DataType::F),
            (8, false) => Float::from_bits(bits, DataType::DF),
            _ => Err(FaultKind::not_modelled("an atomic on floats of this size")),
        };
        let mode = Mode::DEFAULT;
        let new = match self {
            Update::Load | Update::Exchange => old,
            Update::Add => old.wrapping_add(first),
            Update::Subtract => old.wrapping_sub(first),
            Update::Increment => old.wrapping_add(1),
            Update::Decrement => old.wrapping_sub(1),
            Update::SignedMin if signed(first) < signed(old) => first,
            Update::SignedMax if signed(first) > signed(old) => first,
            Update::SignedMin | Update::SignedMax => old,
            Update::UnsignedMin => old.min(first),
            Update::UnsignedMax => old.max(first),
            Update::CompareExchange => {
                if old == first {
                    second
                } else {
                    old
                }
            }
            Update::And => old & first,
            Update::Or => old | first,
            Update::Xor => old ^ first,
            Update::FloatAdd => float(old)?.add(float(first)?, &mode).bits(),
            Update::FloatSubtract => float(old)?.add(float(first)?.negated(), &mode).bits(),
            Update::FloatMin | Update::FloatMax => {
                let (a, b) = (float(old)?, float(first)?);
                let takes_old = match self {
                    _ if b.is_nan() => true,
                    _ if a.is_nan() => false,
                    Update::FloatMin => a.to_f64() <= b.to_f64(),
                    _ => a.to_f64() >= b.to_f64(),
                };
                if takes_old { old } else { first }
            }
            Update::FloatCompareExchange => {
                if float(old)?.to_f64() == float(first)?.to_f64() {
                    second
                } else {
                    old
                }
            }
        };
        Ok(Value::defined(new & low_bits(width)))
    }
}
