//! What all commands have in common: exit codes, `--quiet`, standard input and output.

use std::collections::BTreeSet;
use std::fs;

use super::{run, run_in};

/// How a command is called. `{}` is an input, which may be standard input.
pub struct Case {
    pub command: &'static str,
    /// Calls that succeed and print something, with the file that is read.
    pub inputs: &'static [(&'static str, &'static [&'static str])],
    /// A call that writes to the file `{}`, which may be standard output.
    output: Option<&'static [&'static str]>,
    /// Calls that fail, with their exit code.
    failures: &'static [(i32, &'static [&'static str])],
    /// Whether the output only reports what the exit code summarizes.
    is_report: bool,
}

const TOUR: &str = "tests/data/tour.isa";
const LINES: &str = "tests/data/lines/scale.visaasm";
const PLAIN: &str = "tests/data/plain.visaasm";
const COLLATZ: &str = "tests/data/collatz.visaasm";
const LANES: &str = "tests/data/inline/lanes.ll";
const BINARY: &str = "crates/interp/tests/data/scale-bmg.bin";
const EDITED: &str = "crates/equiv/tests/data/scale-edited.visaasm";
const KERNELS: &str = "tests/data/kernels.c";

pub const CASES: &[Case] = &[
    Case {
        command: "roundtrip",
        inputs: &[(TOUR, &["{}"])],
        output: None,
        // Bytes never differ, so only errors are tested.
        failures: &[(1, &["nowhere.isa"]), (1, &[PLAIN]), (1, &["src"]), (2, &[])],
        is_report: true,
    },
    Case {
        command: "info",
        inputs: &[(TOUR, &["{}"]), (PLAIN, &["{}"]), (TOUR, &["--json", "{}"])],
        output: None,
        failures: &[(1, &["nowhere.isa"]), (2, &[])],
        is_report: false,
    },
    Case {
        command: "isa",
        inputs: &[],
        output: None,
        failures: &[(1, &["nothing"]), (2, &["--platform", "none"]), (2, &["--platform", "bmg"])],
        is_report: false,
    },
    Case {
        command: "explain",
        inputs: &[(TOUR, &["{}"]), (TOUR, &["{}", "--json"])],
        output: Some(&[TOUR, "--html", "{}"]),
        failures: &[(1, &["nowhere.isa"]), (1, &["--hex", "71"]), (2, &["--hex", "7"])],
        is_report: false,
    },
    Case {
        command: "dis",
        inputs: &[(TOUR, &["{}"]), (COLLATZ, &["{}", "--pressure"]), (LINES, &["{}", "--source"])],
        output: Some(&[TOUR, "-o", "{}"]),
        failures: &[(1, &["nowhere.isa"]), (1, &[PLAIN]), (2, &[TOUR, "-o", TOUR])],
        is_report: false,
    },
    Case {
        command: "asm",
        inputs: &[(PLAIN, &["{}", "-o", "-"])],
        output: Some(&[PLAIN, "-o", "{}"]),
        failures: &[(1, &["tests/data/wrong/start.visaasm"]), (2, &[])],
        is_report: false,
    },
    Case {
        command: "fmt",
        inputs: &[(PLAIN, &["{}"])],
        output: Some(&[PLAIN, "-o", "{}"]),
        failures: &[(1, &[TOUR]), (1, &["--check", PLAIN]), (2, &[])],
        is_report: false,
    },
    Case {
        command: "verify",
        inputs: &[
            ("tests/data/illegal.visaasm", &["{}", "--warn", "igc"]),
            ("tests/data/illegal.visaasm", &["{}", "--warn", "igc", "--json"]),
        ],
        output: None,
        failures: &[
            (1, &["tests/data/illegal.visaasm"]),
            (1, &["nowhere.isa"]),
            (2, &[]),
            (2, &["--list", "--format", "sarif"]),
            (2, &["--explain", "operand-bounds", "--format", "sarif"]),
        ],
        is_report: true,
    },
    Case {
        command: "stats",
        inputs: &[(COLLATZ, &["{}"]), (TOUR, &["{}"]), (LINES, &["{}", "--by-line", "--json"])],
        output: None,
        failures: &[(1, &["nowhere.isa"]), (1, &["src"]), (2, &[])],
        is_report: true,
    },
    Case {
        command: "run",
        inputs: &[(
            COLLATZ,
            &[
                "{}",
                "--input",
                "in=lanes:4:zero:64",
                "--input",
                "out=lanes:4:zero:64",
                "--input",
                "limit=9",
            ],
        )],
        output: None,
        failures: &[
            (1, &["nowhere.isa"]),
            // Inputs are missing.
            (1, &[COLLATZ]),
            (2, &[COLLATZ, "--out", "out=@tests/data/collatz.visaasm"]),
            (2, &[COLLATZ, "--input", "limit"]),
            (2, &[]),
        ],
        is_report: true,
    },
    Case {
        command: "equiv",
        inputs: &[
            (EDITED, &[BINARY, "{}", "--global", "1", "--local", "1"]),
            (EDITED, &[BINARY, "{}", "--global", "1", "--local", "1", "--json"]),
        ],
        output: None,
        failures: &[
            (1, &[BINARY, EDITED]),
            (2, &[BINARY, "nowhere.bin"]),
            (2, &[BINARY, TOUR]),
            (2, &[BINARY, EDITED, "--kernel", "rotate"]),
            // No kernel runs with this argument.
            (2, &[BINARY, EDITED, "--arg", "n=1,2"]),
            (2, &[BINARY]),
        ],
        is_report: true,
    },
    Case {
        command: "cfg",
        inputs: &[(COLLATZ, &["{}"]), (TOUR, &["{}", "--format", "json"])],
        output: Some(&[COLLATZ, "-o", "{}"]),
        failures: &[(1, &["nowhere.isa"]), (2, &[])],
        is_report: false,
    },
    Case {
        command: "check",
        inputs: &[
            (LANES, &["{}", "--as", "llvm", "--verbose"]),
            (KERNELS, &["{}", "--as", "c"]),
            (KERNELS, &["{}", "--as", "c", "--json"]),
        ],
        output: None,
        failures: &[
            (1, &["tests/data/inline/mistakes.cl"]),
            (1, &["--strict", LANES]),
            (1, &["--dumps", "tests/data/dumps"]),
            (2, &["--dumps", "nowhere"]),
            (2, &["--dumps", "tests/data/dumps", "--format", "sarif"]),
            (2, &["nowhere.cl"]),
            (2, &["crates/cli/tests/transcripts/diff"]),
            (2, &[]),
        ],
        is_report: true,
    },
    Case {
        command: "diff",
        inputs: &[
            (COLLATZ, &["{}", COLLATZ]),
            (COLLATZ, &[COLLATZ, "{}"]),
            (COLLATZ, &["{}", COLLATZ, "--json"]),
        ],
        output: None,
        failures: &[
            (1, &[COLLATZ, "tests/data/collatz-2.visaasm"]),
            (2, &[COLLATZ, "nowhere.isa"]),
            (2, &["-", "-"]),
        ],
        is_report: true,
    },
    Case {
        command: "report",
        inputs: &[(COLLATZ, &["{}", "-o", "-"]), (TOUR, &[COLLATZ, "{}", "-o", "-"])],
        output: Some(&[COLLATZ, "-o", "{}"]),
        failures: &[(1, &["nowhere.isa", "-o", "-"]), (2, &[COLLATZ]), (2, &["-", "-", "-o", "-"])],
        is_report: false,
    },
    Case {
        command: "extract",
        inputs: &[(KERNELS, &["{}", "--list"]), (TOUR, &["{}", "--list"])],
        output: None,
        failures: &[(1, &["Cargo.toml"]), (1, &["nowhere.so"]), (2, &[])],
        is_report: true,
    },
    Case {
        command: "pack",
        inputs: &[
            (KERNELS, &["-o", "-", "--", "{}!tour", TOUR]),
            (TOUR, &["tests/data/kernels.c!tour", "{}", "-o", "-"]),
        ],
        output: Some(&["tests/data/kernels.c!tour", TOUR, "-o", "{}"]),
        failures: &[
            (1, &["nowhere.so", TOUR, "-o", "-"]),
            (1, &[KERNELS, TOUR, "-o", "-"]),
            (2, &["-o", "-", "--", "-!1", "-"]),
            (2, &[KERNELS, TOUR, "-o", "-", "--json"]),
        ],
        is_report: true,
    },
    Case {
        command: "triage",
        inputs: &[],
        output: None,
        failures: &[
            (1, &[BINARY]),
            (1, &[BINARY, "nowhere.bin"]),
            (1, &["nowhere.cl", "--ocloc", "nowhere"]),
            (2, &[BINARY, BINARY, "--device", "bmg"]),
            (2, &[BINARY, BINARY, "--output", "target/builds"]),
            (2, &[]),
        ],
        is_report: true,
    },
    Case {
        command: "override",
        inputs: &[],
        output: None,
        failures: &[
            (1, &["nowhere.visaasm", PLAIN, "-o", "target/overrides"]),
            (2, &[PLAIN, PLAIN]),
            (2, &[PLAIN, PLAIN, "-o", "tests/data"]),
        ],
        is_report: false,
    },
    Case {
        command: "lsp",
        inputs: &[],
        output: None,
        // A client that does not follow the protocol.
        failures: &[(1, &[]), (2, &["file.visaasm"])],
        is_report: false,
    },
    Case {
        command: "completions",
        inputs: &[],
        output: None,
        failures: &[(2, &["cmd"]), (2, &[])],
        is_report: false,
    },
    Case {
        command: "man",
        inputs: &[],
        output: None,
        failures: &[(1, &["-o", "Cargo.toml"]), (2, &["-o"])],
        is_report: false,
    },
    Case {
        command: "schema",
        inputs: &[],
        output: None,
        failures: &[(2, &["info"])],
        is_report: false,
    },
];

/// Returns the commands that the help lists by their tasks.
pub fn commands() -> BTreeSet<String> {
    let output = run(&["--help"], b"");
    let help = String::from_utf8(output.stdout).expect("UTF-8");
    let (list, _) = help.split_once("\nOptions:\n").expect("a list of options");
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.map(String::from).collect()
}

/// Returns a call with a value for `{}`.
fn call(command: &str, args: &[&str], value: &str) -> Vec<String> {
    let args = args.iter().map(|arg| arg.replace("{}", value));
    [command.into()].into_iter().chain(args).collect()
}

fn run_call(call: &[String], input: &[u8]) -> std::process::Output {
    run(&call.iter().map(String::as_str).collect::<Vec<_>>(), input)
}

#[test]
fn all_commands_are_listed() {
    let listed: BTreeSet<String> = CASES.iter().map(|case| case.command.into()).collect();
    assert_eq!(listed, commands());
}

#[test]
fn exit_codes() {
    for case in CASES {
        for quiet in [&[][..], &["--quiet"]] {
            for (code, args) in case.failures {
                let args = [&[case.command], quiet, *args].concat();
                let output = run(&args, b"");
                let stderr = String::from_utf8_lossy(&output.stderr);
                assert_eq!(output.status.code(), Some(*code), "{args:?}: {stderr}");
            }
            let args = [&[case.command, "--no-such-option"], quiet].concat();
            assert_eq!(run(&args, b"").status.code(), Some(2), "{args:?}");
        }
    }
}

/// The help of a command states the exit codes that apply to it, and the guide of the tool all.
#[test]
fn unknown_words_of_the_command_line_have_suggestions() {
    for (args, suggestion) in [
        (&["dsi", "tests/data/tour.isa"][..], "a similar subcommand exists: 'dis'"),
        (&["dis", "--stlye", "genx-ir"], "a similar argument exists: '--style'"),
        (&["stats", "--jsno", "tests/data/tour.isa"], "a similar argument exists: '--json'"),
        (&["dis", "--style", "complet"], "a similar value exists: 'complete'"),
        (&["dis", "--qiet"], "a similar argument exists: '--quiet'"),
    ] {
        let output = run(args, b"");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(errors.contains(suggestion), "{args:?}: {errors}");
    }
}

/// Returns the calls of a command in the examples of its help, up to a pipe, a redirection or a comment.
fn examples(command: &str) -> Vec<Vec<String>> {
    let help = String::from_utf8(run(&[command, "--help"], b"").stdout).expect("UTF-8");
    let (_, examples) = help.split_once("\nExamples:\n").expect("examples");
    let mut parts = examples.split(" \\\n");
    let first = parts.next().unwrap_or_default().to_owned();
    let examples = parts.fold(first, |all, part| all + " " + part.trim_start());
    let calls = examples.lines().filter_map(|line| {
        let call = line.strip_prefix("  genvisa ")?;
        let call = [" | ", " > ", "    "]
            .iter()
            .fold(call, |call, end| call.split_once(end).map_or(call, |(call, _)| call));
        // A part of a word that is quoted may have blanks.
        let mut words = vec![String::new()];
        for (index, part) in call.split('\'').enumerate() {
            if index % 2 == 1 {
                words.last_mut().expect("a word").push_str(part);
                continue;
            }
            for (index, word) in part.split(' ').enumerate() {
                match index {
                    0 => words.last_mut().expect("a word").push_str(word),
                    _ => words.push(word.into()),
                }
            }
        }
        words.retain(|word| !word.is_empty());
        (words[0] == command).then_some(words)
    });
    calls.collect()
}

/// Others are about files of the user.
#[test]
fn each_help_has_two_examples_that_work_in_a_clone() {
    for command in commands() {
        // A dump of IGC has a hash in its name, and the server waits for a client.
        if ["override", "lsp"].contains(&command.as_str()) {
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let works = |call: &Vec<String>| {
            let mut call = call.clone();
            for index in 1..call.len() {
                if ["-o", "--html"].contains(&call[index - 1].as_str()) {
                    let output = folder.path().join(call[index].replace(['/', '~'], ""));
                    call[index] = output.display().to_string();
                }
                if let Some((name, file)) = call[index].split_once("=@") {
                    if call[index - 1] == "--out" {
                        let output = folder.path().join(file.replace('/', ""));
                        call[index] = format!("{name}=@{}", output.display());
                    }
                }
            }
            let output = run_call(&call, b"");
            let errors = String::from_utf8_lossy(&output.stderr);
            // Findings and differences have exit code 1.
            matches!(output.status.code(), Some(0 | 1)) && !errors.contains("cannot read")
        };
        let examples = examples(&command);
        let count = examples.iter().filter(|call| works(call)).count();
        assert!(count >= 2, "{command}: {count} of {examples:?}");
    }
}

#[test]
fn the_help_of_each_command_lists_its_exit_codes() {
    let all = String::from_utf8(run(&["--help"], b"").stdout).expect("UTF-8");
    let (_, codes) = all.split_once("\nExit codes:\n").expect("the exit codes");
    let guide = fs::read_to_string(crate::repository("docs/tool.md")).expect("a document");
    for line in codes.lines().take_while(|line| !line.is_empty()) {
        let (code, meaning) = line.trim().split_once("  ").expect("a code and its meaning");
        let (meaning, commands) = match meaning.strip_suffix(')') {
            Some(limited) => limited.split_once(" (").expect("commands"),
            None => (meaning, ""),
        };
        assert!(guide.contains(&format!("| {code} | {meaning} | {commands} |")), "{line}");
        for command in self::commands() {
            let applies = commands.is_empty() || commands.split(", ").any(|name| name == command);
            let help = String::from_utf8(run(&[&command, "--help"], b"").stdout).expect("UTF-8");
            assert_eq!(help.contains(&format!("\n  {code}  {meaning}\n")), applies, "{command}");
        }
    }
}

#[test]
fn quiet_prints_only_what_is_requested() {
    for case in CASES {
        for (file, args) in case.inputs {
            let loud = run_call(&call(case.command, args, file), b"");
            let mut args = call(case.command, args, file);
            args.insert(1, "-q".into());
            let quiet = run_call(&args, b"");
            assert_eq!(quiet.status.code(), Some(0), "{args:?}");
            assert_eq!(quiet.stderr, b"", "{args:?}");
            let is_requested = args.iter().any(|arg| ["--list", "--json", "-"].contains(&&**arg));
            let expected = if case.is_report && !is_requested { Vec::new() } else { loud.stdout };
            assert_eq!(quiet.stdout, expected, "{args:?}");
        }
        for (_, args) in case.failures.iter().filter(|_| case.is_report) {
            let args = [&["-q", case.command], *args].concat();
            assert_eq!(run(&args, b"").stdout, b"", "{args:?}");
        }
    }
    // Errors that prevent the work are printed, warnings are not.
    let (code, errors) = run_in(".".as_ref(), &["verify", "-q", "nowhere.isa"]);
    assert_eq!(code, Some(1));
    assert!(errors.starts_with("genvisa: cannot read `nowhere.isa`"), "{errors}");
    // WAIT has an operand since 3.1.
    let newer = b".version 3.0\n.kernel \"k\"\n    wait 0x1:ud\n";
    let args = ["asm", "-", "-o", "-"];
    let (loud, quiet) = (run(&args, newer), run(&[&args[..], &["-q"]].concat(), newer));
    assert!(String::from_utf8_lossy(&loud.stderr).contains("warning"), "{loud:?}");
    assert_eq!((quiet.status.code(), quiet.stderr, quiet.stdout), (Some(0), vec![], loud.stdout));
}

/// Standard input is read like a file, except for its name.
#[test]
fn all_inputs_may_be_standard_input() {
    for case in CASES {
        for (file, args) in case.inputs {
            let from_file = run_call(&call(case.command, args, file), b"");
            let bytes = fs::read(crate::repository(file)).expect("a file of the repository");
            let args = call(case.command, args, "-");
            let from_stdin = run_call(&args, &bytes);
            let errors = String::from_utf8_lossy(&from_stdin.stderr);
            assert_eq!(from_stdin.status.code(), Some(0), "{args:?}: {errors}");
            assert_eq!(from_file.status.code(), Some(0), "{args:?}: {from_file:?}");
            let is_the_only = args.iter().filter(|arg| arg == file).count() == 0;
            let expected = String::from_utf8_lossy(&from_file.stdout).into_owned();
            let expected = if is_the_only { expected.replace(file, "-") } else { expected };
            assert_eq!(String::from_utf8_lossy(&from_stdin.stdout), expected, "{args:?}");
        }
    }
}

#[test]
fn all_outputs_may_be_standard_output() {
    let folder = tempfile::tempdir().expect("a folder");
    for case in CASES {
        let Some(args) = case.output else { continue };
        let path = folder.path().join(case.command);
        let written = run_call(&call(case.command, args, &path.to_string_lossy()), b"");
        assert_eq!(written.status.code(), Some(0), "{args:?}: {written:?}");
        let printed = run_call(&call(case.command, args, "-"), b"");
        assert_eq!(printed.status.code(), Some(0), "{args:?}: {printed:?}");
        assert!(!printed.stdout.is_empty(), "{args:?}");
        assert_eq!(fs::read(&path).expect("the output"), printed.stdout, "{args:?}");
    }
    // Another input, for text of the same kernel.
    let text = run(&["dis", TOUR], b"").stdout;
    let source = folder.path().join("tour.visaasm");
    fs::write(&source, text).expect("a file");
    let args = ["asm", &source.to_string_lossy(), "-o", "-", "--gen-binaries-of", "-"];
    let file = fs::read(crate::repository(TOUR)).expect("a file of the repository");
    assert_eq!(run(&args, &file).stdout, file);
    // Options that write a file are in the table.
    for command in commands() {
        let help = String::from_utf8(run(&[&command, "--help"], b"").stdout).expect("UTF-8");
        let has_output = help.contains(" <OUT>");
        let case = CASES.iter().find(|case| case.command == command).expect("a case");
        assert_eq!(case.output.is_some(), has_output, "{command}");
    }
}

#[test]
fn findings_of_a_routine_are_selected_by_its_name() {
    let wrong = "mulh (M1, 8) %null(0,0)<1> %null(0,0)<8;8,1> 0x1:f";
    let text = super::text_of(&[("kernel", "a", wrong), ("kernel", "b", wrong)]);
    let findings = |args: &[&str]| {
        let output = run(&[&["verify", "--json", "-"], args].concat(), text.as_bytes());
        let values: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let values = values.as_array().expect("a list").iter();
        values
            .map(|it| it["routine"].as_str().expect("a name").to_string())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(findings(&[]), BTreeSet::from(["a".into(), "b".into()]));
    assert_eq!(findings(&["--routine", "b"]), BTreeSet::from(["b".into()]));
    let output = run(&["verify", "-", "--kernel", "c"], text.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("1 file: no routine `c`"), "{errors}");
}

#[test]
fn syntax_errors_are_data_if_data_is_requested() {
    let text =
        std::fs::read_to_string(crate::repository("tests/data/mirror.visaasm")).expect("a text");
    let broken: String = (text.lines().enumerate())
        .map(|(index, line)| format!("{line}{}\n", if index % 3 == 0 { " \u{e9} 1" } else { "" }))
        .collect();
    let run = |args: &[&str]| {
        let output = run(&[&["verify", "-"], args].concat(), broken.as_bytes());
        assert_eq!(output.status.code(), Some(1));
        output
    };
    let printed = String::from_utf8(run(&[]).stderr).expect("UTF-8");
    let mut expected = Vec::new();
    for (message, place) in printed.lines().zip(printed.lines().skip(1)) {
        if let Some(message) = message.strip_prefix("error: ") {
            let place = place.trim().strip_prefix("--> -:").expect("a place");
            expected.push((message.to_string(), place.to_string()));
        }
    }
    assert!(expected.len() > 10, "{printed}");
    let data = |args: &[&str]| -> serde_json::Value {
        let output = run(args);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let findings = data(&["--json"]);
    let findings = findings.as_array().expect("a list");
    let place = |finding: &serde_json::Value| {
        assert_eq!((&finding["rule"], &finding["severity"]), (&"syntax".into(), &"error".into()));
        let message = finding["message"].as_str().expect("a message").to_string();
        (message, format!("{}:{}", finding["line"], finding["column"]))
    };
    assert_eq!(findings.iter().map(place).collect::<Vec<_>>(), expected);
    let log = data(&["--format", "sarif"]);
    let results = log["runs"][0]["results"].as_array().expect("results");
    let place = |result: &serde_json::Value| {
        assert_eq!(result["ruleId"], "syntax");
        let region = &result["locations"][0]["physicalLocation"]["region"];
        format!("{}:{}", region["startLine"], region["startColumn"])
    };
    let places = expected.into_iter().map(|(_, place)| place);
    assert_eq!(results.iter().map(place).collect::<Vec<_>>(), places.collect::<Vec<_>>());
}

#[test]
fn lines_of_the_help_fit_100_columns() {
    let help = run(&["--help"], b"");
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
}
