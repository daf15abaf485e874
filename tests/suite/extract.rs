//! Tests of `genvisa extract` and `genvisa pack`: vISA inside other files.

mod choice;
mod elf;
mod files;
mod packages;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::tour;

/// Runs the tool with arguments and a path.
fn tool(args: &[&str], path: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_genvisa")).args(args).arg(path).output().expect("it runs")
}

/// Returns the list of what a file contains, as JSON.
fn list(path: &Path) -> Value {
    let output = tool(&["extract", "--list", "--json"], path);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {}", String::from_utf8_lossy(&output.stderr));
    });
    value[0].clone()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns a `.isa` file with a kernel of this name.
fn object(name: &str) -> Vec<u8> {
    let mut module = tour::module(genvisa::Format::default()).expect("a module");
    module.kernels[0].name = name.into();
    module.to_bytes().expect("an encodable module")
}
