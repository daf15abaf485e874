//! Archives (`ar`) in the GNU and BSD formats.

use std::ops::Range;

use object::archive::{Header, TERMINATOR};
use object::pod;

use super::tables::Budget;

/// The first bytes of an archive.
pub const MAGIC: &[u8] = &object::archive::MAGIC;

/// The first bytes of an archive whose members are other files.
pub const THIN_MAGIC: &[u8] = &object::archive::THIN_MAGIC;

/// A file in an archive.
pub struct Member {
    pub name: String,
    pub data: Range<usize>,
}

/// The files in an archive.
#[derive(Default)]
pub struct Archive {
    pub members: Vec<Member>,
    /// The end of the last member that can be read, and why the next cannot be read. An archive that
    /// is embedded in other bytes ends there.
    pub end: usize,
    pub problem: Option<String>,
}

/// Reads the archive that begins at the start of a range. A last member that does not end in the
/// range is truncated. `None` if the budget is spent.
pub fn read(bytes: &[u8], range: Range<usize>, budget: &mut Budget) -> Option<Archive> {
    let mut archive = Archive { end: range.start.checked_add(MAGIC.len())?, ..Archive::default() };
    let mut long_names = 0..0;
    let mut at = archive.end;
    while at < range.end {
        if !budget.take(size_of::<Header>()) {
            return None;
        }
        let Some((header, size)) = bytes.get(at..range.end).and_then(header_at) else {
            archive.problem = Some(format!("has no readable member at {at:#x}"));
            break;
        };
        let start = at + size_of::<Header>();
        let whole = usize::try_from(size).ok().and_then(|size| start.checked_add(size));
        let end = whole.filter(|end| *end <= range.end).unwrap_or(range.end);
        let name = header.name.trim_ascii_end();
        let mut data = start..end;
        match name {
            b"//" => long_names = data,
            b"/" | b"/SYM64/" => {}
            _ => {
                let name = member_name(bytes, name, &long_names, &mut data);
                if !budget.take(name.len()) {
                    return None;
                }
                let name = String::from_utf8_lossy(name).into_owned();
                archive.members.push(Member { name, data });
            }
        }
        archive.end = end;
        if whole != Some(end) {
            archive.problem = Some(format!("ends before its member at {at:#x} does"));
            break;
        }
        // Members are aligned to two bytes, relative to the start of the archive.
        at = end + (end - range.start) % 2;
    }
    Some(archive)
}

/// Returns the header of a member and its size.
fn header_at(bytes: &[u8]) -> Option<(&Header, u64)> {
    let (header, _) = pod::from_bytes::<Header>(bytes).ok()?;
    let size = std::str::from_utf8(header.size.trim_ascii()).ok()?.parse().ok()?;
    (header.terminator == TERMINATOR).then_some((header, size))
}

/// Returns the name of a member. A name in front of the data is removed from the data.
fn member_name<'b>(
    bytes: &'b [u8],
    name: &'b [u8],
    long_names: &Range<usize>,
    data: &mut Range<usize>,
) -> &'b [u8] {
    const LONGEST: usize = 4096;
    let number = |digits: &[u8]| std::str::from_utf8(digits).ok()?.parse::<usize>().ok();
    if let Some(offset) = name.strip_prefix(b"/").and_then(number) {
        let rest = bytes.get(long_names.clone()).and_then(|names| names.get(offset..));
        let rest = rest.unwrap_or_default();
        let rest = &rest[..rest.len().min(LONGEST)];
        let name = rest.split(|byte| b"\n\0".contains(byte)).next().unwrap_or_default();
        return name.strip_suffix(b"/").unwrap_or(name);
    }
    if let Some(len) = name.strip_prefix(b"#1/").and_then(number) {
        let end = data.start.saturating_add(len).min(data.end);
        let name = &bytes[data.start..end];
        data.start = end;
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        return &name[..name.len().min(LONGEST)];
    }
    name.strip_suffix(b"/").unwrap_or(name)
}
