//! The arguments of the commands for files that contain vISA.

use std::path::PathBuf;

use clap::Args;

use super::shared::DialectArg;

#[derive(Args)]
pub struct Extract {
    /// Files of any kind, folders, or - for standard input. FILE!N and FILE!NAME choose an object
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Write the objects and texts to files in this folder
    #[arg(long, short = 'o', value_name = "DIR", default_value = ".")]
    pub out_dir: PathBuf,
    /// Only list the objects and texts
    #[arg(long, short, conflicts_with = "out_dir")]
    pub list: bool,
    /// Print the list as JSON
    #[arg(long)]
    pub json: bool,
    /// Overwrite existing files that have different contents
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub dialect: DialectArg,
}

#[derive(Args)]
pub struct Pack {
    /// The file with the objects, or - for standard input; FILE!N or FILE!ROUTINE chooses one
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Changed .isa or .visaasm files, folders that extract has written to, or - for standard input
    #[arg(value_name = "NEW", required = true)]
    pub new: Vec<PathBuf>,
    /// Write to this file, or to standard output with -
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,
    /// Print as JSON what was replaced
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub dialect: DialectArg,
}
