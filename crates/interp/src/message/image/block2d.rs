//! Blocks of untyped memory with two dimensions (LSC_UNTYPED.md, LOAD_BLOCK2D).

use genvisa::isa::lsc::Block2d;
use genvisa::operand::lsc::{LscDataOrder, LscDataSize, LscOp, LscSfid};
use genvisa::operand::{Scalar, Vector};

use super::Space;
use crate::context::Context;
use crate::fault::{FaultKind, Result};
use crate::number::{bits_of, is_signed};
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
    if i.payload.is_some_and(|payload| payload != Vector::default()) {
        return Err(FaultKind::not_modelled("a block whose scalars are in a register").into());
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
        op => Err(FaultKind::not_modelled(format!("operation {op} of a block")).into()),
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
            cx.store(Space::Flat, address, layout.size, 1, value)?;
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
        let number = |operand: &Scalar, field| -> Result<u64> {
            Ok(u64::from(cx.scalar(operand, field)?.1 as u32) + 1)
        };
        let width = number(&i.surface_width, "surface_width")?;
        let height = number(&i.surface_height, "surface_height")?;
        let pitch = number(&i.surface_pitch, "surface_pitch")?;
        if pitch < width || width % u64::from(size) != 0 {
            let what = format!("a block of rows of {width} bytes at a distance of {pitch}");
            return Err(FaultKind::NotDefined(what).into());
        }
        Ok(Region {
            base: cx.scalar(&i.surface_base, "surface_base")?.1,
            width,
            height,
            pitch,
            x: coordinate(cx, &i.x, i.x_offset, "x")?,
            y: coordinate(cx, &i.y, i.y_offset, "y")?,
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
    let value = match is_signed(ty) || bits_of(ty) >= 32 {
        true => (bits << unused) as i64 >> unused,
        false => bits as i64,
    };
    Ok(value + i64::from(offset.unwrap_or(0)))
}
