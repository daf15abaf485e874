//! What instructions are made of besides opcodes: operands and coded fields, a file for each
//! section of the format.

mod aoffimmi;
mod channels;
mod code;
mod exec;
mod flags;
mod ids;
mod imm;
pub mod lsc;
mod message;
mod predefined;
mod predicate;
mod raw;
mod region;
mod role;
mod types;
pub mod va;
mod vector;
mod visit;

pub use aoffimmi::Aoffimmi;
pub use channels::ChannelMask;
pub use exec::{Exec, ExecMask, ExecSize};
pub use flags::{FenceFlags, IfcallFlags, SendFlags};
pub use ids::{AddrId, LabelId, PredId, SamplerId, ShortStringId, StringId, SurfaceId, VarId};
pub use imm::Imm;
pub use message::{
    Atomic, AtomicOp, BarrierMode, BlockNum, BlockType, ChannelsMode, ElementSize, LifetimeClass,
    LifetimeProperties, MediaModifier, MinMaxOp, NumElts, NumEltsCount, OwordNum, Precision, RelOp,
    Relation, SampleMode, SvmBlock,
};
pub use predicate::{Pred, PredControl};
pub use raw::Raw;
pub use region::{Region, Stride};
pub use role::{AddressOf, CmpDst, Dst};
pub use types::{DataType, TypeByte};
pub use vector::{AddrWidth, Modifier, StateClass, Vector, VectorKind};

pub use visit::{Slot, Visitor, VisitorMut};

pub(crate) use code::code;
pub(crate) use visit::{Visit, slot};

/// A scalar is encoded like any vector operand; the name says what the documents ask for.
pub type Scalar = Vector;

/// A raw operand that the instruction writes.
pub type RawDst = Raw;
