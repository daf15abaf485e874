//! `genvisa pack` with folders of changed files.

use std::fs;
use std::path::Path;
use std::process::Output;

use tempfile::{TempDir, tempdir};

use super::{list, object, stderr, tool};

/// Writes a library with the objects `first` and `second`, and extracts them to the folder `new`.
fn extracted() -> TempDir {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("lib.so");
    let bytes = [&b"\0"[..], &object("first"), &object("second"), b"\0"].concat();
    fs::write(&path, bytes).expect("a file");
    let new = folder.path().join("new");
    let output = tool(&["extract", "--out-dir", new.to_str().expect("UTF-8")], &path);
    assert!(output.status.success(), "{}", stderr(&output));
    folder
}

/// Packs the folder `new`.
fn pack(folder: &Path, out: &str) -> Output {
    let [path, new] = ["lib.so", "new"].map(|name| folder.join(name));
    let [path, new] = [&path, &new].map(|path| path.to_str().expect("UTF-8"));
    tool(&["pack", path, new, "-o"], &folder.join(out))
}

/// Writes the text of the first object beside it, with another name of the kernel.
fn write_text(folder: &Path) {
    let isa = folder.join("new/lib.so-1.isa");
    let text = String::from_utf8(tool(&["dis"], &isa).stdout).expect("UTF-8");
    let text = text.replace("\"first\"", "\"FIRST\"");
    fs::write(isa.with_extension("visaasm"), text).expect("a file");
}

fn routines(path: &Path) -> Vec<String> {
    let found = list(path);
    let objects = found["objects"].as_array().expect("a list");
    objects.iter().map(|object| object["routines"][0].as_str().unwrap_or_default().into()).collect()
}

#[test]
fn a_changed_text_beside_its_object_replaces_it() {
    let folder = extracted();
    let folder = folder.path();
    write_text(folder);
    let output = pack(folder, "out.so");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("replaced 1 of 2 objects"));
    assert_eq!(routines(&folder.join("out.so")), ["FIRST", "second"]);
}

#[test]
fn two_changed_files_for_an_object_are_an_error() {
    let folder = extracted();
    let folder = folder.path();
    write_text(folder);
    fs::write(folder.join("new/lib.so-1.isa"), object("other")).expect("a file");
    let output = pack(folder, "out.so");
    assert!(stderr(&output).contains("replace the same object"), "{}", stderr(&output));
    assert!(!folder.join("out.so").exists());
}

#[test]
fn missing_files_keep_their_objects_and_unknown_numbers_are_reported() {
    let folder = extracted();
    let folder = folder.path();
    let new = folder.join("new");
    fs::rename(new.join("lib.so-1.isa"), new.join("lib.so-3.isa")).expect("a file");
    fs::write(new.join("lib.so-2.isa"), object("2")).expect("a file");
    fs::write(new.join("notes.txt"), "").expect("a file");
    let output = pack(folder, "out.so");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output).matches("was ignored").count(), 1, "{}", stderr(&output));
    assert!(stderr(&output).contains("lib.so-3.isa` was ignored"), "{}", stderr(&output));
    assert_eq!(routines(&folder.join("out.so")), ["first", "2"]);

    fs::remove_file(new.join("lib.so-2.isa")).expect("a file");
    let output = pack(folder, "none.so");
    let expected = "contains no file with a name such as `lib.so-1.isa`";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    assert!(!folder.join("none.so").exists());
}

#[test]
fn files_in_the_folder_are_not_overwritten() {
    let folder = extracted();
    let folder = folder.path();
    let output = pack(folder, "new/lib.so-2.isa");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("is also an input"), "{}", stderr(&output));
    assert_eq!(fs::read(folder.join("new/lib.so-2.isa")).expect("a file"), object("second"));
}
