//! Inputs and outputs of all commands: standard streams, pipes and links.

use std::process::Stdio;

use super::{file_with_broken_kernel, folder_with_files, run, run_in, text_of};

#[test]
fn reads_standard_input() {
    let path = "tests/data/tour.isa";
    let file = std::fs::File::open(crate::repository(path)).expect("a file of the repository");
    let output = crate::tool()
        .args(["roundtrip", "-"])
        .stdin(Stdio::from(file))
        .output()
        .expect("the tool runs");
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.lines().last(), Some("1 file, 1 routine, 14 instructions, 0 mismatches"));
}

#[test]
fn commands_read_text_with_comments_that_are_not_utf8() {
    let mut text = b"// caf\xe9\n".to_vec();
    text.extend(
        std::fs::read(crate::repository("tests/data/plain.visaasm"))
            .expect("a file of the repository"),
    );
    for command in ["stats", "cfg", "info", "verify"] {
        let output = run(&[command, "-"], &text);
        assert_eq!(output.status.code(), Some(0), "{command}");
    }
}

#[test]
#[cfg(unix)]
fn never_overwrites_inputs() {
    let folder = folder_with_files();
    let path_of = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("plain.visaasm", path_of("symlink.visaasm")).expect("a link");
    std::fs::hard_link(path_of("plain.visaasm"), path_of("hard.visaasm")).expect("a link");
    std::fs::create_dir(path_of("sub")).expect("a folder");
    std::os::unix::fs::symlink("../tour.isa", path_of("sub/0-tour.visaasm")).expect("a link");
    std::fs::copy(path_of("plain.visaasm"), path_of("text.isa")).expect("a copy");
    std::os::unix::fs::symlink("text.isa", path_of("text.visaasm")).expect("a link");
    let before = |name: &str| {
        std::fs::read(crate::repository(&format!("tests/data/{name}"))).expect("a file")
    };
    let assert_unchanged = || {
        let same = |copy: &str, name: &str| {
            assert_eq!(
                std::fs::read(path_of(copy)).expect("the input still exists"),
                before(name),
                "{copy}"
            );
        };
        same("plain.visaasm", "plain.visaasm");
        same("hard.visaasm", "plain.visaasm");
        same("text.isa", "plain.visaasm");
        same("tour.isa", "tour.isa");
    };
    let cases: [&[&str]; 11] = [
        &["asm", "plain.visaasm", "-o", "plain.visaasm"],
        &["asm", "plain.visaasm", "-o", "sub/../plain.visaasm"],
        &["asm", "plain.visaasm", "-o", "symlink.visaasm"],
        &["asm", "symlink.visaasm", "-o", "plain.visaasm"],
        &["asm", "plain.visaasm", "-o", "hard.visaasm"],
        &["asm", "text.isa"],
        &["asm", "text.visaasm"],
        &["asm", "plain.visaasm", "--gen-binaries-of", "tour.isa", "-o", "./tour.isa"],
        &["dis", "tour.isa", "-o", "tour.isa", "--force"],
        &["dis", "tour.isa", "-o", "sub/0-tour.visaasm", "--force"],
        &["dis", "tour.isa", "--out-dir", "sub", "--force"],
    ];
    for args in cases {
        let (code, stderr) = run_in(folder.path(), args);
        assert_eq!(code, Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains("input") && stderr.contains("; choose another output"), "{stderr}");
        assert_unchanged();
    }
    // Redirected standard input and output are files too.
    let open = |name: &str| std::fs::File::open(path_of(name)).expect("a readable file");
    let append = |name: &str| {
        std::fs::OpenOptions::new().append(true).open(path_of(name)).expect("a writable file")
    };
    let mut tools = [(); 3].map(|()| crate::tool());
    tools[0].args(["asm", "-", "-o", "hard.visaasm"]).stdin(open("plain.visaasm"));
    tools[1].args(["dis", "tour.isa"]).stdout(append("tour.isa"));
    tools[2].args(["fmt", "-"]).stdin(open("hard.visaasm")).stdout(append("plain.visaasm"));
    for tool in &mut tools {
        let output = tool.current_dir(folder.path()).output().expect("the tool runs");
        assert_eq!(output.status.code(), Some(2), "{tool:?}");
        assert_unchanged();
    }
}

/// An error in the command line is reported before the first file is opened, which does not exist.
#[test]
fn command_line_errors_have_exit_code_2() {
    const ONCE: &str = "standard input can be read only once";
    const OVER: &str = "output `nowhere.isa` is also an input; choose another output";
    let cases: [(&[&str], &str); 7] = [
        (&["asm", "nowhere.visaasm", "-", "-"], ONCE),
        (&["asm", "nowhere.visaasm", "-", "--gen-binaries-of", "-"], ONCE),
        (&["fmt", "nowhere.visaasm", "-", "-"], ONCE),
        (&["roundtrip", "nowhere.isa", "-", "-"], ONCE),
        (&["verify", "nowhere.isa", "-", "-"], ONCE),
        (&["asm", "nowhere.visaasm", "nowhere.isa"], OVER),
        (&["dis", "nowhere.isa", "-o", "nowhere.isa"], OVER),
    ];
    for (args, why) in cases {
        let output = run(args, b"");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert_eq!(stderr.lines().next(), Some(&*format!("error: {why}")), "{args:?}");
        assert!(stderr.contains(&format!("Usage: genvisa {} ", args[0])), "{stderr}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    // Reading it once is allowed.
    let text = std::fs::read(crate::repository("tests/data/plain.visaasm"))
        .expect("a file of the repository");
    assert_eq!(run(&["asm", "-", "-o", "-"], &text).status.code(), Some(0));
}

#[test]
fn output_files_are_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = text_of(&[("kernel", "one", "mov (M1, 16)"), ("kernel", "two", "ret (M1, 1)")]);
    std::fs::write(folder.path().join("a"), &wrong).expect("a writable folder");
    std::fs::write(folder.path().join("broken.isa"), file_with_broken_kernel()).expect("writable");
    for args in [
        &["cfg", "a", "-o", "out"][..],
        &["cfg", "a", "-o", "out", "--routine", "two"],
        &["dis", "a", "--pressure", "-o", "out"],
        &["cfg", "broken.isa", "-o", "out"],
    ] {
        let (code, errors) = run_in(folder.path(), args);
        assert_eq!(code, Some(1), "{args:?}");
        let message =
            format!("genvisa: {}: `out` was not written, because routines have errors\n", args[1]);
        assert!(errors.ends_with(&message), "{args:?}: {errors}");
        assert!(!folder.path().join("out").exists(), "{args:?}");
    }
    let output = run(&["cfg", "-", "--format", "tree"], wrong.as_bytes());
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("kernel two\n"));
    let errors = run_in(folder.path(), &["cfg", "a", "--routine", "one"]).1;
    assert!(errors.ends_with("genvisa: a: routine `one` has errors\n"), "{errors}");
    let (code, _) = run_in(folder.path(), &["cfg", "broken.isa", "-o", "out", "--routine", "tour"]);
    assert_eq!(code, Some(0));
    assert!(folder.path().join("out").exists());
}

#[test]
fn empty_files_are_reported_as_empty() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.visaasm"), "").expect("a file");
    for command in ["verify", "stats", "cfg", "dis", "info", "roundtrip"] {
        let (code, stderr) = run_in(folder.path(), &[command, "a.visaasm"]);
        assert_ne!(code, Some(0), "{command}");
        assert!(stderr.contains("`a.visaasm` is empty"), "{command}: {stderr}");
    }
}

#[test]
fn a_missing_output_folder_is_named() {
    let folder = folder_with_files();
    let (code, stderr) = run_in(folder.path(), &["asm", "plain.visaasm", "-o", "no/a.isa"]);
    let expected = "genvisa: cannot write `no/a.isa`: the folder `no` does not exist\n";
    assert_eq!((code, stderr.as_str()), (Some(1), expected));
}

/// The folder of a name alone is the current one, whose errors are those of the system.
#[test]
#[cfg(unix)]
fn the_current_folder_has_no_other_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "rmdir \"$PWD\" && exec \"$0\" dis \"$1\" -o x.visaasm";
    let tool = env!("CARGO_BIN_EXE_genvisa");
    let output = std::process::Command::new("sh")
        .args(["-c", script, tool])
        .arg(crate::repository("tests/data/tour.isa"))
        .current_dir(folder.path())
        .output()
        .expect("a shell");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.starts_with("genvisa: cannot write `x.visaasm`: "), "{message}");
    assert!(!message.contains("the folder"), "{message}");
}

/// A link is followed whatever it points to.
#[test]
#[cfg(unix)]
fn output_links_are_followed() {
    use std::fs;
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("sub")).expect("a folder");
    fs::write(path("sub/old"), "old").expect("a file");
    for (name, target) in [
        ("to-file", "sub/old"),
        ("to-new", "sub/new"),
        ("to-link", "to-other"),
        ("to-other", "sub/other"),
        ("to-folder", "sub"),
        ("to-nowhere", "missing/new"),
        ("to-itself", "to-itself"),
        ("to-device", "/dev/null"),
    ] {
        symlink(target, path(name)).expect("a link");
    }
    let source = crate::repository("tests/data/plain.visaasm").display().to_string();
    for (name, written, error) in [
        ("to-file", Some("sub/old"), ""),
        ("to-new", Some("sub/new"), ""),
        ("to-link", Some("sub/other"), ""),
        ("to-device", None, ""),
        ("to-folder", None, "is a directory"),
        ("to-nowhere", None, "does not exist"),
        ("to-itself", None, "too many links"),
    ] {
        let output = run(&["asm", &source, "-o", &path(name).display().to_string()], b"");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), error.is_empty(), "{name}: {errors}");
        assert!(errors.contains(error), "{name}: {errors}");
        assert!(path(name).is_symlink(), "{name}");
        if let Some(file) = written {
            assert!(fs::read(path(file)).expect("a file").starts_with(b"CISA"), "{name}");
        }
    }
    let left: Vec<_> = fs::read_dir(path("sub")).expect("the folder").collect();
    assert_eq!(left.len(), 3, "no temporary file remains");
}

/// A name in a file cannot control the terminal.
#[test]
fn control_characters_of_names_are_escaped() {
    let file = std::fs::read(crate::repository("tests/data/tour.isa")).expect("a file");
    let name = b"tour";
    let start = file.windows(name.len()).position(|bytes| bytes == name).expect("the name");
    let mut hostile = file;
    hostile[start..start + name.len()].copy_from_slice(b"\x1b[7m");
    for command in ["dis", "info", "stats", "cfg", "explain", "verify", "roundtrip"] {
        let output = run(&[command, "-"], &hostile);
        let printed = [output.stdout, output.stderr].concat();
        assert!(!printed.contains(&0x1b), "{command}");
        if ["dis", "info", "stats", "cfg", "explain"].contains(&command) {
            assert!(printed.windows(3).any(|bytes| bytes == b"[7m"), "{command} prints the name");
        }
    }
}
