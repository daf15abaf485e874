//! The option for the `.asm` files of the finalizer.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};

use crate::words::{count, shown};

#[derive(Args)]
pub struct AsmArgs {
    /// Read the .asm file that the finalizer wrote for the input: ASM, or the file beside the input
    /// with the same name up to the suffix. With several inputs, state ASM for each, in their order
    #[arg(
        long,
        value_name = "ASM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        value_parser = OsStringValueParser::new().map(AsmFile::from)
    )]
    asm: Vec<AsmFile>,
}

/// Where an `.asm` file is.
#[derive(Clone)]
pub enum AsmFile {
    /// Beside the input.
    Beside,
    Named(PathBuf),
}

impl From<OsString> for AsmFile {
    fn from(name: OsString) -> AsmFile {
        match name.is_empty() {
            true => AsmFile::Beside,
            false => AsmFile::Named(name.into()),
        }
    }
}

impl AsmArgs {
    /// Returns whether the option is present.
    pub fn is_present(&self) -> bool {
        !self.asm.is_empty()
    }

    /// Returns the files that the user names.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.asm.iter().filter_map(|file| match file {
            AsmFile::Beside => None,
            AsmFile::Named(path) => Some(path.as_path()),
        })
    }

    /// Returns where the file of an input is, if the option is present.
    pub fn of_input(&self, index: usize) -> Option<&AsmFile> {
        match self.files().next() {
            Some(_) => self.asm.get(index),
            None => self.asm.first(),
        }
    }

    /// Checks that the user names a file for each input, or none.
    pub fn check(&self, inputs: &[&Path]) -> Result<(), String> {
        if self.files().next().is_none() {
            return Ok(());
        }
        if let Some(folder) = inputs.iter().find(|input| input.is_dir()) {
            let folder = shown(folder);
            return Err(format!(
                "`{folder}` is a folder; --asm without a name finds the files in it"
            ));
        }
        match self.asm.len() == inputs.len() {
            true => Ok(()),
            false => {
                let options = count(self.asm.len(), "option");
                let inputs = count(inputs.len(), "input");
                Err(format!(
                    "{options} --asm for {inputs}: state --asm=ASM for each, or --asm once"
                ))
            }
        }
    }
}
