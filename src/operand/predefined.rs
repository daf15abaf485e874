//! The predefined variables and surfaces, which routines do not declare (docs/format.md, 6.1).

use super::ids::{SurfaceId, VarId};
use super::types::DataType;

/// The names and types of the predefined general variables, by id.
const VARIABLES: [(&str, DataType); 22] = [
    ("%null", DataType::UD),
    ("%thread_x", DataType::UW),
    ("%thread_y", DataType::UW),
    ("%group_id_x", DataType::UD),
    ("%group_id_y", DataType::UD),
    ("%group_id_z", DataType::UD),
    ("%tsc", DataType::UD),
    ("%r0", DataType::UD),
    ("%arg", DataType::UD),
    ("%retval", DataType::UD),
    ("%sp", DataType::UQ),
    ("%fp", DataType::UQ),
    ("%hw_id", DataType::UD),
    ("%sr0", DataType::UD),
    ("%cr0", DataType::UD),
    ("%ce0", DataType::UD),
    ("%dbg0", DataType::UD),
    ("%color", DataType::UW),
    ("%impl_arg_buf_ptr", DataType::UQ),
    ("%local_id_buf_ptr", DataType::UQ),
    ("%msg0", DataType::UD),
    ("%scratchloc", DataType::UQ),
];

/// The names of the predefined surfaces, by id.
const SURFACES: [&str; 6] = ["%slm", "T1", "T2", "TSS", "%bss", "%scratch"];

impl VarId {
    /// The number of predefined variables in 2022; `%scratchloc` is newer.
    #[cfg(any(feature = "text", feature = "verify"))]
    pub(crate) const PREDEFINED_IN_2022: u32 = 21;

    /// Returns the name of a predefined variable; `None` for others.
    pub const fn predefined_name(self) -> Option<&'static str> {
        match self.predefined() {
            Some((name, _)) => Some(name),
            None => None,
        }
    }

    /// Returns the type of a predefined variable; `None` for others.
    pub const fn predefined_type(self) -> Option<DataType> {
        match self.predefined() {
            Some((_, ty)) => Some(ty),
            None => None,
        }
    }

    const fn predefined(self) -> Option<(&'static str, DataType)> {
        if (self.0 as usize) < VARIABLES.len() { Some(VARIABLES[self.0 as usize]) } else { None }
    }
}

impl SurfaceId {
    /// Returns the name of a predefined surface; `None` for others.
    pub const fn predefined_name(self) -> Option<&'static str> {
        if (self.0 as usize) < SURFACES.len() { Some(SURFACES[self.0 as usize]) } else { None }
    }
}
