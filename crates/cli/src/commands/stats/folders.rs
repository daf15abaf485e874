//! The numbers of two folders, where they differ.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::{FileEntries, Reader, Stats, compare};
use crate::commands::diff::files::{self, Entry};
use crate::input::walk::File;
use crate::output::{Output, parallel};
use crate::words::{count, shown};

/// Compares the files of two folders, which are matched as `diff` matches them.
pub fn compare(args: &Stats, a: &Path, b: &Path, out: &mut Output) -> anyhow::Result<()> {
    let pairs = files::pairs(a, b, &args.dialect, out)?;
    let reader = Reader::new(args, true);
    let work = |pair: &Entry, out: &mut Output| compare_pair(&reader, pair, out);
    let (mut changed, mut all) = (0, 0);
    parallel::for_each(&pairs, Entry::path, out, work, |of_pair| {
        changed += of_pair.changed;
        all += of_pair.all;
    })?;
    Ok(writeln!(out, "{} compared; the numbers of {changed} differ", count(all, "file"))?)
}

/// The numbers of objects that were compared, and of those whose numbers differ.
#[derive(Default)]
struct Compared {
    all: usize,
    changed: usize,
}

fn compare_pair(reader: &Reader<'_>, pair: &Entry, out: &mut Output) -> anyhow::Result<Compared> {
    let mut compared = Compared::default();
    let (before, after) = match pair {
        Entry::Both(before, after) => (before, after),
        Entry::Only(_, folder, name) => {
            writeln!(out, "Only in {}: {}\n", shown(folder), shown(name))?;
            return Ok(compared);
        }
    };
    let mut read =
        |path: &PathBuf| reader.file(0, &File { path: path.clone(), is_in_folder: true }, out);
    let (before, after) = (read(before)?.files, read(after)?.files);
    for (before, after) in before.iter().zip(&after) {
        compared.all += 1;
        if !are_equal(before, after) {
            compared.changed += 1;
            compare::print(before, after, out)?;
            writeln!(out)?;
        }
    }
    if before.len() != after.len() {
        let (fewer, more) = (before.len().min(after.len()), before.len().max(after.len()));
        out.warn(format_args!(
            "{}: {} of {more} objects have no counterpart and are not compared",
            shown(pair.path()),
            more - fewer
        ))?;
    }
    Ok(compared)
}

/// Returns whether two files have the same routines with the same numbers, and no errors.
fn are_equal(a: &FileEntries, b: &FileEntries) -> bool {
    let numbers = |file: &FileEntries| {
        let entries = file.entries.iter();
        entries
            .map(|entry| (entry.kind, entry.registers, entry.statistics.metrics()))
            .collect::<Vec<_>>()
    };
    a.omitted.is_empty() && b.omitted.is_empty() && numbers(a) == numbers(b)
}
