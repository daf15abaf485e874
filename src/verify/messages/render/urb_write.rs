//! Rules for URB_WRITE (URB_WRITE.md).

use crate::isa::UrbWrite;
use crate::operand::ExecSize;
use crate::verify::field::field;
use crate::verify::rule::rules;
use crate::verify::types::Types;

rules! { rules for UrbWrite;
    /// URB_WRITE writes 1 to 8 registers.
    fn num_out "urb-num-out" (Refuses, ANY, "URB_WRITE.md, Num_out") |i, c| {
        if !(1..=8).contains(&i.num_out) {
            c.fail(field!(UrbWrite.num_out), i.num_out, "1 to 8 registers");
        }
    }

    /// The global offset of URB_WRITE is at most 2047.
    fn offset "urb-offset" (Refuses, ANY, "URB_WRITE.md, Global_offset") |i, c| {
        if i.global_offset > 2047 {
            c.fail(field!(UrbWrite.global_offset), i.global_offset, "at most 2047");
        }
    }

    /// The execution size of URB_WRITE is 1 or 8.
    // The page lists 8 only; IGC also accepts 1.
    fn exec_size "urb-exec-size" (Refuses, ANY, "URB_WRITE.md, Exec_size") |i, c| {
        if !matches!(i.exec.size, ExecSize::S1 | ExecSize::S8) {
            c.fail(field!(UrbWrite.exec), i.exec.size.lanes(), "1 or 8 lanes");
        }
    }

    /// The channels, handles and offsets of URB_WRITE have type UD, its data UD, D or F.
    fn types "urb-type" (Accepts, ANY, "URB_WRITE.md, URB_handle") |i, c| {
        c.require_type(field!(UrbWrite.channel_mask), i.channel_mask, Types::UD);
        c.require_type(field!(UrbWrite.urb_handle), i.urb_handle, Types::UD);
        c.require_type(field!(UrbWrite.per_slot_offset), i.per_slot_offset, Types::UD);
        c.require_type(field!(UrbWrite.vertex_data), i.vertex_data, Types::ANY32);
    }
}
