//! Tests with the current compiler as oracle: its GenX_IR compiles a text and the text that this
//! crate prints after parsing it to the same machine code. The texts are output of the compiler,
//! with edits.
//!
//! `.ci/run` installs the compiler; see the environment variables in `main.rs`.

mod edits;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use genvisa::Platform;
use genvisa::text::{Listing, Style, parse};
use genvisa::verify::{Severity, Verifier};
use genvisa::{Dialect, Format, Module, Version};
use genvisa_test_support::corpus;
use genvisa_test_support::corpus::texts_under;
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::rng::Rng;

use self::edits::{Edit, EditKind, KINDS, REJECTED_BY_CRATE};

/// The folders of texts, with the platform for the tool and for the verifier.
const DEVICES: [(&str, &str, Platform); 4] = [
    ("tgllp", "TGLLP", Platform::Tgllp),
    ("dg2", "DG2", Platform::Dg2),
    ("pvc", "PVCXT", Platform::PvcXt),
    ("bmg", "XE2", Platform::Xe2),
];

/// Parses a text and prints it, in memory and through a file of 4.1 if it can express everything.
/// Returns the new texts without repetitions, and the module.
fn reprint(text: &str) -> Result<(Vec<String>, Module<'static>), String> {
    let module = parse(text, Format::V4_2).map_err(|errors| errors[0].to_string())?;
    let mut texts = vec![printed(&module)];
    let file = parse(text, Format::igc2026(Version::V4_1)).map(|module| module.to_bytes());
    if let Ok(Ok(file)) = file {
        let read = Module::from_bytes(&file, Dialect::Igc2026).expect("a module just written");
        let printed = printed(&read);
        let rest = printed.strip_prefix(".version 4.1").expect("the version of the bytes");
        let again = format!(".version 4.2{rest}");
        texts.extend((again != texts[0]).then_some(again));
    }
    Ok((texts, module))
}

fn printed(module: &Module<'_>) -> String {
    let listing = Listing::new(module.routines().next().expect("a kernel"));
    listing.with_style(Style::Complete).to_text().expect("legal code")
}

/// A text and its platform.
pub struct Source {
    pub name: String,
    pub text: String,
    pub platform: &'static str,
    verified_on: Platform,
}

/// Returns the texts of the compiler for the platforms that it compiles text for.
pub fn sources(visaasm: &Path) -> Vec<Source> {
    let mut sources = Vec::new();
    for (device, platform, verified_on) in DEVICES {
        for path in texts_under(&visaasm.join(device)) {
            let text = fs::read_to_string(&path).expect("a readable text");
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = format!("{device}/{name}");
            sources.push(Source { name, text, platform, verified_on });
        }
    }
    sources
}

/// The result of compiling a text directly and after this crate has parsed and printed it.
enum Outcome {
    /// The same machine code.
    Same,
    /// Different machine code.
    Different,
    /// Only this crate rejects the text.
    RejectedByCrate(String),
    /// Only the compiler rejects the text. The flag is whether the verifier reports an error.
    RejectedByCompiler(String, bool),
    BothReject,
    /// The same machine code, but the verifier reports an error.
    SameButIllegal(String),
}

fn compare(compiler: &Compiler, source: &Source, text: &str) -> Outcome {
    let theirs = compiler.compile(text, source.platform);
    let (again, module) = match (reprint(text), &theirs) {
        (Ok(ours), _) => ours,
        (Err(why), Ok(_)) => return Outcome::RejectedByCrate(why),
        (Err(_), Err(_)) => return Outcome::BothReject,
    };
    let findings = Verifier::new().with_platform(source.verified_on).check_module(&module);
    let error = findings.iter().find(|finding| finding.severity == Severity::Error);
    match theirs {
        Err(why) => Outcome::RejectedByCompiler(why, error.is_some()),
        Ok(theirs) => {
            let is_same =
                |text: &String| compiler.compile(text, source.platform).as_ref() == Ok(&theirs);
            match (again.iter().all(is_same), error) {
                (false, _) => Outcome::Different,
                (true, Some(error)) => Outcome::SameButIllegal(error.to_string()),
                (true, None) => Outcome::Same,
            }
        }
    }
}

#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14 and the corpus"]
fn compiles_printed_text_to_the_same_code() {
    let (compiler, visaasm) = (Compiler::required(), corpus::required_visaasm());
    let sources = sources(&visaasm);
    let outcomes = parallel(&sources, |source| compare(&compiler, source, &source.text));
    let (mut same, mut rejected, mut wrong) = (0, Vec::new(), Vec::new());
    for (source, outcome) in sources.iter().zip(outcomes) {
        let name = &source.name;
        match outcome {
            Outcome::Same => same += 1,
            Outcome::SameButIllegal(why) => wrong.push(format!("{name}: the verifier: {why}")),
            Outcome::Different => wrong.push(format!("{name}: the code differs")),
            Outcome::RejectedByCrate(why) => {
                wrong.push(format!("{name}: only this crate rejects it: {why}"))
            }
            Outcome::RejectedByCompiler(why, _) => rejected.push(format!("{name}: {why}")),
            Outcome::BothReject => wrong.push(format!("{name}: both reject it")),
        }
    }
    eprintln!("{same} texts have the same code; GenX_IR rejects {}:", rejected.len());
    eprintln!("{}", rejected.join("\n"));
    let wrong = wrong.join("\n");
    assert!(wrong.is_empty() && same >= 40 || !compiler.is_tested, "{same} texts; {wrong}");
}

/// The number of edits of each kind with each outcome, with examples.
#[derive(Default)]
struct Statistics {
    counts: BTreeMap<(&'static str, &'static str), usize>,
    examples: BTreeMap<(&'static str, &'static str), Vec<String>>,
}

impl Statistics {
    fn add(&mut self, outcome: &'static str, kind: &EditKind, example: Option<String>) {
        *self.counts.entry((outcome, kind.name)).or_default() += 1;
        let examples = self.examples.entry((outcome, kind.name)).or_default();
        examples.extend(example.filter(|_| examples.len() < 2));
    }

    fn report(&self) {
        for (key, count) in &self.counts {
            eprintln!("{count:5} {}: {}", key.0, key.1);
            for example in self.examples.get(key).into_iter().flatten() {
                eprintln!("          {example}");
            }
        }
    }
}

#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14 and the corpus"]
fn compiles_edited_and_printed_text_to_the_same_code() {
    let (compiler, visaasm) = (Compiler::required(), corpus::required_visaasm());
    let seed = seed();
    let count = cases(60);
    // GenX_IR does not accept all texts of its compiler.
    let sources = sources(&visaasm);
    let is_accepted =
        parallel(&sources, |source| compiler.compile(&source.text, source.platform).is_ok());
    let sources: Vec<_> =
        sources.into_iter().zip(is_accepted).filter(|(_, is_accepted)| *is_accepted).collect();
    let mut rng = Rng::new(seed, 3);
    let mut edits: Vec<(&Source, &EditKind, Edit)> = Vec::new();
    while edits.len() < count as usize {
        let (source, _) = &sources[rng.below(sources.len())];
        let kind = &KINDS[edits.len() % KINDS.len()];
        if let Some(edit) = (kind.edit)(&source.text, &mut rng) {
            edits.push((source, kind, edit));
        }
    }
    let outcomes = parallel(&edits, |(source, _, edit)| compare(&compiler, source, &edit.text));
    let (mut statistics, mut wrong) = (Statistics::default(), Vec::new());
    for ((source, kind, edit), outcome) in edits.iter().zip(outcomes) {
        let example = |why: &str| Some(format!("{}: {}: {why}", source.name, edit.what));
        match outcome {
            Outcome::Same => statistics.add("same code", kind, None),
            Outcome::SameButIllegal(why) => {
                statistics.add("same code, but the verifier reports an error", kind, example(&why));
            }
            Outcome::BothReject => statistics.add("both reject it", kind, None),
            Outcome::RejectedByCompiler(_, true) => {
                statistics.add("the compiler and the verifier reject it", kind, None);
            }
            Outcome::RejectedByCompiler(why, false) => {
                statistics.add("only the compiler rejects it", kind, example(&why));
            }
            Outcome::RejectedByCrate(why) => {
                if !REJECTED_BY_CRATE.iter().any(|(message, _)| why.contains(message)) {
                    wrong.extend(example(&format!("only this crate rejects it: {why}")));
                }
                statistics.add("only this crate rejects it", kind, example(&why));
            }
            Outcome::Different => {
                wrong.extend(example("the code differs"));
                statistics.add("the code differs", kind, example(""));
            }
        }
    }
    statistics.report();
    let wrong = wrong.join("\n");
    assert!(wrong.is_empty() || !compiler.is_tested, "seed {seed}:\n{wrong}");
}
