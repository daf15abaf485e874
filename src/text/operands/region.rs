//! Rows, columns and regions of vector operands.

use alloc::format;

use crate::operand::{Region, Stride};
use crate::text::context::{Parser, Printer};
use crate::text::cursor::Parsed;
use crate::text::recorder::CompletionKind;
use crate::text::words::{Style, Words};

/// The text of column 0 of the first ten rows.
const FIRST_COLUMNS: &str = "(0,0)(1,0)(2,0)(3,0)(4,0)(5,0)(6,0)(7,0)(8,0)(9,0)";

impl Printer<'_> {
    /// Prints `(row,col)`.
    #[inline]
    pub(in crate::text) fn row_and_column(&mut self, row: u8, col: u8) {
        if row < 10 && col == 0 {
            let start = 5 * usize::from(row);
            return self.line.push(&FIRST_COLUMNS[start..start + 5]);
        }
        self.line.ch('(');
        self.line.dec(row);
        self.line.ch(',');
        self.line.dec(col);
        self.line.ch(')');
    }

    /// Prints a number of a region: the elements, or -1 for a code without a meaning.
    fn stride(&mut self, stride: Stride) {
        static STRIDES: Words<16> = Words::new({
            let mut names = ["-1"; 16];
            let mut i = 0;
            while i < Stride::NAMED.len() {
                if let (Some(_), Some(name)) =
                    (Stride::NAMED[i].elements(), Stride::NAMED[i].name())
                {
                    names[Stride::NAMED[i].bits() as usize] = name;
                }
                i += 1;
            }
            names
        });
        self.line.word(&STRIDES, stride.bits());
        self.omit_if(stride.elements().is_none() && stride != Stride::NULL);
    }

    #[inline]
    pub(super) fn dst_region(&mut self, region: Region) {
        const ROW: Region = Region::dst(Stride::S1);
        if region == ROW {
            return self.line.push("<1>");
        }
        self.line.ch('<');
        self.stride(region.horizontal());
        self.line.ch('>');
        self.omit_if(region != Region::dst(region.horizontal()));
        self.omit_if(region.horizontal() == Stride::NULL);
    }

    /// Prints `<v;w,h>`, `<h>` without a width, or `<w,h>` without a vertical stride.
    pub(super) fn src_region(&mut self, region: Region, is_indirect: bool) {
        // Fast path: most sources have one of three regions.
        const ROW_OF_8: Region = Region::new(Stride::S8, Stride::S8, Stride::S1);
        const ROW_OF_16: Region = Region::new(Stride::S16, Stride::S16, Stride::S1);
        match region {
            Region::SCALAR => return self.line.push("<0;1,0>"),
            ROW_OF_8 => return self.line.push("<8;8,1>"),
            ROW_OF_16 => return self.line.push("<16;16,1>"),
            _ => {}
        }
        let (v, w, h) = (region.vertical(), region.width(), region.horizontal());
        self.line.ch('<');
        if w == Stride::NULL {
            // The compiler reads `<h>`, other readers do not.
            self.omit_if(!is_indirect || v != Stride::NULL || !self.is_v4_2());
        } else {
            if v != Stride::NULL {
                self.stride(v);
                self.line.ch(';');
            }
            self.stride(w);
            self.line.ch(',');
        }
        self.stride(h);
        self.line.ch('>');
        self.omit_if(v == Stride::NULL && !is_indirect || h == Stride::NULL);
    }
}

impl Parser<'_> {
    /// Parses `(row,col)`.
    pub(in crate::text) fn row_and_column(&mut self) -> Parsed<(u8, u8)> {
        // Fast path: most have one digit each.
        if let [b'(', row @ b'0'..=b'9', b',', col @ b'0'..=b'9', b')', ..] = *self.c.rest() {
            self.c.at += "(0,0)".len();
            self.c.record_digits(&[4, 2]);
            return Ok((row - b'0', col - b'0'));
        }
        self.c.complete(CompletionKind::Region, &FIRST_COLUMNS[..5]);
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
                self.c.record_digits(&[2]);
                return Ok(Region::dst(stride));
            }
        }
        if self.c.is_completing() {
            self.complete_regions(true);
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
                self.c.record_digits(&[6, 4, 2]);
                return Ok(Region::new(vertical, width, horizontal));
            }
        }
        if self.c.is_completing() {
            self.complete_regions(false);
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

    /// Records regions that fit the number of lanes as completions.
    #[cold]
    fn complete_regions(&mut self, is_dst: bool) {
        let lanes = self.c.recorder.as_ref().and_then(|recorder| recorder.lanes).unwrap_or(1);
        let row = Stride::from_elements(lanes.min(16)).unwrap_or(Stride::S1);
        let regions = match is_dst {
            true => [Region::dst(Stride::S1), Region::dst(Stride::S2), Region::dst(Stride::S4)],
            false => [
                Region::new(Stride::S1, Stride::S1, Stride::S0),
                Region::new(row, row, Stride::S1),
                Region::SCALAR,
            ],
        };
        for region in regions {
            let mut printer = Printer::new(Style::Complete, self.format, None);
            match is_dst {
                true => printer.dst_region(region),
                false => printer.src_region(region, false),
            }
            self.c.complete(CompletionKind::Region, &printer.line.as_str());
        }
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
