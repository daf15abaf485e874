//! The commands: a file for each, with its options, its help and what it does.

mod asm;
#[cfg(feature = "report")]
mod cfg;
#[cfg(feature = "inline")]
mod check;
#[cfg(feature = "man")]
mod completions;
#[cfg(feature = "report")]
mod diff;
mod dis;
#[cfg(feature = "run")]
mod equiv;
mod explain;
#[cfg(feature = "extract")]
mod extract;
mod fmt;
mod info;
mod isa;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "man")]
mod man;
#[cfg(feature = "run")]
mod r#override;
#[cfg(feature = "extract")]
mod pack;
#[cfg(feature = "report")]
mod report;
mod roundtrip;
#[cfg(feature = "run")]
mod run;
mod schema;
#[cfg(feature = "report")]
mod stats;
#[cfg(feature = "run")]
mod triage;
mod verify;

use std::path::{Path, PathBuf};

use clap::Subcommand;

use crate::output::Output;

/// Returns the command line as clap describes it.
pub type CommandLine = fn() -> clap::Command;

/// A command, with the values of its options.
pub trait Run {
    /// Runs the command. Commands about the tool itself use the description of the command line.
    fn run(&self, out: &mut Output, cli: CommandLine) -> anyhow::Result<()>;

    /// Returns the exit codes with a meaning that only some commands have.
    fn exit_codes() -> &'static [(u8, &'static str)]
    where
        Self: Sized,
    {
        &[]
    }

    /// Returns the files that the command reads, with `-` for standard input.
    fn inputs(&self) -> Vec<&Path> {
        Vec::new()
    }

    /// Returns whether the command fails for a `.isa` file in place of this input, before it writes
    /// anything.
    fn reads_as_text(&self, _input: &Path) -> bool {
        false
    }

    /// Returns the file that the command writes, with `-` for standard output. Returns `None` if the
    /// names depend on the input.
    fn output(&self) -> Option<PathBuf> {
        Some("-".into())
    }

    /// Returns whether the text on standard output only reports what the exit code summarizes, unless
    /// the user requests a list.
    fn prints_report(&self) -> bool {
        false
    }

    /// Checks that the options have an effect together.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

/// Returns the name of a command from that of its module, which may be a keyword of Rust.
fn name(module: &'static str) -> &'static str {
    module.strip_prefix("r#").unwrap_or(module)
}

/// Defines the commands by task, in the order of the help.
macro_rules! commands {
    ($($task:literal { $($(#[$attribute:meta])* $module:ident::$Name:ident,)* })*) => {
        /// A command with its options.
        #[derive(Subcommand)]
        #[allow(clippy::large_enum_variant, reason = "a process has one")]
        pub enum Command {
            $($($(#[$attribute])* $Name($module::$Name),)*)*
        }

        impl std::ops::Deref for Command {
            type Target = dyn Run;

            fn deref(&self) -> &(dyn Run + 'static) {
                match self {
                    $($($(#[$attribute])* Command::$Name(command) => command,)*)*
                }
            }
        }

        /// The commands with the exit codes that only some commands have.
        pub fn exit_codes() -> impl Iterator<Item = (&'static str, &'static [(u8, &'static str)])> {
            [$($($(#[$attribute])* (name(stringify!($module)), $module::$Name::exit_codes()),)*)*].into_iter()
        }

        /// Returns the tasks, and the names of their commands.
        pub fn tasks() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
            [$(($task, vec![$($(#[$attribute])* name(stringify!($module)),)*]),)*].into_iter()
        }
    };
}

commands! {
    "Read" {
        dis::Dis,
        info::Info,
        explain::Explain,
        isa::Isa,
        #[cfg(feature = "extract")]
        extract::Extract,
    }
    "Write" {
        asm::Asm,
        fmt::Fmt,
        #[cfg(feature = "extract")]
        pack::Pack,
        #[cfg(feature = "run")]
        r#override::Override,
    }
    "Check" {
        verify::Verify,
        #[cfg(feature = "inline")]
        check::Check,
        roundtrip::Roundtrip,
    }
    "Analyse" {
        #[cfg(feature = "report")]
        stats::Stats,
        #[cfg(feature = "report")]
        cfg::Cfg,
        #[cfg(feature = "report")]
        diff::Diff,
        #[cfg(feature = "report")]
        report::Report,
        #[cfg(feature = "run")]
        run::Run,
        #[cfg(feature = "run")]
        equiv::Equiv,
        #[cfg(feature = "run")]
        triage::Triage,
    }
    "Set up" {
        #[cfg(feature = "lsp")]
        lsp::Lsp,
        #[cfg(feature = "man")]
        completions::Completions,
        #[cfg(feature = "man")]
        man::Man,
        schema::Schema,
    }
}
