//! The files of two folders.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::{is_standard, shown};

/// A file of one or both folders.
pub enum Entry {
    /// The paths of two files to compare.
    Both(PathBuf, PathBuf),
    /// Whether folder A has the file, the folder, and the path in it.
    Only(bool, PathBuf, PathBuf),
}

/// Returns whether both paths are folders. Fails if only one is.
pub fn are_folders(a: &Path, b: &Path) -> anyhow::Result<bool> {
    let is_folder = |path: &Path| !is_standard(path) && path.is_dir();
    match (is_folder(a), is_folder(b)) {
        (true, false) if b.exists() || is_standard(b) => {
            bail!("`{}` is a folder, but `{}` is not", shown(a), shown(b))
        }
        (false, true) if a.exists() || is_standard(a) => {
            bail!("`{}` is a folder, but `{}` is not", shown(b), shown(a))
        }
        (is_a, is_b) => Ok(is_a && is_b),
    }
}

/// Matches the files of two folders by their paths in them, then by these without the suffix, in
/// the order of the paths.
pub fn pairs(a: &Path, b: &Path) -> anyhow::Result<Vec<Entry>> {
    let mut of_a = Vec::new();
    let mut of_b = Vec::new();
    add_folder(a, Path::new(""), &mut of_a)?;
    add_folder(b, Path::new(""), &mut of_b)?;
    if of_a.is_empty() && of_b.is_empty() {
        bail!("`{}` and `{}` contain no .isa or .visaasm files", shown(a), shown(b));
    }
    let mut entries = BTreeMap::new();
    let mut add = |x: &PathBuf, y: &PathBuf| {
        entries.insert(x.clone(), Entry::Both(a.join(x), b.join(y)));
    };
    let mut others: BTreeMap<PathBuf, ()> = of_b.into_iter().map(|path| (path, ())).collect();
    of_a.retain(|path| match others.remove(path) {
        Some(()) => {
            add(path, path);
            false
        }
        None => true,
    });
    // `k.isa` and `k.visaasm` have the same path without the suffix.
    let mut by_stem: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for path in others.into_keys().rev() {
        by_stem.entry(path.with_extension("")).or_default().push(path);
    }
    of_a.retain(|path| match by_stem.get_mut(&path.with_extension("")).and_then(Vec::pop) {
        Some(other) => {
            add(path, &other);
            false
        }
        None => true,
    });
    for path in of_a {
        entries.insert(path.clone(), Entry::Only(true, a.into(), path));
    }
    for path in by_stem.into_values().flatten() {
        entries.insert(path.clone(), Entry::Only(false, b.into(), path));
    }
    Ok(entries.into_values().collect())
}

/// Adds the files with known suffixes in a folder and its subfolders. Hidden ones, and links to
/// folders, are skipped.
fn add_folder(root: &Path, below: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let folder = root.join(below);
    let context = || format!("cannot read `{}`", shown(&folder));
    for entry in fs::read_dir(&folder).with_context(context)? {
        let entry = entry.with_context(context)?;
        let (name, path) = (entry.file_name(), below.join(entry.file_name()));
        if name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if entry.file_type().with_context(context)?.is_dir() {
            add_folder(root, &path, found)?;
        } else if matches!(path.extension().and_then(OsStr::to_str), Some("isa" | "visaasm")) {
            found.push(path);
        }
    }
    Ok(())
}
