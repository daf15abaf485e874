//! Faults of system calls, which `strace` injects.

use std::collections::BTreeMap;
use std::fs;

use super::outputs::{Attempt, Writer};

/// The calls that rename a file. An architecture may lack some.
pub const RENAME: &str = "?rename,?renameat,?renameat2";

/// The calls that use files.
const FILES: &str = "openat,read,write,fdatasync,?chmod,fchmod,?rename,?renameat,?renameat2,?unlink,\
                     unlinkat,copy_file_range,sendfile";

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
    pub fn program(&self) -> Vec<String> {
        let inject = format!("inject={}:{}:when={}", self.calls, self.fault, self.when);
        let trace = format!("trace={}", self.calls);
        program(&["-o", "/dev/null", "-e", &trace, "-e", &inject])
    }
}

/// Returns `strace` with options.
pub fn program(options: &[&str]) -> Vec<String> {
    let line = [&STRACE[..], &["-f", "-qq"], options].concat();
    line.into_iter().map(String::from).collect()
}

/// Returns the calls of a command that use files, each with its number among the calls of its name.
pub fn steps(attempt: &Attempt, writer: &Writer) -> Vec<(String, usize)> {
    let trace = format!("trace={FILES}");
    let program = program(&["-e", "signal=none", "-o", "log", "-e", &trace]);
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
    log.lines().filter_map(step).collect()
}
