//! Disassembly.

mod color;

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use genvisa::Module;
use genvisa::object::Routine;
use genvisa::text::{FileListing, Listing, PrintError};

use crate::args::Dis;
use crate::input::{self, read_object};
use crate::output::{Output, Staged, WrongCommand};
use crate::{is_standard, routines, shown};

pub fn run(args: &Dis, out: &mut Output) -> anyhow::Result<()> {
    let (file, name) = (read_object(&args.file)?, shown(&args.file));
    let module = Module::from_bytes(&file, args.dialect.dialect)
        .map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
    let listing = FileListing::new(&module)
        .with_style(args.style.into())
        .with_offsets(args.offsets)
        .with_numbers(!args.no_numbers);
    let listings = listing.routines().collect();
    let routines = routines(&module, &name, args.routine.as_ref())?;
    let is_whole = args.routine.is_none();
    let text = Text { name: &name, whole: listing, is_whole, listings, routines };
    match (&args.out_dir, &args.output) {
        (Some(folder), _) => text.to_folder(folder, args, out),
        (None, Some(path)) if !is_standard(path) => text.to_file(path, args.force, out),
        _ => text.to_stdout(out),
    }
}

/// The text of a file.
struct Text<'t, 'm, 'a> {
    /// The name of the file.
    name: &'t str,
    whole: FileListing<'m, 'a>,
    /// Whether what belongs to no routine is printed too.
    is_whole: bool,
    /// The listings of all routines.
    listings: Vec<Listing<'m, 'a>>,
    /// The routines to print.
    routines: Vec<(usize, Routine<'m, 'a>)>,
}

impl Text<'_, '_, '_> {
    /// Prints the routines as far as they can be decoded.
    fn to_stdout(&self, out: &mut Output) -> anyhow::Result<()> {
        if self.is_whole {
            let mut head = String::new();
            // A string takes any text, and what was read can be written.
            let _ = self.whole.write_head_to(&mut head);
            out.write_raw(head.as_bytes())?;
        }
        for (position, (index, _)) in self.routines.iter().enumerate() {
            if position > 0 {
                writeln!(out)?;
            }
            if let Some(error) = to_output(self.listings[*index], out)? {
                out.complain(format_args!("{}: {error}", self.name))?;
            }
        }
        Ok(())
    }

    /// Writes the routines to a file, unless one cannot be decoded to its end.
    fn to_file(&self, path: &Path, force: bool, out: &mut Output) -> anyhow::Result<()> {
        let mut error = None;
        let staged = Staged::new(path, |file| {
            let mut file = TextFile { file, error: None };
            let result = self.write_to(&mut file);
            if let Some(error) = file.error {
                return Err(error);
            }
            error = result.err();
            Ok(())
        });
        let staged = staged.with_context(|| match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => format!("{} (see --out-dir)", shown(path)),
            _ => shown(path),
        })?;
        if let Some(error) = error {
            let path = shown(path);
            out.complain(format_args!("{}: {error}; {path} is not written", self.name))?;
            return Ok(());
        }
        put_all(vec![(path.into(), staged)], force)
    }

    fn write_to(&self, out: &mut impl fmt::Write) -> Result<(), PrintError> {
        if self.is_whole {
            self.whole.write_head_to(out)?;
        }
        for (position, (index, _)) in self.routines.iter().enumerate() {
            if position > 0 {
                out.write_str("\n")?;
            }
            self.listings[*index].write_to(out)?;
        }
        Ok(())
    }

    /// Writes a file for each routine that can be decoded to its end.
    fn to_folder(&self, folder: &Path, args: &Dis, out: &mut Output) -> anyhow::Result<()> {
        fs::create_dir_all(folder).with_context(|| shown(folder))?;
        let mut staged = Vec::new();
        for (index, routine) in &self.routines {
            let path = folder.join(file_name(*index, routine));
            if input::same_as(&path, &[&args.file]).is_some() {
                let why = input::would_be_overwritten(&path, &args.file);
                return Err(WrongCommand(why).into());
            }
            let mut text = String::new();
            match self.listings[*index].write_to(&mut text) {
                Ok(()) => {
                    let file = Staged::new(&path, |file| file.write_all(text.as_bytes()))
                        .with_context(|| shown(&path))?;
                    staged.push((path, file));
                }
                Err(error) => {
                    let path = shown(&path);
                    out.complain(format_args!("{}: {error}; {path} is not written", self.name))?;
                }
            }
        }
        put_all(staged, args.force)
    }
}

/// Puts files in their places. Without `force`, it puts none if one would change a file.
fn put_all(files: Vec<(PathBuf, Staged)>, force: bool) -> anyhow::Result<()> {
    if !force {
        for (path, file) in &files {
            if file.would_change_a_file().with_context(|| shown(path))? {
                bail!(
                    "{} exists and has other contents: nothing is written; --force overwrites it",
                    shown(path)
                );
            }
        }
    }
    files.into_iter().try_for_each(|(path, file)| file.put().with_context(|| shown(&path)))
}

/// A file as a place for text; remembers what went wrong with it.
struct TextFile<'f> {
    file: &'f mut dyn Write,
    error: Option<io::Error>,
}

impl fmt::Write for TextFile<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.file.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

/// `<index>-<name>.visaasm`, where the name's unusual characters become `_`.
fn file_name(index: usize, routine: &Routine<'_, '_>) -> String {
    const LONGEST: usize = 100;
    let usual = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let name: String = routine.name.to_string_lossy().chars().map(usual).take(LONGEST).collect();
    format!("{index}-{name}.visaasm")
}

/// Prints a listing as far as it goes, and returns the error that ended it, if one did.
fn to_output(listing: Listing<'_, '_>, out: &mut Output) -> io::Result<Option<genvisa::Error>> {
    let color = out.has_color();
    let mut sink = Sink { out, color, line: String::new(), error: None };
    let result = listing.write_to(&mut sink);
    sink.end();
    match (sink.error, result) {
        (Some(error), _) => Err(error),
        (None, Err(PrintError::Code(error))) => Ok(Some(error)),
        (None, _) => Ok(None),
    }
}

/// Standard output as a place for text; remembers what went wrong with it.
struct Sink<'o> {
    out: &'o mut Output,
    color: bool,
    /// A line that is not yet complete, where lines are coloured.
    line: String,
    error: Option<io::Error>,
}

impl Sink<'_> {
    fn end(&mut self) {
        if !self.line.is_empty() {
            let line = color::line(&self.line);
            self.put(&line);
        }
    }

    fn put(&mut self, text: &str) {
        if self.error.is_none() {
            self.error = if self.color {
                self.out.write_all(text.as_bytes()).err()
            } else {
                self.out.write_raw(text.as_bytes()).err()
            };
        }
    }
}

impl fmt::Write for Sink<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if !self.color {
            self.put(text);
        } else {
            for part in text.split_inclusive('\n') {
                self.line.push_str(part);
                if let Some(line) = self.line.strip_suffix('\n') {
                    let line = color::line(line) + "\n";
                    self.line.clear();
                    self.put(&line);
                }
            }
        }
        // Nothing more can be said to somebody who hung up.
        if self.error.is_some() { Err(fmt::Error) } else { Ok(()) }
    }
}
