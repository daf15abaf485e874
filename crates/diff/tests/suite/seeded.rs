//! Kernels changed as a whole, with today's compiler as oracle: it makes the same machine code of a
//! text and of what this crate prints for it, and texts with different code are different.

pub mod edits;

use std::collections::BTreeMap;
use std::fs;

use edits::SMALL;
use genvisa::Platform;
use genvisa::text::{format_of, parse, reformat};
use genvisa_diff::Differ;
use genvisa_test_support::corpus::{texts_under, visaasm};
use genvisa_test_support::declarations::sort_declarations;
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::rng::Rng;
use genvisa_test_support::same_code::{
    Case, Classes, Outcome, PLATFORMS, Statistics, VERSIONS, compare,
};

/// The folders of real texts, and their platforms.
const DEVICES: [(&str, (&str, Platform)); 4] = [
    ("tgllp", ("TGLLP", Platform::Tgllp)),
    ("dg2", ("DG2", Platform::Dg2)),
    ("pvc", ("PVCXT", Platform::PvcXt)),
    ("bmg", ("XE2", Platform::Xe2)),
];

/// The largest source in bytes: a large text takes longer, and says no more.
const MAX_LEN: usize = 14_000;

/// A text that the compiler accepts.
struct Source {
    name: String,
    text: String,
    platform: (&'static str, Platform),
    /// Its machine code.
    code: Vec<u8>,
}

/// Returns small texts, and real texts.
fn sources(compiler: &Compiler) -> Vec<Source> {
    let mut texts = Vec::new();
    for (index, text) in SMALL.iter().enumerate() {
        for platform in PLATFORMS {
            for version in VERSIONS {
                let name = format!("small text {index}, {version}, {}", platform.0);
                texts.push((name, format!(".version {version}\n{text}"), platform));
            }
        }
    }
    for (device, platform) in DEVICES {
        let paths = visaasm().map(|folder| texts_under(&folder.join(device)));
        for path in paths.unwrap_or_default() {
            let text = fs::read_to_string(&path).expect("a readable text");
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            texts.push((format!("{device}/{name}"), text, platform));
        }
    }
    texts.retain(|(_, text, _)| text.len() < MAX_LEN);
    // The compiler does not accept all texts that it writes.
    let codes = parallel(&texts, |(_, text, platform)| compiler.compile(text, platform.0).ok());
    let sources = texts.into_iter().zip(codes).filter_map(|((name, text, platform), code)| {
        Some(Source { name, text, platform, code: code? })
    });
    sources.collect()
}

/// Returns whether a changed text with the declarations in the order of the original has its code.
fn has_code_in_order(compiler: &Compiler, source: &Source, case: &Case) -> bool {
    let order = |declaration: &str| source.text.lines().position(|line| line == declaration);
    let sorted = sort_declarations(&case.text, order);
    compiler.compile(&sorted, case.platform.0).as_ref() == Ok(&source.code)
}

/// Returns whether the comparison finds no difference between two texts.
fn is_equal(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(|text| parse(text, format_of(text)).expect("accepted text"));
    Differ::new().modules(&a, &b).is_empty()
}

/// Kernels that only the compiler or only this crate rejects, and the reasons.
const CLASSES: Classes = Classes {
    compiler_rejects: &[
        ("signal: 11", "the compiler crashes"),
        ("signal: 6", "the compiler crashes"),
        ("still running", "the compiler hangs"),
        ("no message", "the compiler ends without a message"),
        ("Spill memory used", "the compiler has too few registers"),
    ],
    crate_rejects: &[("is already defined", "a label has one place, and one kind")],
};

#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14"]
fn changed_kernels_have_the_code_of_what_is_printed() {
    let compiler = Compiler::required();
    let sources = sources(&compiler);
    eprintln!("{} sources", sources.len());
    // The small texts are a third of the cases.
    let is_small = |source: &&Source| source.name.starts_with("small");
    let (small, real): (Vec<&Source>, Vec<&Source>) = sources.iter().partition(is_small);
    let mut rng = Rng::new(seed(), 11);
    let mut changed = Vec::new();
    while changed.len() < cases(60) as usize {
        let from = if rng.one_in(3) || real.is_empty() { &small } else { &real };
        let source = rng.pick(from);
        if let Some(edit) = edits::edit(&source.text, &mut rng) {
            let what = format!("{}: {}", source.name, edit.what);
            changed.push((source, Case { what, text: edit.text, platform: source.platform }));
        }
    }
    let outcomes = parallel(&changed, |(_, case)| compare(&compiler, case));
    let mut statistics = Statistics::default();
    let mut comparisons: BTreeMap<&str, usize> = BTreeMap::new();
    for ((source, case), outcome) in changed.iter().zip(&outcomes) {
        statistics.add(case, outcome, &CLASSES);
        let Outcome::Same(code) = outcome else { continue };
        let formatted = reformat(&case.text).expect("it was printed");
        if !is_equal(&case.text, &formatted) {
            statistics.wrong.push(format!("diff of the text and its fmt: {}", case.what));
        }
        let result = match (is_equal(&source.text, &case.text), *code == source.code) {
            (true, true) => "equal, same code",
            (false, true) => "different, same code",
            (false, false) => "different, other code",
            // The compiler assigns registers in the order of declarations.
            (true, false) if has_code_in_order(&compiler, source, case) => {
                "equal except for the order of declarations, other code"
            }
            (true, false) => {
                statistics.wrong.push(format!("equal in spite of other code: {}", case.what));
                "equal, other code"
            }
        };
        *comparisons.entry(result).or_default() += 1;
    }
    for (result, count) in comparisons {
        eprintln!("{count:6} original and changed text: {result}");
    }
    statistics.check(&compiler);
}
