//! Commands that read an object in another file.

use std::fs;
use std::path::{Path, PathBuf};

use super::{object, stderr, tool};

/// Writes a file with the objects `a`, `b`, `b` and `c`. The second `b` is the same as the first.
fn library(folder: &Path) -> PathBuf {
    let path = folder.join("lib.so");
    let objects = ["a", "b", "b", "c"].map(object);
    fs::write(&path, [b"\0".as_slice(), &objects.concat()].concat()).expect("a file");
    path
}

fn with(path: &Path, choice: &str) -> PathBuf {
    format!("{}!{choice}", path.display()).into()
}

/// Returns what a command prints about a file.
fn print(args: &[&str], path: &Path) -> String {
    let output = tool(args, path);
    assert!(output.status.success(), "{}", stderr(&output));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn by_number_routine_or_option() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = library(folder.path());
    let kernel = |name: &str| format!(".kernel \"{name}\"");
    for (args, choice, name) in [
        (&["dis"][..], "1", "a"),
        (&["dis"], "c", "c"),
        // The two have the same bytes.
        (&["dis"], "b", "b"),
        (&["dis", "--routine", "a"], "", "a"),
        (&["dis", "--kernel", "c"], "", "c"),
    ] {
        let path = if choice.is_empty() { path.clone() } else { with(&path, choice) };
        let text = print(args, &path);
        assert!(text.contains(&kernel(name)), "{args:?} {choice}: {text}");
        assert_eq!(text.matches(".kernel \"").count(), 1, "{text}");
    }
    assert!(print(&["info"], &with(&path, "4")).contains("kernel c"));
    assert!(print(&["explain", "--routine", "c"], &path).contains("kernel `c`"));
    assert!(print(&["cfg", "--routine", "c"], &path).contains("digraph"));
}

#[test]
fn all_for_commands_with_many_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = library(folder.path());
    assert!(
        print(&["roundtrip"], &path)
            .ends_with("4 files, 4 routines, 56 instructions, 0 mismatches\n")
    );
    let stats = print(&["stats"], &path);
    assert_eq!(stats.lines().count(), 5, "{stats}");
    assert!(stats.contains("lib.so!4: c"), "{stats}");
    let summary = "4 files, 4 routines: 0 errors, 0 warnings\n";
    assert_eq!(print(&["verify"], &path), summary);
    let stats = print(&["stats", "--routine", "c"], &path);
    assert!(stats.contains("kernel c"), "{stats}");
}

#[test]
fn errors_name_the_choices() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = library(folder.path());
    for (args, choice, expected) in [
        (&["dis"][..], "", "contains 4 objects"),
        (&["dis"], "5", "contains no object or routine `5`; it contains 4 objects"),
        (&["dis"], "nope", "contains no object or routine `nope`"),
        (&["dis", "--routine", "nope"], "", "contains no object or routine `nope`"),
    ] {
        let path = if choice.is_empty() { path.clone() } else { with(&path, choice) };
        let output = tool(args, &path);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
    let missing = folder.path().join("missing!1");
    assert!(stderr(&tool(&["dis"], &missing)).contains("cannot read"));
}

/// A number is no name with a mistake.
#[test]
fn no_name_is_suggested_for_a_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lib.so");
    let objects = ["k1", "k2"].map(object).concat();
    fs::write(&path, [b"\0".as_slice(), &objects].concat()).expect("a file");
    for (choice, expected) in [("11", "it contains 2 objects"), ("i1", "did you mean `k1`?")] {
        let message = stderr(&tool(&["dis"], &with(&path, choice)));
        assert!(message.contains(&format!("`{choice}`; {expected}")), "{message}");
    }
}

/// A file whose name contains `!` is a file.
#[test]
fn names_with_the_separator() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kernel!2");
    fs::write(&path, object("k")).expect("a file");
    assert!(print(&["dis"], &path).contains(".kernel \"k\""));
}

/// A `!` in the name of a folder chooses nothing.
#[test]
fn names_of_folders_with_the_separator() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = with(folder.path(), "1").join("missing");
    let messages = stderr(&tool(&["info"], &path));
    assert!(messages.contains(&format!("cannot read `{}`", path.display())), "{messages}");
}

#[test]
#[cfg(target_os = "linux")]
fn names_that_are_not_utf8() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(OsString::from_vec(b"lib\xff.so".to_vec()));
    fs::rename(library(folder.path()), &path).expect("a file");
    let mut chosen = path.into_os_string();
    chosen.push("!4");
    assert!(print(&["info"], Path::new(&chosen)).contains("kernel c"));
}

/// Only the objects with the routine are counted.
#[test]
fn several_objects_with_a_routine() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lib.so");
    let mut older = object("b");
    older[5] -= 1;
    fs::write(&path, [b"\0".into(), object("a"), object("b"), older].concat()).expect("a file");
    let output = tool(&["dis", "--routine", "b"], &path);
    let number = format!("such as `{}!2`; ", path.display());
    assert!(
        stderr(&output).contains("contains 2 objects with a routine `b`"),
        "{}",
        stderr(&output)
    );
    assert!(stderr(&output).contains(&number), "{}", stderr(&output));
}

/// A `.isa` file may have padding after it, but not other objects.
#[test]
fn objects_after_an_object() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("both.isa");
    fs::write(&path, [object("a"), b"CISA\0".into(), object("b")].concat()).expect("a file");
    let output = tool(&["info"], &path);
    assert!(stderr(&output).contains("contains 2 objects"), "{}", stderr(&output));
    assert!(print(&["dis", "--routine", "b"], &path).contains(".kernel \"b\""));
    assert!(print(&["roundtrip"], &path).contains("2 files, 2 routines"));
    fs::write(&path, [object("a"), b"CISA\0".into()].concat()).expect("a file");
    assert!(print(&["info"], &path).contains("both.isa: vISA"));
}

#[test]
fn machine_code_of_an_object_in_another_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = library(folder.path());
    let [text, new] = ["b.visaasm", "b.isa"].map(|name| folder.path().join(name));
    fs::write(&text, print(&["dis", "--kernel", "b"], &path)).expect("a file");
    let [text, new_name] = [&text, &new].map(|path| path.to_str().expect("UTF-8"));
    let args = ["asm", text, "-o", new_name, "--gen-binaries-of"];
    assert_eq!(print(&args, &with(&path, "2")), "");
    assert_eq!(fs::read(&new).expect("a file"), object("b"));
    let messages = stderr(&tool(&args, &path));
    assert!(messages.contains("contains 4 objects"), "{messages}");
}

#[test]
fn an_object_of_standard_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = library(folder.path());
    let run = |args: &[&str]| {
        let mut tool = crate::tool();
        let stdin = fs::File::open(&path).expect("a file");
        tool.args(args).stdin(stdin).output().expect("it runs")
    };
    let output = run(&["info", "-"]);
    assert!(stderr(&output).contains("such as `-- -!1`"), "{}", stderr(&output));
    let output = run(&["info", "--", "-!1"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("kernel a"));
}

#[test]
fn the_file_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = library(folder.path());
    let before = fs::read(&path).expect("a file");
    let output = tool(&["dis", with(&path, "1").to_str().expect("UTF-8"), "-o"], &path);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(fs::read(&path).expect("a file"), before);
}

/// Objects are matched by their bytes and their routines, not by their numbers.
#[test]
fn diff_matches_objects() {
    let folder = tempfile::tempdir().expect("a folder");
    let (a, b) = (library(folder.path()), folder.path().join("other.so"));
    let write = |names: &[&str]| {
        let objects: Vec<u8> = names.iter().flat_map(|name| object(name)).collect();
        fs::write(&b, [b"\0".as_slice(), &objects].concat()).expect("a file");
    };
    let diff = || tool(&["diff", a.to_str().expect("UTF-8")], &b);

    write(&["c", "b", "a", "b"]);
    let output = diff();
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(0), &b""[..]));

    write(&["new", "b", "a", "c"]);
    let output = diff();
    let lines = [
        format!("Only in {}: object 3 (b)\n", a.display()),
        format!("Only in {}: object 1 (new)\n", b.display()),
    ];
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout), lines.concat());
}
