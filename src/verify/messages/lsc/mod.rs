//! Rules for messages to the load-store cache (LSC).
//!
//! The source of these rules is GenX_IR's verifier. Where GenX_IR 17791 differs from
//! the one of 2022, the rules depend on the dialect.

mod address;
mod block2d;
mod cache;
mod data;
mod shape;

use super::Context;
use crate::format::Format;
use crate::isa::lsc::{
    Access, AppendCounter, CacheControl, LscTyped, LscUntyped, Strided, TypedAccess,
};
use crate::isa::payload::lsc::Transfer;
use crate::isa::payload::{Payloads, Sizes};
use crate::isa::{Instruction, LscFence};
use crate::operand::lsc::{LscAddrSize, LscFenceOp, LscFlags, LscOp, LscScope, LscSfid};
use crate::operand::{ExecSize, Raw};
use crate::verify::field::{Field, field};
use crate::verify::rule::{Rule, rules};
use address::{AddressFields, SurfaceFields, coordinates, pitch, surface};
pub use cache::CacheControls;
use cache::{CacheFields, cache_control};
use data::{Data, DataBounds, bounds};

/// The modifiers of a message.
pub(in crate::verify) struct FlagFields {
    op: LscOp,
    sfid: LscSfid,
    flags: LscFlags,
}

rules! { flags for FlagFields;
    /// In 4.2, LOAD_STATUS does not read typed memory.
    fn status "lsc-typed-status" (Refuses, ANY, "IGC") |i, c| {
        let is_typed = i.op == LscOp::LOAD_STATUS && i.sfid == LscSfid::TGM;
        if is_typed && c.format() == Format::V4_2 {
            c.fail(field!(lsc::Access.sfid), i.sfid, "untyped memory");
        }
    }

    /// Only LOAD, LOAD_QUAD and LOAD_STATUS from ugm have the modifier OVERFETCH, and only typed
    /// atomics have MSAA.
    fn flags "lsc-flags" (Refuses, ANY, "IGC") |i, c| {
        let legal = LscFlags::of(i.op, i.sfid);
        if !legal.contains(i.flags) {
            c.fail(field!(lsc::Access.flags), i.flags, legal);
        }
    }
}

/// The operation of a message, and its shared function.
pub(in crate::verify) struct OperationFields {
    op: LscOp,
    sfid: LscSfid,
}

rules! { operation for OperationFields;
    /// LOAD_QUAD_STATUS, CCS_UPDATE and STORE_UNCOMPRESSED of typed memory are not available in 4.2, and
    /// strided messages are not available with efficient 64-bit addressing.
    fn operation "lsc-operation" (Refuses, ANY, "IGC") |fields, c| {
        let OperationFields { op, sfid } = *fields;
        let is_refused = match op {
            LscOp::LOAD_QUAD_STATUS | LscOp::CCS_UPDATE => c.format() == Format::V4_2,
            LscOp::STORE_UNCOMPRESSED => c.format() == Format::V4_2 && sfid == LscSfid::TGM,
            LscOp::LOAD_STRIDED | LscOp::STORE_STRIDED => c.is_efficient_64bit(),
            _ => false,
        };
        if is_refused {
            let of = if op == LscOp::STORE_UNCOMPRESSED { " in typed memory" } else { "" };
            c.report(field!(lsc::Access.op), format_args!("{op} is not available{of}"));
        }
    }
}

rules! { fence for LscFence;
    /// The operation of an LSC fence is 0 to 6.
    fn op "lsc-fence-op" (Refuses, ANY, "IGC") |i, c| {
        if i.op > LscFenceOp::TYPE6 {
            c.fail(field!(LscFence.op), i.op, "operation 0 to 6");
        }
    }

    /// The scope of an LSC fence is 0 to 6.
    fn scope "lsc-fence-scope" (Refuses, ANY, "IGC") |i, c| {
        if i.scope > LscScope::SYSACQ {
            c.fail(field!(LscFence.scope), i.scope, "scope 0 to 6");
        }
    }

    /// An LSC fence of shared local memory has operation none and scope group.
    fn local "lsc-fence-slm" (Refuses, ANY, "IGC") |i, c| {
        if i.sfid != LscSfid::SLM {
            return;
        }
        if i.op != LscFenceOp::NONE && i.op <= LscFenceOp::TYPE6 {
            c.fail(field!(LscFence.op), i.op, format_args!("operation {}", LscFenceOp::NONE));
        }
        if i.scope != LscScope::GROUP && i.scope <= LscScope::SYSACQ {
            c.fail(field!(LscFence.scope), i.scope, format_args!("scope {}", LscScope::GROUP));
        }
    }
}

rules! { counter for AppendCounter;
    /// Before PVC, an append counter has at most 16 lanes.
    fn lanes "lsc-append-counter-lanes" (Crashes, before(PvcSdv), "IGC") |i, c| {
        if i.exec.size > ExecSize::S16 {
            c.fail(field!(lsc::AppendCounter.exec), i.exec.size.lanes(), "at most 16 lanes");
        }
    }

    /// In 4.2, an append counter has the address `[%null]` with efficient 64-bit addressing, and no
    /// address without.
    fn form "lsc-append-counter-form" (Crashes, ANY, "IGC") |i, c| {
        let expected = match c.is_efficient_64bit() {
            true => LscAddrSize::A32U,
            false => LscAddrSize::default(),
        };
        match i.addr_size {
            Some(size) if size != expected && expected == LscAddrSize::A32U => {
                c.fail(field!(lsc::AppendCounter.addr_size), "no address", "`[%null]`");
            }
            Some(size) if size != expected => c.fail(field!(lsc::AppendCounter.addr_size), "`[%null]`", "no address"),
            _ => {}
        }
    }
}

/// Applies the rules of cache controls, of the address model and of the operation.
macro_rules! check_common {
    ($i:ident, $cx:ident, $sfid:expr) => {
        let (op, sfid) = ($i.op, $sfid);
        operation::check(&OperationFields { op, sfid }, $cx);
        cache::fields::check(
            &CacheFields { op, sfid, l1: $i.l1, l2: $i.l2.into(), l3: $i.l3 },
            $cx,
        );
        let index = Option::<u32>::from($i.surface_index).unwrap_or_default();
        let (ty, surface) = ($i.addr_type, &$i.surface);
        surface::check(&SurfaceFields { sfid, ty, surface, index }, $cx);
    };
}

/// Applies the rules of addresses, which are in this field.
macro_rules! check_addresses {
    ($i:ident, $cx:ident, $addrs:ident) => {
        let field = Field::of_row(stringify!($addrs));
        let payload =
            $i.payload(field.name(), Sizes { element: 0, register: $cx.registers.bytes() });
        let fields = AddressFields {
            sfid: $i.sfid,
            ty: $i.addr_type,
            size: $i.addr_size,
            scale: $i.addr_scale,
            offset: $i.addr_offset,
            addrs: Some((field, $i.$addrs)),
            bytes: payload.map_or(0, |payload| payload.bytes()),
        };
        address::fields::check(&fields, $cx);
    };
}

/// Applies the rules of data and its shape.
macro_rules! check_data {
    ($i:ident, $cx:ident, $src1:expr, $src2:expr) => {
        let transfer = Transfer::from($i);
        transfer.check($cx);
        let (dst, src1, src2) = ($i.dst, $src1, $src2);
        data::operands::check(&Data { op: $i.op, dst, src1, src2 }, $cx);
        // The sizes of statuses are upper bounds.
        let payload = transfer.payload($cx.registers.bytes()).filter(|payload| payload.is_exact);
        // The compiler accepts variables without the gaps of small execution sizes.
        let bytes =
            payload.map_or(0, |payload| payload.without_gaps($cx.registers.bytes()).bytes());
        let read = bytes - transfer.ignored_bytes();
        bounds::check(&DataBounds { dst, src1, src2, bytes, read }, $cx);
    };
}

fn check_access(i: &Access, cx: &mut Context<'_>) {
    check_common!(i, cx, i.sfid);
    check_addresses!(i, cx, addrs);
    let flags = i.flags.unwrap_or_default();
    flags::check(&FlagFields { op: i.op, sfid: i.sfid, flags }, cx);
    check_data!(i, cx, i.src1, i.src2);
}

fn check_strided(i: &Strided, cx: &mut Context<'_>) {
    check_common!(i, cx, i.sfid);
    check_addresses!(i, cx, addr_base);
    check_data!(i, cx, i.src1, Raw::NULL);
    pitch::check(&i.addr_pitch, cx);
}

fn check_append_counter(i: &AppendCounter, cx: &mut Context<'_>) {
    check_common!(i, cx, i.sfid);
    counter::check(i, cx);
    check_data!(i, cx, i.src, Raw::NULL);
}

fn check_cache_control(i: &CacheControl, cx: &mut Context<'_>) {
    check_common!(i, cx, i.sfid);
    check_addresses!(i, cx, addrs);
    cache_control::check(i, cx);
}

fn check_typed(i: &TypedAccess, cx: &mut Context<'_>) {
    let sfid = LscSfid::TGM;
    check_common!(i, cx, sfid);
    let (ty, size) = (i.addr_type, i.addr_size);
    let fields = AddressFields { sfid, ty, size, scale: 0, offset: 0, addrs: None, bytes: 0 };
    address::fields::check(&fields, cx);
    let flags = i.flags.unwrap_or_default();
    flags::check(&FlagFields { op: i.op, sfid, flags }, cx);
    check_data!(i, cx, i.src1, i.src2);
    coordinates::check(i, cx);
}

/// The rules of this module.
pub(in crate::verify) static RULES: &[&[&Rule]] = &[
    cache::fields::RULES,
    flags::RULES,
    operation::RULES,
    address::fields::RULES,
    address::surface::RULES,
    shape::coding::RULES,
    shape::transfer::RULES,
    data::operands::RULES,
    data::bounds::RULES,
    address::pitch::RULES,
    address::coordinates::RULES,
    counter::RULES,
    cache::cache_control::RULES,
    block2d::untyped::RULES,
    block2d::untyped_4_2::RULES,
    block2d::bounds::RULES,
    block2d::typed::RULES,
    fence::RULES,
];

/// Applies the rules to an instruction.
pub(super) fn check(instruction: &Instruction, cx: &mut Context<'_>) {
    match instruction {
        Instruction::LscUntyped(LscUntyped::Access(i)) => check_access(i, cx),
        Instruction::LscUntyped(LscUntyped::Strided(i)) => check_strided(i, cx),
        Instruction::LscUntyped(LscUntyped::Block2d(i)) => block2d::check_block2d(i, cx),
        Instruction::LscUntyped(LscUntyped::AppendCounter(i)) => check_append_counter(i, cx),
        Instruction::LscUntyped(LscUntyped::CacheControl(i)) => check_cache_control(i, cx),
        Instruction::LscTyped(LscTyped::TypedAccess(i)) => check_typed(i, cx),
        Instruction::LscTyped(LscTyped::TypedBlock2d(i)) => block2d::check_typed_block2d(i, cx),
        Instruction::LscFence(i) => fence::check(i, cx),
        _ => {}
    }
}
