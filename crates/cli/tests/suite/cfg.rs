//! The drawings of `genvisa cfg`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use genvisa::isa::{Goto, Label, Mov, Ret, Subroutine};
use genvisa::object::{Code, Kernel, LabelInfo};
use genvisa::operand::{Exec, ExecMask, ExecSize, LabelId, Pred, PredId};
use genvisa::{Dialect, Format, Instruction, Module};
use serde_json::Value;

fn label(number: u16) -> LabelId {
    LabelId(number)
}

/// Runs a program with input.
fn run(program: &str, args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        // A program that reports an error may not read all of its input.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("the program ends")
    })
}

fn cfg(args: &[&str], file: &[u8]) -> String {
    let args = [&["cfg", "-"], args].concat();
    let output = run(env!("CARGO_BIN_EXE_genvisa"), &args, file);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns whether `dot` is installed.
fn has_dot() -> bool {
    Command::new("dot").arg("-V").output().is_ok()
}

/// Checks that `dot` draws a graph without warnings, and returns the picture.
fn drawn(graph: &str, name: &str) -> String {
    let output = run("dot", &["-Tsvg"], graph.as_bytes());
    let messages = String::from_utf8_lossy(&output.stderr);
    // Fonts may not be installed.
    let is_about_fonts = |line: &str| line.contains("ango") || line.contains("ontconfig");
    let mut messages = messages.lines().filter(|line| !is_about_fonts(line));
    assert_eq!(messages.next(), None, "{name}");
    assert!(output.status.success(), "{name}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the files and texts in `tests/data` that have no errors.
fn files() -> Vec<PathBuf> {
    let folder = crate::repository("tests/data");
    let entries = fs::read_dir(folder).expect("a folder of the repository");
    let is_visa = |path: &PathBuf| {
        path.extension().is_some_and(|suffix| suffix == "isa" || suffix == "visaasm")
    };
    let is_illegal = |path: &PathBuf| path.ends_with("illegal.visaasm");
    let mut files: Vec<PathBuf> = (entries.flatten().map(|entry| entry.path()))
        .filter(|path| is_visa(path) && !is_illegal(path))
        .collect();
    files.sort();
    assert!(files.len() >= 5, "{files:?}");
    files
}

#[test]
#[ignore = "needs dot"]
fn dot_accepts_the_graphs() {
    for path in files() {
        let file = fs::read(&path).expect("a readable file");
        let name = path.display().to_string();
        let dialect = if path.ends_with("manual.isa") { "manual" } else { "igc2026" };
        let picture = drawn(&cfg(&["--all", "--dialect", dialect], &file), &name);
        assert!(picture.contains(">B0"), "{name}");
    }
}

/// Returns the edges of a graph that determine the positions of blocks, from the upper to the lower block.
fn downward_edges(graph: &str) -> Vec<(&str, &str)> {
    let edges = graph.lines().filter(|line| !line.contains("constraint=false"));
    edges.filter_map(|line| line.trim().split_once(" [")?.0.split_once(" -> ")).collect()
}

/// Graphviz puts the first block of an edge above the second. If these edges have no cycle, it turns none of
/// them, and the header of a loop is above the rest of the loop.
#[test]
fn loops_are_drawn_downwards() {
    let mut loops = 0;
    for path in files() {
        let file = fs::read(&path).expect("a readable file");
        let dialect = if path.ends_with("manual.isa") { "manual" } else { "igc2026" };
        let graph = cfg(&["--all", "--dialect", dialect], &file);
        loops += graph.matches("dir=back").count();
        let mut edges = downward_edges(&graph);
        edges.retain(|(from, to)| from != to);
        while !edges.is_empty() {
            let is_target = |block: &str| edges.iter().any(|(_, to)| *to == block);
            let rest: Vec<_> = edges.iter().copied().filter(|(from, _)| is_target(from)).collect();
            assert!(rest.len() < edges.len(), "{}: {edges:?}", path.display());
            edges = rest;
        }
    }
    assert!(loops > 3, "{loops}");
}

/// Returns the routines of files, and of the corpus if there is one, as JSON.
fn routines() -> Vec<Value> {
    let mut paths = files();
    paths.extend(genvisa_test_support::corpus::files().into_iter().take(20));
    let of_file = |path: &PathBuf| {
        let dialect = if path.ends_with("manual.isa") { "manual" } else { "igc2026" };
        let file = fs::read(path).expect("a readable file");
        let json = cfg(&["--format", "json", "--dialect", dialect], &file);
        serde_json::from_str::<Vec<Value>>(&json).expect("JSON")
    };
    paths.iter().flat_map(of_file).collect()
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

/// Chains are what their definition says. A region is entered at its first block only, is left to one
/// block or ends, and contains no back edge.
#[test]
fn chains_and_regions_are_straight() {
    let (mut chains, mut regions) = (0, 0);
    for routine in routines() {
        let name = &routine["routine"];
        let blocks = routine["blocks"].as_array().expect("blocks");
        let edges: Vec<(u64, u64, bool)> = (routine["edges"].as_array().expect("edges").iter())
            .map(|edge| (number(&edge["from"]), number(&edge["to"]), edge["is_back_edge"] == true))
            .collect();
        let targets = |of: u64| -> BTreeSet<u64> {
            edges.iter().filter(|(from, ..)| *from == of).map(|(_, to, _)| *to).collect()
        };
        let sources = |of: u64| -> BTreeSet<u64> {
            edges.iter().filter(|(_, to, _)| *to == of).map(|(from, ..)| *from).collect()
        };
        let of = |key: &str| -> BTreeMap<u64, u64> {
            blocks.iter().map(|block| (number(&block["block"]), number(&block[key]))).collect()
        };
        let (chain, region) = (of("chain"), of("region"));
        for (&block, &head) in &chain {
            let before = sources(block);
            let is_inside = before.len() == 1 && block != 0 && {
                let before = *before.first().expect("one");
                let key = |of: u64| {
                    let of = blocks.iter().find(|it| it["block"] == of).expect("a block");
                    (of["subroutine"].clone(), of["loop"].clone())
                };
                before != block && targets(before).len() == 1 && key(before) == key(block)
            };
            assert_eq!(head != block, is_inside, "{name}: B{block}");
            if is_inside {
                chains += 1;
                assert_eq!(head, chain[before.first().expect("one")], "{name}: B{block}");
            }
            assert_eq!(region[&block], region[&head], "{name}: B{block}");
        }
        let mut exits: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        for &(from, to, is_back) in &edges {
            if region[&from] != region[&to] {
                assert_eq!(region[&to], to, "{name}: B{from} enters the region of B{to}");
                exits.entry(region[&from]).or_default().insert(to);
            } else if from != to {
                assert!(!is_back || region[&to] == to, "{name}: B{from} to B{to}");
                regions += 1;
            }
        }
        for (head, exits) in exits {
            let last = blocks.iter().map(|it| number(&it["block"])).filter(|it| region[it] == head);
            let most = last.map(|block| targets(block).len()).max().expect("blocks");
            assert!(exits.len() <= most, "{name}: the region of B{head}");
        }
    }
    assert!(regions > 0 && chains > 0, "{chains} {regions}");
}

/// A part has all edges of its blocks, and dashed boxes for the blocks outside that they lead to.
#[test]
fn parts_name_their_neighbors() {
    let file = fs::read(crate::repository("tests/data/collatz.visaasm")).expect("a file");
    for part in
        [&["--loop", "next"][..], &["--loop", "B1"], &["--range", "$9-$12"], &["--range", "9"]]
    {
        let json = cfg(&[part, &["--format", "json"]].concat(), &file);
        let routine = &serde_json::from_str::<Vec<Value>>(&json).expect("JSON")[0];
        let inside: BTreeSet<u64> = (routine["blocks"].as_array().expect("blocks").iter())
            .map(|block| number(&block["block"]))
            .collect();
        let whole: Vec<Value> =
            serde_json::from_str(&cfg(&["--format", "json"], &file)).expect("JSON");
        let is_near = |edge: &&Value| {
            inside.contains(&number(&edge["from"])) || inside.contains(&number(&edge["to"]))
        };
        let expected: Vec<&Value> =
            whole[0]["edges"].as_array().expect("edges").iter().filter(is_near).collect();
        assert_eq!(
            routine["edges"].as_array().expect("edges").iter().collect::<Vec<_>>(),
            expected
        );
        let near: BTreeSet<u64> =
            expected.iter().flat_map(|edge| [number(&edge["from"]), number(&edge["to"])]).collect();
        let graph = cfg(part, &file);
        assert!(graph.contains("style=dashed color=\"#6b7280\" fontcolor"), "{graph}");
        for block in 0..9 {
            let (node, stub) =
                (format!("    r0b{block} [label=<<TABLE"), format!("    r0b{block} [label=<B"));
            assert_eq!(graph.contains(&node), inside.contains(&block), "{part:?} B{block}");
            let is_stub = near.contains(&block) && !inside.contains(&block);
            assert_eq!(graph.contains(&stub), is_stub, "{part:?} B{block}");
        }
        if has_dot() {
            drawn(&graph, "a part");
        }
    }
}

#[test]
fn parts_that_do_not_exist_are_errors() {
    let collatz = fs::read(crate::repository("tests/data/collatz.visaasm")).expect("a file");
    let mut several =
        Module::from_bytes(&named(b"one"), Dialect::Igc2022).expect("a module").into_owned();
    several.kernels.push(several.kernels[0].clone());
    let several = several.to_bytes().expect("a legal module");
    for (file, args, expected) in [
        (
            &collatz,
            ["--loop", "even"],
            "-: no loop `even`; the loops of kernel `collatz` are: B1 next",
        ),
        (
            &collatz,
            ["--range", "99"],
            "-: no instruction $99; kernel `collatz` has 24 instructions",
        ),
        (&collatz, ["--range", "9-8"], "$9 is after $8"),
        (&collatz, ["--range", "x"], "expected two numbers of instructions"),
        (&several, ["--loop", "next"], "--loop and --range are about one of 2 routines"),
    ] {
        let output = run(env!("CARGO_BIN_EXE_genvisa"), &[&["cfg", "-"][..], &args].concat(), file);
        assert!(!output.status.success());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(expected), "{args:?}: {errors}");
        assert!(output.stdout.is_empty());
    }
}

/// Returns a kernel whose names contain a string. There are a loop and a subroutine.
fn named(name: &[u8]) -> Vec<u8> {
    let mut module = Module::new(Format::default());
    let mut kernel = Kernel::new("k");
    kernel.name = name.into();
    let body = &mut kernel.body;
    let string = body.intern("placeholder");
    body.strings[string.0 as usize] = name.into();
    for _ in 0..3 {
        body.labels.push(LabelInfo { name: string, ..LabelInfo::default() });
    }
    let code: Vec<Instruction> = vec![
        Label { label: label(0) }.into(),
        Mov::default().into(),
        Goto {
            exec: Exec::new(ExecSize::S16, ExecMask::M1),
            pred: Pred::new(PredId(1)).expect("a small id"),
            label: label(0),
        }
        .into(),
        Ret::default().into(),
        Label { label: label(1) }.into(),
        Ret::default().into(),
        Subroutine { label: label(2) }.into(),
        Ret::default().into(),
    ];
    body.code = Code::from_instructions(&code, module.format).expect("legal code");
    module.kernels.push(kernel);
    module.to_bytes().expect("a legal module")
}

#[test]
fn routines_without_errors_are_drawn() {
    let file = named(b"good");
    let mut module = Module::from_bytes(&file, Dialect::Igc2022).expect("a module just written");
    let mut broken = module.kernels[0].clone();
    broken.name = "broken".into();
    broken.body.code = Code::Present { bytes: vec![0xff].into(), offset: 0 };
    module.kernels.insert(0, broken);
    let file = module.to_bytes().expect("a legal module");
    let output = run(env!("CARGO_BIN_EXE_genvisa"), &["cfg", "-", "--format", "tree"], &file);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.starts_with("genvisa: -: kernel `broken`, instruction 0: "), "{errors}");
    let tree = String::from_utf8_lossy(&output.stdout);
    assert!(tree.starts_with("kernel good\n"), "{tree}");
}

#[test]
fn names_are_escaped() {
    let names: [&[u8]; 8] = [
        b"\"a\" <b>&amp;</TD>",
        b"a\\nb\\",
        b"two\nlines\r\n",
        b"\x01\x02\x1b[31m",
        b"\xff\xfe\x80",
        "\u{fffe}\u{ffff}\u{85}".as_bytes(),
        b"-->]]><!--",
        b"",
    ];
    for name in names {
        let file = named(name);
        let (graph, shown) = (cfg(&[], &file), String::from_utf8_lossy(name));
        assert!(graph.lines().all(|line| !line.chars().any(char::is_control)), "{shown:?}");
        let tree = cfg(&["--format", "tree"], &file);
        let lines = || tree.lines();
        assert!(lines().all(|line| line.chars().count() <= 80), "{tree}");
        assert!(lines().all(|line| !line.chars().any(char::is_control)), "{tree}");
        // Names do not add lines.
        assert_eq!(lines().filter(|line| line.contains(" $")).count(), 5, "{tree}");
        if has_dot() {
            let picture = drawn(&graph, &shown);
            for block in 0..4 {
                assert!(picture.contains(&format!(">B{block} ")), "{shown:?}: {picture}");
            }
        }
    }
}
