//! The rule about barriers in divergent control flow, which needs the analysis.

use std::collections::BTreeMap;

use genvisa::Instruction;
use genvisa::Module;
use genvisa::analysis::{Cfg, Divergence};
use genvisa::isa::{AccessKind, IdClass};
use genvisa::object::Routine;
use genvisa::operand::{ExecSize, Pred, Region, Vector, VectorKind};
use genvisa::verify::{Finding, Verifier};

use crate::options::BARRIER_DIVERGENCE;

/// Visits the findings in a module.
pub fn visit_module(verifier: &Verifier, module: &Module<'_>, mut visit: impl FnMut(Finding)) {
    // Decoding takes half as long as verifying.
    if verifier.severity(&BARRIER_DIVERGENCE, module.format.dialect).is_none() {
        return;
    }
    for (index, routine) in module.routines().enumerate() {
        let barriers = divergent_barriers(&routine);
        verifier
            .report(&BARRIER_DIVERGENCE, index, &routine, barriers)
            .into_iter()
            .for_each(&mut visit);
    }
}

/// Returns the barriers of a routine in blocks where lanes may have diverged, each with a message.
///
/// Functions are assumed to be called by all lanes.
fn divergent_barriers(routine: &Routine<'_, '_>) -> Vec<(usize, String)> {
    let code = routine.instructions().map_while(|item| Some(item.ok()?.1));
    let mut instructions: Vec<Instruction> = code.collect();
    if !instructions.iter().any(is_barrier) {
        return Vec::new();
    }
    merge_uniform_branches(&mut instructions);
    let cfg = Cfg::new(&instructions);
    let divergence = Divergence::new(&cfg, &instructions, true);
    let is_divergent = |index: usize| {
        let block = cfg.block_of(index);
        block.is_some_and(|block| cfg.is_reachable(block) && divergence.is_divergent(block))
    };
    let barriers =
        instructions.iter().enumerate().filter(|(_, instruction)| is_barrier(instruction));
    let divergent = barriers.filter(|(index, _)| is_divergent(*index));
    let message = |instruction: &Instruction| {
        format!("`{}` is in a block that some lanes may not execute", instruction.mnemonic())
    };
    divergent.map(|(index, instruction)| (index, message(instruction))).collect()
}

fn is_barrier(instruction: &Instruction) -> bool {
    use Instruction::{Barrier, Nbarrier, Sbarrier};
    matches!(instruction, Barrier(_) | Sbarrier(_) | Nbarrier(_))
}

/// Gives branches and returns the execution size 1 if their predicate has the same value for all
/// lanes. All lanes then go the same way.
fn merge_uniform_branches(instructions: &mut [Instruction]) {
    // Whether all writes of a predicate are uniform.
    let mut predicates: BTreeMap<u32, bool> = BTreeMap::new();
    for instruction in &*instructions {
        let is_uniform = is_uniform_compare(instruction);
        instruction.visit_accesses(|access| {
            if access.id.class == IdClass::Predicate && access.kind != AccessKind::Read {
                *predicates.entry(access.id.number).or_insert(true) &= is_uniform;
            }
        });
    }
    let is_uniform = |pred: Pred| {
        !pred.is_none() && predicates.get(&u32::from(pred.id().0)).is_some_and(|uniform| *uniform)
    };
    for instruction in instructions {
        let (exec, pred) = match instruction {
            Instruction::Goto(i) => (&mut i.exec, i.pred),
            Instruction::Ret(i) => (&mut i.exec, i.pred),
            Instruction::Fret(i) => (&mut i.exec, i.pred),
            _ => continue,
        };
        if is_uniform(pred) {
            exec.size = ExecSize::S1;
        }
    }
}

/// Returns whether an instruction is a comparison of scalars for all lanes.
fn is_uniform_compare(instruction: &Instruction) -> bool {
    let Instruction::Cmp(i) = instruction else { return false };
    let is_scalar = |source: &Vector| match source.kind {
        VectorKind::General { region, .. } => region == Region::SCALAR,
        VectorKind::Immediate(_) => true,
        _ => false,
    };
    let is_for_all = i.exec.mask.is_no_mask() && i.exec.size != ExecSize::S1;
    is_for_all && is_scalar(&i.src0) && is_scalar(&i.src1)
}
