//! The five documented instructions.

use genvisa::Version;
use genvisa::isa::*;
use genvisa::operand::{
    Aoffimmi, ChannelMask, ExecMask, ExecSize, MediaModifier, Pred, Raw, SamplerId,
};

use super::fixture::*;
use super::operands::scalars;

pub fn rows(version: Version) -> Vec<Row> {
    let mut rows = info();
    rows.extend(media_ld());
    rows.extend(rt_write());
    rows.extend(typed4(version));
    rows.extend(sample_3d(version));
    rows
}

fn info() -> Vec<Row> {
    let lod = Some(raw(33, 4));
    let (eight, sixteen) = (exec(ExecMask::M2, ExecSize::S8), exec(ExecMask::M5, ExecSize::S16));
    let rb = ChannelMask::R | ChannelMask::B;
    let none = ChannelMask::empty();
    let dst = raw(34, 64);
    rows![
        Info { lod, exec: eight, channels: ChannelMask::RGBA, surface: T6.into(), dst }
            => "resinfo.RGBA (M2, 8) T6 V33.4 V34.64",
        Info { lod, exec: sixteen, channels: rb, surface: T7.into(), dst }
            => "resinfo.RB (M5, 16) T7 V33.4 V34.64",
        Info { lod, exec: ExecSize::S32.into(), channels: none, surface: T8.into(), dst }
            => "resinfo.0000 (M1, 32) T8 V33.4 V34.64",
        Info { lod: None, exec: eight, channels: ChannelMask::RGBA, surface: T6.into(), dst }
            => "sampleinfo.RGBA (M2, 8) T6 V34.64",
        Info { lod: None, exec: sixteen, channels: ChannelMask::A, surface: T7.into(), dst }
            => "sampleinfo.A (M5, 16) T7 V34.64",
        Info { lod: None, exec: ExecSize::S32.into(), channels: none, surface: T8.into(), dst }
            => "sampleinfo.0000 (M1, 32) T8 V34.64",
    ]
}

fn media_ld() -> Vec<Row> {
    let load = MediaLd {
        modifiers: MediaModifier::NOMOD,
        surface: T7,
        plane: 2,
        block_width: 16,
        block_height: 8,
        x_offset: scalar(33, 1, 2),
        y_offset: scalar(34, 2, 3),
        // At the start of a register: otherwise GenX_IR allocates memory without limit.
        dst: raw(35, 96),
    };
    let mut rows = Vec::new();
    let modifiers = [
        (MediaModifier::NOMOD, "nomod"),
        (MediaModifier::MODIFIED, "modified"),
        (MediaModifier::TOP, "top"),
        (MediaModifier::BOTTOM, "bottom"),
        (MediaModifier::TOP_MOD, "top_mod"),
        (MediaModifier::BOTTOM_MOD, "bottom_mod"),
    ];
    for (modifiers, text) in modifiers {
        rows.push(Row::new(
            MediaLd { modifiers, ..load },
            format!("media_ld.{text} (16,8) T7 2 V33(1,2)<0;1,0> V34(2,3)<0;1,0> V35.96"),
        ));
    }
    for (offset, text) in scalars() {
        rows.push(Row::new(
            MediaLd { x_offset: offset, ..load },
            format!("media_ld.nomod (16,8) T7 2 {text} V34(2,3)<0;1,0> V35.96"),
        ));
        rows.push(Row::new(
            MediaLd { y_offset: offset, ..load },
            format!("media_ld.nomod (16,8) T7 2 V33(1,2)<0;1,0> {text} V35.96"),
        ));
    }
    rows
}

fn rt_write() -> Vec<Row> {
    let write = RtWrite {
        exec: exec(ExecMask::M1, ExecSize::S16),
        pred: when(P2),
        surface: T7.into(),
        header: raw(33, 4),
        r: raw(34, 5),
        g: raw(35, 6),
        b: raw(36, 7),
        a: raw(37, 8),
        ..RtWrite::default()
    };
    let (si, cps, rti) = (scalar(38, 1, 2), scalar(39, 2, 3), scalar(40, 3, 4));
    let (s0a, omask, depth, stencil) = (raw(41, 9), raw(42, 10), raw(43, 11), raw(44, 12));
    let mut rows = rows![
        write => "(P2) rt_write_3d (M1, 16) T7 V33.4 V34.5 V35.6 V36.7 V37.8",
        RtWrite { exec: exec(ExecMask::M2, ExecSize::S8), pred: Pred::NONE, header: Raw::NULL,
                  ..write }
            => "rt_write_3d (M2, 8) T7 %null.0 V34.5 V35.6 V36.7 V37.8",
        RtWrite { sample_index: Some(si), ..write }
            => "(P2) rt_write_3d.<SI> (M1, 16) T7 V33.4 V38(1,2)<0;1,0> V34.5 V35.6 V36.7 V37.8",
        RtWrite { cps_counter: Some(cps), ..write }
            => "(P2) rt_write_3d.<CPS> (M1, 16) T7 V33.4 V39(2,3)<0;1,0> V34.5 V35.6 V36.7 V37.8",
        RtWrite { rt_index: Some(rti), ..write }
            => "(P2) rt_write_3d.<RTI> (M1, 16) T7 V33.4 V40(3,4)<0;1,0> V34.5 V35.6 V36.7 V37.8",
        RtWrite { s0a: Some(s0a), ..write }
            => "(P2) rt_write_3d.<A> (M1, 16) T7 V33.4 V41.9 V34.5 V35.6 V36.7 V37.8",
        RtWrite { omask: Some(omask), ..write }
            => "(P2) rt_write_3d.<O> (M1, 16) T7 V33.4 V42.10 V34.5 V35.6 V36.7 V37.8",
        RtWrite { depth: Some(depth), ..write }
            => "(P2) rt_write_3d.<Z> (M1, 16) T7 V33.4 V34.5 V35.6 V36.7 V37.8 V43.11",
        RtWrite { stencil: Some(stencil), ..write }
            => "(P2) rt_write_3d.<ST> (M1, 16) T7 V33.4 V34.5 V35.6 V36.7 V37.8 V44.12",
        RtWrite { flags: RtWriteFlags::LRTW, ..write }
            => "(P2) rt_write_3d.<LRTW> (M1, 16) T7 V33.4 V34.5 V35.6 V36.7 V37.8",
        RtWrite { flags: RtWriteFlags::PS, ..write }
            => "(P2) rt_write_3d.<PS> (M1, 16) T7 V33.4 V34.5 V35.6 V36.7 V37.8",
        RtWrite { flags: RtWriteFlags::CM, ..write }
            => "(P2) rt_write_3d.<CM> (M1, 16) T7 V33.4 V34.5 V35.6 V36.7 V37.8",
        RtWrite { flags: RtWriteFlags::NULL_RT, ..write }
            => "(P2) rt_write_3d.<NULLRT> (M1, 16) T7 V33.4 V34.5 V35.6 V36.7 V37.8",
        RtWrite { flags: RtWriteFlags::all(), sample_index: Some(si), cps_counter: Some(cps),
                  rt_index: Some(rti), s0a: Some(s0a), omask: Some(omask), depth: Some(depth),
                  stencil: Some(stencil), ..write }
            => "(P2) rt_write_3d.<RTI><A><O><Z><ST><LRTW><CPS><PS><CM><SI><NULLRT> (M1, 16) T7 \
                V33.4 V38(1,2)<0;1,0> V39(2,3)<0;1,0> V40(3,4)<0;1,0> V41.9 V42.10 V34.5 V35.6 \
                V36.7 V37.8 V43.11 V44.12",
    ];
    for (operand, text) in scalars() {
        let operand = Some(operand);
        rows.extend(rows![
            RtWrite { sample_index: operand, cps_counter: operand, rt_index: operand, ..write }
                => format!("(P2) rt_write_3d.<RTI><CPS><SI> (M1, 16) T7 V33.4 {text} {text} {text} \
                            V34.5 V35.6 V36.7 V37.8"),
        ]);
    }
    rows
}

/// GATHER4_TYPED and SCATTER4_TYPED. GenX_IR does not print their predicate.
fn typed4(version: Version) -> Vec<Row> {
    // Before 3.2, they have no predicate, no LOD, for which GenX_IR prints null, and only the
    // size 8.
    let is_short = version < Version::V3_2;
    let pred = if is_short { Pred::NONE } else { when(P2).inverted() };
    let (lod, lod_text) = if is_short { (Raw::NULL, "%null.0") } else { (raw(36, 7), "V36.7") };
    let (size, lanes) = if is_short { (ExecSize::S8, 8) } else { (ExecSize::S16, 16) };
    let gather = Gather4Typed {
        exec: exec(ExecMask::M2, ExecSize::S8),
        pred,
        channels: ChannelMask::RGBA,
        surface: T7,
        u: raw(33, 4),
        v: raw(34, 5),
        r: raw(35, 6),
        lod,
        dst: raw(37, 8),
    };
    let scatter = Scatter4Typed {
        exec: exec(ExecMask::M3, ExecSize::S8),
        pred,
        channels: ChannelMask::G | ChannelMask::B,
        surface: T8,
        u: raw(33, 4),
        v: raw(34, 5),
        r: raw(35, 6),
        lod,
        src: raw(37, 8),
    };
    rows![
        gather => format!("gather4_typed.RGBA (M2, 8) T7 V33.4 V34.5 V35.6 {lod_text} V37.8"),
        Gather4Typed { pred: Pred::NONE, channels: ChannelMask::R | ChannelMask::G, ..gather }
            => format!("gather4_typed.RG (M2, 8) T7 V33.4 V34.5 V35.6 {lod_text} V37.8"),
        Gather4Typed { exec: exec(ExecMask::M1, size), channels: ChannelMask::A, ..gather }
            => format!("gather4_typed.A (M1, {lanes}) T7 V33.4 V34.5 V35.6 {lod_text} V37.8"),
        Gather4Typed { v: Raw::NULL, r: Raw::NULL, lod: Raw::NULL, ..gather }
            => "gather4_typed.RGBA (M2, 8) T7 V33.4 %null.0 %null.0 %null.0 V37.8",
        scatter => format!("scatter4_typed.GB (M3, 8) T8 V33.4 V34.5 V35.6 {lod_text} V37.8"),
    ]
}

/// The documented operations, their names in text, and their numbers of parameters in the table of
/// 3D_SAMPLE.md.
const SAMPLE_OPS: [(SampleOp, &str, usize); 11] = [
    (SampleOp::SAMPLE, "sample_3d", 4),
    (SampleOp::SAMPLE_B, "sample_b", 5),
    (SampleOp::SAMPLE_L, "sample_l", 5),
    (SampleOp::SAMPLE_C, "sample_c", 5),
    (SampleOp::SAMPLE_D, "sample_d", 10),
    (SampleOp::SAMPLE_B_C, "sample_b_c", 6),
    (SampleOp::SAMPLE_L_C, "sample_l_c", 6),
    (SampleOp::LOD, "lod", 4),
    (SampleOp::SAMPLE_D_C, "sample_d_c", 11),
    (SampleOp::SAMPLE_LZ, "sample_lz", 4),
    (SampleOp::SAMPLE_C_LZ, "sample_c_lz", 5),
];

fn sample_3d(version: Version) -> Vec<Row> {
    let sample = Sample3d {
        op: SampleOp::SAMPLE,
        exec: exec(ExecMask::M1, ExecSize::S8),
        pred: when(P2),
        channels: ChannelMask::R | ChannelMask::B,
        aoffimmi: Aoffimmi::from_bits(0x123),
        sampler: S1.into(),
        surface: T7.into(),
        dst: raw(33, 4),
        params: params(1),
        ..Sample3d::default()
    };
    let mut rows = rows![
        Sample3d { exec: exec(ExecMask::M5, ExecSize::S16), pred: Pred::NONE, ..sample }
            => "sample_3d.RB (M5, 16) 0x123:uw S1 T7 V33.4 V40.10",
        Sample3d { channels: ChannelMask::RGBA, params: params(0), ..sample }
            => "(P2) sample_3d.RGBA (M1, 8) 0x123:uw S1 T7 V33.4",
        Sample3d { sampler: SamplerId::BINDLESS.into(), params: params(15), ..sample }
            => format!("(P2) sample_3d.RB (M1, 8) 0x123:uw S31 T7 V33.4 {}", params_text(15)),
        Sample3d { aoffimmi: Aoffimmi::new(-8, 7, -1).expect("small offsets"), ..sample }
            => "(P2) sample_3d.RB (M1, 8) 0x87f:uw S1 T7 V33.4 V40.10",
    ];
    for (op, name, count) in SAMPLE_OPS {
        rows.push(Row::new(
            Sample3d { op, params: params(count), ..sample },
            format!("(P2) {name}.RB (M1, 8) 0x123:uw S1 T7 V33.4 {}", params_text(count)),
        ));
    }
    for (flags, text) in sample_flags(version) {
        rows.push(Row::new(
            Sample3d { flags, ..sample },
            format!("(P2) sample_3d{text}.RB (M1, 8) 0x123:uw S1 T7 V33.4 V40.10"),
        ));
    }
    if version >= Version::V3_4 {
        for (offset, text) in scalars() {
            rows.push(Row::new(
                Sample3d { aoffimmi: Aoffimmi(offset), ..sample },
                format!("(P2) sample_3d.RB (M1, 8) {text} S1 T7 V33.4 V40.10"),
            ));
        }
    }
    rows
}

/// Returns flags and their text. GenX_IR never prints the flag for a non-uniform sampler, and
/// prints no flags before 4.0.
fn sample_flags(version: Version) -> [(SampleFlags, &'static str); 4] {
    let visible = |text| if version >= Version::V4_0 { text } else { "" };
    [
        (SampleFlags::PIXEL_NULL_MASK, visible(".pixel_null_mask")),
        (SampleFlags::CPS, visible(".cps")),
        (SampleFlags::NON_UNIFORM_SAMPLER, ""),
        (SampleFlags::all(), visible(".pixel_null_mask.cps")),
    ]
}

/// Returns different parameters.
fn params(count: usize) -> Params {
    let params: Vec<Raw> = (0..count).map(|i| raw(40 + i as u32, 10 + i as u16)).collect();
    Params::new(&params).expect("at most fifteen")
}

/// Returns the text of [`params`].
fn params_text(count: usize) -> String {
    const TEXT: &str = "V40.10 V41.11 V42.12 V43.13 V44.14 V45.15 V46.16 V47.17 V48.18 V49.19 \
        V50.20 V51.21 V52.22 V53.23 V54.24";
    TEXT.split(' ').take(count).collect::<Vec<_>>().join(" ")
}
