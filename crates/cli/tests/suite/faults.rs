//! Faults of the environment: full disks, limits, signals, closed pipes and files that change.
//!
//! Each command is tried with each fault. `docs/faults.md` contains the results. To update its tables:
//! `GENVISA_BLESS=1 cargo test -p genvisa-cli --test suite -- faults`.

mod inputs;
mod limits;
mod outputs;
mod strace;
mod streams;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Mutex;

/// Returns whether all steps are tried, instead of a sample.
fn tries_all() -> bool {
    std::env::var("GENVISA_FAULTS").is_ok_and(|value| value == "all")
}

/// Returns the exit code, or the name of the signal that ended the process.
fn end_of(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => code.to_string(),
        (None, Some(1)) => "SIGHUP".into(),
        (None, Some(2)) => "SIGINT".into(),
        (None, Some(3)) => "SIGQUIT".into(),
        (None, Some(6)) => "SIGABRT".into(),
        (None, Some(9)) => "SIGKILL".into(),
        (None, Some(11)) => "SIGSEGV".into(),
        (None, Some(15)) => "SIGTERM".into(),
        (None, signal) => panic!("signal {signal:?}"),
    }
}

/// Compares a table with the table in a section of `docs/faults.md`. A result that could not be tried is
/// `None`.
fn assert_documented(section: &str, head: &[&str], rows: &[(String, Vec<Option<String>>)]) {
    if rows.iter().any(|(_, cells)| cells.contains(&None)) {
        eprintln!("skipped: the table `{section}` is not compared, because faults were not tried");
        return;
    }
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let mut table = line([&["Command"], head].concat());
    table += &format!("|{}\n", "---|".repeat(head.len() + 1));
    for (name, cells) in rows {
        let cells = cells.iter().flatten().map(String::as_str);
        table += &line([name.as_str()].into_iter().chain(cells).collect());
    }
    // Several tests may write to the document.
    static LOCK: Mutex<()> = Mutex::new(());
    let _lock = LOCK.lock();
    let path = crate::repository("docs/faults.md");
    let document = fs::read_to_string(&path).expect("a document");
    let (_, rest) = document.split_once(&format!("\n## {section}\n")).expect("a section");
    let (_, rest) = rest.split_once("\n|").expect("a table");
    let (old, _) = rest.split_once("\n\n").expect("the end of the table");
    let old = format!("|{old}\n");
    if std::env::var_os("GENVISA_BLESS").is_some() {
        fs::write(&path, document.replace(&old, &table)).expect("a writable document");
    } else {
        assert_eq!(old, table, "{section}");
    }
}
