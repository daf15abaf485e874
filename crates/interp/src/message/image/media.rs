//! Rectangles of bytes of 2D images (MEDIA_LD.md, MEDIA_ST.md, LSC_TYPED.md).

use genvisa::isa::lsc::TypedBlock2d;
use genvisa::isa::{MediaLd, MediaSt};
use genvisa::operand::lsc::LscOp;
use genvisa::operand::{MediaModifier, Raw};

use super::block2d::coordinate;
use super::lsc::typed_surface;
use super::{Space, image};
use crate::context::Context;
use crate::fault::{FaultKind, Result};
use crate::surface::{Dimensions, Image, Plane};

/// A rectangle of bytes in a plane.
struct Rectangle {
    plane: Plane,
    /// The first byte, and the first row of the field. Negative coordinates are large.
    x: u64,
    y: u64,
    width: u32,
    height: u32,
    /// The distance of rows, and the first row of the field: 2 and 0 or 1 for fields of interleaved
    /// images.
    stride: u64,
    first: u64,
}

/// MEDIA_LD: reads a rectangle. Each row begins at a multiple of the pitch: the width, rounded up to a power
/// of two and to 4. There is no execution mask.
pub(super) fn media_ld(cx: &mut Context<'_>, i: &MediaLd) -> Result<()> {
    let image = image(cx.surface_of(i.surface)?)?;
    let size = [i.block_width.into(), i.block_height.into()];
    let x = cx.scalar(&i.x_offset, "x_offset")?.1;
    let y = cx.scalar(&i.y_offset, "y_offset")?.1;
    Rectangle::new(image, i.plane, i.modifiers, [x, y], size)?.load(cx, i.dst)
}

/// MEDIA_ST: writes a rectangle; its first byte is at a multiple of 4.
pub(super) fn media_st(cx: &mut Context<'_>, i: &MediaSt) -> Result<()> {
    let image = image(cx.surface_of(i.surface)?)?;
    let size = [i.block_width.into(), i.block_height.into()];
    let x = cx.scalar(&i.x_offset, "x_offset")?.1;
    let y = cx.scalar(&i.y_offset, "y_offset")?.1;
    if x % 4 != 0 {
        return Err(FaultKind::Misaligned { address: x, alignment: 4 }.into());
    }
    Rectangle::new(image, i.plane, i.modifiers, [x, y], size)?.store(cx, i.src, "src", true)
}

/// LOAD_BLOCK2D and STORE_BLOCK2D of a typed surface, whose rows are as those of MEDIA_LD. There is no mask.
pub(super) fn typed_block2d(cx: &mut Context<'_>, i: &TypedBlock2d) -> Result<()> {
    if !i.pred.is_none() {
        return Err(FaultKind::not_modelled("a typed block with a predicate").into());
    }
    let image = image(typed_surface(cx, i.addr_type, &i.surface, Some(i.surface_index))?)?;
    let x = coordinate(cx, &i.x, i.x_offset, "x")?;
    let y = coordinate(cx, &i.y, i.y_offset, "y")?;
    let size = [i.block_width.into(), i.block_height.into()];
    let start = [x, y].map(|coordinate| coordinate as u64);
    let rectangle = Rectangle::new(image, 0, MediaModifier::NOMOD, start, size)?;
    match i.op {
        LscOp::LOAD_BLOCK2D if i.dst.is_null() => Ok(()),
        LscOp::LOAD_BLOCK2D => rectangle.load(cx, i.dst),
        LscOp::STORE_BLOCK2D => rectangle.store(cx, i.src1, "src1", false),
        op => Err(FaultKind::not_modelled(format!("operation {op} of a typed surface")).into()),
    }
}

impl Rectangle {
    fn new(
        image: &Image,
        plane: u8,
        modifier: MediaModifier,
        [x, y]: [u64; 2],
        [width, height]: [u32; 2],
    ) -> Result<Rectangle> {
        if image.dimensions != Dimensions::D2 {
            let what = format!("a rectangle of a {} image", image.dimensions.name());
            return Err(FaultKind::not_modelled(what).into());
        }
        let missing = || FaultKind::NotDefined(format!("plane {plane} of the image"));
        let plane = image.plane(plane).ok_or_else(missing)?;
        // That a surface was modified is a hint for caches.
        let (stride, first) = match modifier {
            MediaModifier::NOMOD | MediaModifier::MODIFIED => (1, 0),
            MediaModifier::TOP | MediaModifier::TOP_MOD => (2, 0),
            MediaModifier::BOTTOM | MediaModifier::BOTTOM_MOD => (2, 1),
            other => return Err(FaultKind::not_modelled(format!("modifier {other}")).into()),
        };
        if !(1..=64).contains(&width) || height == 0 || height * pitch(width) > 256 {
            let what = format!("a block of {height} rows of {width} bytes");
            return Err(FaultKind::NotDefined(what).into());
        }
        Ok(Rectangle { plane, x, y, width, height, stride, first })
    }

    /// Returns the address of a byte; `None` if it is outside of the plane.
    fn byte(&self, column: u32, row: u32) -> Option<u64> {
        let x = self.x.checked_add(column.into())?;
        let row = self.y.checked_add(row.into())?;
        self.plane.byte(x, row.checked_mul(self.stride)?.checked_add(self.first)?)
    }

    fn outside(&self, access: &'static str, column: u32, row: u32) -> FaultKind {
        let (x, y) = (self.x.wrapping_add(column.into()), self.y.wrapping_add(row.into()));
        let y = y.wrapping_mul(self.stride).wrapping_add(self.first);
        let Plane { address, width, height, row_pitch } = self.plane;
        let offset = y.wrapping_mul(row_pitch.into()).wrapping_add(x);
        FaultKind::OutsideMemory {
            access,
            address: address.wrapping_add(offset),
            size: 1,
            near: format!(
                "byte {} of row {} of a plane of {height} rows of {width} bytes",
                x as i64, y as i64
            ),
        }
    }

    fn load(&self, cx: &mut Context<'_>, dst: Raw) -> Result<()> {
        for row in 0..self.height {
            for column in 0..self.width {
                let Some(address) = self.byte(column, row) else {
                    return Err(self.outside("reads", column, row).into());
                };
                let value = cx.load(Space::Flat, address, 1, 1)?;
                cx.write_raw(dst, row * pitch(self.width) + column, 1, value, "dst")?;
            }
        }
        Ok(())
    }

    fn store(
        &self,
        cx: &mut Context<'_>,
        src: Raw,
        field: &'static str,
        drops_outside: bool,
    ) -> Result<()> {
        for row in 0..self.height {
            for column in 0..self.width {
                let value = cx.read_raw(src, row * pitch(self.width) + column, 1, field)?;
                match self.byte(column, row) {
                    Some(address) => cx.store(Space::Flat, address, 1, 1, value)?,
                    None if drops_outside => {}
                    None => return Err(self.outside("writes", column, row).into()),
                }
            }
        }
        Ok(())
    }
}

/// Returns the distance of rows in registers.
fn pitch(width: u32) -> u32 {
    width.next_power_of_two().max(4)
}
