//! Rules for messages to the load-store cache (LSC).
//!
//! The source of these rules is the reference's verifier. Where the current reference differs from
//! the one of 2022, the rules depend on the dialect.

pub(super) mod block2d;
pub(super) mod shape;

use super::{Context, RuleContext};
use crate::format::Dialect;
use crate::isa::LscFence;
use crate::isa::lsc::{Access, AppendCounter, Strided, TypedAccess};
use crate::operand::lsc::{
    LscAddrSize, LscAddrType, LscCache, LscFenceOp, LscOp, LscOpClass, LscScope, LscSfid,
};
use crate::operand::{Raw, Vector, VectorKind};
use crate::verify::rule::rules;
use shape::TransferSize;

/// The cache controls of a message.
pub(in crate::verify) struct CacheFields {
    op: LscOp,
    sfid: LscSfid,
    l1: LscCache,
    l3: LscCache,
}

impl CacheFields {
    fn is_legal(&self, dialect: Dialect) -> bool {
        use LscOpClass::*;
        type C = LscCache;
        match (self.op.class(), self.l1, self.l3) {
            (_, C::DEFAULT, C::DEFAULT) | (_, C::UNCACHED, C::UNCACHED) => true,
            (Load, C::UNCACHED, C::CACHED)
            | (Load, C::CACHED, C::UNCACHED)
            | (Load, C::CACHED, C::CACHED)
            | (Load, C::STREAMING, C::UNCACHED)
            | (Load, C::STREAMING, C::CACHED)
            | (Load, C::READINVALIDATE, C::CACHED) => true,
            (Load, C::READINVALIDATE, C::READINVALIDATE)
            | (Load, C::UNCACHED, C::CONSTCACHED)
            | (Load, C::CACHED, C::CONSTCACHED) => dialect == Dialect::Igc2026,
            (Load, ..) => false,
            (_, C::UNCACHED, C::WRITEBACK) => true,
            (Atomic { .. }, ..) => false,
            (_, C::WRITETHROUGH, C::UNCACHED)
            | (_, C::WRITETHROUGH, C::WRITEBACK)
            | (_, C::STREAMING, C::UNCACHED)
            | (_, C::STREAMING, C::WRITEBACK)
            | (_, C::WRITEBACK, C::WRITEBACK) => true,
            _ => false,
        }
    }
}

rules! { cache for CacheFields;
    /// The pair of cache controls exists for the operation. Before Xe2, it is the default for typed
    /// and tile-local memory.
    fn cache "lsc-cache" (Error, ANY, "reference") |i, c| {
        if (i.l1, i.l3) == (LscCache::DEFAULT, LscCache::DEFAULT) {
            return;
        }
        let fixed = matches!(i.sfid, LscSfid::TGM | LscSfid::UGML);
        if fixed && c.is_on(before(Xe2)) {
            c.fail("l1", format_args!("{}.{}", i.l1, i.l3), "default cache controls");
        } else if !i.is_legal(c.format().dialect) {
            let kind = match i.op.class() {
                LscOpClass::Load => "loads",
                LscOpClass::Atomic { .. } => "atomics",
                _ => "stores",
            };
            c.report("l1", format_args!("{}.{} is not available for {kind}", i.l1, i.l3));
        }
    }
}

/// The fields that determine addresses.
pub(in crate::verify) struct AddressFields {
    sfid: LscSfid,
    size: LscAddrSize,
    scale: u16,
    offset: i32,
}

rules! { address for AddressFields;
    /// The scale of addresses is 0 or a power of two.
    fn scale "lsc-scale" (Error, ANY, "reference") |i, c| {
        if i.scale & i.scale.wrapping_sub(1) != 0 {
            c.fail("addr_scale", i.scale, "a power of two");
        }
    }

    /// Only shared local memory has addresses of 16 bits. Shared local memory and typed memory have
    /// no addresses of 64 bits.
    fn size "lsc-addr-size" (Error, ANY, "reference") |i, c| {
        let legal = match i.size {
            LscAddrSize::A16 => i.sfid == LscSfid::SLM,
            LscAddrSize::A64 => !matches!(i.sfid, LscSfid::TGM | LscSfid::SLM),
            _ => true,
        };
        if !legal {
            c.report("addr_size", format_args!("{} has no addresses of size {}", i.sfid, i.size));
        }
    }

    /// The offset of 16-bit addresses is -32767 to 32767.
    fn offset "lsc-offset16" (Error, ANY, "reference") |i, c| {
        if i.size == LscAddrSize::A16 && !(-0x7fff..=0x7fff).contains(&i.offset) {
            c.fail("addr_offset", i.offset, "-32767 to 32767");
        }
    }
}

/// The surface of a message.
pub(in crate::verify) struct SurfaceFields<'i> {
    sfid: LscSfid,
    ty: LscAddrType,
    surface: &'i Vector,
}

rules! { surface for SurfaceFields<'_>;
    /// Messages with flat addresses have no surface and do not access typed memory. Other messages
    /// have a surface and do not access shared local memory.
    fn surface "lsc-surface" (Error, ANY, "reference") |i, c| {
        let wrong = match i.ty {
            LscAddrType::FLAT | LscAddrType::ARG => LscSfid::TGM,
            LscAddrType::BSS | LscAddrType::SS | LscAddrType::BTI => LscSfid::SLM,
            LscAddrType::SURF if c.format().dialect == Dialect::Igc2026 => LscSfid::SLM,
            _ => return c.report("addr_type", format_args!("invalid address type {}", i.ty)),
        };
        if i.sfid == wrong {
            c.report("addr_type", format_args!("{wrong} has no addresses of type {}", i.ty));
        }
        match (wrong == LscSfid::TGM, i.surface.kind) {
            (true, VectorKind::Immediate(imm)) if imm.bits() as u32 != 0 => {
                c.fail("surface", format_args!("{:#x}", imm.bits()), "0");
            }
            (true, VectorKind::General { var, .. }) if !Raw::from(var).is_null() => {
                let name = c.name(var);
                c.fail("surface", name, "null");
            }
            (false, VectorKind::General { var, .. }) if Raw::from(var).is_null() => {
                c.fail("surface", "null", "a surface");
            }
            (_, VectorKind::Immediate(_) | VectorKind::General { .. }) => {}
            _ => c.report("surface", "the operand is neither a variable nor a constant"),
        }
    }
}

/// The data of a message. An operand that the message does not have is null.
pub(in crate::verify) struct Data {
    op: LscOp,
    dst: Raw,
    src1: Raw,
    src2: Raw,
}

rules! { data for Data;
    /// Loads have no data source, stores have one data source and no destination, and atomics have
    /// as many sources as their operation requires.
    fn operands "lsc-operands" (Error, ANY, "reference") |i, c| {
        let sources = match i.op.class() {
            LscOpClass::Load => 0,
            LscOpClass::Store => 1,
            LscOpClass::Atomic { sources } => sources,
            _ => return,
        };
        if i.op.class() == LscOpClass::Store && !i.dst.is_null() {
            let name = c.name(i.dst.var);
            c.fail("dst", name, "null");
        }
        for (field, raw, is_required) in
            [("src1", i.src1, sources >= 1), ("src2", i.src2, sources == 2)]
        {
            if raw.is_null() && is_required {
                c.fail(field, "null", "a variable");
            } else if !raw.is_null() && !is_required {
                let name = c.name(raw.var);
                c.fail(field, name, "null");
            }
        }
    }
}

rules! { pitch for Vector;
    /// The pitch of a strided message is a variable or a constant of up to 65535.
    fn pitch "lsc-pitch" (Error, ANY, "reference") |pitch, c| {
        match pitch.kind {
            VectorKind::Immediate(imm) => {
                let value = imm.bits() as u32 as i32;
                if value > 0xffff {
                    c.fail("addr_pitch", value, "at most 65535");
                }
            }
            VectorKind::General { .. } => require_not_null("addr_pitch", pitch, c),
            _ => c.report("addr_pitch", "the operand is neither a variable nor a constant"),
        }
    }
}

/// Requires that a scalar is not the null variable.
fn require_not_null(field: &'static str, scalar: &Vector, c: &mut RuleContext<'_, '_>) {
    match scalar.kind {
        VectorKind::General { var, .. } if Raw::from(var).is_null() => {
            c.fail(field, "null", "a variable or a constant");
        }
        _ => {}
    }
}

rules! { coordinates for TypedAccess;
    /// An access to a typed surface has a U coordinate. A read of the surface's state has no other
    /// coordinates; in dialect Igc2022, it has no U coordinate either.
    fn coordinates "lsc-coordinates" (Error, ANY, "reference") |i, c| {
        let reads_state = i.op == LscOp::READ_STATE_INFO;
        let has_u = !(reads_state && c.format().dialect == Dialect::Igc2022);
        if i.u.is_null() && has_u {
            c.fail("u", "null", "a variable");
        } else if !i.u.is_null() && !has_u {
            let name = c.name(i.u.var);
            c.fail("u", name, "null");
        }
        if reads_state {
            for (field, raw) in [("v", i.v), ("r", i.r), ("lod", i.lod)] {
                if !raw.is_null() {
                    let name = c.name(raw.var);
                    c.fail(field, name, "null");
                }
            }
        }
    }
}

rules! { fence for LscFence;
    /// The operation of an LSC fence is 0 to 6.
    fn op "lsc-fence-op" (Error, ANY, "reference") |i, c| {
        if i.op > LscFenceOp::TYPE6 {
            c.fail("op", i.op, "operation 0 to 6");
        }
    }

    /// The scope of an LSC fence is 0 to 6.
    fn scope "lsc-fence-scope" (Error, ANY, "reference") |i, c| {
        if i.scope > LscScope::SYSACQ {
            c.fail("scope", i.scope, "scope 0 to 6");
        }
    }

    /// An LSC fence of shared local memory has operation none and scope group.
    fn local "lsc-fence-slm" (Error, ANY, "reference") |i, c| {
        if i.sfid != LscSfid::SLM {
            return;
        }
        if i.op != LscFenceOp::NONE && i.op <= LscFenceOp::TYPE6 {
            c.fail("op", i.op, format_args!("operation {}", LscFenceOp::NONE));
        }
        if i.scope != LscScope::GROUP && i.scope <= LscScope::SYSACQ {
            c.fail("scope", i.scope, format_args!("scope {}", LscScope::GROUP));
        }
    }
}

/// Applies the common rules of messages with vectors of addresses and of strided messages.
macro_rules! check_untyped {
    ($i:ident, $cx:ident, $src2:expr) => {
        cache::check(&CacheFields { op: $i.op, sfid: $i.sfid, l1: $i.l1, l3: $i.l3 }, $cx);
        let (scale, offset) = ($i.addr_scale, $i.addr_offset);
        address::check(&AddressFields { sfid: $i.sfid, size: $i.addr_size, scale, offset }, $cx);
        surface::check(
            &SurfaceFields { sfid: $i.sfid, ty: $i.addr_type, surface: &$i.surface },
            $cx,
        );
        TransferSize::of(
            $i.op,
            $i.sfid,
            $i.exec,
            $i.data_elems,
            $i.channels,
            $i.data_size,
            $i.data_order,
        )
        .check($cx);
        data::check(&Data { op: $i.op, dst: $i.dst, src1: $i.src1, src2: $src2 }, $cx);
    };
}

pub(super) fn check_access(i: &Access, cx: &mut Context<'_>) {
    check_untyped!(i, cx, i.src2);
}

pub(super) fn check_strided(i: &Strided, cx: &mut Context<'_>) {
    check_untyped!(i, cx, Raw::NULL);
    pitch::check(&i.addr_pitch, cx);
}

pub(super) fn check_append_counter(i: &AppendCounter, cx: &mut Context<'_>) {
    cache::check(&CacheFields { op: i.op, sfid: i.sfid, l1: i.l1, l3: i.l3 }, cx);
    surface::check(&SurfaceFields { sfid: i.sfid, ty: i.addr_type, surface: &i.surface }, cx);
    TransferSize::of(i.op, i.sfid, i.exec, i.data_elems, i.channels, i.data_size, i.data_order)
        .check(cx);
    data::check(&Data { op: i.op, dst: i.dst, src1: i.src, src2: Raw::NULL }, cx);
}

pub(super) fn check_typed(i: &TypedAccess, cx: &mut Context<'_>) {
    let sfid = LscSfid::TGM;
    cache::check(&CacheFields { op: i.op, sfid, l1: i.l1, l3: i.l3 }, cx);
    address::check(&AddressFields { sfid, size: i.addr_size, scale: 0, offset: 0 }, cx);
    surface::check(&SurfaceFields { sfid, ty: i.addr_type, surface: &i.surface }, cx);
    TransferSize::of(i.op, sfid, i.exec, i.data_elems, i.channels, i.data_size, i.data_order)
        .check(cx);
    coordinates::check(i, cx);
    data::check(&Data { op: i.op, dst: i.dst, src1: i.src1, src2: i.src2 }, cx);
}
