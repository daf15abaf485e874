//! Jumps, calls, returns and addresses of functions.

use crate::isa::{Faddr, Ifcall, Jmp, SwitchJmp};
use crate::operand::{DataType, Exec, ExecSize};
use crate::verify::platform::Platforms;
use crate::verify::rule::rules;
use crate::verify::types::Types;

rules! { jmp for Jmp;
    /// JMP runs a single lane.
    fn exec_size "jmp-exec-size" (Error, ANY, "JMP.md, Exec_size") |i, c| {
        if i.exec.size != ExecSize::S1 {
            c.fail("exec", i.exec.size.lanes(), "1 lane");
        }
    }
}

/// The platforms whose units run in pairs.
const FUSED: Platforms = Platforms {
    since: Some(crate::verify::Platform::Tgllp),
    before: Some(crate::verify::Platform::Pvc),
};

rules! { switch_jmp for SwitchJmp;
    /// SWITCHJMP runs a single lane.
    fn exec_size "switchjmp-exec-size" (Error, ANY, "SWITCHJMP.md, Exec_size") |i, c| {
        if i.exec.size != ExecSize::S1 {
            c.fail("exec", i.exec.size.lanes(), "1 lane");
        }
    }

    /// SWITCHJMP does not exist where execution units are fused: from TGLLP on and before PVC.
    fn platform "switchjmp-platform" (Error, FUSED, "reference") |i, c| {
        let _ = i;
        c.fail("", "switchjmp", "an instruction of the platform");
    }

    /// The index of SWITCHJMP is an unsigned integer.
    fn index_type "switchjmp-index-type" (Error, ANY, "SWITCHJMP.md, Index") |i, c| {
        const UNSIGNED: Types =
            Types::of(&[DataType::UB, DataType::UW, DataType::UD, DataType::UQ]);
        c.wants_scalar("index", &i.index, UNSIGNED);
    }
}

/// A call.
pub(in crate::verify) struct Calls(pub(super) Exec);

rules! { call for Calls;
    /// A call of a single lane is marked NoMask.
    // Kernels that ship have M1 there.
    fn no_mask "call-no-mask" (Warning, ANY, "CALL.md, Description") |i, c| {
        // Most kernels that ship call with (M1, 1), and all return so: RET is left alone.
        if i.0.size == ExecSize::S1 && !i.0.mask.is_no_mask() {
            c.fail("exec", i.0.mask, "a mask that ends in _NM");
        }
    }
}

/// What a call of a function passes, in registers.
pub(in crate::verify) struct Sizes {
    pub(super) arg_size: u8,
    pub(super) return_size: u8,
}

rules! { sizes for Sizes;
    /// FCALL and IFCALL pass at most 32 registers, and take back at most 12.
    fn sizes "fcall-sizes" (Error, ANY, "FCALL.md, Arg_size") |i, c| {
        if i.arg_size > 32 {
            c.fail("arg_size", i.arg_size, "at most 32");
        }
        if i.return_size > 12 {
            c.fail("return_size", i.return_size, "at most 12");
        }
    }
}

/// The types of a function's address: the reference has a qword.
const ADDRESSES: Types = Types::of(&[DataType::UD, DataType::UQ]);

rules! { ifcall for Ifcall;
    /// The address that IFCALL calls is of type UD or UQ.
    fn address_type "ifcall-address-type" (Error, ANY, "IFCALL.md, Func_addr") |i, c| {
        c.wants_scalar("func_addr", &i.func_addr, ADDRESSES);
    }
}

rules! { faddr for Faddr;
    /// The destination of FADDR is of type UD or UQ.
    fn dst_type "faddr-type" (Error, ANY, "FADDR.md, Dst") |i, c| {
        c.wants_scalar("dst", &i.dst.0, ADDRESSES);
    }
}
