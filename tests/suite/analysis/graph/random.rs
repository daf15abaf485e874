//! The analysis of random graphs equals the definitions, applied naively.

use std::collections::{BTreeMap, BTreeSet};

use genvisa::Instruction;
use genvisa::analysis::{BlockId, Cfg, Divergence, LoopId};
use genvisa::isa::{Barrier, Call, Fret, Goto, Jmp, Label, Labels, Ret, Subroutine, SwitchJmp};
use genvisa::operand::{Exec, LabelId, Pred};
use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::rng::Rng;

use super::naive::{Model, indexes, loops, reached_without};
use super::{SIMD16, label, predicate};

/// Returns random code. Labels may be undefined, and branches may leave their subroutine.
fn code(rng: &mut Rng) -> Vec<Instruction> {
    let (length, labels) = (rng.below(24), 1 + rng.below(8));
    // Rows of few kinds have longer paths.
    let kinds = rng.below(9) + 1;
    let mut code: Vec<Instruction> = Vec::new();
    for _ in 0..length {
        let pred = if rng.one_in(2) { predicate() } else { Pred::NONE };
        let exec = if rng.one_in(3) { Exec::default() } else { SIMD16 };
        let to = label(rng.below(labels));
        code.push(match rng.below(kinds + 3) {
            0 | 1 => Label { label: to }.into(),
            2 | 3 => Goto { exec, pred, label: to }.into(),
            4 => Jmp { exec: Exec::default(), pred, label: to }.into(),
            5 => Call { exec, pred, label: to }.into(),
            6 => Subroutine { label: to }.into(),
            7 | 8 => Ret { exec, pred }.into(),
            9 => Fret { exec, pred }.into(),
            10 => {
                let targets: Vec<LabelId> =
                    (0..1 + rng.below(3)).map(|_| label(rng.below(labels))).collect();
                let labels = Labels::new(&targets).expect("1 to 32 labels");
                SwitchJmp { labels, ..SwitchJmp::default() }.into()
            }
            _ => Barrier {}.into(),
        });
    }
    code
}

#[test]
fn random_graphs_satisfy_the_definitions() {
    let seed = seed();
    let count = cases(3000);
    let mut rng = Rng::new(seed, 19);
    // The number of cases that have loops, inner loops, other cycles, waits and resumptions.
    let mut seen = [0usize; 5];
    for case in 0..count {
        let code = code(&mut rng);
        let cfg = Cfg::new(&code);
        if cfg.blocks().is_empty() {
            continue;
        }
        let context = format!("seed {seed}, case {case}: {code:?}");
        check_dominators_and_loops(&cfg, &code, &context, &mut seen);
        check_divergence(&cfg, &code, &context, &mut seen);
    }
    assert!(seen.iter().all(|seen| *seen as u64 > count / 100), "{seen:?} of {count}");
}

fn check_dominators_and_loops(cfg: &Cfg, code: &[Instruction], context: &str, seen: &mut [usize]) {
    let model = Model::new(cfg, code);
    let (reached, edges) = model.flow();
    let dominators = cfg.dominators();
    let blocks = (0..model.count).map(|index| BlockId(index as u32));
    let reachable: BTreeSet<usize> =
        blocks.clone().filter(|block| cfg.is_reachable(*block)).map(BlockId::index).collect();
    assert_eq!(reachable, reached, "{context}");
    assert_eq!(indexes(dominators.preorder()), reached, "{context}");
    // a dominates b if b is not reached when a is removed.
    let mut dominated: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for a in &reached {
        let others = match a {
            0 => BTreeSet::new(),
            _ => reached_without(&edges, 0, Some(*a)),
        };
        dominated.insert(*a, reached.difference(&others).copied().collect());
    }
    let dominates = |a: usize, b: usize| dominated[&a].contains(&b);
    for a in blocks.clone() {
        for b in blocks.clone() {
            let expected = reached.contains(&a.index()) && dominates(a.index(), b.index());
            assert_eq!(dominators.dominates(a, b), expected, "{a:?} {b:?} {context}");
        }
        // The immediate dominator is the one that all other ones dominate.
        let is_above = |above: usize| {
            above != a.index() && reached.contains(&a.index()) && dominates(above, a.index())
        };
        let above: Vec<usize> = reached.iter().copied().filter(|above| is_above(*above)).collect();
        let immediate =
            above.iter().find(|last| above.iter().all(|other| dominates(*other, **last)));
        let found = dominators.immediate_dominator(a).map(BlockId::index);
        assert_eq!(found, immediate.copied(), "{a:?} {context}");
    }
    let expected = loops(&edges, dominates);
    let found = cfg.loops(&dominators);
    let ids: Vec<LoopId> = (0..found.loops().len() as u32).map(LoopId).collect();
    let bodies: BTreeMap<usize, BTreeSet<usize>> = ids
        .iter()
        .map(|id| (found.loops()[id.index()].header.index(), indexes(found.blocks(*id))))
        .collect();
    assert_eq!(bodies, expected, "{context}");
    for id in &ids {
        let header = found.loops()[id.index()].header.index();
        let around: Vec<usize> = expected
            .iter()
            .filter(|(other, body)| **other != header && body.contains(&header))
            .map(|(other, _)| *other)
            .collect();
        let parent = around.iter().min_by_key(|other| expected[other].len()).copied();
        let loop_ = &found.loops()[id.index()];
        let found_parent = loop_.parent.map(|id| found.loops()[id.index()].header.index());
        assert_eq!(found_parent, parent, "{header} {context}");
        assert_eq!(loop_.depth as usize, around.len() + 1, "{header} {context}");
        let origins: BTreeSet<usize> =
            found.back_edges(*id).iter().map(|(origin, _)| origin.index()).collect();
        let expected_origins: BTreeSet<usize> = edges
            .iter()
            .filter(|(from, to)| *to == header && dominates(header, *from))
            .map(|(from, _)| *from)
            .collect();
        assert_eq!(origins, expected_origins, "{header} {context}");
        for block in blocks.clone() {
            let is_in = expected[&header].contains(&block.index());
            assert_eq!(found.contains(*id, block), is_in, "{header} {block:?} {context}");
        }
    }
    for block in blocks {
        let depth = expected.values().filter(|body| body.contains(&block.index())).count();
        assert_eq!(found.depth(block) as usize, depth, "{block:?} {context}");
    }
    let forward: BTreeSet<(usize, usize)> =
        edges.iter().copied().filter(|(from, to)| !dominates(*to, *from)).collect();
    let reach = |block: &usize| reached_without(&forward, *block, None);
    let cycles: BTreeSet<BTreeSet<usize>> = reached
        .iter()
        .map(|block| reach(block).into_iter().filter(|to| reach(to).contains(block)).collect())
        .filter(|cycle: &BTreeSet<usize>| cycle.len() > 1)
        .collect();
    let found_cycles: BTreeSet<BTreeSet<usize>> = found.irreducible().map(indexes).collect();
    assert_eq!(found_cycles, cycles, "{context}");
    seen[0] += usize::from(!expected.is_empty());
    seen[1] += usize::from(found.loops().iter().any(|found| found.depth > 1));
    seen[2] += usize::from(!cycles.is_empty());
}

fn check_divergence(cfg: &Cfg, code: &[Instruction], context: &str, seen: &mut [usize]) {
    let model = Model::new(cfg, code);
    let found = Divergence::new(cfg, code, true);
    let (divergent, waits) = model.divergence();
    let found_divergent: BTreeSet<usize> =
        (0..model.count).filter(|block| found.is_divergent(BlockId(*block as u32))).collect();
    assert_eq!(found_divergent, divergent, "{context}");
    let found_waits: BTreeMap<usize, (usize, bool)> = found
        .waits()
        .iter()
        .map(|wait| (wait.at.index(), (wait.blocks.start.index(), wait.calls)))
        .collect();
    assert_eq!(found_waits, waits, "{context}");
    assert_eq!(found_waits.len(), found.waits().len());
    assert!(found.waits().is_sorted_by_key(|wait| wait.at));
    assert!(found.waits().iter().all(|wait| wait.blocks.end == wait.at));
    let resumptions: BTreeSet<(usize, usize)> =
        found.resumptions().iter().map(|(from, to)| (from.index(), to.index())).collect();
    assert_eq!(resumptions, model.resumptions(), "{context}");
    let all = Divergence::new(cfg, code, false);
    assert!((0..model.count).all(|block| all.is_divergent(BlockId(block as u32))));
    assert_eq!(all.waits(), found.waits());
    seen[3] += usize::from(!waits.is_empty());
    seen[4] += usize::from(!resumptions.is_empty());
}
