//! Builds a kernel that computes the lengths of the Collatz sequences of eight numbers.
//!
//! `cargo run --example arithmetic arithmetic.isa` writes it to a file.

use genvisa::build::{Builder, Lanes};
use genvisa::object::Align;
use genvisa::operand::{DataType, ExecSize::*, OwordNum, RelOp};
use genvisa::{Format, Module};

type Error = Box<dyn std::error::Error>;

/// Builds the module, in a format of an Igc dialect.
pub fn module(format: Format) -> Result<Module<'static>, Error> {
    let mut k = Builder::new("collatz", format);
    k.add_attribute("Target", 0); // a compute kernel
    let n = k.add_variable("n", DataType::UD, 8, Align::GRF);
    let offset = k.add_variable("offset", DataType::UD, 1, Align::DWORD);
    let buffer = k.add_surface("buffer");
    k.add_input(n, 32).add_input(offset, 64).add_input(buffer, 68);

    let steps = k.add_variable("steps", DataType::UD, 8, Align::GRF);
    let next = k.add_variable("next", DataType::UD, 8, Align::GRF);
    let low = k.add_variable("low", DataType::UD, 8, Align::GRF);
    let odd = k.add_predicate("odd", 8);
    let running = k.add_predicate("running", 8);
    let head = k.add_label("head");
    let done = k.add_label("done");

    k.mov(S8, steps, 0u32);
    k.label(head);
    k.cmp(S8, RelOp::GT, running, n.region(8, 8, 1), 1u32);
    // Leave the loop when all lanes have finished.
    k.jmp(Lanes::new(S1).when(!running.any()), done);
    k.and(S8, low, n.region(8, 8, 1), 1u32);
    k.cmp(S8, RelOp::NE, odd, low.region(8, 8, 1), 0u32);
    k.shr(S8, next, n.region(8, 8, 1), 1u32);
    k.mad(Lanes::new(S8).when(odd), next, n.region(8, 8, 1), 3u32, 1u32);
    k.sel(Lanes::new(S8).when(running), n, next.region(8, 8, 1), n.region(8, 8, 1));
    k.add(Lanes::new(S8).when(running), steps, steps.region(8, 8, 1), 1u32);
    k.jmp(S1, head);
    k.label(done);
    k.oword_st(OwordNum::N2, buffer, offset.scalar(), steps);
    k.ret(S1);

    let mut module = Module::new(format);
    module.kernels.push(k.into_kernel()?);
    Ok(module)
}

#[allow(dead_code)]
fn main() -> Result<(), Error> {
    let path = std::env::args_os().nth(1).ok_or("usage: arithmetic OUT.isa")?;
    Ok(std::fs::write(path, module(Format::default())?.to_bytes()?)?)
}
