//! Builds a module from scratch: a kernel that meets all five documented instructions.
//!
//! `cargo run --example tour tour.isa` writes it to a file; `tests/data/tour.isa` was made this way,
//! and the tests check that it still is what this program builds.

use genvisa::isa::{
    Add, Barrier, Gather4Typed, Info, InfoOp, Label, MediaLd, Mov, Params, Ret, RtWrite,
    RtWriteFlags, Sample3d, SampleFlags, SampleOp, Subroutine,
};
use genvisa::object::{
    Align, Attribute, Code, GenBinary, Input, InputClass, InputKind, Kernel, LabelKind, Module,
};
use genvisa::operand::{
    Aoffimmi, ChannelMask, DataType, Dst, Exec, ExecMask, ExecSize, Imm, MediaModifier, Modifier,
    Pred, Raw, Region, Stride, VarId, Vector,
};
use genvisa::{Format, Instruction, Result};

/// The module, in a format of one of the Igc dialects.
pub fn module(format: Format) -> Result<Module<'static>> {
    let mut kernel = Kernel::new("tour");
    let body = &mut kernel.body;
    let mut grf = |name: &str, ty, elements| body.variable(name, ty, elements, Align::GRF);
    let lod = grf("level", DataType::UD, 8);
    let size = grf("size", DataType::UD, 32);
    let samples = grf("samples", DataType::UD, 32);
    let block = grf("block", DataType::UB, 128);
    let [u, v, r] = ["u", "v", "r"].map(|name| grf(name, DataType::UD, 8));
    let texels = grf("texels", DataType::UD, 32);
    let [s, t] = ["s", "t"].map(|name| grf(name, DataType::F, 8));
    let [bias, ai] = ["bias", "ai"].map(|name| grf(name, DataType::F, 8));
    let colour = grf("colour", DataType::F, 32);
    let depth = grf("depth", DataType::F, 8);
    let x = body.variable("x", DataType::UD, 1, Align::DWORD);
    let lit = body.predicate("lit", 8)?;
    let sampler = body.sampler("linear")?;
    let texture = body.surface("texture")?;
    let image = body.surface("image")?;
    let target = body.surface("target")?;
    let entry = body.label("entry", LabelKind::SUBROUTINE)?;
    let done = body.label("done", LabelKind::BLOCK)?;
    let name = body.string("Target");
    body.attributes.push(Attribute::integer(name, 1));
    kernel.inputs.push(Input {
        kind: InputKind::explicit(InputClass::GENERAL),
        index: x.0,
        offset: 32,
        size: 4,
    });

    let simd8 = Exec::from(ExecSize::S8);
    let simd1 = Exec::from(ExecSize::S1);
    let if_lit = Pred::new(lit).unwrap_or(Pred::NONE);
    let row = Region::new(Stride::S8, Stride::S8, Stride::S1);
    let channel = |i: u16| Raw::new(colour, 32 * i);
    let instructions: [Instruction; 14] = [
        Subroutine { label: entry }.into(),
        Mov { exec: simd8, pred: Pred::NONE, dst: Dst::new(lod), src0: Imm::ud(0).into() }.into(),
        // How large is the texture, and how many samples has the target?
        Info {
            op: InfoOp::ResInfo { lod: lod.into() },
            exec: simd8,
            channels: ChannelMask::RGBA,
            surface: texture,
            dst: size.into(),
        }
        .into(),
        Info {
            op: InfoOp::SampleInfo,
            exec: simd8,
            channels: ChannelMask::RGBA,
            surface: target,
            dst: samples.into(),
        }
        .into(),
        // 16 bytes by 8 rows of the image, from (x, 4) on.
        MediaLd {
            modifiers: MediaModifier::NOMOD,
            surface: image,
            plane: 0,
            block_width: 16,
            block_height: 8,
            x_offset: Vector::scalar(x),
            y_offset: Imm::ud(4).into(),
            dst: block.into(),
        }
        .into(),
        // Red and green of the texels at (u, v, r).
        Gather4Typed {
            exec: simd8,
            pred: Pred::NONE,
            channels: ChannelMask::R | ChannelMask::G,
            surface: image,
            u: u.into(),
            v: v.into(),
            r: r.into(),
            lod: Raw::NULL,
            dst: texels.into(),
        }
        .into(),
        // A plain sample of two parameters, and one with a bias, texel offsets and a null mask.
        Sample3d {
            op: SampleOp::SAMPLE,
            exec: simd8,
            sampler,
            surface: texture,
            dst: colour.into(),
            params: params(&[s, t]),
            ..Sample3d::default()
        }
        .into(),
        Sample3d {
            op: SampleOp::SAMPLE_B,
            flags: SampleFlags::PIXEL_NULL_MASK,
            exec: Exec::new(ExecSize::S8, ExecMask::M1_NM),
            pred: if_lit.inverted(),
            aoffimmi: Aoffimmi::new(-2, 1, 0).unwrap_or_default(),
            sampler,
            surface: texture,
            dst: colour.into(),
            params: params(&[bias, s, t, VarId::NULL, ai]),
            ..Sample3d::default()
        }
        .into(),
        Add {
            exec: simd8,
            pred: if_lit,
            dst: Dst(Vector::general(depth, Region::dst(Stride::S1)).with_modifier(Modifier::SAT)),
            src0: Vector::general(depth, row).with_modifier(Modifier::NEG),
            src1: Imm::f(1.0).into(),
        }
        .into(),
        Label { label: done }.into(),
        // The first target, then the last with depth and an index.
        RtWrite {
            exec: simd8,
            surface: target,
            r: channel(0),
            g: channel(1),
            b: channel(2),
            a: channel(3),
            ..RtWrite::default()
        }
        .into(),
        RtWrite {
            exec: simd8,
            pred: if_lit,
            flags: RtWriteFlags::LRTW,
            surface: target,
            rt_index: Some(Imm::ub(1).into()),
            r: channel(0),
            g: channel(1),
            b: channel(2),
            a: channel(3),
            depth: Some(depth.into()),
            ..RtWrite::default()
        }
        .into(),
        Barrier {}.into(),
        Ret { exec: simd1, pred: Pred::NONE }.into(),
    ];
    kernel.body.code = Code::from_instructions(&instructions, format)?;
    kernel.gen_binaries.push(GenBinary::new(5, vec![0xee; 16]));

    let mut module = Module::new(format);
    module.kernels.push(kernel);
    Ok(module)
}

fn params(vars: &[VarId]) -> Params {
    let raws: Vec<Raw> = vars.iter().map(|var| Raw::from(*var)).collect();
    Params::new(&raws).unwrap_or_default()
}

#[allow(dead_code)]
fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: tour OUT.isa")?;
    std::fs::write(path, module(Format::default())?.to_bytes()?)?;
    Ok(())
}
