//! Device binaries of IGC, with and without sections of text.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::{damage, list, tool};

const SOURCE: &str = "\
kernel void one(global int *p) { p[get_global_id(0)] = get_global_id(1); }
kernel void two(global float *p) { p[get_global_id(0)] *= 3.0f; }
";

/// Compiles the source in a folder, and returns the device binary. The compiler also writes the text
/// of each kernel to a file.
fn compile(ocloc: &Path, folder: &Path, internal_options: &str) -> Vec<u8> {
    fs::write(folder.join("a.cl"), SOURCE).expect("a file");
    let output = Command::new(ocloc)
        .args(["compile", "-file", "a.cl", "-device", "dg2", "-output", "binary"])
        .args(["-internal_options", internal_options])
        .env("IGC_ShaderDumpEnable", "1")
        .env("IGC_DumpToCurrentDir", "1")
        .current_dir(folder)
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    fs::read(folder.join("binary_dg2.bin")).expect("its output")
}

/// Returns the contents of the files in a folder with this suffix, in the order of their names.
fn files(folder: &Path, suffix: &str) -> Vec<Vec<u8>> {
    let paths = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == suffix))
        .collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a file")).collect()
}

#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn sections_of_the_compiler_contain_the_text_that_it_dumps() {
    let ocloc = PathBuf::from(env::var_os("GENVISA_OCLOC_TODAY").expect("GENVISA_OCLOC_TODAY"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let binary = compile(&ocloc, folder.path(), "-ze-emit-zebin-visa-sections");
    let listed = list(&binary);
    assert_eq!(damage(&listed), [""; 0]);
    let objects = listed["objects"].as_array().expect("objects");
    for (found, kernel) in objects.iter().zip(["one", "two"]) {
        let expected = ("text", "4.2", ".visaasm", &Value::Null);
        let field = |name: &str| found[name].as_str().unwrap_or_default();
        assert_eq!((field("kind"), field("version"), field("section"), &found["error"]), expected);
        assert_eq!(found["routines"], json!([kernel]));
    }
    let path = folder.path().join("binary_dg2.bin");
    let texts = folder.path().join("texts");
    let out_dir = format!("--out-dir={}", texts.display());
    assert!(tool(&["extract", &out_dir], &path).status.success());
    let dumped = files(folder.path(), "visaasm");
    assert_eq!((dumped.len(), files(&texts, "visaasm")), (2, dumped));

    let folder = tempfile::tempdir().expect("a temporary folder");
    let listed = list(&compile(&ocloc, folder.path(), ""));
    let expected = json!({ "binaries": 1, "kernels": 2, "patch_tokens": 0 });
    assert_eq!((&listed["machine_code"], &listed["objects"]), (&expected, &json!([])));
}
