//! Running ocloc, Intel's offline compiler.

use std::ffi::OsStr;
use std::path::{self, Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use crate::words::{printable, shown};

/// An installed compiler.
pub struct Ocloc {
    program: PathBuf,
}

impl Ocloc {
    /// Returns the compiler of a path. A name without folder is searched in PATH.
    pub fn new(program: &Path) -> anyhow::Result<Ocloc> {
        let program = match program.components().count() {
            1 => program.to_path_buf(),
            _ => path::absolute(program)?,
        };
        Ok(Ocloc { program })
    }

    /// Compiles a source file for a device. The compiler writes its dumps and its output to a folder. Returns
    /// what it prints if it refuses the file.
    pub fn compile<S: AsRef<OsStr>>(
        &self,
        folder: &Path,
        file: &Path,
        device: &str,
        options: impl IntoIterator<Item = S>,
    ) -> anyhow::Result<Result<(), String>> {
        let ran = Command::new(&self.program)
            .args(["compile", "-device", device, "-file"])
            .arg(path::absolute(file)?)
            .args(options)
            .env("IGC_ShaderDumpEnable", "1")
            .env("IGC_DumpToCurrentDir", "1")
            .current_dir(folder)
            .output()
            .with_context(|| format!("cannot run `{}`", shown(&self.program)))?;
        if ran.status.success() {
            return Ok(Ok(()));
        }
        let printed = [ran.stdout, ran.stderr].concat();
        let printed = String::from_utf8_lossy(&printed);
        let lines = printed.lines().filter(|line| !line.trim().is_empty());
        let lines: Vec<String> = lines.map(printable).collect();
        let (file, program) = (shown(file), shown(&self.program));
        let head = format!("{file}: `{program}` for {device}: {}", ran.status);
        Ok(Err(format!("{head}\n{}", lines.join("\n"))))
    }
}
