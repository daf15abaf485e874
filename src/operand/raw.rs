//! Raw operands (docs/format.md, 3.1).

use alloc::string::String;

use super::ids::VarId;
use crate::error::Result;
use crate::format::Format;
use crate::wire::{Describe, Length, Reader, Trace, Wire, Writer, u16_at, u32_at};

/// A raw operand, mostly of messages: a general variable from a byte offset on. Four bytes before
/// 3.4, six since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Raw {
    /// The variable; [`VarId::NULL`] for a null operand.
    pub var: VarId,
    /// The offset into the variable, in bytes.
    pub offset: u16,
}

impl Raw {
    /// The null operand.
    pub const NULL: Raw = Raw { var: VarId::NULL, offset: 0 };

    /// Returns a variable from a byte offset on.
    pub const fn new(var: VarId, offset: u16) -> Raw {
        Raw { var, offset }
    }

    /// Returns whether the variable is the null variable, at any offset.
    pub const fn is_null(self) -> bool {
        self.var.0 == VarId::NULL.0
    }
}

impl From<(VarId, u16)> for Raw {
    /// Returns the variable from a byte offset on.
    fn from((var, offset): (VarId, u16)) -> Raw {
        Raw::new(var, offset)
    }
}

impl From<VarId> for Raw {
    /// Returns the variable from its start.
    fn from(var: VarId) -> Raw {
        Raw::new(var, 0)
    }
}

impl Describe for Raw {
    fn meaning(&self, _: Format) -> String {
        if self.is_null() { "null".into() } else { String::new() }
    }
}

impl Wire for Raw {
    const LENGTH: Length = Length::ByIds { narrow: 4, wide: 6 };

    #[inline(always)]
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        if r.wide_ids() {
            let bytes = r.array::<6>()?;
            self.var = VarId(u32_at(bytes, 0));
            self.offset = u16_at(bytes, 4);
        } else {
            let bytes = r.array::<4>()?;
            self.var = VarId(u16_at(bytes, 0).into());
            self.offset = u16_at(bytes, 2);
        }
        Ok(())
    }

    #[inline(always)]
    fn encode(&self, w: &mut Writer) -> Result<()> {
        if w.wide_ids() {
            let ([a, b, c, d], [e, f]) = (self.var.0.to_le_bytes(), self.offset.to_le_bytes());
            w.put(&[a, b, c, d, e, f]);
        } else {
            w.narrow(self.var.0)?;
            w.u16(self.offset);
        }
        Ok(())
    }
}
