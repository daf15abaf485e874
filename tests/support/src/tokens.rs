//! Tokens of a line, and edits of them.

use std::collections::{BTreeMap, BTreeSet};

use super::rng::Rng;

/// A kind of token. Regions, masks and offsets are single tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Blanks.
    Space,
    /// `<1;1,0>`
    Region,
    /// `(M1, 16)`, `(16)` or `(0,0)`
    Parentheses,
    /// `.sat`
    Suffix,
    /// `:ud`
    Type,
    /// `0x1f`
    Number,
    /// A mnemonic or the name of a variable.
    Name,
    /// Any other character.
    Punctuation,
}

/// A token.
#[derive(Clone, Debug)]
pub struct Token {
    kind: Kind,
    text: String,
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '%'
}

/// Returns the kind and the length of the first token.
fn first(text: &str) -> (Kind, usize) {
    let word = |text: &str| text.find(|c| !is_word(c)).unwrap_or(text.len());
    // Up to a closing character, if only numbers and names are in between.
    let until = |end: char| {
        let len = 1 + text[1..].find(|c| !is_word(c) && !";, ".contains(c))?;
        (text[len..].starts_with(end) && len > 1).then_some(len + 1)
    };
    let start = text.chars().next().expect("text");
    match start {
        ' ' => (Kind::Space, text.len() - text.trim_start().len()),
        '<' if until('>').is_some() => (Kind::Region, until('>').unwrap_or(1)),
        '(' if until(')').is_some() => (Kind::Parentheses, until(')').unwrap_or(1)),
        '.' | ':' if text[1..].starts_with(is_word) => {
            let kind = if start == '.' { Kind::Suffix } else { Kind::Type };
            (kind, 1 + word(&text[1..]))
        }
        '0'..='9' => (Kind::Number, word(text)),
        _ if is_word(start) => (Kind::Name, word(text)),
        _ => (Kind::Punctuation, start.len_utf8()),
    }
}

/// Divides a line into tokens.
pub fn tokens(mut line: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    while !line.is_empty() {
        let (kind, len) = first(line);
        let (text, rest) = line.split_at(len);
        tokens.push(Token { kind, text: text.into() });
        line = rest;
    }
    tokens
}

/// Tokens that are likely to change the meaning of a line, in addition to tokens of other lines.
const SPECIAL: &str = "
    0 1 2 3 7 15 16 31 32 63 64 127 128 255 256 1024 32767 65535 65536 2147483647 2147483648 4294967295
    4294967296 0x0 0x1 0x8 0x1f 0xff 0xffff 0x80000000 0xffffffff 0x100000000 0x7fffffffffffffff
    0x8000000000000000 0xffffffffffffffff 1.5
    <1> <2> <0> <0;1,0> <1;1,0> <2;1,0> <8;8,1> <4;4,1> <16;16,1> <1,0> <4,1> <0,0>
    (M1,16) (M1_NM,1) (M1,8) (M1,32) (M5,16) (M5_NM,8) (M3,4) (16) (8) (1)
    (0,0) (1,0) (0,1) (0,4) (2,8) (abs) (1+1)
    :ud :d :uw :w :ub :b :f :df :hf :bf :uq :q :v :uv :vf :a32 :a64
    .sat .any .all .0 .1 .32 .64 .eq .lt
    %null %r0 %tsc %sr0 %bss %scratch %arg %retval V0 V6 V33 V40 T0 T6 T250 S0 S31 A0 P1 undeclared r
    - ! ~ ( ) [ ] < > { } , ; : . + * &";

/// White space and comments.
const SPACES: [&str; 5] = ["\t", "/* */", "//", "\n", "\\\n"];

/// The tokens of many lines by kind.
pub struct Pool(BTreeMap<Kind, Vec<String>>);

impl Pool {
    /// Returns the tokens of lines, and others that are likely to change their meaning.
    pub fn new<'l>(lines: impl Iterator<Item = &'l str>) -> Pool {
        let mut pool: BTreeMap<Kind, BTreeSet<String>> = BTreeMap::new();
        for Token { kind, text } in lines.flat_map(tokens) {
            pool.entry(kind).or_default().insert(text);
        }
        for text in SPECIAL.split_whitespace().chain(SPACES) {
            pool.entry(first(text).0).or_default().insert(text.into());
        }
        Pool(pool.into_iter().map(|(kind, texts)| (kind, texts.into_iter().collect())).collect())
    }

    fn text(&self, kind: Kind, rng: &mut Rng) -> String {
        let texts = &self.0[&kind];
        texts[rng.below(texts.len())].clone()
    }

    /// Returns a token of any kind.
    fn any(&self, rng: &mut Rng) -> String {
        let kinds: Vec<Kind> = self.0.keys().copied().collect();
        self.text(rng.pick(&kinds), rng)
    }

    /// Edits a line.
    pub fn edit(&self, line: &str, rng: &mut Rng) -> String {
        loop {
            let mut edited = self.edit_once(line, rng);
            if rng.one_in(4) {
                edited = self.edit_once(&edited, rng);
            }
            if edited != line {
                return edited;
            }
        }
    }

    fn edit_once(&self, line: &str, rng: &mut Rng) -> String {
        // A sixth of the edits are of whole operands.
        let mut parts = match rng.one_in(6) {
            true => operands(line),
            false => tokens(line),
        };
        if parts.is_empty() {
            return self.any(rng);
        }
        let at = rng.below(parts.len());
        let is_space = |token: &Token| token.kind == Kind::Space;
        if is_space(&parts[at]) && !rng.one_in(4) {
            return line.into();
        }
        match rng.below(12) {
            0 | 1 => _ = parts.remove(at),
            2 => {
                let space = Token { kind: Kind::Space, text: " ".into() };
                let double = parts[at].clone();
                let needs_space = matches!(double.kind, Kind::Name | Kind::Number) || rng.one_in(4);
                parts.insert(at, double);
                if needs_space {
                    parts.insert(at + 1, space);
                }
            }
            3 | 4 => {
                // Most swaps of different kinds are syntax errors.
                let same = |other: &usize| parts[*other].kind == parts[at].kind;
                let others: Vec<usize> = match rng.one_in(4) {
                    true => (0..parts.len()).collect(),
                    false => (0..parts.len()).filter(same).collect(),
                };
                parts.swap(at, rng.pick(&others));
            }
            5..=8 => parts[at].text = self.text(parts[at].kind, rng),
            9 => parts[at].text = self.any(rng),
            10 => parts[at].text.insert_str(0, &self.any(rng)),
            _ => {
                let kind = rng.pick(&[Kind::Suffix, Kind::Suffix, Kind::Space, Kind::Type]);
                parts[at].text.push_str(&self.text(kind, rng));
            }
        }
        parts.into_iter().map(|token| token.text).collect()
    }
}

/// Divides a line at spaces outside of parentheses.
fn operands(line: &str) -> Vec<Token> {
    let mut parts: Vec<Token> = Vec::new();
    for token in tokens(line) {
        match parts.last_mut() {
            Some(last) if last.kind != Kind::Space && token.kind != Kind::Space => {
                last.text += &token.text;
            }
            _ => parts.push(token),
        }
    }
    parts
}
