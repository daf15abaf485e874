//! Cases for the rules of the five documented instructions.

mod manual;
mod sample_3d;

use genvisa::Module;
use genvisa::Platform::*;
use genvisa::isa::Instruction;
use genvisa::object::Code;
use genvisa::operand::{ChannelMask, MediaModifier, SurfaceId};

use super::{Case, case, case_4_2};

type Change = fn(&mut Module<'static>);

pub fn cases() -> Vec<Case> {
    [info(), media_ld(), rt_write(), gather4_typed(), sample_3d::cases(), manual::cases()]
        .into_iter()
        .flatten()
        .collect()
}

/// Changes the instructions of a module of one kernel.
fn change(module: &mut Module<'static>, change: fn(&mut Instruction)) {
    let format = module.format;
    let body = &mut module.kernels[0].body;
    let instructions = body.code.instructions(format);
    let mut instructions: Vec<Instruction> =
        instructions.map(|item| item.expect("valid code").1).collect();
    instructions.iter_mut().for_each(change);
    body.code = Code::from_instructions(&instructions, format).expect("encodable");
}

/// Returns a text whose module is changed after assembly.
fn with(text: &str, change: Change) -> (&str, Change) {
    (text, change)
}

fn info() -> Vec<Case> {
    vec![
        case(
            "info-exec-size",
            "sampleinfo.R (M1, 4) T6 ud_32.0",
            "sampleinfo.R (M1, 32) T6 ud_32.0",
        ),
        case("info-exec-size", "sampleinfo.R (M1, 1) T6 ud_8.0", "sampleinfo.R (M1, 8) T6 ud_8.0"),
        case(
            "info-lod-type",
            "resinfo.R (M1, 8) T6 f_8.0 ud_8.0",
            "resinfo.R (M1, 8) T6 ud_8.0 ud_8.0",
        ),
        case(
            "info-lod-type",
            "resinfo.R (M1, 8) T6 d_8.0 ud_8.0",
            "resinfo.R (M1, 8) T6 %null.0 ud_8.0",
        ),
        case(
            "info-lod-size",
            "resinfo.R (M1, 16) T6 ud_15.0 ud_16.0",
            "resinfo.R (M1, 16) T6 ud_16.0 ud_16.0",
        ),
        case(
            "info-lod-size",
            "resinfo.R (M1, 8) T6 ud_15.32 ud_8.0",
            "resinfo.R (M1, 8) T6 ud_16.32 ud_8.0",
        ),
        case("info-dst-type", "sampleinfo.R (M1, 8) T6 d_8.0", "sampleinfo.R (M1, 8) T6 ud_8.0"),
        case("info-dst-type", "sampleinfo.R (M1, 8) T6 f_8.0", "sampleinfo.R (M1, 8) T6 %null.0"),
        case(
            "info-dst-size",
            "sampleinfo.RG (M1, 8) T6 ud_15.0",
            "sampleinfo.RG (M1, 8) T6 ud_16.0",
        ),
        case(
            "info-dst-size",
            "sampleinfo.RGBA (M1, 32) T6 ud_64.0",
            "sampleinfo.RGBA (M1, 32) T6 ud_128.0",
        )
        .in_manual(),
    ]
}

fn media_ld() -> Vec<Case> {
    let cases = [
        ("media-ld-plane", "(8,1) T6 4 0x0:ud 0x0:ud", "(8,1) T6 3 0x0:ud 0x0:ud"),
        ("media-ld-stateless", "(8,1) %scratch 0 0x0:ud 0x0:ud", "(8,1) %bss 0 0x0:ud 0x0:ud"),
        ("media-ld-surface", "(8,1) %slm 0 0x0:ud 0x0:ud", "(8,1) T1 0 0x0:ud 0x0:ud"),
        ("media-ld-block-width", "(0,1) T6 0 0x0:ud 0x0:ud", "(1,1) T6 0 0x0:ud 0x0:ud"),
        ("media-ld-block-width", "(65,1) T6 0 0x0:ud 0x0:ud", "(64,1) T6 0 0x0:ud 0x0:ud"),
        ("media-ld-block-height", "(4,0) T6 0 0x0:ud 0x0:ud", "(4,1) T6 0 0x0:ud 0x0:ud"),
        ("media-ld-block-height", "(4,65) T6 0 0x0:ud 0x0:ud", "(4,64) T6 0 0x0:ud 0x0:ud"),
        ("media-ld-block-size", "(5,33) T6 0 0x0:ud 0x0:ud", "(5,32) T6 0 0x0:ud 0x0:ud"),
        ("media-ld-block-size", "(9,17) T6 0 0x0:ud 0x0:ud", "(8,32) T6 0 0x0:ud 0x0:ud"),
        ("media-ld-block-size", "(17,9) T6 0 0x0:ud 0x0:ud", "(16,16) T6 0 0x0:ud 0x0:ud"),
        ("media-ld-block-size", "(33,5) T6 0 0x0:ud 0x0:ud", "(32,8) T6 0 0x0:ud 0x0:ud"),
        ("media-ld-block-size", "(64,5) T6 0 0x0:ud 0x0:ud", "(64,4) T6 0 0x0:ud 0x0:ud"),
        ("media-ld-offset-type", "(8,1) T6 0 0x0:d 0x0:ud", "(8,1) T6 0 0x0:ud 0x0:ud"),
        (
            "media-ld-offset-type",
            "(8,1) T6 0 0x0:ud w_8(0,0)<0;1,0>",
            "(8,1) T6 0 0x0:ud ud_8(0,0)<0;1,0>",
        ),
        (
            "media-ld-offset-type",
            "(8,1) T6 0 r[addr_1(0),0]<0;1,0>:d 0x0:ud",
            "(8,1) T6 0 r[addr_1(0),0]<0;1,0>:ud 0x0:ud",
        ),
    ];
    let block = |text| format!("media_ld.nomod {text} ud_64.0");
    let cases =
        cases.map(|(rule, violating, legal)| case(rule, &*block(violating), &*block(legal)));
    let modifier = "media-ld-modifier";
    let (size, plain) = ("media-ld-dst-size", "media_ld.nomod (8,1) T6 0 0x0:ud 0x0:ud");
    let more = [
        case(
            modifier,
            with(&format!("{plain} ub_8.0"), |module| {
                change(module, |instruction| {
                    if let Instruction::MediaLd(load) = instruction {
                        load.modifiers = MediaModifier::from_bits(6).expect("three bits");
                    }
                });
            }),
            "media_ld.bottom_mod (8,1) T6 0 0x0:ud 0x0:ud ub_8.0",
        ),
        case(
            modifier,
            "media_ld.modified (8,1) T6 0 0x0:ud 0x0:ud ub_8.0",
            "media_ld.bottom (8,1) T6 0 0x0:ud 0x0:ud ub_8.0",
        )
        .in_manual(),
        // The pitch is 4, although the block is narrower: 4 + 3 bytes.
        case(
            size,
            "media_ld.nomod (4,2) T6 0 0x0:ud 0x0:ud ub_7.0",
            "media_ld.nomod (3,2) T6 0 0x0:ud 0x0:ud ub_7.0",
        ),
        // The pitch is 8: 8 + 7 bytes.
        case(
            size,
            "media_ld.nomod (8,2) T6 0 0x0:ud 0x0:ud b_15.0",
            "media_ld.nomod (7,2) T6 0 0x0:ud 0x0:ud b_15.0",
        ),
        // The pitch is 16: 16 + 16 bytes after the offset.
        case(
            size,
            "media_ld.nomod (16,3) T6 0 0x0:ud 0x0:ud ub_64.32",
            "media_ld.nomod (16,2) T6 0 0x0:ud 0x0:ud ub_64.32",
        ),
        case(
            size,
            "media_ld.nomod (64,4) T6 0 0x0:ud 0x0:ud ub_128.0",
            "media_ld.nomod (64,2) T6 0 0x0:ud 0x0:ud ub_128.0",
        ),
    ];
    cases.into_iter().chain(more).collect()
}

fn rt_write() -> Vec<Case> {
    let cases = [
        ("rt-write-exec-size", " (M1, 4) T6 %null.0", " (M1, 8) T6 %null.0"),
        (
            "rt-write-rt-index-type",
            ".<RTI> (M1, 8) T6 %null.0 0x1:ud",
            ".<RTI> (M1, 8) T6 %null.0 0x1:ub",
        ),
        (
            "rt-write-rt-index-type",
            ".<RTI> (M1, 8) T6 %null.0 uw_8(0,0)<0;1,0>",
            ".<RTI> (M1, 8) T6 %null.0 ub_8(0,0)<0;1,0>",
        ),
        (
            "rt-write-rt-index-range",
            ".<RTI> (M1, 8) T6 %null.0 0x8:ub",
            ".<RTI> (M1, 8) T6 %null.0 0x7:ub",
        ),
        (
            "rt-write-color-type",
            ".<A> (M1, 8) T6 %null.0 ud_16.0",
            ".<A> (M1, 8) T6 %null.0 f_16.0",
        ),
        (
            "rt-write-same-type",
            ".<A> (M1, 8) T6 %null.0 hf_16.0",
            ".<A> (M1, 8) T6 %null.0 %null.0",
        ),
        (
            "rt-write-omask-type",
            ".<O> (M1, 8) T6 %null.0 ud_16.0",
            ".<O> (M1, 8) T6 %null.0 uw_16.0",
        ),
        // 16 words
        (
            "rt-write-source-size",
            ".<O> (M1, 16) T6 %null.0 uw_15.0",
            ".<O> (M1, 16) T6 %null.0 uw_16.0",
        ),
        (
            "rt-write-source-size",
            ".<A> (M1, 16) T6 %null.0 f_15.0",
            ".<A> (M1, 16) T6 %null.0 f_16.0",
        ),
    ];
    let colors = |text| format!("rt_write_3d{text} f_16.0 f_16.0 f_16.0 f_16.0");
    let cases =
        cases.map(|(rule, violating, legal)| case(rule, &*colors(violating), &*colors(legal)));
    let more = [
        (
            "rt-write-color-type",
            " (M1, 8) bf_8.0 f_8.0 f_8.0 f_8.0",
            " (M1, 8) f_8.0 f_8.0 f_8.0 f_8.0",
        ),
        (
            "rt-write-color-type",
            " (M1, 8) f_8.0 f_8.0 f_8.0 d_8.0",
            " (M1, 8) f_8.0 f_8.0 f_8.0 %null.0",
        ),
        (
            "rt-write-same-type",
            " (M1, 8) hf_8.0 f_8.0 hf_8.0 hf_8.0",
            " (M1, 8) hf_8.0 hf_8.0 hf_8.0 hf_8.0",
        ),
        (
            "rt-write-depth-type",
            ".<Z> (M1, 8) hf_8.0 hf_8.0 hf_8.0 hf_8.0 hf_16.0",
            ".<Z> (M1, 8) hf_8.0 hf_8.0 hf_8.0 hf_8.0 f_8.0",
        ),
        (
            "rt-write-stencil-type",
            ".<ST> (M1, 8) f_8.0 f_8.0 f_8.0 f_8.0 uw_8.0",
            ".<ST> (M1, 8) f_8.0 f_8.0 f_8.0 f_8.0 ub_8.0",
        ),
        // 8 values of two bytes require half a register.
        (
            "rt-write-source-size",
            " (M1, 8) hf_16.0 hf_16.0 hf_7.0 hf_16.0",
            " (M1, 8) hf_16.0 hf_16.0 hf_8.0 hf_16.0",
        ),
        (
            "rt-write-source-size",
            ".<Z> (M1, 16) f_16.0 f_16.0 f_16.0 f_16.0 f_15.0",
            ".<Z> (M1, 16) f_16.0 f_16.0 f_16.0 f_16.0 f_16.0",
        ),
        // Two dwords of stencil values.
        (
            "rt-write-source-size",
            ".<ST> (M1, 16) f_16.0 f_16.0 f_16.0 f_16.0 ub_7.0",
            ".<ST> (M1, 16) f_16.0 f_16.0 f_16.0 f_16.0 ub_8.0",
        ),
    ];
    let whole = |text: &str| {
        let (head, sources) = text.split_once(") ").expect("an execution size");
        format!("rt_write_3d{head}) T6 %null.0 {sources}")
    };
    let more = more.map(|(rule, violating, legal)| case(rule, &*whole(violating), &*whole(legal)));
    const COLORS: &str = "f_8.0 f_8.0 f_8.0 f_8.0";
    let in_4_2 = case_4_2(
        "rt-write-sample-index",
        &*format!("rt_write_3d.<SI> (M1, 8) T6 %null.0 0x1:ub {COLORS}"),
        &*format!("rt_write_3d.<RTI> (M1, 8) T6 %null.0 0x1:ub {COLORS}"),
    );
    cases.into_iter().chain(more).chain([in_4_2]).collect()
}

/// Returns a case of GATHER4_TYPED. `%` in its text means an operand of one dword per lane.
fn typed(rule: &'static str, violating: &str, legal: &str) -> Case {
    let whole = |text: &str| format!("gather4_typed{}", text.replace('%', "ud_8.0"));
    case(rule, &*whole(violating), &*whole(legal))
}

fn gather4_typed() -> Vec<Case> {
    const GATHER: &str = "gather4_typed.R (M1, 8) T6 ud_8.0 ud_8.0 ud_8.0 ud_8.0 ud_8.0";
    vec![
        typed(
            "gather4-typed-exec-size-8",
            ".R (M1, 16) T6 ud_16.0 ud_16.0 ud_16.0 ud_16.0 ud_16.0",
            ".R (M1, 8) T6 % % % % %",
        )
        .on(Tgllp),
        typed("gather4-typed-exec-size", ".R (M1, 4) T6 % % % % %", ".R (M5_NM, 8) T6 % % % % %")
            .on(PvcSdv),
        typed(
            "gather4-typed-exec-size-16",
            ".R (M1, 16) T6 ud_16.0 ud_16.0 ud_16.0 ud_16.0 ud_16.0",
            ".R (M1, 8) T6 % % % % %",
        )
        .on(PvcSdv),
        case(
            "gather4-typed-channels-empty",
            with(GATHER, |module| {
                change(module, |instruction| {
                    if let Instruction::Gather4Typed(gather) = instruction {
                        gather.channels = ChannelMask::empty();
                    }
                });
            }),
            "gather4_typed.A (M1, 8) T6 ud_8.0 ud_8.0 ud_8.0 ud_8.0 ud_8.0",
        ),
        typed(
            "gather4-typed-channels-unlisted",
            ".RGA (M1, 8) T6 % % % % ud_32.0",
            ".RGB (M1, 8) T6 % % % % ud_32.0",
        ),
        typed(
            "gather4-typed-channels-unlisted",
            ".RBA (M1, 8) T6 % % % % ud_32.0",
            ".GBA (M1, 8) T6 % % % % ud_32.0",
        ),
        case(
            "gather4-typed-surface",
            with(GATHER, |module| {
                change(module, |instruction| {
                    if let Instruction::Gather4Typed(gather) = instruction {
                        gather.surface = SurfaceId(0);
                    }
                });
            }),
            with(GATHER, |module| {
                change(module, |instruction| {
                    if let Instruction::Gather4Typed(gather) = instruction {
                        gather.surface = SurfaceId(4);
                    }
                });
            }),
        ),
        typed("gather4-typed-surface", ".R (M1, 8) T5 % % % % %", ".R (M1, 8) T6 % % % % %"),
        typed(
            "gather4-typed-offset-type",
            ".R (M1, 8) T6 f_8.0 % % % %",
            ".R (M1, 8) T6 % % % % %",
        ),
        typed(
            "gather4-typed-offset-type",
            ".R (M1, 8) T6 % % % uw_16.0 %",
            ".R (M1, 8) T6 % % % V0.0 %",
        ),
        typed(
            "gather4-typed-offset-signed",
            ".R (M1, 8) T6 % d_8.0 % % %",
            ".R (M1, 8) T6 % % % % d_8.0",
        ),
        typed(
            "gather4-typed-null-order",
            ".R (M1, 8) T6 % V0.0 % % %",
            ".R (M1, 8) T6 % V0.0 V0.0 % %",
        ),
        typed(
            "gather4-typed-null-u",
            ".R (M1, 8) T6 V0.0 % % % %",
            ".R (M1, 8) T6 % % V0.0 V0.0 %",
        ),
        typed(
            "gather4-typed-source-size",
            ".R (M1, 8) T6 ud_7.0 % % % %",
            ".R (M1, 8) T6 % % % % %",
        ),
        typed(
            "gather4-typed-source-size",
            ".R (M1, 8) T6 % % % ud_15.32 %",
            ".R (M1, 8) T6 % % % ud_16.32 %",
        ),
        typed(
            "gather4-typed-dst-type",
            ".R (M1, 8) T6 % % % % hf_16.0",
            ".R (M1, 8) T6 % % % % f_8.0",
        ),
        typed(
            "gather4-typed-dst-size",
            ".RG (M1, 8) T6 % % % % f_15.0",
            ".RG (M1, 8) T6 % % % % f_16.0",
        ),
        // With registers of 64 bytes, the second channel begins at byte 64.
        typed(
            "gather4-typed-dst-size",
            ".RG (M1, 8) T6 % % % % ud_16.0",
            ".RG (M1, 8) T6 % % % % ud_32.0",
        )
        .on(PvcSdv),
        typed(
            "gather4-typed-dst-size",
            ".RGBA (M1, 8) T6 % % % % ud_16.0",
            ".RGBA (M1, 8) T6 % % % % V0.0",
        ),
    ]
}
