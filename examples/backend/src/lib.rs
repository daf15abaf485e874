//! A small backend of a shader compiler: it generates a pixel shader that computes a colour from a texture.

use genvisa::build::{Builder, Errors, RtWriteArgs, TexelArgs, VarHandle};
use genvisa::isa::{RtWriteFlags, SampleOp};
use genvisa::object::Align;
use genvisa::operand::{DataType, ExecSize::*};
use genvisa::{Format, Instruction, Module};

/// What the shader computes for each channel.
#[derive(Clone, Debug)]
pub enum Colour {
    /// A number.
    Constant(f32),
    /// The texture at the place of the pixel.
    Texture,
    /// A sum.
    Sum(Box<Colour>, Box<Colour>),
    /// A product.
    Product(Box<Colour>, Box<Colour>),
}

/// Compiles a shader of eight pixels: samples the texture at (u, v), and writes a render target.
pub fn compile(colour: &Colour, format: Format) -> Result<Module<'static>, Errors> {
    let mut k = Builder::new("shader", format);
    k.add_attribute("Target", 1); // a 3D shader
    let (linear, texture) = (k.add_sampler("linear"), k.add_surface("texture"));
    let target = k.add_surface("target");
    let [u, v] = ["u", "v"].map(|name| k.add_variable(name, DataType::F, 8, Align::GRF));
    k.add_input(u, 32).add_input(v, 64);

    let texels = k.add_variable("texels", DataType::F, 32, Align::GRF);
    let at = TexelArgs::new().u(u).v(v);
    k.sample_3d(S8, SampleOp::SAMPLE, linear, texture, texels, at);
    // The channels of eight pixels.
    let result = compute(&mut k, colour, texels);
    let rgba = [0, 32, 64, 96].map(|offset| result.raw(offset));
    k.rt_write_3d(S8, target, RtWriteArgs::new().rgba(rgba).flags(RtWriteFlags::LRTW));
    k.ret(S1);

    let mut module = Module::new(format);
    module.kernels.push(k.into_kernel()?);
    Ok(module)
}

/// The registers with which two halves of a variable with 32 numbers begin: an instruction computes 16.
const HALVES: [u8; 2] = [0, 2];

/// Computes the four channels of eight pixels, and returns the variable with the result.
fn compute(k: &mut Builder, colour: &Colour, texels: VarHandle) -> VarHandle {
    let (a, b) = match colour {
        Colour::Texture => return texels,
        Colour::Constant(number) => {
            let result = k.add_variable("", DataType::F, 32, Align::GRF);
            for register in HALVES {
                k.mov(S16, result.dst(1).at(register, 0), *number);
            }
            return result;
        }
        Colour::Sum(a, b) | Colour::Product(a, b) => (compute(k, a, texels), compute(k, b, texels)),
    };
    let result = k.add_variable("", DataType::F, 32, Align::GRF);
    for register in HALVES {
        let to = result.dst(1).at(register, 0);
        let [a, b] = [a, b].map(|variable| variable.region(8, 8, 1).at(register, 0));
        match colour {
            Colour::Sum(..) => k.add(S16, to, a, b),
            _ => k.mul(S16, to, a, b),
        };
    }
    result
}

/// A pass: removes moves of a variable to itself, from code of any origin.
pub fn remove_moves(module: &mut Module<'_>) -> genvisa::Result<()> {
    for routine in 0..module.routines().count() {
        let mut editor = module.edit(routine)?;
        editor.instructions.retain(|one| match one {
            Instruction::Mov(mov) => mov.dst.0 != mov.src0,
            _ => true,
        });
        editor.finish()?;
    }
    Ok(())
}
