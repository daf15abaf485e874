//! The index of rules by messages: of the compiler, and of the verifier.

use std::collections::BTreeSet;

use super::facts::{Facts, LONGEST_WORDS};

/// What is known about a text.
pub enum Found<'f> {
    /// At least one rule.
    Rules(Vec<&'f Facts>),
    /// No rule: the names of similar rules and their messages.
    Similar(Vec<String>),
    /// No message, but sentences that count errors.
    OnlyCounts,
}

/// The messages about rules.
pub struct Index<'f> {
    facts: &'f [Facts],
    messages: Vec<Message<'f>>,
}

struct Message<'f> {
    facts: &'f Facts,
    text: &'f str,
    words: Vec<String>,
}

/// The start of the compiler's sentence with the number of errors. The messages are in another file.
const COUNT: &str = "Found a total of";

/// Returns a text without the sentences that count errors; `None` if there are none.
fn without_counts(text: &str) -> Option<String> {
    let messages = text.lines().map(|line| line.split(COUNT).next().unwrap_or_default());
    text.contains(COUNT).then(|| messages.collect::<Vec<_>>().join("\n"))
}

/// The words before the number of a line, which begin messages of the compiler.
const PLACE: [&str; 2] = ["near", "line"];

/// Returns the words of a message in lower case, without numbers and the names of variables.
fn words(text: &str) -> Vec<String> {
    let tokens = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut words: Vec<String> = tokens.filter_map(word).collect();
    if words.starts_with(&PLACE.map(String::from)) {
        words.drain(..PLACE.len());
    }
    words
}

fn word(token: &str) -> Option<String> {
    let letters = token.trim_end_matches(|c: char| c.is_ascii_digit());
    // The compiler's names of variables are a letter with a number, such as V38.
    let is_name = token == "NAME" || letters.len() < 2 && letters.len() < token.len();
    let is_number = token.starts_with(|c: char| c.is_ascii_digit());
    (!is_name && !is_number && !token.is_empty()).then(|| letters.to_lowercase())
}

/// Returns whether all words of a list occur in another in the same order.
fn is_subsequence(part: &[String], whole: &[String]) -> bool {
    let mut whole = whole.iter();
    part.iter().all(|word| whole.any(|other| other == word))
}

impl<'f> Index<'f> {
    pub fn new(facts: &'f [Facts]) -> Index<'f> {
        let messages = facts.iter().flat_map(|facts| {
            let findings = facts.findings.iter().copied();
            let texts = facts.words().chain(findings).chain([facts.rule.statement]);
            texts.map(|text| Message::new(facts, text))
        });
        Index { facts, messages: messages.filter(|message| !message.words.is_empty()).collect() }
    }

    /// Returns the rules of a name or a message.
    pub fn find(&self, text: &str) -> Found<'f> {
        if let Some(rest) = without_counts(text) {
            return if words(&rest).is_empty() { Found::OnlyCounts } else { self.find(&rest) };
        }
        let named = |facts: &&Facts| {
            let name = facts.rule.name;
            text.trim() == name || text.contains(&format!("[{name}]"))
        };
        let mut found: Vec<&Facts> = self.facts.iter().filter(named).collect();
        if found.is_empty() {
            found = text.lines().flat_map(|line| self.of_words(&words(line))).collect();
        }
        if found.is_empty() {
            found = self.of_words(&words(text));
        }
        if found.is_empty() {
            found = self.of_part(&words(text));
        }
        if found.is_empty() {
            return Found::Similar(self.similar(text));
        }
        let mut names = BTreeSet::new();
        found.retain(|facts| names.insert(facts.rule.name));
        Found::Rules(found)
    }

    /// Returns the rules of the longest messages that a text contains.
    fn of_words(&self, text: &[String]) -> Vec<&'f Facts> {
        let is_in_text = |message: &&Message| match &message.words[..] {
            [_] => message.words == text,
            words => is_subsequence(words, text),
        };
        let found: Vec<&Message> = self.messages.iter().filter(is_in_text).collect();
        let longest = found.iter().map(|message| message.words.len()).max();
        let is_longest = |message: &&&Message| Some(message.words.len()) == longest;
        found.iter().filter(is_longest).map(|message| message.facts).collect()
    }

    /// Returns the rules of the messages that a text is a part of.
    fn of_part(&self, text: &[String]) -> Vec<&'f Facts> {
        let messages = self.messages.iter().filter(|_| text.len() > 1);
        let is_part = |message: &&Message| message.words.windows(text.len()).any(|it| it == text);
        let found = messages.filter(is_part);
        found.map(|message| message.facts).collect()
    }

    /// Returns the names and messages that have the most pairs of characters in common with a text.
    fn similar(&self, text: &str) -> Vec<String> {
        const MOST: usize = 3;
        let of_text = (pairs(text.trim()), pairs(&words(text).join(" ")));
        let names = self.facts.iter().map(|facts| {
            let name = facts.rule.name;
            (similarity(&of_text.0, &pairs(name)), name, name.to_owned())
        });
        let messages = self.messages.iter().map(|message| {
            let name = message.facts.rule.name;
            let line = format!("{name}: {}", message.text);
            (similarity(&of_text.1, &pairs(&message.words.join(" "))), name, line)
        });
        let mut all: Vec<_> = names.chain(messages).filter(|(score, ..)| *score >= 500).collect();
        all.sort_by_key(|(score, ..)| std::cmp::Reverse(*score));
        let mut seen = BTreeSet::new();
        all.retain(|(_, name, _)| seen.insert(*name));
        all.into_iter().take(MOST).map(|(.., line)| line).collect()
    }
}

impl<'f> Message<'f> {
    fn new(facts: &'f Facts, text: &'f str) -> Message<'f> {
        let mut words = words(text);
        // The last word of a message that was cut off may be incomplete.
        let is_cut = text.chars().count() >= LONGEST_WORDS && text != facts.rule.statement;
        if is_cut && text.ends_with(char::is_alphanumeric) {
            words.pop();
        }
        Message { facts, text, words }
    }
}

/// Returns the pairs of adjacent characters.
fn pairs(text: &str) -> BTreeSet<(char, char)> {
    text.chars().zip(text.chars().skip(1)).collect()
}

/// Returns the share of pairs that two texts have in common, in thousandths.
fn similarity(a: &BTreeSet<(char, char)>, b: &BTreeSet<(char, char)>) -> usize {
    2000 * a.intersection(b).count() / (a.len() + b.len()).max(1)
}
