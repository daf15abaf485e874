//! Blocks of untyped memory with two dimensions (LSC_UNTYPED.md, LOAD_BLOCK2D).

use genvisa::isa::lsc::Block2d;
use genvisa::operand::lsc::{LscDataOrder, LscDataSize, LscOp, LscSfid};
use genvisa::operand::{Raw, Scalar, Vector, VectorKind};

use super::{Source, Space};
use crate::context::Context;
use crate::fault::{FaultKind, Result};
use crate::number::bits_of;
use crate::value::Value;

/// The memory that a message accesses.
struct Region {
    base: u64,
    /// The number of bytes of a row, and of rows.
    width: u64,
    height: u64,
    pitch: u64,
    /// The first element, which may be outside.
    x: i64,
    y: i64,
}

/// How blocks are in registers, in elements.
struct Layout {
    size: u32,
    width: u32,
    height: u32,
    is_transposed: bool,
    /// The number of elements of a column, or of a row of transposed data, that are adjacent; 1 without
    /// the transform.
    packed: u32,
    row_pitch: u32,
    block_pitch: u32,
}

/// LOAD_BLOCK2D and STORE_BLOCK2D. The width, the height and the pitch are one less than the numbers of
/// bytes and rows: the page does not subtract 1 from the pitch, but compilers do. Loads outside of the memory
/// are 0 and stores are dropped. A load without a destination is a prefetch, which has no effect.
///
/// A store has the layout of a load without transposition. (The formula of the page for stores exchanges
/// rows and columns; its comment refers to loads.)
pub(super) fn block2d(cx: &mut Context<'_>, i: &Block2d) -> Result<()> {
    if cx.enabled(i.exec, i.pred)? & 1 == 0 {
        return Ok(());
    }
    if !matches!(i.sfid, LscSfid::UGM | LscSfid::UGML) {
        return Err(FaultKind::not_modelled(format!("a block of memory {}", i.sfid)).into());
    }
    let layout = Layout::new(cx, i)?;
    let region = Region::new(cx, i, layout.size)?;
    match i.op {
        LscOp::LOAD_BLOCK2D if i.dst.is_null() => Ok(()),
        LscOp::LOAD_BLOCK2D => load(cx, i, &layout, &region),
        LscOp::STORE_BLOCK2D => store(cx, i, &layout, &region),
        op => Err(FaultKind::InstructionNotModelled(format!("operation {op} of a block")).into()),
    }
}

fn load(cx: &mut Context<'_>, i: &Block2d, layout: &Layout, region: &Region) -> Result<()> {
    for block in 0..u32::from(i.blocks) {
        let start = block * layout.block_pitch;
        // What has no element is 0: the ends of rows, and the end of the last register.
        for element in 0..layout.block_pitch {
            let at = (start + element) * layout.size;
            cx.write_raw(i.dst, at, layout.size, Value::default(), "dst")?;
        }
        for (column, row) in layout.elements() {
            let value = match region.element(block * layout.width + column, row, layout.size) {
                Some(address) => cx.load(Space::Flat, address, layout.size, 1)?,
                None => continue,
            };
            let at = (start + layout.position(column, row)) * layout.size;
            cx.write_raw(i.dst, at, layout.size, value, "dst")?;
        }
    }
    Ok(())
}

fn store(cx: &mut Context<'_>, i: &Block2d, layout: &Layout, region: &Region) -> Result<()> {
    if layout.is_transposed || i.vnni != 0 || i.blocks != 1 {
        let what = "a store of several, transposed or transformed blocks";
        return Err(FaultKind::not_modelled(what).into());
    }
    for (column, row) in layout.elements() {
        let at = layout.position(column, row) * layout.size;
        let value = cx.read_raw(i.src1, at, layout.size, "src1")?;
        if let Some(address) = region.element(column, row, layout.size) {
            let source = Source { field: "src1", operand: i.src1, offset: at, size: layout.size };
            cx.store(Space::Flat, address, layout.size, 1, value, source)?;
        }
    }
    Ok(())
}

impl Layout {
    fn new(cx: &Context<'_>, i: &Block2d) -> Result<Layout> {
        let size = match i.data_size {
            LscDataSize::D8 | LscDataSize::D16 | LscDataSize::D32 | LscDataSize::D64 => {
                i.data_size.bytes()
            }
            _ => None,
        };
        let size =
            size.ok_or_else(|| FaultKind::not_modelled(format!("a block of {}", i.data_size)))?;
        let (width, height) = (u32::from(i.block_width), u32::from(i.block_height));
        // More than registers have; limited so that positions do not overflow.
        if width == 0 || height == 0 || i.blocks == 0 || width > 1 << 9 || height > 1 << 9 {
            let what = format!("{} blocks of {width} x {height} elements", i.blocks);
            return Err(FaultKind::NotDefined(what).into());
        }
        let is_transposed = i.data_order == LscDataOrder::TRANSPOSE;
        let packed = if i.vnni == 0 { 1 } else { 4 / size };
        let (columns, rows) = if is_transposed { (height, width) } else { (width, height) };
        if packed == 0 || rows % packed != 0 {
            let what = format!("the transform of {rows} rows of elements of {size} bytes");
            return Err(FaultKind::not_modelled(what).into());
        }
        let row_pitch = columns.next_power_of_two();
        let block_pitch = (row_pitch * rows).next_multiple_of(cx.register_bytes() / size);
        Ok(Layout { size, width, height, is_transposed, packed, row_pitch, block_pitch })
    }

    /// Returns the columns and rows of the elements of a block.
    fn elements(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let width = self.width;
        (0..self.height).flat_map(move |row| (0..width).map(move |column| (column, row)))
    }

    /// Returns the position of an element in a block.
    fn position(&self, column: u32, row: u32) -> u32 {
        let (column, row) = if self.is_transposed { (row, column) } else { (column, row) };
        let first = row - row % self.packed;
        first * self.row_pitch + column * self.packed + row % self.packed
    }
}

impl Region {
    fn new(cx: &Context<'_>, i: &Block2d, size: u32) -> Result<Region> {
        let region = match i.payload.filter(|payload| *payload != Vector::default()) {
            Some(payload) => Region::in_register(cx, i, payload)?,
            None => Region::in_operands(cx, i)?,
        };
        let Region { width, pitch, .. } = region;
        if pitch < width || width % u64::from(size) != 0 {
            let what = format!("a block of rows of {width} bytes at a distance of {pitch}");
            return Err(FaultKind::NotDefined(what).into());
        }
        Ok(region)
    }

    fn in_operands(cx: &Context<'_>, i: &Block2d) -> Result<Region> {
        let number = |operand: &Scalar, field| -> Result<u64> {
            Ok(u64::from(cx.scalar(operand, field)?.1 as u32) + 1)
        };
        Ok(Region {
            base: cx.scalar(&i.surface_base, "surface_base")?.1,
            width: number(&i.surface_width, "surface_width")?,
            height: number(&i.surface_height, "surface_height")?,
            pitch: number(&i.surface_pitch, "surface_pitch")?,
            x: coordinate(cx, &i.x, i.x_offset, "x")?,
            y: coordinate(cx, &i.y, i.y_offset, "y")?,
        })
    }

    /// Reads the region from a register: the base in 8 bytes, then dwords with the width, the height and the
    /// pitch minus 1, x, y, and the shape: the width and the height of a block minus 1 in a byte each, then
    /// the number of blocks minus 1.
    fn in_register(cx: &Context<'_>, i: &Block2d, payload: Scalar) -> Result<Region> {
        let VectorKind::General { var, row, col, .. } = payload.kind else {
            return Err(FaultKind::not_modelled("a payload that is not a variable").into());
        };
        let element = cx.code.variable(var)?.ty.size() as u32;
        let start = u32::from(row) * cx.register_bytes() + u32::from(col) * element;
        let read = |at: u32, size| {
            let payload = Raw::new(var, 0);
            cx.required_raw(payload, start + at, size, "payload", "the payload")
        };
        let shape = u64::from(i.block_width - 1)
            | u64::from(i.block_height - 1) << 8
            | u64::from(i.blocks - 1) << 16;
        let found = read(28, 4)?;
        if found != shape {
            let what = format!("a payload of shape {found:#x} for a block of shape {shape:#x}");
            return Err(FaultKind::NotDefined(what).into());
        }
        let sum = |at, offset: Option<i32>| -> Result<i64> {
            Ok(i64::from(read(at, 4)? as u32 as i32) + i64::from(offset.unwrap_or(0)))
        };
        Ok(Region {
            base: read(0, 8)?,
            width: read(8, 4)? + 1,
            height: read(12, 4)? + 1,
            pitch: read(16, 4)? + 1,
            x: sum(20, i.x_offset)?,
            y: sum(24, i.y_offset)?,
        })
    }

    /// Returns the address of an element; `None` if it is outside.
    fn element(&self, column: u32, row: u32, size: u32) -> Option<u64> {
        let x = u64::try_from(self.x + i64::from(column)).ok()? * u64::from(size);
        let y = u64::try_from(self.y + i64::from(row)).ok()?;
        (x < self.width && y < self.height)
            .then(|| self.base.wrapping_add(y * self.pitch).wrapping_add(x))
    }
}

/// Returns a coordinate, which has a sign, plus an offset of the instruction.
pub(super) fn coordinate(
    cx: &Context<'_>,
    operand: &Scalar,
    offset: Option<i32>,
    field: &'static str,
) -> Result<i64> {
    let (ty, bits) = cx.scalar(operand, field)?;
    let unused = 64 - bits_of(ty).min(32);
    let value = match ty.is_signed_integer() || bits_of(ty) >= 32 {
        true => (bits << unused) as i64 >> unused,
        false => bits as i64,
    };
    Ok(value + i64::from(offset.unwrap_or(0)))
}
