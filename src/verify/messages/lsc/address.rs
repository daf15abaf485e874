//! Rules for addresses, surfaces and coordinates.

use crate::format::{Dialect, Format};
use crate::isa::lsc::TypedAccess;
use crate::operand::lsc::{LscAddrSize, LscAddrType, LscOp, LscSfid};
use crate::operand::{DataType, Raw, Vector, VectorKind};
use crate::verify::context::RuleContext;
use crate::verify::field::{Field, field};
use crate::verify::rule::rules;

/// The fields that determine addresses.
pub(in crate::verify) struct AddressFields {
    pub(super) sfid: LscSfid,
    pub(super) ty: LscAddrType,
    pub(super) size: LscAddrSize,
    pub(super) scale: u16,
    pub(super) offset: i32,
    /// The field with the addresses and its value, unless they are coordinates.
    pub(super) addrs: Option<(Field, Raw)>,
    /// The number of bytes of the addresses.
    pub(super) bytes: i64,
}

rules! { fields for AddressFields;
    /// The scale of addresses is 0 or a power of two, and in 4.2 it is 1. This does not apply with
    /// efficient 64-bit addressing.
    fn scale "lsc-scale" (Crashes, ANY, "IGC") |i, c| {
        let expected = match c.format() == Format::V4_2 {
            _ if c.is_efficient_64bit() => return,
            true if i.scale != 1 && i.addrs.is_some() => "1",
            false if !i.scale.is_power_of_two() && i.scale != 0 => "a power of two",
            _ => return,
        };
        c.fail(field!(lsc::Access.addr_scale), i.scale, expected);
    }

    /// Only shared local memory has addresses of 16 bits. Shared local memory and typed memory have
    /// no addresses of 64 bits.
    fn size "lsc-addr-size" (Refuses, ANY, "IGC") |i, c| {
        let legal = match i.size {
            LscAddrSize::A16 => i.sfid == LscSfid::SLM,
            LscAddrSize::A64 => !matches!(i.sfid, LscSfid::TGM | LscSfid::SLM),
            _ => true,
        };
        if !legal {
            c.report(field!(lsc::Access.addr_size), format_args!("{} has no addresses of size {}", i.sfid, i.size));
        }
    }

    /// The offset of 16-bit addresses is -32767 to 32767.
    fn offset "lsc-offset16" (Refuses, ANY, "IGC") |i, c| {
        if i.size == LscAddrSize::A16 && !(-0x7fff..=0x7fff).contains(&i.offset) {
            c.fail(field!(lsc::Access.addr_offset), i.offset, "-32767 to 32767");
        }
    }

    /// With efficient 64-bit addressing, flat addresses have size a64, a32u or a32s, but a32 in
    /// shared local memory. Addresses of type surf have size a32u. Only typed memory has addresses
    /// of types bss and ss, and shared local memory has none of type arg.
    fn efficient "lsc-efficient-addr" (Crashes, ANY, "IGC") |i, c| {
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
            c.report(field!(lsc::Access.addr_size), message);
        }
    }

    /// 64-bit addresses have type q or uq, and 32-bit addresses d or ud. In 4.2, they may be null
    /// only with efficient 64-bit addressing and zero extension.
    fn payload "lsc-addr-payload" (Refuses, ANY, "IGC") |i, c| {
        let Some((field, addrs)) = i.addrs else { return };
        let is_4_2 = c.format() == Format::V4_2;
        if addrs.is_null() {
            if is_4_2 && (i.size != LscAddrSize::A32U || !c.is_efficient_64bit()) {
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
    pub(super) sfid: LscSfid,
    pub(super) ty: LscAddrType,
    pub(super) surface: &'i Vector,
    /// The number of states after the one of the surface.
    pub(super) index: u32,
}

/// The bits of the index of a surface: that of a binding table, and that after a state.
const BTI: u32 = 0xff;
const INDEX: u32 = 0x3ff_ffff;

rules! { surface for SurfaceFields<'_>;
    /// The index of a binding table has 8 bits, and the index after the state of a surface 26 bits.
    fn index "lsc-surface-index" (Changes, ANY, "IGC") |i, c| {
        let constant = match i.surface.kind {
            VectorKind::Immediate(imm) if i.ty == LscAddrType::BTI => imm.bits() as u32,
            _ => 0,
        };
        for (field, value, bits) in [
            (field!(lsc::Access.surface), constant, BTI),
            (field!(lsc::Access.surface_index), i.index, INDEX),
        ] {
            if value > bits {
                c.fail_changed(
                    field,
                    format_args!("{value:#x}"),
                    format_args!("at most {bits:#x}"),
                    format_args!("{:#x}", value & bits),
                );
            }
        }
    }

    /// Messages with flat addresses have no surface and do not access typed memory; with efficient
    /// 64-bit addressing, they may have a base. Other messages have a surface and do not access
    /// shared local memory. Without efficient 64-bit addressing, the surface of addresses of type
    /// surf is no constant other than 0.
    fn surface "lsc-surface" (Refuses, ANY, "IGC") |i, c| {
        let wrong = match i.ty {
            LscAddrType::FLAT | LscAddrType::ARG => LscSfid::TGM,
            LscAddrType::BSS | LscAddrType::SS | LscAddrType::BTI => LscSfid::SLM,
            LscAddrType::SURF if c.format().dialect == Dialect::Igc2026 => LscSfid::SLM,
            _ => return c.report(field!(lsc::Access.addr_type), format_args!("invalid address type {}", i.ty)),
        };
        if i.sfid == wrong {
            c.report(field!(lsc::Access.addr_type), format_args!("{wrong} has no addresses of type {}", i.ty));
        }
        let has_base = i.ty == LscAddrType::FLAT && c.is_efficient_64bit();
        match (wrong == LscSfid::TGM, i.surface.kind) {
            (true, VectorKind::Immediate(_) | VectorKind::General { .. }) if has_base => {}
            (true, VectorKind::Immediate(imm)) if imm.bits() as u32 != 0 => {
                c.fail(field!(lsc::Access.surface), format_args!("{:#x}", imm.bits()), "0");
            }
            (true, VectorKind::General { var, .. }) if !Raw::from(var).is_null() => {
                let name = c.name(var);
                c.fail(field!(lsc::Access.surface), name, "null");
            }
            (false, VectorKind::General { var, .. }) if Raw::from(var).is_null() => {
                c.fail(field!(lsc::Access.surface), "null", "a surface");
            }
            (false, VectorKind::Immediate(imm))
                if i.ty == LscAddrType::SURF
                    && imm.bits() as u32 != 0
                    && c.cx.is_without_efficient_64bit() =>
            {
                c.fail(field!(lsc::Access.surface), format_args!("{:#x}", imm.bits()), "a variable");
            }
            (_, VectorKind::Immediate(_) | VectorKind::General { .. }) => {}
            _ => c.report(field!(lsc::Access.surface), "the operand is neither a variable nor a constant"),
        }
    }
}

rules! { pitch for Vector;
    /// The pitch of a strided message is a variable or a constant of up to 65535. In 4.2, it may be
    /// absent.
    fn pitch "lsc-pitch" (Refuses, ANY, "IGC") |pitch, c| {
        match pitch.kind {
            VectorKind::Immediate(imm) => {
                let value = imm.bits() as u32 as i32;
                if value > 0xffff {
                    c.fail(field!(lsc::Strided.addr_pitch), value, "at most 65535");
                }
            }
            VectorKind::General { .. } if c.format() == Format::V4_2 => {}
            VectorKind::General { .. } => require_not_null(field!(lsc::Strided.addr_pitch), pitch, c),
            _ => c.report(field!(lsc::Strided.addr_pitch), "the operand is neither a variable nor a constant"),
        }
    }
}

/// Requires that a scalar is not the null variable.
pub(super) fn require_not_null(field: Field, scalar: &Vector, c: &mut RuleContext<'_, '_>) {
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
    fn coordinates "lsc-coordinates" (Refuses, ANY, "IGC") |i, c| {
        let reads_state = i.op == LscOp::READ_STATE_INFO;
        let has_u = !(reads_state && c.format().dialect == Dialect::Igc2022);
        if i.u.is_null() && has_u {
            c.fail(field!(lsc::TypedAccess.u), "null", "a variable");
        } else if !i.u.is_null() && !has_u {
            let name = c.name(i.u.var);
            c.fail(field!(lsc::TypedAccess.u), name, "null");
        }
        if reads_state {
            for (field, raw) in [(field!(lsc::TypedAccess.v), i.v), (field!(lsc::TypedAccess.r), i.r), (field!(lsc::TypedAccess.lod), i.lod)] {
                if !raw.is_null() {
                    let name = c.name(raw.var);
                    c.fail(field, name, "null");
                }
            }
        }
    }
}
