//! Arrays of integers in C and C++ sources.

mod literal;
mod name;

use std::ops::Range;

use genvisa_inline::source::{TokenKind, Tokens};

use name::Declarator;

/// The initializer of an array: a list of integer literals in braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    span: Range<usize>,
    name: Option<Range<usize>>,
    /// The size of an element in bytes: 1, 2, 4 or 8, the least that the values fit.
    ///
    /// This is the size in the program if the array contains an object: in any element size, the
    /// magic and the version after it are an element that does not fit a smaller size.
    element: usize,
}

/// What the search for lists of integers distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// An integer or character literal, without a sign.
    Integer(u64),
    /// A name or keyword.
    Identifier,
    Punctuation(u8),
    /// A string, or a number that is not an integer.
    Other,
}

/// Returns the tokens of a part of a source. The part begins outside of comments and strings.
fn tokens(source: &[u8], part: Range<usize>) -> impl Iterator<Item = (Range<usize>, Token)> {
    Tokens::new(source, part).map(|(range, kind)| {
        let token = match kind {
            TokenKind::Identifier => Token::Identifier,
            TokenKind::Number | TokenKind::Character => {
                literal::value(&source[range.clone()]).map_or(Token::Other, Token::Integer)
            }
            TokenKind::Punctuation(byte) => Token::Punctuation(byte),
            _ => Token::Other,
        };
        (range, token)
    })
}

/// Returns the arrays of integers of a source. Lists that contain lists or anything else are skipped.
///
/// An item is a literal, which a sign or a cast may precede. A cast truncates to the values of its
/// operands.
pub fn arrays(source: &[u8]) -> impl Iterator<Item = Array> {
    let mut tokens = tokens(source, 0..source.len());
    let mut declarator = Declarator::new(source);
    std::iter::from_fn(move || next_array(&mut tokens, &mut declarator))
}

fn next_array(
    tokens: &mut impl Iterator<Item = (Range<usize>, Token)>,
    declarator: &mut Declarator<'_>,
) -> Option<Array> {
    // The innermost list: its start, the state of its items and the size of its elements. It is
    // `None` outside of lists, and in lists that contain anything else.
    let mut list: Option<(usize, State, usize)> = None;
    loop {
        let (range, token) = tokens.next()?;
        list = match (token, list) {
            (Token::Punctuation(b'{'), _) => {
                declarator.add(&range, token);
                Some((range.end, State::First, 1))
            }
            (Token::Punctuation(b'}'), Some((start, state, element))) => {
                declarator.add(&range, token);
                if state.may_end() {
                    let name = declarator.name();
                    return Some(Array { span: start..range.start, name, element });
                }
                None
            }
            (_, Some((start, mut state, element))) => match state.add(&range, token) {
                Some(Step::Item(item)) => Some((start, state, element.max(item.size()))),
                Some(Step::Part) => Some((start, state, element)),
                None => {
                    declarator.add(&range, token);
                    None
                }
            },
            (_, None) => {
                declarator.add(&range, token);
                None
            }
        };
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

impl Array {
    /// Returns the bytes of the source between the braces.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns the bytes of the source with the name of the variable.
    pub fn name(&self) -> Option<Range<usize>> {
        self.name.clone()
    }

    /// Returns the items.
    fn items<'s>(&self, source: &'s [u8]) -> impl Iterator<Item = Item> + use<'s> {
        let mut state = State::First;
        tokens(source, self.span.clone()).filter_map(move |(range, token)| {
            match state.add(&range, token)? {
                Step::Item(item) => Some(item),
                Step::Part => None,
            }
        })
    }

    /// Returns the bytes of the elements, which are little-endian. `source` is what the array was found in.
    pub fn value(&self, source: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for item in self.items(source) {
            bytes.extend(&item.value().to_le_bytes()[..self.element]);
        }
        bytes
    }

    /// Returns the replacements in the source that change bytes of the elements to others, and to
    /// zeros if there are less. Literals whose values stay are not touched, and the others keep
    /// their style.
    pub fn replace(
        &self,
        source: &[u8],
        bytes: Range<usize>,
        new: &[u8],
    ) -> Vec<(Range<usize>, Vec<u8>)> {
        let element = self.element;
        let mut edits = Edits { source, edits: Vec::new() };
        let is_signed = self.items(source).any(|item| item.is_negative);
        let text = |item: &Item| &source[item.literal.clone()];
        let upper = self.items(source).find_map(|item| literal::case(text(&item)));
        for (index, item) in self.items(source).enumerate() {
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
