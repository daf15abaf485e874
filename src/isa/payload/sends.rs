//! Payloads of raw messages.

use super::{Payload, Payloads, Sizes};
use crate::isa::{RawSend, RawSendg, RawSends};

impl Payloads for RawSend {
    fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
        let registers = if field == "dst" { self.num_dst } else { self.num_src };
        Some(Payload::block(u32::from(registers) * sizes.register))
    }
}

impl Payloads for RawSends {
    fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
        let registers = match field {
            "dst" => self.num_dst,
            "src0" => self.num_src0,
            _ => self.num_src1,
        };
        Some(Payload::block(u32::from(registers) * sizes.register))
    }
}

impl Payloads for RawSendg {
    fn payload(&self, field: &str, _: Sizes) -> Option<Payload> {
        let bytes = match field {
            "dst" => self.dst_len,
            "src0" => self.src0_len,
            _ => self.src1_len,
        };
        // Limited so that footprints do not overflow. Legal lengths are smaller by far.
        Some(Payload::block(bytes.min(1 << 24)))
    }
}
