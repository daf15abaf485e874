//! The statements of a kernel as a whole.
//!
//! The compiler inserts all templates of a kernel into one text, where they share labels and the variables
//! that are declared outside of braces. Templates are assumed to be in the text in the order of the file.
//! Which functions are inlined into a kernel is not known: what another function declares makes a
//! name unknown.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::{Block, Content};
use crate::context::{Context, Declaration};
use crate::finding::Unknown;
use crate::scan::{self, Scan, scan};
use crate::statement::Form;

/// A variable that templates of other statements can use.
struct Variable {
    /// The index of the block.
    block: usize,
    /// Whether its declaration has operands.
    is_unknown: bool,
    /// The declaration.
    line: String,
    /// The index of the block that closes the scope of the variable.
    end: usize,
}

/// The names that the statements of a file define.
#[derive(Default)]
struct Names<'b> {
    variables: BTreeMap<&'b [u8], Vec<Variable>>,
    /// The blocks that define each label.
    labels: BTreeMap<&'b [u8], Vec<usize>>,
}

/// Sets the contexts of the blocks of a file, which are in the order of the file.
pub(super) fn connect(blocks: &mut [Block]) {
    let scans: Vec<Option<Scan>> = blocks.iter().map(scan_of).collect();
    if scans.iter().all(Option::is_none) {
        return;
    }
    let mut contexts: Vec<Context> = blocks.iter().map(|_| Context::default()).collect();
    let ends = match_braces(blocks, &scans, &mut contexts);
    let names = names(blocks, &scans, &ends);
    if !names.variables.is_empty() || !names.labels.is_empty() {
        for (index, context) in contexts.iter_mut().enumerate() {
            names.add_to(context, blocks, index);
        }
    }
    for (block, context) in blocks.iter_mut().zip(contexts) {
        block.context = context;
    }
}

/// Returns the scan of a block that contributes to the blocks of its kernel.
fn scan_of(block: &Block) -> Option<Scan> {
    let Content::Visa(statement) = &block.content else { return None };
    let text: &[u8] = &statement.template;
    let is_relevant = text.iter().any(|byte| matches!(byte, b'{' | b'}'))
        || memchr::memmem::find(text, b".decl").is_some()
        || memchr::memchr(b':', text).is_some();
    is_relevant.then(|| scan(text))
}

/// Returns whether two blocks are variants of the same statement.
fn are_variants(a: &Block, b: &Block) -> bool {
    a.span == b.span && a.expansion == b.expansion
}

/// Records the braces that match across blocks. Returns for each block the index of the block that
/// closes its last scope.
fn match_braces(
    blocks: &[Block],
    scans: &[Option<Scan>],
    contexts: &mut [Context],
) -> BTreeMap<usize, usize> {
    let mut ends = BTreeMap::new();
    // The open braces of each function: the block and the offset.
    let mut open: BTreeMap<u32, Vec<(usize, usize)>> = BTreeMap::new();
    let mut previous: Option<usize> = None;
    for (index, scan) in scans.iter().enumerate() {
        let (Some(scan), Some(function)) = (scan, blocks[index].function_index) else { continue };
        // The first variant of a statement counts.
        if previous.is_some_and(|previous| are_variants(&blocks[previous], &blocks[index])) {
            continue;
        }
        previous = Some(index);
        let open = open.entry(function).or_default();
        for &at in &scan.unopened {
            let Some((block, brace)) = open.pop() else { break };
            contexts[block].braces.push(brace);
            contexts[index].braces.push(at);
            ends.insert(block, index);
        }
        open.extend(scan.unclosed.iter().map(|&at| (index, at)));
    }
    ends
}

/// Returns the names that the blocks define for others.
fn names<'b>(
    blocks: &'b [Block],
    scans: &[Option<Scan>],
    ends: &BTreeMap<usize, usize>,
) -> Names<'b> {
    let mut names = Names::default();
    for (index, (block, scan)) in blocks.iter().zip(scans).enumerate() {
        let (Some(scan), Content::Visa(statement)) = (scan, &block.content) else { continue };
        let text: &[u8] = &statement.template;
        let mark = match statement.form {
            Form::Llvm => Some(b'$'),
            Form::Gnu => Some(b'%'),
            Form::Basic => None,
        };
        // A name with an operand or `%=` is different in each template.
        let is_shared = |name: &Range<usize>| {
            !name.is_empty() && mark.is_none_or(|mark| text.get(name.end) != Some(&mark))
        };
        for of_template in &scan.statements {
            if let Some(name) = scan::label(text, of_template).filter(is_shared) {
                names.labels.entry(&text[name]).or_default().push(index);
            }
            // A scope that is closed in the same template ends there.
            let is_local = of_template.depth > scan.unclosed_before(of_template);
            let name = scan::declared_name(text, of_template).filter(is_shared);
            let Some(name) = name.filter(|_| !is_local) else { continue };
            let (line, is_unknown) = declaration(&text[of_template.span.clone()], mark);
            let is_outside = of_template.depth == 0;
            let end = if is_outside { None } else { ends.get(&index).copied() };
            let end = end.unwrap_or(blocks.len());
            let variable = Variable { block: index, is_unknown, line, end };
            names.variables.entry(&text[name]).or_default().push(variable);
        }
    }
    names
}

/// Returns the line of a declaration without the parts that contain operands, and whether there were
/// any.
fn declaration(line: &[u8], mark: Option<u8>) -> (String, bool) {
    let mut is_unknown = false;
    let mut text = String::new();
    for word in line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        if !mark.is_some_and(|mark| word.contains(&mark)) {
            text += &String::from_utf8_lossy(word);
            text.push(' ');
        } else {
            is_unknown = true;
            if word.starts_with(b"num_elts=") {
                text += "num_elts=16 ";
            }
        }
    }
    text.push('\n');
    (text, is_unknown)
}

impl Names<'_> {
    /// Adds the names that a block uses to its context.
    fn add_to(&self, context: &mut Context, blocks: &[Block], index: usize) {
        let Content::Visa(statement) = &blocks[index].content else { return };
        let text: &[u8] = &statement.template;
        let own = scan(text);
        let mut defined: BTreeSet<&[u8]> = BTreeSet::new();
        for of_template in &own.statements {
            let declared = scan::declared_name(text, of_template);
            defined.extend(declared.or(scan::label(text, of_template)).map(|name| &text[name]));
        }
        let mut declarations: BTreeMap<usize, Vec<Declaration>> = BTreeMap::new();
        for name in &defined {
            // The parser reports the second definition.
            let is_certain = |&other: &usize| is_in_sequence(blocks, other, index);
            let variables = self.variables.get(name).into_iter().flatten();
            let text = variables
                .filter(|it| is_certain(&it.block) && is_visible(blocks, it, index))
                .map(|it| (it.block, it.line.clone()));
            let labels = self.labels.get(name).into_iter().flatten().copied().filter(is_certain);
            let label = String::from_utf8_lossy(name) + ":\n";
            let text = text.chain(labels.map(|block| (block, label.clone().into_owned())));
            for (block, text) in text.take(1) {
                let declaration = Declaration { text, is_unknown: true };
                declarations.entry(block).or_default().push(declaration);
            }
        }
        let mut used: BTreeSet<&[u8]> = BTreeSet::new();
        let mut pending: Vec<&[u8]> = scan::words(text).map(|word| &text[word]).collect();
        while let Some(word) = pending.pop() {
            if defined.contains(word) || !used.insert(word) {
                continue;
            }
            let name = || String::from_utf8_lossy(word).into_owned();
            if let Some(variables) = self.variables.get(word) {
                let own = |variable: &&Variable| is_visible(blocks, variable, index);
                let (variable, is_certain) = match variables.iter().rev().find(own) {
                    Some(variable) => (variable, true),
                    // Another function may be inlined.
                    None => {
                        match variables.iter().find(|it| is_of_other(blocks, it.block, index)) {
                            Some(variable) => (variable, false),
                            None => continue,
                        }
                    }
                };
                let is_unknown = variable.is_unknown || !is_certain;
                if is_unknown {
                    context.unknown.push(Unknown::Variable(name()));
                }
                pending.extend(
                    scan::words(variable.line.as_bytes())
                        .map(|span| &variable.line.as_bytes()[span]),
                );
                let text = variable.line.clone();
                declarations
                    .entry(variable.block)
                    .or_default()
                    .push(Declaration { text, is_unknown });
            } else if let Some(definitions) = self.labels.get(word) {
                let is_own = |&other: &usize| is_same_function(blocks, other, index);
                if !definitions.iter().any(is_own) {
                    context.unknown.push(Unknown::Label(name()));
                }
                context.labels.push(name());
            }
        }
        context.declarations = declarations.into_values().flatten().collect();
    }
}

fn is_same_function(blocks: &[Block], a: usize, b: usize) -> bool {
    let function = |index: usize| blocks[index].function_index;
    function(a).is_some() && function(a) == function(b)
}

/// Returns whether a block is always compiled together with a later one.
fn is_in_sequence(blocks: &[Block], earlier: usize, later: usize) -> bool {
    let sequence = |index: usize| blocks[index].sequence;
    earlier < later
        && is_same_function(blocks, earlier, later)
        && sequence(earlier).is_some()
        && sequence(earlier) == sequence(later)
        && !are_variants(&blocks[earlier], &blocks[later])
}

fn is_of_other(blocks: &[Block], a: usize, b: usize) -> bool {
    !is_same_function(blocks, a, b) && !are_variants(&blocks[a], &blocks[b])
}

/// Returns whether a block can use a variable: it follows the declaration in the same function.
fn is_visible(blocks: &[Block], variable: &Variable, index: usize) -> bool {
    is_same_function(blocks, variable.block, index)
        && !are_variants(&blocks[variable.block], &blocks[index])
        && variable.block < index
        && index <= variable.end
}
