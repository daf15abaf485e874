//! Calls of inline assembly in LLVM IR and MLIR: two strings, results and arguments.

use alloc::vec::Vec;
use core::ops::Range;

use super::Block;
use super::constraints::{self, Role};
use super::text::Text;
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

impl Argument {
    /// Returns an argument of a type.
    pub fn of(ty: Option<Type>) -> Argument {
        Argument { ty, ..Argument::default() }
    }
}

/// The most elements of a tensor that an operation of Triton may have at a time.
const MAX_PACKED: u32 = 64;

/// Returns the types of the operands of assembly into which Triton packs so many elements of each
/// tensor: elements of less than 32 bits share an operand of at most 32 bits. The result is empty if the
/// number of operands is not known.
pub(super) fn packed(elements: &[Option<Type>], count: u32) -> Vec<Option<Type>> {
    let mut operands = Vec::new();
    let count = count.clamp(1, MAX_PACKED);
    for element in elements {
        let Some(Type { element, .. }) = *element else {
            if count > 1 {
                return Vec::new();
            }
            operands.push(None);
            continue;
        };
        let components = (4 / element.size()).clamp(1, count);
        let ty = Type { element, components };
        operands.extend((0..count.div_ceil(components)).map(|_| Some(ty)));
    }
    operands
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
