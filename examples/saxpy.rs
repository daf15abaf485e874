//! Builds a kernel with a loop: `y[i] = a * x[i] + y[i]`, in blocks of 16 floats.
//!
//! `cargo run --example saxpy saxpy.isa` writes it to a file.

use genvisa::build::Builder;
use genvisa::object::Align;
use genvisa::operand::{DataType, ExecSize::*, OwordNum, RelOp};
use genvisa::{Format, Module};

/// Builds the module, in a format of an Igc dialect.
pub fn module(format: Format) -> Result<Module<'static>, Box<dyn std::error::Error>> {
    let mut k = Builder::new("saxpy", format);
    let a = k.add_variable("a", DataType::F, 1, Align::DWORD);
    // The size of `x` and `y` in owords (16 bytes): a multiple of 4, and not 0.
    let size = k.add_variable("size", DataType::UD, 1, Align::DWORD);
    let x = k.add_surface("x");
    let y = k.add_surface("y");
    k.add_attribute("Target", 0); // a compute kernel
    k.add_input(a, 32).add_input(size, 36).add_input(x, 40).add_input(y, 44);

    let offset = k.add_variable("offset", DataType::UD, 1, Align::DWORD);
    let x_block = k.add_variable("x_block", DataType::F, 16, Align::GRF);
    let y_block = k.add_variable("y_block", DataType::F, 16, Align::GRF);
    let more = k.add_predicate("more", 1);
    let next = k.add_label("next");

    k.mov(S1, offset, 0u32);
    k.label(next);
    k.oword_ld(OwordNum::N4, 0, x, offset, x_block);
    k.oword_ld(OwordNum::N4, 0, y, offset, y_block);
    k.mad(S16, y_block, x_block, a, y_block);
    k.oword_st(OwordNum::N4, y, offset, y_block);
    k.add(S1, offset, offset, 4u32);
    k.cmp(S1, RelOp::LT, more, offset, size);
    k.jmp(S1.when(more), next);
    k.ret(S1);

    let mut module = Module::new(format);
    module.kernels.push(k.into_kernel()?);
    Ok(module)
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: saxpy OUT.isa")?;
    Ok(std::fs::write(path, module(Format::default())?.to_bytes()?)?)
}
