//! Counts how many lanes execute each block of every kernel, in a buffer that becomes its last input.
//!
//! `cargo run --example instrument IN.isa OUT.isa`

use genvisa::build::Lanes;
use genvisa::object::{Align, RoutineEditor};
use genvisa::operand::{Atomic, AtomicOp, DataType, ExecMask, ExecSize::S16, VarId};
use genvisa::{Dialect, Instruction, Module};

type Error = Box<dyn std::error::Error>;

/// Adds the counters to a kernel. The counter of block `n` is dword `n` of the buffer.
pub fn count_blocks(kernel: &mut RoutineEditor<'_, '_>) -> Result<(), Error> {
    // Some files have inputs that are not declared. They must not become inputs of the new variable.
    let undeclared = kernel.undeclared();
    let inputs = kernel.inputs_mut().ok_or("a function")?;
    inputs.retain(|input| input.id().is_none_or(|id| !undeclared.contains(&id)));
    let offset = inputs.iter().map(|input| input.offset + input.size as i16).max().unwrap_or(32);
    // The first instruction may be the label of the kernel.
    let is_entry = |one: &Instruction| matches!(one, Instruction::Subroutine(_));
    let mut blocks = vec![usize::from(kernel.instructions.first().is_some_and(is_entry))];
    for (index, instruction) in kernel.instructions.iter().enumerate() {
        if let Instruction::Label(_) = instruction {
            blocks.push(index + 1);
        }
    }
    kernel.build(|k| {
        let buffer = k.add_surface("counters");
        let offsets = k.add_variable("counter_offsets", DataType::UD, 16, Align::GRF);
        k.add_input(buffer, offset);
        let (inc, null) = (Atomic::new(AtomicOp::INC, 32).unwrap_or_default(), VarId::NULL);
        // From the end, so that the indices of the other blocks stay.
        for (block, start) in blocks.into_iter().enumerate().rev() {
            k.set_position(start);
            k.mov(Lanes::new(S16).with_mask(ExecMask::M1_NM), offsets, 4 * block as u32);
            k.dword_atomic(inc, S16, buffer, offsets, null, null, null);
        }
    })?;
    Ok(())
}

/// Returns a file whose kernels count their blocks.
pub fn instrument(file: &[u8]) -> Result<Vec<u8>, Error> {
    let mut module = Module::from_bytes(file, Dialect::Igc2022)?;
    for kernel in 0..module.kernels.len() {
        let mut editor = module.edit(kernel)?;
        count_blocks(&mut editor)?;
        editor.finish()?;
    }
    Ok(module.to_bytes()?)
}

#[allow(dead_code)]
fn main() -> Result<(), Error> {
    let (input, output) = (std::env::args_os().nth(1), std::env::args_os().nth(2));
    let (input, output) = input.zip(output).ok_or("usage: instrument IN.isa OUT.isa")?;
    Ok(std::fs::write(output, instrument(&std::fs::read(input)?)?)?)
}
