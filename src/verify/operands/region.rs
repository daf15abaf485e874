//! Rules for regions, and for the elements that they take of a variable.

use super::{Operand, Role};
use crate::isa::Kind;
use crate::operand::{DataType, ExecSize, Region, Stride, VarId, VectorKind};
use crate::verify::context::{RuleContext, size_of_variable};
use crate::verify::rule::rules;

/// A source's region as its rows: what every lane adds to the first element.
#[derive(Clone, Copy)]
struct Rows {
    /// The logarithm of the elements of a row; more than any execution size if the region is not
    /// legal.
    log_width: u8,
    /// From row to row.
    vertical: u8,
    /// From the first element of a row to the last.
    across: u8,
}

const ILLEGAL: u8 = u8::MAX;

/// The rows of every region, by its bits.
static ROWS: [Rows; 1 << 12] = {
    let mut table = [Rows { log_width: ILLEGAL, vertical: 0, across: 0 }; 1 << 12];
    let mut bits = 0;
    while bits < table.len() {
        let (v, w, h) = (bits & 15, bits >> 4 & 15, bits >> 8);
        if v >= 1 && v <= 7 && w >= 2 && w <= 6 && h >= 1 && h <= 4 {
            table[bits] = Rows {
                log_width: w as u8 - 2,
                vertical: stride(v),
                across: ((1 << (w - 2)) - 1) * stride(h),
            };
        }
        bits += 1;
    }
    table
};

/// The stride of a legal code, 1 to 7.
const fn stride(code: usize) -> u8 {
    (1 << code) >> 2
}

/// The last element of a source, counted from the first, unless its region is not legal.
#[inline(always)]
pub(in crate::verify) fn last_of_source(region: Region, size: ExecSize) -> Option<u32> {
    let layout = ROWS[usize::from(region.bits() & 0xfff)];
    let rows = (size as u8).checked_sub(layout.log_width)?;
    Some(((1 << rows) - 1) * u32::from(layout.vertical) + u32::from(layout.across))
}

/// The last element of a destination, counted from the first, unless its stride is not legal.
#[inline(always)]
pub(in crate::verify) fn last_of_dst(region: Region, size: ExecSize) -> Option<u32> {
    let code = region.horizontal().bits();
    if !(2..=4).contains(&code) {
        return None;
    }
    Some((size.lanes() as u32 - 1) << (code - 2))
}

/// The region of a general or indirect operand.
fn region(o: &Operand<'_>) -> Option<Region> {
    match o.operand.kind {
        VectorKind::General { region, .. } | VectorKind::Indirect { region, .. } => Some(region),
        _ => None,
    }
}

/// The region of a source. Of a destination only the horizontal stride counts.
fn source(o: &Operand<'_>) -> Option<Region> {
    region(o).filter(|_| o.role != Role::Dst)
}

/// A general operand of a variable that is declared.
struct ElementRange {
    /// The size of an element in bytes.
    size: i64,
    /// The first element's byte in the variable.
    start: i64,
    /// The last element's, counted from there.
    last: i64,
}

/// Where a general operand lies; `None` where its region is not legal either.
fn place(o: &Operand<'_>, c: &RuleContext<'_, '_>) -> Option<ElementRange> {
    let VectorKind::General { var, row, col, region } = o.operand.kind else { return None };
    let size = c.variable(var)?.ty.size() as i64;
    let last = if !o.has_region || o.role == Role::AddressOf {
        0
    } else if o.role == Role::Dst {
        last_of_dst(region, o.exec.size)?
    } else {
        last_of_source(region, o.exec.size)?
    };
    let start = i64::from(row) * c.grf() + i64::from(col) * size;
    Some(ElementRange { size, start, last: i64::from(last) * size })
}

rules! { regions for Operand<'_>;
    /// A row of a source has elements.
    fn zero_width "region-zero-width" (Error, ANY, "5_operands, Region Restrictions") |o, c| {
        if source(o).is_some_and(|region| region.width() == Stride::S0) {
            c.fail(o.field, "rows without elements", "of 1, 2, 4, 8 or 16");
        }
    }

    /// The elements of a destination are apart.
    fn dst_stride "dst-stride" (Error, ANY, "5_operands, Region Restrictions") |o, c| {
        let is_dst = o.role == Role::Dst;
        if region(o).is_some_and(|region| is_dst && region.horizontal() == Stride::S0) {
            c.fail(o.field, "horizontal stride 0", "1, 2 or 4");
        }
    }

    /// A region has a horizontal stride.
    fn stride_null "region-stride-null" (Error, ANY, "reference") |o, c| {
        if region(o).is_some_and(|region| region.horizontal() == Stride::NULL) {
            c.fail(o.field, "a null horizontal stride", "0, 1, 2 or 4");
        }
    }

    /// A horizontal stride is 0, 1, 2 or 4.
    fn hstride "region-hstride" (Error, ANY, "5_operands, Region Restrictions") |o, c| {
        let Some(stride) = region(o).map(Region::horizontal) else { return };
        if matches!(stride, Stride::S8 | Stride::S16 | Stride::S32) {
            c.fail(o.field, format_args!("horizontal stride {stride}"), "0, 1, 2 or 4");
        }
    }

    /// A row of a source has 1, 2, 4, 8 or 16 elements and no more than there are lanes.
    fn width "region-width" (Error, ANY, "5_operands, Region Restrictions") |o, c| {
        let width = source(o).and_then(|region| region.width().elements()).unwrap_or_default();
        let lanes = o.exec.size.lanes();
        if width > 16 || width > lanes {
            let most = lanes.min(16);
            c.fail(o.field, format_args!("rows of {width}"), format_args!("at most {most}"));
        }
    }

    /// The parameters of a region are coded as 0 to 7.
    fn code "region-code" (Error, ANY, "5_operands, General Operands") |o, c| {
        let Some(region) = region(o) else { return };
        let parts = match o.role {
            Role::Dst => Region::dst(region.horizontal()).bits(),
            _ => region.bits(),
        };
        if parts & 0x888 != 0 {
            c.fail(o.field, format_args!("region {parts:#05x}"), "of codes 0 to 7");
        }
    }

    /// Only a region behind addresses lacks its vertical stride or its width.
    fn general_vxh "region-general-vxh" (Error, ANY, "5_operands, Indirect Operands") |o, c| {
        let is_general = matches!(o.operand.kind, VectorKind::General { .. });
        let Some(region) = source(o).filter(|_| is_general) else { return };
        if region.vertical() == Stride::NULL || region.width() == Stride::NULL {
            c.fail(o.field, region, "a region with all three parameters");
        }
    }
}

rules! { places for Operand<'_>;
    /// The elements of an operand are those of its variable.
    fn bounds "operand-bounds" (Error, ANY, "5_operands, Region-based Addressing") |o, c| {
        let VectorKind::General { var, .. } = o.operand.kind else { return };
        let (Some(variable), Some(at)) = (c.variable(var), place(o, c)) else { return };
        let (end, size) = (at.start + at.last + at.size, size_of_variable(variable));
        if end > size {
            c.fail(
                o.field,
                format_args!("bytes {} to {}", at.start, end - 1),
                format_args!("within the {size} of {var}"),
            );
        }
    }

    /// A column lies in its row.
    fn column "operand-column" (Error, ANY, "5_operands, General Operands") |o, c| {
        let VectorKind::General { var, col, .. } = o.operand.kind else { return };
        let size = match var.predefined_type() {
            Some(ty) => Some(ty),
            None => c.variable(var).map(|variable| variable.ty),
        };
        // Without a platform, kernels for registers of 64 bytes must pass.
        let row = c.platform().map_or(64, |_| c.grf());
        let columns = row / size.map_or(1, DataType::size) as i64;
        if i64::from(col) >= columns {
            c.fail(o.field, format_args!("column {col}"), format_args!("one of {columns}"));
        }
    }

    /// The elements of an operand that is neither of arithmetic, logic, moves, comparison nor, except
    /// in dialect Manual, of the data port lie in at most two adjacent registers.
    fn span "region-span" (Error, ANY, "5_operands, Region Restrictions") |o, c| {
        use Kind::{Arith, Compare, DataPort, Logic, Mov};
        let VectorKind::General { var, .. } = o.operand.kind else { return };
        let is_exempt = matches!(o.kind, Mov | Logic | Compare | Arith)
            || o.kind == DataPort && !c.format().is_manual();
        if var < VarId::FIRST_DECLARED || is_exempt {
            return;
        }
        let (Some(at), Some((_, offset))) = (place(o, c), c.root(var)) else { return };
        let (grf, start) = (c.grf(), offset + at.start);
        let end = start + at.last + at.size - 1;
        if end - start >= 2 * grf || end / grf - start / grf > 1 {
            c.fail(o.field, format_args!("bytes {start} to {end}"), "within two registers");
        }
    }
}
