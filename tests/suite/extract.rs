//! Tests of `genvisa extract` and `genvisa pack`.

mod array;
mod place;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use genvisa::Format;
use genvisa::object::{Module, Name};

use crate::tour;

/// Runs the tool in a folder.
fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_genvisa"));
    command.current_dir(folder).args(args).output().expect("the tool runs")
}

/// Runs the tool in a folder. It must succeed.
fn run_well(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {stderr}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Runs the tool in a folder. It must fail. Returns its messages.
fn run_badly(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// Extracts from a file in a folder. Returns the symbols of the objects with their bytes.
fn extracted(folder: &Path, file: &str) -> Vec<(Option<String>, Vec<u8>)> {
    let json = run_well(folder, &["extract", "--json", "--force", "-o", "out", file]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let objects = json[0]["objects"].as_array().expect("objects");
    let symbol = |object: &serde_json::Value| object["symbol"].as_str().map(String::from);
    let name = |object: &serde_json::Value| object["name"].as_str().expect("a name").to_string();
    let read = |name: String| fs::read(folder.join("out").join(name)).expect("the object");
    objects.iter().map(|object| (symbol(object), read(name(object)))).collect()
}

/// Returns an object with a kernel of this name.
fn object(kernel: &str) -> Vec<u8> {
    let mut module: Module = tour::module(Format::default()).expect("a module");
    module.kernels[0].name = Name::from(kernel);
    module.to_bytes().expect("an encodable module")
}
