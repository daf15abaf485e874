//! Thirty mistakes in OpenCL C, and what a run of the compiler's binaries reports: the table of
//! `docs/evidence/run-bugs.md`.

use std::env;
use std::fmt::Write;
use std::fs;
use std::ops::Range;
use std::path::Path;

use genvisa_cli::{Answer, run};
use genvisa_test_support::ocloc::Ocloc;
use genvisa_test_support::repository;

const PATH: &str = "docs/evidence/run-bugs.md";
const SOURCE: &str = "crates/interp/tests/bugs/bugs.cl";
const HEAD: &str = "\
# What a run reports about mistakes in OpenCL C

Each kernel of `crates/interp/tests/bugs/bugs.cl` is compiled by IGC 2.40 for Battlemage, optimized and with
`-cl-opt-disable`, with a mistake and without it. The table has the first line that `genvisa run` reports about the kernel
with the mistake, and the line of the source that it names. About the correct kernels it reports nothing.

`GENVISA_BLESS=1 cargo test -p genvisa-cli --test suite -- --ignored run_bugs` writes this page.

";

/// A kernel: what its mistake is, its name, and the arguments of the run.
struct Kernel<'s> {
    mistake: &'s str,
    name: &'s str,
    arguments: Vec<&'s str>,
    /// Its lines in the source, from 1.
    lines: Range<usize>,
}

fn kernels(source: &str) -> Vec<Kernel<'_>> {
    let lines: Vec<&str> = source.lines().collect();
    let mut kernels = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(arguments) = line.strip_prefix("// --") else { continue };
        let from = |start: usize, text: &str| {
            let found = lines[start..].iter().position(|line| line.starts_with(text));
            start + found.expect("a kernel")
        };
        let head = from(index, "GROUP");
        let name = lines[head].split("void ").nth(1).and_then(|rest| rest.split('(').next());
        kernels.push(Kernel {
            mistake: lines[index - 1].trim_start_matches("// "),
            name: name.expect("a name"),
            arguments: line[3..].split(' ').collect(),
            lines: head + 1..from(head, "}") + 2,
        });
        assert!(!arguments.is_empty());
    }
    kernels
}

/// Runs a kernel of a binary.
fn answer(binary: &Path, kernel: &Kernel<'_>) -> Answer {
    let binary = binary.to_str().expect("UTF-8");
    let args = ["run", binary, "--kernel", kernel.name].into_iter();
    run(args.chain(kernel.arguments.iter().copied()))
}

/// Returns the first report of an answer, and the line of the source that it names.
fn report(answer: &Answer) -> Option<(String, Option<usize>)> {
    let first = answer.messages.first()?;
    let place = |line: &str| {
        let number = line.split(".cl:").nth(1)?.split(|c: char| !c.is_ascii_digit()).next()?;
        number.parse().ok()
    };
    let text = first.text.lines().next().unwrap_or_default();
    Some((text.into(), first.text.lines().find_map(place)))
}

#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn thirty_mistakes_are_reported() {
    let compiler = Ocloc::required();
    let source = fs::read_to_string(repository(SOURCE)).expect("a source");
    let kernels = kernels(&source);
    assert_eq!(kernels.len(), 30);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut cells = vec![Vec::new(); kernels.len()];
    let mut counts = Vec::new();
    for optimization in ["", "-cl-opt-disable"] {
        let mut reported = 0;
        for mistake in ["", "-DBUG"] {
            let options = format!("-cl-std=CL3.0 -g {optimization} {mistake}");
            let binary = compiler.binary(&source, "bmg", &options).expect("a binary");
            let path = folder.path().join("bugs.bin");
            fs::write(&path, binary).expect("a file");
            for (kernel, cells) in kernels.iter().zip(&mut cells) {
                let report = report(&answer(&path, kernel));
                if mistake.is_empty() {
                    assert_eq!(report, None, "{}, {optimization}", kernel.name);
                    continue;
                }
                let Some((text, line)) = report else {
                    cells.push("nothing".into());
                    continue;
                };
                reported += 1;
                let line = line.unwrap_or_else(|| panic!("{}: no line", kernel.name));
                assert!(kernel.lines.contains(&line), "{}: line {line}", kernel.name);
                cells.push(format!("line {line}: `{text}`"));
            }
        }
        counts.push(reported);
    }
    let [optimized, plain] = counts[..] else { unreachable!() };
    let mut page = format!(
        "{HEAD}Of 30 mistakes, {optimized} are reported in optimized binaries, and {plain} without optimization.\n\n\
         | Mistake | Kernel | Optimized | `-cl-opt-disable` |\n|---|---|---|---|\n"
    );
    for (Kernel { mistake, name, .. }, cells) in kernels.iter().zip(&cells) {
        // Writing to a string never fails.
        let _ =
            writeln!(page, "| {mistake} | `{name}` | {} |", cells.join(" | ").replace("\n", " "));
    }
    assert!(optimized >= 28 && plain >= 28, "{page}");
    let path = repository(PATH);
    if env::var_os("GENVISA_BLESS").is_some() {
        fs::write(path, page).expect("writing the table");
        return;
    }
    assert_eq!(fs::read_to_string(path).unwrap_or_default(), page, "{PATH} is not up to date");
}
