//! The predefined variables and surfaces, which routines do not declare (docs/format.md, 6.1).

use super::ids::{SurfaceId, VarId};
use super::types::DataType;

/// The size of a predefined variable.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "analysis"), allow(dead_code))]
enum Size {
    Elements(u32),
    Registers(u32),
}

use Size::{Elements, Registers};

/// The names, types and sizes of the predefined general variables, by id.
const VARIABLES: [(&str, DataType, Size); 22] = [
    ("%null", DataType::UD, Elements(0)),
    ("%thread_x", DataType::UW, Elements(1)),
    ("%thread_y", DataType::UW, Elements(1)),
    ("%group_id_x", DataType::UD, Elements(1)),
    ("%group_id_y", DataType::UD, Elements(1)),
    ("%group_id_z", DataType::UD, Elements(1)),
    ("%tsc", DataType::UD, Elements(5)),
    ("%r0", DataType::UD, Elements(8)),
    ("%arg", DataType::UD, Registers(32)),
    ("%retval", DataType::UD, Registers(12)),
    ("%sp", DataType::UQ, Elements(1)),
    ("%fp", DataType::UQ, Elements(1)),
    ("%hw_id", DataType::UD, Elements(1)),
    ("%sr0", DataType::UD, Elements(4)),
    ("%cr0", DataType::UD, Elements(3)),
    ("%ce0", DataType::UD, Elements(1)),
    ("%dbg0", DataType::UD, Elements(2)),
    ("%color", DataType::UW, Elements(1)),
    ("%impl_arg_buf_ptr", DataType::UQ, Elements(1)),
    ("%local_id_buf_ptr", DataType::UQ, Elements(1)),
    ("%msg0", DataType::UD, Elements(3)),
    ("%scratchloc", DataType::UQ, Elements(1)),
];

/// The names of the predefined surfaces, by id.
const SURFACES: [&str; 6] = ["%slm", "T1", "T2", "TSS", "%bss", "%scratch"];

#[cfg(feature = "analysis")]
impl VarId {
    /// `%arg`, with the arguments of a call.
    pub(crate) const ARG: VarId = VarId(8);
    /// `%retval`, with the result of a call.
    pub(crate) const RETVAL: VarId = VarId(9);

    /// Returns whether a predefined variable is a register of the architecture rather than a part
    /// of the register file.
    pub(crate) const fn is_architecture_register(self) -> bool {
        // %tsc, %sr0, %cr0, %ce0, %dbg0 and %msg0.
        matches!(self.0, 6 | 13..=16 | 20)
    }
}

impl VarId {
    /// The number of predefined variables in 2022; `%scratchloc` is newer.
    #[cfg(any(feature = "text", feature = "verify"))]
    pub(crate) const PREDEFINED_IN_2022: u32 = 21;

    /// Returns the name of a predefined variable; `None` for others.
    pub const fn predefined_name(self) -> Option<&'static str> {
        match self.predefined() {
            Some((name, ..)) => Some(name),
            None => None,
        }
    }

    /// Returns the type of a predefined variable; `None` for others.
    pub const fn predefined_type(self) -> Option<DataType> {
        match self.predefined() {
            Some((_, ty, _)) => Some(ty),
            None => None,
        }
    }

    /// Returns the size of a predefined variable in bytes, on platforms with registers of a number
    /// of bytes.
    // Source: 4_visa_header.md, Variables. Registers of the architecture have the elements that
    // operands can name.
    #[cfg(feature = "analysis")]
    pub(crate) const fn predefined_bytes(self, register: u32) -> Option<u32> {
        match self.predefined() {
            Some((_, ty, Elements(count))) => Some(count * ty.size() as u32),
            Some((_, _, Registers(count))) => Some(count * register),
            None => None,
        }
    }

    const fn predefined(self) -> Option<(&'static str, DataType, Size)> {
        if (self.0 as usize) < VARIABLES.len() { Some(VARIABLES[self.0 as usize]) } else { None }
    }
}

impl SurfaceId {
    /// Returns the name of a predefined surface; `None` for others.
    pub const fn predefined_name(self) -> Option<&'static str> {
        if (self.0 as usize) < SURFACES.len() { Some(SURFACES[self.0 as usize]) } else { None }
    }
}
