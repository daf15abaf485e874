//! Rules for jumps, calls and addresses of functions.

use crate::format::Format;
use crate::isa::{Faddr, Ifcall, Instruction, Jmp, SwitchJmp};
use crate::operand::{DataType, Exec, ExecSize};
use crate::verify::context::Context;
use crate::verify::field::{Field, field};
use crate::verify::platforms::Platforms;
use crate::verify::rule::{Rule, rules};
use crate::verify::types::Types;

rules! { jmp for Jmp;
    /// The execution size of JMP is 1.
    fn exec_size "jmp-exec-size" (Accepts, ANY, "JMP.md, Exec_size") |i, c| {
        if i.exec.size != ExecSize::S1 {
            c.fail(field!(Jmp.exec), i.exec.size.lanes(), "1 lane");
        }
    }
}

/// The platforms with fused execution units.
const FUSED: Platforms = Platforms {
    since: Some(crate::platform::Platform::Tgllp),
    before: Some(crate::platform::Platform::PvcSdv),
};

rules! { switch_jmp for SwitchJmp;
    /// The execution size of SWITCHJMP is 1.
    fn exec_size "switchjmp-exec-size" (Accepts, ANY, "SWITCHJMP.md, Exec_size") |i, c| {
        if i.exec.size != ExecSize::S1 {
            c.fail(field!(SwitchJmp.exec), i.exec.size.lanes(), "1 lane");
        }
    }

    /// SWITCHJMP does not exist on platforms with fused execution units: from TGLLP on and before
    /// PVC.
    fn platform "switchjmp-platform" (Refuses, FUSED, "IGC") |i, c| {
        let _ = i;
        c.report_unavailable(ANY);
    }

    /// The index of SWITCHJMP has type UB, UW, UD or UQ, in 4.2 any integer type.
    fn index_type "switchjmp-index-type" (Accepts, ANY, "SWITCHJMP.md, Index") |i, c| {
        const UNSIGNED: Types =
            Types::of(&[DataType::UB, DataType::UW, DataType::UD, DataType::UQ]);
        const INTEGERS: Types = {
            use DataType as T;
            Types::of(&[T::UB, T::UW, T::UD, T::UQ, T::B, T::W, T::D, T::Q])
        };
        let is_4_2 = c.format() == Format::V4_2;
        c.require_scalar_type(field!(SwitchJmp.index), &i.index, if is_4_2 { INTEGERS } else { UNSIGNED });
    }
}

/// The execution size and mask of a call.
pub(in crate::verify) struct CallExec(pub(super) Exec);

rules! { call for CallExec;
    /// A call with execution size 1 has a NoMask mask.
    // Most shipped kernels have calls with (M1, 1). All have such returns, so RET is not checked.
    fn no_mask "call-no-mask" (Accepts, ANY, "CALL.md, Description") |i, c| {
        if i.0.size == ExecSize::S1 && !i.0.mask.is_no_mask() {
            c.fail(field!(Jmp.exec), i.0.mask, "a mask that ends in _NM");
        }
    }
}

/// The sizes of the arguments and the result of a call, in registers.
pub(in crate::verify) struct CallSizes {
    pub(super) arg_size: u8,
    pub(super) return_size: u8,
}

rules! { sizes for CallSizes;
    /// FCALL and IFCALL pass at most 32 registers and return at most 12.
    fn sizes "fcall-sizes" (Accepts, ANY, "FCALL.md, Arg_size") |i, c| {
        if i.arg_size > 32 {
            c.fail(field!(Ifcall.arg_size), i.arg_size, "at most 32 registers");
        }
        if i.return_size > 12 {
            c.fail(field!(Ifcall.return_size), i.return_size, "at most 12 registers");
        }
    }
}

/// The types of a function's address. It has 64 bits in GenX_IR.
const ADDRESSES: Types = Types::of(&[DataType::UD, DataType::UQ]);

rules! { ifcall for Ifcall;
    /// The address of IFCALL has type UD or UQ.
    fn address_type "ifcall-address-type" (Accepts, ANY, "IFCALL.md, Func_addr") |i, c| {
        c.require_scalar_type(field!(Ifcall.func_addr), &i.func_addr, ADDRESSES);
    }
}

rules! { faddr for Faddr;
    /// The destination of FADDR has type UD or UQ.
    fn dst_type "faddr-type" (Accepts, ANY, "FADDR.md, Dst") |i, c| {
        c.require_scalar_type(field!(Faddr.dst), &i.dst.0, ADDRESSES);
    }
}

rules! { end for Instruction;
    /// In 4.2, the last instruction of a routine is neither a call nor a predicated jump or return.
    fn last "routine-end" (Crashes, ANY, "IGC") |i, c| {
        let pred = match i {
            Instruction::Call(_) | Instruction::Fcall(_) | Instruction::Ifcall(_) => None,
            Instruction::Jmp(i) => Some(i.pred),
            Instruction::Goto(i) => Some(i.pred),
            Instruction::Ret(i) => Some(i.pred),
            Instruction::Fret(i) => Some(i.pred),
            _ => return,
        };
        if c.format() == Format::V4_2 && pred.is_none_or(|pred| !pred.is_none()) {
            let kind = if pred.is_some() { "predicated " } else { "" };
            let message = alloc::format!("the routine ends with a {kind}`{}`", c.mnemonic());
            c.report(Field::WHOLE, message);
        }
    }
}

/// The rules of this file.
pub(in crate::verify) static RULES: &[&[&Rule]] = &[
    jmp::RULES,
    switch_jmp::RULES,
    call::RULES,
    sizes::RULES,
    ifcall::RULES,
    faddr::RULES,
    end::RULES,
];

/// Applies the rules to an instruction.
pub(in crate::verify) fn check(instruction: &Instruction, cx: &mut Context<'_>) {
    match instruction {
        Instruction::Jmp(i) => jmp::check(i, cx),
        Instruction::SwitchJmp(i) => switch_jmp::check(i, cx),
        Instruction::Call(i) => call::check(&CallExec(i.exec), cx),
        Instruction::Fcall(i) => {
            call::check(&CallExec(i.exec), cx);
            let (arg_size, return_size) = (i.arg_size, i.return_size);
            sizes::check(&CallSizes { arg_size, return_size }, cx);
        }
        Instruction::Ifcall(i) => {
            call::check(&CallExec(i.exec), cx);
            let (arg_size, return_size) = (i.arg_size, i.return_size);
            sizes::check(&CallSizes { arg_size, return_size }, cx);
            ifcall::check(i, cx);
        }
        Instruction::Faddr(i) => faddr::check(i, cx),
        _ => {}
    }
}
