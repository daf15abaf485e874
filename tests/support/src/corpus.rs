//! Real files, and the texts that they are compared with. The crate documentation describes the environment
//! variables that name them.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder of the corpus, if there is one.
pub fn folder() -> Option<PathBuf> {
    std::env::var_os("GENVISA_CORPUS").map(|_| required())
}

/// Returns the folder of the corpus.
///
/// # Panics
/// `GENVISA_CORPUS` is no folder.
pub fn required() -> PathBuf {
    let folder = PathBuf::from(std::env::var_os("GENVISA_CORPUS").expect("GENVISA_CORPUS"));
    assert!(folder.is_dir(), "GENVISA_CORPUS is not a folder: {}", folder.display());
    folder
}

/// Returns the folder of texts of IGC 2.40.14, which is next to the corpus, if there is one.
pub fn visaasm() -> Option<PathBuf> {
    folder().map(|_| required_visaasm())
}

/// Returns the folder of texts of IGC 2.40.14, which is next to the corpus.
///
/// # Panics
/// It is missing.
pub fn required_visaasm() -> PathBuf {
    let visaasm = required().with_file_name("visaasm");
    assert!(visaasm.is_dir(), "there is no folder visaasm next to GENVISA_CORPUS");
    visaasm
}

/// Returns a text in `tests/data`, and two of today's texts.
pub fn some_texts() -> Vec<PathBuf> {
    let mut texts = vec![crate::repository("tests/data/collatz.visaasm")];
    if let Some(visaasm) = visaasm() {
        texts.extend(
            ["dg2/control-branches.visaasm", "pvc/modern-misc2-3.visaasm"]
                .map(|text| visaasm.join(text)),
        );
    }
    texts
}

/// Returns the `.isa` files of the corpus; none if it is missing.
pub fn files() -> Vec<PathBuf> {
    folder().map_or(Vec::new(), |_| required_files())
}

/// Returns the `.isa` files of the corpus.
///
/// # Panics
/// It is missing.
pub fn required_files() -> Vec<PathBuf> {
    let entries = fs::read_dir(required()).expect("GENVISA_CORPUS is a folder");
    let mut files: Vec<PathBuf> = (entries.flatten().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "isa"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "GENVISA_CORPUS contains no .isa file");
    files
}

/// Returns the texts in `tests/data`, the texts of the corpus, and today's texts for some devices.
pub fn texts(devices: &[&str]) -> Vec<PathBuf> {
    let mut found = texts_under(&crate::repository("tests/data"));
    if let Some(corpus) = folder() {
        found.extend(texts_under(&corpus));
    }
    if let Some(visaasm) = visaasm() {
        found.extend(devices.iter().flat_map(|device| texts_under(&visaasm.join(device))));
    }
    found
}

/// Returns the `.visaasm` files under a folder.
pub fn texts_under(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            found.extend(texts_under(&path));
        } else if path.extension().is_some_and(|extension| extension == "visaasm") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Returns the first difference between two texts, with both lines.
pub fn first_difference(found: &str, expected: &str) -> Option<String> {
    let (mut ours, mut theirs) = (found.split('\n'), expected.split('\n'));
    (1..).find_map(|number| match (ours.next(), theirs.next()) {
        (None, None) => Some(None),
        (ours, theirs) if ours == theirs => None,
        (ours, theirs) => {
            Some(Some(format!("line {number}\n   found: {ours:?}\nexpected: {theirs:?}")))
        }
    })?
}
