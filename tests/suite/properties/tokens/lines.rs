//! LineIndex of real and generated text, each in the smallest text that it assembles in.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;

use genvisa::object::{Align, Code, Kernel, LabelKind};
use genvisa::operand::{DataType, VarId};
use genvisa::text::{Listing, Style};
use genvisa::{Format, Instruction, Module, Version, strategy};

use super::super::seed;
use crate::assembly;
use crate::codec::runner;
use crate::oracle::differential::{self, rng::Dice};

/// The bytes of a token.
pub type Token = Range<usize>;

/// A line and what it needs.
pub struct Line {
    /// Whether another line uses what this one declares.
    pub is_used: bool,
    /// The line without its comment.
    pub text: String,
    /// Where it is from.
    pub origin: String,
    pub format: Format,
    /// The lines before and after it.
    before: String,
    after: String,
    /// The names that are declared before it.
    pub names: Vec<String>,
}

impl Line {
    /// The whole text with another line in its place.
    pub fn source(&self, line: &str) -> String {
        format!("{}{line}\n{}", self.before, self.after)
    }

    /// A piece of the line with `#` for numbers and `$` for names.
    pub fn shape(&self, text: &str) -> String {
        let shape = |word: &str| match word.as_bytes()[0] {
            b'0'..=b'9' => "#".to_string(),
            b'"' => "\"\"".to_string(),
            _ if self.names.iter().any(|name| name == word) => "$".to_string(),
            _ => word.to_string(),
        };
        spell(text).into_iter().map(shape).collect::<Vec<_>>().join(" ")
    }

    /// The mnemonic or directive.
    pub fn word(&self) -> &str {
        let text = self.text.trim_start();
        let text = match text.strip_prefix('(') {
            Some(rest) => rest.split_once(')').map_or("", |(_, rest)| rest.trim_start()),
            None => text,
        };
        text.split([' ', '(']).next().unwrap_or_default()
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_$@?".contains(&byte)
}

/// Splits a line into strings, words (names, mnemonics, numbers) and single characters.
pub fn tokens(line: &str) -> Vec<Token> {
    let bytes = line.as_bytes();
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(first) = bytes.get(at) {
        let rest = &bytes[at + 1..];
        let len = match first {
            b' ' | b'\t' => 0,
            b'"' => {
                let mut escaped = false;
                let end = rest.iter().position(|byte| {
                    let ends = *byte == b'"' && !escaped;
                    escaped = *byte == b'\\' && !escaped;
                    ends
                });
                end.map_or(bytes.len() - at, |end| end + 2)
            }
            b'%' => 1 + rest.iter().take_while(|byte| is_word(**byte)).count(),
            first if is_word(*first) => 1 + rest.iter().take_while(|byte| is_word(**byte)).count(),
            _ => line[at..].chars().next().map_or(1, char::len_utf8),
        };
        if len > 0 {
            tokens.push(at..at + len);
        }
        at += len.max(1);
    }
    tokens
}

/// The tokens of a line, whatever is between them.
pub fn spell(line: &str) -> Vec<&str> {
    tokens(line).into_iter().map(|token| &line[token]).collect()
}

/// The value of a number without a sign.
pub fn number(word: &str) -> Option<u64> {
    match word.strip_prefix("0x").or(word.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

/// A line without the comment at its end; nothing of an instruction that is given by its bytes.
/// Annotations have a test of their own.
fn without_comment(line: &str) -> &str {
    let comment = tokens(line).into_iter().find(|token| line[token.start..].starts_with("//"));
    match comment {
        Some(comment) if line[comment.start..].contains("//@") && !line.starts_with('.') => "",
        Some(comment) => line[..comment.start].trim_end(),
        None => line.trim_end(),
    }
}

/// What a line looks like: names, numbers and strings are alike, but for what kind of name.
fn shape(line: &str, kinds: &BTreeMap<&str, char>) -> String {
    let mut shape = String::new();
    for token in spell(line) {
        match (token.as_bytes()[0], kinds.get(token)) {
            (_, Some(kind)) => shape.push(*kind),
            (b'"', _) => shape.push('"'),
            // How many digits decides at times.
            (b'0'..=b'9', _) => shape.push_str(if token.len() > 6 { "##" } else { "#" }),
            _ => shape.push_str(token),
        }
        shape.push(' ');
    }
    shape
}

/// Collects lines, so many of each shape.
struct Collector {
    lines: Vec<Line>,
    shapes: BTreeMap<String, usize>,
    most: usize,
}

impl Collector {
    /// Adds the lines of a text of one routine.
    fn add(&mut self, source: &str, format: Format, origin: &str) {
        let lines: Vec<&str> = source.lines().map(without_comment).collect();
        let lines = || lines.iter().copied().filter(|line| !line.is_empty());
        let mut declared: BTreeMap<&str, &str> = BTreeMap::new();
        let mut kinds: BTreeMap<&str, char> = BTreeMap::new();
        let mut labels = BTreeSet::new();
        for line in lines() {
            match spell(line)[..] {
                [".", "decl", name, "v_type", "=", kind, ..] => {
                    declared.insert(name, line);
                    kinds.insert(name, kind.chars().next().unwrap_or('?'));
                }
                [label, ":"] => {
                    labels.insert(label);
                    kinds.insert(label, ':');
                }
                _ => {}
            }
        }
        let version = lines().find(|line| line.starts_with(".version")).unwrap_or(".version 3.6");
        // One more of each kind, for edits to name.
        let mut others: BTreeMap<char, &str> = BTreeMap::new();
        for name in declared.keys() {
            others.entry(kinds[name]).or_insert(name);
        }
        let mut announced = None;
        for line in lines() {
            let function = announced.take();
            let spelled = spell(line);
            if let [".", "function", _] = spelled[..] {
                announced = Some(line);
            }
            let count = self.shapes.entry(shape(line, &kinds)).or_default();
            if *count == self.most {
                continue;
            }
            *count += 1;
            // What the line names, and what that is an alias of.
            let mut names: Vec<&str> = Vec::new();
            let mut open: Vec<&str> = spelled.clone();
            open.extend(others.values());
            // A declaration alone may be called anything: an instruction must use it.
            let user = match spelled[..] {
                [".", "decl", name, ..] => {
                    lines().find(|line| line.starts_with(' ') && spell(line).contains(&name))
                }
                _ => None,
            };
            open.extend(user.iter().flat_map(|user| spell(user)));
            let related: Vec<&str> = open.clone();
            while let Some(name) = open.pop() {
                if declared.get(name).is_some_and(|own| *own != line) && !names.contains(&name) {
                    names.push(name);
                    open.extend(spell(declared[name]));
                }
            }
            // In the order of the text: an alias follows what it is of.
            let mut before = format!("{version}\n.kernel \"k\"\n");
            let mut after = String::new();
            match spelled[..] {
                [".", "version", ..] => {
                    before.clear();
                    after.push_str(".kernel \"k\"\n");
                }
                [".", "kernel" | "global_function", ..] => before = format!("{version}\n"),
                _ => {}
            }
            let needed: BTreeSet<&str> = names.iter().map(|name| declared[name]).collect();
            let is_own = |other: &&str| *other != line && needed.contains(other);
            let declarations = lines().filter(is_own).map(|line| format!("{line}\n"));
            match before.contains(".kernel") {
                true => before.extend(declarations),
                false => after.extend(declarations),
            }
            after.extend(user.iter().map(|user| format!("{user}\n")));
            for label in related.iter().filter(|token| labels.contains(**token)) {
                if spelled[..] != [*label, ":"] && !after.contains(&format!("\n{label}:\n")) {
                    after.push_str(&format!("\n{label}:\n"));
                }
            }
            if let [".", "function", name] = spelled[..] {
                after.push_str(&format!("{}:\n", name.trim_matches('"')));
            } else if let (Some(function), [label, ":"]) = (function, &spelled[..]) {
                before.push_str(&format!("{function}\n"));
                let _ = label;
            }
            self.lines.push(Line {
                is_used: user.is_some(),
                text: line.into(),
                origin: origin.into(),
                format,
                before,
                after,
                names: names.into_iter().map(String::from).collect(),
            });
        }
    }
}

/// The lines of all texts of the corpus, two of each shape.
pub fn of_real_texts() -> Vec<Line> {
    let mut all = Collector { lines: Vec::new(), shapes: BTreeMap::new(), most: 2 };
    for path in assembly::real_texts() {
        let source = fs::read_to_string(&path).expect("a readable text");
        let today = source.starts_with(".version 4.2");
        let format = match today {
            true => Format::igc2026(Version::V4_1),
            false => Format::igc2022(Version::V3_6),
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        all.add(&source, format, &name);
    }
    all.lines
}

/// Tables with a few of each kind.
fn kernel() -> Kernel<'static> {
    let mut kernel = Kernel::new("k");
    let body = &mut kernel.body;
    for id in VarId::FIRST_DECLARED.0..48 {
        body.add_variable(&format!("v{id}"), DataType::UD, 256, Align::GRF);
    }
    for id in 0..8 {
        body.add_address(&format!("a{id}"), 16).expect("few");
        body.add_predicate(&format!("p{id}"), 32).expect("few");
        body.add_sampler(&format!("smp{id}")).expect("few");
        body.add_surface(&format!("srf{id}")).expect("few");
    }
    for id in 0..4 {
        let kind = if id % 2 == 0 { LabelKind::BLOCK } else { LabelKind::SUBROUTINE };
        body.add_label(&format!("lab{id}"), kind).expect("few");
    }
    body.intern("a string");
    kernel
}

/// Whether an instruction names nothing but what [`kernel`] declares.
fn is_declared(instruction: &Instruction) -> bool {
    let text = instruction.to_string();
    spell(&text).iter().all(|word| {
        let Some((kind, number)) = word.split_at_checked(1) else { return true };
        let Ok(number) = number.parse::<u32>() else { return true };
        match kind {
            "V" => number < 48,
            "A" => number < 8,
            "P" | "S" => number <= 8,
            "T" => number < 14,
            "L" => number < 4,
            "?" => false,
            _ => true,
        }
    })
}

/// The lines of generated instructions of every row, some of each shape.
pub fn of_generated_texts() -> Vec<Line> {
    let mut all = Collector { lines: Vec::new(), shapes: BTreeMap::new(), most: 1 };
    for number in 0..24 {
        let module = differential::module(seed(), number);
        for routine in module.routines() {
            let mut text = String::new();
            let listing = Listing::new(routine).with_style(Style::Faithful);
            listing.write_to(&mut text).expect("legal code");
            all.add(&text, module.format, &format!("module {number}"));
        }
    }
    // What only today's dialect has, and the manual's.
    let all = RefCell::new(all);
    for (salt, format) in [Format::MANUAL, Format::igc2026(Version::V4_1)].into_iter().enumerate() {
        for (opcode, row) in strategy::rows(format) {
            let mut runner = runner(200, salt);
            let result = runner.run(&row, |instruction| {
                if !is_declared(&instruction) {
                    return Ok(());
                }
                let mut module = Module::new(format);
                let mut kernel = kernel();
                kernel.body.code =
                    Code::from_instructions(&[instruction], format).expect("encodable");
                module.kernels.push(kernel);
                let mut text = String::new();
                let routine = module.routines().next().expect("one");
                let listing = Listing::new(routine).with_style(Style::Faithful);
                listing.write_to(&mut text).expect("legal code");
                all.borrow_mut().add(&text, format, &format!("opcode {opcode:#04x}, {format}"));
                Ok(())
            });
            result.expect("nothing is asserted");
        }
    }
    all.into_inner().lines
}

/// What can be inserted: the words of all lines, and which of them follow each other.
pub struct Words {
    all: Vec<String>,
    after: BTreeMap<String, Vec<String>>,
}

impl Words {
    /// Collects the words of lines, with `\0` for names, and numbers at the limits of fields.
    pub fn of(lines: &[Line]) -> Words {
        let mut all = BTreeSet::new();
        let mut after: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for line in lines {
            let mut previous = String::new();
            for word in spell(&line.text) {
                let is_name = line.names.iter().any(|name| name == word);
                let word = if is_name { "\0" } else { word };
                all.insert(word.to_string());
                after.entry(previous).or_default().insert(word.into());
                previous = word.into();
            }
        }
        // There are many numbers and strings.
        let is_constant =
            |word: &&String| word.starts_with(|c: char| c.is_ascii_digit() || c == '"');
        let thin = |words: &BTreeSet<String>| {
            let constants: Vec<&String> = words.iter().filter(is_constant).collect();
            let some = constants.iter().step_by(constants.len() / 8 + 1).copied();
            words.iter().filter(|word| !is_constant(word)).chain(some).cloned().collect()
        };
        let mut all: Vec<String> = thin(&all);
        let limits = ["0", "1", "16", "255", "256", "65535", "65536", "0x100000000", "4294967295"];
        let signs =
            ["(", ")", "[", "]", "<", ">", ",", ";", ".", ":", "-", "+", "~", "!", "{", "}"];
        all.extend(limits.iter().chain(&signs).chain(&signs).map(|word| word.to_string()));
        let after = after.iter().map(|(word, next)| (word.clone(), thin(next))).collect();
        Words { all, after }
    }

    fn named(word: &str, line: &Line, dice: &mut Dice) -> String {
        match line.names.len() {
            0 => word.replace('\0', "V32"),
            count => word.replace('\0', &line.names[dice.below(count)]),
        }
    }

    /// Returns any word.
    pub fn any(&self, line: &Line, dice: &mut Dice) -> String {
        Self::named(&self.all[dice.below(self.all.len())], line, dice)
    }

    /// Returns a word that follows another one somewhere.
    pub fn after(&self, previous: &str, line: &Line, dice: &mut Dice) -> String {
        let is_name = line.names.iter().any(|name| name == previous);
        match self.after.get(if is_name { "\0" } else { previous }) {
            Some(words) => Self::named(&words[dice.below(words.len())], line, dice),
            None => self.any(line, dice),
        }
    }
}
