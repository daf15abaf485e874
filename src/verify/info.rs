//! INFO (INFO.md).

use super::rule::rules;
use super::types::Types;
use crate::isa::Info;
use crate::operand::{DataType, ExecSize};

const UD: Types = Types::of(&[DataType::UD]);

fn runs(size: ExecSize) -> bool {
    size >= ExecSize::S8
}

fn bytes_of_a_channel(i: &Info) -> i64 {
    i.exec.size.lanes() as i64 * 4
}

rules! { info for Info;
    /// INFO runs 8, 16 or 32 lanes.
    fn exec_size "info-exec-size" (Error, ANY, "INFO.md, Exec_size") |i, c| {
        if !runs(i.exec.size) {
            c.fail("exec", i.exec.size.lanes(), "8, 16 or 32 lanes");
        }
    }

    // Shipped compilers move an integer into a variable of type F.
    /// The LOD of resinfo is of type UD.
    fn lod_type "info-lod-type" (Warning (Error in Manual), ANY, "INFO.md, LOD") |i, c| {
        c.wants_if_there("lod", i.lod, DataType::UD);
    }

    /// The LOD of resinfo has a dword a lane.
    fn lod_size "info-lod-size" (Error, ANY, "INFO.md, LOD") |i, c| {
        if let Some(lod) = i.lod.filter(|_| runs(i.exec.size)) {
            c.needs("lod", lod, bytes_of_a_channel(i));
        }
    }

    /// The destination of INFO is of type UD.
    fn dst_type "info-dst-type" (Error, ANY, "INFO.md, Dst") |i, c| {
        c.wants("dst", i.dst, UD);
    }

    // The page has no channel mask and returns four channels; real kernels hold those of the mask.
    /// The destination of INFO has room for a dword a lane of each channel returned.
    fn dst_size "info-dst-size" (Error, ANY, "INFO.md, Description") |i, c| {
        if runs(i.exec.size) {
            let channels = i64::from(i.channels.bits().count_ones());
            c.needs("dst", i.dst, channels * bytes_of_a_channel(i));
        }
    }
}
