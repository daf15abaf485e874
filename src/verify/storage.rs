//! Where the elements of variables lie, in tables small enough to stay in the nearest cache.

use alloc::vec::Vec;

use super::operands::FIRST_RESERVED;
use crate::object::{Align, Variable};
use crate::operand::{DataType, VarId};

/// What operands must know of a variable.
#[derive(Clone, Copy)]
pub(super) struct Storage {
    /// 0 if no operand can be let pass without a closer look.
    bytes: u32,
    num_elements: u16,
    ty: DataType,
    log_size: u8,
    align: Align,
}

/// The variable at the end of a chain of aliases, and where in it the chain began.
#[derive(Clone, Copy)]
pub(super) struct Root {
    /// Its position in the table.
    pub(super) index: u32,
    /// In bytes.
    pub(super) offset: u32,
}

/// The logarithm of the size of each type's elements, and a mask for how many there can be: none of a
/// type that no variable has.
static OF_TYPE: [(u8, u32); 16] = {
    let mut table = [(0, 0); 16];
    let mut bits = 0;
    while let Some(ty) = DataType::from_bits(bits) {
        use DataType as T;
        let elements = match ty {
            T::V | T::VF | T::UV | T::BOOL => 0,
            _ => u32::MAX,
        };
        table[bits as usize] = (ty.size().trailing_zeros() as u8, elements);
        bits += 1;
    }
    table
};

impl Storage {
    /// Of a declared variable.
    #[inline(always)]
    pub(super) fn of(variable: &Variable) -> Storage {
        let Variable { ty, align, num_elements, .. } = *variable;
        let (log_size, elements) = OF_TYPE[usize::from(ty.bits() & 15)];
        // No legal variable has more.
        let num_elements = u16::try_from(num_elements).unwrap_or(u16::MAX);
        let bytes = (u32::from(num_elements) & elements) << log_size;
        Storage { bytes, num_elements, ty, log_size, align }
    }

    /// Of a predefined variable, which is as large as operands want.
    fn of_predefined(var: VarId) -> Storage {
        let ty = var.predefined_type().unwrap_or_default();
        let bytes = if var < FIRST_RESERVED { 1 << 30 } else { 0 };
        let log_size = ty.size().trailing_zeros() as u8;
        Storage { bytes, num_elements: 0, ty, log_size, align: Align::BYTE }
    }

    /// In bytes, unless no operand can be let pass.
    #[inline(always)]
    pub(super) fn bytes(self) -> u32 {
        self.bytes
    }

    #[inline(always)]
    pub(super) fn ty(self) -> DataType {
        self.ty
    }

    /// Whether the elements from a place to the `last` behind it are in it, and the first in the row
    /// that it says.
    #[inline(always)]
    pub(super) fn contains(self, row: u8, col: u8, last: u32, grf: u32) -> bool {
        let (row, col) = (u32::from(row), u32::from(col));
        row * grf + ((col + last) << self.log_size) < self.bytes && col << self.log_size < 32
    }

    /// The alignment that it has by its size and type.
    #[inline(always)]
    pub(super) fn natural_align(self, grf: u32) -> Align {
        match (u32::from(self.num_elements) << self.log_size >= grf, self.log_size) {
            (true, _) if grf == 64 => Align::WORDX32,
            (true, _) => Align::HWORD,
            (false, 3) => Align::QWORD,
            (false, 2) => Align::DWORD,
            (false, _) => Align::WORD,
        }
    }

    /// The same, or that of its declaration if that is more.
    #[inline(always)]
    pub(super) fn align(self, grf: u32) -> Align {
        self.natural_align(grf).max(self.align)
    }
}

/// What is known of the variables that every routine has.
pub(super) fn predefined() -> Vec<Storage> {
    (0..VarId::FIRST_DECLARED.0).map(|id| Storage::of_predefined(VarId(id))).collect()
}
