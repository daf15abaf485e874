//! Examples, and what is found with them.

use genvisa::Platform;
use genvisa::isa::FieldSpec;
use genvisa::wire::{FieldRecorder, Reader, Wire};
use genvisa::{Dialect, Format, Instruction, Version};
use genvisa_isa::{Row, example, find, instruction, rows};

/// A part of the rows, which differs from those of the tests of other packages.
const STEP: usize = 9;

#[test]
fn platforms_are_those_that_have_an_example() {
    for row in rows().iter().step_by(STEP) {
        let data = instruction(row, None);
        for platform in Platform::ALL {
            let has_example = example(row, Some(*platform)).is_some();
            let is_listed = data.platforms.contains(&platform.name());
            assert_eq!(has_example, is_listed, "{} on {platform}", data.mnemonic);
        }
    }
}

#[test]
fn messages_of_older_platforms_are_listed_for_them() {
    for (mnemonic, present, absent) in [
        ("lsc_load", Platform::Dg2, Platform::Tgllp),
        ("lsc_store_quad", Platform::Xe2, Platform::Tgllp),
        ("dp4", Platform::Skl, Platform::Dg2),
        ("add3", Platform::Dg2, Platform::Skl),
    ] {
        let row = find(mnemonic).remove(0);
        let platforms = instruction(&row, None).platforms;
        assert!(platforms.contains(&present.name()), "{mnemonic}: {platforms:?}");
        assert!(!platforms.contains(&absent.name()), "{mnemonic}: {platforms:?}");
    }
}

/// Returns the names of the fields that a format reads from the bytes of a row, if it has the row.
fn read(row: &Row, format: Format) -> Option<Vec<String>> {
    let bytes = row.zeros(format)?;
    let mut recorder = FieldRecorder::default();
    Instruction::decode(&mut Reader::traced(&bytes, 0, format, &mut recorder)).ok()?;
    Some(recorder.take().into_iter().filter(|field| field.depth == 0).map(|it| it.name).collect())
}

/// The layout of an operation depends on the format.
#[test]
fn formats_are_those_that_read_the_fields_of_the_row() {
    for row in rows() {
        let formats: Vec<Format> = row.formats().collect();
        let is_layout = row.start().len() == 2;
        let own: Vec<&str> = row.fields().iter().map(|field: &FieldSpec| field.name).collect();
        for dialect in Dialect::ALL {
            for version in Version::BINARY.iter().chain(&[Version::V4_2]) {
                let format = match (dialect, *version) {
                    (Dialect::Manual, _) => Format::MANUAL,
                    (Dialect::Igc2022, Version::V4_2) => continue,
                    (dialect, version) => Format::new(dialect, version),
                };
                // Only families have layouts. The operation is a field that the first bytes contain.
                let is_other = |name: &&String| {
                    !own.contains(&&***name) && !["opcode", "op", "sub_opcode"].contains(&&***name)
                };
                let found = read(&row, format);
                let others = found
                    .as_ref()
                    .map(|names| names.iter().filter(is_other).filter(|_| is_layout).count());
                let is_listed = formats.contains(&format);
                assert_eq!(others == Some(0), is_listed, "{}: {format:?}: {found:?}", row.name());
            }
        }
    }
}

/// Returns the parts of a line that blanks outside of brackets separate.
fn parts(line: &str) -> Vec<&str> {
    let mut depth = 0;
    let is_end = |letter: char| {
        match letter {
            '(' | '[' | '<' | '{' => depth += 1,
            ')' | ']' | '>' | '}' => depth -= 1,
            _ => {}
        }
        letter == ' ' && depth == 0
    };
    line.split(is_end).filter(|part| !part.is_empty()).collect()
}

#[test]
fn examples_have_the_operands_of_the_syntax() {
    let mut compared = 0;
    for row in rows() {
        let data = instruction(&row, None);
        let Some(example) = data.example else { continue };
        let is_optional = |part: &str| part.starts_with('[') && part.ends_with(']');
        let expected = parts(&data.syntax).into_iter().filter(|part| !is_optional(part)).count();
        // The operands depend on the mode, or on the size of addresses.
        if !["rt_write_3d", "lsc_apndctr_atomic_store"].contains(&&*data.mnemonic) {
            assert_eq!(parts(&example.text).len(), expected, "{}\n{}", data.syntax, example.text);
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn words_of_operations_find_the_instruction() {
    for (word, name) in [
        ("sample4", "Gather4"),
        ("sample4_po_c", "Gather4"),
        ("gather4_3d", "Gather4"),
        ("sample_l", "Sample3d"),
        ("resinfo", "Info"),
        ("info_3d", "Info"),
        ("lsc_atomic_iadd", "Access"),
    ] {
        assert!(find(word).iter().any(|row| row.name() == name), "{word}");
    }
}

#[test]
fn the_syntax_of_a_message_has_what_its_operation_has() {
    let syntax = |mnemonic: &str| instruction(&find(mnemonic)[0], None).syntax;
    let has = |mnemonic: &str| ["dst", "src1", "src2"].map(|name| syntax(mnemonic).contains(name));
    assert_eq!(has("lsc_load"), [true, false, false]);
    assert_eq!(has("lsc_store"), [false, true, false]);
    assert_eq!(has("lsc_store_block2d"), [false, true, false]);
    assert_eq!(has("lsc_atomic_icas"), [true, true, true]);
    assert!(syntax("sample4").starts_with("[(pred)] sample4[.flags].channel (exec) aoffimmi"));
}
