//! Rules for LSC messages that access two-dimensional blocks.

use super::Context;
use super::address::{SurfaceFields, require_not_null, surface};
use super::cache::{self, CacheFields};
use super::data::{self, Data};
use super::shape::{Coding, coding};
use crate::format::{Dialect, Format};
use crate::isa::lsc::{Block2d, TypedBlock2d};

use crate::operand::lsc::{LscDataOrder, LscDataSize, LscOp, LscSfid};
use crate::operand::{ExecSize, Raw, Vector, VectorKind};
use crate::verify::field::field;
use crate::verify::rule::rules;

/// Returns whether a block satisfies `lsc-block2d-shape`.
fn has_legal_shape(i: &Block2d) -> bool {
    let is_load = i.op != LscOp::STORE_BLOCK2D;
    i.blocks > 0
        && i.block_width > 0
        && i.block_height > 0
        && (is_load || (i.vnni == 0 && i.blocks == 1))
}

fn is_transposed(i: &Block2d) -> bool {
    i.data_order == LscDataOrder::TRANSPOSE
}

/// Returns the maximum number of blocks with elements of a size; `None` for an illegal size.
const fn most_blocks(size: LscDataSize) -> Option<u8> {
    match size {
        LscDataSize::D8 | LscDataSize::D16 => Some(4),
        LscDataSize::D32 => Some(2),
        LscDataSize::D64 => Some(1),
        _ => None,
    }
}

rules! { untyped for Block2d;
    /// A 2D message has at least one block, column and row. A store has one block and no transform.
    fn shape "lsc-block2d-shape" (Refuses, ANY, "IGC") |i, c| {
        if has_legal_shape(i) {
            return;
        }
        for (field, count) in [
            (field!(lsc::Block2d.blocks), u16::from(i.blocks)),
            (field!(lsc::Block2d.block_width), i.block_width),
            (field!(lsc::Block2d.block_height), i.block_height),
        ] {
            if count == 0 {
                c.fail(field, count, "at least 1");
            }
        }
        if i.op == LscOp::STORE_BLOCK2D {
            if i.vnni != 0 {
                c.fail(field!(lsc::Block2d.vnni), i.vnni, "0 for a store");
            }
            if i.blocks > 1 {
                c.fail(field!(lsc::Block2d.blocks), i.blocks, "1 for a store");
            }
        }
    }

    /// A 2D block has at most 32 rows of at most 64 bytes. The rows of a transposed block are its
    /// columns, but 4.2 limits the bytes of its width. In dialect Igc2026, the bytes of all blocks
    /// count, and a row of a store has at most 512. With efficient 64-bit addressing, there are at
    /// most 64 rows, and the rows of a load may have 256 bytes.
    fn size "lsc-block2d-size" (Refuses, ANY, "IGC") |i, c| {
        if !has_legal_shape(i) {
            return;
        }
        let (width, height) = ((field!(lsc::Block2d.block_width), i.block_width), (field!(lsc::Block2d.block_height), i.block_height));
        let (cols, rows) = match is_transposed(i) {
            false => (width, height),
            true if c.format() == Format::V4_2 => (width, width),
            true => (height, width),
        };
        let is_newer = c.format().dialect == Dialect::Igc2026;
        let blocks = if is_newer { u32::from(i.blocks) } else { 1 };
        let most = if is_newer && i.op == LscOp::STORE_BLOCK2D { 512 } else { 64 };
        let row = u32::from(cols.1) * i.data_size.bytes().unwrap_or(0) * blocks;
        let is_wide = row == 256 && i.op != LscOp::STORE_BLOCK2D && c.is_efficient_64bit();
        if row > most && !is_wide {
            c.fail(cols.0, row, format_args!("at most {most} bytes per row"));
        }
        let most = if c.is_efficient_64bit() { 64 } else { 32 };
        if rows.1 > most {
            c.fail(rows.0, rows.1, format_args!("at most {most} rows"));
        }
    }

    /// A 2D message has 1, 2 or 4 blocks of bytes or words, 1 or 2 of dwords, 1 of qwords, and 1
    /// that is transposed without a transform. With efficient 64-bit addressing, a load has 1, 2 or
    /// 4 blocks of any size.
    fn count "lsc-block2d-count" (Refuses, ANY, "IGC") |i, c| {
        if !has_legal_shape(i) || i.data_size.bytes().is_none() {
            return;
        }
        let most = match most_blocks(i.data_size) {
            _ if is_transposed(i) && i.vnni == 0 => 1,
            Some(_) if i.op != LscOp::STORE_BLOCK2D && c.is_efficient_64bit() => 4,
            Some(most) => most,
            None => return c.fail(field!(lsc::Block2d.data_size), i.data_size, "d8, d16, d32 or d64"),
        };
        if i.blocks > most || !i.blocks.is_power_of_two() {
            let expected = match most {
                1 => "1 block",
                2 => "1 or 2 blocks",
                _ => "1, 2 or 4 blocks",
            };
            c.fail(field!(lsc::Block2d.blocks), i.blocks, expected);
        }
    }

    /// The six scalars of a 2D message are not null, unless a register contains them. In 4.2, the
    /// base is a variable.
    fn scalars "lsc-block2d-scalars" (Refuses, ANY, "IGC") |i, c| {
        if payload_of(i).is_some() {
            return;
        }
        let is_constant = matches!(i.surface_base.kind, VectorKind::Immediate(_));
        if is_constant && c.format() == Format::V4_2 {
            c.fail(field!(lsc::Block2d.surface_base), "a constant", "a variable");
        }
        for (field, scalar) in [
            (field!(lsc::Block2d.surface_base), &i.surface_base),
            (field!(lsc::Block2d.surface_width), &i.surface_width),
            (field!(lsc::Block2d.surface_height), &i.surface_height),
            (field!(lsc::Block2d.surface_pitch), &i.surface_pitch),
            (field!(lsc::Block2d.x), &i.x),
            (field!(lsc::Block2d.y), &i.y),
        ] {
            require_not_null(field, scalar, c);
        }
    }
}

/// Returns the register that contains the scalars of a message, if one does.
fn payload_of(i: &Block2d) -> Option<&Vector> {
    i.payload.as_ref().filter(|payload| **payload != Vector::default())
}

rules! { untyped_4_2 for Block2d;
    // IGC 2.40 writes the same descriptor for all sizes.
    /// In 4.2, a 2D message has execution size 1.
    fn exec_size "lsc-block2d-exec-size" (Accepts, ANY, "IGC") |i, c| {
        if c.format() == Format::V4_2 && i.exec.size != ExecSize::S1 {
            c.fail(field!(lsc::Block2d.exec), i.exec.size.lanes(), "1 lane");
        }
    }

    /// In 4.2, the height of a transposed block is at most 32. Without efficient 64-bit addressing,
    /// the width is at most 16 with elements of 4 bytes; with elements of 8 bytes, the width is at
    /// most 4 and the height is 8, and since Xe3P, the width is at most 8. Other elements are
    /// illegal.
    fn transpose "lsc-block2d-transpose" (Crashes, ANY, "IGC") |i, c| {
        if c.format() != Format::V4_2 || !is_transposed(i) || !has_legal_shape(i) {
            return;
        }
        let size = i.data_size;
        let (most_cols, rows) = match size {
            _ if c.is_efficient_64bit() => (u16::MAX, 1..=32),
            LscDataSize::D32 => (16, 1..=32),
            LscDataSize::D64 if c.is_on(since(Xe3pCri)) => (8, 1..=32),
            LscDataSize::D64 => (4, 8..=8),
            _ => return c.fail(field!(lsc::Block2d.data_size), size, "d32 or d64 for transposed data"),
        };
        if i.block_width > most_cols {
            let expected = alloc::format!("at most {most_cols} for transposed {size}");
            c.fail(field!(lsc::Block2d.block_width), i.block_width, expected);
        }
        if !rows.contains(&i.block_height) {
            let at_most = if rows.start() == rows.end() { "" } else { "at most " };
            let expected = alloc::format!("{at_most}{} for transposed {size}", rows.end());
            c.fail(field!(lsc::Block2d.block_height), i.block_height, expected);
        }
    }

    // IGC 2.40 encodes the transform as it is written.
    /// Only blocks of elements of 1 or 2 bytes have a transform.
    fn vnni "lsc-block2d-vnni" (Accepts, ANY, "IGC") |i, c| {
        let is_wide = matches!(i.data_size, LscDataSize::D32 | LscDataSize::D64);
        if i.vnni != 0 && is_wide && i.op != LscOp::STORE_BLOCK2D {
            c.fail(field!(lsc::Block2d.data_size), i.data_size, "d8 or d16 for a transform");
        }
    }
}

rules! { bounds for Block2d;
    /// The data of a 2D message contains all blocks, whose rows have a power of two of elements.
    fn data "lsc-block2d-bounds" (Miscompiles, ANY, "5_operands, Raw Operands") |i, c| {
        if has_legal_shape(i) && i.data_size.bytes().is_some() {
            for (field, raw) in [(field!(lsc::Block2d.dst), i.dst), (field!(lsc::Block2d.src1), i.src1)] {
                c.require_bytes_of_root(field, raw, c.payload_bytes(i, field, raw));
            }
        }
    }

    /// The register with the scalars of a 2D message has 32 bytes.
    fn payload "lsc-block2d-payload" (Miscompiles, ANY, "5_operands, Raw Operands") |i, c| {
        if let Some(raw) = payload_of(i).and_then(|payload| c.start_of(payload)) {
            c.require_bytes_of_root(field!(lsc::Block2d.payload), raw, c.payload_bytes(i, field!(lsc::Block2d.payload), raw));
        }
    }
}

rules! { typed for TypedBlock2d;
    /// A 2D block of a typed surface has 1 to 64 columns, at least one row, and at most 256 bytes.
    fn size "lsc-typed-block2d-size" (Accepts, ANY, "IGC") |i, c| {
        if !(1..=64).contains(&i.block_width) {
            c.fail(field!(lsc::TypedBlock2d.block_width), i.block_width, "1 to 64 columns");
        } else if i.block_height == 0 {
            c.fail(field!(lsc::TypedBlock2d.block_height), i.block_height, "at least 1 row");
        } else if u32::from(i.block_width) * u32::from(i.block_height) > 256 {
            let most = 256 / u32::from(i.block_width);
            let expected = alloc::format!("at most {most} rows of {} bytes", i.block_width);
            c.fail(field!(lsc::TypedBlock2d.block_height), i.block_height, expected);
        }
    }

    /// The coordinates of a 2D block of a typed surface are not null.
    fn scalars "lsc-typed-block2d-scalars" (Accepts, ANY, "IGC") |i, c| {
        require_not_null(field!(lsc::TypedBlock2d.x), &i.x, c);
        require_not_null(field!(lsc::TypedBlock2d.y), &i.y, c);
    }
}

pub(in super::super) fn check_block2d(i: &Block2d, cx: &mut Context<'_>) {
    cache::fields::check(&CacheFields { op: i.op, sfid: i.sfid, l1: i.l1, l2: i.l2, l3: i.l3 }, cx);
    coding::check(&Coding { size: i.data_size, order: i.data_order }, cx);
    untyped::check(i, cx);
    untyped_4_2::check(i, cx);
    bounds::check(i, cx);
    data::operands::check(&Data { op: i.op, dst: i.dst, src1: i.src1, src2: Raw::NULL }, cx);
}

pub(in super::super) fn check_typed_block2d(i: &TypedBlock2d, cx: &mut Context<'_>) {
    let sfid = LscSfid::TGM;
    cache::fields::check(&CacheFields { op: i.op, sfid, l1: i.l1, l2: i.l2, l3: i.l3 }, cx);
    let (ty, surface, index) = (i.addr_type, &i.surface, i.surface_index);
    surface::check(&SurfaceFields { sfid, ty, surface, index }, cx);
    typed::check(i, cx);
    data::operands::check(&Data { op: i.op, dst: i.dst, src1: i.src1, src2: Raw::NULL }, cx);
}
