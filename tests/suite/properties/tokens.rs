//! Tests that no token of a text is ignored: if tokens are deleted, doubled, inserted or replaced,
//! or a line is doubled, the text is rejected, assembled with a warning, or assembled to something
//! else.
//!
//! Each case is a small text: a line of a real or generated text, with the declarations and labels
//! that it requires. Edits that may change nothing are listed in [`EXCEPTIONS`].

mod exceptions;
mod lines;

use std::collections::BTreeMap;

use genvisa::Module;
use genvisa::text::Document;
use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::rng::Rng;

use self::exceptions::EXCEPTIONS;
use self::lines::{Line, Token, Words, tokens};

/// A kind of edit of adjacent tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    Delete,
    Double,
    Insert,
    Replace,
    /// Doubles the whole line.
    DoubleLine,
}

/// A line with an edit.
pub struct Edit<'l> {
    pub line: &'l Line,
    pub change: Change,
    /// The tokens of the line.
    pub tokens: &'l [Token],
    /// The tokens that are deleted, doubled or replaced. The range is empty for an insertion.
    pub edited: std::ops::Range<usize>,
    /// The text that is inserted or replaces the tokens.
    pub new: String,
    /// The edited line.
    pub text: String,
}

impl<'l> Edit<'l> {
    /// Returns the text of the edited tokens.
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
            Change::Double => format!("{before}{old}{}{old}{after}", separator(old, old)),
            Change::Insert => {
                let separators = (separator(before, new), separator(new, after));
                format!("{before}{}{new}{}{after}", separators.0, separators.1)
            }
            Change::Replace => format!("{before}{new}{after}"),
            Change::DoubleLine => format!("{0}\n{0}", line.text),
        };
        edit
    }
}

/// Returns the separator that two tokens require.
fn separator(left: &str, right: &str) -> &'static str {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_$@?".contains(c);
    if left.ends_with(is_word) && right.starts_with(is_word) { " " } else { "" }
}

/// The version of a text and its module.
type Meaning = (Option<(u8, u8)>, Module<'static>);

/// The result of assembling a text.
enum Outcome {
    Rejected(String),
    Warned,
    Accepted(Box<Meaning>),
}

fn assemble_with(line: &Line, text: &str) -> Outcome {
    let source = line.source(text);
    match Document::parse(&source, line.format).into_result() {
        Err(diagnostics) => Outcome::Rejected(diagnostics[0].to_string()),
        Ok(assembly) if !assembly.warnings.is_empty() => Outcome::Warned,
        Ok(assembly) => Outcome::Accepted(Box::new((
            genvisa::text::stated_versions(&source)
                .into_iter()
                .next()
                .map(|it| (it.major, it.minor)),
            assembly.module,
        ))),
    }
}

/// The numbers of lines and edits, by outcome.
#[derive(Default)]
struct Statistics {
    lines: usize,
    /// Lines that do not assemble in their small text.
    skipped: Vec<String>,
    rejected: usize,
    warned: usize,
    different: usize,
    excepted: BTreeMap<&'static str, usize>,
    /// The number of edits that change nothing for no known reason, by their shape, and an example.
    ignored: BTreeMap<String, (usize, String)>,
}

impl Statistics {
    fn edits(&self) -> usize {
        self.rejected
            + self.warned
            + self.different
            + self.excepted.values().sum::<usize>()
            + self.ignored.values().map(|(count, _)| count).sum::<usize>()
    }

    fn check(&mut self, edit: &Edit<'_>, original: &Meaning) {
        match assemble_with(edit.line, &edit.text) {
            Outcome::Rejected(_) => self.rejected += 1,
            Outcome::Warned => self.warned += 1,
            Outcome::Accepted(meaning) if *meaning != *original => self.different += 1,
            Outcome::Accepted(_) => self.add_unchanged(edit),
        }
    }

    /// Records an edit that changes nothing, and finds the reason.
    fn add_unchanged(&mut self, edit: &Edit<'_>) {
        if let Some((reason, _)) = EXCEPTIONS.iter().find(|(_, applies)| applies(edit)) {
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
            "{} lines ({} skipped), {} edits: {} rejected, {} with a warning, {} with another meaning",
            self.lines,
            self.skipped.len(),
            self.edits(),
            self.rejected,
            self.warned,
            self.different
        );
        for (reason, count) in &self.excepted {
            eprintln!("{count:8} excepted: {reason}");
        }
    }
}

/// Returns a random edit of a line.
fn random_edit<'l>(line: &'l Line, tokens: &'l [Token], words: &Words, rng: &mut Rng) -> Edit<'l> {
    let start = rng.below(tokens.len());
    let end = (start + 1 + rng.pick(&[0, 0, 0, 1, 1, 2])).min(tokens.len());
    let word = |token: &Token| &line.text[token.clone()];
    let previous = start.checked_sub(1).map_or("", |previous| word(&tokens[previous]));
    let mut new = match rng.below(8) {
        0 => word(&tokens[rng.below(tokens.len())]).to_string(),
        1 | 2 => words.any(line, rng),
        _ => words.after(previous, line, rng),
    };
    if rng.one_in(2) {
        let next = words.after(&new, line, rng);
        new = format!("{new}{}{next}", separator(&new, &next));
    }
    // Sometimes use a larger number with the same low bits, which a field might truncate.
    if let Some(number) = lines::number(word(&tokens[start])).filter(|_| rng.one_in(4)) {
        let larger = u128::from(number) + (1 << rng.pick(&[4, 5, 8, 16, 32, 64]));
        let new = if rng.one_in(2) { larger.to_string() } else { format!("{larger:#x}") };
        return Edit::new(line, tokens, Change::Replace, start..start + 1, new);
    }
    match rng.below(8) {
        0 | 1 => Edit::new(line, tokens, Change::Delete, start..end, String::new()),
        2 => Edit::new(line, tokens, Change::Double, start..end, String::new()),
        3 | 4 => Edit::new(line, tokens, Change::Insert, start..start, new),
        _ => Edit::new(line, tokens, Change::Replace, start..start + 1, new),
    }
}

/// Tries random edits of lines.
fn check(lines: &[Line], edits: u64, salt: u64) {
    let words = Words::of(lines);
    let (mut statistics, mut rng) = (Statistics::default(), Rng::new(seed(), salt));
    let per_line = edits.div_ceil(lines.len().max(1) as u64);
    for line in lines {
        let original = match assemble_with(line, &line.text) {
            Outcome::Accepted(original) => original,
            Outcome::Rejected(why) => {
                let example = format!("{}:\n{}", why, line.source(&line.text));
                statistics.skipped.push(example);
                continue;
            }
            Outcome::Warned => panic!("a warning: {}", line.source(&line.text)),
        };
        let tokens = tokens(&line.text);
        statistics.lines += 1;
        let all = 0..tokens.len();
        statistics
            .check(&Edit::new(line, &tokens, Change::DoubleLine, all, String::new()), &original);
        for _ in 0..per_line {
            let edit = random_edit(line, &tokens, &words, &mut rng);
            if lines::token_texts(&edit.text) != lines::token_texts(&line.text) {
                statistics.check(&edit, &original);
            }
        }
    }
    statistics.report();
    let (skipped, limit) = (&statistics.skipped, lines.len() / 20);
    assert!(
        skipped.len() <= limit,
        "{} lines do not assemble in their small text:\n{}",
        skipped.len(),
        skipped.join("\n")
    );
    let ignored: Vec<String> = (statistics.ignored.iter())
        .map(|(key, (count, example))| format!("{count} times: {key}\n    {example}"))
        .collect();
    assert!(ignored.is_empty(), "seed {}: ignored tokens:\n{}", seed(), ignored.join("\n"));
}

#[test]
#[ignore = "needs the corpus"]
fn no_token_of_real_text_is_ignored() {
    let lines = lines::of_real_texts();
    check(&lines, cases(60_000), 1);
}

#[test]
fn no_token_of_generated_text_is_ignored() {
    let lines = lines::of_generated_texts();
    check(&lines, cases(10_000), 2);
}

#[test]
fn no_token_of_version_4_2_is_ignored() {
    let lines = lines::of_grammar_4_2();
    check(&lines, cases(10_000), 3);
}
