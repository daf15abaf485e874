//! Values of string expressions.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::cell::Cell;
use core::ops::Range;

use tree_sitter::{Node, TreeCursor};

use crate::source::text::Text;

/// The maximum number of expressions in expressions.
const MAX_DEPTH: u32 = 32;

/// The maximum number of bytes of a value: names can repeat strings.
const MAX_VALUE: usize = 1 << 20;

/// The maximum number of values of a name.
const MAX_ALTERNATIVES: usize = 8;

/// The methods of strings that keep the text, apart from blanks at the starts and ends of lines.
const KEEP: [&str; 4] = ["strip", "lstrip", "rstrip", "encode"];

/// The functions that return their argument, apart from blanks.
const RETURN_ARGUMENT: [&str; 3] = ["constexpr", "dedent", "cleandoc"];

/// The string expressions of a file.
pub(super) struct Strings<'s, 't> {
    source: &'s [u8],
    /// The assignments to each name.
    names: BTreeMap<&'s [u8], Vec<Assignment<'t>>>,
    /// The names that `global` and `nonlocal` declare. Any function may assign to them.
    shared: BTreeSet<&'s [u8]>,
    /// The functions in the order of the file.
    functions: Vec<Function>,
    /// The number of bytes and assignments that may still be read. The limit keeps the time linear.
    budget: Cell<usize>,
}

/// A function of the file.
struct Function {
    span: Range<usize>,
    /// The index of the function that contains it.
    parent: Option<usize>,
}

/// An assignment to a name.
struct Assignment<'t> {
    /// The index of the function that contains it.
    function: Option<usize>,
    /// The value; `None` if it is not known.
    value: Option<Node<'t>>,
}

/// Returns the bytes of a node.
fn offsets(node: Node<'_>) -> Range<u32> {
    node.start_byte() as u32..node.end_byte() as u32
}

/// Returns the index of the innermost function that contains an offset.
fn function_at(functions: &[Function], offset: usize) -> Option<usize> {
    let last = functions.partition_point(|function| function.span.start <= offset).checked_sub(1);
    let mut index = last;
    while let Some(function) = index.map(|index| &functions[index]) {
        if offset < function.span.end {
            return index;
        }
        index = function.parent;
    }
    None
}

/// Returns the names that a node binds itself, apart from those that the nodes in it bind.
fn targets<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let field = match node.kind() {
        "assignment" | "augmented_assignment" | "for_statement" | "for_in_clause" => "left",
        "named_expression" | "function_definition" | "class_definition" => "name",
        "default_parameter" | "typed_default_parameter" => "name",
        "aliased_import" | "except_clause" => "alias",
        "as_pattern"
        | "as_pattern_target"
        | "dictionary_splat_pattern"
        | "dotted_name"
        | "keyword_pattern"
        | "lambda_parameters"
        | "list_pattern"
        | "list_splat_pattern"
        | "parameters"
        | "pattern_list"
        | "splat_pattern"
        | "tuple_pattern"
        | "typed_parameter" => "",
        _ => return Vec::new(),
    };
    let mut pending: Vec<Node<'t>> = match field {
        "" => node.named_children(&mut node.walk()).collect(),
        _ => node.child_by_field_name(field).into_iter().collect(),
    };
    let mut names = Vec::new();
    while let Some(target) = pending.pop() {
        match target.kind() {
            "identifier" => names.push(target),
            // The targets of `with` are expressions.
            "tuple" | "list" | "parenthesized_expression" => {
                pending.extend(target.named_children(&mut target.walk()));
            }
            _ => {}
        }
    }
    names
}

/// How the parts of a string are replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    None,
    /// `"{}".format(..)`.
    Braces,
    /// `"%d" % ..`.
    Percent,
}

/// Returns whether an expression is a string literal, or several.
pub(super) fn is_literal(node: Node<'_>) -> bool {
    matches!(node.kind(), "string" | "concatenated_string")
}

/// Returns whether an expression makes a string of literals.
pub(super) fn is_string(node: Node<'_>) -> bool {
    match node.kind() {
        "string" | "concatenated_string" => true,
        "binary_operator" => {
            let operand = |name| node.child_by_field_name(name);
            // The first operand of several additions is the innermost.
            let mut first = operand("left");
            for _ in 0..MAX_DEPTH {
                let inner = first.filter(|it| it.kind() == "binary_operator");
                let Some(inner) = inner else { break };
                first = inner.child_by_field_name("left");
            }
            first.into_iter().chain(operand("right")).any(is_literal)
        }
        "call" => {
            let object = node.child_by_field_name("function");
            object.and_then(|it| it.child_by_field_name("object")).is_some_and(is_literal)
        }
        _ => false,
    }
}

impl<'s, 't> Strings<'s, 't> {
    pub(super) fn new(source: &'s [u8], mut cursor: TreeCursor<'t>) -> Strings<'s, 't> {
        let mut names: BTreeMap<&[u8], Vec<_>> = BTreeMap::new();
        let mut shared = BTreeSet::new();
        let mut functions: Vec<Function> = Vec::new();
        super::walk(&mut cursor, |node, is_entered| {
            if !is_entered {
                return false;
            }
            let text = |name: Node<'t>| source.get(name.byte_range()).unwrap_or_default();
            let value = match node.kind() {
                "assignment" => node.child_by_field_name("right"),
                _ => None,
            };
            for name in targets(node) {
                let function = function_at(&functions, name.start_byte());
                names.entry(text(name)).or_default().push(Assignment { function, value });
            }
            match node.kind() {
                "function_definition" => {
                    let parent = function_at(&functions, node.start_byte());
                    functions.push(Function { span: node.byte_range(), parent });
                }
                "global_statement" | "nonlocal_statement" => {
                    shared.extend(node.named_children(&mut node.walk()).map(text));
                }
                _ => {}
            }
            true
        });
        let budget = Cell::new((1 << 20) + 16 * source.len());
        Strings { source, names, shared, functions, budget }
    }

    /// Returns whether so many more bytes or assignments may be read.
    fn spend(&self, count: usize) -> bool {
        let left = self.budget.get().checked_sub(count);
        self.budget.set(left.unwrap_or(0));
        left.is_some()
    }

    fn bytes(&self, span: Range<usize>) -> &'s [u8] {
        self.source.get(span).unwrap_or_default()
    }

    /// Returns the values of a name in the function that uses it, or outside of functions. The list is
    /// empty if they are not all known, or are too many.
    fn assigned(&self, name: Node<'t>) -> Vec<Node<'t>> {
        let text = self.bytes(name.byte_range());
        let Some(all) = self.names.get(text) else { return Vec::new() };
        if self.shared.contains(text) {
            return Vec::new();
        }
        let mut function = function_at(&self.functions, name.start_byte());
        loop {
            if !self.spend(all.len()) {
                return Vec::new();
            }
            let here = all.iter().filter(|assignment| assignment.function == function);
            let values = here.map(|assignment| assignment.value);
            let values: Vec<Option<Node<'t>>> = values.take(MAX_ALTERNATIVES + 1).collect();
            if values.len() > MAX_ALTERNATIVES {
                return Vec::new();
            }
            if !values.is_empty() {
                return values.into_iter().collect::<Option<_>>().unwrap_or_default();
            }
            let Some(inner) = function else { return Vec::new() };
            function = self.functions[inner].parent;
        }
    }

    /// Returns the expressions whose values an expression may have: those that are assigned to a name,
    /// and those of a condition.
    pub(super) fn alternatives(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut found = Vec::new();
        let mut pending = Vec::from([(node, 0)]);
        while let Some((node, depth)) = pending.pop() {
            let node = self.argument(node, 0);
            let several = match node.kind() {
                _ if depth == MAX_DEPTH || found.len() + pending.len() >= MAX_ALTERNATIVES => {
                    Vec::new()
                }
                "identifier" => self.assigned(node),
                "conditional_expression" => {
                    [0, 2].into_iter().filter_map(|index| node.named_child(index)).collect()
                }
                _ => Vec::new(),
            };
            if several.is_empty() {
                found.push(node);
            }
            pending.extend(several.into_iter().rev().map(|node| (node, depth + 1)));
        }
        found
    }

    /// Returns the value of a number.
    pub(super) fn integer(&self, node: Node<'t>) -> Option<u64> {
        let node = self.argument(node, 0);
        core::str::from_utf8(self.bytes(node.byte_range())).ok()?.parse().ok()
    }

    /// Returns the value of a string expression. Parts that are not known are holes.
    pub(super) fn value(&self, node: Node<'t>) -> Text {
        let mut text = Text::default();
        self.append(node, Format::None, 0, &mut text);
        text
    }

    /// Returns whether at least a part of a string expression is known.
    pub(super) fn is_known(&self, node: Node<'t>) -> bool {
        let node = self.argument(node, 0);
        is_string(node) || self.joined(node).is_some()
    }

    /// Returns the expression that a name or a function that returns its argument refers to.
    fn argument(&self, node: Node<'t>, depth: u32) -> Node<'t> {
        let inner = match node.kind() {
            _ if depth == MAX_DEPTH => None,
            "identifier" => match self.assigned(node)[..] {
                [only] => Some(only),
                _ => None,
            },
            "parenthesized_expression" => node.named_child(0),
            "call" => {
                let function = node.child_by_field_name("function");
                let name = function.map(|it| it.child_by_field_name("attribute").unwrap_or(it));
                let name = name.map_or(&b""[..], |name| self.bytes(name.byte_range()));
                let is = |names: &[&str]| names.iter().any(|known| known.as_bytes() == name);
                let object = function.and_then(|it| it.child_by_field_name("object"));
                let arguments = node.child_by_field_name("arguments");
                match () {
                    () if is(&RETURN_ARGUMENT) => arguments.and_then(|list| list.named_child(0)),
                    () if is(&KEEP) => object,
                    () => None,
                }
            }
            _ => None,
        };
        inner.map_or(node, |inner| self.argument(inner, depth + 1))
    }

    /// Returns the separator and the list of `"separator".join([..])`.
    fn joined(&self, call: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
        let function = call.child_by_field_name("function")?;
        let name = function.child_by_field_name("attribute")?;
        let list = call.child_by_field_name("arguments")?.named_child(0)?;
        let is_join = self.bytes(name.byte_range()) == b"join" && super::types::is_list(list);
        function.child_by_field_name("object").filter(|_| is_join).map(|object| (object, list))
    }

    fn append(&self, node: Node<'t>, format: Format, depth: u32, text: &mut Text) {
        let node = self.argument(node, depth);
        let is_known = depth < MAX_DEPTH && text.bytes.len() <= MAX_VALUE;
        if !is_known || !self.spend(node.end_byte() - node.start_byte()) {
            return text.push_hole(offsets(node));
        }
        let field = |name| node.child_by_field_name(name);
        match node.kind() {
            "string" => self.literal(node, format, depth, text),
            "concatenated_string" => {
                for literal in node.named_children(&mut node.walk()) {
                    if literal.kind() != "comment" {
                        self.append(literal, format, depth + 1, text);
                    }
                }
            }
            "integer" if depth > 0 => self.characters(node.byte_range(), text),
            "binary_operator" => {
                let operator = field("operator").map_or("", |operator| operator.kind());
                match (operator, field("left"), field("right")) {
                    ("+", Some(left), Some(right)) => {
                        self.append(left, format, depth + 1, text);
                        self.append(right, format, depth + 1, text);
                    }
                    ("%", Some(left), _) => self.append(left, Format::Percent, depth + 1, text),
                    _ => text.push_hole(offsets(node)),
                }
            }
            "call" => {
                if let Some((separator, list)) = self.joined(node) {
                    for (index, item) in list.named_children(&mut list.walk()).enumerate() {
                        if index > 0 {
                            self.append(separator, format, depth + 1, text);
                        }
                        self.append(item, format, depth + 1, text);
                    }
                    return;
                }
                let function = field("function");
                let part = |name| function.and_then(|it| it.child_by_field_name(name));
                let name = part("attribute").map(|name| self.bytes(name.byte_range()));
                match part("object") {
                    Some(object) if name == Some(b"format") => {
                        self.append(object, Format::Braces, depth + 1, text);
                    }
                    _ => text.push_hole(offsets(node)),
                }
            }
            _ => text.push_hole(offsets(node)),
        }
    }

    /// Appends the value of a literal.
    fn literal(&self, node: Node<'t>, format: Format, depth: u32, text: &mut Text) {
        let parts: Vec<Node<'t>> = node.children(&mut node.walk()).collect();
        let prefix = parts.first().map_or(&b""[..], |start| self.bytes(start.byte_range()));
        let is_raw = prefix.iter().any(|byte| byte.eq_ignore_ascii_case(&b'r'));
        let first = text.bytes.len();
        for part in parts {
            match part.kind() {
                "string_content" if is_raw => self.characters(part.byte_range(), text),
                "string_content" => self.content(part, text),
                "interpolation" => {
                    let value = part.child_by_field_name("expression");
                    let is_plain = part.child_by_field_name("format_specifier").is_none();
                    match value.filter(|_| is_plain) {
                        Some(value) => self.interpolation(value, part, depth, text),
                        None => text.push_hole(offsets(part)),
                    }
                }
                _ => {}
            }
        }
        match format {
            Format::None => {}
            Format::Braces => text.replace_fields(first, b'{', |rest| {
                Some(rest.iter().position(|byte| *byte == b'}')? + 1)
            }),
            Format::Percent => text.replace_fields(first, b'%', |rest| {
                Some(rest.iter().position(|byte| byte.is_ascii_alphabetic())? + 1)
            }),
        }
    }

    /// Appends a value in braces of a literal, whose place is the braces.
    fn interpolation(&self, value: Node<'t>, braces: Node<'t>, depth: u32, text: &mut Text) {
        let first = text.bytes.len();
        self.append(value, Format::None, depth + 1, text);
        text.map[first..].fill(offsets(braces));
    }

    /// Appends bytes of the file.
    fn characters(&self, span: Range<usize>, text: &mut Text) {
        for (index, byte) in self.bytes(span.clone()).iter().enumerate() {
            let at = (span.start + index) as u32;
            text.push(*byte, at..at + 1);
        }
    }

    /// Appends the contents of a literal without escapes.
    fn content(&self, content: Node<'t>, text: &mut Text) {
        let mut at = content.start_byte();
        for part in content.children(&mut content.walk()) {
            let span = part.byte_range();
            self.characters(at..span.start.max(at), text);
            at = span.end.max(at);
            let place = offsets(part);
            match part.kind() {
                "escape_interpolation" => {
                    if let Some(brace) = self.bytes(span).first() {
                        text.push(*brace, place);
                    }
                }
                // The name of a character.
                "escape_sequence" if self.bytes(span.clone()).starts_with(b"\\N{") => {
                    text.push_hole(place);
                }
                "escape_sequence" => match unescape(self.bytes(span.clone())) {
                    Some(Some(character)) => {
                        for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                            text.push(byte, place.clone());
                        }
                    }
                    // A line that continues.
                    Some(None) => {}
                    None => self.characters(span, text),
                },
                _ => self.characters(span, text),
            }
        }
        self.characters(at..content.end_byte(), text);
    }
}

/// Returns the character of an escape sequence: `Some(None)` for a line that continues, and `None` if the
/// sequence is its own text.
fn unescape(sequence: &[u8]) -> Option<Option<char>> {
    let code = |digits: &[u8], radix| {
        let digits = core::str::from_utf8(digits).ok()?;
        Some(char::from_u32(u32::from_str_radix(digits, radix).ok()?))
    };
    let character = match sequence.get(1)? {
        b'\n' | b'\r' => return Some(None),
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'a' => '\x07',
        b'b' => '\x08',
        b'f' => '\x0c',
        b'v' => '\x0b',
        byte @ (b'\\' | b'\'' | b'"') => char::from(*byte),
        b'x' | b'u' | b'U' => return code(&sequence[2..], 16),
        b'0'..=b'7' => return code(&sequence[1..], 8),
        _ => return None,
    };
    Some(Some(character))
}
