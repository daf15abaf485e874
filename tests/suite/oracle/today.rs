//! Tests with the current compiler as oracle: its GenX_IR compiles a text and the text that this
//! crate prints after parsing it to the same machine code. The texts are output of the compiler,
//! with edits.
//!
//! `.ci/run` installs the compiler; see the environment variables in `main.rs`.

mod edits;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, thread};

use genvisa::text::{Listing, Style, parse};
use genvisa::verify::{Platform, Severity, Verifier};
use genvisa::{Dialect, Format, Module, Version};

use self::edits::{Edit, EditKind, KINDS, REJECTED_BY_CRATE};
use super::differential::{number_from, rng::Rng};
use super::genx_ir::wait;
use crate::assembly::texts_under;
use crate::corpus;

/// The version of IGC that the tests require. With another one, disagreements are only reported.
const IGC: &str = "2.40.14";

/// Far more than a run needs. For some instructions, the tool allocates without limit.
const MEMORY_LIMIT_KIB: u32 = 4 << 20;

/// The folders of texts, with the platform for the tool and for the verifier.
const DEVICES: [(&str, &str, Platform); 4] = [
    ("tgllp", "TGLLP", Platform::Tgllp),
    ("dg2", "DG2", Platform::Dg2),
    ("pvc", "PVCXT", Platform::PvcXt),
    ("bmg", "XE2", Platform::Xe2),
];

/// Returns whether the version of a program of the compiler, in a file next to it, is the one that
/// the tests require. If not, disagreements do not fail a test.
pub fn is_tested_version(program: &Path) -> bool {
    let version = fs::read_to_string(program.with_file_name("version")).unwrap_or_default();
    let is_tested = version.starts_with(IGC);
    if !is_tested {
        eprintln!("IGC {} is not {IGC}: disagreements are only reported", version.trim());
    }
    is_tested
}

/// An installed compiler.
pub struct Compiler {
    program: PathBuf,
    /// Whether disagreements fail a test.
    pub is_tested: bool,
}

impl Compiler {
    /// Returns the compiler, or prints the reason why there is none.
    pub fn find() -> Option<Compiler> {
        let Some(program) = env::var_os("GENVISA_GENX_IR_TODAY").map(PathBuf::from) else {
            eprintln!("skipped: GENVISA_GENX_IR_TODAY is not set");
            return None;
        };
        assert!(program.is_file(), "GENVISA_GENX_IR_TODAY is not a program: {}", program.display());
        let is_tested = is_tested_version(&program);
        Some(Compiler { program, is_tested })
    }

    /// Compiles a text, `t.visaasm` in a folder. Returns the exit status, or why there is none.
    pub fn run(&self, folder: &Path, text: &str, args: &[&str]) -> String {
        let run = || -> io::Result<String> {
            fs::write(folder.join("t.visaasm"), text)?;
            let log = File::create(folder.join("log"))?;
            let limited = format!("ulimit -v {MEMORY_LIMIT_KIB} && exec \"$0\" \"$@\"");
            let mut child = Command::new("sh")
                .args(["-c", &limited])
                .arg(&self.program)
                .arg("t.visaasm")
                .args(args)
                .current_dir(folder)
                .stdin(Stdio::null())
                .stdout(log.try_clone()?)
                .stderr(log)
                .spawn()?;
            if let Some(status) = wait(&mut child)? {
                return Ok(status.to_string());
            }
            child.kill()?;
            child.wait()?;
            Ok("still running".into())
        };
        run().expect("running GenX_IR")
    }

    /// Returns the machine code of a text, or the errors of the compiler.
    pub fn compile(&self, text: &str, platform: &str) -> Result<Vec<u8>, String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let status = self.run(folder.path(), text, &["-platform", platform, "-binary"]);
        let mut errors = String::new();
        for entry in fs::read_dir(folder.path()).expect("its folder").flatten() {
            if entry.file_name().to_string_lossy().ends_with("errors.txt") {
                errors += &fs::read_to_string(entry.path()).unwrap_or_default();
            }
        }
        match fs::read(folder.path().join("t.dat")) {
            Ok(code) if errors.is_empty() && status == "exit status: 0" => Ok(code),
            _ => {
                let log = fs::read(folder.path().join("log")).unwrap_or_default();
                let log = String::from_utf8_lossy(&log).into_owned();
                // The first lines contain the command.
                let messages = log.lines().filter(|line| !line.contains("-platform"));
                let messages =
                    messages.chain(errors.lines()).map(str::trim).filter(|line| !line.is_empty());
                Err(format!("{status}: {}", messages.take(4).collect::<Vec<_>>().join(" | ")))
            }
        }
    }
}

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
    listing.with_style(Style::Faithful).to_text().expect("legal code")
}

/// A text and its platform.
struct Source {
    name: String,
    text: String,
    platform: &'static str,
    verified_on: Platform,
}

fn sources(visaasm: &Path) -> Vec<Source> {
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

/// Runs jobs on all processors, and returns the results in their order.
pub fn parallel<J: Sync, R: Send>(jobs: &[J], run: impl Fn(&J) -> R + Sync) -> Vec<R> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || {
        while let Some((index, job)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            jobs.get(index).map(|job| (index, job))
        } {
            let result = run(job);
            results.lock().expect("no panic").insert(index, result);
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(8);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    results.into_inner().expect("no panic").into_values().collect()
}

#[test]
fn compiles_printed_text_to_the_same_code() {
    let (Some(compiler), Some(visaasm)) = (Compiler::find(), corpus::visaasm()) else { return };
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
fn compiles_edited_and_printed_text_to_the_same_code() {
    let (Some(compiler), Some(visaasm)) = (Compiler::find(), corpus::visaasm()) else { return };
    let seed = number_from("GENVISA_PROPERTY_SEED", 0x5eed);
    let count = 60 * number_from("GENVISA_PROPERTY_CASES", 100) / 100;
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
