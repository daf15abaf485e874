//! Tables with a count before their entries.

use alloc::string::String;
use alloc::vec::Vec;

use crate::error::{PathSegment, Result};
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

/// An entry of a table.
pub(super) trait Entry: Wire {
    /// The least size of an entry in any format, in bytes. It limits the count of a table by the
    /// size of the input.
    const LEAST: usize;

    /// Returns the entry as text for traces; empty if it is a group of fields.
    fn as_text(&self) -> String {
        String::new()
    }
}

/// The integer type of the count of a table.
pub(super) trait Count: Wire + Describe + Into<u32> + TryFrom<usize> {
    /// The maximum count.
    const MAX: u32;
}

impl Count for u8 {
    const MAX: u32 = u8::MAX as u32;
}

impl Count for u16 {
    const MAX: u32 = u16::MAX as u32;
}

impl Count for u32 {
    const MAX: u32 = u32::MAX;
}

/// Decodes the count of a table, of type `N`, and its entries.
pub(super) fn decode_table<N: Count, V: Entry, T: Trace>(
    r: &mut Reader<'_, T>,
    counter: &'static str,
    table: &'static str,
) -> Result<Vec<V>> {
    let mut count = N::default();
    r.field(counter, &mut count)?;
    let count: u32 = count.into();
    let count = count as usize;
    r.check_count(count, size_of::<N>(), V::LEAST)
        .map_err(|error| error.within(PathSegment::Field(counter)))?;
    let mut entries = Vec::with_capacity(count);
    for index in 0..count {
        entries.push(r.entry(table, index, |r| V::decode(r), V::as_text)?);
    }
    Ok(entries)
}

/// Encodes the count of a table, of type `N`, and its entries.
pub(super) fn encode_table<N: Count, V: Wire>(
    w: &mut Writer,
    counter: &'static str,
    table: &'static str,
    entries: &[V],
) -> Result<()> {
    encode_count::<N>(w, counter, entries.len())?;
    for (index, entry) in entries.iter().enumerate() {
        entry.encode(w).map_err(|error| error.within(PathSegment::Entry { table, index }))?;
    }
    Ok(())
}

/// Encodes a count of type `N`.
pub(super) fn encode_count<N: Count>(
    w: &mut Writer,
    counter: &'static str,
    count: usize,
) -> Result<()> {
    match N::try_from(count) {
        Ok(count) => count.encode(w),
        Err(_) => Err(w.out_of_range(count as u64, N::MAX).within(PathSegment::Field(counter))),
    }
}
