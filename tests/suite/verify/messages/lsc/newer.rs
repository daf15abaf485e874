//! Cases of dialect `Igc2026` and of version 4.2.

use genvisa::Platform::*;
use genvisa::isa::lsc::{AppendCounter, LscUntyped, TypedBlock2d};
use genvisa::operand::lsc::*;
use genvisa::operand::{ExecSize, Imm, Raw, VarId, Vector};
use genvisa::{Format, Instruction, Version};

use super::{Case, LOAD, case, edited};

/// Cases in dialect `Igc2026`.
pub fn in_igc2026() -> Vec<Case> {
    const FIRST: &str = "barrier";
    /// The variable `ud_8`.
    const UD_8: Raw = Raw::new(VarId(32 + 4 * 9 + 3), 0);
    fn counter(sfid: LscSfid) -> Instruction {
        AppendCounter {
            exec: ExecSize::S8.into(),
            sfid,
            addr_type: LscAddrType::BTI,
            data_size: LscDataSize::D32,
            data_order: LscDataOrder::NONTRANSPOSE,
            data_elems: LscDataElems::X1,
            surface: Vector::imm(Imm::ud(1)),
            dst: UD_8,
            src: UD_8,
            ..AppendCounter::default()
        }
        .into()
    }
    fn block(block_width: u16, block_height: u16, x: Vector) -> Instruction {
        TypedBlock2d {
            addr_type: LscAddrType::BTI,
            block_width,
            block_height,
            surface: Vector::imm(Imm::ud(1)),
            dst: UD_8,
            x,
            y: x,
            ..TypedBlock2d::default()
        }
        .into()
    }
    let cases = vec![
        case(
            "lsc-append-counter",
            edited!(FIRST, i => *i = counter(LscSfid::UGML)),
            edited!(FIRST, i => *i = counter(LscSfid::UGM)),
        ),
        case(
            "lsc-typed-block2d-size",
            edited!(FIRST, i => *i = block(65, 1, Vector::imm(Imm::ud(0)))),
            edited!(FIRST, i => *i = block(64, 4, Vector::imm(Imm::ud(0)))),
        ),
        case(
            "lsc-typed-block2d-size",
            edited!(FIRST, i => *i = block(32, 9, Vector::imm(Imm::ud(0)))),
            edited!(FIRST, i => *i = block(32, 8, Vector::imm(Imm::ud(0)))),
        ),
        case(
            "lsc-typed-block2d-scalars",
            edited!(FIRST, i => *i = block(32, 8, Vector::scalar(VarId::NULL))),
            edited!(FIRST, i => *i = block(32, 8, Vector::imm(Imm::ud(0)))),
        ),
        case(
            "lsc-cache",
            "lsc_load.ugm.ca.wb (M1, 32) ud_32:d32 flat[uq_32]:a64",
            "lsc_load.ugm.ca.cc (M1, 32) ud_32:d32 flat[uq_32]:a64",
        ),
    ];
    let format = Format::igc2026(Version::V4_1);
    cases.into_iter().map(|case| case.format(format).on(Xe2)).collect()
}

/// Cases of 4.2 with efficient 64-bit addressing.
pub fn efficient_64bit() -> Vec<Case> {
    const LOAD: &str = "lsc_load.ugm (M1, 16) ud_16:d32 flat(uq_1)[0x3*ud_16]:a32s";
    const CONTROL: &str = "lsc_extended_cache_ctrl.ugm.uc.uc.uc.reset.64B (M1, 16) flat[uq_16]:a64";
    let load = "lsc_load.ugm.ca.uc.ca (M1, 16) ud_16:d32 flat[uq_16]:a64";
    let cases = vec![
        case("lsc-cache", "lsc_load.ugm.ca.wb.ca (M1, 16) ud_16:d32 flat[uq_16]:a64", load),
        case(
            "lsc-cache",
            "lsc_store.ugm.wb.wb.wb (M1, 16) flat[uq_16]:a64 ud_16:d32",
            "lsc_store.ugm.wt.wb.wb (M1, 16) flat[uq_16]:a64 ud_16:d32",
        ),
        case(
            "lsc-cache",
            "lsc_atomic_iinc.ugm.uc.wb.wb (M1, 8) ud_8:d32 flat[uq_8]:a64 %null %null",
            "lsc_atomic_iinc.ugm.uc.wb.uc (M1, 8) ud_8:d32 flat[uq_8]:a64 %null %null",
        ),
        case(
            "lsc-cache-count",
            "lsc_load.ugm.ca.ca (M1, 16) ud_16:d32 flat[uq_16]:a64",
            "lsc_load.ugm.ca.ca.ca (M1, 16) ud_16:d32 flat[uq_16]:a64",
        ),
        case(
            "lsc-efficient-addr",
            "lsc_load.ugm (M1, 16) ud_16:d32 flat(uq_1)[ud_16]:a32",
            "lsc_load.ugm (M1, 16) ud_16:d32 flat(uq_1)[ud_16]:a32u",
        ),
        case(
            "lsc-efficient-addr",
            "lsc_load.ugm (M1, 16) ud_16:d32 bss(ud_1)[ud_16]:a32",
            "lsc_load_quad.tgm (M1, 16) ud_16:d32.x bss(ud_1)[ud_16]:a32",
        ),
        case(
            "lsc-efficient-addr",
            "lsc_load.slm (M1, 16) ud_16:d32 arg[ud_16]:a32",
            "lsc_load.slm (M1, 16) ud_16:d32 flat(ud_1)[ud_16]:a32",
        ),
        case("lsc-addr-payload", "lsc_load.ugm (M1, 16) ud_16:d32 flat(uq_1)[f_16]:a32s", LOAD),
        case(
            "lsc-addr-payload",
            "lsc_load.ugm (M1, 16) ud_16:d32 flat(uq_1)[%null]:a64",
            "lsc_load.ugm (M1, 16) ud_16:d32 flat(uq_1)[%null]",
        ),
        case(
            "lsc-quad-store",
            "lsc_store_quad.tgm (M1, 16) surf(uq_1)[ud_16]:a32u ud_64:d32.xz",
            "lsc_store_quad.ugm (M1, 16) flat[uq_16]:a64 ud_64:d32.xz",
        ),
        case(
            "lsc-atomic-float",
            "lsc_atomic_fadd.ugml (M1, 8) f_8:d32 flat[uq_8]:a64 f_8 %null",
            "lsc_atomic_fadd.slm (M1, 8) f_8:d32 flat[ud_8]:a32 f_8 %null",
        ),
        case("lsc-operation", "lsc_load_strided.ugm (M1, 1) ud_8:d32 flat[uq_1]:a64", LOAD),
        case(
            "lsc-append-counter-form",
            "lsc_apndctr_atomic_add.ugm (M1, 8) ud_8:d32 surf(uq_1) ud_8:d32",
            "lsc_apndctr_atomic_store.ugm (M1, 8) ud_8:d32 surf(uq_1)[%null] ud_8 %null",
        ),
        case(
            "lsc-append-counter",
            "lsc_apndctr_atomic_store.ugml (M1, 8) ud_8:d32 surf(uq_1)[%null] ud_8 %null",
            "lsc_apndctr_atomic_store.ugm (M1, 8) ud_8:d32 surf(uq_1)[%null] ud_8 %null",
        ),
        case(
            "lsc-cache-control-base",
            "lsc_extended_cache_ctrl.ugm.reset.64B (M1, 16) flat(uq_1)[uq_16]:a64",
            CONTROL,
        ),
        case(
            "lsc-cache-control",
            "lsc_extended_cache_ctrl.slm.reset.64B (M1, 16) flat[ud_16]:a32",
            CONTROL,
        ),
        case(
            "lsc-cache-control-op",
            "lsc_extended_cache_ctrl.ugm.set.64B (M1, 16) flat[uq_16]:a64",
            CONTROL,
        ),
        case(
            "lsc-cache-control-op",
            "lsc_extended_cache_ctrl.ugm.reset.128B (M1, 16) flat[uq_16]:a64",
            CONTROL,
        ),
        case(
            "lsc-block2d-size",
            "lsc_load_block2d.ugm (M1_NM, 1) %null:d32.32x8 flat[ud_8 + (0,0)]",
            "lsc_load_block2d.ugm (M1_NM, 1) %null:d32.64x8 flat[ud_8 + (0,0)]",
        ),
        case(
            "lsc-block2d-size",
            "lsc_load_block2d.ugm (M1_NM, 1) ud_128:d8.4x65 flat[ud_8 + (0,0)]",
            "lsc_load_block2d.ugm (M1_NM, 1) ud_128:d8.4x64 flat[ud_8 + (0,0)]",
        ),
    ];
    cases.into_iter().map(|case| case.format(Format::V4_2).on(Xe3pCri)).collect()
}

/// Cases of 4.2 without efficient 64-bit addressing.
pub fn in_4_2() -> Vec<Case> {
    let cases = vec![
        case(
            "lsc-cache-count",
            "lsc_load.ugm.ca.ca.ca (M1, 16) ud_16:d32 flat[uq_16]:a64",
            "lsc_load.ugm.ca.ca (M1, 16) ud_16:d32 flat[uq_16]:a64",
        ),
        case(
            "lsc-flags",
            edited!(LOAD, Instruction::LscUntyped(LscUntyped::Access(i)) =>
                 i.flags = Some(LscFlags::MSAA)),
            "lsc_load.ugm.ov (M1_NM, 1) ud_16:d32x16t flat[uq_16]:a64",
        ),
        case(
            "lsc-surface",
            "lsc_load.ugm (M1, 16) ud_16:d32 flat(uq_1)[ud_16]:a32",
            "lsc_load.ugm (M1, 16) ud_16:d32 surf(uq_1)[ud_16]:a32",
        ),
        case("lsc-addr-payload", "lsc_load.ugm (M1, 16) ud_16:d32 flat[ud_32]:a64", LOAD),
        case("lsc-addr-payload", "lsc_load.ugm (M1, 16) ud_16:d32 flat[%null]:a64", LOAD),
        case(
            "lsc-operation",
            "lsc_load_quad_status.ugm (M1, 16) ud_64:d32.xyzw flat[uq_16]:a64",
            "lsc_load_strided.ugm (M1, 1) ud_8:d32 flat[uq_1, 0x20]:a64",
        ),
        case("lsc-operation", "lsc_ccs_update.ugm (M1, 16) flat[uq_16]:a64 ud_16:d32", LOAD),
        case(
            "lsc-operation",
            "lsc_store_uncompressed.tgm (M1, 16) bss(ud_1)[ud_16]:a32 ud_16:d32",
            "lsc_store_quad.tgm (M1, 16) bss(ud_1)[ud_16]:a32 ud_16:d32.x",
        ),
        case(
            "lsc-surface-index",
            "lsc_load.ugm (M1, 16) ud_16:d32 bti(0x101)[ud_16]:a32",
            "lsc_load.ugm (M1, 16) ud_16:d32 bti(0x1)[ud_16]:a32",
        ),
        case(
            "lsc-surface-index",
            "lsc_load.ugm (M1, 16) ud_16:d32 bss(ud_1,0x4000001)[ud_16]:a32",
            "lsc_load.ugm (M1, 16) ud_16:d32 bss(ud_1,0x1)[ud_16]:a32",
        ),
        case(
            "lsc-append-counter",
            "lsc_apndctr_atomic_add.ugml (M1, 8) ud_8:d32 bti(0xA0) ud_8:d32",
            "lsc_apndctr_atomic_add.ugm (M1, 8) ud_8:d32 bti(0xA0) ud_8:d32",
        ),
        case(
            "lsc-append-counter-size",
            "lsc_apndctr_atomic_add.ugm (M1, 8) uq_8:d64 bti(0xA0) uq_8:d64",
            "lsc_apndctr_atomic_add.ugm (M1, 8) ud_8:d32 bti(0xA0) ud_8:d32",
        ),
        case(
            "lsc-append-counter-form",
            "lsc_apndctr_atomic_add.ugm (M1, 8) ud_8:d32 surf(uq_1)[%null] ud_8 %null",
            "lsc_apndctr_atomic_store.ugm (M1, 8) ud_8:d32 bti(0xA0) ud_8:d32",
        ),
        case(
            "lsc-cache-control",
            "lsc_extended_cache_ctrl.ugm.reset.64B (M1, 16) flat[uq_16]:a64",
            LOAD,
        ),
        case(
            "lsc-block2d-size",
            "lsc_load_block2d.ugm (M1_NM, 1) ud_128:d32.2x16x4nn flat[ud_8 + (0,0)]",
            "lsc_load_block2d.ugm (M1_NM, 1) ud_128:d32.2x8x4nn flat[ud_8 + (0,0)]",
        ),
        case(
            "lsc-block2d-size",
            ".decl large v_type=G type=uq num_elts=128 align=GRF
            lsc_store_block2d.ugm (M1_NM, 1) flat[ud_8 + (0,0)] large:d64.65x1nn",
            "lsc_store_block2d.ugm (M1_NM, 1) flat[ud_8 + (0,0)] ud_128:d64.64x1nn",
        ),
        case(
            "lsc-block2d-scalars",
            "lsc_load_block2d.ugm (M1_NM, 1) ud_128:d32.16x4nn flat[0x0,ud_1,ud_1,ud_1,ud_1,ud_1]",
            "lsc_load_block2d.ugm (M1_NM, 1) ud_128:d32.16x4nn flat[uq_1,0x1,0x1,ud_1,0x1,ud_1+4]",
        ),
    ];
    cases.into_iter().map(|case| case.format(Format::V4_2).on(Xe2)).collect()
}
