//! The macros that a file defines.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::ops::Range;

use super::condition::{Evaluator, Known};
use super::lexer::{Kind, Lexed, Token, unspliced};

/// The definition of a macro, or the end of one by `#undef`.
#[derive(Debug)]
pub(in crate::source) struct Definition {
    pub(in crate::source) name: Token,
    /// The offset after the directive.
    offset: u32,
    branch: u32,
    is_undef: bool,
    /// The number of parameters of a function-like macro. The last one of a variadic macro is its
    /// rest.
    pub(in crate::source) parameters: Option<u32>,
    pub(in crate::source) is_variadic: bool,
    /// Whether it uses `__VA_OPT__`.
    pub(in crate::source) is_unsupported: bool,
    /// The body, as a range of [`Lexed::directive_tokens`].
    pub(in crate::source) body: Range<u32>,
    /// For each token of the body, the parameter that it is.
    pub(in crate::source) parameter_of: Vec<u32>,
    /// A hash of parameters and body.
    hash: u64,
}

/// In [`Definition::parameter_of`]: not a parameter.
pub(in crate::source) const NO_PARAMETER: u32 = u32::MAX;

/// A place in the file: an offset, and the branch of preprocessor conditionals that contains it.
#[derive(Clone, Copy, Debug)]
pub(in crate::source) struct Site {
    pub(in crate::source) offset: u32,
    pub(in crate::source) branch: u32,
}

/// A branch of a preprocessor conditional. Branch 0 is the file.
#[derive(Clone, Copy, Debug)]
struct Branch {
    parent: u32,
    /// The conditional, by the index of the directive that begins it.
    conditional: u32,
    /// The number of the branch.
    number: u32,
    depth: u32,
}

/// The condition and the branches of a preprocessor conditional.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::source) struct Conditional {
    pub(in crate::source) condition: Vec<u8>,
    /// Whether the first branch is compiled if the condition is false.
    pub(in crate::source) is_negated: bool,
    /// The number of branches, with the empty one of a missing `#else`.
    pub(in crate::source) branches: u32,
    has_else: bool,
}

/// The effect of a directive on conditionals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source) enum Step {
    None,
    /// `#if`, `#ifdef` or `#ifndef`.
    If,
    /// `#elif` or `#else`.
    Else,
    Endif,
}

/// The macros and conditionals of a file.
#[derive(Default)]
pub(in crate::source) struct Macros<'a> {
    pub(in crate::source) definitions: Vec<Definition>,
    by_name: BTreeMap<Cow<'a, [u8]>, Vec<u32>>,
    branches: Vec<Branch>,
    /// For each directive, its step, the branch after it, and the directive that begins the
    /// conditional.
    pub(in crate::source) steps: Vec<(Step, u32, u32)>,
    /// By the directive that begins it.
    pub(in crate::source) conditionals: BTreeMap<u32, Conditional>,
    /// The directives that begin branches which are never compiled: `#if 0`.
    pub(in crate::source) dead: BTreeSet<u32>,
}

/// The maximum number of definitions of a name, and of levels of conditionals, in a lookup.
const MAX_LOOKUP: usize = 64;

/// The maximum number of definitions that a lookup returns.
const MAX_DEFINITIONS: usize = 8;

impl<'a> Macros<'a> {
    /// `is_evaluated` is whether the values of conditions are found.
    pub(in crate::source) fn new(
        source: &'a [u8],
        lexed: &Lexed,
        is_evaluated: bool,
    ) -> Macros<'a> {
        let mut macros = Macros::default();
        macros.branches.push(Branch { parent: 0, conditional: u32::MAX, number: 0, depth: 0 });
        let mut branch = 0;
        // For each open conditional: the directive that begins it, the enclosing branch, and whether
        // one of its branches so far is certainly compiled, or certainly none.
        let mut open: Vec<(u32, u32, Option<bool>)> = Vec::new();
        for (index, directive) in lexed.directives.iter().enumerate() {
            let index = index as u32;
            let range = directive.tokens.start as usize..directive.tokens.end as usize;
            let tokens = &lexed.directive_tokens[range];
            let text = |token: &Token| unspliced(&source[token.range()], token.is_spliced);
            let name = tokens.first().filter(|token| token.kind == Kind::Identifier).map(text);
            let mut step = Step::None;
            let mut conditional = u32::MAX;
            match name.as_deref() {
                Some(b"define") => {
                    macros.define(source, tokens, directive.tokens.start, directive.end, branch);
                }
                Some(b"undef") if tokens.len() > 1 => macros.add(
                    text(&tokens[1]),
                    Definition {
                        name: tokens[1],
                        offset: directive.end,
                        branch,
                        is_undef: true,
                        parameters: None,
                        is_variadic: false,
                        is_unsupported: false,
                        body: 0..0,
                        parameter_of: Vec::new(),
                        hash: 0,
                    },
                ),
                Some(b"if" | b"ifdef" | b"ifndef") => {
                    step = Step::If;
                    conditional = index;
                    let words: Vec<Cow<'_, [u8]>> = tokens.iter().map(text).collect();
                    let (condition, is_negated) = condition(&words);
                    let holds = match &*condition {
                        b"0" | b"false" => Some(false),
                        b"1" | b"true" => Some(true),
                        _ if is_evaluated => macros.holds(source, lexed, tokens, branch),
                        _ => None,
                    };
                    if holds == Some(false) {
                        macros.dead.insert(index);
                    }
                    open.push((index, branch, holds));
                    let first = match holds.filter(|_| is_evaluated) {
                        None => Conditional { condition, is_negated, branches: 1, has_else: false },
                        // It is the same as a literal.
                        Some(holds) => Conditional {
                            condition: Vec::from([b'0' + u8::from(holds)]),
                            is_negated: false,
                            branches: 1,
                            has_else: false,
                        },
                    };
                    macros.conditionals.insert(index, first);
                    // Definitions in a branch that is certainly compiled are certain.
                    if !(is_evaluated && holds == Some(true)) {
                        branch = macros.enter(branch, index);
                    }
                }
                Some(b"elif" | b"else" | b"elifdef" | b"elifndef") => {
                    if let Some((first, parent, is_taken)) = open.last_mut() {
                        step = Step::Else;
                        conditional = *first;
                        let holds = match is_taken {
                            Some(true) => Some(false),
                            _ if is_evaluated => macros.holds(source, lexed, tokens, *parent),
                            _ => None,
                        };
                        let is_certain = holds == Some(true) && *is_taken == Some(false);
                        match holds {
                            Some(false) => {
                                macros.dead.insert(index);
                            }
                            // The next branches are not compiled.
                            Some(true) => *is_taken = Some(true),
                            None => *is_taken = None,
                        }
                        if let Some(facts) = macros.conditionals.get_mut(first) {
                            facts.branches += 1;
                            if name.as_deref() == Some(b"else") {
                                facts.has_else = true;
                            } else {
                                // It has more than one condition.
                                facts.condition.extend_from_slice(&index.to_le_bytes());
                            }
                        }
                        branch = match is_certain {
                            true => *parent,
                            false => macros.enter(*parent, *first),
                        };
                    }
                }
                Some(b"endif") => {
                    if let Some((first, parent, _)) = open.pop() {
                        step = Step::Endif;
                        conditional = first;
                        branch = parent;
                        if let Some(facts) = macros.conditionals.get_mut(&first) {
                            facts.branches += u32::from(!facts.has_else);
                        }
                    }
                }
                _ => {}
            }
            macros.steps.push((step, branch, conditional));
        }
        macros
    }

    /// Returns whether the condition of a directive in a branch holds, if that is certain.
    fn holds(
        &self,
        source: &[u8],
        lexed: &Lexed,
        directive: &[Token],
        branch: u32,
    ) -> Option<bool> {
        let known = |name: &[u8]| {
            let events = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
            let events = events.iter().rev().take(MAX_LOOKUP);
            let events = events.map(|&event| &self.definitions[event as usize]);
            let mut compatible = events.filter(|it| self.is_compatible(it.branch, branch));
            match compatible.next().filter(|it| self.contains(it.branch, branch)) {
                None => Known::Nothing,
                Some(definition) if definition.is_undef => Known::Undefined,
                Some(Definition { body, parameters, .. }) => {
                    let body = body.start as usize..body.end as usize;
                    let is_object = parameters.is_none();
                    Known::Defined(is_object.then(|| &lexed.directive_tokens[body]))
                }
            }
        };
        Evaluator::new(source, &known).holds(directive)
    }

    fn enter(&mut self, parent: u32, conditional: u32) -> u32 {
        let depth = self.branches[parent as usize].depth + 1;
        let number = self.branches.len() as u32;
        self.branches.push(Branch { parent, conditional, number, depth });
        number
    }

    fn add(&mut self, name: Cow<'a, [u8]>, definition: Definition) {
        let index = self.definitions.len() as u32;
        self.definitions.push(definition);
        self.by_name.entry(name).or_default().push(index);
    }

    fn define(&mut self, source: &'a [u8], tokens: &[Token], first: u32, offset: u32, branch: u32) {
        let Some(&name) = tokens.get(1).filter(|name| name.kind == Kind::Identifier) else {
            return;
        };
        let text = |token: &Token| unspliced(&source[token.range()], token.is_spliced);
        let mut body = 2;
        let mut parameters = None;
        let mut is_variadic = false;
        let mut names: BTreeMap<Cow<'_, [u8]>, u32> = BTreeMap::new();
        if tokens.get(2).is_some_and(|token| token.is(b'(') && !token.is_spaced) {
            let Some(length) = tokens.iter().position(|token| token.is(b')')) else { return };
            for parameter in tokens[3..length].split(|token| token.is(b',')) {
                let number = names.len() as u32;
                let dots = parameter.iter().rev().take_while(|token| token.is(b'.')).count();
                is_variadic |= dots == 3;
                match &parameter[..parameter.len() - dots] {
                    [] if dots == 0 => continue,
                    [] => names.insert(Cow::Borrowed(b"__VA_ARGS__"), number),
                    [name, ..] => names.insert(text(name), number),
                };
            }
            parameters = Some(names.len() as u32);
            body = length + 1;
        }
        let tokens = &tokens[body.min(tokens.len())..];
        let mut hash = Hash::new();
        hash.add(&[u8::from(parameters.is_some()), u8::from(is_variadic)]);
        let mut is_unsupported = false;
        let mut parameter_of = Vec::with_capacity(tokens.len());
        for token in tokens {
            let text = text(token);
            let number = match token.kind {
                Kind::Identifier => names.get(&text).copied(),
                _ => None,
            };
            is_unsupported |= *text == *b"__VA_OPT__";
            match number {
                Some(number) => hash.add(&number.to_le_bytes()),
                None => hash.add(&text),
            }
            hash.add(&[u8::from(token.is_spaced)]);
            parameter_of.push(number.unwrap_or(NO_PARAMETER));
        }
        let body = first + body as u32;
        let definition = Definition {
            name,
            offset,
            branch,
            is_undef: false,
            parameters,
            is_variadic,
            is_unsupported,
            body: body..body + tokens.len() as u32,
            parameter_of,
            hash: hash.0,
        };
        self.add(text(&name), definition);
    }

    /// Returns the definitions that a name may have at a place, the last one first. There are several
    /// if they depend on preprocessor conditionals.
    pub(in crate::source) fn lookup(&self, name: &[u8], site: Site) -> Vec<usize> {
        let Some(events) = self.by_name.get(name) else { return Vec::new() };
        let before =
            events.partition_point(|&event| self.definitions[event as usize].offset <= site.offset);
        let mut found: Vec<usize> = Vec::new();
        for &event in events[..before].iter().rev().take(MAX_LOOKUP) {
            let definition = &self.definitions[event as usize];
            if !self.is_compatible(definition.branch, site.branch) {
                continue;
            }
            let same = |&other: &usize| self.definitions[other].hash == definition.hash;
            if !definition.is_undef && !found.iter().any(same) {
                found.push(event as usize);
            }
            if found.len() == MAX_DEFINITIONS || self.contains(definition.branch, site.branch) {
                break;
            }
        }
        found
    }

    /// Returns the last place at which a definition is valid.
    pub(in crate::source) fn end_of(&self, source: &[u8], definition: usize) -> Site {
        let Definition { name, branch, .. } = self.definitions[definition];
        let text = unspliced(&source[name.range()], name.is_spliced);
        let events = self.by_name.get(&text).map_or(&[][..], Vec::as_slice);
        let next = events.get(events.partition_point(|&event| event as usize <= definition));
        let next = next.map(|&event| self.definitions[event as usize].offset - 1);
        Site { offset: next.unwrap_or(u32::MAX), branch }
    }

    /// Returns whether two branches can both be compiled.
    fn is_compatible(&self, a: u32, b: u32) -> bool {
        let (mut a, mut b) = (self.branches[a as usize], self.branches[b as usize]);
        for _ in 0..4 * MAX_LOOKUP {
            if a.depth == 0 && b.depth == 0 {
                return true;
            }
            if a.depth > b.depth {
                a = self.branches[a.parent as usize];
            } else if b.depth > a.depth {
                b = self.branches[b.parent as usize];
            } else if a.conditional == b.conditional && a.number != b.number {
                return false;
            } else {
                a = self.branches[a.parent as usize];
                b = self.branches[b.parent as usize];
            }
        }
        true
    }

    /// Returns whether two definitions can both be compiled.
    pub(in crate::source) fn can_coexist(&self, a: usize, b: usize) -> bool {
        self.is_compatible(self.definitions[a].branch, self.definitions[b].branch)
    }

    /// Returns the names of macros that contain `##`.
    pub(in crate::source) fn names_that_paste(
        &self,
        source: &[u8],
        lexed: &Lexed,
    ) -> BTreeSet<Vec<u8>> {
        let mut names = BTreeSet::new();
        for definition in &self.definitions {
            let body = definition.body.start as usize..definition.body.end as usize;
            if lexed.directive_tokens[body].iter().any(|token| token.kind == Kind::Paste) {
                let name = definition.name;
                names.insert(unspliced(&source[name.range()], name.is_spliced).into_owned());
            }
        }
        names
    }

    /// Returns whether a branch is or contains another.
    fn contains(&self, outer: u32, inner: u32) -> bool {
        let mut at = inner;
        for _ in 0..4 * MAX_LOOKUP {
            if at == outer {
                return true;
            }
            if at == 0 {
                return false;
            }
            at = self.branches[at as usize].parent;
        }
        false
    }

    /// Returns the names of macros whose bodies contain one of some words, directly or through other
    /// macros.
    pub(in crate::source) fn names_with(
        &self,
        source: &[u8],
        lexed: &Lexed,
        words: &[&[u8]],
    ) -> BTreeSet<Vec<u8>> {
        let mut users: BTreeMap<Cow<'_, [u8]>, Vec<u32>> = BTreeMap::new();
        let mut pending: Vec<Vec<u8>> = words.iter().map(|word| word.to_vec()).collect();
        let words: BTreeSet<&[u8]> = words.iter().copied().collect();
        for (index, definition) in self.definitions.iter().enumerate() {
            let body = definition.body.start as usize..definition.body.end as usize;
            for token in &lexed.directive_tokens[body] {
                if token.kind == Kind::Identifier {
                    let text = unspliced(&source[token.range()], token.is_spliced);
                    if self.by_name.contains_key(&text) || words.contains(&*text) {
                        users.entry(text).or_default().push(index as u32);
                    }
                }
            }
        }
        let mut names = BTreeSet::new();
        while let Some(word) = pending.pop() {
            for user in users.remove(&*word).unwrap_or_default() {
                let name = self.definitions[user as usize].name;
                let name = unspliced(&source[name.range()], name.is_spliced).into_owned();
                if names.insert(name.clone()) {
                    pending.push(name);
                }
            }
        }
        names
    }
}

/// Returns the text of a condition, and whether it is negated.
fn condition(words: &[Cow<'_, [u8]>]) -> (Vec<u8>, bool) {
    let words: Vec<&[u8]> = words.iter().map(|word| &**word).collect();
    match &words[..] {
        [b"ifdef", name] | [b"if", b"defined", name] | [b"if", b"defined", b"(", name, b")"] => {
            ([b"defined ", *name].concat(), false)
        }
        [b"ifndef", name]
        | [b"if", b"!", b"defined", name]
        | [b"if", b"!", b"defined", b"(", name, b")"] => ([b"defined ", *name].concat(), true),
        [b"if", b"!", name] => (name.to_vec(), true),
        [_, rest @ ..] => (rest.join(&b' '), false),
        [] => (Vec::new(), false),
    }
}

/// The hash FNV-1a.
struct Hash(u64);

impl Hash {
    fn new() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
