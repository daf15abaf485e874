//! Today's compiler as oracle: its GenX_IR makes the same machine code of a text and of what this crate
//! makes of that text, by way of bytes. The texts are those that the compiler emits, with edits.
//!
//! `.ci/run` sets the compiler up; see the environment variables in `main.rs`.

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

use self::edits::{Edit, KINDS, Kind, STRICTER};
use super::differential::{number_from, rng::Dice};
use super::genx_ir::wait;
use crate::assembly::texts_under;
use crate::corpus;

/// The IGC whose verdicts are tested. What another one says is reported.
const IGC: &str = "2.40.14";

/// Far more than a run takes; some instructions make the tool allocate without end.
const MEMORY_LIMIT_KIB: u32 = 4 << 20;

/// The folders of texts, with the platform's name for the tool and for the verifier.
const DEVICES: [(&str, &str, Platform); 4] = [
    ("tgllp", "TGLLP", Platform::Tgllp),
    ("dg2", "DG2", Platform::Dg2),
    ("pvc", "PVCXT", Platform::PvcXt),
    ("bmg", "XE2", Platform::Xe2),
];

/// The compiler's program.
struct Compiler {
    program: PathBuf,
    /// Whether disagreements fail a test.
    is_tested: bool,
}

impl Compiler {
    /// Returns the compiler, or reports why there is none.
    fn find() -> Option<Compiler> {
        let Some(program) = env::var_os("GENVISA_GENX_IR_TODAY").map(PathBuf::from) else {
            eprintln!("skipped: GENVISA_GENX_IR_TODAY is not set");
            return None;
        };
        assert!(program.is_file(), "GENVISA_GENX_IR_TODAY is no program: {}", program.display());
        let version = fs::read_to_string(program.with_file_name("version")).unwrap_or_default();
        let is_tested = version.starts_with(IGC);
        if !is_tested {
            eprintln!("IGC {} is not {IGC}: disagreements are only reported", version.trim());
        }
        Some(Compiler { program, is_tested })
    }

    /// Returns the machine code of a text, or why there is none.
    fn compile(&self, text: &str, platform: &str) -> Result<Vec<u8>, String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let run = || -> io::Result<String> {
            fs::write(folder.path().join("t.visaasm"), text)?;
            let log = File::create(folder.path().join("log"))?;
            let limited = format!("ulimit -v {MEMORY_LIMIT_KIB} && exec \"$0\" \"$@\"");
            let mut child = Command::new("sh")
                .args(["-c", &limited])
                .arg(&self.program)
                .args(["t.visaasm", "-platform", platform, "-binary"])
                .current_dir(folder.path())
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
        let status = run().expect("running GenX_IR");
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
                // The first lines are the command's.
                let words = log.lines().filter(|line| !line.contains("-platform"));
                let words =
                    words.chain(errors.lines()).map(str::trim).filter(|line| !line.is_empty());
                Err(format!("{status}: {}", words.take(4).collect::<Vec<_>>().join(" | ")))
            }
        }
    }
}

/// Assembles a text, disassembles the bytes, and returns the new text and the module.
fn reassemble(text: &str) -> Result<(String, Module<'static>), String> {
    let module =
        parse(text, Format::igc2026(Version::V4_1)).map_err(|wrong| wrong[0].to_string())?;
    let file = module.to_bytes().map_err(|error| error.to_string())?;
    let read = Module::from_bytes(&file, Dialect::Igc2026).expect("a module just written");
    let mut again = String::new();
    let listing = Listing::new(read.routines().next().expect("a kernel"));
    listing.with_style(Style::Faithful).write_to(&mut again).expect("legal code");
    // There are no bytes of version 4.2.
    let again = again.strip_prefix(".version 4.1").expect("the version of the bytes");
    Ok((format!(".version 4.2{again}"), module))
}

/// A text with its device.
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

/// What the compiler and this crate make of a text.
enum Outcome {
    Same,
    Different,
    /// The compiler takes it, this crate does not.
    Stricter(String),
    /// This crate takes it, the compiler does not. Whether the verifier reports an error.
    Laxer(String, bool),
    BothRefuse,
    /// The same code, but the verifier reports an error.
    SameButIllegal(String),
}

fn compare(compiler: &Compiler, source: &Source, text: &str) -> Outcome {
    let theirs = compiler.compile(text, source.platform);
    let (again, module) = match (reassemble(text), &theirs) {
        (Ok(ours), _) => ours,
        (Err(why), Ok(_)) => return Outcome::Stricter(why),
        (Err(_), Err(_)) => return Outcome::BothRefuse,
    };
    let findings = Verifier::new().with_platform(source.verified_on).check_module(&module);
    let error = findings.iter().find(|finding| finding.severity == Severity::Error);
    match theirs {
        Err(why) => Outcome::Laxer(why, error.is_some()),
        Ok(theirs) => match compiler.compile(&again, source.platform) {
            Ok(ours) if ours == theirs => match error {
                Some(error) => Outcome::SameButIllegal(error.to_string()),
                None => Outcome::Same,
            },
            _ => Outcome::Different,
        },
    }
}

/// Runs jobs on all processors, and returns the results in their order.
fn parallel<J: Sync, R: Send>(jobs: &[J], run: impl Fn(&J) -> R + Sync) -> Vec<R> {
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
fn the_compiler_makes_the_same_code_of_its_texts_and_of_ours() {
    let (Some(compiler), Some(visaasm)) = (Compiler::find(), corpus::visaasm()) else { return };
    let sources = sources(&visaasm);
    let outcomes = parallel(&sources, |source| compare(&compiler, source, &source.text));
    let (mut same, mut refused, mut wrong) = (0, Vec::new(), Vec::new());
    for (source, outcome) in sources.iter().zip(outcomes) {
        let name = &source.name;
        match outcome {
            Outcome::Same => same += 1,
            Outcome::SameButIllegal(why) => wrong.push(format!("{name}: the verifier: {why}")),
            Outcome::Different => wrong.push(format!("{name}: the code differs")),
            Outcome::Stricter(why) => wrong.push(format!("{name}: this crate refuses it: {why}")),
            Outcome::Laxer(why, _) => refused.push(format!("{name}: {why}")),
            Outcome::BothRefuse => wrong.push(format!("{name}: both refuse it")),
        }
    }
    eprintln!("{same} texts make the same code; GenX_IR refuses {}:", refused.len());
    eprintln!("{}", refused.join("\n"));
    let wrong = wrong.join("\n");
    assert!(wrong.is_empty() && same >= 40 || !compiler.is_tested, "{same} texts; {wrong}");
}

/// How many edits of each kind had an outcome, with examples.
#[derive(Default)]
struct Figures {
    counts: BTreeMap<(&'static str, &'static str), usize>,
    examples: BTreeMap<(&'static str, &'static str), Vec<String>>,
}

impl Figures {
    fn add(&mut self, outcome: &'static str, kind: &Kind, example: Option<String>) {
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
fn the_compiler_makes_the_same_code_of_edited_texts_and_of_ours() {
    let (Some(compiler), Some(visaasm)) = (Compiler::find(), corpus::visaasm()) else { return };
    let seed = number_from("GENVISA_PROPERTY_SEED", 0x5eed);
    let count = 60 * number_from("GENVISA_PROPERTY_CASES", 100) / 100;
    // GenX_IR does not read everything that its compiler prints.
    let sources = sources(&visaasm);
    let read = parallel(&sources, |source| compiler.compile(&source.text, source.platform).is_ok());
    let sources: Vec<_> = sources.into_iter().zip(read).filter(|(_, read)| *read).collect();
    let mut dice = Dice::new(seed, 3);
    let mut edits: Vec<(&Source, &Kind, Edit)> = Vec::new();
    while edits.len() < count as usize {
        let (source, _) = &sources[dice.below(sources.len())];
        // Each kind as often as the others.
        let kind = &KINDS[edits.len() % KINDS.len()];
        if let Some(edit) = (kind.edit)(&source.text, &mut dice) {
            edits.push((source, kind, edit));
        }
    }
    let outcomes = parallel(&edits, |(source, _, edit)| compare(&compiler, source, &edit.text));
    let (mut figures, mut wrong) = (Figures::default(), Vec::new());
    for ((source, kind, edit), outcome) in edits.iter().zip(outcomes) {
        let example = |why: &str| Some(format!("{}: {}: {why}", source.name, edit.what));
        match outcome {
            Outcome::Same => figures.add("the same code", kind, None),
            Outcome::SameButIllegal(why) => {
                figures.add("the same code, but the verifier objects", kind, example(&why));
            }
            Outcome::BothRefuse => figures.add("both refuse it", kind, None),
            Outcome::Laxer(_, true) => {
                figures.add("the compiler refuses it, and so does the verifier", kind, None);
            }
            Outcome::Laxer(why, false) => {
                figures.add("only the compiler refuses it", kind, example(&why));
            }
            Outcome::Stricter(why) => {
                if !STRICTER.iter().any(|(words, _)| why.contains(words)) {
                    wrong
                        .extend(example(&format!("the compiler takes it, this crate says: {why}")));
                }
                figures.add("only this crate refuses it", kind, example(&why));
            }
            Outcome::Different => {
                wrong.extend(example("the code differs"));
                figures.add("the code differs", kind, example(""));
            }
        }
    }
    figures.report();
    let wrong = wrong.join("\n");
    assert!(wrong.is_empty() || !compiler.is_tested, "seed {seed}:\n{wrong}");
}
