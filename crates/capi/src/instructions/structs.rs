//! The structs of the five instructions, and their conversion.

use visa::Instruction;
use visa::isa::{Gather4Typed, Info, InfoOp, List, MediaLd, RtWrite, RtWriteMode, Sample3d};

use super::operands::{Value, field, first_difference, genvisa_exec, genvisa_raw, genvisa_vector};
use crate::error::{Fallible, genvisa_error};

/// The maximum number of parameters of a 3D_SAMPLE. The operations of the manual have at most 11.
pub const GENVISA_MAX_PARAMS: usize = 15;

/// INFO: information about a surface (INFO.md).
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct genvisa_info {
    /// The operation (`genvisa_info_op`).
    pub op: u8,
    /// The execution size and mask. 8, 16 or 32 lanes.
    pub exec: genvisa_exec,
    /// The channels (`genvisa_channels`). Dialect "manual" has all four.
    pub channels: u8,
    /// The id of the surface.
    pub surface: u32,
    /// The level of detail, for `GENVISA_INFO_RESINFO` only; otherwise all zeros. Type UD.
    pub lod: genvisa_raw,
    /// The result: for each channel, a value for each lane. Each channel starts in a new register. Type UD.
    pub dst: genvisa_raw,
}

/// MEDIA_LD: reads a rectangle of a 2D surface (MEDIA_LD.md).
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct genvisa_media_ld {
    /// The modifiers (`genvisa_media_modifier`).
    pub modifiers: u8,
    /// The id of the surface. It must be a 2D surface.
    pub surface: u32,
    /// The plane of a planar format, 0 to 3.
    pub plane: u8,
    /// The width in bytes, 1 to 64. It determines the pitch and the maximum height:
    ///
    ///     block_width               1-4   5-8   9-16   17-32   33-64
    ///     pitch in bytes              4     8     16      32      64
    ///     maximum of block_height    64    32     16       8       4
    pub block_width: u8,
    /// The height in rows.
    pub block_height: u8,
    /// The left edge in the surface, in bytes. A scalar or constant of type UD: the manual has no negative offsets.
    pub x_offset: genvisa_vector,
    /// The upper edge in the surface, in rows. A scalar or constant of type UD.
    pub y_offset: genvisa_vector,
    /// The block; not null. Row i starts at byte i * pitch.
    pub dst: genvisa_raw,
}

/// RT_WRITE: writes colors, depth and stencil to a render target (RT_WRITE.md).
///
/// An optional operand is present if its bit of `mode` is set. Otherwise its struct must be all zeros.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct genvisa_rt_write {
    /// The execution size and mask. 8 or 16 lanes; on Xe2 and newer platforms also 32.
    pub exec: genvisa_exec,
    /// The predicate (`genvisa_pred`).
    pub pred: u32,
    /// The operands that are present, and flags (`genvisa_rt_write_mode`).
    pub mode: u16,
    /// The id of the surface, which is the render target.
    pub surface: u32,
    /// The header of the message to the hardware; may be null.
    pub header: genvisa_raw,
    /// The sample index, with `GENVISA_RT_WRITE_SI`. The manual does not state its type, and genvisa accepts all.
    pub sample_index: genvisa_vector,
    /// The counter of coarse pixel shading, with `GENVISA_RT_WRITE_CPS`. The manual does not state its type either.
    pub cps_counter: genvisa_vector,
    /// The index of the render target, 0 to 7, with `GENVISA_RT_WRITE_RTI`. A scalar or constant of type UB.
    pub rt_index: genvisa_vector,
    /// The alpha of source 0, with `GENVISA_RT_WRITE_S0A`. It has the type of the four channels.
    pub s0a: genvisa_raw,
    /// The sample mask, with `GENVISA_RT_WRITE_OMASK`. Type UW.
    pub omask: genvisa_raw,
    /// The red channel. All four channels have type HF, or all have type F. The manual does not mention null channels, and
    /// genvisa accepts them.
    pub r: genvisa_raw,
    /// The green channel.
    pub g: genvisa_raw,
    /// The blue channel.
    pub b: genvisa_raw,
    /// The alpha channel.
    pub a: genvisa_raw,
    /// The source depth, with `GENVISA_RT_WRITE_Z`. Type F.
    pub depth: genvisa_raw,
    /// The stencil values, with `GENVISA_RT_WRITE_STENCIL`, packed into 4 bytes for each 8 lanes. Type UB.
    pub stencil: genvisa_raw,
}

/// GATHER4_TYPED: reads up to four channels of each lane from a typed surface (GATHER4_TYPED.md).
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct genvisa_gather4_typed {
    /// The execution size and mask. 8 lanes.
    pub exec: genvisa_exec,
    /// The predicate (`genvisa_pred`).
    pub pred: u32,
    /// The channels (`genvisa_channels`); at least one.
    pub channels: u8,
    /// The id of the surface.
    pub surface: u32,
    /// The U offsets. Type UD.
    pub u: genvisa_raw,
    /// The V offsets, null for 1D surfaces. Type UD.
    pub v: genvisa_raw,
    /// The R offsets, null for 1D and 2D surfaces. Type UD.
    pub r: genvisa_raw,
    /// The level of detail. Type UD.
    pub lod: genvisa_raw,
    /// The channels that are read. Each starts in a new register. Type UD, D or F.
    pub dst: genvisa_raw,
}

/// 3D_SAMPLE: samples a surface (3D_SAMPLE.md).
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct genvisa_sample_3d {
    /// The operation (`genvisa_sample_op`).
    pub op: u8,
    /// The flags (`genvisa_sample_flags`).
    pub flags: u8,
    /// The execution size and mask. 8 or 16 lanes.
    pub exec: genvisa_exec,
    /// The predicate (`genvisa_pred`).
    pub pred: u32,
    /// The channels (`genvisa_channels`); at least one.
    pub channels: u8,
    /// The id of the sampler.
    pub sampler: u32,
    /// The id of the surface.
    pub surface: u32,
    /// The texel offsets, from `genvisa_texel_offsets`. A constant of type UW.
    pub aoffimmi: genvisa_vector,
    /// The samples. Each channel starts in a new register. Type HF, F, W, UW, D or UD.
    pub dst: genvisa_raw,
    /// Whether there is a paired surface. Decoding sets it, and encoding reads it. It must be 1 in dialect "igc2026" since
    /// version 3.8, and 0 in all other formats; otherwise encoding fails with `GENVISA_ERROR_BINARY`.
    pub has_paired_surface: u8,
    /// The surface that is paired with `surface`, usually null.
    pub paired_surface: genvisa_raw,
    /// The number of parameters, at most `GENVISA_MAX_PARAMS`.
    pub num_params: u8,
    /// The parameters, a value for each lane; `genvisa_sample_op` lists them. All have type F, or all HF since ICLLP. The
    /// rest of the array is all zeros.
    pub params: [genvisa_raw; GENVISA_MAX_PARAMS],
}

/// A struct of an instruction.
pub trait Core: Sized {
    /// The name in the manual.
    const NAME: &'static str;

    /// Returns the instruction, which has the value of every field.
    fn to_instruction(&self) -> Fallible<Instruction>;

    /// Returns the struct, or `None` for another instruction.
    fn of_instruction(instruction: &Instruction) -> Option<Self>;
}

/// Implements [`Core`]. The fields in the first list have the same name in both structs. The fields in
/// the second list are converted by the two functions.
macro_rules! core {
    (
        $c:ident: $name:literal, $instruction:ident [$($field:ident),*] [$($own:ident),*]
        of_c $of_c:expr;
        to_c $to_c:expr;
    ) => {
        // Some instructions have no other fields.
        #[allow(clippy::needless_update)]
        impl Core for $c {
            const NAME: &'static str = $name;

            fn to_instruction(&self) -> Fallible<Instruction> {
                let mut instruction = $instruction {
                    $($field: field(self.$field, stringify!($field))?,)*
                    ..$instruction::default()
                };
                let of_c: fn(&$c, &mut $instruction) -> Fallible<()> = $of_c;
                of_c(self, &mut instruction)?;
                let instruction = Instruction::from(instruction);
                // A field that the instruction does not have would be lost.
                let back = $c::of_instruction(&instruction).unwrap_or_default();
                match first_difference!(self, back, $($field,)* $($own),*) {
                    Some(path) => Err(genvisa_error::field(path, "this instruction does not have the field")),
                    None => Ok(instruction),
                }
            }

            fn of_instruction(instruction: &Instruction) -> Option<$c> {
                let Instruction::$instruction(instruction) = instruction else { return None };
                let mut c = $c { $($field: instruction.$field.to_c(),)* ..$c::default() };
                let to_c: fn(&$instruction, &mut $c) = $to_c;
                to_c(instruction, &mut c);
                Some(c)
            }
        }
    };
}

core! {
    genvisa_info: "INFO", Info [exec, channels, surface, lod, dst] [op]
    of_c |c, info| {
        if field::<InfoOp>(c.op, "op")? != InfoOp::ResInfo {
            info.lod = None;
        }
        Ok(())
    };
    to_c |info, c| c.op = info.op().to_c();
}

core! {
    genvisa_media_ld: "MEDIA_LD",
    MediaLd [modifiers, surface, plane, block_width, block_height, x_offset, y_offset, dst] []
    of_c |_, _| Ok(());
    to_c |_, _| ();
}

core! {
    genvisa_rt_write: "RT_WRITE",
    RtWrite [exec, pred, surface, header, sample_index, cps_counter, rt_index, s0a, omask, r, g, b, a,
             depth, stencil] [mode]
    of_c |c, write| {
        let mode: RtWriteMode = field(c.mode, "mode")?;
        write.flags = mode.flags();
        write.sample_index = write.sample_index.filter(|_| mode.contains(RtWriteMode::SI));
        write.cps_counter = write.cps_counter.filter(|_| mode.contains(RtWriteMode::CPS));
        write.rt_index = write.rt_index.filter(|_| mode.contains(RtWriteMode::RTI));
        write.s0a = write.s0a.filter(|_| mode.contains(RtWriteMode::S0A));
        write.omask = write.omask.filter(|_| mode.contains(RtWriteMode::OMASK));
        write.depth = write.depth.filter(|_| mode.contains(RtWriteMode::Z));
        write.stencil = write.stencil.filter(|_| mode.contains(RtWriteMode::STENCIL));
        Ok(())
    };
    to_c |write, c| c.mode = write.mode().to_c();
}

core! {
    genvisa_gather4_typed: "GATHER4_TYPED",
    Gather4Typed [exec, pred, channels, surface, u, v, r, lod, dst] []
    of_c |_, _| Ok(());
    to_c |_, _| ();
}

core! {
    genvisa_sample_3d: "3D_SAMPLE",
    Sample3d [op, flags, exec, pred, channels, aoffimmi, sampler, surface, dst, paired_surface]
        [has_paired_surface, num_params, params]
    of_c |c, sample| {
        if c.has_paired_surface == 0 {
            sample.paired_surface = None;
        }
        let params = c.params.get(..usize::from(c.num_params)).ok_or_else(|| {
            let message = format!("expected at most {GENVISA_MAX_PARAMS}, found {}", c.num_params);
            genvisa_error::field("num_params", &message)
        })?;
        let params: Vec<_> =
            params.iter().map(|param| field(*param, "params")).collect::<Fallible<_>>()?;
        sample.params = List::new(&params).unwrap_or_default();
        Ok(())
    };
    to_c |sample, c| {
        c.has_paired_surface = sample.paired_surface.is_some().into();
        c.num_params = sample.params.len() as u8;
        for (c, param) in c.params.iter_mut().zip(sample.params.iter()) {
            *c = param.to_c();
        }
    };
}
