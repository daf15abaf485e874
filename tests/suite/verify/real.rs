//! Shipped kernels: the verifier reports nothing.

use std::fs;

use genvisa::Platform;
use genvisa::verify::Verifier;
use genvisa::{Dialect, Format, Module, Version};

#[test]
#[ignore = "needs the corpus"]
fn files_of_the_corpus_have_no_findings() {
    let verifiers = [Verifier::new(), Verifier::new().with_platform(Platform::Skl)];
    let mut findings = Vec::new();
    for path in genvisa_test_support::corpus::required_files() {
        let file = fs::read(&path).expect("a readable file");
        for dialect in [Dialect::Igc2022, Dialect::Igc2026] {
            let module = Module::from_bytes(&file, dialect).expect("a valid file");
            for verifier in &verifiers {
                let found = verifier.check_module(&module);
                findings.extend(found.iter().map(|f| format!("{}: {f}", path.display())));
            }
        }
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

/// A finding that is right: IGC emits conversions of HF8 for PVC, refuses them in text, and makes
/// conversions of integers of them.
const WRONG_TEXT: (&str, &str) = ("pvc/tf-0.visaasm", "fcvt-hf8-platform");

/// Texts of the current compiler, on the devices that they were compiled for.
#[test]
#[ignore = "needs the corpus"]
fn texts_of_the_current_compiler_have_no_findings() {
    let folder = genvisa_test_support::corpus::required_visaasm();
    let (mut texts, mut findings) = (0, Vec::new());
    for (device, platform) in [
        ("tgllp", Platform::Tgllp),
        ("dg2", Platform::Dg2),
        ("pvc", Platform::PvcXt),
        ("bmg", Platform::Xe2),
        ("ptl", Platform::Xe3),
        ("cri", Platform::Xe3pCri),
        ("nvl-p", Platform::Xe3p),
    ] {
        for path in genvisa_test_support::corpus::texts_under(&folder.join(device)) {
            let text = fs::read(&path).expect("a readable text");
            let stated = genvisa::text::stated_platform(&text);
            assert_eq!(stated.and_then(|stated| stated.platform()), Some(platform), "{path:?}");
            for format in [Format::V4_2, Format::igc2026(Version::V4_1)] {
                // Newer platforms have instructions without a binary form.
                let has_binary_form = matches!(device, "tgllp" | "dg2" | "bmg");
                if format != Format::V4_2 && !has_binary_form {
                    continue;
                }
                let module = genvisa::text::parse(&text, format).expect("a valid text");
                texts += 1;
                let found = Verifier::new().with_platform(platform).check_module(&module);
                let (file, rule) = WRONG_TEXT;
                let found = found.iter().filter(|f| !(path.ends_with(file) && f.rule.name == rule));
                findings.extend(found.map(|f| format!("{}: {f}", path.display())));
            }
        }
    }
    assert!(texts > 0 && findings.is_empty(), "{texts} texts:\n{}", findings.join("\n"));
}
