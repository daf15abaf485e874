//! Rectangles of bytes of 2D images (MEDIA_LD.md, MEDIA_ST.md, LSC_TYPED.md).

use genvisa::isa::lsc::TypedBlock2d;
use genvisa::isa::{MediaLd, MediaSt};
use genvisa::operand::lsc::LscOp;
use genvisa::operand::{MediaModifier, Raw, Scalar};

use super::block2d::coordinate;
use super::lsc::typed_surface;
use super::{Source, Space, image};
use crate::context::Context;
use crate::fault::{FaultKind, Result};
use crate::surface::{Dimensions, Image, Plane};

/// A rectangle of bytes in a plane.
struct Rectangle {
    plane: Plane,
    /// The number of bytes of a texel, which the border repeats.
    texel: u32,
    /// The first byte, and the first row of the field.
    x: i64,
    y: i64,
    width: u32,
    height: u32,
    /// The distance of rows, and the first row of the field: 2 and 0 or 1 for fields of interleaved
    /// images.
    stride: i64,
    first: i64,
}

/// What an access outside of the plane does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outside {
    /// Reads repeat the texels at the border, and writes are dropped.
    Border,
    /// The pages do not define it.
    NotModelled,
}

/// MEDIA_LD: reads a rectangle. Each row begins at a multiple of the pitch: the width, rounded up to a power
/// of two and to 4. There is no execution mask.
pub(super) fn media_ld(cx: &mut Context<'_>, i: &MediaLd) -> Result<()> {
    let image = image(cx.surface_of(i.surface)?)?;
    let size = [i.block_width.into(), i.block_height.into()];
    let x = offset(cx, &i.x_offset, "x_offset")?;
    let y = offset(cx, &i.y_offset, "y_offset")?;
    let rectangle = Rectangle::new(image, i.plane, i.modifiers, [x, y], size)?;
    rectangle.load(cx, i.dst, Outside::Border)
}

/// MEDIA_ST: writes a rectangle; its first byte is at a multiple of 4.
pub(super) fn media_st(cx: &mut Context<'_>, i: &MediaSt) -> Result<()> {
    let image = image(cx.surface_of(i.surface)?)?;
    let size = [i.block_width.into(), i.block_height.into()];
    let x = offset(cx, &i.x_offset, "x_offset")?;
    let y = offset(cx, &i.y_offset, "y_offset")?;
    if x % 4 != 0 {
        return Err(FaultKind::Misaligned { address: x as u64, alignment: 4 }.into());
    }
    let rectangle = Rectangle::new(image, i.plane, i.modifiers, [x, y], size)?;
    rectangle.store(cx, i.src, "src", Outside::Border)
}

/// Returns an offset of MEDIA_LD or MEDIA_ST. Rectangles can begin before the first row and column.
fn offset(cx: &Context<'_>, operand: &Scalar, field: &'static str) -> Result<i64> {
    Ok((cx.scalar(operand, field)?.1 as u32 as i32).into())
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
    let rectangle = Rectangle::new(image, 0, MediaModifier::NOMOD, [x, y], size)?;
    match i.op {
        LscOp::LOAD_BLOCK2D if i.dst.is_null() => Ok(()),
        LscOp::LOAD_BLOCK2D => rectangle.load(cx, i.dst, Outside::NotModelled),
        LscOp::STORE_BLOCK2D => rectangle.store(cx, i.src1, "src1", Outside::NotModelled),
        op => {
            Err(FaultKind::InstructionNotModelled(format!("operation {op} of a typed surface"))
                .into())
        }
    }
}

impl Rectangle {
    fn new(
        image: &Image,
        plane: u8,
        modifier: MediaModifier,
        [x, y]: [i64; 2],
        [width, height]: [u32; 2],
    ) -> Result<Rectangle> {
        if image.dimensions != Dimensions::D2 {
            let what = format!("a rectangle of a {} image", image.dimensions.name());
            return Err(FaultKind::not_modelled(what).into());
        }
        let missing = || FaultKind::NotGiven(format!("plane {plane} of the image"));
        // The planes after the first have two channels.
        let texel = image.format.bytes() * if plane == 0 { 1 } else { 2 };
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
        Ok(Rectangle { plane, texel, x, y, width, height, stride, first })
    }

    /// Returns the address of a byte; `None` if it is outside of the plane.
    fn byte(&self, column: u32, row: u32) -> Option<u64> {
        let [x, y] = self.place(column, row);
        self.plane.byte(u64::try_from(x).ok()?, u64::try_from(y).ok()?)
    }

    /// Returns the address of the byte that the border repeats at a place.
    fn border(&self, column: u32, row: u32) -> Option<u64> {
        let [x, y] = self.place(column, row);
        let (width, height) = (i64::from(self.plane.width), i64::from(self.plane.height));
        let texel = i64::from(self.texel);
        let x = match x {
            ..0 => x.rem_euclid(texel),
            _ if x >= width => width - texel + x % texel,
            _ => x,
        };
        // The last row of the field.
        let last = (height - 1 - self.first) / self.stride * self.stride + self.first;
        let y = y.clamp(self.first, last.max(self.first));
        self.plane.byte(u64::try_from(x).ok()?, u64::try_from(y).ok()?)
    }

    /// Returns the column and the row in the plane.
    fn place(&self, column: u32, row: u32) -> [i64; 2] {
        let y = self.y.saturating_add(row.into());
        let y = y.saturating_mul(self.stride).saturating_add(self.first);
        [self.x.saturating_add(column.into()), y]
    }

    fn outside(&self, access: &'static str, column: u32, row: u32) -> FaultKind {
        let ([x, y], Plane { width, height, .. }) = (self.place(column, row), self.plane);
        FaultKind::not_modelled(format!(
            "a typed block that {access} byte {x} of row {y} of a plane of {height} rows of {width} \
             bytes"
        ))
    }

    fn load(&self, cx: &mut Context<'_>, dst: Raw, outside: Outside) -> Result<()> {
        for row in 0..self.height {
            for column in 0..self.width {
                let inside = self.byte(column, row);
                let border = || self.border(column, row).filter(|_| outside == Outside::Border);
                let Some(address) = inside.or_else(border) else {
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
        outside: Outside,
    ) -> Result<()> {
        for row in 0..self.height {
            for column in 0..self.width {
                let offset = row * pitch(self.width) + column;
                let value = cx.read_raw(src, offset, 1, field)?;
                let source = Source { field, operand: src, offset, size: 1 };
                match self.byte(column, row) {
                    Some(address) => cx.store(Space::Flat, address, 1, 1, value, source)?,
                    None if outside == Outside::Border => {}
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
