//! Control-flow graphs, dominators, loops and divergence.

mod naive;
mod random;

use genvisa::RegisterSize;
use genvisa::analysis::{Analysis, BlockId, Cfg, Divergence, EdgeKind};
use genvisa::isa::{Call, Goto, Jmp, Label, Ret, Subroutine};
use genvisa::operand::{Exec, ExecMask, ExecSize, LabelId, Pred, PredId};
use genvisa::text::parse;
use genvisa::{Format, Instruction};

/// Returns the analysis of a kernel or function with the lines, which may use the predicate `P` and
/// the variables `D` and `I`.
fn analyse(kind: &str, lines: &str) -> Analysis {
    let lines = lines.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let text = format!(
        ".version 4.2\n{kind}\n.decl D v_type=G type=d num_elts=16 align=wordx32\n\
         .decl I v_type=G type=ub num_elts=1 align=word\n.decl P v_type=P num_elts=16\n{lines}\n"
    );
    let module = parse(&text, Format::V4_2).unwrap_or_else(|errors| panic!("{text}{}", errors[0]));
    let routine = module.routines().next().expect("a routine");
    Analysis::new(&routine, RegisterSize::Bytes32).expect("legal code")
}

fn kernel(lines: &str) -> Analysis {
    analyse(".kernel \"k\"", &format!(".function \"main\"\nmain:\n{lines}"))
}

/// Returns a line for each block: its instructions, its successors with the first letter of their
/// kinds, and `~` if it is divergent or `-` if it is unreachable.
fn shape(analysis: &Analysis) -> Vec<String> {
    let cfg = &analysis.cfg;
    let ids = (0..cfg.blocks().len() as u32).map(BlockId);
    let line = |(id, block): (BlockId, &genvisa::analysis::Block)| {
        let instructions = &block.instructions;
        let mut line = format!("{}..{}", instructions.start, instructions.end);
        for edge in cfg.successors(id) {
            let kind = match edge.kind {
                EdgeKind::FallThrough => "f",
                EdgeKind::Branch => "b",
                EdgeKind::Call => "c",
                EdgeKind::Return => "r",
                _ => "?",
            };
            line += &format!(" {kind}{}", edge.to.0);
        }
        line += if !cfg.is_reachable(id) {
            " -"
        } else if analysis.divergence.is_divergent(id) {
            " ~"
        } else {
            ""
        };
        line
    };
    ids.zip(cfg.blocks()).map(line).collect()
}

/// Returns the waits as `at:start..end`, with `c` if calls are in the range.
fn waits(divergence: &Divergence) -> Vec<String> {
    let line = |wait: &genvisa::analysis::Wait| {
        let calls = if wait.calls { "c" } else { "" };
        format!("{}:{}..{}{calls}", wait.at.0, wait.blocks.start.0, wait.blocks.end.0)
    };
    divergence.waits().iter().map(line).collect()
}

/// Returns the loops as `header/depth: blocks`.
fn loops(cfg: &Cfg) -> Vec<String> {
    let loops = cfg.loops(&cfg.dominators());
    let ids = (0..loops.loops().len() as u32).map(genvisa::analysis::LoopId);
    ids.map(|id| {
        let mut blocks: Vec<u32> = loops.blocks(id).iter().map(|block| block.0).collect();
        blocks.sort_unstable();
        let found = &loops.loops()[id.index()];
        format!("{}/{}: {blocks:?}", found.header.0, found.depth)
    })
    .collect()
}

#[test]
fn both_sides_of_a_branch_are_divergent() {
    let analysis = kernel(
        "(P) goto (M1,16) then
         barrier
         goto (M1,16) join
         then:
         barrier
         join:
         ret (M1,1)",
    );
    // The lanes that branch wait at 2; those that do not wait at 3 while the others execute 2.
    assert_eq!(shape(&analysis), ["0..2 f1 b2", "2..4 b3 ~", "4..6 f3 ~", "6..8"]);
    assert_eq!(waits(&analysis.divergence), ["2:1..2", "3:2..3"]);
    // No lane goes from 1 to 2, but the hardware does.
    assert_eq!(analysis.divergence.resumptions(), [(BlockId(1), BlockId(2))]);
    let dominators = analysis.cfg.dominators();
    for block in [1, 2, 3].map(BlockId) {
        assert_eq!(dominators.immediate_dominator(block), Some(BlockId::ENTRY));
    }
    assert_eq!(dominators.immediate_dominator(BlockId::ENTRY), None);
    assert_eq!(loops(&analysis.cfg), [""; 0]);
}

#[test]
fn lanes_that_leave_a_loop_wait_after_it() {
    let analysis = kernel(
        "head:
         barrier
         (P) goto (M1,16) after
         barrier
         (!P) goto (M1,16) head
         barrier
         after:
         ret (M1,1)",
    );
    assert_eq!(shape(&analysis), ["0..1 f1", "1..4 f2 b4 ~", "4..6 f3 b1 ~", "6..7 f4 ~", "7..9"]);
    // The loop executes again while lanes wait at 4.
    assert_eq!(waits(&analysis.divergence), ["3:1..3", "4:1..4"]);
    assert_eq!(analysis.divergence.resumptions(), [(BlockId(1), BlockId(3))]);
    assert_eq!(loops(&analysis.cfg), ["1/1: [1, 2]"]);
}

#[test]
fn scalar_branches_keep_the_lanes_together() {
    let analysis = kernel(
        "head:
         (P) jmp (M1,1) after
         switchjmp (M1,1) I(0,0)<0;1,0> (one, two, one)
         one:
         (P) goto (M1,1) head
         two:
         jmp (M1,1) head
         after:
         ret (M1,1)",
    );
    assert_eq!(
        shape(&analysis),
        ["0..1 f1", "1..3 f2 b5", "3..4 b3 b4", "4..6 f4 b1", "6..8 b1", "8..10"]
    );
    assert_eq!(waits(&analysis.divergence), [""; 0]);
    assert_eq!(loops(&analysis.cfg), ["1/1: [1, 2, 3, 4]"]);
    let loops = analysis.cfg.loops(&analysis.cfg.dominators());
    let origins = [(BlockId(3), BlockId(1)), (BlockId(4), BlockId(1))];
    assert_eq!(loops.back_edges(loops.innermost(BlockId(2)).expect("a loop")), origins);
}

#[test]
fn divergent_loops_make_loops_around_them_divergent() {
    let analysis = kernel(
        "outer:
         barrier
         inner:
         barrier
         (P) goto (M1,16) after
         (P) goto (M1,16) inner
         barrier
         (P) jmp (M1,1) outer
         after:
         ret (M1,1)",
    );
    let expected =
        ["0..1 f1", "1..3 f2 ~", "3..6 f3 b5 ~", "6..7 f4 b2 ~", "7..9 f5 b1 ~", "9..11"];
    assert_eq!(shape(&analysis), expected);
    assert_eq!(waits(&analysis.divergence), ["4:2..4", "5:1..5"]);
    assert_eq!(loops(&analysis.cfg), ["1/1: [1, 2, 3, 4]", "2/2: [2, 3]"]);
    // If no lane leaves the outer loop from the inner one, only the inner one is divergent.
    let analysis = kernel(
        "outer:
         barrier
         inner:
         (P) goto (M1,16) inner
         (P) jmp (M1,1) outer
         ret (M1,1)",
    );
    assert_eq!(shape(&analysis), ["0..1 f1", "1..3 f2", "3..5 f3 b2 ~", "5..6 f4 b1", "6..7"]);
    assert_eq!(waits(&analysis.divergence), ["3:2..3"]);
}

#[test]
fn subroutines_return_to_the_blocks_after_their_calls() {
    let analysis = kernel(
        "call (M1,16) f
         (P) call (M1,16) g
         call (M1,16) f
         ret (M1,1)
         .function \"f\"
         f:
         barrier
         ret (M1,16)
         .function \"g\"
         g:
         (P) ret (M1,16)
         barrier
         ret (M1,16)",
    );
    // g has two returns, so that they pass through the empty block 7. Some lanes call it.
    let expected = [
        "0..2 c4",
        "2..3 f2 c5",
        "3..4 c4",
        "4..5",
        "5..8 r1 r3",
        "8..10 f6 r7 ~",
        "10..12 r7 ~",
        "12..12 r2 ~",
    ];
    assert_eq!(shape(&analysis), expected);
    assert_eq!(waits(&analysis.divergence), ["2:2..2c", "7:6..7"]);
    assert_eq!(analysis.divergence.divergent_subroutines(), [BlockId(5)..BlockId(8)]);
    // Two calls of f are no loop, and calls dominate the blocks after them.
    assert_eq!(loops(&analysis.cfg), [""; 0]);
    let dominators = analysis.cfg.dominators();
    let immediate = |block| dominators.immediate_dominator(BlockId(block)).map(|block| block.0);
    assert_eq!([1, 2, 3, 4, 5, 6].map(immediate), [0, 1, 2, 0, 1, 5].map(Some));
    assert_eq!(analysis.cfg.block_of(12), None);
    assert_eq!(analysis.cfg.block_of(11), Some(BlockId(6)));
    let parts: Vec<_> = analysis.cfg.parts().map(|part| part.start.0..part.end.0).collect();
    assert_eq!(parts, [0..4, 4..5, 5..8]);
}

#[test]
fn calls_in_divergent_blocks_make_subroutines_divergent() {
    let analysis = kernel(
        "(P) goto (M1,16) join
         call (M1,16) f
         join:
         call (M1,16) h
         ret (M1,1)
         .function \"f\"
         f:
         call (M1,16) g
         ret (M1,16)
         .function \"g\"
         g:
         ret (M1,16)
         .function \"h\"
         h:
         ret (M1,16)",
    );
    let divergent: Vec<u32> = (0..analysis.cfg.blocks().len() as u32)
        .filter(|block| analysis.divergence.is_divergent(BlockId(*block)))
        .collect();
    assert_eq!(divergent, [1, 4, 5, 6]);
    assert_eq!(waits(&analysis.divergence), ["2:1..2c"]);
    let subroutines = [BlockId(4)..BlockId(6), BlockId(6)..BlockId(7)];
    assert_eq!(analysis.divergence.divergent_subroutines(), subroutines);
}

#[test]
fn calls_continue_only_if_the_subroutine_returns() {
    let analysis = kernel(
        "call (M1,16) f
         barrier
         ret (M1,1)
         .function \"f\"
         f:
         barrier
         again:
         goto (M1,16) again
         ret (M1,16)",
    );
    assert_eq!(shape(&analysis), ["0..2 c2", "2..4 -", "4..6 f3", "6..8 b3", "8..9 r1 -"]);
    assert_eq!(loops(&analysis.cfg), ["3/1: [3]"]);
    assert!(!analysis.cfg.dominators().dominates(BlockId(1), BlockId(1)));
}

#[test]
fn unreachable_branches_have_no_effect() {
    let analysis = kernel(
        "start:
         jmp (M1,1) end
         (P) goto (M1,16) start
         end:
         barrier
         missing:
         ret (M1,1)",
    );
    assert_eq!(shape(&analysis), ["0..1 f1", "1..3 b3", "3..4 f3 b1 -", "4..6 f4", "6..8"]);
    assert_eq!(waits(&analysis.divergence), [""; 0]);
    assert_eq!(loops(&analysis.cfg), [""; 0]);
}

#[test]
fn functions_may_be_called_by_some_lanes() {
    let code = ".function \"f_main\"\nf_main:\nbarrier\nfret (M1,16)";
    let analysis = analyse(".global_function \"f\"", code);
    assert_eq!(shape(&analysis), ["0..3 ~"]);
    assert_eq!(analysis.divergence.divergent_subroutines(), []);
    let code = format!(".kernel_attr AllLaneActive\n{code}");
    assert_eq!(shape(&analyse(".global_function \"f\"", &code)), ["0..3"]);
}

#[test]
fn cycles_without_a_header_are_reported() {
    let analysis = kernel(
        "(P) jmp (M1,1) b
         a:
         barrier
         b:
         (P) jmp (M1,1) a
         ret (M1,1)",
    );
    assert_eq!(shape(&analysis), ["0..2 f1 b2", "2..4 f2", "4..6 f3 b1", "6..7"]);
    let loops = analysis.cfg.loops(&analysis.cfg.dominators());
    assert_eq!(loops.loops().len(), 0);
    let cycles: Vec<_> = loops.irreducible().map(<[BlockId]>::to_vec).collect();
    assert_eq!(cycles, [[BlockId(1), BlockId(2)]]);
}

const SIMD16: Exec = Exec::new(ExecSize::S16, ExecMask::M1);

fn predicate() -> Pred {
    Pred::new(PredId(1)).expect("a small id")
}

fn label(number: usize) -> LabelId {
    LabelId(number as u16)
}

#[test]
fn labels_may_be_undefined_or_duplicate() {
    let code = [
        Goto { exec: SIMD16, pred: predicate(), label: label(7) }.into(),
        Label { label: label(1) }.into(),
        Call { exec: SIMD16, pred: Pred::NONE, label: label(9) }.into(),
        Label { label: label(1) }.into(),
        Jmp { label: label(1), ..Jmp::default() }.into(),
    ];
    let cfg = Cfg::new(&code);
    let targets: Vec<Vec<u32>> = (0..4)
        .map(|block| cfg.successors(BlockId(block)).iter().map(|edge| edge.to.0).collect())
        .collect();
    assert_eq!(targets, [vec![1], vec![2], vec![1], vec![]]);
    assert_eq!(cfg.block_of_label(label(1)), Some(BlockId(1)));
    assert_eq!(cfg.block_of_label(label(7)), None);
    assert_eq!(cfg.successors(BlockId(9)), []);
    assert!(waits(&Divergence::new(&cfg, &code, true)).is_empty());
    for code in [&[][..], &code[..1]] {
        let cfg = Cfg::new(code);
        assert_eq!(cfg.blocks().len(), code.len());
        cfg.loops(&cfg.dominators());
        Divergence::new(&cfg, code, true);
    }
}

/// Everything is computed, and only the number of blocks is checked: quadratic time would not end.
fn assert_finishes(code: &[Instruction], blocks: usize) {
    let cfg = Cfg::new(code);
    assert_eq!(cfg.blocks().len(), blocks);
    let dominators = cfg.dominators();
    cfg.loops(&dominators);
    Divergence::new(&cfg, code, true);
}

#[test]
fn long_code_takes_linear_time() {
    // A chain of branches that are predicated, forward and back.
    let count = 60_000;
    let at = |number| Label { label: label(number) }.into();
    let goto = |number| Goto { exec: SIMD16, pred: predicate(), label: label(number) }.into();
    let jump = |number| Jmp { pred: predicate(), label: label(number), ..Jmp::default() }.into();
    let forward: Vec<Instruction> =
        (0..count).flat_map(|number| [at(number), goto((number + 2) % count)]).collect();
    assert_finishes(&forward, count);
    let nested: Vec<Instruction> = (0..count).map(at).chain((0..count).rev().map(goto)).collect();
    assert_finishes(&nested, 2 * count - 1);
    // All blocks branch to the last one, and loops overlap.
    let half = count / 2;
    let star: Vec<Instruction> =
        (0..count).flat_map(|number| [at(number), goto(count - 1), goto(number / 2)]).collect();
    assert_finishes(&star, 2 * count);
    let staircase: Vec<Instruction> = (0..count)
        .flat_map(|number| [at(number), goto((number + half) % count), jump(number.max(1) - 1)])
        .collect();
    assert_finishes(&staircase, 2 * count);
    let plain = (0..100_000).map(|_| Jmp { pred: predicate(), ..Jmp::default() }.into());
    assert_finishes(&plain.collect::<Vec<Instruction>>(), 100_000);
}

#[test]
fn many_calls_and_returns_take_linear_time() {
    let count = 20_000;
    let mut code: Vec<Instruction> = Vec::new();
    code.push(Subroutine { label: label(0) }.into());
    code.extend(
        (0..count)
            .map(|_| Instruction::from(Call { exec: SIMD16, pred: predicate(), label: label(1) })),
    );
    code.push(Ret::default().into());
    code.push(Subroutine { label: label(1) }.into());
    code.extend((0..count).map(|_| Instruction::from(Ret { exec: SIMD16, pred: predicate() })));
    assert_finishes(&code, count + 1 + count + 1);
    // Each subroutine calls all of the next ones.
    let code: Vec<Instruction> = (0..count)
        .flat_map(|number| {
            let call = |to| Call { exec: SIMD16, pred: predicate(), label: label(to) }.into();
            let ret = Ret { exec: SIMD16, pred: predicate() }.into();
            [Subroutine { label: label(number) }.into(), call(number + 1), call(number + 2), ret]
        })
        .collect();
    assert_finishes(&code, 4 * count - 1);
}

#[test]
fn a_block_of_another_routine_does_not_end() {
    let large = kernel("L1:\n    jmp (M1, 1) L1\nL2:\n    ret (M1, 1)\n");
    let block = large.cfg.block_of(large.instructions.len() - 1).expect("a block");
    let small = kernel("    ret (M1, 1)\n");
    assert!(large.cfg.may_end(block, &large.instructions));
    assert!(!small.cfg.may_end(block, &small.instructions));
}
