//! Inline assembly in C, C++, OpenCL C and SYCL.
//!
//! A file is not preprocessed as a whole, because its headers are missing. Macros of the file are
//! expanded where a statement needs them. Code in all branches of `#if` is read.

mod expand;
mod hints;
mod lexer;
mod literal;
mod macros;
mod scope;
mod statement;
mod stream;
mod types;
mod value;

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::{Block, Content, Marker, Source, is_visa};
use crate::inline::statement::{Form, Statement};
use expand::{Expander, Mode};
use hints::{Hint, HintError};
use lexer::{Kind, Lexed, Token};
use literal::Text;
use macros::{Conditional, Macros, Site, Step};
use scope::Scopes;
use statement::{Parts, Unused, is_keyword};
use stream::Stream;
use types::Reader;

/// Finds the inline assembly in a file.
pub(super) fn find(source: &[u8]) -> Source {
    // Offsets have 32 bits.
    let source = &source[..source.len().min(u32::MAX as usize / 2)];
    let lexed = lexer::lex(source);
    let markers = markers(source, &lexed);
    if lexed.hints.is_empty() && !source.windows(3).any(|bytes| bytes == b"asm") {
        return Source { markers, ..Source::default() };
    }
    let macros = Macros::new(source, &lexed);
    let budget = (1 << 20) + 16 * source.len();
    let mut expander = Expander::new(source, &lexed, &macros, budget);
    let stream = Stream::new(&lexed, &macros, &mut expander);
    let mut hint_errors = Vec::new();
    let mut hints = Vec::new();
    for span in &lexed.hints {
        let span = span.start as usize..span.end as usize;
        hints.push(hints::parse(source, span, &mut hint_errors));
    }
    let lines = if hints.is_empty() { Vec::new() } else { line_starts(source) };
    let mut finder = Finder {
        source,
        lexed: &lexed,
        macros: &macros,
        expander,
        stream,
        scopes: Scopes::new(budget / 4),
        branch: 0,
        blocks: Vec::new(),
        hints,
        hint_errors,
        lines,
        visa_macros: None,
    };
    finder.run();
    finder.unused();
    finder.finish(markers)
}

/// How many variants of a statement with preprocessor conditionals are read.
const MAX_VARIANTS: usize = 8;

/// How many different conditionals of a statement are read.
const MAX_CHOICES: usize = 64;

/// How many bytes may be between a hint and a line.
const MAX_GAP: usize = 4096;

struct Finder<'a> {
    source: &'a [u8],
    lexed: &'a Lexed,
    macros: &'a Macros<'a>,
    expander: Expander<'a>,
    stream: Stream,
    scopes: Scopes,
    /// The branch of conditionals that contains the current token.
    branch: u32,
    blocks: Vec<Block>,
    hints: Vec<Hint>,
    hint_errors: Vec<HintError>,
    /// The offsets of lines, if there are hints.
    lines: Vec<usize>,
    /// The macros whose strings have signs of vISA, when they are needed.
    visa_macros: Option<BTreeSet<Vec<u8>>>,
}

/// The tokens of a statement in one variant.
struct Collected {
    /// From the keyword to the closing parenthesis.
    tokens: Vec<Token>,
    /// The index of the opening parenthesis.
    open: usize,
    /// The index in the stream at which the search proceeds.
    next: usize,
}

/// The branch of a conditional that a variant reads.
struct Choice {
    question: Vec<u8>,
    branch: u32,
    branches: u32,
}

impl<'a> Finder<'a> {
    fn run(&mut self) {
        let mut at = 0;
        while let Some(&token) = self.stream.tokens.get(at) {
            match token.kind {
                Kind::Directive(directive) => {
                    self.directive(directive);
                    self.scopes.directive(at);
                    at += 1;
                    continue;
                }
                Kind::Failure(index) => {
                    self.failure(&token, index);
                    self.scopes.skip(Some(token));
                    at += 1;
                    continue;
                }
                Kind::Identifier
                    if is_keyword(&self.expander.text(&token))
                        && !self.scopes.is_after_member_operator() =>
                {
                    if let Some(next) = self.statement(at) {
                        for index in at..next {
                            if let Kind::Directive(directive) = self.stream.tokens[index].kind {
                                self.directive(directive);
                            }
                        }
                        self.scopes.skip(next.checked_sub(1).map(|last| self.stream.tokens[last]));
                        at = next;
                        continue;
                    }
                }
                _ => {}
            }
            self.scopes.step(&self.expander, &self.stream.tokens, at);
            at += 1;
        }
    }

    fn directive(&mut self, directive: u32) {
        let (step, branch, _) = self.macros.steps[directive as usize];
        self.branch = branch;
        match step {
            Step::None => {}
            Step::If => self.scopes.begin_conditional(),
            Step::Else => self.scopes.next_branch(),
            Step::Endif => self.scopes.end_conditional(),
        }
    }

    /// Returns the index of the next token that is not a directive.
    fn next_code(&self, start: usize) -> usize {
        let rest = self.stream.tokens.iter().skip(start);
        start + rest.take_while(|token| matches!(token.kind, Kind::Directive(_))).count()
    }

    /// Reads the statement at a keyword, in all variants. Returns the index after it, or `None` if the
    /// keyword does not begin a statement.
    fn statement(&mut self, start: usize) -> Option<usize> {
        let open = self.next_code(start + 1);
        if self.stream.tokens.get(open)?.is(b'{') {
            return Some(self.assembly_of_another_syntax(start, open));
        }
        let mut next: Option<usize> = None;
        let mut choices = Vec::new();
        for variant in 0.. {
            if variant == MAX_VARIANTS || choices.len() > MAX_CHOICES {
                let span = self.stream.tokens[start].range();
                let reason = "it has too many variants; preprocess the file first".to_owned();
                self.push(Block { content: Content::Unreadable(reason), ..empty(span) });
                break;
            }
            let collected = self.collect(start, &mut choices);
            if self.expander.budget == 0 {
                let span = self.stream.tokens[start].range();
                let reason = "the file is too complex; preprocess it first".to_owned();
                self.push(Block { content: Content::Unreadable(reason), ..empty(span) });
                return Some(self.stream.tokens.len());
            }
            if let Some(collected) = collected {
                next = Some(next.map_or(collected.next, |next| next.max(collected.next)));
                self.block(&collected);
            }
            if !advance(&mut choices) {
                break;
            }
        }
        next.or_else(|| self.assembly_of_a_line(start))
    }

    /// Records `asm { .. }`.
    fn assembly_of_another_syntax(&mut self, start: usize, open: usize) -> usize {
        let tokens = &self.stream.tokens;
        let mut depth = 0_u32;
        let mut end = open + 1;
        for (index, token) in tokens.iter().enumerate().skip(open) {
            match token.kind {
                Kind::Punctuation(b'{') => depth += 1,
                Kind::Punctuation(b'}') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                end = index + 1;
                break;
            }
            if !self.expander.spend(1) {
                break;
            }
        }
        let (first, last) = (tokens[start], tokens[end - 1]);
        let (span, expansion) = self.extent(&first, &last);
        self.push(Block { expansion, ..empty(span) });
        end
    }

    /// Records `__asm mov eax, ebx`, which ends with the line.
    fn assembly_of_a_line(&mut self, start: usize) -> Option<usize> {
        let token = self.stream.tokens[start];
        let next = self.stream.tokens.get(start + 1)?;
        if !self.expander.is_word(&token, "__asm")
            || next.kind != Kind::Identifier
            || token.usage != 0
        {
            return None;
        }
        let mut end = start + 1;
        let mut last = token.end as usize;
        for (index, token) in self.stream.tokens.iter().enumerate().skip(start + 1) {
            if matches!(token.kind, Kind::Directive(_)) || !self.expander.spend(1) {
                break;
            }
            let gap = self.source.get(last..token.start as usize).unwrap_or_default();
            if gap.contains(&b'\n') || token.is(b'}') {
                break;
            }
            last = token.end as usize;
            end = index + 1;
        }
        self.push(empty(token.start as usize..last));
        Some(end)
    }

    /// Returns the tokens of a statement. `choices` are the branches of conditionals; those that it
    /// does not contain yet are added.
    fn collect(&mut self, start: usize, choices: &mut Vec<Choice>) -> Option<Collected> {
        let tokens = &self.stream.tokens;
        let mut collected = alloc::vec![tokens[start]];
        let mut open = None;
        let mut brackets: Vec<u8> = Vec::new();
        // How many conditionals began in the statement.
        let mut conditionals = 0_u32;
        let mut next: Option<usize> = None;
        let mut at = start + 1;
        loop {
            let token = *tokens.get(at)?;
            if !self.expander.spend(1) {
                return None;
            }
            if let Kind::Directive(directive) = token.kind {
                let (step, _, conditional) = self.macros.steps[directive as usize];
                let after = self.stream.next_branch[directive as usize];
                match step {
                    Step::If => {
                        let facts = self.macros.conditionals.get(&conditional)?;
                        let dead = self.macros.dead.contains(&directive);
                        if choices.len() > MAX_CHOICES {
                            return None;
                        }
                        let branch = choose(facts, dead, choices);
                        let mut target = at;
                        for _ in 0..branch {
                            let Kind::Directive(directive) = tokens[target].kind else { break };
                            target = self.stream.next_branch[directive as usize]?;
                        }
                        let is_end = matches!(tokens[target].kind, Kind::Directive(directive)
                            if self.macros.steps[directive as usize].0 == Step::Endif);
                        conditionals += u32::from(!is_end);
                        at = target + 1;
                        continue;
                    }
                    Step::Else => {
                        let mut end = after?;
                        while let Kind::Directive(directive) = tokens[end].kind {
                            if self.macros.steps[directive as usize].0 == Step::Endif
                                || !self.expander.spend(1)
                            {
                                break;
                            }
                            end = self.stream.next_branch[directive as usize]?;
                        }
                        if conditionals > 0 {
                            conditionals -= 1;
                        } else {
                            // The other branch may contain the start of another statement.
                            next = next.or(Some(at));
                        }
                        at = end + 1;
                        continue;
                    }
                    Step::Endif => conditionals = conditionals.saturating_sub(1),
                    Step::None => {}
                }
                at += 1;
                continue;
            }
            collected.push(token);
            at += 1;
            match token.kind {
                Kind::Punctuation(byte @ (b'(' | b'[' | b'{')) => {
                    if open.is_none() {
                        if byte != b'(' {
                            return None;
                        }
                        open = Some(collected.len() - 1);
                    }
                    brackets.push(byte);
                }
                Kind::Punctuation(byte @ (b')' | b']' | b'}')) => {
                    let opening = match byte {
                        b')' => b'(',
                        b']' => b'[',
                        _ => b'{',
                    };
                    if brackets.pop() != Some(opening) {
                        return None;
                    }
                    if brackets.is_empty() {
                        let next = next.unwrap_or(at);
                        return Some(Collected { tokens: collected, open: open?, next });
                    }
                }
                Kind::Punctuation(b';') if !brackets.contains(&b'{') => return None,
                _ if open.is_some() => {}
                // Qualifiers, known and unknown ones.
                Kind::Identifier if collected.len() < 8 => {}
                _ => return None,
            }
        }
    }

    /// Returns the place in the file at which the macros of a token are looked up.
    fn site(&self, token: &Token) -> Site {
        let usage = self.usage(token.usage);
        Site { offset: usage.map_or(token.start, |usage| usage.start as u32), branch: self.branch }
    }

    fn usage(&self, usage: u32) -> Option<Range<usize>> {
        let range = self.expander.usages.get((usage as usize).checked_sub(1)?)?;
        Some(range.start as usize..range.end as usize)
    }

    /// Returns the use of the macro whose definition contains a token.
    fn use_of(&self, token: &Token) -> Option<Range<usize>> {
        // Arguments are written in the use itself.
        self.usage(token.usage).filter(|usage| !usage.contains(&(token.start as usize)))
    }

    /// Returns the span and the expansion of a statement from its first and last token.
    fn extent(&self, first: &Token, last: &Token) -> (Range<usize>, Option<Range<usize>>) {
        let (first_use, last_use) = (self.use_of(first), self.use_of(last));
        if let Some(usage) = &first_use {
            if first_use == last_use && self.directive_of(first) == self.directive_of(last) {
                let span = first.start as usize..last.end.max(first.end) as usize;
                return (span, first_use);
            }
            let end = last_use.map_or(last.end as usize, |usage| usage.end);
            return (usage.start..end.max(usage.end), None);
        }
        let start = first.start as usize;
        let end = last_use.map_or(last.end as usize, |usage| usage.end);
        (start..end.max(first.end as usize), None)
    }

    fn directive_of(&self, token: &Token) -> usize {
        self.lexed.directives.partition_point(|directive| directive.start <= token.start)
    }

    /// Adds the block of a statement.
    fn block(&mut self, collected: &Collected) {
        let (Some(first), Some(last)) = (collected.tokens.first(), collected.tokens.last()) else {
            return;
        };
        let (first, last) = (*first, *last);
        let inner = collected.tokens[collected.open + 1..collected.tokens.len() - 1].to_vec();
        let mode = Mode { site: self.site(&first), chosen: None, is_file: true };
        let failure = inner.iter().find_map(|token| stream::reason(&self.stream.failures, token));
        let (mut parts, failure) = match self.expander.expand(inner.clone(), mode) {
            Ok(tokens) => (statement::parse(&self.expander, &tokens, None), failure),
            Err(error) => (statement::parse(&self.expander, &inner, None), Some(error.reason())),
        };
        if failure.is_some() {
            parts.problem = failure;
        }
        let is_visa = is_visa(&parts.statement);
        if parts.statement.form == Form::Basic
            && !is_visa
            && self.scopes.is_after_declarator(&self.expander)
        {
            // `int f() asm("name");`
            return;
        }
        let (span, mut expansion) = self.extent(&first, &last);
        if expansion.is_none() {
            expansion = self.usage(parts.usage);
        }
        if is_visa {
            self.read_operands(&mut parts);
        }
        let mut block = Block {
            function: self.scopes.function(),
            // Statements with operands are in functions: the file may be a part of one.
            is_file_scope: parts.statement.form == Form::Basic && self.scopes.is_file_scope(),
            lanes: self.scopes.lanes(),
            expansion,
            ..empty(span)
        };
        self.complete(&mut block, parts, is_visa);
        self.push(block);
    }

    /// Finds the types and values of operands.
    fn read_operands(&mut self, parts: &mut Parts) {
        let declarations = &self.scopes.declarations;
        for (operand, tokens) in parts.statement.operands.iter_mut().zip(&parts.expressions) {
            if !self.expander.spend(tokens.len()) {
                return;
            }
            let reader = Reader { expander: &self.expander, declarations, tokens };
            operand.ty = reader.expression(0).and_then(|ty| ty.operand());
            if let "i" | "P" | "n" = &*operand.constraint {
                operand.value = value::evaluate(&reader).map(value::Constant::bits);
            }
        }
    }

    /// Sets the content and the maps of a block.
    fn complete(&mut self, block: &mut Block, mut parts: Parts, is_visa: bool) {
        if !is_visa {
            return;
        }
        self.apply_hints(block, &mut parts);
        block.content = match parts.problem {
            Some(problem) => Content::Unreadable(problem),
            None => {
                block.template_map = parts.template_map;
                block.constraint_spans = parts.constraint_spans;
                block.clobber_spans = parts.clobber_spans;
                Content::Visa(parts.statement)
            }
        };
    }

    /// Applies the hints before a block or on its lines.
    fn apply_hints(&mut self, block: &mut Block, parts: &mut Parts) {
        if self.hints.is_empty() {
            return;
        }
        for range in [Some(&block.span), block.expansion.as_ref()].into_iter().flatten() {
            let first = self.lines.partition_point(|&line| line <= range.start);
            let first = self.lines[first.saturating_sub(1)];
            let last = self.lines.partition_point(|&line| line < range.end.max(range.start + 1));
            let last = self.lines.get(last).copied().unwrap_or(self.source.len());
            let mut next = self.hints.partition_point(|hint| hint.span.start < first);
            // Several comments may precede the line.
            let mut before = next;
            let mut at = first;
            while let Some(hint) = before.checked_sub(1).and_then(|index| self.hints.get(index)) {
                let gap = self.source.get(hint.span.end..at).unwrap_or_default();
                let line = self.lines.partition_point(|&line| line <= hint.span.start);
                let line = self.lines[line.saturating_sub(1)];
                let lead = self.source.get(line..hint.span.start).unwrap_or_default();
                if !is_blank(gap) || !is_blank(lead) {
                    break;
                }
                at = hint.span.start;
                before -= 1;
            }
            while next < self.hints.len() && self.hints[next].span.start < last {
                next += 1;
            }
            for hint in &mut self.hints[before..next] {
                hint.apply(&mut parts.statement, &mut block.lanes, &mut self.hint_errors);
            }
        }
    }

    /// Adds the block of a macro's use that cannot be expanded.
    fn failure(&mut self, token: &Token, index: u32) {
        let Some((failure, name)) = self.stream.failures.get(index as usize) else { return };
        if !self.stream.assembly.contains(name) {
            return;
        }
        let (reason, name) = (failure.reason(), name.clone());
        let mut block = empty(token.range());
        if self.has_visa(&name) {
            block.content = Content::Unreadable(reason);
            block.function = self.scopes.function();
        }
        block.expansion = Some(token.range());
        self.push(block);
    }

    /// Returns whether the strings in the body of a macro, or of one that it uses, have signs of vISA.
    fn has_visa(&mut self, name: &[u8]) -> bool {
        let names = self.visa_macros.take().unwrap_or_else(|| self.find_visa_macros());
        let has_visa = names.contains(name);
        self.visa_macros = Some(names);
        has_visa
    }

    fn find_visa_macros(&self) -> BTreeSet<Vec<u8>> {
        let mut names = BTreeSet::new();
        for definition in &self.macros.definitions {
            let body = definition.body.start as usize..definition.body.end as usize;
            let mut text = Text::default();
            let mut has_constraint = false;
            for token in &self.lexed.directive_tokens[body] {
                if token.kind == Kind::String {
                    let start = text.bytes.len();
                    literal::decode(&self.expander.characters(token), &mut text);
                    let value = &text.bytes[start..];
                    has_constraint |= matches!(value, b"rw" | b"=rw" | b"+rw" | b"rw.u");
                }
            }
            let statement = Statement { template: text.bytes, ..Statement::default() };
            if has_constraint || is_visa(&statement) {
                names.insert(self.expander.text(&definition.name).into_owned());
            }
        }
        let words: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
        let users = self.macros.names_with(self.source, self.lexed, &words);
        names.extend(users);
        names
    }

    /// Adds the blocks of macros that are not used: first those that no other macro uses.
    fn unused(&mut self) {
        let mut referenced = Vec::new();
        for definition in &self.macros.definitions {
            let body = definition.body.start as usize..definition.body.end as usize;
            for token in &self.lexed.directive_tokens[body] {
                if token.kind == Kind::Identifier {
                    let text = self.expander.text(token);
                    if self.stream.assembly.contains(&*text) {
                        referenced.push(text.into_owned());
                    }
                }
            }
        }
        referenced.sort();
        for pass in 0..2 {
            for index in 0..self.macros.definitions.len() {
                if self.expander.used[index] {
                    continue;
                }
                let name = self.macros.definitions[index].name;
                let name = self.expander.text(&name).into_owned();
                let is_referenced = referenced.binary_search(&name).is_ok();
                if !self.stream.assembly.contains(&name) || pass == 0 && is_referenced {
                    continue;
                }
                self.unused_macro(index);
            }
        }
    }

    fn unused_macro(&mut self, index: usize) {
        let definition = &self.macros.definitions[index];
        let body = definition.body.start as usize..definition.body.end as usize;
        let mut tokens = self.lexed.directive_tokens[body].to_vec();
        let mut parameters = Vec::new();
        for (token, &parameter) in tokens.iter_mut().zip(&definition.parameter_of) {
            if parameter != macros::NO_PARAMETER {
                token.is_final = true;
                parameters.push(self.expander.text(token).into_owned());
            }
        }
        parameters.sort();
        parameters.dedup();
        let unused = Unused { name: self.expander.name(&definition.name), parameters };
        let site = self.macros.end_of(self.source, index);
        let mode = Mode { site, chosen: None, is_file: false };
        self.expander.used[index] = true;
        let (tokens, failure) = match self.expander.expand(tokens.clone(), mode) {
            Ok(tokens) => (tokens, None),
            Err(error) => (tokens, Some(error.reason())),
        };
        let mut at = 0;
        while let Some(first) = tokens.get(at) {
            at += 1;
            if first.kind != Kind::Identifier || !is_keyword(&self.expander.text(first)) {
                continue;
            }
            let first = *first;
            let qualifiers = tokens[at..].iter().take(8);
            let qualifiers = qualifiers.take_while(|token| token.kind == Kind::Identifier).count();
            let open = at + qualifiers;
            if !tokens.get(open).is_some_and(|token| token.is(b'(')) {
                continue;
            }
            let Some(length) = group_length(&tokens[open..]) else { continue };
            let inner = &tokens[open + 1..open + length - 1];
            let last = tokens[open + length - 1];
            at = open + length;
            let mut parts = statement::parse(&self.expander, inner, Some(&unused));
            if failure.is_some() {
                parts.problem.clone_from(&failure);
            }
            let is_visa = is_visa(&parts.statement);
            if is_visa {
                // Only constants are known.
                self.scopes.declarations.functions.clear();
                self.read_operands(&mut parts);
            }
            let span = match self.directive_of(&first) == self.directive_of(&last) {
                true => first.start as usize..last.end.max(first.end) as usize,
                false => self.macros.definitions[index].name.range(),
            };
            let mut block = empty(span);
            self.complete(&mut block, parts, is_visa);
            self.push(block);
        }
    }

    fn push(&mut self, block: Block) {
        self.blocks.push(block);
    }

    fn finish(mut self, markers: Vec<Marker>) -> Source {
        for hint in self.hints.iter().filter(|hint| !hint.is_used) {
            let message = "no vISA statement is next to this comment".to_owned();
            self.hint_errors.push((hint.span.clone(), message));
        }
        self.hint_errors.sort_by_key(|(span, _)| span.start);
        self.blocks.sort_by_key(|block| {
            block.expansion.as_ref().map_or(block.span.start, |expansion| expansion.start)
        });
        Source { blocks: self.blocks, markers, hint_errors: self.hint_errors, error: None }
    }
}

/// Returns a block of which only the span is known.
fn empty(span: Range<usize>) -> Block {
    Block {
        span,
        function: None,
        is_file_scope: false,
        lanes: None,
        path: None,
        content: Content::Other,
        template_map: Vec::new(),
        constraint_spans: Vec::new(),
        clobber_spans: Vec::new(),
        expansion: None,
    }
}

/// Returns the branch of a conditional that a variant reads.
fn choose(facts: &Conditional, is_dead: bool, choices: &mut Vec<Choice>) -> u32 {
    if facts.question == b"1" {
        return 0;
    }
    let branches = facts.branches.max(1);
    let index = match choices.iter().position(|choice| choice.question == facts.question) {
        Some(index) => index,
        None => {
            let branch = u32::from(is_dead);
            let question = facts.question.clone();
            choices.push(Choice { question, branch, branches });
            choices.len() - 1
        }
    };
    let branch = choices[index].branch.min(branches - 1);
    if facts.is_negated && branches == 2 { 1 - branch } else { branch }
}

/// Proceeds to the next variant.
fn advance(choices: &mut Vec<Choice>) -> bool {
    while let Some(last) = choices.last_mut() {
        last.branch += 1;
        if last.branch < last.branches {
            return true;
        }
        choices.pop();
    }
    false
}

/// Returns the number of tokens of a group in brackets at the start.
fn group_length(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0_u32;
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Punctuation(b'(') => depth += 1,
            Kind::Punctuation(b')') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index + 1);
        }
    }
    None
}

/// Returns whether a text between comments consists of blanks.
fn is_blank(text: &[u8]) -> bool {
    text.len() <= MAX_GAP && text.iter().all(u8::is_ascii_whitespace)
}

fn line_starts(source: &[u8]) -> Vec<usize> {
    let ends = source.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    core::iter::once(0).chain(ends.map(|(end, _)| end + 1)).collect()
}

/// Returns the line markers: `# 12 "file"` and `#line 12 "file"`.
fn markers(source: &[u8], lexed: &Lexed) -> Vec<Marker> {
    let mut markers = Vec::new();
    for directive in &lexed.directives {
        let tokens = directive.tokens.start as usize..directive.tokens.end as usize;
        let tokens = match &lexed.directive_tokens[tokens] {
            [word, rest @ ..] if source[word.range()] == *b"line" => rest,
            tokens => tokens,
        };
        let Some(number) = tokens.first().filter(|token| token.kind == Kind::Number) else {
            continue;
        };
        let number = String::from_utf8_lossy(&source[number.range()]);
        let Ok(line) = number.parse() else { continue };
        let file = tokens.get(1).filter(|token| token.kind == Kind::String).map(|token| {
            let mut text = Text::default();
            let literal = literal::characters(&source[token.range()], token.start);
            literal::decode(&literal, &mut text);
            String::from_utf8_lossy(&text.bytes).into_owned()
        });
        markers.push(Marker { offset: directive.end as usize, line, file });
    }
    markers
}
