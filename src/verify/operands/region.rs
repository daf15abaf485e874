//! Rules for regions, and for the elements of a variable that they select.

use super::{Operand, Role};
use crate::isa::Kind;
use crate::operand::{AddressOf, DataType, ExecSize, Region, Stride, VarId, VectorKind};
use crate::verify::context::RuleContext;
use crate::verify::rule::rules;

/// The distance from the first element of an illegal region to the last: more than a variable has.
const ILLEGAL: u16 = u16::MAX;

/// The distance from the first element of a source to the last, indexed by the execution size and
/// the bits of the region.
static LAST_OF_SOURCE: [[u16; 1 << 12]; ExecSize::ALL.len()] = {
    let mut table = [[ILLEGAL; 1 << 12]; ExecSize::ALL.len()];
    let mut bits = 0;
    while bits < 1 << 12 {
        let (v, w, h) = (bits & 15, bits >> 4 & 15, bits >> 8);
        let is_legal = v >= 1 && v <= 7 && w >= 2 && w <= 6 && h >= 1 && h <= 4;
        let mut size = if is_legal { w - 2 } else { table.len() };
        while size < table.len() {
            let (rows, width) = (1 << (size - (w - 2)), 1 << (w - 2));
            table[size][bits] = (rows - 1) * stride(v) + (width - 1) * stride(h);
            size += 1;
        }
        bits += 1;
    }
    table
};

/// The distance from the first element of a destination to the last, indexed by the execution size
/// and the code of the stride.
static LAST_OF_DST: [[u16; 16]; ExecSize::ALL.len()] = {
    let mut table = [[ILLEGAL; 16]; ExecSize::ALL.len()];
    let mut size = 0;
    while size < table.len() {
        let mut h = 2;
        while h <= 4 {
            table[size][h] = ((1 << size) - 1) * stride(h);
            h += 1;
        }
        size += 1;
    }
    table
};

/// Returns the stride of a legal code, 1 to 7.
const fn stride(code: usize) -> u16 {
    (1 << code) >> 2
}

/// The distances from the first element of an operand to the last, given the execution size.
#[derive(Clone, Copy)]
pub(in crate::verify) struct Reach {
    source: &'static [u16; 1 << 12],
    dst: &'static [u16; 16],
}

impl Reach {
    #[inline(always)]
    pub(in crate::verify) fn of(size: ExecSize) -> Reach {
        Reach { source: &LAST_OF_SOURCE[size as usize], dst: &LAST_OF_DST[size as usize] }
    }

    /// Returns the distance from the first element of a source to the last; for an illegal region,
    /// a distance that is not within any variable.
    #[inline(always)]
    pub(super) fn source(self, region: Region) -> u16 {
        self.source[usize::from(region.bits() & 0xfff)]
    }

    /// Returns the distance from the first element of a destination to the last; for an illegal
    /// stride, a distance that is not within any variable.
    #[inline(always)]
    pub(super) fn dst(self, region: Region) -> u16 {
        self.dst[usize::from(region.horizontal().bits() & 15)]
    }
}

/// Returns the region of a general or indirect operand.
fn region(o: &Operand<'_>) -> Option<Region> {
    match o.operand.kind {
        VectorKind::General { region, .. } | VectorKind::Indirect { region, .. } => Some(region),
        _ => None,
    }
}

/// Returns the region of a source. The region of a destination is its horizontal stride only.
fn source_region(o: &Operand<'_>) -> Option<Region> {
    region(o).filter(|_| o.role != Role::Dst)
}

/// The bytes of a declared variable that a general operand selects.
struct ElementRange {
    /// The size of an element in bytes.
    size: i64,
    /// The offset of the first element in the variable.
    start: i64,
    /// The offset of the last element from the first.
    last: i64,
}

/// Returns the bytes that a general operand selects; `None` for an undeclared variable or an
/// illegal region.
fn element_range(o: &Operand<'_>, c: &RuleContext<'_, '_>) -> Option<ElementRange> {
    let VectorKind::General { var, row, col, region } = o.operand.kind else { return None };
    let ty = c.variable(var)?.ty;
    let size = ty.size() as i64;
    if o.role == Role::AddressOf {
        // The address is that of a byte.
        let start = AddressOf(*o.operand).offset(ty, c.format(), c.cx.registers)?;
        return Some(ElementRange { size: 1, start: start.into(), last: 0 });
    }
    let last = if !o.has_region {
        0
    } else if o.role == Role::Dst {
        Reach::of(o.exec.size).dst(region)
    } else {
        Reach::of(o.exec.size).source(region)
    };
    if last == ILLEGAL {
        return None;
    }
    let start = i64::from(row) * c.grf() + i64::from(col) * size;
    Some(ElementRange { size, start, last: i64::from(last) * size })
}

/// Returns whether the elements of an operand may be in more than two registers.
#[inline(always)]
pub(super) fn can_span(kind: Kind) -> bool {
    use Kind::{Arith, Compare, Logic, Mov};
    matches!(kind, Mov | Logic | Compare | Arith)
}

rules! { regions for Operand<'_>;
    /// The width of a source's region is not 0.
    fn zero_width "region-zero-width" (Refuses, ANY, "5_operands, Region Restrictions") |o, c| {
        if source_region(o).is_some_and(|region| region.width() == Stride::S0) {
            c.fail(o.field, "0", "a region width of 1, 2, 4, 8 or 16");
        }
    }

    /// The horizontal stride of a destination is not 0.
    fn dst_stride "dst-stride" (Refuses, ANY, "5_operands, Region Restrictions") |o, c| {
        let is_dst = o.role == Role::Dst;
        if region(o).is_some_and(|region| is_dst && region.horizontal() == Stride::S0) {
            c.fail(o.field, "0", "a horizontal stride of 1, 2 or 4");
        }
    }

    /// The horizontal stride of a region is not null.
    fn stride_null "region-stride-null" (Refuses, ANY, "IGC") |o, c| {
        if region(o).is_some_and(|region| region.horizontal() == Stride::NULL) {
            c.fail(o.field, "null", "a horizontal stride of 0, 1, 2 or 4");
        }
    }

    /// A horizontal stride is 0, 1, 2 or 4.
    fn hstride "region-hstride" (Refuses, ANY, "5_operands, Region Restrictions") |o, c| {
        let Some(stride) = region(o).map(Region::horizontal) else { return };
        if matches!(stride, Stride::S8 | Stride::S16 | Stride::S32) {
            c.fail(o.field, stride, "a horizontal stride of 0, 1, 2 or 4");
        }
    }

    /// The width of a source's region is 1, 2, 4, 8 or 16, and at most the execution size.
    fn width "region-width" (Refuses, ANY, "5_operands, Region Restrictions") |o, c| {
        let region = source_region(o);
        let width = region.and_then(|region| region.width().elements()).unwrap_or_default();
        let lanes = o.exec.size.lanes();
        if width > 16 || width > lanes {
            let most = lanes.min(16);
            c.fail(o.field, width, format_args!("a region width of at most {most}"));
        }
    }

    /// The parameters of a region are encoded as 0 to 7.
    fn code "region-code" (Refuses, ANY, "5_operands, General Operands") |o, c| {
        let Some(region) = region(o) else { return };
        let parts = match o.role {
            Role::Dst => Region::dst(region.horizontal()).bits(),
            _ => region.bits(),
        };
        if parts & 0x888 != 0 {
            c.fail(o.field, format_args!("{parts:#05x}"), "a region with codes from 0 to 7");
        }
    }

    /// Only the region of an indirect operand lacks the vertical stride or the width.
    fn general_vxh "region-general-vxh" (Refuses, ANY, "5_operands, Indirect Operands") |o, c| {
        let is_general = matches!(o.operand.kind, VectorKind::General { .. });
        let Some(region) = source_region(o).filter(|_| is_general) else { return };
        if region.vertical() == Stride::NULL || region.width() == Stride::NULL {
            c.fail(o.field, region, "a region with all three parameters");
        }
    }
}

rules! { places for Operand<'_>;
    /// The elements of an operand are within the storage of its variable.
    fn bounds "operand-bounds" (Miscompiles, ANY, "5_operands, Region-based Addressing") |o, c| {
        let VectorKind::General { var, .. } = o.operand.kind else { return };
        let (Some(size), Some(range)) = (c.storage_size(var), element_range(o, c)) else { return };
        let end = range.start + range.last + range.size;
        if end > size {
            let (name, first, last) = (c.name(var), range.start, end - 1);
            c.report(
                o.field,
                format_args!("accesses bytes {first} to {last} of {name}, which has {size} bytes"),
            );
        }
    }

    /// The column of an operand is within a row.
    fn column "operand-column" (Accepts, ANY, "5_operands, General Operands") |o, c| {
        let VectorKind::General { var, col, .. } = o.operand.kind else { return };
        let size = match var.predefined_type() {
            Some(ty) => Some(ty),
            None => c.variable(var).map(|variable| variable.ty),
        };
        // Without a platform, accept kernels for registers of 64 bytes.
        let row = c.platform().map_or(64, |_| c.grf());
        let columns = row / size.map_or(1, DataType::size) as i64;
        if i64::from(col) >= columns {
            c.fail(o.field, col, format_args!("a column of 0 to {}", columns - 1));
        }
    }

    /// The elements of an operand are in at most two adjacent registers. Arithmetic, logic, moves
    /// and comparisons are exempt; so is the data port, except in dialect Manual.
    fn span "region-span" (Refuses, ANY, "5_operands, Region Restrictions") |o, c| {
        let VectorKind::General { var, .. } = o.operand.kind else { return };
        let is_exempt =
            can_span(o.kind) || o.kind == Kind::DataPort && !c.format().is_manual();
        if var < VarId::FIRST_DECLARED || is_exempt {
            return;
        }
        let (Some(range), Some((_, offset))) = (element_range(o, c), c.root(var)) else { return };
        let (grf, start) = (c.grf(), offset + range.start);
        let end = start + range.last + range.size - 1;
        if end - start >= 2 * grf || end / grf - start / grf > 1 {
            let registers = alloc::format!("more than two registers of {grf} bytes");
            c.report(o.field, format_args!("accesses bytes {start} to {end}, in {registers}"));
        }
    }
}
