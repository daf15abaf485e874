//! The control flow of routines equals what the finalizer finds: the partition into blocks, the edges,
//! and the divergent blocks.

mod dump;
mod exceptions;
mod graph;
mod random;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use genvisa::RegisterSize;
use genvisa::analysis::{Analysis, BlockId, EdgeKind};
use genvisa::text::parse;
use genvisa::{Format, Instruction};
use genvisa_test_support::corpus;
use genvisa_test_support::corpus::texts_under;
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::rng::Rng;

use self::dump::{Dump, DumpedBlock, read};
use self::exceptions::{EXCEPTIONS, Exception};
use self::graph::Graph;
use super::today::sources;

/// The part of a routine that the dumps of the finalizer describe.
struct Expected {
    analysis: Analysis,
    /// The block that begins with each label.
    labels: BTreeMap<String, usize>,
}

impl Expected {
    fn new(text: &str) -> Result<Expected, String> {
        let module = parse(text, Format::V4_2).map_err(|errors| errors[0].to_string())?;
        let routine = module.routines().next().ok_or("no routine")?;
        let analysis = Analysis::new(&routine, RegisterSize::Bytes32).map_err(|e| e.to_string())?;
        let mut labels = BTreeMap::new();
        for (index, block) in analysis.cfg.blocks().iter().enumerate() {
            let Some(label) = block.label else { continue };
            let name = routine.body.labels[usize::from(label.0)].name;
            labels.insert(routine.body.strings[name.0 as usize].to_string(), index);
        }
        Ok(Expected { analysis, labels })
    }

    /// Returns the blocks that a block of a dump contains parts of.
    fn blocks_of(&self, block: &DumpedBlock, stage: Stage) -> BTreeSet<usize> {
        let labels = block.labels.iter().filter_map(|label| self.labels.get(label)).copied();
        let indexes = block.instructions.iter();
        let indexes =
            indexes.filter(|index| stage == Stage::Construction || !self.is_exit(**index));
        let instructions = indexes.filter_map(|index| self.analysis.cfg.block_of(*index));
        labels.chain(instructions.map(BlockId::index)).collect()
    }

    /// Returns whether an instruction is a RET of the main part. The finalizer makes it a branch to a
    /// block that ends the thread, which has the index of the last RET.
    fn is_exit(&self, index: usize) -> bool {
        let cfg = &self.analysis.cfg;
        let block = cfg.block_of(index).map(|block| &cfg.blocks()[block.index()]);
        matches!(self.analysis.instructions.get(index), Some(Instruction::Ret(_)))
            && block.is_some_and(|block| block.subroutine == 0)
    }

    /// Returns the edges when the dump was written.
    fn edges(&self, stage: Stage) -> BTreeSet<(usize, usize)> {
        let cfg = &self.analysis.cfg;
        let mut edges = BTreeSet::new();
        for (index, block) in cfg.blocks().iter().enumerate() {
            let id = BlockId(index as u32);
            for edge in cfg.successors(id) {
                let is_reachable = cfg.is_reachable(id) && cfg.is_reachable(edge.to);
                match (stage, edge.kind) {
                    (Stage::Construction, EdgeKind::Return) => continue,
                    (Stage::Construction, EdgeKind::Call) => {
                        let next = cfg.block_of(block.instructions.end);
                        edges.extend(next.map(|next| (index, next.index())));
                    }
                    (Stage::Reachable, _) if !is_reachable => continue,
                    _ => {}
                }
                edges.insert((index, edge.to.index()));
            }
        }
        edges
    }

    fn returns(&self, block: usize) -> bool {
        let last = self.analysis.cfg.blocks()[block].last(&self.analysis.instructions);
        matches!(last, Some(Instruction::Ret(_)))
    }

    fn is_after_unreachable_call(&self, block: usize) -> bool {
        let cfg = &self.analysis.cfg;
        let start = cfg.blocks()[block].instructions.start;
        let Some(previous) = start.checked_sub(1) else { return false };
        matches!(self.analysis.instructions.get(previous), Some(Instruction::Call(_)))
            && cfg.block_of(previous).is_some_and(|block| !cfg.is_reachable(block))
    }

    /// Returns the differences from a dump.
    fn differences(&self, dump: &Dump, stage: Stage) -> Vec<String> {
        let blocks = self.analysis.cfg.blocks();
        let is_reachable = |block: usize| self.analysis.cfg.is_reachable(BlockId(block as u32));
        let number = |block: &u32| dump.blocks.keys().position(|other| other == block);
        let mut theirs = Graph {
            nodes: dump.blocks.values().map(|block| self.blocks_of(block, stage)).collect(),
            edges: dump.edges.iter().filter_map(|(a, b)| number(a).zip(number(b))).collect(),
        };
        let mut ours = Graph {
            nodes: (0..blocks.len()).map(|block| BTreeSet::from([block])).collect(),
            edges: self.edges(stage),
        };
        let traced: BTreeSet<usize> = theirs.nodes.iter().flatten().copied().collect();
        if stage == Stage::Reachable {
            ours.remove(|block| !is_reachable(*block));
            // The finalizer keeps some, for example after calls that are unreachable.
            theirs.remove(|block| !is_reachable(*block));
        }
        for (index, block) in blocks.iter().enumerate() {
            let leaves_no_trace = block.instructions.clone().all(|index| {
                let is_label = matches!(self.analysis.instructions[index], Instruction::Label(_));
                is_label || self.is_exit(index)
            });
            if leaves_no_trace && !traced.contains(&index) {
                ours.nodes[index].clear();
            }
        }
        let name = |block: usize| {
            let label = self.labels.iter().find(|(_, index)| **index == block);
            let start = blocks[block].instructions.start;
            label.map_or(format!("${start}"), |(label, _)| label.clone())
        };
        let (mut ours, mut theirs) = (ours.without_empty_nodes(), theirs.without_empty_nodes());
        if stage == Stage::Reachable {
            // The finalizer keeps some returns to calls that are unreachable.
            for graph in [&mut ours, &mut theirs] {
                graph.edges.retain(|(from, to)| {
                    let returns = graph.nodes[*from].iter().any(|block| self.returns(*block));
                    // The first one is the entry, because the finalizer joins neighbours.
                    let entry = graph.nodes[*to].first();
                    !returns || !entry.is_some_and(|block| self.is_after_unreachable_call(*block))
                });
            }
        }
        match stage {
            Stage::Construction => ours.differences(&theirs, name),
            // Labels that no branch uses have been removed.
            Stage::Reachable => ours.joined().differences(&theirs.joined(), name),
        }
    }

    /// Returns the instructions that are in a divergent block of only one of the graphs.
    fn divergence_differences(&self, dump: &Dump) -> Vec<String> {
        let Analysis { cfg, divergence, .. } = &self.analysis;
        let mut differences = BTreeSet::new();
        for block in dump.blocks.values() {
            for index in block.instructions.iter().filter(|index| !self.is_exit(**index)) {
                let ours = cfg.block_of(*index).filter(|block| cfg.is_reachable(*block));
                match (ours.map(|block| divergence.is_divergent(block)), block.is_divergent) {
                    (Some(true), false) => {
                        differences.insert(format!("not divergent: ${index}"));
                    }
                    (Some(false), true) => {
                        differences.insert(format!("divergent: ${index}"));
                    }
                    _ => {}
                }
            }
        }
        differences.into_iter().collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Calls have edges to the next block, and returns none yet.
    Construction,
    /// Returns have edges, and unreachable blocks are removed.
    Reachable,
}

/// Returns the differences of a text, with the part that they are in; or the reason why there is no
/// dump.
fn differences(compiler: &Compiler, text: &str, platform: &str) -> Result<Compared, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Without if-conversion, which removes blocks.
    let options = ["-dotAll", "-output", "-asmOutput", "k.asm", "-noifcvt"];
    let status = compiler.run(folder.path(), text, platform, &options);
    let expected = Expected::new(text)?;
    let read = |end: &str| read(folder.path(), end).ok_or(format!("{status}: no {end}"));
    let mut found = Vec::new();
    let construction = &Dump::from_dot(&read("000.after.CFGConstruction.dot")?);
    let reachable = &Dump::from_dot(&read("002.after.RemoveUnreachableBlocks.dot")?);
    let add = |what: &str, differences: Vec<String>, found: &mut Vec<String>| {
        found.extend(differences.into_iter().map(|difference| format!("{what}: {difference}")));
    };
    add("construction", expected.differences(construction, Stage::Construction), &mut found);
    add("reachable", expected.differences(reachable, Stage::Reachable), &mut found);
    let Analysis { cfg, instructions, .. } = &expected.analysis;
    let is_exception = |exception: &Exception| (exception.applies)(cfg, instructions);
    let exception = EXCEPTIONS.iter().position(is_exception);
    // The compiler may crash after it has found the blocks.
    let Some(assembly) = read(".asm").ok().map(|assembly| Dump::from_assembly(&assembly)) else {
        return Ok(Compared { differences: found, exception: None, has_divergence: false });
    };
    let differences = expected.divergence_differences(&assembly);
    let exception = exception.filter(|_| !differences.is_empty());
    if exception.is_none() {
        add("divergence", differences, &mut found);
    }
    Ok(Compared { differences: found, exception, has_divergence: exception.is_none() })
}

/// The result of a comparison.
struct Compared {
    differences: Vec<String>,
    /// The exception that makes the divergence differ.
    exception: Option<usize>,
    /// Whether the divergence was compared, and is the same or in `differences`.
    has_divergence: bool,
}

#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14 and the corpus"]
fn control_flow_of_real_text_is_that_of_the_finalizer() {
    let (compiler, visaasm) = (Compiler::required(), corpus::required_visaasm());
    let mut texts: Vec<(String, String, &str)> =
        sources(&visaasm).into_iter().map(|it| (it.name, it.text, it.platform)).collect();
    // The compiler does not know newer platforms, but accepts some texts for them.
    for device in ["ptl", "cri", "nvl-p"] {
        for path in texts_under(&visaasm.join(device)) {
            let text = fs::read_to_string(&path).expect("a readable text");
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            texts.push((format!("{device}/{name}"), text, "XE2"));
        }
    }
    let results = parallel(&texts, |(_, text, platform)| differences(&compiler, text, platform));
    let (mut same, mut wrong) = (0, Vec::new());
    for ((name, ..), result) in texts.iter().zip(results) {
        match result {
            Ok(Compared { differences, exception: None, .. }) if differences.is_empty() => {
                same += 1
            }
            Ok(Compared { differences, exception, .. }) => {
                let reason = exception.map(|index| EXCEPTIONS[index].reason);
                wrong.push(format!("{name}: {reason:?}\n{}", differences.join("\n")));
            }
            Err(why) => eprintln!("skipped: {name}: {why}"),
        }
    }
    eprintln!("the control flow of {same} texts is the same");
    let wrong = wrong.join("\n");
    assert!(wrong.is_empty() && same >= 55 || !compiler.is_tested, "{same} texts; {wrong}");
}

#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14"]
fn control_flow_of_random_kernels_is_that_of_the_finalizer() {
    let compiler = Compiler::required();
    let seed = seed();
    let count = cases(200);
    let mut rng = Rng::new(seed, 20);
    let kernels: Vec<(String, &str)> = (0..count)
        .map(|_| {
            let platform = rng.pick(&["TGLLP", "DG2", "PVCXT", "XE2"]);
            (random::kernel(&mut rng, matches!(platform, "PVCXT" | "XE2")), platform)
        })
        .collect();
    let results = parallel(&kernels, |(text, platform)| differences(&compiler, text, platform));
    let (mut taken, mut with_divergence, mut wrong) = (0, 0, Vec::new());
    let mut excepted = [0; EXCEPTIONS.len()];
    for ((text, platform), result) in kernels.iter().zip(results) {
        // The compiler crashes on few.
        let Ok(Compared { differences, exception, has_divergence }) = result else { continue };
        taken += 1;
        with_divergence += u64::from(has_divergence);
        if let Some(index) = exception {
            excepted[index] += 1;
        }
        if !differences.is_empty() {
            wrong.push(format!("{platform}:\n{}\n{text}", differences.join("\n")));
        }
    }
    eprintln!("{taken} of {count} kernels, {with_divergence} with divergence; {excepted:?}");
    let first = wrong.first().map_or("", String::as_str);
    let is_enough = taken * 10 > count * 9 && with_divergence * 2 > count;
    assert!(
        wrong.is_empty() && is_enough || !compiler.is_tested,
        "seed {seed}: {} of {taken} kernels differ, for example on {first}",
        wrong.len()
    );
}

#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14"]
fn exceptions_are_needed() {
    let compiler = Compiler::required();
    let compared = parallel(&EXCEPTIONS, |exception| {
        let lines = exception.example.lines().map(str::trim).collect::<Vec<_>>().join("\n");
        let text = format!("{}.function \"f0\"\nf0:\n{lines}\n", random::HEAD);
        differences(&compiler, &text, "XE2").expect("the compiler accepts it")
    });
    for (index, (exception, compared)) in EXCEPTIONS.iter().zip(compared).enumerate() {
        let Exception { reason, example, .. } = exception;
        let found = (compared.differences, compared.exception);
        assert!(
            found == (vec![], Some(index)) || !compiler.is_tested,
            "{found:?} {reason} {example}"
        );
    }
}
