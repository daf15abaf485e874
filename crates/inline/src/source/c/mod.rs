//! Inline assembly in C, C++, OpenCL C and SYCL: statements, types and scopes.

mod declarations;
mod expression;
mod head;
mod hints;
mod nested;
mod reader;
mod records;
mod scope;
mod statement_parts;
mod types;
mod uniformity;
mod unused;
mod value;
mod variants;

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::Range;

use super::cpp::expansion::{Expander, Mode};
use super::cpp::keywords::{is_keyword, is_part_of_keyword};
use super::cpp::lexer::{self, Kind, Lexed, Token};
use super::cpp::macros::{Macros, Site, Step};
use super::cpp::markers::markers;
use super::cpp::stream::{self, Stream};
use super::evidence::{Evidence, Target, decide, evidence};
use super::nested::may_contain_assembly;
use super::{Block, Content, Language, Marker, Search, Source, SourceError};
use crate::constraint;
use crate::statement::{Form, Path};
use hints::{Hint, HintError, line_starts};
use reader::Reader;
use scope::Scopes;
use statement_parts::Parts;
use variants::{Collected, MAX_CHOICES, advance};

/// Finds the inline assembly in a file, or in the value of a string literal of a file.
pub(super) fn find(source: &[u8], search: &Search, is_nested: bool) -> Source {
    // Offsets have 32 bits.
    let source = &source[..source.len().min(u32::MAX as usize / 2)];
    let lexed = lexer::lex(source);
    let markers = markers(source, &lexed);
    if lexed.hints.is_empty() && !has_assembly(source, &lexed, is_nested) {
        return Source { markers, ..Source::default() };
    }
    let macros = Macros::new(source, &lexed, !search.macros.is_empty());
    // A file may contain many such literals.
    let budget = if is_nested { 1 << 12 } else { 1 << 20 } + 16 * source.len();
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
        search,
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
        error: None,
    };
    finder.run();
    if finder.error.is_none() {
        finder.unused();
    }
    finder.finish(markers, is_nested)
}

/// The maximum number of variants of a statement with preprocessor conditionals.
const MAX_VARIANTS: usize = 8;

/// The number of bytes of a template that cost one step, since a macro can repeat a long template.
const BYTES_PER_STEP: usize = 4;

struct Finder<'a> {
    source: &'a [u8],
    search: &'a Search,
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
    /// The macros whose strings look like vISA; `None` until they are needed.
    visa_macros: Option<BTreeSet<Vec<u8>>>,
    error: Option<SourceError>,
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
                self.push(Block { content: Content::Unreadable(reason), ..Block::new(span) });
                break;
            }
            let collected = self.collect(start, &mut choices);
            if self.expander.budget == 0 {
                let offset = self.stream.tokens[start].start as usize;
                let mut error =
                    SourceError::new(offset, "the macros or hints of the file are too complex");
                error.help = Some("preprocess the file first");
                self.error = Some(error);
                return Some(self.stream.tokens.len());
            }
            if let Some(collected) = collected {
                next = Some(next.map_or(collected.next, |next| next.max(collected.next)));
                self.block(start, &collected);
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
        self.push(Block { expansion, ..Block::new(span) });
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
        self.push(Block::new(token.start as usize..last));
        Some(end)
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

    /// Adds the blocks of a statement, whose keyword is at an index: one for each variant of its macros.
    fn block(&mut self, start: usize, collected: &Collected) {
        let (Some(first), Some(last)) = (collected.tokens.first(), collected.tokens.last()) else {
            return;
        };
        let (first, last) = (*first, *last);
        let inner = collected.tokens[collected.open + 1..collected.tokens.len() - 1].to_vec();
        let mode = Mode { site: self.site(&first), chosen: None, is_file: true };
        let failure = inner.iter().find_map(|token| stream::reason(&self.stream.failures, token));
        for variant in self.expander.expand(&inner, mode) {
            let (mut parts, failure) = match variant {
                Ok(tokens) => {
                    (statement_parts::parse(&self.expander, &tokens, None), failure.clone())
                }
                Err(error) => {
                    (statement_parts::parse(&self.expander, &inner, None), Some(error.reason()))
                }
            };
            if failure.is_some() {
                parts.problem = failure;
            }
            self.add(parts, start, &first, &last);
        }
    }

    /// Adds the block of the parts of a statement.
    fn add(&mut self, mut parts: Parts, start: usize, first: &Token, last: &Token) {
        self.expander.spend(parts.statement.template.len() / BYTES_PER_STEP);
        let mut evidence = evidence(&parts.statement);
        if parts.statement.form == Form::Basic
            && evidence != Evidence::Visa
            && self.scopes.is_after_declarator(&self.expander)
        {
            // `int f() asm("name");`
            return;
        }
        if matches!(evidence, Evidence::Other(_)) {
            // Constraints such as `r` are constraints of the vector compiler, too.
            let is_vc = self.path().is_some() && has_operands(&parts);
            if is_vc || self.target() == Target::Visa {
                evidence = Evidence::Visa;
            }
        }
        let (span, mut expansion) = self.extent(first, last);
        if expansion.is_none() {
            expansion = self.usage(parts.usage);
        }
        if evidence == Evidence::Visa {
            self.read_operands(&mut parts);
        }
        if self.search.language() == Language::Cm || self.scopes.is_cm() {
            parts.statement.operands.iter_mut().for_each(constraint::of_cm);
        }
        let mut block = Block {
            function: self.scopes.function(),
            function_index: self.scopes.function_index(),
            // Statements in branches of `#if` may not be compiled together.
            sequence: self.scopes.sequence(start).filter(|_| self.branch == 0),
            // Statements with operands are in functions: the file may be a part of one.
            is_file_scope: parts.statement.form == Form::Basic && self.scopes.is_file_scope(),
            lanes: self.scopes.lanes(),
            path: self.path(),
            expansion,
            ..Block::new(span)
        };
        for (operand, tokens) in parts.statement.operands.iter().zip(&parts.expressions) {
            if let (true, [name]) = (operand.is_output, &tokens[..]) {
                self.scopes.declarations.assign(&self.expander.text(name), false);
            }
        }
        self.complete(&mut block, parts, evidence);
        self.push(block);
    }

    /// Returns the machine of the current token.
    fn target(&self) -> Target {
        let stated = self.scopes.target();
        // A branch of a conditional may be for another target than the function.
        let stated = if self.branch == 0 { stated } else { Target::Unknown };
        stated.or(self.search.default_target())
    }

    /// Returns the part of the compiler, if it is known.
    fn path(&self) -> Option<Path> {
        match self.search.language() {
            Language::Cm => Some(Path::Vc),
            _ => self.scopes.path(),
        }
    }

    /// Finds the types and values of operands.
    fn read_operands(&mut self, parts: &mut Parts) {
        let declarations = &self.scopes.declarations;
        for (operand, tokens) in parts.statement.operands.iter_mut().zip(&parts.expressions) {
            if !self.expander.spend(tokens.len()) {
                return;
            }
            let reader = Reader::new(&self.expander, declarations, tokens);
            operand.ty = reader.expression(0).and_then(|ty| ty.operand());
            operand.is_varying = !operand.is_output && reader.is_varying();
            if let "i" | "P" | "n" = &*operand.constraint {
                operand.value = value::evaluate(&reader).map(value::Constant::bits);
            }
        }
    }

    /// Sets the content and the maps of a block.
    fn complete(&mut self, block: &mut Block, mut parts: Parts, evidence: Evidence) {
        block.is_undecided = evidence == Evidence::None;
        if let Evidence::Other(reason) = evidence {
            block.content = Content::Other(reason);
            return;
        }
        self.apply_hints(block, &mut parts.statement);
        if self.expander.budget == 0 {
            // Operands without types or hints may be left.
            let problem = "it is too complex; preprocess the file first";
            parts.problem.get_or_insert_with(|| problem.to_owned());
        }
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

    /// Adds the block of a macro's use that cannot be expanded.
    fn failure(&mut self, token: &Token, index: u32) {
        let Some((failure, name)) = self.stream.failures.get(index as usize) else { return };
        if !self.stream.assembly.contains(name) {
            return;
        }
        let (reason, name) = (failure.reason(), name.clone());
        let mut block = Block::new(token.range());
        if self.has_visa(&name) {
            block.content = Content::Unreadable(reason);
            block.function = self.scopes.function();
        }
        block.expansion = Some(token.range());
        self.push(block);
    }

    fn push(&mut self, block: Block) {
        self.blocks.push(block);
    }

    fn finish(mut self, markers: Vec<Marker>, is_nested: bool) -> Source {
        let unused = self.hints.iter().filter(|hint| !hint.is_used && self.error.is_none());
        for hint in unused {
            let message = "no vISA block is next to this comment".to_owned();
            self.hint_errors.push((hint.span.clone(), message));
        }
        let Finder { mut blocks, hint_errors, error, scopes, search, .. } = self;
        let is_for_gpu = search.language() != Language::C || scopes.has_kernel;
        decide(&mut blocks, is_for_gpu || search.default_target() == Target::Visa);
        if is_nested && !scopes.has_functions() {
            // The literal may be a part of a function.
            blocks.iter_mut().for_each(|block| block.is_file_scope = false);
        }
        let mut found = Source { blocks, markers, error, hint_errors };
        if !is_nested {
            nested::find(&self.expander, search, &self.stream.tokens, &mut found);
            let tokens = &self.lexed.directive_tokens;
            nested::find(&self.expander, search, tokens, &mut found);
        }
        found.hint_errors.sort_by_key(|(span, _)| span.start);
        found.blocks.sort_by_key(|block| {
            block.expansion.as_ref().map_or(block.span.start, |expansion| expansion.start)
        });
        found
    }
}

fn has_operands(parts: &Parts) -> bool {
    !parts.statement.operands.is_empty()
}

/// Returns whether a file may contain inline assembly or, in a literal, source code with it.
fn has_assembly(source: &[u8], lexed: &Lexed, is_nested: bool) -> bool {
    let has_paste = lexed.directive_tokens.iter().any(|token| token.kind == Kind::Paste);
    let mut tokens = lexed.tokens.iter().chain(&lexed.directive_tokens);
    tokens.any(|token| {
        let text = &source[token.range()];
        match token.kind {
            Kind::Identifier => {
                let is_first = matches!(text[0], b'a' | b'_');
                let text = || lexer::unspliced(text, token.is_spliced);
                is_first && is_keyword(&text()) || has_paste && is_part_of_keyword(&text())
            }
            Kind::String => !is_nested && may_contain_assembly(text),
            _ => false,
        }
    })
}
