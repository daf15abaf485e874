//! The operation of INFO (INFO.md; docs/format.md, 4.1).

use alloc::string::String;
use core::fmt;

use super::Info;
use super::record::{Closed, Packed};
use crate::error::{ErrorKind, Result};
use crate::format::Format;
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

/// The operation of [`Info`]. It selects the layout, so other values are errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum InfoOp {
    /// Returns the dimensions of a surface at a level of detail, and its number of levels.
    ResInfo = 0x0a,
    /// Returns the number of samples of a surface, and their palette.
    #[default]
    SampleInfo = 0x0b,
}

impl InfoOp {
    /// Both operations.
    pub const ALL: [InfoOp; 2] = [InfoOp::ResInfo, InfoOp::SampleInfo];

    /// Returns the encoding.
    pub const fn bits(self) -> u8 {
        self as u8
    }

    /// Returns the name in text.
    pub const fn name(self) -> &'static str {
        match self {
            InfoOp::ResInfo => "resinfo",
            InfoOp::SampleInfo => "sampleinfo",
        }
    }
}

impl Closed for InfoOp {}

impl Info {
    /// Returns the operation: resinfo if there is a LOD, and sampleinfo otherwise.
    pub fn op(&self) -> InfoOp {
        self.packed()
    }
}

impl fmt::Display for InfoOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Describe for InfoOp {
    fn meaning(&self, _: Format) -> String {
        match self {
            InfoOp::ResInfo => "a LOD follows".into(),
            InfoOp::SampleInfo => "no LOD".into(),
        }
    }
}

/// One byte; in `Manual` two, and the second must be zero.
impl Wire for InfoOp {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let code = r.u8()?;
        *self = InfoOp::ALL.into_iter().find(|op| op.bits() == code).ok_or_else(|| {
            let (what, value) = ("info operation", code.into());
            r.error_back(1, ErrorKind::UnknownSubOpcode { what, value })
        })?;
        if r.format().is_manual() {
            let high = r.u8()?;
            if high != 0 {
                let bits = u32::from(high) << 8;
                return Err(r.error_back(2, ErrorKind::ReservedBits { bits }));
            }
        }
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.u8(self.bits());
        if w.format().is_manual() {
            w.u8(0);
        }
        Ok(())
    }
}
