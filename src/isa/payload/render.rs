//! Payloads of messages to render targets and to the unified return buffer.

use super::{Payload, Payloads, Sizes, lanes};
use crate::isa::{RtWrite, UrbWrite};

impl Payloads for RtWrite {
    fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
        Some(match field {
            // The second half of the header of the message, which may have none.
            "header" => Payload::block(32).at_most(),
            "omask" => Payload::of_exec(self.exec, 2),
            "depth" => Payload::of_exec(self.exec, 4),
            // The page packs the stencil values of 8 lanes into a dword.
            "stencil" => Payload::block(lanes(self.exec) / 2),
            _ => Payload::of_exec(self.exec, if sizes.element == 2 { 2 } else { 4 }),
        })
    }
}

impl Payloads for UrbWrite {
    fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
        // Eight vertices, even if the execution size is 1.
        let vertices = 8 * 4;
        Some(match field {
            "vertex_data" => Payload::rows(self.num_out.into(), vertices, sizes.register),
            _ => Payload::block(vertices),
        })
    }
}
