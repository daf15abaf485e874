//! Messages of shared virtual memory and of the data port: an address or an offset for each lane.

use genvisa::isa::{
    DwordAtomic, Gather, Gather4Scaled, GatherScaled, QwGather, QwScatter, Scatter, Scatter4Scaled,
    ScatterScaled, Svm,
};
use genvisa::operand::{
    Atomic, AtomicOp, BlockNum, BlockType, ChannelMask, Exec, ExecSize, NumElts, NumEltsCount,
    Pred, Raw, Scalar, SurfaceId,
};

use super::access::{Source, Space, Written};
use super::atomics::Update;
use crate::context::Context;
use crate::fault::{FaultKind, Problem, Result};
use crate::number::low_bits;
use crate::value::{Value, set_bits};

/// Where the data of a lane is in registers and in memory: pairs of offsets, each for one element.
struct Elements {
    size: u32,
    alignment: u32,
    /// Returns the offsets of the elements of a lane in registers, and from its address on.
    places: Box<dyn Fn(u32) -> Vec<(u32, u32)>>,
}

/// The data of a message.
#[derive(Clone, Copy)]
enum Data {
    Read(Raw),
    Write(Raw),
}

/// Executes a message of shared virtual memory.
pub(super) fn svm(cx: &mut Context<'_>, message: &Svm) -> Result<bool> {
    match message {
        Svm::BlockLd(i) => {
            let address = cx.scalar(&i.address, "address")?.1;
            let alignment = if i.block.is_unaligned() { 4 } else { 16 };
            super::blocks::load(
                cx,
                Space::Flat,
                address,
                1 << i.block.size().bits(),
                alignment,
                i.dst,
            )?;
        }
        Svm::BlockSt(i) => {
            let address = cx.scalar(&i.address, "address")?.1;
            let alignment = if i.block.is_unaligned() { 4 } else { 16 };
            super::blocks::store(
                cx,
                Space::Flat,
                address,
                1 << i.block.size().bits(),
                alignment,
                i.src,
            )?;
        }
        Svm::Gather(i) => {
            let elements = svm_elements(i.exec, i.block_size, i.num_blocks)?;
            let addresses = addresses(cx, i.exec, i.pred, i.addresses, 8, 0, "addresses")?;
            transfer(cx, Space::Flat, &elements, &addresses, Data::Read(i.dst))?;
        }
        Svm::Scatter(i) => {
            let elements = svm_elements(i.exec, i.block_size, i.num_blocks)?;
            let addresses = addresses(cx, i.exec, i.pred, i.addresses, 8, 0, "addresses")?;
            transfer(cx, Space::Flat, &elements, &addresses, Data::Write(i.src))?;
        }
        Svm::SvmAtomic(i) => {
            let addresses = addresses(cx, i.exec, i.pred, i.addresses, 8, 0, "addresses")?;
            atomic(cx, Space::Flat, i.op, &addresses, [i.src0, i.src1], i.dst)?;
        }
        Svm::Gather4Scaled(i) => {
            refuse_scale(i.scale)?;
            let elements = channels(cx, i.exec, i.channels);
            let base = cx.scalar(&i.address, "address")?.1;
            let addresses = addresses(cx, i.exec, i.pred, i.offsets, 8, base, "offsets")?;
            transfer(cx, Space::Flat, &elements, &addresses, Data::Read(i.dst))?;
        }
        Svm::Scatter4Scaled(i) => {
            refuse_scale(i.scale)?;
            let elements = channels(cx, i.exec, i.channels);
            let base = cx.scalar(&i.address, "address")?.1;
            let addresses = addresses(cx, i.exec, i.pred, i.offsets, 8, base, "offsets")?;
            transfer(cx, Space::Flat, &elements, &addresses, Data::Write(i.src))?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// GATHER4_SCALED: up to four channels per lane, each a dword, one after the other.
pub(super) fn gather4_scaled(cx: &mut Context<'_>, i: &Gather4Scaled) -> Result<()> {
    refuse_scale(i.scale)?;
    let elements = channels(cx, i.exec, i.channels);
    let (space, addresses) =
        in_surface(cx, i.exec, i.pred, i.surface, &i.offset, i.element_offset)?;
    transfer(cx, space, &elements, &addresses, Data::Read(i.dst))
}

/// SCATTER4_SCALED: as GATHER4_SCALED, but writes.
pub(super) fn scatter4_scaled(cx: &mut Context<'_>, i: &Scatter4Scaled) -> Result<()> {
    refuse_scale(i.scale)?;
    let elements = channels(cx, i.exec, i.channels);
    let (space, addresses) =
        in_surface(cx, i.exec, i.pred, i.surface, &i.offset, i.element_offset)?;
    transfer(cx, space, &elements, &addresses, Data::Write(i.src))
}

/// GATHER_SCALED: one, two or four bytes per lane, in a dword.
pub(super) fn gather_scaled(cx: &mut Context<'_>, i: &GatherScaled) -> Result<()> {
    refuse_scale(i.scale)?;
    let elements = bytes(i.num_blocks)?;
    let (space, addresses) =
        in_surface(cx, i.exec, i.pred, i.surface, &i.offset, i.element_offset)?;
    transfer(cx, space, &elements, &addresses, Data::Read(i.dst))
}

/// SCATTER_SCALED: as GATHER_SCALED, but writes.
pub(super) fn scatter_scaled(cx: &mut Context<'_>, i: &ScatterScaled) -> Result<()> {
    refuse_scale(i.scale)?;
    let elements = bytes(i.num_blocks)?;
    let (space, addresses) =
        in_surface(cx, i.exec, i.pred, i.surface, &i.offset, i.element_offset)?;
    transfer(cx, space, &elements, &addresses, Data::Write(i.src))
}

/// QW_GATHER: qwords from the offset of each lane on.
pub(super) fn qw_gather(cx: &mut Context<'_>, i: &QwGather) -> Result<()> {
    let elements = svm_elements(i.exec, BlockType::QWORD, i.num_blocks)?;
    let space = cx.variable_space(i.surface)?;
    let addresses = addresses(cx, i.exec, i.pred, i.offset, 4, 0, "offset")?;
    transfer(cx, space, &elements, &addresses, Data::Read(i.dst))
}

/// QW_SCATTER: as QW_GATHER, but writes.
pub(super) fn qw_scatter(cx: &mut Context<'_>, i: &QwScatter) -> Result<()> {
    let elements = svm_elements(i.exec, BlockType::QWORD, i.num_blocks)?;
    let space = cx.variable_space(i.surface)?;
    let addresses = addresses(cx, i.exec, i.pred, i.offset, 4, 0, "offset")?;
    transfer(cx, space, &elements, &addresses, Data::Write(i.src))
}

/// GATHER: an element per lane; offsets are numbers of elements.
pub(super) fn gather(cx: &mut Context<'_>, i: &Gather) -> Result<()> {
    let (elements, size) = older(i.elt_size.bits())?;
    let (space, addresses) =
        older_addresses(cx, i.num_elts, size, i.surface, &i.global_offset, i.element_offset)?;
    transfer(cx, space, &elements, &addresses, Data::Read(i.dst))
}

/// SCATTER: as GATHER, but writes.
pub(super) fn scatter(cx: &mut Context<'_>, i: &Scatter) -> Result<()> {
    let (elements, size) = older(i.elt_size.bits())?;
    let (space, addresses) =
        older_addresses(cx, i.num_elts, size, i.surface, &i.global_offset, i.element_offset)?;
    transfer(cx, space, &elements, &addresses, Data::Write(i.src))
}

/// DWORD_ATOMIC: an operation on a dword or a word per lane.
pub(super) fn dword_atomic(cx: &mut Context<'_>, i: &DwordAtomic) -> Result<()> {
    let space = cx.variable_space(i.surface)?;
    let addresses = addresses(cx, i.exec, i.pred, i.element_offset, 4, 0, "element_offset")?;
    atomic(cx, space, i.op, &addresses, [i.src0, i.src1], i.dst)
}

fn refuse_scale(scale: u16) -> Result<()> {
    match scale {
        0 => Ok(()),
        scale => Err(FaultKind::not_modelled(format!("scale {scale} of offsets")).into()),
    }
}

/// Returns the elements of a scattered message of shared virtual memory (SVM_GATHER.md).
fn svm_elements(exec: Exec, block: BlockType, count: BlockNum) -> Result<Elements> {
    let unknown = || FaultKind::not_modelled(format!("{count} blocks per lane"));
    let (lanes, count) = (exec.size.lanes() as u32, count.count().ok_or_else(unknown)?);
    let size = match block {
        BlockType::BYTE => 1,
        BlockType::DWORD => 4,
        BlockType::QWORD => 8,
        other => return Err(FaultKind::not_modelled(format!("block type {}", other.bits())).into()),
    };
    let in_register = move |lane: u32, index: u32| match size {
        1 => lane * count.max(4) + index,
        size => (index * lanes + lane) * size,
    };
    let places = move |lane| (0..count).map(|i| (in_register(lane, i), i * size)).collect();
    Ok(Elements { size, alignment: size.min(4), places: Box::new(places) })
}

/// Returns a dword per channel; each channel starts in a new register.
fn channels(cx: &Context<'_>, exec: Exec, channels: ChannelMask) -> Elements {
    let pitch = (exec.size.lanes() as u32 * 4).next_multiple_of(cx.register_bytes());
    let enabled: Vec<u32> = (0..4).filter(|bit| channels.bits() >> bit & 1 != 0).collect();
    let places = move |lane: u32| {
        let places = (0..).zip(&enabled);
        places.map(|(index, channel)| (index * pitch + lane * 4, channel * 4)).collect()
    };
    Elements { size: 4, alignment: 4, places: Box::new(places) }
}

/// Returns one, two or four bytes in a dword. They may be anywhere.
fn bytes(count: BlockNum) -> Result<Elements> {
    let Some(size @ 1..=4) = count.count() else {
        return Err(FaultKind::not_modelled(format!("{count} bytes per lane")).into());
    };
    Ok(Elements { size, alignment: 1, places: Box::new(|lane| vec![(lane * 4, 0)]) })
}

/// Returns the element of GATHER and SCATTER, in a dword, and its size.
fn older(code: u8) -> Result<(Elements, u32)> {
    let size = match code {
        0..=2 => 1 << code,
        code => return Err(FaultKind::not_modelled(format!("element size {code}")).into()),
    };
    Ok((Elements { size, alignment: size, places: Box::new(|lane| vec![(lane * 4, 0)]) }, size))
}

fn older_addresses(
    cx: &Context<'_>,
    count: NumElts,
    size: u32,
    surface: SurfaceId,
    global_offset: &Scalar,
    offsets: Raw,
) -> Result<(Space, Vec<(u32, u64)>)> {
    let lanes = match count.count {
        NumEltsCount::N8 => ExecSize::S8,
        NumEltsCount::N16 => ExecSize::S16,
        NumEltsCount::N1 => ExecSize::S1,
        _ => return Err(FaultKind::not_modelled("this number of elements").into()),
    };
    let exec = Exec::new(lanes, count.mask);
    let base = cx.scalar(global_offset, "global_offset")?.1;
    let elements = addresses(cx, exec, Pred::NONE, offsets, 4, 0, "element_offset")?;
    // Offsets in a surface have 32 bits.
    let address = |offset: u64| base.wrapping_add(offset).wrapping_mul(size.into()) & low_bits(32);
    let addresses = elements.into_iter().map(|(lane, offset)| (lane, address(offset)));
    Ok((cx.variable_space(surface)?, addresses.collect()))
}

fn in_surface(
    cx: &Context<'_>,
    exec: Exec,
    pred: Pred,
    surface: SurfaceId,
    offset: &Scalar,
    offsets: Raw,
) -> Result<(Space, Vec<(u32, u64)>)> {
    let base = cx.scalar(offset, "offset")?.1;
    let addresses = addresses(cx, exec, pred, offsets, 4, base, "element_offset")?;
    // Offsets in a surface have 32 bits.
    let addresses = addresses.into_iter().map(|(lane, address)| (lane, address & low_bits(32)));
    Ok((cx.variable_space(surface)?, addresses.collect()))
}

/// Returns the enabled lanes with their addresses.
fn addresses(
    cx: &Context<'_>,
    exec: Exec,
    pred: Pred,
    operand: Raw,
    size: u32,
    base: u64,
    field: &'static str,
) -> Result<Vec<(u32, u64)>> {
    let mut addresses = Vec::new();
    for lane in set_bits(cx.enabled(exec, pred)?) {
        let lane = lane as u32;
        let address = cx
            .required_raw(operand, lane * size, size, field, "the address")
            .map_err(|problem| problem.lane(lane))?;
        addresses.push((lane, base.wrapping_add(address)));
    }
    Ok(addresses)
}

fn transfer(
    cx: &mut Context<'_>,
    space: Space,
    elements: &Elements,
    addresses: &[(u32, u64)],
    data: Data,
) -> Result<()> {
    let mut written = Vec::new();
    for (lane, address) in addresses {
        let in_lane = |problem: Problem| problem.lane(*lane);
        for (register, offset) in (elements.places)(*lane) {
            let address = address.wrapping_add(offset.into());
            match data {
                Data::Read(dst) => {
                    cx.set_lane(*lane);
                    let value = cx.load(space, address, elements.size, elements.alignment);
                    let value = value.map_err(in_lane)?;
                    cx.write_raw(dst, register, elements.size, value, "dst").map_err(in_lane)?;
                }
                Data::Write(src) => {
                    let value =
                        cx.read_raw(src, register, elements.size, "src").map_err(in_lane)?;
                    let size = elements.size;
                    let source = Source { field: "src", operand: src, offset: register, size };
                    written.push(Written { lane: *lane, address, size, value, source });
                }
            }
        }
    }
    cx.store_all(space, written, elements.alignment)
}

/// An atomic operation for each lane, one after the other. Words are in the low halves of dwords.
fn atomic(
    cx: &mut Context<'_>,
    space: Space,
    op: Atomic,
    addresses: &[(u32, u64)],
    sources: [Raw; 2],
    dst: Raw,
) -> Result<()> {
    let returns_new = op.op() == AtomicOp::PREDEC;
    let update = match op.op() {
        AtomicOp::PREDEC => Some(Update::Decrement),
        op => Update::of_data_port(op),
    };
    let Some(update) = update else {
        return Err(FaultKind::not_modelled(format!("atomic operation {op}")).into());
    };
    let memory = u32::from(op.width()) / 8;
    let register = memory.max(4);
    for (lane, address) in addresses {
        let in_lane = |problem: Problem| problem.lane(*lane);
        let read = |cx: &Context<'_>, raw: Raw, field| match raw.is_null() {
            true => Ok(Value::default()),
            false => cx.read_raw(raw, lane * register, register, field).map(|value| Value {
                bits: value.bits & low_bits(memory * 8),
                undefined: value.undefined & low_bits(memory * 8),
            }),
        };
        let (a, b) = (
            read(cx, sources[0], "src0").map_err(in_lane)?,
            read(cx, sources[1], "src1").map_err(in_lane)?,
        );
        // CMPXCHG compares with its second source and stores the first.
        let (first, second) = if op.op() == AtomicOp::CMPXCHG { (b, a) } else { (a, b) };
        let mut new = Value::default();
        let source = |field, index: usize| Source {
            field,
            operand: sources[index],
            offset: lane * register,
            size: memory,
        };
        cx.set_lane(*lane);
        let old = cx
            .replace(space, *address, memory, &[source("src0", 0), source("src1", 1)], |old| {
                new = update.apply(old, first, second, memory, false)?;
                Ok(new)
            })
            .map_err(in_lane)?;
        let result = if returns_new { new } else { old };
        cx.write_raw(dst, lane * register, register, result, "dst").map_err(in_lane)?;
    }
    Ok(())
}
