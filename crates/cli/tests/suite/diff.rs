//! `diff`: folders, and files with errors.

use super::{file_with_broken_kernel, run, text_of};

#[test]
fn diff_reports_every_file_that_only_one_folder_has() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for path in ["a", "b"] {
        std::fs::create_dir(folder.path().join(path)).expect("a folder");
    }
    let path = |name: &str| folder.path().join(name).display().to_string();
    let diff = || run(&["diff", &path("a"), &path("b")], b"");
    let output = diff();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("contain no .isa or .visaasm files"));
    for (from, to) in [("plain.visaasm", "b/k.visaasm"), ("tour.isa", "b/k.isa")] {
        let copied =
            std::fs::copy(crate::repository(&format!("tests/data/{from}")), folder.path().join(to));
        copied.expect("a file of the repository");
    }
    let output = diff();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    let names: Vec<&str> = text.lines().filter_map(|line| line.rsplit(' ').next()).collect();
    assert_eq!(names, ["k.isa", "k.visaasm"]);
}

/// The compiler names dumps by a hash, which changes with every build.
#[test]
fn dumps_are_matched_by_their_routines() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = |name: &str, value: u32, lanes: u32| {
        format!(
            ".version 4.2\n.kernel \"{name}\"\n.kernel_attr SimdSize={lanes}\n\
             .decl x v_type=G type=d num_elts=16 align=GRF\nmov (M1, 16) x(0,0)<1> {value:#x}:d\n"
        )
    };
    let files = [
        ("a/OCL_asm00112233445566aa_simd16_entry_0001.visaasm", text("first", 1, 16)),
        ("a/OCL_asm99112233445566aa_simd16_entry_0001.visaasm", text("second", 2, 16)),
        ("a/OCL_asm99112233445566aa_simd16_entry_0002.visaasm", text("third", 3, 16)),
        ("a/OCL_asm99112233445566aa_simd16_entry_0003.visaasm", text("removed", 3, 16)),
        ("b/OCL_asm11112233445566bb_simd16_entry_0001.visaasm", text("second", 2, 16)),
        ("b/OCL_asm22112233445566bb_simd16_entry_0001.visaasm", text("first", 7, 16)),
        ("b/OCL_asm33112233445566bb_simd32_entry_0001.visaasm", text("third", 3, 32)),
    ];
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a writable folder");
    }
    let path = |name: &str| folder.path().join(name).display().to_string();
    let output = run(&["diff", "-U0", "--no-stats", &path("a"), &path("b")], b"");
    let text = String::from_utf8_lossy(&output.stdout);
    let is_change = |line: &&str| {
        line.starts_with("Only") || line.starts_with(['+', '-']) && line.contains("    mov")
    };
    let changes: Vec<&str> = text.lines().filter(is_change).collect();
    let [removed, added, only] = &changes[..] else { panic!("{text}") };
    assert!(removed.contains("0x1:d") && added.contains("0x7:d"), "{text}");
    assert!(only.ends_with("simd16_entry_0003.visaasm"), "{text}");
    let messages = String::from_utf8_lossy(&output.stderr);
    let mut lines = messages.lines();
    let matched = "3 files compared with files of another name";
    assert!(lines.next().is_some_and(|line| line.contains(matched)), "{messages}");
    let widths = "kernel third is compiled for 16 lanes, in";
    assert!(lines.next().is_some_and(|line| line.contains(widths)), "{messages}");
}

#[test]
fn diff_compares_one_routine() {
    let kernels = |value: u32| {
        let kernel = |name: &str| {
            format!(
                ".kernel \"{name}\"\n.decl x v_type=G type=d num_elts=8 align=GRF\n\
                 mov (M1, 8) x(0,0)<1> {value:#x}:d\n"
            )
        };
        format!(".version 3.6\n{}{}", kernel("f"), kernel("g"))
    };
    let folder = tempfile::tempdir().expect("a folder");
    for (name, value) in [("a", 1), ("b", 2)] {
        std::fs::write(folder.path().join(name), kernels(value)).expect("a writable folder");
    }
    let diff = |routine: &str| {
        let args = ["diff", "--no-stats", "--routine", routine];
        let paths = ["a", "b"].map(|name| folder.path().join(name));
        crate::tool().args(args).args(paths).output().expect("the tool runs")
    };
    let output = diff("g");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.matches("@@").count(), 2, "{text}");
    assert!(text.contains("kernel g") && !text.contains("kernel f"), "{text}");
    let output = diff("h");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(output.stderr, b"genvisa: no routine `h` in the inputs\n");
}

#[test]
fn diff_compares_two_routines_of_a_file() {
    let kernel = |name: &str, value: u32| {
        format!(
            ".kernel \"{name}\"\n.decl x v_type=G type=d num_elts=8 align=GRF\n\
             mov (M1, 8) x(0,0)<1> {value:#x}:d\n"
        )
    };
    let text = format!(".version 3.6\n{}{}{}", kernel("f", 1), kernel("g", 1), kernel("h", 2));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.visaasm");
    std::fs::write(&path, text).expect("a writable folder");
    let diff = |with: &str| {
        let args = ["diff", "-U0", "--no-stats", "--routine", "f", "--with", with];
        let output = crate::tool().args(args).arg(&path).output().expect("the tool runs");
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        let is_changed = |line: &&str| line.starts_with(['+', '-']) && line.contains("    mov");
        (output.status.code(), lines.lines().filter(is_changed).count(), output.stderr)
    };
    // Only the names of the kernels differ.
    assert_eq!(diff("g"), (Some(1), 0, Vec::new()));
    assert_eq!(diff("h"), (Some(1), 2, Vec::new()));
    let (code, _, errors) = diff("k");
    let errors = String::from_utf8_lossy(&errors);
    assert_eq!(code, Some(2));
    assert!(errors.ends_with("no routine `k`; the routines are: f, g, h\n"), "{errors}");
}

#[test]
fn diff_compares_the_other_kernels_of_a_file_with_a_broken_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("broken.isa");
    std::fs::write(&path, file_with_broken_kernel()).expect("a writable folder");
    let tour = "tests/data/tour.isa";
    let other = folder.path().join("other.isa");
    std::fs::copy(&path, &other).expect("a writable folder");
    let output =
        crate::tool().args(["diff", "-U0"]).args([&path, &other]).output().expect("the tool runs");
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr);
    let message = "kernel `broken`, instruction 3: opcode 0x3b (scatter_atomic) is retired";
    for (line, file) in errors.lines().zip([&path, &other]) {
        assert!(line.starts_with(&format!("genvisa: {}: {message}", file.display())), "{errors}");
    }
    assert_eq!(errors.lines().count(), 2, "{errors}");
    assert!(output.stdout.is_empty(), "the other kernel is equal");
    // A kernel that only one file has is not decoded.
    let output = crate::tool().args(["diff", tour]).arg(&path).output().expect("the tool runs");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("Only in") && text.ends_with(": kernel broken\n"), "{text}");
}

/// Returns the output of a command about two texts, `a` and `b`, and the messages about routines
/// with errors.
fn compare(command: &[&str], a: &str, b: &str) -> (String, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("a", a), ("b", b)] {
        std::fs::write(folder.path().join(name), text).expect("a writable folder");
    }
    let output = crate::tool()
        .current_dir(folder.path())
        .args(command)
        .args(["a", "b"])
        .output()
        .expect("the tool runs");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(if command[0] == "diff" { 2 } else { 1 }), "{errors}");
    let messages = errors.lines().filter_map(|line| line.strip_prefix("genvisa: "));
    let messages = messages.map(String::from).collect();
    (String::from_utf8_lossy(&output.stdout).into_owned(), messages)
}

const GOOD: &str = "ret (M1, 1)";
const WRONG: &str = "mov (M1, 16)";

/// A routine that one text has with errors is not one that only the other text has.
#[test]
fn routines_with_errors_are_not_compared() {
    let good = text_of(&[("kernel", "one", GOOD), ("kernel", "two", GOOD)]);
    let wrong = text_of(&[("kernel", "one", WRONG), ("kernel", "two", GOOD)]);
    let message = |file| format!("{file}: kernel one has errors and is not compared");
    assert_eq!(compare(&["diff"], &wrong, &good), (String::new(), vec![message("a")]));
    assert_eq!(compare(&["diff"], &good, &wrong), (String::new(), vec![message("b")]));
    let both = (String::new(), vec![message("a"), message("b")]);
    assert_eq!(compare(&["diff"], &wrong, &wrong), both);
    let (json, _) = compare(&["diff", "--json"], &wrong, &good);
    assert!(json.contains("\"error\": \"a: kernel one has errors and is not compared\""), "{json}");
    // The only kernels are compared even if their names differ.
    let good = text_of(&[("kernel", "new", GOOD), ("global_function", "f", GOOD)]);
    let wrong = text_of(&[("kernel", "old", WRONG), ("global_function", "f", GOOD)]);
    let message = "a: kernel old has errors and is not compared".to_string();
    assert_eq!(compare(&["diff"], &wrong, &good), (String::new(), vec![message]));
    // A kernel with errors and another kernel are two.
    let one = text_of(&[("kernel", "one", GOOD)]);
    let two = text_of(&[("kernel", "two", GOOD), ("kernel", "three", WRONG)]);
    let printed = "Only in a: kernel two\nOnly in b: kernel one\nOnly in a: kernel three\n";
    assert_eq!(compare(&["diff"], &two, &one), (printed.into(), vec![]));
}

/// The other kernels declare a function with errors, but neither text lacks it.
#[test]
fn functions_with_errors_are_not_compared() {
    let routines = |instruction| {
        let text = text_of(&[("kernel", "k", GOOD), ("global_function", "f", instruction)]);
        text.replace("\"k\"\n", "\"k\"\n.funcdecl \"f\"\n//@ relocs function 0:0=\"f\"\n")
    };
    let (good, wrong) = (routines("fret (M1, 1)"), routines(WRONG));
    let message = |file| format!("{file}: function f has errors and is not compared");
    assert_eq!(compare(&["diff"], &wrong, &good), (String::new(), vec![message("a")]));
    assert_eq!(compare(&["diff"], &good, &wrong), (String::new(), vec![message("b")]));
}

/// More errors than a text or a routine can have in the list of `asm`.
#[test]
fn many_errors_hide_no_routine() {
    let lines = vec![WRONG; 150].join("\n    ");
    let names: Vec<String> = (10..30).map(|number| format!("k{number}")).collect();
    let wrong: Vec<_> = names.iter().map(|name| ("kernel", &**name, &*lines)).collect();
    let good = [("kernel", "good", GOOD)];
    let (a, b) = (text_of(&[&wrong[..], &good].concat()), text_of(&good));
    let (printed, messages) = compare(&["diff"], &a, &b);
    let expected: String = names.iter().map(|name| format!("Only in a: kernel {name}\n")).collect();
    assert_eq!((printed, messages), (expected, vec![]));
}

/// Texts and files may define a kernel several times. These are matched in order.
#[test]
fn diff_matches_kernels_of_one_name_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let diff = |a: &[u8], b: &[u8]| {
        for (name, bytes) in [("a", a), ("b", b)] {
            std::fs::write(folder.path().join(name), bytes).expect("a writable folder");
        }
        let output = crate::tool()
            .current_dir(folder.path())
            .args(["diff", "-U0", "--no-stats", "a", "b"])
            .output()
            .expect("the tool runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let two = |second: &str| {
        let text = text_of(&[("kernel", "k", GOOD), ("kernel", "k", second)]);
        text.replace(".version 4.2", ".version 3.6")
    };
    let warning = |file| format!("genvisa: warning: {file}:5: kernel `k` is already defined\n");
    let warnings = warning("a") + &warning("b");
    // Comments on the line of the name are no obstacle.
    let (plain, commented) = (two(GOOD), two(GOOD).replace("\"k\"", "\"k\" // the kernel"));
    for (a, b) in [(&plain, &plain), (&plain, &commented)] {
        let expected = (Some(0), String::new(), warnings.clone());
        assert_eq!(diff(a.as_bytes(), b.as_bytes()), expected);
    }
    let changed = two("barrier");
    let hunk = "--- a\tkernel k\n+++ b\tkernel k\n@@ -1 +1 @@ $0\n-    ret (M1, 1)\n+    barrier\n";
    let expected = (Some(1), hunk.to_string(), warnings);
    assert_eq!(diff(plain.as_bytes(), changed.as_bytes()), expected);
    // If one of them has errors, which of them match is unknown.
    let (code, printed, errors) = diff(two(WRONG).as_bytes(), plain.as_bytes());
    assert_eq!((code, &*printed), (Some(2), ""));
    assert_eq!(
        errors.matches("a: kernel k has errors and is not compared\n").count(),
        1,
        "{errors}"
    );
    let reason = "another routine of this name has errors";
    let message = format!("a: kernel k is not compared; {reason}\n");
    assert_eq!(errors.matches(&message).count(), 1, "{errors}");

    let file_of = |text: &str| {
        let (before, after) = text.split_at(text.rfind("\"k\"").expect("a name") + 3);
        let output = run(&["asm", "-", "-o", "-"], format!("{before} //@ again{after}").as_bytes());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let (file, other) = (file_of(&plain), file_of(&changed));
    assert_eq!(diff(&file, &file), (Some(0), String::new(), String::new()));
    assert_eq!(diff(&file, plain.as_bytes()), (Some(0), String::new(), warning("b")));
    assert_eq!(diff(&file, &other), (Some(1), hunk.into(), String::new()));
}

/// The result names what is not compared even if nothing of a text can be read.
#[test]
fn diff_names_what_a_text_without_correct_routines_lacks() {
    let wrong = text_of(&[("kernel", "one", WRONG), ("kernel", "two", WRONG)]);
    let good = text_of(&[("kernel", "one", GOOD), ("kernel", "two", GOOD), ("kernel", "x", GOOD)]);
    let message = |name| format!("a: kernel {name} has errors and is not compared");
    let expected = ("Only in b: kernel x\n".to_string(), vec![message("one"), message("two")]);
    assert_eq!(compare(&["diff"], &wrong, &good), expected);
    // Nor are the variables of the file.
    let good = format!(
        "//@ file_variable = 02 01 00 76 51 08 00 00\n{}",
        text_of(&[("kernel", "new", GOOD)]).replace("4.2", "3.6")
    );
    let wrong = text_of(&[("kernel", "old", WRONG)]);
    let expected = (String::new(), vec![message("old")]);
    assert_eq!(compare(&["diff"], &wrong, &good), expected);
    // Errors outside of routines.
    let message = "a: not compared, because it cannot be read".to_string();
    assert_eq!(compare(&["diff"], ".version 4.2\n", &good), (String::new(), vec![message]));
    let (json, _) = compare(&["diff", "--json"], ".version 4.2\n", &good);
    assert!(json.contains("\"error\": \"a: not compared, because it cannot be read\""), "{json}");
}

#[test]
fn stats_do_not_compare_routines_with_errors() {
    let good = text_of(&[("kernel", "one", GOOD), ("kernel", "two", GOOD)]);
    let wrong = text_of(&[("kernel", "one", WRONG), ("kernel", "two", GOOD)]);
    for (a, b, file) in [(&wrong, &good, "a"), (&good, &wrong, "b")] {
        let (printed, _) = compare(&["stats"], a, b);
        assert!(printed.contains("\nkernel two: "), "{printed}");
        let message = format!("\nkernel one: not compared; it has errors in {file}\n");
        assert!(printed.ends_with(&message), "{printed}");
    }
    let one = text_of(&[("kernel", "one", GOOD)]);
    let two = text_of(&[("kernel", "two", GOOD), ("kernel", "three", WRONG)]);
    let (printed, _) = compare(&["stats"], &two, &one);
    let expected = "before: a\nafter:  b\n\nkernel two: only in a\n\nkernel one: only in b\n\n\
                    kernel three: not compared; it has errors in a\n";
    assert_eq!(printed, expected);
    // Without routines that can be read, there is nothing to compare.
    let (printed, _) = compare(&["stats"], &text_of(&[("kernel", "one", WRONG)]), &one);
    assert!(printed.ends_with("\nkernel one: not compared; it has errors in a\n"), "{printed}");
}
