//! Rules for INFO (INFO.md).

use crate::format::Format;
use crate::isa::Info;
use crate::operand::{DataType, ExecSize};
use crate::verify::field::field;
use crate::verify::rule::rules;
use crate::verify::types::Types;

const UD: Types = Types::of(&[DataType::UD]);

rules! { rules for Info;
    /// The execution size of INFO is 8, 16 or 32.
    fn exec_size "info-exec-size" (Accepts, ANY, "INFO.md, Exec_size") |i, c| {
        if i.exec.size < ExecSize::S8 {
            c.fail(field!(Info.exec), i.exec.size.lanes(), "8, 16 or 32 lanes");
        }
    }

    // Shipped compilers move an integer into a variable of type F.
    /// The LOD of resinfo has type UD.
    fn lod_type "info-lod-type" (Accepts, ANY, "INFO.md, LOD") |i, c| {
        c.require_type_if_present(field!(Info.lod), i.lod, DataType::UD);
    }

    /// The LOD of resinfo has one dword per lane.
    fn lod_size "info-lod-size" (Miscompiles, ANY, "INFO.md, LOD") |i, c| {
        if let Some(lod) = i.lod {
            c.require_payload(i, field!(Info.lod), lod);
        }
    }

    /// The destination of INFO has type UD, in 4.2 any 32-bit type.
    fn dst_type "info-dst-type" (Accepts, ANY, "INFO.md, Dst") |i, c| {
        c.require_type(field!(Info.dst), i.dst, if c.format() == Format::V4_2 { Types::ANY32 } else { UD });
    }

    // The page has no channel mask and returns four channels. Shipped kernels reserve the channels
    // of the mask.
    /// The destination of INFO has one dword per lane for each channel returned.
    fn dst_size "info-dst-size" (Miscompiles, ANY, "INFO.md, Description") |i, c| {
        c.require_payload(i, field!(Info.dst), i.dst);
    }
}
