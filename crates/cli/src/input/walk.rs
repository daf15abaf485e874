//! The files of the command line, with those in folders.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::output::Output;
use crate::words::{is_standard, shown};

/// The files of folders that a command reads.
pub struct Wanted {
    pub is_wanted: fn(&Path) -> bool,
    /// What the files are, for the error of a folder without them; `None` if that is no error.
    pub what: Option<&'static str>,
}

/// `.isa` files and texts.
pub const VISA: Wanted = Wanted { is_wanted: is_visa, what: Some(".isa or .visaasm files") };

/// Texts.
pub const TEXTS: Wanted = Wanted { is_wanted: is_text, what: Some(".visaasm files") };

/// `.isa` files.
pub const OBJECTS: Wanted = Wanted { is_wanted: is_object, what: Some(".isa files") };

/// Returns whether a file has the suffix of `.isa` files or texts.
pub fn is_visa(path: &Path) -> bool {
    is_object(path) || is_text(path)
}

fn is_text(path: &Path) -> bool {
    matches!(suffix(path), Some("visaasm" | "isaasm"))
}

fn is_object(path: &Path) -> bool {
    suffix(path) == Some("isa")
}

fn suffix(path: &Path) -> Option<&str> {
    path.extension().and_then(OsStr::to_str)
}

/// Returns whether a path is a folder, and not standard input.
pub fn is_folder(path: &Path) -> bool {
    !is_standard(path) && path.is_dir()
}

/// A file of the command line or of a folder.
pub struct File {
    pub path: PathBuf,
    /// Whether it is in a folder of the command line.
    pub is_in_folder: bool,
}

impl File {
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The files of the command line.
pub struct Files {
    pub files: Vec<File>,
    /// Whether a folder cannot be read, or contains no file that the command reads.
    pub has_error: bool,
    /// The folders that contain other files.
    pub skipped: Vec<Skipped>,
}

/// The files of a folder that the command does not read.
pub struct Skipped {
    pub folder: PathBuf,
    /// The number of files of each suffix; the suffix of files without one is empty.
    pub suffixes: Suffixes,
}

/// Numbers of files by suffix.
pub type Suffixes = BTreeMap<String, usize>;

/// Returns the files of the command line. Folders are replaced by the files that are wanted in them
/// and their subfolders. Reports errors.
pub fn expand(paths: &[PathBuf], wanted: &Wanted, out: &mut Output) -> anyhow::Result<Files> {
    let mut all = Files { files: Vec::new(), has_error: false, skipped: Vec::new() };
    for path in paths {
        if !is_folder(path) {
            all.files.push(File { path: path.clone(), is_in_folder: false });
            continue;
        }
        let mut found = Vec::new();
        let mut suffixes = Suffixes::new();
        let mut visit = |path: PathBuf| match (wanted.is_wanted)(&path) {
            true => found.push(path),
            false => *suffixes.entry(suffix(&path).unwrap_or_default().into()).or_default() += 1,
        };
        let error = match (visit_folder(path, &mut visit), wanted.what) {
            (Err(error), _) => Some(format!("{error:#}")),
            (Ok(()), Some(what)) if found.is_empty() => {
                Some(format!("`{}` contains no {what}", shown(path)))
            }
            (Ok(()), _) => None,
        };
        if let Some(error) = error {
            all.has_error = true;
            out.report_error(error)?;
        }
        if !suffixes.is_empty() {
            all.skipped.push(Skipped { folder: path.clone(), suffixes });
        }
        all.files.extend(found.into_iter().map(|path| File { path, is_in_folder: true }));
    }
    Ok(all)
}

/// Adds the files in a folder and its subfolders that a function accepts, in the order of their
/// names. Hidden files and folders, and links to folders, are skipped.
pub fn add_folder(
    folder: &Path,
    is_wanted: fn(&Path) -> bool,
    found: &mut Vec<PathBuf>,
) -> anyhow::Result<()> {
    visit_folder(folder, &mut |path| {
        if is_wanted(&path) {
            found.push(path);
        }
    })
}

/// Visits the files in a folder and its subfolders in the order of their names. Hidden files and
/// folders, and links to folders, are skipped.
fn visit_folder(folder: &Path, visit: &mut impl FnMut(PathBuf)) -> anyhow::Result<()> {
    let context = || format!("cannot read `{}`", shown(folder));
    let mut entries: Vec<fs::DirEntry> =
        fs::read_dir(folder).and_then(Iterator::collect).with_context(context)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let path = entry.path();
        if entry.file_type().with_context(context)?.is_dir() {
            visit_folder(&path, visit)?;
        } else if path.is_file() {
            visit(path);
        }
    }
    Ok(())
}
