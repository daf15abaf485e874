//! Running GenX_IR of IGC, which compiles text.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::genx_ir::wait;

/// The version of IGC that the tests require. With another one, disagreements are only reported.
const IGC: &str = "2.40.14";

/// Far more than a run needs. For some instructions, the tool allocates without limit.
const MEMORY_LIMIT_KIB: u32 = 4 << 20;

/// Returns whether the version of a program of the compiler, in a file next to it, is the one that
/// the tests require. If not, disagreements do not fail a test.
pub fn is_tested_version(program: &Path) -> bool {
    let version = fs::read_to_string(program.with_file_name("version")).unwrap_or_default();
    let is_tested = version.starts_with(IGC);
    if !is_tested {
        eprintln!("IGC {} is not {IGC}: disagreements are only reported", version.trim());
    }
    is_tested
}

/// Parts of the lines that say nothing about the text: the command, and where the errors are.
const NOT_MESSAGES: [&str; 5] =
    ["-platform", "Found a total of", "Please check", "errors.txt", "for the exact error messages"];

/// An installed compiler.
pub struct Compiler {
    program: PathBuf,
    /// Whether disagreements fail a test.
    pub is_tested: bool,
}

impl Compiler {
    /// Returns the compiler, if there is one.
    pub fn find() -> Option<Compiler> {
        env::var_os("GENVISA_GENX_IR_TODAY").map(|_| Compiler::required())
    }

    /// Returns the compiler.
    ///
    /// # Panics
    /// `GENVISA_GENX_IR_TODAY` is not the path of a program.
    pub fn required() -> Compiler {
        let program = env::var_os("GENVISA_GENX_IR_TODAY").expect("GENVISA_GENX_IR_TODAY");
        let program = PathBuf::from(program);
        assert!(program.is_file(), "GENVISA_GENX_IR_TODAY is not a program: {}", program.display());
        let is_tested = is_tested_version(&program);
        Compiler { program, is_tested }
    }

    /// Compiles a text in a folder, where the compiler also writes its other output. Returns the status
    /// of the process; `log` in the folder is what it printed.
    pub fn run(&self, folder: &Path, text: &str, platform: &str, options: &[&str]) -> String {
        let run = || -> io::Result<String> {
            fs::write(folder.join("t.visaasm"), text)?;
            let log = File::create(folder.join("log"))?;
            let limited = format!("ulimit -v {MEMORY_LIMIT_KIB} && exec \"$0\" \"$@\"");
            let mut child = Command::new("sh")
                .args(["-c", &limited])
                .arg(&self.program)
                .args(["t.visaasm", "-platform", platform])
                .args(options)
                .current_dir(folder)
                .stdin(Stdio::null())
                .stdout(log.try_clone()?)
                .stderr(log)
                .spawn()?;
            if let Some(status) = wait(&mut child)? {
                return Ok(status.to_string());
            }
            child.kill()?;
            child.wait()?;
            Ok("still running".into())
        };
        run().expect("running GenX_IR")
    }

    /// Returns the machine code of a text, or the errors of the compiler.
    pub fn compile(&self, text: &str, platform: &str) -> Result<Vec<u8>, String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let status = self.run(folder.path(), text, platform, &["-binary"]);
        let mut errors = String::new();
        for entry in fs::read_dir(folder.path()).expect("its folder").flatten() {
            if entry.file_name().to_string_lossy().ends_with("errors.txt") {
                errors += &fs::read_to_string(entry.path()).unwrap_or_default();
            }
        }
        match fs::read(folder.path().join("t.dat")) {
            Ok(code) if errors.is_empty() && status == "exit status: 0" => Ok(code),
            _ => {
                let log = fs::read(folder.path().join("log")).unwrap_or_default();
                let log = String::from_utf8_lossy(&log).into_owned();
                let messages = errors.lines().chain(log.lines()).map(str::trim);
                let messages = messages.filter(|line| {
                    !line.is_empty() && !NOT_MESSAGES.iter().any(|part| line.contains(part))
                });
                let messages: Vec<&str> = messages.take(4).collect();
                let messages =
                    if messages.is_empty() { "no message".into() } else { messages.join(" | ") };
                Err(format!("{status}: {messages}"))
            }
        }
    }
}
