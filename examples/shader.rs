//! Builds a pixel shader that samples a texture, reads a block and a typed surface, and writes the
//! sum to a render target.
//!
//! `cargo run --example shader shader.isa` writes it to a file.

use genvisa::build::{Builder, MediaBlock, RtWriteArgs, TexelArgs};
use genvisa::isa::{RtWriteFlags, SampleOp};
use genvisa::object::Align;
use genvisa::operand::{ChannelMask, DataType, ExecSize::*};
use genvisa::{Format, Module};

type Error = Box<dyn std::error::Error>;

/// Builds the module, in a format of an Igc dialect.
pub fn module(format: Format) -> Result<Module<'static>, Error> {
    let mut k = Builder::new("shader", format);
    k.add_attribute("Target", 1); // a 3D shader
    let texture = k.add_surface("texture");
    let image = k.add_surface("image");
    let target = k.add_surface("target");
    let linear = k.add_sampler("linear");

    // The inputs: the coordinates of eight pixels, and the position of the block.
    let u = k.add_variable("u", DataType::F, 8, Align::GRF);
    let v = k.add_variable("v", DataType::F, 8, Align::GRF);
    let x = k.add_variable("x", DataType::UD, 8, Align::GRF);
    k.add_input(u, 32).add_input(v, 64).add_input(x, 96);

    // The size of the first level of the texture, one register per channel.
    let level = k.add_variable("level", DataType::UD, 8, Align::GRF);
    let size = k.add_variable("size", DataType::UD, 32, Align::GRF);
    k.mov(S8, level, 0u32);
    k.resinfo(S8, ChannelMask::RGBA, texture, level, size);
    let width = k.add_variable("width", DataType::F, 8, Align::GRF);
    k.mov(S8, width, size);
    let across = k.add_variable("across", DataType::F, 8, Align::GRF);
    k.inv(S8, across, width);
    k.mul(S8, u, u, across);

    let colour = k.add_variable("colour", DataType::F, 32, Align::GRF);
    k.sample_3d(S8, SampleOp::SAMPLE, linear, texture, colour, TexelArgs::new().u(u).v(v));

    // A block of 32 bytes by 4 rows of the image, at (x, 4).
    let block = k.add_variable("block", DataType::UB, 128, Align::GRF);
    k.media_ld(image, MediaBlock::new(32, 4).at(x.scalar(), 4u32), block);

    // The red channel of eight texels.
    let red = k.add_variable("red", DataType::F, 8, Align::GRF);
    k.gather4_typed(S8, image, red, TexelArgs::new().u(x).channels(ChannelMask::R));

    k.add(S8, colour, colour, red);
    k.mov(S8, red, block);
    k.mad(S8, colour, red, 1.0f32 / 255.0, colour);
    let rgba = [0, 32, 64, 96].map(|offset| colour.raw(offset));
    k.rt_write_3d(S8, target, RtWriteArgs::new().rgba(rgba).flags(RtWriteFlags::LRTW));
    k.ret(S1);

    let mut module = Module::new(format);
    module.kernels.push(k.into_kernel()?);
    Ok(module)
}

#[allow(dead_code)]
fn main() -> Result<(), Error> {
    let path = std::env::args_os().nth(1).ok_or("usage: shader OUT.isa")?;
    Ok(std::fs::write(path, module(Format::default())?.to_bytes()?)?)
}
