//! LSC_UNTYPED, 0x89, and LSC_TYPED, 0x8a: messages through the load-store cache (docs/format.md,
//! 5.8).
//!
//! A layout is shared by several operations. It is a struct with the operation in the field `op`;
//! the default is an operation of the layout. Encoding returns an error if `op` has another layout.
//! Some operations have another layout since 4.2.

use super::SubSpec;
use super::family::family_enum;
use crate::error::{ErrorKind, Result};
use crate::format::{Dialect, Format, Version};
use crate::operand::lsc::{
    LscAddrSize, LscAddrType, LscCache, LscCacheOp, LscCacheSize, LscDataElems, LscDataOrder,
    LscDataSize, LscFlags, LscOp, LscSfid,
};
use crate::operand::{ChannelMask, Exec, Pred, Raw, RawDst, Scalar};
use crate::wire::{Reader, Trace, Wire, Writer};

/// Defines a family whose layouts are selected by the operation.
macro_rules! lsc {
    ($module:ident $doc:tt $family:ident $what:literal $({
        $row_doc:tt
        [$($($op:literal)+)? $(igc2026 $($newer_op:literal)+)? $(since V4_2 $($newest_op:literal)+)?]
        $name:ident [] $mnemonic:literal $body:tt $moves:tt $text:tt
    })*) => {
        family_enum! { $doc $family { $($row_doc $name $body)* } }

        impl $family {
            /// The layouts, by operation.
            pub const SPEC: &'static [SubSpec] = &[$(SubSpec {
                sub_opcodes: &[$($($op),+)?],
                newer_sub_opcodes: &[$($($newer_op),+)?],
                newest_sub_opcodes: &[$($($newest_op),+)?],
                name: stringify!($name),
                mnemonic: $mnemonic,
                fields: <$name as $crate::isa::Layout>::FIELDS,
            }),*];

            /// Returns the operation.
            pub const fn op(&self) -> LscOp {
                match self {
                    $($family::$name(inner) => inner.op,)*
                }
            }

            /// Returns the default value of the layout that an operation selects in a format.
            #[inline]
            pub(crate) fn default_layout(op: u8, format: Format) -> Result<$family, ErrorKind> {
                let is_newer = format.dialect == Dialect::Igc2026;
                match op {
                    $($($($newest_op)|+ if is_newer && format.since(Version::V4_2) => {
                        Ok($family::$name($name::default()))
                    })?)*
                    $($($($op)|+ => Ok($family::$name($name::default())),)?)*
                    $($($($newer_op)|+ if is_newer => Ok($family::$name($name::default())),)?)*
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
        }

        #[cfg(feature = "proptest")]
        impl crate::generate::Generate for $family {
            fn strategy(format: Format) -> proptest::strategy::BoxedStrategy<Self> {
                use proptest::strategy::{Strategy, Union};
                let mut layouts = alloc::vec::Vec::new();
                $(
                    let all: &[u8] = &[$($($op,)+)? $($($newer_op,)+)? $($($newest_op,)+)?];
                    let ops: alloc::vec::Vec<u8> = (all.iter().copied())
                        .filter(|op| {
                            matches!(Self::default_layout(*op, format), Ok($family::$name(_)))
                        })
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

/// Passes the family of LSC_UNTYPED to a macro, as `instruction_table` does.
///
/// The list of a layout has its operations in both dialects; after `igc2026`, those in dialect
/// `Igc2026` only; and after `since V4_2`, those that have the layout since 4.2, even if they had
/// another before.
#[rustfmt::skip]
macro_rules! lsc_untyped_table { ($callback:ident) => { $crate::isa::normalize_family! { $callback lsc
    /// LSC_UNTYPED, 0x89: an access to memory or to an untyped surface.
    LscUntyped "untyped LSC operation" {
        /// A load, store or atomic with an address per lane.
        [0x00 0x02 0x04 0x06 0x08 0x09 0x0a 0x0b 0x0c 0x0d 0x0e 0x0f 0x10 0x11 0x12 0x13 0x14
            0x15 0x16 0x17 0x18 0x19 0x1a 0x1b 0x1c 0x1d igc2026 0x21 0x22 0x23 0x24 0x25 0x2a 0x33
            0x36] Access "lsc_untyped" {
            op: LscOp, exec: Exec, pred: Pred, sfid: LscSfid, l1: LscCache,
            l2: LscCache [igc2026 since V4_2], l3: LscCache, flags: LscFlags [igc2026 since V4_2],
            addr_type: LscAddrType, addr_scale: u16, addr_offset: i32, addr_size: LscAddrSize,
            data_size: LscDataSize, data_order: LscDataOrder, data_elems: LscDataElems,
            channels: ChannelMask, surface: Scalar, surface_index: u32 [igc2026], dst: RawDst,
            addrs: Raw, src1: Raw, src2: Raw,
        }
            as [pred {@LscName op} {LscUntypedSfid sfid} {LscCaches l1 l2 l3}
                {LscSuffix op sfid flags} exec
                {LscDst op dst data_size data_order data_elems channels}
                "  " {LscSurface addr_type surface surface_index}
                "[" {LscScale addr_scale} {LscRegister addrs} {LscOffset addr_offset} "]"
                {LscSizeOf addrs addr_size}
                {LscSrc1 op src1 data_size data_order data_elems channels} {LscSrc2 op src2}]
        /// A load or store with a base address and a pitch.
        [0x01 0x05] Strided "lsc_strided" {
            op: LscOp = LscOp::LOAD_STRIDED, exec: Exec, pred: Pred, sfid: LscSfid, l1: LscCache,
            l2: LscCache [igc2026 since V4_2], l3: LscCache,
            addr_type: LscAddrType, addr_scale: u16, addr_offset: i32, addr_size: LscAddrSize,
            data_size: LscDataSize, data_order: LscDataOrder, data_elems: LscDataElems,
            channels: ChannelMask, surface: Scalar, surface_index: u32 [igc2026], dst: RawDst,
            addr_base: Raw, addr_pitch: Scalar, src1: Raw,
        }
            as [pred {@LscName op} {LscUntypedSfid sfid} {LscCaches l1 l2 l3} exec
                {LscDst op dst data_size data_order data_elems channels}
                "  " {LscSurface addr_type surface surface_index}
                "[" {LscScale addr_scale} {LscRegister addr_base} {LscOffset addr_offset}
                {LscPitch addr_pitch} "]" {LscAddrSizeText addr_size}
                {LscSrc1 op src1 data_size data_order data_elems channels}]
        /// A load or store of a 2D block.
        [0x03 0x07] Block2d "lsc_block2d" {
            op: LscOp = LscOp::LOAD_BLOCK2D, exec: Exec, pred: Pred, sfid: LscSfid, l1: LscCache,
            l2: LscCache [igc2026 since V4_2], l3: LscCache,
            data_size: LscDataSize, data_order: LscDataOrder, blocks: u8, block_width: u16,
            block_height: u16, vnni: u8, dst: RawDst, payload: Scalar [igc2026 since V4_2],
            surface_base: Scalar, surface_width: Scalar, surface_height: Scalar, surface_pitch: Scalar,
            x: Scalar, x_offset: i32 [igc2026 since V4_2], y: Scalar,
            y_offset: i32 [igc2026 since V4_2], src1: Raw,
        }
            as [pred {@LscName op} {LscUntypedSfid sfid} {LscCaches l1 l2 l3} exec
                {LscDst op dst data_size data_order blocks block_width block_height vnni}
                "  flat["
                {Block2dAddress payload surface_base surface_width surface_height surface_pitch
                                x x_offset y y_offset}
                "]"
                {LscSrc1 op src1 data_size data_order blocks block_width block_height vnni}]
        /// An atomic on an append counter.
        [igc2026 0x28 0x29 since V4_2 0x2a] AppendCounter "lsc_append_counter" {
            op: LscOp = LscOp::APNDCTR_ATOMIC_ADD, exec: Exec, pred: Pred, sfid: LscSfid, l1: LscCache,
            l2: LscCache [igc2026 since V4_2], l3: LscCache, addr_type: LscAddrType,
            addr_size: LscAddrSize [igc2026 since V4_2], data_size: LscDataSize, data_order: LscDataOrder,
            data_elems: LscDataElems, channels: ChannelMask, surface: Scalar, surface_index: u32,
            dst: RawDst, src: Raw,
        }
            as [pred {@LscName op} {LscUntypedSfid sfid} {LscCaches l1 l2 l3} exec
                {LscDst op dst data_size data_order data_elems channels}
                "  " {LscSurface addr_type surface surface_index}
                {CounterSource op src data_size data_order data_elems channels addr_size}]
        /// A change of the state of cache lines. Since 4.2; before, the operation has the layout of
        /// [`Access`].
        [since V4_2 0x33] CacheControl "lsc_cache_control" {
            op: LscOp = LscOp::EXTENDED_CACHE_CTRL, exec: Exec, pred: Pred, sfid: LscSfid,
            l1: LscCache, l2: LscCache, l3: LscCache, cache_op: LscCacheOp, cache_size: LscCacheSize,
            addr_type: LscAddrType, addr_scale: u16, addr_offset: i32, addr_size: LscAddrSize,
            surface: Scalar, surface_index: u32, addrs: Raw,
        }
            as [pred {@LscName op} {LscUntypedSfid sfid} {LscCaches l1 l2 l3} .cache_op .cache_size
                exec " " {LscSurface addr_type surface surface_index}
                "[" {LscScale addr_scale} {LscRegister addrs} {LscOffset addr_offset} "]"
                {LscAddrSizeText addr_size}]
    }
} } }

/// Passes the family of LSC_TYPED to a macro.
#[rustfmt::skip]
macro_rules! lsc_typed_table { ($callback:ident) => { $crate::isa::normalize_family! { $callback lsc
    /// LSC_TYPED, 0x8a: an access to a typed surface.
    LscTyped "typed LSC operation" {
        /// An access to a typed surface with coordinates per lane.
        [0x02 0x06 0x08 0x09 0x0a 0x0b 0x0c 0x0d 0x0e 0x0f 0x10 0x11 0x12 0x13 0x14 0x15 0x16
            0x17 0x18 0x19 0x1a 0x1b 0x1c 0x1d 0x1e igc2026 0x31 0x32 0x36] TypedAccess "lsc_typed" {
            op: LscOp = LscOp::LOAD_QUAD, exec: Exec, pred: Pred, l1: LscCache,
            l2: LscCache [igc2026 since V4_2], l3: LscCache, flags: LscFlags [igc2026 since V4_2],
            addr_type: LscAddrType, addr_size: LscAddrSize, data_size: LscDataSize, data_order: LscDataOrder,
            data_elems: LscDataElems, channels: ChannelMask, surface: Scalar,
            surface_index: u32 [igc2026], dst: RawDst, u: Raw, u_offset: i32 [igc2026], v: Raw,
            v_offset: i32 [igc2026], r: Raw, r_offset: i32 [igc2026], lod: Raw, src1: Raw, src2: Raw,
        }
            as [pred {@LscName op} ".tgm" {LscCaches l1 l2 l3} {LscSuffix op flags}
                {LscExec op exec} {LscDst op dst data_size data_order data_elems channels}
                "  " {LscSurface addr_type surface surface_index}
                {Coordinates op u u_offset v v_offset r r_offset lod addr_size}
                {LscSrc1 op src1 data_size data_order data_elems channels} {LscSrc2 op src2}]
        /// A load or store of a 2D block of a typed surface.
        [igc2026 0x03 0x07] TypedBlock2d "lsc_typed_block2d" {
            op: LscOp = LscOp::LOAD_BLOCK2D, exec: Exec, pred: Pred, l1: LscCache,
            l2: LscCache [igc2026 since V4_2], l3: LscCache, addr_type: LscAddrType,
            block_width: u16, block_height: u16, surface: Scalar, surface_index: u32, dst: RawDst,
            x: Scalar, x_offset: i32 [igc2026 since V4_2], y: Scalar,
            y_offset: i32 [igc2026 since V4_2], src1: Raw,
        }
            as [pred {@LscName op} ".tgm" {LscCaches l1 l2 l3} {OneLane exec}
                {LscDst op dst block_width block_height}
                "  " {LscSurface addr_type surface surface_index}
                "[" {Coordinate2d x x_offset} "," {Coordinate2d y y_offset} "]"
                {LscSrc1 op src1 block_width block_height}]
    }
} } }

#[cfg(feature = "text")]
pub(crate) use {lsc_typed_table, lsc_untyped_table};

lsc_untyped_table!(lsc);
lsc_typed_table!(lsc);
