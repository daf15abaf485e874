//! The header is current, and programs in C and C++ use every function.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Returns a path in this package.
fn package(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns the folder with the libraries, which Cargo does not build for tests.
fn libraries() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let program = env::current_exe().expect("a path");
        let folder = program.ancestors().nth(2).expect("the folder of the profile");
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--lib", "--manifest-path"])
            .arg(package("Cargo.toml"))
            .env("CARGO_TARGET_DIR", folder.parent().expect("the target folder"))
            .status();
        assert!(built.expect("Cargo runs").success());
        folder.to_path_buf()
    })
}

fn header() -> String {
    let mut config =
        cbindgen::Config::from_file(package("cbindgen.toml")).expect("a configuration");
    let version = env!("CARGO_PKG_VERSION");
    config.after_includes = Some(format!(
        "\n// The version of this header. `genvisa_version` returns that of the library.\n\
         #define GENVISA_VERSION \"{version}\""
    ));
    let bindings = cbindgen::Builder::new()
        .with_crate(env!("CARGO_MANIFEST_DIR"))
        .with_config(config)
        .generate()
        .expect("the source can be parsed");
    let mut header = Vec::new();
    bindings.write(&mut header);
    String::from_utf8(header).expect("text")
}

#[test]
fn the_header_is_that_of_the_source() {
    let path = package("include/genvisa.h");
    let header = header();
    if env::var_os("GENVISA_BLESS").is_some() {
        fs::write(&path, &header).expect("a writable folder");
    }
    let current = fs::read_to_string(&path).unwrap_or_default();
    assert!(current == header, "run with GENVISA_BLESS=1 to write {}", path.display());
}

/// Returns the declarations of functions in the header, each in a line.
fn functions(header: &str) -> Vec<String> {
    let lines = header.lines().filter(|line| !line.trim_start().starts_with(['/', '#']));
    let code = lines.collect::<Vec<_>>().join(" ");
    let statements = code.split([';', '{', '}']).filter(|statement| statement.contains('('));
    statements.map(|one| one.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// Returns the name of a declared function.
fn name(declaration: &str) -> &str {
    let before = declaration.split('(').next().unwrap_or_default();
    before.rsplit([' ', '*']).next().unwrap_or_default()
}

/// The shared library exports the functions of the header, and nothing else.
#[test]
fn the_library_exports_the_functions_of_the_header() {
    let output = Command::new("nm")
        .args(["-D", "--defined-only"])
        .arg(libraries().join("libgenvisa.so"))
        .output()
        .expect("nm runs");
    let symbols = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut exported: Vec<&str> = symbols
        .lines()
        .filter_map(|line| line.rsplit(' ').next())
        .filter(|name| !name.starts_with('_'))
        .collect();
    exported.sort_unstable();
    let functions = functions(&header());
    let mut declared: Vec<&str> = functions.iter().map(|function| name(function)).collect();
    declared.sort_unstable();
    assert_eq!(exported, declared);
    assert!(declared.len() > 40, "{declared:?}");
}

/// Returns a program that prints the values of enums, and the sizes and offsets of structs.
fn layout_program(header: &str) -> String {
    let mut program =
        String::from("#include <stdio.h>\n#include \"genvisa.h\"\nint main(void) {\n");
    // The enum or struct that a line is in.
    let mut current: Option<(&str, &str)> = None;
    for line in header.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        let words: Vec<&str> =
            line.split([' ', '*', ';', ',', '[']).filter(|word| !word.is_empty()).collect();
        match (words.as_slice(), current) {
            (["typedef", kind @ ("enum" | "struct"), name, "{"], _) => {
                current = Some((kind, name));
                program += &format!(r#"printf("{kind} {name}: %zu bytes\n", sizeof({name}));"#);
            }
            (["}", ..], _) => current = None,
            (["#define", name @ "GENVISA_MAX_PARAMS", _], _) => {
                program += &format!(r#"printf("{name} = %d\n", (int){name});"#);
            }
            ([name, "=", ..], Some(("enum", _))) => {
                program += &format!(r#"printf("  {name} = %d\n", (int){name});"#);
            }
            ([.., name], Some(("struct", of))) => {
                let field = if words.last().is_some_and(|word| word.ends_with(']')) {
                    words[words.len() - 2]
                } else {
                    name
                };
                program += &format!(
                    r#"printf("  {field}: %zu bytes at %zu\n", sizeof((({of} *)0)->{field}), offsetof({of}, {field}));"#
                );
            }
            _ => continue,
        }
        program.push('\n');
    }
    program + "return 0;\n}\n"
}

/// Programs that were compiled with an older header rely on the list.
#[test]
#[cfg(target_pointer_width = "64")]
fn the_functions_and_layouts_are_those_of_the_list() {
    let header = header();
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("layouts.c");
    fs::write(&source, layout_program(&header)).expect("a writable folder");
    let source = source.to_str().expect("a path in UTF-8");
    let program = compile("cc", source, &["-std=c11"], folder.path());
    let output = Command::new(program).output().expect("it runs");
    let mut functions = functions(&header);
    functions.sort_unstable_by(|a, b| name(a).cmp(name(b)));
    let list = format!("{}\n\n{}", functions.join("\n"), String::from_utf8_lossy(&output.stdout));
    let path = package("tests/data/abi.txt");
    if env::var_os("GENVISA_BLESS").is_some() {
        fs::write(&path, &list).expect("a writable folder");
    }
    let current = fs::read_to_string(&path).unwrap_or_default();
    assert!(current == list, "run with GENVISA_BLESS=1 to write {}, and compare", path.display());
}

/// Returns the files that the programs read: those of the repository and of the corpus.
fn files() -> Vec<PathBuf> {
    let mut folders = vec![package("../../tests/data")];
    folders.extend(env::var_os("GENVISA_CORPUS").map(PathBuf::from));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder").flatten());
    let files = files.map(|entry| entry.path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|e| e == "isa")).collect();
    files.sort();
    // It has another dialect.
    files.retain(|path| path.file_name().is_some_and(|name| name != "manual.isa"));
    // With sanitizers, and without optimization, larger ones take minutes.
    files.retain(|path| path.metadata().is_ok_and(|metadata| metadata.len() < 100_000));
    files
}

/// Compiles a program.
fn compile(compiler: &str, source: &str, options: &[&str], folder: &Path) -> PathBuf {
    let program = folder.join("program");
    let output = Command::new(compiler)
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g"])
        .args(options)
        .arg("-I")
        .arg(package("include"))
        .arg(package(source))
        .arg(libraries().join("libgenvisa.a"))
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program)
        .output()
        .expect("a compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

fn check(output: &Output) {
    let (text, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}\n{text}{errors}", output.status);
    assert_eq!(errors, "");
    eprint!("{text}");
}

const SANITIZERS: &str = "-fsanitize=address,undefined";

/// Runs a program in C, under sanitizers and under valgrind.
fn run(source: &str, arguments: &[PathBuf], arguments_under_valgrind: &[PathBuf]) {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ["-std=c11", SANITIZERS, "-fno-sanitize-recover=all"];
    let program = compile("cc", source, &options, folder.path());
    check(&Command::new(program).args(arguments).output().expect("it runs"));
    let program = compile("cc", source, &["-std=c11"], folder.path());
    let valgrind = Command::new("valgrind")
        .args(["--quiet", "--error-exitcode=9", "--leak-check=full"])
        .arg(program)
        .args(arguments_under_valgrind)
        .output();
    // It is not on every machine; `.ci/run` installs it.
    if let Ok(output) = valgrind {
        check(&output);
    }
}

fn tour() -> PathBuf {
    package("../../tests/data/tour.isa")
}

#[test]
fn a_program_in_c_reads_decodes_prints_and_verifies_files() {
    run("tests/c/all.c", &files(), &[tour()]);
}

#[test]
fn arguments_without_a_meaning_are_errors() {
    run("tests/c/arguments.c", &[tour()], &[tour()]);
}

#[test]
fn the_five_instructions_are_converted_to_structs_and_back() {
    // The number of random structs, and the files.
    let arguments = [vec!["200".into()], files()].concat();
    run("tests/c/structs.c", &arguments, &["5".into(), tour()]);
}

/// The README has a function of an example, which inserts an instruction.
#[test]
fn the_example_in_the_readme_inserts_an_instruction() {
    let readme = fs::read_to_string(package("README.md")).expect("a readme");
    let example = fs::read_to_string(package("examples/insert.c")).expect("an example");
    let block = readme.split("```c\n").nth(1).and_then(|rest| rest.split("```").next());
    let block = block.expect("a block in C");
    assert!(block.contains("genvisa_module_with_code"), "{block}");
    assert!(example.contains(block), "the README differs from examples/insert.c");
    let folder = tempfile::tempdir().expect("a folder");
    let options = ["-std=c11", SANITIZERS, "-fno-sanitize-recover=all"];
    let program = compile("cc", "examples/insert.c", &options, folder.path());
    let file = folder.path().join("load.isa");
    let output = Command::new(program).arg(&file).output().expect("it runs");
    check(&output);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let load = text.find("media_ld.nomod (16,8) source 0 0x0:ud 0x0:ud block.0");
    let ret = text.find("ret (M1, 1)");
    assert!(load.is_some() && load < ret, "{text}");
    assert!(fs::read(file).expect("a file").starts_with(b"CISA"));
}

#[test]
fn a_program_in_cpp_uses_every_class() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ["-std=c++17", SANITIZERS, "-fno-sanitize-recover=all"];
    let program = compile("c++", "tests/c/classes.cpp", &options, folder.path());
    check(&Command::new(program).args(files()).output().expect("it runs"));
}

/// A few seconds of `fuzz/run`, which compiles the library with counters of coverage.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "needs clang"]
fn fuzzing_across_the_boundary_finds_nothing() {
    let program = env::current_exe().expect("a path");
    let target = program.ancestors().nth(3).expect("the target folder").join("fuzz");
    let output = Command::new(package("fuzz/run"))
        .arg(target)
        .args(["-runs=3000", "-max_total_time=20", "-seed=1"])
        .output()
        .expect("there is a shell");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("Done "), "{text}");
}
