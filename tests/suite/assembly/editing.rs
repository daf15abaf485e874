//! Edited text is parsed to the edited kernel, or rejected.
//!
//! Each edit changes the text of a routine, and also its meaning: tables and code with keys in
//! place of ids, which do not depend on the order of declarations. The edited text must have the
//! edited meaning.

mod meaning;

use genvisa::text::Document;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use genvisa::isa;
use genvisa::object::{Align, Input, InputClass, LabelKind};
use genvisa::operand::{DataType, LabelId};
use genvisa::text::FileListing;
use genvisa::{Dialect, Instruction, Module};
use genvisa_test_support::{corpus, random::runner};
use proptest::prelude::RngCore;

use self::meaning::{CLASSES, Declaration, Keys, Meaning, NEW, Reference, meaning};

/// The lines of a text, and the indices of those with declarations, inputs, attributes and code.
struct Text {
    lines: Vec<String>,
    /// The lines of declarations, by class.
    declarations: [Vec<usize>; 5],
    inputs: Vec<usize>,
    attributes: Vec<usize>,
    /// The line of each instruction.
    code: Vec<usize>,
    words: BTreeSet<String>,
}

fn tokens(line: &str) -> impl Iterator<Item = &str> {
    line.split(|ch: char| !(ch.is_ascii_alphanumeric() || matches!(ch, '_' | '%')))
}

impl Text {
    fn new(source: &str) -> Text {
        let lines: Vec<String> = source.lines().map(str::to_owned).collect();
        let words = lines.iter().flat_map(|line| tokens(line)).map(str::to_owned).collect();
        let mut text = Text {
            lines: Vec::new(),
            declarations: Default::default(),
            inputs: Vec::new(),
            attributes: Vec::new(),
            code: Vec::new(),
            words,
        };
        for (index, line) in lines.iter().enumerate() {
            match line.split(' ').next().unwrap_or_default() {
                ".decl" => {
                    let class = line.split("v_type=").nth(1).and_then(|rest| rest.chars().next());
                    let class = CLASSES.iter().position(|other| Some(*other) == class);
                    text.declarations[class.expect("a class")].push(index);
                }
                ".kernel_attr" => text.attributes.push(index),
                word if word.starts_with(".input") || word.starts_with(".implicit") => {
                    text.inputs.push(index);
                }
                word if word.starts_with('.') || line.starts_with("//@") || line.is_empty() => {}
                _ => text.code.push(index),
            }
        }
        text.lines = lines;
        text
    }

    /// Returns the name in a declaration.
    fn name(&self, line: usize) -> String {
        self.lines[line].split(' ').nth(1).unwrap_or_default().to_owned()
    }

    /// Replaces a word outside of strings. Annotations are included if `in_comments` is set.
    fn rename(&mut self, from: &str, to: &str, in_comments: bool) {
        for line in &mut self.lines {
            let end = line.find("//@").filter(|_| !in_comments).unwrap_or(line.len());
            let (code, comment) = line.split_at(end);
            let is_function = code.starts_with(".function");
            let mut renamed = String::new();
            for (index, part) in code.split('"').enumerate() {
                renamed.push_str(if index > 0 { "\"" } else { "" });
                if index % 2 == 1 && !is_function {
                    renamed.push_str(part);
                    continue;
                }
                let mut rest = part;
                while let Some(at) = rest.find(from) {
                    let is_word = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '%');
                    let before = rest[..at].chars().next_back().is_some_and(is_word);
                    let after = rest[at + from.len()..].chars().next().is_some_and(is_word);
                    renamed.push_str(&rest[..at]);
                    renamed.push_str(if before || after { from } else { to });
                    rest = &rest[at + from.len()..];
                }
                renamed.push_str(rest);
            }
            *line = renamed + comment;
        }
    }
}

/// The numbers of edits that were accepted, rejected, and accepted with warnings.
#[derive(Default)]
struct Figures {
    tried: BTreeMap<&'static str, [u32; 3]>,
}

/// A routine that is edited: its text, its meaning, and the keys of its new ids.
struct Edit {
    text: Text,
    meaning: Meaning,
    keys: Keys,
    /// Whether the text must be rejected.
    is_wrong: bool,
}

impl Edit {
    fn is_used(&self, class: char, key: u32) -> bool {
        let reference = Reference::Declared(class, key);
        let aliases = self.meaning.declarations.values().filter_map(|d| d.alias.as_ref());
        self.meaning.code.iter().any(|(_, used)| used.contains(&reference))
            || self.meaning.inputs.iter().any(|(_, used)| *used == reference)
            || aliases.into_iter().any(|(used, ..)| *used == reference)
    }

    /// Returns the index of an entry of a list.
    fn pick(rng: &mut impl RngCore, count: usize) -> Option<usize> {
        (count > 0).then(|| rng.next_u32() as usize % count)
    }

    fn declaration(&self, rng: &mut impl RngCore) -> Option<(usize, usize)> {
        let classes: Vec<usize> =
            (0..5).filter(|class| !self.text.declarations[*class].is_empty()).collect();
        let class = classes[Edit::pick(rng, classes.len())?];
        Some((class, Edit::pick(rng, self.text.declarations[class].len())?))
    }

    fn insert_declaration(&mut self, rng: &mut impl RngCore) -> Option<()> {
        let (class, at) = self.declaration(rng)?;
        let letter = CLASSES[class];
        let ty = if class == 0 { " type=uw" } else { "" };
        let v_name = if class > 2 { " v_name=edited" } else { "" };
        let line = format!(".decl edited v_type={letter}{ty} num_elts=4{v_name}");
        self.text.lines.insert(self.text.declarations[class][at], line);
        self.keys.classes[class].insert(at, NEW);
        let declaration = Declaration {
            name: b"edited".to_vec(),
            ty: if class == 0 { DataType::UW } else { DataType::UD },
            align: Align::BYTE,
            alias: None,
            num_elements: 4,
            attributes: Vec::new(),
        };
        self.meaning.declarations.insert((letter, NEW), declaration);
        Some(())
    }

    fn delete_declaration(&mut self, rng: &mut impl RngCore) -> Option<()> {
        let (class, at) = self.declaration(rng)?;
        self.text.lines.remove(self.text.declarations[class][at]);
        let key = self.keys.classes[class].remove(at);
        self.is_wrong = self.is_used(CLASSES[class], key);
        self.meaning.declarations.remove(&(CLASSES[class], key));
        Some(())
    }

    fn swap_declarations(&mut self, rng: &mut impl RngCore) -> Option<()> {
        let (class, at) = self.declaration(rng)?;
        let lines = &self.text.declarations[class];
        self.text.lines.swap(lines[at], *lines.get(at + 1)?);
        self.keys.classes[class].swap(at, at + 1);
        Some(())
    }

    fn rename_declaration(&mut self, rng: &mut impl RngCore) -> Option<()> {
        let (class, at) = self.declaration(rng)?;
        let name = self.text.name(self.text.declarations[class][at]);
        // Do not rename a name that is also a type or another word of declarations.
        let is_word = |word: &str| {
            let types = DataType::NAMED.iter().filter_map(|ty| ty.name());
            let words = ["size", "offset", "type", "alias", "align", "attrs", "M1", "GRF", "r"];
            types.chain(words).any(|other| other == word)
        };
        if is_word(&name) {
            return None;
        }
        // Labels are in another namespace, so that one may have the same name.
        let is_label = |line: &usize| self.text.lines[*line].starts_with(&format!("{name}:"));
        if self.text.code.iter().any(is_label) {
            return None;
        }
        self.text.rename(&name, "edited", rng.next_u32() % 2 == 0);
        let key = (CLASSES[class], self.keys.classes[class][at]);
        let declaration = self.meaning.declarations.get_mut(&key)?;
        // Samplers and surfaces have their `v_name` in the tables, which may be the same word.
        if class < 3 || declaration.name == name.as_bytes() {
            declaration.name = b"edited".to_vec();
        }
        Some(())
    }

    fn resize_declaration(&mut self, rng: &mut impl RngCore) -> Option<()> {
        let (class, at) = self.declaration(rng)?;
        let line = &mut self.text.lines[self.text.declarations[class][at]];
        let start = line.find("num_elts=")? + "num_elts=".len();
        let end =
            line[start..].find(|ch: char| !ch.is_ascii_digit()).map_or(line.len(), |n| start + n);
        line.replace_range(start..end, "77");
        let key = (CLASSES[class], self.keys.classes[class][at]);
        self.meaning.declarations.get_mut(&key)?.num_elements = 77;
        Some(())
    }

    /// Returns the definition of a label that is not a subroutine.
    fn label(&self, rng: &mut impl RngCore) -> Option<(usize, String)> {
        let is_label = |index: &usize| {
            let line = &self.text.lines[self.text.code[*index]];
            matches!(self.meaning.code[*index].0, Instruction::Label(_)) && !line.contains("//@")
        };
        let labels: Vec<usize> = (0..self.text.code.len()).filter(is_label).collect();
        let index = labels[Edit::pick(rng, labels.len())?];
        let name = self.text.lines[self.text.code[index]].strip_suffix(':')?;
        Some((index, name.to_owned()))
    }

    fn insert_label(&mut self, rng: &mut impl RngCore) -> Option<()> {
        let at = Edit::pick(rng, self.text.code.len())?;
        // Not between a subroutine and its label.
        if matches!(self.meaning.code[at].0, Instruction::Subroutine(_)) {
            return None;
        }
        self.text.lines.insert(self.text.code[at], "edited:".into());
        self.keys.labels.insert(b"edited".to_vec(), NEW);
        self.meaning.labels.insert(NEW, (b"edited".to_vec(), LabelKind::BLOCK, Vec::new()));
        let label = isa::Label { label: LabelId(0) }.into();
        self.meaning.code.insert(at, (label, vec![Reference::Declared('L', NEW)]));
        Some(())
    }

    fn delete_label(&mut self, rng: &mut impl RngCore) -> Option<()> {
        let (index, _) = self.label(rng)?;
        let Reference::Declared(_, key) = self.meaning.code[index].1[0] else { return None };
        self.text.lines.remove(self.text.code[index]);
        self.meaning.code.remove(index);
        self.meaning.labels.remove(&key);
        self.is_wrong = self.is_used('L', key);
        Some(())
    }

    fn move_label(&mut self, rng: &mut impl RngCore) -> Option<()> {
        let (index, _) = self.label(rng)?;
        let next = *self.text.code.get(index + 1)?;
        if matches!(self.meaning.code[index + 1].0, Instruction::Subroutine(_)) {
            return None;
        }
        self.text.lines.swap(self.text.code[index], next);
        self.meaning.code.swap(index, index + 1);
        Some(())
    }

    fn rename_label(&mut self, rng: &mut impl RngCore) -> Option<()> {
        let (index, name) = self.label(rng)?;
        let Reference::Declared(_, key) = self.meaning.code[index].1[0] else { return None };
        let is_other = |line: &usize| self.text.name(*line) == name;
        if self.text.declarations.iter().flatten().any(is_other) {
            return None;
        }
        self.text.rename(&name, "edited", rng.next_u32() % 2 == 0);
        self.keys.labels.insert(b"edited".to_vec(), key);
        self.meaning.labels.get_mut(&key)?.0 = b"edited".to_vec();
        Some(())
    }

    fn insert_input(&mut self, rng: &mut impl RngCore) -> Option<()> {
        let (class, at) = (0, Edit::pick(rng, self.text.declarations[0].len())?);
        let name = self.text.name(self.text.declarations[class][at]);
        let line = self.text.inputs.first().copied();
        let line = line.or(self.text.attributes.first().copied())?;
        // An input may precede it in `//@ input`.
        if self.text.lines[line - 1].starts_with("//@ input") {
            return None;
        }
        self.text.lines.insert(line, format!(".input {name} offset=96 size=8"));
        let kind = genvisa::object::InputKind::explicit(InputClass::GENERAL);
        let input = Input { kind, index: 0, offset: 96, size: 8 };
        self.meaning.inputs.insert(0, (input, Reference::Declared('G', self.keys.classes[0][at])));
        Some(())
    }

    /// Returns the index of an input, if all are in lines of their own.
    fn input(&self, rng: &mut impl RngCore) -> Option<usize> {
        let all = self.text.inputs.len() == self.meaning.inputs.len();
        Edit::pick(rng, self.text.inputs.len()).filter(|_| all)
    }

    fn delete_input(&mut self, rng: &mut impl RngCore) -> Option<()> {
        let at = self.input(rng)?;
        self.text.lines.remove(self.text.inputs[at]);
        self.meaning.inputs.remove(at);
        Some(())
    }

    fn swap_inputs(&mut self, rng: &mut impl RngCore) -> Option<()> {
        let at = self.input(rng)?;
        self.text.lines.swap(self.text.inputs[at], *self.text.inputs.get(at + 1)?);
        self.meaning.inputs.swap(at, at + 1);
        Some(())
    }

    fn insert_attribute(&mut self, rng: &mut impl RngCore) -> Option<()> {
        let at = Edit::pick(rng, self.text.attributes.len())?;
        self.text.lines.insert(self.text.attributes[at], ".kernel_attr SimdSize=77".into());
        self.meaning.attributes.insert(at, (b"SimdSize".to_vec(), vec![77]));
        Some(())
    }

    fn delete_attribute(&mut self, rng: &mut impl RngCore) -> Option<()> {
        let at = Edit::pick(rng, self.text.attributes.len())?;
        self.text.lines.remove(self.text.attributes[at]);
        self.meaning.attributes.remove(at);
        Some(())
    }

    fn swap_attributes(&mut self, rng: &mut impl RngCore) -> Option<()> {
        let at = Edit::pick(rng, self.text.attributes.len())?;
        self.text.lines.swap(self.text.attributes[at], *self.text.attributes.get(at + 1)?);
        self.meaning.attributes.swap(at, at + 1);
        Some(())
    }

    fn change_attribute(&mut self, rng: &mut impl RngCore) -> Option<()> {
        let at = Edit::pick(rng, self.text.attributes.len())?;
        let line = &mut self.text.lines[self.text.attributes[at]];
        let comment = line.find(" //@").map(|at| line.split_off(at)).unwrap_or_default();
        *line = format!(".kernel_attr SLMSize=77{comment}");
        self.meaning.attributes[at] = (b"SLMSize".to_vec(), vec![77]);
        Some(())
    }
}

type EditFn<R> = fn(&mut Edit, &mut R) -> Option<()>;

fn edits<R: RngCore>() -> [(&'static str, EditFn<R>); 16] {
    [
        ("insert a declaration", Edit::insert_declaration),
        ("delete a declaration", Edit::delete_declaration),
        ("swap declarations", Edit::swap_declarations),
        ("rename a declaration", Edit::rename_declaration),
        ("resize a declaration", Edit::resize_declaration),
        ("insert a label", Edit::insert_label),
        ("delete a label", Edit::delete_label),
        ("move a label", Edit::move_label),
        ("rename a label", Edit::rename_label),
        ("insert an input", Edit::insert_input),
        ("delete an input", Edit::delete_input),
        ("swap inputs", Edit::swap_inputs),
        ("insert an attribute", Edit::insert_attribute),
        ("delete an attribute", Edit::delete_attribute),
        ("swap attributes", Edit::swap_attributes),
        ("change an attribute", Edit::change_attribute),
    ]
}

/// Tries each edit once on a file of one routine.
fn edit_all(name: &str, module: &Module<'_>, rng: &mut impl RngCore, figures: &mut Figures) {
    let body = module.routines().next().expect("a routine").body;
    let mut source = String::new();
    FileListing::new(module).write_to(&mut source).expect("legal code");
    let keys = Keys::of(body);
    // Labels are identified by their names.
    let has_distinct_labels = keys.labels.len() == body.labels.len();
    let original = meaning(module, &keys);
    for (what, edit) in edits() {
        if what.ends_with("label") && !has_distinct_labels {
            continue;
        }
        let text = Text::new(&source);
        if text.words.contains("edited") {
            continue;
        }
        assert_eq!(text.code.len(), original.code.len(), "{name}: a line for each instruction");
        let (meaning, keys) = (original.clone(), keys.clone());
        let mut edited = Edit { text, meaning, keys, is_wrong: false };
        if edit(&mut edited, rng).is_none() {
            continue;
        }
        let [accepted, rejected, warned] = figures.tried.entry(what).or_default();
        let text = edited.text.lines.join("\n") + "\n";
        match Document::parse(&text, module.format).into_result() {
            Ok(Document { module: assembled, warnings, .. }) => {
                *accepted += 1;
                *warned += u32::from(!warnings.is_empty());
                assert!(
                    !edited.is_wrong,
                    "{name}, {what}: a used declaration was removed:\n{text}"
                );
                let found = meaning::meaning(&assembled, &edited.keys);
                let Meaning { declarations, labels, inputs, attributes, code } = edited.meaning;
                assert_eq!(found.declarations, declarations, "{name}, {what}:\n{text}");
                assert_eq!(found.labels, labels, "{name}, {what}:\n{text}");
                assert_eq!(found.inputs, inputs, "{name}, {what}:\n{text}");
                assert_eq!(found.attributes, attributes, "{name}, {what}:\n{text}");
                assert!(found.code == code, "{name}, {what}:\n{text}");
            }
            Err(diagnostics) => {
                *rejected += 1;
                assert!(!diagnostics.is_empty(), "{name}, {what}: no reason");
                let reason = super::explained(&text, &diagnostics);
                let is_expected = edited.is_wrong
                    || what == "swap declarations" && reason.contains("is not declared");
                assert!(is_expected, "{name}, {what}: {reason}");
            }
        }
    }
}

#[test]
#[ignore = "needs the corpus"]
fn edited_text_has_the_edited_meaning_or_is_rejected() {
    let mut runner = runner(1, 13);
    let mut figures = Figures::default();
    for path in corpus::required_files() {
        let file = fs::read(&path).expect("a readable file");
        let module = Module::from_bytes(&file, Dialect::Igc2022).expect("a legal file");
        for kernel in &module.kernels {
            let mut alone = Module::new(module.format);
            alone.file_scope_vars.clone_from(&module.file_scope_vars);
            alone
                .kernels
                .push(genvisa::object::Kernel { gen_binaries: Vec::new(), ..kernel.clone() });
            let name = format!("{}, {}", path.display(), kernel.name);
            edit_all(&name, &alone, runner.rng(), &mut figures);
        }
    }
    for (what, [accepted, rejected, warned]) in &figures.tried {
        eprintln!("{what}: {accepted} accepted ({warned} with warnings), {rejected} rejected");
    }
}
