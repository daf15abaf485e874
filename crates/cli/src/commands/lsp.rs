//! `genvisa lsp`: the language server.

use std::io::{self, BufReader, Write};

use clap::Args;

use super::{CommandLine, Run};
use crate::output::Output;

/// Run a language server for .visaasm files and inline assembly
///
/// Editors start it. It reads requests of the language server protocol from standard input, and writes
/// the answers to standard output. docs/editors.md describes how to set it up.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa lsp
  vim.lsp.start({ cmd = { 'genvisa', 'lsp' } })      In the configuration of Neovim")]
pub struct Lsp {
    /// Accepted because many clients pass it: the server always uses standard input and output
    #[arg(long)]
    pub stdio: bool,
}

impl Run for Lsp {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        let send = |bytes: &[u8]| {
            out.write_raw(bytes)?;
            out.flush()
        };
        genvisa_lsp::serve_streams(BufReader::new(io::stdin()), send)
            .map_err(|error| anyhow::anyhow!("{error}"))
    }
}
