//! Names for the values of fields. The fields are integers, since a caller can write any value to them.

// The names are those of the header, which have a prefix.
#![allow(clippy::enum_variant_names, dead_code)]

use visa::isa::{InfoOp, RtWriteMode, SampleFlags, SampleOp};
use visa::operand::{
    ChannelMask, DataType, ExecMask, MediaModifier, Modifier, Pred, PredControl, PredId, Region,
    StateClass,
};

/// Opcodes of the instructions with a struct, for `genvisa_instruction.opcode`.
#[repr(C)]
pub enum genvisa_opcode {
    /// `genvisa_media_ld`.
    GENVISA_OPCODE_MEDIA_LD = 0x37,
    /// `genvisa_gather4_typed`.
    GENVISA_OPCODE_GATHER4_TYPED = 0x4b,
    /// `genvisa_sample_3d`.
    GENVISA_OPCODE_SAMPLE_3D = 0x6d,
    /// `genvisa_info`.
    GENVISA_OPCODE_INFO = 0x70,
    /// `genvisa_rt_write`.
    GENVISA_OPCODE_RT_WRITE = 0x71,
}

/// Execution masks, for `genvisa_exec.mask`: the first lane of the instruction. With NM, inactive lanes run too.
#[repr(C)]
pub enum genvisa_mask {
    /// M1: from lane 0.
    GENVISA_M1 = 0,
    /// M2: from lane 4.
    GENVISA_M2 = 1,
    /// M3: from lane 8.
    GENVISA_M3 = 2,
    /// M4: from lane 12.
    GENVISA_M4 = 3,
    /// M5: from lane 16.
    GENVISA_M5 = 4,
    /// M6: from lane 20.
    GENVISA_M6 = 5,
    /// M7: from lane 24.
    GENVISA_M7 = 6,
    /// M8: from lane 28.
    GENVISA_M8 = 7,
    /// M1, and inactive lanes run.
    GENVISA_M1_NM = 8,
    /// M2, and inactive lanes run.
    GENVISA_M2_NM = 9,
    /// M3, and inactive lanes run.
    GENVISA_M3_NM = 10,
    /// M4, and inactive lanes run.
    GENVISA_M4_NM = 11,
    /// M5, and inactive lanes run.
    GENVISA_M5_NM = 12,
    /// M6, and inactive lanes run.
    GENVISA_M6_NM = 13,
    /// M7, and inactive lanes run.
    GENVISA_M7_NM = 14,
    /// M8, and inactive lanes run.
    GENVISA_M8_NM = 15,
}

/// Bits of a predicate operand: the id of a predicate, 1 to 4095, or-ed with flags. 0 is no predicate.
///
/// A predicate has a bit for each lane. Without `GENVISA_PRED_ANY` and `GENVISA_PRED_ALL`, a lane runs if its own bit is
/// set. These two exclude each other. Other bits, such as bit 12, are zero.
#[repr(C)]
pub enum genvisa_pred {
    /// The bits of the id.
    GENVISA_PRED_VARIABLE = 0x0fff,
    /// All lanes run if any bit is set, and otherwise none.
    GENVISA_PRED_ANY = 0x2000,
    /// All lanes run if all bits are set, and otherwise none.
    GENVISA_PRED_ALL = 0x4000,
    /// The condition is inverted.
    GENVISA_PRED_INVERTED = 0x8000,
}

/// Bits of a channel mask.
#[repr(C)]
pub enum genvisa_channels {
    /// Red.
    GENVISA_R = 1,
    /// Green.
    GENVISA_G = 2,
    /// Blue.
    GENVISA_B = 4,
    /// Alpha.
    GENVISA_A = 8,
    /// All four.
    GENVISA_RGBA = 15,
}

/// Kinds of vector operands, for `genvisa_vector.kind`, with the fields that each kind has besides `modifier`. Scalars
/// and other vector operands of the five instructions are GENERAL, INDIRECT or IMMEDIATE. Kind 4 of the manual, an address
/// of a variable, is not accepted by any reader.
#[repr(C)]
pub enum genvisa_vector_kind {
    /// Elements of a general variable: `id`, `row`, `column`, `region`. The type is that of the variable.
    GENVISA_VECTOR_GENERAL = 0,
    /// Elements of an address variable: `id`, `element`, `width`.
    GENVISA_VECTOR_ADDRESS = 1,
    /// A predicate: `id` (`genvisa_pred`).
    GENVISA_VECTOR_PREDICATE = 2,
    /// Elements whose addresses are in an address variable: `id` of the address variable, `element`, `offset`, `type`,
    /// `region`.
    GENVISA_VECTOR_INDIRECT = 3,
    /// A constant: `type`, `value`.
    GENVISA_VECTOR_IMMEDIATE = 5,
    /// A surface or a sampler: `id`, `element`, `state`.
    GENVISA_VECTOR_STATE = 6,
}

/// Surface or sampler, for `genvisa_vector.state`.
#[repr(C)]
pub enum genvisa_state {
    /// A surface.
    GENVISA_STATE_SURFACE = 0,
    /// A sampler.
    GENVISA_STATE_SAMPLER = 1,
}

/// Modifiers of vector operands, for `genvisa_vector.modifier`.
#[repr(C)]
pub enum genvisa_modifier {
    /// None.
    GENVISA_MODIFIER_NONE = 0,
    /// Absolute value.
    GENVISA_MODIFIER_ABS = 1,
    /// Negated.
    GENVISA_MODIFIER_NEG = 2,
    /// Negated absolute value.
    GENVISA_MODIFIER_NEG_ABS = 3,
    /// Saturation, of destinations.
    GENVISA_MODIFIER_SAT = 4,
    /// Bitwise complement.
    GENVISA_MODIFIER_NOT = 5,
}

/// Types, for `genvisa_vector.type`.
#[repr(C)]
pub enum genvisa_type {
    /// 32-bit unsigned integer.
    GENVISA_TYPE_UD = 0,
    /// 32-bit signed integer.
    GENVISA_TYPE_D = 1,
    /// 16-bit unsigned integer.
    GENVISA_TYPE_UW = 2,
    /// 16-bit signed integer.
    GENVISA_TYPE_W = 3,
    /// 8-bit unsigned integer.
    GENVISA_TYPE_UB = 4,
    /// 8-bit signed integer.
    GENVISA_TYPE_B = 5,
    /// 64-bit float.
    GENVISA_TYPE_DF = 6,
    /// 32-bit float.
    GENVISA_TYPE_F = 7,
    /// Packed vector of eight signed 4-bit integers.
    GENVISA_TYPE_V = 8,
    /// Packed vector of four 8-bit floats.
    GENVISA_TYPE_VF = 9,
    /// Boolean.
    GENVISA_TYPE_BOOL = 10,
    /// 64-bit unsigned integer.
    GENVISA_TYPE_UQ = 11,
    /// Packed vector of eight unsigned 4-bit integers.
    GENVISA_TYPE_UV = 12,
    /// 64-bit signed integer.
    GENVISA_TYPE_Q = 13,
    /// 16-bit float.
    GENVISA_TYPE_HF = 14,
    /// 16-bit float with the exponent of F.
    GENVISA_TYPE_BF = 15,
}

/// Regions, for `genvisa_vector.region`: which elements follow the first one.
///
/// In a region `<vertical;width,horizontal>`, groups of `width` elements follow each other at a distance of `vertical`,
/// and the elements of a group at a distance of `horizontal`. Bits 0 to 3 are the vertical stride, 4 to 7 the width, 8 to
/// 11 the horizontal stride. Each is 0 if it is absent; otherwise 1 means 0 elements, 2 means 1, 3 means 2, 4 means 4, 5
/// means 8, 6 means 16, and 7 means 32.
#[repr(C)]
pub enum genvisa_region {
    /// `<0;1,0>`: one element for all lanes.
    GENVISA_REGION_SCALAR = 0x121,
}

/// Operations of INFO, for `genvisa_info.op`.
#[repr(C)]
pub enum genvisa_info_op {
    /// The dimensions of a surface at a level of detail.
    GENVISA_INFO_RESINFO = 0x0a,
    /// The number of samples of a surface.
    GENVISA_INFO_SAMPLEINFO = 0x0b,
}

/// Modifiers of MEDIA_LD, for `genvisa_media_ld.modifiers`.
#[repr(C)]
pub enum genvisa_media_modifier {
    /// No modifier.
    GENVISA_MEDIA_NOMOD = 0,
    /// The surface was modified. Dialect "manual" does not list it.
    GENVISA_MEDIA_MODIFIED = 1,
    /// The top field of an interleaved surface.
    GENVISA_MEDIA_TOP = 2,
    /// The bottom field of an interleaved surface.
    GENVISA_MEDIA_BOTTOM = 3,
    /// The top field, modified. Dialect "manual" does not list it.
    GENVISA_MEDIA_TOP_MOD = 4,
    /// The bottom field, modified. Dialect "manual" does not list it.
    GENVISA_MEDIA_BOTTOM_MOD = 5,
}

/// Bits of `genvisa_rt_write.mode`.
#[repr(C)]
pub enum genvisa_rt_write_mode {
    /// `rt_index` is present.
    GENVISA_RT_WRITE_RTI = 0x0004,
    /// `s0a` is present.
    GENVISA_RT_WRITE_S0A = 0x0008,
    /// `omask` is present.
    GENVISA_RT_WRITE_OMASK = 0x0010,
    /// `depth` is present.
    GENVISA_RT_WRITE_Z = 0x0020,
    /// `stencil` is present.
    GENVISA_RT_WRITE_STENCIL = 0x0040,
    /// This is the last write to the render target.
    GENVISA_RT_WRITE_LRTW = 0x0080,
    /// `cps_counter` is present.
    GENVISA_RT_WRITE_CPS = 0x0100,
    /// The write is per sample.
    GENVISA_RT_WRITE_PS = 0x0200,
    /// The write is in coarse mode.
    GENVISA_RT_WRITE_CM = 0x0400,
    /// `sample_index` is present.
    GENVISA_RT_WRITE_SI = 0x0800,
    /// There is no render target.
    GENVISA_RT_WRITE_NULL_RT = 0x1000,
}

/// Operations of 3D_SAMPLE in the manual, for `genvisa_sample_3d.op`, with their parameters in order. Trailing parameters
/// may be omitted.
///
/// Parameters: u, v, r are coordinates, and r may be an array index; ai is the array index of a cube; bias is added to the
/// level of detail, and lod is the level of detail; ref is compared with the red channel; dudx and so on are gradients.
/// 3D_SAMPLE.md has the details.
#[repr(C)]
pub enum genvisa_sample_op {
    /// Parameters u, v, r, ai.
    GENVISA_SAMPLE = 0x00,
    /// Parameters bias, u, v, r, ai.
    GENVISA_SAMPLE_B = 0x01,
    /// Parameters lod, u, v, r, ai.
    GENVISA_SAMPLE_L = 0x02,
    /// Parameters ref, u, v, r, ai.
    GENVISA_SAMPLE_C = 0x03,
    /// Parameters u, dudx, dudy, v, dvdx, dvdy, r, drdx, drdy, ai.
    GENVISA_SAMPLE_D = 0x04,
    /// Parameters ref, bias, u, v, r, ai.
    GENVISA_SAMPLE_B_C = 0x05,
    /// Parameters ref, lod, u, v, r, ai.
    GENVISA_SAMPLE_L_C = 0x06,
    /// Returns the level of detail. Parameters u, v, r, ai.
    GENVISA_SAMPLE_LOD = 0x09,
    /// Parameters ref, u, dudx, dudy, v, dvdx, dvdy, r, drdx, drdy, ai.
    GENVISA_SAMPLE_D_C = 0x14,
    /// Parameters u, v, r, ai.
    GENVISA_SAMPLE_LZ = 0x18,
    /// Parameters ref, u, v, r, ai.
    GENVISA_SAMPLE_C_LZ = 0x19,
}

/// Flags of 3D_SAMPLE, for `genvisa_sample_3d.flags`.
#[repr(C)]
pub enum genvisa_sample_flags {
    /// A register with a pixel null mask follows the samples in `dst`.
    GENVISA_SAMPLE_FLAG_PIXEL_NULL_MASK = 0x20,
    /// The level of detail is compensated for coarse pixel shading.
    GENVISA_SAMPLE_FLAG_CPS = 0x40,
    /// The sampler may differ between lanes.
    GENVISA_SAMPLE_FLAG_NON_UNIFORM = 0x80,
}

/// Compares names with those of the library when they are compiled.
macro_rules! same {
    ($($enumeration:ident: $($name:ident = $value:expr),* $(,)?;)*) => {
        const _: () = { $($(assert!($enumeration::$name as u32 == $value as u32);)*)* };
    };
}

const fn pred(control: PredControl) -> u16 {
    Pred::NONE.with_control(control).bits()
}

const LARGEST_PRED: Pred = Pred::new(PredId(genvisa_pred::GENVISA_PRED_VARIABLE as u16)).unwrap();

same! {
    genvisa_mask: GENVISA_M1 = ExecMask::M1.code(), GENVISA_M2 = ExecMask::M2.code(),
        GENVISA_M3 = ExecMask::M3.code(), GENVISA_M4 = ExecMask::M4.code(),
        GENVISA_M5 = ExecMask::M5.code(), GENVISA_M6 = ExecMask::M6.code(),
        GENVISA_M7 = ExecMask::M7.code(), GENVISA_M8 = ExecMask::M8.code(),
        GENVISA_M1_NM = ExecMask::M1_NM.code(), GENVISA_M2_NM = ExecMask::M2_NM.code(),
        GENVISA_M3_NM = ExecMask::M3_NM.code(), GENVISA_M4_NM = ExecMask::M4_NM.code(),
        GENVISA_M5_NM = ExecMask::M5_NM.code(), GENVISA_M6_NM = ExecMask::M6_NM.code(),
        GENVISA_M7_NM = ExecMask::M7_NM.code(), GENVISA_M8_NM = ExecMask::M8_NM.code();
    genvisa_pred: GENVISA_PRED_VARIABLE = LARGEST_PRED.bits(),
        GENVISA_PRED_ANY = pred(PredControl::ANY), GENVISA_PRED_ALL = pred(PredControl::ALL),
        GENVISA_PRED_INVERTED = Pred::NONE.inverted().bits();
    genvisa_channels: GENVISA_R = ChannelMask::R.bits(), GENVISA_G = ChannelMask::G.bits(),
        GENVISA_B = ChannelMask::B.bits(), GENVISA_A = ChannelMask::A.bits(),
        GENVISA_RGBA = ChannelMask::RGBA.bits();
    genvisa_modifier: GENVISA_MODIFIER_NONE = Modifier::NONE.bits(),
        GENVISA_MODIFIER_ABS = Modifier::ABS.bits(), GENVISA_MODIFIER_NEG = Modifier::NEG.bits(),
        GENVISA_MODIFIER_NEG_ABS = Modifier::NEG_ABS.bits(),
        GENVISA_MODIFIER_SAT = Modifier::SAT.bits(), GENVISA_MODIFIER_NOT = Modifier::NOT.bits();
    genvisa_type: GENVISA_TYPE_UD = DataType::UD.bits(), GENVISA_TYPE_D = DataType::D.bits(),
        GENVISA_TYPE_UW = DataType::UW.bits(), GENVISA_TYPE_W = DataType::W.bits(),
        GENVISA_TYPE_UB = DataType::UB.bits(), GENVISA_TYPE_B = DataType::B.bits(),
        GENVISA_TYPE_DF = DataType::DF.bits(), GENVISA_TYPE_F = DataType::F.bits(),
        GENVISA_TYPE_V = DataType::V.bits(), GENVISA_TYPE_VF = DataType::VF.bits(),
        GENVISA_TYPE_BOOL = DataType::BOOL.bits(), GENVISA_TYPE_UQ = DataType::UQ.bits(),
        GENVISA_TYPE_UV = DataType::UV.bits(), GENVISA_TYPE_Q = DataType::Q.bits(),
        GENVISA_TYPE_HF = DataType::HF.bits(), GENVISA_TYPE_BF = DataType::BF.bits();
    genvisa_region: GENVISA_REGION_SCALAR = Region::SCALAR.bits();
    genvisa_state: GENVISA_STATE_SURFACE = StateClass::SURFACE.bits(),
        GENVISA_STATE_SAMPLER = StateClass::SAMPLER.bits();
    genvisa_info_op: GENVISA_INFO_RESINFO = InfoOp::ResInfo.bits(),
        GENVISA_INFO_SAMPLEINFO = InfoOp::SampleInfo.bits();
    genvisa_media_modifier: GENVISA_MEDIA_NOMOD = MediaModifier::NOMOD.bits(),
        GENVISA_MEDIA_MODIFIED = MediaModifier::MODIFIED.bits(),
        GENVISA_MEDIA_TOP = MediaModifier::TOP.bits(),
        GENVISA_MEDIA_BOTTOM = MediaModifier::BOTTOM.bits(),
        GENVISA_MEDIA_TOP_MOD = MediaModifier::TOP_MOD.bits(),
        GENVISA_MEDIA_BOTTOM_MOD = MediaModifier::BOTTOM_MOD.bits();
    genvisa_rt_write_mode: GENVISA_RT_WRITE_RTI = RtWriteMode::RTI.bits(),
        GENVISA_RT_WRITE_S0A = RtWriteMode::S0A.bits(),
        GENVISA_RT_WRITE_OMASK = RtWriteMode::OMASK.bits(),
        GENVISA_RT_WRITE_Z = RtWriteMode::Z.bits(),
        GENVISA_RT_WRITE_STENCIL = RtWriteMode::STENCIL.bits(),
        GENVISA_RT_WRITE_LRTW = RtWriteMode::LRTW.bits(),
        GENVISA_RT_WRITE_CPS = RtWriteMode::CPS.bits(),
        GENVISA_RT_WRITE_PS = RtWriteMode::PS.bits(), GENVISA_RT_WRITE_CM = RtWriteMode::CM.bits(),
        GENVISA_RT_WRITE_SI = RtWriteMode::SI.bits(),
        GENVISA_RT_WRITE_NULL_RT = RtWriteMode::NULL_RT.bits();
    genvisa_sample_op: GENVISA_SAMPLE = SampleOp::SAMPLE.bits(),
        GENVISA_SAMPLE_B = SampleOp::SAMPLE_B.bits(), GENVISA_SAMPLE_L = SampleOp::SAMPLE_L.bits(),
        GENVISA_SAMPLE_C = SampleOp::SAMPLE_C.bits(), GENVISA_SAMPLE_D = SampleOp::SAMPLE_D.bits(),
        GENVISA_SAMPLE_B_C = SampleOp::SAMPLE_B_C.bits(),
        GENVISA_SAMPLE_L_C = SampleOp::SAMPLE_L_C.bits(), GENVISA_SAMPLE_LOD = SampleOp::LOD.bits(),
        GENVISA_SAMPLE_D_C = SampleOp::SAMPLE_D_C.bits(),
        GENVISA_SAMPLE_LZ = SampleOp::SAMPLE_LZ.bits(),
        GENVISA_SAMPLE_C_LZ = SampleOp::SAMPLE_C_LZ.bits();
    genvisa_sample_flags:
        GENVISA_SAMPLE_FLAG_PIXEL_NULL_MASK = SampleFlags::PIXEL_NULL_MASK.bits(),
        GENVISA_SAMPLE_FLAG_CPS = SampleFlags::CPS.bits(),
        GENVISA_SAMPLE_FLAG_NON_UNIFORM = SampleFlags::NON_UNIFORM_SAMPLER.bits();
}
