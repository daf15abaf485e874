//! Matching of dumps whose file names differ: the names contain a hash, which changes with every build.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use crate::input::open;
use crate::modules::load::load;
use crate::options::DialectArg;
use crate::output::{Output, Settings};

/// A file without a counterpart of its name.
pub struct Dump {
    /// The path in its folder.
    pub path: PathBuf,
    /// The path in which each hash is an asterisk.
    name: PathBuf,
    /// The names of its routines; empty if it cannot be read.
    routines: Vec<String>,
}

/// The shortest hash: a word of hexadecimal digits.
const MIN_HASH: usize = 8;

impl Dump {
    pub fn new(folder: &Path, path: PathBuf, dialect: &DialectArg, settings: Settings) -> Dump {
        let routines = routines(&folder.join(&path), dialect, settings).unwrap_or_default();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        Dump { name: path.with_file_name(without_hashes(&stem)), path, routines }
    }
}

/// Returns pairs of files with the same routines: first those whose names differ in a hash, then
/// others of the same folder, in the order of their names. Removes them from the lists.
pub fn pairs(a: &mut Vec<Dump>, b: &mut Vec<Dump>) -> Vec<(PathBuf, PathBuf)> {
    let mut pairs = pairs_by(a, b, |dump| dump.name.clone());
    pairs.extend(pairs_by(a, b, |dump| dump.path.parent().map(PathBuf::from).unwrap_or_default()));
    pairs
}

fn pairs_by(
    a: &mut Vec<Dump>,
    b: &mut Vec<Dump>,
    name: impl Fn(&Dump) -> PathBuf,
) -> Vec<(PathBuf, PathBuf)> {
    let key = |dump: &Dump| (name(dump), dump.routines.clone());
    let mut others: BTreeMap<_, VecDeque<PathBuf>> = BTreeMap::new();
    for dump in b.iter().filter(|dump| !dump.routines.is_empty()) {
        others.entry(key(dump)).or_default().push_back(dump.path.clone());
    }
    let mut pairs = Vec::new();
    a.retain(|dump| match others.get_mut(&key(dump)).and_then(VecDeque::pop_front) {
        Some(other) => {
            pairs.push((dump.path.clone(), other));
            false
        }
        None => true,
    });
    let paired: BTreeSet<&PathBuf> = pairs.iter().map(|(_, other)| other).collect();
    b.retain(|dump| !paired.contains(&dump.path));
    pairs
}

/// Returns the names of the routines of a file, if it can be read.
fn routines(path: &Path, dialect: &DialectArg, settings: Settings) -> Option<Vec<String>> {
    // The command reports errors when it compares the file.
    let mut out = Output::recording(settings);
    let opened = open(path, None, dialect).ok()?;
    let mut names = Vec::new();
    for input in &opened {
        let loaded = load(input, dialect, &mut out).ok()??;
        names.extend(loaded.module.routines().map(|routine| routine.name.to_string_lossy()));
    }
    Some(names)
}

/// Replaces the hashes in a name by asterisks.
fn without_hashes(name: &str) -> String {
    let mut result = String::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let len = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        let is_hash = len >= MIN_HASH && rest[..len].bytes().any(|byte| byte.is_ascii_digit());
        let end = if is_hash { len } else { len.max(first.len_utf8()) };
        result += if is_hash { "*" } else { &rest[..end] };
        rest = &rest[end..];
    }
    result
}

#[cfg(test)]
mod tests {
    use super::without_hashes;

    #[test]
    fn hashes_are_replaced() {
        let dump = |hash: &str| without_hashes(&format!("OCL_asm{hash}_simd16_entry_0001"));
        assert_eq!(dump("a83385b65f6446f0"), "OCL_asm*_simd16_entry_0001");
        assert_eq!(dump("a83385b65f6446f0"), dump("04a28978fafc908b"));
        assert_eq!(without_hashes("decade_added_é0123"), "decade_added_é0123");
    }
}
