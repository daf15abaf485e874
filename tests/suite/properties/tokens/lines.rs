//! Lines of real and generated text, each with a small text in which it assembles.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;

use genvisa::object::{Align, Code, Kernel, LabelKind};
use genvisa::operand::{DataType, VarId};
use genvisa::text::{Listing, Style};
use genvisa::{Format, Instruction, Module, Version, strategy};
use genvisa_test_support::random::runner;
use genvisa_test_support::random::seed;
use genvisa_test_support::rng::Rng;

use crate::assembly;
use crate::oracle::differential;

/// The bytes of a token.
pub type Token = Range<usize>;

/// A line and the lines that it requires.
pub struct Line {
    /// Whether another line uses the declaration in this line.
    pub is_used: bool,
    /// The line without its comment.
    pub text: String,
    /// The text or module that contains it.
    pub origin: String,
    pub format: Format,
    /// The lines before it.
    before: String,
    /// The lines after it.
    after: String,
    /// The declared names in it and in the declarations that it requires.
    pub names: Vec<String>,
}

impl Line {
    /// Returns the whole text, with `line` instead of this line.
    pub fn source(&self, line: &str) -> String {
        format!("{}{line}\n{}", self.before, self.after)
    }

    /// Returns the shape of a part of the line, with `#` for numbers and `$` for names.
    pub fn shape(&self, text: &str) -> String {
        let shape = |word: &str| match word.as_bytes()[0] {
            b'0'..=b'9' => "#".to_string(),
            b'"' => "\"\"".to_string(),
            _ if self.names.iter().any(|name| name == word) => "$".to_string(),
            _ => word.to_string(),
        };
        token_texts(text).into_iter().map(shape).collect::<Vec<_>>().join(" ")
    }

    /// Returns the mnemonic or directive.
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
    let (mut tokens, mut start) = (Vec::new(), 0);
    while let Some(first) = bytes.get(start) {
        let rest = &bytes[start + 1..];
        let len = match first {
            b' ' | b'\t' => 0,
            b'"' => {
                let mut is_escaped = false;
                let end = rest.iter().position(|byte| {
                    let is_end = *byte == b'"' && !is_escaped;
                    is_escaped = *byte == b'\\' && !is_escaped;
                    is_end
                });
                end.map_or(bytes.len() - start, |end| end + 2)
            }
            b'%' => 1 + rest.iter().take_while(|byte| is_word(**byte)).count(),
            first if is_word(*first) => 1 + rest.iter().take_while(|byte| is_word(**byte)).count(),
            _ => line[start..].chars().next().map_or(1, char::len_utf8),
        };
        if len > 0 {
            tokens.push(start..start + len);
        }
        start += len.max(1);
    }
    tokens
}

/// Returns the texts of the tokens of a line.
pub fn token_texts(line: &str) -> Vec<&str> {
    tokens(line).into_iter().map(|token| &line[token]).collect()
}

/// Returns the value of an unsigned number.
pub fn number(word: &str) -> Option<u64> {
    match word.strip_prefix("0x").or(word.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

/// Returns a line without the comment at its end, or nothing if the line has an annotation with
/// bytes.
///
/// Annotations have a test of their own.
fn without_comment(line: &str) -> &str {
    let comment = tokens(line).into_iter().find(|token| line[token.start..].starts_with("//"));
    match comment {
        Some(comment) if line[comment.start..].contains("//@") && !line.starts_with('.') => "",
        Some(comment) => line[..comment.start].trim_end(),
        None => line.trim_end(),
    }
}

/// Returns the shape of a line: its tokens, with kinds instead of names, numbers and strings.
fn shape(line: &str, kinds: &BTreeMap<&str, char>) -> String {
    let mut shape = String::new();
    for token in token_texts(line) {
        match (token.as_bytes()[0], kinds.get(token)) {
            (_, Some(kind)) => shape.push(*kind),
            (b'"', _) => shape.push('"'),
            // The number of digits can matter.
            (b'0'..=b'9', _) => shape.push_str(if token.len() > 6 { "##" } else { "#" }),
            _ => shape.push_str(token),
        }
        shape.push(' ');
    }
    shape
}

/// Collects lines, a limited number of each shape.
struct Collector {
    lines: Vec<Line>,
    /// The number of lines of each shape.
    shapes: BTreeMap<String, usize>,
    max_per_shape: usize,
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
            match token_texts(line)[..] {
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
        // One more name of each kind, which edits can use.
        let mut others: BTreeMap<char, &str> = BTreeMap::new();
        for name in declared.keys() {
            others.entry(kinds[name]).or_insert(name);
        }
        let mut previous_function = None;
        for line in lines() {
            let function = previous_function.take();
            let line_tokens = token_texts(line);
            if let [".", "function", _] = line_tokens[..] {
                previous_function = Some(line);
            }
            let count = self.shapes.entry(shape(line, &kinds)).or_default();
            if *count == self.max_per_shape {
                continue;
            }
            *count += 1;
            // The declared names in the line, and in the declarations of their aliases.
            let mut names: Vec<&str> = Vec::new();
            let mut pending: Vec<&str> = line_tokens.clone();
            pending.extend(others.values());
            // An instruction must use a declaration, so that renaming it is an error.
            let user = match line_tokens[..] {
                [".", "decl", name, ..] => {
                    lines().find(|line| line.starts_with(' ') && token_texts(line).contains(&name))
                }
                _ => None,
            };
            pending.extend(user.iter().flat_map(|user| token_texts(user)));
            let related: Vec<&str> = pending.clone();
            while let Some(name) = pending.pop() {
                if declared.get(name).is_some_and(|own| *own != line) && !names.contains(&name) {
                    names.push(name);
                    pending.extend(token_texts(declared[name]));
                }
            }
            // Declarations are in the order of the text, because an alias follows its variable.
            let mut before = format!("{version}\n.kernel \"k\"\n");
            let mut after = String::new();
            match line_tokens[..] {
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
            let related = related.iter().map(|token| token.trim_matches('"'));
            for label in related.filter(|token| labels.contains(token)) {
                if line_tokens[..] != [label, ":"] && !after.contains(&format!("\n{label}:\n")) {
                    after.push_str(&format!("\n{label}:\n"));
                }
            }
            if let [".", "function", name] = line_tokens[..] {
                let label = format!("\n{}:\n", name.trim_matches('"'));
                if !after.contains(&label) {
                    after.push_str(&label);
                }
            } else if let (Some(function), [_, ":"]) = (function, &line_tokens[..]) {
                before.push_str(&format!("{function}\n"));
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

/// Returns lines of all texts of the corpus, at most two of each shape.
pub fn of_real_texts() -> Vec<Line> {
    let mut all = Collector { lines: Vec::new(), shapes: BTreeMap::new(), max_per_shape: 2 };
    for path in assembly::real_texts() {
        let source = fs::read_to_string(&path).expect("a readable text");
        let is_current = source.starts_with(".version 4.2");
        let format = match is_current {
            true => Format::igc2026(Version::V4_1),
            false => Format::igc2022(Version::V3_6),
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        all.add(&source, format, &name);
    }
    all.lines
}

/// Text of version 4.2 with constructs that older versions lack.
const GRAMMAR_4_2: &str = "\
.version 4.2
.kernel \"k\"
.decl x v_type=G type=d num_elts=256 align=(8*4)
.decl z v_type=G type=tf32 num_elts=16
.decl y v_type=G type=ud num_elts=%sizeof(x)/4 align=%sizeof(z)
.decl u v_type=G type=hf8 num_elts=8
.decl w v_type=G type=e2m1 num_elts=4 alias=<x, 4+4>
.decl a v_type=A num_elts=16
.decl p v_type=P num_elts=16
.decl s v_type=T num_elts=1
.kernel_attr NBarrierCnt=1+1
.implicit_UNDEFINED_9 x offset=64 size=%sizeof(z)
.file \"a.cl\"
.loc 12
{ .decl t v_type=G type=ud num_elts=2 }
{ mov (M1, 16) x(0,0)<1> 0x1:d }
    mov (NoMask, 16) x(0,0)<1> %sizeof z:d
    mov (M1, 16) x<1> (%sizeof(u)*2):d
    mov (M1, 16) x(0,0)<1> r[a(0),4]<1>:d
    cmp (M1, 16) p x(0,0)<1;1,0> 0x0:d
    cmp.eq (M1, 16) p x(0,0)<1;1,0> 0x0:d
    media_ld.nomod (4,4) s 0x0:ud 0x4:ud x.0
    media_st.top (4,4) s 1 y(0,0)<0;1,0> 0x4:ud x.0
    raw_sends_eot.15.1.0.1 (M1, 16) 0x0:ud 0x4200580:ud x.0 %null.0 y.64
    raw_sendsc.1.0.1 (M1, 16) 0x0:ud 0x4200580:ud x.0 %null.0 y.64
    switchjmp (M1, 1) x(0,0)<0;1,0> (L1 \"L2\",, )
    (p) goto (M1, 16) \"L1\"
L1:
L2:
    fence_global.ER
    faddr \".str\" y(0,0)<1>
";

/// Returns the lines of version 4.2 that older versions lack.
pub fn of_grammar_4_2() -> Vec<Line> {
    let mut all = Collector { lines: Vec::new(), shapes: BTreeMap::new(), max_per_shape: 1 };
    all.add(GRAMMAR_4_2, Format::V4_2, "grammar of version 4.2");
    all.lines
}

/// Creates a kernel with a few declarations of each kind.
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

/// Returns the ids that [`kernel`] declares, each with its kind.
fn kernel_ids() -> Vec<(String, char)> {
    let ids = [('V', 32..48), ('A', 0..8), ('P', 1..9), ('S', 0..8), ('T', 6..14), ('L', 0..4)];
    let ids = ids.into_iter().flat_map(|(kind, ids)| ids.map(move |id| (kind, id)));
    ids.map(|(kind, id)| (format!("{kind}{id}"), kind)).collect()
}

/// Returns whether [`kernel`] declares all operands of an instruction.
fn is_declared(instruction: &Instruction) -> bool {
    let text = instruction.to_string();
    token_texts(&text).iter().all(|word| {
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

/// Returns lines of generated instructions of every row, at most one of each shape.
pub fn of_generated_texts() -> Vec<Line> {
    let mut all = Collector { lines: Vec::new(), shapes: BTreeMap::new(), max_per_shape: 1 };
    for number in 0..24 {
        let module = differential::module(seed(), number);
        for routine in module.routines() {
            let listing = Listing::new(routine).with_style(Style::Complete);
            let text = listing.to_text().expect("legal code");
            all.add(&text, module.format, &format!("module {number}"));
        }
    }
    // Instructions of the dialects that the random modules do not have.
    let all = RefCell::new(all);
    let (ids, seen) = (kernel_ids(), RefCell::new(BTreeSet::new()));
    let kinds: BTreeMap<&str, char> = ids.iter().map(|(id, kind)| (id.as_str(), *kind)).collect();
    for (salt, format) in [Format::MANUAL, Format::igc2026(Version::V4_1)].into_iter().enumerate() {
        for (opcode, row) in strategy::rows(format) {
            let mut runner = runner(200, salt);
            let result = runner.run(&row, |instruction| {
                if !is_declared(&instruction) {
                    return Ok(());
                }
                // Fast path: most texts have the shape of another one.
                if !seen.borrow_mut().insert((salt, shape(&instruction.to_string(), &kinds))) {
                    return Ok(());
                }
                let mut module = Module::new(format);
                let mut kernel = kernel();
                kernel.body.code =
                    Code::from_instructions(&[instruction], format).expect("encodable");
                module.kernels.push(kernel);
                let routine = module.routines().next().expect("one");
                let listing = Listing::new(routine).with_style(Style::Complete);
                let text = listing.to_text().expect("legal code");
                all.borrow_mut().add(&text, format, &format!("opcode {opcode:#04x}, {format}"));
                Ok(())
            });
            result.expect("nothing is asserted");
        }
    }
    all.into_inner().lines
}

/// The words of all lines, for insertions, and the words that follow each of them.
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
            for word in token_texts(&line.text) {
                let is_name = line.names.iter().any(|name| name == word);
                let word = if is_name { "\0" } else { word };
                all.insert(word.to_string());
                after.entry(previous).or_default().insert(word.into());
                previous = word.into();
            }
        }
        // Keep only some of the many numbers and strings.
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

    /// Replaces `\0` by a name of the line.
    fn with_name(word: &str, line: &Line, rng: &mut Rng) -> String {
        match line.names.len() {
            0 => word.replace('\0', "V32"),
            count => word.replace('\0', &line.names[rng.below(count)]),
        }
    }

    /// Returns any word.
    pub fn any(&self, line: &Line, rng: &mut Rng) -> String {
        Self::with_name(&self.all[rng.below(self.all.len())], line, rng)
    }

    /// Returns a word that follows another one somewhere.
    pub fn after(&self, previous: &str, line: &Line, rng: &mut Rng) -> String {
        let is_name = line.names.iter().any(|name| name == previous);
        match self.after.get(if is_name { "\0" } else { previous }) {
            Some(words) => Self::with_name(&words[rng.below(words.len())], line, rng),
            None => self.any(line, rng),
        }
    }
}
