//! The command-line tool `genvisa`.

mod cli;
mod commands;
mod explanations;
mod input;
mod modules;
mod options;
mod output;
mod page;
mod rule_list;
mod words;

use std::process::ExitCode;

use output::Output;

fn main() -> ExitCode {
    let args = cli::Args::from_command_line();
    args.color.into_global();
    let mut out = Output::new(args.verbosity());
    let result = args.command.run(&mut out, cli::command);
    out.end(result)
}
