//! No token is ignored: a text with a few tokens deleted, doubled, inserted or replaced, or with a line
//! doubled, is refused, assembled with a warning, or assembled to something else.
//!
//! Each case is a small text: a line of a real or generated text, and the declarations and labels
//! that it names. Edits that rightly change nothing are listed in [`EXCEPTIONS`].

mod exceptions;
mod lines;

use std::collections::BTreeMap;

use genvisa::Module;
use genvisa::text::assemble;

use self::exceptions::EXCEPTIONS;
use self::lines::{Line, Token, Words, tokens};
use super::{cases, seed};
use crate::oracle::differential::rng::Dice;

/// An edit of some tokens that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    Delete,
    Double,
    Insert,
    Replace,
    /// The whole line twice.
    DoubleLine,
}

/// A line with an edit.
pub struct Edit<'l> {
    pub line: &'l Line,
    pub change: Change,
    /// The tokens of the line.
    pub tokens: &'l [Token],
    /// Those that are deleted, doubled or replaced; for an insertion, an empty range.
    pub edited: std::ops::Range<usize>,
    /// What is inserted, or replaces the others.
    pub new: String,
    /// The line with the edit.
    pub text: String,
}

impl<'l> Edit<'l> {
    /// The text of the edited tokens.
    pub fn old(&self) -> &'l str {
        match self.tokens.get(self.edited.clone()) {
            Some([first, .., last]) => &self.line.text[first.start..last.end],
            Some([token]) => &self.line.text[token.clone()],
            _ => "",
        }
    }

    fn new(
        line: &'l Line,
        tokens: &'l [Token],
        change: Change,
        edited: std::ops::Range<usize>,
        new: String,
    ) -> Edit<'l> {
        let mut edit = Edit { line, change, tokens, edited, new, text: String::new() };
        let (new, old) = (&edit.new, edit.old());
        let start = tokens.get(edit.edited.start).map_or(line.text.len(), |token| token.start);
        let (before, after) = (&line.text[..start], &line.text[start + old.len()..]);
        edit.text = match change {
            Change::Delete => format!("{before}{after}"),
            Change::Double => format!("{before}{old}{}{old}{after}", between(old, old)),
            Change::Insert => {
                format!("{before}{}{new}{}{after}", between(before, new), between(new, after))
            }
            Change::Replace => format!("{before}{new}{after}"),
            Change::DoubleLine => format!("{0}\n{0}", line.text),
        };
        edit
    }
}

/// What keeps two tokens apart.
fn between(left: &str, right: &str) -> &'static str {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_$@?".contains(c);
    if left.ends_with(is_word) && right.starts_with(is_word) { " " } else { "" }
}

/// What a text says, with its version.
type Meaning = (Option<(u8, u8)>, Module<'static>);

/// What becomes of a text.
enum Outcome {
    Refused(String),
    Warned,
    Accepted(Box<Meaning>),
}

fn outcome(line: &Line, text: &str) -> Outcome {
    let source = line.source(text);
    match assemble(&source, line.format) {
        Err(diagnostics) => Outcome::Refused(diagnostics[0].to_string()),
        Ok(assembly) if !assembly.warnings.is_empty() => Outcome::Warned,
        Ok(assembly) => {
            Outcome::Accepted(Box::new((genvisa::text::stated_version(&source), assembly.module)))
        }
    }
}

/// What has been tried.
#[derive(Default)]
struct Figures {
    lines: usize,
    /// LineIndex that need more of their text than is known here.
    skipped: Vec<String>,
    refused: usize,
    warned: usize,
    different: usize,
    excepted: BTreeMap<&'static str, usize>,
    ignored: BTreeMap<String, (usize, String)>,
}

impl Figures {
    fn tried(&self) -> usize {
        self.refused
            + self.warned
            + self.different
            + self.excepted.values().sum::<usize>()
            + self.ignored.values().map(|(count, _)| count).sum::<usize>()
    }

    fn edit(&mut self, edit: &Edit<'_>, original: &Meaning) {
        match outcome(edit.line, &edit.text) {
            Outcome::Refused(_) => self.refused += 1,
            Outcome::Warned => self.warned += 1,
            Outcome::Accepted(meaning) if *meaning != *original => self.different += 1,
            Outcome::Accepted(_) => self.unchanged(edit),
        }
    }

    /// Looks for the reason why an edit changes nothing.
    fn unchanged(&mut self, edit: &Edit<'_>) {
        if let Some((reason, _)) = EXCEPTIONS.iter().find(|(_, holds)| holds(edit)) {
            *self.excepted.entry(reason).or_default() += 1;
        } else {
            let key = match edit.change {
                Change::Insert => format!("{:?} `{}`", edit.change, edit.line.shape(&edit.new)),
                _ => format!(
                    "{:?} `{}` `{}`",
                    edit.change,
                    edit.line.shape(edit.old()),
                    edit.line.shape(&edit.new)
                ),
            };
            let example =
                format!("{}\n        {}\n    -> {}", edit.line.origin, edit.line.text, edit.text);
            self.ignored.entry(key).or_insert((0, example)).0 += 1;
        }
    }

    fn report(&self) {
        eprintln!(
            "{} lines ({} skipped), {} edits: {} refused, {} with a warning, {} to something else",
            self.lines,
            self.skipped.len(),
            self.tried(),
            self.refused,
            self.warned,
            self.different
        );
        for (reason, count) in &self.excepted {
            eprintln!("{count:8} excepted: {reason}");
        }
    }
}

/// A random edit of a line.
fn random_edit<'l>(
    line: &'l Line,
    tokens: &'l [Token],
    words: &Words,
    dice: &mut Dice,
) -> Edit<'l> {
    let start = dice.below(tokens.len());
    let end = (start + 1 + dice.pick(&[0, 0, 0, 1, 1, 2])).min(tokens.len());
    let word = |token: &Token| &line.text[token.clone()];
    let previous = start.checked_sub(1).map_or("", |previous| word(&tokens[previous]));
    let mut new = match dice.below(8) {
        0 => word(&tokens[dice.below(tokens.len())]).to_string(),
        1 | 2 => words.any(line, dice),
        _ => words.after(previous, line, dice),
    };
    if dice.one_in(2) {
        let next = words.after(&new, line, dice);
        new = format!("{new}{}{next}", between(&new, &next));
    }
    // A number that a field would cut to the old one.
    if let Some(number) = lines::number(word(&tokens[start])).filter(|_| dice.one_in(4)) {
        let larger = u128::from(number) + (1 << dice.pick(&[4, 5, 8, 16, 32, 64]));
        let new = if dice.one_in(2) { larger.to_string() } else { format!("{larger:#x}") };
        return Edit::new(line, tokens, Change::Replace, start..start + 1, new);
    }
    match dice.below(8) {
        0 | 1 => Edit::new(line, tokens, Change::Delete, start..end, String::new()),
        2 => Edit::new(line, tokens, Change::Double, start..end, String::new()),
        3 | 4 => Edit::new(line, tokens, Change::Insert, start..start, new),
        _ => Edit::new(line, tokens, Change::Replace, start..start + 1, new),
    }
}

/// Tries edits on some lines.
fn check(lines: &[Line], edits: u64, salt: u64) {
    let words = Words::of(lines);
    let (mut figures, mut dice) = (Figures::default(), Dice::new(seed(), salt));
    let each = edits.div_ceil(lines.len().max(1) as u64);
    for line in lines {
        let original = match outcome(line, &line.text) {
            Outcome::Accepted(original) => original,
            Outcome::Refused(why) => {
                let example = format!("{}:\n{}", why, line.source(&line.text));
                figures.skipped.push(example);
                continue;
            }
            Outcome::Warned => panic!("a warning: {}", line.source(&line.text)),
        };
        let tokens = tokens(&line.text);
        figures.lines += 1;
        let all = 0..tokens.len();
        figures.edit(&Edit::new(line, &tokens, Change::DoubleLine, all, String::new()), &original);
        for _ in 0..each {
            let edit = random_edit(line, &tokens, &words, &mut dice);
            if lines::spell(&edit.text) != lines::spell(&line.text) {
                figures.edit(&edit, &original);
            }
        }
    }
    figures.report();
    let (skipped, most) = (&figures.skipped, lines.len() / 20);
    assert!(
        skipped.len() <= most,
        "{} lines need more text:\n{}",
        skipped.len(),
        skipped.join("\n")
    );
    let ignored: Vec<String> = (figures.ignored.iter())
        .map(|(key, (count, example))| format!("{count} times: {key}\n    {example}"))
        .collect();
    assert!(ignored.is_empty(), "seed {}: ignored tokens:\n{}", seed(), ignored.join("\n"));
}

#[test]
fn no_token_of_real_text_is_ignored() {
    let lines = lines::of_real_texts();
    check(&lines, cases(60_000), 1);
}

#[test]
fn no_token_of_generated_text_is_ignored() {
    let lines = lines::of_generated_texts();
    check(&lines, cases(40_000), 2);
}
