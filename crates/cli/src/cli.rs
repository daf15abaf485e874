//! The command line.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser};
use genvisa::text::nearest;
use genvisa_container::FileKind;

use crate::commands::{self, Command};
use crate::input::choice::split_choice;
use crate::input::kind::of_file;
use crate::input::same_file::{output_is_input, same_as};
use crate::output::{Color, StdoutError, Verbosity};
use crate::words::is_standard;

/// Disassemble, assemble, check and explain GEN vISA, the instruction set between Intel's GPU
/// compilers and their finalizer
#[derive(Parser)]
#[command(name = "genvisa", version, arg_required_else_help = true, max_term_width = 100)]
#[command(after_long_help = "\
Environment:
  GENVISA_THREADS  Number of threads of commands that read several files [default: all cores]

Examples:
  genvisa dis shader.isa               Print a file as text
  genvisa info shader.isa              Print its routines and tables
  genvisa explain shader.isa           Print the meaning of every byte
  genvisa verify shader.isa            Check it against the rules of vISA")]
pub struct Args {
    /// When to use color: auto (if standard output is a terminal), always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    #[arg(hide_short_help = true, hide_long_help = true)]
    pub color: Color,
    /// Print only errors and output that is requested, such as text or JSON
    #[arg(long, short, global = true, hide_short_help = true, hide_long_help = true)]
    pub quiet: bool,
    #[command(subcommand)]
    pub command: Command,
}

impl Args {
    /// Returns what is printed besides errors.
    pub fn verbosity(&self) -> Verbosity {
        match self.quiet {
            false => Verbosity::All,
            true if self.command.prints_report() => Verbosity::NoReport,
            true => Verbosity::NoWarnings,
        }
    }

    /// Parses a command line. If it has an error, prints the error and ends the program.
    pub fn from_command_line(args: impl IntoIterator<Item = OsString>) -> Args {
        Args::parse(args).unwrap_or_else(|error| exit_with(&error))
    }

    /// Parses a command line, which begins with the name of the program.
    pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Args, clap::Error> {
        let mut command = command();
        let args: Vec<OsString> = args.into_iter().collect();
        let matches = command
            .try_get_matches_from_mut(&args)
            .map_err(|error| with_suggestion(error, &command, &args))?;
        let args = Args::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        if let Err(why) = check(&args.command) {
            // The error is followed by the usage of the subcommand.
            let name = matches.subcommand_name().unwrap_or_default();
            let command = command.find_subcommand(name).unwrap_or(&command);
            return Err(command.clone().error(ErrorKind::ValueValidation, why));
        }
        Ok(args)
    }
}

/// Adds what is similar to an unknown option, command or value to an error.
fn with_suggestion(
    mut error: clap::Error,
    command: &clap::Command,
    args: &[OsString],
) -> clap::Error {
    let (wrong, suggested) = match error.kind() {
        ErrorKind::UnknownArgument => (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        ErrorKind::InvalidSubcommand => {
            (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand)
        }
        ErrorKind::InvalidValue => (ContextKind::InvalidValue, ContextKind::SuggestedValue),
        _ => return error,
    };
    let Some(ContextValue::String(word)) = error.get(wrong) else { return error };
    let subcommands = || command.get_subcommands().map(clap::Command::get_name);
    let used = args.iter().find_map(|arg| command.find_subcommand(arg)).unwrap_or(command);
    let options = command.get_arguments().chain(used.get_arguments());
    let options: Vec<String> =
        options.filter_map(|arg| Some(format!("--{}", arg.get_long()?))).collect();
    let found = match (suggested, error.get(ContextKind::ValidValue)) {
        (ContextKind::SuggestedArg, _) => nearest(word, options.iter().map(String::as_str)),
        (ContextKind::SuggestedSubcommand, _) => nearest(word, subcommands()),
        (_, Some(ContextValue::Strings(values))) => {
            nearest(word, values.iter().map(String::as_str))
        }
        _ => None,
    };
    let Some(found) = found.map(String::from) else { return error };
    let value = match suggested {
        ContextKind::SuggestedSubcommand => ContextValue::Strings(vec![found]),
        _ => ContextValue::String(found),
    };
    error.insert(suggested, value);
    error
}

/// Returns the command line as clap describes it, with the common options and the exit codes in the
/// help of the tool, and the exit codes in the help of each command.
pub fn command() -> clap::Command {
    let command = Args::command();
    let common = common_options_help(&command);
    let examples = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let help = format!("{common}\n\n{}\n\n{examples}", exit_codes_help(None));
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}Options:\n{{options}}{{after-help}}",
        commands_help(&command)
    );
    command.help_template(template).after_help(common).after_long_help(help).mut_subcommands(
        |command| {
            let codes = exit_codes_help(Some(command.get_name()));
            let help = command
                .get_after_long_help()
                .map_or(codes.clone(), |help| format!("{codes}\n\n{help}"));
            command.after_long_help(help)
        },
    )
}

/// Returns the sections of the help with the commands of each task.
fn commands_help(command: &clap::Command) -> String {
    let mut help = String::new();
    for (task, names) in commands::tasks().filter(|(_, names)| !names.is_empty()) {
        // Writing to a string never fails.
        let _ = writeln!(help, "{task}:");
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(help, "  {name:<11}  {about}");
        }
        help.push('\n');
    }
    help
}

/// Returns the section of the help about the options of all commands. The help of each command would
/// repeat them, so clap does not print them.
fn common_options_help(command: &clap::Command) -> String {
    let mut help = String::from("Common options, before or after the command:");
    for arg in command.get_arguments().filter(|arg| arg.is_global_set()) {
        let short = arg.get_short().map_or("    ".into(), |short| format!("-{short}, "));
        let has_value = arg.get_action().takes_values();
        let names = arg.get_value_names().filter(|_| has_value).unwrap_or_default();
        let value: String = names.iter().map(|name| format!(" <{name}>")).collect();
        let option = format!("{short}--{}{value}", arg.get_long().unwrap_or_default());
        let text = arg.get_help().map(ToString::to_string).unwrap_or_default();
        // Writing to a string never fails.
        let _ = write!(help, "\n  {option:<20}  {text}");
    }
    help
}

/// Returns the section of the help about the exit codes of a command, or of all commands. If several
/// apply, the exit code is the largest.
fn exit_codes_help(command: Option<&str>) -> String {
    let general = [
        (0, "Success"),
        (1, "An input has an error, or an input or output failed"),
        (2, "The command line has an error"),
    ];
    // The commands of each meaning. Those of the other codes with the same number follow.
    let mut codes: BTreeMap<(u8, usize), (&str, Vec<&str>)> =
        general.into_iter().map(|(code, meaning)| ((code, 0), (meaning, Vec::new()))).collect();
    for (name, of_command) in commands::exit_codes() {
        for (code, meaning) in of_command {
            let mut known = codes.values_mut();
            match known.find(|(other, _)| other == meaning) {
                Some((_, names)) => names.push(name),
                None => {
                    codes.insert((*code, codes.len()), (meaning, vec![name]));
                }
            }
        }
    }
    let mut help = String::from("Exit codes:");
    for ((code, _), (meaning, names)) in codes {
        if command.is_some_and(|command| !names.is_empty() && !names.contains(&command)) {
            continue;
        }
        // Writing to a string never fails.
        let _ = write!(help, "\n  {code}  {meaning}");
        if command.is_none() && !names.is_empty() {
            let _ = write!(help, " ({})", names.join(", "));
        }
    }
    help
}

/// Prints an error of clap, or the help or version that it represents, and ends the program.
fn exit_with(error: &clap::Error) -> ! {
    let code = error.exit_code();
    if error.use_stderr() {
        // Ignore that standard error may be closed.
        let _ = error.print();
        std::process::exit(code);
    }
    match error.print().and_then(|()| io::stdout().flush()) {
        Err(failure) if failure.kind() != io::ErrorKind::BrokenPipe => {
            let _ = writeln!(io::stderr(), "genvisa: {}", StdoutError::of(failure));
            std::process::exit(1)
        }
        _ => std::process::exit(code),
    }
}

/// Checks that standard input is read once, that the output is not an input, and that options have an
/// effect.
fn check(command: &Command) -> Result<(), String> {
    command.check()?;
    let files: Vec<PathBuf> = command.inputs().iter().map(|path| split_choice(path).0).collect();
    if files.iter().filter(|path| is_standard(path)).count() > 1 {
        return Err("standard input can be read only once".into());
    }
    let Some(output) = command.output() else { return Ok(()) };
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    match same_as(&output, &files) {
        // A .isa file instead of a text is reported when it is read.
        Some(same) if command.reads_as_text(same) && is_object(same) => Ok(()),
        Some(same) => Err(output_is_input(&output, same)),
        None => Ok(()),
    }
}

fn is_object(path: &Path) -> bool {
    of_file(path).is_ok_and(|kind| kind == Some(FileKind::Object))
}

/// What several commands can do has the same options everywhere.
#[test]
fn commands_share_the_names_of_options() {
    for command in command().get_subcommands() {
        let has = |name: &str| {
            command.get_arguments().any(|argument| {
                let aliases = argument.get_visible_aliases().unwrap_or_default();
                argument.get_long() == Some(name) || aliases.contains(&name)
            })
        };
        let prints_json = command.get_arguments().any(|argument| {
            argument.get_possible_values().iter().any(|value| value.get_name() == "json")
        });
        assert_eq!(has("routine"), has("kernel"), "{}", command.get_name());
        assert!(!prints_json || has("json"), "{}", command.get_name());
    }
}
