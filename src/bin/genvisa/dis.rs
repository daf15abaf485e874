//! Disassembly.

mod color;

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use genvisa::Module;
use genvisa::object::Routine;
use genvisa::text::{FileListing, Listing, PrintError};

use crate::args::Dis;
use crate::output::{self, Output};
use crate::{read, routines, shown};

pub fn run(args: &Dis, out: &mut Output) -> anyhow::Result<()> {
    let (file, name) = (read(&args.file)?, shown(&args.file));
    let module = Module::parse(&file, args.dialect.dialect)
        .map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
    let routines = routines(&module, &name, args.routine.as_ref())?;
    let whole = FileListing::new(&module).with_style(args.style.into()).with_offsets(args.offsets);
    let all: Vec<Listing<'_, '_>> = whole.routines().collect();
    if let Some(folder) = &args.output {
        fs::create_dir_all(folder).with_context(|| shown(folder))?;
        for (index, routine) in routines {
            to_file(folder, index, &routine, all[index], &name, out)?;
        }
        return Ok(());
    }
    if args.routine.is_none() {
        let mut head = String::new();
        // A string takes any text, and what was read can be written.
        let _ = whole.write_head_to(&mut head);
        out.write_raw(head.as_bytes())?;
    }
    for (position, (index, _)) in routines.into_iter().enumerate() {
        if position > 0 {
            writeln!(out)?;
        }
        if let Some(error) = to_output(all[index], out)? {
            out.complain(format_args!("{name}: {error}"))?;
        }
    }
    Ok(())
}

/// A file for a routine, unless it cannot be decoded to its end.
fn to_file(
    folder: &Path,
    index: usize,
    routine: &Routine<'_, '_>,
    listing: Listing<'_, '_>,
    name: &str,
    out: &mut Output,
) -> anyhow::Result<()> {
    let path = folder.join(file_name(index, routine));
    let mut text = String::new();
    match listing.write_to(&mut text) {
        Ok(()) => output::write_whole(&path, text.as_bytes()).with_context(|| shown(&path)),
        Err(error) => {
            Ok(out.complain(format_args!("{name}: {error}; {} is not written", shown(&path)))?)
        }
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
