//! The files to check.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::bail;
use genvisa_container::FileKind;
use genvisa_inline::source::Language;

use super::SourceLanguage;
use crate::input::kind::WrongKind;
use crate::input::read_kind;
use crate::input::walk::{self, File, Files, Skipped, Wanted};
use crate::output::Output;
use crate::words::shown;

/// A file to check.
pub struct Input {
    pub path: PathBuf,
    /// Whether it is an argument, and not from a folder.
    pub is_argument: bool,
    /// The language that the user states.
    requested: Option<Language>,
}

/// Returns the files of the command line. Folders are replaced by the files with known suffixes in
/// them, and the others are returned as skipped. `requested` is the language that the user states.
/// Reports errors.
pub fn inputs(
    paths: &[PathBuf],
    requested: Option<Language>,
    out: &mut Output,
) -> anyhow::Result<(Vec<Input>, Vec<Skipped>)> {
    let wanted = Wanted {
        is_wanted: |file| of_suffix(file).is_some(),
        what: Some("files with known suffixes"),
    };
    let Files { files, has_error, skipped } = walk::expand(paths, &wanted, out)?;
    if has_error {
        out.set_unreadable_input();
    }
    let input = |file: File| Input {
        requested: requested.filter(|_| !file.is_in_folder),
        path: file.path,
        is_argument: !file.is_in_folder,
    };
    Ok((files.into_iter().map(input).collect(), skipped))
}

/// Returns the language of a file with a known suffix.
fn of_suffix(path: &Path) -> Option<Language> {
    Language::of_suffix(path.extension().and_then(OsStr::to_str)?)
}

/// Reads a header of C.
pub fn read_header(path: &Path) -> anyhow::Result<Vec<u8>> {
    read_kind(path, FileKind::is_text, "a header of C")
}

impl Input {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the file, and returns it with its language.
    pub fn read(&self) -> anyhow::Result<(Language, Vec<u8>)> {
        const SOURCE: &str = "a source file with inline assembly";
        let known = self.requested.or_else(|| of_suffix(&self.path));
        let is_wanted = |kind: FileKind| match (known, kind) {
            // Its reader reports other files.
            (Some(Language::Spirv), kind) if kind.is_container() => true,
            (known, FileKind::Spirv) => known.is_none_or(|known| known == Language::Spirv),
            _ => kind.is_text(),
        };
        let bytes = read_kind(&self.path, is_wanted, SOURCE)?;
        let kind = FileKind::of(&bytes);
        match (known, kind) {
            (Some(language), _) => Ok((language, bytes)),
            (None, FileKind::Llvm) => Ok((Language::Llvm, bytes)),
            (None, FileKind::Mlir) => Ok((Language::Mlir, bytes)),
            (None, FileKind::Spirv) => Ok((Language::Spirv, bytes)),
            (None, FileKind::Text | FileKind::C) => bail!(
                "{}: the language is not known from the suffix or the contents; state it with \
                 {}",
                shown(&self.path),
                SourceLanguage::options()
            ),
            (None, _) => Err(WrongKind::new(kind, &shown(&self.path), SOURCE).into()),
        }
    }

    /// Returns the part of the compiler for files with this suffix, if there is only one.
    pub fn compiler_path(&self) -> Option<genvisa_inline::Path> {
        match of_suffix(&self.path)? {
            Language::OpenCl => Some(genvisa_inline::Path::Simt),
            Language::Cm => Some(genvisa_inline::Path::Vc),
            _ => None,
        }
    }
}
