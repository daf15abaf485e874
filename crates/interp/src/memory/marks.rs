//! Who accessed which bytes, to find races.

use std::ops::Range;

use super::order::{Access, ThreadId};

/// A thread that accesses memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Actor {
    /// The number of the group in the dispatch, from 1.
    pub group: u32,
    /// The index of the thread in the group.
    pub thread: u16,
    /// The number of barriers that the group has passed.
    pub epoch: u32,
    /// The index of its instruction among those of all routines.
    pub instruction: u32,
    /// The number of fences and atomic operations that the thread has executed.
    pub events: u32,
    /// The first lane of its message; [`WHOLE`] if it accesses memory for all lanes.
    pub first_lane: u8,
    /// The lane that accesses an element; [`WHOLE`] if it is not the access of one lane.
    pub lane: u8,
    /// Whether lanes are work-items, so that one may race with another.
    pub has_items: bool,
}

impl Actor {
    /// Returns the group and the thread.
    pub fn thread(&self) -> ThreadId {
        (self.group, self.thread.into())
    }
}

/// The lane of accesses that are not those of one lane.
pub(crate) const WHOLE: u8 = u8::MAX;
/// The lane of reads of several lanes.
const SEVERAL_LANES: u8 = WHOLE - 1;

/// An access to a byte.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
struct Mark {
    /// 0 if there was no access.
    group: u32,
    epoch: u32,
    instruction: u32,
    events: u32,
    /// [`SEVERAL`] if several threads of the group had access.
    thread: u16,
    lane: u8,
}

/// An earlier access that races with another.
pub(super) struct Earlier {
    /// Who had access, in words.
    pub access: String,
    /// The index of the instruction among those of all routines.
    pub instruction: usize,
    /// Whether it is one of another lane of the same thread.
    pub is_lane: bool,
}

/// Who wrote a byte.
pub(crate) struct Writer {
    /// The number of the group.
    pub group: u32,
    /// The index of the thread in the group.
    pub thread: u32,
    /// The lane, if the byte was written for one.
    pub lane: Option<u32>,
    /// The index of the instruction among those of all routines.
    pub instruction: usize,
}

/// Returns whether atomic operations and barriers order an access before the next one of the actor.
pub(crate) type Orders<'o> = &'o dyn Fn(Access) -> bool;

const SEVERAL: u16 = u16::MAX;

/// The most threads of a group.
pub(crate) const MAX_THREADS: usize = SEVERAL as usize;

/// The last accesses to a byte.
#[derive(Clone, Copy, Default, Debug)]
struct Byte {
    write: Mark,
    /// The last atomic operation that changed it.
    atomic: Mark,
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

    /// Returns who wrote a byte last; atomic operations are not recorded.
    pub(super) fn last_write(&self, at: usize) -> Option<Writer> {
        let Mark { group, thread, lane, instruction, .. } =
            self.pages.get(at / PAGE)?.as_ref()?[at % PAGE].write;
        Some(Writer {
            // Groups have numbers from 0 for users.
            group: group.checked_sub(1)?,
            thread: thread.into(),
            lane: (lane != WHOLE).then_some(lane.into()),
            instruction: instruction as usize,
        })
    }

    /// Returns the instructions of the last accesses to bytes, in any order.
    pub(super) fn instructions(&self) -> impl Iterator<Item = usize> {
        let bytes = self.pages.iter().flatten().flat_map(|page| page.iter());
        let marks = bytes.flat_map(|byte| [byte.write, byte.read]);
        marks.filter(|mark| mark.group != 0).map(|mark| mark.instruction as usize)
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
    pub(super) fn read(&mut self, at: usize, actor: &Actor, orders: Orders) -> Option<Earlier> {
        let byte = self.byte(at);
        if let Some(earlier) = byte.write_that_races(actor, orders) {
            return Some(earlier);
        }
        let lane = byte.write.races_with_lane(actor).then(|| byte.write.describe_lane("written"));
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
            read if read.is_of_other_lane(actor) => Mark { lane: SEVERAL_LANES, ..Mark::of(actor) },
            _ => Mark::of(actor),
        };
        lane
    }

    /// Records a write. Returns an access that races with it. `changes` states whether the byte gets another value.
    pub(super) fn write(
        &mut self,
        at: usize,
        actor: &Actor,
        orders: Orders,
        changes: bool,
    ) -> Option<Earlier> {
        let byte = self.byte(at);
        if let Some(earlier) =
            byte.write_that_races(actor, orders).or_else(|| byte.read_that_races(actor, orders))
        {
            return Some(earlier);
        }
        let lane = match (byte.write.races_with_lane(actor), byte.read.races_with_lane(actor)) {
            (true, _) if changes => Some(byte.write.describe_lane("written")),
            (_, true) if changes => Some(byte.read.describe_lane("read")),
            _ => None,
        };
        byte.write = Mark::of(actor);
        lane
    }

    /// Records an atomic operation, which does not race with others. Returns an access that races with it.
    pub(super) fn atomic(
        &mut self,
        at: usize,
        actor: &Actor,
        orders: Orders,
        changes: bool,
    ) -> Option<Earlier> {
        let byte = self.byte(at);
        if byte.write.races(actor, orders) {
            return Some(byte.write.describe("written"));
        }
        // One that keeps the value is a read.
        if changes {
            if let Some(earlier) = byte.read_that_races(actor, orders) {
                return Some(earlier);
            }
            byte.atomic = Mark::of(actor);
        }
        None
    }
}

impl Byte {
    /// Returns a write or an atomic operation that races with an access.
    #[inline]
    fn write_that_races(&self, actor: &Actor, orders: Orders) -> Option<Earlier> {
        if self.write.races(actor, orders) {
            return Some(self.write.describe("written"));
        }
        let is_race = self.atomic.races(actor, orders);
        is_race.then(|| self.atomic.describe("written by an atomic operation"))
    }

    /// Returns a read that races with a write.
    #[inline]
    fn read_that_races(&self, actor: &Actor, orders: Orders) -> Option<Earlier> {
        let found = [self.read, self.other_read].into_iter().find(|it| it.races(actor, orders));
        found.map(|read| read.describe("read"))
    }
}

impl Mark {
    fn of(actor: &Actor) -> Mark {
        let Actor { group, thread, epoch, instruction, events, lane, .. } = *actor;
        Mark { group, thread, epoch, instruction, events, lane }
    }

    /// Returns whether nothing orders an access before one of another thread.
    #[inline]
    fn races(self, actor: &Actor, orders: Orders) -> bool {
        let is_other = self.group != 0 && (self.group, self.thread) != (actor.group, actor.thread);
        let is_ordered = self.group == actor.group && self.epoch < actor.epoch;
        is_other && !is_ordered && !self.is_ordered(orders)
    }

    #[cold]
    fn is_ordered(self, orders: Orders) -> bool {
        let Mark { group, thread, epoch, events, .. } = self;
        let thread = (thread != SEVERAL).then_some(thread.into());
        orders(Access { group, thread, epoch, events })
    }

    /// Returns whether an access is one of another lane of the thread, with neither a barrier nor a fence between them.
    #[inline]
    fn is_of_other_lane(self, actor: &Actor) -> bool {
        actor.has_items
            && (self.group, self.thread) == (actor.group, actor.thread)
            && self.lane != actor.lane
            && self.lane != WHOLE
            && actor.lane != WHOLE
            && (self.epoch, self.events) == (actor.epoch, actor.events)
    }

    /// Returns whether nothing orders an access before one of another lane of the thread. The lanes of one instruction
    /// are compared elsewhere.
    #[inline]
    fn races_with_lane(self, actor: &Actor) -> bool {
        self.is_of_other_lane(actor) && self.instruction != actor.instruction
    }

    fn describe_lane(self, access: &str) -> Earlier {
        let access = match self.lane {
            SEVERAL_LANES => format!("{access} by several lanes of the same thread"),
            lane => format!("{access} by lane {lane} of the same thread"),
        };
        Earlier { access, instruction: self.instruction as usize, is_lane: true }
    }

    fn describe(self, access: &str) -> Earlier {
        // Groups have numbers from 0 for users.
        let access = match self.thread {
            SEVERAL => format!("{access} by several threads of group {}", self.group - 1),
            thread => format!("{access} by thread {thread} of group {}", self.group - 1),
        };
        Earlier { access, instruction: self.instruction as usize, is_lane: false }
    }
}
