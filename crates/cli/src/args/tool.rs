//! The arguments of the commands about the tool itself.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

#[derive(Args)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

#[derive(Args)]
pub struct Man {
    /// Write a page for each command to this folder: genvisa.1, genvisa-dis.1 and so on
    #[arg(long, short = 'o', value_name = "DIR")]
    pub out_dir: Option<PathBuf>,
}
