//! The command-line tool.

mod args;
mod asm;
mod dis;
mod explain;
mod info;
mod input;
mod output;
mod roundtrip;
mod verify;

use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use genvisa::Module;
use genvisa::object::Routine;

use args::{Args, Command};
use output::Output;

/// 0 if all is well, 1 if something is wrong with the input, and from clap 2 for a wrong command.
fn main() -> ExitCode {
    let args = Args::of_command_line();
    args.color.into_global();
    let mut out = Output::new();
    let result = match &args.command {
        Command::Roundtrip(command) => roundtrip::run(command, &mut out),
        Command::Info(command) => info::run(command, &mut out),
        Command::Explain(command) => explain::run(command, &mut out),
        Command::Dis(command) => dis::run(command, &mut out),
        Command::Asm(command) => asm::run(command, &mut out),
        Command::Fmt(command) => asm::fmt(command, &mut out),
        Command::Verify(command) => verify::run(command, &mut out),
    };
    out.end(result)
}

/// Whether a path stands for standard input or output.
fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// A path that does nothing to a terminal.
fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// A text with its control characters escaped.
fn printable(text: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.into() };
    text.chars().map(escaped).collect()
}

/// The routines of a module, or the one of a name.
fn routines<'m, 'a>(
    module: &'m Module<'a>,
    file: &str,
    name: Option<&String>,
) -> anyhow::Result<Vec<(usize, Routine<'m, 'a>)>> {
    let wanted = |routine: &Routine<'_, '_>| name.is_none_or(|name| *routine.name == **name);
    let all = || module.routines();
    let found: Vec<_> = all().enumerate().filter(|(_, routine)| wanted(routine)).collect();
    match name {
        Some(name) if found.is_empty() => {
            let names: Vec<String> = all().map(|routine| routine.name.to_string()).collect();
            bail!("{file}: no routine `{}`; there are: {}", printable(name), names.join(", "))
        }
        _ => Ok(found),
    }
}

/// A number of things, in words.
fn count(n: usize, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}
