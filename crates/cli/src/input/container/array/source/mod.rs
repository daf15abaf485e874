//! Lists of integers in C and C++ sources. This module and its children use no other parts of the
//! tool, so that tests can include them.

mod lexer;
mod literal;
mod name;

use std::ops::Range;

use lexer::{Lexer, Token};
use name::Declarator;

/// A list of integer literals in braces, such as the initializer of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// The text between the braces.
    pub span: Range<usize>,
    /// The name of what it initializes.
    pub name: Option<Range<usize>>,
    /// The size of an element in bytes: 1, 2, 4 or 8, the least that the values fit.
    pub element: usize,
}

/// An iterator over the lists of integers of a source. Lists that contain lists or anything else are
/// skipped.
///
/// An item is a literal, which a sign or a cast may precede. A cast truncates to the values of its
/// operands.
pub struct Lists<'s> {
    tokens: Lexer<'s>,
    declarator: Declarator<'s>,
}

impl<'s> Lists<'s> {
    /// Returns the lists of a source.
    pub fn new(source: &'s [u8]) -> Lists<'s> {
        Lists { tokens: Lexer::new(source, 0..source.len()), declarator: Declarator::new(source) }
    }
}

impl Iterator for Lists<'_> {
    type Item = List;

    fn next(&mut self) -> Option<List> {
        // The innermost list: its start, the state of its items and the size of its elements. It is
        // `None` outside of lists, and in lists that contain anything else.
        let mut list: Option<(usize, State, usize)> = None;
        loop {
            let (range, token) = self.tokens.next()?;
            list = match (token, list) {
                (Token::Punctuation(b'{'), _) => {
                    self.declarator.add(&range, token);
                    Some((range.end, State::First, 1))
                }
                (Token::Punctuation(b'}'), Some((start, state, element))) => {
                    self.declarator.add(&range, token);
                    if state.may_end() {
                        let name = self.declarator.name();
                        return Some(List { span: start..range.start, name, element });
                    }
                    None
                }
                (_, Some((start, mut state, element))) => match state.add(&range, token) {
                    Some(Step::Item(item)) => Some((start, state, element.max(item.size()))),
                    Some(Step::Part) => Some((start, state, element)),
                    None => {
                        self.declarator.add(&range, token);
                        None
                    }
                },
                (_, None) => {
                    self.declarator.add(&range, token);
                    None
                }
            };
        }
    }
}

/// An item of a list.
#[derive(Clone, Debug)]
struct Item {
    /// The place of the sign.
    sign: Option<usize>,
    is_negative: bool,
    /// The place of the literal.
    literal: Range<usize>,
    /// The value without the sign.
    magnitude: u64,
}

impl Item {
    /// Returns the least size in bytes of an integer with this value, signed or unsigned.
    fn size(&self) -> usize {
        let bits = match self.is_negative {
            // One bit more than `!value`, the sign.
            true => self.magnitude.saturating_sub(1) << 1 | 1,
            false => self.magnitude,
        };
        [1, 2, 4].into_iter().find(|size| bits >> (8 * size) == 0).unwrap_or(8)
    }

    /// Returns the value in two's complement.
    fn value(&self) -> u64 {
        match self.is_negative {
            true => self.magnitude.wrapping_neg(),
            false => self.magnitude,
        }
    }
}

/// What a list expects next.
#[derive(Clone, Copy, Debug)]
enum State {
    /// The first item.
    First,
    /// An item or the end.
    Next,
    /// The type of a cast, after its `(`.
    Cast,
    /// The sign or literal after a cast.
    Operand,
    /// The literal after a sign.
    Literal { sign: usize, is_negative: bool },
    /// A comma or the end.
    Comma,
}

/// What a token completes in a list.
enum Step {
    Item(Item),
    Part,
}

impl State {
    /// Adds the next token of a list. Returns `None` if the list has other items than integers.
    fn add(&mut self, range: &Range<usize>, token: Token) -> Option<Step> {
        use Token::{Identifier, Integer, Punctuation};
        *self = match (*self, token) {
            (State::First | State::Next, Punctuation(b'(')) => State::Cast,
            (State::Cast, Identifier | Punctuation(b':')) => State::Cast,
            (State::Cast, Punctuation(b')')) => State::Operand,
            (State::First | State::Next | State::Operand, Punctuation(sign @ (b'-' | b'+'))) => {
                State::Literal { sign: range.start, is_negative: sign == b'-' }
            }
            (State::Comma, Punctuation(b',')) => State::Next,
            (state, Integer(magnitude)) => {
                let (sign, is_negative) = match state {
                    State::First | State::Next | State::Operand => (None, false),
                    State::Literal { sign, is_negative } => (Some(sign), is_negative),
                    State::Cast | State::Comma => return None,
                };
                if is_negative && magnitude > i64::MIN.unsigned_abs() {
                    return None;
                }
                *self = State::Comma;
                let literal = range.clone();
                return Some(Step::Item(Item { sign, is_negative, literal, magnitude }));
            }
            _ => return None,
        };
        Some(Step::Part)
    }

    /// Returns whether the list may end here. An empty list is none of integers.
    fn may_end(self) -> bool {
        matches!(self, State::Next | State::Comma)
    }
}

/// Returns the items of a list.
fn items<'s>(source: &'s [u8], span: &Range<usize>) -> impl Iterator<Item = Item> + use<'s> {
    let mut state = State::First;
    Lexer::new(source, span.clone()).filter_map(move |(range, token)| {
        match state.add(&range, token)? {
            Step::Item(item) => Some(item),
            Step::Part => None,
        }
    })
}

impl List {
    /// Appends the bytes of the elements. They are little-endian.
    pub fn bytes(source: &[u8], span: &Range<usize>, element: usize, bytes: &mut Vec<u8>) {
        for item in items(source, span) {
            bytes.extend(&item.value().to_le_bytes()[..element]);
        }
    }

    /// Returns the replacements in the source that change bytes of the elements to others, and to
    /// zeros if there are less. Literals whose values stay are not touched, and the others keep
    /// their style.
    pub fn replace(
        source: &[u8],
        span: &Range<usize>,
        element: usize,
        bytes: Range<usize>,
        new: &[u8],
    ) -> Vec<(Range<usize>, Vec<u8>)> {
        let mut edits = Edits { source, edits: Vec::new() };
        let is_signed = items(source, span).any(|item| item.is_negative);
        let text = |item: &Item| &source[item.literal.clone()];
        let upper = items(source, span).find_map(|item| literal::case(text(&item)));
        for (index, item) in items(source, span).enumerate() {
            let start = index * element;
            if start >= bytes.end {
                break;
            }
            if start + element <= bytes.start {
                continue;
            }
            let old = item.value().to_le_bytes();
            let mut changed = old;
            for (at, byte) in (start..).zip(&mut changed[..element]) {
                if bytes.contains(&at) {
                    *byte = new.get(at - bytes.start).copied().unwrap_or(0);
                }
            }
            if changed[..element] == old[..element] {
                continue;
            }
            // Sign extension of the element, for lists of signed integers.
            let unused = 64 - 8 * element as u32;
            let unsigned = u64::from_le_bytes(changed) << unused >> unused;
            let signed = (unsigned << unused) as i64 >> unused;
            let is_number = text(&item).first().is_some_and(u8::is_ascii_digit);
            let is_negative = is_signed && is_number && signed < 0;
            let magnitude = if is_negative { signed.unsigned_abs() } else { unsigned };
            let number = literal::with_value(text(&item), magnitude, upper.unwrap_or(false));
            let start = item.sign.unwrap_or(item.literal.start);
            let end = item.literal.end;
            match (item.is_negative, is_negative) {
                (true, true) | (false, false) => edits.add(item.literal, &[&number]),
                (true, false) => edits.add(start..end, &[&number]),
                (false, true) => edits.add(start..end, &[b"-", &number]),
            }
        }
        edits.edits
    }
}

/// Replacements of parts of a source, in order. Those that are close to each other become one, which
/// needs less memory.
struct Edits<'s> {
    source: &'s [u8],
    edits: Vec<(Range<usize>, Vec<u8>)>,
}

impl Edits<'_> {
    fn add(&mut self, range: Range<usize>, new: &[&[u8]]) {
        const CLOSE: usize = 64;
        let new = new.concat();
        match self.edits.last_mut() {
            Some((last, text)) if range.start - last.end <= CLOSE => {
                text.extend(&self.source[last.end..range.start]);
                text.extend(new);
                last.end = range.end;
            }
            _ => self.edits.push((range, new)),
        }
    }
}
