//! Facts about variables that the fast path needs, in tables that are small enough for the L1
//! cache.

use alloc::vec::Vec;

use super::operands::FIRST_RESERVED;
use crate::object::{Align, Variable};
use crate::operand::{DataType, VarId};

/// A variable's size, type and alignment.
#[derive(Clone, Copy)]
pub(super) struct VariableInfo {
    /// The size; 0 if no operand of the variable is provably legal.
    bytes: u32,
    num_elements: u16,
    ty: DataType,
    log_size: u8,
    align: Align,
}

/// The variable at the end of a chain of aliases, and the offset in it of the first alias.
#[derive(Clone, Copy)]
pub(super) struct Root {
    /// The index of the variable in the table.
    pub(super) index: u32,
    /// In bytes.
    pub(super) offset: u32,
}

/// For each type, the logarithm of the element size, and a mask for the number of elements: 0 for a
/// type that no variable can have.
static OF_TYPE: [(u8, u32); 32] = {
    let mut table = [(0, 0); 32];
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

impl VariableInfo {
    /// Returns the facts about a declared variable.
    #[inline(always)]
    pub(super) fn of(variable: &Variable) -> VariableInfo {
        let Variable { ty, align, num_elements, .. } = *variable;
        let (log_size, elements) = OF_TYPE[usize::from(ty.bits() & 31)];
        // No legal variable has more elements.
        let num_elements = u16::try_from(num_elements).unwrap_or(u16::MAX);
        let bytes = (u32::from(num_elements) & elements) << log_size;
        VariableInfo { bytes, num_elements, ty, log_size, align }
    }

    /// Returns the facts about a predefined variable. Its size is not checked, so it is set to a
    /// value that contains all operands.
    fn of_predefined(var: VarId) -> VariableInfo {
        let ty = var.predefined_type().unwrap_or_default();
        let bytes = if var < FIRST_RESERVED { 1 << 30 } else { 0 };
        let log_size = ty.size().trailing_zeros() as u8;
        VariableInfo { bytes, num_elements: 0, ty, log_size, align: Align::BYTE }
    }

    /// Returns the facts about a variable whose type is not known.
    pub(super) fn unknown() -> VariableInfo {
        VariableInfo { bytes: 0, ..VariableInfo::of_predefined(VarId(0)) }
    }

    /// Returns the size in bytes; 0 if no operand of the variable is provably legal.
    #[inline(always)]
    pub(super) fn bytes(self) -> u32 {
        self.bytes
    }

    #[inline(always)]
    pub(super) fn ty(self) -> DataType {
        self.ty
    }

    /// Returns whether the variable contains the element at a row and column and the `last`
    /// elements that follow it, and the column is within a row.
    #[inline(always)]
    pub(super) fn contains(self, row: u8, col: u8, last: u32, grf: u32) -> bool {
        let (row, col) = (u32::from(row), u32::from(col));
        row * grf + ((col + last) << self.log_size) < self.bytes && col << self.log_size < 32
    }

    /// Returns the alignment that follows from the size and the type.
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

    /// Returns the natural alignment or the declared alignment, whichever is greater.
    #[inline(always)]
    pub(super) fn align(self, grf: u32) -> Align {
        self.natural_align(grf).max(self.align)
    }
}

/// Returns the facts about all predefined variables.
pub(super) fn predefined() -> Vec<VariableInfo> {
    (0..VarId::FIRST_DECLARED.0).map(|id| VariableInfo::of_predefined(VarId(id))).collect()
}
