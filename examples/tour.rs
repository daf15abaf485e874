//! Builds a kernel with all five documented instructions.
//!
//! `cargo run --example tour tour.isa` writes it to a file. `tests/data/tour.isa` is this file, and
//! a test checks that it is up to date.

use genvisa::Format;
use genvisa::build::{Builder, Lanes, MediaBlock, RtWriteArgs, TexelArgs};
use genvisa::isa::{RtWriteFlags, SampleFlags, SampleOp};
use genvisa::object::{Align, GenBinary, Module};
use genvisa::operand::{ChannelMask, DataType, ExecMask, ExecSize::*};

type Error = Box<dyn std::error::Error>;

/// Builds the module, in a format of an Igc dialect.
pub fn module(format: Format) -> Result<Module<'static>, Error> {
    let mut k = Builder::new("tour", format);
    let mut grf = |name, ty, elements| k.add_variable(name, ty, elements, Align::GRF);
    let lod = grf("level", DataType::UD, 8);
    let size = grf("size", DataType::UD, 32);
    let samples = grf("samples", DataType::UD, 32);
    let block = grf("block", DataType::UB, 128);
    let [u, v, r] = ["u", "v", "r"].map(|name| grf(name, DataType::UD, 8));
    let texels = grf("texels", DataType::UD, 32);
    let [s, t] = ["s", "t"].map(|name| grf(name, DataType::F, 8));
    let bias = grf("bias", DataType::F, 8);
    // Four channels and a register for the pixel null mask.
    let colour = grf("colour", DataType::F, 40);
    let depth = grf("depth", DataType::F, 8);
    let x = k.add_variable("x", DataType::UD, 1, Align::DWORD);
    let lit = k.add_predicate("lit", 8);
    let sampler = k.add_sampler("linear");
    let texture = k.add_surface("texture");
    let image = k.add_surface("image");
    let target = k.add_surface("target");
    let entry = k.add_subroutine("entry");
    let done = k.add_label("done");
    k.add_attribute("Target", 1).add_input(x, 32);

    k.func(entry);
    k.mov(S8, lod, 0u32);
    // The size of the texture, and the number of samples of the target.
    k.resinfo(S8, ChannelMask::RGBA, texture, lod, size);
    k.sampleinfo(S8, ChannelMask::RGBA, target, samples);
    // A block of 16 bytes by 8 rows of the image, at (x, 4).
    k.media_ld(image, MediaBlock::new(16, 8).at(x, 4u32), block);
    // The red and green channels of the texels at (u, v, r).
    let texel = TexelArgs::new().u(u).v(v).r(r).channels(ChannelMask::R | ChannelMask::G);
    k.gather4_typed(S8, image, texels, texel);
    // A sample with two parameters, and one with a bias, texel offsets and a null mask.
    let at = TexelArgs::new().u(s).v(t);
    k.sample_3d(S8, SampleOp::SAMPLE, sampler, texture, colour, at.clone());
    let at = at.bias(bias).offsets(-2, 1, 0).flags(SampleFlags::PIXEL_NULL_MASK);
    let lanes = Lanes::new(S8).with_mask(ExecMask::M1_NM).when(!lit);
    k.sample_3d(lanes, SampleOp::SAMPLE_B, sampler, texture, colour, at);
    k.add(S8.when(lit), depth.dst(1).sat(), -depth.region(8, 8, 1), 1.0f32);
    k.label(done);
    // Write the first target, then the last one with depth and an index.
    let rgba = [0, 32, 64, 96].map(|offset| colour.raw(offset));
    let colours = RtWriteArgs::new().rgba(rgba);
    k.rt_write_3d(S8, target, colours);
    let second = colours.rt_index(1u8).depth(depth).flags(RtWriteFlags::LRTW);
    k.rt_write_3d(S8.when(lit), target, second);
    k.barrier();
    k.ret(S1);

    let mut kernel = k.into_kernel()?;
    kernel.gen_binaries.push(GenBinary::new(5, vec![0xee; 16]));
    let mut module = Module::new(format);
    module.kernels.push(kernel);
    Ok(module)
}

#[allow(dead_code)]
fn main() -> Result<(), Error> {
    let path = std::env::args().nth(1).ok_or("usage: tour OUT.isa")?;
    Ok(std::fs::write(path, module(Format::default())?.to_bytes()?)?)
}
