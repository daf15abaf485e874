//! Shipped kernels: the verifier reports no errors.

use std::collections::BTreeMap;
use std::fs;

use genvisa::verify::{Platform, Severity, Verifier};
use genvisa::{Dialect, Format, Module, Version};

#[test]
fn files_of_the_corpus_have_no_errors_on_skylake() {
    let verifier = Verifier::new().with_platform(Platform::Skl);
    let mut warnings: BTreeMap<&str, usize> = BTreeMap::new();
    let mut errors = Vec::new();
    for path in crate::corpus::files() {
        let file = fs::read(&path).expect("a readable file");
        let module = Module::from_bytes(&file, Dialect::Igc2022).expect("a valid file");
        for finding in verifier.check_module(&module) {
            match finding.severity {
                Severity::Error => errors.push(format!("{}: {finding}", path.display())),
                Severity::Warning => *warnings.entry(finding.rule.name).or_default() += 1,
            }
        }
    }
    eprintln!("warnings by rule: {warnings:?}");
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

/// Texts of the current compiler, on the devices that they were compiled for.
#[test]
fn texts_of_the_current_compiler_have_no_errors_on_their_devices() {
    let Some(folder) = crate::corpus::visaasm() else { return };
    let mut warnings: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut texts, mut errors) = (0, Vec::new());
    for (device, platform) in
        [("tgllp", Platform::Tgllp), ("dg2", Platform::Dg2), ("bmg", Platform::Xe2)]
    {
        for path in crate::assembly::texts_under(&folder.join(device)) {
            let text = fs::read(&path).expect("a readable text");
            let format = Format::igc2026(Version::V4_1);
            let module = genvisa::text::parse(&text, format).expect("a valid text");
            texts += 1;
            for finding in Verifier::new().with_platform(platform).check_module(&module) {
                match finding.severity {
                    Severity::Error => errors.push(format!("{}: {finding}", path.display())),
                    Severity::Warning => *warnings.entry(finding.rule.name).or_default() += 1,
                }
            }
        }
    }
    eprintln!("{texts} texts; warnings by rule: {warnings:?}");
    assert!(texts > 0 && errors.is_empty(), "{}", errors.join("\n"));
}
