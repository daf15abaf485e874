//! Real files: the verifier has nothing against them.

use std::collections::BTreeMap;
use std::fs;

use genvisa::verify::{Platform, Severity, Verifier};
use genvisa::{Dialect, Module};

#[test]
fn no_file_of_the_corpus_has_an_error_on_skylake() {
    let verifier = Verifier::new().with_platform(Platform::Skl);
    let mut warnings: BTreeMap<&str, usize> = BTreeMap::new();
    let mut errors = Vec::new();
    for path in crate::corpus::files() {
        let file = fs::read(&path).expect("a readable file");
        let module = Module::parse(&file, Dialect::Igc2022).expect("a legal file");
        for finding in verifier.module(&module) {
            match finding.severity {
                Severity::Error => errors.push(format!("{}: {finding}", path.display())),
                Severity::Warning => *warnings.entry(finding.rule.name).or_default() += 1,
            }
        }
    }
    eprintln!("warnings by rule: {warnings:?}");
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}
