//! Sets of bytes that operands access.

use core::ops::Range;

/// The units of a root that an operand accesses: rows of elements with constant strides.
///
/// A unit is a byte of a variable or of an address variable, or a bit of a predicate. Positions after
/// `u32::MAX` become `u32::MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Footprint {
    /// The first unit of the first element.
    pub start: u32,
    /// The number of units of an element.
    pub element: u32,
    /// The number of elements of a row.
    pub columns: u32,
    /// The distance of the elements of a row, in units.
    pub column_stride: u32,
    /// The number of rows.
    pub rows: u32,
    /// The distance of the rows, in units.
    pub row_stride: u32,
}

impl Footprint {
    /// Returns the footprint of consecutive units.
    pub const fn contiguous(start: u32, len: u32) -> Footprint {
        Footprint::strided(start, len, 1, len)
    }

    /// Returns the footprint of elements with a constant stride.
    pub const fn strided(start: u32, element: u32, count: u32, stride: u32) -> Footprint {
        Footprint { start, element, columns: count, column_stride: stride, rows: 1, row_stride: 0 }
    }

    /// Returns the smallest range that contains all units.
    pub const fn span(&self) -> Range<u32> {
        if self.element == 0 || self.columns == 0 || self.rows == 0 {
            return self.start..self.start;
        }
        let last_column = (self.columns - 1).saturating_mul(self.column_stride);
        let last = (self.rows - 1).saturating_mul(self.row_stride).saturating_add(last_column);
        self.start..self.start.saturating_add(last).saturating_add(self.element)
    }

    /// Returns the units, if they are a range because all elements of the only row are adjacent.
    #[inline]
    pub(super) const fn as_range(&self) -> Option<Range<u32>> {
        match self {
            Footprint { rows: 1, columns: 1, .. } => Some(self.start..self.start + self.element),
            Footprint { rows: 1, .. } if self.column_stride == self.element => {
                Some(self.start..self.start + self.element * self.columns)
            }
            _ => None,
        }
    }

    /// Returns the ranges of units in the order of the elements. Adjacent elements are in one range.
    /// Ranges may repeat or overlap, for example if a region reads an element for several lanes.
    ///
    /// ```
    /// use genvisa::analysis::Footprint;
    ///
    /// // Four words, at every other word.
    /// let footprint = Footprint::strided(8, 2, 4, 4);
    /// assert!(footprint.ranges().eq([8..10, 12..14, 16..18, 20..22]));
    /// assert!(Footprint::strided(8, 2, 4, 2).ranges().eq([8..16]));
    /// ```
    pub const fn ranges(&self) -> Ranges {
        let mut left = *self;
        // A repeated element is reported once.
        if left.column_stride == 0 && left.columns > 1 {
            left.columns = 1;
        }
        if left.row_stride == 0 && left.rows > 1 {
            left.rows = 1;
        }
        if left.column_stride == left.element {
            left.element = left.element.saturating_mul(left.columns);
            left.columns = if left.columns == 0 { 0 } else { 1 };
        }
        if left.columns == 1 && left.row_stride == left.element {
            left.element = left.element.saturating_mul(left.rows);
            left.rows = if left.rows == 0 { 0 } else { 1 };
        }
        if left.element == 0 || left.columns == 0 {
            left.rows = 0;
        }
        Ranges { left, column: 0 }
    }
}

/// The ranges of units of a [`Footprint`].
#[derive(Clone, Debug)]
pub struct Ranges {
    left: Footprint,
    column: u32,
}

impl Iterator for Ranges {
    type Item = Range<u32>;

    #[inline]
    fn next(&mut self) -> Option<Range<u32>> {
        if self.left.rows == 0 {
            return None;
        }
        let column = self.column.saturating_mul(self.left.column_stride);
        let start = self.left.start.saturating_add(column);
        self.column += 1;
        if self.column == self.left.columns {
            self.column = 0;
            self.left.rows -= 1;
            self.left.start = self.left.start.saturating_add(self.left.row_stride);
        }
        Some(start..start.saturating_add(self.left.element))
    }
}
