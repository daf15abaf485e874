//! The exit codes.

use std::fmt::Write;

/// The exit codes with their meanings, and the commands that a meaning is limited to. If several
/// apply, the exit code is the largest.
const EXIT_CODES: [(u8, &str, &[&str]); 9] = [
    (0, "Success", &[]),
    (1, "An input has an error, or an input or output failed", &[]),
    (1, "The bytes of a file differ", &["roundtrip"]),
    (1, "A finding is an error", &["verify", "check"]),
    (1, "With --strict, a block was checked only in part or not read", &["check"]),
    (1, "There are differences", &["diff"]),
    (1, "Nothing was found", &["extract"]),
    (2, "The command line has an error", &[]),
    (2, "An input cannot be read", &["check", "diff"]),
];

/// Returns the section of the help about exit codes: those of a command, or all of them.
pub fn help(command: Option<&str>) -> String {
    let mut help = String::from("Exit codes:");
    for (code, meaning, commands) in EXIT_CODES {
        let is_limited = !commands.is_empty();
        if command.is_some_and(|command| is_limited && !commands.contains(&command)) {
            continue;
        }
        // Writing to a string never fails.
        let _ = write!(help, "\n  {code}  {meaning}");
        if command.is_none() && is_limited {
            let _ = write!(help, " ({})", commands.join(", "));
        }
    }
    help
}
