//! Malformed files and instructions, and their errors. `vectors` has more for single instructions.

use genvisa::error::PathSegment;
use genvisa::isa::{Instruction, SPEC};
use genvisa::{Boundaries, Dialect, ErrorKind, Format, Instructions, Module, Version};
use genvisa_test_support::formats;

use crate::tour;

fn tour() -> Vec<u8> {
    tour::module(Format::default()).expect("a module").to_bytes().expect("a legal module")
}

fn parse(file: &[u8]) -> Result<Module<'_>, genvisa::Error> {
    Module::from_bytes(file, Dialect::Igc2022)
}

/// Returns a file of version 3.6 with one kernel, `k`, whose body is these bytes.
fn kernel_file(body: &[u8]) -> Vec<u8> {
    let mut file = b"CISA\x03\x06\x01\x00\x01k".to_vec();
    file.extend(27u32.to_le_bytes()); // offset
    file.extend((body.len() as u32).to_le_bytes()); // size
    file.extend([0; 4]); // input_offset
    file.extend([0, 0, 0, 0, 0]); // relocs, GEN binaries
    file.extend([0, 0, 0, 0]); // file-scope variables, functions
    assert_eq!(file.len(), 31);
    file[10] = 31;
    file.extend(body);
    file
}

#[test]
fn rejects_opcodes_without_a_row() {
    let known: Vec<u8> = SPEC.iter().map(|row| row.opcode).collect();
    for format in formats::all() {
        for opcode in (0..=255u8).filter(|opcode| !known.contains(opcode)) {
            let code = [0x59, opcode, 0, 0, 0, 0];
            let code = if format.is_manual() { &code[1..] } else { &code[..] };
            let at = usize::from(!format.is_manual());
            let error = Instructions::new(code, format).find_map(Result::err).expect("an error");
            assert_eq!(error.offset(), at, "{error}");
            assert!(
                matches!(
                    error.kind(),
                    ErrorKind::UnknownOpcode { .. }
                        | ErrorKind::RetiredOpcode { .. }
                        | ErrorKind::NoBinaryForm { .. }
                ),
                "{error}"
            );
            let skipped = Boundaries::new(code, format).find_map(Result::err).expect("an error");
            assert_eq!(skipped, error);
        }
    }
}

#[test]
fn rejects_instructions_of_other_dialects() {
    let error = Instruction::from_bytes(&[0x01], Format::MANUAL).unwrap_err();
    assert_eq!(error.to_string(), "add does not exist in dialect manual (offset 0x0)");
    let error = Instruction::from_bytes(&[0x93], Format::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "raw_sendg does not exist in dialect igc2022, version 3.6 (offset 0x0)"
    );
}

#[test]
fn rejects_unknown_sub_opcodes() {
    let cases: [(&[u8], Format, u32); 8] = [
        (&[0x70, 0x0c], Format::default(), 0x0c),
        (&[0x70, 0x09], Format::MANUAL, 0x09),
        (&[0x6d, 0x07], Format::MANUAL, 0x07),
        (&[0x4e, 0x00], Format::default(), 0x00),
        (&[0x4e, 0x08], Format::default(), 0x08),
        (&[0x44, 0x08], Format::default(), 0x08),
        (&[0x4d, 0x0e], Format::default(), 0x0e),
        (&[0x89, 0x28], Format::default(), 0x28),
    ];
    for (bytes, format, value) in cases {
        let error = Instruction::from_bytes(bytes, format).unwrap_err();
        assert_eq!(error.offset(), 1, "{error}");
        let ErrorKind::UnknownSubOpcode { value: found, .. } = error.kind() else {
            panic!("{error}");
        };
        assert_eq!(*found, value);
    }
    // Only dialect Igc2026 has append counters.
    let error = Instruction::from_bytes(&[0x89, 0x28], Format::igc2026(Version::V4_1)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UnexpectedEof { .. }), "{error}");
}

#[test]
fn errors_contain_the_path_to_the_field() {
    let mut file = tour();
    // The second source of the kernel's only addition: its class becomes address-of.
    let module = parse(&file).expect("untouched");
    let (offset, _) = (module.routines().next().expect("a kernel").instructions())
        .map(|item| item.expect("legal"))
        .find(|(_, instruction)| instruction.mnemonic() == "add")
        .expect("an addition");
    file[offset + 22] = 4;
    let module = parse(&file).expect("tables are untouched");
    let error = (module.routines().next().expect("a kernel").instructions())
        .find_map(Result::err)
        .expect("an error");
    assert_eq!(error.offset(), offset + 22);
    assert_eq!(
        error.to_string(),
        format!(
            "kernel `tour`, instruction 8 add, src1: operand class 4 (address-of) is not \
             supported by any reader; pass the variable itself to addr_add (offset {:#x})",
            offset + 22
        )
    );
    let fields: Vec<&PathSegment> = error.path().collect();
    assert_eq!(fields[1], &PathSegment::Instruction { index: 8, mnemonic: "add" });
}

#[test]
fn rejects_counts_that_exceed_the_file() {
    // A string count of 4 GiB in a file of at most 100 bytes.
    let mut body = u32::MAX.to_le_bytes().to_vec();
    body.extend([0; 60]);
    let file = kernel_file(&body);
    assert!(file.len() <= 100);
    let error = parse(&file).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::CountTooLarge { count: 0xffff_ffff, .. }), "{error}");
    assert_eq!(error.offset(), 31);
    // Variables.
    let mut body = vec![0; 8];
    body.extend(u32::MAX.to_le_bytes());
    body.extend([0; 50]);
    let error = parse(&kernel_file(&body)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::CountTooLarge { .. }), "{error}");
    // Kernels.
    let error = parse(b"CISA\x03\x06\xff\xff0123456789012345678901234567890123456789").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::CountTooLarge { count: 65535, .. }), "{error}");
}

#[test]
fn rejects_files_that_are_not_visa_objects() {
    let error = parse(b"\x7fELF\x03\x06").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::BadMagic { found: 0x464c_457f, .. }), "{error}");
    for (major, minor) in [(2, 0), (3, 9), (4, 3), (5, 0)] {
        let error = parse(&[b'C', b'I', b'S', b'A', major, minor, 0, 0]).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::UnsupportedVersion { major, minor });
        assert_eq!(error.offset(), 4);
    }
    let error = parse(b"CISA\x04\x02\0\0").unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::TextOnly { version: genvisa::Version::V4_2 });
    let manual = Format::new(Dialect::Manual, genvisa::Version::V4_2);
    let error = Module::new(manual).to_bytes().unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::TextOnly { version: genvisa::Version::V4_2 });
}

#[test]
fn rejects_truncated_files() {
    let file = tour();
    for len in 0..file.len() {
        let error = parse(&file[..len]).expect_err("the GEN binary ends the file");
        let kind = error.kind();
        assert!(
            matches!(kind, ErrorKind::UnexpectedEof { .. } | ErrorKind::CountTooLarge { .. }),
            "{len}: {error}"
        );
    }
}

/// Changes every byte of a file in several ways. Nothing panics, and files that are accepted
/// round-trip.
#[test]
fn files_with_one_changed_byte_round_trip_or_fail() {
    let file = tour();
    let mut accepted = 0;
    for at in 0..file.len() {
        for change in [0x01, 0x80, 0xff, file[at]] {
            let mut file = file.clone();
            file[at] ^= change;
            let Ok(module) = parse(&file) else { continue };
            accepted += 1;
            assert_eq!(module.to_bytes().as_ref(), Ok(&file), "byte {at:#x} ^ {change:#x}");
            for routine in module.routines() {
                for item in routine.instructions() {
                    let Ok((offset, instruction)) = item else { break };
                    let again = instruction.to_bytes(module.format).expect("it was decoded");
                    assert_eq!(again, &file[offset..offset + again.len()]);
                }
            }
        }
    }
    assert!(accepted > 1000, "{accepted}");
}

#[test]
fn rejects_overlapping_sections() {
    let mut file = tour();
    // The offset of the GEN binary in the header, after magic, version, number of kernels, name,
    // three offsets and sizes, two numbers of relocs, the number of binaries, and the platform.
    let at = 4 + 2 + 2 + (1 + 4) + 12 + 4 + 1 + 1;
    let offset = u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes"));
    file[at..at + 4].copy_from_slice(&(offset - 1).to_le_bytes());
    let error = parse(&file).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Overlap { .. }), "{error}");
}

/// Many kernels may have the same body. They are rejected before any is decoded; otherwise a small
/// file could take thousands of times its size in memory.
#[test]
fn rejects_kernels_with_the_same_body_before_decoding() {
    let body: Vec<u8> = [&200_000u32.to_le_bytes()[..], &[0; 200_000]].concat();
    let kernels = 3000u32;
    let mut file = b"CISA\x03\x06".to_vec();
    file.extend((kernels as u16).to_le_bytes());
    let body_at = file.len() as u32 + kernels * 18 + 4;
    for _ in 0..kernels {
        file.push(0); // no name
        file.extend(body_at.to_le_bytes());
        file.extend((body.len() as u32).to_le_bytes());
        file.extend([0; 9]); // input_offset, relocs, GEN binaries
    }
    file.extend([0; 4]); // file-scope variables, functions
    assert_eq!(file.len() as u32, body_at);
    file.extend(body);
    let mut error = None;
    let cost = allocation_counter::measure(|| error = parse(&file).err());
    let error = error.expect("an error");
    assert!(matches!(error.kind(), ErrorKind::Overlap { .. }), "{error}");
    assert!(cost.bytes_total < 4_000_000, "{} bytes were allocated", cost.bytes_total);
}
