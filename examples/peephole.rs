//! Replaces multiplications of floats by one and two with moves and additions.
//!
//! `cargo run --example peephole IN.isa OUT.isa`

use genvisa::isa::{Add, Mov, Mul};
use genvisa::object::RoutineEditor;
use genvisa::operand::{DataType, VarId, Vector, VectorKind};
use genvisa::{Dialect, Instruction, Module};

/// Returns a cheaper instruction with the same result.
fn simpler(mul: &Mul, types: &[DataType]) -> Option<Instruction> {
    let Mul { exec, pred, dst, src0, src1 } = *mul;
    let is_float = |operand: Vector| match operand.kind {
        VectorKind::General { var: VarId(id), .. } => types.get(id as usize) == Some(&DataType::F),
        _ => false,
    };
    if !is_float(src0) || !is_float(dst.0) {
        return None;
    }
    match src1.as_imm()?.as_f32()? {
        1.0 => Some(Mov { exec, pred, dst, src0 }.into()),
        2.0 => Some(Add { exec, pred, dst, src0, src1: src0 }.into()),
        _ => None,
    }
}

/// Returns the number of instructions that were replaced.
pub fn optimize(routine: &mut RoutineEditor<'_, '_>) -> usize {
    let mut types = vec![DataType::UD; VarId::FIRST_DECLARED.0 as usize];
    types.extend(routine.body().variables.iter().map(|variable| variable.ty));
    let mut replaced = 0;
    for instruction in &mut routine.instructions {
        let Instruction::Mul(mul) = instruction else { continue };
        if let Some(simpler) = simpler(mul, &types) {
            *instruction = simpler;
            replaced += 1;
        }
    }
    replaced
}

/// Returns the optimized file, and the number of instructions that were replaced.
pub fn peephole(file: &[u8]) -> Result<(Vec<u8>, usize), genvisa::Error> {
    let mut module = Module::from_bytes(file, Dialect::Igc2022)?;
    let mut replaced = 0;
    for routine in 0..module.routines().count() {
        let mut editor = module.edit(routine)?;
        replaced += optimize(&mut editor);
        editor.finish()?;
    }
    Ok((module.to_bytes()?, replaced))
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (input, output) = (std::env::args_os().nth(1), std::env::args_os().nth(2));
    let (input, output) = input.zip(output).ok_or("usage: peephole IN.isa OUT.isa")?;
    Ok(std::fs::write(output, peephole(&std::fs::read(input)?)?.0)?)
}
