//! The order that atomic operations and barriers establish between threads.
//!
//! An atomic operation orders the thread after all threads that have accessed the same place with one before. Whether
//! hardware orders other accesses as well depends on fences, which are not required: a missing fence is not reported.

use std::collections::BTreeMap;
use std::ops::Range;

/// A thread: the number of its group, from 1, and its index in the group.
pub(crate) type ThreadId = (u32, u32);

/// An access to memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub group: u32,
    /// The thread; `None` if several of the group had access.
    pub thread: Option<u32>,
    /// The number of barriers that the group has passed.
    pub epoch: u32,
    /// The number of events of the thread before.
    pub events: u32,
}

/// The atomic operations of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    /// The operations on each place, in their order.
    places: BTreeMap<Place, Vec<Operation>>,
    /// The operations of each thread, in their order.
    threads: BTreeMap<ThreadId, Vec<OfThread>>,
    count: usize,
}

/// An atomic operation, or several of one thread between those of others.
#[derive(Clone, Debug)]
struct Operation {
    thread: ThreadId,
    epoch: u32,
    /// The number of events of the thread before the last one.
    events: u32,
    /// The number of operations of the thread up to it.
    end: usize,
}

/// An operation of a thread.
#[derive(Clone, Debug)]
struct OfThread {
    place: Place,
    /// The index in the list of the place.
    index: usize,
    epoch: u32,
}

/// The group whose shared local memory it is, or 0 for memory that all groups share, and the address.
type Place = (u32, u64);

/// The most operations that are recorded. If there are more, all accesses are taken for ordered.
const MAX_RECORDED: usize = 1 << 20;
/// The most operations that a search visits, for the same reason.
const MAX_VISITED: usize = 1 << 12;

impl Order {
    /// Records an atomic operation of a thread.
    pub(crate) fn record(&mut self, thread: ThreadId, epoch: u32, events: u32, place: Place) {
        if self.count == MAX_RECORDED {
            return;
        }
        let operations = self.places.entry(place).or_default();
        let of_thread = self.threads.entry(thread).or_default();
        let is_same = |last: &&mut Operation| last.thread == thread && last.epoch == epoch;
        if let Some(last) = operations.last_mut().filter(is_same) {
            (last.events, last.end) = (events, of_thread.len());
            return;
        }
        self.count += 1;
        of_thread.push(OfThread { place, index: operations.len(), epoch });
        operations.push(Operation { thread, epoch, events, end: of_thread.len() });
    }

    /// Returns whether an access is ordered before the next access of a thread whose group has passed a number of
    /// barriers.
    pub(crate) fn orders(&self, earlier: Access, later: ThreadId, epoch: u32) -> bool {
        if self.count == MAX_RECORDED {
            return true;
        }
        let mut search = Search { order: self, known: BTreeMap::new(), open: Vec::new() };
        search.add(later, self.threads.get(&later).map_or(0, Vec::len));
        search.add_group(later.0, epoch);
        let mut visited = 0;
        while let Some((thread, range)) = search.open.pop() {
            for OfThread { place, index, .. } in &self.threads[&thread][range] {
                for operation in self.places[place][..*index].iter().rev() {
                    visited += 1;
                    if operation.follows(&earlier) || visited > MAX_VISITED {
                        return true;
                    }
                    search.add(operation.thread, operation.end);
                    search.add_group(operation.thread.0, operation.epoch);
                }
            }
        }
        false
    }
}

impl Operation {
    /// Returns whether the operation follows an access in its thread, or a barrier is between them.
    fn follows(&self, access: &Access) -> bool {
        self.thread.0 == access.group
            && (self.epoch > access.epoch
                || Some(self.thread.1) == access.thread && self.events >= access.events)
    }
}

/// A search for the operations that are ordered before an access.
struct Search<'o> {
    order: &'o Order,
    /// For each thread, the number of its first operations that are.
    known: BTreeMap<ThreadId, usize>,
    /// Those from which the search goes on.
    open: Vec<(ThreadId, Range<usize>)>,
}

impl Search<'_> {
    /// Adds the first operations of a thread.
    fn add(&mut self, thread: ThreadId, end: usize) {
        let known = self.known.entry(thread).or_insert(0);
        if end > *known {
            self.open.push((thread, *known..end));
            *known = end;
        }
    }

    /// Adds the operations of a group before a barrier.
    fn add_group(&mut self, group: u32, epoch: u32) {
        if epoch == 0 {
            return;
        }
        let order = self.order;
        for (thread, operations) in order.threads.range((group, 0)..(group + 1, 0)) {
            let end = operations.partition_point(|operation| operation.epoch < epoch);
            self.add(*thread, end);
        }
    }
}
