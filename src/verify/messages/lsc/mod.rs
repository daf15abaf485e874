//! The load-store cache. What is demanded here, the reference's verifier demands; what it demands
//! today stands beside it where the two differ.

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

/// What the caches do with a message.
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
    /// What the two caches do is a pair that exists for loads, stores or atomics, and before Xe2 the
    /// default for typed and tile-local memory.
    fn cache "lsc-cache" (Error, ANY, "reference") |i, c| {
        if (i.l1, i.l3) == (LscCache::DEFAULT, LscCache::DEFAULT) {
            return;
        }
        let fixed = matches!(i.sfid, LscSfid::TGM | LscSfid::UGML);
        if fixed && c.is_on(before(Xe2)) {
            c.fail("l1", format_args!("{}.{}", i.l1, i.l3), "the default");
        } else if !i.is_legal(c.format().dialect) {
            c.fail("l1", format_args!("{}.{}", i.l1, i.l3), "a pair of the operation");
        }
    }
}

/// How addresses are made.
pub(in crate::verify) struct AddressFields {
    sfid: LscSfid,
    size: LscAddrSize,
    scale: u16,
    offset: i32,
}

rules! { address for AddressFields;
    /// Addresses are scaled by a power of two.
    fn scale "lsc-scale" (Error, ANY, "reference") |i, c| {
        // 0 stands for no scale.
        if i.scale & i.scale.wrapping_sub(1) != 0 {
            c.fail("addr_scale", i.scale, "a power of two");
        }
    }

    /// Addresses of 16 bits are those of shared local memory; those of 64 bits are neither there nor
    /// in typed memory.
    fn size "lsc-addr-size" (Error, ANY, "reference") |i, c| {
        let legal = match i.size {
            LscAddrSize::A16 => i.sfid == LscSfid::SLM,
            LscAddrSize::A64 => !matches!(i.sfid, LscSfid::TGM | LscSfid::SLM),
            _ => true,
        };
        if !legal {
            c.fail("addr_size", i.size, format_args!("a size for {}", i.sfid));
        }
    }

    /// The offset of addresses of 16 bits is -32767 to 32767.
    fn offset "lsc-offset16" (Error, ANY, "reference") |i, c| {
        if i.size == LscAddrSize::A16 && !(-0x7fff..=0x7fff).contains(&i.offset) {
            c.fail("addr_offset", i.offset, "-32767 to 32767");
        }
    }
}

/// The surface of a message.
pub(in crate::verify) struct Surface<'i> {
    sfid: LscSfid,
    ty: LscAddrType,
    surface: &'i Vector,
}

rules! { surface for Surface<'_>;
    /// Flat addresses have no surface and are not for typed memory; others have one and are not for
    /// shared local memory.
    fn surface "lsc-surface" (Error, ANY, "reference") |i, c| {
        let wrong = match i.ty {
            LscAddrType::FLAT | LscAddrType::ARG => LscSfid::TGM,
            LscAddrType::BSS | LscAddrType::SS | LscAddrType::BTI => LscSfid::SLM,
            LscAddrType::SURF if c.format().dialect == Dialect::Igc2026 => LscSfid::SLM,
            _ => return c.fail("addr_type", i.ty, "a known way to address"),
        };
        if i.sfid == wrong {
            c.fail("addr_type", i.ty, format_args!("a way to address {wrong}"));
        }
        match (wrong == LscSfid::TGM, i.surface.kind) {
            (true, VectorKind::Immediate(imm)) if imm.bits() as u32 != 0 => {
                c.fail("surface", format_args!("{:#x}", imm.bits()), "0");
            }
            (true, VectorKind::General { var, .. }) if !Raw::from(var).is_null() => {
                c.fail("surface", "a variable", "null");
            }
            (false, VectorKind::General { var, .. }) if Raw::from(var).is_null() => {
                c.fail("surface", "null", "a surface");
            }
            (_, VectorKind::Immediate(_) | VectorKind::General { .. }) => {}
            _ => c.fail("surface", "another operand", "a variable or a constant"),
        }
    }
}

/// The data of a message; what its layout lacks is null.
pub(in crate::verify) struct Data {
    op: LscOp,
    dst: Raw,
    src1: Raw,
    src2: Raw,
}

rules! { data for Data;
    /// Loads have no source of data, stores have one and no destination, and atomics have as many
    /// sources as their operation takes.
    fn operands "lsc-operands" (Error, ANY, "reference") |i, c| {
        let sources = match i.op.class() {
            LscOpClass::Load => 0,
            LscOpClass::Store => 1,
            LscOpClass::Atomic { sources } => sources,
            _ => return,
        };
        if i.op.class() == LscOpClass::Store && !i.dst.is_null() {
            c.fail("dst", "a variable", "null");
        }
        for (field, raw, is_there) in
            [("src1", i.src1, sources >= 1), ("src2", i.src2, sources == 2)]
        {
            if raw.is_null() && is_there {
                c.fail(field, "null", "a variable");
            } else if !raw.is_null() && !is_there {
                c.fail(field, "a variable", "null");
            }
        }
    }
}

rules! { pitch for Vector;
    /// The pitch of a strided message is a variable, or a constant of 16 bits.
    fn pitch "lsc-pitch" (Error, ANY, "reference") |pitch, c| {
        match pitch.kind {
            VectorKind::Immediate(imm) => {
                let value = imm.bits() as u32 as i32;
                if value > 0xffff {
                    c.fail("addr_pitch", value, "at most 65535");
                }
            }
            VectorKind::General { .. } => not_null("addr_pitch", pitch, c),
            _ => c.fail("addr_pitch", "another operand", "a variable or a constant"),
        }
    }
}

/// A scalar is not the null variable.
fn not_null(field: &'static str, scalar: &Vector, c: &mut RuleContext<'_, '_>) {
    match scalar.kind {
        VectorKind::General { var, .. } if Raw::from(var).is_null() => {
            c.fail(field, "null", "a variable or a constant");
        }
        _ => {}
    }
}

rules! { coordinates for TypedAccess;
    /// An access to a typed surface has a U coordinate, and reading the surface's state has no
    /// others; the reference of 2022 wants that one null too.
    fn coordinates "lsc-coordinates" (Error, ANY, "reference") |i, c| {
        let reads_state = i.op == LscOp::READ_STATE_INFO;
        let has_u = !(reads_state && c.format().dialect == Dialect::Igc2022);
        if i.u.is_null() && has_u {
            c.fail("u", "null", "a variable");
        } else if !i.u.is_null() && !has_u {
            c.fail("u", "a variable", "null");
        }
        if reads_state {
            for (field, raw) in [("v", i.v), ("r", i.r), ("lod", i.lod)] {
                if !raw.is_null() {
                    c.fail(field, "a variable", "null");
                }
            }
        }
    }
}

rules! { fence for LscFence;
    /// What a fence of the load-store cache does is one of the seven known things.
    fn op "lsc-fence-op" (Error, ANY, "reference") |i, c| {
        if i.op > LscFenceOp::TYPE6 {
            c.fail("op", i.op, "0 to 6");
        }
    }

    /// How far a fence of the load-store cache reaches is one of the seven known scopes.
    fn scope "lsc-fence-scope" (Error, ANY, "reference") |i, c| {
        if i.scope > LscScope::SYSACQ {
            c.fail("scope", i.scope, "0 to 6");
        }
    }

    /// A fence of shared local memory does nothing to caches and reaches the thread group.
    fn local "lsc-fence-slm" (Error, ANY, "reference") |i, c| {
        if i.sfid != LscSfid::SLM {
            return;
        }
        if i.op != LscFenceOp::NONE && i.op <= LscFenceOp::TYPE6 {
            c.fail("op", i.op, LscFenceOp::NONE);
        }
        if i.scope != LscScope::GROUP && i.scope <= LscScope::SYSACQ {
            c.fail("scope", i.scope, LscScope::GROUP);
        }
    }
}

/// The checks that messages with vectors of addresses, and those with strides, have in common.
macro_rules! check_untyped {
    ($i:ident, $cx:ident, $src2:expr) => {
        cache::check(&CacheFields { op: $i.op, sfid: $i.sfid, l1: $i.l1, l3: $i.l3 }, $cx);
        let (scale, offset) = ($i.addr_scale, $i.addr_offset);
        address::check(&AddressFields { sfid: $i.sfid, size: $i.addr_size, scale, offset }, $cx);
        surface::check(&Surface { sfid: $i.sfid, ty: $i.addr_type, surface: &$i.surface }, $cx);
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
    surface::check(&Surface { sfid: i.sfid, ty: i.addr_type, surface: &i.surface }, cx);
    TransferSize::of(i.op, i.sfid, i.exec, i.data_elems, i.channels, i.data_size, i.data_order)
        .check(cx);
    data::check(&Data { op: i.op, dst: i.dst, src1: i.src, src2: Raw::NULL }, cx);
}

pub(super) fn check_typed(i: &TypedAccess, cx: &mut Context<'_>) {
    let sfid = LscSfid::TGM;
    cache::check(&CacheFields { op: i.op, sfid, l1: i.l1, l3: i.l3 }, cx);
    address::check(&AddressFields { sfid, size: i.addr_size, scale: 0, offset: 0 }, cx);
    surface::check(&Surface { sfid, ty: i.addr_type, surface: &i.surface }, cx);
    TransferSize::of(i.op, sfid, i.exec, i.data_elems, i.channels, i.data_size, i.data_order)
        .check(cx);
    coordinates::check(i, cx);
    data::check(&Data { op: i.op, dst: i.dst, src1: i.src1, src2: i.src2 }, cx);
}
