//! Operands of the five instructions, and their conversion.

use visa::isa::{InfoOp, RtWriteMode, SampleFlags, SampleOp};
use visa::operand::{
    AddrId, AddrWidth, Aoffimmi, ChannelMask, DataType, Exec, ExecMask, ExecSize, Imm,
    MediaModifier, Modifier, Pred, Raw, Region, SamplerId, State, StateClass, SurfaceId, TypeByte,
    VarId, Vector, VectorKind,
};

use super::constants::genvisa_type::GENVISA_TYPE_BF;
use super::constants::genvisa_vector_kind::{
    GENVISA_VECTOR_ADDRESS, GENVISA_VECTOR_GENERAL, GENVISA_VECTOR_IMMEDIATE,
    GENVISA_VECTOR_INDIRECT, GENVISA_VECTOR_PREDICATE, GENVISA_VECTOR_STATE,
};
use crate::error::{Fallible, genvisa_error};

/// The execution size and mask.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq)]
pub struct genvisa_exec {
    /// The number of lanes: 1, 2, 4, 8, 16 or 32.
    pub lanes: u8,
    /// The mask (`genvisa_mask`). Decoding code of version 3.0 can also return 25 to 31, which mean M1 and are encoded
    /// in 3.0 only, to the same bytes. Do not write them.
    pub mask: u8,
}

/// A raw operand: the bytes of a general variable from an offset on. All zeros are the null operand.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq)]
pub struct genvisa_raw {
    /// The id of the general variable; 0 for the null operand.
    pub variable: u32,
    /// The offset in bytes. In a variable of at least a register, it must be a multiple of a register.
    pub offset: u16,
}

/// A vector operand: a constant, or elements of a variable. A scalar is a vector operand with one element.
/// `genvisa_scalar`, `genvisa_immediate` and `genvisa_texel_offsets` return the usual ones.
///
/// `genvisa_vector_kind` lists the fields of each kind. The others must be zero.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq)]
pub struct genvisa_vector {
    /// The kind (`genvisa_vector_kind`), which determines the fields.
    pub kind: u8,
    /// The modifier (`genvisa_modifier`).
    pub modifier: u8,
    /// The register of the first element, counted from the start of the variable.
    pub row: u8,
    /// The position of the first element in its register, in elements.
    pub column: u8,
    /// The index of the first element of the variable.
    pub element: u8,
    /// The binary logarithm of the number of elements.
    pub width: u8,
    /// Whether it is a surface or a sampler (`genvisa_state`).
    pub state: u8,
    /// The type of the elements or of the constant (`genvisa_type`). Bits 4 to 7 have no meaning, and are kept.
    pub r#type: u8,
    /// The region (`genvisa_region`).
    pub region: u16,
    /// The offset that is added to each address, in bytes.
    pub offset: i16,
    /// The id of the variable, or a predicate (`genvisa_pred`).
    pub id: u32,
    /// The bits of the constant, which `genvisa_immediate` computes. The upper 32 are zero unless the type has 64.
    pub value: u64,
}

/// Returns a scalar: one element of a general variable, for all lanes. `row` counts registers from the start of the
/// variable, and `column` elements in the register. Element 0 is in row 0, column 0.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_scalar(variable: u32, row: u8, column: u8) -> genvisa_vector {
    Vector::general_at(VarId(variable), row, column, Region::SCALAR).to_c()
}

/// Returns a constant of a type (`genvisa_type`).
///
/// For an integer type, `value` is the number: `genvisa_immediate(GENVISA_TYPE_W, -2)` is -2, since C converts -2 to 64
/// bits. For other types, `value` has the bits: 0x3f800000 is 1.0 of type F. If the type does not have the value, encoding
/// the result fails with the path of the operand, such as "x_offset.value".
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_immediate(r#type: u8, value: u64) -> genvisa_vector {
    immediate(r#type, value).map_or(INVALID, |imm| Vector::imm(imm).to_c())
}

/// Returns a constant, as the constructors of `Imm` do; `None` if the type does not have the value.
fn immediate(r#type: u8, value: u64) -> Option<Imm> {
    let ty = DataType::from_bits(r#type).filter(|ty| ty.bits() <= GENVISA_TYPE_BF as u8)?;
    let signed = value as i64;
    Some(match ty {
        DataType::UW => Imm::uw(value.try_into().ok()?),
        DataType::W => Imm::w(signed.try_into().ok()?),
        DataType::UB => Imm::ub(value.try_into().ok()?),
        DataType::B => Imm::b(signed.try_into().ok()?),
        DataType::D => Imm::d(signed.try_into().ok()?),
        DataType::HF => Imm::hf(value.try_into().ok()?),
        DataType::BF => Imm::bf(value.try_into().ok()?),
        _ => Imm::new(ty, value)?,
    })
}

/// What the functions return for a value that the operand cannot have. Encoding refuses it.
const INVALID: genvisa_vector = genvisa_vector {
    kind: u8::MAX,
    modifier: 0,
    row: 0,
    column: 0,
    element: 0,
    width: 0,
    state: 0,
    r#type: 0,
    region: 0,
    offset: 0,
    id: 0,
    value: 0,
};

/// Returns the texel offsets of a 3D_SAMPLE, -8 to 7 each. With others, encoding the result fails with the path
/// "aoffimmi.value".
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_texel_offsets(u: i8, v: i8, r: i8) -> genvisa_vector {
    Aoffimmi::new(u, v, r).map_or(INVALID, |offsets| offsets.to_c())
}

/// Why a field of the caller has no meaning.
pub struct Wrong {
    /// The part of the field, such as "region"; empty for the whole.
    part: &'static str,
    message: String,
}

impl Wrong {
    fn new(part: &'static str, found: impl Into<u64>) -> Wrong {
        let found = found.into();
        Wrong { part, message: format!("{found} ({found:#x}) has no meaning") }
    }
}

/// A value with a form in C.
pub trait Value: Sized {
    type C: Copy;

    fn to_c(&self) -> Self::C;

    fn of_c(value: Self::C) -> Result<Self, Wrong>;
}

/// Converts a field of the caller.
pub fn field<T: Value>(value: T::C, name: &str) -> Fallible<T> {
    T::of_c(value).map_err(|wrong| match wrong.part {
        "" => genvisa_error::field(name, &wrong.message),
        part => genvisa_error::field(&format!("{name}.{part}"), &wrong.message),
    })
}

/// Returns the name of the first of the listed fields that differs between two structs.
macro_rules! first_difference {
    ($a:expr, $b:expr, $($field:ident),* $(,)?) => {
        None$(.or(($a.$field != $b.$field).then_some(stringify!($field))))*
    };
}
pub(crate) use first_difference;

/// Types that are converted by their bits.
macro_rules! by_bits {
    ($($type:ty: $bits:ty),*) => { $(
        impl Value for $type {
            type C = $bits;

            fn to_c(&self) -> $bits {
                self.bits()
            }

            fn of_c(bits: $bits) -> Result<Self, Wrong> {
                <$type>::from_bits(bits).ok_or(Wrong::new("", bits))
            }
        }
    )* };
}

by_bits!(
    ChannelMask: u8, MediaModifier: u8, Modifier: u8, Region: u16, RtWriteMode: u16,
    SampleFlags: u8, SampleOp: u8, AddrWidth: u8, StateClass: u8
);

impl Value for Pred {
    type C = u32;

    fn to_c(&self) -> u32 {
        self.bits().into()
    }

    fn of_c(bits: u32) -> Result<Pred, Wrong> {
        let pred = u16::try_from(bits).ok().and_then(Pred::from_bits);
        pred.ok_or(Wrong::new("", bits))
    }
}

impl Value for InfoOp {
    type C = u8;

    fn to_c(&self) -> u8 {
        self.bits()
    }

    fn of_c(bits: u8) -> Result<InfoOp, Wrong> {
        InfoOp::ALL.into_iter().find(|op| op.bits() == bits).ok_or(Wrong::new("", bits))
    }
}

impl Value for u8 {
    type C = u8;

    fn to_c(&self) -> u8 {
        *self
    }

    fn of_c(value: u8) -> Result<u8, Wrong> {
        Ok(value)
    }
}

/// Ids of surfaces and samplers, also as operands.
macro_rules! states {
    ($($id:ident),*) => { $(
        impl Value for $id {
            // As `genvisa_module_find` returns it: a cast in C could drop bits.
            type C = u32;

            fn to_c(&self) -> u32 {
                self.0.into()
            }

            fn of_c(value: u32) -> Result<$id, Wrong> {
                u8::try_from(value).map($id).map_err(|_| Wrong::new("", value))
            }
        }

        impl Value for State<$id> {
            type C = u32;

            // Only version 4.2, which has no binary form, has states without an id.
            fn to_c(&self) -> u32 {
                self.id().unwrap_or_default().to_c()
            }

            fn of_c(value: u32) -> Result<State<$id>, Wrong> {
                $id::of_c(value).map(State::Id)
            }
        }
    )* };
}

states!(SurfaceId, SamplerId);

impl Value for Exec {
    type C = genvisa_exec;

    fn to_c(&self) -> genvisa_exec {
        genvisa_exec { lanes: self.size.lanes() as u8, mask: self.mask.code() }
    }

    fn of_c(c: genvisa_exec) -> Result<Exec, Wrong> {
        let size = ExecSize::ALL.into_iter().find(|size| size.lanes() == usize::from(c.lanes));
        let mask = ExecMask::from_code(c.mask).ok_or(Wrong::new("mask", c.mask))?;
        Ok(Exec::new(size.ok_or(Wrong::new("lanes", c.lanes))?, mask))
    }
}

impl Value for Raw {
    type C = genvisa_raw;

    fn to_c(&self) -> genvisa_raw {
        genvisa_raw { variable: self.var.0, offset: self.offset }
    }

    fn of_c(value: genvisa_raw) -> Result<Raw, Wrong> {
        Ok(Raw::new(VarId(value.variable), value.offset))
    }
}

/// An operand that may be absent: all zeros then.
impl<T: Value<C: Default>> Value for Option<T> {
    type C = T::C;

    fn to_c(&self) -> T::C {
        self.as_ref().map_or(T::C::default(), Value::to_c)
    }

    fn of_c(value: T::C) -> Result<Option<T>, Wrong> {
        T::of_c(value).map(Some)
    }
}

impl Value for Aoffimmi {
    type C = genvisa_vector;

    fn to_c(&self) -> genvisa_vector {
        self.0.to_c()
    }

    fn of_c(value: genvisa_vector) -> Result<Aoffimmi, Wrong> {
        Vector::of_c(value).map(Aoffimmi)
    }
}

impl Value for Vector {
    type C = genvisa_vector;

    fn to_c(&self) -> genvisa_vector {
        let new = genvisa_vector { modifier: self.modifier.to_c(), ..genvisa_vector::default() };
        match self.kind {
            VectorKind::General { var, row, col, region } => genvisa_vector {
                kind: GENVISA_VECTOR_GENERAL as u8,
                id: var.0,
                row,
                column: col,
                region: region.to_c(),
                ..new
            },
            VectorKind::Address { addr, offset, width } => genvisa_vector {
                kind: GENVISA_VECTOR_ADDRESS as u8,
                id: addr.0.into(),
                element: offset,
                width: width.to_c(),
                ..new
            },
            VectorKind::Predicate(pred) => {
                genvisa_vector { kind: GENVISA_VECTOR_PREDICATE as u8, id: pred.to_c(), ..new }
            }
            VectorKind::Indirect { addr, addr_offset, offset, ty, region } => genvisa_vector {
                kind: GENVISA_VECTOR_INDIRECT as u8,
                id: addr.0.into(),
                element: addr_offset,
                offset,
                r#type: ty.bits(),
                region: region.to_c(),
                ..new
            },
            VectorKind::Immediate(imm) => genvisa_vector {
                kind: GENVISA_VECTOR_IMMEDIATE as u8,
                r#type: imm.type_byte().bits(),
                value: imm.bits(),
                ..new
            },
            VectorKind::State { class, index, offset } => genvisa_vector {
                kind: GENVISA_VECTOR_STATE as u8,
                id: index.into(),
                element: offset,
                state: class.to_c(),
                ..new
            },
        }
    }

    fn of_c(c: genvisa_vector) -> Result<Vector, Wrong> {
        let id = || u16::try_from(c.id).map_err(|_| Wrong::new("id", c.id));
        let part = |part, wrong: Wrong| Wrong { part, ..wrong };
        let region = || Region::of_c(c.region).map_err(|wrong| part("region", wrong));
        let ty = TypeByte::from_bits(c.r#type);
        const GENERAL: u8 = GENVISA_VECTOR_GENERAL as u8;
        const ADDRESS: u8 = GENVISA_VECTOR_ADDRESS as u8;
        const PREDICATE: u8 = GENVISA_VECTOR_PREDICATE as u8;
        const INDIRECT: u8 = GENVISA_VECTOR_INDIRECT as u8;
        const IMMEDIATE: u8 = GENVISA_VECTOR_IMMEDIATE as u8;
        const STATE: u8 = GENVISA_VECTOR_STATE as u8;
        let kind = match c.kind {
            GENERAL => VectorKind::General {
                var: VarId(c.id),
                row: c.row,
                col: c.column,
                region: region()?,
            },
            ADDRESS => VectorKind::Address {
                addr: AddrId(id()?),
                offset: c.element,
                width: Value::of_c(c.width).map_err(|wrong| part("width", wrong))?,
            },
            PREDICATE => {
                VectorKind::Predicate(Pred::of_c(c.id).map_err(|wrong| part("id", wrong))?)
            }
            INDIRECT => VectorKind::Indirect {
                addr: AddrId(id()?),
                addr_offset: c.element,
                offset: c.offset,
                ty,
                region: region()?,
            },
            IMMEDIATE => {
                let imm = Imm::new(ty.ty(), c.value).ok_or(Wrong::new("value", c.value))?;
                let imm = imm.with_type_byte(ty).ok_or(Wrong::new("type", c.r#type))?;
                VectorKind::Immediate(imm)
            }
            STATE => VectorKind::State {
                class: Value::of_c(c.state).map_err(|wrong| part("state", wrong))?,
                index: id()?,
                offset: c.element,
            },
            _ if c == INVALID => {
                let message = "its type does not have the value that it was made from";
                return Err(Wrong { part: "value", message: message.into() });
            }
            _ => return Err(Wrong::new("kind", c.kind)),
        };
        let modifier = Modifier::of_c(c.modifier).map_err(|wrong| part("modifier", wrong))?;
        let vector = Vector { modifier, kind };
        // A field that the kind does not have would be lost.
        let back = vector.to_c();
        let lost = first_difference!(
            c, back, row, column, element, width, state, r#type, region, offset, id, value
        );
        match lost {
            Some(part) => Err(Wrong { part, message: "this kind does not have the field".into() }),
            None => Ok(vector),
        }
    }
}
