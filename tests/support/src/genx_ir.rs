//! Running GenX_IR, the disassembler of IGC (Debian package `libigc-tools`).

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const PROGRAM: &str = "GenX_IR";

/// The value of the kernel attribute `AsmName`, after which the tool names its output files.
pub const ASM_NAME: &str = "oracle";

/// Far more than a run needs. A run that takes longer hangs.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// Far more than a run needs. For some instructions, the tool allocates without limit.
const MEMORY_LIMIT_KIB: u32 = 1 << 20;

/// Returns whether the tool is installed.
pub fn is_installed() -> bool {
    program().is_some()
}

fn program() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut programs = env::split_paths(&path).map(|folder| folder.join(PROGRAM));
    programs.find(|program| program.is_file())
}

/// Returns the words in the program, of at most 24 letters, digits and underscores.
pub fn words() -> BTreeSet<String> {
    let bytes = fs::read(program().expect("the program is installed")).expect("a program");
    let is_in_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let words = bytes.split(|byte| !is_in_word(byte)).filter(|word| (2..=24).contains(&word.len()));
    let words = words.filter(|word| !word[0].is_ascii_digit());
    words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// Returns the text of a file's only kernel, or the messages of the tool.
pub fn disassemble(file: &[u8], platform: &str) -> Result<String, String> {
    texts(file, platform, &[ASM_NAME]).map(|mut texts| texts.remove(0))
}

/// Returns the texts of the routines with these names as attributes `AsmName`, or the messages of
/// the tool.
///
/// After it has written the text, the tool compiles the file, which may fail or crash. The exit
/// status is therefore used only if there is no text.
pub fn texts(file: &[u8], platform: &str, names: &[&str]) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let status = run(folder.path(), FILE, file, platform, &[]).expect("running GenX_IR");
    let read = |name: &str| fs::read_to_string(folder.path().join(name));
    let text = |name: &&str| {
        read(&format!("{name}.visaasm")).map_err(|_| {
            let log = read("log").unwrap_or_default();
            format!("GenX_IR wrote no text; {status}; its log: {log}")
        })
    };
    names.iter().map(text).collect()
}

/// The result of the tool's verifier for a file's only kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No errors.
    Clean,
    /// One message per error.
    Findings(Vec<String>),
    /// The exit status of a tool that crashed or hung before it verified the kernel.
    Crash(String),
}

/// Runs the tool's verifier.
///
/// The tool writes the text, then a file with the errors if there are any. Code generation comes
/// later and is ignored.
pub fn verdict(file: &[u8], platform: &str) -> Verdict {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let status = run(folder.path(), FILE, file, platform, &[]).expect("running GenX_IR");
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

/// Returns the machine code of a file's only kernel, or the errors of the tool. The kernel has the
/// attribute `AsmName` with the value [`ASM_NAME`].
pub fn compile(file: &[u8], platform: &str) -> Result<Vec<u8>, String> {
    compiled(FILE, file, platform)
}

/// Returns the machine code of a text's only kernel, or the errors of the tool.
pub fn compile_text(text: &str, platform: &str) -> Result<Vec<u8>, String> {
    compiled("oracle.visaasm", text.as_bytes(), platform)
}

fn compiled(name: &str, input: &[u8], platform: &str) -> Result<Vec<u8>, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let status = run(folder.path(), name, input, platform, &["-binary"]).expect("running GenX_IR");
    let read = |name: &str| fs::read_to_string(folder.path().join(name));
    if let Ok(errors) = read(&format!("{ASM_NAME}.errors.txt")) {
        return Err(errors);
    }
    let machine_code = fs::read(folder.path().join(format!("{ASM_NAME}.dat")));
    machine_code
        .map_err(|_| format!("no machine code; {status}; {}", read("log").unwrap_or_default()))
}

/// The name of an object file in the folder of the tool.
const FILE: &str = "oracle.isa";

/// Runs the tool in a folder of its own: it writes many files to the current folder.
fn run(
    folder: &Path,
    name: &str,
    input: &[u8],
    platform: &str,
    more: &[&str],
) -> io::Result<String> {
    fs::write(folder.join(name), input)?;
    let log = File::create(folder.join("log"))?;
    let limited = format!("ulimit -v {MEMORY_LIMIT_KIB} && exec {PROGRAM} \"$@\"");
    let mut child = Command::new("sh")
        .args(["-c", &limited, "sh", name, "-platform", platform, "-dumpcommonisa"])
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

/// Waits until the child ends. Returns `None` after [`TIME_LIMIT`].
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
