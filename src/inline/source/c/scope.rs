//! The functions and lambdas that contain a statement, with their attributes and declarations.

use alloc::string::String;
use alloc::vec::Vec;

use super::expand::Expander;
use super::lexer::{Kind, Token};
use super::types::{Declarations, Names, Reader};
use super::value;
use crate::inline::statement::Lanes;

/// What an open brace contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// The file, a namespace or a type: it contains functions.
    Declarations,
    /// The body of a function or a lambda.
    Function,
    Other,
}

/// An open bracket.
#[derive(Clone, Copy, Debug)]
struct Open {
    byte: u8,
    scope: Scope,
    /// The index of the first token of the current statement in it.
    statement: usize,
    /// Whether it is the parenthesis of `if`, `for` and so on.
    is_control: bool,
}

/// A function or a lambda.
#[derive(Debug)]
struct Function {
    name: Option<String>,
    /// The numbers of lanes that its attributes require.
    lanes: Vec<Option<Lanes>>,
}

/// The scopes at a token.
pub(super) struct Scopes {
    open: Vec<Open>,
    functions: Vec<Function>,
    pub(super) declarations: Declarations,
    /// For each open preprocessor conditional, the number of brackets at its start.
    conditionals: Vec<usize>,
    /// The last token.
    previous: Option<Token>,
    /// Whether the last token is the parenthesis after `if (..`, `for (..` and so on.
    after_control: bool,
    /// How many tokens of declarations may still be read. It keeps the time linear.
    budget: usize,
}

/// The kind of text before a brace.
enum Head {
    Function { name: Option<String>, parameters: core::ops::Range<usize> },
    Declarations,
    Other,
}

/// How many tokens before a brace are read.
const MAX_HEAD: usize = 1024;

/// How many attributes of a function are read.
const MAX_LANES: usize = 16;

/// How many functions within functions have declarations.
const MAX_FUNCTIONS: usize = 64;

impl Scopes {
    pub(super) fn new(budget: usize) -> Scopes {
        let file = Open { byte: b'{', scope: Scope::Declarations, statement: 0, is_control: false };
        Scopes {
            open: alloc::vec![file],
            functions: Vec::new(),
            declarations: Declarations::default(),
            conditionals: Vec::new(),
            previous: None,
            after_control: false,
            budget,
        }
    }

    /// Returns the name of the function.
    pub(super) fn function(&self) -> Option<String> {
        self.functions.iter().rev().find_map(|function| function.name.clone())
    }

    /// Returns whether no function is open, nor another brace that may be its start.
    pub(super) fn is_file_scope(&self) -> bool {
        self.functions.is_empty() && self.open.iter().all(|open| open.scope == Scope::Declarations)
    }

    /// Returns the number of lanes that the innermost attribute requires.
    pub(super) fn lanes(&self) -> Option<Lanes> {
        let with_lanes = self.functions.iter().rev().find(|function| !function.lanes.is_empty())?;
        let (first, rest) = with_lanes.lanes.split_first()?;
        first.filter(|_| rest.iter().all(|other| other == first))
    }

    /// Returns whether the last token can end a declarator, which `asm("name")` may follow.
    pub(super) fn is_after_declarator(&self, expander: &Expander<'_>) -> bool {
        let Some(previous) = &self.previous else { return false };
        match previous.kind {
            Kind::Identifier => {
                let text = expander.text(previous);
                !matches!(&*text, b"else" | b"do" | b"return" | b"__extension__")
            }
            Kind::Punctuation(b')' | b']') => !self.after_control,
            _ => false,
        }
    }

    /// Returns whether the last token is `.` or `->`.
    pub(super) fn is_after_member_operator(&self) -> bool {
        self.previous.is_some_and(|token| token.is(b'.') || token.is(b'>'))
    }

    /// Records the end of an inline assembly statement or another part that was skipped.
    pub(super) fn skip(&mut self, last: Option<Token>) {
        self.previous = last;
        self.after_control = false;
    }

    pub(super) fn begin_conditional(&mut self) {
        self.conditionals.push(self.open.len());
    }

    /// Closes the brackets that the last branch has opened.
    pub(super) fn next_branch(&mut self) {
        if let Some(&count) = self.conditionals.last() {
            while self.open.len() > count {
                self.pop();
            }
        }
    }

    pub(super) fn end_conditional(&mut self) {
        self.conditionals.pop();
    }

    fn pop(&mut self) {
        if self.open.len() > 1 && self.open.pop().is_some_and(|open| open.scope == Scope::Function)
        {
            self.functions.pop();
            self.declarations.functions.truncate(self.functions.len());
        }
    }

    /// Proceeds to a token.
    pub(super) fn step(&mut self, expander: &Expander<'_>, tokens: &[Token], index: usize) {
        let token = tokens[index];
        let Some(&top) = self.open.last() else { return };
        if index == top.statement && (top.byte == b'{' || top.is_control) {
            self.declare(expander, &tokens[index..]);
        }
        let after_control = core::mem::take(&mut self.after_control);
        match token.kind {
            Kind::Punctuation(b'{') => {
                let scope = self.enter(expander, &tokens[top.statement..index]);
                self.push(b'{', scope, index + 1, false);
            }
            Kind::Punctuation(byte @ (b'(' | b'[')) => {
                let control = |token: &Token| {
                    let text = expander.text(token);
                    matches!(
                        &*text,
                        b"if" | b"for" | b"while" | b"switch" | b"catch" | b"constexpr"
                    )
                };
                let is_control = byte == b'(' && self.previous.as_ref().is_some_and(control);
                self.push(byte, Scope::Other, index + 1, is_control);
            }
            Kind::Punctuation(byte @ (b')' | b']')) => {
                let opening = if byte == b')' { b'(' } else { b'[' };
                if top.byte == opening && self.open.len() > 1 {
                    self.pop();
                    if top.is_control {
                        self.after_control = true;
                        self.begin_statement(index + 1);
                    }
                }
            }
            Kind::Punctuation(b'}') => {
                while self.open.last().is_some_and(|open| open.byte != b'{') {
                    self.pop();
                }
                self.pop();
                let in_braces = self.open.last().is_some_and(|open| open.byte == b'{');
                if in_braces {
                    self.begin_statement(index + 1);
                }
            }
            Kind::Punctuation(b';') => self.begin_statement(index + 1),
            Kind::Punctuation(b',') if top.byte == b'(' && !top.is_control => {
                self.begin_statement(index + 1);
            }
            Kind::Punctuation(b':') if top.byte == b'{' => {
                let statement = &tokens[top.statement..index];
                let is_label = match statement {
                    [label] => label.kind == Kind::Identifier,
                    [first, ..] => {
                        expander.is_word(first, "case") || expander.is_word(first, "default")
                    }
                    [] => false,
                };
                if is_label {
                    self.begin_statement(index + 1);
                }
            }
            _ => self.after_control = after_control && matches!(token.kind, Kind::Directive(_)),
        }
        if !matches!(token.kind, Kind::Directive(_)) {
            self.previous = Some(token);
        }
    }

    /// Proceeds past a directive.
    pub(super) fn directive(&mut self, index: usize) {
        if let Some(open) = self.open.last_mut() {
            if open.statement == index {
                open.statement = index + 1;
            }
        }
    }

    fn begin_statement(&mut self, index: usize) {
        if let Some(open) = self.open.last_mut() {
            open.statement = index;
        }
    }

    fn push(&mut self, byte: u8, scope: Scope, statement: usize, is_control: bool) {
        self.open.push(Open { byte, scope, statement, is_control });
    }

    /// Reads the text before a brace.
    fn enter(&mut self, expander: &Expander<'_>, head: &[Token]) -> Scope {
        let head = &head[head.len().saturating_sub(MAX_HEAD)..];
        let head: Vec<Token> = head
            .iter()
            .copied()
            .filter(|token| !matches!(token.kind, Kind::Directive(_)))
            .collect();
        let braces = self.open.iter().rev().find(|open| open.byte == b'{');
        let in_declarations = braces.is_some_and(|open| open.scope == Scope::Declarations);
        let reader = Reader { expander, declarations: &self.declarations, tokens: &head };
        let (name, parameters) = match classify(expander, &reader, in_declarations) {
            Head::Function { name, parameters } => (name, parameters),
            Head::Declarations => return Scope::Declarations,
            Head::Other => return Scope::Other,
        };
        let lanes = lanes(expander, &reader);
        let mut names = Names::default();
        for (name, ty) in reader.of(head.get(parameters).unwrap_or_default()).parameters().names {
            names.add(&name, ty);
        }
        self.functions.push(Function { name, lanes });
        if self.declarations.functions.len() < MAX_FUNCTIONS {
            self.declarations.functions.push(names);
        }
        Scope::Function
    }

    /// Reads the declaration that a statement may be.
    fn declare(&mut self, expander: &Expander<'_>, tokens: &[Token]) {
        let Some(first) = tokens.first().filter(|token| token.kind == Kind::Identifier) else {
            return;
        };
        let first = expander.text(first).into_owned();
        let is_local = !self.functions.is_empty();
        if !is_local && !matches!(&*first, b"typedef" | b"using" | b"enum") {
            return;
        }
        let end = declaration_end(tokens);
        if self.budget < end {
            self.declarations.is_incomplete = true;
            return;
        }
        self.budget -= end;
        let tokens: Vec<Token> = tokens[..end]
            .iter()
            .copied()
            .filter(|token| !matches!(token.kind, Kind::Directive(_)))
            .collect();
        let reader = Reader { expander, declarations: &self.declarations, tokens: &tokens };
        if let b"enum" | b"typedef" = &*first {
            let constants = enumerators(&reader);
            if !constants.is_empty() {
                for (name, value) in constants {
                    self.declarations.constants.add(&name, value);
                }
                return;
            }
        }
        if *first == *b"using" {
            let [_, name, equals, ty @ ..] = &tokens[..] else { return };
            if equals.is(b'=') {
                let name = expander.text(name).into_owned();
                let ty = reader.of(ty).type_name();
                self.declarations.typedefs.add(&name, ty);
            }
            return;
        }
        let Some(declared) = reader.declaration() else { return };
        for (name, ty) in declared.names {
            if declared.is_typedef {
                self.declarations.typedefs.add(&name, ty);
            } else if let Some(names) = self.declarations.functions.last_mut() {
                names.add(&name, ty);
            }
        }
    }
}

/// Returns the index of the `;` of a declaration, or of the end of what is read of it.
fn declaration_end(tokens: &[Token]) -> usize {
    let mut depth = 0_u32;
    for (index, token) in tokens.iter().enumerate().take(MAX_HEAD) {
        match token.kind {
            Kind::Punctuation(b'(' | b'[' | b'{') => depth += 1,
            Kind::Punctuation(b')' | b']' | b'}') if depth == 0 => return index,
            Kind::Punctuation(b')' | b']' | b'}') => depth -= 1,
            Kind::Punctuation(b';') if depth == 0 => return index,
            // The body of a lambda is read on its own.
            Kind::Punctuation(b';') if index > MAX_HEAD / 8 => return index,
            _ => {}
        }
    }
    tokens.len().min(MAX_HEAD)
}

/// Returns the constants of an enumeration.
fn enumerators(reader: &Reader<'_, '_, '_>) -> Vec<(Vec<u8>, Option<i64>)> {
    let mut constants = Vec::new();
    let mut words = reader.tokens.iter();
    let Some(open) = words.position(|token| token.is(b'{')) else { return constants };
    let is = |token: &Token, word| reader.expander.is_word(token, word);
    let head = &reader.tokens[..open];
    if !head.iter().any(|token| is(token, "enum"))
        || head.iter().any(|token| is(token, "class") || is(token, "struct"))
    {
        return constants;
    }
    let end = reader.after_group(open);
    let items = &reader.tokens[open + 1..end.saturating_sub(1).max(open + 1)];
    let mut next = Some(0);
    for item in items.split(|token| token.is(b',')) {
        let Some(name) = item.first().filter(|token| token.kind == Kind::Identifier) else {
            continue;
        };
        let value = match item.get(1) {
            None => next,
            Some(equals) if equals.is(b'=') => {
                value::evaluate(&reader.of(&item[2..])).and_then(value::Constant::signed)
            }
            Some(_) => None,
        };
        next = value.and_then(|value: i64| value.checked_add(1));
        constants.push((reader.expander.text(name).into_owned(), value));
    }
    constants
}

/// Returns what the text before a brace begins.
fn classify(expander: &Expander<'_>, reader: &Reader<'_, '_, '_>, in_declarations: bool) -> Head {
    let head = reader.tokens;
    let mut at = 0;
    let mut is_type = false;
    let mut is_expression = false;
    let mut function = None;
    while let Some(token) = head.get(at) {
        let previous = at.checked_sub(1).map(|previous| head[previous]);
        match token.kind {
            Kind::Punctuation(b'[') => {
                let is_attribute = head.get(at + 1).is_some_and(|next| next.is(b'['));
                let is_subscript = previous.is_some_and(|previous| match previous.kind {
                    Kind::Identifier => !expander.is_word(&previous, "return"),
                    Kind::Punctuation(byte) => matches!(byte, b')' | b']' | b'>'),
                    _ => false,
                });
                at = reader.after_group(at);
                if !is_attribute && !is_subscript {
                    return lambda(reader, at);
                }
                continue;
            }
            Kind::Punctuation(b'(' | b'{') => {
                let name = previous.filter(|previous| previous.kind == Kind::Identifier);
                let name = name.filter(|_| token.is(b'(') && !is_expression && function.is_none());
                let end = reader.after_group(at);
                if let Some(name) = name.map(|name| expander.name(&name)) {
                    let parameters = at + 1..end.saturating_sub(1).max(at + 1);
                    match &*name {
                        "if" | "for" | "while" | "switch" | "catch" => return Head::Other,
                        _ if is_reserved(&name) => {}
                        _ => function = Some((name, parameters)),
                    }
                }
                at = end;
                continue;
            }
            Kind::Punctuation(b'=') => is_expression = true,
            Kind::Identifier => match &*expander.text(token) {
                b"namespace" => return Head::Declarations,
                b"extern" if head.get(at + 1).is_some_and(|next| next.kind == Kind::String) => {
                    if head.len() == at + 2 {
                        return Head::Declarations;
                    }
                }
                b"struct" | b"class" | b"union" => is_type = true,
                b"enum" => return Head::Other,
                b"do" | b"else" | b"try" if at == 0 => return Head::Other,
                b"operator" if !is_expression && function.is_none() => {
                    let is_call = reader.is(at + 1, b'(') && reader.is(at + 2, b')');
                    let rest = head.iter().skip(at + if is_call { 3 } else { 1 });
                    let length = rest.take_while(|token| !token.is(b'(')).count();
                    let open = at + length + if is_call { 3 } else { 1 };
                    let end = reader.after_group(open);
                    let symbols = head.get(at..open).unwrap_or_default();
                    let name = symbols.iter().map(|token| expander.name(token)).collect();
                    function = Some((name, open + 1..end.saturating_sub(1).max(open + 1)));
                    at = end;
                    continue;
                }
                b"template" if head.get(at + 1).is_some_and(|next| next.is(b'<')) => {
                    at = reader.after_angles(at + 1).unwrap_or(at + 1);
                    continue;
                }
                _ => {}
            },
            _ => {}
        }
        at += 1;
    }
    match function {
        Some((name, parameters)) if in_declarations => {
            Head::Function { name: Some(name), parameters }
        }
        None if is_type && !is_expression => Head::Declarations,
        _ => Head::Other,
    }
}

/// Returns the parameters of a lambda after its captures.
fn lambda(reader: &Reader<'_, '_, '_>, mut at: usize) -> Head {
    if reader.tokens.get(at).is_some_and(|token| token.is(b'<')) {
        at = reader.after_angles(at).unwrap_or(at);
    }
    let mut parameters = at..at;
    if reader.tokens.get(at).is_some_and(|token| token.is(b'(')) {
        let end = reader.after_group(at);
        parameters = at + 1..end.saturating_sub(1).max(at + 1);
    }
    Head::Function { name: None, parameters }
}

/// Returns whether a word before parentheses is not the name of a function.
fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "__attribute__"
            | "__attribute"
            | "__declspec"
            | "alignas"
            | "decltype"
            | "noexcept"
            | "requires"
            | "explicit"
            | "throw"
            | "__launch_bounds__"
            | "sizeof"
            | "constexpr"
            | "void"
            | "int"
            | "float"
            | "bool"
            | "double"
            | "char"
    )
}

/// Returns the numbers of lanes that the attributes of a function require.
fn lanes(expander: &Expander<'_>, reader: &Reader<'_, '_, '_>) -> Vec<Option<Lanes>> {
    let mut lanes = Vec::new();
    for (index, token) in reader.tokens.iter().enumerate() {
        if token.kind != Kind::Identifier
            || !matches!(
                &*expander.text(token),
                b"intel_reqd_sub_group_size" | b"reqd_sub_group_size"
            )
        {
            continue;
        }
        if lanes.len() == MAX_LANES {
            break;
        }
        let end = reader.after_group(index + 1);
        let argument = reader.tokens.get(index + 2..end - 1).unwrap_or_default();
        let count = value::evaluate(&reader.of(argument)).and_then(value::Constant::signed);
        let count = count.and_then(|count| count.try_into().ok());
        lanes.push(count.and_then(Lanes::from_count));
    }
    lanes
}
