//! `genvisa lsp`: the language server.

use std::io::{self, Write};
use std::thread;

use clap::Args;
use lsp_server::{Connection, Message};

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
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        let (server, Connection { sender, receiver }) = Connection::memory();
        // It ends with the process: it may wait for input.
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            while let Ok(Some(message)) = Message::read(&mut input) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let served = thread::spawn(move || genvisa_lsp::serve(&server));
        // The messages end when the server does.
        for message in receiver {
            let mut bytes = Vec::new();
            message.write(&mut bytes)?;
            out.write_raw(&bytes)?;
            out.flush()?;
        }
        match served.join() {
            Ok(result) => result.map_err(|error| anyhow::anyhow!("{error}")),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}
