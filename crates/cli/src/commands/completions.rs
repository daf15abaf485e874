//! `genvisa completions`: scripts that complete the command line.

use clap::Args;
use clap_complete::Shell;

use super::{CommandLine, Run};
use crate::output::Output;

/// Print a script that completes the command line in a shell
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa completions bash > ~/.local/share/bash-completion/completions/genvisa
  genvisa completions zsh > ~/.zfunc/_genvisa")]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

impl Run for Completions {
    fn run(&self, out: &mut Output, cli: CommandLine) -> anyhow::Result<()> {
        completions(self, cli(), out)
    }
}

/// Prints a script that completes the command line in a shell.
fn completions(
    args: &Completions,
    mut command: clap::Command,
    out: &mut Output,
) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "genvisa", &mut script);
    Ok(out.write_raw(&script)?)
}
