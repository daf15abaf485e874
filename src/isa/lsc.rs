//! LSC_UNTYPED, 0x89, and LSC_TYPED, 0x8a: messages through the load-store cache (docs/format.md,
//! 5.8).
//!
//! A layout is shared by several operations. It is a struct with the operation in the field `op`;
//! the default is an operation of the layout. Encoding returns an error if `op` has another layout.

use super::record::record;
use super::{Instruction, Operands, SubSpec};
use crate::error::{ErrorKind, Result};
use crate::format::{Dialect, Format};
use crate::operand::lsc::{
    LscAddrSize, LscAddrType, LscCache, LscDataElems, LscDataOrder, LscDataSize, LscOp, LscSfid,
};
use crate::operand::{ChannelMask, Exec, Pred, Raw, RawDst, Scalar, Visitor, VisitorMut};
use crate::wire::{Reader, Trace, Wire, Writer};

record! {
    /// A load, store or atomic with an address per lane.
    Access {
        op: LscOp, exec: Exec, pred: Pred, sfid: LscSfid, l1: LscCache, l3: LscCache,
        addr_type: LscAddrType, addr_scale: u16, addr_offset: i32, addr_size: LscAddrSize,
        data_size: LscDataSize, data_order: LscDataOrder, data_elems: LscDataElems,
        channels: ChannelMask, surface: Scalar, surface_index: u32 [igc2026], dst: RawDst,
        addrs: Raw, src1: Raw, src2: Raw,
    }
}

record! {
    /// A load or store with a base address and a pitch.
    Strided {
        op: LscOp = LscOp::LOAD_STRIDED, exec: Exec, pred: Pred, sfid: LscSfid, l1: LscCache, l3: LscCache,
        addr_type: LscAddrType, addr_scale: u16, addr_offset: i32, addr_size: LscAddrSize,
        data_size: LscDataSize, data_order: LscDataOrder, data_elems: LscDataElems,
        channels: ChannelMask, surface: Scalar, surface_index: u32 [igc2026], dst: RawDst,
        addr_base: Raw, addr_pitch: Scalar, src1: Raw,
    }
}

record! {
    /// A load or store of a 2D block.
    Block2d {
        op: LscOp = LscOp::LOAD_BLOCK2D, exec: Exec, pred: Pred, sfid: LscSfid, l1: LscCache, l3: LscCache,
        data_size: LscDataSize, data_order: LscDataOrder, blocks: u8, block_width: u16,
        block_height: u16, vnni: u8, dst: RawDst, surface_base: Scalar, surface_width: Scalar,
        surface_height: Scalar, surface_pitch: Scalar, x: Scalar, y: Scalar, src1: Raw,
    }
}

record! {
    /// An atomic on an append counter.
    AppendCounter {
        op: LscOp = LscOp::APNDCTR_ATOMIC_ADD, exec: Exec, pred: Pred, sfid: LscSfid, l1: LscCache, l3: LscCache,
        addr_type: LscAddrType, data_size: LscDataSize, data_order: LscDataOrder,
        data_elems: LscDataElems, channels: ChannelMask, surface: Scalar, surface_index: u32,
        dst: RawDst, src: Raw,
    }
}

record! {
    /// An access to a typed surface with coordinates per lane.
    TypedAccess {
        op: LscOp = LscOp::LOAD_QUAD, exec: Exec, pred: Pred, l1: LscCache, l3: LscCache, addr_type: LscAddrType,
        addr_size: LscAddrSize, data_size: LscDataSize, data_order: LscDataOrder,
        data_elems: LscDataElems, channels: ChannelMask, surface: Scalar,
        surface_index: u32 [igc2026], dst: RawDst, u: Raw, u_offset: i32 [igc2026], v: Raw,
        v_offset: i32 [igc2026], r: Raw, r_offset: i32 [igc2026], lod: Raw, src1: Raw, src2: Raw,
    }
}

record! {
    /// A load or store of a 2D block of a typed surface.
    TypedBlock2d {
        op: LscOp = LscOp::LOAD_BLOCK2D, exec: Exec, pred: Pred, l1: LscCache, l3: LscCache, addr_type: LscAddrType,
        block_width: u16, block_height: u16, surface: Scalar, surface_index: u32, dst: RawDst,
        x: Scalar, y: Scalar, src1: Raw,
    }
}

macro_rules! lsc {
    (
        $(#[$doc:meta])*
        $family:ident $what:literal {
            $(
                $(#[$row_doc:meta])*
                $name:ident $mnemonic:literal [$($op:literal)*] [igc2026: $($new_op:literal)*] as $text:tt
            )*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum $family {
            $($(#[$row_doc])* $name($name),)*
        }

        impl $family {
            /// The layouts, by operation.
            pub const SPEC: &'static [SubSpec] = &[$(SubSpec {
                sub_opcodes: &[$($op),*],
                newer_sub_opcodes: &[$($new_op),*],
                name: stringify!($name),
                mnemonic: $mnemonic,
                fields: $name::FIELDS,
            }),*];

            /// Returns the operation.
            pub const fn op(&self) -> LscOp {
                match self {
                    $($family::$name(inner) => inner.op,)*
                }
            }

            /// Returns the default value of the layout that an operation selects in a format.
            fn default_layout(op: u8, format: Format) -> Result<$family, ErrorKind> {
                let newest = format.dialect == Dialect::Igc2026;
                match op {
                    $($($op => Ok($family::$name($name::default())),)*)*
                    $($($new_op if newest => Ok($family::$name($name::default())),)*)*
                    value => {
                        Err(ErrorKind::UnknownSubOpcode { what: $what, value: value.into() })
                    }
                }
            }

            fn peek<T: Trace>(r: &Reader<'_, T>) -> Result<$family> {
                match r.rest().first() {
                    Some(op) => Self::default_layout(*op, r.format()).map_err(|kind| r.error(kind)),
                    // Decoding any layout returns an error, because no byte remains.
                    None => Ok(Self::default()),
                }
            }
        }

        $(
            impl From<$name> for $family {
                fn from(inner: $name) -> $family {
                    $family::$name(inner)
                }
            }

            impl From<$name> for Instruction {
                fn from(inner: $name) -> Instruction {
                    $family::$name(inner).into()
                }
            }
        )*

        impl Operands for $family {
            fn operands<V: Visitor + ?Sized>(&self, visitor: &mut V) {
                match self {
                    $($family::$name(inner) => inner.operands(visitor),)*
                }
            }

            fn operands_mut<V: VisitorMut + ?Sized>(&mut self, visitor: &mut V) {
                match self {
                    $($family::$name(inner) => inner.operands_mut(visitor),)*
                }
            }
        }

        impl Wire for $family {
            fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
                *self = Self::peek(r)?;
                match self {
                    $($family::$name(inner) => inner.decode_into(r),)*
                }
            }

            fn encode(&self, w: &mut Writer) -> Result<()> {
                let selected = Self::default_layout(self.op().bits(), w.format()).map_err(|kind| w.error(kind))?;
                if core::mem::discriminant(&selected) != core::mem::discriminant(self) {
                    let expected = "an operation of this layout";
                    let value = self.op().bits().into();
                    return Err(w.error(ErrorKind::InvalidValue { value, expected }));
                }
                match self {
                    $($family::$name(inner) => inner.encode(w),)*
                }
            }

            fn skip(r: &mut Reader<'_>) -> Result<()> {
                match Self::peek(r)? {
                    $($family::$name(_) => $name::skip(r),)*
                }
            }
        }

        #[cfg(feature = "proptest")]
        impl crate::strategy::Generate for $family {
            fn strategy(format: Format) -> proptest::strategy::BoxedStrategy<Self> {
                use proptest::strategy::{Strategy, Union};
                let mut layouts = alloc::vec::Vec::new();
                $(
                    let old: &[u8] = &[$($op),*];
                    let new: &[u8] = &[$($new_op),*];
                    let ops: alloc::vec::Vec<u8> = (old.iter().chain(new).copied())
                        .filter(|op| Self::default_layout(*op, format).is_ok())
                        .collect();
                    if !ops.is_empty() {
                        let op = proptest::sample::select(ops).prop_map(LscOp::from_low_bits);
                        layouts.push(
                            (op, $name::strategy(format))
                                .prop_map(|(op, inner)| $family::$name($name { op, ..inner }))
                                .boxed(),
                        );
                    }
                )*
                Union::new(layouts).boxed()
            }
        }
    };
}

/// Passes the layouts of LSC_UNTYPED to a macro, as `instruction_table` does.
#[rustfmt::skip]
macro_rules! lsc_untyped_table { ($rows:ident) => { $rows! {
    /// LSC_UNTYPED, 0x89: an access to memory or to an untyped surface.
    LscUntyped "untyped LSC operation" {
        /// An access with an address per lane.
        Access "lsc_untyped" [
            0x00 0x02 0x04 0x06 0x08 0x09 0x0a 0x0b 0x0c 0x0d 0x0e 0x0f 0x10 0x11 0x12 0x13 0x14
            0x15 0x16 0x17 0x18 0x19 0x1a 0x1b 0x1c 0x1d
        ] [igc2026: 0x21 0x22 0x23 0x24 0x25 0x2a 0x33 0x36]
            as [pred {@LscHead} exec {LscOperands}]
        /// An access with a base address and a pitch.
        Strided "lsc_strided" [0x01 0x05] [igc2026:]
            as [pred {@LscHead} exec {LscOperands}]
        /// An access to a 2D block.
        Block2d "lsc_block2d" [0x03 0x07] [igc2026:]
            as [pred {@LscHead} exec {LscOperands}]
        /// An atomic on an append counter.
        AppendCounter "lsc_append_counter" [] [igc2026: 0x28 0x29]
            as [pred {@LscHead} exec {AppendOperands}]
    }
} } }

/// Passes the layouts of LSC_TYPED to a macro.
#[rustfmt::skip]
macro_rules! lsc_typed_table { ($rows:ident) => { $rows! {
    /// LSC_TYPED, 0x8a: an access to a typed surface.
    LscTyped "typed LSC operation" {
        /// An access with coordinates per lane.
        TypedAccess "lsc_typed" [
            0x02 0x06 0x08 0x09 0x0a 0x0b 0x0c 0x0d 0x0e 0x0f 0x10 0x11 0x12 0x13 0x14 0x15 0x16
            0x17 0x18 0x19 0x1a 0x1b 0x1c 0x1d 0x1e
        ] [igc2026: 0x31 0x32 0x36]
            as [pred {@LscHead} {TypedOperands}]
        /// An access to a 2D block.
        TypedBlock2d "lsc_typed_block2d" [] [igc2026: 0x03 0x07]
            as [pred {@LscHead} {OneLane exec} {LscOperands}]
    }
} } }

#[cfg(feature = "text")]
pub(crate) use {lsc_typed_table, lsc_untyped_table};

lsc_untyped_table!(lsc);
lsc_typed_table!(lsc);

impl Default for LscUntyped {
    fn default() -> Self {
        LscUntyped::Access(Access::default())
    }
}

impl Default for LscTyped {
    fn default() -> Self {
        LscTyped::TypedAccess(TypedAccess::default())
    }
}
