//! The command-line tool.

mod args;
mod explain;
mod info;
mod roundtrip;

use std::io::{self, Read, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;

use args::{Args, Command};

/// What scripts see of a run that did what it was asked.
enum Outcome {
    /// Exit code 0.
    Fine,
    /// Exit code 1: something is wrong with the input, and was said.
    Findings,
}

fn main() -> ExitCode {
    let args = Args::parse();
    args.color.into_global();
    let mut out = io::BufWriter::new(anstream::stdout().lock());
    let result = match &args.command {
        Command::Roundtrip(command) => roundtrip::run(command, &mut out),
        Command::Info(command) => info::run(command, &mut out),
        Command::Explain(command) => explain::run(command, &mut out),
    };
    let result = result.and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    match result {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::FAILURE,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // What was already said comes before what went wrong.
            let _ = out.flush();
            anstream::eprintln!("genvisa: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whoever read our output has seen enough.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// The bytes of a file, or of standard input for `-`.
fn read(path: &str) -> anyhow::Result<Vec<u8>> {
    if path == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).context("standard input")?;
        return Ok(bytes);
    }
    std::fs::read(path).with_context(|| path.to_owned())
}

/// A number of things, in words.
fn count(n: usize, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}
