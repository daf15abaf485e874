//! Payloads of messages to the load-store cache.

use super::{Payload, Payloads, Sizes, count, lanes};
use crate::isa::field_name;
use crate::isa::lsc::{
    Access, AppendCounter, Block2d, CacheControl, LscTyped, LscUntyped, Strided, TypedAccess,
    TypedBlock2d,
};
use crate::operand::lsc::{LscAddrSize, LscDataElems, LscDataOrder, LscDataSize, LscOp, LscSfid};
use crate::operand::{ChannelMask, Exec};

/// Returns the fewest lanes that messages to untyped memory have: a register of dwords. With a smaller
/// execution size, the data has gaps between the elements of a vector.
///
/// IGC calls the finalizer with `-enableHalfLSC`. Without this option, which GenX_IR does not set, messages on
/// DG2 have at least 16 lanes.
const fn min_lanes(register: u32) -> u32 {
    register / 4
}

/// The fields that determine the data of a message.
pub(crate) struct Transfer {
    pub(crate) op: LscOp,
    pub(crate) sfid: LscSfid,
    pub(crate) exec: Exec,
    pub(crate) size: LscDataSize,
    pub(crate) order: LscDataOrder,
    pub(crate) elems: LscDataElems,
    pub(crate) channels: ChannelMask,
}

macro_rules! transfers {
    ($($name:ident: |$i:ident| $sfid:expr),*) => {$(
        impl From<&$name> for Transfer {
            #[inline(always)]
            fn from($i: &$name) -> Transfer {
                Transfer {
                    op: $i.op,
                    sfid: $sfid,
                    exec: $i.exec,
                    size: $i.data_size,
                    order: $i.data_order,
                    elems: $i.data_elems,
                    channels: $i.channels,
                }
            }
        }
    )*};
}

transfers!(
    Access: |i| i.sfid,
    Strided: |i| i.sfid,
    AppendCounter: |i| i.sfid,
    TypedAccess: |_i| LscSfid::TGM
);

impl Transfer {
    /// Returns whether the message transposes data: the elements of a lane are consecutive.
    pub(crate) fn is_transposed(&self) -> bool {
        self.order == LscDataOrder::TRANSPOSE
    }

    /// Returns the number of elements per lane; 0 if it is unknown.
    pub(crate) fn count(&self) -> u32 {
        if self.op.has_channels() { count(self.channels) } else { self.elems.count().unwrap_or(0) }
    }

    /// Returns an operand with data or a status; `None` if its length is unknown.
    pub(crate) fn payload(&self, register: u32) -> Option<Payload> {
        match self.op {
            // The status of the lanes is in the first bits of a register.
            LscOp::LOAD_STATUS => Some(Payload::block(register).at_most()),
            LscOp::READ_STATE_INFO => Some(Payload::block(64).at_most()),
            // The status follows the channels.
            LscOp::LOAD_QUAD_STATUS => {
                self.data(register).map(|data| data.repeated(data.chunks + 1).at_most())
            }
            _ => self.data(register),
        }
    }

    /// Returns an operand with data. Each element of a vector begins at a register.
    #[inline]
    fn data(&self, register: u32) -> Option<Payload> {
        let (count, size, lanes) = (self.count(), self.size.bytes().unwrap_or(0), lanes(self.exec));
        if count == 0 || size == 0 {
            return None;
        }
        if self.is_transposed() {
            return Some(Payload::block(count * size));
        }
        let least = if self.sfid == LscSfid::TGM { 1 } else { min_lanes(register) };
        let pitch = (lanes.max(least) * size).next_multiple_of(register);
        Some(Payload { pitch, chunks: count, ..Payload::lanes(lanes, size) })
    }
}

/// Returns an address per lane.
fn addresses(exec: Exec, size: LscAddrSize) -> Payload {
    Payload::of_exec(exec, size.bytes().unwrap_or(4))
}

impl Payloads for LscUntyped {
    fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
        match self {
            LscUntyped::Access(i) => i.payload(field, sizes),
            LscUntyped::Strided(i) => i.payload(field, sizes),
            LscUntyped::Block2d(i) => i.payload(field, sizes),
            LscUntyped::AppendCounter(i) => i.payload(field, sizes),
            LscUntyped::CacheControl(i) => i.payload(field, sizes),
        }
    }
}

impl Payloads for LscTyped {
    fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
        match self {
            LscTyped::TypedAccess(i) => i.payload(field, sizes),
            LscTyped::TypedBlock2d(i) => i.payload(field, sizes),
        }
    }
}

impl Payloads for Access {
    #[inline]
    fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
        if field == field_name!(Access.addrs) {
            return Some(addresses(self.exec, self.addr_size));
        }
        Transfer::from(self).payload(sizes.register)
    }
}

impl Payloads for Strided {
    fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
        if field == field_name!(Strided.addr_base) {
            // One address, to which the message adds the pitch for each lane.
            return Some(Payload::block(self.addr_size.bytes().unwrap_or(4)));
        }
        Transfer::from(self).payload(sizes.register)
    }
}

impl Payloads for AppendCounter {
    fn payload(&self, _: &str, sizes: Sizes) -> Option<Payload> {
        Transfer::from(self).payload(sizes.register)
    }
}

impl Payloads for CacheControl {
    fn payload(&self, _: &str, _: Sizes) -> Option<Payload> {
        Some(addresses(self.exec, self.addr_size))
    }
}

impl Payloads for TypedAccess {
    fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
        const U: &str = field_name!(TypedAccess.u);
        const V: &str = field_name!(TypedAccess.v);
        const R: &str = field_name!(TypedAccess.r);
        const LOD: &str = field_name!(TypedAccess.lod);
        match field {
            // The message has a register for an operand without a meaning.
            U if self.op == LscOp::READ_STATE_INFO => {
                Some(Payload::block(sizes.register).at_most())
            }
            U | V | R | LOD => Some(addresses(self.exec, self.addr_size)),
            _ => Transfer::from(self).payload(sizes.register),
        }
    }
}

impl Payloads for Block2d {
    /// Each row has a power of two of elements, and each block begins at a register.
    fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
        if field == field_name!(Block2d.payload) {
            // The six scalars.
            return Some(Payload::block(32));
        }
        let (cols, rows) = match self.data_order {
            LscDataOrder::TRANSPOSE => (self.block_height, self.block_width),
            _ => (self.block_width, self.block_height),
        };
        let row = self.data_size.bytes().unwrap_or(0) * u32::from(cols).next_power_of_two();
        // Limited so that footprints do not overflow. Legal blocks are smaller by far.
        let block = row.saturating_mul(rows.into()).min(1 << 23);
        let pitch = block.next_multiple_of(sizes.register);
        (block > 0).then(|| Payload::rows(self.blocks.into(), block, pitch))
    }
}

impl Payloads for TypedBlock2d {
    fn payload(&self, _: &str, sizes: Sizes) -> Option<Payload> {
        let block = sizes.rows(self.block_width, self.block_height);
        Some(block).filter(|block| block.pitch <= 1 << 8 && block.chunks <= 1 << 8)
    }
}
