//! `genvisa run`: arguments, outputs and faults.

use std::fs;
use std::path::Path;

use super::run;

const BINARY: &str = "crates/interp/tests/data/scale-tgllp.bin";

/// Runs `scale` on 64 elements, and returns the exit code and the messages.
fn scale(rest: &[&str]) -> (Option<i32>, String) {
    let kernel = [BINARY, "--kernel", "scale", "--global", "64", "--local", "16"];
    let output = run(&[&["run"], &kernel[..], rest].concat(), b"");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn floats(path: &Path) -> Vec<f32> {
    let bytes = fs::read(path).expect("an output");
    bytes.chunks(4).map(|it| f32::from_le_bytes(it.try_into().expect("4 bytes"))).collect()
}

#[test]
fn arguments_have_an_order_or_a_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let (x, y) = (folder.path().join("x"), folder.path().join("y"));
    let bytes: Vec<u8> = (0..64).flat_map(|it| (it as f32).to_le_bytes()).collect();
    fs::write(&x, bytes).expect("a file");
    let x = format!("@{}", x.display());
    let expected: Vec<f32> =
        (0..64).map(|it| 0.5 * it as f32 + [1.0, -2.0, 3.0, -4.0][it & 3]).collect();
    let named_x = format!("x={x}");
    for (arguments, output) in [
        (["zero:256", &x, "0.5", "64"], "0"),
        (["n=64", "a=0.5f", &named_x, "y=zero:256"], "y"),
        (["zero:256", &x, "2=0.5", "0x40"], "y"),
    ] {
        for threads in ["1", "3"] {
            let output = format!("{output}=@{}", y.display());
            let mut rest = vec!["--out", &output, "--threads", threads];
            rest.extend(arguments.iter().flat_map(|argument| ["--arg", argument]));
            assert_eq!(scale(&rest), (Some(0), String::new()), "{arguments:?}");
            assert_eq!(floats(&y), expected, "{arguments:?}");
            fs::remove_file(&y).expect("the output");
        }
    }
}

#[test]
fn wrong_arguments_are_errors() {
    for (arguments, expected) in [
        (&["zero:256", "zero:256", "1"][..], "argument 3, `n`, is missing"),
        (&["zero:256", "zero:256", "1", "2", "3"], "the kernel has 4 arguments, but 5 are given"),
        (&["zero:256", "zero:256", "1", "m=2"], "no argument is called `m`; there is y, x, a, n"),
        (&["zero:256", "zero:256", "1", "a=2"], "argument 2 is given twice"),
        (
            &["zero:256", "zero:256", "1,2", "2"],
            "argument 2, `a`: `1,2` has 8 bytes, but the value has 4",
        ),
        (&["zero:256", "zero:256", "1", "2x"], "argument 3, `n`: expected a number, found `2x`"),
        (
            &["zero:256", "zero:256", "1", "5000000000"],
            "argument 3, `n`: `5000000000` does not fit 4 bytes",
        ),
        (&["zero:256", "7", "1", "2"], "argument 1, `x`: expected a buffer, found a value"),
        (&["zero:256", "@nowhere", "1", "2"], "cannot read `nowhere`"),
    ] {
        let rest: Vec<&str> = arguments.iter().flat_map(|argument| ["--arg", argument]).collect();
        let (code, message) = scale(&rest);
        assert_eq!(code, Some(1), "{message}");
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn outputs_are_written_after_a_complete_run_and_never_over_an_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (x, y) = (path("x"), path("y"));
    fs::write(&x, [0; 128]).expect("a file");
    let input = format!("@{x}");
    let arguments = ["--arg", "zero:256", "--arg", &input, "--arg", "1", "--arg", "n=64"];
    let with = |output: &str| scale(&[&arguments[..], &["--out", output]].concat());
    // `x` has 32 elements.
    let (code, message) = with(&format!("y=@{y}"));
    assert_eq!(code, Some(1));
    assert!(message.contains("outside of its surface"), "{message}");
    assert!(!Path::new(&y).exists());
    let (code, message) = with(&format!("y=@{x}"));
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("is also an input"), "{message}");
    #[cfg(unix)]
    {
        let link = path("link");
        std::os::unix::fs::symlink(&x, &link).expect("a link");
        assert_eq!(with(&format!("y=@{link}")).0, Some(2));
    }
    let (code, message) = with(&format!("a=@{y}"));
    assert_eq!(code, Some(1));
    assert!(message.contains("`a` is not a buffer; these are: y, x"), "{message}");
    assert_eq!(fs::read(&x).expect("the input"), [0; 128]);
}

#[test]
fn a_run_that_a_debugger_ends_writes_no_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("y");
    let out = format!("y=@{}", output.display());
    let request = |command: &str| {
        let arguments = r#"{"stopOnEntry":true}"#;
        let text = format!(
            r#"{{"seq":1,"type":"request","command":"{command}","arguments":{arguments}}}"#
        );
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    };
    let kernel = [BINARY, "--kernel", "scale", "--global", "64", "--local", "16", "--debug"];
    let arguments = ["--arg", "zero:256", "--arg", "zero:256", "--arg", "1", "--arg", "64"];
    let args = [&["run"], &kernel[..], &arguments, &["--out", &out]].concat();
    // A client that ends the run at the first instruction, and one that was never there.
    let commands = ["initialize", "launch", "configurationDone", "terminate"];
    for input in [commands.map(request).concat(), String::new()] {
        let result = run(&args, input.as_bytes());
        let message = String::from_utf8_lossy(&result.stderr);
        assert_eq!(result.status.code(), Some(1), "{message}");
        assert!(message.contains("the debugger ended the run"), "{message}");
        assert!(!output.exists());
    }
}

#[test]
fn options_of_the_other_kind_of_input_are_refused() {
    let text = "tests/data/collatz.visaasm";
    for (args, code, expected) in [
        (&[BINARY, "--kernel", "scale", "--global", "64"][..], 1, "--local"),
        (
            &[BINARY, "--global", "64", "--local", "64"],
            1,
            "choose a kernel with --kernel: scale, rotate",
        ),
        (&[BINARY, "--input", "V0034=1"], 1, "--input is for text and .isa files"),
        (&[text, "--global", "64"], 1, "--global is for kernels with `.ze_info`"),
        (&[text, "--deny", "races"], 1, "--deny races is for kernels with `.ze_info`"),
        (&[text, "--input", "nothing=1"], 1, "has no variable, surface or sampler `nothing`"),
        (&[text, "--trace", "--threads", "2"], 2, "cannot be used with"),
        (&[text, "--debug", "--trace"], 2, "cannot be used with"),
        (&["-", "--debug"], 2, "standard input is for the client of the debugger"),
        (&["tests/data/wrong/start.visaasm"], 1, "has errors and is not run"),
        (&["crates/interp/tests/data/scale.cl"], 1, "`genvisa check` checks its inline assembly"),
    ] {
        let output = run(&[&["run"], args].concat(), b"");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {message}");
        assert!(message.contains(expected), "{args:?}: {message}");
    }
}

#[test]
fn races_of_work_items_in_a_thread_are_warnings_or_errors() {
    let arguments = [
        "run",
        "crates/interp/tests/races/races-bmg.bin",
        "--kernel=no_barrier",
        "--global=16",
        "--local=16",
        "--arg=zero:64",
        "--arg=local:64",
    ];
    let with = |rest: &[&str]| {
        let output = run(&[&arguments, rest].concat(), b"");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stderr), text(&output.stdout))
    };
    let race =
        "races at 0x3c, byte 60 of argument 1 (t), which was written by lane 15 of the same thread";
    let (code, message, _) = with(&[]);
    assert_eq!(code, Some(0), "{message}");
    assert!(message.starts_with(&format!("genvisa: warning: lane 0: {race}")), "{message}");
    assert!(message.contains("the earlier access"), "{message}");
    let (code, message, _) = with(&["--deny", "races"]);
    assert_eq!(code, Some(1), "{message}");
    assert!(message.starts_with("genvisa: lane 0, addrs: races"), "{message}");
    let (_, _, json) = with(&["--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let found = &json[0]["races_of_lanes"][0];
    assert_eq!((&found["kind"], &found["earlier"].is_object()), (&"race".into(), &true));
}

#[test]
fn stores_of_undefined_values_are_warnings_or_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let (text, file) = ("tests/data/undefined.visaasm", folder.path().join("o"));
    let out = format!("out=@{}", file.display());
    let with = |rest: &[&str]| {
        let output = run(&[&["run", text], rest].concat(), b"");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stderr), text(&output.stdout))
    };
    let given = ["--input", "out=lanes:4:zero:64"];
    let origin = "lane 0, src1: the stored value depends on a value that was never written: byte 0 of a, which $0 \
                  reads: mul (M1, 16) a(0,0)<1> a(0,0)<1;1,0> 0x40000000:f\n  --> k $2";
    for outputs in [&[][..], &["--out", &out]] {
        let (code, message, _) = with(&[&given[..], outputs].concat());
        assert_eq!(code, Some(0), "{message}");
        assert!(message.starts_with(&format!("genvisa: warning: {origin}")), "{message}");
    }
    assert!(file.exists());
    fs::remove_file(&file).expect("the output");
    let denied = ["--deny", "undefined", "--out", &out];
    let (code, message, _) = with(&[&given[..], &denied].concat());
    assert_eq!(code, Some(1), "{message}");
    assert!(message.starts_with(&format!("genvisa: {origin}")), "{message}");
    assert!(!file.exists());
    let (_, _, json) = with(&[&given[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let store = &json[0]["undefined_stores"][0];
    assert_eq!(
        (&store["kind"], &store["place"]["instruction"]),
        (&"undefined-value".into(), &2.into())
    );
    let (code, message, _) = with(&[]);
    assert_eq!(code, Some(1));
    assert!(message.contains("input `out` was not given"), "{message}");
}

#[test]
fn coverage_has_instructions_and_source_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    fs::write(file("k.cl"), "one\ntwo\nthree\n").expect("a file");
    let text = "\
.version 4.2
.kernel \"k\"
.decl a v_type=G type=ud num_elts=1 align=GRF
    FILE \"k.cl\"
    LOC 1
    mov (M1, 1) a(0,0)<1> 0x0:ud
    jmp (M1, 1) end
    LOC 2
    mov (M1, 1) a(0,0)<1> 0x1:ud
    mov (M1, 1) a(0,0)<1> 0x2:ud
end:
    LOC 3
    ret (M1, 1)
";
    fs::write(file("k.visaasm"), text).expect("a file");
    let print = |rest: &[&str]| {
        let path = file("k.visaasm");
        let output = run(&[&["run", "--platform", "bmg", &path, "--coverage"], rest].concat(), b"");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let expected = "\
3 of 5 instructions ran, from 2 of 3 source lines
  k $5: mov (M1, 1) a(0,0)<1> 0x1:ud
    k.cl:2: two
  k $6: mov (M1, 1) a(0,0)<1> 0x2:ud
";
    assert!(print(&[]).ends_with(expected), "{}", print(&[]));
    let json: serde_json::Value = serde_json::from_str(&print(&["--json"])).expect("JSON");
    let all = json[0]["coverage"].as_array().expect("a list");
    let times: Vec<u64> = all.iter().map(|one| one["times"].as_u64().expect("a number")).collect();
    assert_eq!(times, [1, 1, 0, 0, 1]);
    assert_eq!(all[2]["source"]["line"], 2);
}

#[test]
fn groups_in_turns_compute_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = |rest: &[&str]| {
        let file = folder.path().join("y");
        let out = format!("y=@{}", file.display());
        let arguments = ["--arg", "zero:256", "--arg", "zero:256", "--arg", "2f", "--arg", "64"];
        let (code, message) = scale(&[&arguments[..], &["--out", &out], rest].concat());
        assert_eq!((code, &*message), (Some(0), ""));
        fs::read(file).expect("an output")
    };
    let expected = output(&[]);
    for seed in ["0", "1", "2"] {
        assert_eq!(output(&["--schedule", seed]), expected);
    }
    let text = run(&["run", "tests/data/collatz.visaasm", "--schedule", "1"], b"");
    let message = String::from_utf8_lossy(&text.stderr).into_owned();
    assert!(message.contains("--schedule is for kernels with"), "{message}");
}

/// Only several threads have races, for which the run records who accessed each byte.
#[test]
fn one_thread_needs_no_memory_for_races() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("one.visaasm");
    let text = "\
.version 4.2
.kernel \"k\"
.decl p v_type=G type=uq num_elts=1 align=GRF
.decl a v_type=G type=d num_elts=1 align=GRF
.input p offset=64 size=8
    mov (M1, 1) a(0,0)<1> 0x7:d
    lsc_store.ugm (M1, 1) flat[p]:a64 a:d32
    ret (M1, 1)
";
    fs::write(&file, text).expect("a file");
    let file = file.display().to_string();
    // A buffer takes 2 bytes for each of its bytes.
    let head = ["run", &file, "--input", "p=zero:1048576", "--memory-limit", "2097152"];
    let run_threads = |threads| run(&[&head[..], &["--thread-space", threads]].concat(), b"");
    let one = run_threads("1,1");
    assert_eq!(one.status.code(), Some(0), "{one:?}");
    let two = run_threads("2,1");
    assert_eq!(two.status.code(), Some(1), "{two:?}");
    let message = String::from_utf8_lossy(&two.stderr);
    assert!(message.contains("what is recorded about the buffers"), "{message}");
}
