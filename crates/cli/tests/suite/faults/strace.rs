//! Faults of system calls, which `strace` injects.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::sync::OnceLock;

use super::outputs::{Attempt, Writer};

/// The calls that rename a file. An architecture may lack some.
pub const RENAME: &str = "?rename,?renameat,?renameat2";

/// The calls that use files, and those that defer signals.
const FILES: &str = "openat,read,write,fdatasync,?chmod,fchmod,?rename,?renameat,?renameat2,?unlink,\
                         unlinkat,rt_sigprocmask,copy_file_range,sendfile";

/// `strace` with the default handling of signals: `nohup`, for example, ignores SIGHUP.
const STRACE: [&str; 3] = ["env", "--default-signal", "strace"];

/// A fault of the `when`th of the calls of a name.
pub struct Injected<'f> {
    pub calls: &'f str,
    pub fault: &'f str,
    pub when: usize,
}

impl Injected<'_> {
    /// Returns the program and the arguments before the command that it runs.
    pub fn program(&self) -> Option<Vec<String>> {
        let inject = format!("inject={}:{}:when={}", self.calls, self.fault, self.when);
        let trace = format!("trace={}", self.calls);
        program(&["-o", "/dev/null", "-e", &trace, "-e", &inject])
    }
}

/// Returns `strace` with options, or `None` if it cannot be used.
pub fn program(options: &[&str]) -> Option<Vec<String>> {
    static IS_USABLE: OnceLock<bool> = OnceLock::new();
    let is_usable = *IS_USABLE.get_or_init(|| {
        let [env, options @ ..] = STRACE;
        let output = Command::new(env).args(options).args(["-o", "/dev/null", "true"]).output();
        let is_usable = output.is_ok_and(|output| output.status.success());
        if !is_usable {
            eprintln!("skipped: there is no `strace`, or it may not trace");
        }
        is_usable
    });
    let line = [&STRACE[..], &["-f", "-qq"], options].concat();
    is_usable.then(|| line.into_iter().map(String::from).collect())
}

/// Returns the calls of a command that use files, each with its number among the calls of its name.
pub fn steps(attempt: &Attempt, writer: &Writer) -> Option<Vec<(String, usize)>> {
    let trace = format!("trace={FILES}");
    let program = program(&["-e", "signal=none", "-o", "log", "-e", &trace])?;
    let output = attempt.run(&program, writer);
    assert!(output.status.success(), "{output:?}");
    let log = fs::read_to_string(attempt.folder.path().join("log")).expect("a log");
    let mut numbers = BTreeMap::new();
    let step = |line: &str| {
        let (call, _) = line.split_once('(')?;
        let name = call.rsplit(' ').next()?.to_owned();
        let number = numbers.entry(name.clone()).and_modify(|number| *number += 1).or_insert(1);
        Some((name, *number))
    };
    Some(log.lines().filter_map(step).collect())
}
