//! Inline assembly in MLIR: `llvm.inline_asm` of its LLVM dialect, and `tt.elementwise_inline_asm` of
//! Triton.

mod scope;
mod types;

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::call::{self, Argument};
use super::evidence::{Target, content};
use super::text::Text;
use super::tokens::{Kind, Lexer, Syntax, Token};
use super::{Block, Search, Source, SourceError};
use crate::statement::{Path, Statement};
use scope::{Scope, is_scope};
use types::Aliases;

/// The operation of Triton, whose operands are tensors.
const ELEMENTWISE: &str = "tt.elementwise_inline_asm";

/// The operations that are inline assembly.
pub(super) const OPERATIONS: [&str; 2] = ["llvm.inline_asm", ELEMENTWISE];

/// Returns whether an operation is inline assembly.
fn is_asm(operation: &[u8]) -> bool {
    OPERATIONS.iter().any(|name| name.as_bytes() == operation)
}

fn is_constant(operation: &[u8]) -> bool {
    matches!(operation, b"llvm.mlir.constant" | b"arith.constant")
}

/// Finds the inline assembly in a file.
pub(super) fn find(source: &[u8], search: &Search) -> Source {
    let mut reader = Reader {
        lexer: Lexer::new(source, Syntax::Mlir),
        blocks: Vec::new(),
        scopes: Vec::new(),
        open: Vec::new(),
        depth: 0,
        aliases: Aliases::default(),
        defined: None,
        constants: BTreeMap::new(),
        visible: Vec::new(),
    };
    let error = reader.read().err();
    let blocks = reader.finish(search.default_target());
    Source { blocks, error, ..Source::default() }
}

/// Reads a file from start to end.
struct Reader<'s> {
    lexer: Lexer<'s>,
    blocks: Vec<FoundBlock>,
    /// All functions and modules.
    scopes: Vec<Scope>,
    /// Those that are not closed.
    open: Vec<Open>,
    /// The number of open braces.
    depth: usize,
    aliases: Aliases<'s>,
    /// The last value that was defined.
    defined: Option<&'s [u8]>,
    /// The types and the values of the constants that can be used.
    constants: BTreeMap<&'s [u8], Argument>,
    /// Their names, each with the number of braces around it.
    visible: Vec<(usize, &'s [u8])>,
}

/// A function or module that is not closed.
struct Open {
    /// Its index.
    scope: usize,
    /// The number of braces around it.
    depth: usize,
    /// Whether it is written in the generic form, in which attributes may follow its body.
    is_generic: bool,
}

/// A block, before all attributes of its function are known.
struct FoundBlock {
    block: Block,
    statement: Statement,
    /// The index of the innermost scope.
    scope: Option<usize>,
}

/// The attributes of an operation that are strings and words.
type Attributes<'s> = BTreeMap<&'s [u8], Token>;

/// The attributes of inline assembly.
struct Assembly {
    text: Token,
    constraints: Token,
    /// The number of elements of each tensor that Triton packs into operands.
    packed: Option<Token>,
}

impl Assembly {
    fn new(text: Token, mut attributes: Attributes<'_>) -> Option<Assembly> {
        let constraints = attributes.remove(&b"constraints"[..])?;
        let is_string = [&text, &constraints].iter().all(|token| token.kind == Kind::String);
        let packed = attributes.remove(&b"packed_element"[..]);
        is_string.then_some(Assembly { text, constraints, packed })
    }
}

/// The types of an operation: of its operands and of its results.
type Signature<'s> = (Vec<&'s [u8]>, Vec<&'s [u8]>);

impl<'s> Reader<'s> {
    fn read(&mut self) -> Result<(), SourceError> {
        while let Some(token) = self.lexer.next() {
            let text = self.lexer.text(&token);
            let is_generic = token.kind == Kind::String;
            match token.kind {
                Kind::OpenString => return Err(unclosed(&token)),
                // Other strings are attributes.
                Kind::String if !self.lexer.is_at(b'(') => {}
                Kind::Word | Kind::String if is_asm(text) => self.read_asm(&token)?,
                Kind::Word | Kind::String if is_constant(text) => self.read_constant(),
                Kind::Word | Kind::String => {
                    if let Some(is_function) = is_scope(text) {
                        self.read_scope(is_function, is_generic)?;
                    }
                }
                Kind::Value if self.lexer.is_at(b'=') => self.defined = Some(text),
                Kind::Exclamation => self.read_alias(text),
                Kind::Punctuation(b'{') => self.depth += 1,
                Kind::Punctuation(b'}') => self.close()?,
                _ => {}
            }
        }
        if self.depth == 0 {
            return Ok(());
        }
        let open = self.open.iter().rev().map(|open| &self.scopes[open.scope]);
        let mut functions = open.filter(|scope| scope.is_function);
        let message = match functions.find_map(|scope| scope.name.as_ref()) {
            Some(name) => format!("the file ends inside function `{name}`"),
            None => String::from("the file ends before a brace is closed"),
        };
        Err(SourceError::new(self.lexer.source.len(), message))
    }

    fn innermost(&self) -> Option<usize> {
        self.open.last().map(|open| open.scope)
    }

    /// Reads `!pair = !llvm.struct<(i32, f32)>` after the name.
    fn read_alias(&mut self, name: &'s [u8]) {
        if self.lexer.skip_punctuation(b'=') {
            if let Some(span) = types::skip(&mut self.lexer) {
                self.aliases.insert(name, &self.lexer.source[span]);
            }
        }
    }

    /// Reads a function or a module up to its body, after the name of the operation.
    fn read_scope(&mut self, is_function: bool, is_generic: bool) -> Result<(), SourceError> {
        let mut scope = Scope::new(is_function, self.innermost());
        let mut depth = 0usize;
        let mut is_attributes = false;
        while let Some(token) = self.lexer.peek() {
            let bytes = self.lexer.bytes(&token);
            let before = self.lexer.clone();
            self.lexer.next();
            // The operation has no body if another one follows.
            let is_end = match token.kind {
                Kind::OpenString => return Err(unclosed(&token)),
                Kind::Word => {
                    is_asm(bytes)
                        || is_scope(bytes).is_some()
                        || depth == 0 && bytes.contains(&b'.')
                }
                Kind::String => depth == 0 && self.lexer.is_at(b'('),
                Kind::Value | Kind::Punctuation(b'}' | b':' | b'=' | b',') => depth == 0,
                _ => false,
            };
            if is_end {
                self.lexer = before;
                return Ok(());
            }
            scope.read_attribute(&self.lexer, &token);
            let is_body = match token.kind {
                Kind::Punctuation(b'{') => depth == 0 && !is_generic && !is_attributes,
                Kind::Punctuation(b'(') if depth == 0 && is_generic => {
                    self.lexer.skip_punctuation(b'{')
                }
                _ => false,
            };
            if is_body {
                self.open.push(Open { scope: self.scopes.len(), depth: self.depth, is_generic });
                self.scopes.push(scope);
                self.depth += 1;
                return Ok(());
            }
            match token.kind {
                Kind::Punctuation(b'(' | b'[' | b'{' | b'<') => depth += 1,
                Kind::Punctuation(b')' | b']' | b'}' | b'>') => depth = depth.saturating_sub(1),
                _ => {}
            }
            is_attributes = bytes == b"attributes";
        }
        Ok(())
    }

    /// Closes a brace.
    fn close(&mut self) -> Result<(), SourceError> {
        self.depth = self.depth.saturating_sub(1);
        while let Some((_, name)) = self.visible.last().filter(|(depth, _)| *depth > self.depth) {
            self.constants.remove(name);
            self.visible.pop();
        }
        if self.open.last().is_none_or(|open| open.depth != self.depth) {
            return Ok(());
        }
        let Some(open) = self.open.pop() else { return Ok(()) };
        if !open.is_generic || !self.lexer.skip_punctuation(b')') || !self.lexer.is_at(b'{') {
            return Ok(());
        }
        let mut depth = 0usize;
        while let Some(token) = self.lexer.next() {
            match token.kind {
                Kind::OpenString => return Err(unclosed(&token)),
                Kind::Punctuation(b'{') => depth += 1,
                Kind::Punctuation(b'}') => depth -= 1,
                _ => self.scopes[open.scope].read_attribute(&self.lexer, &token),
            }
            if depth == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Reads `llvm.mlir.constant(42 : i32) : i32`, `arith.constant 42 : i32`, or the generic form with
    /// `value = 42 : i32`, after the name of the operation.
    fn read_constant(&mut self) {
        let Some(name) = self.defined.take() else { return };
        let mut lexer = self.lexer.clone();
        for byte in *b"()<{" {
            lexer.skip_punctuation(byte);
        }
        if lexer.peek().is_some_and(|token| lexer.bytes(&token) == b"value") {
            lexer.next();
            lexer.skip_punctuation(b'=');
        }
        let start = lexer.peek().map_or(lexer.position, |token| token.span.start);
        lexer.skip_punctuation(b'-');
        let Some(literal) = lexer.skip_kind(Kind::Word) else { return };
        let Ok(literal) = core::str::from_utf8(&lexer.source[start..literal.span.end]) else {
            return;
        };
        // The type of a truth value is not written.
        let mut ty: &[u8] = b"i1";
        loop {
            lexer.skip_punctuation(b')');
            if !lexer.skip_punctuation(b':') {
                break;
            }
            let Some(span) = types::skip(&mut lexer) else { return };
            ty = &lexer.source[span];
        }
        self.visible.push((self.depth, name));
        self.constants.insert(name, self.aliases.constant(ty, literal));
    }

    /// Reads the inline assembly of an operation, after its name.
    fn read_asm(&mut self, start: &Token) -> Result<(), SourceError> {
        let is_elementwise = self.lexer.text(start) == ELEMENTWISE.as_bytes();
        let mut names = Vec::new();
        let assembly = match start.kind {
            Kind::String => {
                names = self.read_operands();
                // Successors.
                if self.lexer.is_at(b'[') {
                    types::skip_brackets(&mut self.lexer);
                }
                let mut attributes = self.read_dictionaries()?;
                let text = attributes.remove(&b"asm_string"[..]);
                text.and_then(|text| Assembly::new(text, attributes))
            }
            _ => self.read_strings()?,
        };
        let Some(Assembly { text, constraints, packed }) = assembly else { return Ok(()) };
        let mut end = self.lexer.position;
        if start.kind != Kind::String {
            names = self.read_operands();
        }
        let (operands, results) = self.read_signature(&mut end).unwrap_or_default();
        let (arguments, outputs) = if is_elementwise {
            let packed = packed.map_or(1, |token| self.number(&token));
            let of = |types: &[&'s [u8]]| {
                let elements: Vec<_> = types.iter().map(|ty| self.aliases.element(ty)).collect();
                call::packed(&elements, packed)
            };
            (of(&operands).into_iter().map(Argument::of).collect(), of(&results))
        } else {
            let argument = |(index, name): (usize, &'s [u8])| {
                let ty = operands.get(index).and_then(|ty| self.aliases.operand(ty));
                let constant = self.constants.get(name).filter(|constant| constant.ty == ty);
                let value = constant.and_then(|constant| constant.value);
                Argument { value, ..Argument::of(ty) }
            };
            (names.into_iter().enumerate().map(argument).collect(), Vec::new())
        };
        let span = start.span.start..end;
        let (template, constraints) = (self.text(&text), self.text(&constraints));
        let results = |count| match results[..] {
            [result] if !is_elementwise => self.aliases.members(result, count),
            _ => outputs,
        };
        let (mut block, statement) = call::block(span, template, &constraints, results, arguments);
        block.path = is_elementwise.then_some(Path::Simt);
        self.blocks.push(FoundBlock { block, statement, scope: self.innermost() });
        Ok(())
    }

    /// Returns the value of an attribute that is a number.
    fn number(&self, token: &Token) -> u32 {
        core::str::from_utf8(self.lexer.bytes(token))
            .ok()
            .and_then(|it| it.parse().ok())
            .unwrap_or(1)
    }

    /// Reads the modifiers and the strings of the form `has_side_effects "text", "constraints"`, or of
    /// `"text" {constraints = "constraints"}`.
    fn read_strings(&mut self) -> Result<Option<Assembly>, SourceError> {
        loop {
            let Some(token) = self.lexer.peek() else { return Ok(None) };
            match token.kind {
                Kind::OpenString => return Err(unclosed(&token)),
                Kind::String => {
                    self.lexer.next();
                    if !self.lexer.skip_punctuation(b',') {
                        return Ok(Assembly::new(token, self.read_dictionaries()?));
                    }
                    if let Some(open) = self.lexer.skip_kind(Kind::OpenString) {
                        return Err(unclosed(&open));
                    }
                    let constraints = self.lexer.skip_kind(Kind::String);
                    let assembly =
                        |constraints| Assembly { text: token, constraints, packed: None };
                    return Ok(constraints.map(assembly));
                }
                Kind::Word if !is_asm(self.lexer.bytes(&token)) => {
                    self.lexer.next();
                    if self.lexer.skip_punctuation(b'=')
                        && !self.lexer.is_at(b'[')
                        && !self.lexer.is_at(b'<')
                    {
                        self.lexer.next();
                    }
                }
                Kind::Punctuation(b'{' | b'[' | b'<') => types::skip_brackets(&mut self.lexer),
                _ => return Ok(None),
            }
        }
    }

    /// Reads `<{name = "text", ...}>` and `{name = "text", ...}`. Returns the attributes that are
    /// strings and words.
    fn read_dictionaries(&mut self) -> Result<Attributes<'s>, SourceError> {
        let mut attributes = BTreeMap::new();
        let mut depth = 0usize;
        while let Some(token) = self.lexer.peek() {
            match token.kind {
                Kind::OpenString => return Err(unclosed(&token)),
                Kind::Punctuation(b'{' | b'<' | b'[' | b'(') => depth += 1,
                Kind::Punctuation(b'}' | b'>' | b']' | b')') if depth > 0 => depth -= 1,
                _ if depth == 0 => break,
                Kind::Word if is_asm(self.lexer.bytes(&token)) => break,
                _ => {}
            }
            self.lexer.next();
            if matches!(token.kind, Kind::Word | Kind::String) && self.lexer.skip_punctuation(b'=')
            {
                let value = self.lexer.skip_kind(Kind::String);
                if let Some(value) = value.or_else(|| self.lexer.skip_kind(Kind::Word)) {
                    attributes.insert(self.lexer.text(&token), value);
                }
            }
            // Operands in parentheses do not belong to a dictionary.
            if depth == 0 && !self.lexer.is_at(b'{') && !self.lexer.is_at(b'<') {
                break;
            }
        }
        Ok(attributes)
    }

    /// Reads `%a, %b#1`, possibly in parentheses.
    fn read_operands(&mut self) -> Vec<&'s [u8]> {
        let mut names = Vec::new();
        self.lexer.skip_punctuation(b'(');
        while let Some(name) = self.lexer.skip_kind(Kind::Value) {
            names.push(self.lexer.bytes(&name));
            if self.lexer.skip_kind(Kind::Hash).is_some() {
                // The result of an operation that has several.
                names.pop();
                names.push(b"");
            }
            self.lexer.skip_punctuation(b',');
        }
        self.lexer.skip_punctuation(b')');
        names
    }

    /// Reads `: (i32, f32) -> i32` or `: i32, f32 -> i32`. `end` becomes its end.
    fn read_signature(&mut self, end: &mut usize) -> Option<Signature<'s>> {
        if !self.lexer.skip_punctuation(b':') {
            return None;
        }
        let operands = self.read_types()?;
        self.lexer.skip_kind(Kind::Arrow)?;
        let results = self.read_types()?;
        *end = self.lexer.position;
        Some((operands, results))
    }

    /// Reads `(i32, f32)` or `i32, f32`.
    fn read_types(&mut self) -> Option<Vec<&'s [u8]>> {
        let mut types = Vec::new();
        let is_list = self.lexer.skip_punctuation(b'(');
        while !(is_list && self.lexer.skip_punctuation(b')')) {
            let span = types::skip(&mut self.lexer)?;
            types.push(&self.lexer.source[span]);
            if !self.lexer.skip_punctuation(b',') && !is_list {
                break;
            }
        }
        Some(types)
    }

    /// Returns the text of a string token.
    fn text(&self, token: &Token) -> Text {
        let Range { start, end } = token.span;
        let mut text = Text::default();
        text.push_string(Syntax::Mlir.unescape(self.lexer.text(token), start + 1), end - 1);
        text
    }

    /// Adds to each block the facts about its function.
    fn finish(self, default_target: Target) -> Vec<Block> {
        let facts = scope::facts(&self.scopes);
        let finish = |found: FoundBlock| {
            let mut block = found.block;
            let facts = found.scope.map(|scope| facts[scope].clone()).unwrap_or_default();
            block.function_index =
                found.scope.filter(|_| facts.function.is_some()).map(|it| it as u32);
            (block.function, block.lanes) = (facts.function, facts.lanes);
            block.path = block.path.or(facts.path);
            block.content = content(found.statement, facts.target.or(default_target));
            block
        };
        self.blocks.into_iter().map(finish).collect()
    }
}

fn unclosed(string: &Token) -> SourceError {
    SourceError::new(string.span.start, "string is not closed")
}
