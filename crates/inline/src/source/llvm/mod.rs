//! Inline assembly in LLVM IR.

pub(super) mod constant;
mod types;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use super::call::{self, Argument};
use super::evidence::{Target, content};
use super::results::Results;
use super::text::Text;
use super::tokens::{Kind, Lexer, Syntax, Token};
use super::{Block, Search, Source, SourceError, constraints, varying};
use crate::statement::{Form, Lanes, Path, Statement};
use memchr::memchr;
use types::NamedTypes;

/// The first bytes of bitcode, and of bitcode with a wrapper.
const BITCODE: [&[u8]; 2] = [b"BC\xC0\xDE", b"\xDE\xC0\x17\x0B"];

/// Longer definitions are not read.
const MAX_DEFINITION: usize = 400;

/// The first words of calls.
const CALLS: [&[u8]; 4] = [b"call", b"tail", b"musttail", b"notail"];

/// Instructions whose results differ between lanes if one of their operands does.
const KEEP_DIFFERENCES: [&[u8]; 11] = [
    b"trunc",
    b"zext",
    b"sext",
    b"sitofp",
    b"uitofp",
    b"bitcast",
    b"freeze",
    b"add",
    b"sub",
    b"getelementptr",
    b"load",
];

/// Returns the name of a function of C, which may be mangled as `@_Z12get_local_idj`.
fn demangled(global: &[u8]) -> Option<&str> {
    let name = core::str::from_utf8(global).ok()?.trim_start_matches('@');
    let Some(mangled) = name.strip_prefix("_Z") else { return Some(name) };
    let digits = mangled.bytes().take_while(u8::is_ascii_digit).count();
    let length: usize = mangled[..digits].parse().ok()?;
    mangled.get(digits..digits.checked_add(length)?)
}

/// Finds the inline assembly in a file.
pub(super) fn find(source: &[u8], search: &Search) -> Source {
    if BITCODE.iter().any(|magic| source.starts_with(magic)) {
        let mut error = SourceError::new(0, "LLVM bitcode is not supported");
        error.help = Some("convert it to text with `llvm-dis`");
        return Source { error: Some(error), ..Source::default() };
    }
    let mut reader = Reader::new(source);
    let error = reader.read().err();
    let blocks = reader.finish(search.default_target());
    Source { blocks, error, ..Source::default() }
}

/// Reads a file from start to end.
struct Reader<'s> {
    lexer: Lexer<'s>,
    blocks: Vec<FoundBlock<'s>>,
    functions: Vec<Function>,
    named_types: NamedTypes<'s>,
    /// The attribute groups of vector compiler functions.
    vc_groups: Vec<u64>,
    /// The value of each metadata node `!{i32 N}`.
    metadata: BTreeMap<u64, u32>,
    /// The machine of the target triple.
    target: Target,
    /// The braces that are open in the body of the last function.
    depth: usize,
    /// The values of the function that certainly differ between lanes.
    varying: BTreeSet<&'s [u8]>,
    /// The offset after the last `call`, `invoke` or `callbr`, for the type of its result.
    call: Option<usize>,
    /// The value whose definition begins.
    defined: Option<&'s [u8]>,
    /// The value that the call defines.
    result: Option<&'s [u8]>,
    /// The results of the statements.
    results: Results<ResultName<'s>>,
    /// Whether the next value is one of which a member is extracted.
    extracts: bool,
}

/// A block, before the attributes of its function are known.
struct FoundBlock<'s> {
    block: Block,
    statement: Statement,
    /// The index of its function.
    function: Option<usize>,
    /// The name of its result, if it has one.
    result: Option<&'s [u8]>,
}

/// The index of a function, and the name of a value in it. A result without a name has no uses.
type ResultName<'s> = (usize, Option<&'s [u8]>);

/// The header of a function definition.
#[derive(Default)]
struct Function {
    name: Arc<str>,
    is_vc: bool,
    groups: Vec<u64>,
    /// The metadata node with the number of lanes.
    lanes: Option<u64>,
}

impl<'s> Reader<'s> {
    fn new(source: &'s [u8]) -> Reader<'s> {
        Reader {
            lexer: Lexer::new(source, Syntax::Llvm),
            blocks: Vec::new(),
            functions: Vec::new(),
            named_types: NamedTypes::default(),
            vc_groups: Vec::new(),
            metadata: BTreeMap::new(),
            target: Target::Unknown,
            depth: 0,
            varying: BTreeSet::new(),
            call: None,
            defined: None,
            result: None,
            results: Results::default(),
            extracts: false,
        }
    }

    fn read(&mut self) -> Result<(), SourceError> {
        while let Some(token) = self.lexer.next() {
            match token.kind {
                Kind::OpenString => {
                    return Err(unclosed(&token));
                }
                Kind::Word => self.read_word(&token)?,
                Kind::Punctuation(b'{') if self.depth > 0 => self.depth += 1,
                Kind::Punctuation(b'}') => self.depth = self.depth.saturating_sub(1),
                Kind::Exclamation if self.depth == 0 => self.read_metadata(&token),
                Kind::Value if self.depth == 0 => self.read_named_type(&token),
                Kind::Value => {
                    self.read_use(&token);
                    self.read_definition(&token);
                }
                _ => {}
            }
        }
        match self.functions.last() {
            Some(function) if self.depth > 0 => {
                let message = format!("the file ends inside function `{}`", function.name);
                Err(SourceError::new(self.lexer.source.len(), message))
            }
            _ => Ok(()),
        }
    }

    fn read_word(&mut self, token: &Token) -> Result<(), SourceError> {
        let word = self.lexer.bytes(token);
        self.extracts |= word == b"extractvalue";
        let defined = self.defined.take();
        match word {
            b"define" => self.read_function(),
            b"call" | b"invoke" | b"callbr" => {
                (self.call, self.result) = (Some(token.span.end), defined);
                Ok(())
            }
            word if CALLS.contains(&word) => {
                self.defined = defined;
                Ok(())
            }
            b"asm" => self.read_asm(token),
            b"module" if self.depth == 0 => self.read_module_asm(token),
            b"attributes" if self.depth == 0 => self.read_attributes(),
            b"target" if self.depth == 0 => {
                if self.lexer.skip_word(b"triple") && self.lexer.skip_punctuation(b'=') {
                    if let Some(triple) = self.lexer.peek() {
                        let triple = self.lexer.bytes(&triple).trim_ascii_start();
                        self.target =
                            Target::of_triple(triple.strip_prefix(b"\"").unwrap_or(triple));
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Reads `define ... @name(...) ... {` after its first word.
    fn read_function(&mut self) -> Result<(), SourceError> {
        let mut function = Function::default();
        let mut parentheses = 0usize;
        let mut has_name = false;
        (self.depth, self.call) = (0, None);
        self.varying.clear();
        while let Some(token) = self.lexer.peek() {
            let bytes = self.lexer.bytes(&token);
            // The header is not complete if one of these follows.
            if matches!(bytes, b"define" | b"declare" | b"asm" | b"attributes") {
                break;
            }
            self.lexer.next();
            match token.kind {
                Kind::OpenString => {
                    return Err(unclosed(&token));
                }
                Kind::Symbol if !has_name => {
                    has_name = true;
                    function.name = name(&bytes[1..]).into();
                }
                Kind::Punctuation(b'(') => parentheses += 1,
                Kind::Punctuation(b')') => parentheses = parentheses.saturating_sub(1),
                Kind::Punctuation(b'{') if has_name && parentheses == 0 => {
                    self.depth = 1;
                    break;
                }
                Kind::String => function.is_vc |= is_vc_attribute(bytes),
                Kind::Hash => function.groups.extend(number(&bytes[1..])),
                Kind::Exclamation if bytes == b"!intel_reqd_sub_group_size" => {
                    function.lanes = self.lexer.peek().and_then(|node| self.node_number(&node));
                }
                _ => {}
            }
        }
        self.functions.push(function);
        Ok(())
    }

    /// Returns the number of a metadata node `!12`.
    fn node_number(&self, token: &Token) -> Option<u64> {
        let bytes = self.lexer.bytes(token);
        (token.kind == Kind::Exclamation).then(|| number(&bytes[1..]))?
    }

    /// Reads `!12 = !{i32 16}`.
    fn read_metadata(&mut self, token: &Token) {
        let Some(node) = self.node_number(token) else { return };
        let lexer = &mut self.lexer;
        let is_node = lexer.skip_punctuation(b'=')
            && lexer.next().is_some_and(|token| lexer.bytes(&token) == b"!")
            && lexer.skip_punctuation(b'{')
            && lexer.skip_word(b"i32");
        let value = lexer.peek().filter(|_| is_node);
        if let Some(value) = value.and_then(|token| number(lexer.bytes(&token))) {
            self.metadata.insert(node, u32::try_from(value).unwrap_or(u32::MAX));
        }
    }

    /// Reads `%name = type { float, i32 }`.
    fn read_named_type(&mut self, token: &Token) {
        if self.lexer.skip_punctuation(b'=') && self.lexer.skip_word(b"type") {
            if let Some(span) = types::skip(&mut self.lexer) {
                self.named_types.insert(self.lexer.bytes(token), &self.lexer.source[span]);
            }
        }
    }

    /// Reads `attributes #0 = { ... }` after its first word.
    fn read_attributes(&mut self) -> Result<(), SourceError> {
        let group = self.lexer.next();
        let group = group.filter(|token| token.kind == Kind::Hash);
        let number = group.and_then(|token| number(&self.lexer.bytes(&token)[1..]));
        let is_group = self.lexer.skip_punctuation(b'=') && self.lexer.skip_punctuation(b'{');
        let (Some(number), true) = (number, is_group) else { return Ok(()) };
        while let Some(token) = self.lexer.next() {
            match token.kind {
                Kind::OpenString => {
                    return Err(unclosed(&token));
                }
                Kind::Punctuation(b'}') => break,
                Kind::String if is_vc_attribute(self.lexer.bytes(&token)) => {
                    self.vc_groups.push(number);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the lines of `module asm "..."` after the first word. Lines that follow each other are
    /// one block.
    fn read_module_asm(&mut self, start: &Token) -> Result<(), SourceError> {
        let mut template = Text::default();
        let mut end = None;
        loop {
            let mut lexer = self.lexer.clone();
            let is_next_line = end.is_none() || lexer.skip_word(b"module");
            if !is_next_line || !lexer.skip_word(b"asm") {
                break;
            }
            let Some(string) = lexer.next() else { break };
            match string.kind {
                Kind::String => {}
                Kind::OpenString => {
                    return Err(unclosed(&string));
                }
                _ => break,
            }
            if let Some(end) = end {
                template.push_string([(b'\n', end - 1..end)].into_iter(), end);
            }
            self.push_string(&mut template, &string);
            end = Some(string.span.end);
            self.lexer = lexer;
        }
        let Some(end) = end else { return Ok(()) };
        let statement =
            Statement { template: template.bytes, form: Form::Basic, ..Statement::default() };
        let mut block = Block::new(start.span.start..end);
        block.template_map = template.map;
        block.is_file_scope = true;
        self.blocks.push(FoundBlock { block, statement, function: None, result: None });
        Ok(())
    }

    /// Reads `asm sideeffect "text", "constraints"(arguments)` after its first word.
    fn read_asm(&mut self, start: &Token) -> Result<(), SourceError> {
        let call = self.call.take();
        let result = call.and_then(|call| self.result_type(call, start.span.start));
        for word in [&b"sideeffect"[..], b"alignstack", b"inteldialect", b"unwind"] {
            self.lexer.skip_word(word);
        }
        let Some(text) = self.read_string()? else { return Ok(()) };
        if !self.lexer.skip_punctuation(b',') {
            return Ok(());
        }
        let Some(constraints) = self.read_string()? else { return Ok(()) };
        let mut end = constraints.span.end;
        let arguments = self.read_arguments(&mut end)?;

        let mut template = Text::default();
        self.push_string(&mut template, &text);
        let mut string = Text::default();
        self.push_string(&mut string, &constraints);
        let results = |count| self.named_types.members(result, count);
        let span = start.span.start..end;
        let (block, statement) = call::block(span, template, &string, results, arguments);
        let (function, result) = (self.function(), self.result.take());
        if let Some(function) = function {
            self.results.define((function, result));
        }
        self.blocks.push(FoundBlock { block, statement, function, result });
        Ok(())
    }

    /// Returns the index of the function whose body is being read.
    fn function(&self) -> Option<usize> {
        self.functions.len().checked_sub(1).filter(|_| self.depth > 0)
    }

    /// Reads a value in the body of a function, which is defined or used.
    fn read_use(&mut self, value: &Token) {
        let Some(function) = self.function() else { return };
        let name = self.lexer.bytes(value);
        let mut rest = self.lexer.clone();
        if rest.skip_punctuation(b'=') {
            self.defined = Some(name);
            return;
        }
        let is_member = self.extracts && rest.skip_punctuation(b',');
        let member = rest.next().filter(|_| is_member).and_then(|index| number(rest.bytes(&index)));
        let member = member.and_then(|member| u32::try_from(member).ok());
        self.results.add(&(function, Some(name)), member);
        self.extracts &= !is_member;
    }

    /// Adds the text of a string token.
    fn push_string(&self, text: &mut Text, token: &Token) {
        let (start, end) = (token.span.start + 1, token.span.end - 1);
        text.push_string(Syntax::Llvm.unescape(&self.lexer.source[start..end], start), end);
    }

    /// Reads a string, if there is one.
    fn read_string(&mut self) -> Result<Option<Token>, SourceError> {
        match self.lexer.peek() {
            Some(token) if token.kind == Kind::OpenString => Err(unclosed(&token)),
            Some(token) if token.kind == Kind::String => {
                self.lexer.next();
                Ok(Some(token))
            }
            _ => Ok(None),
        }
    }

    /// Returns the result type of a call, which is between the word `call` and the word `asm`.
    fn result_type(&self, call: usize, asm: usize) -> Option<&'s [u8]> {
        let mut lexer = Lexer::new(&self.lexer.source[..asm], Syntax::Llvm);
        lexer.position = call;
        while lexer.peek().is_some() {
            let start = lexer.clone();
            if let Some(span) = types::skip_base(&mut lexer) {
                // The result type of a function type precedes its parameters.
                types::skip_pointers(&mut lexer);
                return Some(&self.lexer.source[span.start..lexer.position]);
            }
            // Flags, calling conventions and attributes precede the type.
            lexer = start;
            lexer.next();
            if lexer.peek()?.kind == Kind::Punctuation(b'(') {
                types::skip_brackets(&mut lexer);
            }
        }
        None
    }

    /// Reads the arguments of a call, and returns the type and the value of each.
    fn read_arguments(&mut self, end: &mut usize) -> Result<Vec<Argument>, SourceError> {
        let mut arguments = Vec::new();
        if !self.lexer.skip_punctuation(b'(') {
            return Ok(arguments);
        }
        let mut argument = self.lexer.position;
        let mut depth = 0usize;
        while let Some(token) = self.lexer.peek() {
            let bytes = self.lexer.bytes(&token);
            match token.kind {
                Kind::OpenString => {
                    return Err(unclosed(&token));
                }
                // The call is not complete if one of these follows.
                Kind::Word if matches!(bytes, b"asm" | b"call" | b"define" | b"module") => break,
                Kind::Punctuation(b'(' | b'[' | b'{' | b'<') => depth += 1,
                Kind::Punctuation(b')' | b']' | b'}' | b'>') if depth > 0 => depth -= 1,
                Kind::Punctuation(b']' | b'}') => break,
                Kind::Punctuation(delimiter @ (b',' | b')')) if depth == 0 => {
                    if argument < token.span.start || delimiter == b',' {
                        arguments.push(self.argument(argument..token.span.start));
                    }
                    self.lexer.next();
                    argument = token.span.end;
                    if delimiter == b')' {
                        *end = token.span.end;
                        break;
                    }
                    continue;
                }
                _ => {}
            }
            self.lexer.next();
        }
        Ok(arguments)
    }

    /// Returns the type and the value of an argument such as `i32 noundef 42`.
    fn argument(&self, span: Range<usize>) -> Argument {
        let mut lexer = Lexer::new(&self.lexer.source[..span.end], Syntax::Llvm);
        lexer.position = span.start;
        let Some(ty) = types::skip(&mut lexer) else { return Argument::default() };
        let ty = self.named_types.operand(&self.lexer.source[ty]);
        let mut last = None;
        let mut depth = 0usize;
        for token in lexer.by_ref() {
            match token.kind {
                Kind::Punctuation(b'(' | b'[' | b'{' | b'<') => depth += 1,
                Kind::Punctuation(b')' | b']' | b'}' | b'>') => depth = depth.saturating_sub(1),
                _ => {}
            }
            last = Some(token).filter(|_| depth == 0);
        }
        let is_varying = last.as_ref().is_some_and(|last| self.varying.contains(lexer.bytes(last)));
        let literal = last.filter(|token| token.kind == Kind::Word);
        let literal = literal.and_then(|token| core::str::from_utf8(lexer.bytes(&token)).ok());
        let value = ty.as_ref().zip(literal).and_then(|(ty, literal)| constant::bits(ty, literal));
        Argument { ty, value, is_varying }
    }

    /// Records whether a local name that is being defined certainly differs between lanes. The lexer does
    /// not advance.
    fn read_definition(&mut self, name: &Token) {
        let rest = &self.lexer.source[name.span.end..];
        let end = memchr(b'\n', rest).unwrap_or(rest.len()).min(MAX_DEFINITION);
        let mut lexer = Lexer::new(&self.lexer.source[..name.span.end + end], Syntax::Llvm);
        lexer.position = name.span.end;
        if !lexer.skip_punctuation(b'=') {
            return;
        }
        let tokens: Vec<Token> = lexer.by_ref().collect();
        let word = |index: usize| tokens.get(index).map(|token| lexer.bytes(token));
        let is_varying = match tokens.iter().position(|token| token.kind == Kind::Symbol) {
            Some(callee) => {
                let name = demangled(lexer.bytes(&tokens[callee]));
                let is_call = word(0).is_some_and(|word| CALLS.contains(&word));
                // The type, perhaps attributes, and the number of the dimension.
                let mut rest = tokens.iter().skip(callee);
                let close = rest.position(|token| token.kind == Kind::Punctuation(b')'));
                let argument = || word(callee + close?.checked_sub(1)?).and_then(number);
                is_call && name.is_some_and(|name| varying::is_function(name, false, argument))
            }
            None => {
                let is_varying = |token: &&Token| self.varying.contains(lexer.bytes(token));
                let keeps = word(0).is_some_and(|word| KEEP_DIFFERENCES.contains(&word));
                keeps && tokens.iter().filter(is_varying).count() == 1
            }
        };
        if is_varying {
            self.varying.insert(self.lexer.bytes(name));
        }
    }

    /// Adds to each block the facts about its function.
    fn finish(self, default_target: Target) -> Vec<Block> {
        let incomplete = self.function();
        let vc_groups: BTreeSet<u64> = self.vc_groups.into_iter().collect();
        let attributes: Vec<(Option<Lanes>, Option<Path>)> = (self.functions.iter())
            .map(|function| {
                let lanes = function.lanes.and_then(|node| self.metadata.get(&node));
                let is_vc =
                    function.is_vc || function.groups.iter().any(|group| vc_groups.contains(group));
                (lanes.and_then(|lanes| Lanes::from_count(*lanes)), is_vc.then_some(Path::Vc))
            })
            .collect();
        let finish = |found: FoundBlock<'_>| {
            let FoundBlock { mut block, mut statement, result, .. } = found;
            if let Some(index) = found.function {
                block.function = Some(self.functions[index].name.clone());
                block.function_index = Some(index as u32);
                (block.lanes, block.path) = attributes[index];
                let used = self.results.get(&(index, result));
                // Uses may follow the end of what was read.
                if let Some(used) = used.filter(|_| incomplete != Some(index)) {
                    used.mark_unused(&mut statement);
                }
            }
            block.content = content(statement, self.target.or(default_target));
            block
        };
        self.blocks.into_iter().map(finish).collect()
    }
}

fn unclosed(string: &Token) -> SourceError {
    SourceError::new(string.span.start, "string is not closed")
}

/// Returns a name that may be in quotes.
fn name(bytes: &[u8]) -> String {
    match bytes {
        [b'"', quoted @ .., b'"'] => {
            let bytes: Vec<u8> = Syntax::Llvm.unescape(quoted, 0).map(|(byte, _)| byte).collect();
            constraints::text(&bytes)
        }
        _ => constraints::text(bytes),
    }
}

fn number(bytes: &[u8]) -> Option<u64> {
    core::str::from_utf8(bytes).ok()?.parse().ok()
}

/// Returns whether a string with its quotes is an attribute of functions of the vector compiler.
pub(super) fn is_vc_attribute(string: &[u8]) -> bool {
    matches!(string, b"\"VCFunction\"" | b"\"CMGenxMain\"")
}
