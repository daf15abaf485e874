//! The addresses of LSC messages.

use alloc::format;

use super::{Gated, gated};
use crate::format::Format;
use crate::operand::lsc::*;
use crate::operand::{Imm, Modifier, Raw, Region, VarId, Vector, VectorKind};
use crate::text::context::{Parser, Printer};
use crate::text::cursor::Parsed;
use crate::text::items::Item;
use crate::text::words::Quirk;

/// A register, and its offset if it is not zero.
pub(in crate::text) struct LscRegister;

impl Item<Raw> for LscRegister {
    fn print(p: &mut Printer<'_>, raw: &Raw) {
        p.var(raw.var);
        if raw.offset != 0 {
            p.id('.', raw.offset);
            p.omit_if(raw.var == VarId::NULL && p.is_v4_2());
        }
    }

    fn parse(p: &mut Parser<'_>, raw: &mut Raw) -> Parsed<()> {
        let (var, _) = p.var()?;
        let offset = if p.c.eat_here(".") { p.raw_offset(var)? } else { 0 };
        *raw = Raw::new(var, offset);
        Ok(())
    }
}

/// A register or an immediate, without region or type. `is_wide` states that an immediate may have 64
/// bits; in 4.2 it always has.
fn print_scalar(p: &mut Printer<'_>, scalar: &Vector, is_wide: bool) {
    p.omit_if(scalar.modifier != Modifier::NONE);
    match scalar.kind {
        VectorKind::Immediate(imm)
            if is_wide
                && (p.is_v4_2()
                    || imm.bits() > u32::MAX.into() && !p.has(Quirk::NewerLscCodes)) =>
        {
            p.line.push("0x");
            p.upper_hex(imm.bits());
            p.omit_if(imm != Imm::uq(imm.bits()));
        }
        VectorKind::Immediate(imm) => {
            p.line.push("0x");
            p.upper_hex(p.imm_bits(imm) & u64::from(u32::MAX));
            p.omit_if(u32::try_from(imm.bits()).is_ok_and(|bits| imm != Imm::ud(bits)));
            p.omit_if(imm.bits() > u32::MAX.into());
        }
        VectorKind::General { var, row, col, region } => {
            p.var(var);
            if (row, col) != (0, 0) {
                p.row_and_column(row, col);
            }
            p.omit_if(region != Region::SCALAR);
        }
        _ => {
            p.line.push("<<BAD_OPERAND_VECTOR_KIND>>");
            p.is_incomplete = true;
        }
    }
}

/// Parses `V32`, `V32.1` or `V32(0,1)`, or an integer.
fn parse_scalar(p: &mut Parser<'_>, is_wide: bool) -> Parsed<Vector> {
    p.c.skip_blanks();
    let is_number = matches!(p.c.peek(), Some(b'0'..=b'9' | b'-' | b'~' | b'!' | b'('));
    if is_number || p.c.is_at_builtin() {
        let start = p.c.at;
        let what = if is_wide { "a 64-bit number" } else { "a 32-bit number" };
        let value: i128 = p.c.calculated(what)?;
        if is_wide {
            p.c.require_short_decimals(start)?;
        }
        // Negative numbers have the bits of unsigned ones.
        let unsigned = match (i32::try_from(value), i64::try_from(value)) {
            (Ok(signed), _) if !is_wide => i128::from(signed as u32),
            (_, Ok(signed)) if is_wide => i128::from(signed as u64),
            _ => value,
        };
        return Ok(match (u32::try_from(unsigned), u64::try_from(unsigned)) {
            (Ok(bits), _) if !is_wide || p.format != Format::V4_2 => Imm::ud(bits).into(),
            (_, Ok(bits)) if is_wide => Imm::uq(bits).into(),
            _ => {
                let message = format!("`{value}` is out of range for {what}");
                return Err(p.c.fail(start..p.c.at, &message));
            }
        });
    }
    let (var, _) = p.var()?;
    let (row, col) = match p.c.peek() {
        Some(b'(') => p.row_and_column()?,
        Some(b'.') => {
            p.c.at += 1;
            (0, p.c.number("a column")?)
        }
        _ => (0, 0),
    };
    Ok(Vector::general_at(var, row, col, Region::SCALAR))
}

/// The help of errors about the order of the operands.
pub(super) const ORDER: &str = "the address, such as `flat[V32]:a64`, follows the destination of a load, and precedes the data of a store";

/// `flat`, or an address model and a base or surface: `bti(0x2)`.
pub(in crate::text) struct LscSurface;

/// The surface of a message that has none.
const NO_SURFACE: Vector = Vector::imm(Imm::ud(0));

/// Returns whether constant surfaces have 64 bits.
fn has_wide_surface(ty: LscAddrType) -> bool {
    matches!(ty, LscAddrType::FLAT | LscAddrType::SURF)
}

impl<I: Gated<u32>> Item<(LscAddrType, Vector, I)> for LscSurface {
    fn print(p: &mut Printer<'_>, &(ty, surface, index): &(LscAddrType, Vector, I)) {
        let name = p.supported_name(ty.name(), ty == LscAddrType::SURF);
        p.lsc_code(name, ty.bits());
        if name.is_none() && p.has(Quirk::NewerLscCodes) {
            return;
        }
        let index = index.get();
        let has_surface = match ty {
            LscAddrType::FLAT => surface != NO_SURFACE && p.is_v4_2(),
            ty => ty != LscAddrType::ARG,
        };
        if !has_surface {
            return p.omit_if(surface != NO_SURFACE || index != 0);
        }
        p.line.ch('(');
        print_scalar(p, &surface, has_wide_surface(ty));
        if index != 0 {
            if p.is_v4_2() {
                p.line.push(",0x");
                p.upper_hex(index);
            } else {
                p.line.push(", ");
                p.line.hex(index);
            }
        }
        p.line.ch(')');
        p.omit_if(ty == LscAddrType::FLAT && index != 0);
    }

    fn parse(
        p: &mut Parser<'_>,
        (ty, surface, index): &mut (LscAddrType, Vector, I),
    ) -> Parsed<()> {
        p.c.skip_blanks();
        (*ty, *surface) = (LscAddrType::FLAT, NO_SURFACE);
        if p.c.peek() == Some(b'[') {
            return Ok(());
        }
        let start = p.c.at;
        let (name, meaning) = (LscAddrType::name, LscAddrType::meaning);
        let model = p.code(start, "an address model", LscAddrType::NAMED, name, meaning);
        *ty = model.inspect_err(|_| p.c.diagnostics.set_last_help(Some(ORDER.into())))?;
        p.c.record_part(0, start);
        match *ty {
            LscAddrType::ARG => return Ok(()),
            LscAddrType::FLAT if !p.c.eat("(") => return Ok(()),
            LscAddrType::FLAT => {}
            _ => p.c.expect("(")?,
        }
        let start = p.c.at;
        *surface = parse_scalar(p, has_wide_surface(*ty))?;
        p.c.record_part(1, start);
        if *ty != LscAddrType::FLAT {
            if p.c.eat(",") {
                let start = p.c.at;
                index.set(p.c.calculated("the index of a surface")?);
                p.c.record_part(2, start);
            }
        } else if matches!(surface.kind, VectorKind::Immediate(imm) if imm.bits() == 0) {
            *surface = NO_SURFACE;
        }
        p.c.expect(")")
    }
}

/// `:a64`
pub(in crate::text) struct LscAddrSizeText;

impl Item<LscAddrSize> for LscAddrSizeText {
    fn print(p: &mut Printer<'_>, size: &LscAddrSize) {
        p.line.ch(':');
        let is_newer = matches!(*size, LscAddrSize::A32U | LscAddrSize::A32S);
        p.lsc_code(p.supported_name(size.name(), is_newer), size.bits());
    }

    fn parse(p: &mut Parser<'_>, size: &mut LscAddrSize) -> Parsed<()> {
        if !p.c.eat(":") {
            return Err(p.c.expected("an address size, such as `:a64`"));
        }
        *size = p.code(
            p.c.at,
            "an address size",
            LscAddrSize::NAMED,
            LscAddrSize::name,
            LscAddrSize::meaning,
        )?;
        Ok(())
    }
}

/// `:a64`, or nothing after `[%null]`, which implies `a32u` in 4.2.
pub(in crate::text) struct LscSizeOf;

impl Item<(Raw, LscAddrSize)> for LscSizeOf {
    fn print(p: &mut Printer<'_>, (addrs, size): &(Raw, LscAddrSize)) {
        if !((*addrs, *size) == (Raw::NULL, LscAddrSize::A32U) && p.is_v4_2()) {
            LscAddrSizeText::print(p, size);
        }
    }

    fn parse(p: &mut Parser<'_>, (addrs, size): &mut (Raw, LscAddrSize)) -> Parsed<()> {
        p.c.skip_blanks();
        if *addrs == Raw::NULL && p.c.peek() != Some(b':') {
            *size = LscAddrSize::A32U;
            return Ok(());
        }
        LscAddrSizeText::parse(p, size)
    }
}

/// Parses an offset with its sign, or nothing for 0. `parse_positive` parses what follows a plus.
fn parse_offset(
    p: &mut Parser<'_>,
    parse_positive: fn(&mut Parser<'_>, &str) -> Parsed<i128>,
) -> Parsed<i32> {
    const WHAT: &str = "an offset";
    p.c.skip_blanks();
    let start = p.c.at;
    let sign = p.c.peek();
    if !matches!(sign, Some(b'+' | b'-')) {
        return Ok(0);
    }
    p.c.at += 1;
    // The number may have a sign of its own, so that an `i64` could overflow.
    let value = match sign {
        Some(b'+') => parse_positive(p, WHAT)?,
        _ => -p.c.product::<i128>(WHAT)?,
    };
    i32::try_from(value)
        .map_err(|_| p.c.fail(start..p.c.at, &format!("`{value}` is out of range for {WHAT}")))
}

fn print_hex_offset(p: &mut Printer<'_>, offset: i32) {
    if offset != 0 {
        p.line.push(if offset < 0 { "-0x" } else { "+0x" });
        p.lower_hex(offset.unsigned_abs());
    }
}

/// Prints the offset of a coordinate: decimal in 4.2.
fn print_coordinate_offset(p: &mut Printer<'_>, offset: i32) {
    if !p.is_v4_2() {
        return print_hex_offset(p, offset);
    }
    if offset != 0 {
        p.id(if offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
    }
}

/// `-0x10`, `+0x10` or nothing.
pub(in crate::text) struct LscOffset;

impl Item<i32> for LscOffset {
    fn print(p: &mut Printer<'_>, &offset: &i32) {
        print_hex_offset(p, offset);
    }

    fn parse(p: &mut Parser<'_>, offset: &mut i32) -> Parsed<()> {
        *offset = parse_offset(p, |p, what| p.c.sum(what))?;
        Ok(())
    }
}

/// `0x2*`, or nothing for 1.
pub(in crate::text) struct LscScale;

impl Item<u16> for LscScale {
    fn print(p: &mut Printer<'_>, &scale: &u16) {
        if scale > 1 || scale == 0 && p.is_v4_2() {
            p.line.push("0x");
            p.lower_hex(scale);
            p.line.ch('*');
        } else {
            p.omit_if(scale == 0);
        }
    }

    fn parse(p: &mut Parser<'_>, scale: &mut u16) -> Parsed<()> {
        p.c.skip_blanks();
        *scale = 1;
        if matches!(p.c.peek(), Some(b'0'..=b'9' | b'(')) || p.c.is_at_builtin() {
            *scale = p.c.number("a scale")?;
            p.c.expect("*")?;
        }
        Ok(())
    }
}

/// `, V33` or `, 0x10`, or nothing.
pub(in crate::text) struct LscPitch;

impl Item<Vector> for LscPitch {
    fn print(p: &mut Printer<'_>, pitch: &Vector) {
        if let VectorKind::General { var: VarId::NULL, .. } = pitch.kind {
            p.omit_if(*pitch != Vector::default());
        } else {
            p.line.push(", ");
            print_scalar(p, pitch, false);
        }
    }

    fn parse(p: &mut Parser<'_>, pitch: &mut Vector) -> Parsed<()> {
        if p.c.eat(",") {
            *pitch = parse_scalar(p, false)?;
        }
        Ok(())
    }
}

/// The coordinates of an access to a typed surface, `[u+0x1, v, r, lod]:a32`, up to the last that
/// is not null. READ_STATE_INFO has only the first and no size, and in the style of GenX_IR nothing.
pub(in crate::text) struct Coordinates;

type TypedAddress = (LscOp, Raw, Option<i32>, Raw, Option<i32>, Raw, Option<i32>, Raw, LscAddrSize);

impl Item<TypedAddress> for Coordinates {
    fn print(p: &mut Printer<'_>, address: &TypedAddress) {
        let &(op, u, u_offset, v, v_offset, r, r_offset, lod, size) = address;
        let is_state_info = op == LscOp::READ_STATE_INFO;
        if is_state_info && p.has(Quirk::StateInfoAddressOmitted) {
            return;
        }
        let coordinates = [(u, u_offset), (v, v_offset), (r, r_offset), (lod, None)]
            .map(|(raw, offset)| (raw, offset.unwrap_or(0)));
        let last = coordinates.iter().rposition(|coordinate| *coordinate != (Raw::NULL, 0));
        let count = match last {
            _ if is_state_info => 1,
            _ if p.has(Quirk::NullCoordinatesPrinted) => coordinates.len(),
            last => last.unwrap_or(0) + 1,
        };
        p.line.ch('[');
        for (i, (raw, offset)) in coordinates.iter().take(count).enumerate() {
            if i > 0 {
                p.lsc_separator();
            }
            if p.has(Quirk::LscOffsetsOmitted) {
                p.var(raw.var);
            } else {
                LscRegister::print(p, raw);
                if !is_state_info {
                    print_coordinate_offset(p, *offset);
                }
            }
        }
        p.line.ch(']');
        if !is_state_info {
            return LscAddrSizeText::print(p, &size);
        }
        p.omit_if(last.unwrap_or(0) > 0 || coordinates[0].1 != 0 || size != LscAddrSize::A32);
    }

    fn parse(p: &mut Parser<'_>, address: &mut TypedAddress) -> Parsed<()> {
        let (op, u, u_offset, v, v_offset, r, r_offset, lod, size) = address;
        if *op == LscOp::READ_STATE_INFO {
            *size = LscAddrSize::A32;
            if p.c.eat("[") {
                let start = p.c.at;
                LscRegister::parse(p, u)?;
                p.c.record_part(1, start);
                p.c.expect("]")?;
            }
            return Ok(());
        }
        p.c.expect("[")?;
        let mut coordinates = [(Raw::NULL, 0); 4];
        let mut offset_start = p.c.at;
        for (i, (raw, offset)) in coordinates.iter_mut().enumerate() {
            if i > 0 && !p.c.eat(",") {
                break;
            }
            let start = p.c.at;
            LscRegister::parse(p, raw)?;
            // The operation precedes the pairs of a coordinate and its offset.
            p.c.record_part(1 + 2 * i, start);
            offset_start = p.c.at;
            *offset = parse_offset(p, |p, what| p.c.product(what))?;
            p.c.record_part(2 + 2 * i, offset_start);
        }
        let [first, second, third, (level, offset)] = coordinates;
        if offset != 0 {
            return Err(p.c.fail(offset_start..p.c.at, "a LOD takes no offset"));
        }
        (*u, *u_offset) = (first.0, gated(*u_offset, first.1));
        (*v, *v_offset) = (second.0, gated(*v_offset, second.1));
        (*r, *r_offset) = (third.0, gated(*r_offset, third.1));
        *lod = level;
        p.c.expect("]")?;
        let start = p.c.at;
        LscAddrSizeText::parse(p, size)?;
        p.c.record_part(8, start);
        Ok(())
    }
}

/// A coordinate of a 2D block: a register with an offset, `V32+4`, or a constant.
pub(in crate::text) struct Coordinate2d;

impl Item<(Vector, Option<i32>)> for Coordinate2d {
    fn print(p: &mut Printer<'_>, (coordinate, offset): &(Vector, Option<i32>)) {
        print_scalar(p, coordinate, false);
        let offset = offset.unwrap_or_default();
        print_coordinate_offset(p, offset);
        p.omit_if(offset != 0 && matches!(coordinate.kind, VectorKind::Immediate(_)));
    }

    fn parse(p: &mut Parser<'_>, (coordinate, offset): &mut (Vector, Option<i32>)) -> Parsed<()> {
        parse_coordinate(p, coordinate, offset, 0)
    }
}

/// Parses a coordinate and its offset, which are the fields at `index` and after it of the operand.
fn parse_coordinate(
    p: &mut Parser<'_>,
    coordinate: &mut Vector,
    offset: &mut Option<i32>,
    index: usize,
) -> Parsed<()> {
    let start = p.c.at;
    *coordinate = parse_scalar(p, false)?;
    p.c.record_part(index, start);
    let start = p.c.at;
    *offset = gated(*offset, parse_offset(p, |p, what| p.c.sum(what))?);
    p.c.record_part(index + 1, start);
    Ok(())
}

/// The address of a 2D block: `base, width, height, pitch, x, y`, or `payload + (x,y)` with the
/// offsets of the coordinates.
pub(in crate::text) struct Block2dAddress;

type Block2dParts =
    (Option<Vector>, Vector, Vector, Vector, Vector, Vector, Option<i32>, Vector, Option<i32>);

impl Item<Block2dParts> for Block2dAddress {
    fn print(p: &mut Printer<'_>, address: &Block2dParts) {
        let &(payload, base, width, height, pitch, x, x_offset, y, y_offset) = address;
        if let Some(payload) = payload.filter(|payload| *payload != Vector::default()) {
            print_scalar(p, &payload, false);
            p.line.push(" + (");
            p.line.signed(x_offset.unwrap_or_default());
            p.line.ch(',');
            p.line.signed(y_offset.unwrap_or_default());
            p.line.ch(')');
            p.omit_if([base, width, height, pitch, x, y] != [Vector::default(); 6]);
            return p.omit_if(matches!(payload.kind, VectorKind::Immediate(_)));
        }
        for operand in [&base, &width, &height, &pitch] {
            print_scalar(p, operand, false);
            p.lsc_separator();
        }
        Coordinate2d::print(p, &(x, x_offset));
        p.lsc_separator();
        Coordinate2d::print(p, &(y, y_offset));
    }

    fn parse(p: &mut Parser<'_>, address: &mut Block2dParts) -> Parsed<()> {
        let (payload, base, width, height, pitch, x, x_offset, y, y_offset) = address;
        p.c.skip_blanks();
        let start = p.c.at;
        *base = parse_scalar(p, false)?;
        let end = p.c.at;
        if p.c.eat("+") {
            if matches!(base.kind, VectorKind::Immediate(_)) {
                p.c.at = start;
                return Err(p.c.expected("a register"));
            }
            *payload = Some(core::mem::take(base));
            p.c.record_part_at(0, start..end);
            p.c.expect("(")?;
            for (index, offset, end) in [(6, x_offset, ","), (8, y_offset, ")")] {
                let start = p.c.at;
                *offset = gated(*offset, p.c.number("an offset")?);
                p.c.record_part(index, start);
                p.c.expect(end)?;
            }
            return Ok(());
        }
        p.c.record_part_at(1, start..end);
        for (index, operand) in [(2, width), (3, height), (4, pitch)] {
            p.c.expect(",")?;
            let start = p.c.at;
            *operand = parse_scalar(p, false)?;
            p.c.record_part(index, start);
        }
        for (index, coordinate, offset) in [(5, x, x_offset), (7, y, y_offset)] {
            p.c.expect(",")?;
            parse_coordinate(p, coordinate, offset, index)?;
        }
        Ok(())
    }
}
