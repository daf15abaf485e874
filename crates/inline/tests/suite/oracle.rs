//! Tests that today's compiler repeats its verdicts on the templates of
//! `tests/data/inline-cases.txt`, and that the files that it writes for a statement in OpenCL C have
//! the same findings.

use std::fs;
use std::path::{Path, PathBuf};

use genvisa::verify::Platform;
use genvisa_inline::source::{self, Content, Language};
use genvisa_inline::{Checker, Finding, Form, Lanes};
use genvisa_test_support::ocloc::Ocloc;
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::number_from;
use genvisa_test_support::rng::Rng;

use crate::catalogue::{Case, cases};

fn sample(count: u64, stream: u64) -> Vec<Case> {
    let seed = number_from("GENVISA_PROPERTY_SEED", 0x5eed);
    let count = count * number_from("GENVISA_PROPERTY_CASES", 100) / 100;
    let mut cases = cases();
    Rng::new(seed, stream).shuffle(&mut cases);
    cases.truncate(count as usize);
    cases
}

#[test]
fn the_compiler_repeats_its_verdicts_on_templates() {
    let Some(compiler) = Ocloc::find() else { return };
    let cases = sample(24, 5);
    let verdicts = parallel(&cases, |case| compiler.compile(&case.kernel(), "bmg"));
    let differing = cases
        .iter()
        .zip(verdicts)
        .filter(|(case, new)| new.name() != case.verdict.split(':').next().unwrap_or_default());
    let differing: Vec<String> = differing
        .map(|(case, new)| format!("{}: {}, now {new}", case.name, case.verdict))
        .collect();
    eprintln!("{} templates\n{}", cases.len(), differing.join("\n"));
    assert!(differing.is_empty() || !compiler.is_tested, "{}", differing.join("\n"));
}

/// Returns the findings in the only block of a file, in words that do not depend on the form.
fn findings(file: &[u8], language: Language) -> Result<Vec<String>, String> {
    let found = source::find(file, language);
    let blocks: Vec<_> = found.blocks.iter().collect();
    let [block] = blocks[..] else { return Err(format!("{} blocks", blocks.len())) };
    let Content::Visa(statement) = &block.content else {
        return Err(format!("{:?}", block.content));
    };
    let checker = Checker::new().with_platform(Platform::Xe2);
    let checker = match (block.lanes, language) {
        (Some(lanes), _) => checker.with_lanes(lanes),
        // The attribute is not in the file of every case.
        (None, Language::C) => return Err("no lanes".into()),
        (None, _) => checker.with_lanes(Lanes::L16),
    };
    let line = |finding: &Finding| {
        let text = format!("{}[{}] {}", finding.severity, finding.rule, finding.message);
        match statement.form {
            Form::Llvm => text.replace("${:uid}", "%=").replace('$', "%"),
            _ => text.replace("%%", "%"),
        }
    };
    Ok(checker.check(statement).findings.iter().map(line).collect())
}

fn file_with_end(folder: &Path, end: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    entries.into_iter().find(|path| path.to_string_lossy().ends_with(end))
}

#[test]
fn files_of_the_compiler_have_the_same_findings() {
    let Some(compiler) = Ocloc::find() else { return };
    let cases = sample(16, 6);
    let results = parallel(&cases, |case| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let source = case.kernel();
        compiler.compile_in(folder.path(), &source, "bmg");
        let expected = findings(source.as_bytes(), Language::C);
        let mut files = Vec::new();
        for (end, language) in
            [(".spv", Language::Spirv), ("_beforeUnification.ll", Language::Llvm)]
        {
            // The front end may have refused the program.
            let Some(path) = file_with_end(folder.path(), end) else { continue };
            let file = fs::read(path).expect("a readable file");
            files.push((language, findings(&file, language)));
        }
        (expected, files)
    });
    let mut compared = 0;
    for (case, (expected, files)) in cases.iter().zip(results) {
        for (language, found) in files {
            compared += 1;
            assert_eq!(found, expected, "{} as {language:?}", case.name);
        }
    }
    eprintln!("{compared} files");
    assert!(compared > 0);
}
