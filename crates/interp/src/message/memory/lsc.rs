//! Untyped messages of the load-store cache (LSC_UNTYPED.md).

use genvisa::isa::LscUntyped;
use genvisa::isa::lsc::{Access, Strided};
use genvisa::operand::lsc::{
    LscAddrSize, LscAddrType, LscDataElems, LscDataOrder, LscDataSize, LscOp, LscOpClass, LscSfid,
};
use genvisa::operand::{ChannelMask, Exec, Raw, Scalar};

use super::access::{Source, Space, Written};
use super::atomics::Update;
use crate::context::Context;
use crate::fault::{FaultKind, Problem, Result};
use crate::number::low_bits;
use crate::state::R0;
use crate::value::{Lanes, MAX_LANES, Value, set_bits};

/// Executes a message; returns `false` for one that is not modelled.
pub(super) fn untyped(cx: &mut Context<'_>, message: &LscUntyped) -> Result<bool> {
    match message {
        LscUntyped::Access(access) => match access.op {
            LscOp::LOAD
            | LscOp::LOAD_QUAD
            | LscOp::STORE
            | LscOp::STORE_QUAD
            | LscOp::STORE_UNCOMPRESSED => transfer(cx, access)?,
            op if matches!(op.class(), LscOpClass::Atomic { .. }) => atomic(cx, access)?,
            _ => return Ok(false),
        },
        LscUntyped::Strided(access) => strided(cx, access)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// How the elements of a message are in registers and in memory.
struct Layout {
    /// The number of bytes in registers, and in memory.
    register: u32,
    memory: u32,
    /// The bit in registers where the element starts.
    shift: u32,
    /// The indices of the elements that a lane transfers, from its address on.
    elements: Vec<u32>,
    /// The distance of elements in registers, and of lanes.
    element_pitch: u32,
    lane_pitch: u32,
    is_transposed: bool,
}

impl Layout {
    fn new(
        cx: &Context<'_>,
        exec: Exec,
        op: LscOp,
        size: LscDataSize,
        elems: LscDataElems,
        channels: ChannelMask,
        order: LscDataOrder,
    ) -> Result<Layout> {
        let unknown = || FaultKind::not_modelled("this size of data");
        let register = size.bytes().ok_or_else(unknown)?;
        let memory = size.memory_bytes().ok_or_else(unknown)?;
        let elements = match op.has_channels() {
            true => (0..4).filter(|bit| channels.bits() >> bit & 1 != 0).collect(),
            false => (0..elems.count().ok_or_else(unknown)?).collect(),
        };
        let lanes = exec.size.lanes() as u32;
        let is_transposed = order == LscDataOrder::TRANSPOSE;
        if is_transposed && lanes != 1 {
            return Err(FaultKind::not_modelled("transposed data of several lanes").into());
        }
        let element_pitch = match is_transposed {
            true => register,
            // With fewer lanes than the native execution size, vectors have gaps between elements.
            false => {
                let native = cx.register_bytes() / 4;
                (lanes.max(native) * register).next_multiple_of(cx.register_bytes())
            }
        };
        let shift = if size == LscDataSize::D16C32H { 16 } else { 0 };
        Ok(Layout {
            register,
            memory,
            shift,
            elements,
            element_pitch,
            lane_pitch: register,
            is_transposed,
        })
    }

    /// Returns the alignment of addresses. Single elements need none: the compiler combines bytes to words,
    /// dwords and qwords wherever they are, in all memory. Vectors of a lane begin at dwords.
    fn alignment(&self) -> u32 {
        match self.elements.len() {
            1 => 1,
            _ if self.is_transposed => self.memory,
            _ => self.memory.min(4),
        }
    }

    /// Returns the offset in registers of an element of a lane, by its position among those transferred.
    fn offset(&self, lane: u32, position: u32) -> u32 {
        position * self.element_pitch + lane * self.lane_pitch
    }
}

/// Returns the layout of the data of a message, whose fields have the same names in several structs.
macro_rules! layout {
    ($cx:expr, $message:expr) => {
        Layout::new(
            $cx,
            $message.exec,
            $message.op,
            $message.data_size,
            $message.data_elems,
            $message.channels,
            $message.data_order,
        )
    };
}

/// Returns what the addresses of a message are relative to.
fn space(cx: &Context<'_>, sfid: LscSfid, model: LscAddrType, surface: &Scalar) -> Result<Space> {
    if sfid == LscSfid::SLM {
        return Ok(Space::Local);
    }
    if !matches!(sfid, LscSfid::UGM | LscSfid::UGML) {
        return Err(FaultKind::not_modelled(format!("memory {sfid}")).into());
    }
    match model {
        LscAddrType::FLAT => match cx.scalar(surface, "surface")?.1 {
            0 => Ok(Space::Flat),
            base => Ok(Space::From(base)),
        },
        LscAddrType::BSS | LscAddrType::SS | LscAddrType::BTI | LscAddrType::SURF => {
            let (_, index) = cx.scalar(surface, "surface")?;
            cx.surface_space(index)
        }
        LscAddrType::ARG => {
            // The dispatch states the address in r0.
            let pointer =
                cx.required_raw(Raw::new(R0, 0), 0, 4, "surface", "the argument pointer")?;
            Ok(Space::From(pointer & !63))
        }
        other => Err(FaultKind::not_modelled(format!("address model {other}")).into()),
    }
}

/// Returns an address with its scale and offset. Addresses of less than 64 bits wrap.
fn scaled(address: u64, size: LscAddrSize, scale: u16, offset: i32) -> u64 {
    let address = match size {
        LscAddrSize::A32S => address as u32 as i32 as i64 as u64,
        _ => address,
    };
    let sum = address.wrapping_mul(u64::from(scale.max(1))).wrapping_add(offset as i64 as u64);
    match size.bytes() {
        Some(2 | 4) if size != LscAddrSize::A32S => sum & low_bits(32),
        _ => sum,
    }
}

/// LOAD, LOAD_QUAD, STORE, STORE_QUAD: elements from the address of each lane on. A load without a
/// destination is a prefetch, which has no effect.
fn transfer(cx: &mut Context<'_>, access: &Access) -> Result<()> {
    let lanes = cx.enabled(access.exec, access.pred)?;
    let bytes = access
        .addr_size
        .bytes()
        .ok_or_else(|| FaultKind::not_modelled("this size of addresses"))?;
    let is_store = access.op.class() == LscOpClass::Store;
    if !is_store && access.dst.is_null() {
        return Ok(());
    }
    let layout = layout!(cx, access)?;
    let space = space(cx, access.sfid, access.addr_type, &access.surface)?;
    let mut addresses = Lanes::ZERO;
    cx.read_raw_lanes(access.addrs, [0, bytes, bytes], lanes, "addrs", &mut addresses)?;
    if !addresses.are_defined() {
        for lane in set_bits(lanes).map(|lane| lane as u32) {
            cx.required_raw(access.addrs, lane * bytes, bytes, "addrs", "the address")
                .map_err(|problem| problem.lane(lane))?;
        }
    }
    let mut addresses = *addresses.bits();
    for address in &mut addresses {
        *address = scaled(*address, access.addr_size, access.addr_scale, access.addr_offset);
    }
    let (layout, addresses) = (&layout, &addresses);
    let source = is_store.then_some(access.src1);
    elements(cx, &Transfer { space, layout, lanes, addresses, source, dst: access.dst })
}

/// LOAD_STRIDED and STORE_STRIDED: as LOAD and STORE; the addresses of the lanes have a distance.
fn strided(cx: &mut Context<'_>, access: &Strided) -> Result<()> {
    let lanes = cx.enabled(access.exec, access.pred)?;
    let bytes = access
        .addr_size
        .bytes()
        .ok_or_else(|| FaultKind::not_modelled("this size of addresses"))?;
    let is_store = access.op.class() == LscOpClass::Store;
    let layout = layout!(cx, access)?;
    let space = space(cx, access.sfid, access.addr_type, &access.surface)?;
    let base = cx.required_raw(access.addr_base, 0, bytes, "addr_base", "the address")?;
    let base = scaled(base, access.addr_size, access.addr_scale, access.addr_offset);
    let (ty, pitch) = cx.scalar(&access.addr_pitch, "addr_pitch")?;
    let unused = 64 - crate::number::bits_of(ty);
    let pitch = (pitch << unused) as i64 >> unused;
    let address = |lane: usize| base.wrapping_add(pitch.wrapping_mul(lane as i64) as u64);
    let addresses = std::array::from_fn(address);
    let (layout, addresses) = (&layout, &addresses);
    let source = is_store.then_some(access.src1);
    elements(cx, &Transfer { space, layout, lanes, addresses, source, dst: access.dst })
}

/// What a message transfers between registers and memory.
struct Transfer<'t> {
    space: Space,
    layout: &'t Layout,
    lanes: u32,
    addresses: &'t [u64; MAX_LANES],
    /// The data of a store; `None` for a load.
    source: Option<Raw>,
    dst: Raw,
}

/// Transfers the elements of lanes between registers and memory.
fn elements(cx: &mut Context<'_>, transfer: &Transfer<'_>) -> Result<()> {
    let Transfer { space, layout, lanes, addresses, source, dst } = *transfer;
    if layout.shift == 0 && rows(cx, transfer)? {
        return Ok(());
    }
    let mut written = Vec::new();
    for lane in set_bits(lanes) {
        let (lane, address) = (lane as u32, addresses[lane]);
        let in_lane = |problem: Problem| problem.lane(lane);
        for (position, element) in (0..).zip(&layout.elements) {
            let at = layout.offset(lane, position);
            let address = address.wrapping_add(u64::from(element * layout.memory));
            match source {
                Some(source) => {
                    let value =
                        cx.read_raw(source, at, layout.register, "src1").map_err(in_lane)?;
                    let part = |bits: u64| bits >> layout.shift & low_bits(layout.memory * 8);
                    let value = Value { bits: part(value.bits), undefined: part(value.undefined) };
                    let size = layout.memory;
                    let from = at + layout.shift / 8;
                    let source = Source { field: "src1", operand: source, offset: from, size };
                    written.push(Written { lane, address, size, value, source });
                }
                None => {
                    // Transposed data are blocks of one lane.
                    let is_first = position == 0 || !layout.is_transposed;
                    let alignment = layout.alignment();
                    cx.set_lane(lane);
                    let value = cx
                        .load_of_block(space, address, layout.memory, alignment, is_first)
                        .map_err(|problem| in_lane(problem).operand("addrs"))?;
                    let Value { bits, undefined } = value;
                    let value =
                        Value { bits: bits << layout.shift, undefined: undefined << layout.shift };
                    cx.write_raw(dst, at, layout.register, value, "dst").map_err(in_lane)?;
                }
            }
        }
    }
    cx.store_all(space, written, layout.alignment()).map_err(|problem| problem.operand("addrs"))
}

/// Elements that are transferred together: one of each lane, or several of a transposed message.
struct Row {
    addresses: [u64; MAX_LANES],
    /// The elements, as lanes.
    lanes: u32,
    /// The offset of the first in registers.
    offset: u32,
}

impl Layout {
    /// Returns the elements of lanes in rows.
    fn rows(&self, lanes: u32, addresses: &[u64; MAX_LANES]) -> impl Iterator<Item = Row> {
        const ROW: u32 = MAX_LANES as u32;
        let Layout { memory, register, element_pitch, is_transposed, .. } = *self;
        let count = self.elements.len() as u32;
        let rows = if is_transposed { count.div_ceil(ROW) } else { count };
        (0..rows).map(move |row| match is_transposed {
            true => {
                let place = |index: usize| u64::from(memory * (row * ROW + index as u32));
                let addresses =
                    std::array::from_fn(|index| addresses[0].wrapping_add(place(index)));
                let lanes = low_bits(lanes * (count - row * ROW).min(ROW)) as u32;
                Row { addresses, lanes, offset: row * ROW * register }
            }
            false => {
                let place = u64::from(self.elements[row as usize] * memory);
                let addresses = addresses.map(|address| address.wrapping_add(place));
                Row { addresses, lanes, offset: row * element_pitch }
            }
        })
    }
}

/// Transfers the elements of lanes in rows. Returns `false`, and may have stored a part, if elements may be undefined, or at
/// the same place: [`elements`] decides then.
fn rows(cx: &mut Context<'_>, transfer: &Transfer<'_>) -> Result<bool> {
    let Transfer { space, layout, lanes, addresses, source, dst } = *transfer;
    let Layout { memory, register, lane_pitch, .. } = *layout;
    let of_lane = memory * layout.elements.iter().max().map_or(0, |last| last + 1);
    // Blocks may reach beyond the end of their surface.
    let is_surface = matches!(space, Space::Surface { .. });
    if layout.is_transposed && is_surface
        || source.is_some() && !are_apart(addresses, lanes, of_lane)
    {
        return Ok(false);
    }
    // Messages of one lane have no other.
    let in_addresses = |problem: Problem| problem.lane(0).operand("addrs");
    for Row { addresses, lanes, offset } in layout.rows(lanes, addresses) {
        let (mut values, registers) = (Lanes::ZERO, [offset, lane_pitch, register]);
        let alignment = layout.alignment();
        match source {
            None => {
                cx.load_lanes(space, &addresses, lanes, memory, alignment, &mut values)
                    .map_err(in_addresses)?;
                cx.write_raw_lanes(dst, registers, lanes, "dst", &values)
                    .map_err(|problem| problem.lane(0))?;
            }
            Some(source) => {
                cx.read_raw_lanes(source, registers, lanes, "src1", &mut values)
                    .map_err(|problem| problem.lane(0))?;
                if memory < register {
                    values.cut(8 * memory);
                }
                if !values.are_defined() {
                    return Ok(false);
                }
                cx.store_lanes(space, &addresses, lanes, memory, alignment, &values)
                    .map_err(in_addresses)?;
            }
        }
    }
    Ok(true)
}

/// Returns whether elements of a size follow each other, and none overlaps the one before.
fn are_apart(addresses: &[u64; MAX_LANES], lanes: u32, size: u32) -> bool {
    let mut end = 0;
    set_bits(lanes).all(|lane| {
        let is_after = addresses[lane] >= end;
        end = addresses[lane].saturating_add(size.into());
        is_after
    })
}

/// The atomic operations: the lanes follow each other.
fn atomic(cx: &mut Context<'_>, access: &Access) -> Result<()> {
    let Some((update, is_bfloat)) = Update::of_lsc(access.op) else {
        return Err(FaultKind::InstructionNotModelled(format!("operation {}", access.op)).into());
    };
    let lanes = cx.enabled(access.exec, access.pred)?;
    let size = access
        .addr_size
        .bytes()
        .ok_or_else(|| FaultKind::not_modelled("this size of addresses"))?;
    let layout = layout!(cx, access)?;
    if layout.elements.len() != 1 {
        return Err(FaultKind::not_modelled("an atomic on several elements").into());
    }
    let space = space(cx, access.sfid, access.addr_type, &access.surface)?;
    for lane in set_bits(lanes).map(|lane| lane as u32) {
        let in_lane = |problem: Problem| problem.lane(lane);
        let address = cx
            .required_raw(access.addrs, lane * size, size, "addrs", "the address")
            .map_err(in_lane)?;
        let address = scaled(address, access.addr_size, access.addr_scale, access.addr_offset);
        let at = layout.offset(lane, 0);
        let operand = |cx: &Context<'_>, raw: Raw, field| match raw.is_null() {
            true => Ok(Value::default()),
            false => {
                cx.read_raw(raw, at, layout.register, field).map(|value| cut(value, layout.memory))
            }
        };
        let first = operand(cx, access.src1, "src1").map_err(in_lane)?;
        let second = operand(cx, access.src2, "src2").map_err(in_lane)?;
        let memory = layout.memory;
        let source = |field, operand| Source { field, operand, offset: at, size: memory };
        let sources = [source("src1", access.src1), source("src2", access.src2)];
        cx.set_lane(lane);
        let old = cx
            .replace(space, address, memory, &sources, |old| {
                update.apply(old, first, second, memory, is_bfloat)
            })
            .map_err(|problem| in_lane(problem).operand("addrs"))?;
        cx.write_raw(access.dst, at, layout.register, old, "dst").map_err(in_lane)?;
    }
    Ok(())
}

/// Returns the low bytes of a value.
fn cut(value: Value, bytes: u32) -> Value {
    let mask = low_bits(bytes * 8);
    Value { bits: value.bits & mask, undefined: value.undefined & mask }
}
