//! The pages of the manual, compared with the tables of `docs/evidence/conformance.md` and with `FIELDS`:
//! each row quotes its page, each sentence has a row, and the layouts are those of dialect
//! `Manual`. `GENVISA_MANUAL` is the folder of the pages (see `main.rs`).

use std::fmt;
use std::path::PathBuf;

use genvisa::Instruction;
use genvisa::isa::{FieldSpec, InfoOp, SampleOp};
use genvisa::operand::MediaModifier;

use super::{PAGES, TABLE};

/// Text on the pages that has no row, with the reason.
const NOT_SENTENCES: &[(&str, &str, &str)] = &[
    ("MEDIA_LD.md", "for i 0 i block_height i", "the head of a loop; its body has a row"),
    ("MEDIA_LD.md", "for j 0 j block_width j", "the head of a loop; its body has a row"),
    ("MEDIA_LD.md", "_table_MediaWidthHeightCombinations", "the anchor of a link"),
    ("GATHER4_TYPED.md", "UD ch_pos 0", "the start of a counter; its use has a row"),
    ("GATHER4_TYPED.md", "ch_pos", "the step of a counter; its use has a row"),
    ("GATHER4_TYPED.md", "for c 0 c 4 c", "the head of a loop; its body has a row"),
    ("GATHER4_TYPED.md", "for i 0 i exec_size i", "the head of a loop; its body has a row"),
    ("GATHER4_TYPED.md", "if ch_mask c 1", "disabled channels; the row of `ch_start` has them"),
];

/// A sentence, or an entry of a list or a table.
#[derive(PartialEq)]
struct Sentence {
    /// The heading or the field that precedes it.
    section: String,
    /// Its words, separated by single spaces.
    words: String,
}

impl Sentence {
    fn starts_with(&self, words: &str) -> bool {
        let rest = self.words.strip_prefix(words);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    }
}

impl fmt::Display for Sentence {
    /// Prints the beginning of the missing row.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first: Vec<&str> = self.words.split(' ').take(4).collect();
        write!(f, "| {} | {} | .. | .. |", self.section, first.join(" "))
    }
}

/// Returns the words of a text: letters, digits and underscores.
fn words(text: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c| !is_word(c)).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Splits a text where a period is followed by a space and a word that begins a sentence.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(". ") {
        let next = text[at + 1..].trim_start();
        if next.starts_with(|c: char| c.is_ascii_uppercase() || "<*".contains(c)) {
            parts.push(&text[start..at]);
            start = at + 1;
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Returns the name of the field in a line of a list such as `- **Name(type):** ..`.
fn field_name(line: &str) -> Option<&str> {
    let (name, rest) = line.strip_prefix("- **")?.split_once('(')?;
    (!name.contains(' ') && rest.contains("):**")).then_some(name)
}

/// Collects the sentences of a page.
#[derive(Default)]
struct Parser {
    section: String,
    /// The sentences that continue in the next line.
    open: String,
    sentences: Vec<Sentence>,
}

impl Parser {
    fn close(&mut self) {
        let text = std::mem::take(&mut self.open);
        for part in split(&text) {
            let (section, words) = (self.section.clone(), words(part));
            if !words.is_empty() {
                self.sentences.push(Sentence { section, words });
            }
        }
    }

    fn line(&mut self, line: &str) {
        let is_rule = line.chars().all(|c| "|-+ ".contains(c));
        if line.is_empty() {
            self.close();
        } else if is_rule || line.starts_with("+-") || line.starts_with("```") {
            // The lines of a table, or the fence of a block.
        } else if line.starts_with('#') {
            self.close();
            let heading = line.trim_matches(['#', ' ']);
            if heading != "CONDITION" {
                self.section = heading.into();
            }
        } else if let Some(name) = field_name(line) {
            self.close();
            self.section = name.into();
            self.open = line.into();
        } else {
            let continues = if let Some(row) = line.strip_prefix('|') {
                // A row without a first cell continues the row above.
                row.trim_start().starts_with('|')
            } else if line.starts_with("- 0b") {
                // The values of a field are one entry.
                true
            } else {
                !line.starts_with("- ") && self.section != "Text" && self.section != "Semantics"
            };
            if !continues {
                self.close();
            }
            // Only the name of a value is part of the entry, not its description.
            let value = line.starts_with("- 0b").then(|| line.split('.').next()).flatten();
            self.open += " ";
            self.open += value.unwrap_or(line);
        }
    }
}

/// Returns the sentences of a page.
fn sentences(mut page: &str) -> Vec<Sentence> {
    let mut text = String::new();
    while let Some((before, rest)) = page.split_once("<!--") {
        text += before;
        page = rest.split_once("-->").expect("comments end").1;
    }
    text += page;
    let mut parser = Parser::default();
    for line in text.lines() {
        parser.line(&line.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    parser.close();
    parser.sentences
}

/// Returns the sentences of each page.
fn pages() -> Vec<(&'static str, Vec<Sentence>)> {
    let folder = PathBuf::from(std::env::var_os("GENVISA_MANUAL").expect("GENVISA_MANUAL"));
    let read = |page: &'static str| {
        let path = folder.join(page);
        let text = std::fs::read_to_string(&path);
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (page, sentences(&text))
    };
    PAGES.into_iter().map(read).collect()
}

/// Returns the rows of a page: the section, and the first words of its sentences.
fn rows(page: &str) -> impl Iterator<Item = (&'static str, Vec<String>)> {
    let heading = format!("{}\n", page.trim_end_matches(".md"));
    let part = TABLE.split("\n## ").find(|part| part.starts_with(&heading));
    let lines = part.expect("each page has a part").lines();
    lines.filter(|line| line.starts_with("| ")).skip(1).map(|row| {
        let mut cells = row.trim_matches('|').split('|').map(str::trim);
        let place = cells.next().expect("a section");
        let section = place.split(',').next().expect("a name");
        (section, cells.next().expect("first words").split(';').map(words).collect())
    })
}

#[test]
#[ignore = "needs the pages of the manual"]
fn every_row_is_on_its_page_and_every_sentence_has_a_row() {
    let pages = pages();
    let mut wrong = Vec::new();
    for (page, sentences) in pages {
        let mut found = vec![false; sentences.len()];
        for (section, quotes) in rows(page) {
            for quote in quotes {
                let matches = |sentence: &Sentence| {
                    sentence.section == section && sentence.starts_with(&quote)
                };
                let mut is_found = false;
                let mut is_whole = false;
                for (sentence, found) in sentences.iter().zip(&mut found) {
                    if matches(sentence) {
                        (is_found, *found) = (true, true);
                        is_whole |= sentence.words == quote;
                    }
                }
                if !is_found {
                    wrong.push(format!("{page}, {section}: no sentence begins with: {quote}"));
                }
                let count = quote.split(' ').count();
                if is_found && (count > 4 || count < 3 && !is_whole) {
                    wrong.push(format!("{page}, {section}: not three or four words: {quote}"));
                }
            }
        }
        let is_exempt = |sentence: &Sentence| {
            NOT_SENTENCES.iter().any(|(of, words, _)| *of == page && *words == sentence.words)
        };
        for (sentence, found) in sentences.iter().zip(found) {
            if found == is_exempt(sentence) {
                let what = if found { "exempt, but has a row" } else { "no row" };
                wrong.push(format!("{page}: {what}: {sentence}"));
            }
        }
        for (_, words, _) in NOT_SENTENCES.iter().filter(|(of, ..)| *of == page) {
            if !sentences.iter().any(|sentence| sentence.words == *words) {
                wrong.push(format!("{page}: exempt, but not on the page: {words}"));
            }
        }
    }
    assert!(wrong.is_empty(), "docs/evidence/conformance.md:\n{}", wrong.join("\n"));
}

/// Returns the name of a field on the pages.
fn name_on_page(field: &str) -> &str {
    match field {
        "exec" => "exec_size",
        "sample_index" => "si",
        "cps_counter" => "cps",
        "rt_index" => "rti",
        "num_params" => "numparams",
        "s0a" => "source0alpha",
        "depth" => "sourcedepth",
        other => other,
    }
}

/// Returns the names of the fields in dialect `Manual`, up to the parameters.
fn layout(fields: &'static [FieldSpec]) -> Vec<&'static str> {
    let exists = |field: &&FieldSpec| {
        let when = field.when.unwrap_or_default();
        !["not manual", "before", "igc2026", "times"].iter().any(|other| when.starts_with(other))
    };
    fields.iter().filter(exists).map(|field| name_on_page(field.name)).collect()
}

#[test]
#[ignore = "needs the pages of the manual"]
fn fields_are_those_of_the_format_sections() {
    let pages = pages();
    for (page, sentences) in pages {
        let formats: Vec<String> = (sentences.iter())
            .filter(|sentence| sentence.section == "Format")
            .map(|sentence| sentence.words.to_lowercase())
            .collect();
        let opcode = formats.iter().find_map(|format| {
            let code = format.strip_prefix("0x")?.split(' ').next()?;
            u8::from_str_radix(code, 16).ok()
        });
        let opcode = opcode.expect("the first cell has the opcode");
        let spec = Instruction::spec_of(opcode).expect("a row of the table");
        let name = page.trim_end_matches(".md").to_lowercase();
        let fields = layout(spec.fields).join(" ");
        let expected = format!("{opcode:#04x} {name} {fields}");
        if name != "3d_sample" {
            assert_eq!(formats, [expected]);
            continue;
        }
        let mut operations = 0;
        for pair in formats.chunks(2) {
            let [condition, format] = pair else {
                panic!("a condition without a layout: {pair:?}")
            };
            for operation in condition.trim_start_matches("op op ").split(' ') {
                assert_eq!(*format, format!("{expected} {}", params(operation)), "{operation}");
                operations += 1;
            }
        }
        assert_eq!(operations, 11);
    }
}

/// Returns the operations of 3D_SAMPLE that have names.
fn sample_ops() -> impl Iterator<Item = SampleOp> {
    (0..=u8::MAX).filter_map(SampleOp::from_bits).filter(|op| !op.params().is_empty())
}

/// Returns the name of an operation in the Op section of the page, which differs from the word of text
/// for `sample`.
fn page_name(op: SampleOp) -> &'static str {
    if op == SampleOp::SAMPLE { "sample" } else { op.name().expect("a named operation") }
}

/// Returns the names of an operation's parameters.
fn params(operation: &str) -> String {
    let op = sample_ops().find(|op| page_name(*op) == operation);
    let params = op.unwrap_or_else(|| panic!("no operation {operation}")).params();
    params.iter().map(|param| param.name()).collect::<Vec<_>>().join(" ")
}

#[test]
#[ignore = "needs the pages of the manual"]
fn operations_and_parameters_are_those_of_the_pages() {
    let pages = pages();
    let has = |page: &str, section: &str, words: &str| {
        let (_, sentences) = pages.iter().find(|(name, _)| *name == page).expect("a page");
        sentences
            .iter()
            .any(|sentence| sentence.section == section && sentence.words.to_lowercase() == words)
    };
    let mut codes = Vec::new();
    for op in sample_ops() {
        let name = page_name(op);
        codes.push(format!("0b{:05b} {name}", op.bits()));
        let row = format!("{name} {}", params(name));
        assert!(has("3D_SAMPLE.md", "Notes", &row), "{row}");
    }
    assert!(has("3D_SAMPLE.md", "Op", &codes.join(" ")), "{codes:?}");
    let codes = InfoOp::ALL.map(|op| format!("0b{:08b} {}", op.bits(), op.name()));
    assert!(has("INFO.md", "Op", &codes.join(" ")), "{codes:?}");
    let (top, bottom) = (MediaModifier::TOP.bits(), MediaModifier::BOTTOM.bits());
    let (_, sentences) = pages.iter().find(|(name, _)| *name == "MEDIA_LD.md").expect("a page");
    let codes = sentences.iter().find(|sentence| sentence.starts_with("0b000 no modifiers"));
    let codes = &codes.expect("a list of modifiers").words;
    for code in [format!("0b{top:03b} top_field"), format!("0b{bottom:03b} bottom_field")] {
        assert!(codes.contains(&code), "{code}");
    }
}
