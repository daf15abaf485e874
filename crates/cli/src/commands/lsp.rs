//! `genvisa lsp`: the language server.

use clap::Args;
use lsp_server::Connection;

use crate::output::Output;
use super::{CommandLine, Run};

/// Run a language server for .visaasm files and inline assembly
///
/// Editors start it. It reads requests of the language server protocol from standard input, and writes
/// the answers to standard output. docs/editors.md describes how to set it up.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa lsp")]
pub struct Lsp {
    /// Accepted because many clients pass it: the server always uses standard input and output
    #[arg(long)]
    pub stdio: bool,
}

impl Run for Lsp {
    fn run(&self, _: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        let (connection, threads) = Connection::stdio();
        let result = genvisa_lsp::serve(&connection);
        drop(connection);
        result.map_err(|error| anyhow::anyhow!("{error}"))?;
        threads.join()?;
        Ok(())
    }
}
