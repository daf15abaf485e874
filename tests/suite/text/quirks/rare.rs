//! Quirks that real kernels do not trigger.

use genvisa::isa::lsc::Access;
use genvisa::isa::svm::BlockLd;
use genvisa::isa::{Addc, Avs, Dpas, DwordAtomic, File, Jmp, Label, Mov};
use genvisa::object::{Kernel, LabelKind};
use genvisa::operand::lsc::{
    LscAddrSize, LscAddrType, LscDataElems, LscDataOrder, LscDataSize, LscSfid,
};
use genvisa::operand::va::AvsExecMode;
use genvisa::operand::{
    AddrWidth, Atomic, AtomicOp, ChannelMask, Dst, ExecSize, Imm, Modifier, OwordNum, Precision,
    Pred, Raw, Region, Stride, StringId, SvmBlock, Vector,
};
use genvisa::text::Quirk;

use super::{Case, line, sampler, surface, variable};

pub fn cases() -> Vec<Case> {
    let mut cases = basic();
    cases.extend(messages());
    cases
}

fn basic() -> Vec<Case> {
    vec![
        Case::new(
            Quirk::EscapeTurnsHexadecimal,
            |_| Vec::new(),
            "// .decl Va v_type=G v_name=%sp\n",
            ".kernel_attr AsmName=\"oracle\"\n",
        )
        .with_function("f\u{1}"),
        Case::new(
            Quirk::EmptyStringIsFirst,
            |_| vec![File { file_name: StringId(0) }.into()],
            "    FILE \"kernel\"\n",
            "    FILE \"\"\n",
        ),
        Case::new(
            Quirk::AddressWidthForgotten,
            |kernel| {
                let address = kernel.body.add_address("", 32).expect("space for an address");
                let dst = Dst::new(variable(kernel, "x"));
                let src0 = Vector::address(address, 0, AddrWidth::W32);
                vec![Mov { exec: ExecSize::S32.into(), pred: Pred::NONE, dst, src0 }.into()]
            },
            line("mov (M1, 32) x(0,0)<1> A0(0)<0>", 0),
            line("mov (M1, 32) x(0,0)<1> A0(0)<32>", 0),
        ),
        Case::new(
            Quirk::CarrySaturationForgotten,
            |kernel| {
                let (x, carry) = (variable(kernel, "x"), Dst::new(variable(kernel, "c")));
                let dst = Dst(Dst::new(x).0.with_modifier(Modifier::SAT));
                let [src0, src1] = [Vector::scalar(x); 2];
                let (exec, pred) = (ExecSize::S8.into(), Pred::NONE);
                vec![Addc { exec, pred, dst, carry, src0, src1 }.into()]
            },
            line("addc (M1, 8) x(0,0)<1> c(0,0)<1> x(0,0)<0;1,0> x(0,0)<0;1,0>", 0),
            line("addc.sat (M1, 8) x(0,0)<1> c(0,0)<1> x(0,0)<0;1,0> x(0,0)<0;1,0>", 0),
        ),
        Case::new(
            Quirk::JumpExecForgotten,
            |kernel| {
                let label =
                    kernel.body.add_label("end", LabelKind::BLOCK).expect("space for a label");
                let jmp = Jmp { exec: ExecSize::S8.into(), pred: Pred::NONE, label };
                vec![jmp.into(), Label { label }.into()]
            },
            line("jmp (M1, 1) end_2", 0),
            line("jmp (M1, 8) end", 0),
        ),
    ]
}

fn dword_atomic(kernel: &mut Kernel<'static>, op: AtomicOp) -> DwordAtomic {
    let x = Raw::from(variable(kernel, "x"));
    DwordAtomic {
        op: Atomic::new(op, 32).expect("a width that exists"),
        exec: ExecSize::S8.into(),
        surface: surface(kernel),
        element_offset: x,
        dst: x,
        ..DwordAtomic::default()
    }
}

fn messages() -> Vec<Case> {
    vec![
        Case::new(
            Quirk::PredecUnnamed,
            |kernel| vec![dword_atomic(kernel, AtomicOp::PREDEC).into()],
            line("dword_atomic. (M1, 8) T6 x.0 %null.0 %null.0 x.0", 0),
            line("dword_atomic.predec (M1, 8) T6 x.0 %null.0 %null.0 x.0", 0),
        ),
        Case::new(
            Quirk::UnalignedForgotten,
            |kernel| {
                let (dst, address) = (Raw::from(variable(kernel, "x")), Imm::uq(64).into());
                let block = SvmBlock::new(OwordNum::N2, true);
                vec![BlockLd { block, address, dst }.into()]
            },
            line("svm_block_ld (2) 0x40:uq x.0", 0),
            line("svm_block_ld.unaligned (2) 0x40:uq x.0", 0),
        ),
        Case::new(
            Quirk::AvsModeInvalid,
            |kernel| {
                let x = Raw::from(variable(kernel, "x"));
                let zero = Imm::ud(0).into();
                let avs = Avs {
                    channels: ChannelMask::R,
                    sampler: sampler(kernel),
                    surface: surface(kernel),
                    u_offset: zero,
                    v_offset: zero,
                    delta_u: zero,
                    delta_v: zero,
                    u2d: zero,
                    group_id: zero,
                    vertical_block_number: zero,
                    v2d: zero,
                    exec_mode: AvsExecMode::B8X4,
                    ief_bypass: zero,
                    dst: x,
                    ..Avs::default()
                };
                vec![avs.into()]
            },
            " AVS_INVALID 0x0:ud x.0",
            " AVS_8x4 0x0:ud x.0",
        ),
        Case::new(
            Quirk::NewerPrecisions,
            |kernel| {
                let x = Raw::from(variable(kernel, "x"));
                let dpas = Dpas {
                    exec: ExecSize::S8.into(),
                    dst: x,
                    src0: x,
                    src1: x,
                    src2: Vector::general(x.var, Region::new(Stride::S1, Stride::S1, Stride::S0)),
                    w: Precision::E2M1,
                    a: Precision::HF8,
                    systolic_depth: 8,
                    repeat_count: 8,
                    ..Dpas::default()
                };
                vec![dpas.into()]
            },
            "dpas.?.?.8.8 (M1, 8)",
            "dpas.e2m1.hf8.8.8 (M1, 8)",
        )
        .on("PVC"),
        Case::new(
            Quirk::NewerLscCodes,
            |kernel| {
                let x = Raw::from(variable(kernel, "x"));
                let access = Access {
                    exec: ExecSize::S8.into(),
                    sfid: LscSfid::URB,
                    addr_type: LscAddrType::FLAT,
                    addr_scale: 1,
                    addr_size: LscAddrSize::A32,
                    data_size: LscDataSize::D32,
                    data_order: LscDataOrder::NONTRANSPOSE,
                    data_elems: LscDataElems::X1,
                    channels: ChannelMask::empty(),
                    surface: Imm::ud(0).into(),
                    dst: x,
                    addrs: x,
                    ..Access::default()
                };
                vec![access.into()]
            },
            "lsc_load.<<4?>> (M1, 8)  x:d32  flat[x]:a32",
            "lsc_load.urb (M1, 8)  x:d32  flat[x]:a32",
        )
        .on("PVC"),
    ]
}
