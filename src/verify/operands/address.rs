//! Rules for address operands and what is read through them.

use super::{Operand, Role};
use crate::operand::{AddrId, AddrWidth, DataType, Stride, VectorKind};
use crate::verify::rule::rules;

/// The addresses of an operand: the variable, the first element and how many there are.
struct Addresses {
    addr: AddrId,
    first: usize,
    count: usize,
}

/// What addresses an operand takes, as far as it can be told.
fn addresses(o: &Operand<'_>) -> Option<Addresses> {
    match o.operand.kind {
        VectorKind::Address { addr, offset, width } => {
            // The width of a destination is ignored: it takes an element a lane.
            let count = if o.role == Role::Dst { o.exec.size.lanes() } else { lanes(width)? };
            Some(Addresses { addr, first: offset.into(), count })
        }
        VectorKind::Indirect { addr, addr_offset, .. } => {
            Some(Addresses { addr, first: addr_offset.into(), count: rows(o).unwrap_or(1) })
        }
        _ => None,
    }
}

fn lanes(width: AddrWidth) -> Option<usize> {
    (width <= AddrWidth::W16).then(|| 1 << width.bits())
}

/// How many rows a source has with an address for each.
pub(super) fn rows(o: &Operand<'_>) -> Option<usize> {
    let VectorKind::Indirect { region, .. } = o.operand.kind else { return None };
    let heeded = o.has_region && !o.is_scalar && o.role == Role::Source;
    if !heeded || region.vertical() != Stride::NULL {
        return None;
    }
    let width = region.width().elements().filter(|width| *width > 0)?;
    Some(o.exec.size.lanes() / width)
}

rules! { addresses for Operand<'_>;
    /// An operand names an address variable that is declared.
    fn exists "address-exists" (Error, ANY, "5_operands, Address Operands") |o, c| {
        let (Some(body), Some(a)) = (c.body(), addresses(o)) else { return };
        if usize::from(a.addr.0) >= body.addresses.len() {
            c.fail(o.field, a.addr, "an address variable that is declared");
        }
    }

    /// An operand stays within its address variable, and its width is 1, 2, 4, 8 or 16.
    fn bounds "address-bounds" (Error, ANY, "5_operands, Address Operands") |o, c| {
        let Some(a) = addresses(o) else {
            return c.fail(o.field, "a width without a meaning", "1, 2, 4, 8 or 16");
        };
        let declared = c.body().and_then(|body| body.addresses.get(usize::from(a.addr.0)));
        let Some(declared) = declared else { return };
        let (first, end) = (a.first, a.first + a.count);
        // More than 16 are another rule's.
        if end > usize::from(declared.num_elements) && a.count <= 16 {
            let has = declared.num_elements;
            c.fail(
                o.field,
                format_args!("elements {first} to {}", end - 1),
                format_args!("among the {has} of {}", a.addr),
            );
        }
    }

    /// What is behind an address lies -512 to 511 bytes from it.
    fn offset "indirect-offset" (Error, ANY, "5_operands, Indirect Operands") |o, c| {
        if let VectorKind::Indirect { offset, .. } = o.operand.kind {
            if !(-512..=511).contains(&offset) {
                c.fail(o.field, format_args!("offset {offset}"), "-512 to 511");
            }
        }
    }

    /// What is behind an address has any type but V, UV, VF and BOOL.
    fn ty "indirect-type" (Error, ANY, "5_operands, Indirect Operands") |o, c| {
        use DataType as T;
        if let VectorKind::Indirect { ty, .. } = o.operand.kind {
            if matches!(ty.ty(), T::V | T::UV | T::VF | T::BOOL) {
                c.fail(o.field, ty, "a type that a variable can have");
            }
        }
    }

    /// A source takes at most 16 addresses, before Xe3.
    fn count "indirect-addresses" (Error, ANY, "5_operands, Indirect Operands") |o, c| {
        if let Some(rows) = rows(o).filter(|rows| *rows > 16 && !c.is_on(since(Xe3))) {
            c.fail(o.field, format_args!("{rows} addresses"), "at most 16");
        }
    }
}
