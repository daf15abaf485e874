//! Files that commands do not read: the message names the kind of the file, and the command that reads it.

use std::fs;
use std::process::Output;

use super::commands::CASES;
use super::run;

/// A file, its kind in messages, and what else the message of a command contains that does not read it.
pub struct Kind {
    pub bytes: Vec<u8>,
    pub name: &'static str,
    advice: &'static str,
}

/// Returns a file of each kind. None contains vISA that can be found.
pub fn kinds() -> Vec<Kind> {
    let text = fs::read_to_string(crate::repository("tests/data/collatz.visaasm")).expect("a text");
    let units = |unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect::<Vec<u8>>();
    let scalars = |scalar: fn(u32) -> [u8; 4]| {
        text.chars().flat_map(|c| scalar(c.into())).collect::<Vec<u8>>()
    };
    let followed = |magic: &[u8]| [magic, &[0, 1, 0xff, 0x1b, b'\r', 7].repeat(200)].concat();
    let tar = [&b"kernel.visaasm"[..], &[0; 243], b"ustar\x0000", &[0; 248]].concat();
    let check = "`genvisa check` checks its inline assembly";
    let spirv = "`genvisa check --as spirv`";
    let extract = "`genvisa extract --list`";
    let utf_8 = "convert it to UTF-8";
    let kind = |bytes, name, advice| Kind { bytes, name, advice };
    vec![
        kind(followed(b"\x89PNG\r\n\x1a\n"), "a PNG image", ""),
        kind(followed(b"\xff\xd8\xff\xe0"), "a JPEG image", ""),
        kind(followed(b"GIF89a"), "a GIF image", ""),
        kind(followed(b"%PDF-1.7\n"), "a PDF file", ""),
        kind(followed(b"\x1f\x8b\x08"), "a gzip file", "decompress it"),
        kind(followed(b"BZh91AY"), "a bzip2 file", "decompress it"),
        kind(followed(b"\xfd7zXZ\0"), "an xz file", "decompress it"),
        kind(followed(b"\x28\xb5\x2f\xfd"), "a Zstandard file", "decompress it"),
        kind(followed(b"CCOB\x02\0\x01\0"), "an offload bundle", extract),
        kind(followed(b"PK\x03\x04\x14"), "a ZIP file", "unpack it"),
        kind(followed(b"7z\xbc\xaf\x27\x1c"), "a 7z file", "unpack it"),
        kind(followed(b"BC\xc0\xde"), "LLVM bitcode", "`llvm-dis`"),
        kind(followed(b"\xde\xc0\x17\x0b"), "LLVM bitcode", "`llvm-dis`"),
        kind(followed(b"\x03\x02\x23\x07"), "SPIR-V", spirv),
        kind(followed(b"\x07\x23\x02\x03"), "SPIR-V", spirv),
        kind(followed(b"\x7fELF\x02\x01\x01"), "an ELF file", extract),
        kind(
            followed(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\xcd\0"),
            "a device binary",
            extract,
        ),
        kind(followed(b"!<arch>\n"), "an archive of object files", extract),
        kind(followed(b"MZ\x90\0"), "a Windows executable", extract),
        kind(followed(b"__CLANG_OFFLOAD_BUNDLE__"), "an offload bundle", extract),
        kind(tar, "a tar archive", extract),
        kind(followed(b""), "a binary file of an unknown kind", ""),
        kind(vec![0; 10_000], "a binary file of an unknown kind", ""),
        kind(units(u16::to_le_bytes), "UTF-16 text", utf_8),
        kind(units(u16::to_be_bytes), "UTF-16 text", utf_8),
        kind(scalars(u32::to_le_bytes), "UTF-32 text", utf_8),
        kind(scalars(u32::to_be_bytes), "UTF-32 text", utf_8),
        kind([&b"\xff\xfe"[..], &units(u16::to_le_bytes)].concat(), "UTF-16 text", utf_8),
        kind([&b"\xfe\xff"[..], &units(u16::to_be_bytes)].concat(), "UTF-16 text", utf_8),
        kind([&b"\xff\xfe\0\0"[..], &scalars(u32::to_le_bytes)].concat(), "UTF-32 text", utf_8),
        kind([&b"\0\0\xfe\xff"[..], &scalars(u32::to_be_bytes)].concat(), "UTF-32 text", utf_8),
        kind(b"{\n  \"kernels\": []\n}\n".into(), "JSON", ""),
        kind(b"[{\"file\": \"a\"}]\n".into(), "JSON", ""),
        kind(b"<!DOCTYPE html>\n<html></html>\n".into(), "HTML or XML", ""),
        kind(b"target triple = \"spir64\"\n".into(), "LLVM IR", check),
        kind(b"module {\n}\n".into(), "MLIR", check),
        kind(b"// A kernel\n__kernel void f() {}\n".into(), "C source", check),
    ]
}

/// Returns the calls of all commands that read a file, with what each reads.
fn calls(path: &str) -> Vec<(&'static str, Vec<String>)> {
    let mut calls = Vec::new();
    for case in CASES {
        for (_, args) in case.inputs {
            let args = args.iter().map(|arg| arg.replace("{}", path));
            let call = [case.command.into()].into_iter().chain(args);
            calls.push((case.command, call.collect()));
        }
    }
    calls.push(("check", vec!["check".into(), path.into()]));
    calls
}

fn errors_of(call: &[String]) -> (Output, String) {
    let output = run(&call.iter().map(String::as_str).collect::<Vec<_>>(), b"");
    let errors = String::from_utf8(output.stderr.clone()).expect("UTF-8");
    (output, errors)
}

#[test]
fn messages_name_the_kind_of_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    let path = path.to_str().expect("UTF-8");
    for Kind { bytes, name, advice } in kinds() {
        fs::write(path, &bytes).expect("a file");
        for (command, call) in calls(path) {
            let (output, errors) = errors_of(&call);
            let is_source = advice.starts_with("`genvisa check");
            let is_text = ["JSON", "HTML or XML"].contains(&name);
            match command {
                // These containers are searched, and contain nothing.
                "extract" | "pack" if !errors.contains("` is ") => continue,
                "check" if is_source => continue,
                // The user states the language of a text.
                "check" if is_text && call.contains(&"--as".into()) => continue,
                // It reads device binaries, and reports the options that are not for them.
                "run" | "equiv"
                    if ["a device binary", "an archive of object files"].contains(&name) =>
                {
                    continue;
                }
                _ => {}
            }
            assert_ne!(output.status.code(), Some(0), "{call:?}: {name}");
            assert!(errors.contains(&format!("`{path}` is {name}")), "{call:?}: {name}: {errors}");
            assert!(errors.contains(advice), "{call:?}: {name}: {errors}");
            let is_printable = |c: char| !c.is_control() || c == '\n';
            assert!(errors.chars().all(is_printable), "{call:?}: {name}: {errors:?}");
            assert!(errors.len() < 300, "{call:?}: {name}: {errors}");
        }
    }
}

/// The names of the sources in folders determine what they are, but not if they are not text.
#[test]
fn check_skips_other_files_in_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        fs::write(folder.path().join(name), bytes).expect("a file");
    };
    let utf_16: Vec<u8> = "void f() {}\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    write("a.cl", b"\x89PNG\r\n\x1a\n\0");
    write("b.cl", &[0; 5000]);
    write("c.cl", b"void f() {}\n");
    write("d.cl", &utf_16);
    let path = folder.path().to_str().expect("UTF-8");
    let output = run(&["check", path], b"");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(errors.starts_with("genvisa: warning: "), "{errors}");
    assert!(errors.contains("d.cl` is UTF-16 text; convert it to UTF-8"), "{errors}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 file, 0 blocks"), "{output:?}");
    for name in ["a.cl", "b.cl", "d.cl"] {
        let path = folder.path().join(name);
        let output = run(&["check", path.to_str().expect("UTF-8")], b"");
        assert_eq!(output.status.code(), Some(2), "{name}");
    }
}

#[test]
fn extract_skips_other_files_in_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    let object = fs::read(crate::repository("tests/data/tour.isa")).expect("a file");
    fs::write(folder.path().join("a.bin"), object).expect("a file");
    for (number, Kind { bytes, .. }) in kinds().iter().enumerate() {
        // Broken ELF files and archives are reported, and compressed bundles.
        const REPORTED: &[&[u8]] = &[b"\x7fELF", b"!<arch>", b"CCOB"];
        if !REPORTED.iter().any(|magic| bytes.starts_with(magic)) {
            fs::write(folder.path().join(number.to_string()), bytes).expect("a file");
        }
    }
    let output = run(&["extract", "--list", folder.path().to_str().expect("UTF-8")], b"");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
