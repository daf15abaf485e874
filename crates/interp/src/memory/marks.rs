//! Who accessed which bytes, to find races.

use std::ops::Range;

/// A thread that accesses memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Actor {
    /// The number of the group in the dispatch, from 1.
    pub group: u32,
    /// The index of the thread in the group.
    pub thread: u32,
    /// The number of barriers that the group has passed.
    pub epoch: u32,
    /// Whether the thread has executed an atomic operation, which may order it after others of its group.
    pub follows_group: bool,
    /// Whether it has executed one on memory that all groups share.
    pub follows_all: bool,
}

/// An access to a byte.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
struct Mark {
    /// 0 if there was no access.
    group: u32,
    /// [`SEVERAL`] if several threads of the group had access.
    thread: u32,
    epoch: u32,
}

const SEVERAL: u32 = u32::MAX;

/// The last accesses to a byte.
#[derive(Clone, Copy, Default, Debug)]
struct Byte {
    write: Mark,
    read: Mark,
    /// The last read of a group other than that of `read`. With both, a write of any group races with one.
    other_read: Mark,
}

const PAGE: usize = 256;

/// The accesses to the bytes of a buffer.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    pages: Vec<Option<Box<[Byte; PAGE]>>>,
    /// The number of pages that are there.
    count: u64,
}

impl Marks {
    fn byte(&mut self, at: usize) -> &mut Byte {
        let index = at / PAGE;
        if index >= self.pages.len() {
            self.pages.resize_with(index + 1, || None);
        }
        let page = self.pages[index].get_or_insert_with(|| {
            self.count += 1;
            Box::new([Byte::default(); PAGE])
        });
        &mut page[at % PAGE]
    }

    /// Returns the number of bytes of memory that the marks take.
    pub(super) fn memory(&self) -> u64 {
        self.count * size_of::<[Byte; PAGE]>() as u64
    }

    /// Returns the number of bytes of memory that the marks of so many bytes take at most.
    pub(super) fn of_bytes(bytes: usize) -> u64 {
        (bytes.div_ceil(PAGE) as u64).saturating_mul(size_of::<[Byte; PAGE]>() as u64)
    }

    /// Forgets the accesses to bytes.
    pub(super) fn forget(&mut self, bytes: Range<usize>) {
        let first = bytes.start / PAGE;
        for (page, marks) in self.pages.iter_mut().enumerate().skip(first) {
            let start = bytes.start.saturating_sub(page * PAGE);
            let end = bytes.end.saturating_sub(page * PAGE).min(PAGE);
            if start >= end {
                break;
            }
            if let Some(marks) = marks {
                marks[start..end].fill(Byte::default());
            }
        }
    }

    /// Records a read. Returns a write that races with it.
    pub(super) fn read(&mut self, at: usize, actor: &Actor) -> Option<String> {
        let byte = self.byte(at);
        if byte.write.races(actor) {
            return Some(byte.write.describe("written"));
        }
        if byte.read.group != 0 && byte.read.group != actor.group {
            byte.other_read = byte.read;
        }
        byte.read = match byte.read {
            read if read.group == actor.group
                && read.epoch == actor.epoch
                && read.thread != actor.thread =>
            {
                Mark { thread: SEVERAL, ..read }
            }
            _ => Mark::of(actor),
        };
        None
    }

    /// Records a write. Returns an access that races with it.
    pub(super) fn write(&mut self, at: usize, actor: &Actor) -> Option<String> {
        let byte = self.byte(at);
        if byte.write.races(actor) {
            return Some(byte.write.describe("written"));
        }
        for read in [byte.read, byte.other_read] {
            if read.races(actor) {
                return Some(read.describe("read"));
            }
        }
        byte.write = Mark::of(actor);
        None
    }
}

impl Mark {
    fn of(actor: &Actor) -> Mark {
        Mark { group: actor.group, thread: actor.thread, epoch: actor.epoch }
    }

    /// Returns whether nothing orders an access before one of a thread.
    fn races(self, actor: &Actor) -> bool {
        let is_other = self.group != 0 && (self.group, self.thread) != (actor.group, actor.thread);
        let is_ordered = self.group == actor.group && self.epoch < actor.epoch;
        let is_same_group = self.group == actor.group;
        let may_follow = actor.follows_all || is_same_group && actor.follows_group;
        is_other && !is_ordered && !may_follow
    }

    fn describe(self, access: &str) -> String {
        // Groups have numbers from 0 for users.
        match self.thread {
            SEVERAL => format!("{access} by several threads of group {}", self.group - 1),
            thread => format!("{access} by thread {thread} of group {}", self.group - 1),
        }
    }
}
