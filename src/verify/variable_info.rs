//! Facts about variables that the fast path needs, in tables that are small enough for the L1
//! cache.

use alloc::vec::Vec;

use crate::object::{Align, Variable};
use crate::operand::{DataType, VarId};

/// The first variable that is reserved in some dialect.
pub(super) const FIRST_RESERVED: VarId = VarId(VarId::PREDEFINED_IN_2022);

/// A variable's number of elements, alignment and type.
#[derive(Clone, Copy)]
pub(super) struct VariableInfo {
    /// At most [`MOST`]; 0 if no operand of the variable is known to be legal.
    num_elements: u16,
    /// The alignment that follows from the size and the type.
    natural_align: Align,
    /// The natural alignment or the declared alignment, whichever is greater.
    align: Align,
    elements: Elements,
}

/// What follows from the type of a variable.
#[derive(Clone, Copy)]
#[repr(align(4))] // so that it is copied at once
struct Elements {
    ty: DataType,
    log_size: u8,
    /// The number of elements in 32 bytes.
    columns: u8,
    /// The number of elements in a register.
    row: u8,
}

/// The maximum number of elements: no legal variable has more.
const MOST: u16 = 0x7fff;

/// The variable at the end of a chain of aliases, and the offset in it of the first alias.
#[derive(Clone, Copy)]
pub(super) struct Root {
    /// The index of the variable in the table.
    pub(super) index: u32,
    /// In bytes.
    pub(super) offset: u32,
}

/// What a type determines.
#[derive(Clone, Copy)]
struct OfType {
    elements: Elements,
    /// The maximum number of elements: 0 for a type that no variable can have.
    most: u16,
    /// The natural alignment of a variable that is smaller than a register.
    align: Align,
}

/// The facts about each type, for registers of 32 and of 64 bytes.
static OF_TYPE: [[OfType; 32]; 2] = [of_types(5), of_types(6)];

const fn of_types(log_grf: u8) -> [OfType; 32] {
    use DataType as T;
    let mut table = [OfType::new(T::UD, log_grf); 32];
    let mut bits = 0;
    while let Some(ty) = DataType::from_bits(bits) {
        table[bits as usize] = OfType::new(ty, log_grf);
        bits += 1;
    }
    table
}

impl OfType {
    const fn new(ty: DataType, log_grf: u8) -> OfType {
        let log_size = ty.size().trailing_zeros() as u8;
        let row = 1 << (log_grf - log_size);
        OfType {
            elements: Elements { ty, log_size, columns: 32 >> log_size, row },
            most: if ty.can_be_declared() { MOST } else { 0 },
            align: match ty.size() {
                8 => Align::QWORD,
                4 => Align::DWORD,
                _ => Align::WORD,
            },
        }
    }
}

impl VariableInfo {
    /// Returns the facts about a declared variable, for registers of this size.
    #[inline(always)]
    pub(super) fn of(variable: &Variable, grf: u32) -> VariableInfo {
        let Variable { ty, num_elements, align, .. } = *variable;
        let of = &OF_TYPE[usize::from(grf == 64)][usize::from(ty.bits() & 31)];
        let natural_align = match num_elements >= of.elements.row.into() {
            true if grf == 64 => Align::WORDX32,
            true => Align::HWORD,
            false => of.align,
        };
        VariableInfo {
            num_elements: if num_elements <= of.most.into() { num_elements as u16 } else { 0 },
            natural_align,
            align: natural_align.max(align),
            elements: of.elements,
        }
    }

    /// Returns the facts about a predefined variable. Its size is not checked, so it is set to a
    /// value that contains all operands.
    fn of_predefined(var: VarId) -> VariableInfo {
        let ty = var.predefined_type().unwrap_or_default();
        let num_elements = if var < FIRST_RESERVED { MOST } else { 0 };
        let info = VariableInfo::of(&Variable { ty, ..Variable::default() }, 32);
        VariableInfo { num_elements, ..info }
    }

    /// Returns the facts about a variable whose type is not known.
    pub(super) fn unknown() -> VariableInfo {
        VariableInfo { num_elements: 0, ..VariableInfo::of_predefined(VarId(0)) }
    }

    /// Returns the number of elements; 0 if no operand of the variable is known to be legal.
    #[inline(always)]
    pub(super) fn num_elements(self) -> u16 {
        self.num_elements
    }

    /// Returns the size in bytes; 0 if no operand of the variable is known to be legal.
    #[inline(always)]
    pub(super) fn bytes(self) -> u32 {
        u32::from(self.num_elements) << self.elements.log_size
    }

    #[inline(always)]
    pub(super) fn ty(self) -> DataType {
        self.elements.ty
    }

    #[inline(always)]
    pub(super) fn natural_align(self) -> Align {
        self.natural_align
    }

    #[inline(always)]
    pub(super) fn align(self) -> Align {
        self.align
    }

    /// Returns whether the variable contains the element at a row and column and the `last`
    /// elements that follow it, and the column is within a row.
    #[inline(always)]
    pub(super) fn contains(self, row: u8, col: u8, last: u16) -> bool {
        let first = u32::from(row) * u32::from(self.elements.row) + u32::from(col);
        first + u32::from(last) < self.num_elements.into() && col < self.elements.columns
    }
}

/// Returns the facts about all predefined variables.
pub(super) fn predefined() -> Vec<VariableInfo> {
    (0..VarId::FIRST_DECLARED.0).map(|id| VariableInfo::of_predefined(VarId(id))).collect()
}
