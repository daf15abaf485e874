//! Types of operands.

/// The type of an operand's value for one work-item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// The type of a component.
    pub element: Element,
    /// The number of components; 1 for a scalar.
    pub components: u32,
}

/// The type of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Element {
    I1,
    I8,
    I16,
    I32,
    I64,
    Half,
    BFloat,
    Float,
    Double,
    Pointer(AddressSpace),
}

/// An address space of pointers. The numbers are those of LLVM IR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[repr(u8)]
pub enum AddressSpace {
    Private = 0,
    Global = 1,
    Constant = 2,
    Local = 3,
    Generic = 4,
}

impl Element {
    /// Returns the size in bytes. Pointers have 8 bytes; those to local and private memory are
    /// passed in 4.
    pub const fn size(self) -> u32 {
        match self {
            Element::I1 | Element::I8 => 1,
            Element::I16 | Element::Half | Element::BFloat => 2,
            Element::I32 | Element::Float => 4,
            Element::I64 | Element::Double | Element::Pointer(_) => 8,
        }
    }
}
