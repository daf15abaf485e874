//! Builds a kernel of the five documented instructions only, which dialect `Manual` can encode.
//!
//! `cargo run --example manual manual.isa` writes it to a file. `tests/data/manual.isa` is this
//! file, and a test checks that it is up to date.

use genvisa::Format;
use genvisa::build::{Builder, MediaBlock, RtWriteArgs, TexelArgs};
use genvisa::isa::{RtWriteFlags, SampleFlags, SampleOp};
use genvisa::object::{Align, Module};
use genvisa::operand::{ChannelMask, DataType, ExecSize::*, MediaModifier};

type Error = Box<dyn std::error::Error>;

/// Builds the module, in a format of any dialect.
pub fn module(format: Format) -> Result<Module<'static>, Error> {
    let mut k = Builder::new("manual", format);
    let mut grf = |name, ty, elements| k.add_variable(name, ty, elements, Align::GRF);
    let level = grf("level", DataType::UD, 8);
    let size = grf("size", DataType::UD, 32);
    let samples = grf("samples", DataType::UD, 64);
    let block = grf("block", DataType::UB, 128);
    let [u, v] = ["u", "v"].map(|name| grf(name, DataType::UD, 8));
    let texels = grf("texels", DataType::UD, 32);
    let [s, t] = ["s", "t"].map(|name| grf(name, DataType::F, 8));
    let bias = grf("bias", DataType::F, 8);
    // Four channels and a register for the pixel null mask.
    let colour = grf("colour", DataType::F, 40);
    let alpha = grf("alpha", DataType::F, 8);
    let mask = grf("mask", DataType::UW, 8);
    let depth = grf("depth", DataType::F, 8);
    let stencil = grf("stencil", DataType::UB, 8);
    let x = k.add_variable("x", DataType::UD, 1, Align::DWORD);
    let sample = k.add_variable("sample", DataType::UD, 1, Align::DWORD);
    let lit = k.add_predicate("lit", 8);
    let sampler = k.add_sampler("linear");
    let texture = k.add_surface("texture");
    let image = k.add_surface("image");
    let target = k.add_surface("target");
    k.add_attribute("Target", 1).add_input(x, 32);

    // INFO has a LOD only for resinfo.
    k.resinfo(S8, ChannelMask::RGBA, texture, level, size);
    k.sampleinfo(S16, ChannelMask::RGBA, target, samples);
    // The top field of a block of 16 bytes by 8 rows at (x, 4).
    let top = MediaBlock::new(16, 8).at(x, 4u32).modifier(MediaModifier::TOP);
    k.media_ld(image, top, block);
    // Without R and LOD: the surface is 2D, and its LOD is 0.
    k.gather4_typed(S8, image, texels, TexelArgs::new().u(u).v(v));
    let at = TexelArgs::new().u(s).v(t);
    k.sample_3d(S8, SampleOp::SAMPLE, sampler, texture, colour, at.clone());
    // With a bias, texel offsets and all flags.
    let at = at.bias(bias).offsets(-2, 1, 0).flags(SampleFlags::all());
    k.sample_3d(S8.when(!lit), SampleOp::SAMPLE_B, sampler, texture, colour, at);
    // First without optional operands, then with all of them.
    let rgba = [0, 32, 64, 96].map(|offset| colour.raw(offset));
    let colours = RtWriteArgs::new().rgba(rgba);
    k.rt_write_3d(S8, target, colours);
    let everything = colours
        .sample_index(sample)
        .cps_counter(2u16)
        .rt_index(1u8)
        .s0a(alpha)
        .omask(mask)
        .depth(depth)
        .stencil(stencil)
        .flags(RtWriteFlags::LRTW);
    k.rt_write_3d(S8.when(lit), target, everything);

    let mut module = Module::new(format);
    module.kernels.push(k.into_kernel()?);
    Ok(module)
}

#[allow(dead_code)]
fn main() -> Result<(), Error> {
    let path = std::env::args_os().nth(1).ok_or("usage: manual OUT.isa")?;
    Ok(std::fs::write(path, module(Format::MANUAL)?.to_bytes()?)?)
}
