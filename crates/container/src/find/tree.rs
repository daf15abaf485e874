//! The ELF files and archives in the bytes of a file, which may contain each other.

use std::ops::Range;

use memchr::memmem;
use object::elf::ELFMAG;

use super::Limited;
use crate::archive;
use crate::budget::Budget;
use crate::elf::ElfFile;

/// The ELF files and archives in a file.
pub struct Tree {
    /// In the order of their starts; a node follows those that contain it. They are nested.
    pub nodes: Vec<Node>,
}

/// An ELF file, an archive or a member of an archive.
pub struct Node {
    pub range: Range<usize>,
    /// The name for the user; `None` if the node that contains it has the same start.
    pub label: Option<String>,
    pub elf: Option<ElfFile>,
}

impl Tree {
    /// Finds the ELF files and archives in a file. Adds what cannot be read to the damage.
    pub fn read(bytes: &[u8], budget: &Budget, damage: &mut Limited<String>) -> Tree {
        if bytes.starts_with(&archive::THIN_MAGIC) {
            damage.push("the archive is thin: its members are other files".into());
        }
        let magics = [&ELFMAG[..], &archive::MAGIC].map(|magic| memmem::find_iter(bytes, magic));
        let mut candidates: Vec<usize> = magics.into_iter().flatten().collect();
        candidates.sort_unstable();
        let nodes = Vec::new();
        let mut walk =
            Walk { bytes, candidates, next: 0, nodes, budget, damage, is_too_deep: false };
        walk.walk(0..bytes.len(), 0);
        let (nodes, is_too_deep) = (walk.nodes, walk.is_too_deep);
        if is_too_deep {
            damage.push(format!(
                "ELF files and archives that are nested more than {DEEPEST} levels deep were not read"
            ));
        }
        Tree { nodes }
    }
}

/// The most ELF files and archives that contain each other.
const DEEPEST: usize = 8;

struct Walk<'a> {
    bytes: &'a [u8],
    /// The offsets of the magics.
    candidates: Vec<usize>,
    /// The index of the next of them.
    next: usize,
    nodes: Vec<Node>,
    budget: &'a Budget,
    damage: &'a mut Limited<String>,
    is_too_deep: bool,
}

impl Walk<'_> {
    /// Adds the ELF files and archives in a range.
    fn walk(&mut self, range: Range<usize>, depth: usize) {
        while let Some(offset) = self.next_in(&range) {
            if self.budget.is_spent() {
                return;
            }
            // A file, or a member of an archive, is the ELF file or archive that it begins with.
            let is_same = offset == range.start;
            if depth == DEEPEST {
                self.is_too_deep = true;
            } else if self.bytes[offset..].starts_with(&ELFMAG) {
                self.add_elf(offset..range.end, is_same, depth);
            } else {
                self.add_archive(offset..range.end, is_same, depth);
            }
        }
    }

    /// Skips the candidates before an offset.
    fn skip_to(&mut self, offset: usize) {
        while self.candidates.get(self.next).is_some_and(|candidate| *candidate < offset) {
            self.next += 1;
        }
    }

    /// Returns the next candidate in a range.
    fn next_in(&mut self, range: &Range<usize>) -> Option<usize> {
        self.skip_to(range.start);
        let offset = *self.candidates.get(self.next)?;
        if offset >= range.end {
            return None;
        }
        self.next += 1;
        Some(offset)
    }

    fn add_elf(&mut self, range: Range<usize>, is_same: bool, depth: usize) {
        let offset = range.start;
        let is_file = offset == 0;
        let elf = match ElfFile::read(self.bytes, range, self.budget) {
            None => return,
            Some(Err(problem)) => {
                if is_file || problem.is_of_device_binary() {
                    self.damage.push(problem.message(offset));
                }
                return;
            }
            Some(Ok(elf)) => elf,
        };
        if is_file || elf.is_device_binary() {
            if let Some(problem) = elf.problem_of_sections(self.bytes) {
                self.damage.push(problem);
            }
        }
        let range = elf.range.clone();
        let label = (!is_same).then(|| format!("ELF at {offset:#x}"));
        self.nodes.push(Node { range: range.clone(), label, elf: Some(elf) });
        // The ELF file begins with the magic of itself, which is no longer a candidate.
        self.walk(range, depth + 1);
    }

    fn add_archive(&mut self, range: Range<usize>, is_same: bool, depth: usize) {
        let offset = range.start;
        let is_file = offset == 0;
        let Some(archive) = archive::read(self.bytes, range, self.budget) else {
            return;
        };
        match archive.problem {
            Some(problem) if is_file => {
                self.damage.push(format!("the archive at {offset:#x} {problem}"));
            }
            // The letters may be there by chance.
            _ if archive.members.is_empty() => return,
            _ => {}
        }
        let label = (!is_same).then(|| format!("archive at {offset:#x}"));
        self.nodes.push(Node { range: offset..archive.end, label, elf: None });
        for member in archive.members {
            let label = Some(format!("member {}", member.name));
            self.nodes.push(Node { range: member.data.clone(), label, elf: None });
            self.walk(member.data, depth + 1);
        }
        // The tables of the archive contain no files.
        self.skip_to(archive.end);
    }
}
