//! Cases for the rules of control flow, raw messages, DPAS, barriers, fences and lifetimes.

use genvisa::Platform::*;
use genvisa::operand::{BarrierMode, ExecSize, Imm, LifetimeClass, Modifier, VarId, Vector};
use genvisa::{Format, Instruction, Version};

use super::{Case, case, edited, scalar};

pub fn cases() -> Vec<Case> {
    let mut cases = flow();
    cases.extend(sends());
    cases.extend(dpas());
    cases.extend(others());
    cases
}

/// Returns a case in Igc2026 4.1.
fn in_igc2026(rule: &'static str, violating: &'static str, legal: &'static str) -> Case {
    case(rule, violating, legal).format(Format::igc2026(Version::V4_1))
}

fn flow() -> Vec<Case> {
    const SWITCH: &str = "switchjmp (M1, 1) 0x0:ud (there, there)\nthere:";
    vec![
        case(
            "jmp-exec-size",
            edited!("jmp (M1, 1) there\nthere:", Instruction::Jmp(i) =>
                 i.exec.size = ExecSize::S2),
            "jmp (M1, 1) there\nthere:",
        ),
        case(
            "switchjmp-exec-size",
            edited!(SWITCH, Instruction::SwitchJmp(i) => i.exec.size = ExecSize::S2),
            SWITCH,
        ),
        case("switchjmp-platform", SWITCH, "jmp (M1, 1) there\nthere:").on(Tgllp),
        case("switchjmp-platform", SWITCH, "jmp (M1, 1) there\nthere:").on(Mtl),
        case("switchjmp-index-type", "switchjmp (M1, 1) 0x0:d (there, there)\nthere:", SWITCH)
            .on(PvcSdv),
        case("call-no-mask", "fcall (M1, 1) callee 0 0", "fcall (M1_NM, 1) callee 0 0"),
        case("call-no-mask", "ifcall (M1, 1) 0x0:ud 0 0", "ifcall (M1, 2) 0x0:ud 0 0"),
        case("fcall-sizes", "fcall (M1_NM, 1) callee 33 0", "fcall (M1_NM, 1) callee 32 0"),
        case("fcall-sizes", "ifcall (M1_NM, 1) 0x0:ud 0 13", "ifcall (M1_NM, 1) 0x0:ud 0 12"),
        case("ifcall-address-type", "ifcall (M1_NM, 1) 0x0:d 0 0", "ifcall (M1_NM, 1) 0x0:uq 0 0"),
        case("faddr-type", "faddr callee d_1(0,0)<1>", "faddr callee uq_1(0,0)<1>"),
    ]
}

fn sends() -> Vec<Case> {
    const URB: &str = "urb_write_3d (M1, 8) 1 2047 ud_8.0 ud_8.0 ud_8.0 f_8.0";
    vec![
        case(
            "send-lengths",
            concat!("raw_send (M1, 8) 0x0 0 0 ", scalar!("ud"), " ud_8.0 %null.0"),
            concat!("raw_send (M1, 8) 0x0 1 0 ", scalar!("ud"), " ud_8.0 %null.0"),
        ),
        case(
            "send-lengths",
            concat!("raw_send (M1, 8) 0x0 16 0 ", scalar!("ud"), " ud_8.0 %null.0"),
            concat!("raw_send (M1, 8) 0x0 15 16 ", scalar!("ud"), " ud_8.0 %null.0"),
        ),
        case(
            "send-lengths",
            concat!("raw_send (M1, 8) 0x0 1 17 ", scalar!("ud"), " ud_8.0 %null.0"),
            concat!("raw_send (M1, 8) 0x0 1 16 ", scalar!("ud"), " ud_8.0 %null.0"),
        ),
        case(
            "send-lengths",
            "raw_sends.0.33.0.0 (M1, 8) 0x0:ud 0x2000000:ud ud_8.0 %null.0 %null.0",
            "raw_sends.0.32.0.0 (M1, 8) 0x0:ud 0x2000000:ud ud_8.0 %null.0 %null.0",
        ),
        case(
            "send-lengths",
            "raw_sends.0.1.33.33 (M1, 8) 0x0:ud 0x2000000:ud ud_8.0 %null.0 %null.0",
            "raw_sends.0.1.32.32 (M1, 8) 0x0:ud 0x2000000:ud ud_8.0 %null.0 %null.0",
        ),
        case(
            "send-descriptor-lengths",
            "raw_send (M1, 8) 0x0 1 0 0x4000000:ud ud_8.0 %null.0",
            "raw_send (M1, 8) 0x0 2 0 0x4000000:ud ud_16.0 %null.0",
        ),
        case(
            "send-descriptor-lengths",
            "raw_send (M1, 8) 0x0 1 0 0x2100000:ud ud_8.0 ud_8.0",
            "raw_send (M1, 8) 0x0 1 1 0x2100000:ud ud_8.0 ud_8.0",
        ),
        case(
            "send-descriptor-type",
            concat!("raw_send (M1, 8) 0x0 1 0 ", scalar!("d"), " ud_8.0 %null.0"),
            concat!("raw_send (M1, 8) 0x0 1 0 ", scalar!("ud"), " ud_8.0 %null.0"),
        ),
        case(
            "send-descriptor-type",
            "raw_sends.0.1.0.0 (M1, 8) 0x0:uw 0x2000000:ud ud_8.0 %null.0 %null.0",
            "raw_sends.0.1.0.0 (M1, 8) 0x0:ud 0x2000000:ud ud_8.0 %null.0 %null.0",
        ),
        case(
            "send-sfid",
            "raw_sends.16.1.0.0 (M1, 8) 0x0:ud 0x2000000:ud ud_8.0 %null.0 %null.0",
            "raw_sends.15.1.0.0 (M1, 8) 0x0:ud 0x2000000:ud ud_8.0 %null.0 %null.0",
        ),
        in_igc2026(
            "sendg-lengths",
            "raw_sendg.3 (M1, 1) ud_8.0/2049 ud_8.0/1984 %null.0/1984 0x0:uq 0x0:uq 0x0",
            "raw_sendg.3 (M1, 1) ud_8.0/2048 ud_8.0/1984 %null.0/1984 0x0:uq 0x0:uq 0x0",
        ),
        in_igc2026(
            "sendg-lengths",
            "raw_sendg.3 (M1, 1) %null.0/0 ud_8.0/1984 %null.0/1985 0x0:uq 0x0:uq 0x0",
            "raw_sendg.3 (M1, 1) %null.0/0 ud_8.0/1984 %null.0/1984 0x0:uq 0x0:uq 0x0",
        ),
        in_igc2026(
            "sendg-descriptor",
            "raw_sendg.3 (M1, 1) ud_8.0/32 ud_8.0/32 %null.0/0 0x0:uq 0x0:uq 0x800000000000",
            "raw_sendg.3 (M1, 1) ud_8.0/32 ud_8.0/32 %null.0/0 0x0:uq 0x0:uq 0x7fffffffffff",
        ),
        case("urb-num-out", "urb_write_3d (M1, 8) 0 0 ud_8.0 ud_8.0 ud_8.0 f_8.0", URB),
        case(
            "urb-num-out",
            "urb_write_3d (M1, 8) 9 0 ud_8.0 ud_8.0 ud_8.0 f_128.0",
            "urb_write_3d (M1, 8) 8 0 ud_8.0 ud_8.0 ud_8.0 f_128.0",
        ),
        case("urb-offset", "urb_write_3d (M1, 8) 1 2048 ud_8.0 ud_8.0 ud_8.0 f_8.0", URB),
        case(
            "urb-exec-size",
            "urb_write_3d (M1, 16) 1 0 ud_16.0 ud_16.0 ud_16.0 f_16.0",
            "urb_write_3d (M1, 1) 1 0 ud_16.0 ud_16.0 ud_16.0 f_16.0",
        ),
        case("urb-type", "urb_write_3d (M1, 8) 1 0 ud_8.0 d_8.0 ud_8.0 f_8.0", URB),
        case("urb-type", "urb_write_3d (M1, 8) 1 0 ud_8.0 ud_8.0 ud_8.0 uw_16.0", URB),
    ]
}

fn dpas() -> Vec<Case> {
    const EIGHT: &str = "dpas.s8.u4.8.1 (M1, 8) d_8.0 d_8.0 d_64.0 d_8(0,0)";
    const SIXTEEN: &str = "dpas.hf.hf.8.1 (M1, 16) hf_16.0 f_16.0 d_128.0 d_16(0,0)";
    vec![
        in_igc2026(
            "dpas-predicate",
            "(flag_8) dpas.s8.u4.8.1 (M1, 8) d_8.0 d_8.0 d_64.0 d_8(0,0)",
            EIGHT,
        )
        .on(Dg2),
        case("dpas-exec-size", "dpas.s8.s8.8.1 (M1, 16) d_16.0 d_16.0 d_128.0 d_16(0,0)", EIGHT)
            .on(Dg2),
        case("dpas-exec-size", EIGHT, SIXTEEN).on(PvcSdv),
        case(
            "dpas-exec-size",
            ".decl large v_type=G type=d num_elts=256
            dpas.s8.s8.8.1 (M1, 32) d_32.0 d_32.0 large.0 d_16(0,0)",
            EIGHT,
        ),
        case(
            "dpas-type",
            "dpas.hf.hf.8.1 (M1, 8) hf_16.0 f_8.0 d_64.0 d_8(0,0)",
            "dpas.hf.hf.8.1 (M1, 8) f_8.0 %null.0 d_64.0 d_8(0,0)",
        )
        .on(Dg2),
        case("dpas-type", "dpas.hf.hf.8.1 (M1, 16) df_16.0 f_16.0 d_128.0 d_16(0,0)", SIXTEEN)
            .on(PvcSdv),
        case(
            "dpas-source-type",
            ".decl large v_type=G type=b num_elts=256
            dpas.s8.u4.8.1 (M1, 8) d_8.0 d_8.0 large.0 d_8(0,0)",
            EIGHT,
        ),
        case("dpas-source-type", "dpas.s8.u4.8.1 (M1, 8) d_8.0 d_8.0 d_64.0 f_8(0,0)", EIGHT),
        case(
            "dpas-src2",
            edited!(EIGHT, Instruction::Dpas(i) => i.src2.modifier = Modifier::ABS),
            EIGHT,
        ),
        case(
            "dpas-src2",
            edited!(EIGHT, Instruction::Dpas(i) => i.src2 = Vector::imm(Imm::d(0))),
            EIGHT,
        ),
        case("dpas-depth-8", "dpas.s8.u4.4.1 (M1, 8) d_8.0 d_8.0 d_64.0 d_8(0,0)", EIGHT),
        case("dpas-precision", "dpas.s8.hf.8.1 (M1, 8) d_8.0 d_8.0 d_64.0 d_8(0,0)", EIGHT),
        case("dpas-precision", "dpas.bf.hf.8.1 (M1, 8) f_8.0 f_8.0 d_64.0 d_8(0,0)", EIGHT),
        case("dpas-bounds", "dpas.s8.u4.8.2 (M1, 8) d_15.0 d_16.0 d_64.0 d_16(0,0)", EIGHT),
        case("dpas-bounds", "dpas.s8.u4.8.2 (M1, 8) d_16.0 d_15.0 d_64.0 d_16(0,0)", EIGHT),
        case("dpas-bounds", "dpas.s8.u4.8.1 (M1, 8) d_8.0 d_8.0 d_16.0 d_8(0,0)", EIGHT),
        case("dpas-bounds", "dpas.s8.s8.8.2 (M1, 8) d_16.0 %null.0 d_64.0 d_8(0,0)", EIGHT),
        case("dpasw-platform", "dpasw.hf.hf.8.1 (M1, 16) f_16.0 f_16.0 d_128.0 d_16(0,0)", SIXTEEN)
            .on(PvcSdv),
    ]
}

fn others() -> Vec<Case> {
    const LIFETIME: &str = "lifetime.start flag_32";
    vec![
        case(
            "lifetime-class",
            edited!(LIFETIME, Instruction::Lifetime(i) =>
                 i.properties.class = LifetimeClass::from_bits(3).expect("four bits")),
            LIFETIME,
        ),
        // The low bits are those of a general variable.
        case(
            "lifetime-class",
            edited!(LIFETIME, Instruction::Lifetime(i) =>
                 i.properties.class = LifetimeClass::from_bits(8).expect("four bits")),
            LIFETIME,
        ),
        case(
            "lifetime-variable",
            edited!(LIFETIME, Instruction::Lifetime(i) => i.variable = VarId(5)),
            LIFETIME,
        ),
        case(
            "lifetime-variable",
            edited!(LIFETIME, Instruction::Lifetime(i) => i.variable = VarId(0)),
            "lifetime.end addr_16",
        ),
        case(
            "lifetime-variable",
            edited!("lifetime.end addr_16", Instruction::Lifetime(i) => i.variable = VarId(3)),
            "lifetime.end bf_128",
        ),
        case("wait-mask-type", "wait 0x0:uw", "wait 0x0:ub"),
        case("fence-local", "fence_local.E", "fence_global.E").on(Cnl),
        case("fence-flush", "fence_global.EISC", "fence_global.EL1").on(Tgllp),
        case("fence-flush", "fence_local.EL1", "fence_local.E").on(XeHpSdv),
        case("fence-flush", "fence_global.EISCL1", "fence_global.ER").on(Dg2),
        case(
            "barrier-mode",
            edited!("sbarrier.signal", Instruction::Sbarrier(i) =>
                 i.mode = BarrierMode::from_bits(2).expect("a byte")),
            "sbarrier.signal",
        ),
        case("nbarrier-id-type", "nbarrier.wait 0x0:ud", "nbarrier.wait 0x0:ub"),
        case("nbarrier-id", "nbarrier.wait 0x20:ub", "nbarrier.wait 0x1f:ub"),
        in_igc2026(
            "nbarrier-role",
            "nbarrier.signal 0x0:ub 0x3:uw 0x1:ub 0x1:ub",
            "nbarrier.signal 0x0:ub 0x2:uw 0x1:ub 0x1:ub",
        ),
        in_igc2026(
            "nbarrier-role",
            "nbarrier.signal 0x0:ub 0x0:ub 0x1:ub 0x1:ub",
            "nbarrier.signal 0x0:ub 0x0:uw 0x1:ub 0x1:ub",
        ),
        case("nbarrier-count", "nbarrier.signal 0x0:ub 0x0:ub", "nbarrier.signal 0x0:ub 0x1:ub"),
        case("nbarrier-count", "nbarrier.signal 0x0:ub 0x1:uw", "nbarrier.signal 0x0:ub 0x1:ub"),
    ]
}
