//! Rules for messages to the load-store cache (LSC).
//!
//! The source of these rules is the reference's verifier. Where the current reference differs from
//! the one of 2022, the rules depend on the dialect.

pub(super) mod block2d;
pub(super) mod shape;

use super::{Context, RuleContext};
use crate::format::{Dialect, Format};
use crate::isa::LscFence;
use crate::isa::lsc::{Access, AppendCounter, CacheControl, Strided, TypedAccess};
use crate::isa::payload::lsc::Transfer;
use crate::isa::payload::{Payloads, Sizes};
use crate::operand::lsc::{
    LscAddrSize, LscAddrType, LscCache, LscCacheOp, LscCacheSize, LscFenceOp, LscFlags, LscOp,
    LscOpClass, LscScope, LscSfid,
};
use crate::operand::{DataType, Raw, Vector, VectorKind};
use crate::verify::rule::rules;

/// The cache controls of a message.
pub(in crate::verify) struct CacheFields {
    op: LscOp,
    sfid: LscSfid,
    l1: LscCache,
    l2: Option<LscCache>,
    l3: LscCache,
}

impl CacheFields {
    /// Returns whether the controls of L1, L2 and L3 are legal, with efficient 64-bit addressing.
    fn is_legal_triple(&self, l2: LscCache) -> bool {
        use LscOpClass::*;
        type C = LscCache;
        let is_read = |cache| matches!(cache, C::UNCACHED | C::CACHED);
        let is_written = |cache| matches!(cache, C::UNCACHED | C::WRITEBACK);
        match (self.op.class(), self.l1, l2, self.l3) {
            (_, C::DEFAULT, C::DEFAULT, C::DEFAULT)
            | (_, C::UNCACHED, C::UNCACHED, C::UNCACHED) => true,
            (Load, C::UNCACHED | C::CACHED | C::STREAMING, l2, l3) => is_read(l2) && is_read(l3),
            (Load, C::READINVALIDATE, C::READINVALIDATE, C::READINVALIDATE) => true,
            (Load, ..) => false,
            (_, C::UNCACHED, C::UNCACHED, C::WRITEBACK)
            | (_, C::UNCACHED, C::WRITEBACK, C::UNCACHED) => true,
            (Atomic { .. }, ..) => false,
            (_, C::UNCACHED, C::WRITEBACK, C::WRITEBACK) => true,
            (_, C::STREAMING | C::WRITEBACK, C::WRITEBACK, C::WRITEBACK) => false,
            (_, C::WRITETHROUGH | C::STREAMING | C::WRITEBACK, l2, l3) => {
                is_written(l2) && is_written(l3)
            }
            _ => false,
        }
    }

    /// Returns whether the controls of L1 and L3 are legal. Only dialect Igc2026 has the newer
    /// ones, and only from Xe2 on.
    fn is_legal(&self, has_newer: bool) -> bool {
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
            | (Load, C::CACHED, C::CONSTCACHED) => has_newer,
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
    /// The cache controls exist for the operation. Before Xe2, they are the default for typed and
    /// tile-local memory.
    fn cache "lsc-cache" (Refuses, ANY, "reference") |i, c| {
        if (i.l1, i.l2.unwrap_or_default(), i.l3) == Default::default() {
            return;
        }
        let fixed = matches!(i.sfid, LscSfid::TGM | LscSfid::UGML);
        let l2 = i.l2.filter(|l2| *l2 != LscCache::DEFAULT);
        let has_newer = c.format().dialect == Dialect::Igc2026 && !c.is_on(before(Xe2));
        let is_legal = match l2 {
            Some(l2) => !c.is_efficient_64bit() || i.is_legal_triple(l2),
            None => i.l2.is_some() && c.is_efficient_64bit() || i.is_legal(has_newer),
        };
        let controls = || {
            let middle = l2.map(|l2| alloc::format!(".{l2}")).unwrap_or_default();
            alloc::format!("{}{middle}.{}", i.l1, i.l3)
        };
        if fixed && c.is_on(before(Xe2)) {
            c.fail("l1", controls(), "default cache controls");
        } else if !is_legal {
            let kind = match i.op.class() {
                LscOpClass::Load => "loads",
                LscOpClass::Atomic { .. } => "atomics",
                _ => "stores",
            };
            c.report("l1", format_args!("{} is not available for {kind}", controls()));
        }
    }

    /// A message has cache controls for L1, L2 and L3 with efficient 64-bit addressing, and for L1
    /// and L3 without.
    fn count "lsc-cache-count" (Accepts, ANY, "reference") |i, c| {
        let has_l2 = match i.l2 {
            None => return,
            Some(LscCache::DEFAULT) if (i.l1, i.l3) == Default::default() => return,
            Some(l2) => l2 != LscCache::DEFAULT,
        };
        match (has_l2, c.is_efficient_64bit()) {
            (false, true) => c.fail("l2", "two", "three cache controls"),
            (true, false) => c.fail("l2", "three", "two cache controls"),
            _ => {}
        }
    }
}

/// The modifiers of a message.
pub(in crate::verify) struct FlagFields {
    op: LscOp,
    sfid: LscSfid,
    flags: LscFlags,
}

rules! { flags for FlagFields;
    /// Only LOAD, LOAD_QUAD and LOAD_STATUS from ugm have the modifier OVERFETCH, and only typed
    /// atomics have MSAA.
    fn flags "lsc-flags" (Refuses, ANY, "reference") |i, c| {
        let legal = LscFlags::of(i.op, i.sfid);
        if !legal.contains(i.flags) {
            c.fail("flags", i.flags, legal);
        }
    }
}

rules! { operation for LscOp;
    /// LOAD_QUAD_STATUS and CCS_UPDATE are not available in 4.2, and strided messages are not
    /// available with efficient 64-bit addressing.
    fn operation "lsc-operation" (Refuses, ANY, "reference") |op, c| {
        let is_refused = match *op {
            LscOp::LOAD_QUAD_STATUS | LscOp::CCS_UPDATE => c.format() == Format::V4_2,
            LscOp::LOAD_STRIDED | LscOp::STORE_STRIDED => c.is_efficient_64bit(),
            _ => false,
        };
        if is_refused {
            c.report("op", format_args!("{op} is not available"));
        }
    }
}

/// The fields that determine addresses.
pub(in crate::verify) struct AddressFields {
    sfid: LscSfid,
    ty: LscAddrType,
    size: LscAddrSize,
    scale: u16,
    offset: i32,
    /// The field with the addresses and its value, unless they are coordinates.
    addrs: Option<(&'static str, Raw)>,
    /// The number of bytes of the addresses.
    bytes: i64,
}

rules! { address for AddressFields;
    /// The scale of addresses is 0 or a power of two, and in 4.2 0 or 1. This does not apply with
    /// efficient 64-bit addressing.
    fn scale "lsc-scale" (Crashes, ANY, "reference") |i, c| {
        let expected = match c.format() == Format::V4_2 {
            _ if c.is_efficient_64bit() => return,
            true if i.scale > 1 => "1",
            false if !i.scale.is_power_of_two() && i.scale != 0 => "a power of two",
            _ => return,
        };
        c.fail("addr_scale", i.scale, expected);
    }

    /// Only shared local memory has addresses of 16 bits. Shared local memory and typed memory have
    /// no addresses of 64 bits.
    fn size "lsc-addr-size" (Refuses, ANY, "reference") |i, c| {
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
    fn offset "lsc-offset16" (Refuses, ANY, "reference") |i, c| {
        if i.size == LscAddrSize::A16 && !(-0x7fff..=0x7fff).contains(&i.offset) {
            c.fail("addr_offset", i.offset, "-32767 to 32767");
        }
    }

    /// With efficient 64-bit addressing, flat addresses have size a64, a32u or a32s, but a32 in
    /// shared local memory. Addresses of type surf have size a32u. Only typed memory has addresses
    /// of types bss and ss, and shared local memory has none of type arg.
    fn efficient "lsc-efficient-addr" (Crashes, ANY, "reference") |i, c| {
        type A = LscAddrSize;
        let legal = match (i.ty, i.sfid) {
            _ if !c.is_efficient_64bit() => true,
            (_, LscSfid::TGM) => true,
            (LscAddrType::FLAT, LscSfid::SLM) => i.size == A::A32,
            (_, LscSfid::SLM) => i.ty != LscAddrType::ARG,
            (LscAddrType::FLAT, _) => matches!(i.size, A::A64 | A::A32U | A::A32S),
            (LscAddrType::SURF, _) => i.size == A::A32U,
            (LscAddrType::BSS | LscAddrType::SS, _) => false,
            _ => true,
        };
        if !legal {
            let (sfid, ty, size) = (i.sfid, i.ty, i.size);
            let mode = "with efficient 64-bit addressing";
            let message = alloc::format!("{sfid} has no {ty} addresses of size {size} {mode}");
            c.report("addr_size", message);
        }
    }

    /// In 4.2, addresses of 64 bits have type q or uq, and those of 32 bits d or ud. They may be
    /// null only with efficient 64-bit addressing and zero extension.
    fn payload "lsc-addr-payload" (Refuses, ANY, "reference") |i, c| {
        let Some((field, addrs)) = i.addrs.filter(|_| c.format() == Format::V4_2) else { return };
        if addrs.is_null() {
            if i.size != LscAddrSize::A32U || !c.is_efficient_64bit() {
                c.fail(field, "null", "a variable");
            }
            return;
        }
        let (legal, expected) = match i.size {
            LscAddrSize::A64 => ([DataType::Q, DataType::UQ], "type q or uq"),
            LscAddrSize::A16 => return,
            _ => ([DataType::D, DataType::UD], "type d or ud"),
        };
        if let Some(ty) = c.raw_ty(addrs).filter(|ty| !legal.contains(ty)) {
            c.fail(field, format_args!("type {ty}"), expected);
        }
    }

    /// A message has an address for each lane, and a message that transposes data has one.
    fn bounds "lsc-addr-bounds" (Crashes, ANY, "5_operands, Raw Operands") |i, c| {
        if let Some((field, addrs)) = i.addrs {
            c.require_bytes_of_root(field, addrs, i.bytes);
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
    /// Messages with flat addresses have no surface and do not access typed memory; with efficient
    /// 64-bit addressing, they may have a base. Other messages have a surface and do not access
    /// shared local memory.
    fn surface "lsc-surface" (Refuses, ANY, "reference") |i, c| {
        let wrong = match i.ty {
            LscAddrType::FLAT | LscAddrType::ARG => LscSfid::TGM,
            LscAddrType::BSS | LscAddrType::SS | LscAddrType::BTI => LscSfid::SLM,
            LscAddrType::SURF if c.format().dialect == Dialect::Igc2026 => LscSfid::SLM,
            _ => return c.report("addr_type", format_args!("invalid address type {}", i.ty)),
        };
        if i.sfid == wrong {
            c.report("addr_type", format_args!("{wrong} has no addresses of type {}", i.ty));
        }
        let has_base = i.ty == LscAddrType::FLAT && c.is_efficient_64bit();
        match (wrong == LscSfid::TGM, i.surface.kind) {
            (true, VectorKind::Immediate(_) | VectorKind::General { .. }) if has_base => {}
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
    fn operands "lsc-operands" (Refuses, ANY, "reference") |i, c| {
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

/// The raw operands of a message with data, and the size of the data.
pub(in crate::verify) struct DataBounds {
    dst: Raw,
    src1: Raw,
    src2: Raw,
    /// The number of bytes of each operand with data; 0 if it is unknown.
    bytes: i64,
}

rules! { bounds for DataBounds;
    /// The destination of a message contains the data of all lanes.
    fn dst "lsc-dst-bounds" (Crashes, ANY, "5_operands, Raw Operands") |i, c| {
        c.require_bytes_of_root("dst", i.dst, i.bytes);
    }

    /// The data sources of a message contain the data of all lanes.
    fn sources "lsc-src-bounds" (Miscompiles, ANY, "5_operands, Raw Operands") |i, c| {
        c.require_bytes_of_root("src1", i.src1, i.bytes);
        c.require_bytes_of_root("src2", i.src2, i.bytes);
    }
}

rules! { pitch for Vector;
    /// The pitch of a strided message is a variable or a constant of up to 65535. In 4.2, it may be
    /// absent.
    fn pitch "lsc-pitch" (Refuses, ANY, "reference") |pitch, c| {
        match pitch.kind {
            VectorKind::Immediate(imm) => {
                let value = imm.bits() as u32 as i32;
                if value > 0xffff {
                    c.fail("addr_pitch", value, "at most 65535");
                }
            }
            VectorKind::General { .. } if c.format() == Format::V4_2 => {}
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
    fn coordinates "lsc-coordinates" (Refuses, ANY, "reference") |i, c| {
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
    fn op "lsc-fence-op" (Refuses, ANY, "reference") |i, c| {
        if i.op > LscFenceOp::TYPE6 {
            c.fail("op", i.op, "operation 0 to 6");
        }
    }

    /// The scope of an LSC fence is 0 to 6.
    fn scope "lsc-fence-scope" (Refuses, ANY, "reference") |i, c| {
        if i.scope > LscScope::SYSACQ {
            c.fail("scope", i.scope, "scope 0 to 6");
        }
    }

    /// An LSC fence of shared local memory has operation none and scope group.
    fn local "lsc-fence-slm" (Refuses, ANY, "reference") |i, c| {
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

rules! { counter for AppendCounter;
    /// In 4.2, an append counter has the address `[%null]` with efficient 64-bit addressing, and no
    /// address without.
    fn form "lsc-append-counter-form" (Crashes, ANY, "reference") |i, c| {
        let expected = match c.is_efficient_64bit() {
            true => LscAddrSize::A32U,
            false => LscAddrSize::default(),
        };
        match i.addr_size {
            Some(size) if size != expected && expected == LscAddrSize::A32U => {
                c.fail("addr_size", "no address", "`[%null]`");
            }
            Some(size) if size != expected => c.fail("addr_size", "`[%null]`", "no address"),
            _ => {}
        }
    }
}

rules! { cache_control for CacheControl;
    /// A change of cache lines is a message to ugm with efficient 64-bit addressing. Its addresses
    /// are flat and have 64 bits.
    fn address "lsc-cache-control" (Refuses, ANY, "reference") |i, c| {
        if !c.is_efficient_64bit() {
            let message = alloc::format!("{} requires efficient 64-bit addressing", i.op);
            return c.report("op", message);
        }
        if i.sfid != LscSfid::UGM {
            c.fail("sfid", i.sfid, LscSfid::UGM);
        }
        if i.addr_type != LscAddrType::FLAT {
            c.fail("addr_type", i.addr_type, LscAddrType::FLAT);
        }
        if i.addr_size != LscAddrSize::A64 {
            c.fail("addr_size", i.addr_size, LscAddrSize::A64);
        }
    }

    /// The addresses of a change of cache lines have no base, scale or offset.
    fn base "lsc-cache-control-base" (Accepts, ANY, "reference") |i, c| {
        if i.addr_scale > 1 {
            c.fail("addr_scale", i.addr_scale, 1);
        }
        if i.addr_offset != 0 {
            c.fail("addr_offset", i.addr_offset, 0);
        }
        if !matches!(i.surface.kind, VectorKind::Immediate(imm) if imm.bits() == 0) {
            c.fail("surface", "a base", "none");
        }
    }

    /// A change of cache lines resets 64 bytes per lane. The compiler ignores other operations and
    /// sizes.
    fn change "lsc-cache-control-op" (Accepts (Warning in Manual), ANY, "reference") |i, c| {
        if i.cache_op != LscCacheOp::RESET {
            c.fail("cache_op", i.cache_op, LscCacheOp::RESET);
        }
        if i.cache_size != LscCacheSize::B64 {
            c.fail("cache_size", i.cache_size, LscCacheSize::B64);
        }
    }
}

/// Applies the rules of cache controls, of the address model and of the operation.
macro_rules! check_common {
    ($i:ident, $cx:ident, $sfid:expr) => {
        let (op, sfid) = ($i.op, $sfid);
        operation::check(&op, $cx);
        cache::check(&CacheFields { op, sfid, l1: $i.l1, l2: $i.l2.into(), l3: $i.l3 }, $cx);
        surface::check(&SurfaceFields { sfid, ty: $i.addr_type, surface: &$i.surface }, $cx);
    };
}

/// Applies the rules of addresses, which are in this field.
macro_rules! check_addresses {
    ($i:ident, $cx:ident, $addrs:ident) => {
        let field = stringify!($addrs);
        let payload = $i.payload(field, Sizes { element: 0, register: $cx.grf });
        let fields = AddressFields {
            sfid: $i.sfid,
            ty: $i.addr_type,
            size: $i.addr_size,
            scale: $i.addr_scale,
            offset: $i.addr_offset,
            addrs: Some((field, $i.$addrs)),
            bytes: payload.map_or(0, |payload| payload.bytes()),
        };
        address::check(&fields, $cx);
    };
}

/// Applies the rules of data and its shape.
macro_rules! check_data {
    ($i:ident, $cx:ident, $src1:expr, $src2:expr) => {
        let transfer = Transfer::from($i);
        transfer.check($cx);
        let (dst, src1, src2) = ($i.dst, $src1, $src2);
        data::check(&Data { op: $i.op, dst, src1, src2 }, $cx);
        // The sizes of statuses are upper bounds.
        let payload = transfer.payload($cx.grf).filter(|payload| payload.is_exact);
        // The compiler accepts variables without the gaps of small execution sizes.
        let bytes = payload.map_or(0, |payload| payload.without_gaps($cx.grf).bytes());
        bounds::check(&DataBounds { dst, src1, src2, bytes }, $cx);
    };
}

pub(super) fn check_access(i: &Access, cx: &mut Context<'_>) {
    check_common!(i, cx, i.sfid);
    check_addresses!(i, cx, addrs);
    let flags = i.flags.unwrap_or_default();
    flags::check(&FlagFields { op: i.op, sfid: i.sfid, flags }, cx);
    check_data!(i, cx, i.src1, i.src2);
}

pub(super) fn check_strided(i: &Strided, cx: &mut Context<'_>) {
    check_common!(i, cx, i.sfid);
    check_addresses!(i, cx, addr_base);
    check_data!(i, cx, i.src1, Raw::NULL);
    pitch::check(&i.addr_pitch, cx);
}

pub(super) fn check_append_counter(i: &AppendCounter, cx: &mut Context<'_>) {
    check_common!(i, cx, i.sfid);
    counter::check(i, cx);
    check_data!(i, cx, i.src, Raw::NULL);
}

pub(super) fn check_cache_control(i: &CacheControl, cx: &mut Context<'_>) {
    check_common!(i, cx, i.sfid);
    check_addresses!(i, cx, addrs);
    cache_control::check(i, cx);
}

pub(super) fn check_typed(i: &TypedAccess, cx: &mut Context<'_>) {
    let sfid = LscSfid::TGM;
    check_common!(i, cx, sfid);
    let (ty, size) = (i.addr_type, i.addr_size);
    let fields = AddressFields { sfid, ty, size, scale: 0, offset: 0, addrs: None, bytes: 0 };
    address::check(&fields, cx);
    let flags = i.flags.unwrap_or_default();
    flags::check(&FlagFields { op: i.op, sfid, flags }, cx);
    check_data!(i, cx, i.src1, i.src2);
    coordinates::check(i, cx);
}
