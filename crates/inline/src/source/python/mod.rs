//! Inline assembly in Python: calls of Triton's `inline_asm_elementwise`, and source code in strings.

mod strings;
mod types;

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use tree_sitter::{Node, Parser, TreeCursor};

use super::call::{self, Argument};
use super::evidence::content;
use super::nested::{Nested, may_contain_assembly};
use super::{Block, Content, Search, Source, SourceError};
use crate::statement::Path;
use crate::ty::Type;
use strings::Strings;

/// The function whose arguments are a template and its constraints.
pub(super) const FUNCTION: &str = "inline_asm_elementwise";

/// The maximum number of characters of an expression in a message.
const MAX_SHOWN: usize = 40;

/// Finds the inline assembly in a file, or in the value of a string of a file.
pub(super) fn find(source: &[u8], search: &Search, is_nested: bool) -> Source {
    let mut found = Source::default();
    // Offsets have 32 bits.
    let source = &source[..source.len().min(u32::MAX as usize / 2)];
    if !may_contain_assembly(source) {
        return found;
    }
    let mut parser = Parser::new();
    let is_supported = parser.set_language(&tree_sitter_python::LANGUAGE.into()).is_ok();
    let tree = if is_supported { parser.parse(source, None) } else { None };
    let Some(tree) = tree else {
        found.error = Some(SourceError::new(0, "the parser of Python failed"));
        return found;
    };
    let strings = Strings::new(source, tree.walk());
    let mut reader = Reader { source, search, strings, functions: Vec::new(), function_count: 0 };
    let mut code = Vec::new();
    walk(&mut tree.walk(), |node, is_entered| {
        reader.visit(node, is_entered, &mut found, &mut code)
    });
    if !is_nested {
        let mut nested = Nested::new(search, &found);
        let contains_assembly = |node: &Node<'_>| {
            may_contain_assembly(source.get(node.byte_range()).unwrap_or_default())
        };
        for expression in code.into_iter().filter(contains_assembly) {
            let text = reader.strings.value(expression);
            if may_contain_assembly(&text.bytes) {
                nested.find(&text, &mut found);
            }
        }
        found.blocks.sort_by_key(|block| block.span.start);
    }
    found
}

/// Visits the nodes of a tree, each before and after the nodes in it. The nodes in it are skipped if
/// `visit` returns false before them.
fn walk<'t>(cursor: &mut TreeCursor<'t>, mut visit: impl FnMut(Node<'t>, bool) -> bool) {
    loop {
        let is_entered = visit(cursor.node(), true);
        if is_entered && cursor.goto_first_child() {
            continue;
        }
        loop {
            visit(cursor.node(), false);
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

struct Reader<'s, 't> {
    source: &'s [u8],
    search: &'s Search,
    strings: Strings<'s, 't>,
    /// The functions around the current node, by their nodes: names and numbers.
    functions: Vec<(usize, Arc<str>, u32)>,
    function_count: u32,
}

/// The arguments of a call.
#[derive(Default)]
struct Arguments<'t> {
    by_position: Vec<Node<'t>>,
    by_name: BTreeMap<&'t str, Node<'t>>,
}

impl<'s: 't, 't> Reader<'s, 't> {
    /// Visits a node. Returns whether to visit the nodes in it. String expressions are added to `code`.
    fn visit(
        &mut self,
        node: Node<'t>,
        is_entered: bool,
        found: &mut Source,
        code: &mut Vec<Node<'t>>,
    ) -> bool {
        if !is_entered {
            if self.functions.last().is_some_and(|(id, ..)| *id == node.id()) {
                self.functions.pop();
            }
            return false;
        }
        match node.kind() {
            "function_definition" => {
                let name = node.child_by_field_name("name").map_or("", |name| self.text(name));
                self.functions.push((node.id(), name.into(), self.function_count));
                self.function_count += 1;
            }
            // A docstring.
            "expression_statement" => {
                let only = node.named_child(0).filter(|_| node.named_child_count() == 1);
                return only.is_none_or(|only| !strings::is_literal(only));
            }
            "call" if self.callee(node) == FUNCTION => {
                self.add_blocks(node, &mut found.blocks);
                return false;
            }
            _ if strings::is_string(node) => {
                code.push(node);
                return false;
            }
            _ => {}
        }
        true
    }

    fn text(&self, node: Node<'t>) -> &'s str {
        let bytes = self.source.get(node.byte_range()).unwrap_or_default();
        core::str::from_utf8(bytes).unwrap_or_default()
    }

    /// Returns the name of the function that a call calls, without what precedes it.
    fn callee(&self, call: Node<'t>) -> &'s str {
        let Some(function) = call.child_by_field_name("function") else { return "" };
        self.text(function.child_by_field_name("attribute").unwrap_or(function))
    }

    fn arguments(&self, call: Node<'t>) -> Arguments<'t> {
        let mut arguments = Arguments::default();
        let Some(list) = call.child_by_field_name("arguments") else { return arguments };
        for argument in list.named_children(&mut list.walk()) {
            let name = argument.child_by_field_name("name");
            match (argument.kind(), name, argument.child_by_field_name("value")) {
                ("keyword_argument", Some(name), Some(value)) => {
                    arguments.by_name.insert(self.text(name), value);
                }
                ("comment", ..) => {}
                _ => arguments.by_position.push(argument),
            }
        }
        arguments
    }

    /// Adds the blocks of a call of the function: one for each template.
    fn add_blocks(&self, call: Node<'t>, blocks: &mut Vec<Block>) {
        let Arguments { by_position, by_name } = self.arguments(call);
        // PyTorch's function takes the operands first, and the others by name.
        let is_of_torch = by_name.contains_key("asm_str");
        let get = |name: &str, position: usize| {
            let named = by_name.get(name).copied();
            named.or_else(|| by_position.get(position).copied().filter(|_| !is_of_torch))
        };
        let template = get(if is_of_torch { "asm_str" } else { "asm" }, 0);
        let Some((template, constraints)) = template.zip(get("constraints", 1)) else { return };
        let packed = get("pack", 5).map_or(Some(1), |pack| self.strings.integer(pack));
        let outputs: Vec<Option<Type>> = match get("dtype", 3) {
            Some(types) if types::is_list(types) => {
                types.named_children(&mut types.walk()).map(|ty| types::of(self.text(ty))).collect()
            }
            Some(ty) => Vec::from([types::of(self.text(ty))]),
            None => Vec::new(),
        };
        let inputs: Vec<Option<Type>> = match get("args", 2) {
            Some(list) if types::is_list(list) => {
                let inputs = list.named_children(&mut list.walk()).collect::<Vec<_>>();
                inputs.into_iter().map(|input| self.type_of(input)).collect()
            }
            _ => Vec::new(),
        };
        let pack = |types: &[Option<Type>]| match packed.and_then(|count| count.try_into().ok()) {
            Some(count) => call::packed(types, count),
            None => Vec::new(),
        };
        let (inputs, outputs) = (pack(&inputs), pack(&outputs));
        for template in self.strings.alternatives(template) {
            let unknown = [(template, "template"), (constraints, "constraints")];
            let problem = unknown.into_iter().find(|(node, _)| !self.strings.is_known(*node));
            let mut text = self.strings.value(template);
            let holes = text.take_holes();
            let constraints = self.strings.value(constraints);
            let arguments = inputs.iter().copied().map(Argument::of).collect();
            let (span, results) = (call.byte_range(), |_| outputs.clone());
            let (mut block, mut statement) =
                call::block(span, text, &constraints, results, arguments);
            statement.holes = holes;
            let function = self.functions.last();
            block.function = function.map(|(_, name, _)| name.clone());
            block.function_index = function.map(|(.., index)| *index);
            block.path = Some(Path::Simt);
            let target = self.search.default_target();
            block.content = match (content(statement, target), problem) {
                (Content::Visa(_), Some((node, what))) => self.built_at_run_time(node, what),
                (content, _) => content,
            };
            blocks.push(block);
        }
    }

    fn built_at_run_time(&self, node: Node<'t>, what: &str) -> Content {
        let shown: String = self.text(node).chars().take(MAX_SHOWN).collect();
        let advice = "check the final strings with `genvisa.check_template`";
        Content::Unreadable(format!("the {what} `{shown}` is built at run time; {advice}"))
    }

    /// Returns the type of a tensor: that of a conversion such as `x.to(tl.float32)`.
    fn type_of(&self, tensor: Node<'t>) -> Option<Type> {
        if tensor.kind() != "call" || !matches!(self.callee(tensor), "to" | "cast") {
            return None;
        }
        let Arguments { by_position, by_name } = self.arguments(tensor);
        let ty = by_name.get("dtype").copied().or_else(|| by_position.last().copied())?;
        types::of(self.text(ty))
    }
}
