//! Rules for address operands and indirect operands.

use super::{Operand, Role};
use crate::operand::{AddrId, AddrWidth, Stride, VectorKind};
use crate::verify::rule::rules;

/// The elements of an address variable that an operand uses.
struct Addresses {
    addr: AddrId,
    first: usize,
    count: usize,
}

/// Returns the addresses that an operand uses; `None` if its width is illegal.
fn addresses(o: &Operand<'_>) -> Option<Addresses> {
    match o.operand.kind {
        VectorKind::Address { addr, offset, width } => {
            // A destination uses one element per lane, and its width is ignored.
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

/// Returns the number of rows of a source that has one address per row.
pub(super) fn rows(o: &Operand<'_>) -> Option<usize> {
    let VectorKind::Indirect { region, .. } = o.operand.kind else { return None };
    let is_checked = o.has_region && !o.is_scalar && o.role == Role::Source;
    if !is_checked || region.vertical() != Stride::NULL {
        return None;
    }
    let width = region.width().elements().filter(|width| *width > 0)?;
    Some(o.exec.size.lanes() / width)
}

rules! { addresses for Operand<'_>;
    /// Address variables are declared.
    fn exists "address-exists" (Refuses, ANY, "5_operands, Address Operands") |o, c| {
        let (Some(body), Some(a)) = (c.body(), addresses(o)) else { return };
        if usize::from(a.addr.0) >= body.addresses.len() {
            let name = c.name(a.addr);
            c.report(o.field, format_args!("address variable {name} is not declared"));
        }
    }

    /// The elements of an address operand are within its variable; its width is 1, 2, 4, 8 or 16.
    fn bounds "address-bounds" (Miscompiles, ANY, "5_operands, Address Operands") |o, c| {
        let Some(a) = addresses(o) else {
            return c.report(o.field, "invalid width, expected 1, 2, 4, 8 or 16");
        };
        let declared = c.body().and_then(|body| body.addresses.get(usize::from(a.addr.0)));
        let Some(declared) = declared else { return };
        let (first, end) = (a.first, a.first + a.count);
        // More than 16 addresses break another rule.
        if end > usize::from(declared.num_elements) && a.count <= 16 {
            let (name, most) = (c.name(a.addr), declared.num_elements);
            c.fail(
                o.field,
                format_args!("elements {first} to {}", end - 1),
                format_args!("at most {most} elements in {name}"),
            );
        }
    }

    /// The offset of an indirect operand is -512 to 511.
    fn offset "indirect-offset" (Accepts, ANY, "5_operands, Indirect Operands") |o, c| {
        if let VectorKind::Indirect { offset, .. } = o.operand.kind {
            if !(-512..=511).contains(&offset) {
                c.fail(o.field, offset, "an offset of -512 to 511");
            }
        }
    }

    /// An indirect operand has any type except V, UV, VF and BOOL.
    fn ty "indirect-type" (Miscompiles, ANY, "5_operands, Indirect Operands") |o, c| {
        if let VectorKind::Indirect { ty, .. } = o.operand.kind {
            if !ty.ty().can_be_declared() {
                let ty = ty.ty();
                c.report(o.field, format_args!("an indirect operand cannot have type {ty}; IGC reads ub"));
            }
        }
    }

    /// Before Xe3, a source has at most 16 addresses.
    fn count "indirect-addresses" (Refuses, ANY, "5_operands, Indirect Operands") |o, c| {
        if let Some(rows) = rows(o).filter(|rows| *rows > 16 && !c.is_on(since(Xe3))) {
            c.fail(o.field, rows, "at most 16 addresses");
        }
    }
}
