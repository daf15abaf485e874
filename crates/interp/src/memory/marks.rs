//! Who accessed which bytes, to find races.

use std::ops::Range;

use super::order::{Access, ThreadId};
use crate::fault::FaultKind;

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
pub(super) struct Last {
    write: Mark,
    /// The last atomic operation that changed it.
    atomic: Mark,
    read: Mark,
    /// The last read of a group other than that of `read`. With both, a write of any group races with one.
    other_read: Mark,
}

/// The bytes of a page.
const PAGE: usize = 256;

/// The bytes that have one mark, as long as all accesses of a page are to multiples of them.
const WORD: usize = 4;

/// The accesses to the bytes of a page: a mark for each word, or for each byte.
#[derive(Clone, Debug)]
enum Page {
    Words(Box<[Last]>),
    Bytes(Box<[Last]>),
}

impl Page {
    fn memory(&self) -> u64 {
        size_of_val(self.all()) as u64
    }

    /// Returns the last accesses to a byte.
    fn get(&self, at: usize) -> &Last {
        match self {
            Page::Words(words) => &words[at / WORD],
            Page::Bytes(bytes) => &bytes[at],
        }
    }

    /// Returns the last accesses to bytes: one for several, or one for each. The page is divided for them before.
    #[inline]
    fn part(&mut self, at: usize, size: usize) -> &mut [Last] {
        match self {
            Page::Words(words) => &mut words[at / WORD..(at + size) / WORD],
            Page::Bytes(bytes) => &mut bytes[at..at + size],
        }
    }

    fn all(&self) -> &[Last] {
        match self {
            Page::Words(marks) | Page::Bytes(marks) => marks,
        }
    }

    /// Returns whether bytes share no mark with others.
    #[inline]
    fn has_marks_of(&self, at: usize, size: usize) -> bool {
        matches!(self, Page::Bytes(_)) || (at | size) % WORD == 0
    }

    /// Gives each byte a mark if bytes share one with others.
    fn divide_for(&mut self, at: usize, size: usize) {
        if !self.has_marks_of(at, size) {
            self.divide();
        }
    }

    #[cold]
    fn divide(&mut self) {
        if let Page::Words(words) = self {
            *self = Page::Bytes(words.iter().flat_map(|word| [*word; WORD]).collect());
        }
    }
}

/// The accesses to the bytes of a buffer.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    pages: Vec<Option<Page>>,
    /// The number of bytes of memory that the pages take.
    memory: u64,
}

impl Marks {
    /// Returns the last accesses to the bytes of an access, which is in one page: one for all, or one for each byte.
    #[inline]
    fn last(&mut self, at: usize, size: usize) -> &mut [Last] {
        let index = at / PAGE;
        if !matches!(self.pages.get(index), Some(Some(page)) if page.has_marks_of(at, size)) {
            self.prepare(at, size);
        }
        match &mut self.pages[index] {
            Some(page) => page.part(at % PAGE, size),
            None => &mut [],
        }
    }

    /// Creates or divides the page of an access.
    #[cold]
    fn prepare(&mut self, at: usize, size: usize) {
        let index = at / PAGE;
        if index >= self.pages.len() {
            self.pages.resize_with(index + 1, || None);
        }
        let page = self.pages[index].get_or_insert_with(|| {
            let page = Page::Words(vec![Last::default(); PAGE / WORD].into());
            self.memory += page.memory();
            page
        });
        self.memory -= page.memory();
        page.divide_for(at % PAGE, size);
        self.memory += page.memory();
    }

    /// Calls a function for the last accesses to each byte of an access, or to several, with the first of the bytes.
    #[inline]
    pub(super) fn each(
        &mut self,
        bytes: Range<usize>,
        mut function: impl FnMut(usize, &mut Last) -> Result<(), FaultKind>,
    ) -> Result<(), FaultKind> {
        let mut at = bytes.start;
        while at < bytes.end {
            let size = (bytes.end - at).min(PAGE - at % PAGE);
            let marks = self.last(at, size);
            let step = size / marks.len().max(1);
            for (index, mark) in marks.iter_mut().enumerate() {
                function(at + index * step, mark)?;
            }
            at += size;
        }
        Ok(())
    }

    /// Returns the number of bytes of memory that the marks take.
    pub(super) fn memory(&self) -> u64 {
        self.memory
    }

    /// Returns the number of bytes of memory that the marks of so many bytes take at most.
    pub(super) fn of_bytes(bytes: usize) -> u64 {
        (bytes.div_ceil(PAGE) as u64).saturating_mul((PAGE * size_of::<Last>()) as u64)
    }

    /// Returns who wrote a byte last; atomic operations are not recorded.
    pub(super) fn last_write(&self, at: usize) -> Option<Writer> {
        let page = self.pages.get(at / PAGE)?.as_ref()?;
        let Mark { group, thread, lane, instruction, .. } = page.get(at % PAGE).write;
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
        let all = self.pages.iter().flatten().flat_map(Page::all);
        let marks = all.flat_map(|last| [last.write, last.read]);
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
            if let Some(page) = marks {
                self.memory -= page.memory();
                page.divide_for(start, end - start);
                self.memory += page.memory();
                page.part(start, end - start).fill(Last::default());
            }
        }
    }
}

impl Last {
    /// Records a read. Returns a write that races with it.
    pub(super) fn read(&mut self, actor: &Actor, orders: Orders) -> Option<Earlier> {
        if let Some(earlier) = self.write_that_races(actor, orders) {
            return Some(earlier);
        }
        let lane = self.write.races_with_lane(actor).then(|| self.write.describe_lane("written"));
        if self.read.group != 0 && self.read.group != actor.group {
            self.other_read = self.read;
        }
        self.read = match self.read {
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
        actor: &Actor,
        orders: Orders,
        changes: bool,
    ) -> Option<Earlier> {
        if let Some(earlier) =
            self.write_that_races(actor, orders).or_else(|| self.read_that_races(actor, orders))
        {
            return Some(earlier);
        }
        let lane = match (self.write.races_with_lane(actor), self.read.races_with_lane(actor)) {
            (true, _) if changes => Some(self.write.describe_lane("written")),
            (_, true) if changes => Some(self.read.describe_lane("read")),
            _ => None,
        };
        self.write = Mark::of(actor);
        lane
    }

    /// Records an atomic operation, which does not race with others. Returns an access that races with it.
    pub(super) fn atomic(
        &mut self,
        actor: &Actor,
        orders: Orders,
        changes: bool,
    ) -> Option<Earlier> {
        if self.write.races(actor, orders) {
            return Some(self.write.describe("written"));
        }
        // One that keeps the value is a read.
        if changes {
            if let Some(earlier) = self.read_that_races(actor, orders) {
                return Some(earlier);
            }
            self.atomic = Mark::of(actor);
        }
        None
    }

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
