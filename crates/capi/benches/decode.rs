//! Decodes the files of `GENVISA_CORPUS`, or those of this repository, from Rust and from C, in alternating
//! rounds on one thread, and prints the medians. The C code is compiled with `cc -O2` and calls the shared
//! library.

use std::ffi::c_void;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs, ptr};

use libloading::Library;
use visa::{Dialect, Instruction, Module};

const ROUNDS: usize = 101;

#[repr(C)]
struct Bytes {
    data: *const u8,
    len: usize,
}

type Read = unsafe extern "C" fn(Bytes, Bytes, *mut *mut c_void, *mut *mut c_void) -> i32;
type Decode = unsafe extern "C" fn(*const c_void) -> usize;

fn package(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Builds the shared library, and a library with the loops in C next to it.
fn build() -> (PathBuf, PathBuf) {
    let program = env::current_exe().expect("a path");
    let folder = program.ancestors().nth(2).expect("the folder of the profile");
    let cargo = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--lib", "--manifest-path"])
        .arg(package("Cargo.toml"))
        .env("CARGO_TARGET_DIR", folder.parent().expect("the target folder"))
        .status();
    assert!(cargo.expect("Cargo runs").success());
    let loops = folder.join("libdecode_bench.so");
    let cc = Command::new("cc")
        .args(["-O2", "-shared", "-fPIC", "-I"])
        .arg(package("include"))
        .arg(package("benches/decode.c"))
        .arg("-L")
        .arg(folder)
        .args(["-lgenvisa", "-o"])
        .arg(&loops)
        .arg(format!("-Wl,-rpath,{}", folder.display()))
        .status();
    assert!(cc.expect("there is a C compiler").success());
    (folder.join("libgenvisa.so"), loops)
}

/// Returns the number of instructions, and of their bytes.
fn decode(module: &Module<'_>) -> (usize, usize) {
    let mut instruction = Instruction::default();
    let (mut count, mut size) = (0, 0);
    for routine in module.routines() {
        let mut instructions = routine.body.code.instructions(routine.format());
        while let Some(offset) = instructions.next_into(&mut instruction).expect("a valid file") {
            black_box(&instruction);
            (count, size) = (count + 1, size + instructions.offset() - offset);
        }
    }
    (count, size)
}

fn time(mut function: impl FnMut() -> usize, size: usize) -> Duration {
    let start = Instant::now();
    assert_eq!(function(), size);
    start.elapsed()
}

fn main() {
    let folder = env::var_os("GENVISA_CORPUS").map_or(package("../../tests/data"), PathBuf::from);
    let mut paths: Vec<_> = fs::read_dir(folder).expect("a folder").flatten().collect();
    paths.sort_by_key(|entry| entry.path());
    let paths = paths.iter().map(|entry| entry.path());
    let files = paths.filter(|path| path.extension().is_some_and(|extension| extension == "isa"));
    // It has another dialect.
    let files = files.filter(|path| !path.ends_with("manual.isa"));
    let files: Vec<_> = files.map(|path| fs::read(path).expect("a readable file")).collect();
    let read =
        |file| Module::from_bytes(file, Dialect::Igc2022).expect("a valid file").into_owned();
    let modules: Vec<_> = files.iter().map(|file| read(file)).collect();
    let sizes = modules.iter().map(decode).reduce(|a, b| (a.0 + b.0, a.1 + b.1));
    let (count, size) = sizes.expect("a folder with .isa files");

    let (library, loops) = build();
    // SAFETY: these libraries were just built, and their functions have these types.
    let (library, loops) = unsafe {
        (Library::new(library).expect("a library"), Library::new(loops).expect("a library"))
    };
    // SAFETY: as above.
    let (read, one_by_one, many) = unsafe {
        (
            *library.get::<Read>(b"genvisa_module_read").expect("a function"),
            *loops.get::<Decode>(b"decode_one_by_one").expect("a function"),
            *loops.get::<Decode>(b"decode_many").expect("a function"),
        )
    };
    let handles: Vec<*mut c_void> = files
        .iter()
        .map(|file| {
            let mut module = ptr::null_mut();
            let dialect = Bytes { data: ptr::null(), len: 0 };
            // SAFETY: all arguments point to valid memory. The modules live until the end.
            unsafe {
                let file = Bytes { data: file.as_ptr(), len: file.len() };
                read(file, dialect, &mut module, ptr::null_mut());
            }
            assert!(!module.is_null());
            module
        })
        .collect();
    // SAFETY: the modules are those of the library.
    let in_c = |decode: Decode| handles.iter().map(|module| unsafe { decode(*module) }).sum();
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        times[0].push(time(|| modules.iter().map(|module| decode(module).1).sum(), size));
        times[1].push(time(|| in_c(many), size));
        times[2].push(time(|| in_c(one_by_one), size));
    }
    let [rust, many, one_by_one] = times.map(|mut times| {
        times.sort();
        times[ROUNDS / 2].as_nanos() as f64 / count as f64
    });
    println!("{count} instructions in {} files, medians of {ROUNDS} rounds", modules.len());
    println!("Rust, next_into              {rust:6.2} ns per instruction");
    for (name, time) in [("next_many", many), ("next", one_by_one)] {
        println!("C, genvisa_decoder_{name:9} {time:6.2} ns, ratio {:.2}", time / rust);
    }
}
