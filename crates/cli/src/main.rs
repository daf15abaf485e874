//! The command-line tool `genvisa`.

use std::process::ExitCode;

fn main() -> ExitCode {
    genvisa_cli::main(std::env::args_os()).into()
}
