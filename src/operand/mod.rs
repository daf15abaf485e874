//! Operands and coded fields of instructions.
//!
//! Section 3 of [`docs::format`](crate::docs::format) describes their bytes.
//!
//! - [`Vector`] is the usual operand: a constant ([`Imm`]), elements of a variable ([`Region`]), an
//!   address, a predicate, or a surface or sampler. [`Dst`], [`CmpDst`] and [`AddressOf`] are
//!   vector operands in certain roles; [`Scalar`] is another name for [`Vector`].
//! - [`Raw`] is an operand of messages: a variable from a byte offset on.
//! - [`Exec`] and [`Pred`] select the lanes that an instruction runs on.
//! - [`VarId`], [`LabelId`], [`SurfaceId`] and the other ids refer to the tables of a routine.
//! - [`DataType`], [`RelOp`], [`ChannelMask`] and many more are coded fields. Those with a name are
//!   constants; other values are preserved as numbers.
//! - [`Visitor`] and [`VisitorMut`] access the operands of any instruction.
//!
//! ```
//! use genvisa::isa::Add;
//! use genvisa::operand::{Dst, ExecSize, Imm, Region, Stride, VarId, Vector};
//!
//! let add = Add {
//!     exec: ExecSize::S8.into(),
//!     dst: Dst::new(VarId(32)),
//!     src0: Vector::general(VarId(33), Region::new(Stride::S8, Stride::S8, Stride::S1)),
//!     src1: Imm::d(1).into(),
//!     ..Add::default()
//! };
//! let text = genvisa::Instruction::from(add).to_string();
//! assert_eq!(text, "add (M1, 8) V32(0,0)<1> V33(0,0)<8;8,1> 0x1:d");
//! ```

mod aoffimmi;
mod arithmetic;
mod atomic;
mod barrier;
mod channels;
mod code;
#[cfg(not(feature = "text"))]
mod debug_text;
mod exec;
mod flags;
mod ids;
mod image;
mod imm;
mod lifetime;
pub mod lsc;
mod packed_byte;
mod predefined;
mod predicate;
mod raw;
mod region;
mod relation;
mod role;
mod state;
mod transfer;
mod types;
pub mod va;
mod vector;
mod visit;

pub use aoffimmi::Aoffimmi;
pub use arithmetic::{DnsclConversion, DnsclMode, DnsclRounding, LfsrOp, MinMaxOp, Precision};
pub use atomic::{Atomic, AtomicOp};
pub use barrier::BarrierMode;
pub use channels::ChannelMask;
pub use exec::{Exec, ExecMask, ExecSize};
pub use flags::{FenceFlags, IfcallFlags, SendFlags};
pub use ids::{AddrId, LabelId, PredId, SamplerId, ShortStringId, StringId, SurfaceId, VarId};
pub use image::{ChannelsMode, MediaModifier, SampleMode};
pub use imm::Imm;
#[cfg(feature = "build")]
pub(crate) use imm::number_types;
pub use lifetime::{LifetimeClass, LifetimeProperties};
pub use predicate::{Pred, PredControl};
pub use raw::Raw;
pub use region::{Region, Stride};
pub use relation::{RelOp, Relation};
pub use role::{AddressOf, CmpDst, Dst};
pub use state::{Sampler, State, StateAddress, Surface};
pub use transfer::{BlockNum, BlockType, ElementSize, NumElts, NumEltsCount, OwordNum, SvmBlock};
pub use types::{DataType, TypeByte};
pub use vector::{AddrWidth, Modifier, StateClass, Vector, VectorKind};

pub use visit::{Slot, Visitor, VisitorMut};

pub(crate) use code::code;
pub(crate) use visit::{Visit, slot};

/// A vector operand where the documents require a scalar, encoded like [`Vector`].
pub type Scalar = Vector;

/// A raw operand that the instruction writes.
pub type RawDst = Raw;
