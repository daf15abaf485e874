//! Comparison of results.

use super::data::{Kind, Type};
use super::manifest::Tolerance;

/// Returns the first element that differs by more than the tolerance, and how many do.
pub fn difference(ty: Type, tolerance: Tolerance, found: &[u8], expected: &[u8]) -> Option<String> {
    let word = |bytes: &[u8]| {
        let mut all = [0; 8];
        all[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(all)
    };
    let pairs = found.chunks(ty.size).zip(expected.chunks(ty.size));
    let pairs = pairs.map(|(found, expected)| (word(found), word(expected)));
    let wrong: Vec<_> =
        pairs.enumerate().filter(|(_, (a, b))| !is_close(ty, tolerance, *a, *b)).collect();
    let (index, (found, expected)) = wrong.first()?;
    let count = wrong.len();
    let show = |bits: u64| match ty.kind {
        Kind::Integer => format!("{bits:#x}"),
        Kind::Float(_) => format!("{bits:#x} = {:e}", ty.float(bits)),
    };
    Some(format!(
        "[{index}]: {}, expected {}; {count} elements differ",
        show(*found),
        show(*expected)
    ))
}

fn is_close(ty: Type, tolerance: Tolerance, found: u64, expected: u64) -> bool {
    if found == expected {
        return true;
    }
    let Kind::Float(_) = ty.kind else { return false };
    let (a, b) = (ty.float(found), ty.float(expected));
    // The payload of NaN is not specified.
    if a.is_nan() || b.is_nan() {
        return a.is_nan() && b.is_nan();
    }
    if (a - b).abs() <= tolerance.absolute {
        return true;
    }
    let sign = 1u64 << (ty.size * 8 - 1);
    let order = |bits: u64| if bits & sign != 0 { -((bits ^ sign) as i64) } else { bits as i64 };
    tolerance.ulp > 0 && order(found).abs_diff(order(expected)) <= tolerance.ulp
}
