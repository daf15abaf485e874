//! Comparisons of kernels.

use std::fs;
use std::process::Command;

use super::run;

const BMG: &str = "crates/interp/tests/data/scale-bmg.bin";
const EDITED: &str = "crates/equiv/tests/data/scale-edited.visaasm";

fn stdout(args: &[&str]) -> (Option<i32>, String) {
    let output = run(args, b"");
    (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
}

/// The printed command shows the same difference.
#[test]
fn the_command_repeats_the_difference() {
    assert_repeats(&[EDITED], "--arg a=");
}

#[test]
fn the_command_states_the_bytes_of_local_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("edited.bin");
    let mut bytes = fs::read(super::repository(BMG)).expect("a file of the repository");
    // The kernel `rotate` multiplies the number of the work-item by 10.
    let factor = b"V0053(0,0)<1;1,0> 0xa:w";
    let at = bytes.windows(factor.len()).position(|it| it == factor).expect("a product");
    bytes[at + factor.len() - 3] = b'b';
    fs::write(&file, bytes).expect("a file");
    let file = file.display().to_string();
    assert_repeats(&[&file, "--kernel", "rotate"], "--arg l=local:");
}

/// Asserts that the printed command has an option, and shows the same difference.
#[track_caller]
fn assert_repeats(edited: &[&str], option: &str) {
    let (code, text) = stdout(&[&["equiv", BMG], edited].concat());
    assert_eq!(code, Some(1), "{text}");
    let (_, command) = text.split_once("  =  genvisa ").expect("a command");
    let command = command.lines().next().expect("a line");
    assert!(command.contains(option), "{command}");
    let tool = env!("CARGO_BIN_EXE_genvisa");
    let output = Command::new("sh")
        .args(["-c", &format!("{tool} {command}")])
        .current_dir(super::repository("."))
        .output()
        .expect("a shell");
    assert_eq!(String::from_utf8_lossy(&output.stdout), text);
}

/// The options of the command are those of `run`, which computes the values that differ.
#[test]
fn run_computes_the_values_that_differ() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("y");
    let out = format!("y=@{}", file.display());
    let arguments =
        ["--arg", "y=buffer:0*2", "--arg", "x=buffer:0,1", "--arg", "a=1f", "--arg", "n=2"];
    let sizes = ["--global", "2", "--local", "2", "--out", &out];
    let head = ["run", BMG, "--kernel", "scale"];
    let output = run(&[&head[..], &arguments, &sizes].concat(), b"");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let bytes = fs::read(&file).expect("the output");
    let floats: Vec<f32> = bytes
        .chunks_exact(4)
        .map(|bytes| f32::from_le_bytes(bytes.try_into().expect("four bytes")))
        .collect();
    assert_eq!(floats, [1.0, -1.0]);
}

#[test]
fn folders_are_compared_file_by_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    for (folder, device) in [(&a, "bmg"), (&b, "tgllp")] {
        fs::create_dir_all(folder.join("sub")).expect("a folder");
        let binary = super::repository(&format!("crates/interp/tests/data/scale-{device}.bin"));
        fs::copy(binary, folder.join("sub/scale.bin")).expect("a copy");
        fs::write(folder.join("notes.txt"), device).expect("a file");
    }
    fs::copy(super::repository(BMG), a.join("only.bin")).expect("a copy");
    let [a, b] = [a, b].map(|path| path.display().to_string());
    let only = run(&["equiv", &a, &b], b"").stderr;
    assert_eq!(
        String::from_utf8_lossy(&only),
        format!("genvisa: warning: only `{a}` has `only.bin`\n")
    );
    let (code, text) = stdout(&["equiv", &a, &b]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(lines[0], format!("{a}/sub/scale.bin: scale: equal in 96 runs"));
    assert_eq!(lines[2], "2 kernels: 0 with the same code, 2 equal, 0 different, 0 not compared");
    let (code, _) = stdout(&["equiv", &a, BMG]);
    assert_eq!(code, Some(2));
}

#[test]
fn what_cannot_be_compared_is_named() {
    let error = |args: &[&str]| {
        let output = run(args, b"");
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
            + &String::from_utf8_lossy(&output.stdout)
    };
    let machine_code = "crates/container/tests/data/facts-dg2.bin";
    let found = error(&["equiv", machine_code, machine_code]);
    assert!(found.contains("has no text of a kernel; ocloc adds the texts with"), "{found}");
    let found = error(&["equiv", EDITED, EDITED]);
    assert!(found.contains("give the .zeinfo file of texts with --info"), "{found}");
    let found = error(&["equiv", BMG, "tests/data/collatz.visaasm"]);
    assert!(found.contains("no kernel of A has the name of the one in this text"), "{found}");
    for option in ["--arg", "--ulp", "--relative"] {
        let found = error(&["equiv", BMG, EDITED, option, "m=1"]);
        assert!(found.contains("no argument is called `m`; there is y, x, a, n"), "{found}");
    }
    let found = error(&["equiv", BMG, EDITED, "--ulp=0=1", "--ulp=y=2"]);
    assert!(found.contains("--ulp is given twice for argument `y`"), "{found}");
    let found = error(&["equiv", BMG, EDITED, "--relative=1", "--relative=2"]);
    assert!(found.contains("--relative is given twice"), "{found}");
    let found = error(&["equiv", BMG, EDITED, "--global", "8", "--local", "2,2"]);
    assert!(found.contains("different numbers of dimensions"), "{found}");
    let text = fs::read_to_string(super::repository(EDITED)).expect("a file of the repository");
    let broken = text.replace("cmp.lt", "cmp.xx");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("broken.visaasm");
    fs::write(&file, broken).expect("a file");
    let found = error(&["equiv", BMG, &file.display().to_string()]);
    assert!(found.contains("not compared: B: the text in the binary: "), "{found}");
}

#[test]
fn one_argument_can_have_a_tolerance() {
    // More than any distance.
    let largest = u64::MAX;
    for (options, expected) in [
        (vec![format!("--ulp=y={largest}")], Some(0)),
        (vec![format!("--ulp=0={largest}")], Some(0)),
        (vec![format!("--ulp=x={largest}")], Some(1)),
        (vec![format!("--ulp={largest}"), "--ulp=y=0".into()], Some(1)),
        (vec!["--relative=y=1e9".into(), "--ulp=x=1".into()], Some(0)),
    ] {
        let options: Vec<&str> = options.iter().map(|option| &**option).collect();
        let (code, text) = stdout(&[&["equiv", BMG, EDITED], &options[..]].concat());
        assert_eq!(code, expected, "{options:?}: {text}");
    }
    let (_, text) = stdout(&["equiv", BMG, EDITED, "--ulp=x=1", "--relative=x=0.5"]);
    assert!(text.contains(" --ulp x=1 --relative x=0.5\n"), "{text}");
}
