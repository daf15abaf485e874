//! The tokens of a file, in which the uses of macros with inline assembly are expanded.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::expansion::{Expander, Failure, Mode};
use super::keywords::{KEYWORDS, is_keyword, is_part_of_keyword};
use super::lexer::{Kind, Lexed, Token};
use super::macros::{Macros, Site, Step};

/// The names of the attributes that state the number of lanes.
const LANES: [&[u8]; 2] = [b"intel_reqd_sub_group_size", b"reqd_sub_group_size"];

/// Tokens and the relations of their directives.
pub(in crate::source) struct Stream {
    pub(in crate::source) tokens: Vec<Token>,
    /// For each directive of a conditional, the index of the token of its next branch or its end.
    pub(in crate::source) next_branch: Vec<Option<usize>>,
    /// The macros that contain inline assembly.
    pub(in crate::source) assembly: BTreeSet<Vec<u8>>,
    /// The reasons of [`Kind::Failure`], and the names of the macros.
    pub(in crate::source) failures: Vec<(Failure, Vec<u8>)>,
}

impl Stream {
    pub(in crate::source) fn new<'a>(
        lexed: &'a Lexed,
        macros: &'a Macros<'a>,
        expander: &mut Expander<'a>,
    ) -> Stream {
        let source = expander.source;
        let assembly = macros.names_with(source, lexed, &KEYWORDS);
        let mut expanded = macros.names_with(source, lexed, &LANES);
        expanded.extend(assembly.iter().cloned());
        let pasting = macros.names_that_paste(source, lexed);
        let mut stream = Stream {
            tokens: Vec::with_capacity(lexed.tokens.len()),
            next_branch: Vec::new(),
            assembly,
            failures: Vec::new(),
        };
        stream.fill(lexed, macros, expander, &expanded, &pasting);
        stream.connect(lexed, macros);
        stream
    }

    fn fill<'a>(
        &mut self,
        lexed: &Lexed,
        macros: &'a Macros<'a>,
        expander: &mut Expander<'a>,
        expanded: &BTreeSet<Vec<u8>>,
        pasting: &BTreeSet<Vec<u8>>,
    ) {
        let mut branch = 0;
        let mut at = 0;
        while let Some(&token) = lexed.tokens.get(at) {
            at += 1;
            if let Kind::Directive(directive) = token.kind {
                let (_, after, conditional) = macros.steps[directive as usize];
                branch = after;
                self.tokens.push(token);
                if macros.dead.contains(&directive) {
                    at = skip_branch(lexed, macros, at, conditional);
                }
                continue;
            }
            let is_macro = !expanded.is_empty() || !pasting.is_empty();
            if token.kind != Kind::Identifier || !is_macro {
                self.tokens.push(token);
                continue;
            }
            let site = Site { offset: token.start, branch };
            let name = expander.text(&token).into_owned();
            let is_expanded = expanded.contains(&name)
                || pasting.contains(&name) && makes_keyword(lexed, at, expander);
            let found = match is_expanded && !is_keyword(&name) {
                true => macros.lookup(&name, site),
                false => Vec::new(),
            };
            if found.is_empty() {
                self.tokens.push(token);
                continue;
            }
            let end = call_end(lexed, at, expander);
            let call = &lexed.tokens[at - 1..end];
            at = end;
            let first = self.tokens.len();
            self.expand(call, &name, &found, site, macros, expander);
            if is_open(&self.tokens[first..]) {
                at = self.complete(lexed, at, site, expander);
            }
        }
    }

    /// Appends the expansion of a use of a macro: of each of its definitions that contains assembly.
    fn expand<'a>(
        &mut self,
        call: &[Token],
        name: &[u8],
        found: &[usize],
        site: Site,
        macros: &'a Macros<'a>,
        expander: &mut Expander<'a>,
    ) {
        let first = self.tokens.len();
        let mut without = Vec::new();
        for &definition in found.iter().rev() {
            let mode = Mode { site, chosen: Some(definition), is_file: true };
            let variants = match macros.definitions[definition].is_unsupported {
                true => vec![Err(Failure::Unsupported(expander.name(&call[0])))],
                false => expander.expand(call, mode),
            };
            for variant in variants {
                match variant {
                    Ok(tokens) => {
                        let is_assembly = |token: &Token| {
                            token.kind == Kind::Identifier && is_keyword(&expander.text(token))
                        };
                        match tokens.iter().any(is_assembly) {
                            true => self.tokens.extend(tokens),
                            false => without = tokens,
                        }
                    }
                    Err(failure) => {
                        expander.used[definition] = true;
                        let index = self.failures.len() as u32;
                        self.failures.push((failure, name.to_vec()));
                        let mut token = call[0];
                        token.kind = Kind::Failure(index);
                        token.end = call[call.len() - 1].end.max(token.end);
                        self.tokens.push(token);
                    }
                }
            }
        }
        if self.tokens.len() == first {
            self.tokens.extend(without);
        }
    }

    /// Appends the rest of a statement that a macro has begun: another macro may end it. Returns the
    /// index of the next token.
    fn complete(
        &mut self,
        lexed: &Lexed,
        start: usize,
        site: Site,
        expander: &mut Expander<'_>,
    ) -> usize {
        let rest = &lexed.tokens[start..];
        let is_end = |token: &Token| {
            matches!(token.kind, Kind::Directive(_) | Kind::Punctuation(b';' | b'{' | b'}'))
        };
        let length = rest.iter().position(is_end).unwrap_or(0);
        if expander.spend(length) {
            let mode = Mode { site, chosen: None, is_file: true };
            if let [Ok(tokens)] = &expander.expand(&rest[..length], mode)[..] {
                self.tokens.extend(tokens);
                return start + length;
            }
        }
        start
    }

    /// Finds the branches of conditionals.
    fn connect(&mut self, lexed: &Lexed, macros: &Macros<'_>) {
        self.next_branch = vec![None; lexed.directives.len()];
        let mut open: Vec<u32> = Vec::new();
        for (index, token) in self.tokens.iter().enumerate() {
            let Kind::Directive(directive) = token.kind else { continue };
            let step = macros.steps[directive as usize].0;
            if let (Step::Else | Step::Endif, Some(last)) = (step, open.last().copied()) {
                self.next_branch[last as usize] = Some(index);
                open.pop();
            }
            if let Step::If | Step::Else = step {
                open.push(directive);
            }
        }
    }
}

/// Returns the index of the next directive of a conditional.
fn skip_branch(lexed: &Lexed, macros: &Macros<'_>, start: usize, conditional: u32) -> usize {
    let rest = lexed.tokens.iter().skip(start);
    let length = rest.take_while(|token| match token.kind {
        Kind::Directive(directive) => macros.steps[directive as usize].2 != conditional,
        _ => true,
    });
    start + length.count()
}

/// Returns the index after the arguments that may follow a name.
fn call_end(lexed: &Lexed, start: usize, expander: &mut Expander<'_>) -> usize {
    let mut depth = 0_u32;
    for (index, token) in lexed.tokens.iter().enumerate().skip(start) {
        match token.kind {
            Kind::Directive(_) => continue,
            Kind::Punctuation(b'(') => depth += 1,
            Kind::Punctuation(b')') if depth > 0 => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if token.is(b')') && index > start { index + 1 } else { start };
        }
        if !expander.spend(1) {
            break;
        }
    }
    start
}

/// Returns whether the arguments of a macro contain a part of a keyword, which `##` may complete.
fn makes_keyword(lexed: &Lexed, start: usize, expander: &mut Expander<'_>) -> bool {
    let end = call_end(lexed, start, expander);
    lexed.tokens[start..end]
        .iter()
        .any(|token| token.kind == Kind::Identifier && is_part_of_keyword(&expander.text(token)))
}

/// Returns whether a parenthesis is not closed.
fn is_open(tokens: &[Token]) -> bool {
    let mut depth = 0_u32;
    for token in tokens {
        match token.kind {
            Kind::Punctuation(b'(') => depth += 1,
            Kind::Punctuation(b')') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    depth > 0
}

/// Returns the reason of a failure.
pub(in crate::source) fn reason(failures: &[(Failure, Vec<u8>)], token: &Token) -> Option<String> {
    match token.kind {
        Kind::Failure(index) => failures.get(index as usize).map(|(failure, _)| failure.reason()),
        _ => None,
    }
}
