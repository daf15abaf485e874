//! `genvisa schema`: the JSON Schema of what `--json` prints.

use std::io::Write;

use clap::Args;

use crate::output::Output;
use super::{CommandLine, Run};

/// Print the JSON Schema of the output of all commands with --json
///
/// The definition of a command has its name: `genvisa stats --json` prints `#/$defs/stats`.
#[derive(Args)]
pub struct Schema {}

impl Run for Schema {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        schema(out)
    }
}

/// Prints the JSON Schema of the outputs of `--json`.
fn schema(out: &mut Output) -> anyhow::Result<()> {
    Ok(out.write_all(include_bytes!("../../output.schema.json"))?)
}
