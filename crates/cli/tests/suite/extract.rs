//! Tests of `genvisa extract` and `genvisa pack`: vISA inside other files.

mod array;
mod choice;
pub mod elf;
mod files;
mod folder;
mod packages;
mod place;

use std::fs;
use std::path::Path;
use std::process::Output;

use genvisa_test_support::tour;
use serde_json::Value;

/// Runs the tool with arguments and a path.
fn tool(args: &[&str], path: &Path) -> Output {
    crate::tool().args(args).arg(path).output().expect("it runs")
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

/// Extracts from a file. Returns the symbols of the objects and texts with their bytes.
fn extracted(path: &Path) -> Vec<(Option<String>, Vec<u8>)> {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    let output = tool(&["extract", "--json", "--out-dir", out], path);
    let files: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let objects = files[0]["objects"].as_array().expect("a list");
    let text = |value: &Value| value.as_str().map(String::from);
    let read = |object: &Value| {
        let name = text(&object["name"]).expect("a name");
        fs::read(folder.path().join(name)).expect("a file")
    };
    objects.iter().map(|object| (text(&object["symbol"]), read(object))).collect()
}

/// Replaces objects of a file. Returns the new file or the messages.
fn packed(path: &Path, new: &[(usize, &[u8])]) -> Result<Vec<u8>, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let files = folder.path().join("new");
    fs::create_dir(&files).expect("a folder");
    let found = list(path);
    for (number, bytes) in new {
        let name = found["objects"][number - 1]["name"].as_str().expect("a name");
        fs::write(files.join(name), bytes).expect("a file");
    }
    let out = folder.path().join("out");
    let [path, files, name] = [path, &files, &out].map(|path| path.to_str().expect("UTF-8"));
    let output = tool(&["pack", path, files, "-o"], Path::new(name));
    match output.status.success() {
        true => Ok(fs::read(out).expect("a file")),
        false => Err(stderr(&output)),
    }
}
