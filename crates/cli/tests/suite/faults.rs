//! Faults of the environment: full disks, signals, closed pipes and files that change.

mod inputs;
mod outputs;
mod strace;
mod streams;

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// Returns the exit code, or the name of the signal that ended the process.
fn end_of(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => code.to_string(),
        (None, Some(1)) => "SIGHUP".into(),
        (None, Some(2)) => "SIGINT".into(),
        (None, Some(3)) => "SIGQUIT".into(),
        (None, Some(9)) => "SIGKILL".into(),
        (None, Some(15)) => "SIGTERM".into(),
        (None, Some(25)) => "SIGXFSZ".into(),
        (None, signal) => panic!("signal {signal:?}"),
    }
}
