//! Memory: buffers with addresses, which check what accesses them.

mod marks;
mod order;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::fault::FaultKind;
use crate::value::{Value, set_word, word};

pub(crate) use marks::{Actor, MAX_THREADS, Orders, WHOLE, Writer};
use marks::{Earlier, Marks};
pub(crate) use order::{Access as OrderedAccess, Order};

/// The memory of a machine, or the shared local memory of a group.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The buffers by ascending addresses.
    buffers: Vec<Buffer>,
    checks_races: bool,
    /// Whether it is the shared local memory of a group.
    is_local: bool,
    /// The number of bytes that the buffers take, with what is recorded about them.
    taken: u64,
    limit: u64,
    /// The race of the last accesses with one of another lane of its thread.
    race_of_lanes: Option<FaultKind>,
    /// The index of the last buffer that was accessed.
    last: usize,
}

/// A number of bytes at an address.
#[derive(Clone, Debug)]
struct Buffer {
    name: String,
    /// Whether the threads keep private variables in it, so that copies of undefined values are no results.
    is_private: bool,
    address: u64,
    bytes: Vec<u8>,
    /// The bits that nobody wrote.
    undefined: Vec<u8>,
    marks: Marks,
}

/// The first address, and what addresses of buffers are multiples of.
const FIRST: u64 = 1 << 32;
const ALIGNMENT: u64 = 1 << 16;
/// The address of the first function, which has 32 bits. The addresses after it are those of functions.
pub(crate) const FUNCTIONS: u64 = 0xf000_0000;

/// How an access uses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Read,
    /// A write of a value.
    Write(Value),
    /// A read and a write of a value that nothing interrupts.
    Atomic(Value),
}

impl Access {
    fn verb(self) -> &'static str {
        match self {
            Access::Read => "reads",
            Access::Write(_) => "writes",
            Access::Atomic(_) => "reads and writes",
        }
    }
}

impl Default for Memory {
    fn default() -> Memory {
        Memory::new()
    }
}

impl Memory {
    /// Returns a memory without buffers, which checks for races.
    pub fn new() -> Memory {
        Memory {
            buffers: Vec::new(),
            checks_races: true,
            is_local: false,
            taken: 0,
            limit: u64::MAX,
            race_of_lanes: None,
            last: 0,
        }
    }

    /// Returns a memory with one buffer at address 0, whose bytes nobody wrote; `None` if there is no room.
    pub(crate) fn local(size: usize, checks_races: bool) -> Option<Memory> {
        let mut memory = Memory { checks_races, is_local: true, ..Memory::new() };
        memory.insert(0, Buffer::private("the shared local memory", 0, size)?);
        Some(memory)
    }

    /// Replaces the buffer of a local memory by several, in ascending order, whose bytes nobody wrote.
    pub(crate) fn divide(&mut self, parts: &[(String, Range<usize>)]) {
        let part = |(name, bytes): &(String, Range<usize>)| {
            Buffer::private(name, bytes.start as u64, bytes.len())
        };
        let parts: Option<Vec<Buffer>> = parts.iter().map(part).collect();
        self.buffers = parts.unwrap_or_else(|| std::mem::take(&mut self.buffers));
    }

    /// Returns the number of bytes that a local memory takes at most.
    pub(crate) fn of_local(size: usize, checks_races: bool) -> u64 {
        let marks = if checks_races { Marks::of_bytes(size) } else { 0 };
        marks.saturating_add(Buffer::taken(size as u64))
    }

    /// Returns the maximum number of bytes that the buffers take, with what is recorded about them.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// Sets the maximum number of bytes.
    pub(crate) fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// Fails if the buffers and another of a size take more bytes than allowed.
    pub(crate) fn check_limit(&self, what: &str, size: u64) -> Result<(), FaultKind> {
        let needed = self.taken.saturating_add(Buffer::taken(size));
        FaultKind::check_memory(|| what.into(), needed, self.limit)
    }

    fn insert(&mut self, index: usize, buffer: Buffer) {
        self.taken = self.taken.saturating_add(Buffer::taken(buffer.bytes.len() as u64));
        self.buffers.insert(index, buffer);
    }

    fn push(&mut self, buffer: Buffer) {
        self.insert(self.buffers.len(), buffer);
    }

    /// Sets whether accesses are checked for races, which is the default.
    pub fn check_races(&mut self, checks_races: bool) {
        self.checks_races = checks_races;
    }

    /// Adds a buffer, and returns its address: a multiple of 64 KiB. There is a gap after each buffer.
    pub fn allocate(&mut self, name: &str, bytes: Vec<u8>) -> u64 {
        let address = self.next_address();
        self.push(Buffer::new(name, address, bytes));
        address
    }

    /// Adds a buffer whose bytes nobody wrote, and returns its address.
    ///
    /// Returns `None` if there is no room.
    pub fn allocate_undefined(&mut self, name: &str, size: usize) -> Option<u64> {
        let address = self.next_address();
        let buffer = Buffer { is_private: false, ..Buffer::private(name, address, size)? };
        self.push(buffer);
        Some(address)
    }

    /// Adds a buffer for private variables of threads, whose bytes nobody wrote, and returns its address.
    ///
    /// Returns `None` if there is no room.
    pub(crate) fn allocate_private(&mut self, name: &str, size: usize) -> Option<u64> {
        let address = self.next_address();
        self.push(Buffer::private(name, address, size)?);
        Some(address)
    }

    fn next_address(&self) -> u64 {
        let end = self.buffers.last().map_or(FIRST, |last| last.end().max(FIRST));
        (end + 1).next_multiple_of(ALIGNMENT) + ALIGNMENT
    }

    /// Adds a buffer whose address has 32 bits, and returns the address.
    ///
    /// Returns `None` if there is no room.
    pub fn allocate_low(&mut self, name: &str, bytes: Vec<u8>) -> Option<u64> {
        self.add_low(bytes.len(), |address| Some(Buffer::new(name, address, bytes)))
    }

    /// Adds a buffer for private variables of threads, whose address has 32 bits, and returns the address.
    ///
    /// Returns `None` if there is no room.
    pub(crate) fn allocate_private_low(&mut self, name: &str, size: usize) -> Option<u64> {
        self.add_low(size, |address| Buffer::private(name, address, size))
    }

    fn add_low(&mut self, size: usize, buffer: impl FnOnce(u64) -> Option<Buffer>) -> Option<u64> {
        let low = self.buffers.partition_point(|buffer| buffer.address < FIRST);
        let end = low.checked_sub(1).map_or(0, |last| self.buffers[last].end());
        let address = (end + 1).next_multiple_of(ALIGNMENT) + ALIGNMENT;
        if address.saturating_add(size as u64) >= FUNCTIONS {
            return None;
        }
        self.insert(low, buffer(address)?);
        Some(address)
    }

    /// Returns the bytes of the buffer that starts at an address.
    pub fn bytes(&self, address: u64) -> Option<&[u8]> {
        self.buffers.iter().find(|buffer| buffer.address == address).map(|buffer| &*buffer.bytes)
    }

    /// Returns the bits that nobody wrote of the buffer that starts at an address.
    pub fn undefined_bits(&self, address: u64) -> Option<&[u8]> {
        let buffer = self.buffers.iter().find(|buffer| buffer.address == address);
        buffer.map(|buffer| &*buffer.undefined)
    }

    /// Replaces bytes. Returns `false` if no buffer contains all of them.
    pub fn set_bytes(&mut self, address: u64, bytes: &[u8]) -> bool {
        if bytes.is_empty() {
            return true;
        }
        let found = u32::try_from(bytes.len())
            .ok()
            .and_then(|size| self.find(address, size, Access::Read).ok());
        let Some((buffer, at)) = found else { return false };
        buffer.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        buffer.undefined[at..at + bytes.len()].fill(0);
        true
    }

    /// Forgets the values of bytes of a buffer, and who accessed them.
    pub(crate) fn reset(&mut self, address: u64, size: u64) {
        let Ok((buffer, at)) = self.find(address, 0, Access::Read) else { return };
        let end = buffer.bytes.len().min(at.saturating_add(size as usize));
        // An address after a buffer has no bytes.
        if let Some(undefined) = buffer.undefined.get_mut(at..end) {
            undefined.fill(0xff);
            let before = buffer.marks.memory();
            buffer.marks.forget(at..end);
            let added = buffer.marks.memory() - before;
            self.taken = self.taken.saturating_add(added);
        }
    }

    /// Returns bytes from an address on, up to the end of the buffer that contains it.
    pub(crate) fn read(&self, address: u64, count: usize) -> &[u8] {
        let place = self.place(address, 0, Access::Read);
        let bytes = place.map_or(&[][..], |(buffer, at)| &self.buffers[buffer].bytes[at..]);
        &bytes[..count.min(bytes.len())]
    }

    /// Returns the first byte that nobody wrote of the buffer that starts at an address.
    pub fn first_undefined(&self, address: u64) -> Option<usize> {
        let buffer = self.buffers.iter().find(|buffer| buffer.address == address)?;
        buffer.undefined.iter().position(|undefined| *undefined != 0)
    }

    /// Returns who wrote a byte last.
    pub(crate) fn last_write(&self, address: u64) -> Option<Writer> {
        let (index, at) = self.place(address, 1, Access::Read).ok()?;
        self.buffers[index].marks.last_write(at)
    }

    /// Returns the instructions of the last accesses to the bytes of the buffer that starts at an address.
    pub(crate) fn instructions(&self, address: u64) -> BTreeSet<usize> {
        let buffer = self.buffers.iter().find(|buffer| buffer.address == address);
        buffer.into_iter().flat_map(|buffer| buffer.marks.instructions()).collect()
    }

    /// Returns whether an address is in a buffer for private variables of threads.
    pub(crate) fn is_private(&self, address: u64) -> bool {
        let index = self.buffers.partition_point(|buffer| buffer.address <= address);
        index.checked_sub(1).is_some_and(|index| self.buffers[index].is_private)
    }

    /// Reads an element of at most eight bytes.
    pub(crate) fn load(
        &mut self,
        address: u64,
        size: u32,
        actor: &Actor,
        orders: Orders,
    ) -> Result<Value, FaultKind> {
        let (buffer, at) = self.find_marked(address, size, actor, Access::Read, orders)?;
        Ok(buffer.get(at, size as usize))
    }

    /// Writes an element of at most eight bytes.
    pub(crate) fn store(
        &mut self,
        address: u64,
        size: u32,
        value: Value,
        actor: &Actor,
        orders: Orders,
    ) -> Result<(), FaultKind> {
        let (buffer, at) = self.find_marked(address, size, actor, Access::Write(value), orders)?;
        buffer.set(at, size as usize, value);
        Ok(())
    }

    /// Returns the race of the last access with one of another lane of its thread.
    #[inline]
    pub(crate) fn take_race_of_lanes(&mut self) -> Option<FaultKind> {
        self.race_of_lanes.take()
    }

    /// Replaces an element of at most eight bytes, and returns the value before. Such accesses do not race with
    /// each other.
    pub(crate) fn replace(
        &mut self,
        address: u64,
        size: u32,
        actor: &Actor,
        orders: Orders,
        replacement: impl FnOnce(Value) -> Result<Value, FaultKind>,
    ) -> Result<Value, FaultKind> {
        let (buffer, at) = self.find(address, size, Access::Atomic(Value::default()))?;
        let before = buffer.get(at, size as usize);
        let value = replacement(before)?;
        let access = Access::Atomic(value);
        let (buffer, at) = self.find_marked(address, size, actor, access, orders)?;
        buffer.set(at, size as usize, value);
        Ok(before)
    }

    /// Returns the buffer that contains all bytes of an access, and the position in it, and records the
    /// access.
    fn find_marked(
        &mut self,
        address: u64,
        size: u32,
        actor: &Actor,
        access: Access,
        orders: Orders,
    ) -> Result<(&mut Buffer, usize), FaultKind> {
        let (index, at) = self.place(address, size, access)?;
        self.last = index;
        let buffer = &mut self.buffers[index];
        if self.checks_races {
            let before = buffer.marks.memory();
            let race = buffer.mark(at, size, actor, access, orders)?;
            // Lanes have private variables of their own.
            if let Some(race) = race.filter(|_| self.is_local || !buffer.is_private) {
                self.race_of_lanes.get_or_insert(race);
            }
            let added = buffer.marks.memory() - before;
            if added > 0 {
                self.taken = self.taken.saturating_add(added);
                let what = || "what is recorded about the buffers".into();
                FaultKind::check_memory(what, self.taken, self.limit)?;
            }
        }
        Ok((buffer, at))
    }

    /// Returns the buffer that contains all bytes of an access, and the position in it.
    fn find(
        &mut self,
        address: u64,
        size: u32,
        access: Access,
    ) -> Result<(&mut Buffer, usize), FaultKind> {
        let (index, at) = self.place(address, size, access)?;
        Ok((&mut self.buffers[index], at))
    }

    /// Returns the index of the buffer that contains all bytes of an access, and the position in it.
    fn place(&self, address: u64, size: u32, access: Access) -> Result<(usize, usize), FaultKind> {
        let last = self.buffers.get(self.last).and_then(|buffer| buffer.place(address, size));
        if let Some(at) = last {
            return Ok((self.last, at));
        }
        let index = self.buffers.partition_point(|buffer| buffer.address <= address);
        let found = index.checked_sub(1).and_then(|index| {
            let at = self.buffers[index].place(address, size)?;
            Some((index, at))
        });
        match found {
            Some(place) => Ok(place),
            None => Err(FaultKind::OutsideMemory {
                access: access.verb(),
                address,
                size,
                near: self.near(address, index),
            }),
        }
    }

    /// Describes what is near an address that is in no buffer; `index` is the buffer after it.
    fn near(&self, address: u64, index: usize) -> String {
        let Some(before) = index.checked_sub(1).map(|index| &self.buffers[index]) else {
            return "which no buffer contains".into();
        };
        let end = before.end();
        let (name, size) = (&before.name, before.bytes.len());
        let after = self
            .buffers
            .get(index)
            .filter(|after| address >= end && after.address - address < address - end);
        match after {
            Some(after) => {
                format!("{} bytes before {}", after.address - address, after.name)
            }
            None if address < end => {
                format!("of which the last are after the end of {name} ({size} bytes)")
            }
            None if address - end < ALIGNMENT => {
                format!("{} bytes after the end of {name} ({size} bytes)", address - end)
            }
            None => "which no buffer contains".into(),
        }
    }
}

impl Buffer {
    /// A byte, and its bits that nobody wrote.
    const OF_BYTE: u64 = 2;

    /// Returns the number of bytes that a buffer takes before it is accessed.
    fn taken(size: u64) -> u64 {
        size.saturating_mul(Buffer::OF_BYTE)
    }

    fn new(name: &str, address: u64, bytes: Vec<u8>) -> Buffer {
        let undefined = vec![0; bytes.len()];
        let (is_private, marks) = (false, Marks::default());
        Buffer { name: name.into(), is_private, address, bytes, undefined, marks }
    }

    /// Returns a buffer whose bytes nobody wrote; `None` if there is no room.
    fn private(name: &str, address: u64, size: usize) -> Option<Buffer> {
        let filled = |byte: u8| {
            let mut bytes = Vec::new();
            bytes.try_reserve_exact(size).ok()?;
            bytes.resize(size, byte);
            Some(bytes)
        };
        let (bytes, undefined) = (filled(0)?, filled(0xff)?);
        let (name, marks) = (name.into(), Marks::default());
        Some(Buffer { name, is_private: true, address, bytes, undefined, marks })
    }

    /// Returns the position of the bytes of an access, if all are in the buffer.
    #[inline]
    fn place(&self, address: u64, size: u32) -> Option<usize> {
        let at = usize::try_from(address.checked_sub(self.address)?).ok()?;
        let rest = self.bytes.len().checked_sub(at)?;
        (size as usize <= rest).then_some(at)
    }

    fn end(&self) -> u64 {
        self.address + self.bytes.len() as u64
    }

    /// Records an access, and checks that it does not race with one of another thread. Returns a race with another
    /// lane of the thread.
    fn mark(
        &mut self,
        at: usize,
        size: u32,
        actor: &Actor,
        access: Access,
        orders: Orders,
    ) -> Result<Option<FaultKind>, FaultKind> {
        let changes = match access {
            Access::Write(value) | Access::Atomic(value) => self.get(at, size as usize) != value,
            Access::Read => false,
        };
        let mut of_lanes = None;
        let Buffer { name, address, marks, .. } = self;
        marks.each(at..at + size as usize, |byte, last| {
            let other = match access {
                Access::Read => last.read(actor, orders),
                Access::Write(_) => last.write(actor, orders, changes),
                Access::Atomic(_) => last.atomic(actor, orders, changes),
            };
            let Some(Earlier { access: other, instruction, is_lane }) = other else {
                return Ok(());
            };
            let address = *address + byte as u64;
            let place = format!("byte {byte} of {name}");
            let race = FaultKind::Race { address, place, other, instruction };
            match is_lane {
                true => {
                    of_lanes.get_or_insert(race);
                    Ok(())
                }
                false => Err(race),
            }
        })?;
        Ok(of_lanes)
    }

    fn get(&self, at: usize, size: usize) -> Value {
        Value {
            bits: word(&self.bytes[at..at + size]),
            undefined: word(&self.undefined[at..at + size]),
        }
    }

    fn set(&mut self, at: usize, size: usize, value: Value) {
        set_word(&mut self.bytes[at..at + size], value.bits);
        set_word(&mut self.undefined[at..at + size], value.undefined);
    }
}
