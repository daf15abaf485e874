//! The source files that FILE names, and the lines of instructions in them.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use genvisa::analysis::SourceLine;
use genvisa::object::Body;

use crate::input::choice::split_choice;
use crate::input::walk::is_folder;
use crate::output::folder_of;
use crate::words::printable;

/// Larger files are not sources.
const MAX_BYTES: u64 = 64 << 20;

/// Systems do not open longer paths, and a name may have many folders.
const MAX_PATH: usize = 4096;

/// The source files, which are read when they are needed.
pub struct SourceFiles {
    root: Option<PathBuf>,
    /// The folders of other files: a name in FILE is not trusted.
    folders: Vec<PathBuf>,
    /// The lines of each file by its name in FILE; `None` if it was not found.
    files: Mutex<HashMap<String, Option<Vec<String>>>>,
}

impl SourceFiles {
    /// Returns the files under `root`, and those below the current folder and the folders of the inputs.
    pub fn new<'p>(
        root: Option<&PathBuf>,
        inputs: impl IntoIterator<Item = &'p PathBuf>,
    ) -> SourceFiles {
        let of_input = |path: &PathBuf| {
            let file = split_choice(path).0;
            if is_folder(&file) { file } else { folder_of(&file).to_owned() }
        };
        let folders = inputs.into_iter().map(of_input).chain([PathBuf::from(".")]);
        let mut folders: Vec<PathBuf> =
            folders.filter_map(|folder| folder.canonicalize().ok()).collect();
        folders.sort();
        folders.dedup();
        SourceFiles { root: root.cloned(), folders, files: Mutex::default() }
    }

    /// Returns the text of a line without the blanks around it, if the file is found and has the line.
    pub fn text(&self, file: &str, line: u32) -> Option<String> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if !files.contains_key(file) {
            files.insert(file.into(), self.read(file));
        }
        let lines = files.get(file)?.as_ref()?;
        lines.get((line as usize).checked_sub(1)?).cloned()
    }

    fn read(&self, file: &str) -> Option<Vec<String>> {
        let path = self.find(file)?;
        let text = fs::read(path).ok()?;
        let text = String::from_utf8_lossy(&text);
        Some(text.lines().map(|line| printable(&line.trim().replace('\t', " "))).collect())
    }

    /// Returns the path of a file: the longest end of its name that is a file under the root, or the
    /// name if it is below one of the other folders, with links followed.
    pub fn find(&self, file: &str) -> Option<PathBuf> {
        // Compilers on Windows separate folders with backslashes.
        let parts: Vec<&str> = file
            .split(['/', '\\'])
            .filter(|part| !matches!(*part, "" | "." | "..") && !part.ends_with(':'))
            .collect();
        let mut len = 0;
        let is_too_long = |part: &&str| {
            len += part.len() + 1;
            len > MAX_PATH
        };
        let first = parts.iter().rposition(is_too_long).map_or(0, |last| last + 1);
        let under = |root: &PathBuf| {
            let ends = (first..parts.len()).map(|from| parts[from..].iter().collect::<PathBuf>());
            ends.map(|end| root.join(end)).find(|path| is_source(path))
        };
        let named = || {
            let paths =
                self.folders.iter().filter_map(|folder| folder.join(file).canonicalize().ok());
            let is_below = |path: &PathBuf| self.folders.iter().any(|it| path.starts_with(it));
            paths.filter(is_below).find(|path| is_source(path))
        };
        self.root.as_ref().and_then(under).or_else(named)
    }
}

/// Returns whether a path may be a source file. Others, such as pipes, may never end.
fn is_source(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() <= MAX_BYTES)
}

/// Returns the name of the file of a line, if the routine states it.
pub fn file_of(line: SourceLine, body: &Body<'_>) -> Option<String> {
    Some(body.strings.get(line.file?.0 as usize)?.to_string_lossy())
}

/// Returns a line as `FILE:LINE`, with its control characters escaped.
pub fn place(file: Option<&str>, line: u32) -> String {
    format!("{}:{line}", printable(file.unwrap_or("?")))
}
