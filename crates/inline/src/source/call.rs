//! Calls of inline assembly in LLVM IR and MLIR: two strings, results and arguments.

use alloc::vec::Vec;
use core::ops::Range;

use super::Block;
use super::constraints::{self, Role};
use crate::constraint_string::split;
use crate::operand::Operand;
use crate::statement::Statement;
use crate::ty::Type;

/// What is known of an argument.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Argument {
    pub ty: Option<Type>,
    pub value: Option<u64>,
    /// Whether its value certainly differs between lanes.
    pub is_varying: bool,
}

/// The text of strings, with the bytes of the file that each byte is written as.
#[derive(Default)]
pub(super) struct Text {
    pub bytes: Vec<u8>,
    pub map: Vec<Range<u32>>,
    /// The end of the last string in the file, without its quote.
    end: usize,
}

impl Text {
    pub fn push(&mut self, byte: u8, span: Range<usize>) {
        self.bytes.push(byte);
        let offset = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        self.map.push(offset(span.start)..offset(span.end));
    }

    /// Adds a string that ends at an offset of the file: its bytes, and how each is written.
    pub fn push_string(
        &mut self,
        characters: impl Iterator<Item = (u8, Range<usize>)>,
        end: usize,
    ) {
        for (byte, span) in characters {
            self.push(byte, span);
        }
        self.end = end;
    }

    /// Returns the bytes of the file for a part of the text.
    fn file_span(&self, part: &Range<usize>) -> Range<usize> {
        let map = &self.map[part.clone()];
        match (map.first(), map.last()) {
            (Some(first), Some(last)) => first.start as usize..last.end as usize,
            _ => {
                let at = self.map.get(part.start).map(|span| span.start as usize);
                let at = at.unwrap_or(self.end);
                at..at
            }
        }
    }
}

/// Returns the block and the statement of a call. `results` returns the types of the results of a
/// call that has this number of outputs.
pub(super) fn block(
    span: Range<usize>,
    template: Text,
    constraints: &Text,
    results: impl FnOnce(usize) -> Vec<Option<Type>>,
    arguments: Vec<Argument>,
) -> (Block, Statement) {
    let split = split(&constraints.bytes);
    let mut block = Block::new(span);
    block.template_map = template.map;
    let mut statement = Statement { template: template.bytes, ..Statement::default() };
    let output_count = split
        .operands
        .iter()
        .filter(|span| constraints::role(&constraints.bytes[(*span).clone()]) == Role::Result)
        .count();
    let mut results = results(output_count).into_iter();
    let mut arguments = arguments.into_iter();
    for span in split.operands {
        let constraint = &constraints.bytes[span.clone()];
        let Argument { ty, value, is_varying } = match constraints::role(constraint) {
            Role::Result => Argument { ty: results.next().flatten(), ..Argument::default() },
            Role::Argument => arguments.next().unwrap_or_default(),
            Role::Label => Argument::default(),
        };
        let operand = constraints::operand(constraint, ty, value);
        statement.operands.push(Operand { is_varying, ..operand });
        block.constraint_spans.push(constraints.file_span(&span));
    }
    for span in split.clobbers {
        statement.clobbers.push(constraints::text(&constraints.bytes[span.clone()]));
        block.clobber_spans.push(constraints.file_span(&span));
    }
    (block, statement)
}
