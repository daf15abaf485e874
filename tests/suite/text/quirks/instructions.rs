//! Quirks of operands, synchronization and older messages.

use genvisa::Version;
use genvisa::isa::{
    AddrAdd, DwordAtomic, Fence, Gather, Gather4Typed, Mov, OwordLd, RawSends, Scatter4Typed, Wait,
};
use genvisa::operand::{
    AddrWidth, Atomic, AtomicOp, ChannelMask, DataType, Dst, ElementSize, ExecMask, ExecSize,
    FenceFlags, Imm, NumElts, NumEltsCount, OwordNum, Pred, Raw, SendFlags, Vector,
};
use genvisa::text::Quirk;

use super::{Case, line, surface, variable};

pub fn cases() -> Vec<Case> {
    let mut cases = operands();
    cases.extend(synchronization());
    cases.extend(messages());
    cases
}

/// A move of an immediate.
fn mov(kernel: &mut genvisa::object::Kernel<'static>, imm: Imm) -> Mov {
    let dst = Dst::new(variable(kernel, "x"));
    Mov { exec: ExecSize::S8.into(), pred: Pred::NONE, dst, src0: imm.into() }
}

/// Returns the line of the first instruction up to its bytes.
fn annotated(text: &str) -> String {
    line(text, 0).replace('\n', " //@")
}

fn operands() -> Vec<Case> {
    vec![
        // The upper half of a word has no meaning, so a file may have any bits there.
        Case::new(
            Quirk::ImmediatesExtended,
            |kernel| {
                let imm = Imm::new(DataType::W, 0x1234_fffe).expect("four bytes");
                vec![mov(kernel, imm).into()]
            },
            line("mov (M1, 8) x(0,0)<1> 0xfffffffe:w", 0),
            annotated("mov (M1, 8) x(0,0)<1> 0x1234fffe:w"),
        ),
        Case::new(
            Quirk::ImmediatesExtended,
            |kernel| {
                let imm = Imm::new(DataType::UB, 0x1_02).expect("four bytes");
                vec![mov(kernel, imm).into()]
            },
            line("mov (M1, 8) x(0,0)<1> 0x2:ub", 0),
            annotated("mov (M1, 8) x(0,0)<1> 0x102:ub"),
        ),
        Case::new(
            Quirk::ImmediatesExtended,
            |kernel| vec![mov(kernel, Imm::bool(true)).into()],
            line("mov (M1, 8) x(0,0)<1> 0xffffffff:bool", 0),
            line("mov (M1, 8) x(0,0)<1> 0x1:bool", 0),
        ),
        // The reader multiplies the offset by 2, and the printer multiplies it by 4 again.
        Case::new(
            Quirk::StateAddressScaledTwice,
            |kernel| {
                let address = kernel.body.add_address("", 16).expect("space for an address");
                let dst = Dst(Vector::address(address, 0, AddrWidth::W8));
                let src0 = Vector::surface(surface(kernel), 3).into();
                let src1 = Imm::uw(0).into();
                vec![AddrAdd { exec: ExecSize::S8.into(), dst, src0, src1 }.into()]
            },
            line("addr_add (M1, 8) A0(0)<8> &T6[24] 0x0:uw", 0),
            line("addr_add (M1, 8) A0(0)<8> &T6[6] 0x0:uw", 0),
        ),
    ]
}

fn synchronization() -> Vec<Case> {
    vec![
        Case::new(
            Quirk::WaitOperandAdded,
            |_| vec![Wait { mask: None }.into()],
            line("wait 0x0:uw", 0),
            line("wait", 0),
        )
        .since(Version::V3_0),
        Case::new(
            Quirk::EmptyFenceOptions,
            |_| vec![Fence { mask: FenceFlags::LOCAL }.into()],
            line("fence_local.", 0),
            line("fence_local", 0),
        ),
    ]
}

fn messages() -> Vec<Case> {
    vec![
        Case::new(
            Quirk::FunctionIdAdded,
            |kernel| {
                let x = variable(kernel, "x");
                let send = RawSends {
                    modifiers: SendFlags::SENDC,
                    exec: ExecSize::S8.into(),
                    pred: Pred::NONE,
                    num_src0: 1,
                    num_src1: 1,
                    num_dst: 1,
                    sfid: None,
                    ex_msg_desc: Vector::scalar(x),
                    desc: Vector::scalar(x),
                    src0: x.into(),
                    src1: x.into(),
                    dst: x.into(),
                };
                vec![send.into()]
            },
            line("raw_sendsc.0.1.1.1 (M1, 8)  x(0,0)<0;1,0> x(0,0)<0;1,0> x.0 x.0 x.0", 0),
            line("raw_sendsc.1.1.1 (M1, 8)  x(0,0)<0;1,0> x(0,0)<0;1,0> x.0 x.0 x.0", 0),
        )
        .since(Version::V3_4),
        Case::new(
            Quirk::EotAfterFunctionId,
            |kernel| {
                let x = variable(kernel, "x");
                let (modifiers, exec) = (SendFlags::EOT, ExecSize::S8.into());
                let (ex_msg_desc, desc) = (Vector::scalar(x), Vector::scalar(x));
                let send = RawSends { modifiers, exec, ex_msg_desc, desc, ..RawSends::default() };
                vec![RawSends { num_src0: 1, sfid: Some(3), src0: x.into(), ..send }.into()]
            },
            line(
                "raw_sends.3.eot.1.0.0 (M1, 8)  x(0,0)<0;1,0> x(0,0)<0;1,0> x.0 %null.0 %null.0",
                0,
            ),
            line(
                "raw_sends_eot.3.1.0.0 (M1, 8)  x(0,0)<0;1,0> x(0,0)<0;1,0> x.0 %null.0 %null.0",
                0,
            ),
        ),
        Case::new(
            Quirk::ModifiedForgotten,
            |kernel| {
                let (surface, dst) = (surface(kernel), variable(kernel, "x").into());
                let (size, offset) = (OwordNum::N4, Imm::ud(0).into());
                vec![OwordLd { size, is_modified: 1, surface, offset, dst }.into()]
            },
            line("oword_ld (4) T6 0x0:ud x.0", 0),
            line("oword_ld.mod (4) T6 0x0:ud x.0", 0),
        ),
        Case::new(
            Quirk::ModifiedForgotten,
            |kernel| {
                let x = Raw::from(variable(kernel, "x"));
                let gather = Gather {
                    elt_size: ElementSize::DWORD,
                    is_modified: 1,
                    num_elts: NumElts { count: NumEltsCount::N8, mask: ExecMask::M1 },
                    surface: surface(kernel),
                    global_offset: Imm::ud(0).into(),
                    element_offset: x,
                    dst: x,
                };
                vec![gather.into()]
            },
            line("gather.4 (M1, 8) T6 0x0:ud x.0 x.0", 0),
            line("gather.4 (M1, 8).mod T6 0x0:ud x.0 x.0", 0),
        ),
        Case::new(
            Quirk::AtomicWidthForgotten,
            |kernel| {
                let x = Raw::from(variable(kernel, "x"));
                let atomic = DwordAtomic {
                    op: Atomic::new(AtomicOp::XCHG, 64).expect("a width that exists"),
                    exec: ExecSize::S8.into(),
                    pred: Pred::NONE,
                    surface: surface(kernel),
                    element_offset: x,
                    src0: x,
                    src1: Raw::NULL,
                    dst: x,
                };
                vec![atomic.into()]
            },
            line("dword_atomic.xchg (M1, 8) T6 x.0 x.0 %null.0 x.0", 0),
            line("dword_atomic.xchg.64 (M1, 8) T6 x.0 x.0 %null.0 x.0", 0),
        ),
        Case::new(
            Quirk::TypedPredicateOmitted,
            |kernel| {
                let x = Raw::from(variable(kernel, "x"));
                let lit = kernel.body.add_predicate("", 8).expect("space for a predicate");
                let (exec, pred) = (ExecSize::S8.into(), Pred::new(lit).expect("a small id"));
                let (channels, surface) = (ChannelMask::R, surface(kernel));
                let null = Raw::NULL;
                vec![
                    Gather4Typed {
                        exec,
                        pred,
                        channels,
                        surface,
                        u: x,
                        v: null,
                        r: null,
                        lod: null,
                        dst: x,
                    }
                    .into(),
                    Scatter4Typed {
                        exec,
                        pred,
                        channels,
                        surface,
                        u: x,
                        v: null,
                        r: null,
                        lod: null,
                        src: x,
                    }
                    .into(),
                ]
            },
            line("gather4_typed.R (M1, 8) T6 x.0 %null.0 %null.0 %null.0 x.0", 0)
                + &line("scatter4_typed.R (M1, 8) T6 x.0 %null.0 %null.0 %null.0 x.0", 1),
            line("(P1) gather4_typed.R (M1, 8) T6 x.0 %null.0 %null.0 %null.0 x.0", 0)
                + &line("(P1) scatter4_typed.R (M1, 8) T6 x.0 %null.0 %null.0 %null.0 x.0", 1),
        ),
    ]
}
