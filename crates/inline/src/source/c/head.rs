//! The text before the brace of a function, a type or an enumeration.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::declarations::{Alias, RecordName};
use super::reader::Reader;
use super::value;
use crate::source::cpp::expansion::Expander;
use crate::source::cpp::lexer::{Kind, Token};
use crate::statement::Lanes;

/// The kind of text before a brace.
pub(super) enum Head {
    Function {
        name: Option<String>,
        parameters: Range<usize>,
    },
    /// A namespace with its names, or a linkage.
    Namespace(Vec<Vec<u8>>),
    Type,
    Other,
}

/// The maximum number of attributes of a function that are read.
const MAX_LANES: usize = 16;

/// The maximum number of names of a namespace that are read.
const MAX_NAMESPACES: usize = 8;

/// Returns the kind of the text before a brace.
pub(super) fn classify(
    expander: &Expander<'_>,
    reader: &Reader<'_, '_, '_>,
    in_declarations: bool,
) -> Head {
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
                b"namespace" => {
                    let names = head[at + 1..].iter();
                    let names = names.filter(|token| token.kind == Kind::Identifier);
                    let names = names.map(|name| expander.text(name).into_owned());
                    return Head::Namespace(names.take(MAX_NAMESPACES).collect());
                }
                b"extern" if head.len() == at + 2 && head[at + 1].kind == Kind::String => {
                    return Head::Namespace(Vec::new());
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
        None if is_type && !is_expression => Head::Type,
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

/// Returns the name of a structure or class.
pub(super) fn record_name(reader: &Reader<'_, '_, '_>) -> RecordName {
    let word = |at: usize| reader.word(at).unwrap_or_default();
    let mut name = RecordName { is_typedef: word(0) == "typedef", ..RecordName::default() };
    let mut at = 0;
    while at < reader.tokens.len() {
        match &*word(at) {
            "template" => at = reader.after_angles(at + 1).unwrap_or(at + 1),
            "struct" | "class" | "union" => break,
            _ => at += 1,
        }
    }
    at += 1;
    loop {
        let is_attribute = reader.is(at, b'[') || is_reserved(&word(at)) && reader.is(at + 1, b'(');
        if !is_attribute {
            break;
        }
        at = reader.after_group(if reader.is(at, b'[') { at } else { at + 1 });
    }
    if !matches!(&*word(at), "" | "final") {
        name.name = word(at).as_bytes().to_vec();
        name.is_specialization =
            reader.is(at + 1, b'<') || reader.is(at + 1, b':') && reader.is(at + 2, b':');
    }
    name
}

/// Returns the names of template parameters.
pub(super) fn template_parameters(reader: &Reader<'_, '_, '_>) -> Vec<Vec<u8>> {
    let mut names = Vec::new();
    let mut at = 0;
    while at < reader.tokens.len() {
        let is_template = reader.expander.is_word(&reader.tokens[at], "template");
        let end = if is_template { reader.after_angles(at + 1) } else { None };
        let Some(end) = end else {
            at += 1;
            continue;
        };
        for index in at + 2..end - 1 {
            let ends = [b',', b'>', b'='].into_iter().any(|byte| reader.is(index + 1, byte));
            if ends && reader.tokens[index].kind == Kind::Identifier {
                names.push(reader.expander.text(&reader.tokens[index]).into_owned());
            }
        }
        at = end;
    }
    names
}

/// Returns the name of an alias template and the type; `None` for the type of a variadic template.
pub(super) fn alias_template(reader: &Reader<'_, '_, '_>) -> Option<(Vec<u8>, Option<Alias>)> {
    let parameters_end = reader.after_angles(1)?;
    let [using, name, equals, ty @ ..] = reader.tokens.get(parameters_end..)? else { return None };
    if !reader.expander.is_word(using, "using") || !equals.is(b'=') {
        return None;
    }
    let is_simple = !reader.tokens[..parameters_end].iter().any(|token| token.is(b'.'));
    let parameters = template_parameters(reader);
    let alias = Alias { parameters, tokens: ty.to_vec() };
    Some((reader.expander.text(name).into_owned(), is_simple.then_some(alias)))
}

/// Returns the numbers of lanes that the attributes of a function require.
pub(super) fn lanes(expander: &Expander<'_>, reader: &Reader<'_, '_, '_>) -> Vec<Option<Lanes>> {
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

/// Returns the constants of an enumeration.
pub(super) fn enumerators(reader: &Reader<'_, '_, '_>) -> Vec<(Vec<u8>, Option<i64>)> {
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
