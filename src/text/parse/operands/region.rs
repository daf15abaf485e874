//! Rows, columns and regions of vector operands.

use alloc::format;

use super::Parser;
use crate::operand::{Region, Stride};
use crate::text::parse::cursor::Parsed;

impl Parser<'_> {
    /// Parses `(row,col)`.
    pub(in crate::text) fn row_and_column(&mut self) -> Parsed<(u8, u8)> {
        // Fast path: most have one digit each.
        if let [b'(', row @ b'0'..=b'9', b',', col @ b'0'..=b'9', b')', ..] = *self.c.rest() {
            self.c.at += "(0,0)".len();
            return Ok((row - b'0', col - b'0'));
        }
        if !self.c.eat("(") {
            return Err(self.c.expected("a row and a column, such as `(0,0)`"));
        }
        let row = self.c.calculated("a row")?;
        if !self.c.eat(",") {
            return Err(self.c.expected("`,` and a column, as in `(0,0)`"));
        }
        let col = self.c.calculated("a column")?;
        self.c.expect(")")?;
        Ok((row, col))
    }

    pub(super) fn dst_region(&mut self) -> Parsed<Region> {
        // Fast path, as in `src_region`.
        if let [b'<', stride, b'>', next, ..] = *self.c.rest() {
            if let (Some(stride), true) = (stride_of_digit(stride), next != b'>') {
                self.c.at += "<1>".len();
                return Ok(Region::dst(stride));
            }
        }
        if !self.c.eat("<") {
            return Err(self.c.expected("the region of a destination, such as `<1>`"));
        }
        let stride = self.stride()?;
        self.c.skip_blanks();
        let is_source = matches!(self.c.peek(), Some(b';' | b','));
        self.c.expect(">").map_err(|failed| match is_source {
            true => {
                self.with_help(failed, "the region of a destination is one stride, as in `<1>`")
            }
            false => failed,
        })?;
        Ok(Region::dst(stride))
    }

    /// Parses `<v;w,h>`, or for indirect operands `<w,h>` or `<h>`.
    pub(super) fn src_region(&mut self, indirect: bool) -> Parsed<Region> {
        // Fast path: most strides have one digit. `>>` is an operator.
        if let [b'<', vertical, b';', width, b',', horizontal, b'>', next, ..] = *self.c.rest() {
            let strides = [vertical, width, horizontal].map(stride_of_digit);
            if let ([Some(vertical), Some(width), Some(horizontal)], true) = (strides, next != b'>')
            {
                self.c.at += "<1;1,0>".len();
                return Ok(Region::new(vertical, width, horizontal));
            }
        }
        if !self.c.eat("<") {
            return Err(self.c.expected("the region of a source, such as `<1;1,0>`"));
        }
        let first = self.stride()?;
        if indirect && self.c.eat(">") {
            return Ok(Region::new(Stride::NULL, Stride::NULL, first));
        }
        if indirect && self.c.eat(",") {
            let horizontal = self.stride()?;
            self.c.expect(">")?;
            return Ok(Region::new(Stride::NULL, first, horizontal));
        }
        self.c.expect(";").map_err(|failed| {
            let help = "the region of a source is a stride, a width and a stride, as in `<1;1,0>`";
            self.with_help(failed, help)
        })?;
        let width = self.stride()?;
        self.c.expect(",")?;
        let horizontal = self.stride()?;
        self.c.expect(">")?;
        Ok(Region::new(first, width, horizontal))
    }

    fn stride(&mut self) -> Parsed<Stride> {
        self.c.skip_blanks();
        let start = self.c.at;
        let elements: u64 = self.c.calculated_before_angle("a number of elements")?;
        let stride = usize::try_from(elements).ok().and_then(Stride::from_elements);
        stride.ok_or_else(|| {
            let message = format!("expected 0, 1, 2, 4, 8, 16 or 32, found `{elements}`");
            self.c.fail(start..self.c.at, &message)
        })
    }
}

/// Returns the stride that a digit states.
fn stride_of_digit(digit: u8) -> Option<Stride> {
    let elements = digit.checked_sub(b'0').filter(|elements| *elements < 10)?;
    Stride::from_elements(elements.into())
}
