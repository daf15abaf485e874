//! Expansion of macros.

mod substitute;

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use super::lexer::{Kind, Lexed, Token, unspliced};
use super::literal::{Mapped, characters};
use super::macros::{Macros, Site};
use crate::source::text::Text;

/// A reason why a use of a macro cannot be expanded.
#[derive(Clone, Debug)]
pub(in crate::source) enum Failure {
    /// Its definition depends on preprocessor conditionals.
    Several(String),
    /// Its arguments do not match its parameters.
    Arguments(String),
    /// It uses `__VA_OPT__`.
    Unsupported(String),
    /// The text is too long or too deep.
    Limit(String),
}

impl Failure {
    pub(in crate::source) fn reason(&self) -> String {
        match self {
            Failure::Several(name) => {
                format!("macro `{name}` has several definitions; preprocess the file first")
            }
            Failure::Arguments(name) => {
                format!("the arguments of macro `{name}` do not match its parameters")
            }
            Failure::Unsupported(name) => {
                format!("macro `{name}` uses `__VA_OPT__`; preprocess the file first")
            }
            Failure::Limit(name) => {
                format!("the expansion of macro `{name}` is too long; preprocess the file first")
            }
        }
    }
}

/// The depth of expansions within expansions.
const MAX_DEPTH: usize = 128;

/// The depth of arguments within arguments. Each level is a recursion.
const MAX_ARGUMENT_DEPTH: usize = 24;

/// The depth of parentheses within the arguments of a macro (docs/limits.md). Each level of arguments copies
/// the tokens in it.
const MAX_PARENTHESES: usize = 512;

/// The length of one expansion, in tokens, and of one result of `#` or `##`, in bytes.
const MAX_LENGTH: usize = 1 << 18;

/// The maximum number of variants of an expansion.
const MAX_VARIANTS: usize = 8;

/// The steps of an expansion in addition to its tokens.
const EXPANSION_STEPS: usize = 16;

/// Expands macros of a file.
pub(in crate::source) struct Expander<'a> {
    pub(in crate::source) source: &'a [u8],
    pub(in crate::source) lexed: &'a Lexed,
    pub(in crate::source) macros: &'a Macros<'a>,
    /// The texts of tokens that `#` and `##` make.
    made: Vec<Text>,
    /// The uses of macros.
    pub(in crate::source) usages: Vec<Range<u32>>,
    /// The steps that are left for the whole file. The limit keeps the time linear.
    pub(in crate::source) budget: usize,
    /// For each definition, whether it was used.
    pub(in crate::source) used: Vec<bool>,
    disabled: Vec<usize>,
    argument_depth: usize,
    /// The definitions of macros whose definitions depend on preprocessor conditionals.
    choices: Vec<Choice>,
}

/// The definition of a macro that a variant of an expansion uses.
struct Choice {
    name: Vec<u8>,
    /// The definitions that are left for other variants, then the current one.
    definitions: Vec<usize>,
}

/// An empty token.
const NOTHING: Token = Token {
    kind: Kind::Nothing,
    start: 0,
    end: 0,
    made: 0,
    usage: 0,
    is_spaced: false,
    is_spliced: false,
    is_final: false,
};

/// The tokens of an argument, as they are and expanded.
struct Argument {
    tokens: Vec<Token>,
    expanded: Option<Vec<Token>>,
}

struct Context {
    tokens: Vec<Token>,
    next: usize,
    /// Whether its end enables the last macro of `disabled`.
    is_body: bool,
}

/// The context of an expansion.
#[derive(Clone, Copy)]
pub(in crate::source) struct Mode {
    pub(in crate::source) site: Site,
    /// The definition of the first token, if it is chosen already.
    pub(in crate::source) chosen: Option<usize>,
    /// Whether the tokens are from the file, so that uses of macros are recorded.
    pub(in crate::source) is_file: bool,
}

impl<'a> Expander<'a> {
    pub(in crate::source) fn new(
        source: &'a [u8],
        lexed: &'a Lexed,
        macros: &'a Macros<'a>,
        budget: usize,
    ) -> Expander<'a> {
        Expander {
            source,
            lexed,
            macros,
            made: Vec::new(),
            usages: Vec::new(),
            budget,
            used: vec![false; macros.definitions.len()],
            disabled: Vec::new(),
            argument_depth: 0,
            choices: Vec::new(),
        }
    }

    /// Returns the text of a token.
    pub(in crate::source) fn text(&self, token: &Token) -> Cow<'_, [u8]> {
        match token.made {
            0 => unspliced(&self.source[token.range()], token.is_spliced),
            made => Cow::Borrowed(&self.made[made as usize - 1].bytes),
        }
    }

    /// Returns whether a token is a certain word.
    pub(in crate::source) fn is_word(&self, token: &Token, word: &str) -> bool {
        token.kind == Kind::Identifier && *self.text(token) == *word.as_bytes()
    }

    pub(in crate::source) fn name(&self, token: &Token) -> String {
        self.word(token).into_owned()
    }

    /// Returns the text of a token. Bytes that are not UTF-8 are replaced.
    pub(in crate::source) fn word(&self, token: &Token) -> Cow<'_, str> {
        match self.text(token) {
            Cow::Borrowed(text) => String::from_utf8_lossy(text),
            Cow::Owned(text) => Cow::Owned(String::from_utf8_lossy(&text).into_owned()),
        }
    }

    /// Returns the bytes of a token, and the bytes of the file that each is written as.
    pub(in crate::source) fn characters(&self, token: &Token) -> Vec<Mapped> {
        match token.made {
            0 => characters(&self.source[token.range()], token.start),
            made => {
                let text = &self.made[made as usize - 1];
                text.bytes.iter().copied().zip(text.map.iter().cloned()).collect()
            }
        }
    }

    /// Subtracts steps from the budget. Returns whether that many were left.
    pub(in crate::source) fn spend(&mut self, steps: usize) -> bool {
        let is_enough = self.budget >= steps;
        self.budget = self.budget.saturating_sub(steps);
        is_enough
    }

    /// Expands all macros in a list of tokens. There are several results if the definitions of macros
    /// depend on preprocessor conditionals.
    pub(in crate::source) fn expand(
        &mut self,
        tokens: &[Token],
        mode: Mode,
    ) -> Vec<Result<Vec<Token>, Failure>> {
        self.choices.clear();
        let mut variants = Vec::new();
        loop {
            variants.push(self.expand_variant(tokens.to_vec(), mode));
            while self.choices.last().is_some_and(|choice| choice.definitions.len() == 1) {
                self.choices.pop();
            }
            let Some(choice) = self.choices.last_mut() else { return variants };
            choice.definitions.pop();
            if variants.len() == MAX_VARIANTS || self.budget == 0 {
                let name = String::from_utf8_lossy(&choice.name).into_owned();
                variants.push(Err(Failure::Several(name)));
                self.choices.clear();
                return variants;
            }
        }
    }

    /// Expands all macros for the current choices, and adds new choices.
    fn expand_variant(&mut self, tokens: Vec<Token>, mode: Mode) -> Result<Vec<Token>, Failure> {
        let depth = self.disabled.len();
        let result = self.expand_all(tokens, mode);
        self.disabled.truncate(depth);
        let mut tokens = result?;
        tokens.retain(|token| token.kind != Kind::Nothing);
        Ok(tokens)
    }

    fn expand_all(&mut self, tokens: Vec<Token>, mode: Mode) -> Result<Vec<Token>, Failure> {
        let mut chosen = mode.chosen;
        let mut output: Vec<Token> = Vec::with_capacity(tokens.len());
        let mut stack = vec![Context { tokens, next: 0, is_body: false }];
        let mut usage = 0;
        // An expansion to nothing leaves its blanks to the next token.
        let mut is_spaced = false;
        while let Some(mut token) = self.pull(&mut stack) {
            let in_file = stack.len() == 1;
            if in_file {
                usage = 0;
            }
            if token.usage == 0 {
                token.usage = usage;
            }
            if token.kind == Kind::Nothing {
                is_spaced |= token.is_spaced;
                continue;
            }
            token.is_spaced |= mem::take(&mut is_spaced);
            let expansion = match token.kind {
                Kind::Identifier if !token.is_final => {
                    self.definition(&token, mode.site, chosen.take())?
                }
                _ => None,
            };
            let Some(definition) = expansion else {
                output.push(token);
                if !self.spend(1) || output.len() > MAX_LENGTH {
                    return Err(Failure::Limit(self.name(&token)));
                }
                continue;
            };
            if self.disabled.contains(&definition) {
                token.is_final = true;
                output.push(token);
                continue;
            }
            if self.disabled.len() >= MAX_DEPTH || !self.spend(EXPANSION_STEPS) {
                return Err(Failure::Limit(self.name(&token)));
            }
            let facts = &self.macros.definitions[definition];
            let (parameters, is_variadic) = (facts.parameters, facts.is_variadic);
            let mut last = token;
            let mut arguments = Vec::new();
            if let Some(parameters) = parameters {
                if !peek(&stack).is_some_and(|next| next.is(b'(')) {
                    output.push(token);
                    continue;
                }
                (arguments, last) = self.arguments(&mut stack, &token, parameters, is_variadic)?;
            }
            self.used[definition] = true;
            if in_file && mode.is_file && token.usage == 0 {
                self.usages.push(token.start..last.end.max(token.end));
                usage = self.usages.len() as u32;
                token.usage = usage;
            } else if in_file {
                usage = token.usage;
            }
            let mut body = self.substitute(definition, &mut arguments, mode, &token)?;
            match body.first_mut() {
                Some(first) => first.is_spaced = token.is_spaced,
                None => is_spaced = token.is_spaced,
            }
            self.disabled.push(definition);
            stack.push(Context { tokens: body, next: 0, is_body: true });
        }
        if is_spaced {
            output.push(Token { is_spaced, ..NOTHING });
        }
        Ok(output)
    }

    /// Takes the next token, and leaves the contexts that have ended.
    fn pull(&mut self, stack: &mut Vec<Context>) -> Option<Token> {
        loop {
            let context = stack.last_mut()?;
            if let Some(&token) = context.tokens.get(context.next) {
                context.next += 1;
                return Some(token);
            }
            if stack.len() == 1 {
                return None;
            }
            if stack.pop().is_some_and(|context| context.is_body) {
                self.disabled.pop();
            }
        }
    }

    /// Returns the definition of a macro; `None` if the name is not a macro.
    fn definition(
        &mut self,
        token: &Token,
        site: Site,
        chosen: Option<usize>,
    ) -> Result<Option<usize>, Failure> {
        if chosen.is_some() {
            return Ok(chosen);
        }
        let text = self.text(token);
        if super::keywords::is_keyword(&text) {
            return Ok(None);
        }
        let found = self.macros.lookup(&text, site);
        let Some(&(mut first)) = found.first() else { return Ok(None) };
        if found.len() > 1 {
            let name = text.into_owned();
            first = self.choose(name, found);
        }
        if self.macros.definitions[first].is_unsupported {
            return Err(Failure::Unsupported(self.name(token)));
        }
        Ok(Some(first))
    }

    /// Returns the definition of a macro in the current variant, which other choices do not contradict.
    fn choose(&mut self, name: Vec<u8>, mut definitions: Vec<usize>) -> usize {
        let current = |choice: &Choice| choice.definitions[choice.definitions.len() - 1];
        if let Some(known) = self.choices.iter().find(|choice| choice.name == name) {
            return current(known);
        }
        let first = definitions[0];
        let others: Vec<usize> = self.choices.iter().map(current).collect();
        definitions.retain(|&it| others.iter().all(|&other| self.macros.can_coexist(it, other)));
        if definitions.is_empty() {
            definitions.push(first);
        }
        let definition = definitions[definitions.len() - 1];
        self.choices.push(Choice { name, definitions });
        definition
    }

    /// Takes the arguments of a macro, with both parentheses. Returns the last parenthesis too.
    fn arguments(
        &mut self,
        stack: &mut Vec<Context>,
        name: &Token,
        parameters: u32,
        is_variadic: bool,
    ) -> Result<(Vec<Argument>, Token), Failure> {
        let mut arguments = vec![Argument { tokens: Vec::new(), expanded: None }];
        let mut depth = 0;
        let mut is_spaced = false;
        let last = loop {
            let Some(mut token) = self.pull(stack) else {
                return Err(Failure::Arguments(self.name(name)));
            };
            if !self.spend(1) {
                return Err(Failure::Limit(self.name(name)));
            }
            match token.kind {
                Kind::Directive(_) => continue,
                Kind::Nothing => {
                    is_spaced |= token.is_spaced;
                    continue;
                }
                Kind::Punctuation(b'(') => {
                    depth += 1;
                    if depth == 1 {
                        continue;
                    }
                    if depth > MAX_PARENTHESES {
                        return Err(Failure::Limit(self.name(name)));
                    }
                }
                Kind::Punctuation(b')') => {
                    depth -= 1;
                    if depth == 0 {
                        break token;
                    }
                }
                Kind::Punctuation(b',')
                    if depth == 1 && !(is_variadic && arguments.len() >= parameters as usize) =>
                {
                    arguments.push(Argument { tokens: Vec::new(), expanded: None });
                    continue;
                }
                _ => {}
            }
            if let Some(argument) = arguments.last_mut() {
                token.is_spaced |= mem::take(&mut is_spaced);
                argument.tokens.push(token);
            }
        };
        let is_empty = arguments.len() == 1 && arguments[0].tokens.is_empty();
        if parameters == 0 && is_empty {
            arguments.clear();
        }
        if is_variadic && arguments.len() + 1 == parameters as usize {
            arguments.push(Argument { tokens: Vec::new(), expanded: None });
        }
        if arguments.len() != parameters as usize {
            return Err(Failure::Arguments(self.name(name)));
        }
        Ok((arguments, last))
    }
}

/// Returns the next token without taking it.
fn peek(stack: &[Context]) -> Option<&Token> {
    let mut contexts = stack.iter().rev();
    contexts.find_map(|context| context.tokens[context.next..].iter().find(is_code))
}

fn is_code(token: &&Token) -> bool {
    !matches!(token.kind, Kind::Directive(_) | Kind::Nothing)
}
