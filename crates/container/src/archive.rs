//! Archives (`ar`) in the GNU, BSD and COFF formats, on the reader of `object`.

use std::ops::Range;

use object::archive::Header;
use object::read::ReadRef;
use object::read::archive::{ArchiveFile, ArchiveMember};

use crate::budget::Budget;

pub use object::archive::{MAGIC, THIN_MAGIC};

/// A file in an archive.
pub struct Member {
    pub name: String,
    pub data: Range<usize>,
}

/// The files in an archive.
pub struct Archive {
    pub members: Vec<Member>,
    /// The end of the last member that can be read. An archive that is embedded in other bytes ends there.
    pub end: usize,
    /// Why the next member cannot be read.
    pub problem: Option<String>,
}

/// Reads the archive that begins at the start of a range. A last member that does not end in the range is
/// truncated. `None` if the budget is spent.
pub fn read(bytes: &[u8], range: Range<usize>, budget: &Budget) -> Option<Archive> {
    let start = range.start;
    let data = Counted { bytes: bytes.get(range)?, budget };
    let mut archive = Archive { members: Vec::new(), end: start + MAGIC.len(), problem: None };
    if add_members(data, start, &mut archive).is_err() {
        // Members are aligned to two bytes. The errors of `object` have no offset.
        let at = archive.end + (archive.end - start) % 2;
        archive.problem = Some(format!("has no readable member at {at:#x}"));
    }
    (!budget.is_spent()).then_some(archive)
}

fn add_members(data: Counted<'_>, start: usize, archive: &mut Archive) -> object::Result<()> {
    for member in ArchiveFile::parse(data)?.members() {
        let member = member?;
        if !data.budget.take(member.name().len()) {
            break;
        }
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let (offset, size) = member.file_range();
        let whole = offset..offset.saturating_add(size);
        let all = data.bytes.len() as u64;
        let [first, end] = [whole.start, whole.end].map(|at| start + at.min(all) as usize);
        archive.members.push(Member { name, data: first..end });
        archive.end = end;
        // `object` does not check the end of the last member.
        if whole.end > all {
            let at = start + header_of(&member);
            archive.problem = Some(format!("ends before its member at {at:#x} does"));
            break;
        }
    }
    Ok(())
}

/// Returns the offset of the header of a member, which its name may follow.
fn header_of(member: &ArchiveMember<'_>) -> usize {
    let stated =
        member.header().and_then(|it| std::str::from_utf8(&it.size).ok()?.trim().parse().ok());
    let name = stated.unwrap_or(0u64).saturating_sub(member.size());
    (member.file_range().0 - name) as usize - size_of::<Header>()
}

/// Bytes that count what is read. A hostile file may contain many archives that share a table of names.
#[derive(Clone, Copy)]
struct Counted<'b> {
    bytes: &'b [u8],
    budget: &'b Budget,
}

impl<'b> ReadRef<'b> for Counted<'b> {
    fn len(self) -> Result<u64, ()> {
        Ok(self.bytes.len() as u64)
    }

    fn read_bytes_at(self, offset: u64, size: u64) -> Result<&'b [u8], ()> {
        let read = self.bytes.read_bytes_at(offset, size)?;
        self.budget.take(read.len()).then_some(read).ok_or(())
    }

    fn read_bytes_at_until(self, range: Range<u64>, delimiter: u8) -> Result<&'b [u8], ()> {
        let read = self.bytes.read_bytes_at_until(range, delimiter)?;
        self.budget.take(read.len()).then_some(read).ok_or(())
    }
}
