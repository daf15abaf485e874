//! What tells that inline assembly is vISA.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use genvisa::error::Severity;
use memchr::memmem;

use super::{Block, Content};
use crate::checker::Checker;
use crate::statement::Statement;
use crate::{constraint, foreign};

/// Why a statement is not vISA if nothing tells that it is.
pub(super) const UNKNOWN: &str = "nothing tells that it is vISA";

/// The machine that a part of a file is compiled for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Target {
    /// The file does not state it.
    #[default]
    Unknown,
    /// An Intel GPU: all inline assembly is vISA.
    Visa,
    Other,
}

impl Target {
    /// Returns the machine of a target triple of LLVM.
    pub fn of_triple(triple: &[u8]) -> Target {
        let is_amd = memmem::find(triple, b"-amd-").is_some();
        if triple.starts_with(b"spir") && !is_amd { Target::Visa } else { Target::Other }
    }

    /// Returns this machine, or another one if it is not known.
    pub fn or(self, other: Target) -> Target {
        if self == Target::Unknown { other } else { self }
    }
}

/// What a statement tells about its machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    /// A constraint or a part of its text exists only in vISA.
    Visa,
    /// It is for another machine, for this reason.
    Other(&'static str),
    /// It has no operands, and vISA may have such text.
    None,
}

/// Returns what a statement tells about its machine.
pub(super) fn evidence(statement: &Statement) -> Evidence {
    if statement.operands.iter().any(|operand| constraint::is_visa(&operand.constraint)) {
        return Evidence::Visa;
    }
    let text: &[u8] = &statement.template;
    if foreign::is_visa(text) {
        return Evidence::Visa;
    }
    let is_known = |clobber: &String| matches!(&**clobber, "memory" | "cc");
    if let Some(foreign) = foreign::find(text) {
        Evidence::Other(foreign.reason)
    } else if !statement.operands.is_empty() {
        Evidence::Other("its constraints are not constraints of vISA")
    } else if !statement.clobbers.iter().all(is_known) {
        Evidence::Other("it changes registers that vISA does not have")
    } else if text.trim_ascii().is_empty() {
        Evidence::Other("it is empty")
    } else if text.contains(&b';') {
        Evidence::Other("vISA has no semicolons")
    } else {
        Evidence::None
    }
}

/// Returns the content of a block of a part of a file with this target.
pub(super) fn content(statement: Statement, target: Target) -> Content {
    match (evidence(&statement), target) {
        (_, Target::Visa) | (Evidence::Visa, _) => Content::Visa(statement),
        (Evidence::Other(reason), _) => Content::Other(reason),
        (Evidence::None, _) => Content::Other(UNKNOWN),
    }
}

/// Decides about the statements that tell nothing about their machines. They are vISA if the file is
/// known to be for GPUs, or if all other statements of the file are vISA. If there are no others,
/// those that the parser accepts are vISA.
pub(super) fn decide(blocks: &mut [Block], is_for_gpu: bool) {
    let is_decided = |block: &&Block| !block.is_undecided;
    let mut decided = blocks.iter().filter(is_decided).map(|block| &block.content).peekable();
    let has_others = decided.peek().is_some();
    let is_visa =
        is_for_gpu || has_others && !decided.any(|content| matches!(content, Content::Other(_)));
    // Macros repeat templates.
    let mut accepted: BTreeMap<Vec<u8>, bool> = BTreeMap::new();
    for block in blocks.iter_mut().filter(|block| block.is_undecided) {
        if !is_visa && (has_others || !is_accepted(&block.content, &mut accepted)) {
            *block = Block {
                function: block.function.take(),
                expansion: block.expansion.take(),
                ..Block::new(block.span.clone())
            };
        }
        block.is_undecided = false;
    }
}

/// Returns whether the parser accepts the template of a statement without operands, if it can be read.
fn is_accepted(content: &Content, known: &mut BTreeMap<Vec<u8>, bool>) -> bool {
    let Content::Visa(statement) = content else { return true };
    if let Some(is_accepted) = known.get(&statement.template) {
        return *is_accepted;
    }
    let report = Checker::new().check(statement);
    let is_accepted = report.findings.iter().all(|it| it.severity != Severity::Error);
    known.insert(statement.template.clone(), is_accepted);
    is_accepted
}
