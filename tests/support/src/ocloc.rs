//! Running ocloc, today's offline compiler, which reads vISA text as inline assembly of OpenCL C.

use std::env;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::genx_ir::wait;
use super::genx_ir_today::is_tested_version;

/// Far more than a run needs. For some instructions, the compiler allocates without limit.
const MEMORY_LIMIT_KIB: u32 = 4 << 20;

/// An installed compiler.
pub struct Ocloc {
    program: PathBuf,
    /// Whether disagreements fail a test.
    pub is_tested: bool,
}

/// The verdict of the compiler on a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It compiles the text.
    Accepted,
    /// Its messages.
    Refused(String),
    /// It ended abnormally.
    Crashed,
}

impl Verdict {
    /// Returns the word for the verdict in `tests/data/text-4.2.txt`.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Accepted => "accepted",
            Verdict::Refused(_) => "refused",
            Verdict::Crashed => "crashed",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Refused(messages) => write!(f, "refused: {messages}"),
            verdict => f.write_str(verdict.name()),
        }
    }
}

impl Ocloc {
    /// Returns the compiler, if there is one.
    pub fn find() -> Option<Ocloc> {
        let beside = |path: PathBuf| path.with_file_name("ocloc");
        let variable = |name: &str| env::var_os(name).map(PathBuf::from);
        let program = variable("GENVISA_OCLOC_TODAY").or_else(|| {
            variable("GENVISA_GENX_IR_TODAY").map(beside).filter(|program| program.is_file())
        })?;
        assert!(program.is_file(), "GENVISA_OCLOC_TODAY: {}", program.display());
        let is_tested = is_tested_version(&program);
        Some(Ocloc { program, is_tested })
    }

    /// Returns the compiler.
    ///
    /// # Panics
    /// There is none.
    pub fn required() -> Ocloc {
        Ocloc::find().expect("GENVISA_OCLOC_TODAY is not set")
    }

    /// Returns the path of the compiler.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Returns the verdict on a text in a scope, in a kernel of 16 lanes.
    pub fn ask(&self, text: &str, device: &str) -> Verdict {
        self.compile(&source(text), device)
    }

    /// Returns the verdict on a program in OpenCL C.
    pub fn compile(&self, source: &str, device: &str) -> Verdict {
        let folder = tempfile::tempdir().expect("a temporary folder");
        self.compile_in(folder.path(), source, device)
    }

    /// Returns the verdict on a program in OpenCL C. The compiler writes its dumps to a folder.
    pub fn compile_in(&self, folder: &Path, source: &str, device: &str) -> Verdict {
        self.compile_with(folder, source, device, "")
    }

    /// Like [`compile_in`](Self::compile_in), with options of the compiler.
    pub fn compile_with(
        &self,
        folder: &Path,
        source: &str,
        device: &str,
        options: &str,
    ) -> Verdict {
        let status = self.run(folder, source, device, options).expect("running ocloc");
        if status == "exit status: 0" {
            return Verdict::Accepted;
        }
        let mut messages = String::new();
        for entry in fs::read_dir(folder).expect("its folder").flatten() {
            let name = entry.file_name();
            if name == "log" || name.to_string_lossy().ends_with("errors.txt") {
                let text = fs::read(entry.path()).unwrap_or_default();
                messages += &String::from_utf8_lossy(&text);
            }
        }
        // A signal may end it before or after it has written messages.
        let is_crash = status.starts_with("signal")
            || messages.contains("Abnormal termination")
            || messages.is_empty();
        match is_crash || status == "still running" {
            true => Verdict::Crashed,
            false => Verdict::Refused(summary(&messages)),
        }
    }

    /// Returns the device binary of a program in OpenCL C with the texts of its kernels, or the messages
    /// of the compiler.
    pub fn binary(&self, source: &str, device: &str, options: &str) -> Result<Vec<u8>, String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let folder = folder.path();
        let internal = ["-internal_options", "-ze-emit-zebin-visa-sections"];
        let output = ["-output_no_suffix", "-output", "a"];
        let arguments = [&internal[..], &output].concat();
        let status =
            self.start(folder, source, device, options, &arguments).expect("running ocloc");
        match fs::read(folder.join("a.bin")) {
            Ok(binary) if status == "exit status: 0" => Ok(binary),
            _ => {
                let log = fs::read(folder.join("log")).unwrap_or_default();
                Err(format!("{status}: {}", summary(&String::from_utf8_lossy(&log))))
            }
        }
    }

    fn run(&self, folder: &Path, source: &str, device: &str, options: &str) -> io::Result<String> {
        self.start(folder, source, device, options, &[])
    }

    fn start(
        &self,
        folder: &Path,
        source: &str,
        device: &str,
        options: &str,
        arguments: &[&str],
    ) -> io::Result<String> {
        fs::write(folder.join("a.cl"), source)?;
        let log = File::create(folder.join("log"))?;
        let limited = format!("ulimit -v {MEMORY_LIMIT_KIB} && exec \"$0\" \"$@\"");
        let mut child = Command::new("sh")
            .args(["-c", &limited])
            .arg(&self.program)
            .args(["compile", "-file", "a.cl", "-device", device, "-options"])
            .arg(format!("-cl-std=CL3.0 {options}"))
            .args(arguments)
            // The dumps contain the errors of the verifier.
            .env("IGC_ShaderDumpEnable", "1")
            .env("IGC_DumpToCurrentDir", "1")
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
                Ok("still running".into())
            }
        }
    }
}

/// Returns a kernel of 16 lanes that contains a text as inline assembly.
fn source(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    // A percent sign introduces an operand of the assembly.
    let text = text.replace('%', "%%");
    format!(
        "__attribute__((intel_reqd_sub_group_size(16)))\n\
         kernel void k(global int* p) {{\n\
         int x = p[get_global_id(0)]; int y = 0;\n\
         __asm__ volatile (\"{{\\n{text}\\n}}\\n\" : \"+rw\"(y) : \"rw\"(x));\n\
         p[get_global_id(0)] = y;\n\
         }}\n"
    )
}

/// Returns the start of the messages in one line.
fn summary(messages: &str) -> String {
    let words: Vec<&str> = messages.split_whitespace().collect();
    words.join(" ").chars().take(800).collect()
}
