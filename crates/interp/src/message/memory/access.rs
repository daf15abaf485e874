//! Accesses to bytes of global and shared local memory.

use genvisa::operand::{Raw, StateClass, SurfaceId};

use crate::context::Context;
use crate::fault::{FaultKind, Problem, Result};
use crate::memory::{Actor, Memory, Orders, WHOLE};
use crate::number::low_bits;
use crate::reports::Subject;
use crate::value::{Lanes, MAX_LANES, Value, set_bits};

/// What the addresses of a message are relative to.
#[derive(Clone, Copy, Debug)]
pub(in crate::message) enum Space {
    /// The shared local memory of the group.
    Local,
    /// All memory.
    Flat,
    /// A surface of bytes.
    Surface { address: u64, size: u64 },
    /// An address to which others are added.
    From(u64),
}

/// An element that a lane writes.
pub(in crate::message) struct Written {
    pub lane: u32,
    pub address: u64,
    pub size: u32,
    pub value: Value,
    pub source: Source,
}

/// Where the bits of an element are that a message writes.
#[derive(Clone, Copy)]
pub(in crate::message) struct Source {
    pub field: &'static str,
    pub operand: Raw,
    pub offset: u32,
    pub size: u32,
}

/// The bit that is set in addresses of shared local memory, so that null differs from each.
const LOCAL_BIT: u64 = 1 << 28;

impl Context<'_> {
    /// Returns the memory that a surface of bytes is.
    pub(in crate::message) fn surface_space(&self, index: u64) -> Result<Space> {
        let surface = u32::try_from(index).ok().and_then(|index| self.shared.surfaces.get(index));
        let Some(surface) = surface else {
            return Err(FaultKind::NotGiven(format!("surface {index:#x}")).into());
        };
        match surface.as_buffer() {
            Some((address, size)) => Ok(Space::Surface { address, size }),
            None => {
                let what = format!("an access to bytes of {}", surface.kind());
                Err(FaultKind::not_modelled(what).into())
            }
        }
    }

    /// Returns the memory that a surface variable refers to.
    pub(super) fn variable_space(&self, id: SurfaceId) -> Result<Space> {
        if id.predefined_name() == Some("%slm") {
            return Ok(Space::Local);
        }
        let state = self.state(StateClass::SURFACE, id.0.into(), 0)?;
        // Stateless until it is set (4_visa_header.md).
        if id.predefined_name() == Some("%scratch") && state == Value::defined(id.0.into()) {
            return Ok(Space::Flat);
        }
        let origin = || format!("{} was never set", self.code.name_of(id));
        self.require(state, "the surface", origin)?;
        self.surface_space(state.bits)
    }

    /// Reads an element of at most eight bytes.
    pub(in crate::message) fn load(
        &mut self,
        space: Space,
        address: u64,
        size: u32,
        alignment: u32,
    ) -> Result<Value> {
        let alignment = self.alignment(alignment, size);
        let address = place(space, address, size, alignment, "reads")?;
        let (shared, actor) = (self.shared, *self.actor);
        let orders = move |earlier| shared.orders(earlier, &actor);
        let memory = self.memory_of(space);
        let value = memory.load(address, size, &actor, &orders)?;
        let race = memory.take_race_of_lanes();
        self.report_race(race)?;
        Ok(value)
    }

    /// Reads an element of at most eight bytes for each lane.
    pub(in crate::message) fn load_lanes(
        &mut self,
        space: Space,
        addresses: &[u64; MAX_LANES],
        lanes: u32,
        size: u32,
        alignment: u32,
        values: &mut Lanes,
    ) -> Result<()> {
        let alignment = self.alignment(alignment, size);
        self.each_lane(space, lanes, |memory, actor, orders, lane| {
            let address = place(space, addresses[lane], size, alignment, "reads")?;
            values.set(lane, memory.load(address, size, actor, orders)?);
            Ok(())
        })
    }

    /// Writes an element of at most eight bytes for each lane. The values are defined, and no two lanes write to the
    /// same byte.
    pub(in crate::message) fn store_lanes(
        &mut self,
        space: Space,
        addresses: &[u64; MAX_LANES],
        lanes: u32,
        size: u32,
        alignment: u32,
        values: &Lanes,
    ) -> Result<()> {
        let alignment = self.alignment(alignment, size);
        self.each_lane(space, lanes, |memory, actor, orders, lane| {
            let address = place(space, addresses[lane], size, alignment, "writes")?;
            memory.store(address, size, values.get(lane), actor, orders)
        })
    }

    /// Accesses memory for lanes, one after the other.
    #[inline]
    fn each_lane(
        &mut self,
        space: Space,
        lanes: u32,
        mut access: impl FnMut(&mut Memory, &Actor, Orders<'_>, usize) -> Result<(), FaultKind>,
    ) -> Result<()> {
        let (shared, actor) = (self.shared, *self.actor);
        let orders = move |earlier| shared.orders(earlier, &actor);
        for lane in set_bits(lanes) {
            self.set_lane(lane as u32);
            let actor = *self.actor;
            let memory = self.memory_of(space);
            access(memory, &actor, &orders, lane).map_err(|kind| match actor.first_lane {
                WHOLE => kind.into(),
                _ => Problem::from(kind).lane(lane as u32),
            })?;
            if let Some(race) = memory.take_race_of_lanes() {
                self.report_race_of_lanes(race)?;
            }
        }
        Ok(())
    }

    /// Returns the memory that a space is a part of.
    #[inline]
    fn memory_of(&mut self, space: Space) -> &mut Memory {
        match space {
            Space::Local => self.local,
            _ => self.memory(),
        }
    }

    /// Returns the alignment of an element that needs another for its message.
    fn alignment(&self, of_message: u32, size: u32) -> u32 {
        if self.shared.is_aligned { of_message.max(size) } else { of_message }
    }

    /// Sets the lane of the following accesses, if they are those of one lane.
    pub(in crate::message) fn set_lane(&mut self, lane: u32) {
        if self.actor.first_lane != WHOLE {
            self.actor.lane = self.actor.first_lane.saturating_add(lane as u8);
        }
    }

    /// Reports a race with another lane of the thread.
    fn report_race(&mut self, race: Option<FaultKind>) -> Result<()> {
        match race {
            Some(race) => self.report_race_of_lanes(race),
            None => Ok(()),
        }
    }

    #[cold]
    fn report_race_of_lanes(&mut self, race: FaultKind) -> Result<()> {
        let reports = self.shared.reports;
        let mut problem = Problem::from(race);
        problem.lane = Some(self.actor.lane.into());
        if reports.denies_races {
            return Err(problem);
        }
        if self.reported.is_none() && reports.is_new(self.code, self.index, Subject::RaceOfLanes) {
            self.reported = Some(problem);
        }
        Ok(())
    }

    /// Reads an element of a block. If the first one is in its surface, those outside are undefined: the
    /// compiler reads longer blocks than it needs, because the hardware checks the bounds of surfaces.
    pub(in crate::message) fn load_of_block(
        &mut self,
        space: Space,
        address: u64,
        size: u32,
        alignment: u32,
        is_first: bool,
    ) -> Result<Value> {
        let is_surface = matches!(space, Space::Surface { .. });
        self.load(space, address, size, alignment).or_else(|problem| match *problem.kind {
            FaultKind::OutsideMemory { .. } if is_surface && !is_first => {
                Ok(Value { bits: 0, undefined: low_bits(size * 8) })
            }
            _ => Err(problem),
        })
    }

    /// Writes an element of at most eight bytes.
    pub(in crate::message) fn store(
        &mut self,
        space: Space,
        address: u64,
        size: u32,
        alignment: u32,
        value: Value,
        source: Source,
    ) -> Result<()> {
        let alignment = self.alignment(alignment, size);
        let address = place(space, address, size, alignment, "writes")?;
        if !value.is_defined() {
            self.report_undefined(space, address, &[source])?;
        }
        let (shared, actor) = (self.shared, *self.actor);
        let orders = move |earlier| shared.orders(earlier, &actor);
        let memory = self.memory_of(space);
        memory.store(address, size, value, &actor, &orders)?;
        let race = memory.take_race_of_lanes();
        self.report_race(race)
    }

    /// Replaces an element of at most eight bytes, and returns the value before.
    pub(in crate::message) fn replace(
        &mut self,
        space: Space,
        address: u64,
        size: u32,
        sources: &[Source],
        replacement: impl FnOnce(Value) -> std::result::Result<Value, FaultKind>,
    ) -> Result<Value> {
        let address = place(space, address, size, size, "reads and writes")?;
        let is_local = matches!(space, Space::Local);
        let (shared, actor) = (self.shared, *self.actor);
        let orders = move |earlier| shared.orders(earlier, &actor);
        let mut is_defined = true;
        let replacement = |old| {
            let new = replacement(old)?;
            is_defined = new.is_defined();
            Ok(new)
        };
        let old = self.memory_of(space).replace(address, size, &actor, &orders, replacement)?;
        let group = if is_local { actor.group } else { 0 };
        shared.record_atomic(&actor, group, address);
        self.actor.events += 1;
        if !is_defined {
            self.report_undefined(space, address, sources)?;
        }
        Ok(old)
    }

    /// Reports that a message stores bits that nobody wrote where others can read them: not in memory
    /// that is private to threads or groups, in which programs keep copies of anything.
    #[cold]
    fn report_undefined(&mut self, space: Space, address: u64, sources: &[Source]) -> Result<()> {
        if matches!(space, Space::Local) || self.reported.is_some() {
            return Ok(());
        }
        let policy = self.shared.reports;
        let is_new = policy.is_new(self.code, self.index, Subject::UndefinedStore);
        if !is_new || self.memory().is_private(address) {
            return Ok(());
        }
        let is_undefined = |source: &&Source| {
            let Source { operand, offset, size, field } = **source;
            let value = || self.read_raw(operand, offset, size, field);
            !operand.is_null() && value().is_ok_and(|value| !value.is_defined())
        };
        let found = sources.iter().find(is_undefined);
        let origin = match (found, sources) {
            (Some(source), _) => self.origin_of_raw(source.operand, source.offset, source.size)?,
            (None, [Source { field, .. }]) => format!("`{field}` is null").into(),
            (None, _) => format!("the value at {address:#x}").into(),
        };
        let mut problem = Problem::from(self.undefined("the stored value", origin));
        problem.operand = found.map(|source| source.field);
        // What is not modelled is no fault of the program.
        if policy.denies_undefined || matches!(*problem.kind, FaultKind::NotModelled(_)) {
            return Err(problem);
        }
        self.reported = Some(problem);
        Ok(())
    }

    /// Writes the elements of a message. Two lanes may not write different values to the same byte: which
    /// of them remains is not defined.
    pub(in crate::message) fn store_all(
        &mut self,
        space: Space,
        mut written: Vec<Written>,
        alignment: u32,
    ) -> Result<()> {
        written.sort_by_key(|element| element.address);
        for pair in written.windows(2) {
            let [a, b] = pair else { continue };
            if a.lane != b.lane && b.address < a.address.saturating_add(a.size.into()) {
                let same = a.address == b.address && a.size == b.size && a.value == b.value;
                if !same {
                    let kind = FaultKind::ConflictingLanes { address: b.address, other: a.lane };
                    return Err(Problem::from(kind).lane(b.lane));
                }
            }
        }
        for Written { lane, address, size, value, source } in written {
            self.set_lane(lane);
            self.store(space, address, size, alignment, value, source)
                .map_err(|problem| problem.lane(lane))?;
            if let Some(problem) = &mut self.reported {
                problem.lane.get_or_insert(lane);
            }
        }
        Ok(())
    }
}

/// Returns the address of an element in its memory, after checks of bounds and alignment.
fn place(
    space: Space,
    address: u64,
    size: u32,
    alignment: u32,
    access: &'static str,
) -> std::result::Result<u64, FaultKind> {
    let (address, base) = match space {
        Space::Local => (address & !LOCAL_BIT, 0),
        Space::Flat => (address, 0),
        Space::From(base) => (address, base),
        Space::Surface { address: base, size: bytes } => {
            if bytes.checked_sub(address).is_none_or(|rest| rest < size.into()) {
                let near = format!("outside of its surface, which has {bytes} bytes");
                return Err(FaultKind::OutsideMemory { access, address, size, near });
            }
            (address, base)
        }
    };
    let place = base.wrapping_add(address);
    if place % u64::from(alignment) != 0 {
        return Err(FaultKind::Misaligned { address, alignment });
    }
    Ok(place)
}
