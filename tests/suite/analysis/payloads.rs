//! The bytes that messages transfer, from the pages of the instructions.

mod lsc;

use std::collections::BTreeSet;
use std::fmt::Write;

use genvisa::RegisterSize;
use genvisa::analysis::{Access, AccessKind, Condition, Storage};
use genvisa::isa::SPEC;
use genvisa::text::parse;
use genvisa::{Format, Instruction};

/// An instruction, and the accesses to its raw operands for registers of 32 and 64 bytes.
struct Case {
    text: &'static str,
    /// A line per access: the variable, `r` or `w`, `?` if the size is an upper bound, and the ranges.
    expected: [&'static str; 2],
}

const fn case(text: &'static str, expected: &'static str) -> Case {
    Case { text, expected: [expected, expected] }
}

const fn by_register(text: &'static str, of_32: &'static str, of_64: &'static str) -> Case {
    Case { text, expected: [of_32, of_64] }
}

/// The elements of each variable.
const ELEMENTS: u32 = 2048;

/// The variables: `d0` to `d5` have type UD, `f0` to `f5` type F and so on.
const TYPES: [(&str, &str); 8] = [
    ("b", "ub"),
    ("w", "uw"),
    ("d", "ud"),
    ("q", "uq"),
    ("h", "hf"),
    ("f", "f"),
    ("s", "w"),
    ("m", "bf"),
];

fn names() -> impl Iterator<Item = (String, &'static str)> {
    TYPES.iter().flat_map(|(name, ty)| (0..6).map(move |i| (format!("{name}{i}"), *ty)))
}

/// Returns a kernel with an instruction.
fn kernel(instruction: &str) -> String {
    let mut source = String::from(".version 4.2\n.kernel \"k\"\n");
    for (name, ty) in names() {
        writeln!(source, ".decl {name} v_type=G type={ty} num_elts={ELEMENTS} align=GRF").unwrap();
    }
    source += ".decl p v_type=P num_elts=32\n.decl S0 v_type=S num_elts=1 v_name=sampler\n";
    source += ".decl T6 v_type=T num_elts=1 v_name=surface\n";
    source + instruction + "\nret (M1, 1)\n"
}

/// Returns the kernels of all cases.
pub fn kernels() -> impl Iterator<Item = String> {
    cases().map(|case| kernel(case.text))
}

/// Returns the instruction of a text, and its accesses to data.
fn accesses(text: &str, registers: RegisterSize) -> Result<(Instruction, String), String> {
    let module = parse(kernel(text), Format::V4_2).map_err(|errors| errors[0].to_string())?;
    let routine = module.routines().next().expect("a kernel");
    let storage = Storage::new(&routine, registers);
    let (_, instruction) = routine.instructions().next().expect("an instruction").expect("valid");
    let mut lines = Vec::new();
    storage.visit_accesses(&instruction, |access| lines.push(line(&access)));
    Ok((instruction, lines.join(", ")))
}

fn line(access: &Access) -> String {
    let name = names().nth(access.root.number as usize - 32).map_or("-".into(), |(name, _)| name);
    let kind = match access.kind {
        AccessKind::Read => "r",
        AccessKind::Write => "w",
        _ => panic!("{access:?}"),
    };
    let bound = if access.condition == Condition::Possible { "?" } else { "" };
    let mut line = format!("{name} {kind}{bound}");
    for range in access.footprint.ranges() {
        write!(line, " {}..{}", range.start, range.end).unwrap();
    }
    if let Some(lanes) = access.lanes {
        write!(line, " /{}x{}", lanes.pitch, lanes.count).unwrap();
    }
    line
}

/// Accesses to memory through the data port.
const DATA_PORT: &[Case] = &[
    // OWORD_LD.md, Semantics: 16 bytes per oword. The execution mask is "NoMask".
    case("oword_ld (8) T6 0x0:ud d0.32", "d0 w 32..160"),
    case("oword_ld_unaligned (1) T6 0x0:ud d0.0", "d0 w 0..16"),
    case("oword_st (2) T6 0x0:ud d0.0", "d0 r 0..32"),
    // MEDIA_LD.md, Semantics: rows at a multiple of the next power of two, at least 4.
    case("media_ld.nomod (5,3) T6 0 0x0:ud 0x0:ud b0.0", "b0 w 0..5 8..13 16..21"),
    case("media_ld.nomod (3,2) T6 0 0x0:ud 0x0:ud b0.0", "b0 w 0..3 4..7"),
    case("media_st.nomod (64,2) T6 0 0x0:ud 0x0:ud b0.0", "b0 r 0..128"),
    // GATHER.md: the first num_elts elements, of type UD, D or F for all sizes.
    case("gather.1 (M1, 16) T6 0x0:ud d0.0 d1.0", "d0 r 0..64 /4x16, d1 w 0..64 /4x16"),
    case("gather.4 (M1, 1) T6 0x0:ud d0.0 d1.0", "d0 r 0..4 /4x1, d1 w 0..4 /4x1"),
    case("scatter.2 (M5, 8) T6 0x0:ud d0.0 f1.0", "d0 r 0..32 /4x8, f1 r 0..32 /4x8"),
    // GATHER_SCALED.md: dst[i], whose upper bytes are undefined.
    case("gather_scaled.2 (M1, 8) T6 0x0:ud d0.0 d1.0", "d0 r 0..32 /4x8, d1 w 0..32 /4x8"),
    case("scatter_scaled.4 (M1, 16) T6 0x0:ud d0.0 d1.0", "d0 r 0..64 /4x16, d1 r 0..64 /4x16"),
    // GATHER4_SCALED.md, Semantics: each enabled channel begins at a register.
    by_register(
        "gather4_scaled.RB (M1, 8) T6 0x0:ud d0.0 d1.0",
        "d0 r 0..32 /4x8, d1 w 0..64 /4x8",
        "d0 r 0..32 /4x8, d1 w 0..32 64..96 /4x8",
    ),
    case(
        "scatter4_scaled.RGBA (M1, 16) T6 0x0:ud d0.0 d1.0",
        "d0 r 0..64 /4x16, d1 r 0..256 /4x16",
    ),
    // GATHER4_TYPED.md, Semantics: likewise.
    by_register(
        "gather4_typed.RGA (M1, 8) T6 d0.0 d1.0 %null.0 d2.0 f3.0",
        "d0 r 0..32 /4x8, d1 r 0..32 /4x8, d2 r 0..32 /4x8, f3 w 0..96 /4x8",
        "d0 r 0..32 /4x8, d1 r 0..32 /4x8, d2 r 0..32 /4x8, f3 w 0..32 64..96 128..160 /4x8",
    ),
    case(
        "scatter4_typed.R (M1, 8) T6 d0.0 %null.0 %null.0 %null.0 f3.8",
        "d0 r 0..32 /4x8, f3 r 8..40 /4x8",
    ),
    // QW_GATHER.md, Semantics: dst[j*exec_size+i], with offsets of type UD.
    case("qw_gather.2 (M1, 16) T6 d0.0 q1.0", "d0 r 0..64 /4x16, q1 w 0..256 /8x16"),
    case("qw_scatter.1 (M1, 16) T6 d0.0 q1.0", "d0 r 0..64 /4x16, q1 r 0..128 /8x16"),
    // DWORD_ATOMIC.md: words are in the low half of dwords.
    case(
        "dword_atomic.cmpxchg.16 (M1, 8) T6 d0.0 d1.0 d2.0 d3.0",
        "d0 r 0..32 /4x8, d1 r 0..32 /4x8, d2 r 0..32 /4x8, d3 w 0..32 /4x8",
    ),
    // TYPED_ATOMIC.md: the first exec_size elements.
    case(
        "typed_atomic.add (M1, 8) T6 d0.0 d1.0 %null.0 %null.0 d2.0 %null.0 %null.0",
        "d0 r 0..32 /4x8, d1 r 0..32 /4x8, d2 r 0..32 /4x8",
    ),
];

/// Accesses to shared virtual memory.
const SVM: &[Case] = &[
    // SVM_BLOCK_LD.md, Semantics.
    case("svm_block_ld (4) 0x0:uq d0.0", "d0 w 0..64"),
    case("svm_block_st (1) 0x0:uq d0.4", "d0 r 4..20"),
    // SVM_GATHER.md, Semantics: dst[j*exec_size+i]; bytes fill one or two dwords per lane.
    // With registers of 64 bytes, GenX_IR sends messages of 16 lanes.
    by_register(
        "svm_gather.4.2 (M1, 8) q0.0 d1.0",
        "q0 r 0..64 /8x8, d1 w 0..64 /4x8",
        "q0 r 0..64 /8x8, d1 w 0..32 64..96 /4x8",
    ),
    case("svm_gather.1.2 (M1, 8) q0.0 b1.0", "q0 r 0..64 /8x8, b1 w 0..32 /4x8"),
    case("svm_gather.1.8 (M1, 8) q0.0 b1.0", "q0 r 0..64 /8x8, b1 w 0..64 /8x8"),
    case("svm_scatter.8.4 (M1, 16) q0.0 q1.0", "q0 r 0..128 /8x16, q1 r 0..512 /8x16"),
    // SVM_ATOMIC.md, Notes: 16-bit atomics are unpacked, and 64-bit atomics have 64-bit types.
    case(
        "svm_atomic.add.64 (M1, 8) q0.0 q1.0 q2.0 %null.0",
        "q0 r 0..64 /8x8, q2 r 0..64 /8x8, q1 w 0..64 /8x8",
    ),
    // SVM_GATHER4_SCALED.md, Semantics.
    by_register(
        "svm_gather4scaled.GA (M1, 8) 0x0:uq q0.0 d1.0",
        "q0 r 0..64 /8x8, d1 w 0..64 /4x8",
        "q0 r 0..64 /8x8, d1 w 0..32 64..96 /4x8",
    ),
    case("svm_scatter4scaled.R (M1, 16) 0x0:uq q0.0 d1.0", "q0 r 0..128 /8x16, d1 r 0..64 /4x16"),
];

/// Messages to the sampler.
const SAMPLER: &[Case] = &[
    // 3D_SAMPLE.md, Notes: each channel begins at a register, and elements have the size of the type.
    // The finalizer copies the coordinates of inactive lanes, too, from which the LOD is computed.
    by_register(
        "sample_3d.RGA (M1, 8) 0x0:uw S0 T6 f0.0 %null.0 f1.0 f2.0",
        "f0 w 0..96 /4x8, f1 r 0..32, f2 r 0..32",
        "f0 w 0..32 64..96 128..160 /4x8, f1 r 0..32, f2 r 0..32",
    ),
    by_register(
        "sample_l.RG (M1, 16) 0x0:uw S0 T6 h0.0 %null.0 h1.0 h2.0",
        "h0 w 0..64 /2x16, h1 r 0..32 /2x16, h2 r 0..32 /2x16",
        "h0 w 0..32 64..96 /2x16, h1 r 0..32 /2x16, h2 r 0..32 /2x16",
    ),
    by_register(
        "sample_3d.RG (M1, 8) 0x0:uw S0 T6 h0.0 %null.0 f1.0",
        "h0 w 0..16 32..48 /2x8, f1 r 0..32",
        "h0 w 0..16 64..80 /2x8, f1 r 0..32",
    ),
    // 3D_SAMPLE.md, Notes: the pixel null mask is in an additional register.
    case(
        "sample_3d.pixel_null_mask.R (M1, 16) 0x0:uw S0 T6 f0.0 %null.0 f1.0",
        "f0 w? 0..128 /4x16, f1 r 0..64",
    ),
    // 3D_LOAD.md, Notes.
    case(
        "load_3d.RGBA (M1, 16) 0x0:uw T6 f0.64 %null.0 d1.0 d2.0",
        "f0 w 64..320 /4x16, d1 r 0..64 /4x16, d2 r 0..64 /4x16",
    ),
    // 3D_SAMPLE4.md: four texels, whatever the channel.
    case(
        "sample4.G (M1, 16) 0x0:uw S0 T6 f0.0 %null.0 f1.0 f2.0",
        "f0 w 0..256 /4x16, f1 r 0..64 /4x16, f2 r 0..64 /4x16",
    ),
    // INFO.md, Description.
    case("resinfo.RG (M1, 16) T6 d0.0 d1.0", "d0 r 0..64 /4x16, d1 w 0..128 /4x16"),
    // SAMPLE_UNORM.md, Dst: 32 words per channel. Channel enables are ignored.
    case("sample_unorm.RB.16-full S0 T6 0x0:f 0x0:f 0x0:f 0x0:f w0.0", "w0 w 0..128"),
    // The pages do not have SAMPLE and LOAD; these are the lengths of the finalizer's messages.
    case(
        "sample.RG (16) S0 T6 f0.0 f1.0 f2.0 f3.0",
        "f0 r 0..64 /4x16, f1 r 0..64 /4x16, f2 r 0..64 /4x16, f3 w 0..128 /4x16",
    ),
    by_register(
        "load.R (8) T6 f0.0 f1.0 f2.0 f3.0",
        "f0 r 0..32 /4x8, f1 r 0..32 /4x8, f2 r 0..32 /4x8, f3 w? 0..128 /4x8",
        "f0 r 0..32 /4x8, f1 r 0..32 /4x8, f2 r 0..32 /4x8, \
         f3 w? 0..32 64..96 128..160 192..224 /4x8",
    ),
    // AVS.md: execMode and cntrl determine the pixels and their size.
    case(
        "avs.RG T6 S0 0x0:f 0x0:f 0x0:f 0x0:f 0x0:f 0x0:ud 0x0:ud AVS_16_FULL 0x0:f AVS_8x4 0x0:ub w0.0",
        "w0 w 0..128",
    ),
    case(
        "avs.RG T6 S0 0x0:f 0x0:f 0x0:f 0x0:f 0x0:f 0x0:ud 0x0:ud AVS_8_FULL 0x0:f AVS_16x4 0x0:ub w0.0",
        "w0 w 0..128",
    ),
    // The chrominance has fewer pixels.
    case(
        "avs.RGB T6 S0 0x0:f 0x0:f 0x0:f 0x0:f 0x0:f 0x0:ud 0x0:ud AVS_16_DOWN_SAMPLE 0x0:f AVS_4x4 0x0:ub w0.0",
        "w0 w? 0..96",
    ),
    case(
        "avs.RG T6 S0 0x0:f 0x0:f 0x0:f 0x0:f 0x0:f 0x0:ud 0x0:ud AVS_8_DOWN_SAMPLE 0x0:f AVS_8x4 0x0:ub w0.0",
        "w0 w? 0..64",
    ),
    case(
        "avs.R T6 S0 0x0:f 0x0:f 0x0:f 0x0:f 0x0:f 0x0:ud 0x0:ud AVS_8_FULL 0x0:f AVS_16x8 0x0:ub w0.0",
        "w0 w? 0..256",
    ),
];

/// Render targets, the unified return buffer and raw messages.
const OTHERS: &[Case] = &[
    // RT_WRITE.md, R to Stencil.
    case(
        "rt_write_3d.<A><O><Z><ST> (M1, 16) T6 %null.0 f0.0 w0.0 f1.0 f2.0 f3.0 f4.0 f5.0 b0.0",
        "f0 r 0..64 /4x16, w0 r 0..32 /2x16, f1 r 0..64 /4x16, f2 r 0..64 /4x16, \
         f3 r 0..64 /4x16, f4 r 0..64 /4x16, f5 r 0..64 /4x16, b0 r 0..8",
    ),
    case(
        "rt_write_3d (M1, 16) T6 d0.0 h0.0 h1.0 h2.0 %null.0",
        "d0 r? 0..32, h0 r 0..32 /2x16, h1 r 0..32 /2x16, h2 r 0..32 /2x16",
    ),
    // URB_WRITE.md: the first 8 elements, and num_out registers of 8 dwords.
    by_register(
        "urb_write_3d (M1, 8) 3 0 d0.0 d1.0 d2.0 f3.0",
        "d0 r 0..32, d1 r 0..32, d2 r 0..32, f3 r 0..96",
        "d0 r 0..32, d1 r 0..32, d2 r 0..32, f3 r 0..32 64..96 128..160",
    ),
    // RAW_SEND.md: NumSrc and NumDst are registers.
    by_register(
        "raw_send (M1, 8) 0x0 2 1 0x0:ud d0.0 d1.32",
        "d0 r 0..64, d1 w 32..64",
        "d0 r 0..128, d1 w 32..96",
    ),
    by_register(
        "raw_sends.5.2.1.3 (M1, 8) 0x0:ud 0x0:ud d0.0 d1.0 d2.0",
        "d0 r 0..64, d1 r 0..32, d2 w 0..96",
        "d0 r 0..128, d1 r 0..64, d2 w 0..192",
    ),
    // The lengths of RAW_SENDG are bytes.
    case(
        "raw_sendg.3 (M1, 1) d0.0/100 d1.0/32 d2.0/8 0x0:uq 0x0:uq 0x0",
        "d0 w 0..100, d1 r 0..32, d2 r 0..8",
    ),
];

/// Systolic instructions, and those on registers since Xe3P.
const SYSTOLIC: &[Case] = &[
    // DPAS.md, Semantics: dst and src0 MxN, src1 KxN, src2 MxK, with K = depth * OPS_PER_CHAN.
    case(
        "dpas.s8.s8.8.4 (M1, 8) d0.0 d1.0 d2.0 d3(1,0)",
        "d0 w 0..128 /4x8, d1 r 0..128 /4x8, d2 r 0..256, d3 r 32..160",
    )
    .on_64("d0 w 0..128 /4x8, d1 r 0..128 /4x8, d2 r 0..256, d3 r 64..192"),
    case(
        "dpas.bf.bf.8.8 (M1, 16) m0.0 f1.0 d2.0 d3(0,0)",
        "m0 w 0..256 /2x16, f1 r 0..512 /4x16, d2 r 0..512, d3 r 0..256",
    ),
    // 4 bits of src1 and 8 of src2: four products per channel, so 2 and 4 bytes per step.
    case(
        "dpas.u4.s8.8.1 (M1, 8) d0.0 %null.0 d2.0 d3(0,0)",
        "d0 w 0..32 /4x8, d2 r 0..128, d3 r 0..32",
    ),
    case(
        "dpas.tf32.tf32.8.2 (M1, 16) f0.0 f1.0 d2.0 d3(0,0)",
        "f0 w 0..128 /4x16, f1 r 0..128 /4x16, d2 r 0..512, d3 r 0..64",
    ),
    // DPASW.md: (NGrf + 1) / 2 registers of src2; here three of five.
    case(
        "dpasw.hf.hf.8.5 (M1, 8) f0.0 f1.0 d2.0 d3(0,0)",
        "f0 w 0..160 /4x8, f1 r 0..160 /4x8, d2 r 0..256, d3 r 0..96",
    )
    .on_64("f0 w 0..160 /4x8, f1 r 0..160 /4x8, d2 r 0..256, d3 r 0..128"),
    // The scales of BDPAS are bytes: one per lane, and one per repetition.
    case(
        "bdpas.bf8.hf8.8.8 (M1, 16) f0.0 f1.0 d2.0 d3.0 b0(0,0) b1(0,0)",
        "f0 w 0..512 /4x16, f1 r 0..512 /4x16, d2 r 0..512, d3 r 0..256, b0 r 0..16, b1 r 0..8",
    ),
    // E2M1 has 64 elements per channel, so two groups of scales.
    case(
        "bdpas.e2m1.e2m1.8.8 (M1, 16) f0.0 f1.0 d2.0 d3.0 b0(0,0) b1(0,0)",
        "f0 w 0..512 /4x16, f1 r 0..512 /4x16, d2 r 0..512, d3 r 0..256, b0 r 0..16 32..48, \
         b1 r 0..8 32..40",
    ),
    // Each lane reads any element of the table.
    case(
        "shfl_idx4 (M1, 16) d0.0 d1(0,0)<1;1,0> w2(0,1)<2;1,0>",
        "d0 w 0..64 /4x16, d1 r 0..64, \
         w2 r 2..4 6..8 10..12 14..16 18..20 22..24 26..28 30..32 34..36 38..40 42..44 46..48 \
         50..52 54..56 58..60 62..64 /4x16",
    ),
    case(
        "dnscl.bftoe2m1.mode3.srnd (M1, 16) d0.0 d1.0 d2.0 d3.0",
        "d0 w? 0..64 /4x16, d1 r 0..64 /4x16, d2 r 0..64 /4x16, d3 r 0..64 /4x16",
    ),
];

impl Case {
    const fn on_64(self, expected: &'static str) -> Case {
        Case { expected: [self.expected[0], expected], ..self }
    }
}

/// Motion estimation and video analytics.
const VIDEO: &[Case] = &[
    // VME_IME.md, IMEInput and Output.
    case(
        "vme_ime (0,0) T6 b0.0 b1.0 w0.0 w1.0 w2.0 b2.0",
        "b0 r 0..128, b1 r 0..64, w0 r 0..4, w1 r 0..4, w2 r 0..32, b2 w 0..224",
    ),
    case(
        "vme_ime (3,7) T6 b0.0 b1.0 w0.0 w1.0 w2.0 b2.0",
        "b0 r 0..128, b1 r 0..192, w0 r 0..4, w1 r 0..4, w2 r 0..32, b2 w 0..352",
    ),
    case("vme_sic T6 b0.0 b1.0 b2.0", "b0 r 0..128, b1 r 0..128, b2 w 0..224"),
    case(
        "vme_fbr (0x0:ud,0x0:ud,0x0:ud) T6 b0.0 b1.0 b2.0",
        "b0 r 0..128, b1 r 0..128, b2 w 0..224",
    ),
    case("vme_idm T6 b0.0 b1.0 b2.0", "b0 r 0..128, b1 r 0..32, b2 w 0..512"),
    // The manual has no pages; these are the lengths of the finalizer's messages.
    case("va.convolve T6 S0 0x0:f 0x0:f VA_CONV_16x1 15x15 s0.0", "s0 w 0..32"),
    case("va.erode T6 S0 0x0:f 0x0:f VA_ED_32x4 d0.0", "d0 w 0..16"),
    case("va.dilate T6 S0 0x0:f 0x0:f VA_ED_64x1 d0.0", "d0 w 0..8"),
    case("va.minmax T6 0x0:f 0x0:f 0x0:ud d0.0", "d0 w 0..32"),
    case("va.minmaxfilter T6 S0 0x0:f 0x0:f AVS_8_FULL VA_MMF_16x1 0x0:ud w0.0", "w0 w 0..32"),
    case("va.boolcentroid T6 0x0:f 0x0:f 0x0:ub 0x0:ub b0.0", "b0 w 0..16"),
    case("va.centroid T6 0x0:f 0x0:f 0x0:ub d0.0", "d0 w 0..128"),
    case("va_skl_plus.CONV_1D_HORIZONTAL T6 S0 0x0:f 0x0:f 4x16 w0.0", "w0 w 0..128"),
    case("va_skl_plus.CONV_1D_VERTICAL T6 S0 0x0:f 0x0:f 1x16 w0.0", "w0 w 0..32"),
    case("va_skl_plus.CONV_1PIXEL T6 S0 0x0:f 0x0:f 1x16 s1.0 w0.0", "s1 r 0..64, w0 w 0..32"),
    case("va_skl_plus.CONV_1PIXEL T6 S0 0x0:f 0x0:f 1x1 s1.0 w0.0", "s1 r? 0..64, w0 w 0..2"),
    case(
        "va_skl_plus.FLOOD_FILL 8_connect w0.0 0x0:uw 0x0:uw 0x0:uw w1.0",
        "w0 r 0..20, w1 w 0..16",
    ),
    case("va_skl_plus.LBP_CREATION T6 0x0:f 0x0:f VA_3x3_mode b0.0", "b0 w 0..64"),
    case("va_skl_plus.LBP_CORRELATION T6 0x0:f 0x0:f 0x0:uw b0.0", "b0 w 0..64"),
    case(
        "va_skl_plus.HDC_CONVOLVE_1P T6 S0 0x0:f 0x0:f VA_Y8_FORMAT s0.0 T6 0x0:uw 0x0:uw",
        "s0 r 0..64",
    ),
    // The finalizer receives the whole variable.
    case(
        "va_skl_plus.CORRELATION_SEARCH T6 0x0:f 0x0:f 0x0:f 0x0:f 0x0:ub 0x0:ub 0x0:ub 0x0:ub \
         w0.64",
        "w0 w? 64..4096",
    ),
];

fn cases() -> impl Iterator<Item = &'static Case> {
    [DATA_PORT, SVM, SAMPLER, OTHERS, SYSTOLIC, VIDEO, lsc::CASES].into_iter().flatten()
}

#[test]
fn messages_transfer_what_the_pages_say() {
    let mut wrong = Vec::new();
    for case in cases() {
        for (registers, expected) in
            [RegisterSize::Bytes32, RegisterSize::Bytes64].into_iter().zip(case.expected)
        {
            let found = accesses(case.text, registers).map_or_else(|error| error, |found| found.1);
            if found != expected {
                wrong.push(format!("{} {registers:?}\n  {found}\n  {expected}", case.text));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the name of an instruction's layout, which is the name of its struct.
fn layout(instruction: &Instruction) -> String {
    // A family contains a layout: `Svm(BlockLd(BlockLd { .. }))`.
    let text = format!("{instruction:?}");
    let (names, _) = text.split_once(' ').expect("a struct");
    names.rsplit('(').next().expect("a name").into()
}

/// Returns whether a field transfers a payload.
fn is_raw(ty: &str) -> bool {
    matches!(ty, "Raw" | "RawDst" | "Params")
}

#[test]
fn every_layout_with_raw_operands_has_a_case() {
    let layouts = SPEC.iter().flat_map(|spec| {
        let of_family = spec.family.iter().map(|layout| (layout.name, layout.fields));
        of_family.chain([(spec.name, spec.fields)])
    });
    let with_raw = layouts
        .filter(|(_, fields)| fields.iter().any(|field| is_raw(field.ty)))
        .map(|(name, _)| name.to_string())
        .collect::<BTreeSet<_>>();
    let covered: BTreeSet<_> = cases()
        .filter_map(|case| Some(layout(&accesses(case.text, RegisterSize::Bytes32).ok()?.0)))
        .collect();
    let missing: Vec<_> = with_raw.difference(&covered).map(String::as_str).collect();
    assert_eq!(missing, [""; 0]);
}
