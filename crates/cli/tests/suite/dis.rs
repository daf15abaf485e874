//! `dis`: what it prints and writes.

use super::{dis, file_with_broken_kernel, file_with_two_kernels, folder_with_files, run_in};

#[test]
fn dis_prints_a_broken_kernel_up_to_the_error() {
    let output = dis(&[], &file_with_broken_kernel());
    let (text, stderr) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.contains("kernel `broken`, instruction 3: opcode 0x3b"), "{stderr}");
    let (broken, whole) = text.split_at(text.rfind(".kernel \"").expect("two kernels"));
    assert!(broken.contains("/// $2") && !broken.contains("/// $3"), "{broken}");
    assert!(whole.contains(".kernel \"tour\"") && whole.contains("/// $13"), "{whole}");
}

#[test]
fn dis_writes_a_file_for_each_correct_routine() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let made = folder.path().join("new/sub folder");
    let output = dis(&["--out-dir", made.to_str().expect("UTF-8")], &file_with_broken_kernel());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr.contains("0-broken.visaasm` was not written"), "{stderr}");
    assert!(output.stdout.is_empty());
    let files: Vec<_> = made.read_dir().expect("it was made").flatten().collect();
    let names: Vec<_> = files.iter().map(|file| file.file_name()).collect();
    assert_eq!(names, ["1-tour.visaasm"]);
    let text = std::fs::read_to_string(files[0].path()).expect("a readable file");
    assert!(text.starts_with(".version 3.6\n.kernel \"tour\"\n"), "{text}");
}

#[test]
fn dis_does_not_overwrite_edited_text() {
    let folder = folder_with_files();
    let path_of = |name: &str| folder.path().join(name);
    let run = |args: &[&str]| run_in(folder.path(), args);
    let both = file_with_two_kernels();
    std::fs::write(path_of("two.isa"), both).expect("a writable file");
    let read = |name: &str| std::fs::read_to_string(path_of(name)).expect("a text");
    // The whole text states its version once.
    let joined = || {
        let second = read("out/1-tour.visaasm").replacen(".version 3.6\n", "", 1);
        [read("out/0-first.visaasm"), second].join("\n")
    };
    let success = (Some(0), String::new());
    assert_eq!(run(&["dis", "two.isa", "-o", "two.visaasm"]), success);
    assert_eq!(run(&["dis", "two.isa", "--out-dir", "out"]), success);
    let whole = read("two.visaasm");
    assert_eq!(whole.matches(".kernel \"").count(), 2);
    assert_eq!(whole, joined());
    // Files with the same contents are not an error.
    assert_eq!(run(&["dis", "two.isa", "-o", "two.visaasm"]), success);
    assert_eq!(run(&["dis", "two.isa", "--out-dir", "out"]), success);
    // One file is edited and one is missing: neither is written.
    std::fs::write(path_of("two.visaasm"), "edited").expect("a writable file");
    std::fs::write(path_of("out/1-tour.visaasm"), "edited").expect("a writable file");
    std::fs::remove_file(path_of("out/0-first.visaasm")).expect("it is there");
    for (args, name) in
        [(["-o", "two.visaasm"], "two.visaasm"), (["--out-dir", "out"], "out/1-tour.visaasm")]
    {
        let (code, stderr) = run(&["dis", "two.isa", args[0], args[1]]);
        assert_eq!(code, Some(1));
        let expected =
            "exists with different contents; nothing was written (--force overwrites it)";
        assert_eq!(stderr, format!("genvisa: `{name}` {expected}\n"));
        assert_eq!(read(name), "edited");
    }
    assert_eq!(std::fs::read_dir(path_of("out")).expect("a folder").count(), 1);
    assert_eq!(run(&["dis", "two.isa", "-o", "two.visaasm", "--force"]), success);
    assert_eq!(run(&["dis", "two.isa", "--out-dir", "out", "--force"]), success);
    assert_eq!(whole, read("two.visaasm"));
    assert_eq!(whole, joined());
    let (code, stderr) = run(&["dis", "two.isa", "-o", "out"]);
    assert_eq!(code, Some(1));
    assert!(stderr.starts_with("genvisa: cannot write `out` (use --out-dir "), "{stderr}");
}
