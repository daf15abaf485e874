//! Types of operands.

use core::str::FromStr;

use crate::error::ErrorKind;

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

impl FromStr for Type {
    type Err = ErrorKind;

    fn from_str(s: &str) -> Result<Type, ErrorKind> {
        let error = ErrorKind::Unparsable { expected: "a type" };
        let vector = s.strip_prefix('<').and_then(|s| s.strip_suffix('>'));
        let (components, element) = match vector.and_then(|s| s.split_once(" x ")) {
            Some((count, element)) => match count.trim().parse() {
                Ok(count) => (count, element.trim()),
                Err(_) => return Err(error),
            },
            None => (1, s.trim()),
        };
        let element = match element {
            "i1" => Element::I1,
            "i8" => Element::I8,
            "i16" => Element::I16,
            "i32" => Element::I32,
            "i64" => Element::I64,
            "half" => Element::Half,
            "bfloat" => Element::BFloat,
            "float" => Element::Float,
            "double" => Element::Double,
            "ptr" | "ptr addrspace(0)" => Element::Pointer(AddressSpace::Private),
            "ptr addrspace(1)" => Element::Pointer(AddressSpace::Global),
            "ptr addrspace(2)" => Element::Pointer(AddressSpace::Constant),
            "ptr addrspace(3)" => Element::Pointer(AddressSpace::Local),
            "ptr addrspace(4)" => Element::Pointer(AddressSpace::Generic),
            _ => return Err(error),
        };
        Ok(Type { element, components })
    }
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
