//! What the finalizer of IGC writes about control flow.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The blocks and edges of a dump.
#[derive(Debug, Default)]
pub struct Dump {
    pub blocks: BTreeMap<u32, DumpedBlock>,
    pub edges: BTreeSet<(u32, u32)>,
}

/// A block: its labels, and the indexes of the vISA instructions that it is made of. Some instructions
/// leave no trace; others become several instructions with one index.
#[derive(Debug, Default)]
pub struct DumpedBlock {
    pub labels: Vec<String>,
    pub instructions: BTreeSet<usize>,
    pub is_divergent: bool,
    /// Whether it contains a jump. A second one is a row of the table of SWITCHJMP; it has the index of
    /// the last instruction of the routine.
    has_jump: bool,
}

/// Returns the contents of the only file of a folder whose name ends like this.
pub fn read(folder: &Path, end: &str) -> Option<String> {
    let paths = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let mut paths = paths.filter(|path| path.to_string_lossy().ends_with(end));
    let text = fs::read(paths.next()?).ok()?;
    assert!(paths.next().is_none(), "several files end with {end}");
    Some(String::from_utf8_lossy(&text).into_owned())
}

impl Dump {
    /// Parses a graph that `-dotAll` writes: nodes `BB1 [..]` whose label is a table with a row for
    /// each instruction, and edges `BB1 -> BB2`.
    pub fn from_dot(dot: &str) -> Dump {
        let number = |name: &str| name.trim().strip_prefix("BB")?.parse::<u32>().ok();
        let mut dump = Dump::default();
        let mut current = None;
        for line in dot.lines() {
            if let Some((from, to)) = line.split_once(" -> ") {
                dump.edges.extend(number(from).zip(number(to)));
            } else if let Some((name, _)) = line.split_once(" [shape=") {
                current = number(name);
            } else if let Some((block, (_, row))) = current.zip(line.split_once("<FONT color=")) {
                let text = row.split_once('>').map_or(row, |(_, text)| text);
                let text = text.split("</FONT>").next().unwrap_or_default();
                dump.blocks.entry(block).or_default().add(text);
            }
            if let Some(block) = current {
                dump.blocks.entry(block).or_default();
            }
        }
        dump
    }

    /// Parses the machine code that `-output` writes: a comment for each block,
    /// `// B001: [inDivergent],  Preds:{B000},  Succs:{B002}`, and its instructions.
    pub fn from_assembly(assembly: &str) -> Dump {
        let number = |name: &str| name.trim().strip_prefix('B')?.parse::<u32>().ok();
        let mut dump = Dump::default();
        let mut current = None;
        for line in assembly.lines() {
            let head = line.strip_prefix("// ").and_then(|rest| rest.split_once(':'));
            let head = head.and_then(|(name, rest)| Some((number(name)?, rest)));
            if let Some((block, rest)) = head.filter(|(_, rest)| rest.contains("Succs:{")) {
                current = Some(block);
                let entry = dump.blocks.entry(block).or_default();
                entry.is_divergent = rest.contains("[inDivergent]");
                let successors = rest.split_once("Succs:{").map_or("", |(_, rest)| rest);
                let successors = successors.trim_end_matches('}').split(',').filter_map(number);
                dump.edges.extend(successors.map(|to| (block, to)));
            } else if let Some(block) = current {
                dump.blocks.entry(block).or_default().add(line);
            }
        }
        dump
    }
}

impl DumpedBlock {
    /// Adds an instruction, whose comment contains its index: `// $12:` or `// ALU pipe: int; $12`; or a
    /// label.
    fn add(&mut self, text: &str) {
        let (code, comment) = text.split_once("//").unwrap_or((text, ""));
        let is_jump = code.split_whitespace().any(|word| word == "jmpi");
        if is_jump && self.has_jump {
            return;
        }
        self.has_jump |= is_jump;
        let index = comment.split_once('$').and_then(|(_, rest)| {
            rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<usize>().ok()
        });
        self.instructions.extend(index);
        self.labels.extend(code.trim().strip_suffix(':').map(String::from));
    }
}
