//! Edited texts that the compiler reads instead of its own.

use std::fs;
use std::path::{Path, PathBuf};

use super::run;

const NAME: &str = "OCL_asm1f_simd16_entry_0001.visaasm";

/// Returns a folder with a dump and its .zeinfo, and the text.
fn dump() -> (tempfile::TempDir, PathBuf, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let mistakes = super::repository("crates/interp/tests/mistakes");
    let text = fs::read_to_string(mistakes.join("saxpy.visaasm")).expect("a text");
    let dump = folder.path().join(NAME);
    fs::write(&dump, &text).expect("a file");
    let info = fs::read(mistakes.join("saxpy.zeinfo")).expect("a description");
    fs::write(folder.path().join("OCL_asm1f.zeinfo"), info).expect("a file");
    // The one of another program.
    fs::write(folder.path().join("OCL_asm1.zeinfo"), "---\nkernels: []\n").expect("a file");
    (folder, dump, text)
}

fn call(dump: &Path, edited: &Path, output: &Path, rest: &[&str]) -> (Option<i32>, String) {
    let [dump, edited, output] = [dump, edited, output].map(|path| path.display().to_string());
    let args = [&["override", &dump, &edited, "-o", &output], rest].concat();
    let result = run(&args, b"");
    let text = [result.stdout, result.stderr].concat();
    (result.status.code(), String::from_utf8(text).expect("UTF-8"))
}

#[test]
fn an_edit_with_the_same_meaning_is_written() {
    let (folder, dump, text) = dump();
    let edited = folder.path().join("edited.visaasm");
    // Of a variable and its aliases.
    let renamed = text.replace("V0054", "index");
    fs::write(&edited, &renamed).expect("a file");
    let overrides = folder.path().join("a/b");
    let (code, printed) = call(&dump, &edited, &overrides, &[]);
    assert_eq!(code, Some(0), "{printed}");
    let target = overrides.join(NAME);
    assert_eq!(fs::read_to_string(&target).expect("the text"), renamed);
    let expected = format!(
        "saxpy: the same code\n\
         1 kernel: 1 with the same code, 0 equal, 0 different, 0 not compared\n\
         wrote `{}`\nIGC_ShaderOverride=1 IGC_ShaderOverrideFromDir={}\n",
        target.display(),
        overrides.display()
    );
    assert!(printed.ends_with(&expected), "{printed}");
    // Another edit does not replace it.
    fs::write(&edited, text.replace("V0054", "other")).expect("a file");
    let (code, printed) = call(&dump, &edited, &overrides, &[]);
    assert!(code == Some(1) && printed.contains("exists with different contents"), "{printed}");
}

#[test]
fn errors_and_differences_are_not_written() {
    let (folder, dump, text) = dump();
    let edited = folder.path().join("edited.visaasm");
    let overrides = folder.path().join("overrides");
    for (old, new, message) in [
        ("cmp.lt (M1, 16)", "cmp.gt (M1, 16)", "saxpy: differs with "),
        ("cmp.lt (M1, 16)", "cmp.xx (M1, 16)", "not compared: B: the text in the binary"),
    ] {
        assert!(text.contains(old));
        fs::write(&edited, text.replace(old, new)).expect("a file");
        let (code, printed) = call(&dump, &edited, &overrides, &[]);
        assert_ne!(code, Some(0), "{printed}");
        assert!(printed.contains(message), "{printed}");
        assert!(printed.contains("nothing was written (--force writes"), "{printed}");
        assert!(!overrides.exists());
    }
    let (_, printed) = call(&dump, &edited, &overrides, &["--force"]);
    assert!(overrides.join(NAME).exists(), "{printed}");
}

/// The compiler needs the texts of all functions.
#[test]
fn functions_are_copied() {
    let (folder, dump, text) = dump();
    let function = NAME.replace(".visaasm", "_f0.visaasm");
    fs::write(folder.path().join(&function), ".version 4.2\n.global_function \"f\"\n")
        .expect("a file");
    let edited = folder.path().join("edited.visaasm");
    fs::write(&edited, text).expect("a file");
    let overrides = folder.path().join("overrides");
    let (code, printed) = call(&dump, &edited, &overrides, &[]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.contains(&format!("{NAME}` with 1 function\n")), "{printed}");
    assert!(overrides.join(function).exists());
    // Never over an input.
    let (code, printed) = call(&dump, &edited, folder.path(), &["--force"]);
    assert_eq!(code, Some(2), "{printed}");
}
