//! The files to check.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::bail;
use genvisa_inline::source::Language;

use crate::input::magic::MAGIC;
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

/// The suffixes of C and its dialects.
const C_SUFFIXES: &[&str] = &[
    "c", "h", "hpp", "cpp", "cxx", "cc", "hh", "hxx", "ipp", "inl", "i", "ii", "sycl", "cu", "cuh",
];

/// The first bytes of SPIR-V, in both byte orders.
const SPIRV_MAGIC: [&[u8]; 2] = [b"\x03\x02\x23\x07", b"\x07\x23\x02\x03"];

/// The first bytes of LLVM bitcode.
const BITCODE_MAGIC: [&[u8]; 2] = [b"BC\xC0\xDE", b"\xDE\xC0\x17\x0B"];

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

/// Returns the language of a suffix.
fn of_suffix(path: &Path) -> Option<Language> {
    let suffix = path.extension().and_then(OsStr::to_str)?.to_ascii_lowercase();
    match suffix.as_str() {
        "ll" => Some(Language::Llvm),
        "cl" | "clh" | "clcpp" => Some(Language::OpenCl),
        "cm" => Some(Language::Cm),
        "mlir" => Some(Language::Mlir),
        "spv" => Some(Language::Spirv),
        suffix => C_SUFFIXES.contains(&suffix).then_some(Language::C),
    }
}

/// Returns the language of a file without a known suffix, if its contents determine it.
fn of_contents(bytes: &[u8]) -> Option<Language> {
    if SPIRV_MAGIC.iter().any(|magic| bytes.starts_with(magic)) {
        return Some(Language::Spirv);
    }
    // The LLVM reader reports that bitcode is not supported.
    if BITCODE_MAGIC.iter().any(|magic| bytes.starts_with(magic)) {
        return Some(Language::Llvm);
    }
    bytes.split(|byte| *byte == b'\n').find_map(|line| {
        let starts = |words: &[&[u8]]| words.iter().any(|word| line.starts_with(word));
        let is_llvm = starts(&[b"define ", b"target triple", b"target datalayout", b"; ModuleID"]);
        let is_mlir = || starts(&[b"module {", b"module attributes {", b"llvm.func ", b"\"builtin.module\"("]);
        match is_llvm {
            true => Some(Language::Llvm),
            false => is_mlir().then_some(Language::Mlir),
        }
    })
}

impl Input {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the language of the file.
    pub fn language(&self, bytes: &[u8]) -> anyhow::Result<Language> {
        let known = self.requested.or_else(|| of_suffix(&self.path)).or_else(|| of_contents(bytes));
        let Some(language) = known else {
            if bytes.starts_with(MAGIC) || bytes.trim_ascii_start().starts_with(b".version") {
                bail!(
                    "`{}` is vISA, not a source file with inline assembly; `genvisa verify` \
                     checks it",
                    shown(&self.path)
                );
            }
            bail!(
                "{}: the language is not known from the suffix or the contents; state it with \
                 --as c, --as llvm, --as mlir or --as spirv",
                shown(&self.path)
            )
        };
        Ok(language)
    }

    /// Returns the part of the compiler for files with this suffix, if there is only one.
    pub fn compiler_path(&self) -> Option<genvisa_inline::Path> {
        match self.path.extension()?.to_str()? {
            "cl" | "clh" | "clcpp" => Some(genvisa_inline::Path::Simt),
            "cm" => Some(genvisa_inline::Path::Vc),
            _ => None,
        }
    }
}
