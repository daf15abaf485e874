//! Counts how many lanes execute each block of every kernel, in a buffer that becomes its last input.
//!
//! `cargo run --example instrument IN.isa OUT.isa`

use genvisa::isa::{DwordAtomic, Mov};
use genvisa::object::{Align, Input, InputClass, InputKind, RoutineEditor};
use genvisa::operand::Exec;
use genvisa::operand::{Atomic, AtomicOp, DataType, Dst, ExecMask, ExecSize, Imm};
use genvisa::{Dialect, Instruction, Module};

/// Adds the counters to a kernel. The counter of block `n` is dword `n` of the buffer.
fn count_blocks(kernel: &mut RoutineEditor<'_, '_>) -> Result<(), genvisa::Error> {
    // Some files have inputs that are not declared. They must not become inputs of the new variable.
    let undeclared = kernel.undeclared();
    let is_declared = |input: &Input| input.id().is_none_or(|id| !undeclared.contains(&id));
    kernel.inputs_mut().expect("a kernel").retain(is_declared);
    let buffer = kernel.body_mut().add_surface("counters")?;
    let offsets = kernel.body_mut().add_variable("counter_offsets", DataType::UD, 16, Align::GRF);
    let inputs = kernel.inputs_mut().expect("a kernel");
    let offset = inputs.iter().map(|input| input.offset + input.size as i16).max().unwrap_or(32);
    let kind = InputKind::explicit(InputClass::SURFACE);
    inputs.push(Input { kind, index: buffer.0.into(), offset, size: 4 });
    let mut blocks = 0;
    let mut count = || {
        let exec = Exec::new(ExecSize::S16, ExecMask::M1_NM);
        let src0 = Imm::ud(4 * blocks).into();
        let mov = Mov { exec, dst: Dst::new(offsets), src0, ..Mov::default() };
        blocks += 1;
        let atomic = DwordAtomic {
            op: Atomic::new(AtomicOp::INC, 32).unwrap_or_default(),
            exec: ExecSize::S16.into(),
            surface: buffer,
            element_offset: offsets.into(),
            ..DwordAtomic::default()
        };
        [mov.into(), atomic.into()]
    };
    // The first instruction may be the label of the kernel.
    let is_label = |one: &Instruction| matches!(one, Instruction::Subroutine(_));
    let start = usize::from(kernel.instructions.first().is_some_and(is_label));
    kernel.instructions.splice(start..start, count());
    kernel.rewrite(|instruction, out| {
        out.push(instruction);
        if matches!(instruction, Instruction::Label(_)) {
            out.extend(count());
        }
    });
    Ok(())
}

/// Returns a file whose kernels count their blocks.
pub fn instrument(file: &[u8]) -> Result<Vec<u8>, genvisa::Error> {
    let mut module = Module::from_bytes(file, Dialect::Igc2022)?;
    for kernel in 0..module.kernels.len() {
        let mut editor = module.edit(kernel)?;
        count_blocks(&mut editor)?;
        editor.finish()?;
    }
    module.to_bytes()
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let usage = "usage: instrument IN.isa OUT.isa";
    let mut args = std::env::args_os().skip(1);
    let (input, output) = (args.next().ok_or(usage)?, args.next().ok_or(usage)?);
    Ok(std::fs::write(output, instrument(&std::fs::read(input)?)?)?)
}
