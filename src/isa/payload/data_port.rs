//! Payloads of messages that access surfaces through the data port.

use super::{Payload, Payloads, Sizes, blocks, count, lanes, media, owords};
use crate::isa::{
    DwordAtomic, Gather, Gather4Scaled, Gather4Typed, GatherScaled, MediaLd, MediaSt, OwordLd,
    OwordLdUnaligned, OwordSt, QwGather, QwScatter, Scatter, Scatter4Scaled, Scatter4Typed,
    ScatterScaled, TypedAtomic,
};
use crate::operand::{Atomic, ChannelMask, Exec, NumElts, NumEltsCount};

/// The size of an address, of a coordinate, and of the data of most messages. Smaller elements are
/// in the low bits of a dword.
const DWORD: u32 = 4;

macro_rules! owords {
    ($($name:ident),*) => {$(
        impl Payloads for $name {
            fn payload(&self, _: &str, _: Sizes) -> Option<Payload> {
                owords(self.size)
            }
        }
    )*};
}

owords!(OwordLd, OwordLdUnaligned, OwordSt);

macro_rules! media {
    ($($name:ident),*) => {$(
        impl Payloads for $name {
            fn payload(&self, _: &str, _: Sizes) -> Option<Payload> {
                Some(media::block(self.block_width.into(), self.block_height.into()))
            }
        }
    )*};
}

media!(MediaLd, MediaSt);

/// Returns the number of elements of GATHER and SCATTER. Readers interpret 3 as 8 elements.
pub(super) fn elements(count: NumElts) -> u32 {
    match count.count {
        NumEltsCount::N1 => 1,
        NumEltsCount::N16 => 16,
        _ => 8,
    }
}

macro_rules! gathers {
    ($($name:ident),*) => {$(
        impl Payloads for $name {
            fn payload(&self, _: &str, _: Sizes) -> Option<Payload> {
                Some(Payload::lanes(elements(self.num_elts), DWORD))
            }
        }
    )*};
}

gathers!(Gather, Scatter);

macro_rules! scaled {
    ($($name:ident),*) => {$(
        impl Payloads for $name {
            fn payload(&self, _: &str, _: Sizes) -> Option<Payload> {
                Some(Payload::of_exec(self.exec, DWORD))
            }
        }
    )*};
}

scaled!(GatherScaled, ScatterScaled);

/// Returns the channels of a message with one dword per lane and channel. Each channel begins at a
/// register.
pub(super) fn channels(exec: Exec, channels: ChannelMask, sizes: Sizes) -> Payload {
    Payload::channels(count(channels), lanes(exec), DWORD, sizes)
}

macro_rules! four_channels {
    ($($name:ident $data:ident),*) => {$(
        impl Payloads for $name {
            fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
                Some(match field {
                    stringify!($data) => channels(self.exec, self.channels, sizes),
                    _ => Payload::of_exec(self.exec, DWORD),
                })
            }
        }
    )*};
}

four_channels!(
    Gather4Scaled dst, Scatter4Scaled src, Gather4Typed dst, Scatter4Typed src
);

macro_rules! qwords {
    ($($name:ident),*) => {$(
        impl Payloads for $name {
            fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
                if field == "offset" {
                    return Some(Payload::of_exec(self.exec, DWORD));
                }
                Some(Payload::blocks(blocks(self.num_blocks)?, lanes(self.exec), 8, sizes))
            }
        }
    )*};
}

qwords!(QwGather, QwScatter);

/// Returns the size of an element of the data of an atomic. Words are in the low half of a dword.
pub(super) fn atomic_size(op: Atomic) -> u32 {
    if op.width() == 64 { 8 } else { DWORD }
}

macro_rules! atomics {
    ($($name:ident),*) => {$(
        impl Payloads for $name {
            fn payload(&self, field: &str, _: Sizes) -> Option<Payload> {
                Some(match field {
                    "dst" | "src0" | "src1" => Payload::of_exec(self.exec, atomic_size(self.op)),
                    _ => Payload::of_exec(self.exec, DWORD),
                })
            }
        }
    )*};
}

atomics!(DwordAtomic, TypedAtomic);
