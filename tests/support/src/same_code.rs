//! IGC makes the same machine code of a text and of what this crate prints for it.

use std::collections::BTreeMap;

use genvisa::Platform;
use genvisa::text::{Errors, FileListing, Reformatter, format_of, parse};
use genvisa::verify::{Group, Verifier};
use genvisa::{Dialect, Format, Module, Version};

use super::declarations::in_printed_order;
use super::genx_ir_today::Compiler;
use super::parallel::parallel;
use super::random::seed;

/// The platforms of the random texts: the name for the compiler, and the platform of the verifier.
pub const PLATFORMS: [(&str, Platform); 3] =
    [("XE2", Platform::Xe2), ("MTL", Platform::Mtl), ("TGLLP", Platform::Tgllp)];

/// The versions that random texts state.
pub const VERSIONS: [&str; 2] = ["4.1", "4.2"];

/// A text for a platform.
pub struct Case {
    /// A description for messages.
    pub what: String,
    /// The text.
    pub text: String,
    /// One of [`PLATFORMS`].
    pub platform: (&'static str, Platform),
}

/// The result of [`compare`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The same machine code, which is the value.
    Same(Vec<u8>),
    /// The compiler and this crate reject the text.
    BothReject,
    /// The compiler rejects a text that this crate reads, and so does the verifier.
    CompilerAndVerifierReject,
    /// Only the compiler rejects the text, with these messages.
    CompilerRejects(String),
    /// Only this crate rejects the text, with this message.
    CrateRejects(String),
    /// The machine code differs, but a warning says that the text has two meanings: the compilers of
    /// its version and today's read the operands of sampler messages differently.
    Ambiguous,
    /// The compiler makes other machine code of what a command prints.
    Different(Printed),
    /// The code differs only because the order of declarations is lost: files have a table for each
    /// class of variables, and no scopes. The compiler assigns other registers.
    OrderOfDeclarations,
    /// The compiler rejects what a command prints with these messages, but accepts the original.
    Unreadable(Printed, String),
}

/// A text that the tool prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The commands that print it.
    pub command: &'static str,
    /// What they print.
    pub text: String,
}

fn first(errors: Errors) -> String {
    errors[0].to_string()
}

/// Returns a text as commands of the tool print it.
///
/// # Errors
/// The first error in the text.
pub fn printed(text: &str) -> Result<Vec<Printed>, String> {
    let formatted = Reformatter::new().reformat(text).map_err(first)?.text;
    let mut texts = vec![Printed { command: "fmt", text: formatted }];
    let dialects = [
        (Dialect::Igc2026, "asm and dis --dialect igc2026"),
        (Dialect::Igc2022, "asm and dis --dialect igc2022"),
    ];
    for (dialect, command) in dialects {
        let assemble = |version| {
            // The format lacks a field, or the number of a field is too large for it.
            parse(text, Format::new(dialect, version)).ok()?.to_bytes().ok()
        };
        // `asm` tries these versions. Not everything has a binary form.
        let Some(file) = [Version::V3_6, Version::V4_1].into_iter().find_map(assemble) else {
            continue;
        };
        let module = Module::from_bytes(&file, dialect).expect("a module just written");
        let text = FileListing::new(&module).to_text().expect("legal code");
        if texts.iter().all(|other| other.text != text) {
            texts.push(Printed { command, text });
        }
    }
    Ok(texts)
}

/// Returns whether a warning says that the text has two meanings.
fn is_ambiguous(text: &str) -> bool {
    let reformatted = Reformatter::new().reformat(text).expect("it was printed");
    reformatted.warnings.iter().any(|warning| warning.message.contains("paired surface"))
}

/// Compares the machine code of a text and of what this crate prints for it.
pub fn compare(compiler: &Compiler, case: &Case) -> Outcome {
    let (name, platform) = case.platform;
    let theirs = compiler.compile(&case.text, name);
    let (ours, theirs) = match (printed(&case.text), theirs) {
        (Ok(ours), Ok(theirs)) => (ours, theirs),
        (Err(_), Err(_)) => return Outcome::BothReject,
        (Err(why), Ok(_)) => return Outcome::CrateRejects(why),
        (Ok(_), Err(why)) => {
            let module = parse(&case.text, format_of(&case.text)).expect("it was printed");
            let verifier = Verifier::new().with_groups(Group::ALL);
            let findings = verifier.with_platform(platform).check_module(&module);
            return match findings.is_empty() {
                true => Outcome::CompilerRejects(why),
                false => Outcome::CompilerAndVerifierReject,
            };
        }
    };
    let in_order = in_printed_order(&case.text);
    for printed in ours {
        match compiler.compile(&printed.text, name) {
            Ok(code) if code == theirs => {}
            _ if is_ambiguous(&case.text) => return Outcome::Ambiguous,
            Ok(code) if compiler.compile(&in_order, name).is_ok_and(|it| it == code) => {
                return Outcome::OrderOfDeclarations;
            }
            Ok(_) => return Outcome::Different(printed),
            Err(why) => return Outcome::Unreadable(printed, why),
        }
    }
    Outcome::Same(theirs)
}

/// A class of texts that only one side rejects: a part of its message, which a line break ends, and the
/// reason.
pub type Class = (&'static str, &'static str);

/// The classes of texts that only one side rejects.
pub struct Classes {
    /// By messages of the compiler.
    pub compiler_rejects: &'static [Class],
    /// By messages of this crate.
    pub crate_rejects: &'static [Class],
}

/// Counts the outcomes, and collects the failures.
#[derive(Default)]
pub struct Statistics {
    counts: BTreeMap<String, usize>,
    /// The cases that fail the test.
    pub wrong: Vec<String>,
}

impl Statistics {
    /// Adds an outcome. An unknown class is a failure.
    pub fn add(&mut self, case: &Case, outcome: &Outcome, classes: &Classes) {
        let what = format!("{}: {}", case.platform.0, case.what);
        let mut one_side = |side: &str, why: &str, classes: &[Class]| {
            let message = format!("{why}\n");
            let class = classes.iter().find(|(part, _)| message.contains(part));
            if class.is_none() {
                self.wrong.push(format!("only {side} rejects it: {what}\n    {why}"));
            }
            format!("only {side} rejects it: {}", class.map_or("unknown", |(_, reason)| reason))
        };
        let name = match outcome {
            Outcome::Same(_) => "same code".into(),
            Outcome::BothReject => "both reject it".into(),
            Outcome::CompilerAndVerifierReject => "the compiler and the verifier reject it".into(),
            Outcome::CompilerRejects(why) => {
                one_side("the compiler", why, classes.compiler_rejects)
            }
            Outcome::CrateRejects(why) => one_side("this crate", why, classes.crate_rejects),
            Outcome::OrderOfDeclarations => {
                "other registers, because the order of declarations is lost".into()
            }
            Outcome::Ambiguous => "a warning says that the code may differ".into(),
            Outcome::Different(Printed { command, text }) => {
                self.wrong.push(format!("{command} changes the code: {what}\n{text}"));
                "the code differs".into()
            }
            Outcome::Unreadable(Printed { command, text }, why) => {
                self.wrong.push(format!(
                    "{command} prints what the compiler rejects: {what}\n    {why}\n{text}"
                ));
                "the compiler rejects what is printed".into()
            }
        };
        *self.counts.entry(name).or_default() += 1;
    }

    /// Prints the counts. Panics if a case failed.
    pub fn check(self, compiler: &Compiler) {
        for (name, count) in &self.counts {
            eprintln!("{count:6} {name}");
        }
        let (wrong, count) = (self.wrong.len(), self.counts.values().sum::<usize>());
        let summary = format!("{wrong} of {count} are wrong, seed {}", seed());
        assert!(wrong == 0 || !compiler.is_tested, "{}\n{summary}", self.wrong.join("\n\n"));
    }
}

/// Compares all cases, and prints the counts of the outcomes. Panics if a case failed.
pub fn check(compiler: &Compiler, cases: &[Case], classes: &Classes) {
    let outcomes = parallel(cases, |case| compare(compiler, case));
    let mut statistics = Statistics::default();
    for (case, outcome) in cases.iter().zip(&outcomes) {
        statistics.add(case, outcome, classes);
    }
    statistics.check(compiler);
}
