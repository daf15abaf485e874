//! The files of two folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::bail;

use super::dumps::{self, Dump};
use crate::input::walk::add_folder;
use crate::input::walk::{self, is_folder};
use crate::options::DialectArg;
use crate::output::Output;
use crate::words::{count, is_standard, shown};

/// A file of one or both folders.
pub enum Entry {
    /// The paths of two files to compare.
    Both(PathBuf, PathBuf),
    /// Whether folder A has the file, the folder, and the path in it.
    Only(bool, PathBuf, PathBuf),
}

impl Entry {
    /// Returns the path that the progress shows.
    pub fn path(&self) -> &Path {
        match self {
            Entry::Both(path, _) | Entry::Only(_, _, path) => path,
        }
    }
}

/// Returns whether both paths are folders. Fails if only one is.
pub fn are_folders(a: &Path, b: &Path) -> anyhow::Result<bool> {
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

/// Matches the files of two folders by their paths in them, then by these without the suffix, then as
/// dumps, in the order of the paths. Says how dumps were matched.
pub fn pairs(
    a: &Path,
    b: &Path,
    dialect: &DialectArg,
    out: &mut Output,
) -> anyhow::Result<Vec<Entry>> {
    let mut of_a = files_in(a)?;
    let of_b = files_in(b)?;
    if of_a.is_empty() && of_b.is_empty() {
        bail!("`{}` and `{}` contain no .isa or .visaasm files", shown(a), shown(b));
    }
    let mut entries = BTreeMap::new();
    let mut add = |x: &PathBuf, y: &PathBuf| {
        entries.insert(x.clone(), Entry::Both(a.join(x), b.join(y)));
    };
    let mut unmatched: BTreeMap<PathBuf, ()> = of_b.into_iter().map(|path| (path, ())).collect();
    of_a.retain(|path| match unmatched.remove(path) {
        Some(()) => {
            add(path, path);
            false
        }
        None => true,
    });
    // `k.isa` and `k.visaasm` have the same path without the suffix.
    let mut by_stem: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for path in unmatched.into_keys().rev() {
        by_stem.entry(path.with_extension("")).or_default().push(path);
    }
    of_a.retain(|path| match by_stem.get_mut(&path.with_extension("")).and_then(Vec::pop) {
        Some(other) => {
            add(path, &other);
            false
        }
        None => true,
    });
    let mut others: Vec<PathBuf> = by_stem.into_values().flatten().collect();
    if !of_a.is_empty() && !others.is_empty() {
        let settings = out.settings();
        let dump = |folder, path| Dump::new(folder, path, dialect, settings);
        let mut dumps_a = of_a.drain(..).map(|path| dump(a, path)).collect();
        let mut dumps_b = others.drain(..).map(|path| dump(b, path)).collect();
        let pairs = dumps::pairs(&mut dumps_a, &mut dumps_b);
        if !pairs.is_empty() {
            out.warn(format_args!(
                "{} compared with {} of another name, because the routines have the same names",
                count(pairs.len(), "file"),
                if pairs.len() == 1 { "a file" } else { "files" },
            ))?;
        }
        for (x, y) in pairs {
            entries.insert(x.clone(), Entry::Both(a.join(x), b.join(y)));
        }
        of_a.extend(dumps_a.into_iter().map(|dump: Dump| dump.path));
        others.extend(dumps_b.into_iter().map(|dump: Dump| dump.path));
    }
    for path in of_a {
        entries.insert(path.clone(), Entry::Only(true, a.into(), path));
    }
    for path in others {
        entries.insert(path.clone(), Entry::Only(false, b.into(), path));
    }
    Ok(entries.into_values().collect())
}

/// Returns the paths in a folder of the files with known suffixes in it and its subfolders.
fn files_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    add_folder(folder, walk::is_visa, &mut found)?;
    let relative = |path: PathBuf| path.strip_prefix(folder).map(Path::to_path_buf).unwrap_or(path);
    Ok(found.into_iter().map(relative).collect())
}
