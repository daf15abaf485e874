//! The arguments of kernels keep their counterparts, however they are used.

use std::collections::BTreeMap;
use std::fs;

use genvisa::{Format, Module, text};
use genvisa_diff::{Differ, RoutineDiff};
use genvisa_test_support::ocloc::{Ocloc, Verdict};

fn module(declarations: &[&str], code: &[&str]) -> Module<'static> {
    let mut source = String::from(".version 4.2\n.kernel \"k\"\n");
    for declaration in declarations {
        source += &format!(".decl {declaration}\n");
    }
    let mut offset = 64;
    for declaration in declarations {
        let (name, rest) = declaration.split_once(' ').expect("a name");
        if name.starts_with("arg") {
            let size = if rest.contains("type=uq") { 8 } else { 4 };
            source += &format!(".input {name} offset={offset} size={size}\n");
            offset += size;
        }
    }
    source += &code.join("\n");
    text::parse(source, Format::V4_2).expect("legal text").into_owned()
}

fn diff(a: &Module<'_>, b: &Module<'_>) -> RoutineDiff {
    let mut modules = Differ::new().modules(a, b);
    modules.routines.remove(0).diff.expect("in both").expect("valid")
}

const N: &str = "argn v_type=G type=d num_elts=1 align=dword";
const P: &str = "argp v_type=G type=uq num_elts=1 align=qword";
const X: &str = "x v_type=G type=d num_elts=16 align=GRF";

#[test]
fn an_argument_that_is_used_through_a_copy_is_the_same() {
    let add = |name: &str| format!("add (M1, 16) x(0,0)<1> x(0,0)<1;1,0> {name}(0,0)<0;1,0>");
    let a = module(&[P, N, X], &[&add("argn"), &add("argn"), &add("argn")]);
    let copy = "t v_type=G type=d num_elts=1 align=dword";
    let uses = add("t");
    let b =
        module(&[P, N, X, copy], &["mov (M1, 1) t(0,0)<1> argn(0,0)<0;1,0>", &uses, &uses, &uses]);
    let unified = diff(&a, &b).to_unified("a", "b", 0);
    let declarations: Vec<&str> = unified.lines().filter(|line| line.contains("v_type")).collect();
    assert_eq!(declarations, ["+.decl t v_type=G type=d num_elts=1 align=dword"], "{unified}");
    assert!(!unified.contains(".input"), "{unified}");
}

/// The names of arguments are numbers, which change if an argument is added.
#[test]
fn an_argument_that_is_inserted_is_the_only_new_one() {
    let argument = |name: &str| format!("{name} v_type=G type=d num_elts=1 align=dword");
    let use_of =
        |name: &str, op: &str| format!("{op} (M1, 16) x(0,0)<1> x(0,0)<1;1,0> {name}(0,0)<0;1,0>");
    let (one, two, three) = (argument("arg1"), argument("arg2"), argument("arg3"));
    let a = module(&[&one, &two, X], &[&use_of("arg1", "add"), &use_of("arg2", "mul")]);
    let code = [use_of("arg1", "add"), use_of("arg2", "xor"), use_of("arg3", "mul")];
    let code: Vec<&str> = code.iter().map(String::as_str).collect();
    let b = module(&[&one, &two, &three, X], &code);
    let unified = diff(&a, &b).to_unified("a", "b", 0);
    let added: Vec<&str> = unified.lines().filter(|line| line.starts_with("+    ")).collect();
    assert_eq!(added.len(), 1, "{unified}");
    assert!(added[0].contains("xor"), "{unified}");
}

const SOURCES: [&str; 3] = [
    "kernel void k(global float *a, global float *b, int n, float s) {\n  int i = get_global_id(0);\n  \
     float sum = 0;\n  for (int j = 0; j < n; j++) sum += a[i * n + j] * s;\n  b[i] = sum;\n}\n",
    "kernel void k(global int *a, local int *t, int width, int height, global int *b) {\n  \
     int x = get_global_id(0), y = get_global_id(1), l = get_local_id(0);\n  \
     if (x < width && y < height) t[l] = a[y * width + x];\n  barrier(CLK_LOCAL_MEM_FENCE);\n  \
     if (x < width) b[x * height + y] = t[l ^ 1];\n}\n",
    "kernel void k(global uint *h, global const uchar *s, uint n, uint shift) {\n  \
     uint i = get_global_id(0);\n  if (i < n) atomic_add(&h[s[i] >> shift], 1u);\n}\n",
];

/// Returns the declarations of the arguments of a text by their names, with their sizes.
fn arguments(text: &str) -> BTreeMap<&str, (&str, &str)> {
    let decl = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(&format!(".decl {name} ")));
        line.expect("a declaration").trim_end()
    };
    let inputs = text.lines().filter_map(|line| line.strip_prefix(".input "));
    inputs
        .filter_map(|line| {
            let (name, _) = line.split_once(' ')?;
            Some((name, (decl(name), line.rsplit_once("size=")?.1.trim_end())))
        })
        .collect()
}

/// The compiler numbers the arguments of a kernel alike, with and without optimization.
#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn arguments_of_builds_are_the_same() {
    let compiler = Ocloc::required();
    let mut compared = 0;
    for device in ["bmg", "dg2"] {
        for source in SOURCES {
            let build = |options: &str| {
                let folder = tempfile::tempdir().expect("a temporary folder");
                let verdict = compiler.compile_with(folder.path(), source, device, options);
                assert_eq!(verdict, Verdict::Accepted);
                let files = fs::read_dir(folder.path()).expect("a folder").flatten();
                let mut dumps = files
                    .map(|file| file.path())
                    .filter(|path| path.to_string_lossy().ends_with("_entry_0001.visaasm"));
                fs::read_to_string(dumps.next().expect("a dump")).expect("text")
            };
            let (first, second) = (build(""), build("-cl-opt-disable"));
            let parse =
                |text: &str| text::parse(text, Format::V4_2).expect("legal text").into_owned();
            let diff = diff(&parse(&first), &parse(&second)).to_unified("a", "b", 0);
            let others = arguments(&second);
            for (name, facts) in arguments(&first) {
                if others.get(name) == Some(&facts) {
                    compared += 1;
                    let removed = format!("\n-.decl {name} ");
                    let renamed = format!("\n+.decl {name}_b ");
                    assert!(!diff.contains(&removed) && !diff.contains(&renamed), "{name}\n{diff}");
                }
            }
        }
    }
    assert!(compared > 12, "{compared}");
}
