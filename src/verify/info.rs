//! INFO (INFO.md).

use super::rule::rules;
use crate::isa::Info;
use crate::operand::{DataType, ExecSize};

rules! { info for Info;
    /// INFO runs 8, 16 or 32 lanes.
    fn exec_size "info-exec-size" (Error, ANY, "INFO.md, Exec_size") |i, c| {
        if !matches!(i.exec.size, ExecSize::S8 | ExecSize::S16 | ExecSize::S32) {
            c.fail("exec", i.exec.size.lanes(), "8, 16 or 32 lanes");
        }
    }

    /// The LOD of resinfo is of type UD.
    fn lod_type "info-lod-type" (Warning, ANY, "INFO.md, LOD") |i, c| {
        let ty = i.op.lod().and_then(|lod| c.raw_ty(lod));
        if let Some(ty) = ty.filter(|ty| *ty != DataType::UD) {
            c.fail("lod", ty, DataType::UD);
        }
    }

    /// The destination of INFO is of type UD.
    fn dst_type "info-dst-type" (Error, ANY, "INFO.md, Dst") |i, c| {
        if let Some(ty) = c.raw_ty(i.dst).filter(|ty| *ty != DataType::UD) {
            c.fail("dst", ty, DataType::UD);
        }
    }
}
