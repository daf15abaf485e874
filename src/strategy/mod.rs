//! Strategies of `proptest` for modules, instructions and operands (feature `proptest`).
//!
//! [`Generate::strategy`] returns the strategy of a type for a format; [`rows`] returns a strategy
//! per opcode. Most of these instructions are illegal: they test codecs. With the features `build` and
//! `verify`, `legal` generates instructions and modules that the verifier accepts.
//!
//! ```
//! use genvisa::{Format, Instruction, strategy::Generate};
//! use proptest::{prop_assert_eq, proptest};
//!
//! proptest! {
//!     fn my_backend_keeps_instructions(x in Instruction::strategy(Format::default())) {
//!         let bytes = x.to_bytes(Format::default()).unwrap();
//!         prop_assert_eq!(Instruction::from_bytes(&bytes, Format::default()).unwrap(), x);
//!     }
//! }
//! # my_backend_keeps_instructions();
//! ```

#[cfg(all(feature = "build", feature = "verify"))]
mod legal;
mod module;

pub use crate::generate::Generate;
#[cfg(all(feature = "build", feature = "verify"))]
pub use legal::{Legal, legal};

use alloc::vec::Vec;
use proptest::arbitrary::any;
use proptest::prelude::prop_oneof;
use proptest::sample::select;
use proptest::strategy::{BoxedStrategy, Just, Strategy, Union};

use crate::format::{Format, Version};
use crate::isa::Instruction;
use crate::operand::*;

/// Returns the opcodes that exist in a format, with their strategies.
pub fn rows(format: Format) -> Vec<(u8, BoxedStrategy<Instruction>)> {
    Instruction::row_strategies(format)
}

impl Generate for Instruction {
    fn strategy(format: Format) -> BoxedStrategy<Self> {
        Union::new(rows(format).into_iter().map(|(_, strategy)| strategy)).boxed()
    }
}

macro_rules! wrappers {
    ($($name:ident($inner:ty);)*) => {$(
        impl Generate for $name {
            fn strategy(format: Format) -> BoxedStrategy<Self> {
                <$inner>::strategy(format).prop_map($name).boxed()
            }
        }
    )*};
}

wrappers! {
    AddrId(u16);
    LabelId(u16);
    ShortStringId(u16);
    SurfaceId(u8);
    SamplerId(u8);
    Dst(Vector);
    AddressOf(Vector);
}

/// Returns a strategy for variable and string ids: small ones, and all that fit in the field.
fn vid(format: Format) -> BoxedStrategy<u32> {
    let max = if format.wide_ids() { u32::MAX } else { u16::MAX.into() };
    prop_oneof![0..=40u32, 0..=max].boxed()
}

impl Generate for VarId {
    fn strategy(format: Format) -> BoxedStrategy<Self> {
        vid(format).prop_map(VarId).boxed()
    }
}

impl Generate for StringId {
    fn strategy(format: Format) -> BoxedStrategy<Self> {
        vid(format).prop_map(StringId).boxed()
    }
}

impl Generate for ExecMask {
    fn strategy(format: Format) -> BoxedStrategy<Self> {
        (0..16u8).prop_map(move |nibble| ExecMask::from_nibble(nibble, format)).boxed()
    }
}

impl Generate for Exec {
    fn strategy(format: Format) -> BoxedStrategy<Self> {
        (select(&ExecSize::ALL[..]), ExecMask::strategy(format))
            .prop_map(|(size, mask)| Exec::new(size, mask))
            .boxed()
    }
}

impl Generate for Pred {
    fn strategy(_: Format) -> BoxedStrategy<Self> {
        let some = any::<u16>().prop_filter_map("bit 12 is reserved", Pred::from_bits);
        prop_oneof![Just(Pred::NONE), some].boxed()
    }
}

impl Generate for Raw {
    fn strategy(format: Format) -> BoxedStrategy<Self> {
        let some = (VarId::strategy(format), any::<u16>());
        prop_oneof![1 => Just(Raw::NULL), 4 => some.prop_map(|(var, offset)| Raw::new(var, offset))]
            .boxed()
    }
}

impl Generate for Region {
    fn strategy(_: Format) -> BoxedStrategy<Self> {
        (0..0x1000u16).prop_filter_map("bits 12 to 15 are reserved", Region::from_bits).boxed()
    }
}

impl Generate for ChannelMask {
    fn strategy(_: Format) -> BoxedStrategy<Self> {
        (0..16u8).prop_map(ChannelMask::from_bits_truncate).boxed()
    }
}

impl Generate for Imm {
    fn strategy(format: Format) -> BoxedStrategy<Self> {
        (TypeByte::strategy(format), any::<u64>())
            .prop_filter_map("a constant", |(byte, bits)| {
                let bits = if byte.ty().is_wide() { bits } else { bits & 0xffff_ffff };
                Imm::new(byte.ty(), bits)?.with_type_byte(byte)
            })
            .boxed()
    }
}

impl Generate for VectorKind {
    fn strategy(format: Format) -> BoxedStrategy<Self> {
        let general = (VarId::strategy(format), any::<(u8, u8)>(), Region::strategy(format))
            .prop_map(|(var, (row, col), region)| VectorKind::General { var, row, col, region });
        let address = (any::<(u16, u8)>(), AddrWidth::strategy(format)).prop_map(
            |((addr, offset), width)| VectorKind::Address { addr: AddrId(addr), offset, width },
        );
        let predicate = Pred::strategy(format).prop_map(VectorKind::Predicate);
        let indirect =
            (any::<(u16, u8, i16)>(), TypeByte::strategy(format), Region::strategy(format))
                .prop_map(|((addr, addr_offset, offset), ty, region)| VectorKind::Indirect {
                    addr: AddrId(addr),
                    addr_offset,
                    offset,
                    ty,
                    region,
                });
        let immediate = Imm::strategy(format).prop_map(VectorKind::Immediate);
        let state = (StateClass::strategy(format), any::<(u16, u8)>())
            .prop_map(|(class, (index, offset))| VectorKind::State { class, index, offset });
        prop_oneof![general, address, predicate, indirect, immediate, state].boxed()
    }
}

impl Generate for Vector {
    fn strategy(format: Format) -> BoxedStrategy<Self> {
        (Modifier::strategy(format), VectorKind::strategy(format))
            .prop_map(|(modifier, kind)| Vector { modifier, kind })
            .boxed()
    }
}

impl Generate for CmpDst {
    fn strategy(format: Format) -> BoxedStrategy<Self> {
        Vector::strategy(format)
            .prop_filter("a class that CMP accepts", |v| {
                matches!(v.kind, VectorKind::General { .. } | VectorKind::Predicate(_))
            })
            .prop_map(CmpDst)
            .boxed()
    }
}

impl Generate for Aoffimmi {
    fn strategy(format: Format) -> BoxedStrategy<Self> {
        let reserved = if format.is_manual() { Aoffimmi::RESERVED } else { 0 };
        let word = any::<u16>().prop_map(move |bits| Aoffimmi::from_bits(bits & !reserved));
        if format.since(Version::V3_4) {
            let operand = Vector::strategy(format).prop_map(move |operand| {
                let VectorKind::Immediate(imm) = operand.kind else { return Aoffimmi(operand) };
                let imm = Imm::from_parts(imm.type_byte(), imm.bits() & !u64::from(reserved));
                Aoffimmi(Vector { kind: VectorKind::Immediate(imm), ..operand })
            });
            prop_oneof![word, operand].boxed()
        } else {
            word.boxed()
        }
    }
}

macro_rules! bytes {
    ($($name:ident),*) => {$(
        impl Generate for $name {
            fn strategy(_: Format) -> BoxedStrategy<Self> {
                any::<u8>().prop_map($name::from_bits).boxed()
            }
        }
    )*};
}

bytes!(Atomic, Relation, SvmBlock, TypeByte);

impl Generate for NumElts {
    fn strategy(format: Format) -> BoxedStrategy<Self> {
        (NumEltsCount::strategy(format), ExecMask::strategy(format))
            .prop_map(|(count, mask)| NumElts { count, mask })
            .boxed()
    }
}

impl Generate for ChannelsMode {
    fn strategy(format: Format) -> BoxedStrategy<Self> {
        (ChannelMask::strategy(format), SampleMode::strategy(format))
            .prop_map(|(channels, mode)| ChannelsMode { channels, mode })
            .boxed()
    }
}

impl Generate for LifetimeProperties {
    fn strategy(format: Format) -> BoxedStrategy<Self> {
        (any::<bool>(), LifetimeClass::strategy(format))
            .prop_map(|(end, class)| LifetimeProperties { end, class })
            .boxed()
    }
}
