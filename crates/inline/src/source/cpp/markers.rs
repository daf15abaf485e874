//! Line markers.

use alloc::string::String;
use alloc::vec::Vec;

use super::lexer::{Kind, Lexed};
use super::literal;
use crate::source::Marker;
use crate::source::text::Text;

/// Returns the line markers: `# 12 "file"` and `#line 12 "file"`.
pub(in crate::source) fn markers(source: &[u8], lexed: &Lexed) -> Vec<Marker> {
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
