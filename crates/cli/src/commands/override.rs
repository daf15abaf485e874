//! `genvisa override`: puts an edited text where the compiler reads it instead of its own.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Command};

use super::equiv::Equiv;
use super::verify::Verify;
use super::{CommandLine, Run};
use crate::input::read;
use crate::output::{Batch, Output};
use crate::words::{count, shown};

/// Check an edit of a dump, and put it where IGC reads it
///
/// DUMP is a .visaasm file that IGC wrote with IGC_ShaderDumpEnable, and EDITED what replaces it. EDITED is
/// verified and compared with DUMP, which needs the .zeinfo file of the same dump (IGC_DumpZEInfoToFile) beside
/// DUMP. Then it is written to DIR with the name of DUMP, by which IGC finds it. The texts of functions of DUMP
/// are copied, because IGC needs all of them.
///
/// Only debug builds of IGC read the folder.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa override OCL_asm1f_simd32_entry_0001.visaasm edited.visaasm -o overrides/
  genvisa override dumps/OCL_asm1f_simd32_entry_0001.visaasm edited.visaasm -o /tmp/IntelIGC/ShaderOverride")]
pub struct Override {
    /// The text that IGC dumped
    #[arg(value_name = "DUMP")]
    pub dump: PathBuf,
    /// The text that replaces it
    #[arg(value_name = "EDITED")]
    pub edited: PathBuf,
    /// The folder that IGC reads, which is created
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,
    /// The .zeinfo file [default: the one whose name DUMP begins with]
    #[arg(long, value_name = "ZEINFO")]
    pub info: Option<PathBuf>,
    /// Write the text even if it has errors or computes something else, and replace files
    #[arg(long)]
    pub force: bool,
}

impl Run for Override {
    fn run(&self, out: &mut Output, cli: CommandLine) -> anyhow::Result<()> {
        let name = self.dump.file_name().context("DUMP has no name")?;
        let edited = self.edited.as_os_str();
        // It exists even if nothing is compared with it.
        read(&self.dump)?;
        command::<Verify>(&["--".as_ref(), edited])?.run(out, cli)?;
        match self.info.clone().or_else(|| info_beside(&self.dump)) {
            Some(info) => {
                let (info, dump) = (info.as_os_str(), self.dump.as_os_str());
                let args = ["--info".as_ref(), info, "--".as_ref(), dump, edited];
                command::<Equiv>(&args)?.run(out, cli)?;
            }
            None => out.warn(format_args!(
                "there is no .zeinfo file beside `{}`, so the kernels were not compared",
                shown(&self.dump)
            ))?,
        }
        if out.has_failed() && !self.force {
            bail!("nothing was written (--force writes the text in any case)");
        }
        fs::create_dir_all(&self.output)
            .with_context(|| format!("cannot create `{}`", shown(&self.output)))?;
        let mut batch = Batch::default();
        let mut add = |from: &Path, name: &OsStr| -> anyhow::Result<()> {
            batch.add(&self.output.join(name), &read(from)?)?;
            Ok(())
        };
        add(&self.edited, name)?;
        let functions = functions_of(&self.dump);
        for function in &functions {
            add(function, function.file_name().unwrap_or_default())?;
        }
        batch.commit(self.force)?;
        let folder = shown(&self.output);
        let functions = match functions.len() {
            0 => String::new(),
            number => format!(" with {}", count(number, "function")),
        };
        writeln!(out, "wrote `{}`{functions}", shown(&self.output.join(name)))?;
        writeln!(out, "IGC_ShaderOverride=1 IGC_ShaderOverrideFromDir={folder}")?;
        Ok(())
    }

    fn inputs(&self) -> Vec<&Path> {
        [&*self.dump, &*self.edited].into_iter().chain(self.info.as_deref()).collect()
    }

    fn output(&self) -> Option<PathBuf> {
        self.dump.file_name().map(|name| self.output.join(name))
    }
}

/// Returns a command with these options.
fn command<C: Args>(args: &[&OsStr]) -> anyhow::Result<C> {
    let words = [OsStr::new("genvisa")].into_iter().chain(args.iter().copied());
    let matches = C::augment_args(Command::new("genvisa")).try_get_matches_from(words)?;
    Ok(C::from_arg_matches(&matches)?)
}

/// Returns the .zeinfo file in the folder of a dump whose name is the longest start of the dump's.
fn info_beside(dump: &Path) -> Option<PathBuf> {
    let name = dump.file_name()?.to_string_lossy().into_owned();
    let mut found: Vec<PathBuf> = siblings(dump);
    found.retain(|path| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        path.extension() == Some("zeinfo".as_ref()) && name.starts_with(&*stem)
    });
    found.into_iter().max_by_key(|path| path.as_os_str().len())
}

/// Returns the texts of the functions of a dump: `DUMP_f0.visaasm` and so on.
fn functions_of(dump: &Path) -> Vec<PathBuf> {
    let Some(stem) = dump.file_stem() else { return Vec::new() };
    let start = format!("{}_f", stem.to_string_lossy());
    let mut found = siblings(dump);
    found.retain(|path| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let number = stem.strip_prefix(&start).unwrap_or_default();
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number && path.extension() == dump.extension()
    });
    found.sort();
    found
}

fn siblings(dump: &Path) -> Vec<PathBuf> {
    let folder = dump.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten();
    entries.flatten().map(|entry| entry.path()).collect()
}
