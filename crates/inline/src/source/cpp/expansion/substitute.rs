//! Replacement of parameters, and the operators `#` and `##`.

use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use super::{Argument, Expander, Failure, MAX_ARGUMENT_DEPTH, MAX_LENGTH, Mode, NOTHING};
use crate::source::cpp::lexer::{Kind, Token, is_identifier_part, lex_fragment};
use crate::source::cpp::macros::NO_PARAMETER;
use crate::source::text::{HOLE, Text};

impl Expander<'_> {
    /// Replaces the parameters of a body by arguments, and applies `#` and `##`.
    pub(super) fn substitute(
        &mut self,
        definition: usize,
        arguments: &mut [Argument],
        mode: Mode,
        name: &Token,
    ) -> Result<Vec<Token>, Failure> {
        let macros = self.macros;
        let lexed = self.lexed;
        let facts = &macros.definitions[definition];
        let body = &lexed.directive_tokens[facts.body.start as usize..facts.body.end as usize];
        let parameter = |at: usize| {
            let number = facts.parameter_of.get(at).copied();
            number.filter(|&number| number != NO_PARAMETER && (number as usize) < arguments.len())
        };
        let parameters: Vec<Option<u32>> = (0..body.len()).map(parameter).collect();
        let is_function = facts.parameters.is_some();
        let is_paste = |at: usize| body.get(at).is_some_and(|token| token.kind == Kind::Paste);
        let mut output: Vec<Token> = Vec::with_capacity(body.len());
        let mut at = 0;
        // Whether the last token of the output is the left side of `##`.
        let mut pastes = false;
        while let Some(token) = body.get(at) {
            if !self.spend(1) || output.len() > MAX_LENGTH {
                return Err(Failure::Limit(self.name(name)));
            }
            if token.kind == Kind::Paste && !output.is_empty() && at + 1 < body.len() {
                pastes = true;
                at += 1;
                continue;
            }
            let mut piece: Vec<Token> = Vec::new();
            let mut length = 1;
            let next = parameters.get(at + 1).copied().flatten();
            if let (true, true, Some(number)) = (is_function, token.is(b'#'), next) {
                let mut string = self.stringize(&arguments[number as usize].tokens, name)?;
                string.is_spaced = token.is_spaced;
                piece.push(string);
                length = 2;
            } else if let Some(number) = parameters[at] {
                let is_rest = facts.is_variadic && Some(number + 1) == facts.parameters;
                if pastes && is_rest && output.last().is_some_and(|last| last.is(b',')) {
                    // `, ## __VA_ARGS__` removes the comma if there are no arguments.
                    pastes = false;
                    if arguments[number as usize].tokens.is_empty() {
                        output.pop();
                    }
                }
                if pastes || is_paste(at + 1) {
                    piece.extend(&arguments[number as usize].tokens);
                } else {
                    piece = self.expanded(&mut arguments[number as usize], mode, name)?;
                }
                if piece.is_empty() {
                    piece.push(NOTHING);
                }
                for token in &mut piece {
                    if token.kind == Kind::Paste {
                        token.kind = Kind::Punctuation(b'#');
                    }
                }
                if let Some(first) = piece.first_mut() {
                    first.is_spaced = token.is_spaced;
                }
            } else {
                piece.push(*token);
            }
            if mem::take(&mut pastes) && !piece.is_empty() {
                if let Some(left) = output.pop() {
                    let right = piece.remove(0);
                    self.paste(left, right, &mut output, name)?;
                }
            }
            if !self.spend(piece.len()) {
                return Err(Failure::Limit(self.name(name)));
            }
            output.extend(piece);
            at += length;
        }
        Ok(output)
    }

    /// Returns the body of a macro with a hole for each parameter.
    pub(in crate::source) fn body_without_arguments(&mut self, definition: usize) -> Vec<Token> {
        let definition = &self.macros.definitions[definition];
        let body = definition.body.start as usize..definition.body.end as usize;
        let body = &self.lexed.directive_tokens[body];
        let mut tokens: Vec<Token> = Vec::with_capacity(body.len());
        for (token, &parameter) in body.iter().zip(&definition.parameter_of) {
            if parameter == NO_PARAMETER {
                tokens.push(*token);
                continue;
            }
            let mut text = Text::default();
            let is_string = tokens.last().is_some_and(|last| last.is(b'#'));
            let mut token = Token { is_final: true, made: self.made.len() as u32 + 1, ..*token };
            let bytes: &[u8] = if is_string { &[b'"', HOLE, b'"'] } else { &[HOLE] };
            for &byte in bytes {
                text.push(byte, token.start..token.end);
            }
            self.made.push(text);
            if is_string {
                token.kind = Kind::String;
                tokens.pop();
            }
            tokens.push(token);
        }
        tokens
    }

    fn expanded(
        &mut self,
        argument: &mut Argument,
        mode: Mode,
        name: &Token,
    ) -> Result<Vec<Token>, Failure> {
        if argument.expanded.is_none() {
            if self.argument_depth == MAX_ARGUMENT_DEPTH {
                return Err(Failure::Limit(self.name(name)));
            }
            self.argument_depth += 1;
            let mode = Mode { chosen: None, is_file: false, ..mode };
            let depth = self.disabled.len();
            let result = self.expand_all(argument.tokens.clone(), mode);
            self.disabled.truncate(depth);
            self.argument_depth -= 1;
            argument.expanded = Some(result?);
        }
        Ok(argument.expanded.clone().unwrap_or_default())
    }

    /// Returns the string literal that `#` makes of an argument.
    fn stringize(&mut self, tokens: &[Token], name: &Token) -> Result<Token, Failure> {
        let mut text = Text::default();
        let place = tokens.first().map_or(name.start..name.end, |first| first.start..first.end);
        text.push(b'"', place.clone());
        let mut end = place.start;
        for (index, token) in tokens.iter().enumerate() {
            if index > 0 && token.is_spaced {
                let gap =
                    if end <= token.start { end..token.start } else { token.start..token.start };
                text.push(b' ', gap);
            }
            let is_literal = matches!(token.kind, Kind::String | Kind::Character);
            for (byte, range) in self.characters(token) {
                match byte {
                    b'"' | b'\\' if is_literal => {
                        text.push(b'\\', range.clone());
                        text.push(byte, range);
                    }
                    b'\n' => {
                        text.push(b'\\', range.clone());
                        text.push(b'n', range);
                    }
                    _ => text.push(byte, range),
                }
            }
            end = token.end;
        }
        text.push(b'"', end..end);
        self.make(text, Kind::String, place, name)
    }

    fn make(
        &mut self,
        text: Text,
        kind: Kind,
        place: Range<u32>,
        name: &Token,
    ) -> Result<Token, Failure> {
        if !self.spend(text.bytes.len()) || text.bytes.len() > MAX_LENGTH {
            return Err(Failure::Limit(self.name(name)));
        }
        self.made.push(text);
        Ok(Token {
            kind,
            start: place.start,
            end: place.end,
            made: self.made.len() as u32,
            usage: 0,
            is_spaced: false,
            is_spliced: false,
            is_final: false,
        })
    }

    /// Appends the token that `##` makes of two. If they do not make one, both remain.
    fn paste(
        &mut self,
        left: Token,
        right: Token,
        output: &mut Vec<Token>,
        name: &Token,
    ) -> Result<(), Failure> {
        if left.kind == Kind::Nothing || right.kind == Kind::Nothing {
            let kept = if left.kind == Kind::Nothing { right } else { left };
            output.push(Token { is_spaced: left.is_spaced, ..kept });
            return Ok(());
        }
        let mut text = Text::default();
        for (byte, range) in self.characters(&left).into_iter().chain(self.characters(&right)) {
            text.push(byte, range);
        }
        let is_word = text.bytes.iter().all(|&byte| is_identifier_part(byte));
        let kind = match (left.kind, right.kind) {
            (Kind::Identifier, Kind::Number) if is_word => Some(Kind::Identifier),
            (Kind::Number, Kind::Number | Kind::Identifier) => Some(Kind::Number),
            _ => match &lex_fragment(&text.bytes)[..] {
                [token] => Some(token.kind),
                _ => None,
            },
        };
        let Some(kind) = kind else {
            output.extend([left, right]);
            return Ok(());
        };
        let mut token = self.make(text, kind, left.start..left.end, name)?;
        token.is_spaced = left.is_spaced;
        token.usage = left.usage;
        output.push(token);
        Ok(())
    }
}
