//! Device binaries: documents of `.ze_info` and archives.

use std::fs;

use genvisa::Platform;
use genvisa_container::device::DeviceBinary;
use genvisa_test_support::repository;

/// Returns the bytes of the device binary for a device.
fn fixture(device: &str) -> Vec<u8> {
    let path = repository(&format!("crates/interp/tests/data/scale-{device}.bin"));
    fs::read(path).expect("a fixture")
}

/// Returns where `.ze_info` starts.
fn info(bytes: &[u8]) -> usize {
    bytes.windows(4).rposition(|window| window == b"---\n").expect("the document")
}

/// Replaces the first of a text in `.ze_info` by another of the same length.
fn edited(bytes: &[u8], old: &str, new: &str) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let start = info(bytes);
    let at = bytes[start..].windows(old.len()).position(|window| window == old.as_bytes());
    let at = start + at.expect("the text");
    let mut bytes = bytes.to_vec();
    bytes[at..at + new.len()].copy_from_slice(new.as_bytes());
    bytes
}

/// Nothing in the document is dropped.
#[test]
fn documents_without_one_meaning_are_refused() {
    let error = |info: &str| {
        let error = DeviceBinary::from_texts(info, Vec::<Vec<u8>>::new()).expect_err("an error");
        error.to_string()
    };
    for (info, expected) in [
        ("version: 1\nversion: 2\n", ".ze_info: line 2: `version` occurs twice"),
        ("a: 1\n---\nb: 2\n", ".ze_info: line 2: another document begins"),
        ("a: &x 1\nb: *x\n", ".ze_info: line 2: aliases are not read"),
        ("[a]: 1\n", ".ze_info: line 1: the key is not a text"),
        ("", ".ze_info: is empty"),
    ] {
        assert_eq!(error(info), expected, "{info}");
    }
    // What follows the document must be YAML, too.
    assert!(error("a: 1\n...\n]\n").starts_with(".ze_info: "));
}

#[test]
fn errors_name_the_entry() {
    let bytes = fixture("bmg");
    let error = |bytes: &[u8]| DeviceBinary::from_bytes(bytes).expect_err("an error").to_string();
    for (old, new, expected) in [
        (
            "simd_size:       32",
            "simd_size:       33",
            ".ze_info: kernels[0].execution_env.simd_size: expected 1, 8, 16 or 32, found 33",
        ),
        (
            "offset:          12",
            "offset:          -2",
            ".ze_info: kernels[0].payload_arguments[1].offset: -2 is out of range",
        ),
        (
            "offset:          12",
            "offset:          a ",
            ".ze_info: kernels[0].payload_arguments[1].offset: expected an integer",
        ),
        ("payload_arguments:", "payload_arguments_", ".ze_info: "),
        (
            "arg_type:        local_id",
            "arg_type:        local_xx",
            ".ze_info: kernels[0].per_thread_payload_arguments[0].arg_type: `local_xx` is not supported",
        ),
        (
            "    execution_env:",
            "    execution_en_:",
            ".ze_info: kernels[0]: has no `execution_env`",
        ),
    ] {
        let message = error(&edited(&bytes, old, new));
        assert!(message.starts_with(expected), "{message}");
    }
    assert!(error(b"").starts_with("not an ELF file of 64 bits: "));
    assert!(error(&bytes[..bytes.len() - 100]).contains("ELF"));
    assert_eq!(error(b"!<arch>\n"), "the archive contains no device binary");
    // The machine of x86-64.
    let mut other = bytes.clone();
    other[18..20].copy_from_slice(&62u16.to_le_bytes());
    assert_eq!(error(&other), "an ELF file for machine 62, not a device binary");
    // The parser of YAML and the destructor of its tree recurse.
    let mut nested = bytes.clone();
    nested[info(&bytes) + 4..][..4000].fill(b'-');
    nested[info(&bytes) + 4..][..4000].iter_mut().step_by(2).for_each(|byte| *byte = b' ');
    assert_eq!(error(&nested), ".ze_info: line 2 is nested too deeply");
}

#[test]
fn archives_with_one_binary_are_read() {
    let binary = fixture("dg2");
    let mut archive = b"!<arch>\n".to_vec();
    let header = |name: &str, size: usize| {
        format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, "644")
    };
    for (name, data) in [("pad/", &b"1234"[..]), ("dg2/", &binary)] {
        archive.extend(header(name, data.len()).bytes());
        archive.extend(data);
        archive.resize(archive.len().next_multiple_of(2), b'\n');
    }
    let found = DeviceBinary::from_bytes(&archive).expect("a device binary");
    assert_eq!(found.platform().ok(), Some(Platform::Dg2));
    archive.extend(header("pvc/", binary.len()).bytes());
    archive.extend(&binary);
    let error = DeviceBinary::from_bytes(&archive).expect_err("two binaries");
    assert_eq!(error.to_string(), "the archive contains several device binaries: dg2, pvc");
}
