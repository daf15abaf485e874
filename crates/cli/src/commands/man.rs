//! `genvisa man`: man pages.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use clap::Command;

use super::{CommandLine, Run};
use crate::output::Batch;
use crate::output::Output;
use crate::words::shown;

/// Print the manual page, or write a page for each command to a folder
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa man | man -l -
  genvisa man -o ~/.local/share/man/man1     Then: man genvisa-dis")]
pub struct Man {
    /// Write a page for each command to this folder: genvisa.1, genvisa-dis.1 and so on
    #[arg(long, short = 'o', value_name = "DIR")]
    pub out_dir: Option<PathBuf>,
}

impl Run for Man {
    fn run(&self, out: &mut Output, cli: CommandLine) -> anyhow::Result<()> {
        man(self, cli(), out)
    }
}

/// Prints the man page of the tool, or writes a page for each command.
fn man(args: &Man, command: clap::Command, out: &mut Output) -> anyhow::Result<()> {
    let mut command = command.disable_help_subcommand(true);
    // Gives the commands their full names and the global options.
    command.build();
    let Some(folder) = &args.out_dir else {
        return Ok(out.write_raw(&page(command)?)?);
    };
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot create folder `{}`", shown(folder)))?;
    let commands: Vec<Command> = command.get_subcommands().cloned().collect();
    let pages = commands.into_iter().chain([command]).map(|command| {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        Ok((folder.join(format!("{name}.1")), page(command)?))
    });
    let pages: Vec<(PathBuf, Vec<u8>)> = pages.collect::<std::io::Result<_>>()?;
    let mut batch = Batch::default();
    for (path, page) in &pages {
        batch.add(path, &page[..])?;
    }
    batch.commit(true)
}

/// Returns the man page of a command.
fn page(command: Command) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(page)
}
