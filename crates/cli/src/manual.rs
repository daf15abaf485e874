//! `genvisa completions`, `genvisa man` and `genvisa schema`: files about the tool itself.

use std::fs;
use std::io::Write;

use anyhow::Context;
use clap::Command;
use clap_mangen::Man;

use crate::args;
use crate::output::{Output, cannot_write, write_atomically};
use crate::shown;

/// Prints a script that completes the command line in a shell.
pub fn completions(args: &args::Completions, out: &mut Output) -> anyhow::Result<()> {
    let mut script = Vec::new();
    let mut command = args::command();
    clap_complete::generate(args.shell, &mut command, env!("CARGO_BIN_NAME"), &mut script);
    Ok(out.write_raw(&script)?)
}

/// Prints the manual page of the tool, or writes a page for each command.
pub fn man(args: &args::Man, out: &mut Output) -> anyhow::Result<()> {
    let mut command = args::command().disable_help_subcommand(true);
    // Gives the commands their full names and the global options.
    command.build();
    let Some(folder) = &args.out_dir else {
        return Ok(out.write_raw(&page(command)?)?);
    };
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot create folder `{}`", shown(folder)))?;
    let commands: Vec<Command> = command.get_subcommands().cloned().collect();
    for command in commands.into_iter().chain([command]) {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        let path = folder.join(format!("{name}.1"));
        write_atomically(&path, &page(command)?).with_context(|| cannot_write(&path))?;
    }
    Ok(())
}

/// Returns the manual page of a command.
fn page(command: Command) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}

/// Prints the JSON Schema of the outputs of `--json`.
pub fn schema(out: &mut Output) -> anyhow::Result<()> {
    Ok(out.write_all(include_bytes!("../output.schema.json"))?)
}
