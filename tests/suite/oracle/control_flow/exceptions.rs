//! The routines whose divergence differs from the finalizer's.

use genvisa::Instruction;
use genvisa::analysis::{BlockId, Cfg, EdgeKind};

/// A reason why the divergence of a routine may differ.
pub struct Exception {
    pub reason: &'static str,
    /// Whether the reason applies to a routine.
    pub applies: fn(&Cfg, &[Instruction]) -> bool,
    /// Code whose divergence differs. Its main part is f0.
    pub example: &'static str,
}

pub const EXCEPTIONS: [Exception; 5] = [
    Exception {
        reason: "the finalizer does not expect that some lanes return from a subroutine before \
                 others, and puts the block through which it returns after all subroutines",
        applies: |cfg, _| cfg.blocks().iter().any(|block| block.instructions.is_empty()),
        example: "call (M1,16) f1
                  ret (M1,1)
                  .function \"f1\"
                  f1:
                  (P1) ret (M1,16)
                  barrier
                  ret (M1,16)",
    },
    Exception {
        reason: "the finalizer regards calls and branches as reachable that are after the call of a \
                 subroutine that does not return, or in subroutines that are not called",
        applies: |cfg, code| {
            blocks(cfg).any(|id| {
                let last = cfg.blocks()[id.index()].last(code);
                let is_branch = matches!(last, Some(Instruction::Goto(_) | Instruction::Call(_)));
                is_branch && !cfg.is_reachable(id)
            })
        },
        example: "(P1) goto (M1,16) L0
                  barrier
                  L0:
                  call (M1,16) f2
                  ret (M1,1)
                  .function \"f1\"
                  f1:
                  call (M1,16) f2
                  L1:
                  barrier
                  L2:
                  (P1) call (M1,16) f2
                  barrier
                  (P2) jmp (M1,1) L2
                  ret (M1,16)
                  .function \"f2\"
                  f2:
                  barrier
                  ret (M1,16)",
    },
    Exception {
        reason: "the finalizer does not look for loops whose branch back is a SWITCHJMP",
        applies: |cfg, code| {
            back_branches(cfg).any(|(from, _)| {
                let last = cfg.blocks()[from.index()].last(code);
                matches!(last, Some(Instruction::SwitchJmp(_)))
            })
        },
        example: "L0:
                  barrier
                  (P1) goto (M1,16) L1
                  barrier
                  switchjmp (M1,1) I(0,0)<0;1,0> (L2, L0)
                  L1:
                  barrier
                  L2:
                  ret (M1,1)",
    },
    Exception {
        reason: "if lanes leave a loop, the finalizer does not follow branches from the loop to blocks \
                 before it",
        applies: |cfg, _| {
            back_branches(cfg).any(|(from, to)| {
                back_branches(cfg)
                    .any(|(after, inside)| to < inside && inside <= from && from < after)
            })
        },
        example: "L0:
                  barrier
                  L1:
                  (P2) goto (M1,1) L0
                  (P1) goto (M1,16) L1
                  ret (M1,1)",
    },
    Exception {
        reason: "the finalizer does not look for divergence if there is no GOTO",
        applies: |_, code| !code.iter().any(|it| matches!(it, Instruction::Goto(_))),
        example: "(P1) call (M1,16) f1
                  ret (M1,1)
                  .function \"f1\"
                  f1:
                  barrier
                  ret (M1,16)",
    },
];

fn blocks(cfg: &Cfg) -> impl Iterator<Item = BlockId> {
    (0..cfg.blocks().len() as u32).map(BlockId)
}

/// Returns the branches to the same block or an earlier one.
fn back_branches(cfg: &Cfg) -> impl Iterator<Item = (BlockId, BlockId)> + '_ {
    let edges = blocks(cfg).flat_map(|id| cfg.successors(id));
    edges
        .filter(|edge| edge.kind == EdgeKind::Branch && edge.to <= edge.from)
        .map(|edge| (edge.from, edge.to))
}
