//! The command-line tool `genvisa`.

mod args;
mod asm;
mod cfg;
mod check;
mod container;
mod diff;
mod dis;
mod explain;
mod extract;
mod info;
mod input;
mod levels;
mod load;
mod manual;
mod names;
mod omitted;
mod output;
mod pack;
mod parallel;
mod progress;
mod registers;
mod roundtrip;
mod snippet;
mod stats;
mod verify;
mod walk;

use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use genvisa::Module;
use genvisa::object::Routine;

use args::{Args, Command};
use omitted::Omitted;
use output::Output;

/// Runs the command and returns its exit code, which `args/exit.rs` lists.
fn main() -> ExitCode {
    let args = Args::from_command_line();
    args.color.into_global();
    let mut out = Output::new(args.verbosity());
    let result = match &args.command {
        Command::Roundtrip(command) => roundtrip::run(command, &mut out),
        Command::Info(command) => info::run(command, &mut out),
        Command::Explain(command) => explain::run(command, &mut out),
        Command::Dis(command) => dis::run(command, &mut out),
        Command::Asm(command) => asm::run(command, &mut out),
        Command::Fmt(command) => asm::fmt(command, &mut out),
        Command::Verify(command) => verify::run(command, &mut out),
        Command::Stats(command) => stats::run(command, &mut out),
        Command::Cfg(command) => cfg::run(command, &mut out),
        Command::Check(command) => check::run(command, &mut out),
        Command::Diff(command) => diff::run(command, &mut out),
        Command::Extract(command) => extract::run(command, &mut out),
        Command::Pack(command) => pack::run(command, &mut out),
        Command::Completions(command) => manual::completions(command, &mut out),
        Command::Man(command) => manual::man(command, &mut out),
        Command::Schema => manual::schema(&mut out),
    };
    out.end(result)
}

/// Returns whether a path is `-`, which means standard input or output.
fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns a path as text that is safe to print to a terminal.
fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// Returns a text with its control characters escaped.
fn printable(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_control() {
            true => escaped.extend(c.escape_default()),
            false => escaped.push(c),
        }
    }
    escaped
}

/// Returns the routines of a module with their indices; with a name, only those of that name.
/// `omitted` are routines of the file that are not in the module.
fn routines<'m, 'a>(
    module: &'m Module<'a>,
    omitted: &[Omitted],
    file: &str,
    name: Option<&String>,
) -> anyhow::Result<Vec<(usize, Routine<'m, 'a>)>> {
    let is_selected = |routine: &Routine<'_, '_>| name.is_none_or(|name| *routine.name == **name);
    let all = || module.routines();
    let found: Vec<_> = all().enumerate().filter(|(_, routine)| is_selected(routine)).collect();
    match name {
        Some(name) if found.is_empty() => {
            if omitted.iter().any(|routine| routine.name == *name) {
                bail!("{file}: routine `{}` has errors", printable(name));
            }
            bail!(no_routine(file, name, all().map(|routine| routine.name.to_string())))
        }
        _ => Ok(found),
    }
}

/// Returns the error message for a routine that a file, or several, do not contain.
fn no_routine(files: &str, name: &str, routines: impl Iterator<Item = String>) -> String {
    const MAX_NAMES: usize = 30;
    let mut names: Vec<String> = routines.collect();
    if names.len() > MAX_NAMES {
        let others = names.len() - MAX_NAMES;
        names.truncate(MAX_NAMES);
        names.push(format!("and {others} more"));
    }
    let (name, names) = (printable(name), names.join(", "));
    format!("{files}: no routine `{name}`; the routines are: {names}")
}

/// Returns a number with a noun, which is in the plural unless the number is 1.
fn count(n: usize, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        _ if noun.ends_with("ch") => format!("{n} {noun}es"),
        _ => format!("{n} {noun}s"),
    }
}

/// Returns a text that has at most so many characters.
fn shortened(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text.into(),
        Some(_) => text.chars().take(width.saturating_sub(3)).chain("...".chars()).collect(),
    }
}
