//! Running GenX_IR, the reference disassembler (Debian package `libigc-tools`).

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const PROGRAM: &str = "GenX_IR";

/// What the kernel's attribute `AsmName` must say: the tool names the text after it.
pub const ASM_NAME: &str = "oracle";

/// Far more than a run takes; one that takes longer hangs.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// Far more than a run takes; some instructions make the tool allocate without end.
const MEMORY_LIMIT_KIB: u32 = 1 << 20;

/// Whether tests that need the tool can run.
///
/// Says so where they cannot, and fails where the environment demands that they do.
pub fn is_installed() -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    if env::split_paths(&path).any(|folder| folder.join(PROGRAM).is_file()) {
        return true;
    }
    let missing = "GenX_IR (Debian package libigc-tools) is not installed";
    assert!(env::var_os("GENVISA_REQUIRE_ORACLE").is_none(), "{missing}");
    eprintln!("skipped: {missing}");
    false
}

/// The text of a file's only kernel, or what the tool said instead.
pub fn disassemble(file: &[u8], platform: &str) -> Result<String, String> {
    texts(file, platform, &[ASM_NAME]).map(|mut texts| texts.remove(0))
}

/// The texts of the routines whose attributes `AsmName` say these names, or what the tool said
/// instead.
///
/// The tool goes on to compile what it has read, which may fail or crash. That is none of our
/// business: it writes the text first, so its exit status counts only where there is no text.
pub fn texts(file: &[u8], platform: &str, names: &[&str]) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let status = run(folder.path(), file, platform, &[]).expect("running GenX_IR");
    let read = |name: &str| fs::read_to_string(folder.path().join(name));
    let text = |name: &&str| {
        read(&format!("{name}.visaasm")).map_err(|_| {
            let log = read("log").unwrap_or_default();
            format!("GenX_IR wrote no text; {status}; it said: {log}")
        })
    };
    names.iter().map(text).collect()
}

/// What the tool's verifier says of a file's only kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing.
    Clean,
    /// What is wrong, a message each.
    Findings(Vec<String>),
    /// It crashed, or hung, before it could say anything.
    Crash(String),
}

/// Runs the tool's verifier. It writes the text first, and its findings to a file if there are any;
/// what happens behind that is code generation, and none of our business.
pub fn verdict(file: &[u8], platform: &str) -> Verdict {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let status = run(folder.path(), file, platform, &[]).expect("running GenX_IR");
    let read = |name: &str| fs::read(folder.path().join(name));
    if let Ok(errors) = read(&format!("{ASM_NAME}.errors.txt")) {
        let errors = String::from_utf8_lossy(&errors).into_owned();
        let messages = errors.lines().filter_map(|line| {
            let line = line.trim();
            line.strip_prefix("Error Message: ").or_else(|| line.strip_prefix("* "))
        });
        return Verdict::Findings(messages.map(Into::into).collect());
    }
    match read(&format!("{ASM_NAME}.visaasm")) {
        Ok(_) => Verdict::Clean,
        Err(_) => Verdict::Crash(status),
    }
}

/// The machine code of a file's only kernel, or why the tool makes none or complains.
pub fn finalize(file: &[u8], platform: &str) -> Result<Vec<u8>, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let status = run(folder.path(), file, platform, &["-binary"]).expect("running GenX_IR");
    let read = |name: &str| fs::read_to_string(folder.path().join(name));
    if let Ok(errors) = read(&format!("{ASM_NAME}.errors.txt")) {
        return Err(errors);
    }
    let machine_code = fs::read(folder.path().join(format!("{ASM_NAME}.dat")));
    machine_code
        .map_err(|_| format!("no machine code; {status}; {}", read("log").unwrap_or_default()))
}

/// Runs the tool in a folder of its own, since it scatters files about the current one.
fn run(folder: &Path, file: &[u8], platform: &str, more: &[&str]) -> io::Result<String> {
    fs::write(folder.join("oracle.isa"), file)?;
    let log = File::create(folder.join("log"))?;
    let limited = format!("ulimit -v {MEMORY_LIMIT_KIB} && exec {PROGRAM} \"$@\"");
    let mut child = Command::new("sh")
        .args(["-c", &limited, "sh", "oracle.isa", "-platform", platform, "-dumpcommonisa"])
        .args(more)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .spawn()?;
    match wait(&mut child)? {
        Some(status) => Ok(status.to_string()),
        None => {
            child.kill()?;
            child.wait()?;
            Ok(format!("still running after {TIME_LIMIT:?}"))
        }
    }
}

/// Waits for the child to end, or gives up.
pub fn wait(child: &mut Child) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    while start.elapsed() < TIME_LIMIT {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok(None)
}
