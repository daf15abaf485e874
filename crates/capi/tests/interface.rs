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
    let config = cbindgen::Config::from_file(package("cbindgen.toml")).expect("a configuration");
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

/// The shared library exports the functions of the header, and nothing else.
#[test]
fn the_library_exports_the_functions_of_the_header() {
    let output = Command::new("nm")
        .args(["-D", "--defined-only"])
        .arg(libraries().join("libgenvisa.so"))
        .output();
    let Ok(output) = output else {
        eprintln!("skipped: there is no nm");
        return;
    };
    let symbols = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut exported: Vec<&str> = symbols
        .lines()
        .filter_map(|line| line.rsplit(' ').next())
        .filter(|name| !name.starts_with('_'))
        .collect();
    exported.sort_unstable();
    let header = header();
    let name = |line: &str| {
        let (before, _) = line.split_once('(')?;
        let name = before.rsplit([' ', '*']).next()?;
        name.starts_with("genvisa_").then(|| name.to_string())
    };
    let mut declared: Vec<String> =
        header.lines().filter(|line| !line.starts_with("//")).filter_map(name).collect();
    declared.sort_unstable();
    assert_eq!(exported, declared);
    assert!(declared.len() > 20, "{declared:?}");
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
    files
}

/// Compiles a program; `None` if there is no compiler.
fn compile(compiler: &str, source: &str, options: &[&str], folder: &Path) -> Option<PathBuf> {
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
        .output();
    let Ok(output) = output else {
        eprintln!("skipped: there is no {compiler}");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(program)
}

fn check(output: &Output) {
    let (text, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}\n{text}{errors}", output.status);
    assert_eq!(errors, "");
    eprint!("{text}");
}

const SANITIZERS: &str = "-fsanitize=address,undefined";

#[test]
fn a_program_in_c_uses_every_function() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ["-std=c11", SANITIZERS, "-fno-sanitize-recover=all"];
    let Some(program) = compile("cc", "tests/c/all.c", &options, folder.path()) else { return };
    check(&Command::new(program).args(files()).output().expect("it runs"));
}

#[test]
fn valgrind_finds_no_error_in_a_program_in_c() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(program) = compile("cc", "tests/c/all.c", &["-std=c11"], folder.path()) else {
        return;
    };
    let valgrind = Command::new("valgrind")
        .args(["--quiet", "--error-exitcode=9", "--leak-check=full"])
        .arg(program)
        .arg(package("../../tests/data/tour.isa"))
        .output();
    match valgrind {
        Ok(output) => check(&output),
        Err(_) => eprintln!("skipped: there is no valgrind"),
    }
}

#[test]
fn a_program_in_cpp_uses_every_class() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ["-std=c++17", SANITIZERS, "-fno-sanitize-recover=all"];
    let Some(program) = compile("c++", "tests/c/classes.cpp", &options, folder.path()) else {
        return;
    };
    check(&Command::new(program).args(files()).output().expect("it runs"));
}
