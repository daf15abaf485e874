//! Types of operands.

use core::fmt;
use core::str::FromStr;

use genvisa::error::ErrorKind;

/// The type of an operand's value for one work-item.
///
/// It parses from the spelling of LLVM IR (`<8 x i32>`, `ptr addrspace(1)`) and of OpenCL C (`int8`,
/// `global float *`), and prints as in LLVM IR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// The type of a component.
    pub element: Element,
    /// The number of components; 1 for a scalar.
    pub components: u32,
}

impl Type {
    /// Returns the type of a scalar.
    pub const fn scalar(element: Element) -> Type {
        Type { element, components: 1 }
    }

    /// Returns the size of a value in bytes. A vector of three components has no padding, as in a
    /// register.
    pub const fn size(self) -> u64 {
        self.element.size() as u64 * self.components as u64
    }

    /// Parses the spelling of LLVM IR, with opaque or typed pointers. `float*` is a private pointer.
    ///
    /// Returns `None` if the text is not a type of LLVM IR, or its values cannot be operands.
    pub fn from_llvm(text: &str) -> Option<Type> {
        let text = text.trim();
        if let Some(pointee) = text.strip_suffix('*') {
            let mut pointee = pointee.trim_end();
            let mut space = AddressSpace::Private;
            if let Some((base, number)) = pointee.rsplit_once("addrspace(") {
                if let Some(number) = number.strip_suffix(')') {
                    space = AddressSpace::from_number(number)?;
                    pointee = base.trim_end();
                }
            }
            let is_other =
                pointee.starts_with(['%', '{', '[', '<']) || pointee.ends_with([')', '*']);
            let is_type = is_other || Element::from_llvm(pointee).is_some();
            return is_type.then_some(Type::scalar(Element::Pointer(space)));
        }
        if let Some(vector) = text.strip_prefix('<') {
            let (count, element) = vector.strip_suffix('>')?.trim().split_once(' ')?;
            let element = element.trim_start().strip_prefix('x')?;
            if !element.starts_with([' ', '\t']) {
                return None;
            }
            let element = Element::from_llvm(element.trim())?;
            return match count.parse().ok()? {
                0 => None,
                components => Some(Type { element, components }),
            };
        }
        Element::from_llvm(text).map(Type::scalar)
    }

    /// Parses the spelling of OpenCL C, C or C++. A pointer without an address space is generic.
    ///
    /// Returns `None` if the type is unknown or depends on the language, such as `long long`.
    pub fn from_c(text: &str) -> Option<Type> {
        let mut base = text.trim();
        let mut pointer = false;
        loop {
            let shorter = base
                .strip_suffix('*')
                .or_else(|| strip_word(base, "const"))
                .or_else(|| strip_word(base, "volatile"))
                .or_else(|| strip_word(base, "restrict"))
                .or_else(|| strip_word(base, "__restrict"));
            let Some(shorter) = shorter else { break };
            if base.ends_with('*') {
                if pointer {
                    // The address space before the first `*` belongs to the inner pointer.
                    return pointer_to(AddressSpace::Generic);
                }
                pointer = true;
            }
            base = shorter.trim_end();
        }
        if !base.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_ \t:".contains(&byte)) {
            return None;
        }
        let mut space = None;
        let mut words = base.split_ascii_whitespace().filter(|&word| {
            let found = AddressSpace::from_keyword(word);
            space = space.or(found);
            found.is_none() && !matches!(word, "const" | "volatile")
        });
        let mut first = [""; 4];
        let mut count = 0;
        for word in words.by_ref() {
            *first.get_mut(count)? = word;
            count += 1;
        }
        let first = &first[..count];
        let ty = from_c_words(first);
        if pointer {
            let is_known = ty.is_some() || first == ["void"];
            return if is_known {
                pointer_to(space.unwrap_or(AddressSpace::Generic))
            } else {
                None
            };
        }
        ty
    }
}

/// Removes a word from the end of a text.
fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_suffix(word)?;
    rest.ends_with([' ', '\t', '*']).then_some(rest)
}

fn pointer_to(space: AddressSpace) -> Option<Type> {
    Some(Type::scalar(Element::Pointer(space)))
}

/// Returns the type that the words of a declaration denote, without qualifiers.
pub(crate) fn from_c_words(words: &[&str]) -> Option<Type> {
    let mut unsigned = false;
    let mut signed = false;
    let mut long = 0;
    let mut short = false;
    let mut base = None;
    for &word in words {
        match word {
            "unsigned" | "signed" | "__signed__" if unsigned || signed => return None,
            "unsigned" => unsigned = true,
            "signed" | "__signed__" => signed = true,
            "long" => long += 1,
            "short" => short = true,
            _ if base.is_some() => return None,
            _ => base = Some(word),
        }
    }
    let is_sized = long > 0 || short;
    match base {
        None if !is_sized && !unsigned && !signed => None,
        None | Some("int") => match (long, short) {
            (0, false) => Some(Type::scalar(Element::I32)),
            (0, true) => Some(Type::scalar(Element::I16)),
            (1, false) => Some(Type::scalar(Element::I64)),
            // `long long` has 128 bits in OpenCL C, 64 in C.
            _ => None,
        },
        Some("char") if !is_sized => Some(Type::scalar(Element::I8)),
        Some(name) if !is_sized && !unsigned && !signed => from_c_name(name),
        Some(_) => None,
    }
}

/// Returns the type of a name such as `uint8` or `int8_t`.
fn from_c_name(name: &str) -> Option<Type> {
    let name = name.strip_prefix("::").unwrap_or(name);
    let fixed = name.strip_prefix("std::").unwrap_or(name);
    let element = match fixed {
        "int8_t" | "uint8_t" => Some(Element::I8),
        "int16_t" | "uint16_t" => Some(Element::I16),
        "int32_t" | "uint32_t" => Some(Element::I32),
        "int64_t" | "uint64_t" | "size_t" | "ptrdiff_t" | "intptr_t" | "uintptr_t" => {
            Some(Element::I64)
        }
        _ => None,
    };
    if let Some(element) = element {
        return Some(Type::scalar(element));
    }
    let element = |name: &str| {
        Some(match name {
            "char" | "uchar" => Element::I8,
            "short" | "ushort" => Element::I16,
            "int" | "uint" => Element::I32,
            "long" | "ulong" => Element::I64,
            "half" => Element::Half,
            "float" => Element::Float,
            "double" => Element::Double,
            _ => return None,
        })
    };
    if let Some(element) = element(name) {
        return Some(Type::scalar(element));
    }
    match name {
        "bool" | "_Bool" => return Some(Type::scalar(Element::I8)),
        "_Float16" => return Some(Type::scalar(Element::Half)),
        "__bf16" => return Some(Type::scalar(Element::BFloat)),
        _ => {}
    }
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let (base, count) = name.split_at(digits);
    let components = match count {
        "2" => 2,
        "3" => 3,
        "4" => 4,
        "8" => 8,
        "16" => 16,
        _ => return None,
    };
    Some(Type { element: element(base)?, components })
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.components {
            1 => fmt::Display::fmt(&self.element, f),
            components => write!(f, "<{components} x {}>", self.element),
        }
    }
}

impl FromStr for Type {
    type Err = ErrorKind;

    /// Parses either spelling. `float*`, `half*` and `double*`, which both languages have, are
    /// parsed as C: generic pointers.
    fn from_str(s: &str) -> Result<Type, ErrorKind> {
        let expected = "a type such as `i32`, `<8 x float>`, `uint8` or `global int *`";
        let ty = Type::from_c(s).or_else(|| Type::from_llvm(s));
        ty.ok_or(ErrorKind::Unparsable { expected })
    }
}

/// The type of a component. Integers have no sign, as in LLVM IR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// A truth value.
    I1,
    /// An integer of 8 bits.
    I8,
    /// An integer of 16 bits.
    I16,
    /// An integer of 32 bits.
    I32,
    /// An integer of 64 bits.
    I64,
    /// An IEEE floating-point number of 16 bits.
    Half,
    /// A floating-point number of 16 bits with the exponent of [`Float`](Element::Float).
    BFloat,
    /// An IEEE floating-point number of 32 bits.
    Float,
    /// An IEEE floating-point number of 64 bits.
    Double,
    /// A pointer to an address space.
    Pointer(AddressSpace),
}

impl Element {
    /// Returns the size in bytes. An `i1` occupies one byte; local and private pointers are offsets
    /// of four bytes, and other pointers have eight.
    pub const fn size(self) -> u32 {
        match self {
            Element::I1 | Element::I8 => 1,
            Element::I16 | Element::Half | Element::BFloat => 2,
            Element::I32 | Element::Float => 4,
            Element::I64 | Element::Double => 8,
            Element::Pointer(AddressSpace::Private | AddressSpace::Local) => 4,
            Element::Pointer(_) => 8,
        }
    }

    fn from_llvm(text: &str) -> Option<Element> {
        Some(match text {
            "i1" => Element::I1,
            "i8" => Element::I8,
            "i16" => Element::I16,
            "i32" => Element::I32,
            "i64" => Element::I64,
            "half" => Element::Half,
            "bfloat" => Element::BFloat,
            "float" => Element::Float,
            "double" => Element::Double,
            "ptr" => Element::Pointer(AddressSpace::Private),
            _ => {
                if text.ends_with('*') {
                    return Type::from_llvm(text).map(|ty| ty.element);
                }
                let number = text.strip_prefix("ptr")?.trim_start().strip_prefix("addrspace(")?;
                Element::Pointer(AddressSpace::from_number(number.strip_suffix(')')?)?)
            }
        })
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Element::I1 => "i1",
            Element::I8 => "i8",
            Element::I16 => "i16",
            Element::I32 => "i32",
            Element::I64 => "i64",
            Element::Half => "half",
            Element::BFloat => "bfloat",
            Element::Float => "float",
            Element::Double => "double",
            Element::Pointer(AddressSpace::Private) => "ptr",
            Element::Pointer(space) => return write!(f, "ptr addrspace({})", *space as u8),
        })
    }
}

/// An address space of pointers, numbered as in LLVM IR for SPIR targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum AddressSpace {
    /// The memory of one work-item.
    Private = 0,
    /// Memory that all work-items share.
    Global = 1,
    /// Memory that all work-items share and do not change.
    Constant = 2,
    /// The memory that the work-items of a work-group share.
    Local = 3,
    /// The private, the local or the global address space.
    Generic = 4,
}

impl AddressSpace {
    fn from_number(text: &str) -> Option<AddressSpace> {
        Some(match text.trim() {
            "0" => AddressSpace::Private,
            "1" => AddressSpace::Global,
            "2" => AddressSpace::Constant,
            "3" => AddressSpace::Local,
            "4" => AddressSpace::Generic,
            _ => return None,
        })
    }

    /// Returns the address space of a qualifier such as `__global`.
    pub(crate) fn from_keyword(word: &str) -> Option<AddressSpace> {
        Some(match word.strip_prefix("__").unwrap_or(word) {
            "private" => AddressSpace::Private,
            "global" => AddressSpace::Global,
            "constant" => AddressSpace::Constant,
            "local" => AddressSpace::Local,
            "generic" => AddressSpace::Generic,
            _ => return None,
        })
    }
}
